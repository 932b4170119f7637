use super::{payload, snapshot};
use crate::claude::install::{Options, hooks};
use crate::claude::matrix::CELLS;
use crate::claude::{parse, render};
use crate::matrix::{Answer, Support, markdown, support};
use proctor_kernel::{Action, Decision, Note};
use std::path::Path;

#[test]
fn every_installed_event_has_each_answer_once() {
    let installed: Vec<&str> = hooks("proctor", Options::default())
        .into_iter()
        .map(|(event, _)| event)
        .collect();
    for event in &installed {
        for answer in Answer::ALL {
            let cells = CELLS
                .iter()
                .filter(|cell| cell.event == *event && cell.answer == answer)
                .count();
            assert_eq!(cells, 1, "{event} {answer:?}");
        }
    }
    assert_eq!(CELLS.len(), installed.len() * Answer::ALL.len());
}

#[test]
fn the_renderer_agrees_with_the_matrix() {
    for name in [
        "SessionStart.startup",
        "UserPromptSubmit",
        "PreToolUse.Bash",
        "PostToolUse.Write",
        "PostToolUseFailure.Bash",
        "PreCompact.auto",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "MessageDisplay",
        "SessionEnd.other",
    ] {
        let event = parse(&payload(name)).unwrap();
        let of = |answer| support(&CELLS, &event.native, answer).unwrap();
        let block = render(
            &event,
            &Decision {
                action: Action::Block,
                reason: "R".to_owned(),
                ..Decision::allow()
            },
        );
        if of(Answer::Block) == Support::Enforced {
            assert_eq!(block.exit, 2, "{name}");
        }
        let mut noted = Decision::allow();
        noted.notes = vec![Note {
            gate: "g".to_owned(),
            text: "N".to_owned(),
        }];
        let delivered = render(&event, &noted).stdout.contains("additionalContext");
        assert_eq!(delivered, of(Answer::Note) == Support::Enforced, "{name}");
    }
}

#[test]
fn the_document_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hosts/claude.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- matrix: generated -->\n", "<!-- end of matrix -->");
    let (before, rest) = text.split_once(begin).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    snapshot(&path, &format!("{before}{begin}{}{end}{after}", markdown(&CELLS)));
}
