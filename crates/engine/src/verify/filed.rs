//! Statements that were imported from files: kept apart from everything that was seen here.

use super::intoto::{CLAIM, Read, Says, read};
use super::report::{CheckReport, CheckState};
use crate::review::{Release, VerdictEntry};
use crate::signing::{Checked, SignatureState, own_signers, read_signers, verify};
use crate::{Clock, Engine};
use proctor_kernel::{Digest, Error, ErrorKind, Id, Result, TreeId};
use proctor_ledger::{Draft, Durability, Fold, Journal, Record};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The writer under which they are kept. Not exchanged: whoever wants them has the file.
pub(crate) const JOURNAL: &str = "statements";

/// The kind of record that holds a file of them.
const KIND: &str = "statement";

/// Most files that are kept in the state; older ones stay in the log.
const MOST: usize = 50;

/// A file of statements about one tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    /// The tree that all of them are about.
    pub tree: TreeId,
    /// Digest of the file.
    pub file: Digest,
    /// The file's text.
    pub text: String,
    /// Who signed the file, as the allowed signers named them when it was imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FiledBook {
    /// Oldest first.
    filed: Vec<Filed>,
}

impl Fold for FiledBook {
    const VERSION: u32 = 1;

    fn apply(&mut self, record: &Record) {
        if record.kind != KIND {
            return;
        }
        let Ok(filed) = record.body::<Filed>() else {
            return;
        };
        self.filed.retain(|f| f.file != filed.file);
        if self.filed.len() >= MOST {
            self.filed.remove(0);
        }
        self.filed.push(filed);
    }
}

/// What files say of reviews: approvals, each with its review, and releases.
type Words = (Vec<(Id, VerdictEntry)>, Vec<Release>);

/// What came of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// The tree.
    pub tree: TreeId,
    /// How many statements were read.
    pub statements: usize,
    /// Predicate types that this version does not read.
    pub unread: Vec<String>,
    /// What became of the file's signature.
    pub signature: SignatureState,
    /// Who signed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
}

impl<C: Clock> Engine<C> {
    /// Takes in a file of statements about what `commit` holds, with its signature where there is one. Whatever it
    /// says stays a claim, unless an allowed signer signed it.
    ///
    /// # Errors
    /// Kind `input` when the file is no file of statements, is about another tree, or its signature does not
    /// hold; kind `store` when it cannot be kept.
    pub fn import_statements(
        &mut self,
        bytes: &[u8],
        signature: Option<&str>,
        commit: &str,
        signers: Option<&Path>,
    ) -> Result<Imported> {
        let mut notes = Vec::new();
        self.set_up(&mut notes);
        let statements = read(bytes)?;
        let tree = self.about(&statements, commit)?;
        let checked = match signature {
            None => Checked::default(),
            Some(armour) => {
                let own = self.surroundings.user_policy.as_deref();
                let signers = match signers {
                    Some(path) => Some(read_signers(path)?),
                    None => own_signers(own, &self.settings().approval.signers)?,
                };
                verify(bytes, armour, self.clock().now(), signers.as_ref())?
            }
        };
        if checked.state == SignatureState::Invalid {
            return Err(Error::new(
                ErrorKind::Input,
                format!("the signature of the file is no good: {}", checked.why),
            )
            .hint("nothing was taken in"));
        }
        let filed = Filed {
            tree: tree.clone(),
            file: Digest::of(bytes),
            text: String::from_utf8_lossy(bytes).into_owned(),
            signer: checked.signer.clone(),
        };
        let mut journal: Journal<FiledBook> = self.store()?.journal(JOURNAL)?;
        let draft = Draft::new(self.stamp(), KIND, &filed)?;
        journal.commit(vec![draft], Durability::Synced)?;
        let unread = statements.iter().filter_map(|s| match &s.says {
            Says::Other(kind) => Some(kind.clone()),
            _ => None,
        });
        Ok(Imported {
            tree,
            statements: statements.len(),
            unread: unread.collect(),
            signature: checked.state,
            signer: checked.signer,
        })
    }

    /// The tree that all statements are about: that of the commit.
    fn about(&self, statements: &[Read], commit: &str) -> Result<TreeId> {
        let repo = self
            .repo()
            .ok_or_else(|| Error::new(ErrorKind::Input, "this is no git repository"))?;
        let commit = repo.commit(commit)?;
        let cache = self.trees_cache()?;
        let trees = repo.trees(&cache);
        let tree = trees.id_of(&commit)?;
        for (number, statement) in statements.iter().enumerate() {
            let wrong = |why: String| {
                Error::new(ErrorKind::Input, format!("statement {}: {why}", number + 1))
                    .hint("name the commit that the file is about: `proctor verify REV --import FILE`")
            };
            if statement.tree != tree {
                return Err(wrong(format!(
                    "it is about the tree {}, and {} holds {tree}",
                    statement.tree,
                    super::base::short(&commit)
                )));
            }
            if let Some(named) = &statement.commit
                && let Some(known) = repo.ref_commit(named)?
                && trees.id_of(&known)? != tree
            {
                return Err(wrong(format!(
                    "the commit that it names holds another tree than the one that it names: {named}"
                )));
            }
        }
        Ok(tree)
    }

    fn filed(&self) -> Result<Vec<Filed>> {
        let store = self.store()?;
        if !store.has(JOURNAL) {
            return Ok(Vec::new());
        }
        Ok(store.journal::<FiledBook>(JOURNAL)?.state().filed.clone())
    }

    /// The approvals and releases of all files.
    pub(super) fn filed_words(&self) -> Result<Words> {
        let (mut found, mut releases) = (Vec::new(), Vec::new());
        for filed in self.filed()? {
            for statement in read(filed.text.as_bytes()).unwrap_or_default() {
                let Says::Review(body) = statement.says else {
                    continue;
                };
                releases.extend(body.release);
                if let (Some(review), Some(entry)) = (body.review, body.approval) {
                    found.push((review, entry));
                }
            }
        }
        Ok((found, releases))
    }

    /// What files say of checks that nothing here knows of.
    pub(super) fn claim_checks(&self, checks: &mut [CheckReport], tree: &TreeId) -> Result<()> {
        for filed in self.filed()?.into_iter().filter(|f| f.tree == *tree) {
            for statement in read(filed.text.as_bytes()).unwrap_or_default() {
                let Says::Tests(result) = statement.says else {
                    continue;
                };
                for check in checks.iter_mut().filter(|c| c.state == CheckState::NotRun) {
                    check.state = if result.failed.contains(&check.name) {
                        CheckState::Failed
                    } else if result.passed.contains(&check.name) {
                        CheckState::Passed
                    } else {
                        continue;
                    };
                    check.trust = CLAIM;
                    check.detail = match &filed.signer {
                        Some(signer) => format!("an imported statement says so, signed by {signer}"),
                        None => "an imported statement says so".to_owned(),
                    };
                }
            }
        }
        Ok(())
    }
}
