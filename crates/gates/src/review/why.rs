//! Why a message was taken for an approval, and why nothing that it tells counted as evidence: in plain words, from what
//! the decision really used. For people, in `proctor explain` and the record; the agent is told something else.

use super::approval::Verdicts;
use super::decide::{APPROVES, Facts, Occasion, REPORTED};
use super::evidence::Evidence;
use super::standing::Fallen;
use super::told::Rule;
use crate::quote::quoted;
use proctor_prose::Reading;

/// Longest quotation of a clause, in characters.
const LONGEST: usize = 80;

/// Why an approval was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// What made the message an approval: the words, and the rule or the learned decision with its likelihood.
    pub approval: String,
    /// What was missing in what it reports, or spoke against it.
    pub evidence: String,
}

/// What the decision went by.
pub(super) struct Decided<'r> {
    pub(super) text: &'r str,
    pub(super) reading: &'r Reading,
    pub(super) verdicts: &'r Verdicts,
    pub(super) found: &'r Evidence,
    pub(super) facts: &'r Facts,
    /// How surely it gives the verdict, and how surely it says what that rests on.
    pub(super) score: Option<i32>,
    pub(super) support: &'r dyn Fn() -> Option<i32>,
    /// A line that bots read as a verdict.
    pub(super) command: bool,
    /// A bare answer to the task's question, which was for a review.
    pub(super) assent: bool,
    /// The message ends by giving the verdict in so many words.
    pub(super) performed: bool,
    /// What it tells is what the verdict waits for.
    pub(super) waits: bool,
    /// What most looks like a report stands where nothing is reported: in a form, behind an empty box, in an example.
    pub(super) unfilled: bool,
    /// What it reports is not of the work as it is.
    pub(super) fallen: Option<Fallen>,
    /// A result seems to speak against the approval.
    pub(super) contradicted: bool,
}

impl Decided<'_> {
    pub(super) fn why(&self) -> Why {
        Why {
            approval: self.approval(),
            evidence: self.evidence(),
        }
    }

    fn approval(&self) -> String {
        let first = self.verdicts.approvals.first();
        let said = first.map_or_else(String::new, |f| self.quoted(f.start, f.end));
        let learned = self.score.map(|s| (s, percent(s)));
        if self.command {
            let order = self.verdicts.approvals.iter().find(|f| f.stated);
            let said = order.map_or(said, |f| self.quoted(f.start, f.end));
            return format!("rule: {said} stands alone on a line, as bots read a verdict");
        }
        if self.assent {
            return format!("rule: {said} answers a task that asked for a review, and nothing else is said");
        }
        if self.verdicts.structured {
            let by = "rule: a verdict behind its label, in a field or alone in code is one";
            return match learned {
                Some((_, share)) => format!("{by}: {said} (learned decision: {share} % likely)"),
                None => format!("{by}: {said}"),
            };
        }
        let Some((score, share)) = learned else {
            return format!("rule: {said}");
        };
        if self.performed && !self.facts.formal() && score <= Occasion::Review.otherwise() {
            return format!(
                "rule: the message ends by giving the verdict: {said} (learned decision: {share} % likely)"
            );
        }
        let needed = if self.facts.formal() {
            format!(
                "over {} % is enough beside a word of approval in verdict position: {said}",
                percent(APPROVES)
            )
        } else if score > Occasion::Any.otherwise() {
            format!(
                "over {} % is enough whatever was asked for; no rule found a formal word of approval, the likeliest clause is {said}",
                percent(Occasion::Any.otherwise())
            )
        } else {
            format!(
                "over {} % is enough where a review was asked for, else {} %; no rule found a formal word of approval, the likeliest clause is {said}",
                percent(Occasion::Review.otherwise()),
                percent(Occasion::Any.otherwise())
            )
        };
        format!("learned decision over the whole message: {share} % likely, {needed}")
    }

    fn evidence(&self) -> String {
        let told = &self.found.told;
        let clause = told.clause.and_then(|i| self.reading.clauses.get(i));
        let nearest = clause.map_or_else(String::new, |c| {
            format!("; nearest to a report: {}", self.quoted(c.start, c.end))
        });
        if told.bad || self.found.contradicted {
            return format!("rule: a reported result speaks against the verdict{nearest}");
        }
        if let Some(fallen) = self.fallen {
            return format!("rule: {}{nearest}", fallen.why());
        }
        let Some(score) = (self.support)() else {
            return format!("rule: a reported result speaks against the verdict{nearest}");
        };
        let share = percent(score);
        if score > REPORTED {
            // The learned decision was content; a rule was not.
            let rule = if self.waits {
                "what looks like a report is what the verdict waits for"
            } else if self.unfilled {
                "what looks like a report stands in a form, behind an empty box or in an example"
            } else {
                "the writer says that nothing was run, and names nothing that was run or read"
            };
            return format!("rule: {rule} (learned decision: {share} % likely a report){nearest}");
        }
        let learned = format!(
            "learned decision over the whole message: {share} % likely that it tells what was verified, over {} % is needed",
            percent(REPORTED)
        );
        let holds = |rule: Rule| told.rules.get(rule as usize).is_some_and(|n| *n > 0);
        let lacks = if self.contradicted {
            "; a result seems to speak against the verdict"
        } else if holds(Rule::Report) {
            "; a report was found, but not taken to be about this verdict"
        } else if holds(Rule::Stated) {
            "; what is said to have been verified names neither a command nor a result nor a place"
        } else if holds(Rule::Denied) {
            "; a verification is named, and denied"
        } else if holds(Rule::Void) {
            "; a verification is named that is only planned, asked for, heard of or of no consequence"
        } else {
            "; no clause reports a verification"
        };
        format!("{learned}{lacks}{nearest}")
    }

    /// A stretch of the text in quotation marks, on one line and not too long.
    fn quoted(&self, start: usize, end: usize) -> String {
        quoted(self.text.get(start..end).unwrap_or_default(), LONGEST)
    }
}

/// The likelihood of a score in 1,024ths of a nat, in whole percent; nothing is certain.
fn percent(score: i32) -> u32 {
    let likely = 1.0 / (1.0 + (-f64::from(score) / 1024.0).exp());
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and 99"
    )]
    {
        (likely * 100.0).round().clamp(1.0, 99.0) as u32
    }
}
