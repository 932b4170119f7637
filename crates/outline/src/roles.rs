//! What a text wants with each path that it mentions: may it change, must it not, or is it only
//! talked about.

use crate::labels::Kind;
use crate::paths::Mention;
use crate::text::{has_any, has_any_word, has_hangul, sentences, slice};

/// What a text wants with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It may change.
    Expected,
    /// It is where the result of reading is written: it may change even when nothing else may.
    Output,
    /// It must not change.
    Excluded,
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
    /// Lock files must not change.
    pub(crate) locks_barred: bool,
    /// Generated files are to be made again.
    pub(crate) regenerate: bool,
}

const NEGATIONS: &[&str] = &[
    "not", "never", "no", "without", "avoid", "dont", "cannot", "nothing", "neither", "nor", "nobody",
    "none", "refrain",
];
/// Beginnings of verbs that change files; see [`is_change`].
const CHANGES: &[&str] = &[
    "modif",
    "touch",
    "chang",
    "edit",
    "alter",
    "rewrit",
    "delet",
    "remov",
    "updat",
    "renam",
    "mov",
    "refactor",
    "reformat",
    "writ",
    "creat",
    "add",
    "overwrit",
    "fix",
    "tweak",
    "replac",
    "implement",
    "split",
    "extract",
    "merg",
    "migrat",
    "convert",
    "bump",
    "upgrad",
    "drop",
    "introduc",
    "improv",
    "extend",
    "adjust",
    "rework",
    "restructur",
    "reorganis",
    "reorganiz",
    "simplif",
    "port",
    "patch",
    "correct",
    "repair",
    "put",
    "mak",
    "build",
    "generat",
    "regenerat",
    "format",
    "document",
    "test",
    "cover",
    "clean",
    "strip",
    "insert",
    "append",
    "inlin",
    "relocat",
    "copy",
    "copi",
    "commit",
    "sav",
    "expos",
    "wir",
    "hook",
    "switch",
    "us",
    "set",
    "mov",
    "archiv",
    "purg",
    "unify",
    "unifi",
    "consolidat",
    "optimis",
    "optimiz",
    "speed",
    "lint",
    "pin",
    "rotat",
    "enabl",
    "disabl",
    "configur",
];
/// Verbs that change files as such; only these make a prohibition of a path.
const FILE_CHANGES: &[&str] = &[
    "modif",
    "touch",
    "chang",
    "edit",
    "alter",
    "rewrit",
    "delet",
    "remov",
    "updat",
    "renam",
    "mov",
    "refactor",
    "reformat",
    "writ",
    "creat",
    "overwrit",
    "tweak",
    "replac",
    "commit",
    "regenerat",
    "format",
    "mess",
    "go",
    "adjust",
    "patch",
    "fix",
    "stray",
    "work",
    "add",
    "rework",
    "restructur",
    "clean",
    "migrat",
    "bump",
];
const READS: &[&str] = &[
    "read",
    "reads",
    "reading",
    "analyse",
    "analyze",
    "analysing",
    "analyzing",
    "review",
    "reviewing",
    "inspect",
    "inspecting",
    "explain",
    "explaining",
    "summarise",
    "summarize",
    "understand",
    "study",
    "investigate",
    "audit",
    "compare",
    "report",
    "describe",
    "look",
    "check",
    "examine",
    "consult",
    "open",
    "profile",
    "trace",
    "run",
    "running",
    "execute",
    "see",
    "like",
    "per",
    "cf",
    "follow",
    "following",
    "follows",
    "mirror",
    "mirrors",
    "mirroring",
    "mimic",
    "reference",
    "refer",
    "referring",
    "resembles",
    "imitate",
    "import",
    "imports",
    "importing",
    "parse",
    "parses",
    "load",
    "loads",
    "reuse",
    "reuses",
    "reusing",
    "calls",
    "called",
    "via",
    "similar",
    "based",
    "according",
    "modelled",
    "modeled",
    "inspired",
    "copied",
    "taken",
    "described",
    "documented",
    "defined",
    "specified",
    "as",
    "unlike",
    "matches",
    "matching",
    "mentioned",
    "against",
];
/// What may stand between a verb and the path that is its object.
const FILLERS: &[&str] = &[
    "the",
    "any",
    "anything",
    "everything",
    "file",
    "files",
    "folder",
    "folders",
    "directory",
    "directories",
    "dir",
    "dirs",
    "path",
    "paths",
    "existing",
    "in",
    "inside",
    "under",
    "within",
    "from",
    "at",
    "or",
    "and",
    "either",
    "both",
    "also",
    "code",
    "contents",
    "content",
    "all",
    "of",
    "this",
    "these",
    "that",
    "those",
    "to",
    "into",
    "a",
    "an",
    "it",
    "back",
    "up",
    "with",
    "module",
    "package",
    "whole",
    "entire",
    "our",
    "my",
    "your",
    "there",
    "through",
    "on",
    "near",
    "else",
    "part",
    "parts",
    "source",
    "sources",
    "nor",
    "changes",
    "edits",
    "other",
];

