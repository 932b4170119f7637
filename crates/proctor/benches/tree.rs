//! Cost of the identity of a tree beside `git status` on the same work tree: `cargo bench --bench tree`.
//!
//! Both are run in turn, so that the ratio holds on a noisy machine. The identity is computed in this
//! process, as a hook does; its git processes are part of the time.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a benchmark prints, and may end on a fault"
)]

use proctor_worktree::Repo;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn git(repo: &Path, args: &[&str]) {
    let run = Command::new("git")
        .args(["-c", "user.name=B", "-c", "user.email=b@localhost"])
        .args(args)
        .current_dir(repo)
        .output()
        .expect("git runs");
    assert!(
        run.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&run.stderr)
    );
}

fn name(i: usize) -> String {
    format!("src/m{:03}/f{i}.rs", i / 100)
}

/// Fills a folder with files of a usual size and commits them.
fn fill(repo: &Path, files: usize) {
    git(repo, &["init", "-q", "-b", "main"]);
    for i in 0..files {
        let path = repo.join(name(i));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("pub fn f{i}() {{}}\n").repeat(20)).unwrap();
    }
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "base"]);
    // As in any repository that is older than a moment.
    std::thread::sleep(Duration::from_millis(1100));
    git(repo, &["status", "--porcelain"]);
}

fn status(repo: &Path) -> Duration {
    let before = Instant::now();
    let run = Command::new("git")
        .args([
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "-z",
            "--branch",
        ])
        .current_dir(repo)
        .stdout(Stdio::null())
        .status()
        .expect("git runs");
    assert!(run.success());
    before.elapsed()
}

fn identity(repo: &Path, cache: &Path) -> Duration {
    let before = Instant::now();
    let found = Repo::discover(repo).unwrap().expect("a repository");
    // As hooks say it: then git need not be asked for untracked files.
    let caller = std::env::var("HOME").unwrap_or_default();
    found.with_caller(caller).tree_id(cache).expect("an identity");
    before.elapsed()
}

/// Median and minimum, in milliseconds. On a machine with other work the minimum says more.
fn spread(times: &mut [Duration]) -> (f64, f64) {
    times.sort_unstable();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    (millis(times[times.len() / 2]), millis(times[0]))
}

/// One row: `prepare` runs before each of the two, untimed.
fn row(what: &str, rounds: usize, repo: &Path, cache: &Path, mut prepare: impl FnMut(usize)) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        prepare(round * 2);
        ours.push(identity(repo, cache));
        prepare(round * 2 + 1);
        theirs.push(status(repo));
    }
    let ((ours, our_min), (theirs, their_min)) = (spread(&mut ours), spread(&mut theirs));
    println!(
        "| {what} | {ours:.1} / {our_min:.1} ms | {theirs:.1} / {their_min:.1} ms | {:.2} / {:.2} |",
        ours / theirs,
        our_min / their_min
    );
}

fn main() {
    println!("| files, state | identity p50 / min | git status p50 / min | ratio |\n|---|---|---|---|");
    for (files, rounds) in [(1_000, 60), (50_000, 9)] {
        let folder = tempfile::tempdir().expect("a folder");
        let (repo, cache) = (folder.path().join("repo"), folder.path().join("cache"));
        std::fs::create_dir(&repo).unwrap();
        fill(&repo, files);
        let edit = |i: usize, text: usize| {
            std::fs::write(repo.join(name(i)), format!("pub fn g{text}() {{}}\n")).unwrap();
        };
        // Longer than the clock of file systems stands still: a hook starts that long after an edit.
        let pause = || std::thread::sleep(Duration::from_millis(25));
        let label = |what: &str| format!("{files}: {what}");
        row(
            &label("first call, no cache"),
            rounds.min(5),
            &repo,
            &cache,
            |_| {
                let _ = std::fs::remove_dir_all(&cache);
            },
        );
        row(
            &label("unchanged since the last call"),
            rounds,
            &repo,
            &cache,
            |_| {},
        );
        row(
            &label("one file edited since the last call"),
            rounds,
            &repo,
            &cache,
            |n| {
                edit(7, n);
                pause();
            },
        );
        row(
            &label("the same, edited this very moment"),
            rounds,
            &repo,
            &cache,
            |n| edit(7, n),
        );
        for i in 0..20 {
            edit(i * 31, i);
        }
        pause();
        identity(&repo, &cache);
        row(
            &label("20 files differ from the commit, unchanged"),
            rounds,
            &repo,
            &cache,
            |_| {},
        );
        row(
            &label("20 differ, one edited since the last call"),
            rounds,
            &repo,
            &cache,
            |n| {
                edit(7, n);
                pause();
            },
        );
        row(
            &label("500 files edited since the last call"),
            rounds.min(10),
            &repo,
            &cache,
            |n| {
                for i in 0..500 {
                    edit(i, n);
                }
                pause();
            },
        );
        row(
            &label("a new file staged since the last call"),
            rounds,
            &repo,
            &cache,
            |n| {
                std::fs::write(repo.join("new.rs"), format!("{n}")).unwrap();
                git(&repo, &["add", "new.rs"]);
                pause();
            },
        );
    }
}
