//! The policy in force: read and resolved anew for every event, so that nothing but the policy files
//! decides; the state folder only keeps the last good one for the day on which a file is broken.

use crate::Surroundings;
use crate::engine::no_policy;
use proctor_kernel::Digest;
use proctor_ledger::Store;
use proctor_policy::{
    LastGood, Layer, Problem, Settings, Sources, choose, digest_of, looser_keys, pattern_note, resolve,
};
use std::path::Path;

pub(crate) const FILE: &str = "policy.json";

/// The policy in force.
pub(crate) struct Policy {
    pub(crate) settings: Settings,
    pub(crate) digest: Digest,
    /// The layer that names the checks; `None` where that cannot be told.
    pub(crate) checks_from: Option<Layer>,
    /// What the user must hear about the files.
    pub(crate) note: Option<String>,
    /// A mistake in them that may hide what they ask of work before it may go.
    pub(crate) doubt: Option<String>,
    /// To be kept as the last good policy.
    pub(crate) good: LastGood,
    /// The files, to try the user's patterns when they are new.
    pub(crate) sources: Option<Sources>,
}

/// Reads the policy files that count here. `--policy DIR` replaces all layers but the built-in one.
fn sources(surroundings: &Surroundings, root: Option<&Path>) -> Sources {
    match &surroundings.policy {
        Some(dir) => Sources::read_policy_dir(dir),
        None => {
            let project = root.unwrap_or(&surroundings.cwd).join(".proctor");
            Sources::read(surroundings.user_policy.as_deref(), Some(&project))
        }
    }
}

/// The project's policy file inside the repository.
pub(crate) const PROJECT: &str = ".proctor/proctor.yaml";

/// The project's list of allowed signers inside the repository; `verify` alone reads it, from the base commit.
pub(crate) const SIGNERS: &str = ".proctor/allowed_signers";

/// Digest of the project's own policy files. They are no part of a tree's identity, so an approval says by
/// this which of them it was given under.
pub(crate) fn digest_of_project(policy: Option<&[u8]>, signers: Option<&[u8]>) -> Digest {
    let mut bytes = Vec::new();
    for part in [policy, signers] {
        let part = part.unwrap_or_default();
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    Digest::of(&bytes)
}

impl<C: crate::Clock> crate::Engine<C> {
    /// Files beside the project's policy that look like one and are none.
    pub(crate) fn stray_policy_files(&self) -> Vec<String> {
        let surroundings = &self.surroundings;
        let folder = match &surroundings.policy {
            Some(folder) => folder.clone(),
            None => {
                let root = self.repo().and_then(proctor_worktree::Repo::root);
                root.unwrap_or(&surroundings.cwd).join(".proctor")
            }
        };
        let told = |problem: proctor_policy::Problem| {
            let suggestion = problem.suggestion.unwrap_or_default();
            format!("{}: {}; {suggestion}", problem.file, problem.message)
        };
        Sources::strays(&folder).into_iter().map(told).collect()
    }

    /// Digest of the project's own policy files as they stand in the work tree; `None` outside one.
    pub fn project_digest(&self) -> Option<Digest> {
        let root = self.repo().and_then(proctor_worktree::Repo::root)?;
        let read = |name: &str| proctor_worktree::file::read(&root.join(name)).ok();
        let (policy, signers) = (read(PROJECT), read(SIGNERS));
        Some(digest_of_project(policy.as_deref(), signers.as_deref()))
    }
}

/// Loads the policy. Never fails: see [`choose`].
pub(crate) fn load(surroundings: &Surroundings, root: Option<&Path>, store: Option<&Store>) -> Policy {
    let sources = sources(surroundings, root);
    if sources.is_empty() {
        let (settings, digest) = (Settings::default(), no_policy());
        let good = LastGood {
            digest: digest.clone(),
            settings: settings.clone(),
        };
        return Policy {
            settings,
            digest,
            checks_from: Some(Layer::Builtin),
            note: None,
            doubt: None,
            good,
            sources: None,
        };
    }
    let digest = digest_of(&sources);
    let resolved = resolve(&sources);
    let last: Option<LastGood> = if resolved.broken {
        store.and_then(|s| s.read_json(FILE).ok().flatten())
    } else {
        None
    };
    // The last good policy stands in for a broken one, and does not say where its parts came from.
    let origin = resolved.origins.get("verification").filter(|_| !resolved.broken);
    let checks_from = origin.map(|o| o.layer);
    let choice = choose(&resolved, last.as_ref());
    let good = choice.good.unwrap_or_else(|| LastGood {
        digest: digest.clone(),
        settings: choice.settings.clone(),
    });
    Policy {
        settings: choice.settings,
        digest,
        checks_from,
        note: choice.note,
        doubt: resolved.doubts().next().map(in_words),
        good,
        sources: Some(sources),
    }
}

/// A problem of a policy file in one line.
pub(crate) fn in_words(problem: &Problem) -> String {
    format!("{}: {}", problem.place(), problem.message)
}

impl Policy {
    /// Whether the user's own file names the checks in force. A project that repeats them changes nothing.
    pub(crate) fn checks_are_the_users_own(&self) -> bool {
        match (self.checks_from, &self.sources) {
            (Some(Layer::User), _) => true,
            (Some(Layer::Project), Some(sources)) if sources.user.is_some() => {
                let own = Sources {
                    user: sources.user.clone(),
                    ..Sources::default()
                };
                resolve(&own).settings.verification == self.settings.verification
            }
            _ => false,
        }
    }

    /// How the policy became looser since a person last spoke: at the end of the very turn in which it did.
    pub(crate) fn loosened(&self, store: &Store) -> Option<String> {
        let kept: LastGood = store.read_json(FILE).ok().flatten()?;
        if kept.digest == self.good.digest {
            return None;
        }
        let looser = looser_keys(&self.good.settings, &kept.settings);
        let keys = looser.join(", ");
        (!looser.is_empty()).then(|| format!("the policy became looser in this turn: {keys}"))
    }

    /// Keeps the last good policy, and tells when it became looser since it was kept last. Called where a
    /// person has just spoken or a session begins, so that hooks in between write nothing.
    pub(crate) fn keep(&self, store: &Store) -> Vec<String> {
        let kept: Option<LastGood> = store.read_json(FILE).ok().flatten();
        if kept.is_none() && self.good.digest == no_policy() {
            // Nothing to fall back to but what is built in.
            return Vec::new();
        }
        if kept.as_ref().is_some_and(|k| k.digest == self.good.digest) {
            return Vec::new();
        }
        // Without the note a broken file falls back to the built-in policy; that is safe as well.
        let _ = store.write_json(FILE, &self.good);
        let looser = kept.map_or_else(Vec::new, |k| looser_keys(&self.good.settings, &k.settings));
        let looser = (!looser.is_empty()).then(|| {
            format!(
                "the policy became looser since the last session: {}",
                looser.join(", ")
            )
        });
        // Patterns are tried once for each state of the files: that takes as long as many hooks.
        let patterns = match (&self.note, &self.sources) {
            (None, Some(sources)) => pattern_note(sources),
            _ => None,
        };
        looser.into_iter().chain(patterns).collect()
    }
}
