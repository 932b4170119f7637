//! The command line. Its help texts are the manual; `docs/reference/commands.md` is printed from them.

mod review;
mod verify;

pub(crate) use review::{
    HowSettled, ReleaseArgs, RequestArgs, ReviewCommand, RunArgs, RunCheckArgs, SessionArgs, SettleArgs,
    VerdictArgs,
};

pub(crate) use verify::VerifyArgs;

use crate::commands;
use crate::output::{self, Exit};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// Enforcement layer for AI coding agents: witnesses what they do, checks what they claim, and lets
/// them go on, stop or post only when the gates agree.
///
/// Exit status of all commands but `hook` and `run-check`: 0 pass, 1 blocked, 2 wrong use or configuration,
/// 3 could not run, 4 needs a human.
#[derive(Parser)]
#[command(name = "proctor", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play the flattery loop on this machine: scripted agents, real tools, real gates, no key needed.
    Demo(DemoArgs),
    /// Install Proctor's hooks for a host into a repository or for the user. Merges, never replaces.
    Init(InitArgs),
    /// Remove Proctor's hooks again, and nothing else.
    Uninstall(UninstallArgs),
    /// Find out whether Proctor really guards this place, by a canary, and say how to mend what is wrong.
    Doctor(DoctorArgs),
    /// The one entry that hosts call: payload on stdin, exactly one JSON answer on stdout.
    Hook(HookArgs),
    /// Run one gate on text or data. The same code as in the hook; nothing is executed.
    Check(CheckArgs),
    /// Read old transcripts through the gates: flattery, empty approvals, scope, unverified claims, retries.
    Audit(AuditArgs),
    /// How well the gates do on labelled messages: precision, recall and F1 with 95 % intervals.
    Eval(EvalArgs),
    /// Report a wrong verdict: it goes into the repository's own corpus, which `eval` judges.
    Feedback(FeedbackArgs),
    /// Figures per gate and agent from the decisions recorded here.
    Stats(StatsArgs),
    /// Why a decision fell: what each gate saw, said and cost.
    Explain(ExplainArgs),
    /// Look the state folder over: logs, checksums, chains, snapshots, small files. Says what is wrong, where,
    /// and what is lost with it. Exit status 0 in order, 1 damaged or changed, 3 could not look.
    Fsck(FsckArgs),
    /// Exchange reviews and checks with other clones over `refs/proctor/log` of this repository. Neither work
    /// tree nor index is touched. Exit status 0 done, 1 something was rejected or lost, 3 could not run.
    Sync(SyncArgs),
    /// Show, check or describe the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Set, show or close the task that this repository's agents work on.
    #[command(subcommand)]
    Task(TaskCommand),
    /// Ask for reviews, give verdicts, and find out whether the work may go.
    #[command(subcommand)]
    Review(ReviewCommand),
    /// Let Proctor run the checks that this repository's policy names (levels `rerun` and `tamper`). Needs a human at
    /// a terminal; any change of the checks takes the trust away.
    Trust(TrustArgs),
    /// May this commit go? Is its tree approved, by whom, and on which evidence; under the policy of the base, never under
    /// a looser one of its own. In CI the required checks are run again. Exit status 0 yes, 1 no, 3 cannot tell, 4
    /// a human has to look.
    Verify(VerifyArgs),
    /// Run a verification command, and record it as evidence for the tree that it ran on. Exit status: the command's
    /// own; also 2 when it could not be started, 3 when a signal or the time ended it.
    RunCheck(RunCheckArgs),
    /// Write Proctor's plugin for Claude Code into a folder.
    Plugin(PluginArgs),
    /// Print the reference of all commands in Markdown.
    #[command(hide = true)]
    Reference,
}

/// Arguments of `proctor demo`.
#[derive(Args)]
pub(crate) struct DemoArgs {
    /// No pauses between the lines (also when the output is no terminal).
    #[arg(long)]
    pub(crate) fast: bool,
    /// Keep the throw-away repository and print its path.
    #[arg(long)]
    pub(crate) keep: bool,
    /// Print the report as JSON, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A host that Proctor can be installed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Host {
    /// Claude Code.
    Claude,
}

