//! Gate `review`: an approval needs evidence. Level `text`: the message must report a verification that was
//! done, with a result that fits the verdict.

mod approval;
mod decide;
mod evidence;
mod failing;
mod figures;
mod judge;
mod refusal;
mod sentence;
mod void;
mod wording;

#[cfg(test)]
mod tests;

pub use decide::{APPROVAL, Facts, ONE, SUPPORT, UNIT};
pub use judge::{Judgement, judge, judge_reading};

use proctor_kernel::{
    Band, Context, EventTag, Fallback, Finding, Gate, GateError, GateInfo, OnError, Outcome, Tier, Verdict,
};
use proctor_policy::ReviewSettings;
use serde_json::json;

/// What this gate is.
pub static INFO: GateInfo = GateInfo {
    id: "review",
    alias: "review_gate",
    about: "An approval needs evidence: what was verified, and with what result.",
    band: Band::Enforcement,
    events: &[EventTag::TurnEnd, EventTag::Message, EventTag::Display],
};

/// Reports that a decision record quotes; of the rest it holds the number.
const RECORDED: usize = 20;

/// The gate with its settings.
#[derive(Clone, Debug)]
pub struct Review {
    settings: ReviewSettings,
}

impl Review {
    /// The gate with these settings.
    #[must_use]
    pub fn new(settings: &ReviewSettings) -> Self {
        Self {
            settings: settings.clone(),
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
        let judgement = judge(text, &self.settings);
        let evidence: Vec<_> = judgement
            .evidence
            .iter()
            .take(RECORDED)
            .map(|s| json!({ "class": s.label, "text": s.text }))
            .collect();
        let mut data = json!({
            "is_approval": judgement.is_approval,
            "evidence": evidence,
            "evidence_count": judgement.evidence.len(),
            "contradicted": judgement.contradicted,
        });
        if let Some(why) = judgement.not_judged {
            data["not_judged"] = json!(why);
        }
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
        "An approval must name what was verified and with what result; without that, answer NEEDS_REVIEW."
    }

    fn on_error(&self) -> OnError {
        OnError::Block
    }
}

fn finding(judgement: Judgement) -> Finding {
    let edits = judgement
        .verdicts
        .iter()
        .map(|(start, end)| (*start, *end, "NEEDS_REVIEW".to_owned()))
        .collect();
    // Behind an open fence the line would be code.
    let line = match &judgement.fence {
        Some(fence) => format!("{fence}\n{}", wording::DOWNGRADED),
        None => wording::DOWNGRADED.to_owned(),
    };
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
