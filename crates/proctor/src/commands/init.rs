//! `proctor init` and `proctor uninstall`: Proctor's hooks in a host's settings, and out again.

use super::doctor::{Told, version_of};
use super::init_git::{self, Wanted};
use crate::cli::{InitArgs, PresetName, Scope, UninstallArgs};
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_hosts::claude::doctor::{FLOORS, Status, Version};
use proctor_hosts::claude::install::{self, Options};
use proctor_hosts::files;
use proctor_kernel::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &InitArgs) -> Result<Exit> {
    let environment = Environment::read(args.home.clone());
    if args.pre_push || args.ci.is_some() {
        let wanted = Wanted {
            pre_push: args.pre_push,
            ci: args.ci,
            dry_run: args.dry_run,
            everywhere: args.scope == Scope::User,
            program: match &args.program {
                Some(program) => program.display().to_string(),
                None => own_program(Scope::User)?,
            },
            source: args.source.as_deref(),
        };
        report_git(
            &init_git::install(&environment, &wanted)?,
            args.dry_run,
            args.json,
        );
        if args.host.is_none() {
            return Ok(Exit::Pass);
        }
    }
    let settings = settings_file(&environment, args.scope)?;
    let program = match &args.program {
        Some(program) => program.display().to_string(),
        None => own_program(args.scope)?,
    };
    refuse_old_host()?;
    let old = files::read(&settings)?;
    let plan =
        install::plan(old.as_deref(), &program, Options::default()).map_err(|e| named(&settings, &e))?;
    let policy = args.preset.map(|preset| policy_file(&environment, preset));
    let (policy, kept) = match policy.transpose()? {
        Some((path, _)) if path.exists() => (None, Some(path)),
        policy => (policy, None),
    };
    let mut backup = None;
    if !args.dry_run {
        if plan.changed {
            backup = files::write(&settings, old.as_deref(), &plan.new_text, false)?.backup;
        }
        if let Some((path, text)) = &policy {
            files::write(path, None, text, false)?;
        }
    }
    if args.json {
        output::json(&serde_json::json!({
            "settings": settings, "changed": plan.changed, "dry_run": args.dry_run, "diff": plan.diff,
            "policy": policy.as_ref().map(|(path, _)| path), "policy_kept": kept, "backup": backup,
        }));
        return Ok(Exit::Pass);
    }
    output::print(&plan.diff);
    let settings_name = settings.display();
    match (plan.changed, args.dry_run) {
        (false, _) => output::line(&format!(
            "{settings_name}: nothing to change, the hooks are there"
        )),
        (true, true) => output::line(&format!("{settings_name}: would change; nothing was written")),
        (true, false) => output::line(&format!("{settings_name}: hooks written")),
    }
    if let Some(backup) = backup {
        output::line(&format!(
            "the file as it was before is kept as {}",
            backup.display()
        ));
    }
    if let Some((path, text)) = &policy {
        let verb = if args.dry_run {
            "would be written"
        } else {
            "written"
        };
        output::line(&format!("{}: {verb}", path.display()));
        if args.dry_run {
            output::print(text);
        }
    }
    if let Some(path) = kept {
        output::line(&format!("{}: is there already; its preset stays", path.display()));
    }
    if args.scope == Scope::Project && plan.changed {
        output::line(&shared(&program));
    }
    if !args.dry_run {
        output::line(
            "next: `proctor doctor` proves that a hook fires; a running session has to be started anew",
        );
    }
    Ok(Exit::Pass)
}

/// What hooks in settings that are shared mean for others.
fn shared(program: &str) -> String {
    if program == "proctor" {
        return "shared through git: without `proctor` on their PATH, others who work here have their tool calls refused by \
                Claude Code (`--scope local` or `--scope user` guards you alone)"
            .to_owned();
    }
    format!(
        "shared through git, but the hooks start {program}, which only this machine has: others who work here have their \
         tool calls refused by Claude Code. With this `proctor` on your PATH the entries name no path: run it again then; \
         or guard yourself alone (`--scope local` or `--scope user`, after `proctor uninstall`)"
    )
}

fn report_git(done: &[init_git::Done], dry_run: bool, as_json: bool) {
    if as_json {
        output::json(&serde_json::json!({ "files": init_git::data(done), "dry_run": dry_run }));
    } else {
        init_git::describe(done, dry_run);
    }
}

