//! The items of an outcome: what a checklist is made of.

use crate::labels::Kind;
use crate::layout::{Marker, Tick};
use crate::list::{has_any, has_any_word, listed};
use crate::paths;
use crate::sections::Piece;
use crate::text::{sentences, slice};

/// The items of the outcome sections, in order and as written.
pub(crate) fn of(pieces: &[Piece]) -> Vec<String> {
    let of_kind = |kind: Kind| {
        let mut out = Vec::new();
        let mut from = 0;
        while from < pieces.len() {
            let section = pieces.get(from).map_or(0, |p| p.section);
            let length = pieces
                .iter()
                .skip(from)
                .take_while(|p| p.section == section)
                .count();
            let part: Vec<&Piece> = pieces
                .iter()
                .skip(from)
                .take(length)
                .filter(|p| p.kind == Some(kind) && !p.is_code)
                .collect();
            section_items(&part, &mut out);
            from += length;
        }
        out
    };
    let items = of_kind(Kind::Outcome);
    if !items.is_empty() {
        return items;
    }
    let items = of_kind(Kind::Scope);
    // "해야 할 일" alone is a list of things to do; beside a task it only says how.
    let has_task = pieces.iter().any(|p| matches!(p.kind, Some(Kind::Task)));
    if items.is_empty() && !has_task {
        return of_kind(Kind::MustDo);
    }
    items
}

fn section_items(pieces: &[&Piece], out: &mut Vec<String>) {
    let marked = |p: &Piece| p.marker != Marker::None || p.row.is_some();
    let has_marked = pieces.iter().any(|p| marked(p));
    let mut last_was_item = false;
    // The entries above the next one, each with its indentation and its mark.
    let mut heads: Vec<(usize, Marker, String)> = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        if piece.is_group {
            last_was_item = false;
            heads.clear();
            continue;
        }
        if !has_marked || piece.beside_label && piece.row.is_none() {
            inline_items(&piece.text, piece.beside_label, out);
            continue;
        }
        if !marked(piece) {
            // A continuation of the item above; text before the first item only introduces the list.
            if last_was_item
                && !piece.after_blank
                && let Some(last) = out.last_mut()
            {
                last.push(' ');
                last.push_str(&piece.text);
            }
            continue;
        }
        let next = pieces
            .get(i + 1..)
            .into_iter()
            .flatten()
            .find(|p| marked(p) || p.is_group);
        let parent = next.is_some_and(|n| {
            marked(n)
                && n.row.is_none()
                && (n.indent > piece.indent
                    || (n.indent == piece.indent
                        && matches!(piece.marker, Marker::Number(_))
                        && n.marker == Marker::Bullet
                        && piece.text.ends_with(':')))
        });
        let empty = is_nothing(&piece.text);
        // "1. Login:" may have its bullets beside it.
        let beside = |above: &Marker| matches!(above, Marker::Number(_)) && piece.marker == Marker::Bullet;
        while heads.last().is_some_and(|(indent, above, _)| {
            *indent > piece.indent || *indent == piece.indent && !beside(above)
        }) {
            heads.pop();
        }
        if parent {
            heads.push((piece.indent, piece.marker, head(&piece.text)));
        }
        if parent || empty || piece.tick == Some(Tick::Done) {
            last_was_item = false;
            continue;
        }
        let mut item = String::new();
        for (_, _, head) in heads.iter().filter(|(_, _, head)| !head.is_empty()) {
            item.push_str(head);
            item.push_str(BELOW);
        }
        item.push_str(unquote(&piece.text));
        out.push(item);
        last_was_item = true;
    }
}

/// What stands between the entry above an item and the item: `backend › new route`.
const BELOW: &str = " › ";

/// An item without the entries that it stands below.
pub(crate) fn leaf(item: &str) -> &str {
    below(item).map_or(item, |(_, leaf)| leaf)
}

