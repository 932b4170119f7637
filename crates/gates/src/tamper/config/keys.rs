//! Words of configuration files that make a check demand less.

use super::{Line, Sort};

/// How sure it is that a new line demands less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loosening {
    Certain,
    Possible,
}

/// What takes a failure back, in any file that holds commands or options.
pub(super) const FORGIVES: [&str; 20] = [
    "|| true",
    "|| :",
    "|| exit 0",
    "||true",
    "; true",
    "set +e",
    "--passWithNoTests",
    "--pass-with-no-tests",
    "--exit-zero",
    "--no-error-on-unmatched-pattern",
    "-DskipTests",
    "-Dmaven.test.skip",
    "-Dmaven.test.failure.ignore",
    "--continue-on-collection-errors",
    "--suppress-no-test-exit-code",
    "--no-fail-on-empty",
    "--allow-no-tests",
    "-x test",
    "--exclude-task test",
    "--forceExit",
];

/// Keys with the value that switches a failure off.
const SWITCHES: [(&str, &[&str]); 27] = [
    ("continue-on-error", &["true"]),
    ("allow_failure", &["true"]),
    ("allow_failures", &["true"]),
    ("continueonerror", &["true"]),
    ("failfast_ignore", &["true"]),
    (
        "if",
        &["false", "${{ false }}", "never()", "${{ always() && false }}"],
    ),
    ("when", &["never", "manual"]),
    ("passwithnotests", &["true"]),
    ("testfailureignore", &["true"]),
    ("skiptests", &["true"]),
    ("maven.test.skip", &["true"]),
    ("ignorefailures", &["true"]),
    ("ignore_errors", &["true"]),
    ("ignore-failures", &["true"]),
    ("fail_ci_if_error", &["false"]),
    ("failonerror", &["false"]),
    ("failontests", &["false"]),
    ("strict", &["false"]),
    ("noimplicitany", &["false"]),
    ("strictnullchecks", &["false"]),
    ("skiplibcheck", &["true"]),
    ("autotests", &["false"]),
    ("doctest", &["false"]),
    ("informational", &["true"]),
    ("ignore_error", &["true"]),
    ("nocheck", &["true"]),
    ("dangerouslyignoreunhandlederrors", &["true"]),
];

/// Keys that leave something out: a new entry is one thing less that is checked.
pub(super) const LEAVES_OUT: [&str; 28] = [
    "ignore",
    "ignores",
    "ignored",
    "ignorepatterns",
    "ignore_patterns",
    "exclude",
    "excludes",
    "exclude_lines",
    "excluded",
    "extend-exclude",
    "extend-ignore",
    "extend_ignore",
    "per-file-ignores",
    "per_file_ignores",
    "omit",
    "disable",
    "disabled",
    "skip",
    "allow",
    "suppress",
    "testpathignorepatterns",
    "coveragepathignorepatterns",
    "modulepathignorepatterns",
    "testignore",
    "norecursedirs",
    "ignore_missing_imports",
    "paths-ignore",
    "exclude-from",
];

/// Keys that say what is collected or selected: another value may be less.
pub(super) const SELECTS: [&str; 16] = [
    "testmatch",
    "testregex",
    "testdir",
    "testpaths",
    "python_files",
    "python_functions",
    "python_classes",
    "roots",
    "default-filter",
    "default_filter",
    "spec",
    "testnamepattern",
    "grep",
    "specpattern",
    "include",
    "select",
];

/// Options that leave tests out.
pub(super) const DESELECTS: [&str; 8] = [
    "--deselect",
    "--ignore=",
    "--ignore ",
    "--ignore-glob",
    "--testPathIgnorePatterns",
    "--skip ",
    "--tag ~",
    "--exclude-group",
];

/// Keys under which CI systems run commands.
pub(super) const RUNS: [&str; 8] = [
    "run",
    "script",
    "before_script",
    "command",
    "commands",
    "cmd",
    "bash",
    "sh",
];

