//! The report for a terminal: tables that fit the width, Hangul counted as two columns.

use crate::figures::{Figures, Metric, MetricId, Texts, percent};
use crate::report::{Example, Report, Session};
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Sessions in the table; all of them are in the JSON and in the page.
const SESSIONS: usize = 15;
/// Examples of each metric.
const EXAMPLES: usize = 3;
/// Problems that are listed.
const PROBLEMS: usize = 5;

impl Report {
    /// The report as text of at most `width` columns (at least 40), with ANSI colours if `color`.
    #[must_use]
    pub fn to_text(&self, width: usize, color: bool) -> String {
        let mut page = Page {
            out: String::new(),
            width: width.max(40),
            color,
        };
        page.head(self);
        page.metrics(&self.metrics);
        page.beside(&self.totals);
        page.sessions(self);
        page.examples(self);
        page.input(self);
        page.out
    }
}

#[derive(Clone, Copy)]
enum Ink {
    Bold,
    Dim,
    Good,
    Bad,
}

struct Page {
    out: String,
    width: usize,
    color: bool,
}

impl Page {
    fn ink(&self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Bold => "1",
            Ink::Dim => "2",
            Ink::Good => "32",
            Ink::Bad => "31",
        };
        if self.color && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    fn title(&mut self, text: &str) {
        self.out.push('\n');
        let text = self.ink(Ink::Bold, text);
        self.line(&text);
    }

    /// Text in lines of the page's width, after `indent` spaces.
    fn wrapped(&mut self, indent: usize, text: &str, ink: Option<Ink>) {
        let room = self.width.saturating_sub(indent).max(20);
        for part in wrap(text, room) {
            let part = ink.map_or(part.clone(), |i| self.ink(i, &part));
            self.line(&format!("{}{part}", " ".repeat(indent)));
        }
    }

    fn head(&mut self, report: &Report) {
        let name = self.ink(Ink::Bold, "Proctor audit");
        self.line(&name);
        self.wrapped(0, &report.summary(), Some(Ink::Dim));
    }

    fn metrics(&mut self, metrics: &[Metric]) {
        self.out.push('\n');
        let titles = metrics
            .iter()
            .map(|m| m.id.title().width())
            .max()
            .unwrap_or(0)
            .min(self.width - 22);
        let room = self.width.saturating_sub(titles + 24);
        let head = format!(
            "  {}  {}  {}",
            pad("", titles),
            right("value", 8),
            right("target", 8)
        );
        let head = self.ink(Ink::Dim, &head);
        self.line(&head);
        for metric in metrics {
            let (mark, ink) = match metric.met {
                Some(true) => ("✓", Ink::Good),
                Some(false) => ("✗", Ink::Bad),
                None => ("–", Ink::Dim),
            };
            let (count, of) = metric.id.counts();
            let detail = match metric.value {
                None => format!("no {of}"),
                Some(_) => format!(
                    "{} {count} / {} {of}",
                    thousands(metric.count),
                    thousands(metric.of)
                ),
            };
            let detail = if room >= 20 {
                fit(&detail, room)
            } else {
                String::new()
            };
            let line = format!(
                "{} {}  {}  {}  {}",
                self.ink(ink, mark),
                pad(metric.id.title(), titles),
                self.ink(ink, &right(&metric.display(), 8)),
                right(&metric.display_target(), 8),
                self.ink(Ink::Dim, &detail),
            );
            self.line(&line);
        }
    }

    fn beside(&mut self, figures: &Figures) {
        self.title("Beside the metrics");
        for line in asides(figures) {
            self.wrapped(2, &line, None);
        }
    }

    fn sessions(&mut self, report: &Report) {
        if report.sessions.is_empty() {
            return;
        }
        let shown = report.worst_sessions();
        let count = shown.len().min(SESSIONS);
        let title = if count < shown.len() {
            format!(
                "Sessions, worst first ({count} of {})",
                thousands(shown.len() as u64)
            )
        } else {
            "Sessions, worst first".to_owned()
        };
        self.title(&title);
        const COLUMNS: [&str; 5] = ["filler", "empty", "scope", "unver.", "retries"];
        let wide = self.width >= 76;
        let column = if self.width < 44 { 6 } else { 7 };
        let mut head = if wide {
            format!("  {}", pad("start", 16))
        } else {
            " ".to_owned()
        };
        for name in COLUMNS {
            let _ = write!(head, " {}", right(&fit(name, column), column));
        }
        head.push_str(if wide { "  session" } else { "" });
        let head = self.ink(Ink::Dim, &head);
        self.line(&head);
        for session in shown.into_iter().take(SESSIONS) {
            let mut row = if wide {
                format!("  {}", pad(&minute(&session.start), 16))
            } else {
                " ".to_owned()
            };
            for metric in &session.metrics {
                let cell = right(&metric.display().replace(" %", "%"), column);
                let cell = match metric.met {
                    Some(true) => self.ink(Ink::Good, &cell),
                    Some(false) => self.ink(Ink::Bad, &cell),
                    None => self.ink(Ink::Dim, &cell),
                };
                let _ = write!(row, " {cell}");
            }
            if wide {
                let room = self.width.saturating_sub(2 + 16 + 5 * 8 + 2);
                let _ = write!(row, "  {}", fit(name(session), room));
                self.line(&row);
            } else {
                let first = fit(
                    &format!("{}  {}", minute(&session.start), name(session)),
                    self.width - 2,
                );
                self.line(&format!("  {first}"));
                self.line(&row);
            }
        }
    }

