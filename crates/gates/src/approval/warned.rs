//! "No warnings", against the number of them that the runs printed.
//!
//! Warnings may be meant of a file, of a change, or of what came since; a run prints all. So only a plain word about all of
//! them counts, in a sentence about one kind of check, in a text that nowhere tells of some.

use super::claim::Claim;
use super::figure::{Piece, pieces};
use super::judge::Question;
use crate::support::{is_good, quoted};
use proctor_kernel::{CheckKind, CheckRun, Span};
use std::cell::OnceCell;

/// Longest text that is looked through for warnings that it does tell of, in bytes.
const LONGEST: usize = 64 << 10;

/// Bytes around a claim, in its line, that tell what it is about.
const AROUND: usize = 400;

/// How far before "warnings" the word that denies them is looked for.
const FAR: usize = 4;

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
    "linting",
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
    "remaining",
];
/// Words right behind "warnings" that leave it so.
const BEHIND: &[&str] = &[
    "remain",
    "remaining",
    "whatsoever",
    "reported",
    "found",
    "shown",
    "either",
    "anymore",
    "and",
    "or",
];
/// Words that make it one about some of them, wherever they stand around it in its line.
const SOME: &[&str] = &[
    "my",
    "this",
    "these",
    "new",
    "newly",
    "added",
    "adds",
    "introduced",
    "introduces",
    "module",
    "file",
    "files",
    "change",
    "changes",
    "diff",
    "patch",
    "touched",
    "edited",
    "than",
    "previous",
    "previously",
    "existing",
    "old",
    "except",
    "apart",
    "besides",
    "beyond",
    "other",
    "others",
    "outside",
    "but",
    "however",
    "though",
    "although",
    "suppressed",
    "denied",
    "allowed",
    "ignored",
    "since",
    "until",
    "이",
    "그",
    "제",
    "내",
    "새",
    "새로",
    "새로운",
    "추가",
    "추가된",
    "변경",
    "변경한",
    "수정한",
    "모듈",
    "파일",
    "외에",
    "제외하고",
    "기존",
    "다른",
    "관련",
];

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

/// A text, of which many claims may ask the same.
pub(super) struct Whole<'t> {
    text: &'t str,
    /// Whether it speaks of warnings only to say that there are none.
    denied: OnceCell<bool>,
}

/// Whether a claim of no warnings has only such runs on this tree as printed some: of the programs that it names, or else of
/// its kind. Where one of them printed none, or does not count them, that one may be meant.
pub(super) fn contradicted(
    claim: &Claim,
    kind: CheckKind,
    whole: &Whole<'_>,
    question: &Question<'_>,
) -> Option<Contradicted> {
    let Question {
        claims, runs, now, ..
    } = *question;
    // "All tests pass and clippy gives no warnings": whose they are is not told.
    let place = |c: &Claim| (c.span.start, c.span.end);
    let shared = |other: &Claim| place(other) == place(claim) && other.kind != claim.kind;
    if !whole.says_none(&claim.span) || claims.iter().any(shared) {
        return None;
    }
    let words = claim.span.text.to_lowercase();
    // "`parse` has no warnings": code that is no program which was run.
    let code = claim.span.text.split('`').skip(1).step_by(2);
    if code
        .clone()
        .any(|code| !runs.iter().any(|run| run.command.contains(code)))
    {
        return None;
    }
    let named = |run: &CheckRun| {
        let program = run.summary.as_ref().and_then(|s| s.runner.rsplit(' ').next());
        program.is_some_and(|program| !program.is_empty() && words.contains(program))
    };
    let good = |run: &&CheckRun| run.kinds.has(kind) && is_good(run, &now);
    let any_named = runs.iter().filter(good).any(named);
    let mut checks: Vec<(&str, &str)> = Vec::new();
    let mut last = None;
    let meant = |run: &CheckRun| good(&run) && (!any_named || named(run));
    for (at, run) in runs.iter().enumerate().rev().filter(|(_, run)| meant(run)) {
        // The same check, run again, says what holds now.
        let check = (run.check.as_str(), run.cwd.as_str());
        if checks.contains(&check) {
            continue;
        }
        checks.push(check);
        // What a line of several checks printed is not told apart.
        let beside = |(n, other): (usize, &CheckRun)| {
            n != at && other.began == run.began && other.command == run.command
        };
        if runs.iter().enumerate().any(beside) {
            return None;
        }
        let warnings = run.summary.as_ref()?.warnings.filter(|n| *n > 0)?;
        last = last.or(Some(Contradicted {
            warnings,
            run: at,
            check: run.check.clone(),
        }));
    }
    last
}

