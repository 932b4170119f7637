//! Assertions and tests that are told in other ways: AVA and tape, JUnit before it had marks, testify with a dot, panics that are
//! asked for, and errors that cannot be there any more.

use super::*;

const AVA: &str = "import test from 'ava';\nimport { area } from './area.js';\n\ntest('area of both', t => {\n  t.is(area(2, 3), 6);\n  t.deepEqual(area(0, 0), 0);\n});\n";
const JUNIT: &str = "package a;\n\npublic class AreaTest extends TestCase {\n  public void testAreaOfBoth() {\n    assertEquals(6, area(2, 3));\n    assertEquals(0, area(0, 0));\n  }\n\n  public void testAreaOfOne() {\n    assertEquals(1, area(1, 1));\n  }\n\n  private void testData(int n) {\n    fill(n);\n  }\n}\n";
const DOT: &str = "package a\n\nimport (\n\t\"testing\"\n\n\t. \"github.com/stretchr/testify/assert\"\n)\n\nfunc TestArea(t *testing.T) {\n\tEqual(t, 6, Area(2, 3))\n\tEqual(t, 0, Area(0, 0))\n\tNoError(t, check())\n}\n";
const PANICS: &str = "#[cfg(test)]\nmod tests {\n    #[test]\n    #[should_panic]\n    fn empty_is_refused() {\n        parse(\"\");\n    }\n\n    #[test]\n    fn one_is_read() {\n        assert_eq!(parse(\"1\"), 1);\n    }\n}\n";
const OPENS: &str = "package a\n\nfunc TestRead(t *testing.T) {\n\tf, err := os.Create(\"x\")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tgot, err := Read(f.Name())\n\tif err != nil {\n\t\tt.Fatalf(\"read: %v\", err)\n\t}\n\tif got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n";

/// One file, with parts of its text replaced.
fn with(path: &str, base: &str, parts: &[(&str, &str)]) -> Vec<String> {
    let mut now = base.to_owned();
    for (from, to) in parts {
        assert!(now.contains(from), "{from}");
        now = now.replace(from, to);
    }
    changed(path, base, &now)
}

#[test]
fn what_ava_and_tape_assert() {
    let ava = |parts: &[(&str, &str)]| with("area.test.js", AVA, parts);
    assert_eq!(
        ava(&[("  t.is(area(2, 3), 6);\n", "")]),
        ["block assertions_weakened"]
    );
    assert_eq!(
        ava(&[("t.is(area(2, 3), 6)", "t.truthy(area(2, 3))")]),
        ["block assertions_weakened"]
    );
    assert_eq!(
        ava(&[("t.is(area(2, 3), 6)", "t.is(6, 6)")]),
        ["block assertions_weakened"]
    );
    assert_eq!(
        ava(&[(
            "  t.is(area(2, 3), 6);\n  t.deepEqual(area(0, 0), 0);\n",
            "  area(2, 3);\n  t.pass();\n"
        )]),
        ["block assertions_weakened"]
    );
    // As much, in other words.
    let none: [&str; 0] = [];
    assert_eq!(
        ava(&[("t.deepEqual(area(0, 0), 0)", "t.is(area(0, 0), 0)")]),
        none
    );
    assert_eq!(ava(&[("area(2, 3), 6", "area(2, 4), 8")]), none);
    let tape = AVA.replace("'ava'", "'tape'").replace("t.is(", "t.equal(");
    assert_eq!(
        with("area.test.js", &tape, &[("  t.equal(area(2, 3), 6);\n", "")]),
        ["block assertions_weakened"]
    );
}

#[test]
fn tests_of_junit_without_marks() {
    let junit = |parts: &[(&str, &str)]| with("src/test/java/AreaTest.java", JUNIT, parts);
    assert_eq!(
        junit(&[("    assertEquals(6, area(2, 3));\n", "")]),
        ["block assertions_weakened"]
    );
    assert_eq!(
        junit(&[(
            "  public void testAreaOfOne() {\n    assertEquals(1, area(1, 1));\n  }\n\n",
            ""
        )]),
        ["block tests_gone"]
    );
    assert_eq!(
        junit(&[("void testAreaOfOne", "void xtestAreaOfOne")]),
        ["block tests_unseen"]
    );
    assert_eq!(
        junit(&[("public void testAreaOfOne", "private void testAreaOfOne")]),
        ["block tests_unseen"]
    );
    let none: [&str; 0] = [];
    // The same tests with marks, and a helper that only sounds like a test.
    assert_eq!(
        junit(&[
            (" extends TestCase", ""),
            ("  public void testArea", "  @Test\n  public void testArea")
        ]),
        none
    );
    assert_eq!(
        junit(&[("  private void testData(int n) {\n    fill(n);\n  }\n", "")]),
        none
    );
}

