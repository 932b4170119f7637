//! What is no run is not taken for one, and what failed stays failed.

use super::line;
use super::samples::{Sample, samples};
use crate::{HEAD, RUNNERS, TAIL, summarise, summarise_all};
use proptest::prelude::*;
use std::sync::LazyLock;

static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(samples);

/// What programs and people write between the lines that count.
const NOISE: &[&str] = &[
    "0 errors",
    "failed: 0",
    "ERROR 2026-11-21 worker: could not connect, retrying",
    "FAILED to open the cache, going on without",
    "test failure_is_reported ... ok",
    "3 failed attempts were logged",
    "not ok with that",
    "Tests are great: 12 passed",
    "✅ 12/12 tests passed",
    "오류 0개, 경고 1개",
    "실패한 테스트: 없음",
    "panic: is what one does not do",
    "Found 3 errors in judgement, said the reviewer",
    "make: it so",
    "ok then",
    "1..2 and so on",
    "<testsuite> is an element",
    "    E   assert 1 == 2",
    "Ran 3 miles in 2.5 hours",
    "-- 통과 --",
];

fn failed(text: &str, hint: &str) -> bool {
    summarise(text, Some(hint)).is_some_and(|s| s.is_failure())
}

#[test]
fn talk_about_tests_is_no_run_of_tests() {
    let all: Vec<&str> = RUNNERS
        .iter()
        .flat_map(|r| r.commands)
        .copied()
        .chain([""])
        .collect();
    for text in [
        "12 passed",
        "12 passed, 0 failed",
        "✅ 12/12 tests passed",
        "All tests passed!",
        "tests: 12 passed",
        "I ran pytest: === 12 passed in 0.03s ===",
        "test result: ok",
        "test result: ok. All good.",
        "test result: ok. 12 passed",
        "Tests: 12 passed",
        "Tests  12 passed",
        "12 passing",
        "OK",
        "PASS",
        "ok",
        "Result: PASS",
        "BUILD SUCCESSFUL",
        "Passed! 12 of 12",
        "ok | 12 passed",
        "12 examples",
        "100% tests passed",
        "Tests run: 12",
        "Summary: 12 tests run: 12 passed",
        "pytest",
        "<testsuite",
        "테스트 12개 통과",
    ] {
        for hint in &all {
            let got = summarise(text, Some(hint));
            assert!(got.is_none(), "{text:?} under {hint:?}: {got:?}");
        }
        assert!(summarise(text, None).is_none(), "{text:?}");
    }
}

#[test]
fn noise_around_a_run_changes_nothing() {
    let noise = NOISE.join("\n");
    // make says nothing was run only when nothing else was printed.
    for s in SAMPLES.iter().filter(|s| !s.name.starts_with("make/")) {
        let hint = Some(s.command.as_str());
        let expected = line(summarise(&s.text, hint).as_ref());
        for text in [format!("{noise}\n{}", s.text), format!("{}\n{noise}\n", s.text)] {
            assert_eq!(
                line(summarise(&text, hint).as_ref()),
                expected,
                "{}:\n{text}",
                s.name
            );
        }
    }
}

#[test]
fn noise_alone_says_nothing() {
    for row in RUNNERS {
        for hint in row.commands {
            let got = summarise(&NOISE.join("\n"), Some(hint));
            assert!(got.is_none(), "{hint}: {got:?}");
        }
    }
}

#[test]
fn line_ends_and_colours_change_nothing() {
    for s in SAMPLES.iter() {
        let hint = Some(s.command.as_str());
        let expected = line(summarise(&s.text, hint).as_ref());
        let crlf = s.text.replace("\r\n", "\n").replace('\n', "\r\n");
        assert_eq!(
            line(summarise(&crlf, hint).as_ref()),
            expected,
            "{} with CRLF",
            s.name
        );
        let coloured: Vec<String> = s
            .text
            .lines()
            .map(|l| format!("\x1b[1;32m{l}\x1b[0m\x1b[K"))
            .collect();
        let coloured = coloured.join("\n");
        assert_eq!(
            line(summarise(&coloured, hint).as_ref()),
            expected,
            "{} in colour",
            s.name
        );
    }
}

/// A command that names one runner and nothing that may run within it.
fn strict_hints() -> Vec<(&'static str, &'static str)> {
    let rows = RUNNERS.iter().filter(|r| !r.opens);
    rows.filter_map(|r| Some((r.name, *r.commands.first()?)))
        .collect()
}

