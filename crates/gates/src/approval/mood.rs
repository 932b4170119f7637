//! Whether what a clause says is said here and now, by the writer, of his own work.

use super::request;
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
                out.except |= super::fault::excepts(word);
                // "what you asked for" was no report.
                let asked = word == "you" && next == "asked";
                let after = tokens.get(at + 1).filter(|t| t.kind == TokenKind::Code);
                out.told |= !asked
                    && (heard || word.starts_with("claim"))
                    && is_told(reading, token, word, before, after);
                out.elsewhere |= is_elsewhere(reading, token, word, before, next);
                // What is told next lies before the change as well, until "now" or "after".
                if is_before(reading, clause, tokens, at, word, next) {
                    before_change = true;
                } else if is_after(word) {
                    before_change = false;
                }
            }
            if before_change {
                out.before |= bit;
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
    let by_tool = before.is_some_and(of_tool) || after.is_some_and(of_tool);
    match token.kind {
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

/// Whether a word says that it is about another repository or machine.
fn is_elsewhere(reading: &Reading, token: &Token, word: &str, before: Option<&Token>, next: &str) -> bool {
    match token.kind {
        TokenKind::Word => {
            let own =
                before.is_some_and(|b| matches!(reading.word(b), "this" | "our" | "the" | "my" | "same"));
            match word {
                "repository" | "repo" | "fork" => !own || before.is_none(),
                "upstream" => true,
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
            "previously" | "formerly" | "originally" | "yesterday" => true,
            "used" => next == "to",
            // "in 2.3", "for years"
            "in" | "until" | "on" => {
                clause.features.has(Features::PAST)
                    && tokens.get(at + 1).is_some_and(|t| {
                        t.kind == TokenKind::Number && next.contains('.') && !next.ends_with(['s', 'm'])
                            || t.kind == TokenKind::Ident && next.starts_with('v')
                    })
            }
            "for" => matches!(next, "years" | "months" | "weeks" | "ages"),
            "last" => matches!(next, "week" | "month" | "year" | "release" | "night"),
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
                    "예전에는" | "원래는" | "원래" | "지난주" | "어제는" | "예전엔"
                )
                || word == "에서는"
                    && at.checked_sub(1).and_then(|i| tokens.get(i)).is_some_and(|t| {
                        matches!(t.kind, TokenKind::Number | TokenKind::Ident)
                            && reading
                                .word(t)
                                .starts_with(|c: char| c.is_ascii_digit() || c == 'v')
                    })
                || word == "동안"
        }
        _ => false,
    }
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
        "plan" | "next" | "todo" | "todos" | "steps" | "remaining" | "checklist" | "criteria" | "then"
    ) || [
        "계획",
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
        if matches!(block.kind, BlockKind::ListItem { .. }) {
            self.listed = true;
            self.block = index;
            return self.lead;
        }
        if self.listed || self.block != index {
            self.lead = false;
        }
        self.listed = false;
        self.block = index;
        // The last sentence in front of the list decides.
        self.lead = clauses.iter().any(|c| {
            reading.tokens_of(c).iter().any(|t| {
                let word = reading.word(t);
                is_plan(word)
            }) || c.features.any(Features::FUTURE.or(Features::QUESTION))
        });
        false
    }
}
