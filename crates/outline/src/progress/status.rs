//! What a stretch of an answer says about the state of work: done, open, or nothing.

use super::class::Class;
use super::cues::Cues;
use super::senses::{Digest, STATES, Senses};
use super::signs::Signs;
use super::stem::word_hash;
use proctor_prose::{Features, Reading, Token, TokenKind};
use std::hint::select_unpredictable;

/// What a clause says about the state of whatever it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// Done, in the way that the class tells.
    Done(Class),
    /// Not done: planned, under way, waiting. Does not undo an earlier completion.
    Open,
    /// Not done after all: negated, failed, partial, taken back. Undoes an earlier completion.
    Undone,
}

/// A stretch of the tokens of a message.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) reading: &'a Reading,
    pub(super) senses: &'a Senses<'a>,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl<'a> View<'a> {
    /// Another stretch of the same message.
    pub(super) fn at(self, from: usize, to: usize) -> Self {
        Self { from, to, ..self }
    }

    pub(super) fn tokens(self) -> &'a [Token] {
        self.reading.tokens.get(self.from..self.to).unwrap_or_default()
    }

    /// The tokens that are said rather than quoted or code, with their places.
    pub(super) fn said(self) -> impl DoubleEndedIterator<Item = (usize, &'a Token)> {
        let from = self.from;
        self.tokens()
            .iter()
            .enumerate()
            .filter(|(_, t)| !t.quoted && !matches!(t.kind, TokenKind::Code))
            .map(move |(i, t)| (from + i, t))
    }

    /// The cues of a token of the message.
    pub(super) fn cues(self, at: usize) -> Cues {
        self.senses.cues(at)
    }

    /// What all tokens of the stretch say together.
    pub(super) fn digest(self) -> Digest {
        self.senses.digest(self.from, self.to)
    }

    /// Whether a token of the stretch has one of these cues.
    pub(super) fn any(self, cues: Cues) -> bool {
        self.senses.any(self.from, self.to, cues)
    }

    /// The place of the last word, said or quoted.
    pub(super) fn last_word(self) -> Option<usize> {
        self.tokens()
            .iter()
            .rposition(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
            .map(|i| self.from + i)
    }

    /// The signs of everything that is said.
    pub(super) fn signs(self) -> Signs {
        self.said()
            .fold(Signs::NONE, |all, (at, _)| all.with(self.senses.signs(at)))
    }

    /// The words (not marks) that are said or quoted, in lower case.
    pub(super) fn words(self) -> impl DoubleEndedIterator<Item = &'a str> {
        self.tokens()
            .iter()
            .filter(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
            .map(|t| self.reading.word(t))
    }

    /// What the first picture says.
    pub(super) fn picture(self) -> Option<Status> {
        (self.from..self.to).find_map(|at| {
            let signs = self.senses.signs(at);
            if signs.any(Signs::TICK) {
                Some(Status::Done(Class::GENERIC))
            } else if signs.any(Signs::CROSS) {
                Some(Status::Undone)
            } else {
                signs.any(Signs::CLOCK).then_some(Status::Open)
            }
        })
    }
}

/// The state that a stretch tells of.
pub(super) fn read(view: View<'_>, features: Features) -> Option<Status> {
    read_heard(view, features, &view.digest())
}

/// As [`read`], for a stretch whose tokens were heard.
pub(super) fn read_heard(view: View<'_>, features: Features, heard: &Digest) -> Option<Status> {
    if features.any(Features::QUESTION.or(Features::QUOTED)) || !may_tell(heard, features) {
        return None;
    }
    told(view, features, heard)
}

