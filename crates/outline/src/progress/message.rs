//! Applies one answer to a checklist.

use super::checklist::{Checklist, Files, Hits, LEAST, Match};
use super::class::Class;
use super::cues::Cues;
use super::entries::Columns;
use super::files::{Runs, files, paths};
use super::senses::{Hit, Senses};
use super::status::{self, Status, View};
use super::verdict;
use crate::text::slice;
use proctor_prose::{BlockKind, Clause, Extra, Features, Reading};
use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

/// Bytes of an answer that are looked at: states stand at its beginning and at its end.
pub(super) const ANSWER: usize = 512 * 1024;

/// What this answer has said of an item so far.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Said {
    Done,
    Open,
    Undone,
}

/// The reading of one answer.
pub(super) struct Turn<'a> {
    pub(super) text: &'a str,
    pub(super) reading: &'a Reading,
    pub(super) senses: &'a Senses<'a>,
    pub(super) list: &'a Checklist,
    pub(super) said: Vec<Option<Said>>,
    pub(super) overall: bool,
    /// Items of the latest part that named some.
    pub(super) topic: Vec<usize>,
    pub(super) topic_open: bool,
    /// The sentence that is read now, and the one that the topic is from: its number, and where it begins.
    pub(super) here: (usize, usize),
    pub(super) topic_at: (usize, usize),
    /// Items that this answer has spoken of, whatever it said.
    pub(super) mentioned: Vec<bool>,
    /// Items that are done only because "the rest" is.
    pub(super) by_rest: Vec<bool>,
    /// What was told to be done of something that is no item.
    pub(super) loose: Class,
    /// The last state that was told was that something is done.
    pub(super) last_done: bool,
    /// Sentences behind it that speak of no item, and were not read; and whether items had been spoken of.
    pub(super) unheard: Vec<(&'a [Clause], bool)>,
    /// What was done before this answer.
    pub(super) before: Vec<bool>,
    /// Something in this answer is struck through.
    pub(super) struck: bool,
    /// It says "firstly" or the like.
    pub(super) adverbs: bool,
    /// The files that were looked for so far.
    runs: Runs,
    /// Room for what is looked for of items by name.
    room: Cell<Room>,
}

/// Room for the items of a stretch, used again for the next one.
#[derive(Default)]
struct Room {
    hits: Hits,
    matches: Vec<Match>,
}

