//! The decision over a whole message. What the rules and the model of acts say of its clauses is put into a few
//! figures, and two small forests of decision trees over them say: does the message approve, and does it tell what
//! that rests on.
//!
//! The forests come from `scripts/train`: boosted trees on what models say of scenes that they were not trained on.
//! No floating point is needed to decide.

use super::approval::Verdicts;
use super::forest::Forests;
use super::net::{Nets, SAYS};
use super::told::Told;
use proctor_prose::{
    BlockKind, Clause, Features, Kinds, Language, Margins, Outcome, Reading, Tags, TokenKind, tag,
};

/// Figures that the approval is decided by.
pub const APPROVAL: usize = 53;
/// Figures that the support is decided by.
pub const SUPPORT: usize = 90;
/// Furthest that a margin counts.
pub(super) const FAR: i32 = 250;

/// The figures of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Those that say whether it approves: margins, what the rules found, the grammar of the likeliest verdict.
    pub approval: [i16; APPROVAL],
    /// Those that say whether it tells what that rests on: the same of the likeliest report.
    pub support: [i16; SUPPORT],
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            approval: [0; APPROVAL],
            support: [0; SUPPORT],
        }
    }
}

/// Why a message was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Occasion {
    /// Whatever the agent is at: few such messages are reviews, and the others must not be taken for approvals.
    #[default]
    Any,
    /// A review or a verdict was asked for.
    Review,
}

/// Score above which a message approves that has formal words of approval, in 1,024ths of a nat.
pub const APPROVES: i32 = 0;

impl Occasion {
    /// The same for other words, or none.
    #[must_use]
    pub const fn otherwise(self) -> i32 {
        match self {
            Self::Any => 1_280,
            Self::Review => 512,
        }
    }
}

/// Score above which it tells what that rests on: 53 % likely. Chosen where the sets of
/// `corpus/floors.json` all hold; by cross-validation over scenes 0 and 256 lie on one curve.
pub const REPORTED: i32 = 128;

/// What the decision is made of.
pub(super) struct Sources<'r> {
    pub(super) reading: &'r Reading,
    pub(super) verdicts: &'r Verdicts,
    pub(super) told: &'r Told,
    /// What the nets say, where they were asked.
    pub(super) said: Option<[i32; SAYS]>,
}

impl Facts {
    /// What the nets say of a message; `None` where no verdict of it can be one of theirs and the forests'.
    pub(super) fn heard(reading: &Reading, verdicts: &Verdicts, nets: &Nets<'_>) -> Option<[i32; SAYS]> {
        let likely = reading.whole.accepts > LIKELY || !verdicts.approvals.is_empty();
        likely.then(|| nets.ask(reading).map(|said| said / 4))
    }

    /// Whether the forest can find an approval, whatever the message tells of verifications.
    pub(super) fn may_approve(
        reading: &Reading,
        verdicts: &Verdicts,
        said: [i32; SAYS],
        forests: &Forests<'_>,
    ) -> bool {
        let facts = Self {
            approval: Row::approval(&Sources {
                reading,
                verdicts,
                told: &Told::default(),
                said: Some(said),
            }),
            ..Self::default()
        };
        let least = if facts.formal() {
            APPROVES
        } else {
            // Above that it depends on the occasion.
            Occasion::Review.otherwise()
        };
        !verdicts.refused && forests.approval.most(&facts.approval, TOLD) > least
    }

    /// The figures of a message.
    pub(super) fn of(from: &Sources<'_>) -> Self {
        let [accepts, rests] = from.said.unwrap_or_default();
        let mut support = Row::default();
        supports(from, &mut support);
        support.push(rests);
        support.push(accepts);
        Self {
            approval: Row::approval(from),
            support: support.figures,
        }
    }

    /// How surely the message gives a positive verdict now, in 1,024ths of a nat; `None` when a word of refusal
    /// settles it, or when it is so far from one that the nets were not asked.
    #[must_use]
    pub fn approval(&self, forests: &Forests<'_>) -> Option<i32> {
        let is = |at: usize| self.approval.get(at).is_some_and(|figure| *figure > 0);
        (!is(0) && is(ASKED)).then(|| forests.approval.score(&self.approval))
    }

    /// How surely it says what that rests on; `None` when a bad result that a rule read settles it.
    #[must_use]
    pub fn support(&self, forests: &Forests<'_>) -> Option<i32> {
        let bad = self.support.first().is_some_and(|figure| *figure > 0);
        (!bad).then(|| forests.support.score(&self.support))
    }

