//! Splits a delegation into pieces: lines with the section that they belong to.

use crate::labels::{self, Found, Kind};
use crate::layout::{Line, Marker, Tick, is_rule, lines};
use crate::shown::{Shown, is_bold};

/// A line, or part of one, and where it belongs.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Its section; `None` outside of any.
    pub(crate) kind: Option<Kind>,
    /// Number of the section, so that pieces of one section can be told from those of the next.
    pub(crate) section: usize,
    /// The text, without marker and label.
    pub(crate) text: String,
    pub(crate) marker: Marker,
    pub(crate) indent: usize,
    pub(crate) tick: Option<Tick>,
    /// It stands on the same line as its section's label.
    pub(crate) beside_label: bool,
    /// It is a label of a group inside the section, not an item.
    pub(crate) is_group: bool,
    /// A table row: its cells, with the words of the table's head.
    pub(crate) row: Option<Vec<(String, String)>>,
    /// A blank line came before it.
    pub(crate) after_blank: bool,
    /// It is part of a block of code.
    pub(crate) is_code: bool,
    /// It is quoted (`> …`).
    pub(crate) quoted: bool,
    /// Where the line that it is from begins, in bytes.
    pub(crate) at: usize,
}

#[derive(Default)]
struct State {
    kind: Option<Kind>,
    section: usize,
    /// The label's own marker, indentation and heading level.
    marker: Option<Marker>,
    indent: usize,
    level: usize,
    beside: bool,
    bullets: bool,
    groups: bool,
    /// The label stood in bold, and something has followed it.
    bold: bool,
    filled: bool,
    /// A labelled bullet that holds for its own sub-bullets only.
    inner: Option<(usize, Kind)>,
    fence: Option<usize>,
    /// The label stood in this fence, or in a quotation.
    label_fence: Option<usize>,
    label_quoted: bool,
}

/// The pieces of a text, in order.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut state = State::default();
    let mut head: Option<Vec<String>> = None;
    let mut blank = true;
    let all = lines(text);
    let shown = Shown::of(&all);
    for (number, line) in all.iter().enumerate() {
        if line.is_fence {
            continue;
        }
        if line.is_blank() {
            blank = true;
            head = None;
            continue;
        }
        if shown.holds(line) {
            let piece = state.piece(line.text.trim().to_owned(), line, blank);
            out.push(Piece {
                kind: Some(Kind::Context),
                ..piece
            });
            blank = false;
            continue;
        }
        if shown.expects(number) {
            // What a report expected is told, not ordered.
            state.open(Some(Kind::Context), line.marker, line.indent, line.level);
            state.labelled_on(line);
            out.push(state.piece(line.text.trim().to_owned(), line, blank));
            blank = false;
            continue;
        }
        if state.is_quotation(line) {
            out.push(state.piece(line.text.trim().to_owned(), line, blank));
            blank = false;
            continue;
        }
        if let Some(cells) = line.cells() {
            table_row(
                &mut out,
                &mut state,
                &mut head,
                line.at,
                &cells,
                all.get(number + 1),
                blank,
            );
            blank = false;
            continue;
        }
        head = None;
        let fields = fields(line.text);
        for field in &fields {
            read_line(&mut out, &mut state, &Line { text: field, ..*line }, blank);
        }
        if fields.is_empty() {
            read_line(&mut out, &mut state, line, blank);
        }
        blank = false;
    }
    crate::tree::unfold(out)
}