/// The entries that an item stands below, and the item without them. Looked for by its sign: to make a search for the whole
/// mark ready takes longer than most items are.
fn below(item: &str) -> Option<(&str, &str)> {
    let sign = BELOW.trim();
    let mut rest = item;
    while let Some((before, _)) = rest.rsplit_once('›') {
        let leaf = item
            .get(before.len() + sign.len()..)
            .and_then(|leaf| leaf.strip_prefix(' '));
        if let (Some(heads), Some(leaf)) = (before.strip_suffix(' '), leaf) {
            return Some((heads, leaf));
        }
        rest = before;
    }
    None
}

/// The entries that an item stands below, from the outermost on.
pub(crate) fn heads(item: &str) -> impl Iterator<Item = &str> {
    let above = below(item).map(|(heads, _)| heads);
    above.into_iter().flat_map(|heads| heads.split(BELOW))
}

/// An entry with others below it as their head: a few words. A sentence or a file is none, which gives nothing.
fn head(text: &str) -> String {
    const WORDS: usize = 5;
    let text = text.trim().trim_end_matches([':', '：']).trim();
    let text = text.trim_matches(['*', '`', '_', '"']);
    let short = (1..=WORDS).contains(&text.split_whitespace().count()) && !text.ends_with(['.', '!', '?']);
    if short && !text.contains(BELOW) && paths::find(text).is_empty() {
        text.to_owned()
    } else {
        String::new()
    }
}

fn unquote(text: &str) -> &str {
    let text = text.trim().trim_end_matches([',', ';']);
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    inner.filter(|t| !t.contains('"')).unwrap_or(text)
}

fn is_nothing(text: &str) -> bool {
    let bare = text.trim().trim_end_matches('.').to_lowercase();
    listed!("|none|n/a|-|없음|tbd|해당 없음", bare.as_str())
}

/// The items of a line without a list marker.
fn inline_items(text: &str, beside_label: bool, out: &mut Vec<String>) {
    if is_nothing(text) {
        return;
    }
    if let Some(items) = enumerated(text) {
        out.extend(items);
        return;
    }
    let parts: Vec<&str> = sentences(text)
        .into_iter()
        .map(|(a, b)| slice(text, a, b).trim())
        .filter(|s| !is_constraint(s))
        .collect();
    let Some(first) = parts.first() else { return };
    if beside_label && first.ends_with(':') && parts.len() == 1 {
        return;
    }
    let semicolons = parts.len() > 1 && parts.iter().take(parts.len() - 1).all(|p| p.ends_with(';'));
    if semicolons || (parts.len() > 1 && parts.iter().all(|p| is_imperative(p))) {
        out.extend(parts.iter().map(|p| tidy(p)));
        return;
    }
    if parts.len() == 1 {
        let commas = comma_list(first);
        if commas.len() > 1 {
            out.extend(commas.into_iter().map(tidy));
            return;
        }
        let things = if beside_label {
            thing_list(first)
        } else {
            Vec::new()
        };
        if things.len() > 1 {
            out.extend(things.into_iter().map(tidy));
            return;
        }
    }
    let whole = parts.join(" ");
    let whole = whole.trim_end_matches([';', ',']);
    if !whole.is_empty() {
        out.push(whole.to_owned());
    }
}

/// `create src/a.ts, write tests and run them`: the parts, when every one of them is a thing to do or
/// a path.
fn comma_list(text: &str) -> Vec<&str> {
    let mentions = paths::find(text);
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, _) in text.match_indices([',', '、']) {
        // The mentions stand in order, so the first that ends behind the comma is the one that may hold it.
        let behind = mentions.partition_point(|m| m.end <= at);
        if mentions.get(behind).is_some_and(|m| m.start <= at) {
            continue;
        }
        parts.push(slice(text, from, at));
        from = at + 1;
        while from < text.len() && !text.is_char_boundary(from) {
            from += 1;
        }
    }
    parts.push(slice(text, from, text.len()));
    // `… and run them` at the end, or without any comma `create a.ts and write tests`.
    if let Some(last) = parts.pop() {
        match last.split_once(" and ") {
            Some((a, b)) if !a.trim().is_empty() && fits(b) && fits(a) => {
                parts.push(a);
                parts.push(b);
            }
            _ => parts.push(last),
        }
    }
    let parts: Vec<&str> = parts
        .into_iter()
        .map(strip_and)
        .filter(|p| !p.is_empty())
        .collect();
    if parts.len() > 1 && parts.iter().all(|p| fits(p)) {
        parts
    } else {
        Vec::new()
    }
}

