//! Sentences: what their parts say together of the items.

use super::class::Class;
use super::cues::Cues;
use super::message::Turn;
use super::part::Part;
use super::senses::Digest;
use super::signs::Signs;
use super::status::{CHUNK, Status, bits_of};
use super::whole;
use proctor_prose::{BlockKind, Clause, Features, Token, TokenKind};
use std::ops::Range;

/// A picture or word that speaks of items or of all of them.
const OWN: Signs = Signs::MARKER
    .with(Signs::QUANTITY)
    .with(Signs::TICK)
    .with(Signs::CROSS)
    .with(Signs::CLOCK);

/// It may take back what was said just before.
const BACK: Signs = Signs::UNDONE
    .with(Signs::BAD)
    .with(Signs::OPEN)
    .with(Signs::FUTURE)
    .with(Signs::NEG)
    .with(Signs::NO);

/// What a part of a sentence has that is told not to be done.
const AGAINST: Signs = BACK
    .with(Signs::ASKED)
    .with(Signs::CROSS)
    .with(Signs::CLOCK)
    .with(Signs::PEOPLE);
const AGAINST_CUES: Cues = Cues::PEOPLE
    .with(Cues::ONLY)
    .with(Cues::FIGURE)
    .with(Cues::AGAIN)
    .with(Cues::IF);
const AGAINST_FEATURES: Features = Features::ONGOING.or(Features::CONDITIONAL).or(Features::FUTURE);

/// How far a sentence has to be read, as its words show.
#[derive(Clone, Copy, Default)]
struct Hint {
    /// It may speak of items by itself.
    items: bool,
    /// It may say something of the items that were spoken of before, though it speaks of none itself.
    turns: bool,
    /// It has a word or a picture that items are spoken of with, though perhaps not enough of them.
    tells: bool,
    /// It has a word that what was said is taken back with.
    back: bool,
    /// It may speak of what is still open.
    former: bool,
}

/// A sentence of an answer.
#[derive(Clone, Default)]
struct Sentence {
    clauses: Range<usize>,
    /// The cues of its words.
    cues: Cues,
    /// How far it is to be read.
    hint: Hint,
    /// Its parts, where they were read.
    parts: Option<Range<usize>>,
}

/// What was read of an answer at once: the code of one step after the other, each for all sentences.
pub(super) struct Prepared {
    /// The sentences, by number.
    sentences: Vec<Sentence>,
    parts: Vec<Part>,
    /// Some sentence that speaks of items is left for later.
    leaves: bool,
}

impl Prepared {
    /// The parts of a sentence, where they were read.
    fn parts(&self, sentence: &[Clause]) -> Option<&[Part]> {
        self.parts_of(self.sentences.get(sentence.first()?.sentence)?)
    }

    fn parts_of(&self, sentence: &Sentence) -> Option<&[Part]> {
        self.parts.get(sentence.parts.clone()?)
    }

    /// The cues of all words of some clauses in a row.
    pub(super) fn cues(&self, clauses: &[Clause]) -> Cues {
        let sentences = self.of(clauses).iter();
        sentences.fold(Cues::NONE, |all, sentence| all.with(sentence.cues))
    }

    /// The sentences that some clauses in a row make up.
    fn of(&self, clauses: &[Clause]) -> &[Sentence] {
        let (Some(first), Some(last)) = (clauses.first(), clauses.last()) else {
            return &[];
        };
        self.sentences
            .get(first.sentence..=last.sentence)
            .unwrap_or_default()
    }
}

