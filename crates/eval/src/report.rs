//! The report: figures per gate, and by any field of the items.

use crate::count::{Counts, Tally};
use crate::figures::Figures;
use crate::item::{Gate, Gold, Item};
use crate::score::Score;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What a report shows.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Fields to group the items by, in this order.
    pub by: Vec<String>,
    /// Wrong answers to list for each gate.
    pub errors: usize,
}

/// An item with what came of it.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    /// The file it is from, for the list of wrong answers.
    pub file: &'a str,
    /// The item.
    pub item: Item,
    /// Its score; `None` when there is no answer: this version has no such gate, or it was not given.
    pub score: Option<Score>,
}

/// All figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// One entry for each gate that occurs, in the order of [`Gate::ALL`].
    pub gates: Vec<GateReport>,
}

/// The figures of one gate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateReport {
    /// The gate.
    pub gate: &'static str,
    /// What counts as an alarm.
    pub positive: &'static str,
    /// Items without an answer: this version has no such gate, or none was given.
    pub unjudged: u64,
    /// All items.
    pub all: Row,
    /// Further questions: items of a checklist, paths, the parts of an approval.
    pub more: Vec<Row>,
    /// The items by the values of a field.
    pub groups: Vec<Group>,
    /// Right word, answered word, how often; for gates with more than two answers.
    pub confusion: Vec<(String, String, u64)>,
    /// Wrong answers.
    pub errors: Vec<ErrorRow>,
}

/// The items by the values of one field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The field.
    pub by: String,
    /// One row for each value, sorted.
    pub rows: Vec<Row>,
}

/// One line of figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The value that the items share, or the question.
    pub name: String,
    /// Items whose answer was stricter than right.
    pub too_strict: u64,
    /// Items whose answer was laxer than right.
    pub too_lax: u64,
    /// The figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorRow {
    /// Its file.
    pub file: String,
    /// Its line.
    pub line: usize,
    /// Its id.
    pub id: String,
    /// Its kind and language, as far as it says them.
    pub about: String,
    /// What is right.
    pub gold: String,
    /// What was answered.
    pub answer: String,
    /// What was judged.
    pub text: String,
}

#[derive(Default)]
struct Sum {
    tally: Tally,
    too_strict: u64,
    too_lax: u64,
}

impl Sum {
    fn add(&mut self, score: &Score) {
        self.tally.add(score.main);
        self.too_strict += u64::from(score.too_strict);
        self.too_lax += u64::from(score.too_lax);
    }

    fn only(&mut self, counts: Counts) {
        self.tally.add(counts);
        self.too_strict += u64::from(counts.fp > 0);
        self.too_lax += u64::from(counts.missed > 0);
    }

    fn row(&self, name: &str) -> Row {
        Row {
            name: name.to_owned(),
            too_strict: self.too_strict,
            too_lax: self.too_lax,
            figures: Figures::of(&self.tally),
        }
    }
}

fn rows(sums: &BTreeMap<String, Sum>) -> Vec<Row> {
    sums.iter().map(|(name, sum)| sum.row(name)).collect()
}

impl Report {
    /// Counts.
    #[must_use]
    pub fn of(judged: &[Judged<'_>], options: &Options) -> Self {
        let gates = Gate::ALL.into_iter().filter_map(|gate| {
            let of_gate: Vec<&Judged<'_>> = judged.iter().filter(|j| j.item.gate == gate).collect();
            (!of_gate.is_empty()).then(|| gate_report(gate, &of_gate, options))
        });
        Self {
            gates: gates.collect(),
        }
    }

    /// The figures of a gate.
    #[must_use]
    pub fn gate(&self, gate: Gate) -> Option<&GateReport> {
        self.gates.iter().find(|g| g.gate == gate.as_str())
    }
}

fn gate_report(gate: Gate, judged: &[&Judged<'_>], options: &Options) -> GateReport {
    let scored: Vec<(&Judged<'_>, &Score)> = judged
        .iter()
        .filter_map(|j| Some((*j, j.score.as_ref()?)))
        .collect();
    let mut all = Sum::default();
    let mut more: Vec<(&str, Sum)> = Vec::new();
    let mut confusion: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (_, score) in &scored {
        all.add(score);
        *confusion
            .entry((score.gold.clone(), score.answer.clone()))
            .or_default() += 1;
        for (name, counts) in &score.more {
            match more.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => sum.only(*counts),
                None => {
                    let mut sum = Sum::default();
                    sum.only(*counts);
                    more.push((name, sum));
                }
            }
        }
    }
    let mut groups = Vec::new();
    if gate == Gate::Act {
        groups.push(acts(&scored));
    }
    for field in &options.by {
        let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
        for (judged, score) in &scored {
            if let Some(value) = value(&judged.item, field) {
                sums.entry(value).or_default().add(score);
            }
        }
        if !sums.is_empty() {
            groups.push(Group {
                by: field.clone(),
                rows: rows(&sums),
            });
        }
    }
    let many = matches!(gate, Gate::Scope | Gate::Act);
    let wrong = scored.iter().filter(|(_, score)| score.is_wrong());
    GateReport {
        gate: gate.as_str(),
        positive: gate.positive(),
        unjudged: (judged.len() - scored.len()) as u64,
        all: all.row("all"),
        more: more.iter().map(|(name, sum)| sum.row(name)).collect(),
        groups,
        confusion: confusion
            .into_iter()
            .filter(|_| many)
            .map(|((gold, answer), n)| (gold, answer, n))
            .collect(),
        errors: wrong
            .take(options.errors)
            .map(|(j, score)| error(j, score))
            .collect(),
    }
}

/// Each act against all others.
fn acts(scored: &[(&Judged<'_>, &Score)]) -> Group {
    let mut names: Vec<&str> = scored
        .iter()
        .flat_map(|(_, s)| [s.gold.as_str(), s.answer.as_str()])
        .collect();
    names.sort_unstable();
    names.dedup();
    let rows = names.into_iter().map(|name| {
        let mut sum = Sum::default();
        for (_, score) in scored {
            sum.only(Counts::of(score.gold == name, score.answer == name));
        }
        sum.row(name)
    });
    Group {
        by: "act".to_owned(),
        rows: rows.collect(),
    }
}

/// The value of a field, where the item has it.
pub(crate) fn value(item: &Item, field: &str) -> Option<String> {
    match item.data.get(field)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn error(judged: &Judged<'_>, score: &Score) -> ErrorRow {
    let item = &judged.item;
    let about: Vec<String> = ["kind", "lang"].iter().filter_map(|f| value(item, f)).collect();
    let mut answer = score.answer.clone();
    for (name, counts) in &score.more {
        if counts.fp + counts.missed > 0 {
            answer = format!("{answer} ({name}: {} wrong, {} missed)", counts.fp, counts.missed);
        }
    }
    let text = match (&item.gold, item.gate) {
        (Gold::Items { .. }, _) => joined(item, "responses"),
        (_, Gate::Drift) => joined(item, "thoughts"),
        (_, Gate::Scope) => format!("{} / {}", joined(item, "delegation"), joined(item, "modified")),
        _ => joined(item, "text"),
    };
    ErrorRow {
        file: judged.file.to_owned(),
        line: item.line,
        id: item.id.clone(),
        about: about.join("/"),
        gold: score.gold.clone(),
        answer,
        text,
    }
}

/// A field as one text.
fn joined(item: &Item, field: &str) -> String {
    match item.data.get(field) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(list)) => {
            let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            texts.join(" | ")
        }
        _ => String::new(),
    }
}
