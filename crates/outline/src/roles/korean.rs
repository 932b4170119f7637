//! Roles of paths in Korean clauses.

use super::{Clause, Role, bans, objects, omission};
use crate::labels::Kind;
use crate::list::{has_any, listed};
use crate::paths::{Mention, is_particle};
use crate::text::{entries, final_consonant, has_hangul, is_hangul, slice};

/// The indices of ㄴ, ㄹ, ㅁ and ㅂ among the final consonants.
const NIEUN: u32 = 4;
const RIEUL: u32 = 8;
const MIEUM: u32 = 16;
const BIEUP: u32 = 17;

impl<'a> Clause<'a> {
    pub(super) fn after(&self, mention: &Mention) -> &'a str {
        slice(self.text, mention.end, self.to)
    }

    pub(super) fn korean_bars(&self, mention: &Mention) -> bool {
        let after = self.after(mention).trim_start_matches(['`', '"', '\'']);
        !after.starts_with("의 ") || after.starts_with("의 파일")
    }

    pub(super) fn korean_role(&self, mention: &Mention, bars: bool, kind: Option<Kind>) -> Option<Role> {
        let after = self.after(mention).trim_start_matches(['`', '"', '\'']);
        let near: String = after.chars().take(12).collect();
        let asked = asked_for(after, bars) || omission::is_paired(slice(self.text, self.from, self.to), bars);
        let banned = is_korean_ban(after);
        let of_another = (!bars && banned).then(|| objects::korean_object(after)).flatten();
        let prohibited = !asked && (bars || banned && of_another.is_none());
        // Only when no other object stands between the path and what is said of it.
        const APART: &str = "외에|외의|외 |이외|밖의|밖에|말고는|제외한|제외하고|제외하면|빼고|뺀|아닌";
        let said_of_it = entries(APART).any(|marker| {
            let between = near.split_once(marker).map(|(before, _)| before);
            between.is_some_and(|words| words.split_whitespace().all(is_no_object))
        });
        if said_of_it {
            return Some(if prohibited {
                Role::Expected
            } else if has_any!(&near, "제외|빼고|뺀") {
                Role::Excluded
            } else {
                Role::Expected
            });
        }
        if near.trim_start().starts_with("말고")
            || !asked && near.contains(" 말고") && near.chars().count() < 12
        {
            return Some(Role::Excluded);
        }
        if has_any!(after, "대신") && has_any!(&near, "대신") {
            return Some(Role::Mentioned);
        }
        let possessive = (near.starts_with("의 ")
            && !has_any!(&near, "의 파일|의 모든|의 코드|의 내용|의 어떤"))
            || near.starts_with("에 있는") && !near.contains("파일");
        let only = near.starts_with("만") || has_any!(&near, "파일만|하나만|에만|에서만|까지만|폴더만");
        let orders = |end: usize| {
            is_korean_change(slice(after, 0, end)) || matches!(kind, Some(Kind::Outcome | Kind::Scope))
        };
        if let Some(end) = of_another
            && !only
            && !asked
            && !orders(end)
        {
            let object = slice(after, end, after.len()).trim_start();
            let named = ["이름", "파일명", "위치"]
                .iter()
                .any(|noun| object.starts_with(noun));
            return Some(if named { Role::Kept } else { Role::Mentioned });
        }
        if banned && of_another.is_none() && !only && !asked {
            return Some(if possessive {
                Role::Mentioned
            } else {
                bans::korean_role(slice(after, 0, korean_ban(after).unwrap_or(after.len())))
            });
        }
        const STAYS: &str = "제외|그대로 두|그대로 둔|그대로 둡|그대로 놔|그대로 유지|읽기 전용|동결|손대지|건드리지|수정 불가|변경 불가";
        let stays_at = entries(STAYS).filter_map(|mark| after.find(mark)).min();
        let held = stays_at.is_some_and(|at| bars || objects::korean_object_before(after, at).is_none())
            || stays(after);
        if held && !only && !asked {
            return Some(if possessive && !after.contains("제외") {
                Role::Mentioned
            } else {
                Role::Excluded
            });
        }
        if only {
            return Some(Role::Expected);
        }
        const REFERENCE: &str = "참고|참조|처럼|와 동일|과 동일|와 같|과 같|같은 방식|같은 패턴|기준으로|에 따라|에 따른|\
            대로 |기반으로|에 나온|에 적힌|에 적혀|에 정리된|방식으로|패턴을|스타일";
        // 그대로 두지 마세요 refers to nothing.
        if has_any!(&near.replace("그대로", ""), REFERENCE)
            || is_told_there(after, kind)
            || has_any!(after, "참고하|참고해|참조하|참조해|참고.|참고)")
        {
            return Some(Role::Mentioned);
        }
        // `README.md: 정책 설명` is a heading, not something to read.
        let heads = near.starts_with([':', '：']) || near.trim_start().starts_with(['-', '–', '—', ':']);
        const READING: &str = "분석|검토|조사|설명|읽|살펴|확인|실행|이해|파악|요약|리뷰";
        let outcome = matches!(kind, Some(Kind::Outcome | Kind::Scope));
        let reading = !takes_in(after) && (is_read(after) || !outcome);
        if !heads
            && has_any!(after, READING)
            && !is_korean_change(after)
            && reading
            && !has_any!(after, "보고서를|에 작성|에 저장")
        {
            let read_at = entries(READING)
                .filter_map(|w| after.find(w))
                .min()
                .unwrap_or(usize::MAX);
            if slice(after, 0, read_at).chars().count() <= 14 {
                return Some(Role::Mentioned);
            }
        }
        (asked && !matches!(kind, Some(Kind::Context | Kind::Tools | Kind::Other))).then_some(Role::Expected)
    }
}

