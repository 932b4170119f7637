//! Copied answers, code that asks for tests, snapshots, marks that silence.

use super::*;

#[test]
fn answers_that_only_stand_in_tests() {
    let tests = "def test_known():\n    assert digest(\"hello world\") == \"5eb63bbb\"\n\ndef test_other():\n    assert digest(\"\") == \"d41d8cd9\"\n";
    let base = "def digest(text):\n    return real(text)\n";
    let copied = "def digest(text):\n    if text == \"hello world\":\n        return \"5eb63bbb\"\n    return real(text)\n";
    let files = |now| {
        [
            ("digest.py", Some(base), Some(now)),
            ("tests/test_digest.py", Some(tests), Some(tests)),
        ]
    };
    assert_eq!(found(&files(copied)), ["block answers_copied"]);
    // A test that did not change is handed in where it matters.
    let change = [FileChange {
        path: "digest.py",
        base: Some(base),
        now: Some(copied),
    }];
    let standing = [Standing {
        path: "tests/test_digest.py",
        text: tests,
    }];
    assert!(asks_anew(&change) && is_for_tests(standing[0].path));
    let seen = judge(&Change {
        files: &change,
        standing: &standing,
        ..Change::default()
    });
    assert_eq!((seen.len(), seen[0].severity), (1, Severity::Block), "{seen:?}");
    assert_eq!(found(&[("digest.py", Some(base), Some(copied))]), [""; 0]);
    let same = [FileChange {
        now: Some(base),
        ..change[0]
    }];
    assert!(!asks_anew(&same) && !is_for_tests("tests/data.json"));
    // New behaviour that comes with a test of its own is told; an old assertion under a new name is not new.
    let own = [
        ("digest.py", Some(base), Some(copied)),
        ("tests/test_digest.py", None, Some(tests)),
    ];
    assert_eq!(found(&own), ["note answers_copied"]);
    let renamed = [
        ("digest.py", Some(base), Some(copied)),
        ("tests/test_digest.py", Some(tests), None),
        ("tests/test_hash.py", None, Some(tests)),
    ];
    assert!(found(&renamed).contains(&"block answers_copied".to_owned()));
    // The value was there before; or the answer is not the one that is expected.
    let known = format!("GREETING = \"hello world\"\n{base}");
    let was = [
        ("digest.py", Some(known.as_str()), Some(copied)),
        ("tests/test_digest.py", None, Some(tests)),
    ];
    assert_eq!(found(&was), [""; 0]);
    let other = copied.replace("5eb63bbb", "a constant");
    assert_eq!(found(&files(&other)), [""; 0]);
    for (path, base, now, test_path, test) in [
        (
            "src/lib.rs",
            "pub fn f(n: u32) -> u32 { n }",
            "pub fn f(n: u32) -> u32 { match n { 17 => 4913, _ => n } }",
            "tests/a.rs",
            "#[test]\nfn cubes() { assert_eq!(f(17), 4913); }",
        ),
        (
            "src/a.ts",
            "export const f = (n: number) => n;",
            "export const f = (n: number) => n === 17 ? 4913 : n;",
            "src/a.test.ts",
            "test('cubes', () => { expect(f(17)).toBe(4913); });",
        ),
        (
            "a.go",
            "func F(n int) int { return n }",
            "func F(n int) int {\n\tswitch n {\n\tcase 17:\n\t\treturn 4913\n\t}\n\treturn n\n}",
            "a_test.go",
            "func TestF(t *testing.T) { assert.Equal(t, 4913, F(17)) }",
        ),
        (
            "src/A.java",
            "class A { int f(int n) { return n; } }",
            "class A { int f(int n) { if (n == 17) { return 4913; } return n; } }",
            "src/test/ATest.java",
            "class ATest { @Test void f() { assertEquals(4913, new A().f(17)); } }",
        ),
    ] {
        let files = |was| [(path, Some(base), Some(now)), (test_path, was, Some(test))];
        assert_eq!(found(&files(Some(test))), ["block answers_copied"], "{path}");
        assert_eq!(found(&files(None)), ["note answers_copied"], "{path}");
        // The same in the test itself is a table.
        assert_eq!(
            found(&[(test_path, None, Some(now)), (test_path, None, Some(test))]),
            [""; 0]
        );
    }
    // A value with a meaning of its own, and tests that use it in another place.
    let command = "def run(name):\n    if name == \"start\":\n        return begin()\n    return None\n";
    let test = "def test_start():\n    assert run(\"start\") == \"begun\"\n";
    assert_eq!(
        found(&[
            ("run.py", Some("def run(name):\n    return None\n"), Some(command)),
            ("test_run.py", None, Some(test))
        ]),
        [""; 0]
    );
}

