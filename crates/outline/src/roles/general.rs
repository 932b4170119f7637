//! What a text says about changes in general: nothing, only these, tests too, not the tests.

use super::korean::{is_korean_ban, is_korean_change, korean_ban};
use super::{
    Clause, FILE_CHANGES, FILLERS, General, NEGATIONS, READS, Role, Token, bans, clauses, is_form, objects,
    omission, push_words, wished,
};
use crate::labels::Kind;
use crate::list::{has_any, has_any_word, list, listed};
use crate::paths::Mention;
use crate::text::slice;

/// What a text says about changes in general, clause by clause.
pub(crate) fn general(text: &str, mentions: &[Mention], kind: Option<Kind>) -> General {
    let mut out = General::default();
    for (from, to) in clauses(text, mentions) {
        let lower = slice(text, from, to)
            .to_lowercase()
            .replace('’', "'")
            .replace("read-only", "readonly")
            .replace("read only", "readonly");
        if !lower.chars().any(char::is_alphabetic) {
            continue;
        }
        let first = mentions.partition_point(|m| m.start < from);
        let last = mentions.partition_point(|m| m.start < to);
        let inside = mentions.get(first..last).unwrap_or_default();
        let had = out.read_only;
        let barred = clause_general(&lower, !inside.is_empty(), kind, &mut out);
        out.tested_barred |= inside.is_empty() && wished::bars_what_is_tested(&lower);
        if !barred && is_about_tests(&lower) {
            let clause = Clause::new(text, from, to, inside);
            let (words, _) = omission::unomitted(&clause.tokens, false);
            out.tests_wanted |= wished::asks_for_tests(words, &clause.lower, kind, !inside.is_empty());
        }
        // What a part is told of (`the schema is fixed, no changes there`) says nothing of all.
        if objects::points_to_a_part(text, from, &lower) {
            out.read_only = had;
        }
    }
    out
}

/// Whether a clause has a word for tests.
fn is_about_tests(lower: &str) -> bool {
    has_any_word!(lower, "test|tests|testing|spec|specs|testcase|testcases") || lower.contains("테스트")
}

