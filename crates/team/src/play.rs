//! The loop itself.

use crate::report::{Figures, Report};
use crate::tools::{Stage, ToolResult, ToolUse};
use crate::{Actor, Input, Role, Step};
use proctor_engine::{Clock, Engine};
use proctor_gates::review::{Occasion, judge_on};
use proctor_kernel::{
    Action, Agent, Decision, Delegation, Digest, Error, ErrorKind, Event, EventKind, PromptOrigin, Result,
    StartSource, ToolCall, ToolKind,
};

/// Steps of one turn after which an actor is taken for stuck.
const STEPS_PER_TURN: usize = 50;

/// One thing that the audience sees.
#[derive(Clone, Debug)]
pub enum Scene<'a> {
    /// The user's request.
    Request(&'a str),
    /// An actor is handed something to answer.
    Handed {
        /// To whom.
        to: &'a str,
        /// Its role.
        role: Role,
        /// The prompt.
        prompt: &'a str,
        /// It only reminds of what is open.
        reminder: bool,
    },
    /// An actor used a tool.
    Used {
        /// Who.
        by: &'a str,
        /// The tool.
        tool: &'a ToolUse,
        /// What came of it.
        result: &'a ToolResult,
    },
    /// A tool call was refused.
    Denied {
        /// Who asked.
        by: &'a str,
        /// The tool.
        tool: &'a ToolUse,
        /// The decision.
        decision: &'a Decision,
    },
    /// An actor said something, and Proctor decided.
    Said {
        /// Who.
        by: &'a str,
        /// Its role.
        role: Role,
        /// The text.
        text: &'a str,
        /// The decision.
        decision: &'a Decision,
    },
    /// The end.
    End(&'a Ending),
}

/// Sees the play.
pub trait Observer {
    /// One scene.
    fn see(&mut self, scene: &Scene<'_>);
}

/// How a play ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The reviewer approved with evidence: released.
    Released,
    /// Attempts are used up, or a gate still objects: a human has to look at it.
    Escalated {
        /// Why.
        why: String,
    },
}

/// A worker-reviewer loop ready to run.
pub struct Play<'a, C: Clock> {
    /// The engine that decides.
    pub engine: &'a mut Engine<C>,
    /// Where tools happen.
    pub stage: Stage,
    /// The cast.
    pub lead: &'a mut dyn Actor,
    /// The worker.
    pub worker: &'a mut dyn Actor,
    /// The reviewer.
    pub reviewer: &'a mut dyn Actor,
    /// Reviews after which the work is escalated.
    pub review_attempts: u32,
    /// Name of the session in the records.
    pub session: String,
}

/// A turn that the engine let through.
struct Turn {
    text: String,
    escalated: bool,
    /// Soft warnings of this turn: what is still open.
    open: Vec<String>,
}

