//! Snapshots beside a fresh fold of their log.

use super::{Finding, Grade, Knowledge, Report, mend};
use crate::journal::{Fold, Loaded, holds, load};
use crate::{Position, Store, writer_name};
use std::fs;

/// What a snapshot is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotCheck {
    /// There is none: the next event folds the log.
    Missing,
    /// It equals a fresh fold of the log up to where it stands.
    Good,
    /// It is damaged, or was written by another version.
    Unusable,
    /// The log does not have the record that the snapshot stands at: it was shortened, rewritten or
    /// removed after the snapshot was taken.
    Rewritten(Position),
    /// The log cannot be read.
    Unread(String),
    /// It is whole, and the log fits, but its state is not what the log says.
    Differs,
}

/// Compares the snapshot of a log with a fresh fold.
#[must_use]
pub fn check_snapshot<T: Fold>(store: &Store, log: &str) -> SnapshotCheck {
    let dir = store.root().join("log").join(log);
    let snapshot = store.root().join("sessions").join(format!("{log}.json"));
    let (state, position): (T, Position) = match load(&snapshot, log) {
        Loaded::Good(state, position) => (state, position),
        Loaded::Missing => return SnapshotCheck::Missing,
        Loaded::Unusable => return SnapshotCheck::Unusable,
    };
    match holds(&dir, log, &position) {
        Ok(true) => {}
        Ok(false) => return SnapshotCheck::Rewritten(position),
        Err(e) => return SnapshotCheck::Unread(e.to_string()),
    }
    let mut fresh = T::default();
    for record in store.reader(log) {
        if (record.segment, record.offset) >= (position.segment, position.offset) {
            break;
        }
        fresh.apply(&record);
    }
    match (serde_json::to_value(&state), serde_json::to_value(&fresh)) {
        (Ok(a), Ok(b)) if a == b => SnapshotCheck::Good,
        _ => SnapshotCheck::Differs,
    }
}

/// Checks all snapshots.
pub(super) fn check_all(store: &Store, knowledge: &impl Knowledge, repair: Option<u64>, report: &mut Report) {
    let dir = store.root().join("sessions");
    let mut names: Vec<String> = fs::read_dir(&dir)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .collect();
    names.sort();
    for name in names {
        let file = format!("sessions/{name}.json");
        // What is not named like a writer cannot be the snapshot of one.
        if name.contains('~') || writer_name(&name) == name {
            report.snapshots += 1;
            let log = format!("log/{name}/");
            // What is known to be lost is lost to snapshots as well.
            let lossy = |f: &Finding| {
                f.file.starts_with(&log)
                    && f.grade >= Grade::Unread
                    && f.repair.is_none()
                    && f.code != "records_lost"
            };
            let lossy = report.findings.iter().any(lossy);
            let finding = judge(store, knowledge, repair, &name, file, lossy);
            report.findings.extend(finding);
        } else {
            report.findings.push(Finding::new(
                Grade::Note,
                "stray",
                file,
                "a file that Proctor did not make",
                "nothing",
            ));
        }
    }
}

fn judge(
    store: &Store,
    knowledge: &impl Knowledge,
    repair: Option<u64>,
    name: &str,
    file: String,
    lossy: bool,
) -> Option<Finding> {
    let how = "the snapshot is set aside; the next event folds the log anew";
    let finding = match knowledge.snapshot(store, name) {
        SnapshotCheck::Missing | SnapshotCheck::Good => return None,
        SnapshotCheck::Unusable => Finding::new(
            Grade::Note,
            "snapshot_unusable",
            file,
            "the snapshot is damaged or of another version",
            "nothing: the log is the truth",
        ),
        SnapshotCheck::Rewritten(position) => {
            // The next event folds the log anew and keeps on record that it did. A repair before that would hide it.
            return Some(Finding::new(
                Grade::Tampering,
                "log_rewritten",
                file,
                format!(
                    "when the snapshot was taken, the log had record {} at the end of byte {} of segment {:06}; it has not now",
                    position.seq, position.offset, position.segment
                ),
                "records up to that one that are not in the log any more; the snapshot still holds what they came to. A power \
                 failure can do that to records that were not synced; nothing else of Proctor's does",
            ));
        }
        SnapshotCheck::Unread(why) => {
            let what = format!("the log that belongs to it cannot be read: {why}");
            return Some(Finding::new(Grade::Unread, "unreadable", file, what, "not known"));
        }
        SnapshotCheck::Differs if lossy => {
            return Some(Finding::new(
                Grade::Note,
                "snapshot_knows_more",
                file,
                "the snapshot was taken before the log was damaged, and is kept",
                "nothing more: it still holds what the damaged records came to",
            ));
        }
        SnapshotCheck::Differs => Finding::new(
            Grade::Tampering,
            "snapshot_differs",
            file,
            "the snapshot is whole but does not say what the log says: one of the two was changed",
            "nothing: the log is the truth",
        ),
    };
    Some(mend::moved(store, repair, how, finding))
}
