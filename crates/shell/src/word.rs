//! What words become when the shell expands them, as far as the line itself tells.

use crate::ast::{Part, Word};
use crate::state::State;

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arg {
    /// Its text; what is not known stays as it was written.
    pub(crate) text: String,
    pub(crate) known: Known,
    /// The name of the variable, if the word is `$x` and nothing else.
    pub(crate) parameter: Option<String>,
    /// It is a variable without quotes, so that it may become several words, or none.
    pub(crate) splits: bool,
}

/// How much of a word is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    /// All of it.
    #[default]
    Whole,
    /// It holds a pattern or a brace expansion.
    Pattern,
    /// It holds variables that the line does not set.
    Environment,
    /// It holds what the line itself makes.
    Unknown,
}

impl Arg {
    pub(crate) fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.known == Known::Whole
    }
}

/// Bytes of a value, or of a word with values in it, that are put together.
pub(crate) const LONG: usize = 256;

/// Variables that everybody has, and that hold a path or a word without blanks.
const COMMON: &[&str] = &[
    "HOME",
    "PWD",
    "OLDPWD",
    "USER",
    "TMPDIR",
    "CI",
    "UID",
    "HOSTNAME",
    "VIRTUAL_ENV",
    "CLAUDE_PROJECT_DIR",
    "GITHUB_WORKSPACE",
    "WORKSPACE",
    "REPO_ROOT",
    "PROJECT_ROOT",
];

pub(crate) fn is_common(name: &str, state: &State) -> bool {
    COMMON.contains(&name) && state.variable(name).is_none()
}

/// The words that a word becomes.
pub(crate) fn expand(word: &Word, state: &State, into: &mut Vec<Arg>) {
    if let [
        Part::Parameter {
            name,
            plain: true,
            quoted: false,
            ..
        },
    ] = word.0.as_slice()
        && let Some(value) = state.variable(name).and_then(|v| v.value.clone())
    {
        into.extend(value.split_ascii_whitespace().map(|text| Arg {
            parameter: Some(name.clone()),
            ..Arg::plain(text)
        }));
        return;
    }
    into.push(one(word, state));
}

/// A word that is not split, such as the value of an assignment.
pub(crate) fn one(word: &Word, state: &State) -> Arg {
    let mut arg = Arg::default();
    if let [
        Part::Parameter {
            name,
            plain: true,
            quoted,
            ..
        },
    ] = word.0.as_slice()
    {
        arg.parameter = Some(name.clone());
        arg.splits = !quoted;
    }
    for part in &word.0 {
        let known = match part {
            Part::Text { text, quoted } => {
                arg.text.push_str(text);
                let pattern = !quoted
                    && (text.contains(['*', '?']) || text.contains('[') && text.contains(']') || {
                        text.contains('{')
                            && text.contains('}')
                            && (text.contains(',') || text.contains(".."))
                    });
                if pattern { Known::Pattern } else { Known::Whole }
            }
            Part::Parameter {
                name,
                plain,
                quoted,
                source,
                ..
            } => match state.variable(name) {
                Some(variable) if *plain => match &variable.value {
                    Some(value)
                        if arg.text.len() <= LONG
                            && (*quoted || !value.contains([' ', '\t', '\n', '*', '?', '['])) =>
                    {
                        arg.text.push_str(value);
                        Known::Whole
                    }
                    _ => {
                        arg.text.push_str(source);
                        Known::Unknown
                    }
                },
                set => {
                    arg.text.push_str(source);
                    if set.is_some() || !plain {
                        Known::Unknown
                    } else {
                        Known::Environment
                    }
                }
            },
            Part::Substitution { source, .. }
            | Part::Process { source, .. }
            | Part::Arithmetic { source, .. } => {
                arg.text.push_str(source);
                Known::Unknown
            }
        };
        arg.known = arg.known.max(known);
    }
    arg
}

/// Whether a word that holds variables is made of common ones alone, so that its text can be read as a
/// script.
pub(crate) fn only_common(word: &Word, state: &State) -> bool {
    word.0.iter().all(|part| match part {
        Part::Text { .. } => true,
        Part::Parameter { name, plain, .. } => {
            *plain && (is_common(name, state) || state.variable(name).is_some_and(|v| v.value.is_some()))
        }
        _ => false,
    })
}

/// The name of a program, without the ending of Windows programs, where its folder is one in which programs
/// are installed. A script of the project that is called like a program is not that program, nor is what lies where
/// everybody may put something; see [`open`].
pub(crate) fn program(path: &str) -> &str {
    match split(path) {
        (folder, name) if !is_open(folder) => name.unwrap_or(path),
        _ => path,
    }
}

/// The folder, and the name, of a program that is installed in a place where everybody may put something (`/tmp`): it is
/// what it is called only where that place is the work tree.
pub(crate) fn open(path: &str) -> Option<(&str, &str)> {
    let (folder, name) = split(path);
    let name = name.filter(|_| is_open(folder))?;
    // What leads out of it again is not looked at.
    (!folder.split('/').any(|part| part == "..")).then_some((folder, name))
}

fn is_open(folder: &str) -> bool {
    ["/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp"]
        .iter()
        .any(|open| {
            folder
                .strip_prefix(open)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
}

/// The folder of a program, and its name where that folder is one in which programs are installed.
fn split(path: &str) -> (&str, Option<&str>) {
    let (folder, base) = match path.rfind(['/', '\\']) {
        Some(at) => (
            path.get(..at).unwrap_or_default(),
            path.get(at + 1..).unwrap_or_default(),
        ),
        None => ("bin", path),
    };
    let name = [".exe", ".cmd", ".bat", ".phar"]
        .iter()
        .find_map(|e| base.strip_suffix(e))
        .unwrap_or(base);
    if let Some(name) = crate::packages::entry(path) {
        return (folder, Some(name));
    }
    let last = folder.rsplit(['/', '\\']).next().unwrap_or(folder);
    let installed = matches!(last, "bin" | ".bin" | "sbin" | "Scripts" | "shims" | "exe")
        // These lie in the project by design.
        || matches!(name, "gradlew" | "mvnw" | "bazelw" | "sbtx");
    (folder, installed.then_some(name))
}

/// The last part of a path.
pub(crate) fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A word as it would have to be written to mean itself.
pub(crate) fn quote(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,^~{}[]*?$()\"".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// A folder below another one, with `.` and `..` taken out where that is certain.
pub(crate) fn below(folder: Option<&str>, path: &str) -> String {
    let absolute = path.starts_with(['/', '~', '$']) || path.get(1..2) == Some(":");
    let mut parts: Vec<&str> = Vec::new();
    let root = if absolute { None } else { folder };
    let rooted = root.unwrap_or(path).starts_with('/');
    for part in root.into_iter().chain([path]).flat_map(|p| p.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts
                .last()
                .is_some_and(|l| *l != ".." && !l.starts_with(['$', '~'])) =>
            {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if rooted { format!("/{joined}") } else { joined }
}
