//! Logs of sessions that were cut or overwritten: gates that need what they held could not run until a new task begins,
//! and the loss stays on record.

use super::*;
use crate::review::{Party, PartyKind, Release};
use proctor_kernel::{Action, Status};

const POLICY: &str = "enforcement:\n  todo: {mode: enforce, on_error: block}\n  \
    scope: {mode: enforce, on_error: block, violation_threshold: 1}\n";
const TASK: &str = "Make it.\nEXPECTED OUTCOME:\n- src/b.py\n";

/// A way to lose records: given the session's log and its snapshot.
type Way = fn(&Path, &Path);

const WAYS: [(&str, Way); 7] = [
    ("all but the first record", |log, _| {
        keep(log, |lines| lines.truncate(1))
    }),
    ("the last record", |log, _| {
        keep(log, |lines| {
            lines.pop();
        })
    }),
    ("a record in the middle", |log, _| {
        keep(log, |lines| {
            lines.remove(1);
        })
    }),
    ("a record in the middle, and the snapshot", |log, snapshot| {
        keep(log, |lines| {
            lines.remove(1);
        });
        std::fs::remove_file(snapshot).unwrap();
    }),
    ("all of them overwritten", |log, _| {
        std::fs::write(log, "garbage\n".repeat(3)).unwrap();
    }),
    (
        "all of them overwritten, and the snapshot removed",
        |log, snapshot| {
            std::fs::write(log, "garbage\n".repeat(3)).unwrap();
            std::fs::remove_file(snapshot).unwrap();
        },
    ),
    ("the log removed", |log, _| {
        std::fs::remove_dir_all(log.parent().unwrap()).unwrap();
    }),
];

fn keep(log: &Path, change: fn(&mut Vec<&str>)) {
    let text = std::fs::read_to_string(log).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    change(&mut lines);
    std::fs::write(log, lines.join("\n") + "\n").unwrap();
}

/// A session whose agent left its task and wrote a file outside it.
fn at_work() -> Place {
    let place = Place::new(POLICY);
    place.main(start(StartSource::Startup));
    place.main(prompt(TASK));
    place.main(EventKind::ToolCall {
        call: call("w", ToolKind::Write, "evil.py"),
    });
    place.write("evil.py", "x\n");
    place.main(EventKind::ToolResult {
        call: call("w", ToolKind::Write, "evil.py"),
        outcome: done(),
    });
    assert_eq!(place.main(end("I looked around.")).decision.action, Action::Block);
    place
}

fn lose(place: &Place, way: Way) {
    let root = place.engine().store().unwrap().root().to_owned();
    way(
        &root.join("log/test-s1/000001.jsonl"),
        &root.join("sessions/test-s1.json"),
    );
}

/// Which gates could not run.
fn could_not_run(answer: &Answer) -> Vec<&str> {
    let reports = answer.decision.reports.iter();
    reports
        .filter(|r| matches!(r.status, Status::CouldNotRun { .. }))
        .map(|r| r.gate.as_str())
        .collect()
}

/// What `fsck` says of lost records, by the codes of its findings that are no notes.
fn told(place: &Place) -> Vec<&'static str> {
    let report = place.engine().fsck(false).unwrap();
    let grave = report.findings.iter();
    grave
        .filter(|f| f.grade > proctor_ledger::Grade::Note)
        .map(|f| f.code)
        .collect()
}

