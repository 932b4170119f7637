use super::log::Log;
use super::simple::Simple;
use crate::{Figures, MetricId, Options, Progress, Report};
use proctor_policy::Settings;
use proptest::prelude::*;
use serde_json::json;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

fn audit(path: &Path) -> Report {
    let options = Options::new(Settings::default());
    crate::run::run_with(&[path.to_owned()], &options, &Simple, &mut ()).unwrap()
}

/// Audits one session with its subagents.
fn session(main: &Log, agents: &[(&str, &Log)]) -> (Report, TempDir) {
    let root = tempdir().unwrap();
    main.write(&root.path().join("s.jsonl"));
    for (agent, log) in agents {
        log.write(&root.path().join(format!("s/subagents/agent-{agent}.jsonl")));
    }
    (audit(root.path()), root)
}

fn totals(main: &Log) -> Figures {
    session(main, &[]).0.totals
}

#[test]
fn answers_go_to_agents_or_to_people() {
    let mut main = Log::new("s");
    main.prompt("please refactor")
        .text("great now I start")
        .delegates("a1", "do it FILES: a.rs", "great great ok");
    main.text("all is well here")
        .prompt("DELEGATE it")
        .text("great ok");
    let mut sub = Log::of_agent("s", "a1");
    sub.prompt("do it FILES: a.rs")
        .text("great note")
        .writes("a.rs")
        .text("great great ok");
    let (report, _root) = session(&main, &[("a1", &sub)]);
    let t = &report.totals;
    // The subagent's answer stands in both files, its prompt too; each counts once.
    assert_eq!(
        (
            t.answers.messages,
            t.prompts.messages,
            t.human.messages,
            t.notes.messages
        ),
        (2, 1, 1, 2)
    );
    assert_eq!((t.answers.prose, t.answers.filler, t.answers.over), (50, 30, 2));
    assert_eq!(report.metrics[0].display(), "33.3 %");
    assert_eq!((t.delegations, t.scoped, t.scope_violations), (2, 1, 0));
    assert_eq!((report.sessions.len(), report.sessions[0].agents), (1, 1));
    assert_eq!(report.sessions[0].title, "please refactor");
    assert_eq!(report.sessions[0].project, "/home/user/project");
    let worst = report.examples_of(MetricId::Flattery).next().unwrap();
    assert_eq!(worst.quote.as_deref(), Some("great great ok"));
    assert!(
        worst.file.ends_with("s/subagents/agent-a1.jsonl"),
        "{}",
        worst.file
    );
    assert_eq!((worst.line, worst.agent.as_deref()), (5, Some("a1")));
}

/// Work that was handed over waits for its answer; then whoever wrote the latest prompt reads.
#[test]
fn the_latest_prompt_says_who_reads() {
    let mut log = Log::new("s");
    log.prompt("DELEGATE it")
        .text("great a")
        .prompt("thanks")
        .text("great b")
        .prompt("DELEGATE it")
        .prompt("and hurry")
        .text("great c")
        .prompt("<teammate-message teammate_id=\"lead\">\nhow is it?\n</teammate-message>")
        .text("great d")
        .prompt("hello")
        .text("great e");
    let t = totals(&log);
    assert_eq!((t.answers.messages, t.human.messages), (3, 2));
}

#[test]
fn without_the_subagent_s_file_its_answer_is_taken_from_the_parent() {
    let mut main = Log::new("s");
    main.prompt("go")
        .delegates("a1", "job FILES: x", "great approve")
        .text("ok");
    let t = totals(&main);
    assert_eq!(
        (t.answers.messages, t.prompts.messages, t.delegations, t.scoped),
        (1, 1, 1, 0)
    );
    assert_eq!((t.approvals, t.empty_approvals), (1, 1));
}

