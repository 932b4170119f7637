//! Which command lines verify something, and whether their exit status says so: a small table of
//! runner names in command position. Reads; runs nothing.

use proctor_policy::Verification;
use std::fmt;

/// What a command, or a claim, is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Tests = 1,
    Build = 2,
    Types = 4,
    Lint = 8,
    /// A verification of the project's own.
    Own = 16,
}

/// A set of [`Kind`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) fn add(&mut self, kind: Kind) {
        self.0 |= kind as u8;
    }
    pub(crate) fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }
    pub(crate) fn remove(&mut self, other: Self) {
        self.0 &= !other.0;
    }
    pub(crate) fn has(self, kind: Kind) -> bool {
        self.0 & kind as u8 != 0
    }
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether these successes support claims of those kinds. A test run builds and checks types on its
    /// way; a verification of the project's own supports everything.
    pub(crate) fn supports(self, claimed: Self) -> bool {
        let by = |kinds: &[Kind]| self.has(Kind::Own) || kinds.iter().any(|k| self.has(*k));
        (!claimed.has(Kind::Tests) || by(&[Kind::Tests]))
            && (!claimed.has(Kind::Build) || by(&[Kind::Build, Kind::Tests]))
            && (!claimed.has(Kind::Types) || by(&[Kind::Types, Kind::Build]))
            && (!claimed.has(Kind::Lint) || by(&[Kind::Lint]))
            && (!claimed.has(Kind::Own) || !self.is_empty())
    }
}

impl From<Kind> for Kinds {
    fn from(kind: Kind) -> Self {
        Self(kind as u8)
    }
}

impl fmt::Display for Kinds {
    /// The kinds as an agent would claim them: `passing tests, a clean build`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (Kind::Tests, "passing tests"),
            (Kind::Build, "a clean build"),
            (Kind::Types, "clean types"),
            (Kind::Lint, "a clean lint"),
            (Kind::Own, "a verification"),
        ];
        let mut first = true;
        for (_, name) in names.iter().filter(|(kind, _)| self.has(*kind)) {
            write!(f, "{}{name}", if first { "" } else { ", " })?;
            first = false;
        }
        Ok(())
    }
}

/// The verifications in a command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Recognised {
    /// Those whose success follows from exit status 0 of the whole line.
    pub(crate) proven: Kinds,
    /// Those that ran as well, but whose status is hidden (`| tail`, `|| true`, `; echo`, `&`, loops).
    pub(crate) masked: Kinds,
}

/// Reads a command line as a POSIX shell would, as far as it takes to find the verifications.
pub(crate) fn recognise(line: &str, own: &[Verification]) -> Recognised {
    let mut found = Recognised::default();
    read(line, own, true, 0, &mut found);
    found.masked.remove(found.proven);
    found
}

fn read(line: &str, own: &[Verification], outer: bool, depth: u8, found: &mut Recognised) {
    let steps = crate::shell::split(line);
    let control = steps.iter().any(|s| {
        matches!(
            s.argv.first().map(String::as_str),
            Some(
                "if" | "for"
                    | "while"
                    | "until"
                    | "case"
                    | "then"
                    | "else"
                    | "do"
                    | "select"
                    | "function"
                    | "!"
            )
        )
    });
    let mut strict = false;
    let mut pipefail = false;
    let settings: Vec<(bool, bool)> = steps
        .iter()
        .map(|step| {
            if step.argv.first().is_some_and(|a| a == "set") {
                for word in &step.argv {
                    strict |= word.starts_with('-') && !word.starts_with("--") && word.contains('e');
                    pipefail |= word == "pipefail";
                }
            }
            (strict, pipefail)
        })
        .collect();
    for (i, step) in steps.iter().enumerate() {
        use crate::shell::After;
        let (strict, pipefail) = settings.get(i).copied().unwrap_or_default();
        let later = steps.get(i..).unwrap_or_default();
        let last = later.len() - 1;
        let decides = later.iter().enumerate().all(|(j, s)| match s.after {
            After::And | After::End => true,
            After::Pipe => pipefail,
            After::Then => strict || j == last,
            After::Or | After::Background => false,
        });
        let sure_to_run = i
            .checked_sub(1)
            .and_then(|b| steps.get(b))
            .is_none_or(|s| s.after != After::Or);
        let proven = outer && decides && sure_to_run && !control;
        let argv: Vec<&str> = step.argv.iter().map(String::as_str).collect();
        let argv = bare(&argv);
        if let [shell, flag, script, ..] = argv
            && matches!(name(shell), "sh" | "bash" | "zsh" | "dash")
            && flag.starts_with('-')
            && flag.ends_with('c')
            && depth < 3
        {
            read(script, own, proven, depth + 1, found);
            continue;
        }
        let kinds = kinds_of(argv, own);
        if proven {
            found.proven.join(kinds);
        } else {
            found.masked.join(kinds);
        }
    }
}

