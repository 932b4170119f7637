//! The engine with its files: opens the repository, its state and its policy, and handles events.

use crate::breaker::Breakers;
use crate::decide::{Inputs, Ruling, decide};
use crate::floor::Held;
use crate::place::{Identity, identity, is_expected, open_repo};
use crate::policy::{Policy, load};
use crate::record::{DecisionRecord, KIND};
use crate::review::ReviewEvent;
use crate::review::charge::CHARGE;
use crate::session::{Change, Facts, Gap, MOST_KEPT, SessionState};
use crate::sight::{FileSight, Place, Who};
use crate::{Aside, Clock, Surroundings};
use proctor_kernel::{
    Action, Decision, Digest, Error, Event, EventKind, EventTag, Id, Mode, OnError, Result, StartSource,
    Status, TreeId,
};
use proctor_ledger::{Draft, Durability, Flaw, Fold, Journal, Position, Problem, Record, Stamp, Store};
use proctor_policy::Settings;
use proctor_worktree::Repo;
use serde::Deserialize;
use std::fmt::Write;

/// What lost records mean for the work, and how it goes on.
const LOST: &str = "What the task asked for is not known any more, so gates that compare with it could not run. Give the \
    task again, with what must come out or the files that it is about (or `proctor task start`), or release the work (`proctor review release`)";

pub(crate) const BREAKERS: &str = "breakers.json";

impl Fold for SessionState {
    const VERSION: u32 = 4;

    fn loss(&self, problems: &[Problem], end: &Position) -> Option<(&'static str, serde_json::Value)> {
        Self::loss_record(self.new_gap(problems, end)?)
    }

    fn apply(&mut self, record: &Record) {
        /// The part of a body that changes state; every kind of record may have it.
        #[derive(Deserialize)]
        struct Body {
            #[serde(default)]
            changes: Vec<serde_json::Value>,
        }
        // A reviewer's end is no sign of life of the session.
        if record.kind != CHARGE {
            self.cost.last = record.millis;
        }
        let Ok(body) = record.body::<Body>() else { return };
        for change in body.changes {
            // A change of a later version is skipped, not fatal: the rest still counts.
            if let Ok(change) = serde_json::from_value::<Change>(change) {
                Self::apply(self, &change);
                if let (Change::Checked { .. }, Some(run)) = (&change, self.facts.runs.last_mut()) {
                    run.id.clone_from(&record.id);
                }
            }
        }
    }
}

/// The engine for one place. Opening never fails: what is missing or broken becomes a fault that the
/// user is told about, and the gates decide with what there is.
pub struct Engine<C> {
    pub(crate) surroundings: Surroundings,
    pub(crate) clock: C,
    pub(crate) repo: Option<Repo>,
    pub(crate) identity: Identity,
    pub(crate) store: Result<Store>,
    pub(crate) policy: Policy,
    /// What holds beside the policy files as they are.
    pub(crate) held: Held,
    pub(crate) faults: Vec<String>,
}

/// The engine's answer to one event.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Id of the decision's record.
    pub id: Id,
    /// The decision.
    pub decision: Decision,
    /// Whether the record was written.
    pub recorded: bool,
}

impl<C: Clock> Engine<C> {
    /// Opens the engine at a place.
    pub fn open(surroundings: Surroundings, clock: C) -> Self {
        let mut faults = Vec::new();
        let mut repo = open_repo(&surroundings, &mut faults).map(|repo| match &surroundings.git_folders {
            Some(folders) => repo.with_caller(folders),
            None => repo,
        });
        let identity = identity(repo.as_mut(), &surroundings, &clock, &mut faults);
        let root = surroundings
            .state
            .clone()
            .unwrap_or_else(|| surroundings.state_home.join(&identity.id));
        let expected = is_expected(&identity, &surroundings, repo.as_ref());
        let store = Store::open(root, expected);
        let policy = load(
            &surroundings,
            repo.as_ref().and_then(Repo::root),
            store.as_ref().ok(),
        );
        Self {
            surroundings,
            clock,
            repo,
            identity,
            store,
            policy,
            held: Held::default(),
            faults,
        }
    }

