//! Korean endings: what the tail of a word says about tense, negation, condition, report and mood.
//!
//! Korean puts its grammar at the end of the word, so the last syllables are read instead of a dictionary.

use crate::features::Features;
use crate::form;

/// The final consonant of a syllable as its index in Unicode order; 0 for none.
fn final_consonant(c: char) -> u32 {
    match c {
        '\u{ac00}'..='\u{d7a3}' => (c as u32 - 0xac00) % 28,
        _ => 0,
    }
}

/// Index of the final ㅆ, the mark of the past in 했, 었, 봤 …
const SSANG_SIOT: u32 = 20;

/// Nouns that end in 면 without being conditions.
const NOT_CONDITIONS: [&str; 16] = [
    "화면", "반면", "측면", "전면", "정면", "표면", "이면", "장면", "평면", "후면", "도면", "지면", "국면",
    "단면", "수면", "배면",
];

/// The features of one Korean word, one that ends there in a text, by its endings and its form.
pub(crate) fn features(word: &str, text: &[u8], end: usize, form: u8) -> Features {
    let shows = |bits: u8, feature: Features| u32::from(form & bits != 0) * feature.0;
    let mut out = shows(form::PAST, Features::PAST)
        | shows(form::WILL, Features::FUTURE)
        | shows(form::NEGATES | form::FAILS, Features::NEGATED);
    let told = form & form::TELLS != 0;
    let (before, last) = last_two(word.as_bytes());
    // 할게, 갈게요: a promise.
    let promises = (form & form::PROMISES != 0) & ((last == '게' as u32) | (last == '요' as u32));
    out |= u32::from(promises) * Features::FUTURE.0;
    let tail = tail(before, last);
    let ends = holds(&TAILS, tail);
    let first = word.as_bytes().first_chunk();
    let begins = (first == Some(&JUNG)) | (first == Some(&AN));
    // Most words have none of these, and which one has nobody can foresee: they are asked for at once.
    if ends | told | begins | (last == '중' as u32) {
        let letters = last_letters(text, end, word.len());
        out = rare(word, letters, Features(out), (last, tail), told).0;
    }
    Features(out)
}

/// The bytes of 중 and 안.
const JUNG: [u8; 3] = [0xec, 0xa4, 0x91];
const AN: [u8; 3] = [0xec, 0x95, 0x88];

/// Bytes of the longest ending that is looked for, and more.
const LONGEST: usize = 16;

/// The last bytes of the word that ends there in a text, the last one on top; zeros where it has none. What stands before the
/// word does not matter, and makes this cheap.
fn last_letters(text: &[u8], end: usize, length: usize) -> u128 {
    let text = text.get(..end).unwrap_or_default();
    let letters = match text.last_chunk() {
        Some(letters) => u128::from_le_bytes(*letters),
        None => text
            .iter()
            .fold(0, |letters, b| letters >> 8 | u128::from(*b) << 120),
    };
    letters & ENDS[length.min(LONGEST)]
}

/// The bytes of a number that hold the last so many bytes.
static ENDS: [u128; LONGEST + 1] = {
    let mut out = [0; LONGEST + 1];
    let mut at = 1;
    while at < out.len() {
        out[at] = out[at - 1] >> 8 | 0xff << 120;
        at += 1;
    }
    out
};

/// The bytes of an ending as [`last_letters`] gives them.
const fn letters_of(ending: &str) -> u128 {
    let bytes = ending.as_bytes();
    let (mut out, mut at) = (0, 0);
    while at < bytes.len() {
        out = out >> 8 | (bytes[at] as u128) << 120;
        at += 1;
    }
    out
}

/// Those of [`ENDINGS`].
static LETTERS: [u128; ENDINGS.len()] = {
    let mut out = [0; ENDINGS.len()];
    let mut at = 0;
    while at < out.len() {
        assert!(ENDINGS[at].1.len() < LONGEST, "it has room");
        out[at] = letters_of(ENDINGS[at].1);
        at += 1;
    }
    out
};

