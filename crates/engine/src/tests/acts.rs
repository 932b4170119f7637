//! What reviewers among agents were seen to do.

use super::*;
use proctor_kernel::{Action, ExitSource};

/// A worker that edited a file, and a subagent that is to review it.
fn to_review(words: &str) -> Place {
    to_review_under("", words)
}

fn to_review_under(policy: &str, words: &str) -> Place {
    let place = Place::new(policy);
    place.main(start(StartSource::Startup));
    place.main(prompt("Rename x."));
    edited(&place, None, "w1", "seed.txt");
    let call = delegating("d1", words);
    place.main(EventKind::ToolCall { call: call.clone() });
    place.sub("r", EventKind::SubagentStart);
    place
}

fn edited(place: &Place, agent: Option<&str>, id: &str, path: &str) {
    place.write(path, &format!("changed by {id}\n"));
    used(place, agent, call(id, ToolKind::Edit, path));
}

fn used(place: &Place, agent: Option<&str>, call: ToolCall) {
    let result = EventKind::ToolResult {
        call,
        outcome: done(),
    };
    place.handle(&event(agent, result));
}

fn shell(id: &str, command: &str) -> ToolCall {
    ToolCall {
        id: Some(id.into()),
        command: Some(command.into()),
        ..ToolCall::new("Bash", ToolKind::Shell)
    }
}

fn rules(answer: &Answer) -> Vec<String> {
    let reports = answer.decision.reports.iter().filter(|r| r.gate == "review");
    reports
        .flat_map(|r| r.findings.iter().map(|f| f.rule.clone()))
        .collect()
}

const READ: &str =
    "VERDICT: APPROVE\nEvidence: read seed.txt lines 1-1; the rename is complete and callers were checked.";

#[test]
fn an_approval_among_agents_needs_a_look_at_what_changed() {
    let place = to_review("Review the rename in seed.txt. 1. TASK: review");
    let blind = place.sub("r", end(READ));
    assert_eq!(
        (blind.decision.action, rules(&blind)),
        (Action::Block, vec!["review/unread".to_owned()]),
        "{:?}",
        blind.decision
    );
    assert!(
        blind.decision.reason.contains("since seed.txt changed"),
        "{}",
        blind.decision.reason
    );
    // What shows nothing is no look; a look is one, until the next change.
    used(&place, Some("r"), shell("s1", "echo fine"));
    assert_eq!(rules(&place.sub("r", end(READ))), ["review/unread"]);
    used(&place, Some("r"), shell("s2", "git diff"));
    assert_eq!(rules(&place.sub("r", end(READ))), [""; 0]);
    // What others change meanwhile is told, and refuses nothing.
    edited(&place, None, "w2", "seed.txt");
    let late = place.sub("r", end(READ));
    assert_eq!(rules(&late), ["review/changed_since_look"]);
    assert_eq!(late.decision.action, Action::Allow);
    used(&place, Some("r"), call("s3", ToolKind::Read, "seed.txt"));
    assert_eq!(rules(&place.sub("r", end(READ))), [""; 0]);
}

#[test]
fn somebodys_check_is_no_look_of_the_one_who_approves() {
    let place = to_review("Review the rename in seed.txt.");
    let tests = ToolCall {
        input: Digest::of(b"cargo test"),
        ..shell("c1", "cargo test")
    };
    place.main(EventKind::ToolCall { call: tests.clone() });
    let outcome = ToolOutcome {
        exit: Some(0),
        exit_source: ExitSource::HostEvent,
        output: Some(
            "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"
                .into(),
        ),
        ..done()
    };
    place.main(EventKind::ToolResult { call: tests, outcome });
    // It keeps the approval from being refused; that nobody read anything is told and counted all the same.
    let blind = place.sub("r", end(READ));
    assert_eq!(
        (blind.decision.action, rules(&blind)),
        (Action::Allow, vec!["review/unread".to_owned()]),
        "{:?}",
        blind.decision
    );
    used(&place, Some("r"), shell("s1", "git diff"));
    assert_eq!(rules(&place.sub("r", end(READ))), [""; 0]);
}

