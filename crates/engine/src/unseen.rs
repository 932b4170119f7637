//! Edits that no tree shows: of files below `.proctor/` that are no policy, and inside `.git`. What was checked or approved before
//! them is outdated all the same.

use crate::session::Unseen;
use proctor_kernel::{CheckRun, TreeId};
use std::fs::{Metadata, read_dir};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Most things below `.proctor/` that are looked at after a command.
const MOST: usize = 64;
/// Clocks of file systems stand still for up to this many milliseconds.
const STILL: i64 = 10;
/// A file that was changed this many milliseconds after now is one by another clock.
const AHEAD: i64 = 2_000;

/// Stands for the tree of a run that such an edit outdated: it is none.
const OUTDATED: &str = "outdated by an edit that no tree shows";

/// Whether a path, relative to the work tree, is one that no tree shows and that may be a part of the work.
pub(crate) fn is_unseen(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    if path.starts_with(".proctor/") {
        // Policy, rules, templates and cases: `proctor` itself reads them.
        let of_policy = ["yaml", "yml", "md", "jsonl"]
            .iter()
            .any(|end| name.rsplit_once('.').is_some_and(|(_, e)| e == *end));
        return !(of_policy || matches!(name, "allowed_signers" | ".gitignore" | ".gitattributes"));
    }
    // Words for a commit, and what git itself is told to leave out.
    path.starts_with(".git/") && !name.ends_with("MSG") && !path.starts_with(".git/info/")
}

/// The files below `.proctor/` that no tree shows and that were changed since `began`, and the folders from which something
/// went since; both moments in milliseconds since 1970. Change times tell it, which no program can set: a look at each name,
/// and of many at the first. Caches of interpreters are nobody's work.
pub(crate) fn touched_since(root: &Path, began: u64, now: u64) -> Vec<String> {
    let (began, now) = (began.cast_signed(), now.cast_signed());
    let at = |meta: &Metadata| meta.ctime().saturating_mul(1_000) + meta.ctime_nsec() / 1_000_000;
    let is_later = |at: i64| at + STILL >= began;
    let mut out = Vec::new();
    let mut folders = vec![".proctor".to_owned()];
    let mut left = MOST;
    while let Some(folder) = folders.pop() {
        let path = root.join(&folder);
        let Ok(entries) = read_dir(&path) else { continue };
        let mut came = false;
        for entry in entries.flatten() {
            let Some(rest) = left.checked_sub(1) else {
                return out;
            };
            left = rest;
            let Ok(meta) = entry.metadata() else { continue };
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            let at = at(&meta);
            if at > now + AHEAD {
                return Vec::new();
            }
            came |= is_later(at);
            if name.ends_with("/__pycache__") {
                continue;
            }
            if meta.is_dir() {
                folders.push(name);
            } else if is_later(at) && is_unseen(&name) {
                out.push(name);
            }
        }
        // Who takes a name away or gives one changes its folder.
        if !came && path.symlink_metadata().is_ok_and(|meta| is_later(at(&meta))) {
            out.push(format!("{folder}/"));
        }
    }
    out
}

/// Takes the tree from runs that began before an edit that no tree shows.
pub(crate) fn outdate(runs: &mut [CheckRun], edits: &[Unseen]) {
    let Some(last) = edits.iter().map(|edit| edit.at).max() else {
        return;
    };
    for run in runs.iter_mut().filter(|run| run.began <= last) {
        let outdated = || TreeId::from_text(OUTDATED);
        (run.before, run.after, run.litter) = (Some(outdated()), Some(outdated()), false);
    }
}

/// The paths that outdated a run, where its tree says that something did.
pub(crate) fn outdated_by(tree: &TreeId, edits: &[Unseen]) -> Option<Vec<String>> {
    (tree.as_str() == OUTDATED).then(|| since(edits, 0))
}

/// The paths of edits after a moment.
pub(crate) fn since(edits: &[Unseen], at: u64) -> Vec<String> {
    let later = edits.iter().filter(|edit| edit.at >= at);
    later.map(|edit| edit.path.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_times_tell_what_was_touched_below_proctor() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        let now = || {
            let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
            u64::try_from(since.as_millis()).unwrap()
        };
        let touched = |began: u64| {
            let mut touched = touched_since(root, began, now());
            touched.sort();
            touched
        };
        let none = Vec::<String>::new();
        let later = || {
            std::thread::sleep(std::time::Duration::from_millis(40));
            now()
        };
        assert_eq!(touched(0), none);
        std::fs::create_dir_all(root.join(".proctor/rules/__pycache__")).unwrap();
        for file in [
            "impl.py",
            "proctor.yaml",
            "rules/run.sh",
            "rules/__pycache__/a.pyc",
        ] {
            std::fs::write(root.join(".proctor").join(file), "x").unwrap();
        }
        assert_eq!(touched(0), [".proctor/impl.py", ".proctor/rules/run.sh"]);
        let began = later();
        assert_eq!(touched(began), none);
        std::fs::write(root.join(".proctor/impl.py"), "y").unwrap();
        // Nor does a time that was set hide it.
        let file = std::fs::File::open(root.join(".proctor/impl.py")).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        std::fs::write(root.join(".proctor/proctor.yaml"), "y").unwrap();
        assert_eq!(touched(began), [".proctor/impl.py"]);
        let began = later();
        std::fs::remove_file(root.join(".proctor/rules/run.sh")).unwrap();
        assert_eq!(touched(began), [".proctor/rules/"]);
        // By another clock nothing is told.
        assert_eq!(touched_since(root, 0, now() - 60_000), none);
    }

    #[test]
    fn what_no_tree_shows() {
        for (path, expected) in [
            (".proctor/impl.py", true),
            (".proctor/run.sh", true),
            (".proctor/rules/impl.rs", true),
            (".proctor/proctor.yaml", false),
            (".proctor/templates/reviewer.md", false),
            (".proctor/corpus/review.jsonl", false),
            (".proctor/allowed_signers", false),
            (".git/impl.py", true),
            (".git/hooks/pre-commit", true),
            (".git/COMMIT_EDITMSG", false),
            (".git/info/exclude", false),
            ("src/a.rs", false),
            (".gitignore", false),
            ("a/.proctor/impl.py", false),
        ] {
            assert_eq!(is_unseen(path), expected, "{path}");
        }
    }
}