#[test]
fn a_background_subagent_answers_by_notification() {
    let mut main = Log::new("s");
    let launched = json!({ "isAsync": true, "status": "async_launched", "agentId": "a1", "prompt": "job" });
    main.prompt("go").call(
        "t1",
        "Agent",
        json!({ "description": "d", "prompt": "job", "subagent_type": "x" }),
    );
    main.result("t1", "Async agent launched successfully.", false, launched)
        .text("waiting");
    let note = "<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n\
                <result>great</result>\n</task-notification>";
    main.record(
        "user",
        json!({ "message": { "role": "user", "content": note }, "origin": { "kind": "task-notification" } }),
    );
    main.text("so it is");
    let alone = totals(&main);
    assert_eq!(
        (alone.answers.messages, alone.human.messages, alone.delegations),
        (1, 2, 1)
    );
    let mut sub = Log::of_agent("s", "a1");
    sub.prompt("job")
        .writes("b.rs")
        .runs("cargo test", "test result: ok. 2 passed; 0 failed;", 0)
        .text("great");
    main.prompt("and?").text("tests-pass done");
    let (both, _root) = session(&main, &[("a1", &sub)]);
    assert_eq!(
        (
            both.totals.answers.messages,
            both.totals.prompts.messages,
            both.totals.delegations
        ),
        (1, 1, 1)
    );
    // What the subagent ran supports what its parent says afterwards.
    assert_eq!((both.totals.claims, both.totals.unverified), (1, 0));
}

#[test]
fn side_chains_in_the_session_file_are_conversations_of_their_own() {
    let mut main = Log::new("s");
    main.prompt("go").call(
        "t1",
        "Task",
        json!({ "description": "d", "prompt": "job FILES: a", "subagent_type": "x" }),
    );
    let mut side = Log::of_agent("s", "");
    side.prompt("job FILES: a").writes("b").text("great");
    main.lines.extend(side.lines.iter().map(|l| {
        l.replace("\"agentId\":\"\",", "")
            .replace(",\"agentId\":\"\"", "")
    }));
    main.result(
        "t1",
        "great",
        false,
        json!({ "status": "completed", "content": [{ "type": "text", "text": "great" }] }),
    );
    main.text("fine");
    let t = totals(&main);
    assert_eq!(
        (t.answers.messages, t.prompts.messages, t.human.messages),
        (1, 1, 1)
    );
    assert_eq!((t.delegations, t.scope_violations), (1, 1));
}

#[test]
fn approvals_need_evidence() {
    let mut main = Log::new("s");
    main.prompt("DELEGATE review")
        .text("approve")
        .prompt("again")
        .text("approve: I ran it")
        .prompt("?")
        .text("no");
    let (report, _root) = session(&main, &[]);
    assert_eq!((report.totals.approvals, report.totals.empty_approvals), (2, 1));
    assert_eq!(report.metrics[1].display(), "50.0 %");
    assert_eq!(report.examples_of(MetricId::EmptyApprovals).count(), 1);
}

#[test]
fn remarks_to_a_person_are_no_approvals() {
    let mut main = Log::new("s");
    main.prompt("what do you think of it?")
        .text("approve, a remark")
        .prompt("and this?")
        .text("approve")
        .prompt("DELEGATE review")
        .text("approve, a remark");
    let (report, _root) = session(&main, &[]);
    assert_eq!((report.totals.approvals, report.totals.empty_approvals), (2, 2));
}

#[test]
fn files_outside_the_delegation_are_violations() {
    let mut sub = Log::of_agent("s", "a1");
    sub.prompt("job FILES: a.rs")
        .writes("a.rs")
        .writes("b.rs")
        .writes("c.rs")
        .writes("d.rs")
        .writes("/tmp/scratch");
    sub.call(
        "t9",
        "Edit",
        json!({ "file_path": "/home/user/project/refused.rs", "old_string": "a", "new_string": "b" }),
    );
    sub.record("user", json!({
        "message": { "role": "user", "content": [
            { "tool_use_id": "t9", "type": "tool_result", "content": "PreToolUse:Edit hook error: no", "is_error": true }] },
        "toolUseResult": "Error: PreToolUse:Edit hook error: no",
        "permissionDecision": { "decision": "reject", "source": "hook", "reasonType": "hook", "reasonCode": "hook:PreToolUse" }
    }));
    sub.text("ok");
    let (report, _root) = session(Log::new("s").prompt("go").text("ok"), &[("a1", &sub)]);
    let t = report.totals;
    assert_eq!(
        (
            t.scoped,
            t.scope_violations,
            t.scope_needs_review,
            t.unexpected_files
        ),
        (1, 1, 1, 3)
    );
    assert_eq!((t.edits, t.refused_calls), (5, 1));
    let example = report.examples_of(MetricId::Scope).next().unwrap();
    assert_eq!(example.quote.as_deref(), Some("b.rs, c.rs, d.rs"));
    assert_eq!(example.what, "3 changed outside of: a.rs");
    // Without a worker's file nothing is judged.
    let t = totals(
        Log::new("s")
            .prompt("FILES: a.rs")
            .writes("b.rs")
            .text("ok")
            .prompt("FILES: c.rs")
            .writes("c.rs"),
    );
    assert_eq!((t.delegations, t.scoped, t.scope_violations), (2, 2, 1));
}

