//! The parts of a clause: what each speaks of, and the state that it tells.

use super::class::Class;
use super::cues::Cues;
use super::cuts::{
    carries_on, cut_at, ends_in_contrast, ends_listing, is_label, is_only, is_part, is_slash, list_cut,
    next_struck, says_so, verb_first,
};
use super::finding;
use super::look::Look;
use super::message::Turn;
use super::people;
use super::reference::Numbers;
use super::senses::Digest;
use super::signs::Signs;
use super::status::{self, CHUNK, Status, View, bits_of, set_bits};
use super::whole;
use proctor_prose::{Clause, Features, Language, TokenKind};

/// Most cuts that a clause may have; beyond that it is no sentence any more.
const CUTS: usize = 60;

/// What is more than a look at the work.
const WORK: Class = Class::GENERIC
    .with(Class::CREATE)
    .with(Class::REMOVE)
    .with(Class::CHANGE)
    .with(Class::FIX);

/// Between the members of a list.
const MEMBERS: Cues = Cues::CUT.with(Cues::CUT_BEHIND);

/// A part of a sentence that speaks of one thing.
pub(super) struct Part {
    pub(super) refs: Vec<usize>,
    /// Everything is meant (bare "done", "all done").
    pub(super) overall: bool,
    /// All but what was spoken of.
    pub(super) rest: bool,
    /// Items that an exception names.
    pub(super) except: Vec<usize>,
    pub(super) status: Option<Status>,
    /// It has words of its own besides its status.
    pub(super) content: bool,
    pub(super) contrast: bool,
    /// Speaks of somebody else's work.
    pub(super) other: bool,
    /// A condition for what follows in the sentence.
    pub(super) condition: bool,
    /// Ends like a label ("DONE -", "DONE:").
    pub(super) label: bool,
    /// Begins with a conjunction or a comma.
    pub(super) joins: bool,
    /// Ends with a comma.
    pub(super) goes_on: bool,
    /// The whole checklist is meant ("all", "both", "everything"), whatever is said of it.
    pub(super) quantified: bool,
    pub(super) strong: bool,
    /// At most a few words.
    pub(super) short: bool,
    /// Both or all of what is listed are meant: 둘 다.
    pub(super) both: bool,
    /// It ends in a verb that the next one carries on: 수정해서.
    pub(super) leads_on: bool,
    /// It begins with a word that takes something back.
    pub(super) corrects: bool,
    /// It says where something comes from.
    pub(super) cause: bool,
    /// It begins by pointing at what was spoken of before.
    pub(super) anaphor: bool,
    /// It takes back what was said.
    pub(super) retracts: bool,
    /// It begins with "but" or "except".
    pub(super) excepts: bool,
    /// Nothing but what it names is left.
    pub(super) only: bool,
    /// It begins with a word that turns against what stood before, or points at it.
    pub(super) turns: bool,
    /// It is of three words at most.
    pub(super) brief: bool,
    /// It is a mark of completion and nothing else: `DONE`, 완료. One that names the task is none of them.
    pub(super) bare: bool,
    /// It begins with a verb that tells of something done.
    pub(super) verb: bool,
    /// It says the same of one more thing: "토큰 버그도요".
    pub(super) too: bool,
    /// It gives a figure, a file or an output.
    pub(super) figure: bool,
    /// A label and a figure: "Inventory: 19 clients".
    pub(super) fact: bool,
    /// It says that there is nothing: "none yet".
    pub(super) none: bool,
    /// It begins with a word of time, in the present: "when everything is done".
    pub(super) awaits: bool,
    /// It tells what is going to happen.
    pub(super) plans: bool,
}

/// A stretch of a clause that is to be a part, with the state that its words tell.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a, 'c> {
    pub(super) view: View<'a>,
    pub(super) clause: &'c Clause,
    status: Option<Status>,
    /// What its tokens say together.
    heard: Digest,
    /// It is struck through.
    struck: bool,
}

