//! What becomes of a check that is being run when the program that runs it is ended from outside.

use crate::support::environment;
use crate::verify::{POLICY, changed_in};
use proctor_testkit::TestEnvironment;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A repository whose one check notes its number and that of a process of its own, and goes on for five minutes.
fn with_a_slow_check() -> (TestEnvironment, PathBuf) {
    let env = environment().with_real_clock();
    let noted = env.root().join("numbers");
    let check = format!(
        "sleep 300 & echo $$ $! > {0}.new; mv {0}.new {0}; wait\n",
        noted.display()
    );
    env.write_file("check.sh", "");
    let env = changed_in(env, POLICY);
    env.write_file("check.sh", check);
    env.commit_all("a slow check");
    (env, noted)
}

fn until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process is there and has not ended.
fn lives(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

fn begin(env: &TestEnvironment, noted: &Path) -> (Child, Vec<String>) {
    let mut command = env.command(env.program());
    let child = command
        .args(["verify", "--rerun"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("the check never began", || noted.exists());
    let numbers = std::fs::read_to_string(noted).unwrap();
    (child, numbers.split_whitespace().map(str::to_owned).collect())
}

/// Whether these tests were started with a signal ignored, as `nohup` and jobs in the background are: their programs
/// ignore it then as well, as they should.
fn is_ignored(number: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (number - 1) & 1 == 1)
}

#[test]
fn a_check_ends_with_the_program_that_runs_it() {
    // As a terminal, a host that loses patience, and a system that has no memory left do it.
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("KILL", 9)] {
        if is_ignored(number) {
            eprintln!("SIG{signal} is ignored here: not tried");
            continue;
        }
        let (env, noted) = with_a_slow_check();
        let (mut child, numbers) = begin(&env, &noted);
        assert!(
            numbers.len() == 2 && numbers.iter().all(|pid| lives(pid)),
            "{numbers:?}"
        );
        let sent = env
            .command("kill")
            .args([format!("-{signal}"), child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
        let _ended = child.wait().unwrap();
        until(&format!("{signal}: the check goes on"), || {
            !numbers.iter().any(|pid| lives(pid))
        });
    }
}

#[test]
fn the_folder_of_a_killed_run_is_gone_after_the_next() {
    let (env, noted) = with_a_slow_check();
    let (mut child, numbers) = begin(&env, &noted);
    let folders = || {
        let all = std::fs::read_dir(env.root().join("tmp")).unwrap().flatten();
        let names = all.map(|e| e.file_name().to_string_lossy().into_owned());
        names.filter(|n| n.starts_with("proctor-rerun-")).count()
    };
    assert_eq!(folders(), 1);
    child.kill().unwrap();
    let _ended = child.wait().unwrap();
    until("the check goes on", || !numbers.iter().any(|pid| lives(pid)));
    assert_eq!(folders(), 1);
    env.write_file("check.sh", "echo checked\n");
    env.commit_all("a quick check");
    let _ = env.run(&["verify", "--rerun"]);
    assert_eq!(folders(), 0);
}
