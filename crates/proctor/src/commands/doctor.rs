//! `proctor doctor`: does Proctor really guard this place?

use super::init::{find_program, is_program, own_program, project_root};
use crate::cli::{DoctorArgs, Scope};
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::trust::ChecksTrust;
use proctor_engine::{Clock, Engine};
use proctor_hosts::claude::doctor::{
    CanaryRun, Check, Found, Layer, Status, canary, inspect, read_canary, settings_files,
};
use proctor_hosts::files;
use proctor_kernel::{Result, shown};
use proctor_policy::{ReviewLevel, examine};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) fn run(args: &DoctorArgs) -> Result<Exit> {
    let environment = Environment::read(args.home.clone());
    let project = project_root(&environment)?;
    let claude = args.claude.clone().or_else(|| find_program("claude"));
    let mut checks = state_checks(&environment)?;

    let layers = settings_files(&environment.claude_config()?, &project).map(|(kind, path)| {
        // An unreadable file is no file to the host either; the text says so to the reader.
        let text = files::read(&path).unwrap_or_else(|e| Some(format!("unreadable: {e}")));
        Layer { kind, path, text }
    });
    let told = claude.as_deref().map(version_of);
    let hangs = matches!(told, Some(Told::Nothing { hangs: true }));
    let version = match told {
        Some(Told::Version(version)) => Some(version),
        _ => None,
    };
    let exe = own_program(Scope::User)?;
    let bare = find_program("proctor").is_some_and(|p| p.as_os_str() == exe.as_str());
    let uses_bare = layers
        .iter()
        .filter_map(|l| l.text.as_deref())
        .any(|t| t.contains("\"proctor\""));
    let program = if bare && uses_bare {
        "proctor"
    } else {
        exe.as_str()
    };
    let runs = |path: &str| {
        let path = Path::new(path);
        if path.components().count() > 1 {
            is_program(path)
        } else {
            path.to_str().and_then(find_program).is_some()
        }
    };
    checks.extend(inspect(&Found {
        layers: &layers,
        program,
        claude: claude.as_deref(),
        version: version.as_deref(),
        waited: hangs.then_some(PATIENCE),
        runs: &runs,
    }));
    match (&claude, args.no_canary) {
        (Some(_), false) if hangs => checks.push(Check {
            name: "canary",
            status: Status::Warn,
            detail: "not tried: the program does not even tell its version".to_owned(),
            mend: "mend that first, then run `proctor doctor` again".to_owned(),
        }),
        (Some(claude), false) => checks.push(sing(claude, &project)),
        _ => {}
    }
    let worst = checks.iter().map(|c| c.status).max().unwrap_or(Status::Ok);
    if args.json {
        let rows: Vec<_> = checks
            .iter()
            .map(|c| {
                serde_json::json!({
                    "name": c.name, "status": word(c.status), "detail": c.detail,
                    "mend": if c.mend.is_empty() { None } else { Some(&c.mend) },
                })
            })
            .collect();
        output::json(&serde_json::json!({ "status": word(worst), "checks": rows }));
    } else {
        for check in &checks {
            output::line(&format!(
                "{:<5} {:<10} {}",
                word(check.status),
                check.name,
                check.detail
            ));
            if !check.mend.is_empty() {
                output::line(&format!("{:16} → {}", "", check.mend));
            }
        }
    }
    // A canary that showed nothing is neither good nor bad news.
    let silent = checks
        .iter()
        .any(|c| c.name == "canary" && c.status == Status::Warn);
    Ok(match worst {
        Status::Fail => Exit::Blocked,
        _ if silent => Exit::CouldNotRun,
        _ => Exit::Pass,
    })
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Warn => "warn",
        Status::Fail => "FAIL",
    }
}

