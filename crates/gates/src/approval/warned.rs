//! "No warnings", against the number of them that the runs printed.

use super::figure::{Piece, pieces};
use crate::support::{Now, is_good, quoted};
use proctor_kernel::{CheckKind, CheckRun};

/// Words between "no" and "warnings" that leave it a word about all of them. "No new warnings" is about some.
const KINDS: &[&str] = &[
    "any",
    "single",
    "a",
    "one",
    "compiler",
    "build",
    "lint",
    "linter",
    "clippy",
    "eslint",
    "pyright",
    "biome",
    "rustc",
    "error",
    "errors",
    "failures",
    "or",
    "and",
    "more",
    "remaining",
];
/// Words behind "warnings" with which it is about some of them.
const OF_SOME: &[&str] = &[
    "in",
    "from",
    "about",
    "for",
    "of",
    "on",
    "related",
    "that",
    "which",
    "except",
    "besides",
    "apart",
    "other",
    "beyond",
    "caused",
    "introduced",
    "due",
    "were",
    "was",
    "added",
    "outside",
    "as",
    "by",
    "until",
    "before",
];

/// How far before "warnings" the word that denies them is looked for.
const FAR: usize = 4;

/// Warnings that were printed where none are claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contradicted {
    warnings: u64,
    /// The run that printed them, as its place in the list.
    pub(super) run: usize,
    check: String,
}

impl Contradicted {
    /// What is missing, as a fragment.
    pub(super) fn missing(&self, korean: bool) -> String {
        let Self { warnings, .. } = self;
        let check = quoted(&self.check);
        let plural = if *warnings == 1 { "" } else { "s" };
        match korean {
            false => format!("{check} shows {warnings} warning{plural}"),
            true => format!("{check} 실행에서 경고 {warnings}개가 나왔습니다"),
        }
    }
}

/// Whether a claim of no warnings has only such runs of its kind on this tree as printed some. Where one of them printed
/// none, or does not count them, that one may be meant.
pub(super) fn contradicted(
    claim: &str,
    kind: CheckKind,
    runs: &[CheckRun],
    now: &Now<'_>,
) -> Option<Contradicted> {
    if !says_none(claim) {
        return None;
    }
    let mut checks: Vec<(&str, &str)> = Vec::new();
    let mut last = None;
    let good = |run: &CheckRun| run.kinds.has(kind) && is_good(run, now);
    for (at, run) in runs.iter().enumerate().rev().filter(|(_, run)| good(run)) {
        // The same check, run again, says what holds now.
        let check = (run.check.as_str(), run.cwd.as_str());
        if checks.contains(&check) {
            continue;
        }
        checks.push(check);
        let warnings = run.summary.as_ref()?.warnings.filter(|n| *n > 0)?;
        last = last.or(Some(Contradicted {
            warnings,
            run: at,
            check: run.check.clone(),
        }));
    }
    last
}

/// Whether a text says that there are no warnings at all.
pub(super) fn says_none(text: &str) -> bool {
    let pieces = pieces(text);
    (0..pieces.len()).any(|at| match text_of(&pieces, at) {
        "warning-free" => true,
        "warning" | "warnings" => denied(&pieces, at),
        word => word.starts_with("경고") && denied_in_korean(&pieces, at),
    })
}

fn text_of(pieces: &[Piece], at: usize) -> &str {
    pieces.get(at).map_or("", |p| p.text.as_str())
}

/// Whether "warnings" at `at` stands where it says that there are none: "no", "0", "without any", "free of".
fn denied(pieces: &[Piece], at: usize) -> bool {
    // warnings: 0
    if let Some(Piece {
        number: Some(number),
        opens: true,
        ..
    }) = pieces.get(at + 1)
    {
        return *number == 0;
    }
    let ends = pieces.get(at + 1).is_none_or(|p| p.opens);
    if !ends && OF_SOME.contains(&text_of(pieces, at + 1)) {
        return false;
    }
    let mut from = at;
    while at - from < FAR {
        // A mark ends what is said of them.
        let opens = pieces.get(from).is_none_or(|p| p.opens);
        let Some(before) = from.checked_sub(1).filter(|_| !opens) else {
            return false;
        };
        match text_of(pieces, before) {
            "no" | "zero" | "without" => return true,
            "of" => return before > 0 && text_of(pieces, before - 1) == "free",
            word if KINDS.contains(&word) => from = before,
            _ => return from == at && pieces.get(before).is_some_and(|p| p.number == Some(0)),
        }
    }
    false
}

/// Whether 경고 at `at` stands where it says that there are none: 경고 없이, 경고는 하나도 없습니다, 경고 0개.
fn denied_in_korean(pieces: &[Piece], at: usize) -> bool {
    // 변경한 파일의 경고, 새 경고: of some.
    let before = at.checked_sub(1).map_or("", |at| text_of(pieces, at));
    let some = before.ends_with(['의', '서', '한', '된', '운', '은', '는'])
        || matches!(before, "새" | "관련" | "추가" | "다른" | "그" | "위" | "특정");
    let particle = text_of(pieces, at).strip_prefix("경고").unwrap_or_default();
    if some || !matches!(particle, "" | "는" | "가" | "도" | "만") {
        return false;
    }
    let none = |at: usize| {
        [
            "없이",
            "없음",
            "없습니다",
            "없었",
            "없어요",
            "없고",
            "없네요",
            "없다",
            "없는",
        ]
        .iter()
        .any(|w| text_of(pieces, at).starts_with(w))
    };
    let zero = pieces
        .get(at + 1)
        .is_some_and(|p| p.number == Some(0) && (p.unit.is_empty() || p.unit.starts_with(['개', '건'])));
    zero || none(at + 1)
        || matches!(text_of(pieces, at + 1), "하나도" | "한" | "전혀" | "아예") && none(at + 2)
}

#[cfg(test)]
mod tests {
    use super::says_none;

    #[test]
    fn no_warnings_at_all_are_told_from_some() {
        for text in [
            "The build passes with no warnings.",
            "no warnings.",
            "cargo build finished without warnings",
            "Clippy is clean: 0 errors, 0 warnings.",
            "goes through without a single warning",
            "`cargo clippy` gives no compiler warnings",
            "no errors or warnings",
            "The build is free of warnings.",
            "a warning-free build",
            "No warnings left.",
            "zero warnings, all good",
            "errors: 0, warnings: 0",
            "빌드가 경고 없이 통과했습니다.",
            "린트 경고는 0개입니다.",
            "clippy 경고는 하나도 없습니다",
            "빌드: 성공 (경고 0)",
            "경고도 없습니다",
        ] {
            assert!(says_none(text), "{text}");
        }
        for text in [
            "no new warnings",
            "no further warnings than before",
            "no warnings in the files I touched",
            "no warnings from my change",
            "no warnings that were not there before",
            "3 warnings",
            "10 warnings",
            "errors: 0, warnings: 3",
            "no failures, warnings are another matter",
            "I fixed the warnings.",
            "no deprecation warnings",
            "the warning is no longer shown",
            "no. warnings are fine",
            "0 errors and 3 warnings",
            "새 경고는 없습니다",
            "수정한 파일의 경고는 없습니다",
            "경고 10개",
            "경고 문구만 다듬었습니다",
            "경고를 없앴습니다",
            "변경한 파일에서 경고 없음",
        ] {
            assert!(!says_none(text), "{text}");
        }
    }
}
