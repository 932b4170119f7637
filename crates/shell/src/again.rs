//! Whether a check that passed asked for no less than one that failed, as far as the words of both tell.

use crate::runners::{Options, row_of, whole};
use crate::table::{Row, Words};
use crate::word::{Arg, program};
use crate::wrappers::listed;
use crate::{harmless, walk};
use proctor_kernel::CheckKind;

/// What the words of a pass say of it beside those of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Again {
    /// It asks for no less.
    Whole,
    /// It names a folder that by custom holds all of it: no less, unless figures show fewer.
    Usual,
    /// Some words may leave something out, or ask for less: only figures can tell.
    Open,
    /// It is another run: other settings, or something else that the same tool does.
    Other,
}

/// Options that name the settings by which a runner decides what is run, by the programs. With others it is another run,
/// however many tests it has.
const SETTINGS: &[(&[&str], &str)] = &[
    (
        &["pytest", "py.test"],
        "-c --config-file --confcutdir --noconftest",
    ),
    (&["jest"], "-c --config --rootDir --roots --projects --preset"),
    (&["vitest"], "-c --config -r --root --dir --workspace"),
    (
        &["mocha", "playwright", "ava", "wdio", "cypress"],
        "-c --config --config-file --package --opts",
    ),
    (&["deno"], "-c --config"),
    (&["cargo", "cross"], "--manifest-path --config"),
    (&["mvn", "mvnw", "mvnd"], "-P -s --settings --activate-profiles"),
    (
        &["gradle", "gradlew"],
        "-b -c -I --build-file --settings-file --init-script",
    ),
    (&["tox", "nox"], "-c --conf -f --noxfile"),
    (
        &["phpunit", "pest", "paratest", "behat"],
        "-c --configuration --bootstrap --no-configuration",
    ),
    (&["rspec"], "-O --options"),
    (
        &["make", "gmake", "bmake", "just", "task", "go-task"],
        "-f --file --makefile --justfile -t --taskfile",
    ),
];

/// Options beside the harmless ones with which no less is looked at: they are stricter, fix what they find, or say how
/// fast it goes and where something is put.
const NO_LESS: &[(&[&str], &str)] = &[
    (
        &["cargo", "cross"],
        "-r --release --all-targets --all-features --no-deps --fix --allow-dirty --allow-staged -D -W -F --timings \
         --target-dir --future-incompat-report",
    ),
    (
        &["go", "gotestsum", "gotest"],
        "-v -race -count -timeout -cover -covermode -coverpkg -coverprofile -json -failfast -shuffle -benchmem -trimpath \
         -a -x -work -o -parallel -p -f --format --junitfile --jsonfile",
    ),
    (
        &["gradle", "gradlew"],
        "--build-cache --no-build-cache --continue --warning-mode -q --scan --refresh-dependencies --no-parallel \
         --max-workers --configuration-cache --no-configuration-cache --warn --debug -i -d -s -S --full-stacktrace --profile",
    ),
    (
        &["mvn", "mvnw", "mvnd"],
        "-U --update-snapshots -X -q -fae --fail-at-end -ff -nsu -am --also-make -V --show-version -Dstyle.color",
    ),
    (
        &["tsc", "vue-tsc", "tsgo"],
        "--noEmit --pretty --incremental --tsBuildInfoFile --outDir --declaration --declarationMap --sourceMap --strict \
         --noUnusedLocals --noUnusedParameters --diagnostics --extendedDiagnostics --listFiles --listEmittedFiles -b --build \
         -f --force",
    ),
    (
        &["eslint", "oxlint", "stylelint"],
        "--max-warnings --cache --cache-location --cache-strategy --ext -f --format --fix --stats --concurrency \
         --report-unused-disable-directives --no-error-on-unmatched-pattern --no-warn-ignored",
    ),
    (
        &["ruff"],
        "--fix --show-fixes --unsafe-fixes --output-format --no-cache --cache-dir --statistics --preview --diff --check \
         --extend-select",
    ),
    (
        &["biome"],
        "--write --fix --apply --unsafe --error-on-warnings --max-diagnostics --reporter",
    ),
    (
        &["prettier", "oxfmt"],
        "-c --check -l --list-different -w --write --cache --log-level -u --ignore-unknown",
    ),
    (
        &["black", "isort", "yapf"],
        "--check --diff -c --check-only --fast",
    ),
    (
        &["mypy"],
        "--strict --pretty --show-error-codes --show-error-context --show-column-numbers --no-error-summary \
         --no-incremental --install-types --non-interactive --cache-dir --check-untyped-defs --disallow-untyped-defs \
         --warn-unused-ignores --warn-return-any --warn-unreachable",
    ),
    (
        &["pyright", "basedpyright"],
        "--stats --threads --outputjson --warnings",
    ),
    (
        &["golangci-lint"],
        "--timeout --fix --out-format --max-same-issues --max-issues-per-linter -j --concurrency --allow-parallel-runners",
    ),
    (&["unittest"], "-t --top-level-directory -c --catch"),
    (&["dotnet"], "-c --configuration -warnaserror --warnaserror"),
];

