//! Where a text gives a positive verdict now, and where it refuses.
//!
//! A word of approval counts in verdict position only: as a clause of its own, behind a label, with the speaker
//! as its subject. In a condition, a question, a request, a report, a rule or another sense it does not.

use super::candidate::{backticks, candidate, code_approves, said};
use super::decide::{FAR, keep};
use super::heard::Heard;
use super::refusal::{Refusal, refuses};
use super::said::Shown;
use super::sentence::{Sentences, holds_placeholder, opens_placeholder, placeholder};
use super::tail::korean_tail;
use crate::relay;
use proctor_prose::{Block, BlockKind, Clause, Features, Kinds, Reading, Token, TokenKind, tag};

/// A verdict: the tokens that give it, as byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Index of its clause.
    pub(super) clause: usize,
    /// A word that is a verdict (APPROVED, LGTM, 승인), not a remark that amounts to one ("looks good").
    pub(super) formal: bool,
    /// Written as a verdict is: behind its label, in a field, in code, as `APPROVE` in capitals, as 승인.
    pub(super) stated: bool,
    /// The verdict of somebody else that is handed on.
    pub(super) relayed: bool,
}

impl Found {
    /// A clause that amounts to a verdict without a word of it.
    fn whole(clause: &Clause, index: usize) -> Self {
        Self {
            start: clause.start,
            end: clause.end,
            clause: index,
            formal: false,
            stated: false,
            relayed: false,
        }
    }
}

/// All verdicts of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdicts {
    pub(super) approvals: Vec<Found>,
    /// A word of refusal as a verdict: it wins over every approval.
    pub(super) refused: bool,
    /// A clause that the model takes for a refusal.
    pub(super) unwilling: bool,
    /// A verdict behind its label, in inline code or in a field: nothing else can be meant.
    pub(super) structured: bool,
    /// The two highest margins of approval, after what the grammar takes off.
    pub(super) best: [i32; 2],
    /// The clause of the highest.
    likeliest: Option<usize>,
    /// What the margins and the words of approval say before anything is taken off.
    pub(super) heard: Heard,
}

impl Verdicts {
    /// The clause that most likely gives the verdict, when no rule found one.
    pub(super) fn likeliest(&self, reading: &Reading) -> Option<Found> {
        let index = self.likeliest?;
        let clause = reading.clauses.get(index)?;
        Some(Found::whole(clause, index))
    }
}

/// The first clause that says something, as a verdict.
pub(super) fn first(reading: &Reading) -> Option<Found> {
    let index = reading.clauses.iter().position(|c| c.chars > 0)?;
    let clause = reading.clauses.get(index)?;
    Some(Found::whole(clause, index))
}

/// Most words of approval that are looked at in one clause.
const MOST: usize = 64;

