//! The texts of files in a tree.

use super::Trees;
use crate::git::{failed, must, run};
use proctor_kernel::{Result, TreeId};

/// Most bytes of all files that are read together.
const MOST: usize = 96 << 20;

/// What a tree holds at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Missing,
    /// A file of text.
    Text(String),
    /// Something that is no text of at most the asked length: bytes, a folder, another repository, a long file.
    Other,
}

impl Trees<'_> {
    /// What a tree holds at each of these paths. A text is UTF-8 and at most `longest` bytes long.
    ///
    /// # Errors
    /// Kind `git` when the content of the tree is not here, and when git fails, takes too long, or has to read
    /// more than 96 MiB.
    pub fn texts(&self, tree: &TreeId, paths: &[&str], longest: usize) -> Result<Vec<Content>> {
        self.must_have(&[tree])?;
        self.contents(tree.as_str(), paths, longest)
    }

    /// What a commit holds at a path, our own folder included; see [`Trees::texts`].
    ///
    /// # Errors
    /// As [`Trees::texts`]. A commit that is not here holds nothing.
    pub fn text_at(&self, rev: &str, path: &str, longest: usize) -> Result<Content> {
        let found = self.contents(rev, &[path], longest)?;
        Ok(found.into_iter().next().unwrap_or(Content::Missing))
    }

    fn contents(&self, rev: &str, paths: &[&str], longest: usize) -> Result<Vec<Content>> {
        // A line cannot name a path with a line end in it; the escapes of our own lists name no file either.
        let plain = |path: &str| !path.contains('\n') && !path.contains("\\x") && !rev.contains('\n');
        let asked: Vec<&str> = paths.iter().copied().filter(|p| plain(p)).collect();
        let lines: String = asked.iter().map(|p| format!("{rev}:{p}\n")).collect();
        // First the sizes, so that a long file costs nothing.
        let call = self
            .git(None, self.deadline())
            .args([
                "cat-file",
                "--batch-check=%(objecttype) %(objectsize) %(objectname)",
            ])
            .stdin(lines);
        let sizes = must(&call, "look at files of a tree")?;
        let sizes = String::from_utf8_lossy(&sizes).into_owned();
        let mut kinds = Vec::with_capacity(asked.len());
        let mut wanted = String::new();
        for line in sizes.lines() {
            let mut fields = line.split(' ');
            let found = match (
                fields.next(),
                fields.next().and_then(|n| n.parse::<usize>().ok()),
                fields.next(),
            ) {
                (Some("blob"), Some(size), Some(oid)) if size <= longest => {
                    wanted.push_str(oid);
                    wanted.push('\n');
                    Content::Text(String::new())
                }
                (Some("blob" | "tree" | "commit" | "tag"), Some(_), Some(_)) => Content::Other,
                _ => Content::Missing,
            };
            kinds.push(found);
        }
        let call = self
            .git(None, self.deadline())
            .args(["cat-file", "--batch=%(objectsize)"])
            .stdin(wanted)
            .limit(MOST);
        let output = run(&call)?;
        if !output.is_success() {
            return Err(failed(&output, "read files of a tree"));
        }
        let mut rest = output.stdout.as_slice();
        for kind in kinds.iter_mut().filter(|k| matches!(k, Content::Text(_))) {
            let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            let size = rest
                .get(..end)
                .and_then(|n| std::str::from_utf8(n).ok()?.parse::<usize>().ok());
            let bytes = size.and_then(|n| rest.get(end + 1..end + 1 + n));
            *kind = match bytes
                .and_then(|b| std::str::from_utf8(b).ok())
                .filter(|t| !t.contains('\0'))
            {
                Some(text) => Content::Text(text.to_owned()),
                None => Content::Other,
            };
            rest = rest
                .get(end + 2 + bytes.map_or(0, <[u8]>::len)..)
                .unwrap_or_default();
        }
        let mut found = kinds.into_iter();
        Ok(paths
            .iter()
            .map(|p| {
                if plain(p) {
                    found.next().unwrap_or(Content::Other)
                } else {
                    Content::Other
                }
            })
            .collect())
    }
}
