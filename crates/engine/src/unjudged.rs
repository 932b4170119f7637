//! Events that could not be judged at all: a payload that nobody can read, a fault of Proctor's own, no answer in time.
//! There is no session to keep them in, so they have a log of their own.

use crate::{Clock, Engine};
use proctor_kernel::{Digest, Id, Result, shown};
use proctor_ledger::{Draft, Durability, Presence, Record, format_millis};
use serde::{Deserialize, Serialize};

/// The log of these records.
pub const LOG: &str = "unjudged";

/// The kind of these records.
pub const KIND: &str = "unjudged";

/// Most characters of the reason that are kept.
const LONGEST: usize = 300;

/// What is kept of such an event: nothing of what the payload says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unjudged {
    /// The event's name at the host, where it could still be seen.
    pub event: Option<String>,
    /// Why it could not be judged.
    pub why: String,
    /// Length of the payload in bytes.
    pub bytes: u64,
    /// Digest of the payload.
    pub digest: Digest,
    /// Whether the answer refused.
    pub refused: bool,
}

/// A record of such an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Noted {
    /// Its id.
    pub id: Id,
    /// When it was written.
    pub at: String,
    /// The same, in milliseconds since 1970.
    #[serde(skip)]
    pub millis: u64,
    /// What is kept of the event.
    #[serde(flatten)]
    pub what: Unjudged,
}

impl Noted {
    /// In lines for people.
    #[must_use]
    pub fn explain(&self) -> String {
        let Unjudged {
            event,
            why,
            bytes,
            digest,
            refused,
        } = &self.what;
        let event = event.as_deref().map_or("an unknown event".into(), shown);
        let answer = if *refused {
            "it was refused"
        } else {
            "it was let go"
        };
        format!(
            "{id}  {at}\n{event} could not be judged: {answer}\n\n  why       {why}\n  payload   {bytes} bytes, {digest}\n",
            id = self.id,
            at = self.at,
            why = shown(why),
            digest = digest.as_str(),
        )
    }
}

impl<C: Clock> Engine<C> {
    /// Notes an event that could not be judged. Gives the record's id; `None` where the state folder is missing, whose
    /// loss the next event that can be judged has to tell.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn note_unjudged(
        &mut self,
        event: Option<&str>,
        why: &str,
        payload: &[u8],
        refused: bool,
    ) -> Result<Option<Id>> {
        if self.store()?.presence() == Presence::Missing {
            return Ok(None);
        }
        self.set_up(&mut Vec::new());
        let body = Unjudged {
            event: event.map(|name| name.chars().take(LONGEST).collect()),
            why: why.chars().take(LONGEST).collect(),
            bytes: payload.len() as u64,
            digest: Digest::of(payload),
            refused,
        };
        let draft = Draft::new(self.stamp(), KIND, &body)?;
        let written = self.store()?.writer(LOG).append(&draft, Durability::Buffered)?;
        Ok(Some(written.id))
    }

    /// The events of this place that could not be judged, oldest first.
    ///
    /// # Errors
    /// Kind `store` when the log cannot be read.
    pub fn unjudged(&self) -> Result<Vec<Noted>> {
        let records = self.store()?.reader(LOG).filter(|r| r.kind == KIND);
        let noted = |record: Record| {
            let what = record.body().ok()?;
            Some(Noted {
                at: format_millis(record.millis),
                millis: record.millis,
                id: record.id,
                what,
            })
        };
        Ok(records.filter_map(noted).collect())
    }
}
