use super::project;
use crate::{Require, ReviewLevel, Settings, Verification, hold};
use proctor_kernel::Mode;

/// What `now` becomes under `floor`, both as project files, and the keys that were raised.
fn held(now: &str, floor: &str) -> (Settings, Vec<&'static str>) {
    let mut settings = project(now).settings;
    let raised = hold(&mut settings, &project(floor).settings);
    (settings, raised)
}

fn check(name: &str, run: &str) -> Verification {
    Verification {
        name: name.to_owned(),
        run: run.to_owned(),
        kind: None,
    }
}

#[test]
fn what_work_needs_is_the_stricter_of_both() {
    let strict = "enforcement: { approval: { require: changes, high_stakes: [deploy/**, keys/**], signed: true }, \
                  review: { level: tamper } }\nverification: [{name: a, run: make a}, {name: b, run: make b}]\n";
    let (settings, raised) = held("", strict);
    assert_eq!(
        raised,
        [
            "enforcement.review.level",
            "enforcement.approval.require",
            "enforcement.approval.high_stakes",
            "enforcement.approval.signed",
            "verification",
        ]
    );
    assert_eq!(settings.approval.require, Require::Changes);
    assert_eq!(settings.review.level, ReviewLevel::Tamper);
    assert!(settings.approval.signed);
    assert_eq!(settings, project(strict).settings);
    // What is stricter now stays, beside what was stricter before.
    let now = "enforcement: { approval: { require: paths, paths: [src/**], high_stakes: [deploy/**, api/**] } }\n\
               verification: [{name: b, run: 'true'}, {name: c, run: make c}]\n";
    let (settings, _) = held(now, strict);
    assert_eq!(settings.approval.require, Require::Changes);
    assert_eq!(settings.approval.paths, ["src/**"]);
    assert_eq!(settings.approval.high_stakes, ["deploy/**", "api/**", "keys/**"]);
    assert_eq!(
        settings.verification,
        [check("a", "make a"), check("b", "make b"), check("c", "make c")]
    );
}

#[test]
fn nothing_is_raised_where_nothing_is_looser() {
    let policy =
        "enforcement: { approval: { require: paths, paths: [a, b] } }\nverification: [{name: a, run: x}]\n";
    let more = "enforcement: { approval: { require: changes, paths: [b, c, a] } }\n\
                verification: [{name: z, run: y}, {name: a, run: x}]\n";
    for now in [policy, more] {
        let (settings, raised) = held(now, policy);
        assert!(raised.is_empty(), "{raised:?}");
        // The order of the checks, too: approvals hold a digest of it.
        assert_eq!(settings, project(now).settings);
    }
    // Other gates are not what lets work go.
    let (settings, raised) = held(
        "enforcement: { response: { mode: off }, todo: { mode: off } }\n",
        "enforcement: { todo: { mode: enforce } }\n",
    );
    assert_eq!((settings.todo.mode, raised.len()), (Mode::Off, 0));
    assert!(
        held(
            "",
            "enforcement: { enabled: false, approval: { require: changes } }\n"
        )
        .1
        .is_empty()
    );
}

#[test]
fn the_master_switch_leaves_what_lets_work_go() {
    let off = "enforcement: { enabled: false, tools: { Edit: { loop: enforce } } }\n";
    let (settings, raised) = held(off, "");
    assert_eq!(raised, ["enforcement.enabled"]);
    assert_eq!(settings.tools, [], "an exception switches nothing on");
    assert!(settings.enabled);
    assert_eq!(settings.approval.mode, Mode::Enforce);
    assert_eq!(
        (settings.response.mode, settings.r#loop.mode),
        (Mode::Off, Mode::Off)
    );
}
