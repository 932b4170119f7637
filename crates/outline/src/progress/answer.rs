//! Items that ask for words: a number, a list, a place, a recommendation, an answer. The plain answer completes them.

use super::message::Turn;
use super::signs::Signs;
use super::status::{self, Status, View};
use crate::list::{has_any, listed};
use proctor_prose::{Act, BlockKind, Clause, Features, TokenKind};

/// The words that an item asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// How many: "number of open tickets", 열린 티켓 수.
    Number,
    /// Which ones: "a list of all callers", 부르는 곳 목록.
    List,
    /// Where: "the path of the config", 설정 파일 경로.
    Place,
    /// What to choose: "a recommendation: A or B", 추천.
    Choice,
    /// What there is to say of something: "a short report on the tests", 리뷰.
    Telling,
    /// What there is to say, whatever it is about: "an answer", 답변.
    Anything,
}

/// What an item that is nothing but a noun for words asks for. What names a file is to be written there.
pub(super) fn asked(item: &str, names_files: bool) -> Option<Asked> {
    if names_files {
        return None;
    }
    let lower = item.trim().to_lowercase();
    let mut words = lower.split_whitespace().map(bare);
    if lower.ends_with(|c: char| !c.is_ascii()) {
        let last = words.next_back()?;
        let others = words.next().is_some();
        return match last {
            "수" | "개수" | "건수" | "횟수" if others => Some(Asked::Number),
            "목록" | "리스트" if others => Some(Asked::List),
            "경로" | "위치" if others => Some(Asked::Place),
            "추천" | "권고" => Some(Asked::Choice),
            "답변" | "답" | "보고" | "요약" | "리뷰" | "평가" | "의견" | "설명" if others => {
                Some(Asked::Telling)
            }
            "답변" | "답" | "보고" | "설명" | "의견" => Some(Asked::Anything),
            _ => None,
        };
    }
    let head = words.find(|word| {
        !listed!(
            "a|an|the|your|one|short|brief|full|complete|clear|concise|written|final|plain|honest",
            word
        )
    })?;
    let next = words.next();
    let of = next.is_none_or(|word| {
        listed!(
            "of|on|about|for|to|which|whether|why|how|what|where|who|with",
            word
        )
    });
    let colon = lower.contains(&format!("{head}:"));
    if !of && !colon {
        return None;
    }
    match head {
        "number" | "count" => next.map(|_| Asked::Number),
        "list" => next.map(|_| Asked::List),
        "path" | "location" | "url" | "address" => next.map(|_| Asked::Place),
        "recommendation" | "suggestion" | "advice" => Some(Asked::Choice),
        "answer" | "report" | "summary" | "review" | "assessment" | "explanation" | "opinion"
        | "evaluation" => Some(if next.is_some() {
            Asked::Telling
        } else {
            Asked::Anything
        }),
        _ => None,
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

impl Turn<'_> {
    /// Completes the items that ask for words and that this answer gives them for, if it says nothing else of them.
    pub(super) fn answers(&mut self) {
        let open: Vec<(usize, Asked)> = self
            .list
            .asked()
            .filter(|(item, _)| {
                self.said.get(*item).is_some_and(Option::is_none)
                    && !self.before.get(*item).is_some_and(|done| *done)
            })
            .collect();
        if open.is_empty() {
            return;
        }
        self.read_all();
        let reading = self.reading;
        let mut given = vec![false; open.len()];
        for sentence in reading.clauses.chunk_by(|a, b| a.sentence == b.sentence) {
            let (Some(first), Some(last)) = (sentence.first(), sentence.last()) else {
                continue;
            };
            let own = reading.blocks.get(first.block).is_some_and(|block| {
                matches!(
                    block.kind,
                    BlockKind::Paragraph | BlockKind::ListItem { .. } | BlockKind::TableRow
                )
            });
            if !own {
                continue;
            }
            let view = self.view(first.tokens.start, last.tokens.end);
            for ((item, asked), given) in open.iter().zip(&mut given) {
                *given |= states(sentence, *asked) && self.gives(*asked, *item, view, sentence);
            }
        }
        for ((item, _), given) in open.iter().zip(given) {
            if given {
                self.set(*item, Status::Done(super::class::Class::GENERIC), true);
            }
        }
    }

    /// Whether a statement is what the item asks for.
    fn gives(&self, asked: Asked, item: usize, view: View<'_>, sentence: &[Clause]) -> bool {
        let about = || {
            (view.from..view.to)
                .flat_map(|at| self.senses.places(at))
                .any(|places| places.iter().any(|(_, of, _)| *of == item))
        };
        let kinds =
            |wanted: &dyn Fn(&TokenKind) -> bool| view.tokens().iter().filter(|t| wanted(&t.kind)).count();
        match asked {
            Asked::Number => {
                let figure = |word: &str| status::leading(word).is_some();
                kinds(&|kind| matches!(kind, TokenKind::Number)) > 0 && about()
                    || view.words().any(|word| word.is_ascii() && figure(word)) && about()
            }
            Asked::List => {
                let things = kinds(&|kind| {
                    matches!(
                        kind,
                        TokenKind::Path | TokenKind::Ident | TokenKind::Code | TokenKind::Url
                    )
                });
                let commas = kinds(&|kind| matches!(kind, TokenKind::Punct(',' | ':')));
                let names = view
                    .words()
                    .any(|word| matches!(word, "are" | "is") || word.ends_with("입니다"));
                (things > 1 || commas > 0 && names) && about()
            }
            Asked::Place => kinds(&|kind| matches!(kind, TokenKind::Path | TokenKind::Url)) > 0 && about(),
            Asked::Choice => {
                let says = |word: &str| {
                    matches!(word, "recommend" | "suggest" | "advise" | "prefer")
                        || has_any!(word, "추천합|추천해|추천드|권합|권해|권장합")
                };
                view.words().any(says) && !view.signs().any(Signs::NEG.with(Signs::NO))
            }
            Asked::Telling | Asked::Anything => {
                let judged = sentence
                    .iter()
                    .any(|c| matches!(c.act, Act::Verdict | Act::Refusal));
                let mut words = view.words();
                let own = words.next().is_none_or(|word| {
                    listed!(
                        "i|i'll|i'm|i've|we|we'll|let|let's|please|you|next|now|then|ok|okay|yes|no|sure",
                        word
                    )
                });
                let tells = !own
                    && words.count() >= 2
                    && !matches!(
                        status::read(view, Features::default()),
                        Some(Status::Open | Status::Undone)
                    );
                judged || tells && (asked == Asked::Anything || about())
            }
        }
    }
}

/// Whether a sentence says how things are: no question, plan, condition, or words of somebody else.
fn states(sentence: &[Clause], asked: Asked) -> bool {
    let open = Features::QUESTION
        .or(Features::QUOTED)
        .or(Features::FUTURE)
        .or(Features::CONDITIONAL)
        .or(Features::ONGOING);
    sentence.iter().all(|clause| {
        // "I recommend B" is what was asked for, whatever is then to be done.
        let advice = asked == Asked::Choice && clause.act == Act::Plan;
        let is_open = clause.features.any(open)
            || clause.features.has(Features::IMPERATIVE) && !clause.features.has(Features::FIRST_PERSON);
        !is_open
            && (advice
                || !matches!(
                    clause.act,
                    Act::Question | Act::Plan | Act::Condition | Act::Quotation | Act::Courtesy | Act::Filler
                ))
    })
}