/// The state that a stretch with a word for one tells of.
#[inline(never)]
fn told(view: View<'_>, features: Features, heard: &Digest) -> Option<Status> {
    let said = Said::of(view);
    if said.numbers && heard.cues.any(Cues::FIGURE) && gives_share(view, heard, &said) {
        return Some(Status::Undone);
    }
    let all = said.english.with(said.korean);
    if all.any(Signs::UNDONE.with(Signs::BAD).with(Signs::NEG)) {
        return Some(Status::Undone);
    }
    if all.any(Signs::NO) {
        let nothing = said.nothing(view);
        if nothing.is_some() && is_idle(view) {
            return Some(Status::Undone);
        }
        // "Nothing is done", "no item was finished".
        if said.is_idle(view) || said.tells() && nothing.is_some_and(|nothing| nothing < said.told) {
            return Some(Status::Open);
        }
    }
    if said.finished && said.cues.any(Cues::ONLY) && ends_in_only(view) {
        return Some(Status::Undone);
    }
    if all.any(Signs::ASKED) {
        return Some(Status::Open);
    }
    let done = said.done(view);
    if said.hangul && done.is_some() && super::ready::is_ready_to_begin(view) {
        return Some(Status::Open);
    }
    // Beside a word of completion only clear signs count: "done, ready for the next step".
    let signs = if done.is_some() {
        Signs::FUTURE
    } else {
        Signs::FUTURE.with(Signs::OPEN).with(Signs::NO)
    };
    if said.english.any(signs) || (done.is_none() && said.progressive) {
        return Some(Status::Open);
    }
    let future = features.any(Features::ONGOING);
    if said.korean.any(Signs::OPEN) || (future && said.hangul) {
        // "진행 완료", "시작해서 끝냈습니다": the end of the sentence decides.
        let late = said.korean.any(Signs::LATE) && said.ends_finished;
        if said.cues.any(Cues::AGAIN) {
            // 다시 작업 중입니다.
            return Some(Status::Undone);
        }
        if said.korean.any(Signs::PLAN)
            || !(late || future && !said.korean.any(Signs::OPEN) && said.ends_finished)
        {
            return Some(Status::Open);
        }
    }
    if features.has(Features::CONDITIONAL) && said.depends(view) {
        // "취소하면 다음 사람에게 넘어갑니다" tells how it works, not that something is open.
        return done.map(|_| Status::Open);
    }
    let result = all
        .any(Signs::RESULT)
        .then_some(Class::OTHER.with(Class::VERIFY).with(Class::RESULT));
    done.or(result).map(Status::Done)
}

/// Whether a stretch has a word that a state may be told by: most have none.
fn may_tell(heard: &Digest, features: Features) -> bool {
    const TELLING: Signs = STATES.with(Signs::ASKED).with(Signs::TICK).with(Signs::RESULT);
    features.any(Features::ONGOING)
        || heard.finished
        || heard.progressive
        || heard.signs.any(TELLING)
        || heard.cues.any(Cues::NOW.with(Cues::FIGURE))
}

/// So many tokens are looked at together, one bit for each.
pub(super) const CHUNK: usize = u64::BITS as usize;

/// The places of those among so many that something is true of. All are looked at before the first of them is given.
#[inline]
pub(super) fn bits_of<T>(list: &[T], is: impl Fn(&T) -> bool) -> impl Iterator<Item = usize> {
    let found = list.iter().take(CHUNK).enumerate();
    set_bits(found.fold(0_u64, |bits, (bit, one)| bits | u64::from(is(one)) << bit))
}

/// The places of the bits that are set.
#[inline]
pub(super) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        bit
    })
}

/// What was heard in a stretch.
struct Said {
    english: Signs,
    korean: Signs,
    /// The cues of its words; of English ones not 다시, of Korean ones not "now".
    cues: Cues,
    class: Class,
    finished: bool,
    hangul: bool,
    /// It has a number, or a word that stands between two of them.
    numbers: bool,
    /// It has a number that is written in figures.
    number: bool,
    /// How many of its tokens begin with a figure.
    figures: u32,
    progressive: bool,
    /// Where it first tells of something done; behind everything when it does not.
    told: usize,
    /// The last Hangul word tells of something finished.
    ends_finished: bool,
    /// It has a sign or an English word for a percentage.
    percent: bool,
    /// It has tokens that are neither words, marks nor plain numbers: `40%`, `2/3`.
    odd: bool,
}

