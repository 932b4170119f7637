//! What `proctor doctor` says of signatures and of git's own hook.

use super::init::is_program;
use super::init_git::{can_run, noted_hook};
use proctor_engine::signing::{own_signers_file, read_signers};
use proctor_hosts::claude::doctor::{Check, Status};
use proctor_hosts::files;
use proctor_hosts::git::{PushHook, push_hook_state};
use proctor_policy::ApprovalSettings;
use proctor_worktree::Repo;
use std::path::Path;

fn check(name: &'static str, status: Status, detail: String, mend: &str) -> Check {
    Check {
        name,
        status,
        detail,
        mend: mend.to_owned(),
    }
}

/// Whether approvals can be signed and believed: who may sign stands in a list that nobody else may write.
pub(super) fn signers(approval: &ApprovalSettings, own: Option<&Path>) -> Option<Check> {
    const NAME: &str = "signers";
    if !approval.signed && approval.signers.is_empty() {
        return None;
    }
    let Some(path) = own_signers_file(own, &approval.signers) else {
        let detail = "the policy wants signed approvals, and your own policy names no list of allowed signers: no approval counts here";
        let mend = "put a list beside your own policy file and name it there: `enforcement: { approval: { signers: allowed_signers } }`";
        return Some(check(NAME, Status::Warn, detail.to_owned(), mend));
    };
    let shown = path.display();
    let signers = match read_signers(&path) {
        Ok(signers) => signers,
        Err(error) => {
            let detail = format!("{error}: no signature counts here");
            let mend = "write one line for each who may sign: `NAME namespaces=\"proctor\" KEY`, as ssh-keygen(1) says";
            return Some(check(NAME, Status::Fail, detail, mend));
        }
    };
    if let Some(who) = writable(&path) {
        let detail = format!("{who} can be written by others, who can so say who may sign");
        return Some(check(
            NAME,
            Status::Fail,
            detail,
            "take that right away: `chmod go-w`",
        ));
    }
    let text = String::from_utf8_lossy(&signers.bytes);
    let names = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .count();
    Some(match names {
        0 => {
            let detail = format!("{shown} names nobody: no signature counts here");
            let mend = "write one line for each who may sign: `NAME namespaces=\"proctor\" KEY`, as ssh-keygen(1) says";
            check(NAME, Status::Warn, detail, mend)
        }
        1 => check(NAME, Status::Ok, format!("{shown} names one who may sign"), ""),
        n => check(NAME, Status::Ok, format!("{shown} names {n} who may sign"), ""),
    })
}

/// The file or the folder that others may write: who may write the folder may put another file there.
#[cfg(unix)]
fn writable(path: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    // Where a link leads counts, not where it stands.
    let real = path.canonicalize().ok()?;
    let folder = real.parent()?.to_owned();
    [real, folder].iter().find_map(|place| {
        let mode = std::fs::metadata(place).ok()?.permissions().mode();
        // In a folder with the sticky bit nobody can take away what is another's.
        let kept = place.is_dir() && mode & 0o1000 != 0;
        (mode & 0o022 != 0 && !kept).then(|| place.display().to_string())
    })
}

#[cfg(not(unix))]
fn writable(_path: &Path) -> Option<String> {
    None
}

/// Whether the hook that `init --pre-push` installed is still what it was. Where it never was, nothing is said.
pub(super) fn push_hook(repo: &Repo) -> Option<Check> {
    const NAME: &str = "pre-push";
    const AGAIN: &str =
        "`proctor init --pre-push` puts it there again, `proctor uninstall --pre-push` forgets it";
    let (noted, path) = noted_hook(repo)?;
    let shown = path.display();
    let text = match files::read(&path) {
        Ok(text) => text,
        Err(error) => return noted.then(|| check(NAME, Status::Fail, error.to_string(), AGAIN)),
    };
    let fail = |detail: String, mend: &str| Some(check(NAME, Status::Fail, detail, mend));
    match push_hook_state(text.as_deref()) {
        PushHook::Missing if noted => fail(
            format!(
                "git's hook is gone, or git looks elsewhere now: there is no {shown}, so pushes are not verified"
            ),
            AGAIN,
        ),
        PushHook::Replaced if noted => fail(
            format!("{shown} is another hook now, without Proctor's part: pushes are not verified"),
            AGAIN,
        ),
        PushHook::Missing | PushHook::Replaced => None,
        PushHook::Altered => fail(
            format!(
                "{shown} is not as Proctor wrote it: its part was changed, or something stands in front of it"
            ),
            AGAIN,
        ),
        PushHook::Whole(_) if !can_run(&path) => fail(
            format!("git does not run {shown}: it is not executable, so pushes are not verified"),
            "`chmod +x` it",
        ),
        PushHook::Whole(program) if program.contains('/') && !is_program(Path::new(&program)) => fail(
            format!("{shown} starts {program}, which is no program any more: every push is refused"),
            AGAIN,
        ),
        PushHook::Whole(_) => Some(check(
            NAME,
            Status::Ok,
            format!("{shown} verifies what is pushed"),
            "",
        )),
    }
}