/// Reads what a message says of a verdict.
pub(super) fn find(text: &str, reading: &Reading, sentences: &Sentences<'_>) -> Verdicts {
    let mut out = Verdicts {
        best: [-FAR; 2],
        ..Verdicts::default()
    };
    let mut shown = Shown::of(&reading.tokens, may_show, |token| shows(reading, token));
    for (index, clause) in reading.clauses.iter().enumerate() {
        let Some(block) = reading.blocks.get(clause.block) else {
            continue;
        };
        let tokens = reading.tokens_of(clause);
        let shows = shown.by(&clause.tokens);
        let holds_placeholder =
            || (shows & OPENS != 0 || clause.kinds.any(Kinds::ANGLE)) && holds_placeholder(reading, clause);
        match refuses(reading, clause, tokens, shows & JOINED != 0) {
            Refusal::Marker => out.refused = true,
            // A word of refusal may be about something else: "a declined card".
            Refusal::Word if clause.margins.refusal > ELSE => out.refused = true,
            Refusal::Word => out.unwilling = true,
            Refusal::None => {}
        }
        out.unwilling |= clause.margins.refusal > REFUSES && block.kind.is_prose();
        let mut heard = false;
        let (mut doubted, mut denied) = (false, false);
        let may = clause.tags.any(tag::APPROVE) || clause.kinds.any(Kinds::CAPS.or(Kinds::CODE));
        let candidates = if may && shows & CANDIDATE != 0 {
            tokens
        } else {
            &[]
        };
        let first = out.approvals.len();
        for (at, token) in candidates.iter().enumerate() {
            if token.quoted || token.struck || !candidate(reading, clause, token) {
                continue;
            }
            // A clause has one verdict; who writes the word a thousand times means it once.
            if out.approvals.len() - first == MOST {
                break;
            }
            let here = Here {
                reading,
                clause,
                tokens,
                at,
                token,
                sentences,
            };
            let given = if block.kind == BlockKind::Data {
                here.is_verdict_field(text, block)
            } else if token.kind == TokenKind::Code {
                here.is_code_verdict(index)
            } else {
                here.is_verdict()
            };
            denied |= !given && (!here.is_said() || here.by_somebody_else());
            doubted |= !given;
            let sure = token.kind == TokenKind::Code || here.labelled();
            let needed = if token.phrase > 1 { PHRASE } else { DOUBT };
            if given && (clause.margins.approval > needed || sure) {
                heard = true;
                let field = sure || block.kind == BlockKind::Data;
                let last = tokens.get(at + usize::from(token.phrase) - 1).unwrap_or(token);
                // The backticks of a verdict in inline code stay where they are.
                let marks = if token.kind == TokenKind::Code {
                    backticks(reading.word(token))
                } else {
                    0
                };
                let written = here.formal() && field && !here.of_state() || here.spelled_out();
                let relayed = written && relay::verdict(reading, index, clause.tokens.start + at);
                out.approvals.push(Found {
                    start: token.start + marks,
                    end: last.end - marks,
                    clause: index,
                    formal: here.formal(),
                    stated: written && !relayed,
                    relayed,
                });
                out.structured |= here.formal() && field;
            }
        }
        let off = match (heard, denied, doubted) {
            (true, ..) | (_, false, false) => 0,
            (_, true, _) => DENIED,
            _ => i32::from(GUARDED),
        };
        let may = may_amount(clause, block) && !holds_placeholder();
        out.heard.add(index, clause, may, heard, denied, doubted);
        if may {
            let margin = i32::from(clause.margins.approval).clamp(-FAR, FAR) - off;
            if out.likeliest.is_none() || margin > out.best[0] {
                out.likeliest = Some(index);
            }
            keep(&mut out.best, margin.max(-FAR));
        }
        if !heard && !denied && amounts(clause, block, doubted) && !holds_placeholder() {
            out.approvals.push(Found::whole(clause, index));
        }
    }
    out
}

/// What a token shows: that it may be a verdict, a marker of refusal, or a placeholder.
const CANDIDATE: u8 = 1;
const JOINED: u8 = 1 << 1;
const OPENS: u8 = 1 << 2;

/// Whether a token may show any of that.
fn may_show(token: &Token) -> bool {
    let named = (token.kind == TokenKind::Code) | (token.kind == TokenKind::Ident);
    token.tags.any(tag::APPROVE) | token.caps | named
}

fn shows(reading: &Reading, token: &Token) -> u8 {
    let word = u8::from(token.tags.any(tag::APPROVE) | token.caps);
    let code = token.kind == TokenKind::Code;
    if !(code | (token.kind == TokenKind::Ident)) {
        return word;
    }
    let bytes = reading.bytes(token);
    // Looked through to its end, so that nothing is decided by where it stands.
    let joined = bytes.iter().fold(false, |any, b| any | (*b == b'_'));
    let word = word | u8::from(code && code_approves(reading.word(token)));
    word | u8::from(joined) << 1 | u8::from(code & opens_placeholder(bytes)) << 2
}

/// Margin of the model below which a word of approval in verdict position is none all the same.
const DOUBT: i16 = -64;
/// The same for a listed phrase: many have other uses.
const PHRASE: i16 = -24;
/// Margin above which a clause without a listed word of approval approves.
const CERTAIN: i16 = 6;
/// The same where there is such a word and the grammar says that it gives no verdict.
const GUARDED: i16 = 64;
/// Margin of refusal below which a word of refusal is about something else.
const ELSE: i16 = -24;
/// Margin above which a clause without a listed word of refusal refuses.
const REFUSES: i16 = 40;

