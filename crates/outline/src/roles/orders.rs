//! Whether a clause is an order whose object, or the place of whose work, is a path, whatever its verb: `tidy X`,
//! `pull the helpers out into X`, X를 다듬어 주세요. Verbs of reading, telling, using, leaving and taking
//! back are none.

use super::{READS, Token};
use crate::list::{list, listed};
use crate::text::entries;

/// Whether the clause orders something about the path at `p`.
pub(super) fn english(tokens: &[Token], p: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let next = word(p + 1);
    // `X needs a timeout`, `I want X to log`
    if p == 0 && listed!("needs|lacks|wants", next)
        || p > 0 && listed!("want|need|like", word(p - 1)) && next == "to"
    {
        return true;
    }
    let at = lead(tokens);
    let verb = word(at);
    if p <= at || !does_something(verb) {
        return false;
    }
    let object = tokens.get(at + 1);
    let noun = listed!(
        "the|a|an|any|all|every|each|this|that|these|those|some|more|my|our|your|its|their|it|them|out|up|down|rid|both",
        object.map_or("", Token::word)
    );
    // `the`, `in`, `there` begin no order; `bug in X` has no object.
    (noun || matches!(object, Some(Token::Path(_)))) && is_verb(verb)
}

/// How many words only lead up to the verb of an order.
fn lead(tokens: &[Token]) -> usize {
    let lead = tokens.iter().take_while(|token| {
        listed!(
            "please|then|and|so|now|just|also|ok|okay|can|could|would|will|you|i|we|want|need|to|let's|go|ahead|kindly|\
            i'd|like|first|next|finally",
            token.word()
        )
    });
    lead.count()
}

/// Whether a verb tells to do something else than reading, telling, using, leaving and taking back.
fn does_something(verb: &str) -> bool {
    let told = READS.has(verb)
        || list!(
            "tell|show|wait|remember|note|use|keep|leave|let|think|consider|ask|answer|list|find|search|grep|start|stop|\
            watch|be|do|have|try|ignore|skip|count|measure|benchmark|time|debug|verify|ensure|test|build|give|send|say|\
            know|mind|call|hold|print|trust|avoid|take|need|want|begin|continue|learn|help|revert|undo|restore|discard|roll|back|\
            reset",
            by_word = true
        )
        .has(verb);
    !verb.is_empty() && !told && verb.bytes().all(|b| b.is_ascii_lowercase())
}

/// Whether a word may be the verb of an order: words of grammar and forms of the past are none.
fn is_verb(verb: &str) -> bool {
    !listed!(
        "the|a|an|this|that|these|those|it|they|he|she|i|we|you|in|on|at|of|for|from|by|with|there|here|is|are|was|\
        were|has|had|if|when|while|because|since|as|but|or|not|no|all|both|what|who|how|why|where|which|under|into|to|\
        inside|within|after|before|only|behind|over|about|like|than|via|per|see|thanks|maybe|perhaps|still|already|\
        got|said|gave|made|left|lost|saw|ran|broke|once|until|though|unless|even|plus|besides|except|without|\
        yes|sure|during|against|through|near|between|around|above|below|did|does|let's|had|hit|got",
        verb
    ) && !verb.ends_with("ed")
        && !verb.ends_with("ing")
}

/// Whether the words of a sentence, which names no path, order something about what it points at, whatever the verb: `handle
/// that`, `please take care of it`, `look into it and solve it`.
pub(super) fn of_it(words: &[Token]) -> bool {
    words
        .split(|token| listed!("and|then|or", token.word()))
        .any(|part| {
            let at = lead(part);
            let word = |more: usize| part.get(at + more).map_or("", Token::word);
            let points = |word: &str| listed!("it|this|that|them|these|those", word);
            let idiom = match (word(0), word(1), word(2)) {
                ("take", "care", "of") | ("get", "rid", "of") => points(word(3)),
                ("deal", "with", object) | ("see", "to", object) => points(object),
                _ => false,
            };
            // What is passed on, or put out as it is, stays as it is.
            let passes = listed!(
                "file|report|close|reopen|discuss|escalate|forward|assign|link|track|raise|share|deploy|publish|install|\
                push|pull|commit|merge|ship|release|apply|make|do",
                word(0)
            );
            idiom || points(word(1)) && !passes && does_something(word(0)) && is_verb(word(0))
        })
}

/// Beginnings of Korean verbs that change nothing, or of which nobody knows what they change.
const IDLE: &str = "알려|알리|말해|말하|말씀|보여|보이|설명|읽|봐|보|확인|찾|조사|분석|검토|요약|비교|실행|돌려|돌리|살펴|살피|참고|참조|\
    이해|파악|추천|답|열|리뷰|평가|조언|물|기다|기억|유의|주의|생각|고려|무시|놔|놓|둬|두|남|써|쓰|사용|이용|활용|호출|가져|복사|따라|\
    따르|맞춰|맞추|점검|진단|측정|계산|세|제안|의논|상의|논의|대조|검증|검사|감사|마|말|시작|진행|계속|멈|중단|빌드|설치|배포|푸시|받|\
    전달|보내|공유|첨부|안녕|계|잊|빠뜨|부르|불러|테스트|컴파일|신경|명심|조심|되돌|원복|원상|복구|취소|철회|롤백";

/// As [`english`]: whether what follows a path in a clause ends in the form of an order, or in one that goes before an
/// order (넣되).
pub(super) fn korean(after: &str) -> bool {
    let mut words = after
        .split_whitespace()
        .rev()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty());
    let Some(last) = words.next() else { return false };
    const ASKS: [&str; 12] = [
        "주세요",
        "주십시오",
        "주시죠",
        "주실래요",
        "주실래",
        "줄래요",
        "줄래",
        "줘요",
        "줘라",
        "줘",
        "주시면",
        "주길",
    ];
    let stem = ASKS
        .iter()
        .chain(&["하세요", "으세요", "세요", "십시오", "어라", "아라", "되"])
        .find_map(|end| last.strip_suffix(end));
    let verb = match stem {
        Some("") => words.next().unwrap_or_default(),
        Some(stem) => stem,
        None => return false,
    };
    let verb = verb.trim_end_matches("해");
    // 손 좀 봐 주세요: an idiom of mending.
    if matches!(verb, "봐" | "보") && words.any(|word| word == "손") {
        return true;
    }
    !verb.is_empty()
        && verb != "하"
        && !entries(IDLE).any(|idle| verb.starts_with(idle))
        && !verb.ends_with('지')
}
