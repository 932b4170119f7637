//! The tree of a command line, as far as it is needed to see what runs and whose status counts.

use std::rc::Rc;

/// Commands one after another.
#[derive(Debug, Default)]
pub(crate) struct List(pub(crate) Vec<Item>);

/// `a && b || c`, perhaps in the background.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(Join, Pipeline)>,
    pub(crate) background: bool,
}

/// What stands between two pipelines of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    And,
    Or,
}

/// `! a | b`.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) negated: bool,
    pub(crate) parts: Vec<Command>,
}

#[derive(Debug)]
pub(crate) enum Command {
    Simple(SimpleCommand),
    Compound(Compound, Vec<Redirect>),
    Function(String, Rc<Command>),
}

#[derive(Debug)]
pub(crate) enum Compound {
    Subshell(List),
    Group(List),
    If {
        arms: Vec<(List, List)>,
        other: Option<List>,
    },
    /// `for` and `select`; without `in` there are no words.
    For {
        name: String,
        words: Option<Vec<Word>>,
        body: List,
        /// Whether the words are all there is to it: not so for `select` and `for ((…))`.
        plain: bool,
    },
    /// `while` and `until`.
    While {
        condition: List,
        body: List,
    },
    /// An arm knows whether it takes everything (`*`).
    Case {
        words: Vec<Word>,
        arms: Vec<(bool, List)>,
    },
    /// `[[ … ]]`
    Test(Vec<Word>),
    /// `(( … ))`: its text, and the substitutions in it.
    Arithmetic(String, Vec<Part>),
    Coprocess(Box<Command>),
}

#[derive(Debug, Default)]
pub(crate) struct SimpleCommand {
    pub(crate) assigns: Vec<Assign>,
    pub(crate) words: Vec<Word>,
    pub(crate) redirects: Vec<Redirect>,
}

#[derive(Debug)]
pub(crate) struct Assign {
    pub(crate) name: String,
    /// Whether it sets the whole variable: not so for `a+=x`, `a[1]=x` and `a=(…)`.
    pub(crate) plain: bool,
    pub(crate) value: Word,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
    /// `2>&1`, `<&3`: no file is named.
    Duplicate,
    /// A here-document, by its number in [`Script::documents`].
    Document(usize),
    /// `<<<`
    Text,
}

#[derive(Debug)]
pub(crate) struct Redirect {
    pub(crate) direction: Direction,
    pub(crate) target: Word,
}

#[derive(Debug, Default)]
pub(crate) struct Word(pub(crate) Vec<Part>);

#[derive(Debug)]
pub(crate) enum Part {
    /// Text with its quotes removed. Not quoted: patterns and `~` in it mean something.
    Text { text: String, quoted: bool },
    /// `$x` and `${x}` (then `plain`), or `${x:-…}` with what stands in it.
    Parameter {
        name: String,
        plain: bool,
        quoted: bool,
        source: String,
        inner: Vec<Part>,
    },
    /// `$(…)` and backquotes.
    Substitution { body: List, source: String },
    /// `<(…)` and `>(…)`.
    Process { body: List, source: String },
    /// `$((…))`
    Arithmetic { source: String, inner: Vec<Part> },
}

/// A parsed line with its here-documents.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) list: List,
    pub(crate) documents: Vec<Word>,
}