impl<'t> Whole<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            denied: OnceCell::new(),
        }
    }

    /// Whether a claim says that there are no warnings at all, and nothing else in the text that there are some.
    pub(super) fn says_none(&self, claim: &Span) -> bool {
        let said = pieces(&claim.text);
        if !(0..said.len()).any(|at| denies(&said, at)) || self.text.len() > LONGEST {
            return false;
        }
        // "In my code: no warnings", "no warnings, except …": what stands around it in its line tells of what.
        let from = self.text.floor_char_boundary(claim.start.saturating_sub(AROUND));
        let to = self.text.ceil_char_boundary(claim.end.saturating_add(AROUND));
        let before = self.text.get(from..claim.start).unwrap_or_default();
        let behind = self.text.get(claim.end..to).unwrap_or_default();
        let from = from + before.rfind('\n').map_or(0, |at| at + 1);
        let to = claim.end + behind.find('\n').unwrap_or(behind.len());
        let line = pieces(self.text.get(from..to).unwrap_or_default());
        let of_some = |p: &Piece| SOME.contains(&p.text.as_str());
        !said.iter().any(|p| p.slashed)
            && !line.iter().any(of_some)
            && *self.denied.get_or_init(|| all_denied(&pieces(self.text)))
    }
}

/// Whether a word says that there are no warnings.
fn denies(pieces: &[Piece], at: usize) -> bool {
    match word(pieces, at) {
        "warning-free" => true,
        "warning" | "warnings" => denied(pieces, at),
        text => text.starts_with("경고") && denied_in_korean(pieces, at),
    }
}

/// Whether a text speaks of warnings only to say that there are none.
fn all_denied(pieces: &[Piece]) -> bool {
    let warnings = |at: &usize| {
        let text = word(pieces, *at);
        text.starts_with("warning") || text.starts_with("경고")
    };
    (0..pieces.len()).filter(warnings).all(|at| denies(pieces, at))
}

fn word(pieces: &[Piece], at: usize) -> &str {
    pieces.get(at).map_or("", |p| p.text.trim_matches('`'))
}

fn number(pieces: &[Piece], at: usize) -> Option<u64> {
    pieces.get(at)?.number
}

fn is_none(word: &str) -> bool {
    matches!(word, "no" | "zero" | "without")
}

/// Whether "warnings" at `at` stands where it says that there are none: "no", "0", "without any", "free of", ": 0".
fn denied(pieces: &[Piece], at: usize) -> bool {
    let next = pieces.get(at + 1);
    let told = at.checked_sub(1).and_then(|at| number(pieces, at));
    let open = pieces.get(at).is_none_or(|p| p.opens);
    // warnings: 0
    if told.filter(|_| !open).is_none()
        && let Some(Piece {
            number: Some(number),
            mark: Some(':' | '=' | '|'),
            ..
        }) = next
    {
        return *number == 0 && pieces.get(at + 2).is_none_or(|p| p.opens);
    }
    let reported = |at: usize| {
        matches!(
            word(pieces, at),
            "reported" | "found" | "shown" | "printed" | "emitted" | "left"
        )
    };
    let ends = next.is_none_or(|p| p.opens)
        || word(pieces, at + 1) == "at" && word(pieces, at + 2) == "all"
        || matches!(word(pieces, at + 1), "left" | "now") && pieces.get(at + 2).is_none_or(|p| p.opens)
        || BEHIND.contains(&word(pieces, at + 1))
        || matches!(word(pieces, at + 1), "are" | "were") && reported(at + 2);
    if !ends {
        return false;
    }
    let mut from = at;
    while at - from < FAR {
        // A mark ends what is said of them.
        let opens = pieces.get(from).is_none_or(|p| p.opens);
        let Some(before) = from.checked_sub(1).filter(|_| !opens) else {
            return false;
        };
        match word(pieces, before) {
            text if is_none(text) => return true,
            "of" => return before > 0 && word(pieces, before - 1) == "free",
            text if KINDS.contains(&text) => from = before,
            _ => return number(pieces, before) == Some(0),
        }
    }
    false
}