/// `login page, logout button`: the parts, when each is a thing of its own. A row of adjectives (`a fast, simple page`), a
/// remark behind a comma (`even on 3G`) and objects of one verb (`lists names, dates`) are one item.
fn thing_list(text: &str) -> Vec<&str> {
    let text = text.trim().trim_end_matches(['.', ';', ',']);
    let mut parts: Vec<&str> = text.split([',', '、']).map(strip_and).collect();
    if let Some((before, after)) = parts.last().and_then(|last| last.split_once(" and "))
        && parts.len() > 1
        && article(after).is_some()
    {
        parts.pop();
        parts.extend([before.trim(), after.trim()]);
    }
    let with_article = parts.first().is_some_and(|part| article(part).is_some());
    let last = parts.len().saturating_sub(1);
    let is_thing = |(i, part): (usize, &&str)| {
        if article(part).is_some() != with_article {
            return false;
        }
        let noun = article(part).unwrap_or(part);
        let words = noun.split_whitespace().count();
        let most = if i == last { 6 } else { 3 };
        let fewest = if with_article { 1 } else { 2 };
        (fewest..=most).contains(&words)
            && paths::find(noun).is_empty()
            && !noun.contains([':', '(', '"', '`'])
            && is_noun_phrase(noun, i == last)
    };
    if parts.len() > 1 && parts.iter().enumerate().all(is_thing) {
        parts
    } else {
        Vec::new()
    }
}

/// What follows an article.
fn article(part: &str) -> Option<&str> {
    ["a ", "an ", "the ", "one ", "A ", "An ", "The ", "One "]
        .iter()
        .find_map(|word| part.strip_prefix(word))
}

/// Whether a part of a list looks like a thing: no word of grammar in it, and in Korean no ending at its end. The last one
/// may go on with what it is for.
fn is_noun_phrase(part: &str, last: bool) -> bool {
    let mut words = part.split_whitespace();
    let joins = |word: &str| {
        listed!(
            "is|are|was|were|has|have|had|does|do|did|can|cannot|must|should|will|would|may|not|no|never|which|that|if|\
            when|where|while|because|but|so|as|even|also|only|without|including|especially|then|than|like|such|\
            e.g|i.e|etc|it|they|we|you",
            word,
        )
    };
    let relates = |word: &str| {
        listed!(
            "in|on|at|for|from|by|to|with|of|under|over|per|via|into|and|or",
            word
        )
    };
    let grammar = |(i, word): (usize, &str)| {
        let lower = word.to_ascii_lowercase();
        joins(&lower) || relates(&lower) && (!last || i == 0)
    };
    if words.clone().enumerate().any(grammar) {
        return false;
    }
    let end = words.next_back().unwrap_or_default();
    let inflected = [
        "니다", "세요", "하고", "하며", "해서", "하면", "되면", "을", "를", "은", "는", "에서",
    ];
    !(crate::text::has_hangul(end) && inflected.iter().any(|ending| end.ends_with(ending)))
}

fn strip_and(part: &str) -> &str {
    let part = part.trim();
    let part = part
        .strip_prefix("and ")
        .or_else(|| part.strip_prefix("및 "))
        .unwrap_or(part);
    part.strip_prefix("그리고 ").unwrap_or(part).trim()
}

fn fits(part: &str) -> bool {
    let part = strip_and(part).trim_end_matches('.');
    if is_imperative(part) {
        return true;
    }
    let found = paths::find(part);
    matches!(found.as_slice(), [only] if only.strong && only.start <= 1 && only.end + 1 >= part.len())
}

