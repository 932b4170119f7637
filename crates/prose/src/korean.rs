//! Korean endings: what the tail of a word says about tense, negation, condition, report and mood.
//!
//! Korean puts its grammar at the end of the word, so the last syllables are read instead of a dictionary.

use crate::features::Features;

/// The final consonant of a syllable as its index in Unicode order; 0 for none.
fn final_consonant(c: char) -> u32 {
    match c {
        '\u{ac00}'..='\u{d7a3}' => (c as u32 - 0xac00) % 28,
        _ => 0,
    }
}

/// Index of the final ㄹ.
const RIEUL: u32 = 8;
/// Index of the final ㅆ, the mark of the past in 했, 었, 봤 …
const SSANG_SIOT: u32 = 20;

/// Nouns that end in 면 without being conditions.
const NOT_CONDITIONS: [&str; 16] = [
    "화면", "반면", "측면", "전면", "정면", "표면", "이면", "장면", "평면", "후면", "도면", "지면", "국면",
    "단면", "수면", "배면",
];

/// The features of one Korean word by its endings.
pub(crate) fn features(word: &str) -> Features {
    let mut out = Features::default();
    let mut previous = '\0';
    for c in word.chars() {
        if final_consonant(c) == SSANG_SIOT && !matches!(c, '있' | '겠') {
            out |= Features::PAST;
        }
        if c == '겠' {
            out |= Features::FUTURE;
        }
        if matches!(c, '않' | '못') {
            out |= Features::NEGATED;
        }
        // 할게, 갈게요: a promise.
        if c == '게' && final_consonant(previous) == RIEUL && word.ends_with(['게', '요']) {
            out |= Features::FUTURE;
        }
        previous = c;
    }
    let ends = |list: &[&str]| list.iter().any(|e| word.ends_with(e));
    if ends(&["면", "거든", "다면", "라면", "경우", "때만", "조건", "조건부"])
        && !NOT_CONDITIONS.iter().any(|n| word.ends_with(n))
    {
        out |= Features::CONDITIONAL;
    }
    if ends(&[
        "다고",
        "라고",
        "자고",
        "다고요",
        "라고요",
        "답니다",
        "랍니다",
        "대요",
        "래요",
        "다네요",
        "라네요",
        "다던데",
        "라던데",
        "다더군요",
        "라더군요",
        "다는데",
        "다길래",
        "라길래",
    ]) || word.contains("다고하")
        || word.contains("라고하")
        || word.contains("시길래")
    {
        out |= Features::HEARSAY;
    }
    if ends(&["까요", "까", "나요", "는가", "은가", "인가요", "는지요", "을지요"])
        && !ends(&["니까", "으니까"])
        || ends(&["습니까", "입니까", "합니까", "됩니까", "십니까"])
    {
        out |= Features::QUESTION;
    }
    if ends(&[
        "세요",
        "십시오",
        "시오",
        "바랍니다",
        "합시다",
        "하시죠",
        "시죠",
        "해줘",
        "ㄱㄱ",
        "하자",
        "해라",
        "주십쇼",
        "하십쇼",
        "주길",
        "달라",
    ]) {
        out |= Features::IMPERATIVE;
    }
    if ends(&[
        "겠지",
        "겠지요",
        "겠죠",
        "테니",
        "텐데",
        "테고",
        "거예요",
        "겁니다",
        "거에요",
        "것이라",
        "듯",
        "듯해요",
        "듯합니다",
        "리라",
        "을걸",
        "것으로",
    ]) {
        out |= Features::BELIEF;
    }
    if ends(&["려고", "고자", "예정", "예정입니다", "려고요", "려구요", "ㄹ게요"]) {
        out |= Features::FUTURE;
    }
    if matches!(
        word,
        "중" | "중입니다" | "중이에요" | "중이라" | "중이고" | "중인데" | "중인" | "중이며" | "중이지만"
    ) || ends(&["는중", "진행중", "진행중입니다"])
    {
        out |= Features::ONGOING;
    }
    if matches!(word, "안" | "안됨" | "안됩니다") || ends(&["지마세요", "지마십시오"]) {
        out |= Features::NEGATED;
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
    if ENDINGS.iter().any(|e| word.ends_with(e)) {
        return !matches!(
            word,
            "가운데" | "그런데" | "반대로" | "이고" | "하지만" | "그렇지만" | "그러나" | "그러니까"
        );
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
    ENDINGS.iter().any(|e| word.ends_with(e))
}
