//! Others at work beside an agent: what they change is not its work. And other repositories inside the work tree.

use super::*;
use proctor_kernel::Action;

const STRICT: &str = "enforcement: { scope: { mode: enforce, violation_threshold: 1 } }\n";

/// What is sent to a subagent that shall make one file.
fn make(file: &str) -> String {
    format!(
        "TASK: build it\nEXPECTED OUTCOME:\n- Create {file}\nMUST DO:\n- x\nMUST NOT DO:\n- y\nCONTEXT: z"
    )
}

impl Place {
    fn delegate(&self, by: Option<&str>, id: &str, file: &str) {
        let call = delegating(&format!("call-{id}"), &make(file));
        self.handle(&event(by, EventKind::ToolCall { call }));
        self.sub(id, EventKind::SubagentStart);
    }

    /// The agent's tool writes a file.
    fn wrote(&self, agent: Option<&str>, file: &str) {
        self.write(file, "x\n");
        let call = call(&format!("write-{file}"), ToolKind::Write, file);
        self.handle(&event(agent, EventKind::ToolCall { call: call.clone() }));
        self.handle(&event(
            agent,
            EventKind::ToolResult {
                call,
                outcome: done(),
            },
        ));
    }

    fn begun(policy: &str) -> Self {
        let place = Self::new(policy);
        place.main(start(StartSource::Startup));
        place.main(prompt("Have both built."));
        // Files have the times of the machine.
        place.now();
        place
    }

    /// Sets the clock to the machine's.
    fn now(&self) {
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap();
        let now = u64::try_from(now.as_millis()).unwrap();
        self.clock.now.set(now - 1_700_000_000_000);
    }
}

fn scope(answer: &Answer) -> (Action, serde_json::Value, String) {
    let report = answer
        .decision
        .reports
        .iter()
        .find(|r| r.gate == "scope")
        .unwrap();
    let instead = report
        .findings
        .first()
        .and_then(|f| f.instead.clone())
        .unwrap_or_default();
    assert!(report.data["unexpected"].is_array(), "{report:?}");
    (answer.decision.action, report.data["unexpected"].clone(), instead)
}

#[test]
fn parallel_agents_are_not_accused_of_each_others_work() {
    let place = Place::begun(STRICT);
    place.delegate(None, "a", "src/a.txt");
    place.delegate(None, "b", "src/b.txt");
    place.wrote(Some("b"), "src/b.txt");
    place.wrote(Some("a"), "src/a.txt");
    place.wrote(None, "notes.txt");
    for (agent, own) in [("a", "src/a.txt"), ("b", "src/b.txt")] {
        let answer = place.sub(agent, end(&format!("{own} is written.")));
        assert_eq!(scope(&answer).0, Action::Allow, "{agent}: {answer:?}");
        let report = answer
            .decision
            .reports
            .iter()
            .find(|r| r.gate == "scope")
            .unwrap();
        assert_eq!(report.data["others"]["count"], 2, "{agent}");
    }
}

/// An agent's own strays stay its own, also where others wrote to them as well, or where it had them written.
#[test]
fn what_an_agent_did_or_had_done_is_its_work() {
    let place = Place::begun(STRICT);
    place.delegate(None, "a", "src/a.txt");
    place.delegate(None, "b", "src/b.txt");
    place.wrote(Some("b"), "src/b.txt");
    place.wrote(Some("a"), "src/b.txt");
    let (action, unexpected, instead) = scope(&place.sub("a", end("src/a.txt is written.")));
    assert_eq!(
        (action, unexpected),
        (Action::Block, serde_json::json!(["src/b.txt"]))
    );
    assert!(instead.starts_with("Take these changes back"), "{instead}");
    // Its helper's work.
    place.delegate(Some("b"), "c", "evil.txt");
    place.wrote(Some("c"), "evil.txt");
    assert_eq!(
        scope(&place.sub("b", end("src/a.txt is written."))).1,
        serde_json::json!(["evil.txt"])
    );
    // And those of all agents are the main conversation's.
    let place = Place::begun(STRICT);
    place.main(prompt("Build it.\nEXPECTED OUTCOME:\n- Create src/a.txt"));
    place.delegate(None, "a", "evil.txt");
    place.wrote(Some("a"), "evil.txt");
    assert_eq!(
        scope(&place.main(end("src/a.txt is written."))).1,
        serde_json::json!(["evil.txt"])
    );
}

/// What was there before an agent's task began to another's credit is not there to its own.
#[test]
fn work_of_others_before_the_task_covers_nothing() {
    let place = Place::begun(STRICT);
    place.wrote(None, "notes.txt");
    place.clock.now.set(place.clock.now.get() + 1);
    place.delegate(None, "a", "src/a.txt");
    place.write("notes.txt", "changed by nobody knows whom\n");
    let (action, unexpected, instead) = scope(&place.sub("a", end("src/a.txt is written.")));
    assert_eq!(
        (action, unexpected),
        (Action::Block, serde_json::json!(["notes.txt"]))
    );
    assert!(
        instead
            .starts_with("Take back only what you changed: you are not on record to have written notes.txt."),
        "{instead}"
    );
}

