//! The labelled files: sentences with their act, messages for the gates `response` and `review`.

use crate::math::Dice;
use proctor_prose::{Act, Reading, read, signals};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// What is known about a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Label {
    /// A sentence does this.
    Act(Act),
    /// A message with this share of talk, written to an agent or to a person.
    Response {
        /// Share of its prose that is talk, 0 to 1.
        share: f64,
        /// It is refused.
        reject: bool,
        /// It is written to a person.
        human: bool,
    },
    /// A message of somebody at work: it gives no verdict, whatever else it says.
    Work,
    /// A message of a reviewer.
    Review {
        /// It gives a positive verdict now.
        approval: bool,
        /// It reports a verification that was done.
        evidence: bool,
        /// It is refused.
        reject: bool,
    },
}

/// A labelled text with the signals of its clauses.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its name.
    pub id: String,
    /// The text.
    pub text: String,
    /// The signals of its clauses.
    pub clauses: Vec<Vec<u32>>,
    /// The prose characters of its clauses.
    pub chars: Vec<u32>,
    /// The signals of its sentences: those of their clauses together.
    pub sentences: Vec<Vec<u32>>,
    /// The signals of all its clauses together.
    pub whole: Vec<u32>,
    /// Which of its clauses are said by the writer: not code, not quoted.
    pub said: Vec<bool>,
    /// Its label.
    pub label: Label,
    /// The scene that it belongs to; no scene is in two parts of the corpus.
    pub situation: String,
    /// `en`, `ko` or `mixed`.
    pub lang: String,
    /// Its kind; the act for sentences.
    pub kind: String,
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: String,
    text: String,
    #[serde(default)]
    situation: String,
    #[serde(default)]
    lang: String,
    #[serde(default)]
    kind: String,
    act: Option<String>,
    share: Option<f64>,
    label: Option<String>,
    audience: Option<String>,
    is_approval: Option<bool>,
    has_evidence: Option<bool>,
}

/// The files of a folder that are read.
const FILES: [&str; 5] = [
    "sentences.jsonl",
    "response.jsonl",
    "review.jsonl",
    "claims.jsonl",
    "turns.jsonl",
];

/// Those whose messages come from people and agents at work.
const AT_WORK: [&str; 2] = ["claims.jsonl", "turns.jsonl"];

/// Reads the labelled files of a folder, whichever are there.
///
/// # Errors
/// When a file cannot be read or a line is not a labelled text.
pub fn read_folder(folder: &Path) -> Result<Vec<Unit>, String> {
    let mut out = Vec::new();
    for name in FILES {
        let path = folder.join(name);
        if !path.exists() {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let at = |why: &str| format!("{}:{}: {why}", path.display(), number + 1);
            let line: Line = serde_json::from_str(line).map_err(|e| at(&e.to_string()))?;
            let mut unit = unit(line).map_err(|e| at(&e))?;
            if AT_WORK.contains(&name) {
                unit.label = Label::Work;
            }
            out.push(unit);
        }
    }
    Ok(out)
}

fn unit(line: Line) -> Result<Unit, String> {
    let reject = line.label.as_deref() == Some("reject");
    let label = match (&line.act, line.is_approval, line.has_evidence) {
        (Some(name), ..) => {
            let act = Act::ALL.into_iter().find(|a| a.name() == name);
            Label::Act(act.ok_or_else(|| format!("unknown act {name}"))?)
        }
        (None, Some(approval), Some(evidence)) => Label::Review {
            approval,
            evidence,
            reject,
        },
        _ => Label::Response {
            // A message whose share was not measured is not learned from.
            share: line.share.unwrap_or(0.5),
            reject,
            human: line.audience.as_deref() == Some("human"),
        },
    };
    let reading = read(&line.text);
    let clauses = signals(&reading);
    Ok(Unit {
        sentences: by_sentence(&reading, &clauses, 0..clauses.len()),
        whole: reading
            .clauses
            .iter()
            .zip(&clauses)
            .filter(|(c, _)| reading.is_said(c))
            .flat_map(|(_, signals)| signals.iter().copied())
            .collect(),
        clauses,
        chars: reading.clauses.iter().map(|c| c.chars).collect(),
        said: reading.clauses.iter().map(|c| reading.is_said(c)).collect(),
        label,
        id: line.id,
        situation: line.situation,
        lang: line.lang,
        kind: line.act.unwrap_or(line.kind),
        text: line.text,
    })
}

/// The signals of the sentences that some clauses make up.
fn by_sentence(reading: &Reading, clauses: &[Vec<u32>], range: Range<usize>) -> Vec<Vec<u32>> {
    let mut out: Vec<Vec<u32>> = Vec::new();
    let mut last = None;
    for at in range {
        let (Some(clause), Some(signals)) = (reading.clauses.get(at), clauses.get(at)) else {
            continue;
        };
        match out.last_mut().filter(|_| last == Some(clause.sentence)) {
            Some(sentence) => sentence.extend(signals),
            None => out.push(signals.clone()),
        }
        last = Some(clause.sentence);
    }
    out
}

/// Sentences of one scene put together to messages, at random but always the same: so the model learns what a
/// sentence is among others. Each unit is one sentence in its company.
#[must_use]
pub fn medleys(units: &[&Unit], rounds: usize, seed: u64) -> Vec<Unit> {
    let mut dice = Dice::new(0x3ed1e7 + seed);
    let mut scenes: BTreeMap<(&str, &str), Vec<&Unit>> = BTreeMap::new();
    for unit in units.iter().filter(|u| matches!(u.label, Label::Act(_))) {
        scenes
            .entry((&unit.situation, &unit.lang))
            .or_default()
            .push(unit);
    }
    let mut out = Vec::new();
    for sentences in scenes.values_mut() {
        for _ in 0..rounds {
            dice.shuffle(sentences);
            let mut rest = sentences.as_slice();
            while rest.len() > 1 {
                let (these, others) = rest.split_at((2 + dice.below(4)).min(rest.len()));
                rest = others;
                out.extend(medley(these, dice.below(4) == 0));
            }
        }
    }
    out
}

/// One message of several sentences; `lines` sets each on a line of its own.
fn medley(sentences: &[&Unit], lines: bool) -> Vec<Unit> {
    let mut text = String::new();
    let mut ends = Vec::new();
    for sentence in sentences {
        text.push_str(sentence.text.trim());
        if !sentence.text.trim().ends_with(['.', '!', '?', '~', '…', ')']) && !lines {
            text.push('.');
        }
        ends.push(text.len());
        text.push(if lines { '\n' } else { ' ' });
    }
    let reading = read(&text);
    let heard = signals(&reading);
    let mut from = 0;
    let mut out = Vec::new();
    for (sentence, end) in sentences.iter().zip(ends) {
        let inside = |c: &proctor_prose::Clause| c.start >= from && c.start < end;
        let at: Vec<usize> = (0..reading.clauses.len())
            .filter(|i| reading.clauses.get(*i).is_some_and(inside))
            .collect();
        from = end;
        let (first, last) = (at.first().copied().unwrap_or(0), at.last().map_or(0, |l| l + 1));
        out.push(Unit {
            text: sentence.text.clone(),
            sentences: by_sentence(&reading, &heard, first..last),
            whole: Vec::new(),
            said: Vec::new(),
            clauses: at.iter().filter_map(|i| heard.get(*i).cloned()).collect(),
            chars: at
                .iter()
                .filter_map(|i| reading.clauses.get(*i).map(|c| c.chars))
                .collect(),
            ..(*sentence).clone()
        });
    }
    out
}
