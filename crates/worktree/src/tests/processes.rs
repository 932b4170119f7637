//! Bounded child processes.

use crate::Command;
use proctor_kernel::ErrorKind;
use std::time::{Duration, Instant};

fn sh(script: &str) -> Command {
    Command::new("sh").args(["-c", script])
}

#[test]
fn output_and_status() {
    let out = sh("cat; echo err >&2; exit 3")
        .stdin("in")
        .env("X", "y")
        .run()
        .unwrap();
    assert_eq!((out.status, out.signal), (Some(3), None));
    assert_eq!(
        (out.stdout.as_slice(), out.stderr.as_slice()),
        (&b"in"[..], &b"err\n"[..])
    );
    assert!(!out.timed_out && !out.truncated && !out.is_success());
    let out = sh("echo $X$Y; pwd; kill -9 $$")
        .env("X", "y")
        .env("Y", "z")
        .env_remove("Y")
        .cwd("/")
        .run()
        .unwrap();
    assert_eq!(out.stdout, b"y\n/\n");
    assert_eq!((out.status, out.signal), (None, Some(9)));
    assert_eq!(sh("cat").run().unwrap().stdout, b"");
}

#[test]
fn what_cannot_be_started_is_an_error() {
    let error = Command::new("no-such-program-here").run().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Host);
    assert!(error.hints()[0].contains("install"));
    let error = sh("true").cwd("/no/such/folder").run().unwrap_err();
    assert!(error.hints()[0].contains("/no/such/folder"));
}

#[test]
fn big_input_and_output_do_not_block_each_other() {
    let big = vec![b'x'; 5_000_000];
    let out = sh("tee /dev/stderr").stdin(big.clone()).run().unwrap();
    assert_eq!(out.stdout.len(), big.len());
    assert_eq!(out.stderr.len(), big.len());
    // A child that reads nothing.
    assert_eq!(sh("exit 0").stdin(big).run().unwrap().status, Some(0));
}

#[test]
fn output_beyond_the_limit_is_dropped() {
    let out = sh("head -c 3000000 /dev/zero; echo done >&2")
        .limit(1000)
        .run()
        .unwrap();
    assert_eq!(
        (out.stdout.len(), out.truncated, out.status),
        (1000, true, Some(0))
    );
    assert_eq!(out.stderr, b"done\n");
    assert!(!sh("printf 12345").limit(5).run().unwrap().truncated);
}

#[test]
fn time_is_bounded_and_the_whole_group_is_ended() {
    let dir = tempfile::TempDir::new().unwrap();
    let start = Instant::now();
    let script = format!(
        "(sleep 60; touch {}) & echo $!; sleep 60",
        dir.path().join("late").display()
    );
    let out = sh(&script).timeout(Duration::from_millis(200)).run().unwrap();
    assert!(out.timed_out && out.status.is_none());
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_ended(&out.stdout);
}

#[test]
fn a_flood_of_output_does_not_outlast_the_time() {
    let start = Instant::now();
    let out = sh("yes")
        .timeout(Duration::from_millis(200))
        .limit(1 << 20)
        .run()
        .unwrap();
    assert!(out.timed_out && out.truncated);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_child_that_ends_is_not_waited_for_by_its_children() {
    let start = Instant::now();
    let out = sh("sleep 60 & echo $!; echo out")
        .timeout(Duration::from_secs(30))
        .run()
        .unwrap();
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(out.status, Some(0));
    assert!(out.stdout.ends_with(b"out\n") && !out.timed_out);
    assert_ended(&out.stdout);
}

#[test]
fn of_a_long_output_both_ends_can_be_kept() {
    let long = "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done";
    let out = sh(long).ends(20).run().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "line 0\nline 1\nline 2ne 19998\nline 19999\n"
    );
    assert!(out.truncated);
    let out = sh("echo all").ends(20).run().unwrap();
    assert!(out.stdout == b"all\n" && !out.truncated);
}

#[test]
fn a_child_that_closes_its_output_is_waited_for() {
    let out = sh("exec >&- 2>&-; sleep 0.2; exit 7").run().unwrap();
    assert_eq!(out.status, Some(7));
    let out = sh("exec >&- 2>&-; sleep 60")
        .timeout(Duration::from_millis(200))
        .run()
        .unwrap();
    assert!(out.timed_out);
}

/// The process whose number is on the first line is gone (or a zombie that nobody reaps here).
fn assert_ended(stdout: &[u8]) {
    let text = String::from_utf8_lossy(stdout);
    let pid = text.lines().next().unwrap();
    for _ in 0..200 {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("process {pid} still runs");
}
