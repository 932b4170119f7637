//! Cost of a hook call, spawn to exit, beside a static hello world: `cargo bench --bench hook`.
//!
//! Both programs are started in turn, so that the ratio holds on a noisy machine. Ratios are what
//! counts; absolute times differ from machine to machine.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a benchmark prints, and may end on a fault"
)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 400;

/// Starts a program with a payload on standard input, and waits for its end.
fn call(program: &Path, args: &[&str], payload: &str, folder: &Path) -> Duration {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder.join("repo")).env_clear();
    command
        .env("HOME", folder)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let before = Instant::now();
    let mut child = command.spawn().expect("the program starts");
    // The hello world does not read; a closed pipe is no fault here.
    let _ = child.stdin.take().unwrap().write_all(payload.as_bytes());
    child.wait().expect("the program ends");
    before.elapsed()
}

fn at(times: &[Duration], percent: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)]
}

fn git(folder: &Path, args: &[&str]) {
    let identity = [
        "-c",
        "user.name=B",
        "-c",
        "user.email=b@localhost",
        "-c",
        "commit.gpgsign=false",
    ];
    let run = Command::new("git")
        .args(identity)
        .args(args)
        .current_dir(folder)
        .output()
        .expect("git runs");
    assert!(
        run.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&run.stderr)
    );
}

/// A repository with this many files of which three are changed, and a home folder around it.
fn repository(files: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let repo = folder.path().join("repo");
    std::fs::create_dir_all(&repo).unwrap();
    git(&repo, &["init", "-q", "-b", "main"]);
    for i in 0..files {
        let path = repo.join(format!("src/m{:03}/f{i}.rs", i / 100));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("pub fn f{i}() {{}}\n")).unwrap();
    }
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-q", "-m", "base"]);
    folder
}

fn hello(folder: &Path) -> PathBuf {
    let (source, program) = (folder.join("hello.rs"), folder.join("hello"));
    std::fs::write(&source, "fn main() { println!(\"{{}}\"); }\n").unwrap();
    let flags = [
        "-O",
        "-C",
        "target-feature=+crt-static",
        "-C",
        "strip=symbols",
        "-C",
        "panic=abort",
        "-o",
    ];
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc)
        .args(flags)
        .arg(&program)
        .arg(&source)
        .status()
        .expect("rustc runs");
    assert!(built.success(), "the hello world is built");
    program
}

fn main() {
    let proctor = Path::new(env!("CARGO_BIN_EXE_proctor"));
    let folder = repository(10);
    let hello = hello(folder.path());
    let cwd = folder.path().join("repo").display().to_string();
    let payload = |event: &str, more: &str| {
        format!("{{\"session_id\":\"bench\",\"cwd\":\"{cwd}\",\"hook_event_name\":\"{event}\"{more}}}\n")
    };
    let read =
        ",\"tool_name\":\"Read\",\"tool_input\":{\"file_path\":\"src/m000/f1.rs\"},\"tool_use_id\":\"t1\"";
    let events = [
        ("PreToolUse (Read)", payload("PreToolUse", read)),
        (
            "PostToolUse (Read)",
            payload(
                "PostToolUse",
                &format!("{read},\"tool_response\":{{\"type\":\"text\"}}"),
            ),
        ),
        (
            "UserPromptSubmit",
            payload(
                "UserPromptSubmit",
                ",\"prompt\":\"Please look at the parser again.\"",
            ),
        ),
        (
            "Stop (2 KB turn, no outcome named)",
            payload(
                "Stop",
                &format!(
                    ",\"stop_hook_active\":false,\"last_assistant_message\":\"{}\"",
                    turn()
                ),
            ),
        ),
    ];
    for policy in [
        None,
        Some("version: 1\npreset: standard\nenforcement:\n  response: { flattery_threshold: 0.2 }\n"),
    ] {
        if let Some(policy) = policy {
            std::fs::create_dir_all(folder.path().join("repo/.proctor")).unwrap();
            std::fs::write(folder.path().join("repo/.proctor/proctor.yaml"), policy).unwrap();
        }
        println!(
            "\nhook calls {} policy file, {ROUNDS} rounds",
            if policy.is_some() { "with a" } else { "without" }
        );
        let mut floor = Vec::new();
        let mut times = vec![Vec::new(); events.len()];
        for round in 0..ROUNDS + 20 {
            let base = call(&hello, &[], &events[0].1, folder.path());
            let own: Vec<_> = events
                .iter()
                .map(|(_, p)| call(proctor, &["hook", "claude"], p, folder.path()))
                .collect();
            if round >= 20 {
                floor.push(base);
                own.into_iter().zip(&mut times).for_each(|(t, all)| all.push(t));
            }
        }
        let base = at(&floor, 50);
        println!(
            "{:<36} p50 {:>8.3?}  p99 {:>8.3?}",
            "static hello world",
            base,
            at(&floor, 99)
        );
        for ((name, _), times) in events.iter().zip(&times) {
            let p50 = at(times, 50);
            let ratio = p50.as_secs_f64() / base.as_secs_f64();
            println!(
                "{name:<36} p50 {p50:>8.3?}  p99 {:>8.3?}  ratio {ratio:.2}",
                at(times, 99)
            );
        }
    }

    for files in [1_000, 50_000] {
        let folder = repository(files);
        let repo = folder.path().join("repo");
        let cwd = repo.display().to_string();
        let payload = |event: &str, more: &str| {
            format!("{{\"session_id\":\"bench\",\"cwd\":\"{cwd}\",\"hook_event_name\":\"{event}\"{more}}}\n")
        };
        let task = payload(
            "UserPromptSubmit",
            ",\"prompt\":\"EXPECTED OUTCOME:\\n- src/m000/f1.rs is faster\"",
        );
        call(proctor, &["hook", "claude"], &task, folder.path());
        for i in 1..4 {
            std::fs::write(repo.join(format!("src/m000/f{i}.rs")), "// changed\n").unwrap();
        }
        let stop = payload(
            "Stop",
            ",\"stop_hook_active\":false,\"last_assistant_message\":\"src/m000/f1.rs: 3 ms less.\"",
        );
        let (mut status, mut own) = (Vec::new(), Vec::new());
        for round in 0..33 {
            let arguments = ["--no-optional-locks", "status", "--porcelain=v2", "-z"];
            let base = call(Path::new("git"), &arguments, "", folder.path());
            let time = call(proctor, &["hook", "claude"], &stop, folder.path());
            if round >= 3 {
                status.push(base);
                own.push(time);
            }
        }
        let (base, p50) = (at(&status, 50), at(&own, 50));
        println!(
            "\nStop with scope gate, {files} files: p50 {p50:.3?}; git status p50 {base:.3?}; ratio {:.2}, difference {:.3?}",
            p50.as_secs_f64() / base.as_secs_f64(),
            p50.saturating_sub(base)
        );
    }
}

fn turn() -> String {
    "I moved the retry logic into src/http/retry.rs and gave it a limit of 3. 재시도는 502, 503, 504에서만 합니다. ".repeat(18)
}
