//! Writes transcripts record by record.

use serde_json::{Value, json};
use std::path::Path;

/// A transcript in the making.
pub(crate) struct Log {
    session: String,
    agent: Option<String>,
    pub(crate) lines: Vec<String>,
    next: u32,
    pub(crate) day: u32,
}

impl Log {
    pub(crate) fn new(session: &str) -> Self {
        Self {
            session: session.into(),
            agent: None,
            lines: Vec::new(),
            next: 0,
            day: 20,
        }
    }

    pub(crate) fn of_agent(session: &str, agent: &str) -> Self {
        Self {
            agent: Some(agent.into()),
            ..Self::new(session)
        }
    }

    pub(crate) fn write(&self, path: &Path) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, self.lines.join("\n") + "\n").unwrap();
    }

    pub(crate) fn record(&mut self, kind: &str, fields: Value) -> &mut Self {
        self.next += 1;
        let mut record = json!({
            "parentUuid": null,
            "isSidechain": self.agent.is_some(),
            "type": kind,
            "uuid": format!("{}-{}-{}", self.session, self.agent.as_deref().unwrap_or("main"), self.next),
            "timestamp": format!("2026-11-{}T10:{:02}:{:02}.000Z", self.day, self.next / 60 % 60, self.next % 60),
            "userType": "external", "entrypoint": "sdk-cli", "cwd": "/home/user/project",
            "sessionId": self.session, "version": "2.1.329", "gitBranch": "main"
        });
        if let Some(agent) = &self.agent {
            record["agentId"] = json!(agent);
        }
        for (key, value) in fields.as_object().unwrap() {
            record[key] = value.clone();
        }
        self.lines.push(record.to_string());
        self
    }

    pub(crate) fn prompt(&mut self, text: &str) -> &mut Self {
        self.record(
            "user",
            json!({ "message": { "role": "user", "content": text }, "promptSource": "sdk" }),
        )
    }

    fn block(&mut self, block: &Value, stop: &str) -> &mut Self {
        let id = format!("msg_{}", self.next);
        let message = json!({ "id": id, "type": "message", "role": "assistant", "model": "m", "content": [block],
            "stop_reason": stop, "usage": { "input_tokens": 1, "output_tokens": 1 } });
        self.record("assistant", json!({ "message": message }))
    }

    /// A text that ends the turn, unless a call follows.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.block(&json!({ "type": "text", "text": text }), "end_turn")
    }

    pub(crate) fn call(&mut self, id: &str, tool: &str, input: Value) -> &mut Self {
        self.block(
            &json!({ "type": "tool_use", "id": id, "name": tool, "input": input }),
            "tool_use",
        )
    }

    pub(crate) fn result(&mut self, id: &str, text: &str, failed: bool, host: Value) -> &mut Self {
        let mut block = json!({ "tool_use_id": id, "type": "tool_result", "content": text });
        if failed {
            block["is_error"] = json!(true);
        }
        self.record(
            "user",
            json!({ "message": { "role": "user", "content": [block] }, "toolUseResult": host }),
        )
    }

    /// A whole write of a file below the project.
    pub(crate) fn writes(&mut self, path: &str) -> &mut Self {
        let id = format!("toolu_{}", self.next);
        let path = if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("/home/user/project/{path}")
        };
        self.call(&id, "Write", json!({ "file_path": path, "content": "x" })).result(
            &id,
            "File created successfully",
            false,
            json!({ "type": "create", "filePath": path, "content": "x", "structuredPatch": [], "originalFile": null }),
        )
    }

    /// A command and what came of it; `exit` 0 succeeds.
    pub(crate) fn runs(&mut self, command: &str, output: &str, exit: i32) -> &mut Self {
        let id = format!("toolu_{}", self.next);
        self.call(&id, "Bash", json!({ "command": command, "description": "run" }));
        if exit == 0 {
            let host = json!({ "stdout": output, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false });
            self.result(&id, output, false, host)
        } else {
            let text = format!("Exit code {exit}\n{output}");
            self.result(&id, &text, true, json!(format!("Error: {text}")))
        }
    }

    /// A subagent that answers at once.
    pub(crate) fn delegates(&mut self, agent: &str, prompt: &str, answer: &str) -> &mut Self {
        let id = format!("toolu_{}", self.next);
        let input = json!({ "description": "job", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false });
        let host = json!({ "status": "completed", "prompt": prompt, "agentId": agent, "agentType": "general-purpose",
            "content": [{ "type": "text", "text": answer }], "totalDurationMs": 5 });
        self.call(&id, "Agent", input)
            .result(&id, &format!("[Subagent hand-back]\n  {answer}"), false, host)
    }

    /// A stop hook sends the answer back, as the host writes it down: feedback, then the attachment.
    pub(crate) fn sent_back(&mut self, reason: &str) -> &mut Self {
        let event = if self.agent.is_some() {
            "SubagentStop"
        } else {
            "Stop"
        };
        let feedback = format!("Stop hook feedback:\n{reason}");
        self.record("user", json!({ "message": { "role": "user", "content": feedback }, "isMeta": true })).record(
            "attachment",
            json!({ "attachment": { "type": "hook_blocking_error", "hookName": event, "toolUseID": "t", "hookEvent": event,
                "blockingError": { "blockingError": reason, "command": "proctor hook claude" } } }),
        )
    }
}
