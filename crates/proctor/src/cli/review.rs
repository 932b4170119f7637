//! Arguments of `proctor review` and `proctor run-check`.

use super::Host;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `proctor review …`
#[derive(Subcommand)]
pub(crate) enum ReviewCommand {
    /// Ask for a review of a session's work, as the work tree is now.
    Request(RequestArgs),
    /// How the reviews stand, with their findings.
    Status(SessionArgs),
    /// Start a reviewer, headless and read-only, and take its verdict. Exit status 0 approved, 1 refused, 3 no
    /// verdict.
    Run(RunArgs),
    /// Approve the work tree as it is now. Counts from a human at a terminal, and needs the evidence that the
    /// policy asks for.
    Approve(VerdictArgs),
    /// Refuse the work tree as it is now. Counts from anybody.
    Reject(VerdictArgs),
    /// Say what became of a finding.
    Settle(SettleArgs),
    /// Let the work go without an approval, for a time. Needs a human at a terminal.
    Release(ReleaseArgs),
    /// May the work go? Exit status 0 yes (also where the policy requires no review of it), 1 no, 3 cannot tell,
    /// 4 a human has to look.
    Check(SessionArgs),
}

/// Arguments of `proctor review request`.
#[derive(Args)]
pub(crate) struct RequestArgs {
    #[command(flatten)]
    pub(crate) which: SessionArgs,
    /// A human is to judge this round. The agent may end its turn meanwhile; nothing is approved by that.
    #[arg(long)]
    pub(crate) human: bool,
}

/// Which session's work is meant.
#[derive(Args)]
pub(crate) struct SessionArgs {
    /// The host's session id (default: the session that did something last).
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor review run`.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// The host that reviews.
    #[arg(long, value_enum, default_value = "claude")]
    pub(crate) host: Host,
    /// The host's program (default: that of the agent above this command, else the one on PATH). Refused below an
    /// agent, and when it lies in the repository; `approval.reviewer_programs` of your own policy limits it.
    #[arg(long, value_name = "PATH")]
    pub(crate) program: Option<PathBuf>,
    /// Run below nobody: for hooks, whose host ends what stands below them.
    #[arg(long, hide = true)]
    pub(crate) detached: bool,
    /// The template of what the reviewer is asked (default: `templates/reviewer.md` beside your own policy file, else
    /// the built-in one). Refused below an agent.
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,
    /// Ask reviewers of these models, each by itself (default: `approval.models`). One refusal refuses. Refused below
    /// an agent.
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = model)]
    pub(crate) models: Vec<String>,
    /// How many of the models have to approve (default: `approval.agree`, else all); never fewer than the policy says.
    #[arg(long, value_name = "N")]
    pub(crate) agree: Option<usize>,
    /// The host's session id (default: the session that did something last).
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A model's name, as it stands in a list.
fn model(name: &str) -> Result<String, String> {
    match name.trim() {
        "" => Err("a name in the list is empty".to_owned()),
        name => Ok(name.to_owned()),
    }
}

/// A verdict.
#[derive(Args)]
pub(crate) struct VerdictArgs {
    /// Why, in your words.
    #[arg(long, short, value_name = "TEXT", default_value = "")]
    pub(crate) message: String,
    /// A problem that was found, as `text` or `path:line: text`; may be given several times.
    #[arg(long, value_name = "PROBLEM")]
    pub(crate) finding: Vec<String>,
    /// The review (default: the latest of the session's).
    #[arg(long, value_name = "ID")]
    pub(crate) review: Option<String>,
    /// The host's session id (default: the session that did something last).
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Sign it with your SSH key.
    #[arg(long)]
    pub(crate) sign: bool,
    /// The SSH key to sign with (default: git's `user.signingkey`).
    #[arg(long, value_name = "KEY", requires = "sign")]
    pub(crate) key: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HowSettled {
    /// It was mended.
    Fixed,
    /// It stays as it is, for the reason given.
    Answered,
    /// It was no problem. Needs a human at a terminal.
    Withdrawn,
}

/// Arguments of `proctor review settle`.
#[derive(Args)]
pub(crate) struct SettleArgs {
    /// Id of the finding, or its last six or more characters.
    pub(crate) finding: String,
    /// What became of it.
    #[arg(long, value_enum)]
    pub(crate) how: HowSettled,
    /// How it was mended, or why it stays.
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) message: String,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor review release`.
#[derive(Args)]
pub(crate) struct ReleaseArgs {
    /// Why the work may go without an approval.
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) reason: String,
    /// For how many hours it holds.
    #[arg(long, value_name = "HOURS", default_value_t = 24, value_parser = clap::value_parser!(u64).range(1..=720))]
    pub(crate) hours: u64,
    /// Whatever the session makes of the tree, not only the tree as it is now.
    #[arg(long)]
    pub(crate) any_tree: bool,
    /// Only this session (default: every session of the clone).
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Sign it with your SSH key.
    #[arg(long)]
    pub(crate) sign: bool,
    /// The SSH key to sign with (default: git's `user.signingkey`).
    #[arg(long, value_name = "KEY", requires = "sign")]
    pub(crate) key: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor run-check`.
#[derive(Args)]
pub(crate) struct RunCheckArgs {
    /// Seconds after which the command is ended.
    #[arg(long, value_name = "SECONDS", default_value_t = 3_600)]
    pub(crate) timeout: u64,
    /// Print what was recorded as JSON, and nothing else on standard output: what the command writes there goes to
    /// standard error.
    #[arg(long)]
    pub(crate) json: bool,
    /// The command and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) command: Vec<String>,
}
