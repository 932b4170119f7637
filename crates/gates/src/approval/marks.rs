//! Check marks as values: `| unit tests | ✅ |`, "Tests: ✅", "✔ cargo test".
//!
//! A mark says of its own nothing but yes. It claims a check where what it stands by is the name of one and nothing else,
//! in a list or table whose marks stand mostly by checks, and nothing around says that it is a plan, a form or another's.

use super::claim::{Claim, ClaimKind};
use super::mood::{self, Around};
use super::named::Source;
use super::ran::last_sentence;
use super::{fault, subject};
use proctor_kernel::{CheckKinds, Span};
use proctor_prose::{Block, BlockKind, Clause, Features, Reading, Tags, Token, TokenKind, tag};

/// What says yes, as characters and as the names that chats give them.
const GOOD: [&str; 8] = [
    "✅",
    "✔",
    "✓",
    "☑",
    "🟢",
    ":white_check_mark:",
    ":heavy_check_mark:",
    ":ballot_box_with_check:",
];

/// What says no, or not yet: a field that holds one, too, says no yes.
const OTHER: [&str; 17] = [
    "❌",
    "✗",
    "✘",
    "✖",
    "❎",
    "🔴",
    "🟡",
    "🟠",
    "⚠",
    "⏳",
    "🚧",
    "⬜",
    "☐",
    "🔲",
    ":x:",
    ":warning:",
    ":hourglass",
];

/// Most words of a name.
const NAME: usize = 6;

/// Words that a name of a check does not hold: what was done, is to be done, or is somebody's.
const NO_NAME: Tags = tag::DONE
    .or(tag::PAST)
    .or(tag::PROCESS)
    .or(tag::FUT)
    .or(tag::MODAL)
    .or(tag::FIRST)
    .or(tag::YOU)
    .or(tag::QWORD)
    .or(tag::NEG)
    .or(tag::ZERO)
    .or(tag::UNDONE)
    .or(tag::COND)
    .or(tag::PENDING)
    .or(tag::REQUEST)
    .or(tag::HEARSAY)
    .or(tag::OTHER)
    .or(tag::OKRES)
    .or(tag::BADRES);

/// Words that may stand behind a mark: figures and what they count.
const DETAIL: Tags = tag::OKRES
    .or(tag::TESTS)
    .or(tag::LINT)
    .or(tag::MEASURE)
    .or(tag::ZERO)
    .or(tag::STOP);

/// Words of the head of a column whose marks say how a check ended.
const STATE: Tags = tag::VERDICT
    .or(tag::OKRES)
    .or(tag::STOP)
    .or(tag::CHECK)
    .or(tag::GENERIC);

/// Words of a label before a list of checks: "Status", "Checks", "테스트 결과".
const LABEL: Tags = STATE
    .or(tag::TESTS)
    .or(tag::BUILD)
    .or(tag::TYPES)
    .or(tag::LINT)
    .or(tag::RUN)
    .or(tag::INTENS);

/// What the other cells of a row may not say.
const HELD_BACK: Tags = tag::NEG
    .or(tag::COND)
    .or(tag::PENDING)
    .or(tag::FUT)
    .or(tag::BASE)
    .or(tag::UNDONE)
    .or(tag::HEARSAY)
    .or(tag::OTHER)
    .or(tag::DONE)
    .or(tag::PROCESS);

/// What leaves a lead no statement of how things are.
const NO_LEAD: Features = Features::QUESTION
    .or(Features::CONDITIONAL)
    .or(Features::FUTURE)
    .or(Features::MODAL)
    .or(Features::HEARSAY)
    .or(Features::BELIEF)
    .or(Features::PENDING);

/// A claim by a mark, and the block in which it stands.
pub(super) struct Marked {
    pub(super) block: usize,
    pub(super) claim: Claim,
}