impl<C: Clock> Play<'_, C> {
    /// Plays: request → delegation → work → review → (findings → work → review …) → release.
    ///
    /// # Errors
    /// When an actor cannot answer or a tool cannot be started: could not run, which is never an approval.
    pub fn run(&mut self, request: &str, observer: &mut dyn Observer) -> Result<(Ending, Report)> {
        let mut figures = Figures::default();
        self.show(
            None,
            EventKind::SessionStart {
                source: StartSource::Startup,
            },
        );
        observer.see(&Scene::Request(request));

        let delegation = self
            .turn(Role::Lead, request, PromptOrigin::User, observer, &mut figures)?
            .text;
        self.delegate(Role::Worker, &delegation);
        let mut work = self.work(&delegation, observer, &mut figures)?;
        let mut ending = None;
        for attempt in 1..=self.review_attempts {
            let brief = review_brief(&delegation, &work.text);
            if attempt == 1 {
                self.delegate(Role::Reviewer, &brief);
            }
            let review = self.turn(
                Role::Reviewer,
                &brief,
                PromptOrigin::Agent,
                observer,
                &mut figures,
            )?;
            let verdict = judge_on(&review.text, &self.engine.settings().review, &|| Occasion::Review);
            if verdict.is_approval && !review.escalated && !work.escalated {
                ending = Some(Ending::Released);
                break;
            }
            if attempt < self.review_attempts {
                work = self.work(
                    &format!("The reviewer found:\n{}", review.text),
                    observer,
                    &mut figures,
                )?;
            }
        }
        let ending = ending.unwrap_or_else(|| Ending::Escalated {
            why: format!("no approval with evidence after {} reviews", self.review_attempts),
        });
        self.show(
            None,
            EventKind::SessionEnd {
                reason: "play ended".to_owned(),
            },
        );
        observer.see(&Scene::End(&ending));
        Ok((ending.clone(), figures.report(ending)))
    }

    /// Lets the worker work until nothing is reminded of, or reminding changes nothing.
    fn work(&mut self, prompt: &str, observer: &mut dyn Observer, figures: &mut Figures) -> Result<Turn> {
        let mut turn = self.turn(Role::Worker, prompt, PromptOrigin::Agent, observer, figures)?;
        let mut reminders = 0;
        while !turn.open.is_empty() && reminders < self.review_attempts {
            reminders += 1;
            let before = std::mem::take(&mut turn.open);
            turn = self.turn(
                Role::Worker,
                &before.join("\n"),
                PromptOrigin::Machine,
                observer,
                figures,
            )?;
            if turn.open == before {
                break;
            }
        }
        Ok(turn)
    }

    /// One turn of one actor: until the engine lets its text through.
    fn turn(
        &mut self,
        role: Role,
        prompt: &str,
        origin: PromptOrigin,
        observer: &mut dyn Observer,
        figures: &mut Figures,
    ) -> Result<Turn> {
        let opening = self.show(
            Some(role),
            EventKind::Prompt {
                text: prompt.to_owned(),
                origin,
            },
        );
        let mut notes = texts(&opening);
        let name = self.actor(role).name().to_owned();
        let reminder = origin == PromptOrigin::Machine;
        observer.see(&Scene::Handed {
            to: &name,
            role,
            prompt,
            reminder,
        });
        let mut step = self.actor(role).next(Input::Prompt(prompt), &notes)?;
        let mut refused = false;
        for _ in 0..STEPS_PER_TURN {
            notes.clear();
            match step {
                Step::Use(tool) => {
                    let call = tool_call(&tool);
                    let decision = self.show(Some(role), EventKind::ToolCall { call: call.clone() });
                    if decision.action >= Action::Ask {
                        observer.see(&Scene::Denied {
                            by: &name,
                            tool: &tool,
                            decision: &decision,
                        });
                        step = self
                            .actor(role)
                            .next(Input::Denied(&decision.reason), &texts(&decision))?;
                        continue;
                    }
                    notes.extend(texts(&decision));
                    let result = self.stage.perform(&tool)?;
                    let outcome = result.outcome(&tool);
                    notes.extend(texts(
                        &self.show(Some(role), EventKind::ToolResult { call, outcome }),
                    ));
                    observer.see(&Scene::Used {
                        by: &name,
                        tool: &tool,
                        result: &result,
                    });
                    step = self.actor(role).next(Input::Result(&result), &notes)?;
                }
                Step::Say(text) => {
                    let end = EventKind::TurnEnd {
                        text: text.clone(),
                        again: refused,
                        background: 0,
                    };
                    let decision = self.show(Some(role), end);
                    figures.said(role, &text, &decision);
                    observer.see(&Scene::Said {
                        by: &name,
                        role,
                        text: &text,
                        decision: &decision,
                    });
                    if decision.action >= Action::Ask {
                        refused = true;
                        step = self.actor(role).next(Input::Refused(&decision.reason), &[])?;
                        continue;
                    }
                    let open = texts(&decision);
                    let text = decision.text.unwrap_or(text);
                    return Ok(Turn {
                        text,
                        escalated: decision.escalated,
                        open,
                    });
                }
            }
        }
        Err(Error::new(
            ErrorKind::Host,
            format!("{name} did not end its turn within {STEPS_PER_TURN} steps"),
        ))
    }

    /// Hands the delegation to another actor: the delegating call first, then the start of its receiver.
    fn delegate(&mut self, to: Role, prompt: &str) {
        let call = ToolCall {
            id: Some(format!("{}-{}", self.session, to.as_str())),
            delegation: Some(Delegation {
                prompt: prompt.to_owned(),
                agent: to.as_str().to_owned(),
            }),
            ..ToolCall::new("delegate", ToolKind::Delegate)
        };
        self.show(Some(Role::Lead), EventKind::ToolCall { call });
        self.show(Some(to), EventKind::SubagentStart);
    }

    fn actor(&mut self, role: Role) -> &mut dyn Actor {
        match role {
            Role::Lead => self.lead,
            Role::Worker => self.worker,
            Role::Reviewer => self.reviewer,
        }
    }

    /// Shows the engine an event, as a host's hook would.
    fn show(&mut self, role: Option<Role>, kind: EventKind) -> Decision {
        let native = format!("{:?}", kind.tag());
        let agent = role.map(|r| Agent {
            id: self.actor(r).name().to_owned(),
            kind: r.as_str().to_owned(),
        });
        let input = serde_json::to_vec(&kind)
            .map(|bytes| Digest::of(&bytes))
            .unwrap_or_else(|_| Digest::of(b""));
        let event = Event {
            host: "team".to_owned(),
            native,
            session: self.session.clone(),
            agent,
            cwd: self.stage.root().display().to_string(),
            turn: None,
            kind,
            input,
        };
        self.engine.handle(&event, &()).decision
    }
}

fn texts(decision: &Decision) -> Vec<String> {
    decision.notes.iter().map(|n| n.text.clone()).collect()
}

fn tool_call(tool: &ToolUse) -> ToolCall {
    let (kind, paths, command) = match tool {
        ToolUse::Write { path, .. } => (ToolKind::Write, vec![path.clone()], None),
        ToolUse::Read { path } => (ToolKind::Read, vec![path.clone()], None),
        ToolUse::Run { command } => (ToolKind::Shell, Vec::new(), Some(command.clone())),
    };
    ToolCall {
        // What begins and what ends is the same call.
        id: Some(Digest::of(format!("{tool:?}").as_bytes()).to_string()),
        paths,
        command,
        ..ToolCall::new(tool.name(), kind)
    }
}

/// What a reviewer is asked: the task and the worker's words as claims, not as facts.
fn review_brief(delegation: &str, claim: &str) -> String {
    let quote = |text: &str| {
        text.lines()
            .map(|line| format!("> {line}"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let (delegation, claim) = (quote(delegation), quote(claim));
    format!(
        "TASK: Review the work on the task below. Find what is wrong with it; you do not work for its author.\n\
         EXPECTED OUTCOME: A line VERDICT: APPROVE or VERDICT: REJECT, with what you ran and what came out. \
         Read-only: do not modify any file.\n\
         REQUIRED TOOLS: the shell, to run the project's tests.\n\
         MUST DO: run the tests yourself.\n\
         MUST NOT DO: approve on the author's word.\n\
         CONTEXT: the task was:\n{delegation}\n\nIts author says:\n{claim}"
    )
}
