use crate::{Counts, Figures, Floor, Floors, Gate, Judged, Options, Report, Tally, read};
use proptest::prelude::*;
use serde_json::{Value, json};

fn tally(counts: &[(u64, u64, u64, u64)]) -> Tally {
    let mut tally = Tally::default();
    for &(tp, fp, missed, tn) in counts {
        tally.add(Counts { tp, fp, missed, tn });
    }
    tally
}

fn singles(tp: u64, fp: u64, missed: u64, tn: u64) -> Tally {
    let mut tally = Tally::default();
    for (n, counts) in [
        (tp, (true, true)),
        (fp, (false, true)),
        (missed, (true, false)),
        (tn, (false, false)),
    ] {
        (0..n).for_each(|_| tally.add(Counts::of(counts.0, counts.1)));
    }
    tally
}

/// Values from the published tables of the score interval.
/// A remark that is wrong or lacking is an error, whatever the share.
#[test]
fn remarks_are_measured_where_they_are_labelled() {
    let item = |remarks: &str| {
        let line =
            format!("{{\"text\":\"x\",\"audience\":\"human\",\"label\":\"pass\",\"remarks\":{remarks}}}");
        read(line.as_bytes(), None).unwrap().remove(0)
    };
    let answer = serde_json::json!({ "verdict": "pass", "remarks": [{ "rule": "response/unfinished" }] });
    let errors = |remarks: &str| {
        let score = item(remarks).score(&answer).unwrap();
        (score.too_strict, score.too_lax)
    };
    assert_eq!(errors("[\"response/unfinished\"]"), (false, false));
    assert_eq!(errors("[]"), (true, false));
    assert_eq!(errors("[\"response/off_task\"]"), (true, true));
    assert!(
        item("[]")
            .score(&serde_json::json!({ "verdict": "pass" }))
            .is_err(),
        "nothing is told of remarks"
    );
    for wrong in [
        "{\"text\":\"x\",\"audience\":\"human\",\"label\":\"pass\",\"remarks\":[\"praise\"]}",
        "{\"text\":\"x\",\"audience\":\"agent\",\"label\":\"pass\",\"remarks\":[]}",
    ] {
        assert!(read(wrong.as_bytes(), None).is_err(), "{wrong}");
    }
}

#[test]
fn wilson_intervals() {
    for (hits, n, low, high) in [
        (0, 10, 0.0, 0.277_53),
        (10, 10, 0.722_47, 1.0),
        (81, 263, 0.255_27, 0.366_19),
        (15, 148, 0.062_39, 0.160_57),
        (1, 29, 0.006_11, 0.171_76),
    ] {
        let rate = Figures::of(&singles(hits, n - hits, 0, 0)).precision.unwrap();
        assert!(
            (rate.low - low).abs() < 2e-4 && (rate.high - high).abs() < 2e-4,
            "{hits}/{n}: {rate:?}"
        );
    }
}

#[test]
fn figures_by_hand() {
    let figures = Figures::of(&singles(60, 2, 6, 75));
    let rounded = |rate: Option<crate::Rate>| (rate.unwrap().value * 1e4).round() / 1e4;
    assert_eq!(rounded(figures.precision), 0.9677);
    assert_eq!(rounded(figures.recall), 0.9091);
    assert_eq!(rounded(figures.f1), 0.9375);
    assert_eq!(rounded(figures.accuracy), 0.9441);
    // Nothing to take a share of is no share, not zero and not one.
    let quiet = Figures::of(&singles(0, 0, 0, 5));
    assert_eq!((quiet.precision, quiet.recall, quiet.f1), (None, None, None));
}

