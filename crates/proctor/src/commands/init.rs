//! `proctor init` and `proctor uninstall`: Proctor's hooks in a host's settings, and out again.

use crate::cli::{InitArgs, PresetName, Scope, UninstallArgs};
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::{Clock, Engine};
use proctor_hosts::claude::doctor::{FLOORS, Status, Version};
use proctor_hosts::claude::install::{self, Options, Plan};
use proctor_kernel::{Error, ErrorKind, Result};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &InitArgs) -> Result<Exit> {
    let environment = Environment::read(args.home.clone());
    let settings = settings_file(&environment, args.scope)?;
    let program = match &args.program {
        Some(program) => program.display().to_string(),
        None => own_program(args.scope)?,
    };
    refuse_old_host()?;
    let plan = install::plan(read(&settings)?.as_deref(), &program, Options::default())?;
    let policy = args.preset.map(|preset| policy_file(&environment, preset));
    let policy = policy.transpose()?.filter(|(path, _)| !path.exists());
    let mut backup = None;
    if !args.dry_run {
        backup = apply(&environment, &settings, &plan)?;
        if let Some((path, text)) = &policy {
            write_atomic(path, text)?;
        }
    }
    if args.json {
        output::json(&serde_json::json!({
            "settings": settings, "changed": plan.changed, "dry_run": args.dry_run, "diff": plan.diff,
            "policy": policy.as_ref().map(|(path, _)| path), "backup": backup,
        }));
        return Ok(Exit::Pass);
    }
    output::print(&plan.diff);
    let settings_name = settings.display();
    match (plan.changed, args.dry_run) {
        (false, _) => output::line(&format!("{settings_name}: nothing to change, the hooks are there")),
        (true, true) => output::line(&format!("{settings_name}: would change; nothing was written")),
        (true, false) => output::line(&format!("{settings_name}: hooks written")),
    }
    if let Some(backup) = backup {
        output::line(&format!("the old file is kept as {}", backup.display()));
    }
    if let Some((path, text)) = &policy {
        let verb = if args.dry_run { "would be written" } else { "written" };
        output::line(&format!("{}: {verb}", path.display()));
        if args.dry_run {
            output::print(text);
        }
    }
    if !args.dry_run {
        output::line("next: `proctor doctor` proves that a hook fires; a running session has to be started anew");
    }
    Ok(Exit::Pass)
}

pub(crate) fn uninstall(args: &UninstallArgs) -> Result<Exit> {
    let environment = Environment::read(args.home.clone());
    let settings = settings_file(&environment, args.scope)?;
    let Some(text) = read(&settings)? else {
        if args.json {
            output::json(&serde_json::json!({ "settings": settings, "changed": false }));
        } else {
            output::line(&format!("{}: there is no such file", settings.display()));
        }
        return Ok(Exit::Pass);
    };
    let plan = install::removal(&text)?;
    let mut backup = None;
    if !args.dry_run {
        backup = apply(&environment, &settings, &plan)?;
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
    let Some(claude) = find_program("claude") else { return Ok(()) };
    let Some(output) = super::doctor::version_of(&claude) else { return Ok(()) };
    let lacking = FLOORS.iter().find(|(floor, status, _)| {
        *status == Status::Fail && Version::parse(&output).is_some_and(|version| version < *floor)
    });
    match lacking {
        Some((Version(a, b, c), _, what)) => {
            Err(Error::new(ErrorKind::Host, format!("Claude Code {output} is too old: {what}"))
                .hint(format!("update it to {a}.{b}.{c} or newer (`claude update`)")))
        }
        None => Ok(()),
    }
}

/// The settings file of a scope.
fn settings_file(environment: &Environment, scope: Scope) -> Result<PathBuf> {
    match scope {
        Scope::User => Ok(environment.claude_config()?.join("settings.json")),
        Scope::Project => Ok(project_root(environment)?.join(".claude/settings.json")),
    }
}

/// The root of the work tree, or the current folder outside git.
pub(crate) fn project_root(environment: &Environment) -> Result<PathBuf> {
    let repo = proctor_worktree::Repo::discover(&environment.cwd)?;
    Ok(repo.as_ref().and_then(|r| r.root()).unwrap_or(&environment.cwd).to_owned())
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
        Error::new(ErrorKind::Config, "the path of this program is not UTF-8").hint("name another one with --program")
    })
}

/// A program on the search path, with links resolved.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|p| is_program(p))?.canonicalize().ok()
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

/// A settings file's text; `None` when there is none.
pub(crate) fn read(path: &Path) -> Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::new(ErrorKind::Config, format!("cannot read {}", path.display())).because(e)),
    }
}

/// Writes what the plan wants; the old file is kept in the state folder. A file that only Proctor's
/// entries had made, and that is empty now, goes away.
fn apply(environment: &Environment, settings: &Path, plan: &Plan) -> Result<Option<PathBuf>> {
    if !plan.changed {
        return Ok(None);
    }
    let mut backup = None;
    if let Some(old) = &plan.old_text {
        let engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
        let name = format!("{}-settings.json", engine.clock().now());
        let path = engine.store()?.root().join("backups").join(name);
        write_atomic(&path, old)?;
        backup = Some(path);
    }
    if plan.empty && plan.new_text.trim() == "{}" {
        std::fs::remove_file(settings)
            .map_err(|e| Error::new(ErrorKind::Config, format!("cannot remove {}", settings.display())).because(e))?;
    } else {
        write_atomic(settings, &plan.new_text)?;
    }
    Ok(backup)
}

/// Writes a file so that a reader sees the old or the new text; a symbolic link stays one.
fn write_atomic(path: &Path, text: &str) -> Result<()> {
    let failed = |e: std::io::Error| {
        Error::new(ErrorKind::Config, format!("cannot write {}", path.display())).because(e)
    };
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    // A temporary file is private; settings keep the permissions they had.
    let permissions = target.metadata().map(|m| m.permissions());
    #[cfg(unix)]
    let permissions = permissions.unwrap_or_else(|_| std::os::unix::fs::PermissionsExt::from_mode(0o644));
    #[cfg(not(unix))]
    let permissions = permissions.map_err(failed)?;
    file.as_file().set_permissions(permissions).map_err(failed)?;
    file.persist(&target).map_err(|e| failed(e.error))?;
    Ok(())
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
