//! What is known at a point of a line, on every way that leads there.

use crate::ast::Command;
use std::rc::Rc;

/// A set of checks, by number.
pub(crate) type Set = u64;
/// How many checks a set can hold.
pub(crate) const MOST_CHECKS: usize = 64;
/// How many folders are remembered in which a command may run.
const MOST_STRAYS: usize = 6;
/// What is known where nobody gets to: everything.
pub(crate) const ALL: Set = Set::MAX;

/// A variable that the line sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    /// Its value, where that is known.
    pub(crate) value: Option<Rc<str>>,
    /// What passed if its value is 0.
    pub(crate) zero: Set,
}

/// A function, or none where it depends on the way whether it is there.
pub(crate) type Function = Option<Rc<Command>>;

/// What is known at a point of a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Checks that ran and passed on every way to here.
    pub(crate) passed: Set,
    /// Checks that passed besides, if the last status is 0.
    pub(crate) zero: Set,
    pub(crate) errexit: bool,
    pub(crate) pipefail: bool,
    /// Something ran that may have changed the meaning of everything behind it.
    pub(crate) tainted: bool,
    pub(crate) folder: Option<Rc<str>>,
    /// Other folders in which it may be as well, by the way that was taken; the empty name is that of the start.
    pub(crate) strays: Rc<Vec<String>>,
    pub(crate) variables: Rc<Vec<(String, Variable)>>,
    pub(crate) functions: Rc<Vec<(String, Function)>>,
}

impl State {
    /// The state after a command, with what is known of its status.
    pub(crate) fn with_status(mut self, zero: Set) -> Self {
        self.zero = zero;
        self
    }

    /// The folders in which a command may run, had `change` been done to the present one.
    fn moved(&mut self, change: impl Fn(Option<&str>) -> String) {
        let strays: Vec<String> = self
            .strays
            .iter()
            .map(|s| change(Some(s.as_str()).filter(|s| !s.is_empty())))
            .collect();
        let folder = change(self.folder.as_deref());
        self.strays = Rc::new(strays.into_iter().filter(|s| *s != folder).collect());
        self.folder = Some(Rc::from(folder));
    }

    /// `cd`: into a folder.
    pub(crate) fn enter(&mut self, target: &str) {
        self.moved(|from| crate::word::below(from, target));
    }

    /// Where it is now is not known.
    pub(crate) fn lost(&mut self, as_written: &str) {
        self.strays = Rc::default();
        self.folder = Some(Rc::from(as_written));
    }

    /// Adds the folders of another way to here.
    fn stray(&mut self, other: &Self) {
        let here = self.folder.as_deref().unwrap_or_default();
        let there = other.folder.as_deref().unwrap_or_default();
        if here == there && other.strays.is_empty() {
            return;
        }
        let mut all = (*self.strays).clone();
        for stray in std::iter::once(there).chain(other.strays.iter().map(String::as_str)) {
            if stray != here && !all.iter().any(|s| s == stray) {
                // Of very many it is not known where they are.
                all.push(if all.len() < MOST_STRAYS {
                    stray.to_owned()
                } else {
                    "$".to_owned()
                });
                if all.len() > MOST_STRAYS {
                    break;
                }
            }
        }
        self.strays = Rc::new(all);
    }

    /// What is known if either of the two ways was taken.
    pub(crate) fn join(mut self, other: Self) -> Self {
        self.stray(&other);
        let zero = (self.passed | self.zero) & (other.passed | other.zero);
        let variables = if Rc::ptr_eq(&self.variables, &other.variables) {
            self.variables
        } else {
            Rc::new(join_variables(&self, &other))
        };
        let functions = if Rc::ptr_eq(&self.functions, &other.functions) {
            self.functions
        } else {
            Rc::new(join_functions(&self.functions, &other.functions))
        };
        Self {
            passed: self.passed & other.passed,
            zero,
            errexit: self.errexit && other.errexit,
            pipefail: self.pipefail && other.pipefail,
            tainted: self.tainted || other.tainted,
            // After `cd x;` most likely the folder was there.
            folder: self.folder,
            strays: self.strays,
            variables,
            functions,
        }
    }