/// Those of them that demand more: what failed with one has not passed without it.
const STRICTER: &str = "-D -F --all-targets --all-features -race --noUnusedLocals --noUnusedParameters --strict \
    --max-warnings --extend-select --preview --error-on-warnings --check-untyped-defs --disallow-untyped-defs \
    --warn-unused-ignores --warn-return-any --warn-unreachable --warnings -warnaserror --warnaserror";

/// Tasks that do what those before them in a line do, by the programs.
const ORDERS: &[(&[&str], &[&str])] = &[
    (
        &["mvn", "mvnw", "mvnd"],
        &[
            "process-classes",
            "compile",
            "test-compile",
            "test",
            "package",
            "integration-test",
            "verify",
            "install",
            "deploy",
        ],
    ),
    (&["gradle", "gradlew"], &["test", "check", "build"]),
];

/// Programs with rows of their own that start what a file of the project names.
const STARTERS: &[&str] = &[
    "pre-commit",
    "prek",
    "lefthook",
    "lint-staged",
    "trunk",
    "super-linter",
    "treefmt",
    "tox",
    "nox",
];

/// Compares the words of a pass with those of a failure of the same runner. `tested`: the failed run came to look at
/// something; else its own options may be what was wrong with it.
#[must_use]
pub fn again(pass: &str, failed: &str, tested: bool) -> Again {
    let (pass, failed) = (argv(pass), argv(failed));
    let mine = args(&harmless::core(&pass, &failed));
    let its = args(&harmless::core(&failed, &failed));
    if mine == its {
        return Again::Whole;
    }
    let (Some(mine), Some(its)) = (Said::of(&mine), Said::of(&its)) else {
        // A script is what its path says; its words, where it has any, make it a part.
        return match (mine.first(), its.first()) {
            (Some(a), Some(b)) if a.text == b.text => Again::Whole,
            _ => Again::Open,
        };
    };
    mine.options_beside(&its, tested).max(mine.words_beside(&its))
}

/// Whether a check is that of one tool, and none that starts others.
#[must_use]
pub fn is_tool(check: &str) -> bool {
    let words = args(&argv(check).iter().map(String::as_str).collect::<Vec<_>>());
    Said::of(&words).is_some_and(|said| said.row.words != Words::Tasks && !STARTERS.contains(&said.name))
}

/// The words of the first command of a line.
fn argv(check: &str) -> Vec<String> {
    let commands = walk::analyse(check, &[]).commands;
    commands.into_iter().next().map(|c| c.argv).unwrap_or_default()
}

fn args(words: &[&str]) -> Vec<Arg> {
    words.iter().map(|word| Arg::plain(word)).collect()
}

/// A check as the table reads it.
struct Said<'a> {
    name: &'a str,
    row: &'static Row,
    /// The words of its sub-command.
    sub: String,
    flags: Vec<(&'a str, Option<&'a str>)>,
    words: Vec<&'a str>,
}

impl<'a> Said<'a> {
    fn of(args: &'a [Arg]) -> Option<Self> {
        let (first, rest) = args.split_first()?;
        let name = program(&first.text);
        let (row, Options { flags, words, .. }, taken) = row_of(name, rest)?;
        let mut sub: Vec<&str> = words.iter().take(taken).copied().collect();
        let words = words.get(taken..).unwrap_or_default().to_vec();
        if let Some(last) = sub.last_mut() {
            *last = match *last {
                "t" => "test",
                "b" => "build",
                "c" => "check",
                "r" => "run",
                word => word,
            };
        }
        Some(Self {
            name,
            row,
            // `vitest` by itself runs as well.
            sub: sub.join(" ").trim_start_matches("run").to_owned(),
            flags,
            words,
        })
    }

