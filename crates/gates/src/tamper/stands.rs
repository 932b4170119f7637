//! What a test asserts about, and what its file puts in the place of that: a function of its own, a mock, a patch.

use super::asserts::{end_of, statements};
use super::exact::is_exact_word;
use super::find::{Brackets, Source, Test, indented};
use super::lang::{Lang, stem};
use super::lex::{Sort, Token};
use super::rows::{above, conditions};
use super::sides::parts;
use std::collections::{HashMap, HashSet};

/// How deep functions of the file are followed.
const DEEP: usize = 3;

/// Most tokens of a head or a value that are looked at.
const WIDE: usize = 400;

/// Words that make a stand-in, and what they belong to.
const MOCKS: [&str; 14] = [
    "Mock",
    "MagicMock",
    "AsyncMock",
    "NonCallableMock",
    "create_autospec",
    "fn",
    "stub",
    "jest",
    "vi",
    "sinon",
    "unittest",
    "mock",
    "t",
    "test",
];

/// Calls that put something in the place of a part of a module or an object.
const PUTS: [&str; 7] = ["patch", "object", "setattr", "spyOn", "method", "stub", "replace"];

/// Calls of JavaScript that put something in the place of a module.
const MODULES: [&str; 4] = ["mock", "doMock", "module", "unstable_mockModule"];

/// Functions and types of the languages' own, which reach nothing of the project.
const OWN: [&str; 58] = [
    "int",
    "float",
    "str",
    "bool",
    "len",
    "sum",
    "max",
    "min",
    "abs",
    "round",
    "pow",
    "range",
    "list",
    "dict",
    "set",
    "tuple",
    "sorted",
    "zip",
    "enumerate",
    "isinstance",
    "type",
    "math",
    "operator",
    "Decimal",
    "object",
    "Exception",
    "ValueError",
    "TypeError",
    "Math",
    "Number",
    "String",
    "Array",
    "Object",
    "BigInt",
    "Boolean",
    "Map",
    "Set",
    "Promise",
    "JSON",
    "Error",
    "Some",
    "Ok",
    "Err",
    "Vec",
    "vec",
    "format",
    "std",
    "core",
    "Box",
    "Rc",
    "append",
    "make",
    "new",
    "string",
    "print",
    "console",
    "cmp",
    "errors",
];

/// Words of the languages.
const KEYWORDS: [&str; 26] = [
    "if", "elif", "else", "for", "while", "return", "in", "not", "and", "or", "switch", "match", "function",
    "lambda", "typeof", "await", "catch", "def", "fn", "func", "self", "this", "super", "throw", "raise",
    "yield",
];

/// A call whose answer an assertion is about.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Unit<'a> {
    /// `calc`, `area`.
    pub(super) path: Vec<&'a str>,
}

/// What was found out of pairs of files.
#[derive(Default)]
pub(super) struct Stands {
    /// By the number of the file at the base and now: names that are new in the place of something, and how many tests were
    /// looked at for them.
    suspects: HashMap<(usize, usize), (HashSet<String>, usize)>,
}

/// Most tests of one file that are looked at.
const MOST: usize = 200;

