//! Finding transcripts: which files belong to which session. Only looks; opens a file for writing
//! or runs something nowhere.

use proctor_kernel::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// All that was found under the given paths.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Sessions, ordered by project folder and id.
    pub(crate) sessions: Vec<SessionFiles>,
    /// Files that are no transcripts by their name.
    pub(crate) other: u64,
    /// Files of the host's own helpers (conversation summaries, prompt suggestions).
    pub(crate) internal: u64,
    /// Folders and files that could not be read, with the reason.
    pub(crate) unreadable: Vec<(PathBuf, String)>,
    /// Size of all transcripts together, in bytes.
    pub(crate) bytes: u64,
}

/// The files of one session.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SessionFiles {
    /// The folder in which the session file lies: one per project.
    pub(crate) project: PathBuf,
    /// The session id, as the files' names say.
    pub(crate) id: String,
    /// The main conversation.
    pub(crate) main: Option<PathBuf>,
    /// Its subagents: agent id and file.
    pub(crate) agents: Vec<(String, PathBuf)>,
}

/// Collects the transcripts under `paths`.
///
/// # Errors
/// When one of `paths` does not exist or is neither file nor folder.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Found> {
    let mut walk = Walk::default();
    for path in paths {
        let meta = fs::metadata(path).map_err(|e| {
            Error::new(ErrorKind::Input, format!("cannot read {}", path.display()))
                .because(e)
                .hint("give a transcript (.jsonl) or a folder that holds some, such as ~/.claude/projects")
        })?;
        if meta.is_dir() {
            walk.folder(path);
        } else if meta.is_file() {
            walk.file(path, meta.len());
            // The subagents of a session lie in a folder that is named like the session file.
            let beside = path.with_extension("").join("subagents");
            if path.extension().is_some() && beside.is_dir() {
                walk.folder(&beside);
            }
        } else {
            return Err(Error::new(
                ErrorKind::Input,
                format!("{} is neither a file nor a folder", path.display()),
            ));
        }
    }
    let mut found = walk.found;
    found.sessions = walk
        .sessions
        .into_iter()
        .map(|((project, id), mut files)| {
            files.1.sort();
            SessionFiles {
                project,
                id,
                main: files.0,
                agents: files.1,
            }
        })
        .collect();
    Ok(found)
}

/// Main file and subagents' files of a session.
type Files = (Option<PathBuf>, Vec<(String, PathBuf)>);

#[derive(Default)]
struct Walk {
    sessions: BTreeMap<(PathBuf, String), Files>,
    /// Real paths already visited: links may lead in circles, and to files already seen.
    seen: HashSet<PathBuf>,
    found: Found,
}

impl Walk {
    fn folder(&mut self, start: &Path) {
        let mut open = vec![start.to_owned()];
        while let Some(folder) = open.pop() {
            match fs::canonicalize(&folder) {
                Ok(real) => {
                    if !self.seen.insert(real) {
                        continue;
                    }
                }
                Err(e) => {
                    self.found.unreadable.push((folder, e.to_string()));
                    continue;
                }
            }
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(e) => {
                    self.found.unreadable.push((folder, e.to_string()));
                    continue;
                }
            };
            let mut names: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
            names.sort();
            for path in names.into_iter().rev() {
                match fs::metadata(&path) {
                    Ok(meta) if meta.is_dir() => open.push(path),
                    Ok(meta) if meta.is_file() => {
                        if path.extension().is_some_and(|e| e == "jsonl") {
                            self.file(&path, meta.len());
                        } else {
                            self.found.other += 1;
                        }
                    }
                    // Pipes and devices: opening one could wait forever.
                    Ok(_) => self.found.other += 1,
                    Err(e) => self.found.unreadable.push((path, e.to_string())),
                }
            }
        }
    }

    fn file(&mut self, path: &Path, bytes: u64) {
        let real = match fs::canonicalize(path) {
            Ok(real) => real,
            Err(e) => {
                self.found.unreadable.push((path.to_owned(), e.to_string()));
                return;
            }
        };
        if !self.seen.insert(real) {
            return;
        }
        let stem = path
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned())
            .unwrap_or_default();
        let agent = stem.strip_prefix("agent-").map(str::to_owned);
        if agent
            .as_deref()
            .is_some_and(|a| a.starts_with("acompact-") || a.starts_with("aprompt_suggestion-"))
        {
            self.found.internal += 1;
            return;
        }
        self.found.bytes += bytes;
        let folder = path.parent().unwrap_or_else(|| Path::new("")).to_owned();
        if let Some((project, id)) = owner(path) {
            let agent = agent.unwrap_or(stem);
            self.sessions
                .entry((project, id))
                .or_default()
                .1
                .push((agent, path.to_owned()));
        } else if let Some(agent) = agent {
            // Older versions put subagents beside the session file; the session is named inside.
            let id = session_inside(path).unwrap_or_else(|| stem.clone());
            self.sessions
                .entry((folder, id))
                .or_default()
                .1
                .push((agent, path.to_owned()));
        } else {
            self.sessions.entry((folder, stem)).or_default().0 = Some(path.to_owned());
        }
    }
}

