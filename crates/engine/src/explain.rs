//! Why a decision fell, in words.

use crate::feedback::reportable;
use crate::record::DecisionRecord;
use crate::session::{Change, described};
use proctor_kernel::{Status, Verdict};
use std::fmt::Write;

/// The explanation of one record: what happened, what each gate said, what came of it.
#[must_use]
pub fn explain(id: &str, at: &str, record: &DecisionRecord) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, id, at, record);
    out
}

fn write(out: &mut String, id: &str, at: &str, record: &DecisionRecord) -> std::fmt::Result {
    let event = &record.event;
    writeln!(out, "decision {id}")?;
    writeln!(out, "  when      {at}")?;
    let tool = event.tool.as_ref().map(|t| format!(" ({t})")).unwrap_or_default();
    writeln!(
        out,
        "  event     {} {}{tool}, session {}",
        event.host, event.name, event.session
    )?;
    writeln!(out, "  agent     {}", event.role)?;
    writeln!(
        out,
        "  audience  {}",
        if record.audience == proctor_kernel::Audience::Agent {
            "agent"
        } else {
            "human"
        }
    )?;
    if let Some(task) = &record.task {
        writeln!(out, "  task      {task}")?;
    }
    writeln!(out, "  policy    {}", record.policy)?;
    writeln!(
        out,
        "  answer    {}{}",
        record.action.as_str(),
        if record.escalated { ", escalated" } else { "" }
    )?;
    writeln!(out, "  cost      {} µs", record.micros)?;
    if let Some(spent) = &record.spent {
        let over = if spent.is_over() { ": used up" } else { "" };
        writeln!(out, "  budget    {}{over}", spent.in_words())?;
    }
    for change in &record.changes {
        match change {
            Change::Ran { run, .. } => writeln!(out, "  command   {}", described(run))?,
            Change::Wrote {
                paths, by: Some(by), ..
            } => {
                let shown = proctor_kernel::names(paths, 8);
                let more = by.more + paths.len().saturating_sub(8) as u64;
                let more = if more > 0 {
                    format!(" (+{more})")
                } else {
                    String::new()
                };
                writeln!(out, "  changed   {shown}{more}, while it ran")?;
            }
            Change::Checked { run, .. } => {
                let exit = run
                    .exit
                    .map_or_else(|| "no exit code".to_owned(), |c| format!("exit {c}"));
                writeln!(out, "  check     `{}`: {exit}", run.check)?;
            }
            _ => {}
        }
    }
    if record.gates.is_empty() {
        writeln!(out, "\nNo gate looks at this event.")?;
    }
    for gate in &record.gates {
        let band = gate.band.number();
        let said = match (&gate.status, gate.verdict) {
            (Status::Skipped { why }, _) => format!("skipped: {why}"),
            (Status::CouldNotRun { why }, _) => format!("could not run: {why}"),
            (Status::Decided, Verdict::Pass) => "pass".to_owned(),
            (Status::Decided, Verdict::Modify) => "modify".to_owned(),
            (Status::Decided, Verdict::Ask) => "ask".to_owned(),
            (Status::Decided, Verdict::Block) => "block".to_owned(),
        };
        writeln!(
            out,
            "\n{} (band {band}, mode {}, {} µs): {said}",
            gate.gate, gate.mode, gate.micros
        )?;
        for finding in &gate.findings {
            writeln!(out, "  {} ({})", finding.rule, finding.tier)?;
            for line in finding.message.lines() {
                writeln!(out, "    {line}")?;
            }
            for span in &finding.spans {
                writeln!(
                    out,
                    "    {}..{} {}: {:?}",
                    span.start, span.end, span.label, span.text
                )?;
            }
        }
        for (part, about) in [
            ("approval", "taken for an approval"),
            ("evidence", "nothing counted as evidence"),
        ] {
            let why = gate.data.get("why").and_then(|w| w.get(part));
            if let Some(why) = why.and_then(|w| w.as_str()) {
                writeln!(out, "  {about}: {why}")?;
            }
        }
        // `response` has a line for each part that counts.
        let lines = gate.data.get("why").and_then(|w| w.as_array());
        for line in lines.into_iter().flatten().filter_map(|line| line.as_str()) {
            writeln!(out, "  counted: {line}")?;
        }
        let low = gate.data.get("low_confidence").and_then(|v| v.as_array());
        if let Some(words) = low.filter(|w| !w.is_empty()) {
            let words: Vec<&str> = words.iter().filter_map(|w| w.as_str()).collect();
            writeln!(
                out,
                "  praise only sometimes, decides nothing: {}",
                words.join(", ")
            )?;
        }
        if !gate.data.is_null() {
            let mut data = gate.data.clone();
            // Said in words already.
            if let Some(fields) = data.as_object_mut() {
                fields.remove("why");
            }
            writeln!(out, "  data {data}")?;
        }
    }
    if !record.reason.is_empty() {
        writeln!(out, "\ntold the agent:")?;
        for line in record.reason.lines() {
            writeln!(out, "  {line}")?;
        }
    }
    for note in &record.notes {
        writeln!(out, "\nnote ({}): {}", note.gate, note.text)?;
    }
    for alert in &record.alerts {
        writeln!(out, "\ntold the user: {alert}")?;
    }
    if let Some(text) = &record.text {
        writeln!(out, "\npassed on as:")?;
        for line in text.lines() {
            writeln!(out, "  {line}")?;
        }
    }
    let gates: Vec<&str> = reportable(record).map(|r| r.gate.as_str()).collect();
    if let Some(first) = gates.first() {
        let gate = if gates.len() > 1 {
            format!(" --gate {first}")
        } else {
            String::new()
        };
        writeln!(
            out,
            "\nif this was wrong: proctor feedback {id} --false-positive{gate}"
        )?;
    }
    Ok(())
}
