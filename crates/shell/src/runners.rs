//! Finding the row of the table for a command, and what its options say.

use crate::table::{ROWS, Row, Words};
use crate::word::{Arg, Known, base, below, quote};
use crate::wrappers::{listed, started};
use crate::{OwnCheck, harmless};
use proctor_kernel::{CheckKind, CheckKinds};

/// What a command verifies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) kinds: CheckKinds,
    pub(crate) partial: bool,
    /// It ends well whatever it finds.
    pub(crate) lenient: bool,
    /// It changes files.
    pub(crate) fixes: bool,
    pub(crate) folder: Option<String>,
    /// The whole, in words, where only a part is selected.
    pub(crate) whole: Option<String>,
    pub(crate) own: Option<String>,
    /// It has more words than the policy's check.
    pub(crate) varied: bool,
    pub(crate) own_folder: Option<String>,
}

/// Whether a program has a row of its own.
pub(crate) fn is_runner(name: &str) -> bool {
    ROWS.iter().any(|r| r.programs.contains(&name))
}

/// Options that only ask a program about itself, wherever they stand.
const ASKS: &[&str] = &[
    "--help",
    "--version",
    "-h",
    "-help",
    "-version",
    "help",
    "version",
];

/// Folders whose name as a word selects everything.
pub(crate) fn whole(word: &str) -> bool {
    matches!(
        word.trim_end_matches('/'),
        "." | "./..."
            | "..."
            | "src"
            | "test"
            | "tests"
            | "lib"
            | "app"
            | "spec"
            | "packages"
            | "//..."
            | "::"
            | "./src"
            | "./tests"
            | "./test"
            | "**"
            | "crates"
            | "all"
    ) || word.starts_with("src/**")
        || word.starts_with("**/")
        || word == "discover"
}

/// What a command verifies, if anything. `folder` is where it runs.
pub(crate) fn find(args: &[Arg], folder: Option<&str>) -> Option<Found> {
    let (first, rest) = args.split_first()?;
    let name = started(&first.text, &is_runner).0;
    if let Some((row, options, taken)) = row_of(name, rest) {
        if options.any(row, row.none) || asks(&options) {
            return None;
        }
        let words = options.words.get(taken..).unwrap_or_default();
        let mut found = Found {
            partial: options.any(row, row.part)
                || options
                    .flags
                    .iter()
                    .any(|(flag, value)| value.is_some_and(|value| selects(name, row, flag, value)))
                || takes_labels(name)
                    && options
                        .flags
                        .iter()
                        .any(|(flag, _)| is_label(flag.trim_start_matches('-')))
                || !row.whole.is_empty() && !options.any(row, row.whole)
                || rest
                    .iter()
                    .any(|a| a.known != Known::Whole && a.known != Known::Pattern),
            lenient: options.any(row, row.lenient),
            fixes: options.any(row, row.fixes),
            folder: options
                .folder
                .map(|f| below(folder, f))
                .or_else(|| folder.map(str::to_owned)),
            ..Found::default()
        };
        match row.words {
            Words::Tasks => tasks(name, row, &options, &mut found)?,
            Words::Select => {
                found.kinds = row.kind.into();
                found.partial |= words.iter().any(|w| !whole(w));
            }
            Words::Free => found.kinds = row.kind.into(),
        }
        found.whole = whole_of(name, row, &options, taken);
        return Some(found);
    }
    script(name, &first.text, rest).map(|(kind, partial)| Found {
        kinds: kind.into(),
        partial,
        folder: folder.map(str::to_owned),
        ..Found::default()
    })
}

/// The row for a command, its words as that row reads them, and how many of these name its sub-command.
pub(crate) fn row_of<'a>(name: &str, rest: &'a [Arg]) -> Option<(&'static Row, Options<'a>, usize)> {
    let mut rows = ROWS.iter().filter(|r| r.programs.contains(&name));
    rows.find_map(|row| {
        let options = Options::read(rest, row);
        let taken = row.fits(&options)?;
        Some((row, options, taken))
    })
}

/// Whether the value of an option selects a part: the folder at which discovery starts, packages, a setting given on the
/// command line that says where tests are looked for.
pub(crate) fn selects(name: &str, row: &Row, flag: &str, value: &str) -> bool {
    match (name, flag) {
        ("unittest", "-s" | "--start-directory") | ("gotestsum", "--packages") => {
            value.split_whitespace().any(|word| !whole(word))
        }
        ("pytest" | "py.test", "-o" | "--override-ini") => match value.split_once('=') {
            Some(("addopts", options)) => options
                .split_whitespace()
                .any(|word| listed(row.part, word.split('=').next().unwrap_or(word))),
            Some((key, _)) => matches!(key, "testpaths" | "norecursedirs") || key.starts_with("python_"),
            None => false,
        },
        _ => false,
    }
}

