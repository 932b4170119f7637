//! Words that change how a command tells what it does, or how fast it is, but not what it verifies.

use crate::word::program;

/// Of every program.
const GENERAL: &[&str] = &[
    "-v",
    "-vv",
    "-vvv",
    "--verbose",
    "-q",
    "-qq",
    "--quiet",
    "--silent",
    "--color",
    "--colour",
    "--colors",
    "--no-color",
    "--no-colour",
    "--progress",
    "--no-progress",
    "--",
];

/// Of the programs that have them; with `=`, they take the next word as their value.
const OWN: &[(&[&str], &[&str])] = &[
    (
        &["cargo", "cross"],
        &[
            "--locked",
            "--offline",
            "--frozen",
            "-j=",
            "--jobs=",
            "--no-fail-fast",
            "--keep-going",
            "--message-format=",
            "--nocapture",
            "--no-capture",
            "--show-output",
            "--test-threads=",
            "--color=",
            "--format=",
            "--status-level=",
            "--final-status-level=",
            "--failure-output=",
            "--success-output=",
        ],
    ),
    (
        &["pytest", "py.test"],
        &[
            "--tb=",
            "-ra",
            "-rA",
            "-rf",
            "-rs",
            "-x",
            "--exitfirst",
            "--maxfail=",
            "-s",
            "-n=",
            "--numprocesses=",
            "--dist=",
            "--durations=",
            "--capture=",
            "--color=",
            "--junitxml=",
            "--junit-xml=",
            "--cov",
            "--cov-report=",
            "--no-header",
            "--no-summary",
            "--strict-markers",
            "--no-cov",
            "--verbosity=",
        ],
    ),
    (&["unittest"], &["-b", "--buffer", "-f", "--failfast", "--locals"]),
    (
        &["go", "gotestsum", "gotest"],
        &[
            "-race",
            "-count=1",
            "-timeout=",
            "-p=",
            "-parallel=",
            "-cover",
            "-coverprofile=",
            "-json",
            "-failfast",
            "-shuffle=",
        ],
    ),
    (
        // Their `-w` names a package.
        &["npm", "pnpm", "yarn", "bun"],
        &[
            "-s",
            "--ci",
            "--coverage",
            "--runInBand",
            "--forceExit",
            "--detectOpenHandles",
            "--maxWorkers=",
            "--bail",
            "--reporter=",
            "--reporters=",
            "--run",
            "--no-watch",
            "--watchAll=false",
            "--watch=false",
            "--loglevel=",
        ],
    ),
    (
        &["jest", "vitest", "mocha", "playwright"],
        &[
            "-s",
            "--ci",
            "--coverage",
            "--runInBand",
            "-i",
            "--forceExit",
            "--detectOpenHandles",
            "--maxWorkers=",
            "-w=",
            "--bail",
            "--reporter=",
            "--reporters=",
            "--run",
            "--no-watch",
            "--watchAll=false",
            "--watch=false",
        ],
    ),
    (
        &["make", "gmake", "ninja"],
        &[
            "-j=",
            "--jobs=",
            "-s",
            "-k",
            "--keep-going",
            "-B",
            "--no-print-directory",
        ],
    ),
    (
        &["mvn", "mvnw", "mvnd"],
        &[
            "-B",
            "-e",
            "-o",
            "--batch-mode",
            "-ntp",
            "--no-transfer-progress",
            "-T=",
            "--offline",
        ],
    ),
    (
        &["gradle", "gradlew"],
        &[
            "--no-daemon",
            "--daemon",
            "--info",
            "--stacktrace",
            "--console=",
            "--offline",
            "--parallel",
            "--rerun-tasks",
        ],
    ),
    (
        &["dotnet"],
        &[
            "--nologo",
            "--no-restore",
            "-v=",
            "--verbosity=",
            "-l=",
            "--logger=",
        ],
    ),
    (
        &["ctest"],
        &["--output-on-failure", "-j=", "--parallel=", "-VV", "-V"],
    ),
    (
        &["rspec", "phpunit"],
        &["-f=", "--format=", "--no-progress", "--testdox"],
    ),
];

