//! The parts of a clause: what each speaks of, and the state that it tells.

use super::checklist::Class;
use super::message::Turn;
use super::reference::{Numbers, numbers};
use super::status::{self, Status};
use super::words::concepts;
use crate::list::{has_any, has_any_word, listed};
use crate::text::slice;
use proctor_prose::{Clause, Features, Reading, TokenKind};

/// Words without own content beside which a word of completion speaks of everything.
const GENERIC: &str = "\
    task|work|job|item|everyth|everything|request|thing|step|point|outcom|outcome|deliverabl|requir|\
    list|two|three|four|five|six|today|scop|taskcomplet|complet|verify|finish|test|suit|side|end|okay|\
    ok|great|yes|sure|hi|report|status|result|summary|summar|check|checklist|expect|team|boss|create|\
    run|thank|implement|change|작업|요청|항목|일|사항|결과|기대|내용|전체|모든|건|개|단계|요구|요청하신|\
    네|전|둘|셋|세|상태|요약|체크리스트|할일|말씀하신|부분|task_complet|wrap|wrapp|그대|이상|지시|\
    지시하신";

/// The names of [`GENERIC`], sorted.
const GENERIC_NAMES: [u64; crate::list::count(GENERIC)] = sorted_names(GENERIC);

const fn sorted_names<const N: usize>(list: &str) -> [u64; N] {
    let bytes = list.as_bytes();
    let mut out = [0; N];
    let (mut n, mut from, mut at) = (0, 0, 0);
    while at <= bytes.len() {
        if at == bytes.len() || bytes[at] == b'|' {
            let (_, tail) = bytes.split_at(from);
            let (entry, _) = tail.split_at(at - from);
            let name = super::stem::hash_bytes(super::stem::START, entry);
            let mut slot = n;
            while slot > 0 && out[slot - 1] > name {
                out[slot] = out[slot - 1];
                slot -= 1;
            }
            out[slot] = name;
            n += 1;
            from = at + 1;
        }
        at += 1;
    }
    out
}

fn is_generic(concept: u64) -> bool {
    GENERIC_NAMES.binary_search(&concept).is_ok()
}

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
    /// The whole checklist is meant ("all", "both", "everything"), whatever is said of it.
    pub(super) quantified: bool,
    pub(super) strong: bool,
    /// At most a few words.
    pub(super) short: bool,
}

