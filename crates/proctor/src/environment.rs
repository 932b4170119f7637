//! What this process learns from its environment, read once and handed down.

use proctor_engine::Surroundings;
use proctor_hosts::claude;
use proctor_kernel::{Audience, Error, ErrorKind, Result};
use std::path::PathBuf;

/// Folders and switches given by the environment.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    pub(crate) cwd: PathBuf,
    pub(crate) home: Option<PathBuf>,
    pub(crate) config_home: Option<PathBuf>,
    pub(crate) state_home: Option<PathBuf>,
    pub(crate) state: Option<PathBuf>,
    pub(crate) audience: Option<Audience>,
    pub(crate) launch: Option<String>,
    /// The folders by which git finds the user's configuration, in one text.
    git_folders: String,
    pub(crate) canary: Option<String>,
    /// Whether this runs in CI, as nearly every CI says by `CI=true`.
    pub(crate) ci: bool,
    claude_config: Option<PathBuf>,
}

fn path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|v| !v.is_empty())
        .map(PathBuf::from)
}

fn variable(name: &str) -> String {
    let value = std::env::var_os(name).unwrap_or_default();
    value.to_string_lossy().into_owned()
}

/// The model that a host's session was answered by last.
fn model(host: &str, session: &str) -> Option<String> {
    let config = Environment::read(None).claude_config().ok()?;
    (host == claude::HOST).then(|| claude::usage::model_of(&config, session))?
}

impl Environment {
    /// Reads the environment. `home` replaces the home folder (`--home DIR`).
    pub(crate) fn read(home: Option<PathBuf>) -> Self {
        let given = home.is_some();
        let home = home.or_else(|| path("HOME"));
        // Relative XDG paths are invalid by their specification and ignored.
        let xdg = |name: &str, below: &str| {
            let from_env = if given {
                None
            } else {
                path(name).filter(|p| p.is_absolute())
            };
            from_env.or_else(|| home.as_ref().map(|h| h.join(below)))
        };
        Self {
            cwd: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            config_home: xdg("XDG_CONFIG_HOME", ".config"),
            state_home: xdg("XDG_STATE_HOME", ".local/state"),
            state: path("PROCTOR_STATE"),
            audience: match std::env::var("PROCTOR_AUDIENCE").as_deref() {
                Ok("agent") => Some(Audience::Agent),
                Ok("human") => Some(Audience::Human),
                _ => None,
            },
            launch: std::env::var("PROCTOR_LAUNCH").ok().filter(|v| !v.is_empty()),
            git_folders: ["HOME", "XDG_CONFIG_HOME"].map(variable).join("\n"),
            canary: std::env::var("PROCTOR_CANARY").ok().filter(|v| !v.is_empty()),
            ci: std::env::var("CI").is_ok_and(|v| matches!(v.as_str(), "true" | "1")),
            claude_config: if given { None } else { path("CLAUDE_CONFIG_DIR") },
            home,
        }
    }

    /// The value of an environment variable that the policy names.
    pub(crate) fn secret(name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|v| !v.is_empty())
    }

    /// Where Claude Code keeps the user's settings (`$CLAUDE_CONFIG_DIR`, else `~/.claude`).
    pub(crate) fn claude_config(&self) -> Result<PathBuf> {
        self.claude_config
            .clone()
            .or_else(|| self.home.as_ref().map(|h| h.join(".claude")))
            .ok_or_else(|| {
                Error::new(ErrorKind::Config, "there is no home folder to look for settings")
                    .hint("set HOME or give --home")
            })
    }

    /// The user layer's policy file.
    pub(crate) fn user_policy(&self) -> Option<PathBuf> {
        self.config_home.as_ref().map(|c| c.join("proctor/proctor.yaml"))
    }

    /// What the engine is told; without any place for state it gets one that cannot be made, so that it
    /// decides without memory and says so.
    pub(crate) fn surroundings_or_none(&self) -> Surroundings {
        self.surroundings(None).unwrap_or_else(|_| Surroundings {
            cwd: self.cwd.clone(),
            state: Some(PathBuf::from("/dev/null/no-home-folder")),
            audience: self.audience,
            git_folders: Some(self.git_folders.clone()),
            secret: Some(Self::secret),
            ..Surroundings::default()
        })
    }

    /// What the engine is told. Without a home folder there is no place for state; the temporary
    /// folder would be shared with others, so this is an error.
    pub(crate) fn surroundings(&self, policy: Option<PathBuf>) -> Result<Surroundings> {
        let state_home = match (&self.state_home, &self.state) {
            (Some(home), _) => home.join("proctor"),
            (None, Some(state)) => state.clone(),
            (None, None) => {
                return Err(Error::new(
                    ErrorKind::Store,
                    "no place for state: neither HOME nor PROCTOR_STATE is set",
                )
                .hint("set HOME, XDG_STATE_HOME or PROCTOR_STATE"));
            }
        };
        Ok(Surroundings {
            cwd: self.cwd.clone(),
            home: self.home.clone(),
            root: None,
            state_home,
            state: self.state.clone(),
            user_policy: self.user_policy(),
            policy,
            audience: self.audience,
            launch: self.launch.clone(),
            git_folders: Some(self.git_folders.clone()),
            secret: Some(Self::secret),
            stop_cap: None,
            processes: Some(crate::alive::PROCESSES),
            build: Some(crate::program::own_digest),
            model: Some(model),
        })
    }
}
