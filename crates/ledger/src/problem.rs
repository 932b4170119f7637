//! What a reader found wrong with a log.

use std::fmt;

/// A place in a log that is not as it should be. Problems are reported; they never stop a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The segment's number; 0 for the log as a whole.
    pub segment: u32,
    /// Byte offset of the line in the segment.
    pub offset: u64,
    /// What is wrong.
    pub flaw: Flaw,
}

/// What is wrong with a line or a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A line that was not written to its end, or was overwritten: it does not end like a record.
    Torn,
    /// The last line has no line end and is no whole record: still being written, or torn.
    Unfinished,
    /// The bytes are not UTF-8.
    NotText,
    /// The checksum does not belong to the line.
    Checksum,
    /// The checksum is right but the line is not a record.
    NotRecord(String),
    /// A record of a newer format than this program knows.
    Version(u32),
    /// A record of another writer.
    Foreign(String),
    /// The record does not continue the one before it: something between them was changed or removed.
    /// The record itself is good and is delivered.
    Chain,
    /// The line is longer than [`crate::MAX_RECORD`] allows.
    TooLong,
    /// Two or more records stood on one line (a merge without line end); the good ones are delivered.
    Glued,
    /// The log is shorter than its snapshot says, or other than it was.
    Rewritten,
    /// What stands before the first record is no beginning of a log: others may have stood there. Reported beside what is
    /// wrong with the line.
    Overwritten,
    /// A segment or the folder could not be read.
    Unreadable(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Torn => f.write_str("the line is not complete"),
            Self::Unfinished => f.write_str("the last line is not finished"),
            Self::NotText => f.write_str("the line is not UTF-8"),
            Self::Checksum => f.write_str("the checksum does not belong to the line"),
            Self::NotRecord(why) => write!(f, "the line is no record: {why}"),
            Self::Version(v) => write!(f, "the record has format {v}, newer than this program knows"),
            Self::Foreign(writer) => write!(f, "the record belongs to the writer {writer}"),
            Self::Chain => f.write_str("the record does not continue the one before it"),
            Self::TooLong => f.write_str("the line is longer than a record may be"),
            Self::Glued => f.write_str("several records stand on one line"),
            Self::Rewritten => f.write_str("the log is not the one that its snapshot was taken from"),
            Self::Overwritten => f.write_str("the beginning of the log was overwritten"),
            Self::Unreadable(why) => write!(f, "cannot be read: {why}"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "segment {:06}, byte {}: {}",
            self.segment, self.offset, self.flaw
        )
    }
}
