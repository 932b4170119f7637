//! Wrong verdicts that people report: cases for the repository's own corpus, `.proctor/corpus/<gate>.jsonl`.

use crate::record::{DecisionRecord, LONGEST_KEPT};
use crate::session::Change;
use crate::{Clock, Engine};
use proctor_kernel::{
    Audience, Digest, Error, ErrorKind, Finding, GateReport, Result, Status, Tier, Verdict,
};
use proctor_worktree::file;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Gates whose cases consist of one text.
const TEXT_GATES: [&str; 3] = ["response", "review", "delegation"];

/// Gates whose cases consist of more. Of all others no case can be made: they judge what was witnessed.
const DATA_GATES: [&str; 3] = ["scope", "todo", "drift"];

/// Whether a case for the corpus can be made of this gate's verdicts.
#[must_use]
pub fn is_reportable(gate: &str) -> bool {
    TEXT_GATES.contains(&gate) || DATA_GATES.contains(&gate)
}

/// A case for the corpus: a labelled item as `proctor eval` reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The gate that was wrong.
    pub gate: String,
    /// Its id: that of the decision, or a digest of what was missed.
    pub id: String,
    /// The item.
    pub row: Map<String, Value>,
}

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It is new.
    New,
    /// It was there already, exactly so.
    Same,
    /// It was there and says something else now.
    Changed,
}

/// The rule of a text gate that objected by notes alone which no text shows; `None` when a case can be made.
fn beyond_text<'r>(record: &'r DecisionRecord, gate: &str) -> Option<&'r str> {
    if !TEXT_GATES.contains(&gate) {
        return None;
    }
    let findings: Vec<&Finding> = objections(record)
        .filter(|r| r.gate == gate)
        .flat_map(|r| &r.findings)
        .collect();
    let first = findings.first()?;
    let by_text = |f: &Finding| {
        f.tier == Tier::Hard && f.rule != "review/unread"
            || is_remark(f)
            || matches!(
                f.rule.as_str(),
                "delegation/praise" | "delegation/unproven_approval"
            )
    };
    (!findings.iter().any(|f| by_text(f))).then_some(first.rule.as_str())
}

/// Whether a finding is a remark on a message to a person, which the message shows, or the message and its task.
fn is_remark(finding: &Finding) -> bool {
    matches!(finding.rule.as_str(), "response/unfinished" | OFF_TASK)
}

/// The remark that compares a message with its task.
const OFF_TASK: &str = "response/off_task";

/// What somebody missed.
#[derive(Clone, Copy, Debug)]
pub struct Missed<'a> {
    /// The gate that should have objected.
    pub gate: &'a str,
    /// The text; for gates that look at more than one, the item as a JSON object.
    pub input: &'a str,
    /// Who reads it.
    pub audience: Audience,
    /// Why.
    pub note: Option<&'a str>,
}

/// The reports of gates that objected and that can be reported as wrong.
pub fn reportable(record: &DecisionRecord) -> impl Iterator<Item = &GateReport> {
    objections(record).filter(|r| is_reportable(&r.gate))
}

/// The reports of gates that objected.
pub fn objections(record: &DecisionRecord) -> impl Iterator<Item = &GateReport> {
    let objected = |r: &&GateReport| r.status == Status::Decided && r.verdict != Verdict::Pass;
    record.gates.iter().filter(objected)
}

