//! Looking after the state folder: what `ledger` cannot know about the files in it.

use crate::breaker::Breakers;
use crate::session::SessionState;
use crate::{Clock, Engine, launch, sync, tasks, trust};
use crate::{review, runs, verify};
use proctor_kernel::Result;
use proctor_ledger::{Finding, Grade, Knowledge, Record, Report, SnapshotCheck, Store, check_snapshot};
use serde::de::DeserializeOwned;

/// Largest cache of trees that is left alone at the end of a session, in bytes.
const TREES: u64 = 512 << 20;

impl<C: Clock> Engine<C> {
    /// Keeps caches small. Nothing depends on it: what is in use, or cannot be removed, stays.
    pub(crate) fn tidy(&self) {
        if let (Some(repo), Ok(cache)) = (self.repo.as_ref().filter(|r| !r.is_bare()), self.trees_cache()) {
            // A cache that cannot be looked at costs nobody anything but its place.
            let _ = repo.trees(&cache).prune(TREES);
        }
    }

    /// Looks the state folder over; with `repair` mends what can be mended without losing anything.
    ///
    /// # Errors
    /// Kind `store` when the logs cannot be listed at all.
    pub fn fsck(&self, repair: bool) -> Result<Report> {
        let mut report = self.store()?.fsck(&Owner, repair.then(|| self.clock.now()))?;
        if self.reviews_gone().is_ok_and(|gone| gone.is_none()) {
            // A human has looked since: it stays to be said, and is no alarm any more.
            let known = report.findings.iter_mut().filter(|f| f.code == "records_gone");
            known.for_each(|f| f.grade = Grade::Note);
        }
        report.findings.extend(self.compare_with_published());
        Ok(report)
    }

    /// What this clone published stands in the repository as well: a log that lost some of it shows.
    fn compare_with_published(&self) -> Vec<Finding> {
        let lost = match self.lost_since_published() {
            Ok(lost) => lost,
            // Whoever cannot run git has published nothing here.
            Err(_)
                if !self
                    .repo
                    .as_ref()
                    .is_some_and(|r| r.common_dir().join(sync::REF).exists()) =>
            {
                return Vec::new();
            }
            Err(error) => {
                let what = format!("cannot be compared with the logs: {error}");
                return vec![Finding::new(
                    Grade::Unread,
                    "unreadable",
                    sync::REF,
                    what,
                    "not known",
                )];
            }
        };
        let finding = |lost: sync::Lost| {
            let (writer, ids) = (lost.writer, lost.records);
            let what = format!(
                "{} {} that this clone published {} not in the log as published: {}",
                ids.len(),
                if ids.len() == 1 { "record" } else { "records" },
                if ids.len() == 1 { "is" } else { "are" },
                shortened(&ids)
            );
            Finding::new(
                Grade::Tampering,
                "published_missing",
                format!("log/{writer}"),
                what,
                format!(
                    "nothing that was published: it stands in {}, and `proctor sync` takes it in",
                    sync::REF
                ),
            )
        };
        lost.into_iter().map(finding).collect()
    }
}

/// The first ids of a list.
fn shortened(ids: &[String]) -> String {
    let shown: Vec<&str> = ids.iter().take(3).map(String::as_str).collect();
    let more = if ids.len() > shown.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// The owner of everything in the state folder.
struct Owner;

impl Knowledge for Owner {
    fn snapshot(&self, store: &Store, log: &str) -> SnapshotCheck {
        match log {
            review::JOURNAL => check_snapshot::<review::ReviewBook>(store, log),
            verify::STATEMENTS => check_snapshot::<verify::FiledBook>(store, log),
            runs::CHECKS => check_snapshot::<runs::CheckBook>(store, log),
            crate::left::JOURNAL => check_snapshot::<crate::left::LeftBook>(store, log),
            _ => check_snapshot::<SessionState>(store, log),
        }
    }

    fn loss(&self, record: &Record) -> Option<String> {
        SessionState::loss_in(record)
    }

    fn reads(&self, file: &str, bytes: &[u8]) -> bool {
        match file {
            crate::engine::BREAKERS => has_form::<Breakers>(bytes),
            tasks::FILE => has_form::<Option<tasks::SetTask>>(bytes),
            _ if file.starts_with(tasks::OF_ANOTHER) => has_form::<Option<tasks::SetTask>>(bytes),
            trust::FILE => has_form::<trust::TrustBook>(bytes),
            _ if file.starts_with("launches/") => has_form::<launch::Launch>(bytes),
            _ => has_form::<serde_json::Value>(bytes),
        }
    }

    fn worth(&self, file: &str) -> &'static str {
        match file {
            crate::engine::BREAKERS => {
                "which gates failed lately: a gate that was switched off for that runs again"
            }
            crate::policy::FILE => {
                "the last good policy, which stands in for a broken policy file; it is written again by the next good one"
            }
            _ if file.starts_with("policies/") => {
                "the policy that a task began under: a change of `.proctor/` within that task is only told, and not held"
            }
            trust::FILE => {
                "which of the repository's checks Proctor may run itself: say so again with `proctor trust`"
            }
            _ if file == tasks::FILE || file.starts_with(tasks::OF_ANOTHER) => {
                "the task that was set by `proctor task start`: set it again"
            }
            _ if file.starts_with("launches/") => "whether a process of Proctor's own had begun its turn",
            _ => "what this file held",
        }
    }
}

fn has_form<T: DeserializeOwned>(bytes: &[u8]) -> bool {
    serde_json::from_slice::<T>(bytes).is_ok()
}
