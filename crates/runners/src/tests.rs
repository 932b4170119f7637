//! The samples and their manifest, the reference page, and properties of the whole.

mod cost;
mod ends;
mod hostile;
mod page;
mod samples;

use proctor_kernel::Summary;

/// A summary in one line, `-` for none.
fn line(summary: Option<&Summary>) -> String {
    let Some(s) = summary else { return "-".to_owned() };
    let mut parts = vec![s.runner.clone()];
    let mut figure = |name: &str, n: Option<u64>| {
        if let Some(n) = n {
            parts.push(format!("{name} {n}"));
        }
    };
    figure("passed", s.passed);
    figure("failed", s.failed);
    figure("skipped", s.skipped);
    figure("xfail", s.xfail);
    figure("filtered", s.filtered);
    figure("warnings", s.warnings);
    let mut text = parts.join(", ");
    for (word, is) in [
        (" FAILURE", s.is_failure()),
        (" EMPTY", s.is_empty_run()),
        (" CUT", s.cut),
    ] {
        if is {
            text.push_str(word);
        }
    }
    text
}
