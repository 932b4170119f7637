//! Broken policy, broken state, failing gates, launched processes.

use super::*;
use proctor_kernel::{Action, Mode};

const EMPTY: &str = "APPROVE - looks good!";

#[test]
fn a_broken_policy_keeps_the_last_good_one_and_tells_the_user_once() {
    let place = Place::new("enforcement: { review: { mode: observe } }\n");
    place.main(prompt("hello"));
    assert_eq!(place.main(end(EMPTY)).decision.action, Action::Allow);
    place.write(".proctor/proctor.yaml", "enforcement: { review: { mode: [\n");
    let told = place.main(prompt("hello"));
    assert!(
        told.decision.alerts.iter().any(|a| a.contains("proctor.yaml")),
        "{:?}",
        told.decision.alerts
    );
    assert!(place.main(prompt("hello")).decision.alerts.is_empty(), "once");
    assert_eq!(
        place.main(end(EMPTY)).decision.action,
        Action::Allow,
        "the last good policy observes"
    );

    let fresh = Place::new("enforcement: { review: { mode: [\n");
    fresh.main(prompt("hello"));
    assert_eq!(
        fresh.main(end(EMPTY)).decision.action,
        Action::Block,
        "without one the built-in policy enforces"
    );
}

#[test]
fn the_master_switch_turns_every_gate_off_but_still_records() {
    let place = Place::new("enforcement: { enabled: false }\n");
    place.sub("a1", EventKind::SubagentStart);
    let answer = place.sub("a1", end(EMPTY));
    assert_eq!(answer.decision.action, Action::Allow);
    assert!(answer.recorded);
    assert!(answer.decision.reports.iter().all(|r| r.mode == Mode::Off));
}

#[test]
fn without_a_usable_state_folder_the_hosts_own_flag_ends_the_loop() {
    let place = Place::new("enforcement: { todo: { mode: enforce } }\n");
    std::fs::write(place.state_home(), "a file stands here").unwrap();
    let first = place.main(end(EMPTY));
    assert_eq!((first.decision.action, first.recorded), (Action::Block, false));
    assert!(!first.decision.alerts.is_empty(), "the user is told");
    let second = place.main(again(EMPTY));
    assert_eq!(second.decision.action, Action::Modify, "no loop without an end");
}

#[test]
fn an_event_that_cannot_be_judged_does_not_cover_up_that_the_state_is_gone() {
    let place = Place::new("");
    place.main(prompt("hello"));
    let noted = place
        .engine()
        .note_unjudged(Some("Stop"), "why", b"{", true)
        .unwrap();
    assert!(noted.is_some());
    assert_eq!(place.engine().unjudged().unwrap().len(), 1);
    std::fs::remove_dir_all(place.state_home()).unwrap();
    let noted = place
        .engine()
        .note_unjudged(Some("Stop"), "why", b"{", true)
        .unwrap();
    assert_eq!(noted, None);
    assert!(
        !place.main(prompt("hello")).decision.alerts.is_empty(),
        "the loss is told"
    );
}

#[test]
fn a_missing_state_folder_is_noticed() {
    let place = Place::new("");
    assert!(place.main(prompt("hello")).decision.alerts.is_empty());
    std::fs::remove_dir_all(place.state_home()).unwrap();
    let answer = place.main(prompt("hello"));
    assert!(
        answer.decision.alerts.iter().any(|a| a.contains("is gone")),
        "{:?}",
        answer.decision.alerts
    );
    assert!(answer.recorded, "and a new one is begun");
}

