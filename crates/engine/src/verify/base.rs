//! What a commit is compared with, and whose policy decides.

use crate::policy::{PROJECT, SIGNERS, digest_of_project, in_words};
use crate::signing::{MOST_SIGNERS, Signers};
use crate::verify::report::{PolicyAxis, PolicyReport};
use proctor_kernel::{Digest, Result};
use proctor_policy::{MAX_FILE, Settings, SourceFile, Sources, Verification, looser_keys, resolve};
use proctor_worktree::{FileAt, Repo};
use std::collections::BTreeSet;
use std::path::Path;

/// Branches that a line of work usually leaves from, where nothing says which.
const MAIN: [&str; 3] = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
];

/// What a commit is compared with.
pub(super) struct Base {
    /// The commit whose policy decides: the tip of what the commit shall go onto. Not the place where the two part,
    /// because whoever makes a branch chooses that place, and could choose one from before there was a policy.
    pub(super) tip: Option<String>,
    /// Where the two part; `None`: they have nothing in common, or there is nothing before.
    pub(super) commit: Option<String>,
    /// Nobody named it, and there is no main branch of a remote to compare with.
    pub(super) guessed: bool,
    /// It is the commit before, of the same line of work as far as can be told.
    pub(super) before: bool,
}

/// The base of a commit when nobody names one: the remote's main branch, or, when the commit is on it or there is none,
/// the commit before it.
pub(super) fn usual_base(repo: &Repo, commit: &str) -> Result<Base> {
    let mut guessed = true;
    for name in MAIN {
        let Some(main) = repo.ref_commit(name)? else {
            continue;
        };
        let parted = repo.merge_base(&main, commit)?;
        if parted.as_deref() == Some(commit) {
            guessed = false;
            break;
        }
        return Ok(Base {
            tip: Some(main),
            commit: parted,
            guessed: false,
            before: false,
        });
    }
    let parent = repo.parent(commit)?;
    Ok(Base {
        tip: parent.clone(),
        commit: parent,
        guessed,
        before: true,
    })
}

/// Where a commit parts from what it goes onto, as far as anybody can tell now.
pub(crate) fn parted(repo: &Repo, commit: &str) -> Result<Option<String>> {
    Ok(usual_base(repo, commit)?.commit)
}

/// The project's policy as a commit has it.
pub(super) struct CommitPolicy {
    /// On top of the user's own.
    pub(super) settings: Settings,
    /// The file's object.
    pub(super) blob: Option<String>,
    /// Digest of the project's own files.
    pub(super) project: Digest,
    /// Who may sign, as the commit has it.
    pub(super) signers: Option<Signers>,
    /// Why it cannot be used, or what in it may hide what it asks for; empty: it can be.
    pub(super) broken: Vec<String>,
    /// It is a mistake in a file that can be read.
    pub(super) mistaken: bool,
}

/// Reads the policy of a commit (`None`: of a repository without one), on top of the user's own file.
pub(super) fn policy_at(repo: &Repo, commit: Option<&str>, own: Option<&Path>) -> Result<CommitPolicy> {
    let read = |path: &str, most: usize| match commit {
        Some(commit) => repo.file_at(commit, path, most),
        None => Ok(FileAt::Missing),
    };
    // What is there and is no file must not pass for nothing: in a work tree a link is followed.
    let mut odd = Vec::new();
    let mut as_file = |path: &str, found: FileAt| match found {
        FileAt::Missing => None,
        FileAt::File { oid, bytes } => Some((oid, bytes)),
        FileAt::Other { mode } => {
            let what = format!("no ordinary file (mode {mode})");
            odd.push(format!("{path}: {what}"));
            // Not the digest of nothing.
            Some((String::new(), what.into_bytes()))
        }
    };
    let file = as_file(PROJECT, read(PROJECT, MAX_FILE + 1)?);
    let list = as_file(SIGNERS, read(SIGNERS, MOST_SIGNERS)?);
    let mut sources = Sources::read(own, None);
    let bytes_of = |file: &Option<(String, Vec<u8>)>| file.as_ref().map(|(_, bytes)| bytes.clone());
    sources.project = bytes_of(&file).map(|bytes| SourceFile {
        path: format!("{}:{PROJECT}", short(commit.unwrap_or_default())),
        bytes,
    });
    let resolved = resolve(&sources);
    let mut broken = odd;
    let mistaken = broken.is_empty() && !resolved.broken;
    if resolved.broken {
        broken.extend(resolved.errors().map(in_words));
    } else {
        broken.extend(resolved.doubts().map(in_words));
    }
    Ok(CommitPolicy {
        settings: resolved.settings,
        project: digest_of_project(bytes_of(&file).as_deref(), bytes_of(&list).as_deref()),
        blob: file.map(|(oid, _)| oid).filter(|oid| !oid.is_empty()),
        signers: list.map(|(_, bytes)| Signers {
            bytes,
            from: format!("{}:{SIGNERS}", short(commit.unwrap_or_default())),
        }),
        broken,
        mistaken,
    })
}

