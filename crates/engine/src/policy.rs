//! The policy in force: parsed when the files are new, otherwise taken from the state folder.

use crate::Surroundings;
use crate::engine::no_policy;
use proctor_kernel::Digest;
use proctor_ledger::Store;
use proctor_policy::{LastGood, Settings, Sources, choose, digest_of, resolve};
use serde::{Deserialize, Serialize};
use std::path::Path;

const FILE: &str = "policy.json";

/// The policy in force.
pub(crate) struct Policy {
    pub(crate) settings: Settings,
    pub(crate) digest: Digest,
    /// What the user must hear about the files.
    pub(crate) note: Option<String>,
}

/// The last resolved policy, as the state folder keeps it: a cache for the hook path, and the last
/// good policy for the day on which a file is broken.
#[derive(Serialize, Deserialize)]
struct Stored {
    digest: Digest,
    settings: Settings,
    note: Option<String>,
    good: Option<LastGood>,
}

/// Reads the policy files that count here. `--policy DIR` replaces all layers but the built-in one.
pub(crate) fn sources(surroundings: &Surroundings, root: Option<&Path>) -> Sources {
    match &surroundings.policy {
        Some(dir) => Sources::read_policy_dir(dir),
        None => {
            let project = root.unwrap_or(&surroundings.cwd).join(".proctor");
            Sources::read(surroundings.user_policy.as_deref(), Some(&project))
        }
    }
}

/// Loads the policy. Never fails: see [`choose`].
pub(crate) fn load(surroundings: &Surroundings, root: Option<&Path>, store: Option<&Store>) -> Policy {
    let sources = sources(surroundings, root);
    let absent = sources.user.is_none() && sources.project.is_none() && sources.local.is_none();
    if absent && sources.unreadable.is_empty() {
        return Policy { settings: Settings::default(), digest: no_policy(), note: None };
    }
    let digest = digest_of(&sources);
    let stored: Option<Stored> = store.and_then(|s| s.read_json(FILE).ok().flatten());
    if let Some(stored) = stored.as_ref().filter(|s| s.digest == digest) {
        return Policy { settings: stored.settings.clone(), digest, note: stored.note.clone() };
    }
    let resolved = resolve(&sources);
    let good = stored.and_then(|s| s.good);
    let choice = choose(&resolved, good.as_ref());
    let stored = Stored {
        digest: digest.clone(),
        settings: choice.settings.clone(),
        note: choice.note.clone(),
        good: choice.good,
    };
    if let Some(store) = store {
        // A cache that cannot be written costs the next call a little time, nothing else.
        let _ = store.write_json(FILE, &stored);
    }
    Policy { settings: choice.settings, digest, note: choice.note }
}
