//! Applies one answer to a checklist.

use super::checklist::Checklist;
use super::class::Class;
use super::part::Part;
use super::senses::{Senses, files};
use super::signs::Signs;
use super::status::{self, Status, View};
use crate::text::slice;
use proctor_prose::{BlockKind, Clause, Extra, Features, Reading, TokenKind};
use std::borrow::Cow;
use std::rc::Rc;

/// What this answer has said of an item so far.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Said {
    Done,
    Open,
    Undone,
}

pub(super) struct Turn<'a> {
    pub(super) text: &'a str,
    reading: &'a Reading,
    senses: &'a Senses<'a>,
    pub(super) list: &'a Checklist,
    pub(super) said: Vec<Option<Said>>,
    overall: bool,
    /// Items of the latest part that named some.
    topic: Vec<usize>,
    topic_open: bool,
    /// Items that this answer has spoken of, whatever it said.
    mentioned: Vec<bool>,
    /// Items that are done only because "the rest" is.
    by_rest: Vec<bool>,
    /// The last state that was told was that something is done.
    last_done: bool,
}

pub(super) fn apply(list: &Checklist, response: &str, done: &mut [bool]) {
    let text = crate::text::normal(response);
    let text = plain_ranges(text);
    // The other gates have read the same text already, unless it is put in normal form here.
    let reading = match &text {
        Cow::Borrowed(text) => proctor_prose::read_shared(text, &Extra::default()),
        Cow::Owned(text) => Rc::new(proctor_prose::read(text)),
    };
    if reading.clauses.is_empty() && reading.blocks.is_empty() {
        return;
    }
    let senses = Senses::new(&text, &reading, list);
    let mut turn = Turn {
        text: &text,
        reading: &reading,
        senses: &senses,
        list,
        said: vec![None; done.len()],
        overall: false,
        topic: Vec::new(),
        topic_open: false,
        mentioned: vec![false; done.len()],
        by_rest: vec![false; done.len()],
        last_done: false,
    };
    let boxes = reading
        .blocks
        .iter()
        .filter(|b| matches!(b.kind, BlockKind::ListItem { checked: Some(_), .. }))
        .count();
    let ordinals: Vec<u32> = reading
        .blocks
        .iter()
        .filter_map(|b| match b.kind {
            BlockKind::ListItem { ordinal, .. } => ordinal,
            _ => None,
        })
        .collect();
    let covers =
        ordinals.len() == done.len() && ordinals.iter().enumerate().all(|(i, n)| *n as usize == i + 1);
    let asked = list.verdicts().next().is_some();
    let mut verdict = false;
    let mut context: Option<Status> = None;
    let mut seen_boxes = 0;
    let mut first = 0;
    for (index, block) in reading.blocks.iter().enumerate() {
        let skip = reading
            .clauses
            .iter()
            .skip(first)
            .take_while(|c| c.block < index)
            .count();
        first += skip;
        let count = reading
            .clauses
            .iter()
            .skip(first)
            .take_while(|c| c.block == index)
            .count();
        let clauses = reading.clauses.get(first..first + count).unwrap_or_default();
        let body = slice(&text, block.body, block.end);
        let (from, to) = (
            clauses.first().map_or(0, |c| c.tokens.start),
            clauses.last().map_or(0, |c| c.tokens.end),
        );
        let block_view = turn.view(from, to);
        verdict |= asked && is_own(block.kind) && body.lines().any(super::verdict::is_given);
        match block.kind {
            BlockKind::Heading { .. } => context = turn.label(block_view),
            BlockKind::Paragraph
                if body.trim_end().ends_with([':', '：'])
                    && body.trim().lines().count() == 1
                    && body.chars().count() < 60 =>
            {
                context = turn.label(block_view);
                if context.is_none() {
                    turn.sentences(clauses);
                }
            }
            BlockKind::Paragraph => {
                let list_follows = reading
                    .blocks
                    .get(index + 1)
                    .is_some_and(|b| matches!(b.kind, BlockKind::ListItem { .. }));
                if !list_follows {
                    context = None;
                }
                if !turn.enumeration(clauses, block.body, body, 1) {
                    turn.sentences(clauses);
                }
            }
            BlockKind::ListItem { ordinal, checked, .. } => {
                let position = checked.is_some().then(|| {
                    seen_boxes += 1;
                    seen_boxes - 1
                });
                let position = position.filter(|_| boxes == done.len());
                if checked.is_none()
                    && let Some(first) = ordinal
                    && turn.enumeration(clauses, block.body, body, first + 1)
                {
                    continue;
                }
                let number = ordinal
                    .map(|n| n as usize)
                    .filter(|n| (1..=done.len()).contains(n))
                    .map(|n| n - 1);
                turn.list_item(
                    clauses,
                    block_view,
                    body,
                    &Entry {
                        checked,
                        position,
                        number,
                        covers,
                        context,
                    },
                );
            }
            BlockKind::TableRow => turn.row(block_view, block.body, body, context),
            _ => {}
        }
    }
    if verdict {
        // Whatever else is said, the work of the reviewer is done with it.
        for item in list.verdicts() {
            if let Some(said) = turn.said.get_mut(item) {
                *said = Some(Said::Done);
            }
        }
    }
    turn.finish(done);
}

