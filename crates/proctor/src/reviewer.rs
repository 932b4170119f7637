//! Starts the adversarial reviewer, headless and read-only, and takes its verdict.
//!
//! The reviewer works in a throw-away folder that holds exactly the tree under review, with no tool that
//! writes and without the settings of the place where the work was done. Its verdict is read by this process
//! and bound to that tree, whatever became of the work tree meanwhile.

use crate::clock::ProcessClock;
use crate::commands::run_check::{describe, short};
use crate::program::Looked;
use crate::proof;
use proctor_engine::Engine;
use proctor_engine::rerun::injects;
use proctor_engine::review::{
    Judgement, NewFinding, Opinion, Party, PartyKind, Review, ReviewEvent, ReviewVerdict, Settlement,
    Severity, Taken, model_told,
};
use proctor_engine::session::{Facts, Ran};
use proctor_hosts::claude::{self, drive, usage};
use proctor_kernel::{Error, ErrorKind, Result, TreeId};
use proctor_team::reviewer::{self, Brief, BriefFinding, CRITIQUE_TEMPLATE, DEFAULT_TEMPLATE, Verdict};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of a prompt that are taken for a token.
const TOKEN: u64 = 4;

/// Longest difference that stands in the prompt, in bytes; a longer one is a file beside the tree.
const DIFF: usize = 200 << 10;
/// Longest difference that is written into that file.
const LONG_DIFF: usize = 16 << 20;

/// How a reviewer is started.
pub(crate) struct Reviewer {
    /// The host's program, or its script.
    pub(crate) program: PathBuf,
    /// What runs that script for the host above.
    pub(crate) by: Option<PathBuf>,
    /// The user's own template.
    pub(crate) template: Option<PathBuf>,
    /// The host's own folder, where it keeps transcripts.
    pub(crate) config: Option<PathBuf>,
    /// The models to ask; none: as the policy says.
    pub(crate) models: Vec<String>,
    /// How many of them have to approve; `None`: all, or as many as the policy says.
    pub(crate) agree: Option<usize>,
}

/// What is reviewed, and by whom.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) review: &'a Review,
    /// The tree under review.
    pub(crate) tree: &'a TreeId,
    pub(crate) program: &'a Looked,
    /// How many reviewers it takes; together they cost the task as much as one.
    pub(crate) of: usize,
}

/// What came of a review.
pub(crate) enum Reviewed {
    /// A verdict fell.
    Verdict(Box<Review>, Verdict),
    /// Checks that the approval needs do not pass; or the reviewer approved, and the approval was not taken.
    Lacking(Vec<String>),
    /// There is no verdict.
    CouldNotRun(String),
}

