//! Gate `approval`: what the end of a turn claims needs a fact, and what it changed may need a review.

mod claim;
mod completion;
mod data;
mod earlier;
mod fault;
mod figure;
mod find;
mod judge;
mod marks;
mod mood;
mod named;
mod part;
mod ran;
mod request;
mod result;
mod subject;
mod success;
mod verified;
mod warned;
mod wording;

#[cfg(test)]
mod tests;

pub use claim::{Claim, ClaimKind};
pub use earlier::{Earlier, Standing};
pub use find::claims;
pub(crate) use find::{passes, passing};
use judge::needs_review;
pub use judge::{Answer, Judgement, Question, in_doubt, judge, under};

use crate::support::Now;
use proctor_kernel::{
    Band, CheckKind, Context, EventTag, Gate, GateError, GateInfo, OnError, Outcome, Reason, ReviewStanding,
};
use proctor_policy::{Require, Verification};
use proctor_prose::{Extra, read_shared};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What this gate is.
pub static INFO: GateInfo = GateInfo {
    id: "approval",
    alias: "approval",
    about: "What the end of a turn claims needs a fact on this tree; what it changed may need an approved review.",
    band: Band::Enforcement,
    events: &[EventTag::TurnEnd, EventTag::Message],
};

/// In the data of the end of a turn that needs an approval and has none: what lets it go all the same, `escalated`,
/// `in_review` or `waiting` (for a human).
pub const LET_GO: &str = "let_go";

/// The gate with its settings.
#[derive(Clone, Debug)]
pub struct Approval {
    /// What is required.
    pub require: Require,
    /// Globs whose change needs a review, for [`Require::Paths`].
    pub paths: Vec<String>,
    /// Globs whose change needs two reviewers of different models, or a human.
    pub high_stakes: Vec<String>,
    /// The checks that the project's policy names.
    pub own: Vec<Verification>,
    /// Whether the session is remembered from a beginning on. If not, what it changed cannot be told, and a
    /// review that is required for changes could not be judged.
    pub known: bool,
    /// What the agent wrote earlier in the turn, oldest first.
    pub earlier: Vec<Earlier>,
    /// What its failure is answered with.
    pub on_error: OnError,
}

/// What sorts of claims a text and the earlier ones of its turn make, in which order, how many tests it says pass, of
/// which checks it says that there are no warnings, and the language of the answer: texts of one class get the same answer as long as the facts are the same. `writes` is the number of
/// writes by now.
#[must_use]
pub fn class(text: &str, earlier: &[Earlier], writes: u64) -> String {
    let reading = read_shared(text, &Extra::default());
    let report = find::report(text, &reading);
    let mut kinds: Vec<&str> = Vec::new();
    let mut figures: Vec<u64> = Vec::new();
    let mut unwarned: Vec<&str> = Vec::new();
    let whole = warned::Whole::new(text);
    for claim in &report.claims {
        let kind = claim.kind.as_str();
        let tests = claim.kind == ClaimKind::Check(CheckKind::Tests);
        figures.extend(figure::told(&claim.span.text).filter(|_| tests));
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
        if claim.kind.check().is_some() && !unwarned.contains(&kind) && whole.says_none(&claim.span) {
            unwarned.push(kind);
        }
    }
    let language = if reading.mainly_korean() { "ko" } else { "en" };
    let mut class = format!("{language} {} {figures:?}", kinds.join(","));
    if !unwarned.is_empty() {
        let _ = write!(class, " no warnings {}", unwarned.join(","));
    }
    for Standing { said, claim } in earlier::standing(earlier, &report, writes) {
        // When it was said decides, too.
        let last = said.last.as_ref().map_or("", |id| id.as_str());
        // Writing to a string cannot fail.
        let _ = write!(class, "; {} {} {last}", claim.kind.as_str(), said.writes);
    }
    class
}

/// Whether texts of this class tell of a run without saying that anything holds.
#[must_use]
pub fn tells_runs(class: &str) -> bool {
    class.contains("ran_") || class.contains("shown")
}

