//! The items of a checklist, indexed by the concepts that they consist of.

use super::words::{Concept, concepts};
use crate::paths;
use std::collections::{HashMap, HashSet};

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
    total: f32,
    paths: Vec<String>,
    class: Class,
    /// It asks for a verdict on somebody's work.
    verdict: bool,
}

/// The checklist, ready for look-ups.
pub(super) struct Checklist {
    items: Vec<Item>,
    index: HashMap<String, Vec<(usize, usize)>>,
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
                let mut seen = HashSet::new();
                let mut list: Vec<Concept> = concepts(text)
                    .into_iter()
                    .filter(|c| c.weight > 0.0 && seen.insert(c.name.clone()))
                    .collect();
                let verbal = list
                    .iter()
                    .fold(Class::NONE, |class, c| class.with(Class::of(&c.name)));
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
                    concepts: list,
                    total: 0.0,
                    paths,
                    class: verbal,
                }
            })
            .collect();
        let mut index: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
        for (i, item) in items.iter().enumerate() {
            for (k, concept) in item.concepts.iter().enumerate() {
                index.entry(concept.name.clone()).or_default().push((i, k));
            }
        }
        // A word that several items share tells less about each of them.
        for item in &mut items {
            for concept in &mut item.concepts {
                let shared = index.get(&concept.name).map_or(1, Vec::len);
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
        let mut hits: HashMap<usize, HashSet<usize>> = HashMap::new();
        let mut looked = HashSet::new();
        for concept in found {
            if !looked.insert(concept.name.as_str()) {
                continue;
            }
            if let Some(places) = self.index.get(&concept.name).filter(|p| p.len() <= SHARED) {
                for (item, k) in places {
                    hits.entry(*item).or_default().insert(*k);
                }
            }
        }
        if hits.is_empty() {
            return Vec::new();
        }
        let paths: Vec<String> = paths::find(text)
            .into_iter()
            .filter(|m| m.strong)
            .map(|m| m.path)
            .collect();
        let own = |item: usize, k: &usize| {
            let name = self
                .items
                .get(item)
                .and_then(|i| i.concepts.get(*k))
                .map_or("", |c| c.name.as_str());
            self.index.get(name).is_some_and(|p| p.len() == 1)
        };
        let mut out: Vec<Match> = hits
            .iter()
            .filter_map(|(item, ks)| {
                let it = self.items.get(*item)?;
                if other_path(&it.paths, &paths) {
                    return None;
                }
                let named = it.paths.iter().any(|p| paths.iter().any(|q| same_path(p, q)));
                let sum: f32 = ks
                    .iter()
                    .filter_map(|k| it.concepts.get(*k))
                    .map(|c| c.weight)
                    .sum();
                let mut score = if it.total > 0.0 { sum / it.total } else { 0.0 };
                // Where items differ only in some words, at least one of those words must be there.
                let differs = it
                    .concepts
                    .iter()
                    .enumerate()
                    .any(|(k, c)| c.weight >= 0.5 && own(*item, &k));
                let says = ks
                    .iter()
                    .any(|k| it.concepts.get(*k).is_some_and(|c| c.weight >= 0.5) && own(*item, k));
                if differs && !says {
                    score *= 0.4;
                }
                if named {
                    score = score.max(0.75);
                }
                Some(Match { item: *item, score })
            })
            .collect();
        out.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.item.cmp(&b.item)));
        out
    }

    /// Items whose creation is all that they ask, and whose one file is among `created`.
    pub(super) fn created(&self, created: &[String]) -> Vec<usize> {
        self.items
            .iter()
            .enumerate()
            .filter(|(_, item)| {
                let [path] = item.paths.as_slice() else {
                    return false;
                };
                let creates = item.class == Class::CREATE || item.class == Class::NONE;
                // Nothing but the file's own name (and the verb) is asked for.
                let own: HashSet<String> = concepts(path).into_iter().map(|c| c.name).collect();
                let only = item.concepts.iter().all(|c| {
                    own.contains(&c.name)
                        || Class::of(&c.name) == Class::CREATE
                        || matches!(c.name.as_str(), "file" | "script" | "module")
                });
                creates && only && created.iter().any(|c| same_path(path, c))
            })
            .map(|(i, _)| i)
            .collect()
    }
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
