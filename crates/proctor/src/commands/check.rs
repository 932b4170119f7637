//! `proctor check`: one gate on text or data.

use crate::cli::{AudienceName, CheckArgs};
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::Embedding;
use proctor_engine::check::{GATES, Row, row};
use proctor_hosts::claude::without_lone_surrogates;
use proctor_kernel::{Audience, Error, ErrorKind, Result};
use proctor_policy::{Settings, Sources, examine};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit> {
    if !GATES.contains(&args.gate.as_str()) {
        return Err(Error::new(
            ErrorKind::Config,
            format!("there is no gate {:?} to check in this version", args.gate),
        )
        .hint(format!("gates: {}", GATES.join(", "))));
    }
    if args.unasked && args.gate != "review" {
        return Err(Error::new(
            ErrorKind::Input,
            format!("whether a review was asked for is nothing to {}", args.gate),
        )
        .hint("--unasked goes with `proctor check review`"));
    }
    let to_person = args.gate == "response" && args.audience == AudienceName::Human;
    if args.task.is_some() && (args.jsonl || !to_person) {
        return Err(Error::new(
            ErrorKind::Input,
            "a task is compared with a message to a person only",
        )
        .hint("--task goes with `proctor check response --audience human`; in lines the field `task` holds its words"));
    }
    let policy = policy(args)?;
    if args.jsonl {
        lines(args, &policy)
    } else {
        one(args, &policy)
    }
}

/// The settings in force, and the embedder that they name.
pub(crate) struct Policy {
    pub(crate) settings: Settings,
    pub(crate) embedding: Embedding,
}

impl Policy {
    /// These settings, with an embedder that knows neither a work tree nor keys.
    pub(crate) fn of(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            embedding: Embedding::new(&settings.drift.embedder, Path::new(""), None),
        }
    }
}

/// The policy in force; nothing is read from or written to the state folder.
pub(crate) fn policy(args: &CheckArgs) -> Result<Policy> {
    let environment = Environment::read(args.home.clone());
    let cwd = args.root.clone().unwrap_or_else(|| environment.cwd.clone());
    let mut root = cwd.clone();
    let sources = match &args.policy {
        Some(dir) if !dir.is_dir() => {
            return Err(
                Error::new(ErrorKind::Config, format!("{} is no folder", dir.display()))
                    .hint("give a folder laid out like .proctor/"),
            );
        }
        Some(dir) => Sources::read_policy_dir(dir),
        None => {
            let repo = proctor_worktree::Repo::discover(&cwd).ok().flatten();
            if let Some(found) = repo.as_ref().and_then(|r| r.root()) {
                root = found.to_owned();
            }
            Sources::read(environment.user_policy().as_deref(), Some(&root.join(".proctor")))
        }
    };
    let resolved = examine(&sources);
    for problem in &resolved.problems {
        output::complain(&problem.render());
    }
    let embedding = Embedding::new(
        &resolved.settings.drift.embedder,
        &root,
        Some(Environment::secret),
    );
    Ok(Policy {
        settings: resolved.settings,
        embedding,
    })
}

fn open(file: Option<&Path>) -> Result<Box<dyn Read>> {
    match file.filter(|f| f.as_os_str() != "-") {
        None => Ok(Box::new(std::io::stdin())),
        Some(path) => match std::fs::File::open(path) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => {
                Err(Error::new(ErrorKind::Input, format!("cannot read {}", path.display())).because(error))
            }
        },
    }
}

fn text(file: Option<&Path>) -> Result<String> {
    let mut bytes = Vec::new();
    let name = file.map_or_else(|| "standard input".to_owned(), |f| f.display().to_string());
    open(file)?
        .read_to_end(&mut bytes)
        .map_err(|e| Error::new(ErrorKind::Input, format!("cannot read {name}")).because(e))?;
    String::from_utf8(bytes)
        .map_err(|e| Error::new(ErrorKind::Input, format!("{name} is not UTF-8")).because(e))
}

/// One JSON object per line in, one out.
fn lines(args: &CheckArgs, policy: &Policy) -> Result<Exit> {
    let mut input = BufReader::new(open(args.file.as_deref())?);
    let mut exit = Exit::Pass;
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        let read = input
            .read_until(b'\n', &mut line)
            .map_err(|e| Error::new(ErrorKind::Input, "cannot read the lines").because(e))?;
        if read == 0 {
            break;
        }
        // Editors of other systems begin a file with it.
        if number == 1 && line.starts_with(MARK) {
            line.drain(..MARK.len());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = read_row(&line).and_then(|mut data| {
            data.asked = data.asked.or(args.unasked.then_some(false));
            row(&args.gate, &data, &policy.settings, &policy.embedding)
        });
        let answer = answer.unwrap_or_else(|error| {
            exit = Exit::Usage;
            json!({ "line": number, "error": error.to_string() })
        });
        output::line(&answer.to_string());
    }
    Ok(exit)
}

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads one line. Only an object is a row: the values of a list would be taken by their places. Half a surrogate pair,
/// which JavaScript writes where a text was cut inside an emoji, is read as hooks read it.
fn read_row(line: &[u8]) -> Result<Row> {
    let wrong = |why: String| Error::new(ErrorKind::Input, format!("malformed line: {why}"));
    let is_object = line.trim_ascii_start().starts_with(b"{");
    if !is_object && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok() {
        return Err(wrong("a row is a JSON object".to_owned()));
    }
    let error = match serde_json::from_slice(line) {
        Ok(row) => return Ok(row),
        Err(error) => error,
    };
    let text = std::str::from_utf8(line).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    serde_json::from_str(&without_lone_surrogates(text)).map_err(|_| wrong(error.to_string()))
}

