//! What a claim is.

use proctor_kernel::{CheckKind, Span};

/// What is claimed to hold now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimKind {
    /// A check of this kind passes: "all tests are green", "빌드 성공".
    Check(CheckKind),
    /// Something was verified, without saying by what kind of check: "verified end to end", "동작 확인했습니다".
    Verified,
    /// The task as a whole is complete: "everything is implemented", "작업 완료했습니다".
    Done,
}

impl ClaimKind {
    /// All kinds that texts claim, in the order of reports.
    pub const ALL: [Self; 6] = [
        Self::Check(CheckKind::Tests),
        Self::Check(CheckKind::Build),
        Self::Check(CheckKind::Types),
        Self::Check(CheckKind::Lint),
        Self::Verified,
        Self::Done,
    ];

    /// The word used in records and labels.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Check(kind) => kind.as_str(),
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
