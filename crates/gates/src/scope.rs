//! Gate `scope`: files changed since the task's base against what the task says may change.

use proctor_kernel::{
    Author, Band, Context, EventTag, Finding, Gate, GateError, GateInfo, OnError, Outcome, Outline, Task,
    TaskOrigin, Tier, Verdict, World,
};
use proctor_outline::scope::{ScopeJudgement, Severity, compare, covered, is_judgeable};
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
        let mut outline = binding(task);
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
        let mut modified = opened(context.world, task, modified, &may_change);
        let lost = lost(context.world, &outline, &modified);
        outline.excluded.extend(lost.iter().cloned());
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
        let (mut others, mut unknown) = (Vec::new(), Vec::new());
        if !judged.unexpected.is_empty() {
            let authors = context.world.authors(task, &judged.unexpected);
            for (file, author) in judged.unexpected.iter().zip(authors) {
                match author {
                    Author::This => {}
                    Author::Other => others.push(file.clone()),
                    Author::Unknown => unknown.push(file.clone()),
                }
            }
            if !others.is_empty() {
                modified.retain(|file| !others.contains(file));
                judged = compare(&outline, &modified, allow, threshold);
            }
        }
        let mut data = json!({
            "severity": judged.severity, "expected": judged.expected, "unexpected": judged.unexpected,
        });
        for (key, files) in [
            ("brought_in", &brought),
            ("others", &others),
            ("unknown", &unknown),
        ] {
            if !files.is_empty() {
                let first = files.iter().take(NAMED).collect::<Vec<_>>();
                data[key] = json!({ "count": files.len(), "first": first });
            }
        }
        if !lost.is_empty() {
            data["lost"] = json!(lost.iter().take(NAMED).collect::<Vec<_>>());
        }
        let findings = finding(&outline, &judged, &unknown).into_iter().collect();
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

/// The changed files that must not be deleted, renamed or moved, and are not where they were.
fn lost(world: &dyn World, outline: &Outline, modified: &[String]) -> Vec<String> {
    if outline.kept.is_empty() {
        return Vec::new();
    }
    let kept = covered(&outline.kept, modified, &[]);
    if kept.is_empty() { kept } else { world.gone(&kept) }
}

/// The changed files with those of a submodule in the place of its own path, where the task is about some of them.
fn opened(
    world: &dyn World,
    task: &Task,
    modified: Vec<String>,
    may_change: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let open = |path: String| {
        let inside = world.changed_inside(task, &path);
        let is_meant =
            !inside.is_empty() && (may_change(&path) || inside.iter().any(|file| may_change(file)));
        if is_meant { inside } else { vec![path] }
    };
    modified.into_iter().flat_map(open).collect()
}

/// What to do about the files: who is not on record to have changed one is not told to take it back, for it may be somebody
/// else's work.
fn instead(judged: &ScopeJudgement, unknown: &[String]) -> String {
    let mine: Vec<String> = judged
        .unexpected
        .iter()
        .filter(|file| !unknown.contains(file))
        .cloned()
        .collect();
    let what = match (unknown.is_empty(), mine.is_empty()) {
        (true, _) => "Take these changes back".to_owned(),
        (false, true) => format!(
            "Take back only what you changed: you are not on record to have written {}. Leave what is not yours as it is, and \
             say so",
            listed(unknown)
        ),
        (false, false) => format!(
            "Take back your changes of {}; you are not on record to have written {}: leave what is not yours as it is, and say \
             so",
            listed(&mine),
            listed(unknown)
        ),
    };
    format!(
        "{what}; or say for each file why the task needs it, and ask the user to widen the task: a prompt that names the files \
         releases them."
    )
}

fn finding(outline: &Outline, judged: &ScopeJudgement, unknown: &[String]) -> Option<Finding> {
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
        instead: Some(instead(judged, unknown)),
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
