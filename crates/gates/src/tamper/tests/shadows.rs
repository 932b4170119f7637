//! Modules that Python finds before what runs the tests.

use super::*;

fn of(new: &[&str], gone: &[&str], folder: &str) -> Vec<String> {
    let text = "import os\nos._exit(0)\n";
    let new = new.iter().map(|path| FileChange {
        path,
        base: None,
        now: Some(text),
    });
    let gone = gone.iter().map(|path| FileChange {
        path,
        base: Some(text),
        now: None,
    });
    let files: Vec<FileChange<'_>> = new.chain(gone).collect();
    let check = CheckPair {
        name: "test",
        base: None,
        now: None,
        ended_well: true,
        always_tells: false,
        folder,
    };
    let found = judge(&Change {
        files: &files,
        checks: &[check],
        ..Change::default()
    });
    found
        .into_iter()
        .filter(|f| f.kind == Kind::RunnerShadowed)
        .map(|f| format!("{:?} {}", f.severity, f.words))
        .collect()
}

#[test]
fn a_module_in_the_place_of_one_that_runners_need() {
    let own = "is new, and Python finds it before its own `signal`, which runners need";
    let runner = "is new, and Python finds it before the `unittest` that runs tests";
    let beside = "is new, and may be found before Python's own `signal` where tests run";
    for (path, folder, expected) in [
        ("signal.py", "", Some(("Block", own))),
        ("signal/__init__.py", "", Some(("Block", own))),
        ("api/signal.py", "api", Some(("Block", own))),
        ("tests/signal.py", "tests", Some(("Block", own))),
        ("tests/signal.py", "", Some(("Note", beside))),
        ("unittest.py", "", Some(("Block", runner))),
        ("tests/unittest.py", "", Some(("Block", runner))),
        // Of a package, of another name, in another language, or not found before.
        ("api/signal.py", "", None),
        ("tests/signal/__init__.py", "", None),
        ("signals.py", "", None),
        ("signal.ts", "", None),
        ("signal/handlers.py", "", None),
        ("os.py", "", None),
    ] {
        let expected: Vec<String> = expected
            .map(|(severity, words)| format!("{severity} {path} {words}"))
            .into_iter()
            .collect();
        assert_eq!(of(&[path], &[], folder), expected, "{path} in {folder:?}");
    }
    // It only changed its form.
    assert!(of(&["signal/__init__.py"], &["signal.py"], "").is_empty());
}
