//! `proctor stats`: figures from the decisions recorded here.

use crate::cli::StatsArgs;
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::Engine;
use proctor_engine::stats::{Collector, LowRow, ReportedRow, ShareRow, Stats};
use proctor_kernel::{Audience, Result};
use std::fmt::Write;

pub(crate) fn run(args: &StatsArgs) -> Result<Exit> {
    let environment = Environment::read(None);
    let engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    output::complain_if_lost(engine.store()?);
    let mut collector = Collector::default();
    let mut recent = Vec::new();
    let damaged = engine.each_decision(|id, millis, record| {
        collector.add(id, &record);
        if args.recent > 0 {
            recent.push((
                millis,
                id.to_owned(),
                record.event.name,
                record.event.role,
                record.action.as_str(),
            ));
        }
    })?;
    recent.sort();
    let skip = recent.len().saturating_sub(args.recent);
    let recent = recent.split_off(skip);
    collector.charge(engine.charged_tokens()?);
    let stats = collector.finish(&engine.settings().response, &engine.reported());
    let failing = engine.breakers();
    let unjudged = engine.unjudged()?;
    if args.json {
        let failing: Vec<_> = failing
            .failing()
            .map(
                |(gate, failures, why)| serde_json::json!({ "gate": gate, "failures": failures, "why": why }),
            )
            .collect();
        let recent: Vec<_> = recent
            .iter()
            .map(|(millis, id, event, agent, action)| {
                let at = proctor_ledger::format_millis(*millis);
                serde_json::json!({ "id": id, "at": at, "event": event, "agent": agent, "action": action })
            })
            .collect();
        output::json(&serde_json::json!({
            "stats": stats, "failing": failing, "unjudged": unjudged, "damaged_lines": damaged, "recent": recent
        }));
        return Ok(Exit::Pass);
    }
    output::print(&text(&stats));
    for (gate, failures, why) in failing.failing() {
        output::line(&format!(
            "\nThe {gate} gate failed {failures} time(s) lately: {why}"
        ));
    }
    if let Some(last) = unjudged.last() {
        let event = last.what.event.as_deref().unwrap_or("an unknown event");
        output::line(&format!(
            "\n{} event(s) could not be judged at all; the last, {event}: {} (`proctor explain {}`)",
            unjudged.len(),
            proctor_kernel::shown(&last.what.why),
            last.id
        ));
    }
    if damaged > 0 {
        output::line(&format!("\n{damaged} damaged line(s) in the logs were left out."));
    }
    if !recent.is_empty() {
        output::line("\nLatest decisions:");
    }
    for (millis, id, event, agent, action) in recent {
        output::line(&format!(
            "  {}  {id}  {event:<20} {agent:<16} {action}",
            proctor_ledger::format_millis(millis)
        ));
    }
    Ok(Exit::Pass)
}

fn text(stats: &Stats) -> String {
    let mut out = String::new();
    let _ = write_text(&mut out, stats);
    out
}

fn write_text(out: &mut String, stats: &Stats) -> std::fmt::Result {
    let plural = |n: u64, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    writeln!(
        out,
        "{} in {}",
        plural(stats.events, "decision"),
        plural(stats.sessions, "session")
    )?;
    if stats.tokens > 0 || stats.seconds > 0 {
        let over = match stats.over_budget {
            0 => String::new(),
            n => format!("; the budget of {} used up", plural(n, "task")),
        };
        writeln!(out, "{} tokens, {} s of work{over}", stats.tokens, stats.seconds)?;
    }
    if stats.events == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "\n{:<18} {:>7} {:>8} {:>8} {:>8} {:>9}",
        "agent", "events", "rejected", "retries", "stops", "escalated"
    )?;
    for row in &stats.agents {
        writeln!(
            out,
            "{:<18} {:>7} {:>8} {:>8} {:>8} {:>9}",
            row.agent, row.events, row.rejected, row.retries, row.stops_blocked, row.escalated
        )?;
    }
    writeln!(
        out,
        "\n{:<12} {:<18} {:>7} {:>8} {:>8} {:>10} {:>6} {:>6} {:>9} {:>9}",
        "gate",
        "agent",
        "decided",
        "objected",
        "rejected",
        "downgraded",
        "failed",
        "pass",
        "p50 µs",
        "p99 µs"
    )?;
    for row in &stats.gates {
        let pass = row
            .pass_rate
            .map_or_else(|| "–".to_owned(), |p| format!("{:.0}%", p * 100.0));
        writeln!(
            out,
            "{:<12} {:<18} {:>7} {:>8} {:>8} {:>10} {:>6} {:>6} {:>9} {:>9}",
            row.gate,
            row.agent,
            row.decided,
            row.objected,
            row.rejected,
            row.downgraded,
            row.could_not_run,
            pass,
            row.micros_p50,
            row.micros_p99
        )?;
    }
    if !stats.rules.is_empty() {
        writeln!(out, "\n{:<32} {:>6}", "rule", "found")?;
    }
    for row in &stats.rules {
        writeln!(out, "{:<32} {:>6}", row.rule, row.found)?;
    }
    write_reported(out, &stats.reported)?;
    write_shares(out, &stats.shares)?;
    write_low(out, &stats.low_confidence)
}

