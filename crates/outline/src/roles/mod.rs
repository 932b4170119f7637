//! What a text wants with each path that it mentions: may it change, must it not, or is it only
//! talked about.

mod bans;
mod english;
mod general;
mod korean;
mod objects;
mod omission;
mod orders;
mod others;
mod questions;
mod wished;

pub(crate) use general::general;
pub(crate) use korean::{is_korean_ban, is_korean_change, is_korean_change_to_come};
pub(crate) use questions::{is_at_fault, is_question, orders_a_change_of_it};
pub(crate) use wished::is_tested;

use crate::labels::Kind;
use crate::list::{List, has_any, has_any_word, list, listed};
use crate::paths::Mention;
use crate::text::{has_hangul, sentences, slice};
use std::cell::OnceCell;

#[cfg(test)]
mod ban_tests;
#[cfg(test)]
mod change_tests;
#[cfg(test)]
mod tests;

/// What a text wants with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It may change.
    Expected,
    /// It is where the result of reading is written: it may change even when nothing else may.
    Output,
    /// It must not change.
    Excluded,
    /// It must not go away, under its name and in its place; what is in it may change.
    Kept,
    /// It is only mentioned.
    Mentioned,
}

/// What a clause says about changes in general.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct General {
    /// Nothing may change.
    pub(crate) read_only: bool,
    /// Only what is named may change.
    pub(crate) only: bool,
    /// New or changed tests are asked for.
    pub(crate) tests_wanted: bool,
    /// Tests must not change.
    pub(crate) tests_barred: bool,
    /// Tests must not go away.
    pub(crate) tests_kept: bool,
    /// What is tested must not change.
    pub(crate) tested_barred: bool,
    /// Lock files must not change.
    pub(crate) locks_barred: bool,
    /// Generated files are to be made again.
    pub(crate) regenerate: bool,
}

pub(super) static NEGATIONS: &List = list!(
    "\
    not|never|no|without|avoid|dont|cannot|nothing|neither|nor|nobody|none|refrain",
    by_word = true
);
/// Beginnings of verbs that change files; see [`is_change`].
pub(super) static CHANGES: &List = list!(
    "\
    modif|touch|chang|edit|alter|rewrit|delet|remov|updat|renam|mov|refactor|reformat|writ|creat|add|\
    overwrit|fix|tweak|replac|implement|split|extract|merg|migrat|convert|bump|upgrad|drop|introduc|\
    improv|extend|adjust|rework|restructur|reorganis|reorganiz|simplif|port|patch|correct|repair|put|\
    mak|build|generat|regenerat|format|document|test|cover|clean|strip|insert|append|inlin|relocat|copy|\
    copi|commit|sav|expos|wir|hook|switch|us|set|mov|archiv|purg|unify|unifi|consolidat|optimis|optimiz|\
    speed|lint|pin|rotat|enabl|disabl|configur",
    by_word = false
);
/// Verbs that change files as such; only these make a prohibition of a path.
pub(super) static FILE_CHANGES: &List = list!(
    "\
    modif|touch|chang|edit|alter|rewrit|delet|remov|updat|renam|mov|refactor|reformat|writ|creat|\
    overwrit|tweak|replac|commit|regenerat|format|mess|go|adjust|patch|fix|stray|work|add|rework|\
    restructur|clean|migrat|bump",
    by_word = false
);
pub(super) static READS: &List = list!(
    "\
    read|reads|reading|analyse|analyze|analysing|analyzing|review|reviewing|inspect|inspecting|explain|\
    explaining|summarise|summarize|understand|study|investigate|audit|compare|report|describe|look|\
    check|examine|consult|open|profile|trace|run|running|execute|see|like|per|cf|follow|following|\
    follows|mirror|mirrors|mirroring|mimic|reference|refer|referring|resembles|imitate|import|imports|\
    importing|parse|parses|load|loads|reuse|reuses|reusing|calls|called|via|similar|based|according|\
    modelled|modeled|inspired|copied|taken|described|documented|defined|specified|as|unlike|matches|\
    matching|mentioned|against",
    by_word = true
);
/// What may stand between a verb and the path that is its object.
pub(super) static FILLERS: &List = list!(
    "\
    the|any|anything|everything|file|files|folder|folders|directory|directories|dir|dirs|path|paths|\
    existing|in|inside|under|within|from|at|or|and|either|both|also|code|contents|content|all|of|this|\
    these|that|those|to|into|a|an|it|back|up|with|module|package|whole|entire|our|my|your|there|through|\
    on|near|else|part|parts|source|sources|nor|changes|edits|other|below|beneath|underneath|anywhere|\
    whatever|lives",
    by_word = true
);

