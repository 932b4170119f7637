//! The items of a checklist, indexed by the concepts that they consist of.

use super::words::{Concept, concepts, name};
use crate::paths;

/// What an item asks to do, as far as its verbs tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Class(u16);

impl Class {
    pub(super) const NONE: Self = Self(0);
    /// Done without saying how.
    pub(super) const GENERIC: Self = Self(1);
    pub(super) const CREATE: Self = Self(1 << 1);
    pub(super) const REMOVE: Self = Self(1 << 2);
    pub(super) const CHANGE: Self = Self(1 << 3);
    pub(super) const FIX: Self = Self(1 << 4);
    pub(super) const RUN: Self = Self(1 << 5);
    /// Tests, checks and their results.
    pub(super) const VERIFY: Self = Self(1 << 6);
    /// Reading and thinking.
    pub(super) const ANALYSE: Self = Self(1 << 7);
    /// Anything else that names what was done.
    pub(super) const OTHER: Self = Self(1 << 8);

    pub(super) fn of(concept: &str) -> Self {
        match concept {
            "create" | "document" | "translate" | "fill" | "extract" | "doc" => Self::CREATE,
            "remove" => Self::REMOVE,
            "change" | "rotate" => Self::CHANGE,
            "fix" => Self::FIX,
            "run" => Self::RUN,
            "verify" => Self::VERIFY,
            "analyse" | "report" | "measure" | "reproduce" => Self::ANALYSE,
            "publish" | "support" | "use" | "show" | "send" => Self::OTHER,
            "finish" => Self::GENERIC,
            _ => Self::NONE,
        }
    }

    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether an answer that tells of doing `self` may complete an item that asks for `item`.
    pub(super) fn completes(self, item: Self) -> bool {
        if self.has(Self::GENERIC) || self.is_none() {
            return true;
        }
        let making = Self::CREATE.with(Self::CHANGE).with(Self::FIX).with(Self::OTHER);
        if self.has(item) && !item.is_none() {
            return true;
        }
        if item.is_none() {
            return self.has(making.with(Self::REMOVE).with(Self::RUN).with(Self::VERIFY));
        }
        if item.has(Self::CREATE) && self.has(Self::REMOVE) && !self.has(making) {
            return false;
        }
        if item.has(Self::REMOVE) && !item.has(making) {
            return self.has(Self::REMOVE.with(Self::CHANGE).with(Self::FIX));
        }
        if item.has(Self::RUN.with(Self::VERIFY)) && self.has(Self::RUN.with(Self::VERIFY)) {
            return true;
        }
        if item.has(Self::FIX) && self.has(Self::VERIFY) {
            return true;
        }
        self.has(making) || (item.has(Self::ANALYSE) && self.has(Self::VERIFY.with(Self::RUN)))
    }
}

struct Item {
    concepts: Vec<Concept>,
    /// For each concept: no other item has it.
    own: Vec<bool>,
    total: f32,
    paths: Vec<String>,
    class: Class,
    /// It asks for a verdict on somebody's work.
    verdict: bool,
}

/// The checklist, ready for look-ups.
pub(super) struct Checklist {
    items: Vec<Item>,
    /// Name, item and place in the item of each concept, sorted.
    index: Vec<(u64, usize, usize)>,
}

/// How well a stretch of text fits an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Match {
    pub(super) item: usize,
    /// 0 to 1.
    pub(super) score: f32,
}

/// Concepts that more items than this share tell nothing, and would cost time.
const SHARED: usize = 64;

