use super::{layer_of, project, rendered, sources};
use crate::{DriftMethod, EmbedderKind};
use crate::{
    Layer, Preset, ReviewLevel, Settings, SourceFile, Sources, Verification, digest_of, resolve, show,
    show_json,
};
use proctor_kernel::{Mode, OnError};

#[test]
fn the_printed_enforcement_section_loads_without_a_problem_and_takes_effect() {
    let text = include_str!("../../tests/data/enforcement_section.yaml");
    let resolved = project(text);
    assert_eq!(rendered(&resolved), "");
    let mut expected = Settings::default();
    let words = |list: &[&str]| list.iter().map(|w| crate::Pattern::from(*w)).collect::<Vec<_>>();
    expected.response.max_retries = Some(2);
    expected.response.korean = words(&["완벽", "훌륭", "인상적", "엔터프라이즈급"]);
    expected.response.english = words(&["perfect", "excellent", "impressive", "enterprise-grade"]);
    expected.review.downgrade_after_retries = Some(2);
    assert_eq!(resolved.settings, expected);
    assert_eq!(
        layer_of(&resolved, "enforcement.response.flattery_threshold"),
        Some(Layer::Project)
    );
    assert_eq!(
        resolved.origins["enforcement.response.max_retries"].place(),
        ".proctor/proctor.yaml:8:18"
    );

    // Each value is read, not merely tolerated: with every value changed, every setting changes.
    let changed = text
        .replace("0.2", "0.35")
        .replace("max_retries: 2", "max_retries: 1")
        .replace("downgrade_after_retries: 2", "downgrade_after_retries: 0")
        .replace("violation_threshold: 3", "violation_threshold: 5")
        .replace("true", "false")
        .replace("'perfect', ", "");
    let resolved = project(&changed);
    assert_eq!(rendered(&resolved), "");
    let s = &resolved.settings;
    assert!(!s.enabled && !s.review.require_evidence && !s.todo.reminder_on_incomplete);
    assert_eq!(
        [s.response.mode, s.review.mode, s.scope.mode, s.todo.mode],
        [Mode::Off; 4]
    );
    assert_eq!((s.response.threshold, s.response.max_retries), (0.35, Some(1)));
    assert_eq!(
        (s.review.downgrade_after_retries, s.scope.violation_threshold),
        (Some(0), 5)
    );
    assert_eq!(
        s.response.english,
        words(&["excellent", "impressive", "enterprise-grade"])
    );
}

#[test]
fn the_full_example_loads() {
    let resolved = project(include_str!("../../tests/data/full.yaml"));
    assert_eq!(rendered(&resolved), "");
    assert!(resolved.is_valid());
    let expected = Settings {
        verification: vec![Verification {
            name: "test".to_owned(),
            run: "cargo test".to_owned(),
            kind: Some("tests".to_owned()),
        }],
        ..Settings::default()
    };
    assert_eq!(resolved.settings, expected);
    assert!(resolved.reserved.is_empty());
}

/// Keys that a project cannot set.
const OWN: [&str; 10] = [
    ".url",
    ".key_env",
    ".launch_reviewer",
    ".reviewer_model",
    ".second_model",
    ".models",
    ".agree",
    ".reviewer_programs",
    ".reviewer_seconds",
    ".signers",
];

