//! The items of a checklist, indexed by the concepts that they consist of.

use super::answer::Asked;
use super::class::Class;
use super::finding::Wish;
use super::memo;
use super::senses::Hit;
use super::status::set_bits;
use super::words::{Concept, Room, concepts, name};
use crate::paths;
use crate::scope::covered;
use std::borrow::Cow;
use std::hint::select_unpredictable;

/// Where a concept stands in a checklist: its name, the item, and its place in the item.
pub(super) type Place = (u64, usize, usize);

struct Item {
    concepts: Vec<Concept>,
    /// For each concept: no other item has it, and it tells much.
    own: Vec<bool>,
    /// It has such a concept.
    differs: bool,
    total: f32,
    paths: Vec<String>,
    class: Class,
    /// It asks for a verdict on somebody's work.
    verdict: bool,
    /// It asks for words.
    asked: Option<Asked>,
    wish: Wish,
    /// It is nothing but a verb.
    bare: bool,
    /// The concepts that are its own, one bit each.
    owned: u64,
}

/// Most concepts of an item that a set of bits holds.
const BITS: usize = u64::BITS as usize;

/// The checklist, ready for look-ups.
pub(super) struct Checklist {
    /// The items; behind them, as if they were some, the entries that they stand below.
    items: Vec<Item>,
    /// For each of those entries the items below it.
    below: Vec<Vec<usize>>,
    /// The places of all concepts, sorted.
    index: Vec<Place>,
    /// Which names occur, as a rough filter.
    filter: [u64; 8],
    /// Some item is nothing but "fix it".
    pub(super) fixes: bool,
    /// Some item asks to find something out.
    pub(super) finds: bool,
    /// Some item has more concepts than a set of bits holds.
    wide: bool,
    /// The items that name a file, one bit for each.
    with_paths: u64,
    /// The word that all items begin with: "Chapter on …".
    head: String,
    /// The same for concepts of remembered words, as a rougher one.
    pub(super) marks: u128,
}

/// How well a stretch of text fits an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Match {
    pub(super) item: usize,
    /// 0 to 1.
    pub(super) score: f32,
    /// How much of the item was said, all in all.
    sum: f32,
}

/// So many entries above items are looked through for the one of an item.
const HEADS: usize = 8;

/// Concepts that more items than this share tell nothing, and would cost time.
const SHARED: usize = 64;

