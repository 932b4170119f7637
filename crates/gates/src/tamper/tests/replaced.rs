//! What stands in the place of a test, of what it asserts with, or of what it tests.

use super::*;

const QUIET: &[&str] = &[];
const OFF: &[&str] = &["block tests_turned_off"];

#[test]
fn a_second_test_of_the_same_name() {
    let test_b = "    def test_b(self):\n        self.assertEqual(area(25, 17), 425)\n";
    let base = "import unittest\nfrom calc import area\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(area(12, 30), 360)\n\n    def test_b(self):\n        self.assertEqual(area(25, 17), 425)\n";
    let weak = &["block assertions_weakened"][..];
    let unseen = &["block tests_unseen"][..];
    for (added, expected) in [
        ("    def test_b(self):\n        pass\n".to_owned(), weak),
        (
            "    def test_b(self):\n        self.assertEqual(1, 1)\n".to_owned(),
            weak,
        ),
        (
            "    def test_b(self):\n        self.assertTrue(area(25, 17))\n".to_owned(),
            weak,
        ),
        ("    async def test_b(self):\n        pass\n".to_owned(), weak),
        ("    test_b = lambda self: None\n".to_owned(), unseen),
        ("    test_b = None\n".to_owned(), unseen),
        ("    del test_b\n".to_owned(), unseen),
        ("\nT.test_b = lambda self: None\n".to_owned(), unseen),
        ("\ndel T.test_b\n".to_owned(), unseen),
        ("\nsetattr(T, \"test_b\", print)\n".to_owned(), unseen),
        (
            "\nclass T(unittest.TestCase):\n    def test_c(self):\n        self.assertEqual(area(1, 2), 2)\n"
                .to_owned(),
            unseen,
        ),
        // The same again, a stricter one, one of another class, a mark on the one that is there.
        (test_b.to_owned(), QUIET),
        (
            format!("{test_b}        self.assertEqual(area(1, 2), 2)\n"),
            QUIET,
        ),
        (
            "\nclass U(unittest.TestCase):\n    def test_b(self):\n        self.assertEqual(area(1, 2), 2)\n"
                .to_owned(),
            QUIET,
        ),
        ("    test_b = slow(test_b)\n".to_owned(), QUIET),
        ("\nT.test_b = slow(T.test_b)\n".to_owned(), QUIET),
        ("    test_c = None\n".to_owned(), QUIET),
        (
            "\n    if WINDOWS:\n        def test_b(self):\n            self.assertEqual(area(25, 17), 425)\n"
                .to_owned(),
            QUIET,
        ),
        ("    helper(\n    test_b=None,\n    )\n".to_owned(), QUIET),
    ] {
        let now = format!("{base}{added}");
        let told = findings(&[("test_calc.py", Some(base), Some(&now))]);
        assert_eq!(changed("test_calc.py", base, &now), expected, "{now}\n{told:#?}");
        assert_eq!(changed("test_calc.py", &now, &now), QUIET, "{now}");
    }
    let at_the_edge = "def test_a():\n    assert f() == 1\n\n\ndef test_b():\n    assert f() == 2\n";
    let second = format!("{at_the_edge}\n\ndef test_a():\n    pass\n");
    assert_eq!(changed("test_a.py", at_the_edge, &second), weak);
    let either = "try:\n    import fast\n    def test_a():\n        assert f() == 1\nexcept ImportError:\n    def test_a():\n        assert g() == 1\n";
    assert_eq!(changed("test_a.py", either, either), QUIET);
    // It goes again.
    assert_eq!(changed("test_a.py", &second, at_the_edge), QUIET);
}

