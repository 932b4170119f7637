//! Whether what a clause says is said here and now, by the writer, of his own work.

use super::{fault, request};
use proctor_prose::{Block, BlockKind, Clause, Features, Reading, Token, TokenKind, tag};

/// What leaves no statement, whatever else is there.
const NOT_SAID: Features = Features::QUESTION
    .or(Features::QUOTED)
    .or(Features::STRUCK)
    .or(Features::CONDITIONAL)
    .or(Features::BELIEF)
    .or(Features::PENDING);

/// What holds for a whole sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    /// Somebody else's words.
    told: bool,
    /// Of another repository or somebody else's machine.
    elsewhere: bool,
    /// Clauses of the time before the change, or of an older version: one bit each.
    before: u64,
    /// Clauses that name a rule or a need.
    rule: u64,
    /// A condition stands somewhere in the sentence and nothing has been done.
    conditional: bool,
    question: bool,
    /// Something is left out.
    except: bool,
}

impl Around {
    pub(super) fn of(reading: &Reading, clauses: &[Clause]) -> Self {
        let mut out = Self {
            told: crate::relay::labelled(reading, clauses),
            ..Self::default()
        };
        let mut before_change = false;
        let mut aims = false;
        // "Acceptance criteria are met: …", 목표 달성: …
        let met = clauses
            .iter()
            .flat_map(|c| reading.tokens_of(c))
            .any(|t| is_met(reading.word(t)));
        // "The suite passes in CI and locally."
        let here = clauses.iter().flat_map(|c| reading.tokens_of(c)).any(|t| {
            t.tags.any(tag::FIRST)
                || matches!(
                    reading.word(t),
                    "locally" | "machine" | "mode" | "로컬" | "로컬에서도" | "로컬에서"
                )
        });
        for (index, clause) in clauses.iter().enumerate() {
            let bit = 1 << index.min(63);
            out.question |= clause.features.has(Features::QUESTION);
            out.conditional |= clause.features.has(Features::CONDITIONAL);
            let heard = clause.features.has(Features::HEARSAY);
            let tokens = reading.tokens_of(clause);
            for (at, token) in tokens.iter().enumerate() {
                if token.quoted || matches!(token.kind, TokenKind::Punct(_)) {
                    continue;
                }
                let word = reading.word(token);
                let before = at.checked_sub(1).and_then(|i| tokens.get(i));
                let next = tokens.get(at + 1).map_or("", |t| reading.word(t));
                if token.tags.any(tag::POLICY) && is_rule(reading, word, before) {
                    out.rule |= bit;
                }
                aims |= is_aim(word, next, tokens.get(at + 1));
                out.except |= fault::excepts(word);
                // "what you asked for" was no report.
                let asked = word == "you" && next == "asked";
                let after = tokens.get(at + 1).filter(|t| t.kind == TokenKind::Code);
                out.told |= !asked
                    && (heard || word.starts_with("claim"))
                    && !is_noun(word, next)
                    && is_told(reading, token, word, before, after);
                out.elsewhere |= is_elsewhere(reading, token, word, before, next) && !(word == "ci" && here);
                // What is told next lies before the change as well, until "now" or "after".
                if word == "at" && next == "first" || matches!(word, "처음에는" | "처음엔") {
                    out.before |= bit;
                } else if is_before(reading, clause, tokens, at, word, next) {
                    before_change = true;
                } else if is_after(word) {
                    before_change = false;
                }
            }
            if before_change {
                out.before |= bit;
            }
            // "I'll go on as follows: …"
            aims |= clause.features.has(Features::FUTURE) && tokens.last().is_some_and(|t| t.is_punct(':'));
            // What is wanted is not said to be.
            if aims && !met {
                out.rule |= bit;
            }
        }
        out
    }

    /// Whether the sentence speaks of the present state.
    pub(super) fn is_now(self) -> bool {
        !(self.told || self.elsewhere || self.before != 0 || self.question)
    }

