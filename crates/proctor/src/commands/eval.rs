//! `proctor eval`: the gates on labelled messages.

use crate::cli::{CheckArgs, EvalArgs};
use crate::commands::check::Policy;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::check::{GATES, Row, row};
use proctor_eval::{Check, Floors, Gate, Item, Judged, Options, Report, read};
use proctor_kernel::{Error, ErrorKind, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Wrong lines that are listed before the rest is counted.
const LISTED: usize = 20;

pub(crate) fn run(args: &EvalArgs) -> Result<Exit> {
    let policy = super::check::policy(&CheckArgs {
        policy: args.policy.clone(),
        home: args.home.clone(),
        ..CheckArgs::default()
    })?;
    match &args.floors {
        Some(file) => floors(file, args, &policy),
        None => files(args, &policy),
    }
}

/// Figures of the named files.
fn files(args: &EvalArgs, policy: &Policy) -> Result<Exit> {
    let gate = args
        .gate
        .as_deref()
        .map(|name| {
            Gate::named(name).ok_or_else(|| {
                let names: Vec<_> = Gate::ALL.iter().map(|g| g.as_str()).collect();
                Error::new(ErrorKind::Config, format!("there is no gate {name:?} to judge"))
                    .hint(format!("gates: {}", names.join(", ")))
            })
        })
        .transpose()?;
    let files = if args.files.is_empty() {
        own_corpus()?
    } else {
        args.files.clone()
    };
    let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    let given = args.answers.as_deref().map(answers).transpose()?;
    let mut judged = Vec::new();
    for (file, name) in files.iter().zip(&names) {
        let mut items = items(file, gate, args.totals)?;
        items.retain(|item| gate.is_none_or(|g| g == item.gate));
        judged.extend(match &given {
            Some(answers) => judge(items, name, |item| Ok(answers.get(&item.id).cloned()))?,
            None => judge(items, name, |item| answer(item, policy))?,
        });
    }
    if judged.is_empty() {
        let what = gate.map_or_else(String::new, |g| format!(" of the gate {g}"));
        return Err(Error::new(
            ErrorKind::Input,
            format!("there are no labelled items{what} in these files"),
        ));
    }
    let options = Options {
        by: if args.totals { Vec::new() } else { args.by.clone() },
        errors: args.errors,
    };
    let report = Report::of(&judged, &options);
    let checks: Vec<Check> = report
        .gates
        .iter()
        .flat_map(|gate| args.floor.iter().map(|floor| floor.check(gate.gate, Some(gate))))
        .collect();
    if args.json {
        output::json(&json!({ "gates": report.gates, "floors": checks }));
    } else {
        output::print(&report.to_text());
        if !checks.is_empty() {
            output::print(&format!("\n{}", Floors::to_text(&checks)));
        }
    }
    Ok(exit(&checks))
}

/// The demands of a floors file.
fn floors(file: &Path, args: &EvalArgs, policy: &Policy) -> Result<Exit> {
    let name = file.display().to_string();
    let bytes = bytes(file)?;
    let text = String::from_utf8(bytes)
        .map_err(|e| Error::new(ErrorKind::Input, format!("{name} is not UTF-8")).because(e))?;
    let floors = Floors::read(&text).map_err(|e| Error::new(ErrorKind::Input, format!("{name}: {e}")))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut known: BTreeMap<(PathBuf, Option<Gate>), Vec<Judged<'_>>> = BTreeMap::new();
    let mut checks = Vec::new();
    for place in &floors.places {
        let mut mine = Vec::new();
        for file in &place.files {
            let key = (folder.join(file), place.gate());
            if !known.contains_key(&key) {
                let judged = judge(items(&key.0, key.1, args.totals)?, file, |item| {
                    answer(item, policy)
                })?;
                known.insert(key.clone(), judged);
            }
            mine.extend(known.get(&key).into_iter().flatten().cloned());
        }
        checks.extend(place.check(&mine));
    }
    if args.json {
        output::json(&json!({ "floors": checks }));
    } else {
        output::print(&Floors::to_text(&checks));
    }
    Ok(exit(&checks))
}

fn exit(checks: &[Check]) -> Exit {
    if checks.iter().all(|c| c.holds) {
        Exit::Pass
    } else {
        Exit::Blocked
    }
}

/// The repository's own corpus: `.proctor/corpus/*.jsonl`.
fn own_corpus() -> Result<Vec<PathBuf>> {
    let cwd = Environment::read(None).cwd;
    let repo = proctor_worktree::Repo::discover(&cwd)?;
    let root = repo.as_ref().and_then(|r| r.root()).unwrap_or(&cwd);
    let folder = root.join(".proctor/corpus");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    files.sort();
    // A pipe would be waited for; who names one means it.
    if let Some(odd) = files.iter().find(|path| !path.is_file()) {
        let what = format!("{} is no regular file", odd.display());
        return Err(Error::new(ErrorKind::Input, what));
    }
    if files.is_empty() {
        return Err(Error::new(
            ErrorKind::Input,
            format!("no files were named, and {} holds none", folder.display()),
        )
        .hint("name labelled files, or store a case with `proctor feedback ID --false-positive`"));
    }
    Ok(files)
}

pub(super) fn bytes(file: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let cannot = || Error::new(ErrorKind::Input, format!("cannot read {}", file.display()));
    if file.as_os_str() == "-" {
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|e| cannot().because(e))?;
    } else {
        bytes = std::fs::read(file).map_err(|e| cannot().because(e))?;
    }
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return Err(cannot().hint(format!(
            "it is compressed: gzip -dc {} | proctor eval --totals -",
            file.display()
        )));
    }
    Ok(bytes)
}

