//! Walking through a line with one question per check: if the line ends with status 0, did it pass?

use crate::ast::{Command, Direction, Item, Join, List, Part, Pipeline, Redirect, Word};
use crate::parse::{self, Why};
use crate::runners::Own;
use crate::state::{ALL, MOST_CHECKS, Out, Set, State, join};
use crate::word::{Arg, one};
use crate::{Analysis, Check, Operator, OwnCheck, Pipe, Position, Simple, Within, wrappers};
use proctor_kernel::{CheckKinds, Mask};
use std::rc::Rc;

/// Commands that are read of a line.
const MOST_COMMANDS: usize = 1_000;
/// Commands, counted as often as they are walked through.
const MOST_STEPS: usize = 10_000;
/// Functions that wait to be called.
const MOST_FUNCTIONS: usize = 50;
/// How deep functions and scripts may call each other.
const MOST_CALLS: usize = 12;

/// Where `exit`, `return` and `break` lead to.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) kind: Kind,
    /// What is known where it is left.
    pub(crate) left: Out,
    /// Variables that are set in it, and whether never to 0.
    pub(crate) assigned: Vec<(String, bool)>,
    /// Other variables may be set in it too.
    pub(crate) scrambled: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Shell,
    Function,
    Loop,
}

pub(crate) struct Walk<'a> {
    pub(crate) own: &'a [Own<'a>],
    pub(crate) result: Analysis,
    /// For each check, the masks that were found for it.
    masks: Vec<Vec<Mask>>,
    pub(crate) scopes: Vec<Scope>,
    within: Vec<Within>,
    position: Position,
    pub(crate) documents: Rc<Vec<Word>>,
    /// Functions that nothing called yet.
    pub(crate) defined: Vec<Rc<Command>>,
    calls: usize,
    steps: usize,
    /// Whether what is walked through is never reached.
    dead: usize,
    /// Whether the text that is walked through is known in part only.
    pub(crate) vague: usize,
    /// How many of the things around send the output where nobody sees it.
    pub(crate) hidden: usize,
    /// Settings files of shells and tools that were read so far, by whatever way.
    pub(crate) sourced: Vec<String>,
}

pub(crate) fn analyse(line: &str, checks: &[OwnCheck]) -> Analysis {
    let own: Vec<Own<'_>> = checks.iter().map(prepare).collect();
    let trimmed = line.trim();
    let mut analysis = read(line, &own);
    // The policy says what this very line means, whatever it is made of.
    if let Some(exact) = own
        .iter()
        .find(|o| o.argv.is_empty() && o.check.run.trim() == trimmed)
    {
        let mut kinds = CheckKinds::from(exact.check.kind);
        let first = analysis.checks.first().cloned();
        let mut parts = Vec::new();
        for check in analysis.checks.drain(..) {
            kinds.join(check.kinds);
            if check.masks.is_empty() {
                parts.push(check);
            }
        }
        for command in &mut analysis.commands {
            command.check = None;
        }
        let command = first.as_ref().map_or(0, |c| c.command);
        if let Some(command) = analysis.commands.get_mut(command) {
            command.check = Some(0);
        }
        analysis.checks.push(Check {
            check: trimmed.to_owned(),
            kinds,
            own: Some(exact.check.name.clone()),
            command,
            parts,
            ..Check::default()
        });
    }
    analysis
}

/// Reads a verification of the policy. Without a command of one piece it only counts word for word.
fn prepare(check: &OwnCheck) -> Own<'_> {
    let analysis = read(&check.run, &[]);
    let plain = analysis.unanalysable.is_none();
    let found = analysis.checks.first();
    // In a container, the same words may mean another one.
    let plain = plain && !found.is_some_and(|c| c.elsewhere) && !wrappers::elsewhere(&check.run);
    match analysis.commands.as_slice() {
        [one] if plain && one.position == Position::default() && !one.dynamic => Own {
            check,
            argv: one.argv.clone(),
            kinds: found.map(|c| c.kinds).unwrap_or_default(),
            folder: found.map_or_else(|| one.folder.clone(), |c| c.folder.clone()),
        },
        _ => Own {
            check,
            argv: Vec::new(),
            kinds: CheckKinds::NONE,
            folder: None,
        },
    }
}

