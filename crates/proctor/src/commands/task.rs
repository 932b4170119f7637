//! `proctor task`: the task that this repository's agents work on.

use crate::caller;
use crate::cli::TaskCommand;
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::Engine;
use proctor_engine::review::PartyKind;
use proctor_kernel::{Error, ErrorKind, Result, Task};
use std::io::Read;

pub(crate) fn run(command: &TaskCommand) -> Result<Exit> {
    let environment = Environment::read(None);
    let mut engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    match command {
        TaskCommand::Start { words, json } => start(&mut engine, words, *json),
        TaskCommand::Show { json } => show(&engine, *json),
        TaskCommand::Done { json } => {
            let closed = match engine.finish_task()? {
                Some(task) => Some(task),
                None => finish_session(&mut engine)?,
            };
            if *json {
                output::json(&serde_json::json!({ "closed": closed }));
            } else {
                match closed {
                    Some(task) => output::line(&format!("closed {}", task.id)),
                    None => output::line("no task is set, and the last session has none"),
                }
            }
            Ok(Exit::Pass)
        }
    }
}

/// Closes the task of the last session, for a human at a terminal: an agent does not release itself.
fn finish_session(engine: &mut Engine<ProcessClock>) -> Result<Option<Task>> {
    let (by, why) = caller::identify();
    if by.kind != PartyKind::Human {
        return Err(Error::new(
            ErrorKind::Input,
            format!("no task is set, and only a human at a terminal can close what a session works on: {why}"),
        )
        .hint("a person closes it with `proctor task done`, or says in the conversation what is no longer asked for"));
    }
    engine.finish_session()
}

fn start(engine: &mut Engine<ProcessClock>, words: &str, json: bool) -> Result<Exit> {
    let mut text = words.to_owned();
    if words == "-" {
        text.clear();
        std::io::stdin().read_to_string(&mut text).map_err(|e| {
            Error::new(ErrorKind::Input, "cannot read the task from standard input").because(e)
        })?;
    }
    if text.trim().is_empty() {
        return Err(Error::new(ErrorKind::Input, "the task has no words"));
    }
    let task = engine.start_task(&text)?;
    if json {
        output::json(&task);
    } else {
        describe(&task);
        if !task.outline.has_outcome {
            output::line("  no EXPECTED OUTCOME: the scope and todo gates have nothing to compare with");
        }
    }
    Ok(Exit::Pass)
}

fn show(engine: &Engine<ProcessClock>, json: bool) -> Result<Exit> {
    output::complain_if_lost(engine.store()?);
    let set = engine.set_task()?;
    let sessions = engine.sessions()?;
    if json {
        let sessions: Vec<_> = sessions
            .iter()
            .map(|(log, state)| serde_json::json!({ "log": log, "state": state }))
            .collect();
        output::json(&serde_json::json!({ "set": set, "sessions": sessions }));
        return Ok(Exit::Pass);
    }
    match &set {
        Some(task) => describe(task),
        None => output::line("no task is set by `proctor task start`"),
    }
    for (log, state) in sessions {
        for (id, agent) in state.agents.iter().filter(|(_, a)| a.task.is_some()) {
            let who = if id.is_empty() {
                "main".to_owned()
            } else {
                format!("{} {id}", agent.kind)
            };
            let done = agent.checklist.iter().filter(|i| i.completed).count();
            let words = agent
                .task
                .as_ref()
                .and_then(|t| t.words.lines().next())
                .unwrap_or_default();
            output::line(&format!("\n{log} · {who}: {words}"));
            for item in &agent.checklist {
                output::line(&format!(
                    "  [{}] {}",
                    if item.completed { 'x' } else { ' ' },
                    item.text
                ));
            }
            output::line(&format!(
                "  {done} of {} items, {} rejection(s) in a row{}",
                agent.checklist.len(),
                agent.rejections,
                if agent.escalated { ", UNREVIEWED" } else { "" }
            ));
        }
    }
    Ok(Exit::Pass)
}

fn describe(task: &Task) {
    output::line(&format!("task {}", task.id));
    for line in task.words.lines() {
        output::line(&format!("  | {line}"));
    }
    let base = task.base.as_deref().unwrap_or("no commit");
    output::line(&format!(
        "  base {base}, {} file(s) changed already",
        task.dirty
            .iter()
            .filter(|(path, _)| !path.starts_with('/'))
            .count()
    ));
    for (index, item) in task.outline.items.iter().enumerate() {
        output::line(&format!("  {}. {item}", index + 1));
    }
    if !task.outline.expected.is_empty() {
        output::line(&format!("  may change: {}", task.outline.expected.join(", ")));
    }
    if !task.outline.excluded.is_empty() {
        output::line(&format!(
            "  must not change: {}",
            task.outline.excluded.join(", ")
        ));
    }
}
