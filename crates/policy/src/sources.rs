//! The files that a policy is made of, as bytes, and where they lie.

use crate::problem::{Problem, Severity};
use proctor_kernel::Digest;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::Read as _;
use std::path::Path;

/// Largest policy file that is read, in bytes.
pub const MAX_FILE: usize = 1024 * 1024;

/// Where a value comes from, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// Proctor itself.
    Builtin,
    /// The user's own file, in the configuration folder of the home directory.
    User,
    /// `.proctor/proctor.yaml`, committed with the code.
    Project,
    /// `.proctor/local.yaml`, not committed.
    Local,
}

impl Layer {
    /// The word used in messages and in `proctor config show`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "built-in",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path, for messages.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A policy file that exists and cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Which layer it would have been.
    pub layer: Layer,
    /// Its path, for messages.
    pub path: String,
    /// Why not, as the system says it.
    pub why: String,
}

/// All policy files; `None` where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The user's own file.
    pub user: Option<SourceFile>,
    /// The project's file.
    pub project: Option<SourceFile>,
    /// The local file.
    pub local: Option<SourceFile>,
    /// Files that exist and cannot be read; each makes the policy [broken](crate::Resolved::broken).
    pub unreadable: Vec<Unreadable>,
}

impl Sources {
    /// Reads the user's file, and `proctor.yaml` and `local.yaml` from the project's `.proctor` folder.
    /// A missing file is no file; a file that cannot be read is remembered in `unreadable`.
    #[must_use]
    pub fn read(user: Option<&Path>, project_dir: Option<&Path>) -> Self {
        let mut sources = Self::default();
        sources.user = user.and_then(|path| sources.file(Layer::User, path));
        if let Some(dir) = project_dir {
            sources.project = sources.file(Layer::Project, &dir.join("proctor.yaml"));
            sources.local = sources.file(Layer::Local, &dir.join("local.yaml"));
        }
        sources
    }

    /// Reads a folder laid out like `.proctor/` that replaces user, project and local layer (`--policy DIR`).
    /// Who names a folder means one: if it is missing, that is no empty policy but a broken one.
    #[must_use]
    pub fn read_policy_dir(dir: &Path) -> Self {
        let mut sources = Self::read(None, Some(dir));
        if !dir.is_dir() {
            let path = dir.display().to_string();
            sources.unreadable.push(Unreadable {
                layer: Layer::Project,
                path,
                why: "no such folder".to_owned(),
            });
        }
        sources
    }

    /// The files of a `.proctor` folder that look like policy files and are none: YAML of another name than `proctor.yaml` and
    /// `local.yaml`. Each is a warning.
    #[must_use]
    pub fn strays(dir: &Path) -> Vec<Problem> {
        let is_yaml = |path: &Path| {
            let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
            end.eq_ignore_ascii_case("yaml") || end.eq_ignore_ascii_case("yml")
        };
        let mut names: Vec<String> = std::fs::read_dir(dir)
            .into_iter()
            .flatten()
            .flatten()
            .map(|file| file.path())
            .filter(|path| is_yaml(path) && path.is_file())
            .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
            .filter(|name| name != "proctor.yaml" && name != "local.yaml")
            .collect();
        names.sort();
        let told = |name: String| Problem {
            severity: Severity::Warning,
            file: dir.join(&name).display().to_string(),
            line: 0,
            column: 0,
            message: format!("`{name}` is no policy file: nothing in it has an effect"),
            suggestion: Some(if name.to_ascii_lowercase().starts_with("local") {
                "call it `local.yaml`".to_owned()
            } else {
                "call it `proctor.yaml`".to_owned()
            }),
            snippet: None,
            weighs: true,
        };
        names.into_iter().map(told).collect()
    }

    /// Whether there is no policy file at all, readable or not.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files().next().is_none() && self.unreadable.is_empty()
    }

    fn file(&mut self, layer: Layer, path: &Path) -> Option<SourceFile> {
        let shown = path.display().to_string();
        match read_bounded(path) {
            Ok(bytes) => bytes.map(|bytes| SourceFile { path: shown, bytes }),
            Err(error) => {
                self.unreadable.push(Unreadable {
                    layer,
                    path: shown,
                    why: error.to_string(),
                });
                None
            }
        }
    }

    /// The files that are there, lowest layer first.
    pub(crate) fn files(&self) -> impl Iterator<Item = (Layer, &SourceFile)> {
        [
            (Layer::User, &self.user),
            (Layer::Project, &self.project),
            (Layer::Local, &self.local),
        ]
        .into_iter()
        .filter_map(|(layer, file)| file.as_ref().map(|file| (layer, file)))
    }
}

/// Reads at most one byte more than [`MAX_FILE`], which is enough to see that a file is too large.
/// Only regular files are opened: a pipe in their place would wait for ever.
fn read_bounded(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if absent(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    if !meta.is_file() {
        return Err(std::io::Error::other("not a regular file"));
    }
    let limit = MAX_FILE as u64 + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len().min(limit)).unwrap_or(0));
    std::fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

fn absent(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
    )
}

/// Fingerprint of the code that turns files into settings, so that settings kept by one build are never
/// taken for those of another that reads the same file differently. FNV-1a, at compile time.
const READER: u64 = {
    let parts: [&[u8]; 9] = [
        include_bytes!("settings.rs"),
        include_bytes!("keys.rs"),
        include_bytes!("keys/table.rs"),
        include_bytes!("layering.rs"),
        include_bytes!("read.rs"),
        include_bytes!("patterns.rs"),
        include_bytes!("yaml.rs"),
        include_bytes!("resolve.rs"),
        include_bytes!("value.rs"),
    ];
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut part = 0;
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            hash = (hash ^ parts[part][i] as u64).wrapping_mul(0x0100_0000_01b3);
            i += 1;
        }
        part += 1;
    }
    hash
};

/// The digest of all policy files and of this build of Proctor: equal digests mean equal settings, so
/// that a caller may keep the settings of a digest and skip reading YAML. Paths are not part of it.
#[must_use]
pub fn digest_of(sources: &Sources) -> Digest {
    let mut bytes = Vec::with_capacity(256);
    bytes.extend_from_slice(concat!("proctor-policy ", env!("CARGO_PKG_VERSION"), "\0").as_bytes());
    bytes.extend_from_slice(&READER.to_le_bytes());
    for (layer, file) in sources.files() {
        bytes.extend_from_slice(layer.as_str().as_bytes());
        bytes.extend_from_slice(&(file.bytes.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&file.bytes);
    }
    for file in &sources.unreadable {
        bytes.extend_from_slice(b"unreadable ");
        bytes.extend_from_slice(file.layer.as_str().as_bytes());
        bytes.extend_from_slice(file.why.as_bytes());
    }
    Digest::of(&bytes)
}
