//! The figures of an item after an answer.

use super::super::class::Class;
use super::super::cues::Cues;
use super::super::message::Turn;
use super::super::signs::Signs;
use super::stretch::{Stretch, limits};
use super::{ITEMS, code, code_said};
use proctor_prose::Features;

/// Figures of one item.
pub const FIGURES: usize = 132;

/// From here on a stretch is taken to speak of an item.
pub(super) const LIKE: i16 = 15;

/// The figures of all items; none when there are too many.
pub(super) fn of(turn: &Turn<'_>, ruled: &[bool], stretches: &[Stretch]) -> Vec<Vec<i16>> {
    if turn.said.len() > ITEMS {
        return Vec::new();
    }
    let matched = assign(turn.said.len(), stretches);
    let whole = Whole::of(turn, ruled, stretches, &matched);
    (0..turn.said.len())
        .map(|item| {
            let mut out = Vec::with_capacity(FIGURES);
            figures(turn, item, ruled, stretches, &matched, &whole, &mut out);
            out
        })
        .collect()
}

/// Pairs of items and stretches, the likest first, each of both once.
struct Matched {
    /// For each item its stretch.
    stretch: Vec<Option<usize>>,
    /// For each stretch its item.
    item: Vec<Option<usize>>,
}

fn assign(items: usize, stretches: &[Stretch]) -> Matched {
    let mut pairs: Vec<(i16, usize, usize)> = Vec::new();
    for (at, stretch) in stretches.iter().enumerate() {
        for (item, like) in stretch.like.iter().enumerate() {
            if *like >= LIKE {
                pairs.push((-*like, item, at));
            }
        }
    }
    pairs.sort_unstable();
    let mut out = Matched {
        stretch: vec![None; items],
        item: vec![None; stretches.len()],
    };
    for (_, item, at) in pairs {
        if let (Some(stretch @ None), Some(taken @ None)) = (out.stretch.get_mut(item), out.item.get_mut(at))
        {
            *stretch = Some(at);
            *taken = Some(item);
        }
    }
    out
}

/// What the whole answer says.
#[derive(Default)]
struct Whole {
    reports: i16,
    sentences: i16,
    done: i16,
    open: i16,
    free: i16,
    free_done: i16,
    free_open: i16,
    matched: i16,
    overall: bool,
    rest: bool,
    only: bool,
    contrast: bool,
    limit: bool,
    most_open: i16,
    second_open: i16,
    most_open_at: usize,
    most_open_free: i16,
    words: i16,
    korean: bool,
    entries: i16,
    unmatched: i16,
    settled_done: i16,
    settled_open: i16,
    before: i16,
    signs: Signs,
    cues: Cues,
}

impl Whole {
    fn of(turn: &Turn<'_>, ruled: &[bool], stretches: &[Stretch], matched: &Matched) -> Self {
        let mut out = Self {
            most_open: -999,
            second_open: -999,
            most_open_free: -999,
            ..Self::default()
        };
        let mut last = None;
        let mut korean = 0;
        for (at, s) in stretches.iter().enumerate() {
            let free = matched.item.get(at).is_none_or(Option::is_none);
            if s.reports() {
                out.reports += 1;
                out.free += i16::from(free);
            }
            if last != Some(s.sentence) {
                out.sentences += 1;
                last = Some(s.sentence);
            }
            out.done += i16::from(s.is_done());
            out.open += i16::from(s.is_open());
            out.free_done += i16::from(free && s.is_done());
            out.free_open += i16::from(free && s.is_open());
            out.overall |= s.overall && s.is_done();
            out.rest |= s.rest;
            out.only |= s.only;
            out.contrast |= s.contrast;
            out.words += s.words;
            korean += if s.korean { s.words } else { -s.words };
            out.entries += i16::from(s.entry);
            if s.open > out.most_open {
                out.second_open = out.most_open;
                out.most_open = s.open;
                out.most_open_at = at;
            } else if s.open > out.second_open {
                out.second_open = s.open;
            }
            if free && s.open > out.most_open_free {
                out.most_open_free = s.open;
            }
            let view = turn.view(s.from, s.to);
            out.signs = out.signs.with(view.signs());
            out.cues = out.cues.with(view.digest().cues);
        }
        out.limit = limits(out.signs);
        out.korean = korean > 0;
        out.matched = matched.stretch.iter().flatten().count() as i16;
        for (item, said) in turn.said.iter().enumerate() {
            let before = turn.before.get(item).is_some_and(|b| *b);
            out.before += i16::from(before);
            out.settled_done += i16::from(!before && ruled.get(item).is_some_and(|r| *r));
            out.settled_open +=
                i16::from(!before && said.is_some_and(|s| s != super::super::message::Said::Done));
            out.unmatched += i16::from(!before && matched.stretch.get(item).is_some_and(Option::is_none));
        }
        out
    }
}

