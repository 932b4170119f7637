//! The same in another form, as it was met in the history of public projects, each beside what it must not be taken for.

use super::*;

const WEAK: &[&str] = &["block assertions_weakened"];
const QUIET: &[&str] = &[];

/// An assertion of the second of two tests with another in its place, and what is found.
fn asserted(path: &str, file: &str, cases: &[(&str, &str, &[&str])]) {
    for (was, is, expected) in cases {
        let (base, now) = (file.replace("{}", was), file.replace("{}", is));
        assert_eq!(
            changed(path, &base, &now),
            *expected,
            "{is}\nin the place of\n{was}:\n{:#?}",
            findings(&[(path, Some(&base), Some(&now))])
        );
    }
}

#[test]
fn a_matcher_may_say_by_its_name_what_was_compared() {
    asserted(
        "a_test.go",
        "package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 4, two(2))\n\t{}\n}\n",
        &[
            (
                "assert.Equal(t, isText(x), true)",
                "assert.True(t, isText(x))",
                QUIET,
            ),
            (
                "assert.Equal(t, \"\", name(x))",
                "assert.Empty(t, name(x))",
                QUIET,
            ),
            ("assert.Equal(t, 2, len(x))", "assert.Len(t, x, 2)", QUIET),
            (
                "assert.Equal(t, \"{}\", body(x))",
                "assert.JSONEq(t, \"{}\", body(x))",
                QUIET,
            ),
            ("assert.Equal(t, nil, err)", "require.NoError(t, err)", QUIET),
            (
                "assert.NotEqual(t, \"\", name(x))",
                "assert.NotEmpty(t, name(x))",
                QUIET,
            ),
            (
                "assert.False(t, one(x) == two(x))",
                "assert.NotEqual(t, one(x), two(x))",
                QUIET,
            ),
            ("assert.Equal(t, 4, two(x))", "assert.True(t, two(x) > 1)", WEAK),
            ("assert.Equal(t, 4, two(x))", "assert.NotNil(t, two(x))", WEAK),
            (
                "assert.Equal(t, true, isText(x))",
                "assert.NotNil(t, isText(x))",
                WEAK,
            ),
        ],
    );
    asserted(
        "ATest.java",
        "class ATest {\n  @Test\n  void a() {\n    assertEquals(4, two(2));\n    {};\n  }\n}\n",
        &[
            (
                "assertThat(read(x)).isEqualTo(null)",
                "assertThat(read(x)).isNull()",
                QUIET,
            ),
            (
                "assertThat(a(x)).isEqualTo(list)",
                "assertThat(a(x)).containsExactly(1, 2)",
                QUIET,
            ),
            (
                "assertThat(a(x)).isEqualTo(list)",
                "assertThat(a(x)).contains(1, 2)",
                WEAK,
            ),
            (
                "assertThat(a(x)).isEqualTo(b)",
                "assertThat(a(x)).isSameInstanceAs(b)",
                QUIET,
            ),
            ("assertEquals(4, two(x))", "assertNotNull(two(x))", WEAK),
            ("assertEquals(4, two(x))", "assertTrue(two(x))", WEAK),
            (
                "assertThat(two(x)).isEqualTo(4)",
                "assertThat(two(x)).isNotNull()",
                WEAK,
            ),
        ],
    );
    asserted(
        "ATest.php",
        "<?php\nclass ATest extends TestCase {\n  public function testA(): void {\n    $this->assertSame(4, two(2));\n    {};\n  }\n}\n",
        &[
            (
                "$this->assertEquals(1, count($x))",
                "$this->assertCount(1, $x)",
                QUIET,
            ),
            (
                "$this->assertEquals(1, two($x))",
                "$this->assertGreaterThan(0, two($x))",
                WEAK,
            ),
        ],
    );
    asserted(
        "a_spec.rb",
        "describe 'a' do\n  it 'works' do\n    two(2).must_equal 4\n    {}\n  end\nend\n",
        &[
            ("read(x).must_equal \"\"", "read(x).must_be_nil", QUIET),
            ("read(x).must_equal \"a\"", "read(x).must_match(/a/)", WEAK),
        ],
    );
    asserted(
        "tests/a.rs",
        "#[test]\nfn works() {\n    assert_eq!(two(2), 4);\n    {}\n}\n",
        &[
            ("assert_eq!(is_text(x), true);", "assert!(is_text(x));", QUIET),
            ("assert_eq!(read(x), None);", "assert!(read(x).is_none());", QUIET),
            (
                "assert_ne!(read(x), read(y));",
                "assert!(read(x) != read(y));",
                QUIET,
            ),
            ("assert_eq!(two(x), 4);", "assert!(two(x) > 1);", WEAK),
            ("assert_eq!(two(x), Some(4));", "assert!(two(x).is_some());", WEAK),
            ("assert_eq!(two(x), 4);", "assert!(is_text(two(x)));", WEAK),
        ],
    );
    asserted(
        "test_a.py",
        "def test_a():\n    assert two(2) == 4\n    {}\n",
        &[
            ("assert is_text(x) == True", "assert is_text(x)", QUIET),
            ("assert two(x) is None", "assert not two(x)", QUIET),
            (
                "assert two(x) == 0",
                "assert two(x) == 0 if x not in y else 1",
                QUIET,
            ),
            ("assert two(x) == 4", "assert two(x)", WEAK),
            ("assert two(x) == 4", "assert two(x) is not None", WEAK),
            ("assert is_text(x) == True", "assert is_text(x) is not None", WEAK),
        ],
    );
}

