//! `proctor verify`: may this commit go? For CI, for pushes, and for whoever asks.

use super::run_check::short;
use crate::cli::VerifyArgs;
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use crate::signing::Key;
use proctor_engine::Engine;
use proctor_engine::rerun::steers;
use proctor_engine::verify::{RerunPlan, Status, Target, VerifyReport, VerifyRequest, intoto};
use proctor_hosts::git::{PushedRef, pushed_refs};
use proctor_kernel::{Error, ErrorKind, Result, Trust, names, shown};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// Longest standard input of a hook that is read, in bytes.
const MOST_REFS: u64 = 4 << 20;

/// Longest signature that is read, in bytes.
const MOST_SIGNATURE: u64 = 256 << 10;

type Here = Engine<ProcessClock>;

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit> {
    let environment = Environment::read(None);
    let mut engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    for fault in engine.faults() {
        output::complain(&format!("warning: {fault}"));
    }
    if let Some(file) = &args.import {
        return import(&mut engine, args, file);
    }
    let targets = match (&args.range, &args.pre_push) {
        (Some(range), _) => vec![(Target::range(range)?, false)],
        (None, Some(remote)) => pushed(&engine, remote)?,
        (None, None) => vec![(Target::Commit(args.rev.clone()), false)],
    };
    let mut reports = Vec::new();
    for (target, replaces) in targets {
        let request = VerifyRequest {
            target,
            policy_from: args.policy_from.clone(),
            rerun: plan(args, &environment),
            replaces,
            ci: environment.ci,
            strict_linkage: args.strict_linkage || environment.ci,
            signers: args.signers.clone(),
        };
        reports.push(engine.verify(&request)?);
    }
    let status = reports.iter().map(|r| r.status).max().unwrap_or_default();
    if let (Some(to), [report]) = (&args.export, &reports[..]) {
        export(&engine, args, to, report)?;
    } else if args.json && args.pre_push.is_some() {
        output::json(&reports);
    } else if args.json {
        reports.iter().for_each(output::json);
    } else if reports.is_empty() {
        output::line("nothing to verify");
    } else {
        reports.iter().for_each(describe);
    }
    Ok(match status {
        Status::Pass => Exit::Pass,
        Status::Blocked => Exit::Blocked,
        Status::CouldNotRun => Exit::CouldNotRun,
        Status::NeedsHuman => Exit::Human,
    })
}

/// Whether and how the checks are run again: on demand, and in CI unless told otherwise.
fn plan(args: &VerifyArgs, environment: &Environment) -> Option<RerunPlan> {
    if args.no_rerun || !(args.rerun || environment.ci) {
        return None;
    }
    Some(RerunPlan {
        trust: if environment.ci {
            Trust::CiReran
        } else {
            Trust::EngineRan
        },
        folder: std::env::temp_dir(),
        without: std::env::vars_os()
            .map(|(name, _)| name)
            .filter(|n| steers(n))
            .collect(),
        timeout: Duration::from_secs(args.timeout),
    })
}

/// What is to be pushed, from the lines that git gives to the hook; and whether it takes the place of what is
/// there, which may be newer. Any other branch than the main one is a proposal for that, under its policy.
fn pushed(engine: &Here, remote: &str) -> Result<Vec<(Target, bool)>> {
    let mut text = String::new();
    std::io::stdin()
        .take(MOST_REFS)
        .read_to_string(&mut text)
        .map_err(|e| Error::new(ErrorKind::Input, "cannot read what is to be pushed").because(e))?;
    let repo = engine
        .repo()
        .ok_or_else(|| Error::new(ErrorKind::Input, "this is no git repository"))?;
    let main = repo.main_of(remote)?;
    let mut targets = Vec::new();
    for PushedRef { name, to, from } in pushed_refs(&text)? {
        // A reference that is deleted holds nothing, and our own records are no work.
        let Some(to) = to.filter(|_| !name.starts_with("refs/proctor/")) else {
            continue;
        };
        // What is pushed may be something else than a commit, as a tag of a file is.
        let Some(to) = repo.ref_commit(&to)? else { continue };
        let old = match from {
            None => None,
            // What the remote has need not be here, as after somebody else's push.
            Some(from) => repo.ref_commit(&from)?,
        };
        let known = repo.is_published(&to, remote)?;
        if known && old.is_none() {
            continue;
        }
        let (from, replaces) = match (&main, old) {
            (Some((branch, tip)), old)
                if name.strip_prefix("refs/heads/") != Some(branch) || old.is_none() =>
            {
                (Some(tip.clone()), false)
            }
            (_, old) => (old, true),
        };
        targets.push((Target::Range { from, to }, replaces));
    }
    Ok(targets)
}

