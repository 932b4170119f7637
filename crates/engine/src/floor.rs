//! The policy that a task began under. What it asks of work before that may go holds until the task is over, whatever
//! becomes of the project's policy files meanwhile: who changes them with the work is judged by both.
//!
//! A task's floor is the project's files as they stood when it began, and the policy of the commit at which it began
//! where that one is stricter. The user's own file always counts as it is.

use crate::engine::no_policy;
use crate::policy::{PROJECT, Policy};
use crate::review::{PartyKind, Requirements, Review, ReviewVerdict, checks_digest};
use crate::session::{Change, SessionState};
use crate::{Clock, Engine};
use proctor_kernel::{Digest, Event, EventTag, Result};
use proctor_ledger::Journal;
use proctor_policy::{MAX_FILE, Settings, SourceFile, Sources, hold, resolve};
use proctor_worktree::{FileAt, Repo};
use serde::{Deserialize, Serialize};

/// Folder in the state folder, with a file for each floor.
const FOLDER: &str = "policies";

/// Which floor a task stands on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Under {
    /// Digest of the policy files when it began: while they are the same nothing needs to be compared.
    pub policy: Digest,
    /// Name of the floor.
    pub floor: Digest,
    /// The commit's policy was stricter than the files already.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub committed: bool,
}

/// The texts of a floor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Floor {
    /// `.proctor/proctor.yaml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    /// `.proctor/local.yaml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    local: Option<String>,
    /// The project's file of the commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    committed: Option<String>,
}

/// What holds beside the policy files as they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    /// The settings that decide; `None`: those of the files.
    settings: Option<Settings>,
    /// The keys in which they are stricter than the files.
    raised: Vec<&'static str>,
    /// Checks under which a person approved a looser policy: that approval goes on to count.
    pub(crate) also: Option<Digest>,
}

impl<C: Clock> Engine<C> {
    /// The settings that decide: those of the policy files, raised to what the task at hand began under.
    pub fn settings(&self) -> &Settings {
        self.held.settings.as_ref().unwrap_or(self.file_settings())
    }

    /// The keys in which what the task began under is stricter than the policy files are now, and holds.
    pub fn held_keys(&self) -> &[&'static str] {
        &self.held.raised
    }

    /// What approvals of a session's work are compared with from here on: the policy files as they are, and what its task
    /// began under where that is stricter. Without a session the latest one is meant; without a task, what the commit
    /// that is checked out asks for.
    ///
    /// # Errors
    /// Kind `input` for an unknown session, kind `store` when sessions cannot be read.
    pub fn hold_to_the_task(&mut self, session: Option<&str>) -> Result<()> {
        let (name, state) = self.session(session)?.unwrap_or_default();
        self.hold_session(&name, Some(&state));
        Ok(())
    }

    /// As [`Engine::hold_to_the_task`], with the session at hand.
    pub(crate) fn hold_session(&mut self, name: &str, state: Option<&SessionState>) {
        self.held = Held::default();
        if self.surroundings.policy.is_some() {
            return;
        }
        let task = state.and_then(|s| s.agents.get("")?.task.as_ref());
        let floor = match (state.and_then(|s| s.under.as_ref()), task) {
            (Some(under), Some(_)) => {
                if under.policy == *self.policy_digest() && !under.committed {
                    return;
                }
                self.floor(&under.floor)
            }
            // A task from before floors were kept, or none at all.
            (_, task) => {
                let base = task.map_or_else(|| Some("HEAD".to_owned()), |t| t.base.clone());
                let committed = base.and_then(|base| committed_at(self.repo()?, &base));
                committed.map(|committed| Floor {
                    committed: Some(committed),
                    ..Floor::default()
                })
            }
        };
        if let Some(floor) = floor {
            self.hold_to(&floor, |engine, settings| {
                engine.is_accepted(name, state, settings)
            });
        }
    }

    fn hold_to(&mut self, floor: &Floor, is_accepted: impl FnOnce(&Self, &Settings) -> bool) {
        let mut settings = self.file_settings().clone();
        let raised = self.raise(&mut settings, floor);
        if raised.is_empty() {
            return;
        }
        if is_accepted(self, &settings) {
            self.held.also = Some(checks_digest(&settings));
            return;
        }
        self.held.settings = Some(settings);
        self.held.raised = raised;
    }