impl<C: Clock> Engine<C> {
    /// The case of a decision in which a gate objected wrongly. `gate` may be left out when only one
    /// objected; `text` replaces a text that the record does not hold.
    ///
    /// # Errors
    /// Kind `input` when there is no such decision or objection, or when its text was not kept.
    pub fn false_positive(
        &self,
        id: &str,
        gate: Option<&str>,
        note: Option<&str>,
        text: Option<&str>,
    ) -> Result<Case> {
        let (id, millis, record) = self.decision(id)?;
        let gates: Vec<&str> = reportable(&record).map(|r| r.gate.as_str()).collect();
        let others: Vec<&str> = objections(&record)
            .map(|r| r.gate.as_str())
            .filter(|gate| !is_reportable(gate))
            .collect();
        let gate = match (gate, gates.as_slice()) {
            (Some(gate), gates) if gates.contains(&gate) => gate,
            (Some(gate), gates) => {
                let error = Error::new(
                    ErrorKind::Input,
                    format!("{gate} did not object in decision {id}"),
                );
                return Err(match gates {
                    [] => error.hint("no gate did; what a gate should have caught is reported with --missed"),
                    gates => error.hint(format!("gates that did: {}", gates.join(", "))),
                });
            }
            (None, [only]) => only,
            (None, []) if !others.is_empty() => {
                return Err(Error::new(
                    ErrorKind::Input,
                    format!("of {} no case can be made", others.join(" and ")),
                )
                .hint("it judges what was witnessed, not a text; `proctor explain` shows what that was"));
            }
            (None, []) => {
                return Err(
                    Error::new(ErrorKind::Input, format!("no gate objected in decision {id}"))
                        .hint("what a gate should have caught is reported with --missed"),
                );
            }
            (None, several) => {
                return Err(Error::new(
                    ErrorKind::Input,
                    format!("{} gates objected in decision {id}", several.len()),
                )
                .hint(format!(
                    "say which was wrong: --gate {}",
                    several.join(", --gate ")
                )));
            }
        };
        if let Some(rule) = beyond_text(&record, gate) {
            return Err(Error::new(
                ErrorKind::Input,
                format!("of a note by {rule} no case can be made"),
            )
            .hint("it rests on the task or on what was witnessed, and a case holds the text alone"));
        }
        let mut row = start(&id, gate);
        self.fill(&mut row, gate, &record, text, &id)?;
        row.insert("note".to_owned(), json!(note.unwrap_or_default()));
        row.insert("policy".to_owned(), json!(record.policy));
        row.insert("at".to_owned(), json!(proctor_ledger::format_millis(millis)));
        Ok(Case {
            gate: gate.to_owned(),
            id,
            row,
        })
    }

    /// Input and label of a false positive.
    fn fill(
        &self,
        row: &mut Map<String, Value>,
        gate: &str,
        record: &DecisionRecord,
        text: Option<&str>,
        id: &str,
    ) -> Result<()> {
        let kept = record.judged.as_ref();
        let text = || {
            text.or(kept.and_then(|k| k.text.as_deref())).ok_or_else(|| {
                Error::new(
                    ErrorKind::Input,
                    format!("the text of decision {id} was not kept"),
                )
                .hint(format!(
                    "texts over {} KiB are not kept, nor those of older versions",
                    LONGEST_KEPT >> 10
                ))
                .hint("give it with --file FILE, or `-` for standard input")
            })
        };
        let report = objections(record).find(|r| r.gate == gate);
        let data = report.map(|r| &r.data);
        let list = |name: &str| data.and_then(|d| d.get(name)).and_then(Value::as_array).cloned();
        match gate {
            "scope" => {
                let files = list("unexpected").unwrap_or_default();
                let words = self.words(record)?;
                put(row, "lang", json!(language(&words)));
                put(row, "delegation", json!(words));
                put(row, "modified", json!(files));
                put(row, "label_unexpected", json!([]));
                put(row, "severity", json!("NONE"));
            }
            "todo" => {
                let text = text()?;
                // Items that were done before this turn: the turns that said so are not kept.
                let done: Vec<String> = list("items")
                    .unwrap_or_default()
                    .iter()
                    .filter(|item| item.get("completed") == Some(&json!(true)))
                    .filter_map(|item| Some(format!("- [x] {}", item.get("text")?.as_str()?)))
                    .collect();
                let mut responses = vec![done.join("\n"), text.to_owned()];
                responses.retain(|r| !r.is_empty());
                put(row, "lang", json!(language(text)));
                put(row, "delegation", json!(self.words(record)?));
                put(row, "responses", json!(responses));
                put(row, "reminder_expected", json!(false));
            }
            "drift" => {
                let thoughts = kept.map(|k| k.thoughts.clone()).unwrap_or_default();
                if thoughts.is_empty() {
                    return Err(Error::new(
                        ErrorKind::Input,
                        format!("the thoughts of decision {id} were not kept"),
                    ));
                }
                put(row, "lang", json!(language(&thoughts.join("\n"))));
                put(row, "thoughts", json!(thoughts));
                put(row, "label", json!("progressing"));
            }
            _ => {
                let text = text()?;
                put(row, "lang", json!(language(text)));
                if gate == "response" {
                    put(row, "audience", json!(record.audience));
                    let found = report.map_or(&[] as &[Finding], |r| &r.findings);
                    // What was refused is about the share; of remarks alone the case says that none was due.
                    if !found.is_empty() && found.iter().all(is_remark) {
                        if found.iter().any(|f| f.rule == OFF_TASK) {
                            put(row, "task", json!(self.words(record)?));
                        }
                        put(row, "remarks", json!([]));
                    }
                }
                if gate == "review" {
                    let asked = data.and_then(|d| d.get("asked")) == Some(&json!(true));
                    put(row, "asked", json!(asked));
                }
                put(row, "text", json!(text));
                put(row, "label", json!("pass"));
            }
        }
        Ok(())
    }

