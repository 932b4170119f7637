//! A workflow for GitHub that verifies what is proposed and what is pushed.

use super::Plan;
use proctor_kernel::{Error, ErrorKind, Result};

const MARK: &str = "# Written by `proctor init --ci github`.";

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
# Whoever may change this file decides what is verified: protect it, and require the job `verify`.
name: proctor
on: pull_request
permissions:
  contents: read
jobs:
  verify:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: actions/checkout@v4
        with:
          # The commit that was approved, not a merge of it; and the history that it is compared with.
          ref: ${{{{ github.event.pull_request.head.sha }}}}
          fetch-depth: 0
      - name: Build Proctor
        run: cargo install --locked --git {url} --rev {commit} proctor
      - name: Fetch what other clones recorded (refs/proctor/log)
        # Status 1: something in there is no record. It is left out, and is no reason to stop.
        run: proctor sync --fetch || [ $? -eq 1 ]
      - name: Verify
        env:
          FROM: ${{{{ github.event.pull_request.base.sha }}}}
          TO: ${{{{ github.event.pull_request.head.sha }}}}
        run: proctor verify --range "$FROM..$TO"
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
