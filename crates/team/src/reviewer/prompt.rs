//! What a reviewer is asked.

use minijinja::{Environment, UndefinedBehavior};
use proctor_kernel::{Error, ErrorKind, Result, one_line, shown};
use serde::Serialize;

/// The built-in template.
pub const DEFAULT_TEMPLATE: &str = include_str!("template.md");

/// Most work that a template may do, in steps of its machine; an endless loop ends in an error.
const FUEL: u64 = 2_000_000;

/// What a template can show.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Brief {
    /// The user's exact words.
    pub words: String,
    /// The commit at which the task began.
    pub base: Option<String>,
    /// The tree under review.
    pub tree: String,
    /// Whether the difference begins at an earlier approval.
    pub delta: bool,
    /// The changed paths.
    pub changed: Vec<String>,
    /// The difference.
    pub diff: String,
    /// Whether the difference is longer than what is shown.
    pub diff_is_cut: bool,
    /// A file with all of the difference, where it is longer than what is shown.
    pub diff_file: Option<String>,
    /// The checks that were witnessed, one line each.
    pub runs: Vec<String>,
    /// The last other commands that the agents ran, one line each: those that changed files first.
    pub commands: Vec<String>,
    /// How many such commands were witnessed in all.
    pub commands_in_all: u64,
    /// What was found in earlier rounds.
    pub findings: Vec<BriefFinding>,
    /// The round, from 1.
    pub round: u32,
    /// What other reviewers of this tree found, for one who approved it before knowing that. In a review nothing:
    /// nobody sees what another said.
    pub disputed: Vec<BriefFinding>,
}

/// A finding of an earlier round.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BriefFinding {
    /// Its id.
    pub id: String,
    /// `open`, `minor`, `fixed`, `answered`, `withdrawn`.
    pub state: String,
    /// Where, as `path:line`.
    pub place: String,
    /// The problem.
    pub text: String,
    /// How it was settled.
    pub answer: String,
}

/// What a template is filled with.
#[derive(Serialize)]
struct Filled {
    #[serde(flatten)]
    brief: Brief,
    /// More backticks than anything in the words and the difference has in a row: nothing in them ends a block that
    /// begins with so many.
    fence: String,
}

impl From<&Brief> for Filled {
    /// What is a line in a template is one: names, commands and findings come from those whose work is judged, and could
    /// otherwise bring lines that look like ours.
    fn from(brief: &Brief) -> Self {
        let lines = |lines: &[String]| lines.iter().map(|line| one_line(line).into_owned()).collect();
        let found = |found: &[BriefFinding]| found.iter().map(BriefFinding::in_lines).collect();
        let longest = longest_run('`', &brief.words).max(longest_run('`', &brief.diff));
        Self {
            fence: "`".repeat((longest + 1).max(3)),
            brief: Brief {
                changed: brief
                    .changed
                    .iter()
                    .map(|path| shown(path).into_owned())
                    .collect(),
                runs: lines(&brief.runs),
                commands: lines(&brief.commands),
                findings: found(&brief.findings),
                disputed: found(&brief.disputed),
                ..brief.clone()
            },
        }
    }
}

impl BriefFinding {
    /// Each of its parts as one line.
    fn in_lines(&self) -> Self {
        let line = |text: &str| one_line(text).into_owned();
        Self {
            id: line(&self.id),
            state: line(&self.state),
            place: line(&self.place),
            text: line(&self.text),
            answer: line(&self.answer),
        }
    }
}

/// How often a character stands in a row at most.
fn longest_run(c: char, text: &str) -> usize {
    let (mut longest, mut now) = (0, 0);
    for other in text.chars() {
        now = if other == c { now + 1 } else { 0 };
        longest = longest.max(now);
    }
    longest
}

/// Fills a template. Whatever the brief holds, lists in the prompt have one line for each entry.
///
/// # Errors
/// Kind `config` when the template is broken, names something that does not exist, or does not end.
pub fn render(template: &str, brief: &Brief) -> Result<String> {
    let broken = |e: minijinja::Error| {
        Error::new(ErrorKind::Config, "the reviewer's template cannot be filled")
            .because(e)
            .hint("docs/reference/review.md lists what a template can show")
    };
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.add_template("reviewer", template).map_err(broken)?;
    let mut text = environment
        .get_template("reviewer")
        .and_then(|t| {
            t.render(minijinja::Value::from(minijinja::value::Serde(&Filled::from(
                brief,
            ))))
        })
        .map_err(broken)?;
    text.push('\n');
    Ok(text)
}
