//! What a text says was verified: affirmative, done, relevant, and not against the verdict.

use super::checked;
use super::data::{Ran, may_quote, ran};
use super::denial::{denied, ran_nothing};
use super::failing::{Failing, failure};
use super::figures::{Change, Figures, change, fraction, has_unit, number, slower};
use super::said::{Shown, gather, said};
use super::sentence::{Sentence, Sentences, holds_placeholder};
use super::shows::{NAUGHT, RESULT, WARNS, may_show, result_word, shows};
use super::told::{Rule, Told};
use super::void::Void;
use proctor_prose::{BlockKind, Clause, Features, Filter, Kinds, Reading, Tags, Token, TokenKind, tag};
use std::cell::OnceCell;

/// A clause that reports a verification, and its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) start: usize,
    pub(super) end: usize,
    /// `tests`, `build`, `types`, `lint`, `diff`, `logs`, `measured`, `reading`, `manual` or `stated`.
    pub(super) class: &'static str,
}

/// Everything that a text reports.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    pub(super) reports: Vec<Report>,
    /// A reported result speaks against an approval and is not explained away.
    pub(super) contradicted: bool,
    /// What else the decision looks at.
    pub(super) told: Told,
    /// What its data holds, as far as it was looked into.
    pub(super) parsed: checked::Parsed,
    /// Whether a line of it may hold a value in quotation marks, where that was asked for.
    pub(super) quotes: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    None,
    /// Something is said of a verification, and it is not that it was done with success.
    Void,
    /// A run of nothing: 0 tests.
    Empty,
    /// The verification seems to be denied; what looks like a denial may be the result ("without a warning").
    Denied,
    Good(&'static str),
    Bad,
    /// A failure that is known to exist without the change as well.
    Known,
}

