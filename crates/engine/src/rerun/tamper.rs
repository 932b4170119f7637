//! Level `tamper`: does the change make the tests say less? What is found becomes findings of the review.

use super::{Permit, Rerun, RerunOutcome, Runner, written_as};
use crate::review::{Party, Review, ReviewEvent, ReviewFinding, Settlement, Severity};
use crate::trust::ChecksTrust;
use crate::{Clock, Engine};
use proctor_gates::tamper::{self, Change, CheckPair, FileChange, Standing};
use proctor_kernel::{CheckRun, Error, ErrorKind, Result, Summary, TreeId, Trust};
use proctor_policy::{Settings, SourceFile, Sources, looser_keys, resolve};
use proctor_worktree::{Content, Repo, Trees};
use std::collections::HashSet;
use std::time::Duration;

/// Longest file that is read, in bytes. What is longer is data, or made by a program.
const LONGEST: usize = 256 << 10;

/// Most files that are read.
const MOST: usize = 2_000;

/// The policy's file in a repository.
const POLICY: &str = ".proctor/proctor.yaml";

/// The key whose change is compared by content.
const VERIFICATION: &str = "verification";

impl<C: Clock> Engine<C> {
    /// Compares the tree under review with where its difference begins. `outcomes` are the checks as they
    /// ended on the tree; they are run on the base too, to compare how many tests ran.
    ///
    /// # Errors
    /// Kinds `git` and `store` when the trees cannot be read or a run cannot be recorded.
    pub fn weakened(
        &mut self,
        review: &Review,
        tree: &TreeId,
        runner: &Runner,
        outcomes: &[RerunOutcome],
    ) -> Result<Vec<tamper::Finding>> {
        let (base, delta) = self.review_base(review)?;
        if base == *tree {
            return Ok(Vec::new());
        }
        let cache = self.trees_cache()?;
        let trees = self
            .repo()
            .map(|repo| repo.trees(&cache))
            .ok_or_else(|| Error::new(ErrorKind::Git, "this is no git work tree"))?;
        let difference = Difference::read(&trees, &base, tree)?;
        let files = difference.files();
        let commit = self.base_rev(review);
        let unchanged = match self.repo() {
            Some(repo) => difference.unchanged(repo, &trees, commit, &base)?,
            None => Unchanged::default(),
        };
        let (tests, held) = (standing(&unchanged.tests), standing(&unchanged.held));
        let policy = if delta {
            Vec::new()
        } else {
            self.policy_asks_less(commit)?
        };
        // The engine's own borrow of the repository ends here: checks are run next.
        let runs = self.runs_on_base(&base, runner)?;
        let checks = pairs(outcomes, &runs);
        Ok(tamper::judge(&Change {
            files: &files,
            standing: &tests,
            held: &held,
            checks: &checks,
            policy: &policy,
        }))
    }

    /// The checks on the base: from the record, however they ended, or run now.
    fn runs_on_base(&mut self, base: &TreeId, runner: &Runner) -> Result<Vec<CheckRun>> {
        let checks = self.settings().verification.clone();
        let known = |runs: &[CheckRun], name: &str, line: &str| -> Option<CheckRun> {
            let run = runs.iter().rev().find(|r| {
                r.clean
                    && r.before.as_ref() == Some(base)
                    && r.own.as_deref() == Some(name)
                    && written_as(r, line)
            });
            run.cloned()
        };
        let runs = self.engine_runs()?;
        let found: Vec<Option<CheckRun>> = checks.iter().map(|c| known(&runs, &c.name, &c.run)).collect();
        if found.iter().all(Option::is_some) {
            return Ok(found.into_iter().flatten().collect());
        }
        let timeout = Duration::from_secs(self.settings().review.rerun_seconds);
        let outcomes = self.rerun(&Rerun {
            tree: base,
            checks: &checks,
            permit: Permit::IfTrusted,
            trust: Trust::EngineRan,
            folder: &runner.folder,
            without: &runner.without,
            timeout,
            from_record: false,
        })?;
        Ok(outcomes.into_iter().filter_map(|o| o.check).collect())
    }