/// "2–4" with a plain hyphen, so that a range is no break in the sentence.
fn plain_ranges(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains('–') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut digit = false;
    while let Some(c) = chars.next() {
        let between = digit && chars.peek().is_some_and(char::is_ascii_digit);
        out.push(if c == '–' && between { '-' } else { c });
        digit = c.is_ascii_digit();
    }
    if out == *text { text } else { Cow::Owned(out) }
}

/// Whether the words of a block are the writer's own.
fn is_own(kind: BlockKind) -> bool {
    matches!(
        kind,
        BlockKind::Paragraph | BlockKind::Heading { .. } | BlockKind::ListItem { .. }
    )
}

struct Entry {
    checked: Option<bool>,
    position: Option<usize>,
    number: Option<usize>,
    covers: bool,
    context: Option<Status>,
}

impl<'a> Turn<'a> {
    fn finish(self, done: &mut [bool]) {
        for (state, said) in done.iter_mut().zip(self.said) {
            *state = match said {
                Some(Said::Done) => true,
                Some(Said::Undone) => false,
                Some(Said::Open) => *state,
                None => *state || self.overall,
            };
        }
    }

    fn set(&mut self, item: usize, status: Status, strong: bool) {
        let class = self.list.class(item);
        let Some(said) = self.said.get_mut(item) else {
            return;
        };
        match status {
            Status::Done(how) if how.completes(class) => *said = Some(Said::Done),
            Status::Done(_) => {}
            Status::Undone => *said = Some(Said::Undone),
            // "Done … the rest of it will follow": only partly done.
            Status::Open
                if *said == Some(Said::Done)
                    && (strong || self.by_rest.get(item).is_some_and(|rest| *rest)) =>
            {
                *said = Some(Said::Undone);
            }
            Status::Open if *said == Some(Said::Done) => {}
            Status::Open if *said == Some(Said::Undone) => {}
            Status::Open => *said = Some(Said::Open),
        }
    }

