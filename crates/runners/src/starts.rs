//! Which runners a command starts, and whether they compile what they test.

use crate::{RUNNERS, Runner, hint};
use proctor_kernel::CheckKind;

/// Programs that compile what they test before they test it. Those with a row of their own have it there.
const COMPILING: &[&str] = &[
    "cargo",
    "cross",
    "go",
    "gotestsum",
    "ginkgo",
    "gotest",
    "mvn",
    "mvnw",
    "mvnd",
    "gradle",
    "gradlew",
    "sbt",
    "sbtn",
    "mill",
    "ant",
    "dotnet",
    "swift",
    "xcodebuild",
    "bazel",
    "bazelisk",
    "buck",
    "buck2",
    "pants",
    "please",
    "plz",
    "zig",
    "dune",
    "stack",
    "cabal",
    "nimble",
    "crystal",
    "shards",
    "gleam",
    "rebar3",
    "lake",
    "alr",
    "fpm",
    "forge",
    "scarb",
    "snforge",
    "nargo",
    "aiken",
    "anchor",
    "mix",
    "wasm-pack",
    "flutter",
    "dart",
    "deno",
];

/// Programs that build what stands in their files before they run its tests, if it is to be built at all.
const BUILDERS: &[&str] = &[
    "make", "gmake", "bmake", "ninja", "samu", "meson", "cmake", "scons", "waf", "xmake",
];

/// Words with which a compiling program takes what is there.
const UNBUILT: &[&str] = &["--no-build", "test-without-building", "vstest"];

/// The runners that a command names by its words, and whether these leave open what else it starts.
#[must_use]
pub fn starts(command: &str) -> (Vec<&'static Runner>, bool) {
    let wanted = hint::wanted(command);
    let named = RUNNERS
        .iter()
        .enumerate()
        .filter(|(index, _)| wanted.named(*index));
    (named.map(|(_, row)| row).collect(), wanted.open)
}

/// The rows whose names stand in a [`proctor_kernel::Summary::runner`].
#[must_use]
pub fn rows(names: &str) -> Vec<&'static Runner> {
    let row = |name: &str| RUNNERS.iter().find(|row| row.name == name);
    names.split(", ").filter_map(row).collect()
}

/// Whether a run of tests compiled what it tested. `names` are those of its summary, where there is one: what `make test` or
/// `npm test` started is told by what was printed.
#[must_use]
pub fn compiles(command: &str, names: Option<&str>) -> bool {
    let mut words = command.split_whitespace().map(hint::program);
    let first = words.next().unwrap_or_default();
    if words.any(|word| UNBUILT.contains(&word)) {
        return false;
    }
    if COMPILING.contains(&first) {
        return true;
    }
    let seen = rows(names.unwrap_or_default());
    let mut tests = seen
        .iter()
        .filter(|row| row.kind == Some(CheckKind::Tests))
        .peekable();
    if tests.peek().is_none() {
        return BUILDERS.contains(&first);
    }
    let of_a_builder =
        |row: &Runner| BUILDERS.contains(&first) && matches!(row.name, "ctest" | "tap" | "junit");
    tests.all(|row| {
        of_a_builder(row)
            || row
                .commands
                .iter()
                .any(|c| c.split(' ').next().is_some_and(|p| COMPILING.contains(&p)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_compiles_is_told_by_the_command_or_by_what_it_printed() {
        for (command, names, expected) in [
            ("cargo test", None, true),
            ("go test ./...", None, true),
            ("./mvnw verify", None, true),
            ("dotnet test", None, true),
            ("dotnet test --no-build", None, false),
            ("xcodebuild test-without-building", None, false),
            ("pytest -q", None, false),
            ("npm test", None, false),
            ("npm test", Some("vitest"), false),
            ("just test", Some("cargo test"), true),
            ("npm test", Some("jest, cargo test"), false),
            ("make test", None, true),
            ("make test", Some("ctest"), true),
            ("make test", Some("pytest"), false),
            ("./run-tests.sh", None, false),
        ] {
            assert_eq!(compiles(command, names), expected, "{command} {names:?}");
        }
    }
}