impl Said {
    /// Hears all tokens in one go, without a branch for what each of them is.
    #[inline]
    fn of(view: View<'_>) -> Self {
        const PERCENT: u32 = word_hash("percent");
        const DONE: Signs = Signs::DONE.with(Signs::VERIFIED);
        let mut out = Self {
            english: Signs::NONE,
            korean: Signs::NONE,
            cues: Cues::NONE,
            class: Class::NONE,
            finished: false,
            hangul: false,
            numbers: false,
            number: false,
            figures: 0,
            progressive: false,
            told: usize::MAX,
            ends_finished: false,
            percent: false,
            odd: false,
        };
        let senses = view.senses.list.get(view.from..view.to).unwrap_or_default();
        for (at, (token, sense)) in (view.from..).zip(view.tokens().iter().zip(senses)) {
            let (word, hangul) = (
                matches!(token.kind, TokenKind::Word),
                matches!(token.kind, TokenKind::Hangul),
            );
            let mark = matches!(token.kind, TokenKind::Punct(_));
            let said = !token.quoted & !matches!(token.kind, TokenKind::Code);
            let signs = select_unpredictable(said, sense.signs, Signs::NONE);
            let korean = select_unpredictable(hangul, signs, Signs::NONE);
            out.korean = out.korean.with(korean);
            out.english = out.english.with(signs.without(korean));
            let cues = select_unpredictable(said & (word | hangul), sense.cues, Cues::NONE);
            let others = select_unpredictable(hangul, Cues::NOW, Cues::AGAIN);
            out.cues = out.cues.with(cues.without(others));
            let finished = said & sense.finished;
            out.finished |= finished;
            let class = select_unpredictable(finished, sense.class, Class::NONE);
            out.class = out.class.with(class);
            out.progressive |= said & word & sense.progressive;
            out.number |= said & matches!(token.kind, TokenKind::Number);
            out.figures += u32::from(said & sense.cues.any(Cues::FIGURE));
            let tells = finished | signs.any(DONE);
            out.told = select_unpredictable(tells & (out.told == usize::MAX), at, out.told);
            let ends = sense.finished | sense.signs.any(Signs::DONE);
            out.ends_finished = (out.ends_finished & !(said & hangul)) | (said & hangul & ends);
            out.hangul |= said & hangul;
            out.percent |= matches!(token.kind, TokenKind::Punct('%')) | word & (token.hash() == PERCENT);
            out.odd |= !word & !hangul & !mark & !token.is_plain();
        }
        out.numbers = out.number | out.cues.any(Cues::OF);
        if out.english.any(Signs::RESULT) && !has_result(view) {
            out.english = out.english.without(Signs::RESULT);
        }
        out
    }

    /// Whether it tells of something done.
    fn tells(&self) -> bool {
        self.told != usize::MAX
    }

    /// Where it says "nothing" or "no".
    fn nothing(&self, view: View<'_>) -> Option<usize> {
        if !self.cues.any(Cues::NOTHING) {
            return None;
        }
        let says = |at: usize| {
            let sense = view.senses.get(at);
            sense.signs.any(Signs::NO) && sense.cues.any(Cues::NOTHING)
        };
        view.said()
            .find(|(at, token)| token.is_word() && says(*at))
            .map(|(at, _)| at)
    }

    /// Whether what is told to be done is nothing, perhaps behind adverbs: "I have done nothing yet".
    fn is_idle(&self, view: View<'_>) -> bool {
        if !(self.tells() && view.senses.signs(self.told).any(Signs::DONE)) {
            return false;
        }
        for (at, token) in view.at(self.told + 1, view.to).said() {
            let sense = view.senses.get(at);
            let word = view.reading.word(token);
            let number = token.kind == TokenKind::Number;
            if sense.signs.any(Signs::NO) && (number || sense.cues.any(Cues::NOTHING) && word != "no") {
                return true;
            }
            let mark = matches!(token.kind, TokenKind::Punct(_));
            let told = sense.finished || sense.signs.any(Signs::DONE.with(Signs::VERIFIED));
            if told || token.is_punct(',') || !(mark || word.ends_with("ly")) {
                return false;
            }
        }
        false
    }

    /// Whether all of something is done: "48/48", "100 %".
    fn is_whole(&self, view: View<'_>) -> bool {
        let whole = |(at, token): (usize, &Token)| {
            let word = view.reading.word(token);
            let next = || view.reading.tokens.get(at + 1).filter(|_| at + 1 < view.to);
            word.split_once('/')
                .is_some_and(|(part, all)| part == all && part.len() > 1)
                || word == "100%"
                || word == "100" && next().is_some_and(|n| n.is_punct('%'))
        };
        // Most numbers are plain.
        self.number
            && (self.percent | self.odd)
            && view
                .said()
                .filter(|(_, token)| token.kind == TokenKind::Number)
                .any(whole)
    }

