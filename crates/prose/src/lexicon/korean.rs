//! Korean words, stems and phrases: one tree of syllables that the build script lays out.
//!
//! A slot of the tree holds the node that a step begins at, the syllable, the node that it leads to, and the number of what
//! that node says: a step takes one look at the memory, and what is not in the tree ends at it.

use super::tag::{self, KOREAN_FACTOR, KOREAN_SAYS, KOREAN_SLOTS};
use super::{HEAD, Known, MORE, PHRASE, SAID, STEM, TREE_SLOTS, WHOLE, tree_place};
use crate::tags::Tags;
use std::hint::select_unpredictable;

/// What a node says: which of a stem, a word that counts only as a whole, a phrase (written without spaces) and the first
/// word of one end there, and the number of their tags.
#[derive(Clone, Copy, Default)]
struct Says(u16);

impl Says {
    const fn has(self, what: u16) -> bool {
        self.0 & what != 0
    }

    /// One of two, without a decision.
    fn either(first: bool, one: Self, other: Self) -> Self {
        Self(select_unpredictable(first, one.0, other.0))
    }

    /// The tags of its stem, of its whole word and of its phrase; none of what it has not.
    fn tags(self) -> [Tags; 3] {
        let tags = KOREAN_SAYS.get(usize::from(self.0 & SAID)).copied();
        tags.unwrap_or_default().map(Tags)
    }
}

/// A step from a node by a syllable.
#[derive(Clone, Copy)]
struct Step {
    /// The node and the syllable.
    key: u32,
    /// Bytes of the syllable.
    width: u8,
}

impl Step {
    #[inline]
    fn new(node: u32, syllable: u32, width: u8) -> Self {
        Self {
            key: node << 16 | syllable & 0xffff,
            width,
        }
    }

    /// The slot that tells where it leads, and what is said there; 0 where it leads nowhere. All slots where it may be are
    /// looked at: which one is the right one, if any, nobody can foresee.
    #[inline]
    fn lead(&self) -> u64 {
        let only = |slot: u64| select_unpredictable((slot >> 32) as u32 == self.key, slot, 0);
        let place = tree_place(self.key, KOREAN_FACTOR) % KOREAN_SLOTS.len();
        match KOREAN_SLOTS
            .get(place..)
            .and_then(<[u64]>::first_chunk::<TREE_SLOTS>)
        {
            Some(slots) => slots.iter().fold(0, |found, slot| found | only(*slot)),
            // Behind the last one stands the first one.
            None => (0..TREE_SLOTS).fold(0, |found, behind| found | only(slot(place + behind))),
        }
    }
}

/// The node that a slot leads to.
fn leads_to(slot: u64) -> u32 {
    (slot >> 16) as u32 & 0xffff
}

/// A slot of the tree.
fn slot(place: usize) -> u64 {
    KOREAN_SLOTS[place % KOREAN_SLOTS.len()]
}

/// The first character of a text and its bytes; `None` for those that are in no word of the tree as well.
fn first_char(bytes: &[u8]) -> Option<(u32, u8)> {
    let low = |b: u8| u32::from(b & 63);
    match *bytes {
        [a @ 0xe0..0xf0, b, c, ..] => Some((u32::from(a & 15) << 12 | low(b) << 6 | low(c), 3)),
        [a @ 0..0x80, ..] => Some((a.into(), 1)),
        [a @ 0xc0..0xe0, b, ..] => Some((u32::from(a & 31) << 6 | low(b), 2)),
        _ => None,
    }
}

/// A word on its way down the tree.
#[derive(Clone, Copy, Default)]
pub(crate) struct Way {
    /// Where the rest of the word begins in its text, and where the word ends.
    at: u32,
    end: u32,
    node: u32,
    /// The longest stem so far, how many characters it has, the one before it, and the word as a whole.
    longest: Says,
    chars: u8,
    before: Says,
    whole: Says,
    /// Steps that were taken.
    steps: u8,
    /// What all nodes on the way said, and the last of them.
    all: Says,
    last: Says,
}

impl Way {
    /// The way of the word that stands there in its text.
    pub(crate) fn new((at, end): (u32, u32)) -> Self {
        Self {
            at,
            end,
            ..Self::default()
        }
    }

    /// The next step; `None` at the end of the word.
    #[inline]
    fn next(&self, text: &[u8]) -> Option<Step> {
        let rest = text.get(self.at as usize..self.end as usize)?;
        let (syllable, width) = first_char(rest)?;
        Some(Step::new(self.node, syllable, width))
    }

    /// Takes a step, and tells whether there is one. What comes of it is reckoned either way, without a decision.
    #[inline]
    fn take(&mut self, step: Step) -> bool {
        let slot = step.lead();
        let says = Says(slot as u16);
        let goes = slot != 0;
        self.node = leads_to(slot);
        self.at += u32::from(select_unpredictable(goes, step.width, 0));
        self.steps = self.steps.saturating_add(u8::from(goes));
        self.all.0 |= says.0;
        self.last = Says::either(goes, says, self.last);
        let stem = says.has(STEM);
        self.before = Says::either(stem, self.longest, self.before);
        self.longest = Says::either(stem, says, self.longest);
        self.chars = select_unpredictable(stem, self.steps, self.chars);
        let whole = Says::either(says.has(WHOLE), says, self.whole);
        self.whole = Says::either(self.at == self.end, whole, self.whole);
        goes
    }

