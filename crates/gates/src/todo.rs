//! Gate `todo`: items of the expected outcome that are still open when a turn ends.

use crate::fields::fields;
use crate::review;
use proctor_kernel::{
    Band, ChecklistItem, Context, EventKind, EventTag, Finding, Gate, GateError, GateInfo, OnError, Outcome,
    Tier, Verdict,
};
use proctor_outline::makes;
use proctor_outline::progress::{advance, checklist, is_partial, open_verdicts, reminder};
use proctor_policy::TodoSettings;
use serde_json::{Value, json};

/// What this gate is.
pub static INFO: GateInfo = GateInfo {
    id: "todo",
    alias: "todo_tracker",
    about: "Items of the expected outcome still open, with a reminder at the end of the turn.",
    band: Band::Business,
    events: &[EventTag::TurnEnd, EventTag::Message, EventTag::ToolResult],
};

/// Names at most this many files in a message.
const NAMED: usize = 12;

/// The gate with its settings.
#[derive(Clone, Debug)]
pub struct Todo {
    settings: TodoSettings,
}

impl Todo {
    /// The gate with these settings.
    #[must_use]
    pub fn new(settings: &TodoSettings) -> Self {
        Self {
            settings: settings.clone(),
        }
    }
}

/// Why an answer was not judged as a whole.
const ONLY_ENDS: &str = "only the beginning and the end of the answer were read";

/// What was not judged of an answer, if anything.
#[must_use]
pub fn not_judged(response: &str) -> Option<&'static str> {
    is_partial(response).then_some(ONLY_ENDS)
}

/// The checklist of a delegation after the given answers, in order, and the reminder for what is open.
#[must_use]
pub fn judge(delegation: &str, responses: &[String]) -> (Vec<ChecklistItem>, Option<String>) {
    let outline = proctor_outline::read(delegation);
    let mut items = checklist(&outline.items);
    for response in responses {
        hear(&mut items, response, &[]);
    }
    let open = reminder(&items);
    (items, open)
}

/// Takes an answer in. An item that asks for a verdict is completed by one, in whatever form the gate `review` reads it.
fn hear(items: &mut [ChecklistItem], text: &str, created: &[String]) {
    advance(items, text, created);
    let verdicts = open_verdicts(items);
    if !verdicts.is_empty() {
        let judged = review::judge(text, &review::READER);
        if judged.is_approval || judged.refuses {
            for item in verdicts {
                if let Some(item) = items.get_mut(item) {
                    item.completed = true;
                }
            }
        }
    }
}

impl Gate for Todo {
    fn info(&self) -> &'static GateInfo {
        &INFO
    }

    fn check(&self, context: &Context<'_>) -> Result<Outcome, GateError> {
        let mut after = match (context.checklist, context.task) {
            ([], Some(task)) => checklist(&task.outline.items),
            (items, _) => items.to_vec(),
        };
        if after.is_empty() {
            return Ok(Outcome {
                data: json!({ "items": [], "reminder": null }),
                ..Outcome::pass()
            });
        }
        let before: Vec<bool> = after.iter().map(|item| item.completed).collect();
        let tier = match &context.event.kind {
            // Only what was witnessed counts here; a tool's output is no answer.
            EventKind::ToolResult { outcome, .. } if outcome.ok != Some(false) => {
                advance(&mut after, "", &outcome.created);
                None
            }
            EventKind::TurnEnd { text, .. } => {
                hear(&mut after, text, context.created);
                Some(Tier::Hard)
            }
            // A message on the way is not the end of the work.
            EventKind::Message { text } => {
                hear(&mut after, text, context.created);
                Some(Tier::Soft)
            }
            _ => None,
        };
        let missing = match &context.event.kind {
            EventKind::TurnEnd { .. } | EventKind::Message { .. } => hold_open(context, &before, &mut after),
            _ => Vec::new(),
        };
        let open = reminder(&after);
        let items = after.iter().map(|item| {
            let (text, completed) = (item.text.as_str().into(), item.completed.into());
            fields([("text", text), ("completed", completed)], 0).into()
        });
        let items = Value::Array(items.collect());
        let mut data = fields([("items", items), ("reminder", open.as_deref().into())], 2);
        let unread = match &context.event.kind {
            EventKind::TurnEnd { text, .. } | EventKind::Message { text } => not_judged(text),
            _ => None,
        };
        if let Some(why) = unread {
            data.insert("not_judged".to_owned(), why.into());
        }
        if !missing.is_empty() {
            data.insert("missing".to_owned(), missing.as_slice().into());
        }
        let finding = match (tier, open) {
            (Some(tier), Some(open)) => Some(finding(tier, open, unread, &missing)),
            _ => None,
        };
        let changed = after.as_slice() != context.checklist;
        Ok(Outcome {
            findings: finding.into_iter().collect(),
            data: Value::Object(data),
            checklist: changed.then_some(after),
        })
    }

    fn instruction(&self) -> &'static str {
        "Before you end a turn, say for each item of the expected outcome whether it is done, or why it cannot be done."
    }

    fn on_error(&self) -> OnError {
        self.settings.on_error
    }
}

/// Opens items again that this text alone completed and whose files are not there: an effect that can be looked at goes
/// before words. Gives those files. A file that a tool was seen to make counts, whatever became of it.
fn hold_open(context: &Context<'_>, before: &[bool], after: &mut [ChecklistItem]) -> Vec<String> {
    let Some(task) = context.task else {
        return Vec::new();
    };
    let was_seen = |path: &String| {
        let end = |file: &String| {
            file.strip_suffix(path.as_str())
                .map(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        context.created.iter().any(|file| end(file) == Some(true))
    };
    let mut wanted: Vec<(usize, String)> = Vec::new();
    for (at, item) in after.iter().enumerate() {
        if item.completed && !before.get(at).is_some_and(|done| *done) {
            let files = makes(&item.text).into_iter().filter(|path| !was_seen(path));
            wanted.extend(files.map(|path| (at, path)));
        }
    }
    if wanted.is_empty() {
        return Vec::new();
    }
    let paths: Vec<String> = wanted.iter().map(|(_, path)| path.clone()).collect();
    let missing = context.world.missing(task, &paths);
    for (at, path) in &wanted {
        if missing.contains(path)
            && let Some(item) = after.get_mut(*at)
        {
            item.completed = false;
        }
    }
    missing
}

fn finding(tier: Tier, reminder: String, unread: Option<&str>, missing: &[String]) -> Finding {
    let mut instead =
        "Say which are done; if one cannot be done, say why and end with a question.".to_owned();
    if !missing.is_empty() {
        let named: Vec<&str> = missing.iter().take(NAMED).map(String::as_str).collect();
        let more = missing.len().saturating_sub(NAMED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        instead = format!("Not there: {}{more}. {instead}", named.join(", "));
    }
    if let Some(why) = unread {
        instead.push_str(&format!(" ({why}: say it in a short answer.)"));
    }
    Finding {
        rule: "todo/open_items".to_owned(),
        tier,
        verdict: Verdict::Block,
        message: reminder,
        instead: Some(instead),
        spans: Vec::new(),
        fallback: None,
    }
}

#[cfg(test)]
mod tests;
