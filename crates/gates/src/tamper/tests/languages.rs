//! Deleted, skipped, focused, commented out: per language.

use super::*;

/// For each language a file with two tests, and the second one deleted, skipped, in comments, unseen.
struct Sample {
    path: &'static str,
    head: &'static str,
    kept: &'static str,
    test: &'static str,
    skipped: &'static [&'static str],
    commented: &'static str,
    unseen: &'static [&'static str],
    weaker: &'static [&'static str],
    tail: &'static str,
}

const SAMPLES: &[Sample] = &[
    Sample {
        path: "crates/a/tests/a.rs",
        head: "use a::*;\n",
        kept: "#[test]\nfn first_case() {\n    assert_eq!(one(), 1);\n}\n",
        test: "#[test]\nfn second_case() {\n    let x = two(\"in\");\n    assert_eq!(x, 2);\n    assert_eq!(x + 1, 3);\n}\n",
        skipped: &[
            "#[test]\n#[ignore]\nfn second_case() {\n    let x = two(\"in\");\n    assert_eq!(x, 2);\n    assert_eq!(x + 1, 3);\n}\n",
            "#[ignore = \"flaky\"]\n#[test]\nfn second_case() {\n    let x = two(\"in\");\n    assert_eq!(x, 2);\n    assert_eq!(x + 1, 3);\n}\n",
            "#[test]\nfn second_case() {\n    return;\n    let x = two(\"in\");\n    assert_eq!(x, 2);\n    assert_eq!(x + 1, 3);\n}\n",
            "#[cfg(any())]\n#[test]\nfn second_case() {\n    let x = two(\"in\");\n    assert_eq!(x, 2);\n    assert_eq!(x + 1, 3);\n}\n",
        ],
        commented: "// #[test]\n// fn second_case() {\n//     assert_eq!(two(\"in\"), 2);\n// }\n",
        unseen: &[
            "fn second_case() {\n    let x = two(\"in\");\n    assert_eq!(x, 2);\n    assert_eq!(x + 1, 3);\n}\n",
        ],
        weaker: &[
            "#[test]\nfn second_case() {\n    let x = two(\"in\");\n    assert!(true);\n}\n",
            "#[test]\nfn second_case() {\n    let x = two(\"in\");\n    assert_eq!(x, x);\n}\n",
            "#[test]\nfn second_case() {\n    let x = two(\"in\");\n    assert!(x > 0);\n    assert!(x > 1);\n}\n",
            "#[test]\nfn second_case() {\n    let _x = two(\"in\");\n}\n",
            "#[test]\nfn second_case() {\n    let x = two(\"in\");\n    assert_eq!(x, 2);\n}\n",
            "#[test]\nfn second_case() {\n    let x = two(\"in\");\n    assert!(x == 2 || true);\n    assert_eq!(x + 1, 3);\n}\n",
        ],
        tail: "",
    },
    Sample {
        path: "tests/test_a.py",
        head: "import pytest\n\n",
        kept: "def test_first_case():\n    assert one() == 1\n\n",
        test: "def test_second_case():\n    \"\"\"Two.\"\"\"\n    x = two(\"in\")\n    assert x == 2\n    assert x + 1 == 3\n\n",
        skipped: &[
            "@pytest.mark.skip(reason=\"flaky\")\ndef test_second_case():\n    x = two(\"in\")\n    assert x == 2\n    assert x + 1 == 3\n\n",
            "@pytest.mark.xfail\ndef test_second_case():\n    x = two(\"in\")\n    assert x == 2\n    assert x + 1 == 3\n\n",
            "def test_second_case():\n    \"\"\"Two.\"\"\"\n    pytest.skip(\"later\")\n    x = two(\"in\")\n    assert x == 2\n    assert x + 1 == 3\n\n",
            "def test_second_case():\n    return\n    x = two(\"in\")\n    assert x == 2\n    assert x + 1 == 3\n\n",
        ],
        commented: "# def test_second_case():\n#     assert two(\"in\") == 2\n",
        unseen: &[
            "def _test_second_case():\n    x = two(\"in\")\n    assert x == 2\n    assert x + 1 == 3\n\n",
            "def check():\n    def test_second_case():\n        assert two(\"in\") == 2\n\n",
        ],
        weaker: &[
            "def test_second_case():\n    x = two(\"in\")\n    assert True\n\n",
            "def test_second_case():\n    x = two(\"in\")\n    assert x == x\n\n",
            "def test_second_case():\n    x = two(\"in\")\n    assert x is not None\n    assert x\n\n",
            "def test_second_case():\n    x = two(\"in\")\n    print(x)\n\n",
        ],
        tail: "",
    },
    Sample {
        path: "tests/test_b.py",
        head: "import unittest\n\nclass TestB(unittest.TestCase):\n",
        kept: "    def test_first_case(self):\n        self.assertEqual(one(), 1)\n\n",
        test: "    def test_second_case(self):\n        x = two(\"in\")\n        self.assertEqual(x, 2)\n        self.assertEqual(x + 1, 3)\n\n",
        skipped: &[
            "    @unittest.skip(\"later\")\n    def test_second_case(self):\n        x = two(\"in\")\n        self.assertEqual(x, 2)\n        self.assertEqual(x + 1, 3)\n\n",
            "    def test_second_case(self):\n        self.skipTest(\"later\")\n        x = two(\"in\")\n        self.assertEqual(x, 2)\n        self.assertEqual(x + 1, 3)\n\n",
        ],
        commented: "    # def test_second_case(self):\n    #     self.assertEqual(two(\"in\"), 2)\n",
        unseen: &[
            "    def no_test_second_case(self):\n        x = two(\"in\")\n        self.assertEqual(x, 2)\n        self.assertEqual(x + 1, 3)\n\n",
        ],
        weaker: &[
            "    def test_second_case(self):\n        x = two(\"in\")\n        self.assertTrue(True)\n\n",
            "    def test_second_case(self):\n        x = two(\"in\")\n        self.assertIsNotNone(x)\n        self.assertTrue(x)\n\n",
        ],
        tail: "",
    },
    Sample {
        path: "src/a.test.ts",
        head: "import { one, two } from './a';\ndescribe('a', () => {\n",
        kept: "  it('gives the first', () => {\n    expect(one()).toBe(1);\n  });\n",
        test: "  it('gives the second', () => {\n    const x = two('in');\n    expect(x).toBe(2);\n    expect(x + 1).toEqual(3);\n  });\n",
        skipped: &[
            "  it.skip('gives the second', () => {\n    const x = two('in');\n    expect(x).toBe(2);\n    expect(x + 1).toEqual(3);\n  });\n",
            "  xit('gives the second', () => {\n    const x = two('in');\n    expect(x).toBe(2);\n    expect(x + 1).toEqual(3);\n  });\n",
            "  it('gives the second', { skip: true }, () => {\n    const x = two('in');\n    expect(x).toBe(2);\n    expect(x + 1).toEqual(3);\n  });\n",
            "  describe.skip('b', () => {\n  it('gives the second', () => {\n    const x = two('in');\n    expect(x).toBe(2);\n    expect(x + 1).toEqual(3);\n  });\n  });\n",
        ],
        commented: "  // it('gives the second', () => {\n  //   expect(two('in')).toBe(2);\n  // });\n",
        unseen: &[
            "  later('gives the second', () => {\n    const x = two('in');\n    expect(x).toBe(2);\n    expect(x + 1).toEqual(3);\n  });\n",
        ],
        weaker: &[
            "  it('gives the second', () => {\n    const x = two('in');\n    expect(true).toBe(true);\n  });\n",
            "  it('gives the second', () => {\n    const x = two('in');\n    expect(x).toBe(x);\n  });\n",
            "  it('gives the second', () => {\n    const x = two('in');\n    expect(x).toBeTruthy();\n    expect(x + 1).toBeDefined();\n  });\n",
            "  it('gives the second', () => {\n    two('in');\n  });\n",
        ],
        tail: "});\n",
    },
    Sample {
        path: "a/a_test.go",
        head: "package a\n\nimport \"testing\"\n\n",
        kept: "func TestFirstCase(t *testing.T) {\n\tif one() != 1 {\n\t\tt.Errorf(\"one\")\n\t}\n}\n\n",
        test: "func TestSecondCase(t *testing.T) {\n\tx := two(\"in\")\n\tif x != 2 {\n\t\tt.Errorf(\"got %d\", x)\n\t}\n\tif x+1 != 3 {\n\t\tt.Fatal(x)\n\t}\n}\n",
        skipped: &[
            "func TestSecondCase(t *testing.T) {\n\tt.Skip(\"flaky\")\n\tx := two(\"in\")\n\tif x != 2 {\n\t\tt.Errorf(\"got %d\", x)\n\t}\n\tif x+1 != 3 {\n\t\tt.Fatal(x)\n\t}\n}\n",
            "func TestSecondCase(t *testing.T) {\n\tx := two(\"in\")\n\tt.SkipNow()\n\tif x != 2 {\n\t\tt.Errorf(\"got %d\", x)\n\t}\n\tif x+1 != 3 {\n\t\tt.Fatal(x)\n\t}\n}\n",
        ],
        commented: "// func TestSecondCase(t *testing.T) {\n// \tt.Fatal(two(\"in\"))\n// }\n",
        unseen: &[
            "func xTestSecondCase(t *testing.T) {\n\tx := two(\"in\")\n\tif x != 2 {\n\t\tt.Errorf(\"got %d\", x)\n\t}\n\tif x+1 != 3 {\n\t\tt.Fatal(x)\n\t}\n}\n",
        ],
        weaker: &[
            "func TestSecondCase(t *testing.T) {\n\tx := two(\"in\")\n\tif x != 2 {\n\t\tt.Logf(\"got %d\", x)\n\t}\n}\n",
            "func TestSecondCase(t *testing.T) {\n\tx := two(\"in\")\n\tif x != 2 {\n\t\tt.Errorf(\"got %d\", x)\n\t}\n}\n",
        ],
        tail: "",
    },
    Sample {
        path: "src/test/java/ATest.java",
        head: "class ATest {\n",
        kept: "  @Test\n  void firstCase() {\n    assertEquals(1, one());\n  }\n",
        test: "  @Test\n  void secondCase() throws Exception {\n    int x = two(\"in\");\n    assertEquals(2, x);\n    assertEquals(3, x + 1);\n  }\n",
        skipped: &[
            "  @Disabled(\"flaky\")\n  @Test\n  void secondCase() throws Exception {\n    int x = two(\"in\");\n    assertEquals(2, x);\n    assertEquals(3, x + 1);\n  }\n",
            "  @Test\n  @Ignore\n  void secondCase() throws Exception {\n    int x = two(\"in\");\n    assertEquals(2, x);\n    assertEquals(3, x + 1);\n  }\n",
        ],
        commented: "  // @Test void secondCase() { assertEquals(2, two(\"in\")); }\n",
        unseen: &[
            "  void secondCase() throws Exception {\n    int x = two(\"in\");\n    assertEquals(2, x);\n    assertEquals(3, x + 1);\n  }\n",
        ],
        weaker: &[
            "  @Test\n  void secondCase() throws Exception {\n    int x = two(\"in\");\n    assertTrue(true);\n  }\n",
            "  @Test\n  void secondCase() throws Exception {\n    int x = two(\"in\");\n    assertNotNull(x);\n    assertTrue(x > 0);\n  }\n",
        ],
        tail: "}\n",
    },
    Sample {
        path: "src/test/kotlin/ATest.kt",
        head: "class ATest {\n",
        kept: "  @Test\n  fun `first case`() {\n    assertEquals(1, one())\n  }\n",
        test: "  @Test\n  fun `second case`() {\n    val x = two(\"in\")\n    assertEquals(2, x)\n    assertEquals(3, x + 1)\n  }\n",
        skipped: &[
            "  @Ignore\n  @Test\n  fun `second case`() {\n    val x = two(\"in\")\n    assertEquals(2, x)\n    assertEquals(3, x + 1)\n  }\n",
        ],
        commented: "  // @Test fun `second case`() { assertEquals(2, two(\"in\")) }\n",
        unseen: &[
            "  fun `second case`() {\n    val x = two(\"in\")\n    assertEquals(2, x)\n    assertEquals(3, x + 1)\n  }\n",
        ],
        weaker: &["  @Test\n  fun `second case`() {\n    val x = two(\"in\")\n    assertTrue(true)\n  }\n"],
        tail: "}\n",
    },
    Sample {
        path: "A.Tests/ATests.cs",
        head: "public class ATests\n{\n",
        kept: "    [Fact]\n    public void FirstCase()\n    {\n        Assert.Equal(1, One());\n    }\n",
        test: "    [Fact]\n    public async Task SecondCase()\n    {\n        var x = Two(\"in\");\n        Assert.Equal(2, x);\n        Assert.Equal(3, x + 1);\n    }\n",
        skipped: &[
            "    [Fact(Skip = \"flaky\")]\n    public async Task SecondCase()\n    {\n        var x = Two(\"in\");\n        Assert.Equal(2, x);\n        Assert.Equal(3, x + 1);\n    }\n",
            "    [Test]\n    [Ignore(\"flaky\")]\n    public async Task SecondCase()\n    {\n        var x = Two(\"in\");\n        Assert.Equal(2, x);\n        Assert.Equal(3, x + 1);\n    }\n",
        ],
        commented: "    // [Fact] public void SecondCase() { Assert.Equal(2, Two(\"in\")); }\n",
        unseen: &[
            "    public async Task SecondCase()\n    {\n        var x = Two(\"in\");\n        Assert.Equal(2, x);\n        Assert.Equal(3, x + 1);\n    }\n",
        ],
        weaker: &[
            "    [Fact]\n    public async Task SecondCase()\n    {\n        var x = Two(\"in\");\n        Assert.True(true);\n    }\n",
            "    [Fact]\n    public async Task SecondCase()\n    {\n        var x = Two(\"in\");\n        Assert.NotNull(x);\n        Assert.True(x > 0);\n    }\n",
        ],
        tail: "}\n",
    },
    Sample {
        path: "spec/a_spec.rb",
        head: "describe A do\n",
        kept: "  it \"gives the first\" do\n    expect(one).to eq(1)\n  end\n\n",
        test: "  it \"gives the second\" do\n    x = two(\"in\")\n    expect(x).to eq(2)\n    expect(x + 1).to eq(3)\n  end\n",
        skipped: &[
            "  xit \"gives the second\" do\n    x = two(\"in\")\n    expect(x).to eq(2)\n    expect(x + 1).to eq(3)\n  end\n",
            "  it \"gives the second\", skip: true do\n    x = two(\"in\")\n    expect(x).to eq(2)\n    expect(x + 1).to eq(3)\n  end\n",
            "  it \"gives the second\" do\n    skip \"later\"\n    x = two(\"in\")\n    expect(x).to eq(2)\n    expect(x + 1).to eq(3)\n  end\n",
        ],
        commented: "  # it \"gives the second\" do\n  #   expect(two(\"in\")).to eq(2)\n  # end\n",
        unseen: &[
            "  later \"gives the second\" do\n    x = two(\"in\")\n    expect(x).to eq(2)\n    expect(x + 1).to eq(3)\n  end\n",
        ],
        weaker: &[
            "  it \"gives the second\" do\n    x = two(\"in\")\n    expect(true).to be true\n  end\n",
            "  it \"gives the second\" do\n    two(\"in\")\n  end\n",
        ],
        tail: "end\n",
    },
    Sample {
        path: "test/a_test.rb",
        head: "class ATest < Minitest::Test\n",
        kept: "  def test_first_case\n    assert_equal 1, one\n  end\n\n",
        test: "  def test_second_case\n    x = two(\"in\")\n    assert_equal 2, x\n    assert_equal 3, x + 1\n  end\n",
        skipped: &[
            "  def test_second_case\n    skip \"later\"\n    x = two(\"in\")\n    assert_equal 2, x\n    assert_equal 3, x + 1\n  end\n",
        ],
        commented: "  # def test_second_case()\n  #   assert_equal 2, two(\"in\")\n  # end\n",
        unseen: &[
            "  def no_test_second_case\n    x = two(\"in\")\n    assert_equal 2, x\n    assert_equal 3, x + 1\n  end\n",
        ],
        weaker: &[
            "  def test_second_case\n    x = two(\"in\")\n    assert true\n  end\n",
            "  def test_second_case\n    x = two(\"in\")\n    assert x\n    assert x + 1\n  end\n",
        ],
        tail: "end\n",
    },
    Sample {
        path: "tests/ATest.php",
        head: "<?php\nclass ATest extends TestCase {\n",
        kept: "  public function testFirstCase(): void {\n    $this->assertSame(1, one());\n  }\n",
        test: "  public function testSecondCase(): void {\n    $x = two('in');\n    $this->assertSame(2, $x);\n    $this->assertEquals(3, $x + 1);\n  }\n",
        skipped: &[
            "  public function testSecondCase(): void {\n    $this->markTestSkipped('flaky');\n    $x = two('in');\n    $this->assertSame(2, $x);\n    $this->assertEquals(3, $x + 1);\n  }\n",
        ],
        commented: "  // public function testSecondCase(): void { $this->assertSame(2, two('in')); }\n",
        unseen: &[
            "  public function noTestSecondCase(): void {\n    $x = two('in');\n    $this->assertSame(2, $x);\n    $this->assertEquals(3, $x + 1);\n  }\n  public function x_testSecondCase() {}\n",
        ],
        weaker: &[
            "  public function testSecondCase(): void {\n    $x = two('in');\n    $this->assertTrue(true);\n  }\n",
        ],
        tail: "}\n",
    },
];