#[test]
fn claims_need_a_run_after_the_last_edit() {
    let ok = "test result: ok. 3 passed; 0 failed;";
    let claims = |build: &dyn Fn(&mut Log)| {
        let mut log = Log::new("s");
        log.prompt("go");
        build(&mut log);
        let t = totals(&log);
        (t.claims, t.unverified)
    };
    assert_eq!(
        claims(&|l| {
            l.writes("a.rs").text("done");
        }),
        (1, 1)
    );
    assert_eq!(
        claims(&|l| {
            l.writes("a.rs").runs("cargo test", ok, 0).text("done");
        }),
        (1, 0)
    );
    assert_eq!(
        claims(&|l| {
            l.runs("cargo test", ok, 0).writes("a.rs").text("done");
        }),
        (1, 1)
    );
    assert_eq!(
        claims(&|l| {
            l.writes("a.rs").runs("cargo test", "", 101).text("done");
        }),
        (1, 1)
    );
    assert_eq!(
        claims(&|l| {
            l.writes("a.rs").runs("ls", "a.rs", 0).text("done");
        }),
        (1, 1)
    );
    // A build supports "done", not "tests pass".
    assert_eq!(
        claims(&|l| {
            l.writes("a.rs").runs("cargo build", "", 0).text("done");
        }),
        (1, 0)
    );
    assert_eq!(
        claims(&|l| {
            l.writes("a.rs").runs("cargo build", "", 0).text("tests-pass");
        }),
        (1, 1)
    );
    // A hidden exit status supports nothing, unless the runner's summary is there.
    assert_eq!(
        claims(&|l| {
            l.writes("a.rs")
                .runs("cargo test | tail -1", "hm", 0)
                .text("tests-pass");
        }),
        (1, 1)
    );
    assert_eq!(
        claims(&|l| {
            l.writes("a.rs")
                .runs("cargo test | tail -1", ok, 0)
                .text("tests-pass");
        }),
        (1, 0)
    );
    assert_eq!(
        claims(&|l| {
            l.runs("pytest", "no tests ran in 0.01s", 0).text("tests-pass");
        }),
        (1, 1)
    );
    // A later failure takes the earlier success away.
    assert_eq!(
        claims(&|l| {
            l.runs("cargo test", ok, 0)
                .runs("cargo test", "", 1)
                .text("tests-pass");
        }),
        (1, 1)
    );
    // "done" after reading needs no test, nor does it after an edit of a document.
    assert_eq!(
        claims(&|l| {
            l.runs("ls", "", 0).text("done");
        }),
        (0, 0)
    );
    assert_eq!(
        claims(&|l| {
            l.writes("README.md").text("done");
        }),
        (0, 0)
    );
    assert_eq!(
        claims(&|l| {
            l.text("tests-pass");
        }),
        (1, 1)
    );
    // In the middle of a turn nothing is claimed yet.
    assert_eq!(
        claims(&|l| {
            l.writes("a.rs")
                .text("done")
                .runs("cargo test", ok, 0)
                .text("that was it");
        }),
        (0, 0)
    );
}

#[test]
fn what_runs_in_the_background_or_breaks_off_supports_nothing() {
    for host in [
        json!({ "stdout": "", "backgroundTaskId": "b1" }),
        json!({ "stdout": "", "interrupted": true }),
    ] {
        let mut log = Log::new("s");
        log.prompt("go")
            .writes("a.rs")
            .call("t", "Bash", json!({ "command": "cargo test" }));
        log.result("t", "", false, host.clone()).text("done");
        let t = totals(&log);
        assert_eq!((t.claims, t.unverified, t.verifications), (1, 1, 1), "{host}");
    }
}