impl Reviewer {
    /// Reviews a session's work as the tree is now.
    ///
    /// # Errors
    /// When the review cannot even be asked for.
    pub(crate) fn review(
        &self,
        engine: &mut Engine<ProcessClock>,
        session: Option<&str>,
    ) -> Result<Reviewed> {
        let review = engine.request_review(session)?;
        let Some(tree) = review.tree.clone() else {
            return Err(Error::new(
                ErrorKind::Input,
                "this is no git work tree: there is nothing to review",
            ));
        };
        let pins = engine.settings().approval.reviewer_programs.clone();
        let program = match Looked::at(&self.program, self.by.as_deref(), engine.repo(), &pins) {
            Ok(program) => program,
            Err(why) => return self.failed(engine, &review, &why),
        };
        let prepared = proof::prepare(engine, &review, &tree)?;
        if let Some(why) = prepared.could_not_run() {
            return self.failed(engine, &review, &why);
        }
        // A reviewer costs more than a check: nobody is asked about work whose checks do not pass.
        let lacks = prepared.lacks();
        if !lacks.is_empty() {
            engine.record_lacking(&review.id, &lacks, false)?;
            return Ok(Reviewed::Lacking(lacks));
        }
        // With what was found about its tests.
        let review = engine.reviews()?.review(&review.id).cloned().unwrap_or(review);
        let approval = engine.settings().approval.clone();
        let two = self.is_high_stakes(engine, &review, &tree)?;
        let models = if self.models.is_empty() {
            &approval.models
        } else {
            &self.models
        };
        if models.len() > 1 {
            let all = if self.models.is_empty() {
                approval.models_needed()
            } else {
                models.len()
            };
            let agree = self.agree.unwrap_or(all).clamp(1, models.len());
            // Who asks may ask for more than the policy does, and not for less.
            let needed = agree.max(approval.models_needed()).max(if two { 2 } else { 1 });
            let job = Job {
                review: &review,
                tree: &tree,
                program: &program,
                of: models.len(),
            };
            return self.panel(engine, job, models, needed);
        }
        let job = Job {
            review: &review,
            tree: &tree,
            program: &program,
            of: if two { 2 } else { 1 },
        };
        let model = models.first().unwrap_or(&approval.reviewer_model);
        let model = Some(model.as_str()).filter(|m| !m.is_empty());
        let first = if two {
            approved_by(engine, &review, &tree)?
        } else {
            None
        };
        let (party, verdict, also) = match first {
            // Only the other one is asked.
            Some(first) => match self.second(engine, job, &first) {
                Ok((party, verdict)) => (party, verdict, Some(first)),
                Err(why) => return self.failed(engine, &review, &why),
            },
            None => match self.ask(engine, job, model) {
                Ok((party, verdict)) if two && verdict.verdict == ReviewVerdict::Approve => {
                    match self.second(engine, job, &party) {
                        Ok((other, said)) if said.verdict == ReviewVerdict::Approve => {
                            (party, verdict, Some(other))
                        }
                        // The refusal wins: of two reviewers that disagree, the one that refuses is taken.
                        Ok((other, said)) => (other, said, None),
                        Err(why) => {
                            // The next look asks the other one alone, where it can be told who that is.
                            let known = party.launched_model().is_some();
                            if known
                                && let Taken::Refused(lacks) =
                                    take(engine, &review, tree, party, &verdict, Vec::new())?
                            {
                                return lacking(engine, &review, lacks);
                            }
                            return self.failed(engine, &review, &why);
                        }
                    }
                }
                Ok((party, verdict)) => (party, verdict, None),
                Err(why) => return self.failed(engine, &review, &why),
            },
        };
        let also = also.filter(|_| verdict.verdict == ReviewVerdict::Approve);
        let also = also.into_iter().collect();
        match take(engine, &review, tree, party, &verdict, also)? {
            Taken::Refused(lacks) => lacking(engine, &review, lacks),
            Taken::Stands(_) => {
                let now = engine.reviews()?.review(&review.id).cloned().unwrap_or(review);
                Ok(Reviewed::Verdict(Box::new(now), verdict))
            }
        }
    }

    /// Asks the second reviewer about what is high-stakes. An error is the reason why there is no verdict.
    fn second(
        &self,
        engine: &mut Engine<ProcessClock>,
        job: Job<'_>,
        first: &Party,
    ) -> std::result::Result<(Party, Verdict), String> {
        let model = engine.settings().approval.second_model.clone();
        if model.is_empty() {
            return Err(
                "files under `approval.high_stakes` changed: that needs a second reviewer, and your own policy names no \
                 `approval.second_model`; or a human approves"
                    .to_owned(),
            );
        }
        // Whatever a host tells of two answers to one name, they are no two models.
        if first.was_asked_for(&model) {
            return Err(format!(
                "the first reviewer was {model} as well: `approval.second_model` has to name another model than \
                 `approval.reviewer_model`"
            ));
        }
        let (party, verdict) = self
            .ask(engine, job, Some(&model))
            .map_err(|why| format!("the second reviewer: {why}"))?;
        // A refusal counts from anybody.
        if !party.is_another_model(first) && verdict.verdict == ReviewVerdict::Approve {
            return Err("both reviewers used the same model".to_owned());
        }
        Ok((party, verdict))
    }

