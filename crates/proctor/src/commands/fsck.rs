//! `proctor fsck`: is everything that was recorded still there, and whole?

use crate::cli::FsckArgs;
use crate::clock::ProcessClock;
use crate::commands::lookup::Places;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::Engine;
use proctor_index::Index;
use proctor_kernel::Result;
use proctor_ledger::{Finding, Grade, Presence, Report, Store};

pub(crate) fn run(args: &FsckArgs) -> Result<Exit> {
    let environment = Environment::read(None);
    let engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    let mut report = engine.fsck(args.repair)?;
    let store = engine.store()?;
    report.findings.extend(index(store, args.repair)?);
    if args.json {
        output::json(&serde_json::json!({
            "status": status(&report), "state": store.root(), "presence": presence(store), "report": report,
        }));
    } else {
        describe(store, &report);
    }
    Ok(match report.worst() {
        None | Some(Grade::Note) => Exit::Pass,
        Some(Grade::Unread) => Exit::CouldNotRun,
        Some(Grade::Damage | Grade::Tampering) => Exit::Blocked,
    })
}

/// The index beside the logs. It is of use to queries alone, so a repair removes it: they make it anew.
fn index(store: &Store, repair: bool) -> Result<Option<Finding>> {
    let Some(wrong) = Index::check::<Places>(store)? else {
        return Ok(None);
    };
    let mut finding = Finding::new(
        Grade::Note,
        "index_unusable",
        proctor_index::FILE,
        format!("the index is of no use: {wrong}"),
        "nothing: it is made from the logs",
    );
    finding.repair = Some("it is removed; the next query makes it anew".to_owned());
    finding.repaired = repair && std::fs::remove_file(store.root().join(proctor_index::FILE)).is_ok();
    Ok(Some(finding))
}

fn status(report: &Report) -> &'static str {
    match report.worst() {
        None | Some(Grade::Note) => "ok",
        Some(Grade::Unread) => "could_not_run",
        Some(Grade::Damage) => "damaged",
        Some(Grade::Tampering) => "tampered",
    }
}

fn presence(store: &Store) -> &'static str {
    match store.presence() {
        Presence::Present => "present",
        Presence::New => "new",
        Presence::Missing => "missing",
    }
}

fn describe(store: &Store, report: &Report) {
    output::line(&format!("state folder {}", store.root().display()));
    if store.presence() == Presence::New && !store.root().exists() {
        output::line("nothing was recorded here yet");
        return;
    }
    let records: u64 = report.logs.iter().map(|l| l.records).sum();
    let test: u64 = report.logs.iter().map(|l| l.test_records).sum();
    let segments: usize = report.logs.iter().map(|l| l.segments).sum();
    output::line(&format!(
        "read: {} in {} in {}; {}; {}",
        count(records, "record"),
        count(report.logs.len() as u64, "log"),
        count(segments as u64, "segment"),
        count(report.snapshots as u64, "snapshot"),
        count(report.files as u64, "small file"),
    ));
    if test > 0 {
        output::line(&format!(
            "{} written under a test's clock: they prove nothing",
            count(test, "record")
        ));
    }
    for finding in &report.findings {
        show(finding);
    }
    for log in report.logs.iter().filter(|l| l.unlisted > 0) {
        output::line(&format!("log/{}: {} more findings", log.writer, log.unlisted));
    }
    if report.set_aside > 0 {
        output::line(&format!(
            "quarantine/ holds {} that earlier repairs set aside",
            count(report.set_aside as u64, "file")
        ));
    }
    let open = report.findings.iter().filter(|f| !f.repaired);
    let mendable = open.clone().any(|f| f.repair.is_some());
    output::line(match report.worst() {
        None => "in order",
        Some(Grade::Note) => "in order: nothing that was acknowledged is lost",
        Some(Grade::Unread) => "could not look at everything",
        Some(Grade::Damage) => "damaged",
        Some(Grade::Tampering) => "not as Proctor wrote it",
    });
    if mendable {
        output::line("`proctor fsck --repair` does what the lines marked → say; nothing is deleted");
    }
}

fn show(finding: &Finding) {
    let offset = finding.offset.map_or_else(String::new, |o| format!(", byte {o}"));
    let record = finding
        .record
        .as_ref()
        .map_or_else(String::new, |id| format!(" (record {id})"));
    output::line(&format!(
        "{:<9} {}{offset}{record}: {}",
        finding.grade.as_str(),
        finding.file,
        finding.what
    ));
    output::line(&format!("{:9} lost: {}", "", finding.lost));
    if let Some(repair) = &finding.repair {
        let sign = if finding.repaired { "done" } else { "→" };
        output::line(&format!("{:9} {sign} {repair}", ""));
    }
}

fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
