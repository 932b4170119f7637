//! Figures in reports: counts, fractions, times and their units.

use proctor_prose::{Clause, Features, Kinds, Reading, Token, TokenKind, gains, tag};

/// The value of a number or of a word for none.
pub(super) fn number(reading: &Reading, token: &Token) -> Option<f64> {
    if token.kind != TokenKind::Number {
        return token.tags.any(tag::ZERO).then_some(0.0);
    }
    let word = reading.word(token);
    // Figures of so few digits are exact.
    if (1..=15).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit()) {
        let value = word
            .bytes()
            .fold(0.0, |value, b| value * 10.0 + f64::from(b - b'0'));
        return Some(value);
    }
    let digits: String = word.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.parse().ok()
}

/// Two whole numbers with a slash: 628/628. Dates have three.
pub(super) fn fraction(word: &str) -> Option<(u64, u64)> {
    let at = word.bytes().position(|b| b == b'/')?;
    let (part, whole) = (word.get(..at)?, word.get(at + 1..)?);
    Some((part.parse().ok()?, whole.parse().ok()?))
}

/// Whether a number is a date: 2026/02/08, 2026-02-08.
pub(super) fn is_date(word: &str) -> bool {
    let count = |(slashes, dashes), b| (slashes + u32::from(b == b'/'), dashes + u32::from(b == b'-'));
    let (slashes, dashes) = word.bytes().fold((0, 0), count);
    (slashes == 2) | (dashes == 2)
}

/// The figures of a clause, looked at once.
#[derive(Clone, Copy, Default)]
pub(super) struct Figures {
    /// How many there are, how many of them are dates, and how many have a sign: +23 -5.
    pub(super) all: usize,
    pub(super) dates: usize,
    pub(super) signed: usize,
    /// One says that all of some passed: 40/40.
    pub(super) all_pass: bool,
    /// One says that there was nothing: 0/0.
    pub(super) empty: bool,
}

impl Figures {
    pub(super) fn of(reading: &Reading, tokens: &[&Token]) -> Self {
        let mut out = Self::default();
        for token in tokens.iter().filter(|t| t.kind == TokenKind::Number) {
            out.all += 1;
            // Of nothing but digits.
            if token.is_plain() {
                continue;
            }
            let word = reading.word(token);
            out.dates += usize::from(is_date(word));
            out.signed += usize::from(word.starts_with(['+', '-']));
            if let Some((part, whole)) = fraction(word) {
                out.all_pass |= part == whole && part > 0;
                out.empty |= part == 0 && whole == 0;
            }
        }
        out
    }
}

/// Whether a number carries a unit, by itself or in the next token.
pub(super) fn has_unit(reading: &Reading, token: &Token) -> bool {
    let word = reading.word(token);
    if word.ends_with(|c: char| c.is_alphabetic() || c == '%') {
        return true;
    }
    let at = reading.tokens.partition_point(|t| t.start <= token.start);
    reading.tokens.get(at).is_some_and(|t| t.tags.any(tag::MEASURE))
}

/// What became of a figure that is compared with an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Better,
    Worse,
}

/// What a figure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Time,
    Size,
    Rate,
    Percent,
    /// Things, or nothing that is named.
    Count,
}

/// A figure of a sentence: its value in the smallest unit of its sort.
#[derive(Clone, Copy)]
struct Figure<'r> {
    value: f64,
    sort: Sort,
    /// The unit, as a factor: a bare figure beside it is taken to be in the same one.
    factor: f64,
    named: bool,
    /// Its place, and the place behind its unit.
    at: usize,
    end: usize,
    /// What is written at its unit: the 에서 of 75초에서.
    particle: &'r str,
}

/// Words and figures of a clause that tell nothing that was measured.
const UNSAID: Features = Features::QUESTION
    .or(Features::QUOTED)
    .or(Features::STRUCK)
    .or(Features::FUTURE)
    .or(Features::MODAL)
    .or(Features::BELIEF)
    .or(Features::PENDING)
    .or(Features::CONDITIONAL)
    .or(Features::HEARSAY);