/// Whether a sentence asks for something: an English imperative, or a Korean action noun or request.
pub(crate) fn is_imperative(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['.', ';', '!', ',']);
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    const VERBS: &str = "\
        add|create|write|implement|update|remove|delete|fix|refactor|rename|move|run|make|build|test|\
        document|replace|extract|split|merge|migrate|convert|bump|upgrade|drop|introduce|improve|extend|\
        publish|release|tag|deploy|configure|enable|disable|support|handle|return|validate|verify|check|\
        ensure|report|log|expose|wire|switch|rotate|backfill|reproduce|clean|simplify|use|set|send|show|\
        print|generate|regenerate|install|cover|measure|benchmark|translate|port|call|change|parse|\
        store|read|load|describe|explain|list|push|open|close";
    if listed!(VERBS, first.as_str()) {
        return true;
    }
    let last = text
        .split_whitespace()
        .next_back()
        .unwrap_or_default()
        .trim_end_matches(['`', '"', ')']);
    [
        "추가",
        "작성",
        "구현",
        "수정",
        "삭제",
        "제거",
        "생성",
        "변경",
        "갱신",
        "실행",
        "정리",
        "문서화",
        "검증",
        "배포",
        "분리",
        "이동",
        "교체",
        "개선",
        "적용",
        "테스트",
        "보고",
        "확인",
        "설정",
        "업데이트",
        "리팩토링",
        "반영",
        "하기",
        "하세요",
        "해주세요",
        "주세요",
        "해라",
    ]
    .iter()
    .any(|end| last.ends_with(end))
}

/// Whether a sentence beside an outcome only limits the work.
fn is_constraint(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    let start = [
        "do not",
        "don't",
        "never",
        "no other",
        "nothing else",
        "leave ",
        "please do not",
        "please don't",
        "this is a read-only",
        "read-only",
        "read only",
        "only touch",
        "only change",
    ];
    start.iter().any(|s| lower.starts_with(s))
        || (crate::roles::is_korean_ban(&lower)
            && has_any!(&lower, "마세요|마십시오|말 것|금지|말아|마라|안 됩|않습니다"))
        || lower.starts_with("읽기 전용")
        || lower.trim_end_matches('.') == "thanks"
        || has_any_word!(&lower, "nothing else changes") && lower.len() < 30
}

fn tidy(part: &str) -> String {
    part.trim().trim_end_matches(['.', ';', ',']).trim().to_owned()
}

/// The parts of `(1) … (2) …`, `1) … 2) …`, `① … ② …`, `a) … b) …`, `첫째 … 둘째 …`.
pub(crate) fn enumerated(text: &str) -> Option<Vec<String>> {
    let marks = marks(text, 1);
    if marks.len() < 2 {
        return None;
    }
    let ends = marks.iter().skip(1).map(|m| m.0).chain([text.len()]);
    let items: Vec<String> = marks
        .iter()
        .zip(ends)
        .map(|((_, from, _), to)| {
            let part = slice(text, *from, to).trim();
            // The last part ends with its sentence.
            let part = if to == text.len() {
                sentences(part).first().map_or(part, |(a, b)| slice(part, *a, *b))
            } else {
                part
            };
            let part = part.trim().trim_end_matches([',', ';', '.', ':']);
            let part = part
                .strip_suffix(" and")
                .or_else(|| part.strip_suffix(" 및"))
                .unwrap_or(part);
            let part = part.strip_suffix(" 그리고").unwrap_or(part);
            part.trim()
                .trim_end_matches([',', ';', '.'])
                .trim_start_matches([',', ':'])
                .trim()
                .to_owned()
        })
        .filter(|part| !part.is_empty())
        .collect();
    (items.len() > 1).then_some(items)
}

