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
