//! Which records of a book are signed by somebody who may sign.

use super::{Checked, MOST_SIGNERS, SignatureState, Signers, Statement, check};
use crate::review::{Release, Requirements, ReviewBook, Signature, VerdictEntry};
use proctor_kernel::{Digest, Error, ErrorKind, Id, Result, TreeId};
use proctor_worktree::Repo;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What signatures are compared with.
#[derive(Clone, Debug, Default)]
pub struct Notary {
    /// The repository, as statements name it; `None` when it cannot be told.
    pub repository: Option<String>,
    /// Who may sign.
    pub signers: Option<Signers>,
    /// What was looked at already: each look starts programs, and the same records are looked at again and again.
    seen: RefCell<BTreeMap<Digest, Checked>>,
}

impl Notary {
    /// The notary of a clone: the repository as its checked-out history tells, the signers that the user's own
    /// policy names. `own` is the user's policy file; a name that is not absolute lies beside it. The work
    /// tree is never asked who may sign: an agent can write there.
    #[must_use]
    pub fn of(repo: Option<&Repo>, own: Option<&Path>, signers: &str) -> Self {
        Self {
            repository: repo.and_then(|repo| repository(repo, None).ok().flatten()),
            signers: own_signers(own, signers).ok().flatten(),
            seen: RefCell::default(),
        }
    }

    /// A notary who compares with these.
    #[must_use]
    pub fn new(repository: Option<String>, signers: Option<Signers>) -> Self {
        Self {
            repository,
            signers,
            seen: RefCell::default(),
        }
    }

    /// Looks at the signature of a verdict.
    #[must_use]
    pub fn verdict(&self, review: &Id, entry: &VerdictEntry) -> Checked {
        let Some(signature) = &entry.signature else {
            return Checked::default();
        };
        self.looked(signature, |repository| {
            Statement::of_verdict(repository, review, entry, entry.at)
        })
    }

    /// Looks at the signature of a release.
    #[must_use]
    pub fn release(&self, release: &Release) -> Checked {
        let Some(signature) = &release.signature else {
            return Checked::default();
        };
        self.looked(signature, |repository| {
            Statement::of_release(repository, release, release.at)
        })
    }

    /// Looks at a signature under what the record states, at the time of the record.
    fn looked(&self, signature: &Signature, stated: impl FnOnce(&str) -> Statement) -> Checked {
        let Some(repository) = &self.repository else {
            return Checked {
                state: SignatureState::CouldNotCheck,
                signer: None,
                why: "the first commit of the history is not here".to_owned(),
            };
        };
        let expected = stated(repository);
        let look = || check(signature, &expected, expected.time, self.signers.as_ref());
        let Ok(text) = expected.text() else {
            return look();
        };
        let key = Digest::of(
            [&text, "\0", &signature.statement, "\0", &signature.armour]
                .concat()
                .as_bytes(),
        );
        if let Some(seen) = self.seen.borrow().get(&key) {
            return seen.clone();
        }
        let checked = look();
        self.seen.borrow_mut().insert(key, checked.clone());
        checked
    }

    /// Tells the requirements what on this tree is signed as they must be. Without the demand
    /// nothing is looked at.
    pub fn fill(&self, required: &mut Requirements, book: &ReviewBook, tree: Option<&TreeId>) {
        if !required.signed {
            return;
        }
        let verdicts = tree.map(|t| book.verdicts_on(t)).unwrap_or_default();
        for (review, entry) in verdicts {
            if self.verdict(&review.id, entry).state == SignatureState::Valid {
                required.valid.extend(entry.seal(&review.id));
            }
        }
        let meant = |r: &&Release| r.tree.is_none() || r.tree.as_ref() == tree;
        for release in book.releases.iter().filter(meant) {
            if self.release(release).state == SignatureState::Valid {
                required.valid.extend(release.seal());
            }
        }
    }
}

/// A repository as statements name it: the first commit of the history of `commit` (of what is checked out,
/// when none is given). `None` when only a part of the history is here, or there is none.
///
/// # Errors
/// Kind `git` when git cannot tell.
pub fn repository(repo: &Repo, commit: Option<&str>) -> Result<Option<String>> {
    match commit {
        Some(commit) => repo.first_commit(commit),
        None => match repo.head()?.oid {
            Some(head) => repo.first_commit(&head),
            None => Ok(None),
        },
    }
}

/// The signers that the user's own policy names; `None` when it names none.
///
/// # Errors
/// Kind `config` when the file cannot be read.
pub fn own_signers(own: Option<&Path>, signers: &str) -> Result<Option<Signers>> {
    own_signers_file(own, signers)
        .map(|path| read_signers(&path))
        .transpose()
}

/// The file of the signers that the user's own policy names: beside that policy, where the name does not begin at
/// the root.
#[must_use]
pub fn own_signers_file(own: Option<&Path>, signers: &str) -> Option<PathBuf> {
    if signers.is_empty() {
        return None;
    }
    let folder = own.and_then(Path::parent).unwrap_or(Path::new(""));
    Some(folder.join(signers)).filter(|path| path.is_absolute())
}

/// Reads a file of allowed signers.
///
/// # Errors
/// Kind `config` when it cannot be read or has more than 1 MiB.
pub fn read_signers(path: &Path) -> Result<Signers> {
    let from = path.display().to_string();
    let failed = |e| {
        Error::new(
            ErrorKind::Config,
            format!("cannot read the allowed signers {from}"),
        )
        .because(e)
    };
    let mut bytes = Vec::new();
    let (file, _) = proctor_worktree::file::open(path).map_err(failed)?;
    file.take(MOST_SIGNERS as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() > MOST_SIGNERS {
        return Err(Error::new(
            ErrorKind::Config,
            format!("{from} is too large for a list of allowed signers"),
        ));
    }
    Ok(Signers { bytes, from })
}
