//! A command that verifies something is rewritten so that Proctor runs it and records it exactly.

use super::Work;
use crate::session::Change;
use proctor_gates::looping;
use proctor_kernel::{Action, Decision, Mode, ToolCall};
use proctor_shell::Position;

impl Work<'_> {
    /// Rewrites a call where the policy asks for it, nobody objects, and the line is understood without any doubt.
    pub(super) fn rewrite(&mut self, call: &ToolCall, decision: &mut Decision) {
        let approval = &self.inputs.settings.approval;
        let wanted = approval.rewrite && approval.mode != Mode::Off && self.inputs.settings.enabled;
        if !wanted || decision.action != Action::Allow {
            return;
        }
        let (Some(id), Some(line)) = (&call.id, &call.command) else {
            return;
        };
        let Some(program) = self
            .inputs
            .aside
            .program()
            .filter(|_| self.is_plain_check(call, line))
        else {
            return;
        };
        decision.action = Action::Modify;
        decision.text = Some(format!("{} run-check -- {}", quoted(&program), line.trim()));
        self.push(Change::Rewritten {
            call: id.clone(),
            input: looping::input_of(call),
        });
    }

    /// One command that is a check, by itself: no operator, no variable, nothing around it. Its words stay as they
    /// are written, so the shell takes the new line apart exactly as the old one.
    fn is_plain_check(&self, call: &ToolCall, line: &str) -> bool {
        let plain = |c: char| c.is_ascii_alphanumeric() || " _-./=:,@%+'\"".contains(c) || !c.is_ascii();
        let Some(analysis) = self.analysis(call).filter(|_| line.trim().chars().all(plain)) else {
            return false;
        };
        let ([command], [check]) = (analysis.commands.as_slice(), analysis.checks.as_slice()) else {
            return false;
        };
        analysis.unanalysable.is_none()
            && check.masks.is_empty()
            && check.folder.is_none()
            && !command.dynamic
            && command.env.is_empty()
            && command.wrappers.iter().all(|name| runs_modules(name))
            && command.position == Position::default()
    }
}

/// Whether a program that starts the check only reads it as a module: `python3 -m pytest`.
fn runs_modules(name: &str) -> bool {
    let version = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == '.');
    ["python", "pypy", "py"]
        .iter()
        .any(|python| name.strip_prefix(python).is_some_and(version))
}

fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./+@".contains(c);
    if path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}
