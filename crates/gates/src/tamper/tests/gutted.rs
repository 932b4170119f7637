//! Tests that are still there and run, and can hardly fail: what they compare, and what of them is reached.

use super::*;

const WEAK: &[&str] = &["block assertions_weakened"];
const QUIET: &[&str] = &[];

/// A language: a file of tests, and what stands before, between and behind two tests of it.
struct Form {
    path: &'static str,
    /// `{}` is the second test's body; each of its lines is moved in by `lead`.
    text: &'static str,
    lead: &'static str,
    /// What the second test does at the base.
    body: &'static str,
}

const UNITTEST: Form = Form {
    path: "test_calc.py",
    text: "import unittest\nfrom calc import area\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(area(12, 30), 360)\n\n    def test_b(self):\n{}",
    lead: "        ",
    body: "self.assertEqual(area(25, 17), 425)",
};

const PYTEST: Form = Form {
    path: "tests/test_calc.py",
    text: "from calc import area\n\ndef test_a():\n    assert area(12, 30) == 360\n\ndef test_b():\n{}",
    lead: "    ",
    body: "assert area(25, 17) == 425",
};

const NODE: Form = Form {
    path: "area.test.js",
    text: "const test = require('node:test');\nconst assert = require('node:assert');\nconst { area } = require('./area.js');\ntest('a', () => {\n  assert.strictEqual(area(12, 30), 360);\n});\ntest('b', () => {\n{}});\n",
    lead: "  ",
    body: "assert.strictEqual(area(25, 17), 425);",
};

const VITEST: Form = Form {
    path: "src/area.test.ts",
    text: "import { expect, test } from 'vitest'\nimport { area } from './area'\n\ntest('a', () => {\n  expect(area(12, 30)).toBe(360)\n})\n\ntest('b', () => {\n{}})\n",
    lead: "  ",
    body: "expect(area(25, 17)).toBe(425)",
};

const RUST: Form = Form {
    path: "tests/area.rs",
    text: "use calc::area;\n\n#[test]\nfn a() {\n    assert_eq!(area(12, 30), 360);\n}\n\n#[test]\nfn b() {\n{}}\n",
    lead: "    ",
    body: "assert_eq!(area(25, 17), 425);",
};

const GO: Form = Form {
    path: "area_test.go",
    text: "package calc\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tif got := Area(12, 30); got != 360 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n\nfunc TestB(t *testing.T) {\n{}}\n",
    lead: "\t",
    body: "if got := Area(25, 17); got != 425 {\n\tt.Errorf(\"got %d\", got)\n}",
};

const TESTIFY: Form = Form {
    path: "area_test.go",
    text: "package calc\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 360, Area(12, 30))\n}\n\nfunc TestB(t *testing.T) {\n{}}\n",
    lead: "\t",
    body: "assert.Equal(t, 425, Area(25, 17))",
};

impl Form {
    fn with(&self, body: &str) -> String {
        let lines = body.lines().map(|line| format!("{}{line}\n", self.lead));
        self.text.replace("{}", &lines.collect::<String>())
    }
}

