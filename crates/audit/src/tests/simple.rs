//! A judge with answers that can be seen from the text, so that the tests of counting do not depend on
//! how well the gates read. The gates have tests of their own.

use crate::judge::{Approval, Assignment, Claims, Filler, Judge, Scope};
use proctor_kernel::{Audience, CheckKind, CheckKinds, Outline};

/// Filler are the words `great` and `훌륭`, ten characters of prose each; every other word is content.
/// `approve` approves, `ran` is evidence, `done` claims completion, `tests-pass` claims tests.
/// `FILES: a b` names files, `DELEGATE` delegates.
pub(crate) struct Simple;

impl Judge for Simple {
    fn filler(&self, text: &str, audience: Audience) -> Option<Filler> {
        assert!(!text.contains("PANIC"), "asked to panic");
        let words = text.split_whitespace().count() as u64;
        let filler = text
            .split_whitespace()
            .filter(|w| w.starts_with("great") || w.starts_with("훌륭"))
            .count() as u64;
        let over = filler * 100 > words * if audience == Audience::Agent { 20 } else { 40 };
        Some(Filler {
            prose: words * 10,
            filler: filler * 10,
            over,
        })
    }

    fn answer(&self, text: &str) -> Option<(Approval, Claims)> {
        let verified = if text.contains("tests-pass") {
            CheckKind::Tests.into()
        } else {
            CheckKinds::NONE
        };
        let approval = Approval {
            approves: text.contains("approve"),
            stated: !text.contains("remark"),
            evidence: text.contains("ran "),
        };
        Some((
            approval,
            Claims {
                completion: text.contains("done"),
                verified,
                words: text.to_owned(),
            },
        ))
    }

    fn assignment(&self, prompt: &str) -> Option<Assignment> {
        let files = prompt.split("FILES:").nth(1).unwrap_or_default();
        let expected: Vec<String> = files.split_whitespace().map(str::to_owned).collect();
        let outline = Outline {
            has_outcome: !expected.is_empty(),
            expected,
            ..Outline::default()
        };
        Some(Assignment {
            delegates: prompt.contains("DELEGATE"),
            outline,
        })
    }

    fn scope(&self, assignment: &Assignment, changed: &[String]) -> Option<Scope> {
        let expected = &assignment.outline.expected;
        let unexpected: Vec<String> = changed
            .iter()
            .filter(|c| !expected.contains(c))
            .cloned()
            .collect();
        let needs_review = unexpected.len() >= 3;
        Some(Scope {
            judged: !expected.is_empty(),
            unexpected,
            needs_review,
        })
    }
}