/// Furthest that two figures of a comparison stand apart, in tokens.
const APART: usize = 9;
/// How far around them the words that say when they were are looked for.
const NEAR: usize = 5;

/// What the clauses of a sentence tell of a figure that changed: "1.2 s, down from 1.9 s", 처리량이 900에서 300으로 줄었습니다. What is
/// measured says which way is better: of throughput and coverage more, of times, sizes and errors less. Within a tenth
/// nothing got worse, within a twentieth nothing got better; `None` as well where one figure got better and another worse.
pub(super) fn change(reading: &Reading, clauses: &[Clause]) -> Option<Change> {
    let (first, last) = (clauses.first()?, clauses.last()?);
    let numbers = clauses.iter().any(|c| c.kinds.any(Kinds::NUMBER));
    if !numbers || clauses.iter().any(|c| c.features.any(UNSAID)) {
        return None;
    }
    let tokens = reading.tokens.get(first.tokens.start..last.tokens.end)?;
    let line = Line { reading, tokens };
    let mut before: Option<Figure<'_>> = None;
    let (mut better, mut worse) = (false, false);
    let mut at = 0;
    while at < tokens.len() {
        let Some(figure) = line.whole_figure(at) else {
            at += 1;
            continue;
        };
        at = figure.end;
        let pair = before
            .replace(figure)
            .filter(|other| figure.at - other.end <= APART);
        let Some(other) = pair else { continue };
        let Some((old, new, sure_order)) = line.order(other, figure) else {
            continue;
        };
        let sort = if other.named { other.sort } else { figure.sort };
        let (word, unit) = (line.gain(other), by_sort(sort));
        let Some(gain) = word.or(unit) else { continue };
        let by = (new - old) / old.abs().max(f64::MIN_POSITIVE);
        let for_better = if gain { by } else { -by };
        better |= for_better > 0.05;
        // A battery lasts longer, a frame comes later: where word and unit differ, nobody knows.
        let sure = word.is_none() || unit.is_none() || word == unit;
        worse |= sure && sure_order && for_better < -0.1;
    }
    match (better, worse) {
        (true, false) => Some(Change::Better),
        (false, true) => Some(Change::Worse),
        _ => None,
    }
}

/// Whether the clause tells of a time that grew: "from 210 ns to 3.4 µs".
pub(super) fn slower(reading: &Reading, clause: &Clause) -> bool {
    let tokens = reading.tokens_of(clause);
    let is = |word: &str| tokens.iter().any(|t| reading.word(t) == word);
    if !is("from") {
        return false;
    }
    let line = Line { reading, tokens };
    let mut times = [0.0; 2];
    let mut count = 0;
    let mut at = 0;
    while at < tokens.len() {
        let figure = line.figure(at).filter(|f| f.sort == Sort::Time);
        if let Some(figure) = figure {
            if let Some(time) = times.get_mut(count) {
                *time = figure.value;
            }
            count += 1;
        }
        at = figure.map_or(at + 1, |f| f.end);
    }
    // "48 s, down from 75 s" ends with what it was before.
    let ends = tokens
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if reading.word(a) == "down" && reading.word(b) == "from"));
    let [first, second] = times;
    count == 2 && !ends && second > first * 1.05
}

/// Whether more is better by the unit alone.
fn by_sort(sort: Sort) -> Option<bool> {
    match sort {
        Sort::Time | Sort::Size => Some(false),
        Sort::Rate => Some(true),
        Sort::Percent | Sort::Count => None,
    }
}

/// The tokens of a sentence.
struct Line<'r> {
    reading: &'r Reading,
    tokens: &'r [Token],
}

