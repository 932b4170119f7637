//! The real Claude Code CLI: commands that are rewritten, reviewers that the end of a turn starts, and tokens
//! that its transcripts tell.

use crate::conformance::{bash, cli, decisions, held, verified, write};
use proctor_testkit::TestEnvironment;
use proctor_testkit::model::{Expect, ModelServer, Script, Turn};

const CHECKED: &str = "verification:\n- { name: check, run: \"sh check.sh\", kind: tests }\n";
const CLAIM: &str = "docs/usage.md is written. All tests pass.";
const APPROVE: &str =
    "I read it.\n```json\n{\"verdict\": \"approve\", \"summary\": \"it explains parse()\"}\n```";

fn project(approval: &str) -> TestEnvironment {
    let env = held(&format!("enforcement: {{ approval: {approval} }}\n{CHECKED}"));
    env.write_file("check.sh", "test -f docs/usage.md && echo \"checked $1\"\n");
    env.commit_all("check");
    env
}

#[test]
fn a_check_is_rewritten_and_run_by_proctor() {
    let Some(claude) = cli("a_check_is_rewritten_and_run_by_proctor") else {
        return;
    };
    let env = project("{ rewrite: true }");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("First the file.").call("Write", write(&env, "docs/usage.md")))
            // What is not understood without any doubt stays as it is.
            .turn(
                Turn::say("Through a pipe.")
                    .call("Bash", bash("sh check.sh | tail -1"))
                    .after("File created"),
            )
            .turn(
                Turn::say("By itself.")
                    .call("Bash", bash("sh check.sh 'a  b'"))
                    .after("checked")
                    .not_after("proctor: recorded"),
            )
            .turn(
                Turn::say("As the policy names it.")
                    .call("Bash", bash("sh check.sh"))
                    .after("checked a  b")
                    .after("proctor: recorded `sh check.sh 'a  b'`")
                    .after("a part: no evidence for an approval [engine_ran]"),
            )
            .turn(
                Turn::say(CLAIM)
                    .after("proctor: recorded `sh check.sh` (tests): exit 0")
                    .after("[engine_ran]")
                    .not_after("a part"),
            ),
    );
    let answer = claude.prompt(&env, &model, "write docs/usage.md").completed();
    model.assert_followed();
    assert_eq!(answer.text(), CLAIM);
}

#[test]
fn the_end_of_a_turn_starts_the_reviewer_and_waits_for_it() {
    let Some(claude) = cli("the_end_of_a_turn_starts_the_reviewer_and_waits_for_it") else {
        return;
    };
    let env = project("{ require: changes }");
    let own = env.home().join(".config/proctor");
    std::fs::create_dir_all(&own).unwrap();
    let policy = "version: 1\nenforcement: { approval: { launch_reviewer: true } }\n";
    std::fs::write(own.join("proctor.yaml"), policy).unwrap();
    let refuse = "{\"verdict\": \"reject\", \"summary\": \"no\", \"findings\": [{\"text\": \"it says nothing of empty input\"}]}";
    let settle = "id=$(proctor review status | sed -n 's/^  \\([0-9A-Z]*\\) \\[OPEN\\].*/\\1/p'); \
                  proctor review settle \"$id\" --how fixed -m added";
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("First the file.").call("Write", write(&env, "docs/usage.md")))
            .turn(
                Turn::say("Now the script.")
                    .call("Bash", bash("sh check.sh"))
                    .after("File created"),
            )
            .turn(Turn::say("docs/usage.md is there.").after("checked"))
            .turn(
                Turn::say("Then the other file.")
                    .call("Write", write(&env, "docs/empty.md"))
                    .after("it says nothing of empty input"),
            )
            .turn(
                Turn::say("The script again.")
                    .call("Bash", bash("sh check.sh"))
                    .after("File created"),
            )
            .turn(
                Turn::say("That is settled.")
                    .call("Bash", bash(settle))
                    .after("checked"),
            )
            .turn(Turn::say("docs/empty.md is there, too.").after("is fixed"))
            .route(
                "reviewer",
                "Adversarial review",
                [
                    Turn::say(refuse).expect(Expect::Anywhere("+one line".to_owned())),
                    Turn::say(APPROVE),
                ],
            ),
    );
    let _ = claude.prompt(&env, &model, "write docs/usage.md").completed();
    assert_eq!(model.seen_by("reviewer").len(), 2, "{}", model.story());
    model.assert_followed();
    // One decision for each of the two ends of a turn, and no reviewer's own.
    let stops = decisions(&env)["recent"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|d| d["event"] == "Stop")
        .count();
    assert_eq!(stops, 2);
    // Both reviewers are paid for, without the host's own instructions (12,000 tokens a conversation).
    let tokens = env.run(&["stats", "--json"]).exits(0).data()["stats"]["tokens"]
        .as_u64()
        .unwrap();
    assert!((1_000..10_000).contains(&tokens), "{tokens}");
    let _ = env.run(&["review", "check"]).exits(0);
    let report = verified(&env, 0);
    assert_eq!(report["reasons"][0]["code"], "approved", "{report}");
    // It was the host's own program, as the system tells it: no PATH leads there.
    let program = &report["approval"]["program"];
    let path = std::path::Path::new(program["path"].as_str().unwrap());
    let installed = claude.program().canonicalize().unwrap();
    assert!(
        path.file_name().unwrap() == "claude"
            && path
                .ancestors()
                .any(|p| p.ends_with("node_modules") && installed.starts_with(p)),
        "{program}"
    );
    let digest = program["digest"].as_str().unwrap();
    assert!(digest.len() == 71 && digest.starts_with("sha256:"), "{program}");
}

#[test]
fn tokens_are_read_from_the_transcript_and_counted_once() {
    let Some(claude) = cli("tokens_are_read_from_the_transcript_and_counted_once") else {
        return;
    };
    let env = project("{ require: claims }");
    let script = Script::new()
        .turn(
            Turn::say("First the file.")
                .call("Write", write(&env, "docs/usage.md"))
                .with_input_tokens(10_000),
        )
        .turn(
            Turn::say("It is there.")
                .after("File created")
                .with_input_tokens(10_600),
        );
    let model = ModelServer::start(script);
    let answer = claude.prompt(&env, &model, "write docs/usage.md").completed();
    model.assert_followed();
    let stats = env.run(&["stats", "--json"]).exits(0).data();
    let tokens = stats["stats"]["tokens"].as_u64().unwrap();
    // 600 were read anew, those of the first answer among them; what was written comes to it.
    assert!((600..700).contains(&tokens), "{tokens}\n{answer}");
}
