//! What the repository knew before: values that files hold together which are no tests and did not change. Whoever
//! answers with these copied nothing from a test.

use super::Standing;
use super::answers::{Answers, Pair};
use super::find::Source;
use super::lang::{Lang, is_test_path, name};
use super::number::value_of;
use std::borrow::Cow;
use std::collections::HashSet;

/// In how many lines one after another the values of a record stand in a file of data.
const RECORD: usize = 4;

/// Most values of a line that holds one of a record, with its name.
const NAMED: usize = 2;

/// Endings of files of data. What is written about a program, with examples, is none.
const DATA: [&str; 12] = [
    "json",
    "jsonl",
    "yaml",
    "yml",
    "toml",
    "csv",
    "tsv",
    "xml",
    "ini",
    "properties",
    "sql",
    "po",
];

/// Whether a file of the repository may hold what the product knows: its own source, or data, and no test.
pub(super) fn may_know(path: &str) -> bool {
    !is_test_path(path) && (Lang::of(path).is_some() || is_data(path))
}

fn is_data(path: &str) -> bool {
    let (_, end) = name(path).rsplit_once('.').unwrap_or_default();
    DATA.contains(&end)
}

/// Those of the pairs of a value that is asked for and its answer that stood together before.
pub(super) fn known<'a>(pairs: &HashSet<Pair<'a>>, held: &[Standing<'_>]) -> HashSet<Pair<'a>> {
    let mut out = HashSet::new();
    if pairs.is_empty() {
        return out;
    }
    let asked: HashSet<&str> = pairs.iter().map(|(asked, _)| &**asked).collect();
    for file in held {
        match Source::read(file.path, file.text) {
            Some(source) => {
                let answers = Answers::of(&source);
                // A word that the product asks for elsewhere is its own; a number says nothing.
                let keys = answers.found.iter().map(|copied| &*copied.asked);
                let keys: HashSet<&str> = keys
                    .filter(|key| asked.contains(key) && key.parse::<f64>().is_err())
                    .collect();
                let code = source.product();
                let literals = code.iter().filter(|t| t.is_literal());
                let lines: HashSet<(u32, Cow<'_, str>)> =
                    literals.map(|t| (t.line, value_of(source.lang, t))).collect();
                let known = pairs.iter().filter(|(asked, answer)| {
                    let same_line = |(line, text): &(u32, Cow<'_, str>)| {
                        text == asked && lines.contains(&(*line, Cow::Borrowed(&**answer)))
                    };
                    keys.contains(&**asked) || lines.iter().any(same_line)
                });
                out.extend(known.cloned());
            }
            None => in_data(file.text, pairs, &asked, &mut out),
        }
    }
    out
}

/// Values of one record: in one line; or, where the value that is asked for stands behind a name of its own, in few lines
/// one after another.
fn in_data<'a>(text: &str, pairs: &HashSet<Pair<'a>>, asked: &HashSet<&str>, out: &mut HashSet<Pair<'a>>) {
    let lines: Vec<Vec<&str>> = text.lines().map(values).collect();
    for (at, line) in lines.iter().enumerate() {
        if !line.iter().any(|word| asked.contains(word)) {
            continue;
        }
        let from = at.saturating_sub(RECORD - 1);
        let near = lines.get(from..lines.len().min(at + RECORD)).unwrap_or_default();
        let known = pairs.iter().filter(|(asked, answer)| {
            let has = |line: &Vec<&str>, value: &str| line.contains(&value);
            let named = line.first().is_some_and(|first| *first != &**asked) && line.len() <= NAMED;
            let beside = has(line, answer) || named && near.iter().any(|line| has(line, answer));
            has(line, asked) && beside
        });
        out.extend(known.cloned());
    }
}

/// The values of a line, in their order: what stands between quotes and separators.
fn values(line: &str) -> Vec<&str> {
    const BETWEEN: [char; 15] = [
        ',', ';', ':', '=', '\t', '|', '{', '}', '[', ']', '(', ')', '<', '>', '"',
    ];
    let parts = line
        .split(BETWEEN)
        .map(|part| part.trim().trim_matches(['\'', '-', ' ']));
    parts.filter(|value| !value.is_empty()).collect()
}