impl<'r> Line<'r> {
    fn word(&self, at: usize) -> &'r str {
        self.tokens.get(at).map_or("", |t| self.reading.word(t))
    }

    /// The figure that begins at a place.
    fn figure(&self, at: usize) -> Option<Figure<'r>> {
        let token = self
            .tokens
            .get(at)
            .filter(|t| t.kind == TokenKind::Number && !t.quoted)?;
        let word = self.reading.word(token);
        if is_date(word) || fraction(word).is_some() || word.contains(':') {
            return None;
        }
        let value = number(self.reading, token)?;
        let own =
            word.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '+' | '-' | '~'));
        let next = self.word(at + 1);
        let (unit, rest, end) = match own {
            "" => {
                let known = unit(next);
                let known =
                    known.filter(|(_, rest)| rest.is_empty() || next.starts_with(|c: char| !c.is_ascii()));
                (
                    known.map(|(unit, _)| unit),
                    known.map_or("", |(_, rest)| rest),
                    at + 1 + usize::from(known.is_some()),
                )
            }
            own => {
                let (unit, rest) = unit(own)?;
                (Some(unit), rest, at + 1)
            }
        };
        // 900에서: the particle is a word of its own.
        // "88 patients": a count of its own, and not of what stands beside it.
        let thing = own.is_empty()
            && unit.is_none()
            && self.tokens.get(at + 1).is_some_and(|t| {
                let grammar = tag::STOP
                    | tag::CLAUSE
                    | tag::PAST
                    | tag::BASE
                    | tag::MEASURE
                    | tag::OKRES
                    | tag::BADRES
                    | tag::RUN;
                t.kind == TokenKind::Word && !t.tags.any(grammar)
                    || t.kind == TokenKind::Hangul
                        && ["개", "건", "명", "회", "번", "대", "장"]
                            .iter()
                            .any(|c| self.word(at + 1).starts_with(c))
            });
        let glued = self
            .tokens
            .get(end)
            .is_some_and(|t| t.glued && t.kind == TokenKind::Hangul);
        let particle = if rest.is_empty() && glued {
            self.word(end)
        } else {
            rest
        };
        let rate = unit.is_none_or(|(sort, _)| matches!(sort, Sort::Count | Sort::Size)) && self.a_second(at);
        let (sort, factor) = unit.unwrap_or((Sort::Count, 1.0));
        Some(Figure {
            value: value * factor,
            sort: if rate { Sort::Rate } else { sort },
            factor,
            named: unit.is_some() || rate || thing,
            at,
            end,
            particle,
        })
    }

    /// "1,400 requests a second", 44 GB/s
    fn a_second(&self, at: usize) -> bool {
        let mark = |at: usize| self.tokens.get(at).is_some_and(|t| t.is_punct('/'));
        matches!(self.word(at + 2), "a" | "per") && self.word(at + 3).starts_with("sec")
            || matches!(self.word(at + 1), "a" | "per") && self.word(at + 2).starts_with("sec")
            || (mark(at + 1) || mark(at + 2))
    }

    /// The figure that begins at a place, with what belongs to it: 14분 20초, 5h 10m.
    fn whole_figure(&self, at: usize) -> Option<Figure<'r>> {
        let mut figure = self.figure(at)?;
        let mut factor = figure.factor;
        while figure.sort == Sort::Time
            && figure.particle.is_empty()
            && let Some(next) = self.figure(figure.end)
        {
            // 9 h 20
            let (value, part) = if next.named {
                (next.value, next.factor)
            } else {
                (next.value * factor / 60.0, 0.0)
            };
            if next.named && next.sort != Sort::Time || part >= factor {
                break;
            }
            factor = part;
            figure = Figure {
                value: figure.value + value,
                end: next.end,
                particle: next.particle,
                ..figure
            };
        }
        Some(figure)
    }

    /// Whether a mark or a word ends what is said of a figure.
    fn is_border(&self, at: usize) -> bool {
        let mark = self.tokens.get(at).is_some_and(|t| {
            matches!(
                t.kind,
                TokenKind::Punct(',' | ';' | '(' | ')' | ':' | '—' | '–' | '|')
            )
        });
        mark || matches!(self.word(at), "and" | "then" | "but")
    }

    /// What is measured, by the word in front of the first figure; words of grammar and of movement may stand between.
    fn gain(&self, first: Figure<'_>) -> Option<bool> {
        let between = tag::STOP
            | tag::PAST
            | tag::GENERIC
            | tag::MEASURE
            | tag::BADRES
            | tag::AGREE
            | tag::WORSE
            | tag::RUN;
        for at in (first.at.saturating_sub(APART)..first.at).rev() {
            let token = self.tokens.get(at)?;
            // "dropped from": how it moved, not what.
            let moved = matches!(self.word(at + 1), "from" | "to" | "by") && self.word(at).ends_with("ed");
            if let Some(gain) = gains(self.reading, token).filter(|_| !moved) {
                return Some(gain);
            }
            // The battery lasts: a time that is a gain.
            let lasts = self.word(at).starts_with("last")
                || ["배터리", "오래"].iter().any(|w| self.word(at).starts_with(w));
            if lasts {
                return Some(true);
            }
            let moves = self.word(at).ends_with("ed")
                || matches!(self.word(at), "rate" | "hit" | "up" | "down" | "fell" | "rose");
            if self.is_border(at) || !(token.tags.any(between) || moves) {
                return None;
            }
        }
        None
    }

    /// The older and the newer value of two figures, when the words say which is which.
    /// Last, whether it was measured for sure: an arrow may show what was edited.
    fn order(&self, first: Figure<'_>, second: Figure<'_>) -> Option<(f64, f64, bool)> {
        let (mut one, mut two) = (first.value, second.value);
        if first.named && second.named && first.sort != second.sort {
            return None;
        }
        // "12 seconds now, down from 90"
        match (first.named, second.named) {
            (true, false) => two *= first.factor,
            (false, true) => one *= second.factor,
            _ => {}
        }
        let word = |at: usize| self.word(at);
        let number = |at: &usize| self.tokens.get(*at).is_some_and(|t| t.kind == TokenKind::Number);
        let mut between = first.end..second.at;
        let cut = between.clone().find(|at| self.is_border(*at)).or_else(|| {
            // 0.9초이고 전에는 2.4초
            first.particle.starts_with("이고").then_some(first.end)
        });
        let left = (first.at.saturating_sub(NEAR)..first.at)
            .rev()
            .take_while(|at| !self.is_border(*at))
            .collect::<Vec<usize>>();
        let tail = (second.end..second.end + 3)
            .take_while(|at| !self.is_border(*at) && !number(at))
            .collect::<Vec<usize>>();
        if left.iter().any(|at| is_limit(self.word(*at))) {
            return None;
        }
        if between.clone().any(|at| is_limit(word(at))) || tail.iter().any(|at| word(*at) == "to") {
            return None;
        }
        let arrow = between
            .clone()
            .any(|at| word(at) == "->" || self.tokens.get(at).is_some_and(|t| t.is_punct('→')));
        let leaves = ["에서", "이던", "였던", "이었", "였는", "였다"]
            .iter()
            .any(|p| first.particle.starts_with(p))
            && (second.particle.starts_with('로') || second.particle.starts_with("으로"));
        // The old one is told last: "48 s, down from 75 s".
        if second.at.checked_sub(1).is_some_and(|at| word(at) == "from")
            && !between.clone().any(|at| word(at) == "to")
        {
            return Some((two, one, true));
        }
        let Some(cut) = cut else {
            let from_to =
                left.iter().any(|at| word(*at) == "from") && between.clone().any(|at| word(at) == "to");
            // Korean puts what is compared with first: 372MB 대신 311MB.
            let korean = between
                .clone()
                .any(|at| ["대신", "대비", "보다"].iter().any(|w| word(at).starts_with(w)));
            if from_to || arrow || leaves || korean {
                return Some((one, two, !arrow));
            }
            let than = between.any(|at| matches!(word(at), "instead" | "than" | "compared" | "was"));
            return than.then_some((two, one, true));
        };
        if leaves || arrow {
            return Some((one, two, !arrow));
        }
        // "was" in front of the first figure may be its only verb, and behind the second one it is of what follows.
        let verb = |at: usize| matches!(self.word(at), "was" | "were");
        let base = |at: usize| self.is_base(at) && !verb(at);
        let first_was = left.iter().any(|at| base(*at)) || (first.end..cut).any(base);
        let second_was = (cut..second.at).any(|at| self.is_base(at)) || tail.iter().any(|at| base(*at));
        match (first_was, second_was) {
            (true, false) => Some((one, two, true)),
            (false, true) => Some((two, one, true)),
            _ => None,
        }
    }

    /// Whether a word sets a figure into the time before the change.
    fn is_base(&self, at: usize) -> bool {
        let word = self.word(at);
        matches!(
            word,
            "was"
                | "were"
                | "before"
                | "previously"
                | "formerly"
                | "earlier"
                | "originally"
                | "main"
                | "master"
                | "baseline"
                | "전"
        ) || ["전에", "전엔", "기존", "이전", "원래", "종전", "예전"]
            .iter()
            .any(|w| word.starts_with(w))
    }
}

