//! Starting Claude Code headless for a piece of read-only work, and reading its result.

use super::wire::Fields;
use proctor_kernel::Digest;

/// The tools that a reviewer has. No command is among them: `git diff` and `git log` write files as well (`--output`),
/// and the host asks nobody then (2.1.329).
const READING: &str = "Read,Grep,Glob";

/// Tools that it must not have, whatever else gives them.
const WRITING: &str = "Bash,Write,Edit,MultiEdit,NotebookEdit,Agent,Task,WebFetch,WebSearch";

/// Variables of a session around this one that must not reach the reviewer: it is a session of its own.
pub const OUTER: [&str; 6] = [
    "CLAUDECODE",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_PID",
    "AI_AGENT",
];

/// Whether a variable says which model a name stands for, or is taken where none is named (`ANTHROPIC_MODEL`,
/// `ANTHROPIC_DEFAULT_OPUS_MODEL`): whoever starts a reviewer would choose its model by it.
#[must_use]
pub fn chooses_model(variable: &str) -> bool {
    variable == "CLAUDE_CODE_SUBAGENT_MODEL"
        || variable
            .strip_prefix("ANTHROPIC_")
            .is_some_and(|rest| rest.split('_').any(|part| part == "MODEL"))
}

/// The session that a run gets, from the launch under which it is started: so it is known of one, too, that is ended
/// before it tells anything.
#[must_use]
pub fn session_of(launch: &str) -> String {
    let digest = Digest::of(launch.as_bytes());
    let part = |from, to| digest.as_str().get(from..to).unwrap_or_default();
    // The form that the host asks for is that of a random UUID.
    format!(
        "{}-{}-4{}-8{}-{}",
        part(0, 8),
        part(8, 12),
        part(13, 16),
        part(17, 20),
        part(20, 32)
    )
}

/// The arguments that start a read-only run whose prompt comes on standard input (2.1.329). No settings file
/// is read: neither hooks nor permissions of the place where the work was done reach the reviewer, nor servers of tools.
/// No tool that writes is there to be allowed.
#[must_use]
pub fn read_only_args(session: &str, model: Option<&str>) -> Vec<String> {
    let mut args: Vec<String> = [
        "-p",
        "--output-format",
        "json",
        "--permission-mode",
        "default",
        "--setting-sources",
        "",
        "--strict-mcp-config",
        "--disable-slash-commands",
        "--session-id",
        session,
    ]
    .map(str::to_owned)
    .to_vec();
    args.push(format!("--tools={READING}"));
    args.push(format!("--allowedTools={READING}"));
    args.push(format!("--disallowedTools={WRITING}"));
    if let Some(model) = model {
        args.push("--model".to_owned());
        args.push(model.to_owned());
    }
    args
}

/// What a headless run ended with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headless {
    /// The agent's last words.
    pub text: String,
    /// Its session.
    pub session: String,
    /// The models that were used, where the host tells them, each with the tokens that it wrote. A host uses small
    /// models beside the one that answers, in whatever order it names them.
    pub models: Vec<(String, u64)>,
}

/// Reads the result of a run with `--output-format json`.
///
/// # Errors
/// Why there is no result: the host failed, was refused, or wrote something else. A run is judged by its
/// `is_error` and `terminal_reason`, never by its exit code (2.1.329).
pub fn read_result(stdout: &[u8]) -> Result<Headless, String> {
    let text = String::from_utf8_lossy(stdout);
    let line = last_object(&text).ok_or("the host wrote no result")?;
    let fields: Fields<'_> =
        serde_json::from_str(line).map_err(|e| format!("the host's result is no JSON: {e}"))?;
    let words = fields.text("result").unwrap_or_default();
    let reason = fields.text("terminal_reason");
    let whole = reason.as_deref().is_none_or(|r| r == "completed");
    if fields.flag("is_error") == Some(true) || !whole {
        let why = reason.unwrap_or_else(|| "error".to_owned());
        let words: String = words.chars().take(300).collect();
        return Err(format!("the host ended with {why}: {words}"));
    }
    let used = fields.object("modelUsage");
    let wrote = |model: &str| used.object(model).count("outputTokens").unwrap_or_default();
    Ok(Headless {
        text: words,
        session: fields.text("session_id").unwrap_or_default(),
        models: used.names().map(|name| (name.to_owned(), wrote(name))).collect(),
    })
}