    /// What is said to be done, if anything.
    fn done(&self, view: View<'_>) -> Option<Class> {
        let mut class = self.class;
        let mut found = self.finished;
        let all = self.english.with(self.korean);
        for (sign, how) in [
            (Signs::DONE, Class::GENERIC),
            (Signs::VERIFIED, Class::VERIFY),
            (Signs::ANALYSED, Class::ANALYSE),
        ] {
            if all.any(sign) {
                class = class.with(how);
                found = true;
            }
        }
        if all.any(Signs::RESULT) && all.any(Signs::VERIFIED) {
            // "It passes its tests" is more than that somebody looked.
            class = class.with(Class::OTHER).with(Class::RESULT);
        }
        if self.is_whole(view) {
            class = class.with(Class::GENERIC);
            found = true;
        }
        if !found
            && (self.cues.any(Cues::NOW) && is_present(view)
                || self.numbers && self.figures > 1 && super::finding::compares(view))
        {
            class = Class::OTHER;
            found = true;
        }
        if !found && all.any(Signs::TICK) {
            class = Class::GENERIC;
            found = true;
        }
        found.then_some(class)
    }

    /// A condition that stands before what it holds for: "once the token is there, done".
    fn depends(&self, view: View<'_>) -> bool {
        let first = |signs: Signs| {
            let mut said = view.said().map(|(at, _)| at);
            said.find(|at| view.senses.signs(*at).any(signs))
        };
        match (first(Signs::CONDITION), first(Signs::DONE.with(Signs::VERIFIED))) {
            (Some(condition), Some(completion)) => condition < completion,
            (Some(condition), None) => condition <= view.from + 1,
            (None, _) => self.hangul && !self.ends_finished,
        }
    }
}

/// Whether a verb in the present tells a result. In front it gives an order: "Run the tests". Behind "to" it tells what for.
fn has_result(view: View<'_>) -> bool {
    let tells = |at: usize| {
        let said =
            |token: &&Token| !token.quoted && !matches!(token.kind, TokenKind::Code | TokenKind::Hangul);
        let Some(token) = view.reading.tokens.get(at).filter(said) else {
            return false;
        };
        let first = || {
            let mut before = view.at(view.from, at).said();
            !before.any(|(_, token)| token.is_word())
        };
        let before = at.checked_sub(1).filter(|at| *at >= view.from);
        let before = || before.and_then(|at| view.reading.tokens.get(at));
        token.kind != TokenKind::Word
            || view.reading.word(token).ends_with('s')
            || !(before().is_some_and(|to| view.reading.word(to) == "to") || first())
    };
    let senses = view.senses.list.get(view.from..view.to).unwrap_or_default();
    (view.from..)
        .step_by(CHUNK)
        .zip(senses.chunks(CHUNK))
        .any(|(from, senses)| {
            bits_of(senses, |sense| sense.signs.any(Signs::RESULT)).any(|bit| tells(from + bit))
        })
}

/// Whether the last word that is said is "only".
fn ends_in_only(view: View<'_>) -> bool {
    let last = view.said().rfind(|(_, token)| token.is_word());
    last.is_some_and(|(at, _)| view.cues(at).any(Cues::ONLY))
}

/// "The worker retries now", "all seven now go through the cache": a result in the present tense.
fn is_present(view: View<'_>) -> bool {
    let mut verb = false;
    let mut after_now = false;
    for (i, word) in view.words().enumerate() {
        let follows = std::mem::replace(&mut after_now, word == "now" && i > 0);
        match word {
            word if follows
                && word.len() > 1
                && word.bytes().all(|b| b.is_ascii_lowercase())
                && !word.ends_with("ing") =>
            {
                verb = true
            }
            "i" | "we" | "i'm" | "let" | "you" | "what" | "how" => return false,
            "now" if i == 0 => return false,
            "is" | "are" | "has" | "have" => verb = true,
            word if word.ends_with("ing") => return false,
            word => verb |= word.len() > 2 && word.is_ascii() && word.ends_with('s'),
        }
    }
    verb
}

/// Whether a stretch with figures says that only a part is done.
#[inline]
fn gives_share(view: View<'_>, heard: &Digest, said: &Said) -> bool {
    // A word between a part and the whole, a percentage or a fraction: most have none.
    let may = said.percent
        || heard.cues.any(Cues::OF.with(Cues::AMONG))
        || said.odd && is_odd(view)
        || said.hangul && is_percent(view);
    may && (is_partial(view) || share(view, heard, said))
}