impl Stands {
    /// The name of what a test asserts about, where something of its file stands in the place of it that did not at the base.
    /// `files`: which pair of files it is, by any numbers.
    pub(super) fn stand_in(
        &mut self,
        path: &str,
        files: (usize, usize),
        old: (&Source<'_>, &Test),
        new: (&Source<'_>, &Test),
    ) -> Option<String> {
        let lang = new.0.lang;
        if !matches!(lang, Lang::Python | Lang::Script | Lang::Rust | Lang::Go) || old.0.lang != lang {
            return None;
        }
        let (suspects, looked) = self
            .suspects
            .entry(files)
            .or_insert_with(|| (suspects(old.0, new.0), 0));
        if suspects.is_empty() || *looked >= MOST {
            return None;
        }
        let body = new.0.body(new.1);
        let any = suspects.contains(MODULE);
        if !any
            && !body
                .iter()
                .any(|t| t.sort == Sort::Word && suspects.contains(t.text))
        {
            return None;
        }
        *looked += 1;
        let known = old.0.body(old.1);
        let mut units = units(lang, &body).into_iter().filter(|unit| {
            let there = |word: &&str| known.iter().any(|t| t.is_word(word));
            unit.path.iter().all(there)
        });
        let (was, is) = (Around::of(path, old.0, old.1), Around::of(path, new.0, new.1));
        let found = units.find(|unit| !was.binds(unit) && !was.stands_in(unit) && is.stands_in(unit))?;
        Some(found.path.join("."))
    }
}

/// In the place of a name: a module is put in the place of another one.
const MODULE: &str = "*";

/// Names that are defined, given a value or put in the place of something more often than at the base.
fn suspects(old: &Source<'_>, new: &Source<'_>) -> HashSet<String> {
    fn names<'a>(source: &Source<'a>) -> HashMap<&'a str, usize> {
        let code = source.code();
        let mut out: HashMap<&'a str, usize> = HashMap::new();
        let sign = |at: usize, sign: &str| code.get(at).is_some_and(|t| t.is_sign(sign));
        for (at, token) in code.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|n| code.get(n)).map_or("", |t| t.text);
            let name = match token.sort {
                Sort::Word if MODULES.contains(&token.text) && sign(at + 1, "(") => MODULE,
                Sort::Word
                    if sign(at + 1, "=")
                        || sign(at + 1, ":")
                        || matches!(before, "def" | "fn" | "func" | "function" | "class") =>
                {
                    token.text
                }
                Sort::Text if matches!(before, "(" | ",") => {
                    token.text.rsplit('.').next().unwrap_or_default()
                }
                _ => continue,
            };
            *out.entry(name).or_default() += 1;
        }
        out
    }
    let known = names(old);
    let more = names(new)
        .into_iter()
        .filter(|(name, count)| known.get(name).is_none_or(|was| was < count));
    more.map(|(name, _)| name.to_owned()).collect()
}

/// The calls that the assertions of a body are about: those whose answer is compared, and that is given to something else
/// before by no more than a name.
pub(super) fn units<'a>(lang: Lang, body: &[Token<'a>]) -> Vec<Unit<'a>> {
    let ranges = statements(lang, body).into_iter();
    let mut spans: Vec<&[Token<'a>]> = ranges.filter_map(|range| body.get(range)).collect();
    if lang == Lang::Go {
        spans.extend(conditions(lang, body));
    }
    let brackets = Brackets::of(body);
    let mut out = Vec::new();
    let mut names: HashSet<&str> = HashSet::new();
    for span in spans {
        calls(span, &mut out);
        names.extend(span.iter().filter(|t| t.sort == Sort::Word).map(|t| t.text));
    }
    for at in 0..body.len() {
        let named = body
            .get(at)
            .is_some_and(|t| t.sort == Sort::Word && names.contains(t.text));
        let sets = [at + 1, at + 2]
            .into_iter()
            .find(|n| body.get(*n).is_some_and(|t| t.is_sign("=")))
            .filter(|n| *n == at + 1 || body.get(at + 1).is_some_and(|t| t.is_sign(":")));
        if let Some(sets) = sets.filter(|_| named) {
            let end = end_of(lang, body, &brackets, sets);
            calls(body.get(sets + 1..end).unwrap_or_default(), &mut out);
        }
    }
    out
}

/// The outermost calls of a span that are given nothing but values, assertions apart.
fn calls<'a>(span: &[Token<'a>], out: &mut Vec<Unit<'a>>) {
    let brackets = Brackets::of(span);
    let sign = |at: usize, sign: &str| span.get(at).is_some_and(|t| t.is_sign(sign));
    let mut at = 0;
    while let Some(token) = span.get(at) {
        if token.sort != Sort::Word || !sign(at + 1, "(") {
            at += 1;
            continue;
        }
        // Back over `calc.area`.
        let mut path = vec![token.text];
        let mut back = at;
        while back >= 2 && (sign(back - 1, ".") || sign(back - 1, "::")) {
            back -= 2;
            match span.get(back).filter(|t| t.sort == Sort::Word) {
                Some(owner) => path.insert(0, owner.text),
                // Of something that was answered.
                None => path.clear(),
            }
            if path.is_empty() {
                break;
            }
        }
        let asserts = |word: &&str| {
            let lower = word.to_ascii_lowercase();
            lower.starts_with("assert")
                || lower.starts_with("expect")
                || lower.starts_with("should")
                || lower.starts_with("tobe")
                || matches!(lower.as_str(), "require" | "chai" | "t" | "self" | "this" | "to")
                || is_exact_word(word)
        };
        if path.iter().any(asserts) || KEYWORDS.contains(&token.text) {
            at += 1;
            continue;
        }
        let close = brackets.close(at + 1);
        let given = span.get(at + 2..close.saturating_sub(1)).unwrap_or_default();
        let plain = !given.iter().any(|t| t.sort == Sort::Word && !is_constant(t.text));
        if plain && !path.is_empty() {
            let unit = Unit { path };
            if !out.contains(&unit) {
                out.push(unit);
            }
        }
        at = close;
    }
}