/// The items of a file. Of a sealed one nothing is told, not even in errors.
fn items(file: &Path, gate: Option<Gate>, sealed: bool) -> Result<Vec<Item>> {
    read(&bytes(file)?, gate).map_err(|problems| {
        let name = file.display();
        let mut error = Error::new(
            ErrorKind::Input,
            format!("{name} cannot be used: {} wrong line(s)", problems.len()),
        );
        for problem in problems.iter().take(LISTED).filter(|_| !sealed) {
            error = error.hint(format!("{name}:{}: {}", problem.line, problem.message));
        }
        error
    })
}

/// Compares the labels with the answers.
fn judge<'a>(
    items: Vec<Item>,
    file: &'a str,
    answer: impl Fn(&Item) -> Result<Option<Value>>,
) -> Result<Vec<Judged<'a>>> {
    let mut judged = Vec::new();
    for item in items {
        let score = answer(&item)?.map(|answer| item.score(&answer)).transpose();
        let score = score.map_err(|e| Error::new(ErrorKind::Input, format!("{file}:{}: {e}", item.line)))?;
        judged.push(Judged { file, item, score });
    }
    Ok(judged)
}

/// Answers that something else gave, by id: the lines that `proctor check --jsonl` prints.
fn answers(file: &Path) -> Result<BTreeMap<String, Value>> {
    let bytes = bytes(file)?;
    let mut answers = BTreeMap::new();
    for (index, line) in bytes.split(|b| *b == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let wrong = |why: &str| {
            Error::new(
                ErrorKind::Input,
                format!("{}:{}: {why}", file.display(), index + 1),
            )
        };
        let value: Value = serde_json::from_slice(line).map_err(|e| wrong("this is no JSON").because(e))?;
        let id = match value.get("id") {
            Some(Value::String(id)) => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            _ => return Err(wrong("an answer has an `id`")),
        };
        if answers.insert(id, value).is_some() {
            return Err(wrong("this id has an answer already"));
        }
    }
    Ok(answers)
}

/// What the gate says of an item, as `proctor check` prints it. `None` when this version has no such gate.
pub(super) fn answer(item: &Item, policy: &Policy) -> Result<Option<Value>> {
    if item.gate == Gate::Act {
        let text = item.data.get("text").and_then(Value::as_str).unwrap_or_default();
        return Ok(Some(json!({ "act": act(text) })));
    }
    if !GATES.contains(&item.gate.as_str()) {
        return Ok(None);
    }
    let data: Row = serde_json::from_value(item.data.clone())
        .map_err(|e| Error::new(ErrorKind::Input, format!("line {}: {e}", item.line)))?;
    row(item.gate.as_str(), &data, &policy.settings, &policy.embedding).map(Some)
}

/// What the writer of a sentence does: the act of most of its characters.
fn act(text: &str) -> &'static str {
    let reading = proctor_prose::read(text);
    let mut chars: BTreeMap<&'static str, u32> = BTreeMap::new();
    for (clause, act) in reading.clauses.iter().zip(reading.acts()) {
        *chars.entry(act.name()).or_default() += clause.chars.max(1);
    }
    let main = chars.into_iter().max_by_key(|(_, chars)| *chars);
    main.map_or("fact", |(name, _)| name)
}
