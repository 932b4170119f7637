//! The parsers, each with its invariants and seeds.

use super::{Target, readers, state, texts};
use proctor_hosts::claude;
use proctor_kernel::{Action, Decision};
use proctor_ledger::{Draft, Durability, Stamp, Store};
use proctor_policy::{SourceFile, Sources};
use proctor_prose::BlockKind;
use serde_json::Value;

/// All of them, by name.
pub static TARGETS: &[Target] = &[
    Target {
        name: "claude_payload",
        run: claude_payload,
        seeds: PAYLOADS,
    },
    Target {
        name: "outline",
        run: outline,
        seeds: TEXTS,
    },
    Target {
        name: "policy",
        run: policy,
        seeds: POLICIES,
    },
    Target {
        name: "prose",
        run: prose,
        seeds: TEXTS,
    },
    Target {
        name: "record",
        run: record,
        seeds: RECORDS,
    },
    Target {
        name: "transcript",
        run: transcript,
        seeds: TRANSCRIPTS,
    },
    Target {
        name: "claude_settings",
        run: claude_settings,
        seeds: SETTINGS,
    },
    Target {
        name: "git_status",
        run: git_status,
        seeds: STATUSES,
    },
    Target {
        name: "runners",
        run: runners,
        seeds: OUTPUTS,
    },
    Target {
        name: "shell",
        run: shell,
        seeds: LINES,
    },
    Target {
        name: "checklist",
        run: texts::checklist,
        seeds: texts::ANSWERS,
    },
    Target {
        name: "pattern",
        run: texts::pattern,
        seeds: texts::PATTERNS,
    },
    Target {
        name: "fold",
        run: texts::fold,
        seeds: texts::SPELLINGS,
    },
    Target {
        name: "model",
        run: texts::model,
        seeds: texts::MODELS,
    },
    Target {
        name: "git_index",
        run: readers::git_index,
        seeds: readers::INDEXES,
    },
    Target {
        name: "git_ignore",
        run: readers::git_ignore,
        seeds: readers::IGNORES,
    },
    Target {
        name: "tamper",
        run: readers::tamper,
        seeds: readers::TESTS,
    },
    Target {
        name: "eval_rows",
        run: readers::eval_rows,
        seeds: readers::ROWS,
    },
    Target {
        name: "pushed",
        run: readers::pushed,
        seeds: readers::PUSHES,
    },
    Target {
        name: "session",
        run: state::session,
        seeds: state::SESSIONS,
    },
    Target {
        name: "marker",
        run: state::marker,
        seeds: state::MARKERS,
    },
    Target {
        name: "trust",
        run: state::trust,
        seeds: state::BOOKS,
    },
];

/// Settings files of Claude Code: what the installer takes on, it can take out again, to the byte; and it
/// never writes a file that the host would drop.
pub fn claude_settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = claude::settings::diagnose(text);
    let _ = claude::install::removal(text);
    let Ok(plan) = claude::install::plan(Some(text), "/bin/proctor", claude::install::Options::default())
    else {
        return;
    };
    let again = claude::install::plan(
        Some(&plan.new_text),
        "/bin/proctor",
        claude::install::Options::default(),
    )
    .expect("what was installed is readable");
    assert!(!again.changed, "a second installation changes nothing");
    let back = claude::install::removal(&plan.new_text).expect("what was installed can be removed");
    assert!(
        claude::settings::own_hooks(&back.new_text).is_empty(),
        "nothing of Proctor's stays behind"
    );
}

const SETTINGS: &[&[u8]] = &[
    b"{}",
    b"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"echo\"}]}]},\"model\":\"x\"}",
    b"{\n  \"hooks\": {\"PreToolUse\": [{\"matcher\": \"*\", \"hooks\": [{\"type\": \"command\", \"command\": \
      \"/usr/bin/proctor\", \"args\": [\"hook\", \"claude\"], \"timeout\": 5}]}]}\n}\n",
    b"{\"hooks\":[],\"disableAllHooks\":true} // comment",
];

/// The answer of `git status`: paths, or an error that says what is not known.
pub fn git_status(bytes: &[u8]) {
    if let Ok(paths) = proctor_worktree::status_paths(bytes) {
        for path in paths {
            assert!(!path.is_empty() && !path.starts_with(b".proctor/"));
            assert!(bytes.windows(path.len()).any(|w| w == path), "no path is made up");
        }
    }
}