/// The marks of an enumeration inside a text that counts on from `first`: byte range and number of each.
pub(crate) fn marks(text: &str, first: u32) -> Vec<(usize, usize, u32)> {
    let mut marks: Vec<(usize, usize, u32)> = Vec::new();
    let mut next = first;
    let bytes = text.as_bytes();
    let mut fresh = true;
    let mut syllable = false;
    let mut at = 0;
    while let Some(ahead) = bytes.get(at..).filter(|ahead| !ahead.is_empty()) {
        if !fresh {
            let Some(skip) = ahead.iter().position(|b| EDGES[usize::from(*b)] != 0) else {
                break;
            };
            at += skip;
        }
        let here = at;
        at += 1;
        let byte = bytes.get(here).copied().unwrap_or_default();
        // A mark begins behind white space, or has its own: `(`, or a circle.
        let edge = EDGES[usize::from(byte)];
        let may = fresh | (edge & OPENS != 0);
        if byte >= 0x80 {
            // What begins with one of these is no white space; most of it is Hangul.
            syllable = matches!(byte, 0xea..=0xed) || byte < 0xc0 && syllable;
        }
        fresh = edge & ENDS != 0 && !(byte >= 0x80 && syllable);
        if !may || !begins(byte, next) {
            continue;
        }
        let at = here;
        let Some(rest) = text.get(at..) else {
            continue;
        };
        let previous = slice(text, 0, at).chars().next_back().unwrap_or(' ');
        let inside =
            crate::text::is_alphanumeric(previous) || matches!(previous, '.' | '-' | '/' | '(' | '#');
        if inside && rest.chars().next().and_then(crate::layout::circled).is_none() {
            continue;
        }
        if let Some(length) = ordinal(rest, next, at == 0 || previous.is_whitespace()) {
            marks.push((at, at + length, next));
            next += 1;
        }
    }
    marks
}

/// Whether a text may have the mark for `number` in a figure, a letter or a circle: most texts have none at all.
pub(crate) fn may_mark(text: &str, number: u32) -> bool {
    let bytes = text.as_bytes();
    let closes = |at: usize| {
        let bracket = bytes.get(at) == Some(&b')');
        let before = bytes.get(..at).unwrap_or_default();
        match before.last() {
            Some(b'0'..=b'9') => {
                let digits = before.iter().rev().take_while(|b| b.is_ascii_digit()).count();
                let figure = text.get(at - digits..at).and_then(|d| d.parse().ok());
                figure == Some(number) && (bracket || bytes.get(at + 1) == Some(&b' '))
            }
            Some(0x80..) => slice(text, 0, at).chars().next_back() == syllable(number),
            Some(last) => {
                let joined = before.iter().rev().nth(1).is_some_and(u8::is_ascii_alphanumeric);
                bracket && !joined && Some(*last) == letter(number)
            }
            None => false,
        }
    };
    let circles = |at: usize| {
        let c = text.get(at..).and_then(|rest| rest.chars().next());
        c.and_then(crate::layout::circled) == Some(number)
    };
    memchr::memchr2_iter(b')', b'.', bytes).any(closes) || memchr::memchr_iter(0xe2, bytes).any(circles)
}

/// The Korean letter that stands for a number.
fn syllable(number: u32) -> Option<char> {
    let place = usize::try_from(number).ok()?.wrapping_sub(1);
    "가나다라마바사아자차카타파하".chars().nth(place)
}

/// A mark may begin behind this byte, or with it whatever stands before.
const ENDS: u8 = 1;
const OPENS: u8 = 2;

/// Which of these each byte is.
static EDGES: [u8; 256] = {
    let mut out = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if byte >= 0x80 || byte == b' ' as usize || (byte >= 9 && byte <= 13) {
            out[byte] |= ENDS;
        }
        if byte == b'(' as usize || byte == 0xe2 {
            out[byte] |= OPENS;
        }
        byte += 1;
    }
    out
};