/// The tokens that a run wrote and that it read outside the host's cache, of all models that it used; also of a run that
/// ended without a result. What the host puts before every conversation is among them: where the run left a transcript,
/// that one tells more ([`usage::of_session`](super::usage::of_session)).
#[must_use]
pub fn tokens(stdout: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(stdout);
    let Some(fields) = last_object(&text).and_then(|line| serde_json::from_str::<Fields<'_>>(line).ok())
    else {
        return 0;
    };
    let sum = |of: &Fields<'_>, names: [&str; 3]| {
        names
            .iter()
            .filter_map(|name| of.count(name))
            .fold(0, u64::saturating_add)
    };
    let models = fields.object("modelUsage");
    let each = models.names().map(|model| {
        let names = ["inputTokens", "outputTokens", "cacheCreationInputTokens"];
        sum(&models.object(model), names)
    });
    let all = each.fold(0, u64::saturating_add);
    let names = ["input_tokens", "output_tokens", "cache_creation_input_tokens"];
    // An older host does not tell them apart.
    all.max(sum(&fields.object("usage"), names))
}

/// The last line that begins an object.
fn last_object(text: &str) -> Option<&str> {
    text.lines().rev().find(|line| line.trim_start().starts_with('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results() {
        let good = br#"{"type":"result","is_error":false,"terminal_reason":"completed","result":"words","session_id":"s",
"x":1}"#;
        // Pretty-printed results are not one line; only what begins an object on its own line is read.
        assert!(read_result(good).is_err());
        let good = br#"{"type":"result","is_error":false,"terminal_reason":"completed","result":"words","session_id":"s","modelUsage":{"claude-h":{"outputTokens":3},"claude-x":{}},"usage":{"input_tokens":3,"output_tokens":4}}"#;
        let read = read_result(good).unwrap();
        assert_eq!((read.text.as_str(), read.session.as_str()), ("words", "s"));
        let models = [("claude-h".to_owned(), 3), ("claude-x".to_owned(), 0)];
        assert_eq!(read.models, models);
        for bad in [
            &b""[..],
            b"Not logged in",
            br#"{"is_error":true,"result":"quota"}"#,
            br#"{"is_error":false,"terminal_reason":"max_turns","result":""}"#,
        ] {
            assert!(read_result(bad).is_err());
        }
    }

    #[test]
    fn variables_that_choose_the_model() {
        for (name, chooses) in [
            ("ANTHROPIC_MODEL", true),
            ("ANTHROPIC_DEFAULT_SONNET_MODEL", true),
            ("ANTHROPIC_SMALL_FAST_MODEL", true),
            ("CLAUDE_CODE_SUBAGENT_MODEL", true),
            ("ANTHROPIC_API_KEY", false),
            ("ANTHROPIC_BASE_URL", false),
            ("MODEL", false),
        ] {
            assert_eq!(chooses_model(name), chooses, "{name}");
        }
    }

    #[test]
    fn what_a_run_cost() {
        for (result, cost) in [
            ("", 0),
            ("Not logged in", 0),
            (r#"{"type":"result"}"#, 0),
            (r#"{"usage":{"input_tokens":3,"output_tokens":4}}"#, 7),
            // What was read from the cache was paid for before; an error costs all the same.
            (
                r#"{"is_error":true,"usage":{"input_tokens":3,"output_tokens":4,"cache_creation_input_tokens":10,"cache_read_input_tokens":900}}"#,
                17,
            ),
            // The small model beside the main one is told there alone.
            (
                r#"{"usage":{"input_tokens":3,"output_tokens":4},"modelUsage":{"a":{"inputTokens":3,"outputTokens":4,"cacheReadInputTokens":5},"b":{"inputTokens":1,"outputTokens":1,"cacheCreationInputTokens":2}}}"#,
                11,
            ),
            (
                r#"{"usage":{"input_tokens":-3,"output_tokens":"x"},"modelUsage":[1]}"#,
                0,
            ),
        ] {
            assert_eq!(tokens(result.as_bytes()), cost, "{result}");
        }
    }

    #[test]
    fn no_tool_that_writes_is_given() {
        let session = session_of("01M80M0VBS5BKKGSGYYJ9SBR18");
        let form = |part: &str| part.bytes().all(|b| b.is_ascii_hexdigit());
        let lengths: Vec<usize> = session.split('-').map(str::len).collect();
        assert!(
            lengths == [8, 4, 4, 4, 12] && session.split('-').all(form),
            "{session}"
        );
        assert_ne!(session, session_of("01M80M0VBS5BKKGSGYYJ9SBR19"));
        let args = read_only_args(&session, Some("small"));
        assert!(args.windows(2).any(|w| w == ["--session-id", session.as_str()]));
        for option in ["--tools=", "--allowedTools="] {
            let given = args.iter().find_map(|a| a.strip_prefix(option)).unwrap();
            assert_eq!(given, "Read,Grep,Glob", "{option}");
        }
        assert!(args.windows(2).any(|w| w == ["--setting-sources", ""]));
        assert!(args.windows(2).any(|w| w == ["--model", "small"]));
    }
}