fn export(engine: &Here, args: &VerifyArgs, to: &Path, report: &VerifyReport) -> Result<()> {
    let text = intoto::export(report)?;
    if to == Path::new("-") {
        if args.sign {
            return Err(
                Error::new(ErrorKind::Input, "a signature needs a file to stand beside")
                    .hint("`proctor verify --export FILE --sign`"),
            );
        }
        output::print(&text);
        return Ok(());
    }
    let signature = match args.sign {
        true => Some(Key::find(engine.repo(), args.key.as_deref())?.armour(text.as_bytes())?),
        false => None,
    };
    let put = |path: &Path, text: &str| {
        std::fs::write(path, text)
            .map_err(|e| Error::new(ErrorKind::Input, format!("cannot write {}", path.display())).because(e))
    };
    put(to, &text)?;
    if let Some(signature) = signature {
        put(&beside(to), &signature)?;
    }
    Ok(())
}

fn beside(file: &Path) -> std::path::PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".sig");
    name.into()
}

/// The signature beside a file; `None` when there is none.
fn signature_of(file: &Path) -> Result<Option<String>> {
    let path = beside(file);
    let mut text = Vec::new();
    match proctor_worktree::file::open(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        opened => opened.and_then(|(file, _)| file.take(MOST_SIGNATURE).read_to_end(&mut text)),
    }
    .map_err(|e| Error::new(ErrorKind::Input, format!("cannot read {}", path.display())).because(e))?;
    Ok(Some(String::from_utf8_lossy(&text).into_owned()))
}

fn import(engine: &mut Here, args: &VerifyArgs, file: &Path) -> Result<Exit> {
    let mut bytes = Vec::new();
    let failed = |e| Error::new(ErrorKind::Input, format!("cannot read {}", file.display())).because(e);
    std::fs::File::open(file)
        .map_err(failed)?
        .take(intoto::LARGEST as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    let signature = signature_of(file)?;
    let imported =
        engine.import_statements(&bytes, signature.as_deref(), &args.rev, args.signers.as_deref())?;
    if args.json {
        output::json(&imported);
        return Ok(Exit::Pass);
    }
    let count = imported.statements;
    output::line(&format!(
        "taken in as claims: {count} statement{} about the tree {}",
        if count == 1 { "" } else { "s" },
        short(imported.tree.as_str())
    ));
    let signer = imported.signer.map(|s| format!(", {s}")).unwrap_or_default();
    output::line(&format!("  signature: {}{signer}", imported.signature.as_str()));
    for kind in &imported.unread {
        output::line(&format!("  not read: {kind}"));
    }
    Ok(Exit::Pass)
}

/// Prints a line. Names and reasons may come from records of others: nothing in them reaches the terminal as a
/// command.
fn say(text: &str) {
    let plain: String = text
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    output::line(&plain);
}

fn describe(report: &VerifyReport) {
    say(&format!(
        "commit {}, tree {}: {}",
        short(&report.commit),
        short(&report.tree),
        report.status.as_str()
    ));
    for reason in &report.reasons {
        let mark = match reason.weight {
            Status::Pass => "",
            Status::Blocked => "BLOCKED: ",
            Status::NeedsHuman => "NEEDS A HUMAN: ",
            Status::CouldNotRun => "COULD NOT RUN: ",
        };
        say(&format!("  {mark}{}", reason.text));
    }
    let axes = &report.axes;
    say(&format!(
        "  signature {} · trust {} · freshness {} · binding {} · policy {}",
        axes.signature.as_str(),
        axes.trust.as_str(),
        axes.freshness.as_str(),
        axes.binding.as_str(),
        axes.policy.as_str()
    ));
    if let Some(approval) = &report.approval {
        let from = match (&approval.clone, &approval.signer) {
            (_, Some(signer)) => format!(", signed by {signer}"),
            (Some(clone), None) => format!(", as the clone {clone} says"),
            (None, None) => String::new(),
        };
        say(&format!("  {} by {}{from}", approval.what, approval.by));
        for line in &approval.evidence {
            say(&format!("    {line}"));
        }
    }
    for check in &report.checks {
        say(&format!(
            "  check {} (`{}`): {} [{}]",
            check.name,
            check.run,
            check.state.as_str(),
            check.trust.as_str()
        ));
        for line in check.detail.lines() {
            say(&format!("    {line}"));
        }
    }
    for path in report.differs.iter().take(20) {
        say(&format!("  differs: {path}"));
    }
    for problem in &report.policy.problems {
        say(&format!("  policy: {problem}"));
    }
    for weaker in &report.policy.weakened {
        let place = match weaker.line {
            Some(line) => format!("{}:{line}", shown(&weaker.path)),
            None => shown(&weaker.path).into_owned(),
        };
        say(&format!(
            "  {} [{}] {place}: {}",
            weaker.rule,
            weaker.state.as_str(),
            weaker.text
        ));
    }
    if let Some(stakes) = &report.policy.high_stakes {
        say(&format!(
            "  high-stakes [{}]: {}",
            stakes.state.as_str(),
            names(&stakes.paths, usize::MAX)
        ));
    }
    for commit in &report.commits {
        say(&format!("  {} {}", short(&commit.commit), commit.standing));
    }
    for note in &report.notes {
        say(&format!("  note: {note}"));
    }
}
