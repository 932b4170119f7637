use super::{LARGEST, Pattern};
use crate::{Extra, read_with, tag};
use proptest::prelude::*;

/// The words that a pattern marks, joined by a bar.
fn marks(pattern: &str, text: &str) -> String {
    let reading = read_with(text, &Extra::default().with_doubtful([pattern]));
    let found: Vec<&str> = reading
        .tokens
        .iter()
        .filter(|t| t.doubt && t.is_word())
        .filter_map(|t| text.get(t.start..t.end))
        .collect();
    found.join("|")
}

#[test]
fn patterns_find_what_they_say() {
    for (pattern, text, found) in [
        // Plain words: stems in Korean, regular endings in English.
        ("완벽", "완벽합니다", "완벽합니다"),
        ("chef's kiss", "A real chef's kiss of a diff", "chef's|kiss"),
        ("great work!", "Great work, everyone", "Great|work"),
        (
            "C++ is (really) great",
            "C++ is really great, C++ is (really) great",
            "C|is|really|great",
        ),
        ("/great 💯/", "great 💯", "great"),
        ("갓벽", "그 코드는 별로입니다", ""),
        // Regular expressions are regular expressions.
        (
            r"/훌륭한\s*분석/gi",
            "훌륭한분석 그리고 훌륭한   분석",
            "훌륭한분석|훌륭한|분석",
        ),
        (r"/훌륭한\s*분석/", "훌륭한 코드 분석", ""),
        (
            r"/(top|first)[- ]notch/",
            "A first notch and a third notch",
            "first|notch",
        ),
        (r"/gr+eat/", "grrrreat, great, geat", "grrrreat|great"),
        (r"/Wow/", "wow and Wow", "Wow"),
        (r"/wow/i", "wow and WOW", "wow|WOW"),
        (
            r"/[가-힣]+의 정석/",
            "리팩터링의 정석이네요",
            "리팩터링의|정석이네요",
        ),
        (r"/\u{C644}벽/", "완벽", "완벽"),
        (r"/so.{0,9}good/s", "so very\ngood", "so|very|good"),
        (r"/^nice one/m", "Then nice one\nnice one", "nice|one"),
        // What is written in disguise reads the same; the pattern too.
        ("/perfect fit/i", "ｐｅｒｆｅｃｔ fit", "ｐｅｒｆｅｃｔ|fit"),
        ("/\u{1112}\u{116e}\u{11af}륭/", "훌륭", "훌륭"),
        // Code, paths and URLs are not prose.
        ("/perfect/", "`perfect` in src/perfect.rs is perfect", "perfect"),
        // The word boundary: after Latin letters as ever, Hangul or not; before Hangul a beginning; after Hangul nothing.
        (
            r"/\bperfect\b/",
            "perfect한 imperfect perfection perfect.",
            "perfect|perfect",
        ),
        (r"/\b완벽\b/", "완벽하게 불완벽 완벽", "완벽하게|완벽"),
        (
            r"/\b(perfect|완벽)\b/",
            "imperfect perfectly perfect 불완벽 완벽히",
            "perfect|완벽히",
        ),
        (r"\bsuper(b|star)\b", "superb superstars", "superb"),
        // Without slashes a bar is a bar.
        ("great|good", "great good", ""),
    ] {
        assert_eq!(marks(pattern, text), found, "{pattern} in {text:?}");
    }
}

fn flaws(pattern: &str) -> String {
    Extra::flaws(pattern, true)
        .iter()
        .map(|f| format!("{}{f}; ", if f.fatal { "" } else { "~" }))
        .collect()
}

