//! Cost of the text gates inside one process: `cargo bench --bench gates`.
//!
//! Prints the median and the 99th percentile over many rounds. The texts of the first rows differ from
//! round to round in their numbers only, which a branch predictor learns; those of the last rows share no sentence.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use proctor_engine::{Enforcer, Response, SystemClock};
use proctor_kernel::{Audience, Context, Digest, Event, EventKind, Gate as _, NoWorld};
use proctor_policy::Settings;
use std::time::{Duration, Instant};

/// A turn of about 2 KB: English and Korean prose, a list, a code block, a table.
fn turn(round: usize) -> String {
    let mut text = format!(
        "I moved the retry logic out of `src/http/client.rs` into `src/http/retry.rs` and gave it a limit of {round}. \
         The old code retried on every status above 499, which made the 503 storm of last week worse. Now only 502, 503 \
         and 504 are retried, with jitter between 50 and {round} ms.\n\n\
         `cargo test -p http` 결과 {round}개가 통과했고 실패는 없습니다. 다만 `tests/slow.rs`는 네트워크가 없어 실행하지 않았습니다. \
         재시도 횟수는 설정 파일의 `retry.max`로 바꿀 수 있으며, 기본값은 3입니다.\n\n\
         - src/http/retry.rs: new, {round} lines\n- src/http/client.rs: 40 lines fewer\n- CHANGELOG.md: one line\n\n\
         ```rust\nfn backoff(attempt: u32) -> Duration {{\n    Duration::from_millis(50 << attempt.min(6))\n}}\n```\n\n\
         | file | before | after |\n|---|---|---|\n| client.rs | 412 | 372 |\n| retry.rs | 0 | {round} |\n\n"
    );
    for sentence in LEFT {
        if text.len() >= 2048 {
            break;
        }
        text.push_str(sentence);
    }
    text
}

/// What a turn ends with, until it is long enough: no sentence comes twice.
const LEFT: [&str; 15] = [
    "One question is open: should a 429 be retried when it carries a Retry-After header? I left it alone. ",
    "The jitter comes from the same generator as before, so seeded runs stay as they were. ",
    "I looked for other callers of the old function and found two, in the importer and in the nightly job. ",
    "Both get the limit from their own settings now. ",
    "What I did not touch is the pool of connections: it closes idle sockets after a minute, which may hide a slow server. ",
    "로그에는 시도 횟수와 마지막 상태 코드만 남기고 본문은 남기지 않습니다. ",
    "If the limit is too low for the importer, raise it there instead of here. ",
    "The clock of the tests is a fake one, because real pauses made them take half a minute. ",
    "A request with a body is sent again only when the body can be read twice; streams are not. ",
    "이 조건은 `can_replay`가 확인하고, 아니면 첫 오류를 그대로 돌려줍니다. ",
    "Timeouts count as failures of the connection, as they did before, and are retried at most once. ",
    "You may want to read `retry.rs` from the bottom: the loop is short, the policy above it is not. ",
    "Metrics are named after the host, so a redirect shows up under the first name. ",
    "I measured nothing under load yet, since the staging cluster was down this morning. ",
    "Next I would take the same code out of the uploader, which has its own copy with a fixed pause of 3 seconds. ",
];

/// The task of the turn: with it the `todo` gate has a checklist to go through.
const TASK: &str = "TASK: take the retry logic out of the client\nEXPECTED OUTCOME:\n- src/http/retry.rs holds the retry \
                    logic\n- src/http/client.rs uses it\n- only 502, 503 and 504 are retried\n- tests for the back-off\n- \
                    CHANGELOG.md: one line\n";

fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() * percent / 100).min(times.len() - 1)]
}

/// The worker's text, to whom it is said.
fn reply(text: &str, audience: Audience) -> Response<'_> {
    Response {
        text,
        agent: "worker",
        channel: "bench",
        audience,
    }
}

/// The first turn of this process, its checklist included: with it and without what comes before it.
fn first() -> (Duration, Duration) {
    let started = Instant::now();
    let mut enforcer = Enforcer::new(Settings::default(), SystemClock::new());
    enforcer.delegate("bench", "worker", TASK);
    let text = turn(0);
    let said = reply(&text, Audience::Agent);
    let before = Instant::now();
    let _first = enforcer.validate(&said);
    (started.elapsed(), before.elapsed())
}