/// Whether what is said behind a path is that it must not be left out: 수정을 빠뜨리지 마세요. An earlier ban (고치지
/// 않는 것을 잊지 마세요) stays one.
fn asked_for(after: &str, bars: bool) -> bool {
    let Some((at, _)) = omission::korean(after, bars) else {
        return false;
    };
    let between = slice(after, 0, at);
    let object = between.split_whitespace().count() <= 3 || is_korean_change(between);
    object && !is_korean_ban(between)
}

/// Whether a word between a path and what sets it apart is no object of its own: a particle, another path, 파일.
fn is_no_object(word: &str) -> bool {
    !has_hangul(word)
        || is_particle(word.trim_start_matches(|c: char| !is_hangul(c)))
        || ["파일", "폴더", "디렉터리", "디렉토리", "모듈", "패키지"]
            .iter()
            .any(|k| word.starts_with(k))
}

/// Whether a path is the place that something is put into: its particle is 에, and no word that says where a thing
/// stands or what it is about follows (에 있는, 에 대한).
fn takes_in(after: &str) -> bool {
    let mut words = after.split_whitespace();
    let particle = words.next().unwrap_or_default();
    let next = words.next().unwrap_or_default();
    listed!("에|에다|에다가|에도|에는|엔", particle)
        && ![
            "대해", "대한", "대하", "관", "따", "의", "있", "나온", "맞", "기반", "근거", "비추", "속한",
        ]
        .iter()
        .any(|k| next.starts_with(k))
}

/// Whether something is only told of in the path: 에 설명된 방식, 에 정의한 값. What is yet to be told there (에 설명 추가,
/// 에 설명을 넣는다) is none; in an outcome neither is 에 설명되어 있다, which says what is to be.
fn is_told_there(after: &str, kind: Option<Kind>) -> bool {
    let Some(rest) = after.trim_start().strip_prefix("에 ") else {
        return false;
    };
    if !matches!(kind, Some(Kind::Outcome | Kind::Scope)) && lies_there(rest) {
        return true;
    }
    let Some(verb) = ["설명", "정의", "기술"]
        .iter()
        .find_map(|noun| rest.strip_prefix(noun))
    else {
        return false;
    };
    let state = ["되어", "돼", "되"].iter().any(|k| verb.starts_with(k));
    let ahead = [
        "된",
        "한 ",
        "하신",
        "해 둔",
        "해둔",
        "해 놓은",
        "되는",
        "하는",
        "되어 있는",
        "돼 있는",
        "했던",
    ]
    .iter()
    .any(|k| verb.starts_with(k));
    ahead || state && !matches!(kind, Some(Kind::Outcome | Kind::Scope))
}

