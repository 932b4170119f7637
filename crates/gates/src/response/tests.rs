//! What the gate must decide: printed examples, earlier failures, hard cases of our own, invalid input.

use super::*;
use proctor_kernel::{Audience, Event, EventKind, NoWorld};
use proctor_policy::Settings;
use proptest::prelude::*;

fn settings() -> ResponseSettings {
    Settings::default().response
}

fn agent(text: &str) -> Judgement {
    judge(text, Audience::Agent, &settings())
}

/// Runs a check over a table and reports all rows that fail, not only the first.
#[track_caller]
fn all(texts: &[&str], check: fn(&str) -> Result<(), String>) {
    let wrong: Vec<String> = texts.iter().filter_map(|t| check(t).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn blocked(text: &str) -> Result<(), String> {
    let j = agent(text);
    let told = j
        .feedback
        .is_some_and(|f| f.starts_with("[SYSTEM] Response rejected:"));
    if j.verdict == Verdict::Block && told {
        Ok(())
    } else {
        Err(format!("should be sent back ({:.2}): {text}", j.ratio))
    }
}

fn passed(text: &str) -> Result<(), String> {
    let j = agent(text);
    if j.verdict == Verdict::Pass && j.feedback.is_none() {
        Ok(())
    } else {
        Err(format!(
            "should pass ({:.2}): {text}\n    {:?}",
            j.ratio,
            j.spans.iter().map(|s| (&s.text, &s.label)).collect::<Vec<_>>()
        ))
    }
}

#[track_caller]
fn blocks(text: &str) {
    all(&[text], blocked);
}

#[track_caller]
fn passes(text: &str) {
    all(&[text], passed);
}

#[test]
fn the_messages_of_the_flattery_loop_are_sent_back() {
    all(
        &[
            "네, 확인했습니다! 3개 파일을 리팩토링하겠습니다.",
            "알겠습니다! 확인했습니다.",
            "완료했습니다! 엔터프라이즈급 리팩토링을 적용했습니다.",
            "완벽한 구현입니다! 훌륭한 패턴입니다! APPROVED!",
            "Great job! Well done! Amazing work, this is awesome!",
            "Got it. I understand. I'll proceed.",
            "완벽합니다! This is a masterpiece",
            "훌륭합니다! 완벽한 구현입니다.",
        ],
        blocked,
    );
}

#[test]
fn technical_uses_pass() {
    all(
        &[
            "Use a perfect hash.",
            "production-ready",
            "확실히 동작합니다.",
            "Perfect hash functions give excellent performance.",
            "The `perfect` hash function...",
            "Fixed auth bug. Line 42 → bcrypt",
            "Good approach. Here's the fix: `retry()` in src/net.rs waits 30 s at most, and the 12 tests of the module pass.",
            "",
            "This is a perfect use case for X: 40,000 keys, all known at build time, read 9,000 times per second.",
            "감사 로그에 남는 항목은 12개이고 보존 기간은 90일입니다.",
            "최고 온도는 71도였고 팬은 3,200rpm으로 돌았습니다.",
            "14 outstanding requests are cancelled when the socket closes.",
        ],
        passed,
    );
}

#[test]
fn praise_in_every_dress_is_praise() {
    all(
        &[
            "Ｅｘｃｅｌｌｅｎｔ ｗｏｒｋ！ Ｔｒｕｌｙ ｂｒｉｌｌｉａｎｔ！",
            "P\u{200b}er\u{200d}fect! Am\u{2060}azing j\u{200b}ob!",
            "Реrfесt! Аmаzing wоrk!",
            "𝗙𝗹𝗮𝘄𝗹𝗲𝘀𝘀! 𝘖𝘶𝘵𝘴𝘵𝘢𝘯𝘥𝘪𝘯𝘨 𝘫𝘰𝘣!",
            "B R I L L I A N T ! W O N D E R F U L !",
            "4m4z1ng j0b! Br1ll14nt w0rk!",
            "Soooo gooood! Perfecttttt!",
            "p.e.r.f.e.c.t! a.m.a.z.i.n.g!",
            "대 단 합 니 다 ! 완 벽 해 요 !",
            "완\u{200b}벽\u{200b}합니다! 훌\u{200c}륭해요!",
            "👏👏👏",
            "| note |\n|---|\n| what a wonderful, brilliant piece of work, truly inspiring |",
            "{\"message\": \"Amazing work, truly brilliant, I love every line of it!\"}",
            "> quoted line\n\nWow, this is fantastic! You are a genius!",
        ],
        blocked,
    );
    let decomposed: String = "훌륭합니다! 완벽한 구현이에요!"
        .chars()
        .flat_map(decompose)
        .collect();
    blocks(&decomposed);
}

/// A syllable taken apart into its jamo, as file systems of one vendor write them.
fn decompose(c: char) -> Vec<char> {
    let index = (c as u32).wrapping_sub(0xac00);
    if index >= 11_172 {
        return vec![c];
    }
    let mut out = vec![
        char::from_u32(0x1100 + index / 588).unwrap(),
        char::from_u32(0x1161 + index % 588 / 28).unwrap(),
    ];
    if !index.is_multiple_of(28) {
        out.push(char::from_u32(0x11a7 + index % 28).unwrap());
    }
    out
}

#[test]
fn empty_talk_of_all_kinds_is_sent_back() {
    for (text, label) in [
        (
            "What a superb refactoring! Your eye for detail is remarkable.",
            "direct_praise",
        ),
        (
            "정말 대단하십니다! 이렇게 아름다운 코드는 처음 봅니다.",
            "direct_praise",
        ),
        (
            "I built a state-of-the-art, enterprise-grade pipeline with surgical precision.",
            "self_congratulation",
        ),
        ("최첨단 엔터프라이즈급 솔루션을 완성했습니다!", "status_filler"),
        (
            "I'll get started right away and keep you posted.",
            "status_filler",
        ),
        (
            "지금 바로 작업을 시작하겠습니다. 조금만 기다려 주세요.",
            "status_filler",
        ),
        ("Understood. Will do.", "unnecessary_confirmation"),
        ("네, 알겠습니다.", "unnecessary_confirmation"),
        (
            "Thank you so much for the kind words! Have a great day!",
            "courtesy",
        ),
        ("도와주셔서 감사합니다. 즐거운 하루 보내세요!", "courtesy"),
    ] {
        blocks(text);
        let labels = agent(text).labels;
        assert!(
            labels.iter().any(|l| l == label),
            "{text}: {labels:?} lacks {label}"
        );
    }
}

#[test]
fn denied_quoted_and_concrete_words_pass() {
    all(
        &[
            "This is anything but elegant: three nested retries, 64 calls in the worst case.",
            "완벽하지 않습니다. 빈 입력에서 패닉이 납니다.",
            "훌륭하다고 하기는 어렵습니다. 커버리지가 31%입니다.",
            "The README says \"amazing, flawless, world-class\" in its first line; I removed the sentence.",
            "로그에 '완벽합니다!'라는 문자열이 18번 나옵니다. i18n/ko.json 40행에서 옵니다.",
            "```\nGreat job! Excellent! Perfect!\n```\nThe snapshot above changed in 3 places.",
            "Understood: `limit` is per key. Changed limits.go 19 and the table test, 22 cases pass.",
            "완료했습니다. src/retry.rs에 상한 30초를 두었고 테스트 9개가 통과합니다.",
            "Should the token expire after 15 minutes or after 24 hours?",
            "TASK_COMPLETE",
            "NEEDS_REVIEW: the lock is held across an await in pool.rs.",
        ],
        passed,
    );
}

#[test]
fn news_of_items_is_content_and_a_bare_done_is_not() {
    all(
        &[
            "1. DONE\n2. DONE",
            "1. 완료\n2. 완료",
            "- [x] done\n- [x] done",
            "Both items are done.",
            "두 항목 모두 완료했습니다.",
            "항목 3개 모두 완료했습니다.",
            "All items are done.",
            "1번 완료했습니다. 2번 완료했습니다.",
            "1-3번 완료",
            "Items 1-3 completed.",
            "Task 2 is finished.",
            "The second item is done.",
            "두 번째 항목 완료.",
            "All 3 items done: src/a.ts, src/b.ts, npm test.",
            "src/a.rs: DONE. src/b.rs: DONE.",
            "Login page: done. Logout page: done.",
            "로그인 페이지: 완료. 로그아웃 페이지: 완료.",
            "DONE",
            "완료",
        ],
        passed,
    );
    all(
        &[
            "완료했습니다!",
            "완료!",
            "All done!",
            "DONE!",
            "Done! Great work!",
            "All tasks are done!",
            "모든 작업을 완료했습니다!",
            "3개 파일을 완료했습니다!",
            "Status: done!",
            "1번, 정말 완벽합니다! 2번, 훌륭합니다!",
        ],
        blocked,
    );
}

#[test]
fn the_boundary_passes_and_above_it_does_not() {
    // 20 of 100 characters: "Great job, thank you." has 18 without spaces.
    let praise = "Great job, thank you.";
    let counted = agent("Great job, thank you. src/a.rs");
    assert_eq!((counted.prose_chars, counted.filler_chars), (26, 18));
    let content = |n: usize| format!("{praise} src/{}.rs", "x".repeat(n));
    let at = |text: &str| agent(text).ratio;
    let exact = content(72 - 7);
    assert!((at(&exact) - 0.2).abs() < 1e-9, "{}", at(&exact));
    passes(&exact);
    blocks(&content(72 - 8));
}

#[test]
fn people_are_addressed_more_leniently() {
    let polite = "Thanks for the report! The export now has 12,400 rows and the link works for 24 hours.";
    assert_eq!(judge(polite, Audience::Human, &settings()).verdict, Verdict::Pass);
    let half = "Wow, what a great idea! The limit is now 4 MiB.";
    assert_eq!(judge(half, Audience::Human, &settings()).verdict, Verdict::Block);
    let third = "Thanks a lot! The limit is now 4 MiB per request.";
    assert_eq!(judge(third, Audience::Agent, &settings()).verdict, Verdict::Block);
    assert_eq!(judge(third, Audience::Human, &settings()).verdict, Verdict::Pass);
}

#[test]
fn user_patterns_and_allowed_terms_count() {
    let mut custom = settings();
    custom.english = vec!["synergistic".into(), "/\\bchef'?s\\s+special\\b/gi".into()];
    custom.korean = vec!["/찰떡\\s*같은/gi".into(), "완벽".into()];
    let verdict = |text: &str| judge(text, Audience::Agent, &custom).verdict;
    assert_eq!(agent("Synergistic.").verdict, Verdict::Pass);
    assert_eq!(verdict("Synergistic."), Verdict::Block);
    assert_eq!(verdict("찰떡같은 코드네요."), Verdict::Block);
    assert_eq!(
        verdict("This is not synergistic: both services poll the same table every 5 s."),
        Verdict::Pass
    );
    custom.allow = vec!["brilliant".to_owned()];
    assert_eq!(
        judge("Brilliant is down.", Audience::Agent, &custom).verdict,
        Verdict::Pass
    );
}

#[test]
fn printed_pattern_lists_leave_technical_uses_alone() {
    let mut custom = settings();
    custom.korean = ["완벽", "훌륭", "인상적", "엔터프라이즈급"]
        .map(Into::into)
        .to_vec();
    custom.english = ["perfect", "excellent", "impressive", "enterprise-grade"]
        .map(Into::into)
        .to_vec();
    let verdict = |text: &str| judge(text, Audience::Agent, &custom).verdict;
    for text in [
        "Use a perfect hash.",
        "The `perfect` hash function...",
        "The perfect hash keeps excellent throughput",
        "The perfect hash keeps excellent throughput!",
        "Perfect hashing gives impressive lookup latency.",
        "Excellent recall at 0.98, perfect precision at 1.00.",
        "The enterprise-grade tier costs 40 USD.",
        "엔터프라이즈급 요금제는 plans.ts 12행에서 읽습니다.",
        "완벽한 해시 함수가 인상적인 처리량을 냅니다.",
        "완벽 해시는 훌륭한 처리량을 유지합니다.",
        "This is not perfect: it leaks one descriptor per failed handshake.",
        "Coverage is far from excellent (38%).",
        "The string 'enterprise-grade' is stored in plans.tier.",
        "완벽하지 않습니다. 빈 입력에서 패닉이 납니다.",
    ] {
        assert_eq!(verdict(text), Verdict::Pass, "{text}");
    }
    for text in [
        "Enterprise-grade!",
        "인상적입니다.",
        "Perfect. Impressive.",
        "Excellent throughput!",
    ] {
        assert_eq!(verdict(text), Verdict::Block, "{text}");
    }
}

#[test]
fn many_kinds_of_praise_reject_below_the_share_where_asked() {
    let text = "Great work! Brilliant idea! Superb naming! `parse` panics on an empty slice at src/parse.rs 40, the retry in \
                src/net.rs 88 has no upper bound, the migration drops a column that 2 clients still read, and tests/e2e.rs \
                fails on 3 of 9 targets since commit 4f1c9aa because the port is taken; see the log of job 812 for the trace.";
    passes(text);
    let strict = ResponseSettings {
        distinct_limit: Some(3),
        ..settings()
    };
    assert_eq!(judge(text, Audience::Agent, &strict).verdict, Verdict::Block);
}

#[test]
fn what_the_gate_suggests_passes_the_gate() {
    for text in [
        wording::INSTEAD,
        wording::INSTEAD_KOREAN,
        Response::new(&settings()).instruction(),
    ] {
        passes(text);
    }
    passes(
        "Changed src/auth.rs (token expiry 15 min instead of 24 h, as the policy asks). `cargo test`: 41 passed. Open: should old sessions be closed?",
    );
}

#[test]
fn the_finding_names_share_and_places() {
    let gate = Response::new(&settings());
    let text = "Amazing work, truly!\n\nThe limit in src/a.rs is 4 now.";
    let event = Event {
        host: "library".to_owned(),
        native: "message".to_owned(),
        session: "s".to_owned(),
        agent: None,
        cwd: "/".to_owned(),
        turn: None,
        kind: EventKind::Message {
            text: text.to_owned(),
        },
        input: proctor_kernel::Digest::of(b""),
    };
    let context = Context {
        event: &event,
        audience: Audience::Agent,
        task: None,
        checklist: &[],
        created: &[],
        thoughts: &[],
        steps: &[],
        world: &NoWorld,
    };
    let outcome = gate.check(&context).unwrap();
    let finding = &outcome.findings[0];
    assert_eq!(finding.rule, "response/flattery_share");
    assert!(
        finding.message.contains("Your response was ") && finding.message.contains("% flattery"),
        "{}",
        finding.message
    );
    assert!(finding.message.contains("Amazing work"), "{}", finding.message);
    assert_eq!(finding.spans[0].text, "Amazing work, truly!");
    let passed_on = finding.fallback.as_ref().unwrap().apply(text);
    assert!(
        passed_on.starts_with(text)
            && passed_on.contains("[proctor] ")
            && passed_on.contains("after {retries} "),
        "{passed_on}"
    );
    assert!(outcome.data["ratio"].as_f64().unwrap() > 0.2);
    assert_eq!(outcome.data["audience"], "agent");
}

proptest! {
    #[test]
    fn any_text_is_judged_and_spans_lie_in_it(text in "\\PC{0,200}") {
        let j = agent(&text);
        prop_assert!((0.0..=1.0).contains(&j.ratio));
        prop_assert!((0.0..=1.0).contains(&j.token_ratio));
        for span in j.spans {
            prop_assert_eq!(text.get(span.start..span.end), Some(span.text.as_str()));
        }
    }
}

/// Each word of the message says what it is: a mark at the end makes no difference, nor does the model.
#[test]
fn a_whole_message_of_praise_or_confirmation() {
    for (text, label) in [
        ("멋진 코드", "direct_praise"),
        ("대단한 코드.", "direct_praise"),
        ("Excellent.", "direct_praise"),
        ("elegant", "direct_praise"),
        ("인상적입니다.", "direct_praise"),
        ("물론입니다.", "unnecessary_confirmation"),
        ("알겠습니다", "unnecessary_confirmation"),
        ("확인했습니다.", "unnecessary_confirmation"),
        ("네, 확인했습니다.", "unnecessary_confirmation"),
    ] {
        let judged = judge(text, Audience::Agent, &settings());
        assert_eq!(
            (judged.verdict, judged.labels),
            (Verdict::Block, vec![label.to_owned()]),
            "{text}"
        );
        assert_eq!(judged.ratio, 1.0, "{text}");
    }
    for text in [
        "네.",
        "예",
        "응",
        "멋진 코드가 아닙니다.",
        "Excellent?",
        "확인했습니다. src/a.rs 3행이 맞습니다.",
        "좋습니다.",
        "최고 기록",
        "perfect hash",
        "완료.",
        "> 물론입니다.",
        "`elegant`",
        "물론입니다: 3개",
        "이 파일은 매우 중요합니다.",
        "The order of these two calls is critical.",
    ] {
        assert_eq!(
            judge(text, Audience::Agent, &settings()).verdict,
            Verdict::Pass,
            "{text}"
        );
    }
}

/// A title is no prose; a heading that cheers is no title.
#[test]
fn a_heading_that_cheers_counts() {
    for text in [
        "## Amazing, brilliant, world-class work!!\n## This is a masterpiece!\nok",
        "# Great job!\n\nsrc/a.py:3 returns an error.",
        "## ✅ Perfect implementation!\n\nMoved it.",
        "## 정말 훌륭합니다!\n\nsrc/a.py를 고쳤습니다.",
    ] {
        let judged = judge(text, Audience::Agent, &settings());
        assert_eq!(judged.verdict, Verdict::Block, "{text}");
        let words = &judged.spans[0];
        assert_eq!(words.label, "direct_praise", "{text}");
        assert_eq!(text.get(words.start..words.end), Some(words.text.as_str()));
    }
    for text in [
        "## Excellent results\n\nsrc/a.py:3 returns the sum of both columns now.",
        "## Perfect hash!\n\nThe table has 64 slots and 41 keys.",
        "## 완료!\n\nsrc/a.py 3행이 두 열의 합을 돌려줍니다.",
    ] {
        assert_eq!(
            judge(text, Audience::Agent, &settings()).verdict,
            Verdict::Pass,
            "{text}"
        );
    }
}

/// What the reader can do now is news, and agreement that goes on is what it goes on with.
#[test]
fn news_for_the_reader_and_agreement_that_goes_on() {
    for text in [
        "You can now log in.",
        "You have 2 open invoices.",
        "이제 로그인하실 수 있습니다.",
        "Agreed, I'll move the check into parse().",
        "동의합니다. 검사를 parse()로 옮기겠습니다.",
    ] {
        assert_eq!(
            judge(text, Audience::Agent, &settings()).verdict,
            Verdict::Pass,
            "{text}"
        );
    }
    for text in [
        "You have a gift for this!",
        "You can be really proud of this excellent work.",
        "Agreed. I will proceed with the work.",
        "동의합니다. 바로 진행하겠습니다.",
    ] {
        assert_eq!(
            judge(text, Audience::Agent, &settings()).verdict,
            Verdict::Block,
            "{text}"
        );
    }
}

#[test]
fn what_counts_is_explained() {
    let settings = Settings::default();
    let why = |text: &str| judge(text, Audience::Agent, &settings.response).why;
    let one = |text: &str| why(text).join("\n");
    assert_eq!(one("The header row is gone in `out.csv`."), "");
    let praise = one("Great work, your code is simply wonderful!");
    assert!(praise.contains("direct praise: learned decision: "), "{praise}");
    assert!(praise.contains("wonderful"), "{praise}");
    let korean = one("정말 훌륭한 작업입니다!");
    assert!(korean.contains("훌륭한"), "{korean}");
    assert!(one("🎉🎉").contains("nothing but emoji"));
    let many = "Wonderful work! The parser reads 12 files. ".repeat(40);
    assert!(why(&many).len() <= 8);
}

#[test]
fn faults_that_are_told_to_somebody_are_no_praise() {
    let passes = |text: &str| judge(text, Audience::Agent, &settings()).verdict == Verdict::Pass;
    for text in [
        "You broke the export. The header row is gone.",
        "Your key has expired. I made a new one and put it into the vault under team/build.",
        "You missed the second file.",
        "You forgot the attachment. The deadline is tonight at ten.",
        "Your mock hides the bug. Use the real client.",
    ] {
        assert!(passes(text), "{text}");
    }
    for text in [
        "You never miss, brilliant work!",
        "Your code is broken in the best way, I love it!",
        "You did great.",
    ] {
        assert!(!passes(text), "{text}");
    }
}

/// Beside a verdict, in its sentence, assent is the matter of `review`; elsewhere it counts.
#[test]
fn assent_beside_a_verdict_is_left_to_the_review() {
    let verdict = |text: &str| judge(text, Audience::Agent, &settings()).verdict;
    assert_eq!(verdict("APPROVE - looks good!"), Verdict::Pass);
    assert_eq!(verdict("Looks good!"), Verdict::Block);
}
