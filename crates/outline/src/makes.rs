//! Which files an item of a checklist asks to be made: they have to be there when somebody says that it is done.

use crate::list::{has_any, list, listed};
use crate::names::is_stem;
use crate::paths::{self, is_particle};
use crate::text::{has_hangul, slice};

/// So many words may stand between a verb and the file that it makes.
const REACH: usize = 6;

/// The files that an item asks to create, each under one sure path: `Create src/b.py`, `Write tests in tests/b.py`,
/// src/b.py 작성. None where something else may be asked of them, as in `Move a.py to b.py`, `Remove a.py`, `Add a.js to
/// the ignore rules` or `Write a test for a.py`.
#[must_use]
pub fn makes(item: &str) -> Vec<String> {
    let item = crate::items::leaf(item);
    if !may_make(item) {
        return Vec::new();
    }
    let mut mentions = paths::find(item);
    mentions.retain(|m| m.strong);
    if mentions.is_empty() {
        return Vec::new();
    }
    // The words around the names.
    let mut around = String::with_capacity(item.len());
    let mut end = 0;
    for mention in &mentions {
        around.push_str(slice(item, end, mention.start));
        around.push(' ');
        end = mention.end;
    }
    around.push_str(slice(item, end, item.len()));
    let lower = around.to_lowercase();
    if lower.split(|c: char| !c.is_alphabetic()).any(undoes) || has_any!(&lower, UNDOES) {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut joined = false;
    for (at, mention) in mentions.iter().enumerate() {
        let from = at
            .checked_sub(1)
            .and_then(|b| mentions.get(b))
            .map_or(0, |b| b.end);
        let to = mentions.get(at + 1).map_or(item.len(), |next| next.start);
        let (before, behind) = (slice(item, from, mention.start), slice(item, mention.end, to));
        // `Create a.py and b.py`; a file that stands in some relation to another one is no sure thing.
        let list = at > 0 && joins(before);
        if at > 0 && !list {
            return Vec::new();
        }
        let made = list && joined || is_made_before(before) || is_made_behind(behind);
        joined = made;
        let sure = !mention.barred && !mention.command && !is_open(&mention.path);
        if made && sure && !leads_elsewhere(behind) {
            out.push(mention.path.clone());
        }
    }
    out
}

/// Whether an item may say that something is made: it has one of the words for that, or is not English. Most have none.
fn may_make(item: &str) -> bool {
    let list = list!(
        "create|creates|creating|write|writes|writing|add|adds|adding|generate|generates|implement|implements|introduce|\
        produce|scaffold|draft|make|exists|is|are|was|gets",
        by_word = true
    );
    !item.is_ascii()
        || item
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| list.may_begin(word))
}

/// Whether a path stands for more files than one, or for one that is called a little otherwise.
fn is_open(path: &str) -> bool {
    path.contains(['*', '?', '{', '[', '<', '~', '$', '%'])
        || path.starts_with('/')
        || path.split('/').any(|name| name == "..")
        || path.rsplit('/').next().is_some_and(is_stem)
}

/// Whether a word takes files away or to another place, or tells of what is not there.
fn undoes(word: &str) -> bool {
    const STEMS: [&str; 14] = [
        "remov", "delet", "renam", "mov", "drop", "replac", "clean", "purg", "archiv", "merg", "ignor",
        "miss", "absen", "migrat",
    ];
    STEMS.iter().any(|stem| word.starts_with(stem))
        || listed!("not|no|without|instead|rid|split|convert|never", word)
}

/// The same in Korean.
const UNDOES: &str = "삭제|제거|이동|옮기|옮겨|이름|교체|대체|없는|없을|없으면|없이|않|말 것|말고|무시|제외|빼|지우|병합|분리|아카이브";

/// Whether nothing but joints stands between two files.
fn joins(between: &str) -> bool {
    between
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '`' | '"' | '\'' | '&' | '+' | '/'))
        .all(|word| listed!("|and|the|및|와|과|그리고|하고", word))
}

