//! The library: text gates for a program that owns its agents' loop, without files and hooks.
//!
//! ```
//! use proctor_engine::{Enforcer, Response, SystemClock, conversation};
//! use proctor_kernel::Audience;
//! use proctor_policy::Settings;
//!
//! let mut enforcer = Enforcer::new(Settings::default(), SystemClock::new());
//! let context = conversation::Context { reply_to: Some(conversation::Speaker::Agent), ..Default::default() };
//! assert_eq!(conversation::audience(&context), Audience::Agent);
//!
//! // 1. Ask before the text is recorded: a refused text goes back to its agent with the feedback.
//! let reply = |text| Response { text, agent: "reviewer", channel: "dev", audience: Audience::Agent };
//! let first = enforcer.validate(&reply("APPROVE - looks good!"));
//! assert!(first.rejected);
//! assert!(first.feedback.unwrap().contains("What did you verify?"));
//!
//! let second = enforcer.validate(&reply("APPROVE - I ran the tests and they all pass. Build succeeds."));
//! assert!(!second.rejected);
//! assert_eq!(second.text, "APPROVE - I ran the tests and they all pass. Build succeeds.");
//!
//! // 2. Or enforce at the last door, where nobody can be asked again: nothing is dropped, an approval
//! //    without evidence is posted as what it is.
//! let posted = enforcer.enforce(&reply("APPROVE - looks good!"));
//! assert!(posted.text.starts_with("NEEDS_REVIEW - "));
//! ```

use crate::Clock;
use crate::breaker::Breakers;
use crate::decide::{Inputs, Sight, decide};
use crate::session::{Change, SessionState};
use proctor_kernel::{
    Action, Audience, Decision, Digest, Event, EventKind, GateError, Task, TaskOrigin, TreeId, World,
};
use proctor_policy::Settings;
use std::collections::BTreeMap;

/// Who reads a message, found out from the conversation around it.
pub mod conversation {
    use proctor_kernel::Audience;

    /// Who wrote a message.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Speaker {
        /// An agent.
        Agent,
        /// A person.
        Human,
    }

    /// What is known about the conversation.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Context<'a> {
        /// The caller knows; nothing else is looked at then.
        pub audience: Option<Audience>,
        /// Whose message this one answers.
        pub reply_to: Option<Speaker>,
        /// The latest messages of the channel, oldest first: writer and text.
        pub recent: &'a [(Speaker, &'a str)],
    }

    /// Agent-to-agent when the caller says so, when the message answers an agent, or when the last
    /// message came from an agent or delegates (`DELEGATE::agent::…`); otherwise human-facing.
    #[must_use]
    pub fn audience(context: &Context<'_>) -> Audience {
        if let Some(audience) = context.audience {
            return audience;
        }
        let agent = match (context.reply_to, context.recent.last()) {
            (Some(speaker), _) => speaker == Speaker::Agent,
            (None, Some((Speaker::Agent, _))) => true,
            (None, Some((Speaker::Human, text))) => !proctor_outline::delegates(text).is_empty(),
            (None, None) => false,
        };
        if agent { Audience::Agent } else { Audience::Human }
    }
}

/// A text that an agent wants to say.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// The text.
    pub text: &'a str,
    /// The agent's name; retries are counted per agent and channel.
    pub agent: &'a str,
    /// The channel or conversation.
    pub channel: &'a str,
    /// Who will read it; see [`conversation::audience`].
    pub audience: Audience,
}

/// The answer of [`Enforcer::validate`].
#[derive(Clone, Debug)]
pub struct Validation {
    /// The text must go back to its agent with the feedback.
    pub rejected: bool,
    /// What to tell the agent.
    pub feedback: Option<String>,
    /// The text to use when it is not rejected: the original, untouched, or its changed form when the
    /// retries are used up.
    pub text: String,
    /// The whole decision.
    pub decision: Decision,
}

/// The answer of [`Enforcer::enforce`].
#[derive(Clone, Debug)]
pub struct Enforced {
    /// The text to post.
    pub text: String,
    /// The whole decision.
    pub decision: Decision,
}

