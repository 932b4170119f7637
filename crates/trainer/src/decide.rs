//! The forests that decide over a message: grown on the figures that models give of scenes which they were not trained
//! on.

use crate::data::{Label, Unit};
use crate::forest::{Growth, Row, grow};
use crate::net::train_nets;
use crate::train::{Recipe, train};
use crate::validate::number;
use proctor_gates::review::{self, APPROVES, FOREST_BYTES, Facts, Forests, Occasion, REPORTED, REVIEW_BYTES};
use proctor_policy::Settings;
use proctor_prose::{Act, Extra, Model, read_model};
use std::collections::BTreeMap;

/// What a contradicted approval counts: the corpus has many more of them than reviewers write.
const CONTRADICTED: f64 = 0.4;

/// Parts of the corpus, each of which is read with a model that did not see it.
const PARTS: usize = 5;

/// Models whose mean reads a part that they did not see. Fewer than the committed one is the mean of, to save time; a
/// single one is less steady than that, and forests grown on its figures trust the margins less than they may.
const HELD_OUT: u64 = 3;

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
pub fn cases<'u>(
    units: impl Iterator<Item = &'u Unit>,
    model: &Model<'_>,
    forests: &Forests<'_>,
) -> Vec<Case<'u>> {
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
            let facts =
                review::judge_with(&unit.text, &reading, &settings.review, &|| Occasion::Any, forests).facts;
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

/// All messages with their figures by models that did not see their group.
#[must_use]
pub fn unseen<'u>(
    units: &[&'u Unit],
    recipe: Recipe,
    growth: Growth,
    group: impl Fn(&Unit) -> &str + Sync,
) -> Vec<Case<'u>> {
    let recipe = Recipe {
        models: recipe.models.min(HELD_OUT),
        ..recipe
    };
    let part = &|part: usize| {
        let inside = |u: &&&Unit| number(group(u)) % PARTS == part;
        let rest: Vec<&Unit> = units.iter().filter(|u| !inside(u)).copied().collect();
        let bytes = train(&rest, recipe);
        let review = with_nets(vec![0; FOREST_BYTES], &rest, growth);
        match (Model::from_bytes(&bytes), Forests::from_bytes(&review)) {
            (Some(model), Some(forests)) => cases(units.iter().filter(inside).copied(), &model, &forests),
            _ => Vec::new(),
        }
    };
    // The parts know nothing of each other: side by side they give what they give one after the other.
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..PARTS).map(|n| scope.spawn(move || part(n))).collect();
        parts
            .into_iter()
            .flat_map(|p| p.join().unwrap_or_default())
            .collect()
    })
}

/// The bytes of both forests for these units, and of the nets.
#[must_use]
pub fn train_forests(units: &[&Unit], recipe: Recipe, growth: Growth) -> Vec<u8> {
    let cases = unseen(units, recipe, growth, |u| u.situation.as_str());
    with_nets(forests(&cases.iter().collect::<Vec<_>>(), growth), units, growth)
}

