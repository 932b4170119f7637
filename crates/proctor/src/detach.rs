//! A reviewer that a hook starts, and that outlives the hook.
//!
//! A host ends a hook that takes too long with all processes below it (Claude Code 2.1.329: also those in a process
//! group or a session of their own). So the reviewer is started by a process that ends at once: then it stands below
//! nobody. The hook hears of its end by the pipe that it holds open.

use proctor_engine::Launched;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// The argument that asks for a process below nobody.
pub(crate) const FLAG: &str = "--detached";

/// The line of `proctor review run` after which follows what the work lacks, two blanks before each.
pub(crate) const LACKING: &str = "not approved: the approval lacks evidence:";

/// Most that is read of what a reviewer's process writes, in bytes.
const MOST: u64 = 1 << 20;

/// Starts `proctor review run` for a session, and waits for its end at most so long.
pub(crate) fn review(home: &Path, session: &str, wait: Duration) -> Launched {
    let own = match std::env::current_exe() {
        Ok(own) => own,
        Err(e) => return Launched::Failed(format!("this program cannot be found: {e}")),
    };
    let mut command = Command::new(own);
    command
        .args(["review", "run", FLAG, "--session", session])
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = match group_of_its_own(&mut command).spawn() {
        Ok(child) => child,
        Err(e) => return Launched::Failed(format!("it does not start: {e}")),
    };
    let Some(pipe) = child.stdout.take() else {
        return Launched::Failed("its output is not open".to_owned());
    };
    if !child.wait().is_ok_and(|status| status.success()) {
        return Launched::Failed("it does not start".to_owned());
    }
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _broken = pipe.take(MOST).read_to_end(&mut bytes);
        let _gone = send.send(bytes);
    });
    match receive.recv_timeout(wait) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            read(&text)
        }
        Err(_) => Launched::AtWork,
    }
}

/// What the output of `proctor review run` says.
fn read(text: &str) -> Launched {
    if let Some(why) = text.lines().find_map(|line| line.strip_prefix("error: ")) {
        return Launched::Failed(why.to_owned());
    }
    let mut lines = text.lines().skip_while(|line| *line != LACKING);
    if lines.next().is_none() {
        return Launched::Ended;
    }
    Launched::Lacking(
        lines
            .map_while(|line| line.strip_prefix("  "))
            .map(str::to_owned)
            .collect(),
    )
}

/// Starts this program once more with the same arguments but [`FLAG`], and leaves it alone. It is told which host
/// stands above this process, since it will see none.
///
/// # Errors
/// When it does not start.
pub(crate) fn start_again(host: Option<u32>) -> std::io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(std::env::args_os().skip(1).filter(|arg| arg != FLAG))
        .stdin(Stdio::null())
        .stdout(Stdio::inherit())
        .stderr(Stdio::from(std::io::stdout()));
    if let Some(host) = host {
        command.env("CLAUDE_PID", host.to_string());
    }
    group_of_its_own(&mut command).spawn().map(drop)
}

fn group_of_its_own(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_launch_says() {
        let lacks = |lines: &[&str]| Launched::Lacking(lines.iter().map(|l| (*l).to_owned()).collect());
        for (text, expected) in [
            ("", Launched::Ended),
            ("review 1 · approved · round 1", Launched::Ended),
            ("error: no host\n", Launched::Failed("no host".to_owned())),
            (
                "checked\nnot approved: the approval lacks evidence:\n  one\n  two\n\nrest\n  three\n",
                lacks(&["one", "two"]),
            ),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
