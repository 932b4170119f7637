use super::*;
use crate::looping::repeat::with_next;
use proctor_kernel::ToolOutcome;
use proptest::prelude::*;

/// A step from one letter for the call; lower case succeeds, upper case fails, `x:2` has another outcome.
fn steps(text: &str) -> Vec<Step> {
    text.split_whitespace()
        .map(|word| {
            let (call, rest) = word.split_at(1);
            let failed = call.chars().all(char::is_uppercase);
            let (outcome, tree) = match rest.split_once('@') {
                Some((outcome, tree)) => (outcome, Some(Mark::of(tree.as_bytes()))),
                None => (rest, None),
            };
            Step {
                tool: "Bash".into(),
                kind: ToolKind::Shell,
                call: Mark::of(call.as_bytes()),
                outcome: (outcome != "-").then(|| Mark::of(outcome.as_bytes())),
                failed,
                tree,
            }
        })
        .collect()
}

#[test]
fn cycles_at_the_end() {
    for (text, period, times) in [
        ("", 0, 0),
        ("a", 1, 1),
        ("a b", 1, 1),
        ("a a", 1, 2),
        ("b a a a", 1, 3),
        ("a a b", 1, 1),
        ("a b a b", 2, 2),
        ("a b a b a", 2, 2),
        ("c a b a b a b", 2, 3),
        ("a b c a b c a b c", 3, 3),
        ("a b c d e a b c d e a b c d e", 5, 3),
        // Another outcome is news, and so is another tree.
        ("a1 a2 a3", 1, 1),
        ("a@1 a@2 a@3", 1, 1),
        ("a@1 a@1 a@1", 1, 3),
        ("a@1 b@2 a@1 b@2 a@1 b@2", 2, 3),
        // Where nobody looked at the tree it is not taken for another one.
        ("a a@1 a@1", 1, 3),
        // A refused call is the same call.
        ("a a a- a-", 1, 4),
    ] {
        let found = repetition(&steps(text));
        assert_eq!((found.period, found.times), (period, times), "{text:?}");
    }
}

#[test]
fn what_the_next_call_would_be() {
    for (text, next, period, times) in [
        ("", "a-", 1, 1),
        ("a a a a", "a-", 1, 5),
        ("a a a a", "b-", 1, 1),
        ("a b a b a b a b a", "b-", 2, 5),
        ("a1 a2 a3 a4", "a-", 1, 2),
        ("a b c a b c a b", "c-", 3, 3),
    ] {
        let next = steps(next).remove(0);
        let found = with_next(&steps(text), &next);
        assert_eq!(
            (found.period, found.times),
            (period, times),
            "{text:?} then {next:?}"
        );
    }
}

#[test]
fn three_strikes_of_one_tool() {
    for (text, expected) in [
        ("A", 1),
        ("A A A", 3),
        ("A1 A2 A1", 1),
        ("A a A", 1),
        ("A B A", 1),
        ("A A a", 0),
        ("A@1 A@2", 1),
    ] {
        assert_eq!(strikes(&steps(text)), expected, "{text:?}");
    }
    // Another tool in between is no answer to the error.
    let mut mixed = steps("A b A b A");
    for step in mixed.iter_mut().filter(|s| !s.failed) {
        step.tool = "Read".into();
    }
    assert_eq!(strikes(&mixed), 3);
}

#[test]
fn outcomes_without_what_changes_by_itself() {
    let mark = |ok: bool, text: &str| {
        outcome_mark(&ToolOutcome {
            ok: Some(ok),
            output: Some(text.to_owned()),
            ..ToolOutcome::default()
        })
    };
    for (a, b) in [
        (
            "error at 14:02:11: port 8080 in use (pid 311)",
            "error at 14:03:59: port 8081 in use (pid 977)",
        ),
        ("cannot open /tmp/abc123/x", "cannot open /tmp/zzz/x"),
        ("panicked at src/a.rs:10:5", "panicked at src/a.rs:12:9"),
        (
            "request 6f9619ff-8b86-d011-b42d-00cf4fc964ff failed",
            "request 00000000-8b86-d011-b42d-00cf4fc964ff failed",
        ),
    ] {
        assert_eq!(mark(false, a), mark(false, b), "{a}");
    }
    assert_eq!(mark(true, "12 passed in 0.03s"), mark(true, "12 passed in 0.71s"));
    assert_ne!(mark(true, "12 passed in 0.03s"), mark(true, "13 passed in 0.03s"));
    assert_ne!(mark(true, "x"), mark(false, "x"));
    assert_ne!(
        mark(false, "no such file: a.rs"),
        mark(false, "no such file: b.rs")
    );
    assert_ne!(mark(true, "테스트 3개 통과"), mark(true, "테스트 4개 통과"));
}

