//! Korean words, stems and phrases: one tree of syllables that the build script lays out.
//!
//! A slot of the tree holds the node that a step begins at, the syllable, the node that it leads to, and the number of what
//! that node says: a step takes one look at the memory, and what is not in the tree ends at it.

use super::tag::{self, KOREAN_SAYS, KOREAN_SLOTS};
use super::{HEAD, Known, PHRASE, SAID, STEM, WHOLE, tree_place};
use crate::tags::Tags;

/// What a node says: which of a stem, a word that counts only as a whole, a phrase (written without spaces) and the first
/// word of one end there, and the number of their tags.
#[derive(Clone, Copy, Default)]
struct Says(u16);

impl Says {
    const fn has(self, what: u16) -> bool {
        self.0 & what != 0
    }

    /// The tags of its stem, of its whole word and of its phrase; none of what it has not.
    fn tags(self) -> [Tags; 3] {
        let tags = KOREAN_SAYS.get(usize::from(self.0 & SAID)).copied();
        tags.unwrap_or_default().map(Tags)
    }
}

/// Where the step from a node by a syllable is looked for first, and its key.
fn step(node: u32, syllable: u32) -> (u32, usize) {
    let key = node << 16 | syllable & 0xffff;
    (key, tree_place(key) & (KOREAN_SLOTS.len() - 1))
}

/// The step with a key, given the slot at which it is looked for first: where it leads, and what is said there.
#[inline]
fn lead((key, mut place): (u32, usize), mut slot: u64) -> Option<(u32, Says)> {
    while (slot >> 32) as u32 != key {
        if slot == 0 {
            return None;
        }
        place = (place + 1) & (KOREAN_SLOTS.len() - 1);
        slot = KOREAN_SLOTS.get(place).copied().unwrap_or_default();
    }
    // The key of no step is 0: each has a syllable.
    Some(((slot >> 16) as u32 & 0xffff, Says(slot as u16)))
}

/// The first character of a text and its bytes; `None` for those that are in no word of the tree as well.
fn first_char(bytes: &[u8]) -> Option<(u32, usize)> {
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
    /// Whose way it is: a number of the caller's.
    pub(crate) of: u32,
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
    leads: bool,
}

impl Way {
    /// The way of the word that stands there in its text.
    pub(crate) fn new(of: u32, at: u32, end: u32) -> Self {
        Self {
            of,
            at,
            end,
            ..Self::default()
        }
    }

    /// The next step and the slot at which it is looked for first; `None` at the end of the word.
    #[inline]
    fn next(&self, text: &[u8]) -> Option<(usize, (u32, usize), u64)> {
        let rest = text.get(self.at as usize..self.end as usize)?;
        let (syllable, width) = first_char(rest)?;
        let step = step(self.node, syllable);
        Some((width, step, KOREAN_SLOTS.get(step.1).copied().unwrap_or_default()))
    }

    /// Takes a step, and tells whether there is one.
    #[inline]
    fn take(&mut self, width: usize, step: (u32, usize), slot: u64) -> bool {
        let Some((node, says)) = lead(step, slot) else {
            return false;
        };
        self.node = node;
        self.at += width as u32;
        self.steps = self.steps.saturating_add(1);
        self.leads |= says.has(HEAD);
        if says.has(STEM) {
            (self.before, self.longest, self.chars) = (self.longest, says, self.steps);
        }
        if says.has(WHOLE) && self.at == self.end {
            self.whole = says;
        }
        true
    }

    /// What is known about the word: its own tags where it counts as a whole, else those of the longest listed stem that it
    /// begins with.
    pub(crate) fn known(&self) -> Known {
        let [mut tags, _, _] = self.longest.tags();
        // 실행하지 is technical, and running all the same: what a shorter stem says of a check stays.
        let kept = tag::RUN | tag::CHECK;
        if self.chars > 2 && !tags.any(kept) && self.before.has(STEM) {
            let [before, _, _] = self.before.tags();
            tags |= Tags(before.0 & kept.0);
        }
        let [_, whole, _] = self.whole.tags();
        Known {
            tags: match (self.whole.has(WHOLE), self.longest.has(STEM)) {
                (true, _) => Some(whole),
                (false, true) => Some(tags),
                (false, false) => None,
            },
            leads: self.leads,
        }
    }
}

/// Room to go down with several words at once.
#[derive(Default)]
pub(crate) struct Steps(Vec<(u32, usize, (u32, usize), u64)>);

impl Steps {
    /// Goes down the tree with all words at once, step by step: the slots lie far apart in the memory, and those of all words
    /// are fetched before the first is looked at.
    pub(crate) fn take(&mut self, ways: &mut [Way], text: &[u8]) {
        let steps = &mut self.0;
        steps.clear();
        let next = |number: u32, way: &Way| {
            let (width, step, slot) = way.next(text)?;
            Some((number, width, step, slot))
        };
        steps.extend((0..).zip(ways.iter()).filter_map(|(number, way)| next(number, way)));
        while !steps.is_empty() {
            steps.retain(|(number, width, step, slot)| {
                let way = ways.get_mut(*number as usize);
                way.is_some_and(|way| way.take(*width, *step, *slot))
            });
            steps.retain_mut(|step| {
                let after = ways.get(step.0 as usize).and_then(|way| next(step.0, way));
                after.is_some_and(|after| {
                    *step = after;
                    true
                })
            });
        }
    }
}

/// What is known about a Korean word.
pub(crate) fn known(word: &[u8]) -> Known {
    let mut way = Way::new(0, 0, word.len() as u32);
    while let Some((width, step, slot)) = way.next(word) {
        if !way.take(width, step, slot) {
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
            let step = step(self.0, syllable);
            let slot = KOREAN_SLOTS.get(step.1).copied().unwrap_or_default();
            let Some((node, says)) = lead(step, slot) else {
                return false;
            };
            self.0 = node;
            end += width;
            if says.has(PHRASE) {
                let [_, _, phrase] = says.tags();
                tell(phrase);
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
