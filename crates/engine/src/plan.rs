//! Which gates run for an event, in which mode, with which limits.

use proctor_gates::{approval, delegation, drift, looping, response, review, scope, todo};
use proctor_kernel::{
    Audience, Breaker, Context, EventTag, Gate, GateError, GateInfo, Mode, OnError, Outcome, Planned,
    ToolCall,
};
use proctor_policy::{Require, Settings};

/// What the plan depends on.
pub(crate) struct Ask<'a> {
    pub(crate) tag: EventTag,
    /// The tool that is called or has answered.
    pub(crate) tool: Option<&'a ToolCall>,
    pub(crate) settings: &'a Settings,
    pub(crate) audience: Audience,
    /// No gate goes beyond this mode.
    pub(crate) ceiling: Mode,
    /// The turn ends in a pause (a question to the user, running work, an agent that was stopped): open work is no fault then.
    pub(crate) pause: bool,
    /// The pause covers what the text claims, too: it is a question, or what runs may bear on it.
    pub(crate) claims_wait: bool,
    /// The turn is not about the task: open items are not its matter.
    pub(crate) aside: bool,
    /// The host runs in a process that Proctor launched: the launching task is judged by its launcher.
    pub(crate) launched: bool,
    /// Refused texts in a row.
    pub(crate) rejections: u32,
    /// Whether another blocked stop is allowed.
    pub(crate) stop_retry: bool,
    /// Whether another refused delegation is allowed.
    pub(crate) delegation_retry: bool,
    /// The budget of the task is used up: one refusal in a row is all.
    pub(crate) over_budget: bool,
    /// Anything is remembered of the session; otherwise gates that compare with the task cannot run.
    pub(crate) known: bool,
    /// It is known which files changed for a message that is posted.
    pub(crate) changes_told: bool,
    /// Nothing is remembered, and a human has released the work: nobody is held for what cannot be known.
    pub(crate) released: bool,
    /// A text is on the way that will be judged at the end of its turn: only a repetition is noticed.
    pub(crate) only_shown: bool,
    /// Texts of the agent since a person last spoke; with too few there is nothing to compare.
    pub(crate) thoughts: usize,
    /// The agent's latest tool calls; without any there is nothing to repeat.
    pub(crate) steps: usize,
    /// The agent went round in circles too often.
    pub(crate) tripped: bool,
    /// The agent's last texts said the same.
    pub(crate) repeats: bool,
    /// Retries that the agent had already, for the wording of fallbacks.
    pub(crate) retries_granted: u32,
    /// Ends of its turn that were blocked in a row, for the same.
    pub(crate) stops_granted: u32,
    /// What was seen of the agent, where anything is remembered of the session.
    pub(crate) acts: Option<review::Acts>,
    /// What the agent wrote earlier in the turn.
    pub(crate) earlier: Vec<approval::Earlier>,
    pub(crate) breaker: &'a dyn Fn(&str) -> Breaker,
}

/// The gates of one event.
pub(crate) struct Plan {
    entries: Vec<Entry>,
    /// Gates that compare with the task were left out, for a human has released the work.
    pub(crate) released: bool,
}

struct Entry {
    gate: Box<dyn Gate>,
    mode: Mode,
    on_error: OnError,
    breaker: Breaker,
    retry: bool,
    retries: u32,
}

impl Plan {
    /// The plan in the pipeline's form.
    pub(crate) fn planned(&self) -> Vec<Planned<'_>> {
        self.entries
            .iter()
            .map(|e| {
                let Entry {
                    mode,
                    on_error,
                    breaker,
                    retry,
                    retries,
                    ..
                } = *e;
                Planned {
                    gate: e.gate.as_ref(),
                    mode,
                    on_error,
                    breaker,
                    retry,
                    retries,
                }
            })
            .collect()
    }

    /// Whether the gate still grants a retry.
    pub(crate) fn retries(&self, gate: &str) -> bool {
        self.entries.iter().any(|e| e.gate.info().id == gate && e.retry)
    }
}

