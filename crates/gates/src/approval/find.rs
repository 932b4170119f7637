//! What a text claims: sentence by sentence, each clause by its subject, its result and its mood.

use super::claim::{Claim, ClaimKind};
use super::mood::{self, Around};
use super::named::{self, Source};
use super::result::{self, Outcome};
use super::{completion, data, marks, ran, subject, verified};
use proctor_kernel::{CheckKind, CheckKinds, Span};
use proctor_prose::{BlockKind, Clause, Kinds, Reading, Token, read, tag};
use std::cell::OnceCell;

/// What a text says of checks.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    /// What it claims.
    pub(super) claims: Vec<Claim>,
    /// The kinds of checks of which it says that they fail or were not run: what was claimed of them before is taken back.
    pub(super) back: CheckKinds,
    /// It says so of checks in general.
    pub(super) all_back: bool,
}

/// What an agent's text claims to hold now of its work, in the order of the text. Pure, and linear in the length of
/// the reading. A text in another language than English and Korean claims nothing that can be read.
#[must_use]
pub fn claims(text: &str, reading: &Reading) -> Vec<Claim> {
    let mut claims = report(text, reading).claims;
    claims.retain(|c| c.kind.holds());
    claims
}

/// The checks that a sentence says pass.
pub(crate) fn passing(sentence: &str) -> CheckKinds {
    let claims = passes(sentence, &read(sentence));
    claims.iter().filter_map(|c| c.kind.check()).collect()
}

/// What the words of a text say of checks that pass.
pub(crate) fn passes(text: &str, reading: &Reading) -> Vec<Claim> {
    let mut claims = in_words(text, reading).claims;
    claims.retain(|c| matches!(c.kind, ClaimKind::Check(_)));
    claims
}

/// As [`claims`], with the runs that are told without their result, and with what the text takes back of what was said
/// before it.
pub(super) fn report(text: &str, reading: &Reading) -> Report {
    let mut report = in_words(text, reading);
    if !reading.is_foreign() {
        data::join(text, reading, &mut report);
    }
    report
}

/// What the words of a text say, without what stands in data or in code.
fn in_words(text: &str, reading: &Reading) -> Report {
    if reading.is_foreign() {
        return Report::default();
    }
    let mut finder = Finder {
        text,
        source: Source::new(text),
        reading,
        found: Vec::new(),
        runs: ran::shown(text, reading).into_iter().collect(),
        row: None,
        ran: CheckKinds::NONE,
        plan: mood::Plan::default(),
        failed: [0; CheckKind::ALL.len()],
        back: CheckKinds::NONE,
        all_back: false,
        single: Vec::new(),
    };
    let mut marked = marks::read(text, reading).into_iter().peekable();
    let mut from = 0;
    while let Some(first) = reading.clauses.get(from) {
        let length = reading
            .clauses
            .iter()
            .skip(from)
            .take_while(|c| c.sentence == first.sentence)
            .count();
        while let Some(mark) = marked.next_if(|m| m.block <= first.block) {
            finder.found.push(mark.claim);
        }
        finder.sentence(reading.clauses.get(from..from + length).unwrap_or_default());
        from += length.max(1);
    }
    finder.found.extend(marked.map(|m| m.claim));
    finder.end()
}

struct Finder<'a> {
    text: &'a str,
    source: Source<'a>,
    reading: &'a Reading,
    found: Vec<Claim>,
    /// Runs that are told without what came of them.
    runs: Vec<Claim>,
    /// What the cells of a table row so far are about.
    row: Option<(usize, CheckKinds)>,
    /// What the sentence before said was run, without a result.
    ran: CheckKinds,
    plan: mood::Plan,
    /// For each kind: how many of the claims found so far a later failure has taken back.
    failed: [usize; CheckKind::ALL.len()],
    back: CheckKinds,
    all_back: bool,
    /// Where the claims begin that are of tests by their names: beside others that fail, they say nothing of all.
    single: Vec<usize>,
}

