//! What is counted, and the five metrics made of it.

use serde::{Deserialize, Serialize};

/// Texts of one sort, and how much of their prose is filler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// Number of messages.
    pub messages: u64,
    /// Those whose share of filler is above the threshold for their readers.
    pub over: u64,
    /// Characters of prose, without white space and code.
    pub prose: u64,
    /// Those of them that are praise, empty confirmation or status filler.
    pub filler: u64,
}

impl Texts {
    /// Share of filler in the prose, 0 to 1; `None` without prose.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        ratio(self.filler, self.prose)
    }

    /// Adds the figures of others.
    pub fn add(&mut self, other: &Self) {
        self.messages += other.messages;
        self.over += other.over;
        self.prose += other.prose;
        self.filler += other.filler;
    }
}

/// Everything that is counted, for one session, one day or in total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Answers of subagents and of delegated turns: agent-to-agent.
    pub answers: Texts,
    /// Prompts that one agent wrote for another: agent-to-agent.
    pub prompts: Texts,
    /// Answers of the main agent to a person.
    pub human: Texts,
    /// What agents write between their tool calls. Nobody gets it as a message.
    pub notes: Texts,
    /// Answers that approve something now.
    pub approvals: u64,
    /// Those of them that report no verification.
    pub empty_approvals: u64,
    /// Delegations: subagents started, and prompts that delegate.
    pub delegations: u64,
    /// Those that name files, and whose worker is in the transcripts.
    pub scoped: u64,
    /// Those in which at least one file outside the named ones was changed.
    pub scope_violations: u64,
    /// Those of the violations that reach the policy's `violation_threshold` (`NEEDS_REVIEW`).
    pub scope_needs_review: u64,
    /// Files changed outside what the delegations name.
    pub unexpected_files: u64,
    /// Turns that claim completion after an edit, or claim a verification.
    pub claims: u64,
    /// Those for which no successful verification after the last edit is in the transcript.
    pub unverified: u64,
    /// Answers and other results of delegated work that a hook sent back.
    pub rejections: u64,
    /// The same in work for a person.
    pub human_rejections: u64,
    /// Tool calls that a hook refused.
    pub refused_calls: u64,
    /// File edits that succeeded.
    pub edits: u64,
    /// Verification commands that were run (tests, build, types, lint).
    pub verifications: u64,
    /// Messages that a gate could not judge.
    pub not_judged: u64,
}

impl Figures {
    /// All agent-to-agent texts: answers and prompts.
    #[must_use]
    pub fn agent(&self) -> Texts {
        let mut all = self.answers;
        all.add(&self.prompts);
        all
    }

    /// Adds the figures of others.
    pub fn add(&mut self, other: &Self) {
        self.answers.add(&other.answers);
        self.prompts.add(&other.prompts);
        self.human.add(&other.human);
        self.notes.add(&other.notes);
        self.approvals += other.approvals;
        self.empty_approvals += other.empty_approvals;
        self.delegations += other.delegations;
        self.scoped += other.scoped;
        self.scope_violations += other.scope_violations;
        self.scope_needs_review += other.scope_needs_review;
        self.unexpected_files += other.unexpected_files;
        self.claims += other.claims;
        self.unverified += other.unverified;
        self.rejections += other.rejections;
        self.human_rejections += other.human_rejections;
        self.refused_calls += other.refused_calls;
        self.edits += other.edits;
        self.verifications += other.verifications;
        self.not_judged += other.not_judged;
    }

    /// The five figures by which it is told whether gates help, in the order of reports.
    #[must_use]
    pub fn metrics(&self) -> [Metric; 5] {
        let agent = self.agent();
        [
            Metric::new(MetricId::Flattery, agent.filler, agent.prose),
            Metric::new(MetricId::EmptyApprovals, self.empty_approvals, self.approvals),
            Metric::new(MetricId::Scope, self.scope_violations, self.scoped),
            Metric::new(MetricId::Unverified, self.unverified, self.claims),
            Metric::new(MetricId::Retries, self.rejections, self.delegations),
        ]
    }
}

/// One of the five metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricId {
    /// Share of filler in agent-to-agent prose.
    Flattery,
    /// Share of approvals without evidence.
    EmptyApprovals,
    /// Share of delegations with files changed outside them.
    Scope,
    /// Share of completion claims without a verification seen.
    Unverified,
    /// Rejections per delegation.
    Retries,
}

impl MetricId {
    /// All metrics, in order.
    pub const ALL: [Self; 5] = [
        Self::Flattery,
        Self::EmptyApprovals,
        Self::Scope,
        Self::Unverified,
        Self::Retries,
    ];

