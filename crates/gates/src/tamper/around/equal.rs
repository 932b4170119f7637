//! Types of which everything is equal to everything: any assertion that compares with one holds.

use super::{Effect, File, What, reads};
use crate::tamper::asserts::end_of;
use crate::tamper::find::indented;
use crate::tamper::lang::Lang;
use crate::tamper::lex::{Sort, Token};
use std::ops::Range;

pub(super) fn effects(file: &File<'_, '_>) -> Vec<Effect> {
    let mut out = Vec::new();
    for at in 0..file.code.len() {
        let found = match file.source.lang {
            Lang::Python => python(file, at).map(|(name, range)| (name, range, file.source.for_tests)),
            Lang::Rust => rust(file, at),
            Lang::Go => go(file, at),
            _ => None,
        };
        if let Some((name, range, elsewhere)) = found {
            let mut effect = file.effect(What::Equals, name, range);
            // A test may say that it does not matter what stands there.
            effect.elsewhere = elsewhere;
            out.push(effect);
        }
    }
    out
}

/// `def __eq__(self, other): return True`, `__ne__ = lambda self, other: False`
fn python<'a>(file: &File<'_, 'a>, at: usize) -> Option<(&'a str, Range<usize>)> {
    let answer = |name: &str| match name {
        "__eq__" => Some("True"),
        "__ne__" => Some("False"),
        _ => None,
    };
    let token = file.at(at).filter(|t| t.sort == Sort::Word)?;
    if token.text == "def" {
        let name = file.at(at + 1)?.text;
        let answer = answer(name)?;
        let end = indented(&file.code, at + 1, file.line_column(at), Lang::Python);
        let head = file.brackets.close(at + 2);
        let colon = (head..end).find(|n| file.reads(*n, &[":"]))?;
        let body = file.part(colon + 1..end);
        let about = body
            .iter()
            .take_while(|t| t.sort == Sort::Text && t.first)
            .count();
        let always =
            matches!(body.get(about..)?, [gives, value] if gives.is_word("return") && value.is_word(answer));
        return always.then_some((name, at..end));
    }
    let answer = answer(token.text)?;
    let end = end_of(Lang::Python, &file.code, &file.brackets, at + 1);
    let always = file.reads(at + 1, &["=", "lambda"])
        && matches!(file.part(at..end), [.., colon, value] if colon.is_sign(":") && value.is_word(answer));
    always.then_some((token.text, at..end))
}

/// `fn eq(&self, _: &u32) -> bool { true }`: with another type it is as good as a number that is always right, with its own
/// it may be a part that does not count.
fn rust<'a>(file: &File<'_, 'a>, at: usize) -> Option<(&'a str, Range<usize>, bool)> {
    let name = file.at(at + 1).filter(|_| file.reads(at, &["fn", "eq", "("]))?;
    let behind = file.brackets.close(at + 2);
    if !file.reads(behind, &["->", "bool", "{", "true", "}"]) {
        return None;
    }
    let before = file.part(0..at);
    let from = before.iter().rposition(|t| t.is_word("impl"))?;
    let head = before.get(from..)?;
    let open = head.iter().position(|t| t.is_sign("{"))?;
    let place = head.get(..open)?.iter().position(|t| t.is_word("PartialEq"))?;
    let other = head.get(place + 2).filter(|_| reads(head, place + 1, &["<"]));
    let own = head
        .iter()
        .position(|t| t.is_word("for"))
        .and_then(|n| head.get(n + 1));
    let same = |other: &Token<'_>| other.is_word("Self") || own.is_some_and(|own| own.text == other.text);
    Some((name.text, at..behind + 5, other.is_none_or(same)))
}

/// `func (a T) Equal(b T) bool { return true }`, which libraries to compare with ask.
fn go<'a>(file: &File<'_, 'a>, at: usize) -> Option<(&'a str, Range<usize>, bool)> {
    file.at(at).filter(|_| file.reads(at, &["func", "("]))?;
    let name = file.brackets.close(at + 1);
    let equal = file.at(name).filter(|t| t.text == "Equal")?;
    let behind = file.brackets.close(name + 1);
    let always = file.reads(behind, &["bool", "{", "return", "true", "}"]);
    always.then_some((equal.text, at..behind + 5, true))
}