#[test]
fn ways_that_exclude_each_other_count_once() {
    let both = "test('a', () => {\n  if (name === 'webkit') {\n    expect(at(x)).toBe('10:38');\n  }\n  else {\n    expect(at(x)).toBe('10:33');\n  }\n  expect(size(x)).toBe(7);\n});\n";
    let one = "test('a', () => {\n  expect(at(x)).toBe('10:34');\n  expect(size(x)).toBe(7);\n});\n";
    assert_eq!(changed("a.test.js", both, one), ["note assertions_weakened"]);
    // One way alone asks for less on the other one; so does one that lost what stood beside the ways.
    let half = both.replace("  else {\n    expect(at(x)).toBe('10:33');\n  }\n", "");
    let less = one.replace("  expect(size(x)).toBe(7);\n", "");
    for less in [half, less] {
        assert_eq!(changed("a.test.js", both, &less), WEAK, "{less}");
    }
    let alone = "test('a', () => {\n  expect(at(x)).toBe('10:33');\n  if (deep) {\n    expect(size(x)).toBe(7);\n  }\n});\n";
    let less = "test('a', () => {\n  expect(at(x)).toBe('10:33');\n});\n";
    assert_eq!(changed("a.test.js", alone, less), WEAK);
    let python = "def test_a():\n    if old:\n        assert at(x) == \"10:38\"\n    elif new:\n        assert at(x) == \"10:39\"\n    else:\n        assert at(x) == \"10:33\"\n";
    assert_eq!(
        changed(
            "test_a.py",
            python,
            "def test_a():\n    assert at(x) == \"10:34\"\n"
        ),
        ["note assertions_weakened"]
    );
    let half = "def test_a():\n    if old:\n        assert at(x) == \"10:38\"\n";
    assert_eq!(changed("test_a.py", python, half), WEAK);
}