/// With the features that few words have.
fn rare(word: &str, letters: u128, mut out: Features, (last, tail): (u32, u32), told: bool) -> Features {
    let Some(last) = char::from_u32(last) else {
        return out;
    };
    out |= endings(letters, last, tail);
    match last {
        '면' if NOT_CONDITIONS.iter().any(|n| word.ends_with(n)) => {
            out = Features(out.0 & !Features::CONDITIONAL.0);
        }
        // 하니까 gives a reason; 합니까 asks.
        '까' if word.ends_with("니까") && !ASKING.iter().any(|e| word.ends_with(e)) => {
            out = Features(out.0 & !Features::QUESTION.0);
        }
        '래' if word.ends_with("시길래") => out |= Features::HEARSAY,
        '중' if word == "중" || word.ends_with("는중") || word.ends_with("진행중") => {
            out |= Features::ONGOING;
        }
        '요' | '오' if word.ends_with("지마세요") || word.ends_with("지마십시오") => {
            out |= Features::NEGATED;
        }
        _ => {}
    }
    if told && (word.contains("다고하") || word.contains("라고하")) {
        out |= Features::HEARSAY;
    }
    if word.starts_with('중') && ONGOING.contains(&word) {
        out |= Features::ONGOING;
    }
    if matches!(word, "안" | "안됨" | "안됩니다") {
        out |= Features::NEGATED;
    }
    out
}

/// The last byte before the last syllable of a word, and that syllable. Each takes three bytes.
fn last_two(word: &[u8]) -> (u8, u32) {
    let syllable = |a: u8, b: u8, c: u8| u32::from(a & 15) << 12 | u32::from(b & 63) << 6 | u32::from(c & 63);
    match *word {
        [.., before, a, b, c] => (before, syllable(a, b, c)),
        [a, b, c] => (0, syllable(a, b, c)),
        _ => (0, 0),
    }
}

/// Endings that ask although they end in 니까.
const ASKING: [&str; 5] = ["습니까", "입니까", "합니까", "됩니까", "십니까"];
/// Forms of 중, "in the middle of".
const ONGOING: [&str; 8] = [
    "중입니다",
    "중이에요",
    "중이라",
    "중이고",
    "중인데",
    "중인",
    "중이며",
    "중이지만",
];

/// Endings and what they say. The last syllable stands in front.
const ENDINGS: [(char, &str, Features); 69] = [
    ('면', "면", Features::CONDITIONAL),
    ('든', "거든", Features::CONDITIONAL),
    ('우', "경우", Features::CONDITIONAL),
    ('만', "때만", Features::CONDITIONAL),
    ('건', "조건", Features::CONDITIONAL),
    ('부', "조건부", Features::CONDITIONAL),
    ('고', "다고", Features::HEARSAY),
    ('고', "라고", Features::HEARSAY),
    ('고', "자고", Features::HEARSAY),
    ('요', "다고요", Features::HEARSAY),
    ('요', "라고요", Features::HEARSAY),
    ('다', "답니다", Features::HEARSAY),
    ('다', "랍니다", Features::HEARSAY),
    ('요', "대요", Features::HEARSAY),
    ('요', "래요", Features::HEARSAY),
    ('요', "다네요", Features::HEARSAY),
    ('요', "라네요", Features::HEARSAY),
    ('데', "다던데", Features::HEARSAY),
    ('데', "라던데", Features::HEARSAY),
    ('요', "다더군요", Features::HEARSAY),
    ('요', "라더군요", Features::HEARSAY),
    ('데', "다는데", Features::HEARSAY),
    ('래', "다길래", Features::HEARSAY),
    ('래', "라길래", Features::HEARSAY),
    ('요', "까요", Features::QUESTION),
    ('까', "까", Features::QUESTION),
    ('요', "나요", Features::QUESTION),
    ('가', "는가", Features::QUESTION),
    ('가', "은가", Features::QUESTION),
    ('요', "인가요", Features::QUESTION),
    ('요', "는지요", Features::QUESTION),
    ('요', "을지요", Features::QUESTION),
    ('요', "세요", Features::IMPERATIVE),
    ('오', "십시오", Features::IMPERATIVE),
    ('오', "시오", Features::IMPERATIVE),
    ('다', "바랍니다", Features::IMPERATIVE),
    ('다', "합시다", Features::IMPERATIVE),
    ('죠', "하시죠", Features::IMPERATIVE),
    ('죠', "시죠", Features::IMPERATIVE),
    ('줘', "해줘", Features::IMPERATIVE),
    ('ㄱ', "ㄱㄱ", Features::IMPERATIVE),
    ('자', "하자", Features::IMPERATIVE),
    ('라', "해라", Features::IMPERATIVE),
    ('쇼', "주십쇼", Features::IMPERATIVE),
    ('쇼', "하십쇼", Features::IMPERATIVE),
    ('길', "주길", Features::IMPERATIVE),
    ('라', "달라", Features::IMPERATIVE),
    ('지', "겠지", Features::BELIEF),
    ('요', "겠지요", Features::BELIEF),
    ('죠', "겠죠", Features::BELIEF),
    ('니', "테니", Features::BELIEF),
    ('데', "텐데", Features::BELIEF),
    ('고', "테고", Features::BELIEF),
    ('요', "거예요", Features::BELIEF),
    ('다', "겁니다", Features::BELIEF),
    ('요', "거에요", Features::BELIEF),
    ('라', "것이라", Features::BELIEF),
    ('듯', "듯", Features::BELIEF),
    ('요', "듯해요", Features::BELIEF),
    ('다', "듯합니다", Features::BELIEF),
    ('라', "리라", Features::BELIEF),
    ('걸', "을걸", Features::BELIEF),
    ('로', "것으로", Features::BELIEF),
    ('고', "려고", Features::FUTURE),
    ('자', "고자", Features::FUTURE),
    ('정', "예정", Features::FUTURE),
    ('다', "예정입니다", Features::FUTURE),
    ('요', "려고요", Features::FUTURE),
    ('요', "려구요", Features::FUTURE),
];

