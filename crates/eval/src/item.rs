//! Labelled lines.

use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt;

/// What an item asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// Is it flattery?
    Response,
    /// Is it an approval without evidence?
    Review,
    /// Which changed files were not expected?
    Scope,
    /// Which items are done, and is a reminder due?
    Todo,
    /// Do the thoughts go in circles?
    Drift,
    /// Does a delegation lack what it needs?
    Delegation,
    /// What does a text claim to hold?
    Claims,
    /// What does the writer of a sentence do?
    Act,
}

impl Gate {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 8] = [
        Self::Response,
        Self::Review,
        Self::Scope,
        Self::Todo,
        Self::Drift,
        Self::Delegation,
        Self::Claims,
        Self::Act,
    ];

    /// Its name: the gate's, or `claims` and `act` for what gates are made of.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Review => "review",
            Self::Scope => "scope",
            Self::Todo => "todo",
            Self::Drift => "drift",
            Self::Delegation => "delegation",
            Self::Claims => "claims",
            Self::Act => "act",
        }
    }

    /// The gate of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|g| g.as_str() == name)
    }

    /// What counts as an alarm.
    #[must_use]
    pub fn positive(self) -> &'static str {
        match self {
            Self::Response | Self::Review | Self::Delegation => "reject",
            Self::Scope => "WARNING or NEEDS_REVIEW",
            Self::Todo => "reminder",
            Self::Drift => "stuck",
            Self::Claims => "a claim of that kind",
            Self::Act => "the act",
        }
    }

    /// The gate that a line is for, by its fields.
    fn of(data: &Map<String, Value>) -> Option<Self> {
        if let Some(name) = data.get("gate").and_then(Value::as_str) {
            return Self::named(name);
        }
        let has = |name: &str| data.contains_key(name);
        if has("thoughts") {
            Some(Self::Drift)
        } else if has("modified") {
            Some(Self::Scope)
        } else if has("responses") {
            Some(Self::Todo)
        } else if has("claims") {
            Some(Self::Claims)
        } else if has("act") {
            Some(Self::Act)
        } else if has("is_approval") || has("has_evidence") {
            Some(Self::Review)
        } else if has("audience") || has("share") {
            Some(Self::Response)
        } else {
            None
        }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is right.
#[derive(Clone, Debug, PartialEq)]
pub enum Gold {
    /// The alarm is due or not; for `review` also its two parts, where they are labelled.
    Alarm {
        /// Reject, or stuck.
        due: bool,
        /// The text approves.
        approves: Option<bool>,
        /// The text reports a verification.
        evidence: Option<bool>,
        /// The rules by which `response` remarks on the message to a person, where they are labelled.
        remarks: Option<Vec<String>>,
    },
    /// How far the changed files go beyond the task.
    Severity {
        /// 0 `NONE`, 1 `WARNING`, 2 `NEEDS_REVIEW`.
        level: usize,
        /// The files that nobody asked for, where they are labelled.
        unexpected: Option<Vec<String>>,
    },
    /// The checklist.
    Items {
        /// A reminder is due.
        reminder: bool,
        /// Item by item, where they are labelled.
        completed: Option<Vec<bool>>,
    },
    /// The kinds of claims.
    Claims(Vec<&'static str>),
    /// What the writer does.
    Act(String),
}

/// The kinds of claims, in the order of reports.
pub(crate) const CLAIMS: [&str; 6] = ["tests", "build", "types", "lint", "verified", "done"];

/// The rules by which `response` remarks on a message.
const REMARKS: [&str; 2] = ["response/unfinished", "response/off_task"];

/// The words of the severities, mild to strict.
pub(crate) const SEVERITIES: [&str; 3] = ["NONE", "WARNING", "NEEDS_REVIEW"];

/// One labelled line.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Which gate it is for.
    pub gate: Gate,
    /// Its id; `line N` when it has none.
    pub id: String,
    /// Its line in the file, from 1.
    pub line: usize,
    /// The whole line, as it is given to the gate.
    pub data: Value,
    /// What is right.
    pub gold: Gold,
}

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Reads labelled lines. `gate` is for lines that do not show by their fields which one they are for.
///
/// # Errors
/// All lines that are wrong; then none is used, since figures over a part would mislead.
pub fn read(bytes: &[u8], gate: Option<Gate>) -> Result<Vec<Item>, Vec<Problem>> {
    let mut items = Vec::new();
    let mut problems = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    for (index, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let number = index + 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let read = item(line, number, gate).and_then(|item| match seen.insert(item.id.clone(), number) {
            Some(first) => Err(format!("the id {:?} was given in line {first} already", item.id)),
            None => Ok(item),
        });
        match read {
            Ok(item) => items.push(item),
            Err(message) => problems.push(Problem {
                line: number,
                message,
            }),
        }
    }
    if problems.is_empty() {
        Ok(items)
    } else {
        Err(problems)
    }
}

fn item(line: &[u8], number: usize, gate: Option<Gate>) -> Result<Item, String> {
    let value: Value = serde_json::from_slice(line).map_err(|e| {
        // The parser saw this line alone, so only its column says something.
        let message = e.to_string();
        let why = message.split(" at line ").next().unwrap_or_default();
        format!("this is no JSON, from column {}: {why}", e.column())
    })?;
    let Value::Object(data) = value else {
        return Err("a labelled item is a JSON object".to_owned());
    };
    let fields = Fields(&data);
    let gate = match Gate::of(&data).or(gate.filter(|_| !data.contains_key("gate"))) {
        Some(gate) => gate,
        None => {
            return Err(match data.get("gate") {
                Some(name) => format!("there is no gate {name}"),
                None => "which gate is this for? its fields do not tell; give --gate".to_owned(),
            });
        }
    };
    let gold = fields.gold(gate)?;
    let id = match data.get("id") {
        None | Some(Value::Null) => format!("line {number}"),
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        Some(_) => return Err("`id` is a text or a number".to_owned()),
    };
    Ok(Item {
        gate,
        id,
        line: number,
        gold,
        data: Value::Object(data),
    })
}

struct Fields<'a>(&'a Map<String, Value>);

