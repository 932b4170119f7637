//! What words say to each other: phrases, denials of trouble, Korean auxiliaries.

use super::checklist::Place;
use super::cues::Cues;
use super::mended::taken_back;
use super::senses::{STATES, Senses, ends_in_rieul};
use super::signs::Signs;
use super::stem::word_hash;
use super::words::{self, Phrase};
use crate::text::final_consonant;
use proctor_prose::{Reading, Token, TokenKind};

/// What is looked at beside its neighbours.
const WEIGHED: Signs = Signs::NEG
    .with(Signs::NO)
    .with(Signs::LEFT)
    .with(Signs::UNDONE)
    .with(Signs::BAD)
    .with(Signs::OPEN)
    .with(Signs::FUTURE);

/// The hashes of words that something may be taken back with.
const OUT: u32 = word_hash("out");
const BACK: u32 = word_hash("back");
const OFF: u32 = word_hash("off");
/// And of those that are ready for something: "ready", "all set".
const READY: u32 = word_hash("ready");
const ALL: u32 = word_hash("all");

/// Bits of the hashes of these words: few others have both.
const LEADING: (u64, u64) = {
    let words = [OUT, BACK, OFF, READY, ALL];
    let mut out = (0, 0);
    let mut at = 0;
    while at < words.len() {
        out.0 |= 1 << (words[at] % 64);
        out.1 |= 1 << (words[at] >> 6 & 63);
        at += 1;
    }
    out
};