    /// What was found wrong with this place when it was opened.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The settings of the policy files.
    pub(crate) fn file_settings(&self) -> &Settings {
        &self.policy.settings
    }

    /// Whether an end of turn that cannot be judged at all must be refused: an enforcing gate fails closed.
    pub fn stop_fails_closed(&self) -> bool {
        let Settings {
            enabled,
            review,
            response,
            scope,
            todo,
            drift,
            approval,
            ..
        } = &self.policy.settings;
        let gates = [
            (approval.mode, approval.on_error),
            (review.mode, review.on_error),
            (response.mode, response.on_error),
            (scope.mode, scope.on_error),
            (todo.mode, todo.on_error),
            (drift.mode, drift.on_error),
        ];
        *enabled && gates.contains(&(Mode::Enforce, OnError::Block))
    }

    /// Whether a tool call that cannot be judged at all must be refused. `delegates`: it may start a subagent.
    pub fn tool_fails_closed(&self, delegates: bool) -> bool {
        let settings = &self.policy.settings;
        let (delegation, r#loop) = (&settings.delegation, &settings.r#loop);
        let closed = (Mode::Enforce, OnError::Block);
        // Which tool it is cannot be known.
        let mode = |gate, own| settings.strictest_mode(gate, own);
        settings.enabled
            && ((mode("loop", r#loop.mode), r#loop.on_error) == closed
                || (delegates && (mode("delegation", delegation.mode), delegation.on_error) == closed))
    }

    /// Digest of the policy in force.
    pub fn policy_digest(&self) -> &Digest {
        &self.policy.digest
    }

    /// What is wrong with the policy files, for the user.
    pub fn policy_note(&self) -> Option<&str> {
        self.policy.note.as_deref()
    }

    /// A mistake in the policy files that may hide what they ask of work before it may go: nothing that they seem not to
    /// ask for is told to be fine then.
    pub fn policy_doubt(&self) -> Option<&str> {
        self.policy.doubt.as_deref()
    }

    /// Whether the user's own policy file names the checks.
    pub(crate) fn checks_are_the_users_own(&self) -> bool {
        self.held_keys().is_empty() && self.policy.checks_are_the_users_own()
    }

    /// The repository, where there is one.
    pub fn repo(&self) -> Option<&Repo> {
        self.repo.as_ref()
    }

    /// The clock.
    pub fn clock(&self) -> &C {
        &self.clock
    }

    /// The id under which this place's state is kept.
    pub fn id(&self) -> &str {
        &self.identity.id
    }

    /// The state folder.
    ///
    /// # Errors
    /// Kind `store` when it cannot be read.
    pub fn store(&self) -> Result<&Store> {
        self.store.as_ref().map_err(copy)
    }

    /// Gates that failed lately.
    pub fn breakers(&self) -> Breakers {
        let read = self.store().and_then(|s| s.read_json(BREAKERS));
        read.ok().flatten().unwrap_or_default()
    }

    /// Handles one event: decides, records, and answers. `aside` tells what the host's own files hold; it is
    /// asked only when there is need.
    pub fn handle(&mut self, event: &Event, aside: &dyn Aside) -> Answer {
        let start = self.clock.micros();
        self.begin_git();
        let mut faults = std::mem::take(&mut self.faults);
        let mut alerts = Vec::new();
        self.set_up(&mut alerts);
        let tag = event.kind.tag();
        if matches!(tag, EventTag::SessionStart | EventTag::Prompt | EventTag::TurnEnd) {
            alerts.extend(self.tell_what_is_gone(tag == EventTag::SessionStart));
        }
        if tag == EventTag::SessionStart {
            alerts.extend(self.stray_policy_files());
        }
        let mut journal = self.journal(event, &mut faults, &mut alerts);
        let unread = self.unread_task(event, journal.as_ref());
        faults.extend(unread.as_ref().map(|error| {
            format!("{error}: whether this conversation's work is what it asks for is not known; set it again with `proctor task start`")
        }));
        self.hold_event(event, journal.as_ref());
        let breakers = self.breakers();
        if matches!(event.kind.tag(), EventTag::SessionStart | EventTag::Prompt) {
            alerts.extend(
                self.store()
                    .ok()
                    .map(|store| self.policy.keep(store))
                    .into_iter()
                    .flatten(),
            );
        }
        if event.kind.tag() == EventTag::TurnEnd && event.agent.is_none() {
            alerts.extend(self.store().ok().and_then(|store| self.policy.loosened(store)));
        }
        alerts.extend(self.tell_held(event));
        let launched = self.is_launched(event, &mut faults);

        let mut ruling = self.rule(event, journal.as_ref(), &breakers, launched, aside);
        if journal.is_some()
            && let Some(outcome) = self.start_review(event, &ruling, launched, aside)
        {
            if outcome.again {
                // A reviewer was waited for meanwhile.
                self.begin_git();
                ruling = self.rule(event, journal.as_ref(), &breakers, launched, aside);
            }
            outcome.add_to(&mut ruling);
        }
        if let Some(journal) = &journal {
            self.tell_review(event, journal.state(), &mut ruling);
            self.tell_refusal(event, journal.state(), &mut ruling);
        }
        self.take_up_set_task(event, journal.as_ref(), &mut ruling);
        self.note_floor(&mut ruling.changes);
        alerts.extend(self.policy_alert(journal.as_ref(), &mut ruling));
        if unread.is_none()
            && is_known(journal.as_ref(), event)
            && journal.as_ref().is_none_or(|j| self.gap(event, j).is_none())
        {
            alerts.extend(self.watch_breakers(breakers.clone(), &ruling.decision));
        }
        tell(event, journal.as_ref(), &mut ruling, alerts);

        if let Some(journal) = &journal
            && let Err(error) = self.note_what_is_left(event, journal.state(), &ruling)
        {
            faults.push(format!("what is left unreviewed cannot be noted: {error}"));
        }
        let micros = self.clock.micros().saturating_sub(start);
        let mut id = self.clock.id();
        let mut recorded = false;
        let mut missed = None;
        if let Some(journal) = &mut journal {
            aside.about_to_record();
            match self.record(journal, event, &ruling, micros) {
                Ok(written) => (id, recorded) = (written, true),
                Err(error) => {
                    if proctor_ledger::is_busy(&error) {
                        let native = &event.native;
                        missed = Some(format!(
                            "this {native} is not on record, so no gate will know of it: {error}"
                        ));
                    } else {
                        faults.push(format!("decisions cannot be recorded: {error}"));
                    }
                    // Counts cannot be kept, so the host's own flag has to do: no loop without an end.
                    ruling = self.rule(event, None, &breakers, launched, aside);
                }
            }
        }
        // After the record: what another process was just writing is whole by then.
        faults.extend(journal.as_ref().and_then(damaged_lines));
        let mut decision = ruling.decision;
        if decision.escalated
            && let Err(error) = self.record_escalation(event, &decision, ruling.tree)
        {
            faults.push(format!("that the work is unreviewed cannot be recorded: {error}"));
        }
        if decision.action >= Action::Ask {
            let _ = write!(decision.reason, "\n(proctor decision {id})");
        }
        // A fault that lasts is found again with each event; said twice a turn it is loud enough.
        if matches!(event.kind.tag(), EventTag::Prompt | EventTag::TurnEnd) {
            decision.alerts.extend(faults);
        }
        // A writer in the way is gone by the next event, and what was missed would be told to nobody.
        decision.alerts.extend(missed);
        if event.kind.tag() == EventTag::SessionEnd {
            self.tidy();
        }
        Answer {
            id,
            decision,
            recorded,
        }
    }

    /// The git calls of an event have one time limit together.
    fn begin_git(&mut self) {
        self.repo = self.repo.take().map(Repo::with_one_limit);
    }

    /// Work that was let go although a gate objects stays unreviewed until a human says otherwise, whatever
    /// becomes of this session's own log.
    fn record_escalation(&mut self, event: &Event, decision: &Decision, tree: Option<TreeId>) -> Result<()> {
        let objections = decision.reports.iter().flat_map(|r| &r.findings);
        let rules: Vec<&str> = objections
            .filter(|f| f.verdict == proctor_kernel::Verdict::Block)
            .map(|f| f.rule.as_str())
            .collect();
        let tree = tree.or_else(|| self.tree().ok().flatten());
        let why = if event.kind.tag() == EventTag::SessionEnd {
            "the session ended while a gate objected to the end of its turn".to_owned()
        } else if rules.is_empty() {
            let blind = decision
                .reports
                .iter()
                .filter(|r| matches!(r.status, Status::CouldNotRun { .. }));
            let gates: Vec<&str> = blind.map(|r| r.gate.as_str()).collect();
            format!("let go while gates could not run: {}", gates.join(", "))
        } else {
            format!("let go although gates object: {}", rules.join(", "))
        };
        self.record_review(vec![ReviewEvent::Escalated {
            session: format!("{}-{}", event.host, event.session),
            why,
            tree,
        }])?;
        Ok(())
    }

    fn rule(
        &self,
        event: &Event,
        journal: Option<&Journal<SessionState>>,
        breakers: &Breakers,
        launched: bool,
        aside: &dyn Aside,
    ) -> Ruling {
        let unknown = SessionState::default();
        let gap = journal.and_then(|j| self.gap(event, j));
        let lost = gap.as_ref().zip(journal).map(|((gap, _), journal)| {
            let mut state = journal.state().clone();
            state.apply(&Change::MemoryLost(gap.clone()));
            state
        });
        let apart = self.apart(event, journal);
        let known = journal.filter(|j| j.position().seq > 0).map(Journal::state);
        let who = known.map(|state| Who {
            state,
            agent: event.agent.as_ref().map_or("", |a| a.id.as_str()),
            pins: self
                .surroundings
                .state
                .as_ref()
                .unwrap_or(&self.surroundings.state_home),
            root: self.repo.as_ref().and_then(Repo::root),
        });
        let session = format!("{}-{}", event.host, event.session);
        let mut place = self.place(&event.cwd, known.map(|state| &state.facts), session);
        let apart_root = apart.as_ref().and_then(Repo::root);
        let agent = event.agent.as_ref().map_or("", |a| a.id.as_str());
        let task = journal.and_then(|j| j.state().agents.get(agent)?.task.as_ref());
        place.who = who;
        place.began = task.and_then(|task| task.base.as_deref());
        if let Some(root) = apart_root {
            (place.repo, place.home) = (apart.as_ref(), root);
        }
        let sight = FileSight::new(place);
        let state = lost.as_ref().or(journal.map(Journal::state)).unwrap_or(&unknown);
        let inputs = Inputs {
            event,
            settings: self.settings(),
            breakers,
            audience: self.surroundings.audience.filter(|_| event.agent.is_none()),
            launched,
            apart: apart_root.and_then(std::path::Path::to_str),
            known: gap.is_none() && is_known(journal, event) && self.unread_task(event, journal).is_none(),
            forgetful: journal.is_none(),
            last_door: false,
            stop_cap: self.surroundings.stop_cap,
            aside,
            keeps: true,
            clock: &self.clock,
            sight: &sight,
        };
        let mut ruling = decide(&inputs, state.clone());
        ruling.tree = sight.seen();
        if let Some((gap, false)) = gap {
            ruling.changes.insert(0, Change::MemoryLost(gap));
        }
        ruling
    }

    /// The work tree of its own in which a subagent works: the host names it when the subagent starts, and from then on it is
    /// the same wherever the subagent walks.
    fn apart(&self, event: &Event, journal: Option<&Journal<SessionState>>) -> Option<Repo> {
        let agent = &event.agent.as_ref()?.id;
        let root = match event.kind {
            EventKind::SubagentStart => &event.cwd,
            _ => &journal?.state().agents.get(agent)?.apart.as_ref()?.root,
        };
        let ours = self.repo.as_ref()?;
        let root = std::path::Path::new(root);
        ours.work_tree_at(root).filter(|_| root.is_absolute())
    }

    /// What of the session's records is found to be lost by this event, and whether the log says it by itself: then it is
    /// kept by whoever writes next.
    fn gap(&self, event: &Event, journal: &Journal<SessionState>) -> Option<(Gap, bool)> {
        if let Some(gap) = journal.state().new_gap(journal.problems(), journal.position()) {
            return Some((gap, true));
        }
        // A session that begins had nothing to lose; of one that goes on the records were in the folder that is gone.
        let begins = matches!(
            event.kind,
            EventKind::SessionStart {
                source: StartSource::Startup | StartSource::Clear
            }
        );
        let is_empty = journal.position().seq == 0;
        // What came before it stands under another id, which the host does not tell, or nowhere.
        let goes_on = matches!(
            event.kind,
            EventKind::SessionStart {
                source: StartSource::Resume | StartSource::Fork
            }
        );
        let replaced = || self.store().ok()?.marker().map(|m| m.lost);
        if is_empty && !begins && replaced() == Some(true) {
            return Some((SessionState::unheard_of(), false));
        }
        (is_empty && goes_on).then(|| (SessionState::goes_on(), false))
    }

    /// The work tree, the records and the embedder, as gates and engine may see them.
    pub(crate) fn sight<'a>(
        &'a self,
        cwd: &'a str,
        facts: Option<&'a Facts>,
        session: String,
    ) -> FileSight<'a> {
        FileSight::new(self.place(cwd, facts, session))
    }

    fn place<'a>(&'a self, cwd: &'a str, facts: Option<&'a Facts>, session: String) -> Place<'a> {
        Place {
            repo: self.repo.as_ref(),
            store: self.store.as_ref().ok(),
            home: &self.surroundings.cwd,
            cwd,
            settings: self.settings(),
            also: self.held.also.as_ref(),
            secret: self.surroundings.secret,
            processes: self.surroundings.processes,
            user_home: self.surroundings.home.as_deref(),
            own: self.surroundings.user_policy.as_deref(),
            facts,
            who: None,
            session,
            began: None,
            now: self.clock.now(),
        }
    }

    fn journal(
        &self,
        event: &Event,
        faults: &mut Vec<String>,
        alerts: &mut Vec<String>,
    ) -> Option<Journal<SessionState>> {
        let opened = self
            .store()
            .and_then(|s| s.journal(&format!("{}-{}", event.host, event.session)));
        match opened {
            Ok(journal) => {
                if let Some((gap, _)) = self.gap(event, &journal).filter(|(gap, _)| gap.is_elsewhere()) {
                    alerts.push(format!("{}. {LOST}", gap.what));
                } else if let Some((gap, _)) = self.gap(event, &journal) {
                    // Kept with the session until it is heard.
                    alerts.push(format!(
                        "records of this session ({}) were removed or rewritten, or lost in a power failure: {}. {LOST}; \
                         `proctor fsck` looks at what is left",
                        journal.name(),
                        gap.what
                    ));
                } else if journal.state().lost {
                    let elsewhere = journal.state().gap.as_ref().filter(|gap| gap.is_elsewhere());
                    let why = elsewhere.map_or("records of this session were lost", |gap| &gap.what);
                    faults.push(format!("{why}. {LOST}"));
                }
                Some(journal)
            }
            Err(error) => {
                faults.push(format!(
                    "the state cannot be read, so nothing is remembered: {error}"
                ));
                None
            }
        }
    }

    fn record(
        &self,
        journal: &mut Journal<SessionState>,
        event: &Event,
        ruling: &Ruling,
        micros: u64,
    ) -> Result<Id> {
        let agent = event.agent.as_ref().map_or("", |a| a.id.as_str());
        let mut record = DecisionRecord::new(event, &ruling.decision, ruling.changes.clone());
        record.policy = self.policy.digest.clone();
        record.audience = ruling.audience;
        record.task = journal
            .state()
            .agents
            .get(agent)
            .and_then(|a| a.task.as_ref())
            .map(|t| t.id.clone());
        record.micros = micros;
        record.spent = ruling.spent;
        if ruling.judged.is_some() && journal.state().kept < MOST_KEPT {
            record.judged.clone_from(&ruling.judged);
            record.changes.push(Change::Kept);
        }
        let draft = Draft::new(self.stamp(), KIND, &record)?;
        let id = draft.id().clone();
        journal.commit(vec![draft], Durability::Buffered)?;
        Ok(id)
    }

    /// Digest of the program that runs. Records under a test's clock do not depend on the machine.
    pub(crate) fn build(&self) -> Option<String> {
        let find = self.surroundings.build.filter(|_| !self.clock.is_test());
        find.and_then(|find| find())
    }

    pub(crate) fn stamp(&self) -> Stamp {
        Stamp {
            millis: self.clock.now(),
            random: self.clock.random(),
            test: self.clock.is_test(),
        }
    }

    /// Updates the breakers' file when a gate failed or came back; most events change nothing.
    fn watch_breakers(&self, mut breakers: Breakers, decision: &Decision) -> Vec<String> {
        let now = self.clock.now();
        let (alerts, changed) = breakers.observe(&decision.reports, now);
        if changed && let Ok(store) = self.store() {
            let update = |b: &mut Breakers| b.observe(&decision.reports, now).1;
            if let Err(error) = store.update_json(BREAKERS, update) {
                return vec![format!("the breakers cannot be kept: {error}")];
            }
        }
        alerts
    }

    /// Tells the user about policy problems once per session and state of the files.
    fn policy_alert(&self, journal: Option<&Journal<SessionState>>, ruling: &mut Ruling) -> Option<String> {
        let note = self.policy.note.as_ref()?;
        if journal.is_some_and(|j| j.state().told.as_ref() == Some(&self.policy.digest)) {
            return None;
        }
        ruling.changes.push(Change::Told {
            digest: self.policy.digest.clone(),
        });
        Some(note.clone())
    }
}

