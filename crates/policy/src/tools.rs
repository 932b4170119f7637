//! Modes of gates for single tools: a broad `*`, and exceptions beside it.

use crate::keys::{RESERVED, SECTIONS, Value};
use crate::read::Reader;
use crate::settings::Settings;
use crate::sources::Layer;
use crate::words::{describe, did_you_mean};
use crate::yaml::{At, Entry, Kind, Node, shorten};
use proctor_kernel::{Mode, ToolKind};
use serde::{Deserialize, Serialize};

/// The gates that look at single tool calls and their results; the others look at the end of a turn.
pub const TOOL_GATES: [&str; 3] = ["loop", "delegation", "todo"];

/// Most names of tools in one file.
const MOST: usize = 64;
/// Longest pattern of one tool, in bytes.
const LONGEST: usize = 200;

/// The mode of a gate for some tools, as one layer has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolMode {
    /// The tools: names at the host, names with `*` for anything, words for sorts of tool, or `*` alone.
    pub tools: Vec<String>,
    /// The gate.
    pub gate: String,
    /// Its mode for them.
    pub mode: Mode,
    /// Who says so.
    pub layer: Layer,
    /// Counts only where it is stricter than what is below.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_stricter: bool,
}

/// How closely a pattern names a tool; the closest of a layer decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// `*`
    All,
    /// A sort of tool.
    Sort,
    /// A name with `*` in it, and how many of its characters are none.
    Glob(usize),
    /// The name.
    Name,
}

/// The word for a sort of tool.
fn word(kind: ToolKind) -> &'static str {
    match kind {
        ToolKind::Read => "read",
        ToolKind::Write => "write",
        ToolKind::Edit => "edit",
        ToolKind::Shell => "shell",
        ToolKind::Delegate => "delegate",
        ToolKind::Other => "other",
    }
}

const KINDS: [ToolKind; 6] = [
    ToolKind::Read,
    ToolKind::Write,
    ToolKind::Edit,
    ToolKind::Shell,
    ToolKind::Delegate,
    ToolKind::Other,
];

impl ToolMode {
    fn rank(&self, name: &str, kind: ToolKind) -> Option<Rank> {
        let of = |tool: &String| match tool.as_str() {
            tool if tool == name => Some(Rank::Name),
            "*" => Some(Rank::All),
            tool if tool.contains('*') => {
                fits(tool, name).then(|| Rank::Glob(tool.chars().filter(|c| *c != '*').count()))
            }
            tool => (tool == word(kind)).then_some(Rank::Sort),
        };
        self.tools.iter().filter_map(of).max()
    }
}

/// Whether a name fits a pattern in which `*` stands for any characters.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

/// The mode of a gate for a tool: `own`, unless a layer says otherwise for it, lowest layer first.
fn decide(entries: &[ToolMode], gate: &str, name: &str, kind: ToolKind, own: Mode) -> Mode {
    let mut mode = own;
    for layer in [Layer::User, Layer::Project, Layer::Local] {
        let of = entries.iter().filter(|e| e.layer == layer && e.gate == gate);
        let closest = of
            .filter_map(|e| Some((e.rank(name, kind)?, e.mode, e.only_stricter)))
            .max();
        if let Some((_, new, only_stricter)) = closest {
            mode = if only_stricter { mode.max(new) } else { new };
        }
    }
    mode
}

/// A name and a sort for each tool that some entries tell apart.
fn probes<'a>(entries: impl Iterator<Item = &'a ToolMode>) -> Vec<(String, ToolKind)> {
    // A name with a space is no tool's, so only `*` and sorts fit it.
    let mut names: Vec<String> = entries
        .flat_map(|e| &e.tools)
        .map(|t| t.replace('*', ""))
        .collect();
    names.push("a tool".to_owned());
    names.sort();
    names.dedup();
    let kinds: Vec<ToolKind> = match names.iter().any(|name| KINDS.iter().any(|k| word(*k) == name)) {
        true => KINDS.to_vec(),
        false => vec![ToolKind::Other],
    };
    let of = |name: String| {
        kinds
            .iter()
            .map(move |kind| (name.clone(), *kind))
            .collect::<Vec<_>>()
    };
    names.into_iter().flat_map(of).collect()
}

