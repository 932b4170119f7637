//! What the readers of parts look for in single words, found once for each token: a reader goes through a part only when
//! one of its cues stands there, and then compares bits instead of words.

use super::forms;
use super::stem::word_hash;
use super::syllables::Syllables;
use proctor_prose::TokenKind;

pub(super) use super::cue::Cues;

/// The cues that a word is listed with, by the hash of its token or of its text.
pub(super) fn listed(hash: u32, word: &str) -> Cues {
    // Where it may cut is told of words alone.
    forms::find(hash, word.len()).map_or(Cues::NONE, |form| form.cues.without(Cues::CUT))
}

/// The cues of a word in lower case that is `listed` with some: those that it has wherever it stands. `glued` says that
/// nothing stands between it and the word before.
#[inline(never)]
pub(super) fn of(kind: TokenKind, word: &str, listed: Cues, glued: bool) -> Cues {
    match kind {
        TokenKind::Punct(',' | ';' | '，' | '、' | '·' | '&' | '+' | ':') => Cues::CUT,
        TokenKind::Punct('/' | '|') | TokenKind::Emoji => Cues::BREAK,
        TokenKind::Punct(_) => Cues::NONE,
        TokenKind::Hangul => listed.with(hangul(word, glued)),
        kind => {
            let figure = word.bytes().next().is_some_and(|b| b.is_ascii_digit());
            let mut cues = listed.with(Cues::FIGURE.when(figure));
            if kind == TokenKind::Word && cues.any(Cues::AND) {
                cues = cues.with(Cues::CUT);
            }
            cues = cues.with(Cues::VOID.when(super::whole::voids(word)));
            if let Some(base) = word.strip_suffix("'s") {
                // "everything's in"
                let counts = self::listed(word_hash(base), base);
                cues = cues.with(Cues::COUNTING.when(counts.any(Cues::COUNTING.with(Cues::OF_TWO))));
            }
            let (first, last) = (word.as_bytes().first(), word.as_bytes().last());
            if first.max(last).is_some_and(|b| !b.is_ascii()) {
                cues = cues.with(hangul(word, glued));
            }
            cues
        }
    }
}

/// The cues of a Korean word by its beginning and its end.
fn hangul(word: &str, glued: bool) -> Cues {
    let begins = |list: &[&str]| list.iter().any(|k| word.starts_with(k));
    static FIRST: Syllables = Syllables::of("때탓원문모못듯아추의같완진이처");
    static LAST: Syllables = Syllables::of("와과랑및고다음만서여요게테께이가은는");
    let mut out = match word
        .chars()
        .next()
        .filter(|_| FIRST.begins(word))
        .unwrap_or_default()
    {
        '때' => Cues::CAUSE.when(begins(&["때문"])),
        '탓' => Cues::CAUSE,
        '원' => Cues::REASON.when(begins(&["원인"])),
        '문' => Cues::CAUSE.when(begins(&["문제였", "문제이었"])),
        '모' => Cues::UNSURE.when(begins(&["모르", "모릅"])),
        '못' | '듯' => Cues::UNSURE,
        '아' => Cues::UNSURE.when(begins(&["아직"])),
        '추' => Cues::UNSURE.when(begins(&["추정"])),
        '의' => Cues::UNSURE.when(begins(&["의심"])),
        '같' => Cues::UNSURE.when(begins(&["같습", "같아"])),
        '완' => Cues::PROGRESS.when(begins(&["완료"])),
        '진' => Cues::PROGRESS.when(begins(&["진행", "진척"])),
        '이' => Cues::PROGRESS.when(begins(&["이전"])),
        '처' => Cues::PROGRESS.when(begins(&["처리"])),
        _ => Cues::NONE,
    };
    // Most words end with another syllable, and say nothing more.
    let ending = if LAST.ends(word) {
        ending(word, glued)
    } else {
        Cues::NONE
    };
    out = out.with(ending);
    out.with(Cues::SOMEBODY.when(super::people::takes(word)))
        .with(Cues::CONNECTS.when(super::cuts::connects(word)))
        .with(Cues::COUNTING.when(counting(word)))
        .with(super::whole::cues(word))
}

