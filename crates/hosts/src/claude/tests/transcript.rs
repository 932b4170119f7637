use super::data;
use super::payload;
use crate::claude::transcript::{Entry, Item, LINE_LIMIT, Reader, delegated_prompt, started_by};
use crate::claude::{notification, subagent_files};
use proctor_kernel::{PromptOrigin, ToolKind};
use proptest::prelude::*;
use std::io::{BufRead, BufReader, Cursor, Read};

fn read(name: &str) -> Vec<Entry> {
    let file = std::fs::File::open(data().join("transcripts").join(name)).unwrap();
    Reader::new(BufReader::new(file)).map(Result::unwrap).collect()
}

fn from(text: &str) -> Vec<Item> {
    Reader::new(Cursor::new(text.as_bytes().to_vec()))
        .map(|entry| entry.unwrap().item)
        .collect()
}

/// The entries in short, for comparison as a whole.
fn short(entries: &[Entry]) -> Vec<String> {
    entries
        .iter()
        .map(|entry| {
            let what = match &entry.item {
                Item::Prompt { text, origin } => {
                    format!("prompt {origin:?}: {}", text.lines().next().unwrap_or_default())
                }
                Item::Injected { text } => format!("injected: {}", text.replace('\n', "|")),
                Item::Text { text, .. } => format!("text: {text}"),
                Item::Call { call } => format!("call {} {:?}", call.name, call.kind),
                Item::Result { call, outcome, .. } => {
                    let name = call.as_ref().map(|call| call.name.as_str());
                    format!(
                        "result {name:?} ok {:?} exit {:?} created {}",
                        outcome.ok,
                        outcome.exit,
                        outcome.created.len()
                    )
                }
                Item::Answer { call, agent, text } => {
                    let prompt = call
                        .as_ref()
                        .and_then(|call| call.delegation.as_ref())
                        .map(|d| d.prompt.as_str());
                    format!("answer to {prompt:?} by {}: {text}", agent.is_some())
                }
                Item::Usage { input, output, .. } => format!("usage {input} {output}"),
                Item::HookBlocked { event, reason } => format!("blocked at {event}: {reason}"),
                Item::Compaction => "compaction".to_owned(),
                Item::Broken { why } => format!("broken: {why}"),
            };
            format!("{} {what}", entry.line)
        })
        .collect()
}

#[test]
fn a_session_with_calls_and_usage() {
    let entries = read("transcript.three-turns.jsonl");
    assert_eq!(
        short(&entries),
        [
            "3 prompt User: make a.txt",
            "4 text: I will write a file.",
            "4 usage 12671 53",
            "5 call Write Write",
            "6 result Some(\"Write\") ok Some(true) exit None created 1",
            "8 text: Now check.",
            "8 usage 12789 44",
            "9 call Bash Shell",
            "10 result Some(\"Bash\") ok Some(false) exit Some(2) created 0",
            "11 text: All done.",
            "11 usage 12892 9",
        ]
    );
    let first = &entries[0];
    assert_eq!(first.time.as_deref(), Some("2026-11-20T22:49:34.606Z"));
    assert_eq!(first.cwd.as_deref(), Some("/home/user/project"));
    assert!(!first.sidechain && first.agent.is_none() && first.session.is_some());
}

#[test]
fn delegations_and_their_answers_are_paired_also_in_the_background() {
    let entries = read("background-agent.jsonl");
    let text = short(&entries).join("\n");
    assert!(text.contains("prompt Machine: <task-notification>"), "{text}");
    assert!(
        text.contains("answer to Some(\"SUBPROMPT go\") by true: sub answer two"),
        "{text}"
    );
    let two = short(&read("two-agents.jsonl")).join("\n");
    assert!(
        two.contains("answer to Some(\"SUBPROMPT one\") by true: final one"),
        "{two}"
    );
    assert!(
        two.contains("answer to Some(\"SUBPROMPT two\") by true: final two"),
        "{two}"
    );

    let inside = read("background-agent.subagent.jsonl");
    assert!(
        inside
            .iter()
            .all(|entry| entry.sidechain && entry.agent.is_some())
    );
    let lines = short(&inside);
    assert!(lines[0].ends_with("prompt Agent: SUBPROMPT go"), "{lines:?}");
    assert!(
        lines
            .iter()
            .any(|line| line.ends_with("injected: Stop hook feedback:|SUB-NOT-OK")),
        "{lines:?}"
    );
    let meta = std::fs::read_to_string(data().join("transcripts/background-agent.meta.json")).unwrap();
    assert_eq!(started_by(&meta).as_deref(), Some("toolu_A1"));
    assert_eq!(started_by("[]"), None);
}

