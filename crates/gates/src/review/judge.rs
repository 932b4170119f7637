//! Does a text approve, and does it say what that rests on?

use super::decide::{Facts, Occasion, REPORTED, Sources};
use super::field::{self, Answer, Field};
use super::forest::Forests;
use super::sentence::Sentences;
use super::standing::Fallen;
use super::why::{Decided, Why};
use super::{
    approval, bare, beside, bots, closed, closing, evidence, fenced, given, naught, performed, refusal,
    sentence, standing, taken, wording,
};
use crate::answer;
use crate::response::wording::{ONLY_ENDS, OTHER_LANGUAGE};
use proctor_kernel::{Span, Verdict};
use proctor_policy::ReviewSettings;
use proctor_prose::{BlockKind, Clause, Extra, Kinds, Reading, open_fence, read_shared};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What the gate thinks of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Whether the text may go on.
    pub verdict: Verdict,
    /// Whether the writer approves now.
    pub is_approval: bool,
    /// Whether the approval is written as a verdict is (`VERDICT: …`, a field, APPROVE, 승인), not as a remark that
    /// amounts to one ("looks good", LGTM).
    pub stated: bool,
    /// Whether it is the verdict of somebody else, handed on.
    pub relayed: bool,
    /// Whether the writer refuses, or is not willing to approve.
    pub refuses: bool,
    /// The words that approve, in verdict position, labelled `approval`.
    pub approvals: Vec<Span>,
    /// Where the verdict stands, for its replacement: the words that are verdicts, one of each clause; remarks
    /// that amount to a verdict ("looks good") only when the text holds no such word.
    pub(super) verdicts: Vec<(usize, usize)>,
    /// What closes a code fence that the text leaves open.
    pub(super) fence: Option<String>,
    /// The reported verifications, labelled by class: `tests`, `build`, `types`, `lint`, `diff`, `logs`,
    /// `measured`, `reading`, `manual`, `stated`.
    pub evidence: Vec<Span>,
    /// A reported result speaks against the approval.
    pub contradicted: bool,
    /// The figures that decided.
    pub facts: Facts,
    /// Whether the text is mainly Korean.
    pub korean: bool,
    /// What of the text was not judged: all of it, when it is written in a language that is not read here (it passes
    /// then), or the middle of one that is longer than two MiB or has more than
    /// 8,192 clauses or 163,840 marks and blanks.
    pub not_judged: Option<&'static str>,
    /// For people: why it was taken for an approval and why nothing counted as evidence. `None` when the text passes.
    pub why: Option<Why>,
    /// For the agent: what was refused and what to write instead. `None` when the text passes.
    pub feedback: Option<String>,
}

impl Judgement {
    /// What its verdicts are replaced with: `NEEDS_REVIEW`, or `false` where the value of a field is `true`.
    pub(super) fn edits(&self) -> Vec<(usize, usize, String)> {
        let truths: BTreeSet<usize> = self
            .approvals
            .iter()
            .filter(|s| s.text == "true")
            .map(|s| s.start)
            .collect();
        let verdicts = self.verdicts.iter();
        verdicts
            .map(|(start, end)| {
                let word = if truths.contains(start) {
                    "false"
                } else {
                    "NEEDS_REVIEW"
                };
                (*start, *end, word.to_owned())
            })
            .collect()
    }

    /// The same for a text that turns out to answer something else than a review.
    pub(super) fn withdrawn(self) -> Self {
        Self {
            verdict: Verdict::Pass,
            is_approval: false,
            stated: false,
            relayed: false,
            approvals: Vec::new(),
            verdicts: Vec::new(),
            fence: None,
            feedback: None,
            ..self
        }
    }
}

/// Judges a text of any occasion. Pure, and linear in its length.
#[must_use]
pub fn judge(text: &str, settings: &ReviewSettings) -> Judgement {
    judge_on(text, settings, &|| Occasion::Any)
}

/// Judges a text. The occasion is asked for when it matters.
#[must_use]
pub fn judge_on(text: &str, settings: &ReviewSettings, occasion: &dyn Fn() -> Occasion) -> Judgement {
    let reading = read_shared(text, &Extra::default());
    judge_with(text, &reading, settings, occasion, &Forests::trained())
}

