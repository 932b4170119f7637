//! What to do when a policy file cannot be read: enforcement goes on, and the user is told.

use crate::resolve::{Resolved, raise};
use crate::settings::Settings;
use proctor_kernel::Digest;
use serde::{Deserialize, Serialize};

/// Settings kept from the last time all files could be read. Also the cached form for the hook path:
/// while `digest` equals [`digest_of`](crate::digest_of) the files, `settings` are theirs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastGood {
    /// Digest of the files that the settings came from.
    pub digest: Digest,
    /// The settings.
    pub settings: Settings,
    /// What the user is to be told as long as the files stay as they are.
    #[serde(default)]
    pub note: Option<String>,
}

impl LastGood {
    /// What to keep of a policy; `None` when a file of it could not be read.
    #[must_use]
    pub fn of(resolved: &Resolved) -> Option<Self> {
        (!resolved.broken).then(|| Self {
            digest: resolved.digest.clone(),
            settings: resolved.settings.clone(),
            note: note_of_errors(resolved),
        })
    }
}

/// The settings to work with.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The settings.
    pub settings: Settings,
    /// What the user must be told: which file is wrong, where, and what is used instead.
    pub note: Option<String>,
}

/// Chooses between the policy as it is and the last good one. A file that cannot be read never disables
/// enforcement and never stops the agent: the last good settings are used, or without any the built-in
/// ones with the files that could be read. What the user's own file demands now holds in either case.
#[must_use]
pub fn choose(resolved: &Resolved, last: Option<LastGood>) -> Choice {
    if !resolved.broken {
        return Choice {
            settings: resolved.settings.clone(),
            note: note_of_errors(resolved),
        };
    }
    let (settings, used) = match last {
        Some(last) => {
            let mut settings = last.settings;
            raise(&mut settings, &resolved.floor);
            (settings, "the last good policy is used")
        }
        None => (
            resolved.settings.clone(),
            "the built-in policy is used, with the files that can be read",
        ),
    };
    let what = resolved.errors().next().map_or_else(
        || "a policy file cannot be read".to_owned(),
        |problem| format!("{}: {}", problem.place(), problem.message),
    );
    Choice {
        settings,
        note: Some(format!(
            "Proctor policy: {what}; {used}. Run `proctor config validate`."
        )),
    }
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
