//! A workflow for GitHub that verifies what is proposed and what is pushed.

use super::Plan;
use proctor_kernel::{Error, ErrorKind, Result};

const MARK: &str = "# Written by `proctor init --ci github`.";

/// The compiler that builds the program in CI: the least that it asks for.
const RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Where CI gets the program from: one commit of one repository, so that nobody can put another program in its
/// place later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The repository's URL.
    pub url: String,
    /// The commit.
    pub commit: String,
}

impl Source {
    /// Reads `URL#COMMIT`.
    ///
    /// # Errors
    /// Kind `input` when it is not of that form.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = || {
            Error::new(ErrorKind::Input, format!("{text:?} names no pinned version"))
                .hint("URL#COMMIT: the repository of Proctor and the full id of the commit to build, as in https://example.org/proctor.git#0123…")
        };
        let (url, commit) = text.rsplit_once('#').ok_or_else(wrong)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/@%+".contains(c);
        let is_url = url.starts_with("https://") && url.chars().all(plain);
        let is_commit = matches!(commit.len(), 40 | 64) && commit.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_url || !is_commit {
            return Err(wrong());
        }
        Ok(Self {
            url: url.to_owned(),
            commit: commit.to_owned(),
        })
    }
}

/// Plans the workflow.
///
/// # Errors
/// Kind `config` when there is a file of that name that is not ours.
pub fn workflow(old: Option<&str>, source: &Source) -> Result<Plan> {
    foreign(old)?;
    let Source { url, commit } = source;
    let text = format!(
        r#"{MARK}
# Whoever may change this file decides what is verified: protect .github/workflows/**, and require the job `verify`.
name: proctor
on:
  pull_request:
    # `edited`: the base was changed.
    types: [opened, synchronize, reopened, edited]
  merge_group:
permissions:
  contents: read
jobs:
  verify:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - name: Build Proctor
        # Before the checkout, elsewhere, and with this toolchain: nothing of the change takes part in the build.
        working-directory: ${{{{ runner.temp }}}}
        env:
          RUSTUP_TOOLCHAIN: "{RUST}"
        run: |
          rustup toolchain install --profile minimal "$RUSTUP_TOOLCHAIN"
          cargo install --locked --git {url} --rev {commit} proctor
      - uses: actions/checkout@v4
        with:
          # The commit that was approved, not a merge of it; and the history that it is compared with.
          ref: ${{{{ github.event.merge_group.head_sha || github.event.pull_request.head.sha }}}}
          fetch-depth: 0
      - name: Fetch what other clones recorded (refs/proctor/log)
        # Status 1: something in there is no record. It is left out, and is no reason to stop.
        run: proctor sync --fetch || [ $? -eq 1 ]
      - name: Verify
        env:
          BASE: ${{{{ github.event.pull_request.base.ref }}}}
          FROM: ${{{{ github.event.merge_group.base_sha }}}}
          TO: ${{{{ github.event.merge_group.head_sha || github.event.pull_request.head.sha }}}}
        run: |
          if [ -z "$FROM" ]; then
            # The base as it is now: the event may be old.
            git fetch --no-tags origin "refs/heads/$BASE"
            FROM=$(git rev-parse --verify FETCH_HEAD)
          fi
          proctor verify --rerun --range "$FROM..$TO"
"#
    );
    Ok(Plan::of(old, Some(text)))
}

/// Plans the removal of the workflow.
///
/// # Errors
/// Kind `config` when the file is not ours.
pub fn workflow_removal(old: Option<&str>) -> Result<Plan> {
    foreign(old)?;
    Ok(Plan::of(old, None))
}

fn foreign(old: Option<&str>) -> Result<()> {
    if old.is_some_and(|text| !text.starts_with(MARK)) {
        return Err(Error::new(
            ErrorKind::Config,
            "there is a workflow of that name already, and Proctor did not write it",
        )
        .hint("rename it, or add the steps by hand: docs/reference/verify.md"));
    }
    Ok(())
}
