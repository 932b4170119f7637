//! YAML text to a small tree in which every key and value knows its place. The only module that
//! knows the YAML parser.
//!
//! A mistake that leaves the rest readable (a duplicate key, a tag, a key that is no text) becomes a
//! [`Slip`] and the tree goes on without the value; only text that is no YAML at all is a [`Broken`].
//! Work is bounded by nodes and depth, never by the clock, so that anchors cannot be used as a bomb.

use granit_parser::{Event, Parser, ScalarStyle, Span};
use std::collections::{HashMap, HashSet};

/// Budget of one file in nodes, those repeated by aliases included.
const MAX_NODES: usize = 20_000;
/// Nesting; the deepest known key is at level five.
const MAX_DEPTH: usize = 24;

/// A place in a file: line and column count from 1, in characters; `len` is what to underline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) len: u32,
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) at: At,
    pub(crate) kind: Kind,
}

/// What a value is. Scalars stay text; whether they are a number or a truth value is the reader's question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Nothing, `null` or `~`.
    Null,
    /// A scalar; `plain` when it was written without quotes.
    Text { text: String, plain: bool },
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the file's order, without duplicates.
    Map(Vec<Entry>),
    /// Something already reported as a [`Slip`].
    Bad,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) at: At,
    pub(crate) value: Node,
}

/// A mistake that costs one value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slip {
    pub(crate) at: At,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// Text that cannot be read as one YAML document.
pub(crate) type Broken = Slip;

/// A whole file. `root` is `None` when the file is empty or holds only comments.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) root: Option<Node>,
    pub(crate) slips: Vec<Slip>,
}

/// Reads one document.
pub(crate) fn parse(text: &str) -> Result<Document, Broken> {
    let mut options = granit_parser::options! {
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    options.set_emit_comments(false);
    let mut reader = Reader {
        parser: Parser::new_from_str_with_options(text, options),
        slips: Vec::new(),
        anchors: HashMap::new(),
        open_anchors: HashSet::new(),
        nodes: 0,
    };
    let root = reader.document()?;
    Ok(Document {
        root,
        slips: reader.slips,
    })
}

struct Reader<'a> {
    parser: Parser<'a, granit_parser::StrInput<'a>>,
    slips: Vec<Slip>,
    anchors: HashMap<usize, Node>,
    open_anchors: HashSet<usize>,
    nodes: usize,
}

fn broken(at: At, message: impl Into<String>, help: Option<&str>) -> Broken {
    Slip {
        at,
        message: message.into(),
        help: help.map(str::to_owned),
    }
}

