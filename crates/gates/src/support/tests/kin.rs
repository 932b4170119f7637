//! Which later pass makes a failure good.

use super::*;

/// A run of `check` that ended with 1, or with 0 where nothing `failed`. No `runner`: it printed no form that is known.
fn of(check: &str, runner: &str, passed: u64, failed: u64) -> CheckRun {
    with(|r| {
        r.check = check.to_owned();
        r.command = check.to_owned();
        r.exit = Some(i32::from(failed > 0));
        r.output = Some(proctor_kernel::Digest::of(b"x"));
        r.summary = (!runner.is_empty()).then(|| Summary {
            runner: runner.to_owned(),
            passed: Some(passed),
            failed: Some(failed),
            says_failed: failed > 0,
            ..Summary::default()
        });
    })
}

fn own(name: &str, run: CheckRun) -> CheckRun {
    CheckRun {
        own: Some(name.to_owned()),
        ..run
    }
}

fn varied(run: CheckRun) -> CheckRun {
    CheckRun { varied: true, ..run }
}

fn of_kind(kind: CheckKind, run: CheckRun) -> CheckRun {
    CheckRun {
        kinds: kind.into(),
        ..run
    }
}

fn partial(run: CheckRun) -> CheckRun {
    CheckRun { partial: true, ..run }
}

#[test]
fn a_failure_is_undone_by_its_own_runner_alone() {
    let red = || of("unittest", "unittest", 0, 2);
    let table: Vec<(&str, CheckRun, CheckRun, bool)> = vec![
        (
            "another runner",
            red(),
            of("node --test", "node --test", 1, 0),
            false,
        ),
        (
            "a script that prints nothing",
            red(),
            of("bash run_tests.sh", "", 0, 0),
            false,
        ),
        (
            "a target that runs nothing",
            red(),
            of("make test", "", 0, 0),
            false,
        ),
        (
            "a target that runs the same",
            red(),
            of("make test", "unittest", 2, 0),
            true,
        ),
        (
            "a target that runs fewer",
            red(),
            of("make test", "unittest", 1, 0),
            false,
        ),
        (
            "the tests by a runner that runs them too",
            red(),
            of("pytest", "pytest", 2, 0),
            true,
        ),
        ("fewer of them", red(), of("pytest", "pytest", 1, 0), false),
        (
            "another spelling",
            partial(of("unittest tests/test_a.py", "unittest", 1, 1)),
            of("unittest discover", "unittest", 9, 0),
            true,
        ),
        (
            "the binary of another shell of it",
            of("cargo test", "cargo test", 1, 1),
            of("cargo nextest run", "cargo nextest", 2, 0),
            true,
        ),
        (
            "the script behind the runner",
            of("npm test", "vitest", 3, 1),
            of("vitest run", "vitest", 4, 0),
            true,
        ),
        (
            "packages after tests",
            of("go test -v ./a", "go test", 40, 1),
            of("make test", "go test", 12, 0),
            true,
        ),
        (
            "one of two that failed",
            of("make test", "pytest, jest", 3, 1),
            of("pytest", "pytest", 9, 0),
            false,
        ),
        (
            "a part of a script by its name",
            partial(of("npm run test:unit", "", 0, 1)),
            of("npm test", "", 0, 0),
            true,
        ),
        (
            "another script",
            of("npm run e2e", "playwright", 0, 1),
            of("npm test", "jest", 9, 0),
            false,
        ),
        (
            "another package manager",
            of("yarn test", "jest", 8, 1),
            of("npm test", "jest", 9, 0),
            true,
        ),
        (
            "a tool that is missing, then one that is there",
            of("pytest", "", 0, 1),
            of("unittest", "unittest", 2, 0),
            true,
        ),
        (
            "a script that is missing",
            of("npm test", "npm", 0, 1),
            of("node --test", "node --test", 3, 0),
            true,
        ),
        (
            "other settings, and as many tests",
            of("jest", "jest", 1, 1),
            of("jest -c other.js", "jest", 5, 0),
            false,
        ),
        (
            "a folder that an option names, and fewer tests",
            of("unittest", "unittest", 2, 2),
            of("unittest discover -s tests", "unittest", 2, 0),
            false,
        ),
        (
            "a folder that an option names, and all the tests",
            of("unittest", "unittest", 2, 2),
            of("unittest discover -s tests", "unittest", 4, 0),
            true,
        ),
        (
            "an option that may leave some out, and no number",
            of("pytest", "pytest", 1, 1),
            of("pytest -p myplugin", "", 0, 0),
            false,
        ),
        (
            "the same with fewer tests",
            of("pytest", "pytest", 4, 1),
            of("pytest -q", "pytest", 3, 0),
            true,
        ),
        (
            "one package of Go",
            of("go test ./...", "go test", 3, 1),
            of("go test", "go test", 9, 0),
            false,
        ),
        (
            "a project of Gradle",
            of("gradle test", "gradle", 3, 1),
            of("gradle :pkg:test", "", 0, 0),
            false,
        ),
        (
            "an option that was wrong",
            of("pytest --no-such-option", "", 0, 1),
            of("pytest", "pytest", 2, 0),
            true,
        ),
        (
            "the policy's check with other words",
            own("py", of("pytest", "pytest", 3, 1)),
            varied(own("py", of("pytest -c other.ini", "pytest", 9, 0))),
            false,
        ),
        (
            "what does not compile",
            of("cargo test", "cargo build", 0, 1),
            of("node --test", "node --test", 3, 0),
            false,
        ),
        (
            "the check of the policy",
            of("pytest", "pytest", 3, 1),
            own("test", of("make test", "", 0, 0)),
            true,
        ),
        (
            "another check of the policy",
            own("py", red()),
            own("js", of("npm test", "jest", 9, 0)),
            false,
        ),
        (
            "what the policy does not name",
            own("py", red()),
            of("node --test", "node --test", 3, 0),
            false,
        ),
    ];
    for (name, failure, pass, undone) in table {
        let told = ask(TESTS, &[failure.clone(), pass.clone()]).reason;
        assert_eq!(told == Reason::Supported, undone, "{name}: {told}");
        // The failure of a whole stays where the tree changed since.
        let told = ask(TESTS, &[on("s", failure.clone()), pass]).reason;
        assert_eq!(
            told == Reason::Supported,
            undone || failure.partial,
            "{name}, on another tree: {told}"
        );
    }
    let hung = CheckRun {
        exit: Some(124),
        ..of("pytest", "", 0, 1)
    };
    let told = ask(TESTS, &[hung, of("node --test", "node --test", 3, 0)]);
    assert_eq!(told.reason, Reason::SupersededByFailure);
    let later = ask(TESTS, &[on("s", red()), of("node --test", "node --test", 1, 0)]);
    assert_eq!(
        later.missing,
        "`unittest` failed, and not all of it was run again since"
    );
}

