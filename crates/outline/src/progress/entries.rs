//! Entries of lists and tables, and enumerations inside a text.

use super::class::Class;
use super::cues::Cues;
use super::message::{Entry, Turn};
use super::part::Part;
use super::sentence::Prepared;
use super::signs::Signs;
use super::status::{self, CHUNK, Status, View, bits_of};
use crate::list::listed;
use crate::text::slice;
use proctor_prose::{Clause, Features, Token, TokenKind};

/// Which columns of a table hold states, one bit each.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    states: u64,
}

impl Turn<'_> {
    /// The cells of a table row as stretches of tokens with the numbers of their columns, empty ones left out.
    pub(super) fn cells<'v>(&self, view: View<'v>, start: usize, body: &str) -> Vec<(usize, View<'v>)> {
        let mut out = Vec::new();
        let mut from = view.from;
        let bars = body.match_indices('|').map(|(at, _)| start + at);
        for (column, bar) in bars.chain([usize::MAX]).enumerate() {
            let rest = view.at(from, view.to).tokens();
            let to = from + rest.iter().take_while(|t| t.start < bar).count();
            if to > from {
                out.push((column, view.at(from, to)));
            }
            from = to;
        }
        out
    }

    /// What the head of a table says of its columns; none when no column is one of states.
    #[inline(never)]
    pub(super) fn columns(&self, view: View<'_>, start: usize, body: &str) -> Option<Columns> {
        let mut states = 0_u64;
        for (column, cell) in self.cells(view, start, body) {
            let words = cell.words().count();
            let head = cell.words().next().is_some_and(|word| {
                listed!(
                    "status|state|done|progress|complete|completed|finished|result|진행|상태|완료|진행상태|진척|결과|여부",
                    word,
                )
            }) || cell.words().next_back().is_some_and(|word| {
                listed!("status|state|상태|여부|현황", word)
            });
            if head && words <= 2 && column < 64 && self.names(cell).first().is_none_or(|m| m.1 < 1.0) {
                states |= 1 << column;
            }
        }
        (states != 0).then_some(Columns { states })
    }

    #[inline(never)]
    pub(super) fn row(
        &mut self,
        view: View<'_>,
        start: usize,
        body: &str,
        context: Option<Status>,
        columns: Option<Columns>,
    ) {
        let tells = |column: usize| columns.is_none_or(|c| c.states >> column & 1 == 1);
        let cells = self.cells(view, start, body);
        let mut items: Vec<usize> = Vec::new();
        let mut named_cell = None;
        let mut best: Option<(usize, f32)> = None;
        let mut named = Vec::new();
        for (i, (column, cell)) in cells.iter().enumerate() {
            if columns.is_some() && tells(*column) {
                continue;
            }
            named.clear();
            self.names_into(*cell, &mut named);
            if let Some(first) = named.first().copied()
                && first.1 > best.map_or(0.0, |best| best.1)
            {
                best = Some(first);
                named_cell = Some(i);
            }
        }
        items.extend(self.first_named(best.map(|best| best.0)));
        if items.is_empty() {
            let number = cells.first().and_then(|(_, c)| {
                let word = c.words().next()?;
                word.trim_matches(['#', '.', ')']).parse::<usize>().ok()
            });
            if let Some(number) = number.filter(|n| (1..=self.said.len()).contains(n)) {
                items.push(number - 1);
                named_cell = Some(0);
            }
        }
        if items.is_empty() {
            return;
        }
        let mut state = None;
        for (i, (column, cell)) in cells.iter().enumerate() {
            if Some(i) == named_cell || !tells(*column) {
                continue;
            }
            let word = match cell.tokens() {
                [only] => slice(self.text, only.start, only.end),
                _ => "",
            };
            let found = status::read(*cell, Features::default())
                .or(cell.picture())
                .or(match word {
                    "yes" | "Yes" | "YES" | "o" | "O" | "y" | "Y" | "ok" | "OK" | "예" | "네" | "v" | "V" => {
                        Some(Status::Done(Class::GENERIC))
                    }
                    "no" | "No" | "NO" | "x" | "X" | "n" | "N" | "아니오" | "아니요" | "-" | "—" => {
                        Some(Status::Open)
                    }
                    _ => None,
                });
            state = match (state, found) {
                (Some(Status::Open | Status::Undone), _) => state,
                (_, Some(found)) => Some(found),
                (old, None) => old,
            };
        }
        for item in items {
            if let Some(state) = state.or(context) {
                self.set(item, state, true);
            }
        }
    }

    #[inline(never)]
    pub(super) fn list_item(
        &mut self,
        clauses: &[Clause],
        view: View<'_>,
        body: &str,
        entry: &Entry,
        prepared: &Prepared,
    ) {
        let picture = view.picture();
        let mut room = Vec::new();
        let sentences = self.parts_of(clauses, prepared, &mut room);
        let parts = || sentences.iter().copied().flatten();
        let own = parts().find_map(|p| p.status);
        let struck = clauses.first().is_some_and(|c| c.features.has(Features::STRUCK))
            || body.trim_start().starts_with("~~");
        let given = match entry.checked {
            Some(true) => Some(Status::Done(Class::GENERIC)),
            Some(false) => Some(Status::Open),
            None if struck => Some(Status::Done(Class::GENERIC)),
            None => picture,
        };
        let numbered = self.numbers(view).items;
        let mut items: Vec<usize> = if numbered.is_empty() {
            self.names(view).into_iter().map(|m| m.0).collect()
        } else {
            numbered
        };
        if given.is_some() || entry.context.is_some() {
            items.truncate(if entry.checked.is_some() || struck {
                1
            } else {
                items.len()
            });
        }
        if self.list.has_heads() {
            let items_below = |item: usize| self.first_named(Some(item));
            items = items.into_iter().flat_map(items_below).collect();
        }
        if items.is_empty() {
            items.extend(entry.position);
        }
        let bare = !parts().any(|p| p.content);
        if items.is_empty() && (entry.covers || bare) {
            items.extend(entry.number);
        }
        if let Some(given) = given {
            let dropped = (view.from..view.to).any(|at| self.senses.signs(at).any(Signs::DROPPED));
            let state = match (given, dropped) {
                (Status::Done(_), true) => Status::Undone,
                (Status::Open, _) => Status::Undone,
                (given, _) => given,
            };
            // An unticked box takes back an earlier tick.
            for item in items {
                self.set(item, state, true);
            }
            return;
        }
        if let (Some(number), Some(state), true) = (entry.number, own, is_reference(body)) {
            // "가)와 나)는 마쳤습니다"
            self.set(number, state, true);
            self.by_sentence(&sentences);
            return;
        }
        let fact = own.is_none() && entry.context.is_none() && parts().any(|p| p.fact);
        let answer = own.is_none()
            && entry.context.is_none()
            && entry.covers
            && entry.number.is_some()
            && is_statement(view);
        if fact || answer {
            items.truncate(1);
            for item in items {
                self.set(item, Status::Done(Class::GENERIC), true);
            }
            return;
        }
        if own.is_none() || (entry.covers && items.len() == 1 && parts().all(|p| p.refs.is_empty())) {
            if let Some(state) = own.or(entry.context) {
                for item in items {
                    self.set(item, state, true);
                }
            }
            return;
        }
        if let (Some(Status::Done(_)), Some(Status::Open | Status::Undone)) = (own, entry.context) {
            // Under "Remaining:" a past verb describes; it does not report.
            for item in items {
                self.set(item, Status::Open, true);
            }
            return;
        }
        if parts().all(|p| p.refs.is_empty())
            && bare
            && let (Some(number), Some(state)) = (entry.number, own)
        {
            self.set(number, state, true);
            return;
        }
        self.by_sentence(&sentences);
    }

    /// Takes in the parts of several sentences.
    fn by_sentence(&mut self, sentences: &[&[Part]]) {
        for parts in sentences {
            self.sentence(parts);
        }
    }

    /// Reads a block that counts items inside its text: "1) … 2) …", "가. … 나. …". Says whether it does.
    /// `first` is the number of the first mark; a smaller one stood before the block.
    pub(super) fn enumeration(
        &mut self,
        clauses: &[Clause],
        (start, body): (usize, &str),
        first: u32,
        prepared: &Prepared,
    ) -> bool {
        // Most texts have no mark for the first item at all: no figure or letter, and no "first".
        let ordinal = || {
            let has = |word: &str| memchr::memmem::find(body.as_bytes(), word.as_bytes()).is_some();
            first > 1
                || self.adverbs
                || prepared.cues(clauses).any(Cues::COUNTING) && (has("irst") || has("첫"))
        };
        if self.said.len() < 2 || !(crate::items::may_mark(body, first) || ordinal()) {
            return false;
        }
        let view = self.view(
            clauses.first().map_or(0, |c| c.tokens.start),
            clauses.last().map_or(0, |c| c.tokens.end),
        );
        let before = usize::from(first > 1);
        // The marks that stand in the text go on from `first`; this is the number of the last of them.
        let last = (first as usize + self.said.len()).saturating_sub(1 + before);
        if !reaches(self.text, view, last) || !counts_from(view, first) {
            return false;
        }
        let marks = crate::items::marks(body, first);
        if marks.len() + before != self.said.len() || marks.len() + before < 2 || marks.is_empty() {
            return false;
        }
        // "My plan: 1) … 2) …"
        let lead_end = start + marks.first().map_or(0, |m| m.0);
        let planned = clauses.iter().take_while(|c| c.start < lead_end).any(|c| {
            let view = self.view(c.tokens.start, c.tokens.end);
            let take = view.tokens().iter().take_while(|t| t.start < lead_end).count();
            let state = status::read(view.at(view.from, view.from + take), Features::default());
            before == 0 && matches!(state, Some(Status::Open | Status::Undone))
        });
        let ends = marks.iter().map(|m| m.0).chain([body.len()]);
        let begins = marks.iter().map(|m| m.1);
        let lead = (first > 1).then_some(0);
        let ends = ends.skip(1 - before);
        for (number, (from, to)) in lead.into_iter().chain(begins).zip(ends).enumerate() {
            let (from, to) = (start + from, start + to);
            let mut pieces = Vec::new();
            let mut stated = false;
            for clause in clauses.iter().filter(|c| c.start < to && from < c.end) {
                let view = self.view(clause.tokens.start, clause.tokens.end);
                let skip = view.tokens().iter().take_while(|t| t.start < from).count();
                let take = view.tokens().iter().take_while(|t| t.start < to).count();
                let view = view.at(view.from + skip, view.from + take);
                if view.words().next().is_some() {
                    stated |= is_statement(view);
                    self.cut_view(view, clause, &mut pieces);
                }
            }
            let parts = self.read(&pieces);
            let open = parts.iter().find(|p| {
                p.other && p.status.is_some() || matches!(p.status, Some(Status::Open | Status::Undone))
            });
            let state = match (open, parts.iter().find_map(|p| p.status)) {
                (Some(part), _) if part.other => Some(Status::Open),
                (Some(_), _) => Some(Status::Undone),
                (None, Some(state)) => Some(state),
                (None, None) => (!planned && stated).then_some(Status::Done(Class::GENERIC)),
            };
            if let Some(state) = state {
                let state = if matches!(state, Status::Done(_)) {
                    Status::Done(Class::GENERIC)
                } else {
                    state
                };
                self.set(number, state, true);
            }
        }
        true
    }
}

