//! Figures from decision records: per gate and agent, how often it decided, refused, and what it cost.

mod share;

pub use share::{LowRow, ShareRow, ThresholdRow};

use crate::feedback::is_reportable;
use crate::record::DecisionRecord;
use crate::session::{Change, Cost};
use proctor_kernel::{Action, Mode, Status, Verdict};
use proctor_policy::ResponseSettings;
use serde::Serialize;
use share::Shares;
use std::collections::{BTreeMap, BTreeSet};

/// The figures of one gate for one kind of agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// The gate.
    pub gate: String,
    /// The kind of agent; `main` is the main conversation.
    pub agent: String,
    /// Events on which it decided.
    pub decided: u64,
    /// Of these, events to which it had no objection.
    pub passed: u64,
    /// Events to which it objected, whatever its mode: what `enforce` would have refused.
    pub objected: u64,
    /// Events that were refused because of it.
    pub rejected: u64,
    /// Texts that passed in a changed form because their retries were used up.
    pub downgraded: u64,
    /// Events on which it could not run.
    pub could_not_run: u64,
    /// `passed / decided`, 0 to 1; `None` before the first decision.
    pub pass_rate: Option<f64>,
    /// Median cost in microseconds.
    pub micros_p50: u64,
    /// 99th percentile of the cost in microseconds.
    pub micros_p99: u64,
}

/// How often one rule of a gate was found, whatever came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RuleRow {
    /// The rule, as `review/unread`.
    pub rule: String,
    /// Events in which it was found.
    pub found: u64,
}

/// The figures of one kind of agent over all gates.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AgentRow {
    /// The kind of agent.
    pub agent: String,
    /// Events.
    pub events: u64,
    /// Refused events.
    pub rejected: u64,
    /// Texts sent back for another try.
    pub retries: u64,
    /// Stops sent back because work was open.
    pub stops_blocked: u64,
    /// Times it was let go although a gate objected.
    pub escalated: u64,
}

/// Objections of one gate that people reported as wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReportedRow {
    /// The gate.
    pub gate: String,
    /// Events to which it objected here.
    pub objected: u64,
    /// Of these, reported as wrong.
    pub reported: u64,
    /// `reported / objected`, 0 to 1; `None` without any objection.
    pub rate: Option<f64>,
    /// Cases in the corpus whose decisions are not in this log: other clones, other people.
    pub elsewhere: u64,
}

/// All figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    /// Decision records read.
    pub events: u64,
    /// Sessions seen.
    pub sessions: u64,
    /// Tokens that agents wrote or read for the first time.
    pub tokens: u64,
    /// Seconds of work, without waiting for people.
    pub seconds: u64,
    /// Tasks whose budget was used up when a gate objected.
    pub over_budget: u64,
    /// Per gate and agent, sorted.
    pub gates: Vec<Row>,
    /// Per agent, sorted.
    pub agents: Vec<AgentRow>,
    /// Per rule that was found, sorted.
    pub rules: Vec<RuleRow>,
    /// Per gate that objected and can be reported, or is in the corpus, sorted.
    pub reported: Vec<ReportedRow>,
    /// The spread of the share of filler, per audience and language.
    pub shares: Vec<ShareRow>,
    /// Words that are praise only sometimes, most frequent first.
    pub low_confidence: Vec<LowRow>,
}

/// Collects records into [`Stats`].
#[derive(Debug, Default)]
pub struct Collector {
    events: u64,
    sessions: std::collections::BTreeSet<String>,
    gates: BTreeMap<(String, String), (Row, Vec<u64>)>,
    agents: BTreeMap<String, AgentRow>,
    tokens: u64,
    millis: u64,
    over_budget: u64,
    rules: BTreeMap<String, u64>,
    /// Ids of the decisions in which a gate objected.
    objected: BTreeMap<String, BTreeSet<String>>,
    shares: Shares,
    /// How far the transcripts of each session were read.
    costs: BTreeMap<String, Cost>,
}

impl Collector {
    /// Takes in what launched reviewers used.
    pub fn charge(&mut self, tokens: u64) {
        self.tokens = self.tokens.saturating_add(tokens);
    }

