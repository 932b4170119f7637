//! The task that `proctor task start` sets: in other work trees of its clone, in other clones, and damaged.

use super::*;
use proctor_kernel::{Action, Status};

const POLICY: &str = "enforcement:\n  todo: {mode: enforce, on_error: block}\n  \
    scope: {mode: enforce, on_error: block, violation_threshold: 1}\n";
const TASK: &str = "Build.\nEXPECTED OUTCOME:\n- Create src/b.txt";

fn at(place: &Place, root: &Path) -> Engine<Hand> {
    let surroundings = Surroundings {
        cwd: root.to_owned(),
        ..place.surroundings()
    };
    Engine::open(surroundings, place.clock.clone())
}

fn said(place: &Place, root: &Path, session: &str, kind: EventKind) -> Answer {
    let mut event = event(None, kind);
    event.session = session.into();
    at(place, root).handle(&event, &())
}

fn scope(answer: &Answer) -> serde_json::Value {
    let report = answer
        .decision
        .reports
        .iter()
        .find(|r| r.gate == "scope")
        .unwrap();
    report.data["unexpected"].clone()
}

#[test]
fn in_another_work_tree_it_begins_with_what_stands_there() {
    let place = Place::new(POLICY);
    place.git(&["checkout", "-q", "-b", "feature"]);
    place.write("feature.txt", "f\n");
    place.git(&["add", "feature.txt"]);
    place.git(&["commit", "-qm", "f"]);
    place.git(&["checkout", "-q", "main"]);
    place.write("dirty.txt", "d\n");
    let other = place.folder.path().join("other");
    place.git(&["worktree", "add", "-q", other.to_str().unwrap(), "feature"]);
    place.engine().start_task(TASK).unwrap();
    for (session, stray) in [("s1", None), ("s2", Some("stray.txt"))] {
        said(&place, &other, session, start(StartSource::Startup));
        said(&place, &other, session, prompt("Go."));
        std::fs::create_dir_all(other.join("src")).unwrap();
        std::fs::write(other.join("src/b.txt"), "b\n").unwrap();
        if let Some(stray) = stray {
            std::fs::write(other.join(stray), "x\n").unwrap();
        }
        let answer = said(&place, &other, session, end("src/b.txt is created."));
        let strays: Vec<&str> = stray.into_iter().collect();
        assert_eq!(scope(&answer), serde_json::json!(strays), "{session}");
    }
    // A session that comes later goes on from where the first one began.
    said(&place, &other, "s3", start(StartSource::Startup));
    said(&place, &other, "s3", prompt("Go on."));
    let answer = said(&place, &other, "s3", end("src/b.txt is created."));
    assert_eq!(scope(&answer), serde_json::json!(["stray.txt"]));
    // Where it was set, it begins with what stood there.
    place.main(start(StartSource::Startup));
    place.main(prompt("Go."));
    place.write("dirty.txt", "e\n");
    assert_eq!(
        scope(&place.main(end("src/b.txt is next."))),
        serde_json::json!(["dirty.txt"])
    );
    assert!(place.engine().finish_task().unwrap().is_some());
    assert!(at(&place, &other).set_task().unwrap().is_none());
}

#[test]
fn a_damaged_one_is_not_no_task() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 3] = [
        ("garbage", |file| std::fs::write(file, "{\"task\"").unwrap()),
        ("empty", |file| std::fs::write(file, "").unwrap()),
        ("a folder", |file| {
            std::fs::remove_file(file).unwrap();
            std::fs::create_dir(file).unwrap();
        }),
    ];
    for (how, damage) in damages {
        let place = Place::new(POLICY);
        place.engine().start_task(TASK).unwrap();
        damage(&find(&place.state_home(), "task.json"));
        place.main(start(StartSource::Startup));
        let told = place.main(prompt("go")).decision.alerts.join("\n");
        assert!(
            told.contains("the task that was set by `proctor task start` cannot be read"),
            "{how}: {told}"
        );
        let answer = place.main(end("I leave it."));
        assert_eq!(answer.decision.action, Action::Block, "{how}");
        let blind = answer
            .decision
            .reports
            .iter()
            .filter(|r| matches!(r.status, Status::CouldNotRun { .. }));
        let blind: Vec<_> = blind.map(|r| r.gate.as_str()).collect();
        assert!(
            blind.contains(&"scope") && blind.contains(&"todo"),
            "{how}: {blind:?}"
        );
        assert!(place.engine().set_task().is_err(), "{how}");
        assert!(place.engine().finish_task().is_err(), "{how}");
        // A conversation with a task of its own needs none.
        place.main(prompt("Other.\nEXPECTED OUTCOME:\n- seed.txt stays"));
        let told = place.main(end("seed.txt stays.")).decision.alerts.join("\n");
        assert!(!told.contains("cannot be read"), "{how}: {told}");
        if how != "a folder" {
            place.engine().start_task(TASK).unwrap();
            assert!(place.engine().set_task().unwrap().is_some(), "{how}");
        }
    }
}

#[test]
fn clones_that_share_a_state_folder_have_tasks_of_their_own() {
    let (one, two) = (Place::new(POLICY), Place::new(POLICY));
    let state = one.folder.path().join("shared");
    let engine = |place: &Place| {
        let surroundings = Surroundings {
            state: Some(state.clone()),
            ..place.surroundings()
        };
        Engine::open(surroundings, one.clock.clone())
    };
    let first = engine(&one).start_task(TASK).unwrap();
    engine(&two).handle(&event(None, start(StartSource::Startup)), &());
    assert!(engine(&two).set_task().unwrap().is_none());
    let second = engine(&two).start_task("Another.").unwrap();
    assert_eq!(engine(&one).set_task().unwrap().map(|t| t.id), Some(first.id));
    assert_eq!(engine(&two).set_task().unwrap().map(|t| t.id), Some(second.id));
    engine(&two).finish_task().unwrap();
    assert!(engine(&one).set_task().unwrap().is_some());
}

#[test]
fn a_policy_file_of_another_name_is_told_of() {
    let place = Place::new("");
    for name in [
        "proctor.yml",
        "local.yml",
        "config.YAML",
        "notes.md",
        "local.yaml",
    ] {
        place.write(&format!(".proctor/{name}"), "preset: strict\n");
    }
    place.main(start(StartSource::Startup));
    let told = place.main(prompt("Hello.")).decision.alerts.join("\n");
    for (name, right) in [
        ("proctor.yml", "proctor.yaml"),
        ("local.yml", "local.yaml"),
        ("config.YAML", "proctor.yaml"),
    ] {
        let line = format!("`{name}` is no policy file: nothing in it has an effect; call it `{right}`");
        assert!(told.contains(&line), "{told}");
    }
    assert!(
        !told.contains("notes.md") && !told.contains("`local.yaml` is no"),
        "{told}"
    );
}