    pub(crate) fn failed(
        &self,
        engine: &mut Engine<ProcessClock>,
        review: &Review,
        why: &str,
    ) -> Result<Reviewed> {
        engine.record_review(vec![ReviewEvent::CouldNotRun {
            review: review.id.clone(),
            why: why.to_owned(),
        }])?;
        Ok(Reviewed::CouldNotRun(why.to_owned()))
    }

    /// Asks one reviewer. An error is the reason why there is no verdict.
    pub(crate) fn ask(
        &self,
        engine: &mut Engine<ProcessClock>,
        job: Job<'_>,
        model: Option<&str>,
    ) -> std::result::Result<(Party, Verdict), String> {
        let (party, text) = self.answer(engine, job, model, &[])?;
        let verdict = reviewer::read_verdict(&text).map_err(|e| e.0)?;
        Ok((party, verdict))
    }

    /// What one reviewer answers, to the question for a verdict or, with `disputed`, for what it says of another
    /// one's findings.
    pub(crate) fn answer(
        &self,
        engine: &mut Engine<ProcessClock>,
        job: Job<'_>,
        model: Option<&str>,
        disputed: &[NewFinding],
    ) -> std::result::Result<(Party, String), String> {
        let Job {
            review,
            tree,
            program,
            of,
        } = job;
        let words = |e: Error| e.to_string();
        let replaced = || {
            format!(
                "the program {} was written or replaced meanwhile",
                program.program.path
            )
        };
        // The checks have run code of the change since it was looked at, and a reviewer may have run.
        if !program.is_there() {
            return Err(replaced());
        }
        let launch = engine.launch(&format!("review {}", review.id)).map_err(words)?;
        let mut party = Party {
            kind: PartyKind::Launched,
            host: claude::HOST.to_owned(),
            model: model.map(str::to_owned),
            asked: model.map(str::to_owned),
            launch: Some(launch.clone()),
            program: Some(program.program.clone()),
            ..Party::default()
        };
        engine
            .record_review(vec![ReviewEvent::Started {
                review: review.id.clone(),
                reviewer: Party {
                    waits: engine.own_process(),
                    ..party.clone()
                },
            }])
            .map_err(words)?;
        let folder = tempfile::tempdir().map_err(|e| format!("no folder for the reviewer: {e}"))?;
        let prompt = self
            .prompt(engine, review, tree, folder.path(), disputed)
            .map_err(words)?;
        let clean = folder.path().join("tree");
        let cache = engine.trees_cache().map_err(words)?;
        let repo = engine.repo().ok_or("this is no git work tree")?;
        repo.trees(&cache).checkout(tree, &clean).map_err(words)?;
        let seconds = engine.settings().approval.reviewer_seconds;
        let session = drive::session_of(&launch);
        let asked = prompt.len() as u64 / TOKEN;
        let mut command = program
            .command()
            .args(drive::read_only_args(&session, model))
            .cwd(&clean)
            .stdin(prompt.into_bytes())
            .env("PROCTOR_LAUNCH", &launch)
            .timeout(Duration::from_secs(seconds))
            .ends_with_caller();
        for name in drive::OUTER {
            command = command.env_remove(name);
        }
        for (name, _) in std::env::vars_os() {
            if injects(&name) || name.to_str().is_some_and(drive::chooses_model) {
                command = command.env_remove(name);
            }
        }
        let output = command.run().map_err(words)?;
        // What it used is used, whatever came of it.
        let told = self.config.as_ref();
        let told = told.and_then(|config| usage::of_session(config, &session));
        // Its transcript leaves out what a conversation begins with, and that is the prompt, too.
        let tokens = told.map_or_else(
            || drive::tokens(&output.stdout),
            |tokens| tokens.saturating_add(asked),
        );
        engine.charge_review(review, &launch, tokens, of).map_err(words)?;
        if output.timed_out {
            return Err(format!("the reviewer was ended after {seconds} s"));
        }
        if !program.is_unchanged() {
            return Err(replaced());
        }
        let result = drive::read_result(&output.stdout).map_err(|why| {
            let told = String::from_utf8_lossy(&output.stderr);
            match told.lines().rev().find(|l| !l.trim().is_empty()) {
                Some(last) => format!("{why} ({})", last.chars().take(200).collect::<String>()),
                None => why,
            }
        })?;
        party.session = result.session;
        party.model = model_told(model, &result.models).or(party.model);
        Ok((party, result.text))
    }

