//! `proctor feedback`: a wrong verdict goes into the repository's own corpus.

use super::check::Policy;
use super::eval::answer;
use crate::cli::{AudienceName, FeedbackArgs};
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::feedback::{Case, Missed, Stored, reportable};
use proctor_engine::{Engine, check::GATES};
use proctor_eval::{Item, read};
use proctor_kernel::{Audience, Error, ErrorKind, Result};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn run(args: &FeedbackArgs) -> Result<Exit> {
    let environment = Environment::read(None);
    let engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    if let Some(gate) = args.gate.as_deref().filter(|g| !GATES.contains(g)) {
        return Err(
            Error::new(ErrorKind::Config, format!("there is no gate {gate:?}"))
                .hint(format!("gates: {}", GATES.join(", "))),
        );
    }
    if !args.false_positive && !args.missed {
        return Err(Error::new(ErrorKind::Input, "was it wrong to object, or not to?")
            .hint("--false-positive: a gate objected wrongly")
            .hint("--missed: a gate should have objected (without an id; with --gate and --file)"));
    }
    let mut case = if args.false_positive {
        false_positive(&engine, args)?
    } else {
        missed(&engine, args)?
    };
    let item = item(&case)?;
    let (file, stored) = engine.store_case(&mut case)?;
    let still = match answer(&item, &Policy::of(engine.settings()))? {
        Some(answer) => item
            .score(&answer)
            .map(|score| score.is_wrong())
            .map_err(|e| Error::new(ErrorKind::Internal, e))?,
        None => true,
    };
    if args.json {
        output::json(&json!({
            "id": case.id, "gate": case.gate, "file": file, "stored": word(stored), "still_wrong": still, "case": case.row,
        }));
        return Ok(Exit::Pass);
    }
    output::line(&format!("{} {} in {}", word(stored), case.id, file.display()));
    let fields = case
        .row
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "id" | "from"));
    for (name, value) in fields {
        output::line(&format!("  {name:<18}{}", shown(value)));
    }
    output::line(if still {
        "The gate is still wrong about it: `proctor eval` shows it until that changes."
    } else {
        "With the policy in force the gate is right about it: `proctor eval` sees that it stays so."
    });
    output::line("The file is meant to be committed; remove what must not be in the repository first.");
    Ok(Exit::Pass)
}

fn word(stored: Stored) -> &'static str {
    match stored {
        Stored::New => "stored",
        Stored::Same => "already stored",
        Stored::Changed => "replaced",
    }
}

/// A value on one line.
fn shown(value: &Value) -> String {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), |t| t.replace('\n', "⏎"));
    match text.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

fn false_positive(engine: &Engine<ProcessClock>, args: &FeedbackArgs) -> Result<Case> {
    let id = match args.id.as_deref() {
        Some("last") => latest(engine)?,
        Some(id) => id.to_owned(),
        None => {
            return Err(Error::new(ErrorKind::Input, "which decision was wrong?")
                .hint("give its id, which the agent was told, or `last` for the latest objection"));
        }
    };
    let text = args.file.as_deref().map(text).transpose()?;
    engine.false_positive(&id, args.gate.as_deref(), args.note.as_deref(), text.as_deref())
}

/// The latest decision in which a gate objected that can be reported.
fn latest(engine: &Engine<ProcessClock>) -> Result<String> {
    let mut last: Option<(u64, String)> = None;
    engine.each_decision(|id, millis, record| {
        let newer = last.as_ref().is_none_or(|(m, i)| (millis, id) > (*m, i.as_str()));
        if newer && reportable(&record).next().is_some() {
            last = Some((millis, id.to_owned()));
        }
    })?;
    last.map(|(_, id)| id).ok_or_else(|| {
        Error::new(
            ErrorKind::Input,
            "no gate of which a case can be made has objected here yet",
        )
    })
}

fn missed(engine: &Engine<ProcessClock>, args: &FeedbackArgs) -> Result<Case> {
    let Some(gate) = args.gate.as_deref() else {
        return Err(Error::new(ErrorKind::Input, "which gate should have objected?")
            .hint(format!("--gate, one of {}", GATES.join(", "))));
    };
    let Some(file) = args.file.as_deref() else {
        return Err(
            Error::new(ErrorKind::Input, "what was missed? texts that pass are not kept")
                .hint("give it with --file FILE, or `-` for standard input"),
        );
    };
    let audience = match args.audience {
        AudienceName::Agent => Audience::Agent,
        AudienceName::Human => Audience::Human,
    };
    engine.missed(&Missed {
        gate,
        input: &text(file)?,
        audience,
        note: args.note.as_deref(),
    })
}

fn text(file: &Path) -> Result<String> {
    String::from_utf8(super::eval::bytes(file)?)
        .map_err(|e| Error::new(ErrorKind::Input, format!("{} is not UTF-8", file.display())).because(e))
}

/// The case as `proctor eval` will read it, so that nothing is stored that it cannot read.
fn item(case: &Case) -> Result<Item> {
    let line = Value::Object(case.row.clone()).to_string();
    let mut items = read(line.as_bytes(), None).map_err(|problems| {
        let why = problems.first().map(|p| p.message.clone()).unwrap_or_default();
        Error::new(
            ErrorKind::Input,
            format!("this is no case of {}: {why}", case.gate),
        )
        .hint("docs/eval.md shows the fields")
    })?;
    items
        .pop()
        .ok_or_else(|| Error::new(ErrorKind::Internal, "the case went away"))
}
