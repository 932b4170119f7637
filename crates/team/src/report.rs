//! The figures of a play.

use crate::{Ending, Role};
use proctor_kernel::{Action, Decision, Verdict};
use serde::Serialize;

/// The short report at the end of a play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Whether the work was released.
    pub released: bool,
    /// Why not, otherwise.
    pub escalated: Option<String>,
    /// Texts that actors wanted to say.
    pub turns: u32,
    /// Texts sent back for another try.
    pub retries: u32,
    /// Share of filler in what the actors wanted to say, 0 to 1.
    pub flattery_before: f64,
    /// Share of filler in what was let through, 0 to 1.
    pub flattery_after: f64,
    /// Approvals without evidence that were refused.
    pub refused_approvals: u32,
    /// Turns that ended with files outside the task.
    pub scope_violations: u32,
    /// Turns that ended with open items.
    pub reminders: u32,
}

#[derive(Default)]
pub(crate) struct Figures {
    turns: u32,
    retries: u32,
    before: Share,
    after: Share,
    refused_approvals: u32,
    scope_violations: u32,
    reminders: u32,
}

/// Filler characters of all characters, over several texts.
#[derive(Default)]
struct Share {
    filler: f64,
    all: f64,
}

impl Share {
    fn add(&mut self, ratio: f64, characters: f64) {
        self.filler += ratio * characters;
        self.all += characters;
    }

    fn value(&self) -> f64 {
        if self.all > 0.0 {
            self.filler / self.all
        } else {
            0.0
        }
    }
}

impl Figures {
    /// Takes in one text and what was decided about it.
    pub(crate) fn said(&mut self, _role: Role, text: &str, decision: &Decision) {
        self.turns += 1;
        let refused = decision.action >= Action::Ask;
        self.retries += u32::from(refused);
        #[expect(
            clippy::cast_precision_loss,
            reason = "texts are far shorter than 2^52 characters"
        )]
        let characters = text.chars().filter(|c| !c.is_whitespace()).count() as f64;
        for report in &decision.reports {
            let objected = report.verdict >= Verdict::Ask;
            match report.gate.as_str() {
                "response" => {
                    let ratio = report
                        .data
                        .get("ratio")
                        .and_then(serde_json::Value::as_f64)
                        .unwrap_or(0.0);
                    self.before.add(ratio, characters);
                    if !refused {
                        self.after.add(ratio, characters);
                    }
                }
                "review" => self.refused_approvals += u32::from(objected && refused),
                "scope" => self.scope_violations += u32::from(objected),
                "todo" => self.reminders += u32::from(objected),
                _ => {}
            }
        }
    }

    pub(crate) fn report(self, ending: Ending) -> Report {
        Report {
            released: ending == Ending::Released,
            escalated: match ending {
                Ending::Released => None,
                Ending::Escalated { why } => Some(why),
            },
            turns: self.turns,
            retries: self.retries,
            flattery_before: self.before.value(),
            flattery_after: self.after.value(),
            refused_approvals: self.refused_approvals,
            scope_violations: self.scope_violations,
            reminders: self.reminders,
        }
    }
}