/// Reads all reports of a text.
pub(super) fn find(text: &str, reading: &Reading, sentences: &Sentences<'_>) -> Evidence {
    let mut out = Evidence::default();
    let mut bad = false;
    let mut void = Void::default();
    let mut bare: Vec<usize> = Vec::new();
    let mut mood: Option<Features> = None;
    let mut nothing = false;
    let mut highest: Option<i16> = None;
    let mut words: Vec<&Token> = Vec::with_capacity(32);
    let mut shown = Shown::of(&reading.tokens, may_show, shows);
    for (index, clause) in reading.clauses.iter().enumerate() {
        let sentence = sentences.of_next(index, clause);
        let Some(block) = reading.blocks.get(clause.block) else {
            continue;
        };
        if matches!(
            block.kind,
            BlockKind::ListItem {
                checked: Some(false),
                ..
            }
        ) {
            continue;
        }
        let all = reading.tokens_of(clause);
        // Figures that go on a clause share its mood: "should pass: 12/12".
        let figures =
            clause.features.has(Features::CONTINUES) && !clause.kinds.any(Kinds::WORD.or(Kinds::HANGUL));
        let shared = mood.filter(|_| figures).map(|before| {
            let mut clause = clause.clone();
            clause.features |= Features(before.0 & (NOT_SAID.0 | Features::CONDITIONAL.0));
            clause
        });
        let clause = shared.as_ref().unwrap_or(clause);
        mood = Some(clause.features);
        let shows = shown.by(&clause.tokens);
        let nothing_said = shows & NAUGHT != 0;
        // Of most clauses no word matters to what follows: they are gathered where one can.
        let plain = !sentence.example && !nothing_said && is_plain(clause);
        let said: &[&Token] = if plain { &[] } else { gather(all, &mut words) };
        // A list of what could be said, without a figure or a source, is not said.
        let listed =
            sentence.example && !sourced(reading, said) && !said.iter().any(|t| t.kind == TokenKind::Number);
        if listed || holds_placeholder(reading, clause) {
            continue;
        }
        let may_deny = nothing_said || clause.features.has(Features::NEGATED);
        let denies = OnceCell::new();
        let denies = || may_deny && *denies.get_or_init(|| denied(reading, clause, said));
        let by_rule = outcome(reading, clause, said, sentence, shows, &denies);
        out.told.nothing |= nothing_said && !clause.features.any(NOT_DONE) && ran_nothing(reading, said);
        // A verdict is no report of what it rests on.
        let said_so = clause.chars > 3
            && block.kind.is_prose()
            && !(clause.tags.any(tag::APPROVE) && clause.margins.approval > 0);
        let rule = match by_rule {
            Outcome::None => Rule::Nothing,
            Outcome::Void | Outcome::Empty => Rule::Void,
            Outcome::Denied => Rule::Denied,
            Outcome::Good("stated") => Rule::Stated,
            Outcome::Good(_) => Rule::Report,
            Outcome::Bad => Rule::Bad,
            Outcome::Known => Rule::Known,
        };
        out.told.add(clause.sentence, clause.margins, rule, said_so);
        if said_so && highest.is_none_or(|best| best < clause.margins.evidence) {
            highest = Some(clause.margins.evidence);
            out.told.clause = Some(index);
        }
        let outcome = match by_rule {
            // Figures, commands and places speak for themselves.
            Outcome::Good(class)
                if clause.margins.evidence < (if class == "stated" { STATED } else { DOUBT })
                    && !sourced(reading, said)
                    && !said.iter().any(|t| t.kind == TokenKind::Number) =>
            {
                Outcome::None
            }
            Outcome::None if clause.margins.evidence > CERTAIN && said_so => {
                Outcome::Good(class(clause.tags, false, 0))
            }
            Outcome::Void if clause.margins.evidence > GUARDED && said_so => {
                Outcome::Good(class(clause.tags, false, 0))
            }
            Outcome::Denied if clause.margins.evidence > DENIED && said_so => {
                Outcome::Good(class(clause.tags, false, 0))
            }
            other => other,
        };
        match outcome {
            Outcome::Good("tests") if sentences.is_empty_run(clause) => {}
            Outcome::Good(class) => {
                let sourced = if plain {
                    sourced(reading, &super::said::said(all))
                } else {
                    sourced(reading, said)
                };
                for class in classes(reading, all, class) {
                    if !sourced {
                        bare.push(out.reports.len());
                    }
                    out.reports.push(Report {
                        start: clause.start,
                        end: clause.end,
                        class,
                    });
                }
                // A later full pass settles an earlier failure; a mere remark does not.
                if class != "stated" {
                    let again = || sentences.is_repetition(clause);
                    bad = bad && !again();
                    void.take_back(again);
                }
            }
            Outcome::Bad => bad = true,
            Outcome::Known => {}
            Outcome::Empty => nothing = true,
            Outcome::None | Outcome::Void | Outcome::Denied => {
                if !sentence.told && denies() {
                    void.add(reading, clause, said);
                }
            }
        }
    }
    for block in reading.blocks.iter().filter(|b| b.kind == BlockKind::Code) {
        match code_outcome(text.get(block.start..block.end).unwrap_or_default()) {
            Outcome::Good(class) => {
                out.told.shown = true;
                out.reports.push(Report {
                    start: block.start,
                    end: block.end,
                    class,
                });
            }
            Outcome::Bad => bad = true,
            _ => {}
        }
    }
    for block in reading.blocks.iter().filter(|b| b.kind == BlockKind::Data) {
        match ran(text.get(block.start..block.end).unwrap_or_default()) {
            Some(Ran::Well) => {
                out.told.shown = true;
                let (start, end) = (block.start, block.end);
                out.reports.push(Report {
                    start,
                    end,
                    class: "tests",
                });
            }
            Some(Ran::Badly) => bad = true,
            None => {}
        }
    }
    let mut left = checked::FIELDS;
    let quotes = may_quote(text);
    out.quotes = Some(quotes);
    for (at, block) in reading.blocks.iter().enumerate() {
        let told = match block.kind {
            BlockKind::Data => checked::in_data(text, reading, at, &mut left, &mut out.parsed),
            BlockKind::Paragraph if quotes => checked::in_lines(text, reading, at, &mut left),
            _ => continue,
        };
        for checked::Checked { start, end, class } in told {
            out.told.shown = true;
            let inside = |r: &Report| r.start >= block.start && r.end <= block.end;
            if !out.reports.iter().any(|r| r.class == class && inside(r)) {
                out.reports.push(Report { start, end, class });
            }
        }
    }
    let reported = !out.reports.is_empty();
    let mut index = 0;
    out.reports.retain(|report| {
        index += 1;
        !(bare.binary_search(&(index - 1)).is_ok() && void.voids(report.class))
    });
    out.reports.sort_by_key(|r| r.start);
    out.contradicted = bad;
    // All that was reported is said not to have been run.
    let taken = reported && out.reports.is_empty();
    let object = out.reports.iter().any(|r| r.class != "stated");
    out.told.close();
    out.told.bad = bad || (nothing || taken) && !object;
    out.told.any = !out.reports.is_empty();
    out.told.object = object;
    out
}

