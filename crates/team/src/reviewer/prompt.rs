//! What a reviewer is asked.

use minijinja::{Environment, UndefinedBehavior};
use proctor_kernel::{Error, ErrorKind, Result};
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

/// Fills a template.
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
        .and_then(|t| t.render(minijinja::Value::from(minijinja::value::Serde(brief))))
        .map_err(broken)?;
    text.push('\n');
    Ok(text)
}
