//! What a stretch of an answer says about the state of work: done, open, or nothing.

use super::class::Class;
use super::cues::Cues;
use super::senses::{Digest, STATES, Sense, Senses};
use super::signs::Signs;
use super::stem::word_hash;
use proctor_prose::{Features, Reading, Token, TokenKind};

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
    let mut said = Said::default();
    let senses = view.senses.list.get(view.from..view.to).unwrap_or_default();
    let tokens = view.tokens();
    for (from, (tokens, senses)) in (0..)
        .step_by(CHUNK)
        .zip(tokens.chunks(CHUNK).zip(senses.chunks(CHUNK)))
    {
        // What is said, and what of it tells something, one bit for each: most words tell nothing.
        let (mut spoken, mut telling) = (0_u64, 0_u64);
        for (bit, (token, sense)) in tokens.iter().zip(senses).enumerate() {
            let said = !token.quoted & !matches!(token.kind, TokenKind::Code);
            let tells = !matches!(token.kind, TokenKind::Word)
                | sense.signs.any(HEARD)
                | sense.cues.any(HEARD_CUES)
                | sense.finished
                | sense.progressive;
            spoken |= u64::from(said) << bit;
            telling |= u64::from(said & tells) << bit;
        }
        let mut plain = spoken & !telling;
        while telling != 0 {
            let bit = telling.trailing_zeros() as usize;
            let before = telling & telling.wrapping_neg();
            telling &= telling - 1;
            said.pass(view, tokens, plain & (before - 1));
            plain &= !(before - 1);
            if let (Some(token), Some(sense)) = (tokens.get(bit), senses.get(bit)) {
                said.hear(view, view.from + from + bit, token, *sense);
            }
        }
        said.pass(view, tokens, plain);
    }
    if said.numbers
        && heard.cues.any(Cues::FIGURE)
        && may_share(view, heard)
        && (is_at_percent(view) || is_partial(view) || share(view, &said))
    {
        return Some(Status::Undone);
    }
    let all = said.english.with(said.korean);
    if all.any(Signs::UNDONE.with(Signs::BAD).with(Signs::NEG)) {
        return Some(Status::Undone);
    }
    if said.nothing.is_some() && is_idle(view) {
        return Some(Status::Undone);
    }
    if said.idle {
        return Some(Status::Open);
    }
    // "Nothing is done", "no item was finished".
    if let (Some(nothing), Some(told)) = (said.nothing, said.told)
        && nothing < told
    {
        return Some(Status::Open);
    }
    if said.last_only && said.finished {
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
        if said.again {
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

/// The signs and cues that are listened for.
const HEARD: Signs = STATES
    .with(Signs::ASKED)
    .with(Signs::TICK)
    .with(Signs::RESULT)
    .with(Signs::PLAN)
    .with(Signs::LATE)
    .with(Signs::CONDITION);
const HEARD_CUES: Cues = Cues::ONLY
    .with(Cues::OF)
    .with(Cues::NOTHING)
    .with(Cues::NOW)
    .with(Cues::AGAIN);

/// What was heard in a stretch.
#[derive(Default)]
struct Said {
    english: Signs,
    korean: Signs,
    class: Class,
    finished: bool,
    hangul: bool,
    numbers: bool,
    progressive: bool,
    /// Where it says "nothing" or "no", and where it first tells of something done.
    nothing: Option<usize>,
    told: Option<usize>,
    /// What is told to be done is nothing: "I have done nothing yet".
    idle: bool,
    /// The last word, but for adverbs, was the only one so far that told of something done.
    behind_told: bool,
    /// It says 다시.
    again: bool,
    /// Its last word is "only".
    last_only: bool,
    /// A word was heard.
    spoken: bool,
    /// "100 %".
    whole: bool,
    /// The last Hangul word tells of something finished.
    ends_finished: bool,
    now: bool,
    condition: Option<usize>,
    completion: Option<usize>,
}

impl Said {
    /// Passes over words that tell nothing, one bit for each.
    #[inline]
    fn pass(&mut self, view: View<'_>, tokens: &[Token], words: u64) {
        if words == 0 {
            return;
        }
        (self.last_only, self.spoken) = (false, true);
        if self.behind_told {
            let mut rest = words;
            while rest != 0 && self.behind_told {
                let word = tokens.get(rest.trailing_zeros() as usize);
                self.behind_told = word.is_some_and(|t| view.reading.word(t).ends_with("ly"));
                rest &= rest - 1;
            }
        }
    }

    fn hear(&mut self, view: View<'_>, at: usize, token: &Token, mut sense: Sense) {
        let mark = matches!(token.kind, TokenKind::Punct(_));
        let nothing = || token.kind == TokenKind::Number || view.reading.word(token) != "no";
        if sense.signs.any(Signs::NO)
            && (token.kind == TokenKind::Number || sense.cues.any(Cues::NOTHING))
            && nothing()
        {
            self.idle |= self.behind_told;
        }
        if sense.finished || sense.signs.any(Signs::DONE.with(Signs::VERIFIED)) {
            self.behind_told = self.told.is_none() && sense.signs.any(Signs::DONE);
            self.told = self.told.or(Some(at));
        } else if self.behind_told && (mark || !view.reading.word(token).ends_with("ly")) {
            self.behind_told = mark && !token.is_punct(',');
        }
        if token.is_word() {
            self.last_only = sense.cues.any(Cues::ONLY);
            self.numbers |= sense.cues.any(Cues::OF);
            if sense.signs.any(Signs::NO) && sense.cues.any(Cues::NOTHING) {
                self.nothing = self.nothing.or(Some(at));
            }
            let before = || {
                let at = at.checked_sub(1).filter(|at| *at >= view.from)?;
                view.reading.tokens.get(at)
            };
            if token.kind == TokenKind::Word
                && sense.signs.any(Signs::RESULT)
                && !view.reading.word(token).ends_with('s')
                && (!self.spoken || before().is_some_and(|to| view.reading.word(to) == "to"))
            {
                // In front it gives an order: "Run the tests". Behind "to" it tells what for.
                sense.signs = sense.signs.without(Signs::RESULT);
            }
            self.spoken = true;
        }
        if token.kind == TokenKind::Number {
            self.numbers = true;
            let next = || view.reading.tokens.get(at + 1).filter(|_| at + 1 < view.to);
            let word = view.reading.word(token);
            // "48/48"
            self.whole |= word
                .split_once('/')
                .is_some_and(|(part, all)| part == all && part.len() > 1);
            self.whole |= word == "100%" || word == "100" && next().is_some_and(|n| n.is_punct('%'));
        }
        if token.kind == TokenKind::Hangul {
            self.hangul = true;
            self.again |= sense.cues.any(Cues::AGAIN);
            self.korean = self.korean.with(sense.signs);
            self.ends_finished = sense.finished || sense.signs.any(Signs::DONE);
        } else {
            self.english = self.english.with(sense.signs);
        }
        if sense.finished {
            self.finished = true;
            self.class = self.class.with(sense.class);
        }
        if sense.signs.any(Signs::CONDITION) {
            self.condition = self.condition.or(Some(at));
        }
        if sense.signs.any(Signs::DONE.with(Signs::VERIFIED)) {
            self.completion = self.completion.or(Some(at));
        }
        if token.kind == TokenKind::Word {
            self.now |= sense.cues.any(Cues::NOW);
            self.progressive |= sense.progressive;
        }
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
        if self.whole {
            class = class.with(Class::GENERIC);
            found = true;
        }
        if !found && (self.now && is_present(view) || self.numbers && super::finding::compares(view)) {
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
        match (self.condition, self.completion) {
            (Some(condition), Some(completion)) => condition < completion,
            (Some(condition), None) => condition <= view.from + 1,
            (None, _) => self.hangul && !self.ends_finished,
        }
    }
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

/// Whether a stretch may give a share: it has a percentage, a fraction, or a word between a part and the whole.
fn may_share(view: View<'_>, heard: &Digest) -> bool {
    const PERCENT: u32 = word_hash("percent");
    heard.cues.any(Cues::OF.with(Cues::AMONG))
        || view.tokens().iter().any(|token| match token.kind {
            TokenKind::Punct(c) => c == '%',
            TokenKind::Word => token.hash() == PERCENT,
            TokenKind::Hangul => view.reading.word(token).starts_with("퍼센트"),
            _ => !token.is_plain(),
        })
}

/// Whether only a part is done: `80 %`, `2 of 3`, `2/3`, `3개 중 2개` beside a word of completion.
fn share(view: View<'_>, said: &Said) -> bool {
    let all = said.english.with(said.korean);
    let speaks = all.any(Signs::DONE.with(Signs::VERIFIED).with(Signs::RESULT))
        || said.finished
        || said.now
        || view.any(Cues::PROGRESS);
    if !speaks {
        return false;
    }
    let tokens = view.tokens();
    let word = |at: Option<usize>| {
        at.and_then(|at| tokens.get(at))
            .map_or("", |t| view.reading.word(t))
    };
    for (i, token) in tokens.iter().enumerate() {
        let counts = token.kind == TokenKind::Number
            || token.kind == TokenKind::Word
                && matches!(word(Some(i + 1)), "of" | "out")
                && !tokens.iter().any(|t| t.kind == TokenKind::Path);
        if !counts || token.quoted || !view.cues(view.from + i).any(Cues::FIGURE) {
            continue;
        }
        let text = view.reading.word(token);
        let Some((a, rest)) = leading(text) else { continue };
        let next = tokens.get(i + 1);
        let percent = rest.ends_with('%')
            || (rest.is_empty() || rest.starts_with('.'))
                && next.is_some_and(|n| {
                    n.is_punct('%')
                        || matches!(view.reading.word(n), "percent")
                        || view.reading.word(n).starts_with("퍼센트")
                });
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
            continue;
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
        if matches!(among, "중" | "중에" | "중에서" | "가운데")
            && tokens.get(i + 1).is_some_and(|t| t.kind == TokenKind::Hangul)
            && total(i + 3).is_some_and(|part| part < a)
        {
            return true;
        }
    }
    false
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
    let labelled = words.next().is_none_or(|label| {
        (label..last).any(|at| {
            let mark = tokens.get(at).map(|t| t.kind);
            matches!(mark, Some(TokenKind::Punct(':' | '-' | '–' | '—' | '=' | '：')))
        })
    });
    labelled
        && share(last).is_some_and(|figure| figure < 100)
        && (0..tokens.len()).any(|at| share(at) == Some(100))
}

/// "The runbook is at 90 percent".
fn is_at_percent(view: View<'_>) -> bool {
    let tokens = view.tokens();
    tokens.windows(2).enumerate().any(|(i, pair)| {
        let [before, number] = pair else { return false };
        if !view.cues(view.from + i + 1).any(Cues::FIGURE) {
            return false;
        }
        let Some((a, rest)) = leading(view.reading.word(number)) else {
            return false;
        };
        let percent = rest == "%"
            || rest.is_empty()
                && tokens.get(i + 2).is_some_and(|t| {
                    t.is_punct('%')
                        || matches!(view.reading.word(t), "percent")
                        || view.reading.word(t).starts_with("퍼센트")
                });
        // "It starts at 20 %" is what it does.
        let does = i.checked_sub(1).and_then(|b| tokens.get(b)).is_some_and(|verb| {
            let word = view.reading.word(verb);
            view.senses.signs(view.from + i - 1).any(Signs::RESULT)
                && !matches!(word, "is" | "are" | "stands" | "sits")
        });
        percent
            && a < 100
            && !does
            && matches!(
                view.reading.word(before),
                "at" | "about" | "around" | "roughly" | "약"
            )
    })
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
    const WORDS: [&str; 11] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    if let Some(number) = WORDS.iter().position(|w| *w == text) {
        return Some((number as u64, ""));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text.get(..digits)?.parse().ok()?;
    Some((number, text.get(digits..).unwrap_or_default()))
}
