//! What a structured verdict rests on when it is told by fields: `{"passed": 12, "failed": 0}`, `"exit_code": 0`; and fields
//! in lines.

use proctor_prose::Block;

/// A line `name: "value"`.
pub(super) struct Quoted<'t> {
    /// What stands before the colon, as it stands there.
    pub(super) name: &'t str,
    /// What stands between the marks.
    pub(super) value: &'t str,
    /// Where the line begins, and where the value does, as byte offsets into the text.
    pub(super) line: usize,
    pub(super) start: usize,
}

/// Whether a text may hold a line `name: "value"`: whether a quotation mark stands behind a colon and white space somewhere,
/// as far as two bytes before it show that. Most texts that quote do so behind a word.
pub(super) fn may_quote(text: &str) -> bool {
    let bytes = text.as_bytes();
    let before = |at: usize, by: usize| at.checked_sub(by).and_then(|at| bytes.get(at)).copied();
    // The last byte of a wide colon, and those of white space beyond ASCII.
    let wide = |b: u8| matches!(b, 0x80..=0xa0 | 0xa8 | 0xa9 | 0xaf);
    memchr::memchr2_iter(b'"', b'\'', bytes).any(|at| match before(at, 1) {
        Some(b':') => true,
        Some(b) if wide(b) => true,
        Some(b) if b <= b' ' => before(at, 2).is_some_and(|b| (b == b':') | (b <= b' ') | wide(b)),
        _ => false,
    })
}

/// The lines of a block whose values stand in quotation marks, where they would be read as somebody's words:
/// `verdict: "approved"`.
pub(super) fn quoted<'t>(text: &'t str, block: &Block) -> impl Iterator<Item = Quoted<'t>> + use<'t> {
    let body = text.get(block.start..block.end).unwrap_or_default();
    let mut at = block.start;
    body.split_inclusive('\n').filter_map(move |whole| {
        let line = at;
        at += whole.len();
        let (name, rest) = whole.split_once([':', '：'])?;
        let said = rest.trim();
        let value = ['"', '\'']
            .iter()
            .find_map(|mark| said.strip_prefix(*mark)?.strip_suffix(*mark))?;
        // The name may be the same word.
        let start = line + whole.len() - rest.trim_start().len() + 1;
        Some(Quoted {
            name,
            value,
            line,
            start,
        })
    })
}

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
    if !may_count(data) {
        return None;
    }
    let (mut well, mut badly) = (false, false);
    for field in data.split([',', '{', '}', '\n']) {
        let Some((label, value)) = field.rsplit_once(':') else {
            continue;
        };
        let rim = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '-' | '[' | ']');
        // Few fields count, and a number is the same in capitals.
        let Ok(count) = value.trim_matches(rim).parse::<i64>() else {
            continue;
        };
        let label = label.trim_matches(rim).to_lowercase();
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

/// Whether a field of a data block may hold a whole number, which few do: whether nothing but digits and what may stand around
/// them lies between a colon and the end of a field.
fn may_count(data: &str) -> bool {
    if !data.bytes().fold(false, |any, b| any | b.is_ascii_digit()) {
        return false;
    }
    let (mut any, mut value, mut digits) = (false, false, false);
    for b in data.bytes() {
        let sort = SORTS[usize::from(b)];
        let is = |some: u8| sort & some != 0;
        any |= is(ENDS) & value & digits;
        value = is(COLON) | (value & is(DIGIT | RIM));
        digits = is(DIGIT) | (digits & !is(COLON));
    }
    any | (value & digits)
}

/// What a byte is in a data block: a colon, the end of a field, a digit, or what may stand around a value.
const COLON: u8 = 1;
const ENDS: u8 = 1 << 1;
const DIGIT: u8 = 1 << 2;
const RIM: u8 = 1 << 3;
static SORTS: [u8; 256] = {
    let mut out = [0; 256];
    let mut at = 0;
    while at < out.len() {
        out[at] = match at as u8 {
            b':' => COLON,
            b',' | b'{' | b'}' | b'\n' => ENDS,
            b'0'..=b'9' => DIGIT,
            // White space beyond ASCII is trimmed as well.
            b'"' | b'\'' | b'-' | b'[' | b']' | b'+' | b'\t'..=b'\r' | b' ' | 0x80.. => RIM,
            _ => 0,
        };
        at += 1;
    }
    out
};

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

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_prose::read;
    use proptest::prelude::*;

    #[test]
    fn a_quoted_value_stands_where_it_is_written() {
        for (text, starts) in [
            ("tests: \"tests\"\nbuild: 'ok'", vec![8, 23]),
            ("판정: \"판정\"", vec!["판정: \"".len()]),
            ("note： \"\"", vec!["note： \"".len()]),
            ("verdict: approved\nevidence: \"40", vec![]),
        ] {
            let reading = read(text);
            let fields = quoted(text, &reading.blocks[0]);
            let found: Vec<usize> = fields
                .inspect(|f| {
                    assert_eq!(
                        text.get(f.start..f.start + f.value.len()),
                        Some(f.value),
                        "{text}"
                    )
                })
                .map(|f| f.start)
                .collect();
            assert_eq!(found, starts, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn what_cannot_count_holds_no_count(
            data in "(passed|exit_code|[:,{}\n\" \u{a0}+\\[\\]0-9a-]|:){2,10}"
        ) {
            let rim = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '-' | '[' | ']');
            let counts = data.split([',', '{', '}', '\n']).any(|field| {
                let value = field.rsplit_once(':').map(|(_, value)| value.trim_matches(rim));
                value.is_some_and(|value| value.parse::<i64>().is_ok())
            });
            prop_assert!(!counts || may_count(&data), "{:?}", data);
        }
    }

    #[test]
    fn where_no_mark_stands_behind_a_colon_nothing_is_quoted() {
        let blanks = [
            "",
            " ",
            "\t",
            "  ",
            "\u{a0}",
            "\u{3000}",
            "\u{2003} ",
            " \u{2028}",
            "\u{85}",
            "\u{1680}",
        ];
        for colon in [":", "："] {
            for blank in blanks {
                for mark in ["\"", "'"] {
                    let text = format!("{colon}{blank}{mark}a{mark}");
                    assert!(may_quote(&text), "{text:?}");
                    assert!(may_quote(&format!("판정{text}")), "{text:?}");
                }
            }
        }
        for text in ["", "\"", "it's \"so\"", "a: b \"c\"", "그 'x'", ": "] {
            let reading = read(text);
            let quoted = reading.blocks.iter().flat_map(|block| quoted(text, block));
            assert_eq!((may_quote(text), quoted.count()), (false, 0), "{text:?}");
        }
    }
}
