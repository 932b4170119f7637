//! The identity of what a commit holds.

use super::{Trees, oid_of};
use crate::git::{failed, must, run};
use proctor_kernel::{Error, ErrorKind, Result, TreeId};

impl Trees<'_> {
    /// The identity of what a commit (or tag, or tree) holds: its tree without `.proctor/`. The work
    /// tree that this commit is made from has the same.
    ///
    /// # Errors
    /// Kind `git` when there is no such commit, and when git fails or takes too long.
    pub fn id_of(&self, rev: &str) -> Result<TreeId> {
        self.ready()?;
        let deadline = self.deadline();
        let call = self
            .git(None, deadline)
            .args(["rev-parse", "-q", "--verify", "--end-of-options"])
            .arg(format!("{rev}^{{tree}}"));
        let output = run(&call)?;
        if !output.is_success() {
            if output.timed_out {
                return Err(failed(&output, "find the commit"));
            }
            return Err(Error::new(
                ErrorKind::Git,
                format!("there is no commit {rev:?} in this repository"),
            )
            .hint("in a shallow clone, `git fetch --deepen=100` may bring it"));
        }
        let tree = oid_of(&output.stdout)?;
        let call = self.git(None, deadline).args(["ls-tree", "-z", &tree]);
        let listing = must(&call, "list the files of the commit")?;
        let is_own = |line: &[u8]| line.starts_with(b"040000 ") && line.ends_with(b"\t.proctor");
        let lines = || listing.split(|b| *b == 0).filter(|l| !l.is_empty());
        if !lines().any(is_own) {
            return Ok(TreeId::from_text(tree));
        }
        let mut rest = Vec::with_capacity(listing.len());
        for line in lines().filter(|l| !is_own(l)) {
            rest.extend_from_slice(line);
            rest.push(0);
        }
        let call = self
            .git(None, deadline)
            .args(["mktree", "-z", "--missing"])
            .stdin(rest);
        Ok(TreeId::from_text(oid_of(&must(&call, "compute the tree")?)?))
    }
}
