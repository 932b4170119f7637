//! Proctor: an enforcement layer for AI coding agents.
//!
//! This binary is the only place that reads the environment, prints and exits. One file per command.

mod alive;
mod beside;
mod caller;
mod cli;
mod clock;
mod commands;
mod detach;
mod environment;
mod interpreter;
mod output;
mod panel;
mod program;
mod proof;
mod reviewer;
mod signing;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    // Hosts start `proctor hook HOST` once per tool call: it does not pay for the command-line parser.
    if args.next().is_some_and(|a| a == "hook") {
        let args: Vec<_> = args.collect();
        let help = |a: &std::ffi::OsString| matches!(a.to_str(), Some("-h" | "--help"));
        if !args.iter().any(help) {
            return commands::hook::run(&args);
        }
    }
    cli::run()
}