/// One text, with an answer for people.
fn one(args: &CheckArgs, policy: &Policy) -> Result<Exit> {
    let input = text(args.file.as_deref())?;
    let audience = match args.audience {
        AudienceName::Agent => Audience::Agent,
        AudienceName::Human => Audience::Human,
    };
    let mut data = Row {
        audience: Some(audience),
        asked: args.unasked.then_some(false),
        ..Row::default()
    };
    match args.gate.as_str() {
        "scope" => {
            data.modified = Some(match &args.modified {
                Some(paths) => paths.clone(),
                None => changed(args)?,
            });
            data.delegation = Some(input);
        }
        "todo" => {
            data.delegation = Some(input);
            data.responses = Some(
                args.response
                    .iter()
                    .map(|f| text(Some(f)))
                    .collect::<Result<_>>()?,
            );
        }
        // Thoughts of one text are its paragraphs.
        "drift" => data.thoughts = Some(paragraphs(&input)),
        _ => {
            data.task = args.task.as_deref().map(|f| text(Some(f))).transpose()?;
            data.text = Some(input);
        }
    }
    let mut answer = row(&args.gate, &data, &policy.settings, &policy.embedding)?;
    if let Some(object) = answer.as_object_mut() {
        object.shift_remove("id");
    }
    let blocked = answer.get("decision").and_then(Value::as_str) == Some("block");
    if args.json {
        output::json(&answer);
    } else {
        for (name, value) in answer
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(_, v)| !v.is_null())
        {
            match value {
                Value::String(text) => {
                    output::line(&format!("{name:<12} {}", text.replace('\n', "\n             ")))
                }
                Value::Array(items) if items.is_empty() => output::line(&format!("{name:<12} none")),
                Value::Array(items) => {
                    output::line(name);
                    for item in items {
                        output::line(&format!("  - {}", plain(item)));
                    }
                }
                Value::Object(parts) => {
                    output::line(name);
                    for (part, value) in parts {
                        output::line(&format!("  - {part}: {}", plain(value)));
                    }
                }
                other => output::line(&format!("{name:<12} {other}")),
            }
        }
    }
    Ok(if blocked { Exit::Blocked } else { Exit::Pass })
}

/// The paragraphs of a text: what stands between empty lines.
fn paragraphs(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match (line.trim().is_empty(), open, out.last_mut()) {
            (true, ..) => open = false,
            (false, true, Some(last)) => {
                last.push('\n');
                last.push_str(line);
            }
            _ => {
                out.push(line.to_owned());
                open = true;
            }
        }
    }
    out
}

/// A list entry on one line: a string as it is, a span or item by its text.
fn plain(item: &Value) -> String {
    let field = |name: &str| item.get(name).and_then(Value::as_str);
    match (item.as_str(), field("text")) {
        (Some(text), _) => text.to_owned(),
        (None, Some(text)) => {
            let label = field("label").map(|l| format!(" ({l})")).unwrap_or_default();
            let done = match item.get("completed").and_then(Value::as_bool) {
                Some(true) => "[x] ",
                Some(false) => "[ ] ",
                None => "",
            };
            format!("{done}{text}{label}")
        }
        (None, None) => match (field("rule"), field("message")) {
            (Some(rule), Some(message)) => {
                let place = item
                    .get("span")
                    .and_then(|s| s.get("text"))
                    .and_then(Value::as_str);
                let place = place.map(|p| format!(" {p:?}")).unwrap_or_default();
                format!("{rule}{place}: {message}")
            }
            _ => item.to_string(),
        },
    }
}

/// What the work tree has changed since HEAD.
fn changed(args: &CheckArgs) -> Result<Vec<String>> {
    let cwd = match &args.root {
        Some(root) => root.clone(),
        None => Environment::read(None).cwd,
    };
    let repo = proctor_worktree::Repo::discover(&cwd)?.ok_or_else(|| {
        Error::new(ErrorKind::Git, format!("{} is no git work tree", cwd.display()))
            .hint("name the files with --modified")
    })?;
    let head = repo.head()?;
    repo.changed_since(head.oid.as_deref(), &[])
}