pub(crate) fn uninstall(args: &UninstallArgs) -> Result<Exit> {
    let environment = Environment::read(args.home.clone());
    if args.pre_push || args.ci.is_some() {
        let wanted = Wanted {
            pre_push: args.pre_push,
            ci: args.ci,
            dry_run: args.dry_run,
            everywhere: args.scope == Scope::User,
            program: String::new(),
            source: None,
        };
        report_git(&init_git::remove(&environment, &wanted)?, args.dry_run, args.json);
        if args.host.is_none() {
            return Ok(Exit::Pass);
        }
    }
    let settings = settings_file(&environment, args.scope)?;
    let Some(text) = files::read(&settings)? else {
        if args.json {
            output::json(&serde_json::json!({ "settings": settings, "changed": false }));
        } else {
            output::line(&format!("{}: there is no such file", settings.display()));
        }
        return Ok(Exit::Pass);
    };
    let plan = install::removal(&text).map_err(|e| named(&settings, &e))?;
    let mut backup = None;
    if !args.dry_run && plan.changed {
        backup = files::write(&settings, Some(&text), &plan.new_text, true)?.backup;
    }
    if args.json {
        output::json(&serde_json::json!({
            "settings": settings, "changed": plan.changed, "dry_run": args.dry_run, "diff": plan.diff, "backup": backup,
        }));
        return Ok(Exit::Pass);
    }
    output::print(&plan.diff);
    let what = match (plan.changed, args.dry_run) {
        (false, _) => "no hook of Proctor's is in there",
        (true, true) => "would change; nothing was written",
        (true, false) => "Proctor's hooks are out",
    };
    output::line(&format!("{}: {what}", settings.display()));
    Ok(Exit::Pass)
}

/// Hooks in exec form are not known to old versions of the host: they would start `proctor` without
/// arguments, and its exit status for wrong use would be taken for a refusal of everything.
fn refuse_old_host() -> Result<()> {
    let Some(claude) = find_program("claude") else {
        return Ok(());
    };
    let Told::Version(output) = version_of(&claude) else {
        return Ok(());
    };
    let lacking = FLOORS.iter().find(|(floor, status, _)| {
        *status == Status::Fail && Version::parse(&output).is_some_and(|version| version < *floor)
    });
    match lacking {
        Some((Version(a, b, c), _, what)) => Err(Error::new(
            ErrorKind::Host,
            format!("Claude Code {output} is too old: {what}"),
        )
        .hint(format!("update it to {a}.{b}.{c} or newer (`claude update`)"))),
        None => Ok(()),
    }
}

/// The error with the file that it is about.
pub(crate) fn named(file: &Path, error: &Error) -> Error {
    let named = Error::new(error.kind(), format!("{}: {error}", file.display()));
    error.hints().iter().fold(named, |e, hint| e.hint(hint.clone()))
}

/// The settings file of a scope.
fn settings_file(environment: &Environment, scope: Scope) -> Result<PathBuf> {
    match scope {
        Scope::User => Ok(environment.claude_config()?.join("settings.json")),
        Scope::Project => Ok(project_root(environment)?.join(".claude/settings.json")),
        Scope::Local => Ok(project_root(environment)?.join(".claude/settings.local.json")),
    }
}

/// The root of the work tree, or the current folder outside git.
pub(crate) fn project_root(environment: &Environment) -> Result<PathBuf> {
    let repo = proctor_worktree::Repo::discover(&environment.cwd)?;
    Ok(repo
        .as_ref()
        .and_then(|r| r.root())
        .unwrap_or(&environment.cwd)
        .to_owned())
}

/// What hooks should start. Project settings are shared through git, so they get the bare name when
/// that is this program; the user's own settings get the path.
pub(crate) fn own_program(scope: Scope) -> Result<String> {
    let exe = std::env::current_exe()
        .and_then(|p| p.canonicalize())
        .map_err(|e| Error::new(ErrorKind::Internal, "cannot find this program's own path").because(e))?;
    if scope == Scope::Project && find_program("proctor").is_some_and(|found| found == exe) {
        return Ok("proctor".to_owned());
    }
    exe.to_str().map(str::to_owned).ok_or_else(|| {
        Error::new(ErrorKind::Config, "the path of this program is not UTF-8")
            .hint("name another one with --program")
    })
}

/// A program on the search path, with links resolved.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    on_path(name)?.canonicalize().ok()
}

/// The path under which a program stands on PATH, absolute, with links as they are.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path)
        .map(|dir| dir.join(name))
        .find(|p| is_program(p))?;
    std::path::absolute(found).ok()
}

/// Whether a path is a file that can be run.
pub(crate) fn is_program(path: &Path) -> bool {
    let Ok(meta) = path.metadata() else { return false };
    #[cfg(unix)]
    let runs = std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = true;
    meta.is_file() && runs
}

/// The project's policy file with a preset.
fn policy_file(environment: &Environment, preset: PresetName) -> Result<(PathBuf, String)> {
    let preset = match preset {
        PresetName::Observe => "observe",
        PresetName::Standard => "standard",
        PresetName::Strict => "strict",
    };
    let text = format!(
        "# Proctor's policy for this project. All keys: `proctor config show`, `proctor config schema`.\n\
         version: 1\npreset: {preset}\n"
    );
    Ok((project_root(environment)?.join(".proctor/proctor.yaml"), text))
}
