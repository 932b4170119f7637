use super::{rendered, sources};
use crate::keys::{Direction, KEYS, Type};
use crate::{Preset, Settings, looser_keys, resolve};
use proctor_kernel::Mode;

/// For each key: a looser and a stricter text. Presets are tested on their own.
fn pair(path: &str, takes: Type) -> (&'static str, &'static str) {
    match takes {
        Type::Preset => ("observe", "strict"),
        Type::Mode => ("observe", "enforce"),
        Type::OnError => ("allow", "block"),
        Type::Level => ("text", "tamper"),
        Type::Require => ("never", "changes"),
        Type::Boundary => ("pass", "reject"),
        Type::Method => ("cosine", "lexical"),
        Type::Embedder => ("file", "endpoint"),
        Type::Text => ("aa", "bb"),
        Type::Flag => ("false", "true"),
        Type::Ratio => ("0.6", "0.1"),
        Type::Count { .. } if path.ends_with("retries") => ("2", "1"),
        Type::Count { .. } if path.ends_with("remember") || path.ends_with("last") => ("19", "4"),
        Type::Count { .. } => ("19", "2"),
        Type::Patterns => ("[]", "[zzz]"),
        Type::Globs if path.contains("approval") => ("[]", "[zzz]"),
        Type::Programs => ("[]", "[/zzz]"),
        Type::Models => ("[]", "[zzz]"),
        Type::Terms | Type::Globs => ("[zzz]", "[]"),
        Type::Checks => ("[{name: a, run: 'true'}]", "[{name: a, run: make}]"),
        Type::Tools => ("{'*': {loop: off}}", "{'*': {loop: enforce}}"),
    }
}

fn nested(path: &str, value: &str) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    let open: String = parts.iter().map(|part| format!("{{{part}: ")).collect();
    format!("{open}{value}{}", "}".repeat(parts.len()))
}

#[test]
fn the_user_may_not_be_loosened_and_may_be_tightened() {
    for key in KEYS {
        let (loose, strict) = pair(key.path, key.takes);
        if loose == strict {
            continue;
        }
        let (user_strict, user_loose) = (nested(key.path, strict), nested(key.path, loose));
        let loosened = resolve(&sources(&user_strict, &user_loose, ""));
        let alone = resolve(&sources(&user_strict, "", ""));
        // Lists that add up: an empty one is no attempt to loosen and needs no warning.
        let unread = usize::from(!key.is_read());
        let warned = usize::from(key.direction != Direction::Adding) + 2 * unread;
        assert_eq!(loosened.settings, alone.settings, "{}", key.path);
        assert_eq!(
            loosened.problems.len(),
            warned,
            "{}: {}",
            key.path,
            rendered(&loosened)
        );
        assert_eq!(loosened.errors().count(), 0, "{}", key.path);

        let tightened = resolve(&sources(&user_loose, &user_strict, ""));
        if matches!(
            key.direction,
            Direction::Fixed | Direction::Own | Direction::AddingLoosens | Direction::Layered
        ) {
            continue;
        }
        assert_eq!(tightened.problems.len(), 2 * unread, "{}", key.path);
        assert_eq!(
            (key.get)(&tightened.settings),
            (key.get)(&alone.settings),
            "{}",
            key.path
        );
    }
}

