//! Assertions in the place of ones that could fail: what they decide, whether they come to anything, and their honest neighbours.

use super::*;

const WEAK: &[&str] = &["block assertions_weakened"];
const SWALLOWED: &[&str] = &["block errors_swallowed"];
const QUIET: &[&str] = &[];

/// A file of tests whose second test is `{}`, and what that is at the base.
struct Form {
    path: &'static str,
    text: &'static str,
    lead: &'static str,
    body: &'static str,
}

const UNITTEST: Form = Form {
    path: "test_calc.py",
    text: "import unittest\nfrom calc import add\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(add(1, 2), 3)\n\n    def test_b(self):\n{}",
    lead: "        ",
    body: "self.assertEqual(add(20, 22), 42)",
};

const PYTEST: Form = Form {
    path: "tests/test_calc.py",
    text: "from calc import add\n\ndef test_a():\n    assert add(1, 2) == 3\n\ndef test_b():\n{}",
    lead: "    ",
    body: "assert add(20, 22) == 42",
};

const VITEST: Form = Form {
    path: "src/calc.test.ts",
    text: "import { expect, test } from 'vitest'\nimport { add } from './calc'\n\ntest('a', () => {\n  expect(add(1, 2)).toBe(3)\n})\n\ntest('b', async () => {\n{}})\n",
    lead: "  ",
    body: "expect(add(20, 22)).toBe(42)",
};

const RUST: Form = Form {
    path: "tests/calc.rs",
    text: "use calc::add;\n\n#[test]\nfn a() {\n    assert_eq!(add(1, 2), 3);\n}\n\n#[test]\nfn b() {\n{}}\n",
    lead: "    ",
    body: "assert_eq!(add(20, 22), 42);",
};

const GO: Form = Form {
    path: "calc_test.go",
    text: "package calc\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n\nfunc TestB(t *testing.T) {\n{}}\n",
    lead: "\t",
    body: "if got := Add(20, 22); got != 42 {\n\tt.Errorf(\"got %d\", got)\n}",
};

