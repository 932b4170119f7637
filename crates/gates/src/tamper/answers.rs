//! Answers of the product that were copied from tests: comparisons, arms, conditional expressions and tables.

use super::asserts::statements;
use super::beside;
use super::find::{Brackets, Source};
use super::held;
use super::lang::Lang;
use super::lex::{Sort, Token};
use super::number::{joined, together, value_at, value_of};
use super::rows::{above, conditions};
use super::tables;
use super::{Finding, Kind, Severity, Sides, Standing};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// How many tokens behind a comparison its answer may stand.
const NEAR: usize = 12;

/// How many tokens before a comparison the `if` may stand that a value stands before.
const BACK: usize = 6;

/// Most values of an assertion, or of a row, that are taken into pairs.
const WIDE: usize = 16;

/// Most tokens of a row.
const ROW: usize = 40;

/// A value that the product asks for, and its answer.
#[derive(Clone)]
pub(super) struct Copied<'a> {
    pub(super) asked: Cow<'a, str>,
    pub(super) answer: Cow<'a, str>,
    pub(super) line: u32,
    /// The table that it is an entry of.
    pub(super) table: Option<usize>,
}

/// Two values that stand together.
pub(super) type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

impl<'a> Copied<'a> {
    fn pair(&self) -> Pair<'a> {
        (self.asked.clone(), self.answer.clone())
    }
}

/// What a file of the product answers.
#[derive(Default)]
pub(super) struct Answers<'a> {
    pub(super) found: Vec<Copied<'a>>,
    /// How many entries each table has, whatever they are.
    pub(super) entries: Vec<usize>,
}

impl<'a> Answers<'a> {
    pub(super) fn of(source: &Source<'a>) -> Self {
        let tokens = source.product();
        let brackets = Brackets::of(&tokens);
        let mut answers = Self::default();
        let code = Code {
            lang: source.lang,
            tokens: &tokens,
            brackets: &brackets,
            whole: &tokens,
        };
        code.read(&mut answers);
        // Once more, with several values in a bracket as one: `(25, 17): 425`.
        let folded = folded(source.lang, &tokens);
        if folded.len() < tokens.len() {
            let single = answers.found.len();
            let brackets = Brackets::of(&folded);
            let code = Code {
                tokens: &folded,
                brackets: &brackets,
                ..code
            };
            code.read(&mut answers);
            let mut at = 0;
            answers.found.retain(|copied| {
                at += 1;
                at <= single || copied.asked.contains(", ")
            });
        }
        answers
    }
}

/// Code of the product as it is looked through.
pub(super) struct Code<'t, 'a> {
    pub(super) lang: Lang,
    pub(super) tokens: &'t [Token<'a>],
    pub(super) brackets: &'t Brackets,
    /// The tokens as they are written.
    whole: &'t [Token<'a>],
}

impl<'a> Code<'_, 'a> {
    fn read(&self, out: &mut Answers<'a>) {
        comparisons(self, out);
        tables::read(self, out);
    }

    /// The value that a token stands for.
    pub(super) fn value(&self, token: &Token<'a>) -> Cow<'a, str> {
        let place = self
            .whole
            .partition_point(|t| (t.line, t.column) < (token.line, token.column));
        value_at(self.lang, self.whole, place)
    }
}

/// The tokens with each bracket that holds nothing but several values, and is no call, as one value.
fn folded<'a>(lang: Lang, tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut out: Vec<Token<'a>> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let found = together(lang, tokens, at).filter(|_| token.text != "{" || lang == Lang::Go);
        let Some((_, behind)) = found.filter(|_| token.text == "{" || !is_given(out.last())) else {
            out.push(*token);
            at += 1;
            continue;
        };
        // `[2]int{25, 17}`, `point{25, 17}`
        if token.text == "{" && out.last().is_some_and(|t| t.sort == Sort::Word) {
            out.pop();
            if out.last().is_some_and(|t| t.is_sign("]")) {
                let open = out.iter().rposition(|t| t.is_sign("["));
                out.truncate(open.unwrap_or(out.len()));
            }
        }
        out.push(Token {
            sort: Sort::Text,
            ..*token
        });
        at = behind;
    }
    out
}

