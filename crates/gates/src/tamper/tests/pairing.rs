//! Tests that go with what they tested, that become one, and demands that move.

use super::*;

const PRODUCT: &str = "def area(w, h):\n    return w * h\n\ndef volume(w, h, d):\n    return w * h * d\n";
const TESTS: &str = "from shapes import area, volume\n\ndef test_area():\n    assert area(2, 3) == 6\n\ndef test_volume():\n    assert volume(2, 3, 4) == 24\n";

#[test]
fn a_test_may_go_with_what_it_tests() {
    let gone = found(&[
        ("shapes.py", Some(PRODUCT), None),
        ("tests/test_shapes.py", Some(TESTS), None),
    ]);
    assert_eq!(gone, [""; 0]);
    // Under another folder and with another affix.
    let gone = found(&[
        (
            "src/Widget.java",
            Some("class Widget { int f() { return 1; } }"),
            None,
        ),
        (
            "src/test/WidgetTest.java",
            Some("class WidgetTest { @Test void one() { assertEquals(1, new Widget().f()); } }"),
            None,
        ),
    ]);
    assert_eq!(gone, [""; 0]);
    // The file is still there, or came back under another name: the tests have no reason to go.
    let kept = found(&[("tests/test_shapes.py", Some(TESTS), None)]);
    assert_eq!(kept, ["block tests_gone"]);
    let moved = found(&[
        ("shapes.py", Some(PRODUCT), None),
        ("lib/shapes.py", None, Some(PRODUCT)),
        ("tests/test_shapes.py", Some(TESTS), None),
    ]);
    assert_eq!(moved, ["block tests_gone"]);
    // A function that went, with the test that names it: seen, and in nobody's way.
    let smaller = "def area(w, h):\n    return w * h\n";
    let one = "from shapes import area\n\ndef test_area():\n    assert area(2, 3) == 6\n";
    let with = found(&[
        ("shapes.py", Some(PRODUCT), Some(smaller)),
        ("tests/test_shapes.py", Some(TESTS), Some(one)),
    ]);
    assert_eq!(with, ["note tests_gone"]);
    let without = found(&[("tests/test_shapes.py", Some(TESTS), Some(one))]);
    assert_eq!(without, ["block tests_gone"]);
}

#[test]
fn tests_that_become_a_table_are_no_loss() {
    let three = "def test_two():\n    assert half(2) == 1\n\ndef test_eight():\n    assert half(8) == 4\n\ndef test_ten():\n    assert half(10) == 5\n";
    let table = "@pytest.mark.parametrize(\"n, half_of\", [(2, 1), (8, 4), (10, 5)])\ndef test_halves(n, half_of):\n    assert half(n) == half_of\n";
    let merged = changed("test_half.py", three, table);
    assert!(!merged.iter().any(|f| f.starts_with("block")), "{merged:?}");
    let lost = "@pytest.mark.parametrize(\"n, half_of\", [(2, 1)])\ndef test_halves(n, half_of):\n    assert half(n) == half_of\n";
    assert!(changed("test_half.py", three, lost).contains(&"block tests_gone".to_owned()));
}

#[test]
fn demands_may_move_within_a_file() {
    let base = "#[test]\nfn both() {\n    assert_eq!(f(), 1);\n    assert_eq!(g(), 2);\n}\n";
    let split = "#[test]\nfn both() {\n    assert_eq!(f(), 1);\n}\n\n#[test]\nfn second_half() {\n    assert_eq!(g(), 2);\n}\n";
    assert_eq!(changed("tests/a.rs", base, split), ["note assertions_weakened"]);
    let helper = "fn check(x: i32, y: i32) {\n    assert_eq!(x, y);\n}\n\n#[test]\nfn both() {\n    check_all();\n    assert_eq!(f(), 1);\n}\n\nfn check_all() {\n    assert_eq!(g(), 2);\n}\n";
    assert_eq!(changed("tests/a.rs", base, helper), ["note assertions_weakened"]);
}

#[test]
fn new_tests_do_not_make_up_for_what_others_lost() {
    let base = "def test_both():\n    assert f() == 1\n    assert g() == 2\n\ndef test_whole():\n    assert h() == 3\n";
    let more = "\ndef test_new():\n    assert i() == 4\n    assert j() == 5\n    assert k() == 6\n";
    let fewer = base.replace("    assert g() == 2\n", "");
    assert_eq!(
        changed("test_a.py", base, &format!("{fewer}{more}")),
        ["block assertions_weakened"]
    );
    let hollow = base.replace("    assert h() == 3\n", "    h()\n");
    assert_eq!(
        changed("test_a.py", base, &format!("{hollow}{more}")),
        ["block assertions_weakened"]
    );
    // A helper may assert for it.
    let helped =
        base.replace("    assert h() == 3\n", "    check_h()\n") + "\ndef check_h():\n    assert h() == 3\n";
    assert_eq!(changed("test_a.py", base, &helped), ["note assertions_weakened"]);
    // That a function went with its name is no reason to demand nothing.
    let product = [
        (
            "a.py",
            Some("def h():\n    return 3\n"),
            Some("def h2():\n    return 3\n"),
        ),
        ("test_a.py", Some(base), Some(hollow.as_str())),
    ];
    assert_eq!(found(&product), ["block assertions_weakened"]);
}

