//! The reference page of the policy file, from the table of keys.

use crate::keys::{Direction, KEYS, Key, RESERVED, SECTIONS, Type, Value};
use crate::settings::{Preset, Settings};
use crate::show::plain;
use proctor_prose::{Language, technical_terms};
use std::fmt::Write as _;

const INTRODUCTION: &str = "\
# Configuration

A policy is one to three YAML files. All keys are optional; without any file the preset `standard` holds.

| layer | file | who writes it | what it may do |
|---|---|---|---|
| built-in | none | Proctor | presets and defaults |
| user | `proctor/proctor.yaml` in the user's configuration folder (`~/.config` on Linux) | you, for all projects | anything |
| project | `.proctor/proctor.yaml` | the team, committed with the code | anything that is not looser than what the user's file sets |
| local | `.proctor/local.yaml` | anybody, agents included; not committed | only be stricter than everything below it |

A value that is looser than it may be is refused with a warning that names both places, and the stricter value stays. Which way is stricter
stands in the tables below. Lists of words and globs add up over the layers; any other value is replaced. `--policy DIR` replaces the user's, the project's and the local file by
`DIR/proctor.yaml` and `DIR/local.yaml`.

`proctor config show` prints every value with the file, line and column it comes from; `proctor config validate` checks the files;
`proctor config schema` prints the JSON Schema, which is also in `schemas/proctor.schema.json`. An editor with a YAML language server uses it
when the file begins with `# yaml-language-server: $schema=…/proctor.schema.json`.

## When a file is wrong

A broken policy never disables enforcement and never stops an agent:

- An unknown key, a wrong type or a value out of range costs only that value; the layer below it counts.
- A file that is no YAML, no UTF-8, larger than 1 MB or unreadable costs the whole layer: the last policy that could be read is used, or without
  one the built-in policy with the files that can be read. What the user's file demands now holds in either case.
- Both are told to the user with file, line and column until they are mended.

`yes`, `no`, `on` and `off` are not truth values here: write `true` or `false`.

## Example

```yaml
version: 1
preset: standard
enforcement:
  enabled: true                # master switch
  budget: { retries: 2, review_attempts: 3 }
  response:
    flattery_threshold: 0.2
    human_facing: { mode: observe, threshold: 0.4 }
    patterns: { korean: ['갓벽'], english: ['chef''s kiss'] }
    allow: ['perfect hash']
  scope: { mode: enforce, violation_threshold: 3, allow: ['Cargo.lock'] }
```

## Modes and presets

| mode | hard finding | soft finding |
|---|---|---|
| `off` | gate not run | gate not run |
| `observe` | recorded only | recorded only |
| `warn` | note to the agent | note to the agent |
| `enforce` | the answer itself: block, ask or modify | note to the agent |

`preset` chooses the modes. A key that any layer names wins over every preset, and a preset of a higher layer may not be looser than the user's.

";

const TOOLS: &str = r#"
### Tools

```yaml
enforcement:
  loop: { mode: warn }
  tools:
    "*": { loop: observe }                    # the baseline for all tools
    "Edit|Write": { loop: enforce }           # exceptions, by the names that the host uses
    "mcp__jobs__*": { loop: off, todo: off }
    read: { loop: off }                       # a sort of tool: read, write, edit, shell, delegate, other
```

Gates that look at tool calls have a mode for each tool: `loop`, `delegation` and `todo` (whose reminders come with tool results). The others look at the end of a turn. Within
one file the closest name decides, gate by gate; tools that nobody knows may be named.

| how a tool is named | counts before |
|---|---|
| its name | all below |
| a name with `*` in it (any characters) | one with fewer other characters, and all below |
| its sort | `*` |
| `*` | the gate's own `mode` |
| two that are equally close, in one file | the stricter one counts; the same name twice is warned of |

Between the layers, for one tool and gate:

| below | user | project | local |
|---|---|---|---|
| the gate's own mode, or what a lower layer says of the tool | replaces it | replaces it; where the user's file has `tools`, or sets the gate's mode, by a preset too, the stricter of both | the stricter of both |

An entry that is looser than it may be is refused with a warning, as other values are. An exception stands beside the gate's own mode, whoever sets that: where the project says
`Grep: { loop: off }`, a stricter `loop.mode` in the local file changes nothing for `Grep`; a stricter entry there does. A call whose tool cannot be read is taken for the strictest case. The
modes of tools are not held for a task that has begun: they say nothing of what work needs before it may go.
"#;