/// The bytes of forests, and of nets that learn from these units.
fn with_nets(mut forests: Vec<u8>, units: &[&Unit], growth: Growth) -> Vec<u8> {
    forests.extend(train_nets(units, growth.lesson));
    forests
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
            weight: weight(case.unit),
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

/// What was decided of one message.
struct Line {
    /// A reviewer's message; otherwise one of people at work.
    review: bool,
    approval: bool,
    evidence: bool,
    /// It has formal words of approval.
    formal: bool,
    /// It was written as a whole, not put together.
    written: bool,
    /// What a contradicted approval counts, or one.
    weight: f64,
    of_approval: i32,
    of_support: i32,
    kind: String,
}

impl Line {
    fn of(s: &Scored<'_, '_>) -> Self {
        let unit = s.case.unit;
        Self {
            review: s.case.evidence.is_some(),
            approval: s.case.approval,
            evidence: s.case.evidence.unwrap_or_default(),
            formal: s.case.facts.formal(),
            written: !unit.situation.starts_with("assembled"),
            weight: weight(unit),
            of_approval: s.approval,
            of_support: s.support,
            kind: unit.kind.clone(),
        }
    }

    /// Whether it would be refused at these thresholds: of approvals in formal words, of others, of the support.
    fn refused(&self, formal: i32, other: i32, support: i32) -> bool {
        self.approves(formal, other) && self.of_support <= support
    }

    fn approves(&self, formal: i32, other: i32) -> bool {
        self.of_approval > if self.formal { formal } else { other }
    }

    /// What words that are no formal approval need: reviews were asked for, other messages were not.
    const fn otherwise(&self) -> i32 {
        let occasion = if self.review {
            Occasion::Review
        } else {
            Occasion::Any
        };
        occasion.otherwise()
    }

    fn gold(&self) -> bool {
        self.approval && !self.evidence
    }
}

/// What a message counts for the forest of the support.
fn weight(unit: &Unit) -> f64 {
    if unit.kind.contains("contradicted") {
        CONTRADICTED
    } else {
        1.0
    }
}

/// How well the decision does on groups that neither the models nor the forests saw, and on other folders.
#[must_use]
pub fn report(
    units: &[Unit],
    others: &[(String, Vec<Unit>)],
    recipe: Recipe,
    growth: Growth,
    show: Show,
    group: impl Fn(&Unit) -> &str + Sync,
) -> String {
    let all: Vec<&Unit> = units.iter().collect();
    let seen = unseen(&all, recipe, growth, &group);
    let mut out = String::new();
    let mut lines = Vec::new();
    for part in 0..PARTS {
        let inside = |c: &&&Case<'_>| number(group(c.unit)) % PARTS == part;
        let all: Vec<&Case<'_>> = seen.iter().collect();
        let rest: Vec<&Case<'_>> = all.iter().filter(|c| !inside(c)).copied().collect();
        let test: Vec<&Case<'_>> = all.iter().filter(inside).copied().collect();
        let mut bytes = forests(&rest, growth);
        // Their figures hold the word of nets already.
        bytes.resize(REVIEW_BYTES, 0);
        if let Some(forests) = Forests::from_bytes(&bytes) {
            for s in scored(&test, &forests)
                .iter()
                .filter(|s| s.case.evidence.is_some() || s.case.unit.label == Label::Work)
            {
                out.push_str(&wrong(s, show.errors));
                lines.push(Line::of(s));
                if show.scores {
                    out.push_str(&score(s));
                }
            }
        }
    }
    out.push_str("unseen groups, all\n");
    out.push_str(&grid(&lines));
    out.push_str("unseen groups, messages written as a whole\n");
    lines.retain(|l| l.written);
    out.push_str(&grid(&lines));
    out.push_str(&by_kind(&lines));
    if others.is_empty() {
        return out;
    }
    let bytes = with_nets(forests(&seen.iter().collect::<Vec<_>>(), growth), &all, growth);
    let acts = train(&all, recipe);
    if let (Some(forests), Some(model)) = (Forests::from_bytes(&bytes), Model::from_bytes(&acts)) {
        for (name, units) in others {
            out.push_str(&format!("{name}\n{}", measured(units, &model, &forests, show)));
        }
    }
    out
}

/// How well a model and forests do on other messages.
#[must_use]
pub fn measured(units: &[Unit], model: &Model<'_>, forests: &Forests<'_>, show: Show) -> String {
    let test = cases(units.iter(), model, forests);
    let test: Vec<&Case<'_>> = test
        .iter()
        .filter(|c| c.evidence.is_some() || c.unit.label == Label::Work)
        .collect();
    let scores = scored(&test, forests);
    let mut out: String = scores.iter().map(|s| wrong(s, show.errors)).collect();
    let lines: Vec<Line> = scores.iter().map(Line::of).collect();
    out.push_str(&grid(&lines));
    out
}

/// What a report shows beside the totals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Show {
    /// The messages that are judged wrongly.
    pub errors: bool,
    /// The scores of all messages.
    pub scores: bool,
}

/// A line with the scores of a message.
fn score(s: &Scored<'_, '_>) -> String {
    let facts = &s.case.facts;
    format!(
        "SCORE\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
        s.case.unit.id,
        s.case.unit.kind,
        s.case.approval,
        s.case.evidence.unwrap_or_default(),
        s.approval,
        s.support,
        facts.formal(),
        facts.by_rule(),
        facts.approval[4],
        facts.approval[16],
    )
}

