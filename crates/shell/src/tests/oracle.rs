//! Bash itself says whether we read its lines right: lines are made at random from what masks a status,
//! run with all outcomes of the commands in them, and compared with what the analysis promised.

use super::dice::lines;
use crate::analyse;
use std::fmt::Write as _;
use std::process::Command;

/// Two checks and a command that is none; the bits of a case say which of them fail. The first check may
/// end differently when it runs again.
const CASES: usize = 16;

/// Whether a line ended well, and what each run of a check in it ended with.
type Case = (bool, Vec<(char, bool)>);

/// Runs each line with all outcomes. For each line and case: the status, and what each run of the two
/// checks ended with.
fn run(lines: &[String]) -> Vec<[Case; CASES]> {
    let mut script = String::from(
        "exec 9>&1 >/dev/null 2>&1\n\
         pytest() { echo \"p$P\" >&9; s=$P P=$R; return $s; }\n\
         jest() { echo \"j$J\" >&9; return $J; }\n\
         u() { return $U; }\n",
    );
    for line in lines {
        let quoted = line.replace('\'', "'\\''");
        for case in 0..CASES {
            let (p, j, u, r) = (case & 1, case >> 1 & 1, case >> 2 & 1, case >> 3);
            writeln!(
                script,
                "( P={p} R={r} J={j} U={u}; eval '{quoted}' ); echo \"e$?\" >&9"
            )
            .expect("text");
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("script");
    std::fs::write(&file, script).expect("a temporary file");
    let output = Command::new("bash")
        .arg("--norc")
        .arg(&file)
        .current_dir(folder.path())
        .output()
        .expect("bash runs");
    let text = String::from_utf8(output.stdout).expect("our own output");
    let mut results = Vec::new();
    let mut words = text.lines();
    for line in lines {
        results.push(std::array::from_fn(|_| {
            let mut runs = Vec::new();
            loop {
                let word = words.next().unwrap_or_else(|| panic!("bash stopped at: {line}"));
                let (what, code) = word.split_at(1);
                match what {
                    "e" => break (code == "0", runs),
                    _ => runs.push((what.chars().next().expect("a letter"), code == "0")),
                }
            }
        }));
    }
    assert_eq!(words.next(), None, "background jobs speak late");
    results
}

/// What is wrong with the promises for these lines, and how many checks were masked without need.
fn compare(lines: &[String]) -> (String, usize, usize) {
    let results = run(lines);
    let (mut wrong, mut needless, mut open) = (String::new(), 0, 0);
    for (line, cases) in lines.iter().zip(&results) {
        let analysis = analyse(line, &[]);
        if let Some(why) = analysis.unanalysable {
            // `f` may or may not be defined where it is called; everything else is to be read.
            if !why.contains("a function may") {
                writeln!(wrong, "{line}\n  is not read: {why}").expect("text");
            }
            continue;
        }
        for letter in ['p', 'j'] {
            let name = if letter == 'p' { "pytest" } else { "jest" };
            let checks: Vec<_> = analysis.checks.iter().filter(|c| c.check == name).collect();
            if checks.is_empty() {
                let ran = cases
                    .iter()
                    .any(|(_, runs)| runs.iter().any(|(l, _)| *l == letter));
                assert!(!ran, "{line}: {name} is not listed");
                continue;
            }
            let sure = checks.iter().filter(|c| c.masks.is_empty()).count();
            open += sure;
            let holds = |all: bool| {
                cases.iter().filter(|(ok, _)| *ok).all(|(_, runs)| {
                    let mut own = runs.iter().filter(|(l, _)| *l == letter).peekable();
                    own.peek().is_some()
                        && if all {
                            own.all(|(_, ok)| *ok)
                        } else {
                            own.any(|(_, ok)| *ok)
                        }
                })
            };
            if sure > 0 && !holds(sure == checks.len()) {
                writeln!(wrong, "{line}\n  promises {name}").expect("text");
            }
            if sure == 0 && cases.iter().any(|(ok, _)| *ok) && holds(true) {
                needless += 1;
            }
        }
    }
    (wrong, needless, open)
}

#[test]
fn bash_agrees() {
    let (wrong, needless, open) = compare(&lines(1, 300));
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(open > 20, "something is promised: {open}");
    assert!(needless * 2 < open, "{needless} masked without need, {open} open");
}

/// The rows of the table of masks are run too, with programs in the search path that only note that they
/// ran. If everything fails, no line may end well with a check that is not masked; if everything passes
/// and the line ends well, every check that is not masked ran.
#[test]
fn bash_agrees_with_the_table() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    for name in [
        "cargo", "pytest", "npm", "npx", "jest", "make", "python", "go", "docker", "u",
    ] {
        let path = bin.join(name);
        std::fs::write(
            &path,
            format!("#!/bin/sh\necho {name} \"$@\" >> \"$RAN\"\nexit $STATUS\n"),
        )
        .expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("rights");
    }
    std::fs::create_dir(folder.path().join("foo")).expect("a folder");
    let mut wrong = String::new();
    for row in include_str!("masks.txt").lines() {
        let Some((line, _)) = row.split_once("  =>") else {
            continue;
        };
        let line = line.replace("\\n", "\n").replace("\\r", "\r");
        let analysis = analyse(&line, &[]);
        let sure: Vec<_> = analysis.checks.iter().filter(|c| c.masks.is_empty()).collect();
        for status in ["0", "1"] {
            let ran = folder.path().join("ran");
            std::fs::write(&ran, "").expect("a file");
            let path = format!("{}:/usr/bin:/bin", bin.display());
            let ended = Command::new("timeout")
                .args(["5", "bash", "-c", &line])
                .current_dir(folder.path())
                .env_clear()
                .envs([
                    ("PATH", path.as_str()),
                    ("STATUS", status),
                    ("RAN", ran.to_str().expect("a plain path")),
                ])
                .output()
                .expect("bash runs");
            if !ended.status.success() {
                continue;
            }
            if status == "1" && !sure.is_empty() {
                writeln!(wrong, "{line}\n  ends well though everything fails").expect("text");
            }
            let ran = std::fs::read_to_string(&ran).expect("a file");
            for check in &sure {
                let program = check.check.split(' ').next().unwrap_or_default();
                if status == "0" && !ran.contains(program) {
                    writeln!(wrong, "{line}\n  {} did not run", check.check).expect("text");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
#[ignore = "takes minutes; for changes of the walk"]
fn bash_agrees_at_length() {
    for seed in 2..6 {
        let (wrong, _, _) = compare(&lines(seed, 1_500));
        assert!(wrong.is_empty(), "\n{wrong}");
    }
}
