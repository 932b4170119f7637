use super::{Drift, INSTEAD, condense, judge};
use proctor_kernel::{Audience, Context, Digest, Event, EventKind, Gate, NoWorld, Outcome, Tier};
use proptest::prelude::*;

/// Labelled conversations of our own: (id, thoughts, stuck).
fn corpus() -> Vec<(String, Vec<String>, bool)> {
    let files = [
        include_str!("../../tests/data/drift.jsonl"),
        include_str!("../../tests/data/drift2.jsonl"),
        include_str!("../../tests/data/drift3.jsonl"),
        include_str!("../../tests/data/drift4.jsonl"),
        include_str!("../../tests/data/drift5.jsonl"),
        include_str!("../../tests/data/drift6.jsonl"),
    ];
    files
        .iter()
        .flat_map(|f| f.lines())
        .map(|line| {
            let item: serde_json::Value = serde_json::from_str(line).unwrap();
            let thoughts = item["thoughts"].as_array().unwrap();
            (
                item["id"].as_str().unwrap().to_owned(),
                thoughts.iter().map(|t| t.as_str().unwrap().to_owned()).collect(),
                item["label"] == "stuck",
            )
        })
        .collect()
}

#[test]
fn labelled_conversations() {
    let items = corpus();
    let wrong: Vec<String> = items
        .iter()
        .filter_map(|(id, thoughts, stuck)| {
            let judged = judge(thoughts);
            (judged.stuck != *stuck).then(|| format!("{id}: {judged:?}"))
        })
        .collect();
    let missed = wrong.iter().filter(|w| w.contains("stuck: false")).count();
    let accused = wrong.len() - missed;
    // They were written to be misjudged: paraphrases that share no word, templates that share all. What is
    // reached stays reached.
    assert!(
        missed <= 6 && accused <= 3,
        "{missed} missed, {accused} accused: {wrong:#?}"
    );
}

#[test]
fn counters_clocks_and_ids_are_not_new_and_objects_are() {
    let stuck = |thoughts: &[&str]| judge(thoughts).stuck;
    for (template, varying) in [
        ("Attempt {}: the build fails.", ["1", "2", "3"]),
        ("{}번째 시도: 빌드가 실패합니다.", ["1", "2", "3"]),
        (
            "{} still waiting for the runner",
            ["10:00:01", "10:05:02", "10:10:09"],
        ),
        ("{}초 기다렸지만 아직 응답이 없습니다.", ["30", "60", "90"]),
        ("Request {} failed with 500.", ["8f3a1c", "b77e02", "19acd4"]),
        ("The build fails (took {}).", ["31s", "29s", "30s"]),
    ] {
        let thoughts = varying.map(|v| template.replace("{}", v));
        assert!(judge(&thoughts).stuck, "{thoughts:?}: {:?}", judge(&thoughts));
    }
    for (template, varying) in [
        ("Fixed the import in {}.", ["src/a.rs", "src/b.rs", "src/c.rs"]),
        ("{} 화면의 오타를 고쳤습니다.", ["로그인", "결제", "프로필"]),
        ("{} tests fail now.", ["14", "9", "2"]),
        ("진행률 {}%", ["20", "55", "90"]),
        ("commit {} is bad", ["8f3a1c", "b77e02", "19acd4"]),
        ("`{}` checks the path.", ["open()", "read()", "close()"]),
        ("The job is {}.", ["queued", "running", "done"]),
    ] {
        let thoughts = varying.map(|v| template.replace("{}", v));
        assert!(!judge(&thoughts).stuck, "{thoughts:?}: {:?}", judge(&thoughts));
    }
    assert!(!stuck(&["Same.", "Same."]), "two are too few");
    assert!(
        !stuck(&["a.rs fails.", "a.rs fails.", "a.rs passes."]),
        "the loop is broken"
    );
}