impl Checklist {
    pub(super) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut room = Room::default();
        let mut first: Option<String> = None;
        let mut count = 0;
        let mut above: Vec<(&str, Vec<usize>)> = Vec::new();
        let mut items: Vec<Item> = texts
            .map(|text| {
                for head in crate::items::heads(text) {
                    // Items of one entry stand in a row.
                    match above
                        .iter_mut()
                        .rev()
                        .take(HEADS)
                        .find(|(known, _)| *known == head)
                    {
                        Some((_, items)) => items.push(count),
                        None => above.push((head, vec![count])),
                    }
                }
                let text = crate::items::leaf(text);
                let word = text
                    .split(|c: char| !c.is_ascii_alphabetic())
                    .next()
                    .unwrap_or_default();
                first = match first.take() {
                    None if count == 0 => Some(word.to_ascii_lowercase()),
                    Some(known) if known.eq_ignore_ascii_case(word) => Some(known),
                    _ => None,
                };
                count += 1;
                let mut list = Vec::with_capacity(12);
                concepts(text, &mut room, &mut list);
                list.retain(|c| c.weight > 0.0);
                distinct(&mut list);
                let mut verbal = list.iter().fold(Class::NONE, |class, c| class.with(c.class));
                if text.ends_with(crate::text::is_hangul) && list.last().is_some_and(|c| c.class.is_none()) {
                    // 파기 이력 화면: what is to be made is the screen.
                    verbal = verbal.without(Class::REMOVE);
                }
                // An item that is nothing but a verb consists of it.
                let bare = list.iter().all(|c| c.weight < 0.5);
                if bare {
                    for concept in &mut list {
                        concept.weight = 1.0;
                    }
                }
                let paths: Vec<String> = paths::find(text)
                    .into_iter()
                    .filter(|m| m.strong)
                    .map(|m| m.path)
                    .collect();
                Item {
                    verdict: super::verdict::is_asked(text, verbal),
                    asked: super::answer::asked(text, !paths.is_empty()),
                    bare,
                    owned: 0,
                    wish: Wish::of(text, verbal),
                    own: vec![true; list.len()],
                    differs: false,
                    concepts: list,
                    total: 0.0,
                    paths,
                    class: verbal,
                }
            })
            .collect();
        let mut index: Vec<Place> = items
            .iter()
            .enumerate()
            .flat_map(|(i, item)| item.concepts.iter().enumerate().map(move |(k, c)| (c.name, i, k)))
            .collect();
        index.sort_unstable();
        // A word that several items share tells less about each of them.
        for item in &mut items {
            for (concept, own) in item.concepts.iter_mut().zip(&mut item.own) {
                let shared = places(&index, concept.name).len();
                *own = shared == 1;
                if shared > 1 {
                    concept.weight /= if shared == 2 { 2.0 } else { 3.0 };
                }
            }
            item.total = item.concepts.iter().map(|c| c.weight).sum();
            for (concept, own) in item.concepts.iter().zip(&mut item.own) {
                *own &= concept.weight >= 0.5;
            }
            item.differs = item.own.contains(&true);
            let bits = item.own.iter().take(BITS).enumerate();
            item.owned = bits.fold(0, |bits, (at, own)| bits | u64::from(*own) << at);
        }
        let real = items.len();
        for (head, _) in &above {
            let head = Item::head(head, &mut room);
            let places = head.concepts.iter().enumerate();
            index.extend(places.map(|(k, c)| (c.name, items.len(), k)));
            items.push(head);
        }
        index.sort_unstable();
        let mut filter = [0; 8];
        for (name, _, _) in &index {
            let (at, bit) = bit(*name);
            if let Some(bits) = filter.get_mut(at) {
                *bits |= bit;
            }
        }
        let marks = index
            .iter()
            .fold(0, |marks, (name, _, _)| marks | memo::mark(*name));
        let head = first.filter(|word| word.len() > 3).unwrap_or_default();
        let fixes = items.iter().any(|i| i.bare && i.class.has(Class::FIX));
        debug_assert_eq!(real + above.len(), items.len(), "each head is there");
        Self {
            below: above.into_iter().map(|(_, items)| items).collect(),
            finds: items.iter().any(|i| i.wish.finds),
            with_paths: items.iter().take(BITS).enumerate().fold(0, |bits, (at, item)| {
                bits | u64::from(!item.paths.is_empty()) << at
            }),
            wide: items.iter().any(|i| i.concepts.len() > BITS),
            items,
            index,
            filter,
            marks,
            fixes,
            head,
        }
    }

    /// The word that all of several items begin with, in lower case; else nothing.
    pub(super) fn head(&self) -> &str {
        &self.head
    }

    pub(super) fn class(&self, item: usize) -> Class {
        self.items.get(item).map_or(Class::NONE, |i| i.class)
    }

    /// Whether an item is nothing but "fix it".
    pub(super) fn only_fixes(&self, item: usize) -> bool {
        self.items
            .get(item)
            .is_some_and(|i| i.bare && i.class.has(Class::FIX))
    }

    /// Whether items stand below some entry.
    pub(super) fn has_heads(&self) -> bool {
        !self.below.is_empty()
    }

    /// The items below an entry that stands for them; none for an item.
    pub(super) fn below(&self, item: usize) -> &[usize] {
        let real = self.items.len() - self.below.len();
        let head = item.checked_sub(real).and_then(|head| self.below.get(head));
        head.map_or(&[], Vec::as_slice)
    }

    /// What an item asks for besides its verbs.
    pub(super) fn wish(&self, item: usize) -> Wish {
        self.items.get(item).map_or_else(Wish::default, |i| i.wish)
    }

    /// The items that ask for a verdict.
    pub(super) fn verdicts(&self) -> impl Iterator<Item = usize> {
        self.items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.verdict)
            .map(|(i, _)| i)
    }

    /// The items that ask for words, and for which.
    pub(super) fn asked(&self) -> impl Iterator<Item = (usize, Asked)> {
        let asked = |(i, item): (usize, &Item)| Some((i, item.asked?));
        self.items.iter().enumerate().filter_map(asked)
    }

    /// Whether one of the items in these places names a file.
    pub(super) fn has_paths(&self, hits: &[(usize, usize)]) -> bool {
        hits.iter()
            .any(|(item, _)| self.items.get(*item).is_some_and(|i| !i.paths.is_empty()))
    }

    /// The places of a concept; none when it stands in so many items that it tells nothing.
    pub(super) fn places(&self, name: u64) -> &[Place] {
        let (at, bit) = bit(name);
        if self.filter.get(at).is_none_or(|bits| bits & bit == 0) {
            return &[];
        }
        let places = places(&self.index, name);
        if places.len() > SHARED { &[] } else { places }
    }

    /// The items that a stretch of an answer speaks of, best first: `hits` are the places of its concepts,
    /// `paths` the files that it names.
    pub(super) fn matches(&self, mut hits: Vec<(usize, usize)>, paths: &[Cow<'_, str>]) -> Vec<Match> {
        hits.sort_unstable();
        hits.dedup();
        let mut out: Vec<Match> = hits
            .chunk_by(|a, b| a.0 == b.0)
            .filter_map(|ks| {
                let item = ks.first()?.0;
                let it = self.items.get(item)?;
                let weights = ks.iter().filter_map(|(_, k)| it.concepts.get(*k));
                let sum = weights.map(|c| c.weight).sum();
                let own = ks.iter().any(|(_, k)| it.own.get(*k).is_some_and(|own| *own));
                rate(item, it, sum, own, paths)
            })
            .collect();
        best_first(&mut out);
        out
    }

    /// As [`Self::matches`], for what was counted up: with the files that the stretch names.
    pub(super) fn rated(&self, hits: &Hits, files: Files, out: &mut Vec<Match>) {
        out.clear();
        let named = if files.any { self.with_paths } else { 0 };
        for item in set_bits(hits.items & !(files.others & named)) {
            if let Some((it, sum, own)) = self.weighed(hits, item) {
                let score = it.score(sum, own);
                let same = files.same & named & 1 << (item % BITS) != 0;
                let score = select_unpredictable(same, score.max(0.75), score);
                out.push(Match { item, score, sum });
            }
        }
        if out.len() > 1 {
            best_first(out);
        }
    }

    /// Whether there are more items, or more concepts in one of them, than sets of bits hold.
    pub(super) fn is_wide(&self) -> bool {
        self.wide || self.items.len() > BITS
    }

    /// What a file is to the items.
    pub(super) fn file(&self, path: &str) -> Files {
        let mut out = Files {
            any: true,
            same: 0,
            others: 0,
        };
        let within = path.contains('/');
        let path = plain(path);
        for at in set_bits(self.with_paths) {
            let Some(item) = self.items.get(at) else { break };
            if item.paths.iter().any(|p| same_plain(plain(p), path)) {
                out.same |= 1 << at;
            } else if within || item.paths.iter().all(|p| has_name(p)) {
                out.others |= 1 << at;
            }
        }
        out
    }

    /// What was hit of an item: how much of it that is, and whether one of its own words is among it.
    fn weighed(&self, hits: &Hits, item: usize) -> Option<(&Item, f32, bool)> {
        let it = self.items.get(item)?;
        let bits = hits.bits.get(item % BITS).copied().unwrap_or_default();
        let mut rest = bits;
        let mut sum = 0.0;
        while rest != 0 {
            sum += it
                .concepts
                .get(rest.trailing_zeros() as usize)
                .map_or(0.0, |c| c.weight);
            rest &= rest - 1;
        }
        Some((it, sum, bits & it.owned != 0))
    }

    /// Whether a stretch with these hits, or a part of it, may speak of an item by name. `files` says whether it may name
    /// files.
    pub(super) fn may_match(&self, hits: &[Hit], room: &mut Hits, files: impl Fn() -> bool) -> bool {
        if self.is_wide() {
            return self.wide || self.may_match_widely(hits, files());
        }
        room.fill(hits, |_| true);
        self.any_paths(room) && files()
            || room.items().any(|item| {
                self.weighed(room, item)
                    .is_some_and(|(it, sum, own)| it.score(sum, own) >= LEAST)
            })
    }

    /// As [`Self::may_match`], for more items than a set of bits holds.
    #[cold]
    fn may_match_widely(&self, hits: &[Hit], files: bool) -> bool {
        let hits: Vec<(usize, usize)> = hits
            .iter()
            .map(|hit| (hit.item as usize, hit.k as usize))
            .collect();
        files && self.has_paths(&hits) || self.matches(hits, &[]).iter().any(|m| m.score >= LEAST)
    }

    /// Whether the items that a stretch with these hits may name are all among those that are named already.
    pub(super) fn are_all(&self, hits: &[Hit], named: &[(usize, f32)]) -> bool {
        let bit = |item: usize| 1_u64 << (item % BITS);
        let said = hits.iter().fold(0, |set, hit| set | bit(hit.item as usize));
        let named = named.iter().fold(0, |set, (item, _)| set | bit(*item));
        !self.is_wide() && said & !named == 0
    }

    /// Whether one of the items that were hit names a file.
    pub(super) fn any_paths(&self, hits: &Hits) -> bool {
        hits.items & self.with_paths != 0
    }

    /// Narrows a group down to the items in these places; `None` when one of the places is an item's own.
    pub(super) fn narrow(&self, group: &mut Option<Vec<usize>>, places: &[Place]) -> Option<()> {
        let own = |(_, item, k): &Place| {
            let item = self.items.get(*item)?;
            item.own.get(*k).copied()
        };
        if places.iter().any(|place| own(place).unwrap_or(false)) {
            return None;
        }
        if places.len() > 1 {
            let has = |item: &usize| places.iter().any(|(_, other, _)| other == item);
            match group {
                Some(group) => group.retain(has),
                None => *group = Some(places.iter().map(|(_, item, _)| *item).collect()),
            }
        }
        Some(())
    }

    /// Items whose creation is all that they ask, and whose one file is among `created`.
    pub(super) fn created(&self, created: &[String]) -> Vec<usize> {
        if created.is_empty() {
            return Vec::new();
        }
        self.items
            .iter()
            .enumerate()
            .filter(|(_, item)| {
                let [path] = item.paths.as_slice() else {
                    return false;
                };
                let creates = item.class == Class::CREATE || item.class == Class::NONE;
                // Nothing but the file's own name (and the verb) is asked for.
                let mut own = Vec::new();
                concepts(path, &mut Room::default(), &mut own);
                let only = item.concepts.iter().all(|c| {
                    own.iter().any(|o| o.name == c.name)
                        || c.class == Class::CREATE
                        || [FILE, SCRIPT, MODULE].contains(&c.name)
                });
                // A glob is there with its first file, as scope understands it.
                let globs = path.contains(['*', '?', '{', '[']);
                let covers = || !covered(std::slice::from_ref(path), created, &[]).is_empty();
                creates && only && (created.iter().any(|c| same_path(path, c)) || globs && covers())
            })
            .map(|(i, _)| i)
            .collect()
    }
}

