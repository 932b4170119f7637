//! Facts from the work tree, on demand.

use crate::decide::Sight;
use crate::{Embedding, Secret};
use proctor_kernel::{Digest, GateError, Task, World};
use proctor_policy::EmbedderSettings;
use proctor_worktree::Repo;
use std::path::{Path, PathBuf};

/// The work tree as gates and engine may see it.
pub(crate) struct FileSight<'a> {
    repo: Option<&'a Repo>,
    /// Where the session began.
    home: &'a Path,
    /// Where the agent is now; relative paths start there.
    cwd: PathBuf,
    embedding: Embedding,
}

impl<'a> FileSight<'a> {
    pub(crate) fn new(
        repo: Option<&'a Repo>,
        home: &'a Path,
        cwd: &str,
        embedder: &EmbedderSettings,
        secret: Option<Secret>,
    ) -> Self {
        Self {
            repo: repo.filter(|r| !r.is_bare()),
            home,
            cwd: home.join(cwd),
            embedding: Embedding::new(embedder, repo.and_then(Repo::root).unwrap_or(home), secret),
        }
    }
}

impl World for FileSight<'_> {
    fn changed_files(&self, task: &Task) -> Result<Vec<String>, GateError> {
        let repo = self
            .repo
            .ok_or_else(|| GateError::new("this is no git work tree"))?;
        repo.changed_since(task.base.as_deref(), &task.dirty)
            .map_err(|e| GateError::new(e.to_string()))
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, GateError> {
        self.embedding.embed(texts)
    }
}

impl Sight for FileSight<'_> {
    fn base(&self) -> (Option<String>, Vec<(String, Option<String>)>) {
        let Some(repo) = self.repo else {
            return (None, Vec::new());
        };
        let oid = repo.head().ok().and_then(|head| head.oid);
        (oid, repo.dirty().unwrap_or_default())
    }

    fn tree(&self) -> Option<Digest> {
        let repo = self.repo?;
        let head = repo.head().ok()?.oid.unwrap_or_default();
        let dirty = repo.dirty().ok()?;
        let mut text = head;
        for (path, digest) in dirty {
            text.push('\n');
            text.push_str(&path);
            text.push('\0');
            text.push_str(digest.as_deref().unwrap_or("deleted"));
        }
        Some(Digest::of(text.as_bytes()))
    }

    fn relative(&self, path: &str) -> String {
        let root = self.repo.and_then(Repo::root).unwrap_or(self.home);
        let absolute = self.cwd.join(path);
        absolute
            .strip_prefix(root)
            .map_or_else(|_| path.to_owned(), |p| p.to_string_lossy().into_owned())
    }
}
