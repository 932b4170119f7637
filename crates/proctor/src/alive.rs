//! Whether a process that began something is still there to end it.

use crate::caller::stat;
use proctor_engine::Processes;
use proctor_kernel::{Digest, Running};
use std::path::Path;

/// What this machine tells of processes.
pub(crate) const PROCESSES: Processes = Processes {
    own: || own(Path::new("/proc")),
    runs: |process| runs(Path::new("/proc"), process),
};

/// This process. `None` where the system does not tell, as outside of Linux.
fn own(proc: &Path) -> Option<Running> {
    let pid = std::process::id();
    Some(Running {
        pid,
        started: stat(proc, pid)?.started,
        within: within(proc)?,
    })
}

/// Whether a process still runs. Of another start of the machine, another machine or another space of process numbers
/// (a container) nothing can be told here, nor where the system shows no processes of others.
fn runs(proc: &Path, process: &Running) -> Option<bool> {
    if within(proc)? != process.within {
        return None;
    }
    match stat(proc, process.pid) {
        Some(stat) => Some(stat.started == process.started && !matches!(stat.state, 'Z' | 'X')),
        None => stat(proc, 1).map(|_| false),
    }
}

/// What the numbers of processes mean here. Only a digest of it: records travel.
fn within(proc: &Path) -> Option<String> {
    let boot = std::fs::read_to_string(proc.join("sys/kernel/random/boot_id")).ok()?;
    let space = std::fs::read_link(proc.join("self/ns/pid")).ok()?;
    let both = format!("{}\n{}", boot.trim(), space.display());
    Some(Digest::of(both.as_bytes()).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn machine(boot: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("sys/kernel/random")).unwrap();
        fs::write(dir.path().join("sys/kernel/random/boot_id"), boot).unwrap();
        fs::create_dir_all(dir.path().join("self/ns")).unwrap();
        std::os::unix::fs::symlink("pid:[1]", dir.path().join("self/ns/pid")).unwrap();
        dir
    }

    fn process(dir: &tempfile::TempDir, pid: u32, state: char, started: u64) {
        let folder = dir.path().join(pid.to_string());
        fs::create_dir_all(&folder).unwrap();
        let between = "0 ".repeat(17);
        fs::write(
            folder.join("stat"),
            format!("{pid} (x) {state} 1 {between}{started} 0\n"),
        )
        .unwrap();
    }

    #[test]
    fn a_process_is_known_by_its_number_and_its_start() {
        let dir = machine("boot-1\n");
        let asked = Running {
            pid: 7,
            started: 40,
            within: within(dir.path()).unwrap(),
        };
        let tells = || runs(dir.path(), &asked);
        assert_eq!(tells(), None, "no process is shown at all");
        process(&dir, 1, 'S', 1);
        assert_eq!(tells(), Some(false));
        process(&dir, 7, 'S', 40);
        assert_eq!(tells(), Some(true));
        process(&dir, 7, 'Z', 40);
        assert_eq!(tells(), Some(false), "it has ended");
        process(&dir, 7, 'R', 41);
        assert_eq!(tells(), Some(false), "another one has its number");
        fs::write(dir.path().join("sys/kernel/random/boot_id"), "boot-2\n").unwrap();
        assert_eq!(tells(), None, "the machine was started anew");
    }

    #[test]
    fn this_process_runs() {
        // Only where /proc tells it, as on Linux.
        if let Some(own) = own(Path::new("/proc")) {
            assert_eq!(runs(Path::new("/proc"), &own), Some(true));
        }
    }
}
