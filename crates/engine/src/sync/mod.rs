//! Exchange with other clones over a reference of the repository itself.
//!
//! `refs/proctor/log` holds lanes (see `proctor_ledger::LaneName`), one folder each. It is merged as a set:
//! whoever was first, nothing that was published is lost, and doing it again changes nothing.

mod board;

use crate::{Clock, Engine};
use board::{Board, Texts};
use proctor_kernel::{Error, ErrorKind, Result};
use proctor_ledger::{Diverged, LaneName, Meeting, export, meet, read_lane, read_lane_if};
use proctor_worktree::{Pushed, Repo};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

/// The reference that is exchanged.
pub const REF: &str = "refs/proctor/log";

/// How often the whole is tried while others are faster.
const ATTEMPTS: u32 = 30;

/// Longest time that one fetch or push may take.
const NETWORK: Duration = Duration::from_secs(120);

/// Rejections that are listed.
const LISTED: usize = 200;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct SyncOptions {
    /// The remote; `None`: none, the clone's own records are only written to its own reference.
    pub remote: Option<String>,
    /// Take in what others have published.
    pub fetch: bool,
    /// Publish.
    pub push: bool,
}

/// Something that is not taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejected {
    /// The lane, or the path in the tree.
    pub place: String,
    /// Where in the lane, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The record's id, where it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Why.
    pub why: String,
}

/// A record that was not published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotPublished {
    /// The log.
    pub writer: String,
    /// The record's id.
    pub record: String,
    /// Why.
    pub why: String,
}

/// Records that were published and that the log does not have any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// The log.
    pub writer: String,
    /// The ids.
    pub records: Vec<String>,
}

/// What a sync did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SyncReport {
    /// The commit that the reference points to now.
    pub commit: Option<String>,
    /// The remote.
    pub remote: Option<String>,
    /// Whether the remote has that commit.
    pub pushed: bool,
    /// Lanes in it.
    pub lanes: usize,
    /// Own records added to it.
    pub published: u64,
    /// Records of others that were not known here before.
    pub taken_in: u64,
    /// What was not taken in, at most the first two hundred.
    pub rejected: Vec<Rejected>,
    /// All of it.
    pub rejections: u64,
    /// Own records of the right kind that are not published.
    pub not_published: Vec<NotPublished>,
    /// Published records that this clone's own logs have lost: shortened or rewritten since.
    pub lost: Vec<Lost>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// How often it was tried.
    pub attempts: u32,
}

impl SyncReport {
    fn reject(&mut self, rejected: Rejected) {
        self.rejections += 1;
        if self.rejected.len() < LISTED && !self.rejected.contains(&rejected) {
            self.rejected.push(rejected);
        }
    }
}

impl<C: Clock> Engine<C> {
    /// Exchanges records with other clones. Neither work tree nor index is touched.
    ///
    /// # Errors
    /// Kind `input` outside a repository, kind `config` for an unknown remote, kind `git` when the remote or
    /// the repository refuses, kind `store` when the state folder cannot be read or written.
    pub fn sync(&mut self, options: &SyncOptions) -> Result<SyncReport> {
        let mut report = SyncReport {
            remote: options.remote.clone(),
            ..SyncReport::default()
        };
        self.set_up(&mut report.notes);
        self.store()?;
        let Some(repo) = self.repo.clone() else {
            return Err(Error::new(ErrorKind::Input, "this is no git repository")
                .hint("records are exchanged through the repository's own references"));
        };
        if let Some(remote) = &options.remote
            && !repo.has_remote(remote)?
        {
            return Err(
                Error::new(ErrorKind::Config, format!("there is no remote {remote:?}"))
                    .hint("`git remote -v` lists the remotes; their names are what counts here"),
            );
        }
        self.exchange(&repo, options, &mut report)?;
        Ok(report)
    }