/// Each body in the place of the second test's own.
fn cases(cases: &[(&Form, &str, &[&str])]) {
    let mut wrong = Vec::new();
    for (form, now, expected) in cases {
        let with = |body: &str| {
            let lines = body.lines().map(|line| format!("{}{line}\n", form.lead));
            form.text.replace("{}", &lines.collect::<String>())
        };
        let (base, now) = (with(form.body), with(now));
        let seen = changed(form.path, &base, &now);
        if seen != *expected {
            let told = findings(&[(form.path, Some(&base), Some(&now))]);
            wrong.push(format!("{}:\n{now}\n{expected:?} is not {told:#?}", form.path));
        }
        // What stood there before, or is new as a whole, is no finding.
        if !changed(form.path, &now, &now).is_empty() {
            wrong.push(format!("{}, as at the base:\n{now}", form.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn conditions_that_always_hold() {
    cases(&[
        (&UNITTEST, "assert (add(20, 22) == 42, \"sum\")", WEAK),
        (&PYTEST, "assert (add(20, 22) == 42,)", WEAK),
        (&PYTEST, "assert add(20, 22) == 42 if False else True", WEAK),
        (&PYTEST, "assert lambda: add(20, 22) == 42", WEAK),
        (&PYTEST, "assert (lambda: add(20, 22) == 42)", WEAK),
        (
            &UNITTEST,
            "self.assertGreaterEqual(len(str(add(20, 22))), 0)",
            WEAK,
        ),
        (&PYTEST, "assert len(str(add(20, 22))) >= 0", WEAK),
        (
            &UNITTEST,
            "self.assertTrue((add(20, 22) == 42) in (True, False))",
            WEAK,
        ),
        (&PYTEST, "assert add(20, 22) == 42 or add(20, 22) != 42", WEAK),
        (&UNITTEST, "self.assertEqual(add(20, 22) * 0, 0)", WEAK),
        (&UNITTEST, "self.assertEqual(add(20, 22) % 1, 0)", WEAK),
        (&VITEST, "expect(() => add(20, 22) === 42).toBeTruthy()", WEAK),
        (&RUST, "assert!(add(20, 22) == 42 || add(20, 22) != 42);", WEAK),
        // The condition in brackets, and what is said then; another comparison; a tuple that is compared.
        (&UNITTEST, "assert (add(20, 22) == 42), \"sum\"", QUIET),
        (&PYTEST, "assert (\n    add(20, 22) == 42\n), \"sum\"", QUIET),
        (&PYTEST, "assert (add(20, 22), 1) == (42, 1)", QUIET),
        (&PYTEST, "assert add(20, 22) == (42 if True else 43)", QUIET),
        (&UNITTEST, "self.assertEqual(len(str(add(20, 22))), 2)", QUIET),
        (&VITEST, "expect([add(20, 22), 1]).toEqual([42, 1])", QUIET),
        (&RUST, "assert!(add(20, 22) == 42, \"sum\");", QUIET),
    ]);
}

#[test]
fn expectations_that_everything_meets() {
    cases(&[
        (&UNITTEST, "self.assertEqual(add(20, 22), mock.ANY)", WEAK),
        (&PYTEST, "assert add(20, 22) == ANY", WEAK),
        (
            &UNITTEST,
            "self.assertEqual(add(20, 22), __import__(\"unittest.mock\").mock.ANY)",
            WEAK,
        ),
        (
            &UNITTEST,
            "self.assertEqual([add(20, 22), 1], [42, mock.ANY])",
            QUIET,
        ),
        (
            &UNITTEST,
            "self.assertAlmostEqual(add(20, 22), 42, delta=1e9)",
            WEAK,
        ),
        (
            &UNITTEST,
            "self.assertLessEqual(abs(add(20, 22) - 42), 1e9)",
            WEAK,
        ),
        (&PYTEST, "assert abs(add(20, 22) - 42) < 1_000_000", WEAK),
        (&PYTEST, "assert add(20, 22) == pytest.approx(42, rel=2)", WEAK),
        (&VITEST, "expect(add(20, 22)).toEqual(expect.anything())", WEAK),
        (&VITEST, "expect(add(20, 22)).toEqual(expect.any(Number))", WEAK),
        (&VITEST, "expect(typeof add(20, 22)).toBe('number')", WEAK),
        (&UNITTEST, "self.assertEqual(type(add(20, 22)), int)", WEAK),
        (&VITEST, "expect((add(20, 22), 42)).toBe(42)", WEAK),
        (&VITEST, "expect(add(20, 22) && 42).toBe(42)", WEAK),
        (&VITEST, "expect(add(20, 22) === 42 || 42).toBe(42)", WEAK),
        (&VITEST, "expect(add(20, 22)).toMatchInlineSnapshot()", WEAK),
        // Called never.
        (&VITEST, "expect(add(20, 22)).toBe;", WEAK),
        (&VITEST, "expect(add(20, 22));", WEAK),
        // A tolerance that excludes most, a part of a whole that may be anything, a snapshot that stands there.
        (
            &UNITTEST,
            "self.assertAlmostEqual(add(20, 22), 42, delta=0.01)",
            QUIET,
        ),
        (
            &UNITTEST,
            "self.assertAlmostEqual(add(20, 22), 42, places=0)",
            QUIET,
        ),
        (
            &PYTEST,
            "assert add(20, 22) == pytest.approx(42, rel=1e-6)",
            QUIET,
        ),
        (
            &VITEST,
            "expect({ n: add(20, 22), at: 1 }).toEqual({ n: 42, at: expect.any(Number) })",
            QUIET,
        ),
        (&VITEST, "expect(add(20, 22)).toMatchInlineSnapshot(`42`)", QUIET),
        (&VITEST, "expect(add(20, 22) || 7).toBe(42)", QUIET),
    ]);
}

#[test]
fn assertions_that_are_cut_off_or_not_heard() {
    cases(&[
        (&UNITTEST, "True or self.assertEqual(add(20, 22), 42)", WEAK),
        (&UNITTEST, "False and self.assertEqual(add(20, 22), 42)", WEAK),
        (
            &UNITTEST,
            "self.assertEqual(add(20, 22), 42) if False else None",
            WEAK,
        ),
        (
            &UNITTEST,
            "threading.Thread(target=lambda: self.assertEqual(add(20, 22), 42)).start()",
            WEAK,
        ),
        (
            &UNITTEST,
            "(self.assertEqual(add(20, 22), n) for n in [42])",
            WEAK,
        ),
        (
            &UNITTEST,
            "async def go():\n    self.assertEqual(add(20, 22), 42)\ngo()",
            WEAK,
        ),
        (&VITEST, "false && expect(add(20, 22)).toBe(42)", WEAK),
        (&VITEST, "null?.x(expect(add(20, 22)).toBe(42))", WEAK),
        (
            &VITEST,
            "expect(Promise.resolve(add(20, 22))).resolves.toBe(42)",
            WEAK,
        ),
        (
            &VITEST,
            "setTimeout(() => expect(add(20, 22)).toBe(42), 10000)",
            WEAK,
        ),
        (
            &RUST,
            "let _ = std::thread::spawn(|| assert_eq!(add(20, 22), 42)).join();",
            WEAK,
        ),
        (
            &GO,
            "if got := Add(20, 22); got != 42 {\n\tgo t.Errorf(\"got %d\", got)\n}",
            WEAK,
        ),
        (
            &GO,
            "if testing.Short() || true {\n\treturn\n}\nif got := Add(20, 22); got != 42 {\n\tt.Errorf(\"got %d\", got)\n}",
            WEAK,
        ),
        // What may be true, what is waited for, what is heard.
        (&UNITTEST, "ready() or self.assertEqual(add(20, 22), 42)", QUIET),
        (
            &UNITTEST,
            "for n in [42]: self.assertEqual(add(20, 22), n)",
            QUIET,
        ),
        (
            &PYTEST,
            "async def go():\n    assert add(20, 22) == 42\nasyncio.run(go())",
            QUIET,
        ),
        (
            &VITEST,
            "await expect(Promise.resolve(add(20, 22))).resolves.toBe(42)",
            QUIET,
        ),
        (
            &VITEST,
            "return expect(Promise.resolve(add(20, 22))).resolves.toBe(42)",
            QUIET,
        ),
        (
            &VITEST,
            "await new Promise(resolve => setTimeout(() => { expect(add(20, 22)).toBe(42); resolve() }, 1))",
            QUIET,
        ),
        (
            &RUST,
            "std::thread::spawn(|| assert_eq!(add(20, 22), 42)).join().unwrap();",
            QUIET,
        ),
        (
            &GO,
            "if testing.Short() {\n\treturn\n}\nif got := Add(20, 22); got != 42 {\n\tt.Errorf(\"got %d\", got)\n}",
            QUIET,
        ),
    ]);
}

#[test]
fn failures_that_something_around_takes() {
    cases(&[
        (
            &UNITTEST,
            "with self.assertRaises(Exception): self.assertEqual(add(20, 22), 42)",
            WEAK,
        ),
        (
            &UNITTEST,
            "with self.assertRaises(AssertionError):\n    self.assertEqual(add(20, 22), 42)",
            WEAK,
        ),
        (
            &PYTEST,
            "with pytest.raises(Exception):\n    assert add(20, 22) == 42",
            WEAK,
        ),
        (
            &UNITTEST,
            "try:\n    self.assertEqual(add(20, 22), 42)\nexcept BaseException as e:\n    print(e)",
            SWALLOWED,
        ),
        (
            &UNITTEST,
            "try:\n    self.assertEqual(add(20, 22), 42)\nfinally:\n    return",
            SWALLOWED,
        ),
        (
            &VITEST,
            "try { expect(add(20, 22)).toBe(42) } catch (e) { console.log(e) }",
            SWALLOWED,
        ),
        (
            &VITEST,
            "try {\n  expect(add(20, 22)).toBe(42)\n} finally {\n  return\n}",
            SWALLOWED,
        ),
        // A failure that is asked for, one that is handed on, one that is kept, and tidying up.
        (
            &UNITTEST,
            "with self.assertRaises(ValueError):\n    add(20, None)\nself.assertEqual(add(20, 22), 42)",
            QUIET,
        ),
        (
            &UNITTEST,
            "with self.assertRaises(Exception):\n    add(20, None)\nself.assertEqual(add(20, 22), 42)",
            QUIET,
        ),
        (
            &PYTEST,
            "with pytest.raises(AssertionError):\n    assert_frames_equal(add(20, 22), 42)",
            QUIET,
        ),
        (
            &UNITTEST,
            "try:\n    self.assertEqual(add(20, 22), 42)\nexcept BaseException as e:\n    print(e)\n    raise",
            QUIET,
        ),
        (
            &UNITTEST,
            "try:\n    self.assertEqual(add(20, 22), 42)\nexcept Exception as e:\n    errors.append(e)",
            QUIET,
        ),
        (
            &UNITTEST,
            "try:\n    self.assertEqual(add(20, 22), 42)\nexcept KeyError as e:\n    print(e)",
            QUIET,
        ),
        (
            &UNITTEST,
            "try:\n    self.assertEqual(add(20, 22), 42)\nfinally:\n    close()",
            QUIET,
        ),
        (
            &VITEST,
            "try {\n  expect(add(20, 22)).toBe(42)\n} catch (e) {\n  console.log(e)\n  throw e\n}",
            QUIET,
        ),
    ]);
}

#[test]
fn what_runs_only_where_somebody_asks_for_it() {
    cases(&[
        (
            &UNITTEST,
            "if os.environ.get(\"FULL\"):\n    self.assertEqual(add(20, 22), 42)",
            WEAK,
        ),
        (
            &UNITTEST,
            "if not os.getenv(\"FULL\"): self.skipTest(\"slow\")\nself.assertEqual(add(20, 22), 42)",
            WEAK,
        ),
        (&RUST, "#[cfg(any())]\nassert_eq!(add(20, 22), 42);", WEAK),
        (
            &RUST,
            "if cfg!(feature = \"never\") {\n    assert_eq!(add(20, 22), 42);\n}",
            WEAK,
        ),
        (
            &RUST,
            "if std::env::var(\"FULL\").is_err() { return; }\nassert_eq!(add(20, 22), 42);",
            WEAK,
        ),
        (&RUST, "#[cfg(unix)]\nassert_eq!(add(20, 22), 42);", QUIET),
        (
            &RUST,
            "if cfg!(target_os = \"linux\") {\n    assert_eq!(add(20, 22), 42);\n}",
            QUIET,
        ),
        (
            &UNITTEST,
            "if add(1, 1):\n    self.assertEqual(add(20, 22), 42)",
            QUIET,
        ),
    ]);
    // Marks of tests and of their module.
    let file = |mark: &str, module: &str| {
        format!(
            "pub fn add(a: i32, b: i32) -> i32 {{ a + b }}\n{module}\nmod tests {{\n    use super::*;\n    #[test]\n    fn a() {{ assert_eq!(add(1, 2), 3); }}\n{mark}    #[test]\n    fn b() {{ assert_eq!(add(20, 22), 42); }}\n}}\n"
        )
    };
    let base = file("", "#[cfg(test)]");
    let skipped = &["block tests_skipped"];
    for (mark, module, expected) in [
        ("    #[cfg(feature = \"slow\")]\n", "#[cfg(test)]", &skipped[..]),
        (
            "    #[cfg_attr(not(feature = \"slow\"), ignore)]\n",
            "#[cfg(test)]",
            skipped,
        ),
        ("", "#[cfg(all(test, feature = \"slow\"))]", skipped),
        ("    #[cfg(feature = \"std\")]\n", "#[cfg(test)]", QUIET),
        ("    #[cfg(unix)]\n", "#[cfg(test)]", QUIET),
        ("    #[cfg_attr(miri, ignore)]\n", "#[cfg(test)]", QUIET),
        (
            "    #[cfg(any(unix, feature = \"slow\"))]\n",
            "#[cfg(test)]",
            QUIET,
        ),
    ] {
        assert_eq!(
            changed("src/lib.rs", &base, &file(mark, module)),
            expected,
            "{mark}{module}"
        );
    }
    // What the product is built with alone can be tested so alone.
    let both = file("    #[cfg(feature = \"json\")]\n", "#[cfg(test)]").replace(
        "pub fn add",
        "#[cfg(feature = \"json\")]\npub mod json;\npub fn add",
    );
    assert_eq!(changed("src/lib.rs", &base, &both), QUIET);
    let script = |call: &str| {
        format!(
            "import {{ expect, test }} from 'vitest'\ntest('a', () => {{\n  expect(add(1, 2)).toBe(3)\n}})\n{call} () => {{\n  expect(add(20, 22)).toBe(42)\n}})\n"
        )
    };
    let base = script("test('b',");
    for (call, expected) in [
        ("test.runIf(process.env.FULL)('b',", &["block tests_skipped"][..]),
        ("test('b', { retry: 5 },", WEAK),
        ("test('b', { timeout: 500 },", QUIET),
        ("test.runIf(isUnix)('b',", QUIET),
    ] {
        assert_eq!(changed("a.test.ts", &base, &script(call)), expected, "{call}");
    }
}

#[test]
fn a_test_within_another_function_is_none() {
    let base = "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n\n    def test_long(self):\n        self.assertEqual(f(20), 21)\n";
    let now = base.replace(
        "    def test_long(self):\n        self.assertEqual(f(20), 21)",
        "    def help(self):\n        def test_long(self):\n            self.assertEqual(f(20), 21)",
    );
    assert_eq!(changed("test_a.py", base, &now), ["block tests_unseen"]);
}
