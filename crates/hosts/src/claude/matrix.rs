//! What Claude Code 2.1.329 can be made to do, cell by cell.

use crate::matrix::{Answer, Cell, Evidence, StopCap, Support};

use Answer::{Alert, Ask, Block, BrokenHook, Modify, Note};
use Evidence::Measured;
use Support::{Advisory, Enforced, Unsupported};

const fn cell(
    event: &'static str,
    answer: Answer,
    support: Support,
    form: &'static str,
    seen: &'static str,
) -> Cell {
    Cell {
        event,
        answer,
        support,
        form,
        evidence: Measured(seen),
    }
}

const DENY: &str = "`decision: block` and `reason`, with exit status 2 and the reason on standard error";
const ASKED: &str = "as block, with the words that a human must decide";
const CONTEXT: &str = "`additionalContext`";
const MESSAGE: &str = "`systemMessage`";
const SHOWN: &str = "the stream carries it as an `informational` record";
const SUMMARIZED: &str =
    "any output of the hook, also JSON, becomes part of the instructions for the summary";
const NOT_SHOWN: &str = "accepted, but not in the output of `-p`";
const NOT_TAKEN: &str = "no `hookSpecificOutput` for this event";
const IGNORED: &str = "a crashing hook with `onFailure: block` was passed over";

/// How many refused ends of a turn it takes in a row.
pub const STOP_CAP: StopCap = StopCap {
    blocks: 8,
    evidence: Measured("the ninth refusal in a row was overridden, and the run ended as a success"),
};