/// A person beside the agent: nobody is on record, so nobody is told to take it back.
#[test]
fn a_persons_file_is_not_to_be_taken_back() {
    let place = Place::begun(STRICT);
    place.main(prompt("Build it.\nEXPECTED OUTCOME:\n- Create src/a.txt"));
    place.wrote(None, "src/a.txt");
    place.wrote(None, "stray.txt");
    place.write("user.txt", "a person's\n");
    let (_, unexpected, instead) = scope(&place.main(end("src/a.txt is written.")));
    assert_eq!(unexpected, serde_json::json!(["stray.txt", "user.txt"]));
    assert!(
        instead.starts_with(
            "Take back your changes of stray.txt; you are not on record to have written user.txt: leave"
        ),
        "{instead}"
    );
}

#[test]
fn another_session_in_the_same_work_tree() {
    for (root, launched, expected) in [
        ("", false, serde_json::json!([])),
        // It works in another work tree.
        ("elsewhere", false, serde_json::json!(["other.txt"])),
    ] {
        let place = Place::begun(STRICT);
        place.main(prompt("Build it.\nEXPECTED OUTCOME:\n- Create src/a.txt"));
        let root = if root.is_empty() {
            place.root()
        } else {
            place.folder.path().join(root)
        };
        let root = root.to_string_lossy().into_owned();
        let pin = place.state_home().join(crate::authors::pin("test", "s2"));
        std::fs::create_dir_all(pin.parent().unwrap()).unwrap();
        std::fs::write(pin, format!("{root}\0{root}")).unwrap();
        let other = |kind| {
            let mut event = event(None, kind);
            event.session = "s2".into();
            place.handle(&event);
        };
        other(start(StartSource::Startup));
        place.write("other.txt", "x\n");
        let call = call("w", ToolKind::Write, "other.txt");
        other(EventKind::ToolResult {
            call,
            outcome: done(),
        });
        place.wrote(None, "src/a.txt");
        let answer = place.main(end("src/a.txt is written."));
        assert_eq!(scope(&answer).1, expected, "{root} {launched}");
    }
}

/// A subagent that the host started in a work tree of its own is judged there.
#[test]
fn a_subagent_in_a_work_tree_of_its_own() {
    let place = Place::begun(STRICT);
    place.main(EventKind::ToolCall {
        call: delegating("call-a", &make("src/a.txt")),
    });
    place.git(&["worktree", "add", "-q", ".claude/worktrees/a", "-b", "a"]);
    let apart = place.root().join(".claude/worktrees/a");
    let there = |kind| {
        let mut event = event(Some("a"), kind);
        event.cwd = apart.to_string_lossy().into_owned();
        place.handle(&event)
    };
    there(EventKind::SubagentStart);
    let wrote = |file: &str| {
        let path = apart.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "x\n").unwrap();
        let call = call(file, ToolKind::Write, path.to_str().unwrap());
        there(EventKind::ToolResult {
            call,
            outcome: done(),
        });
    };
    wrote("src/a.txt");
    // What happens beside it is not its work.
    place.write("user.txt", "x\n");
    let answer = there(end("src/a.txt is written."));
    assert_eq!(
        (scope(&answer).0, scope(&answer).1),
        (Action::Allow, serde_json::json!([]))
    );
    wrote("evil.txt");
    let answer = there(end("src/a.txt is written."));
    assert_eq!(
        (scope(&answer).0, scope(&answer).1),
        (Action::Block, serde_json::json!(["evil.txt"]))
    );
    // The other work tree is no file of the session's own.
    std::fs::remove_file(place.root().join("user.txt")).unwrap();
    place.main(prompt("Write it down.\nEXPECTED OUTCOME:\n- Create notes.txt"));
    wrote("more.txt");
    place.wrote(None, "notes.txt");
    assert_eq!(
        scope(&place.main(end("src/a.txt is written."))).1,
        serde_json::json!([])
    );
}

#[test]
fn the_files_of_a_submodule() {
    let place = Place::new(STRICT);
    place.git(&["init", "-q", "lib"]);
    place.write("lib/f.py", "a\n");
    place.write("lib/g.py", "a\n");
    place.git(&["-C", "lib", "add", "-A"]);
    place.git(&["-C", "lib", "commit", "-qm", "i"]);
    place.git(&["-c", "advice.addEmbeddedRepo=false", "add", "-A"]);
    place.git(&["commit", "-qm", "with lib"]);
    place.main(start(StartSource::Startup));
    place.now();
    let unexpected = |place: &Place| scope(&place.main(end("src/a.txt is written."))).1;
    place.main(prompt("Fix it.\nEXPECTED OUTCOME:\n- lib/f.py is fixed"));
    place.wrote(None, "lib/f.py");
    assert_eq!(unexpected(&place), serde_json::json!([]));
    place.wrote(None, "lib/g.py");
    assert_eq!(unexpected(&place), serde_json::json!(["lib/g.py"]));
    place.main(prompt("Fix it.\nEXPECTED OUTCOME:\n- seed.txt is fixed"));
    place.write("lib/g.py", "b\n");
    // To git it is one change, and no more than one is told of.
    assert_eq!(unexpected(&place), serde_json::json!(["lib"]));
}