/// The text gates with their memory: tasks, checklists and retries per channel and agent.
pub struct Enforcer<C> {
    settings: Settings,
    clock: C,
    breakers: Breakers,
    channels: BTreeMap<String, SessionState>,
}

impl<C: Clock> Enforcer<C> {
    /// An enforcer without a past.
    pub fn new(settings: Settings, clock: C) -> Self {
        Self {
            settings,
            clock,
            breakers: Breakers::default(),
            channels: BTreeMap::new(),
        }
    }

    /// Notes what an agent was asked to do; its checklist is followed from now on.
    pub fn delegate(&mut self, channel: &str, agent: &str, words: &str) {
        let outline = proctor_outline::read(words);
        let task = Task {
            id: self.clock.id(),
            words: words.to_owned(),
            origin: TaskOrigin::Delegation,
            outline,
            base: None,
            dirty: Vec::new(),
        };
        let started = Change::TaskStarted {
            agent: agent.to_owned(),
            task: Box::new(task),
        };
        self.channels
            .entry(channel.to_owned())
            .or_default()
            .apply(&started);
    }

    /// Looks at a text before it is used. A rejected text counts as one of the agent's retries; when
    /// they are used up, the text passes in its changed form.
    pub fn validate(&mut self, response: &Response<'_>) -> Validation {
        let decision = self.decide(response, false);
        let rejected = decision.action >= Action::Ask;
        Validation {
            rejected,
            feedback: rejected.then(|| decision.reason.clone()),
            text: decision.text.clone().unwrap_or_else(|| response.text.to_owned()),
            decision,
        }
    }

    /// The last door before posting: never rejects, never drops. What a gate would have refused is
    /// posted in its changed form, and the decision's notes say what was wrong.
    pub fn enforce(&mut self, response: &Response<'_>) -> Enforced {
        let decision = self.decide(response, true);
        Enforced {
            text: decision.text.clone().unwrap_or_else(|| response.text.to_owned()),
            decision,
        }
    }

    fn decide(&mut self, response: &Response<'_>, last_door: bool) -> Decision {
        let event = Event {
            host: "library".to_owned(),
            native: "message".to_owned(),
            session: response.channel.to_owned(),
            agent: Some(proctor_kernel::Agent {
                id: response.agent.to_owned(),
                kind: response.agent.to_owned(),
            }),
            cwd: String::new(),
            turn: None,
            kind: EventKind::Message {
                text: response.text.to_owned(),
            },
            // It names the input in a record, and nothing is recorded here.
            input: Digest::of(b""),
        };
        let state = self.channels.entry(response.channel.to_owned()).or_default();
        let ruling = decide(&Inputs {
            event: &event,
            state,
            settings: &self.settings,
            breakers: &self.breakers,
            audience: Some(response.audience),
            launched: false,
            known: true,
            forgetful: false,
            last_door,
            stop_cap: None,
            aside: &(),
            clock: &self.clock,
            sight: &Blind,
        });
        for change in &ruling.changes {
            state.apply(change);
        }
        let (alerts, _) = self.breakers.observe(&ruling.decision.reports, self.clock.now());
        let mut decision = ruling.decision;
        decision.alerts.extend(alerts);
        decision
    }
}

/// A library without a work tree: the scope gate has nothing to compare with.
struct Blind;

impl World for Blind {
    fn changed_files(&self, _: &Task) -> Result<Vec<String>, GateError> {
        Err(GateError::new("the library was not told which files changed"))
    }
}

impl Sight for Blind {
    fn reviewed(&self) -> Option<u64> {
        None
    }

    fn base(&self) -> (Option<String>, Vec<(String, Option<String>)>) {
        (None, Vec::new())
    }
    fn mark(&self) -> Option<Digest> {
        None
    }

    fn has_tree(&self) -> bool {
        false
    }

    fn touched_since(&self, _: u64, _: bool, _: bool) -> Option<Vec<String>> {
        None
    }

    fn only_litter(&self, _: &TreeId, _: &TreeId) -> bool {
        false
    }

    fn relative(&self, path: &str) -> String {
        path.to_owned()
    }

    fn placed(&self, _: &proctor_shell::Check, _: &str) -> crate::whereabouts::Placed {
        crate::whereabouts::Placed::default()
    }
}
