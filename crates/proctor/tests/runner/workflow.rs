//! The workflow that `init --ci github` writes, its scripts run as the forge runs them: `bash -e` on a file, in a new
//! clone, with the variables that the forge sets. Left out is only the first step, which loads a compiler and the
//! program from the network: here the program under test is on PATH instead.

use crate::support::environment;
use crate::verify::{NOW, POLICY, approve, changed_in};
use proctor_testkit::TestEnvironment;
use proctor_testkit::env::Output;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// One step as the file has it.
#[derive(Debug, Default)]
struct Step {
    name: String,
    uses: String,
    /// What is under `with` and `env`.
    values: Vec<(String, String)>,
    run: String,
}

/// Reads the steps of the one job. The file is ours, so its form is known: two blanks for each level.
fn steps(text: &str) -> Vec<Step> {
    let (_, text) = text.split_once("    steps:\n").unwrap();
    let mut steps: Vec<Step> = Vec::new();
    let mut in_script = false;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("      - ") {
            steps.push(Step::default());
            in_script = false;
            take(steps.last_mut().unwrap(), rest, &mut in_script);
            continue;
        }
        let step = steps.last_mut().unwrap();
        let deep = line.len() - line.trim_start().len();
        match (in_script && deep >= 10, deep) {
            (true, _) => step.run.push_str(&format!("{}\n", line.get(10..).unwrap())),
            (false, _) if line.trim_start().starts_with('#') => {}
            (false, 8) => take(step, line.trim(), &mut in_script),
            (false, 10) => {
                let (key, value) = line.trim().split_once(": ").unwrap();
                step.values
                    .push((key.to_owned(), value.trim_matches('"').to_owned()));
            }
            _ => panic!("what is this line? {line:?}"),
        }
    }
    steps
}

fn take(step: &mut Step, line: &str, in_script: &mut bool) {
    let (key, value) = line.split_once(':').unwrap();
    *in_script = false;
    match (key, value.trim()) {
        ("name", value) => value.clone_into(&mut step.name),
        ("uses", value) => value.clone_into(&mut step.uses),
        ("run", "|") => *in_script = true,
        ("run", value) => step.run = format!("{value}\n"),
        ("with" | "env", "") => {}
        ("working-directory", value) => step
            .values
            .push(("working-directory".to_owned(), value.to_owned())),
        (other, _) => panic!("a key that no step had: {other}"),
    }
}

/// `${{ github.event.a.b || github.event.c }}`: the first that the event has; nothing where it has none.
fn expand(text: &str, event: &Value) -> String {
    let Some(inside) = text.strip_prefix("${{").and_then(|t| t.strip_suffix("}}")) else {
        return text.to_owned();
    };
    let look = |path: &str| {
        let path = path.trim().strip_prefix("github.event.").unwrap();
        let found = path.split('.').fold(event, |value, key| &value[key]);
        found.as_str().map(str::to_owned).filter(|s| !s.is_empty())
    };
    inside.split("||").find_map(look).unwrap_or_default()
}

/// A repository with a workflow and a policy on its main branch, and a proposed change.
struct Forge {
    env: TestEnvironment,
    remote: PathBuf,
    runs: std::cell::Cell<u32>,
}

