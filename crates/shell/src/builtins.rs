//! What the shell's own commands do to the state, and what comparisons of a status say.

use crate::replaced;
use crate::state::{ALL, Out, Set, State, Variable};
use crate::walk::{Kind, TOO_MANY, Walk};
use crate::word::{Arg, Known, below};
use std::rc::Rc;

/// Variables that are followed; a line with more is not read.
const MOST_VARIABLES: usize = 100;

/// What is known to have passed if the value is 0; none where it is certainly not 0.
pub(crate) fn zero_of(arg: &Arg, state: &State) -> Option<Set> {
    if let Some(name) = &arg.parameter {
        if name == "?" {
            return Some(state.passed | state.zero);
        }
        if let Some(variable) = state.variable(name) {
            return Some(state.passed | variable.zero);
        }
    }
    if arg.is_whole() && arg.text.parse::<i64>().is_ok_and(|n| n & 255 != 0) {
        None
    } else {
        Some(state.passed)
    }
}

/// Ways on: the value is 0, and it is not.
fn split(state: State, zero: Option<Set>) -> (Option<State>, Option<State>) {
    let is = zero.map(|passed| {
        // The status was asked about: what is known of it is known for good now.
        State {
            passed,
            ..state.clone()
        }
    });
    (is, Some(state))
}

fn out(ok: Option<State>, bad: Option<State>) -> Out {
    Out {
        ok: ok.map(|s| {
            let passed = s.passed;
            s.with_status(passed)
        }),
        bad: bad.map(|s| s.with_status(ALL)),
    }
}

/// `[ … ]`, `test …` and `[[ … ]]`: understood where they compare a status with 0.
pub(crate) fn compare(args: &[Arg], state: State) -> Out {
    let [left, sign, right] = args else {
        return Out::either(state);
    };
    let (asked, other) = if right.text == "0" {
        (left, right)
    } else {
        (right, left)
    };
    if other.text != "0" || !other.is_whole() || asked.parameter.is_none() {
        return Out::either(state);
    }
    let zero = zero_of(asked, &state);
    let (is, not) = split(state, zero);
    match sign.text.as_str() {
        "-eq" | "=" | "==" => out(is, not),
        "-ne" | "!=" => out(not, is),
        _ => out(not.clone(), not),
    }
}

/// `(( rc == 0 ))`, `(( rc != 0 ))`, `(( rc ))`.
pub(crate) fn arithmetic(walk: &mut Walk<'_>, text: &str, state: State) -> Out {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (name, equal) = if let Some(name) = compact.strip_suffix("==0") {
        (name, true)
    } else if let Some(name) = compact.strip_suffix("!=0").or_else(|| compact.strip_suffix(">0")) {
        (name, false)
    } else {
        (compact.as_str(), false)
    };
    let name = name.strip_prefix('$').unwrap_or(name);
    let plain = name == "?" || !name.is_empty() && crate::parse::name_length(name) == name.len();
    if !plain {
        let mut state = state;
        // It may set variables.
        walk.scramble(&mut state);
        return Out::either(state);
    }
    let asked = Arg {
        parameter: Some(name.to_owned()),
        known: Known::Environment,
        ..Arg::default()
    };
    let zero = zero_of(&asked, &state);
    let (is, not) = split(state, zero);
    if equal { out(is, not) } else { out(not, is) }
}

/// Options of `shopt` that change no meaning of commands.
const HARMLESS: &[&str] = &[
    "globstar",
    "nullglob",
    "dotglob",
    "extglob",
    "failglob",
    "nocaseglob",
    "nocasematch",
    "checkwinsize",
    "histappend",
    "inherit_errexit",
];

