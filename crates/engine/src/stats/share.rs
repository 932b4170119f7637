//! What the `response` gate measured: how the share of filler is spread, what each threshold would have
//! done, and the words that are praise only sometimes.

use crate::record::DecisionRecord;
use proctor_kernel::{Audience, EventTag, GateReport, Status, Verdict};
use proctor_policy::ResponseSettings;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Thresholds that are always shown, beside the configured one.
const THRESHOLDS: [f64; 2] = [0.3, 0.2];

/// How the share of filler is spread over the texts for one audience in one language.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShareRow {
    /// Who reads them.
    pub audience: Audience,
    /// `ko`, `en`, or `unknown` in records of older versions.
    pub language: String,
    /// Texts.
    pub texts: u64,
    /// Texts without any filler; they are in the first tenth as well.
    pub none: u64,
    /// Texts per tenth of the share: below 10 %, below 20 %, … up to 100 %.
    pub tenths: [u64; 10],
    /// What thresholds would have done, by the share alone.
    pub thresholds: Vec<ThresholdRow>,
}

/// What a threshold would have done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThresholdRow {
    /// The threshold, 0 to 1.
    pub threshold: f64,
    /// Whether it is the one in force for this audience.
    pub configured: bool,
    /// Texts over it.
    pub refused: u64,
}

/// A word that is praise only sometimes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LowRow {
    /// The word.
    pub word: String,
    /// Texts in which it was found.
    pub texts: u64,
    /// Of these, texts that the gate objected to.
    pub objected: u64,
    /// Of these, objections that were reported as wrong.
    pub reported: u64,
}

#[derive(Debug, Default)]
pub(super) struct Shares {
    shares: BTreeMap<(bool, String), Vec<f64>>,
    low: BTreeMap<String, (LowRow, BTreeSet<String>)>,
}

impl Shares {
    /// Takes in what the gate said in one decision.
    pub(super) fn add(&mut self, id: &str, record: &DecisionRecord, report: &GateReport) {
        // A text that is shown is judged once more when the turn ends.
        let ends = matches!(record.event.tag, EventTag::TurnEnd | EventTag::Message);
        if report.gate != "response" || report.status != Status::Decided || !ends {
            return;
        }
        let Some(share) = report.data.get("ratio").and_then(Value::as_f64) else {
            return;
        };
        let language = report
            .data
            .get("language")
            .and_then(Value::as_str)
            .unwrap_or("unknown");
        let key = (record.audience == Audience::Human, language.to_owned());
        self.shares.entry(key).or_default().push(share);
        let words = report.data.get("low_confidence").and_then(Value::as_array);
        let words: BTreeSet<&str> = words.into_iter().flatten().filter_map(Value::as_str).collect();
        for word in words {
            let (row, objected) = self.low.entry(word.to_owned()).or_default();
            row.texts += 1;
            if report.verdict != Verdict::Pass {
                row.objected += 1;
                objected.insert(id.to_owned());
            }
        }
    }

    /// The rows, with the thresholds of these settings and these ids of wrong objections.
    pub(super) fn finish(
        self,
        settings: &ResponseSettings,
        wrong: &BTreeSet<&str>,
    ) -> (Vec<ShareRow>, Vec<LowRow>) {
        let shares = self.shares.into_iter().map(|((human, language), shares)| {
            let (audience, configured) = if human {
                (Audience::Human, settings.human_threshold)
            } else {
                (Audience::Agent, settings.threshold)
            };
            let row = |threshold: f64, configured| ThresholdRow {
                threshold,
                configured,
                refused: count(&shares, |s| settings.exceeds(s, threshold)),
            };
            let mut thresholds: Vec<ThresholdRow> = THRESHOLDS
                .into_iter()
                .map(|t| row(t, (t - configured).abs() < 1e-9))
                .collect();
            if !thresholds.iter().any(|t| t.configured) {
                thresholds.push(row(configured, true));
            }
            let tenth = |share: f64| ((share * 10.0 + 1e-9) as usize).min(9);
            let mut tenths = [0; 10];
            for share in &shares {
                if let Some(slot) = tenths.get_mut(tenth(*share)) {
                    *slot += 1;
                }
            }
            ShareRow {
                audience,
                language,
                texts: shares.len() as u64,
                none: count(&shares, |s| s <= 0.0),
                tenths,
                thresholds,
            }
        });
        let shares = shares.collect();
        let mut low: Vec<LowRow> = self
            .low
            .into_iter()
            .map(|(word, (row, objected))| LowRow {
                word,
                reported: objected.iter().filter(|id| wrong.contains(id.as_str())).count() as u64,
                ..row
            })
            .collect();
        low.sort_by(|a, b| b.texts.cmp(&a.texts).then_with(|| a.word.cmp(&b.word)));
        (shares, low)
    }
}

fn count(shares: &[f64], is: impl Fn(f64) -> bool) -> u64 {
    shares.iter().filter(|s| is(**s)).count() as u64
}
