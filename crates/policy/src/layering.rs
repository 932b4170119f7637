//! Putting one layer on top of another, and refusing what may not be loosened.

use crate::keys::{Direction, KEYS, Key, Value, index_of};
use crate::problem::{Problem, Severity};
use crate::read::{Assign, LayerDoc, What};
use crate::resolve::Origin;
use crate::settings::{Preset, Settings};
use crate::show::plain;
use crate::sources::Layer;
use proctor_kernel::Mode;

/// The settings while layers are put on, and what is known about each key of [`KEYS`], by position.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) settings: Settings,
    preset_origin: Origin,
    pub(crate) keys: Vec<Known>,
    /// Where the modes for single tools come from, in the order of the settings.
    pub(crate) tools: Vec<Origin>,
}

#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) origin: Origin,
    /// A layer named the key, so that no preset changes it.
    named: bool,
}

/// What a layer is bound by: the state below it, and which keys of it bind.
pub(crate) struct Floor {
    pub(crate) below: State,
    pub(crate) binds: Vec<bool>,
}

pub(crate) fn is_preset(assign: &Assign) -> bool {
    matches!(assign.what, What::Value(Value::Preset(_)))
}

impl LayerDoc<'_> {
    pub(crate) fn origin(&self, line: u32, column: u32, preset: Option<Preset>) -> Origin {
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
    pub(crate) fn builtin() -> Self {
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
            tools: Vec::new(),
        }
    }

    /// Puts a layer on top.
    pub(crate) fn put_on(&mut self, doc: &LayerDoc<'_>, floor: Option<&Floor>, problems: &mut Vec<Problem>) {
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
        if key.direction == Direction::Own && doc.layer != Layer::User {
            if matches!(&assign.what, What::Value(value) if *value == (key.get)(&self.settings)) {
                return;
            }
            let message = format!(
                "`{}` counts in your own file only: it says what Proctor starts, or where texts and keys are sent",
                key.path
            );
            let help = "move it to the user's policy file".to_owned();
            problems.push(doc.problem(Severity::Warning, assign.at, message, Some(help)));
            return;
        }
        if let What::Value(Value::Tools(entries)) = &assign.what {
            known.named = true;
            known.origin = doc.origin_of(assign);
            let binds = |path: &str| floor.is_some_and(|f| f.binds_key(path));
            let bound = |gate: &str| binds(key.path) || binds(&format!("enforcement.{gate}.mode"));
            let outcomes = self.settings.add_tools(doc.layer, entries, bound);
            for ((entry, at), stays) in entries.iter().zip(&doc.tools).zip(outcomes) {
                let Some(stays) = stays else {
                    self.tools.push(doc.origin(at.line, at.column, None));
                    continue;
                };
                let message = format!(
                    "`{}.{}.{}: {}` is looser than `{stays}`; `{stays}` stays",
                    key.path,
                    entry.tools.join("|"),
                    entry.gate,
                    entry.mode
                );
                let help = Some(advice(doc.layer).to_owned());
                problems.push(doc.problem(Severity::Warning, *at, message, help));
            }
            return;
        }
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
                if matches!((key.get)(&self.settings), Value::Tools(_)) {
                    self.tools.clone_from(&floor.below.tools);
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
        (Direction::Adding, Value::Patterns(mut all), Value::Patterns(new)) => {
            for entry in new {
                if !all.contains(&entry) {
                    all.push(entry);
                }
            }
            Value::Patterns(all)
        }
        (_, _, new) => new,
    }
}

impl Floor {
    fn binds_key(&self, path: &str) -> bool {
        index_of(path).is_some_and(|i| self.binds.get(i).copied().unwrap_or(false))
    }

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
            (Some(Direction::Fixed), ..) => {
                format!(
                    "`{path}` may not be changed: `{}`, set by {origin}, stays",
                    plain(&stays)
                )
            }
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
