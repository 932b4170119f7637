//! The deterministic environment in which the `proctor` binary is tested: its own home, state,
//! clock, identifiers and git identity, so that a whole output can be a snapshot.

use crate::process::{self, Finished};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Time limit of one command under test. Far above what any needs; a hang must fail, not block.
const LIMIT: Duration = Duration::from_secs(60);

/// The instant at which every test begins: 2026-01-02T03:04:05Z, in milliseconds since 1970.
pub const CLOCK_MILLIS: u64 = 1_767_323_045_000;

/// A throw-away folder with a home and a project, and the program under test.
#[derive(Debug)]
pub struct TestEnvironment {
    // Held for its `Drop`; `root` is its canonical path.
    _folder: tempfile::TempDir,
    root: PathBuf,
    program: PathBuf,
    fixed: bool,
    /// Commands made so far: each happens a second after the one before it.
    commands: AtomicU64,
    vars: Vec<(String, String)>,
}

impl TestEnvironment {
    /// A fresh environment for `program` (in the test runner: `env!("CARGO_BIN_EXE_proctor")`),
    /// with an empty git repository (branch `main`, no commit) as project.
    ///
    /// # Panics
    /// When the folders cannot be made or git is missing.
    #[must_use]
    pub fn new(program: impl AsRef<Path>) -> Self {
        let env = Self::without_git(program);
        env.git(&["init", "--quiet", "--initial-branch=main"]);
        env
    }

