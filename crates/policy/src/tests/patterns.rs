//! The user's patterns: how they are written, and what is told about them.

use super::{generated::is_current, rendered, sources};
use crate::{Confidence, Pattern, Settings, Sources, examine, resolve};

fn of(text: &str) -> Sources {
    sources("", text, "")
}

#[test]
fn an_entry_is_a_text_or_has_examples() {
    let resolved = examine(&of("
enforcement:
  response:
    patterns:
      korean:
        - 갓벽
        - pattern: /훌륭한\\s*분석/
          match: [훌륭한 분석입니다, 훌륭한분석]
          not_match: [훌륭한 코드]
      english:
        - { pattern: rock solid, confidence: low }
    allow: { korean: [완벽 해시], english: [perfect hash, '/perfect (square|number)/i'] }
"));
    assert_eq!(rendered(&resolved), "");
    let response = resolved.settings.response;
    let texts = |list: &[&str]| list.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        response.korean,
        [
            Pattern::from("갓벽"),
            Pattern {
                pattern: r"/훌륭한\s*분석/".to_owned(),
                matches: texts(&["훌륭한 분석입니다", "훌륭한분석"]),
                not_match: texts(&["훌륭한 코드"]),
                confidence: Confidence::High,
            }
        ]
    );
    assert_eq!(
        response.patterns(Confidence::Low).collect::<Vec<_>>(),
        ["rock solid"]
    );
    assert_eq!(
        response.allow,
        texts(&["완벽 해시", "perfect hash", "/perfect (square|number)/i"])
    );
}

#[test]
fn settings_survive_being_kept() {
    let text = "enforcement: {response: {patterns: {korean: [가나, {pattern: 다라, confidence: low, match: [다라마]}]}}}";
    let settings = resolve(&of(text)).settings;
    let json = serde_json::to_string(&settings).unwrap();
    assert!(
        json.contains(r#""korean":["가나",{"pattern":"다라","match":["다라마"],"confidence":"low"}]"#),
        "{json}"
    );
    assert_eq!(serde_json::from_str::<Settings>(&json).unwrap(), settings);
}

#[test]
fn every_mistake_in_a_pattern_is_told_with_its_place() {
    let resolved = examine(&of(include_str!("../../tests/data/patterns.yaml")));
    is_current("tests/data/patterns.txt", &rendered(&resolved));
    assert!(
        resolved
            .problems
            .iter()
            .all(|p| p.line > 0 && p.column > 0 && p.suggestion.is_some())
    );
}

/// A hook reads the same settings as `config validate`, whatever is told beyond.
#[test]
fn examining_changes_no_setting() {
    for text in [
        include_str!("../../tests/data/patterns.yaml"),
        include_str!("../../tests/data/full.yaml"),
        include_str!("../../tests/data/mistakes.yaml"),
    ] {
        let (light, thorough) = (resolve(&of(text)), examine(&of(text)));
        assert_eq!(light.settings, thorough.settings);
        assert!(thorough.problems.len() >= light.problems.len());
    }
}

#[test]
fn regular_expressions_are_limited_in_number() {
    let many: String = (0..60).map(|i| format!("/word{i}/, ")).collect();
    let resolved = resolve(&of(&format!(
        "enforcement: {{response: {{patterns: {{english: [{many}]}}}}}}"
    )));
    assert_eq!(resolved.problems.len(), 10);
    assert_eq!(resolved.settings.response.english.len(), 50);
}
