//! The number of tests that a claim tells, against those that were seen to pass.

use crate::support::{Now, is_good, quoted};
use proctor_kernel::{CheckKind, CheckRun};

/// Words behind which a number counts what follows. Behind others it may be a version or a name: "Node 20 tests".
const BEFORE: &[&str] = &[
    "all", "the", "of", "these", "those", "our", "its", "my", "their", "and", "with", "now", "ran", "run",
    "total", "still", "is", "are", "to", "exactly", "모두", "총", "전체",
];

/// Words of what passes, behind a number.
const PASSES: &[&str] = &["passed", "passing", "pass", "passes", "green", "succeeded"];

/// Runners whose tests are files or programs that may hold more of them, or whose form others print in their own way.
const COARSE: &[&str] = &["ctest", "tap", "junit", "prove", "go test"];

/// A number that is larger than what the runs on this tree show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contradicted {
    /// What is told.
    said: u64,
    /// How many passed, in all runs on this tree together.
    seen: u64,
    /// The last of these runs, as its place in the list.
    pub(super) run: usize,
    check: String,
    several: bool,
}

impl Contradicted {
    /// What is missing, as a fragment.
    pub(super) fn missing(&self, korean: bool) -> String {
        let Self {
            said, seen, several, ..
        } = self;
        let check = quoted(&self.check);
        match (korean, several) {
            (false, false) => format!("{check} shows {seen} passed, not {said}"),
            (false, true) => format!("the runs on this tree show {seen} passed together, not {said}"),
            (true, false) => format!("{check} 실행에서 통과한 것은 {said}개가 아니라 {seen}개입니다"),
            (true, true) => {
                format!("이 트리에서의 실행을 모두 합쳐도 통과한 것은 {said}개가 아니라 {seen}개입니다")
            }
        }
    }
}

/// Whether a claim tells more passing tests than all runs on this tree together. Where one of them does not tell its
/// number, or counts in another way, nothing is said.
pub(super) fn contradicted(claim: &str, runs: &[CheckRun], now: &Now<'_>) -> Option<Contradicted> {
    let said = told(claim)?;
    let mut seen = 0_u64;
    let mut checks: Vec<(&str, &str)> = Vec::new();
    let mut last = None;
    let good = |run: &CheckRun| run.kinds.has(CheckKind::Tests) && is_good(run, now);
    for (at, run) in runs.iter().enumerate().rev().filter(|(_, run)| good(run)) {
        let summary = run.summary.as_ref()?;
        let rows = proctor_runners::rows(&summary.runner);
        if rows.is_empty() || rows.iter().any(|row| !row.counts || COARSE.contains(&row.name)) {
            return None;
        }
        let count = [summary.skipped, summary.xfail]
            .into_iter()
            .flatten()
            .fold(summary.passed?, u64::saturating_add);
        last = last.or(Some((at, run, summary.passed?)));
        // The same check, run again, counts the same tests.
        if !checks.contains(&(run.check.as_str(), run.cwd.as_str())) {
            checks.push((&run.check, &run.cwd));
            seen = seen.saturating_add(count);
        }
    }
    let (at, run, passed) = last?;
    let several = checks.len() > 1;
    (said > seen).then(|| Contradicted {
        said,
        seen: if several { seen } else { passed },
        run: at,
        check: run.check.clone(),
        several,
    })
}

