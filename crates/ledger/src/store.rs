//! The state folder.

use crate::disk;
use crate::{Gone, Journal, Position, Problem, Reader, Record, Writer, journal::Fold, lock, writer_name};
use proctor_kernel::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Largest small file (snapshot, breakers, policy) that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// Name of the marker file, which says that the folder was set up.
pub(crate) const MARKER: &str = "state.json";

/// The marker file's content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marker {
    /// Id of the repository (or folder) that the state belongs to.
    pub id: String,
    /// When it was set up: RFC 3339, UTC, milliseconds.
    pub created: String,
    /// Whether it replaced a folder that was gone (or whose marker was): what happened before is not
    /// known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// How far the logs reached that all sessions share; see [`Store::lacks`]. `None`: an earlier version made the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heads: Option<BTreeMap<String, Position>>,
    /// That records of such a log were found to be gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<Gone>,
}

/// Whether the state folder is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is there, with its marker.
    Present,
    /// It is not there, and nothing says that it should be.
    New,
    /// It should be there and is not, or its marker is gone: what happened before is not known.
    Missing,
}

/// The state folder of a repository: `log/<writer>/<segment>.jsonl`, `sessions/<writer>.json`,
/// `state.json` and small files.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
    presence: Presence,
    marker: Option<Marker>,
    /// How long to wait for a lock.
    pub(crate) wait: Duration,
    /// Size in bytes at which a new segment is begun.
    pub(crate) segment_size: u64,
}

impl Store {
    /// Looks at a state folder without changing anything. `expected`: something outside the folder
    /// (the clone's configuration) says that it exists.
    ///
    /// # Errors
    /// Kind `store` when the marker exists but cannot be read.
    pub fn open(root: impl Into<PathBuf>, expected: bool) -> Result<Self> {
        let root = root.into();
        disk::room_for_files()?;
        let mut store = Self {
            root,
            presence: if expected {
                Presence::Missing
            } else {
                Presence::New
            },
            marker: None,
            wait: Duration::from_secs(2),
            segment_size: 8 << 20,
        };
        if let Some(bytes) = store.read(MARKER)? {
            // A marker that was damaged says as little as a missing one.
            store.marker = serde_json::from_slice(&bytes).ok();
            store.presence = if store.marker.is_some() {
                Presence::Present
            } else {
                Presence::Missing
            };
        }
        Ok(store)
    }

    /// Waits at most this long for a lock (2 s unless told).
    #[must_use]
    pub fn with_lock_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Begins a new segment at this size in bytes (8 MiB unless told).
    #[must_use]
    pub fn with_segment_size(mut self, bytes: u64) -> Self {
        self.segment_size = bytes.max(1);
        self
    }

    /// Whether the folder is there.
    #[must_use]
    pub fn presence(&self) -> Presence {
        self.presence
    }

    /// The marker, where it is there and readable.
    #[must_use]
    pub fn marker(&self) -> Option<&Marker> {
        self.marker.as_ref()
    }

    pub(crate) fn set_marker(&mut self, marker: Marker) {
        self.marker = Some(marker);
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Sets the folder up, or adopts one whose marker is missing, by writing the marker. Does nothing
    /// when the marker is there.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn create(&mut self, id: &str, millis: u64) -> Result<()> {
        if self.presence == Presence::Present {
            return Ok(());
        }
        let marker = Marker {
            id: id.to_owned(),
            created: crate::format_millis(millis),
            lost: self.presence == Presence::Missing,
            heads: Some(BTreeMap::new()),
            gone: None,
        };
        // Before the marker, which says that it is there.
        make_dir(&self.root.join("log"))?;
        self.write_json(MARKER, &marker)?;
        self.marker = Some(marker);
        self.presence = Presence::Present;
        Ok(())
    }

    /// The log writer for a session or command; any text will do as its name (see [`writer_name`]).
    #[must_use]
    pub fn writer(&self, raw_name: &str) -> Writer {
        Writer::new(self, writer_name(raw_name))
    }

    /// The journal (log with folded state) of a session.
    ///
    /// # Errors
    /// Kind `store` when the log exists but cannot be read.
    pub fn journal<T: Fold>(&self, raw_name: &str) -> Result<Journal<T>> {
        Journal::open(self, writer_name(raw_name))
    }