/// What sees an answer that was read, and the items by the rules.
pub(super) type Follow<'f> = &'f mut dyn FnMut(&mut Turn<'_>, &mut [bool]);

/// Reads an answer.
pub(super) fn apply_with(list: &Checklist, response: &str, done: &mut [bool], follow: Follow<'_>) {
    let (response, _) = crate::text::ends(response, ANSWER);
    let text = crate::text::normal(&response);
    let text = plain_ranges(text);
    // The other gates have read the same text already, unless it is put in normal form here.
    let reading = match &text {
        Cow::Borrowed(text) => proctor_prose::read_shared(text, &Extra::default()),
        Cow::Owned(text) => Rc::new(proctor_prose::read(text)),
    };
    if reading.clauses.is_empty() && reading.blocks.is_empty() {
        return;
    }
    let senses = Senses::new(&text, &reading, list, done.len());
    let mut turn = Turn {
        text: &text,
        reading: &reading,
        senses: &senses,
        list,
        said: vec![None; done.len()],
        overall: false,
        topic: Vec::new(),
        topic_open: false,
        here: (0, 0),
        topic_at: (0, 0),
        mentioned: vec![false; done.len()],
        by_rest: vec![false; done.len()],
        loose: Class::NONE,
        last_done: false,
        unheard: Vec::new(),
        before: done.to_vec(),
        struck: reading.tokens.iter().fold(false, |any, token| any | token.struck),
        adverbs: memchr::memmem::find(text.as_bytes(), b"irstly").is_some(),
        runs: Runs::default(),
        room: Cell::default(),
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
    let mut given = false;
    let mut context: Option<Status> = None;
    let mut seen_boxes = 0;
    let prepared = turn.prepare();
    let mut columns: Option<Columns> = None;
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
        first += count;
        let body = slice(&text, block.body, block.end);
        let (from, to) = (
            clauses.first().map_or(0, |c| c.tokens.start),
            clauses.last().map_or(0, |c| c.tokens.end),
        );
        let block_view = turn.view(from, to);
        given |= asked && gives_verdict(block.kind, body, clauses);
        match block.kind {
            BlockKind::Heading { .. } => {
                context = turn.label(block_view);
                // "## Added login" tells it as a sentence does; "## Login" only names what comes.
                let told = status::read(block_view, Features::default());
                if context.is_none() && matches!(told, Some(Status::Done(_))) {
                    turn.sentences(clauses, &prepared);
                }
            }
            BlockKind::Paragraph
                if body.trim_end().ends_with([':', '：'])
                    && body.trim().lines().count() == 1
                    && body.chars().count() < 60 =>
            {
                context = turn.label(block_view);
                if context.is_none() {
                    turn.sentences(clauses, &prepared);
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
                if !turn.boxes(block_view, block.body, body, None)
                    && !turn.enumeration(clauses, (block.body, body), 1, &prepared)
                {
                    turn.sentences(clauses, &prepared);
                }
            }
            BlockKind::ListItem { ordinal, checked, .. } => {
                if checked.is_some() && turn.boxes(block_view, block.body, body, checked) {
                    continue;
                }
                let position = checked.is_some().then(|| {
                    seen_boxes += 1;
                    seen_boxes - 1
                });
                let position = position.filter(|_| boxes == done.len());
                if checked.is_none()
                    && let Some(first) = ordinal
                    && turn.enumeration(clauses, (block.body, body), first + 1, &prepared)
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
                    &prepared,
                );
            }
            BlockKind::TableRow => {
                let begins = index
                    .checked_sub(1)
                    .and_then(|before| reading.blocks.get(before))
                    .is_none_or(|before| before.kind != BlockKind::TableRow);
                if begins {
                    columns = turn.columns(block_view, block.body, body);
                }
                if !(begins && columns.is_some()) {
                    turn.row(block_view, block.body, body, context, columns);
                }
            }
            BlockKind::Code | BlockKind::Data => turn.data(body),
            _ => {}
        }
    }
    if given {
        // Whatever else is said, the work of the reviewer is done with it.
        for item in list.verdicts() {
            if let Some(said) = turn.said.get_mut(item) {
                *said = Some(Said::Done);
            }
        }
    }
    if done.len() > 1 {
        turn.count();
    }
    turn.answers();
    turn.finish(done);
    follow(&mut turn, done);
}

/// Ranges in one form, "2-4", so that none is a break in the sentence or begins a list: "2–4", "(1) to (3)", ①~③.
fn plain_ranges(text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    // A mark ends in a bracket; dash and circled digits begin with this byte in UTF-8.
    let next = |at: usize| memchr::memchr2(b')', 0xe2, bytes.get(at..)?);
    while let Some(ahead) = next(at) {
        let here = at + ahead;
        at = here + 1;
        if let Some((from, to, range)) = range_at(&text, here).filter(|(from, _, _)| *from >= copied) {
            out.push_str(text.get(copied..from).unwrap_or_default());
            out.push_str(&range);
            copied = to;
            at = to;
        }
    }
    if copied == 0 {
        return text;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// The range whose dash, or the end of whose first mark, is at `here`: where it begins and ends, and its plain form.
fn range_at(text: &str, here: usize) -> Option<(usize, usize, String)> {
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let mut from = here;
    if bytes.get(here) == Some(&b')') {
        while digit(from.checked_sub(1)) && here - from < 3 {
            from -= 1;
        }
        if from == here {
            return None;
        }
        let before = from.checked_sub(1).and_then(|at| bytes.get(at));
        match before {
            Some(b'(') => from -= 1,
            Some(b) if b.is_ascii_alphanumeric() || *b == b'.' => return None,
            _ => {}
        }
    } else {
        let c = text.get(here..)?.chars().next()?;
        let end = here + c.len_utf8();
        if c == '–' {
            let between = digit(here.checked_sub(1)) && digit(Some(end));
            return between.then(|| (here, end, "-".to_owned()));
        }
    }
    let (length, first, last) = marked_range(text.get(from..)?)?;
    Some((from, from + length, format!("{first}-{last}")))
}

/// A range between two marks of items at the beginning of a text: its length in bytes and its ends. A range of plain
/// numbers is none.
fn marked_range(text: &str) -> Option<(usize, u32, u32)> {
    let (first, from) = mark(text)?;
    let rest = text.get(first..)?;
    let space = rest.len() - rest.trim_start_matches(' ').len();
    let rest = rest.get(space..)?;
    let joint = ["-", "–", "~", "〜", "—", "to ", "through ", "에서 ", "부터 "]
        .iter()
        .find(|joint| rest.starts_with(**joint))?;
    let rest = rest.get(joint.len()..)?;
    let more = rest.len() - rest.trim_start_matches(' ').len();
    let (second, to) = mark(rest.get(more..)?)?;
    Some((first + space + joint.len() + more + second, from, to))
}

/// The mark of an item at the beginning of a text, `(2)`, `2)` or ②: its length in bytes and its number.
fn mark(text: &str) -> Option<(usize, u32)> {
    let c = text.chars().next()?;
    if let Some(number) = crate::layout::circled(c) {
        return Some((c.len_utf8(), number));
    }
    let open = usize::from(c == '(');
    let inner = text.get(open..)?;
    let digits = inner.bytes().take(3).take_while(u8::is_ascii_digit).count();
    let number = inner.get(..digits)?.parse().ok()?;
    inner
        .get(digits..)?
        .starts_with(')')
        .then_some((open + digits + 1, number))
}

/// What is known when a clause tells the state of an item.
#[derive(Clone, Copy)]
pub(super) struct Saying {
    /// What the clause tells.
    pub(super) status: Status,
    /// The clause surely speaks of this item.
    pub(super) strong: bool,
    /// What the item asks to do.
    pub(super) class: Class,
    /// The item is about tests.
    pub(super) tests: bool,
    /// What this answer has said of it before.
    pub(super) said: Option<Said>,
    /// It is done only because "the rest" is.
    pub(super) by_rest: bool,
}

impl Saying {
    /// What the answer then says of the item: the one place where that is decided for each item and clause.
    pub(super) fn decide(self) -> Option<Said> {
        let checked = Class::VERIFY.with(Class::RUN);
        match (self.status, self.said) {
            // That tests pass says nothing of their being written, least of all where that was denied.
            (Status::Done(how), said)
                if how.only_checks()
                    && (self.tests && self.class.only_makes()
                        || said == Some(Said::Undone) && !self.class.has(checked)) =>
            {
                said
            }
            (Status::Done(how), _) if how.completes(self.class) => Some(Said::Done),
            (Status::Done(_), said) => said,
            (Status::Undone, _) => Some(Said::Undone),
            // "Done … the rest of it will follow": only partly done.
            (Status::Open, Some(Said::Done)) if self.strong || self.by_rest => Some(Said::Undone),
            (Status::Open, Some(said @ (Said::Done | Said::Undone))) => Some(said),
            (Status::Open, _) => Some(Said::Open),
        }
    }
}

/// Whether a block gives a verdict, in a line of its own, in words or as a field.
fn gives_verdict(kind: BlockKind, body: &str, clauses: &[Clause]) -> bool {
    if matches!(kind, BlockKind::Code | BlockKind::Data) {
        return verdict::is_given_as_data(body);
    }
    is_own(kind) && (body.lines().any(verdict::is_given) || verdict::is_given_in(clauses))
}

/// Whether the words of a block are the writer's own.
fn is_own(kind: BlockKind) -> bool {
    matches!(
        kind,
        BlockKind::Paragraph | BlockKind::Heading { .. } | BlockKind::ListItem { .. }
    )
}

/// An entry of a list.
pub(super) struct Entry {
    pub(super) checked: Option<bool>,
    pub(super) position: Option<usize>,
    pub(super) number: Option<usize>,
    pub(super) covers: bool,
    pub(super) context: Option<Status>,
}

impl<'a> Turn<'a> {
    fn finish(&mut self, done: &mut [bool]) {
        self.next_in_line(done);
        for (state, said) in done.iter_mut().zip(&self.said) {
            *state = match said {
                Some(Said::Done) => true,
                Some(Said::Undone) => false,
                Some(Said::Open) => *state,
                None => *state || self.overall,
            };
        }
    }

    /// "Fix it", after the item before is done: an answer that only tells of something changed speaks of it.
    fn next_in_line(&mut self, done: &[bool]) {
        let making = Class::FIX
            .with(Class::CHANGE)
            .with(Class::CREATE)
            .with(Class::REMOVE)
            .with(Class::OTHER);
        if !self.loose.has(making) {
            return;
        }
        let stands = |at: usize| match self.said.get(at).copied().flatten() {
            Some(Said::Done) => true,
            Some(Said::Undone) => false,
            _ => done.get(at).is_some_and(|d| *d),
        };
        let Some(next) = (0..done.len()).find(|at| !stands(*at)) else {
            return;
        };
        let unsaid =
            self.said.get(next).is_some_and(Option::is_none) && !self.mentioned.get(next).is_some_and(|m| *m);
        if next > 0 && unsaid && self.list.only_fixes(next) {
            self.set(next, Status::Done(Class::GENERIC), true);
        }
    }

    /// "2 of 3 are done; open: the replica": what is not named as open is done.
    #[inline(never)]
    fn count(&mut self) {
        if !super::tally::may_stand(self.reading, &self.senses.list, self.said.len()) {
            return;
        }
        let tokens = &self.reading.tokens;
        let Some(part) = super::tally::tally(self.view(0, tokens.len()), self.said.len()) else {
            return;
        };
        let open = self
            .said
            .iter()
            .filter(|s| matches!(s, Some(Said::Open | Said::Undone)))
            .count();
        if open + part == self.said.len() {
            for item in 0..self.said.len() {
                if self.said.get(item).is_some_and(Option::is_none) {
                    self.set(item, Status::Done(Class::GENERIC), true);
                }
            }
        }
    }

    /// A clause tells the state of an item. All that is read ends here; what it means, [`Saying::decide`] says.
    pub(super) fn set(&mut self, item: usize, status: Status, strong: bool) {
        let Some(said) = self.said.get_mut(item) else {
            return;
        };
        let saying = Saying {
            status,
            strong,
            class: self.list.class(item),
            tests: self.list.wish(item).tests,
            said: *said,
            by_rest: self.by_rest.get(item).is_some_and(|rest| *rest),
        };
        *said = saying.decide();
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
    pub(super) fn label(&self, view: View<'_>) -> Option<Status> {
        let state = view
            .picture()
            .or_else(|| status::read(view, Features::default()))?;
        (view.words().count() <= 6 && self.names(view).is_empty()).then_some(state)
    }

    /// Items that a stretch speaks of by name.
    pub(super) fn names(&self, view: View<'_>) -> Vec<(usize, f32)> {
        let mut out = Vec::new();
        self.names_into(view, &mut out);
        out
    }

    /// As [`Self::names`], into a list that is empty.
    pub(super) fn names_into(&self, view: View<'_>, out: &mut Vec<(usize, f32)>) {
        let hits = self.senses.hits(view.from, view.to);
        if hits.is_empty() {
            return;
        }
        self.named(view, hits, false, out);
        if out.is_empty() && hits.iter().any(|hit| hit.quoted) {
            // What is only quoted counts where nothing is said.
            self.named(view, hits, true, out);
        }
    }

    /// Whether a stretch, or a part of it, may speak of items by name.
    #[inline(never)]
    pub(super) fn may_name(&self, view: View<'_>) -> bool {
        let hits = self.senses.hits(view.from, view.to);
        if hits.is_empty() {
            return false;
        }
        let mut room = self.room.take();
        let may = self.list.may_match(hits, &mut room.hits, || view.any(Cues::FILE));
        self.room.set(room);
        may
    }

    /// The items that are named by what is quoted, or by the rest.
    fn named(&self, view: View<'_>, hits: &[Hit], quoted: bool, out: &mut Vec<(usize, f32)>) {
        if self.list.is_wide() {
            self.widely_named(view, hits, quoted, out);
            return;
        }
        let mut room = self.room.take();
        let said = &mut room.hits;
        said.fill(hits, |hit| hit.quoted == quoted);
        if said.items != 0 {
            let named = if self.list.any_paths(said) && view.any(Cues::FILE) {
                files(self.text, view, self.list, &self.runs)
            } else {
                Files::NONE
            };
            self.list.rated(said, named, &mut room.matches);
            self.meant(view, &room.matches, out);
        }
        self.room.set(room);
    }

    /// As [`Self::named`], for lists that are too long for sets of bits.
    #[cold]
    fn widely_named(&self, view: View<'_>, hits: &[Hit], quoted: bool, out: &mut Vec<(usize, f32)>) {
        let hits = hits.iter().filter(|hit| hit.quoted == quoted);
        let hits: Vec<(usize, usize)> = hits.map(|hit| (hit.item as usize, hit.k as usize)).collect();
        let paths = if self.list.has_paths(&hits) && view.any(Cues::FILE) {
            paths(self.text, view)
        } else {
            Vec::new()
        };
        self.meant(view, &self.list.matches(hits, &paths), out);
    }

    /// Adds the items among those that match which are meant.
    fn meant(&self, view: View<'_>, matches: &[Match], out: &mut Vec<(usize, f32)>) {
        let best = matches.first().map_or(0.0, |m| m.score);
        if best >= 0.5 {
            // The best come first.
            let meant = |m: &&Match| m.score >= 0.5 && m.score >= best * 0.55;
            out.extend(matches.iter().take_while(meant).map(|m| (m.item, m.score)));
            return;
        }
        match matches {
            [only] if self.said.len() == 1 && only.score >= 0.15 => out.push((only.item, only.score)),
            [only] if only.score >= 0.22 || only.score >= LEAST && view.words().count() <= 2 => {
                out.push((only.item, only.score));
            }
            [best, second, ..]
                if best.score >= 0.27 && second.score < best.score * 0.75
                    || best.score >= 0.26 && second.score < best.score * 0.4 =>
            {
                out.push((best.item, best.score));
            }
            _ => {}
        }
    }

    /// What is named, with the items below each entry that stands for some: "the backend is done". Where an item itself is
    /// named, the entry only says which. Also gives whether items are meant by such an entry.
    pub(super) fn with_below(&self, mut named: Vec<(usize, f32)>) -> (Vec<(usize, f32)>, bool) {
        if !self.list.has_heads() {
            return (named, false);
        }
        let stands = |item: usize| !self.list.below(item).is_empty();
        if !named.iter().any(|(item, _)| stands(*item)) {
            return (named, false);
        }
        if named.iter().any(|(item, score)| !stands(*item) && *score >= 0.5) {
            named.retain(|(item, _)| !stands(*item));
            return (named, false);
        }
        let mut out = Vec::new();
        for (item, score) in named
            .into_iter()
            .filter(|(item, score)| stands(*item) && *score > 0.7)
        {
            out.extend(self.list.below(item).iter().map(|below| (*below, score)));
        }
        (out, true)
    }

    /// The item that is named, or those below the entry that is.
    pub(super) fn first_named(&self, named: Option<usize>) -> Vec<usize> {
        match named.map(|item| (item, self.list.below(item))) {
            None => Vec::new(),
            Some((item, [])) => vec![item],
            Some((_, below)) => below.to_vec(),
        }
    }

    /// The only item among those that a stretch may name which is still open.
    pub(super) fn open_one(&self, view: View<'_>) -> Option<usize> {
        let mut found = None;
        for at in self.senses.naming(view.from, view.to) {
            for (_, item, _) in self.senses.places(at).iter().flat_map(|places| places.iter()) {
                let open = !self.before.get(*item).is_some_and(|done| *done)
                    && self.said.get(*item).is_some_and(Option::is_none);
                if open && found.is_some_and(|other| other != *item) {
                    return None;
                }
                if open {
                    found = Some(*item);
                }
            }
        }
        found
    }
}
