//! What commands and gates do with reviews.

use super::book::{JOURNAL, KIND, ReviewBook};
use super::standing::{Requirements, checks_digest, independence};
use super::types::{
    Evidence, Party, PartyKind, Pins, Release, Review, ReviewEvent, ReviewFinding, ReviewRecord,
    ReviewVerdict, Severity, Signature, TaskRef, VerdictEntry,
};
use crate::session::{Facts, SessionState};
use crate::sight::TREES;
use crate::signing::{Notary, Statement, repository};
use crate::{Clock, Engine};
use proctor_gates::support::{Now, Support, Wanted, support};
use proctor_kernel::{CheckRun, Error, ErrorKind, Id, Reason, Result, Task, TreeId, Trust, World};
use proctor_ledger::{Draft, Durability, Journal};
use proctor_policy::ReviewLevel;
use std::path::PathBuf;

/// A verdict as a reviewer gives it.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// What the reviewer answered.
    pub verdict: ReviewVerdict,
    /// The reviewer's words.
    pub words: String,
    /// What was found.
    pub findings: Vec<NewFinding>,
    /// Who.
    pub reviewer: Party,
    /// The tree that was judged; `None`: as it is now.
    pub tree: Option<TreeId>,
}

/// Signs the text of a statement with the user's key.
pub type Sign<'a> = &'a dyn Fn(&str) -> Result<Signature>;

/// A finding that has no id yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFinding {
    /// The problem.
    pub text: String,
    /// How much it matters.
    pub severity: Severity,
    /// The file.
    pub path: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

/// What became of a verdict.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    /// It stands.
    Stands(Box<VerdictEntry>),
    /// An approval was not taken, for this reason; nothing was recorded.
    Refused(Vec<String>),
}

impl<C: Clock> Engine<C> {
    /// The reviews of this clone.
    ///
    /// # Errors
    /// Kind `store` when they cannot be read.
    pub fn reviews(&self) -> Result<ReviewBook> {
        super::open_book(self.store()?, self.clock().now())
    }

    /// The identity of the work tree as it is now; `None` outside git.
    ///
    /// # Errors
    /// Kind `git` when it cannot be told.
    pub fn tree(&self) -> Result<Option<TreeId>> {
        let Some(repo) = self.repo().filter(|r| !r.is_bare()) else {
            return Ok(None);
        };
        repo.tree_id(&self.trees_cache()?).map(Some)
    }

    /// The files that a session's tools wrote to after a moment, and that no tree shows: below `.proctor/`, where they are no
    /// policy, and inside `.git`.
    #[must_use]
    pub fn edited_unseen_after(&self, state: Option<&SessionState>, at: u64) -> Vec<String> {
        let edits = state.map_or(&[][..], |state| &state.facts.unseen);
        crate::unseen::since(edits, at.saturating_add(1))
    }

    /// The folder in which trees are identified; a cache.
    ///
    /// # Errors
    /// Kind `store` when there is no state folder.
    pub fn trees_cache(&self) -> Result<PathBuf> {
        Ok(self.store()?.root().join(TREES))
    }

    /// What an approval of this tree must have been made under to count now.
    pub fn requirements(&self, book: &ReviewBook, tree: Option<&TreeId>) -> Requirements {
        self.required_by(self.settings(), book, tree)
    }

    /// What signatures are compared with here.
    pub fn notary(&self) -> Notary {
        let signers = &self.settings().approval.signers;
        Notary::of(self.repo(), self.surroundings.user_policy.as_deref(), signers)
    }

    /// The repository as signed statements name it.
    ///
    /// # Errors
    /// Kind `input` when there is no commit yet, or only a part of the history is here.
    pub fn signed_repository(&self) -> Result<String> {
        let known = match self.repo() {
            Some(repo) => repository(repo, None)?,
            None => None,
        };
        known.ok_or_else(|| {
            Error::new(
                ErrorKind::Input,
                "a signature names the repository by the first commit of its history, and that is not here",
            )
            .hint("make a first commit; in a shallow clone, `git fetch --unshallow`")
        })
    }

    /// The session whose work is meant: the given one, or the one that did something last.
    ///
    /// # Errors
    /// Kind `input` when there is no such session, kind `store` when the records cannot be read.
    pub fn session(&self, named: Option<&str>) -> Result<Option<(String, SessionState)>> {
        let sessions = self.sessions()?;
        if let Some(named) = named {
            let found = sessions
                .into_iter()
                .find(|(log, _)| log == named || log.split_once('-').is_some_and(|(_, id)| id == named));
            return found.map(Some).ok_or_else(|| {
                Error::new(ErrorKind::Input, format!("no session {named:?} is known here"))
                    .hint("`proctor task show` lists the sessions")
            });
        }
        let latest = |(log, _): &(String, SessionState)| self.last_written(log);
        Ok(sessions.into_iter().max_by_key(latest))
    }

