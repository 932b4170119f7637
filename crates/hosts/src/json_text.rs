//! Edits JSON as text: what an edit does not touch keeps every byte, so that a user's settings come
//! through with their own formatting, order and numbers.

use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

/// A JSON value with its place in the text (byte offsets).
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar,
}

#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    /// Where the key begins.
    pub(crate) start: usize,
    pub(crate) value: Node,
}

impl Node {
    /// The members of an object; `None` for anything else.
    pub(crate) fn members(&self) -> Option<&[Member]> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The elements of an array; `None` for anything else.
    pub(crate) fn elements(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The value of a member; of repeated ones the last.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.members()?
            .iter()
            .rev()
            .find(|member| member.key == key)
            .map(|member| &member.value)
    }

    /// The value as a tree.
    pub(crate) fn value(&self, text: &str) -> Value {
        text.get(self.start..self.end)
            .and_then(|part| serde_json::from_str(part).ok())
            .unwrap_or(Value::Null)
    }

    fn children(&self) -> Vec<(usize, usize)> {
        match &self.kind {
            Kind::Object(members) => members
                .iter()
                .map(|member| (member.start, member.value.end))
                .collect(),
            Kind::Array(elements) => elements
                .iter()
                .map(|element| (element.start, element.end))
                .collect(),
            Kind::Scalar => Vec::new(),
        }
    }
}

/// Reads a JSON text.
///
/// # Errors
/// The JSON library's message, with line and column. Nesting deeper than 127 is refused.
pub(crate) fn parse(text: &str) -> Result<Node, serde_json::Error> {
    // The library judges; below, the text is known to be valid and its depth to be bounded.
    serde_json::from_str::<Value>(text)?;
    let mut scanner = Scanner { text, at: 0 };
    Ok(scanner.node())
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blank(&mut self) {
        while self
            .peek()
            .is_some_and(|byte| byte.is_ascii_whitespace() || byte == b',' || byte == b':')
        {
            self.at += 1;
        }
    }

    fn string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                return;
            }
        }
    }

    fn node(&mut self) -> Node {
        self.blank();
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => {
                self.at += 1;
                let mut members = Vec::new();
                loop {
                    self.blank();
                    if self.peek() != Some(b'"') {
                        break;
                    }
                    let start = self.at;
                    self.string();
                    let key = self
                        .text
                        .get(start..self.at)
                        .and_then(|key| serde_json::from_str(key).ok());
                    members.push(Member {
                        key: key.unwrap_or_default(),
                        start,
                        value: self.node(),
                    });
                }
                self.at += 1;
                Kind::Object(members)
            }
            Some(b'[') => {
                self.at += 1;
                let mut elements = Vec::new();
                loop {
                    self.blank();
                    if matches!(self.peek(), None | Some(b']')) {
                        break;
                    }
                    elements.push(self.node());
                }
                self.at += 1;
                Kind::Array(elements)
            }
            Some(b'"') => {
                self.string();
                Kind::Scalar
            }
            _ => {
                while self
                    .peek()
                    .is_some_and(|byte| !byte.is_ascii_whitespace() && !b",]}".contains(&byte))
                {
                    self.at += 1;
                }
                Kind::Scalar
            }
        };
        Node {
            start,
            end: self.at,
            kind,
        }
    }
}

/// How a text is laid out.
pub(crate) struct Layout {
    unit: String,
    newline: &'static str,
}

impl Layout {
    /// Finds out the indentation and the line ends of a text; two spaces where it shows none.
    pub(crate) fn of(text: &str, root: &Node) -> Self {
        let first = root.children().first().map(|(start, _)| *start);
        let unit = first
            .map(|start| indent_at(text, start))
            .filter(|unit| !unit.is_empty());
        Self {
            unit: unit.unwrap_or("  ").to_owned(),
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
        }
    }

    /// A value over several lines, all but the first indented by `indent`.
    fn pretty(&self, value: &Value, indent: &str) -> String {
        let mut out = Vec::new();
        let mut serializer =
            Serializer::with_formatter(&mut out, PrettyFormatter::with_indent(self.unit.as_bytes()));
        // Writing a tree of plain values to memory cannot fail; if it did, the compact form is as good.
        if serde::Serialize::serialize(value, &mut serializer).is_err() {
            return value.to_string();
        }
        String::from_utf8_lossy(&out).replace('\n', &format!("{}{indent}", self.newline))
    }
}

/// The white space at the beginning of the line on which `at` stands, if nothing else stands before it.
fn indent_at(text: &str, at: usize) -> &str {
    let line = text
        .get(..at)
        .and_then(|before| before.rsplit('\n').next())
        .unwrap_or_default();
    let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..blank).unwrap_or_default()
}