fn read(line: &str, own: &[Own<'_>]) -> Analysis {
    let mut walk = Walk {
        own,
        result: Analysis::default(),
        masks: Vec::new(),
        scopes: vec![Scope::default()],
        within: Vec::new(),
        position: Position::default(),
        documents: Rc::default(),
        defined: Vec::new(),
        calls: 0,
        steps: 0,
        dead: 0,
        vague: 0,
        hidden: 0,
        sourced: Vec::new(),
    };
    let proven = match parse::parse(line, 0) {
        Ok(script) => {
            walk.documents = Rc::new(script.documents);
            let out = walk.list(&script.list, State::default(), false);
            let end = walk.scopes.pop().unwrap_or_default().left;
            walk.uncalled();
            join(out.ok, end.ok).map_or(0, |s| s.passed)
        }
        Err(why) => {
            walk.glance(line, why);
            0
        }
    };
    walk.finish(proven)
}

/// The line holds more than is read.
pub(crate) const TOO_MANY: Why = "the line holds too many commands";

impl Walk<'_> {
    fn finish(mut self, proven: Set) -> Analysis {
        let lost = self.result.unanalysable == Some(TOO_MANY);
        for (index, (check, masks)) in self.result.checks.iter_mut().zip(&mut self.masks).enumerate() {
            if lost {
                masks.push(Mask::Unanalysable);
            }
            if proven & bit(index) == 0 || lost {
                masks.sort_unstable();
                masks.dedup();
                check.masks = std::mem::take(masks);
                if check.masks.is_empty() {
                    check.masks.push(Mask::Unreached);
                }
            }
        }
        let commands = &self.result.commands;
        for check in &mut self.result.checks {
            check.writes_behind = writes_behind(commands, check.command);
        }
        if self.result.unanalysable.is_some() {
            self.result.may_write = true;
            self.result.writes_beside_checks = true;
        }
        self.result
    }

    /// Lists the checks that can be seen in a text which cannot be parsed.
    pub(crate) fn glance(&mut self, text: &str, why: Why) {
        self.result.unanalysable.get_or_insert(why);
        let end = text.floor_char_boundary(parse::MAX_LINE);
        for piece in text
            .get(..end)
            .unwrap_or_default()
            .split([';', '&', '|', '\n', '(', ')', '`', '{', '}'])
        {
            let mut args: Vec<Arg> = piece
                .split_ascii_whitespace()
                .map(|w| Arg::plain(w.trim_matches(['"', '\''])))
                .collect();
            args.retain(|a| !a.text.is_empty());
            while args.first().is_some_and(|a| {
                matches!(
                    a.text.as_str(),
                    "if" | "then" | "else" | "elif" | "do" | "while" | "until" | "!" | "time"
                )
            }) {
                args.remove(0);
            }
            if !args.is_empty() {
                self.nowhere(|w| {
                    w.vague += 1;
                    w.start(args, State::default());
                    w.vague -= 1;
                });
            }
        }
    }

    /// Lists what stands in functions that nothing called.
    pub(crate) fn uncalled(&mut self) {
        for body in std::mem::take(&mut self.defined) {
            self.nowhere(|w| w.inside(Within::Function, |w| w.command(&body, State::default(), false)));
        }
    }

    /// How many checks were found so far.
    pub(crate) fn count(&self) -> usize {
        self.result.checks.len()
    }

    /// Notes why the checks of a set are not proven. Only counts for those that are not in the end.
    pub(crate) fn note(&mut self, set: Set, mask: Mask) {
        for (index, masks) in self.masks.iter_mut().enumerate() {
            if set & bit(index) != 0 && !masks.contains(&mask) {
                masks.push(mask);
            }
        }
    }

    /// The checks that were found since.
    pub(crate) fn since(&self, count: usize) -> Set {
        (count..self.count()).map(bit).fold(0, |a, b| a | b)
    }

    /// Adds a command, and its check if it is one. Returns the check's set.
    pub(crate) fn add(
        &mut self,
        mut command: Simple,
        check: Option<Check>,
        masks: Vec<Mask>,
        beside: bool,
    ) -> Set {
        if self.result.commands.len() >= MOST_COMMANDS || self.count() >= MOST_CHECKS {
            self.result.unanalysable = Some(TOO_MANY);
            return 0;
        }
        command.position = Position {
            within: self.within.clone(),
            ..self.position.clone()
        };
        let mut set = 0;
        if let Some(mut check) = check {
            let index = self.count();
            set = bit(index);
            command.check = Some(index);
            check.command = self.result.commands.len();
            self.result.checks.push(check);
            let mut masks = masks;
            if self.vague > 0 {
                masks.push(Mask::Unanalysable);
            }
            if self.dead > 0 && self.vague == 0 {
                masks.push(Mask::Unreached);
            }
            if !masks.is_empty() {
                set = 0;
            }
            self.masks.push(masks);
        }
        self.result.may_write |= command.writes;
        self.result.writes_beside_checks |= beside;
        self.result.commands.push(command);
        set
    }

    /// Walks through what nobody gets to.
    pub(crate) fn nowhere<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) {
        self.dead += 1;
        self.scopes.push(Scope::default());
        walk(self);
        self.scopes.pop();
        self.dead -= 1;
    }

    pub(crate) fn inside<T>(&mut self, within: Within, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.within.push(within);
        let outer = std::mem::take(&mut self.position);
        // What is in the background or in a pipe stays there, whatever it stands in.
        self.position.background = outer.background;
        let result = walk(self);
        self.position = outer;
        self.within.pop();
        result
    }

    /// Walks through what runs in a shell of its own: only its status and what passed come out.
    pub(crate) fn subshell(&mut self, state: &State, walk: impl FnOnce(&mut Self, State) -> Out) -> Out {
        self.scopes.push(Scope::default());
        let inner = walk(self, state.clone());
        let left = self.scopes.pop().unwrap_or_default().left;
        let after = |inner: Option<State>, left: Option<State>, good: bool| {
            let passed = join(inner, left)?.passed;
            let zero = if good { passed } else { ALL };
            Some(State {
                passed,
                zero,
                ..state.clone()
            })
        };
        Out {
            ok: after(inner.ok, left.ok, true),
            bad: after(inner.bad, left.bad, false),
        }
    }

    /// A call that may call itself: not deeper than is sane.
    pub(crate) fn call(&mut self, state: State, walk: impl FnOnce(&mut Self, State) -> Out) -> Out {
        if self.calls >= MOST_CALLS || self.result.unanalysable == Some(TOO_MANY) {
            self.result.unanalysable = Some(TOO_MANY);
            return Out::either(state);
        }
        self.calls += 1;
        let out = walk(self, state);
        self.calls -= 1;
        out
    }

    /// `exit`: the shell ends here with what is known.
    pub(crate) fn leave(&mut self, kind: Kind, left: Out) -> bool {
        for scope in self.scopes.iter_mut().rev() {
            if scope.kind == kind || scope.kind == Kind::Shell {
                let hit = scope.kind == kind;
                if hit || kind == Kind::Function {
                    scope.left.ok = join(scope.left.ok.take(), left.ok);
                    scope.left.bad = join(scope.left.bad.take(), left.bad);
                }
                return hit;
            }
            if kind == Kind::Loop && scope.kind == Kind::Function {
                return false;
            }
        }
        false
    }

    /// `set -e`: a command that fails where its failure counts ends the shell.
    pub(crate) fn settle(&mut self, mut out: Out, ignore: bool) -> Out {
        if !ignore && out.bad.as_ref().is_some_and(|b| b.errexit) {
            let bad = out.bad.take();
            self.leave(Kind::Shell, Out { ok: None, bad });
        }
        out
    }

    pub(crate) fn list(&mut self, list: &List, state: State, ignore: bool) -> Out {
        let outer = self.position.clone();
        let mut begin = Some(state);
        let mut out = Out::default();
        for (index, item) in list.0.iter().enumerate() {
            self.position.before = (index > 0).then(|| match list.0.get(index - 1) {
                Some(before) if before.background => Operator::Background,
                _ => Operator::Then,
            });
            if index == 0 {
                self.position.before = outer.before;
            }
            let last = index + 1 == list.0.len();
            self.position.after = if item.background {
                Some(Operator::Background)
            } else if last {
                outer.after
            } else {
                Some(Operator::Then)
            };
            let proven = out.proven();
            let Some(state) = begin.take().or_else(|| out.next()) else {
                out = Out::default();
                self.nowhere(|w| w.item(item, State::default(), ignore));
                continue;
            };
            self.note(proven & !state.passed, Mask::Then);
            out = self.item(item, state, ignore);
        }
        self.position = outer;
        match begin {
            Some(state) => Out::good(state),
            None => out,
        }
    }

    fn item(&mut self, item: &Item, state: State, ignore: bool) -> Out {
        if item.background {
            let count = self.count();
            let outer = std::mem::replace(&mut self.position.background, true);
            self.subshell(&state, |w, s| w.chain(item, s, ignore));
            self.position.background = outer;
            self.note(self.since(count), Mask::Background);
            return Out::good(state);
        }
        self.chain(item, state, ignore)
    }

    fn chain(&mut self, item: &Item, state: State, ignore: bool) -> Out {
        let outer = (self.position.before, self.position.after);
        let operator = |join: &Join| match join {
            Join::And => Operator::And,
            Join::Or => Operator::Or,
        };
        let after = |index: usize| item.rest.get(index).map(|(j, _)| operator(j)).or(outer.1);
        self.position.after = after(0);
        let mut out = self.pipeline(&item.first, state, ignore || !item.rest.is_empty());
        for (index, (join_with, pipeline)) in item.rest.iter().enumerate() {
            self.position.before = Some(operator(join_with));
            self.position.after = after(index + 1);
            let ignore = ignore || index + 1 < item.rest.len();
            let way = match join_with {
                Join::And => out.ok.take(),
                Join::Or => out.bad.take(),
            };
            let Some(way) = way else {
                self.nowhere(|w| w.pipeline(pipeline, State::default(), true));
                continue;
            };
            let left = out.proven();
            let right = self.pipeline(pipeline, way, ignore);
            let there = right.proven();
            match join_with {
                Join::And => {
                    out = Out {
                        ok: right.ok,
                        bad: join(out.bad, right.bad),
                    };
                }
                Join::Or => {
                    out = Out {
                        ok: join(out.ok, right.ok),
                        bad: right.bad,
                    };
                    let both = out.proven();
                    self.note(left & !both, Mask::Or);
                    self.note(there & !left & !both, Mask::Unreached);
                }
            }
        }
        self.position.before = outer.0;
        self.position.after = outer.1;
        out
    }

    fn pipeline(&mut self, pipeline: &Pipeline, state: State, ignore: bool) -> Out {
        let out = match pipeline.parts.as_slice() {
            [one] => self.command(one, state, ignore || pipeline.negated),
            parts => {
                let out = self.pipe(parts, &state, ignore || pipeline.negated);
                self.settle(out, ignore || pipeline.negated)
            }
        };
        if !pipeline.negated {
            return out;
        }
        let proven = out.proven();
        let turned = Out {
            ok: out.bad.map(|s| {
                let passed = s.passed;
                s.with_status(passed)
            }),
            bad: out.ok.map(|s| s.with_status(ALL)),
        };
        self.note(proven & !turned.proven(), Mask::Negated);
        turned
    }

    fn pipe(&mut self, parts: &[Command], state: &State, ignore: bool) -> Out {
        let mut proven = state.passed;
        let mut possible = true;
        let mut last = Out::default();
        for (index, part) in parts.iter().enumerate() {
            self.position.pipe = Some(Pipe {
                index,
                of: parts.len(),
            });
            let hidden = usize::from(index + 1 < parts.len());
            self.hidden += hidden;
            last = self.subshell(state, |w, s| w.command(part, s, ignore));
            self.hidden -= hidden;
            let counts = state.pipefail || index + 1 == parts.len();
            if counts {
                proven |= last.proven();
                possible &= last.ok.is_some();
            } else {
                self.note(last.proven() & !state.passed, Mask::Pipe);
            }
        }
        self.position.pipe = None;
        let may_fail = state.pipefail || last.bad.is_some();
        Out {
            ok: possible.then(|| State {
                passed: proven,
                zero: proven,
                ..state.clone()
            }),
            bad: may_fail.then(|| state.clone().with_status(ALL)),
        }
    }

    pub(crate) fn command(&mut self, command: &Command, state: State, ignore: bool) -> Out {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            self.result.unanalysable = Some(TOO_MANY);
            return Out::either(state);
        }
        match command {
            Command::Simple(simple) => {
                let out = self.simple(simple, state, ignore);
                self.settle(out, ignore)
            }
            Command::Function(name, body) => {
                let mut state = state;
                if self.defined.len() >= MOST_FUNCTIONS {
                    self.result.unanalysable = Some(TOO_MANY);
                    return Out::either(state);
                }
                state.set_function(name, Some(Rc::clone(body)));
                self.defined.push(Rc::clone(body));
                Out::good(state)
            }
            Command::Compound(compound, redirects) => {
                if self.redirects(redirects, &state) {
                    self.result.may_write = true;
                    self.result.writes_beside_checks = true;
                }
                let hidden = usize::from(hides(redirects, &state));
                self.hidden += hidden;
                let out = self.compound(compound, state, ignore);
                self.hidden -= hidden;
                out
            }
        }
    }

    /// Walks through the substitutions of redirections. Returns whether output goes into a file.
    pub(crate) fn redirects(&mut self, redirects: &[Redirect], state: &State) -> bool {
        let mut writes = false;
        for redirect in redirects {
            self.substitutions(&redirect.target.0, state);
            match redirect.direction {
                Direction::Out => {
                    let target = one(&redirect.target, state).text;
                    let nowhere = matches!(
                        target.as_str(),
                        "/dev/null" | "/dev/stderr" | "/dev/stdout" | "/dev/tty" | "NUL"
                    ) || matches!(redirect.target.0.as_slice(), [Part::Process { .. }]);
                    writes |= !nowhere;
                }
                Direction::Document(number) => {
                    let documents = Rc::clone(&self.documents);
                    if let Some(document) = documents.get(number) {
                        self.substitutions(&document.0, state);
                    }
                }
                Direction::In | Direction::Duplicate | Direction::Text => {}
            }
        }
        writes
    }

    /// Walks through what a word runs. Its status is lost.
    pub(crate) fn substitutions(&mut self, parts: &[Part], state: &State) {
        for part in parts {
            match part {
                Part::Text { .. } => {}
                Part::Parameter { inner, .. } | Part::Arithmetic { inner, .. } => {
                    self.substitutions(inner, state)
                }
                Part::Substitution { body, .. } | Part::Process { body, .. } => {
                    let count = self.count();
                    self.substitution(body, state);
                    self.note(self.since(count), Mask::Control);
                }
            }
        }
    }

    pub(crate) fn substitution(&mut self, body: &List, state: &State) -> Out {
        self.hidden += 1;
        let out = self.inside(Within::Substitution, |w| {
            w.subshell(state, |w, mut s| {
                // bash switches it off in there, and on again only where nothing outside ignores it.
                s.errexit = false;
                w.list(body, s, true)
            })
        });
        self.hidden -= 1;
        out
    }
}