    /// What it is asked. A difference that is too long for that is put into a file of the folder: a reviewer has no
    /// tool that tells it what git holds.
    fn prompt(
        &self,
        engine: &Engine<ProcessClock>,
        review: &Review,
        tree: &TreeId,
        folder: &Path,
        disputed: &[NewFinding],
    ) -> Result<String> {
        let template = match &self.template {
            _ if !disputed.is_empty() => CRITIQUE_TEMPLATE.to_owned(),
            Some(path) => proctor_worktree::file::read_text(path).map_err(|e| {
                Error::new(ErrorKind::Config, format!("cannot read {}", path.display())).because(e)
            })?,
            None => DEFAULT_TEMPLATE.to_owned(),
        };
        let (from, delta) = engine.review_base(review)?;
        let cache = engine.trees_cache()?;
        let trees = engine
            .repo()
            .map(|r| r.trees(&cache))
            .ok_or_else(|| Error::new(ErrorKind::Git, "this is no git work tree"))?;
        let changed = trees.changes(&from, tree)?.into_iter().map(|c| c.path).collect();
        let diff = trees.diff(&from, tree, DIFF)?;
        let mut diff_file = None;
        if diff.cut {
            let file = folder.join("difference.patch");
            let whole = trees.diff(&from, tree, LONG_DIFF)?;
            std::fs::write(&file, whole.text).map_err(|e| {
                Error::new(ErrorKind::Store, format!("cannot write {}", file.display())).because(e)
            })?;
            diff_file = Some(file.display().to_string());
        }
        let session = Some(review.session.as_str()).filter(|s| !s.is_empty());
        let facts = match session {
            Some(session) => engine
                .session(Some(session))?
                .map(|(_, s)| s.facts)
                .unwrap_or_default(),
            None => Facts::default(),
        };
        let (changing, idle): (Vec<_>, Vec<_>) =
            facts.ran.iter().rev().partition(|ran| !ran.changed.is_empty());
        let commands = changing.into_iter().chain(idle).map(Ran::in_words).collect();
        let mut runs = facts.runs;
        runs.extend(engine.engine_runs()?);
        runs.retain(|r| r.after.as_ref() == Some(tree) || r.before.as_ref() == Some(tree));
        let finding = |f: &proctor_engine::review::ReviewFinding| BriefFinding {
            id: f.id.to_string(),
            state: match (f.settlement(Some(tree)), f.severity) {
                (Some(how), _) => how,
                (None, Severity::Minor) => "minor".to_owned(),
                (None, Severity::Blocking) => "open".to_owned(),
            },
            place: place_of(f.path.as_deref(), f.line),
            text: f.text.clone(),
            // What was said of an open one stands in the place of its answer.
            answer: if f.settled.is_some() {
                f.answer.clone()
            } else {
                f.opinions
                    .iter()
                    .map(Opinion::in_words)
                    .collect::<Vec<_>>()
                    .join("; ")
            },
        };
        let named = |f: &NewFinding| BriefFinding {
            state: match f.severity {
                Severity::Blocking => "blocking".to_owned(),
                Severity::Minor => "minor".to_owned(),
            },
            place: place_of(f.path.as_deref(), f.line),
            text: f.text.clone(),
            ..BriefFinding::default()
        };
        let brief = Brief {
            words: review.task.words.clone(),
            base: review.base.clone(),
            tree: short(tree.as_str()).to_owned(),
            delta,
            changed,
            diff: diff.text,
            diff_is_cut: diff.cut,
            diff_file,
            runs: runs.iter().map(describe).collect(),
            commands,
            commands_in_all: facts.commands,
            findings: review.findings.iter().map(finding).collect(),
            round: review.round,
            disputed: disputed.iter().map(named).collect(),
        };
        reviewer::render(&template, &brief)
    }