/// A few turns and nothing else, for a tool that counts instructions: see `docs/BENCHMARKS.md`.
fn turns(settings: &Settings, what: &str) {
    let items = what.contains("checklist");
    if what.starts_with("different") {
        let asked = if items { Asked::Now } else { Asked::Nothing };
        let different = different();
        for (task, text) in (0..20).flat_map(|_| &different) {
            let _judged = judge_of(settings, text, Audience::Agent, asked, task);
        }
        return;
    }
    for round in 0..COUNTED {
        let text = turn(round * 13 + 100);
        let asked = if items { Asked::Now } else { Asked::Nothing };
        let judged = judge(settings, &text, Audience::Agent, asked).1;
        assert!(!judged, "the bench measures a text that passes");
    }
}

/// Turns that are counted.
const COUNTED: usize = 60;

/// What was asked of the agent before its turn.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Nothing,
    /// A task with a checklist: the turn is the first answer to it.
    Now,
    /// The same, and it answered once already: the turn is a later one of the thread.
    Earlier,
}

/// Turns that are made ready before the first of them is timed: a task is read some time before it is answered, and what
/// reads tasks teaches the processor other branches than those of a turn.
const BATCH: usize = 200;
/// The same of turns with a task each, of which a thread keeps some ready.
const TASKS: usize = 20;

/// How long all text gates take over one turn, and whether they send it back.
#[inline(never)]
fn judge(settings: &Settings, text: &str, audience: Audience, asked: Asked) -> (Duration, bool) {
    judge_of(settings, text, audience, asked, TASK)
}

/// As [`judge`], of a task.
fn judge_of(
    settings: &Settings,
    text: &str,
    audience: Audience,
    asked: Asked,
    task: &str,
) -> (Duration, bool) {
    let mut enforcer = ready(settings, text, audience, asked, task);
    timed(&mut enforcer, &reply(text, audience))
}

/// An enforcer that waits for this turn: what was asked of its agent, and said before, lies behind it.
fn ready(
    settings: &Settings,
    text: &str,
    audience: Audience,
    asked: Asked,
    task: &str,
) -> Enforcer<SystemClock> {
    let mut enforcer = Enforcer::new(settings.clone(), SystemClock::new());
    if asked != Asked::Nothing {
        enforcer.delegate("bench", "worker", task);
    }
    if asked == Asked::Earlier {
        let before = turn(text.len() % 100 + 17);
        let _earlier = validate(&mut enforcer, &reply(&before, audience));
    }
    enforcer
}

/// How long a turn takes, and whether it is sent back.
fn timed(enforcer: &mut Enforcer<SystemClock>, said: &Response<'_>) -> (Duration, bool) {
    let before = Instant::now();
    let judged = validate(enforcer, said);
    (before.elapsed(), judged)
}

/// The part of a turn that is measured: a function of its own, so that a profiler can be told its name.
#[inline(never)]
fn validate(enforcer: &mut Enforcer<SystemClock>, reply: &Response<'_>) -> bool {
    enforcer.validate(reply).rejected
}

/// Turns of 2 KB that share no sentence, and a task for each: answers, reports and messages of the training part of the
/// corpus, joined until they are long enough. No processor knows the way through one from the turn before it.
fn different() -> Vec<(String, String)> {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/train");
    let lines = |name: &str| {
        let text = std::fs::read_to_string(corpus.join(name)).unwrap_or_default();
        let parse = |line: &str| serde_json::from_str::<serde_json::Value>(line).ok();
        text.lines().filter_map(parse).collect::<Vec<_>>()
    };
    let own = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let messages = ["turns.jsonl", "claims.jsonl", "response.jsonl"]
        .into_iter()
        .flat_map(lines)
        .map(|line| own(&line["text"]));
    let mut messages = messages.filter(|text| text.len() > 40);
    let mut turns = Vec::new();
    for line in lines("todo.jsonl") {
        let mut text = String::new();
        let answers = line["responses"].as_array().cloned().unwrap_or_default();
        for paragraph in answers.iter().map(own).chain(messages.by_ref()) {
            text.push_str(&paragraph);
            text.push_str("\n\n");
            if text.len() >= 2048 {
                break;
            }
        }
        if text.len() < 2048 {
            break;
        }
        turns.push((own(&line["delegation"]), text));
    }
    turns
}

