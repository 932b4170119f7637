//! Commands that verify nothing, as facts.

use super::*;
use crate::aside::{Aside, Ended};
use crate::session::{Change, Facts};
use proctor_kernel::{CommandRun, ExitSource, Mask};

fn shell(id: &str, line: &str) -> ToolCall {
    ToolCall {
        id: Some(id.into()),
        command: Some(line.into()),
        ..ToolCall::new("Bash", ToolKind::Shell)
    }
}

fn outcome(exit: i32, output: &str) -> ToolOutcome {
    ToolOutcome {
        ok: Some(exit == 0),
        exit: Some(exit),
        exit_source: ExitSource::HostEvent,
        output: Some(output.into()),
        millis: Some(12),
        ..ToolOutcome::default()
    }
}

fn ran(place: &Place, id: &str, line: &str, outcome: ToolOutcome) -> Answer {
    let call = shell(id, line);
    place.main(EventKind::ToolCall { call: call.clone() });
    place.main(EventKind::ToolResult { call, outcome })
}

fn facts(place: &Place) -> Facts {
    let sessions = place.engine().sessions().unwrap();
    sessions.into_iter().next().unwrap().1.facts
}

/// The changes that the record of an event holds.
fn changes(place: &Place, answer: &Answer) -> Vec<Change> {
    let engine = place.engine();
    let (_, _, record) = engine.decision(answer.id.as_str()).unwrap();
    record.changes
}

#[test]
fn every_command_leaves_what_was_run_where_and_how_it_ended() {
    let place = Place::new("");
    place.main(prompt("Look around."));
    for (line, exit, argv, masks) in [
        ("ls -la /etc", 2, "ls -la /etc", vec![]),
        (
            "python3 gen.py --all 'a b'",
            0,
            "python3 gen.py --all a b",
            vec![],
        ),
        (
            "cd src && python3 gen.py | tail -5",
            0,
            "tail -5",
            vec![Mask::Pipe],
        ),
        ("a; b", 0, "b", vec![Mask::Then]),
        ("set -eo pipefail; a | b; c", 0, "c", vec![]),
        ("false || true", 0, "true", vec![Mask::Or]),
        ("sleep 9 & ls", 0, "ls", vec![Mask::Background]),
        (
            "for f in *; do sed -i s/a/b/ $f; done",
            0,
            "sed -i s/a/b/ $f",
            vec![Mask::Control],
        ),
        ("echo 'unclosed", 1, "echo unclosed", vec![Mask::Unanalysable]),
    ] {
        let answer = ran(&place, line, line, outcome(exit, "out"));
        let found = changes(&place, &answer)
            .into_iter()
            .find_map(|change| match change {
                Change::Ran { run, call, agent } => Some((*run, call, agent)),
                _ => None,
            });
        let (run, call, agent) = found.expect(line);
        assert_eq!(
            (run.line.as_str(), call.as_deref(), agent.as_str()),
            (line, Some(line), "")
        );
        assert_eq!(run.argv.join(" "), argv, "{line}");
        assert_eq!(run.masks, masks, "{line}");
        assert_eq!((run.exit, run.exit_source), (Some(exit), ExitSource::HostEvent));
        assert_eq!((run.millis, run.output), (Some(12), Some(Digest::of(b"out"))));
    }
    let last = facts(&place).ran.pop().unwrap();
    assert_eq!(last.in_words(), "`echo 'unclosed`: exit 1, not of all of it");
}