/// Files with settings of well-known tools, or of shells: what they define is theirs, where nobody wrote them for the purpose.
pub(crate) fn well_known(path: &str) -> bool {
    const ENDS: &[&str] = &[
        "/bin/activate",
        "/Scripts/activate",
        "/.cargo/env",
        "/.nvm/nvm.sh",
        "/nvm.sh",
        "/.bashrc",
        "/.profile",
        "/.bash_profile",
        "/.bash_login",
        "/.zshenv",
        "/.zlogin",
        "/.zshrc",
        "/.zprofile",
        "/etc/profile",
        "/etc/bashrc",
        "/profile.d/conda.sh",
        "/sdkman-init.sh",
        "/emsdk_env.sh",
        "/asdf.sh",
        "/.ghcup/env",
        "/nix.sh",
        "/nix-daemon.sh",
        "/.rvm/scripts/rvm",
        "/.deno/env",
        "/.local/bin/env",
    ];
    ENDS.iter().any(|end| path.ends_with(end))
        || matches!(
            path,
            "activate"
                | "bin/activate"
                | "venv/bin/activate"
                | ".venv/bin/activate"
                | "env/bin/activate"
                | "nvm.sh"
        )
        || path.starts_with("/opt/ros/") && path.ends_with("/setup.bash")
}

/// Whether a variable in the environment of a command can make something else of it.
pub(crate) fn hijacks(name: &str, value: &str) -> bool {
    match name {
        // In zsh, `path` is the same as `PATH`.
        "PATH" | "path" => !path_is_plain(value),
        "BASH_ENV"
        | "ENV"
        | "CDPATH"
        | "LD_PRELOAD"
        | "LD_AUDIT"
        | "DYLD_INSERT_LIBRARIES"
        | "RUSTC"
        | "RUSTDOC"
        | "SHELLOPTS"
        | "BASHOPTS"
        | "PYTHONSTARTUP"
        | "PYTHONINSPECT"
        | "CARGO"
        | "RUBYOPT"
        | "PERL5OPT"
        | "BASH_FUNC_"
        | "MOCHA_OPTIONS"
        | "SKIP" => true,
        "RUSTC_WRAPPER" | "RUSTC_WORKSPACE_WRAPPER" => !matches!(
            crate::word::program(value),
            "" | "sccache" | "cachepot" | "ccache" | "clippy-driver"
        ),
        "NODE_OPTIONS" => ["--require", "-r ", "--import", "--loader", "--eval"]
            .iter()
            .any(|o| value.contains(o)),
        "MAKEFLAGS" | "GNUMAKEFLAGS" | "MFLAGS" => !replaced::plain_flags(value),
        "MAKEFILES" => true,
        "PYTEST_ADDOPTS" | "PYTEST_PLUGINS" | "GOFLAGS" => !matches!(
            value,
            "" | "-q" | "-v" | "-vv" | "-mod=mod" | "-mod=vendor" | "-mod=readonly" | "-count=1"
        ),
        _ => {
            name.starts_with("BASH_FUNC_")
                || name.starts_with("CARGO_TARGET_") && name.ends_with("_RUNNER")
                || name.starts_with("CARGO_ALIAS_")
                || name.starts_with("GIT_CONFIG")
                || replaced::sets(name)
        }
    }
}

/// A search path that keeps the old one and adds folders in which programs are installed.
fn path_is_plain(value: &str) -> bool {
    let entries: Vec<&str> = value.split(':').filter(|e| !e.is_empty()).collect();
    let old = |e: &str| matches!(e, "$PATH" | "${PATH}");
    let installed = |e: &str| {
        let known = [
            "$HOME/",
            "${HOME}/",
            "~/",
            "/usr/",
            "/opt/",
            "/home/",
            "/root",
            "/Users/",
            "/nix/",
            "$(go env GOPATH)/",
            "/Library/",
            "/snap/",
            "/bin",
            "/sbin",
            "$GOPATH/",
            "$(brew --prefix",
            "$CARGO_HOME/",
            "$PNPM_HOME",
            "$BUN_INSTALL/",
            "$NVM_DIR/",
            "$JAVA_HOME/",
            "/mnt/",
        ]
        .iter()
        .any(|k| e.starts_with(k));
        let ends = ["/bin", "/sbin", "/shims", "/pnpm", "$PNPM_HOME", "/flutter/bin"]
            .iter()
            .any(|k| e.ends_with(k));
        let project = ["node_modules/.bin", "venv/bin", "vendor/bin"]
            .iter()
            .any(|k| e.ends_with(k));
        (known && ends || project) && !e.contains("/tmp") && !e.contains("..")
    };
    !entries.is_empty() && entries.iter().all(|e| old(e) || installed(e))
}

