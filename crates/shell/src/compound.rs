//! Conditions, loops, groups: which ways lead through them.

use crate::Within;
use crate::ast::{Compound, List, Word};
use crate::state::{Out, State, join};
use crate::walk::{Kind, Scope, Walk};
use crate::word::one;
use proctor_kernel::Mask;
use std::rc::Rc;

impl Walk<'_> {
    pub(crate) fn compound(&mut self, compound: &Compound, state: State, ignore: bool) -> Out {
        match compound {
            Compound::Subshell(list) => {
                let out = self.inside(Within::Subshell, |w| {
                    w.subshell(&state, |w, s| w.list(list, s, ignore))
                });
                self.settle(out, ignore)
            }
            Compound::Group(list) => self.inside(Within::Group, |w| w.list(list, state, ignore)),
            Compound::If { arms, other } => self.conditions(arms, other.as_ref(), state, ignore),
            Compound::For {
                name,
                words,
                body,
                plain,
            } => self.each(name, words.as_deref(), body, *plain, state, ignore),
            Compound::While { condition, body } => self.repeat(condition, body, state, ignore),
            Compound::Case { words, arms } => {
                words.iter().for_each(|w| self.substitutions(&w.0, &state));
                let count = self.count();
                // Without a pattern for the rest, none may fit.
                let rest = arms.iter().any(|(all, _)| *all);
                let mut out = if rest {
                    Out::default()
                } else {
                    Out::good(state.clone())
                };
                for (_, arm) in arms {
                    let taken = self.inside(Within::Branch, |w| w.list(arm, state.clone(), ignore));
                    out = Out {
                        ok: join(out.ok, taken.ok),
                        bad: join(out.bad, taken.bad),
                    };
                }
                self.note(self.since(count) & !out.proven(), Mask::Unreached);
                out
            }
            Compound::Test(words) => {
                words.iter().for_each(|w| self.substitutions(&w.0, &state));
                let mut args = Vec::new();
                words.iter().for_each(|w| args.push(one(w, &state)));
                let out = crate::builtins::compare(&args, state);
                self.settle(out, ignore)
            }
            Compound::Arithmetic(text, inner) => {
                self.substitutions(inner, &state);
                let out = crate::builtins::arithmetic(self, text, state);
                self.settle(out, ignore)
            }
            Compound::Coprocess(command) => {
                let count = self.count();
                self.subshell(&state, |w, s| w.command(command, s, ignore));
                self.note(self.since(count), Mask::Background);
                Out::good(state)
            }
        }
    }

    fn conditions(&mut self, arms: &[(List, List)], other: Option<&List>, state: State, ignore: bool) -> Out {
        let mut out = Out::default();
        let mut way = Some(state);
        let mut conditions = 0;
        let mut branches = 0;
        for (condition, body) in arms {
            let count = self.count();
            let tested = match way.take() {
                Some(state) => self.inside(Within::Condition, |w| w.list(condition, state, true)),
                None => {
                    self.nowhere(|w| w.list(condition, State::default(), true));
                    Out::default()
                }
            };
            conditions |= self.since(count);
            way = tested.bad;
            let count = self.count();
            self.branch(body, tested.ok, ignore, &mut out);
            branches |= self.since(count);
        }
        let count = self.count();
        match other {
            Some(list) => self.branch(list, way, ignore, &mut out),
            // No condition held: the whole ends with 0.
            None => out.ok = join(out.ok, way.and_then(|s| Out::good(s).ok)),
        }
        branches |= self.since(count);
        let proven = out.proven();
        self.note(conditions & !proven, Mask::Control);
        self.note(branches & !proven, Mask::Unreached);
        out
    }

    fn branch(&mut self, list: &List, state: Option<State>, ignore: bool, out: &mut Out) {
        self.inside(Within::Branch, |w| match state {
            Some(state) => {
                let taken = w.list(list, state, ignore);
                out.ok = join(out.ok.take(), taken.ok);
                out.bad = join(out.bad.take(), taken.bad);
            }
            None => w.nowhere(|w| w.list(list, State::default(), ignore)),
        });
    }

    /// The body of a loop. What is known at its begin holds in every round, and what comes out holds after
    /// each of them.
    fn round(&mut self, begin: State, walk: impl FnOnce(&mut Self, State) -> Out) -> Option<State> {
        let settings = (
            begin.errexit,
            begin.pipefail,
            begin.tainted,
            Rc::clone(&begin.functions),
        );
        let count = self.count();
        self.scopes.push(Scope {
            kind: Kind::Loop,
            ..Scope::default()
        });
        let out = self.inside(Within::Loop, |w| walk(w, begin));
        let scope = self.scopes.pop().unwrap_or_default();
        let mut end = join(out.next(), scope.left.next())?;
        end.zero = end.passed;
        // What a variable says of the last round it says of all only if no round takes it back.
        let found = self.since(count);
        for (name, variable) in Rc::make_mut(&mut end.variables) {
            let kept = scope
                .assigned
                .iter()
                .all(|(n, never_zero)| n != name || *never_zero);
            if scope.scrambled || !kept {
                variable.zero &= !found;
            }
        }
        let now = (end.errexit, end.pipefail, end.tainted);
        if now != (settings.0, settings.1, settings.2) || !Rc::ptr_eq(&end.functions, &settings.3) {
            // The second round is not like the first.
            self.note(self.since(count), Mask::Unanalysable);
            end.passed &= !self.since(count);
            end.taint();
        }
        Some(end)
    }

    fn each(
        &mut self,
        name: &str,
        words: Option<&[Word]>,
        body: &List,
        plain: bool,
        mut state: State,
        ignore: bool,
    ) -> Out {
        let mut sure = plain && words.is_some();
        let mut some = false;
        for word in words.unwrap_or_default() {
            self.substitutions(&word.0, &state);
            some |= one(word, &state).is_whole();
        }
        sure &= some;
        let before = state.clone();
        state.unknown_variables();
        let count = self.count();
        let end = self.round(state, |w, mut s| {
            if !name.is_empty() {
                w.unknown_variable(&mut s, name);
            }
            w.list(body, s, ignore)
        });
        let out = match end {
            Some(end) if sure => Out::either(end),
            Some(end) => Out::either(end.join(before)),
            None if sure => Out::default(),
            None => Out::good(before),
        };
        self.note(self.since(count) & !out.proven(), Mask::Control);
        out
    }

    fn repeat(&mut self, condition: &List, body: &List, mut state: State, ignore: bool) -> Out {
        let count = self.count();
        let passed = state.passed;
        let before = state.clone();
        state.unknown_variables();
        let end = self.round(state, |w, s| {
            let tested = w.inside(Within::Condition, |w| w.list(condition, s, true));
            match tested.next() {
                Some(state) => {
                    let out = w.list(body, state.clone(), ignore);
                    Out {
                        ok: join(out.ok, Some(state)),
                        bad: out.bad,
                    }
                }
                None => Out::default(),
            }
        });
        self.note(self.since(count), Mask::Control);
        // An endless loop ends by `break` or not at all.
        let mut end = match end {
            Some(end) => end.join(before),
            None => before,
        };
        end.passed = passed;
        end.zero = passed;
        Out::either(end)
    }
}
