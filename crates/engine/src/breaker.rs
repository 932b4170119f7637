//! Breakers of gates: a gate that keeps failing is taken out of service for a while, across processes.

use proctor_kernel::{Breaker, GateReport, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Failures in a row that open a breaker.
pub const FAILURES: u32 = 3;
/// How long an open breaker stays open before one trial run, in milliseconds.
pub const COOL_DOWN_MS: u64 = 60_000;

/// All gates that failed lately. A gate without an entry is in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakers(BTreeMap<String, Entry>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    failures: u32,
    /// Milliseconds since 1970 of the last failure that opened it.
    opened: Option<u64>,
    why: String,
}

impl Breakers {
    /// The breaker of a gate at this moment.
    #[must_use]
    pub fn state(&self, gate: &str, now: u64) -> Breaker {
        match self.0.get(gate).and_then(|e| e.opened) {
            None => Breaker::Closed,
            Some(opened) if now.saturating_sub(opened) >= COOL_DOWN_MS => Breaker::HalfOpen,
            Some(_) => Breaker::Open,
        }
    }

    /// Takes note of what the gates of one event did. Returns what the user should hear, and whether
    /// anything changed (most events change nothing, and then nothing is written).
    pub fn observe(&mut self, reports: &[GateReport], now: u64) -> (Vec<String>, bool) {
        let mut alerts = Vec::new();
        let mut changed = false;
        for report in reports {
            match &report.status {
                Status::Decided => {
                    if let Some(entry) = self.0.remove(&report.gate) {
                        changed = true;
                        if entry.opened.is_some() {
                            alerts.push(format!("the {} gate works again", report.gate));
                        }
                    }
                }
                Status::CouldNotRun { why } if self.state(&report.gate, now) != Breaker::Open => {
                    changed = true;
                    let entry = self.0.entry(report.gate.clone()).or_insert_with(|| Entry {
                        failures: 0,
                        opened: None,
                        why: String::new(),
                    });
                    entry.failures += 1;
                    entry.why.clone_from(why);
                    if entry.failures >= FAILURES {
                        entry.opened = Some(now);
                        alerts.push(format!(
                            "the {} gate failed {} times in a row ({why}); it is out of service for {} s, its rule \
                             is given to the agent as an instruction meanwhile",
                            report.gate,
                            entry.failures,
                            COOL_DOWN_MS / 1000
                        ));
                    }
                }
                Status::CouldNotRun { .. } | Status::Skipped { .. } => {}
            }
        }
        (alerts, changed)
    }

    /// Gates that are out of order, with the reason.
    pub fn failing(&self) -> impl Iterator<Item = (&str, u32, &str)> {
        self.0
            .iter()
            .map(|(gate, e)| (gate.as_str(), e.failures, e.why.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_kernel::{Band, Mode, Verdict};

    fn report(status: Status) -> GateReport {
        GateReport {
            gate: "scope".into(),
            band: Band::Business,
            mode: Mode::Warn,
            status,
            verdict: Verdict::Pass,
            findings: Vec::new(),
            data: serde_json::Value::Null,
            micros: 1,
        }
    }

    #[test]
    fn opens_after_three_failures_tries_once_after_the_cool_down_and_closes_on_success() {
        let failed = [report(Status::CouldNotRun {
            why: "git is missing".into(),
        })];
        let fine = [report(Status::Decided)];
        let mut breakers = Breakers::default();
        assert_eq!(breakers.observe(&failed, 10), (vec![], true));
        assert_eq!(breakers.observe(&failed, 11), (vec![], true));
        assert_eq!(breakers.state("scope", 12), Breaker::Closed);
        let (alerts, _) = breakers.observe(&failed, 12);
        assert!(alerts[0].contains("git is missing"), "{alerts:?}");
        assert_eq!(breakers.state("scope", 13), Breaker::Open);
        assert_eq!(
            breakers.observe(&failed, 14),
            (vec![], false),
            "an open breaker does not count on"
        );
        let later = 12 + COOL_DOWN_MS;
        assert_eq!(breakers.state("scope", later), Breaker::HalfOpen);
        breakers.observe(&failed, later);
        assert_eq!(
            breakers.state("scope", later + 1),
            Breaker::Open,
            "the trial failed"
        );
        assert_eq!(breakers.observe(&fine, later + COOL_DOWN_MS).0.len(), 1);
        assert_eq!(breakers.state("scope", later + COOL_DOWN_MS), Breaker::Closed);
        assert!(!breakers.observe(&fine, later).1);
    }

    #[test]
    fn a_success_between_failures_starts_the_count_again() {
        let failed = [report(Status::CouldNotRun { why: "x".into() })];
        let mut breakers = Breakers::default();
        for _ in 0..5 {
            breakers.observe(&failed, 1);
            breakers.observe(&[report(Status::Decided)], 1);
        }
        assert_eq!(breakers.state("scope", 1), Breaker::Closed);
    }
}
