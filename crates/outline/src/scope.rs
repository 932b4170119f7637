//! Compares changed files with what a task allows.

use crate::names::LOCKS;
use globset::{GlobBuilder, GlobMatcher};
use proctor_kernel::Outline;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// How far the changes of a task went beyond what it asked for.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Severity {
    /// Everything that changed was asked for, or the task does not say what may change.
    #[default]
    None,
    /// Fewer unexpected files than the threshold.
    Warning,
    /// As many unexpected files as the threshold, or more.
    NeedsReview,
}

impl Severity {
    /// The word used in records, rows and messages: `NONE`, `WARNING`, `NEEDS_REVIEW`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Warning => "WARNING",
            Self::NeedsReview => "NEEDS_REVIEW",
        }
    }
}

/// What [`compare`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ScopeJudgement {
    /// How far the changes went.
    pub severity: Severity,
    /// Files, globs and folders that may change.
    pub expected: Vec<String>,
    /// Changed files that none of them covers, in the order given.
    pub unexpected: Vec<String>,
}

/// Whether the outline says anything about which files may change.
#[must_use]
pub fn is_judgeable(outline: &Outline) -> bool {
    outline.read_only
        || !outline.expected.is_empty()
        || !outline.excluded.is_empty()
        || !outline.kept.is_empty()
}

/// Compares changed paths (relative to the root of the work tree, `/` between folders) with an
/// outline. `allow` are globs that are always in scope, unless the outline excludes them.
///
/// `*` does not cross `/`, `**` does; a folder covers its subtree, and so does one that a glob of the outline names
/// (`crates/*/src`); a bare name matches in any folder; what begins with `/` or `~/` matches by its end;
/// case counts; composed and decomposed Hangul are the same. A lock file is allowed when its manifest
/// is. `threshold` unexpected files or more are [`Severity::NeedsReview`]; 0 counts as 1. When a part of the
/// text was not read, nothing is more than a warning.
#[must_use]
pub fn compare(outline: &Outline, modified: &[String], allow: &[String], threshold: u32) -> ScopeJudgement {
    if !is_judgeable(outline) || modified.is_empty() {
        return ScopeJudgement {
            expected: outline.expected.clone(),
            ..ScopeJudgement::default()
        };
    }
    let expected = Patterns::of_task(&outline.expected);
    let excluded = Patterns::of_task(&outline.excluded);
    let allowed = Patterns::new(allow);
    let anything = outline.expected.is_empty() && !outline.read_only;
    let unexpected: Vec<String> = modified
        .iter()
        .filter(|path| {
            let path = normal(path);
            // A file named outright is not hidden by a wider glob that happens to exclude it.
            if excluded.matches(&path) {
                return true;
            }
            !(anything
                || allowed.matches(&path)
                || expected.matches(&path)
                || expected.has_manifest_of(&path))
        })
        .cloned()
        .collect();
    let count = u32::try_from(unexpected.len()).unwrap_or(u32::MAX);
    let severity = match count {
        0 => Severity::None,
        // What was not read may name the files.
        n if n >= threshold.max(1) && outline.unread == 0 => Severity::NeedsReview,
        _ => Severity::Warning,
    };
    ScopeJudgement {
        severity,
        expected: outline.expected.clone(),
        unexpected,
    }
}

/// The paths that globs cover, in the order given. Also one that stands where a folder of a glob would: a link or a
/// repository inside this one (`vendor/crypto` for `vendor/crypto/**`) changes all that lies there, and has no files
/// of its own in the list. Where a folder has any name (`vendor/*/**`), only the `places` are taken for one: a plain file
/// beside those folders (`vendor/README.md`) is none.
#[must_use]
pub fn covered(globs: &[String], paths: &[String], places: &[String]) -> Vec<String> {
    let patterns = Patterns::new(globs);
    let named = patterns.folders(false);
    let any = if places.is_empty() {
        Vec::new()
    } else {
        patterns.folders(true)
    };
    let is_covered = |path: &&String| {
        let text = normal(path);
        patterns.matches(&text)
            || named.iter().any(|folder| folder.is(&text))
            || any.iter().any(|folder| folder.is(&text)) && places.contains(path)
    };
    paths.iter().filter(is_covered).cloned().collect()
}

/// The paths of which [`covered`] must know whether they are places, in the order given.
#[must_use]
pub fn in_doubt(globs: &[String], paths: &[String]) -> Vec<String> {
    let patterns = Patterns::new(globs);
    let any = patterns.folders(true);
    if any.is_empty() {
        return Vec::new();
    }
    let is_in_doubt = |path: &&String| {
        let path = normal(path);
        any.iter().any(|folder| folder.is(&path)) && !patterns.matches(&path)
    };
    paths.iter().filter(is_in_doubt).cloned().collect()
}

fn normal(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    if is_nfc(path) {
        path.to_owned()
    } else {
        path.nfc().collect()
    }
}

/// A list of files, globs and folders, ready for comparison.
struct Patterns(Vec<Pattern>);

struct Pattern {
    /// Without a trailing slash.
    literal: String,
    folder: bool,
    bare: bool,
    /// A glob that names a folder covers what lies in it, also without a slash at its end.
    deep: bool,
    glob: Option<GlobMatcher>,
}