/// Gives the user what must be said, now if the answer to this event is shown, else with the next one
/// that is (measured for Claude Code 2.1.329: not at the start of a session, not in subagents).
fn tell(event: &Event, journal: Option<&Journal<SessionState>>, ruling: &mut Ruling, alerts: Vec<String>) {
    let tags = [
        EventTag::Prompt,
        EventTag::ToolCall,
        EventTag::ToolResult,
        EventTag::TurnEnd,
    ];
    let decision = &mut ruling.decision;
    decision.alerts.extend(alerts);
    if event.agent.is_none() && tags.contains(&event.kind.tag()) {
        if let Some(waiting) = journal.map(|j| &j.state().alerts).filter(|a| !a.is_empty()) {
            decision.alerts.splice(0..0, waiting.iter().cloned());
            ruling.changes.push(Change::Heard);
        }
    } else if !decision.alerts.is_empty() {
        ruling.changes.push(Change::Alerted {
            alerts: decision.alerts.clone(),
        });
    }
}

/// Whether the session is remembered from a beginning on. The end of a turn of which nothing is known, or only
/// what came after the state folder or the log was removed, must not pass for one without a task.
fn is_known(journal: Option<&Journal<SessionState>>, event: &Event) -> bool {
    let agent = event.agent.as_ref().map_or("", |a| a.id.as_str());
    // A subagent's delegation is a beginning of its own.
    let delegated = |state: &SessionState| state.agents.get(agent).is_some_and(|a| a.task.is_some());
    let whole = |state: &SessionState| state.agents.get(agent).is_none_or(|a| !a.lost);
    journal.is_some_and(|j| whole(j.state()) && (j.state().met || delegated(j.state())))
}

/// That lines of a session's log are damaged.
fn damaged_lines(journal: &Journal<SessionState>) -> Option<String> {
    let damaged = |p: &&Problem| !matches!(p.flaw, Flaw::Rewritten | Flaw::Overwritten);
    let count = journal.problems().iter().filter(damaged).count();
    (count > 0).then(|| format!("{count} damaged line(s) in this session's log were left out"))
}

/// Errors are not `Clone`; the store's is needed more than once.
pub(crate) fn copy(error: &Error) -> Error {
    let copy = Error::new(error.kind(), error.to_string());
    error.hints().iter().fold(copy, |e, hint| e.hint(hint.clone()))
}

/// Digest of the bytes of a policy that is not there.
pub(crate) fn no_policy() -> Digest {
    Digest::of(b"built-in")
}
