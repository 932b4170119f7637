use std::fmt;

/// Result with Proctor's one error type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What sort of thing went wrong. Each kind maps to one exit code, once, in the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// A policy file or an option is wrong.
    Config,
    /// Data given to Proctor cannot be read (payload, JSON line, transcript).
    Input,
    /// A host program misbehaves or is missing.
    Host,
    /// Git cannot do what is needed, or is missing.
    Git,
    /// The state folder or a log cannot be read or written.
    Store,
    /// A gate failed.
    Gate,
    /// A fault of Proctor itself.
    Internal,
}

impl ErrorKind {
    /// The word used in messages and records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Input => "input",
            Self::Host => "host",
            Self::Git => "git",
            Self::Store => "store",
            Self::Gate => "gate",
            Self::Internal => "internal",
        }
    }
}

/// An error: its kind, what happened (a lower-case fragment), and hints on what to do about it.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    hints: Vec<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error of `kind`; `message` is a lower-case fragment that fits "failed: {message}".
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hints: Vec::new(),
            source: None,
        }
    }

    /// Adds what the user can do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds the cause.
    #[must_use]
    pub fn because(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }

    /// The kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What the user can do about it, most useful first.
    #[must_use]
    pub fn hints(&self) -> &[String] {
        &self.hints
    }
}

impl fmt::Display for Error {
    /// The message and its causes on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let mut cause = std::error::Error::source(self);
        while let Some(c) = cause {
            write!(f, ": {c}")?;
            cause = c.source();
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|e| e as _)
    }
}
