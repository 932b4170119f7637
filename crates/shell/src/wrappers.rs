//! Programs that only start another one: what of a command is the command itself.

use crate::packages;
use crate::word::{Arg, below, open, program};
use proctor_kernel::Mask;

/// One program that starts another one.
struct Wrapper {
    names: &'static [&'static str],
    /// The words that must follow, one of each group in turn.
    subs: &'static [&'static [&'static str]],
    /// Its options that take the next word.
    values: &'static str,
    /// Those of them that name the folder.
    folders: &'static str,
    /// Words between its options and the command.
    skip: usize,
    /// `X=y` before the command goes into its environment.
    assigns: bool,
    /// The status of the command does not come through.
    mask: Option<Mask>,
    /// What follows may be a task of a file of its own, and then stays with it.
    tasks: bool,
}

const fn wrap(names: &'static [&'static str]) -> Wrapper {
    Wrapper {
        names,
        subs: &[],
        values: "",
        folders: "",
        skip: 0,
        assigns: false,
        mask: None,
        tasks: false,
    }
}

impl Wrapper {
    const fn subs(mut self, subs: &'static [&'static [&'static str]]) -> Self {
        self.subs = subs;
        self
    }
    const fn values(mut self, values: &'static str) -> Self {
        self.values = values;
        self
    }
    const fn folders(mut self, folders: &'static str) -> Self {
        self.folders = folders;
        self
    }
    const fn skip(mut self, skip: usize) -> Self {
        self.skip = skip;
        self
    }
    const fn assigns(mut self) -> Self {
        self.assigns = true;
        self
    }
    const fn mask(mut self, mask: Mask) -> Self {
        self.mask = Some(mask);
        self
    }
    const fn tasks(mut self) -> Self {
        self.tasks = true;
        self
    }
}

const CONTAINER: &str = "-v --volume -w --workdir -e --env --env-file -u --user --name --network --net \
    --entrypoint -p --publish --platform --mount -m --memory --cpus --add-host --label -l --shm-size --ulimit \
    --gpus --cap-add --security-opt -h --hostname --dns --ipc --pid --pull -f --file --profile \
    --project-directory --project-name --index";

/// To add one, add a line.
const WRAPPERS: &[Wrapper] = &[
    wrap(&["env"]).values("-u --unset -C --chdir").folders("-C --chdir").assigns(),
    wrap(&["sudo", "doas"])
        .values("-u --user -g --group -h --host -p --prompt -C -D --chdir -R -T -U -r -t")
        .folders("-D --chdir")
        .assigns(),
    wrap(&["cross-env", "cross-env-shell"]).assigns(),
    wrap(&["command", "builtin", "nohup", "time", "unbuffer", "chronic", "winpty", "rtk", "arch", "catchsegv"])
        .values("-f -o --format --output"),
    wrap(&["exec"]).values("-a"),
    wrap(&["nice"]).values("-n --adjustment"),
    wrap(&["ionice"]).values("-c -n --class --classdata"),
    wrap(&["stdbuf"]).values("-i -o -e --input --output --error"),
    wrap(&["timeout", "gtimeout"]).values("-k -s --kill-after --signal").skip(1),
    wrap(&["taskset", "chrt", "setarch", "faketime"]).skip(1),
    wrap(&["flock"]).values("-w -E --timeout --conflict-exit-code").skip(1),
    wrap(&["setsid"]),
    wrap(&["nix"]).subs(&[&["develop", "shell"]]),
    wrap(&["caffeinate"]).values("-t -w"),
    wrap(&["xvfb-run"]).values("-n -s -e -f -p --server-num --server-args --auth-file --error-file"),
    wrap(&["dbus-run-session", "dotenv", "env-cmd"]).values("-e -f --file"),
    wrap(&["strace", "ltrace"]).values("-e -o -p -s -E"),
    wrap(&["valgrind", "c8", "nyc"]).values("-r --reporter -x --exclude -n --include --temp-dir"),
    wrap(&["perf"]).subs(&[&["stat", "record"]]).values("-e -o -F"),
    wrap(&["xargs", "gxargs"])
        .values("-n -L -P -I -d -a -s -E --max-args --max-procs --max-lines --delimiter --arg-file")
        .mask(Mask::Unreached),
    wrap(&["watch", "entr", "parallel", "watchexec", "nodemon", "chokidar"])
        .values("-n --interval -j --jobs -e --exts -w --watch")
        .mask(Mask::Control),
    wrap(&["doppler", "op", "infisical", "dotenvx"]).subs(&[&["run"]]).values("-p --project -c --config -f"),
    wrap(&["aws-vault", "chamber", "direnv"]).subs(&[&["exec"]]).skip(1),
    wrap(&["mise", "asdf", "rtx"]).subs(&[&["exec", "x"]]).skip(0),
    wrap(&["rbenv", "pyenv", "nodenv", "bundle", "composer"]).subs(&[&["exec"]]),
    wrap(&["conda", "mamba", "micromamba"])
        .subs(&[&["run"]])
        .values("-n -p --name --prefix --cwd")
        .folders("--cwd"),
    wrap(&["uv"])
        .subs(&[&["run"]])
        .values(
            "--with --with-requirements --with-editable --python -p --extra --group --only-group --no-group \
             --package --directory --project --env-file --index --index-url --cache-dir --config-file --color",
        )
        .folders("--directory"),
    wrap(&["uv"]).subs(&[&["tool"], &["run"]]).values("--from --with --python -p"),
    wrap(&["uvx", "pipx"]).values("--from --with --python -p --spec"),
    wrap(&["poetry"]).subs(&[&["run"]]).values("-C --directory -P --project").folders("-C --directory"),
    wrap(&["pipenv"]).subs(&[&["run"]]),
    wrap(&["hatch", "pdm", "rye", "pixi", "devbox"])
        .subs(&[&["run"]])
        .values("-e --env -p --project --manifest-path")
        .tasks(),
    wrap(&["npx", "bunx", "pnpx"]).values("-p --package"),
    wrap(&["npm"]).subs(&[&["exec", "x"]]).values("-p --package -w --workspace --prefix"),
    wrap(&["pnpm", "yarn", "bun"])
        .subs(&[&["exec", "dlx", "x"]])
        .values("-C --dir --cwd --filter -F")
        .folders("-C --dir --cwd"),
    wrap(&["docker", "podman"]).subs(&[&["run", "exec"]]).values(CONTAINER).skip(1),
    wrap(&["docker", "podman"]).subs(&[&["compose"], &["run", "exec"]]).values(CONTAINER).skip(1),
    wrap(&["docker-compose", "podman-compose"]).subs(&[&["run", "exec"]]).values(CONTAINER).skip(1),
    wrap(&["proctor"]).subs(&[&["run-check"]]).values("--name --kind"),
];

/// A command with what starts it taken off.
#[derive(Debug, Default)]
pub(crate) struct Stripped {
    /// How many words were taken off.
    pub(crate) skip: usize,
    pub(crate) names: Vec<String>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) folder: Option<String>,
    pub(crate) mask: Option<Mask>,
    /// `exec`: nothing of the line runs behind it.
    pub(crate) exec: bool,
    /// Only asks whether a command is there (`command -v`).
    pub(crate) asks: bool,
    /// What runs cannot be told.
    pub(crate) opaque: bool,
    /// It runs where the files need not be those of this machine.
    pub(crate) machine: bool,
    /// The folder of a program of it that lies where everybody may put one.
    pub(crate) open: Option<String>,
    /// Programs that are named by their paths.
    pub(crate) paths: Vec<String>,
}

