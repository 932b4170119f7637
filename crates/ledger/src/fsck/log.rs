//! One log: lines, checksums, chain, numbers, segments.

use super::{Finding, Grade, KEPT, Knowledge, LogSummary, Report, mend};
use crate::record::Link;
use crate::{Flaw, Problem, Reader, Record, Store, disk, segment};
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Lines that are no records, of which it is not known yet whether the chain goes on over them.
#[derive(Default)]
struct Pending(Vec<Finding>);

impl Pending {
    /// The next record continues the one before these lines: whoever wrote it did not know them.
    fn never_counted(&mut self, out: &mut Vec<Finding>) {
        for mut finding in self.0.drain(..) {
            finding.grade = Grade::Note;
            "nothing that was acknowledged: the chain goes on over it".clone_into(&mut finding.lost);
            out.push(finding);
        }
    }

    /// The next record shows that there were records here.
    fn were_records(&mut self, numbers: &str, out: &mut Vec<Finding>) {
        for mut finding in self.0.drain(..) {
            finding.lost = format!("{numbers}; the records before and after are whole");
            out.push(finding);
        }
    }

    /// Nothing follows.
    fn at_the_end(&mut self, out: &mut Vec<Finding>) {
        for mut finding in self.0.drain(..) {
            if finding.code == "unfinished" {
                // What every stopped process leaves behind; the next record mends it.
                finding.grade = Grade::Note;
            }
            "at most the record that was being written; all before it are whole"
                .clone_into(&mut finding.lost);
            out.push(finding);
        }
    }
}

/// Looks through a log, and mends its end when asked to.
pub(super) fn check(
    store: &Store,
    knowledge: &impl Knowledge,
    name: &str,
    repair: Option<u64>,
    report: &mut Report,
) {
    let dir = store.root().join("log").join(name);
    let mut summary = LogSummary {
        writer: name.to_owned(),
        ..LogSummary::default()
    };
    let mut findings = segments(&dir, name, &mut summary);
    let mut reader = store.reader(name);
    let mut pending = Pending::default();
    let mut listed = 0;
    loop {
        let next = reader.next();
        let chain = reader.take_break();
        for problem in reader.take_problems() {
            listed += 1;
            match &problem.flaw {
                Flaw::Chain => {
                    if let (Some(expected), Some(record)) = (&chain, &next) {
                        broken_chain(name, expected, record, &mut pending, &mut findings);
                    }
                }
                Flaw::Version(v) => findings.push(place(
                    &dir,
                    name,
                    &problem,
                    Finding::new(
                        Grade::Note,
                        "newer_format",
                        "",
                        format!("a record of format {v}, which this version of Proctor does not read"),
                        "nothing: a newer version reads it",
                    ),
                )),
                Flaw::Foreign(writer) => findings.push(place(
                    &dir,
                    name,
                    &problem,
                    Finding::new(
                        Grade::Tampering,
                        "foreign",
                        "",
                        format!("a record of the writer {writer} was put into this log"),
                        "nothing: it is left out",
                    ),
                )),
                Flaw::Glued => findings.push(place(
                    &dir,
                    name,
                    &problem,
                    Finding::new(
                        Grade::Note,
                        "glued",
                        "",
                        problem.flaw.to_string(),
                        "nothing: every whole record on it is read",
                    ),
                )),
                Flaw::Unreadable(_) => findings.push(place(
                    &dir,
                    name,
                    &problem,
                    Finding::new(
                        Grade::Unread,
                        "unreadable",
                        "",
                        problem.flaw.to_string(),
                        "not known: make it readable and look again",
                    ),
                )),
                // Of the lines before the first record nobody knows what they were.
                _ if summary.records == 0 && reader.overwritten().is_some() => {
                    findings.push(place(&dir, name, &problem, overwritten(&problem.flaw)));
                }
                _ => pending
                    .0
                    .push(place(&dir, name, &problem, bad_line(&problem.flaw))),
            }
            if findings.len() > KEPT {
                summary.unlisted += (findings.len() - KEPT) as u64;
                findings.truncate(KEPT);
            }
        }
        let Some(record) = next else { break };
        if chain.is_none() {
            pending.never_counted(&mut findings);
        }
        summary.records += 1;
        findings.extend(knowledge.loss(&record).map(|what| lost(name, &record, &what)));
        summary.test_records += u64::from(record.test);
    }
    let from = findings.len();
    pending.at_the_end(&mut findings);
    if let Some(tail) = findings.get_mut(from..)
        && !tail.is_empty()
    {
        mend::tail(store, name, repair, tail);
    }
    // The reader itself keeps only so many at a time.
    summary.unlisted += reader.problem_count().saturating_sub(listed);
    summary.unlisted += findings.len().saturating_sub(KEPT) as u64;
    findings.truncate(KEPT);
    report.findings.append(&mut findings);
    report.logs.push(summary);
}

/// A record says that earlier ones were lost.
fn lost(name: &str, record: &Record, what: &str) -> Finding {
    Finding::new(
        Grade::Damage,
        "records_lost",
        file_name(name, record.segment),
        format!("noticed at {}: {what}", crate::format_millis(record.millis)),
        "what those records said; what stands in the log now is whole",
    )
    .at(record.offset, Some(record.id.to_string()))
}

