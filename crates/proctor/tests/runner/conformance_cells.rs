//! The real Claude Code CLI and a hook that prints what our renderer makes of one answer: the cells of the matrix that
//! no gate of ours shows. What the model received and what the user's stream carried is asserted.

use crate::conformance::{cli, delegate, write};
use crate::support::{environment, payload};
use proctor_hosts::claude;
use proctor_hosts::matrix::Answer;
use proctor_kernel::{Action, Decision, Note};
use proctor_testkit::TestEnvironment;
use proctor_testkit::model::{ModelServer, Script, Source, Turn};
use serde_json::{Value, json};

/// The events that the stub listens to.
const EVENTS: [&str; 8] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "Stop",
    "SubagentStop",
];

/// What tells a cell's words from all others.
fn mark(event: &str, answer: Answer) -> String {
    format!("CELL-{event}-{}", answer.as_str())
}

/// Answers each event's first call with its file, and lets everything else go.
const STUB: &str = r#"cat > /dev/null
answers="${0%/*}"
if mv "$answers/$1.json" "$answers/$1.given" 2> /dev/null; then
    cat "$answers/$1.given"
    cat "$answers/$1.err" >&2
    exit "$(cat "$answers/$1.code")"
fi
echo '{}'
"#;

/// A project whose hooks give these answers, each once, in the form that our renderer gives them.
fn answering(cells: &[(&str, Answer)]) -> TestEnvironment {
    let env = environment().with_real_clock();
    env.write_file("src/lib.rs", "pub fn parse() {}\n");
    let answers = env.home().join("answers");
    std::fs::create_dir_all(&answers).unwrap();
    let put = |name: &str, text: &str| std::fs::write(answers.join(name), text).unwrap();
    put("stub.sh", STUB);
    let stub = answers.join("stub.sh");
    let hook = |event: &str| json!([{"hooks": [{"type": "command", "command": format!("/bin/sh '{}' {event}", stub.display())}]}]);
    let mut hooks: serde_json::Map<String, Value> = EVENTS
        .iter()
        .map(|event| ((*event).to_owned(), hook(event)))
        .collect();
    hooks.insert("SubagentStart".to_owned(), hook("SubagentStart"));
    env.write_file(".claude/settings.json", json!({"hooks": hooks}).to_string());
    env.commit_all("start");
    let mut events: Vec<&str> = cells.iter().map(|(event, _)| *event).collect();
    events.dedup();
    for event in events {
        let mut decision = Decision::allow();
        for (_, answer) in cells.iter().filter(|(of, _)| *of == event) {
            let words = mark(event, *answer);
            match answer {
                Answer::Block | Answer::Ask => {
                    decision.action = if *answer == Answer::Ask {
                        Action::Ask
                    } else {
                        Action::Block
                    };
                    decision.reason = words;
                }
                Answer::Note => decision.notes.push(Note {
                    gate: "scope".to_owned(),
                    text: words,
                }),
                Answer::Alert => decision.alerts.push(words),
                Answer::Modify | Answer::BrokenHook => unreachable!("other tests show these"),
            }
        }
        let bytes = payload(&env, event, json!({"tool_name": "Write", "tool_input": {}})).to_string();
        let rendered = claude::render(&claude::parse(bytes.as_bytes()).unwrap(), &decision);
        put(&format!("{event}.json"), &rendered.stdout);
        put(&format!("{event}.err"), &rendered.stderr);
        put(&format!("{event}.code"), &rendered.exit.to_string());
    }
    env
}