fn table_row(
    out: &mut Vec<Piece>,
    state: &mut State,
    head: &mut Option<Vec<String>>,
    at: usize,
    cells: &[&str],
    next: Option<&Line<'_>>,
    blank: bool,
) {
    if is_rule(cells) {
        return;
    }
    let next_is_rule = next.and_then(Line::cells).is_some_and(|cells| is_rule(&cells));
    // A row such as `| EXPECTED OUTCOME | src/a.ts |` opens a section.
    if let [first, rest @ ..] = cells
        && let Some(found) =
            labels::at_start(first).filter(|f| f.end == first.len() && !rest.is_empty() && !next_is_rule)
        && (head.is_none() || !matches!(state.kind, Some(Kind::Outcome | Kind::Scope)))
    {
        state.open(Some(found.kind), Marker::None, 0, 0);
        for cell in rest
            .iter()
            .flat_map(|cell| cell.split("<br>"))
            .filter(|cell| !cell.trim().is_empty())
        {
            split_inline(
                out,
                state,
                cell.trim(),
                &Line {
                    text: cell,
                    at,
                    ..plain()
                },
                true,
                blank,
            );
        }
        return;
    }
    if next_is_rule {
        // A table whose head is a label: its rows are the section.
        let label = cells
            .iter()
            .find_map(|cell| labels::at_start(cell).filter(|f| f.end == cell.len()))
            .filter(|f| cells.len() == 1 && matches!(f.kind, Kind::Outcome | Kind::Scope | Kind::Exclude));
        if let Some(found) = label {
            state.open(Some(found.kind), Marker::None, 0, 0);
        }
        *head = Some(cells.iter().map(|cell| cell.to_lowercase()).collect());
        return;
    }
    let words = head.clone().unwrap_or_default();
    let row: Vec<(String, String)> = cells
        .iter()
        .enumerate()
        .map(|(i, cell)| (words.get(i).cloned().unwrap_or_default(), (*cell).to_owned()))
        .collect();
    let text = cells
        .iter()
        .filter(|cell| !cell.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join(": ");
    state.bullets = true;
    out.push(Piece {
        row: Some(row),
        ..state.piece(text, &plain(), blank)
    });
}

/// The fields of a line such as `worker=a | scope=src/a.ts | goal: fix it`, when at least two of them have
/// labels and one begins the line.
fn fields(text: &str) -> Vec<&str> {
    if !text.contains('|') || text.trim_start().starts_with('|') {
        return Vec::new();
    }
    let text = text.trim_start();
    let text = text
        .strip_prefix("DELEGATE")
        .map_or(text, |rest| rest.trim_start_matches([':', ' ']));
    if text.matches('|').count() > 24 {
        return Vec::new();
    }
    let fields: Vec<&str> = text.split('|').map(str::trim).collect();
    let keyed = |field: &&&str| {
        field
            .split_once(['=', ':'])
            .is_some_and(|(key, _)| !key.trim().is_empty() && key.split_whitespace().count() <= 3)
    };
    let labelled = fields
        .iter()
        .filter(|f| labels::at_start(f).is_some_and(|found| found.separated))
        .count();
    if labelled >= 2 && fields.iter().filter(keyed).count() == fields.len() {
        fields
    } else {
        Vec::new()
    }
}

fn plain<'a>() -> Line<'a> {
    Line {
        indent: 0,
        quoted: false,
        marker: Marker::None,
        tick: None,
        level: 0,
        fence: None,
        is_fence: false,
        at: 0,
        text: "",
    }
}

fn read_line(out: &mut Vec<Piece>, state: &mut State, line: &Line<'_>, blank: bool) {
    let text = line.text.trim();
    if state.inner.is_some_and(|(indent, _)| line.indent <= indent) {
        state.inner = None;
    }
    if text.starts_with("</") {
        state.open(None, Marker::None, 0, 0);
        return;
    }
    if let Some(found) = labels::at_start(text).filter(|f| opens(f, line, text)) {
        let bullet = matches!(line.marker, Marker::Bullet | Marker::Number(_) | Marker::Letter);
        let inside = bullet
            && matches!(
                state.kind,
                Some(Kind::Outcome | Kind::Scope | Kind::MustDo | Kind::MustNot | Kind::Rules)
            )
            && (state.marker.is_none_or(|m| m == Marker::None) || line.indent > state.indent);
        if !inside {
            state.open(Some(found.kind), line.marker, line.indent, line.level);
            state.labelled_on(line);
            state.fence = line.fence.map(|(at, _)| at);
            state.bold = is_bold(text);
            let rest = text.get(found.end..).unwrap_or_default().trim();
            if !rest.is_empty() {
                state.beside = true;
                split_inline(out, state, rest, line, true, blank);
            }
            return;
        }
        if matches!(found.kind, Kind::Exclude | Kind::MustNot | Kind::Context) {
            state.inner = Some((line.indent, found.kind));
            let rest = text.get(found.end..).unwrap_or_default().trim();
            if !rest.is_empty() {
                out.push(state.piece(rest.to_owned(), line, blank));
            }
            return;
        }
    }
    if is_heading(line, text) && labels::asks_for_outcome(text) {
        state.open(Some(Kind::Outcome), line.marker, line.indent, line.level);
        state.labelled_on(line);
        return;
    }
    let heading = unknown_heading(state, line, text, blank);
    state.filled = true;
    if let Some(is_group) = heading {
        if is_group {
            state.groups = true;
            let piece = state.piece(text.to_owned(), line, blank);
            out.push(Piece {
                is_group: true,
                ..piece
            });
        } else {
            state.open(Some(Kind::Other), line.marker, line.indent, line.level);
            state.labelled_on(line);
            let rest = text.split_once([':', '：']).map_or("", |(_, rest)| rest.trim());
            if !rest.is_empty() {
                out.push(state.piece(rest.to_owned(), line, blank));
            }
        }
        return;
    }
    if line.marker == Marker::None
        && line.indent == 0
        && blank
        && matches!(
            state.kind,
            Some(Kind::Outcome | Kind::Scope | Kind::Exclude | Kind::MustNot)
        )
        && (state.bullets || state.beside)
        && line.fence.is_none()
    {
        state.open(None, Marker::None, 0, 0);
    }
    if line.marker != Marker::None {
        state.bullets = true;
    }
    split_inline(out, state, text, line, false, blank);
}

/// Whether a label at the beginning of a line opens a section there.
fn opens(found: &Found, line: &Line<'_>, text: &str) -> bool {
    let alone = found.end >= text.len();
    if found.separated {
        return true;
    }
    if alone {
        return line.level > 0
            || found.decorated
            || found.capitals
            || found.strong
            || line.marker == Marker::None;
    }
    // `[EXPECTED OUTCOME] text`, `EXPECTED OUTCOME src/a.ts`
    (found.decorated
        && found.end > found.start
        && text
            .get(..found.end)
            .is_some_and(|t| t.trim_end().ends_with([']', '>', '】', '」'])))
        || (found.capitals && found.strong)
}

/// Whether a line stands above what follows: a heading, or words with a colon behind them.
fn is_heading(line: &Line<'_>, text: &str) -> bool {
    let bare = text.trim_matches(['*', '_', ' ']);
    (line.level > 0 || line.marker == Marker::None && bare.ends_with([':', '：']))
        && line.fence.is_none()
        && crate::paths::find(bare).is_empty()
}

/// A heading that no table knows: `Some(true)` when it groups items inside the section, `Some(false)`
/// when it ends the section.
fn unknown_heading(state: &State, line: &Line<'_>, text: &str, blank: bool) -> Option<bool> {
    if line.level > 0 {
        return Some(state.kind.is_some() && state.level > 0 && line.level > state.level);
    }
    if line.marker != Marker::None || line.fence.is_some() {
        return None;
    }
    let bare = text.trim_matches(['*', '_']).trim_end();
    let label = bare.strip_suffix([':', '：']).map(str::trim_end);
    if let Some((name, rest)) = bare.split_once(':') {
        let capitals = name.chars().filter(char::is_ascii_uppercase).count() >= 3
            && name
                .chars()
                .all(|c| c.is_ascii_uppercase() || matches!(c, ' ' | '_' | '-' | '/'));
        if capitals && name.len() <= 40 && !rest.starts_with(':') {
            return Some(false);
        }
    }
    let bold = is_bold(text);
    let label = label.or_else(|| bold.then(|| bare.trim_start_matches(['*', '_'])))?;
    if label.chars().count() > 48
        || label.split_whitespace().count() > 6
        || !crate::paths::find(label).is_empty()
    {
        return None;
    }
    state.kind?;
    if bold && state.bold && state.filled && !state.groups {
        // Of the same rank as the label that opened the section.
        return Some(false);
    }
    Some(!state.bullets || !blank || state.groups)
}

/// Pushes the text of a line, cut at the labels inside it.
fn split_inline(
    out: &mut Vec<Piece>,
    state: &mut State,
    text: &str,
    line: &Line<'_>,
    beside: bool,
    blank: bool,
) {
    let found = labels::inline(text, beside);
    let mut from = 0;
    let mut label = beside;
    for cut in &found {
        let before = crate::text::slice(text, from, cut.start).trim_matches([' ', '|', '[', '*']);
        if !before.is_empty() {
            let piece = state.piece(before.to_owned(), line, blank);
            out.push(Piece {
                beside_label: label,
                ..piece
            });
        }
        state.open(Some(cut.kind), Marker::None, line.indent, 0);
        state.labelled_on(line);
        state.beside = true;
        label = true;
        from = cut.end;
    }
    let rest = text.get(from..).unwrap_or_default().trim();
    if !rest.is_empty() {
        let piece = state.piece(rest.to_owned(), line, blank);
        out.push(Piece {
            beside_label: label,
            ..piece
        });
    }
}

impl State {
    fn open(&mut self, kind: Option<Kind>, marker: Marker, indent: usize, level: usize) {
        *self = Self {
            kind,
            section: self.section + 1,
            marker: Some(marker),
            indent,
            level,
            ..Self::default()
        };
    }

    fn labelled_on(&mut self, line: &Line<'_>) {
        self.label_quoted = line.quoted;
        self.label_fence = line.fence.map(|(at, _)| at);
    }

    /// Whether the line is quoted inside a section of context: a task that is only told of, whose labels
    /// open no section of the delegation itself.
    fn is_quotation(&self, line: &Line<'_>) -> bool {
        let quotes = line.quoted && !self.label_quoted
            || line.fence.is_some_and(|(at, _)| self.label_fence != Some(at));
        quotes && matches!(self.kind, Some(Kind::Context | Kind::Other))
    }

    fn piece(&self, text: String, line: &Line<'_>, after_blank: bool) -> Piece {
        let is_code = line.fence.is_some_and(|(at, info)| {
            let data = matches!(
                info,
                "" | "yaml" | "yml" | "json" | "md" | "markdown" | "text" | "txt"
            );
            self.fence != Some(at) || !data
        });
        Piece {
            kind: self.inner.map(|(_, kind)| kind).or(self.kind),
            section: self.section,
            text,
            marker: line.marker,
            indent: line.indent,
            tick: line.tick,
            beside_label: false,
            is_group: false,
            row: None,
            after_blank,
            is_code,
            quoted: line.quoted,
            at: line.at,
        }
    }
}

/// Which of the six sections of a delegation a text has. A label without content does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Sections {
    /// TASK: what is to be done.
    pub task: bool,
    /// EXPECTED OUTCOME: what must come out.
    pub outcome: bool,
    /// REQUIRED TOOLS: what to work with.
    pub tools: bool,
    /// MUST DO: what must happen on the way.
    pub must_do: bool,
    /// MUST NOT DO: what must not happen.
    pub must_not_do: bool,
    /// CONTEXT: what the worker has to know.
    pub context: bool,
}