#[test]
fn testify_that_is_imported_with_a_dot() {
    let dot = |parts: &[(&str, &str)]| with("area_test.go", DOT, parts);
    assert_eq!(
        dot(&[("\tEqual(t, 6, Area(2, 3))\n", "")]),
        ["block assertions_weakened"]
    );
    assert_eq!(
        dot(&[("Equal(t, 6, Area(2, 3))", "NotNil(t, Area(2, 3))")]),
        ["block assertions_weakened"]
    );
    assert_eq!(
        dot(&[("Equal(t, 6, Area(2, 3))", "Equal(t, Area(2, 3), Area(2, 3))")]),
        ["block assertions_weakened"]
    );
    let none: [&str; 0] = [];
    // The dot goes, and what is asked stays.
    assert_eq!(
        dot(&[
            ("\t. \"github", "\t\"github"),
            ("\tEqual(t", "\tassert.Equal(t"),
            ("\tNoError(t", "\tassert.NoError(t")
        ]),
        none
    );
    let gomega = DOT.replace("Equal(t, 6, Area(2, 3))", "g.Expect(Area(2, 3)).To(Equal(6))");
    assert_eq!(
        with(
            "area_test.go",
            &gomega,
            &[("\tg.Expect(Area(2, 3)).To(Equal(6))\n", "")]
        ),
        ["block assertions_weakened"]
    );
}

#[test]
fn panics_that_are_asked_for() {
    let rust = |parts: &[(&str, &str)]| with("src/lib.rs", PANICS, parts);
    // It would have failed, and that is what is asked for now.
    assert_eq!(
        rust(&[(
            "    #[test]\n    fn one_is_read",
            "    #[test]\n    #[should_panic]\n    fn one_is_read"
        )]),
        ["block tests_skipped"]
    );
    // Nothing is asked for any more.
    assert_eq!(
        rust(&[("    #[should_panic]\n", "")]),
        ["block assertions_weakened"]
    );
    let none: [&str; 0] = [];
    // What panicked gives an error now, and the other way round.
    let error = [
        ("    #[should_panic]\n", ""),
        ("        parse(\"\");", "        assert!(parse(\"\").is_err());"),
    ];
    assert_eq!(rust(&error), none);
    let now = error
        .iter()
        .fold(PANICS.to_owned(), |text, (from, to)| text.replace(from, to));
    assert_eq!(changed("src/lib.rs", &now, PANICS), none);
    // With the words of the panic it asks for more.
    assert_eq!(
        rust(&[("#[should_panic]", "#[should_panic(expected = \"empty\")]")]),
        none
    );
    assert_eq!(
        with(
            "src/lib.rs",
            PANICS,
            &[(
                "        assert_eq!(parse(\"1\"), 1);",
                "        assert_eq!(parse(\"1\"), 1);\n        assert_eq!(parse(\"2\"), 2);"
            )]
        ),
        none
    );
}

#[test]
fn errors_that_cannot_be_there_any_more() {
    let go = |parts: &[(&str, &str)]| with("read_test.go", OPENS, parts);
    let fails = "\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n";
    let reads = fails.replace("t.Fatal(err)", "t.Fatalf(\"read: %v\", err)");
    let read = format!("got, err := Read(f.Name())\n{reads}");
    let told = |found: Vec<String>| found.iter().all(|f| !f.starts_with("block"));
    // The function gives no error by now.
    assert!(told(go(&[(&read, "got := Read(f.Name())\n")])));
    assert!(told(go(&[
        (&read, ""),
        (
            "if got != 3 {\n\t\tt.Errorf(\"got %d\", got)",
            "if Read(f.Name()) != 3 {\n\t\tt.Error()"
        )
    ])));
    // The file is made in another way.
    let create = format!("\tf, err := os.Create(\"x\")\n{fails}");
    assert!(told(go(&[(&create, "\tf := file(t, \"x\")\n")])));
    // The error is dropped.
    let weaker = ["block assertions_weakened"];
    assert_eq!(go(&[(&read, "got, _ := Read(f.Name())\n")]), weaker);
    assert_eq!(go(&[(&read, "got, err := Read(f.Name())\n\t_ = err\n")]), weaker);
    // What is tested is not tested any more.
    let all = format!("\t{read}\tif got != 3 {{\n\t\tt.Errorf(\"got %d\", got)\n\t}}\n");
    assert_eq!(go(&[(&all, "\tRead(f.Name())\n")]), weaker);
}

#[test]
fn tests_that_became_rows_of_a_table() {
    let script = "import { f } from './a';\ndescribe('f', () => {\n  it('gives one', () => { expect(f(1)).toBe('one'); });\n  it('gives two', () => { expect(f(2)).toBe('two'); });\n});\n";
    let rows = "  it.each([{ n: 1, word: 'one' }, { n: 2, word: 'two' }])('gives $word', ({ n, word }) => { expect(f(n)).toBe(word); });\n";
    let table = format!("import {{ f }} from './a';\ndescribe('f', () => {{\n{rows}}});\n");
    let java = "class ATest {\n  @Test\n  void one() { assertEquals(\"one\", f(1)); }\n\n  @Test\n  void two() { assertEquals(\"two\", f(2)); }\n}\n";
    let csv = "class ATest {\n  @ParameterizedTest\n  @CsvSource({\"1, one\", \"2, two\"})\n  void words(int n, String word) { assertEquals(word, f(n)); }\n}\n";
    for (path, base, now, row) in [
        ("a.test.ts", script, table.as_str(), ", { n: 2, word: 'two' }"),
        ("src/test/java/ATest.java", java, csv, ", \"2, two\""),
    ] {
        assert_eq!(changed(path, base, now), ["note tests_gone"], "{path}");
        // A row less is a test less.
        let less = changed(path, base, &now.replace(row, ""));
        assert!(less.contains(&"block tests_gone".to_owned()), "{path}: {less:?}");
    }
}