/// The paths below `.proctor/` in which two commits differ, but for the policy files, which are compared as such, and
/// the cases of the repository's own corpus, which are data. They are no part of the tree, so no approval is
/// about them.
pub(super) fn beside_the_tree(repo: &Repo, base: Option<&str>, commit: &str) -> Result<Vec<String>> {
    let files = |commit: &str| -> Result<BTreeSet<(String, String, String)>> {
        let all = repo.files_below(commit, ".proctor")?.into_iter();
        let data = |path: &str, mode: &str| {
            mode == "100644" && path.starts_with(".proctor/corpus/") && path.ends_with(".jsonl")
        };
        Ok(all
            .filter(|e| e.path != PROJECT && e.path != SIGNERS && !data(&e.path, &e.mode))
            .map(|e| (e.path, e.mode, e.oid))
            .collect())
    };
    let before = base.map(files).transpose()?.unwrap_or_default();
    let differ = before
        .symmetric_difference(&files(commit)?)
        .map(|(path, ..)| path.clone())
        .collect::<BTreeSet<_>>();
    Ok(differ.into_iter().collect())
}

/// The beginning of an object's id.
pub(super) fn short(oid: &str) -> &str {
    oid.get(..12).unwrap_or(oid)
}

/// Compares the policy of a commit with that of its base.
pub(super) fn compare(base: &CommitPolicy, head: &CommitPolicy, report: &mut PolicyReport) -> PolicyAxis {
    report.problems = [&base.broken, &head.broken]
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    if !report.problems.is_empty() {
        return PolicyAxis::Unknown;
    }
    let checks = "verification";
    report.looser = keys(&head.settings, &base.settings);
    report.tighter = keys(&base.settings, &head.settings);
    let looser = report.looser.clone();
    report.tighter.retain(|key| !looser.contains(key));
    for (list, of, than) in [
        (&mut report.looser, &head.settings, &base.settings),
        (&mut report.tighter, &base.settings, &head.settings),
    ] {
        if !missing(&than.verification, &of.verification).is_empty() {
            list.push(checks.to_owned());
        }
    }
    // Who may sign is not a matter of more and less: where a list decides already, any other one is looser.
    let list = |policy: &CommitPolicy| policy.signers.as_ref().map(|s| s.bytes.clone());
    if list(base) != list(head) {
        let decides = base.signers.is_some() || base.settings.approval.signed;
        let changed = if decides {
            &mut report.looser
        } else {
            &mut report.tighter
        };
        changed.push(SIGNERS.to_owned());
    }
    match (report.looser.is_empty(), report.tighter.is_empty()) {
        (false, _) => PolicyAxis::Looser,
        (true, false) => PolicyAxis::Tighter,
        (true, true) => PolicyAxis::Same,
    }
}

fn keys(settings: &Settings, floor: &Settings) -> Vec<String> {
    let keys = looser_keys(settings, floor).into_iter();
    keys.filter(|key| *key != "verification")
        .map(str::to_owned)
        .collect()
}

/// The checks of one list that another list does not have just so.
pub(super) fn missing(of: &[Verification], than: &[Verification]) -> Vec<Verification> {
    of.iter().filter(|c| !than.contains(c)).cloned().collect()
}