#[test]
fn what_becomes_of_a_test() {
    for s in SAMPLES {
        let text = |second: &str| format!("{}{}{second}{}", s.head, s.kept, s.tail);
        let base = text(s.test);
        let check = |second: &str, expected: &[&str]| {
            let now = text(second);
            let found = changed(s.path, &base, &now);
            assert_eq!(
                found,
                expected,
                "{}:\n{now}\n{:#?}",
                s.path,
                findings(&[(s.path, Some(&base), Some(&now))])
            );
        };
        check(s.test, &[]);
        check("", &["block tests_gone"]);
        check(s.commented, &["block tests_commented_out"]);
        for skipped in s.skipped {
            check(skipped, &["block tests_skipped"]);
            // A skip that was there at the base is nobody's change.
            let (was, is) = (text(skipped), text(&format!("{skipped}\n")));
            assert_eq!(changed(s.path, &was, &is), [""; 0], "{}: {skipped}", s.path);
            // Nor is one that is taken away.
            assert_eq!(changed(s.path, &was, &base), [""; 0], "{}: {skipped}", s.path);
        }
        for unseen in s.unseen {
            check(unseen, &["block tests_unseen"]);
        }
        for weaker in s.weaker {
            check(weaker, &["block assertions_weakened"]);
            // The other way round it demands more.
            assert_eq!(
                changed(s.path, &text(weaker), &base),
                [""; 0],
                "{}: {weaker}",
                s.path
            );
        }
    }
}

