//! Commands of CI that check: which of them do the same work, and which do less.

use super::keys;

/// What a command checks, whatever program does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    RustTests,
    PythonTests,
    ScriptTests,
    GoTests,
    /// Tests of a project by the name that it gives them: `make test`.
    Tests,
    ScriptLint,
    PythonLint,
    PythonTypes,
    ScriptTypes,
}

/// Programs and their first words, with what they check; longer ones first.
const PROGRAMS: [(&str, Work); 55] = [
    ("cargo nextest run", Work::RustTests),
    ("cargo nextest r", Work::RustTests),
    ("cargo test", Work::RustTests),
    ("cargo t", Work::RustTests),
    ("python3 -m pytest", Work::PythonTests),
    ("python -m pytest", Work::PythonTests),
    ("python3 -m unittest discover", Work::PythonTests),
    ("python -m unittest discover", Work::PythonTests),
    ("python3 -m unittest", Work::PythonTests),
    ("python -m unittest", Work::PythonTests),
    ("uv run pytest", Work::PythonTests),
    ("poetry run pytest", Work::PythonTests),
    ("hatch run pytest", Work::PythonTests),
    ("pdm run pytest", Work::PythonTests),
    ("pytest", Work::PythonTests),
    ("py.test", Work::PythonTests),
    ("npx vitest run", Work::ScriptTests),
    ("pnpm exec vitest run", Work::ScriptTests),
    ("yarn vitest run", Work::ScriptTests),
    ("pnpm vitest run", Work::ScriptTests),
    ("bunx vitest run", Work::ScriptTests),
    ("vitest run", Work::ScriptTests),
    ("npx jest", Work::ScriptTests),
    ("pnpm exec jest", Work::ScriptTests),
    ("pnpm jest", Work::ScriptTests),
    ("yarn jest", Work::ScriptTests),
    ("jest", Work::ScriptTests),
    ("npx mocha", Work::ScriptTests),
    ("mocha", Work::ScriptTests),
    ("node --test", Work::ScriptTests),
    ("npm run test", Work::ScriptTests),
    ("npm test", Work::ScriptTests),
    ("npm t", Work::ScriptTests),
    ("yarn run test", Work::ScriptTests),
    ("yarn test", Work::ScriptTests),
    ("pnpm run test", Work::ScriptTests),
    ("pnpm test", Work::ScriptTests),
    ("bun test", Work::ScriptTests),
    ("gotestsum", Work::GoTests),
    ("go test", Work::GoTests),
    ("make test", Work::Tests),
    ("just test", Work::Tests),
    ("task test", Work::Tests),
    ("npx eslint", Work::ScriptLint),
    ("eslint", Work::ScriptLint),
    ("npx biome check", Work::ScriptLint),
    ("npx oxlint", Work::ScriptLint),
    ("flake8", Work::PythonLint),
    ("ruff check", Work::PythonLint),
    ("pylint", Work::PythonLint),
    ("mypy", Work::PythonTypes),
    ("pyright", Work::PythonTypes),
    ("npx tsc", Work::ScriptTypes),
    ("tsc", Work::ScriptTypes),
    ("npx vue-tsc", Work::ScriptTypes),
];

/// Options that change neither what is checked nor what counts as a failure. An entry that ends with `=` or a blank takes a value.
const NEUTRAL: [&str; 36] = [
    "-v",
    "-vv",
    "-q",
    "--verbose",
    "--quiet",
    "--color=",
    "--color ",
    "--colour=",
    "--no-fail-fast",
    "--nocapture",
    "--no-capture",
    "--",
    "-j=",
    "-j ",
    "--jobs=",
    "--jobs ",
    "-n=",
    "-n ",
    "--numprocesses=",
    "--numprocesses ",
    "--test-threads=",
    "--test-threads ",
    "--locked",
    "--frozen",
    "--offline",
    "--release",
    "--ci",
    "--run",
    "--watch=",
    "--watchall=",
    "--reporter=",
    "--reporter ",
    "--maxworkers=",
    "--retries=",
    "--runinband",
    "--silent",
];

