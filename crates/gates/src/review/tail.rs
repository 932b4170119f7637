//! What follows the stem of a Korean verdict.

/// Whether what follows the stem 승인 (or an English verdict) makes it a verdict given now.
pub(super) fn korean_tail(tail: &str, foreign: bool) -> bool {
    const GIVEN: [&str; 26] = [
        "합니다",
        "함",
        "해요",
        "한다",
        "할게요",
        "할께요",
        "했습니다",
        "했어요",
        "하겠습니다",
        "하겠어요",
        "해둡니다",
        "해둘게요",
        "드립니다",
        "드려요",
        "드리겠습니다",
        "드릴게요",
        "입니다",
        "이에요",
        "예요",
        "이요",
        "임",
        "이다",
        "처리합니다",
        "처리했습니다",
        "시킵니다",
        "시키겠습니다",
    ];
    GIVEN.iter().any(|g| tail.starts_with(g))
        || matches!(tail, "해" | "하고" | "하며" | "하지만" | "합니다만" | "이지만")
        || foreign && matches!(tail, "요" | "이야" | "네요")
}