fn is_constant(word: &str) -> bool {
    matches!(
        word,
        "true" | "false" | "True" | "False" | "None" | "null" | "nil" | "undefined"
    )
}

/// What of a file stands around a test: its own body, its marks, and what is no other test.
pub(super) struct Around<'a> {
    lang: Lang,
    /// Without its ending.
    stem: String,
    tokens: Vec<Token<'a>>,
    brackets: Brackets,
}

impl<'a> Around<'a> {
    fn of(path: &str, source: &Source<'a>, test: &Test) -> Self {
        let whole = source.for_tests || source.lang == Lang::Script;
        let mut among = vec![whole; source.tokens.len()];
        let mut mark = |range: &std::ops::Range<usize>, is: bool| {
            among
                .get_mut(range.clone())
                .into_iter()
                .flatten()
                .for_each(|slot| *slot = is);
        };
        source.helpers.iter().for_each(|part| mark(part, true));
        source.tests.iter().for_each(|other| mark(&other.body, false));
        mark(&test.body, true);
        let mut tokens = above(source, test);
        let rest = source.tokens.iter().zip(among);
        tokens.extend(
            rest.filter(|(t, among)| *among && t.sort != Sort::Comment)
                .map(|(t, _)| *t),
        );
        Self {
            lang: source.lang,
            stem: stem(path).to_owned(),
            brackets: Brackets::of(&tokens),
            tokens,
        }
    }

    /// All that stands in no test.
    pub(super) fn whole(path: &str, source: &Source<'a>) -> Self {
        let mut among = vec![true; source.tokens.len()];
        for test in &source.tests {
            let inside = among.get_mut(test.body.clone()).into_iter().flatten();
            inside.for_each(|slot| *slot = false);
        }
        let all = source.tokens.iter().zip(among);
        let tokens: Vec<Token<'a>> = all
            .filter(|(t, among)| *among && t.sort != Sort::Comment)
            .map(|(t, _)| *t)
            .collect();
        Self {
            lang: source.lang,
            stem: stem(path).to_owned(),
            brackets: Brackets::of(&tokens),
            tokens,
        }
    }

