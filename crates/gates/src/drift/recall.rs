//! Thoughts that were looked at just now: a thread of answers shows each of them to the gate several times.

use super::thought::{Thought, digest};
use std::cell::{OnceCell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// Thoughts that a thread of the program remembers.
const MANY: usize = 16;
/// Longest text that is remembered, in bytes: a condensed one has at most two thousand.
const LONGEST: usize = 4 << 10;

thread_local! {
    static RECENT: RefCell<VecDeque<Rc<Recalled>>> = const { RefCell::new(VecDeque::new()) };
}

/// A thought's text and what was found in it so far.
#[derive(Debug)]
pub(super) struct Recalled {
    text: String,
    thought: OnceCell<Thought>,
    plain: OnceCell<String>,
}

impl Recalled {
    fn new(text: &str) -> Rc<Self> {
        Rc::new(Self {
            text: text.to_owned(),
            thought: OnceCell::new(),
            plain: OnceCell::new(),
        })
    }

    /// Whether this is the thought of the text.
    fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// The thought, digested.
    pub(super) fn thought(&self) -> &Thought {
        self.thought.get_or_init(|| digest(&self.text))
    }

    /// The text in normal form without commas, in which names are looked for.
    pub(super) fn plain(&self) -> &str {
        self.plain
            .get_or_init(|| proctor_prose::normalize(&self.text).replace(',', ""))
    }
}

/// The thought of this text, as it is remembered or anew.
pub(super) fn recall(text: &str) -> Rc<Recalled> {
    if text.len() > LONGEST {
        return Recalled::new(text);
    }
    RECENT.with(|recent| {
        let Ok(mut recent) = recent.try_borrow_mut() else {
            return Recalled::new(text);
        };
        if let Some(known) = recent.iter().find(|known| known.is(text)) {
            return Rc::clone(known);
        }
        let new = Recalled::new(text);
        recent.truncate(MANY - 1);
        recent.push_front(Rc::clone(&new));
        new
    })
}

/// The thoughts of these texts. One that is told again word for word is read once, however long it is.
pub(super) fn recall_all<S: AsRef<str>>(texts: &[S]) -> Vec<Rc<Recalled>> {
    let mut out: Vec<Rc<Recalled>> = Vec::with_capacity(texts.len());
    for text in texts {
        let text = text.as_ref();
        let same = out.iter().rev().take(MANY).find(|known| known.is(text));
        let known = same.map(Rc::clone);
        out.push(known.unwrap_or_else(|| recall(text)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, MANY, recall, recall_all};
    use std::rc::Rc;

    #[test]
    fn what_was_seen_just_now_is_known_and_the_rest_is_forgotten() {
        let first = recall("So far, the build fails with E0382.");
        assert!(Rc::ptr_eq(&first, &recall("So far, the build fails with E0382.")));
        assert_eq!(first.plain(), "so far the build fails with e0382.");
        assert!(!first.thought().items.is_empty());
        for n in 0..MANY {
            let other = recall(&format!("Attempt {n}"));
            assert!(!Rc::ptr_eq(&first, &other));
        }
        assert!(!Rc::ptr_eq(
            &first,
            &recall("So far, the build fails with E0382.")
        ));
        let long = "a ".repeat(LONGEST);
        assert!(!Rc::ptr_eq(&recall(&long), &recall(&long)));
        let told = recall_all(&[long.as_str(), "Attempt", long.as_str()]);
        assert!(Rc::ptr_eq(&told[0], &told[2]) && told[1].is("Attempt"));
    }
}
