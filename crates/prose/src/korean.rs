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

/// The features of one Korean word by its endings and its form.
pub(crate) fn features(word: &str, form: u8) -> Features {
    let mut out = Features::default();
    if form & form::PAST != 0 {
        out |= Features::PAST;
    }
    // 할게, 갈게요: a promise.
    if form & form::WILL != 0 || form & form::PROMISES != 0 && word.ends_with(['게', '요']) {
        out |= Features::FUTURE;
    }
    if form & (form::NEGATES | form::FAILS) != 0 {
        out |= Features::NEGATED;
    }
    let told = form & form::TELLS != 0;
    let Some(last) = word.chars().next_back() else {
        return out;
    };
    out |= endings(word, last);
    if last == '면' && NOT_CONDITIONS.iter().any(|n| word.ends_with(n)) {
        out = Features(out.0 & !Features::CONDITIONAL.0);
    }
    // 하니까 gives a reason; 합니까 asks.
    if last == '까' && word.ends_with("니까") && !ASKING.iter().any(|e| word.ends_with(e)) {
        out = Features(out.0 & !Features::QUESTION.0);
    }
    if told && (word.contains("다고하") || word.contains("라고하")) || word.ends_with("시길래") {
        out |= Features::HEARSAY;
    }
    if last == '중' && (word == "중" || word.ends_with("는중") || word.ends_with("진행중"))
        || word.starts_with('중') && ONGOING.contains(&word)
    {
        out |= Features::ONGOING;
    }
    if matches!(word, "안" | "안됨" | "안됩니다")
        || word.ends_with("지마세요")
        || word.ends_with("지마십시오")
    {
        out |= Features::NEGATED;
    }
    out
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

/// Endings and what they say. The last syllable stands in front, by which they are found.
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

/// Places of last syllables in the chains of [`ENDINGS`].
const PLACES: usize = 512;

/// For each place one more than the number of the last of [`ENDINGS`] that ends there; 0 for none.
static HEADS: [u8; PLACES] = CHAINS.0;
/// For each of [`ENDINGS`] the one before it in its chain, the same way.
static BEFORE: [u8; ENDINGS.len()] = CHAINS.1;

const CHAINS: ([u8; PLACES], [u8; ENDINGS.len()]) = {
    let mut heads = [0; PLACES];
    let mut before = [0; ENDINGS.len()];
    let mut at = 0;
    while at < ENDINGS.len() {
        let place = ENDINGS[at].0 as usize % PLACES;
        before[at] = heads[place];
        heads[place] = at as u8 + 1;
        at += 1;
    }
    (heads, before)
};

/// The last two syllables of all endings, as bits: rules most words out at once.
static TAILS: [u64; 32] = {
    let mut out = [0; 32];
    let mut at = 0;
    while at < ENDINGS.len() {
        let bytes = ENDINGS[at].1.as_bytes();
        // An ending of one syllable follows upon any other.
        let mut other = 0;
        while other < 64 {
            let before = match bytes.len() {
                3 => other,
                length => bytes[length - 4] as usize & 63,
            };
            let (word, bit) = tail(before as u8, ENDINGS[at].0);
            out[word] |= 1 << bit;
            other += 1;
        }
        at += 1;
    }
    out
};

/// The word and the bit of [`TAILS`] of a last syllable behind one that ends in this byte.
const fn tail(before: u8, last: char) -> (usize, u32) {
    let place = (last as u32)
        .wrapping_mul(0x9e37_79b1)
        .wrapping_add((before as u32 & 63).wrapping_mul(0x85eb_ca77));
    ((place >> 27) as usize, place >> 21 & 63)
}

/// The features that the endings of a word say.
fn endings(word: &str, last: char) -> Features {
    let mut out = Features::default();
    let before = word.as_bytes().iter().rev().nth(last.len_utf8()).copied();
    let (tails, bit) = tail(before.unwrap_or_default(), last);
    if TAILS[tails % TAILS.len()] >> bit & 1 == 0 {
        return out;
    }
    let mut next = HEADS[last as usize % PLACES];
    while let Some(at) = usize::from(next).checked_sub(1)
        && let Some((end, ending, feature)) = ENDINGS.get(at)
    {
        if *end == last && word.ends_with(ending) {
            out |= *feature;
        }
        next = BEFORE.get(at).copied().unwrap_or_default();
    }
    out
}

/// Whether a word ends a clause without ending the sentence: 했지만, 되는데, 돌렸고, 있으며.
pub(crate) fn connects(word: &str) -> bool {
    const ENDINGS: [&str; 22] = [
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
    let last = word.chars().next_back();
    let may = matches!(
        last,
        Some('만' | '데' | '며' | '로' | '까' | '나' | '마' | '고' | '니' | '래' | '자' | '가' | '바' | '와')
    );
    if may && ENDINGS.iter().any(|e| word.ends_with(e)) {
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
                assert!(endings(&word, last).has(feature), "{word}");
            }
        }
    }
}
