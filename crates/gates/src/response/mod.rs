//! Gate `response`: how much of a message is praise, self-praise, filler, empty confirmation and courtesy.
//!
//! The share is taken of the prose alone: code, quotations and data are left out, and a clause counts as a
//! whole, not only its adjective. Agents that write to agents are held to a stricter limit than those that
//! write to people.

mod ending;
mod judge;
mod whole;
mod why;
pub(crate) mod wording;

#[cfg(test)]
mod tests;

pub use judge::{Judgement, judge, judge_reading};
pub(crate) use judge::{extra, praises};

use crate::answer::answers;
use crate::fields::fields;
use proctor_kernel::{
    Audience, Band, Context, EventTag, Fallback, Finding, Gate, GateError, GateInfo, Outcome, Span, Tier,
    Verdict,
};
use proctor_policy::ResponseSettings;
use proctor_prose::{Extra, read_shared};
use serde_json::{Value, json};

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
        let mut judgement = judge::judge_verdict(text, context.audience, &self.settings, &self.extra);
        let mut data = fields(
            [
                ("ratio", judgement.ratio.into()),
                ("token_ratio", judgement.token_ratio.into()),
                ("labels", strings(&mut judgement.labels)),
                ("audience", json!(context.audience)),
                ("threshold", judgement.threshold.into()),
                ("distinct", judgement.distinct.into()),
                ("language", (if judgement.korean { "ko" } else { "en" }).into()),
                ("low_confidence", strings(&mut judgement.low_confidence)),
            ],
            2,
        );
        if let Some(why) = judgement.not_judged {
            data.insert("not_judged".to_owned(), why.into());
        }
        if !judgement.why.is_empty() {
            data.insert("why".to_owned(), strings(&mut judgement.why));
        }
        let mut findings = Vec::new();
        if context.audience == Audience::Human && context.event.kind.tag() == EventTag::TurnEnd {
            let task = context.task.map(|t| t.words.as_str());
            findings.extend(remarks_with(text, task, &self.extra, judgement.korean));
        }
        if judgement.verdict == Verdict::Block {
            if answers(&read_shared(text, &self.extra), context.task) {
                data.insert("answer".to_owned(), true.into());
            } else {
                findings.push(finding(judgement));
            }
        }
        Ok(Outcome {
            findings,
            data: Value::Object(data),
            checklist: None,
        })
    }

    fn instruction(&self) -> &'static str {
        "Write results only: which files changed and why, which command ran with what result, which question is open."
    }

    fn on_error(&self) -> proctor_kernel::OnError {
        self.settings.on_error
    }
}

/// What is remarked on the end of a turn that a person reads, beside its share of flattery: it announces work instead
/// of doing it (`response/unfinished`), or it says nothing of the words of the task, where they are known
/// (`response/off_task`). Pure.
#[must_use]
pub fn remarks(text: &str, task: Option<&str>, settings: &ResponseSettings) -> Vec<Finding> {
    let extra = judge::extra(settings);
    let korean = read_shared(text, &extra).mainly_korean();
    remarks_with(text, task, &extra, korean)
}

fn remarks_with(text: &str, task: Option<&str>, extra: &Extra, korean: bool) -> Vec<Finding> {
    // The task's reading would push the message's out of the cache, so that one comes second.
    let reading = read_shared(text, extra);
    let mut out = Vec::new();
    let mut remark = |rule: &str, message: &str, spans: Vec<Span>| {
        out.push(Finding {
            rule: rule.to_owned(),
            tier: Tier::Soft,
            verdict: Verdict::Block,
            message: message.to_owned(),
            instead: None,
            fallback: None,
            spans,
        });
    };
    if let Some((start, end)) = ending::announced(&reading) {
        let span = Span {
            start,
            end,
            text: text.get(start..end).unwrap_or_default().to_owned(),
            label: "announcement".to_owned(),
        };
        remark("response/unfinished", wording::unfinished(korean), vec![span]);
    }
    if task.is_some_and(|task| ending::misses_task(&reading, task)) {
        remark("response/off_task", wording::off_task(korean), Vec::new());
    }
    out
}

/// Takes strings over into a record.
fn strings(from: &mut Vec<String>) -> Value {
    let strings = std::mem::take(from).into_iter();
    Value::Array(strings.map(Value::String).collect())
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