/// Whether for some tool and gate `new` gives a looser mode than `floor`.
pub(crate) fn looser(new: &[ToolMode], floor: &[ToolMode]) -> bool {
    if new == floor {
        return false;
    }
    let probes = probes(new.iter().chain(floor));
    TOOL_GATES.iter().any(|gate| {
        [Mode::Off, Mode::Observe, Mode::Warn, Mode::Enforce]
            .iter()
            .any(|own| {
                probes.iter().any(|(name, kind)| {
                    decide(new, gate, name, *kind, *own) < decide(floor, gate, name, *kind, *own)
                })
            })
    })
}

impl Settings {
    /// The mode of a gate for a tool, by its name at the host and its sort. `own` is the mode that the gate has where
    /// nothing is said of the tool.
    #[must_use]
    pub fn mode_for(&self, gate: &str, name: &str, kind: ToolKind, own: Mode) -> Mode {
        if self.tools.is_empty() {
            return own;
        }
        decide(&self.tools, gate, name, kind, own)
    }

    /// The strictest mode that a gate has for any tool.
    #[must_use]
    pub fn strictest_mode(&self, gate: &str, own: Mode) -> Mode {
        let of = self.tools.iter().filter(|e| e.gate == gate);
        of.map(|e| e.mode).fold(own, Mode::max)
    }

    /// Adds what a layer says of tools. `bound` tells for which gates it may only be stricter. Gives for each entry the mode
    /// that stays, where that is why it has no effect.
    pub(crate) fn add_tools(
        &mut self,
        layer: Layer,
        entries: &[ToolMode],
        bound: impl Fn(&str) -> bool,
    ) -> Vec<Option<Mode>> {
        let below = self.tools.clone();
        let mut outcomes = Vec::new();
        for mut entry in entries.iter().cloned() {
            entry.layer = layer;
            entry.only_stricter = bound(&entry.gate);
            let own = self.own_mode(&entry.gate);
            let stays = entry.only_stricter.then(|| {
                let probes = probes(below.iter().chain([&entry]));
                let meant = probes
                    .iter()
                    .filter(|(name, kind)| entry.rank(name, *kind).is_some());
                meant
                    .map(|(name, kind)| decide(&below, &entry.gate, name, *kind, own))
                    .min()
            });
            match stays.flatten().filter(|stays| *stays >= entry.mode) {
                // What asks for no more than there is anyway is no attempt to loosen.
                Some(stays) if stays > entry.mode => outcomes.push(Some(stays)),
                _ => {
                    self.tools.push(entry);
                    outcomes.push(None);
                }
            }
        }
        outcomes
    }

    fn own_mode(&self, gate: &str) -> Mode {
        match gate {
            "loop" => self.r#loop.mode,
            "delegation" => self.delegation.mode,
            _ => self.todo.mode,
        }
    }
}

