//! Whether a clause says that a verification was not made.

use proctor_prose::{Clause, Features, Filter, Reading, Token, TokenKind, tag};

/// Words for nothing at all.
pub(super) static NOTHING: Filter = Filter::of(&["nothing", "none"]);

/// Whether a clause says that nothing was run or looked at: "I ran nothing".
pub(super) fn ran_nothing(reading: &Reading, tokens: &[&Token]) -> bool {
    tokens.iter().any(|t| t.may_be(&NOTHING)) && (0..tokens.len()).any(|at| is_nothing(reading, tokens, at))
}

/// "ran nothing", "tested nothing but the title"; "saw nothing" is a finding.
fn is_nothing(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let Some(token) = tokens.get(at).filter(|t| t.may_be(&NOTHING)) else {
        return false;
    };
    matches!(reading.word(token), "nothing" | "none")
        && at.checked_sub(1).and_then(|i| tokens.get(i)).is_some_and(|t| {
            t.tags.any(tag::RUN) || matches!(reading.word(t), "verified" | "checked" | "validated")
        })
        && tokens
            .get(at + 1)
            .is_none_or(|t| matches!(reading.word(t), "but" | "else" | "except" | "yet"))
}

/// Whether the verification itself is denied: not run, nobody checked, 확인하지 않.
pub(super) fn denied(reading: &Reading, clause: &Clause, tokens: &[&Token]) -> bool {
    if !clause.features.has(Features::NEGATED) && !tokens.iter().any(|t| t.may_be(&NOTHING)) {
        return false;
    }
    tokens.iter().enumerate().any(|(at, token)| {
        // Most words deny nothing.
        let may = match token.kind {
            TokenKind::Word => token.tags.any(tag::NEG) || token.ends_in_not() || token.may_be(&NOTHING),
            TokenKind::Hangul => token.tags.any(tag::NEG) || token.denies() || token.chars == 1,
            _ => false,
        };
        if !may {
            return false;
        }
        let word = reading.word(token);
        if is_nothing(reading, tokens, at) {
            return true;
        }
        if token.kind == TokenKind::Word
            && (token.tags.any(tag::NEG) || token.phrase == 1 && token.ends_in_not())
        {
            let ahead = tokens.get(at + 1..).unwrap_or_default();
            let failure = ahead.iter().take(3).position(|t| {
                t.tags.any(tag::BADRES) || matches!(reading.word(t), "skipped" | "issues" | "hits" | "hit")
            });
            let success = ahead.iter().take(6).position(|t| {
                t.tags
                    .any(tag::RUN | tag::CHECK | tag::OKRES | tag::TESTS | tag::BUILD)
                    && !t.tags.any(tag::BADRES)
            });
            return match (failure, success) {
                (Some(f), Some(s)) => {
                    s < f && !ahead.get(s).is_some_and(|t| t.tags.any(tag::TESTS | tag::BUILD))
                }
                (Some(_), None) => false,
                (None, Some(_)) => true,
                (None, None) => !matches!(word, "no" | "none" | "without" | "zero" | "nothing"),
            };
        }
        if token.kind == TokenKind::Hangul && token.phrase == 1 {
            let negative = token.denies() || matches!(word, "안") || token.tags.any(tag::NEG);
            if !negative {
                return false;
            }
            let zero = token.tags.any(tag::ZERO);
            let before = tokens.get(at.saturating_sub(3)..at).unwrap_or_default();
            if zero {
                // 실패 없음 is a result; 확인 없이, 돌린 적 없음 is a denial.
                let nearest = before
                    .iter()
                    .rev()
                    .find(|t| t.tags.any(tag::BADRES | tag::RUN | tag::CHECK));
                return nearest.is_some_and(|t| !t.tags.any(tag::BADRES | tag::LINT))
                    && !word.starts_with("없었")
                    && !word.starts_with("없습");
            }
            return !before.iter().any(|t| t.tags.any(tag::BADRES)) && !token.tags.any(tag::OKRES);
        }
        token.kind == TokenKind::Hangul && token.phrase > 1 && token.tags.any(tag::NEG)
    })
}