/// Objections that people reported as wrong.
fn write_reported(out: &mut String, rows: &[ReportedRow]) -> std::fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n{:<12} {:>8} {:>17} {:>6} {:>10}",
        "gate", "objected", "reported as wrong", "rate", "elsewhere"
    )?;
    for row in rows {
        let rate = row
            .rate
            .map_or_else(|| "–".to_owned(), |r| format!("{:.1}%", r * 100.0));
        writeln!(
            out,
            "{:<12} {:>8} {:>17} {:>6} {:>10}",
            row.gate, row.objected, row.reported, rate, row.elsewhere
        )?;
    }
    Ok(())
}

/// The spread of the share of filler, and what thresholds would have done.
fn write_shares(out: &mut String, rows: &[ShareRow]) -> std::fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    write!(
        out,
        "\nshare of filler: texts per tenth\n{:<8} {:<8} {:>5} {:>5}",
        "reader", "language", "texts", "none"
    )?;
    for tenth in 1..=10 {
        let sign = if tenth == 10 { "≤" } else { "<" };
        write!(out, " {:>5}", format!("{sign}{}%", tenth * 10))?;
    }
    writeln!(out)?;
    for row in rows {
        write!(
            out,
            "{:<8} {:<8} {:>5} {:>5}",
            reader(row.audience),
            row.language,
            row.texts,
            row.none
        )?;
        for texts in row.tenths {
            write!(out, " {texts:>5}")?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "texts that a threshold would have refused, by the share alone"
    )?;
    for row in rows {
        let shown: Vec<String> = row
            .thresholds
            .iter()
            .map(|t| {
                let mark = if t.configured { " (configured)" } else { "" };
                format!(
                    "{:.0}%{mark}: {} of {}",
                    t.threshold * 100.0,
                    t.refused,
                    row.texts
                )
            })
            .collect();
        writeln!(
            out,
            "{:<8} {:<8} {}",
            reader(row.audience),
            row.language,
            shown.join(", ")
        )?;
    }
    Ok(())
}

fn reader(audience: Audience) -> &'static str {
    match audience {
        Audience::Agent => "agent",
        Audience::Human => "human",
    }
}

/// Words of low confidence that are shown.
const WORDS: usize = 15;

fn write_low(out: &mut String, rows: &[LowRow]) -> std::fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n{:<20} {:>5} {:>8} {:>17}",
        "low confidence", "texts", "objected", "reported as wrong"
    )?;
    for row in rows.iter().take(WORDS) {
        let width = unicode_width::UnicodeWidthStr::width(row.word.as_str());
        let fill = " ".repeat(20_usize.saturating_sub(width));
        writeln!(
            out,
            "{}{fill} {:>5} {:>8} {:>17}",
            row.word, row.texts, row.objected, row.reported
        )?;
    }
    match rows.len().checked_sub(WORDS) {
        Some(more) if more > 0 => writeln!(out, "and {more} more words; --json has them all"),
        _ => Ok(()),
    }
}