    /// What the project's policy asks for less than at a commit, one phrase each.
    fn policy_asks_less(&self, rev: &str) -> Result<Vec<String>> {
        let cache = self.trees_cache()?;
        let Some((repo, root)) = self.repo().and_then(|repo| Some((repo, repo.root()?))) else {
            return Ok(Vec::new());
        };
        let before = match repo
            .trees(&cache)
            .text_at(rev, POLICY, proctor_policy::MAX_FILE)?
        {
            Content::Text(text) => Some(text),
            Content::Missing | Content::Other => None,
        };
        let now = Sources::read(
            self.surroundings.user_policy.as_deref(),
            Some(&root.join(".proctor")),
        );
        let was = Sources {
            project: before.map(|text| SourceFile {
                path: POLICY.to_owned(),
                bytes: text.into_bytes(),
            }),
            ..now.clone()
        };
        if was.project.as_ref().map(|f| &f.bytes) == now.project.as_ref().map(|f| &f.bytes) {
            return Ok(Vec::new());
        }
        let (was, now) = (resolve(&was).settings, resolve(&now).settings);
        let trusted = matches!(self.checks_trust(), ChecksTrust::Own | ChecksTrust::Trusted);
        Ok(looser(&was, &now, trusted))
    }

    /// Brings the findings of a review up to date: what is new becomes one, and what is not there any more is
    /// settled. What was answered stays answered.
    ///
    /// # Errors
    /// Kind `store` when they cannot be read or written.
    pub fn note_weakened(&mut self, review: &Review, tree: &TreeId, found: &[tamper::Finding]) -> Result<()> {
        // The caller's may be older than the log.
        let book = self.reviews()?;
        let review = book.review(&review.id).unwrap_or(review);
        let same = |known: &ReviewFinding, new: &tamper::Finding| {
            known.rule.as_deref() == Some(new.kind.rule()) && known.text == new.words
        };
        let mut events = Vec::new();
        for finding in found {
            let known = review.findings.iter().rev().find(|k| same(k, finding));
            if known.is_some_and(|k| k.settled != Some(Settlement::Fixed)) {
                continue;
            }
            events.push(ReviewEvent::Found {
                review: review.id.clone(),
                finding: ReviewFinding {
                    id: self.clock().id(),
                    rule: Some(finding.kind.rule().to_owned()),
                    text: finding.words.clone(),
                    severity: match finding.severity {
                        tamper::Severity::Block => Severity::Blocking,
                        tamper::Severity::Note => Severity::Minor,
                    },
                    path: Some(finding.path.clone()).filter(|p| !p.is_empty()),
                    line: finding.line,
                    tree: Some(tree.clone()),
                    settled: None,
                    settled_by: None,
                    same_file: false,
                    answer: String::new(),
                    opinions: Vec::new(),
                },
            });
        }
        let open = review
            .findings
            .iter()
            .filter(|k| k.rule.is_some() && k.settled.is_none());
        for gone in open.filter(|k| !found.iter().any(|new| same(k, new))) {
            events.push(ReviewEvent::Settled {
                review: review.id.clone(),
                finding: gone.id.clone(),
                how: Settlement::Fixed,
                words: "it is not so any more".to_owned(),
                same_file: false,
                by: Party {
                    name: Some("proctor".to_owned()),
                    ..Party::default()
                },
            });
        }
        if events.is_empty() {
            return Ok(());
        }
        self.record_review(events).map(drop)
    }
}

/// The checks as they ended on a tree, each beside its run on the base.
pub(crate) fn pairs<'a>(outcomes: &'a [RerunOutcome], on_base: &'a [CheckRun]) -> Vec<CheckPair<'a>> {
    let pair = |o: &'a RerunOutcome| {
        let base = summary(on_base.iter().find(|r| r.own.as_deref() == Some(&*o.name)));
        CheckPair {
            name: &o.name,
            base,
            now: summary(o.check.as_ref()),
            ended_well: o.check.as_ref().is_some_and(|run| run.exit == Some(0)),
            always_tells: base.is_some_and(|s| proctor_runners::tells_figures(&s.runner)),
            folder: o.check.as_ref().map_or("", |run| &run.cwd),
        }
    };
    outcomes.iter().map(pair).collect()
}

/// The texts in which two trees differ.
pub(crate) struct Difference {
    paths: Vec<String>,
    before: Vec<Content>,
    after: Vec<Content>,
}

