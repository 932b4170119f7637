//! What the writer does with a clause.

use crate::reading::Reading;

/// What the writer does with a clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Act {
    /// States something with content; also the answer when nothing else is certain.
    #[default]
    Fact,
    /// Praises work or a person.
    Praise,
    /// Praises the speaker's own result.
    SelfPraise,
    /// Announces, restates or reports completion without any content.
    Filler,
    /// Confirms without adding anything.
    Confirmation,
    /// Greets, thanks, apologises, wishes, offers help.
    Courtesy,
    /// Announces something with choices, places, numbers or reasons.
    Plan,
    /// Asks something with content.
    Question,
    /// Gives a positive verdict word: approve, LGTM, 승인.
    Approval,
    /// Refuses.
    Refusal,
    /// Says that something is done: done, completed, 완료.
    Completion,
}

impl Act {
    /// Whether the clause adds nothing that the receiver does not know.
    #[must_use]
    pub fn is_empty_talk(self) -> bool {
        matches!(self, Self::Praise | Self::SelfPraise | Self::Filler | Self::Confirmation | Self::Courtesy)
    }
}

/// Decides the act of every clause.
pub(crate) fn classify(_: &mut Reading) {}
