//! Whether a pass is one of what failed before: the same runner, told by the command or by what it printed.

use proctor_kernel::{CheckKind, CheckRun};
use proctor_runners::Runner;
use proctor_shell::{Again, again, is_tool};

/// Programs that do what files of the project say: two of them do the same only where their tasks have one name.
const STARTERS: &[&str] = &[
    "make", "gmake", "ninja", "samu", "just", "task", "go-task", "mage", "rake", "poe", "inv", "invoke",
    "doit", "duty", "nx", "turbo", "lerna", "rush", "moon", "npm", "composer", "hatch", "pdm", "rye", "pixi",
    "devbox", "deno", "mise", "ant", "mask",
];

/// Programs that run scripts: what they run is the script.
const INTERPRETERS: &[&str] = &[
    "bash", "sh", "zsh", "dash", "python", "python3", "node", "ruby", "perl", "php", "tsx", "ts-node", "pwsh",
];

/// Package managers that run the same scripts, and other names of the first one's words.
const MANAGERS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

/// Runners that run the tests of another one, or print its form.
const RELATED: &[(&str, &str)] = &[
    ("cargo test", "cargo nextest"),
    ("pytest", "unittest"),
    ("node --test", "tap"),
    ("prove", "tap"),
    ("maven", "junit"),
    ("gradle", "junit"),
];

/// Programs of one language: what one of them shows is nothing about a program of another.
const LANGUAGES: &[&[&str]] = &[
    &["cargo", "cross", "rustc"],
    &[
        "npm", "vite", "next", "tsc", "vue-tsc", "tsgo", "eslint", "biome", "webpack", "rollup", "esbuild",
        "ng", "nuxt", "deno",
    ],
    &[
        "mypy",
        "pyright",
        "basedpyright",
        "ty",
        "pyre",
        "ruff",
        "flake8",
        "pylint",
        "black",
        "poetry",
        "hatch",
        "uv",
        "build",
    ],
    &["go", "golangci-lint", "staticcheck"],
    &[
        "mvn", "mvnw", "mvnd", "gradle", "gradlew", "javac", "kotlinc", "sbt",
    ],
    &["dotnet", "msbuild"],
    &["swift", "xcodebuild"],
];

/// The first signal as an exit status of a shell, without the status of `timeout`: whatever ended so had begun.
const ENDED_FROM_OUTSIDE: i32 = 124;

/// What is known of the runner of a run.
pub(super) struct Kin<'a> {
    run: &'a CheckRun,
    /// The runners that its words name.
    named: Vec<&'static Runner>,
    /// Those whose form its output has.
    seen: Vec<&'static Runner>,
    /// Whether its words leave open what it starts.
    open: bool,
    program: &'a str,
    /// Its further words without options; of a script, none.
    tasks: Vec<&'a str>,
}

impl<'a> Kin<'a> {
    pub(super) fn of(run: &'a CheckRun) -> Self {
        let names = run.summary.as_ref().map_or("", |s| s.runner.as_str());
        let (program, tasks) = words(&run.check);
        let (named, open) = proctor_runners::starts(&run.check);
        Self {
            run,
            named,
            seen: proctor_runners::rows(names),
            open,
            program,
            tasks,
        }
    }

    /// Whether this pass of a whole is one of what failed there, as far as its kind can be told apart.
    pub(super) fn runs_what_failed_in(&self, failure: &Kin<'_>) -> bool {
        match (&self.run.own, &failure.run.own) {
            // What the policy names says what is to be checked here.
            (Some(_), None) if !self.run.varied => return true,
            (Some(mine), Some(its)) if mine == its && !self.run.varied => return true,
            _ => {}
        }
        let tests = failure.run.kinds.has(CheckKind::Tests);
        if self.is_called_as(failure) {
            let tested = failure.has_tested();
            return tests && !tested
                || match again(&self.run.check, &failure.run.check, tested) {
                    Again::Whole => true,
                    Again::Usual => tests && self.printed_no_fewer_than(failure) != Some(false),
                    // What the words leave open, the figures must show: other checks count what they found.
                    Again::Open => tests && self.printed_no_fewer_than(failure) == Some(true),
                    Again::Other => false,
                };
        }
        if !tests {
            return self.may_be_of_the_project_of(failure);
        }
        if failure.has_tested() {
            return self.printed_what(failure);
        }
        // Nothing was tested there: a wrong name, a tool that is missing. What did test something stands for it.
        let tested = self.run.summary.as_ref().and_then(|s| s.passed);
        !failure.tests().is_empty() || tested.is_some_and(|n| n > 0) || self.run.output.is_none()
    }