#[test]
fn tolerances_and_caught_failures() {
    table(&[
        (
            "approx",
            "test_a.py",
            "def test_one_case():\n    assert f() == pytest.approx(1.0, abs=1e-6)\n",
            "def test_one_case():\n    assert f() == pytest.approx(1.0, abs=0.5)\n",
            &["block assertions_weakened"],
        ),
        (
            "tighter",
            "test_a.py",
            "def test_one_case():\n    assert f() == pytest.approx(1.0, abs=0.5)\n",
            "def test_one_case():\n    assert f() == pytest.approx(1.0, abs=1e-6)\n",
            &[],
        ),
        (
            "digits",
            "a.test.js",
            "it('one', () => { expect(f()).toBeCloseTo(1.5, 5); });",
            "it('one', () => { expect(f()).toBeCloseTo(1.5, 1); });",
            &["block assertions_weakened"],
        ),
        (
            "places",
            "test_a.py",
            "class TestA(TestCase):\n    def test_a(self):\n        self.assertAlmostEqual(f(), 1, places=7)\n",
            "class TestA(TestCase):\n    def test_a(self):\n        self.assertAlmostEqual(f(), 1, places=1)\n",
            &["block assertions_weakened"],
        ),
        (
            "delta",
            "a_test.go",
            "func TestA(t *testing.T) {\n\tassert.InDelta(t, 1.0, f(), 0.001)\n}\n",
            "func TestA(t *testing.T) {\n\tassert.InDelta(t, 1.0, f(), 10.0)\n}\n",
            &["block assertions_weakened"],
        ),
        (
            "except",
            "test_a.py",
            "def test_one_case():\n    assert f() == 1\n",
            "def test_one_case():\n    try:\n        assert f() == 1\n    except AssertionError:\n        pass\n",
            &["block errors_swallowed"],
        ),
        (
            "catch",
            "a.test.js",
            "it('one', () => { expect(f()).toBe(1); });",
            "it('one', () => { try { expect(f()).toBe(1); } catch (e) {} });",
            &["block errors_swallowed"],
        ),
        (
            "java",
            "ATest.java",
            "class ATest { @Test void a() { assertEquals(1, f()); } }",
            "class ATest { @Test void a() { try { assertEquals(1, f()); } catch (AssertionError e) { } } }",
            &["block errors_swallowed"],
        ),
        (
            "rescue",
            "a_test.rb",
            "def test_one\n  assert_equal 1, f\nend\n",
            "def test_one\n  assert_equal 1, f\nrescue\nend\n",
            &["block errors_swallowed"],
        ),
        (
            "unwind",
            "tests/a.rs",
            "#[test]\nfn one() { assert_eq!(f(), 1); }",
            "#[test]\nfn one() { let _ = std::panic::catch_unwind(|| { assert_eq!(f(), 1); }); }",
            &["block errors_swallowed"],
        ),
        (
            "a catch that asserts",
            "a.test.js",
            "it('one', () => { expect(f()).toBe(1); });",
            "it('one', () => { try { f(); } catch (e) { expect(e.code).toBe(1); } });",
            &[],
        ),
        (
            "another expectation",
            "test_a.py",
            "def test_one_case():\n    assert f() == 1\n",
            "def test_one_case():\n    assert f() == 2\n",
            &[],
        ),
    ]);
}

#[test]
fn a_finding_says_where_and_how_many() {
    let base = "#[test]\nfn alpha() { assert_eq!(f(), 1); }\n#[test]\nfn beta_case() { assert_eq!(g(), 22); }\n#[test]\nfn gamma() { assert!(h(33)); }\n";
    let now = "#[test]\nfn alpha() { assert_eq!(f(), 1); }\n";
    let findings = findings(&[("tests/a.rs", Some(base), Some(now))]);
    let [finding] = findings.as_slice() else {
        panic!("{findings:?}")
    };
    assert_eq!(finding.words, "2 tests of tests/a.rs are gone: beta_case, gamma");
    let skipped = base.replace("#[test]\nfn gamma", "#[test]\n#[ignore]\nfn gamma");
    let findings = super::findings(&[("tests/a.rs", Some(base), Some(&skipped))]);
    assert_eq!(
        (findings[0].line, findings[0].path.as_str()),
        (Some(7), "tests/a.rs")
    );
}

fn pair<'a>(base: &'a Summary, now: Option<&'a Summary>) -> CheckPair<'a> {
    CheckPair {
        name: "test",
        base: Some(base),
        now,
        ended_well: true,
        always_tells: true,
        folder: "",
    }
}

