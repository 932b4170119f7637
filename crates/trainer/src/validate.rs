//! How well a model does on texts it was not trained on.

use crate::data::{Label, Unit};
use crate::decide::train_forests;
use crate::forest::Growth;
use crate::train::{Recipe, train};
use proctor_gates::review::Forests;
use proctor_gates::{response, review};
use proctor_kernel::{Audience, Verdict};
use proctor_policy::Settings;
use proctor_prose::{Act, Clause, Extra, Model, Reading, read_model};
use std::collections::BTreeMap;

/// Hits and misses of a yes-or-no question.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// Yes, rightly.
    pub hit: u32,
    /// Yes, wrongly.
    pub false_alarm: u32,
    /// No, wrongly.
    pub miss: u32,
    /// No, rightly.
    pub quiet: u32,
}

impl Count {
    fn add(&mut self, gold: bool, said: bool) {
        match (gold, said) {
            (true, true) => self.hit += 1,
            (false, true) => self.false_alarm += 1,
            (true, false) => self.miss += 1,
            (false, false) => self.quiet += 1,
        }
    }

    fn line(&self) -> String {
        let share = |a: u32, b: u32| {
            if a + b == 0 {
                1.0
            } else {
                f64::from(a) / f64::from(a + b)
            }
        };
        format!(
            "n {:5}  P {:.3}  R {:.3}  false alarms {:3}  misses {:3}",
            self.hit + self.false_alarm + self.miss + self.quiet,
            share(self.hit, self.false_alarm),
            share(self.hit, self.miss),
            self.false_alarm,
            self.miss
        )
    }
}

/// The figures of all methods and of the acts, over one or more test sets.
#[derive(Debug, Default)]
pub struct Report {
    groups: BTreeMap<String, Count>,
    acts: BTreeMap<(&'static str, &'static str), u32>,
    errors: Vec<String>,
}

impl Report {
    /// Tests a model: the gates judge what is read with it.
    pub fn add(&mut self, model: &Model<'_>, forests: &Forests<'_>, units: &[&Unit]) {
        let settings = Settings::default();
        for unit in units {
            let reading = read_model(&unit.text, &Extra::default(), model);
            let margins: Vec<_> = reading.clauses.iter().map(|c| c.margins).collect();
            let share = |talk: &dyn Fn(usize, &Clause) -> bool| share(&reading, talk);
            let by_model = |_: usize, c: &Clause| c.margins.talk > 0;
            let by_grammar = |_: usize, c: &Clause| c.leans;
            let by_product = |_: usize, c: &Clause| c.act.is_empty_talk();
            match unit.label {
                Label::Act(act) => {
                    let gold = act.is_empty_talk();
                    self.count("talk of sentences, grammar", unit, gold, share(&by_grammar) > 0.5);
                    self.count("talk of sentences, model", unit, gold, share(&by_model) > 0.5);
                    self.count("talk of sentences, product", unit, gold, share(&by_product) > 0.5);
                    if let Some(best) = likeliest(unit, model) {
                        *self.acts.entry((act.name(), best.name())).or_default() += 1;
                    }
                    if gold != (share(&by_product) > 0.5) {
                        let talk: Vec<i16> = margins.iter().map(|m| m.talk).collect();
                        self.error(unit, gold, &format!("{talk:?}"));
                    }
                }
                Label::Response { reject, human, .. } => {
                    let (audience, limit) = if human {
                        (Audience::Human, 0.4)
                    } else {
                        (Audience::Agent, 0.2)
                    };
                    let judged = response::judge_reading(&unit.text, &reading, audience, &settings.response);
                    self.count("response, grammar", unit, reject, share(&by_grammar) > limit);
                    self.count("response, model", unit, reject, share(&by_model) > limit);
                    self.count(
                        "response, product",
                        unit,
                        reject,
                        judged.verdict == Verdict::Block,
                    );
                    if reject != (judged.verdict == Verdict::Block) {
                        self.error(
                            unit,
                            reject,
                            &format!(
                                "{:.2} {:?}",
                                judged.ratio,
                                judged.spans.iter().map(|s| &s.text).collect::<Vec<_>>()
                            ),
                        );
                    }
                }
                Label::Work => {
                    let judged = review::judge_with(
                        &unit.text,
                        &reading,
                        &settings.review,
                        &|| review::Occasion::Any,
                        forests,
                    );
                    self.count("review, at work", unit, false, judged.verdict == Verdict::Block);
                }
                Label::Review {
                    approval,
                    evidence,
                    reject,
                } => {
                    let judged = review::judge_with(
                        &unit.text,
                        &reading,
                        &settings.review,
                        &|| review::Occasion::Review,
                        forests,
                    );
                    let some = |f: &dyn Fn(&proctor_prose::Margins) -> i16| margins.iter().any(|m| f(m) > 0);
                    let (a, e) = (some(&|m| m.approval), some(&|m| m.evidence));
                    self.count("approval, model", unit, approval, a);
                    self.count("evidence, model", unit, evidence, e);
                    if approval {
                        let said = !judged.evidence.is_empty() && !judged.contradicted;
                        self.count("support, product", unit, evidence, said);
                    }
                    self.count("review, model", unit, reject, a && !e);
                    self.count("approval, product", unit, approval, judged.is_approval);
                    self.count("review, product", unit, reject, judged.verdict == Verdict::Block);
                    if reject != (judged.verdict == Verdict::Block) {
                        self.error(
                            unit,
                            reject,
                            &format!(
                                "MARG {:?} approvals {:?} evidence {:?} contradicted {}",
                                margins
                                    .iter()
                                    .map(|m| (m.approval, m.evidence, m.refusal, m.contrary))
                                    .collect::<Vec<_>>(),
                                judged.approvals.iter().map(|s| &s.text).collect::<Vec<_>>(),
                                judged
                                    .evidence
                                    .iter()
                                    .map(|s| (&s.label, &s.text))
                                    .collect::<Vec<_>>(),
                                judged.contradicted
                            ),
                        );
                    }
                }
            }
        }
    }

