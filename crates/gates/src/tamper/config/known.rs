//! What a configuration said at the base already, whatever its form was: a list that is written otherwise, or has become
//! shorter, leaves out nothing new.

use super::{Line, keys, pairing};
use std::collections::BTreeSet;

/// What a file said at the base.
pub(super) struct Known {
    /// Entries of lists that leave something out, each with its key.
    items: BTreeSet<(String, String)>,
    /// What sections belong to: the tool.
    tools: BTreeSet<String>,
}

impl Known {
    pub(super) fn of(base: &[Line<'_>]) -> Self {
        let mut items = BTreeSet::new();
        for line in base {
            if let Some((key, said)) = left_out(line) {
                items.extend(said.into_iter().map(|item| (key.clone(), item)));
            }
        }
        let tools = base.iter().filter_map(|l| tool(&l.within)).collect();
        Self { items, tools }
    }

    /// Whether a line leaves out nothing but what was left out before; one that opens a list leaves out nothing by itself.
    pub(super) fn holds(&self, line: &Line<'_>, now: &[Line<'_>]) -> bool {
        let Some((key, said)) = left_out(line) else {
            return false;
        };
        if said.is_empty() {
            let next = now.iter().find(|l| l.number > line.number);
            let own = keys::key(line.text).map(str::to_lowercase).unwrap_or_default();
            return next.is_some_and(|l| l.above == own);
        }
        said.into_iter()
            .all(|item| self.items.contains(&(key.clone(), item)))
    }

    /// Whether a line stands in a section of a linter that the file said nothing to.
    pub(super) fn is_new_linter(&self, line: &Line<'_>) -> bool {
        const LINTERS: [&str; 10] = [
            "ruff",
            "flake8",
            "mypy",
            "pyright",
            "pylint",
            "isort",
            "black",
            "bandit",
            "pydocstyle",
            "pycodestyle",
        ];
        tool(&line.within).is_some_and(|tool| LINTERS.contains(&tool.as_str()) && !self.tools.contains(&tool))
    }
}

/// The key of a list that leaves something out, and what a line of it names.
fn left_out(line: &Line<'_>) -> Option<(String, Vec<String>)> {
    let own = keys::key(line.text).map(str::to_lowercase).unwrap_or_default();
    // `[tool.ruff.lint.per-file-ignores]`
    let above = line.above.trim_matches(['[', ']', '"']);
    let above = above.rsplit('.').next().unwrap_or(above);
    let plain = |key: &str| {
        key.trim_start_matches("extend-")
            .trim_start_matches("extend_")
            .to_owned()
    };
    if keys::LEAVES_OUT.contains(&above) {
        return Some((plain(above), pairing::items(line.text)));
    }
    if !keys::LEAVES_OUT.contains(&own.as_str()) {
        return None;
    }
    let value = keys::value(line.text).unwrap_or_default();
    Some((plain(&own), pairing::items(value)))
}

/// `[tool.ruff.lint]` and `[flake8]` belong to `ruff` and `flake8`.
fn tool(within: &str) -> Option<String> {
    let section = within.strip_prefix('[')?.split(']').next()?;
    let section = section.trim_start_matches('[').trim_start_matches("tool.");
    let name = section.split(['.', ':', '-']).next()?.trim_matches('"');
    (!name.is_empty()).then(|| name.to_owned())
}
