//! `proctor stats`: figures from the decisions recorded here.

use crate::cli::StatsArgs;
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::Engine;
use proctor_engine::stats::{Collector, Stats};
use proctor_kernel::Result;
use std::fmt::Write;

pub(crate) fn run(args: &StatsArgs) -> Result<Exit> {
    let environment = Environment::read(None);
    let engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    let mut collector = Collector::default();
    let mut recent = Vec::new();
    let damaged = engine.each_decision(|id, millis, record| {
        collector.add(&record);
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
    let stats = collector.finish();
    let failing = engine.breakers();
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
            "stats": stats, "failing": failing, "damaged_lines": damaged, "recent": recent
        }));
        return Ok(Exit::Pass);
    }
    output::print(&text(&stats));
    for (gate, failures, why) in failing.failing() {
        output::line(&format!(
            "\nThe {gate} gate failed {failures} time(s) lately: {why}"
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
    Ok(())
}
