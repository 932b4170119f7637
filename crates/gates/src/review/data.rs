//! What a structured verdict rests on when it is told by fields: `{"passed": 12, "failed": 0}`, `"exit_code": 0`.

/// What the fields of a data block tell of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// Something passed and nothing failed.
    Well,
    /// Something failed.
    Badly,
}

/// Reads the fields of a data block; `None` where none of them counts what came of a run.
pub(super) fn ran(data: &str) -> Option<Ran> {
    let (mut well, mut badly) = (false, false);
    for field in data.split([',', '{', '}', '\n']) {
        let Some((label, value)) = field.rsplit_once(':') else {
            continue;
        };
        let clean = |part: &str| {
            part.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '-' | '[' | ']'))
                .to_lowercase()
        };
        let (label, value) = (clean(label), clean(value));
        let Ok(count) = value.parse::<i64>() else {
            continue;
        };
        if label.split([' ', '_', '-', '.']).any(bounds) {
            continue;
        }
        let last = label.rsplit([' ', '_', '-', '.']).next().unwrap_or_default();
        match last {
            "passed" | "passes" | "passing" | "succeeded" | "통과" | "성공" => well |= count > 0,
            "failed" | "failures" | "failing" | "errors" | "failure" | "실패" | "오류" => {
                badly |= count > 0
            }
            "code" | "exit" | "exitcode" if label.starts_with("exit") => {
                well |= count == 0;
                badly |= count != 0;
            }
            _ => {}
        }
    }
    match (well, badly) {
        (_, true) => Some(Ran::Badly),
        (true, false) => Some(Ran::Well),
        (false, false) => None,
    }
}

/// Whether a word of a label makes its number one that was set or known before the run: `max_failures: 5` is no run that failed.
pub(super) fn bounds(word: &str) -> bool {
    matches!(
        word,
        "max"
            | "maximum"
            | "min"
            | "minimum"
            | "limit"
            | "allowed"
            | "budget"
            | "threshold"
            | "expected"
            | "known"
            | "base"
            | "baseline"
            | "before"
            | "최대"
            | "최소"
            | "한도"
            | "허용"
            | "예상"
    )
}