    /// The policy of the commit that is checked out, as a floor. Git is asked once for each commit.
    fn committed(&self) -> Option<Floor> {
        let repo = self.repo()?;
        let head = repo.head().ok()?.oid?;
        let store = self.store().ok()?;
        let file = format!("{FOLDER}/committed.json");
        let known = store.read_json::<(String, Option<String>)>(&file).ok().flatten();
        let text = match known {
            Some((commit, text)) if commit == head => text,
            _ => {
                let text = committed_at(repo, &head);
                // Without a note it is asked again.
                let _ = store.write_json(&file, &(head, &text));
                text
            }
        };
        text.map(|text| Floor {
            committed: Some(text),
            ..Floor::default()
        })
    }

    /// As [`Engine::hold_to_the_task`], for an event of a session. A session without a task has nothing to be held to.
    pub(crate) fn hold_event(&mut self, event: &Event, journal: Option<&Journal<SessionState>>) {
        self.held = Held::default();
        if event.kind.tag() == EventTag::Prompt && event.agent.is_none() {
            // A task may begin: what it needs to know of its beginning is what the commit asks for, too.
            if let Some(floor) = self.committed().filter(|_| self.surroundings.policy.is_none()) {
                self.hold_to(&floor, |_, _| false);
            }
            return;
        }
        let state = journal.map(Journal::state).filter(|s| s.under.is_some());
        if let Some(state) = state.filter(|s| s.agents.get("").is_some_and(|a| a.task.is_some())) {
            self.hold_session(&format!("{}-{}", event.host, event.session), Some(state));
        }
    }

    /// As [`Engine::hold_to_the_task`], for the session whose work a review is about.
    pub(crate) fn hold_review(&mut self, review: &Review) {
        let state = self
            .session(Some(&review.session))
            .ok()
            .flatten()
            .map(|(_, state)| state);
        self.hold_session(&review.session, state.as_ref());
    }

    /// The floor of a task that begins with this event is noted.
    pub(crate) fn note_floor(&mut self, changes: &mut Vec<Change>) {
        let base = changes.iter().rev().find_map(|change| match change {
            Change::TaskStarted { agent, task } if agent.is_empty() => Some(task.base.clone()),
            _ => None,
        });
        let (Some(base), None, Ok(store)) = (base, &self.surroundings.policy, self.store()) else {
            return;
        };
        let Some(mut floor) = self.policy.as_floor() else {
            // What is in force is the last good policy, of which only the settings are known.
            return;
        };
        let mut settings = self.file_settings().clone();
        let head = self.repo().and_then(|repo| repo.head().ok()?.oid);
        let text = match base {
            Some(base) if Some(&base) != head.as_ref() => self.repo().and_then(|r| committed_at(r, &base)),
            _ => self.committed().and_then(|floor| floor.committed),
        };
        floor.committed = text.filter(|text| Some(text) != floor.project.as_ref());
        if floor.committed.is_some() && self.raise(&mut settings, &floor).is_empty() {
            floor.committed = None;
        }
        let Ok(bytes) = serde_json::to_vec(&floor) else {
            return;
        };
        let name = Digest::of(&bytes);
        let file = file_of(&name);
        let known = matches!(store.read(&file), Ok(Some(there)) if there == bytes);
        // A floor that cannot be kept is none: what the base's policy says stays with `verify`.
        if known || store.write_atomic(&file, &bytes).is_ok() {
            changes.push(Change::Under(Under {
                policy: self.policy_digest().clone(),
                floor: name,
                committed: floor.committed.is_some(),
            }));
        }
    }

    /// What the user hears at the end of a turn that is judged by more than the policy files.
    pub(crate) fn tell_held(&self, event: &Event) -> Option<String> {
        let shown = event.kind.tag() == EventTag::TurnEnd && event.agent.is_none();
        (shown && !self.held.raised.is_empty()).then(|| held_words(&self.held.raised))
    }

