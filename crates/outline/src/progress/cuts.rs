//! Where a clause falls into parts, and what the words of a part are like.

use super::cues::Cues;
use super::senses::Sense;
use super::signs::Signs;
use super::status::View;
use super::syllables::{self, Syllables, row};
use proctor_prose::{Token, TokenKind};

/// The next struck-through stretch from `at` on.
pub(super) fn next_struck(view: View<'_>, at: usize) -> Option<(usize, usize)> {
    let token = |i: usize| view.reading.tokens.get(i).filter(|_| i < view.to);
    let from = (at..view.to).find(|i| token(*i).is_some_and(|t| t.struck))?;
    let to = (from..view.to).find(|i| !token(*i).is_some_and(|t| t.struck));
    Some((from, to.unwrap_or(view.to)))
}

/// Where a piece ends because of the token at `at`: before a separator, or behind a Korean connective.
#[inline]
pub(super) fn cut_at(view: View<'_>, at: usize, token: &Token, sense: &Sense) -> Option<usize> {
    if token.quoted {
        return None;
    }
    match token.kind {
        TokenKind::Punct(',' | ';' | '，') => Some(at),
        TokenKind::Punct('/' | '|') if !token.glued => Some(at),
        // "1 ✅ 2 ✅ 3 ❌", but "✅ a ❌ b".
        TokenKind::Emoji if view.picture().is_some() && at > view.from => {
            let leads = view
                .reading
                .tokens
                .get(view.from)
                .is_some_and(|t| t.kind == TokenKind::Emoji);
            Some(if leads { at } else { at + 1 })
        }
        TokenKind::Word => sense.signs.any(Signs::JOINT).then_some(at),
        TokenKind::Hangul => {
            let cues = sense.cues;
            // 끝나서 다음을 시작합니다.
            let reason = cues.any(Cues::REASONS) && sense.signs.any(Signs::DONE);
            (reason || cues.any(Cues::CONNECTS)).then_some(at + 1)
        }
        _ => None,
    }
}

/// Where a member of a list ends.
pub(super) fn list_cut(view: View<'_>, at: usize) -> Option<usize> {
    let cues = view.cues(at);
    if cues.any(Cues::CUT) {
        return Some(at);
    }
    let behind = cues.any(Cues::CUT_BEHIND)
        && view
            .reading
            .tokens
            .get(at)
            .is_some_and(|t| t.kind == TokenKind::Hangul);
    behind.then_some(at + 1)
}

/// Whether a Korean word with this row of last syllables ends a statement without ending the sentence.
pub(super) fn connects(word: &str, tail: u64) -> bool {
    static SECOND: Syllables = Syllables::of("고으");
    let second = word.get(3..).is_some_and(|rest| SECOND.begins(rest));
    let ends = |end: u64| syllables::ends(tail, end);
    // 됐고, 했고: the past tense alone is a verb.
    let first = syllables::first(word);
    let past = second & (first < syllables::COUNT) & (first % 28 == 20) & (tail >> 48 == 0);
    let long = tail >> 32 != 0;
    let joins = ends(const { row("고") })
        | ends(const { row("며") })
        | ends(const { row("지만") })
        | ends(const { row("는데") })
        | ends(const { row("으나") })
        | ends(const { row("고요") });
    let other = ends(const { row("다고") })
        | ends(const { row("라고") })
        | ends(const { row("자고") })
        | ends(const { row("냐고") })
        | ends(const { row("까지만") })
        | ends(const { row("빼고") })
        | ends(const { row("말고") })
        | ends(const { row("제외하고") })
        | ends(const { row("남기고") })
        | ends(const { row("남겨두고") });
    past | joins & long & !other
}

pub(super) fn ends_in_contrast(view: View<'_>) -> bool {
    ends_in(view, Cues::CONTRAST)
}

/// Whether the last word of a stretch is a Korean one with this cue.
fn ends_in(view: View<'_>, cue: Cues) -> bool {
    let tokens = view.tokens();
    tokens
        .iter()
        .rposition(|t| !matches!(t.kind, TokenKind::Punct(_)))
        .is_some_and(|i| {
            tokens.get(i).is_some_and(|t| t.kind == TokenKind::Hangul) && view.cues(view.from + i).any(cue)
        })
}

