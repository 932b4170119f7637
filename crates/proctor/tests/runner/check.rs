//! `proctor check`: the contract of its data, and what a person reads.

use crate::support::environment;
use insta::assert_snapshot;
use proctor_testkit::{Output, TestEnvironment};
use serde_json::{Value, json};

fn check(env: &TestEnvironment, args: &[&str], input: &str) -> Output {
    let args: Vec<&str> = ["check"].iter().chain(args).copied().collect();
    env.run_with(&env.project(), &args, input.as_bytes())
}

fn lines(env: &TestEnvironment, gate: &str, input: &[Value]) -> Vec<Value> {
    let text: String = input.iter().map(|v| format!("{v}\n")).collect();
    let output = check(env, &[gate, "--jsonl"], &text).exits(0);
    let answers: Vec<Value> = output
        .stdout()
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(answers.len(), input.len(), "one line out for each line in");
    for (question, answer) in input.iter().zip(&answers) {
        assert_eq!(question["id"], answer["id"], "same order");
    }
    answers
}

#[test]
fn a_person_reads_the_verdict_and_the_way_out() {
    let env = environment();
    // How likely changes with what was learned.
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\d+ % likely", "N % likely");
    let _bound = settings.bind_to_scope();
    assert_snapshot!(
        "check_review",
        check(&env, &["review"], "APPROVE - looks good!\n")
    );
    assert_snapshot!(
        "check_response",
        check(&env, &["response"], "완벽합니다! src/a.rs 3행을 고쳤습니다.\n")
    );
    assert_snapshot!(
        "check_nothing_wrong",
        check(&env, &["review"], "src/a.rs line 3 overflows at 0.\n")
    );
}

#[test]
fn response_lines() {
    let env = environment();
    let answers = lines(
        &env,
        "response",
        &[
            json!({"id": "flattery", "text": "Excellent work! Great job!", "audience": "agent"}),
            json!({"id": "fact", "text": "src/a.rs line 3 overflows at 0.", "audience": "agent", "extra": [1]}),
            json!({"id": 3, "text": "", "audience": "human"}),
        ],
    );
    assert_eq!(answers[0]["verdict"], "block");
    assert_eq!(answers[0]["decision"], "block");
    assert!(answers[0]["ratio"].as_f64().unwrap() > 0.9);
    let span = &answers[0]["spans"][0];
    assert!(
        span["text"].as_str().unwrap().contains("Excellent work"),
        "{span}"
    );
    assert!(answers[0]["feedback"].is_string());
    for quiet in &answers[1..] {
        assert_eq!(
            (&quiet["verdict"], &quiet["ratio"]),
            (&json!("pass"), &json!(0.0)),
            "{quiet}"
        );
        assert_eq!(quiet["spans"], json!([]));
        assert_eq!(quiet["feedback"], json!(null));
    }
}

/// What a hook remarks at the end of a turn can be seen here: announced work, a message beside its task.
#[test]
fn remarks_on_a_message_to_a_person() {
    let env = environment();
    env.write_file(
        "task.md",
        "Explain how the footer is built in web/footer.tsx and fix the broken link there.",
    );
    let remarks = |args: &[&str], text: &str| {
        let args: Vec<&str> = [&["response", "--json", "--audience", "human"], args].concat();
        let answer = check(&env, &args, text).exits(0).data();
        let list = answer["remarks"].as_array().unwrap().clone();
        list.into_iter()
            .map(|r| (r["rule"].clone(), r["span"]["text"].clone()))
            .collect::<Vec<_>>()
    };
    let unfinished = "The link in web/footer.tsx was wrong. Next I'll clean up the footer.";
    let off = "The weather in Rome is sunny and mild with a light breeze from the sea.";
    let announced = (
        json!("response/unfinished"),
        json!("Next I'll clean up the footer."),
    );
    assert_eq!(
        remarks(&["--task", "task.md"], unfinished),
        std::slice::from_ref(&announced)
    );
    assert_eq!(remarks(&[], unfinished), [announced]);
    assert_eq!(
        remarks(&["--task", "task.md"], off),
        [(json!("response/off_task"), json!(null))]
    );
    assert_eq!(remarks(&[], off), []);
    assert_eq!(
        remarks(
            &["--task", "task.md"],
            "The link in web/footer.tsx now leads to /shop."
        ),
        []
    );
    let row = json!({"text": off, "audience": "human", "task": env.read_file("task.md")});
    assert_eq!(
        lines(&env, "response", std::slice::from_ref(&row))[0]["remarks"][0]["rule"],
        "response/off_task"
    );
    // Agents are told nothing of the kind, and a task says nothing to another gate.
    assert_eq!(
        check(&env, &["response", "--json"], unfinished).data()["remarks"],
        json!(null)
    );
    for args in [
        &["response", "--task", "task.md"][..],
        &["review", "--audience", "human", "--task", "task.md"],
    ] {
        let wrong = check(&env, args, off).exits(2);
        assert!(wrong.to_string().contains("--task goes with"), "{wrong}");
    }
    let shown = check(&env, &["response", "--audience", "human"], unfinished)
        .exits(0)
        .stdout();
    assert!(
        shown.contains("response/unfinished \"Next I'll clean up the footer.\": "),
        "{shown}"
    );
}