#[test]
fn the_local_file_may_only_tighten_even_built_in_defaults() {
    for (loose, strict, now) in [
        ("{budget: {seconds: 1801}}", "{enabled: true}", "1800"),
        (
            "{response: {flattery_threshold: 0.3}}",
            "{response: {flattery_threshold: 0.1}}",
            "0.2",
        ),
        (
            "{response: {enabled: false}}",
            "{response: {mode: enforce}}",
            "enforce",
        ),
        ("{scope: {mode: observe}}", "{scope: {mode: enforce}}", "warn"),
        ("{enabled: false}", "{enabled: true}", "true"),
        (
            "{review: {require_evidence: false}}",
            "{review: {require_evidence: true}}",
            "true",
        ),
        (
            "{scope: {violation_threshold: 4}}",
            "{scope: {violation_threshold: 2}}",
            "3",
        ),
    ] {
        let refused = resolve(&sources("", "", &format!("enforcement: {loose}")));
        assert_eq!(refused.settings, Settings::default(), "{loose}");
        let said = rendered(&refused);
        assert!(
            said.starts_with("warning: ") && refused.errors().count() == 0,
            "{said}"
        );
        assert!(
            said.contains(&format!("looser than `{now}`, set by built-in")),
            "{said}"
        );
        let taken = resolve(&sources("", "", &format!("enforcement: {strict}")));
        assert_eq!(rendered(&taken), "", "{strict}");
        assert!(looser_keys(&taken.settings, &Settings::default()).is_empty());
    }
    // Retries: more burn more tokens, fewer let an agent go sooner.
    for limit in [
        "budget: {retries: 3}",
        "budget: {retries: 0}",
        "budget: {review_attempts: 1}",
        "response: {max_retries: 0}",
    ] {
        let refused = resolve(&sources("", "", &format!("enforcement: {{{limit}}}")));
        assert_eq!(refused.settings, Settings::default(), "{limit}");
        assert!(rendered(&refused).contains("may not be changed: `"), "{limit}");
        assert_eq!(
            resolve(&sources("", &format!("enforcement: {{{limit}}}"), ""))
                .errors()
                .count(),
            0
        );
    }
    // Neither allowed terms nor verifications can be added locally.
    for text in [
        "enforcement: {response: {allow: [great]}}",
        "verification: [{name: t, run: 'true'}]",
    ] {
        let refused = resolve(&sources("", "", text));
        assert_eq!(refused.settings, Settings::default(), "{text}");
        assert!(rendered(&refused).contains("set by built-in"), "{text}");
    }
    // A limit where there was none is stricter.
    let limit = "enforcement: {response: {distinct_limit: 5}, review: {downgrade_after_retries: 1}}";
    let taken = resolve(&sources("", "", limit));
    assert_eq!(
        (rendered(&taken).as_str(), taken.settings.response.distinct_limit),
        ("", Some(5))
    );
    assert_eq!(taken.settings.review.downgrade_after_retries, Some(1));
    // What the project allows may be repeated.
    let allow = "enforcement: {response: {allow: [perfect hash]}}";
    assert_eq!(rendered(&resolve(&sources("", allow, allow))), "");
}

