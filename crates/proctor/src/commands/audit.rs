//! `proctor audit`: old transcripts through the gates.

use crate::cli::AuditArgs;
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use indicatif::{ProgressBar, ProgressStyle};
use proctor_audit::{Options, Progress, run as audit};
use proctor_engine::Clock;
use proctor_kernel::{Error, ErrorKind, Result};
use proctor_policy::{Settings, Sources, resolve};
use std::io::IsTerminal;
use std::path::Path;

pub(crate) fn run(args: &AuditArgs) -> Result<Exit> {
    let mut options = Options::new(settings(args));
    options.limit_examples = args.examples;
    options.quotes = !args.no_quotes;
    options.generated_at = Some(proctor_ledger::format_millis(ProcessClock::from_env().now()));
    let report = if std::io::stderr().is_terminal() {
        audit(&args.paths, &options, &mut Bar::new())?
    } else {
        audit(&args.paths, &options, &mut ())?
    };
    if let Some(file) = &args.html {
        std::fs::write(file, report.to_html()).map_err(|e| {
            Error::new(ErrorKind::Store, format!("cannot write {}", file.display())).because(e)
        })?;
        output::complain(&format!("wrote {}", file.display()));
    }
    if args.json {
        output::json(&report);
    } else {
        let terminal = std::io::stdout().is_terminal();
        let width = std::env::var("COLUMNS")
            .ok()
            .and_then(|c| c.parse().ok())
            .unwrap_or(100);
        output::print(&report.to_text(width, terminal && std::env::var_os("NO_COLOR").is_none()));
    }
    if report.sessions.is_empty() {
        output::complain("nothing to audit: no transcript was found there");
        return Ok(Exit::CouldNotRun);
    }
    Ok(Exit::Pass)
}

/// Thresholds and word lists count; modes do not.
fn settings(args: &AuditArgs) -> Settings {
    let environment = Environment::read(None);
    let sources = match &args.policy {
        Some(dir) => Sources::read_policy_dir(dir),
        None => {
            let repo = proctor_worktree::Repo::discover(&environment.cwd).ok().flatten();
            let root = repo.as_ref().and_then(|r| r.root()).unwrap_or(&environment.cwd);
            Sources::read(environment.user_policy().as_deref(), Some(&root.join(".proctor")))
        }
    };
    let resolved = resolve(&sources);
    for problem in &resolved.problems {
        output::complain(&problem.render());
    }
    resolved.settings
}

/// A progress bar on standard error.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::no_length();
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta} {wide_msg}")
        {
            bar.set_style(style);
        }
        Self(bar)
    }
}

impl Progress for Bar {
    fn start(&mut self, _files: u64, bytes: u64) {
        self.0.set_length(bytes);
    }

    fn advance(&mut self, bytes: u64, file: &Path) {
        self.0.set_position(bytes);
        self.0.set_message(
            file.file_name()
                .map(|n| n.to_string_lossy().into_owned())
                .unwrap_or_default(),
        );
    }

    fn finish(&mut self) {
        self.0.finish_and_clear();
    }
}
