//! What becomes of a finding, and who may say so.

use super::types::{Party, PartyKind, ReviewEvent, ReviewFinding, Settlement};
use crate::{Clock, Engine};
use proctor_kernel::{Error, ErrorKind, Id, Result, TreeId, shown};

impl<C: Clock> Engine<C> {
    /// Settles a finding. An agent says of none that it is fixed while the tree is the one in which it was found.
    ///
    /// # Errors
    /// Kind `input` when there is no such finding, it is settled already, or this is not for that party to say; kind `git`
    /// when it cannot be told whether files changed; kind `store` when the records cannot be read or written.
    pub fn settle(
        &mut self,
        finding: &str,
        how: Settlement,
        words: &str,
        by: Party,
    ) -> Result<ReviewFinding> {
        let (review, known) = self.finding(finding)?;
        if let Some(settled) = known.settled {
            return Err(Error::new(
                ErrorKind::Input,
                format!("finding {} is settled already ({settled:?})", known.id),
            ));
        }
        let judges = matches!(by.kind, PartyKind::Human | PartyKind::Launched);
        if let (Some(rule), false) = (&known.rule, judges) {
            return Err(Error::new(
                ErrorKind::Input,
                format!("finding {} ({rule}) is settled by a change that mends it, by the reviewer, or by a human", known.id),
            )
            .hint("mend it and ask for a review again: `proctor review run`"));
        }
        let mut same_file = false;
        // A reviewer judges the tree that it was given, whatever became of the files meanwhile.
        if how == Settlement::Fixed && by.kind != PartyKind::Launched && known.is_shown() {
            let tree = match self.tree() {
                // Whoever may settle it as it is needs no tree for that.
                Err(_) if judges => None,
                tree => tree?,
            };
            if !judges && tree.is_some() && tree == known.tree {
                return Err(unchanged(&known));
            }
            same_file = self.is_same_file(&known, tree.as_ref());
        }
        self.record_review(vec![ReviewEvent::Settled {
            review,
            finding: known.id.clone(),
            how,
            words: words.to_owned(),
            same_file,
            by,
        }])?;
        Ok(ReviewFinding {
            settled: Some(how),
            answer: words.to_owned(),
            same_file,
            ..known
        })
    }

    /// The finding of this id, or of the only one that ends with these six characters or more, and its review.
    fn finding(&self, named: &str) -> Result<(Id, ReviewFinding)> {
        let book = self.reviews()?;
        let matches = |f: &&ReviewFinding| {
            f.id.as_str() == named
                || (named.len() >= 6 && f.id.as_str().ends_with(&named.to_ascii_uppercase()))
        };
        let found: Vec<(Id, ReviewFinding)> = book
            .reviews
            .iter()
            .flat_map(|r| {
                r.findings
                    .iter()
                    .filter(matches)
                    .map(|f| (r.id.clone(), f.clone()))
            })
            .collect();
        match <[_; 1]>::try_from(found) {
            Ok([one]) => Ok(one),
            Err(found) => Err(Error::new(
                ErrorKind::Input,
                match found.len() {
                    0 => format!("no finding is called {named:?}"),
                    n => format!("{n} findings are called {named:?}"),
                },
            )
            .hint("`proctor review status` lists the findings with their ids")),
        }
    }

    /// Whether the file that a finding names is the same in this tree as in the one in which it was found. What cannot be
    /// told, as of a place that is no file, is not said.
    fn is_same_file(&self, finding: &ReviewFinding, now: Option<&TreeId>) -> bool {
        let (Some(path), Some(found), Some(now)) = (&finding.path, &finding.tree, now) else {
            return false;
        };
        let path = plain(path);
        let there = || {
            let root = self.repo()?.root()?;
            root.join(path)
                .symlink_metadata()
                .ok()
                .filter(|meta| !meta.is_dir())
        };
        let unchanged = || {
            let trees = self.trees_cache().ok()?;
            let changes = self.repo()?.trees(&trees).changes(found, now).ok()?;
            Some(changes.iter().all(|change| change.path != path))
        };
        there().is_some() && unchanged() == Some(true)
    }
}

impl ReviewFinding {
    /// Whether a tree would show that it was mended: what lies below `.proctor/` is no part of one.
    fn is_shown(&self) -> bool {
        self.path
            .as_deref()
            .is_none_or(|path| !plain(path).starts_with(".proctor/"))
    }
}

/// A path as trees have it, of one that a reviewer wrote.
fn plain(path: &str) -> &str {
    path.trim_start_matches("./")
}

fn unchanged(finding: &ReviewFinding) -> Error {
    let place = match &finding.path {
        Some(path) => format!(" ({})", shown(path)),
        None => String::new(),
    };
    Error::new(
        ErrorKind::Input,
        format!(
            "finding {}{place} is not fixed: no file has changed since it was found",
            finding.id
        ),
    )
    .hint(
        "mend it and settle it then; or say why it stays as it is, or what you did that no file shows: `--how answered`; the \
         reviewer may take it back in the next round (`proctor review run`), and a human may settle it in a terminal of their own",
    )
}
