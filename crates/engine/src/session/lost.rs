//! Records of a session that are lost: noticed once, kept on record, and not believed to be nothing.

use super::{Change, Gap, LogPlace, SessionState};
use proctor_ledger::{Flaw, Position, Problem, Record};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What is said of a session that goes on from another one.
const ELSEWHERE: &str = "this session goes on from one that is not recorded under its id (a fork, or a conversation of \
    before Proctor was installed)";

impl Gap {
    /// Whether nothing is lost, but stands elsewhere, or was never recorded.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.what == ELSEWHERE
    }
}

/// The kind of the record that keeps a loss.
pub(crate) const LOSS: &str = "loss";

/// Its body.
#[derive(Serialize, Deserialize)]
struct Loss {
    changes: Vec<Change>,
}

impl SessionState {
    /// What a log's problems tell of lost records that this state does not know of. `end` is the end of the log.
    pub(crate) fn new_gap(&self, problems: &[Problem], end: &Position) -> Option<Gap> {
        let place = |p: &Problem| LogPlace {
            segment: p.segment,
            offset: p.offset,
        };
        let is_new = |p: &&Problem| {
            let behind = |gap: &Gap| place(p) != gap.at && place(p) >= gap.upto;
            match p.flaw {
                // It stands where the log ended before, which may lie behind its end.
                Flaw::Rewritten => self.gap.as_ref().is_none_or(|gap| place(p) != gap.at),
                Flaw::Chain | Flaw::Overwritten => self.gap.as_ref().is_none_or(behind),
                _ => false,
            }
        };
        problems.iter().find(is_new).map(|problem| Gap {
            what: problem.to_string(),
            at: place(problem),
            upto: LogPlace {
                segment: end.segment,
                offset: end.offset,
            },
        })
    }

    /// What an event of a session tells that is not in its log at all: the state folder was gone.
    pub(crate) fn unheard_of() -> Gap {
        Gap {
            what: "the state folder was gone, and what this session had recorded with it".to_owned(),
            ..Gap::default()
        }
    }

    /// What the start of a session tells that goes on from another one, of which nothing is recorded under its id.
    pub(crate) fn goes_on() -> Gap {
        Gap {
            what: ELSEWHERE.to_owned(),
            ..Gap::default()
        }
    }

    /// From here on the beginning of the work is not known any more, nor what came of its checks.
    pub(super) fn lose(&mut self, gap: &Gap) {
        self.met = false;
        self.lost = true;
        self.gap = Some(gap.clone());
        self.approved = None;
        self.facts.runs.clear();
        for agent in self.agents.values_mut().map(Arc::make_mut) {
            agent.lost = true;
            agent.held = None;
        }
    }

    /// The record that keeps a loss.
    pub(crate) fn loss_record(gap: Gap) -> Option<(&'static str, serde_json::Value)> {
        let body = Loss {
            changes: vec![Change::MemoryLost(gap)],
        };
        Some((LOSS, serde_json::to_value(body).ok()?))
    }

    /// What a record says of lost ones of its log. That the whole folder was gone is said by its marker.
    pub(crate) fn loss_in(record: &Record) -> Option<String> {
        #[derive(Deserialize)]
        struct Body {
            #[serde(default)]
            changes: Vec<serde_json::Value>,
        }
        if !record.raw_body().contains("memory_lost") {
            return None;
        }
        let changes = record.body::<Body>().ok()?.changes.into_iter();
        let mut changes = changes.filter_map(|change| serde_json::from_value::<Change>(change).ok());
        changes.find_map(|change| match change {
            Change::MemoryLost(gap) if gap.at.segment > 0 => Some(gap.what),
            _ => None,
        })
    }
}
