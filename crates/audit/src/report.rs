//! The report: plain data, stable as JSON. Renderings are in [`crate::text`] and [`crate::html`].

use crate::figures::{Figures, Metric, MetricId};
use serde::{Deserialize, Serialize};

/// Version of the report's form. Fields are only ever added within a version.
pub const SCHEMA_VERSION: u32 = 1;

/// The result of an audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// When it was made, as the caller says (RFC 3339); `None` when he does not.
    pub generated_at: Option<String>,
    /// What was read.
    pub input: Input,
    /// The settings that the gates were run with, as far as they change the figures.
    pub settings: UsedSettings,
    /// The five metrics over everything.
    pub metrics: Vec<Metric>,
    /// All counts over everything.
    pub totals: Figures,
    /// The sessions, oldest first.
    pub sessions: Vec<Session>,
    /// The days (UTC), oldest first. Texts without a time are in none.
    pub days: Vec<Day>,
    /// The worst examples of all sessions, worst first.
    pub examples: Vec<Example>,
}

/// What was read, and what could not be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Transcript files read.
    pub files: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Records whose content was counted in an earlier file already (copied by a resume or a fork).
    pub copied: u64,
    /// `.jsonl` files without a single transcript record.
    pub foreign: u64,
    /// Files that are no `.jsonl` files.
    pub other: u64,
    /// Files of the host's own helpers (conversation summaries, prompt suggestions); not read.
    pub internal: u64,
    /// Lines that could not be read: no JSON objects, or longer than 64 MB.
    pub broken: u64,
    /// What went wrong and where, the first of each.
    pub problems: Vec<Problem>,
}

/// A place that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file or folder.
    pub file: String,
    /// The line, from 1; `None` for the whole file.
    pub line: Option<u64>,
    /// Why.
    pub why: String,
}

/// Settings that change the figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UsedSettings {
    /// Highest allowed share of filler in agent-to-agent messages.
    pub flattery_threshold: f64,
    /// The same in messages for people.
    pub human_threshold: f64,
    /// From this many unexpected files on, a delegation needs review.
    pub violation_threshold: u32,
}

/// One session with its subagents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The host's session id.
    pub id: String,
    /// The folder of the project, as the transcript says; empty when it does not.
    pub project: String,
    /// The main transcript, or the first one read.
    pub file: String,
    /// The first words of the first prompt; empty without one, or when quotes are off.
    pub title: String,
    /// Time of the first record, as the transcript says; empty when it does not.
    pub start: String,
    /// Time of the last record.
    pub end: String,
    /// Number of subagents seen.
    pub agents: u64,
    /// The five metrics.
    pub metrics: Vec<Metric>,
    /// All counts.
    pub figures: Figures,
}

/// The counts of one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Day {
    /// The day, `2026-11-20`.
    pub date: String,
    /// Its counts.
    pub figures: Figures,
}

/// Something worth looking at, and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// The metric it counts against.
    pub metric: MetricId,
    /// By what the examples of one metric are ordered: characters of filler, unexpected files, rejections
    /// since the prompt. Only comparable within the metric.
    pub weight: f64,
    /// What was found, in a sentence.
    pub what: String,
    /// The words, shortened; `None` when quotes are off.
    pub quote: Option<String>,
    /// How many more times exactly this was found, at other places.
    pub repeats: u64,
    /// The session.
    pub session: String,
    /// The subagent, when it was one.
    pub agent: Option<String>,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The time, as the transcript says.
    pub time: String,
}

impl Report {
    /// The examples that count against a metric, worst first.
    pub fn examples_of(&self, metric: MetricId) -> impl Iterator<Item = &Example> {
        self.examples.iter().filter(move |e| e.metric == metric)
    }
}

/// The worst examples, a limited number for each metric.
#[derive(Debug)]
pub(crate) struct Worst {
    limit: usize,
    kept: [Vec<Example>; 5],
}

impl Worst {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            kept: Default::default(),
        }
    }

    /// Keeps the example if it is among the worst. Of equal ones the first stays; the same words are kept
    /// once, with the number of their repeats.
    pub(crate) fn offer(&mut self, weight: f64, metric: MetricId, make: impl FnOnce() -> Example) {
        let Some(kept) = self.kept.get_mut(metric as usize) else {
            return;
        };
        let from = kept.partition_point(|e| e.weight > weight);
        let at = kept.partition_point(|e| e.weight >= weight);
        if from >= self.limit {
            return;
        }
        let example = Example {
            weight,
            metric,
            ..make()
        };
        let same = |e: &&mut Example| e.quote.is_some() && e.quote == example.quote && e.what == example.what;
        if let Some(known) = kept.iter_mut().skip(from).take(at - from).find(same) {
            known.repeats += 1;
        } else if at < self.limit {
            kept.insert(at, example);
            kept.truncate(self.limit);
        }
    }

    pub(crate) fn into_examples(self) -> Vec<Example> {
        self.kept.into_iter().flatten().collect()
    }
}

/// Text of a transcript made fit for one line of a report: at most `limit` characters, white space and
/// control characters (terminal escapes, direction marks) as one space.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    let mut space = false;
    for c in text.chars() {
        let blank = c.is_whitespace() || c.is_control() || invisible(c);
        if blank {
            space = count > 0;
            continue;
        }
        if count + usize::from(space) >= limit {
            out.push('…');
            return out;
        }
        if space {
            out.push(' ');
            count += 1;
            space = false;
        }
        out.push(c);
        count += 1;
    }
    out
}

/// Marks that change how the text around them is shown.
fn invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_safe_on_a_terminal() {
        assert_eq!(shorten("  a\n\n b\u{1b}[31mred\u{202e}x ", 40), "a b [31mred x");
        assert_eq!(shorten("완벽한 구현입니다", 4), "완벽한…");
        assert_eq!(shorten("abcd", 4), "abcd");
        assert_eq!(shorten("abcde", 4), "abcd…");
        assert_eq!(shorten("", 4), "");
    }

    #[test]
    fn the_worst_are_kept_in_order() {
        let mut worst = Worst::new(2);
        for (weight, what) in [
            (0.2, "a"),
            (0.9, "b"),
            (0.9, "c"),
            (0.5, "d"),
            (0.9, "c"),
            (0.9, "e"),
        ] {
            worst.offer(weight, MetricId::Flattery, || Example {
                metric: MetricId::Flattery,
                weight: 0.0,
                what: what.into(),
                quote: Some(what.into()),
                repeats: 0,
                session: String::new(),
                agent: None,
                file: String::new(),
                line: 1,
                time: String::new(),
            });
        }
        let kept: Vec<_> = worst
            .into_examples()
            .iter()
            .map(|e| (e.what.clone(), e.repeats))
            .collect();
        assert_eq!(kept, [("b".to_owned(), 0), ("c".to_owned(), 1)]);
    }
}
