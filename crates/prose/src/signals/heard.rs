//! Where the signals of clauses are written, and what is known of sets of tags that were met.

use super::{Of, TAGS, bits, signal};
use crate::lexicon::tag;
use crate::scale::listed_weight;
use crate::tags::Tags;
use std::cell::Cell;

/// How many signals of a message are kept with its reading, for whoever asks for them again: those of some 16 KB of
/// prose.
pub(super) const KEPT: usize = 1 << 15;

/// More signals than a token has, or a clause beside those of its tokens and figures: that much room is made at once, and
/// nobody has to ask for it signal by signal.
const ROOM: usize = 128;

/// The signals of clauses: those of the first ones of a message, and room for those of one more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    /// Those that were written, and room behind them.
    list: Vec<u32>,
    /// How many were written.
    count: usize,
    /// Where those of the latest clause begin.
    from: usize,
    /// Where those of each clause that is kept end.
    ends: Vec<u32>,
}

impl Heard {
    /// Room for those of so many tokens and clauses.
    pub(crate) fn with_room(tokens: usize, clauses: usize) -> Self {
        Self {
            // A word has about twelve.
            list: Vec::with_capacity((tokens * 16).clamp(1 << 9, KEPT)),
            ends: Vec::with_capacity(clauses),
            ..Self::default()
        }
    }

    pub(super) fn push(&mut self, signal: u32) {
        self.write(|pen| pen.put(signal));
    }

    /// Some that are fewer than there is room for at once.
    #[inline]
    pub(super) fn write(&mut self, write: impl FnOnce(&mut Pen<'_>)) {
        let wanted = self.count + ROOM;
        if self.list.len() < wanted {
            self.grow(wanted);
        }
        let Some(room) = self.list.get_mut(self.count..).and_then(<[u32]>::first_chunk_mut) else {
            return;
        };
        let mut pen = Pen { room, count: 0 };
        write(&mut pen);
        self.count += pen.count;
    }

    #[cold]
    fn grow(&mut self, wanted: usize) {
        // No more than that: a text has fewer than there is room for.
        self.list.resize(wanted + 3 * ROOM, 0);
    }

    /// How many the clause has so far.
    pub(super) fn len(&self) -> usize {
        self.count - self.from
    }

    /// Those of the latest clause.
    pub(crate) fn latest(&self) -> &[u32] {
        self.list.get(self.from..self.count).unwrap_or_default()
    }

    /// Keeps those of the latest clause, the next of the message, if there is room, and tells whether there is.
    pub(crate) fn keep(&mut self) -> bool {
        let room = self.from <= KEPT;
        if room {
            self.from = self.count;
            self.ends.push(self.from as u32);
        }
        room
    }

    /// Forgets those of the latest clause unless it is kept.
    pub(super) fn begin(&mut self) {
        self.count = self.from;
    }

    /// Those of a clause that is kept.
    pub(crate) fn kept(&self, index: usize) -> Option<&[u32]> {
        let end = *self.ends.get(index)? as usize;
        let from = index.checked_sub(1).and_then(|before| self.ends.get(before));
        self.list.get(from.map_or(0, |from| *from as usize)..end)
    }

    /// Of how many clauses they are kept.
    #[cfg(test)]
    pub(super) fn clauses(&self) -> usize {
        self.ends.len()
    }
}

/// Writes a few signals where there is room for all of them.
pub(super) struct Pen<'h> {
    room: &'h mut [u32; ROOM],
    count: usize,
}

