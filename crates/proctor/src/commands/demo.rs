//! `proctor demo`: agents that praise each other and approve without looking, played by scripted agents on real files.

use crate::cli::DemoArgs;
use crate::clock::ProcessClock;
use crate::output::{self, Exit};
use proctor_engine::rerun::injects;
use proctor_engine::{Engine, Surroundings};
use proctor_kernel::{Action, Decision, Error, ErrorKind, Result};
use proctor_team::tools::{Stage, ToolUse, Variables};
use proctor_team::{Ending, Observer, Play, Report, Role, Scene, cast};
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

/// Pause between two scenes on a terminal.
const PAUSE: Duration = Duration::from_millis(700);
/// Longest run of git when the throw-away repository is made.
const GIT_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) fn run(args: &DemoArgs) -> Result<Exit> {
    let folder = tempfile::Builder::new()
        .prefix("proctor-demo-")
        .tempdir()
        .map_err(|e| Error::new(ErrorKind::Store, "cannot make a folder for the demo").because(e))?;
    let root = folder.path().join("project");
    let variables = variables();
    build_project(&root, &variables)?;

    let surroundings = Surroundings {
        cwd: root.clone(),
        state_home: folder.path().join("state"),
        state: Some(folder.path().join("state")),
        ..Surroundings::default()
    };
    let mut engine = Engine::open(surroundings, ProcessClock::from_env());
    let attempts = engine.settings().budget.review_attempts;
    let (mut lead, mut worker, mut reviewer) = cast::flattery_loop();
    let mut play = Play {
        engine: &mut engine,
        stage: Stage::new(&root).with_variables(variables),
        lead: &mut lead,
        worker: &mut worker,
        reviewer: &mut reviewer,
        review_attempts: attempts,
        session: "demo".to_owned(),
    };
    let terminal = std::io::stdout().is_terminal();
    let mut screen = Screen {
        silent: args.json,
        color: terminal && std::env::var_os("NO_COLOR").is_none(),
        pause: if terminal && !args.fast {
            PAUSE
        } else {
            Duration::ZERO
        },
    };
    screen.title();
    let (ending, report) = play.run(cast::REQUEST, &mut screen)?;
    if args.json {
        output::json(&report);
    } else {
        screen.report(&report);
    }
    if args.keep {
        let kept = folder.keep();
        output::complain(&format!("kept: {}", kept.display()));
        output::complain(&format!(
            "  cd {} && PROCTOR_STATE={} proctor explain last",
            kept.join("project").display(),
            kept.join("state").display()
        ));
    }
    Ok(if ending == Ending::Released {
        Exit::Pass
    } else {
        Exit::Blocked
    })
}

/// How the environment of git and of the play differs from the user's: what leads git, shells and test runners elsewhere
/// is left out, and the user's own git configuration (hooks, templates, signatures, line ends) does not count.
fn variables() -> Variables {
    let left_out = std::env::vars_os().map(|(name, _)| name).filter(|n| injects(n));
    let mut variables: Variables = left_out.map(|name| (name, None)).collect();
    for (name, value) in [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")] {
        variables.push((name.into(), Some(value.into())));
    }
    variables
}

/// A git repository with the project of the play, committed.
fn build_project(root: &Path, variables: &Variables) -> Result<()> {
    for (path, content) in cast::PROJECT {
        let path = root.join(path);
        let write = || {
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(&path, content)
        };
        write().map_err(|e| {
            Error::new(ErrorKind::Store, format!("cannot write {}", path.display())).because(e)
        })?;
    }
    for arguments in [
        &["init", "--quiet", "--initial-branch=main", "--template="][..],
        // The files that git looks into unasked, and the engine as well: what the user has ignored elsewhere would be
        // missing here.
        &["config", "core.excludesFile", "/dev/null"],
        &["config", "core.attributesFile", "/dev/null"],
        &["config", "core.autocrlf", "false"],
        &["add", "--all"],
        &[
            "-c",
            "user.name=Demo",
            "-c",
            "user.email=demo@localhost",
            "commit",
            "--quiet",
            "--message=before",
        ],
    ] {
        let result = proctor_worktree::Command::new("git")
            .args(arguments)
            .cwd(root)
            .timeout(GIT_TIMEOUT)
            .without_git_variables()
            .variables(variables)
            .run()?;
        if !result.is_success() {
            let why = String::from_utf8_lossy(&result.stderr).trim().to_owned();
            return Err(Error::new(
                ErrorKind::Git,
                format!("git {} failed: {why}", arguments.join(" ")),
            ));
        }
    }
    Ok(())
}

/// Prints the play.
struct Screen {
    silent: bool,
    color: bool,
    pause: Duration,
}

