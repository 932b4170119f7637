//! `stats` and `explain` over many records: the index gives the answers of the logs.

use crate::support::{environment, payloads};
use proctor_ledger::{Draft, Durability, Stamp, Store};
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A state folder with `count` decisions in ten logs, made of those of a real session.
fn many(count: u64) -> (TestEnvironment, Store) {
    let env = environment();
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
    for payload in payloads(&env) {
        let _ = env.hook("claude", &payload);
    }
    let id = env.git(&["config", "proctor.id"]);
    let store = Store::open(env.state_home().join("proctor").join(id.trim()), true).unwrap();
    let name = store.writers().unwrap().remove(0);
    let bodies: Vec<Value> = store.reader(&name).map(|r| r.body().unwrap()).collect();
    let mut number = 0;
    for session in 0..10 {
        let drafts: Vec<Draft> = (0..count / 10)
            .map(|n| {
                number += 1;
                let mut random = [0; 10];
                for (to, from) in random.iter_mut().rev().zip(u64::to_le_bytes(number)) {
                    *to = from;
                }
                let mut body = bodies[n as usize % bodies.len()].clone();
                body["event"]["session"] = json!(format!("session-{session}"));
                let stamp = Stamp {
                    millis: 1_767_400_000_000 + number,
                    random,
                    test: false,
                };
                Draft::new(stamp, "decision", &body).unwrap()
            })
            .collect();
        for drafts in drafts.chunks(500) {
            store
                .writer(&format!("claude-many-{session}"))
                .append_all(drafts, Durability::Buffered)
                .unwrap();
        }
    }
    (env, store)
}

/// Everything that `stats` and `explain` say.
fn answers(env: &TestEnvironment) -> [String; 4] {
    let last = env.run(&["explain", "last"]).exits(0).stdout();
    let id = last
        .lines()
        .next()
        .unwrap()
        .rsplit(' ')
        .next()
        .unwrap()
        .to_owned();
    [
        env.run(&["stats", "--recent", "20"]).exits(0).stdout(),
        env.run(&["stats", "--json"]).exits(0).stdout(),
        env.run(&["explain", id.get(18..).unwrap()]).exits(0).stdout(),
        last,
    ]
}

#[test]
fn the_index_gives_the_answers_of_the_logs() {
    let (env, store) = many(8000);
    let index = store.root().join("index.sqlite");
    // A folder where the file should be: there can be no index, so the logs answer.
    std::fs::create_dir(&index).unwrap();
    let from_logs = answers(&env);
    assert!(index.is_dir());
    std::fs::remove_dir(&index).unwrap();
    let made = answers(&env);
    assert!(index.is_file(), "so many records are worth an index");
    assert_eq!(made, from_logs);
    assert_eq!(answers(&env), from_logs);
    let _ = env.run(&["fsck"]).exits(0);
    // Broken in any way, it is made anew; a look finds it, a repair removes it.
    for bytes in [&b"garbage"[..], &std::fs::read(&index).unwrap()[..5000]] {
        std::fs::write(&index, bytes).unwrap();
        let report = env.run(&["fsck", "--json"]).exits(0).data();
        assert_eq!(
            report["report"]["findings"][0]["code"], "index_unusable",
            "{report}"
        );
        assert_eq!(answers(&env), from_logs);
    }
    std::fs::write(&index, "garbage").unwrap();
    let _ = env.run(&["fsck", "--repair"]).exits(0);
    assert!(!index.exists());
    // Unknown ids stay unknown, with the same words.
    let unknown = env.run(&["explain", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]).exits(2);
    assert!(unknown.stderr().contains("no decision"), "{unknown}");
}

#[test]
fn a_hook_makes_no_index() {
    let (env, store) = many(8000);
    for payload in payloads(&env) {
        let _ = env.hook("claude", &payload);
    }
    assert!(!store.root().join("index.sqlite").exists());
}

/// `PROCTOR_BENCH_RECORDS=100000 cargo test --release -p proctor --test runner queries -- --ignored --nocapture`;
/// `PROCTOR_BENCH_PROGRAM` names another program to measure.
#[test]
#[ignore = "a measurement"]
fn cost_of_queries() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse().ok());
    let count = number("PROCTOR_BENCH_RECORDS").unwrap_or(100_000);
    let (env, store) = many(count);
    let program =
        std::env::var("PROCTOR_BENCH_PROGRAM").unwrap_or_else(|_| env.program().display().to_string());
    let index = store.root().join("index.sqlite");
    let id = env.run(&["explain", "last"]).exits(0).stdout();
    let id = id.lines().next().unwrap().rsplit(' ').next().unwrap().to_owned();
    let _ = std::fs::remove_file(&index);
    let time = |args: &[&str]| -> Duration {
        let begun = Instant::now();
        let output = env.finish(env.command(&program).args(args), b"");
        assert_eq!(output.code(), Some(0), "{output}");
        begun.elapsed()
    };
    println!("{count} records; index built: {:?}", time(&["stats"]));
    for args in [&["stats"][..], &["explain", &id], &["explain", "last"]] {
        let mut with: Vec<Duration> = (0..5).map(|_| time(args)).collect();
        let kept = index.is_file().then(|| std::fs::read(&index).unwrap());
        let _ = std::fs::remove_file(&index);
        std::fs::create_dir(&index).unwrap();
        let mut without: Vec<Duration> = (0..5).map(|_| time(args)).collect();
        std::fs::remove_dir(&index).unwrap();
        with.sort();
        without.sort();
        println!(
            "{args:?}: with index {:?}, from the logs {:?}",
            with[2], without[2]
        );
        if let Some(bytes) = kept {
            println!("  index {} bytes", bytes.len());
            std::fs::write(&index, bytes).unwrap();
        }
    }
}
