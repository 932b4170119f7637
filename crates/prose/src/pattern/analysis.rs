//! What can be told of a regular expression without running it.

use super::parse::Edge;
use super::{Flaw, LARGEST, Node, Set};
use std::ops::Range;

/// Alternatives of the letters that a match needs; beyond that they are not worth looking for.
const ALTERNATIVES: usize = 12;
/// Length of needed letters that is enough.
const ENOUGH: usize = 24;

/// What was found.
pub(super) struct Found {
    pub(super) needles: Vec<String>,
    pub(super) size: usize,
    /// Word boundaries that are taken out of the program, ascending.
    pub(super) dropped: Vec<Range<usize>>,
    pub(super) guard_start: bool,
    pub(super) guard_end: bool,
    pub(super) doubts: Vec<Flaw>,
}

/// Looks at a whole expression.
pub(super) fn analyse(node: &Node, lines: bool) -> Result<Found, Flaw> {
    let size = size(node);
    if size > LARGEST {
        return Err(Flaw::fatal(
            format!("grows to {size} states; {LARGEST} are the most"),
            "repetitions of repetitions multiply: use `*` or smaller counts",
        ));
    }
    if least(node) == 0 {
        return Err(Flaw::fatal(
            "matches the empty text, and so everything",
            "let at least one word be required",
        ));
    }
    let mut walk = Walk {
        lines,
        dropped: Vec::new(),
        guard_start: false,
        guard_end: false,
        doubts: Vec::new(),
    };
    let outside = Set {
        open: true,
        ..Set::default()
    };
    walk.places(node, &outside, &outside)?;
    let needles = letters(node).best.unwrap_or_default();
    // One Hangul syllable is a word's stem; one Latin letter is nothing.
    let long_enough = |n: &String| n.chars().count() >= 2 || !n.is_ascii();
    if needles.is_empty() || !needles.iter().all(long_enough) {
        return Err(Flaw::fatal(
            "needs no particular word, so it would have to be tried on every message",
            "let every alternative hold at least two letters in a row",
        ));
    }
    walk.dropped.sort_by_key(|r| r.start);
    walk.dropped.dedup();
    Ok(Found {
        needles,
        size,
        dropped: walk.dropped,
        guard_start: walk.guard_start,
        guard_end: walk.guard_end,
        doubts: walk.doubts,
    })
}

/// States of the machine.
fn size(node: &Node) -> usize {
    match node {
        Node::Char(_) | Node::Edge(..) => 1,
        Node::Set(set) => {
            // Hangul ranges are several ranges of bytes.
            if set.hangul { 4 } else { 2 }
        }
        Node::Row(nodes) => nodes.iter().map(size).fold(0, usize::saturating_add),
        Node::Either(nodes) => nodes.iter().map(|n| size(n) + 1).fold(0, usize::saturating_add),
        Node::Repeat(node, least, most) => {
            let times = most.unwrap_or(least.saturating_add(1)).max(1) as usize;
            (size(node) + 1).saturating_mul(times)
        }
    }
}

/// Characters that a match has at least.
fn least(node: &Node) -> usize {
    match node {
        Node::Char(_) | Node::Set(_) => 1,
        Node::Edge(..) => 0,
        Node::Row(nodes) => nodes.iter().map(least).fold(0, usize::saturating_add),
        Node::Either(nodes) => nodes.iter().map(least).min().unwrap_or(0),
        Node::Repeat(node, times, _) => least(node).saturating_mul(*times as usize),
    }
}

/// What a match may begin with, or end with. The flag tells whether it may be empty.
fn rim(node: &Node, from_end: bool) -> (Set, bool) {
    match node {
        Node::Char(c) => (Set::of(*c), false),
        Node::Set(set) => (set.clone(), false),
        Node::Edge(..) => (Set::default(), true),
        Node::Row(nodes) => {
            let mut all = Set::default();
            let mut step = |node| {
                let (set, empty) = rim(node, from_end);
                all.join(&set);
                !empty
            };
            let full = if from_end {
                nodes.iter().rev().any(&mut step)
            } else {
                nodes.iter().any(&mut step)
            };
            (all, !full)
        }
        Node::Either(nodes) => {
            let mut all = Set::default();
            let mut empty = false;
            for node in nodes {
                let (set, may_be_empty) = rim(node, from_end);
                all.join(&set);
                empty |= may_be_empty;
            }
            (all, empty)
        }
        Node::Repeat(node, times, _) => {
            let (set, empty) = rim(node, from_end);
            (set, empty || *times == 0)
        }
    }
}

struct Walk {
    lines: bool,
    dropped: Vec<Range<usize>>,
    guard_start: bool,
    guard_end: bool,
    doubts: Vec<Flaw>,
}

impl Walk {
    /// Looks at all places, with what may stand before and after them.
    fn places(&mut self, node: &Node, before: &Set, after: &Set) -> Result<(), Flaw> {
        match node {
            Node::Char(_) | Node::Set(_) => Ok(()),
            Node::Edge(edge, range) => self.place(*edge, range, before, after),
            Node::Either(nodes) => nodes.iter().try_for_each(|n| self.places(n, before, after)),
            Node::Repeat(node, _, most) => {
                if *most == Some(1) {
                    return self.places(node, before, after);
                }
                let (mut left, mut right) = (rim(node, true).0, rim(node, false).0);
                left.join(before);
                right.join(after);
                self.places(node, &left, &right)
            }
            Node::Row(nodes) => {
                for (index, node) in nodes.iter().enumerate() {
                    if matches!(node, Node::Char(_) | Node::Set(_)) {
                        continue;
                    }
                    let left = context(nodes.iter().take(index).rev(), true, before);
                    let right = context(nodes.iter().skip(index + 1), false, after);
                    self.places(node, &left, &right)?;
                }
                Ok(())
            }
        }
    }

