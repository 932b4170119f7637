//! What holds for every line.

use super::dice::Dice;
use crate::{Analysis, Check, analyse};
use proptest::prelude::*;

/// A line of the generator.
fn line() -> impl Strategy<Value = String> {
    (any::<u64>(), 0..3_usize).prop_map(|(seed, depth)| Dice { seed, body: false }.list(depth))
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// What is said of the checks, wherever they stand.
fn said(analysis: &Analysis) -> Vec<(String, Vec<proctor_kernel::Mask>)> {
    let said = |c: &Check| (c.check.clone(), c.masks.clone());
    analysis.checks.iter().map(said).collect()
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        let analysis = analyse(&text, &[]);
        prop_assert!(analysis.commands.iter().all(|c| !c.argv.is_empty()));
    }

    #[test]
    fn text_like_a_shell_s_is_read(
        text in "(cargo test|pytest|if|then|fi|do|done|case|esac|in|<<E|E\n|\\$\\(|\\$\\(\\(|\\$\\{|[ '\"\\\\`(){}<>|&;\n#=$!\\[\\]a-c]){0,60}"
    ) {
        let analysis = analyse(&text, &[]);
        for check in &analysis.checks {
            prop_assert_eq!(analysis.commands[check.command].check.map(|c| &analysis.checks[c]), Some(check));
        }
        if analysis.unanalysable.is_some() {
            prop_assert!(analysis.may_write);
        }
    }

    #[test]
    fn quoted_words_come_back(words in prop::collection::vec("[^\0\r]{0,12}", 0..5)) {
        let mut text = "words".to_owned();
        for word in &words {
            text.push(' ');
            text.push_str(&quote(word));
        }
        let analysis = analyse(&text, &[]);
        prop_assert_eq!(analysis.unanalysable, None);
        prop_assert_eq!(&analysis.commands[0].argv[1..], words.as_slice());
    }

    #[test]
    fn or_true_masks_everything(line in line()) {
        for check in analyse(&format!("( {line}\n) || true"), &[]).checks {
            prop_assert!(!check.masks.is_empty(), "{}", check.check);
        }
        for check in analyse(&format!("{{ {line}\n}} &"), &[]).checks {
            prop_assert!(!check.masks.is_empty(), "{}", check.check);
        }
        for check in analyse(&format!("{{ {line}\n}} | cat"), &[]).checks {
            prop_assert!(!check.masks.is_empty(), "{}", check.check);
        }
    }

    #[test]
    fn and_true_masks_nothing(line in line()) {
        // What stands before `&&` runs without `set -e`.
        let line = line.replace("set -e", "set -u");
        let before = analyse(&format!("( {line}\n)"), &[]);
        let after = analyse(&format!("( {line}\n) && true"), &[]);
        prop_assert_eq!(said(&before), said(&after));
    }

    #[test]
    fn a_shell_in_between_changes_nothing(line in line()) {
        let plain = analyse(&line, &[]);
        let inner = analyse(&format!("timeout 60 bash -c {}", quote(&line)), &[]);
        prop_assert_eq!(said(&plain), said(&inner));
        let document = analyse(&format!("bash <<'END'\n{line}\nEND\n"), &[]);
        prop_assert_eq!(said(&plain), said(&document));
    }

    #[test]
    fn the_same_twice(line in line()) {
        prop_assert_eq!(analyse(&line, &[]), analyse(&line, &[]));
    }
}

/// What a hostile line costs grows with its length, and no stack overflows.
#[test]
fn hostile_lines_end() {
    let time = |piece: &str, tail: &str| {
        let line = format!(
            "{}{}",
            piece.repeat(60_000 / piece.len()),
            tail.repeat(20_000 / tail.len().max(1))
        );
        let begin = std::time::Instant::now();
        let analysis = analyse(&line, &[]);
        (begin.elapsed(), analysis)
    };
    for (piece, tail) in [
        ("$(", ""),
        ("$(", ")"),
        ("((", ""),
        ("$((", ""),
        ("$((", "))"),
        ("$(( ", ")"),
        ("(", ")"),
        ("{ ", "}"),
        ("`", ""),
        ("\\`", ""),
        ("\"$(", ""),
        ("${", "}"),
        ("${x:-", "}"),
        ("<(", ")"),
        ("if ", ""),
        ("case x in ", ""),
        ("<<E ", ""),
        ("<<E\n", ""),
        ("! ", "a"),
        ("time ", "a"),
        ("a|", "a"),
        ("a&&", "a"),
        ("a;", ""),
        ("a=b ", "c"),
        ("'", ""),
        ("\"", ""),
        ("\\", ""),
        ("f(){ f;f;};", "f"),
        ("cargo test;", ""),
        ("sudo ", "a"),
        ("bash -c '", ""),
        ("a[", "=b"),
        ("x=$x$x ", ""),
        ("x=$x$x;", "$x"),
        ("x=ab$x$x;", "$x"),
        ("f(){ x=1;", "};f;"),
        ("\u{d55c}", ""),
        ("#", ""),
        ("\n", ""),
        ("$'\\x41'", ""),
        (">a ", ""),
        ("[[ ", ""),
        ("1>", ""),
        ("-a ", ""),
        ("for x in a;do ", ""),
    ] {
        let (took, analysis) = time(piece, tail);
        assert!(took.as_secs() < 30, "{piece:?} {tail:?} took {took:?}");
        assert!(analysis.commands.len() <= 1_000 && analysis.checks.len() <= 64);
    }
}

#[test]
#[ignore = "a measurement, for a quiet machine in release mode"]
fn cost_of_a_line() {
    let lines: Vec<&str> = include_str!("masks.txt")
        .lines()
        .filter_map(|l| l.split("  =>").next())
        .collect();
    for (name, line) in [
        ("one check", "cargo test --workspace"),
        (
            "usual",
            "cd crates/core && RUST_BACKTRACE=1 timeout 600 cargo test --all-features 2>&1 | tail -40",
        ),
        ("no check", "git status --short && git diff --stat | head -20"),
        (
            "message",
            "git add -A && git commit -q -m \"$(cat <<'EOF'\nparser: read empty lists\n\n- the list may be empty\n- tests for both\nEOF\n)\" && git log --oneline | head -3",
        ),
        (
            "script",
            "set -euo pipefail\nfor p in core cli web; do\n  (cd \"packages/$p\" && npm run lint && npm test -- --ci) || exit 1\ndone\nout=$(pytest -q 2>&1); rc=$?; echo \"$out\" | tail -5; exit $rc",
        ),
    ] {
        let begin = std::time::Instant::now();
        let rounds = 5_000;
        for _ in 0..rounds {
            std::hint::black_box(analyse(std::hint::black_box(line), &[]));
        }
        println!(
            "{name}: {:.1} µs",
            begin.elapsed().as_secs_f64() * 1e6 / f64::from(rounds)
        );
    }
    let begin = std::time::Instant::now();
    for line in &lines {
        std::hint::black_box(analyse(line, &[]));
    }
    println!(
        "{} lines of the table: {:.1} µs each",
        lines.len(),
        begin.elapsed().as_secs_f64() * 1e6 / lines.len() as f64
    );
}
