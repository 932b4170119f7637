//! Values and mistakes in words.

use crate::keys::{self, KEYS, RESERVED};
use crate::read::join;
use crate::suggest::nearest;
use crate::yaml::{At, Kind, Node, shorten};
use std::fmt::Write as _;

/// A key that is known, but not here.
pub(crate) fn elsewhere(prefix: &str, name: &str) -> Option<String> {
    if prefix.is_empty() {
        let id = keys::canonical_section(name).unwrap_or(name);
        let under = keys::children("enforcement");
        if under.contains(&id) || RESERVED.contains(&id) {
            return Some(format!("`{name}` belongs under `enforcement:`"));
        }
    }
    let ending = format!(".{name}");
    let mut places = KEYS
        .iter()
        .filter(|key| key.path.ends_with(&ending) || key.path == name);
    match (places.next(), places.next()) {
        (Some(only), None) => Some(format!("did you mean `{}`?", only.path)),
        _ => None,
    }
}

pub(crate) fn did_you_mean(word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None => {
            let mut list = String::from("known here: ");
            for (i, name) in known.iter().enumerate() {
                let comma = if i == 0 { "" } else { ", " };
                // Writing to a string cannot fail.
                let _ = write!(list, "{comma}`{name}`");
            }
            list
        }
    }
}

pub(crate) fn flatten(path: &str, node: &Node, out: &mut Vec<(String, String, At)>) {
    match &node.kind {
        Kind::Map(entries) => entries
            .iter()
            .for_each(|e| flatten(&join(path, &shorten(&e.key)), &e.value, out)),
        Kind::List(items) => out.push((path.to_owned(), format!("{} entries", items.len()), node.at)),
        Kind::Text { text, .. } => out.push((path.to_owned(), shorten(text), node.at)),
        Kind::Null | Kind::Bad => {}
    }
}

/// A value in words, for "takes X, not …".
pub(crate) fn describe(node: &Node) -> String {
    match &node.kind {
        Kind::Null => "nothing".to_owned(),
        Kind::List(_) => "a list".to_owned(),
        Kind::Map(_) => "a mapping".to_owned(),
        Kind::Bad => "this".to_owned(),
        Kind::Text { text, plain: true } => format!("`{}`", shorten(text)),
        Kind::Text { text, plain: false } => format!("the text \"{}\"", shorten(text)),
    }
}