    fn options_beside(&self, its: &Self, tested: bool) -> Again {
        let more = self.flags.iter().filter(|flag| !its.flags.contains(flag));
        let more = more.map(|flag| self.weight(flag));
        // Tests are built before they are run.
        let builds = self.row.kind == CheckKind::Tests && its.row.kind != CheckKind::Tests;
        let built = |flag: &str| builds && matches!(flag, "--tests" | "--all-targets");
        // What selected a part there need not be here.
        let fewer = its.flags.iter().filter(|flag| {
            tested
                && !built(flag.0)
                && !self.flags.contains(flag)
                && !listed(its.row.part, flag.0)
                && !its.selects_a_part(flag)
        });
        let fewer = fewer.map(|flag| {
            let stricter = listed(STRICTER, flag.0);
            its.weight(flag)
                .max(if stricter { Again::Open } else { Again::Whole })
        });
        more.chain(fewer).max().unwrap_or(Again::Whole)
    }

    /// What an option means that the other run does not have.
    fn weight(&self, (flag, value): &(&str, Option<&str>)) -> Again {
        let of = |lists: &'static [(&[&str], &str)]| {
            let mine = lists.iter().find(|(programs, _)| programs.contains(&self.name));
            mine.map_or("", |(_, list)| list)
        };
        let (settings, no_less) = (of(SETTINGS), of(NO_LESS));
        // `-Pquick`
        let attached = flag.get(..2).filter(|_| self.row.single_dash && flag.len() > 2);
        if listed(settings, flag) || attached.is_some_and(|short| listed(settings, short)) {
            return if value.is_some_and(|v| is_found_anyway(self.name, v)) {
                Again::Whole
            } else {
                Again::Other
            };
        }
        let project = matches!(*flag, "-p" | "--project") && self.row.kind == CheckKind::Types;
        let folder = self.name == "unittest" && matches!(*flag, "-s" | "--start-directory");
        if folder && value.is_some_and(whole) {
            return Again::Usual;
        }
        let usual = project && value.is_some_and(|v| is_found_anyway(self.name, v));
        if usual || listed(no_less, flag) || listed(self.row.folders, flag) {
            Again::Whole
        } else {
            Again::Open
        }
    }

    fn selects_a_part(&self, (flag, value): &(&str, Option<&str>)) -> bool {
        value.is_some_and(|value| crate::runners::selects(self.name, self.row, flag, value))
    }

    fn words_beside(&self, its: &Self) -> Again {
        if self.row.words == Words::Tasks && its.row.words == Words::Tasks {
            // What the names of tasks say is told apart elsewhere.
            return Again::Whole;
        }
        let go = |name: &str| matches!(name, "go" | "gotestsum" | "gotest");
        if self.name != its.name && !(go(self.name) && go(its.name)) {
            return Again::Open;
        }
        if self.row.kind == its.row.kind && !self.does_what(its) {
            return if self.row.kind == CheckKind::Tests {
                Again::Open
            } else {
                Again::Other
            };
        }
        let holds = if self.row.anywhere {
            let new = self
                .words
                .iter()
                .any(|word| word.contains(':') && !its.words.contains(word));
            !new && its
                .words
                .iter()
                .all(|task| *task == "clean" || self.words.iter().any(|word| self.includes(word, task)))
        } else {
            return self.covers(its);
        };
        if holds { Again::Whole } else { Again::Open }
    }

    /// Whether the sub-command is the same, or does all that the other one does.
    fn does_what(&self, its: &Self) -> bool {
        self.sub == its.sub
            || its.row.anywhere
            || match (self.name, self.sub.as_str(), its.sub.as_str()) {
                ("biome", "check" | "ci", _) => true,
                ("go", "build" | "install", sub) => matches!(sub, "build" | "install"),
                ("dotnet", "publish" | "pack" | "msbuild", "build") => true,
                ("gotestsum" | "gotest" | "go", ..) => self.row.kind == CheckKind::Tests,
                _ => false,
            }
    }

    /// Whether a task runs another one.
    fn includes(&self, word: &str, task: &str) -> bool {
        // `test` runs those of all projects, `:app:test` among them.
        let task = if word.contains(':') {
            task
        } else {
            task.rsplit(':').next().unwrap_or(task)
        };
        let order = ORDERS.iter().find(|(programs, _)| programs.contains(&self.name));
        let at = |word: &str| order?.1.iter().position(|step| *step == word);
        word == task
            || word == "build" && matches!(self.name, "gradle" | "gradlew")
            || matches!((at(word), at(task)), (Some(a), Some(b)) if a >= b)
    }

    /// Whether the files and folders that the words select hold those of the other one.
    fn covers(&self, its: &Self) -> Again {
        let mine = self.selected();
        // Of what takes no words everything is meant; for Go, that is the folder alone.
        if mine.iter().all(|word| is_all(word)) && (!mine.is_empty() || self.name != "go") {
            return Again::Whole;
        }
        let its = its.selected();
        let mine: Vec<&str> = if mine.is_empty() { vec!["."] } else { mine };
        let its = if its.is_empty() { vec!["."] } else { its };
        let holds = |folder: &str, word: &str| {
            let rest = word.strip_prefix(folder);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.', ':'])) && !is_all(word)
        };
        if its
            .iter()
            .all(|word| mine.iter().any(|folder| holds(folder, word)))
        {
            Again::Whole
        } else if self.name != "go" && mine.iter().all(|word| whole(word)) {
            Again::Usual
        } else {
            Again::Open
        }
    }

    /// The words without what only says that words follow, and without the marks of a folder.
    fn selected(&self) -> Vec<&'a str> {
        let words = self.words.iter().copied().filter(|w| *w != "discover");
        let bare = |w: &'a str| match w.strip_prefix("./").unwrap_or(w).trim_end_matches('/') {
            "" => ".",
            word => word,
        };
        let words: Vec<&str> = words.map(bare).collect();
        if words.is_empty() && self.name == "gotestsum" {
            return vec!["..."];
        }
        // Elsewhere the folder in which it runs is all of it.
        if self.name == "go" {
            words
        } else {
            words.into_iter().filter(|w| *w != ".").collect()
        }
    }
}

