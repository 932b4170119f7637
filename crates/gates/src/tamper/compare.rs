//! Tests at the base against tests now: what is gone, what is left out, what demands less.

use super::asserts::{Demands, demands, demands_when_run, statements};
use super::find::{Panics, Source, State, Test};
use super::forms;
use super::helpers::{Helper, Helpers, Leaves, Others, changed};
use super::lang::is_fixture;
use super::lang::{Lang, is_test_path, subject};
use super::less::{Less, less};
use super::lex::{Sort, Token};
use super::moot;
use super::pairs::{At, Pairs, base, is_run, now, pair};
use super::product::definitions;
use super::rows;
use super::stands::Stands;
use super::switches::product_features;
use super::{Finding, Kind, Severity, Sides, counted, listed};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Compares the tests. Gives the number of those that are gone for a reason that the files show.
pub(super) fn tests(sides: &[Sides<'_>], out: &mut Vec<Finding>) -> usize {
    let pairs = pair(sides);
    let mut groups = Groups::default();
    left_out(sides, &pairs, &mut groups);
    let explained = gone(sides, &pairs, &mut groups);
    let mut found = Vec::new();
    groups.tell(sides, &mut found);
    focused(sides, &mut found);
    weaker(sides, &pairs, &mut found);
    // Tests of a small project that a test runs a tool on are not run by themselves.
    let fixture = |f: &&mut Finding| is_fixture(&f.path) && f.kind != Kind::TestsUnseen;
    found
        .iter_mut()
        .filter(fixture)
        .for_each(|f| f.severity = Severity::Note);
    out.append(&mut found);
    explained
}

/// Tests of one file about which the same is to be said.
#[derive(Default)]
struct Groups(BTreeMap<(usize, Why), (Vec<String>, Option<u32>)>);

/// What is to be said of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    Gone,
    /// What they name is gone as well.
    GoneWithSubject,
    /// What they compared stands in another test now.
    Merged,
    Unseen,
    CommentedOut,
    Skipped,
    /// New, and left out from the beginning.
    NewSkipped,
    /// Built, or run, only with a feature that it did not need.
    Gated,
    /// Run again where they fail, more often than before.
    Repeated,
}

impl Groups {
    fn add(&mut self, file: usize, why: Why, name: &str, line: Option<u32>) {
        let (names, first) = self.0.entry((file, why)).or_default();
        names.push(name.to_owned());
        *first = first.or(line);
    }