    /// When a log was last written, for choosing the latest.
    fn last_written(&self, log: &str) -> Option<std::time::SystemTime> {
        let folder = self.store().ok()?.root().join("log").join(log);
        let files = std::fs::read_dir(folder).ok()?;
        files
            .flatten()
            .filter_map(|f| f.metadata().ok()?.modified().ok())
            .max()
    }

    /// Records what happened to reviews, on disk before it returns. Gives the record's id.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn record_review(&mut self, events: Vec<ReviewEvent>) -> Result<Id> {
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        // What is gone would be covered by the next record.
        faults.extend(self.watch_reviews(true));
        let mut journal: Journal<ReviewBook> = self.store()?.journal(JOURNAL)?;
        let draft = Draft::new(self.stamp(), KIND, &ReviewRecord { events })?;
        let id = draft.id().clone();
        journal.commit(vec![draft], Durability::Synced)?;
        let position = journal.position().clone();
        // The record stands; the older anchor holds as well.
        if let Ok(store) = self.store.as_mut()
            && let Err(error) = store.anchor(JOURNAL, &position)
        {
            faults.push(format!(
                "how far the reviews' log reaches cannot be kept: {error}"
            ));
        }
        self.faults.extend(faults);
        Ok(id)
    }

    /// Asks for a review of a session's work, as the tree is now. A review that exists already begins a new
    /// round; one that waits for exactly this tree stays as it is.
    ///
    /// # Errors
    /// Kind `input` for an unknown session; kinds `git` and `store` when the tree or the records cannot
    /// be read or written.
    pub fn request_review(&mut self, named: Option<&str>) -> Result<Review> {
        let (session, state) = self.session(named)?.unwrap_or_default();
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        self.hold_session(&session, Some(&state));
        let tree = self.tree()?;
        let book = self.reviews()?;
        let own = state.own_task();
        let task = own.map_or_else(|| self.set_task(), |own| Ok(Some(own)))?;
        let known = book.of_session(&session).filter(|r| {
            task.as_ref().is_none_or(|t| r.task.id.as_ref() == Some(&t.id)) || r.task.id.is_none()
        });
        let waits = |r: &&Review| {
            matches!(
                r.status,
                super::ReviewStatus::Pending | super::ReviewStatus::InReview
            ) && r.tree == tree
        };
        if let Some(review) = known {
            let required = self.requirements(&book, tree.as_ref());
            if let Some(why) = book.gone_quiet(review, self.clock().now(), &required) {
                let review = review.id.clone();
                self.record_review(vec![ReviewEvent::CouldNotRun { review, why }])?;
                return self.request_review(named);
            }
        }
        if let Some(review) = known.filter(waits) {
            return Ok(review.clone());
        }
        let id = known.map_or_else(|| self.clock().id(), |r| r.id.clone());
        let base = match &task {
            Some(task) if task.base.is_some() || self.may_require_review() => task.base.clone(),
            // Nobody had to note where the work began: from here on it begins here.
            _ => self.repo().and_then(|repo| repo.head().ok()?.oid),
        };
        let (host, plain) = session.split_once('-').unwrap_or(("", &session));
        self.record_review(vec![ReviewEvent::Requested {
            review: id.clone(),
            task: TaskRef {
                id: task.as_ref().map(|t| t.id.clone()),
                words: words_of(task.as_ref(), &state.facts),
            },
            worker: Party {
                kind: if session.is_empty() {
                    PartyKind::Unknown
                } else {
                    PartyKind::Agent
                },
                host: host.to_owned(),
                session: plain.to_owned(),
                // As the host's files tell it now, else as the last turn told it.
                model: self
                    .surroundings
                    .model
                    .and_then(|look| look(host, plain))
                    .or_else(|| state.cost.metered.get("main").map(|m| m.model.clone()))
                    .filter(|m| !m.is_empty()),
                above: state.above.clone(),
                ..Party::default()
            },
            session: session.clone(),
            base,
            head: self.repo().and_then(|repo| repo.head().ok()?.oid),
            tree,
        }])?;
        self.reviews()?.review(&id).cloned().ok_or_else(|| {
            Error::new(
                ErrorKind::Internal,
                "the review that was asked for is not on record",
            )
        })
    }

    /// Leaves the present round of a review to a human. The worker may then end its turn, as one that waits:
    /// the work is not approved by that.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn leave_to_human(&mut self, review: &Id) -> Result<()> {
        if self.reviews()?.review(review).is_some_and(|r| r.human) {
            return Ok(());
        }
        let review = review.clone();
        self.record_review(vec![ReviewEvent::LeftToHuman { review }])
            .map(drop)
    }

    /// What supports an approval of a tree at this level, or what is missing.
    ///
    /// # Errors
    /// Kinds `git` and `store` when tree or records cannot be read.
    pub fn evidence(
        &self,
        level: ReviewLevel,
        session: Option<&str>,
        tree: Option<&TreeId>,
    ) -> Result<Result<Vec<Evidence>, Vec<String>>> {
        if level == ReviewLevel::Text {
            return Ok(Ok(Vec::new()));
        }
        let state = match session.filter(|s| !s.is_empty()) {
            Some(session) => self.session(Some(session))?.map(|(_, s)| s),
            None => None,
        };
        let facts = state.map(|s| s.facts).unwrap_or_default();
        self.evidence_of(level, &facts, tree)
    }

    fn evidence_of(
        &self,
        level: ReviewLevel,
        facts: &Facts,
        tree: Option<&TreeId>,
    ) -> Result<Result<Vec<Evidence>, Vec<String>>> {
        let sight = self.sight("", Some(facts), String::new());
        let missing = |why: String| Error::new(ErrorKind::Store, why);
        let mut runs = sight.runs().map_err(|e| missing(e.to_string()))?;
        let own = &self.settings().verification;
        let mut others = Vec::new();
        if level >= ReviewLevel::Rerun {
            // The project's own checks were run in a clean folder; where it names none, nobody could have.
            let clean = !own.is_empty();
            (runs, others) = runs
                .into_iter()
                .partition(|r| r.trust >= Trust::EngineRan && (r.clean || !clean));
        }
        let changed = |t: &TreeId| sight.changed_since(t);
        let now = Now {
            tree,
            writes: facts.writes,
            changed_since: &changed,
        };
        let wanted: Vec<Wanted<'_>> = if own.is_empty() {
            vec![Wanted::Verified]
        } else {
            own.iter().map(Wanted::Own).collect()
        };
        let mut evidence = Vec::new();
        let mut lacks = Vec::new();
        for wanted in wanted {
            let Support { reason, run, missing } = support(wanted, &runs, &now);
            match run
                .and_then(|at| runs.get(at))
                .filter(|_| reason == Reason::Supported)
            {
                Some(run) => evidence.push(Evidence::of(run)),
                // It was run, and that run is of another sort than this level asks for.
                None if reason == Reason::NoCommand
                    && support(wanted, &others, &now).reason != Reason::NoCommand =>
                {
                    lacks.push(other_sort(wanted, level));
                }
                None => lacks.push(missing),
            }
        }
        Ok(if lacks.is_empty() {
            Ok(evidence)
        } else {
            Err(lacks)
        })
    }

    /// Takes a verdict on the tree as it is now. An approval is refused when findings are open or when it
    /// lacks the evidence that the policy asks for; a refusal is always taken.
    ///
    /// # Errors
    /// Kind `input` when there is no such review; kinds `git` and `store` when tree or records cannot be
    /// read or written.
    pub fn judge(&mut self, review: &Id, judgement: Judgement) -> Result<Taken> {
        self.judge_as(review, judgement, None, Vec::new())
    }

    /// As [`Engine::judge`], for a verdict that others came to as well.
    ///
    /// # Errors
    /// As [`Engine::judge`].
    pub fn judge_together(&mut self, review: &Id, judgement: Judgement, others: Vec<Party>) -> Result<Taken> {
        self.judge_as(review, judgement, None, others)
    }

    /// As [`Engine::judge`], with the user's signature under it.
    ///
    /// # Errors
    /// As [`Engine::judge`], and what `sign` fails with.
    pub fn judge_signed(
        &mut self,
        review: &Id,
        judgement: Judgement,
        sign: Option<Sign<'_>>,
    ) -> Result<Taken> {
        self.judge_as(review, judgement, sign, Vec::new())
    }

    fn judge_as(
        &mut self,
        review: &Id,
        judgement: Judgement,
        sign: Option<Sign<'_>>,
        others: Vec<Party>,
    ) -> Result<Taken> {
        let mut others = others.into_iter();
        let book = self.reviews()?;
        let known = book.review(review).cloned().ok_or_else(|| {
            Error::new(ErrorKind::Input, format!("no review {review} is known here"))
                .hint("`proctor review status` shows the reviews")
        })?;
        self.hold_review(&known);
        let level = self.settings().review.level;
        let tree = match judgement.tree.clone() {
            Some(tree) => Some(tree),
            None => self.tree()?,
        };
        let mut evidence = Vec::new();
        if judgement.verdict == ReviewVerdict::Approve {
            let mut reasons: Vec<String> = known
                .open_findings()
                .map(|f| format!("finding {} is open: {}", f.id, f.text))
                .collect();
            let open = judgement
                .findings
                .iter()
                .filter(|f| f.severity == Severity::Blocking);
            reasons.extend(open.map(|f| format!("the verdict itself names a problem: {}", f.text)));
            if tree.is_none() {
                reasons.push(
                    "this is no git work tree, so there is nothing that an approval could be bound to"
                        .to_owned(),
                );
            }
            match self.evidence(level, Some(&known.session), tree.as_ref())? {
                Ok(found) => evidence = found,
                Err(lacks) => reasons.extend(lacks),
            }
            if !reasons.is_empty() {
                return Ok(Taken::Refused(reasons));
            }
        }
        let is_human = judgement.tree.is_none() && judgement.reviewer.kind == PartyKind::Human;
        let (from, head) = self.looked_at(&known, is_human)?;
        let mut entry = VerdictEntry {
            verdict: judgement.verdict,
            independence: independence(&known.worker, &judgement.reviewer),
            reviewer: judgement.reviewer,
            tree: tree.clone(),
            from,
            head,
            evidence,
            pins: Pins {
                engine: env!("CARGO_PKG_VERSION").to_owned(),
                build: self.build(),
                policy: self.policy_digest().clone(),
                checks: checks_digest(self.settings()),
                level: level.as_str().to_owned(),
                project: self.project_digest(),
            },
            words: judgement.words,
            round: known.round,
            at: 0,
            record: None,
            signature: None,
            second: others.next(),
            others: others.collect(),
        };
        if let Some(sign) = sign {
            let repository = self.signed_repository()?;
            let time = self.clock().now();
            let statement = Statement::of_verdict(&repository, review, &entry, time);
            entry.signature = Some(sign(&statement.text()?)?);
        }
        let mut events: Vec<ReviewEvent> = judgement
            .findings
            .into_iter()
            .map(|f| ReviewEvent::Found {
                review: review.clone(),
                finding: ReviewFinding {
                    id: self.clock().id(),
                    rule: None,
                    text: f.text,
                    severity: f.severity,
                    path: f.path,
                    line: f.line,
                    tree: tree.clone(),
                    settled: None,
                    settled_by: None,
                    same_file: false,
                    answer: String::new(),
                    opinions: Vec::new(),
                },
            })
            .collect();
        events.push(ReviewEvent::Decided {
            review: review.clone(),
            entry: Box::new(entry.clone()),
        });
        let attempts = self.settings().budget.review_attempts;
        let rejected = known.attempts + u32::from(entry.verdict == ReviewVerdict::Reject);
        if entry.verdict == ReviewVerdict::Reject && rejected >= attempts {
            events.push(ReviewEvent::Escalated {
                session: known.session.clone(),
                why: format!("rejected {rejected} times"),
                tree,
            });
        }
        let id = self.record_review(events)?;
        Ok(Taken::Stands(Box::new(VerdictEntry {
            record: Some(id),
            ..entry
        })))
    }

    /// Lets the work go without an approval, for a time.
    ///
    /// # Errors
    /// Kind `store` when it cannot be recorded, and what `sign` fails with.
    pub fn release(&mut self, mut release: Release, sign: Option<Sign<'_>>) -> Result<Id> {
        release.policy = Some(self.policy_digest().clone());
        if let Some(sign) = sign {
            let repository = self.signed_repository()?;
            let statement = Statement::of_release(&repository, &release, self.clock().now());
            release.signature = Some(sign(&statement.text()?)?);
        }
        self.record_review(vec![ReviewEvent::Released(Box::new(release))])
    }
}