/// The cues of a Korean word by its end.
fn ending(word: &str, glued: bool) -> Cues {
    let ends = |list: &[&str]| list.iter().any(|k| word.ends_with(k));
    let mut out = Cues::NONE;
    let mut back = word.chars().rev();
    let last = back.next().unwrap_or_default();
    let longer = back.next().is_some();
    let long = longer && back.next().is_some();
    if (longer || glued) && (matches!(last, '와' | '과' | '랑' | '및') || last == '고' && ends(&["하고"]))
    {
        out = out.with(Cues::CUT_BEHIND);
    }
    out.with(match last {
        '다' | '음' => {
            // 음 closes 이었음 and 였음.
            Cues::IS.when(last == '다' || ends(&["였음"]) || ends(&["이었음"]))
        }
        '만' => {
            let contrast = ends(&["지만"]) && !ends(&["까지만"]);
            let part = long && !glued && !ends(&["지만", "에만", "다만", "하지만", "고만", "때만"]);
            Cues::CONTRAST.when(contrast).with(Cues::PARTLY.when(part))
        }
        '서' => {
            let carried = long && ends(&["해서", "어서", "아서", "여서", "려서", "꿔서"]);
            let somebody = Cues::SOMEBODY.when(is_somebody(word));
            Cues::REASONS.with(Cues::CARRIED.when(carried)).with(somebody)
        }
        '여' => Cues::CARRIED.when(long && ends(&["하여"])),
        '요' => Cues::TOO.when(ends(&["도요"])),
        '게' | '테' | '께' => Cues::SOMEBODY.when(ends(&["에게", "한테", "님께"])),
        '이' | '가' | '은' | '는' => Cues::SOMEBODY.when(is_somebody(word)),
        _ => Cues::NONE,
    })
}

/// Whether a Korean word may by itself speak of items by order or quantity. Many others only begin like one: 네트워크.
pub(super) fn counting(word: &str) -> bool {
    static FIRST: Syllables = Syllables::of("첫둘셋넷앞뒤맨외뺀빼두세네다전후마처모나남제이말");
    static LAST: Syllables = Syllables::of("고뺀면한에는외");
    if !(FIRST.begins(word) | LAST.ends(word)) {
        return false;
    }
    let mut chars = word.chars();
    let first = chars.next().unwrap_or_default();
    let second = chars.next();
    let counts = match first {
        '첫' | '둘' | '셋' | '넷' | '앞' | '뒤' | '맨' | '외' | '뺀' | '빼' => true,
        '두' | '세' | '네' => second.is_none(),
        '다' => matches!(second, None | Some('섯')),
        '전' => matches!(second, None | Some('부' | '체' | '원' | '자')),
        '후' => second == Some('자'),
        '마' => second == Some('지'),
        '처' => second == Some('음'),
        '모' => matches!(second, Some('두' | '든')),
        '나' => second == Some('머'),
        '남' => matches!(second, Some('은' | '기')),
        '제' | '이' => second == Some('외'),
        '말' => second == Some('고'),
        _ => false,
    };
    let ends = |list: &[&str]| list.iter().any(|k| word.ends_with(k));
    let excepts = || match word.chars().next_back() {
        Some('고') => ends(&["빼고", "남기고", "제외하고", "말고"]),
        Some('뺀' | '면' | '한') => ends(&["뺀", "빼면", "제외한", "제외하면"]),
        Some('에' | '는' | '외') => ends(&["외에", "외에는", "이외"]),
        _ => false,
    };
    counts || second.is_some() && excepts()
}

/// Whether a word names people as the subject of its clause: 보안팀이.
fn is_somebody(word: &str) -> bool {
    super::people::subject(word).is_some_and(super::people::are_people)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cues(kind: TokenKind, word: &str) -> Cues {
        of(kind, word, listed(word_hash(word), word), false)
    }

    #[test]
    fn words_have_their_cues() {
        for (word, expected) in super::super::cue_words::WORDS {
            assert!(cues(TokenKind::Word, word).any(*expected), "{word}");
        }
        assert_eq!(cues(TokenKind::Word, "retry"), Cues::NONE);
        assert!(cues(TokenKind::Number, "40%").any(Cues::FIGURE));
    }

    #[test]
    fn korean_words_have_theirs() {
        for (word, expected) in [
            ("때문에", Cues::CAUSE),
            ("원인은", Cues::REASON),
            ("문제였습니다", Cues::IS),
            ("추정됩니다", Cues::UNSURE),
            ("했지만", Cues::CONTRAST),
            ("목차만", Cues::PARTLY),
            ("수정해서", Cues::CARRIED),
            ("보안팀이", Cues::SOMEBODY),
            ("담당자에게", Cues::SOMEBODY),
            ("버그도요", Cues::TOO),
            ("로그인과", Cues::CUT_BEHIND),
            ("고쳤고", Cues::CONNECTS),
        ] {
            assert!(cues(TokenKind::Hangul, word).any(expected), "{word}");
        }
        assert_eq!(cues(TokenKind::Hangul, "설정"), Cues::NONE);
    }
}
