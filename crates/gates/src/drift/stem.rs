//! Words without their inflection. Also compiled into the build script, which lays the vocabulary out by these
//! stems. A stem is no dictionary form, only the same for most forms of a word.

/// The hash of a word: FNV-1a with its high bits brought down.
pub(crate) fn hash(word: &[u8]) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    for byte in word {
        hash = (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    }
    hash ^ (hash >> 15)
}

/// Endings and the least number of letters that must stay before them.
const ENDINGS: [(&str, usize); 20] = [
    ("ications", 4),
    ("ication", 4),
    ("ations", 4),
    ("ation", 4),
    ("ating", 4),
    ("ated", 4),
    ("ates", 4),
    ("ate", 4),
    ("ements", 4),
    ("ement", 4),
    ("ments", 4),
    ("ment", 4),
    ("ions", 5),
    ("ion", 5),
    ("ings", 3),
    ("ing", 3),
    ("ied", 3),
    ("ies", 3),
    ("ed", 3),
    ("es", 3),
];

/// An English word without its inflection.
pub(crate) fn english(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word;
    }
    let mut out = word;
    for (ending, least) in ENDINGS {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= least
            && rest
                .bytes()
                .any(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
        {
            out = rest;
            break;
        }
    }
    if out == word && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is") {
        out = word.strip_suffix('s').unwrap_or(word);
    }
    if out.len() > 3 {
        out = out.strip_suffix(['e', 'y']).unwrap_or(out);
    }
    match out.as_bytes() {
        [.., a, b] if a == b && out.len() > 3 => out.get(..out.len() - 1).unwrap_or(out),
        _ => out,
    }
}

/// Where a Korean noun ends and its verb begins: 추가|합니다, 실패|했, 의심|됩니다.
const VERBS: [&str; 46] = [
    "합니",
    "하겠",
    "하여",
    "하고",
    "하면",
    "하려",
    "하는",
    "하던",
    "하도록",
    "하지",
    "하기",
    "하게",
    "하자",
    "해서",
    "해야",
    "해도",
    "했",
    "할",
    "한다",
    "한",
    "함",
    "해요",
    "해보",
    "해",
    "됩니",
    "되어",
    "되고",
    "되면",
    "되는",
    "되지",
    "되었",
    "됐",
    "될",
    "된",
    "됨",
    "돼",
    "시키",
    "시킵",
    "시켜",
    "입니",
    "이었",
    "였",
    "이라",
    "인데",
    "이므로",
    "이며",
];

/// Particles behind a noun, longest first, and whether a noun of one syllable may stand before them.
const PARTICLES: [(&str, bool); 36] = [
    ("에서는", true),
    ("으로는", true),
    ("까지는", true),
    ("에서도", true),
    ("이라는", true),
    ("에서", true),
    ("에게", true),
    ("으로", true),
    ("까지", true),
    ("부터", true),
    ("보다", true),
    ("처럼", true),
    ("마다", true),
    ("밖에", true),
    ("조차", true),
    ("라도", true),
    ("이나", true),
    ("라는", true),
    ("에는", true),
    ("에도", true),
    ("와는", true),
    ("과는", true),
    ("은", true),
    ("는", true),
    ("을", true),
    ("를", true),
    ("의", true),
    ("이", false),
    ("가", false),
    ("에", false),
    ("와", false),
    ("과", false),
    ("로", false),
    ("도", false),
    ("만", false),
    ("나", false),
];

/// A Korean word without particle and without the verb that makes a noun a verb.
pub(crate) fn korean(word: &str) -> &str {
    // The second syllable is the first that may belong to an ending of a two-syllable noun.
    for (at, _) in word.char_indices().skip(2).take(6) {
        let rest = word.get(at..).unwrap_or_default();
        if VERBS.iter().any(|v| rest.starts_with(v)) {
            return word.get(..at).unwrap_or(word);
        }
    }
    for (particle, short) in PARTICLES {
        if let Some(noun) = word.strip_suffix(particle) {
            let syllables = noun.chars().take(2).count();
            if syllables == 2 || short && syllables == 1 {
                return noun;
            }
        }
    }
    word
}

/// Endings that make what stands before them a verb: a listed stem of one syllable counts only before one.
pub(crate) const ENDS: [&str; 30] = [
    "겠", "고", "니", "면", "며", "려", "기", "는", "던", "자", "지", "아", "어", "았", "었", "습", "ㅂ",
    "ㄹ", "도록", "거나", "게", "라", "려고", "러", "므로", "여", "을", "은", "음", "죠",
];
