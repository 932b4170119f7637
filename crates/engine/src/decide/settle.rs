//! What a person's prompt does to the checklist of the task that goes on.

use super::Work;
use crate::session::Change;
use proctor_kernel::{ChecklistItem, Decision, names};
use proctor_outline::progress::{only_asks, settled};

/// Most items that are named.
const NAMED: usize = 5;

impl Work<'_> {
    /// Takes in which items a person's prompt drops or says to be done; and whether, after work was let go, it only asks
    /// something else.
    pub(super) fn settle(&mut self, text: &str) {
        let items = &self.me().checklist;
        let found = settled(items, text);
        let named = |places: &[usize]| -> Vec<String> {
            let item = |at: &usize| items.get(*at).map(|item: &ChecklistItem| item.text.clone());
            places.iter().filter_map(item).collect()
        };
        let (dropped, done) = (named(&found.dropped), named(&found.done));
        if !dropped.is_empty() || !done.is_empty() {
            self.push(Change::Settled {
                agent: self.agent.clone(),
                dropped,
                done,
            });
        }
        if self.me().given_up && only_asks(text) {
            self.push(Change::Aside {
                agent: self.agent.clone(),
            });
        }
    }

    /// Tells the user which items his prompt took off the list: what was read wrongly can be asked for again.
    pub(super) fn say_what_was_settled(&self, decision: &mut Decision) {
        for change in &self.changes {
            let Change::Settled { dropped, done, .. } = change else {
                continue;
            };
            for (items, what) in [(dropped, "no longer asked for"), (done, "done, as you say")] {
                if !items.is_empty() {
                    let more = items.len().saturating_sub(NAMED);
                    let more = if more > 0 {
                        format!(" and {more} more")
                    } else {
                        String::new()
                    };
                    decision
                        .alerts
                        .push(format!("{what}: {}{more}", names(items, NAMED)));
                }
            }
        }
    }
}