#[test]
fn a_whole_may_be_compared_in_the_place_of_its_parts() {
    let parts = "test('a', () => {\n  const issues = read(x);\n  expect(issues[0].code).toBe('odd_union');\n  expect((issues[0] as any).name).toBe('the second');\n  expect(issues.length).toBe(12);\n});\n";
    let whole = |text: &str| {
        format!(
            "test('a', () => {{\n  const issues = read(x);\n  expect(issues).toEqual([{text}]);\n  expect(issues.length).toBe(12);\n}});\n"
        )
    };
    let full = whole("{ code: 'odd_union', name: 'the second' }");
    assert_eq!(changed("a.test.ts", parts, &full), ["note assertions_weakened"]);
    // Without one of the values, about something else, and without what stood beside it.
    for less in [
        whole("{ code: 'odd_union' }"),
        full.replace("expect(issues)", "expect(others)"),
        full.replace("  expect(issues.length).toBe(12);\n", ""),
    ] {
        assert_eq!(changed("a.test.ts", parts, &less), WEAK, "{less}");
    }
}

#[test]
fn a_failure_that_is_handed_on() {
    let told = "it('a', function (done) {\n  get(x).then(function (res) {\n    assert.equal(res.data, 'OK');\n    done();\n  }).catch(function (err) {\n    assert.fail(err);\n    done();\n  });\n});\n";
    let handed = "it('a', function (done) {\n  get(x).then(function (res) {\n    assert.equal(res.data, 'OK');\n    done();\n  }).catch(done);\n});\n";
    assert_eq!(changed("a.test.js", told, handed), ["note assertions_weakened"]);
    let dropped = handed.replace(".catch(done)", ".catch(function (err) { done(); })");
    assert_eq!(changed("a.test.js", told, &dropped), WEAK);
    let other = handed.replace("    assert.equal(res.data, 'OK');\n", "");
    assert_eq!(changed("a.test.js", told, &other), WEAK);
}

#[test]
fn several_guards_in_one_head() {
    let two = "def test_a():\n    with pytest.raises(Odd):\n        with pytest.warns(UserWarning):\n            f(x)\n";
    let one = "def test_a():\n    with pytest.raises(Odd), pytest.warns(UserWarning):\n        f(x)\n";
    assert_eq!(changed("test_a.py", two, one), QUIET);
    let less = "def test_a():\n    with pytest.raises(Odd):\n        f(x)\n";
    assert_eq!(changed("test_a.py", two, less), WEAK);
}

#[test]
fn functions_of_other_files_and_of_the_test_itself() {
    let base = "import { open } from './open';\ntest('a', () => {\n  const page = open(x);\n  expect(page.pass).toBe(17);\n  expect(page.fail).toBe(2);\n  expect(page.all).toBe(19);\n});\n";
    let now = "import { counts } from './counts';\ntest('a', () => {\n  counts(x, 17, 2, 19);\n});\n";
    let helper = "export function counts(x, pass, fail, all) {\n  const page = open(x);\n  expect(page.pass).toBe(pass);\n  expect(page.fail).toBe(fail);\n  expect(page.all).toBe(all);\n}\n";
    let with = |helper: &str| {
        let all = found(&[
            ("test/a.test.js", Some(base), Some(now)),
            ("test/counts.js", None, Some(helper)),
        ]);
        all.iter().any(|f| f.starts_with("block"))
    };
    assert!(!with(helper));
    assert!(with(&helper.replace("  expect(page.fail).toBe(fail);\n", "")));
    // What it called before makes up for nothing; and what it asserted by another file's function may be its own by now.
    let checked = |own: &str| {
        format!(
            "import {{ counts }} from './counts';\ntest('a', () => {{\n  counts(x, 17, 2, 19);\n{own}}});\n"
        )
    };
    let both = "  expect(f(1)).toBe(10);\n  expect(f(2)).toBe(20);\n";
    let files = [
        (
            "test/a.test.js",
            Some(checked(both)),
            Some(checked("  expect(f(1)).toBe(10);\n")),
        ),
        (
            "test/counts.js",
            Some(helper.to_owned()),
            Some(format!("{helper}\n")),
        ),
    ];
    let files: Vec<File<'_>> = files
        .iter()
        .map(|(path, base, now)| (*path, base.as_deref(), now.as_deref()))
        .collect();
    assert_eq!(found(&files), WEAK);
    let inlined = [
        (
            "test/a.test.js",
            Some(now),
            Some("test('a', () => {\n  expect(open(x)).toEqual({ pass: 17, fail: 2, all: 19 });\n});\n"),
        ),
        ("test/counts.js", Some(helper), None),
    ];
    assert_eq!(found(&inlined), QUIET);
    // A function within a test is a part of it, and counts once.
    let nested = "def test_a():\n    def run(key):\n        with pytest.raises(Odd):\n            f(key)\n        assert g(key) == 500\n    for key in (\"a\", \"b\"):\n        run(key)\n";
    let flat = "@pytest.mark.parametrize(\"key\", [\"a\", \"b\"])\ndef test_a(key):\n    with pytest.raises(Odd):\n        f(key)\n    assert g(key) == 500\n";
    assert_eq!(changed("test_a.py", nested, flat), QUIET);
    let less = flat.replace("    assert g(key) == 500\n", "");
    assert_eq!(changed("test_a.py", nested, &less), WEAK);
}

