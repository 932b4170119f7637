//! Whether a clause leaves a path to somebody else: `Sam takes b.md`, `b.md is Sam's`, b.md 는 민수가 합니다.

use super::Clause;
use crate::list::listed;
use crate::paths::{self, Mention};
use crate::text::{final_consonant, has_hangul, slice};

impl Clause<'_> {
    /// Whether the path is what another person works on. Who that is, only the form tells: a name or a pronoun that is
    /// the subject of a verb of taking or doing, or that owns it.
    pub(super) fn is_of_another(&self, mention: &Mention) -> bool {
        let before = slice(self.text, self.from, mention.start);
        let behind = self.after(mention).trim_start_matches(['`', '"', '\'', '*']);
        takes(before)
            || is_owned(behind)
            || is_taken_behind(behind)
            || self.korean && is_taken_korean(before, behind)
    }
}

fn word(raw: &str) -> &str {
    raw.trim_matches(|c: char| !c.is_alphanumeric())
}

/// A word that names a person, or a pronoun for one who is not spoken to.
fn is_person(raw: &str) -> bool {
    let word = word(raw);
    if listed!("he|she|they|I|we|He|She|They|We", word) {
        return true;
    }
    let mut letters = word.chars();
    let name = letters.next().is_some_and(|c| c.is_ascii_uppercase())
        && word.len() > 1
        && letters.all(|c| c.is_ascii_lowercase());
    name && !listed!(
        "it|this|that|these|those|there|each|every|everything|nothing|all|both|one|which|what|who|nobody|you|\
        only|then|also|now|and|or|but|the|an|if|when|where|while|as|so|why|how|whose|whom|whether|please|just|not|\
        to|can|could|will|would|should|shall|must|may|do|does|did|is|are|was|were|has|have|let|next|first|finally",
        word.to_ascii_lowercase().as_str(),
    )
}

/// A verb, in the form that follows a name or a pronoun, of one who has a piece of work.
fn is_taking(word: &str) -> bool {
    listed!(
        "take|takes|do|does|handle|handles|own|owns|doing|taking|handling|edits|changes|rewrites|maintains|updates|\
        writes|fixes",
        word,
    )
}

/// What may stand between the one who takes and what is taken.
fn is_filler(word: &str) -> bool {
    listed!(
        "will|is|are|am|'ll|already|also|care|of|the|file|files|over|up|on|works|working|work|looks|after|now|be",
        word,
    )
}

/// `Sam takes`, `Kim will do`, `he is working on`: right before the path.
fn takes(before: &str) -> bool {
    let mut verb = false;
    let mut previous = "";
    for raw in before.split_whitespace().rev().take(7) {
        let lower = word(raw).to_ascii_lowercase();
        if is_person(raw.trim_end_matches("'ll").trim_end_matches("’ll")) {
            // "They use X" is no work; "Fix" and "Take" are orders.
            return verb;
        }
        verb |= is_taking(&lower)
            || lower == "working"
            || lower == "works"
            || lower == "looks" && previous == "after";
        if !is_taking(&lower) && !is_filler(&lower) && !lower.is_empty() {
            return false;
        }
        previous = if lower == "after" { "after" } else { "" };
    }
    false
}

/// `is Sam's`, `belongs to Sam`, `is up to Kim`, `is done by Kim`: right behind the path.
fn is_owned(behind: &str) -> bool {
    let words: Vec<&str> = behind.split_whitespace().take(6).collect();
    let at = |i: usize| words.get(i).copied().unwrap_or_default();
    let linked = listed!("is|are|goes|go|belongs|belong|stays|will", word(at(0)));
    if !linked {
        return false;
    }
    for i in 1..words.len() {
        let raw = at(i);
        let plain = word(raw);
        if listed!("his|hers|theirs|mine|ours", plain) {
            return true;
        }
        if let Some(owner) = plain.strip_suffix("'s").or_else(|| plain.strip_suffix("’s")) {
            return is_person(owner);
        }
        if listed!("to|by|with", plain) {
            return is_person(at(i + 1));
        }
        if !listed!(
            "be|being|up|left|done|handled|taken|covered|owned|dealt|all|already",
            plain
        ) {
            return false;
        }
    }
    false
}