#[test]
fn what_is_lost_is_not_passed_until_a_new_task_begins_and_stays_on_record() {
    for (how, way) in WAYS {
        let place = at_work();
        assert_eq!(told(&place), Vec::<&str>::new(), "{how}");
        lose(&place, way);
        assert!(!told(&place).is_empty(), "{how}");
        place.engine().fsck(true).unwrap();

        // The first event after it, those that follow, and what a person says to go on with.
        let first = place.main(end("I looked around."));
        assert_eq!(could_not_run(&first), ["scope", "todo"], "{how}");
        assert_eq!(first.decision.action, Action::Block, "{how}");
        let alerts = first.decision.alerts.join("\n");
        // Of a log that is gone as a whole nothing is left to go by but its snapshot.
        assert!(alerts.contains("proctor task start"), "{how}: {alerts}");
        place.main(prompt("Go on."));
        for _ in 0..2 {
            let next = place.main(end("I looked around."));
            assert_eq!(could_not_run(&next), ["scope", "todo"], "{how}");
        }
        assert!(
            told(&place).contains(&"records_lost"),
            "{how}: {:?}",
            told(&place)
        );

        // Whoever begins a task anew is judged by it; the loss stays on record, also without the snapshot.
        place.main(prompt(TASK));
        let judged = place.main(end("I looked around."));
        assert_eq!(could_not_run(&judged), Vec::<&str>::new(), "{how}");
        assert_eq!(judged.decision.action, Action::Block, "{how}");
        assert!(judged.decision.reason.contains("Remaining: 1 items"), "{how}");
        std::fs::remove_file(find(&place.state_home(), "test-s1.json")).unwrap();
        let again = place.main(end("src/b.py: DONE."));
        assert_eq!(could_not_run(&again), Vec::<&str>::new(), "{how}");
        assert_eq!(
            again.decision.action,
            Action::Allow,
            "{how}: {}",
            again.decision.reason
        );
        let lost = told(&place).iter().filter(|c| **c == "records_lost").count();
        assert_eq!(lost, 1, "{how}: {:?}", told(&place));
    }
}

#[test]
fn nobody_is_held_for_good_by_a_loss() {
    // Blocked ends have their limit, and what they let go is unreviewed.
    let place = at_work();
    lose(&place, WAYS[0].1);
    let ends: Vec<_> = (0..12)
        .map(|_| place.main(end("I looked around.")).decision)
        .collect();
    let let_go = ends.iter().position(|d| d.action == Action::Allow).unwrap();
    assert!(let_go < 7 && ends[let_go].escalated, "{let_go}");

    // A human's release of this tree.
    let place = at_work();
    lose(&place, WAYS[0].1);
    assert_eq!(place.main(end("I looked around.")).decision.action, Action::Block);
    let mut engine = place.engine();
    let release = Release {
        by: Party {
            kind: PartyKind::Human,
            ..Party::default()
        },
        reason: "seen".into(),
        tree: engine.tree().unwrap(),
        session: None,
        at: 0,
        until: u64::MAX,
        policy: None,
        record: None,
        signature: None,
    };
    engine.release(release, None).unwrap();
    let released = place.main(end("I looked around.")).decision;
    assert_eq!((released.action, released.escalated), (Action::Allow, false));

    // A task that is set by command, a session that begins, and files that a prompt names.
    let opens: [fn(&Place); 3] = [
        |place| {
            place.engine().start_task(TASK).unwrap();
            place.main(prompt("Go on."));
        },
        |place| drop(place.main(start(StartSource::Clear))),
        |place| drop(place.main(prompt("Change only src/b.py."))),
    ];
    for (n, open) in opens.into_iter().enumerate() {
        let place = at_work();
        lose(&place, WAYS[0].1);
        place.main(end("I looked around."));
        open(&place);
        assert_eq!(
            could_not_run(&place.main(end("I looked around."))),
            Vec::<&str>::new(),
            "{n}"
        );
    }
}

#[test]
fn a_loss_is_kept_whoever_writes_next() {
    let place = at_work();
    place.engine().start_task(TASK).unwrap();
    place.main(prompt("Go on."));
    place.main(end("I looked around."));
    lose(&place, |log, _| {
        keep(log, |lines| {
            lines.pop();
        })
    });
    // A command, not a hook: its snapshot would cover the loss.
    place.engine().finish_task().unwrap().unwrap();
    assert!(told(&place).contains(&"records_lost"), "{:?}", told(&place));
    assert_eq!(
        could_not_run(&place.main(end("I looked around."))),
        ["scope", "todo"]
    );

    // A hook that had opened the log before it was cut.
    let place = at_work();
    let store = place.engine().store().unwrap().root().to_owned();
    struct Cuts(PathBuf);
    impl crate::Aside for Cuts {
        fn about_to_record(&self) {
            keep(&self.0, |lines| lines.truncate(1));
        }
    }
    let cuts = Cuts(store.join("log/test-s1/000001.jsonl"));
    place
        .engine()
        .handle(&event(None, end("I looked around.")), &cuts);
    assert!(told(&place).contains(&"records_lost"), "{:?}", told(&place));
    assert_eq!(
        could_not_run(&place.main(end("I looked around."))),
        ["scope", "todo"]
    );
}