/// Takes what a clause says in general; and whether it stands among prohibitions or is a
/// Korean one.
fn clause_general(lower: &str, has_path: bool, kind: Option<Kind>, out: &mut General) -> bool {
    let mut words = Vec::new();
    push_words(&mut words, lower);
    let bars = matches!(kind, Some(Kind::MustNot | Kind::Exclude));
    let is_denial = |w: &str| NEGATIONS.has(w) || w.ends_with("n't");
    // "No changes without tests" bars no change.
    let again = match words.iter().position(|t| is_denial(t.word())) {
        Some(at) => {
            let subject = words
                .get(at)
                .is_some_and(|t| listed!("no|nothing|none|neither|nobody", t.word()));
            omission::is_denied_again(words.get(at + 1..).unwrap_or_default(), subject)
        }
        None => bars && omission::is_denied_again(&words, false),
    };
    // "Don't forget to update the tests" denies nothing of that.
    let (words, bars) = omission::unomitted(&words, bars);
    let paired = omission::is_paired(lower, bars);
    let bars = bars && omission::korean(lower, true).is_none();
    let word = |i: usize| words.get(i).map_or("", Token::word);
    let negated_at = words.iter().position(|t| is_denial(t.word()));
    let negated = (bars || words.iter().any(|t| is_denial(t.word()))) && !again;
    let others = has_any_word!(
        lower,
        "else|elsewhere|other|others|except|outside|besides|than|unless|beyond|rest|unrelated|only|but|further|\
            additional",
    );
    let elsewhere = has_any_word!(
        lower,
        "else|elsewhere|other|others|except|outside|besides|beyond|rest|unrelated",
    );
    let korean_others = has_any!(lower, "외에|외의|외 |이외|밖의|다른|나머지|그 밖|제외|무관");
    let korean_ban = !paired && (is_korean_ban(lower) || (bars && is_korean_change(lower)));
    if has_any_word!(
        lower,
        "only|nothing else|no other|nowhere else|just this|solely|exclusively",
    ) || (negated && elsewhere && words.iter().any(|t| is_form(t.word(), FILE_CHANGES)))
        || (korean_ban && korean_others)
        || has_any!(
            lower,
            "만 수정|만 변경|만 바꾸|만 바꿔|만 고치|만 바뀌|하나만|파일만|에만",
        )
    {
        out.only = true;
    }
    let tests = is_about_tests(lower);
    let locks = has_any_word!(lower, "lockfile|lockfiles|lock file|lock files")
        || has_any!(lower, "락 파일|락파일|잠금 파일");
    let changes_file = words.iter().any(|t| is_form(t.word(), FILE_CHANGES));
    if tests && !has_path {
        let english_ban = negated && changes_file
            || has_any_word!(lower, "no tests|no new tests|without tests|no test changes");
        if (english_ban || korean_ban)
            && !has_any_word!(
                lower,
                "without a test|without adding tests|without tests for|break|skip",
            )
        {
            let about_code = has_any_word!(lower, "to make the tests|to make tests|so that|until");
            if !about_code
                && (english_direct_tests(words, negated_at.unwrap_or(usize::MAX), bars)
                    || korean_ban && !lower.contains("없이")
                    || has_any_word!(lower, "no tests|no new tests|no test changes"))
            {
                // Tests that must not be deleted may well be changed.
                let role = if korean_ban {
                    bans::korean_role(slice(lower, 0, korean_ban_at(lower)))
                } else {
                    let tests = |t: &&Token| listed!("test|tests|specs|spec", t.word());
                    bans::role(words.iter().take_while(|t| !tests(t)), &[])
                };
                out.tests_barred |= role == Role::Excluded;
                out.tests_kept |= role == Role::Kept;
            }
        } else if !negated && !korean_ban {
            let runs = has_any_word!(
                lower,
                "pass|passes|passing|green|stable|run|runs|rerun|still|existing|suite|flaky|skip|skipping",
            ) || has_any!(lower, "통과|실행|깨지|기존 테스트");
            let makes = has_any_word!(
                lower,
                "add|adds|added|write|writes|new|with|cover|covers|covered|covering|create|including|\
                    extend|update|plus",
            ) || has_any!(lower, "추가|작성|보강|포함|신규|함께");
            if !runs || makes {
                out.tests_wanted = true;
            }
        }
    }
    if locks && (negated || korean_ban) {
        out.locks_barred = true;
    }
    if !negated
        && (has_any_word!(
            lower,
            "regenerate|regenerated|regenerating|regeneration|codegen|re-generate|snapshots|snapshot|\
                generated",
        ) || has_any!(lower, "재생성|다시 생성|코드 생성|코드젠|스냅샷"))
    {
        out.regenerate = true;
    }
    let banned = bars || korean_ban;
    if has_path
        && !has_any_word!(lower, "readonly task")
        && !lower.contains("읽기 전용 작업")
        && !is_headed_as_read_only(lower)
    {
        return banned;
    }
    let generic = has_any_word!(
        lower,
        "file|files|code|anything|source|sources|repo|repository|codebase|tree|edits|changes|\
            modifications|nothing|writes",
    );
    let english = !others
        && (has_any_word!(
            lower,
            "readonly|no code changes|no changes|no edits|no file changes|no modifications|no writes|\
                analysis only|report only|review only|just a report|nothing may change|\
                nothing should change|nothing must change|nothing changes|do not write code|\
                don't write code|do not write any code|don't write any code",
        ) || (negated && generic && !tests && !locks && general_ban(words, bars)));
    let read_only_subject = has_any_word!(
        lower,
        "readonly mode|readonly user|readonly replica|readonly access|readonly endpoint|\
            readonly flag|readonly view|readonly field|readonly property|readonly api|readonly role|\
            readonly attribute|readonly connection|readonly transaction|readonly copy|readonly column|\
            readonly input|readonly state",
    );
    let outcome_noun = matches!(kind, Some(Kind::Outcome))
        && has_any_word!(lower, "add|support|make|implement|flag|mode|shows");
    // "Nothing in the tree may change."
    let nothing = !others
        && word(0) == "nothing"
        && (1..8).any(|i| {
            listed!("may|should|must|can|shall|gets|to", word(i))
                && (i + 1..i + 4).any(|j| is_form(word(j), FILE_CHANGES))
        });
    let english = english || nothing;
    if english && !again && !read_only_subject && !outcome_noun {
        out.read_only = true;
    }
    if !korean_others {
        const PHRASE: &str = "읽기 전용|수정 없이|변경 없이|수정하지 않고|변경하지 않고|분석만|조사만|검토만|보고만|\
            코드 변경 금지|코드 수정 금지|파일 수정 금지|파일 변경 금지";
        let generic = has_any!(lower, "파일|코드|소스|아무것도|아무 것도|어떤 것도|일절|저장소");
        let object = has_any!(
            lower,
            "기존 파일|생성된 파일|설정 파일|테스트 파일|테스트 코드|락 파일|다음 파일|아래 파일|이 파일|해당 파일",
        );
        if has_any!(lower, PHRASE) || (korean_ban && generic && !object && !tests) {
            let only_part = has_any!(lower, "읽기 전용") && has_any!(lower, "모드|사용자|계정|권한|필드|뷰");
            if !only_part {
                out.read_only = true;
            }
        }
    }
    banned
}

