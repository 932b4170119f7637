//! What the host's files and the machine tell beside a hook's payload; see [`Aside`].

use crate::clock::ProcessClock;
use crate::commands::hook;
use crate::{caller, detach};
use proctor_engine::{Aside, Clock, Ended, Launched};
use proctor_hosts::claude;
use proctor_kernel::{Event, EventKind, Mark, Meter, Metered, Process, Reading, Readings};
use proctor_worktree::file;
use std::cmp::Reverse;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most output of a command in the background that is read at its beginning and at its end, in bytes.
const OUTPUT: u64 = 512 << 10;

/// Most subagents of a session whose transcripts are read.
const SUBAGENTS: usize = 128;

/// Longest wait for a reviewer: the host ends this hook after 120 s, and what it is told then is nothing.
const WAIT: Duration = Duration::from_secs(100);

/// One hook call.
pub(crate) struct Beside<'a> {
    /// As the host wrote it.
    pub(crate) payload: &'a [u8],
    /// The same, read.
    pub(crate) event: &'a Event,
    /// Where the session began.
    pub(crate) home: &'a Path,
}

impl Aside for Beside<'_> {
    fn delegation(&self) -> Option<String> {
        delegation(self.payload)
    }

    fn ended(&self) -> Vec<Ended> {
        let EventKind::Prompt { text, .. } = &self.event.kind else {
            return Vec::new();
        };
        let ended = claude::notification(text).and_then(|told| {
            Some(Ended {
                call: told.call?,
                exit: told.exit,
                output: told.output.and_then(|path| beginning_and_end(Path::new(&path))),
            })
        });
        ended.into_iter().collect()
    }

    fn scheduled(&self) -> Vec<Mark> {
        claude::scheduled(self.payload)
    }

    fn usage(&self, known: &Metered, begins: bool) -> Option<Readings> {
        let main = claude::transcript_path(self.payload)?;
        let mut files = vec![("main".to_owned(), main.clone())];
        let beside = std::fs::read_dir(main.with_extension("").join("subagents"));
        let subagents = beside.into_iter().flatten().flatten().map(|entry| entry.path());
        files.extend(newest(subagents));
        let mut readings = Readings::new();
        for (name, path) in files {
            if !path.is_file() {
                // A copy of another conversation is written later: what is older than the task is not its own.
                if begins {
                    let time = proctor_ledger::format_millis(ProcessClock::from_env().now());
                    let meter = Meter {
                        time,
                        ..Meter::default()
                    };
                    readings.insert(name, Reading { tokens: 0, meter });
                }
                continue;
            }
            let Ok((file, _)) = file::open(&path) else {
                continue;
            };
            let read = match known.get(&name) {
                None if begins => claude::usage::end_of(file).map(|meter| (0, meter)),
                meter => claude::usage::read_on(file, &meter.cloned().unwrap_or_default(), name == "main"),
            };
            // What cannot be read now may be read the next time.
            if let Ok((tokens, meter)) = read {
                readings.insert(name, Reading { tokens, meter });
            }
        }
        Some(readings)
    }

    fn review(&self, session: &str, seconds: u64) -> Launched {
        let wait = WAIT.min(Duration::from_secs(seconds.saturating_add(20)));
        detach::review(self.home, session, wait)
    }

    fn program(&self) -> Option<String> {
        std::env::current_exe().ok()?.to_str().map(str::to_owned)
    }

    fn about_to_record(&self) {
        hook::about_to_record();
    }

    fn above(&self) -> Vec<Process> {
        caller::above()
    }
}

/// The transcripts that were written to last, with their names.
fn newest(paths: impl Iterator<Item = PathBuf>) -> Vec<(String, PathBuf)> {
    let mut files: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .filter_map(|path| {
            let written = path.metadata().and_then(|m| m.modified()).ok();
            Some((Reverse(written), path.file_stem()?.to_str()?.to_owned(), path))
        })
        .collect();
    files.sort_unstable();
    files.truncate(SUBAGENTS);
    files.into_iter().map(|(_, name, path)| (name, path)).collect()
}

/// A text file; of a long one the beginning and the end.
fn beginning_and_end(path: &Path) -> Option<String> {
    let (mut file, meta) = file::open(path).ok()?;
    let length = meta.len();
    let mut bytes = Vec::new();
    if length <= 2 * OUTPUT {
        file.take(2 * OUTPUT).read_to_end(&mut bytes).ok()?;
    } else {
        file.by_ref().take(OUTPUT).read_to_end(&mut bytes).ok()?;
        bytes.extend_from_slice(b"\n\n");
        file.seek(SeekFrom::Start(length - OUTPUT)).ok()?;
        file.take(OUTPUT).read_to_end(&mut bytes).ok()?;
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The words that a subagent was started with: the first prompt of its own transcript.
fn delegation(payload: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Paths {
        agent_transcript_path: Option<String>,
    }
    let path = serde_json::from_slice::<Paths>(payload)
        .ok()?
        .agent_transcript_path?;
    let (file, _) = file::open(Path::new(&path)).ok()?;
    claude::transcript::Reader::new(BufReader::new(file.take(16 << 20)))
        .flatten()
        .take(20)
        .find_map(|entry| match entry.item {
            claude::transcript::Item::Prompt { text, .. } => Some(text),
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::time::SystemTime;

    #[test]
    fn of_many_transcripts_those_are_read_that_were_written_last() {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..u64::try_from(SUBAGENTS).unwrap() + 9)
            .map(|n| {
                let path = folder.path().join(format!("agent-{n:03}.jsonl"));
                let file = File::create(&path).unwrap();
                file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 + n))
                    .unwrap();
                path
            })
            .collect();
        let read = newest(paths.into_iter());
        assert_eq!(read.len(), SUBAGENTS);
        assert_eq!(read[0].0, format!("agent-{:03}", SUBAGENTS + 8));
        assert!(!read.iter().any(|(name, _)| name == "agent-008"));
    }
}