#[test]
fn a_gate_that_keeps_failing_is_taken_out_of_service_across_processes() {
    let place = Place::new("");
    place.main(prompt("EXPECTED OUTCOME:\n- change src/a.rs\n"));
    // The scope gate asks git; a repository whose index is a folder makes git fail.
    let index = place.root().join(".git/index");
    std::fs::remove_file(&index).unwrap();
    std::fs::create_dir(&index).unwrap();
    for round in 1..=3 {
        let answer = place.main(end("Working."));
        let alerts = answer.decision.alerts.join("\n");
        assert!(alerts.contains("could not run"), "{alerts}");
        assert_eq!(alerts.contains("out of service"), round == 3, "{alerts}");
    }
    let degraded = place.main(end("Working."));
    assert!(
        degraded
            .decision
            .notes
            .iter()
            .any(|n| n.text.starts_with("[scope gate out of service]"))
    );
    // The user hears that it did not look and why, each time, and not what it asks of the agent.
    for answer in [&degraded, &place.main(end("Working."))] {
        let alerts = answer.decision.alerts.join("\n");
        assert_eq!(
            alerts.matches("UNREVIEWED by the gate `scope`").count(),
            1,
            "{alerts}"
        );
        assert!(
            alerts.contains("its breaker is open") && alerts.contains("index"),
            "{alerts}"
        );
        assert!(!alerts.contains("[scope gate out of service]"), "{alerts}");
        assert!(!answer.decision.escalated, "on_error: allow");
    }
    std::fs::remove_dir(&index).unwrap();
    place.git(&["reset", "-q"]);
    place.clock.now.set(crate::breaker::COOL_DOWN_MS + 1);
    let back = place.main(end("Working."));
    assert!(
        back.decision.alerts.iter().any(|a| a.contains("works again")),
        "{:?}",
        back.decision.alerts
    );
    assert_eq!(place.engine().breakers().failing().count(), 0);
}

/// Takes a gate out of service, as another session's failures would.
fn out_of_service(place: &Place, gate: &str) {
    let failed = [proctor_kernel::GateReport {
        gate: gate.into(),
        band: proctor_kernel::Band::Enforcement,
        mode: Mode::Enforce,
        status: proctor_kernel::Status::CouldNotRun {
            why: "it broke".into(),
        },
        verdict: proctor_kernel::Verdict::Pass,
        findings: Vec::new(),
        data: serde_json::Value::Null,
        micros: 1,
    }];
    let engine = place.engine();
    for _ in 0..crate::breaker::FAILURES {
        let observe = |b: &mut crate::breaker::Breakers| b.observe(&failed, place.clock.now()).1;
        assert!(
            engine
                .store()
                .unwrap()
                .update_json(crate::engine::BREAKERS, observe)
                .unwrap()
        );
    }
}

#[test]
fn the_user_hears_once_a_turn_that_a_gate_of_tool_calls_did_not_look() {
    let place = Place::new("");
    place.main(prompt("hello"));
    out_of_service(&place, "loop");
    let uses = |id: &str| {
        let call = call(id, ToolKind::Other, "");
        let asked = place.main(EventKind::ToolCall { call: call.clone() });
        let told = place.main(EventKind::ToolResult {
            call,
            outcome: done(),
        });
        [asked.decision.alerts, told.decision.alerts].concat().join("\n")
    };
    let first = uses("1") + &uses("2");
    assert_eq!(
        first.matches("UNREVIEWED by the gate `loop`").count(),
        1,
        "{first}"
    );
    assert!(first.contains("it broke"), "{first}");
    assert_eq!(uses("3"), "", "once a turn");
    place.main(prompt("go on"));
    assert!(uses("4").contains("UNREVIEWED by the gate `loop`"), "each turn");
}