/// Whether what is said of a place is that something is there already: 정리되어 있습니다, 자세히 적혀 있다.
fn lies_there(rest: &str) -> bool {
    let words: Vec<&str> = rest.split_whitespace().take(4).collect();
    words.windows(2).any(|pair| {
        matches!(pair, [verb, is] if is.starts_with('있')
            && ["되어", "돼", "혀", "겨", "여", "려", "와", "해", "어"].iter().any(|end| verb.ends_with(end)))
    })
}

/// Whether a word of reading is what is done with the path (설명, 검토한 뒤, 분석을 진행), and not part of what is said
/// of it (확인 버튼 제거, 설명을 다듬는다).
fn is_read(after: &str) -> bool {
    const VERBS: &str = "분석|검토|조사|설명|읽|살펴|확인|실행|이해|파악|요약|리뷰";
    let Some((at, verb)) = entries(VERBS).filter_map(|v| Some((after.find(v)?, v))).min() else {
        return false;
    };
    let rest = slice(after, at + verb.len(), after.len());
    let (rest, object) = match rest.strip_prefix(['을', '를']) {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let spaced = rest.starts_with(char::is_whitespace);
    let next = rest.split_whitespace().next().unwrap_or_default();
    if !object && !spaced || next.is_empty() {
        return true;
    }
    let light = [
        "하", "해", "한", "할", "함", "합", "진행", "수행", "마", "끝", "완료", "요청", "부탁",
    ];
    let of_it = ["결과", "보고", "내용", "후", "뒤", "및", "사항", "의견", "기록"];
    let follows = |list: &[&str]| list.iter().any(|k| next.starts_with(k));
    follows(&light) || !object && (follows(&of_it) || !next.starts_with(is_hangul))
}

/// Whether it is said of the path right behind it that it stays: 은 그대로, 는 절대 바뀌면 안 된다, 는 변함없어야 한다.
fn stays(after: &str) -> bool {
    let mut words = after.split_whitespace();
    if !words.next().is_some_and(|w| matches!(w, "은" | "는" | "도")) {
        return false;
    }
    let surely = |w: &&str| {
        listed!(
            "절대|절대로|전혀|반드시|꼭|이전과|전과|지금과|기존과|지금처럼|이전처럼",
            w
        )
    };
    let mut words = words.skip_while(surely);
    let begins = |word: &str, with: &[&str]| with.iter().any(|start| word.starts_with(start));
    let Some(word) = words.next() else { return false };
    let next = words.next().unwrap_or_default();
    let plain = word.trim_end_matches(['.', ',', ')', '!']);
    match plain {
        "바뀌면" | "변하면" | "달라지면" => next.starts_with("안"),
        // 바뀌지 않습니다 may be a fact.
        "바뀌지" | "변하지" | "달라지지" => {
            begins(next, &["않아야", "않게", "않도록", "않았으면", "말"])
        }
        "똑같이" | "동일하게" => begins(next, &["유지", "두", "둔", "둘", "둡", "놔", "남"]),
        "그대로" => true,
        _ => plain.starts_with("변함없"),
    }
}

/// Whether a word says of files that they are to be changed: 고칠, 수정할 (파일).
pub(crate) fn is_korean_change_to_come(word: &str) -> bool {
    let to_come = word.chars().next_back().and_then(final_consonant) == Some(RIEUL);
    to_come
        && has_any!(
            word,
            "고칠|수정|변경|바꿀|건드릴|손댈|손볼|작성할|추가할|만들|만질|편집"
        )
}

impl Clause<'_> {
    /// Whether something is to be written or put into the path: docs/a.md 에 한 줄 적어 주세요.
    pub(super) fn puts_into(&self, mention: &Mention) -> bool {
        let after = self.after(mention).trim_start_matches(['`', '"', '\'']);
        takes_in(after)
            && has_any!(
                after,
                "적어|적는|적기|적을|적고|적습|적음|써 주|써 넣|써주|써넣|쓴다|쓰기|쓰세요|달아|달기|남겨|남기|담아|담기|담는"
            )
    }
}

