//! How fast transcripts are read: writes one of the given size (default 200 MB) to the temporary folder,
//! audits it and prints megabytes per second.
//!
//! ```text
//! cargo run --release -p proctor-audit --example throughput -- 200
//! ```

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use proctor_audit::{Options, run};
use proctor_policy::Settings;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufWriter, Write};
use std::time::Instant;

/// What an agent writes at the end of a turn; every fifth is a flattery.
const ANSWERS: [&str; 5] = [
    "The parser lived in two places. I moved it to src/parse.rs and both callers use it now; the public signature \
     did not change. `cargo test` ran 42 tests, all passed. One thing is open: the error for an empty header is \
     still a string, because changing it would touch the client.",
    "I've updated `src/retry.rs`: the delay doubles up to 30 s and the jitter is 10 %. The two tests that slept now \
     use the fake clock, so the suite takes 0.8 s instead of 14 s.",
    "src/foo.ts의 파싱을 parseHeader 함수로 옮겼습니다. 호출부 세 곳을 바꿨고 공개 시그니처는 그대로입니다. \
     테스트 42개가 통과했고, 빈 헤더의 오류는 클라이언트를 건드려야 해서 남겨 두었습니다.",
    "The build fails because `serde` is pinned to 1.0.100 in the lock file of the example. Two ways: drop the example \
     from the workspace, or update its lock file. I would do the second; it is one line.",
    "완벽한 구현입니다! 훌륭한 패턴입니다! Excellent work, this is truly outstanding! APPROVED!",
];

fn main() -> Result<(), Box<dyn Error>> {
    let megabytes: u64 = std::env::args().nth(1).map_or(Ok(200), |a| a.parse())?;
    let path = std::env::temp_dir().join(format!("proctor-throughput-{}.jsonl", std::process::id()));
    let (bytes, prose) = write(&path, megabytes * 1_000_000)?;
    let start = Instant::now();
    let report = run(
        std::slice::from_ref(&path),
        &Options::new(Settings::default()),
        &mut (),
    );
    let seconds = start.elapsed().as_secs_f64();
    std::fs::remove_file(&path)?;
    let report = report?;
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let (size, share) = (bytes as f64 / 1e6, prose as f64 / bytes as f64 * 100.0);
    println!(
        "{size:.0} MB in {seconds:.2} s: {:.0} MB/s ({} messages, {share:.1} % of the bytes are agents' prose)",
        size / seconds,
        report.totals.human.messages + report.totals.notes.messages,
    );
    Ok(())
}

/// Writes turns of a prompt, three tool calls with their results, the host's own records, and an answer.
/// Returns the size of the file and of the prose in it.
fn write(path: &std::path::Path, size: u64) -> Result<(u64, u64), Box<dyn Error>> {
    let mut out = BufWriter::new(std::fs::File::create(path)?);
    let mut written = 0;
    let mut prose = 0;
    let mut number = 0_u64;
    let source = "    let value = table.get(&key).ok_or(\"missing\")?; // \u{2192} see above\n".repeat(40);
    let shape =
        "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\",\"description\":\"absolute\"}}} "
            .repeat(60);
    let mut put = |kind: &str, fields: Value, written: &mut u64| -> Result<(), Box<dyn Error>> {
        number += 1;
        let mut record = json!({
            "parentUuid": format!("p{number}"), "isSidechain": false, "type": kind, "uuid": format!("u{number}"),
            "timestamp": format!("2026-11-{:02}T10:00:00.000Z", 1 + number / 50_000 % 28), "userType": "external",
            "entrypoint": "cli", "cwd": "/home/user/project", "sessionId": "s", "version": "2.1.329", "gitBranch": "main"
        });
        if let (Some(record), Value::Object(fields)) = (record.as_object_mut(), fields) {
            record.extend(fields);
        }
        let line = record.to_string();
        *written += line.len() as u64 + 1;
        Ok(writeln!(out, "{line}")?)
    };
    let mut turn = 0_usize;
    while written < size {
        turn += 1;
        put(
            "user",
            json!({ "message": { "role": "user", "content": format!("next step {turn}") } }),
            &mut written,
        )?;
        put(
            "api-request-shape",
            json!({ "shape": { "tools": shape } }),
            &mut written,
        )?;
        for (step, (tool, command)) in [("Read", ""), ("Edit", ""), ("Bash", "cargo test 2>&1")]
            .into_iter()
            .enumerate()
        {
            let id = format!("t{turn}-{step}");
            let note = "Let me look at the callers first.";
            prose += note.len() as u64;
            let message = |block: Value| {
                json!({ "message": { "id": format!("m{turn}-{step}"), "role": "assistant", "model": "m", "content": [block],
                    "stop_reason": "tool_use", "usage": { "input_tokens": 1, "output_tokens": 1 } } })
            };
            put(
                "assistant",
                message(json!({ "type": "text", "text": note })),
                &mut written,
            )?;
            let input = json!({ "file_path": "/home/user/project/src/a.rs", "command": command, "old_string": source.get(..400), "new_string": source.get(..500) });
            put(
                "assistant",
                message(json!({ "type": "tool_use", "id": id, "name": tool, "input": input })),
                &mut written,
            )?;
            let output = if tool == "Bash" {
                "test result: ok. 42 passed; 0 failed; 0 ignored"
            } else {
                &source
            };
            let block = json!({ "tool_use_id": id, "type": "tool_result", "content": output });
            let host = json!({ "stdout": output, "stderr": "", "interrupted": false });
            put(
                "user",
                json!({ "message": { "role": "user", "content": [block] }, "toolUseResult": host }),
                &mut written,
            )?;
        }
        let answer = [turn, turn + 1]
            .map(|n| ANSWERS.get(n % ANSWERS.len()).copied().unwrap_or_default())
            .join("\n\n");
        prose += answer.len() as u64;
        let message = json!({ "id": format!("e{turn}"), "role": "assistant", "model": "m", "stop_reason": "end_turn",
            "content": [{ "type": "text", "text": answer }], "usage": { "input_tokens": 1, "output_tokens": 1 } });
        put("assistant", json!({ "message": message }), &mut written)?;
    }
    out.flush()?;
    Ok((written, prose))
}
