//! Proctor's configuration: layers, origins, validation, presets and the resolved settings of every gate.

mod keys;
mod last_good;
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
mod value;
mod yaml;

pub use last_good::{Choice, LastGood, choose};
pub use problem::{Problem, Severity, Snippet};
pub use reference::reference;
pub use resolve::{Origin, Reserved, Resolved, looser_keys, resolve};
pub use schema::schema;
pub use settings::{
    Budget, DelegationSettings, Preset, ResponseSettings, ReviewLevel, ReviewSettings, ScopeSettings,
    Settings, TodoSettings, Verification,
};
pub use show::{ShowRow, show, show_json};
pub use sources::{Layer, MAX_FILE, SourceFile, Sources, Unreadable, digest_of};