#[test]
fn a_report_beside_the_work_is_no_change() {
    let place = to_review("Review the rename in seed.txt.");
    used(&place, Some("r"), shell("s1", "git diff"));
    let report = place.folder.path().join("report.md");
    used(
        &place,
        Some("r"),
        call("w2", ToolKind::Write, report.to_str().unwrap()),
    );
    assert_eq!(rules(&place.sub("r", end(READ))), [""; 0]);
    // Where nothing but that was written, nothing was changed.
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt("Look at the design."));
    place.sub("r", EventKind::SubagentStart);
    used(
        &place,
        Some("r"),
        call("w1", ToolKind::Write, "/nowhere/report.md"),
    );
    assert_eq!(rules(&place.sub("r", end(READ))), [""; 0]);
    // His own change in the work is his own work, and seen.
    let place = to_review("Review the rename in seed.txt.");
    used(&place, Some("r"), shell("s1", "git diff"));
    edited(&place, Some("r"), "w2", "seed.txt");
    assert_eq!(rules(&place.sub("r", end(READ))), ["review/own_work"]);
}

#[test]
fn what_is_a_look_and_what_is_none() {
    let looks = [
        "cargo run -- --help",
        "wc -l seed.txt",
        "perl -ne 'print' seed.txt",
        "find . -name seed.txt",
        "tree",
        "curl -s localhost:8080",
        "Get-Content seed.txt",
        "git -C . show",
        "cd src && cat seed.txt",
        "/usr/bin/wc seed.txt",
    ];
    for command in looks {
        let place = to_review("Review the rename in seed.txt.");
        used(&place, Some("r"), shell("s1", command));
        assert_eq!(rules(&place.sub("r", end(READ))), [""; 0], "{command}");
    }
    let none = [
        "echo fine",
        "cd /tmp",
        "mkdir -p out && touch out/x",
        "git add -A && git commit -m x && git push",
        "git -C . push",
    ];
    for command in none {
        let place = to_review("Review the rename in seed.txt.");
        used(&place, Some("r"), shell("s1", command));
        assert_eq!(rules(&place.sub("r", end(READ))), ["review/unread"], "{command}");
    }
    let place = to_review("Review the rename in seed.txt.");
    used(
        &place,
        Some("r"),
        ToolCall {
            id: Some("s1".into()),
            ..ToolCall::new("TodoWrite", ToolKind::Other)
        },
    );
    assert_eq!(rules(&place.sub("r", end(READ))), ["review/unread"]);
    used(
        &place,
        Some("r"),
        ToolCall {
            id: Some("s2".into()),
            ..ToolCall::new("mcp__files__show", ToolKind::Other)
        },
    );
    assert_eq!(rules(&place.sub("r", end(READ))), [""; 0]);
}

#[test]
fn words_are_all_there_is_where_nothing_was_changed_or_the_policy_says_so() {
    let place = Place::new("");
    place.main(prompt("Look at the design."));
    place.sub("r", EventKind::SubagentStart);
    assert_eq!(rules(&place.sub("r", end(READ))), [""; 0]);
    let words_only = "enforcement: { review: { level: text } }\n";
    let place = to_review_under(words_only, "Review the rename in seed.txt.");
    assert_eq!(rules(&place.sub("r", end(READ))), [""; 0]);
    // Within the task that is to be reviewed the policy makes it no easier.
    let place = to_review("Review the rename in seed.txt.");
    place.write(".proctor/proctor.yaml", words_only);
    assert_eq!(rules(&place.sub("r", end(READ))), ["review/unread"]);
    // What a person reads is no verdict among agents.
    let place = to_review("Review the rename in seed.txt.");
    assert_eq!(rules(&place.main(end(READ))), [""; 0]);
}

#[test]
fn habits_that_make_a_review_worth_nothing_are_counted() {
    let place = to_review("Review the rename in seed.txt.");
    used(&place, Some("r"), call("s1", ToolKind::Read, "seed.txt"));
    let praise = place.sub(
        "r",
        end("What an excellent, truly outstanding piece of work! Amazing job, wonderful craftsmanship."),
    );
    assert!(
        rules(&praise).contains(&"review/praise_for_verdict".to_owned()),
        "{:?}",
        rules(&praise)
    );
    edited(&place, Some("r"), "w2", "seed.txt");
    used(&place, Some("r"), call("s2", ToolKind::Read, "seed.txt"));
    let own = place.sub("r", end(READ));
    assert_eq!(rules(&own), ["review/own_work"]);
    assert_eq!(own.decision.action, Action::Allow, "told, and in nobody's way");
    // Work that goes on after the approval is told once, and a new request begins anew.
    assert_eq!(
        rules(&place.main(end("Done for now: seed.txt is renamed."))),
        [""; 0]
    );
    edited(&place, None, "w3", "seed.txt");
    let after = place.main(end("One more thing is changed in seed.txt."));
    assert_eq!(rules(&after), ["review/work_after_approval"]);
    assert_eq!(
        rules(&place.main(end("One more thing is changed in seed.txt."))),
        [""; 0]
    );
}
