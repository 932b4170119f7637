//! What the writer does with a clause: praise, confirm, announce, thank, or say something.
//!
//! The model of acts weighs the signals of a clause (its words and stems, what the lists say of them, its grammar,
//! its neighbours) and says how surely it is talk; the grammar's own weights of talk and content break the tie.
//! What is not said but shown, and machine markers, are never talk.

use crate::features::Features;
use crate::lexicon::tag;
use crate::model::{Margins, Model, Sums};
use crate::reading::{Clause, Reading};
use crate::scale::{Scale, weigh_all};
use crate::signals::{self, Heard, Sets, signals_of};
use crate::token::TokenKind;

/// What the writer does with a clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Act {
    /// Praises somebody else's work or person.
    Praise,
    /// Praises the speaker's own result.
    SelfPraise,
    /// Announces, restates or reports completion without any content.
    Filler,
    /// Confirms without adding anything.
    Confirmation,
    /// Greets, thanks, apologises, wishes, offers help.
    Courtesy,
    /// Announces something with choices, places, numbers or reasons.
    Plan,
    /// States something with content; also the answer when nothing else is certain.
    #[default]
    Fact,
    /// Asks something with content.
    Question,
    /// Gives a positive verdict: approve, LGTM, 승인. Whether it stands in verdict position, the reader must judge.
    Verdict,
    /// Reports a verification that was done, with its result.
    Evidence,
    /// Says, with content, that something is done.
    Completion,
    /// Gives a negative verdict or asks for changes.
    Refusal,
    /// Says what holds if, once or unless something else happens.
    Condition,
    /// Reports what somebody else says.
    Hearsay,
    /// Shows somebody's words.
    Quotation,
}

impl Act {
    /// All acts, in the order of the model's columns.
    pub const ALL: [Self; 15] = [
        Self::Praise,
        Self::SelfPraise,
        Self::Filler,
        Self::Confirmation,
        Self::Courtesy,
        Self::Plan,
        Self::Fact,
        Self::Question,
        Self::Verdict,
        Self::Evidence,
        Self::Completion,
        Self::Refusal,
        Self::Condition,
        Self::Hearsay,
        Self::Quotation,
    ];

    /// Its name in labelled files and findings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Praise => "praise",
            Self::SelfPraise => "self_praise",
            Self::Filler => "filler",
            Self::Confirmation => "confirmation",
            Self::Courtesy => "courtesy",
            Self::Plan => "plan",
            Self::Fact => "fact",
            Self::Question => "question",
            Self::Verdict => "verdict",
            Self::Evidence => "evidence",
            Self::Completion => "completion",
            Self::Refusal => "refusal",
            Self::Condition => "condition",
            Self::Hearsay => "hearsay",
            Self::Quotation => "quotation",
        }
    }

    /// Whether the clause adds nothing that the receiver does not know.
    #[must_use]
    pub const fn is_empty_talk(self) -> bool {
        matches!(
            self,
            Self::Praise | Self::SelfPraise | Self::Filler | Self::Confirmation | Self::Courtesy
        )
    }
}

/// Margin above which a clause is taken for talk. Higher than zero, because a false accusation costs more than a
/// miss.
const TALKS: i32 = 32;

/// The same where the grammar says so as well.
const LEANING: i32 = 22;
/// The same where every word is one that says nothing by itself: "I will handle the 3 files."
const HOLLOW: i32 = -40;
/// The same for a clause that holds something solid.
const SOLID: i32 = 64;

/// The same for the news that items of a list are done.
const ITEMS: i32 = 110;

/// What is added to all of them: such that of 100 refused messages of the test scenes at most 3 are wrongly so.
const CAREFUL: i32 = 31;

/// Decides the act of every clause.
pub(crate) fn classify(reading: &mut Reading, model: &Model<'_>) {
    Sets::with(|sets| classify_with(reading, model, sets));
}