/// Places of the chains of [`ENDINGS`].
const PLACES: usize = 512;

/// For each place one more than the number of the last of [`ENDINGS`] that is found there; 0 for none.
static HEADS: [u8; PLACES] = CHAINS.0;
/// For each of [`ENDINGS`] the one before it in its chain, the same way.
static BEFORE: [u8; ENDINGS.len()] = CHAINS.1;

/// Those of several syllables are found by their tail, the others by the syllable itself.
const CHAINS: ([u8; PLACES], [u8; ENDINGS.len()]) = {
    let mut heads = [0; PLACES];
    let mut before = [0; ENDINGS.len()];
    let mut at = 0;
    while at < ENDINGS.len() {
        let bytes = ENDINGS[at].1.as_bytes();
        let place = match bytes.len() {
            3 => last_of(ENDINGS[at].1),
            length => tail(bytes[length - 4], last_of(ENDINGS[at].1)),
        };
        let place = place as usize % PLACES;
        before[at] = heads[place];
        heads[place] = at as u8 + 1;
        at += 1;
    }
    (heads, before)
};

/// Which last two syllables there are, as bits by their [`tail`]: rules most words out at once.
type Tails = [u64; 32];

/// Whether such syllables may be there.
fn holds(tails: &Tails, tail: u32) -> bool {
    tails[tail as usize / 64 % tails.len()] >> (tail % 64) & 1 == 1
}

/// With these syllables.
const fn with(mut tails: Tails, before: u8, last: u32) -> Tails {
    let tail = tail(before, last);
    tails[tail as usize / 64] |= 1 << (tail % 64);
    tails
}

/// With a last syllable that follows upon any other.
const fn with_all(mut tails: Tails, last: u32) -> Tails {
    let mut before = 0;
    while before < 64 {
        tails = with(tails, before, last);
        before += 1;
    }
    tails
}

/// A number below 2,048 for a last syllable behind one that ends in this byte.
const fn tail(before: u8, last: u32) -> u32 {
    let place = last
        .wrapping_mul(0x9e37_79b1)
        .wrapping_add((before as u32 & 63).wrapping_mul(0x85eb_ca77));
    place >> 21
}

/// The last syllable of an ending.
const fn last_of(ending: &str) -> u32 {
    let bytes = ending.as_bytes();
    let [a, b, c] = [
        bytes[bytes.len() - 3],
        bytes[bytes.len() - 2],
        bytes[bytes.len() - 1],
    ];
    (a as u32 & 15) << 12 | (b as u32 & 63) << 6 | (c as u32 & 63)
}

/// With the last syllables of an ending. One of a single syllable follows upon any other.
const fn with_ending(tails: Tails, ending: &str) -> Tails {
    let bytes = ending.as_bytes();
    match bytes.len() {
        3 => with_all(tails, last_of(ending)),
        length => with(tails, bytes[length - 4], last_of(ending)),
    }
}

/// Those of all endings.
static TAILS: Tails = {
    let mut out = [0; 32];
    let mut at = 0;
    while at < ENDINGS.len() {
        out = with_ending(out, ENDINGS[at].1);
        at += 1;
    }
    out
};

