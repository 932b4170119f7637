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
    /// How something is: "why the build is slow", "the cost of a cache", 빌드가 느린 이유, 가장 느린 단계.
    Fact,
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
            last if others && is_korean_fact(&lower, last) => Some(Asked::Fact),
            "답변" | "답" | "보고" | "요약" | "리뷰" | "평가" | "의견" | "설명" if others => {
                Some(Asked::Telling)
            }
            "답변" | "답" | "보고" | "설명" | "의견" => Some(Asked::Anything),
            _ => None,
        };
    }
    if lower
        .split_whitespace()
        .next()
        .is_some_and(|first| listed!("why|which|what|who|whose|how|whether|where", bare(first)))
    {
        let instructs = lower.starts_with("how to ") || lower.contains(',');
        return (!instructs).then_some(Asked::Fact);
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
        "reason" | "cause" | "cost" | "costs" | "size" | "duration" | "version" | "difference"
        | "differences" | "share" | "percentage" | "owner" | "name" => next.map(|_| Asked::Fact),
        "answer" | "report" | "summary" | "review" | "assessment" | "explanation" | "opinion"
        | "evaluation" => Some(if next.is_some() {
            Asked::Telling
        } else {
            Asked::Anything
        }),
        _ => None,
    }
}

/// Whether a Korean item (lower case) with this last word asks how something is: for a reason or a measure, for the one that
/// is most something, or by a question.
fn is_korean_fact(lower: &str, last: &str) -> bool {
    const NOUNS: &str = "\
        이유|까닭|원인|비용|가격|크기|용량|기간|시간|시점|날짜|버전|이름|비율|차이|차이점|여부|담당자|근거|결론";
    let most = lower
        .split_whitespace()
        .any(|word| matches!(word, "가장" | "제일"));
    let question = last.ends_with('지')
        && lower.split_whitespace().any(|word| {
            [
                "왜",
                "누가",
                "누구",
                "무엇",
                "뭐",
                "언제",
                "어디",
                "어느",
                "어떤",
                "어떻게",
                "얼마",
                "몇",
            ]
            .iter()
            .any(|asking| word.starts_with(asking))
        });
    listed!(NOUNS, last) || most || question
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
                // Words of an answer may sound like those for work that is not done: 지우지 않는 것을 추천합니다.
                matches!(
                    self.said.get(*item),
                    Some(None | Some(super::message::Said::Undone))
                ) && !self.before.get(*item).is_some_and(|done| *done)
            })
            .collect();
        if open.is_empty() {
            return;
        }
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
                let gives = |view: View<'_>, clauses: &[Clause]| {
                    states(clauses, *asked) && self.gives(*asked, *item, view, clauses)
                };
                *given = *given
                    || gives(view, sentence)
                    || sentence.len() > 1
                        && sentence.iter().any(|clause| {
                            let view = self.view(clause.tokens.start, clause.tokens.end);
                            gives(view, std::slice::from_ref(clause))
                        });
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
                if view
                    .said()
                    .any(|(at, _)| view.cues(at).any(super::cues::Cues::UNSURE))
                {
                    return false;
                }
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
            Asked::Place => {
                kinds(&|kind| matches!(kind, TokenKind::Path | TokenKind::Url | TokenKind::Code)) > 0
                    && about()
            }
            Asked::Choice => advises(view),
            Asked::Fact => {
                tells_something(view)
                    && self
                        .names(view)
                        .iter()
                        .any(|(named, score)| *named == item && *score >= 0.5)
                    && self.has_news(item, view)
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
                let advice = asked == Asked::Telling && about() && advises(view);
                judged || advice || tells && (asked == Asked::Anything || about())
            }
        }
    }
}

impl Turn<'_> {
    /// Whether a statement says more than the item itself: a figure, a file, a word that the item has not.
    fn has_news(&self, item: usize, view: View<'_>) -> bool {
        view.said().any(|(at, token)| {
            let own = || {
                let mut places = self.senses.places(at).iter();
                places.any(|places| places.iter().any(|(_, of, _)| *of == item))
            };
            match token.kind {
                TokenKind::Word | TokenKind::Hangul => {
                    view.senses.signs(at).any(Signs::CONTENT.with(Signs::GENERIC)) && !own()
                }
                TokenKind::Punct(_) | TokenKind::Emoji => false,
                _ => !own(),
            }
        }) || view.tokens().iter().any(|token| token.kind == TokenKind::Code)
    }
}

/// Whether a statement says how something is, and not that nobody knows: it has a figure or a verb that says what is so.
fn tells_something(view: View<'_>) -> bool {
    let unsure = |word: &str| {
        listed!(
            "unknown|unclear|unsure|undecided|guess|maybe|perhaps|know|tell|tbd|not|never|cannot|can't|couldn't|don't|didn't",
            word
        ) || has_any!(word, "모르|모릅|모르겠|불명|미정|미확인|않|못|확인하|알아보")
            || word.starts_with("없")
    };
    let last = view.words().next_back().unwrap_or_default();
    // What an item says of itself may be denied: "users who do not pay".
    let doubts = view.said().any(|(at, token)| {
        token.is_word()
            && view.senses.places(at).is_empty()
            && (view.cues(at).any(super::cues::Cues::UNSURE) || unsure(view.reading.word(token)))
    });
    let tells = if crate::text::has_hangul(last) {
        [
            "니다", "이다", "예요", "에요", "어요", "아요", "임", "함", "됨", "음", "명", "건", "개", "분",
            "초",
        ]
        .iter()
        .any(|end| last.ends_with(end))
            || last.ends_with("이고")
            || last.ends_with("이며")
    } else {
        view.words().any(|word| {
            listed!(
                "is|are|was|were|because|due|comes|costs|cost|takes|took|has|have|needs|stands|lies|lives|means|by",
                word
            ) || word.ends_with("'s")
        }) || view.tokens().iter().any(|token| token.kind == TokenKind::Number)
    };
    tells && !doubts
}

/// Whether a statement gives advice. Advice against something is advice; "I cannot recommend either" is none.
fn advises(view: View<'_>) -> bool {
    let says = |word: &str| {
        listed!(
            "recommend|suggest|advise|prefer|recommendation|advice|suggestion|i'd",
            word
        ) || has_any!(word, "추천합|추천해|추천드|추천은|권합|권해|권장합|권장드")
    };
    // -는 것이 좋습니다, -는 편이 낫습니다
    let better = |word: &str| has_any!(word, "좋습|좋겠|낫습|낫겠|나아|좋을");
    let than = |word: &str| matches!(word, "것이" | "게" | "편이" | "쪽이" | "것을" | "하는게");
    let mut before = "";
    let mut said = false;
    for word in view.words() {
        if matches!(
            word,
            "cannot" | "can't" | "no" | "unable" | "yet" | "neither" | "nothing"
        ) {
            return false;
        }
        // 추천하지 않습니다 says what not to do; 추천할 것이 없습니다 says nothing.
        if said && word.starts_with("없") {
            return false;
        }
        said |= says(word) || better(word) && than(before) || word.starts_with("추천할");
        before = word;
    }
    // "추천: 남겨 두기"
    let label = view.tokens().windows(2).any(|pair| match pair {
        [word, mark] => view.reading.word(word) == "추천" && mark.is_punct(':'),
        _ => false,
    });
    said || label
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