#[test]
fn failures_that_are_asked_for() {
    let java = |tried: &str| {
        format!("class ATest {{\n  @Test\n  void a() {{\n    assertEquals(4, two(2));\n{tried}  }}\n}}\n")
    };
    let expected = java(
        "    try {\n      two(null);\n      fail();\n    } catch (NullPointerException expected) {\n    }\n",
    );
    assert_eq!(changed("ATest.java", &java(""), &expected), QUIET);
    // The failure itself would be caught; and nothing fails.
    for swallowed in [
        expected.replace("NullPointerException", "Throwable"),
        expected.replace("      fail();\n", ""),
    ] {
        assert_eq!(
            changed("ATest.java", &java(""), &swallowed),
            ["block errors_swallowed"],
            "{swallowed}"
        );
    }
    let go = |inside: &str| {
        format!(
            "package a\n\nfunc TestA(t *testing.T) {{\n\tdefer func() {{\n{inside}\t}}()\n\tassert.Equal(t, 4, two(2))\n}}\n"
        )
    };
    let base = go("\t\tclean()\n");
    for (inside, expected) in [
        (
            "\t\tif r := recover(); r != nil {\n\t\t\tt.Log(r)\n\t\t}\n",
            &["block errors_swallowed"][..],
        ),
        (
            "\t\tif r := recover(); r == nil {\n\t\t\tt.Error(\"no panic\")\n\t\t}\n",
            QUIET,
        ),
        ("\t\tcleanAll(tools{recover: 1})\n", QUIET),
    ] {
        assert_eq!(changed("a_test.go", &base, &go(inside)), expected, "{inside}");
    }
    // A server for the tests that asserts nothing.
    let server = "const serve = (request, response) => {\n  send(request, response);\n};\ntest('a', () => {\n  expect(get(serve)).toBe(4);\n});\n";
    let tried = server.replace(
        "  send(request, response);\n",
        "  try {\n    send(request, response);\n  } catch {}\n",
    );
    assert_eq!(changed("a.test.js", server, &tried), ["note errors_swallowed"]);
    let check = server.replace("send(request, response)", "expect(request).toBe(response)");
    let tried = check.replace(
        "  expect(request).toBe(response);\n",
        "  try {\n    expect(request).toBe(response);\n  } catch {}\n",
    );
    assert_eq!(changed("a.test.js", &check, &tried), ["block errors_swallowed"]);
}

