//! Printing. A reader that goes away (`| head`) is no error.

use proctor_kernel::{Error, ErrorKind};
use std::io::Write;
use std::process::ExitCode;

/// The exit codes of all commands but `hook`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Passed.
    Pass = 0,
    /// Blocked.
    Blocked = 1,
    /// Wrong use or configuration.
    Usage = 2,
    /// Could not run.
    CouldNotRun = 3,
    /// Needs a human.
    Human = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The one place where kinds of errors become exit codes.
pub(crate) fn exit_of(kind: ErrorKind) -> Exit {
    match kind {
        ErrorKind::Config | ErrorKind::Input => Exit::Usage,
        ErrorKind::Host | ErrorKind::Git | ErrorKind::Store | ErrorKind::Gate | ErrorKind::Internal => {
            Exit::CouldNotRun
        }
    }
}

/// Prints to stdout as it is.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _gone = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a line to stdout.
pub(crate) fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    let _gone = out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush());
}

/// Prints a value as indented JSON.
pub(crate) fn json(value: &impl serde::Serialize) {
    line(&serde_json::to_string_pretty(value).unwrap_or_else(|e| format!("{{\"error\":\"{e}\"}}")));
}

/// Prints a line to stderr.
pub(crate) fn complain(text: &str) {
    let mut out = std::io::stderr().lock();
    let _gone = writeln!(out, "{text}");
}

/// Prints an error with its hints and gives its exit code.
pub(crate) fn fail(error: &Error) -> Exit {
    complain(&format!("error: {error}"));
    for hint in error.hints() {
        complain(&format!("  hint: {hint}"));
    }
    exit_of(error.kind())
}

/// Says on stderr when the state folder is gone although there was one: figures and lists of what was
/// recorded are then not what happened.
pub(crate) fn complain_if_lost(store: &proctor_ledger::Store) {
    if store.presence() == proctor_ledger::Presence::Missing {
        complain(&format!(
            "warning: the state folder {} is gone although this clone had one: what was recorded before is not known",
            store.root().display()
        ));
    }
}
