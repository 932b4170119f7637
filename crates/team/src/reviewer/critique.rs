//! What a reviewer who approved is asked when another one found something, and how the answer is read.

use super::verdict::{Unreadable, objects};
use serde::Deserialize;

/// The built-in template of that question.
pub const CRITIQUE_TEMPLATE: &str = include_str!("critique.md");

/// Longest evidence that is kept of an answer, in characters.
const LONGEST: usize = 1_000;

/// What a reviewer says of one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Which one, from 1, in the order of the question.
    pub finding: usize,
    /// Whether it is right.
    pub confirms: bool,
    /// The evidence.
    pub evidence: String,
}

#[derive(Deserialize)]
struct Wire {
    answers: Vec<WireAnswer>,
}

#[derive(Deserialize)]
struct WireAnswer {
    finding: usize,
    says: String,
    #[serde(default)]
    evidence: String,
}

/// Reads the structured answer at the end of a critique. Of several only the last counts; of two answers to one
/// finding the one that confirms it. What refutes without evidence is no answer.
///
/// # Errors
/// When there is none that can be read.
pub fn read_critique(answer: &str, findings: usize) -> Result<Vec<Answer>, Unreadable> {
    let known = objects(answer).into_iter().rev();
    let wire = known
        .filter(|object| object.contains("\"answers\""))
        .find_map(|object| serde_json::from_str::<Wire>(object).ok())
        .ok_or_else(|| Unreadable("it ended without structured answers".to_owned()))?;
    let mut answers: Vec<Answer> = Vec::new();
    for said in wire.answers {
        let confirms = said.says.trim().eq_ignore_ascii_case("confirm");
        let refutes = said.says.trim().eq_ignore_ascii_case("refute") && !said.evidence.trim().is_empty();
        if !(1..=findings).contains(&said.finding) || !(confirms || refutes) {
            continue;
        }
        let answer = Answer {
            finding: said.finding,
            confirms,
            evidence: said.evidence.chars().take(LONGEST).collect(),
        };
        match answers.iter_mut().find(|known| known.finding == answer.finding) {
            Some(known) if confirms => *known = answer,
            Some(_) => {}
            None => answers.push(answer),
        }
    }
    Ok(answers)
}
