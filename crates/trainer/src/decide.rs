//! The forests that decide over a message: grown on the figures that models give of scenes which they were not trained
//! on.

use crate::data::{Label, Unit};
use crate::forest::{Growth, Row, grow};
use crate::train::{Recipe, train};
use crate::validate::number;
use proctor_gates::review::{self, Facts, Forests};
use proctor_policy::Settings;
use proctor_prose::{Act, Extra, Model, read_model};
use std::collections::BTreeMap;

/// What a contradicted approval counts: the corpus has many more of them than reviewers write.
const CONTRADICTED: f64 = 0.4;

/// Parts of the corpus, each of which is read with a model that did not see it.
const PARTS: usize = 5;

/// A message and its figures.
#[derive(Clone, Debug)]
pub struct Case<'u> {
    /// The message.
    pub unit: &'u Unit,
    /// Whether it approves.
    pub approval: bool,
    /// Whether it reports a verification; `None` where nobody said.
    pub evidence: Option<bool>,
    /// Its figures.
    pub facts: Facts,
}

/// The messages with their figures by a model: those of reviewers, and what people and agents say at work, which a
/// decision that knew reviews alone would take for approvals.
#[must_use]
pub fn cases<'u>(units: impl Iterator<Item = &'u Unit>, model: &Model<'_>) -> Vec<Case<'u>> {
    let settings = Settings::default();
    units
        .filter_map(|unit| {
            let (approval, evidence) = match unit.label {
                Label::Review {
                    approval, evidence, ..
                } => (approval, Some(evidence)),
                Label::Act(act) => (act == Act::Verdict, None),
                Label::Work | Label::Response { .. } => (false, None),
            };
            let reading = read_model(&unit.text, &Extra::default(), model);
            let facts = review::judge_reading(&unit.text, &reading, &settings.review).facts;
            // Nobody looked for approvals among the messages that were written for another gate.
            let by_rule = facts.by_rule() && matches!(unit.label, Label::Response { .. });
            if by_rule {
                return None;
            }
            Some(Case {
                unit,
                approval,
                evidence,
                facts,
            })
        })
        .collect()
}

/// All messages with their figures by models that did not see their group. One model for each part: the mean of
/// several is steadier, but not by much.
#[must_use]
pub fn unseen<'u>(units: &[&'u Unit], recipe: Recipe, group: impl Fn(&Unit) -> &str) -> Vec<Case<'u>> {
    let mut out = Vec::new();
    let recipe = Recipe { models: 1, ..recipe };
    for part in 0..PARTS {
        let inside = |u: &&&Unit| number(group(u)) % PARTS == part;
        let rest: Vec<&Unit> = units.iter().filter(|u| !inside(u)).copied().collect();
        let bytes = train(&rest, recipe);
        if let Some(model) = Model::from_bytes(&bytes) {
            out.extend(cases(units.iter().filter(inside).copied(), &model));
        }
    }
    out
}

/// The bytes of both forests for these units.
#[must_use]
pub fn train_forests(units: &[&Unit], recipe: Recipe, growth: Growth) -> Vec<u8> {
    let cases = unseen(units, recipe, |u| u.situation.as_str());
    forests(&cases.iter().collect::<Vec<_>>(), growth)
}

