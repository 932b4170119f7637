//! All layers to one set of settings, with the origin of every value.
//!
//! The rule of the layers, in one place: the user's file may set anything; the project's file may set
//! anything but what would be looser than the user's own settings; the local file, which agents can
//! write, may only be stricter than everything below it. What is looser is refused with a warning and
//! the stricter value stays. Which way is stricter stands in the table of keys.

use crate::keys::{self, KEYS, Value};
use crate::layering::{Floor, State, is_preset};
use crate::problem::{Problem, Severity};
use crate::read::{Assign, LayerDoc, What, layer};
use crate::settings::{Preset, Settings};
use crate::sources::{Layer, Sources, Unreadable, digest_of};
use proctor_kernel::Digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Which layer set it.
    pub layer: Layer,
    /// The file; `None` for built-in values.
    pub file: Option<String>,
    /// Line from 1; 0 for built-in values.
    pub line: u32,
    /// Column from 1, in characters; 0 for built-in values.
    pub column: u32,
    /// The preset that chose it, when no key names it.
    pub preset: Option<Preset>,
}

impl Origin {
    pub(crate) fn builtin(preset: Option<Preset>) -> Self {
        Self {
            layer: Layer::Builtin,
            file: None,
            line: 0,
            column: 0,
            preset,
        }
    }

    /// `file:line:column`, or `built-in`.
    #[must_use]
    pub fn place(&self) -> String {
        match &self.file {
            Some(file) => format!("{file}:{}:{}", self.line, self.column),
            None => Layer::Builtin.to_string(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(_) => write!(f, "{} ({})", self.layer, self.place())?,
            None => write!(f, "{}", self.layer)?,
        }
        match self.preset {
            Some(preset) => write!(f, ", preset {}", preset.as_str()),
            None => Ok(()),
        }
    }
}

/// A setting of a gate that this version does not have. It has no effect and is kept for display.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reserved {
    /// Dotted path in the policy file.
    pub path: String,
    /// The value as written.
    pub value: String,
    /// Where it stands.
    pub origin: Origin,
}

/// All layers merged.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// What engine and gates read.
    pub settings: Settings,
    /// Origin of every key, by its dotted path in the policy file.
    pub origins: BTreeMap<String, Origin>,
    /// Origin of each mode for single tools, in the order of [`Settings::tools`].
    pub tools: Vec<Origin>,
    /// Everything wrong in the files, in the order of the layers.
    pub problems: Vec<Problem>,
    /// Settings without effect in this version.
    pub reserved: Vec<Reserved>,
    /// Digest of the files, as [`digest_of`] gives it.
    pub digest: Digest,
    /// Whether a whole file could not be used, so that `settings` lack a layer.
    pub broken: bool,
    /// Why a file could not be used, for each such file.
    pub(crate) unusable: Vec<Problem>,
    /// What the user's own file demands; nothing may be looser. Pairs of key and value.
    pub(crate) floor: Vec<(usize, Value)>,
}

impl Resolved {
    /// The problems that make a file wrong; warnings are left out.
    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(|p| p.severity == Severity::Error)
    }

    /// The errors that may hide what the files ask of work before it may go: a key or a value there that is not used, or a
    /// name that nobody knows where such a key may have been meant.
    pub fn doubts(&self) -> impl Iterator<Item = &Problem> {
        self.errors().filter(|p| p.weighs)
    }

    /// Whether `proctor config validate` accepts the files.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        !self.broken && self.errors().next().is_none()
    }
}

/// Merges the layers. Never fails: what is wrong is left out and told in `problems`.
#[must_use]
pub fn resolve(sources: &Sources) -> Resolved {
    merge(sources, false)
}

/// As [`resolve`], with the settings that it gives, and more problems: the user's patterns are compiled, tried on
/// their own examples and on ordinary sentences. Too dear for every event.
#[must_use]
pub fn examine(sources: &Sources) -> Resolved {
    merge(sources, true)
}

fn merge(sources: &Sources, care: bool) -> Resolved {
    let mut problems: Vec<Problem> = sources.unreadable.iter().map(unreadable).collect();
    let mut unusable = problems.clone();
    let mut state = State::builtin();
    let mut reserved = Vec::new();
    let mut floor = Vec::new();
    let mut docs = Vec::new();
    let mut user_binds = vec![false; KEYS.len()];
    for (which, file) in sources.files() {
        let known = problems.len();
        let doc = layer(which, file, care, &mut problems);
        if doc.broken {
            unusable.extend(problems.get(known).cloned());
        }
        reserved.extend(doc.reserved.iter().map(|(path, value, at)| Reserved {
            path: path.clone(),
            value: value.clone(),
            origin: doc.origin(at.line, at.column, None),
        }));
        let binds = match which {
            Layer::Local => Some(vec![true; KEYS.len()]),
            Layer::Project => Some(user_binds.clone()),
            Layer::User | Layer::Builtin => None,
        };
        let bound = binds.map(|binds| Floor {
            below: state.clone(),
            binds,
        });
        state.put_on(&doc, bound.as_ref(), &mut problems);
        if which == Layer::User {
            user_binds = binding_keys(&doc);
            floor = floor_values(&state, &user_binds);
        }
        docs.push(doc);
    }
    pointless_limits(&state, &docs, &mut problems);
    if care {
        pointless_agreement(&state, &docs, &mut problems);
    }
    let origins = KEYS
        .iter()
        .zip(&state.keys)
        .map(|(key, known)| (key.path.to_owned(), known.origin.clone()))
        .collect();
    Resolved {
        settings: state.settings,
        origins,
        tools: state.tools,
        problems,
        reserved,
        digest: digest_of(sources),
        broken: !unusable.is_empty(),
        unusable,
        floor,
    }
}