/// Whether a lower-case word is a form of one of the verbs whose stems are given.
fn is_form(word: &str, stems: &[&str]) -> bool {
    stems.iter().any(|stem| {
        word.strip_prefix(stem).is_some_and(|rest| {
            let rest = rest.strip_prefix(['e', 'y', 'i']).unwrap_or(rest);
            let doubled = rest.chars().next().is_some_and(|c| stem.ends_with(c));
            let rest = if doubled {
                rest.get(1..).unwrap_or(rest)
            } else {
                rest
            };
            matches!(
                rest,
                "" | "s"
                    | "d"
                    | "es"
                    | "ed"
                    | "ing"
                    | "n"
                    | "ten"
                    | "ting"
                    | "tten"
                    | "ying"
                    | "te"
                    | "ation"
                    | "ations"
                    | "ion"
                    | "es."
            )
        })
    })
}

fn is_change(word: &str) -> bool {
    is_form(word, CHANGES) || matches!(word, "wrote" | "made" | "built" | "gone")
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
                ' ' if korean_joint(slice(text, start, at)) => cut(at, &mut start),
                _ => {}
            }
        }
        cut(to, &mut start);
    }
    out
}

/// Whether a new clause begins after this separator.
fn breaks(rest: &str, separator: char) -> bool {
    let rest = rest.trim_start();
    let head: String = rest.chars().take(24).collect::<String>().to_lowercase();
    let head = head.replace('’', "'");
    let starts = |words: &[&str]| words.iter().any(|w| crate::text::find_word(&head, w) == Some(0));
    let hard = [
        "but not",
        "but do",
        "but don't",
        "but leave",
        "but keep",
        "but never",
        "but the",
        "but nothing",
        "but no",
        "and do not",
        "and don't",
        "and leave",
        "and keep",
        "and never",
        "and nothing",
        "and no other",
        "while leaving",
        "while keeping",
        "because",
        "so that",
    ];
    if starts(&hard) {
        return true;
    }
    let soft = [
        "do not",
        "don't",
        "dont",
        "leave",
        "keep",
        "without",
        "not",
        "nothing",
        "no",
        "never",
        "see",
        "only",
        "using",
        "like",
        "based",
        "following",
        "which",
        "as",
        "where",
        "but",
        "however",
        "similar",
        "the rest",
        "everything else",
        "other",
        "then",
        "and",
        "so",
        "since",
    ];
    separator != ' ' && starts(&soft)
}

/// Whether the text so far ends with a Korean verb that joins clauses.
fn korean_joint(text: &str) -> bool {
    let word = text.rsplit(' ').next().unwrap_or_default();
    if has_any(word, &["제외하고", "빼고", "제하고", "불구하고"]) {
        return false;
    }
    [
        "하고",
        "하며",
        "하되",
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
    ]
    .iter()
    .any(|end| word.trim_end_matches(',').ends_with(end) && word.chars().count() > end.chars().count())
        || word.trim_end_matches(',') == "말고"
}

/// The role of each mention in a text that belongs to a section of this kind.
pub(crate) fn roles(text: &str, mentions: &[Mention], kind: Option<Kind>) -> Vec<Role> {
    let mut out = vec![Role::Mentioned; mentions.len()];
    for (from, to) in clauses(text, mentions) {
        let first = mentions.partition_point(|m| m.start < from);
        let last = mentions.partition_point(|m| m.start < to);
        let Some(inside) = mentions.get(first..last) else {
            continue;
        };
        if inside.is_empty() {
            continue;
        }
        let clause = Clause::new(text, from, to, inside);
        for (i, mention) in inside.iter().enumerate() {
            if let Some(role) = out.get_mut(first + i) {
                *role = clause.role(i, mention, kind);
            }
        }
    }
    out
}

struct Clause<'a> {
    text: &'a str,
    to: usize,
    lower: String,
    tokens: Vec<Token>,
    korean: bool,
}