#[test]
fn a_refusal_names_both_places() {
    let resolved = resolve(&sources(
        "enforcement:\n  response:\n    flattery_threshold: 0.1\n    allow: [perfect hash]\n",
        "enforcement:\n  response_validator:\n    flattery_threshold: 0.3\n    allow: [perfect hash, great]\n",
        "",
    ));
    assert_eq!(
        rendered(&resolved),
        "\
warning: `enforcement.response.flattery_threshold: 0.3` is looser than `0.1`, set by user (/home/u/.config/proctor/proctor.yaml:3:25); `0.1` stays
 --> .proctor/proctor.yaml:3:25
  |
3 |     flattery_threshold: 0.3
  |                         ^^^
  = help: a project may not loosen what the user sets; change the user's file

warning: `enforcement.response.allow` may not add [\"great\"] to what is set by user (/home/u/.config/proctor/proctor.yaml:4:12)
 --> .proctor/proctor.yaml:4:12
  |
4 |     allow: [perfect hash, great]
  |            ^
  = help: a project may not loosen what the user sets; change the user's file
"
    );
    assert_eq!(resolved.settings.response.allow, ["perfect hash"]);
}

#[test]
fn presets_follow_the_same_rule() {
    let modes = |user: &str, project: &str, local: &str| {
        let resolved = resolve(&sources(user, project, local));
        (
            resolved.settings.preset,
            resolved.settings.scope.mode,
            resolved.problems.len(),
        )
    };
    // A project may choose a looser preset than the built-in one, but not than the user's.
    assert_eq!(
        modes("", "preset: observe", ""),
        (Preset::Observe, Mode::Observe, 0)
    );
    assert_eq!(
        modes("preset: standard", "preset: observe", ""),
        (Preset::Standard, Mode::Warn, 1)
    );
    assert_eq!(
        modes("preset: standard", "preset: strict", ""),
        (Preset::Strict, Mode::Enforce, 0)
    );
    assert_eq!(
        modes("", "preset: strict", "preset: standard"),
        (Preset::Strict, Mode::Enforce, 1)
    );
    assert_eq!(
        modes("", "", "preset: strict"),
        (Preset::Strict, Mode::Enforce, 0)
    );
    // The modes of the user's preset are set by the user.
    assert_eq!(
        modes("preset: strict", "enforcement: {scope: {mode: warn}}", ""),
        (Preset::Strict, Mode::Enforce, 1)
    );
    // A mode that the user names is held against a looser preset, and no stricter preset changes it.
    let warn = "enforcement: {scope: {mode: warn}}";
    assert_eq!(
        modes(warn, "preset: observe", ""),
        (Preset::Observe, Mode::Warn, 0)
    );
    assert_eq!(modes(warn, "preset: strict", ""), (Preset::Strict, Mode::Warn, 0));
    // Turned on by the user: not looser than it was, but stricter with the preset.
    let on = "enforcement: {scope: {enabled: true}}";
    assert_eq!(modes(on, "preset: observe", ""), (Preset::Observe, Mode::Warn, 1));
    assert_eq!(
        modes(on, "preset: strict", ""),
        (Preset::Strict, Mode::Enforce, 0)
    );
    assert_eq!(
        modes(on, "enforcement: {scope: {enabled: false}}", ""),
        (Preset::Standard, Mode::Warn, 1)
    );
}

#[test]
fn patterns_add_up_over_the_layers() {
    let text = |word: &str| format!("enforcement: {{response: {{patterns: {{english: [{word}]}}}}}}");
    let resolved = resolve(&sources(
        &text("superb"),
        &text("stellar, superb"),
        &text("flawless"),
    ));
    assert_eq!(rendered(&resolved), "");
    assert_eq!(
        resolved.settings.response.english,
        ["superb", "stellar", "flawless"].map(crate::Pattern::from)
    );
}

#[test]
fn a_pattern_that_decides_is_not_taken_back() {
    let text = |entry: &str| format!("enforcement: {{response: {{patterns: {{english: [{entry}]}}}}}}");
    let low = "{pattern: superb, confidence: low}";
    let resolved = resolve(&sources(&text("superb"), &text(low), ""));
    assert_eq!(rendered(&resolved), "");
    let high: Vec<&str> = resolved
        .settings
        .response
        .patterns(crate::Confidence::High)
        .collect();
    assert_eq!(high, ["superb"]);
    assert_eq!(
        resolve(&sources(&text(low), &text("superb"), "")).problems.len(),
        0
    );
}

#[test]
fn a_limit_above_the_common_budget_is_told() {
    let text = "enforcement: {budget: {retries: 1}, response: {max_retries: 2}, review: {downgrade_after_retries: 1}}";
    assert_eq!(
        rendered(&resolve(&sources("", text, ""))),
        "\
warning: `enforcement.response.max_retries: 2` has no effect: `budget.retries` is 1 for all gates
 --> .proctor/proctor.yaml:1:61
  |
1 | enforcement: {budget: {retries: 1}, response: {max_retries: 2}, review: {downgrade_after_retries: 1}}
  |                                                             ^
  = help: a gate can only lower it; raise `budget.retries` instead
"
    );
}

#[test]
fn more_approvals_than_models_are_told() {
    let problems = |approval: &str| {
        let text = format!("enforcement: {{approval: {{{approval}}}}}");
        rendered(&crate::examine(&sources(&text, "", "")))
    };
    assert_eq!(
        problems("models: [a, b], agree: 3"),
        "\
warning: `enforcement.approval.agree: 3` asks for more than the 2 names in `approval.models`: all of them have to approve
 --> /home/u/.config/proctor/proctor.yaml:1:49
  |
1 | enforcement: {approval: {models: [a, b], agree: 3}}
  |                                                 ^
  = help: name more models, or ask for as many as there are (0: all)
"
    );
    // A name that stands there twice is one.
    for approval in ["models: [a, b, a], agree: 3", "agree: 2", "agree: 2, models: [a]"] {
        assert!(
            problems(approval).starts_with("warning: `enforcement.approval.agree: "),
            "{approval}"
        );
    }
    for approval in [
        "models: [a, b], agree: 2",
        "agree: 0, models: [a, b]",
        "models: [a, b, c]",
        "agree: 1",
        "agree: 0",
    ] {
        assert_eq!(problems(approval), "", "{approval}");
    }
}

#[test]
fn where_texts_are_sent_is_said_by_the_user_alone() {
    let embedder = "{drift: {embedder: {url: 'http://evil/v1', key_env: SECRET, kind: endpoint}}}";
    for (project, local) in [(embedder, ""), ("", embedder)] {
        let wrap = |e: &str| {
            if e.is_empty() {
                String::new()
            } else {
                format!("enforcement: {e}")
            }
        };
        let resolved = resolve(&sources("", &wrap(project), &wrap(local)));
        let e = &resolved.settings.drift.embedder;
        assert_eq!((e.url.as_str(), e.key_env.as_str()), ("", ""));
        let told = rendered(&resolved);
        assert!(told.contains("counts in your own file only"), "{told}");
    }
    let own = resolve(&sources(
        "enforcement: {drift: {embedder: {url: 'http://127.0.0.1/v1', key_env: KEY}}}",
        "",
        "",
    ));
    let e = &own.settings.drift.embedder;
    assert_eq!(
        (e.url.as_str(), e.key_env.as_str()),
        ("http://127.0.0.1/v1", "KEY")
    );
    assert!(own.problems.is_empty(), "{}", rendered(&own));
}
