//! The resolved settings: plain data, complete, without origins. Gates and engine read only these.

use crate::tools::ToolMode;
use proctor_kernel::{Mode, OnError};
use serde::{Deserialize, Serialize};

/// Everything that the engine and the gates need to know, with all layers merged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The master switch: `false` means that no gate runs at all.
    pub enabled: bool,
    /// Which preset the modes started from.
    pub preset: Preset,
    /// Retry and attempt limits.
    pub budget: Budget,
    /// Gate `response`.
    pub response: ResponseSettings,
    /// Gate `review`.
    pub review: ReviewSettings,
    /// Gate `scope`.
    pub scope: ScopeSettings,
    /// Gate `todo`.
    pub todo: TodoSettings,
    /// Gate `delegation`.
    pub delegation: DelegationSettings,
    /// Gate `drift`.
    pub drift: DriftSettings,
    /// Gate `approval`.
    pub approval: ApprovalSettings,
    /// Gate `loop`.
    pub r#loop: LoopSettings,
    /// Modes of gates for single tools; see [`Settings::mode_for`].
    #[serde(default)]
    pub tools: Vec<ToolMode>,
    /// What a passing verification is in this project.
    pub verification: Vec<Verification>,
}

/// A set of modes for all gates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Everything is recorded, nothing is said or blocked.
    Observe,
    /// Gates with a measured false-positive rate enforce; the others warn.
    #[default]
    Standard,
    /// Everything enforces.
    Strict,
}

impl Preset {
    /// All presets, loosest first.
    pub const ALL: [Self; 3] = [Self::Observe, Self::Standard, Self::Strict];

    /// The word used in policy files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Standard => "standard",
            Self::Strict => "strict",
        }
    }
}

/// Limits that hold for all gates of a task together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Retries after a refused text; the rejection after the last one ends in a fallback, never in a loop.
    pub retries: u32,
    /// Rejected reviews, or stop blocks without progress, after which the task is escalated.
    pub review_attempts: u32,
    /// Tokens that a task may use.
    pub tokens: u64,
    /// Seconds that a task may take.
    pub seconds: u64,
}

/// Gate `response` (also accepted as `response_validator`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResponseSettings {
    /// Mode for agent-to-agent texts.
    pub mode: Mode,
    /// Mode for texts that a person reads.
    pub human_mode: Mode,
    /// What its failure is answered with.
    pub on_error: OnError,
    /// Highest allowed share of filler prose in agent-to-agent texts, 0 to 1; the boundary passes.
    pub threshold: f64,
    /// The same for texts that a person reads.
    pub human_threshold: f64,
    /// Lowers the common retry budget for this gate; `None` keeps it.
    pub max_retries: Option<u32>,
    /// Rejects a text with at least this many distinct kinds of praise even below the threshold.
    pub distinct_limit: Option<u32>,
    /// Whether a text exactly at the threshold passes.
    #[serde(default)]
    pub boundary: Boundary,
    /// The user's own patterns, Korean.
    pub korean: Vec<Pattern>,
    /// The user's own patterns, English.
    pub english: Vec<Pattern>,
    /// Terms that are never praise, such as `perfect hash`.
    pub allow: Vec<String>,
}

impl ResponseSettings {
    /// Whether a share is too large for a threshold. The tolerance only absorbs the rounding of a division.
    #[must_use]
    pub fn exceeds(&self, share: f64, threshold: f64) -> bool {
        match self.boundary {
            Boundary::Pass => share > threshold + 1e-9,
            // Nothing at all is never too much.
            Boundary::Reject => share > threshold - 1e-9 && share > 0.0,
        }
    }

    /// The user's own patterns of one confidence, in both languages.
    pub fn patterns(&self, confidence: Confidence) -> impl Iterator<Item = &str> {
        self.korean
            .iter()
            .chain(&self.english)
            .filter(move |p| p.confidence == confidence)
            .map(|p| p.pattern.as_str())
    }
}

/// What becomes of a text whose share is exactly at the threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Boundary {
    /// It passes.
    #[default]
    Pass,
    /// It is rejected.
    Reject,
}

