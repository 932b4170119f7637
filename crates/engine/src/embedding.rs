//! The embedder that the policy names, opened when a gate asks for vectors and not before.

use proctor_kernel::GateError;
use proctor_policy::{EmbedderKind, EmbedderSettings};
use proctor_similarity::{Embedder, Lexical, Problem};
use std::cell::OnceCell;
use std::fmt;
use std::path::{Path, PathBuf};

/// Looks up an environment variable; only the binary reads the environment.
pub type Secret = fn(&str) -> Option<String>;

/// The embedder of a policy.
pub struct Embedding {
    settings: EmbedderSettings,
    /// Relative model folders lie below it.
    root: PathBuf,
    secret: Option<Secret>,
    open: OnceCell<Result<Box<dyn Embedder>, Problem>>,
}

impl fmt::Debug for Embedding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedding")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Embedding {
    /// An embedder that is not opened yet. `root` is the work tree; `secret` tells the key of an endpoint.
    #[must_use]
    pub fn new(settings: &EmbedderSettings, root: &Path, secret: Option<Secret>) -> Self {
        Self {
            settings: settings.clone(),
            root: root.to_owned(),
            secret,
            open: OnceCell::new(),
        }
    }

    /// One vector for each text.
    ///
    /// # Errors
    /// When the embedder cannot be opened or fails.
    pub fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, GateError> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.open
            .get_or_init(|| self.open())
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|embedder| embedder.embed(&texts))
            .map_err(|e| GateError::new(e.to_string()))
    }

    fn open(&self) -> Result<Box<dyn Embedder>, Problem> {
        match self.settings.kind {
            EmbedderKind::Lexical => Ok(Box::new(Lexical)),
            EmbedderKind::File => self.model(),
            EmbedderKind::Endpoint => self.endpoint(),
        }
    }

    #[cfg(feature = "model")]
    fn model(&self) -> Result<Box<dyn Embedder>, Problem> {
        if self.settings.path.is_empty() {
            return Err(Problem::new("`drift.embedder.path` names no folder"));
        }
        let folder = self.root.join(&self.settings.path);
        Ok(Box::new(proctor_similarity::StaticModel::open(&folder)?))
    }

    #[cfg(not(feature = "model"))]
    fn model(&self) -> Result<Box<dyn Embedder>, Problem> {
        let _ = &self.root;
        Err(Problem::new(
            "this build reads no models; build it with the feature `model`",
        ))
    }

    #[cfg(feature = "endpoint")]
    fn endpoint(&self) -> Result<Box<dyn Embedder>, Problem> {
        let EmbedderSettings {
            url,
            model,
            key_env,
            timeout_ms,
            ..
        } = &self.settings;
        if url.is_empty() {
            return Err(Problem::new(
                "`drift.embedder.url` names no endpoint in the user's own policy file",
            ));
        }
        let key = if key_env.is_empty() {
            None
        } else {
            let key = self.secret.and_then(|look| look(key_env));
            Some(key.ok_or_else(|| Problem::new(format!("the environment variable {key_env} holds no key")))?)
        };
        Ok(Box::new(proctor_similarity::Endpoint::new(
            proctor_similarity::Access {
                url: url.clone(),
                model: model.clone(),
                key,
                timeout: std::time::Duration::from_millis(*timeout_ms),
            },
        )?))
    }

    #[cfg(not(feature = "endpoint"))]
    fn endpoint(&self) -> Result<Box<dyn Embedder>, Problem> {
        let _ = self.secret;
        Err(Problem::new(
            "this build asks no endpoints; build it with the feature `endpoint`",
        ))
    }
}
