//! What witnessing costs, spawn to exit: `cargo bench -p proctor --bench facts`.
//!
//! All programs are started in turn, so that ratios and differences hold on a noisy machine.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a benchmark prints, and may end on a fault"
)]

use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 300;

/// A repository with a home folder around it, and one session.
struct Place {
    folder: tempfile::TempDir,
    /// Where the state is kept; `None`: where nothing can be kept.
    state: Option<PathBuf>,
}

impl Place {
    fn new(files: usize, keeps: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let state = keeps.then(|| folder.path().join("state"));
        Self::with_state(files, folder, state)
    }

    fn with_state(files: usize, folder: tempfile::TempDir, state: Option<PathBuf>) -> Self {
        let place = Self { folder, state };
        std::fs::create_dir_all(place.repo()).unwrap();
        place.git(&["init", "-q", "-b", "main"]);
        for i in 0..files {
            place.write(i, 0);
        }
        place.git(&["add", "-A"]);
        place.git(&["commit", "-q", "-m", "base"]);
        // As in any repository that is older than a moment.
        std::thread::sleep(Duration::from_millis(1_100));
        place.git(&["status", "--porcelain"]);
        place.hook("SessionStart", json!({"source": "startup"}));
        place.hook("UserPromptSubmit", json!({"prompt": "Make it faster."}));
        place
    }

    fn repo(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn write(&self, i: usize, text: usize) {
        let path = self.repo().join(format!("src/m{:03}/f{i}.rs", i / 100));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("pub fn f{i}() -> usize {{ {text} }}\n").repeat(20)).unwrap();
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let nowhere = PathBuf::from("/dev/null/nowhere");
        command
            .current_dir(self.repo())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("XDG_STATE_HOME", self.state.as_ref().unwrap_or(&nowhere));
        command
    }

    fn git(&self, args: &[&str]) -> Duration {
        let mut command = self.command(Path::new("git"));
        command.args(["-c", "user.name=B", "-c", "user.email=b@localhost"]);
        let before = Instant::now();
        let done = command
            .args(args)
            .stdout(Stdio::null())
            .status()
            .expect("git runs");
        assert!(done.success(), "git {args:?}");
        before.elapsed()
    }