#[test]
fn what_is_kept_is_bounded_and_has_no_secrets() {
    let place = Place::new("");
    place.main(prompt("Look around."));
    let long = format!("curl -H 'Authorization: Bearer abcdef' {} 끝", "한".repeat(9_000));
    let answer = ran(&place, "c", &long, outcome(0, ""));
    let json = serde_json::to_string(&changes(&place, &answer)).unwrap();
    assert!(
        !json.contains("abcdef") && json.contains("Authorization: ***"),
        "{json}"
    );
    assert!(json.len() < 2_000, "{}", json.len());
    // A check is noted by the same rules.
    let check = "TOKEN=hunter2 cargo test -- --password hunter2";
    let answer = ran(&place, "t", check, outcome(0, ""));
    let json = serde_json::to_string(&changes(&place, &answer)).unwrap();
    assert!(
        !json.contains("hunter2") && json.contains("\"argv\":[\"cargo\",\"test\""),
        "{json}"
    );
    for i in 0..100 {
        ran(&place, &format!("i{i}"), "ls -la", outcome(0, ""));
    }
    let facts = facts(&place);
    assert_eq!((facts.ran.len(), facts.commands), (12, 101));
    assert!(facts.ran.iter().all(|ran| ran.run.argv.is_empty()));
}

#[test]
fn the_end_of_a_command_in_the_background_is_added() {
    struct Told;
    impl Aside for Told {
        fn ended(&self) -> Vec<Ended> {
            vec![Ended {
                call: "b1".into(),
                exit: Some(3),
                output: Some("gone".into()),
            }]
        }
    }
    let place = Place::new("");
    place.main(prompt("Serve it."));
    let behind = ToolOutcome {
        background: true,
        ..ToolOutcome::default()
    };
    ran(&place, "b1", "npm run serve", behind);
    assert_eq!(
        facts(&place).ran[0].in_words(),
        "`npm run serve`: in the background"
    );
    let event = event(None, notification("<task-notification>x</task-notification>"));
    place.engine().handle(&event, &Told);
    let facts = facts(&place);
    assert_eq!(facts.ran.len(), 1);
    let run = &facts.ran[0].run;
    assert_eq!((run.exit, run.exit_source), (Some(3), ExitSource::HostText));
    assert_eq!(run.output, Some(Digest::of(b"gone")));
}