impl Difference {
    /// Reads them.
    ///
    /// # Errors
    /// Kind `git` when the trees cannot be read, or more differs than is compared.
    pub(crate) fn read(trees: &Trees<'_>, base: &TreeId, tree: &TreeId) -> Result<Self> {
        let changes = trees.changes(base, tree)?;
        if changes.len() > MOST {
            let what = format!(
                "{} files changed, which is more than the {MOST} that are compared",
                changes.len()
            );
            return Err(Error::new(ErrorKind::Git, what).hint("review it in smaller parts"));
        }
        let paths: Vec<String> = changes.into_iter().map(|c| c.path).collect();
        let names: Vec<&str> = paths.iter().map(String::as_str).collect();
        let before = trees.texts(base, &names, LONGEST)?;
        let after = trees.texts(tree, &names, LONGEST)?;
        Ok(Self { paths, before, after })
    }

    /// What the change is compared with of the files of the base that did not change: nothing, unless it asks for that.
    ///
    /// # Errors
    /// Kind `git` when they cannot be read.
    pub(crate) fn unchanged(
        &self,
        repo: &Repo,
        trees: &Trees<'_>,
        commit: &str,
        base: &TreeId,
    ) -> Result<Unchanged> {
        let mut unchanged = Unchanged::default();
        let files = self.files();
        // Before the first commit there are none.
        if !tamper::asks_anew(&files) || repo.commit(commit).is_err() {
            return Ok(unchanged);
        }
        let changed: HashSet<&str> = self.paths.iter().map(String::as_str).collect();
        let all: Vec<String> = repo
            .files_of(commit)?
            .into_iter()
            .map(|entry| entry.path)
            .filter(|path| !changed.contains(path.as_str()))
            .collect();
        let read = |wanted: fn(&str) -> bool| -> Result<Vec<(String, String)>> {
            let names: Vec<&str> = all
                .iter()
                .map(String::as_str)
                .filter(|path| wanted(path))
                .take(MOST)
                .collect();
            let texts = trees.texts(base, &names, LONGEST)?;
            let found = names.into_iter().zip(texts);
            Ok(found
                .filter_map(|(path, content)| match content {
                    Content::Text(text) => Some((path.to_owned(), text)),
                    Content::Missing | Content::Other => None,
                })
                .collect())
        };
        unchanged.tests = read(tamper::is_for_tests)?;
        if tamper::accuses(&files, &standing(&unchanged.tests)) {
            unchanged.held = read(tamper::may_know)?;
        }
        Ok(unchanged)
    }

    /// The files that are text on both sides.
    pub(crate) fn files(&self) -> Vec<FileChange<'_>> {
        let sides = self.before.iter().zip(&self.after);
        self.paths
            .iter()
            .zip(sides)
            .filter_map(|(path, (base, now))| {
                Some(FileChange {
                    path,
                    base: text(base)?,
                    now: text(now)?,
                })
            })
            .collect()
    }
}

/// Files of the base that did not change, with their texts.
#[derive(Default)]
pub(crate) struct Unchanged {
    /// The tests, where the change asks for what they expect.
    pub(crate) tests: Vec<(String, String)>,
    /// The others, where it answers what tests expect.
    pub(crate) held: Vec<(String, String)>,
}

/// Files as they are judged.
pub(crate) fn standing(tests: &[(String, String)]) -> Vec<Standing<'_>> {
    tests.iter().map(|(path, text)| Standing { path, text }).collect()
}

/// A side of a file: `Some(None)` where it is not there, `None` where it is no text that is read.
fn text(content: &Content) -> Option<Option<&str>> {
    match content {
        Content::Missing => Some(None),
        Content::Text(text) => Some(Some(text)),
        Content::Other => None,
    }
}

fn summary(run: Option<&CheckRun>) -> Option<&Summary> {
    run.and_then(|r| r.summary.as_ref())
}

/// The keys that are looser, in words. Checks that were only added to, or that a human trusts as they are, are not.
fn looser(was: &Settings, now: &Settings, trusted: bool) -> Vec<String> {
    let mut out: Vec<String> = looser_keys(now, was)
        .into_iter()
        .filter(|key| *key != VERIFICATION)
        .map(|key| format!("`{key}`"))
        .collect();
    let lost: Vec<&str> = was
        .verification
        .iter()
        .filter(|check| !now.verification.contains(check))
        .map(|check| check.name.as_str())
        .collect();
    if !trusted && !lost.is_empty() {
        out.push(format!(
            "`{VERIFICATION}` has no longer, or otherwise, {}",
            lost.join(", ")
        ));
    }
    out
}