const STATUSES: &[&[u8]] = &[
    b"1 .M N... 100644 100644 100644 aaaa bbbb src/a.rs\0? new file.txt\0",
    b"2 R. N... 100644 100644 100644 aaaa bbbb R100 b.rs\0a.rs\0u UU N... 1 1 1 1 a b c d x\0",
    b"# branch.oid abc\0! ignored\0? .proctor/x\0? sub/\0",
];

/// Outputs of checks: reading is total, the whole fails when a part does, and a failure that stands is not
/// undone by what is written behind it.
pub fn runners(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let row = &proctor_runners::RUNNERS[bytes.len() % proctor_runners::RUNNERS.len()];
    for hint in [None, row.commands.first().copied()] {
        let all = proctor_runners::summarise_all(&text, hint);
        let one = proctor_runners::summarise(&text, hint);
        assert_eq!(one.is_some(), !all.is_empty(), "a summary of what was read");
        assert_eq!(
            one.is_some_and(|s| s.is_failure()),
            all.iter().any(proctor_kernel::Summary::is_failure),
            "one failure fails the whole"
        );
        assert!(
            all.iter().all(|s| s.says_failed || !s.is_failure()),
            "a failure is said, whatever becomes of its figures"
        );
    }
}

const OUTPUTS: &[&[u8]] = &[
    b"running 2 tests\ntest a ... ok\ntest b ... FAILED\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.01s\n\nerror: test failed, to rerun pass `--lib`\n",
    b"     Summary [   0.032s] 2/3 tests run: 1 passed (1 slow), 1 failed, 1 timed out, 1 skipped\nerror: test run failed\n",
    b"===== test session starts =====\na.py .F   [100%]\nFAILED a.py::x - assert 0\n===== 1 failed, 1 passed, 2 deselected, 1 xfailed in 0.05s (0:00:01) =====\nno tests ran in 0.01s\n",
    b"Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1, expected failures=1)\nRan 0 tests in 0.000s\nNO TESTS RAN\n",
    b"Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 todo, 2 passed, 4 total\n      Tests  1 failed | 2 passed (3)\n  2 passing (5ms)\n  1 failing\n",
    b"ok  \texample.org/a\t0.003s\nFAIL\texample.org/b [build failed]\n?   \tc\t[no test files]\n--- FAIL: TestX (0.00s)\n{\"Action\":\"fail\",\"Package\":\"a\",\"Test\":\"B\"}\n",
    b"TAP version 13\n1..4\nok 1 - a # SKIP\nnot ok 2 - b # TODO x\n# tests 4\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 1\n# duration_ms 2\nBail out!\n",
    b"<?xml version=\"1.0\"?><testsuites tests=\"2\"><testsuite tests='2' failures=\"1\"><testcase name=\"a>b\"/><testcase><failure>x<![CDATA[</testcase>]]></failure></testcase></testsuite></testsuites>",
    b"\x1b[1m[INFO] Tests run: 3, Failures: 0, Errors: 1, Skipped: 0\r\n[INFO] BUILD FAILURE\r\n3 tests completed, 1 failed\nBUILD FAILED in 3s\nPassed!  - Failed: 0, Passed: 3, Skipped: 0, Total: 3\n",
    b"3 examples, 1 failure, 1 pending\n3 runs, 2 assertions, 1 failures, 0 errors, 0 skips\nOK (3 tests, 3 assertions)\n67% tests passed, 1 tests failed out of 3\nok | 1 passed (2 steps) | 0 failed (3ms)\n 1 pass\n 0 fail\nRan 1 test across 1 file. [4.00ms]\n",
    b"src/a.ts(1,7): error TS2322: x\nFound 1 error in src/a.ts:1\nFound 2 errors in 1 file (checked 1 source file)\n\xe2\x9c\x96 3 problems (2 errors, 1 warning)\nChecked 2 files in 3ms. No fixes applied.\nFound 2 errors.\nmake: *** [Makefile:6: test] Error 1\n",
];

