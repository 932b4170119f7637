//! pytest and unittest.

use super::{failure, join, nothing};
use crate::output::Output;
use crate::scan::{Scan, counts, is_duration, rest_of};
use proctor_kernel::Summary;

/// Reads pytest's last line.
pub(crate) fn pytest(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    // Whether something that only pytest prints was seen, so that its unframed forms are believed.
    let mut known = out.hinted;
    let (mut failed, mut broken) = (false, false);
    // Told to be very quiet, pytest prints progress alone, and no head.
    let (mut head, mut progress) = (false, None);
    // A last line that knows of no failure does not undo one that its own progress shows.
    let mut red = false;
    for line in &out.lines {
        if let Some((percent, told)) = bare_progress(line) {
            known |= is_progress(line);
            progress = Some(percent);
            red |= told && known;
            continue;
        }
        match line.as_bytes().first() {
            Some(b'=') => {
                let text = line.trim_matches('=');
                let framed = text.strip_prefix(' ').and_then(|t| t.strip_suffix(' '));
                let Some(text) = framed.filter(|_| line.starts_with("=") && line.ends_with('=')) else {
                    continue;
                };
                if let Some(part) = last_line(text) {
                    join(&mut whole, part);
                    failed = false;
                }
                head |= text == "test session starts";
                known |= head || text == "short test summary info";
            }
            Some(b'!') if known || whole.is_some() => {
                broken |= line.starts_with("!!!") && line.ends_with('!') && line.contains(' ');
            }
            Some(b'0'..=b'9' | b'n') if known => {
                if let Some(part) = last_line(line) {
                    join(&mut whole, part);
                    failed = false;
                }
            }
            Some(b'F') if known && line.starts_with("FAILED ") => failed |= line.contains("::"),
            Some(b'E') if known && line.starts_with("ERROR ") => {
                failed |= line.contains("::") || line.contains(".py");
            }
            Some(b'E') if known => {
                broken |= line.starts_with("ERROR: usage:")
                    || line.starts_with("ERROR: file or directory not found:")
                    || line.starts_with("ERROR: not found:")
                    || line.starts_with("ERROR: found no collectors for");
            }
            Some(b'I') => broken |= line.starts_with("INTERNALERROR> "),
            _ => {
                known |= is_progress(line);
                failed |= known && line.contains("::") && line.contains(" FAILED ") && line.ends_with("%]");
            }
        }
    }
    if failed || broken || red {
        whole.get_or_insert_with(failure).says_failed = true;
    }
    if whole.is_none() && !head && out.hinted && progress == Some(100) && !is_verbose(out.hint) {
        whole = Some(Summary::default());
    }
    whole
}

/// `..s.F   [100%]`, without a name before it: how far it came, in percent, and whether something failed.
fn bare_progress(line: &str) -> Option<(u64, bool)> {
    let (marks, percent) = line.strip_suffix("%]")?.rsplit_once('[')?;
    let marks = marks.trim_end();
    if marks.is_empty() || !marks.bytes().all(|b| b".FEsxXR".contains(&b)) {
        return None;
    }
    let percent = percent.trim_start().parse().ok()?;
    Some((percent, marks.contains(['F', 'E'])))
}

/// Whether the command asks for more words than fewer: a settings file that asks for fewer does not outweigh that, and
/// the last line is printed.
fn is_verbose(command: &str) -> bool {
    let letters = |word: &str| match word {
        "--verbose" => 1,
        "--quiet" => -1,
        _ => match word.strip_prefix('-') {
            Some(short) if short.bytes().all(|b| b"qvsxl".contains(&b)) => {
                let count = |letter| short.matches(letter).count().min(9);
                count('v').cast_signed() - count('q').cast_signed()
            }
            _ => 0,
        },
    };
    let words = crate::hint::ending(command).map(|(_, words)| words);
    words.unwrap_or_default().into_iter().map(letters).sum::<isize>() > 0
}

/// `test_a.py ..F      [ 60%]`
fn is_progress(line: &str) -> bool {
    line.strip_suffix("%]")
        .and_then(|l| l.rsplit_once('['))
        .is_some_and(|(_, n)| n.len() == 3 && n.trim_start().bytes().all(|b| b.is_ascii_digit()))
}

