//! What the marker knows of logs that all sessions share: how far they reached when they were last written. A log that
//! lost its end, its snapshot with it, or itself, does not show that by anything of its own.

use crate::fsck::QUARANTINE;
use crate::store::{MARKER, make_dir, replace_synced};
use crate::{Flaw, Marker, Position, Presence, Problem, Store, lock};
use proctor_kernel::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// That records of a shared log were found to be gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gone {
    /// When that was noticed last, in milliseconds since 1970.
    pub at: u64,
    /// What was noticed.
    pub what: String,
    /// Where the log ended then: what is wrong before that place was told.
    #[serde(default)]
    pub upto: Position,
    /// A hook has told the user.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
}

impl Store {
    /// What a shared log lacks of what its marker says; `None`: nothing. A folder without a marker is gone as a whole,
    /// which is told by [`Store::presence`].
    ///
    /// # Errors
    /// Kind `store` when the log is there and cannot be read.
    pub fn lacks(&self, name: &str) -> Result<Option<String>> {
        let Some(marker) = self.marker().filter(|_| self.presence() == Presence::Present) else {
            return Ok(None);
        };
        let logs = self.root().join("log");
        let log = logs.join(name);
        for (path, what) in [
            (&logs, "the folder of the logs".to_owned()),
            (&log, format!("the log `{name}`")),
        ] {
            if in_the_way(path) {
                return Ok(Some(format!("{what} is no folder any more")));
            }
        }
        let Some(heads) = &marker.heads else {
            return Ok(None);
        };
        if !logs.is_dir() {
            return Ok(Some("the folder of the logs is gone".to_owned()));
        }
        let Some(head) = heads.get(name) else {
            return Ok(None);
        };
        if self.holds(name, head)? {
            return Ok(None);
        }
        Ok(Some(if log.is_dir() {
            format!(
                "the log `{name}` does not hold its record {} any more: it was shortened or rewritten",
                head.seq
            )
        } else {
            format!("the log `{name}` is gone, with {} record(s)", head.seq)
        }))
    }

    /// Keeps how far a shared log reaches, where it reaches further than was known. To disk before it returns.
    ///
    /// # Errors
    /// Kind `store` when the marker cannot be locked, read or written.
    pub fn anchor(&mut self, name: &str, position: &Position) -> Result<()> {
        self.change_marker(|marker| {
            let heads = marker.heads.get_or_insert_default();
            if heads.get(name).is_none_or(|head| head.seq < position.seq) {
                heads.insert(name.to_owned(), position.clone());
            }
        })
    }

    /// Keeps that records of a shared log are gone, and begins anew from where the log ends now.
    ///
    /// # Errors
    /// As [`Store::anchor`].
    pub fn note_gone(&mut self, name: &str, gone: Gone) -> Result<()> {
        // Without the folder, and with the old snapshot, the same would be noticed again. The snapshot knows more than the
        // log now, and is kept.
        let _folder = make_dir(&self.root().join("log"));
        let quarantine = self.root().join(QUARANTINE);
        let snapshot = self.root().join("sessions").join(format!("{name}.json"));
        if snapshot.is_file() && make_dir(&quarantine).is_ok() {
            let _moved = crate::disk::rename(
                &snapshot,
                &aside(&quarantine.join(format!("{name}.json")), gone.at),
            );
        }
        self.change_marker(|marker| {
            let heads = marker.heads.get_or_insert_default();
            if gone.upto.seq > 0 {
                heads.insert(name.to_owned(), gone.upto.clone());
            } else {
                heads.remove(name);
            }
            marker.gone = Some(gone);
        })
    }

    /// Keeps that the user was told what is gone.
    ///
    /// # Errors
    /// As [`Store::anchor`].
    pub fn gone_is_told(&mut self) -> Result<()> {
        self.change_marker(|marker| {
            if let Some(gone) = &mut marker.gone {
                gone.told = true;
            }
        })
    }

    fn change_marker(&mut self, change: impl FnOnce(&mut Marker)) -> Result<()> {
        let _lock = lock::take(&self.root().join("lock"), self.wait)?;
        // Others write it too.
        let before: Option<Marker> = self.read_json(MARKER)?;
        let Some(before) = before else { return Ok(()) };
        let mut marker = before.clone();
        change(&mut marker);
        if marker != before {
            let bytes = serde_json::to_vec(&marker)
                .map_err(|e| Error::new(ErrorKind::Internal, "cannot write the marker as JSON").because(e))?;
            let path = self.root().join(MARKER);
            replace_synced(
                &path,
                &path.with_extension(format!("{}.tmp", std::process::id())),
                &bytes,
            )?;
        }
        self.set_marker(marker);
        Ok(())
    }
}

/// Sets aside what stands in the way of a log in a state folder: files where folders belong, folders where the marker or
/// locks belong. Nothing is deleted. Tells what was moved, and where to.
///
/// # Errors
/// Kind `store` when something cannot be moved.
pub fn make_way(root: &Path, name: &str, millis: u64) -> Result<Vec<String>> {
    let log = root.join("log").join(name);
    let folders = [
        root.to_owned(),
        root.join("log"),
        root.join("sessions"),
        root.join("trees"),
        log.clone(),
    ];
    let files = [root.join(MARKER), root.join("lock"), log.join("lock")];
    let wrong = folders.into_iter().filter(|path| in_the_way(path));
    let wrong: Vec<PathBuf> = wrong
        .chain(files.into_iter().filter(|path| path.is_dir()))
        .collect();
    let mut moved = Vec::new();
    for path in wrong {
        let aside = aside(&path, millis);
        crate::disk::rename(&path, &aside).map_err(|e| crate::store::failed("set aside", &path, e))?;
        moved.push(format!(
            "{} was in the way of the records; it is now {}",
            path.display(),
            aside.display()
        ));
    }
    Ok(moved)
}

/// What stands in the way of a file or folder below the state folder: the nearest thing on the way to it that is there and is
/// no folder.
#[must_use]
pub fn blocked_by(path: &Path) -> Option<&Path> {
    let there = path.ancestors().find(|p| p.symlink_metadata().is_ok())?;
    in_the_way(there).then_some(there)
}

/// Whether something that is no folder stands there.
fn in_the_way(path: &Path) -> bool {
    path.symlink_metadata().is_ok() && !path.is_dir()
}

/// A free name beside a path.
fn aside(path: &Path, millis: u64) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    (0..1_000_u32)
        .map(|n| path.with_file_name(format!("{name}.aside-{millis}-{n}")))
        .find(|free| free.symlink_metadata().is_err())
        .unwrap_or_else(|| path.with_file_name(format!("{name}.aside")))
}

/// The first of these problems behind a place by which records are lost, or may be: a line that nobody counted is none.
#[must_use]
pub fn first_loss<'a>(problems: &'a [Problem], behind: &Position) -> Option<&'a Problem> {
    let loses = |p: &&Problem| {
        matches!(
            p.flaw,
            Flaw::Chain | Flaw::Rewritten | Flaw::Overwritten | Flaw::Unreadable(_)
        ) && (p.segment, p.offset) >= (behind.segment, behind.offset)
    };
    problems.iter().find(loses)
}