    pub(crate) fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    pub(crate) fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|(n, _)| n == name).map(|(_, f)| f)
    }

    pub(crate) fn set_variable(&mut self, name: &str, mut variable: Variable) {
        variable.value = variable.value.filter(|v| v.len() <= crate::word::LONG);
        set(Rc::make_mut(&mut self.variables), name, variable);
    }

    pub(crate) fn set_function(&mut self, name: &str, function: Function) {
        set(Rc::make_mut(&mut self.functions), name, function);
    }

    /// Everything behind this point may mean something else.
    pub(crate) fn taint(&mut self) {
        self.tainted = true;
        self.zero = self.passed;
        self.errexit = false;
        self.pipefail = false;
        self.unknown_variables();
    }

    /// No value of a variable is known any more.
    pub(crate) fn unknown_variables(&mut self) {
        if !self.variables.is_empty() {
            for (_, variable) in Rc::make_mut(&mut self.variables) {
                *variable = Variable { value: None, zero: 0 };
            }
        }
    }
}

fn set<T>(list: &mut Vec<(String, T)>, name: &str, value: T) {
    match list.iter_mut().find(|(n, _)| n == name) {
        Some((_, old)) => *old = value,
        None => list.push((name.to_owned(), value)),
    }
}

fn join_variables(a: &State, b: &State) -> Vec<(String, Variable)> {
    let mut joined: Vec<(String, Variable)> = Vec::new();
    for (name, left) in a.variables.iter() {
        let (value, zero) = match b.variable(name) {
            Some(right) => (
                left.value.clone().filter(|v| right.value.as_ref() == Some(v)),
                (a.passed | left.zero) & (b.passed | right.zero),
            ),
            None => (None, (a.passed | left.zero) & b.passed),
        };
        joined.push((name.clone(), Variable { value, zero }));
    }
    for (name, right) in b.variables.iter() {
        if a.variable(name).is_none() {
            let zero = (b.passed | right.zero) & a.passed;
            joined.push((name.clone(), Variable { value: None, zero }));
        }
    }
    joined
}

fn join_functions(a: &[(String, Function)], b: &[(String, Function)]) -> Vec<(String, Function)> {
    let find = |list: &[(String, Function)], name: &str| list.iter().find(|(n, _)| n == name).cloned();
    let mut joined: Vec<(String, Function)> = Vec::new();
    for (name, left) in a {
        let same = find(b, name).and_then(|(_, right)| match (left, right) {
            (Some(l), Some(r)) if Rc::ptr_eq(l, &r) => Some(r),
            _ => None,
        });
        joined.push((name.clone(), same));
    }
    for (name, _) in b {
        if find(a, name).is_none() {
            joined.push((name.clone(), None));
        }
    }
    joined
}

/// How a command can end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Out {
    /// With status 0; `None` if it cannot.
    pub(crate) ok: Option<State>,
    /// With another status.
    pub(crate) bad: Option<State>,
}

impl Out {
    /// A command of which nothing is known.
    pub(crate) fn either(state: State) -> Self {
        let passed = state.passed;
        Self {
            ok: Some(state.clone().with_status(passed)),
            bad: Some(state.with_status(ALL)),
        }
    }

    pub(crate) fn good(state: State) -> Self {
        let passed = state.passed;
        Self {
            ok: Some(state.with_status(passed)),
            bad: None,
        }
    }

    pub(crate) fn bad(state: State) -> Self {
        Self {
            ok: None,
            bad: Some(state.with_status(ALL)),
        }
    }

    /// What is known when the next command begins.
    pub(crate) fn next(self) -> Option<State> {
        join(self.ok, self.bad)
    }

    /// What passed if it ended with status 0; nothing if it cannot.
    pub(crate) fn proven(&self) -> Set {
        self.ok.as_ref().map_or(0, |s| s.passed)
    }
}

pub(crate) fn join(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b)),
        (a, b) => a.or(b),
    }
}