    /// Takes in one record, with its id.
    pub fn add(&mut self, id: &str, record: &DecisionRecord) {
        self.events += 1;
        let session = format!("{}/{}", record.event.host, record.event.session);
        self.sessions.insert(session.clone());
        let role = &record.event.role;
        let agent = self.agents.entry(role.clone()).or_insert_with(|| AgentRow {
            agent: role.clone(),
            ..AgentRow::default()
        });
        agent.events += 1;
        agent.rejected += u64::from(record.action >= Action::Ask);
        agent.escalated += u64::from(record.escalated);
        for change in &record.changes {
            agent.retries += u64::from(matches!(change, Change::Rejected { .. }));
            agent.stops_blocked += u64::from(matches!(change, Change::StopBlocked { .. }));
            match change {
                Change::Metered {
                    tokens,
                    metered,
                    read,
                } => {
                    let cost = self.costs.entry(session.clone()).or_default();
                    cost.meter(*tokens, metered, read);
                    let counted = std::mem::take(&mut cost.tokens);
                    self.tokens = self.tokens.saturating_add(counted);
                }
                Change::Began => {
                    self.costs.remove(&session);
                }
                Change::TurnPaused { worked } => self.millis += worked,
                Change::OverBudget => self.over_budget += 1,
                _ => {}
            }
        }
        for report in &record.gates {
            self.shares.add(id, record, report);
            let rules: BTreeSet<&str> = report.findings.iter().map(|f| f.rule.as_str()).collect();
            for rule in rules {
                *self.rules.entry(rule.to_owned()).or_default() += 1;
            }
            let key = (report.gate.clone(), role.clone());
            let (row, micros) = self.gates.entry(key).or_insert_with(|| {
                (
                    Row {
                        gate: report.gate.clone(),
                        agent: role.clone(),
                        ..Row::default()
                    },
                    Vec::new(),
                )
            });
            match report.status {
                Status::Skipped { .. } => continue,
                Status::CouldNotRun { .. } => row.could_not_run += 1,
                Status::Decided => {
                    row.decided += 1;
                    micros.push(report.micros);
                    if report.verdict == Verdict::Pass {
                        row.passed += 1;
                    } else {
                        row.objected += 1;
                        let ids = self.objected.entry(report.gate.clone()).or_default();
                        ids.insert(id.to_owned());
                        let enforced = report.mode == Mode::Enforce && report.verdict >= Verdict::Ask;
                        row.rejected += u64::from(enforced && record.action >= Action::Ask);
                        row.downgraded += u64::from(enforced && record.action == Action::Modify);
                    }
                }
            }
        }
    }

    /// The figures so far. `settings` tell the thresholds in force, `reported` the cases of the corpus: gate
    /// and id of the decision.
    #[must_use]
    pub fn finish(self, settings: &ResponseSettings, reported: &[(String, String)]) -> Stats {
        let ids_of = |gate: &str| -> BTreeSet<&str> {
            let mine = reported.iter().filter(|(g, _)| g == gate);
            mine.map(|(_, id)| id.as_str()).collect()
        };
        let (shares, low_confidence) = self.shares.finish(settings, &ids_of("response"));
        let objected = self.objected.keys().map(String::as_str);
        let mut gates_with_cases: BTreeSet<&str> = objected.filter(|g| is_reportable(g)).collect();
        gates_with_cases.extend(reported.iter().map(|(gate, _)| gate.as_str()));
        let reported = gates_with_cases.iter().map(|gate| {
            let none = BTreeSet::new();
            let objected = self.objected.get(*gate).unwrap_or(&none);
            let cases = ids_of(gate);
            let here = cases.iter().filter(|id| objected.contains(**id)).count() as u64;
            #[expect(clippy::cast_precision_loss, reason = "counts of events stay far below 2^52")]
            let rate = (!objected.is_empty()).then(|| here as f64 / objected.len() as f64);
            ReportedRow {
                gate: (*gate).to_owned(),
                objected: objected.len() as u64,
                reported: here,
                rate,
                elsewhere: cases.len() as u64 - here,
            }
        });
        let reported = reported.collect();
        let gates = self.gates.into_values().map(|(mut row, mut micros)| {
            micros.sort_unstable();
            let at = |q: usize| {
                let last = micros.len().saturating_sub(1);
                micros
                    .get((micros.len() * q / 100).min(last))
                    .copied()
                    .unwrap_or(0)
            };
            (row.micros_p50, row.micros_p99) = (at(50), at(99));
            #[expect(clippy::cast_precision_loss, reason = "counts of events stay far below 2^52")]
            if row.decided > 0 {
                row.pass_rate = Some(row.passed as f64 / row.decided as f64);
            }
            row
        });
        Stats {
            events: self.events,
            sessions: self.sessions.len() as u64,
            tokens: self.tokens,
            seconds: self.millis / 1_000,
            over_budget: self.over_budget,
            gates: gates.filter(|r| r.decided + r.could_not_run > 0).collect(),
            agents: self.agents.into_values().collect(),
            rules: self
                .rules
                .into_iter()
                .map(|(rule, found)| RuleRow { rule, found })
                .collect(),
            reported,
            shares,
            low_confidence,
        }
    }
}