#[test]
fn rejections_are_counted_once_and_by_delegation() {
    let mut sub = Log::of_agent("s", "a1");
    sub.prompt("job")
        .text("great")
        .sent_back("too much praise")
        .text("great")
        .sent_back("again")
        .text("result: 3");
    let mut main = Log::new("s");
    main.prompt("go")
        .delegates("a1", "job", "result: 3")
        .text("great")
        .sent_back("hm")
        .writes("a.rs");
    main.record("attachment", json!({ "attachment": { "type": "hook_blocking_error", "hookName": "PostToolUse:Write",
        "toolUseID": "t", "hookEvent": "PostToolUse", "blockingError": { "blockingError": "unformatted", "command": "x" } } })).text("ok");
    let (report, _root) = session(&main, &[("a1", &sub)]);
    let t = report.totals;
    assert_eq!((t.rejections, t.human_rejections, t.delegations), (2, 2, 1));
    assert_eq!((t.answers.messages, t.human.messages), (3, 2));
    assert_eq!(report.metrics[4].display(), "2.00");
    let worst = report.examples_of(MetricId::Retries).next().unwrap();
    assert_eq!((worst.quote.as_deref(), worst.weight), (Some("again"), 2.5));
}

#[test]
fn texts_of_one_message_are_one_text() {
    let mut log = Log::new("s");
    log.prompt("go");
    for text in ["great one", "two three"] {
        log.record("assistant", json!({ "message": { "id": "m1", "role": "assistant", "content": [{ "type": "text", "text": text }] } }));
    }
    let t = totals(&log);
    assert_eq!((t.human.messages, t.human.prose), (1, 40));
    // Reminders, summaries and breaks by the user are no prompts, and end no turn with a message.
    let mut log = Log::new("s");
    log.prompt("go").text("half an answer");
    log.record("user", json!({ "isMeta": true, "message": { "role": "user", "content": "<system-reminder>x</system-reminder>" } }));
    log.record(
        "user",
        json!({ "isCompactSummary": true, "message": { "role": "user", "content": "Summary" } }),
    );
    log.record("user", json!({ "message": { "role": "user", "content": [{ "type": "text", "text": "[Request interrupted by user]" }] } }));
    let t = totals(&log);
    assert_eq!((t.human.messages, t.notes.messages), (0, 1));
}

#[test]
fn copied_records_count_once() {
    let root = tempdir().unwrap();
    let mut log = Log::new("s1");
    log.prompt("go").writes("a.rs").text("done great");
    log.write(&root.path().join("s1.jsonl"));
    log.prompt("on").text("great");
    log.write(&root.path().join("s2.jsonl"));
    let report = audit(root.path());
    assert_eq!(
        (
            report.totals.human.messages,
            report.totals.claims,
            report.totals.edits
        ),
        (2, 1, 1)
    );
    assert_eq!(report.input.copied, 4);
}

#[test]
fn days_and_sessions_are_in_order() {
    let root = tempdir().unwrap();
    for (name, day) in [("b", 21), ("a", 22), ("c", 20)] {
        let mut log = Log::new(name);
        log.day = day;
        log.prompt("DELEGATE").text("great");
        log.write(&root.path().join(format!("{name}.jsonl")));
    }
    let report = audit(root.path());
    let ids: Vec<_> = report.sessions.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(ids, ["c", "b", "a"]);
    let days: Vec<_> = report
        .days
        .iter()
        .map(|d| (d.date.as_str(), d.figures.answers.messages))
        .collect();
    assert_eq!(days, [("2026-11-20", 1), ("2026-11-21", 1), ("2026-11-22", 1)]);
    assert_eq!(report.input.files, 3);
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
}

#[test]
fn broken_input_is_reported_with_its_place() {
    let root = tempdir().unwrap();
    let mut log = Log::new("s");
    log.prompt("DELEGATE").text("great").text("ok");
    log.lines.insert(1, "{\"type\":\"assistant\",\"message\":".into());
    log.lines.insert(2, "not json".into());
    log.write(&root.path().join("s.jsonl"));
    std::fs::write(root.path().join("bytes.jsonl"), [0xFF, 0xFE, b'\n', 0, 1, b'\n']).unwrap();
    std::fs::write(root.path().join("other.jsonl"), "{\"a\":1}\n").unwrap();
    std::fs::write(root.path().join("empty.jsonl"), "").unwrap();
    std::fs::write(root.path().join("notes.md"), "x").unwrap();
    let report = audit(root.path());
    assert_eq!(
        (report.input.broken, report.input.foreign, report.input.other),
        (4, 2, 1)
    );
    assert_eq!((report.sessions.len(), report.totals.answers.messages), (1, 2));
    let places: Vec<_> = report
        .input
        .problems
        .iter()
        .filter(|p| p.file.ends_with("/s.jsonl"))
        .map(|p| p.line)
        .collect();
    assert_eq!(places, [Some(2), Some(3)]);
    let missing = crate::run(
        &[root.path().join("absent")],
        &Options::new(Settings::default()),
        &mut (),
    );
    assert!(!missing.unwrap_err().hints().is_empty());
}