/// The key of a line: `key: value`, `key = value`, `"key": value`, `<key>value</key>`, `- key: value`.
pub(super) fn key(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['-', ' ', '\t']);
    if let Some(rest) = line.strip_prefix('<') {
        return rest.split(['>', ' ', '/']).next().filter(|k| !k.is_empty());
    }
    let quoted = line.chars().next().filter(|c| matches!(c, '"' | '\''));
    let key = match quoted {
        Some(quote) => line.get(1..)?.split(quote).next()?,
        None => line.split([':', '=', '(', '{', '[']).next()?.trim(),
    };
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@');
    (!key.is_empty() && key.chars().all(plain)).then_some(key)
}

/// The value of a line, without quotes.
pub(super) fn value(line: &str) -> Option<&str> {
    if let Some(rest) = line.trim().strip_prefix('<') {
        return rest.split('>').nth(1)?.split('<').next();
    }
    let from = line.find([':', '='])?;
    let value = line
        .get(from + 1..)?
        .trim_start_matches(['=', ':'])
        .trim()
        .trim_end_matches(',');
    Some(value.trim_matches(|c| matches!(c, '"' | '\'')))
}

/// The first word of a value, be it in a list, a table or quotes: `error` of `["error", { … }]`.
pub(super) fn first_word(value: &str) -> &str {
    value
        .trim_start_matches(['[', '"', '\'', ' ', '{'])
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .next()
        .unwrap_or_default()
}

/// The command of a CI step, without its key.
pub(super) fn command(line: &str) -> &str {
    let line = line.trim().trim_start_matches("- ").trim();
    let stripped = line.strip_prefix("run:").or_else(|| line.strip_prefix("script:"));
    stripped.map_or(line, str::trim)
}

/// A command without the variables that it sets for itself, as far as these change nothing of what it checks.
pub(super) fn unset(command: &str) -> &str {
    let mut rest = command;
    while let Some((first, behind)) = rest.split_once(' ') {
        let harmless = first.split_once('=').is_some_and(|(name, _)| {
            matches!(name, "PATH" | "RUST_BACKTRACE" | "TERM" | "PYTHONUNBUFFERED") || name.ends_with("COLOR")
        });
        if !harmless {
            break;
        }
        rest = behind.trim_start();
    }
    rest
}

/// Whether a line is a command by itself, and neither the rest of one nor a setting for those that follow.
pub(super) fn is_whole(line: &str) -> bool {
    let command = command(line);
    command.starts_with(|c: char| c.is_alphanumeric()) && !command.contains("set +e")
}

