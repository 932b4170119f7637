//! A scripted three-turn run of the real Claude Code, with Proctor and with a program that does
//! nothing at the same hooks: `cargo bench --bench claude`.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and may end on a fault"
)]

use proctor_testkit::claude::{Availability, Claude, available};
use proctor_testkit::env::TestEnvironment;
use proctor_testkit::model::{ModelServer, Script, Turn};
use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const ROUNDS: usize = 15;

/// Writes a file, runs a command, ends the turn.
fn script(project: &Path) -> Script {
    let file = project.join("a.txt").display().to_string();
    Script::new()
        .turn(
            Turn::say("I write the file.").call("Write", json!({ "file_path": file, "content": "hello\n" })),
        )
        .turn(Turn::say("I check it.").call(
            "Bash",
            json!({ "command": "cat a.txt", "description": "Show it" }),
        ))
        .turn(Turn::say("a.txt holds one line: hello."))
}

/// One run with this program at all of Proctor's hooks.
fn run(claude: &Claude, program: &Path) -> Duration {
    let env = TestEnvironment::new(program).with_real_clock();
    let hooks: serde_json::Map<_, _> = proctor_hosts::claude::install::hooks(
        &program.display().to_string(),
        proctor_hosts::claude::install::Options::default(),
    )
    .into_iter()
    .map(|(event, group)| (event.to_owned(), json!([group])))
    .collect();
    let settings = env.project().join(".claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(settings, json!({ "hooks": hooks }).to_string()).unwrap();
    let model = ModelServer::start(script(&env.project()));
    let answer = claude.prompt(&env, &model, "Write a.txt.").completed();
    model.assert_followed();
    answer.wall()
}

fn main() {
    let Availability::Ready(claude) = available() else {
        println!("SKIPPED: the real Claude Code is not to be had here");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (source, nothing) = (folder.path().join("nothing.rs"), folder.path().join("nothing"));
    std::fs::write(&source, "fn main() { println!(\"{{}}\"); }\n").unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let flags = [
        "-O",
        "-C",
        "target-feature=+crt-static",
        "-C",
        "strip=symbols",
        "-o",
    ];
    assert!(
        Command::new(rustc)
            .args(flags)
            .arg(&nothing)
            .arg(&source)
            .status()
            .unwrap()
            .success()
    );
    let proctor = Path::new(env!("CARGO_BIN_EXE_proctor"));

    let (mut with, mut without, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        // In turn, each first as often as the other; the first round warms the caches.
        let (a, b) = if round % 2 == 0 {
            let a = run(claude, proctor);
            (a, run(claude, &nothing))
        } else {
            let b = run(claude, &nothing);
            (run(claude, proctor), b)
        };
        if round > 0 {
            with.push(a);
            without.push(b);
            ratios.push(a.as_secs_f64() / b.as_secs_f64());
        }
    }
    with.sort_unstable();
    without.sort_unstable();
    ratios.sort_unstable_by(f64::total_cmp);
    let middle = ROUNDS / 2;
    println!("three-turn run of Claude Code, {ROUNDS} pairs, median:");
    println!("  with Proctor          {:?}", with[middle]);
    println!("  with a no-op program  {:?}", without[middle]);
    println!(
        "  ratio of medians      {:.3}",
        with[middle].as_secs_f64() / without[middle].as_secs_f64()
    );
    println!(
        "  ratio, pair by pair   median {:.3}, {:.3} to {:.3}",
        ratios[middle],
        ratios[0],
        ratios[ROUNDS - 1]
    );
}
