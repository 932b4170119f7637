//! The engine on real folders, through the public API.

mod acts;
mod answers;
mod approval;
mod background;
mod beginning;
mod beside;
mod clones;
mod commands;
mod cost;
mod delegating;
mod earlier;
mod floor;
mod gone;
mod insisting;
mod labelled;
mod launched;
mod left;
mod library;
mod limits;
mod lost;
mod made;
mod memory;
mod printed;
mod remarks;
mod rerun;
mod robust;
mod set;
mod settled;
mod spoken;
mod stops;
mod taken_back;
mod thoughts;
mod tools;
mod trips;

use crate::{Answer, Clock, Engine, Surroundings};
use proctor_kernel::{
    Agent, Delegation, Digest, Event, EventKind, PromptOrigin, StartSource, ToolCall, ToolKind, ToolOutcome,
};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A clock that the test moves.
#[derive(Clone, Default)]
struct Hand {
    now: Rc<Cell<u64>>,
    ids: Rc<Cell<u64>>,
}

impl Clock for Hand {
    fn now(&self) -> u64 {
        1_700_000_000_000 + self.now.get()
    }
    fn micros(&self) -> u64 {
        0
    }
    fn random(&self) -> [u8; 10] {
        let next = self.ids.get();
        self.ids.set(next + 1);
        let mut bytes = [0; 10];
        for (byte, value) in bytes.iter_mut().rev().zip(next.to_le_bytes()) {
            *byte = value;
        }
        bytes
    }
}

/// A repository with a policy and a state folder of its own.
struct Place {
    folder: tempfile::TempDir,
    clock: Hand,
}

impl Place {
    fn new(policy: &str) -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
            clock: Hand::default(),
        };
        std::fs::create_dir_all(place.root()).unwrap();
        place.git(&["init", "-q", "-b", "main"]);
        place.write("seed.txt", "seed\n");
        place.git(&["add", "-A"]);
        place.git(&["commit", "-q", "-m", "seed"]);
        if !policy.is_empty() {
            place.write(".proctor/proctor.yaml", policy);
        }
        place
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn state_home(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn git(&self, args: &[&str]) {
        let run = proctor_worktree::Command::new("git")
            .args([
                "-c",
                "user.name=T",
                "-c",
                "user.email=t@localhost",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(args)
            .cwd(self.root())
            .run()
            .unwrap();
        assert!(
            run.is_success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&run.stderr)
        );
    }

    fn surroundings(&self) -> Surroundings {
        Surroundings {
            cwd: self.root(),
            state_home: self.state_home(),
            git_folders: Some("tests".to_owned()),
            build: Some(|| Some("sha256:of the program".to_owned())),
            ..Surroundings::default()
        }
    }

    /// Each event gets an engine of its own, as each hook call is a process of its own.
    fn engine(&self) -> Engine<Hand> {
        Engine::open(self.surroundings(), self.clock.clone())
    }

    fn handle(&self, event: &Event) -> Answer {
        self.engine().handle(event, &())
    }

    fn main(&self, kind: EventKind) -> Answer {
        self.handle(&event(None, kind))
    }

    fn sub(&self, id: &str, kind: EventKind) -> Answer {
        self.handle(&event(Some(id), kind))
    }
}

fn event(agent: Option<&str>, kind: EventKind) -> Event {
    Event {
        host: "test".into(),
        native: format!("{:?}", kind.tag()),
        session: "s1".into(),
        agent: agent.map(|id| Agent {
            id: id.into(),
            kind: "general".into(),
        }),
        cwd: String::new(),
        turn: None,
        input: Digest::of(b""),
        kind,
    }
}

fn prompt(text: &str) -> EventKind {
    EventKind::Prompt {
        text: text.into(),
        origin: PromptOrigin::User,
    }
}

fn notification(text: &str) -> EventKind {
    EventKind::Prompt {
        text: text.into(),
        origin: PromptOrigin::Machine,
    }
}

fn start(source: StartSource) -> EventKind {
    EventKind::SessionStart { source }
}

fn end(text: &str) -> EventKind {
    EventKind::TurnEnd {
        text: text.into(),
        again: false,
        background: 0,
    }
}

fn again(text: &str) -> EventKind {
    EventKind::TurnEnd {
        text: text.into(),
        again: true,
        background: 0,
    }
}

fn call(id: &str, kind: ToolKind, path: &str) -> ToolCall {
    ToolCall {
        id: Some(id.into()),
        paths: vec![path.into()],
        ..ToolCall::new("Tool", kind)
    }
}

fn delegating(id: &str, prompt: &str) -> ToolCall {
    let delegation = Some(Delegation {
        prompt: prompt.into(),
        agent: "general".into(),
    });
    ToolCall {
        delegation,
        ..call(id, ToolKind::Delegate, "")
    }
}

fn done() -> ToolOutcome {
    ToolOutcome {
        ok: Some(true),
        ..ToolOutcome::default()
    }
}

fn texts(answer: &Answer) -> Vec<&str> {
    answer.decision.notes.iter().map(|n| n.text.as_str()).collect()
}

/// A file of the state folder, found by its name.
fn find(dir: &Path, name: &str) -> PathBuf {
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else if entry.file_name().to_string_lossy() == name {
                return entry.path();
            }
        }
    }
    panic!("no {name} below {}", dir.display());
}