/// A file at the base, and the same with something added behind it.
fn added(path: &str, base: &str, more: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (text, expected) in more {
        let now = format!("{base}{text}");
        if changed(path, base, &now) != *expected {
            let told = findings(&[(path, Some(base), Some(&now))]);
            wrong.push(format!("{path}:\n{text}\n{expected:?} is not {told:#?}"));
        }
        if !changed(path, &now, &now).is_empty() {
            wrong.push(format!("{path}, as at the base:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_python_asserts_with() {
    let tests = "import unittest\nfrom calc import area\n\nclass T(unittest.TestCase):\n    def test_b(self):\n        self.assertEqual(area(25, 17), 425)\n";
    added(
        "test_calc.py",
        tests,
        &[
            ("\n    def assertEqual(self, a, b): pass\n", OFF),
            (
                "\n    def assertEqual(self, a, b, msg=None):\n        \"\"\"Compares.\"\"\"\n        print(a, b)\n",
                OFF,
            ),
            (
                "\n    def setUp(self):\n        self.assertEqual = lambda *a: None\n",
                OFF,
            ),
            ("\n    def setUp(self):\n        self.assertEqual = Mock()\n", OFF),
            ("\nunittest.TestCase.assertEqual = lambda *a, **k: None\n", OFF),
            ("\ndef none(*a):\n    return None\n\nT.assertEqual = none\n", OFF),
            ("\nsetattr(T, \"assertEqual\", lambda *a: None)\n", OFF),
            ("\npatch.object(T, \"assertEqual\").start()\n", OFF),
            ("\npatch(\"unittest.TestCase.assertEqual\").start()\n", OFF),
            (
                "\n    def run(self, result=None):\n        result.startTest(self)\n        result.addSuccess(self)\n        result.stopTest(self)\n",
                OFF,
            ),
            ("\n    def _callTestMethod(self, method):\n        pass\n", OFF),
            (
                "\n    def assertEqual(self, a, b, msg=None):\n        super().assertEqual(norm(a), norm(b), msg)\n",
                QUIET,
            ),
            (
                "\n    def assertEqual(self, a, b, msg=None):\n        if a != b:\n            raise self.failureException(msg)\n",
                QUIET,
            ),
            ("\n    def assertShape(self, a):\n        self.shape = a\n", QUIET),
            (
                "\n    def run(self, result=None):\n        with frozen():\n            return super().run(result)\n",
                QUIET,
            ),
            (
                "\n    def _callTestMethod(self, method):\n        retry(method)\n",
                QUIET,
            ),
            (
                "\nunittest.TestCase.assertItems = unittest.TestCase.assertCountEqual\n",
                QUIET,
            ),
            ("\nT.assertEqual = strict(T.assertEqual)\n", QUIET),
            ("\nfetch = Mock()\npatch.object(client, \"get\")\n", QUIET),
        ],
    );
    added(
        "calc.py",
        "def area(a, b):\n    return a * b\n",
        &[
            (
                "\nimport unittest\nunittest.TestCase.assertEqual=lambda *a,**k:None\n",
                OFF,
            ),
            (
                "\nclass Check:\n    def assertEqual(self, a, b):\n        return self.case.compare(a, b)\n",
                QUIET,
            ),
            (
                "\nclass Job:\n    def run(self, result=None):\n        pass\n    def fail(self):\n        self.done = True\n",
                QUIET,
            ),
        ],
    );
}

#[test]
fn what_other_languages_assert_with() {
    let script = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { area } = require('./area.js');\ntest('b', () => { assert.strictEqual(area(25, 17), 425); });\n";
    added(
        "area.test.js",
        script,
        &[
            ("assert.strictEqual = () => {};\n", OFF),
            ("assert['strictEqual'] = function () {};\n", OFF),
            ("function none() {}\nassert.strictEqual = none;\n", OFF),
            (
                "Object.defineProperty(assert, 'strictEqual', { value: () => {} });\n",
                OFF,
            ),
            ("test.mock.method(assert, 'strictEqual', () => {});\n", OFF),
            (
                "jest.spyOn(assert, 'strictEqual').mockImplementation(() => {});\n",
                OFF,
            ),
            (
                "const strict = assert.strictEqual;\nassert.strictEqual = (a, b) => strict(norm(a), norm(b));\n",
                QUIET,
            ),
            ("jest.spyOn(assert, 'strictEqual');\n", QUIET),
            (
                "assert.shape = (a) => { if (!a.shape) throw new Error('no shape'); };\n",
                QUIET,
            ),
            ("test.mock.method(client, 'get', () => {});\n", QUIET),
        ],
    );
    added(
        "area.test.js",
        "const { area } = require('./area.js');\ntest('b', () => { expect(area(25, 17)).toBe(425); });\n",
        &[
            ("function expect() { return { toBe() {} }; }\n", OFF),
            (
                "function assert(ok, why) { if (!ok) throw new Error(why); }\n",
                QUIET,
            ),
            (
                "const assert = (ok) => { if (!ok) throw new Error('no'); };\n",
                QUIET,
            ),
        ],
    );
    added(
        "area.js",
        "exports.area = (a, b) => a * b;\n",
        &[("require('assert');\nassert.equal = () => {};\n", OFF)],
    );
    added(
        "src/lib.rs",
        "pub fn area(a: u32, b: u32) -> u32 { a * b }\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn b() { assert_eq!(area(25, 17), 425); }\n}\n",
        &[
            ("macro_rules! assert_eq { ($($t:tt)*) => {}; }\n", OFF),
            (
                "macro_rules! assert_eq { ($a:expr, $b:expr) => { let _ = (&$a, &$b); }; }\n",
                OFF,
            ),
            (
                "macro_rules! assert_eq { ($a:expr, $b:expr) => { if $a != $b { panic!(\"differs\") } }; }\n",
                QUIET,
            ),
            (
                "macro_rules! assert_eq { ($($t:tt)*) => { pretty::assert_eq!($($t)*) }; }\n",
                QUIET,
            ),
            ("macro_rules! assert_shape { ($a:expr) => {}; }\n", QUIET),
        ],
    );
    added(
        "area_test.go",
        "package calc\n\nfunc TestB(t *testing.T) {\n\tassert.Equal(t, 425, Area(25, 17))\n}\n",
        &[
            (
                "\nfunc TestC(t *testing.T) {\n\tt = &testing.T{}\n\tassert.Equal(t, 2, Area(1, 2))\n}\n",
                OFF,
            ),
            (
                "\nfunc TestC(t *testing.T) {\n\tassert := none{}\n\tassert.Equal(t, 2, Area(1, 2))\n}\n",
                OFF,
            ),
            (
                "\nfunc TestC(t *testing.T) {\n\tassert := assert.New(t)\n\tassert.Equal(2, Area(1, 2))\n}\n",
                QUIET,
            ),
            (
                "\nfunc TestC(t *testing.T) {\n\tmock := &testing.T{}\n\tcheck(mock)\n\tassert.True(t, mock.Failed())\n}\n",
                QUIET,
            ),
        ],
    );
}

#[test]
fn types_to_which_everything_is_equal() {
    let told = &["note tests_turned_off"][..];
    added(
        "calc.py",
        "def area(a, b):\n    return a * b\n",
        &[
            (
                "\nclass R(int):\n    def __eq__(self, other):\n        return True\n    __hash__ = int.__hash__\n",
                OFF,
            ),
            (
                "\nclass R(int):\n    def __eq__(self, other):\n        \"\"\"Compares.\"\"\"\n        return True\n",
                OFF,
            ),
            ("\nclass R(int):\n    def __eq__(s,o): return True\n", OFF),
            ("\nclass R(int):\n    __eq__ = lambda self, other: True\n", OFF),
            (
                "\nclass R(int):\n    def __ne__(self, other):\n        return False\n",
                OFF,
            ),
            (
                "\nclass R(int):\n    def __eq__(self, other):\n        return isinstance(other, R)\n",
                QUIET,
            ),
            (
                "\nclass R(int):\n    def __eq__(self, other):\n        if self is other:\n            return True\n        return NotImplemented\n",
                QUIET,
            ),
            (
                "\nclass R(int):\n    def __bool__(self):\n        return True\n",
                QUIET,
            ),
            (
                "\nclass R(int):\n    __eq__ = lambda self, other: self.a == other.a\n",
                QUIET,
            ),
        ],
    );
    // Something that does not matter, in a test.
    let tests = "def test_a():\n    assert f() == {\"at\": 1}\n";
    added(
        "test_a.py",
        tests,
        &[(
            "\nclass Any:\n    def __eq__(self, other):\n        return True\n",
            told,
        )],
    );
    added(
        "src/lib.rs",
        "pub fn area(a: u32, b: u32) -> R { R(a * b) }\n",
        &[
            (
                "impl PartialEq<u32> for R {\n    fn eq(&self, _: &u32) -> bool {\n        true\n    }\n}\n",
                OFF,
            ),
            (
                "impl PartialEq for Span {\n    fn eq(&self, _: &Self) -> bool {\n        true\n    }\n}\n",
                told,
            ),
            (
                "impl PartialEq<u32> for R {\n    fn eq(&self, other: &u32) -> bool {\n        self.0 == *other\n    }\n}\n",
                QUIET,
            ),
            (
                "impl Check {\n    fn eq(&self, _: &u32) -> bool {\n        true\n    }\n}\n",
                QUIET,
            ),
        ],
    );
    added(
        "calc.go",
        "package calc\n",
        &[
            ("\nfunc (r R) Equal(other R) bool { return true }\n", told),
            (
                "\nfunc (r R) Equal(other R) bool { return r.n == other.n }\n",
                QUIET,
            ),
        ],
    );
}