impl<'a> Turn<'a> {
    /// Reads all sentences that can be read beforehand: not those that speak of what is still open then.
    pub(super) fn prepare(&self) -> Prepared {
        let clauses = &self.reading.clauses;
        let count = clauses.last().map_or(0, |c| c.sentence + 1);
        let mut out = Prepared {
            sentences: vec![Sentence::default(); count],
            parts: Vec::new(),
            leaves: false,
        };
        let mut from = 0;
        // No sentence goes on in another block.
        for sentence in clauses.chunk_by(|a, b| a.sentence == b.sentence) {
            let Some(first) = sentence.first() else { continue };
            let place = from..from + sentence.len();
            from = place.end;
            let kind = self.reading.blocks.get(first.block).map(|b| b.kind);
            let (hint, cues) = match kind {
                Some(BlockKind::Paragraph | BlockKind::Heading { .. }) => self.hint(sentence),
                Some(BlockKind::ListItem { .. }) => self.entry(sentence),
                _ => continue,
            };
            if let Some(known) = out.sentences.get_mut(first.sentence) {
                *known = Sentence {
                    clauses: place,
                    cues,
                    hint,
                    parts: None,
                };
            }
        }
        let mut pieces = Vec::with_capacity(clauses.len() + 4);
        // Before an item is spoken of, nothing can be said of it again.
        let mut spoken = false;
        for sentence in &mut out.sentences {
            let hint = sentence.hint;
            spoken |= hint.items;
            let again = spoken && hint.turns && (hint.tells || hint.back);
            if (hint.items || again) && !hint.former {
                let from = pieces.len();
                let clauses = clauses.get(sentence.clauses.clone()).unwrap_or_default();
                clauses.iter().for_each(|clause| self.cut(clause, &mut pieces));
                sentence.parts = Some(from..pieces.len());
            }
            out.leaves |= hint.items && sentence.parts.is_none();
        }
        out.parts = self.read(&pieces);
        out
    }

    /// Reads clauses sentence by sentence.
    pub(super) fn sentences(&mut self, clauses: &[Clause], prepared: &Prepared) {
        let reading = self.reading;
        let clauses_of = |sentence: &Sentence| {
            let clauses = reading.clauses.get(sentence.clauses.clone());
            clauses.unwrap_or_default()
        };
        let sentences = prepared.of(clauses);
        // What speaks of what is still open means: before this block.
        let mut later: Vec<Part> = Vec::new();
        let mut ranges = Vec::new();
        let left = if prepared.leaves { sentences } else { &[] };
        for sentence in left {
            if sentence.hint.items && prepared.parts_of(sentence).is_none() {
                let from = later.len();
                let mut pieces = Vec::new();
                clauses_of(sentence)
                    .iter()
                    .for_each(|clause| self.cut(clause, &mut pieces));
                later.extend(self.read(&pieces));
                ranges.push(from..later.len());
            }
        }
        let mut ranges = ranges.into_iter();
        for sentence in sentences {
            let hint = sentence.hint;
            let clauses = clauses_of(sentence);
            let Some(first) = clauses.first() else { continue };
            self.here = (first.sentence, first.start);
            if hint.items {
                let parts = prepared.parts_of(sentence);
                let parts = parts.or_else(|| later.get(ranges.next()?));
                self.sentence(parts.unwrap_or_default());
            } else if hint.turns && !self.topic.is_empty() {
                if let Some(parts) = prepared.parts_of(sentence) {
                    self.sentence(parts);
                } else if hint.tells || hint.back {
                    self.listen(clauses);
                }
            } else if hint.tells || hint.back {
                self.unheard.push((clauses, !self.topic.is_empty()));
            }
        }
    }

    /// Whether a mark of completion that is a sentence of its own belongs to the one item that this answer has named: in
    /// the sentence right before it, on the same line.
    fn is_of_the_topic(&self) -> bool {
        let (sentence, start) = self.topic_at;
        self.topic.len() == 1
            && self.mentioned.iter().filter(|m| **m).count() == 1
            && self.here.0 == sentence + 1
            && self
                .text
                .get(start..self.here.1)
                .is_some_and(|between| !between.contains('\n'))
    }

    /// Reads a sentence by itself.
    fn listen(&mut self, sentence: &'a [Clause]) {
        let mut pieces = Vec::new();
        sentence.iter().for_each(|clause| self.cut(clause, &mut pieces));
        let parts = self.read(&pieces);
        self.sentence(&parts);
    }

    /// Whether the last state that was told was that something is done. Most sentences that speak of no item tell nothing
    /// else: they are read only where this is asked for.
    #[cold]
    fn was_done(&mut self) -> bool {
        let unheard = std::mem::take(&mut self.unheard);
        if unheard.is_empty() {
            return self.last_done;
        }
        let topic = (std::mem::take(&mut self.topic), self.topic_open);
        for (sentence, topic) in unheard {
            let (hint, _) = self.hint(sentence);
            if hint.tells || hint.back && topic {
                self.listen(sentence);
            }
        }
        (self.topic, self.topic_open) = topic;
        self.last_done
    }