/// Whether a lower-case word is a form of one of the verbs whose stems are given.
fn is_form(word: &str, stems: &'static List) -> bool {
    stems.prefixes(word).any(|stem| {
        word.strip_prefix(stem).is_some_and(|rest| {
            let ends = |rest: &str| {
                listed!(
                    "|s|d|es|ed|ing|n|ten|ting|tten|ying|te|ation|ations|ion|es.",
                    rest,
                )
            };
            let doubled = |rest: &str| rest.chars().next().is_some_and(|c| stem.ends_with(c));
            let short = rest.strip_prefix(['e', 'y', 'i']).unwrap_or(rest);
            // `editing`; `touches`, `modifying`; `dropping`
            ends(rest) || ends(short) || doubled(short) && ends(short.get(1..).unwrap_or_default())
        })
    })
}

/// Whether an English word (lower case) is a verb that changes a file as such.
pub(crate) fn changes_files(word: &str) -> bool {
    is_form(word, FILE_CHANGES) && !listed!("go|goes|going|work|works|working|add|adds|adding", word)
}

fn is_change(word: &str) -> bool {
    is_form(word, CHANGES) || listed!("wrote|made|built|gone", word)
}

#[derive(Debug)]
enum Token {
    Path(usize),
    Word(String),
    Korean,
}

impl Token {
    fn word(&self) -> &str {
        match self {
            Self::Word(word) => word,
            _ => "",
        }
    }
}

/// Byte ranges of the clauses of a text. Paths are never cut.
pub(crate) fn clauses(text: &str, mentions: &[Mention]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let inside = |at: usize| {
        let next = mentions.partition_point(|m| m.end <= at);
        mentions.get(next).is_some_and(|m| m.start <= at && at < m.end)
    };
    for (from, to) in sentences(text) {
        let sentence = slice(text, from, to);
        let mut start = from;
        let mut cut = |at: usize, start: &mut usize| {
            if at > *start {
                out.push((*start, at));
                *start = at;
            }
        };
        for (offset, c) in sentence.char_indices() {
            let at = from + offset;
            if inside(at) {
                continue;
            }
            let rest = slice(text, at, to);
            match c {
                '(' | '（' => cut(at, &mut start),
                ')' | '）' => cut(at + c.len_utf8(), &mut start),
                ',' | ' ' | '—' | '–' if breaks(rest.get(c.len_utf8()..).unwrap_or_default(), c) => {
                    cut(at, &mut start)
                }
                ',' if others::contrasts(text, start, at, mentions) => cut(at, &mut start),
                ',' if bans::ends(text, (start, at, to), mentions) => cut(at, &mut start),
                ',' if bans_another(text, (start, at, to), mentions) => cut(at, &mut start),
                ' ' if korean_joint(slice(text, start, at)) => cut(at, &mut start),
                _ => {}
            }
        }
        cut(to, &mut start);
    }
    out
}