    /// Whether rules found words of approval in verdict position: for training.
    #[must_use]
    pub fn by_rule(&self) -> bool {
        [STRUCTURED, FORMAL, PLAIN]
            .iter()
            .any(|at| self.approval.get(*at).is_some_and(|figure| *figure > 0))
    }

    /// Whether rules found formal words of approval in verdict position.
    #[must_use]
    pub fn formal(&self) -> bool {
        [STRUCTURED, FORMAL]
            .iter()
            .any(|at| self.approval.get(*at).is_some_and(|figure| *figure > 0))
    }

    /// Whether the message gives a positive verdict now, where it is so sure. The occasion is asked for when it matters.
    pub(super) fn approves(&self, score: Option<i32>, occasion: &dyn Fn() -> Occasion) -> bool {
        score.is_some_and(|score| {
            if self.formal() {
                return score > APPROVES;
            }
            score > Occasion::Any.otherwise()
                || score > Occasion::Review.otherwise() && score > occasion().otherwise()
        })
    }

    /// Whether a result seems to speak against an approval.
    pub(super) fn contrary(&self) -> bool {
        self.support.get(CONTRARY).is_some_and(|margin| *margin > 0)
    }
}

/// Where the approvals that rules found stand among the figures of the approval: in a field, formal words, others.
const STRUCTURED: usize = 1;
const FORMAL: usize = 11;
const PLAIN: usize = 12;
/// Where the highest contrary margin stands among the figures of the support.
const CONTRARY: usize = 3;

/// The figures of the approval that say what is told of verifications, a bit each.
const TOLD: u64 = 1 << 8 | 1 << 19 | 1 << 20;

/// Where it stands whether the nets were asked.
const ASKED: usize = APPROVAL - 3;
/// What the whole message must come to, in sixteenths of a nat, to be worth asking the nets when no clause stands where a
/// verdict does. Of 12,648 messages that cross-validation took for approvals one lies below. A clause that only sounds like
/// a verdict is not enough: of 90,471 messages of `corpus/train` 123 have no more than that, 3 of them approvals, none of
/// which was found with the nets either, while a turn of 2 KB takes half as long again with them.
const LIKELY: i16 = -32;

/// Figures, one after the other.
struct Row<const N: usize> {
    figures: [i16; N],
    next: usize,
}

impl<const N: usize> Default for Row<N> {
    fn default() -> Self {
        Self {
            figures: [0; N],
            next: 0,
        }
    }
}

impl Row<APPROVAL> {
    /// The figures that the approval is decided by.
    fn approval(from: &Sources<'_>) -> [i16; APPROVAL] {
        let [accepts, rests] = from.said.unwrap_or_default();
        let mut row = Self::default();
        approvals(from, &mut row);
        row.yes(from.said.is_some());
        row.push(accepts);
        row.push(rests);
        row.figures
    }
}

impl<const N: usize> Row<N> {
    fn push(&mut self, figure: i32) {
        if let Some(slot) = self.figures.get_mut(self.next) {
            *slot = i16::try_from(figure).unwrap_or(if figure < 0 { i16::MIN } else { i16::MAX });
        }
        self.next += 1;
    }

    fn yes(&mut self, is: bool) {
        self.push(i32::from(is));
    }

    fn margin(&mut self, margin: i16) {
        self.push(far(margin));
    }

    /// One figure for each of some grammatical features.
    fn grammar(&mut self, clause: Option<&Clause>, features: &[Features]) {
        for feature in features {
            self.yes(clause.is_some_and(|c| c.features.has(*feature)));
        }
    }

    /// One figure for each of some tags.
    fn tags(&mut self, tags: Tags, wanted: &[Tags]) {
        for tag in wanted {
            self.yes(tags.any(*tag));
        }
    }
}