/// Whether something that is no check may write files behind a command of the line, or beside it. What reads that command's
/// own output into a file (`| tee`) keeps a report of it.
fn writes_behind(commands: &[Simple], check: usize) -> bool {
    let pipe = commands.get(check).and_then(|c| c.position.pipe);
    let in_its_pipe = |at: usize, c: &Simple| {
        let place = pipe.map(|p| (p.index + (at - check), p.of));
        place.is_some() && c.position.pipe.map(|p| (p.index, p.of)) == place
    };
    commands.iter().enumerate().any(|(at, c)| {
        let reports = at > check && c.argv.first().is_some_and(|p| p == "tee") && in_its_pipe(at, c);
        (at > check || c.position.background && at != check) && c.writes && c.check.is_none() && !reports
    })
}

/// The set of one check.
pub(crate) fn bit(index: usize) -> Set {
    1_u64
        .checked_shl(u32::try_from(index).unwrap_or(u32::MAX))
        .unwrap_or(0)
}

/// Whether redirections send output where the one who runs the line does not see it.
pub(crate) fn hides(redirects: &[Redirect], state: &State) -> bool {
    redirects.iter().any(|redirect| {
        let target = || one(&redirect.target, state).text;
        match redirect.direction {
            Direction::Out => {
                !matches!(redirect.target.0.as_slice(), [Part::Process { .. }])
                    && !matches!(target().as_str(), "/dev/stderr" | "/dev/stdout" | "/dev/tty")
            }
            Direction::Duplicate => !target().bytes().all(|b| b.is_ascii_digit()),
            Direction::In | Direction::Document(_) | Direction::Text => false,
        }
    })
}
