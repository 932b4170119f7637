//! Installs the pinned agent hosts into the test cache, so that the tests themselves need no network.

use proctor_testkit::claude::{Availability, PACKAGE, VERSION, available};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (line, code) = match available() {
        Availability::Ready(_) => (format!("{PACKAGE} {VERSION}: ready"), ExitCode::SUCCESS),
        Availability::Skipped(why) => (
            format!("{PACKAGE} {VERSION}: not available: {why}"),
            ExitCode::FAILURE,
        ),
    };
    // Nobody may be listening any more; the exit code says it too.
    let _ = writeln!(std::io::stderr(), "{line}");
    code
}