#[test]
fn what_a_path_says_of_a_file() {
    // Material for tests that moves to another folder of its kind.
    let test = "test('simple', () => {\n  expect(two(2)).toBe(4);\n});\n";
    let moved = |from: &str, to: &str| found(&[(from, Some(test), None), (to, None, Some(test))]);
    assert_eq!(
        moved("test/fixtures-trace/a.test.ts", "test/fixtures/trace/a.test.ts"),
        QUIET
    );
    assert_eq!(
        moved("test/trace/a.test.ts", "test/fixtures-trace/a.test.ts"),
        ["block tests_unseen"]
    );
    // The product's own help for those who test with it.
    let client = "class Client:\n    def set(self, key):\n        assert self.jar is not None\n        self.jar.set(key)\n";
    let without = client.replace("        assert self.jar is not None\n", "");
    assert_eq!(changed("src/app/test.py", client, &without), QUIET);
    assert_eq!(
        changed("tests/test.py", client, &without),
        ["block assertions_weakened"]
    );
    // How a program for tests is set up.
    let asks =
        "module.exports = function (config) {\n  if (process.env.CI) {\n    config.set({});\n  }\n};\n";
    assert_eq!(found(&[("karma.conf.cjs", None, Some(asks))]), QUIET);
}

#[test]
fn counting_on_is_no_answer() {
    let test = "def test_a():\n    assert cut(\"a\\r\\nb\", 13) == 1\n";
    let base = "def cut(data, end):\n    return end\n";
    let with = |body: &str| {
        let now = format!("def cut(data, end):\n{body}    return end\n");
        found(&[
            ("test_cut.py", Some(test), Some(&format!("{test}\n"))),
            ("cut.py", Some(base), Some(&now)),
        ])
    };
    assert_eq!(with("    if data[end - 1] == 13:\n        end -= 1\n"), QUIET);
    assert_eq!(
        with("    if data[end - 1] == 13:\n        return 1\n"),
        ["block answers_copied"]
    );
}

#[test]
fn what_is_asked_of_an_answer_in_one_chain() {
    let base = "it('a', function (done) {\n  request(app).get('/').end(function (err, res) {\n    res.text.should.eql('ok');\n    res.status.should.equal(200);\n    done();\n  });\n});\n";
    let chain =
        "it('a', function (done) {\n  request(app).get('/')\n  .expect('ok')\n  .expect(200, done);\n});\n";
    assert_eq!(changed("a.test.js", base, chain), QUIET);
    let at_once = "it('a', function (done) {\n  request(app).get('/')\n  .expect(200, 'ok', done);\n});\n";
    let looked = "it('a', function (done) {\n  request(app).get('/')\n  .expect(200, function (err, res) {\n    res.text.should.eql('ok');\n    done();\n  });\n});\n";
    for same in [at_once, looked] {
        assert_eq!(changed("a.test.js", base, same), QUIET);
        assert_eq!(changed("a.test.js", chain, same), QUIET);
    }
    let less = at_once.replace("200, 'ok'", "200");
    assert_eq!(changed("a.test.js", at_once, &less), WEAK);
    for less in [
        chain.replace("  .expect('ok')\n", ""),
        chain.replace("  .expect('ok')\n  .expect(200, done)", "  .end(done)"),
        chain.replace(
            ".expect('ok')",
            ".expect(function (res) { res.text.should.exist; })",
        ),
    ] {
        assert_eq!(changed("a.test.js", base, &less), WEAK, "{less}");
        assert_eq!(changed("a.test.js", chain, &less), WEAK, "{less}");
    }
    // An assertion that belongs to a library is one with its matcher.
    let owned = "it('a', () => {\n  chai.expect(two(2)).to.equal(4);\n});\n";
    let less = owned.replace(".to.equal(4)", ".to.exist");
    assert_eq!(changed("a.test.js", owned, &less), WEAK);
    let bare = owned.replace("chai.expect(two(2)).to.equal(4)", "expect(two(2)).toBe(4)");
    let less = bare.replace(".toBe(4)", "");
    assert_eq!(changed("a.test.js", &bare, &less), WEAK);
    let called = "it('a', () => {\n  obj.should.have.property('env', 'test');\n});\n";
    let now = called.replace("obj.should", "should(obj)");
    assert_eq!(changed("a.test.js", called, &now), QUIET);
}
