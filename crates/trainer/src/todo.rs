//! The learned decision over checklists: a table of openness, and a forest over the figures of items. The figures are taken
//! with tables that did not see the scene.

use crate::forest::{Growth, Row, grow};
use crate::math::Dice;
use crate::openness::{Lesson, is_silent, learn};
use crate::validate::number;
use proctor_kernel::ChecklistItem;
use proctor_outline::progress::weigh::{ROWS, WHOLE, Weighed, decided, weighed};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;

/// Parts of the corpus, each of which is read with a table that did not see it.
const PARTS: usize = 5;

/// A labelled checklist with the answers to it.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Its name.
    pub id: String,
    /// The scene.
    pub situation: String,
    /// What is hard about it.
    pub kind: String,
    /// The answers in order.
    pub responses: Vec<String>,
    /// The items.
    pub expected_items: Vec<String>,
    /// Which are done at the end.
    pub completed: Vec<bool>,
}

/// What is learned from.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// Checklists.
    pub cases: Vec<Case>,
    /// Sentences that tell of something done or, marked so, of something open.
    pub states: Vec<(String, bool)>,
    /// What people say at work.
    pub turns: Vec<String>,
}

#[derive(Deserialize)]
struct State {
    text: String,
    open: bool,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|e| format!("{}:{}: {e}", path.display(), number + 1))
        })
        .collect()
}

/// Reads `todo.jsonl`, `states.jsonl` and `turns.jsonl` of a folder, whichever are there.
///
/// # Errors
/// When a file cannot be read or a line is none of its kind.
pub fn read_material(folder: &Path) -> Result<Material, String> {
    let mut cases: Vec<Case> = lines(&folder.join("todo.jsonl"))?;
    cases.retain(|case| case.expected_items.len() == case.completed.len());
    let states: Vec<State> = lines(&folder.join("states.jsonl"))?;
    let turns: Vec<Text> = lines(&folder.join("turns.jsonl"))?;
    Ok(Material {
        cases,
        states: states.into_iter().map(|s| (s.text, s.open)).collect(),
        turns: turns.into_iter().map(|t| t.text).collect(),
    })
}

/// The checklist of a case with what is done of it.
pub(crate) fn list(case: &Case, done: &[bool]) -> Vec<ChecklistItem> {
    case.expected_items
        .iter()
        .zip(done)
        .map(|(text, completed)| ChecklistItem {
            text: text.clone(),
            completed: *completed,
        })
        .collect()
}

/// The figures of an item after an answer.
#[derive(Clone, Debug)]
struct Figured {
    figures: Vec<i16>,
    done: bool,
    weight: f64,
}

/// The rows that a case gives to the forest.
fn rows(case: &Case, table: &[u8], weight: f64) -> Vec<Figured> {
    let count = case.completed.len();
    let none = vec![false; count];
    let seen: Vec<Weighed> = case
        .responses
        .iter()
        .map(|response| weighed(&list(case, &none), response, table))
        .collect();
    // Which answer completed an item: the first by the rules, else the likest.
    let by: Vec<usize> = (0..count)
        .map(|item| {
            let like = |at: &usize| {
                let stretches = seen.get(*at).map(|w| w.stretches.as_slice());
                let likes = stretches
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|s| s.like.get(item));
                likes.copied().max().unwrap_or(0)
            };
            let ruled = seen.iter().position(|w| w.ruled.get(item) == Some(&true));
            ruled.unwrap_or_else(|| (0..seen.len()).max_by_key(like).unwrap_or(0))
        })
        .collect();
    let mut out = Vec::new();
    for (at, response) in case.responses.iter().enumerate() {
        let last = at + 1 == case.responses.len();
        let gold = |item: usize| case.completed.get(item) == Some(&true);
        let before: Vec<bool> = (0..count)
            .map(|item| gold(item) && by.get(item).is_some_and(|by| *by < at))
            .collect();
        let found = weighed(&list(case, &before), response, table);
        for (item, figures) in found.figures.into_iter().enumerate() {
            let done = gold(item);
            // Nobody labelled what an earlier answer left open.
            let known = if done { by.get(item) == Some(&at) } else { last };
            if known && before.get(item) != Some(&true) {
                out.push(Figured {
                    figures,
                    done,
                    weight,
                });
            }
        }
    }
    out
}

