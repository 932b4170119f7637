//! Processes that Proctor itself starts, so that their hosts' hooks do not judge a task twice.

use crate::{Clock, Engine};
use proctor_kernel::{Event, Result, Running};
use serde::{Deserialize, Serialize};

impl<C: Clock> Engine<C> {
    /// Registers a process that Proctor is about to start; its host's hooks recognise it by this id in
    /// `PROCTOR_LAUNCH`. Single use: the first session that shows it keeps it.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn launch(&mut self, purpose: &str) -> Result<String> {
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        let id = self.clock.id().to_string();
        let launch = Launch {
            purpose: purpose.to_owned(),
            session: None,
            by: self.own_process(),
        };
        self.store()?.write_json(&launch_file(&id), &launch)?;
        Ok(id)
    }

    /// Whether this event comes from a host that Proctor started. A variable alone proves nothing:
    /// there must be a launch record, it must belong to this session, and who started it must still wait for it.
    pub(crate) fn is_launched(&self, event: &Event, faults: &mut Vec<String>) -> bool {
        let (Some(id), Ok(store)) = (&self.surroundings.launch, self.store()) else {
            return false;
        };
        let plain = id.len() == 26 && id.bytes().all(|b| b.is_ascii_alphanumeric());
        let file = launch_file(id);
        let known = match store.read_json::<Launch>(&file) {
            Ok(Some(launch)) if plain => self.still_runs(launch.by.as_ref()) != Some(false),
            _ => false,
        };
        let claimed = known
            && store
                .update_json(&file, |launch: &mut Launch| {
                    *launch.session.get_or_insert_with(|| event.session.clone()) == event.session
                })
                .unwrap_or(false);
        if !claimed {
            faults.push("PROCTOR_LAUNCH names no launch of this session and is ignored".to_owned());
        }
        claimed
    }

    /// This process, as others can ask after it.
    #[must_use]
    pub fn own_process(&self) -> Option<Running> {
        self.surroundings.processes.and_then(|p| (p.own)())
    }

    /// Whether a process still runs; `None` where that cannot be told.
    fn still_runs(&self, process: Option<&Running>) -> Option<bool> {
        (self.surroundings.processes?.runs)(process?)
    }
}

/// A process that Proctor started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Launch {
    purpose: String,
    session: Option<String>,
    /// The process that started it and waits for it. Without that one nothing is launched any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<Running>,
}

fn launch_file(id: &str) -> String {
    format!("launches/{id}.json")
}
