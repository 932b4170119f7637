//! An audit from paths to report: every file once, one line at a time.

use crate::conversation::Conversation;
use crate::figures::Figures;
use crate::judge::Judge;
use crate::report::{Day, Input, Problem, Report, SCHEMA_VERSION, Session, UsedSettings, Worst, shorten};
use crate::sink::{Place, Prompts, Sink, Who, digest};
use crate::source::{self, SessionFiles};
use proctor_hosts::claude::transcript::{Entry, Item, Reader};
use proctor_kernel::{PromptOrigin, Result};
use proctor_policy::Settings;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What an audit is to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The settings of the gates: thresholds, the user's own patterns, the project's verifications.
    /// Modes do not matter: an audit reports what the gates think in any mode.
    pub settings: Settings,
    /// How many examples to keep for each metric.
    pub limit_examples: usize,
    /// Whether the report may quote the transcripts.
    pub quotes: bool,
    /// The time to put into the report (RFC 3339); the library has no clock.
    pub generated_at: Option<String>,
}

impl Options {
    /// Ten examples for each metric, with quotes.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            limit_examples: 10,
            quotes: true,
            generated_at: None,
        }
    }
}

/// Told how far an audit is. All methods do nothing by default, and `()` is a silent one.
pub trait Progress {
    /// The files are found.
    fn start(&mut self, files: u64, bytes: u64) {
        let _ = (files, bytes);
    }

    /// So many of all bytes are read; `file` is the one at hand. Called about once per megabyte.
    fn advance(&mut self, bytes: u64, file: &Path) {
        let _ = (bytes, file);
    }

    /// Everything is read.
    fn finish(&mut self) {}
}

impl Progress for () {}

/// How many problems of each sort a report lists.
const PROBLEMS: u64 = 50;
/// Bytes between two calls of [`Progress::advance`].
const STEP: u64 = 1 << 20;
/// Length of a session's title, in characters.
const TITLE: usize = 100;

/// Audits transcripts: single files, or folders with all that lies in them. A session file brings its
/// subagents along.
///
/// # Errors
/// When one of `paths` does not exist. What cannot be read inside a folder is part of the report.
pub fn run(paths: &[PathBuf], options: &Options, progress: &mut dyn Progress) -> Result<Report> {
    run_with(
        paths,
        options,
        &crate::gates::Gates::new(&options.settings),
        progress,
    )
}

/// [`run`] with any judge.
pub(crate) fn run_with(
    paths: &[PathBuf],
    options: &Options,
    judge: &dyn Judge,
    progress: &mut dyn Progress,
) -> Result<Report> {
    let found = source::find(paths)?;
    let files = found
        .sessions
        .iter()
        .map(|s| s.agents.len() + usize::from(s.main.is_some()))
        .sum::<usize>();
    progress.start(files as u64, found.bytes);
    let mut audit = Audit {
        sink: Sink {
            judge,
            options,
            figures: Figures::default(),
            days: BTreeMap::new(),
            worst: Worst::new(options.limit_examples),
            prompts: Prompts::default(),
            agents: HashMap::new(),
        },
        input: Input {
            other: found.other,
            internal: found.internal,
            ..Input::default()
        },
        seen: HashSet::new(),
        progress,
        told: 0,
    };
    for (path, why) in found.unreadable {
        audit.problem(&path, None, why);
    }
    let mut sessions = Vec::new();
    let mut project: Option<&Path> = None;
    for files in &found.sessions {
        if project != Some(&files.project) {
            // Resumes and forks copy records only between sessions of one project.
            audit.seen.clear();
            project = Some(&files.project);
        }
        sessions.extend(audit.session(files));
    }
    audit.progress.finish();
    sessions.sort_by(|a, b| (&a.start, &a.id).cmp(&(&b.start, &b.id)));
    let mut totals = Figures::default();
    for session in &sessions {
        totals.add(&session.figures);
    }
    let Sink { days, worst, .. } = audit.sink;
    let settings = &options.settings;
    Ok(Report {
        schema_version: SCHEMA_VERSION,
        generated_at: options.generated_at.clone(),
        input: audit.input,
        settings: UsedSettings {
            flattery_threshold: settings.response.threshold,
            human_threshold: settings.response.human_threshold,
            violation_threshold: settings.scope.violation_threshold,
        },
        metrics: totals.metrics().to_vec(),
        totals,
        sessions,
        days: days
            .into_iter()
            .map(|(date, figures)| Day { date, figures })
            .collect(),
        examples: worst.into_examples(),
    })
}

struct Audit<'a> {
    sink: Sink<'a>,
    input: Input,
    /// Digests of the records counted in this project.
    seen: HashSet<u64>,
    progress: &'a mut dyn Progress,
    /// Bytes read when progress was last told.
    told: u64,
}

/// What the records of a session say about it.
#[derive(Default)]
struct About {
    start: String,
    end: String,
    project: String,
    title: String,
    /// Entries that were read.
    entries: u64,
}