    /// A stretch of the tokens of this answer.
    pub(super) fn view(&self, from: usize, to: usize) -> View<'a> {
        View {
            reading: self.reading,
            senses: self.senses,
            from,
            to,
        }
    }

    /// The state that a heading or a label announces for the list below it.
    fn label(&self, view: View<'_>) -> Option<Status> {
        let state = view
            .picture()
            .or_else(|| status::read(view, Features::default()))?;
        (view.words().count() <= 6 && self.names(view).is_empty()).then_some(state)
    }

    /// Items that a stretch speaks of by name.
    pub(super) fn names(&self, view: View<'_>) -> Vec<(usize, f32)> {
        let mut hits = Vec::new();
        let mut quoted = Vec::new();
        for at in view.from..view.to {
            for places in self.senses.places(at) {
                let said = view.reading.tokens.get(at).is_none_or(|t| !t.quoted);
                let list = if said { &mut hits } else { &mut quoted };
                list.extend(places.iter().map(|(_, item, k)| (*item, *k)));
            }
        }
        // What is only quoted counts where nothing is said.
        let spoken = self.named(view, hits);
        if spoken.is_empty() && !quoted.is_empty() {
            return self.named(view, quoted);
        }
        spoken
    }

    fn named(&self, view: View<'_>, hits: Vec<(usize, usize)>) -> Vec<(usize, f32)> {
        if hits.is_empty() {
            return Vec::new();
        }
        let paths = if self.list.has_paths(&hits) {
            files(self.text, view.tokens())
        } else {
            Vec::new()
        };
        let matches = self.list.matches(hits, &paths);
        let best = matches.first().map_or(0.0, |m| m.score);
        let good: Vec<(usize, f32)> = matches
            .iter()
            .filter(|m| m.score >= 0.5 && m.score >= best * 0.55)
            .map(|m| (m.item, m.score))
            .collect();
        if !good.is_empty() {
            return good;
        }
        match matches.as_slice() {
            [only] if only.score >= 0.22 || view.words().count() <= 2 => vec![(only.item, only.score)],
            [best, second, ..] if best.score >= 0.27 && second.score < best.score * 0.75 => {
                vec![(best.item, best.score)]
            }
            _ => Vec::new(),
        }
    }

    /// The cells of a table row as stretches of tokens, empty ones left out.
    fn cells<'v>(&self, view: View<'v>, start: usize, body: &str) -> Vec<View<'v>> {
        let mut out = Vec::new();
        let mut from = view.from;
        let bars = body.match_indices('|').map(|(at, _)| start + at);
        for bar in bars.chain([usize::MAX]) {
            let rest = view.at(from, view.to).tokens();
            let to = from + rest.iter().take_while(|t| t.start < bar).count();
            if to > from {
                out.push(view.at(from, to));
            }
            from = to;
        }
        out
    }

    fn row(&mut self, view: View<'_>, start: usize, body: &str, context: Option<Status>) {
        let cells = self.cells(view, start, body);
        let mut items: Vec<usize> = Vec::new();
        let mut named_cell = None;
        let mut best = 0.0;
        for (i, cell) in cells.iter().enumerate() {
            for (item, score) in self.names(*cell).into_iter().take(1) {
                if score > best {
                    best = score;
                    items = vec![item];
                    named_cell = Some(i);
                }
            }
        }
        if items.is_empty() {
            let number = cells.first().and_then(|c| {
                let word = c.words().next()?;
                word.trim_matches(['#', '.', ')']).parse::<usize>().ok()
            });
            if let Some(number) = number.filter(|n| (1..=self.said.len()).contains(n)) {
                items.push(number - 1);
                named_cell = Some(0);
            }
        }
        let mut state = None;
        for (i, cell) in cells.iter().enumerate() {
            if Some(i) == named_cell {
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

    fn list_item(&mut self, clauses: &[Clause], view: View<'_>, body: &str, entry: &Entry) {
        let picture = view.picture();
        let sentences = self.read_sentences(clauses);
        let parts: Vec<&Part> = sentences.iter().flatten().collect();
        let own = parts.iter().find_map(|p| p.status);
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
        if items.is_empty() {
            items.extend(entry.position);
        }
        let bare = !parts.iter().any(|p| p.content);
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
        let fact = own.is_none() && entry.context.is_none() && parts.iter().any(|p| p.fact);
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
        if own.is_none() || (entry.covers && items.len() == 1 && parts.iter().all(|p| p.refs.is_empty())) {
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
        if parts.iter().all(|p| p.refs.is_empty())
            && bare
            && let (Some(number), Some(state)) = (entry.number, own)
        {
            self.set(number, state, true);
            return;
        }
        for sentence in &sentences {
            self.sentence(sentence);
        }
    }

    /// Reads a block that counts items inside its text: "1) … 2) …", "가. … 나. …". Says whether it does.
    /// `first` is the number of the first mark; a smaller one stood before the block.
    fn enumeration(&mut self, clauses: &[Clause], start: usize, body: &str, first: u32) -> bool {
        let view = self.view(
            clauses.first().map_or(0, |c| c.tokens.start),
            clauses.last().map_or(0, |c| c.tokens.end),
        );
        if self.said.len() < 2 || !counts_from(view, first) {
            return false;
        }
        let marks = crate::items::marks(body, first);
        let before = usize::from(first > 1);
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
            let mut parts = Vec::new();
            let mut stated = false;
            for clause in clauses.iter().filter(|c| c.start < to && from < c.end) {
                let view = self.view(clause.tokens.start, clause.tokens.end);
                let skip = view.tokens().iter().take_while(|t| t.start < from).count();
                let take = view.tokens().iter().take_while(|t| t.start < to).count();
                let view = view.at(view.from + skip, view.from + take);
                if view.words().next().is_some() {
                    stated |= is_statement(view);
                    self.parts_of(view, clause, &mut parts);
                }
            }
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

    /// Reads clauses sentence by sentence.
    fn sentences(&mut self, clauses: &[Clause]) {
        let mut parts = Vec::new();
        for sentence in clauses.chunk_by(|a, b| a.sentence == b.sentence) {
            parts.clear();
            for clause in sentence {
                self.parts(clause, &mut parts);
            }
            self.sentence(&parts);
        }
    }

    /// The parts of clauses, by sentence.
    fn read_sentences(&self, clauses: &[Clause]) -> Vec<Vec<Part>> {
        clauses
            .chunk_by(|a, b| a.sentence == b.sentence)
            .map(|sentence| {
                let mut parts = Vec::with_capacity(sentence.len());
                for clause in sentence {
                    self.parts(clause, &mut parts);
                }
                parts
            })
            .collect()
    }

    fn sentence(&mut self, parts: &[Part]) {
        // "DONE - login screen": the state stands before what it is about.
        let mut lead: Option<Status> = None;
        let mut condition = false;
        for (i, part) in parts.iter().enumerate() {
            let mut state = part.status;
            let before = parts.get(..i).unwrap_or_default();
            let label = before
                .last()
                .filter(|p| p.label && !p.refs.is_empty() && p.status.is_none());
            if let (Some(label), None, true) = (label, state, part.refs.is_empty() && part.figure) {
                // "Throughput in the report: 412 before, 655 after".
                if label.strong {
                    for item in label.refs.clone() {
                        self.set(item, Status::Done(Class::GENERIC), true);
                    }
                }
                continue;
            }
            if part.fact {
                state = Some(Status::Done(Class::GENERIC));
            }
            if part.other || (condition && matches!(state, Some(Status::Done(_)))) {
                state = state.map(|_| Status::Open);
            }
            condition |= part.condition;
            let mut overall = part.overall;
            if let (None, Some(Status::Done(_)), true) = (
                state,
                lead,
                part.quantified && !part.content && part.refs.is_empty(),
            ) {
                state = lead;
                overall = true;
            }
            // "The login page and the docs are done": the state follows.
            let next = parts.get(i + 1);
            if let (None, None, Some(next)) = (
                state,
                lead,
                next.filter(|n| (n.joins || part.goes_on) && !n.refs.is_empty() && !n.other),
            ) && !part.refs.is_empty()
                && part.short
            {
                state = next.status;
            }
            for item in &part.except {
                self.set(*item, Status::Undone, true);
            }
            for item in &part.refs {
                if let Some(named) = self.mentioned.get_mut(*item) {
                    *named = true;
                }
            }
            if part.only && !part.refs.is_empty() && !part.other {
                // "Only the docs are missing": the others are done.
                for item in part.refs.clone() {
                    self.set(item, Status::Undone, true);
                }
                self.overall = true;
                continue;
            }
            if part.excepts && state.is_none() && before.iter().any(|p| p.overall) {
                // "All done, but the docs."
                for item in part.refs.clone() {
                    self.set(item, Status::Undone, true);
                }
                continue;
            }
            if part.too && self.last_done {
                for item in part.refs.clone() {
                    self.set(item, Status::Done(Class::GENERIC), true);
                }
                continue;
            }
            if state.is_some() {
                self.last_done = matches!(state, Some(Status::Done(_)));
            }
            if part.rest {
                self.rest(state);
                continue;
            }
            let unsaid = parts
                .get(..i)
                .unwrap_or_default()
                .iter()
                .any(|p| !p.refs.is_empty() && p.status.is_none());
            let follows = parts
                .get(i + 1..)
                .unwrap_or_default()
                .iter()
                .any(|p| p.content || !p.refs.is_empty());
            let pointed = part.anaphor && !self.topic.is_empty();
            // "I raised it in another file, done there": done is what stands before, whatever that is.
            let elsewhere = before.iter().any(|p| p.content && p.refs.is_empty() && !p.label);
            let spoken = before.iter().any(|p| !p.refs.is_empty());
            let undone = matches!(state, Some(Status::Undone | Status::Open));
            if !part.refs.is_empty() && !overall {
                // Speaks of items by itself.
            } else if pointed || undone && (part.retracts || spoken && overall) {
                if state.is_some() {
                    let state = if undone {
                        Status::Undone
                    } else {
                        Status::Done(Class::GENERIC)
                    };
                    for item in self.topic.clone() {
                        self.set(item, state, true);
                    }
                    self.topic_open = false;
                }
                continue;
            }
            if overall && (part.quantified || !(unsaid || elsewhere || part.label && follows)) {
                match state {
                    Some(Status::Done(_))
                        if self.topic_open && !self.topic.is_empty() && parts.len() == 1 && !part.strong =>
                    {
                        for item in self.topic.clone() {
                            self.set(item, Status::Done(Class::GENERIC), true);
                        }
                        self.topic_open = false;
                    }
                    Some(Status::Done(_)) => {
                        self.overall = true;
                        // "All done" after an earlier "item 2 is next" in the same answer settles it.
                    }
                    Some(Status::Undone) if part.strong => {
                        for item in 0..self.said.len() {
                            self.set(item, Status::Undone, true);
                        }
                    }
                    _ => {}
                }
                continue;
            }
            if part.refs.is_empty() {
                if part.label && follows && state.is_some() {
                    // "done: 1, 2, pending: 3"
                    lead = state;
                } else if let (Some(_), Some(state)) = (label, state) {
                    // "Preview server: up on port 4100", "The page and the docs: done".
                    let mut later = true;
                    for part in before.iter().rev().take_while(|p| p.status.is_none()) {
                        if !(later || part.goes_on) {
                            break;
                        }
                        later = part.joins;
                        for item in part.refs.clone() {
                            self.set(item, state, true);
                        }
                    }
                } else if !part.content && state.is_some() {
                    // A bare state: about what stands before it in the sentence, else about what follows.
                    let before = parts
                        .get(..i)
                        .unwrap_or_default()
                        .iter()
                        .rev()
                        .find(|p| !p.refs.is_empty());
                    if let (Some(before), Some(state)) = (before, state) {
                        if before.status.is_none() || !matches!(state, Status::Done(_)) {
                            for item in before.refs.clone() {
                                self.set(item, state, true);
                            }
                        }
                    } else {
                        lead = state;
                    }
                } else if matches!(state, Some(Status::Undone | Status::Open))
                    && (part.contrast || before.last().is_some_and(|p| p.contrast))
                    && (i > 0 || !self.topic.is_empty())
                {
                    // "added, but it fails on empty input"
                    for item in self.topic.clone() {
                        self.set(item, Status::Undone, true);
                    }
                }
                continue;
            }
            self.topic.clone_from(&part.refs);
            self.topic_open = state.is_none();
            if let Some(state) = state.or(lead) {
                let turns = part.contrast && i > 0 && !matches!(state, Status::Done(_));
                for item in part.refs.clone() {
                    self.set(item, state, part.strong || turns);
                }
            }
        }
    }

    /// "The rest is done": all items that this answer has not spoken of.
    fn rest(&mut self, state: Option<Status>) {
        let Some(state) = state else { return };
        let state = if matches!(state, Status::Done(_)) {
            Status::Done(Class::GENERIC)
        } else {
            state
        };
        for item in 0..self.said.len() {
            let spoken = self.said.get(item).is_some_and(Option::is_some)
                || self.mentioned.get(item).is_some_and(|m| *m);
            if !spoken {
                self.set(item, state, false);
                if let Some(rest) = self.by_rest.get_mut(item) {
                    *rest = true;
                }
            }
        }
    }
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

/// Whether a text may count from a number on: that number, a letter or an ordinal stands in it before a mark.
fn counts_from(view: View<'_>, first: u32) -> bool {
    view.tokens()
        .iter()
        .zip(view.tokens().iter().skip(1))
        .any(|(token, mark)| {
            let word = view.reading.word(token);
            let begins = match token.kind {
                TokenKind::Number => word.parse() == Ok(first),
                TokenKind::Word | TokenKind::Hangul => {
                    token.chars == 1 || word.starts_with("첫") || word.starts_with("first")
                }
                _ => false,
            };
            begins && (mark.is_punct(')') || mark.is_punct('.') || mark.is_punct(',') || token.chars > 1)
        })
        || first == 1
            && view
                .tokens()
                .first()
                .is_some_and(|t| t.kind == TokenKind::Number && !t.glued && t.chars == 1)
}
