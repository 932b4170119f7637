//! Modules of the project that Python finds before the runner of the same name: it looks into the folder in which it is
//! started (`python -m unittest`) before it looks anywhere else.

use super::{CheckPair, FileChange, Finding, Kind, Severity};

/// Modules that run tests, or that those are made of.
const RUNNERS: [&str; 5] = ["unittest", "pytest", "_pytest", "pluggy", "nose2"];

/// The runner whose place a file of this folder takes.
fn shadows(path: &str, folder: &str) -> Option<&'static str> {
    let folder = folder.trim_end_matches('/').trim_start_matches("./");
    let name = match folder {
        "" | "." => path,
        folder => path.strip_prefix(folder)?.strip_prefix('/')?,
    };
    // A folder without this file yields to a module that stands elsewhere.
    let module = name
        .strip_suffix("/__init__.py")
        .or_else(|| name.strip_suffix(".py"))?;
    RUNNERS.into_iter().find(|runner| *runner == module)
}

pub(super) fn look(files: &[FileChange<'_>], checks: &[CheckPair<'_>], out: &mut Vec<Finding>) {
    let mut folders: Vec<&str> = vec![""];
    folders.extend(checks.iter().map(|c| c.folder));
    let place = |path: &str| folders.iter().find_map(|f| Some((*f, shadows(path, f)?)));
    for file in files.iter().filter(|f| f.base.is_none() && f.now.is_some()) {
        let Some((folder, runner)) = place(file.path) else {
            continue;
        };
        // It only changed its form.
        let was = files
            .iter()
            .any(|f| f.base.is_some() && shadows(f.path, folder) == Some(runner));
        if !was {
            out.push(Finding {
                kind: Kind::RunnerShadowed,
                severity: Severity::Block,
                path: file.path.to_owned(),
                line: None,
                words: format!(
                    "{} is new, and Python finds it before the `{runner}` that runs tests",
                    file.path
                ),
            });
        }
    }
}