impl Turn<'_> {
    /// Cuts a clause where its state changes, and reads each part.
    pub(super) fn parts(&self, text: &str, reading: &Reading, clause: &Clause) -> Vec<Part> {
        let whole = slice(text, clause.start, clause.end);
        // What is said rather than quoted or code.
        let mut said: Vec<u8> = whole.as_bytes().to_vec();
        for token in reading.tokens_of(clause) {
            if token.quoted || token.kind == TokenKind::Code {
                let from = token.start.saturating_sub(clause.start);
                let to = token.end.saturating_sub(clause.start).min(said.len());
                for byte in said.get_mut(from..to).into_iter().flatten() {
                    *byte = b' ';
                }
            }
        }
        let said = String::from_utf8(said)
            .unwrap_or_else(|_| whole.to_owned())
            .to_lowercase();
        let said = if said.len() == whole.len() {
            said
        } else {
            whole.to_lowercase()
        };
        if said.len() != whole.len() {
            return vec![self.part(whole, &said, clause)];
        }
        let mut out = Vec::new();
        for (from, to) in struck(reading, clause) {
            let part = self.part(slice(whole, from, to), slice(&said, from, to), clause);
            out.push(Part {
                status: Some(Status::Done(Class::GENERIC)),
                overall: false,
                ..part
            });
        }
        if !out.is_empty() {
            let end = struck(reading, clause).last().map_or(0, |s| s.1);
            if slice(&said, end, said.len()).chars().any(char::is_alphanumeric) {
                out.push(self.part(
                    slice(whole, end, whole.len()),
                    slice(&said, end, said.len()),
                    clause,
                ));
            }
            return out;
        }
        for (from, to) in segments(&said, clause.features) {
            out.push(self.part(slice(whole, from, to), slice(&said, from, to), clause));
        }
        out
    }

    fn part(&self, whole: &str, said: &str, clause: &Clause) -> Part {
        let count = self.said.len();
        let lower = whole.to_lowercase();
        let quoted = clause.features.has(Features::QUOTED);
        let mut status = status::read(said, clause.features);
        if status.is_none() && !quoted && !clause.features.has(Features::QUESTION) {
            status = status::picture(whole);
        }
        if whole.trim_start().starts_with("~~") && clause.features.has(Features::STRUCK) {
            status = Some(Status::Done(Class::GENERIC));
        }
        let words = concepts(whole);
        let found: Numbers = numbers(&lower, count);
        let mut refs = found.items.clone();
        let mut except = Vec::new();
        let mut best = 1.0;
        let (main, exception) = match (found.except_after, found.except_before) {
            (Some(at), _) => (slice(whole, 0, at), Some(slice(whole, at, whole.len()))),
            (None, Some(at)) => (slice(whole, at, whole.len()), Some(slice(whole, 0, at))),
            (None, None) => (whole, None),
        };
        if let Some(exception) = exception {
            let excepted = numbers(&exception.to_lowercase(), count).items;
            except = if excepted.is_empty() {
                self.names(exception).into_iter().map(|m| m.0).collect()
            } else {
                excepted
            };
            refs.retain(|item| !except.contains(item));
        }
        if refs.is_empty() {
            let named = if exception.is_some() {
                self.names(main)
            } else {
                self.named(main, &words)
            };
            best = named.iter().map(|m| m.1).fold(0.0, f32::max);
            refs = named.into_iter().map(|m| m.0).collect();
        }
        let spoken = if said == lower { words } else { concepts(said) };
        let content = spoken
            .iter()
            .any(|c| c.weight > 0.3 && !is_generic(c.name) && !c.is_number)
            || lower.contains('`') && !quoted;
        let marker = has_any_word!(
            said,
            "done|complete|completed|finished|task_complete|wrapped up|all set|that's it|delivered|\
                both are in|ready",
        ) || has_any!(said, "완료|끝났|끝냈|끝!|끝.|마쳤|마무리|task complete")
            || said.trim() == "끝";
        let quantified = found.all;
        let generic = !content;
        let exceptional = !except.is_empty() && (quantified || marker) && refs.is_empty();
        let limited = has_any_word!(said, "for now|for today|so far|done for the day|with this part")
            || has_any!(said, "여기까지|오늘은");
        // `1-3 done` names items; `All done` does not.
        let named = !found.items.is_empty() || (!refs.is_empty() && !quantified);
        let overall = !limited
            && !clause.features.has(Features::QUOTED)
            && (exceptional
                || (generic
                    && !named
                    && (marker || quantified)
                    && (!refs.is_empty() || marker || status.is_some()))
                || (quantified && generic && status.is_some() && found.items.is_empty()));
        let contrast = clause.tags.any(proctor_prose::tag::CONTRAST)
            || has_any!(said, "아직|다만|지만")
            || has_any_word!(said, "yet|still|but|however");
        let opening = said.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
        let first = opening
            .split(|c: char| !crate::text::is_alphanumeric(c))
            .next()
            .unwrap_or_default();
        Part {
            condition: clause.features.has(Features::CONDITIONAL)
                && (listed!("if|once|when|unless|until|as|after|assuming|provided", first)
                    || said.trim_end_matches([',', ' ']).ends_with('면')),
            label: whole.trim_end().ends_with(['-', '–', '—', ':', '：']),
            joins: listed!("and|or|및|그리고", first) || opening.starts_with(','),
            quantified: quantified || said.contains("task_complete"),
            short: whole.split_whitespace().count() <= 7,
            refs: if overall { Vec::new() } else { refs },
            overall,
            rest: found.rest,
            except,
            status,
            content,
            contrast,
            other: status.is_some() && status::is_other_person(said, whole),
            strong: quantified || best >= 0.5,
        }
    }
}

