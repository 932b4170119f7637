//! Pipes in the place of files that git reads: it would wait there for somebody who writes, and a host for us.

use super::{Place, Trees};
use crate::{file, name};
use proctor_kernel::{Error, ErrorKind, Result};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::time::Instant;

impl Trees<'_> {
    /// Refuses to ask git about files for which it would read a pipe.
    pub(crate) fn refuse_pipes<'p>(
        &self,
        place: &Place,
        deadline: Instant,
        paths: impl Iterator<Item = &'p [u8]>,
    ) -> Result<()> {
        let settings = self.allowed(place, deadline);
        if let Some(file) = &settings.pipe {
            return Err(waits(&file.display().to_string()));
        }
        let info = self.repo.common_dir().join("info");
        let general = [info.join("exclude"), info.join("attributes")];
        let own = settings.excludes.iter().filter(|f| !f.as_os_str().is_empty());
        for file in general.iter().chain(own) {
            if file::is_pipe(file) {
                return Err(waits(&file.display().to_string()));
            }
        }
        let work_tree = self.repo.work_tree()?;
        let (mut known, mut last): (HashSet<&[u8]>, Option<&[u8]>) = (HashSet::new(), None);
        for path in paths {
            let mut folder = above(path);
            // Neighbours share their folder.
            if last == Some(folder) {
                continue;
            }
            last = Some(folder);
            while known.insert(folder) {
                attributes(work_tree, folder)?;
                if folder.is_empty() {
                    break;
                }
                folder = above(folder);
            }
        }
        Ok(())
    }
}

/// The folder above, without its slash.
fn above(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|b| *b == b'/').unwrap_or(0);
    path.get(..end).unwrap_or_default()
}

/// Refuses a folder whose file of attributes is a pipe. Git does not follow a link there.
fn attributes(work_tree: &Path, folder: &[u8]) -> Result<()> {
    let file = Path::new(OsStr::from_bytes(folder)).join(".gitattributes");
    let is_pipe = fs::symlink_metadata(work_tree.join(&file)).is_ok_and(|meta| meta.file_type().is_fifo());
    if is_pipe {
        return Err(waits(&name::to_text(file.as_os_str().as_bytes())));
    }
    Ok(())
}

/// The error for a pipe.
pub(crate) fn waits(file: &str) -> Error {
    Error::new(
        ErrorKind::Git,
        format!("{file} is a pipe, at which git would wait for ever"),
    )
    .hint("remove it: git reads patterns and attributes there")
}