const PATTERNS: &str = r#"
### Patterns

An entry of `patterns` is a text, or a mapping with examples and confidence. Entries of `allow` are texts.

```yaml
patterns:
  korean:
    - 갓벽                          # a word or stem: also 갓벽합니다
    - pattern: /훌륭한\s*분석/       # a regular expression
      match: [훌륭한 분석입니다, 훌륭한분석]
      not_match: [훌륭한 코드]
  english:
    - chef's kiss                   # words in a row; case and regular endings do not matter
    - { pattern: rock solid, confidence: low }
```

`confidence: low` is for words that are praise only sometimes: they are found, shown by `proctor explain` and counted by `proctor stats`, and decide
nothing. So are some built-in words (확실히, 통과, 깔끔, robust, solid, certainly and the like).

Messages are read folded: full width, look-alikes, invisible characters and decomposed Hangul are gone before a pattern sees them. Code, paths, URLs and
mentions are left out.

**Regular expressions** stand between slashes, with the flags `i`, `m` and `s`. The syntax is that of the Rust crate `regex` without Unicode classes, lookaround and
references; `\w`, `\d`, `\s` and `\b` are ASCII. Time is linear in the message, and nothing is compiled unless letters that a match needs occur in it. A text without slashes that holds
`\b`, `\s`, `\w`, `\d`, `.*` or `.+` is taken for one too, with a warning.

`\b` beside Hangul is a trap in every engine: where Hangul counts as letters, `\b완벽\b` misses 완벽합니다 and `\bperfect\b` misses perfect한; where it does not, the first never matches. Here `\b` before
Hangul means that no letter stands before it, `\b` after Hangul is left out since endings follow, and beside Latin letters it is a boundary also where Hangul follows.

What is told when the policy is read (`proctor config validate`, with line and column):

| | |
|---|---|
| not used | no regular expression; more than 200 characters; more than 500 states (counted repetitions multiply); more than 50 regular expressions; can match the empty text; needs no particular letters (at least two in a row, or one that is not ASCII, in each alternative); can never match (`a^`, `$a`, `\b` between two letters) |
| told, and used | a `match` example that is not matched, a `not_match` example that is, a pattern that finds not even itself, or three and more of eight ordinary sentences; these are tried by `config validate` and `show`, `check`, `eval` and `doctor`, and once in a session after the files changed |
| warning | a `\b` after Hangul; a bar without slashes; a single character; two of the ordinary sentences |

All expressions together may take 2^24 steps on one message (a state on a byte is a step); what is left then is not searched. This is reached by messages of some 100 KB that are full of near matches.
"#;

/// The text of `docs/reference/configuration.md`.
#[must_use]
pub fn reference() -> String {
    let mut out = String::from(INTRODUCTION);
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "| mode of | observe | standard | strict |\n|---|---|---|---|"
    );
    for key in KEYS.iter().filter(|key| key.is_preset_driven()) {
        let name = key
            .path
            .trim_start_matches("enforcement.")
            .trim_end_matches(".mode");
        let [observe, standard, strict] = defaults(key);
        let _ = writeln!(out, "| `{name}` | {observe} | {standard} | {strict} |");
    }
    let _ = writeln!(out, "\n## Top level\n");
    table(&mut out, "", |path| !path.starts_with("enforcement."));
    let _ = writeln!(out, "\n`version` is the version of this form: `1`, or left out.");
    let _ = writeln!(out, "\n## `enforcement`\n");
    table(&mut out, "enforcement.", |path| {
        path == "enforcement.enabled"
            || path == "enforcement.tools"
            || path.starts_with("enforcement.budget.")
    });
    out.push_str(TOOLS);
    for section in SECTIONS {
        let prefix = format!("enforcement.{}.", section.id);
        let _ = writeln!(out, "\n## `enforcement.{}`\n\n{}", section.id, section.doc);
        if let Some(alias) = section.alias {
            let _ = writeln!(
                out,
                "Also accepted under the name `{alias}`; both in one file are an error."
            );
        }
        let _ = writeln!(
            out,
            "`enabled: false` is `mode: off`; `enabled: true` keeps the mode that the preset chooses.\n"
        );
        table(&mut out, &prefix, |path| path.starts_with(&prefix));
        if section.id == "response" {
            out.push_str(PATTERNS);
        }
    }
    let names: Vec<String> = RESERVED.iter().map(|name| format!("`{name}`")).collect();
    let _ = writeln!(
        out,
        "\n## Reserved\n\nThe sections {} under `enforcement` belong to gates that this version does not have. They are accepted \
         with a warning and have no effect; `proctor config show` lists them as such.",
        names.join(", ")
    );
    out
}