    fn place(&mut self, edge: Edge, range: &Range<usize>, before: &Set, after: &Set) -> Result<(), Flaw> {
        let never = |what: &str, help: &str| Err(Flaw::fatal(format!("can never match: {what}"), help));
        let beyond = |set: &Set| set.open || self.lines && set.other;
        match edge {
            Edge::Start if !beyond(before) => never("something stands before `^`", "move it to the front"),
            Edge::End if !beyond(after) => never("something stands after `$`", "move it to the end"),
            Edge::Start | Edge::End => Ok(()),
            Edge::Word | Edge::NotWord if before.hangul || after.hangul => {
                self.dropped.push(range.clone());
                if edge == Edge::Word {
                    self.guard_start |= before.open;
                    self.guard_end |= after.open;
                    if before.hangul {
                        self.doubt(
                            "has a `\\b` after Hangul, which is left out: endings follow a Korean word without a break",
                            "list under `allow` what must not count",
                        );
                    }
                }
                Ok(())
            }
            Edge::Word => {
                let letters = |s: &Set| s.word && !s.other && !s.open;
                let marks = |s: &Set| !s.word && !s.open;
                if letters(before) && letters(after) {
                    return never("`\\b` stands between two letters", "remove it");
                }
                if marks(before) && marks(after) {
                    return never("`\\b` stands between two marks", "remove it");
                }
                Ok(())
            }
            Edge::NotWord => Ok(()),
        }
    }

    fn doubt(&mut self, message: &str, help: &str) {
        let flaw = Flaw::doubt(message, help);
        if !self.doubts.contains(&flaw) {
            self.doubts.push(flaw);
        }
    }
}

/// What may stand next to a place: the rims of its neighbours, and beyond them what lies outside.
fn context<'n>(neighbours: impl Iterator<Item = &'n Node>, from_end: bool, outside: &Set) -> Set {
    let mut all = Set::default();
    for node in neighbours {
        let (set, empty) = rim(node, from_end);
        all.join(&set);
        if !empty {
            return all;
        }
    }
    all.join(outside);
    all
}

/// The letters that a match cannot do without.
#[derive(Default)]
struct Letters {
    /// The whole match is one of these.
    exact: Option<Vec<String>>,
    /// Every match holds one of these.
    best: Option<Vec<String>>,
}

impl Letters {
    fn exact(words: Vec<String>) -> Self {
        Self {
            best: Some(words.clone()),
            exact: Some(words),
        }
    }
}

/// The better of two sets: the one whose shortest member is longer.
fn better(a: Option<Vec<String>>, b: Option<Vec<String>>) -> Option<Vec<String>> {
    let worth = |words: &Vec<String>| {
        let shortest = words.iter().map(|w| w.len()).min().unwrap_or(0);
        (shortest.min(ENOUGH), usize::MAX - words.len())
    };
    match (a, b) {
        (Some(a), Some(b)) => Some(if worth(&a) >= worth(&b) { a } else { b }),
        (a, b) => a.or(b),
    }
}

fn letters(node: &Node) -> Letters {
    let lower = |c: char| c.to_lowercase().collect::<String>();
    match node {
        Node::Char(c) => Letters::exact(vec![lower(*c)]),
        Node::Set(Set {
            chars: Some(chars), ..
        }) => Letters::exact(chars.iter().map(|c| lower(*c)).collect()),
        Node::Set(_) => Letters::default(),
        Node::Edge(..) => Letters {
            exact: Some(vec![String::new()]),
            best: None,
        },
        Node::Row(nodes) => {
            let mut run: Option<Vec<String>> = Some(vec![String::new()]);
            let mut best = None;
            let mut whole = true;
            for node in nodes {
                if let (Node::Char(c), Some(words)) = (node, &mut run) {
                    words.iter_mut().for_each(|w| w.extend(c.to_lowercase()));
                    continue;
                }
                let found = letters(node);
                best = better(best, found.best);
                run = match (run, found.exact) {
                    (Some(run), Some(next)) if run.len() * next.len() <= ALTERNATIVES => Some(
                        run.iter()
                            .flat_map(|a| next.iter().map(move |b| format!("{a}{b}")))
                            .collect(),
                    ),
                    (run, next) => {
                        best = better(best, run.filter(|r| r.iter().all(|w| !w.is_empty())));
                        whole = false;
                        Some(next.unwrap_or_else(|| vec![String::new()]))
                    }
                };
            }
            let kept = run.clone().filter(|r| r.iter().all(|w| !w.is_empty()));
            Letters {
                best: better(best, kept),
                exact: run.filter(|_| whole),
            }
        }
        Node::Either(nodes) => {
            let all: Vec<Letters> = nodes.iter().map(letters).collect();
            let gather = |pick: fn(&Letters) -> &Option<Vec<String>>| {
                let mut words: Vec<String> = Vec::new();
                for found in &all {
                    words.extend(pick(found).as_ref()?.iter().cloned());
                }
                (words.len() <= ALTERNATIVES * 2).then_some(words)
            };
            Letters {
                exact: gather(|l| &l.exact).filter(|w| w.len() <= ALTERNATIVES),
                best: gather(|l| &l.best),
            }
        }
        Node::Repeat(node, 0, Some(1)) => {
            let exact = letters(node).exact.map(|mut words| {
                words.push(String::new());
                words
            });
            Letters { exact, best: None }
        }
        Node::Repeat(_, 0, _) => Letters::default(),
        Node::Repeat(node, 1, Some(1)) => letters(node),
        Node::Repeat(node, ..) => Letters {
            exact: None,
            best: letters(node).best,
        },
    }
}
