//! What words say of the state of work, as a set of signs. Also compiled into the build script.

/// A set of signs. The first bits are the sections of `lexicon/signs.txt` in the order of the build script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Signs(pub(super) u64);

impl Signs {
    pub(super) const NONE: Self = Self(0);
    pub(super) const HARMLESS: Self = Self(1);
    pub(super) const NEG: Self = Self(1 << 1);
    pub(super) const NO: Self = Self(1 << 2);
    pub(super) const TROUBLE: Self = Self(1 << 3);
    pub(super) const BAD: Self = Self(1 << 4);
    pub(super) const UNDONE: Self = Self(1 << 5);
    pub(super) const DROPPED: Self = Self(1 << 6);
    pub(super) const OPEN: Self = Self(1 << 7);
    pub(super) const FUTURE: Self = Self(1 << 8);
    pub(super) const PLAN: Self = Self(1 << 9);
    pub(super) const LATE: Self = Self(1 << 10);
    pub(super) const LEFT: Self = Self(1 << 11);
    pub(super) const DONE: Self = Self(1 << 12);
    pub(super) const MARKER: Self = Self(1 << 13);
    pub(super) const VERIFIED: Self = Self(1 << 14);
    pub(super) const ANALYSED: Self = Self(1 << 15);
    pub(super) const IDLE: Self = Self(1 << 16);
    pub(super) const PAST: Self = Self(1 << 17);
    pub(super) const CONDITION: Self = Self(1 << 18);
    pub(super) const PEOPLE: Self = Self(1 << 19);
    pub(super) const LIMIT: Self = Self(1 << 20);
    pub(super) const CONTRAST: Self = Self(1 << 21);
    pub(super) const QUANTITY: Self = Self(1 << 22);
    pub(super) const GENERIC: Self = Self(1 << 23);
    /// A word without meaning of its own.
    pub(super) const STOP: Self = Self(1 << 24);
    pub(super) const DETERMINER: Self = Self(1 << 25);
    pub(super) const PREPOSITION: Self = Self(1 << 26);
    /// Pictures.
    pub(super) const TICK: Self = Self(1 << 27);
    pub(super) const CROSS: Self = Self(1 << 28);
    pub(super) const CLOCK: Self = Self(1 << 29);
    /// It has content of its own.
    pub(super) const CONTENT: Self = Self(1 << 30);

    /// A verb of result in the present tense.
    pub(super) const RESULT: Self = Self(1 << 32);
    /// Takes back what was said.
    pub(super) const RETRACT: Self = Self(1 << 33);
    /// Points at what was spoken of before.
    pub(super) const ANAPHOR: Self = Self(1 << 34);
    /// Nothing but what is named.
    pub(super) const ONLY: Self = Self(1 << 35);
    /// Tells again what was asked for.
    pub(super) const ASKED: Self = Self(1 << 36);
    /// It begins a new statement in the sentence.
    pub(super) const JOINT: Self = Self(1 << 31);

    /// What tells of a state.
    pub(super) const STATES: Self = Self::UNDONE
        .with(Self::BAD)
        .with(Self::OPEN)
        .with(Self::FUTURE)
        .with(Self::NO)
        .with(Self::NEG)
        .with(Self::DONE)
        .with(Self::VERIFIED)
        .with(Self::ANALYSED);

    pub(super) const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The signs, or none.
    #[must_use]
    pub(super) const fn when(self, is: bool) -> Self {
        Self(self.0 * is as u64)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}
