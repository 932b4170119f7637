//! Gate `delegation`: the prompt that hands work to another agent has the six sections of a delegation.

use proctor_kernel::{
    Band, Context, EventKind, EventTag, Finding, Gate, GateError, GateInfo, OnError, Outcome, Tier, Verdict,
};
use proctor_outline::{Sections, delegates, sections};
use proctor_policy::DelegationSettings;
use serde::Serialize;
use serde_json::json;

/// What this gate is.
pub static INFO: GateInfo = GateInfo {
    id: "delegation",
    alias: "delegation",
    about: "The six sections of a delegation: TASK, EXPECTED OUTCOME, REQUIRED TOOLS, MUST DO, MUST NOT DO, CONTEXT.",
    band: Band::Enforcement,
    events: &[EventTag::ToolCall, EventTag::TurnEnd, EventTag::Message],
};

/// A delegation to fill in. It passes this gate itself.
pub const SKELETON: &str = "TASK: <what to do, in one sentence>\n\
    EXPECTED OUTCOME:\n- <file or result>\n\
    REQUIRED TOOLS: <tools, or: any>\n\
    MUST DO:\n- <what must happen on the way>\n\
    MUST NOT DO:\n- <what must not happen>\n\
    CONTEXT: <what the worker has to know>";

/// What the gate thinks of one delegation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// `block` when a section is missing.
    pub verdict: Verdict,
    /// Which sections are there.
    pub sections: Sections,
    /// Names of the sections that are missing, in the order of the form.
    pub missing: Vec<&'static str>,
    /// What to tell the agent, when a section is missing.
    pub feedback: Option<String>,
}

/// Which of the six sections a delegation's text lacks. Headings are recognised in English and Korean,
/// in any case and decoration.
#[must_use]
pub fn judge(text: &str) -> Judgement {
    let sections = sections(text);
    let missing = sections.missing();
    let feedback = (!missing.is_empty()).then(|| format!("{} {}", refusal(None, &missing), instead()));
    let verdict = if missing.is_empty() {
        Verdict::Pass
    } else {
        Verdict::Block
    };
    Judgement {
        verdict,
        sections,
        missing,
        feedback,
    }
}

/// The gate with its settings.
#[derive(Clone, Debug)]
pub struct Delegation {
    settings: DelegationSettings,
}

impl Delegation {
    /// The gate with these settings.
    #[must_use]
    pub fn new(settings: &DelegationSettings) -> Self {
        Self {
            settings: settings.clone(),
        }
    }
}

impl Gate for Delegation {
    fn info(&self) -> &'static GateInfo {
        &INFO
    }

    fn check(&self, context: &Context<'_>) -> Result<Outcome, GateError> {
        let orders: Vec<(String, String)> = match &context.event.kind {
            EventKind::ToolCall { call } => call
                .delegation
                .iter()
                .map(|d| (d.agent.clone(), d.prompt.clone()))
                .collect(),
            EventKind::TurnEnd { text, .. } | EventKind::Message { text } if text.contains("DELEGATE") => {
                delegates(text)
                    .into_iter()
                    .map(|d| (d.agent, d.payload))
                    .collect()
            }
            _ => Vec::new(),
        };
        if orders.is_empty() {
            return Ok(Outcome::pass());
        }
        let mut findings = Vec::new();
        let mut data = Vec::new();
        for (agent, text) in &orders {
            let judged = judge(text);
            data.push(json!({ "agent": agent, "missing": judged.missing }));
            if !judged.missing.is_empty() {
                findings.push(finding(agent, &judged.missing));
            }
        }
        Ok(Outcome {
            findings,
            data: json!({ "delegations": data }),
            checklist: None,
        })
    }

    fn instruction(&self) -> &'static str {
        "Write every delegation with six sections: TASK, EXPECTED OUTCOME, REQUIRED TOOLS, MUST DO, MUST NOT DO, CONTEXT."
    }

    fn on_error(&self) -> OnError {
        self.settings.on_error
    }
}

fn refusal(agent: Option<&str>, missing: &[&str]) -> String {
    let to = agent
        .filter(|a| !a.is_empty())
        .map_or_else(String::new, |agent| format!(" to {agent}"));
    let noun = if missing.len() == 1 { "section" } else { "sections" };
    format!(
        "[SYSTEM] Delegation{to} lacks {} {noun}: {}.",
        missing.len(),
        missing.join(", ")
    )
}

fn instead() -> String {
    format!("Send it again with all six sections, however short:\n{SKELETON}")
}

fn finding(agent: &str, missing: &[&str]) -> Finding {
    Finding {
        rule: "delegation/missing_sections".to_owned(),
        tier: Tier::Hard,
        verdict: Verdict::Block,
        message: refusal(Some(agent), missing),
        instead: Some(instead()),
        spans: Vec::new(),
        fallback: None,
    }
}

#[cfg(test)]
mod tests;
