//! One gate on one piece of data: the rows of `proctor check GATE --jsonl`.
//!
//! The fields of a row come from the gate's own `judge`; its `decision` is what the pipeline of the
//! hook makes of the same data under the given settings.

use crate::{Embedding, plan};
use proctor_gates::review::Occasion;
use proctor_gates::{approval, delegation, drift, response, review, scope, todo};
use proctor_kernel::{
    Agent, Audience, Breaker, ChecklistItem, Context, Delegation, Digest, Error, ErrorKind, Event, EventKind,
    GateError, Id, Mode, Result, Span, Task, TaskOrigin, ToolCall, ToolKind, Verdict, World,
};
use proctor_policy::Settings;
use serde::Deserialize;
use serde_json::{Value, json};

/// The gates that `check` knows in this version. `claims` is the part of `approval` that reads texts; without a session
/// there are no facts to compare with.
pub const GATES: [&str; 7] = [
    "response",
    "review",
    "scope",
    "todo",
    "drift",
    "delegation",
    "claims",
];

/// What a row may hold; each gate takes what it needs, unknown fields are ignored.
#[derive(Debug, Default, Deserialize)]
pub struct Row {
    /// Echoed in the answer.
    #[serde(default)]
    pub id: Value,
    /// The text: `response`, `review`, `delegation`, `claims`.
    pub text: Option<String>,
    /// Who reads it: `agent` (default) or `human`.
    pub audience: Option<Audience>,
    /// The delegation: `scope`, `todo`.
    pub delegation: Option<String>,
    /// The words of the task that a message to a person answers: `response`.
    pub task: Option<String>,
    /// Changed paths: `scope`.
    pub modified: Option<Vec<String>>,
    /// The agent's answers in order: `todo`.
    pub responses: Option<Vec<String>>,
    /// Whether the writer was asked for a review: `review`; true when nothing is said.
    pub asked: Option<bool>,
    /// The agent's thoughts in order: `drift`.
    pub thoughts: Option<Vec<String>>,
}