    /// Whether a clause of the sentence is a statement of the writer on his work as it is now.
    pub(super) fn says(self, reading: &Reading, index: usize, clause: &Clause, tokens: &[&Token]) -> bool {
        let apart = (self.before | self.rule) & (1 << index.min(63)) != 0;
        if apart
            || self.told
            || self.elsewhere
            || self.question
            || self.except
            || clause.features.any(NOT_SAID)
                && !(clause.features.has(Features::PENDING) && none_left(reading, tokens, clause)
                    || clause.features.has(Features::CONDITIONAL) && when_run(reading, tokens, clause))
        {
            return false;
        }
        if clause.features.has(Features::ONGOING) && !out_of(reading, tokens) {
            return false;
        }
        if self.conditional && clause.features.has(Features::MODAL) {
            return false;
        }
        if clause.features.has(Features::MODAL) && !declares(reading, tokens) {
            return false;
        }
        if clause.features.has(Features::FUTURE) && planned(reading, tokens) {
            return false;
        }
        if clause.features.has(Features::IMPERATIVE) && !clause.features.has(Features::PAST) {
            return false;
        }
        !request::asks(reading, tokens)
    }
}

/// Whether a clause asks for something or sets a condition, which holds for what "and" adds, too.
pub(super) fn wants(reading: &Reading, clause: &Clause, tokens: &[&Token]) -> bool {
    clause.features.has(Features::CONDITIONAL) && !when_run(reading, tokens, clause)
        || request::asks(reading, tokens)
}

/// Whether a clause names what is still to be done.
pub(super) fn is_open(reading: &Reading, clause: &Clause) -> bool {
    if clause.features.any(Features::HEARSAY.or(Features::QUOTED)) {
        return false;
    }
    let tokens = reading.tokens_of(clause);
    let open = tokens.iter().enumerate().any(|(at, t)| {
        let word = reading.word(t);
        let next = || tokens.get(at + 1).map_or("", |n| reading.word(n));
        word.starts_with("remain") && !word.starts_with("remainder")
            || word == "still" && matches!(next(), "open" | "missing" | "to" | "needs" | "need" | "left")
            || word == "not" && matches!(next(), "implemented" | "done" | "finished" | "complete")
            || word.starts_with("남았")
            || word.starts_with("남아")
    });
    let none = |t: &Token| {
        !t.quoted && (t.tags.any(tag::ZERO) || matches!(reading.word(t), "nothing" | "none" | "no"))
    };
    open && !tokens.iter().any(none)
}

/// A goal that was reached is one no more.
fn is_met(word: &str) -> bool {
    matches!(word, "met" | "reached" | "fulfilled" | "achieved")
        || ["달성", "충족", "만족"].iter().any(|w| word.starts_with(w))
}

/// "The aim is …", "Goal: …", 목표는: what follows is wanted.
fn is_aim(word: &str, next: &str, after: Option<&Token>) -> bool {
    let label = after.is_some_and(|t| t.is_punct(':'));
    match word {
        "aim" | "aims" | "goal" | "goals" | "objective" | "target" => {
            label || matches!(next, "is" | "of" | "are")
        }
        "criteria" | "criterion" => label || matches!(next, "is" | "are"),
        "기준" | "조건" => label,
        "definition" => next == "of",
        "기준은" | "조건은" => true,
        "목표" => label || next.is_empty(),
        // 목표한 대로 is reached.
        _ => ["목표는", "목표로", "목표입", "목표가", "목표이", "목표인"]
            .iter()
            .any(|w| word.starts_with(w)),
    }
}

/// Whether a word speaks of a rule or a need, not of the rules of a tool.
fn is_rule(reading: &Reading, word: &str, before: Option<&Token>) -> bool {
    match word {
        "required" | "requires" | "require" | "mandatory" | "needed" | "need" | "needs" | "must" => true,
        "rule" | "rules" | "policy" => before.is_some_and(|b| {
            matches!(
                reading.word(b),
                "our" | "the" | "by" | "my" | "team" | "house" | "project"
            )
        }),
        _ => ["규칙상", "필요", "필수", "정책상", "원칙", "있어야"]
            .iter()
            .any(|w| word.starts_with(w)),
    }
}

/// "the refund states.", "the three reports": nobody is heard where nothing is told.
fn is_noun(word: &str, next: &str) -> bool {
    matches!(word, "states" | "reports" | "claims" | "notes" | "comments") && next.is_empty()
}