impl Audit<'_> {
    fn session(&mut self, files: &SessionFiles) -> Option<Session> {
        self.sink.figures = Figures::default();
        self.sink.prompts = Prompts::default();
        self.sink.agents.clear();
        let mut about = About::default();
        let mut agents = 0;
        // Subagents first: their parent takes over what they changed and checked.
        for (agent, path) in &files.agents {
            let before = about.entries;
            self.file(files, Some(agent), path, &mut about);
            agents += u64::from(about.entries > before);
        }
        if let Some(path) = &files.main {
            self.file(files, None, path, &mut about);
        }
        if about.entries == 0 {
            return None;
        }
        let file = files
            .main
            .as_ref()
            .or_else(|| files.agents.first().map(|a| &a.1))?;
        Some(Session {
            id: shorten(&files.id, 80),
            project: shorten(&about.project, 1000),
            file: show(file),
            title: if self.sink.options.quotes {
                about.title
            } else {
                String::new()
            },
            start: about.start,
            end: about.end,
            agents,
            metrics: self.sink.figures.metrics().to_vec(),
            figures: self.sink.figures,
        })
    }

    fn file(&mut self, session: &SessionFiles, agent: Option<&str>, path: &Path, about: &mut About) {
        // A pipe would be waited for.
        if std::fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
            return self.problem(path, None, "it is no regular file".to_owned());
        }
        let file = match File::open(path) {
            Ok(file) => BufReader::with_capacity(1 << 18, file),
            Err(e) => return self.problem(path, None, e.to_string()),
        };
        self.input.files += 1;
        let name = show(path);
        let who = Who {
            session: &session.id,
            agent,
            file: &name,
        };
        let mut threads = Threads::new(agent.is_some());
        let taken = Rc::new(Cell::new(0));
        let before = (self.input.bytes, about.entries);
        // The record at hand and whether it counts; one record can be several entries.
        let mut last = (0, true);
        for entry in Reader::new(Counted {
            inner: file,
            taken: Rc::clone(&taken),
        }) {
            self.input.bytes = before.0 + taken.get();
            if self.input.bytes - self.told >= STEP {
                self.told = self.input.bytes;
                self.progress.advance(self.told, path);
            }
            match entry {
                Ok(Entry {
                    line,
                    item: Item::Broken { why },
                    ..
                }) => {
                    self.input.broken += 1;
                    if self.input.broken <= PROBLEMS {
                        self.problem(path, Some(line), why);
                    }
                }
                Ok(entry) => {
                    about.note(&entry, agent.is_none());
                    if last.0 != entry.line {
                        last = (entry.line, self.is_new(&entry, agent.is_some()));
                    }
                    let time = entry.time.clone().unwrap_or_default();
                    let place = Place {
                        line: entry.line,
                        time,
                        counts: last.1,
                    };
                    threads.of(&entry).entry(&entry, &who, place, &mut self.sink);
                }
                Err(e) => self.problem(path, None, e.to_string()),
            }
        }
        self.input.bytes = before.0 + taken.get();
        if about.entries == before.1 && taken.get() > 0 {
            self.input.foreign += 1;
        }
        for thread in threads.all() {
            thread.finish(&who, &mut self.sink);
        }
        if let Some(agent) = agent {
            self.sink.agents.insert(agent.to_owned(), threads.main.work);
        }
    }

    /// Whether the record was not counted yet. Resumed and forked sessions may begin with a copy of the
    /// records of another one.
    fn is_new(&mut self, entry: &Entry, subagent: bool) -> bool {
        let Some(uuid) = &entry.uuid else { return true };
        let new = self.seen.insert(digest(uuid) ^ u64::from(subagent));
        self.input.copied += u64::from(!new);
        new
    }

    fn problem(&mut self, file: &Path, line: Option<u64>, why: String) {
        self.input.problems.push(Problem {
            file: show(file),
            line,
            why: shorten(&why, 300),
        });
    }
}

/// A path for the report.
fn show(path: &Path) -> String {
    shorten(&path.to_string_lossy(), 1000)
}

/// Counts the bytes that are taken from a reader.
struct Counted<R> {
    inner: R,
    taken: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.taken.set(self.taken.get() + n as u64);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.taken.set(self.taken.get() + amount as u64);
        self.inner.consume(amount);
    }
}

impl About {
    fn note(&mut self, entry: &Entry, main: bool) {
        self.entries += 1;
        if let Some(time) = &entry.time {
            if self.start.is_empty() || *time < self.start {
                self.start = shorten(time, 40);
            }
            if *time > self.end {
                self.end = shorten(time, 40);
            }
        }
        if self.project.is_empty()
            && let Some(cwd) = &entry.cwd
        {
            self.project.clone_from(cwd);
        }
        if main
            && self.title.is_empty()
            && !entry.sidechain
            && let Item::Prompt {
                text,
                origin: PromptOrigin::User,
            } = &entry.item
        {
            self.title = shorten(text, TITLE);
        }
    }
}

/// The conversations in one file. Older versions of the host wrote subagents into the session's own file,
/// as side chains.
struct Threads {
    main: Conversation,
    side: Vec<Conversation>,
    /// Which side chain an agent's is.
    chain: HashMap<String, usize>,
    subagent: bool,
}

impl Threads {
    fn new(subagent: bool) -> Self {
        Self {
            main: Conversation::new(subagent),
            side: Vec::new(),
            chain: HashMap::new(),
            subagent,
        }
    }

    fn of(&mut self, entry: &Entry) -> &mut Conversation {
        if self.subagent || !entry.sidechain {
            return &mut self.main;
        }
        let at = match &entry.agent {
            Some(agent) => match self.chain.get(agent) {
                Some(at) => *at,
                None => {
                    self.chain.insert(agent.clone(), self.side.len());
                    self.side.len()
                }
            },
            // Nothing tells them apart but their beginning.
            None if matches!(entry.item, Item::Prompt { .. }) => self.side.len(),
            None => self.side.len().saturating_sub(1),
        };
        if at >= self.side.len() {
            self.side.push(Conversation::new(true));
        }
        match self.side.get_mut(at) {
            Some(side) => side,
            None => &mut self.main,
        }
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Conversation> {
        self.side.iter_mut().chain([&mut self.main])
    }
}