    /// Whether the words of both start the same.
    fn is_called_as(&self, failure: &Kin<'_>) -> bool {
        let mine = |row: &&Runner| row.kind.is_some() && self.named.iter().any(|own| own.name == row.name);
        if failure.named.iter().copied().any(|row| mine(&row)) {
            return true;
        }
        if self.program.is_empty() || self.program != failure.program {
            return false;
        }
        // `npm run test:unit` is a part of `npm test`, by its name.
        let part = |whole: &str, part: &str| {
            let rest = part.strip_prefix(whole);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-', '_', '.', '/']))
        };
        !STARTERS.contains(&self.program)
            || self.tasks.len() <= failure.tasks.len()
                && self
                    .tasks
                    .iter()
                    .zip(&failure.tasks)
                    .all(|(mine, its)| part(mine, its))
    }

    /// The runners of its tests, as it printed them, or else as it is called.
    fn tests(&self) -> Vec<&'static Runner> {
        let of_tests = |rows: &[&'static Runner]| -> Vec<&'static Runner> {
            let tests = rows.iter().filter(|row| row.kind == Some(CheckKind::Tests));
            tests.copied().collect()
        };
        let seen = of_tests(&self.seen);
        if seen.is_empty() {
            of_tests(&self.named)
        } else {
            seen
        }
    }

    /// Whether it came to test, or to build, anything: some runner printed how that went, or something ended it.
    fn has_tested(&self) -> bool {
        let ended = self
            .run
            .exit
            .is_some_and(|code| !(0..ENDED_FROM_OUTSIDE).contains(&code));
        ended || self.seen.iter().any(|row| row.kind.is_some())
    }

    /// Whether what was printed here is of the runners of that failure, and no fewer tests.
    fn printed_what(&self, failure: &Kin<'_>) -> bool {
        let mine: Vec<&Runner> = self.seen.iter().chain(&self.named).copied().collect();
        let theirs = failure.tests();
        let fewer = self.printed_no_fewer_than(failure) == Some(false);
        !theirs.is_empty() && !fewer && theirs.iter().all(|row| is_among(row, &mine))
    }

    /// Whether it printed as many tests as that failure, or more; `None` where one of them told no number.
    fn printed_no_fewer_than(&self, failure: &Kin<'_>) -> Option<bool> {
        // Go prints packages or tests, as it is asked to.
        let size = |kin: &Kin<'_>| {
            let s = kin
                .run
                .summary
                .as_ref()
                .filter(|_| kin.seen.iter().all(|row| row.counts))?;
            let more = s.skipped.unwrap_or(0).saturating_add(s.xfail.unwrap_or(0));
            Some(s.passed?.saturating_add(s.failed?).saturating_add(more))
        };
        Some(size(self)? >= size(failure)?)
    }

    /// Of builds, types and style, which print nothing when they are well: whether nothing says that both are of different
    /// tools or languages.
    fn may_be_of_the_project_of(&self, failure: &Kin<'_>) -> bool {
        let language = |program: &str| LANGUAGES.iter().position(|programs| programs.contains(&program));
        if let (Some(mine), Some(its)) = (language(self.program), language(failure.program))
            && mine != its
        {
            return false;
        }
        let tools: Vec<_> = failure.seen.iter().filter(|row| row.kind.is_some()).collect();
        // A tool that is none of the runners starts no other one.
        let same_kind = self.run.kinds.iter().any(|kind| failure.run.kinds.has(kind));
        let open = self.open && !(same_kind && is_tool(&self.run.check));
        open || tools.is_empty() || tools.iter().any(|row| is_among(row, &self.named))
    }
}

/// Whether a runner is one of these, or related to one.
fn is_among(row: &Runner, rows: &[&'static Runner]) -> bool {
    let related = |a: &str, b: &str| RELATED.contains(&(a, b)) || RELATED.contains(&(b, a));
    rows.iter()
        .filter(|other| row.kind.is_some() && other.kind.is_some())
        .any(|other| row.name == other.name || related(row.name, other.name))
}

/// The program of a check and the words behind it that are no options. Of a script, its path is the program.
fn words(check: &str) -> (&str, Vec<&str>) {
    let mut words: Vec<&str> = check.split_whitespace().filter(|w| !w.starts_with('-')).collect();
    let base = |w: &'static str, path: &str| path.rsplit('/').next() == Some(w);
    let known = |list: &'static [&'static str], path: &str| list.iter().copied().find(|w| base(w, path));
    let Some(first) = words.first().copied() else {
        return ("", words);
    };
    if known(INTERPRETERS, first).is_some() && words.len() > 1 {
        let script = words.get(1).copied().unwrap_or_default();
        return (script.trim_start_matches("./"), Vec::new());
    }
    words.remove(0);
    if known(MANAGERS, first).is_none() {
        return (first.trim_start_matches("./"), words);
    }
    while words
        .first()
        .is_some_and(|w| matches!(*w, "run" | "run-script" | "rum" | "urn"))
    {
        words.remove(0);
    }
    if let Some(task) = words.first_mut().filter(|w| matches!(**w, "t" | "tst")) {
        *task = "test";
    }
    // What follows the name of a script is for the script.
    words.truncate(1);
    ("npm", words)
}