/// Whether a word selects everything below the folder in which it runs, and is no folder inside.
fn is_all(word: &str) -> bool {
    matches!(word, "..." | "**" | "all" | "::" | "//...") || word.starts_with("**/") && whole(word)
}

/// Whether a settings file is one that the program takes by itself: `jest.config.js`, `tsconfig.json`.
fn is_found_anyway(name: &str, file: &str) -> bool {
    let file = file.strip_prefix("./").unwrap_or(file);
    let own = |rest: &str| {
        let rest = rest
            .strip_prefix(".config")
            .or_else(|| rest.strip_prefix("rc"))
            .unwrap_or(rest);
        rest.is_empty() || rest == ".xml.dist" || rest.starts_with('.') && rest.matches('.').count() == 1
    };
    matches!(
        file,
        "." | "tsconfig.json"
            | "pyproject.toml"
            | "setup.cfg"
            | "tox.ini"
            | "Cargo.toml"
            | "pom.xml"
            | "build.gradle"
            | "build.gradle.kts"
            | "package.json"
            | "Makefile"
            | "makefile"
            | "justfile"
            | "Taskfile.yml"
            | "noxfile.py"
            | "deno.json"
            | "deno.jsonc"
    ) || file.trim_start_matches('.').strip_prefix(name).is_some_and(own)
        || name == "vitest" && file.strip_prefix("vite").is_some_and(own)
}

#[cfg(test)]
mod tests {
    use super::Again::{Open, Other, Usual, Whole};
    use super::*;

