//! Questions that want to know something, and orders on what they ask about: `Why does X crash? Fix it.`

use super::{CHANGES, NEGATIONS, Token, is_form, is_korean_ban, is_korean_change, orders, push_words};
use crate::list::{has_any, has_any_word, listed};
use crate::text::{has_hangul, near_before, near_behind, sentences, slice};

/// Byte ranges of the sentences of a text that ask for knowledge. A request in the form of a question (`Could you …?`)
/// is none.
pub(super) fn questions(text: &str) -> Vec<(usize, usize)> {
    if !text.contains(['?', '？']) {
        return Vec::new();
    }
    let mut out = sentences(text);
    out.retain(|&(from, to)| is_question(slice(text, from, to)));
    out
}

/// Whether a sentence asks for knowledge.
pub(crate) fn is_question(sentence: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '”' | ')' | '’' | '`' | '*');
    let sentence = sentence.trim().trim_end_matches(ends);
    if !sentence.ends_with(['?', '？']) {
        return false;
    }
    let head: String = sentence.chars().take(24).collect::<String>().to_lowercase();
    let mut words = head
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|w| !w.is_empty() && !listed!("and|so|but|also|ok|okay|hm|well|then|now", w));
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if listed!(
        "why|how|what|where|when|who|whose|which",
        first.trim_end_matches("'s")
    ) {
        // A proposal has the form of a question.
        return !listed!("about|not|don't|if", second);
    }
    listed!(
        "is|are|was|were|does|did|has|isn't|aren't|doesn't|didn't|wasn't",
        first
    ) || has_any!(
        sentence,
        "왜 |어떻게|어째서|무엇|뭐가|뭘 |뭔가요|어디|언제|누가|누구|어느|어떤|무슨|인가요|있나요|한가요|되나요"
    )
}

/// Whether a sentence that names no file orders a change of what the one before it is about: `Fix it and add tests.`,
/// `Please fix.`, 고쳐 주세요.
pub(crate) fn orders_a_change_of_it(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    if has_hangul(&lower) {
        return korean_order(&lower);
    }
    let mut words = Vec::new();
    push_words(&mut words, &lower);
    if orders::of_it(&words) {
        return true;
    }
    let lead = words.iter().take_while(|token| {
        listed!(
            "please|then|and|so|now|just|also|ok|okay|yes|if|not|possible|can|could|would|will|you|i|we|want|need|\
            to|let's|go|ahead|kindly|i'd|like",
            token.word()
        )
    });
    let at = lead.count();
    let verb = words.get(at).map_or("", Token::word);
    // `do not fix it`, `not yet`; "if not, fix it" is an order.
    let lead = words.get(..at).unwrap_or_default();
    let denied = lead.iter().enumerate().any(|(i, token)| {
        NEGATIONS.has(token.word())
            && i.checked_sub(1).and_then(|i| lead.get(i)).map(Token::word) != Some("if")
    });
    if denied || !is_form(verb, CHANGES) || listed!("use|test|switch|commit|document", verb) {
        return false;
    }
    let object = words.get(at + 1).map_or("", Token::word);
    listed!(
        "|it|this|that|them|these|those|both|all|everything|up|down|away|please|properly|accordingly|now|and|the",
        object
    ) && (object != "the" || has_any_word!(&lower, "the file|the files|the module|the script|the function"))
}

/// As [`orders_a_change_of_it`]: a Korean order leaves its object out, or has a word that points back.
fn korean_order(lower: &str) -> bool {
    let asks = has_any!(
        lower,
        "주세요|줘|주십시오|주시|부탁|바랍니다|바람|하세요|하십시오|하시오|해라|하라|할 것|합시다|하자|고쳐라|바꿔라|줄래"
    );
    let mut previous = "";
    let points_back = lower.split_whitespace().all(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let object = word.strip_suffix(['을', '를']);
        let back = object.is_none_or(|noun| {
            matches!(
                noun,
                "그것" | "이것" | "저것" | "이" | "그것들" | "이것들" | "전부" | "모두" | "둘"
            ) || matches!(noun, "파일" | "코드" | "부분" | "모듈")
                && matches!(previous, "이" | "그" | "해당" | "저")
        });
        previous = word;
        back
    });
    asks && points_back && (is_korean_change(lower) || orders::korean(lower)) && !is_korean_ban(lower)
}

/// Whether a sentence tells of a fault in the file at these bytes: "there's a bug in X", "X does not compile", X가 너무 깁니다. An
/// order on it is about that file then. A file that only shows a fault, such as a log, has none.
pub(crate) fn is_at_fault(sentence: &str, (from, to): (usize, usize), path: &str) -> bool {
    const FAULTS: &str = "\
        bug|bugs|leak|leaks|race|races|crash|crashes|fails|broken|breaks|wrong|slow|too|not|doesn't|won't|can't|isn't|error|\
        errors|typo|typos|deadlock|deadlocks|panics|throws|hangs|outdated|mistake|fault|flaw|problem|mess";
    const FAULTS_KO: &str = "\
        버그|오류|에러|누수|문제|결함|죽|깨지|깨졌|깨집|느리|느려|느립|너무|틀렸|잘못|빠졌|경합|오타|멈추|멈춥|멈춰|안 |않|못";
    let end = path.rsplit('.').next().unwrap_or_default();
    if listed!("log|txt|out|json|html|csv|xml|md", end) || crate::read::is_test(path) {
        return false;
    }
    let before = near_before(sentence, from).to_lowercase();
    let behind = near_behind(sentence, to).to_lowercase().replace('’', "'");
    let shows = |word: &str| {
        listed!(
            "shows|says|reports|lists|describes|contains|mentions|explains|prints|logs|tells|has|documents",
            word
        )
    };
    let mut words = behind
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty());
    let next = words.next().unwrap_or_default();
    let had = next == "has";
    let place = before
        .trim_end_matches(|c: char| !c.is_alphanumeric())
        .rsplit(' ')
        .next()
        .unwrap_or_default();
    let faulty =
        has_any_word!(&before, FAULTS) || has_any_word!(&behind, FAULTS) || has_any!(&behind, FAULTS_KO);
    let here =
        before.trim().is_empty() || listed!("in|inside|within|of|that|the", place) || has_hangul(&behind);
    faulty
        && here
        && (had || !shows(next))
        && !has_any_word!(
            &before,
            "trace|log|report|output|example|see|according|like|unlike|test|tests"
        )
        && !has_any!(&behind, "보여|에 나와|에 나옵|에 적|에 따르면|참고|참조|예제")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_no_questions() {
        for question in [
            "Why does it crash?",
            "그런데 왜 느린가요?",
            "Is it used?",
            "(What is wrong?)",
        ] {
            assert!(is_question(question), "{question}");
        }
        for other in [
            "Could you fix it?",
            "How about fixing it?",
            "Why not drop it?",
            "고쳐 줄래요?",
            "Why it crashes is known.",
        ] {
            assert!(!is_question(other), "{other}");
        }
    }

    #[test]
    fn an_order_points_back_or_has_an_object_of_its_own() {
        for order in [
            "Fix it and add tests.",
            "Please fix.",
            "If not, delete it.",
            "고쳐 주세요",
            "그것을 고쳐 주세요",
            "Then clean it up.",
        ] {
            assert!(orders_a_change_of_it(order), "{order}");
        }
        for other in [
            "Do not fix it.",
            "Explain it.",
            "Fix the login.",
            "오류를 고쳐 주세요",
            "고치지 마세요",
            "Add a test.",
        ] {
            assert!(!orders_a_change_of_it(other), "{other}");
        }
    }
}