/// The verdict comes from the words alone, the decision from the gate as a hook runs it: both know whether a review was
/// asked for.
#[test]
fn a_review_that_was_asked_for_is_decided_as_it_is_judged() {
    let env = environment();
    let corpus = include_str!("../../../../corpus/test/review.jsonl");
    let rows: Vec<Value> = corpus.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let refused = [true, false].map(|asked| {
        let mut rows = rows.clone();
        rows.iter_mut().for_each(|row| row["asked"] = json!(asked));
        let answers = lines(&env, "review", &rows);
        for answer in &answers {
            assert_eq!(
                answer["verdict"] == "block",
                answer["decision"] == "block",
                "{answer}"
            );
        }
        answers.iter().filter(|a| a["verdict"] == "block").count()
    });
    assert!(refused[0] > refused[1], "{refused:?}");
}

/// What a hook says where nobody asked for a review can be repeated.
#[test]
fn a_review_that_nobody_asked_for_is_judged_as_in_a_hook() {
    let env = environment();
    let corpus = include_str!("../../../../corpus/test/review.jsonl");
    let rows: Vec<Value> = corpus.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let refused = |asked: Value| {
        let mut rows = rows.clone();
        rows.iter_mut().for_each(|row| row["asked"] = asked.clone());
        let answers = lines(&env, "review", &rows).into_iter();
        let blocked = answers.filter(|a| a["verdict"] == "block");
        blocked.map(|a| a["id"].clone()).collect::<Vec<_>>()
    };
    let (asked, unasked) = (refused(json!(true)), refused(json!(false)));
    let id = asked.iter().find(|id| !unasked.contains(id)).unwrap();
    let text = rows.iter().find(|r| r["id"] == *id).unwrap()["text"]
        .as_str()
        .unwrap();
    let _ = check(&env, &["review"], text).exits(1);
    let answer = check(&env, &["review", "--unasked", "--json"], text)
        .exits(0)
        .data();
    assert_eq!(
        (&answer["verdict"], &answer["decision"]),
        (&json!("pass"), &json!("allow"))
    );
    // In lines it is said once for all that do not say it themselves.
    let input = format!(
        "{}\n{}\n",
        json!({"text": text}),
        json!({"text": text, "asked": true})
    );
    let out = check(&env, &["review", "--jsonl", "--unasked"], &input)
        .exits(0)
        .stdout();
    let verdicts: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(
        (&verdicts[0]["verdict"], &verdicts[1]["verdict"]),
        (&json!("pass"), &json!("block"))
    );
    let wrong = check(&env, &["response", "--unasked"], text).exits(2);
    assert!(wrong.to_string().contains("--unasked"), "{wrong}");
}

#[test]
fn review_lines() {
    let env = environment();
    let answers = lines(
        &env,
        "review",
        &[
            json!({"id": 1, "text": "APPROVE - looks good!"}),
            json!({"id": 2, "text": "APPROVE - I ran the tests and they all pass. Build succeeds."}),
            json!({"id": 3, "text": "I cannot APPROVE this: the tests fail."}),
        ],
    );
    let shown: Vec<_> = answers
        .iter()
        .map(|a| (a["verdict"].clone(), a["is_approval"].clone()))
        .collect();
    assert_eq!(
        shown,
        [
            (json!("block"), json!(true)),
            (json!("pass"), json!(true)),
            (json!("pass"), json!(false))
        ]
    );
    assert_eq!(answers[0]["evidence"], json!([]));
    assert!(!answers[1]["evidence"].as_array().unwrap().is_empty());
}