/// Whether a bracket behind this token belongs to it: what a call is given, or a place in a list.
fn is_given(before: Option<&Token<'_>>) -> bool {
    before.is_some_and(|t| match t.sort {
        Sort::Word => !matches!(
            t.text,
            "case" | "when" | "in" | "return" | "if" | "elif" | "and" | "or" | "not" | "match" | "while"
        ),
        Sort::Sign => matches!(t.text, ")" | "]"),
        _ => true,
    })
}

/// Comparisons of the product with values, each with the answer that follows, or that stands before.
fn comparisons<'a>(code: &Code<'_, 'a>, out: &mut Answers<'a>) {
    let (lang, tokens, brackets) = (code.lang, code.tokens, code.brackets);
    // Where `=>` may also stand between a key and its value.
    let within = match lang {
        Lang::Php | Lang::Python => brackets.within(tokens),
        _ => Vec::new(),
    };
    let opened = |at: usize| {
        let open = within.get(at).copied().flatten()?;
        tokens.get(open).map(|t| t.text)
    };
    for (at, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| t.is_literal() && !t.text.is_empty())
    {
        let before = at.checked_sub(1).and_then(|n| tokens.get(n));
        let next = tokens.get(at + 1);
        // A range: `1..=3 =>`, `when 1..3`.
        let range = tokens.get(at.saturating_sub(2)..at).unwrap_or_default();
        if range.iter().chain(next).any(|t| t.is_sign("..")) {
            continue;
        }
        let arm = next.is_some_and(|t| t.is_sign("=>"))
            && lang != Lang::Ruby
            && (lang != Lang::Php || opened(at) == Some("{"));
        let compared = before.is_some_and(|t| matches!(t.text, "==" | "===" | "case" | "when" | "eq"))
            || arm
            || next.is_some_and(|t| matches!(t.text, "==" | "===" | "->"))
            || (before.is_some_and(|t| t.is_sign("("))
                && at >= 2
                && tokens
                    .get(at - 2)
                    .is_some_and(|t| matches!(t.text, "equals" | "Equals" | "eql")));
        if !compared {
            continue;
        }
        let asked = code.value(token);
        let mut add = |answer: Cow<'a, str>| {
            if answer != asked {
                out.found.push(Copied {
                    asked: asked.clone(),
                    answer,
                    line: token.line,
                    table: None,
                });
            }
        };
        let behind = tokens.iter().skip(at + 1).take(NEAR);
        let mut answers = false;
        for (ahead, follower) in behind.enumerate() {
            // `n -= 1` and `n + 1` count on.
            if answers && follower.is_literal() && counts_on(tokens, at + 1 + ahead) {
                break;
            }
            answers |= matches!(
                follower.text,
                "return" | "=>" | "->" | "{" | ":" | "?" | "then" | "="
            );
            if answers && follower.is_literal() && follower.text != token.text {
                add(code.value(follower));
                break;
            }
        }
        // `961 if x == 31 else …`
        if matches!(lang, Lang::Python | Lang::Ruby) {
            let from = at.saturating_sub(BACK);
            let before = tokens.get(from..at).unwrap_or_default();
            let condition = before.iter().rposition(|t| t.is_word("if")).map(|n| from + n);
            let value = condition
                .filter(|n| opened(*n).is_some() || tokens.get(*n).is_some_and(|t| !t.first))
                .and_then(|n| n.checked_sub(1))
                .filter(|n| {
                    tokens
                        .get(*n)
                        .is_some_and(|t| t.is_literal() && t.text != token.text)
                });
            if let Some(value) = value.and_then(|n| tokens.get(n)) {
                add(code.value(value));
            }
        }
    }
}