fn place(span: &Span) -> At {
    let len = if span.start.line() == span.end.line() {
        span.len()
    } else {
        1
    };
    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    At {
        line: narrow(span.start.line()),
        column: narrow(span.start.col() + 1),
        len: narrow(len.max(1)),
    }
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Option<(Event<'a>, Span)>, Broken> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok(pair)) => Ok(Some(pair)),
            Some(Err(error)) => {
                let mark = error.marker();
                let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                let at = At {
                    line: narrow(mark.line()),
                    column: narrow(mark.col() + 1),
                    len: 1,
                };
                Err(broken(
                    at,
                    format!("this is not valid YAML: {}", error.info()),
                    help_for(&error.info()),
                ))
            }
        }
    }

    fn document(&mut self) -> Result<Option<Node>, Broken> {
        let mut root = None;
        let mut documents = 0;
        while let Some((event, span)) = self.next()? {
            match event {
                Event::DocumentStart(..) => {
                    documents += 1;
                    if documents > 1 {
                        let help = "keep one policy per file and remove the `---` line";
                        return Err(broken(
                            place(&span),
                            "a second YAML document begins here",
                            Some(help),
                        ));
                    }
                }
                Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
                event => root = Some(self.node(event, &span, 0)?),
            }
        }
        Ok(root)
    }

    fn charge(&mut self, nodes: usize, at: At) -> Result<(), Broken> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > MAX_NODES {
            let help = "repeated aliases multiply; write the values out";
            return Err(broken(
                at,
                format!("the file has more than {MAX_NODES} values"),
                Some(help),
            ));
        }
        Ok(())
    }

    /// The next event inside a collection; a stream that ends there is broken.
    fn inner(&mut self, at: At) -> Result<(Event<'a>, Span), Broken> {
        self.next()?
            .ok_or_else(|| broken(at, "the file ends inside this value", None))
    }

    fn node(&mut self, event: Event<'a>, span: &Span, depth: usize) -> Result<Node, Broken> {
        let at = place(span);
        if depth > MAX_DEPTH {
            return Err(broken(
                at,
                format!("nested more than {MAX_DEPTH} levels deep"),
                None,
            ));
        }
        let (kind, anchor, tag) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let string_tag = tag.as_ref().is_some_and(|t| t.is_yaml_core_schema_tag("str"));
                let plain = style == ScalarStyle::Plain && !string_tag;
                let kind = if plain && matches!(&*text, "" | "~" | "null" | "Null" | "NULL") {
                    Kind::Null
                } else {
                    Kind::Text {
                        text: text.into_owned(),
                        plain,
                    }
                };
                (kind, anchor, tag.filter(|_| !string_tag))
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.open_anchors.insert(anchor);
                (self.list(at, depth)?, anchor, tag)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.open_anchors.insert(anchor);
                (self.map(at, depth)?, anchor, tag)
            }
            Event::Alias(id) => return self.alias(id, at),
            _ => return Err(broken(at, "this is not valid YAML here", None)),
        };
        let mut node = Node { at, kind };
        self.charge(own_weight(&node), at)?;
        if let Some(tag) = tag {
            self.slip(
                at,
                format!("the tag `{}` is not used in policy files", tag.original()),
                "remove the tag",
            );
            node.kind = Kind::Bad;
        }
        if anchor > 0 {
            self.open_anchors.remove(&anchor);
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn alias(&mut self, id: usize, at: At) -> Result<Node, Broken> {
        if self.open_anchors.contains(&id) {
            return Err(broken(
                at,
                "this alias lies inside the value that it repeats",
                None,
            ));
        }
        let Some(node) = self.anchors.get(&id) else {
            return Err(broken(at, "this alias has no anchor", None));
        };
        // The size is counted before anything is copied: a copy is never larger than the budget.
        let size = weight(node);
        if self.nodes.saturating_add(size) > MAX_NODES {
            return self.charge(size, at).map(|()| Node { at, kind: Kind::Bad });
        }
        let node = node.clone();
        self.charge(size, at)?;
        Ok(node)
    }

    fn list(&mut self, at: At, depth: usize) -> Result<Kind, Broken> {
        let mut items = Vec::new();
        loop {
            match self.inner(at)? {
                (Event::SequenceEnd, _) => return Ok(Kind::List(items)),
                (event, span) => items.push(self.node(event, &span, depth + 1)?),
            }
        }
    }

    fn map(&mut self, at: At, depth: usize) -> Result<Kind, Broken> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen: HashMap<String, u32> = HashMap::new();
        loop {
            let (event, span) = self.inner(at)?;
            if matches!(event, Event::MappingEnd) {
                return Ok(Kind::Map(entries));
            }
            let key = self.node(event, &span, depth + 1)?;
            let (event, span) = self.inner(at)?;
            let value = self.node(event, &span, depth + 1)?;
            let key_at = key.at;
            match key.kind {
                Kind::Text { text, .. } => {
                    if let Some(first) = seen.get(&text) {
                        let message = format!("`{}` is given twice; line {first} counts", shorten(&text));
                        self.slip(key_at, message, "remove one of the two");
                    } else {
                        seen.insert(text.clone(), key_at.line);
                        entries.push(Entry {
                            key: text,
                            at: key_at,
                            value,
                        });
                    }
                }
                Kind::Bad => {}
                _ => self.slip(key_at, "a key must be a word", "write `key: value`"),
            }
        }
    }

    fn slip(&mut self, at: At, message: impl Into<String>, help: &str) {
        self.slips.push(Slip {
            at,
            message: message.into(),
            help: Some(help.to_owned()),
        });
    }
}

/// A node's own share of the budget: one, and more for long text, since aliases copy text too.
fn own_weight(node: &Node) -> usize {
    match &node.kind {
        Kind::Text { text, .. } => 1 + text.len() / 256,
        Kind::Map(entries) => 1 + entries.iter().map(|e| e.key.len() / 256).sum::<usize>(),
        Kind::List(_) | Kind::Null | Kind::Bad => 1,
    }
}

fn weight(node: &Node) -> usize {
    own_weight(node)
        + match &node.kind {
            Kind::List(items) => items.iter().map(weight).sum(),
            Kind::Map(entries) => entries.iter().map(|e| weight(&e.value)).sum(),
            Kind::Null | Kind::Text { .. } | Kind::Bad => 0,
        }
}

fn help_for(info: &str) -> Option<&'static str> {
    if info.contains("tab") {
        Some("indent with spaces")
    } else if info.contains("nesting") || info.contains("recursion") {
        Some("a policy is never nested this deeply")
    } else if info.contains("unknown anchor") {
        Some("write the value out; `*` starts an alias, so quote text that begins with it")
    } else {
        None
    }
}

/// Text of a file, made fit for a message: one line, no control characters, at most 40 characters.
pub(crate) fn shorten(text: &str) -> String {
    let mut out: String = text
        .chars()
        .take(40)
        .map(|c| if c.is_control() { '\u{FFFD}' } else { c })
        .collect();
    if text.chars().nth(40).is_some() {
        out.push('…');
    }
    out
}
