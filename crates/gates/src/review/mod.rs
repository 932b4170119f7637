//! Gate `review`: an approval needs evidence. Level `text`: the message must report a verification that was
//! done, with a result that fits the verdict.

mod acts;
mod approval;
mod asked;
mod bare;
mod beside;
mod bots;
mod candidate;
mod checked;
mod closed;
mod closing;
mod data;
mod decide;
mod denial;
mod elsewhere;
mod evidence;
mod failing;
mod fenced;
mod field;
mod figures;
mod forest;
mod given;
mod heard;
mod judge;
mod naught;
mod net;
mod outdated;
mod performed;
mod refusal;
mod said;
mod sentence;
mod shows;
mod standing;
mod tail;
mod taken;
mod told;
mod void;
mod why;
mod wording;

#[cfg(test)]
mod field_tests;
#[cfg(test)]
mod form_tests;
#[cfg(test)]
mod standing_tests;
#[cfg(test)]
mod tests;

pub use acts::Acts;
pub use asked::asks_for_review;
pub use decide::{APPROVAL, APPROVES, Facts, Occasion, REPORTED, SUPPORT};
pub(crate) use fenced::is_shown;
pub use forest::{FOREST_BYTES, Forests, REVIEW_BYTES};
pub use judge::{Judgement, judge, judge_on, judge_reading, judge_with};
pub use net::{
    GROUP, LATER, NET_BYTES, NETS, NO_ROW, POOLED, ROW_BYTES, ROW_ONE, ROW_ZERO, ROWS, SAYS, UNIT_ONE, UNITS,
    WEIGHT_ONE,
};
pub use why::Why;

use crate::answer::answers;
use crate::fields::fields;
use judge::judge_verdict;
use proctor_kernel::{
    Audience, Band, Context, EventTag, Fallback, Finding, Gate, GateError, GateInfo, Mode, OnError, Outcome,
    ReviewStanding, Span, Tier, Verdict,
};
use proctor_policy::{ResponseSettings, ReviewLevel, ReviewSettings};
use proctor_prose::{Extra, read_shared};
use serde_json::{Value, json};

/// What this gate is.
pub static INFO: GateInfo = GateInfo {
    id: "review",
    alias: "review_gate",
    about: "An approval needs evidence: what was verified, and with what result.",
    band: Band::Enforcement,
    events: &[EventTag::TurnEnd, EventTag::Message, EventTag::Display],
};

/// For other gates that ask what a text says: that is the same whatever the policy asks for.
pub(crate) const READER: ReviewSettings = ReviewSettings {
    mode: Mode::Observe,
    on_error: OnError::Allow,
    level: ReviewLevel::Text,
    require_evidence: false,
    downgrade_after_retries: None,
    rerun_seconds: 0,
};

/// Reports that a decision record quotes; of the rest it holds the number.
const RECORDED: usize = 20;

/// The gate with its settings.
#[derive(Clone, Debug)]
pub struct Review {
    settings: ReviewSettings,
    /// What was seen of the agent, and the settings by which praise is measured; `None`: words are all there is.
    seen: Option<(Acts, ResponseSettings)>,
}

impl Review {
    /// The gate with these settings.
    #[must_use]
    pub fn new(settings: &ReviewSettings) -> Self {
        Self {
            settings: settings.clone(),
            seen: None,
        }
    }

    /// The gate as it judges an agent whose acts were witnessed.
    #[must_use]
    pub fn with_acts(self, acts: Acts, response: &ResponseSettings) -> Self {
        Self {
            seen: Some((acts, response.clone())),
            ..self
        }
    }
}

