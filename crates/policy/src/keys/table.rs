//! The rows.

use super::{Direction, Key, Type, Value};

macro_rules! key {
    ($path:literal, $takes:expr, $direction:ident, $variant:ident, $($field:ident).+, $doc:literal) => {
        Key {
            path: $path,
            takes: $takes,
            direction: Direction::$direction,
            get: |s| Value::$variant(s.$($field).+.clone()),
            set: |s, v| if let Value::$variant(v) = v { s.$($field).+ = v; },
            doc: $doc,
        }
    };
    (count $path:literal, $min:literal ..= $max:literal, $direction:ident, $($field:ident).+, $doc:literal) => {
        Key {
            path: $path,
            takes: Type::Count { min: $min, max: $max },
            direction: Direction::$direction,
            get: |s| Value::Count(Some(s.$($field).+.into())),
            set: |s, v| if let Value::Count(Some(v)) = v { s.$($field).+ = v.try_into().unwrap_or(s.$($field).+); },
            doc: $doc,
        }
    };
    (limit $path:literal, $min:literal ..= $max:literal, $direction:ident, $($field:ident).+, $doc:literal) => {
        Key {
            path: $path,
            takes: Type::Count { min: $min, max: $max },
            direction: Direction::$direction,
            get: |s| Value::Count(s.$($field).+.map(Into::into)),
            set: |s, v| if let Value::Count(v) = v { s.$($field).+ = v.and_then(|v| v.try_into().ok()); },
            doc: $doc,
        }
    };
}