impl Boundary {
    /// The word used in policy files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Reject => "reject",
        }
    }
}

/// How sure a pattern is praise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Only sometimes: it is found and counted, and decides nothing.
    Low,
    /// Where it is said, it is praise.
    #[default]
    High,
}

/// A pattern of the user's own: a word, a stem, a phrase, or a regular expression between slashes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Pattern {
    /// The pattern as written.
    pub pattern: String,
    /// Texts that it must match.
    pub matches: Vec<String>,
    /// Texts that it must not match.
    pub not_match: Vec<String>,
    /// Whether it decides.
    pub confidence: Confidence,
}

impl<S: Into<String>> From<S> for Pattern {
    fn from(pattern: S) -> Self {
        Self {
            pattern: pattern.into(),
            ..Self::default()
        }
    }
}

/// A pattern as a file has it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Full {
        pattern: String,
        #[serde(default, rename = "match", skip_serializing_if = "Vec::is_empty")]
        matches: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        not_match: Vec<String>,
        #[serde(default)]
        confidence: Confidence,
    },
}

impl From<Written> for Pattern {
    fn from(written: Written) -> Self {
        match written {
            Written::Text(text) => text.into(),
            Written::Full {
                pattern,
                matches,
                not_match,
                confidence,
            } => Self {
                pattern,
                matches,
                not_match,
                confidence,
            },
        }
    }
}

impl From<Pattern> for Written {
    fn from(p: Pattern) -> Self {
        if p == Pattern::from(p.pattern.clone()) {
            return Self::Text(p.pattern);
        }
        Self::Full {
            pattern: p.pattern,
            matches: p.matches,
            not_match: p.not_match,
            confidence: p.confidence,
        }
    }
}

/// How strong the evidence for an approval must be.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ReviewLevel {
    /// The text must report a verification.
    Text,
    /// A hook must have seen the verification run.
    Witnessed,
    /// Proctor itself runs the verification again.
    Rerun,
    /// As `rerun`, and the tests must not have been weakened.
    Tamper,
}

impl ReviewLevel {
    /// The word used in policy files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Witnessed => "witnessed",
            Self::Rerun => "rerun",
            Self::Tamper => "tamper",
        }
    }

    /// The level with this name.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Text, Self::Witnessed, Self::Rerun, Self::Tamper]
            .into_iter()
            .find(|level| level.as_str() == word)
    }
}

/// What the end of a turn needs before the agent may go. Loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Require {
    /// Nothing.
    Never,
    /// A claimed verification needs a fact of its kind; a claimed completion needs the project's own
    /// `verification`, where it has one.
    Claims,
    /// As `claims`, and a change of the given paths needs an approved review.
    Paths,
    /// As `claims`, and any change since the task began needs an approved review.
    Changes,
}

impl Require {
    /// The word used in policy files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Claims => "claims",
            Self::Paths => "paths",
            Self::Changes => "changes",
        }
    }
}

/// Gate `approval`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ApprovalSettings {
    /// Its mode.
    pub mode: Mode,
    /// What its failure is answered with.
    pub on_error: OnError,
    /// What the end of a turn needs.
    pub require: Require,
    /// Globs of files whose change needs an approved review, for `require: paths`.
    pub paths: Vec<String>,
    /// Globs of files whose change needs a second reviewer of another model.
    pub high_stakes: Vec<String>,
    /// The stop gate starts the reviewer itself.
    pub launch_reviewer: bool,
    /// The model that a launched reviewer uses; empty: the host's own choice.
    pub reviewer_model: String,
    /// The model of the second reviewer; empty: none is launched.
    pub second_model: String,
    /// The models of several reviewers; with fewer than two [`Self::reviewer_model`] is asked.
    pub models: Vec<String>,
    /// How many of them have to approve; 0: all.
    pub agree: u32,
    /// The programs that may be started as reviewers, by path or digest; empty: any outside the repository.
    pub reviewer_programs: Vec<String>,
    /// Approvals and releases count only when they are signed.
    pub signed: bool,
    /// The file with the allowed signers, absolute or beside the user's policy file.
    pub signers: String,
    /// Recognised verification commands are rewritten to `proctor run-check`.
    pub rewrite: bool,
    /// Seconds after which a launched reviewer is ended.
    pub reviewer_seconds: u64,
}

