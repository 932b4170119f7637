//! The stretches of an answer that may speak of items, and how like they are to each.

use super::super::message::Turn;
use super::super::part::Part;
use super::super::signs::Signs;
use super::super::status::{self, Status};
use super::likeness::Heard;
use super::{STRETCHES, openness};
use crate::text::slice;
use proctor_prose::{BlockKind, Features};

/// A stretch of an answer.
pub(super) struct Stretch {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) sentence: usize,
    pub(super) status: Option<Status>,
    /// The state that a heading announces above it.
    pub(super) context: Option<Status>,
    pub(super) features: Features,
    pub(super) talk: i16,
    pub(super) evidence: i16,
    pub(super) contrary: i16,
    /// How far it sounds open, in sixteenths of a nat.
    pub(super) open: i16,
    pub(super) rows: Vec<u16>,
    /// The items that the rules say it speaks of.
    pub(super) refs: Vec<usize>,
    pub(super) other: bool,
    pub(super) content: bool,
    pub(super) overall: bool,
    pub(super) rest: bool,
    pub(super) anaphor: bool,
    pub(super) contrast: bool,
    pub(super) only: bool,
    pub(super) words: i16,
    /// It only says again what an item asks for.
    pub(super) repeats: bool,
    /// Figures, code, paths and names in it.
    pub(super) figures: i16,
    /// It is mainly Korean.
    pub(super) korean: bool,
    /// It is an entry of a list or a table.
    pub(super) entry: bool,
    /// Of 100, by concepts.
    pub(super) share: Vec<i16>,
    /// Of 100, by pieces of words.
    pub(super) fuzzy: Vec<i16>,
    /// Of 100, both together.
    pub(super) like: Vec<i16>,
}

/// The stretches of an answer, at most [`STRETCHES`].
pub(super) fn of(turn: &Turn<'_>, table: &[u8]) -> Vec<Stretch> {
    let mut out: Vec<Stretch> = Vec::new();
    let mut context = None;
    let mut heard = Heard::default();
    let clauses = &turn.reading.clauses;
    let mut first = 0;
    let sigs = proctor_prose::signals(turn.reading);
    for (index, block) in turn.reading.blocks.iter().enumerate() {
        while clauses.get(first).is_some_and(|c| c.block < index) {
            first += 1;
        }
        let rest = clauses.get(first..).unwrap_or_default();
        let count = rest.iter().take_while(|c| c.block == index).count();
        let clauses = rest.get(..count).unwrap_or_default();
        let (from, to) = (
            clauses.first().map_or(0, |c| c.tokens.start),
            clauses.last().map_or(0, |c| c.tokens.end),
        );
        let view = turn.view(from, to);
        let body = slice(turn.text, block.body, block.end);
        match block.kind {
            BlockKind::Heading { .. } => {
                context = turn.label(view);
                continue;
            }
            BlockKind::Paragraph
                if body.trim_end().ends_with([':', '：']) && body.trim().lines().count() == 1 =>
            {
                context = turn.label(view);
            }
            BlockKind::Paragraph => context = None,
            BlockKind::ListItem { .. } | BlockKind::TableRow => {}
            _ => continue,
        }
        let entry = matches!(block.kind, BlockKind::ListItem { .. } | BlockKind::TableRow);
        let checked = match block.kind {
            BlockKind::ListItem { checked, .. } => checked,
            _ => None,
        };
        let mut pieces = Vec::new();
        if block.kind == BlockKind::TableRow {
            // A row is one statement.
            if let Some(clause) = clauses.first() {
                let status = status::read(view, Features::default()).or_else(|| view.picture());
                pieces.push(super::super::part::piece(view, clause, status));
            }
        } else {
            clauses.iter().for_each(|clause| turn.cut(clause, &mut pieces));
        }
        let parts = turn.read(&pieces);
        for (piece, part) in pieces.iter().zip(parts) {
            if out.len() == STRETCHES {
                return out;
            }
            let (view, clause) = (piece.view, piece.clause);
            if view.words().next().is_none() {
                continue;
            }
            let status = match checked {
                Some(true) => Some(Status::Done(super::super::class::Class::GENERIC)),
                Some(false) => Some(Status::Open),
                None => part.status,
            };
            let mut rows = Vec::new();
            openness::observe(view, Some(clause), status, &mut rows);
            let number = turn.reading.clauses.iter().position(|c| c.start == clause.start);
            if let Some(list) = number.and_then(|n| sigs.get(n)) {
                rows.extend(list.iter().map(|s| (s.wrapping_mul(0x9e37_79b9) >> 17) as u16));
            }
            let mut stretch = Stretch {
                from: view.from,
                to: view.to,
                sentence: clause.sentence,
                status,
                context,
                features: clause.features,
                talk: clause.margins.talk,
                evidence: clause.margins.evidence,
                contrary: clause.margins.contrary,
                open: openness::sum(table, &rows),
                rows,
                words: view.words().count().min(99) as i16,
                figures: 0,
                korean: clause.language == proctor_prose::Language::Korean,
                entry,
                share: vec![0; turn.said.len()],
                fuzzy: vec![0; turn.said.len()],
                like: vec![0; turn.said.len()],
                refs: Vec::new(),
                other: false,
                content: false,
                overall: false,
                rest: false,
                anaphor: false,
                contrast: false,
                only: false,
                repeats: false,
            };
            stretch.tell(part);
            stretch.compare(turn, &mut heard);
            out.push(stretch);
        }
    }
    out
}

