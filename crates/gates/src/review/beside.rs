//! What stands beside the reports that the models weigh: the claims of a text, which name what its reports are of, and figures
//! that are compared with earlier ones and got better: those were measured.

use super::evidence::Report;
use super::figures::{Change, change};
use proctor_kernel::CheckKind;
use proctor_prose::{Clause, Features, Kinds, Reading, Tags, Token, TokenKind, tag};

/// What a text claims of checks.
pub(super) fn claimed(text: &str, reading: &Reading) -> Vec<Report> {
    let claims = crate::approval::passes(text, reading);
    claims
        .iter()
        .filter_map(|claim| {
            let class = match claim.kind.check()? {
                CheckKind::Tests => "tests",
                CheckKind::Build => "build",
                CheckKind::Types => "types",
                CheckKind::Lint => "lint",
                CheckKind::Own => return None,
            };
            let (start, end) = (claim.span.start, claim.span.end);
            Some(Report { start, end, class })
        })
        .collect()
}

/// Longest message that is read so, in sentences: where more is said, more is to be weighed.
const SHORT: usize = 4;

/// What makes a clause one that leaves what it tells open.
const OPEN: Features = Features::QUESTION
    .or(Features::QUOTED)
    .or(Features::STRUCK)
    .or(Features::CONDITIONAL)
    .or(Features::FUTURE)
    .or(Features::HEARSAY)
    .or(Features::BELIEF)
    .or(Features::MODAL)
    .or(Features::PENDING)
    .or(Features::ONGOING);

/// What makes any word of a message one that speaks of more than a check that passed.
const MORE: Tags = Tags(
    tag::CONTRAST.0
        | tag::UNDONE.0
        | tag::OTHER.0
        | tag::ROLE.0
        | tag::BELIEF.0
        | tag::HEARSAY.0
        | tag::POLICY.0,
);

/// Figures of a short and plain message that got better. Where something went wrong, is left open, or somebody else speaks,
/// the models have the last word.
pub(super) fn measured(reading: &Reading) -> Vec<Report> {
    let sentences = reading.clauses.last().map_or(0, |c| c.sentence + 1);
    let open = |c: &Clause| {
        let doubts =
            c.features.any(OPEN) || c.tags.any(MORE) || c.outcome.against > 0 || c.outcome.good_denied > 0;
        doubts || c.tags.any(tag::NEG) && c.outcome.against_denied == 0
    };
    let bad = |t: &Token| t.kind == TokenKind::Emoji && !matches!(reading.word(t), "✅" | "✓" | "✔" | "👍");
    if sentences > SHORT || reading.clauses.iter().any(open) || reading.tokens.iter().any(bad) {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(first) = reading.clauses.get(from) {
        let behind = reading.clauses.get(from..).unwrap_or_default();
        let to = from + behind.partition_point(|c| c.sentence <= first.sentence);
        let clauses = reading.clauses.get(from..to).unwrap_or_default();
        from = to.max(from + 1);
        let figures = clauses.iter().any(|c| c.kinds.any(Kinds::NUMBER));
        let prose = reading.blocks.get(first.block).is_some_and(|b| b.kind.is_prose());
        if figures && prose && change(reading, clauses) == Some(Change::Better) {
            out.push(Report {
                start: first.start,
                end: clauses.last().map_or(first.end, |c| c.end),
                class: "measured",
            });
        }
    }
    out
}
