//! The decision over a whole message. What the rules and the model of acts say of its clauses is put into a few
//! figures, and two weighted sums of them decide: does the message approve, and does it say what that rests on.
//!
//! The weights come from `proctor-trainer decide corpus/train`: logistic regression on what models say of scenes that
//! they were not trained on. No floating point is needed to decide.

use proctor_prose::Margins;

/// Figures that the approval is decided by.
pub const APPROVAL: usize = 8;
/// Figures that the support is decided by.
pub const SUPPORT: usize = 17;

/// What one rule or one hit counts; margins count as they are.
pub const ONE: i32 = 32;
/// Unit of the weights.
pub const UNIT: i32 = 64;
/// Furthest that a margin counts.
pub(super) const FAR: i32 = 100;

/// The figures of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// A constant, the two highest margins of approval, the highest of refusal; whether a rule found a refusal, a verdict
    /// by its word, a remark that amounts to one, and what the rules conclude.
    pub approval: [i32; APPROVAL],
    /// A constant; the two highest margins of evidence, the highest contrary one and that of the best sentence; reports
    /// that the rules found with and without an object; bad, known, denied and void results; what the rules conclude;
    /// the best difference of evidence and contrary; the margin of the message as a whole and of denial.
    pub support: [i32; SUPPORT],
}

/// Weights of [`Facts::approval`].
const APPROVAL_WEIGHTS: [i32; APPROVAL] = [31, 70, 15, -29, -51, 48, 29, 50];
/// Weights of [`Facts::support`].
const SUPPORT_WEIGHTS: [i32; SUPPORT] = [16, 19, 11, 11, 9, 49, 39, -48, -20, 3, 1, -32, 1, 18, 17, 50, -6];
/// Sum above which a message approves where a rule found the verdict.
const APPROVES: i32 = -ONE * UNIT;
/// The same where none did.
const LIKELY: i32 = -ONE * UNIT / 4;
/// Margin that the likeliest verdict must have there.
const SURE: i32 = 12;
/// Sum above which it says what that rests on, where the rules found a report. Below zero: a false
/// accusation costs more than a miss.
const REPORTED: i32 = -ONE * UNIT;
/// The same where they found none.
const UNHEARD: i32 = -ONE * UNIT * 5 / 4;
/// Margin that the likeliest report must have there.
const FAINT: i32 = -48;
/// What the grammar takes off the margin of a clause that is denied, a duty or pending.
const DENIED: i16 = 64;
/// The same for one that is heard, planned, asked for, conditional or of no consequence.
const VOID: i16 = 80;

impl Facts {
    /// Whether the message gives a positive verdict now.
    pub(super) fn approves(&self) -> bool {
        let [_, best, .., formal, remark, _] = self.approval;
        let sum = sum(&self.approval, &APPROVAL_WEIGHTS);
        if formal + remark > 0 {
            sum > APPROVES
        } else {
            sum > LIKELY && best > SURE
        }
    }

    /// Whether it says what that rests on.
    pub(super) fn supported(&self) -> bool {
        let [_, best, .., denied, _, bad, _, any, _, _, _] = self.support;
        let sum = sum(&self.support, &SUPPORT_WEIGHTS);
        bad == 0
            && match (any > 0, denied > 0) {
                (true, _) => sum > REPORTED,
                (_, true) => sum > 0 && best > FAINT,
                _ => sum > UNHEARD && best > FAINT,
            }
    }

    /// Whether a result seems to speak against an approval.
    pub(super) fn contrary(&self) -> bool {
        self.support.get(3).is_some_and(|margin| *margin > 0)
    }
}

fn sum(facts: &[i32], weights: &[i32]) -> i32 {
    facts.iter().zip(weights).map(|(f, w)| f * w).sum()
}

/// A margin as a figure.
fn far(margin: i16) -> i32 {
    i32::from(margin).clamp(-FAR, FAR)
}

