//! `proctor plugin`: the plugin for Claude Code, written from the same source as the installer's entries.

use crate::cli::PluginArgs;
use crate::output::{self, Exit};
use proctor_hosts::claude::plugin;
use proctor_kernel::{Error, ErrorKind, Result};

pub(crate) fn run(args: &PluginArgs) -> Result<Exit> {
    let mut written = Vec::new();
    for (path, content) in plugin::files() {
        let path = args.dir.join(path);
        let write = || {
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(&path, &content)
        };
        write().map_err(|e| {
            Error::new(ErrorKind::Config, format!("cannot write {}", path.display())).because(e)
        })?;
        written.push(path);
    }
    if args.json {
        output::json(&serde_json::json!({ "files": written }));
    } else {
        for path in written {
            output::line(&path.display().to_string());
        }
    }
    Ok(Exit::Pass)
}