#[test]
fn records_of_before_are_read() {
    let run: CommandRun = serde_json::from_str(r#"{"line":"ls","exit_source":"unknown"}"#).unwrap();
    assert_eq!((run.line.as_str(), run.exit), ("ls", None));
    let facts: Facts = serde_json::from_str(r#"{"writes":2}"#).unwrap();
    assert_eq!((facts.ran.len(), facts.writes), (0, 2));
}

/// The clock of the files.
fn at_this_moment(place: &Place) {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let now = u64::try_from(now.as_millis()).unwrap();
    place.clock.now.set(now - 1_700_000_000_000);
}

/// A command that is followed by its end, with what happens meanwhile. What was changed before is a while ago.
fn ran_while(place: &Place, agent: Option<&str>, line: &str, meanwhile: impl FnOnce()) -> Answer {
    std::thread::sleep(std::time::Duration::from_millis(40));
    let call = shell(line, line);
    at_this_moment(place);
    place.handle(&event(agent, EventKind::ToolCall { call: call.clone() }));
    meanwhile();
    at_this_moment(place);
    let outcome = outcome(0, "");
    place.handle(&event(agent, EventKind::ToolResult { call, outcome }))
}

/// What of a record is the work of a command: the agent, and the paths in one line.
fn by_command(place: &Place, answer: &Answer) -> Vec<(String, String)> {
    let changes = changes(place, answer);
    let wrote = changes.into_iter().filter_map(|change| match change {
        Change::Wrote {
            agent,
            paths,
            by: Some(_),
        } => Some((agent, paths.join(" "))),
        _ => None,
    });
    wrote.collect()
}

#[test]
fn what_a_command_changes_below_proctor_outdates_what_was_checked() {
    let place = Place::new("version: 1\n");
    place.write(".proctor/impl.py", "a\n");
    at_this_moment(&place);
    place.main(prompt("Change it."));
    let write = |file: &str| place.write(&format!(".proctor/{file}"), "b\n");
    let ran = |line: &str, file: &str| ran_while(&place, None, line, || write(file));
    let latest = || facts(&place).unseen.last().map_or(0, |edit| edit.at);
    ran("sed -i s/a/b/ .proctor/proctor.yaml", "proctor.yaml");
    assert!(facts(&place).unseen.is_empty(), "policy is none");
    ran("sed -i s/a/b/ .proctor/impl.py", "impl.py");
    assert_eq!(facts(&place).unseen[0].path, ".proctor/impl.py");
    // Before the check, in one line with it, and behind it.
    let outdated = || facts(&place).runs.last().unwrap().began <= latest();
    let before = latest();
    ran("sed -i s/a/b/ .proctor/impl.py && cargo test", "impl.py");
    assert!(latest() > before && !outdated());
    ran("cargo test; sed -i s/a/b/ .proctor/impl.py", "impl.py");
    assert!(outdated());
    // A check by itself leaves caches at most, and a command that only reads changes nothing.
    ran("cargo test", "impl.py");
    ran("cat .proctor/impl.py", "impl.py");
    assert!(!outdated());
}

#[test]
fn files_that_change_while_a_command_runs_are_its_agents_work() {
    let place = Place::new("");
    std::fs::create_dir_all(place.root().join("src")).unwrap();
    place.write("src/a.rs", "a\n");
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "a"]);
    place.main(prompt("Change it."));
    let write = |path: &str, text: &str| place.write(path, text);
    let stage = || place.git(&["add", "-A"]);
    type Step<'s> = (&'s str, &'s dyn Fn(), &'s str);
    let steps: [Step<'_>; 11] = [
        ("sed -i s/a/b/ src/a.rs", &|| write("src/a.rs", "b\n"), "src/a.rs"),
        ("echo x | tee out.txt", &|| write("out.txt", "x\n"), "out.txt"),
        (
            "python3 gen.py",
            &|| (1..=3).for_each(|i| write(&format!("gen/{i}.rs"), "g\n")),
            "gen/1.rs gen/2.rs gen/3.rs",
        ),
        (
            "sed -i s/b/c/ src/a.rs && git add -A",
            &|| {
                write("src/a.rs", "c\n");
                stage()
            },
            "src/a.rs",
        ),
        // A name that is new, and one that is gone: what is gone tells no time.
        (
            "mv out.txt new.txt",
            &|| std::fs::rename(place.root().join("out.txt"), place.root().join("new.txt")).unwrap(),
            "new.txt",
        ),
        ("git commit -qm x", &|| place.git(&["commit", "-qm", "x"]), ""),
        ("touch src/a.rs", &|| write("src/a.rs", "c\n"), ""),
        // What only reads has changed nothing, whatever changes meanwhile.
        ("cat src/a.rs", &|| write("src/a.rs", "the user's\n"), ""),
        (
            "git checkout -q src/a.rs",
            &|| place.git(&["checkout", "-q", "src/a.rs"]),
            "",
        ),
        (
            "mkdir -p empty",
            &|| std::fs::create_dir_all(place.root().join("empty")).unwrap(),
            "",
        ),
        (
            "sh ./new.sh",
            &|| write(".proctor/local.yaml", "version: 1\n"),
            "",
        ),
    ];
    for (line, step, expected) in steps {
        let answer = ran_while(&place, None, line, step);
        let found = by_command(&place, &answer);
        let expected: Vec<_> = Some((String::new(), expected.to_owned()))
            .filter(|e| !e.1.is_empty())
            .into_iter()
            .collect();
        assert_eq!(found, expected, "{line}");
    }
    let facts = facts(&place);
    assert!(facts.under_way.is_empty() && facts.named.is_empty(), "{facts:?}");
    assert_eq!(facts.edited.last().map(String::as_str), Some("new.txt"));
    let words: Vec<String> = facts.ran.iter().map(|ran| ran.in_words()).collect();
    assert_eq!(words[0], "`sed -i s/a/b/ src/a.rs`: exit 0; changed src/a.rs");
    // Files that changed are looked at where their clock is another one, too: then nothing is told.
    place.clock.now.set(0);
    let answer = ran(&place, "late", "python3 gen.py", outcome(0, ""));
    assert_eq!(by_command(&place, &answer), []);
}