/// A line about a message that is judged wrongly, when they are asked for.
fn wrong(s: &Scored<'_, '_>, asked: bool) -> String {
    let line = Line::of(s);
    let said = line.refused(APPROVES, line.otherwise(), REPORTED);
    if !asked || line.gold() == said && line.approval == line.approves(APPROVES, line.otherwise()) {
        return String::new();
    }
    let what = match (line.gold(), said) {
        (true, false) => "MISS ",
        (false, true) => "ALARM",
        _ => "other",
    };
    let Unit {
        id, kind, lang, text, ..
    } = s.case.unit;
    format!(
        "{what} {id} {kind} {lang} {} {} {text:?}\n",
        s.approval, s.support
    )
}

/// Errors of each kind at the thresholds of the gate.
fn by_kind(lines: &[Line]) -> String {
    let mut kinds: BTreeMap<&str, [u32; 3]> = BTreeMap::new();
    for line in lines.iter().filter(|l| l.review) {
        let count = kinds.entry(&line.kind).or_default();
        let heard = line.approves(APPROVES, line.otherwise());
        let said = line.refused(APPROVES, line.otherwise(), REPORTED);
        count[0] += 1;
        count[1] += u32::from(line.approval != heard);
        count[2] += u32::from(line.gold() != said && line.approval == heard);
    }
    kinds
        .iter()
        .map(|(kind, [all, approval, support])| {
            format!("    {kind:24} {all:5}  wrong by approval {approval:3}  by support {support:3}\n")
        })
        .collect()
}

/// Precision and recall at some thresholds.
fn grid(lines: &[Line]) -> String {
    let line = |what: &str, pairs: &mut dyn Iterator<Item = (bool, bool, f64)>| {
        let (mut hit, mut alarm, mut miss) = (0.0, 0.0, 0.0);
        for (gold, said, weight) in pairs {
            match (gold, said) {
                (true, true) => hit += weight,
                (false, true) => alarm += weight,
                (true, false) => miss += weight,
                _ => {}
            }
        }
        format!(
            "  {what:32} P {:.3} R {:.3}  alarms {alarm:4.0} misses {miss:4.0}\n",
            hit / f64::max(hit + alarm, 1.0),
            hit / f64::max(hit + miss, 1.0)
        )
    };
    let reviews = || lines.iter().filter(|l| l.review);
    let mut out = String::new();
    let asked = Occasion::Review.otherwise();
    for (what, formal, other) in [
        ("at zero", 0, 0),
        ("of the gate", APPROVES, asked),
        ("of the gate, at work", APPROVES, Occasion::Any.otherwise()),
    ] {
        out.push_str(&line(
            &format!("approval {what}"),
            &mut reviews().map(|l| (l.approval, l.approves(formal, other), 1.0)),
        ));
    }
    for least in [0, REPORTED] {
        out.push_str(&line(
            &format!("support at {least}"),
            &mut reviews()
                .filter(|l| l.approval)
                .map(|l| (l.evidence, l.of_support > least, l.weight)),
        ));
    }
    for (formal, other, support) in [
        (APPROVES, asked, REPORTED),
        (APPROVES, Occasion::Any.otherwise(), REPORTED),
        (0, 256, REPORTED),
        (0, 512, REPORTED),
        (0, 768, REPORTED),
        (0, 0, 0),
        (0, 0, -384),
        (0, 0, -768),
        (0, 512, -384),
        (0, 512, -768),
        (0, 1024, -384),
        (0, 1024, -512),
        (0, 1024, -768),
        (0, 1536, -384),
        (0, 1536, -768),
    ] {
        let work = lines.iter().filter(|l| !l.review);
        let alarms = work.clone().filter(|l| l.refused(formal, other, support)).count();
        let of_work = format!("at work {alarms} of {}", work.count());
        for weighed in [false, true] {
            let text = line(
                &format!(
                    "review at {formal} {other} {support}{}",
                    if weighed { " *" } else { "" }
                ),
                &mut reviews().map(|l| {
                    let weight = if weighed { l.weight } else { 1.0 };
                    (l.gold(), l.refused(formal, other, support), weight)
                }),
            );
            out.push_str(text.trim_end());
            out.push_str(&format!("  {}\n", if weighed { "" } else { &of_work }));
        }
    }
    out
}