impl Item {
    /// An entry that items stand below: all of its words are needed to mean it.
    fn head(text: &str, room: &mut Room) -> Self {
        let mut list = Vec::new();
        concepts(text, room, &mut list);
        list.retain(|c| c.weight > 0.0);
        distinct(&mut list);
        Self {
            own: vec![false; list.len()],
            differs: false,
            total: list.iter().map(|c| c.weight).sum(),
            concepts: list,
            paths: Vec::new(),
            class: Class::NONE,
            verdict: false,
            asked: None,
            wish: Wish::default(),
            bare: false,
            owned: 0,
        }
    }

    /// How well a stretch fits that says so much of the item, and perhaps a word of its own.
    fn score(&self, sum: f32, own: bool) -> f32 {
        let score = if self.total > 0.0 { sum / self.total } else { 0.0 };
        // Where items differ only in some words, at least one of those words must be there.
        score * select_unpredictable(self.differs & !own, 0.4, 1.0)
    }
}

/// How well a stretch fits an item; nothing where it speaks of other files.
fn rate(item: usize, it: &Item, sum: f32, own: bool, paths: &[Cow<'_, str>]) -> Option<Match> {
    let mut score = it.score(sum, own);
    if !it.paths.is_empty() && !paths.is_empty() {
        if other_path(&it.paths, paths) {
            return None;
        }
        if it.paths.iter().any(|p| paths.iter().any(|q| same_path(p, q))) {
            score = score.max(0.75);
        }
    }
    Some(Match { item, score, sum })
}

/// "field test" is the item of that name rather than "spec".
fn best_first(list: &mut [Match]) {
    list.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then(b.sum.total_cmp(&a.sum)).then(a.item.cmp(&b.item))
    });
}

