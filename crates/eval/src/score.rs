//! One label against one answer.

use crate::count::Counts;
use crate::item::{CLAIMS, Gate, Gold, Item, SEVERITIES};
use serde_json::Value;
use std::collections::BTreeSet;

/// How one item came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// What is right, in the gate's words.
    pub gold: String,
    /// What was answered.
    pub answer: String,
    /// The main question.
    pub main: Counts,
    /// Further questions, by name.
    pub more: Vec<(&'static str, Counts)>,
    /// Stricter than right: a false alarm, a severity too high.
    pub too_strict: bool,
    /// Laxer than right: a miss, a severity too low.
    pub too_lax: bool,
}

impl Score {
    /// Whether the main answer was wrong.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.too_strict || self.too_lax
    }
}

impl Item {
    /// Compares the label with an answer in the form of `proctor check --jsonl`.
    ///
    /// # Errors
    /// When the answer lacks what the comparison needs: a lower-case fragment.
    pub fn score(&self, answer: &Value) -> Result<Score, String> {
        let lacks = |name: &str| format!("the answer to {} has no `{name}`", self.id);
        let flag = |name: &str| answer.get(name).and_then(Value::as_bool);
        match &self.gold {
            Gold::Alarm {
                due,
                approves,
                evidence,
                remarks,
            } => {
                let raised = match self.gate {
                    Gate::Drift => flag("stuck").ok_or_else(|| lacks("stuck"))?,
                    _ => match answer.get("verdict").and_then(Value::as_str) {
                        Some(verdict) => verdict != "pass",
                        None => return Err(lacks("verdict")),
                    },
                };
                let mut more = Vec::new();
                if let (Some(gold), Some(answer)) = (approves, flag("is_approval")) {
                    more.push(("is_approval", Counts::of(*gold, answer)));
                }
                if let (Some(gold), Some(list)) = (evidence, answer.get("evidence").and_then(Value::as_array))
                {
                    more.push(("has_evidence", Counts::of(*gold, !list.is_empty())));
                }
                let word = |yes: bool| match (self.gate, yes) {
                    (Gate::Drift, true) => "stuck",
                    (Gate::Drift, false) => "progressing",
                    (_, true) => "reject",
                    (_, false) => "pass",
                };
                let mut score = alarm(word, *due, raised, more);
                if let Some(gold) = remarks {
                    let list = answer.get("remarks").and_then(Value::as_array);
                    let list = list.ok_or_else(|| lacks("remarks"))?.iter();
                    let said: Vec<&str> = list
                        .filter_map(|r| r.get("rule").and_then(Value::as_str))
                        .collect();
                    let wrong = sets(gold, said.iter().copied());
                    for rule in gold {
                        score.gold = format!("{}, {rule}", score.gold);
                    }
                    for rule in &said {
                        score.answer = format!("{}, {rule}", score.answer);
                    }
                    score.too_strict |= wrong.fp > 0;
                    score.too_lax |= wrong.missed > 0;
                    score.more.push(("remarks", wrong));
                }
                Ok(score)
            }
            Gold::Severity { level, unexpected } => {
                let word = answer.get("severity").and_then(Value::as_str).unwrap_or_default();
                let said = SEVERITIES
                    .iter()
                    .position(|s| *s == word)
                    .ok_or_else(|| lacks("severity"))?;
                let mut more = vec![("NEEDS_REVIEW", Counts::of(*level > 1, said > 1))];
                if let Some(gold) = unexpected {
                    let said = list(answer.get("unexpected")).filter_map(Value::as_str);
                    more.push(("paths", sets(gold, said)));
                }
                Ok(Score {
                    gold: (*SEVERITIES.get(*level).unwrap_or(&"")).to_owned(),
                    answer: word.to_owned(),
                    main: Counts::of(*level > 0, said > 0),
                    more,
                    too_strict: said > *level,
                    too_lax: said < *level,
                })
            }
            Gold::Items { reminder, completed } => {
                let due = answer.get("reminder").ok_or_else(|| lacks("reminder"))?;
                let mut more = Vec::new();
                if let Some(gold) = completed {
                    more.push(("completed items", items(gold, answer.get("items"))));
                }
                let word = |yes| if yes { "reminder" } else { "none" };
                Ok(alarm(word, *reminder, !due.is_null(), more))
            }
            Gold::Claims(gold) => {
                let answer = answer
                    .get("claims")
                    .and_then(Value::as_array)
                    .ok_or_else(|| lacks("claims"))?;
                Ok(claims(gold, answer))
            }
            Gold::Act(gold) => {
                let said = answer
                    .get("act")
                    .and_then(Value::as_str)
                    .ok_or_else(|| lacks("act"))?;
                let right = said == gold;
                let wrong = u64::from(!right);
                Ok(Score {
                    gold: gold.clone(),
                    answer: said.to_owned(),
                    // A wrong act is a miss of the right one and a false alarm of the other.
                    main: Counts {
                        tp: u64::from(right),
                        fp: wrong,
                        missed: wrong,
                        tn: 0,
                    },
                    more: vec![("empty talk", Counts::of(is_talk(gold), is_talk(said)))],
                    too_strict: !right,
                    too_lax: !right,
                })
            }
        }
    }
}

