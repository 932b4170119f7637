//! The report for people.

use crate::figures::Rate;
use crate::floors::{Check, Figure, Floors};
use crate::report::{GateReport, Report, Row};
use std::fmt::{self, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Pairs of right and answered words that are shown.
const MISTAKES: usize = 12;
/// Longest text of a wrong answer, in characters.
const SHOWN: usize = 220;

impl Report {
    /// The report as a table.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for gate in &self.gates {
            // Writing to a String cannot fail.
            let _ = write_gate(&mut out, gate);
        }
        out
    }
}

fn write_gate(out: &mut String, gate: &GateReport) -> fmt::Result {
    if !out.is_empty() {
        out.push('\n');
    }
    let n = gate.all.figures.items;
    let mut lacking = String::new();
    if gate.unjudged > 0 {
        lacking = format!("{} without an answer", items(gate.unjudged));
    }
    if n == 0 {
        return writeln!(out, "{}: {lacking}", gate.gate);
    }
    let lacking = if lacking.is_empty() {
        lacking
    } else {
        format!(", {lacking}")
    };
    writeln!(
        out,
        "{}: {}, alarm = {}{lacking}",
        gate.gate,
        items(n),
        gate.positive
    )?;
    writeln!(
        out,
        "  {:<24} {:>5}  {:<20} {:<20} {:<20} {:>5} {:>6}",
        "", "n", "precision", "recall", "F1", "false", "missed"
    )?;
    write_row(out, &gate.all)?;
    for row in &gate.more {
        write_row(out, row)?;
    }
    for group in &gate.groups {
        writeln!(out, "  by {}", group.by)?;
        for row in &group.rows {
            write_row(out, row)?;
        }
    }
    write_confusion(out, &gate.confusion)?;
    if !gate.errors.is_empty() {
        writeln!(out, "  wrong answers")?;
    }
    for error in &gate.errors {
        writeln!(
            out,
            "    {}:{} {} [{}] right: {}, answered: {}",
            error.file, error.line, error.id, error.about, error.gold, error.answer
        )?;
        writeln!(out, "      {}", one_line(&error.text))?;
    }
    Ok(())
}

/// Right words against answered ones: all of them where they are few, otherwise the most frequent mistakes.
fn write_confusion(out: &mut String, confusion: &[(String, String, u64)]) -> fmt::Result {
    if confusion.is_empty() {
        return Ok(());
    }
    let few = confusion.len() <= MISTAKES;
    let mut shown: Vec<_> = confusion
        .iter()
        .filter(|(gold, answer, _)| few || gold != answer)
        .collect();
    if !few {
        shown.sort_by_key(|pair| std::cmp::Reverse(pair.2));
    }
    writeln!(
        out,
        "  right → answered{}",
        if few { "" } else { ", the most frequent mistakes" }
    )?;
    for (gold, answer, n) in shown.iter().take(MISTAKES) {
        let mark = if gold == answer { "" } else { "  ←" };
        writeln!(out, "    {gold} → {answer}  {n}{mark}")?;
    }
    Ok(())
}

fn items(n: u64) -> String {
    format!("{n} item{}", if n == 1 { "" } else { "s" })
}

fn write_row(out: &mut String, row: &Row) -> fmt::Result {
    let f = &row.figures;
    let line = format!(
        "  {} {:>5}  {:<20} {:<20} {:<20} {:>5} {:>6}",
        padded(&row.name),
        f.items,
        rate(f.precision),
        rate(f.recall),
        rate(f.f1),
        f.counts.fp,
        f.counts.missed
    );
    writeln!(out, "{}", line.trim_end())
}

/// Columns of a name.
const NAME: usize = 24;

/// A name cut or filled to its column; Hangul is two wide.
fn padded(name: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    let whole = name.width() <= NAME;
    for c in name.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        let next = width + c.width().unwrap_or(0);
        if !whole && next >= NAME {
            out.push('…');
            width += 1;
            break;
        }
        out.push(c);
        width = next;
    }
    out.extend(std::iter::repeat_n(' ', NAME.saturating_sub(width)));
    out
}

fn rate(rate: Option<Rate>) -> String {
    rate.map_or_else(
        || "–".to_owned(),
        |r| format!("{:.3} [{:.3}, {:.3}]", r.value, r.low, r.high),
    )
}

/// A text on one line, without control characters.
fn one_line(text: &str) -> String {
    let mut out: String = text
        .chars()
        .take(SHOWN)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(SHOWN).is_some() {
        out.push('…');
    }
    out
}

impl Floors {
    /// The checks as a table.
    #[must_use]
    pub fn to_text(checks: &[Check]) -> String {
        let mut out = String::new();
        for check in checks {
            let value = match check.value {
                None => "not measured".to_owned(),
                Some(value) if check.figure.is_count() => format!("{value:.0}"),
                Some(value) => format!("{value:.3}"),
            };
            let bound = if check.figure == Figure::ErrorsPer30 {
                "at most"
            } else {
                "at least"
            };
            let limit = if check.figure.is_count() {
                format!("{:.0}", check.limit)
            } else {
                format!("{:.3}", check.limit)
            };
            let state = if check.holds { "ok   " } else { "UNDER" };
            let _ = writeln!(
                out,
                "{state} {:<44} {:<10} {value:>12}  {bound} {limit}",
                check.place,
                check.figure.as_str()
            );
        }
        out
    }
}