    fn tell(self, sides: &[Sides<'_>], out: &mut Vec<Finding>) {
        for ((file, why), (names, line)) in self.0 {
            let path = sides.get(file).map_or("", |s| s.path);
            let tests = counted(names.len(), "test", "tests");
            let are = if names.len() == 1 { "is" } else { "are" };
            let names = listed(&names);
            let (kind, severity, words) = match why {
                Why::Gone => (
                    Kind::TestsGone,
                    Severity::Block,
                    format!("{tests} of {path} {are} gone: {names}"),
                ),
                Why::GoneWithSubject => (
                    Kind::TestsGone,
                    Severity::Note,
                    format!("{tests} of {path} {are} gone, and so is what they name: {names}"),
                ),
                Why::Merged => (
                    Kind::TestsGone,
                    Severity::Note,
                    format!(
                        "{tests} of {path} {are} gone, and their values stand in another test now: {names}"
                    ),
                ),
                Why::Unseen => (
                    Kind::TestsUnseen,
                    Severity::Block,
                    format!("{tests} of {path} {are} still there, but no runner finds them: {names}"),
                ),
                Why::CommentedOut => (
                    Kind::TestsCommentedOut,
                    Severity::Block,
                    format!("{tests} of {path} {are} in comments now: {names}"),
                ),
                Why::Skipped => (
                    Kind::TestsSkipped,
                    Severity::Block,
                    format!("{tests} of {path} {are} marked to be left out or to fail: {names}"),
                ),
                Why::Gated => (
                    Kind::TestsSkipped,
                    Severity::Block,
                    format!(
                        "{tests} of {path} {are} run only with a feature that the product does not ask for: {names}"
                    ),
                ),
                Why::Repeated => (
                    Kind::AssertionsWeakened,
                    Severity::Block,
                    format!("{tests} of {path} {are} run again where they fail: {names}"),
                ),
                Why::NewSkipped => (
                    Kind::TestsSkipped,
                    Severity::Note,
                    format!(
                        "{} of {path} {are} left out: {names}",
                        tests.replacen(' ', " new ", 1)
                    ),
                ),
            };
            out.push(Finding {
                kind,
                severity,
                path: path.to_owned(),
                line,
                words,
            });
        }
    }
}

/// Tests that have a partner which is not run, and new ones that are not.
fn left_out(sides: &[Sides<'_>], pairs: &Pairs, groups: &mut Groups) {
    let product = OnceCell::new();
    for (before, after) in &pairs.same {
        let (Some((_, was)), Some((source, is))) = (base(sides, *before), now(sides, *after)) else {
            continue;
        };
        let new = |feature: &&String| {
            let known = product.get_or_init(|| product_features(sides));
            !was.features.contains(feature) && !known.contains(feature.as_str())
        };
        if is.state == State::Active && is.features.iter().any(|f| new(&f)) {
            groups.add(after.file, Why::Gated, &was.name, Some(is.line));
        }
        if is.retries > was.retries {
            groups.add(after.file, Why::Repeated, &was.name, Some(is.line));
        }
        if is.state == State::Skipped {
            groups.add(after.file, Why::Skipped, &was.name, Some(is.line));
        } else if !source.collected || hidden(sides, *before, *after) {
            groups.add(after.file, Why::Unseen, &was.name, Some(is.line));
        }
    }
    for at in &pairs.new {
        if let Some((_, test)) = now(sides, *at).filter(|(_, t)| t.state == State::Skipped) {
            groups.add(at.file, Why::NewSkipped, &test.name, Some(test.line));
        }
    }
}

/// Whether a test was moved to where only material for tests stands.
fn hidden(sides: &[Sides<'_>], before: At, after: At) -> bool {
    let path = |at: At| sides.get(at.file).map_or("", |s| s.path);
    is_fixture(path(after)) && !is_fixture(path(before))
}

/// Tests that have no partner.
fn gone(sides: &[Sides<'_>], pairs: &Pairs, groups: &mut Groups) -> usize {
    if pairs.gone.is_empty() {
        return 0;
    }
    let removed = removed_definitions(sides);
    let subjects = removed_files(sides);
    let beside: Vec<Option<Beside<'_>>> = sides
        .iter()
        .enumerate()
        .map(|(file, side)| Beside::of(file, side, pairs))
        .collect();
    let mut explained = 0;
    for at in &pairs.gone {
        let (Some(side), Some((source, test))) = (sides.get(at.file), base(sides, *at)) else {
            continue;
        };
        if side.now.is_none() && subjects.contains(&subject(side.path)) {
            explained += 1;
            continue;
        }
        let why = why_gone(source, test, &removed, at.file, &beside);
        explained += usize::from(matches!(why, Why::GoneWithSubject | Why::Merged));
        groups.add(at.file, why, &test.name, None);
    }
    explained
}

/// What a file holds now beside its tests, and what could have taken a test in.
struct Beside<'s> {
    words: BTreeSet<&'s str>,
    comments: Vec<&'s str>,
    literals: HashSet<&'s str>,
    /// How much more often each of its values stands there than at the base.
    more: HashMap<&'s str, isize>,
    /// What the tests that are run do, without their names.
    bodies: HashSet<String>,
    /// It has tests that are new, or has grown.
    grown: bool,
}

impl<'s> Beside<'s> {
    fn of(file: usize, side: &'s Sides<'_>, pairs: &Pairs) -> Option<Self> {
        let now = side.now.as_ref()?;
        let mut inside = vec![false; now.tokens.len()];
        for test in &now.tests {
            inside
                .get_mut(test.body.clone())
                .into_iter()
                .flatten()
                .for_each(|slot| *slot = true);
        }
        // A group of tests may have the name that a test had.
        let groups = |at: usize| {
            at.checked_sub(1)
                .and_then(|n| now.tokens.get(n))
                .is_some_and(|t| matches!(t.text, "mod" | "module" | "namespace" | "class"))
        };
        let words = now.tokens.iter().zip(inside).enumerate();
        let words = words
            .filter(|(at, (_, inside))| !inside && !groups(*at))
            .map(|(_, found)| found);
        // Titles of tests are no values.
        let titles = |s: &Source<'_>| match s.lang {
            Lang::Script | Lang::Ruby => s.tests.len(),
            _ => 0,
        };
        let values = |s: &Source<'_>| {
            s.tokens
                .iter()
                .filter(|t| t.is_literal())
                .map(|t| s.cells(t).count())
                .sum::<usize>()
        };
        let literals = |s: &Source<'_>| values(s).saturating_sub(titles(s));
        let was = side.base.as_ref();
        let mut more: HashMap<&str, isize> = HashMap::new();
        for (source, by) in [(Some(now), 1), (was, -1)] {
            let values = source.iter().flat_map(|s| &s.tokens).filter(|t| t.is_literal());
            values.for_each(|t| *more.entry(t.text).or_default() += by);
        }
        Some(Self {
            words: words
                .filter(|(t, _)| matches!(t.sort, Sort::Word | Sort::Text))
                .map(|(t, _)| t.text)
                .collect(),
            comments: now
                .tokens
                .iter()
                .filter(|t| t.sort == Sort::Comment && t.text.contains(['(', '"', '\'']))
                .map(|t| t.text)
                .collect(),
            literals: now
                .tokens
                .iter()
                .filter(|t| t.is_literal())
                .flat_map(|t| now.cells(t))
                .collect(),
            more,
            bodies: now
                .tests
                .iter()
                .filter(|t| is_run(now, t))
                .map(|t| does(&now.body(t), &t.name))
                .collect(),
            grown: pairs.new.iter().any(|at| at.file == file)
                || (now.for_tests && was.is_some_and(|was| literals(now) >= literals(was))),
        })
    }
}

/// A test's tokens without its name, as one text.
fn does(body: &[Token<'_>], name: &str) -> String {
    let texts = body.iter().map(|t| t.text).filter(|text| *text != name);
    texts.collect::<Vec<_>>().join(" ")
}

fn why_gone(
    source: &Source<'_>,
    test: &Test,
    removed: &BTreeSet<&str>,
    file: usize,
    beside: &[Option<Beside<'_>>],
) -> Why {
    let name = test.name.as_str();
    let body = source.body(test);
    // A name of one letter or a title of one word stands anywhere.
    if let Some(Some(now)) = beside.get(file).filter(|_| name.len() >= 4) {
        if now.words.iter().any(|text| text.ends_with(name)) {
            return Why::Unseen;
        }
        if now.comments.iter().any(|text| text.contains(name)) {
            return Why::CommentedOut;
        }
    }
    if body
        .iter()
        .any(|t| t.sort == Sort::Word && removed.contains(t.text))
    {
        return Why::GoneWithSubject;
    }
    let own = beside.get(file).and_then(Option::as_ref);
    if own.is_some_and(|now| now.bodies.contains(&does(&body, name))) {
        return Why::Merged;
    }
    let literals: HashSet<&str> = body.iter().filter(|t| t.is_literal()).map(|t| t.text).collect();
    let holds = |now: &Beside<'_>| {
        let found = literals.iter().filter(|l| now.literals.contains(*l)).count();
        now.grown && found * 10 >= literals.len() * 8
    };
    // What a test is called is nothing that it compares with; then all of it must have come to stand in another place.
    let titled = matches!(source.lang, Lang::Script | Lang::Ruby) && literals.len() > 2;
    let moved = |now: &Beside<'_>| {
        let is_own = own.is_some_and(|own| std::ptr::eq(own, now));
        let more = |l: &str| now.more.get(l).copied().unwrap_or(isize::MIN);
        let mut values = literals.iter().filter(|l| **l != name);
        now.grown && values.all(|l| more(l) >= isize::from(!is_own))
    };
    let merged = |now: &Beside<'_>| holds(now) || titled && moved(now);
    if literals.len() >= 2 && beside.iter().flatten().any(merged) {
        Why::Merged
    } else {
        Why::Gone
    }
}

/// Names that the product defined at the base and does not define any more.
fn removed_definitions<'a>(sides: &'a [Sides<'_>]) -> BTreeSet<&'a str> {
    let mut removed: BTreeSet<&str> = BTreeSet::new();
    for source in sides.iter().filter_map(|s| s.base.as_ref()) {
        removed.extend(definitions(source));
    }
    for source in sides.iter().filter_map(|s| s.now.as_ref()) {
        for name in definitions(source) {
            removed.remove(name);
        }
    }
    removed
}

/// Names of product files that are gone and came back nowhere.
fn removed_files(sides: &[Sides<'_>]) -> BTreeSet<String> {
    let product = |s: &&Sides<'_>| !is_test_path(s.path);
    let mut names: BTreeSet<String> = sides
        .iter()
        .filter(product)
        .filter(|s| s.now.is_none())
        .map(|s| subject(s.path))
        .collect();
    for side in sides.iter().filter(product).filter(|s| s.now.is_some()) {
        names.remove(&subject(side.path));
    }
    names
}

/// Marks that leave out every other test.
fn focused(sides: &[Sides<'_>], out: &mut Vec<Finding>) {
    for side in sides {
        let count = |source: Option<&Source<'_>>| source.map_or(0, |s| s.focus.len());
        let (was, is) = (count(side.base.as_ref()), count(side.now.as_ref()));
        if is > was {
            let line = side.now.as_ref().and_then(|s| s.focus.first().copied());
            out.push(Finding {
                kind: Kind::TestsFocused,
                severity: Severity::Block,
                path: side.path.to_owned(),
                line,
                words: format!(
                    "a mark in {} runs some tests and leaves out all others",
                    side.path
                ),
            });
        }
    }
}

/// Tests that demand less than they did.
fn weaker<'a>(sides: &[Sides<'a>], pairs: &Pairs, out: &mut Vec<Finding>) {
    let files: Vec<File> = sides
        .iter()
        .enumerate()
        .map(|(at, side)| File::of(at, side, pairs))
        .collect();
    let helpers: Vec<(Helpers<'_>, Helpers<'_>)> = sides
        .iter()
        .map(|side| (Helpers::of(side.base.as_ref()), Helpers::of(side.now.as_ref())))
        .collect();
    let removed = removed_definitions(sides);
    let given: Vec<OnceCell<rows::Given<'a>>> = sides.iter().map(|_| OnceCell::new()).collect();
    let others = Others::of(helpers.iter().map(|(_, is)| is));
    for (at, (was, is)) in helpers.iter().enumerate() {
        let judges = |helper: &Helper<'a>| {
            helper.demands.real > 0 || is.assert_for(&helper.body, &others, &BTreeSet::new()) > 0
        };
        helpers_weaker(sides, &files, at, given.get(at), (changed(was, is), &judges), out);
    }
    let mut stands = Stands::default();
    for (before, after) in &pairs.same {
        let (Some((old, was)), Some((new, is))) = (base(sides, *before), now(sides, *after)) else {
            continue;
        };
        if !is_run(new, is) {
            continue;
        }
        let (old_body, new_body) = (old.body(was), new.body(is));
        let was_demands = with_panic(demands_when_run(old.lang, &old_body), was);
        let is_demands = with_panic(demands_when_run(new.lang, &new_body), is);
        // What a function of the file asserts for it counts as its own, and so does one of another file that is called anew.
        let for_it = |at: At, of_base: bool, body: &[Token<'_>]| {
            let both = helpers.get(at.file);
            both.map_or(0, |(base, now)| match of_base {
                true => base.assert_for(body, &Others::default(), &BTreeSet::new()),
                false => now.assert_for(body, &others, &called(&old_body)),
            })
        };
        let (had_called, has_called) = (for_it(*before, true, &old_body), for_it(*after, false, &new_body));
        // A function that itself asserts less is told of by itself.
        let lost_call = has_called < had_called && !same_calls(&old_body, &new_body);
        let path = sides.get(after.file).map_or("", |s| s.path);
        let stand_in = stands.stand_in(path, (before.file, after.file), (old, was), (new, is));
        let to_panic =
            is.panics.is_some() && was.panics.is_none() && does(&old_body, "") == does(&new_body, "");
        if was_demands == is_demands && !lost_call && stand_in.is_none() && !to_panic {
            continue;
        }
        let Some(file) = files.get(after.file) else {
            continue;
        };
        let subject_gone = old_body
            .iter()
            .any(|t| t.sort == Sort::Word && removed.contains(t.text))
            && !new_body
                .iter()
                .any(|t| t.sort == Sort::Word && removed.contains(t.text));
        let mut add = |kind: Kind, severity: Severity, words: String| {
            out.push(Finding {
                kind,
                severity,
                path: path.to_owned(),
                line: Some(is.line),
                words: format!("`{}` of {path} {words}", is.name),
            });
        };
        // With the very words of before it would have failed; now that is what is asked.
        if to_panic && was_demands.real > 0 {
            let words = "is marked to panic, and does what it did before".to_owned();
            add(Kind::TestsSkipped, Severity::Block, words);
            continue;
        }
        if let Some(name) = stand_in {
            let severity = if subject_gone {
                Severity::Note
            } else {
                Severity::Block
            };
            let words =
                format!("asserts about `{name}`, in the place of which its file puts something of its own");
            add(Kind::AssertionsWeakened, severity, words);
        }
        if is_demands.swallows > was_demands.swallows {
            let words = "catches a failure and drops it".to_owned();
            add(Kind::ErrorsSwallowed, Severity::Block, words);
        }
        if let Some((words, how)) = less(&was_demands, &is_demands) {
            let had = was_demands.real + had_called;
            let made_up = rows::matched(old.lang, &old_body, &new_body)
                + forms::made_up(old.lang, &old_body, &new_body)
                + moot::errors(old.lang, &old_body, &new_body);
            let had = had.saturating_sub(made_up);
            let has = is_demands.real + has_called;
            let lower = (file.is < file.was || before.file != after.file) && has < had;
            let blocks = match how {
                Less::Certain => true,
                Less::Nothing => lower || has < had && !file.helps(&old_body, &new_body),
                Less::Fewer => {
                    lower
                        && !subject_gone
                        && !file.holds(old.lang, &old_body, &new_body)
                        && !forms::fewer_ways(old.lang, &old_body, &new_body)
                        && !given.get(after.file).is_some_and(|given| {
                            let given = given.get_or_init(|| rows::Given::of(new));
                            rows::hold((old, was), (new, is), given)
                        })
                }
            };
            let severity = if blocks { Severity::Block } else { Severity::Note };
            add(Kind::AssertionsWeakened, severity, words);
        } else if lost_call && is_demands.real + has_called < was_demands.real + had_called {
            // Another function that is called now may assert as much, where it cannot be seen.
            let severity = if subject_gone || calls_anew(&old_body, &new_body) {
                Severity::Note
            } else {
                Severity::Block
            };
            let words = format!(
                "does not call any more what asserted for it: {} there; at the base {had_called}",
                counted(has_called, "assertion", "assertions")
            );
            add(Kind::AssertionsWeakened, severity, words);
        }
    }
}

/// A test that asserts nothing by itself and is to panic demands that.
fn with_panic(mut demands: Demands, test: &Test) -> Demands {
    if demands.real == 0
        && let Some(panics) = test.panics
    {
        demands.real = 1;
        demands.exact = usize::from(panics == Panics::Saying);
    }
    demands
}

/// The names that are called in a body.
fn called<'a>(body: &[Token<'a>]) -> BTreeSet<&'a str> {
    let calls = body
        .windows(2)
        .filter(|w| matches!(w, [name, open] if name.sort == Sort::Word && open.is_sign("(")));
    calls.filter_map(|w| w.first()).map(|t| t.text).collect()
}

