use super::{project, rendered, sources};
use crate::{LastGood, MAX_FILE, Settings, Sources, choose, resolve};
use proctor_kernel::Mode;

const GOOD: &str = "preset: strict\nenforcement: {response: {flattery_threshold: 0.15}}\n";

#[test]
fn a_wrong_value_costs_only_itself() {
    let user = "enforcement: {response: {flattery_threshold: 0.1}}";
    let resolved = resolve(&sources(
        user,
        "enforcement: {response: {flattery_threshold: lots}, todo: {mode: enforce}}",
        "",
    ));
    assert!(!resolved.broken && !resolved.is_valid());
    assert_eq!(
        (resolved.settings.response.threshold, resolved.settings.todo.mode),
        (0.1, Mode::Enforce)
    );
    let choice = choose(&resolved, None);
    assert_eq!(choice.settings, resolved.settings);
    assert_eq!(
        choice.note.as_deref(),
        Some(
            "Proctor policy: .proctor/proctor.yaml:1:46: `response.flattery_threshold` takes a share from 0 to 1, not `lots`; \
             the wrong value is not used. Run `proctor config validate`."
        )
    );
}

#[test]
fn a_broken_file_falls_back_to_the_last_good_policy() {
    let good = resolve(&sources("", GOOD, ""));
    let last = choose(&good, None).good.unwrap();
    assert_eq!((&last.digest, &last.settings), (&good.digest, &good.settings));
    let stored: LastGood = serde_json::from_str(&serde_json::to_string(&last).unwrap()).unwrap();
    assert_eq!(stored, last);

    let broken = resolve(&sources("", "preset: strict\nenforcement: {response: [\n", ""));
    assert!(broken.broken && choose(&broken, None).good.is_none());
    let choice = choose(&broken, Some(&stored));
    assert_eq!(choice.settings, good.settings);
    assert_eq!(choice.good, Some(last));
    let note = choice.note.unwrap();
    assert!(
        note.starts_with("Proctor policy: .proctor/proctor.yaml:"),
        "{note}"
    );
    assert!(
        note.ends_with("; the last good policy is used. Run `proctor config validate`."),
        "{note}"
    );

    // The note names the file that cannot be used, not the first wrong value of another.
    let two = resolve(&sources("preset: loud", "{", ""));
    assert!(
        choose(&two, None)
            .note
            .unwrap()
            .starts_with("Proctor policy: .proctor/proctor.yaml:1:")
    );

    // Without one: the built-in policy and the files that can be read.
    let broken = resolve(&sources("preset: strict", "a: b: c", ""));
    let choice = choose(&broken, None);
    assert_eq!(choice.settings, Settings::preset(crate::Preset::Strict));
    assert!(
        choice
            .note
            .unwrap()
            .contains("the built-in policy is used, with the files that can be read")
    );
}

#[test]
fn what_the_user_demands_now_holds_over_an_older_good_policy() {
    let last = choose(&resolve(&sources("", "preset: observe", "")), None).good;
    let broken = resolve(&sources("enforcement: {scope: {mode: enforce}}", "{", ""));
    let choice = choose(&broken, last.as_ref());
    assert_eq!(
        (choice.settings.scope.mode, choice.settings.todo.mode),
        (Mode::Enforce, Mode::Observe)
    );
}

#[test]
fn a_sound_policy_has_no_note() {
    let resolved = project(GOOD);
    let choice = choose(&resolved, None);
    assert_eq!((&choice.settings, choice.note), (&resolved.settings, None));
    assert!(Sources::default().is_empty() && !sources("", GOOD, "").is_empty());
}

#[test]
fn a_file_that_is_no_text_or_too_large_is_told() {
    let mut files = sources("", "x", "");
    files.project.as_mut().unwrap().bytes = b"version: 1\n# \xed\x95\x9c\xff\n".to_vec();
    let resolved = resolve(&files);
    assert!(resolved.broken);
    assert_eq!(
        rendered(&resolved),
        "error: the file is not UTF-8 text from here on\n --> .proctor/proctor.yaml:2:4\n  = help: save it as UTF-8\n"
    );
    files.project.as_mut().unwrap().bytes = vec![b'#'; MAX_FILE + 1];
    let resolved = resolve(&files);
    assert!(resolved.broken);
    assert_eq!(
        rendered(&resolved),
        "error: the file is larger than 1 MB\n--> .proctor/proctor.yaml\n = help: a policy has a few kilobytes; is this the right file?\n"
    );
    files.project.as_mut().unwrap().bytes = vec![b'#'; MAX_FILE];
    assert_eq!(rendered(&resolve(&files)), "");
}

#[test]
fn anchors_cannot_be_used_as_a_bomb() {
    let mut text = String::from("a: &a [x,x,x,x,x,x,x,x,x,x]\n");
    for (i, name) in ('b'..='j').enumerate() {
        let before = char::from(b'a' + u8::try_from(i).unwrap());
        let again = vec![format!("*{before}"); 10].join(",");
        text += &format!("{name}: &{name} [{again}]\n");
    }
    let resolved = project(&text);
    assert!(resolved.broken);
    assert!(
        rendered(&resolved).contains("the file has more than 20000 values"),
        "{}",
        rendered(&resolved)
    );
    // The same with one long text instead of many short ones.
    let long = format!(
        "a: &a '{}'\nb: [{}]\n",
        "x".repeat(500_000),
        vec!["*a"; 10_000].join(",")
    );
    assert!(rendered(&project(&long)).contains("the file has more than 20000 values"));
    let own = project("a: &a [*a]\n");
    assert!(own.broken, "{}", rendered(&own));
}

#[test]
fn deep_nesting_and_many_mistakes_stay_cheap() {
    let deep = project(&format!("enforcement: {}", "[".repeat(100_000)));
    assert!(deep.broken);
    let deep = project(&format!("{}x", "- ".repeat(100_000)));
    assert!(deep.broken);
    let many: String = (0..9_000)
        .map(|i| format!("unknown_key_number_{i}: 1\n"))
        .collect();
    let resolved = project(&many);
    assert_eq!(resolved.problems.len(), 101);
    assert!(rendered(&resolved).contains("8900 more problems in this file"));
}