#[test]
fn a_test_may_move_change_its_name_and_grow() {
    for s in SAMPLES {
        let text = |second: &str| format!("{}{}{second}{}", s.head, s.kept, s.tail);
        let base = text(s.test);
        let without = text("");
        let alone = format!("{}{}{}", s.head, s.test, s.tail);
        let other = s.path.replacen("/", "/more/", 1);
        let moved = found(&[
            (s.path, Some(&base), Some(&without)),
            (&other, None, Some(&alone)),
        ]);
        assert_eq!(moved, [""; 0], "{}", s.path);
        let renamed = s.test.replace("second", "other").replace("Second", "Other");
        assert_eq!(
            changed(s.path, &base, &text(&renamed)),
            [""; 0],
            "{}: {renamed}",
            s.path
        );
        let grown = s
            .test
            .replace("\"in\"", "\"in and out\"")
            .replace("'in'", "'in and out'");
        assert_eq!(
            changed(s.path, &base, &text(&grown)),
            [""; 0],
            "{}: {grown}",
            s.path
        );
        // The whole file under another name that is collected too.
        let whole = found(&[(s.path, Some(&base), None), (&other, None, Some(&base))]);
        assert_eq!(whole, [""; 0], "{}", s.path);
    }
}

#[test]
fn marks_that_leave_out_the_others() {
    table(&[
        (
            "only",
            "a.test.js",
            "it('one', () => { expect(f()).toBe(1); });",
            "it.only('one', () => { expect(f()).toBe(1); });",
            &["block tests_focused"],
        ),
        (
            "fdescribe",
            "a.spec.ts",
            "describe('one', () => {});",
            "fdescribe('one', () => {});",
            &["block tests_focused"],
        ),
        (
            "describe.only",
            "a.spec.ts",
            "describe('one', () => {});",
            "describe.only('one', () => {});",
            &["block tests_focused"],
        ),
        (
            "ruby",
            "spec/a_spec.rb",
            "it \"one\" do\n  expect(f).to eq 1\nend\n",
            "fit \"one\" do\n  expect(f).to eq 1\nend\n",
            &["block tests_focused"],
        ),
        (
            "ruby, by a word",
            "spec/a_spec.rb",
            "it \"one\" do\n  expect(f).to eq 1\nend\n",
            "it \"one\", :focus do\n  expect(f).to eq 1\nend\n",
            &["block tests_focused"],
        ),
        (
            "was there",
            "a.test.js",
            "it.only('one', () => { expect(f()).toBe(1); });",
            "it.only('one', () => { expect(f()).toBe(2); });",
            &[],
        ),
        (
            "a method of that name",
            "a.test.js",
            "it('one', () => { expect(f()).toBe(1); });",
            "it('one', () => { expect(list.only('x')).toBe(1); });",
            &[],
        ),
        (
            "in a text",
            "a.test.js",
            "it('one', () => { expect(f()).toBe(1); });",
            "it('one', () => { expect(f('it.only(\"x\")')).toBe(1); });",
            &[],
        ),
    ]);
}