/// Whether the text asks for a change, in Korean.
pub(crate) fn is_korean_change(text: &str) -> bool {
    has_any!(
        text,
        "수정|변경|추가|작성|구현|생성|만들|만드|삭제|제거|리팩토링|리팩터링|옮기|옮겨|이동|교체|\
            갱신|업데이트|고치|고쳐|바꾸|바꿔|바뀌|정리|분리|개선|최신화|반영|적용|도입|늘려|늘리|줄여|\
            줄이|올려|올리|낮춰|낮추|통합|이름|해결|보완|대체|마이그레이션|번역|채우|채워|넣어|넣기|\
            넣는|넣습|넣을|넣고|넣되|넣음|더해|더하되|붙여|붙이되|\
            빼기|지원|허용|리네임|문서화|포맷|재작성|재생성|전환|변환|통일",
    ) || {
        // 고친다, 옮김, 바꿉니다: the ending closes the last syllable of the stem.
        const STEMS: &str = "옮기|고치|바꾸|늘리|줄이|올리|낮추|채우|더하|붙이";
        let ending = |c: &char| matches!(final_consonant(*c), Some(NIEUN | MIEUM | BIEUP));
        text.contains(|c| ending(&c)) && {
            let open: String = text
                .chars()
                .map(|c| if ending(&c) { opened(c) } else { c })
                .collect();
            has_any!(&open, STEMS)
        }
    }
}

/// A Hangul syllable without its final consonant.
fn opened(c: char) -> char {
    let closed = final_consonant(c).unwrap_or_default();
    char::from_u32(u32::from(c) - closed).unwrap_or(c)
}

/// Whether the text forbids a change, in Korean.
pub(crate) fn is_korean_ban(text: &str) -> bool {
    korean_ban(text).is_some()
}

/// Verbs of change that a Korean ban denies.
pub(super) const BANNED: [&str; 18] = [
    "수정",
    "변경",
    "건드",
    "손대",
    "손을 대",
    "바꾸",
    "고치",
    "삭제",
    "편집",
    "만지",
    "터치",
    "추가",
    "작성",
    "생성",
    "커밋",
    "옮기",
    "지우",
    "덮어",
];

/// Where a denial ends that only tells what was not done: 수정하지 않았습니다.
fn tells_of_the_past(mark: &str) -> Option<usize> {
    ["지 않았", "지않았"]
        .iter()
        .find(|denial| mark.starts_with(*denial))
        .map(|denial| denial.len())
        // 수정하지 않았으면 합니다 wishes.
        .filter(|end| !slice(mark, *end, mark.len()).starts_with("으면"))
}

/// Where the mark of a ban stands in a Korean text, in bytes.
pub(super) fn korean_ban(text: &str) -> Option<usize> {
    const MARKS: &str = "지 마|지마|지 말|지말|지 않|지않|면 안|서는 안|금지|불가|말 것|말것|말아|안 됩|안 된|안됩|안 돼|않습니다|않는다|않음|없이";
    let whole = text.len();
    let mut text = text;
    // A denial of leaving out (수정을 빠뜨리지 마세요) forbids nothing; another may follow it.
    while let Some(at) = BANNED.iter().filter_map(|v| text.find(v)).min() {
        let rest = slice(text, at, text.len());
        let reach = rest.char_indices().nth(40).map_or(rest.len(), |(end, _)| end);
        let mark = entries(MARKS)
            .filter_map(|mark| slice(rest, 0, reach).find(mark))
            .min()?;
        if let Some(told) = tells_of_the_past(slice(rest, mark, rest.len())) {
            text = slice(rest, mark + told, rest.len());
        } else if let Some((_, denial)) =
            omission::korean(rest, false).filter(|(omits, denial)| *omits < mark && *denial <= mark)
        {
            text = slice(rest, denial + "지".len(), rest.len());
        } else if let Some(denial) = omission::denied_again(slice(rest, mark, rest.len())) {
            text = slice(rest, mark + denial, rest.len());
        } else {
            return Some(whole - rest.len() + mark);
        }
    }
    None
}
