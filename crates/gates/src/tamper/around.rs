//! Code that runs around the tests: hooks of a runner, what a package does before its tests, files that set a run up.
//! It can leave tests out, turn what they came to, or end the run as if it were good, and no test looks different for it.

mod equal;
mod go;
mod python;
mod replaced;
mod script;

use super::find::{Brackets, Source};
use super::lang::{Lang, is_fixture};
use super::lex::{Sort, Token};
use super::{Finding, Kind, Severity, Sides};
use std::collections::HashSet;
use std::ops::Range;

/// What such code does to the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum What {
    LeavesOut,
    NeverRuns,
    Turns,
    Ends,
    Replaces,
    Equals,
}

impl What {
    fn words(self) -> &'static str {
        match self {
            Self::LeavesOut => "leaves tests out",
            Self::NeverRuns => "stands in the place of the tests and runs none",
            Self::Turns => "turns what tests came to",
            Self::Ends => "ends the run as if it were good",
            Self::Replaces => "is put in the place of what the runner gives",
            Self::Equals => "holds everything for equal, whatever it is compared with",
        }
    }
}

/// A piece of code that does so.
struct Effect {
    what: What,
    /// The function, or what is assigned to.
    name: String,
    line: u32,
    /// The whole of it, without comments and reasons: what of it changes may change which tests it is about.
    text: String,
    /// It may be meant for the runs of others, as a plugin is.
    elsewhere: bool,
}

/// How often all tokens of a file may be looked at: functions within functions are read again, and in what never closes
/// each one goes on to the end.
const ROUNDS: usize = 8;

/// Most tokens of what a call is given, or what is assigned, that are looked at.
const WIDE: usize = 400;

/// A file whose code is looked through: its path, its code, and where each bracket is closed.
struct File<'s, 'a> {
    path: &'s str,
    source: &'s Source<'a>,
    code: Vec<Token<'a>>,
    brackets: Brackets,
}

impl<'s, 'a> File<'s, 'a> {
    fn of(path: &'s str, source: &'s Source<'a>) -> Self {
        let code = source.code();
        Self {
            path,
            source,
            brackets: Brackets::of(&code),
            code,
        }
    }

    fn part(&self, range: Range<usize>) -> &[Token<'a>] {
        self.code.get(range).unwrap_or_default()
    }

    fn at(&self, at: usize) -> Option<&Token<'a>> {
        self.code.get(at)
    }

    /// How many tokens of functions may be read.
    fn budget(&self) -> usize {
        self.code.len().saturating_mul(ROUNDS)
    }

    /// For each line, from 1, whether a test of the file stands there.
    fn lines_of_tests(&self) -> Vec<bool> {
        let last = self.source.tokens.last().map_or(0, |t| t.line);
        let mut lines = vec![false; last as usize + 1];
        for test in &self.source.tests {
            let body = self.source.tokens.get(test.body.clone()).unwrap_or_default();
            mark(&mut lines, body);
        }
        lines
    }

    /// Whether these texts stand one after another from `at` on, as code.
    fn reads(&self, at: usize, texts: &[&str]) -> bool {
        reads(&self.code, at, texts)
    }

    /// How far the line of a token is moved in.
    fn line_column(&self, at: usize) -> u32 {
        let line = self.part(0..at + 1).iter().rev().find(|t| t.first);
        line.map_or(0, |t| t.column)
    }

    fn effect(&self, what: What, name: &str, about: Range<usize>) -> Effect {
        Effect {
            what,
            name: name.to_owned(),
            line: self.at(about.start).map_or(1, |t| t.line),
            text: text(self.part(about)),
            elsewhere: !self.source.for_tests,
        }
    }
}

/// Marks the lines of a part.
fn mark(lines: &mut [bool], part: &[Token<'_>]) {
    let (Some(first), Some(last)) = (part.first(), part.last()) else {
        return;
    };
    let range = first.line as usize..=last.line as usize;
    lines
        .get_mut(range)
        .into_iter()
        .flatten()
        .for_each(|line| *line = true);
}

fn is_marked(lines: &[bool], token: &Token<'_>) -> bool {
    lines.get(token.line as usize).copied().unwrap_or_default()
}

/// Whether these texts stand one after another from `at` on, as code. `…` is any one token.
fn reads(tokens: &[Token<'_>], at: usize, texts: &[&str]) -> bool {
    let found = tokens.get(at..).unwrap_or_default();
    found.len() >= texts.len()
        && found
            .iter()
            .zip(texts)
            .all(|(token, text)| *text == "…" || token.text == *text && token.sort != Sort::Text)
}

fn has(tokens: &[Token<'_>], texts: &[&str]) -> bool {
    (0..tokens.len()).any(|at| reads(tokens, at, texts))
}

/// The tokens as one text; what is said as a reason changes nothing.
fn text(tokens: &[Token<'_>]) -> String {
    let mut out = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let reason = token.sort == Sort::Text && at >= 2 && reads(tokens, at - 2, &["reason", "="]);
        if !reason {
            out.push_str(token.text);
            out.push(' ');
        }
    }
    out
}

/// Whether the arguments of a call, whose bracket stands at `open`, end a process well: none, or 0.
fn ends_well(tokens: &[Token<'_>], open: usize) -> bool {
    let zero = tokens
        .get(open + 1)
        .is_some_and(|t| t.sort == Sort::Number && t.text == "0");
    reads(tokens, open, &["(", ")"]) || zero && reads(tokens, open + 2, &[")"])
}

fn effects(path: &str, source: Option<&Source<'_>>) -> Vec<Effect> {
    let Some(source) = source else {
        return Vec::new();
    };
    let file = File::of(path, source);
    let mut out = match source.lang {
        Lang::Python => python::effects(&file),
        Lang::Go => go::effects(&file),
        Lang::Script => script::effects(&file),
        Lang::Rust => Vec::new(),
        _ => return Vec::new(),
    };
    out.extend(replaced::effects(&file));
    out.extend(equal::effects(&file));
    out
}

pub(super) fn look(sides: &[Sides<'_>], out: &mut Vec<Finding>) {
    // It may have moved from one file to another.
    let known: HashSet<(What, String)> = sides
        .iter()
        .flat_map(|side| effects(side.path, side.base.as_ref()))
        .map(|effect| (effect.what, effect.text))
        .collect();
    for side in sides {
        let mut told: HashSet<(What, String)> = HashSet::new();
        for effect in effects(side.path, side.now.as_ref()) {
            let was = known.contains(&(effect.what, effect.text));
            if was || !told.insert((effect.what, effect.name.clone())) {
                continue;
            }
            out.push(Finding {
                kind: Kind::TestsTurnedOff,
                severity: if effect.elsewhere || is_fixture(side.path) {
                    Severity::Note
                } else {
                    Severity::Block
                },
                path: side.path.to_owned(),
                line: Some(effect.line),
                words: format!("`{}` of {} {}", effect.name, side.path, effect.what.words()),
            });
        }
    }
}
