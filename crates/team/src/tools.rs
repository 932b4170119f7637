//! The tools of a play, performed for real in one folder.

use proctor_kernel::{Error, ErrorKind, ExitSource, Result, ToolOutcome};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// Variables that are set (`Some`) or removed (`None`) on top of the caller's environment.
pub type Variables = Vec<(OsString, Option<OsString>)>;

/// Longest run of a command in a play.
const TIMEOUT: Duration = Duration::from_secs(300);
/// Most output of a command that is kept, in bytes.
const OUTPUT: usize = 1 << 20;

/// A tool call of an actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolUse {
    /// Writes a whole file.
    Write {
        /// Path below the stage's root.
        path: String,
        /// The content.
        content: String,
    },
    /// Reads a file.
    Read {
        /// Path below the stage's root.
        path: String,
    },
    /// Runs a command line with `sh -c` in the stage's root.
    Run {
        /// The command line.
        command: String,
    },
}

impl ToolUse {
    /// The tool's name in records.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Write { .. } => "write",
            Self::Read { .. } => "read",
            Self::Run { .. } => "run",
        }
    }
}

/// What came of a tool call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolResult {
    /// Exit code of a command (-1: killed); 0 for files.
    pub exit: i32,
    /// Output of a command, standard error included, or the content of a file.
    pub output: String,
    /// Whether a file was made that was not there before.
    pub created: bool,
}

impl ToolResult {
    /// The last line that is not empty.
    #[must_use]
    pub fn last_line(&self) -> &str {
        self.output
            .lines()
            .rev()
            .find(|l| !l.trim().is_empty())
            .unwrap_or_default()
    }

    /// The result as the engine sees it.
    pub(crate) fn outcome(&self, tool: &ToolUse) -> ToolOutcome {
        let (exit, created) = match tool {
            ToolUse::Run { .. } => (Some(self.exit), Vec::new()),
            ToolUse::Write { path, .. } if self.created => (None, vec![path.clone()]),
            _ => (None, Vec::new()),
        };
        ToolOutcome {
            ok: Some(self.exit == 0),
            exit,
            exit_source: match exit {
                Some(_) => ExitSource::Engine,
                None => ExitSource::Unknown,
            },
            output: exit.map(|_| self.output.clone()),
            created,
            ..ToolOutcome::default()
        }
    }
}

/// The folder in which tools happen.
#[derive(Clone, Debug)]
pub struct Stage {
    root: PathBuf,
    variables: Variables,
}

impl Stage {
    /// A stage in this folder. Its commands never get the variables by which the caller leads git elsewhere: what they
    /// do must happen here.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            variables: Variables::new(),
        }
    }

    /// Changes the environment of the commands.
    #[must_use]
    pub fn with_variables(mut self, variables: Variables) -> Self {
        self.variables = variables;
        self
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Performs a tool call. A command that fails is a result, not an error.
    ///
    /// # Errors
    /// Kind `input` for a path that leaves the stage; kind `host` when a file or a command cannot be used.
    pub fn perform(&self, tool: &ToolUse) -> Result<ToolResult> {
        match tool {
            ToolUse::Write { path, content } => {
                let path = self.path(path)?;
                let created = !path.exists();
                let write = || {
                    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
                    std::fs::write(&path, content)
                };
                write().map_err(|e| failed("write", &path, e))?;
                Ok(ToolResult {
                    created,
                    ..ToolResult::default()
                })
            }
            ToolUse::Read { path } => {
                let path = self.path(path)?;
                let output = std::fs::read_to_string(&path).map_err(|e| failed("read", &path, e))?;
                Ok(ToolResult {
                    output,
                    ..ToolResult::default()
                })
            }
            ToolUse::Run { command } => self.run(command),
        }
    }

    fn run(&self, command: &str) -> Result<ToolResult> {
        let spec = proctor_worktree::Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .cwd(&self.root)
            .timeout(TIMEOUT)
            .limit(OUTPUT)
            .without_git_variables()
            .variables(&self.variables);
        let output = spec.run()?;
        let exit = if output.timed_out {
            -1
        } else {
            output.status.unwrap_or(-1)
        };
        Ok(ToolResult {
            exit,
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            created: false,
        })
    }

    /// The path below the root. Symbolic links out of the stage are refused as well.
    fn path(&self, path: &str) -> Result<PathBuf> {
        let outside = || Error::new(ErrorKind::Input, format!("{path:?} is outside the work tree"));
        if !Path::new(path)
            .components()
            .all(|c| matches!(c, Component::Normal(_) | Component::CurDir))
        {
            return Err(outside());
        }
        let full = self.root.join(path);
        let root = self
            .root
            .canonicalize()
            .map_err(|e| failed("find", &self.root, e))?;
        let mut known = full.as_path();
        while let Some(parent) = known.parent().filter(|_| !known.exists()) {
            known = parent;
        }
        let real = known.canonicalize().map_err(|e| failed("find", known, e))?;
        if real.starts_with(&root) {
            Ok(full)
        } else {
            Err(outside())
        }
    }
}

fn failed(doing: &str, path: &Path, error: std::io::Error) -> Error {
    Error::new(ErrorKind::Host, format!("cannot {doing} {}", path.display())).because(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_really_happen_and_stay_inside() {
        let folder = tempfile::tempdir().unwrap();
        let stage = Stage::new(folder.path());
        let write = ToolUse::Write {
            path: "src/인증.sh".into(),
            content: "echo hello; exit 3\n".into(),
        };
        assert!(stage.perform(&write).unwrap().created);
        assert!(!stage.perform(&write).unwrap().created);
        let run = ToolUse::Run {
            command: "sh src/인증.sh; echo after >&2; exit 4".into(),
        };
        let result = stage.perform(&run).unwrap();
        assert_eq!((result.exit, result.last_line()), (4, "after"));
        for path in ["../x", "/etc/passwd", "a/../../x"] {
            let error = stage.perform(&ToolUse::Read { path: path.into() }).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Input, "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc", folder.path().join("out")).unwrap();
            let link = ToolUse::Write {
                path: "out/new".into(),
                content: String::new(),
            };
            assert_eq!(stage.perform(&link).unwrap_err().kind(), ErrorKind::Input);
        }
    }
}