/// What only says into which files a report of the run goes, or what a report looks like; as in [`OWN`].
const REPORTS: &[(&[&str], &[&str])] = &[
    (
        &["pytest", "py.test"],
        &[
            "--html=",
            "--self-contained-html",
            "--junit-prefix=",
            "--log-file=",
            "--report-log=",
            "--json-report",
            "--json-report-file=",
        ],
    ),
    (
        &["npm", "pnpm", "yarn", "bun", "jest", "vitest", "playwright"],
        &["--outputFile=", "--coverageDirectory=", "--coverageReporters="],
    ),
    (&["jest"], &["--json"]),
    (&["playwright"], &["--output="]),
    (
        &["mocha"],
        &["-R=", "-O=", "--reporter-option=", "--reporter-options="],
    ),
    (
        &["node", "tsx", "ts-node"],
        &["--test-reporter=", "--test-reporter-destination="],
    ),
    (&["go", "gotestsum", "gotest"], &["-outputdir="]),
    (
        &["gotestsum"],
        &["--junitfile=", "--jsonfile=", "--format=", "-f="],
    ),
    (&["rspec"], &["-o=", "--out="]),
    (
        &["phpunit"],
        &[
            "--log-junit=",
            "--log-teamcity=",
            "--testdox-html=",
            "--testdox-text=",
            "--coverage-clover=",
            "--coverage-cobertura=",
            "--coverage-html=",
            "--coverage-text",
            "--coverage-xml=",
        ],
    ),
    (&["dotnet"], &["--results-directory=", "--collect="]),
    (&["ctest"], &["--output-junit=", "--output-log=", "-O="]),
];

/// Whether a word of cargo asks for the whole workspace.
fn is_all(word: &str) -> bool {
    matches!(word, "--workspace" | "--all")
}

/// Words that only add to what is verified: harmless where the policy does not have them.
const MORE: &[&str] = &["--workspace", "--all", "--all-targets", "--all-features"];

/// Scripts whose name is no command of yarn or pnpm themselves, so that these need no `run` before it.
const SCRIPTS: &[&str] = &["test", "lint", "build", "typecheck"];

/// Commands of cargo that know `--all` as another name of `--workspace`.
const WORKSPACE: &[&str] = &[
    "test", "t", "build", "b", "check", "c", "clippy", "doc", "d", "bench", "nextest",
];

/// The words of a command without the harmless ones, and with one name for what has several. `named` are those of the
/// policy.
pub(crate) fn core<'a>(argv: &'a [String], named: &[String]) -> Vec<&'a str> {
    let mut kept = without(argv, named);
    let Some((first, rest)) = kept.split_first_mut() else {
        return kept;
    };
    match (program(first), rest) {
        ("npm", ["run" | "run-script" | "rum" | "urn", "test", ..]) => {
            kept.remove(1);
        }
        ("npm" | "pnpm", [word @ ("t" | "tst"), ..]) => *word = "test",
        ("pnpm", ["run" | "run-script", script, ..]) | ("yarn", ["run", script, ..])
            if SCRIPTS.contains(script) || script.contains(':') =>
        {
            kept.remove(1);
        }
        ("cargo", rest) if workspace(rest) => {
            // Behind `--` the words are those of the tests.
            for word in rest.iter_mut().filter(|w| **w == "--all") {
                *word = "--workspace";
            }
        }
        _ => {}
    }
    kept
}

/// Whether these are words of a command of cargo for which `--all` means the workspace.
fn workspace(words: &[&str]) -> bool {
    let mut plain = words.iter().filter(|w| !w.starts_with(['-', '+']));
    plain.next().is_some_and(|sub| WORKSPACE.contains(sub))
}

/// The words of a command without the harmless ones.
fn without<'a>(argv: &'a [String], named: &[String]) -> Vec<&'a str> {
    let Some((first, rest)) = argv.split_first() else {
        return Vec::new();
    };
    let name = program(first);
    let rows = OWN.iter().chain(REPORTS);
    let rows = rows.filter(|(programs, _)| programs.contains(&name));
    let own: Vec<&str> = rows.flat_map(|(_, words)| words.iter().copied()).collect();
    let mut kept = vec![first.as_str()];
    let mut words = rest.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        let (flag, attached) = match word.split_once('=') {
            // `--outputFile.junit=…` of vitest names the form.
            Some((flag, _)) if flag.starts_with("--outputFile.") => ("--outputFile", true),
            Some((flag, _)) => (flag, true),
            None => match word.split_once(':') {
                Some((flag, _)) if name == "dotnet" => (flag, true),
                _ => (word, false),
            },
        };
        // Asked for all targets, tests of the documentation are not run.
        let fewer = word == "--all-targets" && rest.iter().any(|w| matches!(w.as_str(), "test" | "t"));
        if MORE.contains(&word)
            && name == "cargo"
            && !fewer
            && !named.iter().any(|n| n == word || is_all(n) && is_all(word))
        {
            continue;
        }
        // `-j4`, `-n4`
        let (short, number) = word.split_at(word.floor_char_boundary(2));
        let bundled = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let takes = |flag: &str| own.iter().any(|o| o.strip_suffix('=') == Some(flag));
        if bundled && takes(short) {
            continue;
        }
        if takes(flag) {
            if !attached {
                words.next();
            }
            continue;
        }
        if GENERAL.contains(&flag) || own.contains(&word) || own.contains(&flag) {
            continue;
        }
        kept.push(word);
    }
    kept
}
