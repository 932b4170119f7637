//! Tables and properties of the reading.

use super::*;
use proptest::prelude::*;
use std::rc::Rc;

fn kinds(text: &str) -> Vec<&'static str> {
    read(text)
        .blocks
        .iter()
        .map(|b| match b.kind {
            BlockKind::Paragraph => "paragraph",
            BlockKind::ListItem { .. } => "item",
            BlockKind::Heading { .. } => "heading",
            BlockKind::TableRow => "row",
            BlockKind::Quote => "quote",
            BlockKind::Code => "code",
            BlockKind::Data => "data",
            BlockKind::Log => "log",
            BlockKind::Ornament => "ornament",
        })
        .collect()
}

#[test]
fn blocks_are_told_apart() {
    for (text, expected) in [
        ("one\ntwo\n\nthree", vec!["paragraph", "paragraph"]),
        ("# Head\ntext", vec!["heading", "paragraph"]),
        (
            "- a\n- b\n  goes on\n1. c\n(2) d\n① e",
            vec!["item", "item", "item", "item", "item"],
        ),
        ("```rust\nlet a = 1;\n```\ntext", vec!["code", "paragraph"]),
        ("~~~\ncode\n```\nstill code\n~~~\ntext", vec!["code", "paragraph"]),
        (
            "text\n\n```\nnever closed\n\n# no heading",
            vec!["paragraph", "code"],
        ),
        (
            "text\n\n    indented\n    code\n\ntext",
            vec!["paragraph", "code", "paragraph"],
        ),
        ("- item\n\n    part of the item\n", vec!["item"]),
        ("> a\n> b\n\nc", vec!["quote", "paragraph"]),
        ("| a | b |\n|---|---|\n| c | d |", vec!["row", "row"]),
        ("{\n  \"a\": 1\n}\ntext", vec!["data", "paragraph"]),
        ("2026-11-21T10:00:00Z started\n$ cargo test", vec!["log", "log"]),
        ("---\ntext", vec!["ornament", "paragraph"]),
        ("a\r\n\r\nb\rc", vec!["paragraph", "paragraph"]),
        ("", vec![]),
        (" \n\t\n", vec![]),
    ] {
        assert_eq!(kinds(text), expected, "{text:?}");
    }
}

#[test]
fn list_items_know_number_box_and_depth() {
    let items: Vec<_> = read("3. third\n- [x] ticked\n  - [ ] open\n☑ also")
        .blocks
        .iter()
        .map(|b| match b.kind {
            BlockKind::ListItem {
                indent,
                ordinal,
                checked,
            } => (indent, ordinal, checked),
            _ => panic!("{b:?}"),
        })
        .collect();
    assert_eq!(
        items,
        [
            (0, Some(3), None),
            (0, None, Some(true)),
            (2, None, Some(false)),
            (0, None, Some(true))
        ]
    );
}

fn clauses(text: &str) -> Vec<String> {
    read(text)
        .clauses
        .iter()
        .map(|c| text.get(c.start..c.end).unwrap().to_owned())
        .collect()
}

#[test]
fn sentences_and_clauses_are_split() {
    for (text, expected) in [
        ("Done. Fixed src/a.rs.", vec!["Done.", "Fixed src/a.rs."]),
        (
            "Version 2.3 is out. See v2.4.1, too.",
            vec!["Version 2.3 is out.", "See v2.4.1, too."],
        ),
        (
            "It works, but the log is empty.",
            vec!["It works,", "but the log is empty."],
        ),
        (
            "LGTM, though I did not run it.",
            vec!["LGTM,", "though I did not run it."],
        ),
        (
            "테스트를 돌렸고 통과했습니다. 다음으로 갑니다.",
            vec!["테스트를 돌렸고", "통과했습니다.", "다음으로 갑니다."],
        ),
        ("구현은 좋지만 느립니다.", vec!["구현은 좋지만", "느립니다."]),
        ("알겠습니다.확인했습니다.", vec!["알겠습니다.", "확인했습니다."]),
        ("Wow!!! Really?", vec!["Wow!!!", "Really?"]),
        ("first line\nsecond line", vec!["first line", "second line"]),
    ] {
        assert_eq!(clauses(text), expected, "{text:?}");
    }
}

