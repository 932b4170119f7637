//! What a text only shows: delegations in fences and quotations that it asks about, and what a report of a fault expects.

use crate::labels::{self, Kind};
use crate::layout::{Line, Marker};
use crate::list::{has_any, has_any_word, listed};
use crate::paths;
use crate::roles;
use crate::text::{has_hangul, sentences, slice};

/// What of the lines of a text opens no section of its own.
#[derive(Default)]
pub(crate) struct Shown {
    /// What stands in fences and quotations.
    set_apart: bool,
    /// Numbers of the lines with a label of what a report expected.
    expected: Vec<usize>,
}

impl Shown {
    /// Looks at the lines of a text.
    pub(crate) fn of(lines: &[Line<'_>]) -> Self {
        let labelled = |line: &Line<'_>| !line.is_fence && opens_a_section(line);
        let apart = |line: &Line<'_>| line.fence.is_some() || line.quoted;
        let mut within = lines.iter().filter(|line| apart(line) && labelled(line));
        let set_apart = within.next().is_some()
            && !lines.iter().any(|line| !apart(line) && labelled(line))
            && asks_about(lines.iter().filter(|line| !line.is_fence && !apart(line)));
        Self {
            set_apart,
            expected: of_reports(lines),
        }
    }

    /// Whether a line is shown rather than said.
    pub(crate) fn holds(&self, line: &Line<'_>) -> bool {
        self.set_apart && (line.fence.is_some() || line.quoted)
    }

    /// Whether a line has the label of what a report expected.
    pub(crate) fn expects(&self, number: usize) -> bool {
        self.expected.binary_search(&number).is_ok()
    }
}

fn opens_a_section(line: &Line<'_>) -> bool {
    let text = line.text.trim();
    labels::at_start(text).is_some_and(|found| found.separated || found.end >= text.len())
}

/// Whether what is said beside something that is shown wants to know something about it, and does not order that it be done.
fn asks_about<'a>(said: impl Iterator<Item = &'a Line<'a>>) -> bool {
    let mut asks = false;
    for line in said {
        for (from, to) in sentences(line.text) {
            let sentence = slice(line.text, from, to).trim();
            if is_asking(sentence) {
                asks = true;
            } else if orders_it(sentence) {
                return false;
            }
        }
    }
    asks
}

/// Whether a sentence asks, or orders to explain, to read or to look.
fn is_asking(sentence: &str) -> bool {
    if roles::is_question(sentence) {
        return true;
    }
    let lower = sentence.to_lowercase().replace('’', "'");
    if has_hangul(&lower) {
        let reads = has_any!(&lower, "설명|분석|검토|읽어|읽고|요약|뜻|의미|살펴|알려|비교");
        return reads && !does_korean(&lower);
    }
    let mut words = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty());
    let first = words.find(|word| {
        !listed!(
            "please|can|could|would|will|you|just|now|then|and|so|ok|okay|hi|hello|first|kindly|i|we|want|need|to|me",
            word
        )
    });
    let asks = first.is_some_and(|word| {
        listed!(
            "explain|describe|summarise|summarize|translate|rate|compare|tell|why|how|what|which",
            word
        )
    });
    asks && !does(&lower)
}

/// Whether a sentence orders that what is shown be done: it has a verb of doing, and names no file of its own.
fn orders_it(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    paths::find(sentence).is_empty()
        && (does(&lower) || does_korean(&lower) || roles::orders_a_change_of_it(sentence))
}

fn does(lower: &str) -> bool {
    has_any_word!(
        lower,
        "do it|do this|do that|do the|do what|do as|do so|execute|carry out|work on|implement|complete|follow it|follow this|\
        follow these|handle it|handle this|go ahead|get it done|get this done|start with|do these|do them|take this on|proceed"
    )
}

fn does_korean(lower: &str) -> bool {
    has_any!(
        lower,
        "수행|진행해|진행하|실행|구현|처리해|처리하|작업해|작업하|대로 해|해 주세요:|완료해|완료하"
    )
}

/// What a line of a report is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// What was expected; with `true` in the words of the form of delegations.
    Expected(bool),
    /// What happened instead.
    Actual,
    /// How to make it happen.
    Steps,
    /// A section that only a delegation has.
    Orders,
    Other,
}