    fn examples(&mut self, report: &Report) {
        for id in MetricId::ALL {
            let all: Vec<&Example> = report.examples_of(id).collect();
            if all.is_empty() {
                continue;
            }
            self.title(&format!("Worst: {}", id.title().to_lowercase()));
            for example in all.into_iter().take(EXAMPLES) {
                self.wrapped(2, &example.what, None);
                if let Some(quote) = &example.quote {
                    self.wrapped(4, &format!("“{quote}”"), None);
                }
                // Never wrapped or cut: it is there to be copied.
                let place = format!("{}:{}", example.file, example.line);
                let place = self.ink(Ink::Dim, &place);
                self.line(&format!("    {place}"));
                if let Some(more) = repeats(example) {
                    self.wrapped(4, &more, Some(Ink::Dim));
                }
            }
        }
    }

    fn input(&mut self, report: &Report) {
        let notes = report.reading_notes();
        if notes.is_empty() && report.input.problems.is_empty() {
            return;
        }
        self.title("Reading");
        for note in notes {
            self.wrapped(2, &note, None);
        }
        for problem in report.input.problems.iter().take(PROBLEMS) {
            let line = problem.line.map(|l| format!(":{l}")).unwrap_or_default();
            self.wrapped(
                4,
                &format!("{}{line}: {}", problem.file, problem.why),
                Some(Ink::Dim),
            );
        }
        if report.input.problems.len() > PROBLEMS {
            self.wrapped(4, "… and more; all of them with --json", Some(Ink::Dim));
        }
    }
}

impl Report {
    /// What was read, in a line.
    pub(crate) fn summary(&self) -> String {
        let mut parts = vec![
            plural(self.sessions.len() as u64, "session", "sessions"),
            plural(
                self.sessions.iter().map(|s| s.agents).sum(),
                "subagent",
                "subagents",
            ),
            plural(self.input.files, "file", "files"),
            size(self.input.bytes),
        ];
        let day = |time: &str| time.get(..10).unwrap_or(time).to_owned();
        let first = self
            .sessions
            .iter()
            .map(|s| day(&s.start))
            .find(|d| !d.is_empty());
        let last = self
            .sessions
            .iter()
            .map(|s| day(&s.end))
            .max()
            .filter(|d| !d.is_empty());
        match (first, last) {
            (Some(first), Some(last)) if first != last => parts.push(format!("{first} to {last}")),
            (Some(day), _) => parts.push(day),
            _ => {}
        }
        parts.join(" · ")
    }

    /// Sessions with the most missed targets first, then those with the most filler.
    pub(crate) fn worst_sessions(&self) -> Vec<&Session> {
        let mut sessions: Vec<&Session> = self.sessions.iter().collect();
        let missed = |s: &Session| s.metrics.iter().filter(|m| m.met == Some(false)).count();
        let filler = |s: &Session| s.figures.agent().filler;
        sessions.sort_by(|a, b| {
            (missed(b), filler(b), b.figures.unverified, &b.start).cmp(&(
                missed(a),
                filler(a),
                a.figures.unverified,
                &a.start,
            ))
        });
        sessions
    }

    /// What was passed over while reading, one sentence each.
    pub(crate) fn reading_notes(&self) -> Vec<String> {
        let input = &self.input;
        [
            (input.broken, "line could not be read", "lines could not be read"),
            (
                input.foreign,
                ".jsonl file is no transcript",
                ".jsonl files are no transcripts",
            ),
            (
                input.copied,
                "record is a copy from another session and counts once",
                "records are copies from other sessions and count once",
            ),
            (
                input.internal,
                "file of the host's own helpers was left out",
                "files of the host's own helpers were left out",
            ),
            (
                input.other,
                "other file was left out",
                "other files were left out",
            ),
            (
                self.totals.not_judged,
                "text could not be judged",
                "texts could not be judged",
            ),
        ]
        .into_iter()
        .filter(|(n, _, _)| *n > 0)
        .map(|(n, one, many)| plural(n, one, many))
        .collect()
    }
}