/// Whether a token that is no plain number may give a share by itself: `40%`, `2/3`.
fn is_odd(view: View<'_>) -> bool {
    let outside = view.reading.tokens.get(view.to).is_some_and(|t| t.is_punct('%'));
    let odd = |token: &&Token| {
        !matches!(token.kind, TokenKind::Code | TokenKind::Punct(_)) & !token.is_word() & !token.is_plain()
    };
    outside
        || view.tokens().iter().filter(odd).any(|token| {
            let word = view.reading.word(token).as_bytes();
            word.first().is_some_and(u8::is_ascii_digit) && memchr::memchr2(b'%', b'/', word).is_some()
        })
}

/// Whether a Korean word is one for a percentage.
fn is_percent(view: View<'_>) -> bool {
    let mut tokens = view.tokens().iter();
    tokens.any(|t| t.kind == TokenKind::Hangul && view.reading.word(t).starts_with("퍼센트"))
}

/// Whether only a part is done: `80 %`, `2 of 3`, `2/3`, `3개 중 2개` beside a word of completion; "at 90 percent" also
/// without one.
fn share(view: View<'_>, heard: &Digest, said: &Said) -> bool {
    let all = said.english.with(said.korean);
    let speaks = all.any(Signs::DONE.with(Signs::VERIFIED).with(Signs::RESULT))
        || said.finished
        || said.cues.any(Cues::NOW)
        || heard.cues.any(Cues::PROGRESS);
    let tokens = view.tokens();
    let senses = view.senses.list.get(view.from..view.to).unwrap_or_default();
    let word = |at: Option<usize>| {
        at.and_then(|at| tokens.get(at))
            .map_or("", |t| view.reading.word(t))
    };
    let shares = |i: usize, token: &Token| {
        let Some((a, rest)) = leading(view.reading.word(token)) else {
            return false;
        };
        let next = tokens.get(i + 1);
        let is_next = |sign: &dyn Fn(&Token) -> bool| next.is_some_and(sign);
        let percent = || {
            is_next(&|n| {
                n.is_punct('%')
                    || matches!(view.reading.word(n), "percent")
                    || view.reading.word(n).starts_with("퍼센트")
            })
        };
        if a < 100 && (rest == "%" || rest.is_empty() && percent()) && is_at(view, i) {
            return true;
        }
        let counts = token.kind == TokenKind::Number
            || token.kind == TokenKind::Word
                && matches!(word(Some(i + 1)), "of" | "out")
                && !tokens.iter().any(|t| t.kind == TokenKind::Path);
        if !speaks || !counts || token.quoted {
            return false;
        }
        let percent = rest.ends_with('%') || (rest.is_empty() || rest.starts_with('.')) && percent();
        if percent && a < 100 && measures(view, i) {
            return true;
        }
        let before = word(i.checked_sub(1));
        if let Some(b) = rest.strip_prefix('/') {
            let whole = leading(b).filter(|(_, more)| more.is_empty());
            if before != "on" && whole.is_some_and(|(b, _)| a < b) {
                return true;
            }
        }
        if !rest.is_empty() {
            return false;
        }
        let named = matches!(
            before,
            "item" | "step" | "task" | "part" | "phase" | "point" | "number" | "no"
        );
        let of = match (word(Some(i + 1)), word(Some(i + 2))) {
            ("of", "the" | "all" | "these" | "those") => Some(i + 3),
            ("of", _) => Some(i + 2),
            ("out", "of") if word(Some(i + 3)) == "the" => Some(i + 4),
            ("out", "of") => Some(i + 3),
            _ => None,
        };
        // "240 of 240"
        let total = |at: usize| {
            leading(word(Some(at)))
                .filter(|(_, more)| more.is_empty())
                .map(|(b, _)| b)
        };
        if !named && of.and_then(total).is_some_and(|b| a < b) {
            return true;
        }
        // 3개 중 2개
        let among = word(Some(i + 2));
        matches!(among, "중" | "중에" | "중에서" | "가운데")
            && tokens.get(i + 1).is_some_and(|t| t.kind == TokenKind::Hangul)
            && total(i + 3).is_some_and(|part| part < a)
    };
    // Few tokens are figures.
    (0..)
        .step_by(CHUNK)
        .zip(senses.chunks(CHUNK))
        .any(|(from, senses)| {
            bits_of(senses, |sense| sense.cues.any(Cues::FIGURE)).any(|bit| {
                tokens
                    .get(from + bit)
                    .is_some_and(|token| shares(from + bit, token))
            })
        })
}