/// Every key of a policy file but `version`.
pub(crate) static KEYS: &[Key] = &[
    key!(
        "preset",
        Type::Preset,
        Up,
        Preset,
        preset,
        "Chooses the modes of all gates. A key that any layer names wins over it."
    ),
    key!(
        "enforcement.enabled",
        Type::Flag,
        Up,
        Flag,
        enabled,
        "The master switch. `false`: no gate runs at all."
    ),
    key!(count "enforcement.budget.retries", 0..=20, Fixed, budget.retries,
        "Retries after a refused text, for all gates of a task together. The rejection after the last retry ends in a fallback, never in a loop."),
    key!(count "enforcement.budget.review_attempts", 1..=20, Fixed, budget.review_attempts,
        "Rejected reviews, or blocked stops without progress, after which the task is escalated to a human."),
    key!(count "enforcement.budget.tokens", 1..=1_000_000_000, Down, budget.tokens,
        "Tokens that the main task may use, its subagents' included: what they write, and what they read for the first time. What is read again with every request counts once, cached or not, and what the host puts before a conversation not at all. When they are used up, gates hold the agent once more at most; what they still object to is let go UNREVIEWED. Nothing is blocked because of it."),
    key!(count "enforcement.budget.seconds", 1..=2_592_000, Down, budget.seconds,
        "Seconds that the main task may take, from a prompt to the end of its turn, added up. Waiting for a permission or an answer does not count, as far as the host tells how long a tool took itself. Used up, it does what `budget.tokens` does."),
    key!(
        "enforcement.response.mode",
        Type::Mode,
        Up,
        Mode,
        response.mode,
        "Mode for texts that another agent reads."
    ),
    key!(
        "enforcement.response.on_error",
        Type::OnError,
        Up,
        OnError,
        response.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(
        "enforcement.response.flattery_threshold",
        Type::Ratio,
        Down,
        Ratio,
        response.threshold,
        "Highest allowed share of filler in the prose of a text that another agent reads, 0 to 1; `boundary` says what becomes of a text exactly at it."
    ),
    key!(limit "enforcement.response.max_retries", 0..=20, Fixed, response.max_retries,
        "Lowers `budget.retries` for this gate; after that many the text passes on with an annotation."),
    key!(limit "enforcement.response.distinct_limit", 1..=100, Down, response.distinct_limit,
        "Refuses a text with at least this many distinct kinds of praise even when their share is below the threshold."),
    key!(
        "enforcement.response.boundary",
        Type::Boundary,
        Up,
        Boundary,
        response.boundary,
        "What becomes of a text whose share is exactly at the threshold, for both audiences. A text without any filler passes always."
    ),
    key!(
        "enforcement.response.human_facing.mode",
        Type::Mode,
        Up,
        Mode,
        response.human_mode,
        "Mode for texts that a person reads, and for two remarks on the message that ends a turn: `response/unfinished`, it ends with work that is announced and not done, and `response/off_task`, it says nothing of the words of the task. Remarks refuse nothing; from `warn` on they are told."
    ),
    key!(
        "enforcement.response.human_facing.threshold",
        Type::Ratio,
        Down,
        Ratio,
        response.human_threshold,
        "As `flattery_threshold`, for texts that a person reads."
    ),
    key!(
        "enforcement.response.patterns.korean",
        Type::Patterns,
        Adding,
        Patterns,
        response.korean,
        "What counts as praise, besides the built-in words: words, stems and phrases, or regular expressions between slashes. See below."
    ),
    key!(
        "enforcement.response.patterns.english",
        Type::Patterns,
        Adding,
        Patterns,
        response.english,
        "The same in English. Upper and lower case are alike in words; in a regular expression with the flag `i`."
    ),
    key!(
        "enforcement.response.allow",
        Type::Terms,
        AddingLoosens,
        List,
        response.allow,
        "Terms that are never praise, such as `perfect hash`: one list, or one under each of `korean` and `english`. Those that are built in stand in `docs/reference/terms.md`."
    ),
    key!(
        "enforcement.review.mode",
        Type::Mode,
        Up,
        Mode,
        review.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.review.on_error",
        Type::OnError,
        Up,
        OnError,
        review.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(
        "enforcement.review.level",
        Type::Level,
        Up,
        Level,
        review.level,
        "How strong the evidence for an approval must be. `text`: the approval must report a verification; the gate asks no more of a message. `witnessed`: an approval by `proctor review` needs a check that passed on exactly this tree: those under `verification`, or any where none is named; and an agent's message to another that approves needs such a check, or that the reviewer was seen to read or check something after the last change. `rerun`: Proctor itself runs the checks under `verification`, in a clean folder that holds exactly this tree; where none is named, a check run by `proctor run-check` will do. `tamper`: the same, and nothing in the change that makes the tests say less may stand unanswered."
    ),
    key!(
        "enforcement.review.require_evidence",
        Type::Flag,
        Up,
        Flag,
        review.require_evidence,
        "`false` lets approvals without evidence pass."
    ),
    key!(limit "enforcement.review.downgrade_after_retries", 0..=20, Down, review.downgrade_after_retries,
        "Lowers `budget.retries` for this gate: after that many retries without evidence APPROVE becomes NEEDS_REVIEW."),
    key!(count "enforcement.review.rerun_seconds", 1..=86_400, Fixed, review.rerun_seconds,
        "Levels `rerun` and `tamper`: seconds after which a check that Proctor runs itself is ended; it then could not run."),
    key!(
        "enforcement.scope.mode",
        Type::Mode,
        Up,
        Mode,
        scope.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.scope.on_error",
        Type::OnError,
        Up,
        OnError,
        scope.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(count "enforcement.scope.violation_threshold", 1..=10_000, Down, scope.violation_threshold,
        "From this many unexpected files on, the severity is NEEDS_REVIEW instead of WARNING."),
    key!(
        "enforcement.scope.allow",
        Type::Globs,
        AddingLoosens,
        List,
        scope.allow,
        "Globs of files that are in the scope of every task, such as `Cargo.lock`."
    ),
    key!(
        "enforcement.todo.mode",
        Type::Mode,
        Up,
        Mode,
        todo.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.todo.on_error",
        Type::OnError,
        Up,
        OnError,
        todo.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(
        "enforcement.todo.reminder_on_incomplete",
        Type::Flag,
        Up,
        Flag,
        todo.reminder_on_incomplete,
        "`false` tracks the items without reminding the agent. Mode `enforce` holds the end of a turn all the same."
    ),
    key!(
        "enforcement.drift.mode",
        Type::Mode,
        Up,
        Mode,
        drift.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.drift.on_error",
        Type::OnError,
        Up,
        OnError,
        drift.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(count "enforcement.drift.remember", 3..=20, Fixed, drift.remember,
        "How many of an agent's latest texts are compared. They are forgotten when a person speaks."),
    key!(
        "enforcement.drift.method",
        Type::Method,
        Fixed,
        Method,
        drift.method,
        "`lexical` compares what the texts name: objects, figures, actions, outcomes. `cosine` compares embeddings: the last texts are all alike. See docs/drift.md for what each of them finds."
    ),
    key!(
        "enforcement.drift.threshold",
        Type::Ratio,
        Fixed,
        Ratio,
        drift.threshold,
        "Method `cosine`: above this cosine two texts say the same."
    ),
    key!(count "enforcement.drift.last", 3..=20, Fixed, drift.last,
        "Method `cosine`: how many of the last texts must say the same, each compared with each."),
    key!(
        "enforcement.drift.embedder.kind",
        Type::Embedder,
        Fixed,
        Embedder,
        drift.embedder.kind,
        "Method `cosine`: `lexical` is built in and sees wording alone; `file` is a static model in a folder; `endpoint` is an OpenAI-compatible server, in builds with the feature `endpoint`."
    ),
    key!(
        "enforcement.drift.embedder.path",
        Type::Text,
        Fixed,
        Text,
        drift.embedder.path,
        "Kind `file`: the folder with `model.safetensors` and `tokenizer.json` in model2vec's format, absolute or below the work tree. Nothing is downloaded."
    ),
    key!(
        "enforcement.drift.embedder.url",
        Type::Text,
        Own,
        Text,
        drift.embedder.url,
        "Kind `endpoint`: the base URL, such as `http://127.0.0.1:11434/v1`. The agent's texts are sent there."
    ),
    key!(
        "enforcement.drift.embedder.model",
        Type::Text,
        Fixed,
        Text,
        drift.embedder.model,
        "Kind `endpoint`: the model's name at the server."
    ),
    key!(
        "enforcement.drift.embedder.key_env",
        Type::Text,
        Own,
        Text,
        drift.embedder.key_env,
        "Kind `endpoint`: the environment variable that holds the key. Empty: no key is sent."
    ),
    key!(count "enforcement.drift.embedder.timeout_ms", 1..=60_000, Fixed, drift.embedder.timeout_ms,
        "Kind `endpoint`: milliseconds for the whole exchange. The host waits that long at most."),
    key!(
        "enforcement.drift.embedder.fallback",
        Type::Flag,
        Fixed,
        Flag,
        drift.embedder.fallback,
        "`true`: when the embedder fails, method `lexical` judges and the record says so. `false`: the gate could not run."
    ),
    key!(
        "enforcement.delegation.mode",
        Type::Mode,
        Up,
        Mode,
        delegation.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.delegation.on_error",
        Type::OnError,
        Up,
        OnError,
        delegation.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(
        "enforcement.approval.mode",
        Type::Mode,
        Up,
        Mode,
        approval.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.approval.on_error",
        Type::OnError,
        Up,
        OnError,
        approval.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(
        "enforcement.approval.require",
        Type::Require,
        Up,
        Require,
        approval.require,
        "What the end of a turn needs. `claims`: a claimed verification needs a fact of its kind, and a claimed completion needs the project's own `verification`, where it has one. `paths`: also, a change of the files under `paths` needs an approved review. `changes`: any change since the task began needs one."
    ),
    key!(
        "enforcement.approval.paths",
        Type::Globs,
        Adding,
        List,
        approval.paths,
        "Globs of files whose change needs an approved review; for `require: paths`."
    ),
    key!(
        "enforcement.approval.high_stakes",
        Type::Globs,
        Adding,
        List,
        approval.high_stakes,
        "Globs of files whose change needs approvals by two reviewers of different models, or by a human."
    ),
    key!(
        "enforcement.approval.launch_reviewer",
        Type::Flag,
        Own,
        Flag,
        approval.launch_reviewer,
        "`true`: the end of a turn of the main conversation that lacks nothing but a review starts the reviewer itself (`proctor review run`) and waits for it, up to 100 seconds. One that takes longer goes on: the turn may end, as one that waits, and the next prompt tells its verdict. `false`: the agent is told to ask for it."
    ),
    key!(
        "enforcement.approval.reviewer_model",
        Type::Text,
        Own,
        Text,
        approval.reviewer_model,
        "The model that a launched reviewer uses. Empty: the host's own choice."
    ),
    key!(
        "enforcement.approval.second_model",
        Type::Text,
        Own,
        Text,
        approval.second_model,
        "The model of the second reviewer, for changes under `high_stakes`."
    ),
    key!(
        "enforcement.approval.models",
        Type::Models,
        Own,
        List,
        approval.models,
        "Models of several reviewers: each is asked by itself, in this order, and none sees what another said. One refusal refuses. With two or more they take the place of `reviewer_model` and `second_model`."
    ),
    key!(count "enforcement.approval.agree", 0..=20, Own, approval.agree,
        "How many of `models` have to approve, as different models. A reviewer that could not run is no vote. 0: all of them."),
    key!(
        "enforcement.approval.reviewer_programs",
        Type::Programs,
        Own,
        List,
        approval.reviewer_programs,
        "The programs that may be started as reviewers: absolute paths, or `sha256:` and the digest of the file (`sha256sum`). An approval by a reviewer that is none of them does not count. Empty: any program outside the repository; a program inside is started only when its digest stands here."
    ),
    key!(count "enforcement.approval.reviewer_seconds", 1..=86_400, Own, approval.reviewer_seconds,
        "Seconds after which a launched reviewer is ended; the review then could not run."),
    key!(
        "enforcement.approval.signed",
        Type::Flag,
        Up,
        Flag,
        approval.signed,
        "`true`: approvals and releases count only when they are signed (`proctor review approve --sign`) by a key of the allowed signers; a reviewer that Proctor launched cannot sign."
    ),
    key!(
        "enforcement.approval.signers",
        Type::Text,
        Own,
        Text,
        approval.signers,
        "The file with the allowed signers, in the form of `ssh-keygen(1)`, absolute or beside your own policy file. `proctor verify` falls back to `.proctor/allowed_signers` of the base commit; nothing else reads a project's list."
    ),
    key!(
        "enforcement.approval.rewrite",
        Type::Flag,
        Fixed,
        Flag,
        approval.rewrite,
        "`true`: a recognised verification command that stands by itself (no operator, no variable, no redirection) is rewritten to `proctor run-check -- …`, which runs and records it exactly. The host judges its permissions on the new command: a rule that allows `cargo test` does not allow that one."
    ),
    key!(
        "enforcement.loop.mode",
        Type::Mode,
        Up,
        Mode,
        r#loop.mode,
        "Mode of the gate."
    ),
    key!(
        "enforcement.loop.on_error",
        Type::OnError,
        Up,
        OnError,
        r#loop.on_error,
        "What a failure of the gate itself is answered with."
    ),
    key!(count "enforcement.loop.nudge", 2..=1_000, Down, r#loop.nudge,
        "From this many times on, the agent is told that it repeats itself."),
    key!(count "enforcement.loop.block", 2..=1_000, Down, r#loop.block,
        "From this many times on, that very call is refused."),
    key!(count "enforcement.loop.trip", 2..=1_000, Down, r#loop.trip,
        "From this many times on, every further call but reads is refused until a human speaks."),
    key!(
        "enforcement.loop.exempt",
        Type::Terms,
        AddingLoosens,
        List,
        r#loop.exempt,
        "Tools that may repeat as often as they like, by their name at the host, such as `TaskOutput`."
    ),
    key!(
        "enforcement.tools",
        Type::Tools,
        Layered,
        Tools,
        tools,
        "Modes of gates for single tools, beside the gate's own mode: `{ \"*\": { loop: warn }, \"Grep|Glob\": { loop: off } }`. See below."
    ),
    key!(
        "verification",
        Type::Checks,
        Fixed,
        Checks,
        verification,
        "What a passing verification is in this project: a list of `name`, `run` and, optionally, `kind` (`tests`, `build`, `types`, `lint` or a word of your own)."
    ),
];