/// Whether a number is added to something, or taken away: `n - 1`, `n -= 1`.
fn counts_on(tokens: &[Token<'_>], at: usize) -> bool {
    let token = |back: usize| at.checked_sub(back).and_then(|n| tokens.get(n));
    let number = tokens.get(at).is_some_and(|t| t.sort == Sort::Number);
    let back = 1 + usize::from(token(1).is_some_and(|t| t.is_sign("=")));
    let steps = token(back).is_some_and(|t| t.sort == Sort::Sign && matches!(t.text, "+" | "-"));
    let of = token(back + 1).is_some_and(|t| match t.sort {
        Sort::Word => !matches!(t.text, "return" | "yield" | "then" | "else"),
        Sort::Sign => matches!(t.text, ")" | "]"),
        _ => false,
    });
    number && steps && of
}

/// Whether a value is one that nobody meets by chance.
fn telling(text: &str) -> bool {
    // Of several values one has to.
    let mut parts = text.split(", ").filter(|part| part.len() < text.len()).peekable();
    if parts.peek().is_some() {
        return parts.any(telling);
    }
    text.chars().count() >= 3 || text.parse::<f64>().is_ok_and(|n| n.abs() >= 10.0)
}

/// Whether a small value may be asked for at all: nothing, 0 and 1 are where many a rule begins.
fn asks(text: &str) -> bool {
    !text
        .split(", ")
        .all(|part| matches!(part, "" | "0" | "1" | "0.0" | "1.0"))
}

/// The pairs of which one assertion, or one row of a table, holds both values; and the tests, by number, in which it holds
/// nothing else.
type Asserted<'a> = HashMap<Pair<'a>, HashSet<usize>>;

fn asserted<'a>(sources: impl Iterator<Item = &'a Source<'a>>, wanted: &HashSet<Pair<'a>>) -> Asserted<'a> {
    let mut pairs = Asserted::new();
    let mut number = 0;
    let several: HashSet<&str> = wanted
        .iter()
        .map(|(asked, _)| asked.as_ref())
        .filter(|asked| asked.len() > 2)
        .collect();
    for source in sources {
        for test in &source.tests {
            number += 1;
            let body = source.body(test);
            let above = above(source, test);
            let single = |tokens: &[Token<'a>], pairs: &mut Asserted<'a>| {
                let literals = tokens.iter().filter(|t| t.is_literal());
                let values: Vec<Cow<'a, str>> = literals
                    .flat_map(|token| values(source.lang, token))
                    .take(WIDE)
                    .collect();
                for a in &values {
                    for b in values.iter().filter(|b| *b != a) {
                        let pair = (a.clone(), b.clone());
                        if wanted.contains(&pair) {
                            let tests = pairs.entry(pair).or_default();
                            if values.len() == 2 {
                                tests.insert(number);
                            }
                        }
                    }
                }
            };
            let mut add = |tokens: &[Token<'a>]| {
                single(tokens, &mut pairs);
                if several.is_empty() {
                    return;
                }
                for (asked, answers) in asked_together(source.lang, tokens) {
                    for form in forms(&asked).filter(|form| several.contains(form.as_str())) {
                        for answer in &answers {
                            let pair = (Cow::Owned(form.clone()), answer.clone());
                            if wanted.contains(&pair) {
                                let tests = pairs.entry(pair).or_default();
                                if answers.len() == 1 {
                                    tests.insert(number);
                                }
                            }
                        }
                    }
                }
            };
            for range in statements(source.lang, &body) {
                add(body.get(range).unwrap_or_default());
            }
            if source.lang == Lang::Go {
                conditions(source.lang, &body).into_iter().for_each(&mut add);
            }
            rows(&above, true).into_iter().for_each(&mut add);
            rows(&body, false).into_iter().for_each(&mut add);
        }
    }
    pairs
}

/// Several values that an assertion, or a row, gives together, and the others that it holds.
type Together<'a> = (Vec<Cow<'a, str>>, Vec<Cow<'a, str>>);