fn same_calls(was: &[Token<'_>], is: &[Token<'_>]) -> bool {
    called(was) == called(is)
}

/// Whether a body calls what it did not call before.
fn calls_anew(was: &[Token<'_>], is: &[Token<'_>]) -> bool {
    let known = called(was);
    called(is).iter().any(|name| !known.contains(name))
}

/// Functions of a file that assert less for tests than they did. Tests that call them may read as before.
fn helpers_weaker<'h, 'a: 'h>(
    sides: &[Sides<'a>],
    files: &[File],
    at: usize,
    given: Option<&OnceCell<rows::Given<'a>>>,
    (changed, judges): (
        impl Iterator<Item = (&'a str, &'h Helper<'a>, &'h Helper<'a>)>,
        &dyn Fn(&Helper<'a>) -> bool,
    ),
    out: &mut Vec<Finding>,
) {
    let (Some(side), Some(file), Some(given)) = (sides.get(at), files.get(at), given) else {
        return;
    };
    let (Some(old), Some(new)) = (side.base.as_ref(), side.now.as_ref()) else {
        return;
    };
    for (name, was, is) in changed {
        let mut add = |kind, severity, words: String| {
            out.push(Finding {
                kind,
                severity,
                path: side.path.to_owned(),
                line: Some(is.line),
                words: format!("`{name}` of {}, which stands with tests, {words}", side.path),
            });
        };
        let called = Helpers::may_be_called(name, old) || Helpers::may_be_called(name, new);
        if is.demands.swallows > was.demands.swallows && called {
            // One that asserts nothing, such as a server for the tests, drops failures of its own means.
            let severity = if judges(was) || judges(is) {
                Severity::Block
            } else {
                Severity::Note
            };
            let words = "catches a failure and drops it".to_owned();
            add(Kind::ErrorsSwallowed, severity, words);
        }
        if let (None, Some(leaves)) = (was.leaves, is.leaves) {
            let severity = if called { Severity::Block } else { Severity::Note };
            let (kind, words) = match leaves {
                Leaves::Returns => (
                    Kind::AssertionsWeakened,
                    "returns before what it asserts is reached",
                ),
                Leaves::Skips => (Kind::TestsSkipped, "begins by leaving the test that calls it"),
            };
            add(kind, severity, words.to_owned());
        }
        let Some((words, how)) = less(&was.demands, &is.demands) else {
            continue;
        };
        // What it asserted may stand in another function now, of this file or of another one for tests, or in a table.
        let stands = |file: &File| file.holds(old.lang, &was.body, &is.body);
        let kept = how != Less::Certain
            && (file.is >= file.was
                || files.iter().any(stands)
                || forms::fewer_ways(old.lang, &was.body, &is.body)
                || rows::hold_in(
                    old.lang,
                    name,
                    &was.body,
                    (&[], &is.body),
                    given.get_or_init(|| rows::Given::of(new)),
                ));
        let severity = if kept || !called {
            Severity::Note
        } else {
            Severity::Block
        };
        add(Kind::AssertionsWeakened, severity, words);
    }
}

/// What a file with tests demands as a whole.
struct File {
    /// Assertions at the base, helpers included.
    was: usize,
    /// Assertions now; those of tests that are new do not make up for others.
    is: usize,
    /// The assertions that stand anywhere in it now.
    statements: HashSet<String>,
    /// Names of functions that it defines now.
    defines: HashSet<String>,
}

impl File {
    fn of(at: usize, side: &Sides<'_>, pairs: &Pairs) -> Self {
        let was = side.base.as_ref().map_or(0, |s| demands(s.lang, &s.live()).real);
        let Some(now) = &side.now else {
            return Self {
                was,
                is: 0,
                statements: HashSet::new(),
                defines: HashSet::new(),
            };
        };
        let all = now.live();
        let new = pairs.new.iter().filter(|new| new.file == at);
        let fresh: usize = new
            .filter_map(|new| now.tests.get(new.test))
            .map(|test| demands(now.lang, &now.body(test)).real)
            .sum();
        let keyword = |t: &Token<'_>| {
            matches!(
                t.text,
                "fn" | "def" | "func" | "fun" | "function" | "const" | "void"
            )
        };
        Self {
            was,
            is: demands(now.lang, &all).real.saturating_sub(fresh),
            statements: texts(now.lang, &all),
            defines: all
                .windows(2)
                .filter(|w| matches!(w, [k, name] if keyword(k) && name.sort == Sort::Word))
                .filter_map(|w| w.last().map(|t| t.text.to_owned()))
                .collect(),
        }
    }

    /// Whether a test now calls a function of its file that it did not name before.
    fn helps(&self, was: &[Token<'_>], is: &[Token<'_>]) -> bool {
        is.windows(2).any(|w| {
            matches!(w, [name, open] if open.is_sign("(")
                && self.defines.contains(name.text)
                && !was.iter().any(|t| t.text == name.text))
        })
    }

    /// Whether every assertion that a test lost stands somewhere else in the file.
    fn holds(&self, lang: Lang, was: &[Token<'_>], is: &[Token<'_>]) -> bool {
        let kept = texts(lang, is);
        texts(lang, was)
            .iter()
            .filter(|lost| !kept.contains(*lost))
            .all(|lost| self.statements.contains(lost))
    }
}

/// The assertions of a body as texts.
fn texts(lang: Lang, body: &[Token<'_>]) -> HashSet<String> {
    let ranges = statements(lang, body).into_iter();
    ranges
        .filter_map(|range| body.get(range))
        .map(|tokens| tokens.iter().map(|t| t.text).collect::<Vec<_>>().join(" "))
        .collect()
}
