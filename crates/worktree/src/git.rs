//! Calling the `git` program.

use crate::{Command, Output};
use proctor_kernel::{Error, ErrorKind, Result};
use std::path::Path;
use std::time::Duration;

/// Variables by which a caller (a git hook, an agent) could make git look at another repository,
/// another configuration, or run another program. From `git help git` of Git 2.47 and
/// `git rev-parse --local-env-vars`. Without the count, numbered `GIT_CONFIG_KEY_…` have no effect.
const SCRUBBED: [&str; 44] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_SYSTEM",
    "GIT_DEFAULT_HASH",
    "GIT_DEFAULT_REF_FORMAT",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_FLUSH",
    "GIT_FSMONITOR_TEST",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INDEX_VERSION",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PAGER",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REDIRECT_STDERR",
    "GIT_REDIRECT_STDIN",
    "GIT_REDIRECT_STDOUT",
    "GIT_REF_PARANOIA",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_WORK_TREE",
];

impl Command {
    /// Keeps from it the variables by which the caller leads git to another repository, work tree or configuration.
    #[must_use]
    pub fn without_git_variables(self) -> Self {
        SCRUBBED.into_iter().fold(self, Self::env_remove)
    }
}

/// A `git` call in a folder that takes no lock, asks nobody, fetches nothing, starts no file system monitor (which is
/// a program that the repository's configuration names), and takes no object for another (`git replace`).
pub(crate) fn git(cwd: &Path, timeout: Duration) -> Command {
    Command::new("git")
        .cwd(cwd)
        .timeout(timeout)
        .limit(256 << 20)
        .without_git_variables()
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .args([
            "--no-optional-locks",
            "--no-pager",
            "-c",
            "core.quotepath=off",
            "-c",
            "core.fsmonitor=false",
        ])
}

/// Runs a git call that must succeed, and gives its output.
pub(crate) fn must(command: &Command, doing: &str) -> Result<Vec<u8>> {
    let output = run(command)?;
    if output.is_success() {
        Ok(output.stdout)
    } else {
        Err(failed(&output, doing))
    }
}

/// Runs a git call. Without any time left none is begun.
pub(crate) fn run(command: &Command) -> Result<Output> {
    if command.has_no_time() {
        return Err(Error::new(
            ErrorKind::Git,
            "git is not asked any more: the time that all of its calls have together is over",
        )
        .hint("run `git status` by hand and see why it is slow"));
    }
    command.run().map_err(|e| {
        let hints: Vec<String> = e.hints().to_vec();
        hints.into_iter().fold(
            Error::new(ErrorKind::Git, "git cannot be run").because(e),
            Error::hint,
        )
    })
}

/// The error for a git call that did not succeed.
pub(crate) fn failed(output: &Output, doing: &str) -> Error {
    if output.timed_out {
        return Error::new(
            ErrorKind::Git,
            format!("git took too long to {doing} and was stopped"),
        )
        .hint("run `git status` by hand and see why it is slow");
    }
    if output.truncated {
        return Error::new(
            ErrorKind::Git,
            format!("git wrote more than can be read when asked to {doing}"),
        )
        .hint("a folder with very many untracked files may be missing in .gitignore");
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("no message")
        .trim();
    let error = Error::new(ErrorKind::Git, format!("git cannot {doing}: {said}"));
    if said.contains("dubious ownership") {
        return error
            .hint("the folder belongs to another user: `git config --global --add safe.directory <folder>`");
    }
    if said.contains("unknown repository extension") || said.contains("unknown option") {
        return error.hint("this repository needs a newer git");
    }
    error
}