/// Whether what stands behind the mark of an entry is a Korean particle, so that the mark only refers to an item.
fn is_reference(body: &str) -> bool {
    let first = body.split([' ', ',']).next().unwrap_or_default();
    matches!(
        first,
        "and" | "와" | "과" | "는" | "은" | "도" | "만" | "랑" | "하고" | "번" | "번은" | "번과" | "번도"
    )
}

/// Whether an entry of a list states something rather than naming or announcing it: it has a finite verb or
/// a figure, and does not begin with an order.
fn is_statement(view: View<'_>) -> bool {
    let order = view.said().find(|(_, t)| t.is_word()).is_some_and(|(at, _)| {
        let sense = view.senses.get(at);
        sense.orders && !sense.finished
    });
    !order
        && (view
            .said()
            .any(|(at, t)| t.kind == TokenKind::Number || view.senses.signs(at).any(Signs::RESULT))
            || view.words().any(|w| {
                matches!(w, "is" | "are" | "has" | "have" | "was" | "were")
                    || crate::text::has_hangul(w) && w.ends_with(['다', '요', '음', '함', '됨'])
            }))
}

/// Whether the mark for a number may stand in a text: most texts that say "first" do not go on counting.
fn reaches(text: &str, view: View<'_>, last: usize) -> bool {
    let tokens = view.tokens();
    if last <= 4 && tokens.iter().any(Token::is_word) {
        return true;
    }
    tokens.iter().enumerate().any(|(at, token)| match token.kind {
        TokenKind::Word | TokenKind::Hangul => {
            let marked = |mark: &Token| matches!(mark.kind, TokenKind::Punct(')' | '.'));
            token.chars == 1 && tokens.get(at + 1).is_some_and(marked)
        }
        TokenKind::Punct(c) => crate::layout::circled(c).is_some(),
        TokenKind::Number => view.reading.word(token).parse() == Ok(last),
        _ => {
            let written = slice(text, token.start, token.end).as_bytes();
            !written.is_ascii() || written.iter().any(u8::is_ascii_digit)
        }
    })
}

