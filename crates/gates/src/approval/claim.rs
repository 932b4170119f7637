//! What a claim is.

use proctor_kernel::{CheckKind, Span};

/// What is claimed to hold now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimKind {
    /// A check of this kind passes: "all tests are green", "빌드 성공".
    Check(CheckKind),
    /// A check of this kind was run; it is not said what came of it: "I ran the tests".
    Ran(CheckKind),
    /// A check of this kind was run, and its end stands there as it printed it.
    Shown(CheckKind),
    /// Something was verified, without saying by what kind of check: "verified end to end", "동작 확인했습니다".
    Verified,
    /// The task as a whole is complete: "everything is implemented", "작업 완료했습니다".
    Done,
}

impl ClaimKind {
    /// All kinds that say that something holds, in the order of reports.
    pub const ALL: [Self; 6] = [
        Self::Check(CheckKind::Tests),
        Self::Check(CheckKind::Build),
        Self::Check(CheckKind::Types),
        Self::Check(CheckKind::Lint),
        Self::Verified,
        Self::Done,
    ];

    /// The check that it is about.
    #[must_use]
    pub fn check(self) -> Option<CheckKind> {
        match self {
            Self::Check(kind) | Self::Ran(kind) | Self::Shown(kind) => Some(kind),
            Self::Verified | Self::Done => None,
        }
    }

    /// Whether it says that something holds, not only that something was run.
    #[must_use]
    pub fn holds(self) -> bool {
        !matches!(self, Self::Ran(_) | Self::Shown(_))
    }

    /// The word used in records and labels.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Check(kind) => kind.as_str(),
            Self::Ran(CheckKind::Tests) => "ran_tests",
            Self::Ran(CheckKind::Build) => "ran_build",
            Self::Ran(CheckKind::Types) => "ran_types",
            Self::Ran(CheckKind::Lint) => "ran_lint",
            Self::Ran(CheckKind::Own) => "ran_own",
            Self::Shown(_) => "shown",
            Self::Verified => "verified",
            Self::Done => "done",
        }
    }
}

/// A claim and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is claimed.
    pub kind: ClaimKind,
    /// The clause that claims it.
    pub span: Span,
    /// The number of its sentence.
    pub sentence: usize,
}