impl Reader<'_> {
    /// Modes by tool and gate.
    pub(crate) fn tool_modes(&mut self, name: &str, node: &Node) -> Option<Vec<ToolMode>> {
        let Kind::Map(entries) = &node.kind else {
            let message = format!("`{name}` takes a mapping of tools, not {}", describe(node));
            self.error(
                node.at,
                message,
                "write `tools: { \"Grep|Glob\": { loop: off } }`",
            );
            return None;
        };
        let mut out: Vec<ToolMode> = Vec::new();
        let mut places = Vec::new();
        let mut count = 0;
        for entry in entries {
            let Some(tools) = self.tools(name, entry) else {
                continue;
            };
            count += tools.len();
            if count > MOST {
                let message = format!("`{name}` names more than {MOST} tools; the rest has no effect");
                self.error(entry.at, message, "name a sort of tool, or use `*` within names");
                break;
            }
            for (gate, mode, at) in self.gates(name, entry) {
                for other in out.iter().filter(|o| o.gate == gate && o.mode != mode) {
                    if let Some(tool) = tools.iter().find(|tool| other.tools.contains(tool)) {
                        let message = format!(
                            "`{name}` gives `{gate}` the modes `{}` and `{mode}` for `{}`",
                            other.mode,
                            shorten(tool)
                        );
                        self.warn(entry.at, message, "the stricter one counts; keep one");
                    }
                }
                places.push(at);
                out.push(ToolMode {
                    tools: tools.clone(),
                    gate: gate.to_owned(),
                    mode,
                    layer: Layer::Builtin,
                    only_stricter: false,
                });
            }
        }
        self.doc.tools = places;
        Some(out)
    }

    /// The tools of one group.
    fn tools(&mut self, name: &str, entry: &Entry) -> Option<Vec<String>> {
        let mut tools: Vec<String> = Vec::new();
        for tool in entry.key.split('|').map(str::trim) {
            let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '@' | '*');
            if tool.is_empty() || tool.len() > LONGEST || !tool.chars().all(plain) {
                let message = format!("in `{name}`: `{}` names no tool", shorten(&entry.key));
                let help = "names of tools with `|` between them, `*` for any characters, or read, write, edit, shell, delegate, other";
                self.error(entry.at, message, help);
                return None;
            }
            if tools.iter().any(|known| known == tool) {
                let message = format!(
                    "in `{name}`: `{}` stands twice in `{}`",
                    shorten(tool),
                    shorten(&entry.key)
                );
                self.warn(entry.at, message, "remove one");
            } else {
                tools.push(tool.to_owned());
            }
        }
        Some(tools)
    }

    /// The gates of one group, with their modes and places.
    fn gates(&mut self, name: &str, entry: &Entry) -> Vec<(&'static str, Mode, At)> {
        let Kind::Map(gates) = &entry.value.kind else {
            if !matches!(entry.value.kind, Kind::Bad) {
                let message = format!(
                    "`{}` in `{name}` takes a mapping of gates to modes, not {}",
                    shorten(&entry.key),
                    describe(&entry.value)
                );
                self.error(entry.at, message, "write `{ loop: off }`");
            }
            return Vec::new();
        };
        if gates.is_empty() {
            let message = format!("`{}` in `{name}` names no gate", shorten(&entry.key));
            self.warn(entry.at, message, "remove it, or say which gate");
        }
        let mut out = Vec::new();
        for gate in gates {
            let Some(id) = self.gate(name, &gate.key, gate.at) else {
                continue;
            };
            let path = format!("{name}.{}.{id}", shorten(&entry.key));
            if let Some(Value::Mode(mode)) = self.value(&path, crate::keys::Type::Mode, &gate.value) {
                out.push((id, mode, gate.value.at));
            }
        }
        out
    }

    fn gate(&mut self, name: &str, key: &str, at: At) -> Option<&'static str> {
        let written = crate::keys::canonical_section(key).unwrap_or(key);
        let found = TOOL_GATES.into_iter().find(|gate| *gate == written);
        if found.is_none() {
            if RESERVED.contains(&key) {
                let message =
                    format!("`{key}` in `{name}` has no effect: this version does not have the gate");
                self.warn(at, message, "keep it for a later version, or remove it");
            } else if SECTIONS.iter().any(|s| s.id == written) {
                let message =
                    format!("`{key}` in `{name}`: this gate looks at the end of a turn, not at tool calls");
                self.error(at, message, format!("gates that do: {}", TOOL_GATES.join(", ")));
            } else {
                let message = format!("unknown gate `{}` in `{name}`", shorten(key));
                self.error(at, message, did_you_mean(key, &TOOL_GATES));
            }
        }
        found
    }
}
