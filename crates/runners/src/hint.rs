//! Which rows of the table a command names.

use crate::{RUNNERS, Runner};

/// What a command lets us believe.
pub(crate) struct Wanted {
    /// Rows that the command names; their weaker forms are believed too.
    rows: u64,
    /// Whether other runners may have run within it.
    pub(crate) open: bool,
}

impl Wanted {
    /// Whether the command names this row.
    pub(crate) fn named(&self, index: usize) -> bool {
        u32::try_from(index)
            .ok()
            .and_then(|i| 1_u64.checked_shl(i))
            .is_some_and(|bit| self.rows & bit != 0)
    }
}

/// Programs that start what their arguments name.
const LAUNCHERS: &[&str] = &[
    "npx",
    "bunx",
    "pnpx",
    "pnpm",
    "yarn",
    "npm",
    "bun",
    "uv",
    "uvx",
    "poetry",
    "pipenv",
    "pdm",
    "rye",
    "hatch",
    "bundle",
    "bin/rails",
    "env",
    "time",
    "nice",
    "sudo",
    "timeout",
    "xvfb-run",
    "corepack",
    "mise",
    "direnv",
];

/// Reads a command that was cut down to the check in it.
pub(crate) fn wanted(hint: &str) -> Wanted {
    let mut words: Vec<&str> = hint.split_whitespace().map(program).collect();
    let mut rows = 0;
    loop {
        let named = rows_of(&words);
        let open = named == 0
            || RUNNERS
                .iter()
                .enumerate()
                .any(|(i, r)| r.opens && named & (1 << i) != 0);
        rows |= named;
        if !open {
            return Wanted { rows, open };
        }
        // `npx jest`, `uv run pytest`, `timeout 60 cargo test`: the launcher and its own words go.
        if !words.first().is_some_and(|w| LAUNCHERS.contains(w)) {
            return Wanted { rows, open: true };
        }
        words.remove(0);
        skip_own(&mut words);
    }
}

/// Launchers whose words are their own programs or those of the project: `npm run jest` may be anything.
const OF_SCRIPTS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

/// The runner that a command starts itself, if it is one that always prints its end, and its words.
pub(crate) fn ending(hint: &str) -> Option<(&'static Runner, Vec<&str>)> {
    let mut words: Vec<&str> = hint.split_whitespace().map(program).collect();
    loop {
        let row = RUNNERS.iter().find(|r| r.ends.iter().any(|c| matches(c, &words)));
        if let Some(row) = row {
            return Some((row, words));
        }
        let launcher = words.first().filter(|w| LAUNCHERS.contains(w))?;
        let scripts = OF_SCRIPTS.contains(launcher);
        words.remove(0);
        if scripts && !words.first().is_some_and(|w| matches!(*w, "exec" | "dlx")) {
            return None;
        }
        skip_own(&mut words);
    }
}

/// Takes off what belongs to a launcher.
fn skip_own(words: &mut Vec<&str>) {
    while words.first().is_some_and(|w| {
        w.starts_with('-')
            || matches!(*w, "exec" | "run" | "dlx" | "tool")
            || w.starts_with(|c: char| c.is_ascii_digit())
    }) {
        words.remove(0);
    }
}

/// The name of a program without its folder and ending.
pub(crate) fn program(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = if name.is_empty() { word } else { name };
    [".exe", ".cmd", ".bat"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name)
}

fn rows_of(words: &[&str]) -> u64 {
    RUNNERS.iter().enumerate().fold(0, |rows, (index, row)| {
        if row.commands.iter().any(|c| matches(c, words)) {
            rows | 1 << index
        } else {
            rows
        }
    })
}

/// Whether a command begins as the pattern says. Options between its words do not matter; an option in
/// the pattern may stand anywhere.
fn matches(pattern: &str, words: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else {
        return false;
    };
    let mut pattern = pattern.split(' ');
    let name = pattern.next().unwrap_or("");
    let rest = if *first == name {
        rest
    } else if first.starts_with("python") || *first == "py" {
        // `python3 -m pytest`
        let module = rest.iter().position(|w| *w == "-m");
        match module
            .and_then(|at| rest.get(at + 1..))
            .and_then(<[&str]>::split_first)
        {
            Some((module, rest)) if *module == name => rest,
            _ if name == "python" => rest,
            _ => return false,
        }
    } else {
        return false;
    };
    let mut plain = rest.iter().filter(|w| !w.starts_with(['-', '+']));
    pattern.all(|want| {
        if want.starts_with('-') {
            rest.contains(&want)
        } else {
            plain.next() == Some(&want)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(hint: &str) -> (Vec<&'static str>, bool) {
        let wanted = wanted(hint);
        let names = RUNNERS.iter().enumerate().filter(|(i, _)| wanted.named(*i));
        (names.map(|(_, r)| r.name).collect(), wanted.open)
    }

    #[test]
    fn commands_name_their_runner() {
        for (hint, expected) in [
            ("cargo test -p core", "cargo test"),
            ("cargo +nightly --locked test", "cargo test"),
            ("cargo nextest run", "cargo nextest"),
            ("python3 -m pytest -q", "pytest"),
            (".venv/bin/pytest tests", "pytest"),
            ("uv run pytest", "pytest"),
            ("python -m unittest discover", "unittest"),
            ("python manage.py test", "unittest"),
            ("npx --yes jest", "jest"),
            ("yarn jest", "jest"),
            ("pnpm exec vitest run", "vitest"),
            ("node --import x --test", "node --test"),
            ("go test ./...", "go test"),
        ] {
            let (mut named, open) = names(hint);
            // `yarn jest` names yarn too, whose words about scripts are read as well.
            named.retain(|n| *n != "npm");
            assert_eq!((named, open), (vec![expected], false), "{hint}");
        }
    }

    #[test]
    fn commands_that_can_start_anything_leave_it_open() {
        for hint in [
            "",
            "./scripts/check",
            "npm test",
            "tox",
            "cargo run",
            "node app.js",
            "yarn test",
            "npx",
        ] {
            assert!(names(hint).1, "{hint}");
        }
    }
}
