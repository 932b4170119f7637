//! Modes of gates by tool.

use super::{rendered, sources};
use crate::{Settings, looser_keys, resolve};
use proctor_kernel::{Mode, ToolKind};

fn settings(user: &str, project: &str, local: &str) -> Settings {
    let of = |text: &str| match text {
        "" => String::new(),
        text => format!("enforcement: {text}"),
    };
    resolve(&sources(&of(user), &of(project), &of(local))).settings
}

fn of(settings: &Settings, tool: &str, kind: ToolKind) -> Mode {
    settings.mode_for("loop", tool, kind, settings.r#loop.mode)
}

#[test]
fn the_closest_name_decides() {
    let text = "{loop: {mode: warn}, tools: {'*': {loop: observe}, 'Edit|Write': {loop: enforce}, 'mcp__*': {loop: off}, \
                'mcp__jobs__*': {loop: warn}, mcp__jobs__run: {loop: enforce}, read: {loop: off}, Grep: {loop: warn}, todo_x: {todo: off}}}";
    let all = settings("", text, "");
    for (tool, kind, mode) in [
        ("Unheard", ToolKind::Other, Mode::Observe),
        ("Edit", ToolKind::Edit, Mode::Enforce),
        ("Write", ToolKind::Write, Mode::Enforce),
        ("Editor", ToolKind::Edit, Mode::Observe),
        ("mcp__x__y", ToolKind::Other, Mode::Off),
        ("mcp__jobs__stop", ToolKind::Other, Mode::Warn),
        ("mcp__jobs__run", ToolKind::Other, Mode::Enforce),
        ("Read", ToolKind::Read, Mode::Off),
        ("Grep", ToolKind::Read, Mode::Warn),
        // A tool that is called like a sort is meant by its name.
        ("read", ToolKind::Shell, Mode::Off),
        ("todo_x", ToolKind::Other, Mode::Observe),
    ] {
        assert_eq!(of(&all, tool, kind), mode, "{tool}");
    }
    let todo = |tool| all.mode_for("todo", tool, ToolKind::Other, Mode::Warn);
    assert_eq!((todo("todo_x"), todo("x")), (Mode::Off, Mode::Warn));
    assert_eq!(all.strictest_mode("loop", Mode::Off), Mode::Enforce);
    // Without a baseline the gate's own mode is one.
    let some = settings("", "{loop: {mode: warn}, tools: {Grep: {loop: off}}}", "");
    assert_eq!(of(&some, "Bash", ToolKind::Shell), Mode::Warn);
    assert_eq!(some.strictest_mode("loop", Mode::Warn), Mode::Warn);
}

#[test]
fn layers_go_by_the_table() {
    let grep =
        |user: &str, project: &str, local: &str| of(&settings(user, project, local), "Grep", ToolKind::Read);
    let (off, warn, enforce) = (
        "{tools: {Grep: {loop: off}}}",
        "{tools: {'*': {loop: warn}}}",
        "{tools: {read: {loop: enforce}}}",
    );
    for (user, project, local, mode) in [
        // The built-in mode is `enforce`.
        ("", "", "", Mode::Enforce),
        (off, "", "", Mode::Off),
        ("", off, "", Mode::Off),
        ("", "", off, Mode::Enforce),
        // The project is bound where the user has spoken of tools, or of the gate.
        (warn, off, "", Mode::Warn),
        (off, warn, "", Mode::Warn),
        ("{loop: {mode: enforce}}", off, "", Mode::Enforce),
        ("{todo: {mode: enforce}}", off, "", Mode::Off),
        // The local file is always bound.
        ("", off, enforce, Mode::Enforce),
        ("", off, warn, Mode::Warn),
        ("", enforce, warn, Mode::Enforce),
        // An exception stands beside the gate's own mode, whoever sets that.
        (
            "",
            "{loop: {mode: observe}, tools: {Grep: {loop: off}}}",
            "{loop: {mode: enforce}}",
            Mode::Off,
        ),
    ] {
        assert_eq!(
            grep(user, project, local),
            mode,
            "user {user}, project {project}, local {local}"
        );
    }
    let strict = resolve(&sources(
        "preset: strict",
        "enforcement: {tools: {Grep: {loop: off}}}",
        "",
    ));
    assert_eq!(of(&strict.settings, "Grep", ToolKind::Read), Mode::Enforce);
    let said = rendered(&strict);
    assert!(
        said.contains("`enforcement.tools.Grep.loop: off` is looser than `enforce`; `enforce` stays")
            && said.contains("a project may not loosen what the user sets"),
        "{said}"
    );
    assert_eq!(strict.errors().count(), 0);
}

#[test]
fn what_is_wrong_is_told_at_its_place() {
    for (tools, said) in [
        ("{'': {loop: off}}", "error: in `tools`: `` names no tool"),
        ("{'Grep|': {loop: off}}", "`Grep|` names no tool"),
        ("{'a b': {loop: off}}", "`a b` names no tool"),
        ("{Grep: off}", "takes a mapping of gates to modes"),
        ("{Grep: {}}", "warning: `Grep` in `tools` names no gate"),
        ("{Grep: {lop: off}}", "did you mean `loop`?"),
        ("{Grep: {loop: of}}", "did you mean `off`?"),
        (
            "{Grep: {scope: enforce}}",
            "looks at the end of a turn, not at tool calls",
        ),
        (
            "{Grep: {protect: enforce}}",
            "this version does not have the gate",
        ),
        ("[Grep]", "takes a mapping of tools, not a list"),
        (
            "{'Grep|Glob': {loop: off}, 'Read|Glob': {loop: warn}}",
            "gives `loop` the modes `off` and `warn` for `Glob`",
        ),
        ("{'Grep|Grep': {loop: off}}", "`Grep` stands twice"),
    ] {
        let resolved = resolve(&sources("", &format!("enforcement:\n  tools: {tools}\n"), ""));
        let rendered = rendered(&resolved);
        assert!(rendered.contains(said), "{tools}:\n{rendered}");
        assert!(rendered.contains(":2:"), "{tools}:\n{rendered}");
    }
    // Of two that are equally close the stricter one counts.
    let both = settings(
        "",
        "{tools: {'Grep|Glob': {loop: off}, 'Read|Glob': {loop: warn}}}",
        "",
    );
    assert_eq!(of(&both, "Glob", ToolKind::Read), Mode::Warn);
    // The other name of a gate is taken, and tools that nobody knows.
    let unknown = resolve(&sources(
        "",
        "enforcement: {tools: {Zork: {todo_tracker: off}}}",
        "",
    ));
    assert_eq!(rendered(&unknown), "");
}

#[test]
fn an_exception_more_is_looser_and_is_told() {
    let plain = settings("", "{loop: {mode: enforce}}", "");
    let except = settings("", "{loop: {mode: enforce}, tools: {Grep: {loop: off}}}", "");
    let more = settings(
        "",
        "{loop: {mode: enforce}, tools: {Grep: {loop: off}, 'mcp__*': {todo: off}}}",
        "",
    );
    assert_eq!(looser_keys(&except, &plain), ["enforcement.tools"]);
    assert_eq!(looser_keys(&more, &except), ["enforcement.tools"]);
    assert_eq!(looser_keys(&except, &more), [] as [&str; 0]);
    assert_eq!(looser_keys(&except, &except), [] as [&str; 0]);
}

#[test]
fn a_file_of_many_tools_is_read_in_bounded_time() {
    let name = |n: usize| format!("'x{n}*': {{loop: off, todo: warn}}");
    let text = |count: usize, more: &str| {
        let groups: Vec<String> = (0..count).map(name).collect();
        format!("enforcement: {{tools: {{{more}{}}}}}", groups.join(", "))
    };
    let many = resolve(&sources("", &text(65, ""), ""));
    assert!(
        rendered(&many).contains("more than 64 tools"),
        "{}",
        rendered(&many)
    );
    let begun = std::time::Instant::now();
    let all = text(62, "read: {loop: off}, shell: {loop: warn}, ");
    let bound = resolve(&sources(&all, &all, &all));
    assert!(!looser_keys(&many.settings, &bound.settings).is_empty());
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn each_mode_is_shown_with_its_own_place() {
    let user = "enforcement:\n  tools:\n    'Grep|Glob': { loop: warn, todo: off }\n";
    let project = "enforcement:\n  tools:\n    Bash: { loop: off }\n    Grep: { loop: off }\n    'mcp__*':\n      delegation: enforce\n";
    let resolved = resolve(&sources(user, project, ""));
    let rows: Vec<String> = crate::show(&resolved)
        .into_iter()
        .filter(|row| row.path.starts_with("enforcement.tools"))
        .map(|row| format!("{} {} {}", row.path, row.value, row.origin))
        .collect();
    assert_eq!(
        rows,
        [
            "enforcement.tools.Grep|Glob.loop warn user (/home/u/.config/proctor/proctor.yaml:3:26)",
            "enforcement.tools.Grep|Glob.todo off user (/home/u/.config/proctor/proctor.yaml:3:38)",
            "enforcement.tools.mcp__*.delegation enforce project (.proctor/proctor.yaml:6:19), where it is stricter",
        ]
    );
    let json = crate::show_json(&resolved);
    let tools = &json["settings"]["enforcement.tools"];
    assert_eq!(tools["value"].as_array().unwrap().len(), 3, "{tools}");
    assert_eq!(tools["origins"][2]["line"], 6, "{tools}");
    // What is refused is told at its own place.
    let said = rendered(&resolved);
    assert!(said.contains("proctor.yaml:4:19"), "{said}");
    let none = crate::show(&resolve(&sources("", "", "")));
    assert!(
        none.iter()
            .any(|row| row.path == "enforcement.tools" && row.value == "[]")
    );
}
