//! The one table of keys: name, type, range, default, direction of tightening and meaning. The reader,
//! the layering, `proctor config show` and the reference page all follow it.

mod table;

pub(crate) use table::KEYS;

use crate::settings::{
    Boundary, DriftMethod, EmbedderKind, Pattern, Preset, Require, ReviewLevel, Settings, Verification,
};
use crate::tools::{self, ToolMode};
use proctor_kernel::{Mode, OnError};

/// A value of a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Preset(Preset),
    Mode(Mode),
    OnError(OnError),
    Level(ReviewLevel),
    Require(Require),
    Method(DriftMethod),
    Embedder(EmbedderKind),
    Text(String),
    Flag(bool),
    Ratio(f64),
    /// `None`: no limit of its own.
    Count(Option<u64>),
    List(Vec<String>),
    Patterns(Vec<Pattern>),
    Boundary(Boundary),
    Checks(Vec<Verification>),
    Tools(Vec<ToolMode>),
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Type {
    Preset,
    Mode,
    OnError,
    Level,
    Require,
    Method,
    Embedder,
    /// Words of any kind on one line.
    Text,
    Flag,
    Ratio,
    Count {
        min: u64,
        max: u64,
    },
    /// What becomes of a share exactly at the threshold.
    Boundary,
    /// Words that the `response` gate looks for.
    Patterns,
    /// Words that the `response` gate leaves alone.
    Terms,
    Globs,
    /// Programs, by path or digest.
    Programs,
    /// Models, by the names that a host takes.
    Models,
    Checks,
    /// Modes of gates by tool.
    Tools,
}

/// Which change of a key makes Proctor stricter. A layer that is bound by another may only go that way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// A higher value is stricter; words are ordered as printed in [`Type::words`].
    Up,
    /// A lower value is stricter; no value at all is the loosest.
    Down,
    /// A list that layers add to, and every entry makes it stricter.
    Adding,
    /// A list that layers add to, and every entry makes it looser.
    AddingLoosens,
    /// Each layer has its own, and those that are bound count only where they are stricter.
    Layered,
    /// Any change counts as looser: more retries burn more tokens, and fewer let an agent go sooner.
    Fixed,
    /// Only the user's own file may set it: it says where texts or keys are sent or what is started, and
    /// that is not for a repository to say.
    Own,
}

impl Direction {
    /// Whether `new` is looser than `floor`.
    pub(crate) fn looser(self, new: &Value, floor: &Value) -> bool {
        match (self, new, floor) {
            (Self::Up, new, floor) => new.rank() < floor.rank(),
            (Self::Down, new, floor) => new.rank() > floor.rank(),
            (Self::Adding, Value::List(new), Value::List(floor)) => floor.iter().any(|e| !new.contains(e)),
            // A pattern that decides is no looser for losing its examples, or for being listed once more.
            (Self::Adding, Value::Patterns(new), Value::Patterns(floor)) => floor.iter().any(|old| {
                !new.iter()
                    .any(|n| n.pattern == old.pattern && n.confidence as u8 >= old.confidence as u8)
            }),
            (Self::AddingLoosens, Value::List(new), Value::List(floor)) => {
                new.iter().any(|e| !floor.contains(e))
            }
            (Self::Layered, Value::Tools(new), Value::Tools(floor)) => tools::looser(new, floor),
            (Self::Fixed | Self::Own | Self::Adding | Self::AddingLoosens | Self::Layered, new, floor) => {
                new != floor
            }
        }
    }
}

impl Value {
    /// The value as a number on the scale of its key.
    fn rank(&self) -> f64 {
        match self {
            Self::Preset(v) => f64::from(*v as u8),
            Self::Mode(v) => f64::from(*v as u8),
            Self::OnError(v) => match v {
                OnError::Allow => 0.0,
                OnError::Ask => 1.0,
                OnError::Block => 2.0,
            },
            Self::Level(v) => f64::from(*v as u8),
            Self::Require(v) => f64::from(*v as u8),
            Self::Flag(v) => f64::from(u8::from(*v)),
            Self::Ratio(v) => *v,
            // Counts are limited to 10^9, far below where a float loses whole numbers.
            Self::Count(v) => v.map_or(f64::INFINITY, |v| v as f64),
            Self::Boundary(v) => f64::from(*v as u8),
            Self::List(_)
            | Self::Patterns(_)
            | Self::Checks(_)
            | Self::Tools(_)
            | Self::Method(_)
            | Self::Embedder(_)
            | Self::Text(_) => 0.0,
        }
    }
}