impl Stretch {
    fn tell(&mut self, part: Part) {
        self.refs = part.refs;
        self.other = part.other;
        self.content = part.content;
        self.overall = part.overall;
        self.rest = part.rest;
        self.anaphor = part.anaphor;
        self.contrast = part.contrast;
        self.only = part.only;
    }

    /// How like it is to each item.
    fn compare(&mut self, turn: &Turn<'_>, heard: &mut Heard) {
        let view = turn.view(self.from, self.to);
        let mut hits = Vec::new();
        for at in turn.senses.naming(view.from, view.to) {
            for places in turn.senses.places(at) {
                hits.extend(places.iter().map(|(_, item, k)| (*item, *k)));
            }
        }
        for found in turn.list.matches(hits, &[]) {
            if let Some(share) = self.share.get_mut(found.item) {
                *share = (found.score * 100.0) as i16;
            }
        }
        let likeness = turn.list.likeness();
        for token in view.tokens() {
            likeness.hear(slice(turn.text, token.start, token.end), heard);
            let figure = matches!(
                token.kind,
                proctor_prose::TokenKind::Number
                    | proctor_prose::TokenKind::Path
                    | proctor_prose::TokenKind::Ident
                    | proctor_prose::TokenKind::Code
            );
            self.figures += i16::from(figure);
        }
        likeness.shares(heard, &mut self.fuzzy);
        for ((like, share), fuzzy) in self.like.iter_mut().zip(&self.share).zip(&self.fuzzy) {
            *like = (*share).max(*fuzzy);
        }
        let said_again = self.share.iter().enumerate().filter(|(_, share)| **share >= 90);
        let concepts: usize = said_again.map(|(item, _)| turn.list.concepts(item)).sum();
        self.repeats = self.status.is_none() && self.context.is_none() && self.words as usize <= concepts * 2;
        for item in &self.refs {
            if let Some(like) = self.like.get_mut(*item) {
                *like = (*like).max(40);
            }
        }
    }

    /// Whether it tells of something not done, by the rules.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.status, Some(Status::Open | Status::Undone)) || self.other
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self.status, Some(Status::Done(_))) && !self.other
    }

    /// Whether it may tell of an item: it reports, and no rule says that it speaks of others alone.
    pub(super) fn may_tell_of(&self, item: usize) -> bool {
        !self.repeats
            && (self.refs.contains(&item)
                || self.overall
                || self.rest
                || self.refs.is_empty() && self.reports())
    }

    /// Whether it may report on something: not mere talk.
    pub(super) fn reports(&self) -> bool {
        self.content
            && !self.overall
            && !self.repeats
            && self.words > 1
            && !self
                .features
                .any(Features::QUESTION.or(Features::QUOTED).or(Features::IMPERATIVE))
    }
}

/// Whether signs tell of a limit or a rest.
pub(super) fn limits(signs: Signs) -> bool {
    signs.any(Signs::LIMIT.with(Signs::LEFT).with(Signs::DROPPED))
}