/// Judges a text of any occasion that has been read.
#[must_use]
pub fn judge_reading(text: &str, reading: &Reading, settings: &ReviewSettings) -> Judgement {
    judge_with(text, reading, settings, &|| Occasion::Any, &Forests::trained())
}

/// Judges a text as a gate needs it: as [`judge_on`], but of a text that approves nothing neither `evidence` nor
/// `contradicted` nor `facts` is told, which saves half of the work, and of none the `feedback`.
#[must_use]
pub(super) fn judge_verdict(
    text: &str,
    settings: &ReviewSettings,
    occasion: &dyn Fn() -> Occasion,
) -> Judgement {
    let reading = read_shared(text, &Extra::default());
    judge_for(
        Told::Approvals,
        text,
        &reading,
        settings,
        occasion,
        &Forests::trained(),
    )
}

/// Judges a text that has been read, with forests of one's own: for training and validation.
#[must_use]
pub fn judge_with(
    text: &str,
    reading: &Reading,
    settings: &ReviewSettings,
    occasion: &dyn Fn() -> Occasion,
    forests: &Forests<'_>,
) -> Judgement {
    judge_for(Told::All, text, reading, settings, occasion, forests)
}

/// Of which texts it is told what they report.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    All,
    /// Only of those that approve.
    Approvals,
}