#[test]
fn subagents_from_before_a_loss_are_not_known_and_later_ones_are() {
    let place = at_work();
    place.main(EventKind::ToolCall {
        call: delegating("t1", TASK),
    });
    place.sub("old", EventKind::SubagentStart);
    place.main(EventKind::Compaction);
    lose(&place, |log, _| {
        keep(log, |lines| {
            lines.pop();
        })
    });
    let old = place.sub("old", end("src/seed.rs holds 3 functions."));
    assert_eq!(could_not_run(&old), ["scope", "todo"]);
    place.main(EventKind::ToolCall {
        call: delegating("t2", TASK),
    });
    place.sub("new", EventKind::SubagentStart);
    let new = place.sub("new", end("src/seed.rs holds 3 functions."));
    assert_eq!(could_not_run(&new), Vec::<&str>::new());
    assert_eq!(new.decision.action, Action::Block);
}

#[test]
fn a_session_whose_folder_is_gone_does_not_begin_its_task_by_going_on() {
    let place = at_work();
    std::fs::remove_dir_all(place.engine().store().unwrap().root()).unwrap();
    let told_user = place.main(prompt("Go on.")).decision.alerts.join("\n");
    assert!(told_user.contains("is gone"), "{told_user}");
    let next = place.main(end("I looked around."));
    assert_eq!(could_not_run(&next), ["scope", "todo"]);
    let report = place.engine().fsck(false).unwrap();
    assert!(
        report.findings.iter().any(|f| f.code == "state_replaced"),
        "{report:#?}"
    );
    // Another session that began before it; one that begins has lost nothing.
    let of = |session: &str, kind| Event {
        session: session.to_owned(),
        ..event(None, kind)
    };
    place.handle(&of("s2", prompt("Go on.")));
    assert_eq!(
        could_not_run(&place.handle(&of("s2", end("Looked.")))),
        ["scope", "todo"]
    );
    place.handle(&of("s3", start(StartSource::Startup)));
    place.handle(&of("s3", prompt("Look at the parser.")));
    assert_eq!(
        could_not_run(&place.handle(&of("s3", end("Looked.")))),
        Vec::<&str>::new()
    );
}

#[test]
fn a_folder_that_was_named_from_outside_is_missed_too() {
    let place = Place::new(POLICY);
    let named = |name: &str| Surroundings {
        state: Some(place.folder.path().join(name)),
        ..place.surroundings()
    };
    let handle =
        |name: &str, kind| Engine::open(named(name), place.clock.clone()).handle(&event(None, kind), &());
    handle("one", prompt(TASK));
    std::fs::remove_dir_all(place.folder.path().join("one")).unwrap();
    let told = handle("one", prompt("Go on.")).decision.alerts.join("\n");
    assert!(told.contains("is gone although this clone had one"), "{told}");
    assert_eq!(could_not_run(&handle("one", end("Looked."))), ["scope", "todo"]);
    // Another folder was never there.
    let told = handle("two", prompt(TASK)).decision.alerts;
    assert_eq!(told, Vec::<String>::new());
    assert_eq!(could_not_run(&handle("two", end("Looked."))), Vec::<&str>::new());
}

/// A fork has another id than the session that it goes on from, and the host does not tell which that was.
#[test]
fn a_session_that_goes_on_from_another_is_not_one_without_a_task() {
    for source in [StartSource::Fork, StartSource::Resume] {
        let place = at_work();
        let in_fork = |kind| {
            let mut event = event(None, kind);
            event.session = "s2".into();
            place.handle(&event)
        };
        in_fork(start(source));
        let told = in_fork(prompt("go on")).decision.alerts.join("\n");
        assert!(
            told.contains("this session goes on from one that is not recorded"),
            "{told}"
        );
        assert!(!told.contains("removed or rewritten"), "{told}");
        let answer = in_fork(end("I leave it at that."));
        assert_eq!(answer.decision.action, Action::Block, "{source:?}");
        let unread = |r: &&proctor_kernel::GateReport| matches!(r.status, Status::CouldNotRun { .. });
        let blind: Vec<_> = answer
            .decision
            .reports
            .iter()
            .filter(unread)
            .map(|r| r.gate.as_str())
            .collect();
        assert!(blind.contains(&"scope") && blind.contains(&"todo"), "{blind:?}");
        // The task is given again.
        in_fork(prompt(TASK));
        let answer = in_fork(end("src/b.py is next."));
        assert!(!answer.decision.reports.iter().any(|r| unread(&r)), "{answer:?}");
    }
}
