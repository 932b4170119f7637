//! Korean words without their particles and endings: what they say, and the concepts that they are.

use super::signs::Signs;
use super::status::set_bits;
use super::stem::{ALONE, START, hash_bytes, hash_on};
use super::syllables::{self, Syllables, row};
use super::words::{Concept, Entry, Heard, SIGN_KEYS, SYLLABLES, entry, may_be_entry, name};
use crate::list::list;
use std::hint::select_unpredictable;

/// Most syllables of a word that is looked at as a whole.
const MOST: usize = 16;

/// Syllables that verbal endings begin with, and those that tense and mood are told by.
static VERBS: Syllables = Syllables::of("했하합할한함해됐되됩됨된될돼시이였입인");
static TELLING: Syllables = Syllables::of("겠않게였있야");

/// What one look at the syllables of a word shows, where it has nothing else and not too many.
pub(super) struct Written {
    /// The hashes of its beginnings, by how many syllables they have.
    hashes: [u64; MOST + 1],
    /// Where a verbal ending and where a sign may begin, one bit for each syllable: mostly nowhere.
    verbs: u64,
    signs: u64,
    /// How many syllables it has, and the last four of them in a row.
    count: usize,
    pub(super) tail: u64,
    /// One of its syllables tells of tense or mood; some other one of the past.
    pub(super) told: bool,
    pub(super) past: bool,
}

impl Written {
    pub(super) fn of(word: &str) -> Option<Self> {
        let (syllables, rest) = word.as_bytes().as_chunks::<3>();
        if !rest.is_empty() || syllables.len() > MOST {
            return None;
        }
        let mut out = Self {
            hashes: [START; MOST + 1],
            verbs: 0,
            signs: 0,
            count: syllables.len(),
            tail: 0,
            told: false,
            past: false,
        };
        let mut all = true;
        let mut hash = START;
        let (mut begins, mut pairs) = (0_u64, 0_u64);
        let mut before = 0;
        for (at, syllable) in syllables.iter().enumerate() {
            hash = hash_bytes(hash, syllable);
            if let Some(place) = out.hashes.get_mut(at + 1) {
                *place = hash;
            }
            let place = syllables::place(*syllable);
            all &= place < syllables::COUNT;
            out.tail = out.tail << 16 | (place as u64).wrapping_add(1) & 0xffff;
            out.verbs |= u64::from(VERBS.has(place)) << at;
            out.told |= TELLING.has(place);
            out.past |= place % 28 == 20;
            let bits = SYLLABLES.get(place / 64).copied().unwrap_or_default();
            begins |= (bits >> (place % 64) & 1) << at;
            pairs |= u64::from(SIGN_KEYS.may_be_syllables(before, place)) << at;
            before = place;
        }
        // Behind a single syllable begins another word: `재시작` is no beginning. No more than eight are looked at.
        let pairs = pairs >> 1 & 0b1111_1101;
        out.signs = begins & (pairs | u64::from(SIGN_KEYS.may_be_syllable(syllables::first(word))));
        all.then_some(out)
    }

    /// The hash of the first of its syllables that have so many bytes.
    fn hash(&self, bytes: usize) -> u64 {
        self.hashes.get(bytes / 3).copied().unwrap_or_default()
    }
}

/// A hash with more syllables: of three bytes each, which takes fewer steps than one after another.
pub(super) fn hash_syllables(hash: u64, text: &str) -> u64 {
    let (syllables, rest) = text.as_bytes().as_chunks::<3>();
    let hash = syllables.iter().fold(hash, |hash, s| hash_bytes(hash, s));
    hash_bytes(hash, rest)
}

/// What a Korean word says by the words that it begins with or holds.
pub(super) fn korean_signs(word: &str, written: Option<&Written>) -> (Signs, u8) {
    let mut out = (Signs::NONE, 0);
    if let Some(written) = written {
        for at in set_bits(written.signs) {
            signs_from(word, 3 * at, &mut out);
        }
        return out;
    }
    let mut behind = word.chars().skip(1);
    for (syllable, (start, first)) in word.char_indices().take(8).enumerate() {
        let next = behind.next();
        if syllable == 1 || !begins_sign(first) {
            continue;
        }
        let pair = next.is_some_and(|next| SIGN_KEYS.may_be_pair(first, next));
        let single = start == 0 && SIGN_KEYS.may_be_single(first);
        // "0건": what begins with no syllable may be listed as well.
        let written = matches!(first, '\u{AC00}'..='\u{D7A3}');
        if written && !(pair || single) {
            continue;
        }
        signs_from(word, start, &mut out);
    }
    out
}