impl Walk<'_> {
    /// Everything behind this point may mean something else.
    pub(crate) fn taint(&mut self, state: &mut State, why: &'static str) {
        if self.result.unanalysable.is_none() {
            self.result.unanalysable = Some(why);
        }
        state.taint();
        self.scramble(state);
    }

    /// Sets a variable; loops around want to know.
    pub(crate) fn set_variable(&mut self, state: &mut State, name: &str, variable: Variable) {
        for scope in self
            .scopes
            .iter_mut()
            .filter(|s| s.assigned.len() < MOST_VARIABLES)
        {
            match scope.assigned.iter_mut().find(|(n, _)| n == name) {
                Some((_, never_zero)) => *never_zero &= variable.zero == ALL,
                None => scope.assigned.push((name.to_owned(), variable.zero == ALL)),
            }
        }
        if state.variables.len() < MOST_VARIABLES || state.variable(name).is_some() {
            state.set_variable(name, variable);
        } else {
            self.result.unanalysable = Some(TOO_MANY);
        }
    }

    /// Sets a variable to what nobody knows.
    pub(crate) fn unknown_variable(&mut self, state: &mut State, name: &str) {
        self.set_variable(state, name, Variable { value: None, zero: 0 });
        if hijacks(name, "?") {
            self.taint(state, "a variable changes what commands do");
        }
    }

    /// No value of a variable is known any more.
    pub(crate) fn scramble(&mut self, state: &mut State) {
        self.scopes.iter_mut().for_each(|s| s.scrambled = true);
        state.unknown_variables();
    }

    /// A command that may do anything to this shell, ending it included.
    pub(crate) fn anything(&mut self, mut state: State, why: &'static str) -> Out {
        self.taint(&mut state, why);
        let out = Out::either(state);
        self.leave(Kind::Shell, out.clone());
        self.leave(Kind::Function, out.clone());
        self.leave(Kind::Loop, out.clone());
        out
    }

    /// A command of the shell itself; none if the name is not one that is read here.
    pub(crate) fn builtin(&mut self, args: &[Arg], mut state: State) -> Result<Out, State> {
        let Some((first, rest)) = args.split_first() else {
            return Err(state);
        };
        Ok(match first.text.as_str() {
            "true" | ":" => Out::good(state),
            "false" => Out::bad(state),
            "exit" | "return" | "logout" => {
                let zero = match rest.first() {
                    None => Some(state.passed | state.zero),
                    Some(arg) => zero_of(arg, &state),
                };
                let (is, not) = split(state.clone(), zero);
                let left = out(is, not);
                if first.text != "return" {
                    self.leave(Kind::Shell, left);
                    Out::default()
                } else if self.leave(Kind::Function, left) {
                    Out::default()
                } else {
                    // Outside of a function it is an error in bash, and an end in zsh.
                    Out::bad(state)
                }
            }
            "break" | "continue" => {
                let out = Out::good(state.clone());
                if rest.is_empty() {
                    if self.leave(Kind::Loop, out.clone()) {
                        Out::default()
                    } else {
                        out
                    }
                } else {
                    self.anything(state, "`break` leaves several loops")
                }
            }
            "set" => self.set(rest, state),
            "shopt" => {
                let plain = rest
                    .iter()
                    .all(|a| a.text.starts_with('-') && a.is_whole() || HARMLESS.contains(&a.text.as_str()));
                if plain {
                    Out::either(state)
                } else {
                    self.anything(state, "`shopt` changes how commands are read")
                }
            }
            "test" | "[" => {
                let args = match rest.split_last() {
                    Some((last, args)) if first.text == "[" && last.text == "]" => args,
                    _ => rest,
                };
                compare(args, state)
            }
            "eval" => {
                let plain = match rest {
                    [one] => [
                        "$(direnv ",
                        "$(ssh-agent",
                        "$(opam env",
                        "$(brew shellenv",
                        "$(mise ",
                        "$(pyenv ",
                        "$(rbenv ",
                        "$(fnm env",
                        "$(conda ",
                    ]
                    .iter()
                    .any(|k| one.text.starts_with(k)),
                    _ => false,
                };
                if plain {
                    Out::either(state)
                } else {
                    self.anything(state, "`eval` runs what is made while the line runs")
                }
            }
            "source" | "." => {
                if let Some(file) = rest.first().filter(|a| well_known(&a.text)) {
                    self.sourced.push(below(state.folder.as_deref(), &file.text));
                    Out::either(state)
                } else {
                    self.anything(state, "`source` runs a file in the same shell")
                }
            }
            "alias" | "enable" | "hash" | "fc" if !rest.is_empty() && rest.iter().all(|a| a.text == "-r") => {
                Out::either(state)
            }
            "alias" | "enable" | "hash" | "fc" | "setopt" | "unsetopt" | "emulate" | "autoload"
            | "disable"
                if !rest.is_empty() =>
            {
                self.anything(state, "names of commands get another meaning")
            }
            "trap" => {
                let plain = match rest.first() {
                    None => true,
                    Some(action) => {
                        matches!(action.text.as_str(), "-" | "" | "-p" | "-l") && action.is_whole()
                            || action.known <= Known::Environment && self.harmless(&action.text)
                    }
                };
                if plain {
                    Out::good(state)
                } else {
                    self.anything(state, "`trap` may change how the line ends")
                }
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                let functions = rest
                    .iter()
                    .any(|a| a.text.starts_with('-') && a.text.contains('f'));
                if functions {
                    return Ok(self.anything(state, "functions are handed on"));
                }
                for arg in rest {
                    if arg.text != "PATH" && hijacks(&arg.text, "?") {
                        return Ok(self.anything(state, "a variable changes what commands do"));
                    }
                    if let Some((name, value)) = crate::wrappers::assignment(&arg.text) {
                        if hijacks(name, value) {
                            return Ok(self.anything(state, "a variable changes what commands do"));
                        }
                        let status = matches!(value, "$?" | "${?}");
                        let value = (arg.is_whole()).then_some(value);
                        let zero = if status {
                            state.passed | state.zero
                        } else {
                            literal(value)
                        };
                        let variable = Variable {
                            value: value.map(Rc::from),
                            zero,
                        };
                        self.set_variable(&mut state, name, variable);
                    }
                }
                Out::either(state)
            }
            "unset" => {
                if rest.iter().any(|a| a.text == "-f")
                    || rest.iter().any(|a| state.function(&a.text).is_some())
                {
                    return Ok(self.anything(state, "functions are taken back"));
                }
                for arg in rest {
                    self.set_variable(&mut state, &arg.text, Variable { value: None, zero: 0 });
                }
                Out::either(state)
            }
            "read" | "mapfile" | "readarray" | "getopts" | "let" | "wait" => {
                self.scramble(&mut state);
                for arg in rest.iter().filter(|a| !a.text.starts_with('-')) {
                    let name = arg.text.split('=').next().unwrap_or_default();
                    self.unknown_variable(&mut state, name);
                }
                Out::either(state)
            }
            "printf" if rest.first().is_some_and(|a| a.text.starts_with("-v")) => {
                self.scramble(&mut state);
                // `-v name` or `-vname`
                let name = rest
                    .get(1)
                    .filter(|_| rest.first().is_some_and(|a| a.text == "-v"));
                let name = name
                    .or(rest.first())
                    .map_or("", |a| a.text.trim_start_matches("-v"));
                self.unknown_variable(&mut state, name);
                Out::either(state)
            }
            "cd" | "pushd" | "chdir" => {
                let mut there = state.clone();
                match rest.iter().find(|a| !a.text.starts_with('-') || a.text == "-") {
                    Some(target) if target.text == "-" => there.lost("-"),
                    Some(target) => there.enter(&reached(&state, target)),
                    None => there.enter("~"),
                }
                Out {
                    ok: Out::good(there).ok,
                    bad: Out::bad(state).bad,
                }
            }
            "popd" => {
                state.lost("-");
                Out::either(state)
            }
            _ => return Err(state),
        })
    }

    fn set(&mut self, rest: &[Arg], mut state: State) -> Out {
        let mut words = rest.iter();
        while let Some(arg) = words.next() {
            let text = arg.text.as_str();
            if !arg.is_whole() {
                return self.anything(state, "`set` takes what is not known before");
            }
            if text == "--" || text == "-" || !text.starts_with(['-', '+']) {
                break;
            }
            let on = text.starts_with('-');
            for letter in text.chars().skip(1) {
                match letter {
                    'e' => state.errexit = on,
                    'o' => {
                        let name = words.next().map(|a| a.text.as_str()).unwrap_or_default();
                        match name {
                            "errexit" => state.errexit = on,
                            "pipefail" => state.pipefail = on,
                            "nounset" | "xtrace" | "verbose" | "noglob" | "noclobber" | "errtrace"
                            | "functrace" | "monitor" | "allexport" | "history" | "vi" | "emacs" | "" => {}
                            _ => return self.anything(state, "`set` changes how commands are read"),
                        }
                    }
                    'u' | 'x' | 'v' | 'f' | 'C' | 'E' | 'T' | 'm' | 'a' | 'h' | 'B' | 'H' | 'b' => {}
                    // `-n` reads commands and runs none; others are rare.
                    _ => return self.anything(state, "`set` changes how commands are read"),
                }
            }
        }
        Out::good(state)
    }

    /// Whether the action of a trap neither ends the shell nor changes what the line knows.
    fn harmless(&self, text: &str) -> bool {
        const HARMLESS: &[&str] = &[
            "echo", "printf", "rm", "rmdir", "mv", "cp", "cat", "true", ":", "date", "docker", "kill",
            "pkill", "killall", "umount", "stty", "tput",
        ];
        let pieces = || {
            text.split([';', '&', '|', '\n'])
                .filter_map(|p| p.split_whitespace().next())
        };
        pieces().all(|name| HARMLESS.contains(&name))
            && !["$(", "`", "((", "=", "{", "<(", "-v"]
                .iter()
                .any(|w| text.contains(w))
            && crate::parse::parse(text, 1).is_ok()
    }
}

