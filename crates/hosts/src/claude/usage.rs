//! How many tokens a conversation used, read on from where it was read last: a transcript of 50 MB is not read
//! again at each end of a turn.
//!
//! The host repeats a message's usage in each of its records (one for each block), resumed and forked sessions
//! repeat records of their origin, and a file can be replaced or cut: a message counts once, whatever happens.

use super::lines::Lines;
use super::transcript::LINE_LIMIT;
use super::wire::Fields;
use proctor_kernel::{Mark, Meter};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes before the place that was read up to which must be the same, or the file is another one.
const TAIL: u64 = 256;
/// Longest name of a model that is kept, in bytes.
const LONGEST_NAME: usize = 200;
/// Most bytes that are read at once; the rest waits for the next time.
const MOST: u64 = 64 << 20;
/// Bytes at the end of a transcript that are looked at for the model.
const LAST: u64 = 1 << 20;

/// The four figures of a message: input outside the cache, output, read from the cache, written to it.
pub(super) fn figures(usage: &Fields<'_>) -> [u64; 4] {
    [
        "input_tokens",
        "output_tokens",
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
    ]
    .map(|name| usage.count(name).unwrap_or(0))
}

/// Where a transcript ends now: what stands before counts for nothing.
///
/// # Errors
/// When it cannot be read.
pub fn end_of(input: impl Read + Seek) -> io::Result<Meter> {
    let mut input = input;
    let length = input.seek(SeekFrom::End(0))?;
    let mut meter = Meter::default();
    place(&mut input, &mut meter, length)?;
    Ok(meter)
}

/// Reads on, and gives the new tokens with the new place. See [`Meter::count`] for what counts as new. `main`: it is
/// the transcript of the main conversation, not of a subagent.
///
/// # Errors
/// When the transcript cannot be read.
pub fn read_on(mut input: impl Read + Seek, known: &Meter, main: bool) -> io::Result<(u64, Meter)> {
    let mut meter = known.clone();
    if meter.offset > 0 && tail_at(&mut input, meter.offset)? != meter.tail {
        // Another file, or a shorter one. What was counted of it is told by time.
        meter.offset = 0;
    }
    let again = meter.offset == 0;
    input.seek(SeekFrom::Start(meter.offset))?;
    let mut new = 0;
    let mut read = 0;
    let since = meter.time.clone();
    let mut pass = Pass {
        main,
        ..Pass::default()
    };
    {
        let mut lines = Lines::new(
            BufReader::with_capacity(256 << 10, input.by_ref().take(MOST)),
            LINE_LIMIT,
        );
        while let Some(next) = lines.next()? {
            // The last line may still be written on; one that never ends is passed over.
            if !next.whole && next.bytes < MOST {
                break;
            }
            read += next.bytes;
            if !next.too_long {
                let after = if again { since.as_str() } else { "" };
                new = pass.line(lines.line(), after, &mut meter).saturating_add(new);
            }
        }
    }
    let end = meter.offset + read;
    place(&mut input, &mut meter, end)?;
    Ok((new, meter))
}

/// The tokens of a whole session, from its transcript below the host's own folder (`~/.claude`); `None` when there is
/// none that can be read.
#[must_use]
pub fn of_session(config: &Path, session: &str) -> Option<u64> {
    let (tokens, _) = read_on(transcript(config, session)?, &Meter::default(), true).ok()?;
    Some(tokens)
}

/// The model that wrote last in the main conversation of a session, as far as the end of its transcript tells.
#[must_use]
pub fn model_of(config: &Path, session: &str) -> Option<String> {
    let mut file = transcript(config, session)?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(LAST))).ok()?;
    let mut lines = Lines::new(BufReader::new(file.take(LAST)), LINE_LIMIT);
    let mut pass = Pass {
        main: true,
        ..Pass::default()
    };
    let mut meter = Meter::default();
    // A line that begins before the place is no record, and counts for nothing.
    while let Ok(Some(_)) = lines.next() {
        pass.line(lines.line(), "", &mut meter);
    }
    Some(meter.model).filter(|model| !model.is_empty())
}

/// A session's transcript below the host's own folder.
fn transcript(config: &Path, session: &str) -> Option<File> {
    let name = format!("{session}.jsonl");
    if name.contains('/') {
        return None;
    }
    let projects = std::fs::read_dir(config.join("projects")).ok()?.flatten();
    // A pipe would be waited for.
    projects
        .map(|folder| folder.path().join(&name))
        .find_map(|path| path.is_file().then(|| File::open(path).ok())?)
}

