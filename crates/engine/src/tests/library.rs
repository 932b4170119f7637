//! The library: audience, task and scope from what the caller hands in.

use crate::conversation::{Context, Said, Speaker};
use crate::tests::Hand;
use crate::{Enforcer, Message, Response};
use proctor_kernel::{Action, Audience, Decision, Mode};
use proctor_policy::Settings;

const ORDER: &str = "DELEGATE::DevBot::Fix the parser.\nEXPECTED OUTCOME:\n- src/a.rs";
const STRAY: [&str; 4] = ["src/a.rs", "src/b.rs", "src/c.rs", "src/d.rs"];

fn enforcer(scope: Mode) -> Enforcer<Hand> {
    let mut settings = Settings::default();
    settings.scope.mode = scope;
    Enforcer::new(settings, Hand::default())
}

fn history() -> [Said<'static>; 2] {
    let said = |by, name, text| Said { by, name, text };
    [
        said(Speaker::Agent, "Sisyphus", ORDER),
        said(Speaker::Human, "Ann", "How is it going?"),
    ]
}

fn scope(decision: &Decision) -> Option<&str> {
    let report = decision.reports.iter().find(|r| r.gate == "scope")?;
    report.data["severity"].as_str()
}

#[test]
fn the_conversation_tells_who_reads_the_message() {
    let history = history();
    let context = Context {
        history: &history,
        ..Context::default()
    };
    let praise = "Excellent work! Great job, everyone!";
    let mut enforcer = enforcer(Mode::Warn);
    assert!(
        enforcer
            .validate(Message::new("DevBot", "dev", praise).within(context))
            .rejected
    );
    // Somebody else answers the person.
    assert!(
        !enforcer
            .validate(Message::new("Writer", "dev", praise).within(context))
            .rejected
    );
    assert!(
        !enforcer
            .validate(Message::new("DevBot", "other", praise))
            .rejected
    );
    // The form without a conversation goes on to work.
    let response = Response {
        text: praise,
        agent: "DevBot",
        channel: "third",
        audience: Audience::Agent,
    };
    assert!(enforcer.validate(&response).rejected);
}

#[test]
fn changed_files_are_compared_with_the_delegation_of_the_conversation() {
    let history = history();
    let context = Context {
        history: &history,
        ..Context::default()
    };
    let changed = STRAY.map(str::to_owned);
    let text = "src/a.rs line 12 reads the length before the body now.";
    let message = Message::new("DevBot", "dev", text).within(context);
    let told = enforcer(Mode::Warn).validate(message.changing(&changed));
    assert_eq!(scope(&told.decision), Some("NEEDS_REVIEW"));
    assert!(!told.rejected && told.decision.notes.iter().any(|n| n.text.contains("src/d.rs")));
    let held = enforcer(Mode::Enforce).validate(message.changing(&changed));
    assert!(held.rejected && held.feedback.is_some_and(|f| f.contains("src/b.rs")));
    // At the last door nothing is held.
    let posted = enforcer(Mode::Enforce).enforce(message.changing(&changed));
    assert_eq!(posted.decision.action, Action::Allow);
    assert!(posted.decision.escalated);
    let within = enforcer(Mode::Enforce).validate(message.changing(changed.get(..1).unwrap()));
    assert_eq!((scope(&within.decision), within.rejected), (Some("NONE"), false));
    // Without the files, and without a delegation, there is nothing to compare.
    assert_eq!(scope(&enforcer(Mode::Enforce).validate(message).decision), None);
    let alone = Message::new("DevBot", "dev", text).changing(&changed);
    assert_eq!(
        scope(&enforcer(Mode::Enforce).validate(alone).decision),
        Some("NONE")
    );
}

#[test]
fn a_delegation_is_taken_up_once_and_the_callers_own_stays() {
    let history = history();
    let context = Context {
        history: &history,
        ..Context::default()
    };
    let changed = STRAY.map(str::to_owned);
    let message = Message::new("DevBot", "dev", "Two places in the parser differ.")
        .within(context)
        .changing(&changed);
    let mut enforcer = enforcer(Mode::Warn);
    enforcer.delegate("dev", "DevBot", "Fix it all.\nEXPECTED OUTCOME:\n- src/");
    assert_eq!(
        scope(&enforcer.validate(message).decision),
        Some("NONE"),
        "the caller's own"
    );
    // A new delegation begins a new task.
    let next = [Said {
        by: Speaker::Human,
        name: "Ann",
        text: "DELEGATE::DevBot::Now the docs.\nEXPECTED OUTCOME:\n- docs/a.md",
    }];
    let context = Context {
        history: &next,
        ..Context::default()
    };
    let judged = enforcer.validate(message.within(context));
    assert_eq!(scope(&judged.decision), Some("NEEDS_REVIEW"));
}

#[test]
fn the_same_words_again_are_no_new_task_while_it_is_under_way() {
    let mut enforcer = enforcer(Mode::Off);
    let order = "Fix the parser.\nEXPECTED OUTCOME:\n- [ ] lists are parsed\n- [ ] the README names the flag";
    let context = Context {
        audience: Some(Audience::Agent),
        ..Context::default()
    };
    let said = |text: &'static str| Message::new("DevBot", "dev", text).within(context);
    // Whoever delegates before each text gets no more retries than others.
    let refused = (0..5).take_while(|_| {
        enforcer.delegate("dev", "DevBot", order);
        enforcer
            .validate(said("Excellent work! Great job, everyone!"))
            .rejected
    });
    assert_eq!(refused.count(), 2);
    // Nor is what was ticked asked for again.
    enforcer.delegate("dev", "DevBot", order);
    let _ = enforcer.validate(said("Item 1 is done."));
    enforcer.delegate("dev", "DevBot", order);
    let open = |decision: &Decision| {
        let report = decision.reports.iter().find(|r| r.gate == "todo").unwrap();
        let Some(items) = report.data["items"].as_array() else {
            panic!("{:?}", decision.reason);
        };
        items.iter().filter(|item| item["completed"] == false).count()
    };
    let told = enforcer.validate(said("src/cli.rs line 4 reads the flag from the list."));
    assert_eq!(open(&told.decision), 1, "{:?}", told.decision.reports);
    // When it is over, or in other words, it is another one.
    let _ = enforcer.validate(said("Item 2 is done."));
    enforcer.delegate("dev", "DevBot", order);
    let told = enforcer.validate(said("I read src/a.rs."));
    assert_eq!(open(&told.decision), 2, "{:?}", told.decision.reports);
    enforcer.delegate("dev", "DevBot", "EXPECTED OUTCOME:\n- [ ] one thing");
    let told = enforcer.validate(said("I read src/b.rs."));
    assert_eq!(open(&told.decision), 1, "{:?}", told.decision.reports);
}