    /// Reads a writer's log from its beginning; the name is one of [`Store::writers`] or any name
    /// that a writer was made with.
    #[must_use]
    pub fn reader(&self, name: &str) -> Reader {
        self.reader_at(name, Position::default())
    }

    /// Reads a writer's log from a position.
    #[must_use]
    pub fn reader_at(&self, name: &str, position: Position) -> Reader {
        let name = if self.log_dir(name).is_some() {
            name.to_owned()
        } else {
            writer_name(name)
        };
        Reader::new(self.root.join("log").join(&name), name, position)
    }

    /// Whether a log has, up to this position, exactly the record that the position names.
    ///
    /// # Errors
    /// Kind `store` when the log cannot be read.
    pub fn holds(&self, name: &str, position: &Position) -> Result<bool> {
        let dir = self.root.join("log").join(name);
        crate::journal::holds(&dir, name, position).map_err(|e| failed("read the log", &dir, e))
    }

    /// The folder of a writer whose folder name this is.
    fn log_dir(&self, name: &str) -> Option<PathBuf> {
        let one = Path::new(name).components().count() == 1
            && !name.starts_with('.')
            && !name.contains(['/', '\\']);
        Some(self.root.join("log").join(name)).filter(|dir| one && dir.is_dir())
    }

    /// The names of all writers that have a log, sorted.
    ///
    /// # Errors
    /// Kind `store` when the folder cannot be listed.
    pub fn writers(&self) -> Result<Vec<String>> {
        let dir = self.root.join("log");
        let entries = match disk::list(&dir) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(failed("list", &dir, e)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|e| failed("list", &dir, e))?;
            if entry.path().is_dir()
                && let Ok(name) = entry.file_name().into_string()
            {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Those of the writers whose log was written to at a moment or later, in milliseconds since 1970, as the times of files
    /// tell it.
    ///
    /// # Errors
    /// Kind `store` when the folder cannot be listed.
    pub fn writers_since(&self, millis: u64) -> Result<Vec<String>> {
        let since = SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
        let mut names = self.writers()?;
        names.retain(|name| {
            let files = std::fs::read_dir(self.root.join("log").join(name));
            files.is_ok_and(|files| {
                let mut times = files
                    .flatten()
                    .filter_map(|file| file.metadata().ok()?.modified().ok());
                times.any(|time| time >= since)
            })
        });
        Ok(names)
    }

    /// Whether there is a log under this name, without opening it.
    #[must_use]
    pub fn has(&self, raw_name: &str) -> bool {
        self.root.join("log").join(crate::writer_name(raw_name)).is_dir()
    }

    /// Finds a record by its id in all logs; with the problems met on the way.
    ///
    /// # Errors
    /// Kind `store` when the logs cannot be listed.
    pub fn find(&self, id: &str) -> Result<(Option<Record>, Vec<Problem>)> {
        let mut problems = Vec::new();
        for name in self.writers()? {
            let mut reader = self.reader(&name);
            let found = reader.by_ref().find(|record| record.id.as_str() == id);
            problems.extend_from_slice(reader.problems());
            if found.is_some() {
                return Ok((found, problems));
            }
        }
        Ok((None, problems))
    }

    /// Reads a small file of the folder; `None` when it does not exist.
    ///
    /// # Errors
    /// Kind `store` when it cannot be read or has more than 64 MiB.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.small_file(name)?;
        let file = match disk::read_only(&path) {
            Ok(file) => file,
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(e) => return Err(failed("read", &path, e)),
        };
        let size = disk::length(&file.0).map_err(|e| failed("read", &path, e))?;
        let mut bytes = Vec::with_capacity(usize::try_from(size.min(LARGEST)).unwrap_or_default() + 1);
        file.take(LARGEST + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| failed("read", &path, e))?;
        if bytes.len() as u64 > LARGEST {
            return Err(Error::new(
                ErrorKind::Store,
                format!("{} is larger than {LARGEST} bytes", path.display()),
            )
            .hint("it is a cache: it can be removed"));
        }
        Ok(Some(bytes))
    }

    /// Writes a small file of the folder so that readers see the old or the new content, never a part.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written; the old content is then still there.
    pub fn write_atomic(&self, name: &str, bytes: &[u8]) -> Result<()> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let path = self.small_file(name)?;
        let unique = COUNTER.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_extension(format!("{}-{unique}.tmp", std::process::id()));
        replace(&path, &temporary, bytes)
    }

