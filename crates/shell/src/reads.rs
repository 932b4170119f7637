//! Which commands only read.

use crate::wrappers::listed;

/// Programs that write no file whatever their arguments, but for the options that are listed.
const READERS: &[(&str, &str)] = &[
    ("cat", ""),
    ("head", ""),
    ("tail", ""),
    ("less", "-o -O"),
    ("more", ""),
    ("wc", ""),
    ("ls", ""),
    ("ll", ""),
    ("exa", ""),
    ("eza", ""),
    ("pwd", ""),
    ("date", "-s --set"),
    ("printenv", ""),
    ("id", ""),
    ("whoami", ""),
    ("uname", ""),
    ("arch", ""),
    ("ps", ""),
    ("pgrep", ""),
    ("df", ""),
    ("du", ""),
    ("free", ""),
    ("uptime", ""),
    ("file", "-C"),
    ("stat", ""),
    ("readlink", ""),
    ("realpath", ""),
    ("basename", ""),
    ("dirname", ""),
    ("diff", "--output"),
    ("cmp", ""),
    ("comm", ""),
    ("cut", ""),
    ("tr", ""),
    ("nl", ""),
    ("od", ""),
    ("hexdump", ""),
    ("strings", ""),
    ("md5sum", ""),
    ("sha1sum", ""),
    ("sha256sum", ""),
    ("sha512sum", ""),
    ("shasum", ""),
    ("cksum", ""),
    ("b2sum", ""),
    ("jq", ""),
    ("rg", "--pre"),
    ("grep", ""),
    ("egrep", ""),
    ("fgrep", ""),
    ("zgrep", ""),
    ("ag", ""),
    ("ack", ""),
    ("column", ""),
    ("fold", ""),
    ("fmt", ""),
    ("paste", ""),
    ("join", ""),
    ("seq", ""),
    ("sleep", ""),
    ("true", ""),
    ("false", ""),
    ("nproc", ""),
    ("lscpu", ""),
    ("lsof", ""),
    ("netstat", ""),
    ("ss", ""),
    ("ping", ""),
    ("dig", ""),
    ("nslookup", ""),
    ("host", ""),
    ("man", ""),
    ("tput", ""),
    ("clear", ""),
    ("which", ""),
    ("type", ""),
    ("whereis", ""),
    ("tac", ""),
    ("rev", ""),
    ("expr", ""),
    ("bc", ""),
    ("xxd", "-r"),
    ("zcat", ""),
    ("echo", ""),
    ("printf", ""),
    ("test", ""),
    ("[", ""),
    ("bat", ""),
    ("tokei", ""),
    ("cloc", "--out"),
    ("scc", "-o"),
    ("groups", ""),
    ("locale", ""),
    ("getconf", ""),
    ("sort", "-o --output"),
    ("tree", "-o"),
    ("yq", "-i --inplace"),
    ("sed", "-i --in-place -I"),
    ("fd", "-x -X --exec --exec-batch"),
    ("fdfind", "-x -X --exec --exec-batch"),
    (
        "find",
        "-delete -exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls",
    ),
];

/// Commands of the shell that touch no file.
pub(crate) fn is_harmless_builtin(name: &str) -> bool {
    matches!(
        name,
        "true"
            | ":"
            | "false"
            | "exit"
            | "return"
            | "break"
            | "continue"
            | "set"
            | "shopt"
            | "test"
            | "["
            | "cd"
            | "pushd"
            | "popd"
            | "export"
            | "declare"
            | "typeset"
            | "local"
            | "readonly"
            | "unset"
            | "read"
            | "wait"
            | "let"
            | "getopts"
            | "printf"
            | "alias"
            | "hash"
            | "mapfile"
    )
}

/// Sub-commands of programs that only read.
const SUBS: &[(&str, &str)] = &[
    (
        "git",
        "status log diff show rev-parse ls-files ls-tree ls-remote blame describe grep cat-file shortlog reflog rev-list merge-base \
        name-rev for-each-ref check-ignore diff-tree diff-index show-ref count-objects version help whatchanged cherry range-diff var",
    ),
    ("gh", "--version"),
    ("kubectl", "get describe logs version"),
    ("docker", "ps images logs inspect version info"),
    ("cargo", "--version -V metadata tree --list version help search"),
    ("npm", "ls list view outdated --version -v why"),
    ("node", "--version -v"),
    ("python", "--version -V"),
    ("python3", "--version -V"),
    ("pip", "list show freeze --version"),
    ("go", "version env list"),
    ("rustc", "--version -V"),
    ("command", "-v -V"),
    ("rustup", "show --version"),
    ("java", "-version --version"),
    ("make", "--version -n"),
    ("brew", "list info --version"),
    ("systemctl", "status"),
    ("journalctl", ""),
];

/// Whether a program is one of those that read.
pub(crate) fn is_reader(name: &str) -> bool {
    READERS.iter().any(|(n, _)| *n == name) || SUBS.iter().any(|(n, _)| *n == name)
}

/// Whether a command is known to change no file.
pub(crate) fn only_reads(argv: &[String]) -> bool {
    let Some((name, rest)) = argv.split_first() else {
        return true;
    };
    if matches!(name.as_str(), "env") && rest.is_empty() {
        return true;
    }
    if matches!(name.as_str(), "uniq") {
        return rest.iter().filter(|a| !a.starts_with('-')).count() < 2;
    }
    if matches!(name.as_str(), "awk" | "gawk") {
        return !rest
            .iter()
            .any(|a| a.contains(['>', '|']) || a.contains("system") || a.starts_with("-i"));
    }
    if let Some((_, writing)) = READERS.iter().find(|(n, _)| n == name) {
        let sed = name == "sed" && rest.iter().any(|a| sed_writes(a));
        return !sed && !rest.iter().any(|a| writes(a, writing));
    }
    if let Some((_, subs)) = SUBS.iter().find(|(n, _)| n == name) {
        let mut words = rest.iter().map(String::as_str);
        let mut first = words.next().unwrap_or_default();
        while name == "git" && matches!(first, "-C" | "--no-pager" | "-P") {
            if first == "-C" {
                words.next();
            }
            first = words.next().unwrap_or_default();
        }
        return listed(subs, first)
            && !rest
                .iter()
                .any(|a| a.starts_with("--output") || a == "--ext-diff");
    }
    false
}

/// Whether an argument is one of the options, also with a value or in a bundle.
fn writes(arg: &str, options: &str) -> bool {
    options.split_ascii_whitespace().any(|option| {
        arg == option
            || option.starts_with("--") && arg.strip_prefix(option).is_some_and(|r| r.starts_with('='))
            || option.len() == 2
                && arg.starts_with('-')
                && !arg.starts_with("--")
                && arg.contains(option.trim_start_matches('-'))
    })
}

/// Whether a script of sed writes or runs something: `w file`, `e`.
fn sed_writes(script: &str) -> bool {
    let plain = |c: char| c.is_ascii_digit() || " ,$-nEr".contains(c);
    !script.starts_with('-')
        && (script.contains("w ")
            || script.ends_with(['w', 'e']) && script.contains('/')
            || script.trim_start_matches(plain).starts_with('e'))
}