fn features(text: &str) -> Features {
    read(text)
        .clauses
        .iter()
        .fold(Features::default(), |all, c| all.or(c.features))
}

/// A question mark inside an address or of code asks nothing.
#[test]
fn a_mark_of_an_address_is_no_question() {
    for text in [
        "All 42 tests pass (https://ci.example.com/run?id=4).",
        "All 42 tests pass: GET /api?x=1&y=%20#top returns 200.",
        "42/42 tests pass [log](https://x.example/run?id=4)",
        "모든 테스트가 통과했습니다 (https://ci.example/run?id=4)",
        "All 42 tests pass, the field is now name?: string.",
        "All 42 tests pass after the change of the ? operator.",
    ] {
        let reading = read(text);
        let asks = |c: &&Clause| c.features.has(Features::QUESTION);
        assert!(!reading.clauses.iter().any(|c| asks(&c)), "{text}");
        assert!(reading.clauses.iter().all(|c| c.sentence == 0), "{text}");
    }
    for text in [
        "Did you see https://x.example/run?",
        "Is it in src/a.rs? Yes.",
        "src/a.rs를 보셨나요?",
        "Sure ? Then go on.",
        "Is it /api?x=1?",
        "진짜?ok",
    ] {
        assert!(features(text).has(Features::QUESTION), "{text}");
    }
}

#[test]
fn grammar_is_read_in_both_languages() {
    use Features as F;
    for (text, with, without) in [
        ("I did not run the tests.", F::NEGATED, F::QUESTION),
        ("We haven't checked it.", F::NEGATED, F::FUTURE),
        ("If it fails, stop.", F::CONDITIONAL, F::QUESTION),
        ("I'll do it tomorrow.", F::FUTURE, F::PAST),
        ("Which of the two?", F::QUESTION, F::PAST),
        ("The author says that it works.", F::HEARSAY, F::FUTURE),
        ("It should probably work.", F::BELIEF, F::PAST),
        ("Run the tests.", F::IMPERATIVE, F::PAST),
        ("I ran the tests.", F::PAST, F::IMPERATIVE),
        ("테스트를 돌리지 않았습니다.", F::NEGATED, F::QUESTION),
        ("통과하면 승인합니다.", F::CONDITIONAL, F::NEGATED),
        ("화면을 고쳤습니다.", F::PAST, F::CONDITIONAL),
        ("진행하겠습니다.", F::FUTURE, F::PAST),
        ("어느 쪽입니까?", F::QUESTION, F::PAST),
        ("통과했다고 합니다.", F::HEARSAY, F::FUTURE),
        ("아마 될 것 같습니다.", F::BELIEF, F::PAST),
        ("테스트를 돌려 주세요.", F::IMPERATIVE, F::QUESTION),
        ("확인했습니다.", F::PAST, F::FUTURE),
        ("아직 대기 중입니다.", F::PENDING.or(F::ONGOING), F::PAST),
    ] {
        let found = features(text);
        assert!(found.has(with), "{text}: {found:?} lacks {with:?}");
        assert!(!found.any(without), "{text}: {found:?} has {without:?}");
    }
}

#[test]
fn disguises_are_seen_through() {
    for (text, plain) in [
        ("ＬＧＴＭ", "lgtm"),
        ("𝐄𝐱𝐜𝐞𝐥𝐥𝐞𝐧𝐭", "excellent"),
        ("p\u{200b}e\u{200d}r", "per"),
        ("Реrfесt", "perfect"),
        ("p\u{301}e\u{308}rfect", "perfect"),
        ("\u{110b}\u{116a}\u{11ab}\u{1107}\u{1167}\u{11a8}", "완벽"),
        ("완\u{200b}벽", "완벽"),
    ] {
        assert_eq!(normalize(text), plain);
    }
    for text in [
        "P E R F E C T",
        "p3rf3ct",
        "p.e.r.f.e.c.t",
        "perfecttttt",
        "ᴘᴇʀꜰᴇᴄᴛ",
    ] {
        let tags = read(text).clauses.first().map_or(Tags::NONE, |c| c.tags);
        assert!(tags.any(tag::PRAISE), "{text}");
    }
}