/// Options by which more is checked, or more strictly.
const MORE: [&str; 14] = [
    "--workspace",
    "--all",
    "--all-features",
    "--all-targets",
    "--coverage",
    "--cov",
    "-race",
    "--strict",
    "--doctest-modules",
    "./...",
    ".",
    "--errorunlessstaged",
    "--noemit",
    "--strict-markers",
];

/// A command that checks, read.
struct Command {
    work: Work,
    program: &'static str,
    /// Its further words, options with their values as one.
    words: Vec<String>,
}

fn read(line: &str) -> Option<Command> {
    let line = keys::unset(keys::command(line).trim().trim_matches(['"', '\'']));
    // A list of commands, a pipe or a variable in front is more than a command.
    if line.contains(['|', ';', '&', '`', '$', '>', '<', '\\']) {
        return None;
    }
    let (program, work) = PROGRAMS.iter().find(|(program, _)| {
        line.strip_prefix(program)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })?;
    let mut words: Vec<String> = Vec::new();
    let mut rest = line.get(program.len()..)?.split_whitespace().peekable();
    while let Some(word) = rest.next() {
        let takes = format!("{} ", word.to_lowercase());
        // Go only says what it would run.
        let value = NEUTRAL.contains(&takes.as_str())
            && (*work != Work::GoTests || word != "-n")
            && rest.peek().is_some_and(|next| !next.starts_with('-'));
        let value = if value { rest.next() } else { None };
        words.push(value.map_or_else(|| word.to_owned(), |value| format!("{word} {value}")));
    }
    Some(Command {
        work: *work,
        program,
        words,
    })
}

fn is_neutral(word: &str) -> bool {
    let word = word.to_lowercase();
    NEUTRAL.iter().any(|known| {
        if known.ends_with(['=', ' ']) {
            word.starts_with(known)
        } else {
            word == *known
        }
    })
}

/// What another command says that does the work of one that is gone.
pub(super) struct Heir {
    /// The line as it stands there.
    pub(super) line: String,
    /// What it is known not to do.
    pub(super) lacks: Option<&'static str>,
}

/// The command among `now` that does the same work with another program: over at least as much, as strictly.
pub(super) fn heir<'l>(gone: &str, now: impl Iterator<Item = &'l str>) -> Option<Heir> {
    let was = read(gone)?;
    for line in now {
        let Some(is) = read(line).filter(|is| is.program != was.program) else {
            continue;
        };
        let same = was.work == is.work
            || was.work == Work::Tests
                && matches!(
                    is.work,
                    Work::RustTests | Work::PythonTests | Work::ScriptTests | Work::GoTests
                );
        // What was asked for besides is asked for again, and nothing narrows it.
        let kept = was
            .words
            .iter()
            .filter(|w| !is_neutral(w))
            .all(|w| is.words.contains(w));
        let narrows = |w: &&String| {
            !was.words.contains(*w) && !is_neutral(w) && !MORE.contains(&w.to_lowercase().as_str())
        };
        if !same || !kept || is.words.iter().any(|w| narrows(&w)) {
            continue;
        }
        let lacks = (was.program.starts_with("cargo t") && is.program.contains("nextest"))
            .then_some("it runs no examples of documentation comments");
        return Some(Heir {
            line: keys::command(line).to_owned(),
            lacks,
        });
    }
    None
}

/// Options of cargo that choose what is tested; without any of them it is nearly all.
const TARGETS: [&str; 9] = [
    "--lib",
    "--bin",
    "--bins",
    "--test",
    "--tests",
    "--doc",
    "--example",
    "--examples",
    "--benches",
];

/// Options that take tests or files out of what a command checks, or keep it from running or failing at all.
const NARROWS: [&str; 39] = [
    "--exact",
    "--no-run",
    "--collect-only",
    "--collectonly",
    "--co",
    "--list",
    "-list",
    "--listtests",
    "--dry-run",
    "--exit-zero",
    "--setup-plan",
    "--if-present",
    "--ignored",
    "--no-default-features",
    "--package",
    "--exclude",
    "-k",
    "-m",
    "-e",
    "--filter",
    "--filterset",
    "--filter-expr",
    "--testnamepattern",
    "--testpathpattern",
    "--testpathpatterns",
    "--testpathignorepatterns",
    "--grep",
    "-g",
    "-run",
    "-short",
    "-skip",
    "--skip",
    "--ignore",
    "--ignore-glob",
    "--deselect",
    "--onlychanged",
    "--changed",
    "--lf",
    "--last-failed",
];