/// What is missing when a check ran, but not in the way that a level asks for.
fn other_sort(wanted: Wanted<'_>, level: ReviewLevel) -> String {
    let level = level.as_str();
    match wanted {
        Wanted::Own(check) => format!(
            "the project's check `{}` has not passed in a clean folder of this tree, and at level `{level}` no other \
             run of it counts",
            check.run
        ),
        _ => format!("no check was run by `proctor run-check`, and at level `{level}` no other run counts"),
    }
}

impl Evidence {
    /// What an approval keeps of a run.
    #[must_use]
    pub fn of(run: &CheckRun) -> Self {
        Self {
            record: run.id.clone(),
            check: run.check.clone(),
            kinds: run.kinds,
            tree: run.after.clone(),
            exit: run.exit,
            passed: run.summary.as_ref().and_then(|s| s.passed),
            output: run.output.clone(),
            trust: run.trust,
        }
    }
}

/// The task in the user's exact words, with what they said later.
fn words_of(task: Option<&Task>, facts: &Facts) -> String {
    let first = task.map(|t| t.words.as_str()).unwrap_or_default();
    let later = facts.asked.iter().map(|a| a.words.as_str());
    let later = later.filter(|words| !first.starts_with(words) && !words.trim().is_empty());
    let words: Vec<&str> = std::iter::once(first).chain(later).collect();
    words.join("\n\n")
}