/// The text of `docs/reference/terms.md`.
#[must_use]
pub fn terms_reference() -> String {
    let mut out = String::from(
        "# Technical terms\n\nWords that the gate `response` takes for content, in whatever company: they are never praise by themselves. A project adds its own \
         under `enforcement.response.allow`, one list or one for each language:\n\n```yaml\nenforcement:\n  response:\n    allow:\n      korean: [완벽 해시]\n      \
         english: [brilliant, '/perfect (square|number)/i']\n```\n\nEnglish words match with their regular endings, Korean ones as stems; Korean phrases are listed without spaces and \
         match with and without them. This page is written from the word lists.\n",
    );
    for (name, language) in [("English", Language::English), ("Korean", Language::Korean)] {
        let terms = technical_terms(language);
        let _ = write!(out, "\n## {name} ({})\n\n", terms.len());
        let mut width = 0;
        for (index, term) in terms.iter().enumerate() {
            let cell = unicode_width::UnicodeWidthStr::width(term.as_str()) + 2;
            if index > 0 {
                out.push_str(if width + cell > 140 { ",\n" } else { ", " });
            }
            width = if width + cell > 140 { cell } else { width + cell };
            out.push_str(term);
        }
        out.push_str(".\n");
    }
    out
}

fn table(out: &mut String, prefix: &str, belongs: impl Fn(&str) -> bool) {
    let _ = writeln!(
        out,
        "| key | takes | default | stricter | what it does |\n|---|---|---|---|---|"
    );
    for key in KEYS.iter().filter(|key| belongs(key.path)) {
        let name = key.path.strip_prefix(prefix).unwrap_or(key.path);
        let [observe, standard, strict] = defaults(key);
        let default = if observe == standard && standard == strict {
            standard
        } else if key.takes == Type::Preset {
            format!("`{}`", plain(&Value::Preset(Preset::default())))
        } else {
            "by preset".to_owned()
        };
        let effect = if key.is_read() {
            ""
        } else {
            " Accepted with a warning: nothing of this version reads it."
        };
        let _ = writeln!(
            out,
            "| `{name}` | {} | {default} | {} | {}{effect} |",
            takes(key.takes),
            stricter(key),
            key.doc
        );
    }
}

fn defaults(key: &Key) -> [String; 3] {
    Preset::ALL.map(
        |preset| match plain(&(key.get)(&Settings::preset(preset))).as_str() {
            "none" => "none".to_owned(),
            "[]" => "empty".to_owned(),
            value => format!("`{value}`"),
        },
    )
}

/// Which way is stricter, in words.
fn stricter(key: &Key) -> &'static str {
    match (key.direction, key.takes) {
        (Direction::Up, Type::Flag) => "`true`",
        (
            Direction::Up,
            Type::Preset | Type::Mode | Type::OnError | Type::Level | Type::Require | Type::Boundary,
        ) => "the later word",
        (Direction::Up, _) => "higher",
        (Direction::Down, Type::Count { .. }) if key.may_be_unset() => "lower; none is the loosest",
        (Direction::Down, _) => "lower",
        (Direction::Adding, _) => "every entry",
        (Direction::AddingLoosens, _) => "fewer entries",
        (Direction::Layered, _) => "a later mode for each tool",
        (Direction::Fixed, _) => "any change counts as looser",
        (Direction::Own, _) => "only in your own file",
    }
}

fn takes(takes: Type) -> String {
    match takes {
        Type::Preset
        | Type::Mode
        | Type::OnError
        | Type::Level
        | Type::Require
        | Type::Boundary
        | Type::Method
        | Type::Embedder => takes
            .words()
            .iter()
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>()
            .join(", "),
        Type::Flag => "`true`, `false`".to_owned(),
        Type::Text => "text".to_owned(),
        Type::Ratio => "0 to 1".to_owned(),
        Type::Count { min, max } => format!("{min} to {max}"),
        Type::Patterns => "list of patterns".to_owned(),
        Type::Terms => "list of patterns".to_owned(),
        Type::Globs => "list of globs".to_owned(),
        Type::Programs => "list of paths and digests".to_owned(),
        Type::Models => "list of names".to_owned(),
        Type::Checks => "list of mappings".to_owned(),
        Type::Tools => "mapping of tools to gates and modes".to_owned(),
    }
}