/// Short options that take the next word as their value.
const SHORT: [&str; 14] = [
    "-c", "-o", "-p", "-r", "-w", "-f", "-t", "-k", "-m", "-e", "-g", "-C", "-P", "-W",
];

/// Long options that take none.
const ALONE: [&str; 10] = [
    "--strict",
    "--coverage",
    "--showlocals",
    "--pdb",
    "--bail",
    "--verbose",
    "--race",
    "--watch",
    "--fix",
    "--all",
];

/// Options whose value is a path that chooses nothing.
const PLACES: [&str; 13] = [
    "-p",
    "--cov",
    "--junitxml",
    "--config",
    "--rootdir",
    "--project",
    "--outputfile",
    "--cov-config",
    "--manifest-path",
    "--target-dir",
    "--coveragedirectory",
    "-c",
    "-o",
];

/// Whether a command that does the work of another one checks less: a part of what that went over, or nothing. `None`:
/// the two do not do the same work, or are not known.
pub(super) fn narrowed(was: &str, is: &str) -> Option<bool> {
    let (was, is) = (read(was)?, read(is)?);
    if was.work != is.work {
        return None;
    }
    // What options mean to another program is for `heir` to say.
    if was.program != is.program {
        return Some(true);
    }
    // What was asked for besides is asked for again. Without any path all of them are gone over.
    let (named, names) = (was.names(), is.names());
    let options = |c: &Command| -> Vec<String> {
        let names = c.names();
        let rest = c.words.iter().filter(|w| !names.contains(w) && !is_neutral(w));
        rest.cloned().collect()
    };
    let theirs = options(&is);
    let kept = options(&was).iter().all(|w| theirs.contains(w))
        && (names.is_empty() || named.iter().all(|n| names.contains(n)));
    let new_names = named.is_empty() && !names.is_empty();
    let narrows = |word: &String| {
        let name = word.split(['=', ' ']).next().unwrap_or_default().to_lowercase();
        !was.words.contains(word)
            && word.starts_with('-')
            && (NARROWS.contains(&name.as_str()) || is.narrows_by(&name, &was))
    };
    Some(!kept || new_names || is.words.iter().any(narrows))
}

impl Command {
    /// The words that name what is checked: those that are neither an option nor the value of one.
    fn names(&self) -> Vec<&String> {
        let mut takes = false;
        let mut found = Vec::new();
        for word in &self.words {
            let path = word.contains('/') || word.contains('.');
            if word.starts_with('-') {
                let name = word.to_lowercase();
                let known = PLACES.contains(&name.as_str());
                let long = name.starts_with("--") && name.len() > 2 && !ALONE.contains(&name.as_str());
                takes = !word.contains(['=', ' '])
                    && !is_neutral(word)
                    && (known || long || SHORT.contains(&word.as_str()));
                // A path is the value of few options.
                takes &= known || !self.next_is_path(word);
                continue;
            }
            let everything = MORE.contains(&word.as_str()) && path;
            if !takes && !everything {
                found.push(word);
            }
            takes = false;
        }
        found
    }

    fn next_is_path(&self, word: &str) -> bool {
        let next = self.words.iter().skip_while(|w| *w != word).nth(1);
        next.is_some_and(|w| !w.starts_with('-') && (w.contains('/') || w.contains('.')))
    }

    /// Whether an option that other programs know in another sense takes something out of what this one checks.
    fn narrows_by(&self, name: &str, was: &Self) -> bool {
        match self.work {
            Work::RustTests if TARGETS.contains(&name) => {
                !was.words.iter().any(|word| TARGETS.contains(&word.as_str()))
            }
            Work::RustTests => name == "-p",
            // They build, or say what they would do.
            Work::GoTests => matches!(name, "-c" | "-n" | "--run" | "--short" | "--skip" | "--list"),
            Work::ScriptTests => name == "-t" && !self.program.ends_with("mocha"),
            _ => false,
        }
    }
}