/// The struck-through stretches of a clause, relative to its beginning.
fn struck(reading: &Reading, clause: &Clause) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut open = false;
    for token in reading.tokens_of(clause) {
        let from = token.start.saturating_sub(clause.start);
        let to = token.end.saturating_sub(clause.start);
        match (token.struck, open) {
            (true, false) => out.push((from, to)),
            (true, true) => {
                if let Some(last) = out.last_mut() {
                    last.1 = to;
                }
            }
            _ => {}
        }
        open = token.struck;
    }
    out
}

/// Cuts a clause at commas and conjunctions where a new state begins.
fn segments(said: &str, features: Features) -> Vec<(usize, usize)> {
    let mut cuts: Vec<usize> = Vec::new();
    for separator in [", ", " and ", " but ", "; ", "，", " while ", " whereas "] {
        cuts.extend(said.match_indices(separator).map(|(at, _)| at));
    }
    let mut at = 0;
    for word in said.split_inclusive(' ') {
        at += word.len();
        let bare = word.trim_end();
        if at < said.len()
            && ["고", "며", "지만", "는데", "으나", "고요"]
                .iter()
                .any(|e| bare.ends_with(e) && bare.chars().count() > 2)
        {
            cuts.push(at - 1);
        }
    }
    if cuts.is_empty() || cuts.len() > 60 {
        return vec![(0, said.len())];
    }
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for cut in cuts.into_iter().chain([said.len()]) {
        if cut > from {
            pieces.push((from, cut));
            from = cut;
        }
    }
    let state = |piece: &(usize, usize)| status::read(slice(said, piece.0, piece.1), features);
    let states: Vec<Option<Status>> = pieces.iter().map(state).collect();
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut open: Option<(usize, usize, bool)> = None;
    let mut waiting: Option<usize> = None;
    for (piece, state) in pieces.iter().zip(&states) {
        match (&mut open, state.is_some()) {
            (None, has) => open = Some((piece.0, piece.1, has)),
            (Some((_, end, has)), false) => {
                // Words without a state go with the verb before them ("Added A, B") or with the one after.
                if !*has || verb_first(slice(said, out.last().map_or(0, |o: &(usize, usize)| o.1), *end)) {
                    if waiting.is_none() {
                        *end = piece.1;
                    }
                } else if waiting.is_none() {
                    waiting = Some(piece.0);
                }
            }
            (Some((start, end, has)), true) => {
                if *has {
                    out.push((*start, *end));
                    open = Some((waiting.take().unwrap_or(piece.0), piece.1, true));
                } else {
                    *end = piece.1;
                    *has = true;
                }
            }
        }
    }
    if let Some((start, mut end, _)) = open {
        if waiting.is_some() {
            end = said.len();
        }
        out.push((start, end.max(start)));
    }
    // Nothing may be lost between the parts.
    if let Some(last) = out.last_mut() {
        last.1 = said.len();
    }
    out
}

/// Whether a part begins with its verb ("Added …", "DONE: …").
fn verb_first(part: &str) -> bool {
    let part = part.trim_start_matches(|c: char| !crate::text::is_alphanumeric(c));
    let part = part.strip_prefix("and ").unwrap_or(part);
    let part = part
        .strip_prefix("i ")
        .or_else(|| part.strip_prefix("we "))
        .or_else(|| part.strip_prefix("i've "))
        .or_else(|| part.strip_prefix("also "))
        .unwrap_or(part);
    let first = part
        .split(|c: char| !crate::text::is_alphanumeric(c))
        .next()
        .unwrap_or_default();
    first.len() > 3 && first.ends_with("ed")
        || listed!(
            "wrote|done|ran|made|built|put|set|split|todo|remaining|still|pending|completed|sent",
            first,
        )
}
