//! Tests that are asked for, also in the clause that names a file: `fix X and add a test`, `unit tests for X`, X 단위 테스트.

use super::{NEGATIONS, READS, Token, is_change, is_form};
use crate::labels::Kind;
use crate::list::{has_any, has_any_word, list, listed};
use crate::text::{near_before, near_behind, slice};

/// So many words may stand between a verb and the tests that are its object.
const REACH: usize = 5;

/// Whether a clause asks for tests, new or changed. Where it names no file, only what a verb makes counts here.
pub(super) fn asks_for_tests(tokens: &[Token], lower: &str, kind: Option<Kind>, names_file: bool) -> bool {
    let names = |at: &usize| {
        let word = tokens.get(*at).map_or("", Token::word);
        listed!("test|tests|testcase|testcases|spec|specs", word)
    };
    (0..tokens.len())
        .filter(names)
        .any(|at| are_wished(tokens, at, kind))
        || names_file && korean(lower, kind)
}

/// Whether the tests at `at` are what is to be made: the object of a verb of making, what comes with a change, or the
/// thing itself that an item names.
fn are_wished(tokens: &[Token], at: usize, kind: Option<Kind>) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let compound = listed!("case|cases|suite|suites|file|files|coverage", word(at + 1));
    let behind = at + 1 + usize::from(compound);
    let next = tokens.get(behind);
    let next_word = next.map_or("", Token::word);
    if listed!(
        "pass|passes|passing|green|run|runs|stay|stays|still|keep|keeps|succeed|work|fail|fails|failing",
        next_word
    ) {
        return false;
    }
    // `a test mode`, `test data`: of another thing only the first word.
    let noun = next.is_none_or(|next| matches!(next, Token::Path(_) | Token::Korean))
        || word(at).ends_with('s')
        || compound
        || listed!(
            "for|of|that|which|to|in|on|covering|with|and|or|as|when|where|at|against|too|also|please|so|before|\
            after|by|added|written|it|per|there|first|proving|showing|checking|reproducing",
            next_word
        );
    if !noun {
        return false;
    }
    let item = matches!(
        kind,
        Some(Kind::Outcome | Kind::Scope | Kind::MustDo | Kind::Task)
    );
    let before = tokens.get(..at).unwrap_or_default();
    for (distance, token) in before.iter().rev().enumerate() {
        let word = token.word();
        if matches!(token, Token::Path(_)) {
            // `src/cart.js: unit tests`
            return item && next.is_none();
        }
        if matches!(token, Token::Korean) || distance >= REACH || NEGATIONS.has(word) {
            return false;
        }
        if listed!("with|plus|including|and", word) {
            return true;
        }
        if word == "by" {
            return before
                .iter()
                .any(|t| is_form(t.word(), list!("cover", by_word = false)));
        }
        if makes(word) {
            // `do not add tests`, `without adding tests`; but `fix it without hacks and add a test`.
            let verb = at - distance - 1;
            let denied = |(at, t): (usize, &Token)| {
                let word = t.word();
                (NEGATIONS.has(word) || word.ends_with("n't")) && (word != "without" || at + 1 == verb)
            };
            return !before.iter().take(verb).enumerate().any(denied);
        }
        if is_change(word) || READS.has(word) || apart(word) {
            return false;
        }
    }
    // Nothing but adjectives: `unit tests for X`. In running text a verb that follows makes a statement of it.
    let named = tokens.get(behind..).unwrap_or_default();
    let last = named.iter().rposition(|t| matches!(t, Token::Path(_)));
    listed!("for|of|covering", next_word) && last.is_some_and(|last| item || last + 1 == named.len())
}

/// Whether a clause (lower case) that names no file says that the code itself stays as it is: `do not change the module`,
/// `leave the implementation alone`, 구현은 건드리지 마세요. Beside the order to test a file that is this file.
pub(super) fn bars_what_is_tested(lower: &str) -> bool {
    if crate::text::has_hangul(lower) {
        return has_any!(
            lower,
            "모듈|구현|원래 코드|원본|기존 코드|본 코드|본체|대상 코드|프로덕션 코드|로직"
        ) && (super::is_korean_ban(lower)
            || has_any!(lower, "그대로 두|그대로 둬|그대로 놔|그대로 유지"));
    }
    let code = has_any_word!(
        lower,
        "module|implementation|code itself|code under test|production code|original code|source itself|unit itself|\
        function itself|class itself|file itself",
    );
    if !code {
        return false;
    }
    let words = || {
        lower
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .filter(|w| !w.is_empty())
    };
    let denied = words().any(|word| NEGATIONS.has(word) || word.ends_with("n't"));
    let changes = words().any(|word| is_form(word, super::FILE_CHANGES));
    let left = has_any_word!(lower, "leave|keep")
        && has_any_word!(lower, "alone|as is|as it is|untouched|unchanged");
    denied && changes || left
}