/// Policy, state folder and gates of this place.
fn state_checks(environment: &Environment) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    let mut add = |name, status, detail: String, mend: &str| {
        checks.push(Check {
            name,
            status,
            detail,
            mend: mend.to_owned(),
        });
    };
    let mut surroundings = environment.surroundings(None)?;
    surroundings.cwd = project_root(environment)?;
    let engine = Engine::open(surroundings, ProcessClock::from_env());

    let folder = project_root(environment)?.join(".proctor");
    let sources = proctor_policy::Sources::read(environment.user_policy().as_deref(), Some(&folder));
    let mut resolved = examine(&sources);
    resolved.problems.extend(proctor_policy::Sources::strays(&folder));
    match resolved.problems.first() {
        None => add(
            "policy",
            Status::Ok,
            format!("in order, preset {}", resolved.settings.preset.as_str()),
            "",
        ),
        Some(problem) => {
            let status = if resolved.is_valid() {
                Status::Warn
            } else {
                Status::Fail
            };
            let more = match resolved.problems.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let detail = format!("{}: {}{more}", problem.place(), problem.message);
            add("policy", status, detail, "run `proctor config validate`");
        }
    }
    if !engine.settings().enabled {
        let mend = "set `enforcement.enabled: true`, or leave it as it is on purpose";
        add(
            "policy",
            Status::Warn,
            "the master switch is off: no gate runs".to_owned(),
            mend,
        );
    }
    match engine.store() {
        Ok(store) => {
            let root = store.root().display();
            let blocked = proctor_ledger::blocked_by(store.root());
            match store.presence() {
                _ if let Some(file) = blocked => {
                    let detail = format!("{} is no folder: nothing can be recorded", file.display());
                    let mend = "move it away, or let a human's `proctor review release` set it aside";
                    add("state", Status::Fail, detail, mend);
                }
                proctor_ledger::Presence::Present => match engine.reviews_gone() {
                    Ok(None) => add("state", Status::Ok, root.to_string(), ""),
                    Ok(Some(what)) => {
                        let detail = format!("{root}: records of reviews are gone: {what}");
                        let mend = "look with `proctor fsck`; what stands is said by the next `proctor review approve` or `release` of a human";
                        add("state", Status::Warn, detail, mend);
                    }
                    Err(error) => {
                        let mend = error.hints().first().cloned().unwrap_or_default();
                        add("state", Status::Fail, error.to_string(), &mend);
                    }
                },
                proctor_ledger::Presence::New => {
                    let folder = store.root().parent().unwrap_or(store.root()).display();
                    add(
                        "state",
                        Status::Ok,
                        format!("none yet: the first event makes it in {folder}"),
                        "",
                    );
                }
                proctor_ledger::Presence::Missing => {
                    let detail =
                        format!("{root} is gone although this clone had one: the record is incomplete");
                    add(
                        "state",
                        Status::Warn,
                        detail,
                        "find out who removed it; the next event makes a new one",
                    );
                }
            }
        }
        Err(error) => {
            let mend = error.hints().first().cloned().unwrap_or_default();
            add("state", Status::Fail, error.to_string(), &mend);
        }
    }
    let level = engine.settings().review.level;
    match engine.checks_trust() {
        ChecksTrust::Nothing | ChecksTrust::Own => {}
        ChecksTrust::Trusted => add(
            "trust",
            Status::Ok,
            "the repository's checks are trusted: Proctor may run them".to_owned(),
            "",
        ),
        ChecksTrust::Untrusted if level >= ReviewLevel::Rerun => add(
            "trust",
            Status::Warn,
            format!(
                "level `{}` runs the repository's checks, and nobody has trusted them: they are off, and nothing can be approved",
                level.as_str()
            ),
            "look at them with `proctor trust --show`, then run `proctor trust`",
        ),
        ChecksTrust::Untrusted => add(
            "trust",
            Status::Ok,
            "the repository's checks are not trusted: Proctor does not run them by itself".to_owned(),
            "",
        ),
    }
    let own = environment.user_policy();
    checks.extend(super::doctor_git::signers(
        &engine.settings().approval,
        own.as_deref(),
    ));
    checks.extend(engine.repo().and_then(super::doctor_git::push_hook));
    checks.extend(unjudged(&engine));
    for (gate, failures, why) in engine.breakers().failing() {
        let detail = format!("the {gate} gate failed {failures} time(s) lately: {why}");
        checks.push(Check {
            name: "gates",
            status: Status::Warn,
            detail,
            mend: "`proctor explain last` in a session shows the circumstances".to_owned(),
        });
    }
    Ok(checks)
}

/// Days for which an event that could not be judged is told.
const DAYS: u64 = 7;

/// Events of late that could not be judged at all.
fn unjudged(engine: &Engine<ProcessClock>) -> Option<Check> {
    let since = engine.clock().now().saturating_sub(DAYS * 86_400_000);
    let mut all = engine.unjudged().ok()?;
    all.retain(|noted| noted.millis >= since);
    let last = all.last()?;
    let event = last.what.event.as_deref().unwrap_or("an unknown event");
    Some(Check {
        name: "events",
        status: Status::Warn,
        detail: format!(
            "{} could not be judged in the last {DAYS} days; the last at {}, {}: {}",
            all.len(),
            last.at,
            shown(event),
            shown(&last.what.why)
        ),
        mend: format!("`proctor explain {}` shows it", last.id),
    })
}

/// How many seconds a host's program has to tell its version; one takes less than a second.
const PATIENCE: u64 = 8;

/// What a host's program says of its version.
pub(crate) enum Told {
    Version(String),
    /// It failed, or did not end in time.
    Nothing {
        hangs: bool,
    },
}

/// Asks a host's program for its version.
pub(crate) fn version_of(claude: &Path) -> Told {
    let run = proctor_worktree::Command::new(claude.as_os_str())
        .arg("--version")
        .timeout(Duration::from_secs(PATIENCE))
        .run();
    match run {
        Ok(run) if run.is_success() => Told::Version(String::from_utf8_lossy(&run.stdout).trim().to_owned()),
        run => Told::Nothing {
            hangs: run.is_ok_and(|run| run.timed_out),
        },
    }
}

/// Starts the host once with a prompt that Proctor's hook must refuse.
fn sing(claude: &Path, project: &PathBuf) -> Check {
    let token = ProcessClock::from_env().id().to_string();
    let canary = canary(claude, &token);
    let mut command = proctor_worktree::Command::new(canary.program.as_os_str())
        .args(&canary.args)
        .cwd(project)
        .timeout(Duration::from_secs(canary.seconds));
    for (name, value) in &canary.env {
        command = command.env(name, value);
    }
    match command.run() {
        Ok(run) => read_canary(
            &CanaryRun {
                stdout: &String::from_utf8_lossy(&run.stdout),
                stderr: &String::from_utf8_lossy(&run.stderr),
                timed_out: run.timed_out,
            },
            &token,
        ),
        Err(error) => Check {
            name: "canary",
            status: Status::Warn,
            detail: format!("Claude Code cannot be started: {error}"),
            mend: "name the program with --claude".to_owned(),
        },
    }
}
