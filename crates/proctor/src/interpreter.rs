//! Programs that run others: which script a process runs, and what runs a script.

use std::path::Path;

/// Programs that run agents written in JavaScript, by the name of their file.
const RUNTIMES: [&str; 4] = ["node", "nodejs", "bun", "deno"];

/// Options of theirs whose value is the next word.
const VALUED: [&str; 9] = [
    "-r",
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "-C",
    "--conditions",
    "-c",
    "--config",
];

/// Folders of packages whose scripts do not bear the name of the agent.
const PACKAGES: [(&str, &str); 2] = [("claude-code", "claude"), ("gemini-cli", "gemini")];

/// Whether a program is one that runs agents written in JavaScript.
pub(crate) fn is_runtime(program: &Path) -> bool {
    let name = program.file_name().and_then(|name| name.to_str());
    let name = name.map(|name| name.strip_suffix(".exe").unwrap_or(name));
    name.is_some_and(|name| RUNTIMES.contains(&name))
}

/// The script that such a program was told to run, from its command line.
pub(crate) fn script_of<'a>(command: &[&'a str]) -> Option<&'a str> {
    let (program, words) = command.split_first()?;
    let runs = !is_named(program, "node") && !is_named(program, "nodejs");
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "" | "-" | "-e" | "--eval" | "-p" | "--print" => return None,
            "--" => return words.next(),
            "run" if runs => {}
            option if VALUED.contains(&option) => {
                words.next();
            }
            option if option.starts_with('-') => {}
            script => return Some(script),
        }
    }
    None
}

fn is_named(program: &str, name: &str) -> bool {
    Path::new(program).file_name().is_some_and(|file| file == name)
}

/// The agent whose script this is: by the name of its file, or by the package in which it lies.
pub(crate) fn agent_of(script: &Path) -> Option<&str> {
    let mut folders = script.iter().filter_map(|part| part.to_str());
    if folders.any(|part| part == "node_modules")
        && let Some(agent) = folders.find_map(|part| PACKAGES.iter().find(|(package, _)| *package == part))
    {
        return Some(agent.1);
    }
    let name = script.file_name()?.to_str()?;
    let endings = [".js", ".mjs", ".cjs"];
    let plain = endings.iter().find_map(|ending| name.strip_suffix(ending));
    Some(plain.unwrap_or(name))
}

/// What the first line of a script names: its interpreter, and the words that come before the script. With `env` it is
/// a bare name, which PATH leads to.
pub(crate) fn named_by(first: &[u8]) -> Option<(String, Vec<String>)> {
    let line = first.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?.trim();
    let (program, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let rest = rest.trim();
    if program.is_empty() {
        return None;
    }
    if !is_named(program, "env") {
        // The system hands on all that stands there as one word.
        let words = (!rest.is_empty()).then(|| rest.to_owned());
        return Some((program.to_owned(), words.into_iter().collect()));
    }
    let split = rest.strip_prefix("-S").map(str::trim_start);
    let mut words = split.unwrap_or(rest).split_whitespace();
    let name = words
        .next()
        .filter(|name| !name.starts_with('-') && !name.contains('='))?;
    let words: Vec<String> = words.map(str::to_owned).collect();
    // What is quoted, and what is no program at all, is left to `env`.
    let plain = !rest.contains(['"', '\'', '\\', '$']) && (split.is_some() || words.is_empty());
    plain.then(|| (name.to_owned(), words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_script_is_run() {
        for (command, script) in [
            ("node /usr/bin/claude --resume", Some("/usr/bin/claude")),
            ("node --max-old-space-size=8192 cli.js -p", Some("cli.js")),
            ("/opt/node -r ./a.js --import b.js -- cli.js", Some("cli.js")),
            ("bun run cli.js", Some("cli.js")),
            ("node run cli.js", Some("run")),
            ("node -e code /usr/bin/claude", None),
            ("node - claude", None),
            ("node", None),
            ("claude", None),
        ] {
            let words: Vec<&str> = command.split(' ').collect();
            assert_eq!(script_of(&words), script, "{command}");
        }
        assert!(is_runtime(Path::new("/usr/bin/node")) && is_runtime(Path::new("bun.exe")));
        assert!(!is_runtime(Path::new("/usr/bin/claude")) && !is_runtime(Path::new("/node/sh")));
    }

    #[test]
    fn whose_script_it_is() {
        for (script, agent) in [
            ("/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "claude"),
            ("/usr/lib/node_modules/@google/gemini-cli/dist/index.js", "gemini"),
            ("/usr/bin/claude", "claude"),
            ("bin/codex.js", "codex"),
            ("/home/kim/claude-code/cli.js", "cli"),
        ] {
            assert_eq!(agent_of(Path::new(script)), Some(agent), "{script}");
        }
    }

    #[test]
    fn what_a_first_line_names() {
        let words = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        for (line, named) in [
            ("#!/bin/sh\necho", Some(("/bin/sh", words(&[])))),
            ("#! /bin/sh -e x\n", Some(("/bin/sh", words(&["-e x"])))),
            ("#!/usr/bin/env node\n", Some(("node", words(&[])))),
            (
                "#!/usr/bin/env -S node --no-warnings\n",
                Some(("node", words(&["--no-warnings"]))),
            ),
            ("#!/usr/bin/env -i node\n", None),
            ("#!/usr/bin/env -S A=b node\n", None),
            ("#!/usr/bin/env -S node 'a b'\n", None),
            ("#!\n", None),
            ("\x7fELF", None),
        ] {
            let named = named.map(|(program, words)| (program.to_owned(), words));
            assert_eq!(named_by(line.as_bytes()), named, "{line}");
        }
    }
}