    /// How far a sentence has to be read: most sentences of most answers not at all. Also the cues of its words.
    #[inline(never)]
    fn hint(&self, sentence: &[Clause]) -> (Hint, Cues) {
        let (Some(first), Some(last)) = (sentence.first(), sentence.last()) else {
            return Default::default();
        };
        // A picture at the beginning of the line may stand before the sentence.
        let view = self.view(first.tokens.start.saturating_sub(1), last.tokens.end);
        let Digest {
            signs,
            cues,
            finished,
            progressive,
            names,
        } = view.digest();
        let counts = cues.any(Cues::COUNTS.with(Cues::LETTER));
        // Where one item is "fix it", whatever is told to be done counts.
        let fixes = self.list.fixes;
        let tells = names || signs.any(OWN) || counts || fixes && finished;
        let counted = signs.any(Signs::QUANTITY) && self.may_count(cues);
        let named = || names && (cues.any(Cues::FORMER) || self.may_name(view));
        let former = names && cues.any(Cues::FORMER);
        let items = counts
            || counted
            || signs.any(Signs::MARKER)
            || tells && fixes
            || named()
            || cues.any(Cues::KEY) && whole::may_tell(self.reading, view.tokens());
        let back = signs.any(BACK);
        if items || !(tells || back) {
            // It is read in any case, or in none.
            let hint = Hint {
                items,
                tells,
                back,
                former,
                turns: false,
            };
            return (hint, cues);
        }
        let contrast = || {
            (signs.any(Signs::CONTRAST)
                || cues.any(Cues::CONTRAST)
                || sentence.iter().any(|c| c.tags.any(proctor_prose::tag::CONTRAST)))
                && (signs.any(AGAINST)
                    || cues.any(AGAINST_CUES)
                    || progressive
                    || sentence.iter().any(|c| c.features.any(AGAINST_FEATURES)))
        };
        let points = || signs.any(Signs::ANAPHOR) && sentence.iter().any(|c| self.points(c));
        let hint = Hint {
            items,
            turns: fixes
                || signs.any(Signs::RETRACT)
                || self.list.finds && cues.any(Cues::CAUSE.with(Cues::REASON))
                || points()
                || contrast(),
            tells,
            back,
            former,
        };
        (hint, cues)
    }

    /// As [`Self::hint`], for an entry of a list: those are read in any case.
    fn entry(&self, sentence: &[Clause]) -> (Hint, Cues) {
        let cues = sentence.iter().fold(Cues::NONE, |all, clause| {
            all.with(self.senses.digest(clause.tokens.start, clause.tokens.end).cues)
        });
        let hint = Hint {
            items: true,
            former: cues.any(Cues::FORMER),
            ..Hint::default()
        };
        (hint, cues)
    }

    /// Whether a part of a clause may begin by pointing at what was spoken of before.
    #[inline(never)]
    fn points(&self, clause: &Clause) -> bool {
        let tokens = self.reading.tokens.get(clause.tokens.clone()).unwrap_or_default();
        let senses = self.senses.list.get(clause.tokens.clone()).unwrap_or_default();
        (0..)
            .step_by(CHUNK)
            .zip(senses.chunks(CHUNK))
            .any(|(from, senses)| {
                bits_of(senses, |sense| sense.signs.any(Signs::ANAPHOR))
                    .any(|bit| self.points_at(clause, tokens, from + bit))
            })
    }

    /// Whether the word that points, at this place in a clause, begins a part.
    fn points_at(&self, clause: &Clause, tokens: &[Token], at: usize) -> bool {
        let sense = |at: usize| self.senses.get(clause.tokens.start + at);
        let points = |token: &Token| {
            let sense = sense(at);
            token.is_word()
                && !token.quoted
                && !sense.signs.any(Signs::JOINT)
                && !sense.cues.any(Cues::OPENER)
        };
        let Some(token) = tokens.get(at).filter(|token| points(token)) else {
            return false;
        };
        if token.struck {
            return true;
        }
        // What stands before it, but for what opens nothing and is no word.
        for (before, token) in tokens.iter().enumerate().take(at).rev() {
            if token.is_word() && !token.quoted {
                let sense = sense(before);
                if sense.signs.any(Signs::JOINT) {
                    return true;
                }
                if !sense.cues.any(Cues::OPENER) {
                    return sense.cues.any(Cues::CONNECTS.with(Cues::REASONS));
                }
            }
            let mark = matches!(
                token.kind,
                TokenKind::Punct(',' | ';' | '，' | '/' | '|') | TokenKind::Emoji
            );
            if mark || token.struck {
                return true;
            }
        }
        true
    }

