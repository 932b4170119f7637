//! Charts as inline SVG. Drawings stretch with the page; words stand beside them as HTML, so that they
//! stay legible on a phone.

use super::{Esc, put};
use crate::figures::{Metric, MetricId, percent};
use crate::report::Day;
use crate::text::plural;
use std::fmt::Write as _;

/// A metric's value on a bar, with its target.
pub(super) fn bullet(metric: &Metric, status: &str) -> String {
    let value = metric.value.unwrap_or(0.0);
    let mut max = (metric.target * 2.0).max(value * 1.1);
    if metric.id.is_share() {
        max = max.min(1.0);
    }
    let at = |v: f64| (v / max * 100.0).clamp(0.0, 100.0);
    format!(
        "<svg viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{} against a target of {}\">\
         <rect class=\"track\" y=\"2\" width=\"100\" height=\"8\" rx=\"1\"/>\
         <rect class=\"fill-{status}\" y=\"2\" width=\"{:.2}\" height=\"8\" rx=\"1\"/>\
         <line class=\"target\" x1=\"{t:.2}\" x2=\"{t:.2}\" y1=\"0\" y2=\"12\"/></svg>",
        metric.display(),
        Esc(&metric.display_target()),
        at(value),
        t = at(metric.target),
    )
}

/// One bar of a list.
pub(super) fn bar(value: f64, max: f64, target: f64) -> String {
    let at = |v: f64| (v / max * 100.0).clamp(0.0, 100.0);
    let fill = if value < target { "fill-met" } else { "fill-missed" };
    format!(
        "<svg viewBox=\"0 0 100 14\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect class=\"track\" y=\"2\" width=\"100\" height=\"10\"/>\
         <rect class=\"{fill}\" y=\"2\" width=\"{:.2}\" height=\"10\"/>\
         <line class=\"target\" x1=\"{t:.2}\" x2=\"{t:.2}\" y1=\"0\" y2=\"14\"/></svg>",
        at(value),
        t = at(target),
    )
}

/// The metrics of the timeline.
const SERIES: [MetricId; 3] = [MetricId::Flattery, MetricId::EmptyApprovals, MetricId::Unverified];

