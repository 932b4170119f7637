//! Finding or installing the pinned CLI.

use super::Claude;
use crate::{process, skip};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// The version that the conformance tests were made for.
pub const VERSION: &str = "2.1.329";

/// The npm package.
pub const PACKAGE: &str = "@anthropic-ai/claude-code";

/// Variable with the path of an installed CLI: nothing is installed then.
const PROGRAM: &str = "PROCTOR_CLAUDE_BIN";

/// Variable with the folder that holds installed hosts.
const CACHE: &str = "PROCTOR_TEST_CACHE";

/// Whether the real CLI can be had.
#[derive(Clone, Debug)]
pub enum Availability {
    /// It is installed.
    Ready(Claude),
    /// It is not, because of this.
    Skipped(String),
}

/// Finds the pinned CLI, or installs it into the cache folder (`$PROCTOR_TEST_CACHE`, else
/// `target/host-cache` of this workspace). The answer is the same for the whole process.
pub fn available() -> &'static Availability {
    static ANSWER: OnceLock<Availability> = OnceLock::new();
    ANSWER.get_or_init(|| match find() {
        Ok(path) => Availability::Ready(Claude::at(path)),
        Err(why) => Availability::Skipped(why),
    })
}

/// The real CLI; `None` after having reported loudly that `test` is skipped.
///
/// # Panics
/// In CI, where a skipped conformance test is a failure.
#[must_use]
pub fn ready_or_skip(test: &str) -> Option<Claude> {
    match available() {
        Availability::Ready(claude) => Some(claude.clone()),
        Availability::Skipped(why) => {
            skip::skipped(test, why);
            None
        }
    }
}

fn find() -> Result<PathBuf, String> {
    if std::env::var("PROCTOR_TEST_HOSTS").is_ok_and(|v| v == "0") {
        return Err("real hosts are left out (PROCTOR_TEST_HOSTS=0)".to_owned());
    }
    if let Some(path) = std::env::var_os(PROGRAM) {
        let path = PathBuf::from(path);
        return if path.is_file() {
            Ok(path)
        } else {
            Err(format!("{PROGRAM} names no file"))
        };
    }
    let cache = std::env::var_os(CACHE).map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/host-cache"),
        PathBuf::from,
    );
    let folder = cache.join(format!("claude-code-{VERSION}"));
    // The lock is held until the file is closed: parallel test processes wait for one installation.
    fs::create_dir_all(&cache).map_err(|e| format!("the cache folder cannot be made: {e}"))?;
    let lock = File::create(cache.join("claude-code.lock")).map_err(|e| format!("no lock file: {e}"))?;
    lock.lock()
        .map_err(|e| format!("the cache cannot be locked: {e}"))?;
    if let Some(program) = program_in(&folder) {
        return Ok(program);
    }
    install(&folder)?;
    program_in(&folder).ok_or_else(|| format!("{PACKAGE} {VERSION} holds no program for this platform"))
}

/// The native program of the platform's package. The wrapper's own `bin` stays a stub, because
/// install scripts are not run.
fn program_in(folder: &Path) -> Option<PathBuf> {
    let scope = folder.join("node_modules/@anthropic-ai");
    let mut programs: Vec<PathBuf> = fs::read_dir(scope)
        .ok()?
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("claude-code-"))
        .map(|entry| entry.path().join("claude"))
        .filter(|program| program.is_file())
        .collect();
    // The musl build, where npm installed both, comes after the glibc build.
    programs.sort();
    programs.into_iter().next()
}

/// Installs into a folder beside the final one, so that a broken installation is never found.
fn install(folder: &Path) -> Result<(), String> {
    let fresh = folder.with_extension("new");
    let _ = fs::remove_dir_all(&fresh);
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(&fresh).map_err(|e| format!("{}: {e}", fresh.display()))?;
    fs::write(fresh.join("package.json"), "{\"private\":true}\n").map_err(|e| e.to_string())?;
    if Command::new("npm").arg("--version").output().is_err() {
        return Err("npm is not installed".to_owned());
    }
    let mut npm = Command::new("npm");
    npm.current_dir(&fresh)
        .args([
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--no-progress",
            "--loglevel=error",
        ])
        .arg(format!("{PACKAGE}@{VERSION}"));
    let done = process::run(&mut npm, b"", Duration::from_secs(300));
    if done.code != Some(0) {
        let text = String::from_utf8_lossy(&done.stderr);
        let lines: Vec<&str> = text.lines().take(3).collect();
        return Err(format!(
            "npm could not install {PACKAGE}@{VERSION}: {}",
            lines.join(" / ")
        ));
    }
    fs::rename(&fresh, folder).map_err(|e| format!("{}: {e}", folder.display()))
}
