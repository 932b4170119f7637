//! One function per form: from the lines of an output to figures, or `None` when the form is not there.

pub(crate) mod build;
pub(crate) mod cargo;
pub(crate) mod go;
pub(crate) mod javascript;
pub(crate) mod junit;
pub(crate) mod jvm;
pub(crate) mod lint;
pub(crate) mod others;
pub(crate) mod python;
pub(crate) mod runtimes;
pub(crate) mod tap;
pub(crate) mod types;

use proctor_kernel::Summary;

/// Nothing was tested: the runner itself says so.
fn nothing() -> Summary {
    Summary {
        passed: Some(0),
        failed: Some(0),
        skipped: Some(0),
        ..Summary::default()
    }
}

/// It failed, and there are no figures.
fn failure() -> Summary {
    Summary {
        says_failed: true,
        ..Summary::default()
    }
}

/// Adds a part to what was read before.
fn join(whole: &mut Option<Summary>, part: Summary) {
    match whole {
        None => *whole = Some(part),
        Some(sum) => crate::add(sum, &part),
    }
}