/// Where hooks are installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// The repository's settings, shared through git.
    Project,
    /// The repository's settings of this machine, which are not shared (`.claude/settings.local.json`).
    Local,
    /// The user's settings, for all repositories.
    User,
}

/// A base set of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PresetName {
    /// Record only.
    Observe,
    /// Enforce what is measured, warn about the rest.
    Standard,
    /// Enforce everything.
    Strict,
}

/// A forge whose CI can verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ci {
    /// GitHub Actions.
    Github,
}

/// Arguments of `proctor init`.
#[derive(Args)]
pub(crate) struct InitArgs {
    /// The host (default: claude, unless --pre-push or --ci is given).
    #[arg(long, value_enum)]
    pub(crate) host: Option<Host>,
    /// Install git's hook that verifies what is pushed. A hook that is there already stays, behind it.
    #[arg(long)]
    pub(crate) pre_push: bool,
    /// Write a workflow that verifies in CI; needs --source.
    #[arg(long, value_enum)]
    pub(crate) ci: Option<Ci>,
    /// Where CI gets Proctor from: its repository and the commit to build.
    #[arg(long, value_name = "URL#COMMIT", requires = "ci")]
    pub(crate) source: Option<String>,
    /// Whose settings get the hooks.
    #[arg(long, value_enum, default_value = "project")]
    pub(crate) scope: Scope,
    /// Base set of modes, written to `.proctor/proctor.yaml` when that file does not exist yet.
    #[arg(long, value_enum)]
    pub(crate) preset: Option<PresetName>,
    /// Show what would change; change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The program that hooks start (default: this program).
    #[arg(long, value_name = "PATH")]
    pub(crate) program: Option<PathBuf>,
    /// Home folder to use instead of the user's.
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor uninstall`.
#[derive(Args)]
pub(crate) struct UninstallArgs {
    /// The host (default: claude, unless --pre-push or --ci is given).
    #[arg(long, value_enum)]
    pub(crate) host: Option<Host>,
    /// Remove Proctor's part of git's hook.
    #[arg(long)]
    pub(crate) pre_push: bool,
    /// Remove the workflow that Proctor wrote.
    #[arg(long, value_enum)]
    pub(crate) ci: Option<Ci>,
    /// Whose settings lose the hooks.
    #[arg(long, value_enum, default_value = "project")]
    pub(crate) scope: Scope,
    /// Show what would change; change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Home folder to use instead of the user's.
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor doctor`.
#[derive(Args)]
pub(crate) struct DoctorArgs {
    /// The host's program (default: found on PATH).
    #[arg(long, value_name = "PATH")]
    pub(crate) claude: Option<PathBuf>,
    /// Look only; do not start the host for the canary.
    #[arg(long)]
    pub(crate) no_canary: bool,
    /// Home folder to use instead of the user's.
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor hook`.
#[derive(Args)]
pub(crate) struct HookArgs {
    /// The host that calls: `claude`.
    pub(crate) host: String,
}

/// Arguments of `proctor check`.
#[derive(Args, Default)]
pub(crate) struct CheckArgs {
    /// The gate: response, review, scope, todo, drift, delegation; or claims.
    pub(crate) gate: String,
    /// The text or data; `-` or nothing reads standard input. For `drift` each paragraph is a thought.
    pub(crate) file: Option<PathBuf>,
    /// One JSON object per line in, one out, in the same order. Exit status 0 when every line was
    /// answered, 2 when one was malformed.
    #[arg(long)]
    pub(crate) jsonl: bool,
    /// Who reads the text.
    #[arg(long, value_enum, default_value = "agent")]
    pub(crate) audience: AudienceName,
    /// Changed files, for `scope`; without it the work tree's changes since HEAD.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) modified: Option<Vec<String>>,
    /// The agent's answers in order, for `todo`.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) response: Vec<PathBuf>,
    /// The words of the task that the text answers, for `response --audience human`: is anything said of it?
    #[arg(long, value_name = "FILE")]
    pub(crate) task: Option<PathBuf>,
    /// Nobody asked for a review, for `review`: a hook judges so unless the task of the agent asks for one. In
    /// lines the field `"asked": false` says it.
    #[arg(long)]
    pub(crate) unasked: bool,
    /// Policy folder, laid out like `.proctor/`, instead of user, project and local layers.
    #[arg(long, value_name = "DIR")]
    pub(crate) policy: Option<PathBuf>,
    /// The work tree (default: the current folder).
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Home folder to use instead of the user's.
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Who reads a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AudienceName {
    /// Another agent.
    #[default]
    Agent,
    /// A person.
    Human,
}

/// Arguments of `proctor eval`.
#[derive(Args)]
pub(crate) struct EvalArgs {
    /// Labelled files, one JSON object per line; `-` reads standard input. Without any, the repository's
    /// own corpus, `.proctor/corpus/*.jsonl`. The gate is seen by the fields.
    #[arg(conflicts_with = "floors")]
    pub(crate) files: Vec<PathBuf>,
    /// Only items of this gate; also the gate of items whose fields do not tell it.
    #[arg(long, value_name = "GATE", conflicts_with = "floors")]
    pub(crate) gate: Option<String>,
    /// Fields to group the items by.
    #[arg(
        long,
        value_name = "FIELD,…",
        value_delimiter = ',',
        default_value = "lang,audience,kind"
    )]
    pub(crate) by: Vec<String>,
    /// Answers to judge instead of asking the gates: lines as `proctor check --jsonl` prints them, found by id.
    /// Items without an answer are counted apart. For cross-validation of what was trained elsewhere.
    #[arg(long, value_name = "FILE", conflicts_with = "floors")]
    pub(crate) answers: Option<PathBuf>,
    /// List N wrong answers of each gate, with their texts.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) errors: usize,
    /// Totals only, for a sealed file: no groups, no ids, no texts.
    #[arg(long, conflicts_with = "errors")]
    pub(crate) totals: bool,
    /// A demand on each gate's figures; exit status 1 when one is not met. Figures: precision, recall, f1,
    /// accuracy, items, errors_per_30.
    #[arg(long, value_name = "FIGURE=VALUE")]
    pub(crate) floor: Vec<proctor_eval::Floor>,
    /// The demands of a floors file, on the files that it names; exit status 1 when one is not met.
    #[arg(long, value_name = "FILE")]
    pub(crate) floors: Option<PathBuf>,
    /// Policy folder, laid out like `.proctor/`, instead of user, project and local layers.
    #[arg(long, value_name = "DIR")]
    pub(crate) policy: Option<PathBuf>,
    /// Home folder to use instead of the user's.
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor audit`.
#[derive(Args)]
pub(crate) struct AuditArgs {
    /// Transcript files, or folders with transcripts (`~/.claude/projects`).
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the report as one self-contained HTML page.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Worst examples per metric.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) examples: usize,
    /// Do not quote the transcripts in the report.
    #[arg(long)]
    pub(crate) no_quotes: bool,
    /// Policy folder, laid out like `.proctor/`.
    #[arg(long, value_name = "DIR")]
    pub(crate) policy: Option<PathBuf>,
}

/// Arguments of `proctor feedback`.
#[derive(Args)]
pub(crate) struct FeedbackArgs {
    /// Id of the decision that was wrong, or its last six or more characters; `last` for the latest in
    /// which a gate objected that can be reported: response, review, delegation, scope, todo, drift.
    pub(crate) id: Option<String>,
    /// A gate objected wrongly.
    #[arg(long, conflicts_with = "missed")]
    pub(crate) false_positive: bool,
    /// A gate should have objected: to the text of `--file`, or for scope, todo and drift to a labelled
    /// JSON object in it.
    #[arg(long, conflicts_with = "id")]
    pub(crate) missed: bool,
    /// The gate that was wrong.
    #[arg(long, value_name = "GATE")]
    pub(crate) gate: Option<String>,
    /// Why it was wrong.
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// The text, where the record does not hold it; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Who reads the text, with `--missed`.
    #[arg(long, value_enum, default_value = "agent")]
    pub(crate) audience: AudienceName,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor stats`.
#[derive(Args)]
pub(crate) struct StatsArgs {
    /// Also list the latest N decisions.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) recent: usize,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor explain`.
#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// Id of the decision, or its last six or more characters; `last` for the latest.
    pub(crate) id: String,
    /// Print the record as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor fsck`.
#[derive(Args)]
pub(crate) struct FsckArgs {
    /// Mend what can be mended. Nothing is deleted: what is taken out goes into `quarantine/`.
    #[arg(long)]
    pub(crate) repair: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor sync`.
#[derive(Args)]
pub(crate) struct SyncArgs {
    /// The remote; without one of this name records are only written to this clone's own reference.
    #[arg(long, value_name = "NAME", default_value = "origin")]
    pub(crate) remote: String,
    /// Publish only; what others published is not taken in.
    #[arg(long, conflicts_with = "fetch")]
    pub(crate) push: bool,
    /// Take in only; nothing is sent.
    #[arg(long)]
    pub(crate) fetch: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `proctor config …`
#[derive(Subcommand)]
pub(crate) enum ConfigCommand {
    /// Every value in force, and where it comes from.
    Show(ConfigArgs),
    /// Report what is wrong with the policy files. Exit status 2 when something is.
    Validate(ConfigArgs),
    /// The JSON Schema of policy files.
    Schema(SchemaArgs),
}

/// Arguments of `proctor config schema`.
#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// Print JSON, which a schema always is.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor config show` and `validate`.
#[derive(Args)]
pub(crate) struct ConfigArgs {
    /// Policy folder, laid out like `.proctor/`, instead of user, project and local layers.
    #[arg(long, value_name = "DIR")]
    pub(crate) policy: Option<PathBuf>,
    /// Home folder to use instead of the user's.
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `proctor task …`
#[derive(Subcommand)]
pub(crate) enum TaskCommand {
    /// Set the task: its base is the work tree as it is now.
    Start {
        /// The task in the user's words, EXPECTED OUTCOME included; `-` reads standard input.
        words: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// The set task, and what every session works on.
    Show {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Close the set task; where none is set, what the last session works on.
    Done {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Arguments of `proctor trust`.
#[derive(Args)]
pub(crate) struct TrustArgs {
    /// Show the checks and whether they are trusted; change nothing. Exit status 1 when they are not.
    #[arg(long)]
    pub(crate) show: bool,
    /// Trust nothing of this clone any more.
    #[arg(long, conflicts_with = "show")]
    pub(crate) revoke: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `proctor plugin`.
#[derive(Args)]
pub(crate) struct PluginArgs {
    /// The folder; it is made when it does not exist.
    pub(crate) dir: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Runs the command line.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors; clap prints them to the right stream.
            let wrong = error.use_stderr();
            let _gone = error.print();
            return if wrong {
                Exit::Usage.into()
            } else {
                Exit::Pass.into()
            };
        }
    };
    let result = match cli.command {
        Command::Demo(args) => commands::demo::run(&args),
        Command::Init(args) => commands::init::run(&args),
        Command::Uninstall(args) => commands::init::uninstall(&args),
        Command::Doctor(args) => commands::doctor::run(&args),
        Command::Hook(args) => return commands::hook::run(&[args.host.into()]),
        Command::Check(args) => commands::check::run(&args),
        Command::Audit(args) => commands::audit::run(&args),
        Command::Eval(args) => commands::eval::run(&args),
        Command::Feedback(args) => commands::feedback::run(&args),
        Command::Stats(args) => commands::stats::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Fsck(args) => commands::fsck::run(&args),
        Command::Sync(args) => commands::sync::run(&args),
        Command::Config(command) => commands::config::run(&command),
        Command::Task(command) => commands::task::run(&command),
        Command::Review(command) => commands::review::run(&command),
        Command::Trust(args) => commands::trust::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::RunCheck(args) => return commands::run_check::run(&args),
        Command::Plugin(args) => commands::plugin::run(&args),
        Command::Reference => commands::reference::run(&mut Cli::command()),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => output::fail(&error).into(),
    }
}
