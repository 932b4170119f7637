//! The table of runners. A new runner is a row here, a function in `forms/`, and samples.

use crate::forms::{build, cargo, go, javascript, junit, jvm, lint, others, python, runtimes, tap, types};
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
    /// Whether other runners write this form when asked to, so that it is believed where their own is not found.
    pub shared: bool,
    /// Runners whose output holds this one's form too.
    pub yields_to: &'static [&'static str],
    /// Those of its commands that print their end whatever comes of the tests, as far as real samples show; without it,
    /// nothing shows that they came to it.
    pub ends: &'static [&'static str],
    /// Options, and words, with which these print none, or let something else print.
    pub quiet: &'static str,
    /// Lines that stand in that end in every version, so that a form which is not understood is not taken for none. Each
    /// is a whole line as it is printed: its figures stand for any others, `…` for anything.
    pub marks: &'static [&'static str],
    /// Whether the project's settings can do so as well, by naming a report of another form.
    pub settings: bool,
    /// An option with which it prints that end whatever its settings say, and nothing else changes; empty: none is known.
    pub prints: &'static str,
    /// Whether that end holds the number of tests that passed.
    pub counts: bool,
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
    shared: false,
    yields_to: &[],
    ends: &[],
    quiet: "",
    marks: &[],
    prints: "",
    settings: false,
    counts: true,
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
        ends: &["cargo test", "cargo t"],
        marks: &["test result: …. 3 passed; 0 failed;…"],
        quiet: "--message-format --format --logfile --no-run",
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
        ends: &["cargo nextest run", "cargo nextest r"],
        marks: &["Summary [ 0.01s] 3 test… run: …"],
        quiet: "--message-format --no-run",
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
            "progress with `F` or `E` (`.F.  [100%]`): failed; progress alone, up to `[100%]`, without a head and without `-v`: its settings may tell it to be as quiet as `-qq`",
        ],
        ends: &["pytest", "py.test"],
        marks: &[
            "3 passed… in 0.03…",
            "3 skipped… in 0.03…",
            "3 deselected… in 0.03…",
            "3 xfailed… in 0.03…",
            "3 xpassed… in 0.03…",
            "no tests ran in 0.03…",
            // pytest-sugar, pytest-pretty.
            "Results (0.03…):",
        ],
        quiet: "-qq no:terminal",
        prints: "--verbosity=0",
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
        ends: &["unittest"],
        marks: &["Ran 3 tests in 0.001s", "Ran 1 test in 0.001s", "NO TESTS RAN"],
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
        ends: &["jest"],
        marks: &[
            "Tests: …3 total",
            "Test Suites: …3 total",
            "No tests found, exiting with code 0",
            "No tests found related to files changed since …",
        ],
        quiet: "--reporters --json --outputFile",
        prints: "--reporters=default",
        settings: true,
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
        ends: &["vitest"],
        marks: &[
            "Test Files …(3)",
            "Test Files no tests",
            "No test files found, exiting with code 0",
        ],
        quiet: "--reporter --json --outputFile bench",
        prints: "--reporter=default",
        settings: true,
        read: javascript::vitest,
        ..ROW
    },
    Runner {
        name: "mocha",
        commands: &["mocha"],
        forms: &["`2 passing (5ms)`, then `1 pending`, `1 failing`"],
        ends: &["mocha"],
        marks: &["3 passing (5…)"],
        quiet: "--reporter -R",
        prints: "--reporter=spec",
        settings: true,
        read: javascript::mocha,
        ..ROW
    },
    Runner {
        name: "node --test",
        commands: &["node --test"],
        forms: &[
            "`ℹ tests 3`, `ℹ pass 2`, `ℹ fail 1`, `ℹ cancelled 0` …, or with `#` in TAP; a file without tests, which node counts as a test that passed, is taken off",
        ],
        ends: &["node --test"],
        marks: &["# tests 3", "ℹ tests 3"],
        quiet: "--test-reporter",
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
        ends: &["go test"],
        marks: &[
            "ok … 0.01s",
            "ok … 0.01s coverage: …",
            "ok … 0.01s [no tests to run]",
            "ok … (cached)…",
            "? … [no test files]",
            "no packages to test",
            "{…\"Action\":\"pass\",\"Package\":\"…\",\"Elapsed\":0.01}",
            "{…\"Action\":\"skip\",\"Package\":\"…\",\"Elapsed\":0}",
        ],
        quiet: "-exec",
        counts: false,
        read: go::test,
        ..ROW
    },
    Runner {
        name: "deno test",
        commands: &["deno test"],
        forms: &["`ok | 3 passed (2 steps) | 0 failed | 1 ignored | 2 filtered out (6ms)`, `FAILED | …`"],
        ends: &["deno test"],
        marks: &["ok | 3 passed… | 0 failed…(6…)"],
        quiet: "--reporter -q --quiet",
        read: runtimes::deno,
        ..ROW
    },
    Runner {
        name: "bun test",
        commands: &["bun test"],
        forms: &[
            "` 3 pass`, ` 1 fail`, ` 1 skip` …, then `Ran 5 tests across 1 file. [5.00ms]`",
            "`error: regex … matched 0 tests.`, `The following filters did not match any test files:`",
        ],
        ends: &["bun test"],
        marks: &[
            "Ran 3 tests across 1 file…. [5.00…]",
            "Ran 1 test across 1 file…. [5.00…]",
        ],
        quiet: "--reporter",
        read: runtimes::bun,
        ..ROW
    },
    Runner {
        name: "playwright",
        commands: &["playwright test"],
        forms: &[
            "`Running 3 tests using 1 worker`, and at the end `  1 failed`, `  1 flaky`, `  1 skipped`, `  2 passed (5.6s)`; what passed when tried again passed",
            "`Error: No tests found.`",
        ],
        ends: &["playwright test"],
        marks: &["3 passed (5…)", "3 skipped", "3 flaky"],
        quiet: "--reporter",
        prints: "--reporter=list",
        settings: true,
        read: runtimes::playwright,
        ..ROW
    },
    Runner {
        name: "rspec",
        commands: &["rspec"],
        forms: &["`3 examples, 1 failure, 1 pending, 1 error occurred outside of examples`"],
        sums: true,
        ends: &["rspec"],
        marks: &["3 examples, 0 failures…", "1 example, 0 failures…"],
        quiet: "-f --format -o --out",
        prints: "--format=progress",
        settings: true,
        read: others::rspec,
        ..ROW
    },
    Runner {
        name: "minitest",
        commands: &["rails test", "minitest"],
        forms: &[
            "`3 runs, 3 assertions, 1 failures, 0 errors, 1 skips`, and test-unit's with tests, pendings and omissions",
        ],
        sums: true,
        read: others::minitest,
        ..ROW
    },
    Runner {
        name: "phpunit",
        commands: &["phpunit", "php artisan test", "paratest", "pest", "artisan test"],
        forms: &[
            "`OK (3 tests, 3 assertions)`",
            "`FAILURES!`, `ERRORS!`, `WARNINGS!`, `OK, but …`, then `Tests: 3, Assertions: 2, Failures: 1, Skipped: 1.`",
            "`Tests: 1 failed, 2 passed (3 assertions)` (Pest)",
            "`No tests executed!`",
        ],
        sums: true,
        ends: &["phpunit"],
        marks: &[
            "OK (3 test…, 3 assertion…)",
            "Tests: 3, Assertions: 3…",
            "No tests executed!",
        ],
        quiet: "--no-output --no-results --teamcity --printer --testdox-text",
        settings: true,
        read: others::phpunit,
        ..ROW
    },
    Runner {
        name: "ctest",
        commands: &["ctest"],
        forms: &[
            "`67% tests passed, 1 tests failed out of 3`, and the list of tests that did not run",
            "`No tests were found!!!`, `Errors while running CTest`",
        ],
        sums: true,
        ends: &["ctest"],
        marks: &["100% tests passed… out of 3", "No tests were found!!!"],
        quiet: "-Q --quiet --build-and-test",
        read: others::ctest,
        ..ROW
    },
    Runner {
        name: "mix test",
        commands: &["mix test"],
        forms: &["`Finished in 0.02 seconds`, then `1 doctest, 3 tests, 1 failure, 1 skipped, 1 excluded`"],
        sums: true,
        ends: &["mix test"],
        marks: &["Finished in 0.02 seconds…", "There are no tests to run"],
        quiet: "--formatter",
        settings: true,
        read: others::mix,
        ..ROW
    },
    Runner {
        name: "swift test",
        commands: &["swift test", "xcodebuild test"],
        forms: &[
            "`Executed 3 tests, with 1 failure (0 unexpected) in 0.01 (0.02) seconds`, of which the last counts",
            "`Test run with 3 tests passed after 0.01 seconds.`",
        ],
        read: others::swift,
        ..ROW
    },
    Runner {
        name: "maven",
        commands: &["mvn", "mvnw", "mvnd"],
        forms: &[
            "`Tests run: 3, Failures: 1, Errors: 0, Skipped: 0` of the results, without a time",
            "`BUILD SUCCESS`, `BUILD FAILURE`, `COMPILATION ERROR`, `No tests to run.`, `Tests are skipped.`",
        ],
        sums: true,
        read: jvm::maven,
        ..ROW
    },
    Runner {
        name: "gradle",
        commands: &["gradle", "gradlew"],
        forms: &[
            "`BUILD SUCCESSFUL in 3s`, `BUILD FAILED in 3s`; it counts only when something failed: `3 tests completed, 1 failed, 1 skipped`",
            "`> Task :test NO-SOURCE`: nothing was tested",
        ],
        sums: true,
        read: jvm::gradle,
        ..ROW
    },
    Runner {
        name: "dotnet test",
        commands: &["dotnet test"],
        forms: &[
            "`Passed!  - Failed: 0, Passed: 3, Skipped: 0, Total: 3, …`, one per assembly, also in Korean",
            "`Test summary: total: 3, failed: 0, succeeded: 3, skipped: 0, …`; a column under `Total tests: 3`",
            "`Test Run Failed.`, `Build FAILED.`, `No test is available in …`",
        ],
        sums: true,
        read: jvm::dotnet,
        ..ROW
    },
    Runner {
        name: "prove",
        commands: &["prove"],
        forms: &["`Files=2, Tests=6, …`, then `Result: PASS`, `FAIL` or `NOTESTS`"],
        sums: true,
        ends: &["prove"],
        marks: &["Result: PASS", "Result: NOTESTS"],
        quiet: "-Q --QUIET --formatter",
        read: tap::prove,
        ..ROW
    },
    Runner {
        name: "tap",
        commands: &["tape", "bats", "tap"],
        forms: &[
            "`1..3`, `ok 1 - name`, `not ok 2 - name`, `# SKIP`, `# TODO`, `Bail out!`; a plan that does not fit is a failure",
        ],
        sums: true,
        shared: true,
        yields_to: &["node --test"],
        read: tap::tap,
        ..ROW
    },
    Runner {
        name: "junit",
        forms: &[
            "`<testsuites>`, `<testsuite tests=… failures=…>`, `<testcase>` with `<failure>`, `<error>` or `<skipped>`",
        ],
        shared: true,
        read: junit::report,
        ..ROW
    },
    Runner {
        name: "cargo build",
        kind: Some(CheckKind::Build),
        commands: &["cargo build", "cargo b", "cargo doc", "cargo rustc"],
        forms: &[
            "`Finished … target(s) in 0.1s`, `error: could not compile … due to 2 previous errors`, ``warning: `core` (lib) generated 3 warnings``",
            "any `error: …` when the command names it",
        ],
        sums: true,
        yields_to: &["cargo test", "cargo nextest", "cargo clippy", "cargo check"],
        read: build::cargo,
        ..ROW
    },
    Runner {
        name: "cargo check",
        kind: Some(CheckKind::Types),
        commands: &["cargo check", "cargo c"],
        forms: &["as cargo build"],
        alone: false,
        sums: true,
        read: build::cargo,
        ..ROW
    },
    Runner {
        name: "cargo clippy",
        kind: Some(CheckKind::Lint),
        commands: &["cargo clippy", "cargo-clippy"],
        forms: &["as cargo build; warnings are no failure unless they are denied"],
        alone: false,
        sums: true,
        read: build::cargo,
        ..ROW
    },
    Runner {
        name: "tsc",
        kind: Some(CheckKind::Types),
        commands: &["tsc", "vue-tsc"],
        forms: &[
            "`src/a.ts(1,7): error TS2322: …`, `src/a.ts:1:7 - error TS2322: …`, `Found 3 errors in 2 files.`; it prints nothing when it passes",
        ],
        sums: true,
        read: types::tsc,
        ..ROW
    },
    Runner {
        name: "mypy",
        kind: Some(CheckKind::Types),
        commands: &["mypy", "dmypy"],
        forms: &[
            "`Success: no issues found in 3 source files`, `Found 2 errors in 1 file (checked 3 source files)`",
        ],
        sums: true,
        read: types::mypy,
        ..ROW
    },
    Runner {
        name: "pyright",
        kind: Some(CheckKind::Types),
        commands: &["pyright", "basedpyright"],
        forms: &["`2 errors, 1 warning, 0 informations`, `No source files found.`"],
        sums: true,
        read: types::pyright,
        ..ROW
    },
    Runner {
        name: "eslint",
        kind: Some(CheckKind::Lint),
        commands: &["eslint"],
        forms: &[
            "`✖ 3 problems (2 errors, 1 warning)`, `ESLint found too many warnings (maximum: 0).`; it prints nothing when it passes",
        ],
        sums: true,
        read: lint::eslint,
        ..ROW
    },
    Runner {
        name: "biome",
        kind: Some(CheckKind::Lint),
        commands: &["biome"],
        forms: &["`Checked 2 files in 3ms. No fixes applied.`, then `Found 2 errors.`"],
        read: lint::biome,
        ..ROW
    },
    Runner {
        name: "ruff",
        kind: Some(CheckKind::Lint),
        commands: &["ruff"],
        forms: &[
            "`All checks passed!`, `Found 3 errors.`, `Found 3 errors (2 fixed, 1 remaining).`, `1 file would be reformatted, …`",
        ],
        alone: false,
        sums: true,
        read: lint::ruff,
        ..ROW
    },
    Runner {
        name: "golangci-lint",
        kind: Some(CheckKind::Lint),
        commands: &["golangci-lint"],
        forms: &["`3 issues:`, `0 issues.`; before version 2 it prints nothing when it passes"],
        alone: false,
        sums: true,
        read: lint::golangci,
        ..ROW
    },
    Runner {
        name: "make",
        kind: None,
        commands: &["make", "gmake"],
        forms: &[
            "`make: *** [Makefile:6: test] Error 1`, and an error that is ignored in a target such as `test`",
            "`make: 'test' is up to date.` and nothing else: nothing was run",
        ],
        opens: true,
        read: build::make,
        ..ROW
    },
    Runner {
        name: "npm",
        kind: None,
        commands: &["npm", "pnpm", "yarn"],
        forms: &[
            "`npm error Missing script: …`, `npm ERR! Test failed.`, `ELIFECYCLE …`, `error Command failed with exit code 1.`",
        ],
        opens: true,
        read: build::scripts,
        ..ROW
    },
];
