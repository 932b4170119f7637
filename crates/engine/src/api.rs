//! The library: text gates for a program that owns its agents' loop, without files and hooks.
//!
//! ```
//! use proctor_engine::conversation::{Context, Said, Speaker};
//! use proctor_engine::{Enforcer, Message, SystemClock};
//! use proctor_policy::Settings;
//!
//! let mut enforcer = Enforcer::new(Settings::default(), SystemClock::new());
//! // Who reads the message, and what it was asked for, is found out from the conversation: here a delegation.
//! let order = "DELEGATE::reviewer::Review the parser.\nEXPECTED OUTCOME:\n- review.md";
//! let history = [Said { by: Speaker::Agent, name: "lead", text: order }];
//! let context = Context { history: &history, ..Context::default() };
//! let reply = |text| Message::new("reviewer", "dev", text).within(context);
//!
//! // 1. Ask before the text is recorded: a refused text goes back to its agent with the feedback.
//! let first = enforcer.validate(reply("APPROVE - looks good!"));
//! assert!(first.rejected);
//! assert!(first.feedback.unwrap().contains("What did you verify?"));
//!
//! let second = enforcer.validate(reply("APPROVE - I ran the tests and they all pass. Build succeeds."));
//! assert!(!second.rejected);
//! assert_eq!(second.text, "APPROVE - I ran the tests and they all pass. Build succeeds.");
//!
//! // 2. Hand in which files changed, and they are compared with the delegation's outcome.
//! let changed = ["review.md", "src/a.rs", "src/b.rs", "src/c.rs"].map(str::to_owned);
//! let third = enforcer.validate(reply("review.md is written: DONE.").changing(&changed));
//! assert!(third.decision.notes.iter().any(|note| note.gate == "scope" && note.text.contains("src/b.rs")));
//!
//! // 3. Or enforce at the last door, where nobody can be asked again: nothing is dropped, an approval
//! //    without evidence is posted as what it is.
//! let posted = enforcer.enforce(reply("APPROVE - looks good!"));
//! assert!(posted.text.starts_with("NEEDS_REVIEW - "));
//! ```

use crate::Clock;
use crate::breaker::Breakers;
use crate::conversation::{self, Context};
use crate::decide::{Inputs, Sight, decide};
use crate::session::{AgentState, Change, SessionState, kept_task};
use proctor_kernel::{
    Action, Audience, Decision, Digest, Event, EventKind, GateError, Task, TaskOrigin, TreeId, World,
};
use proctor_policy::Settings;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// What names the input in a record: nothing is recorded here.
static NO_INPUT: LazyLock<Digest> = LazyLock::new(|| Digest::of(b""));

/// A text that an agent wants to say, to a reader that the caller knows. See [`Message`] for more.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// The text.
    pub text: &'a str,
    /// The agent's name; retries are counted per agent and channel.
    pub agent: &'a str,
    /// The channel or conversation.
    pub channel: &'a str,
    /// Who will read it.
    pub audience: Audience,
}

/// A text that an agent wants to say, with what is known around it.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The text.
    pub text: &'a str,
    /// The agent's name; retries are counted per agent and channel.
    pub agent: &'a str,
    /// The channel or conversation.
    pub channel: &'a str,
    /// The conversation: it tells who reads the text, and which delegation it answers.
    pub context: Context<'a>,
    /// The files that changed since the delegation, relative to the work tree; `None` when that is not known. They are
    /// compared with the delegation's expected outcome.
    pub changed: Option<&'a [String]>,
}

impl<'a> Message<'a> {
    /// A text of which nothing else is known: it is for people.
    #[must_use]
    pub fn new(agent: &'a str, channel: &'a str, text: &'a str) -> Self {
        Self {
            text,
            agent,
            channel,
            context: Context::default(),
            changed: None,
        }
    }

    /// The same within a conversation.
    #[must_use]
    pub fn within(self, context: Context<'a>) -> Self {
        Self { context, ..self }
    }

    /// The same with the files that changed.
    #[must_use]
    pub fn changing(self, files: &'a [String]) -> Self {
        Self {
            changed: Some(files),
            ..self
        }
    }
}

impl<'a> From<&Response<'a>> for Message<'a> {
    fn from(response: &Response<'a>) -> Self {
        let context = Context {
            audience: Some(response.audience),
            ..Context::default()
        };
        Self::new(response.agent, response.channel, response.text).within(context)
    }
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
    /// The delegation of each channel and agent that was last found in a conversation.
    found: BTreeMap<(String, String), String>,
}

impl<C: Clock> Enforcer<C> {
    /// An enforcer without a past.
    pub fn new(settings: Settings, clock: C) -> Self {
        Self {
            settings,
            clock,
            breakers: Breakers::default(),
            channels: BTreeMap::new(),
            found: BTreeMap::new(),
        }
    }

