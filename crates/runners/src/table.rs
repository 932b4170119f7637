//! The table of runners. A new runner is a row here, a function in `forms/`, and samples.

use crate::forms::{cargo, go, javascript, python};
use crate::output::Output;
use proctor_kernel::{CheckKind, Summary};

/// One runner.
pub struct Runner {
    /// Its name, as it stands in summaries.
    pub name: &'static str,
    /// What it verifies; `None` for what only starts others.
    pub kind: Option<CheckKind>,
    /// Commands that name it: their first words, without options.
    pub commands: &'static [&'static str],
    /// The forms that are read, for people.
    pub forms: &'static [&'static str],
    /// Whether its form is marked enough to be believed without a command that names it.
    pub alone: bool,
    /// Whether figures are added up over parts of the output, so that they are unknown when some are missing.
    pub sums: bool,
    /// Whether other runners run within it.
    pub opens: bool,
    /// Runners whose output holds this one's form too.
    pub yields_to: &'static [&'static str],
    pub(crate) read: fn(&Output<'_>) -> Option<Summary>,
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// What most rows have in common.
const ROW: Runner = Runner {
    name: "",
    kind: Some(CheckKind::Tests),
    commands: &[],
    forms: &[],
    alone: true,
    sums: false,
    opens: false,
    yields_to: &[],
    read: |_| None,
};

/// All runners. At most 64.
pub static RUNNERS: &[Runner] = &[
    Runner {
        name: "cargo test",
        commands: &[
            "cargo test",
            "cargo t",
            "cargo bench",
            "cargo insta test",
            "cargo llvm-cov",
            "cargo hack test",
            "cargo tarpaulin",
        ],
        forms: &[
            "`test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s`, one per binary, added up",
            "`error: test failed, to rerun pass …`, `error: could not compile …`",
            "`test … FAILED` when no result follows",
        ],
        sums: true,
        read: cargo::test,
        ..ROW
    },
    Runner {
        name: "cargo nextest",
        commands: &[
            "cargo nextest",
            "cargo-nextest",
            "cargo insta test",
            "cargo llvm-cov",
        ],
        forms: &[
            "`Summary [ 0.01s] 3 tests run: 2 passed, 1 failed, 1 skipped`",
            "`error: test run failed`, `error: no tests to run`",
        ],
        read: cargo::nextest,
        ..ROW
    },
    Runner {
        name: "pytest",
        commands: &["pytest", "py.test"],
        forms: &[
            "`=== 3 passed, 1 skipped in 0.03s ===`, and without the frame (`-q`) after a progress line or when the command names pytest",
            "`no tests ran`, `3 tests collected`, `3 deselected`: nothing was tested",
            "`!!! Interrupted … !!!`, `INTERNALERROR>`, `ERROR: …`; `FAILED file::test` when no last line follows",
        ],
        read: python::pytest,
        ..ROW
    },
    Runner {
        name: "unittest",
        commands: &["unittest", "python manage.py test", "django-admin test", "nose2"],
        forms: &[
            "`Ran 3 tests in 0.001s`, then `OK`, `OK (skipped=1)`, `FAILED (failures=1, errors=1)` or `NO TESTS RAN`",
        ],
        sums: true,
        read: python::unittest,
        ..ROW
    },
    Runner {
        name: "jest",
        commands: &["jest", "react-scripts test"],
        forms: &[
            "`Tests: 1 failed, 1 skipped, 2 passed, 4 total` and `Test Suites: …`",
            "`No tests found, exiting with code 0`",
        ],
        read: javascript::jest,
        ..ROW
    },
    Runner {
        name: "vitest",
        commands: &["vitest"],
        forms: &[
            "`Tests  1 failed | 2 passed | 1 skipped (4)` and `Test Files  …`",
            "`No test files found, exiting with code 1`",
        ],
        read: javascript::vitest,
        ..ROW
    },
    Runner {
        name: "mocha",
        commands: &["mocha"],
        forms: &["`2 passing (5ms)`, then `1 pending`, `1 failing`"],
        read: javascript::mocha,
        ..ROW
    },
    Runner {
        name: "node --test",
        commands: &["node --test"],
        forms: &[
            "`ℹ tests 3`, `ℹ pass 2`, `ℹ fail 1`, `ℹ cancelled 0` …, or with `#` in TAP; a file without tests, which node counts as a test that passed, is taken off",
        ],
        read: javascript::node,
        ..ROW
    },
    Runner {
        name: "go test",
        commands: &["go test", "gotestsum"],
        forms: &[
            "`ok  pkg 0.01s`, `FAIL pkg 0.01s`, `FAIL pkg [build failed]`, `? pkg [no test files]`, `ok … [no tests to run]`",
            "`--- PASS: Test (0.00s)` and its like (`-v`), and the events of `-json`; without these it prints no number of tests that passed",
        ],
        sums: true,
        read: go::test,
        ..ROW
    },
];