#[test]
fn a_subagent_is_traced_back_to_its_delegation() {
    let files = subagent_files(&payload("PreToolUse.Write-in-subagent")).unwrap();
    let session = "/home/user/.claude/projects/-home-user-project/5ec5e644-fa3d-47eb-95da-084a708e1df5";
    assert_eq!(
        files.transcript.to_str().unwrap(),
        format!("{session}/subagents/agent-a8e18d76a1faa3016.jsonl")
    );
    assert_eq!(
        files.meta.to_str().unwrap(),
        format!("{session}/subagents/agent-a8e18d76a1faa3016.meta.json")
    );
    assert_eq!(subagent_files(&payload("SubagentStop")).unwrap(), files);
    assert_eq!(subagent_files(&payload("Stop")), None);
    assert_eq!(
        subagent_files(br#"{"agent_id":"../../x","transcript_path":"/a.jsonl"}"#),
        None
    );

    let file = std::fs::File::open(data().join("transcripts/background-agent.subagent.jsonl")).unwrap();
    assert_eq!(
        delegated_prompt(BufReader::new(file)).unwrap().as_deref(),
        Some("SUBPROMPT go")
    );
    assert_eq!(delegated_prompt(Cursor::new(b"nothing\n")).unwrap(), None);
}

#[test]
fn compaction_commands_and_blocked_stops() {
    let text = short(&read("compacted.jsonl")).join("\n");
    assert!(text.contains("compaction"), "{text}");
    assert!(text.contains("prompt Machine: <command-name>/compact"), "{text}");
    assert!(!text.contains("being continued"), "{text}");
    let text = short(&read("stop-blocked.jsonl")).join("\n");
    assert!(
        text.contains("injected: Stop hook feedback:|REASON-JSON"),
        "{text}"
    );
}

#[test]
fn blocks_of_hooks() {
    let stop = r#"{"type":"attachment","attachment":{"type":"hook_blocking_error","hookName":"Stop","hookEvent":"Stop","blockingError":{"blockingError":"not yet","command":"x"}}}"#;
    let tool = r#"{"type":"user","permissionDecision":{"decision":"reject","source":"hook","reasonType":"hook","reasonCode":"hook:PreToolUse"},"message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"PreToolUse:Bash hook error: no hook error: x"}]}}"#;
    let user = r#"{"type":"user","permissionDecision":{"decision":"reject","source":"user"},"message":{"content":[{"type":"tool_result","is_error":true,"content":"no"}]}}"#;
    let other = r#"{"type":"attachment","attachment":{"type":"hook_success","hookEvent":"Stop"}}"#;
    let items: Vec<Item> = from(&[stop, tool, user, other].join("\n"));
    let blocked: Vec<_> = items
        .iter()
        .filter(|item| matches!(item, Item::HookBlocked { .. }))
        .collect();
    assert_eq!(blocked.len(), 2);
    assert_eq!(
        *blocked[0],
        Item::HookBlocked {
            event: "Stop".to_owned(),
            reason: "not yet".to_owned()
        }
    );
    assert_eq!(
        *blocked[1],
        Item::HookBlocked {
            event: "PreToolUse".to_owned(),
            reason: "no hook error: x".to_owned()
        }
    );
}

#[test]
fn half_a_surrogate_pair_breaks_no_line() {
    let items =
        from(r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"cut \ud83d"}]}}"#);
    assert!(
        matches!(&items[0], Item::Text { text, .. } if text == "cut \u{FFFD}"),
        "{items:?}"
    );
}