/// How fast the machine is at the moment: arithmetic and look-ups in a table of 256 KiB, about a tenth of a millisecond,
/// with as much to do at once as a processor takes. What varies here is the machine's: whoever shares the core slows this
/// down as it does the gates.
fn calibration(rounds: usize) -> Vec<Duration> {
    let table: Vec<u64> = (0..1u64 << 15)
        .map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    let mut times = Vec::with_capacity(rounds);
    for round in 0..rounds {
        let before = Instant::now();
        let mut lanes = [round as u64; 8];
        for step in 0..6_000u64 {
            for (at, lane) in lanes.iter_mut().enumerate() {
                let place = (*lane >> 20) as usize & (table.len() - 1);
                *lane = (lane.rotate_left(7) ^ table[place]).wrapping_add(step ^ at as u64);
            }
        }
        std::hint::black_box(lanes);
        times.push(before.elapsed());
    }
    times
}

/// What makes a turn slow: the same turn as in the first row, with something else between its rounds that takes data from
/// the first cache, or that teaches the processor other branches than those of a turn.
fn between(settings: &Settings) {
    let data = vec![1u64; 1 << 15];
    let mut sum = 0u64;
    let mut random = 1u64;
    for (what, loads, branches) in [
        ("nothing", 0, 0),
        ("256 KiB of data", data.len(), 0),
        ("1,000 branches at random", 0, 1_000),
        ("4,000 branches at random", 0, 4_000),
        ("16,000 branches at random", 0, 16_000),
        ("64,000 branches at random", 0, 64_000),
    ] {
        let mut times = Vec::new();
        for round in 0..4_000 {
            let text = turn(round % 900 + 100);
            sum = data.iter().take(loads).fold(sum, |sum, n| sum.wrapping_add(*n));
            for _ in 0..branches {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                // Two ways that no processor can join.
                if random & 1 == 0 {
                    sum = std::hint::black_box(sum.wrapping_add(3));
                } else {
                    sum = std::hint::black_box(sum ^ random);
                }
            }
            times.push(judge(settings, &text, Audience::Agent, Asked::Nothing).0);
        }
        println!("2 KB turn, between the rounds {what}: {}", row(&mut times));
    }
    std::hint::black_box(sum);
}

/// The 99th percentile of the quietest thousand rounds in a row.
fn quietest(times: &[Duration]) -> Duration {
    let of = |chunk: &[Duration]| percentile(&mut chunk.to_vec(), 99);
    times.chunks_exact(1_000).map(of).min().unwrap_or_default()
}

/// The percentiles of a row.
fn row(times: &mut [Duration]) -> String {
    let [p10, p50, p90, p99] = [10, 50, 90, 99].map(|percent| percentile(times, percent));
    format!("p10 {p10:?}, p50 {p50:?}, p90 {p90:?}, p99 {p99:?}")
}

/// Fresh processes that are looked at.
const PROCESSES: usize = 60;