/// Takes off what only starts another program. `runner` says whether a word names a program of the table
/// of checks.
pub(crate) fn strip(args: &[Arg], folder: Option<&str>, runner: &dyn Fn(&str) -> bool) -> Stripped {
    let mut stripped = Stripped {
        folder: folder.map(str::to_owned),
        ..Stripped::default()
    };
    for _ in 0..16 {
        let rest = args.get(stripped.skip..).unwrap_or_default();
        let Some(first) = rest.first().filter(|a| a.is_whole() || a.text.contains('/')) else {
            break;
        };
        let (name, open) = started(&first.text, runner);
        let taken = module(name, rest)
            .or_else(|| package(name, rest, runner))
            .or_else(|| packages::of_node(name, rest, runner))
            .or_else(|| each_file(name, rest, &mut stripped))
            .or_else(|| wrapped(name, rest, &mut stripped, runner));
        let Some(taken) = taken.filter(|t| *t > 0 && *t < rest.len()) else {
            break;
        };
        if first.text.contains('/') {
            stripped.paths.push(first.text.clone());
        }
        stripped.exec |= name == "exec";
        stripped.machine |= MACHINES.contains(&name);
        stripped.names.push(name.to_owned());
        stripped.skip += taken;
        stripped.open = stripped.open.or_else(|| open.map(str::to_owned));
    }
    stripped
}

/// The name of what a word starts, and its folder where everybody may put something there: of such a place only what
/// checks something, or starts that, is taken for what it is called.
pub(crate) fn started<'a>(path: &'a str, runner: &dyn Fn(&str) -> bool) -> (&'a str, Option<&'a str>) {
    match open(path) {
        Some((folder, name)) if runner(name) || is_python(name) => (name, Some(folder)),
        _ => (program(path), None),
    }
}

/// Wrappers that run a command in a container.
const MACHINES: &[&str] = &["docker", "podman", "docker-compose", "podman-compose"];

/// Whether a line begins with one of them.
pub(crate) fn elsewhere(line: &str) -> bool {
    line.split_ascii_whitespace()
        .next()
        .is_some_and(|first| MACHINES.contains(&program(first)))
}

pub(crate) fn is_python(name: &str) -> bool {
    matches!(name, "python" | "python3" | "py" | "pypy" | "pypy3")
        || name
            .strip_prefix("python3.")
            .is_some_and(|v| v.bytes().all(|b| b.is_ascii_digit()))
}

