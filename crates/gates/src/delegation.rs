//! Gate `delegation`: the prompt that hands work to another agent has the six sections of a delegation, and beside its
//! orders neither praises nor approves nor claims what nothing supports.

mod wording;
mod words;

use memchr::memmem::Finder;
use proctor_kernel::{
    Band, Context, EventKind, EventTag, Finding, Gate, GateError, GateInfo, Mode, OnError, Outcome, Tier,
    Verdict, World,
};
use proctor_outline::{Sections, delegates, sections};
use proctor_policy::{DelegationSettings, ResponseSettings, ReviewSettings};
use serde::Serialize;
use serde_json::json;
use std::sync::LazyLock;

pub use words::{Words, words};

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

/// The settings of the gates whose words a prompt may hold.
#[derive(Clone, Debug)]
struct Texts {
    response: ResponseSettings,
    review: ReviewSettings,
    /// The mode of the gate that compares claims with what was seen.
    claims: Mode,
}

/// The gate with its settings.
#[derive(Clone, Debug)]
pub struct Delegation {
    settings: DelegationSettings,
    /// How the words of a prompt are judged; `None`: only its sections are.
    texts: Option<Texts>,
}

impl Delegation {
    /// The gate with these settings.
    #[must_use]
    pub fn new(settings: &DelegationSettings) -> Self {
        Self {
            settings: settings.clone(),
            texts: None,
        }
    }

    /// The gate as it also reads what the prompt of a tool call says beside its orders, with the settings of the gates
    /// of praise and of approvals and the mode of the one that judges claims. What such a gate only observes or does not
    /// judge is told to nobody here either. A `DELEGATE` line in a turn's text is read by those gates, with the text.
    #[must_use]
    pub fn with_texts(self, response: &ResponseSettings, review: &ReviewSettings, claims: Mode) -> Self {
        let texts = Texts {
            response: response.clone(),
            review: review.clone(),
            claims,
        };
        Self {
            texts: Some(texts),
            ..self
        }
    }

    /// What is wrong with the words of a prompt, each with the mode of the gate that judges such words elsewhere.
    fn words(&self, agent: &str, text: &str, world: &dyn World) -> Vec<(Mode, Finding)> {
        let Some(Texts {
            response,
            review,
            claims,
        }) = &self.texts
        else {
            return Vec::new();
        };
        let said = words(text, response, review);
        let mut out = Vec::new();
        if !said.praise.is_empty() {
            out.push((response.mode, wording::praise(agent, &said)));
        }
        if !said.approval.is_empty() && !said.proven {
            out.push((review.mode, wording::approval(agent, &said)));
        }
        // Where nothing is witnessed there is nothing to compare with.
        if !said.claims.is_empty()
            && *claims > Mode::Off
            && let Ok(runs) = world.runs()
        {
            let lacking = said.claims.iter().find_map(|(kind, span)| {
                let lack = words::lacks(*kind, &runs)?;
                Some(wording::claim(agent, *kind, span, &lack, said.korean))
            });
            out.extend(lacking.map(|finding| (*claims, finding)));
        }
        out
    }
}

/// Whether a text names a delegation: most do not.
fn names_one(text: &str) -> bool {
    // To make a search ready takes longer than to look through some texts.
    static NAME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("DELEGATE"));
    NAME.find(text.as_bytes()).is_some()
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
            EventKind::TurnEnd { text, .. } | EventKind::Message { text } if names_one(text) => {
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
            if !judged.missing.is_empty() {
                findings.push(finding(agent, &judged.missing));
            }
            let mut order = json!({ "agent": agent, "missing": judged.missing });
            if matches!(context.event.kind, EventKind::ToolCall { .. }) {
                let words = self.words(agent, text, context.world);
                let (told, observed): (Vec<_>, Vec<_>) =
                    words.into_iter().partition(|(mode, _)| *mode > Mode::Observe);
                findings.extend(told.into_iter().map(|(_, finding)| finding));
                if let (Some(order), false) = (order.as_object_mut(), observed.is_empty()) {
                    let observed = observed
                        .into_iter()
                        .map(|(_, f)| json!({ "rule": f.rule, "spans": f.spans }));
                    order.insert("observed".to_owned(), observed.collect());
                }
            }
            data.push(order);
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
    let to = wording::to(agent.unwrap_or_default());
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