/// One for yes.
fn yes(is: bool) -> i32 {
    if is { ONE } else { 0 }
}

/// What the rules say of one clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Nothing,
    Void,
    Denied,
    /// A report that names something that was run or read.
    Report,
    /// A report that names nothing.
    Stated,
    Bad,
    Known,
}

/// Gathers the figures of a message, clause by clause.
#[derive(Clone, Debug)]
pub(super) struct Gather {
    sentence: Option<usize>,
    /// Margins of evidence and contrary of the sentence at hand.
    here: Option<(i32, i32)>,
    best: [i32; 2],
    refusal: i32,
    contrary: i32,
    of_best: i32,
    net: i32,
    denial: i32,
    rules: [i32; 7],
}

impl Default for Gather {
    fn default() -> Self {
        Self {
            sentence: None,
            here: None,
            best: [-FAR; 2],
            refusal: -FAR,
            contrary: -FAR,
            of_best: -FAR,
            net: -FAR,
            denial: -FAR,
            rules: [0; 7],
        }
    }
}

impl Gather {
    /// Takes in a clause: `said` when its sentence may report something.
    pub(super) fn add(&mut self, sentence: usize, margins: Margins, rule: Rule, said: bool) {
        if let Some(count) = self.rules.get_mut(rule as usize) {
            *count = (*count + 1).min(2);
        }
        self.refusal = self.refusal.max(far(margins.refusal));
        self.contrary = self.contrary.max(far(margins.contrary));
        self.denial = self.denial.max(far(margins.denied));
        if self.sentence != Some(sentence) {
            self.close();
        }
        self.sentence = Some(sentence);
        let off = match rule {
            Rule::Void => VOID,
            Rule::Denied => DENIED,
            _ => 0,
        };
        if said {
            let evidence = far(margins.evidence.saturating_sub(off));
            // The margins of evidence are those of the sentence: it counts once, by its best clause.
            if self.here.is_none_or(|(other, _)| other < evidence) {
                self.here = Some((evidence, far(margins.contrary)));
            }
        }
    }

    /// Takes in the sentence at hand.
    fn close(&mut self) {
        if let Some((evidence, contrary)) = self.here.take() {
            if evidence >= self.best[0] {
                self.of_best = contrary;
            }
            keep(&mut self.best, evidence);
            self.net = self.net.max((evidence - contrary).clamp(-FAR, FAR));
        }
    }

    /// The figures of evidence, with what the rules conclude: the classes found and whether a result is bad.
    pub(super) fn support(&mut self, whole: Margins, bad: bool, any: bool, object: bool) -> [i32; SUPPORT] {
        self.close();
        let rule = |rule: Rule| self.rules.get(rule as usize).copied().unwrap_or_default();
        [
            ONE,
            self.best[0],
            self.best[1],
            self.contrary,
            self.of_best,
            rule(Rule::Report) * ONE,
            rule(Rule::Stated) * ONE,
            yes(rule(Rule::Bad) > 0),
            yes(rule(Rule::Known) > 0),
            yes(rule(Rule::Denied) > 0),
            yes(rule(Rule::Void) > 0),
            yes(bad),
            yes(object),
            yes(any),
            self.net,
            far(whole.support),
            self.denial,
        ]
    }

    /// The figures of approval, with what the rules found.
    pub(super) fn approval(
        &self,
        best: [i32; 2],
        refused: bool,
        formal: bool,
        remark: bool,
    ) -> [i32; APPROVAL] {
        [
            ONE,
            best[0],
            best[1],
            self.refusal,
            yes(refused),
            yes(formal),
            yes(remark),
            yes(!refused && (formal || remark)),
        ]
    }
}

/// Keeps the two highest.
pub(super) fn keep(best: &mut [i32; 2], new: i32) {
    let [first, second] = *best;
    *best = if new > first {
        [new, first]
    } else {
        [first, second.max(new)]
    };
}
