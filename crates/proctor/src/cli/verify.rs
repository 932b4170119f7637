//! Arguments of `proctor verify`.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `proctor verify`.
#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// The commit.
    #[arg(value_name = "REV", default_value = "HEAD")]
    pub(crate) rev: String,
    /// What B has and A has not: B decides, under the policy of A; the others are listed.
    #[arg(long, value_name = "A..B", conflicts_with_all = ["rev", "pre_push", "import"])]
    pub(crate) range: Option<String>,
    /// Read what is to be pushed from standard input, as git gives it to the hook `pre-push`.
    #[arg(long, value_name = "REMOTE", conflicts_with_all = ["rev", "export", "import"])]
    pub(crate) pre_push: Option<String>,
    /// The commit whose policy decides (default: that of the commit which it is compared with).
    #[arg(long, value_name = "REV")]
    pub(crate) policy_from: Option<String>,
    /// Run the required checks again, in a clean folder of exactly this tree (default where CI=true).
    #[arg(long, conflicts_with = "no_rerun")]
    pub(crate) rerun: bool,
    /// Do not run the checks again: read the records.
    #[arg(long)]
    pub(crate) no_rerun: bool,
    /// Seconds after which a check that is run again is ended.
    #[arg(long, value_name = "SECONDS", default_value_t = 1_800)]
    pub(crate) timeout: u64,
    /// An approval of a tree that had untracked files besides does not count. In CI it never does.
    #[arg(long)]
    pub(crate) strict_linkage: bool,
    /// The allowed signers (default: `approval.signers` of your own policy, else `.proctor/allowed_signers` of the
    /// commit whose policy decides).
    #[arg(long, value_name = "FILE")]
    pub(crate) signers: Option<PathBuf>,
    /// Write the answer as in-toto statements, to standard output or into a file, and nothing else.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) export: Option<PathBuf>,
    /// With `--export FILE`: sign the file with your SSH key; the signature goes into `FILE.sig`.
    #[arg(long, requires = "export")]
    pub(crate) sign: bool,
    /// The SSH key to sign with (default: git's `user.signingkey`).
    #[arg(long, value_name = "KEY", requires = "sign")]
    pub(crate) key: Option<String>,
    /// Take in a file of in-toto statements about this commit, as claims; `FILE.sig` beside it is looked at.
    #[arg(long, value_name = "FILE", conflicts_with = "export")]
    pub(crate) import: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