/// What is taken off the margin of a clause where a word of approval is denied, asked for or somebody else's.
const DENIED: i32 = 128;

/// Whether a clause without a listed word of approval could amount to a verdict at all.
fn may_amount(clause: &Clause, block: &Block) -> bool {
    let open = Features::QUESTION.or(Features::QUOTED).or(Features::STRUCK);
    let unticked = matches!(
        block.kind,
        BlockKind::ListItem {
            checked: Some(false),
            ..
        }
    );
    clause.chars > 0 && block.kind.is_prose() && !unticked && !clause.features.any(open)
}

/// Whether a clause without a listed word of approval amounts to a verdict: "straight into main with it".
fn amounts(clause: &Clause, block: &Block, doubted: bool) -> bool {
    let needed = if doubted { GUARDED } else { CERTAIN };
    clause.margins.approval > needed && may_amount(clause, block)
}

/// Korean words that are verdicts by themselves.
const VERDICTS: [&str; 6] = ["승인", "통과", "합격", "찬성", "수락", "오케이"];

/// How far around a word of approval is looked, in tokens: further words do not belong to it, and the time
/// stays linear.
const NEAR: usize = 48;

/// A word of approval in its clause.
struct Here<'r> {
    reading: &'r Reading,
    clause: &'r Clause,
    tokens: &'r [Token],
    at: usize,
    token: &'r Token,
    sentences: &'r Sentences<'r>,
}

impl<'r> Here<'r> {
    fn words(&self, tokens: &'r [Token]) -> impl DoubleEndedIterator<Item = &'r Token> {
        tokens.iter().filter(|t| {
            !matches!(
                t.kind,
                TokenKind::Punct(_) | TokenKind::Emoji | TokenKind::Mention
            )
        })
    }

    fn before(&self) -> impl DoubleEndedIterator<Item = &'r Token> {
        self.words(
            self.tokens
                .get(self.at.saturating_sub(NEAR)..self.at)
                .unwrap_or_default(),
        )
    }