impl Type {
    /// The words a key takes, loosest first where they have an order.
    pub(crate) fn words(self) -> &'static [&'static str] {
        match self {
            Self::Preset => &["observe", "standard", "strict"],
            Self::Mode => &["off", "observe", "warn", "enforce"],
            Self::OnError => &["allow", "ask", "block"],
            Self::Boundary => &["pass", "reject"],
            Self::Level => &["text", "witnessed", "rerun", "tamper"],
            Self::Require => &["never", "claims", "paths", "changes"],
            Self::Method => &["lexical", "cosine"],
            Self::Embedder => &["lexical", "file", "endpoint"],
            _ => &[],
        }
    }
}

/// One row of the table.
pub(crate) struct Key {
    /// Dotted path in the policy file, under its first name.
    pub(crate) path: &'static str,
    pub(crate) takes: Type,
    pub(crate) direction: Direction,
    pub(crate) get: fn(&Settings) -> Value,
    /// Takes what `get` of the same row gives; anything else is ignored.
    pub(crate) set: fn(&mut Settings, Value),
    /// What it does, for the reference page and the schema: full sentences.
    pub(crate) doc: &'static str,
}

impl Key {
    /// Whether presets choose the value.
    pub(crate) fn is_preset_driven(&self) -> bool {
        matches!(self.takes, Type::Mode | Type::Level | Type::Require)
            || self.path == "enforcement.delegation.on_error"
    }

    /// Whether the value has an effect in this version.
    pub(crate) fn is_read(&self) -> bool {
        !NOT_READ.contains(&self.path)
    }

    /// Whether the key has no value unless somebody gives it one.
    pub(crate) fn may_be_unset(&self) -> bool {
        (self.get)(&Settings::default()) == Value::Count(None)
    }
}

/// A gate's section and the other name that it is accepted under.
pub(crate) struct Section {
    pub(crate) id: &'static str,
    pub(crate) alias: Option<&'static str>,
    pub(crate) doc: &'static str,
}

/// The gates' sections under `enforcement`, in the order of the reference page.
pub(crate) const SECTIONS: &[Section] = &[
    Section {
        id: "response",
        alias: Some("response_validator"),
        doc: "Sends back texts with too large a share of flattery, self-praise, filler and empty confirmation.",
    },
    Section {
        id: "review",
        alias: Some("review_gate"),
        doc: "Refuses an approval that reports no verification.",
    },
    Section {
        id: "scope",
        alias: Some("scope_guard"),
        doc: "Compares the changed files with those that the task's EXPECTED OUTCOME names.",
    },
    Section {
        id: "todo",
        alias: Some("todo_tracker"),
        doc: "Keeps the items of EXPECTED OUTCOME in sight until they are done.",
    },
    Section {
        id: "drift",
        alias: None,
        doc: "Notices when the last texts of an agent bring nothing new: the same again, in other words, or in a circle.",
    },
    Section {
        id: "delegation",
        alias: None,
        doc: "Checks the prompt that starts a subagent: does it have the six sections of a delegation? What it praises, approves or claims beside its orders is told to the agent, where the gate of such words (`response`, `review`, `approval`) does more than observe, and refuses nothing.",
    },
    Section {
        id: "approval",
        alias: None,
        doc: "Compares what the end of a turn claims with what was witnessed, and asks for a review where the policy wants one.",
    },
    Section {
        id: "loop",
        alias: None,
        doc: "Notices the same action with the same outcome on the same tree, again and again.",
    },
];

/// Sections of gates that later versions have. They are accepted, so that one file serves several
/// versions, and every use is answered with a warning.
pub(crate) const RESERVED: &[&str] = &["protect", "rules", "approve_tool", "workflow", "checks"];

/// Keys that nothing of this version reads: they are accepted with a warning and shown as inactive.
/// Whoever reads one takes it from this list.
pub(crate) const NOT_READ: &[&str] = &[];

/// The place of a key in [`KEYS`].
pub(crate) fn index_of(path: &str) -> Option<usize> {
    KEYS.iter().position(|key| key.path == path)
}

/// The names that may stand under a path, first names only.
pub(crate) fn children(prefix: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for key in KEYS {
        let rest = if prefix.is_empty() {
            Some(key.path)
        } else {
            key.path
                .strip_prefix(prefix)
                .and_then(|rest| rest.strip_prefix('.'))
        };
        if let Some(name) = rest.and_then(|rest| rest.split('.').next())
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// The first name of a section that is written under its alias.
pub(crate) fn canonical_section(name: &str) -> Option<&'static str> {
    SECTIONS.iter().find(|s| s.alias == Some(name)).map(|s| s.id)
}