#[test]
fn words_that_repeat_themselves_bring_every_limit_nearer() {
    let settings = proctor_policy::Settings::default().r#loop;
    let (plain, repeats) = (
        Loop::new(&settings, false, false),
        Loop::new(&settings, false, true),
    );
    let limits = |l: &Loop| [l.settings.nudge, l.settings.block, l.settings.trip];
    assert_eq!(limits(&repeats), limits(&plain).map(|limit| limit - 1));
    let lowest = LoopSettings { nudge: 2, ..settings };
    assert_eq!(
        Loop::new(&lowest, false, true).settings.nudge,
        2,
        "once is no repetition"
    );
    let said = repeats.with_its_words(after_the_trip(&ToolCall::new("Bash", ToolKind::Shell)));
    assert!(said.message.contains("What you write"), "{}", said.message);
}

#[test]
fn a_command_is_the_same_whatever_is_written_around_it() {
    let shell = |line: &str| ToolCall {
        command: Some(line.to_owned()),
        // The host's input has more: a description, a time limit.
        input: proctor_kernel::Digest::of(line.as_bytes()),
        ..ToolCall::new("Bash", ToolKind::Shell)
    };
    let same = |a: &str, b: &str| step_of(&shell(a)).call == step_of(&shell(b)).call;
    for other in [
        "ls nonexist # try 3",
        "  ls   nonexist\t",
        "# again\nls nonexist",
        "ls nonexist #",
    ] {
        assert!(same("ls nonexist", other), "{other:?}");
    }
    for (one, other) in [
        ("ls 'a  b'", "ls 'a b'"),
        ("ls \"a # 1\"", "ls \"a # 2\""),
        ("ls a#1", "ls a#2"),
        ("ls a\\ #1", "ls a\\ #2"),
        ("ls a\nls b", "ls a ls b"),
        ("ls a", "ls b"),
    ] {
        assert!(!same(one, other), "{one:?} {other:?}");
    }
}

#[test]
fn waiting_is_no_loop() {
    let call = |name: &str, command: Option<&str>| ToolCall {
        command: command.map(str::to_owned),
        ..ToolCall::new(
            name,
            if command.is_some() {
                ToolKind::Shell
            } else {
                ToolKind::Other
            },
        )
    };
    let settings = proctor_policy::Settings::default().r#loop;
    assert!(is_exempt(&call("TaskOutput", None), &settings));
    assert!(is_exempt(&call("Bash", Some("sleep 5")), &settings));
    assert!(is_exempt(&call("Bash", Some("gh pr checks 12")), &settings));
    assert!(!is_exempt(&call("Bash", Some("cargo test")), &settings));
    // What comes after the waiting may repeat while it succeeds, and not while it fails.
    let ended = |ok| ToolOutcome {
        ok: Some(ok),
        ..ToolOutcome::default()
    };
    for line in [
        "sleep 0.01; ls nonexist",
        "sleep 5 && curl localhost",
        "gh pr checks 12 | tail -1",
    ] {
        let call = call("Bash", Some(line));
        assert!(!is_exempt(&call, &settings), "{line}");
        assert!(
            may_go_on(&call, &ended(true)) && !may_go_on(&call, &ended(false)),
            "{line}"
        );
    }
    assert!(!may_go_on(&call("Bash", Some("cargo test")), &ended(true)));
    let own = LoopSettings {
        exempt: vec!["mcp__jobs__status".to_owned()],
        ..settings
    };
    assert!(is_exempt(&call("mcp__jobs__status", None), &own));
}

proptest! {
    /// A row is found whatever came before it, and never counted higher than it is.
    #[test]
    fn rows(before in "([abc] ){0,6}", times in 1usize..9) {
        let text = format!("{before}z {}", "y ".repeat(times));
        let found = repetition(&steps(&text));
        prop_assert_eq!((found.period, found.times as usize), (1, times));
    }

    #[test]
    fn any_output(text in "\\PC{0,200}", ok in any::<bool>()) {
        let outcome = ToolOutcome { ok: Some(ok), output: Some(text), ..ToolOutcome::default() };
        prop_assert_eq!(outcome_mark(&outcome), outcome_mark(&outcome.clone()));
    }
}
