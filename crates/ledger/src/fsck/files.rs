//! Everything beside logs and snapshots: the marker, small files, what should not be there.

use super::{Finding, Grade, Knowledge, QUARANTINE, Report, mend};
use crate::exchange::{claims, read_lane};
use crate::store::MARKER;
use crate::{Presence, Store};
use proctor_kernel::Result;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Largest small file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// How many files earlier repairs set aside.
pub(super) fn set_aside(store: &Store) -> usize {
    fs::read_dir(store.root().join(QUARANTINE)).map_or(0, Iterator::count)
}

/// The marker says that the folder was set up, and whether it replaced one that was lost.
pub(super) fn marker(store: &Store, report: &mut Report) {
    let there = store.root().join(MARKER).exists();
    let (code, what, lost) = match (store.presence(), there) {
        (Presence::Present, _) => match store.marker().filter(|m| m.lost) {
            Some(marker) => {
                report.findings.push(Finding::new(
                    Grade::Note,
                    "state_replaced",
                    MARKER,
                    format!(
                        "the folder was set up at {} because an earlier one was gone",
                        marker.created
                    ),
                    "what was recorded before that is not known",
                ));
                return;
            }
            None => return,
        },
        (_, true) => (
            "marker_damaged",
            "the marker cannot be read",
            "when the folder was set up; the next event writes a new marker and tells the user",
        ),
        (Presence::Missing, false) if !store.root().exists() => (
            "state_missing",
            "the state folder is gone although this clone had one",
            "everything that was recorded here",
        ),
        (Presence::New, false) => {
            report.findings.push(Finding::new(
                Grade::Note,
                "marker_missing",
                MARKER,
                "the folder has no marker, and the clone does not know of one: its set-up was not finished",
                "nothing: the next event finishes it",
            ));
            return;
        }
        (_, false) => (
            "marker_missing",
            "the folder has no marker, although this clone had one",
            "whether anything was removed with it is not known; the next event writes a new marker and tells the user",
        ),
    };
    // A repair must not hide from the user what the next event would tell.
    let grade = if there { Grade::Damage } else { Grade::Tampering };
    let file = if code == "state_missing" { "." } else { MARKER };
    report.findings.push(Finding::new(grade, code, file, what, lost));
}

/// What the marker says of logs that all sessions share.
pub(super) fn anchors(store: &Store, report: &mut Report) {
    let Some(marker) = store.marker() else { return };
    if let Some(gone) = &marker.gone {
        report.findings.push(Finding::new(
            Grade::Tampering,
            "records_gone",
            MARKER,
            format!("noticed at {}: {}", crate::format_millis(gone.at), gone.what),
            "what those records said: refusals, findings, sessions that were let go unreviewed. Approvals from before do not count any more",
        ));
    }
    let names: BTreeSet<&str> = marker
        .heads
        .iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect();
    // Without any, the folder of the logs is looked for.
    let names = if names.is_empty() {
        BTreeSet::from([""])
    } else {
        names
    };
    for name in names {
        let file = format!("log/{name}");
        let finding = match store.lacks(name) {
            Ok(None) => continue,
            Ok(Some(what)) => {
                let lost =
                    "the records that it held: what was refused, found or let go unreviewed is not known";
                Finding::new(Grade::Tampering, "log_shortened", file, what, lost)
            }
            Err(error) => Finding::new(Grade::Unread, "unreadable", file, error.to_string(), "not known"),
        };
        report.findings.push(finding);
    }
}

/// The logs' names; what else lies among them is reported.
pub(super) fn log_names(store: &Store, report: &mut Report) -> Result<Vec<String>> {
    let mut names = store.writers()?;
    names.retain(|name| {
        let path = store.root().join("log").join(name);
        let real = path.symlink_metadata().is_ok_and(|m| m.is_dir());
        if !real {
            report.findings.push(Finding::new(
                Grade::Tampering,
                "no_folder",
                format!("log/{name}"),
                "the log is a link: Proctor does not make links",
                "not known: it is not followed",
            ));
        }
        real
    });
    Ok(names)
}

/// Small JSON files and left-over temporary files.
pub(super) fn check_all(store: &Store, knowledge: &impl Knowledge, repair: Option<u64>, report: &mut Report) {
    let mut names = Vec::new();
    list(store.root(), "", 0, &mut names);
    names.sort();
    for name in names {
        let finding = if name.ends_with(".tmp") {
            Finding::new(
                Grade::Note,
                "temporary",
                name,
                "a temporary file of a process that was stopped, or is writing now",
                "nothing: the file that it was meant for is whole",
            )
        } else {
            report.files += 1;
            match mend::read(&store.root().join(&name), LARGEST) {
                Ok(bytes) if knowledge.reads(&name, &bytes) => continue,
                Ok(_) => {
                    let lost = knowledge.worth(&name);
                    Finding::new(
                        Grade::Damage,
                        "file_damaged",
                        name,
                        "the file cannot be read",
                        lost,
                    )
                }
                Err(error) => Finding::new(
                    Grade::Unread,
                    "unreadable",
                    name,
                    error.to_string(),
                    "not known: make it readable and look again",
                ),
            }
        };
        let mended = match finding.code {
            "file_damaged" => mend::moved(
                store,
                repair,
                "the file is set aside and counts as absent",
                finding,
            ),
            "temporary" => mend::moved(store, repair, "it is set aside", finding),
            _ => finding,
        };
        report.findings.push(mended);
    }
}

/// Lanes that were taken in from other clones.
pub(super) fn imported(store: &Store, repair: Option<u64>, report: &mut Report) -> Result<()> {
    for lane in store.imported_lanes()? {
        let file = claims::file_name(&lane);
        report.files += 1;
        let finding = match store.imported(&lane) {
            Ok(text) => {
                let text = text.unwrap_or_default();
                let read = read_lane(&lane, &text);
                let Some(first) = read.rejected.first() else {
                    continue;
                };
                Finding::new(
                    Grade::Tampering,
                    "import_damaged",
                    file,
                    format!(
                        "{} line(s) are not what was taken in: {}",
                        read.rejections, first.why
                    ),
                    "nothing here: `proctor sync` takes it in again",
                )
                .at(first.offset, first.id.clone())
            }
            Err(error) => Finding::new(
                Grade::Unread,
                "unreadable",
                file,
                error.to_string(),
                "nothing here: `proctor sync` takes it in again",
            ),
        };
        report
            .findings
            .push(mend::moved(store, repair, "it is set aside", finding));
    }
    Ok(())
}

/// Folders that are not looked into here.
const ELSEWHERE: [&str; 5] = ["log", "sessions", QUARANTINE, "pins", claims::FOLDER];

fn list(root: &Path, below: &str, depth: u32, names: &mut Vec<String>) {
    for entry in fs::read_dir(root.join(below)).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = if below.is_empty() {
            name.clone()
        } else {
            format!("{below}/{name}")
        };
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            if depth < 2 && !(below.is_empty() && ELSEWHERE.contains(&name.as_str())) {
                list(root, &path, depth + 1, names);
            }
        } else if (name.ends_with(".json") && path != MARKER) || name.ends_with(".tmp") {
            names.push(path);
        }
    }
}