    fn after(&self) -> impl DoubleEndedIterator<Item = &'r Token> {
        let from = (self.at + usize::from(self.token.phrase)).min(self.tokens.len());
        self.words(
            self.tokens
                .get(from..(from + NEAR).min(self.tokens.len()))
                .unwrap_or_default(),
        )
    }

    /// Directly behind a label: `Verdict: …`, `판정: …`, `최종 결정 - …`.
    fn labelled(&self) -> bool {
        let mut marks = self
            .tokens
            .get(self.at.saturating_sub(NEAR)..self.at)
            .unwrap_or_default()
            .iter()
            .rev();
        let mark = marks.find(|t| !matches!(t.kind, TokenKind::Emoji));
        let colon = mark.is_some_and(|t| matches!(t.kind, TokenKind::Punct(':' | '-' | '=' | '→' | '>')));
        let label = self
            .before()
            .any(|t| t.tags.any(tag::VERDICT) || matches!(self.reading.word(t), "review" | "code" | "pr"));
        label
            && (colon
                || self
                    .before()
                    .next_back()
                    .is_some_and(|t| matches!(self.reading.word(t), "is" | "remains" | "은" | "는")))
    }

    /// Whether the word is a verdict by itself, where others are remarks that amount to one.
    fn formal(&self) -> bool {
        let word = self.reading.word(self.token);
        match self.token.kind {
            TokenKind::Hangul => VERDICTS.iter().any(|v| word.starts_with(v)),
            _ => self.token.phrase == 1 || self.labelled(),
        }
    }

    /// A word of a single check behind the label of a state, not of a verdict: "Status: OK", "결과: 통과".
    fn of_state(&self) -> bool {
        const STATES: [&str; 8] = [
            "status",
            "state",
            "result",
            "results",
            "outcome",
            "상태",
            "결과",
            "결과는",
        ];
        let word = self.reading.word(self.token);
        let check = matches!(word, "ok" | "okay" | "pass" | "passed" | "passing")
            || ["통과", "합격", "오케이"].iter().any(|w| word.starts_with(w));
        let label = |t: &Token| {
            t.tags.any(tag::VERDICT | tag::CHECK | tag::APPROVE)
                || matches!(self.reading.word(t), "review" | "code" | "pr")
        };
        check
            && self
                .before()
                .filter(|t| label(t))
                .all(|t| STATES.contains(&self.reading.word(t)))
    }

    /// The word of a verdict that nobody says in passing: `APPROVE` in capitals, 승인.
    fn spelled_out(&self) -> bool {
        let to = (self.at + usize::from(self.token.phrase)).min(self.tokens.len());
        self.tokens.get(self.at..to).unwrap_or_default().iter().any(|t| {
            let word = self.reading.word(t);
            t.caps && word.starts_with("approv") || word.starts_with("승인")
        })
    }

    /// `APPROVE` in inline code is mentioned, unless it stands behind a label of a verdict or alone.
    fn is_code_verdict(&self, index: usize) -> bool {
        let clause = |i: Option<usize>| {
            i.and_then(|i| self.reading.clauses.get(i))
                .filter(|c| c.sentence == self.clause.sentence)
        };
        let label =
            |c: &Clause| said(c, self.reading).all(|t| t.tags.any(tag::VERDICT | tag::INTENS | tag::STOP));
        let alone = self.before().next().is_none()
            && self.after().next().is_none()
            && clause(index.checked_sub(1)).is_none_or(label)
            && clause(Some(index + 1)).is_none();
        let closed = self
            .tokens
            .get(self.at + 1)
            .is_none_or(|t| matches!(t.kind, TokenKind::Punct(c) if !matches!(c, '|' | '/' | '`')));
        let single = !self.after().any(|t| t.kind == TokenKind::Code);
        (alone || self.labelled() && self.starts() && closed && single) && self.is_said()
    }

    fn is_verdict(&self) -> bool {
        if !self.is_said() || placeholder(self.tokens, self.at) {
            return false;
        }
        if self.token.kind == TokenKind::Hangul {
            self.korean()
        } else {
            self.english()
        }
    }

    /// Neither asked, quoted, denied nor wanted, and not bound to something that has yet to happen.
    fn is_said(&self) -> bool {
        let features = self.clause.features;
        if features.any(Features::QUESTION.or(Features::QUOTED).or(Features::STRUCK)) || self.negated() {
            return false;
        }
        // An unticked box asks for an approval.
        if self.block().is_some_and(|b| {
            matches!(
                b.kind,
                BlockKind::ListItem {
                    checked: Some(false),
                    ..
                }
            )
        }) {
            return false;
        }
        if self.before().any(|t| {
            t.tags.any(tag::COND | tag::REQUEST | tag::POLICY | tag::QWORD) && t.kind == TokenKind::Word
        }) {
            return false;
        }
        !self.conditioned()
    }

    fn block(&self) -> Option<&'r Block> {
        self.reading.blocks.get(self.clause.block)
    }

    /// Right behind its subject, which is somebody else: "Alice approved", "the author approves".
    fn by_somebody_else(&self) -> bool {
        self.before().next_back().is_some_and(|t| {
            t.tags.any(tag::OTHER)
                || t.kind == TokenKind::Word && t.capital && !t.caps && t.tags.is_empty() && t.chars > 1
        }) && self.after().next().is_some()
    }

    /// Denied: before the word in English, behind it in Korean.
    fn negated(&self) -> bool {
        let before = self.before().rev().take(7).any(|t| {
            t.kind == TokenKind::Word && t.tags.any(tag::NEG) && self.reading.word(t) != "without"
                || t.tags.any(tag::REFUSE)
        });
        let after = self
            .after()
            .take(3)
            .any(|t| t.kind == TokenKind::Hangul && (t.tags.any(tag::NEG | tag::REFUSE) || t.denies()));
        let korean = self.token.kind == TokenKind::Hangul && self.token.denies()
            || self.before().next_back().is_some_and(|t| {
                t.kind == TokenKind::Hangul
                    && t.tags.any(tag::NEG)
                    && self.reading.word(t).chars().count() <= 1
            });
        before || after || korean || self.token.tags.any(tag::REFUSE)
    }

    /// An approval that is promised for the time when something has happened: 되면 승인하겠습니다.
    fn conditioned(&self) -> bool {
        let future = |t: &Token| {
            let word = self.reading.word(t);
            !t.is_plain()
                && !word.is_ascii()
                && (word.chars().any(|c| c == '겠')
                    || word.ends_with("게요")
                    || word.ends_with("예정")
                    || word.ends_with("예정입니다"))
        };
        (future(self.token) || self.after().take(2).any(future)) && self.sentences.is_conditional(self.clause)
    }

    fn english(&self) -> bool {
        let word = self.reading.word(self.token);
        let features = self.clause.features;
        let previous = self.before().next_back().map_or("", |t| self.reading.word(t));
        let next = self.after().next();
        // A noun: an approve, the LGTM, your sign-off.
        if matches!(
            previous,
            "a" | "an"
                | "the"
                | "your"
                | "my"
                | "their"
                | "his"
                | "her"
                | "no"
                | "each"
                | "every"
                | "to"
                | "for"
                | "of"
                | "who"
                | "and"
                | "or"
                | "an earlier"
        ) && !self.labelled()
            && !(matches!(previous, "and") && self.before().any(|t| t.tags.any(tag::FIRST)))
        {
            return false;
        }
        if let Some(next) = next {
            if next.kind == TokenKind::Hangul && self.adjacent(next) {
                let tail = self.reading.word(next);
                let given = korean_tail(tail, true) || word != "approve" && self.token.phrase > 1;
                return given && !self.after().any(|t| self.reading.word(t).contains('까'));
            }
            // The word is what is spoken of: "LGTM is no approval".
            if self.before().next().is_none() && matches!(self.reading.word(next), "is" | "was" | "means") {
                return false;
            }
            // "APPROVE downgraded", "LGTM received": told, not given.
            if next.kind == TokenKind::Word && self.adjacent(next) && self.reading.word(next).ends_with("ed")
            {
                return false;
            }
            // An attribute: approve button, approved changes, LGTM comments.
            let adjective = !self.token.caps
                && next.kind == TokenKind::Word
                && self.adjacent(next)
                && (next.tags.any(tag::TECH | tag::WORK | tag::OTHER) && !next.tags.any(tag::STOP)
                    || next.tags.is_empty() && word != "lgtm" && self.after().count() >= 2)
                && word != "approving"
                && !next.tags.any(tag::COND | tag::CAUSE | tag::BASE);
            if adjective && self.token.phrase == 1 {
                return false;
            }
        }
        // "looks good in theory" is a doubt.
        if word.starts_with("look") && features.has(Features::BELIEF) {
            return false;
        }
        let verb = word.starts_with("approv")
            || word.starts_with("accept")
            || word.starts_with("ack")
            || word.starts_with("sign");
        if features.has(Features::HEARSAY) && !self.starts() && !self.before().any(|t| t.tags.any(tag::FIRST))
        {
            return false;
        }
        if verb && self.before().any(|t| t.tags.any(tag::FUT | tag::MODAL)) {
            return false;
        }
        // Approved by somebody: a report.
        if word.starts_with("approved") && next.is_some_and(|t| self.reading.word(t) == "by") {
            return false;
        }
        if self.starts() || self.labelled() {
            return true;
        }
        let first_person = self.before().any(|t| t.tags.any(tag::FIRST));
        let other = self
            .before()
            .any(|t| t.tags.any(tag::OTHER) || t.kind == TokenKind::Ident);
        if verb {
            let been = self.before().any(|t| {
                matches!(
                    self.reading.word(t),
                    "was" | "were" | "been" | "had" | "get" | "got" | "being"
                )
            });
            let subject = self.before().any(|t| {
                t.tags.any(tag::WORK)
                    || matches!(
                        self.reading.word(t),
                        "this" | "it" | "it's" | "all" | "everything"
                    )
            });
            let last = next.is_none();
            return first_person && !been && !other
                || subject && !been && !other && last
                || self.token.caps && !been && !other;
        }
        // LGTM, ship it, good to merge: verdicts wherever they are said.
        !other
    }

    /// Whether no white space-separated mark stands between the word and the next one.
    fn adjacent(&self, next: &Token) -> bool {
        let from = self.at + usize::from(self.token.phrase);
        self.tokens.get(from).is_some_and(|t| t.start == next.start)
    }

    /// Whether nothing but labels, conjunctions and interjections stands before the word.
    fn starts(&self) -> bool {
        self.before().all(|t| {
            t.tags.any(
                tag::CLAUSE
                    | tag::CAUSE
                    | tag::INTENS
                    | tag::CHEER
                    | tag::ACK
                    | tag::VERDICT
                    | tag::APPROVE
                    | tag::CONTRAST
                    | tag::PRAISE
                    | tag::GOOD,
            ) || matches!(
                self.reading.word(t),
                "final"
                    | "overall"
                    | "still"
                    | "also"
                    | "now"
                    | "so"
                    | "a"
                    | "big"
                    | "이상"
                    | "일단"
                    | "우선"
                    | "먼저"
            )
        })
    }

    fn korean(&self) -> bool {
        let word = self.reading.word(self.token);
        let stem = VERDICTS.into_iter().find(|s| word.starts_with(s));
        let Some(stem) = stem else {
            // 머지하시죠, 반영하셔도 됩니다, 이의 없습니다.
            return !self.after().any(|t| self.reading.word(t).contains('까'));
        };
        let tail = word.strip_prefix(stem).unwrap_or_default();
        let evidence = tag::TESTS | tag::BUILD | tag::LINT | tag::TYPES | tag::TOOL;
        if stem == "통과" || stem == "합격" {
            let object = self.before().any(|t| {
                t.tags.any(evidence)
                    || t.kind == TokenKind::Number
                    || t.kind == TokenKind::Hangul
                        && !t
                            .tags
                            .any(tag::VERDICT | tag::INTENS | tag::GENERIC | tag::CAUSE | tag::WORK)
            });
            if object && !self.labelled() || self.after().any(|t| t.kind == TokenKind::Number) {
                return false;
            }
        }
        let next = self.after().next();
        let alone = tail.is_empty() || tail == "임" || tail == "요";
        if alone {
            // 승인 합니다, 승인 드립니다, 승인 완료.
            if let Some(next) = next {
                let next = self.reading.word(next);
                return korean_tail(next, false)
                    || next == "완료" && self.after().count() == 1
                    || self.separated();
            }
            // The word ends the clause: a verdict, unless it ends a noun phrase.
            return self.labelled()
                || self.before().all(|t| {
                    t.tags.any(
                        tag::VERDICT
                            | tag::INTENS
                            | tag::CONTRAST
                            | tag::COND
                            | tag::CHEER
                            | tag::ACK
                            | tag::CAUSE
                            | tag::STOP,
                    )
                })
                || self.before().next_back().is_some_and(|t| self.adverbial(t));
        }
        korean_tail(tail, false) && !self.requested()
    }

    /// A mark stands right behind the word: 승인 - …, 승인! …, 승인, ….
    fn separated(&self) -> bool {
        self.tokens
            .get(self.at + 1)
            .is_some_and(|t| matches!(t.kind, TokenKind::Punct(_)))
    }

    /// A word that says why or how, in front of a bare 승인: 좋아서 승인, 그대로 승인.
    fn adverbial(&self, token: &Token) -> bool {
        let word = self.reading.word(token);
        ["서", "로", "고", "니", "게", "도", "는", "은", "대로"]
            .iter()
            .any(|e| word.ends_with(e))
    }

    /// Asked of somebody else: 승인해 주세요, 승인해야 합니다.
    fn requested(&self) -> bool {
        self.after().take(2).any(|t| {
            let word = self.reading.word(t);
            word.starts_with("주")
                || word.starts_with("달")
                || word.starts_with("바랍")
                || word.starts_with("부탁")
        })
    }

    /// In JSON: the value of a field that is called verdict, decision, status …
    fn is_verdict_field(&self, text: &str, block: &Block) -> bool {
        let mut from = self.token.start.saturating_sub(120).max(block.start);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let before = text.get(from..self.token.start).unwrap_or_default();
        let key = before.trim_end_matches(['"', ' ', ':', '\t', '\n']);
        let key = key.rsplit('"').next().unwrap_or_default().to_lowercase();
        let alone = said(self.clause, self.reading).take(2).count() == 1;
        alone
            && [
                "verdict", "decision", "result", "status", "review", "판정", "결정", "결론",
            ]
            .iter()
            .any(|k| key.contains(k))
    }
}