/// The claims that marks make, in the order of the text.
pub(super) fn read(text: &str, reading: &Reading) -> Vec<Marked> {
    let pictures = reading.tokens.iter().any(|t| t.kind == TokenKind::Emoji);
    if !(pictures || text.contains("_check")) || !GOOD.iter().any(|mark| text.contains(mark)) {
        return Vec::new();
    }
    let mut out = Vec::new();
    let source = Source::new(text);
    let mut away = false;
    let mut at = 0;
    while let Some(first) = reading.blocks.get(at) {
        let mut end = at + 1;
        while reading
            .blocks
            .get(end)
            .is_some_and(|b| goes_on(text, first, reading.blocks.get(end - 1), b))
        {
            end += 1;
        }
        let group = Group {
            text,
            source: &source,
            reading,
            away,
            at,
            end,
        };
        if matches!(first.kind, BlockKind::Heading { .. }) {
            away = group.leads_away(&last_sentence(reading, at));
        } else if first.kind.is_prose() {
            group.read(&mut out);
        }
        at = end;
    }
    out
}

/// Whether a block goes on with the list or table of the one before it.
fn goes_on(text: &str, first: &Block, before: Option<&Block>, block: &Block) -> bool {
    match (first.kind, block.kind) {
        (BlockKind::ListItem { .. }, BlockKind::ListItem { .. }) => true,
        // Two tables are apart by an empty line, the line of dashes between head and rows is none.
        (BlockKind::TableRow, BlockKind::TableRow) => before
            .and_then(|b| text.get(b.end..block.start))
            .is_some_and(|gap| {
                !gap.trim_matches(['\r', '\n']).contains("\n\n") && gap.matches('\n').count() < 3
            }),
        _ => false,
    }
}

/// A list, a table or a paragraph: the blocks from `at` to `end`.
struct Group<'a> {
    text: &'a str,
    source: &'a Source<'a>,
    reading: &'a Reading,
    /// The heading above says that it is a plan, a form, or not about this work as it is.
    away: bool,
    at: usize,
    end: usize,
}

/// What a good mark stands by.
struct Entry {
    block: usize,
    /// Where the name and its mark stand.
    from: usize,
    to: usize,
    kinds: CheckKinds,
    /// The name is a command, or figures stand behind the mark: it is a result whatever stands beside it.
    result: bool,
}