/// The score below which no item is meant, however few words there are: see `Turn::named`.
pub(super) const LEAST: f32 = 0.12;

/// What the files that a stretch names are to the items of a checklist, one bit for each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Files {
    /// It names some.
    pub(super) any: bool,
    /// Items with one of them.
    same: u64,
    /// Items with none but others.
    others: u64,
}

impl Files {
    /// No files at all.
    pub(super) const NONE: Self = Self {
        any: false,
        same: 0,
        others: !0,
    };

    /// These and others.
    #[must_use]
    pub(super) fn with(self, more: Self) -> Self {
        if !more.any {
            return self;
        }
        Self {
            any: true,
            same: self.same | more.same,
            others: self.others & more.others,
        }
    }
}

/// The places of a checklist that a stretch of an answer speaks of, where sets of bits hold them.
#[derive(Default)]
pub(super) struct Hits {
    /// For each item its concepts that were said, one bit each; none at all before the first use.
    bits: Vec<u64>,
    /// The items that have any.
    pub(super) items: u64,
}

impl Hits {
    /// Takes those among some hits that count, in place of what it has.
    #[inline]
    pub(super) fn fill(&mut self, hits: &[Hit], counts: impl Fn(&Hit) -> bool) {
        if self.bits.is_empty() {
            self.bits.resize(BITS, 0);
        }
        // Few items have any.
        for item in set_bits(self.items) {
            if let Some(bits) = self.bits.get_mut(item) {
                *bits = 0;
            }
        }
        self.items = 0;
        for hit in hits {
            let one = u64::from(counts(hit));
            let item = hit.item as usize % BITS;
            if let Some(bits) = self.bits.get_mut(item) {
                *bits |= one << (hit.k as usize % BITS);
            }
            self.items |= one << item;
        }
    }