/// Margin of the model below which a clause reports nothing, whatever words it has.
const DOUBT: i16 = -100;
/// The same for a report that names nothing that was run: "the code looks clean".
const STATED: i16 = -24;
/// Margin above which a clause reports a verification though its words are not listed.
const CERTAIN: i16 = 0;
/// The same where the grammar speaks against it: a denial, a duty, something pending.
const DENIED: i16 = 64;
/// The same where it is heard, planned, asked for, conditional or of no consequence.
const GUARDED: i16 = 80;
/// Margin below which words of failure tell of none.
const HARMLESS: i16 = -30;

/// What takes a clause out of what has happened.
const NOT_SAID: Features = Features::QUESTION
    .or(Features::QUOTED)
    .or(Features::STRUCK)
    .or(Features::FUTURE)
    .or(Features::MODAL)
    .or(Features::BELIEF)
    .or(Features::PENDING)
    .or(Features::ONGOING);

/// Those of them that leave no doubt: nothing was done.
const NOT_DONE: Features = Features::QUESTION
    .or(Features::QUOTED)
    .or(Features::STRUCK)
    .or(Features::FUTURE)
    .or(Features::BELIEF)
    .or(Features::ONGOING);

/// Whether what a clause without a word for nothing says is told by its grammar and its margins alone: none of its words
/// reports anything, counts or denies.
fn is_plain(clause: &Clause) -> bool {
    !clause.tags.any(REPORTING) && !clause.kinds.any(Kinds::NUMBER) && !clause.features.has(Features::NEGATED)
}

fn outcome(
    reading: &Reading,
    clause: &Clause,
    tokens: &[&Token],
    sentence: Sentence,
    shows: u8,
    denies: &dyn Fn() -> bool,
) -> Outcome {
    let features = clause.features;
    let around = sentence.tags;
    let all = reading.tokens_of(clause);
    // An empty box: [ ] tests pass.
    if all.first().is_some_and(|t| t.is_punct('[')) && all.get(1).is_some_and(|t| t.is_punct(']')) {
        return Outcome::Void;
    }
    // A result that the writer cannot account for.
    if clause.kinds.any(Kinds::HANGUL)
        && all
            .iter()
            .any(|t| t.kind == TokenKind::Hangul && !t.quoted && unaccounted(reading.word(t)))
    {
        return Outcome::Bad;
    }
    if features.any(NOT_DONE) || sentence.told {
        return Outcome::Void;
    }
    if features.any(NOT_SAID) {
        return Outcome::Denied;
    }
    let failing = failure(reading, tokens, clause.tags, shows & WARNS != 0);
    let success = || success(reading, clause, tokens, around, failing, shows, denies);
    match failing {
        // Words of failure in a sentence that tells of none, as the model has it.
        Some(Failing::Told) if clause.margins.contrary < HARMLESS => success(),
        // "p99 dropped", 내려갔습니다: what fell is better for it.
        Some(Failing::Told | Failing::Perhaps)
            if change(reading, std::slice::from_ref(clause)) == Some(Change::Better) =>
        {
            success()
        }
        Some(Failing::Perhaps) if clause.margins.contrary < 0 => success(),
        Some(Failing::Counted | Failing::Told | Failing::Perhaps) if around.any(tag::BASE) => Outcome::Known,
        Some(Failing::Counted | Failing::Told | Failing::Perhaps) => Outcome::Bad,
        Some(Failing::Absent) | None => success(),
    }
}

/// Whether a Korean word says that the writer does not know.
fn unaccounted(word: &str) -> bool {
    word.starts_with("모르겠") || word.starts_with("모릅")
}

/// What at least one word has in every report without a figure. The tags of a clause tell of all its words but of an "once"
/// at its end, which has none of these (tested).
pub(super) const REPORTING: Tags = Tags(
    tag::TRIVIAL.0
        | tag::OKRES.0
        | tag::BADRES.0
        | tag::TESTS.0
        | tag::BUILD.0
        | tag::TYPES.0
        | tag::LINT.0
        | tag::DIFF.0
        | tag::LOGS.0
        | tag::TOOL.0
        | tag::RUN.0
        | tag::CHECK.0,
);

