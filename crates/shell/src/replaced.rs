//! Words of a line that put something else in the place of what the project's own files would run.

use crate::runners::is_runner;
use crate::word::{Arg, program};
use crate::wrappers::{assignment, is_python, listed};

/// What the words of a line change of what a project's file runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Replaced {
    /// What runs is another thing, or may be one.
    pub(crate) whole: bool,
    /// It is given options, which may select a part.
    pub(crate) part: bool,
    /// The file that says what is run, where the line names one.
    pub(crate) file: Option<String>,
}

/// Programs that run what a file says, in which `X=y` on the command line stands over the file's own.
const MAKES: &[&str] = &["make", "gmake", "mingw32-make", "bmake"];
/// Others to whose tasks variables can be given so.
const TASKS: &[&str] = &["just", "task", "go-task", "rake"];
/// Those that run scripts by a shell that an option can name.
const SCRIPTS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

/// Variables that by custom only say how much is told, and how fast.
const TELLING: &[&str] = &[
    "V", "VERBOSE", "Q", "QUIET", "SILENT", "COLOR", "NO_COLOR", "CI", "DEBUG", "JOBS", "J",
];

/// Options of make with which it takes something else, or leaves something out. `-f` is looked at by itself.
const OTHER: &[&str] = &[
    "--eval",
    "--environment-overrides",
    "--old-file",
    "--assume-old",
    "--what-if",
];
/// Options that name the file.
const FILES: &str = "-f --file --makefile --justfile --taskfile --rakefile";
/// Letters of make that take a value.
const TAKING: &str = "CfIjlOoW";

/// Options of package managers that name another shell, or put code into the runtime.
const SHELLS: &[&str] = &[
    "--script-shell",
    "--node-options",
    "--config.script-shell",
    "--config.node-options",
];

/// Settings of npm and pnpm that change nothing of what a script does; as variables, `npm_config_…`.
const SETTINGS: &[&str] = &[
    "audit",
    "ca",
    "cache",
    "cafile",
    "color",
    "fund",
    "https_proxy",
    "legacy_peer_deps",
    "loglevel",
    "noproxy",
    "offline",
    "prefer_offline",
    "progress",
    "proxy",
    "registry",
    "strict_ssl",
    "update_notifier",
    "user_agent",
    "yes",
];

/// Whether a variable of the environment is a setting of a package manager that may change what its scripts do.
pub(crate) fn sets(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let setting = lower
        .strip_prefix("npm_config_")
        .or_else(|| lower.strip_prefix("pnpm_config_"));
    setting.is_some_and(|s| !SETTINGS.contains(&s.replace('-', "_").as_str()))
}

/// Whether flags for make in the environment change no more than how fast it is and what it tells.
pub(crate) fn plain_flags(flags: &str) -> bool {
    flags.split_whitespace().all(|flag| {
        let letters = flag.trim_start_matches('-');
        flag.starts_with("-j") && !flag.contains('=')
            || matches!(flag, "--no-print-directory" | "--silent" | "--quiet" | "--")
            || flag.starts_with("--jobs")
            || flag.starts_with("--jobserver")
            || letters.chars().all(|c| matches!(c, 'w' | 's' | 'k'))
    })
}

/// What the words of a command change. `core` begins with the program.
pub(crate) fn by(core: &[Arg]) -> Replaced {
    let mut out = Replaced::default();
    let Some((first, rest)) = core.split_first() else {
        return out;
    };
    let name = program(&first.text);
    let (make, task) = (MAKES.contains(&name), TASKS.contains(&name));
    let scripts = SCRIPTS.contains(&name);
    if !make && !task && !scripts {
        return out;
    }
    let mut words = rest.iter().map(|a| a.text.as_str());
    while let Some(word) = words.next() {
        // What follows is for the script.
        if word == "--" && scripts {
            break;
        }
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (word, None),
        };
        if scripts {
            out.whole |= SHELLS.contains(&flag);
        } else if listed(FILES, flag) {
            out.file = value.or_else(|| words.next()).map(str::to_owned);
        } else if make && word.starts_with("--") {
            out.whole |= OTHER.contains(&flag);
        } else if make && word.starts_with('-') {
            out.whole |= letters(word, &mut out.file);
        } else if let Some((variable, value)) = assigned(word) {
            given(variable, value, name == "rake", &mut out);
        } else if word == "--set" {
            given(
                words.next().unwrap_or_default(),
                words.next().unwrap_or_default(),
                false,
                &mut out,
            );
        }
    }
    out.whole |= out.file.as_deref() == Some("-");
    out
}

/// `X=y`, `X:=y`, `X?=y`, `X+=y`.
fn assigned(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!']);
    assignment(word)
        .or_else(|| (!name.is_empty() && !name.contains(['/', '.', '-'])).then_some((name, value)))
}

/// Letters behind one dash: whether one of them takes something else. A file in the same word is noted.
fn letters(word: &str, file: &mut Option<String>) -> bool {
    for (at, letter) in word.char_indices().skip(1) {
        match letter {
            'e' | 'E' | 'o' | 'W' => return true,
            'f' => {
                let rest = word.get(at + 1..).unwrap_or_default();
                *file = Some(rest.to_owned());
                return false;
            }
            letter if TAKING.contains(letter) => return false,
            _ => {}
        }
    }
    false
}

/// A variable that is given to the tasks.
fn given(name: &str, value: &str, selects: bool, out: &mut Replaced) {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let figure = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
    if figure || TELLING.contains(&name) && value.chars().all(word) {
        return;
    }
    let tool = program(value);
    if selects || value.starts_with('-') {
        out.part = true;
    } else if !(is_python(tool) || is_runner(tool)) {
        out.whole = true;
    }
}
