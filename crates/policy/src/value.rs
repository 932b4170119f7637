//! Reading one value: is it what its key takes, within its range, and if not, what was probably meant?

use crate::keys::{Type, Value};
use crate::patterns;
use crate::read::Reader;
use crate::settings::{Boundary, DriftMethod, EmbedderKind, Preset, Require, ReviewLevel, Verification};
use crate::suggest::nearest;
use crate::words::{describe, did_you_mean};
use crate::yaml::{At, Kind, Node, shorten};
use proctor_kernel::{Mode, OnError};

/// Kinds of verification that claims are compared with.
const CHECK_KINDS: [&str; 4] = ["tests", "build", "types", "lint"];
/// Entries of one list.
const MAX_ENTRIES: usize = 500;
/// Characters of a command or a name.
const MAX_TEXT: usize = 4_000;

impl Reader<'_> {
    /// The value of key `name`, or `None` when it was wrong; then a problem has been reported.
    pub(crate) fn value(&mut self, name: &str, takes: Type, node: &Node) -> Option<Value> {
        match &node.kind {
            Kind::Bad => return None,
            Kind::Null => {
                let suggestion = format!("give {}, or remove the line", example(takes));
                self.error(node.at, format!("`{name}` has no value"), suggestion);
                return None;
            }
            _ => {}
        }
        match takes {
            Type::Preset => Some(Value::Preset(match self.word(name, takes.words(), node)? {
                "observe" => Preset::Observe,
                "strict" => Preset::Strict,
                _ => Preset::Standard,
            })),
            Type::Mode => Some(Value::Mode(match self.word(name, takes.words(), node)? {
                "off" => Mode::Off,
                "observe" => Mode::Observe,
                "warn" => Mode::Warn,
                _ => Mode::Enforce,
            })),
            Type::OnError => Some(Value::OnError(match self.word(name, takes.words(), node)? {
                "allow" => OnError::Allow,
                "ask" => OnError::Ask,
                _ => OnError::Block,
            })),
            Type::Level => ReviewLevel::parse(self.word(name, takes.words(), node)?).map(Value::Level),
            Type::Require => Some(Value::Require(match self.word(name, takes.words(), node)? {
                "never" => Require::Never,
                "paths" => Require::Paths,
                "changes" => Require::Changes,
                _ => Require::Claims,
            })),
            Type::Boundary => Some(Value::Boundary(match self.word(name, takes.words(), node)? {
                "reject" => Boundary::Reject,
                _ => Boundary::Pass,
            })),
            Type::Method => Some(Value::Method(match self.word(name, takes.words(), node)? {
                "cosine" => DriftMethod::Cosine,
                _ => DriftMethod::Lexical,
            })),
            Type::Embedder => Some(Value::Embedder(match self.word(name, takes.words(), node)? {
                "file" => EmbedderKind::File,
                "endpoint" => EmbedderKind::Endpoint,
                _ => EmbedderKind::Lexical,
            })),
            Type::Text => self.text(name, node).map(Value::Text),
            Type::Flag => self.flag(name, node).map(Value::Flag),
            Type::Ratio => self.ratio(name, node).map(Value::Ratio),
            Type::Count { min, max } => self.count(name, min, max, node).map(|n| Value::Count(Some(n))),
            Type::Patterns => self.patterns(name, node).map(Value::Patterns),
            Type::Terms => self.terms(name, node).map(Value::List),
            Type::Globs => self
                .list(name, node, |_, text| patterns::check_glob(text))
                .map(Value::List),
            Type::Programs => self
                .list(name, node, |_, text| patterns::check_program(text))
                .map(Value::List),
            Type::Models => self
                .list(name, node, |_, text| patterns::check_model(text))
                .map(Value::List),
            Type::Checks => self.checks(name, node).map(Value::Checks),
            Type::Tools => self.tool_modes(name, node).map(Value::Tools),
        }
    }

    /// One word of a closed set.
    pub(crate) fn word(&mut self, name: &str, words: &[&'static str], node: &Node) -> Option<&'static str> {
        let options = words
            .iter()
            .map(|w| format!("`{w}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let Kind::Text { text, plain } = &node.kind else {
            self.error(
                node.at,
                format!("`{name}` takes a word, not {}", describe(node)),
                format!("one of {options}"),
            );
            return None;
        };
        if let Some(word) = words.iter().find(|w| *w == text) {
            return Some(word);
        }
        let suggestion = match (text.as_str(), plain) {
            ("false" | "no", true) if words.contains(&"off") => "did you mean `off`?".to_owned(),
            ("true" | "yes" | "on" | "block", true) if words.contains(&"enforce") => {
                "did you mean `enforce`?".to_owned()
            }
            _ => match nearest(text, words) {
                Some(word) => format!("did you mean `{word}`?"),
                None => format!("one of {options}"),
            },
        };
        self.error(
            node.at,
            format!("`{name}` cannot be {}", describe(node)),
            suggestion,
        );
        None
    }

    /// Words on one line.
    fn text(&mut self, name: &str, node: &Node) -> Option<String> {
        match &node.kind {
            Kind::Text { text, .. } if text.len() <= MAX_TEXT && !text.contains(char::is_control) => {
                Some(text.trim().to_owned())
            }
            Kind::Text { .. } => {
                let message = format!("`{name}` takes one line of at most {MAX_TEXT} bytes");
                self.error(node.at, message, "shorten it");
                None
            }
            _ => {
                let message = format!("`{name}` takes a text, not {}", describe(node));
                self.error(node.at, message, "write it in quotation marks");
                None
            }
        }
    }

    fn flag(&mut self, name: &str, node: &Node) -> Option<bool> {
        let suggestion = match &node.kind {
            Kind::Text { text, plain: true } => match text.as_str() {
                "true" | "True" | "TRUE" => return Some(true),
                "false" | "False" | "FALSE" => return Some(false),
                _ => match text.to_lowercase().as_str() {
                    "yes" | "on" | "y" | "1" | "enabled" => "write `true`",
                    "no" | "off" | "n" | "0" | "disabled" => "write `false`",
                    _ => "write `true` or `false`",
                },
            },
            Kind::Text { text, .. } if matches!(text.as_str(), "true" | "false") => "remove the quotes",
            _ => "write `true` or `false`",
        };
        self.error(
            node.at,
            format!("`{name}` takes true or false, not {}", describe(node)),
            suggestion,
        );
        None
    }

    fn ratio(&mut self, name: &str, node: &Node) -> Option<f64> {
        let message = format!("`{name}` takes a share from 0 to 1, not {}", describe(node));
        let Kind::Text { text, plain } = &node.kind else {
            self.error(node.at, message, "write a number such as `0.2`");
            return None;
        };
        let percent = text.strip_suffix('%').map(str::trim_end);
        let number = percent
            .unwrap_or(text)
            .parse::<f64>()
            .ok()
            .filter(|n| n.is_finite());
        let suggestion = match number {
            Some(n) if percent.is_none() && *plain && (0.0..=1.0).contains(&n) => return Some(n),
            Some(n) if percent.is_none() && (0.0..=1.0).contains(&n) => "remove the quotes".to_owned(),
            Some(n) if (0.0..=100.0).contains(&n) => format!("for {n} % write `{}`", n / 100.0),
            _ => "write a number such as `0.2`".to_owned(),
        };
        self.error(node.at, message, suggestion);
        None
    }

    fn count(&mut self, name: &str, min: u64, max: u64, node: &Node) -> Option<u64> {
        let suggestion = match &node.kind {
            Kind::Text { text, plain } => match text.parse::<u64>() {
                Ok(n) if *plain && (min..=max).contains(&n) => return Some(n),
                Ok(n) if (min..=max).contains(&n) => "remove the quotes".to_owned(),
                Ok(n) if n > max => format!("the largest is {max}"),
                Ok(_) => format!("the smallest is {min}"),
                Err(_) => match text.replace(['_', ',', '\''], "").parse::<u64>() {
                    Ok(n) if (min..=max).contains(&n) => format!("write `{n}`"),
                    _ => format!("write a whole number such as `{}`", min.max(2).min(max)),
                },
            },
            _ => format!("write a whole number such as `{}`", min.max(2).min(max)),
        };
        let message = format!(
            "`{name}` takes a whole number from {min} to {max}, not {}",
            describe(node)
        );
        self.error(node.at, message, suggestion);
        None
    }

    pub(crate) fn items<'n>(&mut self, name: &str, node: &'n Node, example: &str) -> Option<&'n [Node]> {
        match &node.kind {
            Kind::List(items) if items.len() > MAX_ENTRIES => {
                let message = format!("`{name}` has {} entries; {MAX_ENTRIES} are the most", items.len());
                self.error(node.at, message, "shorten the list");
                None
            }
            Kind::List(items) => Some(items),
            _ => {
                let message = format!("`{name}` takes a list, not {}", describe(node));
                let key = name.rsplit('.').next().unwrap_or(name);
                self.error(node.at, message, format!("write `{key}: {example}`"));
                None
            }
        }
    }

    /// A list of texts; `check` looks at each.
    pub(crate) fn list(
        &mut self,
        name: &str,
        node: &Node,
        check: impl Fn(&mut Self, &str) -> patterns::Check,
    ) -> Option<Vec<String>> {
        let example = match &node.kind {
            Kind::Text { text, .. } => format!("['{}']", shorten(text)),
            _ => "['…', '…']".to_owned(),
        };
        let mut out = Vec::new();
        for item in self.items(name, node, &example)? {
            match &item.kind {
                Kind::Text { text, .. } => {
                    let finding = check(self, text);
                    if self.usable(name, finding, item.at) && !out.contains(text) {
                        out.push(text.clone());
                    }
                }
                Kind::Bad => {}
                _ => {
                    let message = format!("an entry of `{name}` is a text, not {}", describe(item));
                    self.error(item.at, message, "write a word or a phrase, in quotes if need be");
                }
            }
        }
        Some(out)
    }

    /// Reports what was found about an entry; whether it can be used.
    pub(crate) fn usable(&mut self, name: &str, finding: patterns::Check, at: At) -> bool {
        match finding {
            patterns::Check::Fine => true,
            patterns::Check::Doubtful(message, suggestion) => {
                self.warn(at, format!("in `{name}`: {message}"), suggestion);
                true
            }
            patterns::Check::Useless(message, suggestion) => {
                self.error(at, format!("in `{name}`: {message}"), suggestion);
                false
            }
        }
    }

    fn checks(&mut self, name: &str, node: &Node) -> Option<Vec<Verification>> {
        let example = "[{ name: test, run: \"…\", kind: tests }]";
        let mut out: Vec<Verification> = Vec::new();
        for item in self.items(name, node, example)? {
            let Some(check) = self.check(item) else { continue };
            if out.iter().any(|known| known.name == check.name) {
                let message = format!("a second verification is called `{}`", shorten(&check.name));
                self.error(item.at, message, "give each a name of its own");
            } else {
                out.push(check);
            }
        }
        Some(out)
    }

    fn check(&mut self, item: &Node) -> Option<Verification> {
        let entries = match &item.kind {
            Kind::Map(entries) => entries,
            Kind::Bad => return None,
            _ => {
                let message = format!("a verification is a mapping, not {}", describe(item));
                self.error(item.at, message, "write `{ name: test, run: \"…\" }`");
                return None;
            }
        };
        let (mut name, mut run, mut kind, mut wrong) = (None, None, None, false);
        for entry in entries {
            let slot = match entry.key.as_str() {
                "name" => &mut name,
                "run" => &mut run,
                "kind" => &mut kind,
                _ => {
                    let message = format!("unknown key `{}` in a verification", shorten(&entry.key));
                    self.error(
                        entry.at,
                        message,
                        did_you_mean(&entry.key, &["name", "run", "kind"]),
                    );
                    continue;
                }
            };
            match &entry.value.kind {
                Kind::Text { text, .. } if !text.trim().is_empty() && text.chars().count() <= MAX_TEXT => {
                    *slot = Some((text.clone(), entry.value.at));
                }
                Kind::Bad => wrong = true,
                _ => {
                    let message = format!(
                        "`{}` of a verification takes a text, not {}",
                        entry.key,
                        describe(&entry.value)
                    );
                    self.error(
                        entry.value.at,
                        message,
                        format!("give one of 1 to {MAX_TEXT} characters"),
                    );
                    wrong = true;
                }
            }
        }
        if wrong {
            return None;
        }
        let (Some((name, _)), Some((run, _))) = (name, run) else {
            self.error(
                item.at,
                "a verification needs `name` and `run`",
                "write `{ name: test, run: \"…\" }`",
            );
            return None;
        };
        let kind = kind.map(|(kind, at)| {
            if let Some(near) = nearest(&kind, &CHECK_KINDS).filter(|near| *near != kind) {
                let message = format!("`{}` is taken as a kind of the project's own", shorten(&kind));
                self.warn(at, message, format!("did you mean `{near}`?"));
            }
            kind
        });
        Some(Verification { name, run, kind })
    }
}

fn example(takes: Type) -> String {
    match takes {
        Type::Ratio => "a number such as `0.2`".to_owned(),
        Type::Count { .. } => "a whole number".to_owned(),
        Type::Flag => "`true` or `false`".to_owned(),
        Type::Text => "a text such as `\"…\"`".to_owned(),
        Type::Patterns | Type::Terms | Type::Globs | Type::Programs | Type::Models | Type::Checks => {
            "a list such as `[]`".to_owned()
        }
        Type::Tools => "a mapping such as `{ \"Grep|Glob\": { loop: off } }`".to_owned(),
        Type::Preset
        | Type::Mode
        | Type::OnError
        | Type::Level
        | Type::Require
        | Type::Boundary
        | Type::Method
        | Type::Embedder => {
            format!("`{}`", takes.words().join("`, `"))
        }
    }
}