#[test]
fn a_line_beyond_the_limit_is_skipped() {
    let root = tempdir().unwrap();
    let mut log = Log::new("s");
    log.prompt("DELEGATE").text("great");
    let path = root.path().join("s.jsonl");
    log.write(&path);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.splice(0..0, std::iter::repeat_n(b'x', (64 << 20) + 1).chain([b'\n']));
    std::fs::write(&path, bytes).unwrap();
    let report = audit(&path);
    assert_eq!((report.input.broken, report.totals.answers.messages), (1, 1));
    assert_eq!(report.input.problems[0].line, Some(1));
}

#[test]
fn an_empty_folder_has_an_empty_report() {
    let root = tempdir().unwrap();
    let report = audit(root.path());
    assert_eq!(
        (report.sessions.len(), report.totals, report.input.files),
        (0, Figures::default(), 0)
    );
    assert!(report.to_text(80, false).contains("0 sessions"));
    assert!(report.to_html().contains("No transcript was found"));
}

#[test]
fn a_judge_that_panics_loses_one_text() {
    let mut log = Log::new("s");
    log.prompt("DELEGATE")
        .text("PANIC approve")
        .prompt("DELEGATE again")
        .text("great");
    let t = totals(&log);
    assert_eq!((t.not_judged, t.answers.messages, t.approvals), (1, 1, 1));
}

#[test]
fn quotes_can_be_left_out() {
    let root = tempdir().unwrap();
    let mut log = Log::new("s");
    log.prompt("secret plan")
        .text("x")
        .prompt("DELEGATE secret")
        .text("great secret");
    log.write(&root.path().join("s.jsonl"));
    let mut options = Options::new(Settings::default());
    options.quotes = false;
    let report = crate::run::run_with(&[root.path().to_owned()], &options, &Simple, &mut ()).unwrap();
    assert_eq!(report.examples.len(), 1);
    for page in [
        serde_json::to_string(&report).unwrap(),
        report.to_html(),
        report.to_text(100, false),
    ] {
        assert!(!page.contains("secret"));
    }
}

#[test]
fn progress_reaches_the_end() {
    #[derive(Default)]
    struct Seen(u64, u64, u64, bool);
    impl Progress for Seen {
        fn start(&mut self, files: u64, bytes: u64) {
            (self.0, self.1) = (files, bytes);
        }
        fn advance(&mut self, bytes: u64, _: &Path) {
            assert!(bytes >= self.2 && bytes <= self.1);
            self.2 = bytes;
        }
        fn finish(&mut self) {
            self.3 = true;
        }
    }
    let root = tempdir().unwrap();
    let mut log = Log::new("s");
    for _ in 0..40 {
        log.prompt(&"long ".repeat(20_000)).text("ok");
    }
    log.write(&root.path().join("s.jsonl"));
    let mut seen = Seen::default();
    let options = Options::new(Settings::default());
    let report = crate::run::run_with(&[root.path().to_owned()], &options, &Simple, &mut seen).unwrap();
    assert_eq!((seen.0, seen.1, seen.3), (1, report.input.bytes, true));
    assert!(seen.2 > 3_000_000);
}

fn any_file(bytes: &[u8]) -> Report {
    let root = tempdir().unwrap();
    let path: PathBuf = root.path().join("s.jsonl");
    std::fs::write(&path, bytes).unwrap();
    audit(&path)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_have_a_report(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let report = any_file(&bytes);
        prop_assert_eq!(report.input.bytes, bytes.len() as u64);
    }

    #[test]
    fn any_damage_to_a_transcript_has_a_report(at in 0_usize..4000, byte in any::<u8>(), cut in 0_usize..4000) {
        let mut log = Log::new("s");
        log.prompt("go").text("great").writes("a.rs").delegates("a1", "job", "x").sent_back("no").text("done");
        let mut bytes = log.lines.join("\n").into_bytes();
        if let Some(b) = bytes.get_mut(at) {
            *b = byte;
        }
        bytes.truncate(bytes.len().saturating_sub(cut));
        let report = any_file(&bytes);
        prop_assert!(report.to_html().ends_with("</html>\n"));
        prop_assert!(report.to_text(60, true).ends_with('\n'));
    }
}