impl ApprovalSettings {
    /// How many different models have to approve, whatever changed.
    #[must_use]
    pub fn models_needed(&self) -> usize {
        let all = self.models.len().max(1);
        match usize::try_from(self.agree).unwrap_or(usize::MAX) {
            0 => all,
            some => some.min(all),
        }
    }
}

/// Gate `loop`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopSettings {
    /// Its mode.
    pub mode: Mode,
    /// What its failure is answered with.
    pub on_error: OnError,
    /// From this many repetitions on the agent is told.
    pub nudge: u32,
    /// From this many repetitions on that very call is refused.
    pub block: u32,
    /// From this many repetitions on the task is given to a human.
    pub trip: u32,
    /// Tools that may repeat as often as they like.
    pub exempt: Vec<String>,
}

/// Gate `review` (also accepted as `review_gate`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewSettings {
    /// Its mode.
    pub mode: Mode,
    /// What its failure is answered with.
    pub on_error: OnError,
    /// How strong the evidence must be.
    pub level: ReviewLevel,
    /// `false` lets approvals without evidence pass.
    pub require_evidence: bool,
    /// Lowers the common retry budget for this gate; `None` keeps it.
    pub downgrade_after_retries: Option<u32>,
    /// Seconds after which a check that Proctor runs itself is ended.
    pub rerun_seconds: u64,
}

/// Gate `scope` (also accepted as `scope_guard`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScopeSettings {
    /// Its mode.
    pub mode: Mode,
    /// What its failure is answered with.
    pub on_error: OnError,
    /// From this many unexpected files on, the severity is `NEEDS_REVIEW`.
    pub violation_threshold: u32,
    /// Globs that are in scope of every task.
    pub allow: Vec<String>,
}

/// Gate `todo` (also accepted as `todo_tracker`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TodoSettings {
    /// Its mode.
    pub mode: Mode,
    /// What its failure is answered with.
    pub on_error: OnError,
    /// `false` tracks the items without reminding; mode `enforce` holds the end of a turn all the same.
    pub reminder_on_incomplete: bool,
}

/// Gate `delegation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DelegationSettings {
    /// Its mode.
    pub mode: Mode,
    /// What its failure is answered with.
    pub on_error: OnError,
}

/// Gate `drift`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriftSettings {
    /// Its mode.
    pub mode: Mode,
    /// What its failure is answered with.
    pub on_error: OnError,
    /// How many of an agent's latest texts are compared.
    pub remember: u32,
    /// How a repetition is seen.
    pub method: DriftMethod,
    /// Method `cosine`: above this cosine two texts say the same.
    pub threshold: f64,
    /// Method `cosine`: how many of the last texts must say the same.
    pub last: u32,
    /// Method `cosine`: what turns a text into a vector.
    pub embedder: EmbedderSettings,
}

/// How the `drift` gate sees a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DriftMethod {
    /// By what the texts name: objects, figures, actions, outcomes.
    Lexical,
    /// By the cosine between embeddings of the texts.
    Cosine,
}

impl DriftMethod {
    /// The word used in policy files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::Cosine => "cosine",
        }
    }
}

/// What turns a text into a vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedderSettings {
    /// Which one.
    pub kind: EmbedderKind,
    /// Kind `file`: the folder of a static model.
    pub path: String,
    /// Kind `endpoint`: the base URL.
    pub url: String,
    /// Kind `endpoint`: the model's name.
    pub model: String,
    /// Kind `endpoint`: the environment variable that holds the key; empty for none.
    pub key_env: String,
    /// Kind `endpoint`: time for the whole exchange, in milliseconds.
    pub timeout_ms: u64,
    /// Whether method `lexical` takes over when the embedder fails; otherwise the gate could not run.
    pub fallback: bool,
}

