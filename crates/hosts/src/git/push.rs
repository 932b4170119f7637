//! The hook `pre-push`: a marked block in front of whatever the hook does besides.

use super::Plan;
use proctor_kernel::{Error, ErrorKind, Result};

const BEGIN: &str = "# >>> proctor: what is pushed is verified first (proctor init --pre-push)";
const END: &str = "# <<< proctor";

/// Shells that read the block as it is meant.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];

/// One reference that is to be pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushedRef {
    /// Its name at the remote.
    pub name: String,
    /// The object that it shall hold; `None`: it is deleted.
    pub to: Option<String>,
    /// The object that it holds there now; `None`: it is new.
    pub from: Option<String>,
}

/// Reads what git gives to the hook on standard input: a line for each reference.
///
/// # Errors
/// Kind `input` for a line that git does not write: then nothing of it is known to be harmless.
pub fn pushed_refs(text: &str) -> Result<Vec<PushedRef>> {
    let lines = text.split('\n').filter(|l| !l.trim().is_empty());
    lines
        .map(|line| {
            // What is pushed may be named with blanks, as `HEAD@{1 day ago}`; the rest cannot.
            let mut fields = line.rsplitn(4, ' ');
            let (from, name, to) = (fields.next(), fields.next(), fields.next());
            let read = |oid: Option<&str>| {
                let oid = oid.filter(|oid| is_object(oid))?;
                Some(Some(oid.to_owned()).filter(|oid| oid.bytes().any(|b| b != b'0')))
            };
            match (read(from), name, read(to), fields.next()) {
                (Some(from), Some(name), Some(to), Some(_)) if !name.is_empty() => Ok(PushedRef {
                    name: name.to_owned(),
                    to,
                    from,
                }),
                _ => Err(Error::new(
                    ErrorKind::Input,
                    format!("{line:?} is no line of git's pre-push"),
                )),
            }
        })
        .collect()
}

/// Whether this is the id of an object, written in full.
fn is_object(oid: &str) -> bool {
    matches!(oid.len(), 40 | 64) && oid.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Plans the hook. What git gives to the hook on standard input is read once, and given again to what follows.
///
/// # Errors
/// Kind `config` when there is a hook that is no shell script: a block cannot be put in front of it.
pub fn push_hook(old: Option<&str>, program: &str) -> Result<Plan> {
    let block = block(program);
    let rest = old.map_or_else(String::new, without);
    let new = if rest.trim().is_empty() || is_bare(&rest) {
        format!("#!/bin/sh\n{block}")
    } else {
        let (first, body) = rest.split_once('\n').unwrap_or((&rest, ""));
        match first.strip_prefix("#!") {
            Some(line) if is_shell(line) => format!("{first}\n{block}{body}"),
            Some(_) => {
                return Err(Error::new(
                    ErrorKind::Config,
                    "there is a hook `pre-push` already, and it is no shell script",
                )
                .hint("let it run `proctor verify --pre-push \"$1\"` with its standard input, and stop when that fails"));
            }
            // Git starts a hook without a first line of its own by `sh`.
            None => format!("{block}{rest}"),
        }
    };
    Ok(Plan::of(old, Some(new)))
}

/// Plans the removal of our block, and of the hook when nothing else is in it.
#[must_use]
pub fn push_hook_removal(old: Option<&str>) -> Plan {
    let new = old.map(without).filter(|rest| !is_bare(rest));
    Plan::of(old, new)
}

/// What became of a hook that [`push_hook`] planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PushHook {
    /// There is no hook.
    Missing,
    /// There is one, and our block is not in it.
    Replaced,
    /// Our block is in it, and says something else than was written, or does not stand first.
    Altered,
    /// It is as it was planned; the program that it starts.
    Whole(String),
}

/// Reads what a hook is now.
#[must_use]
pub fn push_hook_state(text: Option<&str>) -> PushHook {
    let Some(text) = text else {
        return PushHook::Missing;
    };
    if !text.contains(BEGIN) {
        return PushHook::Replaced;
    }
    let program = text.lines().find_map(|line| {
        let call = line.split_once("\"$proctor_lines\" | ")?.1;
        let quoted = call.split_once(" verify --pre-push")?.0;
        let bare = quoted.strip_prefix('\'')?.strip_suffix('\'')?;
        Some(bare.replace(r"'\''", "'"))
    });
    match program {
        Some(program) if push_hook(Some(text), &program).is_ok_and(|plan| !plan.changed) => {
            PushHook::Whole(program)
        }
        _ => PushHook::Altered,
    }
}

fn block(program: &str) -> String {
    let program = format!("'{}'", program.replace('\'', r"'\''"));
    format!(
        "{BEGIN}\n\
         proctor_lines=$(cat)\n\
         printf '%s\\n' \"$proctor_lines\" | {program} verify --pre-push \"$1\" || exit 1\n\
         if [ -n \"$proctor_lines\" ]; then\n\
         exec <<PROCTOR_LINES\n\
         $proctor_lines\n\
         PROCTOR_LINES\n\
         else\n\
         exec </dev/null\n\
         fi\n\
         {END}\n"
    )
}

/// The text without our block.
fn without(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        if bare == BEGIN && text.contains(END) {
            inside = true;
        }
        if !inside {
            out.push_str(line);
        }
        if bare == END {
            inside = false;
        }
    }
    out
}

/// Whether nothing but a first line is left.
fn is_bare(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || (text == "#!/bin/sh")
}

/// Whether the interpreter that a first line names is a shell.
fn is_shell(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let name = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    let first = words.next().map(name).unwrap_or_default();
    let program = if first == "env" {
        words.next().map(name).unwrap_or_default()
    } else {
        first
    };
    SHELLS.contains(&program.as_str())
}
