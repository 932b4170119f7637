//! What a test says as much in another form: a whole that is compared in the place of its parts, failures that are handed
//! on, one assertion in the place of one for each way.

use super::asserts::statements;
use super::exact::{Exactness, exactness};
use super::find::{Brackets, indented};
use super::lang::Lang;
use super::lex::{Sort, Token};
use super::sides::compared;
use std::collections::HashSet;
use std::ops::Range;

/// How many of the assertions that a test lost are made up for by ones that it has now, beyond one for one.
pub(super) fn made_up(lang: Lang, was: &[Token<'_>], is: &[Token<'_>]) -> usize {
    wholes(lang, was, is) + handed_on(lang, was, is)
}

fn text(statement: &[Token<'_>]) -> String {
    statement.iter().map(|t| t.text).collect::<Vec<_>>().join(" ")
}

/// The assertions of `body` that the other one does not have.
fn apart<'b, 'a>(lang: Lang, body: &'b [Token<'a>], other: &[Token<'_>]) -> Vec<&'b [Token<'a>]> {
    let known: HashSet<String> = statements(lang, other)
        .into_iter()
        .filter_map(|range| other.get(range))
        .map(text)
        .collect();
    let ranges = statements(lang, body).into_iter();
    ranges
        .filter_map(|range| body.get(range))
        .filter(|statement| !known.contains(&text(statement)))
        .collect()
}

/// A whole that is compared with a value in which everything stands that was asked of its parts:
/// `expect(issues[0].code).toBe("a")` and `expect(issues).toEqual([{ code: "a" }])`.
fn wholes(lang: Lang, was: &[Token<'_>], is: &[Token<'_>]) -> usize {
    let lost = apart(lang, was, is);
    let new = apart(lang, is, was);
    let wholes: Vec<(&[Token<'_>], &[Token<'_>])> = new
        .iter()
        .filter(|s| exactness(lang, s) == Exactness::Value)
        .filter_map(|s| compared(lang, s))
        .flat_map(|(left, right)| [(left, right), (right, left)])
        .filter(|(subject, value)| {
            subject.iter().any(|t| t.sort == Sort::Word) && value.iter().any(Token::is_literal)
        })
        .collect();
    let mut used: HashSet<usize> = HashSet::new();
    let mut covered = 0;
    for statement in lost {
        let holds = |(subject, value): &(&[Token<'_>], &[Token<'_>])| {
            let Some((from, to)) = part_of(statement, subject) else {
                return false;
            };
            let asked: Vec<&Token<'_>> = statement
                .iter()
                .enumerate()
                .filter(|(at, t)| t.is_literal() && !(from..to).contains(at))
                .map(|(_, t)| t)
                // The place in a list says nothing of the value.
                .filter(|t| t.sort == Sort::Text || t.text.len() > 1)
                .collect();
            !asked.is_empty()
                && asked.iter().all(|t| {
                    value
                        .iter()
                        .any(|v| v.is_literal() && (v.text == t.text || v.text.contains(t.text)))
                })
        };
        if let Some(at) = wholes.iter().position(holds) {
            covered += 1;
            used.insert(at / 2);
        }
    }
    // The whole itself stands for one.
    covered - used.len().min(covered)
}

/// Where a statement names a subject and asks for a part of it.
fn part_of(statement: &[Token<'_>], subject: &[Token<'_>]) -> Option<(usize, usize)> {
    if subject.is_empty() {
        return None;
    }
    let same = |from: usize| {
        subject
            .iter()
            .enumerate()
            .all(|(n, t)| statement.get(from + n).is_some_and(|s| s.text == t.text))
    };
    (0..statement.len()).find_map(|from| {
        let to = from + subject.len();
        let owned = from
            .checked_sub(1)
            .and_then(|n| statement.get(n))
            .is_some_and(|t| matches!(t.text, "." | "?." | "->" | "::"));
        let goes_on = statement
            .get(to)
            .is_some_and(|t| matches!(t.text, "." | "?." | "->" | "["));
        let within = from
            .checked_sub(1)
            .and_then(|n| statement.get(n))
            .is_some_and(|t| t.is_word("in"));
        (same(from) && !owned && (goes_on || within)).then_some((from, to))
    })
}

/// JavaScript: an assertion that only says that there was an error, and by now the error itself is handed on:
/// `.catch(err => { assert.fail(err); done() })` and `.catch(done)`.
fn handed_on(lang: Lang, was: &[Token<'_>], is: &[Token<'_>]) -> usize {
    if lang != Lang::Script {
        return 0;
    }
    let handed = |body: &[Token<'_>]| {
        body.windows(5)
            .filter(|w| {
                matches!(w, [dot, catch, open, name, close] if dot.is_sign(".") && catch.is_word("catch")
                    && open.is_sign("(") && name.sort == Sort::Word && close.is_sign(")"))
            })
            .count()
    };
    let brackets = Brackets::of(was);
    let handlers = was
        .windows(2)
        .enumerate()
        .filter(|(_, w)| matches!(w, [catch, open] if catch.is_word("catch") && open.is_sign("(")));
    let only_told = handlers
        .filter(|(at, _)| {
            let inside = was.get(at + 2..brackets.close(at + 1)).unwrap_or_default();
            let name = inside.iter().find(|t| {
                t.sort == Sort::Word && !matches!(t.text, "function" | "async")
            });
            let asserted = statements(lang, inside);
            let told = |range: &Range<usize>| {
                let words = inside.get(range.clone()).unwrap_or_default();
                let words: Vec<&str> = words
                    .iter()
                    .filter(|t| t.sort == Sort::Word)
                    .map(|t| t.text)
                    .collect();
                matches!(words.as_slice(), ["fail", err] | [_, "fail" | "ifError", err] if name.is_some_and(|n| n.text == *err))
            };
            asserted.len() == 1 && asserted.iter().all(told)
        })
        .count();
    only_told.min(handed(is).saturating_sub(handed(was)))
}

/// How many assertions are reached at least and at most, ways that exclude each other counted as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ways {
    least: usize,
    most: usize,
    all: usize,
}

/// Whether a test has fewer assertions only because it has fewer ways: on each way as many are reached as before.
pub(super) fn fewer_ways(lang: Lang, was: &[Token<'_>], is: &[Token<'_>]) -> bool {
    // In Go every assertion is a way of its own.
    if lang == Lang::Go || lang == Lang::Ruby {
        return false;
    }
    let (was, is) = (ways(lang, was), ways(lang, is));
    was.most < was.all && is.least >= was.least && is.most >= was.most
}

fn ways(lang: Lang, body: &[Token<'_>]) -> Ways {
    let starts: Vec<usize> = statements(lang, body).into_iter().map(|r| r.start).collect();
    let brackets = Brackets::of(body);
    Walk {
        lang,
        body,
        brackets,
        starts,
    }
    .through(0..body.len(), 0)
}

/// Deepest nesting of conditions that is followed.
const DEEP: usize = 32;

/// A condition with all its ways.
struct Choice {
    blocks: Vec<Range<usize>>,
    /// Whether one of them is always taken.
    always: bool,
    /// The place behind it.
    end: usize,
}

struct Walk<'b, 'a> {
    lang: Lang,
    body: &'b [Token<'a>],
    brackets: Brackets,
    starts: Vec<usize>,
}

impl Walk<'_, '_> {
    fn through(&self, range: Range<usize>, depth: usize) -> Ways {
        let mut out = Ways::default();
        let mut at = range.start;
        while at < range.end {
            let asks = self.body.get(at).is_some_and(|t| t.is_word("if"));
            if let Some(found) = self.choice(at).filter(|_| asks && depth < DEEP) {
                let each: Vec<Ways> = found
                    .blocks
                    .iter()
                    .map(|r| self.through(r.clone(), depth + 1))
                    .collect();
                if found.always {
                    out.least += each.iter().map(|w| w.least).min().unwrap_or(0);
                }
                out.most += each.iter().map(|w| w.most).max().unwrap_or(0);
                out.all += each.iter().map(|w| w.all).sum::<usize>();
                at = found.end.max(at + 1);
                continue;
            }
            if self.starts.binary_search(&at).is_ok() {
                out.least += 1;
                out.most += 1;
                out.all += 1;
            }
            at += 1;
        }
        out
    }

    /// The condition that begins at a place.
    fn choice(&self, at: usize) -> Option<Choice> {
        let column = self.body.get(at)?.column;
        if self.lang == Lang::Python && !self.body.get(at)?.first {
            return None;
        }
        let mut blocks = Vec::new();
        let mut head = at;
        loop {
            let block = self.block(head, column)?;
            let end = block.end;
            blocks.push(block);
            let next = self.body.get(end);
            let same = self.lang != Lang::Python || next.is_some_and(|t| t.first && t.column == column);
            match next.map(|t| t.text) {
                Some("elif") if same => head = end,
                Some("else") if same => {
                    let chained =
                        self.lang != Lang::Python && self.body.get(end + 1).is_some_and(|t| t.is_word("if"));
                    if chained {
                        head = end + 1;
                        continue;
                    }
                    let last = self.block(end, column)?;
                    let end = last.end;
                    blocks.push(last);
                    return Some(Choice {
                        blocks,
                        always: true,
                        end,
                    });
                }
                _ => {
                    return Some(Choice {
                        blocks,
                        always: false,
                        end,
                    });
                }
            }
        }
    }

    /// The block behind a condition's word.
    fn block(&self, head: usize, column: u32) -> Option<Range<usize>> {
        if self.lang == Lang::Python {
            let end = indented(self.body, head + 1, column, self.lang);
            return Some(head + 1..end);
        }
        let mut at = head + 1;
        // Its condition, in brackets or without.
        for _ in 0..64 {
            let token = self.body.get(at)?;
            match token.text {
                "{" if token.sort == Sort::Sign => return Some(at + 1..self.brackets.close(at)),
                "(" | "[" if token.sort == Sort::Sign => {
                    at = self.brackets.close(at);
                    let braced = self.body.get(at).is_some_and(|t| t.is_sign("{"));
                    // `if (x) assert…;`
                    if !braced && self.lang != Lang::Rust && token.is_sign("(") && head + 1 < at {
                        let rest = self.body.get(at..)?;
                        let end = rest.iter().position(|t| t.is_sign(";"))?;
                        return Some(at..at + end + 1);
                    }
                }
                ";" => return None,
                _ => at += 1,
            }
        }
        None
    }
}
