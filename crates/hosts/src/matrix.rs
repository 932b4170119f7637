//! What each host can be made to do, as data: event × answer → enforced, advisory or unsupported.
//! Documents, installer, doctor and conformance tests go by it.

/// How far a host obeys an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// The host does it; a run of the real program showed it.
    Enforced,
    /// The agent or the user is told; nobody is forced.
    Advisory,
    /// The answer has no effect at this event.
    Unsupported,
}

/// What an answer wants of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Do not go on.
    Block,
    /// Let a human decide.
    Ask,
    /// Go on with another text or input.
    Modify,
    /// Tell the agent, and go on.
    Note,
    /// Tell the user, and go on.
    Alert,
    /// Do not go on although the hook itself broke (crash, timeout, missing program).
    BrokenHook,
}

impl Answer {
    /// All answers, in the order of the documents' columns.
    pub const ALL: [Self; 6] = [
        Self::Block,
        Self::Ask,
        Self::Modify,
        Self::Note,
        Self::Alert,
        Self::BrokenHook,
    ];

    /// The word used in documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Ask => "ask",
            Self::Modify => "modify",
            Self::Note => "note",
            Self::Alert => "alert",
            Self::BrokenHook => "broken hook",
        }
    }
}

impl Support {
    /// The word used in documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Enforced => "enforced",
            Self::Advisory => "advisory",
            Self::Unsupported => "unsupported",
        }
    }
}

/// Where a cell's support is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A run of the real host showed it; the text says what was seen.
    Measured(&'static str),
    /// The host's documentation or program text says so; not seen.
    Documented(&'static str),
}

/// One cell of a host's matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The event as the host spells it.
    pub event: &'static str,
    /// The answer.
    pub answer: Answer,
    /// How far the host obeys.
    pub support: Support,
    /// The form that the answer takes.
    pub form: &'static str,
    /// Where this is known from.
    pub evidence: Evidence,
}

/// How often in a row a host takes a refused end of a turn before it ends the run as if nothing had been said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopCap {
    /// Refusals that it takes; the next one is passed over.
    pub blocks: u32,
    /// Where this is known from.
    pub evidence: Evidence,
}

/// How far an answer is obeyed at an event; `None` for an event that the matrix does not list.
#[must_use]
pub fn support(cells: &[Cell], event: &str, answer: Answer) -> Option<Support> {
    cells
        .iter()
        .find(|cell| cell.event == event && cell.answer == answer)
        .map(|cell| cell.support)
}

/// The matrix as Markdown: one table of words, and below it the form and the evidence of each cell.
#[must_use]
pub fn markdown(cells: &[Cell]) -> String {
    let mut events: Vec<&str> = Vec::new();
    for cell in cells {
        if !events.contains(&cell.event) {
            events.push(cell.event);
        }
    }
    let mut out = String::from("| event |");
    for answer in Answer::ALL {
        out.push_str(&format!(" {} |", answer.as_str()));
    }
    out.push_str("\n|---|---|---|---|---|---|---|\n");
    for event in &events {
        out.push_str(&format!("| {event} |"));
        for answer in Answer::ALL {
            out.push_str(&format!(
                " {} |",
                support(cells, event, answer).map_or("?", Support::as_str)
            ));
        }
        out.push('\n');
    }
    out.push_str("\n| event | answer | form | known from |\n|---|---|---|---|\n");
    for cell in cells {
        let evidence = match cell.evidence {
            Evidence::Measured(what) => format!("measured: {what}"),
            Evidence::Documented(what) => format!("documented: {what}"),
        };
        out.push_str(&format!(
            "| {} | {} | {} | {evidence} |\n",
            cell.event,
            cell.answer.as_str(),
            cell.form
        ));
    }
    out
}