/// Where the mark of a Korean ban stands, or the end of the text.
fn korean_ban_at(text: &str) -> usize {
    korean_ban(text).unwrap_or(text.len())
}

/// Whether a clause that names files begins with the words that nothing may change, as a heading of what is to be read:
/// `read-only: explain X`. A list of files under such a heading says it of them alone.
fn is_headed_as_read_only(lower: &str) -> bool {
    let head = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    if let Some(rest) = head.strip_prefix("읽기 전용") {
        let rest = rest.trim_start().strip_prefix([':', '：', ',', '-', '—']);
        return rest
            .is_some_and(|rest| has_any!(rest, "분석|검토|조사|설명|읽|살펴|확인|이해|파악|요약|리뷰"));
    }
    let rest = head.strip_prefix("readonly").map(str::trim_start);
    let Some(rest) = rest.and_then(|rest| rest.strip_prefix([':', ',', '-', '—', '–'])) else {
        return false;
    };
    let mut words = Vec::new();
    push_words(&mut words, rest);
    words
        .iter()
        .find(|token| !listed!("please|just|only|you|can|could|and|then", token.word()))
        .is_some_and(|token| READS.has(token.word()))
}

/// `do not change the tests`: the tests are the object of the verb.
/// What is denied behind them (`a test that fails without the fix`) bars nothing.
fn english_direct_tests(words: &[Token], negated_at: usize, bars: bool) -> bool {
    let Some(at) = words
        .iter()
        .position(|t| listed!("test|tests|specs|spec", t.word()))
    else {
        return false;
    };
    if negated_at > at && !bars {
        return false;
    }
    for token in words.iter().take(at).rev() {
        let word = token.word();
        if is_form(word, FILE_CHANGES) {
            return true;
        }
        if !FILLERS.has(word) && !listed!("new|unit|integration|existing|e2e", word) {
            return false;
        }
    }
    false
}

/// `do not change any files`, `without touching the code`, `make no changes`.
fn general_ban(words: &[Token], bars: bool) -> bool {
    let mut negated = bars;
    let mut verb = false;
    for token in words {
        let word = token.word();
        if NEGATIONS.has(word) || word.ends_with("n't") {
            negated = true;
            continue;
        }
        if negated
            && !verb
            && is_form(
                word,
                list!("modif|touch|chang|edit|alter|writ|commit|mak", by_word = false),
            )
        {
            verb = true;
            continue;
        }
        if verb {
            if listed!(
                "any|a|the|single|actual|existing|all|source|whole|entire|at|in|of|to|project|no",
                word,
            ) {
                continue;
            }
            return listed!(
                "file|files|code|anything|sources|repo|repository|codebase|changes|edits|thing|tree",
                word,
            );
        }
    }
    false
}