/// Whether a text may count from a number on: that number, a letter or an ordinal stands in it before a mark.
fn counts_from(view: View<'_>, first: u32) -> bool {
    let tokens = view.tokens();
    let counts = |at: usize| {
        let (Some(token), Some(mark)) = (tokens.get(at), tokens.get(at + 1)) else {
            return false;
        };
        let word = || view.reading.word(token);
        let marked = token.chars > 1 || matches!(mark.kind, TokenKind::Punct(')' | '.' | ','));
        marked
            && match token.kind {
                TokenKind::Number => word().parse() == Ok(first),
                _ => token.chars == 1 || word().starts_with("첫") || word().starts_with("first"),
            }
    };
    // Most tokens are ruled out by what they are, or how long.
    let may = |token: &Token| {
        let long = matches!(token.kind, TokenKind::Hangul) | (token.chars >= 5) | !token.is_plain();
        matches!(token.kind, TokenKind::Number) | token.is_word() & ((token.chars == 1) | long)
    };
    (0..)
        .step_by(CHUNK)
        .zip(tokens.chunks(CHUNK))
        .any(|(from, tokens)| bits_of(tokens, may).any(|bit| counts(from + bit)))
        || first == 1
            && view
                .tokens()
                .first()
                .is_some_and(|t| t.kind == TokenKind::Number && !t.glued && t.chars == 1)
}
