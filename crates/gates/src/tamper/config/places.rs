//! Which tool a file configures, and where: a file of its own, or a section of one that holds several.

use super::super::lang::name;
use super::Sort;

/// A tool that checks.
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// What its configuration is about.
    pub(super) sort: Sort,
    /// How the names of its own files begin.
    files: &'static [&'static str],
    /// Files that it shares with others, and how its part of them begins.
    sections: &'static [(&'static str, &'static str)],
    /// Tools that do the same work, and may take its place.
    pub(super) heirs: &'static [&'static str],
    /// Whether `true` is a demand in its configuration.
    pub(super) switches: bool,
}

const fn tool(
    name: &'static str,
    sort: Sort,
    files: &'static [&'static str],
    sections: &'static [(&'static str, &'static str)],
    heirs: &'static [&'static str],
) -> Tool {
    Tool {
        name,
        sort,
        files,
        sections,
        heirs,
        switches: false,
    }
}

const PROJECT: &str = "pyproject.toml";
const PACKAGE: &str = "package.json";

/// The tools whose configuration is known to stand in more than one place.
static TOOLS: [Tool; 26] = [
    tool(
        "eslint",
        Sort::Lint,
        &[".eslintrc", "eslint.config.", ".eslintignore"],
        &[(PACKAGE, "eslintConfig")],
        &["biome", "oxlint"],
    ),
    tool("biome", Sort::Lint, &["biome.json"], &[], &["eslint"]),
    tool("oxlint", Sort::Lint, &[".oxlintrc"], &[], &["eslint"]),
    tool(
        "stylelint",
        Sort::Lint,
        &[".stylelintrc"],
        &[(PACKAGE, "stylelint")],
        &[],
    ),
    tool(
        "flake8",
        Sort::Lint,
        &[".flake8"],
        &[
            ("setup.cfg", "[flake8"),
            ("tox.ini", "[flake8"),
            (PROJECT, "[tool.flake8"),
        ],
        &["ruff"],
    ),
    tool(
        "ruff",
        Sort::Lint,
        &["ruff.toml", ".ruff.toml"],
        &[(PROJECT, "[tool.ruff")],
        &[],
    ),
    tool(
        "pylint",
        Sort::Lint,
        &[".pylintrc", "pylintrc"],
        &[("setup.cfg", "[pylint"), (PROJECT, "[tool.pylint")],
        &["ruff"],
    ),
    Tool {
        switches: true,
        ..tool(
            "mypy",
            Sort::Lint,
            &["mypy.ini", ".mypy.ini"],
            &[("setup.cfg", "[mypy"), (PROJECT, "[tool.mypy")],
            &[],
        )
    },
    Tool {
        switches: true,
        ..tool(
            "pyright",
            Sort::Lint,
            &["pyrightconfig.json"],
            &[(PROJECT, "[tool.pyright")],
            &[],
        )
    },
    Tool {
        switches: true,
        ..tool("tsc", Sort::Lint, &["tsconfig"], &[], &[])
    },
    Tool {
        switches: true,
        ..tool(
            "coverage",
            Sort::Coverage,
            &[".coveragerc"],
            &[
                ("setup.cfg", "[coverage"),
                ("tox.ini", "[coverage"),
                (PROJECT, "[tool.coverage"),
            ],
            &[],
        )
    },
    tool(
        "nyc",
        Sort::Coverage,
        &[".nycrc", "nyc.config."],
        &[(PACKAGE, "nyc")],
        &["c8", "jest", "vitest"],
    ),
    tool("c8", Sort::Coverage, &[".c8rc"], &[(PACKAGE, "c8")], &["vitest"]),
    tool("codecov", Sort::Coverage, &["codecov.", ".codecov."], &[], &[]),
    tool(
        "pytest",
        Sort::Runner,
        &["pytest.ini", ".pytest.ini"],
        &[
            ("setup.cfg", "[tool:pytest"),
            ("tox.ini", "[pytest"),
            (PROJECT, "[tool.pytest"),
        ],
        &[],
    ),
    tool(
        "tox",
        Sort::Runner,
        &["noxfile.py"],
        &[
            ("tox.ini", "[tox"),
            ("tox.ini", "[testenv"),
            (PROJECT, "[tool.tox"),
            ("setup.cfg", "[tox"),
        ],
        &[],
    ),
    tool(
        "jest",
        Sort::Runner,
        &["jest.config.", "jest.setup."],
        &[(PACKAGE, "jest")],
        &["vitest"],
    ),
    tool("vitest", Sort::Runner, &["vitest.", "vite.config."], &[], &[]),
    tool(
        "mocha",
        Sort::Runner,
        &[".mocharc"],
        &[(PACKAGE, "mocha")],
        &["vitest", "jest"],
    ),
    tool(
        "ava",
        Sort::Runner,
        &["ava.config."],
        &[(PACKAGE, "ava")],
        &["vitest"],
    ),
    tool("karma", Sort::Runner, &["karma.conf."], &[], &["vitest", "jest"]),
    tool("playwright", Sort::Runner, &["playwright.config."], &[], &[]),
    tool(
        "cypress",
        Sort::Runner,
        &["cypress.config."],
        &[],
        &["playwright"],
    ),
    tool("golangci-lint", Sort::Lint, &[".golangci."], &[], &[]),
    tool("clippy", Sort::Lint, &["clippy.toml", ".clippy.toml"], &[], &[]),
    tool("phpunit", Sort::Runner, &["phpunit.xml"], &[], &[]),
];