/// The acts that add nothing; only they count as filler.
fn is_talk(act: &str) -> bool {
    matches!(
        act,
        "praise" | "self_praise" | "filler" | "confirmation" | "courtesy"
    )
}

fn alarm(
    word: impl Fn(bool) -> &'static str,
    gold: bool,
    answer: bool,
    more: Vec<(&'static str, Counts)>,
) -> Score {
    Score {
        gold: word(gold).to_owned(),
        answer: word(answer).to_owned(),
        main: Counts::of(gold, answer),
        more,
        too_strict: answer && !gold,
        too_lax: gold && !answer,
    }
}

/// Each kind of claim is a question of its own.
fn claims(gold: &[&str], answer: &[Value]) -> Score {
    let said = |kind: &str| answer.iter().any(|k| k.as_str() == Some(kind));
    let mut main = Counts::default();
    let mut more = Vec::new();
    for kind in CLAIMS {
        let counts = Counts::of(gold.contains(&kind), said(kind));
        main += counts;
        more.push((kind, counts));
    }
    let listed = |of: &dyn Fn(&str) -> bool| {
        let kinds: Vec<&str> = CLAIMS.into_iter().filter(|k| of(k)).collect();
        if kinds.is_empty() {
            "none".to_owned()
        } else {
            kinds.join("+")
        }
    };
    Score {
        gold: listed(&|k| gold.contains(&k)),
        answer: listed(&said),
        main,
        more,
        too_strict: main.fp > 0,
        too_lax: main.missed > 0,
    }
}

/// Unexpected files, remarks: there is no count of what was rightly left alone.
fn sets<'a>(gold: &'a [String], said: impl Iterator<Item = &'a str>) -> Counts {
    let gold: BTreeSet<&str> = gold.iter().map(String::as_str).collect();
    let said: BTreeSet<&str> = said.collect();
    Counts {
        tp: gold.intersection(&said).count() as u64,
        fp: said.difference(&gold).count() as u64,
        missed: gold.difference(&said).count() as u64,
        tn: 0,
    }
}

/// Completed items, in their order. An item that the answer does not have counts as open; one too many, as
/// wrong whatever it says.
fn items(gold: &[bool], answer: Option<&Value>) -> Counts {
    let mut counts = Counts::default();
    let mut said = list(answer).map(|item| item.get("completed").and_then(Value::as_bool).unwrap_or(false));
    for gold in gold {
        counts += Counts::of(*gold, said.next().unwrap_or(false));
    }
    counts.fp += said.count() as u64;
    counts
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}
