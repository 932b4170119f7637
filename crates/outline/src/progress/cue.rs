//! What the readers of parts look for in single words. Also compiled into the build script.

/// A set of cues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cues(pub(super) u64);

impl Cues {
    pub(super) const NONE: Self = Self(0);
    /// and, or.
    pub(super) const AND: Self = Self(1);
    /// It joins what follows to what stands before: and, or, 및.
    pub(super) const JOINS: Self = Self(1 << 1);
    /// but, except.
    pub(super) const EXCEPTS: Self = Self(1 << 2);
    /// correction, 정정.
    pub(super) const CORRECTS: Self = Self(1 << 3);
    /// so, then, because: opens a statement without being part of it.
    pub(super) const OPENER: Self = Self(1 << 4);
    pub(super) const SO: Self = Self(1 << 5);
    /// too, likewise, 도요.
    pub(super) const TOO: Self = Self(1 << 6);
    /// if, once, until.
    pub(super) const IF: Self = Self(1 << 7);
    /// Stands before the verb of a part that begins with its verb: and, I.
    pub(super) const LEADS: Self = Self(1 << 8);
    /// All of several: 둘, 모두.
    pub(super) const BOTH: Self = Self(1 << 9);
    /// Says by itself that a cause is given: because, 때문.
    pub(super) const CAUSE: Self = Self(1 << 10);
    /// The cause by its name: reason, 원인.
    pub(super) const REASON: Self = Self(1 << 11);
    /// Says what a cause is: is, 입니다.
    pub(super) const IS: Self = Self(1 << 12);
    /// A cause is not known: perhaps, 추정.
    pub(super) const UNSURE: Self = Self(1 << 13);
    pub(super) const ONLY: Self = Self(1 << 14);
    pub(super) const OF: Self = Self(1 << 15);
    /// no, none, nothing, nobody.
    pub(super) const NOTHING: Self = Self(1 << 16);
    /// 다시.
    pub(super) const AGAIN: Self = Self(1 << 17);
    /// now, fine, correctly.
    pub(super) const NOW: Self = Self(1 << 18);
    /// Speaks of how far the work is: progress, 진행.
    pub(super) const PROGRESS: Self = Self(1 << 19);
    /// People or agents at work.
    pub(super) const PERSON: Self = Self(1 << 20);
    /// 보안팀이, 담당자에게.
    pub(super) const SOMEBODY: Self = Self(1 << 21);
    /// A list may be cut before it.
    pub(super) const CUT: Self = Self(1 << 22);
    /// A list may be cut behind it.
    pub(super) const CUT_BEHIND: Self = Self(1 << 23);
    /// Ends a statement without ending the sentence: 했고.
    pub(super) const CONNECTS: Self = Self(1 << 24);
    /// Ends in 서.
    pub(super) const REASONS: Self = Self(1 << 25);
    /// Ends in 지만.
    pub(super) const CONTRAST: Self = Self(1 << 26);
    /// The next part carries it on: 수정해서.
    pub(super) const CARRIED: Self = Self(1 << 27);
    /// Only this: 목차만.
    pub(super) const PARTLY: Self = Self(1 << 28);
    /// A number that may be that of an item.
    pub(super) const COUNTS: Self = Self(1 << 29);
    /// The letter of an item, with the `)` behind it.
    pub(super) const LETTER: Self = Self(1 << 30);
    /// Begins with digits or is a number in words.
    pub(super) const FIGURE: Self = Self(1 << 31);
    /// May begin the name of a file.
    pub(super) const FILE: Self = Self(1 << 32);
    /// 중, 가운데.
    pub(super) const AMONG: Self = Self(1 << 33);
    /// A capitalised word that no list knows: perhaps a name.
    pub(super) const NAME: Self = Self(1 << 34);
    /// `@name`.
    pub(super) const MENTION: Self = Self(1 << 35);

    /// Points at what was left: 남았던, the other.
    pub(super) const FORMER: Self = Self(1 << 36);

    /// May by itself speak of items by order or quantity: first, all, 나머지.
    pub(super) const COUNTING: Self = Self(1 << 37);
    /// The same where there are two items: both, former.
    pub(super) const OF_TWO: Self = Self(1 << 38);
    /// What numbers in words stand behind: items, steps; or "than", behind "other".
    pub(super) const COUNTED: Self = Self(1 << 39);

    /// A Korean word that may say something by its form or beside another one.
    pub(super) const FORMED: Self = Self(1 << 40);

    /// There is none of something: nothing, 없습니다.
    pub(super) const VOID: Self = Self(1 << 41);
    /// It is about all of the work, or about what was asked for: everything, requested, 빠짐없이.
    pub(super) const WHOLE: Self = Self(1 << 42);
    /// A sentence about the whole may be told by it.
    pub(super) const KEY: Self = Self(1 << 43);
    /// A stroke, a bar or a picture, beside which a part may end.
    pub(super) const BREAK: Self = Self(1 << 44);

    /// What somebody else's work is told by.
    pub(super) const PEOPLE: Self = Self::PERSON
        .with(Self::SOMEBODY)
        .with(Self::NAME)
        .with(Self::MENTION);

    /// Whether one of the others is among them.
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

    /// The cues, or none.
    #[must_use]
    pub(super) const fn when(self, is: bool) -> Self {
        if is { self } else { Self::NONE }
    }
}
