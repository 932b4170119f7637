//! One headless run of the CLI.

use crate::env::TestEnvironment;
use crate::model::ModelServer;
use crate::process::{self, Finished};
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Time limit of one run; a scripted run takes about a second.
const LIMIT: Duration = Duration::from_secs(90);

/// An installed Claude Code CLI.
#[derive(Clone, Debug)]
pub struct Claude {
    program: PathBuf,
}

impl Claude {
    /// The CLI at `program`.
    #[must_use]
    pub fn at(program: PathBuf) -> Self {
        Self { program }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Runs `claude -p PROMPT` in the environment's project, against `model`.
    #[must_use]
    pub fn prompt(&self, env: &TestEnvironment, model: &ModelServer, prompt: &str) -> Answer {
        self.prompt_with(env, model, prompt, &[])
    }

    /// Continues an earlier session with a new prompt.
    #[must_use]
    pub fn resume(&self, env: &TestEnvironment, model: &ModelServer, session: &str, prompt: &str) -> Answer {
        self.prompt_with(env, model, prompt, &["--resume", session])
    }

    /// As [`Claude::prompt`], with more arguments.
    #[must_use]
    pub fn prompt_with(
        &self,
        env: &TestEnvironment,
        model: &ModelServer,
        prompt: &str,
        args: &[&str],
    ) -> Answer {
        let mut command = self.command(env, model);
        command
            .args(["-p", prompt, "--output-format", "stream-json", "--verbose"])
            .args(["--permission-mode", "acceptEdits", "--allowedTools=Bash"])
            .args(args);
        Answer::read(process::run(&mut command, b"", LIMIT))
    }

    /// The CLI with the environment's variables, a dummy key, and everything but the model switched off
    /// (the switches of Claude Code 2.1.329).
    #[must_use]
    pub fn command(&self, env: &TestEnvironment, model: &ModelServer) -> Command {
        let mut command = env.command(&self.program);
        command
            .env("ANTHROPIC_BASE_URL", model.base_url())
            .env("ANTHROPIC_API_KEY", "dummy-not-a-key")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1")
            .env("DISABLE_TELEMETRY", "1")
            .env("DISABLE_ERROR_REPORTING", "1")
            .env("SHELL", "/bin/sh")
            .env("USER", "test");
        command
    }
}

/// What a run of the CLI left behind.
#[derive(Clone, Debug)]
pub struct Answer {
    finished: Finished,
    /// The records of its standard output (`--output-format stream-json`).
    pub records: Vec<Value>,
}

impl Answer {
    fn read(finished: Finished) -> Self {
        let text = String::from_utf8_lossy(&finished.stdout);
        let records = text
            .lines()
            .filter_map(|l| serde_json::from_str(l).ok())
            .collect();
        Self { finished, records }
    }

    /// The final record. Its `is_error` and `terminal_reason` tell how the run ended; the exit code
    /// of Claude Code 2.1.329 does not.
    ///
    /// # Panics
    /// When the CLI ended without one.
    #[must_use]
    #[track_caller]
    pub fn result(&self) -> &Value {
        let found = self
            .records
            .iter()
            .rfind(|r| r.get("type").and_then(Value::as_str) == Some("result"));
        found.unwrap_or_else(|| panic!("the CLI ended without a result:\n{self}"))
    }

    /// The text that the user reads at the end.
    #[must_use]
    #[track_caller]
    pub fn text(&self) -> String {
        self.result()
            .get("result")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    }

    /// The session's id.
    #[must_use]
    #[track_caller]
    pub fn session(&self) -> String {
        self.result()
            .get("session_id")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    }

    /// From spawn to exit.
    #[must_use]
    pub fn wall(&self) -> Duration {
        self.finished.wall
    }

    /// Ends the test unless the run came to an orderly end.
    ///
    /// # Panics
    /// When it did not.
    #[must_use]
    #[track_caller]
    pub fn completed(self) -> Self {
        let error = self.result().get("is_error").and_then(Value::as_bool);
        assert!(
            self.finished.code == Some(0) && error == Some(false),
            "the CLI did not complete:\n{self}"
        );
        self
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "exit {:?}, timed out: {}",
            self.finished.code, self.finished.timed_out
        )?;
        writeln!(f, "{}", String::from_utf8_lossy(&self.finished.stdout))?;
        write!(
            f,
            "--- stderr\n{}",
            String::from_utf8_lossy(&self.finished.stderr)
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::TestEnvironment;
    use crate::claude::ready_or_skip;
    use crate::model::{ModelServer, Script, Source, Turn};
    use serde_json::json;

    /// A hook of plain shell that refuses one file: shows that what the model received can be seen,
    /// whatever Proctor does.
    #[test]
    fn a_denial_by_any_hook_is_seen_by_the_fake_model() {
        let Some(claude) = ready_or_skip("testkit: a denial by any hook") else {
            return;
        };
        let env = TestEnvironment::new("/bin/true").with_real_clock();
        let file = |name: &str| env.project().join(name).to_string_lossy().into_owned();
        let denial = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse",
            "permissionDecision": "deny", "permissionDecisionReason": "not this one"}});
        env.write_file(
            "hook.sh",
            format!("if grep -q forbidden; then echo '{denial}'; else echo '{{}}'; fi\n"),
        );
        let hook =
            json!({"type": "command", "command": format!("/bin/sh {}", file("hook.sh")), "timeout": 20});
        let settings = json!({"hooks": {"PreToolUse": [{"matcher": "Write", "hooks": [hook]}]}});
        env.write_file(".claude/settings.json", settings.to_string());
        env.commit_all("start");
        let write = |name: &str| json!({"file_path": file(name), "content": "x\n"});
        let model = ModelServer::start(
            Script::new()
                .turn(
                    Turn::say("First.")
                        .call("Write", write("forbidden.txt"))
                        .after("write both"),
                )
                .turn(
                    Turn::say("Second.")
                        .call("Write", write("allowed.txt"))
                        .after("not this one"),
                )
                .turn(Turn::say("Done.").after("File created").not_after("not this one")),
        );
        let answer = claude.prompt(&env, &model, "write both files").completed();
        model.assert_followed();
        assert_eq!(answer.text(), "Done.");
        assert!(
            model.seen()[1].received_as(Source::ToolError, "not this one"),
            "{}",
            model.story()
        );
        assert!(!env.project().join("forbidden.txt").exists());
        assert_eq!(env.read_file("allowed.txt"), "x\n");
        let again = ModelServer::start(Script::new().turn(Turn::say("Still here.").after("and now?")));
        let resumed = claude
            .resume(&env, &again, &answer.session(), "and now?")
            .completed();
        again.assert_followed();
        assert_eq!(resumed.session(), answer.session());
        assert!(again.seen()[0].anywhere("write both files"), "{}", again.story());
    }
}