    /// Its name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Flattery => "Flattery, agent to agent",
            Self::EmptyApprovals => "Empty approvals",
            Self::Scope => "Scope violations",
            Self::Unverified => "Unverified completion",
            Self::Retries => "Retries per delegation",
        }
    }

    /// What its two numbers count, as "numerator of denominator".
    #[must_use]
    pub fn counts(self) -> (&'static str, &'static str) {
        match self {
            Self::Flattery => ("characters of filler", "characters of prose"),
            Self::EmptyApprovals => ("without evidence", "approvals"),
            Self::Scope => ("with unexpected files", "delegations that name files"),
            Self::Unverified => ("without a check seen", "claims"),
            Self::Retries => ("times sent back", "delegations"),
        }
    }

    /// What the value means, in a sentence.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Flattery => {
                "Praise, empty confirmation and status filler in what agents write to each other: answers of subagents, \
                 answers in delegated turns, and delegation prompts."
            }
            Self::EmptyApprovals => "Approvals whose text reports no verification that was actually done.",
            Self::Scope => {
                "Delegations in which a file was written or edited that the expected outcome does not name. \
                 Seen in the transcript: edits made by shell commands are not."
            }
            Self::Unverified => {
                "Turns that claim completion or a verification while no test, build, type check or lint run that \
                 succeeded after the last edit was seen in the transcript."
            }
            Self::Retries => {
                "Answers and other results of delegated work that a hook sent back, per delegation."
            }
        }
    }

    /// Values below this are the target.
    #[must_use]
    pub fn target(self) -> f64 {
        match self {
            Self::Flattery | Self::Scope => 0.05,
            Self::EmptyApprovals | Self::Unverified => 0.10,
            Self::Retries => 0.5,
        }
    }

    /// Whether the value is a share (0 to 1) rather than a number per delegation.
    #[must_use]
    pub fn is_share(self) -> bool {
        self != Self::Retries
    }
}

/// A metric with its value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Which one.
    pub id: MetricId,
    /// Its value; `None` when there was nothing to measure.
    pub value: Option<f64>,
    /// What was counted against.
    pub count: u64,
    /// Out of how many.
    pub of: u64,
    /// Values below this are the target.
    pub target: f64,
    /// Whether the target is met; `None` when there was nothing to measure.
    pub met: Option<bool>,
}

impl Metric {
    fn new(id: MetricId, count: u64, of: u64) -> Self {
        let value = ratio(count, of);
        Self {
            id,
            value,
            count,
            of,
            target: id.target(),
            met: value.map(|v| v < id.target()),
        }
    }

    /// The value for people: `12.3 %`, `0.25`, or `–` when there was nothing to measure.
    #[must_use]
    pub fn display(&self) -> String {
        match self.value {
            None => "–".to_owned(),
            Some(value) if self.id.is_share() => percent(value),
            Some(value) => format!("{value:.2}"),
        }
    }

    /// The target for people: `< 5 %`, `< 0.5`.
    #[must_use]
    pub fn display_target(&self) -> String {
        if self.id.is_share() {
            format!("< {:.0} %", self.target * 100.0)
        } else {
            format!("< {}", self.target)
        }
    }
}

/// A share as text: `12.3 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_without_data_have_no_value() {
        for metric in Figures::default().metrics() {
            assert_eq!(
                (metric.value, metric.met, metric.display().as_str()),
                (None, None, "–")
            );
        }
    }

    #[test]
    fn a_value_at_the_target_misses_it() {
        let mut figures = Figures {
            approvals: 10,
            empty_approvals: 1,
            delegations: 4,
            rejections: 1,
            ..Figures::default()
        };
        figures.prompts = Texts {
            messages: 1,
            over: 0,
            prose: 50,
            filler: 10,
        };
        figures.answers = Texts {
            messages: 1,
            over: 1,
            prose: 50,
            filler: 30,
        };
        let [flattery, approvals, scope, _, retries] = figures.metrics();
        assert_eq!(
            (flattery.display().as_str(), flattery.met),
            ("40.0 %", Some(false))
        );
        assert_eq!(
            (approvals.display().as_str(), approvals.met),
            ("10.0 %", Some(false))
        );
        assert_eq!((retries.display().as_str(), retries.met), ("0.25", Some(true)));
        assert_eq!(
            (scope.display_target().as_str(), retries.display_target().as_str()),
            ("< 5 %", "< 0.5")
        );
        let mut twice = figures;
        twice.add(&figures);
        assert_eq!(twice.agent().filler, 80);
    }
}
