//! Applies one answer to a checklist.

use super::checklist::{Checklist, Class};
use super::reference::{Numbers, numbers};
use super::status::{self, Status};
use super::words::concepts;
use crate::text::{has_any, has_any_word, slice};
use proctor_prose::{BlockKind, Clause, Features, Reading, TokenKind};

/// Words without own content beside which a word of completion speaks of everything.
const GENERIC: &[&str] = &[
    "task",
    "work",
    "job",
    "item",
    "everyth",
    "everything",
    "request",
    "thing",
    "step",
    "point",
    "outcom",
    "outcome",
    "deliverabl",
    "requir",
    "list",
    "two",
    "three",
    "four",
    "five",
    "six",
    "today",
    "scop",
    "taskcomplet",
    "complet",
    "verify",
    "finish",
    "test",
    "suit",
    "side",
    "end",
    "okay",
    "ok",
    "great",
    "yes",
    "sure",
    "hi",
    "report",
    "status",
    "result",
    "summary",
    "summar",
    "check",
    "checklist",
    "expect",
    "team",
    "boss",
    "create",
    "run",
    "thank",
    "implement",
    "change",
    "작업",
    "요청",
    "항목",
    "일",
    "사항",
    "결과",
    "기대",
    "내용",
    "전체",
    "모든",
    "건",
    "개",
    "단계",
    "요구",
    "요청하신",
    "네",
    "전",
    "둘",
    "셋",
    "세",
    "상태",
    "요약",
    "체크리스트",
    "할일",
    "말씀하신",
    "부분",
    "task_complet",
    "wrap",
    "wrapp",
    "그대",
    "이상",
    "지시",
    "지시하신",
];

/// A part of a sentence that speaks of one thing.
struct Part {
    refs: Vec<usize>,
    /// Everything is meant (bare "done", "all done").
    overall: bool,
    /// All but what was spoken of.
    rest: bool,
    /// Items that an exception names.
    except: Vec<usize>,
    status: Option<Status>,
    /// It has words of its own besides its status.
    content: bool,
    contrast: bool,
    /// Speaks of somebody else's work.
    other: bool,
    /// A condition for what follows in the sentence.
    condition: bool,
    /// Ends like a label ("DONE -", "DONE:").
    label: bool,
    /// Begins with a conjunction or a comma.
    joins: bool,
    /// The whole checklist is meant ("all", "both", "everything"), whatever is said of it.
    quantified: bool,
    strong: bool,
    /// At most a few words.
    short: bool,
}

/// What this answer has said of an item so far.
#[derive(Clone, Copy, PartialEq)]
enum Said {
    Done,
    Open,
    Undone,
}

struct Turn<'a> {
    list: &'a Checklist,
    said: Vec<Option<Said>>,
    overall: bool,
    /// Items of the latest part that named some.
    topic: Vec<usize>,
    topic_open: bool,
}

