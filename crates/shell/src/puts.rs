//! Files that a command puts where its words say, with a content that the session chose: what is called like a runner there
//! is none.

use crate::ast::{Direction, Redirect};
use crate::state::State;
use crate::word::{Arg, base, one, program};

/// Programs that fetch a file, and the options that name it.
const FETCHERS: &[(&str, &[&str])] = &[
    ("curl", &["-o", "--output"]),
    ("wget", &["-O", "--output-document"]),
];

/// Options of the programs that copy which take the next word.
const VALUES: &[&str] = &["-m", "-o", "-g", "-S", "--mode", "--owner", "--group", "--suffix"];

/// The files, as they are written.
pub(crate) fn files(args: &[Arg], redirects: &[Redirect], state: &State) -> Vec<String> {
    let (first, rest) = match args.split_first() {
        Some((first, rest)) => (program(&first.text), rest),
        None => ("", &[][..]),
    };
    let words: Vec<&str> = rest.iter().map(|a| a.text.as_str()).collect();
    let fetcher = FETCHERS.iter().find(|(name, _)| *name == first);
    // What comes from another machine is what lies there.
    let foreign = fetcher.is_some() && !words.iter().any(|word| is_local(word));
    let mut files: Vec<String> = match first {
        "tee" => words
            .iter()
            .filter(|w| !w.starts_with('-'))
            .map(|w| (*w).to_owned())
            .collect(),
        "cp" | "mv" | "install" | "rsync" | "ln" => copied(&words),
        "dd" => words
            .iter()
            .filter_map(|w| w.strip_prefix("of="))
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    };
    if foreign {
        return files;
    }
    if let Some((_, options)) = fetcher {
        files.extend(named(&words, options));
    }
    let out = redirects.iter().filter(|r| r.direction == Direction::Out);
    files.extend(out.map(|r| one(&r.target, state).text));
    files
}

/// Where the words of a copy, a move or a link put files: at the last word, or in it by their own names.
fn copied(words: &[&str]) -> Vec<String> {
    let mut operands = Vec::new();
    let mut folder = None;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word.split_once('=') {
            Some(("--target-directory", value)) => folder = Some(value),
            _ if matches!(word, "-t" | "--target-directory") => folder = words.next(),
            _ if VALUES.contains(&word) => {
                words.next();
            }
            _ if word.starts_with('-') && word.len() > 1 => {}
            _ => operands.push(word),
        }
    }
    let within = |folder: &str, of: &[&str]| -> Vec<String> {
        let folder = folder.trim_end_matches('/');
        let names = of.iter().map(|source| base(source.trim_end_matches('/')));
        names.map(|name| format!("{folder}/{name}")).collect()
    };
    match (folder, operands.split_last()) {
        (Some(folder), _) => within(folder, &operands),
        (None, Some((last, sources))) => {
            let mut files = within(last, sources);
            files.push((*last).to_owned());
            files
        }
        (None, None) => Vec::new(),
    }
}

/// The values of options, in the same word or the next one.
fn named(words: &[&str], options: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word.split_once('=') {
            Some((flag, value)) if options.contains(&flag) => files.push(value.to_owned()),
            _ if options.contains(&word) => files.extend(words.next().map(str::to_owned)),
            // `-sSLo FILE`
            _ if is_bundle(word, options) => files.extend(words.next().map(str::to_owned)),
            _ => {}
        }
    }
    files
}

/// Whether a word of several letters ends with that of an option.
fn is_bundle(word: &str, options: &[&str]) -> bool {
    let letters = word
        .strip_prefix('-')
        .filter(|l| !l.starts_with('-') && l.len() > 1);
    let last = letters.and_then(|l| l.chars().next_back());
    last.is_some_and(|last| {
        options
            .iter()
            .any(|o| o.strip_prefix('-') == Some(last.to_string().as_str()))
    })
}

/// Whether an address is one of this machine.
fn is_local(word: &str) -> bool {
    if word.starts_with("file:") {
        return true;
    }
    let rest = word
        .strip_prefix("http://")
        .or_else(|| word.strip_prefix("https://"))
        .unwrap_or(word);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    let name = host.split(':').next().unwrap_or_default();
    host.starts_with("[::1]") || name == "localhost" || name == "0.0.0.0" || name.starts_with("127.")
}