fn main() {
    if std::env::args().any(|a| a == "--first") {
        let (all, turn) = first();
        println!("{} {}", all.as_nanos(), turn.as_nanos());
        return;
    }
    let settings = Settings::default();
    let rounds = 20_000;
    if let Some(what) = std::env::args().skip_while(|a| a != "--turns").nth(1) {
        turns(&settings, &what);
        return;
    }

    if let Some(only) = std::env::args().skip_while(|a| a != "--megabyte").nth(1) {
        megabytes(&settings, &only);
        return;
    }

    if std::env::args().any(|a| a == "--between") {
        between(&settings);
        return;
    }

    let mut starts: [Vec<Duration>; 2] = Default::default();
    for _ in 0..PROCESSES {
        let told = std::env::current_exe()
            .and_then(|program| std::process::Command::new(program).arg("--first").output())
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .unwrap_or_default();
        let figures = told.split_whitespace().filter_map(|figure| figure.parse().ok());
        for (times, nanos) in starts.iter_mut().zip(figures) {
            times.push(Duration::from_nanos(nanos));
        }
    }
    for (name, times) in ["delegation and turn", "turn"].into_iter().zip(&mut starts) {
        assert!(!times.is_empty(), "fresh processes answer");
        let (p10, p50) = (percentile(times, 10), percentile(times, 50));
        println!(
            "first {name} of a fresh process, with a checklist: p10 {p10:?}, p50 {p50:?} ({PROCESSES} processes)"
        );
    }

    for (name, audience, asked, batch) in [
        ("agent-to-agent", Audience::Agent, Asked::Nothing, BATCH),
        ("human-facing", Audience::Human, Asked::Nothing, BATCH),
        (
            "agent-to-agent, a checklist of 5 items, first answer",
            Audience::Agent,
            Asked::Now,
            BATCH,
        ),
        (
            "agent-to-agent, a checklist of 5 items, second answer",
            Audience::Agent,
            Asked::Earlier,
            BATCH,
        ),
        (
            "agent-to-agent, a checklist of 5 items, read in the moment before",
            Audience::Agent,
            Asked::Now,
            1,
        ),
    ] {
        let mut times = Vec::with_capacity(rounds);
        for first in (0..rounds).step_by(batch) {
            let turns = (first..first + batch).map(|round| turn(round % 900 + 100));
            let ready = |text: String| (ready(&settings, &text, audience, asked, TASK), text);
            let mut turns: Vec<_> = turns.map(ready).collect();
            for (enforcer, text) in &mut turns {
                let (time, rejected) = timed(enforcer, &reply(text, audience));
                times.push(time);
                assert!(!rejected, "the bench measures a text that passes");
            }
        }
        let quiet = quietest(&times);
        println!(
            "all text gates, 2 KB turn, {name}: {} ({rounds} rounds; p99 of the quietest thousand {quiet:?})",
            row(&mut times)
        );
        // Beside each row, so that it tells of the same minute.
        let times = &mut calibration(rounds / 4);
        println!(
            "  the machine, a fixed loop beside it: {} ({} rounds)",
            row(times),
            rounds / 4
        );
    }

    // One task, and one answer after another.
    let mut enforcer = Enforcer::new(settings.clone(), SystemClock::new());
    enforcer.delegate("bench", "worker", TASK);
    let mut times = Vec::with_capacity(rounds);
    for round in 0..rounds {
        let text = turn(round % 900 + 100);
        let said = reply(&text, Audience::Agent);
        let before = Instant::now();
        let rejected = validate(&mut enforcer, &said);
        times.push(before.elapsed());
        assert!(!rejected, "the bench measures a text that passes");
    }
    let quiet = quietest(&times);
    println!(
        "all text gates, 2 KB turn, agent-to-agent, a checklist of 5 items, many answers: {} ({rounds} rounds; p99 of the \
         quietest thousand {quiet:?})",
        row(&mut times)
    );

    let different = different();
    assert!(different.len() > 300, "the corpus has turns to offer");
    for asked in [Asked::Nothing, Asked::Now] {
        let mut times = Vec::new();
        // Each comes again only after all the others.
        for turns in (0..20).flat_map(|_| different.chunks(TASKS)) {
            let ready =
                |(task, text): &(String, String)| ready(&settings, text, Audience::Agent, asked, task);
            let enforcers = turns.iter().map(ready).collect::<Vec<_>>();
            for (mut enforcer, (_, text)) in enforcers.into_iter().zip(turns) {
                times.push(timed(&mut enforcer, &reply(text, Audience::Agent)).0);
            }
        }
        // What the machine does beside it slows some rounds down, and hardly all of one turn.
        let rounds = times.chunks_exact(different.len());
        let mut quickest = rounds.fold(vec![Duration::MAX; different.len()], |least, round| {
            least.iter().zip(round).map(|(a, b)| *a.min(b)).collect()
        });
        println!(
            "all text gates, {} turns of 2 KB without a common sentence{}: {} ({} rounds)",
            different.len(),
            if asked == Asked::Now {
                ", a checklist each"
            } else {
                ""
            },
            row(&mut times),
            times.len()
        );
        println!("  the quickest round of each: {}", row(&mut quickest));
    }

    // What a long turn is compared with: six texts, one of them the turn itself.
    let walk = |round: usize| (round..round + 6).map(|n| turn(n * 7)).collect::<Vec<_>>();
    let same = |_: usize| vec![turn(7); 6];
    // The same in other words at the beginning: each is read.
    let edited = |_: usize| {
        ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"]
            .iter()
            .map(|n| format!("{n} attempt. {}", turn(7)))
            .collect::<Vec<_>>()
    };
    let short = |round: usize| {
        vec![format!("Attempt {round}: the build fails again with E0382, I run it once more."); 6]
    };
    let gate = proctor_gates::drift::Drift::new(&settings.drift);
    let event = Event {
        host: "bench".to_owned(),
        native: String::new(),
        session: "bench".to_owned(),
        agent: None,
        cwd: String::new(),
        turn: None,
        kind: EventKind::Message { text: String::new() },
        input: Digest::of(b""),
    };
    for (name, texts) in [
        (
            "six texts of 2 KB with news",
            &walk as &dyn Fn(usize) -> Vec<String>,
        ),
        ("six texts of 2 KB without news", &same),
        ("six texts of 2 KB without news, each edited", &edited),
        ("six short texts without news", &short),
    ] {
        let mut times = Vec::with_capacity(2_000);
        for round in 0..2_000 {
            let thoughts = texts(round % 900 + 100);
            let context = Context {
                event: &event,
                audience: Audience::Agent,
                task: None,
                checklist: &[],
                created: &[],
                thoughts: &thoughts,
                steps: &[],
                world: &NoWorld,
            };
            let before = Instant::now();
            let outcome = gate.check(&context);
            times.push(before.elapsed());
            assert!(outcome.is_ok());
        }
        let (p50, p99) = (percentile(&mut times, 50), percentile(&mut times, 99));
        println!("drift, {name}: p50 {p50:?}, p99 {p99:?} (2000 rounds)");
    }

    megabytes(&settings, "");
}