impl Piece<'_, '_> {
    /// Goes on to the end of what stands behind it.
    fn extend(&mut self, next: &Self) {
        let follows = self.view.to == next.view.from;
        self.view.to = next.view.to;
        self.status = self.status.or(next.status);
        self.heard = if follows {
            Digest {
                signs: self.heard.signs.with(next.heard.signs),
                cues: self.heard.cues.with(next.heard.cues),
                finished: self.heard.finished | next.heard.finished,
                progressive: self.heard.progressive | next.heard.progressive,
                names: self.heard.names | next.heard.names,
            }
        } else {
            self.view.digest()
        };
    }
}

/// What a part speaks of.
struct References {
    items: Vec<usize>,
    /// Items that an exception names.
    except: Vec<usize>,
    /// How well the best item fits.
    best: f32,
    by_number: bool,
    all: bool,
    rest: bool,
    /// The tokens without the exception.
    main: (usize, usize),
    /// The items are meant by an entry that they stand below.
    below: bool,
}

impl<'a> Turn<'a> {
    /// Cuts a clause where its state changes.
    pub(super) fn cut<'c>(&self, clause: &'c Clause, out: &mut Vec<Piece<'a, 'c>>) {
        let view = self.line_view(clause);
        self.cut_view(view, clause, out);
    }

    /// Reads the parts of clauses. What reads them is much code: each step is done for all before the next one is.
    pub(super) fn read(&self, pieces: &[Piece<'a, '_>]) -> Vec<Part> {
        let numbers = |piece: &Piece<'a, '_>| self.numbers_heard("", piece.view, &piece.heard);
        let numbers: Vec<Numbers> = pieces.iter().map(numbers).collect();
        let references =
            |(piece, found): (&Piece<'a, '_>, _)| self.references(piece.view, piece.heard.cues, found);
        let references: Vec<References> = pieces.iter().zip(numbers).map(references).collect();
        let read = |(piece, references)| self.part(piece, references);
        pieces.iter().zip(references).map(read).collect()
    }

    /// As [`Self::cut`], for a stretch of a clause.
    pub(super) fn cut_view<'c>(&self, view: View<'a>, clause: &'c Clause, out: &mut Vec<Piece<'a, 'c>>) {
        if !self.struck {
            self.segments(view, clause, out);
            return;
        }
        let mut struck = view.from;
        let mut any_struck = false;
        while let Some((from, to)) = next_struck(view, struck) {
            out.push(Piece {
                struck: true,
                ..piece(view.at(from, to), clause, Some(Status::Done(Class::GENERIC)))
            });
            struck = to;
            any_struck = true;
        }
        if any_struck {
            let rest = view.at(struck, view.to);
            if rest.words().next().is_some() {
                self.read_part(rest, clause, out);
            }
            return;
        }
        self.segments(view, clause, out);
    }

    /// The tokens of a clause. A picture at the beginning of a line belongs to what follows it.
    fn line_view(&self, clause: &Clause) -> View<'a> {
        let mut view = self.view(clause.tokens.start, clause.tokens.end);
        let tokens = &view.reading.tokens;
        let end = view.reading.blocks.get(clause.block).map_or(0, |b| b.end);
        let begins_line = |at: usize| {
            let before = at.checked_sub(1).and_then(|b| tokens.get(b));
            tokens.get(at).is_some_and(|t| {
                t.kind == TokenKind::Emoji
                    && before.is_some_and(|b| {
                        b.is_punct('\n') || !t.glued && matches!(b.kind, TokenKind::Punct('.' | '!' | '?'))
                    })
            }) && tokens.get(at + 1).is_some_and(|n| n.start < end)
        };
        if view.from > 0 && begins_line(view.from - 1) {
            view.from -= 1;
        }
        if view.to > view.from + 1 && begins_line(view.to - 1) {
            view.to -= 1;
        }
        view
    }

    fn read_part<'c>(&self, view: View<'a>, clause: &'c Clause, out: &mut Vec<Piece<'a, 'c>>) {
        let heard = view.digest();
        out.push(heard_piece(view, clause, self.state(view, clause, &heard), heard));
    }

    /// The state that the words of a stretch tell of, or else a picture.
    fn state(&self, view: View<'_>, clause: &Clause, heard: &Digest) -> Option<Status> {
        const PICTURES: Signs = Signs::TICK.with(Signs::CROSS).with(Signs::CLOCK);
        let silent = clause.features.any(Features::QUOTED.or(Features::QUESTION));
        let mut features = clause.features;
        if clause.language != Language::Korean {
            // What is planned in one half of a mixed clause is not planned in the other.
            features = Features(features.0 & !Features::FUTURE.or(Features::ONGOING).0);
        }
        status::read_heard(view, features, heard).or_else(|| {
            if silent || !heard.signs.any(PICTURES) {
                None
            } else {
                view.picture()
            }
        })
    }

    /// Cuts a clause at commas and conjunctions where a new state begins.
    #[inline(never)]
    fn segments<'c>(&self, view: View<'a>, clause: &'c Clause, out: &mut Vec<Piece<'a, 'c>>) {
        /// What may end a part.
        const ENDS: Cues = Cues::CUT
            .with(Cues::BREAK)
            .with(Cues::CONNECTS)
            .with(Cues::REASONS);
        let mut cuts = [0usize; CUTS];
        let mut count = 0;
        let mut heard = Digest::default();
        let senses = self.senses.list.get(view.from..view.to).unwrap_or_default();
        let tokens = view.tokens();
        for (from, senses) in (0..).step_by(CHUNK).zip(senses.chunks(CHUNK)) {
            // The tokens by which a part may end, one bit for each.
            let mut ends = 0_u64;
            for (bit, sense) in senses.iter().enumerate() {
                heard.hear(sense);
                let may = sense.signs.any(Signs::JOINT) | sense.cues.any(ENDS);
                ends |= u64::from(may) << bit;
            }
            for bit in set_bits(ends) {
                let (Some(token), Some(sense)) = (tokens.get(from + bit), senses.get(bit)) else {
                    break;
                };
                let Some(cut) = cut_at(view, view.from + from + bit, token, sense) else {
                    continue;
                };
                if cut <= view.from || cut >= view.to || count > 0 && cuts.get(count - 1) == Some(&cut) {
                    continue;
                }
                let Some(slot) = cuts.get_mut(count) else {
                    self.read_part(view, clause, out);
                    return;
                };
                *slot = cut;
                count += 1;
            }
        }
        if count == 0 {
            out.push(heard_piece(view, clause, self.state(view, clause, &heard), heard));
            return;
        }
        let cuts = cuts.get(..count).unwrap_or_default();
        let mut open: Option<Piece<'a, 'c>> = None;
        let mut waiting: Option<usize> = None;
        let mut from = view.from;
        for cut in cuts.iter().copied().chain([view.to]) {
            let stretch = view.at(from, cut);
            from = cut;
            let heard = stretch.digest();
            let state = self.state(stretch, clause, &heard);
            let next = heard_piece(stretch, clause, state, heard);
            let Some(last) = &mut open else {
                open = Some(next);
                continue;
            };
            if state.is_none() {
                // "✅, next: ❌": a picture belongs to what stands before it.
                let pictured = last.status.is_some() && last.view.words().next().is_none();
                if pictured || is_slash(view, stretch.from) {
                    out.push(std::mem::replace(last, next));
                } else if waiting.is_none() {
                    // Words without a state go with the verb before them ("Added A, B") or with the one after.
                    if last.status.is_none() || verb_first(last.view) {
                        last.extend(&next);
                    } else {
                        waiting = Some(stretch.from);
                    }
                }
            } else if last.status.is_some() {
                let next = match waiting.take() {
                    Some(start) => piece(view.at(start, cut), clause, state),
                    None => next,
                };
                out.push(std::mem::replace(last, next));
            } else {
                last.extend(&next);
            }
        }
        let Some(open) = open else { return };
        // Nothing may be lost between the parts.
        if let Some(end) = waiting {
            out.push(piece(view.at(open.view.from, end), clause, open.status));
            out.push(piece(view.at(end, view.to), clause, None));
        } else {
            out.push(open);
        }
    }

    /// What a part speaks of, by number or by name. Its tokens have these `cues` together.
    #[inline(never)]
    fn references(&self, view: View<'_>, cues: Cues, found: Numbers) -> References {
        let mut refs = found.items;
        let mut except = Vec::new();
        let mut best = 1.0;
        let (main, exception) = match (found.except_after, found.except_before) {
            (Some(at), _) => (view.at(view.from, at), Some(view.at(at, view.to))),
            (None, Some(at)) => (view.at(at, view.to), Some(view.at(excepted_from(view, at), at))),
            (None, None) => (view, None),
        };
        if let Some(exception) = exception {
            let excepted = self.numbers_behind("but ", exception).items;
            except = if excepted.is_empty() {
                let (named, _) = self.with_below(self.names(exception));
                named.into_iter().map(|m| m.0).collect()
            } else {
                excepted
            };
            refs.retain(|item| !except.contains(item));
        }
        let by_number = !refs.is_empty();
        let mut below = false;
        if refs.is_empty() {
            best = 0.0;
            if !self.senses.hits(main.from, main.to).is_empty() {
                let mut named = self.names(main);
                if cues.any(MEMBERS) {
                    self.listed(main, &mut named);
                }
                (named, below) = self.with_below(named);
                best = named.iter().map(|m| m.1).fold(0.0, f32::max);
                refs = named.into_iter().map(|m| m.0).collect();
                if found.all
                    && refs.len() < self.said.len()
                    && let Some(group) = self.group(main)
                {
                    refs = group;
                    refs.retain(|item| !except.contains(item));
                }
            }
        }
        if refs.is_empty() && cues.any(Cues::FORMER) && main.any(Cues::FORMER) {
            // "남았던 어댑터도 병합했고", "the other adapter": one of several of that name that is still open.
            refs.extend(self.open_one(main));
            best = if refs.is_empty() { best } else { 0.3 };
        }
        References {
            items: refs,
            except,
            best,
            by_number,
            all: found.all,
            rest: found.rest,
            main: (main.from, main.to),
            below,
        }
    }

    /// "다크모드 적용 다 됐습니다": all items that share what is named, where nothing that is an item's own is.
    fn group(&self, view: View<'_>) -> Option<Vec<usize>> {
        let mut group = None;
        for at in self.senses.naming(view.from, view.to) {
            for places in self.senses.places(at) {
                self.list.narrow(&mut group, places)?;
            }
        }
        let other = |item: &usize| view.any(Cues::FILE) && self.list.has_paths(&[(*item, 0)]);
        group.filter(|items| items.len() > 1 && !items.iter().any(other))
    }

    fn part(&self, piece: &Piece<'_, '_>, found: References) -> Part {
        let Piece {
            view,
            clause,
            status,
            heard,
            ..
        } = *piece;
        let quoted = clause.features.has(Features::QUOTED);
        // Most readers need not go through the part at all.
        let cues = heard.cues;
        let References {
            items: refs,
            except,
            best,
            by_number,
            main,
            below,
            ..
        } = found;
        let status = match (refs.first(), status) {
            // All that stands below an entry is done only where that is said, and not what was done to some of it.
            (Some(_), Some(Status::Done(how))) if below && !(how.has(Class::GENERIC) || found.all) => None,
            (_, status) => status,
        };
        let status = match refs.first().filter(|_| !below) {
            Some(first) if !quoted && !clause.features.any(Features::QUESTION.or(Features::BELIEF)) => {
                let wish = self.list.wish(*first);
                let told = wish.state(view, status, best).or(status);
                let item = self.list.class(*first);
                let named = if by_number { 0.0 } else { best };
                let told = told.map(|status| finding::realised(view, status, item, named));
                match told {
                    // "취소하면 …" may only tell how it works; it is what an item asks for that says so itself.
                    Some(Status::Open | Status::Undone) if wish.behaves => {
                        finding::holds(view, clause.features, (item, wish), named).or(told)
                    }
                    told => told.or_else(|| finding::holds(view, clause.features, (item, wish), named)),
                }
            }
            _ => status,
        };
        // "`b.md`는 목차만 잡아 두었습니다": a part of it.
        let status = match status {
            Some(Status::Done(_)) if !refs.is_empty() && cues.any(Cues::PARTLY) && is_part(view) => {
                Some(Status::Undone)
            }
            status => status,
        };
        let status = match status {
            Some(Status::Done(how)) if !below && finding::is_stopgap(view, how, heard.signs) => {
                Some(Status::Undone)
            }
            status => status,
        };
        let refs_empty = refs.is_empty();
        // All of it is told to be done, by words for nothing else.
        let emptied =
            refs_empty && whole::is_done(unexcepted(view, main), clause.features, self.said.len(), cues);
        let status = if emptied {
            Some(Status::Done(Class::GENERIC))
        } else {
            status
        };
        let look = Look::at(view);
        let (all, code, words) = (look.all, look.code, look.words);
        let content = all.any(Signs::CONTENT) || code && !quoted;
        let marker = all.any(Signs::MARKER);
        let quantified = found.all;
        let generic = !content;
        let exceptional = !except.is_empty() && (quantified || marker) && refs.is_empty();
        // "All but the third."
        let alone = exceptional
            && status.is_none()
            && !unexcepted(view, main).signs().any(Signs::CONTENT)
            && view.tokens().len() + 1 >= clause.tokens.len();
        let status =
            if alone && !quoted && !clause.features.has(Features::QUESTION) && !all.any(Signs::STATES) {
                Some(Status::Done(Class::GENERIC))
            } else {
                status
            };
        // "All tests pass" completes no list.
        let checked = matches!(status, Some(Status::Done(class)) if !class.has(WORK))
            && all.any(Signs::VERIFIED.with(Signs::RESULT))
            && !all.any(Signs::DONE);
        // `1-3 done` names items; `All done` does not.
        let named = by_number || (!refs.is_empty() && !quantified);
        let overall = !all.any(Signs::LIMIT)
            && !checked
            && !quoted
            && (exceptional
                || emptied
                || (generic
                    && !named
                    && (marker || quantified)
                    && (!refs.is_empty() || marker || status.is_some()))
                || (quantified && generic && status.is_some() && !by_number));
        let contrast = clause.tags.any(proctor_prose::tag::CONTRAST)
            || all.any(Signs::CONTRAST)
            || cues.any(Cues::CONTRAST) && ends_in_contrast(view);
        let first = look.first;
        let opens = look.first_cues;
        let last = view.tokens().last();
        let last_word = || view.last_word().map_or(Cues::NONE, |at| view.cues(at));
        let figure = look.figure || code;
        // "Two of them", but "two scripts" are others.
        let anaphor = look.opening.is_some_and(|at| {
            let counts = view.cues(at).any(Cues::FIGURE);
            view.senses.signs(at).any(Signs::ANAPHOR)
                && !(counts && at + 1 < view.to && view.senses.signs(at + 1).any(Signs::CONTENT))
        });
        let fact = status.is_none() && !quoted && !below && best >= 0.27 && is_label(view);
        let task_complete = marker && view.words().any(|w| w == "task_complete");
        Part {
            condition: all.any(Signs::ASKED)
                || clause.features.has(Features::CONDITIONAL)
                    && (opens.any(Cues::IF) || view.words().next_back().is_some_and(|w| w.ends_with('면'))),
            label: last.is_some_and(|t| matches!(t.kind, TokenKind::Punct('-' | '–' | '—' | ':' | '：'))),
            goes_on: last.is_some_and(|t| t.is_punct(',')),
            joins: opens.any(Cues::JOINS) || first.is_some_and(|t| t.is_punct(',')),
            quantified: quantified || task_complete || emptied,
            short: words <= 7,
            refs: if overall { Vec::new() } else { refs },
            overall: overall && !piece.struck,
            rest: found.rest && !emptied,
            except,
            status,
            content,
            contrast,
            other: status.is_some()
                && !emptied
                && (all.any(Signs::PEOPLE) || cues.any(Cues::PEOPLE) && people::is_other(view)),
            strong: quantified || best >= 0.5,
            turns: anaphor || opens.any(Cues::EXCEPTS) || look.first_signs.any(Signs::CONTRAST),
            brief: words <= 3,
            bare: marker && words == 1 && !task_complete,
            verb: refs_empty && status.is_some() && verb_first(view),
            corrects: opens.any(Cues::CORRECTS),
            cause: refs_empty && cues.any(Cues::CAUSE.with(Cues::REASON)) && finding::names_cause(view),
            both: cues.any(Cues::BOTH) && ends_listing(view),
            leads_on: cues.any(Cues::CARRIED) && carries_on(view),
            anaphor,
            retracts: all.any(Signs::RETRACT),
            excepts: opens.any(Cues::EXCEPTS),
            only: is_only(view, all),
            too: status.is_none() && cues.any(Cues::TOO) && last_word().any(Cues::TOO)
                || cues.any(Cues::SO) && says_so(view),
            figure,
            fact,
            none: words <= 4 && !content && refs_empty && look.first_signs.any(Signs::NO),
            awaits: opens.any(Cues::IF) && !view.words().any(|w| matches!(w, "was" | "were" | "had")),
            plans: matches!(status, Some(Status::Open)) && all.any(Signs::FUTURE),
        }
    }

    /// Adds items that short members of a list name: "sessions, limiter and runbook".
    fn listed(&self, view: View<'_>, named: &mut Vec<(usize, f32)>) {
        let hits = self.senses.hits(view.from, view.to);
        // Most lists speak of nothing that was not found in them as a whole.
        if self.list.are_all(hits, named) {
            return;
        }
        let mut from = view.from;
        let mut several = false;
        let mut room = Vec::new();
        let mut member = |cut: usize| {
            several |= cut < view.to;
            let member = view.at(from, cut);
            from = cut;
            let hits = self.senses.hits(member.from, member.to);
            if several
                && !hits.is_empty()
                && !self.list.are_all(hits, named)
                && (1..=5).contains(&member.words().count())
            {
                room.clear();
                self.names_into(member, &mut room);
                for (item, score) in room.drain(..) {
                    if !named.iter().any(|(known, _)| *known == item) {
                        named.push((item, score));
                    }
                }
            }
        };
        let senses = self.senses.list.get(view.from..view.to).unwrap_or_default();
        for (from, senses) in (view.from..).step_by(CHUNK).zip(senses.chunks(CHUNK)) {
            for bit in bits_of(senses, |sense| sense.cues.any(MEMBERS)) {
                if let Some(cut) = list_cut(view, from + bit) {
                    member(cut);
                }
            }
        }
        member(view.to);
    }
}

