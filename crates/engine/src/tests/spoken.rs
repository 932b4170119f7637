//! Who reads an answer: whoever wrote the latest prompt, as the library's table has it.

use super::*;
use crate::conversation::{Context, Said, Speaker, audience_of};
use proctor_kernel::{Action, Audience};

const PRAISE: &str = "Excellent work! Amazing, truly brilliant and world-class! This is a masterpiece.";
const ORDER: &str = "DELEGATE::DevBot::Fix the parser in src/a.py";
const SIX: &str = "TASK: Fix the parser\nEXPECTED OUTCOME: src/a.py fixed\nREQUIRED TOOLS: Edit\nMUST DO: test\n\
    MUST NOT DO: rewrite\nCONTEXT: none";

/// A prompt by an agent (`true`) or a person, or an answer.
enum Step {
    By(bool, &'static str),
    Answered,
}
use Step::{Answered, By};

#[test]
fn an_answer_is_read_by_whoever_spoke_last() {
    let rows: &[(&[Step], Audience)] = &[
        (&[By(false, "Fix it.")], Audience::Human),
        (&[By(true, "Please look.")], Audience::Agent),
        (
            &[By(false, "Fix it."), Answered, By(true, "How is it?")],
            Audience::Agent,
        ),
        (
            &[By(true, "Please fix it."), Answered, By(false, "Hi, it's me.")],
            Audience::Human,
        ),
        (
            &[By(true, "Please fix it."), By(false, "Hi, it's me.")],
            Audience::Human,
        ),
        (&[By(false, ORDER)], Audience::Agent),
        (&[By(false, ORDER), By(false, "and hurry")], Audience::Agent),
        (
            &[
                By(false, ORDER),
                Answered,
                By(false, "Thanks. What did you change?"),
            ],
            Audience::Human,
        ),
        (&[By(true, ORDER), By(false, "How is it going?")], Audience::Agent),
    ];
    for (at, (steps, wanted)) in rows.iter().enumerate() {
        let place = Place::new("");
        place.main(start(StartSource::Startup));
        let mut history = Vec::new();
        for step in *steps {
            let (by, text) = match step {
                By(true, text) => (Speaker::Agent, *text),
                By(false, text) => (Speaker::Human, *text),
                Answered => {
                    place.main(end("src/a.py:3 is fixed."));
                    history.push(Said {
                        by: Speaker::Agent,
                        name: "DevBot",
                        text: "Fixed.",
                    });
                    continue;
                }
            };
            history.push(Said {
                by,
                name: "Other",
                text,
            });
            let origin = match by {
                Speaker::Agent => PromptOrigin::Agent,
                Speaker::Human => PromptOrigin::User,
            };
            let text = text.into();
            place.main(EventKind::Prompt { text, origin });
        }
        let context = Context {
            history: &history,
            ..Context::default()
        };
        assert_eq!(audience_of(&context, "DevBot"), *wanted, "the library, row {at}");
        let refused = place.main(end(PRAISE)).decision.action == Action::Block;
        assert_eq!(refused, *wanted == Audience::Agent, "row {at}");
    }
}

/// Work in the form of a delegation is handed over by it, whoever started the program with it.
#[test]
fn a_prompt_in_the_form_of_a_delegation() {
    let below = format!("DELEGATE::DevBot\n{SIX}");
    for words in [SIX, &below, "DELEGATE::DevBot\nFix the parser in src/a.py."] {
        let place = Place::new("");
        place.main(start(StartSource::Startup));
        place.main(prompt(words));
        assert_eq!(place.main(end(PRAISE)).decision.action, Action::Block, "{words}");
        // What the host says meanwhile changes nothing of it.
        place.main(notification("<task-notification>done</task-notification>"));
        assert_eq!(place.main(end(PRAISE)).decision.action, Action::Block, "{words}");
        place.main(end("src/a.py:3 is fixed."));
        place.main(prompt("Thanks. What did you change?"));
        assert_eq!(place.main(end(PRAISE)).decision.action, Action::Allow, "{words}");
    }
}
