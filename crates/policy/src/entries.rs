//! Reading the user's patterns and allowed terms, each with its place.

use crate::patterns::{self, Check, is_regex};
use crate::read::Reader;
use crate::settings::{Confidence, Pattern};
use crate::words::{describe, did_you_mean};
use crate::yaml::{Entry, Kind, Node, shorten};
use proctor_prose::{Extra, MOST};

/// Examples of one pattern, each way.
const MOST_EXAMPLES: usize = 50;
/// Characters of an example.
const LONGEST_EXAMPLE: usize = 1_000;

/// An example and its place.
type Example<'n> = (&'n str, &'n Node);

impl Reader<'_> {
    /// A list of patterns: texts, or mappings with examples and confidence.
    pub(crate) fn patterns(&mut self, name: &str, node: &Node) -> Option<Vec<Pattern>> {
        let example = match &node.kind {
            Kind::Text { text, .. } => format!("['{}']", shorten(text)),
            _ => "['…', '…']".to_owned(),
        };
        let mut out: Vec<Pattern> = Vec::new();
        for item in self.items(name, node, &example)? {
            let pattern = match &item.kind {
                Kind::Text { text, .. } => self.fits(name, text, item).then(|| Pattern::from(text.clone())),
                Kind::Map(entries) => self.full(name, item, entries),
                Kind::Bad => None,
                _ => {
                    let message = format!(
                        "an entry of `{name}` is a text or a mapping, not {}",
                        describe(item)
                    );
                    self.error(item.at, message, "write a word or a phrase, in quotes if need be");
                    None
                }
            };
            out.extend(pattern.filter(|p| !out.contains(p)));
        }
        Some(out)
    }

    /// Allowed terms: one list, or one for each language.
    pub(crate) fn terms(&mut self, name: &str, node: &Node) -> Option<Vec<String>> {
        let check = |reader: &mut Self, text: &str| reader.check_pattern(text);
        let Kind::Map(entries) = &node.kind else {
            return self.list(name, node, check);
        };
        let mut all: Vec<String> = Vec::new();
        for entry in entries {
            if !matches!(entry.key.as_str(), "korean" | "english") {
                let message = format!("unknown key `{}` in `{name}`", shorten(&entry.key));
                self.error(
                    entry.at,
                    message,
                    did_you_mean(&entry.key, &["korean", "english"]),
                );
                continue;
            }
            let list = self.list(&format!("{name}.{}", entry.key), &entry.value, check);
            for term in list.into_iter().flatten() {
                if !all.contains(&term) {
                    all.push(term);
                }
            }
        }
        Some(all)
    }

    fn check_pattern(&mut self, text: &str) -> Check {
        if is_regex(text) {
            self.regexes += 1;
            if self.regexes > MOST {
                return Check::Useless(
                    format!(
                        "`{}` is one regular expression too many; {MOST} are the most",
                        shorten(text)
                    ),
                    "join some into one, or list plain words".to_owned(),
                );
            }
        }
        patterns::check_pattern(text, self.care)
    }

    /// Whether a pattern can be used.
    fn fits(&mut self, name: &str, text: &str, item: &Node) -> bool {
        let finding = self.check_pattern(text);
        let usable = self.usable(name, finding, item.at);
        if usable && self.care {
            // What matches everything is told, and counts as it was written, here as in a hook.
            let reach = patterns::check_reach(text);
            self.usable(name, reach, item.at);
        }
        usable
    }

    /// A pattern with examples and confidence.
    fn full(&mut self, name: &str, item: &Node, entries: &[Entry]) -> Option<Pattern> {
        let mut pattern = None;
        let mut confidence = Confidence::High;
        let (mut matches, mut not_match) = (Vec::new(), Vec::new());
        let mut wrong = false;
        for entry in entries {
            match (entry.key.as_str(), &entry.value.kind) {
                ("pattern", Kind::Text { text, .. }) => pattern = Some((text, &entry.value)),
                ("match", _) => wrong |= !self.examples(&entry.key, &entry.value, &mut matches),
                ("not_match", _) => wrong |= !self.examples(&entry.key, &entry.value, &mut not_match),
                ("confidence", _) => match self.word("confidence", &["low", "high"], &entry.value) {
                    Some("low") => confidence = Confidence::Low,
                    Some(_) => {}
                    None => wrong = true,
                },
                (_, Kind::Bad) => wrong = true,
                ("pattern", _) => {
                    let message = format!("`pattern` takes a text, not {}", describe(&entry.value));
                    self.error(entry.value.at, message, "write a word, a phrase, or `/…/`");
                    wrong = true;
                }
                (key, _) => {
                    let known = ["pattern", "match", "not_match", "confidence"];
                    let message = format!("unknown key `{}` in a pattern", shorten(key));
                    self.error(entry.at, message, did_you_mean(key, &known));
                }
            }
        }
        if wrong {
            return None;
        }
        let Some((text, at)) = pattern else {
            self.error(
                item.at,
                format!("an entry of `{name}` has no `pattern`"),
                "write `{ pattern: '…' }`",
            );
            return None;
        };
        if !self.fits(name, text, at) {
            return None;
        }
        if self.care {
            self.try_examples(text, &matches, true);
            self.try_examples(text, &not_match, false);
        }
        let texts = |examples: Vec<Example<'_>>| examples.into_iter().map(|(t, _)| t.to_owned()).collect();
        Some(Pattern {
            pattern: text.clone(),
            matches: texts(matches),
            not_match: texts(not_match),
            confidence,
        })
    }

    /// The examples of one kind; `false` when they cannot be read.
    fn examples<'n>(&mut self, key: &str, node: &'n Node, out: &mut Vec<Example<'n>>) -> bool {
        let Some(items) = self.items(key, node, "['…']") else {
            return false;
        };
        let mut sound = true;
        for item in items {
            match &item.kind {
                Kind::Text { text, .. } if text.chars().nth(LONGEST_EXAMPLE).is_none() => {
                    out.push((text, item))
                }
                Kind::Bad => sound = false,
                _ => {
                    let message = format!("an example is a text of at most {LONGEST_EXAMPLE} characters");
                    self.error(item.at, message, "write the sentence that matters, in quotes");
                    sound = false;
                }
            }
        }
        if out.len() > MOST_EXAMPLES {
            let message = format!("`{key}` has {} examples; {MOST_EXAMPLES} are the most", out.len());
            self.error(node.at, message, "keep those that differ");
            sound = false;
        }
        sound
    }

    fn try_examples(&mut self, pattern: &str, examples: &[Example<'_>], wanted: bool) {
        for (text, node) in examples {
            if Extra::finds(pattern, text) == wanted {
                continue;
            }
            let (shown, example) = (shorten(pattern), shorten(text));
            let (message, help) = if wanted {
                (
                    format!("the `match` example `{example}` is not matched by `{shown}`"),
                    "mend the pattern or the example; code and quoted names are not looked at",
                )
            } else {
                (
                    format!("the `not_match` example `{example}` is matched by `{shown}`"),
                    "make the pattern narrower",
                )
            };
            self.error(node.at, message, help);
        }
    }
}