    /// Whether two are asked: where the end of the turn wants two, which counts a reverted change of the user's
    /// among what changed, and where the difference of the trees says so.
    fn is_high_stakes(&self, engine: &Engine<ProcessClock>, review: &Review, tree: &TreeId) -> Result<bool> {
        let session = match review.session.as_str() {
            "" => None,
            session => engine.session(Some(session))?,
        };
        if engine.takes_two(session.as_ref().map(|(_, state)| state))? {
            return Ok(true);
        }
        let globs = &engine.settings().approval.high_stakes;
        if globs.is_empty() {
            return Ok(false);
        }
        let cache = engine.trees_cache()?;
        // Of the whole task, as at the end of a turn: what two saw on another tree they did not see on this one.
        let from = engine.task_base(review)?;
        let Some(repo) = engine.repo() else {
            return Ok(false);
        };
        let changed: Vec<String> = repo
            .trees(&cache)
            .changes(&from, tree)?
            .into_iter()
            .map(|c| c.path)
            .collect();
        Ok(!engine.covered_in(review, globs, &changed).is_empty())
    }
}

/// The reviewer of a known model, another one than the second is asked for, that approved this very tree, where that
/// counts.
fn approved_by(engine: &Engine<ProcessClock>, review: &Review, tree: &TreeId) -> Result<Option<Party>> {
    let book = engine.reviews()?;
    let approvals = book.approvals_of(tree, &engine.requirements_of_review(&book, tree, review));
    let mut parties = approvals.into_iter().map(|(_, verdict)| &verdict.reviewer);
    let second = engine.settings().approval.second_model.as_str();
    let other = |party: &&Party| {
        let known = party.launched_model();
        known.is_some_and(|model| model != second) && !party.was_asked_for(second)
    };
    Ok(parties.find(other).cloned())
}

/// Takes a verdict, with what it settles.
pub(crate) fn take(
    engine: &mut Engine<ProcessClock>,
    review: &Review,
    tree: TreeId,
    party: Party,
    verdict: &Verdict,
    also: Vec<Party>,
) -> Result<Taken> {
    for id in &verdict.settled {
        if let Some(finding) = review
            .findings
            .iter()
            .find(|f| f.id.as_str() == id && f.settled.is_none())
        {
            // What Proctor itself found is there still, or it would be settled; and on the tree in which it was found
            // nothing is mended: then the reviewer lets it be.
            let (how, words) = if finding.rule.is_some() || finding.tree.as_ref() == Some(&tree) {
                (Settlement::Withdrawn, "the reviewer lets it be as it is")
            } else {
                (Settlement::Fixed, "the reviewer found it settled")
            };
            engine.settle(finding.id.as_str(), how, words, party.clone())?;
        }
    }
    let judgement = Judgement {
        verdict: verdict.verdict,
        words: verdict.summary.clone(),
        findings: verdict.findings.clone(),
        reviewer: party,
        tree: Some(tree),
    };
    engine.judge_together(&review.id, judgement, also)
}

/// The reviewer approved, and the approval was not taken.
pub(crate) fn lacking(
    engine: &mut Engine<ProcessClock>,
    review: &Review,
    lacks: Vec<String>,
) -> Result<Reviewed> {
    engine.record_lacking(&review.id, &lacks, true)?;
    Ok(Reviewed::Lacking(lacks))
}

/// Where a finding is, as `path:line`.
fn place_of(path: Option<&str>, line: Option<u32>) -> String {
    match (path, line) {
        (Some(path), Some(line)) => format!("{path}:{line}"),
        (Some(path), None) => path.to_owned(),
        _ => String::new(),
    }
}

/// The user's own template, where there is one. A repository's template would be words of the repository in the
/// reviewer's ear, so none is read there.
pub(crate) fn template(config_home: Option<&Path>) -> Option<PathBuf> {
    let path = config_home?.join("proctor/templates/reviewer.md");
    path.is_file().then_some(path)
}