    fn hook(&self, event: &str, more: Value) -> Duration {
        let mut payload = json!({"session_id": "bench", "cwd": self.repo(), "hook_event_name": event});
        for (key, value) in more.as_object().into_iter().flatten() {
            payload[key] = value.clone();
        }
        let payload = payload.to_string();
        let mut command = self.command(Path::new(env!("CARGO_BIN_EXE_proctor")));
        command.args(["hook", "claude"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let before = Instant::now();
        let mut child = command.spawn().expect("the program starts");
        child
            .stdin
            .take()
            .unwrap()
            .write_all(payload.as_bytes())
            .expect("it reads");
        // 2 is the answer to a turn that is held.
        let code = child.wait().expect("it ends").code();
        assert!(matches!(code, Some(0 | 2)), "{event}: {code:?}");
        before.elapsed()
    }

    fn read(&self, i: usize) -> Duration {
        let read =
            json!({"tool_name": "Read", "tool_use_id": format!("r{i}"), "tool_input": {"file_path": "/x"}});
        self.hook("PreToolUse", read)
    }

    /// A check is about to run: its tree is noted.
    fn begins(&self, i: usize) {
        self.begins_with(i, "cargo test");
    }

    /// A command is about to run.
    fn begins_with(&self, i: usize, command: &str) {
        let call = json!({"tool_name": "Bash", "tool_use_id": format!("t{i}"),
            "tool_input": {"command": command}});
        self.hook("PreToolUse", call);
    }

    fn prompt(&self) {
        self.hook("UserPromptSubmit", json!({"prompt": "Go on."}));
    }

    fn claim(&self) -> Duration {
        let text = "f7 is faster. All tests pass.";
        self.hook(
            "Stop",
            json!({"stop_hook_active": false, "last_assistant_message": text}),
        )
    }

    fn ran(&self, i: usize, command: &str) -> Duration {
        let output = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
        let response = json!({"stdout": output, "stderr": "", "interrupted": false});
        self.hook(
            "PostToolUse",
            json!({"tool_name": "Bash", "tool_use_id": format!("t{i}"), "tool_input": {"command": command},
                "tool_response": response}),
        )
    }
}

/// Median and minimum, in milliseconds.
fn spread(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    (millis(times[times.len() / 2]), millis(times[0]))
}

fn print(what: &str, ours: Vec<Duration>, theirs: Vec<Duration>) {
    let ((ours, our_min), (theirs, their_min)) = (spread(ours), spread(theirs));
    println!(
        "| {what} | {ours:.2} / {our_min:.2} ms | {theirs:.2} / {their_min:.2} ms | {:.2} / {:.2} | {:+.2} / {:+.2} ms |",
        ours / theirs,
        our_min / their_min,
        ours - theirs,
        our_min - their_min
    );
}

/// What is compared with.
const STATUS: &[&str] = &[
    "--no-optional-locks",
    "status",
    "--porcelain=v2",
    "-z",
    "--branch",
];

fn main() {
    println!(
        "| what, beside what | p50 / min | beside it p50 / min | ratio | difference |\n|---|---|---|---|---|"
    );

    let (few, many) = (Place::new(1, true), Place::new(1, true));
    for i in 0..10 {
        let _ = few.ran(i, &format!("cargo test case_{i}"));
    }
    for i in 0..10_000 {
        let _ = many.ran(i, &format!("cargo test case_{i}"));
    }
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for i in 0..ROUNDS {
        ours.push(many.read(i));
        theirs.push(few.read(i));
    }
    print("PreToolUse after 10,000 checks, beside 10", ours, theirs);

    let (few, many) = (Place::new(1, true), Place::new(1, true));
    for (place, count) in [(&few, 10), (&many, 10_000)] {
        for i in 0..count {
            let _ = place.ran(i, &format!("python3 gen.py --case {i} --out src/case_{i}.rs"));
        }
    }
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for i in 0..ROUNDS {
        ours.push(many.read(i));
        theirs.push(few.read(i));
    }
    print(
        "PreToolUse after 10,000 commands that are no check, beside 10",
        ours,
        theirs,
    );

    let (keeps, keeps_not) = (Place::new(1, true), Place::new(1, false));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for i in 0..ROUNDS {
        ours.push(keeps.ran(i, "ls -la src"));
        theirs.push(keeps_not.ran(i, "ls -la src"));
    }
    print(
        "PostToolUse of a command that is recorded, beside one that cannot be",
        ours,
        theirs,
    );

    let (keeps, keeps_not) = (Place::new(1, true), Place::new(1, false));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for i in 0..ROUNDS {
        ours.push(keeps.read(i));
        theirs.push(keeps_not.read(i));
    }
    print(
        "PreToolUse that is recorded, beside one that cannot be",
        ours,
        theirs,
    );

    for (files, rounds) in [(1_000, 100), (50_000, 15)] {
        beside_git(files, rounds);
    }
}

/// What asks for the tree, in turn with `git status` on the same work tree.
fn beside_git(files: usize, rounds: usize) {
    let place = Place::new(files, true);
    let mut text = 0;
    let mut edit = || {
        text += 1;
        edit_in(&place, text);
    };
    let row = |what: &str, before: &mut dyn FnMut(usize), call: &dyn Fn(usize) -> Duration| {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for i in 0..rounds {
            before(i);
            ours.push(call(i));
            before(i);
            theirs.push(place.git(STATUS));
        }
        print(
            &format!("{what}, beside `git status`, {files} files"),
            ours,
            theirs,
        );
    };
    // The first calls are not yet a repetition, so no tree is asked for.
    for i in 0..3 {
        edit();
        place.ran(i, "sh gen.sh");
    }
    row(
        "PostToolUse of a command that changed a file",
        &mut |i| {
            place.begins_with(i + 10, "sh gen.sh");
            edit();
        },
        &|i| place.ran(i + 10, "sh gen.sh"),
    );
    row(
        "PostToolUse of a check, the tree identified",
        &mut |i| {
            edit();
            place.begins(i + 5_000);
        },
        &|i| place.ran(i + 5_000, "cargo test"),
    );
    row("Stop with a claim that a check supports", &mut |_| {}, &|_| {
        place.claim()
    });
    row(
        "Stop with a claim, held because a file was changed since",
        &mut |_| {
            edit();
            place.prompt();
        },
        &|_| place.claim(),
    );
    let_go(
        &place,
        rounds,
        &format!("synced, beside `git status`, {files} files"),
    );
    // Where nothing is written to a disk there is nothing to wait for.
    if let Ok(memory) = tempfile::tempdir_in("/dev/shm")
        && files <= 1_000
    {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place::with_state(files, folder, Some(memory.path().join("state")));
        place.begins(0);
        place.ran(0, "cargo test");
        edit_in(&place, 1);
        let_go(
            &place,
            rounds,
            &format!("the state in memory, the same, {files} files"),
        );
    }
}

fn edit_in(place: &Place, text: usize) {
    place.write(7, text);
    // A tool takes longer than the clock of file systems stands still.
    std::thread::sleep(Duration::from_millis(25));
}

/// A claim that is let go at last, which is recorded and synced to the disk each time.
fn let_go(place: &Place, rounds: usize, beside: &str) {
    for _ in 0..8 {
        place.claim();
    }
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ours.push(place.claim());
        theirs.push(place.git(STATUS));
    }
    print(
        &format!("Stop with a claim, let go unreviewed, {beside}"),
        ours,
        theirs,
    );
}
