//! `proctor init --pre-push`, `proctor init --ci`: git's own hook and the forge's workflow, and out again.

use crate::cli::Ci;
use crate::environment::Environment;
use crate::output;
use proctor_hosts::files;
use proctor_hosts::git::{Plan, Source, push_hook, push_hook_removal, workflow, workflow_removal};
use proctor_kernel::{Error, ErrorKind, Result};
use proctor_worktree::Repo;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What is to be installed or removed.
pub(crate) struct Wanted<'a> {
    pub(crate) pre_push: bool,
    pub(crate) ci: Option<Ci>,
    pub(crate) dry_run: bool,
    /// The folder of hooks may serve other repositories, too.
    pub(crate) everywhere: bool,
    /// The program that the hook starts.
    pub(crate) program: String,
    /// Where CI gets the program from.
    pub(crate) source: Option<&'a str>,
}

/// One file, with what becomes of it.
pub(crate) struct Done {
    path: PathBuf,
    plan: Plan,
    written: bool,
}

/// Installs.
pub(crate) fn install(environment: &Environment, wanted: &Wanted<'_>) -> Result<Vec<Done>> {
    let source = match (wanted.ci, wanted.source) {
        (Some(_), None) => {
            return Err(
                Error::new(ErrorKind::Input, "CI has to build a pinned version of Proctor")
                    .hint("--source URL#COMMIT: the repository of Proctor and the full id of a commit"),
            );
        }
        (Some(_), Some(source)) => Some(Source::parse(source)?),
        (None, _) => None,
    };
    change(environment, wanted, false, |old, is_hook| {
        match (&source, is_hook) {
            (_, true) => push_hook(old, &wanted.program),
            (Some(source), false) => workflow(old, source),
            (None, false) => Err(Error::new(ErrorKind::Internal, "no source for CI")),
        }
    })
}

/// Removes what [`install`] put there, and nothing else.
pub(crate) fn remove(environment: &Environment, wanted: &Wanted<'_>) -> Result<Vec<Done>> {
    change(environment, wanted, true, |old, is_hook| {
        if is_hook {
            Ok(push_hook_removal(old))
        } else if old.is_none() {
            Ok(push_hook_removal(None))
        } else {
            workflow_removal(old)
        }
    })
}

fn change(
    environment: &Environment,
    wanted: &Wanted<'_>,
    removing: bool,
    plan: impl Fn(Option<&str>, bool) -> Result<Plan>,
) -> Result<Vec<Done>> {
    let repo = Repo::discover(&environment.cwd)?.ok_or_else(|| {
        Error::new(ErrorKind::Input, "this is no git repository").hint("run it inside of one")
    })?;
    let mut places = Vec::new();
    if wanted.pre_push {
        places.push((hook_file(&repo, wanted.everywhere)?, true));
    }
    if wanted.ci.is_some() {
        let root = repo.root().unwrap_or(&environment.cwd);
        places.push((root.join(".github/workflows/proctor.yml"), false));
    }
    let mut planned = Vec::new();
    for (path, is_hook) in places {
        let old = files::read(&path)?;
        if is_hook && !removing && old.is_some() && !can_run(&path) {
            return Err(Error::new(
                ErrorKind::Config,
                format!("git does not run {}: it is not executable", path.display()),
            )
            .hint("make it executable (`chmod +x`) or take it away, and try again"));
        }
        let plan = plan(old.as_deref(), is_hook).map_err(|e| super::init::named(&path, &e))?;
        planned.push((path, is_hook, old, plan));
    }
    // Everything is planned before anything is written.
    let mut done = Vec::new();
    for (path, is_hook, old, plan) in planned {
        let written = plan.changed && !wanted.dry_run;
        if written {
            write(&path, old.as_deref(), &plan, is_hook, removing)?;
        }
        done.push(Done { path, plan, written });
    }
    if wanted.pre_push && !wanted.dry_run {
        // So that `doctor` misses it when it is gone.
        repo.configure(NOTED, (!removing).then_some("true"))?;
    }
    Ok(done)
}

/// The key of the clone's configuration (`proctor.…`) that says that there is a hook of ours.
const NOTED: &str = "prepush";

/// Whether git's hook of ours was installed in this clone, as far as it is noted, and where it stands.
pub(crate) fn noted_hook(repo: &Repo) -> Option<(bool, PathBuf)> {
    let noted = repo.configured(&format!("proctor.{NOTED}"), false, false).ok()?;
    let path = repo.hooks_folder().ok()?.join("pre-push");
    Some((noted.as_deref() == Some("true"), path))
}

/// Whether git would start a hook; where there are no such modes, it does.
pub(super) fn can_run(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|m| m.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        true
    }
}

fn write(path: &Path, old: Option<&str>, plan: &Plan, is_hook: bool, removing: bool) -> Result<()> {
    let failed = |e| Error::new(ErrorKind::Config, format!("cannot change {}", path.display())).because(e);
    let Some(text) = &plan.new_text else {
        return std::fs::remove_file(path).map_err(failed);
    };
    files::write(path, old, text, removing)?;
    #[cfg(unix)]
    if is_hook && old.is_none() {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).map_err(failed)?;
    }
    Ok(())
}

/// Git's hook, wherever `core.hooksPath` leads. A folder outside the repository serves other repositories too.
fn hook_file(repo: &Repo, everywhere: bool) -> Result<PathBuf> {
    let folder = repo.hooks_folder()?;
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let inside = [Some(repo.common_dir()), repo.root()]
        .into_iter()
        .flatten()
        .any(|place| real(&folder).starts_with(real(place)));
    if !inside && !everywhere {
        return Err(Error::new(
            ErrorKind::Config,
            format!(
                "git looks for hooks in {}, which serves other repositories too",
                folder.display()
            ),
        )
        .hint("`--scope user` installs it there all the same; or set core.hooksPath for this repository"));
    }
    Ok(folder.join("pre-push"))
}

/// Says what was done.
pub(crate) fn describe(done: &[Done], dry_run: bool) {
    for Done { path, plan, .. } in done {
        output::print(&plan.diff);
        let what = match (plan.changed, &plan.new_text, dry_run) {
            (false, _, _) => "nothing to change",
            (true, _, true) => "would change; nothing was written",
            (true, Some(_), false) => "written",
            (true, None, false) => "removed",
        };
        output::line(&format!("{}: {what}", path.display()));
    }
}

/// The same as data.
pub(crate) fn data(done: &[Done]) -> Vec<Value> {
    let one = |d: &Done| json!({ "file": d.path, "changed": d.plan.changed, "written": d.written, "diff": d.plan.diff });
    done.iter().map(one).collect()
}
