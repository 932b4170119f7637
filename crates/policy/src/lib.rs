//! Proctor's configuration: layers, origins, validation, presets and the resolved settings of every gate.
//!
//! [`Sources`] are the files as bytes, [`resolve`] merges them ([`examine`] also tries the user's patterns), [`choose`] decides what to work with when
//! one of them is broken, and [`digest_of`] tells without parsing whether stored settings still hold.
//! The keys, their ranges and which way is stricter stand in one table, `keys/table.rs`.
//!
//! ```
//! use proctor_policy::{SourceFile, Sources, choose, resolve};
//!
//! let bytes = b"enforcement:\n  response:\n    flatery_threshold: 0.3\n".to_vec();
//! let project = SourceFile { path: ".proctor/proctor.yaml".to_owned(), bytes };
//! let resolved = resolve(&Sources { project: Some(project), ..Sources::default() });
//! let [problem] = &resolved.problems[..] else { unreachable!() };
//! assert_eq!(problem.place(), ".proctor/proctor.yaml:3:5");
//! assert_eq!(problem.suggestion.as_deref(), Some("did you mean `flattery_threshold`?"));
//! // The wrong key costs nothing else, and the user hears of it.
//! let choice = choose(&resolved, None);
//! assert_eq!(choice.settings.response.threshold, 0.2);
//! assert!(choice.note.is_some());
//! ```

mod entries;
mod held;
mod keys;
mod last_good;
mod layering;
mod patterns;
mod problem;
mod read;
mod reference;
mod resolve;
mod schema;
mod settings;
mod show;
mod sources;
mod suggest;
#[cfg(test)]
mod tests;
mod tools;
mod value;
mod words;
mod yaml;

pub use held::hold;
pub use last_good::{Choice, LastGood, choose, pattern_note};
pub use problem::{Problem, Severity, Snippet};
pub use reference::{reference, terms_reference};
pub use resolve::{Origin, Reserved, Resolved, examine, looser_keys, resolve};
pub use schema::schema;
pub use settings::{
    ApprovalSettings, Boundary, Budget, Confidence, DelegationSettings, DriftMethod, DriftSettings,
    EmbedderKind, EmbedderSettings, LoopSettings, Pattern, Preset, Require, ResponseSettings, ReviewLevel,
    ReviewSettings, ScopeSettings, Settings, TodoSettings, Verification,
};
pub use show::{ShowRow, show, show_json};
pub use sources::{Layer, MAX_FILE, SourceFile, Sources, Unreadable, digest_of};
pub use tools::{TOOL_GATES, ToolMode};