/// The features that the endings of a word say, given its last bytes, its last syllable and its tail.
fn endings(letters: u128, last: char, tail: u32) -> Features {
    let mut out = 0;
    for place in [tail, last as u32] {
        let mut next = HEADS[place as usize % PLACES];
        while let Some(at) = usize::from(next).checked_sub(1)
            && let (Some((_, ending, feature)), Some(ends)) = (ENDINGS.get(at), LETTERS.get(at))
        {
            let is = letters & ENDS[ending.len() % ENDS.len()] == *ends;
            out |= u32::from(is) * feature.0;
            next = BEFORE.get(at).copied().unwrap_or_default();
        }
    }
    Features(out)
}

/// Endings of clauses that do not end the sentence.
const CONNECTING: [&str; 22] = [
    "지만",
    "는데",
    "은데",
    "인데",
    "한데",
    "운데",
    "니다만",
    "이며",
    "으며",
    "므로",
    "니까",
    "으나",
    "이나마",
    "이고",
    "겠고",
    "으니",
    "더니",
    "길래",
    "자마자",
    "다가",
    "는바",
    "거니와",
];

/// Their tails: each has two syllables at least.
static CONNECTING_TAILS: [u16; CONNECTING.len()] = {
    let mut out = [0; CONNECTING.len()];
    let mut at = 0;
    while at < CONNECTING.len() {
        let bytes = CONNECTING[at].as_bytes();
        out[at] = tail(bytes[bytes.len() - 4], last_of(CONNECTING[at])) as u16;
        at += 1;
    }
    out
};

/// The last syllables of what [`connects`] accepts.
static CONNECTS: Tails = {
    let mut out = [0; 32];
    let mut at = 0;
    while at < CONNECTING.len() {
        out = with_ending(out, CONNECTING[at]);
        at += 1;
    }
    let because = ["해서", "라서", "돼서", "져서", "어서", "아서"];
    at = 0;
    while at < because.len() {
        out = with_ending(out, because[at]);
        at += 1;
    }
    with_all(with_all(out, '고' as u32), '며' as u32)
};

/// Whether a word ends a clause without ending the sentence: 했지만, 되는데, 돌렸고, 있으며.
pub(crate) fn connects(word: &str) -> bool {
    let (before, last) = last_two(word.as_bytes());
    // Most words do not, and which one does nobody can foresee.
    let tail = tail(before, last);
    if !holds(&CONNECTS, tail) {
        return false;
    }
    let mut endings = CONNECTING.iter().zip(&CONNECTING_TAILS);
    if endings.any(|(ending, of)| u32::from(*of) == tail && word.ends_with(ending)) {
        return !matches!(
            word,
            "가운데" | "그런데" | "반대로" | "이고" | "하지만" | "그렇지만" | "그러나" | "그러니까"
        ) && !word.ends_with("까지만");
    }
    // 했고, 통과하고, 동작하며, 돌렸는데요 …: 고 and 며 after a past or a verb.
    let mut back = word.chars().rev();
    match (back.next(), back.next()) {
        (Some('고' | '며'), Some(c)) => {
            final_consonant(c) == SSANG_SIOT
                || matches!(c, '하' | '되' | '없' | '있' | '않' | '갑' | '쁘' | '지')
        }
        (Some('서'), Some(c)) => matches!(c, '해' | '라' | '돼' | '져' | '어' | '아'),
        _ => false,
    }
}

/// Whether a word ends a sentence: 합니다, 했어요, 하세요, 됨.
pub(crate) fn ends_sentence(word: &str) -> bool {
    const ENDINGS: [&str; 12] = [
        "니다", "어요", "아요", "해요", "세요", "에요", "예요", "네요", "군요", "시오", "까요", "죠",
    ];
    word.ends_with(['다', '요', '오', '죠']) && ENDINGS.iter().any(|e| word.ends_with(e))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The filter of last syllables rules no listed ending out, whatever stands before it.
    #[test]
    fn every_ending_is_found() {
        for (last, ending, feature) in ENDINGS {
            for before in ["", "가", "하", "됐", "x"] {
                let word = format!("{before}{ending}");
                let (before, end) = last_two(word.as_bytes());
                let tail = tail(before, end);
                assert!(holds(&TAILS, tail), "{word}");
                let letters = last_letters(word.as_bytes(), word.len(), word.len());
                assert!(endings(letters, last, tail).has(feature), "{word}");
            }
        }
    }
}
