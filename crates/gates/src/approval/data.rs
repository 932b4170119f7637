//! Claims that stand in data or in a pasted run: `{"verdict": "APPROVE", "evidence": ["npm test: 40 passed"]}`.
//!
//! What the gate `review` takes for a report of a check there, this gate compares with the runs that were seen: two readers
//! of one message must not differ in what it says. A fence in a message that approves nothing shows something, and claims
//! nothing.

use super::claim::{Claim, ClaimKind};
use crate::review;
use proctor_kernel::CheckKind;
use proctor_prose::{BlockKind, Reading, tag};

/// The claims of a text's data, in the order of the text.
pub(super) fn claims(text: &str, reading: &Reading) -> Vec<Claim> {
    let is = |kind| reading.blocks.iter().any(|b| b.kind == kind);
    if !(is(BlockKind::Data) || is(BlockKind::Code) && may_approve(text, reading)) {
        return Vec::new();
    }
    let judged = review::judge_reading(text, reading, &review::READER);
    let mut out = Vec::new();
    for span in judged.evidence {
        let Some(kind) = kind(&span.label) else { continue };
        let at = reading.blocks.partition_point(|b| b.start <= span.start);
        let Some(block) = at.checked_sub(1).and_then(|at| reading.blocks.get(at)) else {
            continue;
        };
        let told = match block.kind {
            BlockKind::Data => !review::is_shown(text.get(..block.start).unwrap_or_default()),
            BlockKind::Code => judged.is_approval,
            _ => false,
        };
        if !told || out.iter().any(|c: &Claim| c.kind == kind) {
            continue;
        }
        let clause = reading.clauses.partition_point(|c| c.start <= span.start);
        let sentence = clause.checked_sub(1).and_then(|at| reading.clauses.get(at));
        out.push(Claim {
            kind,
            sentence: sentence.map_or(0, |c| c.sentence),
            span,
        });
    }
    out
}

/// Whether a text could be an approval: it holds a word of one, in prose or in code.
fn may_approve(text: &str, reading: &Reading) -> bool {
    let code = reading.blocks.iter().filter(|b| b.kind == BlockKind::Code);
    reading.clauses.iter().any(|c| c.tags.any(tag::APPROVE))
        || code.filter_map(|b| text.get(b.start..b.end)).any(|code| {
            ["verdict", "VERDICT", "pprov", "PPROV", "판정", "승인"]
                .iter()
                .any(|w| code.contains(w))
        })
}

/// The kind of claim that a class of evidence makes.
fn kind(class: &str) -> Option<ClaimKind> {
    let kind = match class {
        "tests" => CheckKind::Tests,
        "build" => CheckKind::Build,
        "types" => CheckKind::Types,
        "lint" => CheckKind::Lint,
        _ => return None,
    };
    Some(ClaimKind::Check(kind))
}