impl<'a> Clause<'a> {
    fn new(text: &'a str, from: usize, to: usize, mentions: &[Mention]) -> Self {
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
            text,
            to,
            lower,
            tokens,
            korean,
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
        if self.korean {
            if let Some(role) = self.korean_role(mention, bars) {
                return role;
            }
        }
        if let Some(role) = self.english_role(p, bars, kind) {
            return role;
        }
        if self.is_other_task() {
            return Role::Excluded;
        }
        match kind {
            Some(Kind::Exclude) => Role::Excluded,
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
                    .any(|t| !t.word().is_empty() && !FILLERS.contains(&t.word()));
                if (verb && self.is_direct(p))
                    || (alone && !self.korean)
                    || (alone && self.korean_bars(mention))
                {
                    Role::Excluded
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
                } else if self.changes(p) {
                    Role::Expected
                } else {
                    Role::Mentioned
                }
            }
            Some(Kind::Context | Kind::Tools | Kind::Other) => Role::Mentioned,
        }
    }

    /// Whether only words without content stand between the last verb of change and the path.
    fn is_direct(&self, p: usize) -> bool {
        for token in self.tokens.iter().take(p).rev() {
            match token {
                Token::Path(_) => {}
                Token::Korean => return false,
                Token::Word(word) if is_form(word, FILE_CHANGES) => return true,
                Token::Word(word) if FILLERS.contains(&word.as_str()) => {}
                Token::Word(_) => return false,
            }
        }
        false
    }

    fn english_role(&self, p: usize, bars: bool, kind: Option<Kind>) -> Option<Role> {
        let negation = |t: &Token| {
            let word = t.word();
            NEGATIONS.contains(&word) || word.ends_with("n't")
        };
        let before = self.tokens.get(..p)?;
        // `except X`, `other than X`, `outside X`
        let mut exception = None;
        for (i, token) in before.iter().enumerate() {
            let next = before.get(i + 1).map_or("", Token::word);
            let word = token.word();
            let hit = matches!(
                word,
                "except" | "excluding" | "besides" | "outside" | "beyond" | "excepting"
            ) || (word == "but"
                && i > 0
                && before.iter().take(i).any(|t| {
                    matches!(
                        t.word(),
                        "nothing" | "anything" | "any" | "no" | "everything" | "all" | "nowhere"
                    ) || t.word().starts_with("any")
                }))
                || (word == "other" && next == "than")
                || (matches!(word, "apart" | "aside") && next == "from");
            if hit {
                exception = Some((i, word));
            }
        }
        if let Some((e, word)) = exception {
            let barred = bars || before.iter().take(e).any(negation);
            let verb_after = before.iter().skip(e).any(|t| is_form(t.word(), FILE_CHANGES));
            if !verb_after {
                return Some(if barred {
                    Role::Expected
                } else if matches!(word, "outside" | "beyond") {
                    Role::Mentioned
                } else {
                    Role::Excluded
                });
            }
        }
        // `do not touch X`, `no changes to X`, `without editing X`
        for (n, token) in before.iter().enumerate() {
            if !negation(token) || matches!(before.get(n + 1).map(Token::word), Some("only" | "just")) {
                continue;
            }
            let between = before.get(n + 1..).unwrap_or_default();
            let verb = between.iter().any(|t| is_form(t.word(), FILE_CHANGES));
            if verb && self.is_direct(p) {
                return Some(Role::Excluded);
            }
            if verb {
                return Some(Role::Mentioned);
            }
            if between
                .iter()
                .all(|t| FILLERS.contains(&t.word()) || matches!(t, Token::Path(_)))
                && token.word() != "without"
            {
                return Some(Role::Excluded);
            }
        }
        let pair = |a: &str, b: &str| {
            before
                .windows(2)
                .rev()
                .take(4)
                .any(|w| matches!(w, [x, y] if x.word() == a && y.word() == b))
        };
        if pair("instead", "of") || pair("rather", "than") {
            return Some(Role::Mentioned);
        }
        let after = self.tokens.get(p + 1..)?;
        let still = [
            "untouched",
            "unchanged",
            "unmodified",
            "intact",
            "alone",
            "frozen",
        ];
        let held = before.iter().any(|t| {
            matches!(
                t.word(),
                "leave" | "leaving" | "leaves" | "keep" | "keeping" | "keeps"
            )
        });
        if held {
            let as_is = after.windows(2).any(|w| matches!(w, [a, b] if a.word() == "as" && matches!(b.word(), "is" | "it" | "they" | "they're" | "before")))
                || after.iter().any(|t| matches!(t.word(), "as-is" | "out"));
            if as_is || after.iter().any(|t| still.contains(&t.word())) {
                return Some(Role::Excluded);
            }
            let early = before.iter().any(|t| still.contains(&t.word()));
            if early {
                return Some(Role::Excluded);
            }
        }
        if self.is_held_back(after) {
            return Some(Role::Excluded);
        }
        // The nearest verb before the path says what is done with it.
        for (distance, token) in before.iter().rev().enumerate() {
            let word = token.word();
            if word == "from" {
                let import = before.iter().any(|t| {
                    matches!(
                        t.word(),
                        "import"
                            | "imports"
                            | "use"
                            | "uses"
                            | "using"
                            | "reuse"
                            | "reuses"
                            | "read"
                            | "reads"
                            | "load"
                            | "loads"
                            | "copy"
                            | "copied"
                            | "taken"
                            | "take"
                            | "inherits"
                            | "parse"
                            | "parses"
                            | "fetch"
                            | "borrow"
                            | "helper"
                            | "pattern"
                            | "style"
                    )
                });
                if import {
                    return Some(Role::Mentioned);
                }
            }
            if is_form(word, CHANGES)
                && !matches!(
                    word,
                    "use"
                        | "uses"
                        | "using"
                        | "used"
                        | "test"
                        | "tests"
                        | "set"
                        | "sets"
                        | "build"
                        | "format"
                )
            {
                break;
            }
            if READS.contains(&word) && distance < 7 {
                // `the report`, `a review`: a noun.
                let earlier = before
                    .len()
                    .checked_sub(distance + 2)
                    .and_then(|i| before.get(i))
                    .map_or("", Token::word);
                let noun = matches!(earlier, "the" | "a" | "an" | "this" | "our" | "your" | "each");
                if !noun {
                    return Some(Role::Mentioned);
                }
            }
        }
        let tail: Vec<&str> = after.iter().map(Token::word).take(8).collect();
        let tail = tail.join(" ");
        if has_any_word(
            &tail,
            &[
                "for reference",
                "as reference",
                "as a reference",
                "as template",
                "as a template",
                "as an example",
                "as a model",
                "as a guide",
                "for background",
                "for context",
                "for details",
                "for inspiration",
                "for how",
                "for an example",
                "is an example",
                "is the reference",
                "as inspiration",
                "for comparison",
            ],
        ) || kind != Some(Kind::Outcome) && has_any_word(&tail, &["shows how", "describes", "explains"])
        {
            return Some(Role::Mentioned);
        }
        None
    }

    /// `X must not change`, `X is frozen`, `X is owned by …`
    fn is_held_back(&self, after: &[Token]) -> bool {
        let mut words = after.iter().skip_while(|t| {
            matches!(t, Token::Path(_))
                || matches!(
                    t.word(),
                    "and"
                        | "or"
                        | "both"
                        | "all"
                        | "file"
                        | "files"
                        | "folder"
                        | "directory"
                        | "itself"
                        | "in"
                        | "also"
                )
        });
        let mut negated = false;
        for step in 0..8 {
            let Some(token) = words.next() else { return false };
            let word = token.word();
            if matches!(token, Token::Path(_)) {
                return false;
            }
            if NEGATIONS.contains(&word) && word != "no" && word != "without" || word.ends_with("n't") {
                negated = true;
                continue;
            }
            if negated {
                if matches!(
                    word,
                    "be" | "to" | "get" | "have" | "need" | "been" | "being" | "any" | "allowed"
                ) {
                    continue;
                }
                if is_form(word, FILE_CHANGES) {
                    let next = words.next().map(Token::word);
                    return next.is_none_or(|w| {
                        matches!(
                            w,
                            "in" | "at"
                                | "by"
                                | "here"
                                | "too"
                                | "either"
                                | "under"
                                | "and"
                                | "or"
                                | "as"
                                | "for"
                                | "yet"
                                | "now"
                                | "because"
                                | "since"
                        )
                    });
                }
                return matches!(word, "yours" | "part" | "ours");
            }
            if matches!(
                word,
                "untouched"
                    | "unchanged"
                    | "unmodified"
                    | "frozen"
                    | "off-limits"
                    | "read-only"
                    | "readonly"
                    | "excluded"
                    | "protected"
                    | "immutable"
                    | "owned"
                    | "belongs"
                    | "belong"
                    | "maintained"
                    | "handled"
                    | "generated"
                    | "intact"
            ) {
                let generated = word == "generated";
                return !generated;
            }
            if matches!(word, "off" | "out") {
                let next = words.next().map_or("", Token::word);
                return matches!(next, "limits")
                    || (word == "out" && next == "of" && words.next().map_or("", Token::word) == "scope");
            }
            if matches!(word, "stay" | "stays" | "remain" | "remains" | "left" | "kept") {
                let next = words.next().map_or("", Token::word);
                return matches!(
                    next,
                    "as" | "as-is"
                        | "put"
                        | "where"
                        | "alone"
                        | "unchanged"
                        | "untouched"
                        | "intact"
                        | "frozen"
                        | "unmodified"
                        | "out"
                );
            }
            let linking = matches!(
                word,
                "is" | "are"
                    | "must"
                    | "should"
                    | "shall"
                    | "may"
                    | "can"
                    | "will"
                    | "stay"
                    | "stays"
                    | "remain"
                    | "remains"
                    | "be"
                    | "to"
                    | "has"
                    | "have"
                    | "currently"
                    | "still"
                    | "being"
                    | "already"
                    | "completely"
                    | "entirely"
                    | "strictly"
                    | "as"
            );
            if !linking && step > 0 || !linking && !matches!(word, "") {
                return false;
            }
        }
        false
    }

    /// Whether the clause is about the work of others, or about later work.
    fn is_other_task(&self) -> bool {
        let lower = &self.lower;
        let english = [
            "someone else",
            "somebody else",
            "another task",
            "another pr",
            "another agent",
            "another team",
            "another ticket",
            "other agent",
            "other team",
            "separate task",
            "separate pr",
            "separate ticket",
            "separate issue",
            "separate change",
            "follow-up",
            "followup",
            "next sprint",
            "next pr",
            "next task",
            "later task",
            "later pr",
            "different task",
            "different pr",
            "different agent",
            "owned by",
            "handled by",
            "maintained by",
            "being done by",
            "assigned to",
            "is working on",
            "are working on",
            "is being refactored",
            "is being rewritten",
            "is being changed",
            "is doing",
            "is refactoring",
            "is rewriting",
            "is changing",
            "is migrating",
            "takes care of",
            "is taking",
            "will be done by",
            "will be handled",
            "a colleague",
            "a teammate",
            "out of scope",
        ];
        let korean = [
            "담당합",
            "담당하고",
            "담당 중",
            "담당입",
            "담당이",
            "팀에서",
            "팀이",
            "님이",
            "다른 팀",
            "다른 에이전트",
            "다른 작업",
            "다른 pr",
            "다른 사람",
            "다른 담당",
            "별도 작업",
            "별도 pr",
            "별도 이슈",
            "별도로 진행",
            "추후",
            "나중에",
            "다음 작업",
            "다음 pr",
            "다음 스프린트",
            "다음 단계에서",
            "범위 밖",
            "범위가 아",
            "작업 중이",
        ];
        if has_any_word(lower, &english) || has_any(lower, &korean) {
            return true;
        }
        // `@bob is …`, `@bob handles …`
        lower.match_indices('@').any(|(at, _)| {
            let rest = slice(lower, at + 1, lower.len());
            let verb = rest.split_whitespace().nth(1).unwrap_or_default();
            let name = rest.split_whitespace().next().unwrap_or_default();
            matches!(
                verb,
                "is" | "has"
                    | "will"
                    | "owns"
                    | "handles"
                    | "does"
                    | "takes"
                    | "maintains"
                    | "works"
                    | "rewrites"
                    | "refactors"
            ) || ["가", "이", "님이", "담당"]
                .iter()
                .any(|k| name.ends_with(k) && has_hangul(name))
        })
    }

    /// Whether the clause asks for a change in which the path takes part.
    fn changes(&self, p: usize) -> bool {
        let verb = self.tokens.iter().any(|t| is_change(t.word()))
            || has_any_word(
                &self.lower,
                &[
                    "only",
                    "scope",
                    "allowed",
                    "limited to",
                    "restrict",
                    "confined",
                    "stay within",
                    "should",
                    "must",
                    "needs to",
                    "need to",
                    "has to",
                ],
            );
        let korean = self.korean && is_korean_change(&self.lower);
        let first = p == 0 && self.tokens.len() > 1;
        verb || korean || first && has_any(slice(self.text, 0, self.to), &[":"])
    }

    /// Whether the path is where a report is written to.
    fn writes_to(&self, p: usize) -> bool {
        let before = self.tokens.get(..p).unwrap_or_default();
        let verb = before.iter().any(|t| {
            is_form(
                t.word(),
                &[
                    "writ", "sav", "put", "creat", "produc", "output", "record", "stor", "deliver",
                ],
            ) || t.word() == "report"
                || t.word() == "summary"
        });
        let to = before
            .last()
            .is_some_and(|t| matches!(t.word(), "to" | "in" | "into" | "at" | "as" | "under"));
        let creates = before.iter().any(|t| is_form(t.word(), &["creat", "produc"]));
        (verb && to)
            || creates
            || self.korean
                && has_any(
                    &self.lower,
                    &[
                        "에 작성",
                        "에 저장",
                        "에 기록",
                        "에 정리",
                        "에 남",
                        "로 작성",
                        "로 저장",
                        "파일로",
                        "에 보고",
                    ],
                )
    }

    fn after(&self, mention: &Mention) -> &'a str {
        slice(self.text, mention.end, self.to)
    }

    fn korean_bars(&self, mention: &Mention) -> bool {
        let after = self.after(mention).trim_start_matches(['`', '"', '\'']);
        !after.starts_with("의 ") || after.starts_with("의 파일")
    }

    fn korean_role(&self, mention: &Mention, bars: bool) -> Option<Role> {
        let after = self.after(mention).trim_start_matches(['`', '"', '\'']);
        let near: String = after.chars().take(12).collect();
        let prohibited = bars || is_korean_ban(after);
        // Only when no other object stands between the path and what is said of it.
        let apart = [
            "외에",
            "외의",
            "외 ",
            "이외",
            "밖의",
            "밖에",
            "말고는",
            "제외한",
            "제외하고",
            "제외하면",
            "빼고",
            "아닌",
        ];
        if has_any(&near, &apart) {
            return Some(if prohibited {
                Role::Expected
            } else if has_any(&near, &["제외", "빼고"]) {
                Role::Excluded
            } else {
                Role::Expected
            });
        }
        if near.trim_start().starts_with("말고") || near.contains(" 말고") && near.chars().count() < 12 {
            return Some(Role::Excluded);
        }
        if has_any(after, &["대신"]) && has_any(&near, &["대신"]) {
            return Some(Role::Mentioned);
        }
        let possessive = (near.starts_with("의 ")
            && !has_any(&near, &["의 파일", "의 모든", "의 코드", "의 내용", "의 어떤"]))
            || near.starts_with("에 있는") && !near.contains("파일");
        let only = near.starts_with("만")
            || has_any(&near, &["파일만", "하나만", "에만", "에서만", "까지만", "폴더만"]);
        if is_korean_ban(after) && !only {
            return Some(if possessive {
                Role::Mentioned
            } else {
                Role::Excluded
            });
        }
        if has_any(
            after,
            &[
                "제외",
                "그대로 두",
                "그대로 둔",
                "그대로 둡",
                "그대로 놔",
                "그대로 유지",
                "읽기 전용",
                "동결",
                "손대지",
                "건드리지",
                "수정 불가",
                "변경 불가",
            ],
        ) && !only
        {
            return Some(if possessive && !after.contains("제외") {
                Role::Mentioned
            } else {
                Role::Excluded
            });
        }
        if only {
            return Some(Role::Expected);
        }
        let reference = [
            "참고",
            "참조",
            "처럼",
            "와 동일",
            "과 동일",
            "와 같",
            "과 같",
            "같은 방식",
            "같은 패턴",
            "기준으로",
            "에 따라",
            "에 따른",
            "대로 ",
            "기반으로",
            "에 설명",
            "에 정의",
            "에 기술",
            "에 나온",
            "에 적힌",
            "에 적혀",
            "에 정리된",
            "방식으로",
            "패턴을",
            "스타일",
        ];
        if has_any(&near, &reference)
            || has_any(after, &["참고하", "참고해", "참조하", "참조해", "참고.", "참고)"])
        {
            return Some(Role::Mentioned);
        }
        // `README.md: 정책 설명` is a heading, not something to read.
        let heads = near.starts_with([':', '：']) || near.trim_start().starts_with(['-', '–', '—', ':']);
        let reading = [
            "분석", "검토", "조사", "설명", "읽", "살펴", "확인", "실행", "이해", "파악", "요약", "리뷰",
        ];
        if !heads
            && has_any(after, &reading)
            && !is_korean_change(after)
            && !has_any(after, &["보고서를", "에 작성", "에 저장"])
        {
            let read_at = reading
                .iter()
                .filter_map(|w| after.find(w))
                .min()
                .unwrap_or(usize::MAX);
            if slice(after, 0, read_at).chars().count() <= 14 {
                return Some(Role::Mentioned);
            }
        }
        None
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

/// Whether the text asks for a change, in Korean.
pub(crate) fn is_korean_change(text: &str) -> bool {
    has_any(
        text,
        &[
            "수정",
            "변경",
            "추가",
            "작성",
            "구현",
            "생성",
            "만들",
            "만드",
            "삭제",
            "제거",
            "리팩토링",
            "리팩터링",
            "옮기",
            "옮겨",
            "이동",
            "교체",
            "갱신",
            "업데이트",
            "고치",
            "고쳐",
            "바꾸",
            "바꿔",
            "바뀌",
            "정리",
            "분리",
            "개선",
            "최신화",
            "반영",
            "적용",
            "도입",
            "늘려",
            "늘리",
            "줄여",
            "줄이",
            "올려",
            "올리",
            "낮춰",
            "낮추",
            "통합",
            "이름",
            "해결",
            "보완",
            "대체",
            "마이그레이션",
            "번역",
            "채우",
            "채워",
            "넣어",
            "넣기",
            "빼기",
            "지원",
            "허용",
            "리네임",
            "문서화",
            "포맷",
            "재작성",
            "재생성",
        ],
    )
}

/// Whether the text forbids a change, in Korean.
pub(crate) fn is_korean_ban(text: &str) -> bool {
    let verb = [
        "수정",
        "변경",
        "건드",
        "손대",
        "손을 대",
        "바꾸",
        "고치",
        "삭제",
        "편집",
        "만지",
        "터치",
        "추가",
        "작성",
        "생성",
        "커밋",
        "옮기",
        "지우",
        "덮어",
    ];
    let Some(at) = verb.iter().filter_map(|v| text.find(v)).min() else {
        return false;
    };
    let rest = slice(text, at, text.len());
    let rest: String = rest.chars().take(40).collect();
    has_any(
        &rest,
        &[
            "지 마",
            "지마",
            "지 말",
            "지말",
            "지 않",
            "지않",
            "면 안",
            "서는 안",
            "금지",
            "불가",
            "말 것",
            "말것",
            "말아",
            "안 됩",
            "안 된",
            "안됩",
            "안 돼",
            "않습니다",
            "않는다",
            "않음",
            "없이",
        ],
    )
}

/// What a text says about changes in general, clause by clause.
pub(crate) fn general(text: &str, mentions: &[Mention], kind: Option<Kind>) -> General {
    let mut out = General::default();
    for (from, to) in clauses(text, mentions) {
        let lower = slice(text, from, to)
            .to_lowercase()
            .replace('’', "'")
            .replace("read-only", "readonly")
            .replace("read only", "readonly");
        let first = mentions.partition_point(|m| m.start < from);
        let has_path = mentions.get(first).is_some_and(|m| m.start < to);
        clause_general(&lower, has_path, kind, &mut out);
    }
    out
}

fn clause_general(lower: &str, has_path: bool, kind: Option<Kind>, out: &mut General) {
    let mut words = Vec::new();
    push_words(&mut words, lower);
    let word = |i: usize| words.get(i).map_or("", Token::word);
    let bars = matches!(kind, Some(Kind::MustNot | Kind::Exclude));
    let negated_at = (0..words.len()).find(|i| NEGATIONS.contains(&word(*i)) || word(*i).ends_with("n't"));
    let negated = negated_at.is_some() || bars;
    let others = has_any_word(
        lower,
        &[
            "else",
            "other",
            "others",
            "except",
            "outside",
            "besides",
            "than",
            "unless",
            "beyond",
            "rest",
            "unrelated",
            "only",
            "but",
            "further",
            "additional",
        ],
    );
    let elsewhere = has_any_word(
        lower,
        &[
            "else",
            "other",
            "others",
            "except",
            "outside",
            "besides",
            "beyond",
            "rest",
            "unrelated",
        ],
    );
    let korean_others = has_any(
        lower,
        &[
            "외에",
            "외의",
            "외 ",
            "이외",
            "밖의",
            "다른",
            "나머지",
            "그 밖",
            "제외",
            "무관",
        ],
    );
    let korean_ban = is_korean_ban(lower) || (bars && is_korean_change(lower));
    if has_any_word(
        lower,
        &[
            "only",
            "nothing else",
            "no other",
            "nowhere else",
            "just this",
            "solely",
            "exclusively",
        ],
    ) || (negated && elsewhere && words.iter().any(|t| is_form(t.word(), FILE_CHANGES)))
        || (korean_ban && korean_others)
        || has_any(
            lower,
            &[
                "만 수정",
                "만 변경",
                "만 바꾸",
                "만 바꿔",
                "만 고치",
                "만 바뀌",
                "하나만",
                "파일만",
                "에만",
            ],
        )
    {
        out.only = true;
    }
    let tests = has_any_word(
        lower,
        &[
            "test",
            "tests",
            "testing",
            "spec",
            "specs",
            "testcase",
            "testcases",
        ],
    ) || lower.contains("테스트");
    let locks = has_any_word(lower, &["lockfile", "lockfiles", "lock file", "lock files"])
        || has_any(lower, &["락 파일", "락파일", "잠금 파일"]);
    let changes_file = words.iter().any(|t| is_form(t.word(), FILE_CHANGES));
    if tests && !has_path {
        let english_ban = negated && changes_file
            || has_any_word(
                lower,
                &["no tests", "no new tests", "without tests", "no test changes"],
            );
        if (english_ban || korean_ban)
            && !has_any_word(
                lower,
                &[
                    "without a test",
                    "without adding tests",
                    "without tests for",
                    "break",
                    "skip",
                ],
            )
        {
            let about_code = has_any_word(lower, &["to make the tests", "to make tests", "so that", "until"]);
            if !about_code
                && (english_direct_tests(&words)
                    || korean_ban && !lower.contains("없이")
                    || has_any_word(lower, &["no tests", "no new tests", "no test changes"]))
            {
                out.tests_barred = true;
            }
        } else if !negated && !korean_ban {
            let runs = has_any_word(
                lower,
                &[
                    "pass", "passes", "passing", "green", "stable", "run", "runs", "rerun", "still",
                    "existing", "suite", "flaky",
                ],
            ) || has_any(lower, &["통과", "실행", "깨지", "기존 테스트"]);
            let makes = has_any_word(
                lower,
                &[
                    "add",
                    "adds",
                    "added",
                    "write",
                    "writes",
                    "new",
                    "with",
                    "cover",
                    "covers",
                    "covered",
                    "covering",
                    "create",
                    "including",
                    "extend",
                    "update",
                    "plus",
                ],
            ) || has_any(lower, &["추가", "작성", "보강", "포함", "신규", "함께"]);
            if !runs || makes {
                out.tests_wanted = true;
            }
        }
    }
    if tests && has_path && !negated && !korean_ban {
        out.tests_wanted |= has_any_word(
            lower,
            &[
                "with tests",
                "with unit tests",
                "with a test",
                "with a unit test",
                "with a regression test",
                "with regression tests",
                "with new tests",
                "with its tests",
                "with their tests",
                "and tests",
                "and its tests",
                "and a test",
                "and unit tests",
                "plus tests",
                "plus a test",
                "including tests",
                "with test coverage",
                "covered by tests",
                "covered by a test",
                "with integration tests",
            ],
        ) || has_any(
            lower,
            &[
                "테스트 추가",
                "테스트 포함",
                "테스트 작성",
                "테스트와 함께",
                "테스트도",
                "테스트를 추가",
                "테스트를 포함",
                "테스트를 작성",
                "테스트까지",
            ],
        );
    }
    if locks && (negated || korean_ban) {
        out.locks_barred = true;
    }
    if !negated
        && (has_any_word(
            lower,
            &[
                "regenerate",
                "regenerated",
                "regenerating",
                "regeneration",
                "codegen",
                "re-generate",
                "snapshots",
                "snapshot",
                "generated",
            ],
        ) || has_any(lower, &["재생성", "다시 생성", "코드 생성", "코드젠", "스냅샷"]))
    {
        out.regenerate = true;
    }
    if has_path && !has_any_word(lower, &["readonly task"]) && !lower.contains("읽기 전용 작업") {
        return;
    }
    let generic = has_any_word(
        lower,
        &[
            "file",
            "files",
            "code",
            "anything",
            "source",
            "sources",
            "repo",
            "repository",
            "codebase",
            "tree",
            "edits",
            "changes",
            "modifications",
            "nothing",
            "writes",
        ],
    );
    let english = !others
        && (has_any_word(
            lower,
            &[
                "readonly",
                "no code changes",
                "no changes",
                "no edits",
                "no file changes",
                "no modifications",
                "no writes",
                "analysis only",
                "report only",
                "review only",
                "just a report",
                "nothing may change",
                "nothing should change",
                "nothing must change",
                "nothing changes",
                "do not write code",
                "don't write code",
                "do not write any code",
                "don't write any code",
            ],
        ) || (negated && generic && !tests && !locks && general_ban(&words, bars)));
    let read_only_subject = has_any_word(
        lower,
        &[
            "readonly mode",
            "readonly user",
            "readonly replica",
            "readonly access",
            "readonly endpoint",
            "readonly flag",
            "readonly view",
            "readonly field",
            "readonly property",
            "readonly api",
            "readonly role",
            "readonly attribute",
            "readonly connection",
            "readonly transaction",
            "readonly copy",
            "readonly column",
            "readonly input",
            "readonly state",
        ],
    );
    let outcome_noun = matches!(kind, Some(Kind::Outcome))
        && has_any_word(
            lower,
            &["add", "support", "make", "implement", "flag", "mode", "shows"],
        );
    if english && !read_only_subject && !outcome_noun {
        out.read_only = true;
    }
    if !korean_others {
        let phrase = [
            "읽기 전용",
            "수정 없이",
            "변경 없이",
            "수정하지 않고",
            "변경하지 않고",
            "분석만",
            "조사만",
            "검토만",
            "보고만",
            "코드 변경 금지",
            "코드 수정 금지",
            "파일 수정 금지",
            "파일 변경 금지",
        ];
        let generic = has_any(
            lower,
            &[
                "파일",
                "코드",
                "소스",
                "아무것도",
                "아무 것도",
                "어떤 것도",
                "일절",
                "저장소",
            ],
        );
        let object = has_any(
            lower,
            &[
                "기존 파일",
                "생성된 파일",
                "설정 파일",
                "테스트 파일",
                "테스트 코드",
                "락 파일",
                "다음 파일",
                "아래 파일",
                "이 파일",
                "해당 파일",
            ],
        );
        if has_any(lower, &phrase) || (korean_ban && generic && !object && !tests) {
            let only_part = has_any(lower, &["읽기 전용"])
                && has_any(lower, &["모드", "사용자", "계정", "권한", "필드", "뷰"]);
            if !only_part {
                out.read_only = true;
            }
        }
    }
}

/// `do not change the tests`: the tests are the object of the verb.
fn english_direct_tests(words: &[Token]) -> bool {
    let Some(at) = words
        .iter()
        .position(|t| matches!(t.word(), "test" | "tests" | "specs" | "spec"))
    else {
        return false;
    };
    for token in words.iter().take(at).rev() {
        let word = token.word();
        if is_form(word, FILE_CHANGES) {
            return true;
        }
        if !FILLERS.contains(&word) && !matches!(word, "new" | "unit" | "integration" | "existing" | "e2e") {
            return false;
        }
    }
    false
}

/// `do not change any files`, `without touching the code`, `make no changes`.
fn general_ban(words: &[Token], bars: bool) -> bool {
    let mut negated = bars;
    let mut verb = false;
    for token in words {
        let word = token.word();
        if NEGATIONS.contains(&word) || word.ends_with("n't") {
            negated = true;
            continue;
        }
        if negated
            && !verb
            && is_form(
                word,
                &[
                    "modif", "touch", "chang", "edit", "alter", "writ", "commit", "mak",
                ],
            )
        {
            verb = true;
            continue;
        }
        if verb {
            if matches!(
                word,
                "any"
                    | "a"
                    | "the"
                    | "single"
                    | "actual"
                    | "existing"
                    | "all"
                    | "source"
                    | "whole"
                    | "entire"
                    | "at"
                    | "in"
                    | "of"
                    | "to"
                    | "project"
                    | "no"
            ) {
                continue;
            }
            return matches!(
                word,
                "file"
                    | "files"
                    | "code"
                    | "anything"
                    | "sources"
                    | "repo"
                    | "repository"
                    | "codebase"
                    | "changes"
                    | "edits"
                    | "thing"
                    | "tree"
            );
        }
    }
    false
}