/// Judges one row.
///
/// # Errors
/// Kind `config` for an unknown gate; kind `input` when a field is missing; kind `gate` when the gate could not run.
pub fn row(gate: &str, row: &Row, settings: &Settings, embedding: &Embedding) -> Result<Value> {
    let missing = |field: &str| Error::new(ErrorKind::Input, format!("the field {field:?} is missing"));
    let text = || row.text.as_deref().ok_or_else(|| missing("text"));
    let task = || row.delegation.as_deref().ok_or_else(|| missing("delegation"));
    let audience = row.audience.unwrap_or(Audience::Agent);
    match gate {
        "response" => {
            let text = text()?;
            let judged = response::judge(text, audience, &settings.response);
            let decision = decide(gate, message(text), audience, &Data::default(), settings);
            let mut answer = json!({
                "id": row.id, "verdict": judged.verdict, "decision": decision, "ratio": judged.ratio,
                "token_ratio": judged.token_ratio, "spans": judged.spans, "labels": judged.labels,
                "feedback": judged.feedback,
            });
            if !judged.why.is_empty()
                && let Some(fields) = answer.as_object_mut()
            {
                fields.insert("why".to_owned(), json!(judged.why));
            }
            // What a hook remarks at the end of a turn, whatever the mode.
            if audience == Audience::Human
                && let Some(fields) = answer.as_object_mut()
            {
                let remarks = response::remarks(text, row.task.as_deref(), &settings.response);
                let remarks = remarks.into_iter().map(|f| {
                    let place = f.spans.into_iter().next();
                    json!({ "rule": f.rule, "message": f.message, "span": place })
                });
                fields.insert("remarks".to_owned(), remarks.collect());
            }
            note(&mut answer, judged.not_judged);
            Ok(answer)
        }
        "review" => {
            let text = text()?;
            // Whoever has a text checked as a review takes it for one. What a person reads answers that person.
            let asked = row.asked.unwrap_or(true) && audience == Audience::Agent;
            let occasion = if asked { Occasion::Review } else { Occasion::Any };
            let judged = review::judge_on(text, &settings.review, &|| occasion);
            let task = asked.then(|| fixed_task("Review the change."));
            let data = Data {
                task: task.as_ref(),
                ..Data::default()
            };
            let decision = decide(gate, message(text), audience, &data, settings);
            let mut answer = json!({
                "id": row.id, "verdict": judged.verdict, "decision": decision, "is_approval": judged.is_approval,
                "approvals": judged.approvals, "evidence": judged.evidence, "feedback": judged.feedback,
            });
            if let (Some(why), Some(fields)) = (judged.why, answer.as_object_mut()) {
                let why = json!({ "approval": why.approval, "evidence": why.evidence });
                fields.insert("why".to_owned(), why);
            }
            note(&mut answer, judged.not_judged);
            Ok(answer)
        }
        "scope" => {
            let words = task()?;
            let modified = row.modified.as_deref().ok_or_else(|| missing("modified"))?;
            let judged = scope::judge(words, modified, &settings.scope);
            let task = fixed_task(words);
            let data = Data {
                task: Some(&task),
                modified,
                ..Data::default()
            };
            let decision = decide(gate, turn_end(""), audience, &data, settings);
            Ok(json!({
                "id": row.id, "severity": judged.severity, "decision": decision, "expected": judged.expected,
                "unexpected": judged.unexpected,
            }))
        }
        "todo" => {
            let words = task()?;
            let responses = row.responses.as_deref().ok_or_else(|| missing("responses"))?;
            let (items, reminder) = todo::judge(words, responses);
            let task = fixed_task(words);
            let last = responses.last().map_or("", String::as_str);
            let before = responses
                .split_last()
                .map(|(_, before)| todo::judge(words, before).0)
                .unwrap_or_default();
            let data = Data {
                task: Some(&task),
                checklist: &before,
                ..Data::default()
            };
            let decision = decide(gate, turn_end(last), audience, &data, settings);
            let mut answer =
                json!({ "id": row.id, "items": items, "reminder": reminder, "decision": decision });
            note(&mut answer, responses.iter().find_map(|r| todo::not_judged(r)));
            Ok(answer)
        }
        "drift" => {
            let thoughts = row.thoughts.as_deref().ok_or_else(|| missing("thoughts"))?;
            let judged = drift::assess(thoughts, &settings.drift, &|texts| embedding.embed(texts))
                .map_err(|e| Error::new(ErrorKind::Gate, format!("the gate could not run: {e}")))?;
            let data = Data {
                thoughts,
                embedding: Some(embedding),
                ..Data::default()
            };
            let last = thoughts.last().map_or("", String::as_str);
            let decision = decide(gate, turn_end(last), audience, &data, settings);
            Ok(json!({
                "id": row.id, "stuck": judged.stuck, "why": judged.why, "decision": decision,
                "repeats": judged.repeats, "period": judged.period, "news": judged.news, "cosine": judged.cosine,
                "fell_back": judged.fell_back,
            }))
        }
        "delegation" => {
            let text = text()?;
            let judged = delegation::judge(text);
            let decision = decide(gate, delegating(text), audience, &Data::default(), settings);
            let words = delegation::words(text, &settings.response, &settings.review);
            let unproven = if words.proven { Vec::new() } else { words.approval };
            let claims: Vec<_> = words.claims.into_iter().map(|(_, span)| span).collect();
            // As the gate reports it of a call; without a session there is nothing that a claim could be compared with.
            let told = |mode: Mode, spans: &[Span]| mode > Mode::Observe && !spans.is_empty();
            let notes = told(settings.response.mode, &words.praise) || told(settings.review.mode, &unproven);
            let verdict = if notes { Verdict::Block } else { judged.verdict };
            Ok(json!({
                "id": row.id, "verdict": verdict, "decision": decision, "missing": judged.missing,
                "feedback": judged.feedback, "praise": words.praise, "approvals": unproven, "claims": claims,
            }))
        }
        "claims" => {
            let text = text()?;
            let reading = proctor_prose::read_shared(text, &proctor_prose::Extra::default());
            let found = approval::claims(text, &reading);
            let mut kinds: Vec<_> = found.iter().map(|c| c.kind).collect();
            kinds.sort_unstable();
            kinds.dedup();
            let kinds: Vec<&str> = kinds.into_iter().map(approval::ClaimKind::as_str).collect();
            let spans: Vec<_> = found.into_iter().map(|c| c.span).collect();
            Ok(json!({ "id": row.id, "claims": kinds, "spans": spans }))
        }
        other => Err(Error::new(
            ErrorKind::Config,
            format!("there is no gate {other:?} to check in this version"),
        )
        .hint(format!("gates: {}", GATES.join(", ")))),
    }
}