/// Whether 경고 at `at` stands where it says that there are none: 경고 없이, 경고는 하나도 없습니다, 경고 0개.
fn denied_in_korean(pieces: &[Piece], at: usize) -> bool {
    // 변경한 파일의 경고, 새 경고: of some.
    const WHOSE: &[&str] = &[
        "빌드",
        "컴파일",
        "린트",
        "린터",
        "타입",
        "clippy",
        "eslint",
        "pyright",
        "biome",
        "cargo",
        "오류",
        "에러",
        "실패",
    ];
    let opens = pieces.get(at).is_none_or(|p| p.opens);
    let before = at.checked_sub(1).map_or("", |at| word(pieces, at));
    let particle = word(pieces, at).strip_prefix("경고").unwrap_or_default();
    let none = |text: &str| {
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
        .any(|w| text.starts_with(w))
    };
    if !(opens || WHOSE.iter().any(|w| before.starts_with(w))) {
        return false;
    }
    if none(particle) {
        return true;
    }
    if !matches!(particle, "" | "는" | "가" | "도" | "만") {
        return false;
    }
    let zero = pieces
        .get(at + 1)
        .is_some_and(|p| p.number == Some(0) && (p.unit.is_empty() || p.unit.starts_with(['개', '건'])));
    let next = |n: usize| word(pieces, at + n);
    zero || none(next(1)) || matches!(next(1), "하나도" | "하나" | "한" | "전혀" | "아예") && none(next(2))
}

#[cfg(test)]
mod tests {
    use super::Whole;
    use proctor_kernel::Span;

    /// The text, or the part of it between `«` and `»`, as a claim.
    fn says(marked: &str) -> bool {
        let text = marked.replace(['«', '»'], "");
        let start = marked.find('«').unwrap_or(0);
        let end = marked.find('»').map_or(text.len(), |at| at - '«'.len_utf8());
        let span = Span {
            start,
            end,
            text: text.get(start..end).unwrap().to_owned(),
            label: String::new(),
        };
        Whole::new(&text).says_none(&span)
    }

    #[test]
    fn no_warnings_at_all_are_told_from_some() {
        for text in [
            "The build passes with no warnings.",
            "no warnings.",
            "cargo build finished without warnings",
            "Clippy is clean: 0 errors, 0 warnings.",
            "0 errors, 0 warnings, 12 targets",
            "goes through without a single warning",
            "`cargo clippy` gives no compiler warnings",
            "no errors or warnings",
            "The build is free of warnings.",
            "a warning-free build",
            "No warnings left.",
            "no warnings at all",
            "The build passes. «There are no warnings.» All tests pass.",
            "Tests pass\n\n«No warnings.»",
            "No warnings were reported by clippy.",
            "zero `clippy` warnings, all good",
            "errors: 0, warnings: 0",
            "All 12 tests pass with no warnings.",
            "빌드가 경고 없이 통과했습니다.",
            "린트 경고는 0개입니다.",
            "clippy 경고는 하나도 없습니다",
            "빌드: 성공 (경고 0)",
            "경고도 없습니다",
            "빌드 경고없음",
        ] {
            assert!(says(text), "{text}");
        }
        for text in [
            "no new warnings",
            "no more warnings than before",
            "no warnings in the files I touched",
            "no warnings from my change",
            "my change adds no warnings",
            "no warnings coming from the code",
            "no warnings attributable to it",
            "no warnings that were not there before",
            "3 warnings",
            "10 warnings",
            "errors: 0, warnings: 3",
            "no failures, warnings are another matter",
            "Clippy passes: 3 warnings, 0 errors.",
            "- clippy: 3 warnings, 0 errors",
            "0 errors, 3 warnings, 0 informations",
            "Clippy passes with 3 warnings (0 errors).",
            "12 passed, 3 warnings, 0 skipped",
            "Clippy passes (3 warnings). «No warnings.»",
            "A few warnings are left in vendored code. «The parser: no warnings.»",
            "In my code: «no warnings.»",
            "no warnings at the places that count",
            "no warnings left to fix in src",
            "`parse` has no warnings now that it is typed",
            "«The build passes without warnings»; clippy shows 3 warnings.",
            "«Clippy gives no warnings», except the old ones.",
            "No warnings suppressed.",
            "without warnings being denied",
            "src/a.rs compiles without warnings",
            "The module compiles without warnings.",
            "I fixed the warnings.",
            "no deprecation warnings",
            "the warning is no longer shown",
            "no. warnings are fine",
            "0 errors and 3 warnings",
            "새 경고는 없습니다",
            "수정한 파일의 경고는 없습니다",
            "기존 3개 외에 경고 없음",
            "이 모듈에 경고 없음",
            "경고 10개",
            "경고 문구만 다듬었습니다",
            "경고를 없앴습니다",
            "변경한 파일에서 경고 없음",
        ] {
            assert!(!says(text), "{text}");
        }
    }
}
