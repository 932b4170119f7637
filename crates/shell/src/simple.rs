//! Simple commands: what they are, what they check, and what they leave behind.

use crate::ast::{Assign, Direction, Part, Redirect, SimpleCommand, Word};
use crate::builtins::{hijacks, literal, well_known};
use crate::replaced::{self, Replaced};
use crate::runners;
use crate::state::{Out, State, Variable};
use crate::walk::{Kind, Scope, Walk, hides};
use crate::word::{Arg, Known, below, expand, is_common, one, only_common, program};
use crate::wrappers::{self, Stripped};
use crate::{Check, Simple, Within, points, puts, reads};
use proctor_kernel::Mask;
use std::rc::Rc;

/// Shells that read a script from `-c` or a here-document.
fn is_shell(name: &str) -> bool {
    matches!(name, "sh" | "bash" | "zsh" | "dash" | "ash" | "ksh")
}

/// What of the command is read by a shell of its own.
struct Inner {
    text: String,
    /// Parts of the text are made while the line runs.
    vague: bool,
    errexit: bool,
    pipefail: bool,
}

/// What a shell reads before its script.
#[derive(Default)]
struct Startup {
    /// Well-known files, in the user's home folder or named by the line.
    files: Vec<String>,
    /// Which file it is, or what it holds, is up to the line.
    strange: bool,
}

/// What a shell with these words reads before its script.
fn startup(core: &[Arg], moved: bool) -> Startup {
    let mut out = Startup::default();
    let Some((first, rest)) = core.split_first() else {
        return out;
    };
    let shell = program(&first.text);
    if !is_shell(shell) {
        return out;
    }
    let (mut login, mut interactive, mut named) = (false, false, None);
    let mut words = rest.iter().map(|a| a.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "--rcfile" | "--init-file" => named = words.next(),
            "--login" => login = true,
            "-o" | "+o" | "-O" | "+O" => {
                words.next();
            }
            _ if word.starts_with("--") && word != "--" => {}
            _ if word.starts_with('-') && word != "--" && word != "-" => {
                login |= word.contains('l');
                interactive |= word.contains('i');
            }
            _ => break,
        }
    }
    let read: &[&str] = match shell {
        "zsh" if login && interactive => &["~/.zshenv", "~/.zprofile", "~/.zshrc", "~/.zlogin"],
        "zsh" if login => &["~/.zshenv", "~/.zprofile", "~/.zlogin"],
        "zsh" if interactive => &["~/.zshenv", "~/.zshrc"],
        "zsh" => &["~/.zshenv"],
        _ if login => &["~/.bash_profile", "~/.bash_login", "~/.profile", "~/.bashrc"],
        _ if interactive && named.is_none() => &["~/.bashrc"],
        _ => &[],
    };
    out.strange = moved && !read.is_empty();
    out.files = read.iter().map(|file| (*file).to_owned()).collect();
    if let Some(file) = named.filter(|_| interactive) {
        out.strange |= !well_known(file);
        out.files.push(file.to_owned());
    }
    out
}

/// What stands around the words of a command.
#[derive(Default)]
struct Given<'a> {
    /// The words as they were written, one for each that came of them.
    sources: &'a [&'a Word],
    env: &'a [(String, String)],
    redirects: &'a [Redirect],
    /// Its output goes into a file.
    writes: bool,
    /// A failure in there does not end the shell, whatever `set -e` says.
    ignore: bool,
}