#[test]
fn answers_that_let_go_are_delivered() {
    let Some(claude) = cli("answers_that_let_go_are_delivered") else {
        return;
    };
    let env = answering(&[
        ("SessionStart", Answer::Note),
        ("UserPromptSubmit", Answer::Alert),
        ("PreToolUse", Answer::Alert),
        ("PostToolUse", Answer::Alert),
        ("PostToolUseFailure", Answer::Note),
        ("PostToolUseFailure", Answer::Alert),
        ("SubagentStart", Answer::Note),
    ]);
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("Writing.").call("Write", write(&env, "a.txt")))
            .turn(
                Turn::say("Failing.")
                    .call("Bash", json!({"command": "exit 3", "description": "fail"}))
                    .after("File created"),
            )
            .turn(Turn::say("Asking.").call("Agent", delegate("SUBJOB look")))
            .turn(Turn::say("Done.").after("Looked."))
            .route("worker", "SUBJOB", [Turn::say("Looked.")]),
    );
    let answer = claude.prompt(&env, &model, "work").completed();
    model.assert_followed();
    assert_eq!(answer.text(), "Done.");
    let main = model.seen_by("main");
    for (seen, event) in [
        (&main[0], "SessionStart"),
        (&main[2], "PostToolUseFailure"),
        (&model.seen_by("worker")[0], "SubagentStart"),
    ] {
        assert!(
            seen.anywhere(&mark(event, Answer::Note)),
            "{event}\n{}",
            model.story()
        );
    }
    for event in [
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
    ] {
        let mark = mark(event, Answer::Alert);
        let told = |r: &&Value| r["subtype"] == "informational" && r.to_string().contains(&mark);
        assert_eq!(
            answer.records.iter().filter(told).count(),
            1,
            "{event}: the user is not told\n{answer}"
        );
        assert!(
            !model.seen().iter().any(|seen| seen.anywhere(&mark)),
            "{event}: what is for the user went to the model\n{}",
            model.story()
        );
    }
}

#[test]
fn answers_that_refuse_are_obeyed() {
    let Some(claude) = cli("answers_that_refuse_are_obeyed") else {
        return;
    };
    let human = "A human must decide this.";

    let env = answering(&[("UserPromptSubmit", Answer::Ask)]);
    let model = ModelServer::start(Script::new());
    let answer = claude.prompt(&env, &model, "work");
    assert_eq!(model.seen().len(), 0, "{}", model.story());
    let told = answer.result().to_string();
    assert!(
        told.contains(&mark("UserPromptSubmit", Answer::Ask)) && told.contains(human),
        "{answer}"
    );

    let env = answering(&[("PreToolUse", Answer::Ask)]);
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("Writing.").call("Write", write(&env, "a.txt")))
            .turn(Turn::say("I may not.")),
    );
    let _ = claude.prompt(&env, &model, "work").completed();
    model.assert_followed();
    assert!(!env.project().join("a.txt").exists(), "the tool ran");
    assert!(
        model.seen()[1].received_as(Source::ToolError, &mark("PreToolUse", Answer::Ask)),
        "{}",
        model.story()
    );

    let env = answering(&[("Stop", Answer::Ask)]);
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("Done."))
            .turn(Turn::say("May I?").after(mark("Stop", Answer::Ask)).after(human)),
    );
    let answer = claude.prompt(&env, &model, "work").completed();
    model.assert_followed();
    assert_eq!(answer.text(), "May I?");

    let env = answering(&[("SubagentStop", Answer::Ask)]);
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("Asking.").call("Agent", delegate("SUBJOB look")))
            .turn(Turn::say("Done.").after("May I?"))
            .route(
                "worker",
                "SUBJOB",
                [
                    Turn::say("Looked."),
                    Turn::say("May I?")
                        .after(mark("SubagentStop", Answer::Ask))
                        .after(human),
                ],
            ),
    );
    let _ = claude.prompt(&env, &model, "work").completed();
    model.assert_followed();

    for refusal in [Answer::Block, Answer::Ask] {
        let env = answering(&[("PreCompact", refusal)]);
        let model = ModelServer::start(Script::new().turn(Turn::say("Hello.")));
        let session = claude.prompt(&env, &model, "hello").completed().session();
        let compacting = ModelServer::start(Script::new());
        let answer = claude.resume(&env, &compacting, &session, "/compact");
        assert_eq!(compacting.seen().len(), 0, "{}", compacting.story());
        assert!(
            answer.to_string().contains(&mark("PreCompact", refusal)),
            "the user is not told why\n{answer}"
        );
    }
}