/// What passed if a variable with this value is 0.
pub(crate) fn literal(value: Option<&str>) -> Set {
    match value.map(str::parse::<i64>) {
        // `exit 256` ends with 0.
        Some(Ok(n)) if n & 255 != 0 => ALL,
        _ => 0,
    }
}

/// Whether a word is the folder of the project or, where no host names that, the folder in which the shell is.
fn or_here(text: &str) -> bool {
    let rest = text
        .strip_prefix("${CLAUDE_PROJECT_DIR")
        .and_then(|t| t.strip_suffix('}'));
    let other = rest.and_then(|t| t.strip_prefix(":-").or_else(|| t.strip_prefix('-')));
    other.is_some_and(|other| matches!(other.trim_matches('"'), "." | "$PWD" | "${PWD}" | "$(pwd)"))
}

/// The folder that `cd` is told, as far as it is known. The folder in which the shell is, and the root of the work
/// tree in which it is, are known where they are asked for by name.
fn reached(state: &State, target: &Arg) -> String {
    let text = target.text.as_str();
    let here = ["$PWD", "${PWD}", "$(pwd)", "`pwd`"]
        .into_iter()
        .find_map(|name| text.strip_prefix(name))
        .filter(|rest| rest.is_empty() || rest.starts_with('/'));
    if let Some(rest) = here.filter(|_| state.variable("PWD").is_none()) {
        return format!("./{}", rest.trim_start_matches('/'));
    }
    match target.known {
        Known::Pattern => format!("{text}*"),
        // The line may have set it to anything.
        _ if text.contains("CLAUDE_PROJECT_DIR") && state.variable("CLAUDE_PROJECT_DIR").is_some() => {
            "$".to_owned()
        }
        // Empty and without quotes it would be no word, and lead to the home folder.
        _ if crate::PROJECT.contains(&text) && target.splits => crate::PROJECT_OR_HOME.to_owned(),
        _ if or_here(text) => crate::PROJECT[0].to_owned(),
        // The root is that of the place where it is asked for.
        _ if text.starts_with(crate::TOP) && (state.folder.is_some() || !state.strays.is_empty()) => {
            "$".to_owned()
        }
        _ => text.to_owned(),
    }
}