/// The command that selects everything.
fn whole_of(name: &str, row: &Row, options: &Options<'_>, taken: usize) -> Option<String> {
    if row.anywhere || !row.whole.is_empty() {
        return None;
    }
    let mut words = vec![name];
    match row.words {
        Words::Tasks => {
            // Up to the first name of a task, if that is no part by itself.
            let mut known = false;
            for word in options.words.iter().copied() {
                words.push(word);
                if let Some((_, part)) = task(word) {
                    known = !part;
                    break;
                }
            }
            if !known {
                return None;
            }
        }
        Words::Select | Words::Free => words.extend(options.words.iter().take(taken).copied()),
    }
    Some(match name {
        "go" => format!("{} ./...", words.join(" ")),
        "unittest" => "python3 -m unittest".to_owned(),
        "pants" => format!("{} ::", words.join(" ")),
        name if takes_labels(name) => format!("{} //...", words.join(" ")),
        _ => words.join(" "),
    })
}

/// Whether the words of a program are labels of targets, which begin with `//` and are no paths.
pub(crate) fn takes_labels(name: &str) -> bool {
    matches!(
        name,
        "bazel" | "bazelisk" | "buck2" | "buck" | "pants" | "please" | "plz"
    )
}

/// `//pkg:all`, `@repo//...`
pub(crate) fn is_label(word: &str) -> bool {
    word.starts_with("//") || word.starts_with('@') && word.contains("//")
}

/// Files that show how far the project of a program reaches, by the program.
const MARKERS: &[(&[&str], &[&str])] = &[
    (&["cargo", "cross"], &["Cargo.toml"]),
    (&["go", "gotestsum", "gotest"], &["go.mod", "go.work"]),
    (
        &[
            "pytest", "py.test", "unittest", "tox", "nox", "mypy", "pyright", "nose2",
        ],
        &["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini"],
    ),
    (
        &[
            "npm",
            "pnpm",
            "yarn",
            "bun",
            "jest",
            "vitest",
            "mocha",
            "ava",
            "playwright",
            "cypress",
            "eslint",
            "tsc",
            "turbo",
            "nx",
            "lerna",
        ],
        &["package.json"],
    ),
    (&["deno"], &["deno.json", "deno.jsonc"]),
    (&["make", "gmake"], &["Makefile", "makefile", "GNUmakefile"]),
    (&["mvn", "mvnw", "mvnd"], &["pom.xml"]),
    (
        &["gradle", "gradlew"],
        &[
            "settings.gradle",
            "settings.gradle.kts",
            "build.gradle",
            "build.gradle.kts",
        ],
    ),
    (&["rspec", "rake", "rails", "minitest"], &["Gemfile", "Rakefile"]),
    (&["phpunit", "pest", "composer", "artisan"], &["composer.json"]),
    (&["mix"], &["mix.exs"]),
    (
        &["bazel", "bazelisk"],
        &["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"],
    ),
    (&["buck2", "buck"], &[".buckconfig"]),
    (&["pants"], &["pants.toml"]),
    (&["please", "plz"], &[".plzconfig"]),
    (&["swift"], &["Package.swift"]),
    (&["dart", "flutter"], &["pubspec.yaml"]),
];

/// Files whose presence in a folder above says that a run of this program is one of a part.
pub(crate) fn markers(name: &str) -> &'static [&'static str] {
    MARKERS
        .iter()
        .find(|(programs, _)| programs.contains(&name))
        .map_or(&[], |(_, files)| files)
}

/// Whether a program does nothing but fail where neither its folder nor one above it has a file of [`MARKERS`].
pub(crate) fn needs_marker(name: &str) -> bool {
    matches!(
        name,
        "cargo"
            | "cross"
            | "go"
            | "npm"
            | "pnpm"
            | "yarn"
            | "mvn"
            | "mix"
            | "swift"
            | "dart"
            | "flutter"
            | "composer"
    )
}

fn asks(options: &Options<'_>) -> bool {
    options.flags.iter().any(|(f, _)| ASKS.contains(f))
        || options.words.first().is_some_and(|w| ASKS.contains(w))
}