impl Finder<'_> {
    fn sentence(&mut self, clauses: &[Clause]) {
        let reading = self.reading;
        let Some(block) = clauses.first().and_then(|c| reading.blocks.get(c.block)) else {
            return;
        };
        let index = clauses.first().map_or(0, |c| c.block);
        let planned = self.plan.enter(reading, index, block, clauses);
        let unchecked = matches!(
            block.kind,
            BlockKind::ListItem {
                checked: Some(false),
                ..
            }
        );
        if planned || unchecked || !block.kind.is_prose() {
            return;
        }
        // A title names what its section is about: "Done", "Verified". A result in one is a result: "## ✅ All tests pass".
        let title = matches!(block.kind, BlockKind::Heading { .. });
        let entry = matches!(block.kind, BlockKind::ListItem { .. } | BlockKind::TableRow);
        if !clauses.iter().any(interesting) && self.row.is_none_or(|(b, _)| b != index) {
            return;
        }
        // Most sentences hold nothing whose mood matters.
        let cell = OnceCell::new();
        let around = || -> Around { *cell.get_or_init(|| Around::of(reading, clauses)) };
        // What earlier parts of the sentence are about, and a result that stands in front of what it is of.
        let mut about = match self.row {
            Some((row, kinds)) if row == index => kinds,
            _ => std::mem::take(&mut self.ran),
        };
        let mut ran = false;
        let mut deed = false;
        let mut ahead: Option<usize> = None;
        let first = clauses.first().and_then(|c| reading.tokens_of(c).first());
        let both = first.is_some_and(|t| reading.word(t) == "both");
        // Once for the sentence: it may have thousands of clauses.
        let runs_at_all = clauses.iter().any(|c| c.tags.any(tag::RUN));
        let mut wanted = false;
        let mut pending = Vec::new();
        let mut withdrawn = [0; CheckKind::ALL.len()];
        for (at, clause) in clauses.iter().enumerate() {
            let tokens: Vec<&Token> = reading.tokens_of(clause).iter().filter(|t| !t.quoted).collect();
            let mut kinds = subject::kinds(&self.source, reading, &tokens);
            // "Release build: fine, no warnings": of what was built.
            let warnings = !kinds.is_empty() && subject::only_warnings(reading, &tokens);
            if warnings && at > 0 && !about.is_empty() {
                kinds = CheckKinds::NONE;
            }
            let looks = !kinds.is_empty() && clause.tags.any(tag::CHECK | tag::RUN);
            let (with, from) = match looks {
                true => verified::with(&self.source, reading, &tokens),
                false => (CheckKinds::NONE, 0),
            };
            let said = tokens.get(from..).unwrap_or_default();
            let mut outcome = result::of(reading, clause, said, kinds);
            // "The build passes. There are no warnings."
            if warnings
                && about.is_empty()
                && outcome == Outcome::Good
                && subject::bare_warnings(reading, &tokens)
                && let Some(of) = self.passed_before()
            {
                kinds = of;
            }
            deed |= ran::deed(&self.source, reading, clause, &tokens);
            // "Ran it, 40 of 40."
            let told = deed || kinds.has(CheckKind::Tests) && tokens.iter().any(|t| t.is_punct(':'));
            if outcome == Outcome::None && told && result::all_of_all(reading, &tokens) {
                outcome = Outcome::Counted;
            }
            if !clause.tags.any(tag::TESTS) && kinds.has(CheckKind::Tests) && named::passes(reading, &tokens)
            {
                self.single.push(clause.start);
            }
            let checks = match outcome {
                Outcome::Good if kinds.is_empty() => {
                    // Who ran something and then tells a result tells its result.
                    let again = tokens.iter().any(|t| mood::is_after(reading.word(t)));
                    let short = (ran || again) && tokens.iter().filter(|t| t.is_word()).count() <= 6;
                    let alone = result::stands_alone(reading, &tokens);
                    if about.is_empty()
                        && (result::everything_passes(reading, &tokens)
                            || result::all_green(reading, &tokens, deed || runs_at_all)
                            || alone && result::none_failed(reading, &tokens)
                            || alone && deed && result::passes(reading, &tokens))
                    {
                        CheckKind::Tests.into()
                    } else if short || alone {
                        about
                    } else {
                        CheckKinds::NONE
                    }
                }
                Outcome::Counted if kinds.is_empty() && about.is_empty() => CheckKind::Tests.into(),
                Outcome::Counted if kinds.is_empty() => about,
                Outcome::Good | Outcome::Counted => {
                    let mut all = kinds;
                    // "Both the build and the tests succeed."
                    if at > 0 && both && tokens.first().is_some_and(|t| reading.word(t) == "and") {
                        all.join(about);
                    }
                    all
                }
                Outcome::Bad => {
                    // What is told next is what came of it after the repair.
                    ran = true;
                    let failed = if kinds.is_empty() { about } else { kinds };
                    for kind in failed.iter() {
                        mark(&mut withdrawn, kind, pending.len());
                        if around().is_now() {
                            mark(&mut self.failed, kind, self.found.len());
                        }
                    }
                    if around().is_now() {
                        self.takes_back(clause, failed);
                    }
                    CheckKinds::NONE
                }
                Outcome::Lacking => {
                    // "Tests look good, but I have not run them."
                    let them = |t: &&Token| {
                        matches!(
                            reading.word(t),
                            "them" | "it" | "any" | "anything" | "rest" | "nothing" | "those"
                        )
                    };
                    if clause.tags.any(tag::RUN) && tokens.iter().any(them) {
                        pending.clear();
                    }
                    if around().is_now() {
                        self.takes_back(clause, kinds);
                    }
                    CheckKinds::NONE
                }
                Outcome::None => with,
            };
            let ends_open = tokens.last().is_some_and(|t| t.is_punct(':'));
            let leads = outcome == Outcome::Good && kinds.is_empty() && ends_open;
            let follows = ahead.is_some() && outcome == Outcome::None && !kinds.is_empty();
            let unharmed = || {
                outcome == Outcome::Good
                    && result::regresses(reading, &tokens)
                    && result::stands_alone(reading, &tokens)
            };
            let verifies = checks.is_empty()
                && !title
                && !matches!(outcome, Outcome::Bad | Outcome::Lacking)
                && (clause.tags.any(tag::CHECK | tag::RUN | tag::TESTS)
                    && verified::is(reading, clauses, at, &tokens)
                    || unharmed());
            let completes = !title
                && clause.tags.any(tag::DONE | tag::PROCESS | tag::GENERIC)
                && completion::is(reading, &tokens)
                && !(entry && completion::is_of_a_part(reading, &tokens));
            let runs = clause.tags.any(tag::RUN) && !(about.is_empty() && kinds.is_empty());
            let matters = leads || follows || verifies || completes || runs || !checks.is_empty();
            // "unless the build and the linter succeed"; "…, and they pass now" speaks for itself.
            let goes_on = tokens
                .first()
                .is_some_and(|t| matches!(reading.word(t), "and" | "or" | "nor"))
                && !tokens.iter().take(3).any(|t| {
                    t.tags.any(tag::FIRST)
                        || matches!(reading.word(t), "they" | "it" | "all" | "everything" | "now")
                });
            wanted = mood::wants(reading, clause, said) || wanted && goes_on;
            if matters && !wanted && around().says(reading, at, clause, said) {
                if leads {
                    ahead = Some(at);
                } else if follows {
                    pending.extend(kinds.iter().map(|k| (clause, ClaimKind::Check(k))));
                }
                pending.extend(checks.iter().map(|k| (clause, ClaimKind::Check(k))));
                if verifies {
                    pending.push((clause, ClaimKind::Verified));
                }
                if completes {
                    pending.push((clause, ClaimKind::Done));
                }
                ran |= runs;
            }
            if outcome != Outcome::Lacking {
                let told = ran::told(&self.source, reading, clause, &tokens);
                if !told.is_empty() && around().says(reading, at, clause, &tokens) {
                    let claims = told.iter().map(|kind| self.claim(clause, ClaimKind::Ran(kind)));
                    self.runs.extend(claims.collect::<Vec<_>>());
                }
            }
            about.join(kinds);
        }
        if block.kind == BlockKind::TableRow {
            self.row = Some((index, about));
        }
        // "`yarn tsc` … ok"
        let trails = clauses.last().is_some_and(|c| {
            let tokens = reading.tokens_of(c);
            tokens
                .iter()
                .rev()
                .take(2)
                .filter(|t| t.is_punct('.') || t.is_punct('…'))
                .count()
                == 2
        });
        if pending.is_empty() && (trails || clauses.iter().any(|c| c.tags.any(tag::RUN))) && around().is_now()
        {
            self.ran = about;
        }
        // A check that is named says what was verified.
        let named = pending
            .iter()
            .any(|(_, kind)| matches!(kind, ClaimKind::Check(_)));
        for (at, (clause, kind)) in pending.into_iter().enumerate() {
            let back = matches!(kind, ClaimKind::Check(k) if at < withdrawn.get(k as usize).copied().unwrap_or_default());
            let named = named && kind == ClaimKind::Verified;
            if !back && !named {
                self.push(clause, kind);
            }
        }
    }

    /// The checks that the text said to pass last, where no linter is among them: that has warnings of its own.
    fn passed_before(&self) -> Option<CheckKinds> {
        let mut checks = self
            .found
            .iter()
            .rev()
            .filter_map(|c| Some((c.kind.check()?, c.sentence)));
        let (kind, sentence) = checks.next()?;
        let mut kinds = CheckKinds::from(kind);
        checks
            .take_while(|(_, s)| *s == sentence)
            .for_each(|(kind, _)| kinds.insert(kind));
        (!kinds.has(CheckKind::Lint)).then_some(kinds)
    }

    /// A clause says that checks fail or were not run: of these kinds or, where it names none and speaks of checking, of any.
    fn takes_back(&mut self, clause: &Clause, kinds: CheckKinds) {
        self.back.join(kinds);
        self.all_back |= kinds.is_empty() && clause.tags.any(tag::RUN | tag::CHECK);
    }

    fn push(&mut self, clause: &Clause, kind: ClaimKind) {
        // The claims of a clause stand together.
        let mut same = self
            .found
            .iter()
            .rev()
            .take_while(|c| c.span.start == clause.start);
        if same.any(|c| c.kind == kind) {
            return;
        }
        let claim = self.claim(clause, kind);
        self.found.push(claim);
    }

    fn claim(&self, clause: &Clause, kind: ClaimKind) -> Claim {
        Claim {
            kind,
            span: Span {
                start: clause.start,
                end: clause.end,
                text: self
                    .text
                    .get(clause.start..clause.end)
                    .unwrap_or_default()
                    .to_owned(),
                label: kind.as_str().to_owned(),
            },
            sentence: clause.sentence,
        }
    }

    fn end(mut self) -> Report {
        let failed = self.failed;
        let mut at = 0;
        self.found.retain(|c| {
            at += 1;
            !matches!(c.kind, ClaimKind::Check(k) if at <= failed.get(k as usize).copied().unwrap_or_default())
        });
        if self.back.has(CheckKind::Tests) {
            let single = std::mem::take(&mut self.single);
            self.found.retain(|c| {
                c.kind != ClaimKind::Check(CheckKind::Tests) || single.binary_search(&c.span.start).is_err()
            });
        }
        // Who names what is left does not call the whole complete.
        let done = |c: &Claim| c.kind == ClaimKind::Done;
        if self.found.iter().any(done)
            && self
                .reading
                .clauses
                .iter()
                .any(|c| mood::is_open(self.reading, c))
        {
            self.found.retain(|c| !done(c));
        }
        // Who tells a result told the run with it; who says that there was none, tells none.
        let results: CheckKinds = self
            .found
            .iter()
            .filter_map(|c| match c.kind {
                ClaimKind::Check(kind) => Some(kind),
                _ => None,
            })
            .collect();
        let (back, all_back) = (self.back, self.all_back);
        self.runs.retain(|run| {
            let kind = run.kind.check();
            let said = kind.is_some_and(|k| results.has(k));
            let shown = matches!(run.kind, ClaimKind::Shown(_));
            !(said || shown && (all_back || kind.is_some_and(|k| back.has(k))))
        });
        self.found.extend(self.runs);
        Report {
            claims: self.found,
            back: self.back,
            all_back: self.all_back,
        }
    }
}

fn mark(marks: &mut [usize; CheckKind::ALL.len()], kind: CheckKind, to: usize) {
    if let Some(mark) = marks.get_mut(kind as usize) {
        *mark = to;
    }
}

/// Whether a clause holds a word without which nothing can be claimed.
fn interesting(clause: &Clause) -> bool {
    clause.tags.any(
        tag::TESTS
            | tag::BUILD
            | tag::TYPES
            | tag::LINT
            | tag::OKRES
            | tag::DONE
            | tag::CHECK
            | tag::RUN
            | tag::PROCESS,
    ) || clause.chars < 12
        // "0 failures, 0 errors"
        || clause.tags.any(tag::BADRES) && (clause.kinds.any(Kinds::NUMBER.or(Kinds::IDENT).or(Kinds::CODE).or(Kinds::PATH)) || clause.tags.any(tag::ZERO))
}