/// Payloads of Claude Code's hooks, and the answers to them: whatever comes in, what goes out is one JSON
/// object on one line.
pub fn claude_payload(bytes: &[u8]) {
    match claude::parse(bytes) {
        Ok(event) => {
            assert!(!event.session.is_empty(), "a session always has an id");
            for action in [Action::Allow, Action::Modify, Action::Ask, Action::Block] {
                let text = Some("another \"text\"\nof two lines".to_owned());
                let decision = Decision {
                    action,
                    reason: "because\n한글".to_owned(),
                    text,
                    ..Decision::allow()
                };
                let rendered = claude::render_onto(bytes, &event, &decision);
                one_object(&rendered.stdout);
                assert!(
                    matches!(rendered.exit, 0 | 2),
                    "the host gives other exit codes no meaning"
                );
            }
        }
        Err(error) => {
            assert!(!error.why.is_empty());
            for closed in [false, true] {
                one_object(&claude::render_failure(error.native_event.as_deref(), &error.why, closed).stdout);
            }
        }
    }
}

fn one_object(stdout: &str) {
    let line = stdout.strip_suffix('\n').expect("the answer ends its line");
    assert!(!line.contains('\n'), "the answer is one line");
    let value: Value = serde_json::from_str(line).expect("the answer is JSON");
    assert!(value.is_object(), "the answer is an object");
}

/// Policy files: never a failure, always settings; what is wrong has a place in a file.
pub fn policy(bytes: &[u8]) {
    let file = || {
        Some(SourceFile {
            path: "proctor.yaml".to_owned(),
            bytes: bytes.to_vec(),
        })
    };
    let sources = Sources {
        project: file(),
        ..Sources::default()
    };
    let resolved = proctor_policy::resolve(&sources);
    for problem in &resolved.problems {
        assert!(!problem.render().is_empty() && !problem.place().is_empty());
    }
    assert!(
        (0.0..=1.0).contains(&resolved.settings.response.threshold),
        "a share is between 0 and 1"
    );
    // What is told beyond changes nothing.
    let examined = proctor_policy::examine(&sources);
    assert_eq!(
        examined.settings, resolved.settings,
        "examining changes no setting"
    );
    // The same file in all layers at once may tighten, and must not fail.
    let layered = proctor_policy::resolve(&Sources {
        user: file(),
        project: file(),
        local: file(),
        ..Sources::default()
    });
    assert!(proctor_policy::looser_keys(&layered.settings, &layered.settings).is_empty());
}

/// The log: damaged bytes in a segment never hide a good record before or after them, and never come
/// back as a record of ours.
pub fn record(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut store = Store::open(folder.path().join("state"), false).expect("a fresh store");
    store.create("fuzz", 1_000).expect("a fresh store can be made");
    let writer = store.writer("main");
    let draft = |n: u8| {
        let stamp = Stamp {
            millis: 1_000 + u64::from(n),
            random: [n; 10],
            test: true,
        };
        Draft::new(stamp, "note", &serde_json::json!({"n": n})).expect("a draft")
    };
    let first = writer
        .append(&draft(1), Durability::Buffered)
        .expect("the first record");
    let segment = find_segment(folder.path()).expect("a segment");
    let mut log = std::fs::read(&segment).expect("a readable segment");
    log.extend_from_slice(bytes);
    std::fs::write(&segment, &log).expect("a writable segment");
    let second = store
        .writer("main")
        .append(&draft(2), Durability::Buffered)
        .expect("writing goes on after damage");
    let ids: Vec<String> = store.reader("main").map(|r| r.id.to_string()).collect();
    for id in [first.id.to_string(), second.id.to_string()] {
        assert_eq!(
            ids.iter().filter(|i| **i == id).count(),
            1,
            "a good record is read exactly once"
        );
    }
}

fn find_segment(folder: &std::path::Path) -> Option<std::path::PathBuf> {
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if let Some(found) = find_segment(&path) {
                return Some(found);
            }
        } else if path.extension().is_some_and(|e| e == "jsonl") {
            return Some(path);
        }
    }
    None
}

/// Delegations: reading is total and says the same twice.
pub fn outline(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let outline = proctor_outline::read(&text);
    assert_eq!(outline, proctor_outline::read(&text));
    assert!(
        outline.items.iter().all(|i| !i.trim().is_empty()),
        "an item says something"
    );
    assert!(
        outline
            .expected
            .iter()
            .chain(&outline.excluded)
            .all(|p| !p.is_empty()),
        "a path has a name"
    );
    let sections = proctor_outline::sections(&text);
    assert_eq!(sections.count() + sections.missing().len(), 6);
    let _ = proctor_outline::delegates(&text);
    let _ = proctor_outline::is_delegation(&text);
    let _ = proctor_outline::extend(&outline, &text);
    let modified = vec!["src/lib.rs".to_owned(), text.chars().take(40).collect()];
    let _ = proctor_outline::scope::compare(&outline, &modified, &[], 3);
}