impl Screen {
    fn paint(&self, code: &str, text: &str) -> String {
        if self.color {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    fn line(&self, text: &str) {
        if !self.silent {
            output::line(text);
        }
    }

    /// A block: a head, and the text indented below.
    fn block(&self, head: &str, text: &str) {
        self.line(head);
        for line in text.lines() {
            self.line(&format!("    {line}"));
        }
    }

    fn title(&self) {
        self.line(&self.paint("1", "Proctor demo: the flattery loop"));
        self.line(
            "Three scripted agents work in a throw-away git repository. Their lines are fixed; the files, the\n\
             commands and every decision below are real.",
        );
    }

    fn decision(&self, decision: &Decision) {
        let (code, head) = match decision.action {
            Action::Block | Action::Ask => ("1;31", "✗ sent back"),
            Action::Modify => ("1;33", "~ passed on, changed"),
            Action::Allow if decision.notes.is_empty() => ("32", "✓ let through"),
            Action::Allow => ("33", "✓ let through, with a note for the agent"),
        };
        let gates: Vec<&str> = decision
            .reports
            .iter()
            .filter(|r| !r.findings.is_empty())
            .map(|r| r.gate.as_str())
            .collect();
        let by = if gates.is_empty() {
            String::new()
        } else {
            format!(" ({})", gates.join(", "))
        };
        let mut text = decision.reason.clone();
        for note in &decision.notes {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&note.text);
        }
        self.block(&format!("  {}{by}", self.paint(code, head)), &text);
    }

    fn report(&self, report: &Report) {
        let percent = |share: f64| format!("{:.0}%", share * 100.0);
        self.line(&format!("\n{}", self.paint("1", "Report")));
        let rows = [
            ("turns", report.turns.to_string()),
            (
                "flattery",
                format!(
                    "{} of what the agents wanted to say, {} of what was let through",
                    percent(report.flattery_before),
                    percent(report.flattery_after)
                ),
            ),
            (
                "refused approvals",
                format!("{} (approved without a look)", report.refused_approvals),
            ),
            (
                "scope violations",
                format!("{} (file outside the task, put back)", report.scope_violations),
            ),
            ("reminders", format!("{} (open item)", report.reminders)),
            ("retries", report.retries.to_string()),
            (
                "outcome",
                match &report.escalated {
                    None => "released: approved with evidence".to_owned(),
                    Some(why) => format!("UNREVIEWED, needs a human: {why}"),
                },
            ),
        ];
        for (name, value) in rows {
            self.line(&format!("  {name:<18} {value}"));
        }
        self.line(&format!("\n{}", self.paint("1", "Where to look next")));
        for (command, about) in [
            (
                "proctor init --host claude",
                "guard a repository of yours with the same gates",
            ),
            (
                "proctor audit ~/.claude/projects",
                "what your agents have been doing until now",
            ),
            (
                "proctor demo --keep",
                "keep this repository and ask `proctor explain last` why",
            ),
            ("docs/ARCHITECTURE.md", "how it works"),
        ] {
            self.line(&format!("  {command:<34} {about}"));
        }
    }
}

impl Observer for Screen {
    fn see(&mut self, scene: &Scene<'_>) {
        if !self.silent && !self.pause.is_zero() {
            std::thread::sleep(self.pause);
        }
        match scene {
            Scene::Request(request) => self.block(&format!("\n{}", self.paint("1;36", "User")), request),
            Scene::Handed {
                to,
                role,
                prompt,
                reminder,
            } => {
                if *reminder {
                    self.block(&format!("\n{} {to} is reminded:", self.paint("36", "→")), prompt);
                } else if *role != Role::Lead {
                    let first = prompt.lines().next().unwrap_or_default();
                    self.line(&format!("\n{} {to} is handed: {first} …", self.paint("36", "→")));
                }
            }
            Scene::Used { by, tool, result } => match tool {
                ToolUse::Write { path, .. } => {
                    self.line(&format!("\n{} writes {path}", self.paint("1", by)));
                }
                ToolUse::Read { path } => self.line(&format!("\n{} reads {path}", self.paint("1", by))),
                ToolUse::Run { command } => {
                    let head = format!(
                        "\n{} runs `{command}` → exit {}",
                        self.paint("1", by),
                        result.exit
                    );
                    self.block(&head, &result.output);
                }
            },
            Scene::Denied { by, tool, decision } => {
                self.line(&format!("\n{} wants to use {}", self.paint("1", by), tool.name()));
                self.decision(decision);
            }
            Scene::Said {
                by, text, decision, ..
            } => {
                self.block(&format!("\n{}", self.paint("1;36", by)), text);
                if let Some(gloss) = cast::gloss(text) {
                    self.line(&self.paint("2", &format!("    ({gloss})")));
                }
                self.decision(decision);
            }
            Scene::End(ending) => {
                let text = match ending {
                    Ending::Released => self.paint("1;32", "■ released: approved, with evidence"),
                    Ending::Escalated { why } => self.paint("1;31", &format!("■ UNREVIEWED: {why}")),
                };
                self.line(&format!("\n{text}"));
            }
        }
    }
}