fn place(input: &mut (impl Read + Seek), meter: &mut Meter, offset: u64) -> io::Result<()> {
    meter.offset = offset;
    meter.tail = tail_at(input, offset)?;
    Ok(())
}

/// Fingerprint of what stands before a place; `None` when the file ends before it.
fn tail_at(input: &mut (impl Read + Seek), offset: u64) -> io::Result<Option<Mark>> {
    let from = offset.saturating_sub(TAIL);
    input.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    input.take(offset - from).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 == offset - from && offset > 0).then(|| Mark::of(&bytes)))
}

/// One reading.
#[derive(Default)]
struct Pass {
    /// The transcript of the main conversation, not of a subagent.
    main: bool,
    /// Messages that came before the latest one.
    seen: HashSet<String>,
    /// Conversations of subagents that older versions wrote between the records of the main one.
    beside: HashMap<String, Meter>,
}

impl Pass {
    fn line(&mut self, line: &[u8], after: &str, meter: &mut Meter) -> u64 {
        // Most bytes are results of tools; only the model's messages tell usage.
        let Some(text) = std::str::from_utf8(line).ok().filter(|t| t.contains("\"usage\"")) else {
            return 0;
        };
        let Ok(record) = serde_json::from_str::<Fields<'_>>(text) else {
            return 0;
        };
        let message = record.object("message");
        let id = message.filled("id");
        let (true, Some(id)) = (record.text("type").as_deref() == Some("assistant"), id) else {
            return 0;
        };
        let time = record.text("timestamp").unwrap_or_default();
        if message.text("model").as_deref() == Some("<synthetic>")
            || (!after.is_empty() && time.as_str() <= after)
        {
            return 0;
        }
        if time > meter.time {
            meter.time = time;
        }
        let sidechain = record.flag("isSidechain") == Some(true);
        if self.seen.contains(&id) {
            return 0;
        }
        let meter = if self.main && sidechain {
            let agent = record.text("agentId").unwrap_or_default();
            self.beside.entry(agent).or_default()
        } else {
            meter
        };
        if id != meter.message && !meter.message.is_empty() {
            self.seen.insert(meter.message.clone());
        }
        if let Some(model) = message
            .filled("model")
            .filter(|model| model.len() <= LONGEST_NAME)
        {
            meter.model = model;
        }
        let [input, output, cache_read, cache_write] = figures(&message.object("usage"));
        let input = input.saturating_add(cache_read).saturating_add(cache_write);
        meter.count(&id, input, output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn record(message: &str, second: u32, input: u64, output: u64) -> String {
        format!(
            "{{\"type\":\"assistant\",\"timestamp\":\"2026-11-20T00:00:{second:02}.000Z\",\"message\":{{\"id\":\"{message}\",\
             \"model\":\"m\",\"usage\":{{\"input_tokens\":3,\"cache_read_input_tokens\":{},\"output_tokens\":{output}}}}}}}\n",
            input - 3
        )
    }

    fn read(text: &str, known: &Meter) -> (u64, Meter) {
        read_on(Cursor::new(text.as_bytes()), known, true).unwrap()
    }

    #[test]
    fn a_transcript_is_read_on_and_never_twice() {
        let first = format!("{}{}", record("m1", 1, 1_000, 1), record("m1", 1, 1_000, 40));
        let (new, meter) = read(&first, &Meter::default());
        assert_eq!(
            (new, meter.offset, meter.model.as_str()),
            (40, first.len() as u64, "m")
        );
        assert_eq!(read(&first, &meter), (0, meter.clone()));

        // A line that is still being written waits until it is whole.
        let second = format!("{first}{}", record("m2", 2, 1_140, 10));
        let cut = second.get(..second.len() - 5).unwrap();
        let (new, unmoved) = read(cut, &meter);
        assert_eq!((new, unmoved.offset), (0, meter.offset));
        let (new, meter) = read(&second, &unmoved);
        assert_eq!(new, 110);

        // Another file under the same name, shorter or longer, that repeats what was counted.
        let other = format!("{{\"x\":1}}\n{second}{}", record("m3", 3, 1_250, 7));
        let (new, after) = read(&other, &meter);
        assert_eq!((new, after.offset), (107, other.len() as u64));
        let shorter = record("m4", 4, 1_357, 2);
        assert_eq!(read(&shorter, &after).0, 102);
        assert_eq!(
            read("", &after),
            (
                0,
                Meter {
                    offset: 0,
                    tail: None,
                    ..after.clone()
                }
            )
        );
    }

    #[test]
    fn the_model_is_the_one_that_wrote_last() {
        let config = tempfile::tempdir().unwrap();
        let folder = config.path().join("projects/p");
        std::fs::create_dir_all(&folder).unwrap();
        let said = |text: &str| {
            std::fs::write(folder.join("s1.jsonl"), text).unwrap();
            model_of(config.path(), "s1")
        };
        let by = |id: &str, model: &str| {
            record(id, 1, 9, 9).replace("\"model\":\"m\"", &format!("\"model\":\"{model}\""))
        };
        assert_eq!(model_of(config.path(), "s1"), None);
        assert_eq!(said(""), None);
        assert_eq!(said("{\"type\":\"user\"}\n"), None);
        assert_eq!(said(&by("m1", "opus")).as_deref(), Some("opus"));
        let switched = format!("{}{}", by("m1", "opus"), by("m2", "haiku"));
        assert_eq!(said(&switched).as_deref(), Some("haiku"));
        // Neither a subagent nor the host itself is the one who works.
        let beside = by("m3", "sonnet").replace("\"type\":", "\"isSidechain\":true,\"type\":");
        let others = format!("{switched}{beside}{}", by("m4", "<synthetic>"));
        assert_eq!(said(&others).as_deref(), Some("haiku"));
        // Only the end is read; it begins in the middle of a line.
        let long = format!("{}{}\n{switched}", by("m0", "old"), "x".repeat(2 << 20));
        assert_eq!(said(&long).as_deref(), Some("haiku"));
        assert_eq!(model_of(config.path(), "../p/s1"), None);
    }

    #[test]
    fn figures_without_end_are_no_fault() {
        let line = |id: &str| {
            let most = u64::MAX;
            format!(
                "{{\"type\":\"assistant\",\"message\":{{\"id\":\"{id}\",\"usage\":{{\"input_tokens\":{most},\
                 \"cache_read_input_tokens\":{most},\"cache_creation_input_tokens\":9,\"output_tokens\":{most}}}}}}}\n"
            )
        };
        let text = format!("{}{}", line("m1"), line("m2"));
        assert_eq!(read(&text, &Meter::default()).0, u64::MAX);
    }

    #[test]
    fn what_counts_for_nothing() {
        let noise = "{\"type\":\"user\",\"message\":{\"usage\":{\"output_tokens\":9}}}\nbroken \"usage\"\n\
                     {\"type\":\"assistant\",\"message\":{\"id\":\"x\",\"model\":\"<synthetic>\",\"usage\":{\"output_tokens\":9}}}\n";
        assert_eq!(read(noise, &Meter::default()).0, 0);
        // Where a task begins in the middle of a conversation, what was before is not its own.
        let before = record("m1", 1, 9_000, 500);
        let meter = end_of(Cursor::new(before.as_bytes())).unwrap();
        let text = format!(
            "{before}{}{}",
            record("m2", 2, 9_600, 20),
            record("m3", 3, 9_650, 5)
        );
        assert_eq!(read(&text, &meter).0, 20 + 30 + 5);
        // The same where the file is written later, as a copy of another conversation with more behind it.
        let later = Meter {
            time: "2026-11-20T00:00:01.500Z".to_owned(),
            ..Meter::default()
        };
        assert_eq!(read(&text, &later).0, 20 + 30 + 5);
        // A message that comes back after another one, as in a copy.
        let twice = format!(
            "{}{}{}",
            record("a", 1, 100, 5),
            record("b", 2, 105, 5),
            record("a", 1, 100, 5)
        );
        assert_eq!(read(&twice, &Meter::default()).0, 10);
        // A subagent's records between those of the main conversation do not break its row.
        let beside = record("s1", 2, 5_000, 30)
            .replace("{\"type\"", "{\"isSidechain\":true,\"agentId\":\"a\",\"type\"");
        let mixed = format!("{}{beside}{}", record("m1", 1, 100, 5), record("m2", 3, 125, 5));
        assert_eq!(read(&mixed, &Meter::default()).0, 5 + 30 + 25);
    }
}