/// The project folder and session of a file below `<project>/<session>/subagents/`.
fn owner(path: &Path) -> Option<(PathBuf, String)> {
    let below = path
        .ancestors()
        .skip(1)
        .find(|a| a.file_name().is_some_and(|n| n == "subagents"))?;
    let session = below.parent()?;
    Some((
        session.parent()?.to_owned(),
        session.file_name()?.to_string_lossy().into_owned(),
    ))
}

/// The session id that the first record of a file names.
fn session_inside(path: &Path) -> Option<String> {
    const ENOUGH: u64 = 1 << 20;
    let mut line = Vec::new();
    // A pipe would be waited for.
    let is_file = fs::metadata(path).is_ok_and(|meta| meta.is_file());
    let file = is_file.then(|| fs::File::open(path).ok()).flatten()?;
    BufReader::new(file.take(ENOUGH))
        .read_until(b'\n', &mut line)
        .ok()?;
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Named {
        session_id: String,
    }
    let named: Named = serde_json::from_slice(&line).ok()?;
    Some(named.session_id).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn names(found: &Found) -> Vec<(String, bool, Vec<String>)> {
        found
            .sessions
            .iter()
            .map(|s| {
                (
                    s.id.clone(),
                    s.main.is_some(),
                    s.agents.iter().map(|a| a.0.clone()).collect(),
                )
            })
            .collect()
    }

    #[test]
    fn subagents_belong_to_their_session() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        put(root, "p/s1.jsonl", "{}\n");
        put(root, "p/s1/subagents/agent-a2.jsonl", "{}\n");
        put(root, "p/s1/subagents/agent-a1.jsonl", "{}\n");
        put(root, "p/s1/subagents/agent-a1.meta.json", "{}");
        put(root, "p/s1/subagents/workflows/w/agent-a3.jsonl", "{}\n");
        put(root, "p/s1/subagents/agent-acompact-9.jsonl", "{}\n");
        put(root, "p/agent-old.jsonl", "{\"sessionId\":\"s1\"}\n");
        put(root, "q/s1.jsonl", "{}\n");
        put(root, "q/notes.txt", "");
        let found = find(&[root.to_owned()]).unwrap();
        let agents = ["a1", "a2", "a3", "old"].map(str::to_owned).to_vec();
        assert_eq!(
            names(&found),
            [("s1".into(), true, agents), ("s1".into(), true, vec![])]
        );
        assert_eq!((found.other, found.internal), (2, 1));

        let one = find(&[root.join("p/s1.jsonl"), root.join("p/s1.jsonl")]).unwrap();
        assert_eq!(
            names(&one),
            [("s1".into(), true, ["a1", "a2", "a3"].map(str::to_owned).to_vec())]
        );
        let alone = find(&[root.join("p/s1/subagents/agent-a2.jsonl")]).unwrap();
        assert_eq!(names(&alone), [("s1".into(), false, vec!["a2".to_owned()])]);
        assert!(find(&[root.join("absent")]).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_in_circles_end() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        put(root, "a/s.jsonl", "{}\n");
        std::os::unix::fs::symlink(root, root.join("a/up")).unwrap();
        std::os::unix::fs::symlink(root.join("a/s.jsonl"), root.join("a/t.jsonl")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("a/dead.jsonl")).unwrap();
        let found = find(&[root.to_owned()]).unwrap();
        assert_eq!(names(&found).len(), 1);
        assert_eq!(found.unreadable.len(), 1);
    }
}