    fn at(&self, at: usize) -> Option<&Token<'a>> {
        self.tokens.get(at)
    }

    fn sign(&self, at: usize, sign: &str) -> bool {
        self.at(at).is_some_and(|t| t.is_sign(sign))
    }

    /// Whether the file has a definition for a unit at all.
    fn binds(&self, unit: &Unit<'_>) -> bool {
        matches!(unit.path.as_slice(), [name] if self.defined(name).is_some())
    }

    /// Whether something of the file stands in the place of a unit.
    fn stands_in(&self, unit: &Unit<'_>) -> bool {
        let by_name = match unit.path.as_slice() {
            [name] => self
                .defined(name)
                .is_some_and(|value| self.is_idle(value, name, 0)),
            _ => false,
        };
        by_name || (0..self.tokens.len()).any(|at| self.puts(at, unit))
    }

    /// The definition of a name: a function, or a value that it is given.
    fn defined(&self, name: &str) -> Option<&[Token<'a>]> {
        let mut places = (0..self.tokens.len()).filter(|at| self.at(*at).is_some_and(|t| t.is_word(name)));
        places.find_map(|at| {
            let before = at.checked_sub(1)?;
            let lead = self.at(before)?;
            let keyword = match self.lang {
                Lang::Python => matches!(lead.text, "def" | "class"),
                Lang::Script => matches!(lead.text, "function" | "class"),
                Lang::Rust => lead.text == "fn",
                _ => lead.text == "func",
            };
            if keyword && lead.sort == Sort::Word {
                return self.block(before);
            }
            let declared = lead.sort == Sort::Word && matches!(lead.text, "const" | "let" | "var" | "mut");
            let begins = match self.lang {
                Lang::Script | Lang::Rust => declared,
                _ => self.at(at)?.first || declared,
            };
            let sets = (at + 1..at + 12)
                .find(|n| self.sign(*n, "="))
                .filter(|_| begins)?;
            let typed = sets == at + 1 || self.sign(at + 1, ":");
            let end = end_of(self.lang, &self.tokens, &self.brackets, sets);
            self.tokens.get(sets + 1..end).filter(|_| typed)
        })
    }

    /// The function or class whose keyword stands at a place; none for a method, and one that is marked.
    fn block(&self, at: usize) -> Option<&[Token<'a>]> {
        if self.lang == Lang::Python {
            let line = self.tokens.get(..at + 1)?.iter().rposition(|t| t.first)?;
            let column = self.at(line)?.column;
            let before = self.tokens.get(..line)?.iter().rev();
            let mut lines = before.filter(|t| t.first && t.column <= column);
            let method = self.at(at + 3).is_some_and(|t| matches!(t.text, "self" | "cls"));
            let marked = lines.next().is_some_and(|t| t.is_sign("@"));
            let end = indented(&self.tokens, at + 1, column, self.lang);
            return self.tokens.get(at..end).filter(|_| !method && !marked);
        }
        let open = (at + 2..at + 60).find(|n| self.sign(*n, "{"))?;
        self.tokens.get(at..self.brackets.close(open))
    }

    /// Whether a value is a function or a mock that is made here and reaches nothing of the project.
    fn is_idle(&self, value: &[Token<'a>], name: &str, depth: usize) -> bool {
        let head = value.get(..value.len().min(WIDE)).unwrap_or_default();
        let begins = |t: &Token<'_>| {
            matches!(
                t.text,
                "lambda" | "function" | "async" | "def" | "fn" | "func" | "class" | "|" | "||" | "move"
            )
        };
        let arrow = head.iter().position(|t| t.is_sign("=>"));
        let mock = head.iter().any(|t| t.sort == Sort::Word && is_mock(t.text));
        let made = head.first().is_some_and(begins) || arrow.is_some() || mock;
        if !made || depth > DEEP {
            return false;
        }
        let mut locals: HashSet<&str> = HashSet::new();
        let brackets = Brackets::of(head);
        for (at, token) in head.iter().enumerate().filter(|(_, t)| t.sort == Sort::Word) {
            let next = head.get(at + 1);
            let set = next.is_some_and(|t| t.is_sign("=") || t.is_sign(":"));
            let given = at.checked_sub(1).and_then(|n| head.get(n));
            let declared =
                given.is_some_and(|t| matches!(t.text, "let" | "const" | "var" | "for" | "mut" | "as"));
            if set || declared || arrow.is_some_and(|arrow| at < arrow) {
                locals.insert(token.text);
            }
        }
        // Parameters.
        let ends = |t: &Token<'_>| t.is_sign(":") || t.is_sign("{");
        if let Some(open) = head
            .iter()
            .position(|t| t.is_sign("("))
            .filter(|_| arrow.is_none() && !mock)
        {
            let inside = head.get(open..brackets.close(open)).unwrap_or_default();
            locals.extend(inside.iter().map(|t| t.text));
        }
        if head
            .first()
            .is_some_and(|t| matches!(t.text, "lambda" | "|" | "move"))
        {
            let from = head.iter().position(|t| t.is_sign("|")).map_or(0, |n| n + 1);
            let end = head.get(from..).unwrap_or_default();
            let end = end.iter().position(|t| ends(t) || t.is_sign("|")).unwrap_or(0);
            let inside = head.get(..from + end).unwrap_or_default();
            locals.extend(inside.iter().map(|t| t.text));
        }
        !head.iter().enumerate().any(|(at, token)| {
            let owned = at.checked_sub(1).and_then(|n| head.get(n));
            let owned = owned.is_some_and(|t| matches!(t.text, "." | "::" | "->" | "?."));
            let next = head.get(at + 1).map_or("", |t| t.text);
            // What a mock wraps or calls is reached, too.
            let named = mock && !matches!(next, "=" | ":");
            let root = token.sort == Sort::Word
                && !owned
                && (matches!(next, "(" | "." | "::" | "!") || named)
                && (token.text != name || named)
                && !locals.contains(token.text)
                && !(is_constant(token.text) || MOCKS.contains(&token.text))
                && !(OWN.contains(&token.text) || KEYWORDS.contains(&token.text));
            let inner = || self.defined(token.text);
            root && !inner().is_some_and(|value| self.is_idle(value, token.text, depth + 1))
        })
    }

    /// Whether something is put in the place of a unit at this place of the file.
    fn puts(&self, at: usize, unit: &Unit<'_>) -> bool {
        let Some(token) = self.at(at).filter(|t| t.sort == Sort::Word) else {
            return false;
        };
        let Some((name, owners)) = unit.path.split_last() else {
            return false;
        };
        let owned = at > 0 && self.sign(at - 1, ".");
        // `calc.area = …`
        let sets = !owned
            && self.sign(at + 1, ".")
            && self.at(at + 2).is_some_and(|t| t.is_word(name))
            && self.sign(at + 3, "=");
        if sets && self.is_owner(at, token.text, unit) {
            let end = end_of(self.lang, &self.tokens, &self.brackets, at + 3);
            let value = self.tokens.get(at + 4..end).unwrap_or_default();
            return self.is_idle(value, name, 0);
        }
        if !self.sign(at + 1, "(") {
            return false;
        }
        let close = self.brackets.close(at + 1);
        let given = parts(
            self.tokens
                .get(at + 2..close.saturating_sub(1))
                .unwrap_or_default(),
        );
        let first = given.first().copied().unwrap_or_default();
        if MODULES.contains(&token.text) && self.lang == Lang::Script && owned {
            let [module] = first else { return false };
            let root = unit.path.first().copied().unwrap_or_default();
            let factory = given.get(1).copied().unwrap_or_default();
            let replaced = factory.is_empty() || factory.iter().any(|t| t.text == *name);
            return module.sort == Sort::Text && replaced && self.comes_from(root, module.text);
        }
        if !PUTS.contains(&token.text) {
            return false;
        }
        let (what, rest) = match first {
            [target] if target.sort == Sort::Text => {
                let mut words = target.text.rsplit('.');
                let last = words.next() == Some(name);
                let owner = words.next().unwrap_or_default();
                let here = owner == self.stem || target.text.contains("__name__");
                let its = self.is_owner(at, owner, unit);
                // `@patch("calc.area")` hands it to the test under its name.
                let handed = owners.is_empty() && self.takes(name);
                (last && (here || its || handed), 1)
            }
            [.., owner] => {
                let its = owner.sort == Sort::Word && self.is_owner(at, owner.text, unit);
                let named = given
                    .get(1)
                    .is_some_and(|second| matches!(second, [t] if t.sort == Sort::Text && t.text == *name));
                (its && named, 2)
            }
            [] => (false, 0),
        };
        let value = given.get(rest..).unwrap_or_default();
        let reaches = |part: &&[Token<'a>]| {
            let words = part.iter().filter(|t| t.sort == Sort::Word);
            let calls = part.iter().any(|t| t.is_sign("=>") || t.is_word("lambda"));
            !calls && words.into_iter().any(|t| t.is_word(name) || t.is_word("wraps"))
        };
        let looks_on =
            token.text == "spyOn" && !self.at(close + 1).is_some_and(|t| t.text.starts_with("mock"));
        what && !looks_on && !value.iter().any(reaches) && (token.text != "method" || !value.is_empty())
    }

    /// Whether what is done to a name's part at a place is done to a unit: the unit belongs to that name, or is taken from
    /// its module afterwards.
    fn is_owner(&self, at: usize, owner: &str, unit: &Unit<'_>) -> bool {
        match unit.path.as_slice() {
            [name] => self.is_taken_behind(at, owner, name),
            [.., known, _] => *known == owner,
            [] => false,
        }
    }

    /// Whether a name is taken from a module behind a place: `from calc import area`, `{ area } = require('./calc')`.
    fn is_taken_behind(&self, at: usize, module: &str, name: &str) -> bool {
        if self.lang == Lang::Script {
            let texts = (0..self.tokens.len()).filter(|n| self.at(*n).is_some_and(|t| t.sort == Sort::Text));
            let same = |n: &usize| {
                let text = self.at(*n).map_or("", |t| t.text);
                self.comes_from(module, text) && self.imports(*n, name)
            };
            return texts.filter(|n| *n > at).any(|n| same(&n));
        }
        let module = self.aliased(module);
        self.taken(module)
            .any(|(from, names)| from > at && names.iter().any(|t| t.is_word(name)))
    }

    /// The name of a module that is known by another one: `import calc as c`.
    pub(super) fn aliased<'n>(&'n self, name: &'n str) -> &'n str {
        let found = self.tokens.windows(4).find_map(|w| match w {
            [before, module, by, alias]
                if by.is_word("as") && alias.is_word(name) && matches!(before.text, "import" | "." | ",") =>
            {
                Some(module.text)
            }
            _ => None,
        });
        found.unwrap_or(name)
    }

    /// Python: where names are taken from a module, and which.
    pub(super) fn taken<'n>(
        &'n self,
        module: &'n str,
    ) -> impl Iterator<Item = (usize, &'n [Token<'a>])> + 'n {
        let begins = self.tokens.iter().enumerate().filter(|(_, t)| t.is_word("from"));
        begins.filter_map(move |(at, _)| {
            let rest = self.tokens.get(at + 1..)?;
            let import = rest.iter().take(WIDE).position(|t| t.is_word("import"))?;
            let named = rest.get(..import)?.last()?.is_word(module);
            let names = rest.get(import + 1..)?;
            let end = match names.first()? {
                open if open.is_sign("(") => names.iter().position(|t| t.is_sign(")")),
                _ => names.iter().position(|t| t.first),
            };
            named.then(|| (at, names.get(..end.unwrap_or(names.len())).unwrap_or_default()))
        })
    }

    /// Python: what the file puts in the place of a part of a module as soon as it is imported: the module, the part, and
    /// the line.
    pub(super) fn patches(&self) -> Vec<(&str, &'a str, u32)> {
        let mut out = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            if !token.first || token.column != 0 || token.sort != Sort::Word {
                continue;
            }
            let end = end_of(self.lang, &self.tokens, &self.brackets, at);
            let line = self.tokens.get(at..end).unwrap_or_default();
            let found = match line {
                [owner, dot, name, sets, value @ ..]
                    if dot.is_sign(".") && sets.is_sign("=") && name.sort == Sort::Word =>
                {
                    self.is_idle(value, name.text, 0)
                        .then(|| (self.aliased(owner.text), name.text))
                }
                [set, open, owner, _, name, comma, value @ .., _]
                    if set.is_word("setattr")
                        && open.is_sign("(")
                        && name.sort == Sort::Text
                        && comma.is_sign(",") =>
                {
                    self.is_idle(value, name.text, 0)
                        .then(|| (self.aliased(owner.text), name.text))
                }
                _ => None,
            };
            out.extend(found.map(|(module, name)| (module, name, token.line)));
        }
        out
    }

    /// Whether a test has a parameter of this name.
    fn takes(&self, name: &str) -> bool {
        (0..self.tokens.len()).any(|at| {
            let head = self.at(at).is_some_and(|t| t.is_word("def")) && self.sign(at + 2, "(");
            let inside = self
                .tokens
                .get(at + 3..self.brackets.close(at + 2))
                .unwrap_or_default();
            head && inside.iter().any(|t| t.is_word(name))
        })
    }

    /// Whether a name is imported from this module.
    fn comes_from(&self, name: &str, module: &str) -> bool {
        let texts = self
            .tokens
            .iter()
            .enumerate()
            .filter(|(_, t)| t.sort == Sort::Text && t.text == module);
        texts.into_iter().any(|(at, _)| self.imports(at, name))
    }

    /// Whether the statement around the text at a place takes a name from the module that it is.
    fn imports(&self, at: usize, name: &str) -> bool {
        let before = self.tokens.get(at.saturating_sub(60)..at).unwrap_or_default();
        let begin = before
            .iter()
            .rposition(|t| t.first || t.is_sign(";"))
            .unwrap_or(0);
        let statement = before.get(begin..).unwrap_or_default();
        let imports = statement
            .iter()
            .any(|t| matches!(t.text, "import" | "require" | "from"));
        imports && statement.iter().any(|t| t.is_word(name))
    }
}

fn is_mock(word: &str) -> bool {
    word.ends_with("Mock") || matches!(word, "create_autospec" | "jest" | "vi" | "sinon")
}