/// `python -m module`, `coverage run -m module`.
fn module(name: &str, rest: &[Arg]) -> Option<usize> {
    let python = is_python(name);
    let coverage = name == "coverage" && rest.get(1).is_some_and(|a| a.text == "run");
    if !python && !coverage {
        return None;
    }
    let mut at = if python { 1 } else { 2 };
    loop {
        let word = rest.get(at)?.text.as_str();
        match word {
            "-m" => return Some(at + 1),
            "-W" | "-X" | "--source" | "--omit" | "--include" | "--rcfile" => at += 2,
            _ if word.starts_with('-') => at += 1,
            _ => return None,
        }
    }
}

/// `yarn jest`: the package manager runs a program of the project.
fn package(name: &str, rest: &[Arg], runner: &dyn Fn(&str) -> bool) -> Option<usize> {
    let second = rest.get(1)?.text.as_str();
    (matches!(name, "yarn" | "pnpm" | "bun" | "bunx")
        && !matches!(second, "test" | "build" | "lint" | "run" | "npm" | "bun")
        && runner(second))
    .then_some(1)
}

/// `find … -exec command`: the status of the command is lost.
fn each_file(name: &str, rest: &[Arg], stripped: &mut Stripped) -> Option<usize> {
    if !matches!(name, "find" | "fd" | "fdfind") {
        return None;
    }
    let at = rest.iter().position(|a| {
        matches!(
            a.text.as_str(),
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "--exec"
        )
    })?;
    stripped.mask = Some(Mask::Control);
    Some(at + 1)
}

fn wrapped(
    name: &str,
    rest: &[Arg],
    stripped: &mut Stripped,
    runner: &dyn Fn(&str) -> bool,
) -> Option<usize> {
    WRAPPERS
        .iter()
        .filter(|w| w.names.contains(&name))
        .find_map(|w| w.take(name, rest, stripped, runner))
}

impl Wrapper {
    /// How many words belong to the wrapper.
    fn take(
        &self,
        name: &str,
        rest: &[Arg],
        stripped: &mut Stripped,
        runner: &dyn Fn(&str) -> bool,
    ) -> Option<usize> {
        let mut at = 1;
        let mut folder = None;
        let mut options: Vec<&str> = Vec::new();
        for sub in self.subs {
            self.options(rest, &mut at, &mut options, &mut folder);
            rest.get(at).filter(|a| sub.contains(&a.text.as_str()))?;
            at += 1;
        }
        self.options(rest, &mut at, &mut options, &mut folder);
        at += self.skip;
        let mut env = Vec::new();
        if self.assigns {
            while let Some((key, value)) = rest.get(at).and_then(|a| assignment(&a.text)) {
                env.push((key.to_owned(), value.to_owned()));
                at += 1;
            }
        }
        if rest.get(at).is_some_and(|a| a.text == "--") {
            at += 1;
        }
        let next = rest.get(at)?;
        if self.tasks && !runner(program(&next.text)) {
            return None;
        }
        let has = |flag: &str| options.contains(&flag);
        match name {
            "command" => stripped.asks |= has("-v") || has("-V"),
            "env" => {
                stripped.opaque |= options
                    .iter()
                    .any(|o| o.starts_with("-S") || o.starts_with("--split"))
            }
            "npx" | "npm" => stripped.opaque |= has("-c") || has("--call"),
            "docker" | "podman" if has("-d") || has("--detach") => stripped.mask = Some(Mask::Background),
            "setsid" if !has("-w") && !has("--wait") => stripped.mask = Some(Mask::Background),
            "flock" => stripped.opaque |= next.text == "-c",
            _ => {}
        }
        stripped.mask = stripped.mask.or(self.mask);
        stripped.env.extend(env);
        if let Some(folder) = folder {
            stripped.folder = Some(below(stripped.folder.as_deref(), folder));
        }
        Some(at)
    }

    fn options<'a>(
        &self,
        rest: &'a [Arg],
        at: &mut usize,
        options: &mut Vec<&'a str>,
        folder: &mut Option<&'a str>,
    ) {
        while let Some(word) = rest.get(*at).map(|a| a.text.as_str()) {
            if word == "--" {
                *at += 1;
                break;
            }
            if !word.starts_with('-') || word == "-" {
                break;
            }
            options.push(word);
            *at += 1;
            let (flag, attached) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value)),
                None => (word, None),
            };
            if listed(self.values, flag) {
                let value = attached.or_else(|| {
                    let next = rest.get(*at).map(|a| a.text.as_str());
                    *at += 1;
                    next
                });
                if listed(self.folders, flag) {
                    *folder = value;
                }
            }
        }
    }
}

/// Whether a list of words, separated by blanks, has this one.
pub(crate) fn listed(list: &str, word: &str) -> bool {
    !list.is_empty() && list.split_ascii_whitespace().any(|w| w == word)
}

/// `X=y`
pub(crate) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    (!name.is_empty() && crate::parse::name_length(name) == name.len()).then_some((name, value))
}
