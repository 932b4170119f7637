//! What is checked out, read without a child process where the repository's form allows it.

use crate::git::{git, must, run};
use crate::repo::{Repo, limited};
use proctor_kernel::{Error, ErrorKind, Result};

/// What is checked out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The branch without `refs/heads/`; `None` when HEAD is detached.
    pub branch: Option<String>,
    /// The commit (40 or 64 hexadecimal digits); `None` before the first commit of the branch.
    pub oid: Option<String>,
}

/// Most steps from one symbolic reference to the next.
const STEPS: usize = 5;

impl Repo {
    /// What is checked out.
    ///
    /// # Errors
    /// Kind `git` when HEAD is missing or damaged.
    pub fn head(&self) -> Result<Head> {
        let path = self.git_dir().join("HEAD");
        let text = limited(&path).map_err(|e| {
            Error::new(ErrorKind::Git, format!("cannot read {}", path.display()))
                .because(e)
                .hint("is this a git repository? `git status` tells more")
        })?;
        let text = text.trim_end();
        if is_oid(text) {
            return Ok(Head {
                branch: None,
                oid: Some(text.to_owned()),
            });
        }
        let Some(target) = text.strip_prefix("ref:").map(str::trim_start) else {
            return Err(
                Error::new(ErrorKind::Git, format!("{} is damaged", path.display()))
                    .hint("`git fsck` tells more; `git checkout <branch>` writes it anew"),
            );
        };
        if self.is_reftable() || target == "refs/heads/.invalid" {
            return self.asked_head();
        }
        Ok(Head {
            branch: branch(target),
            oid: self.resolve(target)?,
        })
    }

    /// The commit that a reference points to; `None` when there is no such reference.
    fn resolve(&self, name: &str) -> Result<Option<String>> {
        let mut name = name.to_owned();
        for _ in 0..STEPS {
            if !is_ref(&name) {
                return Err(Error::new(
                    ErrorKind::Git,
                    format!("{name:?} is no name of a reference"),
                ));
            }
            // Some references belong to one work tree; the rest are common.
            let own = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"]
                .iter()
                .any(|p| name.starts_with(p));
            let dir = if own { self.git_dir() } else { self.common_dir() };
            let Ok(text) = limited(&dir.join(&name)) else {
                return self.packed(&name);
            };
            let text = text.trim_end();
            if is_oid(text) {
                return Ok(Some(text.to_owned()));
            }
            match text.strip_prefix("ref:") {
                Some(next) => next.trim_start().clone_into(&mut name),
                None => {
                    return Err(Error::new(
                        ErrorKind::Git,
                        format!("the reference {name} is damaged"),
                    ));
                }
            }
        }
        Err(Error::new(
            ErrorKind::Git,
            format!("the reference {name} points in a circle"),
        ))
    }

    fn packed(&self, name: &str) -> Result<Option<String>> {
        let path = self.common_dir().join("packed-refs");
        let text = match crate::file::read(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => {
                return Err(Error::new(ErrorKind::Git, format!("cannot read {}", path.display())).because(e));
            }
        };
        for line in text.split(|b| *b == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if let Some(oid) = line
                .strip_suffix(name.as_bytes())
                .and_then(|l| l.strip_suffix(b" "))
                && let Ok(oid) = std::str::from_utf8(oid)
                && is_oid(oid)
            {
                return Ok(Some(oid.to_owned()));
            }
        }
        Ok(None)
    }

    /// Asks git, for references kept in a form that only git reads (reftable).
    fn asked_head(&self) -> Result<Head> {
        let dir = &self.entry;
        let target = run(&git(dir, self.left()).args(["symbolic-ref", "-q", "HEAD"]))?;
        let branch = std::str::from_utf8(&target.stdout)
            .ok()
            .map(str::trim)
            .and_then(branch);
        let found = run(&git(dir, self.left()).args(["rev-parse", "-q", "--verify", "HEAD^{commit}"]))?;
        let oid = std::str::from_utf8(&found.stdout)
            .ok()
            .map(str::trim)
            .filter(|t| is_oid(t))
            .map(str::to_owned);
        if branch.is_none() && oid.is_none() {
            must(
                &git(dir, self.left()).args(["rev-parse", "--git-dir"]),
                "read the repository",
            )?;
        }
        Ok(Head { branch, oid })
    }
}

fn branch(target: &str) -> Option<String> {
    target.strip_prefix("refs/heads/").map(str::to_owned)
}

/// Whether a text is an object id, of SHA-1 or SHA-256.
pub(crate) fn is_oid(text: &str) -> bool {
    matches!(text.len(), 40 | 64)
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Whether a name can be joined to the repository's folder without leaving it.
fn is_ref(name: &str) -> bool {
    (name.starts_with("refs/") || name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
        && !name.is_empty()
        && !name.contains('\0')
        && name
            .split('/')
            .all(|part| !part.is_empty() && part != "." && part != "..")
}