impl Gate for Review {
    fn info(&self) -> &'static GateInfo {
        &INFO
    }

    fn check(&self, context: &Context<'_>) -> Result<Outcome, GateError> {
        let Some(text) = context.event.kind.agent_text() else {
            return Ok(Outcome::pass());
        };
        let asked = std::cell::Cell::new(false);
        let occasion = || {
            // What is written to a person answers that person, not whoever set the task.
            asked.set(
                context.audience == Audience::Agent
                    && context.task.is_some_and(|task| asks_for_review(&task.words)),
            );
            if asked.get() {
                Occasion::Review
            } else {
                Occasion::Any
            }
        };
        let mut judgement = judge_verdict(text, &self.settings, &occasion);
        let answer = judgement.is_approval && answers(&read_shared(text, &Extra::default()), context.task);
        if answer {
            judgement = judgement.withdrawn();
        }
        let mut data = fields([("is_approval", judgement.is_approval.into())], 6);
        if judgement.is_approval {
            let of = |s: &Span| {
                let (class, text) = (s.label.as_str().into(), s.text.as_str().into());
                fields([("class", class), ("text", text)], 0).into()
            };
            let evidence = judgement.evidence.iter().take(RECORDED).map(of).collect();
            data.insert("evidence".to_owned(), Value::Array(evidence));
            data.insert("evidence_count".to_owned(), judgement.evidence.len().into());
            data.insert("contradicted".to_owned(), judgement.contradicted.into());
        }
        if answer {
            data.insert("answer".to_owned(), true.into());
        }
        if asked.get() {
            data.insert("asked".to_owned(), true.into());
        }
        if let Some(why) = judgement.not_judged {
            data.insert("not_judged".to_owned(), why.into());
        }
        if let Some(Why { approval, evidence }) = &judgement.why {
            data.insert(
                "why".to_owned(),
                json!({ "approval": approval, "evidence": evidence }),
            );
        }
        let mut findings = Vec::new();
        if let Some((acts, response)) = &self.seen {
            // What a person reads is no verdict among agents.
            let among_agents = context.audience == Audience::Agent;
            let praises =
                || crate::response::judge(text, Audience::Agent, response).verdict == Verdict::Block;
            let may_praise = among_agents && acts.asked && !judgement.is_approval && !judgement.refuses;
            let own = Acts {
                wrote: acts.wrote && among_agents,
                changed_since: acts.changed_since && among_agents,
                ..acts.clone()
            };
            findings = acts::habits(&judgement, &own, may_praise && praises());
            let witnessed = among_agents
                && self.settings.level >= ReviewLevel::Witnessed
                && self.settings.require_evidence;
            if witnessed
                && judgement.verdict == Verdict::Pass
                && let Some((finding, reason)) = acts::unread(&judgement, acts, context.world)
            {
                data.insert("witnessed".to_owned(), json!(reason));
                findings.push(finding);
            }
        }
        if judgement.verdict == Verdict::Block {
            let worker = self.seen.as_ref().is_some_and(|(acts, _)| acts.wrote);
            if is_remark(&judgement, context, worker) {
                data.insert("remark".to_owned(), true.into());
                // Shown to the person, who asked for more than a remark.
                let ends = context.event.kind.tag() == EventTag::TurnEnd;
                if ends && context.task.is_some_and(|task| asks_for_review(&task.words)) {
                    findings.insert(0, acts::remark(&judgement));
                }
            } else {
                findings.insert(0, finding(judgement));
            }
        }
        Ok(Outcome {
            findings,
            data: Value::Object(data),
            checklist: None,
        })
    }

    fn instruction(&self) -> &'static str {
        "An approval must name what was verified and with what result; without that, answer NEEDS_REVIEW."
    }

    fn on_error(&self) -> OnError {
        OnError::Block
    }
}

/// Good words of the main agent to the person it works for ("Looks good!"), which let no agent's work go: neither written
/// as a verdict is, nor said while a review of the work is open that this agent could be taken to give. Who waits for a
/// human or for a reviewer at work gives none, and a `worker` none of its own work; what it says a reviewer said stands in
/// for no open review.
fn is_remark(judgement: &Judgement, context: &Context<'_>, worker: bool) -> bool {
    let told = matches!(context.event.kind.tag(), EventTag::TurnEnd | EventTag::Display);
    let open = || match context.world.review(false) {
        Ok(ReviewStanding::Waiting | ReviewStanding::InReview) => judgement.relayed,
        Ok(ReviewStanding::Pending | ReviewStanding::CouldNotRun { .. }) => !worker || judgement.relayed,
        _ => false,
    };
    told && context.audience == Audience::Human
        && context.event.agent.is_none()
        && !judgement.stated
        && !open()
}

fn finding(judgement: Judgement) -> Finding {
    let edits = judgement.edits();
    let line = wording::downgraded(&judgement);
    Finding {
        rule: "review/no_evidence".to_owned(),
        tier: Tier::Hard,
        verdict: Verdict::Block,
        message: wording::refusal(&judgement),
        instead: Some(wording::instead(&judgement).to_owned()),
        spans: judgement.approvals,
        fallback: Some(Fallback::Replace { edits, line }),
    }
}
