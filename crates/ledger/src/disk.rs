//! Every file operation of logs, snapshots and small files, in one place, so that tests can let each of
//! them fail, and can tell what a power failure would leave.

use proctor_kernel::{Error, ErrorKind, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

#[cfg(not(test))]
use real as hooks;

#[cfg(test)]
pub(crate) mod simulated;
#[cfg(test)]
use simulated as hooks;

/// What is about to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Open,
    List,
    Length,
    Read,
    Write,
    Truncate,
    Sync,
    SyncFolder,
    Rename,
    MakeFolder,
    Lock,
}

/// Outside tests nothing is in the way.
#[cfg(not(test))]
mod real {
    use super::{File, Op, Path, io};

    /// How many bytes of a write may be written.
    #[inline]
    #[expect(clippy::unnecessary_wraps, reason = "in tests it fails")]
    pub(super) fn step(_op: Op) -> io::Result<usize> {
        Ok(usize::MAX)
    }

    #[inline]
    pub(super) fn synced(_file: &File) {}

    #[inline]
    pub(super) fn folder_synced(_dir: &Path) {}
}

/// The least size that files must be allowed to have.
#[cfg(unix)]
const LEAST_LIMIT: u64 = 64 << 20;

/// Fails where the system ends a process that writes files of usual size (`ulimit -f`): nothing is written then.
pub(crate) fn room_for_files() -> Result<()> {
    #[cfg(unix)]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
        if let Some(limit) = limit.filter(|limit| *limit < LEAST_LIMIT) {
            return Err(Error::new(
                ErrorKind::Store,
                format!("no state can be kept: this process may write files of at most {limit} bytes"),
            )
            .hint("raise the limit: `ulimit -f unlimited`"));
        }
    }
    Ok(())
}

/// Opens a file. What is no regular file is refused, and not waited for: opening a pipe would wait until somebody
/// writes into it.
pub(crate) fn open(options: &OpenOptions, path: &Path) -> io::Result<File> {
    hooks::step(Op::Open)?;
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has pipes with a path"))]
    let mut options = options.clone();
    #[cfg(unix)]
    {
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no regular file",
        ))
    }
}

/// Opens a file for reading.
pub(crate) fn read_only(path: &Path) -> io::Result<Input> {
    open(OpenOptions::new().read(true), path).map(Input)
}

/// A file's length.
pub(crate) fn length(file: &File) -> io::Result<u64> {
    hooks::step(Op::Length)?;
    Ok(file.metadata()?.len())
}

/// Lists a folder.
pub(crate) fn list(dir: &Path) -> io::Result<fs::ReadDir> {
    hooks::step(Op::List)?;
    fs::read_dir(dir)
}

/// Reads from a place; may be short.
pub(crate) fn read_at(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    hooks::step(Op::Read)?;
    file.seek(SeekFrom::Start(offset))?;
    file.read(buffer)
}

/// One write; may be short.
pub(crate) fn write(mut file: &File, bytes: &[u8]) -> io::Result<usize> {
    let room = hooks::step(Op::Write)?;
    io::Write::write(&mut file, bytes.get(..room).unwrap_or(bytes))
}

/// Writes everything.
pub(crate) fn write_all(file: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match write(file, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => bytes = bytes.get(n..).unwrap_or_default(),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Cuts or lengthens a file.
pub(crate) fn truncate(file: &File, len: u64) -> io::Result<()> {
    hooks::step(Op::Truncate)?;
    file.set_len(len)
}

/// Brings a file's content to the disk.
pub(crate) fn sync(file: &File) -> io::Result<()> {
    hooks::step(Op::Sync)?;
    file.sync_data()?;
    hooks::synced(file);
    Ok(())
}

/// Brings a folder's list of files to the disk.
pub(crate) fn sync_folder(dir: &Path) -> io::Result<()> {
    hooks::step(Op::SyncFolder)?;
    #[cfg(unix)]
    File::open(dir)?.sync_all()?;
    hooks::folder_synced(dir);
    Ok(())
}

/// Puts a file in the place of another.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    hooks::step(Op::Rename)?;
    fs::rename(from, to)
}

/// Makes a folder and those above it, for the user alone.
pub(crate) fn make_folder(dir: &Path) -> io::Result<()> {
    hooks::step(Op::MakeFolder)?;
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Takes a lock, if it is free.
pub(crate) fn try_lock(file: &File) -> Result<(), fs::TryLockError> {
    hooks::step(Op::Lock).map_err(fs::TryLockError::Error)?;
    file.try_lock()
}

/// A file that is only read.
pub(crate) struct Input(pub(crate) File);

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        hooks::step(Op::Read)?;
        self.0.read(buffer)
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}