/// Cases with answers that speak of something else: those to other lists, and what people say at work.
fn foreign(cases: &[&Case], turns: &[String]) -> Vec<Case> {
    let mut dice = Dice::new(0xf0e1);
    let mut out = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let other = cases.get(dice.below(cases.len()));
        let turn = turns.get(dice.below(turns.len()));
        let answer = if at % 2 == 0 {
            other
                .filter(|o| o.situation != case.situation)
                .and_then(|o| o.responses.last())
        } else {
            turn
        };
        let Some(answer) = answer else { continue };
        out.push(Case {
            responses: vec![answer.clone()],
            completed: vec![false; case.completed.len()],
            ..(*case).clone()
        });
    }
    out
}

/// The figures that say that an answer speaks of the whole list.
const OVERALL: [usize; 2] = [17, 38];

/// What is known of a part of the corpus by a table that did not see it.
struct Part<'c> {
    table: Vec<u8>,
    cases: Vec<&'c Case>,
    foreign: Vec<Case>,
    rows: Vec<Figured>,
}

fn parts(material: &Material, lesson: Lesson) -> Vec<Part<'_>> {
    (0..PARTS)
        .map(|part| {
            let inside = |c: &&Case| number(&c.situation) % PARTS == part;
            let rest: Vec<&Case> = material.cases.iter().filter(|c| !inside(c)).collect();
            let cases: Vec<&Case> = material.cases.iter().filter(inside).collect();
            let table = learn(&rest, material, lesson);
            let weight = |c: &Case| if is_fresh(c) { 1.0 } else { lesson.worked };
            let mut rows: Vec<Figured> = cases.iter().flat_map(|c| rows(c, &table, weight(c))).collect();
            let foreign = foreign(&cases, &material.turns);
            let strange = foreign.iter().flat_map(|c| self::rows(c, &table, lesson.foreign));
            // Overall words would speak of any list.
            rows.extend(strange.filter(|r| !OVERALL.iter().any(|f| r.figures.get(*f) == Some(&1))));
            Part {
                table,
                cases,
                foreign,
                rows,
            }
        })
        .collect()
}

/// Whether no rule was written with a case in view.
fn is_fresh(case: &Case) -> bool {
    case.id.starts_with("bt")
}

/// The bytes of a forest.
fn forest<'r>(rows: impl Iterator<Item = &'r Figured>, growth: Growth) -> Vec<u8> {
    let rows: Vec<Row<'_>> = rows
        .map(|f| Row {
            figures: &f.figures,
            yes: f.done,
            weight: f.weight,
        })
        .collect();
    grow(&rows, growth)
}

/// The bytes of the table and the forest for this material.
#[must_use]
pub fn train_todo(material: &Material, lesson: Lesson, growth: Growth) -> Vec<u8> {
    let parts = parts(material, lesson);
    let mut out = learn(&material.cases.iter().collect::<Vec<_>>(), material, lesson);
    out.extend(forest(parts.iter().flat_map(|p| &p.rows), growth));
    out
}

/// The items of a case after its last answer, as the program would take them, and their last scores.
fn outcome(case: &Case, table: &[u8], trees: &[u8], whole: i32) -> (Vec<bool>, Vec<i32>) {
    let mut done = vec![false; case.completed.len()];
    let mut scores = Vec::new();
    for response in &case.responses {
        let found = weighed(&list(case, &done), response, table);
        scores = found.scores(trees);
        done = decided(&found, &done, &scores, whole);
    }
    (done, scores)
}

/// The items of a case by the rules alone.
fn ruled(case: &Case) -> Vec<bool> {
    let none = vec![false; case.completed.len()];
    case.responses.iter().fold(none, |done, response| {
        weighed(&list(case, &done), response, &[]).ruled
    })
}

