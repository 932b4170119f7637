//! All layers to one set of settings, with the origin of every value.
//!
//! The rule of the layers, in one place: the user's file may set anything; the project's file may set
//! anything but what would be looser than the user's own settings; the local file, which agents can
//! write, may only be stricter than everything below it. What is looser is refused with a warning and
//! the stricter value stays. Which way is stricter stands in the table of keys.

use crate::keys::{self, Direction, KEYS, Key, Value};
use crate::problem::{Problem, Severity};
use crate::read::{Assign, LayerDoc, What, layer};
use crate::settings::{Preset, Settings};
use crate::show::plain;
use crate::sources::{Layer, Sources, Unreadable, digest_of};
use proctor_kernel::{Digest, Mode};
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
    fn builtin(preset: Option<Preset>) -> Self {
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

    /// Whether `proctor config validate` accepts the files.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        !self.broken && self.errors().next().is_none()
    }
}

/// The settings while layers are put on, and what is known about each key of [`KEYS`], by position.
#[derive(Clone)]
struct State {
    settings: Settings,
    preset_origin: Origin,
    keys: Vec<Known>,
}

#[derive(Clone)]
struct Known {
    origin: Origin,
    /// A layer named the key, so that no preset changes it.
    named: bool,
}

/// What a layer is bound by: the state below it, and which keys of it bind.
struct Floor {
    below: State,
    binds: Vec<bool>,
}