/// Whether a command only brings programs here.
fn installs(command: &str) -> bool {
    const BEGINS: [&str; 26] = [
        "go get",
        "go install",
        "pip install",
        "pip3 install",
        "python -m pip install",
        "python3 -m pip install",
        "uv pip install",
        "uv tool install",
        "uv sync",
        "poetry install",
        "pipx install",
        "npm install",
        "npm i",
        "npm ci",
        "yarn install",
        "yarn add",
        "pnpm install",
        "pnpm add",
        "cargo install",
        "cargo binstall",
        "rustup",
        "gem install",
        "composer require",
        "apt-get",
        "brew install",
        "curl",
    ];
    let command = command.strip_prefix("sudo ").unwrap_or(command);
    let begins = |start: &&str| {
        command
            .strip_prefix(*start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    BEGINS.iter().any(begins) && !command.contains(['&', ';', '|', '`', '$'])
}

/// Programs whose failure says nothing of a check.
const CHECKS_NOTHING: [&str; 22] = [
    "rm", "rmdir", "mkdir", "cp", "mv", "ln", "touch", "chmod", "chown", "kill", "pkill", "killall",
    "source", ".", "export", "unset", "echo", "printf", "cd", "sleep", "umount", "which",
];

/// Whether a failure that is taken back is one of commands that check nothing, or comes behind one that ends the run.
fn forgives_nothing(line: &Line<'_>) -> bool {
    let key = key(line.text).unwrap_or_default();
    // What runs afterwards changes nothing of what the run came to.
    let afterwards = |key: &str| {
        matches!(
            key,
            "after_script" | "after_success" | "after_failure" | "after_deploy"
        )
    };
    if afterwards(key) || afterwards(&line.above) {
        return true;
    }
    let text = command(line.text);
    let sign = ["|| true", "||true", "|| :", "|| exit 0"]
        .iter()
        .find_map(|sign| Some((text.find(sign)?, sign.len())));
    let Some((at, length)) = sign else { return false };
    let (before, behind) = (
        text.get(..at).unwrap_or_default(),
        text.get(at + length..).unwrap_or_default(),
    );
    if FORGIVES.iter().any(|f| behind.contains(f) || before.contains(f)) {
        return false;
    }
    let before = before.trim_end();
    if before.ends_with('}') && before.contains("exit 1") {
        return true;
    }
    // In brackets only what stands in them is taken back.
    let from = before.rfind(['(', ';']).map_or(0, |n| n + 1);
    let chain = before.get(from..).unwrap_or_default();
    let mut commands = chain.split("&&").map(|command| {
        let words = command.split_whitespace().map(|w| w.trim_matches(['"', '\'']));
        words
            .filter(|w| !w.is_empty())
            .find(|w| !matches!(*w, "sudo" | "-") && !w.contains('=') && !w.ends_with(':'))
    });
    commands.all(|program| program.is_some_and(|p| CHECKS_NOTHING.contains(&p)))
}

/// Programs that check without being told what.
const ALONE: [&str; 17] = [
    "pytest",
    "py.test",
    "jest",
    "vitest",
    "mocha",
    "tox",
    "nox",
    "tsc",
    "mypy",
    "pyright",
    "flake8",
    "rspec",
    "rubocop",
    "phpunit",
    "phpstan",
    "ctest",
    "gotestsum",
];

/// Whether a line of CI runs something that checks.
pub(super) fn runs_check(line: &str) -> bool {
    const CHECKS: [&str; 26] = [
        "test",
        "tests",
        "pytest",
        "jest",
        "vitest",
        "mocha",
        "nextest",
        "clippy",
        "lint",
        "eslint",
        "biome",
        "ruff",
        "flake8",
        "mypy",
        "pyright",
        "tsc",
        "check",
        "coverage",
        "tarpaulin",
        "rspec",
        "rubocop",
        "phpunit",
        "phpstan",
        "golangci-lint",
        "verify",
        "ctest",
    ];
    let command = command(line);
    if key(command).is_some_and(|k| {
        matches!(
            k,
            "name" | "on" | "branches" | "id" | "key" | "path" | "needs" | "if" | "repo" | "rev"
        )
    }) {
        return false;
    }
    // Files are moved about under names of checks.
    const MOVES: [&str; 12] = [
        "mv", "cp", "mkdir", "rm", "find", "echo", "cat", "ls", "cd", "export", "curl", "tar",
    ];
    if command
        .split_whitespace()
        .next()
        .is_some_and(|program| MOVES.contains(&program))
    {
        return false;
    }
    if installs(command) || asks_by_test(command) {
        return false;
    }
    let words: Vec<&str> = command
        .split(|c: char| c.is_whitespace() || matches!(c, ':' | '/' | '"' | '\''))
        .collect();
    // One word alone is a program, or else a name of something.
    let alone = |w: &str| ALONE.contains(&w);
    let named = match words.as_slice() {
        [word] => alone(word),
        words => words.iter().any(|w| CHECKS.contains(w)),
    };
    named || command.contains(' ') && key(command).is_none() && super::checks::is_check(command)
}

/// Whether the only test of a line is the shell's own, which asks for values: `test "$BRANCH" = main && ./deploy`.
fn asks_by_test(command: &str) -> bool {
    let mut asks = false;
    for part in command
        .split(['&', '|', ';'])
        .map(str::trim)
        .filter(|p| !p.is_empty())
    {
        match part.strip_prefix("test ") {
            Some(rest) => asks |= rest.starts_with(['$', '-', '"', '!']),
            None if part.contains("test") || part.contains("check") || part.contains("lint") => return false,
            None => {}
        }
    }
    asks
}

/// Whether a new line demands less.
pub(super) fn loosening(sort: Sort, line: &Line<'_>, new_file: bool) -> Option<Loosening> {
    let text = line.text.trim();
    let key = key(text).map(str::to_lowercase).unwrap_or_default();
    let value = value(text).map(str::to_lowercase).unwrap_or_default();
    if FORGIVES.iter().any(|f| text.contains(f)) && !forgives_nothing(line) {
        return Some(Loosening::Certain);
    }
    let switched = SWITCHES
        .iter()
        .any(|(name, values)| *name == key && values.contains(&value.as_str()));
    if switched && (key != "if" && key != "when" || sort == Sort::Ci) {
        return Some(Loosening::Certain);
    }
    if sort == Sort::Scripts {
        // Make goes on after a failure of a command behind `-`.
        let dashed = line.text.strip_prefix("\t-").is_some_and(runs_check);
        return dashed.then_some(Loosening::Certain);
    }
    if new_file {
        return None;
    }
    if DESELECTS.iter().any(|d| text.contains(d)) {
        return Some(Loosening::Certain);
    }
    let under = |keys: &[&str]| keys.contains(&key.as_str()) || keys.contains(&line.above.as_str());
    let gates = |word: &str| line.above.contains(word);
    let litter = only_litter(text, &key);
    // `[tool.ruff.lint.per-file-ignores]`: the last part is the key.
    let section = line.above.trim_matches(['[', ']', '"']);
    let section = section.rsplit('.').next().unwrap_or(section);
    if section == "per-file-ignores" && !text.starts_with('[') {
        let about = text.split('=').next().unwrap_or_default();
        let tests = [
            "test",
            "docs",
            "doc/",
            "example",
            "__init__",
            "conftest",
            "bench",
            "migrations",
        ]
        .iter()
        .any(|word| about.contains(word));
        return Some(if tests {
            Loosening::Possible
        } else {
            Loosening::Certain
        });
    }
    // What is watched for changes says nothing of what is run.
    if under(&["ignored"]) && line.within.contains("watch") {
        return None;
    }
    match sort {
        Sort::Lint | Sort::Coverage => {
            let off = matches!(value.as_str(), "off" | "0" | "'off'" | "none" | "false" | "allow")
                || value.starts_with("[\"off\"")
                || value.starts_with("[0");
            if off || (under(&LEAVES_OUT) && !litter) {
                Some(Loosening::Certain)
            } else if matches!(value.as_str(), "warn" | "1" | "warning")
                || under(&SELECTS)
                || under(&LEAVES_OUT)
            {
                Some(Loosening::Possible)
            } else {
                None
            }
        }
        Sort::Runner => {
            if under(&LEAVES_OUT) && !litter {
                Some(Loosening::Certain)
            } else if under(&SELECTS)
                || under(&LEAVES_OUT)
                || matches!(key.as_str(), "addopts" | "retries" | "runner" | "globalsetup")
            {
                Some(Loosening::Possible)
            } else {
                None
            }
        }
        Sort::Project
            if name_of_build(line).is_some_and(|checks| checks && leaves_tests_out(text, &key, &value)) =>
        {
            Some(Loosening::Certain)
        }
        Sort::Project => {
            // A list may stand some keys further in.
            let inside = |word: &str| line.within.contains(word);
            let tool = [
                "ruff", "pytest", "coverage", "mypy", "pyright", "flake8", "lints", "jest", "vitest", "c8",
                "nyc", "pylint", "surefire", "lint",
            ]
            .iter()
            .any(|tool| inside(tool));
            let target = gates("[test]") || gates("[[test]]") || gates("[lib]");
            let off = matches!(value.as_str(), "false") && matches!(key.as_str(), "test" | "harness");
            let rule_off = gates("lints") && (value == "allow" || value.contains("level = \"allow"));
            if (target && off) || rule_off || (tool && under(&LEAVES_OUT) && !litter) {
                Some(Loosening::Certain)
            } else if tool && (under(&SELECTS) || under(&LEAVES_OUT) || key == "addopts") {
                Some(Loosening::Possible)
            } else if script_of_nothing(&key, &value) {
                Some(Loosening::Certain)
            } else {
                None
            }
        }
        Sort::Ci if line.above == "paths-ignore" || (key == "paths-ignore" && !value.is_empty()) => {
            Some(Loosening::Possible)
        }
        Sort::Ci | Sort::Scripts => None,
    }
}

/// Gradle: whether a line stands in the block of a task that checks.
fn name_of_build(line: &Line<'_>) -> Option<bool> {
    let blocks = line.within.split([' ', '.']);
    let mut blocks = blocks.filter(|b| !b.is_empty()).peekable();
    blocks.peek()?;
    Some(blocks.any(|block| {
        matches!(
            block,
            "test"
                | "check"
                | "integrationtest"
                | "checkstyle"
                | "detekt"
                | "spotbugs"
                | "pmd"
                | "ktlint"
                | "lint"
        )
    }))
}

/// `enabled = false`, `onlyIf { false }`, `exclude "**/CalcTest*"`, `excludeTestsMatching "*Calc*"`.
fn leaves_tests_out(text: &str, key: &str, value: &str) -> bool {
    let never: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    matches!(key, "enabled" | "isenabled") && value == "false"
        || never.starts_with("onlyIf{false}")
        || text.starts_with("exclude ")
        || text.starts_with("exclude(")
        || text.starts_with("excludeTestsMatching")
        || text.starts_with("excludeTags")
}

/// Whether a line names nothing but folders that are under no version control, or of others' making.
fn only_litter(text: &str, key: &str) -> bool {
    let text = if LEAVES_OUT.contains(&key) {
        value(text).unwrap_or_default()
    } else {
        text
    };
    let items = super::pairing::items(text);
    !items.is_empty() && items.iter().all(|item| super::pairing::is_litter(item))
}

/// `"test": "echo ok"`: a script of a package that runs nothing.
fn script_of_nothing(key: &str, value: &str) -> bool {
    let named = matches!(key, "test" | "lint" | "check" | "typecheck" | "build")
        || key.starts_with("test:")
        || key.starts_with("lint:");
    let nothing = value == "true"
        || value == "exit 0"
        || value == ":"
        || (value.starts_with("echo ") && !value.contains("&&"));
    named && nothing && !value.contains("exit 1")
}

/// Keys with a figure; `true`: more is stricter.
const FIGURES: [(&str, bool); 19] = [
    ("fail_under", true),
    ("fail-under", true),
    ("cov-fail-under", true),
    ("minimum_coverage", true),
    ("min_coverage", true),
    ("minimum", true),
    ("minimum_coverage_by_file", true),
    ("branches", true),
    ("functions", true),
    ("lines", true),
    ("statements", true),
    ("target", true),
    ("level", true),
    ("coverage", true),
    ("threshold", false),
    ("max-warnings", false),
    ("max_warnings", false),
    ("maxwarnings", false),
    ("max-complexity", false),
];

/// A figure that a line sets for a key.
pub(super) fn threshold(sort: Sort, line: &Line<'_>) -> Option<(&'static str, f64, bool)> {
    let text = line.text.trim();
    // Options stand anywhere in a command.
    for (name, up) in FIGURES {
        let option = format!("--{name}");
        if let Some(at) = text.find(&option) {
            let rest = text.get(at + option.len()..)?.trim_start_matches(['=', ' ']);
            if let Some(value) = leading_number(rest) {
                return Some((name, value, up));
            }
        }
    }
    if !matches!(sort, Sort::Coverage | Sort::Runner | Sort::Project | Sort::Lint) {
        return None;
    }
    let key = key(text)?.to_lowercase();
    let (name, up) = FIGURES.into_iter().find(|(name, _)| *name == key)?;
    // Plain words are figures of coverage only below a key that says so.
    let plain = matches!(
        name,
        "branches"
            | "functions"
            | "lines"
            | "statements"
            | "target"
            | "threshold"
            | "minimum"
            | "level"
            | "coverage"
    );
    let below = [
        "threshold",
        "coverage",
        "global",
        "project",
        "patch",
        "default",
        "limit",
        "report",
    ]
    .iter()
    .any(|word| line.above.contains(word));
    if plain && !(below || sort == Sort::Coverage) {
        return None;
    }
    Some((name, leading_number(value(text)?)?, up))
}

fn leading_number(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(['"', '\'', ' ']);
    let length = text
        .bytes()
        .take_while(|b| b.is_ascii_digit() || *b == b'.')
        .count();
    text.get(..length)?.trim_end_matches('.').parse().ok()
}