/// Says why a text was not judged, where it was not.
fn note(answer: &mut Value, not_judged: Option<&str>) {
    if let (Some(why), Some(fields)) = (not_judged, answer.as_object_mut()) {
        fields.insert("not_judged".to_owned(), json!(why));
    }
}

fn message(text: &str) -> EventKind {
    EventKind::Message {
        text: text.to_owned(),
    }
}

fn turn_end(text: &str) -> EventKind {
    EventKind::TurnEnd {
        text: text.to_owned(),
        again: false,
        background: 0,
    }
}

fn delegating(text: &str) -> EventKind {
    EventKind::ToolCall {
        call: ToolCall {
            delegation: Some(Delegation {
                prompt: text.to_owned(),
                agent: String::new(),
            }),
            ..ToolCall::new("delegate", ToolKind::Delegate)
        },
    }
}

fn fixed_task(words: &str) -> Task {
    Task {
        id: Id::from_parts(0, [0; 10]),
        words: words.to_owned(),
        origin: TaskOrigin::Delegation,
        outline: proctor_outline::read(words),
        base: None,
        dirty: Vec::new(),
    }
}

/// What a gate may need beyond the text.
#[derive(Default)]
struct Data<'a> {
    task: Option<&'a Task>,
    checklist: &'a [ChecklistItem],
    modified: &'a [String],
    thoughts: &'a [String],
    embedding: Option<&'a Embedding>,
}

/// What the pipeline makes of one gate alone, on the first try.
fn decide(
    gate: &str,
    kind: EventKind,
    audience: Audience,
    data: &Data<'_>,
    settings: &Settings,
) -> &'static str {
    let event = Event {
        host: "check".to_owned(),
        native: gate.to_owned(),
        session: "check".to_owned(),
        agent: Some(Agent {
            id: "agent".to_owned(),
            kind: "agent".to_owned(),
        }),
        cwd: String::new(),
        turn: None,
        input: Digest::of(b""),
        kind,
    };
    let plan = plan::build(&plan::Ask {
        tag: event.kind.tag(),
        tool: None,
        settings,
        audience,
        ceiling: if settings.enabled {
            Mode::Enforce
        } else {
            Mode::Off
        },
        pause: false,
        claims_wait: false,
        aside: false,
        launched: false,
        rejections: 0,
        stop_retry: true,
        delegation_retry: true,
        known: true,
        earlier: Vec::new(),
        changes_told: false,
        released: false,
        only_shown: false,
        thoughts: data.thoughts.len(),
        steps: 0,
        tripped: false,
        repeats: false,
        over_budget: false,
        retries_granted: 0,
        stops_granted: 0,
        acts: None,
        breaker: &|_| Breaker::Closed,
    });
    let mut planned = plan.planned();
    planned.retain(|p| p.gate.info().id == gate);
    let world = Fixed(data);
    let context = Context {
        event: &event,
        audience,
        task: data.task,
        checklist: data.checklist,
        created: &[],
        thoughts: data.thoughts,
        steps: &[],
        world: &world,
    };
    let action = proctor_kernel::run(&planned, &context, &|| 0).0.action;
    action.as_str()
}

/// A world in which exactly these files changed.
struct Fixed<'a>(&'a Data<'a>);

impl World for Fixed<'_> {
    fn changed_files(&self, _: &Task) -> Result<Vec<String>, GateError> {
        Ok(self.0.modified.to_vec())
    }

    fn embed(&self, texts: &[String]) -> std::result::Result<Vec<Vec<f32>>, GateError> {
        match self.0.embedding {
            Some(embedding) => embedding.embed(texts),
            None => Err(GateError::new("no embedder is known here")),
        }
    }
}