/// The second test, with this body in the place of its own, and with `before` at the base.
fn cases(cases: &[(&Form, Option<&str>, &str, &[&str])]) {
    let mut wrong = Vec::new();
    for (form, before, now, expected) in cases {
        let base = form.with(before.unwrap_or(form.body));
        let now = form.with(now);
        let seen = changed(form.path, &base, &now);
        if seen != *expected {
            let told = findings(&[(form.path, Some(&base), Some(&now))]);
            wrong.push(format!("{}:\n{now}\n{expected:?} is not {told:#?}", form.path));
        }
        // What stood there before, or is new as a whole, is no finding.
        let quiet =
            changed(form.path, &now, &now).is_empty() && found(&[(form.path, None, Some(&now))]).is_empty();
        if !quiet {
            wrong.push(format!("{}, as at the base or new:\n{now}", form.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_same_on_both_sides() {
    cases(&[
        (
            &UNITTEST,
            None,
            "self.assertEqual(area(25, 17), area(25, 17))",
            WEAK,
        ),
        (
            &UNITTEST,
            None,
            "self.assertTrue(area(25, 17) == area(25, 17))",
            WEAK,
        ),
        (
            &UNITTEST,
            None,
            "want = area(25, 17)\nself.assertEqual(area(25, 17), want)",
            WEAK,
        ),
        (
            &PYTEST,
            None,
            "assert area(25, 17) == area(25, 17), \"the same\"",
            WEAK,
        ),
        (&PYTEST, None, "assert (area(25, 17) == area(25, 17))", WEAK),
        (&PYTEST, None, "got = area(25, 17)\nassert got == got", WEAK),
        (
            &PYTEST,
            None,
            "got = area(25, 17)\nwant = area(25, 17)\nassert got == want",
            WEAK,
        ),
        (
            &NODE,
            None,
            "assert.strictEqual(area(25, 17), area(25, 17));",
            WEAK,
        ),
        (
            &NODE,
            None,
            "const want = area(25, 17);\nassert.equal(area(25, 17), want);",
            WEAK,
        ),
        (&NODE, None, "assert(area(25, 17) === area(25, 17));", WEAK),
        (&VITEST, None, "expect(area(25, 17)).toEqual(area(25, 17))", WEAK),
        (
            &VITEST,
            None,
            "expect(area(25, 17) === area(25, 17)).toBe(true)",
            WEAK,
        ),
        (&RUST, None, "assert_eq!(area(25, 17), area(25, 17));", WEAK),
        (&RUST, None, "assert!(area(25, 17) == area(25, 17));", WEAK),
        (
            &RUST,
            None,
            "let want = area(25, 17);\nassert_eq!(area(25, 17), want, \"{want}\");",
            WEAK,
        ),
        (
            &GO,
            None,
            "if got := Area(25, 17); got != Area(25, 17) {\n\tt.Errorf(\"got %d\", got)\n}",
            WEAK,
        ),
        (
            &GO,
            None,
            "want := Area(25, 17)\nif Area(25, 17) != want {\n\tt.Fatal(want)\n}",
            WEAK,
        ),
        (
            &TESTIFY,
            None,
            "assert.Equal(t, Area(25, 17), Area(25, 17))",
            WEAK,
        ),
        // Beside what was asserted: that a call answers twice the same, that things are equal to themselves.
        (
            &UNITTEST,
            None,
            "self.assertEqual(area(25, 17), 425)\nself.assertEqual(area(25, 17), area(25, 17))",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "assert area(25, 17) == 425\nx = float(\"nan\")\nassert x != x",
            QUIET,
        ),
        (
            &NODE,
            None,
            "assert.strictEqual(area(25, 17), 425);\nassert.strictEqual(area(25, 17), area(25, 17));",
            QUIET,
        ),
        (
            &RUST,
            None,
            "assert_eq!(area(25, 17), 425);\nassert_eq!(area(25, 17), area(25, 17));",
            QUIET,
        ),
        (
            &TESTIFY,
            None,
            "assert.Equal(t, 425, Area(25, 17))\nassert.Equal(t, Area(25, 17), Area(25, 17))",
            QUIET,
        ),
        // What differs each time, and what others changed meanwhile.
        (
            &UNITTEST,
            None,
            "self.assertNotEqual(area(25, 17), area(25, 17))",
            QUIET,
        ),
        (&PYTEST, None, "assert area(25, 17) == area(17, 25)", QUIET),
        (
            &PYTEST,
            Some("before = area(25, 17)\nassert before == 425"),
            "before = area(25, 17)\nspoil()\nassert area(25, 17) == before",
            QUIET,
        ),
        (
            &NODE,
            None,
            "assert.notStrictEqual(area(25, 17), area(25, 17));",
            QUIET,
        ),
        (
            &VITEST,
            None,
            "expect(area(25, 17)).not.toBe(area(25, 17))",
            &["block assertions_weakened"],
        ),
        (&RUST, None, "assert_ne!(area(25, 17), area(25, 17));", QUIET),
        (&RUST, None, "assert_eq!(area(25, 17), area(17, 25));", QUIET),
        // A test of equality stays one, in another form.
        (
            &PYTEST,
            Some("a = area(25, 17)\nb = area(25, 17)\nassert a == b"),
            "assert area(25, 17) == area(25, 17)",
            QUIET,
        ),
        (
            &UNITTEST,
            Some("self.assertEqual(area(25, 17), area(25, 17))"),
            "first = area(25, 17)\nsecond = area(25, 17)\nself.assertEqual(first, second)",
            QUIET,
        ),
        (
            &NODE,
            Some("assert.deepEqual(area(1), area(1));"),
            "assert.deepEqual(area(2), area(2));",
            QUIET,
        ),
    ]);
}

#[test]
fn what_is_never_reached() {
    cases(&[
        (
            &UNITTEST,
            None,
            "if False:\n    self.assertEqual(area(25, 17), 425)",
            WEAK,
        ),
        (
            &UNITTEST,
            None,
            "for _ in []:\n    self.assertEqual(area(25, 17), 425)",
            WEAK,
        ),
        (
            &UNITTEST,
            None,
            "lambda: self.assertEqual(area(25, 17), 425)",
            WEAK,
        ),
        (
            &UNITTEST,
            None,
            "if area(25, 17) == 425:\n    self.assertEqual(area(25, 17), 425)",
            WEAK,
        ),
        (
            &UNITTEST,
            None,
            "got = area(25, 17)\nreturn\nself.assertEqual(got, 425)",
            WEAK,
        ),
        (&PYTEST, None, "while 0:\n    assert area(25, 17) == 425", WEAK),
        (
            &PYTEST,
            None,
            "if not True and ready():\n    assert area(25, 17) == 425",
            WEAK,
        ),
        (
            &PYTEST,
            None,
            "if 1:\n    pass\nelse:\n    assert area(25, 17) == 425",
            WEAK,
        ),
        (&PYTEST, None, "if \"\": assert area(25, 17) == 425", WEAK),
        (
            &PYTEST,
            None,
            "ready = False\nif ready:\n    assert area(25, 17) == 425",
            WEAK,
        ),
        (
            &PYTEST,
            None,
            "for a, b in zip([], area(1, 1)):\n    assert area(25, 17) == 425",
            WEAK,
        ),
        (
            &PYTEST,
            None,
            "for n in range(0):\n    assert area(25, 17) == 425",
            WEAK,
        ),
        (
            &PYTEST,
            None,
            "cases = []\nfor want in cases:\n    assert area(25, 17) == 425",
            WEAK,
        ),
        (
            &PYTEST,
            None,
            "def check():\n    assert area(25, 17) == 425",
            WEAK,
        ),
        (
            &PYTEST,
            None,
            "for n in (1, 2):\n    continue\n    assert area(25, 17) == 425",
            WEAK,
        ),
        (
            &NODE,
            None,
            "if (false) assert.strictEqual(area(25, 17), 425);",
            WEAK,
        ),
        (
            &NODE,
            None,
            "if (0) {\n  assert.strictEqual(area(25, 17), 425);\n}",
            WEAK,
        ),
        (&NODE, None, "() => assert.strictEqual(area(25, 17), 425);", WEAK),
        (
            &NODE,
            None,
            "const check = () => { assert.strictEqual(area(25, 17), 425); };",
            WEAK,
        ),
        (
            &NODE,
            None,
            "function check() {\n  assert.strictEqual(area(25, 17), 425);\n}",
            WEAK,
        ),
        (
            &NODE,
            None,
            "for (const n of []) assert.strictEqual(area(25, 17), 425);",
            WEAK,
        ),
        (
            &NODE,
            None,
            "for (let i = 0; i < 0; i++) {\n  assert.strictEqual(area(25, 17), 425);\n}",
            WEAK,
        ),
        (
            &NODE,
            None,
            "[].forEach(() => { assert.strictEqual(area(25, 17), 425); });",
            WEAK,
        ),
        (
            &NODE,
            None,
            "if (area(25, 17) === 425) {\n  assert.strictEqual(area(25, 17), 425);\n}",
            WEAK,
        ),
        (
            &VITEST,
            None,
            "const cases: number[] = []\nfor (const n of cases) {\n  expect(area(25, 17)).toBe(425)\n}",
            WEAK,
        ),
        (
            &VITEST,
            None,
            "const got = area(25, 17)\nif (got) {\n  return\n  expect(got).toBe(425)\n}",
            WEAK,
        ),
        (
            &RUST,
            None,
            "if false {\n    assert_eq!(area(25, 17), 425);\n}",
            WEAK,
        ),
        (
            &RUST,
            None,
            "for _ in 0..0 {\n    assert_eq!(area(25, 17), 425);\n}",
            WEAK,
        ),
        (
            &RUST,
            None,
            "for _ in Vec::<u8>::new() {\n    assert_eq!(area(25, 17), 425);\n}",
            WEAK,
        ),
        (&RUST, None, "let _ = || assert_eq!(area(25, 17), 425);", WEAK),
        (
            &RUST,
            None,
            "fn check() {\n    assert_eq!(area(25, 17), 425);\n}",
            WEAK,
        ),
        (
            &RUST,
            None,
            "let got = area(25, 17);\nreturn;\nassert_eq!(got, 425);",
            WEAK,
        ),
        (
            &GO,
            None,
            "if false {\n\tif got := Area(25, 17); got != 425 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}",
            WEAK,
        ),
        (
            &GO,
            None,
            "for range []int{} {\n\tif got := Area(25, 17); got != 425 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}",
            WEAK,
        ),
        (
            &GO,
            None,
            "_ = func() {\n\tif got := Area(25, 17); got != 425 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}",
            WEAK,
        ),
        (
            &TESTIFY,
            None,
            "for i := 0; i < 0; i++ {\n\tassert.Equal(t, 425, Area(25, 17))\n}",
            WEAK,
        ),
        // Loops that are entered, functions that are called, conditions that may be met.
        (
            &PYTEST,
            None,
            "for n in [425]:\n    assert area(25, 17) == n",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "for want in range(425, 426):\n    assert area(25, 17) == want",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "cases = []\ncases.append(425)\nfor want in cases:\n    assert area(25, 17) == want",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "def check():\n    assert area(25, 17) == 425\n\ncheck()",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "@given(n)\ndef check(n):\n    assert area(25, 17) == 425",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "run(\n    then=lambda: check(area(25, 17) == 425),\n)\nassert area(25, 17) == 425",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "class Plugin:\n    def finish(self):\n        assert area(25, 17) == 425\n\nrun(Plugin())",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "if not True or area(1, 1):\n    assert area(25, 17) == 425",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "while True:\n    assert area(25, 17) == 425\n    break",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "if area(1, 1) == 1:\n    assert area(25, 17) == 425",
            QUIET,
        ),
        (
            &PYTEST,
            None,
            "if area(1, 1):\n    assert area(25, 17) == 425\n    return\nassert area(25, 17) == 424",
            QUIET,
        ),
        (
            &UNITTEST,
            None,
            "with self.subTest():\n    self.assertEqual(area(25, 17), 425)",
            QUIET,
        ),
        (
            &NODE,
            None,
            "const check = () => { assert.strictEqual(area(25, 17), 425); };\ncheck();",
            QUIET,
        ),
        (
            &NODE,
            None,
            "(() => { assert.strictEqual(area(25, 17), 425); })();",
            QUIET,
        ),
        (
            &NODE,
            None,
            "[[25, 17]].forEach(([a, b]) => { assert.strictEqual(area(25, 17), 425); });",
            QUIET,
        ),
        (
            &NODE,
            None,
            "for (let i = 0; i < 1; i++) assert.strictEqual(area(25, 17), 425);",
            QUIET,
        ),
        (
            &NODE,
            None,
            "switch (area(1, 1)) {\n  case 1:\n    break;\n  default:\n    assert.strictEqual(area(25, 17), 425);\n}",
            QUIET,
        ),
        (
            &NODE,
            None,
            "if (area(1, 1) === 2) return;\nassert.strictEqual(area(25, 17), 425);",
            QUIET,
        ),
        (
            &NODE,
            None,
            "return load(() => {\n  assert.strictEqual(area(25, 17), 425);\n});",
            QUIET,
        ),
        (
            &VITEST,
            None,
            "const rows: number[] = []\nrows.push(425)\nfor (const n of rows) {\n  expect(area(25, 17)).toBe(n)\n}",
            QUIET,
        ),
        (
            &RUST,
            None,
            "for n in [425] {\n    assert_eq!(area(25, 17), n);\n}",
            QUIET,
        ),
        (
            &RUST,
            None,
            "for n in 0..1 {\n    assert_eq!(area(25, 17), 425 + n);\n}",
            QUIET,
        ),
        (
            &RUST,
            None,
            "let check = |n| assert_eq!(area(25, 17), n);\ncheck(425);",
            QUIET,
        ),
        (
            &RUST,
            None,
            "match area(25, 17) {\n    Some { .. }\n    | None { .. } => assert_eq!(area(25, 17), 425),\n}",
            QUIET,
        ),
        (
            &RUST,
            None,
            "let Some(got) = area(25, 17) else { return };\nassert_eq!(got, 425);",
            QUIET,
        ),
        (
            &GO,
            None,
            "for range []int{1} {\n\tif got := Area(25, 17); got != 425 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}",
            QUIET,
        ),
        (
            &GO,
            None,
            "t.Run(\"b\", func(t *testing.T) {\n\tif got := Area(25, 17); got != 425 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n})",
            QUIET,
        ),
        (
            &GO,
            None,
            "func() {\n\tif got := Area(25, 17); got != 425 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}()",
            QUIET,
        ),
    ]);
    // A function that tests call, with a switch that its callers turn.
    let helper = |head: &str| format!("{head}\n\ndef test_a():\n    check(1, strict=True)\n");
    let base = helper("def check(a, strict):\n    if strict:\n        assert f(a) == 1");
    let now = helper("def check(a, strict=False):\n    if strict:\n        assert f(a) == 1");
    assert_eq!(changed("test_a.py", &base, &now), QUIET);
    let never = helper("def check(a, strict):\n    if False:\n        assert f(a) == 1");
    assert_eq!(changed("test_a.py", &base, &never), WEAK);
    let words = findings(&[("test_a.py", Some(&base), Some(&never))]);
    assert!(
        words[0]
            .words
            .ends_with("has 1 assertion that is never reached where it had one that could fail"),
        "{words:?}"
    );
}