/// The bytes of both forests.
#[must_use]
pub fn forests(cases: &[&Case<'_>], growth: Growth) -> Vec<u8> {
    let approval: Vec<Row<'_>> = cases
        .iter()
        .map(|case| Row {
            figures: &case.facts.approval,
            yes: case.approval,
            weight: 1.0,
        })
        .collect();
    let support: Vec<Row<'_>> = cases
        .iter()
        .filter(|case| case.approval)
        .filter_map(|case| Some((case, case.evidence?)))
        .map(|(case, evidence)| Row {
            figures: &case.facts.support,
            yes: evidence,
            weight: if case.unit.kind.contains("contradicted") {
                CONTRADICTED
            } else {
                1.0
            },
        })
        .collect();
    let mut out = grow(&approval, growth);
    out.extend(grow(&support, growth));
    out
}

/// Scores of one message: of its approval, of its support.
struct Scored<'c, 'u> {
    case: &'c Case<'u>,
    approval: i32,
    support: i32,
}

fn scored<'c, 'u>(cases: &'c [&'c Case<'u>], forests: &Forests<'_>) -> Vec<Scored<'c, 'u>> {
    cases
        .iter()
        .map(|case| Scored {
            case,
            approval: case.facts.approval(forests).unwrap_or(i32::MIN / 2),
            support: case.facts.support(forests).unwrap_or(i32::MIN / 2),
        })
        .collect()
}

/// How well the decision does on groups that neither the models nor the forests saw, and on another folder.
#[must_use]
pub fn report(
    units: &[Unit],
    others: &[(String, Vec<Unit>)],
    recipe: Recipe,
    growth: Growth,
    errors: bool,
    group: impl Fn(&Unit) -> &str,
) -> String {
    let all: Vec<&Unit> = units.iter().collect();
    let seen = unseen(&all, recipe, &group);
    let mut out = String::new();
    let mut lines = Vec::new();
    for part in 0..PARTS {
        let inside = |c: &&&Case<'_>| number(group(c.unit)) % PARTS == part;
        let all: Vec<&Case<'_>> = seen.iter().collect();
        let rest: Vec<&Case<'_>> = all.iter().filter(|c| !inside(c)).copied().collect();
        let test: Vec<&Case<'_>> = all.iter().filter(inside).copied().collect();
        let bytes = forests(&rest, growth);
        if let Some(forests) = Forests::from_bytes(&bytes) {
            for s in scored(&test, &forests)
                .iter()
                .filter(|s| s.case.evidence.is_some())
            {
                out.push_str(&wrong(s, errors));
                let written = !s.case.unit.situation.starts_with("assembled");
                lines.push((
                    s.case.approval,
                    s.case.evidence.unwrap_or_default(),
                    s.approval,
                    s.support,
                    written,
                    s.case.unit.kind.clone(),
                ));
            }
        }
    }
    out.push_str("unseen groups, all\n");
    out.push_str(&grid(&lines));
    out.push_str("unseen groups, messages written as a whole\n");
    lines.retain(|l| l.4);
    out.push_str(&grid(&lines));
    out.push_str(&by_kind(&lines));
    let bytes = forests(&seen.iter().collect::<Vec<_>>(), growth);
    let acts = train(&all, recipe);
    if let (Some(forests), Some(model)) = (Forests::from_bytes(&bytes), Model::from_bytes(&acts)) {
        for (name, units) in others {
            let test = cases(units.iter(), &model);
            let test: Vec<&Case<'_>> = test.iter().filter(|c| c.evidence.is_some()).collect();
            for s in scored(&test, &forests) {
                out.push_str(&wrong(&s, errors));
            }
            let lines: Vec<_> = scored(&test, &forests)
                .iter()
                .map(|s| {
                    (
                        s.case.approval,
                        s.case.evidence.unwrap_or_default(),
                        s.approval,
                        s.support,
                        true,
                        s.case.unit.kind.clone(),
                    )
                })
                .collect();
            out.push_str(&format!("{name}\n{}", grid(&lines)));
        }
    }
    out
}

/// A line about a message that is judged wrongly, when they are asked for.
fn wrong(s: &Scored<'_, '_>, asked: bool) -> String {
    let gold = s.case.approval && s.case.evidence == Some(false);
    let said = s.approval > 0 && s.support <= 0;
    if !asked || gold == said {
        return String::new();
    }
    let what = if gold { "MISS " } else { "ALARM" };
    let Unit { kind, lang, text, .. } = s.case.unit;
    format!("{what} {kind} {lang} {} {} {text:?}\n", s.approval, s.support)
}

/// Errors of each kind at the first thresholds.
fn by_kind(lines: &[(bool, bool, i32, i32, bool, String)]) -> String {
    let mut kinds: BTreeMap<&str, [u32; 3]> = BTreeMap::new();
    for (approval, evidence, a, s, _, kind) in lines {
        let count = kinds.entry(kind).or_default();
        count[0] += 1;
        let (gold, said) = (*approval && !*evidence, *a > 0 && *s <= 0);
        count[1] += u32::from(gold && !said && *a <= 0);
        count[2] += u32::from(gold != said && !(gold && *a <= 0));
    }
    kinds
        .iter()
        .map(|(kind, [all, unheard, wrong])| {
            format!("    {kind:24} {all:5}  no approval {unheard:3}  support {wrong:3}\n")
        })
        .collect()
}

/// Precision and recall at some thresholds.
fn grid(lines: &[(bool, bool, i32, i32, bool, String)]) -> String {
    let line = |what: &str, pairs: &mut dyn Iterator<Item = (bool, bool)>| {
        let (mut hit, mut alarm, mut miss) = (0u32, 0u32, 0u32);
        for (gold, said) in pairs {
            match (gold, said) {
                (true, true) => hit += 1,
                (false, true) => alarm += 1,
                (true, false) => miss += 1,
                _ => {}
            }
        }
        format!(
            "  {what:28} P {:.3} R {:.3}  alarms {alarm} misses {miss}\n",
            f64::from(hit) / f64::from((hit + alarm).max(1)),
            f64::from(hit) / f64::from((hit + miss).max(1))
        )
    };
    let mut out = line("approval", &mut lines.iter().map(|l| (l.0, l.2 > 0)));
    out.push_str(&line(
        "support",
        &mut lines.iter().filter(|l| l.0).map(|l| (l.1, l.3 > 0)),
    ));
    for (a, s) in [
        (0, 0),
        (0, -256),
        (0, -512),
        (0, -768),
        (256, -384),
        (512, -256),
        (512, -512),
    ] {
        out.push_str(&line(
            &format!("review at {a} {s}"),
            &mut lines.iter().map(|l| (l.0 && !l.1, l.2 > a && l.3 <= s)),
        ));
    }
    out
}
