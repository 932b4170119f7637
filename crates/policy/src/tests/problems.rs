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
fn demo() {
    let t = std::fs::read_to_string("/tmp/policy_demo.yaml").unwrap();
    println!("{}", rendered(&project(&t)));
    for t in [
        "a: b: c\n",
        "enforcement:\n\tenabled: true\n",
        "enforcement: [\n",
        "a: *x\n",
        "a: 1\n---\nb: 2\n",
        "- a\n",
        "x: 'abc\n",
        "a: b\n c: d\n",
        "%FOO\n",
        "a: {b: c\nd: e\n",
        "@x: 1",
        "a: `x`",
        "word",
        "enforcement: {enabled: true\n",
        "a:\n  - b\n c: 1\n",
        "\u{0}",
    ] {
        println!("--- {t:?}\n{}", rendered(&project(t)));
    }
}