/// The words of a command, sorted.
pub(crate) struct Options<'a> {
    /// Options with their values.
    pub(crate) flags: Vec<(&'a str, Option<&'a str>)>,
    pub(crate) words: Vec<&'a str>,
    folder: Option<&'a str>,
}

impl<'a> Options<'a> {
    fn read(rest: &'a [Arg], row: &Row) -> Self {
        let mut options = Self {
            flags: Vec::new(),
            words: Vec::new(),
            folder: None,
        };
        let mut at = 0;
        while let Some(word) = rest.get(at).map(|a| a.text.as_str()) {
            at += 1;
            if word == "--" || word.starts_with('+') {
                continue;
            }
            if !word.starts_with('-') || word == "-" {
                options.words.push(word);
                continue;
            }
            let (flag, mut value) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value)),
                None => (word, None),
            };
            let takes = value.is_none() && listed(row.values, flag);
            options.flags.push((flag, value));
            if takes {
                value = rest.get(at).map(|a| a.text.as_str());
                at += 1;
                if let Some(last) = options.flags.last_mut() {
                    last.1 = value;
                }
            }
            if listed(row.folders, flag) {
                options.folder = value;
            }
        }
        options
    }

    /// Whether one of the listed options is set: alone, with a value that is not a no, or as a letter in a
    /// bundle. An entry with `=` wants that very value.
    fn any(&self, row: &Row, list: &str) -> bool {
        if list.is_empty() {
            return false;
        }
        let off = |value: Option<&str>| matches!(value, Some("false" | "0" | "no" | "off"));
        list.split_ascii_whitespace().any(|entry| {
            if let Some((flag, wanted)) = entry.split_once('=') {
                return self.flags.contains(&(flag, Some(wanted)));
            }
            if !entry.starts_with('-') {
                return self.words.first() == Some(&entry);
            }
            self.flags.iter().any(|(flag, value)| {
                *flag == entry && !off(*value)
                    || entry.len() == 2 && !row.single_dash && bundled(flag, entry, row.values)
            })
        })
    }
}

/// Whether `-abc` holds the letter of `-b`, before a letter that takes the rest as its value.
fn bundled(flag: &str, entry: &str, values: &str) -> bool {
    let Some(letters) = flag
        .strip_prefix('-')
        .filter(|l| !l.starts_with('-') && l.len() > 1)
    else {
        return false;
    };
    for letter in letters.chars() {
        let option = format!("-{letter}");
        if option == entry {
            return true;
        }
        if listed(values, &option) {
            return false;
        }
    }
    false
}

impl Row {
    /// How many words the sub-command takes; none if the row is not about this command.
    fn fits(&self, options: &Options<'_>) -> Option<usize> {
        if !self.needs.is_empty() && !options.any(self, self.needs) {
            return None;
        }
        if self.subs.is_empty() {
            return Some(0);
        }
        if self.anywhere {
            return options
                .words
                .iter()
                .any(|w| {
                    self.subs.contains(w)
                        || w.rsplit(':').next().is_some_and(|last| self.subs.contains(&last))
                })
                .then_some(0);
        }
        self.subs.iter().find_map(|sub| {
            let wanted = sub.split_ascii_whitespace();
            let count = wanted.clone().count();
            if count == 0 {
                return options
                    .words
                    .first()
                    .is_none_or(|w| !self.subs.contains(w))
                    .then_some(0);
            }
            options
                .words
                .iter()
                .take(count)
                .copied()
                .eq(wanted)
                .then_some(count)
        })
    }
}