/// The lines with a label of what was expected, beside one of what happened instead or with steps to reproduce it: a report
/// of a fault tells both, and orders neither.
fn of_reports(lines: &[Line<'_>]) -> Vec<usize> {
    if !lines.iter().any(may_expect) {
        return Vec::new();
    }
    let parts: Vec<(usize, Part)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.is_fence && !line.is_blank())
        .filter_map(|(number, line)| Some((number, part(line)?)))
        .collect();
    let has = |wanted: Part| parts.iter().any(|(_, part)| *part == wanted);
    let (orders, steps) = (has(Part::Orders), has(Part::Steps));
    let at = |i: Option<usize>| i.and_then(|i| parts.get(i)).map(|(_, part)| *part);
    let mut out = Vec::new();
    for (i, (number, part)) in parts.iter().enumerate() {
        let Part::Expected(of_form) = part else { continue };
        let beside = [i.checked_sub(1), i.checked_add(1)];
        let in_line = lines.get(*number).is_some_and(|line| tells_both(line.text));
        let paired = in_line || beside.iter().any(|near| at(*near) == Some(Part::Actual));
        if (paired || steps) && !(*of_form && orders) {
            out.push(*number);
        }
    }
    out
}

/// Whether one line tells what was expected and what happened: `Expected result: 5, actual result: 6`.
fn tells_both(text: &str) -> bool {
    let lower = text.to_lowercase();
    let label = |(at, _): (usize, &str)| {
        let behind: String = lower.get(at..).unwrap_or_default().chars().take(28).collect();
        at > 0 && behind.contains([':', '：'])
    };
    lower.match_indices("actual").any(label) || lower.match_indices("실제").any(label)
}

/// Rules out most lines: what was expected is told with a few words.
fn may_expect(line: &Line<'_>) -> bool {
    let bare = line.text.trim_start_matches(|c: char| !c.is_alphanumeric());
    bare.starts_with(['E', 'e', 'W', 'w', '기', '예']) && matches!(part(line), Some(Part::Expected(_)))
}

/// What a line with a label or a heading is about; `None` for others.
fn part(line: &Line<'_>) -> Option<Part> {
    let text = line.text.trim();
    let bare = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let bold = is_bold(text);
    let colon = bare.find([':', '：']).is_some_and(|at| at <= 64);
    let heads = line.level > 0 || bold || colon;
    let lower: String = bare.chars().take(48).collect::<String>().to_lowercase();
    let begins = |words: &str| words.split('|').any(|word| lower.starts_with(word));
    if heads || line.marker == Marker::None && bare.chars().count() <= 32 {
        if begins(
            "actual |actual:|actual*|observed |what happened|what actually|what happens|current behavi|실제 |실제:|현재 동작|실제로",
        ) {
            return Some(Part::Actual);
        }
        if begins("steps to repro|to reproduce|how to reproduce|reproduction|describe the bug|재현") {
            return Some(Part::Steps);
        }
    }
    if let Some(found) = labels::at_start(text).filter(|found| found.separated || found.end >= text.len()) {
        return Some(match found.kind {
            Kind::Outcome if begins("expected|기대|예상") => {
                Part::Expected(begins("expected outcome|expected deliverable|expected_outcome"))
            }
            Kind::Task | Kind::MustDo | Kind::MustNot | Kind::Tools => Part::Orders,
            _ => Part::Other,
        });
    }
    let asked = heads
        && labels::asks_for_outcome(bare)
        && begins("expected|what did you expect|what you expect|what i expect|기대|예상");
    if asked {
        return Some(Part::Expected(false));
    }
    (line.level > 0 || bold).then_some(Part::Other)
}

/// Whether a line is nothing but words in bold, as people write headings.
pub(crate) fn is_bold(text: &str) -> bool {
    ["**", "__"].iter().any(|mark| {
        let inner = text
            .trim()
            .trim_end_matches([':', '：'])
            .strip_prefix(mark)
            .and_then(|text| text.strip_suffix(mark));
        inner.is_some_and(|inner| {
            !inner.is_empty() && !inner.contains(mark) && inner.chars().any(char::is_alphanumeric)
        })
    })
}