/// The last part of a path, without the ending of Windows programs.
fn name(path: &str) -> &str {
    let base = path.rsplit(['/', '\\']).next().unwrap_or(path);
    [".exe", ".cmd", ".bat"]
        .iter()
        .find_map(|e| base.strip_suffix(e))
        .unwrap_or(base)
}

/// The command without assignments and without programs that only run another one.
fn bare<'a, 'b>(mut argv: &'a [&'b str]) -> &'a [&'b str] {
    for _ in 0..8 {
        let skip = match argv {
            ["do" | "then" | "else" | "!" | "{" | "(", ..] => 1,
            [word, ..] if assignment(word) => 1,
            [first, rest @ ..] => match (name(first), rest) {
                (
                    "sudo" | "env" | "nice" | "nohup" | "time" | "command" | "exec" | "stdbuf" | "xvfb-run"
                    | "npx" | "bunx" | "pnpx",
                    _,
                ) => 1 + options(rest),
                ("timeout", _) => 2 + options(rest),
                ("uv" | "poetry" | "pipenv" | "pdm" | "hatch" | "rye", ["run", more @ ..]) => {
                    2 + options(more)
                }
                ("pnpm" | "npm" | "yarn" | "bundle" | "mise" | "direnv", ["exec" | "dlx", more @ ..]) => {
                    2 + options(more)
                }
                ("python" | "python3" | "py", ["-m", ..]) => 2,
                _ => 0,
            },
            [] => 0,
        };
        if skip == 0 {
            break;
        }
        argv = argv.get(skip..).unwrap_or_default();
    }
    argv
}

fn assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

fn options(argv: &[&str]) -> usize {
    argv.iter().take_while(|a| a.starts_with('-')).count()
}