#[test]
fn flaws_are_told() {
    for (pattern, start) in [
        ("완벽", ""),
        ("/훌륭한 분석/gi", ""),
        ("!!!", "can never match: it has no word"),
        ("💯", "can never match: it has no word"),
        (r"/\bperfect\b/", ""),
        (r"/\b완벽/", ""),
        (r"/\b완벽\b/", "~has a `\\b` after Hangul"),
        (
            r"\bperfect\b",
            r"~is taken as a regular expression (write `/\bperfect\b/i`)",
        ),
        ("/wow/y", "has the unknown flag `y`"),
        ("/(wow/", "is no regular expression: a group is not closed"),
        ("/wow)/", "is no regular expression: a group is closed"),
        ("/[wow/", "is no regular expression: a class is not closed"),
        (
            "/wow[[:alpha:]]/",
            "is no regular expression: a class stands in a class",
        ),
        ("/wow(?)/", "is no regular expression: this kind of group"),
        ("/*wow/", "is no regular expression: there is nothing to repeat"),
        ("/wow{3,1}/", "is no regular expression: a count is"),
        (
            "/wow(?=!)/",
            "is no regular expression: it cannot look ahead or behind",
        ),
        (r"/(wow)\1/", "is no regular expression: it cannot refer back"),
        (r"/\p{Hangul}wow/", "is no regular expression: Unicode classes"),
        (r"/wow\y/", "is no regular expression: `\\y` means nothing"),
        ("/[z-a]wow/", "is no regular expression: a range runs backwards"),
        ("/(wow)?/", "matches the empty text"),
        ("/wow|/", "matches the empty text"),
        (r"/\s*/", "matches the empty text"),
        ("/.+/", "needs no particular word"),
        ("/[가-힣]{3}/", "needs no particular word"),
        ("/wow|./", "needs no particular word"),
        ("/a.b.c/", "needs no particular word"),
        ("/벽.+/", ""),
        ("/wow^now/", "can never match: something stands before `^`"),
        ("/wow$now/", "can never match: something stands after `$`"),
        ("/wow$\\nnow/m", ""),
        (r"/wo\bw/", "can never match: `\\b` stands between two letters"),
        (r"/wow!\b\?/", "can never match: `\\b` stands between two marks"),
        ("/((wow{40}){40}){40}/", "grows to "),
        (
            "/(((((((((((((((((((((wow)))))))))))))))))))))/",
            "is no regular expression: groups are nested",
        ),
    ] {
        let said = flaws(pattern);
        assert!(
            if start.is_empty() {
                said.is_empty()
            } else {
                said.starts_with(start)
            },
            "{pattern}: {said}"
        );
    }
    assert!(flaws(&"가".repeat(201)).starts_with("has more than 200 characters"));
}

#[test]
fn a_message_without_the_letters_compiles_nothing() {
    for (pattern, text, may) in [
        (r"/훌륭한\s*분석/", "훌륭한 코드", true),
        (r"/훌륭한\s*분석/", "좋은 분석", false),
        ("/(great|awesome) (job|work)/i", "AWESOME WORK", true),
        ("/(great|awesome) (job|work)/i", "a job", false),
        ("/wo+w, nice/", "w, nice", true),
        ("/wo+w, nice/", "wow nice", false),
        ("/[wW]ow+/", "woo", true),
        ("/[wW]ow+/", "now", false),
    ] {
        let Ok(Pattern::Regex(rule)) = Pattern::read(pattern) else {
            panic!("{pattern}")
        };
        assert_eq!(rule.may_match(&text.to_lowercase()), may, "{pattern} in {text}");
    }
}

#[test]
fn words_of_low_confidence_change_nothing() {
    let text = "The tests pass for sure. 확실히 통과했습니다. 대박 결과입니다.";
    let plain = read_with(text, &Extra::default());
    let doubted = read_with(text, &Extra::default().with_doubtful(["for sure", "/대박 결과/"]));
    let acts = |r: &crate::Reading| {
        r.clauses
            .iter()
            .map(|c| (c.act, c.chars, c.tags))
            .collect::<Vec<_>>()
    };
    assert_eq!(acts(&plain), acts(&doubted));
    let words = |r: &crate::Reading| r.doubts().into_iter().map(|d| d.word).collect::<Vec<_>>();
    assert_eq!(words(&plain), ["확실히", "통과"]);
    assert_eq!(words(&doubted), ["for sure", "확실히", "통과", "대박 결과입니다"]);
}

#[test]
fn allowed_terms_may_be_expressions_too() {
    let extra = Extra::new(["/(perfect|완벽)/"], [r"/perfect (hash|square)/i"]);
    let reading = read_with("Perfect hash and perfect work", &extra);
    let marked: Vec<bool> = reading.tokens.iter().map(|t| t.tags.any(tag::EXTRA)).collect();
    assert_eq!(marked.iter().filter(|m| **m).count(), 1, "{marked:?}");
}

