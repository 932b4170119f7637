//! Gate `loop`: the same action with the same outcome on the same tree, again and again.
//!
//! Counted are cycles of one to five steps at the end of what the agent did. A repetition ends with a
//! changed tree, another outcome or a user's word; refused calls count like those that ran, or a gate that
//! refuses would be asked for ever.

mod outcome;
mod repeat;

#[cfg(test)]
mod tests;

use outcome::Wait;
pub use outcome::outcome_mark;
pub use repeat::{Repetition, repetition, strikes};

use proctor_kernel::{
    Band, Context, Digest, EventKind, EventTag, Finding, Gate, GateError, GateInfo, Mark, Outcome, Step,
    Tier, ToolCall, ToolKind, ToolOutcome, Verdict,
};
use proctor_policy::LoopSettings;

/// What the gate is.
pub static INFO: GateInfo = GateInfo {
    id: "loop",
    alias: "",
    about: "the same action with the same outcome on the same tree, again and again",
    band: Band::Enforcement,
    events: &[EventTag::ToolCall, EventTag::ToolResult],
};

/// Most steps that are remembered: the longest cycle as often as any policy's highest useful limit asks.
pub const REMEMBERED: usize = 40;

/// Calls that ask the person who sits before the host.
const QUESTIONS: [&str; 2] = ["AskUserQuestion", "ExitPlanMode"];

/// Failures of one tool with one error after which the agent is told to stop.
const STRIKES: usize = 3;

/// The gate.
pub struct Loop {
    settings: LoopSettings,
    tripped: bool,
    repeats: bool,
}

impl Loop {
    /// The gate with these settings. `tripped`: the agent went round in circles too often already. `repeats`: its
    /// last texts said the same too, so each limit comes one repetition earlier.
    #[must_use]
    pub fn new(settings: &LoopSettings, tripped: bool, repeats: bool) -> Self {
        let sooner = |limit: u32| limit.saturating_sub(u32::from(repeats)).max(2);
        Self {
            settings: LoopSettings {
                nudge: sooner(settings.nudge),
                block: sooner(settings.block),
                trip: sooner(settings.trip),
                ..settings.clone()
            },
            tripped,
            repeats,
        }
    }
}

impl Loop {
    /// Says so where the agent's words repeat themselves as its actions do.
    fn with_its_words(&self, mut finding: Finding) -> Finding {
        if self.repeats {
            finding.message.push_str(" What you write repeats itself, too.");
        }
        finding
    }
}

/// What a tool is asked to do, without what changes nothing: of a shell its command line as the shell reads it, whatever
/// describes it.
#[must_use]
pub fn input_of(call: &ToolCall) -> Digest {
    match &call.command {
        Some(line) if call.kind == ToolKind::Shell => Digest::of(outcome::canonical(line).as_bytes()),
        _ => call.input.clone(),
    }
}

/// A call as a step that has not happened yet.
#[must_use]
pub fn step_of(call: &ToolCall) -> Step {
    let mut bytes = call.name.clone().into_bytes();
    bytes.push(0);
    bytes.extend_from_slice(input_of(call).as_str().as_bytes());
    Step {
        tool: call.name.clone(),
        kind: call.kind,
        call: Mark::of(&bytes),
        outcome: None,
        failed: false,
        tree: None,
    }
}

/// Fingerprint of the circle at the end of the steps: its calls with what came of them, wherever it is entered, on its
/// tree. Of failures that came again and again it is the failure.
#[must_use]
pub fn circle(steps: &[Step]) -> Mark {
    let struck = strikes(steps) >= STRIKES;
    let period = if struck {
        1
    } else {
        repetition(steps).period.max(1)
    };
    let from = steps.len().saturating_sub(period);
    let round = steps.get(from..).unwrap_or_default();
    let mut calls: Vec<String> = round
        .iter()
        .map(|step| format!("{:?} {:?}", step.call, step.outcome))
        .collect();
    calls.sort_unstable();
    calls.dedup();
    let tree = steps.last().and_then(|step| step.tree);
    Mark::of(format!("{struck} {calls:?} {tree:?}").as_bytes())
}

/// Whether a tool may repeat as often as it likes: waiting for something is no loop.
#[must_use]
pub fn is_exempt(call: &ToolCall, settings: &LoopSettings) -> bool {
    settings.exempt.contains(&call.name) || outcome::waits(call) == Wait::Asks
}

/// Whether a call that waits first and does something then may repeat as often as it likes: it does while that succeeds.
#[must_use]
pub fn may_go_on(call: &ToolCall, outcome: &ToolOutcome) -> bool {
    outcome.ok != Some(false) && outcome::waits(call) == Wait::First
}

/// Whether a call does nothing but ask a person, who alone can say how to go on.
#[must_use]
pub fn asks_a_person(call: &ToolCall) -> bool {
    QUESTIONS.contains(&call.name.as_str())
}

