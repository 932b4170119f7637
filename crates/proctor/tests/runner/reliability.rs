//! What a crash may do to the record of a session: hooks are killed at any moment, many at once.
//! `PROCTOR_KILL_ROUNDS=1000` makes the long test of it; see `docs/RELIABILITY.md`.

use crate::support::{environment, payload, payloads};
use proctor_kernel::Digest;
use proctor_ledger::Store;
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Rounds of killing in an ordinary run.
const ROUNDS: u64 = 100;

/// Processes at once.
const AT_ONCE: u64 = 16;

fn store(env: &TestEnvironment) -> Store {
    let id = env.git(&["config", "proctor.id"]);
    Store::open(env.state_home().join("proctor").join(id.trim()), true).unwrap()
}

/// How often each payload was recorded, by its digest.
fn recorded(env: &TestEnvironment) -> BTreeMap<String, u64> {
    let store = store(env);
    let mut counts = BTreeMap::new();
    for name in store.writers().unwrap() {
        let mut reader = store.reader(&name);
        for record in reader.by_ref() {
            assert!(record.linked, "{name}: record {}", record.seq);
            let body: Value = record.body().unwrap();
            // On a machine that is too busy to judge it in time an event is refused and noted, which is a record of it.
            let input = body["event"]["input"].as_str().or(body["digest"].as_str());
            let input = input
                .unwrap_or_else(|| panic!("{name}, {}: {body}", record.kind))
                .to_owned();
            *counts.entry(input).or_default() += 1;
        }
    }
    counts
}

/// A tool call of which there is only one.
fn call(env: &TestEnvironment, n: u64) -> Vec<u8> {
    let more = json!({"tool_name": "Read", "tool_use_id": format!("toolu_{n}"), "tool_input": {"file_path": "src/lib.rs"}});
    format!("{}\n", payload(env, "PreToolUse", more)).into_bytes()
}

/// A prompt of which there is only one.
fn prompt(env: &TestEnvironment, n: u64) -> Vec<u8> {
    let more = json!({"prompt": format!("And number {n}?")});
    format!("{}\n", payload(env, "UserPromptSubmit", more)).into_bytes()
}