/// Merges the layers. Never fails: what is wrong is left out and told in `problems`.
#[must_use]
pub fn resolve(sources: &Sources) -> Resolved {
    let mut problems: Vec<Problem> = sources.unreadable.iter().map(unreadable).collect();
    let mut unusable = problems.clone();
    let mut state = State::builtin();
    let mut reserved = Vec::new();
    let mut floor = Vec::new();
    let mut docs = Vec::new();
    let mut user_binds = vec![false; KEYS.len()];
    for (which, file) in sources.files() {
        let known = problems.len();
        let doc = layer(which, file, &mut problems);
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
    let origins = KEYS
        .iter()
        .zip(&state.keys)
        .map(|(key, known)| (key.path.to_owned(), known.origin.clone()))
        .collect();
    Resolved {
        settings: state.settings,
        origins,
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

fn is_preset(assign: &Assign) -> bool {
    matches!(assign.what, What::Value(Value::Preset(_)))
}

impl LayerDoc<'_> {
    fn origin(&self, line: u32, column: u32, preset: Option<Preset>) -> Origin {
        Origin {
            layer: self.layer,
            file: Some(self.path.to_owned()),
            line,
            column,
            preset,
        }
    }

    fn origin_of(&self, assign: &Assign) -> Origin {
        self.origin(assign.at.line, assign.at.column, None)
    }
}

impl State {
    fn builtin() -> Self {
        let settings = Settings::default();
        let known = |key: &Key| Known {
            origin: Origin::builtin(key.is_preset_driven().then_some(settings.preset)),
            named: false,
        };
        let keys = KEYS.iter().map(known).collect();
        Self {
            settings,
            preset_origin: Origin::builtin(None),
            keys,
        }
    }

    /// Puts a layer on top.
    fn put_on(&mut self, doc: &LayerDoc<'_>, floor: Option<&Floor>, problems: &mut Vec<Problem>) {
        for assign in doc.assigns.iter().filter(|a| is_preset(a)) {
            self.put_preset(doc, assign, floor, problems);
        }
        for assign in doc.assigns.iter().filter(|a| !is_preset(a)) {
            self.put_key(doc, assign, floor, problems);
        }
        if let Some(floor) = floor {
            let held = self.hold(floor);
            let preset = doc.assigns.iter().find(|a| is_preset(a));
            if let Some(assign) = preset.filter(|_| !held.is_empty()) {
                let message = format!(
                    "the preset would loosen {}; the stricter value stays",
                    held.join(", ")
                );
                problems.push(doc.problem(
                    Severity::Warning,
                    assign.at,
                    message,
                    Some(advice(doc.layer).to_owned()),
                ));
            }
        }
    }

    fn put_preset(
        &mut self,
        doc: &LayerDoc<'_>,
        assign: &Assign,
        floor: Option<&Floor>,
        problems: &mut Vec<Problem>,
    ) {
        let What::Value(Value::Preset(preset)) = assign.what else {
            return;
        };
        if let Some(floor) = floor.filter(|f| f.looser(assign.key, &Value::Preset(preset))) {
            problems.push(floor.refusal(doc, assign, &Value::Preset(preset)));
            return;
        }
        self.settings.preset = preset;
        self.preset_origin = doc.origin_of(assign);
        let base = Settings::preset(preset);
        let from_preset = doc.origin(assign.at.line, assign.at.column, Some(preset));
        for (i, (key, known)) in KEYS.iter().zip(&mut self.keys).enumerate() {
            if i == assign.key {
                known.origin = self.preset_origin.clone();
                known.named = true;
            } else if key.is_preset_driven() && !known.named {
                (key.set)(&mut self.settings, (key.get)(&base));
                known.origin = from_preset.clone();
            }
        }
    }

    fn put_key(
        &mut self,
        doc: &LayerDoc<'_>,
        assign: &Assign,
        floor: Option<&Floor>,
        problems: &mut Vec<Problem>,
    ) {
        let (Some(key), Some(known)) = (KEYS.get(assign.key), self.keys.get_mut(assign.key)) else {
            return;
        };
        let current = (key.get)(&self.settings);
        let value = match &assign.what {
            // The gate runs already, by the preset or by a mode that a layer below names.
            What::TurnOn if current != Value::Mode(Mode::Off) => {
                if !known.named {
                    known.origin = Origin {
                        preset: Some(self.settings.preset),
                        ..doc.origin_of(assign)
                    };
                }
                return;
            }
            What::TurnOn => (key.get)(&Settings::preset(self.settings.preset)),
            What::Value(value) => merged(key.direction, current, value.clone()),
        };
        match floor.filter(|f| f.looser(assign.key, &value)) {
            Some(floor) => problems.push(floor.refusal(doc, assign, &value)),
            None => {
                (key.set)(&mut self.settings, value);
                known.named = true;
                known.origin = doc.origin_of(assign);
            }
        }
    }

    /// Takes back what became looser without being named, and gives the paths: a gate that the user
    /// turned on by `enabled: true` follows the preset, and a project's preset may be looser.
    fn hold(&mut self, floor: &Floor) -> Vec<String> {
        let mut held = Vec::new();
        for (i, (key, known)) in KEYS.iter().zip(&mut self.keys).enumerate() {
            if floor.looser(i, &(key.get)(&self.settings)) {
                (key.set)(&mut self.settings, (key.get)(&floor.below.settings));
                if let Some(below) = floor.below.keys.get(i) {
                    *known = below.clone();
                }
                held.push(format!("`{}`", key.path));
            }
        }
        held
    }
}

/// Lists add up over the layers; verifications are replaced as a whole.
fn merged(direction: Direction, current: Value, new: Value) -> Value {
    match (direction, current, new) {
        (Direction::Adding | Direction::AddingLoosens, Value::List(mut all), Value::List(new)) => {
            for entry in new {
                if !all.contains(&entry) {
                    all.push(entry);
                }
            }
            Value::List(all)
        }
        (_, _, new) => new,
    }
}

impl Floor {
    fn looser(&self, index: usize, value: &Value) -> bool {
        let binds = self.binds.get(index).copied().unwrap_or(false);
        binds
            && KEYS
                .get(index)
                .is_some_and(|key| key.direction.looser(value, &(key.get)(&self.below.settings)))
    }

    /// The warning that a value was refused, naming both places.
    fn refusal(&self, doc: &LayerDoc<'_>, assign: &Assign, value: &Value) -> Problem {
        let (path, stays, origin) = match (KEYS.get(assign.key), self.below.keys.get(assign.key)) {
            (Some(key), Some(known)) => (
                key.path,
                (key.get)(&self.below.settings),
                known.origin.to_string(),
            ),
            _ => ("", value.clone(), String::new()),
        };
        let message = match (KEYS.get(assign.key).map(|k| k.direction), value, &stays) {
            (Some(Direction::AddingLoosens), Value::List(new), Value::List(old)) => {
                let added: Vec<String> = new.iter().filter(|e| !old.contains(e)).cloned().collect();
                format!(
                    "`{path}` may not add {} to what is set by {origin}",
                    plain(&Value::List(added))
                )
            }
            (Some(Direction::Fixed), ..) => format!("`{path}` may not change what is set by {origin}"),
            _ => format!(
                "`{path}: {}` is looser than `{}`, set by {origin}; `{}` stays",
                plain(value),
                plain(&stays),
                plain(&stays)
            ),
        };
        doc.problem(
            Severity::Warning,
            assign.at,
            message,
            Some(advice(doc.layer).to_owned()),
        )
    }
}

/// Why a layer was refused, and where the change belongs.
fn advice(layer: Layer) -> &'static str {
    match layer {
        Layer::Local => "the local file may only be stricter; change the project's file or your own",
        _ => "a project may not loosen what the user sets; change the user's file",
    }
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