/// `: Kim does this one`, ` - she takes that`: behind the path and a mark.
fn is_taken_behind(behind: &str) -> bool {
    let Some(rest) = behind.trim_start().strip_prefix([':', '-', '–', '—', ',']) else {
        return false;
    };
    let mut words = rest.split_whitespace();
    let Some(first) = words.next() else { return false };
    if let Some(owner) = word(first).strip_suffix("'s") {
        return is_person(owner) && words.next().is_none();
    }
    let mut verb = false;
    is_person(first.trim_end_matches("'ll"))
        && words.take(6).all(|raw| {
            let plain = word(raw);
            let taking = is_taking(plain) || matches!(plain, "work" | "works" | "working");
            verb |= taking;
            taking || is_filler(plain) || listed!("this|that|it|these|those|them|one|ones|part", plain)
        })
        && verb
}

/// b.md 는 민수가 합니다, b.md 는 민수 담당, 민수가 b.md 를 맡습니다.
fn is_taken_korean(before: &str, behind: &str) -> bool {
    let mut words = behind.split_whitespace();
    let particle = words.next().unwrap_or_default();
    let words: Vec<&str> = words.take(4).map(word).collect();
    let at = |i: usize| words.get(i).copied().unwrap_or_default();
    let topic = matches!(particle, "은" | "는" | "도" | "건" | "쪽은");
    if topic {
        if is_subject(at(0)) && (does(at(1)) || at(1) == "직접" && does(at(2))) {
            return true;
        }
        // 담당 says it at the end; before a noun it says what for (결제 담당 모듈).
        let charge = words
            .iter()
            .position(|w| matches!(*w, "담당" | "담당이다" | "몫" | "몫입니다"));
        return charge.is_some_and(|i| (1..=2).contains(&i) && i + 1 == words.len());
    }
    let object = matches!(particle, "을" | "를");
    object && at(0).starts_with('맡') && before.split_whitespace().any(is_subject)
}

/// A Korean word with the particle of a subject: 민수가, 제가, 팀장님이.
fn is_subject(word: &str) -> bool {
    let mut letters = word.chars().rev();
    let particle = letters.next();
    let last = letters.next();
    let closed = last.and_then(final_consonant).map(|index| index > 0);
    has_hangul(word)
        && match particle {
            Some('가') => closed == Some(false),
            Some('이') => closed == Some(true),
            _ => false,
        }
}

/// 합니다, 한다, 할 예정, 하고 있음, 맡습니다, 봅니다: a verb that says no more than that it is done.
fn does(word: &str) -> bool {
    listed!("할|하는|하고|함|해", word)
        || [
            "합니다",
            "한다",
            "해요",
            "하기로",
            "할게",
            "할겁",
            "하겠",
            "맡",
            "봅니다",
            "보고",
            "담당",
            "진행",
        ]
        .iter()
        .any(|verb| word.starts_with(verb))
}

/// Whether a comma stands between what is said of one path and what is said of the next: `src/ 전체, src/gen 은 …`. In a
/// list (`a.ts, b.ts 는 …`) nothing is said of the first, unless the second lies in it.
pub(super) fn contrasts(text: &str, from: usize, comma: usize, mentions: &[Mention]) -> bool {
    let next = mentions.partition_point(|m| m.start < comma);
    let Some((last, second)) = next
        .checked_sub(1)
        .and_then(|i| mentions.get(i))
        .zip(mentions.get(next))
    else {
        return false;
    };
    let quotes = ['`', '"', '\'', ' ', ','];
    if last.start < from
        || !slice(text, comma, second.start)
            .chars()
            .all(|c| quotes.contains(&c))
    {
        return false;
    }
    let behind = crate::text::near_behind(text, second.end).trim_start_matches(['`', '"', '\'']);
    let topic = behind
        .split_whitespace()
        .next()
        .is_some_and(|w| matches!(w, "은" | "는"));
    if !topic {
        return false;
    }
    let said = slice(text, last.end.min(comma), comma)
        .split_whitespace()
        .any(|raw| {
            let word = word(raw);
            has_hangul(word)
                && !paths::is_particle(word)
                && !["파일", "폴더", "디렉터리", "디렉토리"]
                    .iter()
                    .any(|k| word.starts_with(k))
        });
    said || lies_in(&second.path, &last.path)
}

/// Whether a path lies in a folder, or in the folder of a glob, that another names.
pub(super) fn lies_in(path: &str, other: &str) -> bool {
    let folder = other.trim_end_matches(['*', '/']);
    !folder.is_empty()
        && path.len() > folder.len()
        && path.strip_prefix(folder).is_some_and(|r| r.starts_with('/'))
}
