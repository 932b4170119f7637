//! Reads transcripts of Claude Code (`~/.claude/projects/<folder>/<session>.jsonl`, those of subagents
//! in `<session>/subagents/agent-<id>.jsonl`), line by line: never a whole file at once.
//!
//! The format has no specification and changes from day to day, so unknown records are passed over, a bad
//! line is reported and hides no other, and a record that appears twice counts once.

use super::lines::Lines;
use super::notification::{Notification, notification};
use super::parse::{failure_of, origin, success, tool_call_of};
use super::usage::figures;
use super::wire::Fields;
use proctor_kernel::{PromptOrigin, ToolCall, ToolKind, ToolOutcome};
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead};

/// Longest line that is read, in bytes; longer ones are reported as broken.
pub const LINE_LIMIT: usize = 64 << 20;

/// One thing that a transcript tells, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Line number, from 1.
    pub line: u64,
    /// The record's own identifier. Forked sessions repeat records of their origin under the same one.
    pub uuid: Option<String>,
    /// When it was written: ISO 8601 in UTC, as the host writes it.
    pub time: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// The folder in which the agent worked.
    pub cwd: Option<String>,
    /// It belongs to a subagent.
    pub sidechain: bool,
    /// The subagent's id, where the record names it.
    pub agent: Option<String>,
    /// What it tells.
    pub item: Item,
}

/// What a record tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A prompt. In a subagent's records the delegation, with origin [`PromptOrigin::Agent`].
    Prompt {
        /// The exact words.
        text: String,
        /// Who wrote it.
        origin: PromptOrigin,
    },
    /// Words that the host put in between, such as `Stop hook feedback: …`.
    Injected {
        /// The words.
        text: String,
    },
    /// A text that the agent wrote.
    Text {
        /// The model's message that it is part of.
        message: String,
        /// The text.
        text: String,
    },
    /// A tool call.
    Call {
        /// The call.
        call: ToolCall,
    },
    /// The result of a tool call.
    Result {
        /// The call; `None` when the transcript does not hold it.
        call: Option<ToolCall>,
        /// What came of it.
        outcome: ToolOutcome,
        /// What the agent got to read.
        text: String,
    },
    /// A subagent handed back its answer, at once or, when it worked in the background, later.
    Answer {
        /// The delegating call; `None` when the transcript does not hold it.
        call: Option<ToolCall>,
        /// The subagent's id.
        agent: Option<String>,
        /// The answer.
        text: String,
    },
    /// Tokens used, as increments: adding all of them up gives the transcript's total.
    Usage {
        /// The model's message.
        message: String,
        /// Input tokens outside the cache.
        input: u64,
        /// Output tokens.
        output: u64,
        /// Input tokens read from the cache.
        cache_read: u64,
        /// Input tokens written to the cache.
        cache_write: u64,
    },
    /// A hook refused something: a tool call, or the end of a turn (which also appears as
    /// [`Item::Injected`]).
    HookBlocked {
        /// The hook's event, such as `Stop`.
        event: String,
        /// The reason that it gave.
        reason: String,
    },
    /// The conversation was compacted.
    Compaction,
    /// A line that cannot be read.
    Broken {
        /// Why.
        why: String,
    },
}

/// Reads the entries of one transcript in order. Holds one line, the calls that have no result yet, the usage of
/// each message, and one number per record.
pub struct Reader<R> {
    lines: Lines<R>,
    line: u64,
    ready: VecDeque<Entry>,
    pending: HashMap<String, ToolCall>,
    usage: HashMap<String, [u64; 4]>,
    seen: HashSet<u64>,
    hasher: RandomState,
    done: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader over the text of a transcript, for lines up to [`LINE_LIMIT`].
    pub fn new(input: R) -> Self {
        Self::with_limit(input, LINE_LIMIT)
    }

    /// A reader with another limit for one line, in bytes.
    pub fn with_limit(input: R, limit: usize) -> Self {
        Self {
            lines: Lines::new(input, limit),
            line: 0,
            ready: VecDeque::new(),
            pending: HashMap::new(),
            usage: HashMap::new(),
            seen: HashSet::new(),
            hasher: RandomState::new(),
            done: false,
        }
    }

    fn broken(&mut self, why: String) {
        self.ready.push_back(Entry {
            line: self.line,
            uuid: None,
            time: None,
            session: None,
            cwd: None,
            sidechain: false,
            agent: None,
            item: Item::Broken { why },
        });
    }

