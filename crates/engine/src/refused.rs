//! What a refusal says reaches the one who is refused: in the answer that holds the turn back, and with the next prompt.

use crate::decide::Ruling;
use crate::review::{Review, ReviewStatus, ReviewVerdict, VerdictEntry};
use crate::session::{Change, SessionState};
use crate::{Clock, Engine};
use proctor_kernel::{Action, Event, EventTag, Note, shown};
use std::fmt::Write as _;

/// Most findings that are named in an answer.
pub(crate) const NAMED: usize = 8;

/// Most characters of a reviewer's words, and of a finding's text, that are told.
const WORDS: usize = 600;
const TEXT: usize = 300;

/// The refusal that a review stands at, also where it was asked for again and what was found is open.
fn refusal(review: &Review) -> Option<&VerdictEntry> {
    let again = matches!(review.status, ReviewStatus::Pending | ReviewStatus::InReview);
    let refused = review.status == ReviewStatus::Rejected || again && review.open_findings().next().is_some();
    let mut verdicts = review.verdicts.iter().rev().filter(|_| refused);
    verdicts.find(|v| v.verdict == ReviewVerdict::Reject)
}

/// What a refused review says, one line each: the words of the refusal, the open findings, and how they are settled.
#[must_use]
pub fn said(review: &Review) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(verdict) = refusal(review).filter(|v| !v.words.trim().is_empty()) {
        lines.push(format!(
            "Refused by {}: {}",
            verdict.reviewer.in_words(),
            shortened(&verdict.words, WORDS)
        ));
    }
    // What came of asking again without an answer to that.
    if let Some(why) = review.failures.last().filter(|_| review.failed) {
        lines.push(format!(
            "The review after that could not run: {}. That is no verdict.",
            shortened(why, TEXT)
        ));
    } else if review.lacking.as_ref().is_some_and(|lacking| lacking.asked) {
        lines.push("A reviewer approved it, and that does not count while a finding is open.".to_owned());
    }
    lines.extend(findings(review));
    if let Some(first) = review.open_findings().next() {
        lines.push(format!(
            "Settle each when it is mended, or answer it: `proctor review settle {} --how fixed -m \"how\"` (or `--how answered`).",
            first.id
        ));
    }
    lines
}

/// A review's open findings, one line each.
pub(crate) fn findings(review: &Review) -> Vec<String> {
    let mut lines: Vec<String> = review
        .open_findings()
        .take(NAMED)
        .map(|f| {
            let place = match (&f.path, f.line) {
                (Some(path), Some(line)) => format!("{}:{line}: ", shown(path)),
                (Some(path), None) => format!("{}: ", shown(path)),
                _ => String::new(),
            };
            let confirms = f.opinions.iter().filter(|o| o.confirms).count();
            let asked = match f.opinions.len() {
                0 => String::new(),
                all => format!(", {confirms} of {all} other reviewers confirm it"),
            };
            format!("- {place}{} (finding {}{asked})", shortened(&f.text, TEXT), f.id)
        })
        .collect();
    let more = review.open_findings().count().saturating_sub(NAMED);
    if more > 0 {
        lines.push(format!("- and {more} more: `proctor review status`"));
    }
    lines
}

/// A text on one line, and not longer than that many characters.
fn shortened(text: &str, most: usize) -> String {
    let mut out: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = out.char_indices().nth(most) {
        out.truncate(at);
        out.push('…');
    }
    out
}

impl<C: Clock> Engine<C> {
    /// Adds what a refusal says to an answer that holds the turn back for it, and tells it once with the next prompt
    /// where no answer did.
    pub(crate) fn tell_refusal(&self, event: &Event, state: &SessionState, ruling: &mut Ruling) {
        let reports = &ruling.decision.reports;
        let held = ruling.decision.action == Action::Block
            && reports
                .iter()
                .flat_map(|r| &r.findings)
                .any(|f| f.rule == "approval/rejected");
        let prompted = event.kind.tag() == EventTag::Prompt && event.agent.is_none();
        if !held && !prompted {
            return;
        }
        let session = format!("{}-{}", event.host, event.session);
        let Ok(book) = self.reviews() else { return };
        let Some((review, verdict)) = book.of_session(&session).and_then(|r| Some((r, refusal(r)?))) else {
            return;
        };
        let told = verdict.record.clone().is_some_and(|record| {
            state.refusal.as_ref() == Some(&record)
                || ruling.changes.contains(&Change::RefusalTold { record })
        });
        if held {
            let reason = &mut ruling.decision.reason;
            for line in said(review) {
                // A reviewer that this very event started has said its findings.
                if !reason.contains(&line) {
                    // Writing to a string cannot fail.
                    let _ = write!(reason, "\n{line}");
                }
            }
        } else if told {
            return;
        } else {
            let lines = said(review);
            let lines = if lines.is_empty() {
                vec![format!("Refused by {}.", verdict.reviewer.in_words())]
            } else {
                lines
            };
            ruling.decision.notes.push(Note {
                gate: "approval".to_owned(),
                text: format!("[proctor] The review refused the work.\n{}", lines.join("\n")),
            });
        }
        if let Some(record) = verdict.record.clone().filter(|_| !told) {
            ruling.changes.push(Change::RefusalTold { record });
        }
    }
}