const SOURCE: &str = "https://example.org/proctor.git#0123456789abcdef0123456789abcdef01234567";

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl Forge {
    fn new() -> Self {
        let env = environment().with_real_clock();
        let _ = env.run(&["init", "--ci", "github", "--source", SOURCE]).exits(0);
        let env = changed_in(env, POLICY);
        let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
        let remote = env.root().join("remote.git");
        env.git(&["init", "-q", "--bare", &text(&remote)]);
        env.git(&["remote", "add", "origin", &text(&remote)]);
        env.git(&["push", "-q", "origin", "HEAD:main"]);
        env.git(&["checkout", "-q", "-b", "topic"]);
        env.commit_all("renamed");
        env.git(&["push", "-q", "origin", "topic"]);
        Self {
            env,
            remote,
            runs: std::cell::Cell::new(0),
        }
    }

    fn tip(&self, name: &str) -> String {
        let found = self.env.git_in(&self.remote, &["rev-parse", name]);
        found.trim().to_owned()
    }

    fn pull_request(&self) -> Value {
        json!({"action": "synchronize", "number": 7, "pull_request": {
            "head": {"ref": "topic", "sha": self.tip("topic")},
            "base": {"ref": "main", "sha": self.tip("main")},
        }})
    }

    /// Runs the job, as far as it goes. `depth`: how much of the history is checked out, where not what the file says.
    fn job(&self, name: &str, event: &Value, depth: Option<&str>) -> Output {
        self.runs.set(self.runs.get() + 1);
        let place = self.env.root().join(format!("runner-{}", self.runs.get()));
        let workspace = place.join("work");
        let (temp, home) = (place.join("temp"), place.join("home"));
        for folder in [&workspace, &temp, &home] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let files = ["env", "output", "path", "step_summary", "state"].map(|f| (f, temp.join(f)));
        for (_, file) in &files {
            std::fs::write(file, "").unwrap();
        }
        let event_file = temp.join("event.json");
        std::fs::write(&event_file, event.to_string()).unwrap();
        let head = ["pull_request.head.sha", "merge_group.head_sha", "after"]
            .iter()
            .map(|path| expand(&format!("${{{{ github.event.{path} }}}}"), event))
            .find(|sha| !sha.is_empty())
            .unwrap();
        let part = |path: &str| expand(&format!("${{{{ github.event.{path} }}}}"), event);
        let workflow = self.env.read_file(".github/workflows/proctor.yml");
        let mut last = None;
        for (number, step) in steps(&workflow).iter().enumerate() {
            if step.name == "Build Proctor" {
                assert!(step.run.contains("cargo install"), "{step:?}");
                continue;
            }
            if step.uses == "actions/checkout@v4" {
                self.check_out(&workspace, step, event, depth);
                continue;
            }
            assert!(step.uses.is_empty() && !step.run.is_empty(), "{step:?}");
            let script = temp.join(format!("step-{number}.sh"));
            std::fs::write(&script, &step.run).unwrap();
            // What the forge documents for a step without a `shell`.
            let mut command = self.env.command("bash");
            command
                .args(["-e", &text(&script)])
                .current_dir(&workspace)
                .env("HOME", &home)
                .env("XDG_STATE_HOME", home.join(".local/state"))
                .env("XDG_CONFIG_HOME", home.join(".config"))
                .env_remove("GIT_CONFIG_GLOBAL")
                .envs([
                    ("CI", "true"),
                    ("GITHUB_ACTIONS", "true"),
                    ("GITHUB_EVENT_NAME", name),
                    ("GITHUB_SHA", &head),
                    ("GITHUB_REF", &reference(name, event)),
                    ("GITHUB_BASE_REF", &part("pull_request.base.ref")),
                    ("GITHUB_HEAD_REF", &part("pull_request.head.ref")),
                    ("GITHUB_WORKFLOW", "proctor"),
                    ("GITHUB_JOB", "verify"),
                    ("RUNNER_OS", "Linux"),
                ])
                .env("GITHUB_WORKSPACE", &workspace)
                .env("GITHUB_EVENT_PATH", &event_file)
                .env("RUNNER_TEMP", &temp);
            for (name, file) in &files {
                command.env(format!("GITHUB_{}", name.to_uppercase()), file);
            }
            for (name, value) in &step.values {
                command.env(name, expand(value, event));
            }
            let done = self.env.finish(&mut command, b"");
            let failed = done.code() != Some(0);
            last = Some(done);
            if failed {
                break;
            }
        }
        last.unwrap()
    }

    /// What the action does: the wanted commit and, without a depth, the whole history; nothing checked out by name.
    fn check_out(&self, folder: &Path, step: &Step, event: &Value, depth: Option<&str>) {
        let value = |key: &str| {
            step.values
                .iter()
                .find(|(k, _)| k == key)
                .map(|(_, v)| expand(v, event))
        };
        let wanted = value("ref").filter(|r| !r.is_empty());
        let wanted = wanted.unwrap_or_else(|| event["after"].as_str().unwrap().to_owned());
        let depth = depth.map_or_else(|| value("fetch-depth").unwrap(), str::to_owned);
        let git = |args: &[&str]| self.env.git_in(folder, args);
        git(&["init", "-q"]);
        git(&[
            "remote",
            "add",
            "origin",
            &format!("file://{}", text(&self.remote)),
        ]);
        match depth.as_str() {
            "0" => git(&[
                "fetch",
                "-q",
                "--prune",
                "origin",
                "+refs/heads/*:refs/remotes/origin/*",
                "+refs/tags/*:refs/tags/*",
            ]),
            depth => git(&[
                "fetch",
                "-q",
                "--no-tags",
                &format!("--depth={depth}"),
                "origin",
                &wanted,
            ]),
        };
        git(&[
            "-c",
            "advice.detachedHead=false",
            "checkout",
            "-q",
            "--force",
            &wanted,
        ]);
    }
}

fn reference(name: &str, event: &Value) -> String {
    match name {
        "pull_request" => format!("refs/pull/{}/merge", event["number"]),
        "merge_group" => event["merge_group"]["head_ref"].as_str().unwrap().to_owned(),
        _ => event["ref"].as_str().unwrap().to_owned(),
    }
}