fn asked_together<'a>(lang: Lang, tokens: &[Token<'a>]) -> Vec<Together<'a>> {
    let others = |range: std::ops::Range<usize>| {
        let apart = tokens.iter().enumerate().filter(|(at, _)| !range.contains(at));
        let literals = apart.map(|(_, t)| t).filter(|t| t.is_literal());
        literals.map(|t| value_of(lang, t)).take(WIDE).collect()
    };
    let mut out: Vec<Together<'a>> = Vec::new();
    for at in 0..tokens.len() {
        if let Some((values, behind)) = together(lang, tokens, at) {
            // A row without brackets in it: `(25, 17, 425)`.
            if let [asked @ .., answer] = values.as_slice()
                && asked.len() > 1
                && behind - at == tokens.len()
            {
                out.push((asked.to_vec(), vec![answer.clone()]));
            }
            out.push((values, others(at..behind)));
        }
    }
    out
}

/// Several values as a product may ask for them: together, or as one text.
fn forms(values: &[Cow<'_, str>]) -> impl Iterator<Item = String> {
    const BETWEEN: [&str; 10] = [", ", ",", "-", ":", "_", "|", " ", "x", "/", ";"];
    let whole = format!("[{}]", values.join(","));
    let parts: Vec<String> = BETWEEN.iter().map(|between| values.join(between)).collect();
    parts.into_iter().chain([whole])
}

/// The values that a literal of a test stands for: itself, and the parts of a text that is a row.
fn values<'a>(lang: Lang, token: &Token<'a>) -> Vec<Cow<'a, str>> {
    match token.sort {
        Sort::Text => {
            let mut parts: Vec<Cow<'a, str>> = beside::parts(token).into_iter().map(Cow::Borrowed).collect();
            if let Some(first) = parts.first_mut() {
                *first = value_of(lang, token);
            }
            parts
        }
        _ => vec![value_of(lang, token)],
    }
}

/// The rows of tables: small brackets that stand beside others of their kind, and nothing else, in a bracket around
/// them. `marks`: among the marks of a test each bracket is one.
fn rows<'b, 'a>(tokens: &'b [Token<'a>], marks: bool) -> Vec<&'b [Token<'a>]> {
    let brackets = Brackets::of(tokens);
    let within = brackets.within(tokens);
    let around = |at: usize| within.get(at).copied().flatten();
    let begins_a_part = |at: usize, outer: usize| {
        outer + 1 == at
            || at
                .checked_sub(1)
                .and_then(|n| tokens.get(n))
                .is_some_and(|t| t.is_sign(","))
    };
    let mut beside: HashMap<usize, usize> = HashMap::new();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for at in (0..tokens.len()).filter(|at| tables::opens(tokens.get(*at))) {
        if let Some(outer) = around(at).filter(|outer| marks || begins_a_part(at, *outer)) {
            *beside.entry(outer).or_default() += 1;
            found.push((at, outer));
        }
    }
    let rows = found.into_iter().filter(|(_, outer)| {
        marks || beside.get(outer).is_some_and(|n| *n > 1) && !tables::is_call(tokens, *outer)
    });
    rows.filter_map(|(at, _)| tokens.get(at..brackets.close(at)))
        .filter(|row| row.len() <= ROW)
        .collect()
}