/// Whether a mark for `number` may begin with this byte.
fn begins(byte: u8, number: u32) -> bool {
    match byte {
        b'(' | b'0'..=b'9' | 0xc0.. => true,
        // The words for it, and its letter.
        b'f' | b'F' if matches!(number, 1 | 4) => true,
        b's' | b'S' if number == 2 => true,
        b't' | b'T' if number == 3 => true,
        _ => letter(number) == Some(byte),
    }
}

/// The letter that stands for a number.
fn letter(number: u32) -> Option<u8> {
    let place = u8::try_from(number).ok().filter(|n| *n <= 26)?;
    Some((b'a' - 1).wrapping_add(place))
}

/// Length of the mark for `number` at the beginning of `rest`.
fn ordinal(rest: &str, number: u32, fresh: bool) -> Option<usize> {
    if let Some(c) = rest.chars().next()
        && crate::layout::circled(c) == Some(number)
    {
        return Some(c.len_utf8());
    }
    let body = rest.strip_prefix('(').unwrap_or(rest);
    let open = rest.len() - body.len();
    if !fresh && open == 0 {
        return None;
    }
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let figure =
        (1..=9).contains(&digits) && !body.starts_with('0') && body.get(..digits)?.parse() == Ok(number);
    let letter = letter(number);
    let length = match body.bytes().next() {
        _ if figure => digits,
        Some(first) if Some(first) == letter => 1,
        _ => 0,
    };
    if length > 0 {
        let after = body.get(length..).unwrap_or_default();
        if after.starts_with(')') {
            return Some(open + length + 1);
        }
        if figure && open == 0 && after.starts_with(". ") {
            return Some(length + 2);
        }
    }
    // `가.`, `나)`
    let foreign = body.bytes().next().is_some_and(|b| !b.is_ascii());
    let korean = foreign.then(|| syllable(number)).flatten();
    if let Some(letter) = korean
        && let Some(after) = body.strip_prefix(letter)
        && (after.starts_with(')') && !after.chars().nth(1).is_some_and(crate::text::is_hangul)
            || open == 0 && after.starts_with(". "))
    {
        return Some(open + letter.len_utf8() + 1);
    }
    let words: &[&str] = match number {
        1 => &[
            "첫째,",
            "첫째",
            "첫 번째로",
            "firstly,",
            "first,",
            "First,",
            "Firstly,",
        ],
        2 => &[
            "둘째,",
            "둘째",
            "두 번째로",
            "secondly,",
            "second,",
            "Second,",
            "Secondly,",
        ],
        3 => &[
            "셋째,",
            "셋째",
            "세 번째로",
            "thirdly,",
            "third,",
            "Third,",
            "Thirdly,",
        ],
        4 => &["넷째,", "넷째", "fourth,", "Fourth,"],
        _ => &[],
    };
    words
        .iter()
        .filter(|w| fresh && rest.bytes().next() == w.bytes().next() && rest.starts_with(**w))
        .map(|w| w.len())
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What has a mark is not ruled out beforehand, but for "first", which is looked for apart.
        #[test]
        fn texts_with_marks_are_not_ruled_out(
            text in "([(]?([0-9]{1,2}|[a-d]|[가나다])[).]? ?|[①②③]|[ .)(:,]|하나|word ){0,12}", first in 1u32..5
        ) {
            if marks(&text, first).iter().any(|(_, _, number)| *number == first) {
                prop_assert!(may_mark(&text, first), "{}", text);
            }
        }
    }

    #[test]
    fn inline_enumerations() {
        let items = |text| enumerated(text).unwrap_or_default();
        assert_eq!(
            items("Please (1) add the flag, (2) document it and (3) tag v1.2. Thanks."),
            ["add the flag", "document it", "tag v1.2"]
        );
        assert_eq!(items("① 로그 추가 ② 문서화"), ["로그 추가", "문서화"]);
        assert_eq!(items("첫째, 로그 추가. 둘째, 문서화."), ["로그 추가", "문서화"]);
        assert!(items("version 1.2 of (1) thing").is_empty());
        assert!(items("see section 2) and 3)").is_empty());
    }
}