/// What one simple command verifies.
fn kinds_of(argv: &[&str], own: &[Verification]) -> Kinds {
    let mut kinds = Kinds::default();
    let [first, rest @ ..] = argv else { return kinds };
    for verification in own {
        if verification.run.split_whitespace().eq(argv.iter().copied()) {
            kinds.add(match verification.kind.as_deref() {
                Some("tests") => Kind::Tests,
                Some("build") => Kind::Build,
                Some("types") => Kind::Types,
                Some("lint") => Kind::Lint,
                _ => Kind::Own,
            });
        }
    }
    // Asking a runner about itself, or for a list, verifies nothing.
    if rest.iter().any(|a| {
        matches!(
            *a,
            "--version"
                | "-V"
                | "--help"
                | "-h"
                | "help"
                | "--list"
                | "--collect-only"
                | "--co"
                | "--dry-run"
        )
    }) {
        return kinds;
    }
    let words: Vec<&str> = rest
        .iter()
        .copied()
        .filter(|a| !a.starts_with(['-', '+']))
        .collect();
    let has = |flag: &str| rest.contains(&flag);
    let sub = words.first().copied().unwrap_or_default();
    let kind = match name(first) {
        "cargo" => match sub {
            "test" | "t" if has("--no-run") => Some(Kind::Build),
            "test" | "t" | "nextest" => Some(Kind::Tests),
            "build" | "b" | "check" | "c" | "rustc" => Some(Kind::Build),
            "clippy" => Some(Kind::Lint),
            "fmt" if has("--check") => Some(Kind::Lint),
            _ => None,
        },
        "go" => pick(sub, &["test"], &["build", "install"], &["vet"]),
        "npm" | "pnpm" | "yarn" | "bun" => {
            let script = if matches!(sub, "run" | "run-script") {
                words.get(1).copied().unwrap_or_default()
            } else {
                sub
            };
            if sub == "t" {
                Some(Kind::Tests)
            } else {
                script_kind(script)
            }
        }
        "turbo" | "nx" => words
            .iter()
            .find(|w| !matches!(**w, "run" | "run-many" | "affected"))
            .and_then(|w| script_kind(w)),
        "make" | "gmake" | "just" | "task" | "rake" | "invoke" | "mage" => match sub {
            "" | "all" => (!matches!(name(first), "just" | "task")).then_some(Kind::Build),
            target => script_kind(target),
        },
        "pytest" | "py.test" | "tox" | "nox" | "unittest" | "jest" | "vitest" | "mocha" | "ava" | "tap"
        | "rspec" | "phpunit" | "pest" | "ctest" | "nose2" | "behave" | "gotestsum" | "bats" | "kotest"
        | "c8" => Some(Kind::Tests),
        "playwright" | "cypress" => matches!(sub, "test" | "run").then_some(Kind::Tests),
        "node" if has("--test") => Some(Kind::Tests),
        "node" if has("--check") => Some(Kind::Build),
        "deno" => pick(sub, &["test"], &["check", "compile"], &["lint"]),
        "mvn" | "mvnw" | "gradle" | "gradlew" | "sbt" | "mill" => {
            words
                .iter()
                .find_map(|w| match w.rsplit(':').next().unwrap_or(w) {
                    "test" | "verify" | "check" | "install" | "build" | "integration-test" => {
                        Some(Kind::Tests)
                    }
                    "compile" | "package" | "assemble" | "classes" => Some(Kind::Build),
                    "lint" | "ktlintCheck" | "spotlessCheck" => Some(Kind::Lint),
                    _ => None,
                })
        }
        "dotnet" | "swift" | "stack" | "cabal" | "meson" | "bazel" | "bazelisk" | "buck2" | "dart"
        | "flutter" | "xcodebuild" | "mix" | "rebar3" | "zig" | "forge" | "hardhat" => {
            if words.contains(&"test") || words.contains(&"eunit") {
                Some(Kind::Tests)
            } else {
                pick(
                    sub,
                    &[],
                    &["build", "compile", "assemble"],
                    &["analyze", "format"],
                )
            }
        }
        "cmake" => has("--build").then_some(Kind::Build),
        "ninja" => Some(if sub == "test" { Kind::Tests } else { Kind::Build }),
        "gcc" | "g++" | "clang" | "clang++" | "cc" | "rustc" | "javac" | "kotlinc" | "py_compile"
        | "compileall" | "webpack" | "rollup" | "esbuild" | "tsup" => Some(Kind::Build),
        "vite" | "next" | "nuxt" | "astro" => (sub == "build").then_some(Kind::Build),
        "tsc" | "vue-tsc" | "mypy" | "pyright" | "basedpyright" | "pyre" => Some(Kind::Types),
        "ruff" => (sub == "check" || has("--check")).then_some(Kind::Lint),
        "prettier" | "black" | "isort" | "gofmt" | "rustfmt" => {
            (has("--check") || has("-c") || has("-l")).then_some(Kind::Lint)
        }
        "biome" | "oxlint" | "eslint" | "stylelint" | "flake8" | "pylint" | "golangci-lint" | "rubocop"
        | "shellcheck" | "ktlint" | "detekt" | "hadolint" | "markdownlint" | "clang-tidy" | "swiftlint"
        | "staticcheck" => Some(Kind::Lint),
        "python" | "python3" | "py" | "ruby" | "php" | "bash" | "sh" => {
            if words.get(1) == Some(&"test") && name(sub) == "manage.py" {
                Some(Kind::Tests)
            } else if has("-n") && matches!(name(first), "bash" | "sh") {
                Some(Kind::Build)
            } else {
                test_script(sub).then_some(Kind::Tests)
            }
        }
        program => test_script(program).then_some(Kind::Tests),
    };
    if let Some(kind) = kind {
        kinds.add(kind);
    }
    kinds
}

fn pick(sub: &str, tests: &[&str], build: &[&str], lint: &[&str]) -> Option<Kind> {
    if tests.contains(&sub) {
        Some(Kind::Tests)
    } else if build.contains(&sub) {
        Some(Kind::Build)
    } else if lint.contains(&sub) {
        Some(Kind::Lint)
    } else {
        None
    }
}

/// What a script or target verifies, by its name: `test:unit`, `build-release`, `lint`, `typecheck`.
fn script_kind(script: &str) -> Option<Kind> {
    let mut parts = script.split([':', '-', '_', '.']);
    match (parts.next().unwrap_or_default(), parts.next()) {
        ("test" | "tests" | "spec" | "e2e" | "check" | "verify" | "ci" | "validate", _) => Some(Kind::Tests),
        ("typecheck" | "tsc" | "types" | "typings", _) | ("type", Some("check")) => Some(Kind::Types),
        ("build" | "compile", _) => Some(Kind::Build),
        ("lint" | "eslint" | "clippy", _) => Some(Kind::Lint),
        _ => None,
    }
}

/// A script that is a test by its name: `test_x.py`, `run-tests.sh`, `./tests/run`.
fn test_script(path: &str) -> bool {
    let base = name(path);
    let stem = base.split('.').next().unwrap_or(base);
    // The shell's own `test` compares strings and files.
    if matches!(path, "test" | "[") || stem.is_empty() {
        return false;
    }
    let mut words = stem.split(['-', '_']);
    match (words.next().unwrap_or_default(), words.next()) {
        ("test" | "tests" | "runtests" | "selftest", _) => base != "test" || path.contains('/'),
        ("run", Some("test" | "tests" | "checks")) => true,
        ("run" | "all", None) => path.contains("/tests/") || path.starts_with("tests/"),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
