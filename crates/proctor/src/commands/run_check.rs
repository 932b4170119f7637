//! `proctor run-check -- CMD…`: runs a verification command and records it as evidence.

use crate::caller;
use crate::cli::RunCheckArgs;
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output;
use proctor_engine::{Clock, Engine, RunOutcome, hijacks};
use proctor_gates::support::printing;
use proctor_kernel::{CheckRun, End, Error, ErrorKind, Place, Result};
use serde_json::json;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Most output that is kept for its summary, at each end, in bytes.
const KEPT: usize = 512 << 10;

/// How often a command that writes nothing is looked at.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &RunCheckArgs) -> ExitCode {
    match checked(args) {
        Ok(code) => code,
        Err(error) => output::fail(&error).into(),
    }
}

fn checked(args: &RunCheckArgs) -> Result<ExitCode> {
    let environment = Environment::read(None);
    let mut engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    let line = shell_line(&args.command);
    // A check that the policy named when the work began is still one. Without sessions there is nothing to look up.
    let _ = engine.hold_to_the_task(None);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let host = caller::path_of_the_host();
    let known: Option<Vec<PathBuf>> = host.map(|path| std::env::split_paths(&path).collect());
    // Whoever finds this program by a folder of its own may lead the path there.
    let own = std::env::current_exe().ok();
    let own = own.as_deref().and_then(Path::parent);
    let is_new = |folder: &&PathBuf| {
        known.as_ref().is_some_and(|known| !known.contains(folder)) && own != Some(folder.as_path())
    };
    let new: Vec<PathBuf> = folders.iter().filter(is_new).cloned().collect();
    let begun = engine.check_begins(&line, &folders, &new)?;
    let without = taken_away();
    let start = Instant::now();
    let (program, rest) = args
        .command
        .split_first()
        .ok_or_else(|| Error::new(ErrorKind::Input, "no command is given"))?;
    let mut command = Command::new(program);
    for name in &without {
        command.env_remove(name);
    }
    let child = command
        .args(rest)
        .stdin(Stdio::inherit())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| Error::new(ErrorKind::Input, format!("cannot start {program:?}")).because(e))?;
    let finished = follow(child, Duration::from_secs(args.timeout), args.json)?;
    let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let outcome = RunOutcome {
        exit: finished.exit,
        output: finished.text,
        millis: if engine.clock().is_test() { 0 } else { millis },
    };
    let runs = engine.check_ended(begun, &outcome)?;
    if runs.is_empty() {
        output::complain("proctor: no check is recognised in this command, so it is no evidence");
        let named = &engine.settings().verification;
        output::complain(&match named.iter().find(|v| v.run.trim() == line) {
            Some(check) => format!(
                "proctor: the policy names it as `{}`, but what a shell does by itself (`true`, `test`, `exit`) counts only \
                 where Proctor runs the checks in a clean folder: level `rerun`, and CI",
                check.name
            ),
            None => "proctor: a check of your own can be named under `verification` in the policy".to_owned(),
        });
    }
    if args.json {
        output::json(&json!({ "exit": finished.exit, "timed_out": finished.timed_out, "recorded": runs }));
    }
    for run in &runs {
        output::complain(&format!("proctor: recorded {}", describe(run)));
        let option = run.end.and_then(|_| printing(&run.check));
        if let Some(option) = option {
            output::complain(&format!(
                "proctor: with `{option}` it prints its result, also where its settings lead it elsewhere"
            ));
        }
    }
    Ok(match finished.exit {
        Some(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        None => {
            if finished.timed_out {
                output::complain(&format!("proctor: ended after {} s", args.timeout));
            }
            ExitCode::from(3)
        }
    })
}

/// Variables that the command does not get, since they could make something else of it. Where `PATH` leads is looked at with
/// the command, and what git is told concerns no runner.
fn taken_away() -> Vec<OsString> {
    let steers = |name: &OsString, value: &OsString| {
        let name = name
            .to_str()
            .filter(|name| *name != "PATH" && !name.starts_with("GIT_"));
        name.is_some_and(|name| hijacks(name, &value.to_string_lossy()))
    };
    let all = std::env::vars_os().filter(|(name, value)| steers(name, value));
    let names: Vec<OsString> = all.map(|(name, _)| name).collect();
    if !names.is_empty() {
        let listed: Vec<_> = names.iter().map(|n| n.to_string_lossy()).collect();
        output::complain(&format!(
            "proctor: left out of its environment, since it can change what runs: {}",
            listed.join(", ")
        ));
    }
    names
}