/// Words that make of a figure what may be or was wanted.
fn is_limit(word: &str) -> bool {
    matches!(
        word,
        "budget" | "limit" | "target" | "allowed" | "threshold" | "max" | "goal" | "lines" | "line"
    ) || ["목표", "기준", "한도", "상한", "예산", "허용", "행"]
        .iter()
        .any(|w| word.starts_with(w))
}

/// What a unit measures and how many of the smallest of its sort it holds, and what is written behind it.
fn unit(word: &str) -> Option<((Sort, f64), &str)> {
    const KOREAN: [(&str, Sort, f64); 10] = [
        ("나노초", Sort::Time, 1.0),
        ("밀리초", Sort::Time, 1e6),
        ("초", Sort::Time, 1e9),
        ("분", Sort::Time, 6e10),
        ("시간", Sort::Time, 3.6e12),
        ("바이트", Sort::Size, 1.0),
        ("메가", Sort::Size, 1048576.0),
        ("기가", Sort::Size, 1073741824.0),
        ("퍼센트", Sort::Percent, 1.0),
        ("프레임", Sort::Rate, 1.0),
    ];
    if let Some((sort, factor, rest)) = KOREAN
        .iter()
        .find_map(|(name, sort, factor)| word.strip_prefix(name).map(|rest| (*sort, *factor, rest)))
    {
        return Some(((sort, factor), rest));
    }
    let ascii = word
        .find(|c: char| !(c.is_ascii() || c == 'µ' || c == 'μ'))
        .unwrap_or(word.len());
    let (name, rest) = word.split_at(ascii);
    let known = match name {
        "ns" => (Sort::Time, 1.0),
        "us" | "µs" | "μs" => (Sort::Time, 1e3),
        "ms" | "msec" | "milliseconds" => (Sort::Time, 1e6),
        "s" | "sec" | "secs" | "second" | "seconds" => (Sort::Time, 1e9),
        "m" | "min" | "mins" | "minute" | "minutes" => (Sort::Time, 6e10),
        "h" | "hour" | "hours" => (Sort::Time, 3.6e12),
        "b" | "byte" | "bytes" => (Sort::Size, 1.0),
        "kb" | "kib" => (Sort::Size, 1024.0),
        "mb" | "mib" => (Sort::Size, 1048576.0),
        "gb" | "gib" => (Sort::Size, 1073741824.0),
        "tb" | "tib" => (Sort::Size, 1099511627776.0),
        "%" | "percent" => (Sort::Percent, 1.0),
        "k" => (Sort::Count, 1e3),
        "rps" | "qps" | "tps" | "fps" | "req/s" | "ops/s" | "mb/s" | "gb/s" => (Sort::Rate, 1.0),
        _ => return None,
    };
    Some((known, rest))
}