#[test]
fn hostile_messages_stay_cheap() {
    let patterns: Vec<String> = (0..super::MOST)
        .map(|i| format!("/(a|aa|a.a)*aa{{2,40}}b{i}/"))
        .collect();
    let extra = Extra::new(&patterns, []);
    let text = "a".repeat(1 << 20) + " aab1 aaab2";
    let start = std::time::Instant::now();
    let _ = read_with(&text, &extra);
    let with = start.elapsed();
    assert!(with.as_secs() < 30, "{with:?}");
}

proptest! {
    #[test]
    fn any_text_is_a_pattern_or_refused(pattern in "\\PC{0,40}", text in "\\PC{0,80}") {
        let _ = Extra::flaws(&pattern, true);
        let _ = Extra::finds(&pattern, &text);
    }

    /// Our own reading of expressions and the matcher's agree on what is one; and what is found is found with
    /// its letters in the text.
    #[test]
    fn both_readings_agree(body in "[ab가완(|)*+?.\\[\\]^$\\\\bsd{}0-9,-]{1,12}", text in "[ab가완 0-9]{0,30}") {
        let ours = Pattern::read(&format!("/{body}/"));
        if let Ok(Pattern::Regex(rule)) = &ours {
            prop_assert!(rule.compile().is_ok(), "{body}: {:?}", rule.compile());
            let mut found = false;
            rule.find(&text, |_, _| found = true);
            prop_assert!(!found || rule.may_match(&text), "{body} in {text}");
            prop_assert!(rule.cost(16) <= LARGEST * 16);
        }
    }
}

/// Figures for the documents: `cargo test --release -p proctor-prose cost_of -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement; needs a release build"]
fn cost_of_patterns() {
    use std::time::Instant;
    let median = |mut work: Box<dyn FnMut()>| {
        let mut times: Vec<f64> = (0..500)
            .map(|_| {
                let start = Instant::now();
                work();
                start.elapsed().as_secs_f64() * 1e6
            })
            .collect();
        times.sort_by(f64::total_cmp);
        times[250]
    };
    let patterns: Vec<String> = (0..20)
        .map(|i| format!(r"/\b(great|awesome) (job|work){i}|훌륭한\s*분석{i}[가-힣]*/i"))
        .collect();
    let text = "I moved the parser into src/parse.rs, line 30; 테스트 12개를 다시 돌렸고 실패는 없습니다. "
        .repeat(18);
    let near = format!("{text} awesome work7, 훌륭한 분석3입니다.");
    let (p, t, n) = (patterns.clone(), text.clone(), near.clone());
    println!(
        "20 expressions read: {:.1} µs",
        median(Box::new(move || drop(Extra::new(&p, []))))
    );
    println!(
        "{} bytes without patterns: {:.1} µs",
        text.len(),
        median(Box::new(move || drop(read_with(&t, &Extra::default()))))
    );
    let (extra, t) = (Extra::new(&patterns, []), text);
    println!(
        "with 20 that have no letters here: {:.1} µs",
        median(Box::new(move || drop(read_with(&t, &extra))))
    );
    let (p, t) = (patterns.clone(), n);
    println!(
        "with 2 that match, compiled: {:.1} µs",
        median(Box::new(move || drop(read_with(&t, &Extra::new(&p, [])))))
    );
    let reading = read_with(&near, &Extra::default());
    println!(
        "words of low confidence: {:.1} µs",
        median(Box::new(move || drop(reading.doubts())))
    );
    let hostile = "a".repeat(1 << 20) + " aab1 aaab2";
    let patterns: Vec<String> = (0..super::MOST)
        .map(|i| format!("/(a|aa|a.a)*aa{{2,40}}b{i}/"))
        .collect();
    for extra in [Extra::default(), Extra::new(&patterns, [])] {
        let start = Instant::now();
        let _ = read_with(&hostile, &extra);
        println!("1 MB in one word: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    }
    let dense = "great awesome work aab0 b ".repeat(40_000);
    let patterns: Vec<String> = (0..super::MOST)
        .map(|i| format!("/(great|awesome) [a-z ]{{1,30}}b{i}/i"))
        .collect();
    for extra in [Extra::default(), Extra::new(&patterns, [])] {
        let start = Instant::now();
        let _ = read_with(&dense, &extra);
        println!(
            "1 MB of near matches: {:.1} ms",
            start.elapsed().as_secs_f64() * 1e3
        );
    }
}
