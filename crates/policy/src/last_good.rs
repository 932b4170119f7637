//! What to do when a policy file cannot be read: enforcement goes on, and the user is told.

use crate::resolve::{Resolved, examine, raise};
use crate::settings::Settings;
use crate::sources::Sources;
use proctor_kernel::Digest;
use serde::{Deserialize, Serialize};

/// Settings kept from the last time that all files could be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastGood {
    /// Digest of the files that the settings came from.
    pub digest: Digest,
    /// The settings.
    pub settings: Settings,
}

/// The settings to work with.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The settings.
    pub settings: Settings,
    /// What the user must be told: which file is wrong, where, and what is used instead.
    pub note: Option<String>,
    /// What to keep as the last good policy from now on; that of before while a file is broken.
    pub good: Option<LastGood>,
}

/// Chooses between the policy as it is and the last good one. A file that cannot be read never disables
/// enforcement and never stops the agent: the last good settings are used, or without any the built-in
/// ones with the files that could be read. What the user's own file demands now holds in either case.
#[must_use]
pub fn choose(resolved: &Resolved, last: Option<&LastGood>) -> Choice {
    if !resolved.broken {
        let good = LastGood {
            digest: resolved.digest.clone(),
            settings: resolved.settings.clone(),
        };
        return Choice {
            settings: resolved.settings.clone(),
            note: note_of_errors(resolved),
            good: Some(good),
        };
    }
    let (settings, used) = match last {
        Some(last) => {
            let mut settings = last.settings.clone();
            raise(&mut settings, &resolved.floor);
            (settings, "the last good policy is used")
        }
        None => (
            resolved.settings.clone(),
            "the built-in policy is used, with the files that can be read",
        ),
    };
    let what = resolved
        .unusable
        .iter()
        .chain(resolved.errors())
        .next()
        .map_or_else(
            || "a policy file cannot be read".to_owned(),
            |problem| format!("{}: {}", problem.place(), problem.message),
        );
    let note = format!("Proctor policy: {what}; {used}. Run `proctor config validate`.");
    Choice {
        settings,
        note: Some(note),
        good: last.cloned(),
    }
}

/// What the user should hear of the patterns in these files, which [`resolve`](crate::resolve) does not try.
#[must_use]
pub fn pattern_note(sources: &Sources) -> Option<String> {
    let resolved = examine(sources);
    let mut errors = resolved.errors();
    let first = errors.next()?;
    let more = match errors.count() {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    Some(format!(
        "Proctor policy: {}: {}{more}. Run `proctor config validate`.",
        first.place(),
        first.message
    ))
}

fn note_of_errors(resolved: &Resolved) -> Option<String> {
    let mut errors = resolved.errors();
    let first = errors.next()?;
    let more = match errors.count() {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    let place = first.place();
    let message = &first.message;
    Some(format!(
        "Proctor policy: {place}: {message}{more}; the wrong value is not used. Run `proctor config validate`."
    ))
}
