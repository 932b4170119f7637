//! Reading what agents run: which simple commands a line holds, which of them verify something, and
//! whether the exit status of the line says how they ended.
//!
//! The line is parsed as bash reads it and then walked through with one question per check: if the whole
//! line ends with status 0, did this check run, and did it pass? What cannot be read or told is answered
//! with a [`Mask`], never with a guess. Pure functions: nothing is run, looked up or expanded.
//!
//! Masked though it may be honest: `${PIPESTATUS[0]}` (empty in zsh, where the line then ends with 0),
//! `wait` for a job, sums of several statuses. Taken as it is called though it may not be: a program in a
//! `bin` folder, a script called `test.sh`, a target of a Makefile; what their output says is asked elsewhere.
//! Settings files of well-known tools (`.venv/bin/activate`, `nvm.sh`) may be sourced before a check, others not; whether
//! such a file is what it is called is asked elsewhere ([`Check::sources`]).

mod again;
mod ast;
mod builtins;
mod compound;
mod harmless;
mod lex;
mod packages;
mod parse;
mod points;
mod puts;
mod reads;
mod replaced;
mod runners;
mod secrets;
mod simple;
mod state;
mod table;
mod walk;
mod word;
mod wrappers;

pub use again::{Again, again, is_tool};
pub use secrets::{masked, masked_words};

use proctor_kernel::{CheckKind, CheckKinds, Mask};

/// How a line asks for the root of the work tree in which it is; [`Check::folder`] may begin with it.
pub const TOP: &str = "$(git rev-parse --show-toplevel)";

/// How a line asks for the folder of the project where a host names it; [`Check::folder`] may be one of these. Where no
/// host does, it is empty, and `cd ""` leads nowhere.
pub const PROJECT: [&str; 2] = ["$CLAUDE_PROJECT_DIR", "${CLAUDE_PROJECT_DIR}"];

/// The same without quotes: where no host names it, it is no word, and the line goes to the home folder.
pub const PROJECT_OR_HOME: &str = "$CLAUDE_PROJECT_DIR or ~";

/// A verification that the policy names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnCheck {
    /// Its name.
    pub name: String,
    /// Its command line.
    pub run: String,
    /// What it verifies.
    pub kind: CheckKind,
}

/// What a command line does, as far as it can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The simple commands, in the order in which they would run.
    pub commands: Vec<Simple>,
    /// Those of them that verify something.
    pub checks: Vec<Check>,
    /// Whether the line may change files: true unless every command is known to read only, and no output
    /// goes into a file.
    pub may_write: bool,
    /// The same, were the checks not there. Test runners leave caches behind, but they are not what makes
    /// their own result stale.
    pub writes_beside_checks: bool,
    /// Files whose content the line chooses, as far as it tells their names: `cat > f`, `tee f`, copies, moves and links that it
    /// makes, what it fetches from this machine. Seen from the folder in which it is started.
    pub written: Vec<String>,
    /// Why the line, or a part of it, cannot be analysed.
    pub unanalysable: Option<&'static str>,
}

impl Analysis {
    /// Why status 0 of the line does not say that all of its commands ended well; empty: it does, as far as can be
    /// read.
    #[must_use]
    pub fn masks(&self) -> Vec<Mask> {
        let sets = |word: &str| {
            let asks = |c: &&Simple| {
                let mut argv = c.argv.iter();
                argv.next().is_some_and(|p| p == "set") && argv.any(|w| w == word)
            };
            self.commands.iter().find(asks).is_some()
        };
        let short = |c: &Simple| {
            let first = c.argv.get(1).map(String::as_str).unwrap_or_default();
            c.argv.first().is_some_and(|p| p == "set") && first.starts_with('-') && first.contains('e')
        };
        let stops = self.commands.iter().any(short);
        let pipes = sets("pipefail");
        let mut masks: Vec<Mask> = self
            .unanalysable
            .map(|_| Mask::Unanalysable)
            .into_iter()
            .collect();
        for command in &self.commands {
            let at = &command.position;
            let in_a_pipe = at.pipe.is_some_and(|p| p.index + 1 < p.of);
            let mut note = |mask: Mask, is: bool| {
                if is && !masks.contains(&mask) {
                    masks.push(mask);
                }
            };
            note(
                Mask::Background,
                at.background || at.after == Some(Operator::Background),
            );
            note(Mask::Pipe, in_a_pipe && !pipes);
            note(
                Mask::Or,
                at.after == Some(Operator::Or) || at.before == Some(Operator::Or),
            );
            note(Mask::Then, at.after == Some(Operator::Then) && !stops);
            let passes = |w: &Within| matches!(w, Within::Subshell | Within::Group | Within::Script);
            note(Mask::Control, !at.within.iter().all(passes));
        }
        masks.sort_unstable();
        masks
    }
}

