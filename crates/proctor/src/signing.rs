//! Signing with the user's own SSH key, by `ssh-keygen`, as git does it.
//!
//! It runs in the foreground: it may ask for a passphrase or for a touch. Which key is meant may stand in any of
//! git's files (another key only makes a signature that nobody accepts); which program runs comes from
//! the user's own file alone.

use proctor_engine::review::Signature;
use proctor_engine::signing::NAMESPACE;
use proctor_kernel::{Error, ErrorKind, Result};
use proctor_worktree::Repo;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A key to sign with.
pub(crate) struct Key {
    program: String,
    file: PathBuf,
    /// Only the public half is in the file: the agent of SSH signs.
    by_agent: bool,
    /// Holds the file of a key that was given as text.
    _text: Option<tempfile::NamedTempFile>,
}

impl Key {
    /// The key that is named, else the one that git signs commits with.
    ///
    /// # Errors
    /// Kind `config` when there is none.
    pub(crate) fn find(repo: Option<&Repo>, named: Option<&str>) -> Result<Self> {
        let said = |key: &str, global: bool, path: bool| match repo {
            Some(repo) => repo.configured(key, global, path),
            None => Ok(None),
        };
        let program = said("gpg.ssh.program", true, true)?.unwrap_or_else(|| "ssh-keygen".to_owned());
        let key = match named {
            Some(named) => Some(named.to_owned()),
            None => match said("user.signingkey", false, true)? {
                Some(key) => Some(key),
                None => match said("gpg.ssh.defaultKeyCommand", true, false)? {
                    Some(command) => default_key(&command)?,
                    None => None,
                },
            },
        };
        let Some(key) = key else {
            return Err(Error::new(ErrorKind::Config, "there is no key to sign with")
                .hint("name one with --key, or set git's user.signingkey to an SSH key"));
        };
        let literal = key
            .strip_prefix("key::")
            .or_else(|| Some(key.as_str()).filter(|k| k.starts_with("ssh-") || k.starts_with("ecdsa-")));
        if let Some(literal) = literal {
            let failed = |e| Error::new(ErrorKind::Store, "cannot make a temporary file").because(e);
            let mut text = tempfile::NamedTempFile::new().map_err(failed)?;
            writeln!(text, "{literal}").map_err(failed)?;
            return Ok(Self {
                program,
                file: text.path().to_owned(),
                by_agent: true,
                _text: Some(text),
            });
        }
        let file = PathBuf::from(&key);
        if !file.is_file() {
            return Err(
                Error::new(ErrorKind::Config, format!("there is no key {key:?} to sign with"))
                    .hint("name the file of an SSH key with --key"),
            );
        }
        Ok(Self {
            program,
            file,
            by_agent: false,
            _text: None,
        })
    }

    /// Signs a text.
    ///
    /// # Errors
    /// Kind `host` when the program is missing or refuses.
    pub(crate) fn sign(&self, text: &str) -> Result<Signature> {
        Ok(Signature {
            signer: String::new(),
            statement: text.to_owned(),
            armour: self.armour(text.as_bytes())?,
        })
    }

    /// Signs bytes: the signature alone.
    ///
    /// # Errors
    /// As [`Key::sign`].
    pub(crate) fn armour(&self, bytes: &[u8]) -> Result<String> {
        let mut command = Command::new(&self.program);
        command
            .args(["-Y", "sign", "-n", NAMESPACE, "-f"])
            .arg(&self.file);
        if self.by_agent {
            command.arg("-U");
        }
        let failed = |e| Error::new(ErrorKind::Host, format!("cannot run {}", self.program)).because(e);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        if let Some(mut input) = child.stdin.take() {
            // When it does not read all of it, its status says so.
            let _ = input.write_all(bytes);
        }
        let output = child.wait_with_output().map_err(failed)?;
        let armour = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() || !armour.starts_with("-----BEGIN SSH SIGNATURE-----") {
            return Err(
                Error::new(ErrorKind::Host, format!("{} made no signature", self.program))
                    .hint("nothing was recorded"),
            );
        }
        Ok(armour)
    }
}

/// The first key that the user's command prints.
fn default_key(command: &str) -> Result<Option<String>> {
    let output = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::null())
        .output()
        .map_err(|e| Error::new(ErrorKind::Host, "cannot run gpg.ssh.defaultKeyCommand").because(e))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_key = |l: &&str| l.starts_with("key::") || l.starts_with("ssh-") || l.starts_with("ecdsa-");
    Ok(text.lines().map(str::trim).find(is_key).map(str::to_owned))
}
