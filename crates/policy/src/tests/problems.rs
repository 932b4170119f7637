use super::generated::is_current;
use super::{project, rendered};

/// The first problem of a text, as a user sees it.
fn first(text: &str) -> String {
    project(text)
        .problems
        .first()
        .map(crate::Problem::render)
        .unwrap_or_default()
}

#[test]
fn problems_show_the_place() {
    assert_eq!(
        first("version: 1\nenforcement:\n  response:\n    flatery_threshold: 0.3\n"),
        "\
error: unknown key `flatery_threshold` in `enforcement.response`
 --> .proctor/proctor.yaml:4:5
  |
4 |     flatery_threshold: 0.3
  |     ^^^^^^^^^^^^^^^^^
  = help: did you mean `flattery_threshold`?
"
    );
}

#[test]
fn every_kind_of_mistake_is_told_with_its_place_and_what_to_do() {
    let resolved = project(include_str!("../../tests/data/mistakes.yaml"));
    is_current("tests/data/mistakes.txt", &rendered(&resolved));
    assert!(!resolved.broken);
    assert!(
        resolved
            .problems
            .iter()
            .all(|p| p.line > 0 && p.column > 0 && p.suggestion.is_some())
    );
    // Nothing of all that has an effect, and nothing is switched off.
    assert_eq!(resolved.settings, crate::Settings::default());
}

#[test]
fn a_byte_order_mark_takes_no_column() {
    let resolved = project("\u{FEFF}presett: strict\n");
    assert_eq!(resolved.problems[0].place(), ".proctor/proctor.yaml:1:1");
    assert!(rendered(&resolved).contains("\n  | ^^^^^^^\n"));
}

#[test]
fn a_key_of_many_places_is_not_guessed() {
    assert!(
        first("mode: enforce\n")
            .ends_with("  = help: known here: `version`, `preset`, `enforcement`, `verification`\n")
    );
    assert!(
        first("korean: [a]\n").ends_with("  = help: did you mean `enforcement.response.patterns.korean`?\n")
    );
}

#[test]
fn text_that_is_no_yaml_is_told_where_it_breaks() {
    for (text, line, column, message) in [
        (
            "a: b: c\n",
            1,
            5,
            "this is not valid YAML: mapping values are not allowed in this context",
        ),
        (
            "enforcement:\n\tenabled: true\n",
            2,
            2,
            "this is not valid YAML: tabs disallowed within this context (block indentation)",
        ),
        (
            "enforcement: [\n",
            1,
            14,
            "this is not valid YAML: unclosed bracket '['",
        ),
        (
            "a: *x\n",
            1,
            4,
            "this is not valid YAML: while parsing node, found unknown anchor",
        ),
        ("a: 1\n---\nb: 2\n", 2, 1, "a second YAML document begins here"),
        (
            "a: {b: c\nd: e\n",
            2,
            2,
            "this is not valid YAML: while parsing a flow mapping, did not find expected ',' or '}'",
        ),
        ("- a\n", 1, 1, "a policy is a mapping of keys to values"),
        ("word", 1, 1, "a policy is a mapping of keys to values"),
        (
            "\0",
            1,
            1,
            "this is not valid YAML: unexpected character: `\\u{0}'",
        ),
    ] {
        let resolved = project(text);
        assert!(resolved.broken, "{text:?}");
        let [problem] = &resolved.problems[..] else {
            panic!("{text:?}: {}", rendered(&resolved))
        };
        assert_eq!(
            (problem.line, problem.column, problem.message.as_str()),
            (line, column, message),
            "{text:?}"
        );
    }
}

#[test]
fn long_and_wide_lines_are_shown_around_the_place() {
    assert_eq!(
        first("# 한\nenforcement: {'한국어 열쇠': 1}"),
        "\
error: unknown key `한국어 열쇠` in `enforcement`
 --> .proctor/proctor.yaml:2:15
  |
2 | enforcement: {'한국어 열쇠': 1}
  |               ^^^^^^^^^^^^^
  = help: known here: `enabled`, `budget`, `response`, `review`, `scope`, `todo`, `drift`, `delegation`, `approval`, `loop`, `tools`
"
    );
    let long = format!(
        "enforcement: {{response: {{allow: ['{}']}}, skip_it: {{}}}}",
        "x".repeat(5_000)
    );
    let text = rendered(&project(&long));
    assert!(text.contains("']}, skip_it: {}}\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 160), "{text}");
}

#[test]
fn a_mistake_that_may_hide_a_demand_is_told_from_any_other() {
    let doubtful = [
        "enforcement: { approval: { require: chnages } }",
        "enforcement: { approval: { require: paths, paths: ['/deploy.sh'] } }",
        "enforcement: { approval: { high_stakes: { a: b } } }",
        "enforcement: { approval: changes }",
        "enforcement: { aproval: { require: changes } }",
        "enforcement: { approval: { requires: changes } }",
        "enforcement: { review: { level: rerunn } }",
        "enforcement: { enabled: ja }",
        "enforcment: { approval: { require: changes } }",
        "verification: { name: test }",
        "verfication: []",
        "preset: strickt",
        "version: 2",
        "enforcement: { approval: { require: changes }, approval: { require: never } }",
    ];
    for text in doubtful {
        let resolved = project(text);
        assert!(!resolved.broken, "{text}");
        assert_eq!(resolved.doubts().count(), 1, "{text}: {}", rendered(&resolved));
    }
    // These ask for no less than their author meant, but for a warning nobody has to be asked.
    let others = [
        "enforcement: { response: { flattery_threshold: lots } }",
        "enforcement: { response: { thresold: 0.1 } }",
        "enforcement: { approval: { reviewer_seconds: soon } }",
        "enforcement: { todo: enforce }",
        "enforcement: { approval: { require: changes } }",
    ];
    for text in others {
        let resolved = project(text);
        assert_eq!(resolved.doubts().count(), 0, "{text}: {}", rendered(&resolved));
    }
    assert!(others[..4].iter().all(|text| !project(text).is_valid()));
}