    /// The words of the task that a decision belongs to.
    fn words(&self, record: &DecisionRecord) -> Result<String> {
        let lost = || {
            Error::new(ErrorKind::Input, "the task of this decision is not in the log")
                .hint("label the case by hand; docs/eval.md shows the form")
        };
        let id = record.task.as_ref().ok_or_else(lost)?;
        let mut words = None;
        self.each_decision(|_, _, other| {
            for change in other.changes {
                let task = match change {
                    Change::TaskStarted { task, .. } | Change::Widened { task, .. } => *task,
                    Change::Delegated(pending) => pending.task,
                    _ => continue,
                };
                if task.id == *id {
                    words = Some(task.words);
                }
            }
        })?;
        words.ok_or_else(lost)
    }

    /// The case of something that a gate should have caught.
    ///
    /// # Errors
    /// Kind `input` when there is nothing, or no JSON object where one is needed.
    pub fn missed(&self, missed: &Missed<'_>) -> Result<Case> {
        if missed.input.trim().is_empty() {
            return Err(
                Error::new(ErrorKind::Input, "there is no text").hint("give it with --file FILE, or `-`")
            );
        }
        let digest = Digest::of(format!("{}\n{}", missed.gate, missed.input).as_bytes());
        let hex = digest.to_string();
        let id = format!(
            "missed-{}",
            hex.get(hex.len().saturating_sub(16)..).unwrap_or(&hex)
        );
        let mut row = start(&id, missed.gate);
        if TEXT_GATES.contains(&missed.gate) {
            put(&mut row, "lang", json!(language(missed.input)));
            if missed.gate == "response" {
                put(&mut row, "audience", json!(missed.audience));
            }
            put(&mut row, "text", json!(missed.input));
            put(&mut row, "label", json!("reject"));
        } else {
            let input: Map<String, Value> = serde_json::from_str(missed.input).map_err(|e| {
                Error::new(
                    ErrorKind::Input,
                    format!("a case of {} is a JSON object with its label", missed.gate),
                )
                .hint("docs/eval.md shows the fields")
                .because(e)
            })?;
            put(&mut row, "lang", json!(language(missed.input)));
            row.extend(
                input
                    .into_iter()
                    .filter(|(name, _)| !matches!(name.as_str(), "id" | "gate")),
            );
        }
        put(&mut row, "note", json!(missed.note.unwrap_or_default()));
        put(&mut row, "policy", json!(self.policy_digest()));
        put(
            &mut row,
            "at",
            json!(proctor_ledger::format_millis(self.clock().now())),
        );
        Ok(Case {
            gate: missed.gate.to_owned(),
            id,
            row,
        })
    }