/// The tools that a file may configure.
pub(super) fn tools(path: &str) -> impl Iterator<Item = &'static Tool> {
    let name = name(path);
    TOOLS.iter().filter(move |tool| {
        tool.files.iter().any(|start| name.starts_with(start))
            || tool.sections.iter().any(|(file, _)| *file == name)
    })
}

/// What a text says to a tool, with all other lines empty, so that the numbers of lines stay. `None`: nothing.
pub(super) fn part(tool: &Tool, path: &str, text: &str) -> Option<String> {
    let name = name(path);
    if tool.files.iter().any(|start| name.starts_with(start)) {
        return (!text.trim().is_empty()).then(|| text.to_owned());
    }
    let starts = || {
        let own = tool.sections.iter().filter(|(file, _)| *file == name);
        own.map(|(_, start)| *start)
    };
    let inside = inside(text, name == PACKAGE, |line| {
        starts().any(|start| begins(line, start))
    });
    let mut out = String::new();
    for (line, inside) in text.lines().zip(&inside) {
        out.push_str(if *inside { line } else { "" });
        out.push('\n');
    }
    (!out.trim().is_empty()).then_some(out)
}

/// A text without what it says to a tool; the numbers of lines stay.
pub(super) fn rest(tool: &Tool, path: &str, text: &str) -> String {
    let part = part(tool, path, text).unwrap_or_default();
    let mut part = part.lines();
    let mut out = String::new();
    for line in text.lines() {
        let taken = part.next().is_some_and(|p| !p.is_empty());
        out.push_str(if taken { "" } else { line });
        out.push('\n');
    }
    out
}

/// Whether a line is the head of a part: `[tool.ruff]`, `[tool.ruff.lint]`, `"jest": {`.
fn begins(line: &str, start: &str) -> bool {
    let Some(rest) = line.strip_prefix('"') else {
        return line
            .trim_start_matches('[')
            .strip_prefix(start.trim_start_matches('['))
            .is_some_and(|rest| line.starts_with('[') && rest.starts_with([']', '.', ':', '-']));
    };
    // A version of the tool among the dependencies is no part.
    let value = rest.strip_prefix(start).and_then(|rest| rest.strip_prefix('"'));
    value.is_some_and(|value| {
        value
            .trim_start()
            .strip_prefix(':')
            .is_some_and(|v| v.trim_start().starts_with('{'))
    })
}

/// Which lines stand in a part: up to the next head, or as far as its brackets reach.
fn inside(text: &str, json: bool, is_head: impl Fn(&str) -> bool) -> Vec<bool> {
    let mut within = false;
    let mut depth = 0_usize;
    let depth_of = |line: &str, from: usize| {
        line.bytes().fold(from, |depth, byte| match byte {
            b'{' | b'[' => depth + 1,
            b'}' | b']' => depth.saturating_sub(1),
            _ => depth,
        })
    };
    let of_line = |line: &str| {
        let trimmed = line.trim();
        if !json {
            if line.starts_with('[') {
                within = is_head(trimmed);
            }
            return within;
        }
        if depth == 0 && !is_head(trimmed) {
            return false;
        }
        depth = depth_of(trimmed, depth);
        true
    };
    text.lines().map(of_line).collect()
}
