use super::*;

fn paths(text: &str) -> Vec<String> {
    find(text).into_iter().map(|m| m.path).collect()
}

#[test]
fn finds_files_of_every_sort() {
    let cases: &[(&str, &[&str])] = &[
        (
            "src/App.svelte and src/lib.swift, b.json5",
            &["src/App.svelte", "src/lib.swift", "b.json5"],
        ),
        ("e.g. Node.js, i.e. v1.2.3 or 0.28", &[]),
        (
            "Makefile, Dockerfile.dev and CMakeLists.txt",
            &["Makefile", "Dockerfile.dev", "CMakeLists.txt"],
        ),
        (
            "src/인증.ts를 고치고 docs/운영/배포.md의",
            &["src/인증.ts", "docs/운영/배포.md"],
        ),
        ("`src/tui/draw.rs:118:22`, nothing else", &["src/tui/draw.rs"]),
        ("src/a.rs:12-20 (see src/b.rs#L10).", &["src/a.rs", "src/b.rs"]),
        ("./src/main.rs reads STDIN", &["src/main.rs"]),
        ("src\\auth\\login.ts", &["src/auth/login.ts"]),
        ("**src/a.ts** and *src/b.ts*", &["src/a.ts", "src/b.ts"]),
        (
            "**/*.proto and src/db/** and src/*.{ts,tsx}",
            &["**/*.proto", "src/db/**", "src/*.{ts,tsx}"],
        ),
        (
            "a.ts -> b.ts, c.ts→d.ts, e.ts=>f.ts",
            &["a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "f.ts"],
        ),
        ("https://example.com/a/b.ts and github.com/x/y", &[]),
        ("and/or, read/write, 2/3 of CI/CD on 2026/02/08", &[]),
        ("GET /v1/users and TCP/IP", &[]),
        (
            "services/notify/retry.kt: 최대 5회",
            &["services/notify/retry.kt"],
        ),
        ("app/[id]/page.tsx", &["app/[id]/page.tsx"]),
        ("`docs/release notes.md`", &["docs/release notes.md"]),
        ("package acme.v2, Intl.DateTimeFormat, crates.io", &[]),
        ("src/db에서 src/export/ 로", &["src/db", "src/export/"]),
        (
            ".github/workflows/ci.yml and .env",
            &[".github/workflows/ci.yml", ".env"],
        ),
        ("[docs](docs/guide.md)", &["docs/guide.md"]),
        ("(src/a.ts)", &["src/a.ts"]),
        ("@infra owns @scope/pkg", &[]),
        ("작업_완료_보고서.md", &["작업_완료_보고서.md"]),
        ("the file hosts.local2", &["hosts.local2"]),
        ("Makefile의 lint 타깃", &["Makefile"]),
    ];
    for (text, expected) in cases {
        assert_eq!(paths(text), *expected, "{text}");
    }
}

#[test]
fn arguments_of_commands_are_marked() {
    let found = find("`pytest tests/unit -q` passes");
    assert!(found.iter().all(|m| m.command));
    assert_eq!(found.len(), 1);
}

#[test]
fn folders_named_by_a_word() {
    let found = named_folders("everything in the migrations folder, docs 폴더도");
    assert_eq!(
        found.iter().map(|m| m.path.as_str()).collect::<Vec<_>>(),
        ["migrations/", "docs/"]
    );
}

#[test]
fn names_with_spaces_are_one_name_in_quotes() {
    for (text, expected) in [
        ("`my file.txt`", &["my file.txt"][..]),
        (
            "'my file.txt' and \"other file.txt\"",
            &["my file.txt", "other file.txt"],
        ),
        ("\"한글 파일.md\" 작성", &["한글 파일.md"]),
        ("`한글 파일.md`를 갱신", &["한글 파일.md"]),
        ("- `release notes.md`: what changed", &["release notes.md"]),
        ("\"my file.txt\" is created", &["my file.txt"]),
        (
            "docs/my\\ file.txt and my\\ notes.md",
            &["docs/my file.txt", "my notes.md"],
        ),
        ("src/#t.md", &["src/#t.md"]),
        // Commands, messages, orders, lists.
        ("`python build.py`", &["build.py"]),
        ("`cat a.txt b.txt`", &["a.txt", "b.txt"]),
        ("`my file.txt` passes", &["file.txt"]),
        ("\"could not read config.json\" is gone", &["config.json"]),
        ("\"Update README.md\"", &["README.md"]),
        ("it prints \"loaded rules.json\"", &["rules.json"]),
    ] {
        assert_eq!(paths(text), *expected, "{text}");
    }
}

#[test]
fn files_are_found_as_people_hand_them_over() {
    for (text, expected) in [
        ("fix @src/a.py, please", &["src/a.py"][..]),
        ("@src/a.py handles empty input", &["src/a.py"]),
        ("Update @src/a.py and @README.md.", &["src/a.py", "README.md"]),
        ("@src/a.py#L10-20 and @./src/b.py:3", &["src/a.py", "src/b.py"]),
        (
            "@\"docs/my notes.md\" and `@src/c.py`",
            &["docs/my notes.md", "src/c.py"],
        ),
        ("everything in @src/ works", &["src/"]),
        ("@src/a.py는 건드리지 마세요", &["src/a.py"]),
        (
            "$CLAUDE_PROJECT_DIR/src/a.py and `${CLAUDE_PROJECT_DIR}/src/b.py`",
            &["src/a.py", "src/b.py"],
        ),
        ("~/code/src/a.py", &["~/code/src/a.py"]),
        // People, packages, addresses.
        ("@sam fixes it with @acme/ui", &[]),
        ("ask ann@example.com about lodash@4.17.21", &[]),
    ] {
        assert_eq!(paths(text), *expected, "{text}");
    }
    assert_eq!(spellings("@types/a.d.ts"), ["@types/a.d.ts", "types/a.d.ts"]);
}