    /// The folder of the repository's own corpus.
    pub fn corpus(&self) -> PathBuf {
        let root = self.repo().and_then(|r| r.root());
        root.unwrap_or(&self.surroundings.cwd).join(".proctor/corpus")
    }

    /// Puts a case into the corpus; one with the same id is replaced, but an empty note takes no other back. Gives the
    /// file; `case` is afterwards what stands in it.
    ///
    /// # Errors
    /// Kind `store` when the file cannot be read or written.
    pub fn store_case(&self, case: &mut Case) -> Result<(PathBuf, Stored)> {
        let folder = self.corpus();
        let file = folder.join(format!("{}.jsonl", case.gate));
        let wrong = |e| Error::new(ErrorKind::Store, format!("cannot write {}", file.display())).because(e);
        std::fs::create_dir_all(&folder).map_err(wrong)?;
        let old = match file::read_text(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(wrong(error)),
        };
        let mut stored = Stored::New;
        let mut lines: Vec<String> = Vec::new();
        for line in old.lines().filter(|l| !l.trim().is_empty()) {
            match serde_json::from_str::<Map<String, Value>>(line) {
                Ok(row) if row.get("id") == Some(&json!(case.id)) => {
                    if is_same(&row, &case.row) {
                        case.row = row;
                        return Ok((file, Stored::Same));
                    }
                    if let Some(note) = row.get("note").filter(|_| is_without_note(&case.row)) {
                        put(&mut case.row, "note", note.clone());
                    }
                    stored = Stored::Changed;
                    lines.push(Value::Object(case.row.clone()).to_string());
                }
                _ => lines.push(line.to_owned()),
            }
        }
        if stored == Stored::New {
            lines.push(Value::Object(case.row.clone()).to_string());
        }
        replace(&file, &(lines.join("\n") + "\n")).map_err(wrong)?;
        Ok((file, stored))
    }

    /// The false positives that are in the corpus: gate and id. Files and lines that cannot be read are left out.
    pub fn reported(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(self.corpus()).into_iter().flatten().flatten() {
            let text = file::read_text(&entry.path()).unwrap_or_default();
            for line in text.lines() {
                let Ok(row) = serde_json::from_str::<Map<String, Value>>(line) else {
                    continue;
                };
                let field = |name: &str| {
                    row.get(name)
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                        .to_owned()
                };
                if field("from") == FALSE_POSITIVE {
                    found.push((field("gate"), field("id")));
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

const FALSE_POSITIVE: &str = "false_positive";

fn start(id: &str, gate: &str) -> Map<String, Value> {
    let from = if id.starts_with("missed-") {
        "missed"
    } else {
        FALSE_POSITIVE
    };
    let mut row = Map::new();
    put(&mut row, "id", json!(id));
    put(&mut row, "gate", json!(gate));
    put(&mut row, "from", json!(from));
    row
}

fn put(row: &mut Map<String, Value>, name: &str, value: Value) {
    row.insert(name.to_owned(), value);
}

/// Whether two rows of one id say the same. When something was missed is only known by the clock, and an
/// empty note takes nothing back.
fn is_same(old: &Map<String, Value>, new: &Map<String, Value>) -> bool {
    let ignored =
        |name: &str, value: &Value| matches!(name, "at" | "policy") || name == "note" && value == &json!("");
    new.iter()
        .all(|(name, value)| ignored(name, value) || old.get(name) == Some(value))
}

fn is_without_note(row: &Map<String, Value>) -> bool {
    row.get("note").is_none_or(|note| note == &json!(""))
}

fn language(text: &str) -> &'static str {
    if proctor_prose::read(text).mainly_korean() {
        "ko"
    } else {
        "en"
    }
}

/// Replaces a file in one step.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    let draft = file.with_extension(format!("jsonl.{}", std::process::id()));
    std::fs::write(&draft, text)?;
    std::fs::rename(&draft, file)
}