/// Whether a word reports what others said. What a tool says is seen, not heard.
fn is_told(
    reading: &Reading,
    token: &Token,
    word: &str,
    before: Option<&Token>,
    after: Option<&Token>,
) -> bool {
    let tool = tag::TOOL | tag::TESTS | tag::LINT | tag::TYPES | tag::BUILD | tag::LOGS;
    let of_tool = |b: &Token| {
        (b.tags.any(tool) || b.kind == TokenKind::Code) && !matches!(reading.word(b), "ci" | "pipeline")
    };
    // "tsc reports", "says `tsc`"
    let by_tool = of_phrase(reading, before) || before.is_some_and(of_tool) || after.is_some_and(of_tool);
    // "nothing reported"
    let none = before.is_some_and(|b| matches!(reading.word(b), "nothing" | "none"));
    match token.kind {
        TokenKind::Word if none => false,
        TokenKind::Word => {
            token.tags.any(tag::HEARSAY) && !by_tool || matches!(word, "claims" | "claimed" | "reportedly")
        }
        TokenKind::Hangul => {
            token.tags.any(tag::HEARSAY)
                || [
                    "다고",
                    "라고",
                    "답니다",
                    "랍니다",
                    "대요",
                    "래요",
                    "다네요",
                    "다던데",
                    "다더군요",
                    "다며",
                ]
                .iter()
                .any(|e| word.ends_with(e))
                || word.contains("다고하")
        }
        _ => false,
    }
}

/// "The test suite reports", "the linter run shows": the last words of a listed phrase have no tags of their own.
fn of_phrase(reading: &Reading, before: Option<&Token>) -> bool {
    before.is_some_and(|b| {
        matches!(
            reading.word(b),
            "suite" | "suites" | "tests" | "run" | "linter" | "compiler" | "checker"
        )
    })
}

/// Whether a word says that it is about another repository or machine.
fn is_elsewhere(reading: &Reading, token: &Token, word: &str, before: Option<&Token>, next: &str) -> bool {
    match token.kind {
        TokenKind::Word => {
            let own =
                before.is_some_and(|b| matches!(reading.word(b), "this" | "our" | "the" | "my" | "same"));
            match word {
                "repository" | "repo" | "fork" => !own || before.is_none(),
                "upstream" | "jenkins" | "circleci" | "buildkite" => next != "locally",
                // "in CI", "CI에서는", "CI 화면에는"
                "ci" => {
                    before.is_some_and(|b| matches!(reading.word(b), "in" | "on" | "by"))
                        || ["에서", "상", "화면", "기록", "대시보드"]
                            .iter()
                            .any(|w| next.starts_with(w))
                }
                // "pass for her"; "I ran them for you" is another thing.
                "for" => {
                    before.is_some_and(|b| b.tags.any(tag::OKRES) || reading.word(b).starts_with("pass"))
                        && matches!(next, "her" | "him")
                }
                "your" | "his" | "her" | "their" => matches!(
                    next,
                    "machine"
                        | "laptop"
                        | "side"
                        | "end"
                        | "cluster"
                        | "environment"
                        | "branch"
                        | "setup"
                        | "box"
                        | "server"
                        | "ci"
                ),
                _ => false,
            }
        }
        TokenKind::Hangul => {
            let own =
                before.is_some_and(|b| matches!(reading.word(b), "이" | "우리" | "본" | "현재" | "해당"));
            (word.starts_with("저장소")
                || word.starts_with("레포")
                || word.starts_with("리포지")
                || word.starts_with("업스트림"))
                && !own
                || word.starts_with("그쪽")
                || word == "본인"
        }
        _ => false,
    }
}