fn spawn(env: &TestEnvironment, input: &[u8]) -> Child {
    let mut command = env.command(env.program());
    command
        .args(["hook", "claude"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    // A child that is dead already does not read.
    let _ = pipe.write_all(input);
    child
}

/// Waits for the end; true when the event was answered.
fn answered(mut child: Child) -> bool {
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    let status = child.wait().unwrap();
    matches!(status.code(), Some(0 | 2)) && serde_json::from_slice::<Value>(&out).is_ok()
}

/// What is expected of the log when some events were answered and some tried.
#[track_caller]
fn check(env: &TestEnvironment, tried: &BTreeMap<String, bool>) {
    let found = recorded(env);
    for (input, answered) in tried {
        let count = found.get(input).copied().unwrap_or(0);
        assert!(count <= 1, "an event was recorded {count} times");
        assert!(
            !answered || count == 1,
            "an event that was answered is not recorded"
        );
    }
    assert!(
        found.keys().all(|input| tried.contains_key(input)),
        "a record of nothing that happened"
    );
    let output = env.run(&["fsck", "--json"]);
    let report = output.data();
    // Torn lines and a snapshot that was torn with them are all that a crash leaves.
    assert!(output.code() == Some(0), "\n{output}");
    assert_eq!(report["status"], "ok");
}

#[test]
fn hooks_that_are_killed_at_any_moment_lose_nothing_that_was_answered() {
    let rounds = std::env::var("PROCTOR_KILL_ROUNDS")
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(ROUNDS);
    let env = environment().with_real_clock();
    env.commit_all("start");
    let mut tried = BTreeMap::new();
    let mut number = 0;
    let mut next = |tried: &mut BTreeMap<String, bool>| {
        number += 1;
        let input = call(&env, number);
        let digest = Digest::of(&input).as_str().to_owned();
        tried.insert(digest.clone(), false);
        (digest, input)
    };
    // How long one takes, to kill within that time.
    let mut usual = Duration::MAX;
    for _ in 0..5 {
        let (digest, input) = next(&mut tried);
        let begun = Instant::now();
        assert!(answered(spawn(&env, &input)));
        usual = usual.min(begun.elapsed());
        tried.insert(digest, true);
    }
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut killed, mut lived) = (0_u64, 0_u64);
    for round in 0..rounds {
        let at_once = if round % 10 == 9 { AT_ONCE } else { 1 };
        let mut children = Vec::new();
        for _ in 0..at_once {
            let (digest, input) = next(&mut tried);
            children.push((digest, spawn(&env, &input)));
        }
        for (digest, mut child) in children {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            std::thread::sleep(usual.mul_f64((dice % 1000) as f64 / 1000.0) / at_once as u32);
            let _ = child.kill();
            let lives = answered(child);
            killed += u64::from(!lives);
            lived += u64::from(lives);
            tried.insert(digest, lives);
        }
        if round % 50 == 49 {
            check(&env, &tried);
        }
    }
    check(&env, &tried);
    // Both must have happened, or nothing was tested.
    assert!(
        killed * 10 > rounds && lived > 0,
        "{killed} killed, {lived} answered"
    );
    let (digest, input) = next(&mut tried);
    assert!(answered(spawn(&env, &input)));
    tried.insert(digest, true);
    check(&env, &tried);
    println!(
        "{rounds} rounds: {killed} killed, {lived} answered, {} recorded",
        recorded(&env).len()
    );
}

#[test]
fn sixteen_hooks_at_once_leave_one_record_each() {
    // What goes wrong here goes wrong while the first of them make the state folder and the log.
    for _ in 0..8 {
        let env = environment().with_real_clock();
        env.commit_all("start");
        let mut tried = BTreeMap::new();
        for round in 0..2 {
            let children: Vec<_> = (0..AT_ONCE)
                .map(|n| {
                    let n = round * AT_ONCE + n;
                    let input = if n.is_multiple_of(2) {
                        call(&env, n)
                    } else {
                        prompt(&env, n)
                    };
                    (Digest::of(&input).as_str().to_owned(), spawn(&env, &input))
                })
                .collect();
            for (digest, child) in children {
                let out = child.wait_with_output().unwrap();
                assert!(matches!(out.status.code(), Some(0 | 2)), "{out:?}");
                let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
                // Faults are told with prompts.
                assert_eq!(answer["systemMessage"], Value::Null);
                tried.insert(digest, true);
            }
        }
        check(&env, &tried);
        assert_eq!(recorded(&env).len(), 32);
    }
}

#[test]
fn the_same_events_under_the_same_policy_give_the_same_decisions() {
    let play = || {
        let env = environment();
        env.write_file("src/lib.rs", "pub fn x() {}\n");
        env.commit_all("start");
        let answers: Vec<String> = payloads(&env)
            .iter()
            .map(|p| env.normalise(&env.hook("claude", p).stdout()))
            .collect();
        let mut decisions = Vec::new();
        let store = store(&env);
        for name in store.writers().unwrap() {
            for record in store.reader(&name) {
                let mut body: Value = serde_json::from_str(&env.normalise(record.raw_body())).unwrap();
                // The payload holds the folder's path; everything else must be equal, times and ids included.
                body["event"]["input"] = Value::Null;
                for change in body["changes"].as_array_mut().into_iter().flatten() {
                    // So does the input of a tool, of which a step is the fingerprint.
                    if let Some(step) = change.get_mut("step") {
                        step["call"] = Value::Null;
                    }
                }
                decisions.push((record.id, record.millis, body));
            }
        }
        (answers, decisions)
    };
    let (first, second) = (play(), play());
    assert!(first.1.len() > 5);
    assert_eq!(first, second);
}
