//! Who runs this command: a human at a terminal, an agent, or nobody can tell.
//!
//! An agent with a shell has the same user id as the human, so this is no proof; it makes the honest way
//! the easy one. A policy that needs proof asks for signed approvals. See `docs/THREAT_MODEL.md`.

use crate::interpreter::{agent_of, is_runtime, script_of};
use proctor_engine::review::{Party, PartyKind};
use proctor_kernel::Process;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// Programs that are agents, by the name of their process.
const AGENTS: [&str; 12] = [
    "claude",
    "codex",
    "gemini",
    "opencode",
    "cursor-agent",
    "copilot",
    "amp",
    "aider",
    "goose",
    "qwen",
    "crush",
    "droid",
];

/// Variables that agents set in the commands that they run, with the host's id.
const VARIABLES: [(&str, &str); 6] = [
    ("CLAUDECODE", "claude"),
    ("CLAUDE_CODE_SESSION_ID", "claude"),
    ("CODEX_THREAD_ID", "codex"),
    ("CODEX_SANDBOX", "codex"),
    ("GEMINI_CLI", "gemini"),
    ("OPENCODE", "opencode"),
];

/// Most ancestors that are looked at.
const DEEPEST: usize = 64;

fn set(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

fn variable() -> Option<&'static (&'static str, &'static str)> {
    VARIABLES.iter().find(|(name, _)| set(name).is_some())
}

/// Finds out who runs this process, and says why.
pub(crate) fn identify() -> (Party, String) {
    if let Some((name, host)) = variable() {
        let party = Party {
            kind: PartyKind::Agent,
            host: (*host).to_owned(),
            session: set("CLAUDE_CODE_SESSION_ID").unwrap_or_default(),
            above: agents_above(),
            ..Party::default()
        };
        return (party, format!("the variable {name} says that an agent runs this"));
    }
    let unknown = |why: &str| (Party::default(), why.to_owned());
    match ancestors(Path::new("/proc"), std::process::id()) {
        None => unknown("the processes above this one cannot be seen here"),
        Some(above) => {
            if let Some(agent) = above.iter().find(|p| p.agent) {
                let party = Party {
                    kind: PartyKind::Agent,
                    above: above.iter().filter(|p| p.agent).cloned().collect(),
                    ..Party::default()
                };
                return (party, format!("it runs below the agent program `{}`", agent.name));
            }
            if !std::io::stdin().is_terminal() {
                return unknown("no terminal: standard input is something else");
            }
            let party = Party {
                kind: PartyKind::Human,
                name: set("USER").or_else(|| set("LOGNAME")),
                ..Party::default()
            };
            (party, "a terminal that no agent stands above".to_owned())
        }
    }
}

/// The processes above this one, nearest first; none where they cannot be seen.
pub(crate) fn above() -> Vec<Process> {
    ancestors(Path::new("/proc"), std::process::id()).unwrap_or_default()
}

/// The search path of the host whose session this process belongs to, as it had it when it was started; `None` where no agent
/// runs this, or its environment cannot be seen. What a command line did to the path since is not in it.
///
/// The host is the nearest process above that does not show an agent's variable itself; without one, the outermost that is
/// called like an agent.
pub(crate) fn path_of_the_host() -> Option<OsString> {
    let above = above();
    let environment = |process: &Process| read_environment(Path::new("/proc"), process.pid);
    if variable().is_some() {
        let mut environments = above.iter().map_while(environment);
        let shows = |all: &[(Vec<u8>, OsString)]| {
            all.iter().any(|(name, _)| {
                VARIABLES
                    .iter()
                    .any(|(known, _)| known.as_bytes() == name.as_slice())
            })
        };
        let host = environments.find(|all| !shows(all));
        return path_in(host?);
    }
    path_in(environment(above.iter().rfind(|p| p.agent)?)?)
}

fn path_in(environment: Vec<(Vec<u8>, OsString)>) -> Option<OsString> {
    let path = environment.into_iter().find(|(name, _)| name == b"PATH");
    path.map(|(_, value)| value)
}

/// The variables with which a process was started; `None` where they cannot be read.
fn read_environment(proc: &Path, pid: u32) -> Option<Vec<(Vec<u8>, OsString)>> {
    let bytes = std::fs::read(proc.join(pid.to_string()).join("environ")).ok()?;
    let variables = bytes.split(|byte| *byte == 0).filter_map(|entry| {
        let at = entry.iter().position(|byte| *byte == b'=')?;
        let (name, value) = entry.split_at(at);
        Some((name.to_vec(), OsString::from_vec(value.get(1..)?.to_vec())))
    });
    Some(variables.collect())
}

fn agents_above() -> Vec<Process> {
    let mut above = above();
    above.retain(|p| p.agent);
    above
}