fn classify_with(reading: &mut Reading, model: &Model<'_>, sets: &mut Sets) {
    let scales = weigh_all(reading, sets);
    let mut heard = Heard::with_room(reading.tokens.len(), reading.clauses.len());
    let mut sums = vec![Sums::default(); reading.clauses.len()];
    for index in 0..reading.clauses.len() {
        let outcome = signals::of(reading, &scales, index, sets, &mut heard);
        if let Some(clause) = reading.clauses.get_mut(index) {
            clause.outcome = outcome;
        }
        if !heard.keep()
            && let Some(sum) = sums.get_mut(index)
        {
            *sum = model.sums(heard.latest());
            settle(reading, model, &scales, index, sum, heard.latest());
        }
    }
    // One clause after the other, with nothing between them: the rows of the model lie far apart, and those of the next
    // clauses are fetched while the first ones are added up.
    for (index, sum) in sums.iter_mut().enumerate() {
        let Some(signals) = heard.kept(index) else { break };
        *sum = model.sums(signals);
    }
    for (index, sum) in sums.iter().enumerate() {
        let Some(signals) = heard.kept(index) else { break };
        settle(reading, model, &scales, index, sum, signals);
    }
    reading.heard = heard;
    by_sentence(reading, &sums);
    let mut whole = Sums::default();
    for (clause, sum) in reading.clauses.iter().zip(&sums) {
        if reading.is_said(clause) {
            whole.add(sum);
        }
    }
    reading.whole = whole.margins();
    for clause in &mut reading.clauses {
        // "I ran the tests and they all pass": a report, however glad.
        let report = clause.margins.evidence > 0 && i32::from(clause.margins.talk) < SOLID;
        let own = matches!(clause.act, Act::SelfPraise | Act::Filler | Act::Confirmation);
        if report && own {
            clause.act = content(clause);
        }
    }
}

/// Decides the act of a clause from the sums over its signals.
fn settle(
    reading: &mut Reading,
    model: &Model<'_>,
    scales: &[Scale],
    index: usize,
    sum: &Sums,
    signals: &[u32],
) {
    let scale = scales.get(index).copied().unwrap_or_default();
    let margins = sum.margins();
    let talk = reading
        .clauses
        .get(index)
        .is_some_and(|clause| talks(reading, clause, &scale, margins));
    let guess = if talk { model.talk(signals) } else { None };
    if let Some(clause) = reading.clauses.get_mut(index) {
        clause.margins = margins;
        clause.leans = leans(&scale);
        clause.act = guess.map_or_else(|| content(clause), |(act, _)| act);
    }
}

/// A report often takes a whole sentence: what was run in one clause, what came out in the next.
fn by_sentence(reading: &mut Reading, sums: &[Sums]) {
    let mut rest = reading.clauses.as_mut_slice();
    let mut sums = sums;
    while let Some(sentence) = rest.first().map(|c| c.sentence) {
        let count = rest.iter().take_while(|c| c.sentence == sentence).count();
        let (these, others) = rest.split_at_mut(count);
        let (parts, more) = sums.split_at(count.min(sums.len()));
        if count < 2 {
            // What a single clause says is what its sentence says.
            (rest, sums) = (others, more);
            continue;
        }
        let mut whole = Sums::default();
        parts.iter().for_each(|part| whole.add(part));
        let Margins {
            evidence,
            contrary,
            denied,
            ..
        } = whole.margins();
        for clause in these {
            clause.margins.evidence = evidence;
            clause.margins.contrary = contrary;
            clause.margins.denied = denied;
        }
        (rest, sums) = (others, more);
    }
}

/// Whether a clause announces or reports work in words without any content of their own.
fn hollow(reading: &Reading, clause: &Clause) -> bool {
    let empty = tag::GENERIC
        | tag::STOP
        | tag::PROCESS
        | tag::DONE
        | tag::BEGIN
        | tag::WORK
        | tag::FIRST
        | tag::YOU
        | tag::ACK
        | tag::EFFORT
        | tag::INTENS
        | tag::FUT;
    let told = Features::NEGATED
        .or(Features::CONDITIONAL)
        .or(Features::QUESTION)
        .or(Features::HEARSAY)
        .or(Features::MODAL);
    let mut numbers = 0;
    let all = reading.tokens_of(clause).iter().all(|token| match token.kind {
        TokenKind::Word | TokenKind::Hangul => {
            let own = tag::TECH | tag::CAUSE | tag::BADRES | tag::TESTS | tag::CONTRAST | tag::APPROVE;
            token.tags.any(empty) && !token.tags.any(own)
        }
        TokenKind::Number => {
            numbers += 1;
            numbers < 2
        }
        TokenKind::Punct(_) | TokenKind::Emoji | TokenKind::Mention => true,
        _ => false,
    });
    all && clause.tags.any(tag::PROCESS | tag::DONE | tag::BEGIN) && !clause.features.any(told)
}