    #[test]
    fn words_tell_whether_a_later_run_asks_for_no_less() {
        let mut wrong = String::new();
        for (pass, failed, expected) in [
            ("pytest -q -x", "pytest", Whole),
            ("pytest", "pytest tests/test_a.py -k one", Whole),
            ("pytest tests", "pytest tests/test_a.py", Whole),
            ("pytest tests", "pytest", Usual),
            ("pytest tests", "pytest src tests", Usual),
            ("pytest -c other.ini", "pytest", Other),
            ("pytest -c pytest.ini", "pytest", Whole),
            ("pytest -p myplugin", "pytest", Open),
            ("pytest", "pytest -W error", Open),
            ("unittest discover", "unittest", Whole),
            ("unittest discover -s tests", "unittest", Usual),
            ("unittest", "unittest discover -s tests -t .", Usual),
            ("go test", "go test ./...", Open),
            ("go test .", "go test ./...", Open),
            ("go test", "go test .", Whole),
            ("go test -race -v ./...", "go test ./...", Whole),
            ("go test ./...", "go test ./pkg", Whole),
            ("go test -tags x ./...", "go test ./...", Open),
            ("gotestsum", "go test ./...", Whole),
            ("gotestsum --format dots", "go test ./...", Whole),
            ("jest -c other.js", "jest", Other),
            ("jest", "jest -c other.js", Other),
            ("jest --config=jest.config.ts", "jest", Whole),
            ("jest --config=jest.other.config.ts", "jest", Other),
            ("vitest run --config vite.config.ts", "vitest", Whole),
            ("vitest run --root pkg", "vitest run", Other),
            ("playwright test -c x.ts", "playwright test", Other),
            ("gradle :pkg:test", "gradle test", Open),
            ("gradle test", "gradle :pkg:test", Whole),
            ("gradle build", "gradle test", Whole),
            ("gradle test", "gradle build", Open),
            ("gradlew check --no-daemon", "gradlew clean test", Whole),
            ("mvn verify", "mvn test", Whole),
            ("mvn test", "mvn verify", Open),
            ("mvn test -P quick", "mvn test", Other),
            ("mvn test -Pquick", "mvn test", Other),
            ("tox -c other.ini", "tox", Other),
            ("phpunit -c other.xml", "phpunit", Other),
            ("phpunit -c phpunit.xml.dist", "phpunit", Whole),
            ("make -f other.mk test", "make test", Other),
            ("cargo test --manifest-path pkg/Cargo.toml", "cargo test", Other),
            ("cargo test --manifest-path Cargo.toml", "cargo test", Whole),
            ("cargo test", "cargo test --all-features", Open),
            ("cargo test --all-features", "cargo test", Whole),
            ("cargo llvm-cov", "cargo test", Open),
            ("npm run test", "npm test", Whole),
            ("npm test", "npm run test:unit", Whole),
            ("npm test -- --shuffle", "npm test", Open),
            ("bash run_tests.sh", "bash run_tests.sh", Whole),
            (
                "bazel test //... --test_output=errors",
                "bazel test //pkg:all",
                Open,
            ),
            // Builds, types and style print no number that could tell.
            ("cargo build --release", "cargo build", Whole),
            ("cargo doc", "cargo build", Other),
            ("cargo test", "cargo check --tests", Whole),
            ("cargo build", "cargo check --tests", Open),
            ("cargo build", "cargo doc", Other),
            ("cargo b", "cargo build", Whole),
            ("cargo clippy -- -D warnings", "cargo clippy", Whole),
            ("cargo clippy", "cargo clippy -- -D warnings", Open),
            ("cargo clippy -- -A dead_code", "cargo clippy", Open),
            ("go build", "go build ./...", Open),
            ("go build ./...", "go build", Whole),
            ("go install ./...", "go build ./...", Whole),
            ("ruff format --check", "ruff check .", Other),
            ("ruff check . --ignore F401", "ruff check .", Open),
            ("ruff check --isolated", "ruff check .", Open),
            ("ruff check src --fix", "ruff check src/a.py", Whole),
            ("ruff check .", "ruff check src --select E", Whole),
            ("biome check .", "biome lint .", Whole),
            ("biome lint .", "biome check .", Other),
            ("eslint src", "eslint .", Usual),
            ("eslint . --max-warnings 0", "eslint src", Whole),
            ("eslint . --ignore-pattern src", "eslint .", Open),
            ("eslint . -c x.js", "eslint .", Open),
            ("tsc --noEmit --noCheck", "tsc --noEmit", Open),
            ("tsc -p tsconfig.json", "tsc --noEmit", Whole),
            ("tsc -p other.json --noEmit", "tsc --noEmit", Open),
            ("mypy . --exclude calc", "mypy .", Open),
            ("mypy --strict .", "mypy", Whole),
        ] {
            let told = again(pass, failed, true);
            if told != expected {
                wrong += &format!("{pass} after {failed}: {told:?}\n");
            }
        }
        assert!(wrong.is_empty(), "\n{wrong}");
        // What never looked at anything may have failed of its own options.
        assert_eq!(again("pytest", "pytest --no-such-option", true), Open);
        assert_eq!(again("pytest", "pytest --no-such-option", false), Whole);
        assert_eq!(again("pytest --new", "pytest", false), Open);
    }

    #[test]
    fn a_tool_is_told_from_what_starts_others() {
        for (check, tool) in [
            ("prettier --check .", true),
            ("ruff check", true),
            ("npm run lint", false),
            ("make lint", false),
            ("pre-commit run --all-files", false),
            ("./lint.sh", false),
            ("", false),
        ] {
            assert_eq!(is_tool(check), tool, "{check}");
        }
    }
}