#[test]
fn a_long_list_of_files_is_cut() {
    let place = Place::new("");
    place.main(prompt("Generate it."));
    let answer = ran_while(&place, None, "python3 gen.py", || {
        (0..70).for_each(|i| place.write(&format!("gen/{i:02}.rs"), "g\n"));
    });
    let (_, paths) = by_command(&place, &answer).pop().unwrap();
    assert_eq!(paths.split(' ').count(), 64);
    let last = facts(&place).ran.pop().unwrap();
    assert_eq!(
        last.in_words(),
        "`python3 gen.py`: exit 0; changed gen/00.rs, gen/01.rs, gen/02.rs (+67)"
    );
}

#[test]
fn a_file_that_another_agents_tool_names_belongs_to_that_agent() {
    let place = Place::new("");
    place.main(prompt("Change it."));
    place.sub("w", EventKind::SubagentStart);
    let answer = ran_while(&place, None, "python3 slow.py", || {
        place.write("seed.txt", "by w\n");
        let call = call("w1", ToolKind::Edit, "seed.txt");
        let outcome = done();
        place.sub("w", EventKind::ToolResult { call, outcome });
        // So does what its command changed meanwhile.
        let answer = ran_while(&place, Some("w"), "sed -i s/a/b/ two.txt", || {
            place.write("two.txt", "b\n")
        });
        assert_eq!(
            by_command(&place, &answer),
            [("w".to_owned(), "two.txt".to_owned())]
        );
        place.write("mine.txt", "x\n");
    });
    assert_eq!(
        by_command(&place, &answer),
        [(String::new(), "mine.txt".to_owned())]
    );
}

const APPROVES: &str =
    "VERDICT: APPROVE\nEvidence: read seed.txt lines 1-1; the rename is complete and callers were checked.";

fn rules(answer: &Answer) -> Vec<String> {
    let reports = answer.decision.reports.iter().filter(|r| r.gate == "review");
    reports
        .flat_map(|r| r.findings.iter().map(|f| f.rule.clone()))
        .collect()
}

fn delegated(place: &Place) {
    let call = delegating("d1", "Review the rename in seed.txt.");
    place.main(EventKind::ToolCall { call });
    place.sub("r", EventKind::SubagentStart);
}

#[test]
fn approving_what_ones_own_command_changed_is_told() {
    let place = Place::new("");
    place.main(prompt("Rename x."));
    delegated(&place);
    ran_while(&place, Some("r"), "cat seed.txt", || ());
    ran_while(&place, Some("r"), "sed -i s/seed/x/ seed.txt", || {
        place.write("seed.txt", "x\n")
    });
    assert_eq!(rules(&place.sub("r", end(APPROVES))), ["review/own_work"]);
}

/// Commands, and what they do.
type Steps<'s> = &'s [(&'s str, &'s dyn Fn(&Place))];

/// What a reviewer does with the worker's change of seed.txt, as commands and what they do, before it approves. Gives
/// what is told of that.
fn reviewed(steps: Steps<'_>) -> Vec<String> {
    let place = Place::new("");
    place.main(prompt("Rename x."));
    place.write("seed.txt", "work\n");
    let edit = call("e1", ToolKind::Edit, "seed.txt");
    place.main(EventKind::ToolResult {
        call: edit,
        outcome: done(),
    });
    delegated(&place);
    ran_while(&place, Some("r"), "cat seed.txt", || ());
    for (line, does) in steps {
        ran_while(&place, Some("r"), line, || does(&place));
    }
    rules(&place.sub("r", end(APPROVES)))
}