/// What the named tasks do, by their names.
fn tasks(program: &str, row: &Row, options: &Options<'_>, found: &mut Found) -> Option<()> {
    let manager = row
        .programs
        .iter()
        .any(|p| matches!(*p, "npm" | "pnpm" | "composer"));
    let mut names: Vec<&str> = Vec::new();
    for word in options.words.iter().copied() {
        let leads = matches!(
            word,
            "run"
                | "run-script"
                | "rum"
                | "urn"
                | "run-many"
                | "affected"
                | "workspace"
                | "workspaces"
                | "foreach"
                | "recursive"
                | "task"
                | "xtask"
                | "make"
        );
        if leads && names.is_empty() || crate::wrappers::assignment(word).is_some() {
            continue;
        }
        names.push(word);
        // What follows the name of a script are arguments of the script.
        if manager {
            break;
        }
    }
    // `nx run-many -t test`
    if row.programs.contains(&"nx") {
        let named = options
            .flags
            .iter()
            .filter(|(f, _)| matches!(*f, "-t" | "--target" | "--targets"));
        names.extend(named.filter_map(|(_, v)| *v).flat_map(|v| v.split(',')));
        // `nx test web`, `nx run web:test`: one project.
        let many = options.words.first() == Some(&"run-many");
        found.partial |=
            program == "nx" && !many && names.len() > 1 || options.words.first() == Some(&"affected");
    }
    // Words of the package manager itself.
    if row.programs.contains(&"yarn") && matches!(options.words.first(), Some(&("ci" | "check"))) {
        return None;
    }
    let workspace = options.words.first() == Some(&"workspace");
    if workspace {
        // `yarn workspace name test`
        names = options
            .words
            .get(2..)
            .unwrap_or_default()
            .iter()
            .copied()
            .filter(|w| *w != "run")
            .take(1)
            .collect();
        found.partial = true;
    }
    if names.is_empty() {
        found.kinds = row.bare?.into();
        return Some(());
    }
    if manager && !workspace {
        let position = options
            .words
            .iter()
            .position(|w| names.first() == Some(w))
            .unwrap_or(0);
        found.partial |= options.words.len() > position + 1;
    }
    for name in names {
        // `//pkg#build`, `app:test` of monorepos.
        if let Some((kind, part)) = task(name.rsplit('#').next().unwrap_or(name)) {
            found.kinds.insert(kind);
            found.partial |= part;
        }
    }
    (!found.kinds.is_empty()).then_some(())
}

/// What a script or target verifies, by its name, and whether only a part: `test:unit`, `build-release`.
fn task(name: &str) -> Option<(CheckKind, bool)> {
    let lower = name.to_ascii_lowercase();
    let mut parts = lower.split([':', '-', '_', '.', '/']).filter(|p| !p.is_empty());
    let first = parts.next().unwrap_or_default();
    let second = parts.next();
    let part = second.is_some_and(|s| {
        !matches!(
            s,
            "all" | "ci" | "run" | "once" | "coverage" | "cov" | "check" | "only"
        )
    });
    let kind = match (first, second) {
        ("watch" | "serve" | "dev" | "start", _)
        | (_, Some("watch" | "list" | "help" | "update" | "fix")) => return None,
        ("typecheck" | "tsc" | "types" | "typings" | "mypy" | "pyright", _) => CheckKind::Types,
        ("type" | "check", Some("check" | "types" | "type" | "ts")) => CheckKind::Types,
        ("lint" | "eslint" | "clippy" | "ruff" | "format" | "fmt" | "style", second)
            if !matches!(first, "format" | "fmt" | "style") || second == Some("check") =>
        {
            CheckKind::Lint
        }
        ("check" | "verify" | "ci", Some("lint" | "format" | "fmt" | "style")) => CheckKind::Lint,
        (
            "t" | "tst" | "test" | "tests" | "spec" | "specs" | "e2e" | "check" | "verify" | "ci"
            | "validate" | "pytest" | "jest" | "vitest" | "unit" | "unittest" | "integration" | "smoke"
            | "testall" | "precommit" | "preflight" | "qa",
            _,
        ) => CheckKind::Tests,
        ("run" | "all", Some("test" | "tests")) => CheckKind::Tests,
        ("build" | "compile" | "all" | "bundle" | "release" | "dist", _) => CheckKind::Build,
        (_, Some("test" | "tests")) => return Some((CheckKind::Tests, true)),
        (_, Some("build")) => return Some((CheckKind::Build, true)),
        (_, Some("lint")) => return Some((CheckKind::Lint, true)),
        _ => return None,
    };
    Some((kind, part))
}

