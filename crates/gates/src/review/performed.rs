//! Korean ends of a message that give the verdict by saying so: "배포는 승인합니다", "오타만 고쳐 주시면 승인이에요".
//!
//! Korean puts the verb last, so the last words of the last sentence tell who gives what, and when. Of 1,536 messages of
//! the training part that end with 승인합니다 or 허가합니다 99 % approve, most of the others with a condition or
//! somebody else as their subject; of 118 that end with a request to mend and the bare verdict 99 % approve and all
//! but one of those rest on nothing.

use super::decide::Occasion;
use proctor_prose::{Clause, Features, Reading, Token, TokenKind, tag};

/// A verdict that is given in so many words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Performed {
    /// Where its sentence begins.
    pub(super) start: usize,
    /// Where the verdict itself stands.
    pub(super) verdict: (usize, usize),
    /// The number of its clause.
    pub(super) clause: usize,
    /// It holds once something is done: what its sentence tells was not seen.
    pub(super) conditional: bool,
}

/// How many words before a verdict may put it off.
const NEAR: usize = 4;

/// What makes a sentence one that gives nothing now. A denied verdict ends in another word, 승인하지 않습니다.
const OTHER: Features = Features::QUESTION
    .or(Features::QUOTED)
    .or(Features::STRUCK)
    .or(Features::HEARSAY);

/// The verdict that ends a message.
pub(super) fn find(reading: &Reading, occasion: &dyn Fn() -> Occasion) -> Option<Performed> {
    let (clause, last) = reading
        .clauses
        .iter()
        .enumerate()
        .rev()
        .find(|(_, c)| c.chars > 0)?;
    if !reading.blocks.get(last.block).is_some_and(|b| b.kind.is_prose()) {
        return None;
    }
    let from = reading.clauses.partition_point(|c| c.sentence < last.sentence);
    let sentence = reading.clauses.get(from..=clause)?;
    let first = sentence.first()?;
    let tokens = reading.tokens.get(first.tokens.start..last.tokens.end)?;
    let at = tokens
        .iter()
        .rposition(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))?;
    let (before, rest) = tokens.split_at(at);
    let verdict = rest.first()?;
    if verdict.quoted || verdict.struck || sentence.iter().any(|c: &Clause| c.features.any(OTHER)) {
        return None;
    }
    let form = form(reading.word(verdict))?;
    let found = |conditional| Performed {
        start: first.start,
        verdict: (verdict.start, verdict.end),
        clause,
        conditional,
    };
    if before.iter().any(|t| by_others(reading, t)) {
        return None;
    }
    let word = |t: &Token| reading.word(t);
    let provided = before
        .iter()
        .any(|t| word(t).starts_with("조건으로") || word(t).starts_with("조건부"));
    let asked = before.last().is_some_and(|t| {
        let word = word(t);
        word.ends_with("주시면") || word.ends_with("주면") || word.ends_with("주신다면")
    });
    let said = match form {
        // "통과" of tests is what comes out of them.
        Form::Passes => asked.then(|| found(true)),
        Form::Is if asked || provided => Some(found(true)),
        Form::Is => None,
        Form::Does if provided => Some(found(true)),
        Form::Does => {
            // What puts the verdict off stands right before it; before a comma it puts off something else.
            let near = before.rsplit(|t| t.is_punct(',')).next().unwrap_or_default();
            let near = near.get(near.len().saturating_sub(NEAR)..).unwrap_or_default();
            // "결제를 승인합니다" tells what a program does.
            let object = before.last().is_some_and(|t| word(t).ends_with(['을', '를']));
            (!object && !near.iter().any(|t| waits(word(t)))).then(|| found(false))
        }
    };
    // Whoever is at work may tell of approvals with the same words.
    said.filter(|_| occasion() == Occasion::Review)
}

/// How the verdict is said.
enum Form {
    /// 승인합니다.
    Does,
    /// 승인이에요.
    Is,
    /// 통과예요.
    Passes,
}

fn form(word: &str) -> Option<Form> {
    let noun = |end: &str| {
        matches!(
            end,
            "" | "입니다" | "이에요" | "예요" | "이요" | "요" | "임" | "이다"
        )
    };
    if let Some(end) = word.strip_prefix("승인").or_else(|| word.strip_prefix("허가")) {
        return match end {
            "합니다" => Some(Form::Does),
            end if noun(end) => Some(Form::Is),
            _ => None,
        };
    }
    word.strip_prefix("통과")
        .filter(|end| !end.is_empty() && noun(end))
        .map(|_| Form::Passes)
}

/// Whether somebody else gives the verdict, or a rule says who does: 팀장이, 검토자는.
fn by_others(reading: &Reading, token: &Token) -> bool {
    let word = reading.word(token);
    let topic = word.ends_with('은') || word.ends_with('는');
    let subject = word.ends_with('이') || word.ends_with('가') || word.ends_with("께서");
    let long = word.chars().count() > 2;
    token.kind == TokenKind::Hangul
        && !token.tags.any(tag::FIRST)
        && (subject && long || topic && token.tags.any(tag::ROLE | tag::OTHER | tag::POLICY))
}

/// Whether a word puts what follows off, or makes it a rule: 뒤에, 나오면, 때만.
fn waits(word: &str) -> bool {
    const ENDS: [&str; 14] = [
        "면",
        "뒤",
        "뒤에",
        "후",
        "후에",
        "다음",
        "다음에",
        "때",
        "때에",
        "그때",
        "만",
        "않고",
        "어야",
        "아야",
    ];
    ENDS.iter().any(|end| word.ends_with(end)) || word.starts_with("항상") || word.starts_with("매번")
}
