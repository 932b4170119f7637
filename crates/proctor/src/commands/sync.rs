//! `proctor sync`: reviews and checks of this clone and of others.

use crate::cli::SyncArgs;
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::Engine;
use proctor_engine::sync::{REF, SyncOptions, SyncReport};
use proctor_kernel::Result;

/// The remote that is meant when none is named: it need not exist.
const USUAL: &str = "origin";

pub(crate) fn run(args: &SyncArgs) -> Result<Exit> {
    let environment = Environment::read(None);
    let mut engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    let there = match engine.repo() {
        Some(repo) => args.remote != USUAL || repo.has_remote(&args.remote)?,
        None => false,
    };
    let report = engine.sync(&SyncOptions {
        remote: there.then(|| args.remote.clone()),
        fetch: !args.push,
        push: !args.fetch,
    })?;
    let wrong = report.rejections > 0 || !report.lost.is_empty();
    if args.json {
        let status = if wrong { "problems" } else { "ok" };
        output::json(&serde_json::json!({ "status": status, "report": report }));
    } else {
        describe(&report);
    }
    Ok(if wrong { Exit::Blocked } else { Exit::Pass })
}

fn describe(report: &SyncReport) {
    for note in &report.notes {
        output::line(&format!("note: {note}"));
    }
    let lanes = count(report.lanes as u64, "lane");
    match &report.commit {
        None => output::line("nothing to exchange yet"),
        Some(commit) => output::line(&format!("{REF} is at {commit}, {lanes}")),
    }
    output::line(&format!("published {}", count(report.published, "record")));
    output::line(&format!("taken in {}", count(report.taken_in, "record")));
    match &report.remote {
        None => output::line("no remote: others see this when the reference is pushed"),
        Some(remote) if report.pushed => output::line(&format!("{remote} has it")),
        Some(_) => {}
    }
    for kept in &report.not_published {
        output::line(&format!(
            "not published: record {} of {}: {}",
            kept.record, kept.writer, kept.why
        ));
    }
    for lost in &report.lost {
        output::line(&format!(
            "lost here: {} of {} that this clone published, from {}; `proctor fsck` tells more",
            count(lost.records.len() as u64, "record"),
            lost.writer,
            lost.records.first().map_or("", String::as_str)
        ));
    }
    for rejected in &report.rejected {
        let offset = rejected
            .offset
            .map_or_else(String::new, |o| format!(", byte {o}"));
        let record = rejected
            .record
            .as_ref()
            .map_or_else(String::new, |id| format!(" (record {id})"));
        output::line(&format!(
            "rejected: {}{offset}{record}: {}",
            rejected.place, rejected.why
        ));
    }
    if let Some(more) = report.rejections.checked_sub(report.rejected.len() as u64)
        && more > 0
    {
        output::line(&format!("rejected: {more} more"));
    }
}

fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