    /// The items, in order.
    fn items(&self) -> impl Iterator<Item = usize> {
        set_bits(self.items)
    }
}

const FILE: u64 = name("file");
const SCRIPT: u64 = name("script");
const MODULE: u64 = name("module");

/// Where the filter notes a name.
fn bit(name: u64) -> (usize, u64) {
    let place = (name >> 32) as usize % 512;
    (place / 64, 1 << (place % 64))
}

/// The places of a concept in a checklist.
fn places(index: &[Place], name: u64) -> &[Place] {
    let from = index.partition_point(|p| p.0 < name);
    let rest = index.get(from..).unwrap_or_default();
    let length = rest.iter().take_while(|p| p.0 == name).count();
    rest.get(..length).unwrap_or_default()
}

/// Leaves the first of each name.
fn distinct(list: &mut Vec<Concept>) {
    let mut seen = std::collections::HashSet::new();
    if list.len() > 24 {
        list.retain(|c| seen.insert(c.name));
        return;
    }
    let mut kept = 0;
    for at in 0..list.len() {
        let Some(concept) = list.get(at).copied() else {
            break;
        };
        if !list.iter().take(kept).any(|c| c.name == concept.name) {
            if let Some(slot) = list.get_mut(kept) {
                *slot = concept;
            }
            kept += 1;
        }
    }
    list.truncate(kept);
}

/// Whether an answer speaks of other files than the item does.
fn other_path(item: &[String], said: &[Cow<'_, str>]) -> bool {
    !item.is_empty() && !said.is_empty() && item.iter().all(|p| said.iter().all(|q| contradicts(p, q)))
}

/// Whether a file is another one than that of an item. A bare file name does not contradict a folder.
fn contradicts(p: &str, q: &str) -> bool {
    !same_path(p, q) && is_full(p, q)
}

/// Whether a file that is not that of an item is another one for sure.
fn is_full(p: &str, q: &str) -> bool {
    q.contains('/') || has_name(p)
}

/// Whether a path ends in the name of a file.
fn has_name(path: &str) -> bool {
    let bytes = path.bytes().rev();
    bytes.take_while(|b| *b != b'/').any(|b| b == b'.')
}

/// A path without `./` in front and slashes behind.
fn plain(mut path: &str) -> &str {
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    while let Some(rest) = path.strip_suffix('/') {
        path = rest;
    }
    path
}

/// Whether two spellings can mean the same file: equal, one the end of the other, or a file in a folder.
fn same_path(a: &str, b: &str) -> bool {
    same_plain(plain(a), plain(b))
}

/// As [`same_path`], for plain paths.
fn same_plain(a: &str, b: &str) -> bool {
    // One is the end of the other, or its beginning.
    let (first, last) = (
        |path: &str| path.as_bytes().first().copied(),
        |path: &str| path.as_bytes().last().copied(),
    );
    if (first(a) != first(b)) & (last(a) != last(b)) && !a.is_empty() && !b.is_empty() {
        return false;
    }
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let within = |folder: &str, file: &str| {
        file.strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    ends(a, b) || ends(b, a) || within(a, b)
}