/// Whether a comma stands between a change that is asked for and a ban on something else: src/a.rs 리팩터링, 동작 변경 금지. What
/// is banned there has a name of its own, and it is no path.
fn bans_another(text: &str, (from, comma, to): (usize, usize, usize), mentions: &[Mention]) -> bool {
    let next = mentions.partition_point(|m| m.start < comma);
    let named = mentions.get(next).is_some_and(|m| m.start < to);
    let asked = next
        .checked_sub(1)
        .and_then(|i| mentions.get(i))
        .filter(|m| m.start >= from);
    let Some(asked) = asked.filter(|_| !named) else {
        return false;
    };
    let said = slice(text, asked.end.min(comma), comma);
    // Only what stands near: a sentence may be long and have many commas.
    if said.len() > APART {
        return false;
    }
    let ban = slice(text, comma, to);
    let ban = slice(
        ban,
        0,
        ban.char_indices().nth(APART).map_or(ban.len(), |(at, _)| at),
    );
    // `절대 수정 금지` has no object of its own.
    let object = ban
        .split_whitespace()
        .find(|w| has_hangul(w))
        .is_some_and(|word| {
            !is_korean_change(word)
                && !has_any!(word, "절대|일절|아예|단|다만|하지만|그러나|직접|임의로|함부로")
        });
    object && is_korean_ban(ban) && is_korean_change(said) && !is_korean_ban(said)
}

/// So many letters (of what is said before it: bytes) may stand between a path and a ban on something else, and in the ban.
const APART: usize = 160;

/// Whether a new clause begins after this separator.
fn breaks(rest: &str, separator: char) -> bool {
    const HARD: &str = "but not|but do|but don't|but leave|but keep|but never|but the|but nothing|but no|and do not|and don't|and leave|and keep|and never|and nothing|and no other|while leaving|while keeping|because|so that";
    const SOFT: &str = "do not|don't|dont|leave|keep|without|not|nothing|no|never|see|only|using|like|based|following|which|as|where|but|however|similar|the rest|everything else|other|then|and|so|since";
    let (hard, soft) = (list!(HARD, by_word = true), list!(SOFT, by_word = true));
    let rest = rest.trim_start();
    if !hard.may_begin(rest) && (separator == ' ' || !soft.may_begin(rest)) {
        return false;
    }
    let head: String = rest.chars().take(24).collect::<String>().to_lowercase();
    let head = head.replace('’', "'");
    hard.begins(&head) || separator != ' ' && soft.begins(&head)
}

/// Whether the text so far ends with a Korean verb that joins clauses.
fn korean_joint(text: &str) -> bool {
    let word = text.rsplit(' ').next().unwrap_or_default();
    if !word.trim_end_matches(',').ends_with(crate::text::is_hangul) {
        return false;
    }
    if has_any!(word, "제외하고|빼고|제하고|불구하고") {
        return false;
    }
    // 고치되, 넣되: the verb before what it leaves as it is.
    let concedes = word.trim_end_matches(',').strip_suffix('되');
    if concedes.is_some_and(|stem| !stem.is_empty() && stem != "안") {
        return true;
    }
    [
        "하고",
        "하며",
        "지만",
        "는데",
        "으나",
        "므로",
        "니까",
        "하니",
        "말고",
        "두고",
        "되고",
        "마시고",
        "않고",
        "해서",
        "이고",
        "이며",
        "시고",
        "꾸고",
        "치고",
        "기고",
    ]
    .iter()
    .any(|end| word.trim_end_matches(',').ends_with(end) && word.chars().count() > end.chars().count())
        || word.trim_end_matches(',') == "말고"
}

/// So many paths of one clause are read together.
const TOGETHER: usize = 64;