fn approvals(from: &Sources<'_>, row: &mut Row<APPROVAL>) {
    let Sources {
        reading,
        verdicts,
        told,
        ..
    } = *from;
    let heard = &verdicts.heard;
    let [first, second] = verdicts.best;
    row.yes(verdicts.refused);
    row.yes(verdicts.structured);
    for figure in [
        first,
        second,
        heard.best,
        heard.first.unwrap_or(-FAR),
        heard.last,
        heard.given,
    ] {
        row.push(figure);
    }
    row.push(told.refusal);
    row.push(heard.refusal);
    row.yes(verdicts.unwilling);
    let formal = verdicts.approvals.iter().filter(|f| f.formal).count();
    row.push(small(formal));
    row.push(small(verdicts.approvals.len() - formal));
    row.push(heard.denied.min(3));
    row.push(heard.doubted.min(3));
    row.push(heard.asked.min(3));
    row.margin(reading.whole.accepts);
    row.margin(reading.whole.support);
    row.margin(reading.whole.refusal);
    row.push(told.best[0]);
    row.push(told.contrary);
    row.push(i32::try_from(reading.clauses.len()).unwrap_or(i32::MAX).min(30));
    let clause = heard.clause.and_then(|i| reading.clauses.get(i));
    row.grammar(
        clause,
        &[
            Features::CONDITIONAL,
            Features::FUTURE,
            Features::NEGATED,
            Features::HEARSAY,
            Features::BELIEF,
            Features::MODAL,
            Features::PENDING,
            Features::PAST,
            Features::FIRST_PERSON,
            Features::IMPERATIVE,
            Features::CONTINUES,
            Features::EXCLAMATION,
        ],
    );
    row.tags(
        clause.map_or(Tags::NONE, |c| c.tags),
        &[
            tag::APPROVE,
            tag::REQUEST,
            tag::POLICY,
            tag::OTHER,
            tag::REFUSE,
            tag::COND,
            tag::WORK,
            tag::QWORD,
        ],
    );
    let margins = clause.map_or_else(Margins::default, |c| c.margins);
    row.margin(margins.refusal);
    row.margin(margins.talk);
    row.margin(margins.evidence);
    let last = reading.clauses.last().map_or(0, |c| c.sentence);
    row.yes(clause.is_some_and(|c| c.sentence == 0));
    row.yes(clause.is_some_and(|c| c.sentence == last));
    row.push(clause.map_or(0, |c| small(c.tokens.len()).min(30)));
    row.yes(clause.is_some_and(|c| c.language == Language::Korean));
    row.yes(clause.is_some_and(|c| in_list(reading, c)));
}

fn supports(from: &Sources<'_>, row: &mut Row<SUPPORT>) {
    let Sources {
        reading,
        verdicts,
        told,
        ..
    } = *from;
    row.yes(told.bad);
    row.push(told.best[0]);
    row.push(told.best[1]);
    row.push(told.contrary);
    row.push(told.of_best);
    row.push(told.net);
    row.push(told.denial);
    row.push(told.raw);
    row.margin(reading.whole.support);
    row.margin(reading.whole.accepts);
    row.margin(reading.whole.evidence);
    row.margin(reading.whole.contrary);
    row.margin(reading.whole.denied);
    for count in told.rules {
        row.push(count);
    }
    row.yes(told.any);
    row.yes(told.object);
    row.yes(told.shown);
    row.push(verdicts.heard.best);
    row.push(i32::try_from(reading.clauses.len()).unwrap_or(i32::MAX).min(30));
    let clause = told.clause.and_then(|i| reading.clauses.get(i));
    row.grammar(
        clause,
        &[
            Features::CONDITIONAL,
            Features::FUTURE,
            Features::NEGATED,
            Features::HEARSAY,
            Features::BELIEF,
            Features::MODAL,
            Features::PENDING,
            Features::PAST,
            Features::FIRST_PERSON,
            Features::IMPERATIVE,
            Features::ONGOING,
        ],
    );
    let sentence = clause.map_or(Tags::NONE, |best| {
        reading
            .clauses
            .iter()
            .filter(|c| c.sentence == best.sentence)
            .fold(Tags::NONE, |sum, c| sum | c.tags)
    });
    row.tags(
        sentence,
        &[
            tag::RUN,
            tag::CHECK,
            tag::TESTS,
            tag::TOOL | tag::BUILD | tag::LINT | tag::TYPES,
            tag::OKRES,
            tag::BADRES,
            tag::TRIVIAL,
            tag::LOGS,
            tag::DIFF,
            tag::MEASURE,
            tag::BASE,
            tag::ZERO,
            tag::NEG,
            tag::CONTRAST,
        ],
    );
    let count = |clause: &Clause, places: bool| {
        reading
            .tokens_of(clause)
            .iter()
            .filter(|t| match t.kind {
                TokenKind::Number => !places,
                TokenKind::Code | TokenKind::Path | TokenKind::Ident => places,
                _ => false,
            })
            .count()
    };
    row.push(clause.map_or(0, |c| small(count(c, false))));
    row.push(clause.map_or(0, |c| small(count(c, true))));
    // Most clauses hold neither figures nor places; where one ends is as good as random, so each is gone through once.
    let (mut figures, mut places) = (0, 0);
    let kinds = Kinds::NUMBER.or(Kinds::CODE).or(Kinds::PATH).or(Kinds::IDENT);
    for clause in reading.clauses.iter().filter(|c| c.kinds.any(kinds)) {
        for token in reading.tokens_of(clause) {
            figures += usize::from(token.kind == TokenKind::Number);
            places += usize::from(matches!(
                token.kind,
                TokenKind::Code | TokenKind::Path | TokenKind::Ident
            ));
        }
    }
    row.push(small(figures).min(8));
    row.push(small(places).min(8));
    let with = |tags: Tags| small(reading.clauses.iter().filter(|c| c.tags.any(tags)).count());
    row.push(with(tag::BADRES).min(3));
    row.push(with(tag::NEG).min(3));
    row.push(with(tag::CONTRAST).min(3));
    row.push(clause.map_or(0, |c| small(c.tokens.len()).min(30)));
    row.yes(clause.is_some_and(|c| c.language == Language::Korean));
    row.yes(clause.is_some_and(|c| in_list(reading, c)));
    row.margin(clause.map_or(0, |c| c.margins.talk));
    row.push(told.second_contrary);
    outcomes(reading, clause, row);
}