/// A line before the first record, where no writer begins a log like that.
fn overwritten(flaw: &Flaw) -> Finding {
    Finding::new(
        Grade::Damage,
        "overwritten",
        "",
        format!("{flaw}, and no record stands before it: the log does not begin as writers begin one"),
        "not known: records may have stood there",
    )
}

/// A line that is no record.
fn bad_line(flaw: &Flaw) -> Finding {
    let code = match flaw {
        Flaw::Torn => "torn",
        Flaw::Unfinished => "unfinished",
        Flaw::NotText => "not_text",
        Flaw::Checksum => "checksum",
        Flaw::TooLong => "too_long",
        _ => "not_record",
    };
    Finding::new(Grade::Damage, code, "", flaw.to_string(), "")
}

/// Fills in where a problem is.
fn place(dir: &Path, name: &str, problem: &Problem, mut finding: Finding) -> Finding {
    finding.file = file_name(name, problem.segment);
    let id = peek_id(&segment::path(dir, problem.segment), problem.offset);
    finding.at(problem.offset, id)
}

pub(super) fn file_name(name: &str, segment: u32) -> String {
    if segment == 0 {
        return format!("log/{name}");
    }
    format!("log/{name}/{segment:06}.jsonl")
}

/// Why a record does not continue the one before it.
fn broken_chain(name: &str, expected: &Link, record: &Record, pending: &mut Pending, out: &mut Vec<Finding>) {
    let missing = record.seq.checked_sub(expected.seq.saturating_add(1));
    let (first, last) = (expected.seq.saturating_add(1), record.seq.saturating_sub(1));
    let numbers = if first == last {
        format!("record {first}")
    } else {
        format!("records {first} to {last}")
    };
    let (code, what, lost) = match missing {
        Some(0) => {
            pending.never_counted(out);
            (
                "record_changed",
                format!(
                    "record {} does not continue record {} as it stands in the log: one of the two was changed after it was written",
                    record.seq, expected.seq
                ),
                format!("what record {} said before it was changed", expected.seq),
            )
        }
        Some(n) if pending.0.len() as u64 >= n => {
            pending.were_records(&numbers, out);
            return;
        }
        Some(_) => {
            pending.were_records("part of what is missing here", out);
            (
                "records_missing",
                format!("{numbers} of this writer are not in the log"),
                format!("{numbers}; the records before and after are whole"),
            )
        }
        None => {
            pending.never_counted(out);
            (
                "out_of_order",
                format!(
                    "record {} stands behind record {}: lines were repeated, swapped, or put back from an older copy",
                    record.seq, expected.seq
                ),
                "not known".to_owned(),
            )
        }
    };
    let finding = Finding::new(
        Grade::Tampering,
        code,
        file_name(name, record.segment),
        what,
        lost,
    );
    out.push(finding.at(record.offset, Some(record.id.to_string())));
}

/// Sizes and gaps of the segments; what else lies in the folder.
fn segments(dir: &Path, name: &str, summary: &mut LogSummary) -> Vec<Finding> {
    let mut findings = Vec::new();
    let numbers = match segment::list(dir) {
        Ok(numbers) => numbers,
        Err(e) => {
            findings.push(Finding::new(
                Grade::Unread,
                "unreadable",
                file_name(name, 0),
                format!("the folder cannot be listed: {e}"),
                "not known: make it readable and look again",
            ));
            return findings;
        }
    };
    summary.segments = numbers.len();
    let mut next = 1;
    for number in numbers {
        if number > next {
            findings.push(Finding::new(
                Grade::Tampering,
                "segment_missing",
                file_name(name, next),
                if number == next + 1 {
                    "the segment is not there although a later one is".to_owned()
                } else {
                    format!(
                        "segments {next} to {} are not there although a later one is",
                        number - 1
                    )
                },
                "the records in it; those in the other segments are whole",
            ));
        }
        next = number.saturating_add(1);
        let path = segment::path(dir, number);
        if fs::symlink_metadata(&path).is_ok_and(|m| !m.is_file()) {
            findings.push(Finding::new(
                Grade::Tampering,
                "no_file",
                file_name(name, number),
                "the segment is a link or something else that Proctor does not make",
                "not known",
            ));
        }
        summary.bytes += fs::metadata(&path).map_or(0, |m| m.len());
    }
    findings
}

/// The id in a line that is no record, if it begins like one.
fn peek_id(path: &Path, offset: u64) -> Option<String> {
    let mut file = disk::open(fs::OpenOptions::new().read(true), path).ok()?;
    file.seek(SeekFrom::Start(offset)).ok()?;
    let mut bytes = Vec::new();
    file.take(256).read_to_end(&mut bytes).ok()?;
    let line = bytes.split(|b| *b == b'\n').next()?;
    let text = String::from_utf8_lossy(line);
    let (_, rest) = text.split_once("\"id\":\"")?;
    let id = rest.get(..26)?;
    let plain = id.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
    plain.then(|| id.to_owned())
}

/// Reads a log to its end and gives the place behind its last record.
pub(super) fn last_place(reader: &mut Reader) -> (u32, u64) {
    let mut place = (0, 0);
    for record in reader.by_ref() {
        place = (record.segment, record.offset);
    }
    place
}