fn judge_for(
    told: Told,
    text: &str,
    reading: &Reading,
    settings: &ReviewSettings,
    occasion: &dyn Fn() -> Occasion,
    forests: &Forests<'_>,
) -> Judgement {
    if let Some(open) = fenced::opened(text, reading) {
        let reading = read_shared(&open, &Extra::default());
        // Without its marks it is no fence any more, so this is the last time.
        return judge_for(told, &open, &reading, settings, occasion, forests);
    }
    let sentences = Sentences::of(reading);
    let mut verdicts = approval::find(text, reading, &sentences);
    // A refusal settles it without the nets.
    let said = (told == Told::All || !verdicts.refused)
        .then(|| Facts::heard(reading, &verdicts, &forests.nets))
        .flatten();
    let weigh = |verdicts: &approval::Verdicts| {
        let found = evidence::find(text, reading, &sentences);
        let facts = Facts::of(&Sources {
            reading,
            verdicts,
            told: &found.told,
            said: said.or_else(|| Facts::heard(reading, verdicts, &forests.nets)),
        });
        (found, facts)
    };
    // Where the forest finds no approval, only a rule can below, and what it rests on is looked for then.
    let may =
        told == Told::All || said.is_some_and(|said| Facts::may_approve(reading, &verdicts, said, forests));
    let later = (!may).then(|| verdicts.clone());
    let (mut found, mut facts) = if may { weigh(&verdicts) } else { Default::default() };
    let mut score = facts.approval(forests);
    let mut is_approval = facts.approves(score, occasion) || verdicts.structured && !verdicts.refused;
    let fields = field::all(text, reading);
    let bots::Orders { given: orders, taken } = if fields.orders {
        bots::find(text, reading)
    } else {
        bots::Orders::default()
    };
    if let Some(end) = taken {
        verdicts.approvals.retain(|found| found.start >= end);
        is_approval &= !verdicts.approvals.is_empty();
    }
    let command = !orders.is_empty() && !verdicts.refused && !verdicts.unwilling;
    // A name in a trailer is written in no language.
    let foreign = reading.is_foreign() && !(command && bots::is_all(text, &orders));
    if command {
        is_approval = true;
        verdicts
            .approvals
            .retain(|found| !orders.iter().any(|o| (o.start..o.end).contains(&found.start)));
        verdicts.approvals.extend(orders);
        verdicts.approvals.sort_by_key(|found| found.start);
    }
    let performed = performed::find(reading, occasion).filter(|_| !verdicts.refused && !verdicts.unwilling);
    if let Some(said) = performed.filter(|_| !is_approval) {
        is_approval = true;
        verdicts.approvals.retain(|found| found.clause != said.clause);
        verdicts.approvals.push(approval::Found {
            start: said.verdict.0,
            end: said.verdict.1,
            clause: said.clause,
            formal: false,
            stated: false,
            relayed: false,
        });
    }
    is_approval &= answered(&mut verdicts, &fields.all);
    is_approval = in_data(&mut verdicts, is_approval, text, reading, &found, occasion);
    let last = verdicts.approvals.iter().map(|f| f.end).max();
    let taken_back = is_approval && last.is_some_and(|last| taken::after(reading, last));
    let named = is_approval || !verdicts.approvals.is_empty();
    let blocking = named && (0..reading.blocks.len()).any(|at| taken::blocks(text, reading, at));
    if taken_back || blocking {
        verdicts.refused |= blocking;
        verdicts.unwilling |= taken_back;
        is_approval = false;
    }
    // The verdict of a form that nobody filled in is none.
    is_approval = is_approval
        && !only_leave(&verdicts, reading)
        && (!verdicts.approvals.is_empty() || !is_blank(reading));
    let open = !is_approval && !verdicts.refused && !verdicts.unwilling;
    let assent = open && answer::assents(reading) && occasion() == Occasion::Review;
    is_approval |= assent;
    let stated = verdicts.approvals.iter().any(|f| f.formal);
    is_approval = is_approval
        && !bare::broken_off(&mut verdicts, text, reading)
        && (assent || stated || !bare::says_nothing(reading));
    if is_approval && verdicts.approvals.is_empty() {
        let likeliest = verdicts.likeliest(reading).or_else(|| approval::first(reading));
        verdicts.approvals.extend(likeliest);
    }
    // "Evidence: none" beside a verdict is the lack of evidence, not a second verdict.
    if is_approval && verdicts.approvals.iter().any(|f| f.formal) {
        let empty = |f: &approval::Found| field::is_empty(text.get(..f.end).unwrap_or_default());
        verdicts.approvals.retain(|f| f.formal || !empty(f));
    }
    if let Some(verdicts) = later.filter(|_| is_approval) {
        (found, facts) = weigh(&verdicts);
        score = facts.approval(forests);
    }
    let support = OnceCell::new();
    let support = || *support.get_or_init(|| facts.support(forests));
    let span = |start: usize, end: usize, label: &str| Span {
        start,
        end,
        text: text.get(start..end).unwrap_or_default().to_owned(),
        label: label.to_owned(),
    };
    let approvals = if is_approval {
        verdicts
            .approvals
            .iter()
            .map(|f| span(f.start, f.end, "approval"))
            .collect()
    } else {
        Vec::new()
    };
    // What stands in a form that nobody filled in, behind a box that nobody ticked, or among examples, was not done.
    let empty = |clause: &Clause| {
        text.get(clause.start..clause.end)
            .is_some_and(|words| words.starts_with("[ ]"))
            || sentence::holds_placeholder(reading, clause)
            || sentences.of_clause(clause).example && !clause.kinds.any(Kinds::NUMBER)
    };
    let unfilled = is_approval && found.reports.is_empty() && {
        let likeliest = found.told.clause.and_then(|i| reading.clauses.get(i));
        let looks = reading.clauses.iter().max_by_key(|c| c.margins.evidence);
        likeliest.is_some_and(empty) || looks.is_some_and(empty)
    };
    let short = if is_approval && !found.contradicted && !found.told.bad {
        closed::report(reading)
    } else {
        None
    };
    // What a verdict waits for was not seen; what stands in other sentences may have been.
    let waits =
        performed.is_some_and(|said| said.conditional && found.reports.iter().all(|r| r.start >= said.start));
    let learned = is_approval
        && (found.told.shown && !found.contradicted
            || support().is_some_and(|score| score > REPORTED)
                && !unfilled
                && !waits
                && (found.told.object || !found.told.nothing)
            || short.is_some());
    // Where the models see no report, one may stand there all the same: figures that got better.
    let plain = is_approval && !learned && !(found.contradicted || found.told.bad || unfilled || waits);
    let beside = plain.then(|| beside::measured(reading)).filter(|b| !b.is_empty());
    let rests = learned || beside.is_some();
    let reports = beside.unwrap_or_else(|| found.reports.clone());
    let fallen = (rests && !found.told.shown)
        .then(|| standing::fallen(reading, &reports, found.told.clause))
        .flatten()
        .or_else(|| ((rests || is_approval) && naught::happened(reading)).then_some(Fallen::Naught));
    let supported = fallen.is_none() && rests;
    let mut evidence: Vec<Span> = reports.iter().map(|r| span(r.start, r.end, r.class)).collect();
    if let Some(report) = short.filter(|_| evidence.is_empty()) {
        evidence.push(span(report.start, report.end, report.class));
    }
    // What is read between the words of the lists has a place as well.
    if let Some(clause) = found.told.clause.and_then(|i| reading.clauses.get(i))
        && is_approval
        && supported
        && evidence.is_empty()
    {
        evidence.push(span(clause.start, clause.end, "stated"));
    }
    if is_approval && supported && !found.told.shown {
        named_as_claimed(&mut evidence, text, reading);
    }
    let mut contradicted = found.contradicted || matches!(fallen, Some(Fallen::Worse | Fallen::Naught));
    if is_approval && !supported && !evidence.is_empty() {
        contradicted |= facts.contrary();
        evidence.clear();
    }
    let blocked = is_approval && !foreign && settings.require_evidence && !supported;
    let why = blocked.then(|| {
        let decided = Decided {
            text,
            reading,
            verdicts: &verdicts,
            found: &found,
            facts: &facts,
            score,
            support: &support,
            command,
            assent,
            performed: performed.is_some(),
            waits,
            unfilled,
            fallen,
            contradicted,
        };
        decided.why()
    });
    let mut judgement = Judgement {
        verdict: if blocked { Verdict::Block } else { Verdict::Pass },
        is_approval,
        stated: is_approval && verdicts.approvals.iter().any(|f| f.stated),
        relayed: is_approval && verdicts.approvals.iter().any(|f| f.relayed),
        refuses: verdicts.refused || verdicts.unwilling,
        approvals,
        verdicts: if is_approval {
            places(&verdicts.approvals)
        } else {
            Vec::new()
        },
        // Only a block of code can be left open, and only the last block.
        fence: if blocked && (reading.is_partial() || ends_in_code(reading)) {
            open_fence(text)
        } else {
            None
        },
        evidence,
        contradicted,
        facts,
        korean: reading.mainly_korean(),
        not_judged: if foreign {
            Some(OTHER_LANGUAGE)
        } else {
            reading.is_partial().then_some(ONLY_ENDS)
        },
        why,
        feedback: None,
    };
    // Who asks for the verdict alone words it by himself.
    if blocked && told == Told::All {
        judgement.feedback = Some(wording::feedback(&judgement));
    }
    judgement
}

