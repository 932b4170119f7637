//! What an item asks to do, or an answer says was done. Also compiled into the build script.

/// What an item asks to do, as far as its verbs tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Class(pub(super) u16);

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

    /// It is told by the result of a check: "12 passed".
    pub(super) const RESULT: Self = Self(1 << 9);

    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    pub(super) fn has(self, other: Self) -> bool {
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

    /// Whether it tells of a check alone, or of the result of one.
    pub(super) fn only_checks(self) -> bool {
        let made = Self::GENERIC
            .with(Self::CREATE)
            .with(Self::REMOVE)
            .with(Self::CHANGE)
            .with(Self::FIX);
        let checks =
            self.has(Self::RESULT) || self.has(Self::VERIFY.with(Self::RUN)) && !self.has(Self::OTHER);
        checks && !self.has(made)
    }

    /// Whether an item asks for something that a check does not bring about.
    pub(super) fn only_makes(self) -> bool {
        let made = Self::CREATE.with(Self::CHANGE).with(Self::REMOVE);
        self.has(made) && !self.has(Self(!made.0))
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
            return self.has(Self::REMOVE.with(Self::CHANGE).with(Self::FIX).with(Self::OTHER));
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
