//! The reference page says what the table holds.

use super::samples::{place, samples};
use crate::{RUNNERS, Runner, TAIL};
use std::fmt::Write;
use std::path::Path;

/// The commands that always print their end, and with which options they do not.
fn ends(row: &Runner) -> String {
    let code = |words: Vec<&str>| {
        words
            .iter()
            .map(|w| format!("`{w}`"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if row.ends.is_empty() {
        return "\u{2013}".to_owned();
    }
    let mut text = code(row.ends.to_vec());
    if !row.quiet.is_empty() {
        let _ = write!(
            text,
            "; not with {}",
            code(row.quiet.split_ascii_whitespace().collect())
        );
    }
    if row.settings {
        text.push_str("; not where its settings name another report");
    }
    if !row.prints.is_empty() {
        let _ = write!(text, "; always with `{}`", row.prints);
    }
    text
}

fn page() -> String {
    let samples = samples();
    let mut text = String::from(
        "# Runners: what is read from the output of a check\n\n\
         <!-- Generated from the table in crates/runners by `UPDATE_SNAPSHOTS=1 cargo test -p proctor-runners`. Do not edit. -->\n\n",
    );
    let head = crate::HEAD / 1024;
    let tail = TAIL / 1024;
    let _ = write!(
        text,
        "After a check ran, Proctor reads figures from what it printed: how many tests passed, failed, were skipped, were not selected, and \
         whether the output says that the run as a whole failed. **A text is no proof**: whoever can run a command can print any of these forms. \
         The exit code and the tree decide; the text can only take away from them, by a failure or an empty run under a good exit code.\n\n\
         - When the command names a runner, only the forms of that runner are believed (and reports in TAP or JUnit's XML where its own form is not \
         found). A command that can start anything (`make`, `npm test`, a script) leaves the decision to the form; then the runners marked \
         \u{201c}named only\u{201d} are not recognised.\n\
         - What is not printed stays unknown. Several parts (binaries, packages, classes) are added up, and a failure of one is a failure of all.\n\
         - Nothing tested, everything skipped or filtered out: an empty run, which supports nothing.\n\
         - Some runners print their end whatever comes of the tests (as the real samples show). A run of one of these that ended with 0 and printed \
         none supports nothing: it did not come to its end (a process that ended itself), or it was not seen (`>`, an option with which it \
         prints none, a report of another form). An end is a line of the runner's form, with figures, from its beginning to its end; words of it are none. Of a command that can start anything nothing of the kind is known, nor where a host left out a part or \
         hands no output over.\n\
         - Of a long output the first {head} KiB and the last {tail} KiB are read. Where a part is missing, also because the host shortened it, sums are \
         unknown.\n\n\
         | runner | verifies | named by | what is read | always prints its end | samples: real, documented |\n|---|---|---|---|---|---|\n",
    );
    for row in RUNNERS {
        let own = format!("{}/", place(row.name));
        let count = |source: &str| {
            let ours = samples.iter().filter(|s| s.name.starts_with(&own));
            ours.filter(|s| s.source.starts_with(source)).count()
        };
        let commands: Vec<String> = row.commands.iter().map(|c| format!("`{c}`")).collect();
        let named_only = if row.alone { "" } else { " (named only)" };
        let _ = writeln!(
            text,
            "| {}{named_only} | {} | {} | {} | {} | {}, {} |",
            row.name,
            row.kind.map_or("\u{2013}", |k| k.as_str()),
            if commands.is_empty() {
                "\u{2013}".to_owned()
            } else {
                commands.join(", ")
            },
            row.forms.join("; ").replace('|', "\\|"),
            ends(row),
            count("real "),
            count("documented "),
        );
    }
    text
}

#[test]
fn the_reference_page_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/runners.md");
    let page = page();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), page);
}

#[test]
fn the_table_is_sound() {
    assert!(RUNNERS.len() <= 64, "the set of rows is 64 bits");
    for (i, row) in RUNNERS.iter().enumerate() {
        assert!(!row.name.is_empty() && !row.forms.is_empty(), "{i}");
        assert!(!row.name.contains(','), "names are joined by commas");
        assert!(
            row.alone || !row.commands.is_empty(),
            "{}: nothing leads to it",
            row.name
        );
        assert!(
            RUNNERS.iter().take(i).all(|r| r.name != row.name),
            "{} twice",
            row.name
        );
        for other in row.yields_to {
            let place = RUNNERS.iter().position(|r| r.name == *other);
            assert!(place.is_some(), "{other} is no runner");
        }
    }
}