/// Kinds of embedders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmbedderKind {
    /// Built in: hashed words and letter groups.
    Lexical,
    /// A static model in a local folder.
    File,
    /// An OpenAI-compatible embeddings endpoint.
    Endpoint,
}

impl EmbedderKind {
    /// The word used in policy files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::File => "file",
            Self::Endpoint => "endpoint",
        }
    }
}

/// A command whose success is a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// Its name, for messages.
    pub name: String,
    /// The command line.
    pub run: String,
    /// What it verifies: `tests`, `build`, `types`, `lint`, or a word of the project's own.
    #[serde(default)]
    pub kind: Option<String>,
}

impl Settings {
    /// The built-in settings of a preset.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        let pick = |observe, standard, strict| match preset {
            Preset::Observe => observe,
            Preset::Standard => standard,
            Preset::Strict => strict,
        };
        let business = pick(Mode::Observe, Mode::Warn, Mode::Enforce);
        Self {
            enabled: true,
            preset,
            budget: Budget {
                retries: 2,
                review_attempts: 3,
                tokens: 50_000,
                seconds: 1_800,
            },
            response: ResponseSettings {
                mode: pick(Mode::Observe, Mode::Enforce, Mode::Enforce),
                human_mode: pick(Mode::Observe, Mode::Observe, Mode::Warn),
                on_error: OnError::Allow,
                threshold: 0.2,
                human_threshold: 0.4,
                max_retries: None,
                distinct_limit: None,
                boundary: Boundary::Pass,
                korean: Vec::new(),
                english: Vec::new(),
                allow: Vec::new(),
            },
            review: ReviewSettings {
                mode: pick(Mode::Observe, Mode::Enforce, Mode::Enforce),
                on_error: OnError::Block,
                level: match preset {
                    Preset::Observe => ReviewLevel::Text,
                    Preset::Standard => ReviewLevel::Witnessed,
                    Preset::Strict => ReviewLevel::Rerun,
                },
                require_evidence: true,
                downgrade_after_retries: None,
                rerun_seconds: 1_800,
            },
            scope: ScopeSettings {
                mode: business,
                on_error: OnError::Allow,
                violation_threshold: 3,
                allow: Vec::new(),
            },
            todo: TodoSettings {
                mode: business,
                on_error: OnError::Allow,
                reminder_on_incomplete: true,
            },
            delegation: DelegationSettings {
                mode: business,
                // What is delegated is gone once it is sent.
                on_error: match preset {
                    Preset::Strict => OnError::Block,
                    _ => OnError::Allow,
                },
            },
            drift: DriftSettings {
                mode: business,
                on_error: OnError::Allow,
                remember: 6,
                method: DriftMethod::Lexical,
                threshold: 0.95,
                last: 3,
                embedder: EmbedderSettings {
                    kind: EmbedderKind::Lexical,
                    path: String::new(),
                    url: String::new(),
                    model: String::new(),
                    key_env: String::new(),
                    timeout_ms: 2_000,
                    fallback: true,
                },
            },
            approval: ApprovalSettings {
                mode: pick(Mode::Observe, Mode::Enforce, Mode::Enforce),
                on_error: OnError::Block,
                require: match preset {
                    Preset::Observe => Require::Never,
                    Preset::Standard => Require::Claims,
                    Preset::Strict => Require::Changes,
                },
                paths: Vec::new(),
                high_stakes: Vec::new(),
                launch_reviewer: false,
                reviewer_model: String::new(),
                second_model: String::new(),
                models: Vec::new(),
                agree: 0,
                reviewer_programs: Vec::new(),
                signed: false,
                signers: String::new(),
                rewrite: false,
                reviewer_seconds: 600,
            },
            r#loop: LoopSettings {
                mode: pick(Mode::Observe, Mode::Enforce, Mode::Enforce),
                on_error: OnError::Allow,
                nudge: 3,
                block: 5,
                trip: 7,
                exempt: Vec::new(),
            },
            tools: Vec::new(),
            verification: Vec::new(),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::preset(Preset::Standard)
    }
}
