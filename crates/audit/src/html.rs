//! The report as one self-contained page: no request to anywhere, charts drawn here, readable without
//! scripts. Everything that comes from a transcript is escaped, and the page's own policy lets no script
//! run but the one that it was built with.

mod chart;

use crate::figures::{Metric, MetricId, percent};
use crate::report::{Example, Report, Session};
use crate::text::{asides, minute, name, plural, repeats, thousands};
use std::fmt::{self, Display, Write as _};

const CSS: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// SHA-256 of [`SCRIPT`] in base 64, for the page's content policy. A test keeps it true.
const SCRIPT_HASH: &str = "XoJL5qoPZgyukiU9F+WMiH8cP/2ppvPqEjR3mkc/RFA=";
/// Rows of the table of sessions; the JSON holds all of them.
const ROWS: usize = 1000;
/// Examples of each metric that are shown at once; the others open on a click.
const OPEN: usize = 3;
/// Bars in the chart of sessions.
const BARS: usize = 20;

/// Text that comes from outside, made harmless in HTML text and in quoted attributes.
struct Esc<'a>(&'a str);

impl Display for Esc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c if c.is_control() && c != '\n' => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Appends formatted text. Writing to a string does not fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => { let _ = write!($out, $($arg)*); };
}
use put;

impl Report {
    /// The report as one HTML page.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut out = String::with_capacity(64 << 10);
        put!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<title>Proctor audit</title>\n<style>\n{CSS}</style>\n\
             </head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n"
        );
        self.header(&mut out);
        out.push_str("<main id=\"main\">\n");
        self.cards(&mut out);
        self.beside(&mut out);
        let sessions = self.worst_sessions();
        bars(&mut out, &sessions);
        chart::timeline(&mut out, &self.days);
        self.examples_section(&mut out, &sessions);
        table(&mut out, &sessions);
        self.method(&mut out);
        self.reading(&mut out);
        out.push_str("</main>\n");
        put!(
            out,
            "<footer>Made by <code>proctor audit</code>{}. Figures say what is seen in the transcripts; \
             they name no person and no intent.</footer>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
            match &self.generated_at {
                Some(time) => format!(" on {}", Esc(&minute(time))),
                None => String::new(),
            }
        );
        out
    }

    fn header(&self, out: &mut String) {
        let missed = self.metrics.iter().filter(|m| m.met == Some(false)).count();
        let measured = self.metrics.iter().filter(|m| m.met.is_some()).count();
        let verdict = match (measured, missed) {
            (0, _) => "Nothing to measure in these transcripts.".to_owned(),
            (n, 0) => format!(
                "All {} are met.",
                plural(n as u64, "measured target", "measured targets")
            ),
            (n, m) => format!(
                "{m} of {} {} missed.",
                plural(n as u64, "target", "targets"),
                if m == 1 { "is" } else { "are" }
            ),
        };
        put!(
            out,
            "<header>\n<h1>Proctor audit</h1>\n<div class=\"soft\">{}</div>\n<nav aria-label=\"Sections\">\
             <a href=\"#metrics\">Metrics</a><a href=\"#by-session\">By session</a><a href=\"#examples\">Examples</a>\
             <a href=\"#sessions\">Sessions</a><a href=\"#method\">How it is counted</a></nav>\n\
             <p class=\"verdict\">{verdict}</p>\n</header>\n",
            Esc(&self.summary())
        );
    }

    fn cards(&self, out: &mut String) {
        out.push_str("<section id=\"metrics\" class=\"cards\" aria-label=\"The five metrics\">\n");
        for metric in &self.metrics {
            let (status, word) = match metric.met {
                Some(true) => ("met", "✓ target met"),
                Some(false) => ("missed", "✗ target missed"),
                None => ("none", "not measured"),
            };
            let (count, of) = metric.id.counts();
            let detail = match metric.value {
                None => format!("no {of}"),
                Some(_) => format!(
                    "{} {count} of {} {of}",
                    thousands(metric.count),
                    thousands(metric.of)
                ),
            };
            put!(
                out,
                "<article class=\"card\"><h3>{}</h3><div class=\"value\">{}</div><div class=\"status {status}\">{word}</div>{}\
                 <div class=\"count\">Target {}. {detail}.</div></article>\n",
                metric.id.title(),
                metric.display(),
                chart::bullet(metric, status),
                Esc(&metric.display_target()),
            );
        }
        out.push_str("</section>\n");
    }

    fn beside(&self, out: &mut String) {
        out.push_str("<h2>Beside the metrics</h2>\n<div class=\"panel\"><ul class=\"plain\">");
        for line in asides(&self.totals) {
            put!(out, "<li>{}</li>", Esc(&line));
        }
        out.push_str("</ul></div>\n");
    }

    fn examples_section(&self, out: &mut String, sessions: &[&Session]) {
        out.push_str("<h2 id=\"examples\">Worst examples</h2>\n");
        if self.examples.is_empty() {
            out.push_str("<p class=\"soft\">None.</p>\n");
        }
        for id in MetricId::ALL {
            let mut examples = self.examples_of(id).peekable();
            if examples.peek().is_none() {
                continue;
            }
            put!(out, "<section><h3>{}</h3>\n", id.title());
            let count = self.examples_of(id).count();
            for (nth, example) in examples.enumerate() {
                if nth == OPEN {
                    put!(out, "<details><summary>{} more</summary>\n", count - OPEN);
                }
                put!(
                    out,
                    "<article class=\"example\"><p>{}.</p>",
                    Esc(&capital(&example.what))
                );
                if let Some(quote) = &example.quote {
                    put!(out, "<blockquote>{}</blockquote>", Esc(quote));
                }
                put!(
                    out,
                    "<div class=\"place\">{}:{}</div><div class=\"meta\">",
                    Esc(&example.file),
                    example.line
                );
                meta(out, example, sessions);
                out.push_str("</div></article>\n");
            }
            out.push_str(if count > OPEN {
                "</details></section>\n"
            } else {
                "</section>\n"
            });
        }
    }

    fn method(&self, out: &mut String) {
        out.push_str("<h2 id=\"method\">How it is counted</h2>\n<div class=\"panel\"><dl>\n");
        for metric in &self.metrics {
            put!(
                out,
                "<dt>{}</dt><dd>{}</dd>\n",
                metric.id.title(),
                metric.id.about()
            );
        }
        put!(
            out,
            "<dt>Limits</dt><dd>A message to an agent is over the limit above {} of filler, one to a person above {}; \
             a delegation needs review from {} on. The texts and files go through the same gates as in a hook.</dd>\n\
             </dl></div>\n",
            percent(self.settings.flattery_threshold),
            percent(self.settings.human_threshold),
            plural(
                u64::from(self.settings.violation_threshold),
                "unexpected file",
                "unexpected files"
            ),
        );
    }

    fn reading(&self, out: &mut String) {
        let notes = self.reading_notes();
        if notes.is_empty() && self.input.problems.is_empty() {
            return;
        }
        out.push_str("<h2>Reading</h2>\n<div class=\"panel\"><ul class=\"plain\">");
        for note in notes {
            put!(out, "<li>{}</li>", Esc(&note));
        }
        out.push_str("</ul>");
        if !self.input.problems.is_empty() {
            out.push_str("<details><summary>Places that could not be read</summary><ul>");
            for problem in &self.input.problems {
                let line = problem.line.map(|l| format!(":{l}")).unwrap_or_default();
                put!(
                    out,
                    "<li><code>{}{line}</code> {}</li>",
                    Esc(&problem.file),
                    Esc(&problem.why)
                );
            }
            out.push_str("</ul></details>");
        }
        out.push_str("</div>\n");
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|c| c.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// Time, session and subagent of an example.
fn meta(out: &mut String, example: &Example, sessions: &[&Session]) {
    if !example.time.is_empty() {
        put!(out, "{} · ", Esc(&minute(&example.time)));
    }
    match sessions.iter().take(ROWS).position(|s| s.id == example.session) {
        Some(row) => {
            let title = sessions.get(row).map(|s| name(s)).unwrap_or_default();
            put!(out, "<a href=\"#s{row}\">{}</a>", Esc(title));
        }
        None => {
            put!(out, "{}", Esc(&example.session));
        }
    }
    if let Some(agent) = &example.agent {
        put!(out, " · subagent {}", Esc(agent));
    }
    if let Some(more) = repeats(example) {
        put!(out, " · {more}");
    }
}

/// Filler by session, worst first.
fn bars(out: &mut String, sessions: &[&Session]) {
    let mut with: Vec<(usize, &Session, f64)> = sessions
        .iter()
        .enumerate()
        .take(ROWS)
        .filter_map(|(row, s)| Some((row, *s, s.figures.agent().share()?)))
        .collect();
    out.push_str("<h2 id=\"by-session\">Flattery by session</h2>\n");
    if with.is_empty() {
        out.push_str("<p class=\"soft\">No agent wrote to another in these sessions.</p>\n");
        return;
    }
    with.sort_by(|a, b| b.2.total_cmp(&a.2));
    let max = with
        .first()
        .map_or(1.0, |w| w.2)
        .max(MetricId::Flattery.target() * 2.0)
        .min(1.0);
    put!(
        out,
        "<p class=\"soft\">Share of filler in what agents wrote to each other{}. The mark is the target.</p>\n\
         <div class=\"panel\"><ul class=\"bars\">\n",
        if with.len() > BARS {
            format!(
                "; the {BARS} sessions with the most of {}",
                thousands(with.len() as u64)
            )
        } else {
            String::new()
        }
    );
    for (row, session, share) in with.into_iter().take(BARS) {
        put!(
            out,
            "<li><a href=\"#s{row}\"><span class=\"name\">{} <small class=\"soft\">{}</small></span>{}\
             <span class=\"number\">{}</span></a></li>\n",
            Esc(name(session)),
            Esc(session.start.get(5..10).unwrap_or_default()),
            chart::bar(share, max, MetricId::Flattery.target()),
            percent(share)
        );
    }
    out.push_str("</ul></div>\n");
}

fn table(out: &mut String, sessions: &[&Session]) {
    out.push_str("<h2 id=\"sessions\">Sessions</h2>\n");
    if sessions.is_empty() {
        out.push_str("<p class=\"soft\">No transcript was found.</p>\n");
        return;
    }
    if sessions.len() > ROWS {
        put!(
            out,
            "<p class=\"soft\">The worst {} of {}; all are in the JSON report.</p>\n",
            thousands(ROWS as u64),
            thousands(sessions.len() as u64)
        );
    }
    out.push_str(
        "<div class=\"tools\" hidden><input id=\"find\" type=\"search\" placeholder=\"Find a session or project\" \
         aria-label=\"Find a session or project\"><label><input id=\"missed\" type=\"checkbox\"> only with a missed target\
         </label><span id=\"shown\" class=\"soft\" role=\"status\"></span></div>\n\
         <div class=\"panel\"><table class=\"sessions\"><thead><tr><th>Session</th><th>Start</th><th>Subagents</th>\
         <th>Flattery</th><th>Empty approvals</th><th>Scope</th><th>Unverified</th><th>Retries</th></tr></thead><tbody>\n",
    );
    const LABELS: [&str; 5] = [
        "Flattery",
        "Empty approvals",
        "Scope violations",
        "Unverified",
        "Retries",
    ];
    for (row, session) in sessions.iter().take(ROWS).enumerate() {
        put!(
            out,
            "<tr id=\"s{row}\"><td>{0}<br><span class=\"who\">{1}{2}{3}</span></td>\
             <td data-l=\"Start\" data-v=\"{4}\">{5}</td><td data-l=\"Subagents\" data-v=\"{6}\">{6}</td>",
            Esc(name(session)),
            Esc(&session.project),
            if session.project.is_empty() { "" } else { " · " },
            Esc(&session.id),
            Esc(&session.start),
            Esc(&minute(&session.start)),
            session.agents,
        );
        for (metric, label) in session.metrics.iter().zip(LABELS) {
            cell(out, metric, label);
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

fn cell(out: &mut String, metric: &Metric, label: &str) {
    let class = match metric.met {
        Some(true) => "good",
        Some(false) => "bad",
        None => "soft",
    };
    let of = if metric.value.is_some() && metric.id != MetricId::Flattery {
        format!(
            "<span class=\"of\">{} of {}</span>",
            thousands(metric.count),
            thousands(metric.of)
        )
    } else {
        String::new()
    };
    put!(
        out,
        "<td class=\"{class}\" data-l=\"{label}\" data-v=\"{}\"><span><span class=\"v\">{}</span>{of}</span></td>",
        metric.value.unwrap_or(-1.0),
        metric.display()
    );
}
