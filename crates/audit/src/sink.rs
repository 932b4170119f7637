//! Where the readers of conversations put what they count: the session, its days, the worst examples.

use crate::Options;
use crate::commands;
use crate::figures::{Figures, MetricId, Texts};
use crate::judge::{Approval, Assignment, Claims, Filler, Judge, Scope};
use crate::report::{Example, Worst, shorten};
use proctor_kernel::{Audience, CheckKinds};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Length of a quote in a report, in characters.
const QUOTE: usize = 240;

/// Where something stands in a transcript.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) time: String,
    /// Whether it counts; `false` for what an earlier file has already.
    pub(crate) counts: bool,
}

/// Which conversation it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Who<'a> {
    pub(crate) session: &'a str,
    pub(crate) agent: Option<&'a str>,
    pub(crate) file: &'a str,
}

/// What a conversation has changed and verified so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// A file was edited.
    pub(crate) edited: bool,
    /// What succeeded after the last edit.
    pub(crate) support: CheckKinds,
}

/// Prompts of subagents: each stands in the parent's transcript and in the subagent's own, and must be
/// counted once.
#[derive(Debug, Default)]
pub(crate) struct Prompts {
    /// Begun conversations that wait for their place in a parent, by digest of the prompt.
    seen: HashMap<u64, u32>,
    /// Calls in a parent that wait for their conversation.
    called: HashMap<u64, u32>,
    /// All prompts with which a conversation began.
    begun: HashSet<u64>,
}

impl Prompts {
    /// A subagent's conversation begins with this prompt. Returns whether the prompt is new.
    pub(crate) fn begins(&mut self, prompt: u64) -> bool {
        self.begun.insert(prompt);
        let new = !take(&mut self.called, prompt);
        if new {
            *self.seen.entry(prompt).or_default() += 1;
        }
        new
    }

    /// A parent calls a subagent with this prompt. Returns whether the prompt is new.
    pub(crate) fn called(&mut self, prompt: u64) -> bool {
        let new = !take(&mut self.seen, prompt);
        if new {
            *self.called.entry(prompt).or_default() += 1;
        }
        new
    }

    /// Whether the conversation that began with this prompt is known.
    pub(crate) fn has_begun(&self, prompt: u64) -> bool {
        self.begun.contains(&prompt)
    }
}

fn take(counts: &mut HashMap<u64, u32>, key: u64) -> bool {
    match counts.get_mut(&key) {
        Some(n) if *n > 0 => {
            *n -= 1;
            true
        }
        _ => false,
    }
}

/// A digest of a text for look-ups within one run.
pub(crate) fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The sort of text that [`Sink::filler`] reads as a delegation.
pub(crate) const PROMPT: &str = "prompt";

/// Counters and examples, shared by all conversations of a session.
pub(crate) struct Sink<'a> {
    pub(crate) judge: &'a dyn Judge,
    pub(crate) options: &'a Options,
    /// Of the session at hand.
    pub(crate) figures: Figures,
    pub(crate) days: BTreeMap<String, Figures>,
    pub(crate) worst: Worst,
    /// Of the session at hand.
    pub(crate) prompts: Prompts,
    /// What the session's subagents ended with, by agent id.
    pub(crate) agents: HashMap<String, Work>,
}