/// Ten questions of one item are no ten items.
#[test]
fn questions_of_one_item_hang_together() {
    let apart = Figures::of(&singles(90, 10, 0, 0)).precision.unwrap();
    let together = Figures::of(&tally(
        &[(10, 0, 0, 0); 9]
            .iter()
            .copied()
            .chain([(0, 10, 0, 0)])
            .collect::<Vec<_>>(),
    ));
    let together = together.precision.unwrap();
    assert_eq!(apart.value, together.value);
    assert!(
        together.low < apart.low - 0.1 && together.high > apart.high,
        "{apart:?} {together:?}"
    );
    // All right, in five items with twenty questions each: five trials.
    let perfect = Figures::of(&tally(&[(20, 0, 0, 0); 5])).precision.unwrap();
    assert_eq!(perfect, Figures::of(&singles(5, 0, 0, 0)).precision.unwrap());
}

proptest! {
    #[test]
    fn intervals_hold_their_value(items in prop::collection::vec((0u64..9, 0u64..9, 0u64..9, 0u64..9), 0..40)) {
        let figures = Figures::of(&tally(&items));
        for rate in [figures.precision, figures.recall, figures.f1, figures.accuracy].into_iter().flatten() {
            prop_assert!(0.0 <= rate.low && rate.low <= rate.value && rate.value <= rate.high && rate.high <= 1.0);
            prop_assert!(rate.low < rate.high);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(problems) = read(&bytes, None) {
            prop_assert!(!problems.is_empty());
        }
    }
}

/// How often the interval of F1 covers the true value, in draws of 100 items with known rates: near 95 of 100.
#[test]
fn the_interval_of_f1_covers_what_it_should() {
    let mut state = 7u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for (tp, fp, missed) in [(0.45, 0.02, 0.03), (0.30, 0.10, 0.10), (0.20, 0.01, 0.0)] {
        let truth = 2.0 * tp / (2.0 * tp + fp + missed);
        let mut covered = 0;
        for _ in 0..2000 {
            let mut tally = Tally::default();
            for _ in 0..100 {
                let u = next();
                let (gold, answer) = if u < tp {
                    (true, true)
                } else if u < tp + fp {
                    (false, true)
                } else if u < tp + fp + missed {
                    (true, false)
                } else {
                    (false, false)
                };
                tally.add(Counts::of(gold, answer));
            }
            covered += Figures::of(&tally)
                .f1
                .map_or(0, |r| i32::from(r.low <= truth && truth <= r.high));
        }
        assert!(
            (1860..=1985).contains(&covered),
            "{tp} {fp} {missed}: {covered} of 2000"
        );
    }
}

fn lines(rows: &[Value]) -> Vec<u8> {
    rows.iter().flat_map(|r| format!("{r}\n").into_bytes()).collect()
}

#[test]
fn the_gate_is_seen_by_the_fields() {
    for (row, gate) in [
        (
            json!({"text": "x", "audience": "agent", "label": "pass"}),
            Gate::Response,
        ),
        (
            json!({"text": "x", "is_approval": true, "has_evidence": false}),
            Gate::Review,
        ),
        (
            json!({"delegation": "x", "modified": [], "severity": "NONE"}),
            Gate::Scope,
        ),
        (
            json!({"delegation": "x", "responses": [], "completed": []}),
            Gate::Todo,
        ),
        (json!({"thoughts": ["x"], "label": "stuck"}), Gate::Drift),
        (json!({"text": "x", "act": "fact"}), Gate::Act),
        (json!({"text": "x", "claims": ["tests"]}), Gate::Claims),
        (
            json!({"text": "x", "gate": "delegation", "label": "reject"}),
            Gate::Delegation,
        ),
    ] {
        let items = read(&lines(std::slice::from_ref(&row)), None).unwrap();
        assert_eq!(items[0].gate, gate, "{row}");
    }
    let thoughts = lines(&[json!({"thoughts": ["x"], "label": "stuck"})]);
    assert_eq!(read(&thoughts, Some(Gate::Todo)).unwrap()[0].gate, Gate::Drift);
    let bare = lines(&[json!({"text": "x", "label": "pass"})]);
    assert_eq!(read(&bare, Some(Gate::Review)).unwrap()[0].gate, Gate::Review);
    let thoughts = lines(&[json!({"thoughts": ["x"], "label": "stuck"})]);
    assert_eq!(read(&thoughts, Some(Gate::Todo)).unwrap()[0].gate, Gate::Drift);
}

#[test]
fn wrong_lines_are_named() {
    for (line, message) in [
        ("{", "this is no JSON"),
        ("[]", "a labelled item is a JSON object"),
        (r#"{"text":"x","label":"pass"}"#, "which gate is this for?"),
        (
            r#"{"text":"x","gate":"revue","label":"pass"}"#,
            "there is no gate \"revue\"",
        ),
        (
            r#"{"text":"x","audience":"agent","label":"ok"}"#,
            "`label` is \"reject\" or \"pass\", not \"ok\"",
        ),
        (r#"{"text":"x","audience":"all","label":"pass"}"#, "`audience` is"),
        (
            r#"{"text":5,"audience":"agent","label":"pass"}"#,
            "`text` is a text",
        ),
        (
            r#"{"audience":"agent","label":"pass"}"#,
            "the field `text` is missing",
        ),
        (
            r#"{"delegation":"x","modified":[1],"severity":"NONE"}"#,
            "`modified` is a list of texts",
        ),
        (
            r#"{"delegation":"x","modified":[],"severity":"none"}"#,
            "`severity` is one of",
        ),
        (
            r#"{"delegation":"x","responses":["x"]}"#,
            "the field `reminder_expected` is missing",
        ),
        (r#"{"thoughts":["x"],"label":"reject"}"#, "`label` is \"stuck\""),
        (
            r#"{"id":"a","thoughts":["x"],"label":"stuck"}"#,
            "was given in line 1 already",
        ),
    ] {
        let text = format!("{}\n\n{line}\n", r#"{"id":"a","thoughts":["x"],"label":"stuck"}"#);
        let problems = read(text.as_bytes(), None).unwrap_err();
        assert_eq!(problems.len(), 1, "{line}");
        assert_eq!(problems[0].line, 3, "{line}");
        assert!(problems[0].message.contains(message), "{line}: {}", problems[0]);
    }
    assert!(read(b"\xff\n", None).is_err());
    assert_eq!(read(b"\n \n", None).unwrap().len(), 0);
}

/// One answer for each item, as `proctor check` prints it.
fn judge<'a>(rows: &[Value], answers: &[Value]) -> Vec<Judged<'a>> {
    let items = read(&lines(rows), None).unwrap();
    assert_eq!(items.len(), answers.len());
    items
        .into_iter()
        .zip(answers)
        .map(|(item, answer)| Judged {
            file: "x.jsonl",
            score: Some(item.score(answer).unwrap()),
            item,
        })
        .collect()
}

#[test]
fn scope_and_todo_are_counted_inside_too() {
    let rows = [
        json!({"id": "a", "delegation": "d", "modified": ["x", "y"], "severity": "WARNING", "label_unexpected": ["x"]}),
        json!({"id": "b", "delegation": "d", "modified": ["x"], "severity": "NONE", "label_unexpected": []}),
        json!({"id": "c", "delegation": "d", "responses": ["r"], "completed": [true, false, true], "reminder_expected": true}),
        json!({"id": "d", "delegation": "d", "responses": ["r"], "completed": [], "reminder_expected": false}),
    ];
    let item = |done: bool| json!({"text": "t", "completed": done});
    let judged = judge(
        &rows,
        &[
            json!({"severity": "NEEDS_REVIEW", "unexpected": ["x", "y", "z"]}),
            json!({"severity": "NONE", "unexpected": []}),
            json!({"items": [item(true), item(true)], "reminder": "[SYSTEM] …"}),
            json!({"items": [item(true)], "reminder": null}),
        ],
    );
    let report = Report::of(&judged, &Options::default());
    let scope = report.gate(Gate::Scope).unwrap();
    // The alarm was right, its severity was not.
    assert_eq!(
        (
            scope.all.figures.counts.tp,
            scope.all.too_strict,
            scope.all.too_lax
        ),
        (1, 1, 0)
    );
    let paths = scope
        .more
        .iter()
        .find(|r| r.name == "paths")
        .unwrap()
        .figures
        .counts;
    assert_eq!((paths.tp, paths.fp, paths.missed), (1, 2, 0));
    assert_eq!(scope.confusion.len(), 2);
    let todo = report.gate(Gate::Todo).unwrap();
    assert_eq!((todo.all.too_strict, todo.all.too_lax), (0, 0));
    let done = todo.more[0].figures.counts;
    // Right, wrongly ticked, not found; and an item that is none.
    assert_eq!((done.tp, done.fp, done.missed), (1, 2, 1));
}

#[test]
fn acts_are_counted_one_by_one() {
    let rows: Vec<Value> = ["fact", "fact", "praise"]
        .iter()
        .map(|a| json!({"text": "t", "act": a}))
        .collect();
    let judged = judge(
        &rows,
        &[
            json!({"act": "fact"}),
            json!({"act": "praise"}),
            json!({"act": "praise"}),
        ],
    );
    let report = Report::of(&judged, &Options::default());
    let act = report.gate(Gate::Act).unwrap();
    assert!((act.all.figures.precision.unwrap().value - 2.0 / 3.0).abs() < 1e-9);
    let talk = act.more[0].figures.counts;
    assert_eq!(
        (act.more[0].name.as_str(), talk.tp, talk.fp),
        ("empty talk", 1, 1)
    );
    let praise = act.groups[0]
        .rows
        .iter()
        .find(|r| r.name == "praise")
        .unwrap()
        .figures
        .counts;
    assert_eq!((praise.tp, praise.fp, praise.missed, praise.tn), (1, 1, 0, 1));
}

#[test]
fn groups_and_wrong_answers() {
    let row = |id: &str, lang: &str, label: &str| json!({"id": id, "lang": lang, "kind": "k", "text": format!("text of {id}"), "audience": "agent", "label": label});
    let judged = judge(
        &[
            row("a", "en", "reject"),
            row("b", "ko", "pass"),
            row("c", "ko", "reject"),
        ],
        &[
            json!({"verdict": "block"}),
            json!({"verdict": "block"}),
            json!({"verdict": "pass"}),
        ],
    );
    let by = vec!["lang".to_owned(), "nothing".to_owned()];
    let report = Report::of(&judged, &Options { by, errors: 1 });
    let gate = &report.gates[0];
    assert_eq!(gate.groups.len(), 1, "a field that no item has is left out");
    let korean = &gate.groups[0].rows[1];
    assert_eq!(
        (korean.name.as_str(), korean.too_strict, korean.too_lax),
        ("ko", 1, 1)
    );
    assert_eq!(gate.errors.len(), 1);
    let text = report.to_text();
    assert!(
        text.contains("x.jsonl:2 b [k/ko] right: pass, answered: reject\n      text of b"),
        "{text}"
    );
}

/// Values of a field are any text: columns stay columns.
#[test]
fn names_of_any_width_keep_their_column() {
    let names = [
        "결제-모듈-리뷰",
        "결제 모듈을 나누고 이름을 바꾸는 일",
        "a-very-long-situation-with-many-words",
        "a\tb",
    ];
    let rows: Vec<Value> = names
        .iter()
        .map(|n| json!({"kind": n, "thoughts": ["x"], "label": "stuck"}))
        .collect();
    let judged = judge(&rows, &vec![json!({"stuck": true}); names.len()]);
    let by = vec!["kind".to_owned()];
    let text = Report::of(&judged, &Options { by, errors: 0 }).to_text();
    let widths: Vec<usize> = text
        .lines()
        .filter_map(|l| l.split("  1.000").next().filter(|head| *head != l))
        .map(unicode_width::UnicodeWidthStr::width)
        .collect();
    assert_eq!(widths.len(), 5, "{text}");
    assert!(widths.iter().all(|w| *w == widths[0]), "{text}");
}

#[test]
fn floors_hold_or_not() {
    let rows: Vec<Value> = (0..40)
        .map(|i| json!({"id": i, "lang": if i < 30 { "en" } else { "ko" }, "thoughts": ["x"], "label": if i % 2 == 0 { "stuck" } else { "progressing" }}))
        .collect();
    // Two misses, both Korean.
    let answers: Vec<Value> = (0..40)
        .map(|i| json!({"stuck": i % 2 == 0 && i != 30 && i != 32}))
        .collect();
    let judged = judge(&rows, &answers);
    let text = r#"{"version": 1, "places": [
        {"files": ["x"], "gate": "drift", "floors": {"precision": 1, "recall": 0.95, "errors_per_30": 1, "items": 40}},
        {"files": ["x"], "gate": "drift", "where": {"lang": "en"}, "floors": {"errors_per_30": 1}},
        {"files": ["x"], "gate": "todo", "floors": {"recall": 0.5}}
    ]}"#;
    let floors = Floors::read(text).unwrap();
    let checks: Vec<_> = floors.places.iter().flat_map(|p| p.check(&judged)).collect();
    let held: Vec<_> = checks.iter().map(|c| (c.figure.as_str(), c.holds)).collect();
    assert_eq!(
        held,
        [
            ("precision", true),
            ("recall", false),
            ("errors_per_30", false),
            ("items", true),
            ("errors_per_30", true),
            ("recall", false),
        ]
    );
    assert!(Floors::to_text(&checks).contains("UNDER"));
    for (text, why) in [
        ("{}", "missing field"),
        (r#"{"version":2,"places":[]}"#, "version 2"),
        (r#"{"version":1,"places":[]}"#, "demands nothing"),
        (
            r#"{"version":1,"places":[{"files":[],"gate":"x","floors":{}}]}"#,
            "no gate \"x\"",
        ),
        (
            r#"{"version":1,"places":[{"files":[],"gate":"todo","floors":{"speed":1}}]}"#,
            "unknown variant",
        ),
    ] {
        let error = Floors::read(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    assert!("precision=0.9".parse::<Floor>().is_ok());
    assert!(
        "precision".parse::<Floor>().is_err()
            && "speed=1".parse::<Floor>().is_err()
            && "f1=x".parse::<Floor>().is_err()
    );
}

#[test]
fn each_kind_of_claim_is_a_question() {
    let row = json!({"text": "x", "claims": ["tests", "done"]});
    let items = read(&lines(&[row]), None).unwrap();
    let score = items[0].score(&json!({"claims": ["tests", "lint"]})).unwrap();
    assert_eq!(
        (score.gold.as_str(), score.answer.as_str()),
        ("tests+done", "tests+lint")
    );
    let counts = score.main;
    assert_eq!((counts.tp, counts.fp, counts.missed, counts.tn), (1, 1, 1, 3));
    assert!(score.too_strict && score.too_lax);
    assert_eq!(score.more.len(), 6);
    let empty = items[0].score(&json!({"claims": []})).unwrap();
    assert_eq!(empty.answer, "none");
    assert!(read(&lines(&[json!({"text": "x", "claims": ["fun"]})]), None).is_err());
}

/// A share above 1 could never be met: whoever wrote it meant something else.
#[test]
fn a_floor_that_nothing_reaches_is_refused() {
    for text in [
        "recall=1.01",
        "precision=97",
        "f1=1.5",
        "accuracy=2",
        "recall=-0.1",
    ] {
        assert!(text.parse::<Floor>().is_err(), "{text}");
    }
    let why = "recall=1.01".parse::<Floor>().unwrap_err();
    assert!(why.contains("from 0 to 1"), "{why}");
    for text in ["recall=1", "items=40", "errors_per_30=2"] {
        assert!(text.parse::<Floor>().is_ok(), "{text}");
    }
    let file = |floors: &str| {
        Floors::read(&format!(
            "{{\"version\":1,\"places\":[{{\"files\":[\"x\"],\"gate\":\"drift\",\"floors\":{{{floors}}}}}]}}"
        ))
    };
    assert!(file("\"recall\": 0.9, \"items\": 40").is_ok());
    let why = file("\"items\": 40, \"recall\": 1.01").unwrap_err().to_string();
    assert!(why.contains("recall cannot be 1.01"), "{why}");
}
