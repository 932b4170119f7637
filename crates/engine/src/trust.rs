//! Which of a repository's executing parts the user trusts.
//!
//! Whatever a repository makes Proctor execute is off until a human has said yes to exactly this content. What
//! the user's own policy file names needs no such word.

use crate::review::{Party, checks_digest_of};
use crate::{Clock, Engine};
use proctor_kernel::{Digest, Result};
use proctor_policy::Verification;
use serde::{Deserialize, Serialize};

/// The file in the state folder.
pub(crate) const FILE: &str = "trust.json";

/// Most contents that are trusted at a time: a few branches of one repository.
const MOST: usize = 16;

/// What is trusted in this clone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustBook {
    /// Oldest first.
    pub trusted: Vec<Trusted>,
}

/// One content that a human trusts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// Digest of the checks.
    pub digest: Digest,
    /// The command lines, for showing.
    pub runs: Vec<String>,
    /// Who said so.
    pub by: Party,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// Whether the checks of the policy in force may be run by Proctor itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChecksTrust {
    /// The policy names no check.
    Nothing,
    /// The user's own file names them.
    Own,
    /// The repository names them, and a human trusts them as they are.
    Trusted,
    /// The repository names them, and nobody has trusted them as they are.
    Untrusted,
}

impl ChecksTrust {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Own => "own",
            Self::Trusted => "trusted",
            Self::Untrusted => "untrusted",
        }
    }
}

impl<C: Clock> Engine<C> {
    /// What is trusted in this clone. What cannot be read is trusted by nobody.
    pub fn trust_book(&self) -> TrustBook {
        let read = self.store().and_then(|s| s.read_json(FILE));
        read.ok().flatten().unwrap_or_default()
    }

    /// Whether the checks of the policy in force may be run.
    pub fn checks_trust(&self) -> ChecksTrust {
        let checks = &self.settings().verification;
        if checks.is_empty() {
            ChecksTrust::Nothing
        } else if self.checks_are_the_users_own() {
            ChecksTrust::Own
        } else if self.is_trusted(checks) {
            ChecksTrust::Trusted
        } else {
            ChecksTrust::Untrusted
        }
    }

    /// Whether these checks may be run: they are the user's own, or trusted as they are.
    pub(crate) fn may_run(&self, checks: &[Verification]) -> bool {
        let own = self.checks_are_the_users_own() && self.settings().verification == checks;
        checks.is_empty() || own || self.is_trusted(checks)
    }

    fn is_trusted(&self, checks: &[Verification]) -> bool {
        let digest = checks_digest_of(checks);
        self.trust_book().trusted.iter().any(|t| t.digest == digest)
    }

    /// Trusts the checks of the policy in force as they are. The caller makes sure that a human says so.
    ///
    /// # Errors
    /// Kind `store` when it cannot be kept.
    pub fn trust(&mut self, by: Party) -> Result<Trusted> {
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        let checks = &self.settings().verification;
        let trusted = Trusted {
            digest: checks_digest_of(checks),
            runs: checks.iter().map(|c| c.run.clone()).collect(),
            by,
            at: self.clock().now(),
        };
        let entry = trusted.clone();
        self.store()?.update_json(FILE, move |book: &mut TrustBook| {
            book.trusted.retain(|t| t.digest != entry.digest);
            book.trusted.push(entry);
            let many = book.trusted.len().saturating_sub(MOST);
            book.trusted.drain(..many);
            true
        })?;
        Ok(trusted)
    }

    /// Trusts nothing any more. Gives the number of contents that were trusted.
    ///
    /// # Errors
    /// Kind `store` when it cannot be kept.
    pub fn revoke_trust(&mut self) -> Result<usize> {
        let count = self.trust_book().trusted.len();
        if count > 0 {
            self.store()?.write_json(FILE, &TrustBook::default())?;
        }
        Ok(count)
    }
}
