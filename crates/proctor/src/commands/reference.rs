//! `proctor reference`: the command reference in Markdown, printed from the help texts.

use crate::output::{self, Exit};
use proctor_kernel::Result;

pub(crate) fn run(root: &mut clap::Command) -> Result<Exit> {
    root.build();
    let mut out = String::from(
        "# Commands\n\nPrinted by `proctor reference` from the help texts; a test keeps it current. \
         Do not edit by hand.\n",
    );
    section(root, &mut out);
    output::print(&out);
    Ok(Exit::Pass)
}

fn section(command: &mut clap::Command, out: &mut String) {
    let title = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    // A fixed width, so that the page does not depend on the terminal.
    let mut own = command.clone().term_width(100).disable_help_subcommand(true);
    let help = own.render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    out.push_str(&format!(
        "\n## `{title}`\n\n```text\n{}\n```\n",
        help.join("\n").trim_end()
    ));
    for sub in command
        .get_subcommands_mut()
        .filter(|s| !s.is_hide_set() && s.get_name() != "help")
    {
        section(sub, out);
    }
}
