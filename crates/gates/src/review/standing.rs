//! Which reports an approval can rest on. A report may be true and tell nothing of the work as it is: it was made before the
//! last change, of something else, in the writer's head, or it only tells of an attempt. One that stands is enough.

use super::elsewhere::{Places, imagined};
use super::evidence::Report;
use super::figures::{Change, change};
use super::outdated::{Changes, before_the_last};
use proctor_prose::{Clause, Kinds, Reading, Tags, TokenKind, tag};

/// What checks are called.
const CHECKS: Tags = Tags(tag::TESTS.0 | tag::BUILD.0 | tag::TYPES.0 | tag::LINT.0);

/// Why a report does not stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fallen {
    /// It was made before the last change.
    Outdated,
    /// It is of another branch, an older version, another thing, or of the work without the change.
    Elsewhere,
    /// Nothing was run but in the writer's head.
    Imagined,
    /// A run was tried, and nothing came of it.
    Attempted,
    /// What was measured got worse.
    Worse,
    /// Something was done by hand, and nothing came of it.
    Naught,
}

impl Fallen {
    /// For people.
    pub(super) fn why(self) -> &'static str {
        match self {
            Self::Outdated => "what is reported was run before the last change",
            Self::Elsewhere => "what is reported was not run with the change, or not of it",
            Self::Imagined => "what is reported was not run",
            Self::Attempted => "a run is told that was tried, and not what came of it",
            Self::Worse => "what was measured got worse",
            Self::Naught => "nothing came of what was done by hand",
        }
    }
}

/// Why no report of the text stands, as of the first; `None` where one does, or where nothing is reported. `likeliest` is the
/// clause that reports where no rule found one.
pub(super) fn fallen(reading: &Reading, reports: &[Report], likeliest: Option<usize>) -> Option<Fallen> {
    let place = |start: usize| {
        let at = reading.clauses.partition_point(|c| c.start <= start);
        at.checked_sub(1)
    };
    let changes = Changes::of(reading);
    // A sentence is looked at once, however many reports it holds: the time stays linear.
    let mut last: Option<Sentence> = None;
    let mut falls = |at: usize, class: &str| {
        let clause = reading.clauses.get(at)?;
        if changes.outdate(at) {
            return Some(Fallen::Outdated);
        }
        let sentence = match last {
            Some(known) if known.number == clause.sentence => known,
            _ => Sentence::of(reading, clause.sentence),
        };
        last = Some(sentence);
        sentence.falls(at, class)
    };
    let mut first = None;
    for report in reports {
        let fallen = falls(place(report.start)?, report.class)?;
        first = first.or(Some(fallen));
    }
    match first {
        Some(fallen) => Some(fallen),
        None => falls(likeliest?, "stated"),
    }
}

/// What a sentence says of the runs that it reports.
#[derive(Clone, Copy)]
struct Sentence {
    number: usize,
    /// Its first clause.
    first: usize,
    /// It puts them before the last change.
    early: bool,
    places: Places,
    /// The sentence before it tells of a run elsewhere, and this one only of its result.
    goes_on: bool,
    imagined: bool,
    attempted: bool,
    /// A figure in it got worse.
    worse: bool,
    /// It names a check, or what came of a run.
    checks: bool,
    /// It names a check.
    named: bool,
    /// It says that something passed.
    passes: bool,
}

impl Sentence {
    fn of(reading: &Reading, number: usize) -> Self {
        let clauses = clauses(reading, number);
        let tags = all_tags(clauses);
        let change = change(reading, clauses);
        // Figures that are set against those of another place are of both: "212 s on main, 197 s with the unroller".
        let places = if change.is_some() {
            Places::default()
        } else {
            Places::of(reading, clauses)
        };
        let before = number.checked_sub(1).map(|number| self::clauses(reading, number));
        let goes_on = !tags.any(tag::RUN)
            && !places.is_own()
            && before.is_some_and(|before| {
                all_tags(before).any(tag::RUN) && Places::of(reading, before).ends_away()
            });
        Self {
            number,
            first: reading.clauses.partition_point(|c| c.sentence < number),
            early: before_the_last(reading, clauses),
            places,
            goes_on,
            imagined: clauses.iter().any(|c| imagined(reading, c)),
            attempted: attempted(reading, clauses),
            worse: change == Some(Change::Worse),
            checks: tags.any(CHECKS) || tags.any(tag::RUN) && tags.any(tag::OKRES),
            named: tags.any(CHECKS),
            passes: tags.any(tag::OKRES),
        }
    }

    /// Why a report of a class in the clause at `at` does not tell of the work as it is.
    fn falls(self, at: usize, class: &str) -> Option<Fallen> {
        let of_check = matches!(class, "tests" | "build" | "types" | "lint");
        if self.early {
            return Some(Fallen::Outdated);
        }
        if self.worse && !(of_check && self.passes) {
            return Some(Fallen::Worse);
        }
        // What was read, compared or seen by hand is told in other words.
        if !(self.checks || of_check) {
            return None;
        }
        if self.goes_on || self.places.leads_away(at.saturating_sub(self.first)) {
            return Some(Fallen::Elsewhere);
        }
        if self.imagined && self.named {
            return Some(Fallen::Imagined);
        }
        self.attempted.then_some(Fallen::Attempted)
    }
}

fn clauses(reading: &Reading, number: usize) -> &[Clause] {
    let from = reading.clauses.partition_point(|c| c.sentence < number);
    let to = reading.clauses.partition_point(|c| c.sentence <= number);
    reading.clauses.get(from..to).unwrap_or_default()
}

fn all_tags(clauses: &[Clause]) -> Tags {
    clauses.iter().fold(Tags::NONE, |all, c| all | c.tags)
}

/// Whether a sentence tells of an attempt at a check and of nothing that came of it: "I tried to run the tests", 빌드를
/// 시도했습니다.
fn attempted(reading: &Reading, clauses: &[Clause]) -> bool {
    let came = tag::OKRES | tag::BADRES | tag::AGREE | tag::WORSE;
    if all_tags(clauses).any(came) || clauses.iter().any(|c| c.kinds.any(Kinds::NUMBER)) {
        return false;
    }
    clauses.iter().any(|clause| {
        let tokens = reading.tokens_of(clause);
        let word = |at: usize| {
            let token = tokens.get(at).filter(|t| !t.quoted && t.is_word());
            token.map_or("", |t| reading.word(t))
        };
        (0..tokens.len()).any(|at| {
            let english = matches!(
                word(at),
                "tried"
                    | "attempted"
                    | "began"
                    | "started"
                    | "meant"
                    | "wanted"
                    | "planned"
                    | "intended"
                    | "hoped"
            ) && word(at + 1) == "to"
                && matches!(
                    word(at + 2),
                    "run" | "build" | "compile" | "test" | "execute" | "lint" | "check"
                );
            let korean = tokens.get(at).is_some_and(|t| t.kind == TokenKind::Hangul) && {
                let before = at.checked_sub(1).map_or("", word);
                let check = ["빌드", "테스트", "컴파일", "린트", "검사", "실행"]
                    .iter()
                    .any(|stem| before.starts_with(stem));
                let tries = ["시도했", "시도해", "시작했"]
                    .iter()
                    .any(|stem| word(at).starts_with(stem));
                check && tries
                    || (before.ends_with("려고") || before.ends_with("려")) && word(at).starts_with('했')
            };
            english || korean
        })
    })
}