#[test]
fn what_runners_printed() {
    let summary = |passed, skipped| Summary {
        runner: "pytest".into(),
        passed: Some(passed),
        failed: Some(0),
        skipped: Some(skipped),
        ..Summary::default()
    };
    let told = |pair: CheckPair<'_>| {
        let found = judge(&Change {
            checks: &[pair],
            ..Change::default()
        });
        found.into_iter().map(|f| f.words).collect::<Vec<_>>()
    };
    let judged = |base: &Summary, now: &Summary, files: &[FileChange<'_>]| {
        let checks = [pair(base, Some(now))];
        let found = judge(&Change {
            files,
            checks: &checks,
            ..Change::default()
        });
        found.into_iter().map(|f| f.words).collect::<Vec<_>>()
    };
    assert_eq!(
        judged(&summary(12, 0), &summary(9, 3), &[]),
        ["the check `test` ran 12 tests at the base and 9 now; 3 were left out"]
    );
    assert_eq!(judged(&summary(12, 0), &summary(12, 5), &[]), [""; 0]);
    let cut = Summary {
        cut: true,
        ..summary(3, 0)
    };
    // The number was known, and is not told any more.
    let untold = "the check `test` ran 12 tests at the base, and does not tell now how many it ran";
    let (base, bare, none) = (summary(12, 0), Summary::default(), summary(0, 0));
    assert_eq!(told(pair(&base, None)), [untold]);
    assert_eq!(told(pair(&base, Some(&bare))), [untold]);
    let failed = Summary {
        failed: Some(2),
        ..summary(10, 0)
    };
    assert_eq!(told(pair(&failed, None)), [untold]);
    // It may count only where something failed; it failed now; or it told none at the base.
    let counts_failures = CheckPair {
        always_tells: false,
        ..pair(&failed, None)
    };
    assert_eq!(told(counts_failures), [""; 0]);
    let fails_now = CheckPair {
        ended_well: false,
        ..pair(&base, None)
    };
    assert_eq!(told(fails_now), [""; 0]);
    assert_eq!(told(pair(&bare, None)), [""; 0]);
    assert_eq!(told(pair(&none, None)), [""; 0]);
    assert_eq!(told(pair(&base, Some(&cut))), [""; 0]);
    assert_eq!(judged(&summary(12, 0), &cut, &[]), [""; 0]);
    // Two tests went with their file: that is why fewer ran.
    let files = [
        FileChange {
            path: "shapes.py",
            base: Some(PRODUCT),
            now: None,
        },
        FileChange {
            path: "tests/test_shapes.py",
            base: Some(TESTS),
            now: None,
        },
    ];
    assert_eq!(judged(&summary(12, 0), &summary(10, 0), &files), [""; 0]);
    assert_eq!(judged(&summary(12, 0), &summary(9, 0), &files).len(), 1);
}

#[test]
fn a_policy_that_asks_for_less() {
    let policy = ["`verification` lacks `cargo test`".to_owned()];
    let found = judge(&Change {
        policy: &policy,
        ..Change::default()
    });
    assert_eq!(
        (found.len(), found[0].kind, found[0].severity),
        (1, Kind::PolicyChanged, Severity::Block)
    );
}

#[test]
fn a_module_that_stands_in_the_place_of_the_runner() {
    let judged = |files: &[File<'_>], folder: &str| {
        let files: Vec<FileChange<'_>> = files
            .iter()
            .map(|(path, base, now)| FileChange {
                path,
                base: *base,
                now: *now,
            })
            .collect();
        let check = CheckPair {
            name: "test",
            base: None,
            now: None,
            ended_well: true,
            always_tells: false,
            folder,
        };
        let found = judge(&Change {
            files: &files,
            checks: &[check],
            ..Change::default()
        });
        found
            .into_iter()
            .filter(|f| f.kind == Kind::RunnerShadowed)
            .map(|f| f.words)
            .collect::<Vec<_>>()
    };
    let new = |path| [(path, None, Some(""))];
    assert_eq!(
        judged(&new("unittest/__init__.py"), ""),
        ["unittest/__init__.py is new, and Python finds it before the `unittest` that runs tests"]
    );
    for (path, folder) in [
        ("unittest.py", ""),
        ("pytest.py", "."),
        ("_pytest/__init__.py", "sub"),
        ("sub/pytest/__init__.py", "sub"),
        ("sub/unittest.py", "sub/"),
    ] {
        assert_eq!(judged(&new(path), folder).len(), 1, "{path} in {folder}");
    }
    for (path, folder) in [
        ("sub/pytest.py", ""),
        ("sub/unittest.py", "other"),
        // C++ calls its folders so, too; and a folder that is no package is not found first.
        ("unittest/main.cpp", ""),
        ("unittest/test_a.py", ""),
        ("tests/unittest/__init__.py", ""),
        ("unittests.py", ""),
        ("pytest.ini", ""),
    ] {
        assert_eq!(judged(&new(path), folder), [""; 0], "{path} in {folder}");
    }
    // It was there.
    assert_eq!(judged(&[("unittest.py", Some("a"), Some("b"))], ""), [""; 0]);
    let moved = [
        ("unittest.py", Some("a"), None),
        ("unittest/__init__.py", None, Some("a")),
    ];
    assert_eq!(judged(&moved, ""), [""; 0]);
}
