//! What the margins and the rules say of the verifications that a message reports, gathered clause by clause.

use super::decide::{FAR, far, keep};
use proctor_prose::Margins;

/// What the grammar takes off the margin of a clause that is denied, a duty or pending.
const DENIED: i16 = 64;
/// The same for one that is heard, planned, asked for, conditional or of no consequence.
const VOID: i16 = 80;

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

/// What a message tells of verifications.
#[derive(Clone, Debug)]
pub(super) struct Told {
    sentence: Option<usize>,
    /// Margins of evidence and contrary of the sentence at hand.
    here: Option<(i32, i32)>,
    /// The two highest margins of evidence of sentences, after what the grammar takes off.
    pub(super) best: [i32; 2],
    /// The highest before that.
    pub(super) raw: i32,
    /// The highest margins of refusal, of a result that speaks against the change, of a denied verification.
    pub(super) refusal: i32,
    pub(super) contrary: i32,
    pub(super) denial: i32,
    /// The contrary margin of the second sentence from the top, and of the likeliest report.
    pub(super) second_contrary: i32,
    pub(super) of_best: i32,
    /// The best difference of evidence and contrary.
    pub(super) net: i32,
    /// How many clauses each rule holds for.
    pub(super) rules: [i32; 7],
    /// A bad result that no later one replaces.
    pub(super) bad: bool,
    /// The rules found reports, one that names what was run or read, a block of code that shows a good result.
    pub(super) any: bool,
    pub(super) object: bool,
    pub(super) shown: bool,
    /// The writer says that he ran nothing.
    pub(super) nothing: bool,
    /// The clause of the likeliest report.
    pub(super) clause: Option<usize>,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            sentence: None,
            here: None,
            best: [-FAR; 2],
            raw: -FAR,
            refusal: -FAR,
            contrary: -FAR,
            second_contrary: -FAR,
            of_best: -FAR,
            net: -FAR,
            denial: -FAR,
            rules: [0; 7],
            bad: false,
            any: false,
            object: false,
            shown: false,
            nothing: false,
            clause: None,
        }
    }
}

impl Told {
    /// Takes in a clause: `said` when its sentence may report something.
    pub(super) fn add(&mut self, sentence: usize, margins: Margins, rule: Rule, said: bool) {
        if let Some(count) = self.rules.get_mut(rule as usize) {
            *count = (*count + 1).min(2);
        }
        self.refusal = self.refusal.max(far(margins.refusal));
        self.denial = self.denial.max(far(margins.denied));
        if self.sentence != Some(sentence) {
            self.close();
            let mut contrary = [self.contrary, self.second_contrary];
            keep(&mut contrary, far(margins.contrary));
            [self.contrary, self.second_contrary] = contrary;
        }
        self.sentence = Some(sentence);
        let off = match rule {
            Rule::Void => VOID,
            Rule::Denied => DENIED,
            _ => 0,
        };
        if said {
            self.raw = self.raw.max(far(margins.evidence));
            let evidence = far(margins.evidence.saturating_sub(off));
            // The margins of evidence are those of the sentence: it counts once, by its best clause.
            if self.here.is_none_or(|(other, _)| other < evidence) {
                self.here = Some((evidence, far(margins.contrary)));
            }
        }
    }

    /// Takes in the sentence at hand.
    pub(super) fn close(&mut self) {
        if let Some((evidence, contrary)) = self.here.take() {
            if evidence >= self.best[0] {
                self.of_best = contrary;
            }
            keep(&mut self.best, evidence);
            self.net = self.net.max((evidence - contrary).clamp(-FAR, FAR));
        }
    }
}