impl Walk<'_> {
    pub(crate) fn simple(&mut self, command: &SimpleCommand, state: State, ignore: bool) -> Out {
        for word in &command.words {
            self.substitutions(&word.0, &state);
        }
        let writes = self.redirects(&command.redirects, &state);
        if command.words.is_empty() {
            self.wrote(writes);
            return self.assign(&command.assigns, state);
        }
        for assign in &command.assigns {
            self.substitutions(&assign.value.0, &state);
        }
        let mut args = Vec::with_capacity(command.words.len());
        let mut sources = Vec::with_capacity(command.words.len());
        for word in &command.words {
            expand(word, &state, &mut args);
            sources.resize(args.len(), word);
        }
        if args.is_empty() {
            return Out::either(state);
        }
        let env: Vec<(String, String)> = command
            .assigns
            .iter()
            .map(|a| (a.name.clone(), one(&a.value, &state).text))
            .collect();
        if writes {
            self.wrote(true);
        }
        self.writes_words(&args, &command.redirects, &state);
        let given = Given {
            sources: &sources,
            env: &env,
            redirects: &command.redirects,
            writes,
            ignore,
        };
        let hidden = usize::from(hides(&command.redirects, &state));
        self.hidden += hidden;
        // What `exec > file` redirects stays so.
        let stays = hidden > 0 && args.len() == 1 && args.first().is_some_and(|a| a.text == "exec");
        let out = self.run(args, &given, state);
        if !stays {
            self.hidden -= hidden;
        }
        out
    }

    /// Notes the files that a command puts where its words say.
    fn writes_words(&mut self, args: &[Arg], redirects: &[Redirect], state: &State) {
        let starters = wrappers::strip(args, None, &runners::is_runner).skip;
        let files = puts::files(args.get(starters..).unwrap_or_default(), redirects, state);
        let folder = state.folder.as_deref().unwrap_or_default();
        for file in files.iter().filter(|file| !file.starts_with("/dev/")) {
            let rooted = file.starts_with(['/', '~', '$']) || folder.is_empty();
            let file = if rooted {
                file.clone()
            } else {
                format!("{folder}/{file}")
            };
            self.result.written.push(file);
        }
    }

    fn wrote(&mut self, writes: bool) {
        self.result.may_write |= writes;
        self.result.writes_beside_checks |= writes;
    }

    /// Starts a command that has no place in a tree, such as a piece of an unreadable line.
    pub(crate) fn start(&mut self, args: Vec<Arg>, state: State) {
        self.run(args, &Given::default(), state);
    }

    fn run(&mut self, args: Vec<Arg>, given: &Given<'_>, mut state: State) -> Out {
        let &Given { env, writes, .. } = given;
        let Some(first) = args.first() else {
            return Out::either(state);
        };
        if !self.nameable(first, &state) {
            self.add(
                self.listed(&args, env, &Stripped::default(), &state, true),
                None,
                Vec::new(),
                true,
            );
            return self.anything(state, "the name of a command is made while the line runs");
        }
        if let Some(function) = state.function(&first.text).cloned() {
            self.add(
                self.listed(&args, env, &Stripped::default(), &state, false),
                None,
                Vec::new(),
                false,
            );
            return match function {
                Some(body) => self.invoke(&body, state, given.ignore),
                None => self.anything(state, "a function may or may not be there"),
            };
        }
        let stripped = wrappers::strip(&args, state.folder.as_deref(), &runners::is_runner);
        let core = args.get(stripped.skip..).unwrap_or_default();
        if stripped.skip > 0 && core.first().is_some_and(|f| !self.nameable(f, &state)) || stripped.opaque {
            self.add(
                self.listed(core, env, &stripped, &state, true),
                None,
                Vec::new(),
                true,
            );
            let own_shell = stripped
                .names
                .iter()
                .all(|n| matches!(n.as_str(), "command" | "builtin" | "exec"));
            if own_shell {
                return self.anything(state, "the name of a command is made while the line runs");
            }
            return Out::either(state);
        }
        let in_shell = stripped
            .names
            .iter()
            .all(|n| matches!(n.as_str(), "command" | "builtin"));
        if in_shell && !stripped.asks {
            let known = reads::is_harmless_builtin(core.first().map_or("", |a| a.text.as_str()));
            match self.builtin(core, state) {
                Ok(out) => {
                    self.add(
                        self.listed(core, env, &stripped, &State::default(), writes || !known),
                        None,
                        Vec::new(),
                        writes || !known,
                    );
                    return out;
                }
                Err(back) => state = back,
            }
        }
        if stripped.exec && core.is_empty() {
            return Out::either(state);
        }
        let inner = self.inner(
            core,
            given.sources.get(stripped.skip..).unwrap_or_default(),
            given.redirects,
            &state,
        );
        // What a program from an open place does with a script is not read.
        let out = match inner.filter(|_| stripped.open.is_none()) {
            Some(inner) => self.script(inner, core, &stripped, env, &state),
            None => self.external(core, &stripped, env, &state, writes),
        };
        if stripped.exec {
            self.leave(Kind::Shell, out);
            return Out::default();
        }
        out
    }

    /// Whether it is certain enough what a word at the begin of a command starts.
    fn nameable(&self, first: &Arg, state: &State) -> bool {
        match first.known {
            Known::Whole => !first.text.is_empty() || first.parameter.is_none(),
            // `[` looks like a pattern and is none.
            Known::Pattern => false,
            Known::Environment => {
                first
                    .text
                    .rsplit_once('/')
                    .is_some_and(|(_, name)| !name.is_empty() && !name.contains(['$', '`']))
                    || first.parameter.as_deref().is_some_and(|p| is_common(p, state))
            }
            Known::Unknown => false,
        }
    }

    fn listed(
        &self,
        args: &[Arg],
        env: &[(String, String)],
        stripped: &Stripped,
        state: &State,
        writes: bool,
    ) -> Simple {
        let mut argv: Vec<String> = args.iter().map(|a| a.text.clone()).collect();
        if let Some(first) = argv.first_mut() {
            let (name, open) = wrappers::started(first, &runners::is_runner);
            if name.len() != first.len()
                && (runners::is_runner(name) || open.is_none() && reads::is_reader(name))
            {
                *first = name.to_owned();
            }
        }
        let mut all = env.to_vec();
        all.extend(stripped.env.iter().cloned());
        Simple {
            argv,
            env: all,
            wrappers: stripped.names.clone(),
            folder: stripped
                .folder
                .clone()
                .or_else(|| state.folder.as_deref().map(str::to_owned)),
            dynamic: args.iter().any(|a| a.known >= Known::Environment),
            writes,
            ..Simple::default()
        }
    }

    /// A program that is started.
    fn external(
        &mut self,
        core: &[Arg],
        stripped: &Stripped,
        env: &[(String, String)],
        state: &State,
        writes: bool,
    ) -> Out {
        let mut simple = self.listed(core, env, stripped, state, false);
        let folder = simple.folder.clone();
        let found = if stripped.asks {
            None
        } else {
            runners::find(core, folder.as_deref())
        };
        let found = if stripped.asks {
            None
        } else {
            let own = if stripped.machine { &[] } else { self.own };
            runners::own(found, &simple.argv, folder.as_deref(), own)
        };
        let changes = !stripped.asks && !reads::only_reads(&simple.argv);
        simple.writes = writes || changes;
        let Some(found) = found else {
            let beside = simple.writes;
            self.add(simple, None, Vec::new(), beside);
            return Out::either(state.clone());
        };
        let fixes = found.fixes;
        let mut masks: Vec<Mask> = stripped.mask.into_iter().collect();
        if found.lenient {
            masks.push(Mask::Lenient);
        }
        // The policy's own words say where its checks look, and what they run.
        let as_named = found.own.is_some() && !found.varied && !found.partial;
        let replaced = if as_named {
            Replaced::default()
        } else {
            replaced::by(core)
        };
        let hijacked = simple.env.iter().any(|(name, value)| hijacks(name, value));
        let strange = self.reads_startup(core, &simple, state);
        if state.tainted || hijacked || strange || replaced.whole {
            masks.push(Mask::Unanalysable);
        }
        let mut files = stripped.paths.clone();
        files.extend(
            core.first()
                .map(|a| a.text.clone())
                .filter(|p| p.contains('/') && runners::is_runner(program(p))),
        );
        files.extend(replaced.file);
        files.retain(|file| !as_named || !self.own.iter().any(|own| own.check.run.contains(file.as_str())));
        let (name, open) =
            wrappers::started(core.first().map_or("", |a| a.text.as_str()), &runners::is_runner);
        let check = Check {
            check: runners::normal(&simple.argv),
            kinds: found.kinds,
            partial: found.partial || replaced.part,
            whole: found.whole,
            own: found.own,
            varied: found.varied,
            own_folder: found.own_folder,
            sources: self.sourced.clone(),
            strays: state.strays.to_vec(),
            points: if as_named { Vec::new() } else { points::of(core) },
            files,
            elsewhere: stripped.machine,
            hidden: self.hidden > 0,
            parts: Vec::new(),
            markers: runners::markers(name),
            needs_marker: runners::needs_marker(name),
            writes_behind: false,
            started_from: open.map(str::to_owned).or_else(|| stripped.open.clone()),
            folder: found.folder,
            masks: Vec::new(),
            command: 0,
        };
        let set = self.add(simple, Some(check), masks, writes || fixes);
        let mut out = Out::either(state.clone());
        if stripped.mask == Some(Mask::Background) {
            return Out::good(state.clone());
        }
        if let Some(ok) = &mut out.ok {
            ok.passed |= set;
            ok.zero |= set;
        }
        out
    }

    fn invoke(&mut self, body: &Rc<crate::ast::Command>, state: State, ignore: bool) -> Out {
        self.defined.retain(|d| !Rc::ptr_eq(d, body));
        self.call(state, |w, state| {
            w.scopes.push(Scope {
                kind: Kind::Function,
                ..Scope::default()
            });
            let out = w.inside(Within::Function, |w| w.command(body, state, ignore));
            let left = w.scopes.pop().unwrap_or_default().left;
            Out {
                ok: crate::state::join(out.ok, left.ok),
                bad: crate::state::join(out.bad, left.bad),
            }
        })
    }

    /// `X=y` without a command.
    fn assign(&mut self, assigns: &[Assign], mut state: State) -> Out {
        let mut status = None;
        let mut substituted = 0;
        let before = self.count();
        for assign in assigns {
            let value = one(&assign.value, &state);
            let count = assign
                .value
                .0
                .iter()
                .filter(|p| matches!(p, Part::Substitution { .. }))
                .count();
            if let [Part::Substitution { body, .. }] = assign.value.0.as_slice() {
                status = Some(self.substitution(body, &state));
            } else {
                self.substitutions(&assign.value.0, &state);
            }
            substituted += count;
            if hijacks(&assign.name, &value.text) {
                return self.anything(state, "a variable changes what commands do");
            }
            let zero = match &value.parameter {
                Some(name) if assign.plain => {
                    if name == "?" {
                        state.zero
                    } else {
                        state.variable(name).map_or(0, |v| v.zero)
                    }
                }
                _ => literal(value.is_whole().then_some(value.text.as_str())),
            };
            let variable = Variable {
                value: (value.is_whole() && assign.plain).then(|| Rc::from(value.text.as_str())),
                zero: if assign.plain { zero } else { 0 },
            };
            self.set_variable(&mut state, &assign.name, variable);
        }
        if substituted > 1 {
            self.note(self.since(before), Mask::Control);
        }
        match status {
            // The status is that of the last substitution.
            Some(out) if substituted == 1 => Out {
                ok: out.ok.map(|s| State {
                    passed: s.passed,
                    zero: s.passed,
                    ..state.clone()
                }),
                bad: out.bad.map(|s| State {
                    passed: s.passed,
                    zero: crate::state::ALL,
                    ..state.clone()
                }),
            },
            _ if substituted > 0 => Out::either(state),
            _ => Out::good(state),
        }
    }

    /// What a shell is given to read, if the command is one.
    fn inner(&self, core: &[Arg], sources: &[&Word], redirects: &[Redirect], state: &State) -> Option<Inner> {
        let (first, rest) = core.split_first()?;
        if !is_shell(program(&first.text)) {
            return None;
        }
        let mut inner = Inner {
            text: String::new(),
            errexit: false,
            pipefail: false,
            vague: false,
        };
        let (mut command, mut stdin) = (false, false);
        let mut at = 0;
        while let Some(word) = rest
            .get(at)
            .map(|a| a.text.as_str())
            .filter(|w| w.starts_with(['-', '+']) && w.len() > 1)
        {
            at += 1;
            if word == "--" {
                break;
            }
            if word.starts_with("--") {
                if matches!(word, "--rcfile" | "--init-file") {
                    at += 1;
                }
                continue;
            }
            let on = word.starts_with('-');
            for letter in word.chars().skip(1) {
                match letter {
                    'c' => command = true,
                    's' => stdin = true,
                    'e' => inner.errexit = on,
                    'n' => return None,
                    'o' | 'O' => {
                        match rest.get(at).map(|a| a.text.as_str()) {
                            Some("pipefail") => inner.pipefail = on,
                            Some("errexit") => inner.errexit = on,
                            _ => {}
                        }
                        at += 1;
                    }
                    _ => {}
                }
            }
        }
        if command {
            inner.text = rest.get(at)?.text.clone();
            inner.vague = sources.get(at + 1).is_some_and(|w| !only_common(w, state));
            return Some(inner);
        }
        if !stdin && rest.get(at).is_some_and(|a| a.text != "-") {
            return None;
        }
        let redirect = redirects.iter().rev().find(|r| {
            matches!(
                r.direction,
                Direction::Document(_) | Direction::Text | Direction::In
            )
        })?;
        let documents = Rc::clone(&self.documents);
        let word = match redirect.direction {
            Direction::Document(number) => documents.get(number)?,
            Direction::Text => &redirect.target,
            _ => return None,
        };
        inner.text = one(word, state).text;
        inner.vague = !only_common(word, state);
        Some(inner)
    }

    /// Notes what a shell reads before its script, and says whether that is up to the line.
    fn reads_startup(&mut self, core: &[Arg], simple: &Simple, state: &State) -> bool {
        let homes = ["HOME", "ZDOTDIR"];
        let moved = homes.iter().any(|name| state.variable(name).is_some())
            || simple.env.iter().any(|(name, _)| homes.contains(&name.as_str()));
        let startup = startup(core, moved);
        let folder = state.folder.as_deref();
        self.sourced
            .extend(startup.files.iter().map(|file| below(folder, file)));
        startup.strange
    }

    /// A shell that reads a script which the line holds.
    fn script(
        &mut self,
        inner: Inner,
        core: &[Arg],
        stripped: &Stripped,
        env: &[(String, String)],
        state: &State,
    ) -> Out {
        let simple = self.listed(core, env, stripped, state, false);
        let hijacked = simple.env.iter().any(|(name, value)| hijacks(name, value))
            || self.reads_startup(core, &simple, state);
        let mut entry = State {
            passed: state.passed,
            zero: state.passed,
            errexit: inner.errexit,
            pipefail: inner.pipefail,
            tainted: state.tainted || hijacked,
            folder: simple.folder.as_deref().map(Rc::from),
            strays: Rc::clone(&state.strays),
            ..State::default()
        };
        self.add(simple, None, Vec::new(), false);
        let vague = inner.vague;
        if vague {
            entry.taint();
            self.result
                .unanalysable
                .get_or_insert("a script is made while the line runs");
        }
        let count = self.count();
        let out = match crate::parse::parse(&inner.text, 1) {
            Ok(script) => {
                let documents = std::mem::replace(&mut self.documents, Rc::new(script.documents));
                let defined = std::mem::take(&mut self.defined);
                self.vague += usize::from(vague);
                let out = self.call(state.clone(), |w, outer| {
                    w.inside(Within::Script, |w| {
                        w.subshell(&outer, |w, _| w.list(&script.list, entry, false))
                    })
                });
                self.uncalled();
                self.vague -= usize::from(vague);
                self.documents = documents;
                self.defined = defined;
                out
            }
            Err(why) => {
                self.glance(&inner.text, why);
                Out::either(state.clone())
            }
        };
        match stripped.mask {
            Some(mask) => {
                self.note(self.since(count), mask);
                Out::either(state.clone())
            }
            None => out,
        }
    }
}