/// A run in one line.
pub(crate) fn describe(run: &CheckRun) -> String {
    let kinds: Vec<&str> = run.kinds.iter().map(|k| k.as_str()).collect();
    let exit = run
        .exit
        .map_or_else(|| "no exit code".to_owned(), |code| format!("exit {code}"));
    let figures = match &run.summary {
        Some(s) => {
            let part = |n: Option<u64>, word: &str| n.map(|n| format!(", {n} {word}")).unwrap_or_default();
            format!(
                "{}{}{}",
                part(s.passed, "passed"),
                part(s.failed, "failed"),
                part(s.skipped, "skipped")
            )
        }
        None => String::new(),
    };
    let tree = match (&run.before, &run.after) {
        (Some(before), Some(after)) if before == after => format!(", tree {}", short(after.as_str())),
        (Some(_), Some(_)) if run.litter => ", untracked files changed".to_owned(),
        (Some(_), Some(_)) => ", files changed while it ran".to_owned(),
        _ => ", no tree".to_owned(),
    };
    let about = match run.place {
        Place::Outside => ", outside this work tree: no evidence for it",
        Place::Unknown => ", in a folder that cannot be told: no evidence",
        Place::Here if !run.masks.is_empty() => ", what ran cannot be told by its exit code: no evidence",
        Place::Here if run.partial => ", a part: no evidence for an approval",
        Place::Here => "",
    };
    let end = match run.end {
        Some(End::Silent) => ", without the result that it always prints: no evidence that a test ran",
        Some(End::Hidden) => ", its result was not seen: no evidence that a test ran",
        None => "",
    };
    format!(
        "`{}` ({}): {exit}{figures}{end}{tree}{about} [{}]",
        run.check,
        kinds.join(", "),
        run.trust.as_str()
    )
}

/// The beginning of a long id.
pub(crate) fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}

/// The arguments as a shell would have to be given them.
pub(crate) fn shell_line(args: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,@%+".contains(c);
    let quoted = |arg: &String| {
        if !arg.is_empty() && arg.chars().all(plain) {
            arg.clone()
        } else {
            format!("'{}'", arg.replace('\'', r"'\''"))
        }
    };
    args.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// How a command ended.
struct Finished {
    exit: Option<i32>,
    timed_out: bool,
    /// What it wrote; of very much the beginning and the end.
    text: String,
}

enum Piece {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

/// Passes on what the command writes, as it writes it, and keeps what its summary is read from. With `aside` all of it
/// goes to standard error.
fn follow(mut child: Child, timeout: Duration, aside: bool) -> Result<Finished> {
    let (send, receive) = mpsc::channel();
    let broken = || Error::new(ErrorKind::Internal, "the command's output is not open");
    let out = child.stdout.take().ok_or_else(broken)?;
    let err = child.stderr.take().ok_or_else(broken)?;
    let also = send.clone();
    std::thread::spawn(move || pump(out, &send, Piece::Out));
    std::thread::spawn(move || pump(err, &also, Piece::Err));
    let end = Instant::now() + timeout;
    let mut kept = Kept::default();
    let mut timed_out = false;
    let mut ended = false;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match receive.recv_timeout(left.min(LOOK)) {
            Ok(Piece::Out(bytes)) if !aside => {
                kept.take(&bytes);
                let _gone = std::io::stdout()
                    .write_all(&bytes)
                    .and_then(|()| std::io::stdout().flush());
            }
            Ok(Piece::Out(bytes) | Piece::Err(bytes)) => {
                kept.take(&bytes);
                let _gone = std::io::stderr().write_all(&bytes);
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            // It may have ended and left its output open to a process of its own. What it wrote before is
            // here by the second look.
            Err(mpsc::RecvTimeoutError::Timeout) if ended => break,
            Err(mpsc::RecvTimeoutError::Timeout) if left > LOOK => {
                ended = child.try_wait().is_ok_and(|status| status.is_some());
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                timed_out = true;
                let _ended = child.kill();
                break;
            }
        }
    }
    let status = child
        .wait()
        .map_err(|e| Error::new(ErrorKind::Internal, "the command's end cannot be told").because(e))?;
    Ok(Finished {
        exit: if timed_out { None } else { status.code() },
        timed_out,
        text: kept.text(),
    })
}

fn pump(mut from: impl Read, to: &mpsc::Sender<Piece>, wrap: fn(Vec<u8>) -> Piece) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(count) = from.read(&mut buffer) {
        let Some(bytes) = buffer.get(..count).filter(|b| !b.is_empty()) else {
            return;
        };
        if to.send(wrap(bytes.to_vec())).is_err() {
            return;
        }
    }
}

/// What is kept of the output.
#[derive(Default)]
struct Kept {
    /// Everything, up to twice [`KEPT`]; of more, beginning and end.
    all: Vec<u8>,
}

impl Kept {
    fn take(&mut self, bytes: &[u8]) {
        self.all.extend_from_slice(bytes);
        if self.all.len() > 4 * KEPT {
            let tail = self.all.len().saturating_sub(KEPT);
            self.all.drain(KEPT..tail);
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.all).into_owned()
    }
}
