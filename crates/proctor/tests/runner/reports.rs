//! What was recorded, told again: `explain`, `stats`, `demo`, `audit`, and the reference pages.

use crate::support::{environment, payload, prompt, stop, workspace};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// Costs differ from run to run, likelihoods with what was learned.
fn without_costs() -> insta::internals::SettingsBindDropGuard {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\b[0-9.]+ ?(µs|us|ms)\b", "N µs");
    settings.add_filter(r"\d+ % likely", "N % likely");
    settings.bind_to_scope()
}

#[test]
fn one_decision_explained() {
    let env = environment();
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
    let _ = env.hook(
        "claude",
        &prompt(
            &env,
            "Review it.\n\nEXPECTED OUTCOME:\n- [ ] src/lib.rs is read\n",
        ),
    );
    let more = json!({"agent_id": "a0", "agent_type": "reviewer", "stop_hook_active": false,
        "last_assistant_message": "APPROVE - looks good!", "background_tasks": [], "session_crons": []});
    let answer = env
        .hook("claude", &payload(&env, "SubagentStop", more))
        .exits(2)
        .json();
    assert!(
        answer["reason"].as_str().unwrap().contains("proctor decision"),
        "{answer}"
    );
    let _costs = without_costs();
    assert_snapshot!(env.run(&["explain", "last"]));
    // The id that the agent was shown finds the same record.
    let reason = answer["reason"].as_str().unwrap();
    let id = reason
        .rsplit("proctor decision ")
        .next()
        .unwrap()
        .trim_end_matches(')');
    assert_eq!(
        env.run(&["explain", id]).stdout(),
        env.run(&["explain", "last"]).stdout()
    );
    let record = env.run(&["explain", "last", "--json"]).exits(0).data();
    let text = record.to_string();
    for part in ["SubagentStop", "reviewer", "review", "micros"] {
        assert!(text.contains(part), "{part} is missing in {record}");
    }
}

#[test]
fn an_unknown_decision() {
    let env = environment();
    assert_snapshot!(env.run(&["explain", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]));
}

#[test]
fn figures_per_gate_and_agent() {
    let env = environment();
    env.commit_all("start");
    let _ = env.hook(
        "claude",
        &prompt(
            &env,
            "DELEGATE::worker::Look at it.\n\nEXPECTED OUTCOME: a report\n",
        ),
    );
    for text in [
        "Perfect! Excellent work!",
        "Perfect! Excellent work!",
        "src/lib.rs line 1 defines x.",
    ] {
        let _ = env.hook("claude", &stop(&env, text));
    }
    let stats = env.run(&["stats", "--json"]).exits(0).data();
    let gates = stats["stats"]["gates"].as_array().unwrap();
    let response = gates
        .iter()
        .find(|g| g["gate"] == "response" && g["agent"] == "main")
        .unwrap();
    assert_eq!(response["decided"], 3, "{response}");
    assert_eq!(response["rejected"], 2, "{response}");
    assert_eq!(response["passed"], 1, "{response}");
}

#[test]
fn the_demo_catches_the_loop_and_releases_it() {
    let env = environment();
    let shown = env.run(&["demo", "--fast"]).exits(0).stdout();
    for part in [
        "sent back (response",
        "APPROVE rejected",
        "Scope violation: modified README.md",
        "Remaining: 1 items",
        "released: approved",
        "Where to look next",
    ] {
        assert!(shown.contains(part), "{part:?} is missing in:\n{shown}");
    }
    // Nothing of it stays behind, and nothing of it touched this project.
    assert_eq!(env.git(&["status", "--porcelain"]), "");
    assert_eq!(std::fs::read_dir(env.root().join("tmp")).unwrap().count(), 0);
    let report = env.run(&["demo", "--json"]).exits(0).data();
    let text = report.to_string();
    assert!(text.contains("retries") && text.contains("flattery"), "{report}");
}

/// Runs the demo and holds that it went as it should, and left the project alone.
fn plays_well(env: &proctor_testkit::TestEnvironment, how: &str) {
    let out = env.run(&["demo", "--fast"]);
    let shown = out.stdout();
    assert!(out.code() == Some(0), "{how}:\n{out}");
    for part in ["Scope violation: modified README.md", "released: approved"] {
        assert!(shown.contains(part), "{how}: {part:?} is missing in:\n{shown}");
    }
    assert_eq!(env.read_file("README.md"), "my unsaved work\n", "{how}");
    assert_eq!(env.read_file("staged.txt"), "staged\n", "{how}");
}