#[test]
fn whole_groups_and_files_left_out() {
    let python = "def test_one_case():\n    assert f() == 1\n";
    let go = "package a\n\nfunc TestOneCase(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Fatal()\n\t}\n}\n";
    let java = "class ATest {\n  @Test void oneCase() { assertEquals(1, f()); }\n}\n";
    let class = "class TestA:\n    def test_one_case(self):\n        assert f() == 1\n";
    table(&[
        (
            "pytestmark",
            "test_a.py",
            python,
            "pytestmark = pytest.mark.skip(\"x\")\ndef test_one_case():\n    assert f() == 1\n",
            &["block tests_skipped"],
        ),
        (
            "module skip",
            "test_a.py",
            python,
            "pytest.skip(\"x\", allow_module_level=True)\ndef test_one_case():\n    assert f() == 1\n",
            &["block tests_skipped"],
        ),
        (
            "build constraint",
            "a_test.go",
            go,
            "//go:build integration\n\npackage a\n\nfunc TestOneCase(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
            &["block tests_skipped"],
        ),
        (
            "class",
            "ATest.java",
            java,
            "@Disabled\nclass ATest {\n  @Test void oneCase() { assertEquals(1, f()); }\n}\n",
            &["block tests_skipped"],
        ),
        (
            "renamed class",
            "test_a.py",
            class,
            "class CheckA:\n    def test_one_case(self):\n        assert f() == 1\n",
            &["block tests_unseen"],
        ),
        (
            "condition",
            "test_a.py",
            python,
            "def test_one_case():\n    if sys.platform == \"win32\":\n        pytest.skip(\"posix\")\n    assert f() == 1\n",
            &[],
        ),
        (
            "short run",
            "a_test.go",
            go,
            "package a\n\nfunc TestOneCase(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tif f() != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
            &[],
        ),
    ]);
    for (from, to, text) in [
        ("a_test.go", "a_tests.go", go),
        ("src/test/java/ATest.java", "src/test/java/AChecks.java", java),
        ("tests/test_a.py", "attic/a.py", python),
        (
            "src/a.test.ts",
            "src/a.disabled.ts",
            "import { it } from 'vitest';\nit('one', () => { expect(f()).toBe(1); });\n",
        ),
    ] {
        let away = found(&[(from, Some(text), None), (to, None, Some(text))]);
        assert_eq!(away, ["block tests_unseen"], "{from} → {to}");
    }
    let new = "def test_one_case():\n    assert f() == 1\n\n@pytest.mark.skip\ndef test_new_case():\n    assert g() == 2\n";
    assert_eq!(changed("test_a.py", python, new), ["note tests_skipped"]);
}

