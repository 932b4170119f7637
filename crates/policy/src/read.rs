//! One policy file to the list of what it sets, with the place of each, and everything wrong in it.

use crate::held::demands;
use crate::keys::{self, KEYS, RESERVED, SECTIONS, Value};
use crate::problem::{Problem, Severity, Snippet};
use crate::sources::{Layer, MAX_FILE, SourceFile};
use crate::suggest::nearest;
use crate::words::{describe, did_you_mean, elsewhere, flatten};
use crate::yaml::{self, At, Entry, Kind, Node, shorten};
use std::borrow::Cow;

/// Problems reported per file; the rest is counted.
const MAX_PROBLEMS: usize = 100;

/// What one file sets.
pub(crate) struct LayerDoc<'a> {
    pub(crate) layer: Layer,
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
    /// In the order of the file, each key at most once.
    pub(crate) assigns: Vec<Assign>,
    /// Where the modes for single tools stand, in their order.
    pub(crate) tools: Vec<At>,
    /// Settings of gates that this version does not have.
    pub(crate) reserved: Vec<(String, String, At)>,
    /// Nothing of the file could be used.
    pub(crate) broken: bool,
}

/// One key that a file sets.
#[derive(Debug)]
pub(crate) struct Assign {
    /// Place in [`KEYS`].
    pub(crate) key: usize,
    pub(crate) what: What,
    pub(crate) at: At,
}

/// What a key is set to.
#[derive(Debug)]
pub(crate) enum What {
    Value(Value),
    /// `enabled: true` of a gate: the mode that the preset chooses, unless a mode is set already.
    TurnOn,
}

/// Reads a file. Problems are added in the order of the file.
/// With `care`, patterns are compiled and their examples tried.
pub(crate) fn layer<'a>(
    layer: Layer,
    file: &'a SourceFile,
    care: bool,
    problems: &mut Vec<Problem>,
) -> LayerDoc<'a> {
    let mut doc = LayerDoc {
        layer,
        path: &file.path,
        text: "",
        assigns: Vec::new(),
        tools: Vec::new(),
        reserved: Vec::new(),
        broken: true,
    };
    let whole = |message: String, suggestion: &str| Problem {
        severity: Severity::Error,
        file: file.path.clone(),
        line: 0,
        column: 0,
        message,
        suggestion: Some(suggestion.to_owned()),
        snippet: None,
        weighs: true,
    };
    if file.bytes.len() > MAX_FILE {
        let limit = MAX_FILE / 1024 / 1024;
        problems.push(whole(
            format!("the file is larger than {limit} MB"),
            "a policy has a few kilobytes; is this the right file?",
        ));
        return doc;
    }
    let text = match std::str::from_utf8(&file.bytes) {
        Ok(text) => text.strip_prefix('\u{FEFF}').unwrap_or(text),
        Err(error) => {
            problems.push(not_utf8(file, error.valid_up_to()));
            return doc;
        }
    };
    doc.text = text;
    let mut reader = Reader {
        doc,
        problems: Vec::new(),
        more: 0,
        care,
        regexes: 0,
        weighs: true,
    };
    match yaml::parse(text) {
        Err(slip) => reader.report(Severity::Error, slip.at, slip.message, slip.help),
        Ok(document) => {
            reader.doc.broken = false;
            for slip in document.slips {
                reader.report(Severity::Error, slip.at, slip.message, slip.help);
            }
            reader.root(document.root.as_ref());
        }
    }
    reader.problems.sort_by_key(|p| (p.line, p.column));
    if reader.more > 0 {
        reader.problems.push(whole(
            format!("{} more problems in this file", reader.more),
            "mend the first ones and look again",
        ));
    }
    problems.append(&mut reader.problems);
    reader.doc
}

fn not_utf8(file: &SourceFile, valid: usize) -> Problem {
    let before = file.bytes.get(..valid).unwrap_or_default();
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let column = String::from_utf8_lossy(before.get(start..).unwrap_or_default())
        .chars()
        .count()
        + 1;
    Problem {
        severity: Severity::Error,
        file: file.path.clone(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: u32::try_from(column).unwrap_or(u32::MAX),
        message: "the file is not UTF-8 text from here on".to_owned(),
        suggestion: Some("save it as UTF-8".to_owned()),
        snippet: None,
        weighs: true,
    }
}

pub(crate) struct Reader<'a> {
    pub(crate) doc: LayerDoc<'a>,
    problems: Vec<Problem>,
    more: usize,
    /// Whether patterns are compiled and their examples tried.
    pub(crate) care: bool,
    /// Regular expressions so far.
    pub(crate) regexes: usize,
    /// What is read is, or may have been meant for, what work needs before it may go.
    weighs: bool,
}