/// Adds the signs of the listed words that stand at a place of a Korean word.
fn signs_from(word: &str, start: usize, (out, phrase): &mut (Signs, u8)) {
    const WHOLE: Signs = Signs::STOP.with(Signs::GENERIC);
    let mut hash = START;
    let mut from = start;
    let mut count = 0;
    for (at, c) in word.get(start..).unwrap_or_default().char_indices().take(5) {
        let end = start + at + c.len_utf8();
        hash = hash_bytes(hash, word.as_bytes().get(from..end).unwrap_or_default());
        from = end;
        count += 1;
        if start > 0 && count < 2 {
            continue;
        }
        if let Some(found) = entry(hash) {
            *out = out.with(found.signs.without(WHOLE));
            if start == 0 && end == word.len() {
                *phrase = found.phrase;
            }
        }
        if start == 0
            && end == word.len()
            && let Some(found) = entry(hash ^ ALONE)
        {
            *out = out.with(found.signs);
        }
    }
}

/// Whether a listed word that is a sign may begin with this syllable.
fn begins_sign(first: char) -> bool {
    let place = u32::from(first).wrapping_sub(0xac00) as usize;
    SYLLABLES
        .get(place / 64)
        .is_none_or(|bits| bits >> (place % 64) & 1 == 1)
}

/// As [`korean_word`], with the compound that the word forms with the one before it; gives the name of its stem.
pub(super) fn korean_behind(run: &str, before: Option<u64>, out: &mut Vec<Concept>) -> Option<u64> {
    let first = out.len();
    let (written, _) = korean_word(run, Written::of(run).as_ref(), out);
    if let (Some(before), Some((written, _))) = (before, written) {
        // `오류 문구` for `오류문구`.
        out.insert(first, Concept::named(hash_on(before, written), 0.0));
    }
    written.map(|written| written.1)
}

