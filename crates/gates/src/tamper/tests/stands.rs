//! What a test asserts about, and what its file puts in the place of it.

use super::*;

const WEAK: &[&str] = &["block assertions_weakened"];
const QUIET: &[&str] = &[];

/// Parts of a file with what takes their place, and what is found.
type Case<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str]);

/// A file at the base, and parts of it with others in their place.
fn replaced(path: &str, base: &str, cases: &[Case<'_>]) {
    let mut wrong = Vec::new();
    for (parts, expected) in cases {
        let mut now = base.to_owned();
        for (from, to) in *parts {
            assert!(now.contains(from), "{from}");
            now = now.replacen(from, to, 1);
        }
        if changed(path, base, &now) != *expected {
            let told = findings(&[(path, Some(base), Some(&now))]);
            wrong.push(format!("{path}:\n{now}\n{expected:?} is not {told:#?}"));
        }
        if !changed(path, &now, &now).is_empty() || !found(&[(path, None, Some(&now))]).is_empty() {
            wrong.push(format!("{path}, as at the base or new:\n{now}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_stand_in_for_what_python_tests() {
    let import = "from calc import area";
    let assert = "        self.assertEqual(area(25, 17), 425)";
    let base = "import unittest\nfrom calc import area\n\nclass T(unittest.TestCase):\n    def test_b(self):\n        self.assertEqual(area(25, 17), 425)\n";
    replaced(
        "test_calc.py",
        base,
        &[
            (&[(import, "def area(a, b):\n    return a * b")], WEAK),
            (&[(import, "area = lambda a, b: a * b")], WEAK),
            (
                &[(import, "from calc import area\narea = Mock(return_value=425)")],
                WEAK,
            ),
            (
                &[(
                    import,
                    "from calc import area\n\ndef area(a, b):\n    total = 0\n    for n in range(a):\n        total += b\n    return total\n",
                )],
                WEAK,
            ),
            (
                &[(
                    assert,
                    "        area = unittest.mock.Mock(return_value=425)\n        self.assertEqual(area(25, 17), 425)",
                )],
                WEAK,
            ),
            (
                &[(
                    assert,
                    "        def area(a, b):\n            return 425\n        got = area(25, 17)\n        self.assertEqual(got, 425)",
                )],
                WEAK,
            ),
            (
                &[(
                    "    def test_b(self)",
                    "    @patch(\"calc.area\", return_value=425)\n    def test_b(self, area)",
                )],
                WEAK,
            ),
            (
                &[(
                    assert,
                    "        with patch(__name__ + \".area\", return_value=425):\n            self.assertEqual(area(25, 17), 425)",
                )],
                QUIET,
            ),
            (
                &[(
                    assert,
                    "        with patch(\"test_calc.area\", return_value=425):\n            self.assertEqual(area(25, 17), 425)",
                )],
                WEAK,
            ),
            // A collaborator, a wrapper, a reference beside it, another name.
            (
                &[(
                    assert,
                    "        with patch(\"calc.fetch\", return_value=17):\n            self.assertEqual(area(25, 17), 425)",
                )],
                QUIET,
            ),
            (
                &[(
                    "    def test_b(self)",
                    "    @patch(\"calc.rate\", return_value=1)\n    def test_b(self, rate)",
                )],
                QUIET,
            ),
            (
                &[(
                    import,
                    "from calc import area as real\n\ndef area(a, b):\n    return real(a, b)",
                )],
                QUIET,
            ),
            (
                &[(
                    import,
                    "import calc\n\ndef area(a, b):\n    return calc.area(a, b)",
                )],
                QUIET,
            ),
            (&[(import, "import calc\narea = calc.area")], QUIET),
            (
                &[(
                    import,
                    "import subprocess\n\ndef area(a, b):\n    return int(subprocess.check_output([\"area\", a, b]))",
                )],
                QUIET,
            ),
            (
                &[(import, "from calc import area\narea = Mock(wraps=area)")],
                QUIET,
            ),
            (
                &[
                    (
                        import,
                        "from calc import area\n\ndef expected(a, b):\n    return a * b",
                    ),
                    ("425", "expected(25, 17)"),
                ],
                QUIET,
            ),
            (&[(import, "from shapes import area")], QUIET),
            (&[(import, "from calc import area\nfetch = Mock()")], QUIET),
        ],
    );
    let module = "import calc\n\ndef test_b(monkeypatch):\n    assert calc.area(25, 17) == 425\n";
    let assert = "    assert calc";
    replaced(
        "tests/test_calc.py",
        module,
        &[
            (
                &[(assert, "    calc.area = lambda a, b: a * b\n    assert calc")],
                WEAK,
            ),
            (
                &[(
                    assert,
                    "    monkeypatch.setattr(calc, \"area\", lambda a, b: 425)\n    assert calc",
                )],
                WEAK,
            ),
            (
                &[(
                    assert,
                    "    monkeypatch.setattr(\"calc.area\", lambda a, b: 425)\n    assert calc",
                )],
                WEAK,
            ),
            (
                &[(
                    "import calc\n",
                    "import calc\n\ncalc.area = Mock(return_value=425)\n",
                )],
                WEAK,
            ),
            (
                &[(
                    "def test_b(monkeypatch)",
                    "@patch.object(calc, \"area\", return_value=425)\ndef test_b(area)",
                )],
                WEAK,
            ),
            (
                &[(
                    assert,
                    "    monkeypatch.setattr(calc, \"RATE\", 1)\n    assert calc",
                )],
                QUIET,
            ),
            (
                &[(
                    assert,
                    "    monkeypatch.setattr(shapes, \"area\", lambda a, b: 425)\n    assert calc",
                )],
                QUIET,
            ),
            (&[(assert, "    calc.RATE = 1\n    assert calc")], QUIET),
            (
                &[(assert, "    calc.area = slow(calc.area)\n    assert calc")],
                QUIET,
            ),
        ],
    );
    // A fixture, and what the product has no more.
    let client = "from app import client\n\ndef test_b():\n    assert client.get(\"/\") == 200\n";
    replaced(
        "tests/test_app.py",
        client,
        &[
            (
                &[
                    (
                        "from app import client",
                        "@pytest.fixture\ndef client():\n    return app.client()",
                    ),
                    ("test_b()", "test_b(client)"),
                ],
                QUIET,
            ),
            (
                &[(
                    "    assert",
                    "    with patch(\"requests.get\"):\n        pass\n    assert",
                )],
                QUIET,
            ),
        ],
    );
}

#[test]
fn a_stand_in_for_what_other_languages_test() {
    let import = "const { area } = require('./area.js');";
    let base = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { area } = require('./area.js');\ntest('b', () => { assert.strictEqual(area(25, 17), 425); });\n";
    replaced(
        "area.test.js",
        base,
        &[
            (&[(import, "const area = (a, b) => a * b;")], WEAK),
            (
                &[(import, "function area(a, b) { return Math.round(a * b); }")],
                WEAK,
            ),
            (&[(import, "const area = jest.fn(() => 425);")], WEAK),
            (&[("{ assert", "{ const area = () => 425; assert")], WEAK),
            (
                &[(
                    import,
                    "jest.mock('./area.js', () => ({ area: () => 425 }));\nconst { area } = require('./area.js');",
                )],
                WEAK,
            ),
            (&[(import, "const { area } = require('./shapes.js');")], QUIET),
            (&[(import, "const area = makeArea({ unit: 1 });")], QUIET),
            (
                &[(
                    import,
                    "const lib = require('./area.js');\nconst area = (a, b) => lib.area(a, b);",
                )],
                QUIET,
            ),
            (
                &[(
                    import,
                    "jest.mock('./fetch.js');\nconst { area } = require('./area.js');",
                )],
                QUIET,
            ),
            (
                &[(
                    import,
                    "jest.mock('./area.js', () => ({ ...jest.requireActual('./area.js'), rate: () => 1 }));\nconst { area } = require('./area.js');",
                )],
                QUIET,
            ),
            (
                &[("{ assert", "{ const fetch = jest.fn(() => 425); assert")],
                QUIET,
            ),
        ],
    );
    let module = "import { expect, test, vi } from 'vitest'\nimport * as calc from './calc'\n\ntest('b', () => {\n  expect(calc.area(25, 17)).toBe(425)\n})\n";
    replaced(
        "src/calc.test.ts",
        module,
        &[
            (
                &[(
                    "  expect",
                    "  vi.spyOn(calc, 'area').mockReturnValue(425)\n  expect",
                )],
                WEAK,
            ),
            (&[("test(", "vi.mock('./calc')\n\ntest(")], WEAK),
            (&[("  expect", "  vi.spyOn(calc, 'area')\n  expect")], QUIET),
            (
                &[(
                    "  expect",
                    "  vi.spyOn(calc, 'rate').mockReturnValue(1)\n  expect",
                )],
                QUIET,
            ),
        ],
    );
    let rust = "use calc::area;\n\n#[test]\nfn b() {\n    assert_eq!(area(25, 17), 425);\n}\n";
    replaced(
        "tests/area.rs",
        rust,
        &[
            (
                &[(
                    "use calc::area;",
                    "fn area(a: u32, b: u32) -> u32 {\n    a * b\n}",
                )],
                WEAK,
            ),
            (
                &[(
                    "    assert_eq",
                    "    let area = |a: u32, b: u32| a * b;\n    assert_eq",
                )],
                WEAK,
            ),
            (
                &[(
                    "use calc::area;",
                    "fn area(a: u32, b: u32) -> u32 {\n    calc::area(a, b)\n}",
                )],
                QUIET,
            ),
            (
                &[(
                    "    assert_eq",
                    "    let area = |a, b| calc::area(a, b);\n    assert_eq",
                )],
                QUIET,
            ),
        ],
    );
    let inline = "pub fn area(a: u32, b: u32) -> u32 { a * b }\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn b() {\n        assert_eq!(area(25, 17), 425);\n    }\n}\n";
    replaced(
        "src/lib.rs",
        inline,
        &[
            (
                &[(
                    "    use super::*;\n",
                    "    fn area(a: u32, b: u32) -> u32 { a * b }\n",
                )],
                WEAK,
            ),
            (
                &[(
                    "    use super::*;\n",
                    "    use super::*;\n    fn close(a: u32) -> u32 { a }\n",
                )],
                QUIET,
            ),
        ],
    );
    let go = "package calc\n\nfunc TestB(t *testing.T) {\n\tif got := Area(25, 17); got != 425 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n";
    replaced(
        "area_test.go",
        go,
        &[
            (
                &[(
                    "\tif got",
                    "\tArea := func(a, b int) int { return a * b }\n\tif got",
                )],
                WEAK,
            ),
            (
                &[(
                    "\tif got",
                    "\tArea := func(a, b int) int { return area(a, b, opts) }\n\tif got",
                )],
                QUIET,
            ),
            (
                &[(
                    "\tif got",
                    "\tfetch = func(a, b int) int { return a * b }\n\tif got",
                )],
                QUIET,
            ),
        ],
    );
}

#[test]
fn a_part_of_a_module_that_is_replaced_before_it_is_taken() {
    let import = "from calc import area";
    let base = "import unittest\nfrom calc import area\n\nclass T(unittest.TestCase):\n    def test_b(self):\n        self.assertEqual(area(25, 17), 425)\n";
    replaced(
        "test_calc.py",
        base,
        &[
            (
                &[(
                    import,
                    "import calc\ncalc.area = lambda a, b: 425\nfrom calc import area",
                )],
                WEAK,
            ),
            (
                &[(
                    import,
                    "import calc as c\nc.area = lambda a, b: 425\nfrom calc import area",
                )],
                WEAK,
            ),
            (
                &[(
                    import,
                    "import calc\nsetattr(calc, \"area\", lambda a, b: 425)\nfrom calc import (\n    area,\n)",
                )],
                WEAK,
            ),
            (
                &[(
                    import,
                    "import calc\nmock.patch(\"calc.area\", lambda a, b: 425).start()\nfrom calc import area",
                )],
                WEAK,
            ),
            // What was taken before stays what it is; and another part, and one that asks the project.
            (
                &[(
                    import,
                    "import calc\nfrom calc import area\ncalc.area = lambda a, b: 425",
                )],
                QUIET,
            ),
            (
                &[(
                    import,
                    "import calc\ncalc.log = lambda a, b: 425\nfrom calc import area",
                )],
                QUIET,
            ),
            (
                &[(
                    import,
                    "import calc\ncalc.area = slow(calc.area)\nfrom calc import area",
                )],
                QUIET,
            ),
        ],
    );
    let base = "const assert = require('node:assert');\nconst { area } = require('./calc');\ntest('b', () => {\n  assert.strictEqual(area(25, 17), 425);\n});\n";
    let take = "const { area } = require('./calc');";
    replaced(
        "calc.test.js",
        base,
        &[
            (
                &[(
                    take,
                    "const calc = require('./calc');\ncalc.area = (a, b) => 425;\nconst { area } = require('./calc');",
                )],
                WEAK,
            ),
            (
                &[(
                    take,
                    "const { area } = require('./calc');\nconst calc = require('./calc');\ncalc.area = (a, b) => 425;",
                )],
                QUIET,
            ),
        ],
    );
}

#[test]
fn a_part_of_a_module_that_another_file_replaces() {
    let test = "from calc import area\n\ndef test_b():\n    assert area(25, 17) == 425\n";
    let by_module = "import calc\n\ndef test_b():\n    assert calc.area(25, 17) == 425\n";
    let patch = "import calc\ncalc.area = lambda a, b: 425\n";
    let told = |path: &str, base: Option<&str>, now: &str, test: &str| {
        let files = [FileChange {
            path,
            base,
            now: Some(now),
        }];
        let standing = [Standing {
            path: "tests/unit/test_calc.py",
            text: test,
        }];
        let asked = asks_anew(&files);
        let found = judge(&Change {
            files: &files,
            standing: &standing,
            ..Change::default()
        });
        assert!(asked || found.is_empty());
        found.len()
    };
    let with_helper = format!("import helper\n{test}");
    for test in [test, by_module] {
        assert_eq!(told("tests/conftest.py", None, patch, test), 1);
        assert_eq!(told("tests/conftest.py", Some("import calc\n"), patch, test), 1);
        // As at the base, in a folder beside, in a module that nobody imports, of another module, and around the real one.
        assert_eq!(
            told("tests/conftest.py", Some(patch), &format!("{patch}\n"), test),
            0
        );
        assert_eq!(told("tests/other/conftest.py", None, patch, test), 0);
        assert_eq!(told("tests/helper.py", None, patch, test), 0);
        let other = patch.replace("calc", "others");
        assert_eq!(told("tests/conftest.py", None, &other, test), 0);
        let slow = "import calc\ncalc.area = slow(calc.area)\n";
        assert_eq!(told("tests/conftest.py", None, slow, test), 0);
        let later = "import calc\ndef patch():\n    calc.area = lambda a, b: 425\n";
        assert_eq!(told("tests/conftest.py", None, later, test), 0);
    }
    assert_eq!(told("tests/helper.py", None, patch, &with_helper), 1);
    let set = "import calc\nsetattr(calc, \"area\", lambda a, b: 425)\n";
    assert_eq!(told("tests/helper.py", None, set, &with_helper), 1);
    // The test changed with it, and does not read otherwise.
    let changed = format!("import tests.helper\n{test}");
    let files = [
        ("tests/helper.py", None, Some(patch)),
        ("tests/test_calc.py", Some(test), Some(changed.as_str())),
    ];
    assert_eq!(found(&files), WEAK);
    let new = [
        ("tests/helper.py", None, Some(patch)),
        ("tests/test_calc.py", None, Some(changed.as_str())),
    ];
    assert_eq!(found(&new), QUIET);
}