impl Fields<'_> {
    fn gold(&self, gate: Gate) -> Result<Gold, String> {
        match gate {
            Gate::Response | Gate::Delegation => {
                self.text("text")?;
                if let Some(audience) = self.0.get("audience")
                    && !matches!(audience.as_str(), Some("agent" | "human"))
                {
                    return Err(format!("`audience` is \"agent\" or \"human\", not {audience}"));
                }
                let due = self.label("reject", "pass")?;
                let remarks = self.texts("remarks")?.filter(|_| gate == Gate::Response);
                if let Some(rules) = &remarks {
                    if self.0.get("audience").and_then(Value::as_str) != Some("human") {
                        return Err("`remarks` are made on messages whose `audience` is \"human\"".to_owned());
                    }
                    if let Some(odd) = rules.iter().find(|r| !REMARKS.contains(&r.as_str())) {
                        return Err(format!("a remark is one of {}, not {odd:?}", REMARKS.join(", ")));
                    }
                }
                Ok(Gold::Alarm {
                    due,
                    approves: None,
                    evidence: None,
                    remarks,
                })
            }
            Gate::Review => {
                self.text("text")?;
                let (approves, evidence) = (self.flag("is_approval")?, self.flag("has_evidence")?);
                self.flag("asked")?;
                let due = match (self.0.contains_key("label"), approves, evidence) {
                    (false, Some(approves), Some(evidence)) => approves && !evidence,
                    _ => self.label("reject", "pass")?,
                };
                Ok(Gold::Alarm {
                    due,
                    approves,
                    evidence,
                    remarks: None,
                })
            }
            Gate::Drift => {
                self.texts("thoughts")?.ok_or_else(|| missing("thoughts"))?;
                self.alarm("stuck", "progressing")
            }
            Gate::Scope => {
                self.text("delegation")?;
                self.texts("modified")?.ok_or_else(|| missing("modified"))?;
                let word = self.text("severity")?;
                let level = SEVERITIES.iter().position(|s| *s == word);
                Ok(Gold::Severity {
                    level: level.ok_or_else(|| {
                        format!("`severity` is one of {}, not {word:?}", SEVERITIES.join(", "))
                    })?,
                    unexpected: self.texts("label_unexpected")?,
                })
            }
            Gate::Todo => {
                self.text("delegation")?;
                self.texts("responses")?.ok_or_else(|| missing("responses"))?;
                let completed = self.flags("completed")?;
                let reminder = match (self.flag("reminder_expected")?, &completed) {
                    (Some(due), _) => due,
                    (None, Some(done)) => done.contains(&false),
                    (None, None) => return Err(missing("reminder_expected")),
                };
                Ok(Gold::Items { reminder, completed })
            }
            Gate::Claims => {
                self.text("text")?;
                let words = self.texts("claims")?.ok_or_else(|| missing("claims"))?;
                let known = |word: &String| {
                    let kind = CLAIMS.into_iter().find(|k| k == word);
                    kind.ok_or_else(|| format!("a claim is one of {}, not {word:?}", CLAIMS.join(", ")))
                };
                Ok(Gold::Claims(words.iter().map(known).collect::<Result<_, _>>()?))
            }
            Gate::Act => {
                self.text("text")?;
                Ok(Gold::Act(self.text("act")?.to_owned()))
            }
        }
    }

    fn alarm(&self, yes: &str, no: &str) -> Result<Gold, String> {
        Ok(Gold::Alarm {
            due: self.label(yes, no)?,
            approves: None,
            evidence: None,
            remarks: None,
        })
    }

    fn label(&self, yes: &str, no: &str) -> Result<bool, String> {
        match self.text("label")? {
            word if word == yes => Ok(true),
            word if word == no => Ok(false),
            word => Err(format!("`label` is {yes:?} or {no:?}, not {word:?}")),
        }
    }

    fn text(&self, name: &str) -> Result<&str, String> {
        match self.0.get(name) {
            Some(Value::String(text)) => Ok(text),
            None => Err(missing(name)),
            Some(_) => Err(format!("`{name}` is a text")),
        }
    }

    fn texts(&self, name: &str) -> Result<Option<Vec<String>>, String> {
        self.list(name, "texts", |v| v.as_str().map(str::to_owned))
    }

    fn flags(&self, name: &str) -> Result<Option<Vec<bool>>, String> {
        self.list(name, "true or false", Value::as_bool)
    }

    fn list<T>(
        &self,
        name: &str,
        of: &str,
        take: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<Vec<T>>, String> {
        let wrong = || format!("`{name}` is a list of {of}");
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Array(list)) => list
                .iter()
                .map(take)
                .collect::<Option<_>>()
                .map(Some)
                .ok_or_else(wrong),
            Some(_) => Err(wrong()),
        }
    }

    fn flag(&self, name: &str) -> Result<Option<bool>, String> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(format!("`{name}` is true or false")),
        }
    }
}

fn missing(name: &str) -> String {
    format!("the field `{name}` is missing")
}