/// Where what is left out begins: "네 단계 중 수납만 남기고" leaves out only the last of it.
fn excepted_from(view: View<'_>, at: usize) -> usize {
    let ends = |at: &usize| {
        let token = view.reading.tokens.get(*at);
        token.is_some_and(|t| {
            t.kind == TokenKind::Hangul && {
                let word = view.reading.word(t);
                word == "중" || word.ends_with("까지") || word.ends_with("중에") || word.ends_with("중에서")
            }
        })
    };
    (view.from..at).rev().find(ends).map_or(view.from, |at| at + 1)
}

/// What a part says without its exception, and without the words that lead to one: "except", "apart from".
fn unexcepted(view: View<'_>, (from, mut to): (usize, usize)) -> View<'_> {
    if to < view.to {
        let leads = |at: usize| {
            view.reading.tokens.get(at).is_some_and(|token| {
                matches!(
                    view.reading.word(token),
                    "except"
                        | "but"
                        | "besides"
                        | "excluding"
                        | "apart"
                        | "aside"
                        | "from"
                        | "other"
                        | "than"
                        | "minus"
                        | "bar"
                        | "save"
                        | "for"
                )
            })
        };
        while to > from && leads(to - 1) {
            to -= 1;
        }
    }
    view.at(from, to)
}

/// A stretch that is to be a part.
pub(super) fn piece<'a, 'c>(view: View<'a>, clause: &'c Clause, status: Option<Status>) -> Piece<'a, 'c> {
    heard_piece(view, clause, status, view.digest())
}

/// As [`piece`], for a stretch whose tokens were heard.
fn heard_piece<'a, 'c>(
    view: View<'a>,
    clause: &'c Clause,
    status: Option<Status>,
    heard: Digest,
) -> Piece<'a, 'c> {
    Piece {
        view,
        clause,
        status,
        heard,
        struck: false,
    }
}
