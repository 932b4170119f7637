//! Variables that a check must not inherit: whoever asks for a run could change its result by them.

use std::ffi::OsStr;

/// Beginnings of names: our own, git's, and functions that a shell would take over.
const BEGINNINGS: [&str; 3] = ["PROCTOR_", "GIT_", "BASH_FUNC_"];

/// Names that are never passed on, whether the caller found them or not. They put options or code into shells,
/// interpreters and test runners, or say that an agent is near.
pub(super) const ALWAYS: [&str; 33] = [
    "BASHOPTS",
    "BASH_ENV",
    "CDPATH",
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "DYLD_INSERT_LIBRARIES",
    "ENV",
    "GEMINI_CLI",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_WORK_TREE",
    "GLOBIGNORE",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JEST_ARGS",
    "LD_AUDIT",
    "LD_PRELOAD",
    "MAVEN_ARGS",
    "NODE_OPTIONS",
    "OPENCODE",
    "PERL5OPT",
    "PROCTOR_AUDIENCE",
    "PROCTOR_CANARY",
    "PROCTOR_LAUNCH",
    "PROCTOR_STATE",
    "PYTEST_ADDOPTS",
    "PYTEST_PLUGINS",
    "RUBYOPT",
    "SHELLOPTS",
    "SPEC_OPTS",
];

/// Whether a variable of this name must not reach a check: it is Proctor's or git's own, or it can change what
/// a test run does without a trace in the tree. What remains (`PATH`, tools' own settings) is named in the
/// threat model.
#[must_use]
pub fn steers(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    ALWAYS.contains(&name)
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || (name.starts_with("CARGO_TARGET_") && name.ends_with("_RUNNER"))
}