    /// Reads a small JSON file; `None` when it is missing, or is not JSON of this form (damaged, or of
    /// another version).
    ///
    /// # Errors
    /// Kind `store` when it cannot be read.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        Ok(self
            .read(name)?
            .and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Writes a small JSON file as [`Store::write_atomic`] does.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn write_json(&self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        let bytes = serde_json::to_vec(value).map_err(|e| {
            Error::new(ErrorKind::Internal, format!("cannot write {name} as JSON")).because(e)
        })?;
        self.write_atomic(name, &bytes)
    }

    /// Changes a small JSON file under a lock, so that no other process' change is lost. A missing or
    /// unreadable file counts as the default value. Nothing is written when the value stays equal.
    ///
    /// # Errors
    /// Kind `store` when it cannot be locked, read or written.
    pub fn update_json<T, R>(&self, name: &str, change: impl FnOnce(&mut T) -> R) -> Result<R>
    where
        T: Serialize + DeserializeOwned + Default + PartialEq + Clone,
    {
        make_dir(&self.root)?;
        let _lock = lock::take(&self.root.join("lock"), self.wait)?;
        let before: Option<T> = self.read_json(name)?;
        let mut value = before.clone().unwrap_or_default();
        let result = change(&mut value);
        if before.as_ref() != Some(&value) {
            self.write_json(name, &value)?;
        }
        Ok(result)
    }

    /// The path of a small file; names are one or more plain components.
    fn small_file(&self, name: &str) -> Result<PathBuf> {
        let plain = !name.is_empty()
            && Path::new(name)
                .components()
                .all(|c| matches!(c, std::path::Component::Normal(_)))
            && !name.contains(['\\', '\0']);
        if plain {
            return Ok(self.root.join(name));
        }
        Err(Error::new(
            ErrorKind::Internal,
            format!("{name:?} is no name for a state file"),
        ))
    }
}

/// Writes `bytes` to `temporary` and renames it to `path`; makes the folder when it is missing.
pub(crate) fn replace(path: &Path, temporary: &Path, bytes: &[u8]) -> Result<()> {
    replace_with(path, temporary, bytes, |_| Ok(()))
}

/// As [`replace`], with the new content on disk before it takes the place of the old one.
pub(crate) fn replace_synced(path: &Path, temporary: &Path, bytes: &[u8]) -> Result<()> {
    replace_with(path, temporary, bytes, disk::sync)
}

fn replace_with(
    path: &Path,
    temporary: &Path,
    bytes: &[u8],
    finish: impl FnOnce(&fs::File) -> io::Result<()>,
) -> Result<()> {
    let mut options = private_file();
    options.write(true).create(true).truncate(true);
    let open = || disk::open(&options, temporary);
    let file = match open() {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            if let Some(parent) = path.parent() {
                make_dir(parent)?;
            }
            open()
        }
        other => other,
    }
    .map_err(|e| failed("write", temporary, e))?;
    let written = disk::write_all(&file, bytes)
        .and_then(|()| finish(&file))
        .and_then(|()| disk::rename(temporary, path));
    written.map_err(|e| {
        let _ = fs::remove_file(temporary);
        failed("write", path, e)
    })
}

/// Options for files that only the user may read: logs hold the words of users and agents.
pub(crate) fn private_file() -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only the Unix mode is set"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a folder, and those above it, for the user alone.
pub(crate) fn make_dir(dir: &Path) -> Result<()> {
    disk::make_folder(dir).map_err(|e| failed("make the folder", dir, e))
}

/// The error for a failed operation on the state folder, with what can be done about it.
pub(crate) fn failed(doing: &str, path: &Path, error: io::Error) -> Error {
    let kind = error.kind();
    let result = Error::new(ErrorKind::Store, format!("cannot {doing} {}", path.display())).because(error);
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            result.hint("the disk is full: free some space; nothing that was recorded before is lost")
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            result.hint("make the state folder writable, or choose another one with PROCTOR_STATE")
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists | io::ErrorKind::IsADirectory => {
            let what = crate::blocked_by(path).map_or_else(
                || "something else stands where the state folder keeps its files".to_owned(),
                |file| {
                    format!(
                        "{} is no folder, and the state folder keeps its files there",
                        file.display()
                    )
                },
            );
            result.hint(format!(
                "{what}: move it away, or let a human's `proctor review release` set it aside"
            ))
        }
        _ => result,
    }
}
