//! Which test of the base is which test now: by name and place, by name alone, by likeness.

use super::Sides;
use super::find::{Source, State, Test};
use std::collections::{BTreeMap, HashSet};

/// A test on one side: the file's place and the test's place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct At {
    pub(super) file: usize,
    pub(super) test: usize,
}

/// Most pairs of tests whose likeness is measured.
const MOST_LIKENESSES: usize = 40_000;

/// From this share of common tokens on two tests are one that was renamed.
const ALIKE: f64 = 0.6;

/// The tests of both sides, brought together.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Tests that were run at the base, with what they are now.
    pub(super) same: Vec<(At, At)>,
    /// Tests that were run at the base and have no partner.
    pub(super) gone: Vec<At>,
    /// Tests now that have no partner.
    pub(super) new: Vec<At>,
}

pub(super) fn base<'s, 'a>(sides: &'s [Sides<'a>], at: At) -> Option<(&'s Source<'a>, &'s Test)> {
    let source = sides.get(at.file)?.base.as_ref()?;
    Some((source, source.tests.get(at.test)?))
}

pub(super) fn now<'s, 'a>(sides: &'s [Sides<'a>], at: At) -> Option<(&'s Source<'a>, &'s Test)> {
    let source = sides.get(at.file)?.now.as_ref()?;
    Some((source, source.tests.get(at.test)?))
}

/// Whether a test would be run.
pub(super) fn is_run(source: &Source<'_>, test: &Test) -> bool {
    source.collected && test.state == State::Active
}

pub(super) fn pair(sides: &[Sides<'_>]) -> Pairs {
    let mut pairs = Pairs::default();
    // By name, per file; of several of one name the most alike, else the first with the first.
    let mut waiting: Vec<BTreeMap<&str, Vec<At>>> = Vec::new();
    for (file, side) in sides.iter().enumerate() {
        let mut names: BTreeMap<&str, Vec<At>> = BTreeMap::new();
        for (test, found) in side.now.iter().flat_map(|s| &s.tests).enumerate() {
            names
                .entry(found.name.as_str())
                .or_default()
                .push(At { file, test });
        }
        names.values_mut().for_each(|list| list.reverse());
        waiting.push(names);
    }
    let mut left = Vec::new();
    let mut left_out = Vec::new();
    for (file, side) in sides.iter().enumerate() {
        let Some(source) = &side.base else { continue };
        for (test, found) in source.tests.iter().enumerate() {
            let at = At { file, test };
            let own = waiting
                .get_mut(file)
                .and_then(|names| names.get_mut(found.name.as_str()));
            match (own.and_then(|list| alike(sides, at, list)), is_run(source, found)) {
                (Some(partner), true) => pairs.same.push((at, partner)),
                (None, true) => left.push(at),
                (None, false) => left_out.push(found.name.as_str()),
                (Some(_), false) => {}
            }
        }
    }
    // By name, in another file.
    let mut elsewhere: BTreeMap<&str, Vec<At>> = BTreeMap::new();
    for names in waiting {
        for (name, list) in names {
            elsewhere.entry(name).or_default().extend(list);
        }
    }
    for at in left {
        let partner =
            base(sides, at).and_then(|(_, test)| alike(sides, at, elsewhere.get_mut(test.name.as_str())?));
        match partner {
            Some(partner) => pairs.same.push((at, partner)),
            None => pairs.gone.push(at),
        }
    }
    // A test that was left out at the base may be moved as well.
    for name in left_out {
        let _moved = elsewhere.get_mut(name).and_then(Vec::pop);
    }
    pairs.new = elsewhere.into_values().flatten().collect();
    pairs.new.sort_unstable();
    by_likeness(sides, &mut pairs);
    pairs
}

/// Most tests of one name among which the one that is most alike is looked for.
const MOST_NAMESAKES: usize = 50;

/// Takes the test out of a list that is most like the one of the base; of equals the last.
fn alike(sides: &[Sides<'_>], at: At, list: &mut Vec<At>) -> Option<At> {
    if list.len() < 2 || list.len() > MOST_NAMESAKES {
        return list.pop();
    }
    let words = |found: Option<(&Source<'_>, &Test)>| -> HashSet<String> {
        let body = found.map(|(source, test)| source.body(test)).unwrap_or_default();
        body.iter().map(|t| t.text.to_owned()).collect()
    };
    let old = words(base(sides, at));
    let share = |at: &At| {
        let new = words(now(sides, *at));
        let common = old.intersection(&new).count();
        common as f64 / (old.len() + new.len() - common).max(1) as f64
    };
    let best = list.iter().enumerate().map(|(n, at)| (share(at), n));
    let (_, n) = best.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
    Some(list.remove(n))
}

/// Renamed tests: the same tokens under another name.
fn by_likeness(sides: &[Sides<'_>], pairs: &mut Pairs) {
    if pairs.gone.len().saturating_mul(pairs.new.len()) > MOST_LIKENESSES {
        return;
    }
    let words = |source: &Source<'_>, test: &Test| -> HashSet<String> {
        source
            .body(test)
            .iter()
            .filter(|t| t.text != test.name)
            .map(|t| t.text.to_owned())
            .collect()
    };
    let new: Vec<(At, HashSet<String>)> = pairs
        .new
        .iter()
        .filter_map(|at| now(sides, *at).map(|(s, t)| (*at, words(s, t))))
        .collect();
    let mut found: Vec<(f64, At, At)> = Vec::new();
    for at in &pairs.gone {
        let Some((source, test)) = base(sides, *at) else {
            continue;
        };
        let old = words(source, test);
        for (partner, other) in &new {
            if sides
                .get(partner.file)
                .and_then(|s| s.now.as_ref())
                .map(|s| s.lang)
                != Some(source.lang)
            {
                continue;
            }
            let common = old.intersection(other).count();
            let all = old.len() + other.len() - common;
            let share = if all == 0 { 0.0 } else { common as f64 / all as f64 };
            if share >= ALIKE {
                found.push((share, *at, *partner));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let (mut gone, mut new) = (HashSet::new(), HashSet::new());
    for (_, at, partner) in found {
        if !gone.contains(&at) && !new.contains(&partner) {
            gone.insert(at);
            new.insert(partner);
            pairs.same.push((at, partner));
        }
    }
    pairs.gone.retain(|at| !gone.contains(at));
    pairs.new.retain(|at| !new.contains(at));
}