/// Messages: every place that the reading names lies in the text, in order, on character boundaries.
pub fn prose(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let reading = proctor_prose::read(&text);
    for token in &reading.tokens {
        assert!(
            text.get(token.start..token.end).is_some(),
            "a token lies in the text"
        );
    }
    for clause in &reading.clauses {
        assert!(
            text.get(clause.start..clause.end).is_some(),
            "a clause lies in the text"
        );
        assert!(
            reading.tokens.get(clause.tokens.clone()).is_some(),
            "a clause has its tokens"
        );
        assert!(clause.block < reading.blocks.len(), "a clause has its block");
    }
    for clause in reading.clauses.iter().filter(|c| c.chars > 0) {
        let kind = reading.blocks.get(clause.block).map(|b| b.kind);
        // Strings of a JSON message may be prose; what is quoted or code never is.
        assert!(
            !matches!(kind, None | Some(BlockKind::Code | BlockKind::Quote)),
            "prose in {kind:?}: {text:?}"
        );
    }
}

/// Command lines: reading ends, says the same twice, and never promises more for a line that goes on after
/// its checks.
pub fn shell(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let analysis = proctor_shell::analyse(&text, &[]);
    assert_eq!(analysis, proctor_shell::analyse(&text, &[]));
    for (index, check) in analysis.checks.iter().enumerate() {
        let command = analysis
            .commands
            .get(check.command)
            .expect("a check is a command");
        assert_eq!(command.check, Some(index), "check and command know each other");
        assert!(!check.kinds.is_empty(), "a check checks something");
    }
    // A text with a bracket of its own is not inside of the one around it.
    if analysis.unanalysable.is_some() {
        return;
    }
    let hidden = proctor_shell::analyse(&format!("(\n{text}\n) || true"), &[]);
    assert!(
        hidden.checks.iter().all(|c| !c.masks.is_empty()),
        "what `|| true` follows proves nothing"
    );
}

const LINES: &[&[u8]] = &[
    b"cd crates/core && RUST_LOG=x timeout 600 cargo test --all 2>&1 | tail -40",
    b"set -euo pipefail\nfor p in a b; do (cd \"$p\" && npm test) || exit 1; done; pytest -q; rc=$?; exit $rc",
    b"git commit -m \"$(cat <<'EOF'\nnpm test\nEOF\n)\" && bash -c 'go test ./... | tee log'",
    b"f() { make test || return 1; }; if ! f; then exit 1; fi; case $x in a|b) tox;; *) nox & esac",
    b"x=$(cargo test); [[ $? -eq 0 ]] || ((1)) && echo `pytest` ${y:-$(jest)} <(ls) $'\\x41' > log 2>&1",
];

/// Transcripts: reading ends, and every entry knows its line.
pub fn transcript(bytes: &[u8]) {
    let lines = bytes.split(|b| *b == b'\n').count() as u64;
    for entry in claude::transcript::Reader::new(bytes).flatten() {
        assert!((1..=lines).contains(&entry.line), "an entry has its line");
    }
    let text = String::from_utf8_lossy(bytes);
    let _ = claude::notification(&text);
    let _ = claude::transcript::started_by(&text);
}

const PAYLOADS: &[&[u8]] = &[
    br#"{"session_id":"s","transcript_path":"/home/user/x.jsonl","cwd":"/home/user/project","hook_event_name":"SessionStart","source":"startup"}"#,
    br#"{"session_id":"s","cwd":"/home/user/project","prompt_id":"p","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"Fix it.\n\nEXPECTED OUTCOME:\n- [ ] src/a.rs"}"#,
    br#"{"session_id":"s","cwd":"/home/user/project","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cargo test","description":"t"},"tool_use_id":"u"}"#,
    br#"{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"description":"d","prompt":"do it","subagent_type":"general-purpose"},"tool_use_id":"u"}"#,
    br#"{"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse","tool_name":"Agent","tool_input":{"prompt":"do it"},"tool_response":{"status":"completed","agentId":"a1","content":[{"type":"text","text":"answer"}]},"tool_use_id":"u"}"#,
    br#"{"session_id":"s","cwd":"/p","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"x"},"error":"Exit code 2\noops","is_interrupt":false}"#,
    br#"{"session_id":"s","cwd":"/p","agent_id":"a1","agent_type":"general-purpose","hook_event_name":"SubagentStop","stop_hook_active":false,"last_assistant_message":"done","background_tasks":[]}"#,
    br#"{"session_id":"s","cwd":"/p","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"\uc644\ub8cc","background_tasks":[{"id":"b","type":"subagent","status":"running"}],"session_crons":[]}"#,
    br#"{"session_id":"s","cwd":"/p","hook_event_name":"MessageDisplay","turn_id":"t","message_id":"m","index":0,"final":true,"delta":"text"}"#,
];