/// Figures that are no metrics, but belong beside them; one sentence each.
pub(crate) fn asides(figures: &Figures) -> Vec<String> {
    let texts = |name: &str, texts: &Texts| {
        texts.share().map(|share| {
            format!(
                "{name}: {} filler in {}, {} over the limit",
                percent(share),
                plural(texts.messages, "text", "texts"),
                thousands(texts.over)
            )
        })
    };
    let mut lines: Vec<String> = [
        texts("Answers to agents", &figures.answers),
        texts("Delegation prompts", &figures.prompts),
        texts("Answers to people", &figures.human),
        texts("Notes between tool calls, read by nobody", &figures.notes),
    ]
    .into_iter()
    .flatten()
    .collect();
    if figures.scope_violations > 0 {
        lines.push(format!(
            "Outside their scope: {}; {} with so many that they need review",
            plural(figures.unexpected_files, "file", "files"),
            plural(figures.scope_needs_review, "delegation", "delegations")
        ));
    }
    if figures.delegations > figures.scoped {
        lines.push(format!(
            "Not judged for scope: {} that name no files, or whose worker is not here",
            plural(figures.delegations - figures.scoped, "delegation", "delegations")
        ));
    }
    if figures.human_rejections + figures.refused_calls > 0 {
        lines.push(format!(
            "Hooks also sent work for people back {} and refused {}",
            plural(figures.human_rejections, "time", "times"),
            plural(figures.refused_calls, "tool call", "tool calls")
        ));
    }
    lines.push(format!(
        "Seen: {}, {}",
        plural(figures.edits, "edit", "edits"),
        plural(figures.verifications, "verification run", "verification runs")
    ));
    lines
}

/// How often an example's words were found elsewhere.
pub(crate) fn repeats(example: &Example) -> Option<String> {
    (example.repeats > 0).then(|| {
        format!(
            "found {} elsewhere, in the same words",
            plural(example.repeats, "time", "times")
        )
    })
}

/// What to call a session.
pub(crate) fn name(session: &Session) -> &str {
    if session.title.is_empty() {
        &session.id
    } else {
        &session.title
    }
}

/// A time to the minute: `2026-11-20 22:49`.
pub(crate) fn minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}

/// `1 file`, `2 files`, with separators in the number.
pub(crate) fn plural(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(n), if n == 1 { one } else { many })
}

/// `1234567` as `1,234,567`.
pub(crate) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Bytes for people: `1.2 MB`.
#[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
pub(crate) fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "kB", "MB", "GB"] {
        if value < 1000.0 {
            return if unit == "B" {
                format!("{bytes} B")
            } else {
                format!("{value:.1} {unit}")
            };
        }
        value /= 1000.0;
    }
    format!("{value:.1} TB")
}

/// Cuts `text` to `room` columns.
fn fit(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide + 1 > room {
            break;
        }
        used += wide;
        out.push(c);
    }
    out.push('…');
    out
}

fn pad(text: &str, width: usize) -> String {
    let text = fit(text, width);
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

/// Breaks `text` at spaces into lines of at most `room` columns; a longer word is cut.
fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        if used > 0 && used + 1 + word.width() > room {
            lines.push(String::new());
            used = 0;
        }
        if used > 0 {
            push(&mut lines, ' ');
            used += 1;
        }
        for c in word.chars() {
            let wide = c.width().unwrap_or(0);
            if used > 0 && used + wide > room {
                lines.push(String::new());
                used = 0;
            }
            push(&mut lines, c);
            used += wide;
        }
    }
    lines
}

fn push(lines: &mut [String], c: char) {
    if let Some(line) = lines.last_mut() {
        line.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(thousands),
            ["0", "999", "1,000", "1,234,567"].map(str::to_owned)
        );
        assert_eq!(
            [0, 999, 1_500, 64 << 20].map(size),
            ["0 B", "999 B", "1.5 kB", "67.1 MB"].map(str::to_owned)
        );
        assert_eq!(
            (plural(1, "file", "files"), plural(0, "file", "files")),
            ("1 file".into(), "0 files".into())
        );
    }

    #[test]
    fn hangul_takes_two_columns() {
        assert_eq!(fit("완벽한 구현", 7), "완벽한…");
        assert_eq!(fit("완벽", 4), "완벽");
        assert_eq!(pad("완", 4), "완  ");
        assert_eq!(wrap("완벽한 구현입니다 ok", 10), ["완벽한", "구현입니다", "ok"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
    }
}