#[test]
fn which_one_of_a_series_is_an_object_and_a_count_of_attempts_is_none() {
    for (template, varying) in [
        ("{} page translated.", ["First", "Second", "Third"]),
        ("Moved the {} box.", ["first", "second", "third"]),
        ("The {} door is painted.", ["left", "right", "back"]),
        ("{} of five done.", ["One", "Two", "Three"]),
        ("Step {}: copied.", ["one", "two", "three"]),
        ("{} 백업 정상.", ["월요일", "화요일", "수요일"]),
        ("{} 방 청소 끝.", ["첫째", "둘째", "셋째"]),
        ("{} 번째 선반 끝.", ["첫", "두", "세"]),
        ("다섯 개 중 {} 완료.", ["하나", "둘", "셋"]),
        ("{} 문을 칠했습니다.", ["왼쪽", "오른쪽", "뒤쪽"]),
    ] {
        let thoughts = varying.map(|v| template.replace("{}", v));
        assert!(!judge(&thoughts).stuck, "{thoughts:?}: {:?}", judge(&thoughts));
    }
    for (template, varying) in [
        ("The {} attempt to build.", ["first", "second", "third"]),
        ("The {} build fails.", ["first", "second", "third"]),
        (
            "Let me take a {} look at the parser.",
            ["first", "second", "third"],
        ),
        (
            "I will look at the parser for the {} time.",
            ["first", "second", "third"],
        ),
        ("{} 번째 시도도 실패합니다.", ["첫", "두", "세"]),
        ("{}에도 빌드가 실패합니다.", ["월요일", "화요일", "수요일"]),
    ] {
        let thoughts = varying.map(|v| template.replace("{}", v));
        assert!(judge(&thoughts).stuck, "{thoughts:?}: {:?}", judge(&thoughts));
    }
}

#[test]
fn other_words_for_the_same_are_not_new_where_the_speaker_says_so_himself() {
    for (thoughts, stuck) in [
        // A single letter names a thing.
        (["Test a fails.", "Test b fails.", "Test c fails."], false),
        (
            [
                "Option A is too slow.",
                "Option B is too slow.",
                "Option C is too slow.",
            ],
            false,
        ),
        (["Attempt a fails.", "Attempt b fails.", "Attempt c fails."], true),
        (["Build a failed.", "Build b failed.", "Build c failed."], true),
        (
            ["Test a fails.", "Test a fails again.", "Test a still fails."],
            true,
        ),
        // "Still", 여전히, 또: things are as they were.
        (
            [
                "The user can't log in. I'll look again.",
                "Logging in still fails. Looking once more.",
                "Login doesn't work. I'll take another look.",
            ],
            true,
        ),
        (
            [
                "디스크가 꽉 찼습니다. 기다립니다.",
                "아직 디스크에 공간이 없습니다. 기다립니다.",
                "디스크가 여전히 가득합니다. 더 기다립니다.",
            ],
            true,
        ),
        (
            [
                "The parser still fails.",
                "The parser still fails, now on line 40.",
                "The parser fails again, on line 52.",
            ],
            false,
        ),
        // What is pointed at is known.
        (
            [
                "I need to understand the error.",
                "Let me understand this error.",
                "I want to get what this error means.",
            ],
            true,
        ),
        (
            [
                "서버가 왜 안 뜨는지 보겠습니다.",
                "포트가 이미 사용 중입니다.",
                "그 프로세스를 종료하니 서버가 뜹니다.",
            ],
            false,
        ),
    ] {
        assert_eq!(
            judge(&thoughts).stuck,
            stuck,
            "{thoughts:?} {:?}",
            judge(&thoughts)
        );
    }
}

#[test]
fn a_circle_counts_once_it_was_gone_through_twice() {
    let a = "Adding `async`, the caller awaits it.";
    let b = "Removing `async`, the trait is plain.";
    let c = "Wrapping it in `block_on`, the runtime panics.";
    assert!(!judge(&[a, b, a]).stuck);
    assert!(judge(&[a, b, a, b]).stuck);
    assert!(!judge(&[a, b, c, a, b]).stuck);
    let judged = judge(&[a, b, c, a, b, c]);
    assert!(judged.stuck && judged.period == 3, "{judged:?}");
}

#[test]
fn the_advice_breaks_the_loop() {
    let same = "The test fails again.";
    assert!(judge(&[same, same, same]).stuck);
    // What the gate asks for passes the gate: what the last try showed, and one thing not tried yet.
    assert!(
        !judge(&[
            same,
            same,
            same,
            "It showed a missing fixture in tests/data; creating it."
        ])
        .stuck
    );
    assert!(!judge(&[same, same, same, INSTEAD]).stuck);
}

#[test]
fn the_short_way_agrees_with_the_long_one() {
    for (id, thoughts, _) in corpus() {
        if let Some(object) = super::judge::fresh_object(&thoughts) {
            let judged = judge(&thoughts);
            assert!(!judged.stuck, "{id}: {object} {judged:?}");
            assert!(
                judged.news.last().is_none_or(|n| !n.is_empty()),
                "{id}: {object} {judged:?}"
            );
        }
    }
}