/// Adds the concepts of a Korean word: its stem, and the halves of a long compound. Gives the stem with its name, and what the
/// word tells of doing.
pub(super) fn korean_word<'a>(
    word: &'a str,
    written: Option<&Written>,
    out: &mut Vec<Concept>,
) -> (Option<(&'a str, u64)>, Heard) {
    if is_light(word) {
        return (None, Heard::default());
    }
    let stem = korean_stem(word, written);
    let (key, all) = if let Some(written) = written {
        (written.hash(stem.len()), written.hash(word.len()))
    } else {
        let key = name(stem);
        (key, hash_on(key, word.get(stem.len()..).unwrap_or_default()))
    };
    let mut heard = Heard::default();
    // Most words are not listed, neither with nor without their ending.
    if may_be_entry(key) | may_be_entry(all) {
        let (exact, whole) = (entry(key), entry(all));
        let signs = |e: Option<&'static Entry>| e.map_or(Signs::NONE, |e| e.signs);
        heard.signs = signs(exact).with(signs(whole));
        if heard.signs.any(Signs::STOP) {
            return (None, heard);
        }
        let listed = |e: &&'static Entry| e.name != 0;
        if let Some(found) = exact.filter(listed).or(whole.filter(listed)) {
            let silent = heard.signs.any(Signs::GENERIC);
            out.extend(found.concept().map(|c| Concept { silent, ..c }));
            heard.class = found.class;
            heard.known = true;
            return (Some((stem, key)), heard);
        }
    }
    let length = match written {
        Some(_) => stem.len() / 3,
        None => stem.chars().count(),
    };
    out.push(Concept {
        silent: heard.signs.any(Signs::GENERIC),
        ..Concept::named(key, if length < 2 { 0.3 } else { 1.0 })
    });
    if (3..=10).contains(&length) {
        halves(stem, length, written, out);
    }
    (Some((stem, key)), heard)
}

/// Adds the halves of a compound. They only help to recognise; they do not add to what an item consists of.
fn halves(stem: &str, length: usize, written: Option<&Written>, out: &mut Vec<Concept>) {
    let mut part = |part: &str, hash: u64| {
        let found = entry(hash).filter(|k| k.name != 0);
        debug_assert_eq!(hash, name(part), "the hash is that of the part");
        out.push(Concept::named(found.map_or(hash, |k| k.name), 0.0));
    };
    if let Some(written) = written {
        // In the order of the cuts: the tail of one, then the head of the next one.
        for cut in (3..stem.len() - 3).step_by(3) {
            let (tail, head) = (
                stem.get(cut..).unwrap_or_default(),
                stem.get(..cut + 3).unwrap_or_default(),
            );
            let hash = hash_syllables(START, tail);
            part(tail, hash);
            part(head, written.hash(head.len()));
        }
        return;
    }
    let mut hash = START;
    let mut before = 0;
    for (at, (cut, _)) in stem.char_indices().enumerate().skip(1) {
        let (head, tail) = stem.split_at(cut);
        hash = hash_on(hash, head.get(before..).unwrap_or_default());
        before = cut;
        if at >= 2 {
            part(head, hash);
        }
        if length - at >= 2 {
            part(tail, name(tail));
        }
    }
}

/// Whether a Korean word is nothing but a form of "to do" or "to become".
pub(super) fn is_light(word: &str) -> bool {
    static FIRST: Syllables = Syllables::of("했하합해됐되됩돼됨");
    if !FIRST.begins(word) {
        return false;
    }
    const FORMS: &str = "\
        했|하였|합니|하고|하며|하지|하도록|해서|해야|하여|하겠|하는|됐|되었|됩니|되고|되며|되지|되도록|돼서|되어|되겠|되는|됨";
    list!(FORMS, by_word = false).prefixes(word).next().is_some()
}

/// A Korean word without particle and verb ending.
pub(super) fn korean_stem<'a>(word: &'a str, written: Option<&Written>) -> &'a str {
    const VERBAL: &str = "\
        했|하였|하고|하며|하는|하여|하지|하기|하도록|하게|합니|할|한다|함|해서|해야|됐|되었|되어|되는|\
        되지|되고|됩니|됨|된|될|돼|시켰|시키|시킴|이었|였|입니|이고|이며|인지";
    static LAST: Syllables = Syllables::of("는도만서로지터게테럼다나랑을은이의가를에와과");
    let mut best = word.len();
    // Endings begin behind the second syllable at the earliest.
    let verbal = |at: usize| {
        let rest = word.get(at..).unwrap_or_default();
        list!(VERBAL, by_word = false).prefixes(rest).next().is_some()
    };
    if let Some(written) = written {
        if let Some(at) = set_bits(written.verbs & !0b11).find(|at| verbal(3 * at)) {
            best = 3 * at;
        }
    } else {
        for (at, _) in word.char_indices().skip(2) {
            if VERBS.begins(word.get(at..).unwrap_or_default()) && verbal(at) {
                best = at;
                break;
            }
        }
    }
    let mut stem = word.get(..best).unwrap_or(word);
    // Whether the lexicon knows the word as it is.
    let known = |written: Option<&Written>| {
        let key = written.map_or_else(|| name(word), |written| written.hash(word.len()));
        entry(key).is_some_and(|found| found.name != 0)
    };
    if let Some(written) = written {
        let cut = particle(written.tail, written.count);
        if cut > 0 && best == word.len() && !known(Some(written)) {
            stem = word.get(..best - 3 * cut).unwrap_or(word);
        }
    } else if best == word.len() && LAST.ends(word) && word.chars().nth(1).is_some() {
        for particle in particles(stem) {
            let Some(head) = stem.strip_suffix(particle) else {
                continue;
            };
            let several = head.chars().nth(1).is_some();
            // A single syllable in front of a particle is only cut where it cannot be part of a noun.
            let sure = SURE.contains(particle) && !head.is_empty();
            if (several || sure) && !known(written) {
                stem = head;
                break;
            }
        }
    }
    stem
}

/// The particles by their last syllables, the longest first.
const PARTICLES: [(&str, &[&str]); 22] = [
    (
        "는",
        &[
            "에서는",
            "으로는",
            "까지는",
            "부터는",
            "이라는",
            "에는",
            "라는",
            "는",
        ],
    ),
    ("도", &["에서도", "으로도", "까지도", "에도", "들도", "도"]),
    ("만", &["에서만", "에만", "만"]),
    ("서", &["에서"]),
    ("로", &["으로", "로"]),
    ("지", &["까지"]),
    ("터", &["부터"]),
    ("게", &["에게"]),
    ("테", &["한테"]),
    ("럼", &["처럼"]),
    ("다", &["보다", "마다"]),
    ("나", &["이나"]),
    ("랑", &["이랑"]),
    ("을", &["들을", "을"]),
    ("은", &["들은", "은"]),
    ("이", &["들이", "이"]),
    ("의", &["들의", "의"]),
    ("가", &["가"]),
    ("를", &["를"]),
    ("에", &["에"]),
    ("와", &["와"]),
    ("과", &["과"]),
];

/// Those that a single syllable may stand in front of.
const SURE: [&str; 7] = ["을", "를", "은", "는", "에서", "으로", "에는"];