/// Whether a part ends in a Korean verb that the next one carries on: 수정해서, 바꾸어서.
pub(super) fn carries_on(view: View<'_>) -> bool {
    ends_in(view, Cues::CARRIED)
}

/// Whether a part says that all of what is listed up to it are meant: "위젯 둘 다", "both".
pub(super) fn ends_listing(view: View<'_>) -> bool {
    view.tokens().windows(2).enumerate().any(|(i, pair)| {
        let [a, b] = pair else { return false };
        view.cues(view.from + i).any(Cues::BOTH)
            && b.kind == TokenKind::Hangul
            && (view.reading.word(b) == "다" || view.reading.word(a).chars().count() > 1)
    })
}

/// Whether only something is done of what a part speaks of: 목차만, with a word that belongs to no item.
pub(super) fn is_part(view: View<'_>) -> bool {
    view.said().any(|(at, t)| {
        // 별칭만 바꾸는 스크립트: all of it is told of something else.
        let describes = || {
            view.reading.tokens.get(at + 1).is_some_and(|n| {
                n.kind == TokenKind::Hangul && view.reading.word(n).ends_with(['는', '던', '은', '을'])
            })
        };
        t.kind == TokenKind::Hangul
            && view.cues(at).any(Cues::PARTLY)
            && (view.senses.places(at).is_empty() || t.glued)
            && !view.senses.signs(at).any(Signs::QUANTITY)
            && !describes()
    })
}

/// Whether a part begins with its verb ("Added …", "DONE: …").
pub(super) fn verb_first(view: View<'_>) -> bool {
    view.said()
        .filter(|(_, t)| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
        .find(|(at, _)| !view.cues(*at).any(Cues::LEADS))
        .is_some_and(|(at, _)| {
            let sense = view.senses.get(at);
            let verbs = Signs::DONE
                .with(Signs::OPEN)
                .with(Signs::PAST)
                .with(Signs::ANALYSED);
            sense.finished || sense.signs.any(verbs)
        })
}

/// Whether a stretch gives a figure, a file or an output.
pub(super) fn has_figure(view: View<'_>) -> bool {
    view.said()
        .any(|(_, t)| matches!(t.kind, TokenKind::Number | TokenKind::Path | TokenKind::Ident))
        || view.tokens().iter().any(|t| t.kind == TokenKind::Code)
}

/// A short label and something to show behind it: "Throughput: 655 samples/s in report/speed.md".
pub(super) fn is_label(view: View<'_>) -> bool {
    let mark = view
        .tokens()
        .iter()
        .position(|t| matches!(t.kind, TokenKind::Punct(':' | '–' | '—' | '→')));
    mark.is_some_and(|at| {
        let (label, rest) = (
            view.at(view.from, view.from + at),
            view.at(view.from + at + 1, view.to),
        );
        (1..=6).contains(&label.words().count())
            && (has_figure(rest)
                || rest
                    .words()
                    .next_back()
                    .is_some_and(|w| matches!(w, "확인" | "성공" | "정상" | "반영" | "적용" | "ok" | "fine")))
    })
}

/// Whether a stretch says that only what it names is left: "Only the docs are missing", "문서만 남았습니다".
pub(super) fn is_only(view: View<'_>, all: Signs) -> bool {
    if !all.any(Signs::LEFT.with(Signs::OPEN)) {
        return false;
    }
    let korean = || view.words().any(|w| w.ends_with('만') && w.chars().count() > 1);
    (all.any(Signs::ONLY) || korean())
        && view.words().any(|w| {
            matches!(
                w,
                "left" | "leaves" | "remains" | "remain" | "missing" | "open" | "outstanding" | "pending"
            ) || w.starts_with("남")
                || w.starts_with("하면")
        })
}

/// "… and so is the login page".
pub(super) fn says_so(view: View<'_>) -> bool {
    let mut words = view.words().skip_while(|w| *w == "and");
    words.next() == Some("so")
        && matches!(
            words.next(),
            Some("is" | "are" | "was" | "were" | "does" | "did" | "has" | "have")
        )
}

/// Whether a piece is set apart by a slash or a bar.
pub(super) fn is_slash(view: View<'_>, at: usize) -> bool {
    view.reading
        .tokens
        .get(at)
        .is_some_and(|t| matches!(t.kind, TokenKind::Punct('/' | '|')))
}