#[test]
fn things_that_are_not_words_are_recognised() {
    let kind = |text: &str| {
        let reading = read(text);
        assert_eq!(reading.tokens.len(), 1, "{text}: {:?}", reading.tokens);
        reading.tokens[0].kind
    };
    for (text, expected) in [
        ("src/인증.rs", TokenKind::Path),
        ("src/auth.rs:42", TokenKind::Path),
        ("*.toml", TokenKind::Path),
        ("./x", TokenKind::Path),
        ("12,400", TokenKind::Number),
        ("40%", TokenKind::Number),
        ("512Mi", TokenKind::Number),
        ("04:00", TokenKind::Number),
        ("+181", TokenKind::Number),
        ("3f2a9c1", TokenKind::Ident),
        ("load_from", TokenKind::Ident),
        ("Config::load", TokenKind::Ident),
        ("getUser", TokenKind::Ident),
        ("--out", TokenKind::Ident),
        ("v5.1", TokenKind::Ident),
        ("`a b`", TokenKind::Code),
        ("https://a.example/b", TokenKind::Url),
        ("@Reviewer", TokenKind::Mention),
        ("don't", TokenKind::Word),
        ("👍", TokenKind::Emoji),
    ] {
        if text.contains('인') {
            // A path with Hangul is cut at the script; its head is still a path.
            assert_eq!(read(text).tokens[0].kind, expected, "{text}");
        } else {
            assert_eq!(kind(text), expected, "{text}");
        }
    }
}

#[test]
fn hostile_shapes_are_read_in_linear_time() {
    let time = |unit: &str, bytes: usize| {
        let text = unit.repeat(bytes / unit.len() + 1);
        let start = std::time::Instant::now();
        let reading = read(&text);
        assert!(reading.tokens.len() <= text.len());
        start.elapsed()
    };
    for unit in [
        "a",
        "승",
        " \"a",
        " 'a",
        "“",
        "(",
        "(a b c ",
        "`",
        "` `` ```",
        "`a``b```c",
        "> ",
        ",",
        ".",
        "a!",
        "{\"a\": \"",
        "|a",
        "- a\n",
        "a ",
        "~~",
        "\u{200b}",
        "\u{1112}\u{116e}",
        "not a, and ",
        "a: b ",
        "a-",
        "했지만 ",
        "\n",
        "```\n",
        "👏",
        "1/1 ",
        "not ",
        "good ",
        "perfect ",
        "훌륭한 ",
        "item 1 done ",
        "<a> ",
    ] {
        // Sixteen times the text; a quadratic reading would take two hundred and fifty-six times as long. Whoever shares
        // the machine may hold up one of the two, but not each time.
        let linear = || {
            let (small, large) = (time(unit, 1 << 14), time(unit, 1 << 18));
            large < small * 100 + std::time::Duration::from_millis(400)
        };
        assert!((0..5).any(|_| linear()), "{unit:?}");
    }
}

proptest! {
    #[test]
    fn spans_lie_on_character_boundaries(text in "[ -~\\n가-힣ㄱ-ㅎ😀-😇`\"'*#>|-]{0,300}|\\PC{0,200}") {
        let reading = read(&text);
        for block in &reading.blocks {
            prop_assert!(text.get(block.start..block.end).is_some());
            prop_assert!(text.get(block.body..block.end.max(block.body)).is_some());
        }
        let mut last = 0;
        for clause in &reading.clauses {
            prop_assert!(text.get(clause.start..clause.end).is_some_and(|t| !t.is_empty()));
            prop_assert!(clause.start >= last);
            last = clause.end;
        }
        for token in &reading.tokens {
            prop_assert!(text.get(token.start..token.end).is_some_and(|t| !t.is_empty()));
        }
    }

    #[test]
    fn normalising_twice_changes_nothing(text in "\\PC{0,200}") {
        let once = normalize(&text);
        prop_assert_eq!(normalize(&once), once);
    }
}