    /// As [`TestEnvironment::new`], with a project folder that is no git repository.
    ///
    /// # Panics
    /// When the folders cannot be made.
    #[must_use]
    pub fn without_git(program: impl AsRef<Path>) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("proctor-test-")
            .tempdir()
            .expect("a temporary folder");
        let root = folder
            .path()
            .canonicalize()
            .expect("a canonical path of the temporary folder");
        for name in ["home", "project", "tmp"] {
            std::fs::create_dir(root.join(name)).expect("a folder of the test environment");
        }
        std::fs::write(
            root.join("home/.gitconfig"),
            "[user]\n\tname = Test User\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n\
             [commit]\n\tgpgsign = false\n[core]\n\tautocrlf = false\n[protocol \"file\"]\n\tallow = always\n",
        )
        .expect("a git configuration");
        Self {
            _folder: folder,
            root,
            program: program.as_ref().to_owned(),
            fixed: true,
            commands: AtomicU64::new(0),
            vars: Vec::new(),
        }
    }

    /// Lets clock and identifiers run freely, as in real use (for tests with real hosts and with
    /// many processes at once).
    #[must_use]
    pub fn with_real_clock(mut self) -> Self {
        self.fixed = false;
        self
    }

    /// Sets a variable for everything that runs in this environment.
    pub fn set_var(&mut self, name: &str, value: impl Into<String>) {
        self.vars.retain(|(n, _)| n != name);
        self.vars.push((name.to_owned(), value.into()));
    }

    /// The folder that holds everything of this environment; `$ROOT` in normalised outputs.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The user's home.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The project: the working folder of every command that does not say otherwise.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// The folder below which Proctor keeps its state in this environment (`$XDG_STATE_HOME`).
    #[must_use]
    pub fn state_home(&self) -> PathBuf {
        self.root.join("home/.local/state")
    }

    /// The program under test.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// A command with the environment's variables and nothing else, in the project folder.
    #[must_use]
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        let home = self.home();
        command
            .current_dir(self.project())
            .env_clear()
            .env("PATH", self.path_variable())
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("XDG_STATE_HOME", self.state_home())
            .env("XDG_DATA_HOME", home.join(".local/share"))
            .env("XDG_CACHE_HOME", home.join(".cache"))
            .env("TMPDIR", self.root.join("tmp"))
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .env("TERM", "dumb")
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", home.join(".gitconfig"));
        if self.fixed {
            let number = self.commands.fetch_add(1, Ordering::Relaxed);
            let date = format!("{} +0000", CLOCK_MILLIS / 1_000);
            command
                .env("GIT_AUTHOR_DATE", &date)
                .env("GIT_COMMITTER_DATE", &date)
                .env("PROCTOR_TEST_CLOCK", (CLOCK_MILLIS + number * 1_000).to_string())
                .env("PROCTOR_TEST_IDS", number.to_string());
        }
        command.envs(self.vars.iter().map(|(k, v)| (k, v)));
        command
    }

    /// The folder of the program under test first, so that it is found by its name.
    fn path_variable(&self) -> OsString {
        let rest = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
        let mut folders: Vec<PathBuf> = self.program.parent().map(Path::to_owned).into_iter().collect();
        folders.extend(std::env::split_paths(&rest));
        std::env::join_paths(folders).unwrap_or(rest)
    }

    /// Runs the program under test with `args` in the project folder.
    #[must_use]
    pub fn run(&self, args: &[&str]) -> Output {
        self.run_with(&self.project(), args, b"")
    }

    /// Runs the program under test with `args` in `folder` and `input` on its standard input.
    #[must_use]
    pub fn run_with(&self, folder: &Path, args: &[&str], input: &[u8]) -> Output {
        let mut command = self.command(&self.program);
        command.args(args).current_dir(folder);
        self.finish(&mut command, input)
    }

    /// Runs a command made by [`TestEnvironment::command`] within the time limit.
    #[must_use]
    pub fn finish(&self, command: &mut Command, input: &[u8]) -> Output {
        Output {
            finished: process::run(command, input, LIMIT),
            root: self.root.to_string_lossy().into_owned(),
        }
    }

    /// Calls `proctor hook HOST` as the host would, with `payload` on standard input.
    #[must_use]
    pub fn hook(&self, host: &str, payload: &serde_json::Value) -> Output {
        self.hook_bytes(host, format!("{payload}\n").as_bytes())
    }

    /// Calls `proctor hook HOST` with any bytes on standard input.
    #[must_use]
    pub fn hook_bytes(&self, host: &str, payload: &[u8]) -> Output {
        self.run_with(&self.project(), &["hook", host], payload)
    }

    /// Runs git in the project folder and returns what it printed.
    ///
    /// # Panics
    /// When git fails.
    pub fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.project(), args)
    }

    /// Runs git in `folder` and returns what it printed.
    ///
    /// # Panics
    /// When git fails.
    pub fn git_in(&self, folder: &Path, args: &[&str]) -> String {
        let output = self.finish(self.command("git").current_dir(folder).args(args), b"");
        assert!(output.code() == Some(0), "git {args:?} failed:\n{output}");
        output.stdout()
    }

    /// Commits everything in the project.
    pub fn commit_all(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// Writes a file of the project (or, with an absolute path, any file), making its folders.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write_file(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.project().join(path);
        let folder = path.parent().expect("a file has a folder");
        std::fs::create_dir_all(folder).unwrap_or_else(|e| panic!("cannot make {}: {e}", folder.display()));
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("cannot write {}: {e}", path.display()));
    }

    /// Reads a file of the project (or, with an absolute path, any file).
    ///
    /// # Panics
    /// When it cannot be read as UTF-8 text.
    #[must_use]
    pub fn read_file(&self, path: impl AsRef<Path>) -> String {
        let path = self.project().join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()))
    }

    /// Replaces what differs from machine to machine in `text`: the environment's root by `$ROOT`.
    #[must_use]
    pub fn normalise(&self, text: &str) -> String {
        text.replace(&*self.root.to_string_lossy(), "$ROOT")
    }
}

/// The whole output of one command. Displayed, it is the text of a snapshot: both streams with their
/// ends marked (`[EOF]`), the exit code, and the environment's root written as `$ROOT`.
#[derive(Clone, Debug)]
pub struct Output {
    finished: Finished,
    root: String,
}