#[test]
fn builds_and_types_are_undone_by_what_may_be_theirs() {
    use CheckKind::{Build, Lint, Types};
    let table: Vec<(&str, CheckKind, CheckRun, CheckRun, bool)> = vec![
        (
            "the script that starts it",
            Types,
            of("tsc", "tsc", 0, 3),
            of("npm run typecheck", "", 0, 0),
            true,
        ),
        (
            "a tool of another language",
            Types,
            of("tsc", "tsc", 0, 3),
            of("mypy", "mypy", 9, 0),
            false,
        ),
        (
            "another tool",
            Types,
            of("mypy", "mypy", 0, 3),
            of("pyright", "pyright", 9, 0),
            false,
        ),
        (
            "another tool for style",
            Lint,
            of("eslint .", "eslint", 0, 1),
            of("prettier --check .", "", 0, 0),
            false,
        ),
        (
            "what starts the tools",
            Lint,
            of("eslint .", "eslint", 0, 1),
            of("pre-commit run --all-files", "", 0, 0),
            true,
        ),
        (
            "another work of the same tool",
            Lint,
            of("ruff check .", "ruff", 0, 3),
            of("ruff format --check", "ruff", 0, 0),
            false,
        ),
        (
            "fewer rules",
            Lint,
            of("ruff check .", "ruff", 0, 3),
            of("ruff check . --ignore F401", "ruff", 0, 0),
            false,
        ),
        (
            "a stricter run",
            Lint,
            of("eslint .", "eslint", 0, 3),
            of("eslint . --max-warnings 0", "", 0, 0),
            true,
        ),
        (
            "less than all is checked",
            Types,
            of("tsc --noEmit", "tsc", 0, 3),
            of("tsc --noEmit --noCheck", "", 0, 0),
            false,
        ),
        (
            "files are left out",
            Types,
            of("mypy .", "mypy", 0, 2),
            of("mypy . --exclude calc", "mypy", 2, 0),
            false,
        ),
        (
            "a build of the documentation",
            Build,
            of("cargo build", "cargo build", 0, 1),
            of("cargo doc", "cargo build", 0, 0),
            false,
        ),
        (
            "an optimised build",
            Build,
            of("cargo build", "cargo build", 0, 1),
            of("cargo build --release", "cargo build", 0, 0),
            true,
        ),
        (
            "one package of a build",
            Build,
            of("go build ./...", "", 0, 1),
            of("go build", "", 0, 0),
            false,
        ),
        (
            "what the script starts",
            Build,
            of("npm run build", "", 0, 1),
            of("vite build", "", 0, 0),
            true,
        ),
        (
            "a build of another language",
            Build,
            of("npm run build", "npm", 0, 1),
            of("cargo build", "", 0, 0),
            false,
        ),
    ];
    for (name, kind, failure, pass, undone) in table {
        let runs = [of_kind(kind, failure), of_kind(kind, pass)];
        let told = ask(Wanted::Check(kind), &runs).reason;
        assert_eq!(told == Reason::Supported, undone, "{name}: {told}");
    }
    // The tests of the front end show nothing of its build.
    let runs = [
        of_kind(Build, of("npm run build", "npm", 0, 1)),
        of("npm test", "node --test", 3, 0),
    ];
    assert_eq!(ask(Wanted::Check(Build), &runs).reason, Reason::FailedExit);
    assert_eq!(ask(TESTS, &runs).reason, Reason::Supported);
}