/// Times a tool may do the same before each of the limits: reading is cheap and harmless.
fn limits(kind: ToolKind, settings: &LoopSettings) -> [u32; 3] {
    let by = if kind == ToolKind::Read { 2 } else { 1 };
    [settings.nudge, settings.block, settings.trip].map(|limit| limit.saturating_mul(by))
}

/// Whether so many repetitions end the agent's work until a human speaks.
#[must_use]
pub fn trips(kind: ToolKind, times: u32, settings: &LoopSettings) -> bool {
    times >= limits(kind, settings)[2]
}

impl Gate for Loop {
    fn info(&self) -> &'static GateInfo {
        &INFO
    }

    fn check(&self, context: &Context<'_>) -> Result<Outcome, GateError> {
        let steps = context.steps;
        match &context.event.kind {
            EventKind::ToolCall { call }
                if self.tripped && call.kind != ToolKind::Read && !asks_a_person(call) =>
            {
                Ok(data(Repetition::default(), vec![after_the_trip(call)]))
            }
            EventKind::ToolCall { call } if !is_exempt(call, &self.settings) => {
                let next = step_of(call);
                let found = repeat::with_next(steps, &next);
                let [_, block, trip] = limits(call.kind, &self.settings);
                if found.times < block {
                    return Ok(data(found, Vec::new()));
                }
                let finding = refusal(call, found, found.times >= trip);
                Ok(data(found, vec![self.with_its_words(finding)]))
            }
            EventKind::ToolResult { call, outcome }
                if !is_exempt(call, &self.settings) && !may_go_on(call, outcome) =>
            {
                let found = repetition(steps);
                let [nudge, ..] = limits(call.kind, &self.settings);
                let struck = steps.last().is_some_and(|s| s.failed) && strikes(steps) >= STRIKES;
                let mut findings = Vec::new();
                if struck || found.times >= nudge {
                    findings.push(self.with_its_words(word_of_advice(call, found, struck)));
                }
                Ok(data(found, findings))
            }
            _ => Ok(Outcome::pass()),
        }
    }

    fn instruction(&self) -> &'static str {
        "Do not repeat an action that brought nothing: change the approach, or ask."
    }
}

fn data(found: Repetition, findings: Vec<Finding>) -> Outcome {
    Outcome {
        findings,
        data: if found.times > 1 {
            serde_json::json!({ "period": found.period, "times": found.times })
        } else {
            serde_json::Value::Null
        },
        checklist: None,
    }
}

/// What was repeated, in words.
fn what(call: &ToolCall, found: Repetition) -> String {
    if found.period > 1 {
        return format!(
            "the same {} calls in turn (`{}` among them)",
            found.period, call.name
        );
    }
    format!("the same `{}` call", call.name)
}

fn word_of_advice(call: &ToolCall, found: Repetition, struck: bool) -> Finding {
    let message = if struck {
        format!(
            "[SYSTEM] STOP. `{}` failed {STRIKES} times with the same error, and nothing changed in between.",
            call.name
        )
    } else {
        format!(
            "[SYSTEM] You are stuck: {} came {} times to the same outcome, and no file changed in between.",
            what(call, found),
            found.times
        )
    };
    Finding {
        rule: if struck {
            "loop/three_strikes"
        } else {
            "loop/stuck"
        }
        .to_owned(),
        tier: Tier::Soft,
        verdict: Verdict::Block,
        message,
        instead: Some(
            "Try a completely different approach or another tool, or tell the user what is in the way."
                .to_owned(),
        ),
        spans: Vec::new(),
        fallback: None,
    }
}

fn refusal(call: &ToolCall, found: Repetition, trip: bool) -> Finding {
    let (rule, instead) = if trip {
        (
            "loop/tripped",
            "Stop working on this now, and tell the user what you tried and what is in the way. Only reading and asking is possible until the user answers.",
        )
    } else {
        (
            "loop/repeated",
            "Do something else: look at why the outcome is what it is, change a file, or ask the user.",
        )
    };
    Finding {
        rule: rule.to_owned(),
        tier: Tier::Hard,
        verdict: Verdict::Block,
        message: format!(
            "[SYSTEM] Not run: this would be {} for the {} time with the same outcome, and no file changed in between.",
            what(call, found),
            ordinal(found.times)
        ),
        instead: Some(instead.to_owned()),
        spans: Vec::new(),
        fallback: None,
    }
}

fn after_the_trip(call: &ToolCall) -> Finding {
    Finding {
        rule: "loop/tripped".to_owned(),
        tier: Tier::Hard,
        verdict: Verdict::Block,
        message: format!("[SYSTEM] `{}` was not run: you went round in circles, and a human decides how to go on.", call.name),
        instead: Some("Tell the user what you tried and what is in the way. Only reading and asking is possible until the user answers.".to_owned()),
        spans: Vec::new(),
        fallback: None,
    }
}

fn ordinal(number: u32) -> String {
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}