/// Values that the product asks for and answers, and that one assertion of a test holds both of. An assertion
/// that came together with the answer is how new behaviour is described; one that stood there before is what the
/// product was measured with.
/// What files held together that did not change was known before, and comes from no test.
pub(super) fn look(
    sides: &[Sides<'_>],
    standing: &[Standing<'_>],
    files: &[Standing<'_>],
    out: &mut Vec<Finding>,
) {
    let asked = asked_anew(sides);
    if asked.iter().all(|a| a.found.is_empty()) {
        return;
    }
    let standing: Vec<Source<'_>> = standing
        .iter()
        .filter_map(|test| Source::read(test.path, test.text))
        .collect();
    let wanted: HashSet<Pair<'_>> = asked
        .iter()
        .flat_map(|a| &a.found)
        .map(|(c, _)| c.pair())
        .collect();
    let mut before = asserted(
        sides.iter().filter_map(|s| s.base.as_ref()).chain(&standing),
        &wanted,
    );
    let mut now = asserted(sides.iter().filter_map(|s| s.now.as_ref()), &wanted);
    let tested: HashSet<Pair<'_>> = before.keys().chain(now.keys()).cloned().collect();
    for pair in held::known(&tested, files) {
        before.remove(&pair);
        now.remove(&pair);
    }
    // Tests of the base of which more than one pair is answered: that is no chance, however small the values are.
    let mut answered: HashMap<usize, HashSet<&str>> = HashMap::new();
    for (pair, tests) in &before {
        for test in tests {
            answered.entry(*test).or_default().insert(&pair.0);
        }
    }
    let several = |tests: &HashSet<usize>| {
        tests
            .iter()
            .any(|t| answered.get(t).is_some_and(|asked| asked.len() > 1))
    };
    for file in &asked {
        let mut held = vec![0_usize; file.entries.len()];
        for (copied, _) in file.found.iter().filter(|(c, _)| before.contains_key(&c.pair())) {
            if let Some(count) = copied.table.and_then(|table| held.get_mut(table)) {
                *count += 1;
            }
        }
        let mut told: HashSet<usize> = HashSet::new();
        for (copied, telling) in &file.found {
            let (severity, whose) = match (before.get(&copied.pair()), copied.table) {
                (Some(tests), _) if !telling && !several(tests) => continue,
                (Some(_), Some(table)) => {
                    // A table that tells more than the tests ask for is one of its own; each is told once.
                    let half = held.get(table).zip(file.entries.get(table));
                    if half.is_none_or(|(held, all)| held * 2 < *all) || !told.insert(table) {
                        continue;
                    }
                    (Severity::Block, "an assertion of the base")
                }
                (Some(_), None) => (Severity::Block, "an assertion of the base"),
                (None, None) if *telling && now.contains_key(&copied.pair()) => {
                    (Severity::Note, "a new assertion")
                }
                (None, _) => continue,
            };
            out.push(Finding {
                kind: Kind::AnswersCopied,
                severity,
                path: file.path.to_owned(),
                line: Some(copied.line),
                words: format!(
                    "{} answers `{}` for `{}`, as {whose} expects",
                    file.path,
                    short(&copied.answer),
                    short(&copied.asked)
                ),
            });
        }
    }
}

/// What a file of the product answers that the product did not answer before.
pub(super) struct Anew<'s> {
    path: &'s str,
    /// Each with whether its value tells by itself.
    found: Vec<(Copied<'s>, bool)>,
    entries: Vec<usize>,
}

/// Answers that the product did not have at the base, by the file in which they stand.
pub(super) fn asked_anew<'s>(sides: &'s [Sides<'_>]) -> Vec<Anew<'s>> {
    let mut asked: Vec<(&str, Answers<'s>)> = Vec::new();
    for side in sides {
        let Some(source) = &side.now else { continue };
        let answers = Answers::of(source);
        if !answers.found.is_empty() {
            asked.push((side.path, answers));
        }
    }
    if asked.is_empty() {
        return Vec::new();
    }
    let mut known: HashSet<Cow<'_, str>> = HashSet::new();
    let mut answered: HashSet<Pair<'_>> = HashSet::new();
    for source in sides.iter().filter_map(|s| s.base.as_ref()) {
        let code = source.product();
        let literals = code.iter().filter(|t| t.is_literal());
        known.extend(literals.map(|t| value_of(source.lang, t)));
        let several = (0..code.len()).filter_map(|at| together(source.lang, &code, at));
        known.extend(several.map(|(values, _)| Cow::Owned(joined(&values))));
        answered.extend(Answers::of(source).found.iter().map(Copied::pair));
    }
    let anew = |c: Copied<'s>| -> Option<(Copied<'s>, bool)> {
        if telling(&c.asked) {
            // What stands in a table may have stood in another form before.
            let new = !known.contains(&c.asked) && (c.table.is_none() || !known.contains(&c.answer));
            return new.then_some((c, true));
        }
        (asks(&c.asked) && !answered.contains(&c.pair())).then_some((c, false))
    };
    let files = asked.into_iter().map(|(path, answers)| Anew {
        path,
        found: answers.found.into_iter().filter_map(anew).collect(),
        entries: answers.entries,
    });
    files.filter(|file| !file.found.is_empty()).collect()
}

fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