/// Whether a word sets the sentence into the time before the change, or into an older version.
fn is_before(
    reading: &Reading,
    clause: &Clause,
    tokens: &[Token],
    at: usize,
    word: &str,
    next: &str,
) -> bool {
    let word_at = |i: usize| tokens.get(i).map_or("", |t| reading.word(t));
    match tokens.get(at).map(|t| t.kind) {
        Some(TokenKind::Word) => match word {
            "before" => matches!(
                next,
                "my" | "i" | "we" | "the" | "this" | "that" | "touching" | "our"
            ),
            "previously" | "formerly" | "originally" | "initially" | "yesterday" => true,
            "used" => next == "to",
            // "in 2.3", "for years"
            "in" | "until" | "on" => {
                clause.features.has(Features::PAST)
                    && !is_unit(word_at(at + 2))
                    && tokens.get(at + 1).is_some_and(|t| {
                        t.kind == TokenKind::Number && next.contains('.') && !next.ends_with(['s', 'm'])
                            || t.kind == TokenKind::Ident && next.starts_with('v')
                    })
            }
            "for" => matches!(next, "years" | "months" | "weeks" | "ages"),
            "last" => matches!(next, "week" | "month" | "year" | "release" | "night"),
            "yesterday's" => true,
            // "when I began", "when I checked out the branch"
            "when" => {
                matches!(next, "i" | "we")
                    && matches!(
                        word_at(at + 2),
                        "began" | "started" | "cloned" | "pulled" | "arrived" | "left" | "took" | "branched"
                    )
                    || matches!(next, "i" | "we") && word_at(at + 2) == "checked" && word_at(at + 3) == "out"
            }
            _ => false,
        },
        Some(TokenKind::Hangul) => {
            let before = at.checked_sub(1).map_or("", word_at);
            // 수정 전에는, 고치기 전에는
            matches!(
                word,
                "전에는" | "전에" | "전까지는" | "전까지" | "전엔" | "이전에는"
            ) && (before.ends_with('기')
                || ["수정", "변경", "작업", "리팩터링", "적용", "이번"]
                    .iter()
                    .any(|w| before.starts_with(w)))
                || word == "때는"
                || matches!(
                    word,
                    "예전에는" | "원래는" | "원래" | "지난주" | "어제는" | "예전엔" | "이전에는" | "기존에는" | "종전에는" | "시점에는" | "시점엔"
                )
                || matches!(word, "전까지는" | "전까지만")
                || word == "까지는" && matches!(before, "어제" | "그제" | "지난주")
                || matches!(word, "어제까지는" | "지난주까지는" | "그제까지는")
                || word == "에서는"
                    && at.checked_sub(1).and_then(|i| tokens.get(i)).is_some_and(|t| {
                        matches!(t.kind, TokenKind::Number | TokenKind::Ident)
                            && reading
                                .word(t)
                                .starts_with(|c: char| c.is_ascii_digit() || c == 'v')
                    })
                // 지난 2년 동안
                || word == "동안"
                    && tokens.get(at.saturating_sub(3)..at).unwrap_or_default().iter().any(|t| {
                        let w = reading.word(t);
                        ["년", "개월", "지난", "오랫", "내내"].iter().any(|s| w.starts_with(s))
                    })
        }
        _ => false,
    }
}

/// "in 5.1 s"
fn is_unit(word: &str) -> bool {
    matches!(
        word,
        "s" | "ms"
            | "sec"
            | "secs"
            | "seconds"
            | "second"
            | "min"
            | "mins"
            | "minutes"
            | "m"
            | "h"
            | "초"
            | "분"
    )
}

/// Words that come back to the present state.
pub(super) fn is_after(word: &str) -> bool {
    matches!(
        word,
        "now"
            | "after"
            | "afterwards"
            | "이제"
            | "이제는"
            | "지금은"
            | "후에는"
            | "뒤에는"
            | "이후"
            | "후"
            | "후에"
    )
}

/// 실행 시 412개 통과: "when it is run" is no condition where a figure follows.
fn when_run(reading: &Reading, tokens: &[&Token], clause: &Clause) -> bool {
    let run = |at: usize| {
        at.checked_sub(1)
            .and_then(|at| tokens.get(at))
            .is_some_and(|t| t.kind == TokenKind::Hangul && t.tags.any(tag::RUN))
    };
    !clause
        .features
        .any(Features(NOT_SAID.0 & !Features::CONDITIONAL.0))
        && tokens.iter().any(|t| t.kind == TokenKind::Number)
        && tokens
            .iter()
            .enumerate()
            .filter(|(_, t)| t.tags.any(tag::COND))
            .all(|(at, t)| reading.word(t) == "시" && run(at))
}

/// "Zero type errors left": what is not there any more is not pending.
fn none_left(reading: &Reading, tokens: &[&Token], clause: &Clause) -> bool {
    let zero = tokens.iter().any(|t| t.tags.any(tag::ZERO));
    let none = |t: &&Token| {
        // 나오지 않았습니다 is listed with what is not there yet.
        fault::appears(reading.word(t))
            || zero
                && matches!(
                    reading.word(t),
                    "left" | "remaining" | "remain" | "outstanding" | "open"
                )
    };
    !clause.features.any(Features(NOT_SAID.0 & !Features::PENDING.0))
        && tokens.iter().filter(|t| t.tags.any(tag::PENDING)).all(none)
}

/// "I can confirm that …" states, other possibilities do not.
fn declares(reading: &Reading, tokens: &[&Token]) -> bool {
    tokens.windows(2).any(|pair| match pair {
        [a, b] => {
            let (a, b) = (reading.word(a), reading.word(b));
            matches!(a, "can" | "could") && matches!(b, "confirm" | "say" | "report" | "now")
                || matches!(a, "was" | "were") && b == "able"
        }
        _ => false,
    })
}