const POLICIES: &[&[u8]] = &[
    b"version: 1\npreset: standard\nenforcement:\n  enabled: true\n  budget: { retries: 2, review_attempts: 3 }\n",
    b"version: 1\nenforcement:\n  response: { mode: enforce, flattery_threshold: 0.2, human_facing: { mode: observe, threshold: 0.4 }, patterns: { korean: [\"\xec\xa2\x8b\"], english: [great] }, allow: [perfect hash] }\n",
    b"enforcement: {response: {boundary: reject, allow: {korean: [\"/perfect (hash|square)/i\"]}, patterns: {english: [\"/\\\\bgre+at\\\\b/\", {pattern: \"/(a|b){2,3}cc/m\", match: [aacc], not_match: [cc], confidence: low}]}}}\n",
    b"enforcement:\n  response_validator: { enabled: false, max_retries: 1 }\n  review_gate: { require_evidence: true, downgrade_after_retries: 2 }\n  scope_guard: { violation_threshold: 3 }\n  todo_tracker: { reminder_on_incomplete: true }\n",
    b"version: 1\nverification:\n  - { name: test, run: \"cargo test\", kind: tests }\n",
    b"version: 1\nbogus: 1\nenforcement: { scope: { mode: sometimes } }\n",
    b"a: &a [1,2]\nb: *a\n? complex\n: key\n--- \nsecond: document\n",
];

const TEXTS: &[&[u8]] = &[
    "TASK: Fix the parser\n\nEXPECTED OUTCOME:\n- [ ] src/lib.rs parses\n- [x] tests/*.rs pass\n\nREQUIRED TOOLS: Read, Edit\nMUST DO:\n- run the tests\nMUST NOT DO: touch docs/\nCONTEXT: small crate\n".as_bytes(),
    "DELEGATE::reviewer::Review `src/a.rs`\nEXPECTED OUTCOME: a verdict with evidence".as_bytes(),
    "Perfect! Excellent work! APPROVE - I ran the tests: 12 passed, 0 failed.".as_bytes(),
    "I can't APPROVE this: `cargo test` fails.\n\n```rust\nfn great() {}\n```\n> Amazing!\n\n| a | b |\n|---|---|\n".as_bytes(),
    "완벽합니다! 훌륭한 분석이에요. 승인합니다.\n기대 결과:\n- [ ] 파서가 빈 목록을 읽는다\n1. 테스트 통과\n".as_bytes(),
    "# 결과\n\n모든 테스트가 통과하지 않았습니다. 확인 후 다시 보고하겠습니다.".as_bytes(),
    br#"{"task": "x", "expected_outcome": ["a.rs", "b/"], "must_not_do": []}"#,
];

const RECORDS: &[&[u8]] = &[
    br#"{"v":1,"id":"01ARYZ6S410000000000000000","at":"2016-07-30T23:36:16.385Z","w":"main","n":2,"prev":"00","kind":"decision","body":{"a":1},"crc":"00000000"}"#,
    b"{\"v\":1,\"id\":\"x\"",
    b"\n\n\n",
    b"{\"v\":2}\n{\"v\":1}\n",
];

const TRANSCRIPTS: &[&[u8]] = &[
    br#"{"type":"user","sessionId":"s","uuid":"u1","timestamp":"2026-11-20T00:00:00Z","cwd":"/p","message":{"role":"user","content":"fix it"}}
{"type":"assistant","sessionId":"s","uuid":"u2","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Done!"}],"usage":{"input_tokens":1,"output_tokens":2}}}
{"type":"assistant","sessionId":"s","uuid":"u3","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}
{"type":"user","sessionId":"s","uuid":"u4","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a\nb","is_error":false}]}}
"#,
    br#"{"type":"summary","summary":"x","leafUuid":"u"}
{"type":"system","subtype":"compact_boundary"}
{"type":"attachment","attachment":{"type":"hook_blocking_error","hookName":"Stop"}}
"#,
    b"<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n<result>answer</result>\n</task-notification>",
];