/// Shares by day, over the messages of the day. Left out when there is only one day.
pub(super) fn timeline(out: &mut String, days: &[Day]) {
    let placed: Vec<(i64, &Day)> = days.iter().filter_map(|d| Some((number(&d.date)?, d))).collect();
    let (Some((first, start)), Some((last, end))) = (placed.first(), placed.last()) else {
        return;
    };
    if first == last {
        return;
    }
    out.push_str("<h2 id=\"over-time\">Over time</h2>\n<div class=\"panel\"><ul class=\"legend\">");
    for (i, id) in SERIES.iter().enumerate() {
        put!(
            out,
            "<li><svg viewBox=\"0 0 26 10\" aria-hidden=\"true\"><path class=\"series s{i}\" d=\"M0 5H26\"/></svg>{}</li>",
            id.title()
        );
    }
    out.push_str(
        "<li><svg viewBox=\"0 0 26 10\" aria-hidden=\"true\"><rect class=\"volume\" width=\"26\" height=\"10\"/></svg>\
         Messages of the day</li></ul>\n<div class=\"plot\">\n",
    );
    #[expect(clippy::cast_precision_loss, reason = "days of a calendar")]
    let span = (last - first) as f64;
    // Half a day of room on both sides.
    let room = 1000.0 / (span + 1.0);
    #[expect(clippy::cast_precision_loss, reason = "days of a calendar")]
    let x = |day: i64| ((day - first) as f64 + 0.5) * room;
    let values: Vec<[Option<f64>; 3]> = placed
        .iter()
        .map(|(_, day)| {
            let metrics = day.figures.metrics();
            SERIES.map(|id| metrics.iter().find(|m| m.id == id).and_then(|m| m.value))
        })
        .collect();
    let top = values.iter().flatten().flatten().fold(0.1_f64, |a, b| a.max(*b));
    // The axis ends at a round tenth.
    let top = (top * 10.0).ceil() / 10.0;
    let y = |v: f64| 100.0 - v / top * 100.0;
    for step in 0..=4 {
        let share = top * f64::from(step) / 4.0;
        put!(
            out,
            "<span class=\"y\" style=\"top:{:.1}%\">{:.0} %</span>",
            y(share),
            share * 100.0
        );
    }
    out.push_str("<svg viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    for step in 1..=4 {
        put!(
            out,
            "<line class=\"grid\" x1=\"0\" x2=\"1000\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>",
            f64::from(step) * 25.0 - 25.0
        );
    }
    let messages = |day: &Day| day.figures.agent().messages + day.figures.human.messages;
    let most = placed.iter().map(|(_, d)| messages(d)).max().unwrap_or(0).max(1);
    for (number, day) in &placed {
        #[expect(clippy::cast_precision_loss, reason = "a number of messages")]
        let height = messages(day) as f64 / most as f64 * 90.0;
        put!(
            out,
            "<rect class=\"volume\" x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{height:.2}\"/>",
            x(*number) - room * 0.35,
            100.0 - height,
            room * 0.7
        );
    }
    for (i, _) in SERIES.iter().enumerate() {
        series(
            out,
            i,
            placed
                .iter()
                .zip(&values)
                .map(|((n, _), v)| (x(*n), v.get(i).copied().flatten().map(y))),
        );
    }
    for ((number, day), value) in placed.iter().zip(&values) {
        put!(
            out,
            "<rect class=\"hit\" x=\"{:.2}\" y=\"0\" width=\"{room:.2}\" height=\"100\"><title>{}",
            x(*number) - room / 2.0,
            Esc(&day.date)
        );
        put!(out, ": {}", plural(messages(day), "message", "messages"));
        for (id, value) in SERIES.iter().zip(value) {
            if let Some(value) = value {
                put!(out, ", {} {}", id.title().to_lowercase(), percent(*value));
            }
        }
        out.push_str("</title></rect>");
    }
    put!(
        out,
        "</svg></div>\n<div class=\"axis\"><span>{}</span><span>{}</span></div>\n",
        Esc(&start.date),
        Esc(&end.date)
    );
    out.push_str(
        "<details><summary>The same as a table</summary><table><thead><tr><th>Day</th><th>Messages</th>",
    );
    for id in SERIES {
        put!(out, "<th>{}</th>", id.title());
    }
    out.push_str("</tr></thead><tbody>");
    for ((_, day), value) in placed.iter().zip(&values) {
        put!(out, "<tr><td>{}</td><td>{}</td>", Esc(&day.date), messages(day));
        for share in value {
            put!(out, "<td>{}</td>", share.map_or("–".to_owned(), percent));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></details></div>\n");
}

/// One line through the days that have a value, with a dot on each.
fn series(out: &mut String, index: usize, points: impl Iterator<Item = (f64, Option<f64>)>) {
    let mut line = String::new();
    let mut dots = String::new();
    for (x, y) in points.filter_map(|(x, y)| Some((x, y?))) {
        put!(line, "{}{x:.2} {y:.2}", if line.is_empty() { "M" } else { "L" });
        put!(dots, "M{x:.2} {y:.2}h0");
    }
    if !dots.is_empty() {
        put!(
            out,
            "<path class=\"series s{index}\" d=\"{line}\"/><path class=\"dot s{index}\" d=\"{dots}\"/>"
        );
    }
}

/// The number of a day such as `2026-11-20` in a running count of days.
fn number(date: &str) -> Option<i64> {
    let mut parts = date.split('-').map(|p| p.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Months counted from March, so that the leap day is the last day of a year.
    let (y, m) = if month <= 2 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    Some(365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_through_leap_years() {
        let between = |a: &str, b: &str| number(b).unwrap() - number(a).unwrap();
        assert_eq!(between("2024-02-28", "2024-03-01"), 2);
        assert_eq!(between("2025-02-28", "2025-03-01"), 1);
        assert_eq!(between("2025-12-31", "2026-01-01"), 1);
        assert_eq!(between("2000-01-01", "2026-11-20"), 9820);
        assert_eq!(
            (number("2026-13-01"), number("x"), number("2026-01")),
            (None, None, None)
        );
    }
}