/// The matrix.
pub const CELLS: [Cell; 66] = [
    cell(
        "SessionStart",
        Block,
        Advisory,
        "context for the agent and `systemMessage`",
        "JSON block and exit status 2 are ignored; context reaches the model",
    ),
    cell(
        "SessionStart",
        Ask,
        Advisory,
        "as block",
        "context reaches the model",
    ),
    cell(
        "SessionStart",
        Modify,
        Advisory,
        CONTEXT,
        "context reaches the model",
    ),
    cell(
        "SessionStart",
        Note,
        Enforced,
        CONTEXT,
        "part of the first request to the model",
    ),
    cell(
        "SessionStart",
        Alert,
        Advisory,
        MESSAGE,
        "only in the `hook_response` record of the stream",
    ),
    cell("SessionStart", BrokenHook, Unsupported, "none", IGNORED),
    cell(
        "UserPromptSubmit",
        Block,
        Enforced,
        DENY,
        "no request to the model; the result gives the reason and repeats the prompt",
    ),
    cell(
        "UserPromptSubmit",
        Ask,
        Enforced,
        ASKED,
        "no request to the model",
    ),
    cell(
        "UserPromptSubmit",
        Modify,
        Advisory,
        CONTEXT,
        "the prompt itself stays; context reaches the model",
    ),
    cell(
        "UserPromptSubmit",
        Note,
        Enforced,
        CONTEXT,
        "part of the request to the model",
    ),
    cell(
        "UserPromptSubmit",
        Alert,
        Enforced,
        MESSAGE,
        "the stream carries it as an `informational` record, but not beside a block",
    ),
    cell(
        "UserPromptSubmit",
        BrokenHook,
        Unsupported,
        "none: `onFailure` works here, but would lock the user out",
        "with `onFailure: block` a crash blocks the prompt; it is not installed",
    ),
    cell(
        "PreToolUse",
        Block,
        Enforced,
        "`permissionDecision: deny`, with exit status 2 and the reason on standard error",
        "the tool (also Agent) does not run; the model reads `PreToolUse:… hook error: <reason>`",
    ),
    cell(
        "PreToolUse",
        Ask,
        Enforced,
        "`permissionDecision: ask`",
        "without somebody to ask (`-p`) the tool does not run and the model reads the reason",
    ),
    cell(
        "PreToolUse",
        Modify,
        Enforced,
        "`updatedInput`, the whole input with the command or the delegation's prompt replaced; a note for other tools",
        "the replaced command ran; the subagent got the replaced prompt",
    ),
    cell(
        "PreToolUse",
        Note,
        Enforced,
        CONTEXT,
        "reaches the model with the tool's result, also beside a denial",
    ),
    cell("PreToolUse", Alert, Enforced, MESSAGE, SHOWN),
    cell(
        "PreToolUse",
        BrokenHook,
        Enforced,
        "`onFailure: block` (2.1.295 and later)",
        "a crash and a timeout refuse the call",
    ),
    cell(
        "PostToolUse",
        Block,
        Advisory,
        DENY,
        "the tool has run; the model reads the reason beside the result",
    ),
    cell(
        "PostToolUse",
        Ask,
        Advisory,
        ASKED,
        "the model reads it beside the result",
    ),
    cell(
        "PostToolUse",
        Modify,
        Enforced,
        "`updatedToolOutput` for results of delegations: a whole clone with another text; a note for other tools",
        "the parent's model reads the changed answer; incomplete clones are dropped without a word",
    ),
    cell(
        "PostToolUse",
        Note,
        Enforced,
        CONTEXT,
        "reaches the model with the result",
    ),
    cell("PostToolUse", Alert, Enforced, MESSAGE, SHOWN),
    cell(
        "PostToolUse",
        BrokenHook,
        Unsupported,
        "none: the tool has run",
        "with `onFailure: block` the model reads about the crash; it is not installed",
    ),
    cell(
        "PostToolUseFailure",
        Block,
        Advisory,
        DENY,
        "the model reads the reason beside the error",
    ),
    cell(
        "PostToolUseFailure",
        Ask,
        Advisory,
        ASKED,
        "the model reads it beside the error",
    ),
    cell(
        "PostToolUseFailure",
        Modify,
        Advisory,
        CONTEXT,
        "the model reads it beside the error",
    ),
    cell(
        "PostToolUseFailure",
        Note,
        Enforced,
        CONTEXT,
        "reaches the model with the error",
    ),
    cell("PostToolUseFailure", Alert, Enforced, MESSAGE, SHOWN),
    cell(
        "PostToolUseFailure",
        BrokenHook,
        Unsupported,
        "none: the tool has run",
        "with `onFailure: block` the model reads about the crash; it is not installed",
    ),
    cell(
        "PreCompact",
        Block,
        Enforced,
        DENY,
        "no request to the model: `Compaction blocked by PreCompact hook`",
    ),
    cell(
        "PreCompact",
        Ask,
        Enforced,
        ASKED,
        "the compaction does not happen",
    ),
    cell(
        "PreCompact",
        Modify,
        Unsupported,
        "none: the answer is `{}`",
        SUMMARIZED,
    ),
    cell(
        "PreCompact",
        Note,
        Unsupported,
        "none: the answer is `{}`",
        SUMMARIZED,
    ),
    cell(
        "PreCompact",
        Alert,
        Unsupported,
        "none: the answer is `{}`",
        SUMMARIZED,
    ),
    cell(
        "PreCompact",
        BrokenHook,
        Unsupported,
        "none: a broken hook must not keep a full session from going on",
        "with `onFailure: block` a crash blocks the compaction; it is not installed",
    ),
    cell(
        "Stop",
        Block,
        Enforced,
        DENY,
        "the turn goes on; the model reads `Stop hook feedback:` and the reason; the ninth block in a row is overridden",
    ),
    cell("Stop", Ask, Enforced, ASKED, "the turn goes on with it"),
    cell(
        "Stop",
        Modify,
        Advisory,
        "`systemMessage`; the text itself is changed at MessageDisplay, which comes before",
        SHOWN,
    ),
    cell(
        "Stop",
        Note,
        Unsupported,
        "kept for the next event; beside a block `additionalContext`",
        "context alone makes the turn go on; beside a block it reaches the model",
    ),
    cell(
        "Stop",
        Alert,
        Enforced,
        MESSAGE,
        "the stream carries it, and the turn ends",
    ),
    cell("Stop", BrokenHook, Unsupported, "none", IGNORED),
    cell(
        "SubagentStart",
        Block,
        Advisory,
        "context for the subagent",
        "JSON block and exit status 2 are ignored; context reaches the subagent's model",
    ),
    cell(
        "SubagentStart",
        Ask,
        Advisory,
        "as block",
        "context reaches the subagent's model",
    ),
    cell(
        "SubagentStart",
        Modify,
        Advisory,
        CONTEXT,
        "context reaches the subagent's model",
    ),
    cell(
        "SubagentStart",
        Note,
        Enforced,
        CONTEXT,
        "part of the subagent's first request",
    ),
    cell("SubagentStart", Alert, Unsupported, MESSAGE, NOT_SHOWN),
    cell("SubagentStart", BrokenHook, Unsupported, "none", IGNORED),
    cell(
        "SubagentStop",
        Block,
        Enforced,
        DENY,
        "the subagent goes on with the reason, in the foreground and in the background",
    ),
    cell(
        "SubagentStop",
        Ask,
        Enforced,
        ASKED,
        "the subagent goes on with it",
    ),
    cell(
        "SubagentStop",
        Modify,
        Unsupported,
        "none here: the answer is changed at the delegation's PostToolUse",
        "see PostToolUse; the answer of a background subagent cannot be changed",
    ),
    cell(
        "SubagentStop",
        Note,
        Unsupported,
        "kept for the next event; beside a block `additionalContext`",
        "context alone makes the subagent go on; beside a block it reaches its model",
    ),
    cell("SubagentStop", Alert, Unsupported, MESSAGE, NOT_SHOWN),
    cell("SubagentStop", BrokenHook, Unsupported, "none", IGNORED),
    cell(
        "MessageDisplay",
        Block,
        Advisory,
        "the text with the objection below it",
        "JSON block and exit status 2 are ignored; the objection is shown",
    ),
    cell(
        "MessageDisplay",
        Ask,
        Advisory,
        "as block",
        "the objection is shown",
    ),
    cell(
        "MessageDisplay",
        Modify,
        Enforced,
        "`displayContent` inside `hookSpecificOutput`",
        "replaces the text in the stream and in `result`; the model keeps its own",
    ),
    cell(
        "MessageDisplay",
        Note,
        Unsupported,
        "kept for the next event",
        "context is not delivered",
    ),
    cell("MessageDisplay", Alert, Unsupported, MESSAGE, NOT_SHOWN),
    cell("MessageDisplay", BrokenHook, Unsupported, "none", IGNORED),
    cell("SessionEnd", Block, Unsupported, "none", "JSON block is ignored"),
    cell("SessionEnd", Ask, Unsupported, "none", "JSON block is ignored"),
    cell("SessionEnd", Modify, Unsupported, "none", NOT_TAKEN),
    cell("SessionEnd", Note, Unsupported, "none", NOT_TAKEN),
    cell("SessionEnd", Alert, Unsupported, MESSAGE, NOT_SHOWN),
    cell(
        "SessionEnd",
        BrokenHook,
        Unsupported,
        "none",
        "a crash only leaves a line on standard error",
    ),
];