/// Whether the words before a file say that it is made, or that something is made in it.
fn is_made_before(before: &str) -> bool {
    let lower = before.to_lowercase();
    let words = lower
        .split(|c: char| c.is_whitespace() || c == ',')
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty());
    for word in words.rev().take(REACH) {
        if listed!(
            "create|creates|creating|write|writes|writing|add|adds|adding|generate|generates|implement|implements|introduce|produce|scaffold|draft|make",
            word
        ) {
            return true;
        }
        let other = listed!(
            "for|when|if|unless|that|which|about|of|like|from|using|via|based|against|where|while|because|per|than|matching|\
            reading|reads|with|on|by|after|before|until|as|so|or",
            word
        );
        if other || has_hangul(word) {
            return false;
        }
    }
    false
}

/// Whether the words behind a file say that it is made: `is created`, `exists`, 를 작성, 파일 생성.
fn is_made_behind(behind: &str) -> bool {
    let lower = behind.to_lowercase();
    let mut words = lower
        .split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\''))
        .filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    if first == "exists" {
        return true;
    }
    if listed!("is|are|was|gets", first) {
        return words.next().is_some_and(|word| {
            listed!(
                "created|written|added|generated|new|there",
                word.trim_matches(|c: char| !c.is_alphanumeric())
            )
        });
    }
    let makes = |word: &str| {
        ["작성", "생성", "신설", "만들", "만든", "만듦"]
            .iter()
            .any(|verb| word.starts_with(verb))
    };
    if makes(first) {
        return true;
    }
    let object = listed!(
        "을|를|파일|파일을|문서|문서를|모듈|모듈을|스크립트|스크립트를",
        first
    ) || is_particle(first) && listed!("에|로|으로", first);
    object && words.take(3).any(makes)
}

/// Whether the file is put into something else: `Add a.js to the ignore rules`.
fn leads_elsewhere(behind: &str) -> bool {
    let first = behind
        .trim_start_matches(['`', '"', '\''])
        .split_whitespace()
        .next()
        .unwrap_or_default();
    listed!("to|into|from|against|by|when|if|unless|as", first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_asked_for_are_told() {
        let both: &[&str] = &["src/b.py", "src/c.py"];
        for (item, expected) in [
            ("Create src/b.py", &["src/b.py"][..]),
            ("Write tests in tests/b_test.py", &["tests/b_test.py"]),
            ("Write the new module `src/b.py` with a parser", &["src/b.py"]),
            ("Create src/b.py and src/c.py", both),
            ("src/b.py is created", &["src/b.py"]),
            ("src/b.py exists", &["src/b.py"]),
            ("src/b.py 작성", &["src/b.py"]),
            ("src/b.py를 새로 작성", &["src/b.py"]),
            ("tests/b_test.py에 테스트 작성", &["tests/b_test.py"]),
            ("\"한글 파일.md\" 작성", &["한글 파일.md"]),
            ("Update src/b.py", &[]),
            ("Remove src/b.py", &[]),
            ("Rename src/b.py to src/c.py", &[]),
            ("Create src/b.py from src/c.py", &[]),
            ("Create src/dropdown.py", &["src/dropdown.py"]),
            ("Add dist/out.js to the ignore rules", &[]),
            ("Write a test for src/b.py", &[]),
            ("Create an error for a missing config.yaml", &[]),
            ("Create src/*.py", &[]),
            ("Add README", &[]),
            ("src/b.py 삭제하고 문서 작성", &[]),
            ("config.yaml이 없을 때 오류 생성", &[]),
            ("src/b.py", &[]),
            ("CREATE src/b.py", &["src/b.py"]),
            ("There: src/b.py is new", &["src/b.py"]),
            ("src/b.py gets written", &["src/b.py"]),
            ("src/b.py holds the parser", &[]),
        ] {
            assert_eq!(makes(item), *expected, "{item}");
        }
    }
}
