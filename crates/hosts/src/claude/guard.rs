//! The answer when judging an event itself fails.

use super::parse::recover_event_name;
use super::render::render_failure;
use crate::Rendered;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `work` answers; where it panics, an answer that says so: it refuses the end of a turn, once, and lets
/// everything else go. `note` is told why, and whether it refuses, and may panic as well. The message of the panic is the
/// caller's to keep off standard error.
pub fn guarded(
    payload: &[u8],
    work: impl FnOnce() -> Rendered,
    note: impl FnOnce(Option<&str>, &str, bool),
) -> Rendered {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let why = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        // The policy may be what panics, so it is not asked again.
        let native = recover_event_name(payload);
        let why = format!("internal error: {}", why.unwrap_or("panic"));
        let closed = is_stop(native.as_deref()) && !already_blocked(payload);
        // What cannot be noted is answered all the same.
        let _ = catch_unwind(AssertUnwindSafe(|| note(native.as_deref(), &why, closed)));
        render_failure(native.as_deref(), &why, closed)
    })
}

/// Whether an event ends a turn.
#[must_use]
pub fn is_stop(event: Option<&str>) -> bool {
    matches!(event, Some("Stop" | "SubagentStop"))
}

/// Whether the payload, whole or broken, says that a hook has held this turn before.
#[must_use]
pub fn already_blocked(payload: &[u8]) -> bool {
    let text = String::from_utf8_lossy(payload);
    let rest = text
        .split_once("\"stop_hook_active\"")
        .map(|(_, rest)| rest.trim_start_matches([' ', ':', '\n', '\t']));
    rest.is_some_and(|rest| rest.starts_with("true"))
}
