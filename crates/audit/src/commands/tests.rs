use super::*;

fn names(kinds: CheckKinds) -> String {
    kinds.iter().map(CheckKind::as_str).collect::<Vec<_>>().join("+")
}

#[test]
fn runners_are_known_by_their_place_in_the_command() {
    for (line, proven, masked) in [
        ("cargo test -p x --lib", "tests", ""),
        ("cargo +nightly test", "tests", ""),
        ("RUST_LOG=debug timeout 60 cargo nextest run", "tests", ""),
        (
            "cd crates/x && cargo build --release && cargo clippy -- -D warnings",
            "build+lint",
            "",
        ),
        ("cargo test --no-run", "build", ""),
        ("npm test", "tests", ""),
        (
            "npm run build && npm run lint && npm run type-check",
            "build+types+lint",
            "",
        ),
        ("pnpm test:unit", "tests", ""),
        ("npx tsc --noEmit", "types", ""),
        ("npx -y vitest run", "tests", ""),
        ("python3 -m pytest -q", "tests", ""),
        ("uv run pytest tests/", "tests", ""),
        (".venv/bin/pytest", "tests", ""),
        ("python manage.py test app", "tests", ""),
        ("python tests/test_api.py", "tests", ""),
        ("./scripts/run-tests.sh", "tests", ""),
        ("./gradlew :app:test", "tests", ""),
        ("go test ./... && go vet ./...", "tests+lint", ""),
        ("make -j4 test", "tests", ""),
        ("make", "build", ""),
        ("bash -c 'cd x && cargo test'", "tests", ""),
        ("node --test", "tests", ""),
        ("ruff check . && black --check .", "lint", ""),
        // The status is that of another command, or of none.
        ("cargo test 2>&1 | tail -5", "", "tests"),
        ("set -o pipefail; cargo test 2>&1 | tail -5", "tests", ""),
        ("cargo test || true", "", "tests"),
        ("cargo test; echo done", "", "tests"),
        ("set -e\ncargo test\necho done", "tests", ""),
        ("cargo test &", "", "tests"),
        ("true || cargo test", "", "tests"),
        ("for f in a b; do pytest $f; done", "", "tests"),
        ("bash -c 'cargo test | tail'", "", "tests"),
        ("cargo build; cargo test", "tests", "build"),
        // Names elsewhere than in command position.
        ("echo cargo test", "", ""),
        ("grep -rn 'cargo test' .", "", ""),
        ("git commit -m 'npm test passes'", "", ""),
        ("cat <<EOF > x.sh\ncargo test\nEOF", "", ""),
        ("cat test_x.py", "", ""),
        ("[ -f x ] && test -d y", "", ""),
        ("cargo test --help", "", ""),
        ("pytest --collect-only", "", ""),
        ("cargo fmt", "", ""),
        ("npm install", "", ""),
        ("ls tests", "", ""),
        ("", "", ""),
    ] {
        let found = recognise(line, &[]);
        assert_eq!(
            (names(found.proven).as_str(), names(found.masked).as_str()),
            (proven, masked),
            "{line}"
        );
    }
}

#[test]
fn the_project_s_own_verifications_count() {
    let own = [
        Verification {
            name: "all".into(),
            run: "./go  everything".into(),
            kind: None,
        },
        Verification {
            name: "unit".into(),
            run: "./go unit".into(),
            kind: Some("tests".into()),
        },
    ];
    assert_eq!(names(recognise("cd x && ./go everything", &own).proven), "own");
    assert_eq!(names(recognise("./go unit", &own).proven), "tests");
    assert_eq!(names(recognise("./go nothing", &own).proven), "");
}