/// Whether the last block of a text is code.
fn ends_in_code(reading: &Reading) -> bool {
    reading.blocks.last().is_some_and(|b| b.kind == BlockKind::Code)
}

/// Gives reports the class of the claim that they make, where none of them has the class of a check: "No type errors" is
/// one of types for the gate `approval`, and so it is here.
fn named_as_claimed(evidence: &mut Vec<Span>, text: &str, reading: &Reading) {
    let of_check = |span: &Span| matches!(span.label.as_str(), "tests" | "build" | "types" | "lint");
    if evidence.iter().any(of_check) {
        return;
    }
    let mut more = Vec::new();
    for report in beside::claimed(text, reading) {
        let same = evidence.binary_search_by_key(&report.start, |s| s.start).ok();
        match same.and_then(|at| evidence.get_mut(at)) {
            Some(span) => span.label = report.class.to_owned(),
            None => more.push(Span {
                start: report.start,
                end: report.end,
                text: text.get(report.start..report.end).unwrap_or_default().to_owned(),
                label: report.class.to_owned(),
            }),
        }
    }
    evidence.append(&mut more);
    evidence.sort_by_key(|s| s.start);
}

/// Whether what most looks like a verdict is a form to fill in: `VERDICT: <APPROVE or NEEDS_REVIEW>`.
fn is_blank(reading: &Reading) -> bool {
    let verdict = reading.clauses.iter().max_by_key(|c| c.margins.accepts);
    verdict.is_some_and(|clause| sentence::holds_placeholder(reading, clause))
}

