use super::*;

#[test]
fn our_block_comes_and_goes_and_nothing_else_changes() {
    let theirs = [
        "#!/bin/sh\necho theirs\n",
        "#!/usr/bin/env bash\nset -e\nwhile read -r a b c d; do echo \"$a\"; done\n",
        "#!/bin/bash -e\n\n# a comment\n",
        "echo no first line\n",
        "#!/bin/sh\nno line feed at the end",
    ];
    for old in theirs {
        let plan = push_hook(Some(old), "proctor").unwrap();
        let new = plan.new_text.unwrap();
        assert!(plan.changed && new.contains("verify --pre-push"), "{new}");
        let again = push_hook(Some(&new), "proctor").unwrap();
        assert!(!again.changed, "{}", again.diff);
        let moved = push_hook(Some(&new), "/opt/proctor").unwrap().new_text.unwrap();
        assert_eq!(
            moved.matches("--pre-push").count(),
            new.matches("--pre-push").count()
        );
        assert_eq!(
            push_hook_state(Some(&moved)),
            PushHook::Whole("/opt/proctor".to_owned())
        );
        // A line before it leaves it out; a line of it that is another one does anything.
        let (first, rest) = moved.split_once("# >>> proctor").unwrap();
        let skipped = format!("{first}exit 0\n# >>> proctor{rest}");
        assert_eq!(push_hook_state(Some(&skipped)), PushHook::Altered, "{skipped}");
        let forgiven = moved.replace("|| exit 1", "|| true");
        assert_eq!(push_hook_state(Some(&forgiven)), PushHook::Altered);
        assert_eq!(push_hook_state(Some(old)), PushHook::Replaced);
        let removed = push_hook_removal(Some(&moved));
        assert_eq!(removed.new_text.as_deref(), Some(old));
    }
    let fresh = push_hook(None, "it's").unwrap().new_text.unwrap();
    assert!(
        fresh.starts_with("#!/bin/sh\n") && fresh.contains(r"'it'\''s' verify"),
        "{fresh}"
    );
    assert_eq!(push_hook_state(Some(&fresh)), PushHook::Whole("it's".to_owned()));
    assert_eq!(push_hook_state(None), PushHook::Missing);
    let gone = push_hook_removal(Some(&fresh));
    assert!(gone.changed && gone.new_text.is_none());
    assert!(!push_hook_removal(None).changed);
    assert!(!push_hook_removal(Some("#!/bin/sh\necho theirs\n")).changed);
    assert!(push_hook(Some("#!/usr/bin/python3\nprint()\n"), "proctor").is_err());
}

#[test]
fn a_workflow_is_ours_or_left_alone() {
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let source = Source::parse(&format!("https://example.org/proctor.git#{commit}")).unwrap();
    let plan = workflow(None, &source).unwrap();
    let text = plan.new_text.unwrap();
    assert!(
        text.contains(&format!(
            "--git https://example.org/proctor.git --rev {commit} proctor\n"
        )),
        "{text}"
    );
    // Nothing of the change takes part in the build, and the base is the one of now.
    let (build, rest) = text.split_once("actions/checkout").unwrap();
    assert!(
        build.contains("cargo install") && build.contains("working-directory: ${{ runner.temp }}"),
        "{text}"
    );
    assert!(
        build.contains("RUSTUP_TOOLCHAIN: \"1.") && !rest.contains("cargo"),
        "{text}"
    );
    assert!(
        build.contains("reopened, edited]") && build.contains("merge_group:"),
        "{text}"
    );
    assert!(
        rest.contains("FETCH_HEAD") && rest.contains("--rerun --range") && !rest.contains("base.sha"),
        "{text}"
    );
    // What the event says reaches the shell by variables alone.
    assert!(
        text.lines()
            .filter(|l| l.contains("github.event"))
            .all(|l| !l.contains("run:")),
        "{text}"
    );
    assert!(!workflow(Some(&text), &source).unwrap().changed);
    assert!(workflow_removal(Some(&text)).unwrap().new_text.is_none());
    for theirs in ["name: proctor\n", ""] {
        assert!(workflow(Some(theirs), &source).is_err());
        assert!(workflow_removal(Some(theirs)).is_err());
    }
    for wrong in [
        "https://example.org/proctor.git".to_owned(),
        "https://example.org/proctor.git#main".to_owned(),
        format!("https://example.org/$(id)#{commit}"),
        format!("ext::sh#{commit}"),
        format!("https://example.org/x y#{commit}"),
    ] {
        assert!(Source::parse(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn what_is_pushed_is_read_line_by_line_or_not_at_all() {
    let (one, two, none) = ("1".repeat(40), "a".repeat(64), "0".repeat(40));
    let text =
        format!("HEAD@{{1 day ago}} {one} refs/heads/x {none}\n\n(delete) {none} refs/heads/y {two}\n");
    let of = |name: &str, to: Option<&String>, from: Option<&String>| PushedRef {
        name: name.to_owned(),
        to: to.cloned(),
        from: from.cloned(),
    };
    assert_eq!(
        pushed_refs(&text).unwrap(),
        [
            of("refs/heads/x", Some(&one), None),
            of("refs/heads/y", None, Some(&two))
        ]
    );
    assert_eq!(pushed_refs("\n").unwrap(), []);
    for wrong in [
        format!("a {one} refs/heads/x"),
        format!("a HEAD refs/heads/x {one}"),
        format!("a {one} refs/heads/x {}", "1".repeat(39)),
        format!("a --all refs/heads/x {none}"),
        format!("a {one}  {none}"),
        format!("a {one} refs/heads/x {none}\nb"),
    ] {
        assert!(pushed_refs(&wrong).is_err(), "{wrong}");
    }
}