/// A script that is a test by its name: `./run-tests.sh`, `python tests/run.py`, `manage.py test`.
fn script(name: &str, path: &str, rest: &[Arg]) -> Option<(CheckKind, bool)> {
    let texts: Vec<&str> = rest.iter().map(|a| a.text.as_str()).collect();
    if texts
        .iter()
        .any(|t| ASKS.contains(t) || matches!(*t, "--list" | "--dry-run" | "-n"))
    {
        return None;
    }
    let interpreter = matches!(
        name,
        "python"
            | "python3"
            | "py"
            | "ruby"
            | "php"
            | "bash"
            | "sh"
            | "zsh"
            | "dash"
            | "node"
            | "perl"
            | "tsx"
            | "ts-node"
            | "bun"
            | "pwsh"
            | "Rscript"
            | "julia"
            | "lua"
    ) || name.starts_with("python3.");
    let (path, after) = if interpreter {
        let at = texts.iter().position(|t| !t.starts_with('-'))?;
        if texts
            .iter()
            .take(at)
            .any(|t| matches!(*t, "-c" | "-e" | "-m" | "-p"))
        {
            return None;
        }
        (*texts.get(at)?, texts.get(at + 1..).unwrap_or_default())
    } else {
        (path, texts.as_slice())
    };
    let base = base(path);
    if matches!(base, "manage.py" | "artisan" | "manage") {
        return (after.first() == Some(&"test")).then_some((CheckKind::Tests, after.len() > 1));
    }
    // The shell's own `test` compares strings and files.
    if matches!(path, "test" | "[")
        || !interpreter && !path.contains('/') && !path.contains('.') && !path.contains('-')
    {
        return None;
    }
    let stem = base.split('.').next().unwrap_or(base);
    let mut words = stem.split(['-', '_']);
    let partial = !after.is_empty();
    let kind = match (words.next().unwrap_or_default(), words.next()) {
        ("test", Some(_)) | ("tests" | "runtests" | "runtest" | "selftest", _) => CheckKind::Tests,
        ("test", None) => CheckKind::Tests,
        ("run", Some("test" | "tests" | "checks" | "ci")) => CheckKind::Tests,
        ("check" | "verify" | "ci", None) if path.contains('/') => CheckKind::Tests,
        ("run" | "all", None) if path.contains("/tests/") || path.starts_with("tests/") => CheckKind::Tests,
        ("build", None) if path.contains('/') => CheckKind::Build,
        ("lint", None) if path.contains('/') => CheckKind::Lint,
        _ => return None,
    };
    Some((kind, partial || stem.starts_with("test_")))
}

/// A verification of the policy, read once for a line.
pub(crate) struct Own<'a> {
    pub(crate) check: &'a OwnCheck,
    /// Its words, if it is one simple command.
    pub(crate) argv: Vec<String>,
    /// What the table says of them.
    pub(crate) kinds: CheckKinds,
    /// The folder in which it runs, seen from the root.
    pub(crate) folder: Option<String>,
}

/// Adds what the policy says of a command.
pub(crate) fn own(
    found: Option<Found>,
    argv: &[String],
    folder: Option<&str>,
    own: &[Own<'_>],
) -> Option<Found> {
    if own.iter().all(|o| o.argv.is_empty()) {
        return found;
    }
    let hit = own
        .iter()
        .filter(|o| !o.argv.is_empty())
        .map(|o| (o, harmless::core(&o.argv, &o.argv), harmless::core(argv, &o.argv)))
        .filter(|(_, named, said)| said.starts_with(named))
        .max_by_key(|(_, named, _)| named.len());
    let Some((hit, named, said)) = hit else {
        return found;
    };
    let more = said.len() > named.len();
    // With an option that makes something else of it (`--no-run`), it is another command.
    let now = found.as_ref().map(|f| f.kinds).unwrap_or_default();
    if hit.kinds.iter().any(|k| !now.has(k)) {
        return found;
    }
    // Asked for its help, its list or the like, the policy's command verifies as little as any other.
    if more
        && found.is_none()
        && said.iter().skip(named.len()).any(|a| {
            ASKS.contains(a)
                || matches!(
                    *a,
                    "--list" | "--collect-only" | "--co" | "--dry-run" | "--no-run" | "--watch" | "-n"
                )
        })
    {
        return None;
    }
    let unknown = found.is_none();
    let mut found = found.unwrap_or_else(|| Found {
        folder: folder.map(str::to_owned),
        ..Found::default()
    });
    found.kinds.insert(hit.check.kind);
    // Said by the policy, it is the whole; of a program that is not known, every further word may select.
    found.partial = more && (found.partial || unknown);
    found.varied = more;
    found.whole = Some(hit.check.run.clone());
    found.own = Some(hit.check.name.clone());
    found.own_folder.clone_from(&hit.folder);
    Some(found)
}

/// The words of a command in one line; the program without its folder, unless it is a script.
pub(crate) fn normal(argv: &[String]) -> String {
    let mut text = String::new();
    for word in argv {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&quote(word));
    }
    text
}
