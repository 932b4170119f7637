//! Claims that a text makes where the reader of its words finds none: in data, in a pasted run, and in words that the gate
//! `review` takes for the report of a check.
//!
//! Two readers of one message must not differ in what it says. What `review` accepts of an approval as a check that passed,
//! this gate compares with the runs that were seen; what this gate reads as a claim, `review` accepts. A fence in a message
//! that approves nothing shows something, and claims nothing.

use super::claim::{Claim, ClaimKind};
use super::find::Report;
use super::mood::{self, Around};
use super::subject;
use crate::review;
use proctor_kernel::{CheckKind, Span};
use proctor_prose::{Block, BlockKind, Clause, Reading, Tags, Token, TokenKind, tag};

/// Longest text whose words are read a second time, in bytes.
const LONGEST: usize = 64 << 10;
/// Most reports in words that are looked at, each with its whole sentence.
const LOOKS: usize = 16;
/// Words without which no check is named.
const CHECKS: Tags = Tags(tag::TESTS.0 | tag::BUILD.0 | tag::TYPES.0 | tag::LINT.0 | tag::TOOL.0);

/// Adds the claims of a text's data, and of an approval's evidence, in the order of the text.
pub(super) fn join(text: &str, reading: &Reading, report: &mut Report) {
    let is = |kind| reading.blocks.iter().any(|b| b.kind == kind);
    let named = |c: &Clause| c.tags.any(CHECKS);
    let quoted = || reading.blocks.iter().any(|b| holds_quoted(text, b));
    let prose = text.len() <= LONGEST && (reading.clauses.iter().any(named) || quoted());
    if !(is(BlockKind::Data) || (is(BlockKind::Code) || prose) && may_approve(text, reading)) {
        return;
    }
    let judged = review::judge_reading(text, reading, &review::READER);
    let mut left = LOOKS;
    for span in judged.evidence {
        let Some(kind) = kind(&span.label) else { continue };
        let at = reading.blocks.partition_point(|b| b.start <= span.start);
        let Some(block) = at.checked_sub(1).and_then(|at| reading.blocks.get(at)) else {
            continue;
        };
        let told = |c: &Claim| c.kind == ClaimKind::Check(kind);
        // Who tells of a run and not of its end has told it.
        let ran = |c: &Claim| c.kind.check() == Some(kind);
        let new = match block.kind {
            BlockKind::Data => !review::is_shown(text.get(..block.start).unwrap_or_default()),
            BlockKind::Code => judged.is_approval,
            _ => {
                left = left.saturating_sub(1);
                judged.is_approval
                    && left > 0
                    && !report.claims.iter().any(ran)
                    && (is_quoted_field(text, &span) || is_said(reading, &span))
            }
        };
        if !new || report.claims.iter().any(told) {
            continue;
        }
        let clause = reading.clauses.partition_point(|c| c.start <= span.start);
        let sentence = clause.checked_sub(1).and_then(|at| reading.clauses.get(at));
        // `{"summary": "The crate builds without warnings"}` names no linter.
        let of_another = |c: &Claim| (c.span.start, c.span.end) == (span.start, span.end);
        if kind == CheckKind::Lint
            && report.claims.iter().any(of_another)
            && sentence.is_some_and(|c| subject::lints_by_warnings(reading, c))
        {
            continue;
        }
        report.claims.push(Claim {
            kind: ClaimKind::Check(kind),
            sentence: sentence.map_or(0, |c| c.sentence),
            span,
        });
    }
}

/// Whether a report is the value of a field in quotation marks: `tests: "40 passed"`.
fn is_quoted_field(text: &str, span: &Span) -> bool {
    let before = text.get(..span.start).unwrap_or_default();
    before.ends_with(['"', '\''])
}

/// Whether a report is said by the writer, of now, and of a run: not heard from CI, and no reading of the tests.
fn is_said(reading: &Reading, span: &Span) -> bool {
    let at = reading.clauses.partition_point(|c| c.start <= span.start);
    let Some(clause) = at.checked_sub(1).and_then(|at| reading.clauses.get(at)) else {
        return false;
    };
    let from = reading.clauses.partition_point(|c| c.sentence < clause.sentence);
    let to = reading.clauses.partition_point(|c| c.sentence <= clause.sentence);
    let clauses = reading.clauses.get(from..to).unwrap_or_default();
    let mut all = clauses.iter().flat_map(|c| reading.tokens_of(c));
    let away = |t: &Token| mood::leads_away(reading.word(t));
    if all.clone().any(away) {
        return false;
    }
    let ended = all.any(|t| t.tags.any(tag::OKRES | tag::BADRES) || t.kind == TokenKind::Number);
    let tokens: Vec<&Token> = reading.tokens_of(clause).iter().filter(|t| !t.quoted).collect();
    ended && Around::of(reading, clauses).says(reading, at - 1 - from, clause, &tokens)
}

/// Whether a text could be an approval: it holds a word of one, in prose or in code.
fn may_approve(text: &str, reading: &Reading) -> bool {
    // Words in quotation marks are not read: `verdict: "approved"`.
    let code = reading
        .blocks
        .iter()
        .filter(|b| b.kind == BlockKind::Code || holds_quoted(text, b));
    reading.clauses.iter().any(|c| c.tags.any(tag::APPROVE))
        || code.filter_map(|b| text.get(b.start..b.end)).any(|code| {
            ["verdict", "VERDICT", "pprov", "PPROV", "판정", "승인"]
                .iter()
                .any(|w| code.contains(w))
        })
}

/// Whether a paragraph holds a field whose value stands in quotation marks.
fn holds_quoted(text: &str, block: &Block) -> bool {
    let body = text.get(block.start..block.end).unwrap_or_default();
    block.kind == BlockKind::Paragraph && (body.contains(": \"") || body.contains(": '"))
}

/// The kind of claim that a class of evidence makes.
fn kind(class: &str) -> Option<CheckKind> {
    match class {
        "tests" => Some(CheckKind::Tests),
        "build" => Some(CheckKind::Build),
        "types" => Some(CheckKind::Types),
        "lint" => Some(CheckKind::Lint),
        _ => None,
    }
}
