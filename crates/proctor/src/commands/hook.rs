//! `proctor hook HOST`: the one entry that hosts call.
//!
//! **Invariant:** standard output is exactly one JSON object, whatever happens.

use crate::beside::Beside;
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output;
use proctor_engine::Engine;
use proctor_hosts::{Rendered, claude};
use std::ffi::OsString;
use std::io::Read;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Largest payload that is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// Answers the event on standard input. `args` is everything behind `hook`; only one host's name is right.
pub(crate) fn run(args: &[OsString]) -> ExitCode {
    let wrong = match args {
        [host] if host == claude::HOST => None,
        [host] => Some(format!("unknown host {host:?}; known: {}", claude::HOST)),
        [] => Some("no host is named; use: proctor hook claude".to_owned()),
        [host, more @ ..] => Some(format!(
            "unknown words {more:?} behind {host:?}; use: proctor hook claude"
        )),
    };
    if let Some(wrong) = wrong {
        output::line("{}");
        output::complain(&format!("error: {wrong}"));
        // Not 2: hosts take that for a refusal, and then a typing error, or the settings of another version,
        // would stop the agent.
        return ExitCode::from(1);
    }
    // The message of a panic goes into the answer; stderr belongs to the host.
    std::panic::set_hook(Box::new(|_| {}));
    let mut payload = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(LARGEST + 1)
        .read_to_end(&mut payload);
    let payload: &'static [u8] = payload.leak();
    watch(payload);
    let judge = || match read {
        Err(error) => failure(
            payload,
            None,
            &format!("the payload cannot be read: {error}"),
            JUDGE,
        ),
        Ok(_) if payload.len() as u64 > LARGEST => failure(
            payload,
            None,
            &format!("the payload has more than {LARGEST} bytes"),
            JUDGE,
        ),
        Ok(_) => answer(payload),
    };
    let rendered = claude::guarded(payload, judge, |event, why, refused| {
        stumble("noting");
        note(&mut open(), event, why, payload, refused, JUDGE);
    });
    ExitCode::from(say(&rendered))
}

/// The engine where the process stands.
fn open() -> Engine<ProcessClock> {
    Engine::open(
        Environment::read(None).surroundings_or_none(),
        ProcessClock::from_env(),
    )
}

/// Who writes the one record of this event: nobody so far, who judges it, or who answers because that takes too long.
static WRITER: AtomicU8 = AtomicU8::new(NOBODY);
const NOBODY: u8 = 0;
const JUDGE: u8 = 1;
const WATCH: u8 = 2;

/// Whether the record is left to this one.
fn writes(who: u8) -> bool {
    let now = WRITER.compare_exchange(NOBODY, who, Ordering::AcqRel, Ordering::Acquire);
    now.is_ok() || now == Err(who)
}

/// The decision is about to be recorded. Comes back only where nobody has answered meanwhile.
pub(crate) fn about_to_record() {
    stumble("about to record");
    if !writes(JUDGE) {
        wait_for_the_end();
    }
    stumble("recording");
}

/// Another thread gives the answer, and ends the process.
fn wait_for_the_end() -> ! {
    loop {
        std::thread::park();
    }
}

/// Notes an event that could not be judged, unless its record is written by another one. Where nothing can be written
/// the answer tells it alone.
fn note(
    engine: &mut Engine<ProcessClock>,
    event: Option<&str>,
    why: &str,
    payload: &[u8],
    refused: bool,
    who: u8,
) {
    if writes(who) {
        let _ = engine.note_unjudged(event, why, payload, refused);
    }
}

/// Panics where a test asks for it, or takes some seconds (`slow:` before the place). A release build cannot be asked.
#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "this is what is asked for")]
fn stumble(at: &str) {
    let asked = std::env::var("PROCTOR_TEST_PANIC").unwrap_or_default();
    for place in asked.split(',') {
        if place == at {
            panic!("asked to fall over while {at}");
        }
        if place.strip_prefix("slow:") == Some(at) {
            std::thread::sleep(Duration::from_millis(7_500));
        }
    }
}

#[cfg(not(debug_assertions))]
fn stumble(_at: &str) {}

/// Whether an answer was given.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Gives the answer, which is only done once, and the code to end with.
fn say(rendered: &Rendered) -> u8 {
    if ANSWERED.swap(true, Ordering::AcqRel) {
        wait_for_the_end();
    }
    output::print(&rendered.stdout);
    if !rendered.stderr.is_empty() {
        output::complain(rendered.stderr.trim_end());
    }
    rendered.exit
}

