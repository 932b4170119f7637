//! What a check printed at its end, and what is missing of it.

use proctor_kernel::{CheckKind, End, Summary};
use proctor_shell::Check;

/// Reads an output. `all`: it is known to hold its end, else a host may have left that out.
pub(crate) fn read(
    check: &Check,
    output: Option<&str>,
    exit: Option<i32>,
    all: bool,
) -> (Option<Summary>, Option<End>) {
    let summary = output.and_then(|text| proctor_runners::summarise(text, Some(&check.check)));
    // Of what did not end well, the exit code says enough.
    let end = match exit {
        Some(0) if check.parts.is_empty() => missing(check, output, summary.as_ref(), all),
        Some(0) => {
            let tests = check.parts.iter().filter(|part| part.kinds.has(CheckKind::Tests));
            tests.filter_map(|part| read(part, output, exit, all).1).max()
        }
        _ => None,
    };
    (summary, end)
}

fn missing(check: &Check, output: Option<&str>, summary: Option<&Summary>, all: bool) -> Option<End> {
    match output {
        Some(text) => {
            let end = proctor_runners::missing_end(text, &check.check, summary, all)?;
            Some(if check.hidden { End::Hidden } else { end })
        }
        // A host that hands no output over says nothing of it.
        None => (check.hidden && proctor_runners::always_ends(&check.check)).then_some(End::Hidden),
    }
}
