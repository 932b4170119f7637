//! What is no verdict whatever was asked for: bare words that judge nothing, and sentences that break off before they say it.

use super::approval::Verdicts;
use proctor_prose::{Clause, Features, Reading, Tags, Token, TokenKind, lookup, tag};

/// What a word can be known for without saying that anything is good or goes on.
const PLAIN: Tags = Tags(tag::TECH.0 | tag::STOP.0 | tag::GENERIC.0 | tag::WORK.0 | tag::QWORD.0);

/// Whether a message is places and figures alone, or one bare word that judges nothing: `src/a.rs`, "Seoul", 감자, "true". A
/// word that ends as a sentence does may be slang for a verdict.
pub(super) fn says_nothing(reading: &Reading) -> bool {
    // An order lets something go on: 머지하세요.
    if reading
        .clauses
        .iter()
        .any(|c| c.features.has(Features::IMPERATIVE))
    {
        return false;
    }
    let mut word: Option<&Token> = None;
    let (mut place, mut ended) = (false, false);
    for token in &reading.tokens {
        match token.kind {
            TokenKind::Path | TokenKind::Url => place = true,
            TokenKind::Number => {}
            TokenKind::Punct(mark) => ended |= matches!(mark, '.' | '!' | '~' | '+' | '*'),
            TokenKind::Word | TokenKind::Hangul if word.is_none() && !place => word = Some(token),
            _ => return false,
        }
    }
    word.map_or(place, |token| {
        let name = reading.word(token);
        let plain = token.tags.without(PLAIN).is_empty() && token.chars < NAME && !is_nod(name);
        !ended && !place && (plain || name == "true")
    })
}

/// Longest bare word that is taken for a name, in characters: what is longer may be several written as one.
const NAME: u32 = 10;

/// Whether a Korean word is only letters (ㅇㅇ) or ends as a verb does.
fn is_nod(word: &str) -> bool {
    let letters = word.chars().all(|c| ('ㄱ'..='ㅣ').contains(&c));
    letters
        || ["다", "요", "죠", "라", "네", "함", "됨", "임", "고고"]
            .iter()
            .any(|end| word.ends_with(end))
}

/// Takes out the verdicts that break off, and says whether that were all of them: a Korean word without its end (승인합), or a
/// clause that amounts to a verdict in a sentence without its end ("Looks good, but the").
pub(super) fn broken_off(verdicts: &mut Verdicts, text: &str, reading: &Reading) -> bool {
    let before = verdicts.approvals.len();
    let open = open_sentence(reading);
    verdicts.approvals.retain(|found| {
        let word = text.get(found.start..found.end).unwrap_or_default();
        let stem = text.get(found.end..).is_some_and(|rest| rest.trim().is_empty()) && is_stem(word);
        let sentence = reading.clauses.get(found.clause).map(|c| c.sentence);
        !(stem || !found.formal && open.is_some() && sentence == open)
    });
    before > 0 && verdicts.approvals.is_empty()
}

/// The last sentence, when it breaks off.
fn open_sentence(reading: &Reading) -> Option<usize> {
    let last: &Clause = reading.clauses.iter().rev().find(|c| c.chars > 0)?;
    let token: &Token = reading.tokens_of(last).last().filter(|t| t.is_word())?;
    let word = reading.word(token);
    let english = matches!(
        word,
        "the"
            | "a"
            | "an"
            | "of"
            | "and"
            | "or"
            | "but"
            | "because"
            | "my"
            | "your"
            | "our"
            | "if"
            | "when"
            | "which"
            | "than"
    );
    let korean = token.kind == TokenKind::Hangul
        && (is_stem(word)
            || ["을", "를", "에서", "때문에", "하지만", "그리고"]
                .iter()
                .any(|end| word.ends_with(end)));
    (english || korean).then_some(last.sentence)
}

/// Whether a Korean word lacks its end: 승인합, 통과했. 적합 is a word of its own.
fn is_stem(word: &str) -> bool {
    let cut = |end: char| {
        word.strip_suffix(end)
            .is_some_and(|noun| lookup(noun).any(tag::APPROVE | tag::OKRES))
    };
    word.ends_with(['습', '했', '됐', '었', '았', '였', '겠']) || cut('합') || cut('됩')
}