/// After how many seconds an event is answered whatever holds it up: what the host is told of a hook that it had to
/// end is nothing.
fn patience(event: Option<&str>) -> u64 {
    let limit = event
        .and_then(claude::install::limit)
        .unwrap_or(claude::install::SHORTEST);
    // At the end of a turn a reviewer may be waited for.
    limit - limit / 15 - LAST - 1
}

/// How many seconds it may take to find out whether that answer has to refuse.
const LAST: u64 = 3;

/// Gives an answer when there is none in time.
#[expect(
    clippy::exit,
    reason = "the thread that would end in order is the one that hangs"
)]
fn watch(payload: &'static [u8]) {
    let watcher = move || {
        let begun = Instant::now();
        // The event's name need not be known before.
        std::thread::sleep(Duration::from_secs(patience(None)));
        let event = claude::recover_event_name(payload);
        let limit = Duration::from_secs(patience(event.as_deref()));
        std::thread::sleep(limit.saturating_sub(begun.elapsed()));
        let mut why = format!("it took longer than {} s", limit.as_secs());
        if let Some(program) = waited_for() {
            why += &format!("; `{program}` had not ended");
        }
        let (send, receive) = std::sync::mpsc::channel();
        let judged = (event.clone(), why.clone());
        std::thread::spawn(move || {
            if !writes(WATCH) {
                // It is judged, and its record is being written: the answer is a matter of moments.
                wait_for_the_end();
            }
            let _late = send.send(failure(payload, judged.0.as_deref(), &judged.1, WATCH));
        });
        // The policy may be what cannot be read.
        let rendered = receive
            .recv_timeout(Duration::from_secs(LAST))
            .unwrap_or_else(|_| {
                let closed = claude::is_stop(event.as_deref()) && !claude::already_blocked(payload);
                claude::render_failure(event.as_deref(), &why, closed)
            });
        std::process::exit(i32::from(say(&rendered)));
    };
    // Without the thread the host's own limit holds.
    let _none = std::thread::Builder::new().spawn(watcher);
}

/// A program that was started and has not ended, by its name and its first word that is no option, where the system
/// tells it.
fn waited_for() -> Option<String> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?.flatten();
    let started = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let child = started
        .flat_map(|children| children.split_whitespace().next().map(str::to_owned))
        .next()?;
    let line = std::fs::read(format!("/proc/{child}/cmdline")).ok()?;
    let line = String::from_utf8_lossy(&line);
    let mut words = line.split('\0');
    let name = words.next()?.rsplit('/').next()?;
    let mut program: String = name.chars().take(40).collect();
    while let Some(word) = words.next() {
        match word {
            "-c" => drop(words.next()),
            word if word.starts_with('-') => {}
            word => {
                program.push(' ');
                program.extend(word.chars().take(40));
                break;
            }
        }
    }
    Some(program)
}

/// The answer to a whole payload.
fn answer(payload: &[u8]) -> Rendered {
    let event = match claude::parse(payload) {
        Ok(event) => event,
        Err(error) => return failure(payload, error.native_event.as_deref(), &error.why, JUDGE),
    };
    let environment = Environment::read(None);
    if let Some(token) = &environment.canary {
        // `proctor doctor` wants to see whether hooks fire and are obeyed.
        return claude::doctor::canary_answer(&event.native, token);
    }
    let mut surroundings = environment.surroundings_or_none();
    (surroundings.cwd, surroundings.root) = proctor_engine::pinned(&surroundings, &event);
    stumble("judging");
    surroundings.stop_cap = Some(claude::matrix::STOP_CAP.blocks);
    let home = surroundings.cwd.clone();
    let mut engine = Engine::open(surroundings, ProcessClock::from_env());
    let beside = Beside {
        payload,
        event: &event,
        home: &home,
    };
    let answer = engine.handle(&event, &beside);
    claude::render_onto(payload, &event, &answer.decision)
}

/// The answer when there is no event to judge: closed where an enforcing gate of that event fails
/// closed, otherwise open, and loud in both cases.
fn failure(payload: &[u8], native: Option<&str>, why: &str, who: u8) -> Rendered {
    let recovered = native
        .map(str::to_owned)
        .or_else(|| claude::recover_event_name(payload));
    let mut engine = open();
    let closed = match recovered.as_deref() {
        // A payload that stays broken must not hold the agent for ever: one block, then it may go.
        event if claude::is_stop(event) => engine.stop_fails_closed() && !claude::already_blocked(payload),
        Some("PreToolUse") => engine.tool_fails_closed(claude::may_delegate(payload)),
        _ => false,
    };
    note(&mut engine, recovered.as_deref(), why, payload, closed, who);
    claude::render_failure(recovered.as_deref(), why, closed)
}