    fn count(&mut self, what: &str, unit: &Unit, gold: bool, said: bool) {
        for key in [
            what.to_owned(),
            format!("{what}, {}", unit.lang),
            format!("{what} kind {}", unit.kind),
        ] {
            self.groups.entry(key).or_default().add(gold, said);
        }
    }

    fn error(&mut self, unit: &Unit, gold: bool, why: &str) {
        let what = if gold { "MISS " } else { "ALARM" };
        self.errors.push(format!(
            "{what} {} {} {:?} {why}",
            unit.kind, unit.lang, unit.text
        ));
    }

    /// The report as text.
    #[must_use]
    pub fn text(&self, kinds: bool, errors: bool) -> String {
        let mut out = String::new();
        for (key, count) in &self.groups {
            if kinds || !key.contains(" kind ") {
                out.push_str(&format!("{key:44} {}\n", count.line()));
            }
        }
        let all: u32 = self.acts.values().sum();
        let right: u32 = self
            .acts
            .iter()
            .filter(|((a, b), _)| a == b)
            .map(|(_, n)| n)
            .sum();
        out.push_str(&format!("acts: {right} of {all} right\n"));
        for act in Act::ALL {
            let of: u32 = self
                .acts
                .iter()
                .filter(|((a, _), _)| *a == act.name())
                .map(|(_, n)| n)
                .sum();
            let as_: u32 = self
                .acts
                .iter()
                .filter(|((_, b), _)| *b == act.name())
                .map(|(_, n)| n)
                .sum();
            let hit = self
                .acts
                .get(&(act.name(), act.name()))
                .copied()
                .unwrap_or_default();
            out.push_str(&format!(
                "  {:14} n {of:4}  P {:.3}  R {:.3}\n",
                act.name(),
                f64::from(hit) / f64::from(as_.max(1)),
                f64::from(hit) / f64::from(of.max(1))
            ));
        }
        if errors {
            for line in &self.errors {
                out.push_str(line);
                out.push('\n');
            }
        }
        out
    }
}

/// The act of a sentence: that of its surest clause.
fn likeliest(unit: &Unit, model: &Model<'_>) -> Option<Act> {
    unit.clauses
        .iter()
        .zip(&unit.chars)
        .filter_map(|(c, chars)| model.act(c, |_| true).map(|(act, score)| (act, score, *chars)))
        .max_by_key(|(_, score, chars)| (*chars > 0, *score))
        .map(|(act, ..)| act)
}

/// The share of talk in a text.
fn share(reading: &Reading, talk: &dyn Fn(usize, &Clause) -> bool) -> f64 {
    let all = reading.prose_chars();
    let part: u32 = reading
        .clauses
        .iter()
        .enumerate()
        .filter(|(i, c)| talk(*i, c))
        .map(|(_, c)| c.chars)
        .sum();
    if all == 0 {
        0.0
    } else {
        f64::from(part) / f64::from(all)
    }
}

/// Trains without one group after the other and tests on it. `group` names the group of a unit.
#[must_use]
pub fn cross(
    units: &[Unit],
    parts: usize,
    recipe: Recipe,
    growth: Growth,
    group: impl Fn(&Unit) -> &str,
) -> Report {
    let mut report = Report::default();
    for part in 0..parts {
        let inside = |u: &&Unit| number(group(u)) % parts == part;
        let test: Vec<&Unit> = units.iter().filter(inside).collect();
        let rest: Vec<&Unit> = units.iter().filter(|u| !inside(u)).collect();
        let bytes = train(&rest, recipe);
        let grown = train_forests(&rest, recipe, growth);
        if let (Some(model), Some(forests)) = (Model::from_bytes(&bytes), Forests::from_bytes(&grown)) {
            report.add(&model, &forests, &test);
        }
    }
    report
}

/// A number for a name, the same everywhere.
pub(crate) fn number(name: &str) -> usize {
    name.bytes().fold(0x811c_9dc5_u32, |h, b| {
        (h ^ u32::from(b)).wrapping_mul(0x0100_0193)
    }) as usize
        >> 8
}