fn figures(
    turn: &Turn<'_>,
    item: usize,
    ruled: &[bool],
    stretches: &[Stretch],
    matched: &Matched,
    whole: &Whole,
    out: &mut Vec<i16>,
) {
    let count = turn.said.len();
    let class = turn.list.class(item);
    let wish = turn.list.wish(item);
    let flag = i16::from;
    let like = |at: usize| {
        stretches
            .get(at)
            .and_then(|s| s.like.get(item))
            .copied()
            .unwrap_or(0)
    };
    // 0: the item and the list.
    out.extend([
        count as i16,
        item as i16,
        (count - item) as i16,
        flag(class.has(Class::CREATE)),
        flag(class.has(Class::REMOVE)),
        flag(class.has(Class::CHANGE)),
        flag(class.has(Class::FIX)),
        flag(class.has(Class::VERIFY.with(Class::RUN))),
        flag(class.has(Class::ANALYSE)),
        flag(class.is_none()),
        flag(wish.negative),
        flag(wish.finds),
        turn.list.concepts(item) as i16,
        flag(turn.list.has_paths(&[(item, 0)])),
    ]);
    // 14: the rules.
    let said = turn.said.get(item).copied().flatten();
    out.extend([
        code_said(said),
        flag(ruled.get(item).is_some_and(|r| *r)),
        flag(turn.mentioned.get(item).is_some_and(|m| *m)),
        flag(turn.overall),
        flag(turn.by_rest.get(item).is_some_and(|r| *r)),
        flag(turn.before.get(item).is_some_and(|b| *b)),
    ]);
    // 20: the others.
    let others = (0..count).filter(|o| *o != item);
    let neighbour = |at: Option<usize>| {
        at.and_then(|at| turn.said.get(at))
            .map_or(4, |said| code_said(*said))
    };
    out.extend([
        whole.settled_done - flag(said.is_some() && ruled.get(item).is_some_and(|r| *r)),
        whole.settled_open - flag(matches!(code_said(said), 0 | 1)),
        whole.before,
        others
            .clone()
            .filter(|o| {
                turn.said.get(*o).is_some_and(Option::is_none) && !turn.before.get(*o).is_some_and(|b| *b)
            })
            .count() as i16,
        neighbour(item.checked_sub(1)),
        neighbour(Some(item + 1)),
    ]);
    // 26: the answer.
    out.extend([
        whole.reports,
        whole.sentences,
        whole.done,
        whole.open,
        whole.free,
        whole.free_done,
        whole.free_open,
        whole.matched,
        whole.unmatched,
        whole.free - whole.unmatched,
        whole.reports - (count as i16 - whole.before),
        whole.sentences - (count as i16 - whole.before),
        flag(whole.overall),
        flag(whole.rest),
        flag(whole.only),
        flag(whole.contrast),
        flag(whole.limit),
        whole.most_open,
        whole.second_open,
        whole.most_open_free,
        whole.words,
        whole.words / (count as i16).max(1),
        whole.entries,
        flag(whole.korean),
        flag(whole.korean) - flag(turn.list.is_korean(item)),
        flag(whole.signs.any(Signs::LEFT)),
        flag(whole.signs.any(Signs::FUTURE.with(Signs::PLAN).with(Signs::OPEN))),
        flag(whole.signs.any(Signs::NEG.with(Signs::NO))),
        flag(
            whole
                .signs
                .any(Signs::UNDONE.with(Signs::BAD).with(Signs::DROPPED)),
        ),
        flag(whole.signs.any(Signs::QUANTITY)),
        flag(whole.cues.any(Cues::COUNTS)),
        flag(whole.cues.any(Cues::PEOPLE)),
    ]);
    // 58: the likest stretch, the next one, the one that no other item claims more, the one that is its own.
    let mut order: Vec<usize> = (0..stretches.len()).filter(|at| like(*at) > 0).collect();
    order.sort_by_key(|at| (-like(*at), *at));
    let best = order.first().copied();
    let second = order.get(1).copied();
    let own = order.iter().copied().find(|at| {
        stretches.get(*at).is_some_and(|s| {
            s.like
                .iter()
                .enumerate()
                .all(|(o, l)| o == item || *l < like(*at))
        })
    });
    let assigned = matched.stretch.get(item).copied().flatten();
    for at in [best, own, second] {
        stretch_figures(stretches, item, at, matched, out);
    }
    // 100: sums.
    let sum_like: i16 = order.iter().map(|at| like(*at)).sum::<i16>().min(999);
    let open_of = |at: &usize| stretches.get(*at).map_or(-999, |s| s.open);
    let near: Vec<usize> = order.iter().copied().filter(|at| like(*at) >= LIKE).collect();
    out.extend([
        sum_like,
        near.len() as i16,
        near.iter().map(open_of).max().unwrap_or(-999),
        near.iter().map(open_of).min().unwrap_or(-999),
        near.iter()
            .filter(|at| stretches.get(**at).is_some_and(Stretch::is_done))
            .count() as i16,
        near.iter()
            .filter(|at| stretches.get(**at).is_some_and(Stretch::is_open))
            .count() as i16,
        assigned.map_or(0, like),
        flag(assigned == best),
    ]);
    // 108: what stands where the item would stand in the order of the list.
    let before = (0..item)
        .rev()
        .find_map(|o| matched.stretch.get(o).copied().flatten());
    let after = (item + 1..count).find_map(|o| matched.stretch.get(o).copied().flatten());
    let from = before.map_or(0, |b| b + 1);
    let to = after.unwrap_or(stretches.len());
    let gap: Vec<usize> = (from..to.max(from))
        .filter(|at| {
            matched.item.get(*at).is_none_or(Option::is_none)
                && stretches.get(*at).is_some_and(Stretch::reports)
        })
        .collect();
    let waiting = {
        let low = (0..item)
            .rev()
            .take_while(|o| matched.stretch.get(*o).is_some_and(Option::is_none))
            .count();
        let high = (item + 1..count)
            .take_while(|o| matched.stretch.get(*o).is_some_and(Option::is_none))
            .count();
        (low + high + usize::from(assigned.is_none())) as i16
    };
    let placed = gap.get(gap.len() / 2).and_then(|at| stretches.get(*at));
    out.extend([
        gap.len() as i16,
        gap.len() as i16 - waiting,
        waiting,
        gap.iter().map(open_of).max().unwrap_or(-999),
        gap.iter().map(open_of).min().unwrap_or(-999),
        placed.map_or(-1, |s| code(s.status)),
        flag(before.is_some() && after.is_some()),
        flag(from > to),
        gap.iter()
            .filter(|at| stretches.get(**at).is_some_and(Stretch::is_done))
            .count() as i16,
    ]);
    // 117: the free stretch that is likest to it.
    let free = order
        .iter()
        .copied()
        .find(|at| matched.item.get(*at).is_none_or(Option::is_none));
    out.extend([
        free.map_or(0, like),
        free.map_or(-999, |at| open_of(&at)),
        free.and_then(|at| stretches.get(at))
            .map_or(-1, |s| code(s.status)),
    ]);
    // 120: where the most open stretch stands.
    let open_at = whole.most_open_at;
    let claims = stretches.get(open_at).map_or(0, |s| {
        let others = s.like.iter().enumerate().filter(|(o, _)| *o != item);
        others.map(|(_, l)| *l).max().unwrap_or(0)
    });
    let last = stretches.last();
    out.extend([
        like(open_at),
        claims,
        like(open_at) - claims,
        flag(matched.item.get(open_at).is_some_and(Option::is_none)),
        last.map_or(-999, |s| s.open),
        last.map_or(-1, |s| code(s.status)),
        last.and_then(|s| s.like.get(item)).copied().unwrap_or(0),
        stretches.len() as i16,
        // A stretch that follows its own without speaking of another item.
        best.and_then(|b| stretches.get(b + 1))
            .filter(|s| s.like.iter().enumerate().all(|(o, l)| o == item || *l < LIKE))
            .map_or(-999, |s| s.open),
        best.and_then(|b| stretches.get(b + 1))
            .map_or(-1, |s| code(s.status)),
        best.and_then(|b| stretches.get(b + 1))
            .map_or(0, |s| flag(s.contrast)),
        flag(turn.sure.get(item).is_some_and(|s| *s)),
    ]);
    debug_assert_eq!(out.len(), FIGURES, "the figures are counted");
}

