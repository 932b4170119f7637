//! Looking a state folder over: what is wrong, where, what is lost with it, and what can be mended.
//!
//! **Invariant:** a look changes nothing. A repair deletes nothing: what is taken out of a file goes into
//! `quarantine/`, and only what stands behind the last record of a log is taken out.

mod files;
mod log;
mod mend;
mod snapshot;

pub use snapshot::{SnapshotCheck, check_snapshot};

use crate::{Presence, Record, Store};
use proctor_kernel::Result;
use serde::Serialize;

/// Findings that are kept per log; further ones are only counted.
const KEPT: usize = 1000;

/// Name of the folder for what was set aside.
pub(crate) const QUARANTINE: &str = "quarantine";

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Worth knowing; nothing that was acknowledged is lost.
    Note,
    /// It could not be looked at.
    Unread,
    /// Something is damaged or lost.
    Damage,
    /// Something was changed, removed or put in after it was written.
    Tampering,
}

impl Grade {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Unread => "unread",
            Self::Damage => "damage",
            Self::Tampering => "tampering",
        }
    }
}

/// One thing that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How grave it is.
    pub grade: Grade,
    /// What sort of finding it is: a fixed word.
    pub code: &'static str,
    /// The file, relative to the state folder.
    pub file: String,
    /// Where in the file, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Id of the record, as far as it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// What is wrong.
    pub what: String,
    /// What is lost, and what is not.
    pub lost: String,
    /// What a repair does about it; `None`: nothing can be done, or need be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<String>,
    /// Whether that was done.
    pub repaired: bool,
}

impl Finding {
    /// A finding about a whole file, which nothing can mend.
    #[must_use]
    pub fn new(
        grade: Grade,
        code: &'static str,
        file: impl Into<String>,
        what: impl Into<String>,
        lost: impl Into<String>,
    ) -> Self {
        Self {
            grade,
            code,
            file: file.into(),
            offset: None,
            record: None,
            what: what.into(),
            lost: lost.into(),
            repair: None,
            repaired: false,
        }
    }

    fn at(mut self, offset: u64, record: Option<String>) -> Self {
        self.offset = Some(offset);
        self.record = record;
        self
    }

    fn mendable(mut self, how: &str) -> Self {
        self.repair = Some(how.to_owned());
        self
    }

    fn mended(mut self, how: String) -> Self {
        self.repair = Some(how);
        self.repaired = true;
        self
    }
}

/// What a log holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LogSummary {
    /// The writer: the name of the log's folder.
    pub writer: String,
    /// Segments.
    pub segments: usize,
    /// Bytes of all segments.
    pub bytes: u64,
    /// Records that can be read.
    pub records: u64,
    /// Of these, written under a test's clock: they prove nothing.
    pub test_records: u64,
    /// Findings beyond the first thousand, which are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub unlisted: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// What a look found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The logs, sorted by writer.
    pub logs: Vec<LogSummary>,
    /// Snapshots that were compared with a fresh fold of their log.
    pub snapshots: usize,
    /// Small files that were read.
    pub files: usize,
    /// Everything that is not as it should be, log by log.
    pub findings: Vec<Finding>,
    /// Files that earlier repairs set aside.
    pub set_aside: usize,
}

impl Report {
    /// The gravest finding that was not mended; `None` when there is none.
    #[must_use]
    pub fn worst(&self) -> Option<Grade> {
        self.findings
            .iter()
            .filter(|f| !f.repaired)
            .map(|f| f.grade)
            .max()
    }
}

/// What the owner of the records knows and this crate does not.
pub trait Knowledge {
    /// Compares the snapshot of a log with a fresh fold, by [`check_snapshot`] with the right state.
    fn snapshot(&self, store: &Store, log: &str) -> SnapshotCheck;
    /// What a record says of earlier ones of its log that were found to be lost.
    fn loss(&self, record: &Record) -> Option<String> {
        let _ = record;
        None
    }
    /// Whether a small JSON file has the form that its owner reads.
    fn reads(&self, file: &str, bytes: &[u8]) -> bool;
    /// What is lost with a small file that cannot be read.
    fn worth(&self, file: &str) -> &'static str;
}

impl Store {
    /// Looks the whole folder over. With `repair` (milliseconds since 1970, for the names of what is set
    /// aside) mends what can be mended without losing anything.
    ///
    /// # Errors
    /// Kind `store` when the logs cannot be listed at all. Everything else is a finding.
    pub fn fsck(&self, knowledge: &impl Knowledge, repair: Option<u64>) -> Result<Report> {
        let mut report = Report::default();
        if self.presence() == Presence::New && !self.root().exists() {
            return Ok(report);
        }
        report.set_aside = files::set_aside(self);
        files::marker(self, &mut report);
        files::anchors(self, &mut report);
        for name in files::log_names(self, &mut report)? {
            log::check(self, knowledge, &name, repair, &mut report);
        }
        snapshot::check_all(self, knowledge, repair, &mut report);
        files::check_all(self, knowledge, repair, &mut report);
        files::imported(self, repair, &mut report)?;
        Ok(report)
    }
}