    fn take_line(&mut self) {
        let text = String::from_utf8_lossy(self.lines.line()).into_owned();
        let trimmed = text.trim_start_matches('\u{FEFF}').trim();
        if !trimmed.is_empty() {
            match serde_json::from_str::<Fields<'_>>(trimmed) {
                Ok(record) => self.record(&record),
                Err(error) => self.broken(format!("not a JSON object: {error}")),
            }
        }
    }

    fn record(&mut self, record: &Fields<'_>) {
        let uuid = record.filled("uuid");
        if let Some(uuid) = &uuid
            && !self.seen.insert(self.hasher.hash_one(uuid))
        {
            return;
        }
        let items = match record.text("type").as_deref() {
            Some("user") => self.user(record),
            Some("assistant") => self.assistant(record),
            Some("attachment") => blocked(&record.object("attachment")).into_iter().collect(),
            Some("system") if record.text("subtype").as_deref() == Some("compact_boundary") => {
                vec![Item::Compaction]
            }
            _ => Vec::new(),
        };
        for item in items {
            self.ready.push_back(Entry {
                line: self.line,
                uuid: uuid.clone(),
                time: record.filled("timestamp"),
                session: record.filled("sessionId"),
                cwd: record.filled("cwd"),
                sidechain: record.flag("isSidechain").unwrap_or(false),
                agent: record.filled("agentId"),
                item,
            });
        }
    }

    fn user(&mut self, record: &Fields<'_>) -> Vec<Item> {
        let message = record.object("message");
        let mut items = Vec::new();
        let mut words: Vec<String> = message.text("content").into_iter().collect();
        for block in message.objects("content") {
            match block.text("type").as_deref() {
                Some("text") => words.extend(block.text("text")),
                Some("tool_result") => self.result(record, &block, &mut items),
                _ => {}
            }
        }
        if words.is_empty() || record.flag("isCompactSummary") == Some(true) {
            return items;
        }
        let text = words.join("\n");
        if record.flag("isMeta") == Some(true) {
            items.push(Item::Injected { text });
            return items;
        }
        let origin = if record.flag("isSidechain") == Some(true) {
            PromptOrigin::Agent
        } else if machine_made(record, &text) {
            PromptOrigin::Machine
        } else {
            origin(&text)
        };
        let answer = (origin == PromptOrigin::Machine)
            .then(|| notification(&text))
            .flatten();
        items.push(Item::Prompt { text, origin });
        if let Some(Notification {
            call,
            agent,
            result: Some(text),
            ..
        }) = answer
        {
            let call = call.and_then(|id| self.pending.get(&id).cloned());
            items.push(Item::Answer { call, agent, text });
        }
        items
    }

    fn result(&mut self, record: &Fields<'_>, block: &Fields<'_>, items: &mut Vec<Item>) {
        let id = block.text("tool_use_id").unwrap_or_default();
        let text = content_text(block);
        let call = self.pending.remove(&id);
        let nothing = ToolCall::new("", ToolKind::Other);
        let known = call.as_ref().unwrap_or(&nothing);
        let outcome = if block.flag("is_error") == Some(true) {
            failure_of(known, Some(&text))
        } else {
            success(known, &record.object("toolUseResult"))
        };
        let refused = refused(record, &text);
        let answer = outcome.answer.clone();
        let agent = outcome.agent.clone();
        if let (Some(call), None, Some(_)) = (&call, &answer, &agent) {
            // Started in the background: the answer comes with a notification.
            self.pending.insert(id, call.clone());
        }
        items.push(Item::Result {
            call: call.clone(),
            outcome,
            text,
        });
        items.extend(refused);
        if let Some(text) = answer {
            items.push(Item::Answer { call, agent, text });
        }
    }

    fn assistant(&mut self, record: &Fields<'_>) -> Vec<Item> {
        let message = record.object("message");
        if message.text("model").as_deref() == Some("<synthetic>") {
            // The host's own words, such as an API error.
            return Vec::new();
        }
        let id = message.text("id").unwrap_or_default();
        let mut items = Vec::new();
        if let Some(text) = message.filled("content") {
            items.push(Item::Text {
                message: id.clone(),
                text,
            });
        }
        for block in message.objects("content") {
            match block.text("type").as_deref() {
                Some("text") => {
                    items.extend(block.filled("text").map(|text| Item::Text {
                        message: id.clone(),
                        text,
                    }));
                }
                Some("tool_use") => {
                    let name = block.text("name").unwrap_or_default();
                    let call = tool_call_of(block.filled("id"), name, &block.object("input"));
                    if let Some(id) = &call.id {
                        self.pending.insert(id.clone(), call.clone());
                    }
                    items.push(Item::Call { call });
                }
                _ => {}
            }
        }
        items.extend(self.usage(&id, &message.object("usage")));
        items
    }

    /// One message of the model becomes several records that all repeat its usage, some of them before
    /// it is complete: only what a record adds counts.
    fn usage(&mut self, message: &str, usage: &Fields<'_>) -> Option<Item> {
        let now = figures(usage);
        let before = if message.is_empty() {
            [0; 4]
        } else {
            let known = self.usage.entry(message.to_owned()).or_default();
            let before = *known;
            for (known, now) in known.iter_mut().zip(now) {
                *known = (*known).max(now);
            }
            before
        };
        let [input, output, cache_read, cache_write] = std::array::from_fn(|i| {
            now.get(i)
                .copied()
                .unwrap_or(0)
                .saturating_sub(before.get(i).copied().unwrap_or(0))
        });
        (input + output + cache_read + cache_write > 0).then(|| Item::Usage {
            message: message.to_owned(),
            input,
            output,
            cache_read,
            cache_write,
        })
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<Entry>;

    /// The next entry. An error of the input is given once and ends the reading.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Some(Ok(entry));
            }
            if self.done {
                return None;
            }
            match self.lines.next() {
                Ok(None) => self.done = true,
                Ok(Some(next)) => {
                    self.line += 1;
                    if next.too_long {
                        self.broken(format!("longer than {} bytes", self.lines.limit()));
                    } else {
                        self.take_line();
                    }
                }
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// A hook's block as the host notes it down beside the conversation.
fn blocked(attachment: &Fields<'_>) -> Option<Item> {
    if attachment.text("type").as_deref() != Some("hook_blocking_error") {
        return None;
    }
    let reason = attachment
        .object("blockingError")
        .text("blockingError")
        .unwrap_or_default();
    Some(Item::HookBlocked {
        event: attachment.text("hookEvent").unwrap_or_default(),
        reason,
    })
}

/// A tool call that a hook refused: only its result tells.
fn refused(record: &Fields<'_>, text: &str) -> Option<Item> {
    let decision = record.object("permissionDecision");
    if decision.text("decision").as_deref() != Some("reject")
        || decision.text("source").as_deref() != Some("hook")
    {
        return None;
    }
    let code = decision.text("reasonCode").unwrap_or_default();
    let reason = text
        .split_once(" hook error: ")
        .map_or(text, |(_, reason)| reason);
    let event = code.strip_prefix("hook:").unwrap_or("PreToolUse").to_owned();
    Some(Item::HookBlocked {
        event,
        reason: reason.to_owned(),
    })
}

/// The text of a block's content: a string, or the text parts of a list.
fn content_text(block: &Fields<'_>) -> String {
    block.text("content").unwrap_or_else(|| {
        let parts: Vec<String> = block
            .objects("content")
            .iter()
            .filter_map(|part| part.text("text"))
            .collect();
        parts.join("\n")
    })
}

/// Whether the record itself says, or its form shows, that no person typed it.
fn machine_made(record: &Fields<'_>, text: &str) -> bool {
    let kind = record.object("origin").text("kind");
    kind.is_some_and(|kind| kind != "user" && kind != "human")
        || record.text("promptSource").as_deref() == Some("system")
        || [
            "<command-name>",
            "<command-message>",
            "<local-command-",
            "<bash-",
            "[Request interrupted",
        ]
        .iter()
        .any(|start| text.trim_start().starts_with(start))
}

/// The prompt that a subagent was started with: the first one of its transcript. Reads no further than it must.
///
/// # Errors
/// When the transcript cannot be read.
pub fn delegated_prompt(input: impl BufRead) -> io::Result<Option<String>> {
    for entry in Reader::new(input) {
        match entry?.item {
            Item::Prompt { text, .. } => return Ok(Some(text)),
            // A subagent answers only after it was asked.
            Item::Text { .. } | Item::Call { .. } => break,
            _ => {}
        }
    }
    Ok(None)
}

/// The tool call that started a subagent, from the `agent-<id>.meta.json` beside its transcript.
#[must_use]
pub fn started_by(meta: &str) -> Option<String> {
    let raw: &RawValue = serde_json::from_str(meta).ok()?;
    Fields::of(raw)?.filled("toolUseId")
}
