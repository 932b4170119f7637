//! What a clause says about the state of work: done, open, or nothing.

use super::checklist::Class;
use super::scan::*;
use super::stem::stem;
use super::words::{Known, known, known_stem};
use crate::list::{has_any, has_any_word, listed};
use crate::text::{entries, final_consonant, has_hangul, is_hangul};
use proctor_prose::Features;
use std::borrow::Cow;

/// What a clause says about the state of whatever it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// Done, in the way that the class tells.
    Done(Class),
    /// Not done: planned, under way, waiting. Does not undo an earlier completion.
    Open,
    /// Not done after all: negated, failed, partial, taken back. Undoes an earlier completion.
    Undone,
}

/// The state that a clause tells of. `said` is the clause in lower case without quoted words and code.
pub(super) fn read(said: &str, features: Features) -> Option<Status> {
    if features.any(Features::QUESTION.or(Features::QUOTED)) {
        return None;
    }
    let mut text = Cow::Borrowed(said);
    if said.contains('’') {
        text = Cow::Owned(said.replace('’', "'"));
    }
    let korean = has_hangul(&text);
    if korean && has_any!(&text, HARMLESS_KOREAN) {
        for phrase in entries(HARMLESS_KOREAN) {
            if text.contains(phrase) {
                text = Cow::Owned(text.replace(phrase, " "));
            }
        }
    }
    let scan = Scan::new(&text);
    if let Some(status) = share(&text, &scan) {
        return Some(status);
    }
    let done = done(&text, &scan, korean);
    let english = open(&scan, done.is_some());
    if english.is_some() {
        return english;
    }
    if korean && let Some(status) = korean_open(&text, features) {
        return Some(status);
    }
    if conditional_first(&text, &scan, features) {
        return Some(Status::Open);
    }
    done.map(Status::Done)
}

/// `80 %`, `2 of 3`, `2/3` next to a word of completion.
fn share(text: &str, scan: &Scan<'_>) -> Option<Status> {
    if !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let mentions = scan.any(DONE_WORD | VERIFIED_WORD)
        || has_any_word!(text, "through|progress|there")
        || has_any!(text, "완료|진행|끝|진척|통과|이전|처리");
    let past = || {
        text.split(|c: char| !crate::text::is_alphanumeric(c))
            .any(|w| w.len() > 3 && w.ends_with("ed") || is_past(w))
    };
    if !mentions && !past() {
        return None;
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
            continue;
        }
        let start = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        let Some(a) = text.get(start..at).and_then(|d| d.parse::<u64>().ok()) else {
            continue;
        };
        let rest = text.get(at..).unwrap_or_default();
        let decimal = rest
            .strip_prefix('.')
            .map_or(rest, |r| r.trim_start_matches(|c: char| c.is_ascii_digit()));
        let percent = decimal.trim_start();
        if (percent.starts_with('%') || percent.starts_with("percent") || percent.starts_with("퍼센트"))
            && a < 100
        {
            let near: String = percent.chars().take(24).collect();
            let before: String = text
                .get(..start)
                .unwrap_or_default()
                .chars()
                .rev()
                .take(16)
                .collect::<String>()
                .chars()
                .rev()
                .collect();
            const WORDS: &str =
                "done|complete|completed|finished|through|migrated|there|ready|of the|converted";
            if has_any_word!(&near, WORDS)
                || has_any!(&near, "완료|진행|끝|진척|처리|이전")
                || has_any!(&before, "진행|진척|완료|progress")
            {
                return Some(Status::Undone);
            }
        }
        let tail = rest.trim_start();
        let total = tail
            .strip_prefix("of ")
            .or_else(|| tail.strip_prefix("out of "))
            .or_else(|| rest.strip_prefix('/'));
        if let Some(total) = total {
            let total = total.trim_start().trim_start_matches("the ");
            let digits: String = total.chars().take_while(char::is_ascii_digit).collect();
            let date = text.get(..start).is_some_and(|b| b.ends_with("on "));
            let dotted = date
                || start > 0
                    && bytes
                        .get(start - 1)
                        .is_some_and(|b| matches!(b, b'/' | b'.' | b'-'));
            if let Ok(b) = digits.parse::<u64>() {
                let after = total.get(digits.len()..).unwrap_or_default();
                if a < b && !dotted && !after.starts_with(['/', '.', '-']) {
                    return Some(Status::Undone);
                }
            }
        }
    }
    None
}

fn open(scan: &Scan<'_>, done: bool) -> Option<Status> {
    if scan.any(UNDONE_WORD) {
        return Some(Status::Undone);
    }
    // Beside a word of completion only clear signs count: "done, ready for the next step".
    let signs = if done {
        FUTURE_WORD
    } else {
        FUTURE_WORD | OPEN_WORD | NO_WORD
    };
    scan.any(signs).then_some(Status::Open)
}

/// A condition that stands before what it holds for: "once the token is there, done".
fn conditional_first(text: &str, scan: &Scan<'_>, features: Features) -> bool {
    if !features.has(Features::CONDITIONAL) {
        return false;
    }
    match (scan.condition, scan.completion) {
        (Some(c), Some(v)) => c < v,
        (Some(c), None) => c < 3,
        (None, _) => has_hangul(text) && !ends_in_past(text),
    }
}