/// The role of each mention in a text that belongs to a section of this kind.
pub(crate) fn roles(text: &str, mentions: &[Mention], kind: Option<Kind>) -> Vec<Role> {
    let mut out = vec![Role::Mentioned; mentions.len()];
    let questions = questions::questions(text);
    for (from, to) in clauses(text, mentions) {
        let first = mentions.partition_point(|m| m.start < from);
        let last = mentions.partition_point(|m| m.start < to);
        let Some(inside) = mentions.get(first..last) else {
            continue;
        };
        if inside.is_empty() {
            if let Some(at) = objects::meant_by_there(text, from, to, mentions, kind)
                && let Some(role) = out.get_mut(at)
            {
                *role = Role::Excluded;
            }
            continue;
        }
        let asked = questions.get(questions.partition_point(|(_, end)| *end <= from));
        let asks = asked.is_some_and(|(start, _)| *start <= from);
        // A clause with very many paths is read piece by piece: its words are gone through for each of them.
        let mut at = first;
        let mut begin = from;
        for part in inside.chunks(TOGETHER) {
            let end = mentions
                .get(at + part.len())
                .filter(|_| at + part.len() < last)
                .map_or(to, |next| next.start);
            let clause = Clause::new(text, begin, end, part);
            for (i, mention) in part.iter().enumerate() {
                if let Some(role) = out.get_mut(at + i) {
                    *role = if asks {
                        clause.role_in_question(i, mention, kind)
                    } else {
                        clause.role(i, mention, kind)
                    };
                }
            }
            at += part.len();
            begin = end;
        }
    }
    out
}

struct Clause<'a> {
    mentions: &'a [Mention],
    text: &'a str,
    from: usize,
    to: usize,
    lower: String,
    tokens: Vec<Token>,
    korean: bool,
    /// What its words say of all of its paths alike, once it was asked for.
    other_task: OnceCell<bool>,
    orders_change: OnceCell<bool>,
}

impl<'a> Clause<'a> {
    fn new(text: &'a str, from: usize, to: usize, mentions: &'a [Mention]) -> Self {
        let mut tokens = Vec::new();
        let mut at = from;
        for (i, mention) in mentions.iter().enumerate() {
            push_words(&mut tokens, slice(text, at, mention.start));
            tokens.push(Token::Path(i));
            at = mention.end.min(to);
        }
        push_words(&mut tokens, slice(text, at, to));
        let lower = slice(text, from, to).to_lowercase().replace('’', "'");
        let korean = tokens.iter().any(|t| matches!(t, Token::Korean));
        Self {
            mentions,
            text,
            from,
            to,
            lower,
            tokens,
            korean,
            other_task: OnceCell::new(),
            orders_change: OnceCell::new(),
        }
    }

    fn role(&self, index: usize, mention: &Mention, kind: Option<Kind>) -> Role {
        let bars = matches!(kind, Some(Kind::MustNot | Kind::Exclude));
        let Some(p) = self
            .tokens
            .iter()
            .position(|t| matches!(t, Token::Path(i) if *i == index))
        else {
            return Role::Mentioned;
        };
        if mention.command {
            return Role::Mentioned;
        }
        if mention.barred {
            // `!` among what is ruled out says that this is not.
            return if bars { Role::Mentioned } else { Role::Excluded };
        }
        if self.is_of_another(mention) || !bars && self.is_left_out(mention, p) {
            return Role::Excluded;
        }
        if self.korean
            && let Some(role) = self.korean_role(mention, bars, kind)
        {
            return role;
        }
        let order = omission::order(&self.tokens, p, bars);
        if let Some(role) = self.english_role(p, bars, kind, order) {
            return role;
        }
        if *self.other_task.get_or_init(|| self.is_other_task()) {
            return Role::Excluded;
        }
        if let Some(order) = order
            && !matches!(kind, Some(Kind::Context | Kind::Tools | Kind::Other))
        {
            return if self.is_asked_for(order, p) {
                Role::Expected
            } else {
                Role::Mentioned
            };
        }
        match kind {
            Some(Kind::Exclude) => Role::Excluded,
            // `leave a change to X undocumented`
            Some(Kind::MustNot) if omission::is_denied_again(&self.tokens, false) => Role::Expected,
            Some(Kind::MustNot) => {
                let verb = self
                    .tokens
                    .iter()
                    .take(p)
                    .any(|t| is_form(t.word(), FILE_CHANGES));
                let alone = !self
                    .tokens
                    .iter()
                    .take(p)
                    .any(|t| !t.word().is_empty() && !FILLERS.has(t.word()));
                let after = self.tokens.get(p + 1..).unwrap_or_default();
                if verb && self.is_direct(p) {
                    // `change X, change Y instead`: what stands in the place of what is banned.
                    let instead = self.tokens.iter().take(p).any(|t| matches!(t, Token::Path(_)))
                        && matches!(after, [word, rest @ ..] if word.word() == "instead"
                            && rest.first().is_none_or(|next| next.word() != "of"));
                    if instead {
                        Role::Expected
                    } else {
                        bans::role(self.tokens.iter().take(p), after)
                    }
                } else if alone && !self.korean {
                    Role::Excluded
                } else if alone && self.korean_bars(mention) {
                    bans::korean_role(self.after(mention))
                } else {
                    Role::Mentioned
                }
            }
            Some(Kind::Outcome | Kind::Scope) => {
                if self.writes_to(p) {
                    Role::Output
                } else {
                    Role::Expected
                }
            }
            Some(Kind::Task | Kind::MustDo | Kind::Rules) | None => {
                if self.writes_to(p) {
                    Role::Output
                } else if self.changes(p) || self.korean && self.puts_into(mention) {
                    Role::Expected
                } else {
                    Role::Mentioned
                }
            }
            Some(Kind::Context | Kind::Tools | Kind::Other) => Role::Mentioned,
        }
    }
}