impl Sink<'_> {
    pub(crate) fn count(&mut self, place: &Place, change: impl Fn(&mut Figures)) {
        if !place.counts {
            return;
        }
        change(&mut self.figures);
        if let Some(day) = day(&place.time) {
            match self.days.get_mut(day) {
                Some(figures) => change(figures),
                None => change(self.days.entry(day.to_owned()).or_default()),
            }
        }
    }

    pub(crate) fn example(
        &mut self,
        who: &Who<'_>,
        place: &Place,
        metric: MetricId,
        weight: f64,
        what: impl FnOnce() -> String,
        quote: &str,
    ) {
        if !place.counts {
            return;
        }
        let quotes = self.options.quotes;
        self.worst.offer(weight, metric, || Example {
            metric,
            weight,
            what: shorten(&what(), QUOTE),
            quote: quotes.then(|| shorten(quote, QUOTE)),
            repeats: 0,
            session: shorten(who.session, 80),
            agent: who.agent.map(|a| shorten(a, 80)),
            file: shorten(who.file, 1000),
            line: place.line,
            time: shorten(&place.time, 40),
        });
    }

    /// Counts the filler of a text; `pick` says where.
    pub(crate) fn filler(
        &mut self,
        who: &Who<'_>,
        place: &Place,
        text: &str,
        audience: Audience,
        sort: &str,
        pick: fn(&mut Figures) -> &mut Texts,
    ) {
        let judge = self.judge;
        let found = if sort == PROMPT {
            guarded(|| judge.prompt(text)).map(|(filler, approval)| {
                self.approved(who, place, approval, text);
                filler
            })
        } else {
            guarded(|| judge.filler(text, audience))
        };
        let Some(Filler { prose, filler, over }) = found else {
            return self.count(place, |f| f.not_judged += 1);
        };
        self.count(place, |f| {
            let texts = pick(f);
            texts.messages += 1;
            texts.over += u64::from(over);
            texts.prose += prose;
            texts.filler += filler;
        });
        if over && audience == Audience::Agent && sort != "note" {
            #[expect(clippy::cast_precision_loss, reason = "lengths of texts")]
            let (weight, share) = (filler as f64, filler as f64 / prose.max(1) as f64);
            let what = || format!("{} of the {sort} is filler", crate::figures::percent(share));
            self.example(who, place, MetricId::Flattery, weight, what, text);
        }
    }

    /// Counts what an answer approves and, when `work` is known, what it claims.
    pub(crate) fn answer(
        &mut self,
        who: &Who<'_>,
        place: &Place,
        text: &str,
        audience: Audience,
        work: Option<Work>,
    ) {
        let judge = self.judge;
        let Some((approval, claims)) = guarded(|| judge.answer(text)) else {
            return self.count(place, |f| f.not_judged += 1);
        };
        // What is remarked to a person approves nothing.
        if audience == Audience::Agent || approval.stated {
            self.approved(who, place, approval, text);
        }
        if let Some(work) = work {
            self.claims(who, place, &claims, work);
        }
    }

    fn approved(&mut self, who: &Who<'_>, place: &Place, approval: Approval, text: &str) {
        if !approval.approves {
            return;
        }
        self.count(place, |f| {
            f.approvals += 1;
            f.empty_approvals += u64::from(!approval.evidence);
        });
        if !approval.evidence {
            let what = || "approves without reporting a verification".to_owned();
            self.example(who, place, MetricId::EmptyApprovals, 1.0, what, text);
        }
    }

    fn claims(&mut self, who: &Who<'_>, place: &Place, claims: &Claims, work: Work) {
        let Claims {
            completion,
            verified,
            words,
        } = claims;
        // Saying "done" after an answer or a reading needs no test; saying "tests pass" always does.
        if verified.is_empty() && !(*completion && work.edited) {
            return;
        }
        let supported = if verified.is_empty() {
            !work.support.is_empty()
        } else {
            commands::supports(work.support, *verified)
        };
        self.count(place, |f| {
            f.claims += 1;
            f.unverified += u64::from(!supported);
        });
        if !supported {
            let what = || {
                let claim = if verified.is_empty() {
                    "completion".to_owned()
                } else {
                    commands::words(*verified)
                };
                let seen = if work.edited {
                    "after the last edit"
                } else {
                    "in this conversation"
                };
                format!("claims {claim}; no successful run of that kind seen {seen}")
            };
            // Claims of a verification weigh more than a mere "done".
            let weight = if verified.is_empty() { 1.0 } else { 2.0 };
            self.example(who, place, MetricId::Unverified, weight, what, words);
        }
    }

    pub(crate) fn assignment(&mut self, prompt: &str) -> Assignment {
        let judge = self.judge;
        guarded(|| judge.assignment(prompt)).unwrap_or_default()
    }

    pub(crate) fn scope(&mut self, assignment: &Assignment, changed: &[String]) -> Option<Scope> {
        let judge = self.judge;
        guarded(|| judge.scope(assignment, changed))
    }
}

/// The day (UTC) of a time such as `2026-11-20T22:49:34.582Z`.
fn day(time: &str) -> Option<&str> {
    let day = time.get(..10)?;
    day.bytes()
        .enumerate()
        .all(|(i, b)| {
            if matches!(i, 4 | 7) {
                b == b'-'
            } else {
                b.is_ascii_digit()
            }
        })
        .then_some(day)
}

/// Runs a judgement; a panic in it is one text that could not be judged, not the end of the audit.
fn guarded<T>(judge: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or(None)
}