    fn floor(&self, name: &Digest) -> Option<Floor> {
        let bytes = self.store().ok()?.read(&file_of(name)).ok()??;
        // What is not what was kept is nobody's word.
        (Digest::of(&bytes) == *name).then_some(())?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Raises settings to a floor, with the user's own file as it is now.
    fn raise(&self, settings: &mut Settings, floor: &Floor) -> Vec<&'static str> {
        let own = Sources::read(self.surroundings.user_policy.as_deref(), None).user;
        let file = |text: &Option<String>, path: &str| {
            text.as_ref().map(|text| SourceFile {
                path: path.to_owned(),
                bytes: text.clone().into_bytes(),
            })
        };
        let began = Sources {
            user: own.clone(),
            project: file(&floor.project, PROJECT),
            local: file(&floor.local, ".proctor/local.yaml"),
            ..Sources::default()
        };
        let committed = floor.committed.as_ref().map(|_| Sources {
            user: own,
            project: file(&floor.committed, PROJECT),
            ..Sources::default()
        });
        let mut raised: Vec<&'static str> = Vec::new();
        // Of a floor that is nothing but a commit's there are no files to compare with.
        let alone = floor.project.is_none() && floor.local.is_none() && committed.is_some();
        for sources in (!alone).then_some(began).into_iter().chain(committed) {
            let resolved = resolve(&sources);
            if resolved.broken {
                continue;
            }
            for key in hold(settings, &resolved.settings) {
                if !raised.contains(&key) {
                    raised.push(key);
                }
            }
        }
        raised
    }

    /// Whether a person approved the project's policy as it is now, with the work of this very task.
    fn is_accepted(&self, session: &str, state: Option<&SessionState>, held: &Settings) -> bool {
        let task = state.and_then(|s| s.agents.get("")?.task.as_ref()).map(|t| &t.id);
        let (Ok(book), Some(project)) = (self.reviews(), self.project_digest()) else {
            return false;
        };
        let of_the_task = |r: &&Review| r.session == session && r.task.id.as_ref() == task;
        let reviews: Vec<&Review> = book.reviews.iter().filter(of_the_task).collect();
        reviews.iter().any(|review| {
            review.verdicts.iter().any(|v| {
                v.reviewer.kind == PartyKind::Human
                    && v.verdict == ReviewVerdict::Approve
                    && v.pins.project.as_ref() == Some(&project)
                    && v.counts(&review.id, &self.required_by(held, &book, v.tree.as_ref()))
            })
        })
    }

    /// What an approval must have been made under to count, by these settings.
    pub(crate) fn required_by(
        &self,
        settings: &Settings,
        book: &crate::review::ReviewBook,
        tree: Option<&proctor_kernel::TreeId>,
    ) -> Requirements {
        let mut required = Requirements::of(settings);
        required.checks.extend(self.held.also.clone());
        required.runs = self.surroundings.processes.map(|p| p.runs);
        if required.signed {
            self.notary().fill(&mut required, book, tree);
        }
        required
    }
}

/// Why a change of the policy files does not show.
#[must_use]
pub fn held_words(raised: &[&str]) -> String {
    format!(
        "this work is judged by the policy that it began under where that is stricter ({}): a change of `.proctor/` counts \
         for the next task, or when a person approves it with the work (`proctor review approve`)",
        raised.join(", ")
    )
}

impl Policy {
    /// The project's files as a floor; `None` while one of them is broken.
    fn as_floor(&self) -> Option<Floor> {
        let Some(sources) = &self.sources else {
            return (self.digest == no_policy()).then(Floor::default);
        };
        let text = |file: &Option<SourceFile>| -> Option<Option<String>> {
            file.as_ref()
                .map(|f| String::from_utf8(f.bytes.clone()).ok())
                .map_or(Some(None), |t| t.map(Some))
        };
        let is_good = self.good.digest == self.digest && sources.unreadable.is_empty();
        is_good.then_some(())?;
        Some(Floor {
            project: text(&sources.project)?,
            local: text(&sources.local)?,
            committed: None,
        })
    }
}

/// The project's policy file of a commit, where it has one that can be read.
fn committed_at(repo: &Repo, commit: &str) -> Option<String> {
    match repo.file_at(commit, PROJECT, MAX_FILE).ok()? {
        FileAt::File { bytes, .. } => String::from_utf8(bytes).ok(),
        FileAt::Missing | FileAt::Other { .. } => None,
    }
}

fn file_of(name: &Digest) -> String {
    format!("{FOLDER}/{name}.json")
}