/// Whether the percentage at `at` stands behind "at" or the like: "The runbook is at 90 percent".
fn is_at(view: View<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return false;
    };
    let tokens = view.tokens();
    // "It starts at 20 %" is what it does.
    let does = before
        .checked_sub(1)
        .and_then(|b| tokens.get(b))
        .is_some_and(|verb| {
            let word = view.reading.word(verb);
            view.senses.signs(view.from + before - 1).any(Signs::RESULT)
                && !matches!(word, "is" | "are" | "stands" | "sits")
        });
    let word = tokens.get(before).map_or("", |t| view.reading.word(t));
    !does && matches!(word, "at" | "about" | "around" | "roughly" | "약")
}

/// "The button still does nothing": it does not work. Without "still" that may be what was asked for.
fn is_idle(view: View<'_>) -> bool {
    let mut still = false;
    let mut before = "";
    for word in view.words() {
        if still && word == "nothing" && matches!(before, "do" | "does" | "did") {
            return true;
        }
        still |= matches!(word, "still" | "simply");
        before = word;
    }
    false
}

/// "40 %" behind a label, in an answer that gives "100 %" of other things: how far the thing is.
fn is_partial(view: View<'_>) -> bool {
    let tokens = &view.reading.tokens;
    let share = |at: usize| {
        let (figure, rest) = leading(view.reading.word(tokens.get(at)?))?;
        let percent = rest == "%" || rest.is_empty() && tokens.get(at + 1).is_some_and(|t| t.is_punct('%'));
        percent.then_some(figure)
    };
    let is_word = |at: &usize| {
        tokens
            .get(*at)
            .is_some_and(|t| !matches!(t.kind, TokenKind::Punct(_)))
    };
    let mut words = (view.from..view.to).rev().filter(is_word);
    let Some(last) = words.next() else { return false };
    if share(last).is_none_or(|figure| figure >= 100) {
        return false;
    }
    let mut labelled = || {
        words.next().is_none_or(|label| {
            (label..last).any(|at| {
                let mark = tokens.get(at).map(|t| t.kind);
                matches!(mark, Some(TokenKind::Punct(':' | '-' | '–' | '—' | '=' | '：')))
            })
        })
    };
    labelled() && (0..tokens.len()).any(|at| share(at) == Some(100))
}

/// Whether a percentage measures how far the work is.
fn measures(view: View<'_>, at: usize) -> bool {
    let tokens = view.tokens();
    let skip = usize::from(tokens.get(at + 1).is_some_and(|t| t.is_punct('%')));
    let after = tokens
        .iter()
        .enumerate()
        .skip(at + 1 + skip)
        .take(4)
        .take_while(|(_, t)| !matches!(t.kind, TokenKind::Punct(_)));
    let mut after = after.map(|(i, t)| (view.senses.get(view.from + i), view.reading.word(t)));
    let told = after.any(|(sense, word)| {
        sense.signs.any(Signs::DONE)
            || sense.finished
            || matches!(word, "through" | "there" | "of")
            || ["완료", "진행", "진척", "처리", "이전", "끝"]
                .iter()
                .any(|k| word.starts_with(k))
    });
    told || tokens
        .get(at.saturating_sub(3)..at)
        .unwrap_or_default()
        .iter()
        .map(|t| view.reading.word(t))
        .any(|w| w == "progress" || ["진행", "진척", "완료"].iter().any(|k| w.starts_with(k)))
}

/// A number that stands at the beginning, and what follows it.
pub(super) fn leading(text: &str) -> Option<(u64, &str)> {
    if !text.as_bytes().first()?.is_ascii_digit() {
        let number = match text {
            "zero" => 0,
            "one" => 1,
            "two" => 2,
            "three" => 3,
            "four" => 4,
            "five" => 5,
            "six" => 6,
            "seven" => 7,
            "eight" => 8,
            "nine" => 9,
            "ten" => 10,
            _ => return None,
        };
        return Some((number, ""));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text.get(..digits)?.parse().ok()?;
    Some((number, text.get(digits..).unwrap_or_default()))
}