impl Group<'_> {
    fn read(&self, out: &mut Vec<Marked>) {
        let blocks = self.reading.blocks.get(self.at..self.end).unwrap_or_default();
        let marked = |b: &Block| GOOD.iter().any(|mark| self.of(b.start, b.end).contains(mark));
        if !blocks.iter().any(marked) || self.is_led_away() {
            return;
        }
        let head = self.head(blocks);
        let mut entries = Vec::new();
        for (at, block) in blocks.iter().enumerate().skip(usize::from(head.is_some())) {
            match block.kind {
                BlockKind::TableRow => self.row(self.at + at, block, head.as_deref(), &mut entries),
                BlockKind::ListItem {
                    checked: Some(false), ..
                } => {}
                _ => self.lines(self.at + at, block, &mut entries),
            }
        }
        let checks = entries.iter().filter(|e| !e.kinds.is_empty()).count();
        let mostly = checks * 2 > entries.len();
        for entry in entries.iter().filter(|e| mostly || e.result) {
            let clauses = &self.reading.clauses;
            let next = clauses.partition_point(|c| c.end <= entry.from);
            let sentence = clauses.get(next).or(clauses.last()).map_or(0, |c| c.sentence);
            out.extend(entry.kinds.iter().map(|kind| Marked {
                block: entry.block,
                claim: Claim {
                    kind: ClaimKind::Check(kind),
                    span: Span {
                        start: entry.from,
                        end: entry.to,
                        text: self.of(entry.from, entry.to).to_owned(),
                        label: kind.as_str().to_owned(),
                    },
                    sentence,
                },
            }));
        }
    }

    fn of(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// The tokens that lie in a stretch.
    fn tokens(&self, from: usize, to: usize) -> &[Token] {
        let tokens = &self.reading.tokens;
        let first = tokens.partition_point(|t| t.start < from);
        let last = tokens.partition_point(|t| t.end <= to);
        tokens.get(first..last).unwrap_or_default()
    }

    /// Whether a heading or the sentence before says that what follows is a plan, a form, or not about this work as it is.
    fn is_led_away(&self) -> bool {
        let before = self.reading.blocks.get(..self.at).unwrap_or_default();
        let lead = before
            .len()
            .checked_sub(1)
            .filter(|at| before.get(*at).is_some_and(|b| b.kind == BlockKind::Paragraph));
        self.away || lead.is_some_and(|at| self.leads_away(&last_sentence(self.reading, at)))
    }

    fn leads_away(&self, clauses: &[Clause]) -> bool {
        let reading = self.reading;
        !Around::of(reading, clauses).is_now()
            || clauses.iter().any(|c| {
                let away =
                    |t: &Token| t.tags.any(tag::OTHER | tag::ROLE) || mood::leads_away(reading.word(t));
                // A single word is no order: "Verification:".
                let order = c.features.has(Features::IMPERATIVE)
                    && reading.tokens_of(c).iter().filter(|t| t.is_word()).count() > 1;
                order || c.features.any(NO_LEAD) || reading.tokens_of(c).iter().any(away)
            })
    }

    /// The cells of the head of a table, where the line of dashes shows that there is one.
    fn head(&self, blocks: &[Block]) -> Option<Vec<(usize, usize)>> {
        let (first, second) = (blocks.first()?, blocks.get(1)?);
        let ruled = first.kind == BlockKind::TableRow && self.of(first.end, second.start).contains('-');
        ruled.then(|| self.cells(first))
    }

    fn cells(&self, block: &Block) -> Vec<(usize, usize)> {
        let row = self.of(block.body, block.end);
        let row = row.trim_end().strip_suffix('|').unwrap_or(row);
        let mut from = block.body;
        let mut out = Vec::new();
        for cell in row.split('|') {
            out.push((from, from + cell.len()));
            from += cell.len() + 1;
        }
        out
    }

    /// A row claims its first cell, where one cell holds a mark and none holds another one.
    fn row(&self, index: usize, block: &Block, head: Option<&[(usize, usize)]>, out: &mut Vec<Entry>) {
        let cells = self.cells(block);
        let mut marked = cells.iter().enumerate().filter_map(|(at, (from, to))| {
            let mark = marks(self.of(*from, *to)).next()?;
            Some((at, *from + mark.0, *from + mark.1, *to))
        });
        let (Some((at, from, to, end)), None) = (marked.next(), marked.next()) else {
            return;
        };
        if other(self.of(block.body, block.end)) {
            return;
        }
        let state = |(from, to): &(usize, usize)| {
            self.tokens(*from, *to).iter().all(|t| {
                t.tags.any(STATE)
                    || !t.is_word()
                    || matches!(self.reading.word(t), "state" | "status" | "상태")
            })
        };
        if head.is_some_and(|head| !head.get(at).is_some_and(state)) {
            return;
        }
        let name = cells
            .iter()
            .enumerate()
            .find(|(i, (a, b))| *i != at && !self.of(*a, *b).trim().is_empty());
        // "✅ unit tests" in one cell.
        let inside = cells.get(at).map_or((from, from), |(cell, _)| (*cell, from));
        let (name, tail) = match name {
            Some((_, name)) if self.of(inside.0, inside.1).trim().is_empty() => (*name, (to, end)),
            _ => return,
        };
        let rest = cells.iter().filter(|cell| **cell != name && cell.1 != end);
        if !self.is_detail(tail.0, tail.1) || rest.into_iter().any(|(a, b)| self.holds_back(*a, *b)) {
            return;
        }
        let (kinds, command) = self.name(name.0, name.1);
        out.push(Entry {
            block: index,
            from: name.0.min(from),
            to: to.max(name.1),
            kinds,
            result: command || self.has_figures(tail.0, tail.1) && !self.is_order(name.0, name.1),
        });
    }

    /// The marks of each line, with what stands before or behind each.
    fn lines(&self, index: usize, block: &Block, out: &mut Vec<Entry>) {
        let mut start = block.body;
        for line in self.of(block.body, block.end).split_inclusive('\n') {
            let end = start + line.trim_end().len();
            self.line(index, start, end, out);
            start += line.len();
        }
    }

    fn line(&self, index: usize, start: usize, end: usize, out: &mut Vec<Entry>) {
        let line = self.of(start, end);
        let found: Vec<(usize, usize)> = marks(line).map(|(a, b)| (start + a, start + b)).collect();
        let Some(&(first, _)) = found.first() else { return };
        let clauses: Vec<Clause> = {
            let all = &self.reading.clauses;
            let from = all.partition_point(|c| c.end <= start);
            all.iter()
                .skip(from)
                .take_while(|c| c.start < end)
                .cloned()
                .collect()
        };
        if self.leads_away(&clauses) {
            return;
        }
        let leading = trimmed(self.of(start, first)).is_empty();
        for (at, &(from, to)) in found.iter().enumerate() {
            let next = found.get(at + 1).map_or(end, |m| m.0);
            let before = at
                .checked_sub(1)
                .and_then(|at| found.get(at))
                .map_or(start, |m| m.1);
            let (name, tail) = if leading {
                let stop = to + self.of(to, next).find(separates).unwrap_or(next - to);
                let colon = self.of(to, stop).find(':').map_or(stop, |colon| to + colon);
                ((to, colon), (colon, stop))
            } else {
                let field = self.of(before, from);
                // Behind a mark before it, what stands in brackets is that one's.
                let skip = field.rfind(separates).map_or(0, |at| {
                    at + field
                        .get(at..)
                        .and_then(|f| f.chars().next())
                        .map_or(1, char::len_utf8)
                });
                let label = self.of(before + skip, from);
                let colon = trimmed(label).rfind(':').map_or(0, |_| {
                    let body = label.trim_end_matches(rim);
                    body.rfind(':').map_or(0, |at| at + 1)
                });
                let behind = self.of(to, next);
                let stop = match behind.find(separates) {
                    Some(stop) => to + stop,
                    // What stands between two marks is the name of the second.
                    None if at + 1 < found.len() => to,
                    None => next,
                };
                if colon > 0 && !self.is_label(before + skip, before + skip + colon) {
                    continue;
                }
                ((before + skip + colon, from), (to, stop))
            };
            if other(self.of(name.0.min(from), tail.1.max(to))) || !self.is_detail(tail.0, tail.1) {
                continue;
            }
            let (kinds, command) = self.name(name.0, name.1);
            let text = self.of(name.0, name.1);
            let lead = text.len() - text.trim_start_matches(rim).len();
            out.push(Entry {
                block: index,
                from: from.min(name.0 + lead),
                to: to.max(name.0 + text.trim_end_matches(rim).len()),
                kinds,
                result: command || self.has_figures(tail.0, tail.1) && !self.is_order(name.0, name.1),
            });
        }
    }

    /// Whether what stands behind a mark only tells its figures.
    fn is_detail(&self, from: usize, to: usize) -> bool {
        self.tokens(from, to).iter().all(|t| {
            !matches!(
                t.kind,
                TokenKind::Word | TokenKind::Hangul | TokenKind::Code | TokenKind::Ident | TokenKind::Path
            ) || t.tags.any(DETAIL)
        })
    }

    /// Whether a name begins with a verb: "Write unit tests", 테스트 작성.
    fn is_order(&self, from: usize, to: usize) -> bool {
        let mut words = self.tokens(from, to).iter().filter(|t| t.is_word());
        words.any(|t| {
            t.tags.any(tag::PROCESS)
                || matches!(
                    self.reading.word(t),
                    "write" | "add" | "port" | "create" | "update" | "fix" | "implement" | "document"
                )
        })
    }

    fn has_figures(&self, from: usize, to: usize) -> bool {
        self.tokens(from, to).iter().any(|t| t.kind == TokenKind::Number)
    }

    /// Whether a stretch before a colon only says that results follow.
    fn is_label(&self, from: usize, to: usize) -> bool {
        self.tokens(from, to)
            .iter()
            .all(|t| t.tags.any(LABEL) || !t.is_word())
    }

    /// Whether a further cell says that it is not so, not yet, not here, or what was done instead.
    fn holds_back(&self, from: usize, to: usize) -> bool {
        let tokens: Vec<&Token> = self.tokens(from, to).iter().collect();
        tokens.iter().enumerate().any(|(at, t)| {
            t.tags.any(HELD_BACK) && !t.tags.any(tag::OKRES)
                || self.reading.word(t) == "only"
                || t.tags.any(tag::BADRES) && !fault::is_absent(self.reading, &tokens, at)
        })
    }

    /// The checks that a stretch names, if it names nothing else, and whether it is their command.
    fn name(&self, from: usize, to: usize) -> (CheckKinds, bool) {
        let name = trimmed(self.of(from, to));
        let bare = name
            .strip_prefix('`')
            .and_then(|n| n.strip_suffix('`'))
            .unwrap_or(name);
        if !bare.contains('`') {
            let (rows, _) = proctor_runners::starts(bare);
            let kinds: CheckKinds = rows.iter().filter_map(|row| row.kind).collect();
            if !kinds.is_empty() {
                return (kinds, true);
            }
        }
        if self.is_order(from, to) {
            return (CheckKinds::NONE, false);
        }
        let tokens: Vec<&Token> = self.tokens(from, to).iter().collect();
        if let [code] = tokens
            .iter()
            .filter(|t| !matches!(t.kind, TokenKind::Punct(_)))
            .collect::<Vec<_>>()
            .as_slice()
            && code.kind == TokenKind::Code
        {
            return (subject::kinds(self.source, self.reading, &tokens), true);
        }
        // "Lint (ruff)"
        let open = tokens
            .iter()
            .position(|t| t.is_punct('('))
            .unwrap_or(tokens.len());
        let words: Vec<&Token> = tokens
            .iter()
            .take(open)
            .filter(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
            .copied()
            .collect();
        let checks = tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT;
        // A listed phrase has its tags at its first word.
        let last = (0..words.len()).rev().find(|at| {
            words
                .get(*at)
                .is_some_and(|t| *at == 0 || t.phrase > 1 || !in_phrase(&words, *at))
        });
        let head = last.is_some_and(|at| {
            let phrase = words.get(at..).unwrap_or_default();
            let whole = phrase
                .first()
                .is_some_and(|t| t.phrase.max(1) as usize == phrase.len());
            whole
                && (!subject::kinds(self.source, self.reading, phrase).is_empty()
                    || phrase.iter().any(|t| t.tags.any(checks | tag::CHECK)))
        });
        let plain = words.len() <= NAME
            && !words
                .iter()
                .any(|t| t.tags.any(NO_NAME) && !t.tags.any(checks) || t.quoted);
        if !head || !plain || words.iter().any(|t| is_deed(self.reading.word(t))) {
            return (CheckKinds::NONE, false);
        }
        (subject::kinds(self.source, self.reading, &tokens), false)
    }
}

/// Whether the word at `at` is a further one of a listed phrase.
fn in_phrase(words: &[&Token], at: usize) -> bool {
    words
        .iter()
        .take(at)
        .enumerate()
        .any(|(first, t)| first + usize::from(t.phrase) > at)
}

/// Past forms of verbs, as they begin an entry: "refactored build".
fn is_deed(word: &str) -> bool {
    word.ends_with("ed") && word.len() > 4
}

/// Where good marks stand in a text; several in a row are one.
fn marks(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut found: Vec<(usize, usize)> = GOOD
        .iter()
        .flat_map(|mark| text.match_indices(mark).map(|(at, m)| (at, at + m.len())))
        .collect();
    found.sort_unstable();
    // The sign that asks for a coloured picture.
    for mark in &mut found {
        if text
            .get(mark.1..)
            .is_some_and(|rest| rest.starts_with('\u{fe0f}'))
        {
            mark.1 += '\u{fe0f}'.len_utf8();
        }
    }
    found.into_iter()
}

fn other(text: &str) -> bool {
    OTHER.iter().any(|mark| text.contains(mark))
}

fn separates(c: char) -> bool {
    matches!(c, ',' | ';' | '·' | '•' | '|' | '、')
}

/// What may stand around a name and is none of it.
fn rim(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | ':' | '-' | '–' | '—' | '=' | '>' | '→' | '.' | '/')
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(rim)
}