impl Senses<'_> {
    /// Gives the first word of each listed phrase what the phrase says, and the others nothing.
    pub(super) fn phrases(&mut self, reading: &Reading) {
        let mut from = 0;
        let heads = std::mem::take(&mut self.heads);
        for at in heads.iter().take(self.leading) {
            let at = *at as usize;
            // Not within a phrase whose words say nothing of their own.
            if at >= from {
                from = self.phrase(reading, at);
            }
        }
        self.heads = heads;
    }

    /// The phrase at a token; gives the place from which on others may begin.
    fn phrase(&mut self, reading: &Reading, at: usize) -> usize {
        let tokens = &reading.tokens;
        let Some(token) = tokens.get(at) else {
            return at;
        };
        {
            let longest = self.list.get(at).map_or(0, |sense| sense.phrase);
            let mut best: Option<(Signs, usize)> = None;
            if longest > 1 && Self::may_begin_phrase(reading, at, token) {
                let mut phrase = Phrase::of(token.hash());
                for count in 2..=usize::from(longest) {
                    let Some(next) = tokens
                        .get(at + count - 1)
                        .filter(|n| n.is_word() || n.kind == TokenKind::Number)
                    else {
                        break;
                    };
                    let found = if next.kind == TokenKind::Hangul {
                        phrase.then_stem(reading.word(next))
                    } else {
                        None
                    };
                    phrase = phrase.and(next.hash());
                    best = found
                        .or_else(|| phrase.signs())
                        .map(|signs| (signs, count))
                        .or(best);
                }
            }
            let Some((signs, count)) = best else {
                return at + 1;
            };
            if let Some(first) = self.list.get_mut(at) {
                first.signs = first.signs.with(signs);
            }
            for at in at..at + count {
                if let Some(sense) = self.list.get_mut(at) {
                    sense.signs = sense.signs.without(Signs::CONTENT);
                }
            }
            if !signs.any(Signs::HARMLESS) {
                return at + 1;
            }
            // The words of a harmless phrase say nothing of their own.
            for at in at..at + count {
                self.silence(at);
            }
            if let Some(first) = self.list.get_mut(at) {
                first.signs = first.signs.with(signs);
            }
            at + count
        }
    }

    /// Whether a listed phrase may begin with a token and the next one.
    fn may_begin_phrase(reading: &Reading, at: usize, token: &Token) -> bool {
        let Some(next) = reading.tokens.get(at + 1) else {
            return false;
        };
        let second = match next.kind {
            TokenKind::Hangul => reading.word(next).chars().next().map_or(0, u32::from),
            TokenKind::Word | TokenKind::Number => next.hash(),
            _ => return false,
        };
        words::may_begin_phrase(token.hash(), second)
    }

    /// What words say to each other: a denial of trouble is no bad news.
    /// There is room for the places of all tokens.
    pub(super) fn context(&mut self, reading: &Reading, places: &mut [u32]) {
        let tokens = &reading.tokens;
        // What may mean something else beside its neighbours; signs are only taken from other tokens than these.
        const TOLD: Signs = STATES.with(Signs::TROUBLE).with(Signs::LEFT);
        let mut count = 0;
        for ((at, token), sense) in (0..).zip(tokens).zip(&self.list) {
            let hash = token.hash();
            let leads = LEADING.0 >> (hash % 64) & LEADING.1 >> (hash >> 6 & 63) & 1;
            let korean = u64::from(matches!(token.kind, TokenKind::Hangul));
            let formed = sense.cues.0 & Cues::FORMED.0 | u64::from(token.negates());
            let told = sense.signs.0 & TOLD.0 | formed;
            let weighed = sense.signs.0 & WEIGHED.0 | u64::from(sense.finished) | leads;
            // All bits are those of one of both.
            let turns = told & korean.wrapping_neg() | weighed & korean.wrapping_sub(1);
            if let Some(place) = places.get_mut(count) {
                *place = at;
            }
            count += usize::from(turns != 0);
        }
        for at in places.iter().take(count) {
            let at = *at as usize;
            let (Some(token), Some(sense)) = (tokens.get(at), self.list.get(at)) else {
                break;
            };
            let signs = sense.signs;
            if matches!(token.kind, TokenKind::Hangul) {
                let told = signs.any(TOLD);
                if told || token.negates() || sense.cues.any(Cues::FORMED) {
                    self.korean_context(reading, at, token, signs);
                }
                continue;
            }
            // Most words mean the same beside any other.
            let turned = matches!(token.hash(), OUT | BACK | OFF) && !signs.is_empty();
            let leads = matches!(token.hash(), READY | ALL) && !signs.is_empty();
            if signs.is_empty() || !sense.finished && !signs.any(WEIGHED) && !turned && !leads {
                continue;
            }
            if self.get(at).finished
                && token.kind == TokenKind::Word
                && self.describes(reading, at)
                && let Some(sense) = self.list.get_mut(at)
            {
                sense.finished = false;
            }
            if leads && let Some(to) = self.ready_to_begin(reading, at) {
                for at in at..to {
                    self.silence(at);
                    if let Some(sense) = self.list.get_mut(at) {
                        sense.signs = sense.signs.without(Signs::MARKER);
                    }
                }
                continue;
            }
            if signs.any(Signs::NEG) && self.no_longer(reading, at) {
                continue;
            }
            if signs.any(Signs::NEG.with(Signs::NO)) {
                self.deny(reading, at);
            }
            if signs.any(Signs::LEFT) && self.names_rest(reading, at) {
                self.silence(at);
                continue;
            }
            if turned && taken_back(reading, at) {
                if let Some(sense) = self.list.get_mut(at) {
                    sense.signs = sense.signs.with(Signs::UNDONE.with(Signs::RETRACT));
                }
                continue;
            }
            if signs.any(Signs::UNDONE.with(Signs::BAD)) && self.is_spoken_of(reading, at)
                || signs.any(Signs::OPEN) && !signs.any(Signs::FUTURE) && at > 0 && self.is_pair(at - 1, at)
            {
                self.silence(at);
                continue;
            }
            if signs.any(Signs::BAD) && !signs.any(Signs::NEG) && self.only_names(reading, at) {
                self.silence(at);
                continue;
            }
            if signs.any(
                Signs::BAD
                    .with(Signs::OPEN)
                    .with(Signs::UNDONE)
                    .with(Signs::FUTURE),
            ) && !signs.any(Signs::NEG.with(Signs::NO))
                && self.is_topic(tokens, at)
            {
                self.silence(at);
            }
        }
    }

    /// "The remaining three are in": what was left is told to be done.
    fn names_rest(&self, reading: &Reading, at: usize) -> bool {
        let word = |at: usize| reading.tokens.get(at).map_or("", |t| reading.word(t));
        let before = at.checked_sub(1);
        let determined = before.is_some_and(|b| self.signs(b).any(Signs::DETERMINER) || word(b) == "all");
        let noun = reading.tokens.get(at + 1).is_some_and(Token::is_word)
            && !matches!(
                word(at + 1),
                "is" | "are" | "was" | "were" | "for" | "to" | "in" | "on" | "work"
            );
        let told = |at: usize| {
            let sense = self.get(at);
            sense.finished || sense.signs.any(Signs::DONE.with(Signs::VERIFIED))
        };
        determined
            && noun
            && (at + 2..at + 9)
                .take_while(|at| reading.tokens.get(*at).is_some_and(|t| !t.is_punct('.')))
                .any(told)
    }

    /// Whether a participle only names what an item is about ("logging of rejected keys"), by words of its own line.
    fn describes(&self, reading: &Reading, at: usize) -> bool {
        let tokens = &reading.tokens;
        let (Some(before), Some(token)) = (at.checked_sub(1), tokens.get(at)) else {
            return false;
        };
        let block = reading.blocks.partition_point(|b| b.start <= token.start);
        let start = block.checked_sub(1).and_then(|b| reading.blocks.get(b));
        let near = |t: &&Token| start.is_none_or(|b| t.start >= b.start);
        tokens.get(before).filter(near).is_some_and(|token| {
            let sense = self.get(before);
            token.kind == TokenKind::Word
                && (sense.signs.any(Signs::PREPOSITION.with(Signs::DETERMINER)) || sense.orders)
                || self.is_topic(tokens, before)
        }) && self.is_topic(tokens, at)
    }

    /// Takes its signs of state from a token.
    fn silence(&mut self, at: usize) {
        if let Some(sense) = self.list.get_mut(at) {
            sense.signs = sense.signs.without(STATES);
            sense.finished = false;
        }
    }

    /// Whether two words in a row stand in one item: "30 days".
    fn is_pair(&self, a: usize, b: usize) -> bool {
        let items = |at: usize| {
            self.places(at)
                .iter()
                .flat_map(|p| p.iter().take(8))
                .map(|(_, item, _)| *item)
        };
        items(a).any(|item| items(b).any(|other| other == item))
    }

    /// "The regex no longer appears": it is as it was wanted, unless what it no longer does is good.
    fn no_longer(&mut self, reading: &Reading, at: usize) -> bool {
        let word = |at: usize| reading.tokens.get(at).map_or("", |t| reading.word(t));
        if word(at) != "no" || word(at + 1) != "longer" {
            return false;
        }
        let good = (at + 2..at + 5).any(|i| {
            let signs = self.signs(i);
            signs.any(Signs::VERIFIED.with(Signs::DONE))
                || matches!(
                    word(i),
                    "work"
                        | "works"
                        | "run"
                        | "runs"
                        | "build"
                        | "builds"
                        | "compile"
                        | "compiles"
                        | "start"
                        | "starts"
                        | "valid"
                        | "true"
                        | "holds"
                        | "hold"
                        | "boots"
                        | "correct"
                )
        });
        if good {
            return false;
        }
        for i in [at, at + 1] {
            self.silence(i);
        }
        if let Some(sense) = self.list.get_mut(at) {
            sense.signs = sense.signs.with(Signs::RESULT);
        }
        // "no longer fails", "no longer missing"
        for i in at + 2..at + 5 {
            if self.signs(i).any(Signs::BAD.with(Signs::LEFT)) {
                self.silence(i);
                break;
            }
        }
        true
    }

    /// Whether a word that sounds undone is only the name of what an item asks for: "rollback도 확인했습니다", "the
    /// rollback is in place".
    fn is_spoken_of(&self, reading: &Reading, at: usize) -> bool {
        let Some(token) = reading.tokens.get(at) else {
            return false;
        };
        let word = reading.word(token);
        if self.places(at).is_empty()
            || token.kind != TokenKind::Word
            || word.ends_with("ed")
            || word.contains('_')
        {
            return false;
        }
        let Some(next) = reading.tokens.get(at + 1) else {
            return false;
        };
        next.kind == TokenKind::Hangul && next.glued
            || matches!(reading.word(next), "is" | "are" | "works" | "has")
            || next.is_word()
                && (self.get(at + 1).finished || self.signs(at + 1).any(Signs::DONE.with(Signs::VERIFIED)))
    }

    /// "no errors", "does not crash any more", "nothing is left".
    fn deny(&mut self, reading: &Reading, at: usize) {
        // "no new errors", but "not checked for errors" denies the check.
        let wide = self.signs(at).any(Signs::NO);
        let wide_bad = Signs::BAD.with(Signs::TROUBLE).with(Signs::LEFT);
        let bad = if self.signs(at + 1).any(Signs::TROUBLE) {
            wide_bad
        } else {
            Signs::BAD.with(Signs::LEFT)
        };
        for ahead in at + 1..at + 5 {
            let Some(token) = reading
                .tokens
                .get(ahead)
                .filter(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
            else {
                return;
            };
            let sense = self.get(ahead);
            if sense.signs.any(if wide { wide_bad } else { bad }) {
                self.silence(at);
                self.silence(ahead);
                // "no tests failed", "nothing left open".
                if reading.tokens.get(ahead + 1).is_some_and(Token::is_word) && self.signs(ahead + 1).any(bad)
                {
                    self.silence(ahead + 1);
                }
                return;
            }
            let stops = sense.finished
                || sense
                    .signs
                    .any(STATES.with(Signs::CONDITION).with(Signs::IDLE).without(Signs::NO))
                || !wide && sense.signs.any(Signs::CONTENT)
                || matches!(reading.word(token), "and" | "but");
            if stops {
                return;
            }
        }
    }

    /// Whether a word that sounds like bad news only names what an item is about: "Failed logins are
    /// logged" for the item "Log failed logins".
    fn is_topic(&self, tokens: &[Token], at: usize) -> bool {
        if !tokens
            .get(at + 1)
            .is_some_and(|n| n.is_word() || n.kind == TokenKind::Code)
        {
            return false;
        }
        let shares = |other: &[Place]| {
            self.places(at).iter().any(|mine| {
                mine.len() <= 8
                    && mine
                        .iter()
                        .any(|(_, item, _)| other.iter().any(|(_, o, _)| o == item))
            })
        };
        self.places(at + 1).iter().any(|p| p.len() <= 8 && shares(p))
    }

    /// Takes back signs of a Korean word that its form denies: 남았던 어댑터, 돌게 등록했습니다, 좋아 보입니다. Says whether nothing
    /// is left to be read of it.
    #[inline(never)]
    fn korean_form(&mut self, reading: &Reading, at: usize, word: &str) -> bool {
        let next = reading.tokens.get(at + 1);
        let goes_on = next.is_some_and(|n| (n.is_word() || n.kind == TokenKind::Number) && !n.glued);
        if word.ends_with('던') && goes_on {
            self.silence(at);
        }
        let mut back = word.chars().rev();
        if back.next() == Some('게')
            && goes_on
            && back.next().and_then(final_consonant) == Some(8)
            && let Some(sense) = self.list.get_mut(at)
        {
            sense.signs = sense.signs.without(Signs::OPEN.with(Signs::PLAN));
        }
        // 사라지지 않도록 바꿨습니다.
        if ["않도록", "없도록", "않게", "없게"]
            .iter()
            .any(|k| word.starts_with(k))
            && goes_on
        {
            self.silence(at);
            return true;
        }
        // 보관함 화면
        if word.ends_with(['함', '됨'])
            && goes_on
            && let Some(sense) = self.list.get_mut(at)
        {
            sense.finished = false;
        }
        // 등록되지 않은 스키마를 거절하도록 했습니다.
        // 막혀 있던 메일을 고쳤습니다.
        let told = |senses: &Self| {
            (at + 1..at + 8)
                .take_while(|at| {
                    reading
                        .tokens
                        .get(*at)
                        .is_some_and(|t| !matches!(t.kind, TokenKind::Punct(_)))
                })
                .any(|at| {
                    let sense = senses.get(at);
                    sense.finished && !sense.signs.any(STATES.without(Signs::DONE.with(Signs::VERIFIED)))
                })
        };
        let state_of_next = word.ends_with(['혀', '려', '져', '어', '아', '여'])
            && next.is_some_and(|n| matches!(reading.word(n), "있던" | "있는"));
        if state_of_next && told(self) {
            self.silence(at);
            return true;
        }
        // 메일 주소가 없는 사용자는 312명입니다: the item says so itself.
        if matches!(word, "않은" | "않는" | "않던" | "없는" | "없던" | "남은")
            && goes_on
            && (told(self) || self.is_topic(&reading.tokens, at))
        {
            self.silence(at);
            return true;
        }
        let seems = word.starts_with("보입")
            && at
                .checked_sub(1)
                .and_then(|b| reading.tokens.get(b))
                .is_some_and(|b| reading.word(b).ends_with(['아', '어', '해', '여', '워']));
        if seems && let Some(sense) = self.list.get_mut(at) {
            sense.signs = sense.signs.without(Signs::RESULT);
        }
        false
    }

    #[inline(never)]
    fn korean_context(&mut self, reading: &Reading, at: usize, token: &Token, signs: Signs) {
        let word = reading.word(token);
        if self.korean_form(reading, at, word) {
            return;
        }
        let signs = signs.without(STATES).with(self.signs(at));
        if ["제외한", "제외하고", "제외하면", "제외하곤"]
            .iter()
            .any(|w| word.starts_with(w))
        {
            self.silence(at);
            return;
        }
        let previous = at.checked_sub(1).and_then(|b| {
            let token = reading.tokens.get(b)?;
            matches!(token.kind, TokenKind::Hangul).then(|| reading.word(token))
        });
        let bad = Signs::BAD.with(Signs::TROUBLE).with(Signs::LEFT);
        // 오류 없이, 문제가 없습니다, 남은 작업은 없음, 깨지지 않음.
        if word.starts_with('없') || token.negates() {
            let mut cancelled = token.negates() && signs.any(bad);
            let negated = token.negates();
            for back in 1..=2 {
                let before = at
                    .checked_sub(back)
                    .and_then(|b| Some((b, reading.tokens.get(b)?)));
                let Some((b, before)) = before.filter(|(_, t)| t.kind == TokenKind::Hangul) else {
                    break;
                };
                let cancels = match back {
                    1 if negated => reading.word(before).ends_with('지') && self.signs(b).any(bad),
                    1 => self.signs(b).any(bad),
                    // 빠진 것 없이
                    _ if !negated
                        && matches!(before_word(reading, at), "것" | "부분" | "데" | "건" | "게") =>
                    {
                        self.signs(b).any(bad)
                    }
                    _ => !negated && self.signs(b).any(Signs::LEFT),
                };
                if cancels {
                    self.silence(b);
                    cancelled = true;
                    break;
                }
            }
            let before = |back: usize| {
                let token = at.checked_sub(back).and_then(|b| reading.tokens.get(b));
                token.map_or("", |t| reading.word(t))
            };
            if !cancelled
                && negated
                && (2..=4)
                    .any(|back| before(back) == "더" && before(back - 1) == "이상" || before(back) == "더는")
            {
                // 더 이상 나타나지 않습니다.
                self.silence(at);
                if let Some(sense) = self.list.get_mut(at) {
                    sense.signs = sense.signs.with(Signs::RESULT);
                }
                return;
            }
            if cancelled {
                self.silence(at);
            } else if let Some(sense) = self.list.get_mut(at) {
                sense.signs = sense.signs.with(Signs::UNDONE);
                sense.finished = false;
            }
            return;
        }
        // 로그를 남깁니다: nothing is left to do.
        let recorded = previous.is_some_and(|p| {
            [
                "로그를",
                "기록을",
                "로그로",
                "기록으로",
                "메모를",
                "주석을",
                "이력을",
                "로그에",
            ]
            .iter()
            .any(|k| p.ends_with(k))
        });
        if recorded && word.starts_with(['남']) && !word.starts_with("남겨") {
            self.silence(at);
            if let Some(sense) = self.list.get_mut(at) {
                sense.signs = sense.signs.with(Signs::RESULT);
            }
            return;
        }
        if signs.any(bad) && token.lacks() {
            self.silence(at);
            return;
        }
        // 실패 0건.
        if signs.any(Signs::BAD.with(Signs::TROUBLE))
            && reading
                .tokens
                .get(at + 1)
                .is_some_and(|n| n.kind == TokenKind::Number && reading.word(n) == "0")
        {
            self.silence(at);
            self.silence(at + 1);
            return;
        }
        // 실패 시, 실패 케이스, 누락 필드: the bare noun describes the next one.
        if signs.any(Signs::BAD.with(Signs::UNDONE).with(Signs::OPEN))
            && words::korean_stem(word, words::Written::of(word).as_ref()) == word
            && let Some(next) = reading.tokens.get(at + 1)
            && next.kind == TokenKind::Hangul
            && !next.glued
        {
            let noun = reading.word(next);
            let describes = ["시", "케이스", "테스트", "로그", "메시지", "화면", "응답", "처리"]
                .iter()
                .any(|n| noun.starts_with(n) && !noun.starts_with("시작"));
            if signs.any(Signs::BAD) && describes || self.is_topic(&reading.tokens, at) {
                self.silence(at);
                return;
            }
        }
        // 예약 취소는, 취소하면: the name of what an item asks for, where more is said behind it.
        if signs.any(Signs::UNDONE.with(Signs::BAD))
            && !self.places(at).is_empty()
            && !word.chars().any(|c| final_consonant(c) == Some(20))
            && reading
                .tokens
                .get(at + 1)
                .is_some_and(|n| n.is_word() || n.kind == TokenKind::Number)
        {
            self.silence(at);
            return;
        }
        let before_known = at
            .checked_sub(1)
            .is_some_and(|b| self.get(b).known || !self.places(b).is_empty());
        let Some(sense) = self.list.get_mut(at) else {
            return;
        };
        match previous {
            // 할 것, 할 수 있, 할 계획.
            Some(previous)
                if ends_in_rieul(previous)
                    && ["것", "거", "겁", "수", "예정", "계획"]
                        .iter()
                        .any(|w| word.starts_with(w)) =>
            {
                let stem = !matches!(previous, "를" | "을");
                if stem {
                    sense.signs = sense.signs.with(Signs::OPEN.with(Signs::PLAN));
                }
            }
            // 민수가 했습니다.
            Some(previous)
                if (words::is_light(word) && word.starts_with('했')
                    || word.starts_with("끝냈")
                    || word.starts_with("처리했"))
                    && previous.ends_with('가')
                    && (2..=4).contains(&previous.chars().count())
                    && !matches!(previous, "제가" | "내가" | "저희가" | "우리가" | "모두가")
                    && !before_known =>
            {
                sense.signs = sense.signs.with(Signs::PEOPLE);
            }
            // 끝냈다고 합니다.
            Some(previous)
                if previous.chars().count() > 2
                    && (previous.ends_with("다고") || previous.ends_with("라고"))
                    && ["합니", "했", "하더", "들었", "하네", "해요"]
                        .iter()
                        .any(|w| word.starts_with(w)) =>
            {
                sense.signs = sense.signs.with(Signs::PEOPLE);
            }
            // 하고 있습니다; 보고 있는.
            Some(previous) if previous.ends_with('고') && word.starts_with('있') => {
                sense.signs = sense.signs.with(Signs::OPEN);
            }
            // 들어 있습니다, 병합된 상태입니다: what was done is still so.
            Some(previous)
                if word.starts_with("있습")
                    && !matches!(previous, "비어" | "열려" | "걸려")
                    && previous.ends_with(['어', '아', '여', '혀', '려', '져', '워', '돼'])
                    || word.starts_with("상태") && previous.ends_with(['된', '진']) =>
            {
                sense.signs = sense.signs.with(Signs::RESULT);
            }
            // 하면 됩니다.
            Some(previous)
                if previous.ends_with('면') && matches!(word.chars().next(), Some('됩' | '되' | '돼')) =>
            {
                sense.signs = sense.signs.with(Signs::OPEN);
            }
            _ => {}
        }
        if word == "중"
            && previous.is_some()
            && !reading
                .tokens
                .get(at + 1)
                .is_some_and(|n| n.is_word() || n.kind == TokenKind::Number)
        {
            sense.signs = sense.signs.with(Signs::OPEN);
        }
    }
}

/// The word before a token.
fn before_word(reading: &Reading, at: usize) -> &str {
    let before = at.checked_sub(1).and_then(|b| reading.tokens.get(b));
    before.map_or("", |t| reading.word(t))
}
