//! `proctor config`: what is in force and where it comes from; what is wrong; the schema.

use crate::cli::{ConfigArgs, ConfigCommand, SchemaArgs};
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_hosts::claude;
use proctor_kernel::Result;
use proctor_policy::{Problem, Resolved, Severity, Sources, examine, show, show_json};

pub(crate) fn run(command: &ConfigCommand) -> Result<Exit> {
    match command {
        ConfigCommand::Show(args) => show_all(args),
        ConfigCommand::Validate(args) => validate(args),
        // A schema is JSON whether it was asked for or not.
        ConfigCommand::Schema(SchemaArgs { json: _ }) => {
            output::json(&proctor_policy::schema());
            Ok(Exit::Pass)
        }
    }
}

/// The folder of the project's policy files.
fn folder(args: &ConfigArgs) -> Result<std::path::PathBuf> {
    if let Some(dir) = &args.policy {
        return Ok(dir.clone());
    }
    let environment = Environment::read(args.home.clone());
    let repo = proctor_worktree::Repo::discover(&environment.cwd)?;
    let root = repo.as_ref().and_then(|r| r.root()).unwrap_or(&environment.cwd);
    Ok(root.join(".proctor"))
}

/// The policy files that count here.
pub(crate) fn sources(args: &ConfigArgs) -> Result<Sources> {
    if let Some(dir) = &args.policy {
        return Ok(Sources::read_policy_dir(dir));
    }
    let environment = Environment::read(args.home.clone());
    Ok(Sources::read(
        environment.user_policy().as_deref(),
        Some(&folder(args)?),
    ))
}

fn show_all(args: &ConfigArgs) -> Result<Exit> {
    let resolved = examine(&sources(args)?);
    if args.json {
        output::json(&show_json(&resolved));
    } else {
        let rows = show(&resolved);
        let path = rows.iter().map(|r| r.path.chars().count()).max().unwrap_or(0);
        let value = rows
            .iter()
            .map(|r| r.value.to_string().chars().count())
            .max()
            .unwrap_or(0)
            .min(30);
        for row in &rows {
            output::line(&format!(
                "{:<path$}  {:<value$}  {}",
                row.path,
                row.value.to_string(),
                row.origin
            ));
        }
        for problem in &resolved.problems {
            output::complain(&format!("\n{}", problem.render()));
        }
    }
    Ok(Exit::Pass)
}

/// A number of blocked ends of a turn that no host takes.
fn beyond_the_host(resolved: &Resolved) -> Option<Problem> {
    let attempts = resolved.settings.budget.review_attempts;
    let cap = claude::matrix::STOP_CAP.blocks;
    let most = cap.saturating_sub(1);
    let row = attempts.saturating_mul(2);
    let origin = resolved.origins.get("enforcement.budget.review_attempts")?;
    if row <= most {
        return None;
    }
    let host = claude::HOST;
    Some(Problem {
        severity: Severity::Warning,
        file: origin.file.clone()?,
        line: origin.line,
        column: origin.column,
        message: format!(
            "`review_attempts: {attempts}` asks for {row} blocked ends of a turn in a row where there is progress; {host} \
             takes {cap}, so Proctor lets go, as UNREVIEWED, after {most}"
        ),
        suggestion: Some(format!("at most {} is reached in full", most / 2)),
        snippet: None,
        weighs: false,
    })
}

fn validate(args: &ConfigArgs) -> Result<Exit> {
    let mut resolved = examine(&sources(args)?);
    resolved.problems.extend(beyond_the_host(&resolved));
    resolved.problems.extend(Sources::strays(&folder(args)?));
    if args.json {
        output::json(&serde_json::json!({ "valid": resolved.is_valid(), "problems": resolved.problems }));
    } else {
        for problem in &resolved.problems {
            output::line(&problem.render());
        }
        let errors = resolved
            .problems
            .iter()
            .filter(|p| p.severity == Severity::Error)
            .count();
        let warnings = resolved.problems.len() - errors;
        output::line(&format!("{errors} error(s), {warnings} warning(s)"));
    }
    Ok(if resolved.is_valid() {
        Exit::Pass
    } else {
        Exit::Usage
    })
}