impl Clause<'_> {
    /// `X not` and X는 아님 at the end of a clause: all that is said of it is that it is not meant.
    fn is_left_out(&self, mention: &Mention, p: usize) -> bool {
        let rest = self.tokens.get(p + 1..).unwrap_or_default();
        if let [only] = rest
            && only.word() == "not"
        {
            return true;
        }
        let after = self.after(mention).trim_start_matches(['`', '"', '\'']);
        let said = ["는 ", "은 ", "는", "은", " "]
            .iter()
            .find_map(|particle| after.strip_prefix(particle))
            .unwrap_or_default()
            .trim();
        ["아님", "아닙니다", "아니에요", "아니다"].iter().any(|denial| {
            said.strip_prefix(denial)
                .is_some_and(|rest| !rest.contains(crate::text::is_hangul))
        })
    }

    /// The role of a path in a sentence that asks for knowledge: that rules nothing out, but for what the work may not
    /// do (`how … without touching X?`), and asks for no change.
    fn role_in_question(&self, index: usize, mention: &Mention, kind: Option<Kind>) -> Role {
        let limited = has_any_word!(&self.lower, "without|except|excluding|other than");
        match self.role(index, mention, kind) {
            Role::Excluded if limited || mention.barred => Role::Excluded,
            Role::Kept if limited => Role::Kept,
            Role::Excluded | Role::Kept => Role::Mentioned,
            Role::Expected if matches!(kind, None | Some(Kind::Task)) => Role::Mentioned,
            role => role,
        }
    }

    /// Whether the path is what an order not to leave something out asks for.
    fn is_asked_for(&self, order: omission::Order, p: usize) -> bool {
        let between = self.tokens.get(order.from..p).unwrap_or_default();
        let object = between
            .iter()
            .all(|t| matches!(t, Token::Path(_)) || FILLERS.has(t.word()));
        // `don't forget X is generated` tells something of it.
        let told = self.tokens.get(p + 1).is_some_and(|t| {
            listed!(
                "is|are|was|were|has|have|does|do|can|will|contains|says|needs",
                t.word()
            )
        });
        order.holds || object && !told || between.iter().any(|t| is_change(t.word()))
    }
}

fn push_words(tokens: &mut Vec<Token>, text: &str) {
    for raw in text.split(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | '(' | ')' | '"' | '`' | '“' | '”' | '/' | '|' | '—' | '–' | ';'
            )
    }) {
        let word = raw.trim_matches(|c: char| !c.is_alphanumeric() && c != '@');
        if word.is_empty() {
            continue;
        }
        if has_hangul(word) {
            tokens.push(Token::Korean);
        } else {
            tokens.push(Token::Word(word.to_lowercase().replace('’', "'")));
        }
    }
}