fn unreadable(file: &Unreadable) -> Problem {
    Problem {
        severity: Severity::Error,
        file: file.path.clone(),
        line: 0,
        column: 0,
        message: format!("the {} policy cannot be read: {}", file.layer, file.why),
        suggestion: Some("check that it is a file and who may read it".to_owned()),
        snippet: None,
        weighs: true,
    }
}

/// A gate's own limit above the common one does nothing, and its author should know.
fn pointless_limits(state: &State, docs: &[LayerDoc<'_>], problems: &mut Vec<Problem>) {
    let common = u64::from(state.settings.budget.retries);
    for path in [
        "enforcement.response.max_retries",
        "enforcement.review.downgrade_after_retries",
    ] {
        let Some(index) = keys::index_of(path) else {
            continue;
        };
        let set = docs
            .iter()
            .flat_map(|doc| doc.assigns.iter().map(move |assign| (doc, assign)));
        for (doc, assign) in set.filter(|(_, assign)| assign.key == index) {
            if let What::Value(Value::Count(Some(own))) = assign.what
                && own > common
            {
                let message =
                    format!("`{path}: {own}` has no effect: `budget.retries` is {common} for all gates");
                let help = "a gate can only lower it; raise `budget.retries` instead".to_owned();
                problems.push(doc.problem(Severity::Warning, assign.at, message, Some(help)));
            }
        }
    }
}

/// More approvals than there are names are all that there are, and whoever asked for them should know.
fn pointless_agreement(state: &State, docs: &[LayerDoc<'_>], problems: &mut Vec<Problem>) {
    let models = state.settings.approval.models.len();
    let Some(index) = keys::index_of("enforcement.approval.agree") else {
        return;
    };
    let agree = state.settings.approval.agree;
    // One reviewer is asked without any names as well.
    if usize::try_from(agree).is_ok_and(|agree| agree <= models.max(1)) {
        return;
    }
    let (means, help) = match models {
        0 | 1 => (
            "has no effect: one reviewer is asked".to_owned(),
            "name two or more under `approval.models`",
        ),
        _ => (
            format!(
                "asks for more than the {models} names in `approval.models`: all of them have to approve"
            ),
            "name more models, or ask for as many as there are (0: all)",
        ),
    };
    let mut set = docs
        .iter()
        .flat_map(|doc| doc.assigns.iter().map(move |assign| (doc, assign)));
    let origin = state.keys.get(index).map(|known| &known.origin);
    let counts = |(doc, assign): &(&LayerDoc<'_>, &Assign)| {
        let at = doc.origin(assign.at.line, assign.at.column, None);
        assign.key == index && Some(&at) == origin
    };
    if let Some((doc, assign)) = set.rfind(counts) {
        let message = format!("`enforcement.approval.agree: {agree}` {means}");
        problems.push(doc.problem(Severity::Warning, assign.at, message, Some(help.to_owned())));
    }
}

/// The keys that the user's file sets: those it names, and with a preset all modes.
fn binding_keys(doc: &LayerDoc<'_>) -> Vec<bool> {
    let mut binds = vec![false; KEYS.len()];
    for assign in &doc.assigns {
        if let Some(slot) = binds.get_mut(assign.key) {
            *slot = true;
        }
    }
    if doc.assigns.iter().any(is_preset) {
        for (slot, key) in binds.iter_mut().zip(KEYS) {
            *slot |= key.is_preset_driven();
        }
    }
    binds
}

fn floor_values(state: &State, binds: &[bool]) -> Vec<(usize, Value)> {
    KEYS.iter()
        .enumerate()
        .filter(|(i, _)| binds.get(*i).copied().unwrap_or(false))
        .map(|(i, key)| (i, (key.get)(&state.settings)))
        .collect()
}

/// Whether any key of `settings` is looser than in `floor`, and which; for tests and for callers that
/// compare policies.
#[must_use]
pub fn looser_keys(settings: &Settings, floor: &Settings) -> Vec<&'static str> {
    KEYS.iter()
        .filter(|key| key.direction.looser(&(key.get)(settings), &(key.get)(floor)))
        .map(|key| key.path)
        .collect()
}

/// Raises `settings` to what the user's own file demands.
pub(crate) fn raise(settings: &mut Settings, floor: &[(usize, Value)]) {
    for (index, value) in floor {
        if let Some(key) = KEYS.get(*index)
            && key.direction.looser(&(key.get)(settings), value)
        {
            (key.set)(settings, value.clone());
        }
    }
}
