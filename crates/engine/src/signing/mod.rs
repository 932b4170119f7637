//! Signatures of humans under verdicts and releases: what exactly is signed, and whether a signature holds.
//!
//! The form is OpenSSH's (`ssh-keygen -Y`), the namespace [`NAMESPACE`]. What is signed is one line of JSON, see
//! [`Statement`]; it is made anew from the record whenever the signature is checked, so a record that was
//! altered, or copied to another place, does not fit its signature any more.

mod notary;
mod statement;
#[cfg(test)]
pub(crate) mod tests;

pub use notary::{Notary, own_signers, own_signers_file, read_signers, repository};
pub use statement::{Statement, StatementKind};

use crate::review::Signature;
use proctor_kernel::{Error, ErrorKind, Result};
use proctor_worktree::Command;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The namespace of our signatures: one that was made for anything else (a commit, a login) never counts here.
pub const NAMESPACE: &str = "proctor";

/// Largest file of allowed signers, in bytes.
pub const MOST_SIGNERS: usize = 1 << 20;

/// Longest signature, in bytes.
const MOST_ARMOUR: usize = 64 << 10;

/// Longest time that one call of `ssh-keygen` may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What became of a signature.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum SignatureState {
    /// There is none.
    #[default]
    None,
    /// A key of the allowed signers made it over exactly this record.
    Valid,
    /// It does not fit the record: altered, copied from elsewhere, or no signature at all.
    Invalid,
    /// It fits, but its key is none of the allowed signers'.
    UnknownKey,
    /// There is no list of allowed signers to compare with.
    NoSigners,
    /// It could not be looked at.
    CouldNotCheck,
}

impl SignatureState {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::UnknownKey => "unknown_key",
            Self::NoSigners => "no_signers",
            Self::CouldNotCheck => "could_not_check",
        }
    }
}

/// Who may sign, in the form of `ssh-keygen(1)`, ALLOWED SIGNERS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signers {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// Where it comes from, for messages.
    pub from: String,
}

/// A signature that was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The answer.
    pub state: SignatureState,
    /// The signer, as the list of allowed signers names them.
    pub signer: Option<String>,
    /// Why it does not hold.
    pub why: String,
}

impl Checked {
    fn not(state: SignatureState, why: impl Into<String>) -> Self {
        Self {
            state,
            signer: None,
            why: why.into(),
        }
    }
}

/// Whether a signature holds for a record of which `expected` is the statement, as far as the record tells it.
/// `at` is when the record was made, in milliseconds since 1970.
#[must_use]
pub fn check(signature: &Signature, expected: &Statement, at: u64, signers: Option<&Signers>) -> Checked {
    let said = match Statement::read(&signature.statement) {
        Ok(said) => said,
        Err(error) => return Checked::not(SignatureState::Invalid, error.to_string()),
    };
    if let Some(field) = said.differs(expected, at) {
        let why = format!("what was signed has another {field} than the record");
        return Checked::not(SignatureState::Invalid, why);
    }
    match verify(
        signature.statement.as_bytes(),
        &signature.armour,
        said.time,
        signers,
    ) {
        Ok(checked) => checked,
        Err(error) => Checked::not(SignatureState::CouldNotCheck, error.to_string()),
    }
}

/// Whether a signature holds over some bytes. `time` (milliseconds since 1970) is compared with the times that
/// the allowed signers' keys are valid in.
///
/// # Errors
/// Kind `host` when `ssh-keygen` is missing or takes too long, kind `store` when no temporary file can be made.
pub fn verify(message: &[u8], armour: &str, time: u64, signers: Option<&Signers>) -> Result<Checked> {
    if armour.len() > MOST_ARMOUR || !armour.starts_with("-----BEGIN SSH SIGNATURE-----") {
        return Ok(Checked::not(SignatureState::Invalid, "that is no SSH signature"));
    }
    let signature = temporary(armour.as_bytes())?;
    // First without asking who: a signature that does not fit is told apart from a stranger's.
    let fits = ssh_keygen(
        &["-Y", "check-novalidate", "-n", NAMESPACE, "-s"],
        signature.path(),
    )
    .stdin(message)
    .run()?;
    if fits.timed_out {
        return Err(slow());
    }
    if !fits.is_success() {
        return Ok(Checked::not(
            SignatureState::Invalid,
            "the signature does not fit what it should sign",
        ));
    }
    let Some(signers) = signers else {
        return Ok(Checked::not(
            SignatureState::NoSigners,
            "there is no list of allowed signers",
        ));
    };
    let allowed = temporary(&signers.bytes)?;
    let option = format!("-Overify-time={}", verify_time(time));
    let found = ssh_keygen(&["-Y", "find-principals", &option, "-f"], allowed.path())
        .arg("-s")
        .arg(signature.path())
        .run()?;
    if found.timed_out {
        return Err(slow());
    }
    let names = String::from_utf8_lossy(&found.stdout).into_owned();
    if found.is_success() {
        for name in names
            .split(['\n', ','])
            .map(str::trim)
            .filter(|n| !n.is_empty() && !n.starts_with('-'))
            .take(50)
        {
            let good = ssh_keygen(&["-Y", "verify", &option, "-n", NAMESPACE, "-f"], allowed.path())
                .args(["-I", name, "-s"])
                .arg(signature.path())
                .stdin(message)
                .run()?;
            if good.timed_out {
                return Err(slow());
            }
            if good.is_success() {
                return Ok(Checked {
                    state: SignatureState::Valid,
                    signer: Some(name.to_owned()),
                    why: String::new(),
                });
            }
        }
    }
    Ok(Checked::not(
        SignatureState::UnknownKey,
        format!("its key is none of those in {}", signers.from),
    ))
}

/// `ssh-keygen` with these arguments, the last of which takes a file.
fn ssh_keygen(args: &[&str], file: &Path) -> Command {
    Command::new("ssh-keygen")
        .args(args)
        .arg(file)
        .env("LC_ALL", "C")
        .timeout(PATIENCE)
        .limit(64 << 10)
}

fn slow() -> Error {
    Error::new(ErrorKind::Host, "ssh-keygen took too long")
}

fn temporary(bytes: &[u8]) -> Result<tempfile::NamedTempFile> {
    let failed = |e| Error::new(ErrorKind::Store, "cannot make a temporary file").because(e);
    let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
    file.write_all(bytes)
        .and_then(|()| file.flush())
        .map_err(failed)?;
    Ok(file)
}

/// A time as `ssh-keygen` takes it, in UTC.
fn verify_time(millis: u64) -> String {
    let seconds = i64::try_from(millis / 1_000).unwrap_or(i64::MAX);
    jiff::Timestamp::from_second(seconds)
        .map(|t| t.strftime("%Y%m%d%H%M%SZ").to_string())
        .unwrap_or_default()
}
