//! Writes a changed settings file so that no failure can leave half of one behind.

use proctor_kernel::{Error, ErrorKind, Result};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind as Io, Write as _};
use std::path::{Path, PathBuf};

/// What was done to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file itself, behind any symbolic links.
    pub path: PathBuf,
    /// The copy of the file as it was before the first change, when there is one.
    pub backup: Option<PathBuf>,
    /// The file was removed, because nothing but Proctor's own entries had been in it.
    pub removed: bool,
}

/// Reads a file as text; `None` when there is none.
///
/// # Errors
/// When it cannot be read, or is not UTF-8.
pub fn read(path: &Path) -> Result<Option<String>> {
    // A pipe would be waited for.
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        let error = std::io::Error::other("it is no regular file");
        return Err(failed("read", path, error));
    }
    match fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|error| {
            Error::new(ErrorKind::Config, format!("{} is not UTF-8", path.display()))
                .because(error.utf8_error())
        }),
        Err(error) if error.kind() == Io::NotFound => Ok(None),
        Err(error) => Err(failed("read", path, error)),
    }
}

/// Writes `new` in place of `old` (`None`: there is no file yet): symbolic links are followed, the first
/// change leaves a copy `<name>.before-proctor` behind, the text is written beside the file and takes its
/// place in one step, with the same permissions. With `removing`, a file that came into being by Proctor and
/// holds nothing any more is deleted, and a copy that has become equal to the file as well.
///
/// # Errors
/// When the file is no longer as it was when the change was planned, or cannot be written. Then the file is
/// as it was.
pub fn write(path: &Path, old: Option<&str>, new: &str, removing: bool) -> Result<Written> {
    let path = behind_links(path)?;
    if read(&path)?.as_deref() != old {
        return Err(Error::new(
            ErrorKind::Config,
            format!("{} was changed by somebody else just now", path.display()),
        )
        .hint("nothing was written; run the command again"));
    }
    let backup = beside(&path, "before-proctor");
    let kept = backup.exists();
    if removing && !kept && old.is_some() && new.split_whitespace().collect::<String>() == "{}" {
        fs::remove_file(&path).map_err(|error| failed("remove", &path, error))?;
        return Ok(Written {
            path,
            backup: None,
            removed: true,
        });
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failed("make the folder of", &path, error))?;
    }
    if old.is_some() && !kept && !removing {
        fs::copy(&path, &backup).map_err(|error| failed("make a copy of", &path, error))?;
    }
    replace(&path, new).map_err(|error| failed("write", &path, error))?;
    if removing && kept && read(&backup)?.as_deref() == Some(new) {
        fs::remove_file(&backup).map_err(|error| failed("remove", &backup, error))?;
    }
    let backup = backup.exists().then_some(backup);
    Ok(Written {
        path,
        backup,
        removed: false,
    })
}

fn failed(what: &str, path: &Path, error: std::io::Error) -> Error {
    Error::new(ErrorKind::Config, format!("cannot {what} {}", path.display()))
        .because(error)
        .hint("check who owns the file and its folder, and whether they may be written")
}

/// The file that a path stands for: links are followed, also when what they point to is not there yet.
fn behind_links(path: &Path) -> Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) => {
                path = path
                    .parent()
                    .map_or_else(|| target.clone(), |folder| folder.join(&target))
            }
            Err(error) if matches!(error.kind(), Io::NotFound | Io::InvalidInput) => return Ok(path),
            Err(error) => return Err(failed("read", &path, error)),
        }
    }
    Err(Error::new(
        ErrorKind::Config,
        format!("{} is a circle of symbolic links", path.display()),
    ))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{ending}"));
    path.with_file_name(name)
}

fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let permissions = fs::metadata(path).map(|metadata| metadata.permissions()).ok();
    // Two installers at once must not write into the same file.
    let (temporary, mut file) = (0..100)
        .map(|number| beside(path, &format!("{number}.proctor-new")))
        .find_map(
            |name| match OpenOptions::new().write(true).create_new(true).open(&name) {
                Ok(file) => Some(Ok((name, file))),
                Err(error) if error.kind() == Io::AlreadyExists => None,
                Err(error) => Some(Err(error)),
            },
        )
        .unwrap_or_else(|| Err(std::io::Error::from(Io::AlreadyExists)))?;
    let written = (|| {
        file.write_all(text.as_bytes())?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // Best effort: the error that counts is the first one.
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_new_file_comes_and_goes_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".claude/settings.json");
        let written = write(&path, None, "{\"a\":1}\n", false).unwrap();
        assert_eq!((written.backup, written.removed), (None, false));
        assert_eq!(read(&path).unwrap().as_deref(), Some("{\"a\":1}\n"));
        assert!(write(&path, Some("{\"a\":1}\n"), "{}\n", true).unwrap().removed);
        assert_eq!(names(&folder.path().join(".claude")), Vec::<String>::new());
    }

    #[test]
    fn the_first_change_leaves_a_copy_and_the_way_back_takes_it_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        fs::write(&path, "{}").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let written = write(&path, Some("{}"), "{\"a\":1}", false).unwrap();
        assert_eq!(read(&written.backup.unwrap()).unwrap().as_deref(), Some("{}"));
        write(&path, Some("{\"a\":1}"), "{\"a\":2}", false).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(
            names(folder.path()),
            ["settings.json", "settings.json.before-proctor"]
        );
        let written = write(&path, Some("{\"a\":2}"), "{}", true).unwrap();
        assert_eq!((written.backup, written.removed), (None, false));
        assert_eq!(names(folder.path()), ["settings.json"]);
    }

    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("dotfiles/claude.json");
        let link = folder.path().join("settings.json");
        symlink("dotfiles/claude.json", &link).unwrap();
        write(&link, None, "{\"a\":1}", false).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(read(&real).unwrap().as_deref(), Some("{\"a\":1}"));
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert!(write(&circle, None, "{}", false).is_err());
    }

    #[test]
    fn a_file_that_changed_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        fs::write(&path, "{\"theirs\":1}").unwrap();
        assert!(write(&path, Some("{}"), "{\"ours\":1}", false).is_err());
        assert!(write(&path, None, "{\"ours\":1}", false).is_err());
        assert_eq!(read(&path).unwrap().as_deref(), Some("{\"theirs\":1}"));
        assert_eq!(names(folder.path()), ["settings.json"]);
    }

    #[test]
    fn a_file_that_is_no_text_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        fs::write(&path, [0xFF, 0xFE]).unwrap();
        assert_eq!(read(&path).unwrap_err().kind(), ErrorKind::Config);
        assert!(read(folder.path()).is_err());
    }
}