/// False alarms and misses.
#[derive(Clone, Copy, Debug, Default)]
struct Wrong(u32, u32);

impl Wrong {
    fn add(&mut self, due: bool, said: bool) {
        self.0 += u32::from(said && !due);
        self.1 += u32::from(due && !said);
    }
}

/// Totals of a file of checklists, by the rules alone and with a trained table and forest; nothing of single cases.
///
/// # Errors
/// When the file cannot be read or a line is no checklist.
pub fn totals(file: &Path, model: &[u8]) -> Result<String, String> {
    let cases: Vec<Case> = lines(file)?;
    let (table, trees) = model
        .split_at_checked(ROWS)
        .ok_or("the table has the wrong size")?;
    let (mut by_rules, mut learned) = (Wrong::default(), Wrong::default());
    for case in &cases {
        let due = case.completed.iter().any(|c| !c);
        by_rules.add(due, ruled(case).iter().any(|d| !d));
        learned.add(due, outcome(case, table, trees, WHOLE).0.iter().any(|d| !d));
    }
    let due = cases.iter().filter(|c| c.completed.iter().any(|d| !d)).count();
    Ok(format!(
        "{} lists, {due} not done; the rules alone: {} false, {} missed; learned: {} false, {} missed",
        cases.len(),
        by_rules.0,
        by_rules.1,
        learned.0,
        learned.1
    ))
}

/// Reminders that are wrong at several thresholds, on scenes that neither table nor forest saw.
#[must_use]
pub fn report(material: &Material, lesson: Lesson, growth: Growth, errors: bool) -> String {
    const AT: [i32; 10] = [300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1400];
    let parts = parts(material, lesson);
    let mut out = String::new();
    let (mut fresh, mut worked) = ([Wrong::default(); AT.len()], [Wrong::default(); AT.len()]);
    let (mut by_rules, mut strange) = (Wrong::default(), (0u32, 0u32));
    let mut counts = [0u32; 3];
    for (at, part) in parts.iter().enumerate() {
        let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
        let trees = forest(others.flat_map(|(_, p)| &p.rows), growth);
        for case in &part.foreign {
            let (done, _) = outcome(case, &part.table, &trees, WHOLE);
            strange.0 += u32::from(done.iter().all(|d| *d));
            strange.1 += 1;
        }
        for case in &part.cases {
            let due = case.completed.iter().any(|c| !c);
            let counted = if is_fresh(case) { usize::from(due) } else { 2 };
            if let Some(count) = counts.get_mut(counted) {
                *count += 1;
            }
            if is_fresh(case) {
                by_rules.add(due, ruled(case).iter().any(|d| !d));
            }
            let wrong = if is_fresh(case) { &mut fresh } else { &mut worked };
            for (whole, wrong) in AT.iter().zip(wrong) {
                let (done, scores) = outcome(case, &part.table, &trees, *whole);
                let said = done.iter().any(|d| !d);
                wrong.add(due, said);
                if errors && *whole == WHOLE && said != due {
                    let what = if due { "MISS " } else { "ALARM" };
                    let silent = if is_silent(case) { " (not spoken of)" } else { "" };
                    out.push_str(&format!(
                        "{what} {} {}{silent} {scores:?}\n  {:?}\n  {:?}\n",
                        case.id, case.kind, case.expected_items, case.responses
                    ));
                }
            }
        }
    }
    let [done, due, other] = counts;
    out.push_str(&format!(
        "{done} lists that are done, {due} that are not, {other} that rules were written with\n\
         the rules alone: {} false, {} missed; answers about something else taken for the whole list: {} of {}\n",
        by_rules.0, by_rules.1, strange.0, strange.1
    ));
    for ((whole, fresh), worked) in AT.iter().zip(fresh).zip(worked) {
        out.push_str(&format!(
            "{whole:5}: {} false, {} missed; with rules written for them {} and {}\n",
            fresh.0, fresh.1, worked.0, worked.1
        ));
    }
    out
}