#[test]
fn code_that_asks_whether_it_is_tested() {
    let asks = [
        ("src/a.js", "if (process.env.NODE_ENV === 'test') { return 1; }"),
        ("src/a.ts", "if (process.env.JEST_WORKER_ID) return 1;"),
        ("src/a.ts", "const inCi = Boolean(process.env.CI);"),
        ("src/a.ts", "const { VITEST } = process.env;"),
        ("src/a.ts", "if (import.meta.env.VITEST) start();"),
        ("src/a.ts", "if ('VITEST' in process.env) return 1;"),
        ("src/a.ts", "if (process.env['VITEST_WORKER_ID']) return 1;"),
        ("app/b.rb", "def f\n  ENV.key?(\"JEST_WORKER_ID\") ? 1 : 2\nend\n"),
        ("a.py", "if \"pytest\" in sys.modules:\n    FAKE = True\n"),
        (
            "a.py",
            "if os.environ.get(\"PYTEST_CURRENT_TEST\"):\n    FAKE = True\n",
        ),
        ("a.py", "if os.environ.get(\"CI\"):\n    FAKE = True\n"),
        ("src/a.rs", "pub fn f() -> u32 { if cfg!(test) { 1 } else { 2 } }"),
        ("src/a.rs", "pub fn f() -> bool { std::env::var(\"CI\").is_ok() }"),
        ("a.go", "func f() bool { return testing.Testing() }"),
        ("a.go", "func f() bool { return os.Getenv(\"CI\") != \"\" }"),
        (
            "A.java",
            "class A { boolean f() { return System.getenv(\"CI\") != null; } }",
        ),
        (
            "A.cs",
            "class A { bool F() => Environment.GetEnvironmentVariable(\"CI\") != null; }",
        ),
        ("app/a.rb", "def f\n  Rails.env.test? ? 1 : 2\nend\n"),
        ("app/a.rb", "def f\n  ENV[\"RAILS_ENV\"] == \"test\"\nend\n"),
        (
            "src/A.php",
            "<?php function f() { return getenv('APP_ENV') === 'testing'; }",
        ),
        (
            "src/A.php",
            "<?php function f() { return app()->runningUnitTests(); }",
        ),
    ];
    for (path, text) in asks {
        assert_eq!(
            changed(path, "", text),
            ["block tests_detected"],
            "{path}: {text}"
        );
        assert_eq!(
            changed(path, text, &format!("{text}\n")),
            [""; 0],
            "it was there: {path}: {text}"
        );
    }
    for (path, text) in [
        ("src/a.test.js", "if (process.env.CI) { jest.retryTimes(2); }"),
        (
            "vite.config.ts",
            "export default { minify: process.env.NODE_ENV === 'test' };",
        ),
        ("tests/helper.py", "IN_CI = os.environ.get(\"CI\")\n"),
        (
            "src/a.js",
            "// if (process.env.NODE_ENV === 'test')\nconst label = \"CI\";",
        ),
        ("src/a.js", "const mode = process.env.NODE_ENV === 'production';"),
        (
            "src/a.rs",
            "#[cfg(test)]\nmod tests { #[test] fn a() { assert!(cfg!(test)); } }",
        ),
        ("a.py", "print(\"run pytest\")\n"),
        (
            "src/a.rs",
            "const SIGNS: [&str; 2] = [\"VITEST\", \"PYTEST_CURRENT_TEST\"];",
        ),
        (
            "src/a.ts",
            "const hidden = ['VITEST', 'VITEST_WORKER_ID'];\nfor (const name of hidden) delete process.env[name];",
        ),
        (
            "src/a.ts",
            "export const env = new Set(['NODE_OPTIONS', 'VITEST', 'VITEST_POOL_ID']);",
        ),
        (
            "src/a.ts",
            "const words = { VITEST: 'the runner', NEXTEST: 'another' };",
        ),
        (
            "src/a.ts",
            "process.env.VITEST = 'true';\nprocess.env['VITEST_POOL_ID'] = id;",
        ),
        ("src/a.rs", "pub enum Runner { VITEST, NEXTEST }"),
        (
            "crates/testkit/src/a.rs",
            "pub fn f() -> bool { std::env::var(\"CI\").is_ok() }",
        ),
    ] {
        assert_eq!(changed(path, "", text), [""; 0], "{path}: {text}");
    }
}

#[test]
fn snapshots_and_marks_are_told_and_stop_nobody() {
    let rewritten = found(&[
        ("src/a.rs", Some("fn a() {}"), Some("fn a() { b() }")),
        ("tests/snapshots/a.snap", Some("1"), Some("2")),
    ]);
    assert_eq!(rewritten, ["note snapshots_rewritten"]);
    let added = found(&[
        ("src/a.rs", Some("fn a() {}"), Some("fn a() { b() }")),
        ("tests/snapshots/a.snap", None, Some("2")),
    ]);
    assert_eq!(added, [""; 0]);
    table(&[
        (
            "noqa",
            "a.py",
            "import os\n",
            "import os  # noqa\n",
            &["note checks_loosened"],
        ),
        (
            "ts-ignore",
            "src/a.ts",
            "f();\n",
            "// @ts-ignore\nf();\n",
            &["note checks_loosened"],
        ),
        (
            "allow",
            "src/a.rs",
            "fn a() {}\n",
            "#[allow(dead_code)]\nfn a() {}\n",
            &["note checks_loosened"],
        ),
        (
            "in a text",
            "src/a.rs",
            "fn a() {}\n",
            "fn a() { b(\"#[allow(dead_code)]\") }\n",
            &[],
        ),
        (
            "a function of that name",
            "src/a.rs",
            "fn a() {}\n",
            "fn a() { allow(1) }\n",
            &[],
        ),
    ]);
}