#[test]
fn a_function_for_tests_that_leaves_first() {
    let js = "export function check(x) {\n  expect(x).toBe(1);\n  expect(x + 1).toBe(2);\n}\n";
    let py = "def check(x):\n    \"\"\"What it is.\"\"\"\n    assert x == 1\n    assert x + 1 == 2\n\ndef test_a():\n    check(f())\n";
    let go = "package a\n\nfunc check(t *testing.T, x int) {\n\tif x != 1 {\n\t\tt.Fatal(x)\n\t}\n}\n\nfunc TestA(t *testing.T) {\n\tcheck(t, f())\n}\n";
    let rust = "fn check(x: u32) {\n    assert_eq!(x, 1);\n}\n\n#[test]\nfn a() {\n    check(f());\n}\n";
    let ruby = "def check(x)\n  expect(x).to eq(1)\nend\n\nit 'adds' do\n  check(f)\nend\n";
    let php = "<?php\nclass ATest extends TestCase {\n  private function check($x) { $this->assertSame(1, $x); }\n  public function testA() { $this->check(f()); }\n}\n";
    let (weaker, skipped) = ("block assertions_weakened", "block tests_skipped");
    for (path, base, before, first, expected) in [
        (
            "tests/helpers.js",
            js,
            "  expect(x).toBe(1)",
            "  return;\n",
            weaker,
        ),
        (
            "tests/helpers.js",
            js,
            "  expect(x).toBe(1)",
            "  return true;\n",
            weaker,
        ),
        (
            "tests/helpers.js",
            js,
            "  expect(x).toBe(1)",
            "  process.exit(0);\n",
            skipped,
        ),
        ("test_a.py", py, "    assert x == 1", "    return\n", weaker),
        (
            "test_a.py",
            py,
            "    assert x == 1",
            "    pytest.skip('later')\n",
            skipped,
        ),
        ("test_a.py", py, "    assert x == 1", "    sys.exit(0)\n", skipped),
        ("test_a.py", py, "    assert x == 1", "    os._exit(0)\n", skipped),
        ("a_test.go", go, "\tif x", "\treturn\n", weaker),
        ("a_test.go", go, "\tif x", "\tt.Skip()\n", skipped),
        ("a_test.go", go, "\tif x", "\tos.Exit(0)\n", skipped),
        ("tests/a.rs", rust, "    assert_eq!(x", "    return;\n", weaker),
        (
            "tests/a.rs",
            rust,
            "    assert_eq!(x",
            "    std::process::exit(0);\n",
            skipped,
        ),
        ("spec/a_spec.rb", ruby, "  expect(x)", "  return\n", weaker),
        ("spec/a_spec.rb", ruby, "  expect(x)", "  skip\n", skipped),
        ("tests/ATest.php", php, "$this->assertSame", "return; ", weaker),
        ("tests/ATest.php", php, "$this->assertSame", "exit; ", skipped),
    ] {
        let now = base.replacen(before, &format!("{first}{before}"), 1);
        assert_eq!(changed(path, base, &now), [expected], "{now}");
        // It was so, or is so no more.
        assert_eq!(changed(path, &now, &format!("{now}\n")), [""; 0], "{now}");
        assert_eq!(changed(path, &now, base), [""; 0], "{now}");
    }
    // Leaving with an error is a failure; a value that is given back, or under a condition, is no way out.
    for (path, base, before, first) in [
        (
            "tests/helpers.js",
            js,
            "  expect(x).toBe(1)",
            "  if (!x) return;\n",
        ),
        (
            "tests/helpers.js",
            "export function check(x) {\n  return expect(x).toBe(1);\n}\n",
            "export",
            "\n",
        ),
        ("test_a.py", py, "    assert x == 1", "    print(x)\n"),
        (
            "test_a.py",
            py,
            "\ndef test_a",
            "\ndef stop():\n    sys.exit(1)\n",
        ),
        (
            "tests/a.rs",
            rust,
            "fn check",
            "fn one() -> u32 {\n    return 1;\n}\n",
        ),
    ] {
        let now = base.replacen(before, &format!("{first}{before}"), 1);
        assert_eq!(changed(path, base, &now), [""; 0], "{now}");
    }
    // Nobody calls it.
    let alone = py.replace("    check(f())", "    assert f() == 1");
    let now = alone.replacen("    assert x == 1", "    return\n    assert x == 1", 1);
    assert_eq!(changed("test_a.py", &alone, &now), ["note assertions_weakened"]);
}