/// Whether a report names where it comes from: a command, a file, a log, CI.
fn sourced(reading: &Reading, said: &[&Token]) -> bool {
    const SOURCES: [&str; 5] = ["ci", "workflow", "jobs", "pipeline", "씨아이"];
    static MAY: Filter = Filter::of(&SOURCES);
    said.iter().any(|t| {
        matches!(t.kind, TokenKind::Code | TokenKind::Path | TokenKind::Url)
            || t.tags.any(tag::TOOL)
            || t.may_be(&MAY) && SOURCES.contains(&reading.word(t))
    })
}

/// Words with which a command's answer is told.
fn answers(word: &str) -> bool {
    matches!(
        word,
        "returned"
            | "returns"
            | "printed"
            | "prints"
            | "gave"
            | "gives"
            | "answered"
            | "answers"
            | "responded"
            | "responds"
            | "showed"
            | "shows"
            | "exits"
            | "exited"
    ) || ["응답", "반환", "결과", "출력"]
        .iter()
        .any(|w| word.starts_with(w))
}

/// Words for looking that promise no finding by themselves.
pub(super) fn weak_look(word: &str) -> bool {
    matches!(
        word,
        "reviewed" | "looked" | "examined" | "went" | "saw" | "read" | "studied" | "had"
    ) || ["검토", "살펴", "봤", "보았", "읽", "훑", "점검"]
        .iter()
        .any(|w| word.starts_with(w))
}