#[test]
fn very_long_texts_are_read_at_both_ends() {
    let middle = "x".repeat(3 << 20);
    let text = format!(
        "Great work!\n\n{middle}\n\n{}\n\nI approve.",
        "한글 ".repeat(200_000)
    );
    let reading = read(&text);
    assert!(reading.is_partial());
    let said = |words: &str| {
        reading
            .clauses
            .iter()
            .any(|c| text.get(c.start..c.end).is_some_and(|t| t.contains(words)))
    };
    assert!(said("Great work") && said("I approve"));
    assert!(reading.clauses.iter().all(|c| text.get(c.start..c.end).is_some()));
    assert!(!read("Great work!").is_partial());
}

#[test]
fn tokens_carry_their_hash_and_say_whether_they_are_plain() {
    let text = "Moved `a/b.rs` 12 3x isn't co-op Ünder ПРИВЕТ 재시도 3개 don\u{2019}t ＡＢＣ p.e.r.f.e.c.t l33t NASA.";
    let reading = read(text);
    let mut plain = 0;
    for token in &reading.tokens {
        let word = reading.word(token);
        let letters = !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
        let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        if token.is_plain() {
            assert!(
                token.kind == TokenKind::Word && letters || token.kind == TokenKind::Number && digits,
                "{word}"
            );
            assert_eq!(token.chars as usize, word.len(), "{word}");
            plain += 1;
        }
        let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, b| {
            (hash ^ u32::from(b)).wrapping_mul(0x0100_0193)
        });
        assert_eq!(token.hash(), hash, "{word}");
    }
    assert!(plain >= 3, "{plain}");
}

#[test]
fn of_too_many_clauses_the_ends_are_read() {
    for unit in ["- LGTM\n", "if, ", "ok. ", "승인, "] {
        let text = format!("Great work!\n\n{}\n\nI approve.", unit.repeat(60_000));
        let reading = read(&text);
        assert!(reading.is_partial(), "{unit}");
        assert_eq!(reading.clauses.len(), 8_192, "{unit}");
        let at = |clause: Option<&Clause>| clause.and_then(|c| text.get(c.start..c.end)).unwrap().to_owned();
        assert_eq!(at(reading.clauses.first()), "Great work!");
        assert_eq!(at(reading.clauses.last()), "I approve.");
    }
    // A row of marks is as much work as a long document.
    for unit in ["\"", "ok ", "a \"b\" ", "ok\n\n", "\r\n", "| a | b |\n", "'가' "] {
        let text = format!(
            "Great work!\n\n{}\n\nI approve.",
            unit.repeat(1_048_576 / unit.len())
        );
        let reading = read(&text);
        assert!(reading.is_partial(), "{unit:?}");
        assert!(reading.tokens.len() <= 200_000, "{unit:?}");
        assert!(reading.blocks.len() <= 100_000, "{unit:?}");
        let at = |clause: Option<&Clause>| clause.and_then(|c| text.get(c.start..c.end)).unwrap().to_owned();
        assert_eq!(at(reading.clauses.first()), "Great work!");
        assert_eq!(at(reading.clauses.last()), "I approve.");
    }
    let prose = "The parser reads the header in one pass and keeps the order of its fields. ".repeat(6_500);
    assert!(!read(&prose).is_partial());
}

#[test]
fn the_last_two_readings_are_shared() {
    let [a, b, c] = ["The cause is the lock.", "원인은 락입니다.", "Next is the pool."];
    let shared = |text: &str| crate::read_shared(text, &Extra::default());
    let first = shared(a);
    let second = shared(b);
    assert!(Rc::ptr_eq(&first, &shared(a)) && Rc::ptr_eq(&second, &shared(b)));
    assert_eq!(shared(c).clauses.len(), 1);
    assert!(Rc::ptr_eq(&second, &shared(b)), "the one before is kept");
    assert!(!Rc::ptr_eq(&first, &shared(a)), "the one before that is not");
    // One that takes much room goes with the next.
    let long = "The cause is the lock. ".repeat(4_000);
    let long_one = shared(&long);
    shared(c);
    assert!(!Rc::ptr_eq(&long_one, &shared(&long)));
}
