//! Gate `scope`: files changed since the task's base against what the task says may change.

use proctor_kernel::{
    Band, Context, EventTag, Finding, Gate, GateError, GateInfo, OnError, Outcome, Outline, Task, TaskOrigin,
    Tier, Verdict,
};
use proctor_outline::scope::{ScopeJudgement, Severity, compare, is_judgeable};
use proctor_policy::ScopeSettings;
use serde_json::json;
use std::collections::HashSet;

/// What this gate is.
pub static INFO: GateInfo = GateInfo {
    id: "scope",
    alias: "scope_guard",
    about: "Files changed since the task's base against the files, globs and folders of its expected outcome.",
    band: Band::Business,
    events: &[EventTag::TurnEnd, EventTag::Message],
};

/// Names at most this many files in a message.
const NAMED: usize = 12;

/// The gate with its settings.
#[derive(Clone, Debug)]
pub struct Scope {
    settings: ScopeSettings,
}

impl Scope {
    /// The gate with these settings.
    #[must_use]
    pub fn new(settings: &ScopeSettings) -> Self {
        Self {
            settings: settings.clone(),
        }
    }
}

/// Compares changed files with the words of a delegation. A delegation that names no file and forbids
/// none gives `NONE`: there is nothing to judge by.
#[must_use]
pub fn judge(delegation: &str, modified: &[String], settings: &ScopeSettings) -> ScopeJudgement {
    let outline = proctor_outline::read(delegation);
    compare(&outline, modified, &settings.allow, settings.violation_threshold)
}

impl Gate for Scope {
    fn info(&self) -> &'static GateInfo {
        &INFO
    }

    fn check(&self, context: &Context<'_>) -> Result<Outcome, GateError> {
        let Some(task) = context.task else {
            return Ok(unjudged("no task"));
        };
        let outline = binding(task);
        if !is_judgeable(&outline) {
            return Ok(unjudged("the task names no files"));
        }
        let (allow, threshold) = (&self.settings.allow, self.settings.violation_threshold);
        let mut modified = context.world.changed_files(task)?;
        let may_change = |file: &str| {
            let judged = compare(&outline, &[file.to_owned()], allow, threshold);
            judged.unexpected.is_empty()
        };
        // Git is told what to ignore by files that an agent can write.
        modified.extend(context.world.hidden_changes(task, &modified, &may_change)?);
        let mut judged = compare(&outline, &modified, allow, threshold);
        let mut brought = Vec::new();
        if !judged.unexpected.is_empty() {
            // What others committed and a pull brought in is not the agent's work.
            brought = context.world.brought_in(task, &judged.unexpected);
            if !brought.is_empty() {
                let theirs: HashSet<&String> = brought.iter().collect();
                modified.retain(|file| !theirs.contains(file));
                judged = compare(&outline, &modified, allow, threshold);
            }
        }
        let mut data = json!({
            "severity": judged.severity, "expected": judged.expected, "unexpected": judged.unexpected,
        });
        if !brought.is_empty() {
            data["brought_in"] =
                json!({ "count": brought.len(), "first": brought.iter().take(NAMED).collect::<Vec<_>>() });
        }
        let findings = finding(&outline, &judged).into_iter().collect();
        Ok(Outcome {
            findings,
            data,
            checklist: None,
        })
    }

    fn instruction(&self) -> &'static str {
        "Change only the files that the task's expected outcome names. If another file must change, say which and why \
         before you change it."
    }

    fn on_error(&self) -> OnError {
        self.settings.on_error
    }
}

fn unjudged(why: &str) -> Outcome {
    Outcome {
        data: json!({ "severity": Severity::None, "judged": false, "why": why }),
        ..Outcome::pass()
    }
}

/// Whether this gate has anything to compare with for a task. Only then does the task need a base.
#[must_use]
pub fn is_judged(task: &Task) -> bool {
    is_judgeable(&binding(task))
}

/// The part of a task's outline that binds. Files that a user's prompt mentions in passing ("fix the
/// crash in src/a.rs") are no boundary unless the prompt says so; what it forbids always binds.
fn binding(task: &Task) -> Outline {
    let mut outline = task.outline.clone();
    if !outline.has_outcome && task.origin == TaskOrigin::Prompt {
        outline.expected.clear();
    }
    outline
}

fn finding(outline: &Outline, judged: &ScopeJudgement) -> Option<Finding> {
    let tier = match judged.severity {
        Severity::None => return None,
        Severity::Warning => Tier::Soft,
        Severity::NeedsReview => Tier::Hard,
    };
    let count = judged.unexpected.len();
    let files = if count == 1 {
        "1 file"
    } else {
        &format!("{count} files")
    };
    let allowed = match (outline.read_only, judged.expected.is_empty()) {
        (true, _) => "The task is read-only.".to_owned(),
        (false, true) => format!("The task rules out {}.", listed(&outline.excluded)),
        (false, false) => format!("The task covers {}.", listed(&judged.expected)),
    };
    let allowed = if outline.unread > 0 {
        format!(
            "{allowed} {} bytes in the middle of the task's text were not read; files named there are not known.",
            outline.unread
        )
    } else {
        allowed
    };
    Some(Finding {
        rule: "scope/unexpected_files".to_owned(),
        tier,
        verdict: Verdict::Block,
        message: format!(
            "[SYSTEM] Scope violation: modified {} not in expected outcome ({}, {files}). {allowed}",
            listed(&judged.unexpected),
            judged.severity.as_str(),
        ),
        instead: Some(
            "Take these changes back; or say for each file why the task needs it, and ask the user to widen the task: \
             a prompt that names the files releases them."
                .to_owned(),
        ),
        spans: Vec::new(),
        fallback: None,
    })
}

fn listed(files: &[String]) -> String {
    let shown = proctor_kernel::names(files, NAMED);
    match files.len().checked_sub(NAMED) {
        Some(more) if more > 0 => format!("{shown} and {more} more"),
        _ => shown,
    }
}

#[cfg(test)]
mod tests;