fn success(
    reading: &Reading,
    clause: &Clause,
    tokens: &[&Token],
    around: Tags,
    failing: Option<Failing>,
    shows: u8,
    denies: &dyn Fn() -> bool,
) -> Outcome {
    let features = clause.features;
    let tags = clause.tags;
    if features.has(Features::CONDITIONAL) || around.any(tag::POLICY) {
        return Outcome::Void;
    }
    if features.has(Features::IMPERATIVE) && !features.has(Features::PAST) || denies() {
        return Outcome::Denied;
    }
    let no_failure = failing == Some(Failing::Absent);
    // Without a figure and without a word of a check, its result or its object, nothing is reported.
    // Without a figure in the clause, none of its tokens is asked for one.
    let figured = if clause.kinds.any(Kinds::NUMBER) {
        tokens
    } else {
        &[]
    };
    let figures = Figures::of(reading, figured);
    if !(tags.any(REPORTING) || no_failure || figures.all > 0) {
        return Outcome::None;
    }
    let has = |kind: fn(&Token) -> bool| tokens.iter().any(|t| kind(t));
    let numbers = figures.all - figures.dates;
    let places = Kinds::PATH.or(Kinds::CODE).or(Kinds::IDENT);
    let place = clause.kinds.any(places)
        && has(|t| {
            matches!(t.kind, TokenKind::Path | TokenKind::Code)
                || t.kind == TokenKind::Ident && t.tags.is_empty()
        });
    let object = tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT | tag::DIFF | tag::LOGS | tag::TOOL;
    let all_pass = figures.all_pass;
    let ran = |t: &Token| t.tags.any(tag::TESTS | tag::OKRES) && !t.tags.any(tag::BADRES);
    let counter = |t: &Token| matches!(reading.word(t), "개" | "건" | "개가" | "건이");
    // A word for none counts as a figure here.
    let counted = if tags.any(tag::ZERO) { tokens } else { figured };
    let may_run = tags.any(tag::TESTS | tag::OKRES);
    let zero_tests = may_run
        && counted.iter().enumerate().any(|(at, t)| {
            let next = |n: usize| tokens.get(at + n);
            ((t.kind == TokenKind::Number) | t.tags.any(tag::ZERO))
                && (next(1).is_some_and(|n| ran(n))
                    || next(1).is_some_and(|n| counter(n)) && next(2).is_some_and(|n| ran(n)))
                && number(reading, t) == Some(0.0)
        });
    if zero_tests || figures.empty {
        return Outcome::Empty;
    }
    let trivial = tags.any(tag::TRIVIAL) && !tags.any(object.without(tag::DIFF)) && numbers == 0 && !place;
    if trivial {
        return Outcome::Void;
    }
    let ok = tags.any(tag::OKRES) || no_failure || all_pass;
    let said_object = tags.any(object)
        && tokens
            .iter()
            .any(|t| t.tags.any(object) & !t.tags.any(tag::WORK | tag::APPROVE));
    let counts = |figure: &Token, word: &Token| {
        figure.kind == TokenKind::Number
            && result_word(reading.word(word))
            && number(reading, figure).is_some_and(|n| n > 0.0)
    };
    let others = Kinds::HANGUL.or(Kinds::IDENT).or(Kinds::PATH);
    let counted = figures.all > 0
        && (shows & RESULT != 0 || clause.kinds.any(others))
        && figured.windows(2).any(|w| match w {
            [a, b] => counts(a, b) || counts(b, a),
            _ => false,
        });
    if counted {
        return Outcome::Good("tests");
    }
    if all_pass && around.any(object | tag::RUN) {
        return Outcome::Good("tests");
    }
    if ok && said_object || no_failure && numbers > 0 {
        return Outcome::Good(class(tags, place, numbers));
    }
    let deeds = if tags.any(tag::RUN | tag::CHECK) {
        tokens
    } else {
        &[]
    };
    let past = features.has(Features::PAST)
        || deeds
            .iter()
            .any(|t| t.kind == TokenKind::Hangul && t.tags.any(tag::RUN | tag::CHECK));
    let act = deeds
        .iter()
        .find(|t| t.tags.any(tag::RUN | tag::CHECK) & !t.tags.any(tag::STOP));
    if let Some(act) = act.filter(|act| !by_somebody_else(reading, tokens, act)) {
        let weak = weak_look(reading.word(act))
            && !tokens
                .iter()
                .any(|t| t.tags.any(tag::RUN | tag::CHECK) && !weak_look(reading.word(t)));
        let concrete = place
            || numbers > 0
            || tags.any(tag::LOGS | tag::TESTS | tag::BUILD | tag::LINT | tag::TYPES | tag::TOOL)
            || ok;
        if past && (concrete || !weak && !act.tags.any(tag::WORK)) {
            return Outcome::Good(class(tags, place, numbers));
        }
    }
    // A command and what it answered: `curl …` returned 200.
    let command = numbers > 0
        && clause.kinds.any(Kinds::CODE)
        && has(|t| t.kind == TokenKind::Code && t.tags.any(tag::TOOL | tag::TESTS | tag::BUILD));
    if command && tokens.iter().any(|t| answers(reading.word(t))) {
        return Outcome::Good(class(tags | tag::RUN, place, numbers));
    }
    // Figures: two measured values, or one against a base or a tool.
    let context = around.any(tag::RUN | tag::CHECK | tag::TOOL | tag::BASE | tag::DIFF | tag::TESTS);
    let may_measure = figures.all > 1 && tags.any(tag::MEASURE) || figures.all > 0 && context;
    let measures = |t: &&&Token| t.kind == TokenKind::Number && has_unit(reading, t);
    let measured = if may_measure {
        figured.iter().filter(measures).count()
    } else {
        0
    };
    if measured >= 2 && (context || tags.any(tag::MEASURE)) || measured >= 1 && context && place {
        return if slower(reading, clause) {
            Outcome::Bad
        } else {
            Outcome::Good("measured")
        };
    }
    // Diff statistics: +23 -5, 2 files changed.
    if figures.signed >= 2 || tags.any(tag::DIFF) && numbers > 0 && !tags.any(tag::REFUSE) {
        return Outcome::Good("diff");
    }
    Outcome::None
}

/// Whether a verb of verification has somebody else as its subject: "Bob tested it", "the author ran".
fn by_somebody_else(reading: &Reading, tokens: &[&Token], act: &Token) -> bool {
    let at = tokens
        .iter()
        .position(|t| t.start == act.start)
        .unwrap_or_default();
    let before = tokens.get(at.saturating_sub(2)..at).unwrap_or_default();
    let named = |t: &&Token| {
        let next = reading.tokens.partition_point(|n| n.start < t.end);
        let label = reading.tokens.get(next).is_some_and(|n| n.is_punct(':'));
        !label
            && t.kind == TokenKind::Word
            && t.capital
            && !t.caps
            && t.tags.is_empty()
            && reading.word(t).len() > 1
    };
    act.kind == TokenKind::Word
        && !before.iter().any(|t| t.tags.any(tag::FIRST))
        && before
            .iter()
            .any(|t| t.tags.any(tag::OTHER) && t.kind == TokenKind::Word || named(t))
}

