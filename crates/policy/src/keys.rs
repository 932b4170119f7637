//! The one table of keys: name, type, range, default, direction of tightening and meaning. The reader,
//! the layering, `proctor config show` and the reference page all follow it.

use crate::settings::{Preset, ReviewLevel, Settings, Verification};
use proctor_kernel::{Mode, OnError};

/// A value of a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Preset(Preset),
    Mode(Mode),
    OnError(OnError),
    Level(ReviewLevel),
    Flag(bool),
    Ratio(f64),
    /// `None`: no limit of its own.
    Count(Option<u64>),
    List(Vec<String>),
    Checks(Vec<Verification>),
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Type {
    Preset,
    Mode,
    OnError,
    Level,
    Flag,
    Ratio,
    Count {
        min: u64,
        max: u64,
    },
    /// Words that the `response` gate looks for.
    Patterns,
    /// Words that the `response` gate leaves alone.
    Terms,
    Globs,
    Checks,
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
    /// Any change counts as looser.
    Fixed,
}

impl Direction {
    /// Whether `new` is looser than `floor`.
    pub(crate) fn looser(self, new: &Value, floor: &Value) -> bool {
        match (self, new, floor) {
            (Self::Up, new, floor) => new.rank() < floor.rank(),
            (Self::Down, new, floor) => new.rank() > floor.rank(),
            (Self::Adding, Value::List(new), Value::List(floor)) => floor.iter().any(|e| !new.contains(e)),
            (Self::AddingLoosens, Value::List(new), Value::List(floor)) => {
                new.iter().any(|e| !floor.contains(e))
            }
            (Self::Fixed | Self::Adding | Self::AddingLoosens, new, floor) => new != floor,
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
            Self::Flag(v) => f64::from(u8::from(*v)),
            Self::Ratio(v) => *v,
            // Counts are limited to 10^9, far below where a float loses whole numbers.
            Self::Count(v) => v.map_or(f64::INFINITY, |v| v as f64),
            Self::List(_) | Self::Checks(_) => 0.0,
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
            Self::Level => &["text", "witnessed", "rerun", "tamper"],
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
        self.takes == Type::Mode
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
        id: "delegation",
        alias: None,
        doc: "Checks the prompt that starts a subagent: does it have the six sections of a delegation?",
    },
];

/// Sections of gates that later versions have. They are accepted, so that one file serves several
/// versions, and every use is answered with a warning.
pub(crate) const RESERVED: &[&str] = &[
    "approval",
    "protect",
    "rules",
    "approve_tool",
    "workflow",
    "loop",
    "checks",
];

/// Keys that nothing of this version reads: they are accepted with a warning and shown as inactive.
/// Whoever reads one takes it from this list.
pub(crate) const NOT_READ: &[&str] = &[
    "enforcement.budget.tokens",
    "enforcement.budget.seconds",
    "verification",
];

macro_rules! key {
    ($path:literal, $takes:expr, $direction:ident, $variant:ident, $($field:ident).+, $doc:literal) => {
        Key {
            path: $path,
            takes: $takes,
            direction: Direction::$direction,
            get: |s| Value::$variant(s.$($field).+.clone()),
            set: |s, v| if let Value::$variant(v) = v { s.$($field).+ = v; },
            doc: $doc,
        }
    };
    (count $path:literal, $min:literal ..= $max:literal, $direction:ident, $($field:ident).+, $doc:literal) => {
        Key {
            path: $path,
            takes: Type::Count { min: $min, max: $max },
            direction: Direction::$direction,
            get: |s| Value::Count(Some(s.$($field).+.into())),
            set: |s, v| if let Value::Count(Some(v)) = v { s.$($field).+ = v.try_into().unwrap_or(s.$($field).+); },
            doc: $doc,
        }
    };
    (limit $path:literal, $min:literal ..= $max:literal, $($field:ident).+, $doc:literal) => {
        Key {
            path: $path,
            takes: Type::Count { min: $min, max: $max },
            direction: Direction::Down,
            get: |s| Value::Count(s.$($field).+.map(Into::into)),
            set: |s, v| if let Value::Count(v) = v { s.$($field).+ = v.and_then(|v| v.try_into().ok()); },
            doc: $doc,
        }
    };
}

/// Every key of a policy file but `version`.
pub(crate) static KEYS: &[Key] = &[
    key!(
        "preset",
        Type::Preset,
        Up,
        Preset,
        preset,
        "Chooses the modes of all gates. A key that any layer names wins over it."
    ),
    key!(
        "enforcement.enabled",
        Type::Flag,
        Up,
        Flag,
        enabled,
        "The master switch. `false`: no gate runs at all."
    ),
    key!(count "enforcement.budget.retries", 0..=20, Down, budget.retries,
        "Retries after a refused text, for all gates of a task together. The rejection after the last retry ends in a fallback, never in a loop."),
    key!(count "enforcement.budget.review_attempts", 1..=20, Down, budget.review_attempts,
        "Rejected reviews, or blocked stops without progress, after which the task is escalated to a human."),
    key!(count "enforcement.budget.tokens", 1..=1_000_000_000, Down, budget.tokens,
        "Tokens that a task may use."),
    key!(count "enforcement.budget.seconds", 1..=2_592_000, Down, budget.seconds,
        "Seconds that a task may take."),
    key!(
        "enforcement.response.mode",
        Type::Mode,
        Up,
        Mode,
        response.mode,
        "Mode for texts that another agent reads."
    ),
    key!(
        "enforcement.response.on_error",
        Type::OnError,
        Up,
        OnError,
        response.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(
        "enforcement.response.flattery_threshold",
        Type::Ratio,
        Down,
        Ratio,
        response.threshold,
        "Highest allowed share of filler in the prose of a text that another agent reads, 0 to 1; a text exactly at it passes."
    ),
    key!(limit "enforcement.response.max_retries", 0..=20, response.max_retries,
        "Lowers `budget.retries` for this gate."),
    key!(limit "enforcement.response.distinct_limit", 1..=100, response.distinct_limit,
        "Refuses a text with at least this many distinct kinds of praise even when their share is below the threshold."),
    key!(
        "enforcement.response.human_facing.mode",
        Type::Mode,
        Up,
        Mode,
        response.human_mode,
        "Mode for texts that a person reads."
    ),
    key!(
        "enforcement.response.human_facing.threshold",
        Type::Ratio,
        Down,
        Ratio,
        response.human_threshold,
        "As `flattery_threshold`, for texts that a person reads."
    ),
    key!(
        "enforcement.response.patterns.korean",
        Type::Patterns,
        Adding,
        List,
        response.korean,
        "Words and phrases that count as praise, besides the built-in ones. Of a regular expression only the literal words count."
    ),
    key!(
        "enforcement.response.patterns.english",
        Type::Patterns,
        Adding,
        List,
        response.english,
        "The same in English; upper and lower case are alike."
    ),
    key!(
        "enforcement.response.allow",
        Type::Terms,
        AddingLoosens,
        List,
        response.allow,
        "Terms that are never praise, such as `perfect hash`."
    ),
    key!(
        "enforcement.review.mode",
        Type::Mode,
        Up,
        Mode,
        review.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.review.on_error",
        Type::OnError,
        Up,
        OnError,
        review.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(
        "enforcement.review.level",
        Type::Level,
        Up,
        Level,
        review.level,
        "How strong the evidence for an approval must be. This version has `text`: the approval must report a verification. The higher levels are accepted with a warning."
    ),
    key!(
        "enforcement.review.require_evidence",
        Type::Flag,
        Up,
        Flag,
        review.require_evidence,
        "`false` lets approvals without evidence pass."
    ),
    key!(limit "enforcement.review.downgrade_after_retries", 0..=20, review.downgrade_after_retries,
        "Lowers `budget.retries` for this gate: after that many retries without evidence APPROVE becomes NEEDS_REVIEW."),
    key!(
        "enforcement.scope.mode",
        Type::Mode,
        Up,
        Mode,
        scope.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.scope.on_error",
        Type::OnError,
        Up,
        OnError,
        scope.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(count "enforcement.scope.violation_threshold", 1..=10_000, Down, scope.violation_threshold,
        "From this many unexpected files on, the severity is NEEDS_REVIEW instead of WARNING."),
    key!(
        "enforcement.scope.allow",
        Type::Globs,
        AddingLoosens,
        List,
        scope.allow,
        "Globs of files that are in the scope of every task, such as `Cargo.lock`."
    ),
    key!(
        "enforcement.todo.mode",
        Type::Mode,
        Up,
        Mode,
        todo.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.todo.on_error",
        Type::OnError,
        Up,
        OnError,
        todo.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(
        "enforcement.todo.reminder_on_incomplete",
        Type::Flag,
        Up,
        Flag,
        todo.reminder_on_incomplete,
        "`false` tracks the items without reminding the agent."
    ),
    key!(
        "enforcement.delegation.mode",
        Type::Mode,
        Up,
        Mode,
        delegation.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.delegation.on_error",
        Type::OnError,
        Up,
        OnError,
        delegation.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(
        "verification",
        Type::Checks,
        Fixed,
        Checks,
        verification,
        "What a passing verification is in this project: a list of `name`, `run` and, optionally, `kind` (`tests`, `build`, `types`, `lint` or a word of your own)."
    ),
];

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
