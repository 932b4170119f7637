//! Gate `response`: how much of a message is praise, self-praise, filler, empty confirmation and courtesy.
//!
//! The share is taken of the prose alone: code, quotations and data are left out, and a clause counts as a
//! whole, not only its adjective. Agents that write to agents are held to a stricter limit than those that
//! write to people.

mod judge;
mod wording;

#[cfg(test)]
mod tests;

pub use judge::{Judgement, judge};

use proctor_kernel::{
    Band, Context, EventTag, Fallback, Finding, Gate, GateError, GateInfo, Outcome, Tier, Verdict,
};
use proctor_policy::ResponseSettings;
use proctor_prose::Extra;
use serde_json::json;

/// What this gate is.
pub static INFO: GateInfo = GateInfo {
    id: "response",
    alias: "response_validator",
    about: "Share of prose that is flattery, self-praise, filler or empty confirmation, in English and Korean.",
    band: Band::Enforcement,
    events: &[EventTag::TurnEnd, EventTag::Message, EventTag::Display],
};

/// The gate with its settings.
#[derive(Clone, Debug)]
pub struct Response {
    settings: ResponseSettings,
    extra: Extra,
}

impl Response {
    /// The gate with these settings. Cheap: nothing is compiled but the user's own patterns are split into words.
    #[must_use]
    pub fn new(settings: &ResponseSettings) -> Self {
        Self {
            extra: judge::extra(settings),
            settings: settings.clone(),
        }
    }
}

impl Gate for Response {
    fn info(&self) -> &'static GateInfo {
        &INFO
    }

    fn check(&self, context: &Context<'_>) -> Result<Outcome, GateError> {
        let Some(text) = context.event.kind.agent_text() else {
            return Ok(Outcome::pass());
        };
        let judgement = judge::judge_with(text, context.audience, &self.settings, &self.extra);
        let data = json!({
            "ratio": judgement.ratio,
            "token_ratio": judgement.token_ratio,
            "labels": judgement.labels,
            "audience": context.audience,
            "threshold": judgement.threshold,
            "distinct": judgement.distinct,
            "language": if judgement.korean { "ko" } else { "en" },
            "low_confidence": judgement.low_confidence,
        });
        let findings = if judgement.verdict == Verdict::Block {
            vec![finding(judgement)]
        } else {
            Vec::new()
        };
        Ok(Outcome {
            findings,
            data,
            checklist: None,
        })
    }

    fn instruction(&self) -> &'static str {
        "Write results only: files, commands, figures, open questions. Leave out praise, thanks, acknowledgements and announcements."
    }

    fn on_error(&self) -> proctor_kernel::OnError {
        self.settings.on_error
    }
}

fn finding(judgement: Judgement) -> Finding {
    Finding {
        rule: "response/flattery_share".to_owned(),
        tier: Tier::Hard,
        verdict: Verdict::Block,
        message: wording::refusal(&judgement),
        instead: Some(wording::instead(&judgement).to_owned()),
        fallback: Some(Fallback::Annotate {
            line: wording::annotation(&judgement),
        }),
        spans: judgement.spans,
    }
}