#[test]
fn every_key_can_be_set() {
    let resolved = project(
        "
preset: strict
enforcement:
  enabled: false
  budget: {retries: 1, review_attempts: 4, tokens: 7, seconds: 8}
  response:
    mode: warn
    on_error: ask
    flattery_threshold: .25
    max_retries: 1
    distinct_limit: 5
    boundary: reject
    human_facing: {mode: off, threshold: 0.5}
    patterns: {korean: [굿잡], english: [superb]}
    allow: [perfect hash]
  review: {mode: observe, on_error: allow, level: text, require_evidence: false, downgrade_after_retries: 1, rerun_seconds: 9}
  scope: {mode: enforce, on_error: block, violation_threshold: 9, allow: [Cargo.lock]}
  todo: {mode: off, on_error: ask, reminder_on_incomplete: false}
  drift:
    {mode: observe, on_error: ask, remember: 9, method: cosine, threshold: 0.9, last: 4,
     embedder: {kind: file, path: models/small, model: small, timeout_ms: 500, fallback: false}}
  delegation: {mode: observe, on_error: block}
  approval: {mode: warn, on_error: ask, require: paths, paths: [src/**], high_stakes: [ci/**], signed: true, rewrite: true}
  loop: {mode: warn, on_error: block, nudge: 2, block: 4, trip: 6, exempt: [TaskOutput]}
  tools: {'*': {loop: observe}, 'Grep|Glob': {loop: off}}
verification:
- name: build
  run: make
",
    );
    assert_eq!(resolved.problems.len(), 0, "{}", rendered(&resolved));
    assert!(
        resolved
            .origins
            .iter()
            .filter(|(path, _)| !OWN.iter().any(|own| path.ends_with(own)))
            .all(|(_, origin)| origin.layer == Layer::Project),
        "{:?}",
        resolved.origins
    );
    let s = resolved.settings;
    assert_eq!((s.enabled, s.preset), (false, Preset::Strict));
    assert_eq!(
        (
            s.budget.retries,
            s.budget.review_attempts,
            s.budget.tokens,
            s.budget.seconds
        ),
        (1, 4, 7, 8)
    );
    let r = s.response;
    assert_eq!(
        (r.mode, r.on_error, r.threshold, r.max_retries),
        (Mode::Warn, OnError::Ask, 0.25, Some(1))
    );
    assert_eq!(
        (r.distinct_limit, r.boundary, r.human_mode, r.human_threshold),
        (Some(5), crate::Boundary::Reject, Mode::Off, 0.5)
    );
    assert_eq!(
        (r.korean, r.english, r.allow),
        (
            vec!["굿잡".into()],
            vec!["superb".into()],
            vec!["perfect hash".into()]
        )
    );
    let v = s.review;
    assert_eq!(
        (v.mode, v.on_error, v.level),
        (Mode::Observe, OnError::Allow, ReviewLevel::Text)
    );
    assert_eq!((v.require_evidence, v.downgrade_after_retries), (false, Some(1)));
    assert_eq!(
        (s.scope.mode, s.scope.on_error, s.scope.violation_threshold),
        (Mode::Enforce, OnError::Block, 9)
    );
    assert_eq!(s.scope.allow, ["Cargo.lock"]);
    assert_eq!(
        (s.todo.mode, s.todo.on_error, s.todo.reminder_on_incomplete),
        (Mode::Off, OnError::Ask, false)
    );
    assert_eq!(
        (s.delegation.mode, s.delegation.on_error),
        (Mode::Observe, OnError::Block)
    );
    assert_eq!(
        (s.drift.mode, s.drift.on_error, s.drift.remember),
        (Mode::Observe, OnError::Ask, 9)
    );
    assert_eq!(
        (s.drift.method, s.drift.threshold, s.drift.last),
        (DriftMethod::Cosine, 0.9, 4)
    );
    let e = s.drift.embedder;
    assert_eq!(
        (
            e.kind,
            e.path.as_str(),
            e.model.as_str(),
            e.timeout_ms,
            e.fallback
        ),
        (EmbedderKind::File, "models/small", "small", 500, false)
    );
    assert_eq!(s.verification.len(), 1);
}

#[test]
fn without_files_the_built_in_policy_holds() {
    for text in [
        "",
        "\n",
        "# nothing\n",
        "---\n",
        "version: 1\n",
        "enforcement:\n",
        "\u{FEFF}version: 1\n",
    ] {
        let sources = Sources {
            project: Some(SourceFile {
                path: "p".to_owned(),
                bytes: text.as_bytes().to_vec(),
            }),
            ..Sources::default()
        };
        let resolved = resolve(&sources);
        assert_eq!(
            (rendered(&resolved).as_str(), resolved.broken),
            ("", false),
            "{text:?}"
        );
        assert_eq!(resolved.settings, Settings::default());
    }
    assert_eq!(resolve(&Sources::default()).settings, Settings::default());
}

#[test]
fn a_preset_chooses_the_modes_and_named_keys_win_over_it() {
    for preset in Preset::ALL {
        let resolved = project(&format!("preset: {}", preset.as_str()));
        assert_eq!(resolved.settings, Settings::preset(preset));
    }
    let resolved = project("enforcement: {todo: {mode: observe}}\npreset: strict\n");
    assert_eq!(
        (resolved.settings.todo.mode, resolved.settings.scope.mode),
        (Mode::Observe, Mode::Enforce)
    );
    assert_eq!(
        resolved.origins["enforcement.todo.mode"].to_string(),
        "project (.proctor/proctor.yaml:1:28)"
    );
    assert_eq!(
        resolved.origins["enforcement.scope.mode"].to_string(),
        "project (.proctor/proctor.yaml:2:9), preset strict"
    );
}

#[test]
fn enabled_and_mode_go_together() {
    for (section, expected, warnings) in [
        ("enabled: true", Mode::Warn, 0),
        ("enabled: false", Mode::Off, 0),
        ("enabled: true, mode: enforce", Mode::Enforce, 0),
        ("mode: enforce, enabled: true", Mode::Enforce, 0),
        ("enabled: false, mode: enforce", Mode::Off, 0),
        ("mode: enforce, enabled: false", Mode::Off, 0),
        ("enabled: true, mode: off", Mode::Off, 1),
        ("mode: off, enabled: true", Mode::Off, 1),
    ] {
        let resolved = project(&format!("enforcement: {{scope_guard: {{{section}}}}}"));
        assert_eq!(resolved.settings.scope.mode, expected, "{section}");
        assert_eq!(resolved.problems.len(), warnings, "{section}");
    }
    // Turned on again by a higher layer, a gate has the mode that the preset chooses.
    let off = "enforcement: {todo: {enabled: false}}";
    let resolved = resolve(&sources("", off, "enforcement: {todo: {enabled: true}}"));
    assert_eq!(
        (resolved.settings.todo.mode, resolved.problems.len()),
        (Mode::Warn, 0)
    );
}

#[test]
fn aliases_of_yaml_are_read() {
    let resolved = project("enforcement:\n  scope: &gate {mode: enforce}\n  todo: *gate\n");
    assert_eq!(rendered(&resolved), "");
    assert_eq!(
        (resolved.settings.scope.mode, resolved.settings.todo.mode),
        (Mode::Enforce, Mode::Enforce)
    );
}

#[test]
fn the_digest_follows_the_content_alone() {
    let a = sources("", "preset: strict", "");
    let mut elsewhere = a.clone();
    elsewhere.project.as_mut().unwrap().path = "other/place.yaml".to_owned();
    assert_eq!(digest_of(&a), digest_of(&elsewhere));
    assert_eq!(resolve(&a).digest, digest_of(&a));
    let as_local = sources("", "", "preset: strict");
    assert_ne!(
        digest_of(&sources("", "a", "b")),
        digest_of(&sources("", "alocalb", ""))
    );
    let others = [
        as_local,
        sources("", "preset: strict ", ""),
        Sources::default(),
        sources("a", "b", ""),
        sources("ab", "", ""),
    ];
    for (i, one) in others.iter().enumerate() {
        assert_ne!(digest_of(&a), digest_of(one));
        assert!(
            others
                .iter()
                .skip(i + 1)
                .all(|other| digest_of(one) != digest_of(other))
        );
    }
}

#[test]
fn files_are_read_from_their_places() {
    let dir = tempfile::tempdir().unwrap();
    let user = dir.path().join("user.yaml");
    let project = dir.path().join(".proctor");
    assert_eq!(Sources::read(Some(&user), Some(&project)), Sources::default());
    std::fs::create_dir(&project).unwrap();
    std::fs::write(&user, "preset: strict").unwrap();
    std::fs::write(project.join("proctor.yaml"), "version: 1").unwrap();
    std::fs::write(project.join("local.yaml"), "").unwrap();
    let sources = Sources::read(Some(&user), Some(&project));
    assert_eq!(sources.user.unwrap().bytes, b"preset: strict");
    assert_eq!(sources.project.unwrap().bytes, b"version: 1");
    assert_eq!(sources.local.unwrap().bytes, b"");
    assert_eq!(Sources::read_policy_dir(&project).user, None);

    // A named folder must exist; a folder in place of a file is no missing file.
    std::fs::remove_file(project.join("proctor.yaml")).unwrap();
    assert!(Sources::read_policy_dir(&project).unreadable.is_empty());
    assert!(resolve(&Sources::read_policy_dir(&dir.path().join("typo"))).broken);
    std::fs::create_dir(project.join("proctor.yaml")).unwrap();
    let resolved = resolve(&Sources::read(None, Some(&project)));
    assert!(resolved.broken);
    assert!(rendered(&resolved).contains("the project policy cannot be read: not a regular file"));
}

#[test]
fn every_setting_is_shown_with_its_origin() {
    let resolved = resolve(&sources(
        "enforcement: {todo: {mode: enforce}}",
        include_str!("../../tests/data/full.yaml"),
        "",
    ));
    let rows = show(&resolved);
    let row = |path: &str| {
        let row = rows.iter().find(|row| row.path == path).unwrap();
        format!("{} | {} | {}", row.value, row.origin, row.active)
    };
    assert_eq!(
        row("enforcement.todo.mode"),
        "enforce | user (/home/u/.config/proctor/proctor.yaml:1:28) | true"
    );
    assert_eq!(
        row("enforcement.response.distinct_limit"),
        "none | built-in | true"
    );
    assert_eq!(
        row("enforcement.delegation.mode"),
        "warn | project (.proctor/proctor.yaml:2:9), preset standard | true"
    );
    assert_eq!(
        row("enforcement.approval.require"),
        "claims | project (.proctor/proctor.yaml:8:39) | true"
    );
    let json = show_json(&resolved);
    assert_eq!(
        json["settings"]["enforcement.response.flattery_threshold"]["value"],
        0.2
    );
    assert_eq!(
        json["settings"]["enforcement.response.flattery_threshold"]["origin"]["line"],
        6
    );
    assert_eq!(json["broken"], false);

    // A row for every leaf of the settings: what `Settings` has and no row shows would be a hidden setting.
    let leaves = leaves_of(&serde_json::to_value(Settings::default()).unwrap());
    assert_eq!(rows.len() - resolved.reserved.len(), leaves);
}

fn leaves_of(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::Object(map) => map.values().map(leaves_of).sum(),
        _ => 1,
    }
}