pub(super) fn apply(list: &Checklist, response: &str, done: &mut [bool]) {
    let text = crate::text::normal(response);
    let reading = proctor_prose::read(&text);
    let mut turn = Turn {
        list,
        said: vec![None; done.len()],
        overall: false,
        topic: Vec::new(),
        topic_open: false,
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
        match block.kind {
            BlockKind::Heading { .. } => context = turn.label(body),
            BlockKind::Paragraph
                if body.trim_end().ends_with([':', '：'])
                    && body.trim().lines().count() == 1
                    && body.chars().count() < 60 =>
            {
                context = turn.label(body);
                if context.is_none() {
                    turn.sentences(&text, &reading, clauses);
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
                turn.sentences(&text, &reading, clauses);
            }
            BlockKind::ListItem { ordinal, checked, .. } => {
                let position = checked.is_some().then(|| {
                    seen_boxes += 1;
                    seen_boxes - 1
                });
                let position = position.filter(|_| boxes == done.len());
                let number = ordinal
                    .map(|n| n as usize)
                    .filter(|n| (1..=done.len()).contains(n))
                    .map(|n| n - 1);
                turn.list_item(
                    &text,
                    &reading,
                    clauses,
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
            BlockKind::TableRow => turn.row(body, context),
            _ => {}
        }
    }
    turn.finish(done);
}

struct Entry {
    checked: Option<bool>,
    position: Option<usize>,
    number: Option<usize>,
    covers: bool,
    context: Option<Status>,
}

impl Turn<'_> {
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
            Status::Open if *said == Some(Said::Done) && strong => *said = Some(Said::Undone),
            Status::Open if *said == Some(Said::Done) => {}
            Status::Open if *said == Some(Said::Undone) => {}
            Status::Open => *said = Some(Said::Open),
        }
    }

    /// The state that a heading or a label announces for the list below it.
    fn label(&self, body: &str) -> Option<Status> {
        let lower = body.trim().trim_end_matches([':', '：']).to_lowercase();
        if !self.names(&lower).is_empty() {
            return None;
        }
        let state = status::picture(&lower).or_else(|| status::read(&lower, Features::default()))?;
        let words = lower.split_whitespace().count();
        (words <= 6).then_some(state)
    }

    /// Items that a text speaks of by name.
    fn names(&self, text: &str) -> Vec<(usize, f32)> {
        let matches = self.list.matches(text);
        let good: Vec<(usize, f32)> = matches
            .iter()
            .filter(|m| m.score >= 0.5)
            .map(|m| (m.item, m.score))
            .collect();
        if !good.is_empty() {
            return good;
        }
        match matches.as_slice() {
            [only] if only.score >= 0.27 => vec![(only.item, only.score)],
            [best, second, ..] if best.score >= 0.27 && second.score < best.score * 0.75 => {
                vec![(best.item, best.score)]
            }
            _ => Vec::new(),
        }
    }

    fn row(&mut self, body: &str, context: Option<Status>) {
        let cells: Vec<&str> = body.split('|').map(str::trim).filter(|c| !c.is_empty()).collect();
        let mut items: Vec<usize> = Vec::new();
        let mut named_cell = None;
        let mut best = 0.0;
        for (i, cell) in cells.iter().enumerate() {
            for (item, score) in self.names(cell).into_iter().take(1) {
                if score > best {
                    best = score;
                    items = vec![item];
                    named_cell = Some(i);
                }
            }
        }
        if items.is_empty() {
            let number = cells
                .first()
                .and_then(|c| c.trim_matches(['#', '.', ')', '번']).parse::<usize>().ok());
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
            let lower = cell.to_lowercase();
            let found = match status::read(&lower, Features::default()) {
                Some(found) => Some(found),
                None => status::picture(cell).or_else(|| match lower.as_str() {
                    "yes" | "o" | "y" | "ok" | "예" | "v" | "x" if lower != "x" => {
                        Some(Status::Done(Class::GENERIC))
                    }
                    "no" | "x" | "n" | "아니오" | "-" => Some(Status::Open),
                    _ => None,
                }),
            };
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

    fn list_item(&mut self, text: &str, reading: &Reading, clauses: &[Clause], body: &str, entry: &Entry) {
        let lower = body.to_lowercase();
        let picture =
            status::picture(slice(body, 0, crate::text::floor(body, 12))).or_else(|| status::picture(body));
        let parts: Vec<Part> = clauses
            .iter()
            .flat_map(|c| self.parts(text, reading, c))
            .collect();
        let own = parts.iter().find_map(|p| p.status);
        let struck = clauses.first().is_some_and(|c| c.features.has(Features::STRUCK))
            || body.trim_start().starts_with("~~");
        let given = match entry.checked {
            Some(true) => Some(Status::Done(Class::GENERIC)),
            Some(false) => Some(Status::Open),
            None if struck => Some(Status::Done(Class::GENERIC)),
            None => picture,
        };
        let numbered = numbers(&lower, self.said.len()).items;
        let mut items: Vec<usize> = if numbered.is_empty() {
            self.names(body).into_iter().map(|m| m.0).collect()
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
            let dropped = has_any_word(
                &lower,
                &[
                    "skipped",
                    "dropped",
                    "cancelled",
                    "canceled",
                    "not done",
                    "won't do",
                    "blocked",
                    "partial",
                    "partially",
                    "half",
                    "failed",
                    "wip",
                    "in progress",
                ],
            ) || has_any(
                &lower,
                &[
                    "취소",
                    "보류",
                    "미완",
                    "실패",
                    "건너",
                    "제외",
                    "일부",
                    "진행 중",
                    "진행중",
                ],
            );
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
        if parts.iter().all(|p| p.refs.is_empty()) && bare {
            if let (Some(number), Some(state)) = (entry.number, own) {
                self.set(number, state, true);
                return;
            }
        }
        self.sentences(text, reading, clauses);
    }

    /// Reads clauses sentence by sentence.
    fn sentences(&mut self, text: &str, reading: &Reading, clauses: &[Clause]) {
        let mut from = 0;
        while let Some(start) = clauses.get(from) {
            let length = clauses
                .iter()
                .skip(from)
                .take_while(|c| c.sentence == start.sentence)
                .count()
                .max(1);
            let sentence = clauses.get(from..from + length).unwrap_or_default();
            let parts: Vec<Part> = sentence
                .iter()
                .flat_map(|c| self.parts(text, reading, c))
                .collect();
            self.sentence(&parts);
            from += length;
        }
    }

    fn sentence(&mut self, parts: &[Part]) {
        // "DONE - login screen": the state stands before what it is about.
        let mut lead: Option<Status> = None;
        let mut condition = false;
        for (i, part) in parts.iter().enumerate() {
            let mut state = part.status;
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
                next.filter(|n| n.joins && !n.refs.is_empty() && !n.other),
            ) {
                if !part.refs.is_empty() && part.short {
                    state = next.status;
                }
            }
            for item in &part.except {
                self.set(*item, Status::Undone, true);
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
            if overall && (part.quantified || !(unsaid || part.label && follows)) {
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
                if !part.content && state.is_some() {
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
                    && part.contrast
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
                for item in part.refs.clone() {
                    self.set(item, state, part.strong);
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
            let spoken = self.said.get(item).is_some_and(Option::is_some);
            if !spoken {
                self.set(item, state, false);
            }
        }
    }

    /// Cuts a clause where its state changes, and reads each part.
    fn parts(&self, text: &str, reading: &Reading, clause: &Clause) -> Vec<Part> {
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
            let named = self.names(main);
            best = named.iter().map(|m| m.1).fold(0.0, f32::max);
            refs = named.into_iter().map(|m| m.0).collect();
        }
        let content = concepts(said).iter().any(|c| {
            c.weight > 0.3
                && !GENERIC.contains(&c.name.as_str())
                && !c.name.chars().all(|d| d.is_ascii_digit())
        }) || lower.contains('`') && !quoted;
        let marker = has_any_word(
            said,
            &[
                "done",
                "complete",
                "completed",
                "finished",
                "task_complete",
                "wrapped up",
                "all set",
                "that's it",
                "delivered",
                "both are in",
                "ready",
            ],
        ) || has_any(
            said,
            &[
                "완료",
                "끝났",
                "끝냈",
                "끝!",
                "끝.",
                "마쳤",
                "마무리",
                "task complete",
            ],
        ) || said.trim() == "끝";
        let quantified = found.all;
        let generic = !content;
        let exceptional = !except.is_empty() && (quantified || marker) && refs.is_empty();
        let limited = has_any_word(
            said,
            &[
                "for now",
                "for today",
                "so far",
                "done for the day",
                "with this part",
            ],
        ) || has_any(said, &["여기까지", "오늘은"]);
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
            || has_any(said, &["아직", "다만", "지만"])
            || has_any_word(said, &["yet", "still", "but", "however"]);
        let opening = said.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
        let first = opening
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        Part {
            condition: clause.features.has(Features::CONDITIONAL)
                && (matches!(
                    first,
                    "if" | "once" | "when" | "unless" | "until" | "as" | "after" | "assuming" | "provided"
                ) || said.trim_end_matches([',', ' ']).ends_with('면')),
            label: whole.trim_end().ends_with(['-', '–', '—', ':', '：']),
            joins: matches!(first, "and" | "or" | "및" | "그리고") || opening.starts_with(','),
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
    let part = part.trim_start_matches(|c: char| !c.is_alphanumeric());
    let part = part.strip_prefix("and ").unwrap_or(part);
    let part = part
        .strip_prefix("i ")
        .or_else(|| part.strip_prefix("we "))
        .or_else(|| part.strip_prefix("i've "))
        .or_else(|| part.strip_prefix("also "))
        .unwrap_or(part);
    let first = part
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    first.len() > 3 && first.ends_with("ed")
        || matches!(
            first,
            "wrote"
                | "done"
                | "ran"
                | "made"
                | "built"
                | "put"
                | "set"
                | "split"
                | "todo"
                | "remaining"
                | "still"
                | "pending"
                | "completed"
                | "sent"
        )
}