    /// What is known about the word.
    fn known(&self) -> Known {
        let (tags, leads) = self.tags();
        let listed = self.whole.has(WHOLE) || self.longest.has(STEM);
        Known {
            tags: listed.then_some(tags),
            leads,
        }
    }

    /// The tags of the word, and whether a listed phrase may begin with it: its own tags where it counts as a whole, else
    /// those of the longest listed stem that it begins with.
    pub(crate) fn tags(&self) -> (Tags, bool) {
        let [stem, _, _] = self.longest.tags();
        // 실행하지 is technical, and running all the same: what a shorter stem says of a check stays.
        let kept = tag::RUN | tag::CHECK;
        let [before, _, _] = self.before.tags();
        let keeps = (self.chars > 2) & !stem.any(kept) & self.before.has(STEM);
        let stem = stem.0 | select_unpredictable(keeps, before.0 & kept.0, 0);
        let stem = select_unpredictable(self.longest.has(STEM), stem, 0);
        let [_, whole, _] = self.whole.tags();
        let tags = select_unpredictable(self.whole.has(WHOLE), whole.0, stem);
        // The first word of a phrase ends here, and a whole one as well or one that goes on behind the word.
        let goes_on = self.last.has(MORE) & (self.at == self.end);
        (Tags(tags), self.all.has(HEAD) & (self.all.has(PHRASE) | goes_on))
    }
}

/// Room to go down with several words at once: the numbers of those that go on.
#[derive(Default)]
pub(crate) struct Steps(Vec<u32>);

impl Steps {
    /// Goes down the tree with all words at once, step by step: the slots lie far apart in the memory, and while those of one
    /// word are fetched the next ones are asked for. How far a word gets nobody can foresee: each is written down again, and
    /// the next one goes to the same place where its way has ended.
    pub(crate) fn take(&mut self, ways: &mut [Way], text: &[u8]) {
        let numbers = &mut self.0;
        numbers.clear();
        numbers.extend(0..ways.len() as u32);
        let mut count = numbers.len();
        while count > 0 {
            let mut kept = 0;
            for at in 0..count {
                let number = numbers.get(at).copied().unwrap_or_default();
                let Some(way) = ways.get_mut(number as usize) else {
                    continue;
                };
                let Some(step) = way.next(text) else { continue };
                let goes = way.take(step) & (way.at < way.end);
                if let Some(place) = numbers.get_mut(kept) {
                    *place = number;
                }
                kept += usize::from(goes);
            }
            count = kept;
        }
    }
}

/// What is known about a Korean word.
pub(crate) fn known(word: &[u8]) -> Known {
    let mut way = Way::new((0, word.len() as u32));
    while let Some(step) = way.next(word) {
        if !way.take(step) {
            break;
        }
    }
    way.known()
}

/// Words that a phrase may begin with.
#[derive(Clone, Copy, Default)]
pub(crate) struct Beginning(u32);

impl Beginning {
    /// Goes on by a word, and tells the tags of each phrase that ends in it. Gives whether one may go on behind.
    pub(crate) fn and(&mut self, word: &[u8], mut tell: impl FnMut(Tags)) -> bool {
        let mut end = 0;
        while let Some((syllable, width)) = first_char(word.get(end..).unwrap_or_default()) {
            let slot = Step::new(self.0, syllable, width).lead();
            if slot == 0 {
                return false;
            }
            let says = Says(slot as u16);
            self.0 = leads_to(slot);
            end += usize::from(width);
            if says.has(PHRASE) {
                let [_, _, phrase] = says.tags();
                tell(phrase);
            }
            if !says.has(MORE) {
                return false;
            }
        }
        end == word.len()
    }
}

/// All words of the tree, stems, those that count as a whole and phrases, with their tags.
pub(super) fn all() -> Vec<(String, Tags)> {
    let mut slots: Vec<u64> = KOREAN_SLOTS.iter().copied().filter(|slot| *slot != 0).collect();
    // A node comes behind the one that it begins at.
    slots.sort_unstable_by_key(|slot| slot >> 16 & 0xffff);
    let mut spelled = vec![String::new()];
    let mut words = Vec::new();
    for slot in slots {
        let mut word = spelled.get((slot >> 48) as usize).cloned().unwrap_or_default();
        word.extend(char::from_u32((slot >> 32) as u32 & 0xffff));
        let says = Says(slot as u16);
        for (what, tags) in [STEM, WHOLE, PHRASE].into_iter().zip(says.tags()) {
            if says.has(what) {
                words.push((word.clone(), tags));
            }
        }
        spelled.push(word);
    }
    words
}