    /// The parts of clauses sentence by sentence.
    pub(super) fn parts_of<'p>(
        &self,
        clauses: &[Clause],
        prepared: &'p Prepared,
        room: &'p mut Vec<Vec<Part>>,
    ) -> Vec<&'p [Part]> {
        let sentences = || clauses.chunk_by(|a, b| a.sentence == b.sentence);
        for sentence in sentences().filter(|s| prepared.parts(s).is_none()) {
            let mut pieces = Vec::new();
            sentence.iter().for_each(|clause| self.cut(clause, &mut pieces));
            room.push(self.read(&pieces));
        }
        let mut room = room.iter();
        sentences()
            .filter_map(|s| prepared.parts(s).or_else(|| room.next().map(Vec::as_slice)))
            .collect()
    }

    pub(super) fn sentence(&mut self, parts: &[Part]) {
        // "DONE - login screen": the state stands before what it is about.
        let mut lead: Option<Status> = None;
        let mut condition = false;
        // What the parts before this one were like.
        let mut told = Told::default();
        let mut rest_spoken = false;
        // What an exception in this sentence named.
        let mut spared: Vec<usize> = Vec::new();
        let last_spoken = parts.iter().rposition(|p| p.content || !p.refs.is_empty());
        for (i, part) in parts.iter().enumerate() {
            let earlier = told;
            told.hear(i, part);
            let mut state = part.status;
            let before = parts.get(..i).unwrap_or_default();
            let label = before
                .last()
                .filter(|p| p.label && !p.refs.is_empty() && p.status.is_none());
            if let (Some(label), None, true) = (label, state, part.refs.is_empty() && part.figure) {
                // "Throughput in the report: 412 before, 655 after".
                if label.strong {
                    for item in &label.refs {
                        self.set(*item, Status::Done(Class::GENERIC), true);
                    }
                }
                continue;
            }
            if let (Some(head), Some(Status::Open | Status::Undone), true) = (
                before
                    .last()
                    .filter(|p| p.label && !p.refs.is_empty() && p.strong),
                state,
                part.refs.is_empty() && part.brief,
            ) {
                // "Forced 2FA for admins: queued".
                for item in &head.refs {
                    self.set(*item, Status::Undone, true);
                }
                continue;
            }
            if part.fact {
                state = Some(Status::Done(Class::GENERIC));
            }
            if part.corrects && !part.refs.is_empty() {
                // "Correction on 2: …"
                state = Some(Status::Undone);
            }
            if part.other || (condition && matches!(state, Some(Status::Done(_)))) {
                state = state.map(|_| Status::Open);
            }
            if part.awaits && parts.get(i + 1..).unwrap_or_default().iter().any(|p| p.plans) {
                // "When everything is done, I will say so."
                state = state.map(|_| Status::Open);
            }
            condition |= part.condition;
            if part.label && part.refs.is_empty() && parts.get(i + 1).is_some_and(|p| p.none) {
                // "DONE: nothing yet"
                state = state.map(|_| Status::Open);
            }
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
                next.filter(|n| {
                    // "(a) and (c)" "landed in 4be2d17"
                    let bare = !part.content && !part.label && n.refs.is_empty() && n.verb;
                    (n.joins || part.goes_on || n.both) && !n.refs.is_empty() && !n.other
                        || part.leads_on && !n.other && (n.refs.is_empty() || !n.strong)
                        || bare && !n.other
                }),
            ) && !part.refs.is_empty()
                && part.short
            {
                state = next.status;
            }
            // "The pump stalls because …"
            if !matches!(state, Some(Status::Done(_)))
                && next.is_some_and(|n| n.cause)
                && part.refs.first().is_some_and(|item| self.list.wish(*item).finds)
            {
                state = Some(Status::Done(Class::GENERIC));
            }
            for item in &part.except {
                self.set(*item, Status::Undone, true);
            }
            spared.extend(&part.except);
            for item in &part.refs {
                if let Some(named) = self.mentioned.get_mut(*item) {
                    *named = true;
                }
            }
            if part.only && !part.refs.is_empty() && !part.other {
                // "Only the docs are missing": the others are done.
                for item in &part.refs {
                    self.set(*item, Status::Undone, true);
                }
                self.overall = true;
                continue;
            }
            if part.excepts && state.is_none() && earlier.overall {
                // "All done, but the docs."
                for item in &part.refs {
                    self.set(*item, Status::Undone, true);
                }
                continue;
            }
            if part.too && self.was_done() {
                for item in &part.refs {
                    self.set(*item, Status::Done(Class::GENERIC), true);
                }
                continue;
            }
            if state.is_some() {
                self.last_done = matches!(state, Some(Status::Done(_)));
                self.unheard.clear();
            }
            if part.rest {
                self.rest(state);
                rest_spoken = true;
                continue;
            }
            if !part.refs.is_empty() {
                rest_spoken = false;
            }
            if rest_spoken && !part.content && part.refs.is_empty() && !overall {
                // "나머지는 내일 이어서 하겠습니다": about the rest, not about what stood before it.
                self.rest(state);
                continue;
            }
            let unsaid = earlier.unsaid;
            let follows = last_spoken.is_some_and(|last| last > i);
            // "그 항목은 완료가 아닙니다", "X still fails. Not done."
            let denied = overall && !part.quantified && matches!(state, Some(Status::Undone));
            let pointed = (part.anaphor || denied) && !self.topic.is_empty();
            // "I raised it in another file, done there": done is what stands before, whatever that is.
            let elsewhere = earlier.elsewhere;
            let spoken = earlier.last_ref.is_some();
            let undone = matches!(state, Some(Status::Undone | Status::Open));
            if !part.refs.is_empty() && !overall {
                // Speaks of items by itself.
            } else if pointed || undone && (part.retracts || spoken && overall) {
                // "I took it out again, it bypassed auth": why, and nothing that was done.
                let why =
                    earlier.undone && matches!(state, Some(Status::Done(how)) if !how.has(Class::GENERIC));
                if state.is_some() && !why {
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
                    // "Created src/auth.ts. DONE" on one line.
                    Some(Status::Done(_))
                        if parts.len() == 1
                            && (self.topic_open && !self.topic.is_empty() && !part.strong
                                || part.bare && self.is_of_the_topic()) =>
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
                let asks = |item: &usize| self.list.wish(*item).finds;
                if part.cause && i == 0 && self.topic.iter().any(asks) {
                    // "The barrier does not open. It was the order of initialisation."
                    for item in self.topic.clone() {
                        self.set(item, Status::Done(Class::GENERIC), true);
                    }
                    continue;
                }
                if let (Some(Status::Done(how)), true, false) = (state, part.content, part.other) {
                    self.loose = self.loose.with(how);
                }
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
                        for item in &part.refs {
                            self.set(*item, state, true);
                        }
                    }
                } else if !part.content && state.is_some() {
                    // A bare state: about what stands before it in the sentence, else about what follows.
                    let before = earlier.last_ref.and_then(|at| parts.get(at));
                    if let (Some(before), Some(state)) = (before, state) {
                        if before.status.is_none() || !matches!(state, Status::Done(_)) {
                            for item in &before.refs {
                                self.set(*item, state, true);
                            }
                        }
                    } else {
                        lead = state;
                    }
                } else if matches!(state, Some(Status::Undone | Status::Open))
                    && (part.contrast || before.last().is_some_and(|p| p.contrast))
                    && (i > 0 || part.turns && !self.topic.is_empty())
                    && part.except.is_empty()
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
            self.topic_at = self.here;
            if let Some(state) = state.or(lead) {
                let turns = part.contrast && i > 0 && !matches!(state, Status::Done(_));
                for item in &part.refs {
                    if !(part.quantified && spared.contains(item)) {
                        self.set(*item, state, part.strong || turns);
                    }
                }
            }
        }
    }

    /// "The rest is done": all items that this answer has not spoken of.
    pub(super) fn rest(&mut self, state: Option<Status>) {
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

/// What the parts of a sentence up to some place were like.
#[derive(Clone, Copy, Default)]
struct Told {
    /// One named items and told no state.
    unsaid: bool,
    /// One spoke of something that is no item.
    elsewhere: bool,
    /// One spoke of everything.
    overall: bool,
    /// One took items back.
    undone: bool,
    /// The last that named items.
    last_ref: Option<usize>,
}

impl Told {
    fn hear(&mut self, at: usize, part: &Part) {
        let names = !part.refs.is_empty();
        self.unsaid |= names && part.status.is_none();
        self.elsewhere |= part.content && !names && !part.label;
        self.overall |= part.overall;
        self.undone |= names && part.retracts && matches!(part.status, Some(Status::Undone));
        if names {
            self.last_ref = Some(at);
        }
    }
}