#[test]
fn a_failure_of_a_helpers_own_means_is_no_assertion() {
    let base = "fn run() -> Output {\n    match cmd().output() {\n        Ok(o) => o,\n        Err(e) => panic!(\"{e}\"),\n    }\n}\n\n#[test]\nfn a() {\n    assert_eq!(run().code, 1);\n}\n";
    let shorter = "fn run() -> Output {\n    cmd().output().unwrap()\n}\n\n#[test]\nfn a() {\n    assert_eq!(run().code, 1);\n}\n";
    assert_eq!(changed("tests/a.rs", base, shorter), [""; 0]);
    let block = base.replace("panic!(\"{e}\"),", "{ panic!(\"{e}\") }");
    assert_eq!(changed("tests/a.rs", &block, shorter), [""; 0]);
    let other = base.replace(
        "match cmd().output() {\n        Ok(o) => o,\n        Err(e) => panic!(\"{e}\"),\n    }",
        "cmd().output().unwrap_or_else(|e| panic!(\"{e}\"))",
    );
    assert_eq!(changed("tests/a.rs", &other, shorter), [""; 0]);
    // What it says of the product is one.
    let judged = "fn run() -> Output {\n    let o = cmd().output().unwrap();\n    if o.code != 1 {\n        panic!(\"{o:?}\");\n    }\n    o\n}\n\n#[test]\nfn a() {\n    assert_eq!(run().code, 1);\n}\n";
    assert_eq!(
        changed("tests/a.rs", judged, shorter),
        ["block assertions_weakened"]
    );
    // A helper that only fails may have another name, or stand in its caller.
    let fails = "fn fail() -> ! {\n    panic!(\"no\")\n}\n\n#[test]\nfn a() {\n    if run() != 1 {\n        fail();\n    }\n}\n";
    assert_eq!(
        changed("tests/a.rs", fails, &fails.replace("fail()", "stop()")),
        [""; 0]
    );
    let inlined = "#[test]\nfn a() {\n    if run() != 1 {\n        panic!(\"no\");\n    }\n}\n";
    assert_eq!(changed("tests/a.rs", fails, inlined), [""; 0]);
}