#[test]
fn another_runners_pass_is_not_believed() {
    for (runner, hint) in strict_hints() {
        let row = RUNNERS.iter().find(|r| r.name == runner).unwrap();
        for s in SAMPLES.iter() {
            let Some(own) = summarise(&s.text, Some(&s.command)) else {
                continue;
            };
            let same_form = RUNNERS.iter().any(|r| {
                own.runner.split(", ").any(|n| n == r.name)
                    && (r.shared || std::ptr::fn_addr_eq(r.read, row.read))
            });
            if own.runner.split(", ").any(|n| n == runner) || same_form {
                continue;
            }
            let got = summarise(&s.text, Some(hint));
            // Node writes TAP, which any runner may be told to.
            let shared = got.as_ref().is_some_and(|g| g.runner == "tap");
            let passes = got.as_ref().is_some_and(|g| g.passed.is_some_and(|n| n > 0));
            assert!(!passes || shared, "{} under {hint}: {got:?}", s.name);
        }
    }
}

#[test]
fn a_cut_output_keeps_its_failure_and_loses_its_sums() {
    for s in SAMPLES.iter() {
        let lines: Vec<&str> = s.text.lines().collect();
        let (head, tail) = (lines.len() / 4, lines.len() / 2);
        let text = format!(
            "{}\n... [{} lines truncated] ...\n{}\n",
            lines[..head].join("\n"),
            tail - head,
            lines[tail..].join("\n")
        );
        let Some(got) = summarise(&text, Some(&s.command)) else {
            continue;
        };
        assert!(got.cut, "{}", s.name);
        let whole = summarise(&s.text, Some(&s.command));
        let sums = RUNNERS.iter().any(|r| r.name == got.runner && r.sums);
        if sums {
            assert_eq!((got.passed, got.failed), (None, None), "{}", s.name);
        } else if let Some(whole) = whole.filter(|w| w.is_failure()) {
            assert!(got.is_failure(), "{}: {whole:?} became {got:?}", s.name);
        }
    }
}