/// "42개 중 42개" counts; 실행 중 goes on.
fn out_of(reading: &Reading, tokens: &[&Token]) -> bool {
    tokens.windows(2).any(|pair| match pair {
        [a, b] => reading.word(a).starts_with('중') && b.kind == TokenKind::Number,
        _ => false,
    })
}

/// Whether something is announced. 이제 alone says "now".
fn planned(reading: &Reading, tokens: &[&Token]) -> bool {
    tokens.iter().any(|t| {
        let word = reading.word(t);
        if t.kind == TokenKind::Hangul {
            t.tags.any(tag::FUT) && !word.starts_with("이제")
                || word.contains('겠')
                || ["게요", "예정", "려고", "고자", "예정입니다", "려고요"]
                    .iter()
                    .any(|e| word.ends_with(e))
        } else {
            t.tags.any(tag::FUT) || word.ends_with("'ll")
        }
    })
}

/// Words that introduce what is to be done.
fn is_plan(word: &str) -> bool {
    matches!(
        word,
        "plan"
            | "next"
            | "todo"
            | "todos"
            | "steps"
            | "remaining"
            | "checklist"
            | "criteria"
            | "then"
            | "goal"
            | "goals"
            | "aim"
            | "aims"
            | "target"
            | "targets"
            | "objective"
            | "objectives"
            | "definition"
            | "proposed"
            | "proposal"
            | "wanted"
            | "planned"
            | "acceptance"
            | "requirement"
            | "requirements"
    ) || [
        "계획",
        "목표",
        "남은",
        "다음",
        "예정",
        "체크리스트",
        "순서",
        "조건",
        "기준",
        "요구",
    ]
    .iter()
    .any(|w| word.starts_with(w))
}

/// Words that introduce what is not seen by the writer: a plan, a form to fill in, a machine elsewhere.
pub(super) fn leads_away(word: &str) -> bool {
    is_plan(word)
        || matches!(
            word,
            "ci" | "pipeline"
                | "pipelines"
                | "workflow"
                | "workflows"
                | "actions"
                | "jenkins"
                | "badge"
                | "bot"
                | "expected"
                | "example"
                | "examples"
                | "template"
                | "templates"
                | "form"
                | "format"
                | "legend"
                | "key"
                | "sample"
        )
        || [
            "파이프라인",
            "워크플로",
            "예상",
            "예시",
            "예제",
            "양식",
            "서식",
            "형식",
            "템플릿",
            "범례",
        ]
        .iter()
        .any(|w| word.starts_with(w))
}

/// Lists that say what is to be done: their items claim nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    block: usize,
    lead: bool,
    listed: bool,
}

impl Plan {
    /// Takes in a sentence of the block at `index` and says whether it is an item of a plan.
    pub(super) fn enter(
        &mut self,
        reading: &Reading,
        index: usize,
        block: &Block,
        clauses: &[Clause],
    ) -> bool {
        // A ticked box says of a demand that it is met.
        if let BlockKind::ListItem { checked, .. } = block.kind {
            self.listed = true;
            self.block = index;
            let ticked = clauses
                .first()
                .and_then(|c| reading.tokens_of(c).first())
                .is_some_and(|t| {
                    t.kind == TokenKind::Emoji && matches!(reading.word(t), "✅" | "✔" | "✓" | "☑")
                });
            return self.lead && checked != Some(true) && !ticked;
        }
        if block.kind == BlockKind::TableRow {
            self.listed = true;
            self.block = index;
            return self.lead;
        }
        if self.listed || self.block != index {
            self.lead = false;
        }
        self.listed = false;
        self.block = index;
        let heading = matches!(block.kind, BlockKind::Heading { .. });
        let met = clauses
            .iter()
            .flat_map(|c| reading.tokens_of(c))
            .any(|t| is_met(reading.word(t)));
        // The last sentence in front of the list decides.
        let first = clauses.first().and_then(|c| reading.tokens_of(c).first());
        let before = heading && first.is_some_and(|t| reading.word(t) == "before");
        self.lead = !met
            && clauses.iter().any(|c| {
                reading.tokens_of(c).iter().any(|t| {
                    let word = reading.word(t);
                    // "Before merging", "What 'ready' means"
                    is_plan(word) || before || heading && matches!(word, "means" | "mean")
                }) || c.features.any(Features::FUTURE.or(Features::QUESTION))
            });
        false
    }
}
