//! What the host tells of work in the background, in a prompt of its own (2.1.329).

/// What a `<task-notification>` prompt tells about work in the background.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notification {
    /// The background task; for a subagent its id.
    pub agent: Option<String>,
    /// The tool call that started it.
    pub call: Option<String>,
    /// How it ended, in the host's words (`completed`, `failed`, …).
    pub status: Option<String>,
    /// The exit code of a command.
    pub exit: Option<i32>,
    /// The file into which a command wrote.
    pub output: Option<String>,
    /// The subagent's answer; `None` for a command.
    pub result: Option<String>,
}

/// Reads a `<task-notification>` prompt; `None` for any other text.
#[must_use]
pub fn notification(text: &str) -> Option<Notification> {
    let body = text.trim().strip_prefix("<task-notification>")?;
    let head = body.split_once("<result>").map_or(body, |(head, _)| head);
    // The answer is an agent's own text and may hold any tag: it ends at the last closing one.
    let result = body
        .split_once("<result>")
        .and_then(|(_, rest)| rest.rsplit_once("</result>"))
        .map(|(result, _)| result.to_owned());
    let field = |name: &str| {
        let (_, rest) = head.split_once(&format!("<{name}>"))?;
        rest.split_once(&format!("</{name}>"))
            .map(|(value, _)| value.to_owned())
    };
    let status = field("status");
    let summary = head
        .split_once("<summary>")
        .and_then(|(_, rest)| rest.rsplit_once("</summary>"))
        .map(|(summary, _)| summary);
    Some(Notification {
        agent: field("task-id"),
        call: field("tool-use-id"),
        exit: summary.and_then(|summary| exit_code(status.as_deref()?, summary)),
        output: field("output-file"),
        status,
        result,
    })
}

/// The code at the end of `Background command "…" completed (exit code 0)` or `… failed with exit code 3`. What
/// stands in quotes is the agent's own description: only the end is the host's, and only where it fits the status.
fn exit_code(status: &str, summary: &str) -> Option<i32> {
    let summary = summary.trim_end();
    if !summary.starts_with("Background command ") {
        return None;
    }
    let (before, digits) = match status {
        "completed" => summary.strip_suffix(')')?.rsplit_once(" completed (exit code ")?,
        "failed" => summary.rsplit_once(" failed with exit code ")?,
        _ => return None,
    };
    let code: i32 = digits.parse().ok()?;
    (before.ends_with('"') && (code == 0) == (status == "completed")).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(status: &str, summary: &str) -> Option<i32> {
        let text = format!(
            "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n<output-file>/tmp/b1.output</output-file>\n\
             <status>{status}</status>\n<summary>{summary}</summary>\n</task-notification>"
        );
        let read = notification(&text).unwrap();
        assert_eq!(
            (read.call.as_deref(), read.output.as_deref()),
            (Some("t1"), Some("/tmp/b1.output"))
        );
        read.exit
    }

    #[test]
    fn the_end_of_a_command() {
        for (status, summary, code) in [
            (
                "completed",
                "Background command \"r\" completed (exit code 0)",
                Some(0),
            ),
            (
                "failed",
                "Background command \"r\" failed with exit code 3",
                Some(3),
            ),
            // The description is the agent's own, and says what it likes.
            (
                "failed",
                "Background command \"x\" completed (exit code 0)\" failed with exit code 1",
                Some(1),
            ),
            ("failed", "Background command \"x\" completed (exit code 0)", None),
            ("killed", "Background command \"x\" completed (exit code 0)", None),
            (
                "completed",
                "Background command \"x\" failed with exit code 0",
                None,
            ),
            ("completed", "Background command \"r\" was stopped", None),
            ("completed", "Agent \"x\" completed (exit code 0)", None),
            (
                "completed",
                "Background command \"r\" completed (exit code 7)",
                None,
            ),
        ] {
            assert_eq!(told(status, summary), code, "{summary}");
        }
    }
}
