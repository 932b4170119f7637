//! Child processes with a time limit: whatever they do, the test goes on and they are gone.

use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the pipes of an ended process may stay open (a grandchild holds them) before its
/// whole group is killed.
const PIPE_PATIENCE: Duration = Duration::from_millis(500);

/// What a process left behind.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// It was still running at the time limit and was killed.
    pub timed_out: bool,
    /// Everything it wrote to its standard output.
    pub stdout: Vec<u8>,
    /// Everything it wrote to its standard error.
    pub stderr: Vec<u8>,
    /// From spawn to exit.
    pub wall: Duration,
}

/// Runs `command` in a process group of its own with `input` on its standard input, and waits at
/// most `limit`; then the whole group is killed. A child that does not read its input is no error.
///
/// # Panics
/// When the program cannot be started.
#[must_use]
pub fn run(command: &mut Command, input: &[u8], limit: Duration) -> Finished {
    let program = command.get_program().to_string_lossy().into_owned();
    let begun = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap_or_else(|e| panic!("cannot start {program}: {e}"));
    let group = child.id();
    let stdin = child.stdin.take();
    let stdout = Collector::start(child.stdout.take());
    let stderr = Collector::start(child.stderr.take());
    let status = wait_in_background(child);
    if let Some(mut pipe) = stdin {
        let input = input.to_vec();
        // A closed pipe only means that the child did not want to read on.
        thread::spawn(move || drop(pipe.write_all(&input)));
    }
    let ended = status.recv_timeout(limit).ok();
    let wall = begun.elapsed();
    let timed_out = ended.is_none();
    if timed_out {
        kill_group(group);
    }
    let ended = ended.or_else(|| status.recv_timeout(Duration::from_secs(10)).ok());
    let patience = Instant::now() + PIPE_PATIENCE;
    if !(stdout.done(patience) && stderr.done(patience)) {
        kill_group(group);
        let patience = Instant::now() + PIPE_PATIENCE;
        let _ = stdout.done(patience) && stderr.done(patience);
    }
    Finished {
        code: ended.and_then(|s| s.code()),
        signal: ended.and_then(|s| s.signal()),
        timed_out,
        stdout: stdout.take(),
        stderr: stderr.take(),
        wall,
    }
}

/// Kills every process of the group that [`run`] (or a caller with `process_group(0)`) made.
/// Without `libc` the shell's own `kill` is the way to reach a group.
pub fn kill_group(group: u32) {
    let _ = Command::new("/bin/sh")
        .args([
            "-c",
            "kill -9 -\"$1\" 2>/dev/null",
            "kill-group",
            &group.to_string(),
        ])
        .stdin(Stdio::null())
        .status();
}

fn wait_in_background(mut child: Child) -> Receiver<ExitStatus> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        if let Ok(status) = child.wait() {
            // Nobody listens any more when the caller gave up.
            let _ = send.send(status);
        }
    });
    receive
}

/// Reads a pipe to its end in a thread of its own.
struct Collector {
    bytes: Arc<Mutex<Vec<u8>>>,
    end: Receiver<()>,
}

impl Collector {
    fn start(pipe: Option<impl Read + Send + 'static>) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (send, end) = mpsc::channel();
        let target = Arc::clone(&bytes);
        thread::spawn(move || {
            let mut chunk = vec![0; 65_536];
            if let Some(mut pipe) = pipe {
                while let Ok(n @ 1..) = pipe.read(&mut chunk) {
                    let part = chunk.get(..n).unwrap_or_default();
                    target
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .extend_from_slice(part);
                }
            }
            let _ = send.send(());
        });
        Self { bytes, end }
    }

    /// Whether the pipe reached its end before `deadline`.
    fn done(&self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        // A disconnected channel means that the end was reported before.
        !matches!(self.end.recv_timeout(left), Err(mpsc::RecvTimeoutError::Timeout))
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn input_output_and_exit_code_are_kept_apart() {
        let done = run(
            &mut sh("cat; echo oops >&2; exit 3"),
            b"hello",
            Duration::from_secs(20),
        );
        assert_eq!(done.stdout, b"hello");
        assert_eq!(done.stderr, b"oops\n");
        assert_eq!((done.code, done.signal, done.timed_out), (Some(3), None, false));
    }

    #[test]
    fn a_child_that_never_reads_a_large_input_is_no_error() {
        let done = run(&mut sh("exit 0"), &vec![b'x'; 4 << 20], Duration::from_secs(20));
        assert_eq!(done.code, Some(0));
    }

    #[test]
    fn at_the_limit_the_whole_group_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let script = format!("(sleep 1; echo late > '{}') & sleep 30", mark.display());
        let done = run(&mut sh(&script), b"", Duration::from_millis(200));
        assert!(done.timed_out);
        assert_eq!(done.signal, Some(9));
        thread::sleep(Duration::from_millis(1_300));
        assert!(!mark.exists(), "a child of the killed process went on");
    }

    #[test]
    fn a_grandchild_that_holds_the_pipe_does_not_hold_the_test() {
        let done = run(&mut sh("sleep 30 & echo done"), b"", Duration::from_secs(20));
        assert_eq!(done.stdout, b"done\n");
        assert!(done.wall < Duration::from_secs(5));
    }
}