/// Whether the fields that ask for an approval leave the text one: `approved: false` refuses, `approved: pending`
/// does not approve. The last word counts.
fn answered(verdicts: &mut approval::Verdicts, fields: &[Field]) -> bool {
    let (given, others): (Vec<&Field>, Vec<&Field>) = fields.iter().partition(|f| f.answer == Answer::Given);
    let Some(last) = others.last() else {
        return true;
    };
    // The fields and the words lie in their order in the text.
    let before = verdicts.approvals.len();
    let mut at = others.iter().peekable();
    verdicts.approvals.retain(|found| {
        while at.next_if(|f| f.end <= found.start).is_some() {}
        at.peek().is_none_or(|f| !f.holds(found.start))
    });
    // What is said of a check takes away what it says itself, and nothing else.
    if others.iter().all(|f| f.check) {
        return before == 0 || !verdicts.approvals.is_empty();
    }
    let later = given.last().is_some_and(|f| f.start >= last.end)
        || verdicts.approvals.iter().any(|f| f.stated && f.start >= last.end);
    let denied = others.iter().any(|f| f.answer == Answer::Denied && !f.check);
    verdicts.refused |= denied && !later;
    later || !denied && verdicts.approvals.iter().any(|f| f.formal)
}

/// Whether all that approves in a text is leave to close or to leave what is no work, or an order to mend it.
fn only_leave(verdicts: &approval::Verdicts, reading: &Reading) -> bool {
    let leave = |at: usize| {
        let clause = reading.clauses.get(at);
        clause.is_some_and(|c| closing::is_leave(reading, c) || closing::is_order_to_mend(reading, c))
    };
    if verdicts.approvals.is_empty() {
        return verdicts
            .likeliest(reading)
            .is_some_and(|found| leave(found.clause));
    }
    verdicts
        .approvals
        .iter()
        .all(|found| !found.stated && leave(found.clause))
}

/// Whether the text approves, with what its data says: a field that gives the verdict gives it, one that refuses wins.
fn in_data(
    verdicts: &mut approval::Verdicts,
    is_approval: bool,
    text: &str,
    reading: &Reading,
    found: &evidence::Evidence,
    occasion: &dyn Fn() -> Occasion,
) -> bool {
    let Some(given) = given::find(text, reading, found, occasion) else {
        return is_approval;
    };
    if given.chosen {
        let unticked = |block: usize| {
            let kind = reading.blocks.get(block).map(|b| b.kind);
            matches!(
                kind,
                Some(BlockKind::ListItem {
                    checked: Some(false),
                    ..
                })
            )
        };
        let mut others = reading.clauses.iter().filter(|c| !unticked(c.block));
        let refuses = others
            .any(|c| refusal::refuses(reading, c, reading.tokens_of(c), true) != refusal::Refusal::None);
        verdicts.refused &= refuses;
        verdicts.unwilling &= refuses;
    }
    verdicts.refused |= given.answer == Answer::Denied;
    if verdicts.refused || verdicts.unwilling && !is_approval {
        return false;
    }
    // Where words of the text are a verdict as well, they are replaced, as they always were.
    if !(is_approval && verdicts.approvals.iter().any(|f| f.stated)) {
        let clause = reading.clauses.partition_point(|c| c.start <= given.start);
        verdicts.approvals = vec![approval::Found {
            start: given.start,
            end: given.end,
            clause: clause.saturating_sub(1),
            formal: true,
            stated: true,
            relayed: false,
        }];
    }
    true
}

/// The verdicts to replace.
fn places(found: &[approval::Found]) -> Vec<(usize, usize)> {
    let formal = found.iter().any(|f| f.formal);
    let mut out = Vec::new();
    let mut clause = None;
    for verdict in found.iter().filter(|f| f.formal || !formal) {
        if clause != Some(verdict.clause) {
            out.push((verdict.start, verdict.end));
        }
        clause = Some(verdict.clause);
    }
    out
}