#[test]
fn repeated_records_and_repeated_usage_count_once() {
    let record = |uuid: &str, output: u64| {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","message":{{"id":"m1","content":[{{"type":"text","text":"{uuid}"}}],"usage":{{"input_tokens":10,"output_tokens":{output}}}}}}}"#
        )
    };
    let text = format!("{}\n{}\n{}\n", record("a", 1), record("b", 7), record("a", 1));
    let items = from(&text);
    let (mut input, mut output, mut texts) = (0, 0, 0);
    for item in items {
        match item {
            Item::Usage {
                input: i, output: o, ..
            } => (input, output) = (input + i, output + o),
            Item::Text { .. } => texts += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((input, output, texts), (10, 7, 2));
}

#[test]
fn bad_lines_are_reported_and_hide_no_other() {
    let good = r#"{"type":"user","message":{"content":"hello"}}"#;
    let text = format!(
        "{good}\n{{\"type\":\"user\",\"mess\n\n[1]\n{{\"type\":5}}\n{{\"type\":\"user\",\"message\":\"x\"}}\n{good}"
    );
    let items = from(&text);
    let broken = items
        .iter()
        .filter(|item| matches!(item, Item::Broken { .. }))
        .count();
    let prompts = items
        .iter()
        .filter(|item| matches!(item, Item::Prompt { .. }))
        .count();
    assert_eq!((broken, prompts), (2, 2), "{items:?}");
}

#[test]
fn a_line_beyond_the_limit_is_left_out_without_being_kept() {
    let short = Reader::with_limit(Cursor::new(b"123456789\n{}\n".to_vec()), 8).count();
    assert_eq!(short, 1);
    let head = Cursor::new(b"{\"type\":\"user\",\"message\":{\"content\":\"".to_vec());
    let tail = Cursor::new(b"\n{\"type\":\"user\",\"message\":{\"content\":\"after\"}}\n".to_vec());
    let input = BufReader::new(
        head.chain(std::io::repeat(b'x').take(LINE_LIMIT as u64))
            .chain(tail),
    );
    let items: Vec<Item> = Reader::new(input).map(|entry| entry.unwrap().item).collect();
    assert_eq!(items.len(), 2);
    assert!(matches!(&items[0], Item::Broken { why } if why.contains("longer")));
    assert!(matches!(&items[1], Item::Prompt { text, .. } if text == "after"));
}

#[test]
fn an_input_error_is_given_once() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    impl BufRead for Failing {
        fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
            Err(std::io::Error::other("gone"))
        }
        fn consume(&mut self, _: usize) {}
    }
    let mut reader = Reader::new(Failing);
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
}

#[test]
fn an_answer_with_tags_in_it_stays_whole() {
    let text = "<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n<result>use </result> and <task-id>zz</task-id></result>\n</task-notification>";
    let read = notification(text).unwrap();
    assert_eq!(read.agent.as_deref(), Some("a1"));
    assert_eq!(
        read.result.as_deref(),
        Some("use </result> and <task-id>zz</task-id>")
    );
    assert_eq!(notification("hello"), None);
    assert_eq!(
        notification("<task-notification><status>failed</status></task-notification>")
            .unwrap()
            .result,
        None
    );
}

#[test]
fn prompts_typed_by_a_person() {
    let origin = |json: &str| match from(json).remove(0) {
        Item::Prompt { origin, .. } => origin,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        origin(r#"{"type":"user","message":{"content":[{"type":"text","text":"do"},{"type":"image"}]}}"#),
        PromptOrigin::User
    );
    assert_eq!(
        origin(r#"{"type":"user","origin":{"kind":"human"},"message":{"content":"do"}}"#),
        PromptOrigin::User
    );
    assert_eq!(
        origin(r#"{"type":"user","origin":{"kind":"cron"},"message":{"content":"do"}}"#),
        PromptOrigin::Machine
    );
    assert_eq!(
        origin(r#"{"type":"user","isSidechain":true,"message":{"content":"do"}}"#),
        PromptOrigin::Agent
    );
}

#[test]
fn calls_of_all_sorts_are_known() {
    let items = from(
        r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Task","input":{"prompt":"p","subagent_type":"r"}},{"type":"thinking","thinking":"x"},{"type":"tool_use","name":"Bash","input":"broken"}]}}"#,
    );
    assert!(
        matches!(&items[0], Item::Call { call } if call.kind == ToolKind::Delegate && call.delegation.as_ref().unwrap().prompt == "p")
    );
    assert!(
        matches!(&items[1], Item::Call { call } if call.kind == ToolKind::Shell && call.command.is_none())
    );
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(\\{\"type\":\"(user|assistant)\",\"message\":\\{\"content\":\\[?\\PC{0,20}\n?){0,5}") {
        for entry in Reader::new(Cursor::new(text.into_bytes())) {
            prop_assert!(entry.is_ok());
        }
    }
}