#[test]
fn long_outputs_are_read_at_their_ends_and_fast() {
    let mut filler: Vec<String> = NOISE.iter().map(|n| format!("{n}\n")).collect();
    for unit in [
        "[",
        "=",
        "ok ",
        "\x1b[",
        "<testsuite ",
        "<",
        "\"",
        "(",
        "1, ",
        "{\"Action\":\"",
        "\n",
        "a\n",
        "ℹ pass 1\n",
        "omitted ",
        "ab\n",
        "…",
        "# ",
    ] {
        filler.push(unit.to_owned());
    }
    let began = std::time::Instant::now();
    for unit in &filler {
        let long = unit.repeat(3 * (HEAD + TAIL) / unit.len());
        let text = format!(
            "{long}\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
        );
        let got = summarise(&text, Some("cargo test")).unwrap();
        assert!(
            got.is_failure() && got.cut && got.passed.is_none(),
            "{unit:?}: {got:?}"
        );
        let _ = summarise(&long, None);
        for row in RUNNERS {
            let _ = summarise(&long, row.commands.first().copied());
        }
    }
    // Some 1,700 readings of 320 KiB; a quadratic one would take minutes.
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn several_runners_in_one_output_fail_together() {
    let text = |name: &str| &SAMPLES.iter().find(|s| s.name == name).unwrap().text;
    let both = format!("{}{}", text("jest/pass"), text("pytest/fail"));
    let all = summarise_all(&both, Some("make check"));
    let names: Vec<&str> = all.iter().map(|s| s.runner.as_str()).collect();
    assert_eq!(names, ["pytest", "jest"]);
    assert_eq!(
        line(summarise(&both, None).as_ref()),
        "pytest, jest, passed 3, failed 1, skipped 0 FAILURE"
    );
    let good = format!("{}{}", text("jest/pass"), text("tsc/fail"));
    assert_eq!(
        line(summarise(&good, None).as_ref()),
        "jest, tsc, passed 2, failed 0, skipped 0 FAILURE"
    );
}

#[test]
fn the_end_that_is_missing_is_not_made_up() {
    for (text, hint, expected) in [
        ("running 3 tests\ntest a ... ok\n", "cargo test", "cargo test"),
        (
            "running 3 tests\ntest a ... FAILED\n",
            "cargo test",
            "cargo test FAILURE",
        ),
        (
            "running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\nrunning 9 tests\n",
            "cargo test",
            "cargo test",
        ),
        (
            "test_a.py::test_x FAILED                 [ 50%]\n",
            "pytest",
            "pytest FAILURE",
        ),
        (
            "FAILED tests/test_a.py::test_x - assert 0\n",
            "pytest",
            "pytest FAILURE",
        ),
        // The session ended itself after its tests, before anything was said of them.
        ("FF         [100%]\n", "pytest -q", "pytest FAILURE"),
        (".E         [100%]\n", "pytest", "pytest FAILURE"),
        ("EE         [100%]\n", "pytest -q", "pytest FAILURE"),
        (
            "F.E.F      [ 50%]\n.....      [100%]\n",
            "pytest -q",
            "pytest FAILURE",
        ),
        ("..F        [ 50%]\n", "pytest -qq", "pytest FAILURE"),
        (".sxXR      [100%]\n", "pytest -q", "pytest"),
        (
            "FF         [100%]\n2 passed in 0.02s\n",
            "pytest -q",
            "pytest, passed 2, failed 0, skipped 0 FAILURE",
        ),
        (
            "--- FAIL: TestA (0.00s)\n",
            "go test ./...",
            "go test, failed 1 FAILURE",
        ),
        ("FAIL src/a.test.js\n", "npx jest", "jest FAILURE"),
        (" FAIL  src/a.test.js > adds\n", "vitest run", "vitest FAILURE"),
        ("Ran 3 tests in 0.001s\n", "python -m unittest", "unittest"),
        (
            "ok 1 - a\nnot ok 2 - b\n",
            "bats test",
            "tap, passed 1, failed 1, skipped 0 FAILURE",
        ),
    ] {
        assert_eq!(line(summarise(text, Some(hint)).as_ref()), expected, "{text}");
    }
}

fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0..SAMPLES.len(), any::<prop::sample::Index>()).prop_map(|(i, at)| {
            let lines: Vec<&str> = SAMPLES[i].text.lines().chain([""]).collect();
            lines[at.index(lines.len())].to_owned()
        }),
        1 => prop::sample::select(NOISE).prop_map(str::to_owned),
        1 => "\\PC{0,40}",
        1 => "[ -~\n\r\t\x1b]{0,30}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_lines_in_any_order_are_read(lines in prop::collection::vec(any_line(), 0..40), row in 0..RUNNERS.len()) {
        let text = lines.join("\n");
        for hint in [None, RUNNERS[row].commands.first().copied()] {
            let got = summarise(&text, hint);
            prop_assert_eq!(&got, &summarise(&text, hint));
            let all = summarise_all(&text, hint);
            prop_assert_eq!(got.is_some(), !all.is_empty());
            prop_assert_eq!(got.is_some_and(|s| s.is_failure()), all.iter().any(|s| s.is_failure()));
        }
    }
}

/// A run that failed, with noise and whole runs that passed behind it and before it.
#[test]
fn a_pass_beside_a_failure_does_not_undo_it() {
    // A report in a form that many share counts only where the runner's own is not there.
    let shared = |s: &Sample| s.name.starts_with("junit/");
    let bad = SAMPLES
        .iter()
        .filter(|s| failed(&s.text, &s.command) && !shared(s));
    let noise = NOISE.join("\n");
    let good: Vec<&str> = SAMPLES
        .iter()
        .filter(|s| s.exit == Some(0))
        .map(|s| s.text.as_str())
        .chain([noise.as_str()])
        .collect();
    let mut pairs = 0;
    for sample in bad {
        for beside in &good {
            let behind = format!("{}\n{beside}", sample.text);
            assert!(failed(&behind, &sample.command), "{}:\n{behind}", sample.name);
            let before = format!("{beside}\n{}", sample.text);
            assert!(failed(&before, &sample.command), "{}:\n{before}", sample.name);
            pairs += 1;
        }
    }
    assert!(pairs > 5_000, "{pairs} pairs");
}

/// Two runs that passed, whichever they are, under the command of either.
#[test]
fn two_passes_make_no_failure() {
    let good = |s: &&Sample| s.exit == Some(0) && !failed(&s.text, &s.command);
    for first in SAMPLES.iter().filter(good) {
        for second in SAMPLES.iter().filter(good) {
            let text = format!("{}\n{}", first.text, second.text);
            assert!(
                !failed(&text, &first.command),
                "{}, {}:\n{text}",
                first.name,
                second.name
            );
            assert!(!failed(&text, ""), "{}, {}:\n{text}", first.name, second.name);
        }
    }
}