impl Patterns {
    fn new(patterns: &[String]) -> Self {
        Self(patterns.iter().map(|p| Pattern::new(&normal(p))).collect())
    }

    /// As people write them in a task.
    fn of_task(patterns: &[String]) -> Self {
        let mut read = Self::new(patterns);
        for pattern in &mut read.0 {
            pattern.deep |= pattern.literal.contains('/');
        }
        read
    }

    fn matches(&self, path: &str) -> bool {
        self.0.iter().any(|p| p.matches(path))
    }

    /// The folders in which lies what the patterns name; with `any` those whose own name is a star.
    fn folders(&self, any: bool) -> Vec<Pattern> {
        self.0.iter().flat_map(|p| p.folders(any)).collect()
    }

    /// Whether `path` is a lock file and the manifest that it locks is among the patterns. A lock file
    /// serves the manifests beside and below it.
    fn has_manifest_of(&self, path: &str) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        LOCKS
            .iter()
            .filter(|(_, locks)| locks.contains(&name))
            .any(|(manifest, _)| {
                let beside = if folder.is_empty() {
                    (*manifest).to_owned()
                } else {
                    format!("{folder}/{manifest}")
                };
                self.0.iter().any(|p| {
                    let named = p.literal.rsplit('/').next() == Some(*manifest);
                    let below = folder.is_empty()
                        || p.literal.strip_prefix(folder).is_some_and(|r| r.starts_with('/'));
                    p.glob.is_none() && named && (below || p.bare) || p.matches(&beside) && !p.folder
                })
            })
            || (name.ends_with(".lock.hcl") && self.0.iter().any(|p| p.literal.ends_with(".tf")))
            || (name == "packages.lock.json" && self.0.iter().any(|p| p.literal.ends_with("proj")))
    }
}

impl Pattern {
    fn new(pattern: &str) -> Self {
        // A file in the home is told by the end of its name, as one from the root is.
        let pattern = pattern
            .strip_prefix('~')
            .filter(|rest| rest.starts_with('/'))
            .unwrap_or(pattern);
        let literal = pattern.trim_end_matches('/').to_owned();
        let folder = pattern.ends_with('/');
        let bare = !literal.contains('/');
        let is_glob = literal.contains(['*', '?', '{', '[']);
        let glob = is_glob
            .then(|| {
                if bare && !folder {
                    format!("**/{literal}")
                } else {
                    literal.clone()
                }
            })
            .and_then(|text| {
                GlobBuilder::new(&text)
                    .literal_separator(true)
                    .backslash_escape(false)
                    .build()
                    .ok()
                    .map(|g| g.compile_matcher())
            });
        Self {
            literal,
            folder,
            bare,
            deep: folder,
            glob,
        }
    }

    /// The folders in which lies what the pattern names. Those that may have any name (`docs` with a star behind it) are
    /// apart, since every file there has one as well; `**` is no folder, but any number of them.
    fn folders(&self, any: bool) -> Vec<Self> {
        let ends = self.literal.match_indices('/').map(|(at, _)| at);
        let named = ends.filter_map(|at| self.literal.get(..at)).filter(|folder| {
            let last = folder.rsplit('/').next().unwrap_or_default();
            if any {
                last == "*"
            } else {
                !last.trim_matches('*').is_empty()
            }
        });
        // With a slash, so that a glob of one part names no folder further down.
        let mut folders: Vec<Self> = named.map(|folder| Self::new(&format!("{folder}/"))).collect();
        if self.folder && self.bare && !any {
            folders.push(Self::new(&format!("**/{}", self.literal)));
        }
        folders
    }

    /// Whether a path is what the pattern says, and not something in it.
    fn is(&self, path: &str) -> bool {
        path == self.literal || self.glob.as_ref().is_some_and(|glob| glob.is_match(path))
    }

    fn matches(&self, path: &str) -> bool {
        if self.literal.is_empty() {
            return false;
        }
        // A file, or a folder with its subtree. A literal `[id]` is compared as it stands.
        if under(path, &self.literal) {
            return true;
        }
        if self.bare && !self.folder && self.glob.is_none() {
            let name = path.rsplit('/').next().unwrap_or(path);
            if name == self.literal {
                return true;
            }
        }
        if self.bare && self.folder {
            // `migrations/` names that folder wherever it is.
            let inner = format!("/{}/", self.literal);
            if path.contains(&inner) {
                return true;
            }
        }
        if self.literal.starts_with('/') && self.glob.is_none() {
            // Of a folder from the root, too, only the end is known: its files lie in what it ends with.
            let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
            let mut named = folders.filter(|_| self.folder).chain([path]);
            return named.any(|name| ends_with_path(&self.literal, name));
        }
        let Some(glob) = &self.glob else { return false };
        // A glob that names folders covers their subtrees.
        glob.is_match(path)
            || self.deep
                && path
                    .match_indices('/')
                    .any(|(at, _)| path.get(..at).is_some_and(|p| glob.is_match(p)))
    }
}

/// Whether a path from the root ends with the path of a file or folder in the work tree.
fn ends_with_path(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.ends_with('/'))
}

/// Whether `path` is `folder` itself or lies in it.
fn under(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