/// `1 failed, 2 passed, 1 warning in 0.03s (0:01:02)`
fn last_line(text: &str) -> Option<Summary> {
    let (figures, time) = text.split_once(" in ")?;
    let (time, clock) = time.split_once(" (").unwrap_or((time, "0)"));
    if !is_duration(time) || !clock.ends_with(')') {
        return None;
    }
    let mut sum = nothing();
    if figures == "no tests ran" {
        return Some(sum);
    }
    if let Some((count, left_out)) = figures.split_once(" collected") {
        // Listed, not run.
        let mut scan = Scan(count);
        if scan.lit("no").is_none() {
            scan.num()?;
            if scan.lit("/").is_some() {
                scan.num()?;
            }
        }
        sum.filtered = Scan(left_out.trim_start_matches([' ', '('])).num();
        return matches!(scan.0, " test" | " tests").then_some(sum);
    }
    let mut failed = 0_u64;
    counts(figures, ",", |n, word| {
        match word {
            "passed" | "xpassed" => sum.passed = crate::scan::sum(sum.passed, Some(n)),
            "failed" | "error" | "errors" | "subtests failed" | "subtest failed" => {
                failed = failed.saturating_add(n)
            }
            "skipped" => sum.skipped = Some(n),
            "xfailed" => sum.xfail = Some(n),
            "deselected" => sum.filtered = Some(n),
            "warning" | "warnings" => sum.warnings = Some(n),
            "rerun" | "retried" => {}
            _ => return word.starts_with("subtest"),
        }
        true
    })?;
    sum.failed = Some(failed);
    Some(sum)
}

/// How many lines may stand between the count and the verdict: output of another stream.
const NEAR: usize = 8;

/// Reads unittest's last two lines. The figures of a failed run count subtests and whole classes in
/// ways that the number of tests run does not, so how many passed is unknown then.
pub(crate) fn unittest(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let mut failed = false;
    for (at, line) in out.lines.iter().enumerate() {
        if let Some(ran) = ran(line) {
            let near = out.lines.iter().skip(at + 1).take(NEAR);
            let part = near.map_while(|l| (!l.starts_with("Ran ")).then(|| verdict(l, ran)));
            let unknown = Summary {
                passed: (ran == 0).then_some(0),
                ..Summary::default()
            };
            join(&mut whole, part.flatten().next().unwrap_or(unknown));
            failed = false;
        } else if out.hinted && (line.starts_with("FAIL: test") || line.starts_with("ERROR: test")) {
            failed = true;
        }
    }
    if failed {
        whole.get_or_insert_with(failure).says_failed = true;
    }
    whole
}

/// `Ran 3 tests in 0.001s`
fn ran(line: &str) -> Option<u64> {
    let mut scan = Scan(line);
    scan.lit("Ran ")?;
    let ran = scan.num()?;
    let words = scan.until(" in ")?;
    (matches!(words, " test" | " tests") && scan.0.ends_with('s') && is_duration(scan.0)).then_some(ran)
}

/// `OK (skipped=1)`, `FAILED (failures=1, errors=2)`, `NO TESTS RAN`
fn verdict(line: &str, ran: u64) -> Option<Summary> {
    let (word, figures) = line.split_once(" (").unwrap_or((line, ")"));
    let says_failed = match word {
        "OK" | "NO TESTS RAN" => false,
        "FAILED" => true,
        _ => return None,
    };
    let mut sum = nothing();
    let (mut failed, mut unexpected) = (0_u64, 0_u64);
    for figure in figures.strip_suffix(')')?.split(", ").filter(|f| !f.is_empty()) {
        let (name, number) = figure.split_once('=')?;
        let number: u64 = number.parse().ok()?;
        match name {
            "failures" | "errors" => failed = failed.saturating_add(number),
            "skipped" => sum.skipped = Some(number),
            "expected failures" => sum.xfail = Some(number),
            "unexpected successes" => unexpected = number,
            _ => return None,
        }
    }
    sum.failed = Some(failed.saturating_add(unexpected));
    sum.says_failed = says_failed;
    let left_out = [sum.skipped.unwrap_or(0), sum.xfail.unwrap_or(0)];
    sum.passed = if says_failed {
        None
    } else {
        rest_of(ran, &left_out).or((ran == 0).then_some(0))
    };
    Some(sum)
}
