//! Runs what the level of evidence asks for before a verdict is taken, and says so while it lasts.

use crate::clock::ProcessClock;
use crate::output;
use proctor_engine::Engine;
use proctor_engine::rerun::{Ended, Prepared, RerunOutcome, Runner, steers};
use proctor_engine::review::{Review, ReviewFinding, Settlement};
use proctor_gates::tamper::Severity;
use proctor_kernel::{Result, TreeId};
use proctor_policy::ReviewLevel;

/// Where checks can be run by this process, and what they must not inherit from it.
pub(crate) fn runner() -> Runner {
    Runner {
        folder: std::env::temp_dir(),
        without: std::env::vars_os()
            .map(|(name, _)| name)
            .filter(|name| steers(name))
            .collect(),
    }
}

/// Prepares an approval of the tree of a review. What is run, and how it ended, is told on standard error.
///
/// # Errors
/// When the runs cannot be recorded.
pub(crate) fn prepare(engine: &mut Engine<ProcessClock>, review: &Review, tree: &TreeId) -> Result<Prepared> {
    let settings = engine.settings();
    if settings.review.level >= ReviewLevel::Rerun && !settings.verification.is_empty() {
        output::complain("proctor: the policy's checks are run in a clean folder of this tree");
    }
    let prepared = engine.prepare_approval(review, tree, &runner())?;
    prepared.outcomes.iter().for_each(tell);
    // They are findings of the review by now, and may have been answered in an earlier round.
    let book = engine.reviews()?;
    let known = book
        .review(&review.id)
        .map_or(&review.findings, |review| &review.findings);
    for finding in &prepared.weakened {
        let same =
            |k: &&ReviewFinding| k.rule.as_deref() == Some(finding.kind.rule()) && k.text == finding.words;
        let settled = known.iter().rev().find(same).and_then(|k| k.settled);
        let word = match (settled, finding.severity) {
            (Some(Settlement::Answered | Settlement::Withdrawn), _) => "answered",
            (_, Severity::Block) => "finding",
            (_, Severity::Note) => "note",
        };
        output::complain(&format!(
            "proctor: {word} ({}): {}",
            finding.kind.rule(),
            finding.words
        ));
    }
    Ok(prepared)
}

/// One line for each check, and what a check that did not pass wrote at its end.
fn tell(outcome: &RerunOutcome) {
    let how = match outcome.ended {
        Ended::Passed if outcome.from_record => "passed, from the record".to_owned(),
        Ended::Passed => "passed".to_owned(),
        ended => format!("{}: {}", ended.as_str().replace('_', " "), outcome.why),
    };
    output::complain(&format!("proctor: {} (`{}`) {how}", outcome.name, outcome.run));
    if outcome.ended == Ended::Passed {
        return;
    }
    let last = if outcome.tail.is_empty() {
        &outcome.head
    } else {
        &outcome.tail
    };
    let lines: Vec<&str> = last.lines().collect();
    for line in lines.iter().skip(lines.len().saturating_sub(20)) {
        output::complain(&format!("  | {line}"));
    }
}