#[test]
fn the_demo_never_acts_on_a_repository_to_which_variables_lead_git() {
    let project = environment();
    project.write_file("README.md", "committed\n");
    project.commit_all("start");
    project.write_file("README.md", "my unsaved work\n");
    project.write_file("staged.txt", "staged\n");
    project.git(&["add", "staged.txt"]);
    let before = project.git(&["status", "--porcelain"]);
    let tree = project.project().to_string_lossy().into_owned();
    let folder = format!("{tree}/.git");
    let index = format!("{folder}/index");
    let objects = format!("{folder}/objects");
    let variables = [
        ("GIT_WORK_TREE", tree.as_str()),
        ("GIT_DIR", &folder),
        ("GIT_INDEX_FILE", &index),
        ("GIT_OBJECT_DIRECTORY", &objects),
        ("GIT_COMMON_DIR", &folder),
        ("GIT_AUTHOR_DATE", "no date"),
        ("BASH_ENV", &index),
    ];
    let with = |given: &[(&str, &str)]| {
        let mut env = environment();
        for file in ["README.md", "staged.txt"] {
            env.write_file(file, project.read_file(file));
        }
        for (name, value) in given {
            env.set_var(name, *value);
        }
        plays_well(&env, &format!("{given:?}"));
        assert_eq!(project.read_file("README.md"), "my unsaved work\n", "{given:?}");
        assert_eq!(project.git(&["status", "--porcelain"]), before, "{given:?}");
    };
    for variable in variables {
        with(&[variable]);
    }
    with(&variables);
}

#[test]
fn the_demo_plays_the_same_whatever_the_users_git_is_told() {
    let mut env = environment();
    env.write_file("README.md", "my unsaved work\n");
    env.write_file("staged.txt", "staged\n");
    let hook = env.home().join("hooks/pre-commit");
    env.write_file(&hook, "#!/bin/sh\necho refused by a hook\nexit 1\n");
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let template = env.home().join("template/hooks");
    std::fs::create_dir_all(&template).unwrap();
    std::fs::copy(&hook, template.join("pre-commit")).unwrap();
    let home = env.home().display().to_string();
    env.write_file(env.home().join("ignored"), "*.sh\nREADME.md\n");
    env.write_file(env.home().join("attributes"), "* filter=broken\n");
    for (how, text) in [
        ("hooks", format!("[core]\n\thooksPath = {home}/hooks\n")),
        ("template", format!("[init]\n\ttemplateDir = {home}/template\n")),
        ("ignored", format!("[core]\n\texcludesFile = {home}/ignored\n")),
        (
            "filters",
            format!(
                "[core]\n\tattributesFile = {home}/attributes\n[filter \"broken\"]\n\tclean = false\n\trequired\n"
            ),
        ),
        (
            "signing",
            "[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = false\n".to_owned(),
        ),
        (
            "line ends",
            "[core]\n\tautocrlf = true\n\tsafecrlf = true\n".to_owned(),
        ),
    ] {
        env.write_file(env.home().join(".gitconfig"), text);
        plays_well(&env, how);
    }
    // Git reads this one although no setting names it.
    env.write_file(env.home().join(".gitconfig"), "");
    env.write_file(env.home().join(".config/git/ignore"), "*.sh\nREADME.md\n");
    plays_well(&env, "the ignored files of the configuration folder");
    env.set_var("GIT_TEMPLATE_DIR", format!("{home}/template"));
    plays_well(&env, "a template by variable");
}

#[test]
fn transcripts_are_audited_and_broken_lines_are_counted() {
    let env = environment();
    let record = |n: usize, role: &str, text: &str| {
        json!({"type": role, "sessionId": "s", "uuid": format!("u{n}"), "timestamp": "2026-01-02T03:04:05Z", "cwd": "/p",
            "message": {"id": format!("m{n}"), "role": role, "content": [{"type": "text", "text": text}]}})
    };
    let mut lines: Vec<String> = vec![
        record(1, "user", "Fix it.\n\nEXPECTED OUTCOME:\n- [ ] src/a.rs compiles").to_string(),
        record(2, "assistant", "Perfect! Excellent work! Everything is amazing!").to_string(),
        record(3, "user", "Go on.").to_string(),
        record(4, "assistant", "APPROVE - looks good!").to_string(),
    ];
    lines.insert(2, "{\"type\":\"assistant\",\"mess".to_owned());
    env.write_file("logs/-p/s.jsonl", lines.join("\n"));
    let report: Value = env
        .run(&["audit", "logs", "--json", "--html", "report.html"])
        .exits(0)
        .data();
    let text = report.to_string();
    assert_eq!(report["input"]["broken"], 1, "{report}");
    assert_eq!(report["totals"]["empty_approvals"], 1, "{report}");
    assert!(
        text.contains("APPROVE - looks good!"),
        "the worst example is shown: {report}"
    );
    assert!(text.contains("s.jsonl"), "{report}");
    let page = env.read_file("report.html");
    assert!(
        page.contains("<svg") && !page.contains("http://") && !page.contains("https://cdn"),
        "self-contained, with charts"
    );
    let shown = env.run(&["audit", "logs"]).exits(0);
    assert!(shown.stdout().contains("s.jsonl"), "\n{shown}");
    assert_ne!(env.run(&["audit", "nowhere"]).code(), Some(0));
}

#[test]
fn the_committed_reference_is_what_the_binary_prints() {
    let page = workspace().join("docs/reference/commands.md");
    let printed = environment().run(&["reference"]).exits(0).stdout();
    if std::env::var("INSTA_UPDATE").is_ok_and(|v| v == "always") {
        std::fs::write(&page, &printed).unwrap();
    }
    let committed = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(
        committed == printed,
        "docs/reference/commands.md is not what `proctor reference` prints (INSTA_UPDATE=always takes it over)"
    );
}