/// Whether this is an agent program, or an interpreter that runs one.
fn is_agent(name: &str, command: &str) -> bool {
    let is = |word: &str| {
        let name = Path::new(word)
            .file_name()
            .and_then(|n| n.to_str())
            .unwrap_or(word);
        let name = name
            .strip_suffix(".js")
            .or_else(|| name.strip_suffix(".exe"))
            .unwrap_or(name);
        AGENTS.contains(&name)
    };
    if is(name) || command.split('\0').take(2).any(is) {
        return true;
    }
    let words: Vec<&str> = command.split('\0').collect();
    let script = words.first().filter(|program| is_runtime(Path::new(program)));
    let script = script.and_then(|_| script_of(&words));
    script.is_some_and(|script| agent_of(Path::new(script)).is_some_and(|agent| AGENTS.contains(&agent)))
}

/// The processes above one, nearest first, up to the first one of the machine; `None` when the row breaks off.
fn ancestors(proc: &Path, pid: u32) -> Option<Vec<Process>> {
    let mut above = Vec::new();
    let mut pid = stat(proc, pid)?.parent;
    while pid > 1 {
        if above.len() >= DEEPEST {
            return None;
        }
        let folder: PathBuf = proc.join(pid.to_string());
        let name = std::fs::read_to_string(folder.join("comm"))
            .ok()?
            .trim()
            .to_owned();
        let command = std::fs::read(folder.join("cmdline")).ok()?;
        let Stat { parent, started, .. } = stat(proc, pid)?;
        above.push(Process {
            pid,
            started,
            agent: is_agent(&name, &String::from_utf8_lossy(&command)),
            name,
        });
        pid = parent;
    }
    Some(above)
}

/// What the system tells of a process.
pub(crate) struct Stat {
    /// A letter: `R` runs, `Z` has ended and was not asked for its end.
    pub(crate) state: char,
    /// The process above it.
    pub(crate) parent: u32,
    /// When it started, in ticks since the machine did.
    pub(crate) started: u64,
}

/// What is told of a process; `None` where nothing is.
pub(crate) fn stat(proc: &Path, pid: u32) -> Option<Stat> {
    let stat = std::fs::read_to_string(proc.join(pid.to_string()).join("stat")).ok()?;
    // The name stands in brackets and may hold anything, brackets and blanks too.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    let parent = fields.next()?.parse().ok()?;
    let started = fields.nth(17).and_then(|n| n.parse().ok()).unwrap_or(0);
    Some(Stat {
        state,
        parent,
        started,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(processes: &[(u32, u32, &str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (pid, parent, name, command) in processes {
            let folder = dir.path().join(pid.to_string());
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join("stat"), format!("{pid} ({name}) S {parent} 1 1")).unwrap();
            std::fs::write(folder.join("comm"), format!("{name}\n")).unwrap();
            std::fs::write(folder.join("cmdline"), command.replace(' ', "\0")).unwrap();
        }
        dir
    }

    fn agent_above(processes: &[(u32, u32, &str, &str)]) -> Option<bool> {
        let machine = machine(processes);
        ancestors(machine.path(), 9).map(|above| above.iter().any(|p| p.agent))
    }

    #[test]
    fn agents_above_are_seen() {
        let me = (9, 8, "proctor", "proctor review approve");
        let shell = (8, 7, "bash", "bash");
        assert_eq!(agent_above(&[me, shell, (7, 1, "sshd", "sshd: me")]), Some(false));
        assert_eq!(agent_above(&[me, shell, (7, 1, "claude", "claude")]), Some(true));
        let node = (7, 1, "node", "node /usr/lib/node_modules/.bin/gemini --yolo");
        assert_eq!(agent_above(&[me, shell, node]), Some(true));
        // The name of the file says nothing, that of its package does.
        let script = "/lib/node_modules/@anthropic-ai/claude-code/cli.js";
        for (command, seen) in [
            (format!("node --max-old-space-size=8192 {script}"), true),
            ("node -r ./a.js bin/claude".to_owned(), true),
            (format!("vim {script}"), false),
            ("node server.js claude".to_owned(), false),
        ] {
            let above = (7, 1, "tool", command.as_str());
            assert_eq!(agent_above(&[me, shell, above]), Some(seen), "{command}");
        }
        // A name with brackets and blanks hides nobody.
        assert_eq!(
            agent_above(&[me, (8, 7, "x) S 1 (", "x"), (7, 1, "codex", "codex")]),
            Some(true)
        );
        // An editor that has opened a file of that name is no agent.
        assert_eq!(
            agent_above(&[me, (8, 1, "vim", "vim src notes/claude")]),
            Some(false)
        );
        assert_eq!(agent_above(&[me, shell]), None);
    }

    #[test]
    fn this_process_has_others_above_it() {
        // Only where /proc tells it, as on Linux.
        if !Path::new("/proc/self/stat").exists() {
            return;
        }
        let Some(above) = ancestors(Path::new("/proc"), std::process::id()) else {
            return;
        };
        let told = |p: &Process| p.pid > 1 && p.started > 0 && !p.name.is_empty();
        assert!(above.iter().all(told), "{above:?}");
    }
}