#[test]
fn its_steps_are_read_as_they_stand() {
    let forge = Forge::new();
    let file = forge.env.read_file(".github/workflows/proctor.yml");
    let steps = steps(&file);
    let names: Vec<&str> = steps.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Build Proctor",
            "",
            "Fetch what other clones recorded (refs/proctor/log)",
            "Verify"
        ]
    );
    assert_eq!(steps[1].uses, "actions/checkout@v4");
    assert!(
        steps[3]
            .run
            .ends_with("proctor verify --rerun --range \"$FROM..$TO\"\n"),
        "{file}"
    );
    // No other event starts it: a push is what was verified before.
    let events: Vec<&str> = file
        .lines()
        .filter(|l| l.starts_with("  ") && l.ends_with(':'))
        .collect();
    assert_eq!(events[..2], ["  pull_request:", "  merge_group:"]);
}

#[test]
fn a_pull_request() {
    let forge = Forge::new();
    let blocked = forge.job("pull_request", &forge.pull_request(), None).exits(1);
    assert!(
        blocked.stdout().contains("nobody approved this tree"),
        "{blocked}"
    );
    approve(&forge.env, None, NOW);
    let _ = forge.env.run(&["sync"]).exits(0);
    let passed = forge.job("pull_request", &forge.pull_request(), None).exits(0);
    assert!(
        passed.stdout().contains("run again in a clean folder") && passed.stdout().contains("trust ci_reran"),
        "{passed}"
    );
    // The base went on since the event was made: what is compared with is the base as it is now.
    let event = forge.pull_request();
    forge.env.git(&["checkout", "-q", "main"]);
    let signed = POLICY.replace("require: changes", "require: changes, signed: true");
    forge.env.write_file(".proctor/proctor.yaml", signed);
    forge.env.commit_all("signatures, please");
    forge.env.git(&["push", "-q", "origin", "main"]);
    let late = forge.job("pull_request", &event, None).exits(1);
    assert!(late.stdout().contains("not signed"), "{late}");
}

#[test]
fn a_merge_queue_and_what_is_no_record() {
    let forge = Forge::new();
    approve(&forge.env, None, NOW);
    let _ = forge.env.run(&["sync"]).exits(0);
    let event = json!({"action": "checks_requested", "merge_group": {
        "head_ref": "refs/heads/gh-readonly-queue/main/pr-7", "base_ref": "refs/heads/main",
        "head_sha": forge.tip("topic"), "base_sha": forge.tip("main"),
    }});
    let _ = forge.job("merge_group", &event, None).exits(0);
    // Somebody puts something else there: it is left out, and the job goes on.
    let file = "log/strange.jsonl";
    let far = forge.env.root().join("stranger");
    forge.env.git(&["clone", "-q", &text(&forge.remote), &text(&far)]);
    forge
        .env
        .git_in(&far, &["fetch", "-q", "origin", "refs/proctor/log"]);
    forge.env.git_in(&far, &["checkout", "-q", "FETCH_HEAD"]);
    forge.env.write_file(far.join(file), "no record\n");
    forge.env.git_in(&far, &["add", "--all"]);
    forge.env.git_in(&far, &["commit", "-q", "-m", "strange"]);
    forge
        .env
        .git_in(&far, &["push", "-q", "origin", "HEAD:refs/proctor/log"]);
    let _ = forge.job("merge_group", &event, None).exits(0);
}

#[test]
fn what_it_cannot_tell_does_not_pass() {
    let forge = Forge::new();
    // A part of the history: somebody took `fetch-depth: 0` out. The step fetches what decides by itself, so the very
    // tree that was approved goes, and nothing else does.
    let shallow = || forge.job("pull_request", &forge.pull_request(), Some("1"));
    assert!(shallow().exits(1).stdout().contains("nobody approved this tree"));
    approve(&forge.env, None, NOW);
    let _ = forge.env.run(&["sync"]).exits(0);
    let _ = shallow().exits(0);
    // An event that the file does not ask for has neither a base nor a head.
    let push = json!({"ref": "refs/heads/topic", "before": forge.tip("main"), "after": forge.tip("topic")});
    let pushed = forge.job("push", &push, None);
    assert!(!matches!(pushed.code(), Some(0)), "{pushed}");
    // A remote that is gone.
    std::fs::rename(&forge.remote, forge.env.root().join("gone.git")).unwrap();
    let verify = forge.env.run(&["sync", "--fetch"]);
    assert!(
        !matches!(verify.code(), Some(0 | 1)),
        "the step would go on: {verify}"
    );
}