#[test]
fn a_turn_that_ends_without_a_gate_that_fails_closed_is_not_said_to_have_reached_a_limit() {
    let place = Place::new("");
    place.main(prompt("hello"));
    out_of_service(&place, "review");
    let answer = place.main(end("APPROVE"));
    let alerts = answer.decision.alerts.join("\n");
    assert!(answer.decision.escalated, "{alerts}");
    assert!(
        alerts.contains("UNREVIEWED: let go without a check that could not run (review)"),
        "{alerts}"
    );
    assert!(!alerts.contains("limit"), "{alerts}");
    let kept = place.engine().reviews().unwrap();
    let why = kept
        .escalations
        .iter()
        .map(|e| e.why.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    assert!(why.contains("could not run: review"), "{why}");
}

#[test]
fn a_process_that_proctor_launched_is_not_judged_twice_and_a_forged_launch_is() {
    let place = Place::new("");
    let id = place.engine().launch("review").unwrap();
    let launched = |id: &str, session: &str| {
        let surroundings = Surroundings {
            launch: Some(id.into()),
            ..place.surroundings()
        };
        let event = Event {
            session: session.into(),
            ..event(None, end(EMPTY))
        };
        Engine::open(surroundings, place.clock.clone())
            .handle(&event, &())
            .decision
            .action
    };
    assert_eq!(launched(&id, "s7"), Action::Allow);
    assert_eq!(launched(&id, "s7"), Action::Allow);
    assert_eq!(
        launched(&id, "s8"),
        Action::Block,
        "single use: it belongs to the first session"
    );
    assert_eq!(launched("00000000000000000000000000", "s9"), Action::Block);
    assert_eq!(launched("../../etc/passwd", "s10"), Action::Block);
}

#[test]
fn a_launch_ends_with_who_started_it() {
    use crate::Processes;
    use proctor_kernel::Running;
    let place = Place::new("");
    let with = |pid: u32, launch: Option<String>| Surroundings {
        launch,
        processes: Some(Processes {
            own: match pid {
                1 => || Some(process(1)),
                _ => || Some(process(2)),
            },
            runs: |process| Some(process.pid == 1),
        }),
        ..place.surroundings()
    };
    fn process(pid: u32) -> Running {
        Running {
            pid,
            started: 1,
            within: "here".into(),
        }
    }
    for (pid, expected) in [(1, Action::Allow), (2, Action::Block)] {
        let id = Engine::open(with(pid, None), place.clock.clone())
            .launch("review")
            .unwrap();
        let answer =
            Engine::open(with(pid, Some(id)), place.clock.clone()).handle(&event(None, end(EMPTY)), &());
        assert_eq!(answer.decision.action, expected, "{pid}");
    }
}

#[test]
fn figures_and_explanations_come_from_the_records() {
    let place = Place::new("");
    place.sub("a1", EventKind::SubagentStart);
    let blocked = place.sub("a1", end(EMPTY));
    place.sub("a1", end("src/a.rs:4 returns early."));
    let mut collector = crate::stats::Collector::default();
    place
        .engine()
        .each_decision(|id, _, record| collector.add(id, &record))
        .unwrap();
    let stats = collector.finish(
        &proctor_policy::Settings::default().response,
        &[("review".to_owned(), blocked.id.to_string())],
    );
    let review = &stats.reported[0];
    assert_eq!(
        (
            review.gate.as_str(),
            review.objected,
            review.reported,
            review.rate
        ),
        ("review", 1, 1, Some(1.0))
    );
    let agent = stats.agents.iter().find(|a| a.agent == "general").unwrap();
    assert_eq!((agent.events, agent.rejected, agent.retries), (3, 1, 1));
    let review = stats.gates.iter().find(|r| r.gate == "review").unwrap();
    assert_eq!(
        (review.decided, review.passed, review.objected, review.rejected),
        (2, 1, 1, 1)
    );
    assert_eq!(review.pass_rate, Some(0.5));

    let tail: String = blocked.id.as_str().chars().skip(18).collect();
    let (id, _, record) = place.engine().decision(&tail).unwrap();
    let text = crate::explain::explain(&id, "now", &record);
    for part in [
        "answer    block",
        "review (band 20, mode enforce",
        "review/no_evidence",
        "told the agent:",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(place.engine().decision("ZZZZZZ").is_err());
}

#[test]
fn walking_to_another_folder_changes_neither_policy_nor_memory() {
    let place = Place::new("enforcement: { todo: { mode: enforce } }\n");
    place.write("sub/.proctor/proctor.yaml", "enforcement: { enabled: false }\n");
    let sub = place.root().join("sub");
    let init = proctor_worktree::Command::new("git")
        .args(["init", "-q"])
        .cwd(&sub)
        .run()
        .unwrap();
    assert!(init.is_success());
    let at = |cwd: &Path, kind| {
        let event = Event {
            cwd: cwd.display().to_string(),
            ..event(None, kind)
        };
        let mut surroundings = place.surroundings();
        (surroundings.cwd, surroundings.root) = crate::pinned(&surroundings, &event);
        Engine::open(surroundings, place.clock.clone())
            .handle(&event, &())
            .decision
            .action
    };
    at(&place.root(), start(StartSource::Startup));
    at(&place.root(), prompt("EXPECTED OUTCOME:\n- write src/a.rs\n"));
    for folder in [sub.as_path(), Path::new("/tmp"), Path::new("/no/such/folder")] {
        assert_eq!(at(folder, end("Working.")), Action::Block, "{}", folder.display());
    }
    assert_eq!(at(&sub, start(StartSource::Clear)), Action::Allow);
    assert_eq!(
        at(&sub, end(EMPTY)),
        Action::Allow,
        "a session that begins there belongs there"
    );
}

#[test]
fn what_is_not_known_any_more_is_could_not_run_and_not_a_pass() {
    let place =
        Place::new("enforcement: { todo: { mode: enforce, on_error: block }, scope: { mode: enforce } }\n");
    place.main(prompt("EXPECTED OUTCOME:\n- write src/a.rs\n"));
    assert_eq!(place.main(end("Working.")).decision.action, Action::Block);
    std::fs::remove_dir_all(place.state_home()).unwrap();
    let lost = place.main(end("Working."));
    assert_eq!(lost.decision.action, Action::Block);
    assert!(
        lost.decision.reason.contains("nothing is known"),
        "{}",
        lost.decision.reason
    );
    let scope = lost.decision.reports.iter().find(|r| r.gate == "scope").unwrap();
    assert!(matches!(scope.status, proctor_kernel::Status::CouldNotRun { .. }));
    assert_eq!(
        place.engine().breakers().failing().count(),
        0,
        "a lost memory is no fault of the gate"
    );
}

#[test]
fn looking_at_a_fresh_clone_leaves_no_trace() {
    let place = Place::new("");
    assert!(place.engine().each_decision(|_, _, _| {}).is_ok());
    assert!(place.main(prompt("hello")).decision.alerts.is_empty());
}

#[test]
fn first_hooks_at_once_agree_on_one_state_folder() {
    let place = Place::new("");
    let threads: Vec<_> = (0..12)
        .map(|i| {
            let surroundings = place.surroundings();
            std::thread::spawn(move || {
                let event = Event {
                    session: format!("s{i}"),
                    ..event(None, prompt("hello"))
                };
                let answer = Engine::open(surroundings, crate::SystemClock::new()).handle(&event, &());
                (answer.recorded, answer.decision.alerts)
            })
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), (true, vec![]));
    }
    assert_eq!(place.engine().sessions().unwrap().len(), 12);
}

#[test]
fn what_is_the_clones_own_is_no_session() {
    let place = Place::new("");
    place.main(prompt("Fix the parser."));
    for name in [
        crate::review::JOURNAL,
        crate::runs::CHECKS,
        crate::verify::STATEMENTS,
        crate::left::JOURNAL,
    ] {
        let engine = place.engine();
        let mut journal: proctor_ledger::Journal<crate::session::SessionState> =
            engine.store().unwrap().journal(name).unwrap();
        let draft = proctor_ledger::Draft::new(engine.stamp(), "test", &()).unwrap();
        journal
            .commit(vec![draft], proctor_ledger::Durability::Buffered)
            .unwrap();
    }
    let sessions = place.engine().sessions().unwrap();
    let names: Vec<&str> = sessions.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["test-s1"]);
    // The latest one is meant where none is named, whatever was written last.
    let review = place.engine().request_review(None).unwrap();
    assert_eq!(review.session, "test-s1");
}

