//! One look-up for a listed word by the hash that its token carries: no text is read.

use super::class::Class;
use super::cue::Cues;
pub(super) use super::form::Form;
use super::form::{NUMBER, SLOTS, mixed};
use super::signs::Signs;

include!(concat!(env!("OUT_DIR"), "/forms.rs"));

/// What the word with this hash and so many bytes tells, if it is listed.
#[inline]
pub(super) fn find(hash: u32, length: usize) -> Option<&'static Form> {
    let hash = mixed(hash);
    let mut slot = hash as usize % SLOTS;
    loop {
        let found = *FORM_SLOTS.get(slot)?;
        // Also the end of a search: an empty slot has no number. The place stands for the lowest bits of the hash.
        let number = (found as usize % SLOTS).checked_sub(1)?;
        if (found ^ hash) >> NUMBER == 0
            && let Some(form) = FORMS.get(number)
            && usize::from(form.length) == length
        {
            return Some(form);
        }
        slot = (slot + 1) % SLOTS;
    }
}