    /// Notes what an agent was asked to do; its checklist is followed from now on. The same words again, while items of it
    /// are open or its last text was refused, are no new task: retries and ticks stay.
    pub fn delegate(&mut self, channel: &str, agent: &str, words: &str) {
        let known = self
            .channels
            .get(channel)
            .and_then(|state| state.agents.get(agent));
        let is_under_way = |agent: &&Arc<AgentState>| {
            let same = agent
                .task
                .as_ref()
                .is_some_and(|task| task.words == kept_task(words));
            same && (agent.rejections > 0 || agent.checklist.iter().any(|item| !item.completed))
        };
        if known.filter(is_under_way).is_some() {
            return;
        }
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
        let state = self.channels.entry(channel.to_owned()).or_default();
        state.apply(&started);
        if let Some(agent) = state.agents.get(agent) {
            proctor_outline::progress::expect(&agent.checklist);
        }
    }

    /// Looks at a text before it is used. A rejected text counts as one of the agent's retries; when
    /// they are used up, the text passes in its changed form.
    pub fn validate<'a>(&mut self, message: impl Into<Message<'a>>) -> Validation {
        let message = message.into();
        let (decision, text) = self.decide(&message, false);
        let rejected = decision.action >= Action::Ask;
        Validation {
            rejected,
            feedback: rejected.then(|| decision.reason.clone()),
            text: decision.text.clone().unwrap_or(text),
            decision,
        }
    }

    /// The last door before posting: never rejects, never drops. What a gate would have refused is
    /// posted in its changed form, and the decision's notes say what was wrong.
    pub fn enforce<'a>(&mut self, message: impl Into<Message<'a>>) -> Enforced {
        let message = message.into();
        let (decision, text) = self.decide(&message, true);
        Enforced {
            text: decision.text.clone().unwrap_or(text),
            decision,
        }
    }

    /// Begins the task of a delegation that the conversation shows. One that the caller noted by itself stays.
    fn take_up(&mut self, message: &Message<'_>) {
        let Some(words) = message.context.delegation(message.agent) else {
            return;
        };
        let key = (message.channel.to_owned(), message.agent.to_owned());
        let known = self.found.get(&key);
        if known == Some(&words) {
            return;
        }
        let noted = known.is_none()
            && self
                .channels
                .get(message.channel)
                .and_then(|state| state.agents.get(message.agent))
                .is_some_and(|agent| agent.task.is_some());
        if !noted {
            self.delegate(message.channel, message.agent, &words);
        }
        self.found.insert(key, words);
    }

    /// The decision, and the text as it was handed in.
    fn decide(&mut self, message: &Message<'_>, last_door: bool) -> (Decision, String) {
        self.take_up(message);
        let audience = conversation::audience_of(&message.context, message.agent);
        let event = Event {
            host: "library".to_owned(),
            native: "message".to_owned(),
            session: message.channel.to_owned(),
            agent: Some(proctor_kernel::Agent {
                id: message.agent.to_owned(),
                kind: message.agent.to_owned(),
            }),
            cwd: String::new(),
            turn: None,
            kind: EventKind::Message {
                text: message.text.to_owned(),
            },
            input: NO_INPUT.clone(),
        };
        let state = self.channels.entry(message.channel.to_owned()).or_default();
        let inputs = Inputs {
            event: &event,
            settings: &self.settings,
            breakers: &self.breakers,
            audience: Some(audience),
            launched: false,
            apart: None,
            known: true,
            forgetful: false,
            last_door,
            stop_cap: None,
            aside: &(),
            keeps: false,
            clock: &self.clock,
            sight: &Told(message.changed),
        };
        let ruling = decide(&inputs, std::mem::take(state));
        *state = ruling.state;
        let (alerts, _) = self.breakers.observe(&ruling.decision.reports, self.clock.now());
        let mut decision = ruling.decision;
        decision.alerts.extend(alerts);
        let text = match event.kind {
            EventKind::Message { text } => text,
            _ => message.text.to_owned(),
        };
        (decision, text)
    }
}

/// A library without a work tree: which files changed is known where the caller says so.
struct Told<'a>(Option<&'a [String]>);

impl World for Told<'_> {
    fn changed_files(&self, _: &Task) -> Result<Vec<String>, GateError> {
        match self.0 {
            Some(files) => Ok(files.to_vec()),
            None => Err(GateError::new("the library was not told which files changed")),
        }
    }
}

impl Sight for Told<'_> {
    fn tells_changes(&self) -> bool {
        self.0.is_some()
    }

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

    fn small_tree(&self) -> Option<TreeId> {
        None
    }

    fn only_litter(&self, _: &TreeId, _: &TreeId) -> bool {
        false
    }

    fn relative(&self, path: &str) -> String {
        path.to_owned()
    }

    fn placed(&self, _: &proctor_shell::Check, _: &[String], _: &str) -> crate::whereabouts::Placed {
        crate::whereabouts::Placed::default()
    }
}