/// The greatest number of tests that a text says pass.
pub(super) fn told(text: &str) -> Option<u64> {
    let pieces = pieces(text);
    let word = |at: Option<usize>| at.and_then(|at| pieces.get(at)).map_or("", |p| p.text.as_str());
    let mut greatest = None;
    for (at, piece) in pieces.iter().enumerate() {
        let Some(number) = piece.number else { continue };
        let before = at.checked_sub(1);
        let free = piece.opens || BEFORE.contains(&word(before));
        // 250/250 tests
        let next = at + 1 + usize::from(pieces.get(at + 1).is_some_and(|p| p.slashed));
        let after = word(Some(next));
        let tests = |at: usize| {
            let coarse = ["case", "file", "suite", "class", "module", "program", "run"];
            matches!(word(Some(at)), "test" | "tests")
                && !coarse.iter().any(|w| word(Some(at + 1)).starts_with(w))
        };
        let english = free
            && (PASSES.contains(&after)
                || tests(next)
                // 250 unit tests
                || after.is_ascii() && !after.is_empty() && !matches!(after, "of" | "out") && tests(next + 1));
        let korean = matches!(piece.unit.as_str(), u if u.starts_with('개') || u.starts_with('건'))
            && (word(before).starts_with("테스트")
                || after.starts_with("테스트")
                // 파일 3개 통과
                || free && after.starts_with("통과"));
        if (english || korean) && !piece.slashed {
            greatest = greatest.max(Some(number));
        }
    }
    greatest
}

/// A word or a number of a text.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) number: Option<u64>,
    /// What is written at the end of a number: 개가.
    pub(super) unit: String,
    /// It stands at the beginning of something: of the text, behind a mark.
    pub(super) opens: bool,
    /// The last mark between what stands before it and it.
    pub(super) mark: Option<char>,
    /// A slash joins it to what stands before it.
    pub(super) slashed: bool,
}

/// The words and numbers of a text.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let mut rest = text;
    let (mut opens, mut slashed) = (true, false);
    let mut mark = None;
    while let Some(first) = rest.chars().next() {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ',' | '-' | '#' | '`');
        let joined = |c: char| c.is_alphanumeric() || matches!(c, '_' | '#' | '`');
        if !joined(first) {
            slashed = first == '/' && !opens;
            mark = (!first.is_whitespace()).then_some(first).or(mark);
            opens |= matches!(
                first,
                ':' | ';'
                    | ','
                    | '.'
                    | '('
                    | '['
                    | '-'
                    | '–'
                    | '—'
                    | '*'
                    | '|'
                    | '\n'
                    | '='
                    | '✅'
                    | '✓'
                    | '•'
            );
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        }
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let word = word.trim_end_matches(['.', ',', '-']);
        let digits = word
            .find(|c: char| !(c.is_ascii_digit() || c == ','))
            .unwrap_or(word.len());
        let (figure, unit) = word.split_at(digits);
        let whole = unit.is_empty() || unit.starts_with(|c: char| c.is_alphabetic() && !c.is_ascii());
        let number = figure.replace(',', "").parse().ok().filter(|_| whole);
        let tail = rest.get(word.len()..end).unwrap_or_default();
        out.push(Piece {
            text: word.to_lowercase(),
            number,
            unit: unit.to_owned(),
            opens,
            mark,
            slashed,
        });
        mark = None;
        opens = !tail.is_empty();
        slashed = false;
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tests_are_told_from_other_numbers() {
        for (text, expected) in [
            ("All 250 tests pass.", Some(250)),
            ("12 passed, 0 failed.", Some(12)),
            ("python3 -m unittest: 2 passed", Some(2)),
            ("all 1,204 unit tests are green", Some(1204)),
            ("250/250 tests pass", Some(250)),
            ("31/31 passed", Some(31)),
            ("테스트 250개가 모두 통과했습니다.", Some(250)),
            ("12개 통과", Some(12)),
            ("총 12건의 테스트가 통과", Some(12)),
            ("Node 20 tests pass", None),
            ("Python 3.12 tests pass", None),
            ("phase 2 passed", None),
            ("#250 tests pass", None),
            ("`node` 20 tests pass", None),
            ("All 250 test cases pass", None),
            ("250 assertions hold and the tests pass", None),
            ("테스트 파일 3개 통과", None),
            ("테스트 케이스 250개", None),
            ("all tests pass in 250 ms", None),
            ("the tests pass on 3 platforms", None),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