/// 14 figures of one stretch.
fn stretch_figures(
    stretches: &[Stretch],
    item: usize,
    at: Option<usize>,
    matched: &Matched,
    out: &mut Vec<i16>,
) {
    let Some((at, s)) = at.and_then(|at| Some((at, stretches.get(at)?))) else {
        out.extend([0, 0, 0, -1, -1, -999, 0, 0, 0, 0, 0, 0, 0, 0]);
        return;
    };
    let others = s.like.iter().enumerate().filter(|(o, _)| *o != item);
    let most = others.map(|(_, l)| *l).max().unwrap_or(0);
    let like = s.like.get(item).copied().unwrap_or(0);
    let doubt = Features::CONDITIONAL
        .or(Features::QUESTION)
        .or(Features::QUOTED)
        .or(Features::HEARSAY);
    let later = Features::FUTURE.or(Features::ONGOING).or(Features::PENDING);
    out.extend([
        s.share.get(item).copied().unwrap_or(0),
        s.fuzzy.get(item).copied().unwrap_or(0),
        like - most,
        code(s.status),
        code(s.context),
        s.open,
        s.talk,
        s.evidence,
        s.contrary,
        i16::from(s.other) + 2 * i16::from(s.contrast),
        i16::from(s.features.any(doubt))
            + 2 * i16::from(s.features.any(later))
            + 4 * i16::from(s.features.has(Features::NEGATED)),
        s.words,
        s.figures,
        i16::from(s.refs.contains(&item))
            + 2 * i16::from(matched.item.get(at).copied().flatten() == Some(item)),
    ]);
}
