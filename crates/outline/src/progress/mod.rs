//! What answers say about a checklist: which items are done, and which are not after all.
//!
//! An answer is read clause by clause. Each clause may speak of items (by name, number, range or
//! quantity) and of a state (done, open, taken back). Later clauses win over earlier ones, later
//! answers over earlier ones. Quotations, questions, conditions, plans and other people's work complete
//! nothing.

mod answer;
mod boxes;
mod checklist;
mod class;
mod context;
mod counts;
mod cue;
#[cfg(test)]
mod cue_words;
mod cues;
mod cuts;
mod data;
mod entries;
mod files;
mod finding;
mod form;
mod forms;
#[expect(dead_code, reason = "the build fills the sets")]
mod keys;
mod korean;
mod look;
mod memo;
mod mended;
mod message;
mod part;
mod people;
mod readers;
mod ready;
mod reference;
mod release;
mod senses;
mod sentence;
mod signs;
mod status;
mod stem;
mod syllables;
mod tally;
mod verdict;
mod whole;
mod words;

pub use release::{Settled, only_asks, settled};

use checklist::Checklist;
use proctor_kernel::ChecklistItem;
use std::cell::RefCell;
use std::rc::Rc;

/// The items as a fresh checklist: nothing done.
#[must_use]
pub fn checklist(items: &[String]) -> Vec<ChecklistItem> {
    items
        .iter()
        .map(|text| ChecklistItem {
            text: text.clone(),
            completed: false,
        })
        .collect()
}

/// The checklist after an answer. `created` are paths of files that were really made; each completes
/// the item that asks for just that file's creation, unless this answer takes it back.
#[must_use]
pub fn update(items: &[ChecklistItem], response: &str, created: &[String]) -> Vec<ChecklistItem> {
    let mut out = items.to_vec();
    advance(&mut out, response, created);
    out
}

/// As [`update`], in place.
pub fn advance(items: &mut [ChecklistItem], response: &str, created: &[String]) {
    advance_with(items, response, created, &mut |_, _| {});
}

/// The places of open items that ask for a verdict, as "a verdict" and 리뷰 판정 do.
#[must_use]
pub fn open_verdicts(items: &[ChecklistItem]) -> Vec<usize> {
    if items.iter().all(|item| item.completed) {
        return Vec::new();
    }
    let open = |at: &usize| items.get(*at).is_some_and(|item| !item.completed);
    indexed(items).verdicts().filter(open).collect()
}

/// As [`advance`]; what follows sees what was read, and the items by the rules.
fn advance_with(
    items: &mut [ChecklistItem],
    response: &str,
    created: &[String],
    follow: message::Follow<'_>,
) {
    if items.is_empty() {
        return;
    }
    let list = indexed(items);
    let mut done: Vec<bool> = items.iter().map(|i| i.completed).collect();
    for item in list.created(created) {
        if let Some(state) = done.get_mut(item) {
            *state = true;
        }
    }
    message::apply_with(&list, response, &mut done, follow);
    for (item, completed) in items.iter_mut().zip(done) {
        item.completed = completed;
    }
}

/// Whether only the beginning and the end of an answer are read, because it is longer than 512 KiB or has more clauses
/// than anybody writes.
#[must_use]
pub fn is_partial(response: &str) -> bool {
    response.len() > message::ANSWER
        || response.len() > MANY
            && proctor_prose::read_shared(response, &proctor_prose::Extra::default()).is_partial()
}

/// Length in bytes below which no text has too many clauses.
const MANY: usize = 32 << 10;

/// Checklists with the items that they were made from, the latest first.
type Made = Vec<(Vec<String>, Rc<Checklist>)>;

thread_local! {
    /// The last checklists of this thread: an agent's items stay the same over many answers, and agents take turns.
    static LAST: RefCell<Made> = const { RefCell::new(Vec::new()) };
}

/// Most checklists that are kept.
const LISTS: usize = 32;

/// Most items whose index is kept.
const KEPT: usize = 256;

/// Makes items ready for the answers to come, on this thread: for a program that sets a task some time before its first answer.
/// Changes nothing but the time that this answer takes.
pub fn expect(items: &[ChecklistItem]) {
    if !items.is_empty() {
        let _ready = indexed(items);
    }
}

/// The items, ready for look-ups.
fn indexed(items: &[ChecklistItem]) -> Rc<Checklist> {
    let texts = || items.iter().map(|i| i.text.as_str());
    LAST.with(|last| {
        let Ok(mut last) = last.try_borrow_mut() else {
            return Rc::new(Checklist::new(texts()));
        };
        let same = |(known, _): &(Vec<String>, _)| known.iter().map(String::as_str).eq(texts());
        if let Some(at) = last.iter().position(same) {
            last.get_mut(..=at).unwrap_or_default().rotate_right(1);
            if let Some((_, list)) = last.first() {
                return Rc::clone(list);
            }
        }
        let list = Rc::new(Checklist::new(texts()));
        if items.len() <= KEPT {
            last.truncate(LISTS - 1);
            last.insert(0, (texts().map(str::to_owned).collect(), Rc::clone(&list)));
        }
        list
    })
}

/// The reminder for the end of a turn, `[SYSTEM] Remaining: 2 items. Next: Write tests`; `None` when
/// nothing is open. Programs read it, so the noun stays the same with one item.
#[must_use]
pub fn reminder(items: &[ChecklistItem]) -> Option<String> {
    let mut open = items.iter().filter(|i| !i.completed);
    let next = open.next()?;
    let count = 1 + open.count();
    Some(format!("[SYSTEM] Remaining: {count} items. Next: {}", next.text))
}

#[cfg(test)]
mod tests;