#[test]
fn a_policy_that_becomes_looser_is_told() {
    let place = Place::new("enforcement: { todo: { mode: enforce } }\n");
    place.main(prompt("hello"));
    place.write(".proctor/proctor.yaml", "enforcement: { todo: { mode: off } }\n");
    // Already where the turn ends in which it happened.
    let told = place.main(end("It is done.")).decision.alerts;
    let words = "the policy became looser in this turn: ";
    assert!(told.iter().any(|a| a.contains(words)), "{told:?}");
    let told = place.main(prompt("hello"));
    assert!(
        told.decision.alerts.iter().any(|a| a.contains("looser")),
        "{:?}",
        told.decision.alerts
    );
    assert!(place.main(prompt("hello")).decision.alerts.is_empty(), "once");
}

#[test]
fn an_event_that_is_not_recorded_since_somebody_else_writes_is_told_at_once() {
    let place = Place::new("");
    place.main(prompt("hello"));
    let used = |id: &str| EventKind::ToolResult {
        call: call(id, ToolKind::Read, "seed.txt"),
        outcome: done(),
    };
    assert!(place.main(used("t1")).decision.alerts.is_empty());
    let lock = std::fs::File::open(find(&place.state_home(), "lock")).unwrap();
    lock.lock().unwrap();
    let missed = place.main(used("t2"));
    assert_eq!((missed.decision.action, missed.recorded), (Action::Allow, false));
    let told = missed.decision.alerts.join("\n");
    assert!(
        told.contains("not on record") && told.contains("locked by another process"),
        "{told}"
    );
    drop(lock);
    let next = place.main(used("t3"));
    assert!(
        next.recorded && next.decision.alerts.is_empty(),
        "{:?}",
        next.decision.alerts
    );
}