impl Gate for Approval {
    fn info(&self) -> &'static GateInfo {
        &INFO
    }

    fn check(&self, context: &Context<'_>) -> Result<Outcome, GateError> {
        let text = context.event.kind.agent_text();
        let (Some(text), true) = (text, self.require != Require::Never) else {
            return Ok(Outcome::pass());
        };
        let reading = read_shared(text, &Extra::default());
        let report = find::report(text, &reading);
        let world = context.world;
        let earlier = earlier::standing(&self.earlier, &report, world.writes());
        let claims = report.claims;
        // Every question to the world may cost a child process: only what is needed is asked.
        let all = || claims.iter().chain(earlier.iter().map(|e| &e.claim));
        let asks = all().any(|c| c.kind.holds() && (c.kind != ClaimKind::Done || !self.own.is_empty()));
        let weak = all().any(|c| !c.kind.holds());
        let (runs, tree) = match asks {
            true => (Some(world.runs()?), world.tree_id()),
            // Who only tells of a run is asked for one where runs are known.
            false if weak => (world.runs().ok(), None),
            false => (None, None),
        };
        let unread = weak && (runs.is_none() || !self.known || world.unread_commands());
        let runs = runs.unwrap_or_default();
        let reviews = matches!(self.require, Require::Changes | Require::Paths)
            && context.event.kind.tag() == EventTag::TurnEnd;
        let changed = match context.task.filter(|_| reviews) {
            Some(task) => world.files_to_review(task)?,
            None => Vec::new(),
        };
        let doubtful = in_doubt(&[self.paths.as_slice(), &self.high_stakes].concat(), &changed);
        let places = match context.task.filter(|_| !doubtful.is_empty()) {
            Some(task) => world.places(task, &doubtful),
            None => Vec::new(),
        };
        let review = if changed.is_empty() {
            ReviewStanding::None
        } else {
            world.review(!under(&self.high_stakes, &changed, &places).is_empty())?
        };
        let judged = judge(&Question {
            text,
            claims: &claims,
            earlier: &earlier,
            runs: &runs,
            unread,
            now: Now {
                tree: tree.as_ref(),
                writes: world.writes(),
                changed_since: &|tree| world.changed_since(tree),
            },
            require: self.require,
            paths: &self.paths,
            high_stakes: &self.high_stakes,
            changed: &changed,
            places: &places,
            own: &self.own,
            review: &review,
            korean: reading.mainly_korean(),
        });
        let forgotten = (reviews && !self.known)
            .then(|| "nothing is known of what happened in this session before".to_owned());
        if let Some(why) = judged.could_not_run.clone().or(forgotten)
            && judged.findings.is_empty()
        {
            return Err(GateError::new(why));
        }
        let told = |claim: &Claim, a: &Answer| {
            let run = a.support.run.and_then(|at| runs.get(at)).map(|run| &run.id);
            json!({
                "kind": claim.kind.as_str(), "text": claim.span.text, "reason": a.support.reason, "run": run,
            })
        };
        let last = judged.answers.iter();
        let mut answers: Vec<Value> = last.filter_map(|a| Some(told(claims.get(a.claim)?, a))).collect();
        for answer in &judged.earlier {
            if let Some(standing) = earlier.get(answer.claim) {
                let mut value = told(&standing.claim, answer);
                value["earlier"] = json!(true);
                answers.push(value);
            }
        }
        let supported = judged
            .answers
            .iter()
            .chain(&judged.earlier)
            .all(|a| a.support.reason == Reason::Supported);
        let mut data = json!({ "claims": answers, "supported": supported });
        if !changed.is_empty() {
            data["changed"] = json!(changed.len());
            data["review"] = json!(review);
            let go = match review {
                ReviewStanding::Escalated => Some("escalated"),
                ReviewStanding::InReview => Some("in_review"),
                ReviewStanding::Waiting => Some("waiting"),
                _ => None,
            };
            let needed =
                || !needs_review(self.require, &self.paths, &self.high_stakes, &changed, &places).is_empty();
            if let Some(go) = go.filter(|_| needed()) {
                data[LET_GO] = json!(go);
            }
        }
        Ok(Outcome {
            findings: judged.findings,
            data,
            checklist: None,
        })
    }

    fn instruction(&self) -> &'static str {
        "Say that tests, build, types or lint pass, or that something is verified, only after you ran the check on the \
         present state of the files; otherwise say what was not checked."
    }

    fn on_error(&self) -> OnError {
        self.on_error
    }
}