impl Sections {
    fn each(self) -> [(&'static str, bool); 6] {
        [
            ("TASK", self.task),
            ("EXPECTED OUTCOME", self.outcome),
            ("REQUIRED TOOLS", self.tools),
            ("MUST DO", self.must_do),
            ("MUST NOT DO", self.must_not_do),
            ("CONTEXT", self.context),
        ]
    }

    /// Names of the sections that are missing, in the order of the form.
    #[must_use]
    pub fn missing(self) -> Vec<&'static str> {
        self.each()
            .into_iter()
            .filter(|(_, there)| !there)
            .map(|(name, _)| name)
            .collect()
    }

    /// How many of the six are there.
    #[must_use]
    pub fn count(self) -> usize {
        self.each().into_iter().filter(|(_, there)| *there).count()
    }
}

/// Which of the six sections of a delegation the text has, by heading, label or key, in English and
/// Korean, whatever the case and the decoration (`TASK:`, `1. TASK`, `## Task`, `**TASK**`, `task:`).
#[must_use]
pub fn sections(text: &str) -> Sections {
    of_pieces(&crate::prepared_pieces(text))
}

pub(crate) fn of_pieces(pieces: &[Piece]) -> Sections {
    let mut out = Sections::default();
    for piece in pieces
        .iter()
        .filter(|p| !p.is_group && p.text.chars().any(char::is_alphanumeric))
    {
        match piece.kind {
            Some(Kind::Task) => out.task = true,
            Some(Kind::Outcome) => out.outcome = true,
            Some(Kind::Tools) => out.tools = true,
            Some(Kind::MustDo) => out.must_do = true,
            Some(Kind::MustNot | Kind::Exclude) => out.must_not_do = true,
            Some(Kind::Context) => out.context = true,
            _ => {}
        }
    }
    out
}
