//! Verdicts: items that ask for one, and lines that give it.

use super::class::Class;
use crate::list::{has_any_word, listed};
use proctor_prose::{Act, Clause, Features, tag};
use serde_json::Value;

/// The words that stand before a verdict.
const LABELS: [&str; 2] = ["verdict", "판정"];

/// Whether an item asks for a verdict, as in "A line VERDICT: APPROVE or VERDICT: REJECT" or "리뷰 판정".
pub(super) fn is_asked(item: &str, class: Class) -> bool {
    // Their first bytes.
    if !item.bytes().any(|b| matches!(b, b'v' | b'V' | 0xed)) {
        return false;
    }
    let may = |word: &str| {
        item.as_bytes()
            .windows(word.len())
            .any(|w| w.eq_ignore_ascii_case(word.as_bytes()))
    };
    if !LABELS.iter().any(|label| may(label)) {
        return false;
    }
    let lower = item.to_lowercase();
    let Some(label) = LABELS.iter().find(|label| lower.contains(**label)) else {
        return false;
    };
    let spelled = lower
        .match_indices(label)
        .any(|(at, _)| is_separated(lower.get(at + label.len()..).unwrap_or_default()));
    if spelled || has_any_word!(&lower, "approve|reject|승인|반려") {
        return true;
    }
    // "Review verdict", "판정"; but "Fix the verdict" asks for something else.
    let making = Class::FIX.with(Class::CHANGE).with(Class::REMOVE);
    let last = lower.trim_end_matches(|c: char| !c.is_alphanumeric());
    last.ends_with(label) && !class.has(making) && lower.split_whitespace().count() <= 4
}

/// Whether a line gives a verdict: `VERDICT: REJECT. …`, `**판정:** 승인`.
pub(super) fn is_given(line: &str) -> bool {
    let line = line.trim_start_matches(is_decoration);
    let value = LABELS.iter().find_map(|label| {
        let head = line.get(..label.len())?;
        let rest = line.get(label.len()..)?;
        (head.to_lowercase() == *label && is_separated(rest)).then_some(rest)
    });
    let Some(value) = value else { return false };
    let mut words = value
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase);
    let Some(first) = words.next() else { return false };
    // "VERDICT: APPROVE or REJECT" and "APPROVE | REJECT" only repeat what was asked.
    let second = words.next().unwrap_or_default();
    let choice = listed!("or|또는", &second)
        || value.contains(['|', '/']) && listed!("approve|reject|승인|반려", &second);
    !choice
        && !listed!(
            "pending|tbd|todo|none|unknown|later|open|미정|예정|추후|대기",
            &first,
        )
}

/// Whether one of the clauses gives a verdict in words: `Approved.`, `I can't approve this`, 반려합니다. One that is
/// promised, asked for, held back by a condition or somebody else's is none.
pub(super) fn is_given_in(clauses: &[Clause]) -> bool {
    let sentences = || clauses.chunk_by(|a, b| a.sentence == b.sentence);
    let free = |clauses: &&[Clause]| !clauses.iter().any(|c| c.features.has(Features::CONDITIONAL));
    sentences().filter(free).flatten().any(gives)
}

fn gives(clause: &Clause) -> bool {
    let apart = Features::QUESTION
        .or(Features::QUOTED)
        .or(Features::STRUCK)
        .or(Features::HEARSAY)
        .or(Features::FUTURE)
        .or(Features::ONGOING);
    let names = clause.tags.any(tag::APPROVE | tag::REFUSE);
    let gives = matches!(clause.act, Act::Verdict | Act::Refusal) || clause.margins.refusal > 0;
    names && gives && !clause.features.any(apart)
}

/// Whether a JSON object has a field with a verdict in it: `{"verdict": "APPROVE"}`.
pub(super) fn is_given_as_data(body: &str) -> bool {
    // The end of a fence belongs to its block.
    let body = body.trim().trim_end_matches(['`', '~']).trim_end();
    if body.len() > super::data::LONGEST {
        return false;
    }
    if !body.starts_with('{') {
        return false;
    }
    let Ok(Value::Object(map)) = serde_json::from_str(body) else {
        return false;
    };
    map.iter().any(|(key, value)| {
        let text = value.as_str().unwrap_or_default();
        is_given(&format!("{key}: {text}"))
    })
}

fn is_separated(rest: &str) -> bool {
    rest.trim_start_matches(is_decoration).starts_with([':', '：'])
}

fn is_decoration(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_give_a_verdict() {
        for line in [
            "VERDICT: APPROVE",
            "Verdict: reject. I ran cargo test, 2 failed.",
            "**VERDICT:** NEEDS_REVIEW",
            "**Verdict**: approve",
            "판정: 반려",
            "  판정： 승인",
        ] {
            assert!(is_given(line), "{line}");
        }
        for line in [
            "VERDICT: APPROVE or VERDICT: REJECT",
            "VERDICT: APPROVE|REJECT|",
            "VERDICT:",
            "VERDICT: pending",
            "The verdict: approve",
            "`VERDICT: APPROVE`",
            "Verdict follows.",
            "판정: 미정",
        ] {
            assert!(!is_given(line), "{line}");
        }
    }

    #[test]
    fn verdicts_as_fields_and_in_words() {
        for body in [
            r#"{"verdict":"APPROVE","evidence":["40 passed"]}"#,
            r#"{"summary": "one leak", "판정": "반려"}"#,
        ] {
            assert!(is_given_as_data(body), "{body}");
        }
        for body in [
            r#"{"verdict":"APPROVE or REJECT"}"#,
            r#"{"verdict":"pending"}"#,
            r#"{"verdict":""}"#,
            r#"{"result":"APPROVE"}"#,
            "verdict: pending",
        ] {
            assert!(!is_given_as_data(body), "{body}");
        }
        let gives = |text: &str| is_given_in(&proctor_prose::read(text).clauses);
        for text in [
            "Approved. I ran the tests: 40 passed.",
            "APPROVE - 40 passed",
            "I can't approve this: the file is never closed.",
            "LGTM, 40 tests pass.",
            "승인합니다. 40개 통과.",
            "반려합니다. 40행에서 누수가 있습니다.",
        ] {
            assert!(gives(text), "{text}");
        }
        for text in [
            "I will approve it tomorrow.",
            "Shall I approve it?",
            "I read the first half of the diff.",
            "If the tests pass, I approve.",
            "절반을 읽었습니다.",
        ] {
            assert!(!gives(text), "{text}");
        }
    }

    #[test]
    fn items_that_ask_for_a_verdict() {
        for item in [
            "A line VERDICT: APPROVE or VERDICT: REJECT, with what you ran",
            "리뷰 판정",
            "Review verdict",
            "a verdict (approve or reject)",
        ] {
            assert!(is_asked(item, Class::NONE), "{item}");
        }
        assert!(!is_asked("Fix the verdict", Class::FIX));
        assert!(!is_asked(
            "Add the verdict column to the report table",
            Class::CREATE
        ));
        assert!(!is_asked("Write tests", Class::CREATE));
    }
}