#[test]
fn scope_lines() {
    let env = environment();
    let task = "TASK: fix\nEXPECTED OUTCOME:\n- src/a.rs\n- tests/*.rs\n";
    let severity = |modified: &[&str]| {
        let answer = lines(
            &env,
            "scope",
            &[json!({"id": 1, "delegation": task, "modified": modified})],
        )
        .remove(0);
        (answer["severity"].clone(), answer["unexpected"].clone())
    };
    assert_eq!(severity(&["src/a.rs", "tests/x.rs"]), (json!("NONE"), json!([])));
    assert_eq!(
        severity(&["src/a.rs", "문서.md"]),
        (json!("WARNING"), json!(["문서.md"]))
    );
    assert_eq!(
        severity(&["x", "y", "z"]),
        (json!("NEEDS_REVIEW"), json!(["x", "y", "z"]))
    );
}

#[test]
fn todo_lines() {
    let env = environment();
    let task = "EXPECTED OUTCOME:\n- [ ] src/a.rs compiles\n- [ ] 테스트 통과\n";
    let ask = |responses: Value| {
        lines(
            &env,
            "todo",
            &[json!({"id": 1, "delegation": task, "responses": responses})],
        )
        .remove(0)
    };
    let open = ask(json!(["- [x] src/a.rs compiles"]));
    let done: Vec<_> = open["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| i["completed"].clone())
        .collect();
    assert_eq!(done, [json!(true), json!(false)]);
    assert!(
        open["reminder"]
            .as_str()
            .unwrap()
            .starts_with("[SYSTEM] Remaining: 1 items"),
        "{open}"
    );
    let closed = ask(json!(["- [x] src/a.rs compiles", "- [x] 테스트 통과"]));
    assert_eq!(closed["reminder"], json!(null), "{closed}");
}

#[test]
fn drift_lines() {
    let env = environment();
    let answers = lines(
        &env,
        "drift",
        &[
            json!({"id": 1, "thoughts": ["Retry 1: E0382.", "Retry 2: E0382.", "Retry 3: E0382."]}),
            json!({"id": 2, "thoughts": ["a.rs fixed.", "b.rs fixed.", "c.rs fixed."]}),
            json!({"id": 3, "thoughts": []}),
        ],
    );
    let stuck: Vec<_> = answers.iter().map(|a| a["stuck"].clone()).collect();
    assert_eq!(stuck, [json!(true), json!(false), json!(false)]);
    for answer in &answers {
        assert!(!answer["why"].as_str().unwrap().is_empty(), "{answer}");
    }
    // Each paragraph of a text is a thought.
    let text = "설정을 다시 봅니다.\n\n설정을 다시\n봅니다.\n\n\n설정을 다시 봅니다.\n";
    assert_snapshot!("check_drift", check(&env, &["drift"], text));
}

#[test]
fn drift_by_embeddings() {
    let env = environment();
    let line = "{\"id\":1,\"thoughts\":[\"Adding a.rs.\",\"Adding a.rs!\",\"adding A.RS\"]}\n";
    let ask = |policy: &str| {
        env.write_file(
            ".proctor/proctor.yaml",
            format!("enforcement: {{drift: {policy}}}\n"),
        );
        check(&env, &["drift", "--jsonl"], line)
    };
    let lexical = ask("{method: cosine, embedder: {kind: lexical}}").exits(0).json();
    assert_eq!(lexical["stuck"], json!(true), "{lexical}");
    assert!(lexical["cosine"].as_f64().unwrap() > 0.95, "{lexical}");

    let fell_back = ask("{method: cosine, embedder: {kind: file, path: nowhere}}")
        .exits(0)
        .json();
    assert_eq!(fell_back["stuck"], json!(true), "{fell_back}");
    assert!(
        fell_back["fell_back"]
            .as_str()
            .unwrap()
            .contains("there is no model"),
        "{fell_back}"
    );

    let failed = ask("{method: cosine, embedder: {kind: file, path: nowhere, fallback: false}}").exits(2);
    assert!(failed.stdout().contains("could not run"), "{failed}");

    // A repository cannot say where texts are sent.
    let refused = ask("{method: cosine, embedder: {kind: endpoint, url: 'http://127.0.0.1:1/v1'}}").exits(0);
    assert!(
        refused.stderr().contains("counts in your own file only"),
        "{refused}"
    );
    assert!(refused.stdout().contains("fell_back\":\""), "{refused}");
}

#[cfg(feature = "endpoint")]
#[test]
fn drift_by_an_endpoint() {
    use proctor_testkit::model::{Behaviour, EmbeddingServer};
    let server = EmbeddingServer::start(Behaviour::Same);
    let env = environment();
    env.write_file(
        env.home().join(".config/proctor/proctor.yaml"),
        &format!(
            "enforcement: {{drift: {{method: cosine, embedder: {{kind: endpoint, url: '{}', model: small, fallback: false}}}}}}\n",
            server.url()
        ),
    );
    let answer = lines(
        &env,
        "drift",
        &[json!({"id": 1, "thoughts": ["a", "b", "c", "d"]})],
    )
    .remove(0);
    assert_eq!(
        (&answer["stuck"], &answer["cosine"]),
        (&json!(true), &json!(1.0)),
        "{answer}"
    );
    // Only the last three are sent, in one request: once for the verdict, once for the decision.
    assert!(
        server.seen().iter().all(|r| r.contains("[\"b\",\"c\",\"d\"]")),
        "{:?}",
        server.seen()
    );
}

#[test]
fn malformed_lines_are_answered_in_their_place() {
    let env = environment();
    let input = "{\"id\":1,\"text\":\"fine\"}\n\nnot json\n[]\n{\"id\":2}\n{\"id\":3,\"text\":5}\n{\"id\":4,\"text\":\"fine\"}";
    let output = check(&env, &["review", "--jsonl"], input).exits(2);
    let answers: Vec<Value> = output
        .stdout()
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let errors: Vec<_> = answers
        .iter()
        .filter_map(|a| a.get("error").map(|_| a["line"].clone()))
        .collect();
    assert_eq!(errors, [json!(3), json!(4), json!(5), json!(6)], "\n{output}");
    let good: Vec<_> = answers
        .iter()
        .filter(|a| a.get("error").is_none())
        .map(|a| a["id"].clone())
        .collect();
    assert_eq!(good, [json!(1), json!(4)], "\n{output}");
}

#[test]
fn another_policy_replaces_all_layers() {
    let env = environment();
    env.write_file(".proctor/proctor.yaml", "version: 1\npreset: strict\n");
    let policy = env.root().join("policy");
    env.write_file(
        policy.join("proctor.yaml"),
        "version: 1\nenforcement: { review: { mode: observe } }\n",
    );
    let text = "{\"id\":1,\"text\":\"APPROVE\"}\n";
    let answer = check(
        &env,
        &["review", "--jsonl", "--policy", &policy.to_string_lossy()],
        text,
    )
    .exits(0)
    .json();
    // What the gate thinks does not depend on its mode; what becomes of it does.
    assert_eq!(
        (&answer["verdict"], &answer["decision"]),
        (&json!("block"), &json!("allow")),
        "{answer}"
    );
}

#[test]
fn a_gate_that_does_not_exist_is_wrong_use() {
    let env = environment();
    assert_snapshot!("check_no_such_gate", check(&env, &["revew"], "x"));
}

#[test]
fn only_an_object_is_a_row_and_the_next_line_is_answered() {
    let env = environment();
    let rows = [
        "[\"x\",\"Great job!\",null,null,null,null,null,null]",
        "[]",
        "7",
        "null",
        "\"x\"",
        " true",
    ];
    let input = format!("{}\n{{\"id\":\"b\",\"text\":\"Great job!\"}}\n", rows.join("\n"));
    let output = check(&env, &["response", "--jsonl"], &input).exits(2);
    let lines: Vec<Value> = output
        .stdout()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), rows.len() + 1, "{output}");
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(lines[number]["line"], number + 1, "{row}: {output}");
        assert_eq!(
            lines[number]["error"], "malformed line: a row is a JSON object",
            "{row}"
        );
    }
    assert_eq!(lines[rows.len()]["id"], "b", "{output}");
    assert_eq!(lines[rows.len()]["verdict"], "block", "{output}");
}

#[test]
fn a_byte_order_mark_and_half_a_surrogate_pair_break_no_line() {
    let env = environment();
    let input = "\u{feff}{\"id\":\"a\",\"text\":\"Great job!\"}\n{\"id\":\"b\",\"text\":\"Great job! \\ud83d\"}\n\
                 {\"id\":\"c\",\"text\":\"Great job! \\ude00\\ud83d\\ude00\"}\n";
    let answers = check(&env, &["response", "--jsonl"], input).exits(0).stdout();
    let ids: Vec<(Value, Value)> = answers
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|answer| (answer["id"].clone(), answer["verdict"].clone()))
        .collect();
    assert_eq!(
        ids,
        ["a", "b", "c"].map(|id| (json!(id), json!("block"))),
        "{answers}"
    );
    // Only where a file begins, and only half a pair.
    let wrong = "{\"id\":\"a\",\"text\":\"x\"}\n\u{feff}{\"id\":\"b\",\"text\":\"x\"}\n{\"id\":\"c\",\"text\":\"\\ud83\"}\n";
    let answers = check(&env, &["response", "--jsonl"], wrong).exits(2).stdout();
    assert_eq!(answers.matches("malformed line").count(), 2, "{answers}");
}