#[test]
fn what_a_reviewer_brings_back_is_not_its_work() {
    let write = |text: &'static str| move |place: &Place| place.write("seed.txt", text);
    let git = |args: &'static [&'static str]| move |place: &Place| place.git(args);
    let (work, broken) = (write("work\n"), write("broken\n"));
    let (stash, pop) = (git(&["stash", "-q"]), git(&["stash", "pop", "-q"]));
    let new = |place: &Place| place.write("new.txt", "x\n");
    let gone = |place: &Place| std::fs::remove_file(place.root().join("new.txt")).unwrap();
    let honest: [Steps<'_>; 6] = [
        &[("touch seed.txt", &work)],
        &[("git stash", &stash), ("git stash pop", &pop)],
        &[
            ("git stash && python3 repro.py", &stash),
            ("git stash pop && touch seed.txt", &pop),
        ],
        &[("python3 both.py", &|place: &Place| (stash(place), pop(place)).1)],
        &[
            ("sed -i s/work/broken/ seed.txt", &broken),
            ("sed -i s/broken/work/ seed.txt", &work),
        ],
        &[("python3 repro.py > new.txt", &new), ("rm new.txt", &gone)],
    ];
    for steps in honest {
        assert_eq!(
            reviewed(steps),
            [""; 0],
            "{:?}",
            steps.iter().map(|s| s.0).collect::<Vec<_>>()
        );
    }
    let by_tool = |place: &Place| {
        place.write("seed.txt", "tool\n");
        let edit = call("r1", ToolKind::Edit, "seed.txt");
        let outcome = done();
        place.sub("r", EventKind::ToolResult { call: edit, outcome });
    };
    let others: [Steps<'_>; 4] = [
        &[("sed -i s/work/broken/ seed.txt", &broken)],
        &[
            ("git stash", &stash),
            ("git stash pop", &pop),
            ("python3 gen.py", &new),
        ],
        &[
            ("sed -i s/work/x/ seed.txt", &write("x\n")),
            ("sed -i s/x/broken/ seed.txt", &broken),
        ],
        // A tool says what it does.
        &[
            ("python3 look.py", &by_tool),
            ("sed -i s/tool/work/ seed.txt", &work),
        ],
    ];
    for steps in others {
        assert_eq!(
            reviewed(steps),
            ["review/own_work"],
            "{:?}",
            steps.iter().map(|s| s.0).collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_repository_inside_hides_no_work() {
    let place = Place::new("");
    place.main(prompt("Rename x."));
    place.git(&["init", "-q", "inner"]);
    let both = ran_while(&place, None, "python3 gen.py", || {
        place.write("seed.txt", "x\n");
        place.write("inner/a.txt", "x\n");
    });
    assert_eq!(
        by_command(&place, &both),
        [(String::new(), "inner/a.txt seed.txt".to_owned())]
    );
}

#[test]
fn work_that_was_done_by_commands_has_to_be_read_as_well() {
    let place = Place::new("");
    place.main(prompt("Rename x."));
    ran_while(&place, None, "sed -i s/seed/x/ seed.txt", || {
        place.write("seed.txt", "x\n")
    });
    delegated(&place);
    let blind = place.sub("r", end(APPROVES));
    assert_eq!(rules(&blind), ["review/unread"]);
    assert!(
        blind.decision.reason.contains("since seed.txt changed"),
        "{}",
        blind.decision.reason
    );
}

#[test]
fn a_pass_that_a_command_outdates_is_told_and_so_is_its_own_line() {
    let policy = "enforcement: { approval: { require: claims } }\nverification: [{ name: t, run: 'sh t.sh', kind: tests }]\n";
    let place = Place::new(policy);
    place.write("t.sh", "echo ok\n");
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "t"]);
    place.main(prompt("Change it."));
    // What stands in the line before the check is no change after it.
    let both = ran_while(&place, None, "sed -i s/a/b/ seed.txt && sh t.sh", || {
        place.write("seed.txt", "b\n")
    });
    assert_eq!(
        by_command(&place, &both),
        [(String::new(), "seed.txt".to_owned())]
    );
    assert_eq!(texts(&both), [""; 0]);
    ran_while(&place, None, "sh t.sh", || ());
    let told = ran_while(&place, None, "sed -i s/b/c/ seed.txt", || {
        place.write("seed.txt", "c\n")
    });
    assert_eq!(
        by_command(&place, &told),
        [(String::new(), "seed.txt".to_owned())]
    );
    assert!(
        texts(&told)
            .iter()
            .any(|text| text.contains("`sh t.sh` passed before this command changed seed.txt")),
        "{:?}",
        texts(&told)
    );
}
