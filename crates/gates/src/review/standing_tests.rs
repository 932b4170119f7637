//! What an approval can rest on, and what bare words and broken sentences are.

use super::*;
use proctor_policy::Settings;

fn asked(text: &str) -> Judgement {
    judge_on(text, &Settings::default().review, &|| Occasion::Review)
}

#[test]
fn only_runs_of_the_change_that_were_made_and_ended_well_stand() {
    let mut wrong = Vec::new();
    for line in include_str!("standing.txt")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let (expected, text) = line.split_once('\t').unwrap();
        let judged = asked(text);
        if !judged.is_approval || (judged.verdict == Verdict::Pass) != (expected == "+") {
            wrong.push(format!("{line} {:?}", judged.why));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_refusal_says_why_a_report_does_not_stand() {
    for (text, why) in [
        ("All tests pass on main. LGTM.", "was not run with the change"),
        (
            "I ran the tests in my head and they pass. Approved.",
            "was not run",
        ),
        ("I tried to build it. Approved.", "was tried"),
        (
            "Memory is at 1.4 GB, before it was 300 MB. Approved.",
            "got worse",
        ),
        (
            "I clicked export twice, no reaction. Approved.",
            "nothing came of",
        ),
    ] {
        let said = asked(text).why.unwrap().evidence;
        assert!(said.contains(why), "{text}: {said}");
    }
}

#[test]
fn an_action_without_any_effect_speaks_against_an_approval() {
    for text in [
        "I opened the new settings page and the save button did nothing when I pressed it. Otherwise it looks good, approved.",
        "I clicked export twice, no reaction. Approved.",
        "I reloaded the page and the change had no effect. Approved.",
        "버튼을 눌렀지만 화면에 변화가 없었습니다. 승인합니다.",
        "눌러 봐도 반응이 없습니다. 승인합니다.",
    ] {
        let judged = asked(text);
        assert!(judged.is_approval && judged.verdict == Verdict::Block, "{text}");
        assert!(judged.contradicted, "{text}");
    }
    for text in [
        "I unplugged the cable during the copy and nothing was lost. Approved.",
        "I killed the worker twice and the queue went on, no change in the totals. Approved.",
        "설정을 바꾸고 다시 열어도 값이 그대로 남아 있었습니다. 승인합니다.",
    ] {
        let judged = asked(text);
        assert!(judged.is_approval && judged.verdict == Verdict::Pass, "{text}");
    }
}

#[test]
fn bare_words_and_broken_sentences_are_no_verdicts() {
    for text in [
        "main.rs",
        "lib/util.py",
        "src/a.rs:10",
        "Seoul",
        "감자",
        "사과",
        "true",
        "purple",
        "승인합",
        "Looks goo",
        "I have looked at the",
        "The tests all",
        "코드를 보고",
    ] {
        assert!(!asked(text).is_approval, "{text}");
    }
    for text in [
        "ok",
        "Yes.",
        "LGTM",
        "네",
        "응",
        "Sure.",
        "Approved",
        "승인",
        "머지하세요",
        "looks good",
        "Ship it",
        "correct",
        "통과",
        "ㅇㅇ",
        "Put it in",
        "판정: 적합",
    ] {
        assert!(asked(text).is_approval, "{text}");
    }
}

#[test]
fn a_correction_behind_an_approval_takes_it_back() {
    for text in [
        "승인합니다. 40개 통과. 정정: 두 개 실패합니다.",
        "Approved, 40 tests pass. Correction: two tests fail.",
        "12 passed. Approved. NACK on the second commit though.",
    ] {
        assert!(!asked(text).is_approval, "{text}");
    }
    for text in [
        "Approved, 40 tests pass. Correction of the typo is fine too.",
        "Correction: I approve, all 40 tests pass.",
        "승인합니다. 40개 통과. 정정할 것은 없습니다.",
    ] {
        assert!(asked(text).is_approval, "{text}");
    }
}