/// The value of an entry; one that is empty has no place of its own and is shown at its key.
fn shown_at(entry: &Entry) -> Cow<'_, Node> {
    match entry.value.kind {
        Kind::Null => Cow::Owned(Node {
            at: entry.at,
            kind: Kind::Null,
        }),
        _ => Cow::Borrowed(&entry.value),
    }
}

pub(crate) fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() {
        name.to_owned()
    } else {
        format!("{prefix}.{name}")
    }
}

impl LayerDoc<'_> {
    /// A problem at a place of this file.
    pub(crate) fn problem(
        &self,
        severity: Severity,
        at: At,
        message: String,
        suggestion: Option<String>,
    ) -> Problem {
        Problem {
            severity,
            file: self.path.to_owned(),
            line: at.line,
            column: at.column,
            message,
            suggestion,
            snippet: Snippet::cut(self.text, at.line, at.column, at.len),
            weighs: false,
        }
    }
}

impl Reader<'_> {
    fn report(&mut self, severity: Severity, at: At, message: String, suggestion: Option<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            let weighs = self.weighs;
            let problem = self.doc.problem(severity, at, message, suggestion);
            self.problems.push(Problem { weighs, ..problem });
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn error(&mut self, at: At, message: impl Into<String>, suggestion: impl Into<String>) {
        self.report(Severity::Error, at, message.into(), Some(suggestion.into()));
    }

    pub(crate) fn warn(&mut self, at: At, message: impl Into<String>, suggestion: impl Into<String>) {
        self.report(Severity::Warning, at, message.into(), Some(suggestion.into()));
    }

    fn root(&mut self, root: Option<&Node>) {
        match root.map(|node| (&node.kind, node.at)) {
            None | Some((Kind::Null, _)) => {}
            Some((Kind::Map(entries), _)) => self.walk("", entries),
            Some((_, at)) => {
                self.doc.broken = true;
                self.error(
                    at,
                    "a policy is a mapping of keys to values",
                    "begin with `version: 1`",
                );
            }
        }
    }

    fn walk(&mut self, prefix: &str, entries: &[Entry]) {
        let outer = self.weighs;
        self.walk_inside(prefix, entries);
        self.weighs = outer;
    }

    fn walk_inside(&mut self, prefix: &str, entries: &[Entry]) {
        let gate = prefix
            .strip_prefix("enforcement.")
            .filter(|id| SECTIONS.iter().any(|s| s.id == *id));
        for entry in entries {
            let alias = if prefix == "enforcement" {
                keys::canonical_section(&entry.key)
            } else {
                None
            };
            if let Some(id) = alias
                && let Some(other) = entries.iter().find(|e| e.key == id)
            {
                let message = format!(
                    "`{}` is another name of `{id}`, which stands in line {}",
                    entry.key, other.at.line
                );
                self.error(
                    entry.at,
                    message,
                    format!("keep one section, best under the name `{id}`"),
                );
                continue;
            }
            let name = alias.unwrap_or(&entry.key);
            let path = join(prefix, name);
            // What an unknown key was meant to be, only its section tells.
            let known = keys::index_of(&path).is_some() || !keys::children(&path).is_empty();
            self.weighs = path == "version" || demands(if known { &path } else { prefix });
            if path == "version" {
                self.version(&entry.value);
            } else if let Some(key) = keys::index_of(&path) {
                self.leaf(key, entry);
            } else if let Some(id) = gate.filter(|_| name == "enabled") {
                self.enabled(id, entry);
            } else if prefix == "enforcement" && RESERVED.contains(&name) {
                self.reserved(&path, entry);
            } else if !keys::children(&path).is_empty() {
                self.section(&path, entry);
            } else {
                self.unknown(prefix, gate.is_some(), entry);
            }
        }
        if let Some(id) = gate {
            self.settle_mode(id);
        }
    }

    fn section(&mut self, path: &str, entry: &Entry) {
        match &entry.value.kind {
            Kind::Map(entries) => self.walk(path, entries),
            Kind::Null | Kind::Bad => {}
            Kind::Text { .. } | Kind::List(_) => {
                let example = keys::children(path).first().copied().unwrap_or("key");
                let message = format!("`{}` takes a mapping, not {}", entry.key, describe(&entry.value));
                self.error(
                    entry.value.at,
                    message,
                    format!("write `{}: {{ {example}: … }}`", entry.key),
                );
            }
        }
    }

    fn version(&mut self, value: &Node) {
        match &value.kind {
            Kind::Text { text, plain: true } if text == "1" => {}
            Kind::Bad => {}
            _ => {
                let message = format!(
                    "this version of Proctor reads policy version 1, not {}",
                    describe(value)
                );
                self.error(
                    value.at,
                    message,
                    "write `version: 1`, or update Proctor if the file is newer",
                );
            }
        }
    }

    fn leaf(&mut self, key: usize, entry: &Entry) {
        let Some(row) = KEYS.get(key) else { return };
        let name = row.path.strip_prefix("enforcement.").unwrap_or(row.path);
        if let Some(value) = self.value(name, row.takes, &shown_at(entry)) {
            if !row.is_read() {
                let message = format!("`{name}` is not read by this version; it has no effect");
                self.warn(entry.at, message, "keep it for a later version, or remove it");
            }
            self.doc.assigns.push(Assign {
                key,
                what: What::Value(value),
                at: entry.value.at,
            });
        }
    }

    /// `enabled` of a gate: `false` is `mode: off`.
    fn enabled(&mut self, id: &str, entry: &Entry) {
        let name = format!("{id}.enabled");
        let Some(Value::Flag(on)) = self.value(&name, keys::Type::Flag, &shown_at(entry)) else {
            return;
        };
        let Some(key) = keys::index_of(&format!("enforcement.{id}.mode")) else {
            return;
        };
        let what = if on {
            What::TurnOn
        } else {
            What::Value(Value::Mode(proctor_kernel::Mode::Off))
        };
        self.doc.assigns.push(Assign {
            key,
            what,
            at: entry.value.at,
        });
    }

    /// A section that has both `enabled` and `mode`: off wins, whichever of the two says it.
    fn settle_mode(&mut self, id: &str) {
        let Some(key) = keys::index_of(&format!("enforcement.{id}.mode")) else {
            return;
        };
        let off = |a: &Assign| matches!(a.what, What::Value(Value::Mode(proctor_kernel::Mode::Off)));
        let both: Vec<usize> = self
            .doc
            .assigns
            .iter()
            .enumerate()
            .filter(|(_, a)| a.key == key)
            .map(|(i, _)| i)
            .collect();
        let [first, second] = both[..] else { return };
        let (Some(a), Some(b)) = (self.doc.assigns.get(first), self.doc.assigns.get(second)) else {
            return;
        };
        let turned_on = [a, b]
            .into_iter()
            .find(|x| matches!(x.what, What::TurnOn))
            .map(|x| x.at);
        let drop_second = match (&a.what, &b.what) {
            (What::TurnOn, _) => false,
            (_, What::TurnOn) => true,
            _ => off(a),
        };
        let contradiction = turned_on.filter(|_| off(a) || off(b));
        self.doc.assigns.remove(if drop_second { second } else { first });
        if let Some(at) = contradiction {
            self.warn(
                at,
                format!("`{id}` has `enabled: true` and `mode: off`; it stays off"),
                "remove one of the two",
            );
        }
    }

    fn reserved(&mut self, path: &str, entry: &Entry) {
        let message = format!(
            "`{}` is not available in this version; the section has no effect",
            entry.key
        );
        self.warn(entry.at, message, "keep it for a later version, or remove it");
        let mut leaves = Vec::new();
        flatten(path, &entry.value, &mut leaves);
        self.doc.reserved.append(&mut leaves);
    }

    fn unknown(&mut self, prefix: &str, gate: bool, entry: &Entry) {
        if self.problems.len() >= MAX_PROBLEMS {
            // Nobody will read the suggestion, so none is looked for.
            self.more += 1;
            return;
        }
        let mut known = keys::children(prefix);
        if prefix.is_empty() {
            known.insert(0, "version");
        }
        if gate {
            known.insert(0, "enabled");
        }
        let listed = known.len();
        if prefix == "enforcement" {
            known.extend(SECTIONS.iter().filter_map(|s| s.alias));
            known.extend(RESERVED);
        }
        let suggestion = if entry.key == "<<" {
            "merge keys are not read; write the values out".to_owned()
        } else if let Some(near) = nearest(&entry.key, &known) {
            format!("did you mean `{near}`?")
        } else if let Some(place) = elsewhere(prefix, &entry.key) {
            place
        } else {
            // Other names and what later versions have are understood, but not recommended.
            did_you_mean(&entry.key, known.get(..listed).unwrap_or_default())
        };
        let place = if prefix.is_empty() {
            String::new()
        } else {
            format!(" in `{prefix}`")
        };
        self.error(
            entry.at,
            format!("unknown key `{}`{place}", shorten(&entry.key)),
            suggestion,
        );
    }
}