/// Whether a clause is empty talk by the weights of the grammar alone.
fn leans(scale: &Scale) -> bool {
    scale.talk() >= 8 && scale.talk() > scale.content
}

/// Whether a clause is empty talk: by the model, with the grammar's weights as a tie-breaker.
fn talks(reading: &Reading, clause: &Clause, scale: &Scale, margins: Margins) -> bool {
    let shown = clause.features.any(Features::QUOTED.or(Features::STRUCK));
    let weights = (scale.talk() - scale.content).clamp(-12, 12);
    // Paths, figures and names of items weigh heavily against any wording.
    let needed = match scale.hard {
        // "3개 파일을 완료했습니다!" is a shout, whatever it counts.
        _ if scale.items && clause.features.has(Features::EXCLAMATION) => TALKS,
        _ if scale.items => ITEMS,
        _ if scale.denied => SOLID,
        8.. => SOLID,
        _ if leans(scale) && hollow(reading, clause) => HOLLOW,
        // Two ways of looking agree.
        _ if leans(scale) => LEANING,
        _ => TALKS,
    };
    // One advertising word alone is a label, not a statement.
    let label = scale.words == 1
        && clause.tags.any(tag::HYPE)
        && !clause.tags.any(tag::EXTRA)
        && !clause.features.has(Features::EXCLAMATION);
    // The user's own patterns count as the grammar weighs them.
    if clause.tags.any(tag::EXTRA) && leans(scale) {
        return !shown;
    }
    !shown && !label && i32::from(margins.talk) + weights > needed + CAREFUL && !is_marker(reading, clause)
}

/// The act of a clause that is no talk, as far as its grammar shows it.
fn content(clause: &Clause) -> Act {
    let features = clause.features;
    let margins = clause.margins;
    if features.any(Features::QUOTED.or(Features::STRUCK)) {
        Act::Quotation
    } else if features.has(Features::QUESTION) {
        Act::Question
    } else if margins.approval > 0 && margins.approval >= margins.refusal {
        Act::Verdict
    } else if margins.refusal > 0 {
        Act::Refusal
    } else if features.has(Features::HEARSAY) {
        Act::Hearsay
    } else if features.has(Features::CONDITIONAL) {
        Act::Condition
    } else if features.has(Features::FUTURE) {
        Act::Plan
    } else if clause.tags.any(tag::DONE) && features.has(Features::PAST) {
        Act::Completion
    } else {
        Act::Fact
    }
}

/// The acts of all clauses, those of content by the model as well.
pub(crate) fn acts(reading: &Reading, model: &Model<'_>) -> Vec<Act> {
    let shown =
        |clause: &Clause| clause.act.is_empty_talk() || matches!(clause.act, Act::Question | Act::Quotation);
    let mut acts: Vec<Act> = reading.clauses.iter().map(|clause| clause.act).collect();
    let open = |index: &usize| reading.clauses.get(*index).is_some_and(|clause| !shown(clause));
    signals_of(reading, (0..acts.len()).filter(open), |index, signals| {
        let guess = model.act(signals, |act| !act.is_empty_talk());
        if let (Some(act), Some((guess, _))) = (acts.get_mut(index), guess) {
            *act = guess;
        }
    });
    acts
}

/// A bare machine marker: `TASK_COMPLETE`, `ACK 7f3`, `NEEDS_REVIEW: …`.
fn is_marker(reading: &Reading, clause: &Clause) -> bool {
    let tokens = reading.tokens_of(clause);
    let Some(first) = tokens.first() else { return false };
    let word = reading.word(first);
    // A whole message of one word, as a protocol asks for it.
    let whole = reading.clauses.len() == 1
        && !clause.features.has(Features::EXCLAMATION)
        && tokens.iter().skip(1).all(|t| t.is_punct('.') || t.is_punct('\n'));
    if whole && (first.caps && word == "done" || word == "완료") {
        return true;
    }
    if first.caps && first.kind == TokenKind::Ident && word.contains('_') {
        return true;
    }
    first.caps
        && matches!(word, "ack" | "nack" | "done" | "ok")
        && !clause.features.has(Features::EXCLAMATION)
        && tokens.len() > 1
        && tokens.iter().skip(1).all(|t| {
            matches!(
                t.kind,
                TokenKind::Ident | TokenKind::Path | TokenKind::Number | TokenKind::Punct(_)
            )
        })
}
