//! Reads the tokens that no table lists as they are written: Korean words, code, figures with units, pictures.

use super::class::Class;
use super::cues::{self, Cues};
use super::memo::{Told, mark};
use super::senses::{STATES, Sense};
use super::signs::Signs;
use super::syllables::{self, row};
use super::words::{self, Concept, Room, Written};
use crate::text::final_consonant;
use proctor_prose::TokenKind;

/// Notes whether the concepts of a word give it content of its own, and their marks.
fn with_content(mut told: Told, concepts: &[Concept], korean: bool) -> Told {
    let done = korean & told.signs.any(Signs::DONE);
    let state = done | !told.known & told.signs.any(STATES);
    let mut content = false;
    for concept in concepts {
        content |= (concept.weight > 0.3) & !concept.silent;
        told.marks |= mark(concept.name);
    }
    told.signs = told.signs.with(Signs::CONTENT.when(content & !state));
    told
}

/// Reads an English word.
pub(super) fn read_word(
    word: &str,
    listed: Cues,
    glued: bool,
    concepts: &mut Vec<Concept>,
    room: &mut Room,
) -> Told {
    let first = concepts.len();
    let (heard, concept) = words::english(word, words::name(word));
    let mut signs = heard.signs;
    if word.bytes().any(|b| matches!(b, b'-' | b'\'')) && !heard.signs.any(STATES.with(Signs::STOP)) {
        words::latin(word, room, concepts);
        if word.ends_with("'ll") {
            signs = signs.with(Signs::FUTURE);
        } else if word.ends_with("n't") {
            signs = signs.with(Signs::NEG);
        }
    } else {
        concepts.extend(concept);
    }
    let past =
        (word.len() > 3 && word.ends_with("ed") && !word.ends_with("eed")) || heard.signs.any(Signs::PAST);
    let other = Signs::IDLE
        .with(Signs::DONE)
        .with(Signs::VERIFIED)
        .with(Signs::ANALYSED);
    let verb = !heard.class.is_none();
    let told = Told {
        signs,
        cues: cues::of(TokenKind::Word, word, listed, glued),
        class: if verb { heard.class } else { Class::OTHER },
        finished: past && !heard.signs.any(other),
        known: heard.known,
        orders: verb && !word.ends_with("ing") && !word.ends_with('s'),
        progressive: word.len() > 4 && word.ends_with("ing") && verb,
        phrase: heard.phrase,
        ..Told::default()
    };
    with_content(told, concepts.get(first..).unwrap_or_default(), false)
}

/// Reads a number that is more than digits.
pub(super) fn read_number(
    word: &str,
    listed: Cues,
    glued: bool,
    concepts: &mut Vec<Concept>,
    room: &mut Room,
) -> Told {
    let first = concepts.len();
    let (heard, concept) = words::english(word, words::name(word));
    if word.bytes().all(|b| b.is_ascii_digit()) {
        concepts.extend(concept);
    } else {
        words::latin(word, room, concepts);
    }
    let told = Told {
        signs: heard.signs,
        cues: cues::of(TokenKind::Number, word, listed, glued),
        phrase: heard.phrase,
        ..Told::default()
    };
    with_content(told, concepts.get(first..).unwrap_or_default(), false)
}

/// Reads a Korean word; perhaps it is only a particle behind code.
pub(super) fn read_hangul(
    word: &str,
    listed: Cues,
    (glued, particle): (bool, bool),
    concepts: &mut Vec<Concept>,
) -> Told {
    let first = concepts.len();
    let written = Written::of(word);
    let written = written.as_ref();
    let mut sense = Sense::default();
    let tail = written.map_or_else(|| syllables::tail(word), |written| written.tail);
    let mut told = Told {
        cues: listed
            .with(cues::hangul(word, tail, glued))
            .with(Cues::FORMED.when(cues::is_formed(word))),
        ..Told::default()
    };
    if particle {
        finish_korean(word, written, Class::NONE, &mut sense);
    } else {
        let (signs, phrase) = words::korean_signs(word, written);
        let (stem, heard) = words::korean_word(word, written, concepts);
        (told.phrase, told.known) = (phrase, heard.known);
        if let Some((stem, name)) = stem {
            (told.stem, told.length) = (name, stem.len() as u32);
        }
        sense.signs = signs.with(heard.signs);
        sense.known = heard.known;
        finish_korean(word, written, heard.class, &mut sense);
    }
    (told.signs, told.finished, told.class) = (sense.signs, sense.finished, sense.class);
    with_content(told, concepts.get(first..).unwrap_or_default(), true)
}