fn splice(text: &str, start: usize, end: usize, new: &str) -> String {
    format!(
        "{}{new}{}",
        text.get(..start).unwrap_or_default(),
        text.get(end..).unwrap_or_default()
    )
}

/// Adds a child behind the last one of a container; `key` is `None` for arrays.
pub(crate) fn append(
    text: &str,
    layout: &Layout,
    container: &Node,
    key: Option<&str>,
    value: &Value,
) -> String {
    let key = key
        .map(|key| format!("{}: ", Value::from(key)))
        .unwrap_or_default();
    let children = container.children();
    let (Some((first, _)), Some((_, last))) = (children.first(), children.last()) else {
        let outer = indent_at(text, container.start);
        let inner = format!("{outer}{}", layout.unit);
        let newline = layout.newline;
        let body = layout.pretty(value, &inner);
        let new = format!("{newline}{inner}{key}{body}{newline}{outer}");
        return splice(text, container.start + 1, container.end - 1, &new);
    };
    let one_line = !text
        .get(container.start..*first)
        .unwrap_or_default()
        .contains('\n');
    if one_line {
        return splice(text, *last, *last, &format!(", {key}{value}"));
    }
    let indent = indent_at(text, *first);
    let body = layout.pretty(value, indent);
    splice(
        text,
        *last,
        *last,
        &format!(",{}{indent}{key}{body}", layout.newline),
    )
}

/// Removes a child of a container, with the comma and the white space that belong to it. A container that
/// loses its last child is left as `{}` or `[]`.
pub(crate) fn remove(text: &str, container: &Node, index: usize) -> String {
    let children = container.children();
    let at = |i: usize| children.get(i).copied();
    match (index.checked_sub(1).and_then(at), at(index), at(index + 1)) {
        (Some((_, before)), Some((_, end)), _) => splice(text, before, end, ""),
        (None, Some((start, _)), Some((next, _))) => splice(text, start, next, ""),
        (None, Some(_), None) => splice(text, container.start + 1, container.end - 1, ""),
        _ => text.to_owned(),
    }
}

/// Puts another value in a value's place.
pub(crate) fn replace(text: &str, layout: &Layout, node: &Node, value: &Value) -> String {
    let one_line = !text.get(node.start..node.end).unwrap_or_default().contains('\n');
    let new = if one_line {
        value.to_string()
    } else {
        layout.pretty(value, indent_at(text, node.start))
    };
    splice(text, node.start, node.end, &new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn appended(text: &str, key: &str) -> String {
        let root = parse(text).unwrap();
        append(
            text,
            &Layout::of(text, &root),
            &root,
            Some(key),
            &json!({"a": [1]}),
        )
    }

    #[test]
    fn appending_follows_the_layout() {
        assert_eq!(
            appended("{}", "k"),
            "{\n  \"k\": {\n    \"a\": [\n      1\n    ]\n  }\n}"
        );
        assert_eq!(
            appended("{\"x\": 1.50}", "k"),
            "{\"x\": 1.50, \"k\": {\"a\":[1]}}"
        );
        assert_eq!(
            appended("{\r\n\t\"x\": 1e3\r\n}\r\n", "k"),
            "{\r\n\t\"x\": 1e3,\r\n\t\"k\": {\r\n\t\t\"a\": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}\r\n"
        );
    }

    #[test]
    fn removing_takes_the_comma_along() {
        let text = "[ 1, \"a,]\" , {\"b\": 2} ]";
        let root = parse(text).unwrap();
        assert_eq!(remove(text, &root, 0), "[ \"a,]\" , {\"b\": 2} ]");
        assert_eq!(remove(text, &root, 1), "[ 1 , {\"b\": 2} ]");
        assert_eq!(remove(text, &root, 2), "[ 1, \"a,]\" ]");
        assert_eq!(remove(text, &root, 3), text);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::vec((any::<String>(), inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn spans_cover_the_values(value in any_json(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
            let root = parse(&text).unwrap();
            prop_assert_eq!(root.value(&text), value.clone());
            if let Some(members) = root.members() {
                for member in members {
                    prop_assert_eq!(&member.value.value(&text), &value[&member.key]);
                }
            }
        }

        #[test]
        fn an_appended_member_can_be_taken_out_again_without_a_trace(value in any_json(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
            let root = parse(&text).unwrap();
            let children = root.children().len();
            let key = root.members().map(|_| "a new key");
            prop_assume!(children > 0);
            let longer = append(&text, &Layout::of(&text, &root), &root, key, &json!({"x": ["y"]}));
            let again = parse(&longer).unwrap();
            prop_assert_eq!(again.children().len(), children + 1);
            prop_assert_eq!(remove(&longer, &again, children), text);
        }
    }
}
