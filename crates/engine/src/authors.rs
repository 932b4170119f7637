//! Who is on record to have written files. Read from the logs, and only when somebody is about to be told of a file.
//!
//! **Invariant:** an agent's own work stays its own, and so does that of the agents that it delegated to: what it lets others do
//! for it is told to it.

use crate::record::{DecisionRecord, KIND};
use crate::session::{Change, SessionState};
use proctor_kernel::{Author, Digest};
use proctor_ledger::{Journal, Store};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Most other sessions that are looked at.
const SESSIONS: usize = 16;

/// Where the hooks of a session note in which work tree it began; see [`crate::pinned`].
pub(crate) fn pin(host: &str, session: &str) -> String {
    format!("pins/{}", Digest::of(format!("{host}\n{session}").as_bytes()))
}

/// Who asks, and since when.
pub(crate) struct Asker<'a> {
    pub(crate) store: &'a Store,
    /// The folder with the notes of where sessions began.
    pub(crate) pins: &'a Path,
    /// The session's log.
    pub(crate) session: &'a str,
    pub(crate) state: &'a SessionState,
    /// The agent; empty for the main conversation.
    pub(crate) agent: &'a str,
    /// The session's work tree.
    pub(crate) root: &'a Path,
    /// Milliseconds since 1970.
    pub(crate) since: u64,
}

/// What is on record of a path.
#[derive(Clone, Copy, Default)]
struct Writers {
    /// This agent's tools named it.
    named: bool,
    /// It changed while this agent's command ran.
    meanwhile: bool,
    others: bool,
}

impl Asker<'_> {
    /// Who wrote each of the paths.
    pub(crate) fn authors(&self, paths: &[String]) -> Vec<Author> {
        let mut known: HashMap<&str, Writers> = paths
            .iter()
            .map(|path| (path.as_str(), Writers::default()))
            .collect();
        let here = self.root_of(self.agent);
        self.each_write(self.session, &mut |agent, path, by_command| {
            let Some(writers) = known.get_mut(path).filter(|_| self.root_of(agent) == here) else {
                return;
            };
            match (self.is_kin(agent), by_command) {
                (true, false) => writers.named = true,
                (true, true) => writers.meanwhile = true,
                (false, _) => writers.others = true,
            }
        });
        if here.is_none() && known.values().any(|w| !(w.named || w.meanwhile || w.others)) {
            for name in self.sessions_beside() {
                self.each_write(&name, &mut |_, path, _| {
                    if let Some(writers) = known.get_mut(path) {
                        writers.others = true;
                    }
                });
            }
        }
        let author = |path: &String| match known.get(path.as_str()).copied().unwrap_or_default() {
            Writers { named: true, .. } => Author::This,
            // Two commands at once: either may have written it.
            Writers {
                meanwhile, others, ..
            } if meanwhile == others => Author::Unknown,
            Writers { others: true, .. } => Author::Other,
            _ => Author::This,
        };
        paths.iter().map(author).collect()
    }

    /// The work tree of its own in which an agent works.
    fn root_of(&self, agent: &str) -> Option<&str> {
        let apart = self.state.agents.get(agent)?.apart.as_ref()?;
        Some(&apart.root)
    }

    /// Whether an agent is the one that asks, or works for it.
    fn is_kin(&self, agent: &str) -> bool {
        let mut at = agent;
        let mut seen = HashSet::new();
        while seen.insert(at) {
            if at == self.agent {
                return true;
            }
            at = self.state.agents.get(at).map_or("", |state| state.by.as_str());
        }
        false
    }

    fn each_write(&self, session: &str, tell: &mut dyn FnMut(&str, &str, bool)) {
        let records = self.store.reader(session);
        let later = records
            .filter(|r| r.kind == KIND && r.millis >= self.since && r.raw_body().contains("\"wrote\""));
        for record in later.filter_map(|record| record.body::<DecisionRecord>().ok()) {
            for change in &record.changes {
                if let Change::Wrote { agent, paths, by } = change {
                    paths.iter().for_each(|path| tell(agent, path, by.is_some()));
                }
            }
        }
    }

    /// The logs of the other sessions that were at work in this work tree since, but for those that an agent started: what is
    /// done in them may be this agent's doing.
    fn sessions_beside(&self) -> Vec<String> {
        let names = self.store.writers_since(self.since).unwrap_or_default();
        let beside = |name: &String| {
            let Some((host, session)) = name.split_once('-').filter(|_| name != self.session) else {
                return false;
            };
            let note = Store::open(self.pins, false).and_then(|store| store.read(&pin(host, session)));
            let note = note
                .ok()
                .flatten()
                .and_then(|bytes| String::from_utf8(bytes).ok());
            let is_here = note
                .as_deref()
                .and_then(|text| text.split_once('\0'))
                .is_some_and(|(_, root)| Path::new(root) == self.root);
            is_here
                && self
                    .store
                    .journal(name)
                    .is_ok_and(|journal: Journal<SessionState>| journal.state().above.len() < 2)
        };
        names.into_iter().filter(beside).take(SESSIONS).collect()
    }
}