/// Builds the plan. Gates that do not listen to the event are not even constructed.
pub(crate) fn build(ask: &Ask<'_>) -> Plan {
    let Ask { settings, .. } = ask;
    let mut plan = Plan {
        entries: Vec::with_capacity(8),
        released: ask.released,
    };
    let text_limit = |own: Option<u32>| {
        let limit = own.map_or(settings.budget.retries, |own| own.min(settings.budget.retries));
        let limit = if ask.over_budget { limit.min(1) } else { limit };
        ask.rejections < limit
    };
    // The launcher judges the texts and the work of what it launched; here it would count them twice.
    let for_tool = |info: &GateInfo, mode: Mode| match ask.tool {
        Some(tool) => settings.mode_for(info.id, &tool.name, tool.kind, mode),
        None => mode,
    };
    let own_task = |mode| if ask.launched { Mode::Off } else { mode };
    let business = |mode: Mode| own_task(if ask.pause { mode.min(Mode::Observe) } else { mode });
    let known = ask.known || ask.tag != EventTag::TurnEnd;
    let listens =
        |info: &GateInfo| info.events.contains(&ask.tag) && (!ask.only_shown || info.id == drift::INFO.id);
    let mut add = |gate: Box<dyn Gate>, mode: Mode, on_error: OnError, retry: bool| {
        let breaker = (ask.breaker)(gate.info().id);
        let mode = mode.min(ask.ceiling);
        // What a text claims is held back by the count of stops, not by that of refused texts.
        let retries = if gate.info().id == approval::INFO.id {
            ask.stops_granted
        } else {
            ask.retries_granted
        };
        plan.entries.push(Entry {
            gate,
            mode,
            on_error,
            breaker,
            retry,
            retries,
        });
    };
    if listens(&looping::INFO) && (ask.steps > 0 || ask.tripped) {
        let s = &settings.r#loop;
        add(
            Box::new(looping::Loop::new(s, ask.tripped, ask.repeats)),
            for_tool(&looping::INFO, s.mode),
            s.on_error,
            true,
        );
    }
    if listens(&delegation::INFO) {
        let s = &settings.delegation;
        add(
            Box::new(delegation::Delegation::new(s).with_texts(
                &settings.response,
                &settings.review,
                settings.approval.mode,
            )),
            for_tool(&delegation::INFO, s.mode),
            s.on_error,
            ask.delegation_retry,
        );
    }
    if listens(&response::INFO) {
        let s = &settings.response;
        let mode = if ask.audience == Audience::Agent {
            s.mode
        } else {
            s.human_mode
        };
        add(
            Box::new(response::Response::new(s)),
            own_task(mode),
            s.on_error,
            text_limit(s.max_retries),
        );
    }
    if listens(&review::INFO) {
        let s = &settings.review;
        let retry = text_limit(s.downgrade_after_retries);
        let mut gate = review::Review::new(s);
        if let Some(acts) = ask.acts.clone().filter(|_| ask.tag == EventTag::TurnEnd) {
            gate = gate.with_acts(acts, &settings.response);
        }
        add(Box::new(gate), own_task(s.mode), s.on_error, retry);
    }
    // A message that is posted comes without a session's facts; level `text` is all that can be asked of it.
    if listens(&approval::INFO) && ask.tag == EventTag::TurnEnd && !ask.released {
        let s = &settings.approval;
        // Who waits is held to what he claims, and not asked for a review of what is not done.
        let waits = ask.pause && !ask.claims_wait && s.require != Require::Never;
        let gate = Box::new(approval::Approval {
            require: if waits { Require::Claims } else { s.require },
            paths: s.paths.clone(),
            high_stakes: s.high_stakes.clone(),
            own: settings.verification.clone(),
            known,
            earlier: ask.earlier.clone(),
            on_error: s.on_error,
        });
        let mode = if ask.claims_wait {
            business(s.mode)
        } else {
            own_task(s.mode)
        };
        add(gate, mode, s.on_error, ask.stop_retry);
    }
    if listens(&drift::INFO) && ask.thoughts >= drift::FEWEST {
        let s = &settings.drift;
        // What a text gate refuses comes again by our own doing, and has a count of its own.
        let mode = if ask.rejections > 0 {
            s.mode.min(Mode::Observe)
        } else {
            s.mode
        };
        add(
            Box::new(drift::Drift::new(s)),
            business(mode),
            s.on_error,
            ask.stop_retry,
        );
    }
    let compared = ask.tag != EventTag::Message || ask.changes_told;
    if listens(&scope::INFO) && !ask.released && compared {
        let s = &settings.scope;
        let gate: Box<dyn Gate> = if known {
            Box::new(scope::Scope::new(s))
        } else {
            Box::new(Lost(&scope::INFO))
        };
        add(gate, business(s.mode), s.on_error, ask.stop_retry);
    }
    if listens(&todo::INFO) && !ask.released {
        let s = &settings.todo;
        let gate: Box<dyn Gate> = if known {
            Box::new(todo::Todo::new(s))
        } else {
            Box::new(Lost(&todo::INFO))
        };
        let mode = for_tool(&todo::INFO, s.mode);
        // Who wants no reminders has the items tracked; an end of a turn that is enforced is no reminder.
        let reminds = s.reminder_on_incomplete || (mode == Mode::Enforce && ask.tag == EventTag::TurnEnd);
        let mode = if reminds && !ask.aside {
            mode
        } else {
            mode.min(Mode::Observe)
        };
        add(gate, business(mode), s.on_error, ask.stop_retry);
    }
    plan
}

/// Stands in for a gate that compares with the task when nothing is remembered of the session: without
/// its memory "no task" would be a guess, and a guess is no pass.
struct Lost(&'static GateInfo);

impl Gate for Lost {
    fn info(&self) -> &'static GateInfo {
        self.0
    }

    fn check(&self, _: &Context<'_>) -> Result<Outcome, GateError> {
        Err(GateError::new(
            "nothing is known of what happened in this session before",
        ))
    }

    fn instruction(&self) -> &'static str {
        "Finish what the task asks for, and change no files outside it."
    }
}