/// Reads code, a path or another name.
pub(super) fn read_code(
    kind: TokenKind,
    word: &str,
    written: &str,
    (listed, glued): (Cues, bool),
    concepts: &mut Vec<Concept>,
    room: &mut Room,
) -> Told {
    let first = concepts.len();
    let mut told = Told {
        cues: cues::of(kind, word, listed, glued),
        ..Told::default()
    };
    if kind == TokenKind::Ident {
        told.signs = words::english(word, words::name(word)).0.signs;
    }
    words::concepts(written, room, concepts);
    with_content(told, concepts.get(first..).unwrap_or_default(), false)
}

/// Verb stems whose past tense ends like that of "to be": 붙였, 줄였.
const CONTRACTED: &str = "붙줄높들섞쌓녹벌먹속울직옮숙묶엮숨끓";

/// The place of 없 among the syllables.
const LACK: usize = syllables::place([0xec, 0x97, 0x86]);

/// Reads tense and mood from the syllables of a Korean word.
fn finish_korean(word: &str, written: Option<&Written>, class: Class, sense: &mut Sense) {
    let mut past = false;
    let mut copula = false;
    let mut duty = false;
    // Of most words nothing but the past tense shows.
    if let Some(written) = written.filter(|written| !written.told) {
        past = written.past;
    } else {
        let mut before = '\0';
        for c in word.chars() {
            duty |= before == '야' && matches!(c, '합' | '할');
            match c {
                '겠' => sense.signs = sense.signs.with(Signs::OPEN.with(Signs::PLAN)),
                '않' => sense.signs = sense.signs.with(Signs::UNDONE),
                '게' if final_consonant(before) == Some(8) && word.ends_with(['게', '요']) => {
                    sense.signs = sense.signs.with(Signs::OPEN.with(Signs::PLAN));
                }
                '였' if before != '하' && !CONTRACTED.contains(before) => copula = true,
                '있' => {}
                c if final_consonant(c) == Some(20) => past = true,
                _ => {}
            }
            before = c;
        }
    }
    let tail = written.map_or_else(|| syllables::tail(word), |written| written.tail);
    let is = |whole: u64| tail == whole;
    let ends = |end: u64| syllables::ends(tail, end);
    // At least three syllables.
    let long = tail >> 32 != 0;
    let lacks = (syllables::first(word) == LACK) & !is(const { row("없이") });
    sense.signs = sense.signs.with(Signs::UNDONE.when(lacks));
    let noun = is(const { row("분야") }) | is(const { row("시야") }) | is(const { row("이야") });
    duty |= ends(const { row("야") }) & !noun;
    sense.signs = sense.signs.with(Signs::OPEN.with(Signs::PLAN).when(duty));
    let passive = ends(const { row("됩니다") })
        | ends(const { row("집니다") })
        | ends(const { row("돼요") })
        | ends(const { row("되네요") });
    let result = passive & long & !sense.signs.any(STATES);
    let part = ends(const { row("에만") }) | ends(const { row("에서만") }) | ends(const { row("까지만") });
    sense.signs = sense
        .signs
        .with(Signs::RESULT.when(result))
        .with(Signs::UNDONE.when(part));
    let noun = ends(const { row("함") })
        | ends(const { row("됨") })
        | ends(const { row("했음") })
        | ends(const { row("바꿈") })
        | ends(const { row("고침") })
        | ends(const { row("만듦") });
    let noun = noun & long;
    if (past || noun) && !copula && !sense.signs.any(Signs::IDLE) {
        sense.finished = true;
        sense.class = if words::is_light(word) {
            Class::GENERIC
        } else if sense.signs.any(Signs::VERIFIED) {
            Class::VERIFY
        } else if class.is_none() {
            Class::OTHER
        } else {
            class
        };
    }
}

pub(super) fn picture(text: &str) -> Signs {
    text.chars()
        .map(picture_of)
        .find(|signs| !signs.is_empty())
        .unwrap_or(Signs::NONE)
}

/// What a picture says about the state of its line.
pub(super) fn picture_of(c: char) -> Signs {
    match c {
        '✅' | '✔' | '☑' | '✓' | '🟢' | '🏁' => Signs::TICK,
        '❌' | '✗' | '✘' | '🔴' | '🚫' => Signs::CROSS,
        '⬜' | '☐' | '⏳' | '🚧' | '🔄' | '🟡' | '⌛' | '🔜' | '◻' | '▢' | '⏸' => {
            Signs::CLOCK
        }
        _ => Signs::NONE,
    }
}