/// A simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// Its words without quotes and without the programs that only start another one. What only the shell
    /// knows stays as it was written, such as `$x`.
    pub argv: Vec<String>,
    /// What is put into its environment.
    pub env: Vec<(String, String)>,
    /// The programs that start it: `sudo`, `timeout`, `bash`.
    pub wrappers: Vec<String>,
    /// The folder in which it runs, where that is not the one in which the line is started. Relative to
    /// that one, or absolute.
    pub folder: Option<String>,
    /// Where it stands.
    pub position: Position,
    /// Whether a word of it is not known before it runs.
    pub dynamic: bool,
    /// Whether it may change files, output into files included.
    pub writes: bool,
    /// Its place in [`Analysis::checks`], if it is a check.
    pub check: Option<usize>,
}

/// Where a command stands in its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Its place in a pipe of several.
    pub pipe: Option<Pipe>,
    /// The operator before it.
    pub before: Option<Operator>,
    /// The operator behind it.
    pub after: Option<Operator>,
    /// Whether the line does not wait for it.
    pub background: bool,
    /// What it stands in, from the outside.
    pub within: Vec<Within>,
}

/// A place in a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipe {
    /// From 0.
    pub index: usize,
    /// Number of commands in the pipe.
    pub of: usize,
}

/// What stands between two commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `;` or a line end.
    Then,
    /// `&`
    Background,
}

/// What a command can stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// `( … )`
    Subshell,
    /// `{ … }`
    Group,
    /// The condition of `if`, `while` or `until`.
    Condition,
    /// A branch of `if` or `case`.
    Branch,
    /// The body of a loop.
    Loop,
    /// The body of a function.
    Function,
    /// `$(…)`, backquotes, `<(…)`.
    Substitution,
    /// The text of `bash -c`, or a here-document that a shell reads.
    Script,
}

/// A command that verifies something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// Its words in one line, in the form that makes two runs of the same check equal.
    pub check: String,
    /// What it verifies.
    pub kinds: CheckKinds,
    /// Whether only a part was selected: a file, a filter, a package.
    pub partial: bool,
    /// The command that verifies all, where that can be told.
    pub whole: Option<String>,
    /// The name of the policy's verification that it is.
    pub own: Option<String>,
    /// It is that verification with words that may change what it does.
    pub varied: bool,
    /// The folder in which the policy runs that verification, seen from the root of the work tree.
    pub own_folder: Option<String>,
    /// The folder in which it runs; see [`Simple::folder`].
    pub folder: Option<String>,
    /// Other folders in which it may run as well, by the way that the line takes. The empty name is the folder in
    /// which the line is started.
    pub strays: Vec<String>,
    /// Folders and files at which its words point it: `--manifest-path x/Cargo.toml`, `../other/tests`. Seen from
    /// the folder in which it runs.
    pub points: Vec<String>,
    /// The folder from which a program of it was started, where that is one into which everybody may put something:
    /// it need not be what it is called, unless the folder lies in the work tree.
    pub started_from: Option<String>,
    /// Files that its words name as what is run: a program by its path, `make -f FILE`. Seen from the folder in which it runs;
    /// what lies in the work tree and is neither installed nor the project's own is not what it is called.
    pub files: Vec<String>,
    /// Settings files of shells and tools that the line read before it, by their well-known names: what they define may
    /// stand in the place of any program. Seen from the folder in which the line is started.
    pub sources: Vec<String>,
    /// It runs on a machine, or in a container, whose files need not be those of the work tree.
    pub elsewhere: bool,
    /// A command that is no check may write files behind it in its line: what changed need not be what it left behind.
    pub writes_behind: bool,
    /// What it writes may go where nobody sees it: into a file, a pipe, a variable.
    pub hidden: bool,
    /// The checks of which it is made, where the policy names a line of several commands; only those that ran and
    /// passed where the line ends with status 0.
    pub parts: Vec<Check>,
    /// Files whose presence above its folder says that the project is larger than that folder.
    pub markers: &'static [&'static str],
    /// Without one of these in its folder or above, its program fails.
    pub needs_marker: bool,
    /// Why status 0 of the line does not say that it passed; empty: it does.
    pub masks: Vec<Mask>,
    /// Its place in [`Analysis::commands`].
    pub command: usize,
}

/// Whether a variable in the environment of a command can make something else of it, by its name and its value: `MAKEFLAGS`
/// with more than jobs, `BASH_ENV`, `npm_config_script_shell`, a `PATH` that leads elsewhere.
#[must_use]
pub fn hijacks(name: &str, value: &str) -> bool {
    builtins::hijacks(name, value)
}

/// Whether a file is one that shells read of themselves, or that well-known tools have them read, by its name: `~/.bashrc`,
/// `.venv/bin/activate`.
#[must_use]
pub fn is_startup(path: &str) -> bool {
    builtins::well_known(path)
}

/// Reads a command line. `own` are the policy's verifications.
#[must_use]
pub fn analyse(line: &str, own: &[OwnCheck]) -> Analysis {
    walk::analyse(line, own)
}

#[cfg(test)]
mod tests;