fn check(kind: EventKind, thoughts: &[String]) -> Outcome {
    let event = Event {
        host: "t".to_owned(),
        native: String::new(),
        session: "s".to_owned(),
        agent: None,
        cwd: String::new(),
        turn: None,
        kind,
        input: Digest::of(b""),
    };
    let context = Context {
        event: &event,
        audience: Audience::Agent,
        task: None,
        checklist: &[],
        created: &[],
        thoughts,
        steps: &[],
        world: &NoWorld,
    };
    Drift::new(&proctor_policy::Settings::default().drift)
        .check(&context)
        .unwrap()
}

#[test]
fn the_gate_speaks_once_on_the_way_and_each_time_at_the_end() {
    let thoughts = vec!["빌드가 또 실패합니다.".to_owned(); 5];
    let shown = |count: usize| {
        let kind = EventKind::Display {
            message: "m".to_owned(),
            index: 0,
            last: true,
            text: String::new(),
        };
        check(kind, thoughts.get(..count).unwrap()).findings
    };
    assert!(shown(2).is_empty());
    let [finding] = &shown(3)[..] else {
        panic!("no finding")
    };
    assert_eq!(finding.tier, Tier::Soft);
    assert!(finding.message.contains("the last 3 thoughts"), "{finding:?}");
    // An approval that was refused must not reach anybody inside a note.
    assert!(!finding.message.contains("실패합니다"), "{finding:?}");
    assert!(shown(4).is_empty(), "the same again is not said again");
    let end = EventKind::TurnEnd {
        text: String::new(),
        again: false,
        background: 0,
    };
    assert_eq!(check(end, &thoughts).findings[0].tier, Tier::Hard);
}

#[test]
fn long_texts_are_remembered_by_their_sentences() {
    assert_eq!(condense("short"), "short");
    let code = format!(
        "The cause is the lock.\n```\n{}\n```\nNext is the pool.",
        "x = 1\n".repeat(900)
    );
    assert_eq!(condense(&code), "The cause is the lock.\nNext is the pool.\n");
    assert!(condense(&"가나다 라마바. ".repeat(9_000)).len() <= 2 << 10);
}

/// A megabyte of thoughts is read in linear time.
#[test]
fn time_is_linear() {
    for piece in [
        "again ",
        "src/a.rs:1 ",
        "`x` ",
        "(((",
        "않 못 ",
        "1:1:1 ",
        "a1b2c3 ",
    ] {
        let text = piece.repeat((1 << 20) / piece.len());
        let start = std::time::Instant::now();
        let _ = judge(&[text.as_str(), text.as_str(), text.as_str()]);
        assert!(start.elapsed().as_secs() < 20, "{piece:?}: {:?}", start.elapsed());
    }
}

/// A loop is one however it was entered: the first of four like thoughts may be likest to one long ago.
#[test]
fn a_loop_that_begins_like_something_old() {
    let thoughts = [
        "K \u{fffc}",
        "",
        "",
        "",
        "\u{1ff2}\u{bc}\u{a1}",
        "\u{c0}\u{c0} k",
        "\u{c0}\u{c0} k",
        "\u{c0}\u{c0} k",
        "\u{c0}\u{c0} k",
    ];
    assert!(judge(&thoughts).stuck, "{:?}", judge(&thoughts));
}

proptest! {
    #[test]
    fn any_text_has_a_verdict(thoughts in proptest::collection::vec("\\PC{0,60}", 0..8)) {
        let judged = judge(&thoughts);
        prop_assert!(!judged.stuck || judged.repeats >= 2);
        // Said three times more, everything is a repetition.
        if let Some(last) = thoughts.last() {
            let mut more = thoughts.clone();
            more.extend([last.clone(), last.clone(), last.clone()]);
            prop_assert!(judge(&more).stuck, "{more:?}");
        }
    }
}

/// The longest common subsequence by the table that everybody knows.
fn plain_common(a: &[u32], b: &[u32]) -> u32 {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, x) in a.iter().enumerate() {
        for (k, y) in b.iter().enumerate() {
            table[i + 1][k + 1] = if x == y {
                table[i][k] + 1
            } else {
                table[i][k + 1].max(table[i + 1][k])
            };
        }
    }
    table[a.len()][b.len()]
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn wordings_have_in_common_what_the_table_says(
        a in proptest::collection::vec(0_u32..6, 0..=64),
        b in proptest::collection::vec(0_u32..6, 0..=64),
    ) {
        proptest::prop_assert_eq!(super::judge::common(&a, &b), plain_common(&a, &b));
    }
}