/// What the words and figures of the likeliest report's sentence, and of all that is said, tell of the outcome.
fn outcomes(reading: &Reading, best: Option<&Clause>, row: &mut Row<SUPPORT>) {
    let (mut here, mut all) = ([0; 8], [0; 8]);
    for clause in reading.clauses.iter().filter(|c| c.outcome != Outcome::default()) {
        if !reading.is_said(clause) {
            continue;
        }
        let Outcome {
            against,
            against_denied,
            good,
            good_denied,
            part,
            all: whole,
            better,
            worse,
        } = clause.outcome;
        let counts = [
            against,
            against_denied,
            good,
            good_denied,
            part,
            whole,
            better,
            worse,
        ];
        let same = best.is_some_and(|b| b.sentence == clause.sentence);
        for ((here, all), count) in here.iter_mut().zip(&mut all).zip(counts) {
            *here += if same { i32::from(count) } else { 0 };
            *all += i32::from(count);
        }
    }
    for sum in here.into_iter().chain(all) {
        row.push(sum.min(4));
    }
}

fn small(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX).min(30)
}

fn in_list(reading: &Reading, clause: &Clause) -> bool {
    let kind = reading.blocks.get(clause.block).map(|b| b.kind);
    matches!(kind, Some(BlockKind::ListItem { .. } | BlockKind::TableRow))
}

/// A margin as a figure.
pub(super) fn far(margin: i16) -> i32 {
    i32::from(margin).clamp(-FAR, FAR)
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

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_prose::read;

    #[test]
    fn what_is_told_of_verifications_stands_where_it_is_left_open() {
        let reading = read("Looks good to me. All 40 tests pass.");
        let row = |told: &Told| {
            Row::approval(&Sources {
                reading: &reading,
                verdicts: &Verdicts::default(),
                told,
                said: Some([1, 2]),
            })
        };
        let mut full = Told::default();
        full.best = [1; 2];
        for figure in [
            &mut full.raw,
            &mut full.refusal,
            &mut full.contrary,
            &mut full.denial,
            &mut full.second_contrary,
            &mut full.of_best,
            &mut full.net,
        ] {
            *figure = 1;
        }
        full.rules = [1; 7];
        for is in [
            &mut full.bad,
            &mut full.any,
            &mut full.object,
            &mut full.shown,
            &mut full.nothing,
        ] {
            *is = true;
        }
        full.clause = Some(0);
        let differ = row(&Told::default())
            .into_iter()
            .zip(row(&full))
            .map(|(a, b)| a != b);
        let bits = differ
            .enumerate()
            .fold(0, |bits, (at, differs)| bits | u64::from(differs) << at);
        assert_eq!(bits, TOLD);
    }
}
