//! Which runs show their end, and which do not.

use super::samples::{place, samples};
use crate::{RUNNERS, always_ends, missing_end, printing, summarise, tells_figures};
use proctor_kernel::End;

fn missing(output: &str, command: &str) -> Option<End> {
    missing_end(output, command, summarise(output, Some(command)).as_ref(), true)
}

#[test]
fn runs_that_ended_well_show_their_end() {
    let mut seen = 0;
    for s in samples()
        .iter()
        .filter(|s| s.exit == Some(0) && always_ends(&s.command))
    {
        assert_eq!(missing(&s.text, &s.command), None, "{}", s.name);
        seen += 1;
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn what_is_said_of_a_runner_was_seen_of_it() {
    for row in RUNNERS.iter().filter(|r| !r.ends.is_empty()) {
        let own = format!("{}/", place(row.name));
        for command in row.ends {
            assert!(always_ends(command), "{command}");
            assert!(
                row.commands.iter().any(|c| command.starts_with(c)),
                "{command} is no command of {}",
                row.name
            );
            assert_eq!(missing("", command), Some(End::Silent), "{command}");
        }
        let real = samples()
            .into_iter()
            .filter(|s| s.name.starts_with(&own) && s.source.starts_with("real ") && always_ends(&s.command))
            .count();
        assert!(real > 1, "{}: {real} real samples", row.name);
        let pass = samples().into_iter().find(|s| s.name == format!("{own}pass"));
        let pass = pass.unwrap_or_else(|| panic!("{own}pass"));
        let told = summarise(&pass.text, Some(&pass.command)).and_then(|s| s.passed);
        assert_eq!(told.is_some(), tells_figures(row.name), "{}", row.name);
        for s in samples() {
            let good = s.name.starts_with(&own) && s.exit == Some(0) && always_ends(&s.command);
            let quiet = s.name == "pytest/silent";
            // A list of tests, and a build alone, run none.
            let ran = !s.command.contains("--list") && !s.command.contains("--no-run");
            if good && !quiet && ran && !s.command.contains("--collect-only") {
                let text = crate::output::plain(&s.text);
                let fits = |line| row.marks.iter().any(|form| crate::scan::fits(form, line));
                assert!(text.lines().any(fits), "{}", s.name);
            }
        }
    }
}

#[test]
fn an_end_that_was_not_printed_is_missed() {
    let silent = Some(End::Silent);
    let hidden = Some(End::Hidden);
    for (command, output, expected) in [
        // The process ended itself.
        ("cargo test", "   Compiling x v0.1.0\n\nrunning 3 tests\n", silent),
        (
            "cargo test",
            "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; \
             finished in 0.00s\n\nrunning 3 tests\n",
            silent,
        ),
        // One run within another.
        (
            "cargo test -- --nocapture",
            "running 1 test\nrunning 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; \
             finished in 0.00s\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; \
             finished in 0.00s\n",
            None,
        ),
        ("cargo nextest run", "    Finished `test` profile\n", silent),
        ("unittest -q", "", silent),
        ("python3 -m unittest", "loading\n", silent),
        (
            "pytest",
            "=== test session starts ===\ncollected 3 items\n\ntest_a.py ..",
            silent,
        ),
        ("pytest -q", "..", silent),
        // Told twice to be quiet, once by a settings file.
        ("pytest -q", "...   [100%]\n", None),
        ("pytest -q", "...   [ 60%]\n", silent),
        (
            "pytest",
            "=== test session starts ===\ncollected 3 items\n...   [100%]\n",
            silent,
        ),
        ("pytest -qq", "...   [100%]\n", None),
        // Who asks for more is told the end.
        ("pytest -v", "...   [100%]\n", silent),
        ("uv run pytest -xvs tests", "...   [100%]\n", silent),
        ("pytest --verbose", "...   [100%]\n", silent),
        ("pytest -v -q", "...   [100%]\n", None),
        ("pytest -rv tests/test-v", "...   [100%]\n", None),
        ("pytest -qq", "", hidden),
        ("pytest -q -x -q", "", hidden),
        ("pytest -p no:terminal", "", hidden),
        ("go test ./...", "", silent),
        ("jest", "  console.log\n    hello\n", silent),
        ("jest --json", "{\"numTotalTests\":3}", hidden),
        ("vitest run --reporter=custom", "", hidden),
        // A report that the settings name.
        ("npx mocha", "{\n  \"stats\": {}\n}\n", hidden),
        ("npx mocha", "  a list\n    ✔ works\n", silent),
        ("playwright test", "", silent),
        ("rspec -fj", "", hidden),
        ("rspec", "..", silent),
        (
            "vendor/bin/phpunit",
            "PHPUnit 9.6.7 by Sebastian Bergmann\n",
            silent,
        ),
        ("ctest", "", silent),
        ("ctest -Q", "", hidden),
        ("mix test", "Running ExUnit with seed: 1\n", silent),
        ("uv run pytest", "", silent),
        // An end that is not understood is one.
        (
            "mix test --slowest 3",
            "Finished in 0.1 seconds (0.1s async, 0.0s sync)\n\nTop 3 slowest (0.00s), 1.1% of total time:\n\n3 tests, 0 failures\n",
            None,
        ),
        ("pytest", "==== 3 passed, 1 adopted in 0.03s ====", None),
        (
            "pytest",
            " test_a.py \u{2713}\u{2713}   100%\n\nResults (0.03s):\n       2 passed\n",
            None,
        ),
        (
            "cargo test",
            "test result: fine. 3 passed; 0 failed; 1 adopted; finished in 0.01s\n",
            None,
        ),
        // Nothing is known of these.
        ("make test", "", None),
        ("npm test", "", None),
        ("npm run jest", "", None),
        ("./run.sh", "", None),
        ("tox", "", None),
        ("cargo build", "", None),
        ("cargo bench", "", None),
        ("tsc", "", None),
        ("mvn -q test", "", None),
        ("", "", None),
    ] {
        assert_eq!(missing(output, command), expected, "{command}: {output:?}");
    }
}

#[test]
fn what_a_program_says_in_passing_is_no_end() {
    for (command, said) in [
        ("cargo test", "test result: see below"),
        ("cargo nextest run", "Summary [of the day]"),
        ("pytest", "all 3 passed in the end"),
        ("pytest", "Results (all of them)"),
        ("python3 -m unittest", "Ran all"),
        ("python3 -m unittest", "Ran 3 tests in a row"),
        ("jest", "Tests: none yet"),
        ("npx jest", "Ran all test suites."),
        ("jest", "No tests found in the list"),
        ("vitest run", "Test Files are read"),
        ("npx mocha", "the light is passing (slowly)"),
        ("node --test", "# tests follow"),
        ("go test ./...", "ok \tthe first part is done"),
        ("go test -json ./...", "{\"Elapsed\": \"a while\"}"),
        ("deno test", "ok | so far"),
        ("bun test", "spread 3 tests across all machines"),
        ("playwright test", "a step was skipped"),
        ("rspec", "for examples, see below"),
        ("vendor/bin/phpunit", "OK (really)"),
        ("ctest", "most tests passed, it seems"),
        ("mix test", "Finished in time"),
        ("prove -v", "Result: nothing yet"),
    ] {
        let all = format!("{said}\n");
        assert_eq!(missing(&all, command), Some(End::Silent), "{command}: {said}");
    }
}

#[test]
fn what_a_host_left_out_is_not_missed() {
    let cut = "test a ... ok\n\n... [120 lines truncated] ...";
    assert_eq!(missing_end(cut, "cargo test", None, false), None);
    assert_eq!(missing_end(cut, "cargo test", None, true), Some(End::Silent));
    assert_eq!(missing_end("", "cargo test", None, false), Some(End::Silent));
}

#[test]
fn what_makes_a_runner_print_its_end() {
    for (command, expected) in [
        ("npx jest", Some("--reporters=default")),
        ("node_modules/.bin/vitest run", Some("--reporter=default")),
        ("mocha", Some("--reporter=spec")),
        ("playwright test", Some("--reporter=list")),
        ("bundle exec rspec", Some("--format=progress")),
        ("uv run pytest -q", Some("--verbosity=0")),
        // It asks for something else by itself, or no settings hide its end, or nobody knows what it starts.
        ("jest --reporters=jest-junit", None),
        ("pytest -qq", None),
        ("pytest -p no:terminal", None),
        ("cargo test", None),
        ("npm test", None),
        ("", None),
    ] {
        assert_eq!(printing(command), expected, "{command}");
    }
    // Only where its settings can hide it, or how much it says.
    for row in RUNNERS.iter().filter(|r| !r.prints.is_empty()) {
        assert!(row.settings || row.name == "pytest", "{}", row.name);
        assert!(!row.ends.is_empty(), "{}", row.name);
    }
}

#[test]
fn who_tells_figures() {
    for (names, tells) in [
        ("pytest", true),
        ("make, cargo test", true),
        ("go test", false),
        ("gradle", false),
        ("", false),
    ] {
        assert_eq!(tells_figures(names), tells, "{names}");
    }
}