/// A megabyte of each of many shapes at once, of those whose name holds `only`.
fn megabytes(settings: &Settings, only: &str) {
    for (name, unit) in [
        ("prose", turn(7)),
        ("a document", include_str!("../../../docs/reading.md").to_owned()),
        ("one line without a space", "가".repeat(300) + &"a".repeat(300)),
        ("unclosed fences", "```\n".to_owned()),
        ("failures that were", "failing test passes ".to_owned()),
        ("commands", "`cargo test` passes, ".to_owned()),
        ("deep quotes", "> ".repeat(50) + "훌륭합니다!\n"),
        ("approvals", "APPROVE ".to_owned()),
        ("a list of approvals", "- LGTM\n".to_owned()),
        ("verdicts in fences", "```\nVERDICT: APPROVE\n```\n".to_owned()),
        ("conditions", "if, ".to_owned()),
        ("agreement", "ok ".to_owned()),
        ("rows of a table", "| a | b |\n".to_owned()),
        ("orders of bots", "/lgtm\n/lgtm cancel\n".to_owned()),
        ("checklists", "- [x] tests pass\n".to_owned()),
        ("quotation marks", "\"".to_owned()),
        ("letters in quotation marks", "a \"b\" ".to_owned()),
        ("short paragraphs", "ok\n\n".to_owned()),
        ("paragraphs with an approval", "**LGTM**\n\n".to_owned()),
        ("lines with a verdict", "VERDICT: APPROVE\n".to_owned()),
        ("verdicts in Korean", "판정: 승인\n".to_owned()),
        ("labels", "a: b: c: ".to_owned()),
        ("rows of a table with marks", "| tests | ✅ |\n".to_owned()),
        ("lines with carriage returns", "ok\r\n".to_owned()),
        ("links", "see https://example.com/a/b?c=d#e now. ".to_owned()),
        (
            "fields of JSON",
            "{\"verdict\": \"APPROVE\", \"tests\": \"12 passed\"}\n".to_owned(),
        ),
        (
            "approvals with a report, Korean",
            "승인합니다. 테스트 12개 통과. ".to_owned(),
        ),
    ] {
        if !name.contains(only) {
            continue;
        }
        let text = unit.repeat(1_048_576 / unit.len() + 1);
        let mut enforcer = Enforcer::new(settings.clone(), SystemClock::new());
        let said = reply(&text, Audience::Agent);
        let before = Instant::now();
        let _judged = enforcer.validate(&said);
        println!("1 MB, {name}: {:?}", before.elapsed());
    }
}
