//! Who reads a message, and which delegation it answers, found out from the conversation around it.

use proctor_kernel::Audience;

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// An agent.
    Agent,
    /// A person.
    Human,
}

/// A message of the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said<'a> {
    /// Who wrote it.
    pub by: Speaker,
    /// The writer's name, as delegations call agents; empty when it is not known.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// What is known about the conversation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// The caller knows; nothing else is looked at then.
    pub audience: Option<Audience>,
    /// Whose message this one answers.
    pub reply_to: Option<Speaker>,
    /// Messages of the channel, oldest first: writer and text. They come before those of `history`.
    pub recent: &'a [(Speaker, &'a str)],
    /// Messages of the channel with their writers' names, oldest first.
    pub history: &'a [Said<'a>],
}

impl<'a> Context<'a> {
    /// All messages, newest first.
    fn backwards(&self) -> impl Iterator<Item = Said<'a>> {
        let unnamed = |(by, text): &(Speaker, &'a str)| Said {
            by: *by,
            name: "",
            text,
        };
        let named = self.history.iter().rev().copied();
        named.chain(self.recent.iter().rev().map(unnamed))
    }

    /// What the agent was asked to do by a `DELEGATE::agent::…` line, or by a prompt in the form of a delegation, which names
    /// nobody, and has not answered yet: the latest such message, unless the agent (or one whose name is not known) wrote
    /// something after it. Without a name: a line to any agent.
    #[must_use]
    pub fn delegation(&self, agent: &str) -> Option<String> {
        for said in self.backwards() {
            let orders = proctor_outline::delegates(said.text);
            if !is_by(&said, agent) {
                if orders.is_empty() && proctor_outline::is_delegation(said.text) {
                    return Some(said.text.to_owned());
                }
                let mine =
                    |o: &proctor_outline::Delegate| agent.is_empty() || o.agent.eq_ignore_ascii_case(agent);
                if let Some(order) = orders.into_iter().rev().find(mine) {
                    return Some(order.payload);
                }
            }
            let answered = said.by == Speaker::Agent && (said.name.is_empty() || is_by(&said, agent));
            if answered {
                return None;
            }
        }
        None
    }
}

/// Whether the agent itself wrote a message.
fn is_by(said: &Said<'_>, agent: &str) -> bool {
    said.by == Speaker::Agent && !agent.is_empty() && said.name.eq_ignore_ascii_case(agent)
}

/// As [`audience_of`], for an agent whose name is not known.
#[must_use]
pub fn audience(context: &Context<'_>) -> Audience {
    audience_of(context, "")
}

/// Agent-to-agent when the caller says so, when the message answers an agent, when the last message that is not the
/// agent's own came from an agent or delegates (`DELEGATE::agent::…`), or when a delegation further back still waits for
/// this agent's answer; otherwise human-facing.
#[must_use]
pub fn audience_of(context: &Context<'_>, agent: &str) -> Audience {
    if let Some(audience) = context.audience {
        return audience;
    }
    let last = context.backwards().find(|said| !is_by(said, agent));
    let among_agents = match (context.reply_to, last) {
        (Some(speaker), _) => speaker == Speaker::Agent,
        (None, Some(said)) if said.by == Speaker::Agent => true,
        (None, Some(said)) => {
            proctor_outline::is_delegation(said.text) || context.delegation(agent).is_some()
        }
        (None, None) => false,
    };
    if among_agents {
        Audience::Agent
    } else {
        Audience::Human
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(text: &'static str) -> Said<'static> {
        Said {
            by: Speaker::Human,
            name: "Ann",
            text,
        }
    }

    fn agent(name: &'static str, text: &'static str) -> Said<'static> {
        Said {
            by: Speaker::Agent,
            name,
            text,
        }
    }

    const ORDER: &str = "DELEGATE::DevBot::Fix src/a.rs";
    const SIX: &str = "TASK: fix it\nEXPECTED OUTCOME: src/a.rs fixed\nREQUIRED TOOLS: Edit\nMUST DO: test";

    #[test]
    fn who_reads_a_message_is_found_in_the_conversation() {
        use Audience::{Agent, Human};
        let rows: &[(&[Said<'_>], Audience)] = &[
            (&[], Human),
            (&[person("Fix it.")], Human),
            (&[person(ORDER)], Agent),
            (&[person(SIX)], Agent),
            (&[person(SIX), person("and hurry")], Agent),
            (&[person(SIX), agent("DevBot", "Done."), person("Thanks.")], Human),
            (&[person("DELEGATE::DevBot\nFix src/a.rs")], Agent),
            (&[agent("Sisyphus", "Please look.")], Agent),
            // A delegation waits for its agent, whatever else is said meanwhile.
            (&[person(ORDER), person("and hurry")], Agent),
            (&[agent("Sisyphus", ORDER), person("How is it going?")], Agent),
            (
                &[person(ORDER), agent("Reviewer", "ok"), person("How is it going?")],
                Agent,
            ),
            // It was answered, or it is somebody else's.
            (
                &[
                    person(ORDER),
                    agent("DevBot", "Done."),
                    person("Thanks. What did you change?"),
                ],
                Human,
            ),
            (&[person(ORDER), agent("", "Done."), person("Thanks.")], Human),
            (
                &[person("DELEGATE::Reviewer::look"), person("DevBot, and you?")],
                Human,
            ),
            // What the agent wrote itself is no message to it.
            (&[person("Fix it."), agent("DevBot", "I begin.")], Human),
            (
                &[
                    person("> DELEGATE::DevBot::x"),
                    person("What does that line mean?"),
                ],
                Human,
            ),
        ];
        for (history, wanted) in rows {
            let context = Context {
                history,
                ..Context::default()
            };
            assert_eq!(audience_of(&context, "devbot"), *wanted, "{history:?}");
            let told = Context {
                audience: Some(Human),
                ..context
            };
            assert_eq!(audience_of(&told, "DevBot"), Human, "the caller knows");
            let reply = Context {
                reply_to: Some(Speaker::Agent),
                ..context
            };
            assert_eq!(audience_of(&reply, "DevBot"), Agent, "it answers an agent");
        }
    }

    #[test]
    fn without_names_any_agent_may_have_answered() {
        let asked = [(Speaker::Human, ORDER), (Speaker::Human, "and hurry")];
        let context = |recent| Context {
            recent,
            ..Context::default()
        };
        assert_eq!(audience(&context(&asked)), Audience::Agent);
        assert_eq!(
            context(&asked).delegation("DevBot").as_deref(),
            Some("Fix src/a.rs")
        );
        let answered = [
            (Speaker::Human, ORDER),
            (Speaker::Agent, "Done."),
            (Speaker::Human, "Thanks."),
        ];
        assert_eq!(audience(&context(&answered)), Audience::Human);
        assert_eq!(context(&answered).delegation("DevBot"), None);
    }
}