impl Pen<'_> {
    #[inline]
    pub(super) fn put(&mut self, signal: u32) {
        self.put_if(true, signal);
    }

    /// One that is there or not, which nobody can foresee: the next one takes its place where it is not.
    #[inline]
    pub(super) fn put_if(&mut self, is: bool, signal: u32) {
        self.room[self.count % ROOM] = signal;
        self.count += usize::from(is);
    }

    pub(super) fn put_all<const N: usize>(&mut self, signals: [u32; N]) {
        signals.into_iter().for_each(|signal| self.put(signal));
    }

    /// The signals of a set of tags, in the order of its bits, and of all of them together if there are any.
    #[inline]
    pub(super) fn put_set(&mut self, set: &Set) {
        let count = self.count % ROOM;
        if let Some(place) = self.room.get_mut(count..).and_then(<[u32]>::first_chunk_mut)
            && set.count as usize <= FEW
        {
            *place = set.signals;
            self.count += set.count as usize;
        } else {
            self.put_many(set);
        }
    }

    #[cold]
    fn put_many(&mut self, set: &Set) {
        bits(set.tags.0).for_each(|bit| self.put(TAGS[bit as usize % 64]));
        self.put(signal(Of::Tags, set.whole));
    }
}

/// Signals that nearly all sets of tags have at most.
const FEW: usize = 8;

/// A set of tags.
#[derive(Clone, Copy, Default)]
pub(crate) struct Set {
    tags: Tags,
    /// What a word with them weighs for content, and what the first one that denies weighs beside it.
    weight: i32,
    denial: i32,
    /// A number for all of them.
    pub(super) whole: u32,
    /// How many signals it has, and the first of them.
    count: u32,
    signals: [u32; FEW],
}

impl Set {
    /// What a word with them that is no talk weighs for content, where it is the first one that denies or not.
    #[inline]
    pub(crate) fn weight(&self, denies: bool) -> i32 {
        self.weight + self.denial * i32::from(denies)
    }

    #[cold]
    fn of(tags: Tags) -> Self {
        let whole = super::set(tags);
        let together = (!tags.is_empty()).then(|| signal(Of::Tags, whole));
        let mut all = bits(tags.0).map(|bit| TAGS[bit as usize % 64]).chain(together);
        Self {
            tags,
            weight: listed_weight(tags),
            denial: i32::from(tags.any(tag::NEG)) * 3,
            whole,
            count: tags.0.count_ones() + u32::from(!tags.is_empty()),
            signals: std::array::from_fn(|_| all.next().unwrap_or_default()),
        }
    }
}

/// Sets of tags that were met, each at the only place where it may be. How many tags a word has nobody can foresee, and there
/// are a few hundred sets at all.
pub(crate) struct Sets([Set; 1 << SETS_BITS]);

const SETS_BITS: u32 = 8;

impl Default for Sets {
    fn default() -> Self {
        // What stands at each place first is right: no tags.
        Self([Set::default(); 1 << SETS_BITS])
    }
}

thread_local! {
    /// Those that this thread met before; none while somebody has them.
    static MET: Cell<Option<Box<Sets>>> = const { Cell::new(None) };
}

impl Sets {
    /// Hands on those that this thread met before.
    pub(crate) fn with<T>(take: impl FnOnce(&mut Self) -> T) -> T {
        let mut sets = MET.take().unwrap_or_default();
        let out = take(&mut sets);
        MET.set(Some(sets));
        out
    }

    /// What is known of a set.
    #[inline]
    pub(crate) fn of(&mut self, tags: Tags) -> &Set {
        let place = (tags.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SETS_BITS)) as usize;
        let set = &mut self.0[place % (1 << SETS_BITS)];
        if set.tags != tags {
            *set = Set::of(tags);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The signals of a set are those of its tags and one of all of them, of few tags and of many, met before or not.
    #[test]
    fn sets_have_the_signals_of_their_tags() {
        let mut sets = Sets::default();
        for tags in [0, 1, 1 << 63, 0b1011 << 20, 0x7f, 0xff, u64::MAX, 1, 0].map(Tags) {
            let mut heard = Heard::default();
            heard.write(|pen| pen.put_set(sets.of(tags)));
            let mut expected: Vec<u32> = bits(tags.0).map(|bit| signal(Of::Tag, bit)).collect();
            if !tags.is_empty() {
                expected.push(signal(Of::Tags, crate::signals::set(tags)));
            }
            assert_eq!(heard.latest(), expected, "{tags:?}");
        }
    }
}
