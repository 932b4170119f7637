//! Edits that no tree shows: of files below `.proctor/` that are no policy, and inside `.git`. What was checked or approved before
//! them is outdated all the same.

use crate::session::Unseen;
use proctor_kernel::{CheckRun, TreeId};

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