    fn exchange(&self, repo: &Repo, options: &SyncOptions, report: &mut SyncReport) -> Result<()> {
        let remote = options.remote.as_deref();
        let mut fetch = options.fetch;
        for attempt in 1..=ATTEMPTS {
            report.attempts = attempt;
            report.not_published.clear();
            report.lost.clear();
            let theirs = match remote.filter(|_| fetch) {
                Some(remote) => {
                    let tracking = format!("refs/proctor/remotes/{remote}/log");
                    let before = repo.ref_commit(&tracking)?;
                    let now = repo.fetch_ref(remote, REF, &tracking, NETWORK)?;
                    note_rewritten(repo, before.as_deref(), now.as_deref(), report)?;
                    now
                }
                None => None,
            };
            let ours = repo.ref_commit(REF)?;
            let (board, published) = self.gather(repo, ours.as_deref(), theirs.as_deref(), report)?;
            let Some(commit) = self.write(repo, &board, ours.as_deref(), theirs.as_deref())? else {
                // Another sync of this clone was faster.
                self.pause(attempt);
                continue;
            };
            report.published += published;
            report.lanes = board.len();
            if let (Some(remote), Some(commit), true) = (remote, &commit, options.push) {
                let there = theirs.as_ref() == Some(commit);
                if !there && repo.push_ref(remote, commit, REF, NETWORK)? == Pushed::Behind {
                    fetch = true;
                    self.pause(attempt);
                    continue;
                }
                report.pushed = true;
            }
            report.commit = commit;
            if options.fetch {
                self.take_in(repo, board, report)?;
            }
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Git,
            format!("others were faster {ATTEMPTS} times; nothing is lost"),
        )
        .hint("run `proctor sync` again"))
    }

    /// Everything that is known: our reference, theirs, what was taken in before, and our own logs.
    fn gather(
        &self,
        repo: &Repo,
        ours: Option<&str>,
        theirs: Option<&str>,
        report: &mut SyncReport,
    ) -> Result<(Board, u64)> {
        let store = self.store()?;
        let texts = Texts::new(repo);
        let mut board = match ours {
            Some(commit) => Board::load(repo, commit, &mut |r| report.reject(r))?,
            None => Board::default(),
        };
        if let Some(theirs) = theirs
            && !(match ours {
                Some(ours) => repo.is_ancestor(theirs, ours)?,
                None => false,
            })
        {
            let other = Board::load(repo, theirs, &mut |r| report.reject(r))?;
            for (name, content) in other.lanes {
                if board.lanes.get(&name) == Some(&content) {
                    continue;
                }
                let text = texts.of(&content)?;
                let read = read_lane(&name, &text);
                reject_all(&name, &read.rejected, read.rejections, report);
                if read.rejections == 0 && !board.lanes.contains_key(&name) {
                    board.lanes.insert(name, content);
                    continue;
                }
                board.meet(&texts, name, read.text)?;
            }
        }
        for name in store.imported_lanes()? {
            let Some(text) = store.imported(&name)? else {
                continue;
            };
            let known = board.lanes.get(&name).map_or(0, board::Content::len);
            if known < text.len() as u64 {
                let text = read_lane(&name, &text).text;
                if board.meet(&texts, name.clone(), text)? {
                    let note = format!("{REF} had lost what was taken in of {name}: put back");
                    if !report.notes.contains(&note) {
                        report.notes.push(note);
                    }
                }
            }
        }
        let mut added = 0;
        let mut writers: BTreeSet<String> = store.writers()?.into_iter().collect();
        writers.extend(board.of_clone(self.id()).map(|n| n.writer.clone()));
        for writer in writers {
            let mut lanes = Vec::new();
            let names: Vec<LaneName> = board.of_clone(self.id()).cloned().collect();
            for name in names.into_iter().filter(|n| n.writer == writer) {
                if let Some(content) = board.lanes.get(&name) {
                    let text = texts.of(content)?;
                    lanes.push((name, text));
                }
            }
            let out = export(store, self.id(), &writer, &lanes)?;
            added += out.added;
            for (name, text) in out.lanes {
                board.lanes.insert(name, board::Content::Text(text));
            }
            report
                .not_published
                .extend(out.withheld.into_iter().map(|w| NotPublished {
                    writer: writer.clone(),
                    record: w.id,
                    why: w.why.to_owned(),
                }));
            report.lost.extend(
                out.diverged
                    .map(|Diverged { writer, ids }| Lost { writer, records: ids }),
            );
        }
        Ok((board, added))
    }

    /// Records that this clone published and that its logs do not have any more.
    pub(crate) fn lost_since_published(&self) -> Result<Vec<Lost>> {
        let (Some(repo), store) = (&self.repo, self.store()?) else {
            return Ok(Vec::new());
        };
        // Without git there is nothing to compare with; with a broken one there is, and it is said.
        let Some(commit) = repo.ref_commit(REF)? else {
            return Ok(Vec::new());
        };
        let texts = Texts::new(repo);
        let board = Board::load(repo, &commit, &mut |_| ())?;
        let mut by_writer: BTreeMap<String, Vec<(LaneName, Vec<u8>)>> = BTreeMap::new();
        for name in board.of_clone(self.id()) {
            if let Some(content) = board.lanes.get(name) {
                let lane = (name.clone(), texts.of(content)?);
                by_writer.entry(name.writer.clone()).or_default().push(lane);
            }
        }
        let mut lost = Vec::new();
        for (writer, lanes) in by_writer {
            let out = export(store, self.id(), &writer, &lanes)?;
            lost.extend(out.diverged.map(|d| Lost {
                writer: d.writer,
                records: d.ids,
            }));
        }
        Ok(lost)
    }

    /// Writes the board as a commit and moves the reference; `None` when somebody else moved it meanwhile.
    fn write(
        &self,
        repo: &Repo,
        board: &Board,
        ours: Option<&str>,
        theirs: Option<&str>,
    ) -> Result<Option<Option<String>>> {
        if board.lanes.is_empty() && ours.is_none() {
            return Ok(Some(None));
        }
        let tree = board.write(repo)?;
        let behind = match (ours, theirs) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(ours), Some(theirs)) => !repo.is_ancestor(theirs, ours)?,
        };
        if let (Some(ours), false) = (ours, behind)
            && repo.tree_of(ours)? == tree
        {
            return Ok(Some(Some(ours.to_owned())));
        }
        // Theirs as it is, where it has all of ours and nothing is to be added.
        let forward = match (ours, theirs) {
            (None, Some(theirs)) => repo.tree_of(theirs)? == tree,
            (Some(ours), Some(theirs)) if behind => {
                repo.is_ancestor(ours, theirs)? && repo.tree_of(theirs)? == tree
            }
            _ => false,
        };
        let commit = match theirs {
            Some(theirs) if forward => theirs.to_owned(),
            _ => {
                let parents: Vec<&str> = ours.into_iter().chain(theirs.filter(|_| behind)).collect();
                repo.write_commit(&tree, &parents, "proctor: records\n", self.clock.now() / 1000)?
            }
        };
        Ok(repo.set_ref(REF, &commit, ours)?.then_some(Some(commit)))
    }

    /// Keeps what others published where hooks can read it without git.
    fn take_in(&self, repo: &Repo, board: Board, report: &mut SyncReport) -> Result<()> {
        let store = self.store()?;
        let texts = Texts::new(repo);
        let mut known: HashMap<String, String> = HashMap::new();
        for name in store.imported_lanes()? {
            if let Some(text) = store.imported(&name)? {
                for record in read_lane(&name, &text).records {
                    known.insert(record.id.to_string(), record.hash);
                }
            }
        }
        let lost: BTreeSet<&str> = report.lost.iter().map(|l| l.writer.as_str()).collect();
        let mut wanted: Vec<_> = board
            .lanes
            .into_iter()
            .filter(|(name, _)| name.clone != self.identity.id || lost.contains(name.writer.as_str()))
            .collect();
        wanted.sort_by(|a, b| a.0.cmp(&b.0));
        let mut rejected = Vec::new();
        for (name, content) in wanted {
            let before = store.imported(&name)?;
            if before.as_ref().is_some_and(|b| b.len() as u64 == content.len()) {
                continue;
            }
            let text = texts.of(&content)?;
            let read = read_lane_if(&name, &text, |record| match known.get(record.id.as_str()) {
                Some(hash) if *hash != record.hash => {
                    Err("its id is that of another record that is known here".to_owned())
                }
                _ => Ok(()),
            });
            rejected.push((name.clone(), read.rejected, read.rejections));
            for record in read.records {
                let new = known.insert(record.id.to_string(), record.hash).is_none();
                report.taken_in += u64::from(new);
            }
            match before.map(|before| meet(&before, &read.text)) {
                Some(Meeting::First) => {}
                None | Some(Meeting::Second) => {
                    if !read.text.is_empty() {
                        store.take_in(&name, &read.text)?;
                    }
                }
                Some(Meeting::FirstKeepsName | Meeting::SecondKeepsName) => {
                    store.take_in(&name.aside(&read.text), &read.text)?;
                }
            }
        }
        for (name, list, count) in rejected {
            reject_all(&name, &list, count, report);
        }
        Ok(())
    }

    /// Waits a little, longer with each attempt and never twice the same.
    fn pause(&self, attempt: u32) {
        let [a, b, ..] = self.clock.random();
        let spread = u64::from(u16::from_le_bytes([a, b])) % (u64::from(attempt) * 15 + 10);
        std::thread::sleep(Duration::from_millis(5 + spread));
    }
}

fn reject_all(name: &LaneName, list: &[proctor_ledger::Rejection], count: u64, report: &mut SyncReport) {
    for rejection in list {
        report.reject(Rejected {
            place: name.to_string(),
            offset: Some(rejection.offset),
            record: rejection.id.clone(),
            why: rejection.why.clone(),
        });
    }
    report.rejections += count.saturating_sub(list.len() as u64);
}

/// A remote's log only ever grows; when it does not, that is said. What we have of it stays.
fn note_rewritten(
    repo: &Repo,
    before: Option<&str>,
    now: Option<&str>,
    report: &mut SyncReport,
) -> Result<()> {
    let note = match (before, now) {
        (Some(_), None) => "the remote had a log and has none now; what was fetched of it is kept",
        (Some(before), Some(now)) if !repo.is_ancestor(before, now)? => {
            "the remote's log was rewritten since it was fetched last; what was fetched of it is kept"
        }
        _ => return Ok(()),
    };
    if !report.notes.iter().any(|n| n == note) {
        report.notes.push(note.to_owned());
    }
    Ok(())
}