/// The classes of a report: `main` alone, or every check whose result it gives ("the build succeeds without
/// warnings", "tests and lint pass").
fn classes(reading: &Reading, all: &[Token], main: &'static str) -> Vec<&'static str> {
    if !matches!(main, "tests" | "build" | "types" | "lint") {
        return vec![main];
    }
    let mut out: Vec<&'static str> = Vec::new();
    let mut waiting: Vec<&'static str> = Vec::new();
    let ends = |t: &Token| {
        matches!(t.kind, TokenKind::Punct(',' | '/' | '·' | '&' | '(' | '、'))
            || matches!(reading.word(t), "and" | "with" | "without" | "및" | "그리고")
    };
    let mut from = 0;
    while from < all.len() {
        let rest = all.get(from + 1..).unwrap_or_default();
        let to = from + 1 + rest.iter().position(ends).unwrap_or(rest.len());
        let part = said(all.get(from..to).unwrap_or_default());
        from = to;
        for token in &part {
            let class = [
                (tag::TESTS, "tests"),
                (tag::TYPES, "types"),
                (tag::LINT, "lint"),
                (tag::BUILD, "build"),
            ]
            .into_iter()
            .find(|(tags, _)| token.tags.any(*tags));
            if let Some((_, class)) = class.filter(|(_, c)| !waiting.contains(c)) {
                waiting.push(class);
            }
        }
        let tags = part.iter().fold(Tags::NONE, |all, t| all | t.tags);
        let absent = failure(reading, &part, tags, true) == Some(Failing::Absent)
            || matches!(part.as_slice(), [no, what] if no.tags.any(tag::NEG | tag::ZERO) && what.tags.any(tag::LINT));
        let given = part
            .iter()
            .any(|t| t.tags.any(tag::OKRES) || fraction(reading.word(t)).is_some());
        if absent || given {
            for class in waiting.drain(..) {
                if !out.contains(&class) {
                    out.push(class);
                }
            }
        }
    }
    if out.is_empty() {
        out.push(main);
    }
    out
}

/// The class of a report by what it is about.
fn class(tags: Tags, place: bool, numbers: usize) -> &'static str {
    let any = |t: Tags| tags.any(t);
    if any(tag::TESTS) {
        "tests"
    } else if any(tag::TYPES) {
        "types"
    } else if any(tag::LINT) {
        "lint"
    } else if any(tag::BUILD) {
        "build"
    } else if any(tag::LOGS) {
        "logs"
    } else if any(tag::MEASURE) && numbers > 0 {
        "measured"
    } else if any(tag::DIFF) {
        "diff"
    } else if any(tag::RUN) && (place || numbers > 0) {
        "manual"
    } else if place && any(tag::CHECK) {
        "reading"
    } else {
        "stated"
    }
}

/// What a code block shows: the last word of a test runner, a compiler or a command.
fn code_outcome(code: &str) -> Outcome {
    let mut good = None;
    for line in code.lines() {
        let low = line.to_lowercase();
        // Without a figure nothing is counted, and few lines are of any interest.
        let counts = low.bytes().any(|b| b.is_ascii_digit());
        let words: Vec<&str> = if counts || low.contains("panicked") {
            low.split(|c: char| !c.is_alphanumeric() && c != '/' && c != '.')
                .filter(|w| !w.is_empty())
                .collect()
        } else {
            Vec::new()
        };
        let count = |names: &[&str]| {
            words.windows(2).find_map(|w| match w {
                [n, name] if names.contains(name) => n.parse::<u64>().ok(),
                [name, n] if names.contains(name) => n.parse::<u64>().ok(),
                _ => None,
            })
        };
        if count(&["failed", "failures", "failure", "errors", "error"]).is_some_and(|n| n > 0)
            || words.contains(&"panicked")
        {
            return Outcome::Bad;
        }
        if count(&["passed", "pass", "ok", "passing"]).is_some_and(|n| n > 0) {
            good = Some("tests");
        } else if low.contains("build success")
            || low.contains("finished") && low.contains("target")
            || low.contains("0 errors")
        {
            good = good.or(Some("build"));
        } else if low.trim_start().starts_with("$ ") {
            good = good.or(Some("logs"));
        }
    }
    good.map_or(Outcome::None, Outcome::Good)
}