/// The particles that end with the last syllable of a word, the longest first.
fn particles(word: &str) -> &'static [&'static str] {
    let found = PARTICLES.iter().find(|(last, _)| word.ends_with(last));
    found.map_or(&[], |(_, particles)| particles)
}

/// The particles with one last syllable as rows, by how many syllables they have; some are no particle.
#[derive(Clone, Copy)]
struct Row {
    one: u64,
    two: [u64; 2],
    three: [u64; 5],
    /// Those that a single syllable may stand in front of.
    sure: [u64; 2],
}

/// What no word ends with.
const NOTHING: u64 = u64::MAX;

/// The particles by their last syllables, each of which has a place of its own.
static ROWS: [Row; PLACES] = rows();
const PLACES: usize = 64;
const SPREAD: u64 = spread();

/// The place of a last syllable.
const fn place_of(last: u64, spread: u64) -> usize {
    (last.wrapping_mul(spread) >> 16) as usize % PLACES
}

/// What gives each last syllable a place of its own.
const fn spread() -> u64 {
    let mut spread = 0x9e37;
    loop {
        let mut taken = 0_u64;
        let mut at = 0;
        while at < PARTICLES.len() {
            let bit = 1 << place_of(row(PARTICLES[at].0), spread);
            if taken & bit != 0 {
                break;
            }
            taken |= bit;
            at += 1;
        }
        if at == PARTICLES.len() {
            return spread;
        }
        spread += 2;
    }
}

const fn rows() -> [Row; PLACES] {
    let none = Row {
        one: NOTHING,
        two: [NOTHING; 2],
        three: [NOTHING; 5],
        sure: [NOTHING; 2],
    };
    let mut out = [none; PLACES];
    let mut at = 0;
    while at < PARTICLES.len() {
        let (last, particles) = PARTICLES[at];
        let place = &mut out[place_of(row(last), SPREAD)];
        let (mut twos, mut threes, mut n) = (0, 0, 0);
        while n < particles.len() {
            let particle = row(particles[n]);
            let syllables = particles[n].len() / 3;
            match syllables {
                1 => place.one = particle,
                2 => {
                    place.two[twos] = particle;
                    twos += 1;
                }
                _ => {
                    place.three[threes] = particle;
                    threes += 1;
                }
            }
            let mut sure = 0;
            while sure < SURE.len() {
                if row(SURE[sure]) == particle {
                    place.sure[syllables - 1] = particle;
                }
                sure += 1;
            }
            n += 1;
        }
        at += 1;
    }
    out
}

/// How many syllables the particle has that is cut from a word of so many syllables with this tail. A single syllable in
/// front of a particle is only cut where it cannot be part of a noun.
fn particle(tail: u64, count: usize) -> usize {
    let (one, two, three) = (tail & 0xffff, tail & 0xffff_ffff, tail & 0xffff_ffff_ffff);
    let Some(row) = ROWS.get(place_of(one, SPREAD)) else {
        return 0;
    };
    let [sure_one, sure_two] = row.sure;
    let is_one = (row.one == one) & ((count > 2) | (sure_one == one) & (count > 1));
    let is_two = row.two.iter().fold(false, |is, p| is | (*p == two));
    let is_two = is_two & ((count > 3) | (sure_two == two) & (count > 2));
    let is_three = row.three.iter().fold(false, |is, p| is | (*p == three)) & (count > 4);
    let shorter = select_unpredictable(is_two, 2, usize::from(is_one));
    select_unpredictable(is_three, 3, shorter)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One look at all syllables finds what the search finds that other words need.
    #[test]
    fn both_ways_find_the_same_stem() {
        let heads = [
            "",
            "문",
            "문서",
            "헤더들",
            "로그",
            "작업했",
            "사과",
            "아이",
            "설정하",
            "배포가능한",
        ];
        let particles = PARTICLES.iter().flat_map(|(last, all)| all.iter().chain([last]));
        let mut seen = 0;
        for head in heads {
            for tail in particles.clone().chain(&["", "가나", "하기", "했습니다"]) {
                let word = format!("{head}{tail}");
                let written = Written::of(&word);
                let written = written.as_ref().expect("only syllables");
                assert_eq!(written.tail, syllables::tail(&word), "{word}");
                let both = [Some(written), None].map(|w| {
                    let mut concepts = Vec::new();
                    let stem = korean_stem(&word, w).to_owned();
                    let (name, _) = korean_word(&word, w, &mut concepts);
                    (stem, name.map(|n| n.1), concepts)
                });
                assert_eq!(both[0], both[1], "{word}");
                seen += 1;
            }
        }
        assert!(seen > 400, "{seen}");
    }
}