impl Output {
    /// The exit code; `None` when a signal (or the time limit) ended the command.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        self.finished.code
    }

    /// Standard output, as text, not normalised.
    ///
    /// # Panics
    /// When it is not UTF-8: everything that Proctor prints must be.
    #[must_use]
    pub fn stdout(&self) -> String {
        String::from_utf8(self.finished.stdout.clone()).expect("standard output is UTF-8")
    }

    /// Standard error, as text, not normalised.
    ///
    /// # Panics
    /// When it is not UTF-8.
    #[must_use]
    pub fn stderr(&self) -> String {
        String::from_utf8(self.finished.stderr.clone()).expect("standard error is UTF-8")
    }

    /// From spawn to exit.
    #[must_use]
    pub fn wall(&self) -> Duration {
        self.finished.wall
    }

    /// Standard output as exactly one JSON value on one line.
    ///
    /// # Panics
    /// When it is anything else: hosts lose an answer that stands beside other text.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        let text = self.stdout();
        let line = text.strip_suffix('\n').unwrap_or(&text);
        assert!(
            !line.contains('\n'),
            "more than one line on standard output:\n{self}"
        );
        serde_json::from_str(line)
            .unwrap_or_else(|e| panic!("standard output is not one JSON value ({e}):\n{self}"))
    }

    /// Standard output as one JSON value, on as many lines as it likes.
    ///
    /// # Panics
    /// When it is anything else.
    #[must_use]
    pub fn data(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout())
            .unwrap_or_else(|e| panic!("standard output is not one JSON value ({e}):\n{self}"))
    }

    /// Ends the test unless the command exited with `code`.
    ///
    /// # Panics
    /// When it did not.
    #[must_use]
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert!(self.code() == Some(code), "expected exit code {code}:\n{self}");
        self
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&self.root, "$ROOT");
        write!(f, "{}[EOF]", text(&self.finished.stdout))?;
        if !self.finished.stderr.is_empty() {
            write!(f, "\n--- stderr\n{}[EOF]", text(&self.finished.stderr))?;
        }
        match (self.finished.timed_out, self.finished.code, self.finished.signal) {
            (true, ..) => write!(f, "\n--- killed at the time limit"),
            (_, Some(0), _) => Ok(()),
            (_, Some(code), _) => write!(f, "\n--- exit {code}"),
            (_, None, Some(signal)) => write!(f, "\n--- signal {signal}"),
            (_, None, None) => write!(f, "\n--- no exit status"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_output_is_shown_with_its_ends_and_without_machine_paths() {
        let env = TestEnvironment::without_git("/bin/sh");
        let out = env.run(&["-c", "echo one; pwd; printf two >&2; exit 3"]);
        assert_eq!(
            out.to_string(),
            "one\n$ROOT/project\n[EOF]\n--- stderr\ntwo[EOF]\n--- exit 3"
        );
        assert_eq!(env.run(&["-c", "printf x"]).to_string(), "x[EOF]");
    }

    #[test]
    fn nothing_of_the_callers_environment_leaks_in() {
        let mut env = TestEnvironment::without_git("/bin/sh");
        env.set_var("MARK", "yes");
        let names = env
            .run(&["-c", "env | cut -d= -f1 | sort | tr '\\n' ' '"])
            .stdout();
        for name in names.split_whitespace() {
            assert!(
                matches!(
                    name,
                    "PATH" | "HOME" | "TMPDIR" | "LANG" | "TZ" | "TERM" | "NO_COLOR" | "COLUMNS" | "MARK"
                ) || matches!(name, "PWD" | "OLDPWD" | "SHLVL" | "_")
                    || name.starts_with("XDG_")
                    || name.starts_with("GIT_")
                    || name.starts_with("PROCTOR_TEST_"),
                "unexpected variable {name}"
            );
        }
        assert!(names.contains("MARK"));
    }

    #[test]
    fn commits_are_the_same_on_every_machine() {
        let commit = || {
            let env = TestEnvironment::new("/bin/sh");
            env.write_file("src/한글.txt", "x\n");
            env.commit_all("start");
            env.git(&["rev-parse", "HEAD"])
        };
        let first = commit();
        assert_eq!(first.trim().len(), 40);
        assert_eq!(first, commit());
    }

    #[test]
    #[should_panic(expected = "more than one line")]
    fn a_log_line_beside_the_answer_is_found() {
        let env = TestEnvironment::without_git("/bin/sh");
        let _ = env.run(&["-c", "echo '{}'; echo log"]).json();
    }
}
