//! Proctor's configuration: layers, origins, validation, presets and the resolved settings of every gate.

mod settings;

pub use settings::{
    Budget, DelegationSettings, Preset, ResponseSettings, ReviewLevel, ReviewSettings, ScopeSettings, Settings,
    TodoSettings, Verification,
};
