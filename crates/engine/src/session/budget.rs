//! What the main task of a session cost so far: tokens, and time without waiting for people.

use super::{Change, ReadOn};
use proctor_kernel::{Mark, Meter, Metered};
use proctor_policy::Budget;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most launched reviewers that are remembered.
const LAUNCHES: usize = 64;

/// Most transcripts whose places are remembered; more than are read at once.
const TRANSCRIPTS: usize = 256;

/// What the main task cost, its subagents' part included.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Tokens: what the agents wrote, and what they read for the first time.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub tokens: u64,
    /// Those of them that reviewers used beyond what one would have: the policy asked for several, and the budget grows
    /// by them.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub beyond: u64,
    /// Milliseconds of the turns that are over.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub millis: u64,
    /// When the present turn began, in milliseconds since 1970; `None` between turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// Milliseconds of the present turn in which a person was waited for.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub waited: u64,
    /// How far the transcripts were read.
    #[serde(default, skip_serializing_if = "Metered::is_empty")]
    pub metered: Metered,
    /// Reviewers that Proctor launched and whose tokens are counted, newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub launches: Vec<String>,
    /// The user was told that the budget is used up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
    /// When anything was recorded last.
    #[serde(default)]
    pub last: u64,
}

/// A cost beside what was meant to be spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Tokens.
    pub tokens: u64,
    /// Tokens that the task may use, what several reviewers used beyond one among them.
    pub of_tokens: u64,
    /// Seconds of work.
    pub seconds: u64,
    /// Seconds that the task may take.
    pub of_seconds: u64,
}

/// Fingerprint of a place in a transcript.
pub(crate) fn mark(meter: &Meter) -> Mark {
    Mark::of(&serde_json::to_vec(meter).unwrap_or_default())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_nothing(figure: &u64) -> bool {
    *figure == 0
}

impl Spent {
    /// Whether the budget is used up.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.tokens >= self.of_tokens || self.seconds >= self.of_seconds
    }

    /// Whether anything was spent.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.tokens == 0 && self.seconds == 0
    }

    /// In words: `61204 of 50000 tokens, 340 of 1800 s`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self {
            tokens,
            of_tokens,
            seconds,
            of_seconds,
        } = self;
        format!("{tokens} of {of_tokens} tokens, {seconds} of {of_seconds} s")
    }
}

impl Cost {
    /// What is spent of a budget at this moment.
    #[must_use]
    pub fn of(&self, budget: &Budget, now: u64) -> Spent {
        Spent {
            tokens: self.tokens,
            of_tokens: budget.tokens.saturating_add(self.beyond),
            seconds: self.millis.saturating_add(self.running(now)) / 1_000,
            of_seconds: budget.seconds,
        }
    }

    /// Milliseconds of work in the present turn.
    #[must_use]
    pub fn running(&self, now: u64) -> u64 {
        let since = self.since.unwrap_or(now);
        now.saturating_sub(since).saturating_sub(self.waited)
    }

    /// Takes in what hooks read of transcripts. Hooks that run at once read the same words: what another one has read
    /// on meanwhile is left out with its tokens, and the next reading goes on from where that one ended.
    pub(crate) fn meter(&mut self, tokens: u64, metered: &Metered, read: &BTreeMap<String, ReadOn>) {
        if read.is_empty() {
            // As earlier versions wrote it.
            self.tokens = self.tokens.saturating_add(tokens);
        }
        for (name, meter) in metered {
            if let Some(read) = read.get(name) {
                if read.from != self.metered.get(name).map(mark) {
                    continue;
                }
                self.tokens = self.tokens.saturating_add(read.tokens);
            }
            self.metered.insert(name.clone(), meter.clone());
        }
        // A subagent that wrote nothing for that long has ended.
        while self.metered.len() > TRANSCRIPTS {
            let oldest = self.metered.iter().min_by(|a, b| a.1.time.cmp(&b.1.time));
            let Some(name) = oldest.map(|(name, _)| name.clone()) else {
                break;
            };
            self.metered.remove(&name);
        }
    }

    /// Takes in the tokens of a reviewer that Proctor launched, and those of them by which the budget grows.
    pub(super) fn charge(&mut self, launch: &str, tokens: u64, beyond: u64) {
        if self.launches.iter().any(|known| known == launch) {
            return;
        }
        if self.launches.len() >= LAUNCHES {
            self.launches.remove(0);
        }
        self.launches.push(launch.to_owned());
        self.tokens = self.tokens.saturating_add(tokens);
        self.beyond = self.beyond.saturating_add(beyond.min(tokens));
    }

    /// Takes in a change; other changes mean nothing here.
    pub(super) fn apply(&mut self, change: &Change) {
        match change {
            Change::TaskStarted { agent, .. } if agent.is_empty() => {
                *self = Self {
                    since: self.since,
                    metered: std::mem::take(&mut self.metered),
                    last: self.last,
                    ..Self::default()
                };
            }
            Change::TurnBegan { at } => {
                self.since = Some(*at);
                self.waited = 0;
            }
            Change::TurnPaused { worked } => {
                self.millis = self.millis.saturating_add(*worked);
                self.since = None;
                self.waited = 0;
            }
            Change::Waited { millis } => self.waited = self.waited.saturating_add(*millis),
            Change::Metered {
                tokens,
                metered,
                read,
            } => self.meter(*tokens, metered, read),
            Change::OverBudget => self.told = true,
            _ => {}
        }
    }
}