/// Whether the last Hangul word of the text is in the past tense.
fn ends_in_past(text: &str) -> bool {
    let last = text
        .split(|c: char| !is_hangul(c))
        .rfind(|w| !w.is_empty())
        .unwrap_or_default();
    is_past(last) || has_any!(last, "완료|됨|함|끝")
}

fn is_past(word: &str) -> bool {
    word.chars()
        .any(|c| final_consonant(c) == Some(20) && !matches!(c, '있' | '겠'))
}

const KOREAN_UNDONE: &str = "\
    미완료|미완|미착수|미구현|미작성|미적용|미처리|미해결|안 됐|안됐|안 되|안되|안 했|안했|못 했|못했|\
    못 하|못하|않|실패|깨졌|깨집|깨짐|빠졌|빠져|빠진|누락|되돌|롤백|취소|철회|남아|남았|남은|남습|남겨|\
    막혀|막혔|막힘|보류|건너뛰|건너뛴|건너뜀|생략|중단|절반|반쯤|일부|거의|에만 |에서만 |까지만 |만 했|\
    만 추가|만 적용|불가|없습|없음|없었|없어|없는|없다|제외|아닙|아니|재오픈|다시 열|미룹|미뤘|미루|덜 |\
    오류가|에러가|동작하지|작동하지|아직 안|틀렸|잘못";
const KOREAN_OPEN: &str = "\
    아직|예정|겠습|겠음|겠어|할게|할 것|할 계획|계획|진행 중|진행중|작업 중|작업중|작성 중|작성중|\
    하는 중|중입니다|중이|중임|대기|기다리|필요|해야|하려|려고|다음 턴|다음에|다음으로|나중|내일|추후|\
    이따|시작|착수|검토 중|준비 중|구현 중|수정 중|테스트 중|확인 중|곧 |차례|부탁|주세요|할까요|될 것|\
    하면 됩|할 수 있|해 보겠|드리겠|보고드리겠|돌고 있|하고 있|되고 있|보는 중|todo|이어서|남음|미정";

fn korean_open(text: &str, features: Features) -> Option<Status> {
    let padded = format!("{text} ");
    if has_any!(&padded, KOREAN_UNDONE) || text.split_whitespace().any(|w| matches!(w, "안" | "못")) {
        return Some(Status::Undone);
    }
    let future = features.any(Features::FUTURE.or(Features::ONGOING));
    if has_any!(&padded, KOREAN_OPEN) || (future && has_hangul(text)) {
        // "진행 완료", "시작해서 끝냈습니다": the end of the sentence decides.
        const LATE: &str = "완료했|완료하였|완료됐|완료되었|끝냈|마쳤|마무리했";
        let plan = has_any!(&padded, "예정|겠|할게|할 것|계획|려고|하려|필요|해야|아직");
        if plan || !has_any!(text, LATE) {
            return Some(Status::Open);
        }
    }
    None
}

/// What the clause says was done, if anything.
fn done(text: &str, scan: &Scan<'_>, korean: bool) -> Option<Class> {
    let mut class = Class::NONE;
    let mut found = false;
    for (flag, how) in [
        (DONE_WORD, Class::GENERIC),
        (VERIFIED_WORD, Class::VERIFY),
        (ANALYSED_WORD, Class::ANALYSE),
    ] {
        if scan.any(flag) {
            class = class.with(how);
            found = true;
        }
    }
    for word in &scan.past {
        let kind = known_stem(stem(word)).map_or(Class::OTHER, Known::class);
        class = class.with(if kind.is_none() { Class::OTHER } else { kind });
        found = true;
    }
    if korean {
        if has_any!(
            text,
            "완료|끝났|끝냈|끝남|끝!|끝.|마쳤|마침|마무리했|마무리됐|마무리됨|마무리 했|처리했|\
                처리됐|처리됨|해결됐|해결됨|반영했|반영됐|반영됨|적용됨|적용됐",
        ) || text.trim().ends_with('끝')
        {
            class = class.with(Class::GENERIC);
            found = true;
        }
        for word in text.split(|c: char| !is_hangul(c)).filter(|w| !w.is_empty()) {
            let noun_end = word.chars().count() > 2
                && (word.ends_with('함')
                    || word.ends_with('됨')
                    || word.ends_with("했음")
                    || word.ends_with("꿈") && word.starts_with('바')
                    || word.ends_with("고침")
                    || word.ends_with("만듦"));
            let idle = has_any!(
                word,
                "시작했|착수했|읽었|보았|봤|살펴|논의했|계획했|요청했|알았|보였|원했|필요했|말했|물었|발견했|느꼈|받았|있었|이었|같았|였",
            ) && !has_any!(word, "하였|되었");
            if (is_past(word) || noun_end) && !idle {
                let base = super::words::korean_stem(word);
                let kind = known(base)
                    .or_else(|| known(word))
                    .map_or(Class::OTHER, Known::class);
                let kind = if has_any!(word, "확인했|검증했|통과했|확인됐|점검했") {
                    Class::VERIFY
                } else {
                    kind
                };
                class = class.with(if kind.is_none() { Class::OTHER } else { kind });
                found = true;
            }
        }
        if has_any!(text, "통과") {
            class = class.with(Class::VERIFY);
            found = true;
        }
    }
    // "The worker retries now": a result in the present tense.
    let present = |w: &str| w.len() > 2 && w.ends_with('s') || listed!("is|are|has|have", w);
    if !found
        && has_any_word!(text, "now")
        && !has_any_word!(text, "i|we|i'm|let|you|now i|what|how")
        && !text.split_whitespace().any(|w| w.ends_with("ing"))
        && !text.trim_start().starts_with("now")
        && text.split(|c: char| !c.is_ascii_alphanumeric()).any(present)
    {
        class = Class::OTHER;
        found = true;
    }
    if !found && has_any!(text, "✅|✔|☑|✓") {
        class = Class::GENERIC;
        found = true;
    }
    found.then_some(class)
}