/// Whether all that is asked of a file, named at these bytes, is to test it: `tests for X`, `cover X with tests`, X 테스트를 작성.
pub(crate) fn is_tested(text: &str, start: usize, end: usize) -> bool {
    let before = near_before(text, start).to_lowercase();
    let mut words = before
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .rev();
    let mut relation = words.next();
    if relation.is_some_and(|word| listed!("the|module|file|class|function", word)) {
        relation = words.next();
    }
    let tests = |word: &str| listed!("test|tests|spec|specs|cases|coverage|testcases", word);
    match relation {
        Some("for" | "of" | "covering" | "against") if words.next().is_some_and(tests) => return true,
        Some("covering") => return false,
        _ => {}
    }
    let behind = near_behind(text, end).trim_start_matches(['`', '"', '\'']);
    let mut words = behind.split_whitespace();
    let first = words.next().unwrap_or_default();
    let rest = match first {
        "의" | "용" => words.next(),
        "에" => words
            .next()
            .filter(|w| w.starts_with("대한"))
            .and_then(|_| words.next()),
        word => Some(word),
    };
    rest.into_iter()
        .chain(words)
        .take(2)
        .any(|word| word.starts_with("테스트"))
}

/// A verb whose object comes to be or is another afterwards.
fn makes(word: &str) -> bool {
    let other = listed!(
        "use|uses|using|used|set|sets|lint|test|tests|make|makes|making|commit|format|document|build|run",
        word
    );
    is_change(word) && !other
        || is_form(
            word,
            list!(
                "provid|includ|giv|deliver|need|expect|adapt|amend|suppl|contribut|expand",
                by_word = false
            ),
        )
}

/// A word that begins another part of the sentence.
fn apart(word: &str) -> bool {
    listed!(
        "in|from|under|via|until|before|after|against|so|if|when|because|than|while|for|run|runs|running|pass|passes|\
        make|makes|is|are|was|were|has|have",
        word
    )
}

/// What may stand between the Korean word for tests and what is to be done with them.
const BETWEEN: &str = "케이스|코드|도|를|을|까지|만|들|와|과|하나|한|개|함께|같이|꼭|새로|조금|좀|더|반드시|추가로|몇|꼼꼼히|잘|먼저";
/// Beginnings of the verbs that make tests or change them.
const MAKES: &str = "추가|작성|보강|만들|만드|짜|짠|써|쓰|쓴|넣|고치|고쳐|수정|갱신|업데이트|맞추|맞춰|확장|포함|부탁|구현|채우|채워|붙이|붙여|\
    달아|늘리|늘려|생성|보완|개선|변경|더해|더하|남기|남겨|함께|준비";

/// As [`asks_for_tests`], in Korean: 회귀 테스트를 추가해 주세요; in an item also 단위 테스트 alone.
fn korean(lower: &str, kind: Option<Kind>) -> bool {
    const NAME: &str = "테스트";
    let item = matches!(kind, Some(Kind::Outcome | Kind::Scope | Kind::MustDo));
    lower.match_indices(NAME).any(|(at, _)| {
        let old = slice(lower, 0, at).trim_end().ends_with("기존");
        let behind = slice(lower, at + NAME.len(), lower.len());
        let makes = |text: &str| crate::text::entries(MAKES).any(|verb| text.starts_with(verb));
        let mut rest = behind.trim_start();
        loop {
            if makes(rest) && !has_any!(rest, "없이") {
                return true;
            }
            let passed = crate::text::entries(BETWEEN)
                .filter_map(|word| rest.strip_prefix(word))
                .min_by_key(|rest| rest.len())
                .or_else(|| rest.strip_prefix(|c: char| c.is_ascii_digit()));
            match passed {
                Some(next) => rest = next.trim_start(),
                None => break,
            }
        }
        item && !old && rest.chars().all(|c| !c.is_alphanumeric())
    })
}
