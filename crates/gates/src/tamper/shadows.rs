//! Modules of the project that Python finds before the runner of the same name, or before a module of its own that runners
//! need: it looks into the folder in which it is started (`python -m unittest`) before it looks anywhere else.

use super::lang::is_test_path;
use super::{CheckPair, FileChange, Finding, Kind, Severity};

/// Modules that run tests, or that those are made of.
const RUNNERS: [&str; 5] = ["unittest", "pytest", "_pytest", "pluggy", "nose2"];

/// Modules of Python itself that `unittest` and pytest import, as both were seen to; without those that are there before
/// any folder is looked into. In order.
const STANDARD: [&str; 73] = [
    "argparse",
    "ast",
    "base64",
    "bdb",
    "bisect",
    "bz2",
    "cmd",
    "code",
    "codeop",
    "collections",
    "contextlib",
    "copy",
    "copyreg",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "dis",
    "doctest",
    "email",
    "enum",
    "fnmatch",
    "functools",
    "getpass",
    "gettext",
    "glob",
    "heapq",
    "importlib",
    "inspect",
    "ipaddress",
    "json",
    "keyword",
    "linecache",
    "locale",
    "logging",
    "lzma",
    "math",
    "numbers",
    "opcode",
    "operator",
    "pathlib",
    "pdb",
    "platform",
    "pprint",
    "queue",
    "random",
    "re",
    "reprlib",
    "runpy",
    "select",
    "selectors",
    "shlex",
    "shutil",
    "signal",
    "string",
    "struct",
    "subprocess",
    "tempfile",
    "textwrap",
    "threading",
    "token",
    "tokenize",
    "tomllib",
    "traceback",
    "types",
    "typing",
    "unicodedata",
    "urllib",
    "uuid",
    "warnings",
    "weakref",
    "zipfile",
];

/// What a file stands in the place of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Runner(&'static str),
    Standard(&'static str),
}

/// What a file of this folder stands in the place of.
fn shadows(path: &str, folder: &str) -> Option<Place> {
    let folder = folder.trim_end_matches('/').trim_start_matches("./");
    let name = match folder {
        "" | "." => path,
        folder => path.strip_prefix(folder)?.strip_prefix('/')?,
    };
    // A folder without this file yields to a module that stands elsewhere.
    let module = name
        .strip_suffix("/__init__.py")
        .or_else(|| name.strip_suffix(".py"))?;
    let runner = RUNNERS.into_iter().find(|runner| *runner == module);
    let standard = || STANDARD.into_iter().find(|standard| *standard == module);
    runner
        .map(Place::Runner)
        .or_else(|| standard().map(Place::Standard))
}

/// The folder of a file that is there for tests: pytest looks into it too, unless it is a package.
fn beside_tests(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    (is_test_path(path) && name != "__init__.py").then_some(folder)
}

pub(super) fn look(files: &[FileChange<'_>], checks: &[CheckPair<'_>], out: &mut Vec<Finding>) {
    let mut folders: Vec<&str> = vec![""];
    folders.extend(checks.iter().map(|c| c.folder));
    let place = |path: &str| folders.iter().find_map(|f| Some((*f, shadows(path, f)?)));
    for file in files.iter().filter(|f| f.base.is_none() && f.now.is_some()) {
        let first = place(file.path);
        let beside = || beside_tests(file.path).and_then(|f| Some((f, shadows(file.path, f)?)));
        let Some((folder, found)) = first.or_else(beside) else {
            continue;
        };
        // It only changed its form.
        let was = files
            .iter()
            .any(|f| f.base.is_some() && shadows(f.path, folder) == Some(found));
        if was {
            continue;
        }
        let (severity, words) = match found {
            Place::Runner(name) => (
                Severity::Block,
                format!("is new, and Python finds it before the `{name}` that runs tests"),
            ),
            Place::Standard(name) if first.is_some() => (
                Severity::Block,
                format!("is new, and Python finds it before its own `{name}`, which runners need"),
            ),
            Place::Standard(name) => (
                Severity::Note,
                format!("is new, and may be found before Python's own `{name}` where tests run"),
            ),
        };
        out.push(Finding {
            kind: Kind::RunnerShadowed,
            severity,
            path: file.path.to_owned(),
            line: None,
            words: format!("{} {words}", file.path),
        });
    }
}