/// What a picture says about the state of its line.
pub(super) fn picture(text: &str) -> Option<Status> {
    text.chars().find_map(|c| match c {
        '✅' | '✔' | '☑' | '✓' | '🟢' | '🏁' => Some(Status::Done(Class::GENERIC)),
        '❌' | '✗' | '✘' | '🔴' | '🚫' => Some(Status::Undone),
        '⬜' | '☐' | '⏳' | '🚧' | '🔄' | '🟡' | '⌛' | '🔜' | '◻' | '▢' | '⏸' => {
            Some(Status::Open)
        }
        _ => None,
    })
}

/// Whether the words are about the work of somebody else.
pub(super) fn is_other_person<'a>(said: &str, original: &'a str) -> bool {
    const KOREAN: &str = "팀에서|팀이 |님이 |님께서|다른 에이전트|다른 팀|동료가|담당자가|누군가|다른 사람|다른 작업자|\
        라고 합니다|다고 합니다|라고 했|다고 했|했답니다|됐답니다|했대요|담당이|다른 pr";
    if (names_people(said) && Scan::new(said).any(PEOPLE_WORD))
        || (has_hangul(said) && has_any!(said, KOREAN))
    {
        return true;
    }
    // `@bob finished …`, `Bob has finished the …`, `merged by Alice`
    let clean = |w: &'a str| w.trim_matches(|c: char| !crate::text::is_alphanumeric(c) && c != '@');
    let list: Vec<&str> = original.split_whitespace().map(clean).collect();
    for (i, word) in list.iter().enumerate() {
        let handle = word.starts_with('@') && word.len() > 1;
        let next = list.get(i + 1).copied().unwrap_or_default();
        let previous = if i > 0 {
            list.get(i - 1).copied().unwrap_or_default()
        } else {
            ""
        };
        if handle && (word.chars().any(is_hangul) || is_doing(next) || matches!(previous, "by" | "By")) {
            return true;
        }
        let name = word.len() > 1
            && word.chars().next().is_some_and(|c| c.is_ascii_uppercase())
            && word.chars().skip(1).all(|c| c.is_ascii_lowercase())
            && known_stem(stem(&word.to_lowercase())).is_none();
        if !name {
            continue;
        }
        let object = list.get(i + 2).copied().unwrap_or_default().to_lowercase();
        let has_object = listed!(
            "the|it|this|that|item|items|number|on|both|all|a|an|his|her|already",
            object.as_str(),
        );
        if name
            && listed!("has|already|is|will|did", next)
            && i < 2
            && has_person_verb(&list, i + 2)
            && !listed!(
                "Everything|This|That|It|There|Nothing|All|Both|Each|Work|Item|Step|Task|Status",
                word,
            )
        {
            return true;
        }
        if name
            && i < 2
            && is_doing(next)
            && has_object
            && !listed!("Then|Also|Just|Now|And|Finally|Already|Have|We|Everything", word,)
        {
            return true;
        }
        if matches!(previous, "by")
            && name
            && !listed!("Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday", word,)
        {
            return true;
        }
    }
    false
}

fn is_doing(word: &str) -> bool {
    let word = word.to_lowercase();
    word.len() > 3 && word.ends_with("ed")
        || listed!(
            "did|wrote|took|has|is|made|built|ran|will|already|owns|handles|does|says|said",
            word.as_str(),
        )
}

/// `Bob has already finished …`, `Bob is doing …`: a person acts; `Backfill has finished` does not.
fn has_person_verb(list: &[&str], at: usize) -> bool {
    let skip = usize::from(list.get(at).is_some_and(|w| w.eq_ignore_ascii_case("already")));
    let verb = list.get(at + skip).copied().unwrap_or_default().to_lowercase();
    let object = list
        .get(at + skip + 1)
        .copied()
        .unwrap_or_default()
        .to_lowercase();
    let acts = is_doing(&verb) || verb.ends_with("ing") || matches!(verb.as_str(), "done" | "taken" | "on");
    acts && listed!(
        "the|it|this|that|item|items|both|all|a|an|his|her|care",
        object.as_str(),
    )
}
