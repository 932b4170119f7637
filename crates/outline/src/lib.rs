//! Reading delegations: what must come out, which files may change, and what answers say of it.
//!
//! Pure functions from text to structure, in English and Korean. Linear in the length of the text; no
//! input makes them fail.

mod background;
mod delegates;
mod grant;
mod items;
mod json;
mod labels;
mod layout;
mod list;
mod makes;
mod names;
mod paths;
pub mod progress;
mod read;
mod roles;
pub mod scope;
mod sections;
mod shown;
mod text;
mod tree;

pub use background::{Background, background};
pub use delegates::{Delegate, delegates};
pub use makes::makes;
pub use read::{extend, read};
pub use sections::{Sections, sections};

/// Bytes of a text that are looked at: its beginning and its end, half of this each. Delegations are a few
/// kilobytes; whatever is pasted into the middle of megabytes is not what they ask for.
pub const LOOKED_AT: usize = 256 * 1024;

/// A text in the form that the readers work on.
struct Prepared {
    text: String,
    /// Bytes in the middle that were left out.
    unread: usize,
    /// It has a `DELEGATE` line.
    delegate: bool,
}

fn prepare(text: &str) -> Prepared {
    let (text, unread) = text::ends(text, LOOKED_AT);
    let normal = text::normal(&text);
    let (text, delegate) = delegates::unwrap(&json::rewrite(&normal));
    Prepared {
        text: delegates::with_scopes(text),
        unread,
        delegate,
    }
}

fn prepared_pieces(text: &str) -> Vec<sections::Piece> {
    sections::pieces(&prepare(text).text)
}

/// Whether a prompt hands work from one agent to another: it has a `DELEGATE` line or at least four of
/// the six sections of a delegation, among them the expected outcome.
#[must_use]
pub fn is_delegation(text: &str) -> bool {
    let prepared = prepare(text);
    if prepared.delegate {
        return true;
    }
    let sections = sections::of_pieces(&sections::pieces(&prepared.text));
    sections.outcome && sections.count() >= 4
}

#[cfg(test)]
mod shown_tests;
#[cfg(test)]
mod tests;