impl Checklist {
    pub(super) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut items: Vec<Item> = texts
            .map(|text| {
                let mut list = concepts(text);
                list.retain(|c| c.weight > 0.0);
                distinct(&mut list);
                let verbal = list.iter().fold(Class::NONE, |class, c| class.with(c.class));
                // An item that is nothing but a verb consists of it.
                if list.iter().all(|c| c.weight < 0.5) {
                    for concept in &mut list {
                        concept.weight = 1.0;
                    }
                }
                let paths = paths::find(text)
                    .into_iter()
                    .filter(|m| m.strong)
                    .map(|m| m.path)
                    .collect();
                Item {
                    verdict: super::verdict::is_asked(text, verbal),
                    own: vec![true; list.len()],
                    concepts: list,
                    total: 0.0,
                    paths,
                    class: verbal,
                }
            })
            .collect();
        let mut index: Vec<(u64, usize, usize)> = items
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
        }
        Self { items, index }
    }

    pub(super) fn class(&self, item: usize) -> Class {
        self.items.get(item).map_or(Class::NONE, |i| i.class)
    }

    /// The items that ask for a verdict.
    pub(super) fn verdicts(&self) -> impl Iterator<Item = usize> {
        self.items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.verdict)
            .map(|(i, _)| i)
    }

    /// The items that a stretch of text speaks of, best first.
    pub(super) fn matches(&self, text: &str, found: &[Concept]) -> Vec<Match> {
        let mut hits: Vec<(usize, usize)> = Vec::new();
        for concept in found {
            let places = places(&self.index, concept.name);
            if places.len() <= SHARED {
                hits.extend(places.iter().map(|(_, item, k)| (*item, *k)));
            }
        }
        if hits.is_empty() {
            return Vec::new();
        }
        hits.sort_unstable();
        hits.dedup();
        let with_path = hits
            .iter()
            .any(|(item, _)| self.items.get(*item).is_some_and(|i| !i.paths.is_empty()));
        let paths: Vec<String> = if with_path {
            let found = paths::find(text).into_iter();
            found.filter(|m| m.strong).map(|m| m.path).collect()
        } else {
            Vec::new()
        };
        let mut out: Vec<Match> = hits
            .chunk_by(|a, b| a.0 == b.0)
            .filter_map(|ks| {
                let item = ks.first()?.0;
                let it = self.items.get(item)?;
                if other_path(&it.paths, &paths) {
                    return None;
                }
                let named = it.paths.iter().any(|p| paths.iter().any(|q| same_path(p, q)));
                let own = |k: usize| {
                    it.own.get(k).is_some_and(|own| *own)
                        && it.concepts.get(k).is_some_and(|c| c.weight >= 0.5)
                };
                let sum: f32 = ks
                    .iter()
                    .filter_map(|(_, k)| it.concepts.get(*k))
                    .map(|c| c.weight)
                    .sum();
                let mut score = if it.total > 0.0 { sum / it.total } else { 0.0 };
                // Where items differ only in some words, at least one of those words must be there.
                let differs = (0..it.concepts.len()).any(own);
                let says = ks.iter().any(|(_, k)| own(*k));
                if differs && !says {
                    score *= 0.4;
                }
                if named {
                    score = score.max(0.75);
                }
                Some(Match { item, score })
            })
            .collect();
        out.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.item.cmp(&b.item)));
        out
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
                let own = concepts(path);
                let only = item.concepts.iter().all(|c| {
                    own.iter().any(|o| o.name == c.name)
                        || c.class == Class::CREATE
                        || [FILE, SCRIPT, MODULE].contains(&c.name)
                });
                creates && only && created.iter().any(|c| same_path(path, c))
            })
            .map(|(i, _)| i)
            .collect()
    }
}

const FILE: u64 = name("file");
const SCRIPT: u64 = name("script");
const MODULE: u64 = name("module");

/// The places of a concept in a checklist.
fn places(index: &[(u64, usize, usize)], name: u64) -> &[(u64, usize, usize)] {
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
fn other_path(item: &[String], said: &[String]) -> bool {
    !item.is_empty() && !said.is_empty() && !item.iter().any(|p| said.iter().any(|q| same_path(p, q)))
}

/// Whether two spellings can mean the same file: equal, one the end of the other, or a file in a folder.
fn same_path(a: &str, b: &str) -> bool {
    let a = a.trim_start_matches("./").trim_end_matches('/');
    let b = b.trim_start_matches("./").trim_end_matches('/');
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
