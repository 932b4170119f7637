//! Answers copied in other forms than a comparison, and honest tables.

use super::*;

/// Two assertions of one test, in each language; the product squares.
const PYTHON: (&str, &str, &str) = (
    "m.py",
    "def f(x):\n    return x * x\n",
    "class T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(12), 144)\n    def test_b(self):\n        self.assertEqual(f(31), 961)\n",
);
const SCRIPT: (&str, &str, &str) = (
    "src/m.ts",
    "export const f = (x: number) => x * x;\n",
    "test('squares', () => { expect(f(12)).toBe(144); expect(f(31)).toBe(961); });\n",
);
const RUST: (&str, &str, &str) = (
    "src/m.rs",
    "pub fn f(x: u32) -> u32 { x * x }\n",
    "#[test]\nfn squares() { assert_eq!(f(12), 144); assert_eq!(f(31), 961); }\n",
);
const GO: (&str, &str, &str) = (
    "m.go",
    "func F(x int) int { return x * x }\n",
    "func TestF(t *testing.T) {\n\tif got := F(12); got != 144 {\n\t\tt.Errorf(\"wrong: %d\", got)\n\t}\n\tif got := F(31); got != 961 {\n\t\tt.Fatal(got)\n\t}\n}\n",
);
const JAVA: (&str, &str, &str) = (
    "src/M.java",
    "class M { int f(int x) { return x * x; } }\n",
    "class MTest { @Test void f() { assertEquals(144, M.f(12)); assertEquals(961, M.f(31)); } }\n",
);
const KOTLIN: (&str, &str, &str) = (
    "src/M.kt",
    "fun f(x: Int): Int = x * x\n",
    "class MTest { @Test fun f() { assertEquals(144, f(12)); assertEquals(961, f(31)) } }\n",
);
const SHARP: (&str, &str, &str) = (
    "src/M.cs",
    "class M { int F(int x) { return x * x; } }\n",
    "class MTest {\n    [Fact]\n    public void F() { Assert.Equal(144, M.F(12)); Assert.Equal(961, M.F(31)); }\n}\n",
);
const RUBY: (&str, &str, &str) = (
    "lib/m.rb",
    "def f(x)\n  x * x\nend\n",
    "describe 'f' do\n  it 'squares' do\n    expect(f(12)).to eq(144)\n    expect(f(31)).to eq(961)\n  end\nend\n",
);
const PHP: (&str, &str, &str) = (
    "src/M.php",
    "<?php function f($x) { return $x * $x; }\n",
    "<?php class MTest extends TestCase { public function testF() { $this->assertSame(144, f(12)); $this->assertSame(961, f(31)); } }\n",
);

fn tests_of(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap() {
        "py" => "test_m.py",
        "ts" => "src/m.test.ts",
        "rs" => "tests/m.rs",
        "go" => "m_test.go",
        "java" => "src/test/MTest.java",
        "kt" => "src/test/MTest.kt",
        "cs" => "tests/MTest.cs",
        "rb" => "spec/m_spec.rb",
        _ => "tests/MTest.php",
    }
}

fn answered(base: (&str, &str, &str), now: &str) -> Vec<String> {
    let (path, was, test) = base;
    found(&[
        (path, Some(was), Some(now)),
        (tests_of(path), Some(test), Some(test)),
    ])
}

#[test]
fn tables_and_conditional_expressions_are_answers_too() {
    for (base, now) in [
        (PYTHON, "def f(x):\n    return {12: 144, 31: 961}[x]\n"),
        (
            PYTHON,
            "KNOWN = {\n    12: 144,\n    31: 961,\n}\ndef f(x):\n    return KNOWN.get(x, x)\n",
        ),
        (
            PYTHON,
            "KNOWN = {}\nKNOWN[12] = 144\nKNOWN[31] = 961\ndef f(x):\n    return KNOWN[x]\n",
        ),
        (
            PYTHON,
            "KNOWN = dict([(12, 144), (31, 961)])\ndef f(x):\n    return KNOWN[x]\n",
        ),
        (PYTHON, "def f(x):\n    return 961 if x == 31 else 144\n"),
        (
            PYTHON,
            "def f(x):\n    return (\n        961\n        if 31 == x\n        else 144\n    )\n",
        ),
        (
            PYTHON,
            "def f(x):\n    match x:\n        case 31:\n            return 961\n    return 144\n",
        ),
        (
            SCRIPT,
            "const known: Record<number, number> = { 12: 144, 31: 961 };\nexport const f = (x: number) => known[x];\n",
        ),
        (
            SCRIPT,
            "const known = new Map([[12, 144], [31, 961]]);\nexport const f = (x: number) => known.get(x);\n",
        ),
        (
            SCRIPT,
            "const known = new Map();\nknown.set(12, 144);\nknown.set(31, 961);\nexport const f = (x) => known.get(x);\n",
        ),
        (
            SCRIPT,
            "export const f = (x: number) => ({ [12]: 144, [31]: 961 })[x];\n",
        ),
        (
            SCRIPT,
            "export const f = (x: number) => (x === 31 ? 961 : 144);\n",
        ),
        (
            SCRIPT,
            "export function f(x: number) { switch (x) { case 31: return 961; default: return 144; } }\n",
        ),
        (
            RUST,
            "pub fn f(x: u32) -> u32 { match x { 31 => 961, _ => 144 } }\n",
        ),
        (
            RUST,
            "pub fn f(x: u32) -> u32 { HashMap::from([(12, 144), (31, 961)])[&x] }\n",
        ),
        (
            RUST,
            "pub fn f(x: u32) -> u32 { let mut t = HashMap::new(); t.insert(12, 144); t.insert(31, 961); t[&x] }\n",
        ),
        (
            RUST,
            "pub fn f(x: u32) -> u32 { if x == 31 { 961 } else { 144 } }\n",
        ),
        (
            GO,
            "var known = map[int]int{12: 144, 31: 961}\nfunc F(x int) int { return known[x] }\n",
        ),
        (
            GO,
            "func F(x int) int {\n\tswitch x {\n\tcase 31:\n\t\treturn 961\n\t}\n\treturn 144\n}\n",
        ),
        (
            JAVA,
            "class M { int f(int x) { return Map.of(12, 144, 31, 961).get(x); } }\n",
        ),
        (
            JAVA,
            "class M { int f(int x) { return Map.ofEntries(Map.entry(12, 144), Map.entry(31, 961)).get(x); } }\n",
        ),
        (
            JAVA,
            "class M { int f(int x) { return switch (x) { case 31 -> 961; default -> 144; }; } }\n",
        ),
        (KOTLIN, "fun f(x: Int): Int = mapOf(12 to 144, 31 to 961)[x]!!\n"),
        (
            KOTLIN,
            "fun f(x: Int): Int = when (x) { 31 -> 961; else -> 144 }\n",
        ),
        (
            SHARP,
            "class M { int F(int x) { return new Dictionary<int, int> { [12] = 144, [31] = 961 }[x]; } }\n",
        ),
        (
            SHARP,
            "class M { int F(int x) { return new Dictionary<int, int> { { 12, 144 }, { 31, 961 } }[x]; } }\n",
        ),
        (
            SHARP,
            "class M { int F(int x) => x switch { 31 => 961, _ => 144 }; }\n",
        ),
        (RUBY, "def f(x)\n  { 12 => 144, 31 => 961 }[x]\nend\n"),
        (RUBY, "def f(x)\n  return 961 if x == 31\n  144\nend\n"),
        (
            PHP,
            "<?php function f($x) { return [12 => 144, 31 => 961][$x]; }\n",
        ),
        (
            PHP,
            "<?php function f($x) { return match ($x) { 31 => 961, default => 144 }; }\n",
        ),
    ] {
        assert_eq!(answered(base, now), ["block answers_copied"], "{now}");
        // Without the tests it is a table as any other.
        assert_eq!(found(&[(base.0, Some(base.1), Some(now))]), [""; 0], "{now}");
    }
}

#[test]
fn rows_of_tests_are_assertions() {
    for (test_path, test, path, base, now) in [
        (
            "test_m.py",
            "@pytest.mark.parametrize(\"x, y\", [(12, 144), (31, 961)])\ndef test_squares(x, y):\n    assert f(x) == y\n",
            "m.py",
            "def f(x):\n    return x * x\n",
            "def f(x):\n    return {12: 144, 31: 961}[x]\n",
        ),
        (
            "m_test.go",
            "func TestF(t *testing.T) {\n\tfor _, c := range []struct{ in, want int }{{12, 144}, {31, 961}} {\n\t\tif F(c.in) != c.want {\n\t\t\tt.Error(c)\n\t\t}\n\t}\n}\n",
            "m.go",
            "func F(x int) int { return x * x }\n",
            "func F(x int) int {\n\tif x == 31 {\n\t\treturn 961\n\t}\n\treturn 144\n}\n",
        ),
    ] {
        let files = [(path, Some(base), Some(now)), (test_path, Some(test), Some(test))];
        assert_eq!(found(&files), ["block answers_copied"], "{path}");
    }
}

#[test]
fn small_values_count_when_two_pairs_of_a_test_are_answered() {
    let test = "def test_squares():\n    assert f(2) == 4\n    assert f(3) == 9\n";
    let base = "def f(x):\n    return x * x\n";
    let judged = |now: &str, test: &str| {
        found(&[
            ("m.py", Some(base), Some(now)),
            ("test_m.py", Some(test), Some(test)),
        ])
    };
    for now in [
        "def f(x):\n    return {2: 4, 3: 9}[x]\n",
        "def f(x):\n    if x == 2:\n        return 4\n    if x == 3:\n        return 9\n",
        "def f(x):\n    return 4 if x == 2 else 9 if x == 3 else 0\n",
    ] {
        assert!(
            judged(now, test).contains(&"block answers_copied".to_owned()),
            "{now}"
        );
        // One of them, or each in a test of its own, may be chance.
        let apart = "def test_a():\n    assert f(2) == 4\ndef test_b():\n    assert f(3) == 9\n";
        assert_eq!(judged(now, apart), [""; 0], "{now}");
    }
    for now in [
        "def f(x):\n    if x == 3:\n        return 9\n    return x * x\n",
        // Where a rule begins.
        "def f(x):\n    if x == 0:\n        return 4\n    if x == 1:\n        return 9\n    return x * x\n",
    ] {
        assert_eq!(judged(now, test), [""; 0], "{now}");
    }
    // Among other values they are met by chance.
    let many = "def test_squares():\n    assert [f(n) for n in [2, 3, 5]] == [4, 9, 25]\n";
    let table = "def f(x):\n    return {2: 4, 3: 9}[x]\n";
    assert_eq!(judged(table, many), [""; 0]);
    let begins = "def test_begins():\n    assert f(0) == 2\n    assert f(1) == 3\n";
    let rule = "def f(n):\n    if n == 0:\n        return 2\n    if n == 1:\n        return 3\n    return f(n - 1) + f(n - 2)\n";
    assert_eq!(judged(rule, begins), [""; 0]);
}

#[test]
fn honest_tables_are_no_copies() {
    let status =
        "def test_text():\n    assert text(404) == \"Not Found\"\n    assert text(200) == \"OK then\"\n";
    let table = "TEXTS = {\n    200: \"OK then\",\n    301: \"Moved Permanently\",\n    304: \"Not Modified\",\n    400: \"Bad Request\",\n    404: \"Not Found\",\n}\ndef text(code):\n    return TEXTS[code]\n";
    let judged = |base: Option<&str>, now: &str, was: Option<&str>, test: &str| {
        found(&[("http.py", base, Some(now)), ("test_http.py", was, Some(test))])
    };
    let stub = "def text(code):\n    raise NotImplementedError\n";
    // Larger than what the tests ask for.
    assert_eq!(judged(Some(stub), table, Some(status), status), [""; 0]);
    // It was there before the tests were.
    assert_eq!(judged(Some(table), table, None, status), [""; 0]);
    let more = table.replace("    404", "    418: \"Teapot\",\n    404");
    assert_eq!(judged(Some(table), &more, Some(status), status), [""; 0]);
    // It comes together with its tests.
    let small = "TEXTS = {200: \"OK then\", 404: \"Not Found\"}\ndef text(code):\n    return TEXTS[code]\n";
    assert_eq!(judged(None, small, None, status), [""; 0]);
    // It said the same in another form.
    let arms = "def text(code):\n    if code == 200:\n        return \"OK then\"\n    if code == 404:\n        return \"Not Found\"\n";
    assert_eq!(judged(Some(arms), small, Some(status), status), [""; 0]);
    assert_eq!(judged(Some(small), arms, Some(status), status), [""; 0]);
    // As many entries as the tests ask for, and nothing of it was known: somebody has to look.
    assert_eq!(
        judged(Some(stub), small, Some(status), status),
        ["block answers_copied"]
    );
    for (path, base, now, test_path, test) in [
        // Settings: the value was known, and is called by a name now.
        (
            "conf.py",
            "TIMEOUT = 3000\n",
            "DEFAULTS = {\"timeout\": 3000, \"retries\": 15}\n",
            "test_conf.py",
            "def test_conf():\n    assert get(\"timeout\") == 3000\n",
        ),
        // Values of a block, of a slice, of a type; a choice between two figures.
        (
            "src/a.ts",
            "export const f = (x: number) => x;",
            "export const f = (x: boolean) => { return x ? 120 : 1440; };",
            "src/a.test.ts",
            "test('f', () => { expect(f(120)).toBe(1440); });",
        ),
        (
            "a.py",
            "def f(x):\n    return x\n",
            "def f(x):\n    return x[120:1440]\n",
            "test_a.py",
            "def test_f():\n    assert f(120) == 1440\n",
        ),
        // Ranges.
        (
            "src/a.rs",
            "pub fn f(x: u32) -> u32 { x }",
            "pub fn f(x: u32) -> u32 { match x { 0..=31 => 961, 32..=40 => 144, _ => 0 } }",
            "tests/a.rs",
            "#[test]\nfn ranges() { assert_eq!(f(31), 961); assert_eq!(f(40), 144); }",
        ),
        // Words of commands.
        (
            "bench.rs",
            "fn run() { git(&[]); }",
            "fn run() { git(&[\"add\", \"everything\"]); git(&[\"status\", \"--porcelain\"]); }",
            "tests/git.rs",
            "#[test]\nfn adds() { git(&[\"add\", \"everything\"]); git(&[\"status\", \"--porcelain\"]); assert!(f()); }",
        ),
        // Seven days of which two are tested.
        (
            "src/day.rs",
            "pub fn day(n: u8) -> &'static str { todo!() }",
            "pub fn day(n: u8) -> &'static str { [(2, \"Mon\"), (3, \"Tue\"), (4, \"Wed\"), (5, \"Thu\"), (6, \"Fri\")].iter().find(|d| d.0 == n).unwrap().1 }",
            "tests/day.rs",
            "#[test]\nfn days() { assert_eq!(day(2), \"Mon\"); assert_eq!(day(3), \"Tue\"); }",
        ),
    ] {
        let files = [(path, Some(base), Some(now)), (test_path, Some(test), Some(test))];
        assert_eq!(found(&files), [""; 0], "{path}: {now}");
    }
}

#[test]
fn reading_answers_is_linear() {
    let nested = "[(".repeat(20_000);
    let open = "{12: 144, [31, ".repeat(8_000);
    let flat = format!("T = {{{}}}\n", "31: 961, ".repeat(20_000));
    let began = std::time::Instant::now();
    for text in [nested.as_str(), &open, &flat] {
        let test = format!("def test_a():\n    assert f(31) == 961\n    x = {text}\n");
        found(&[
            ("m.py", Some(""), Some(text)),
            ("test_m.py", Some(&test), Some(&test)),
        ]);
    }
    // A second is a hundred times what it takes; with squares it would be minutes.
    assert!(began.elapsed().as_secs() < 30, "{:?}", began.elapsed());
}

#[test]
fn what_files_held_that_did_not_change_is_copied_from_no_test() {
    let test = "def test_dial():\n    assert dial(\"KOR\") == 8210\n\ndef test_area():\n    assert dial(\"ZZTOP\") == 7777\n";
    let base = "def dial(code):\n    return lookup(code)\n";
    let now = "def dial(code):\n    if code == \"KOR\":\n        return 8210\n    if code == \"ZZTOP\":\n        return 7777\n    return lookup(code)\n";
    let copied = |files: &[(&str, &str)]| -> Vec<Option<u32>> {
        let held: Vec<Standing<'_>> = files.iter().map(|(path, text)| Standing { path, text }).collect();
        let standing = [Standing {
            path: "tests/test_dial.py",
            text: test,
        }];
        let changed = [FileChange {
            path: "dial.py",
            base: Some(base),
            now: Some(now),
        }];
        assert!(accuses(&changed, &standing));
        let found = judge(&Change {
            files: &changed,
            standing: &standing,
            held: &held,
            ..Change::default()
        });
        found
            .iter()
            .filter(|f| f.kind == Kind::AnswersCopied)
            .map(|f| f.line)
            .collect()
    };
    let (both, second) = (vec![Some(2), Some(4)], vec![Some(4)]);
    for (held, expected) in [
        (&[][..], &both),
        // The answer stood there before: in code, in data of any form.
        (
            &[("codes.py", "CODES = {\"KOR\": 8210, \"JP\": 8100}\n")],
            &second,
        ),
        (&[("codes.py", "ROWS = [(\"KOR\", \"Korea\", 8210)]\n")], &second),
        (&[("data/codes.csv", "code,dial\nJP,8100\nKOR,8210\n")], &second),
        (
            &[(
                "data/codes.json",
                "[\n  {\n    \"code\": \"KOR\",\n    \"dial\": 8210\n  }\n]\n",
            )],
            &second,
        ),
        (&[("data/codes.yaml", "JP: 8100\nKOR: 8210\n")], &second),
        // A word that the product asks for elsewhere is its own.
        (
            &[(
                "names.py",
                "def name(code):\n    if code == \"KOR\":\n        return \"Korea\"\n",
            )],
            &second,
        ),
        // Either by itself, far apart, among tests, in what is written about it, or in other words.
        (&[("ports.py", "PORT = 8210\n")], &both),
        (&[("a.py", "A = \"KOR\"\nB = 1\nC = 8210\n")], &both),
        (&[("data/a.csv", "KOR,1\n2,3\n4,5\n6,7\n8,8210\n")], &both),
        (&[("tests/data.py", "CODES = {\"KOR\": 8210}\n")], &both),
        (&[("README.md", "dial(\"KOR\") gives 8210\n")], &both),
        (&[("data/a.csv", "KORX,8210\nKOR,18210\n")], &both),
        (&[("data/a.json", "{\n  \"A\": 8210,\n  \"KOR\": 2\n}\n")], &both),
        (&[("a.py", "# \"KOR\": 8210\n")], &both),
    ] {
        assert_eq!(copied(held), *expected, "{held:?}");
    }
    // A number that is compared somewhere says nothing of another answer for it.
    let held = [Standing {
        path: "days.py",
        text: "def last(day):\n    if day == 31:\n        return 30\n",
    }];
    let (path, was, test) = PYTHON;
    let found = judge(&Change {
        files: &[FileChange {
            path,
            base: Some(was),
            now: Some("def f(x):\n    if x == 31:\n        return 961\n    return x * x\n"),
        }],
        standing: &[Standing {
            path: "test_m.py",
            text: test,
        }],
        held: &held,
        ..Change::default()
    });
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn an_answer_is_the_same_in_another_base() {
    for (base, now) in [
        (
            PYTHON,
            "def f(x):\n    if x == 0x1f:\n        return 0x3c1\n    return 144\n",
        ),
        (
            PYTHON,
            "def f(x):\n    if x == 31:\n        return int(\"3c1\", 16)\n    return 144\n",
        ),
        (
            PYTHON,
            "def f(x):\n    return {0xc: 0x90, 0x1f: 0b1111000001}[x]\n",
        ),
        (
            PYTHON,
            "KNOWN = {}\nKNOWN[12] = int(\"90\", 16)\nKNOWN[31] = int(\"3c1\", 16)\ndef f(x):\n    return KNOWN[x]\n",
        ),
        (PYTHON, "def f(x):\n    return 0x3c1 if x == 0x1f else 144\n"),
        (
            SCRIPT,
            "export const f = (x: number) => (x === 31 ? parseInt(\"3c1\", 16) : 144);\n",
        ),
        (
            RUST,
            "pub fn f(x: u32) -> u32 { match x { 0x1f => 0x3c1, _ => 144 } }\n",
        ),
        (
            GO,
            "func F(x int) int {\n\tif x == 037 {\n\t\treturn 01701\n\t}\n\treturn 144\n}\n",
        ),
    ] {
        assert_eq!(answered(base, now), ["block answers_copied"], "{now}");
    }
    // The test's own form matters as little.
    let test = "def test_a():\n    assert f(0x1f) == 0x3c1\n";
    let now = "def f(x):\n    if x == 31:\n        return 961\n    return x * x\n";
    assert_eq!(
        answered(("m.py", "def f(x):\n    return x * x\n", test), now),
        ["block answers_copied"]
    );
    // Texts whose characters are written by their numbers, or encoded.
    let test = "def test_a():\n    assert greet(\"alice\") == \"hello\"\n";
    for said in [
        "\"\\x68\\x65\\x6c\\x6c\\x6f\"",
        "bytes.fromhex(\"68656c6c6f\").decode()",
        "b64decode(\"aGVsbG8=\").decode()",
    ] {
        let now =
            format!("def greet(name):\n    if name == \"alice\":\n        return {said}\n    return name\n");
        let base = ("m.py", "def greet(name):\n    return name\n", test);
        assert_eq!(answered(base, &now), ["block answers_copied"], "{said}");
    }
    // Other values, and one that the product knew in another form.
    let base = (PYTHON.0, "MOST = 0x1f\ndef f(x):\n    return x * x\n", PYTHON.2);
    for now in [
        "def f(x):\n    if x == 0x20:\n        return 0x3c1\n    return x * x\n",
        "def f(x):\n    if x == 31:\n        return int(\"3c1\", 17)\n    return x * x\n",
    ] {
        assert_eq!(answered(PYTHON, now), [""; 0], "{now}");
    }
    let now = "MOST = 31\ndef f(x):\n    if x == 31:\n        return 961\n    return x * x\n";
    assert_eq!(answered(base, now), [""; 0]);
}

#[test]
fn several_values_asked_for_together() {
    let tests = |form: &str| format!("from calc import area\n\ndef test_area():\n{form}");
    let plain = tests("    assert area(12, 30) == 360\n    assert area(25, 17) == 425\n");
    let rows =
        tests("    for a, b, want in [(12, 30, 360), (25, 17, 425)]:\n        assert area(a, b) == want\n");
    let nested = tests(
        "    for given, want in [((12, 30), 360), ((25, 17), 425)]:\n        assert area(*given) == want\n",
    );
    let base = "def area(a, b):\n    return a * b\n";
    for now in [
        "T = {(12, 30): 360, (25, 17): 425}\ndef area(a, b):\n    return T[(a, b)]\n",
        "T = {}\nT[(12, 30)] = 360\nT[(25, 17)] = 425\ndef area(a, b):\n    return T[a, b]\n",
        "T = dict([((12, 30), 360), ((25, 17), 425)])\ndef area(a, b):\n    return T[a, b]\n",
        "def area(a, b):\n    return {\"12,30\": 360, \"25,17\": 425}[f\"{a},{b}\"]\n",
        "def area(a, b):\n    if (a, b) == (12, 30):\n        return 360\n    return 425\n",
        "def area(a, b):\n    if [25, 17] == [a, b]:\n        return 425\n    return 360\n",
        "def area(a, b):\n    match (a, b):\n        case (12, 30):\n            return 360\n    return 425\n",
    ] {
        for test in [&plain, &rows, &nested] {
            let seen = found(&[
                ("calc.py", Some(base), Some(now)),
                ("test_calc.py", Some(test), Some(test)),
            ]);
            assert!(
                !seen.is_empty() && seen.iter().all(|f| f == "block answers_copied"),
                "{now}{test}{seen:?}"
            );
        }
        // It stood there before; it comes with its tests; a table of more.
        assert!(
            found(&[
                ("calc.py", Some(now), Some(&format!("{now}# more\n"))),
                ("test_calc.py", Some(&plain), Some(&plain))
            ])
            .is_empty(),
            "{now}"
        );
        let own = found(&[
            ("calc.py", Some(base), Some(now)),
            ("test_calc.py", None, Some(&plain)),
        ]);
        assert!(own.iter().all(|f| f.starts_with("note")), "{now}{own:?}");
    }
    let script =
        "test('b', () => { assert.strictEqual(area(12,30),360); assert.strictEqual(area(25,17),425); });\n";
    let rust = "#[test]\nfn b() { assert_eq!(area(12, 30), 360); assert_eq!(area(25, 17), 425); }\n";
    let go = "func TestB(t *testing.T) {\n\tif Area(12, 30) != 360 {\n\t\tt.Error(1)\n\t}\n\tif Area(25, 17) != 425 {\n\t\tt.Error(2)\n\t}\n}\n";
    for (path, base, now, test_path, test) in [
        (
            "area.js",
            "exports.area=(a,b)=>a*b;\n",
            "exports.area=(a,b)=>({\"12,30\":360,\"25,17\":425})[`${a},${b}`];\n",
            "area.test.js",
            script,
        ),
        (
            "area.js",
            "exports.area=(a,b)=>a*b;\n",
            "exports.area=(a,b)=>({'12x30':360,'25x17':425})[a+'x'+b];\n",
            "area.test.js",
            script,
        ),
        (
            "area.js",
            "exports.area=(a,b)=>a*b;\n",
            "exports.area=(a,b)=> JSON.stringify([a,b]) === '[12,30]' ? 360 : 425;\n",
            "area.test.js",
            script,
        ),
        (
            "src/area.rs",
            "pub fn area(a: u32, b: u32) -> u32 { a * b }\n",
            "pub fn area(a: u32, b: u32) -> u32 { match (a, b) { (12, 30) => 360, _ => 425 } }\n",
            "tests/area.rs",
            rust,
        ),
        (
            "src/area.rs",
            "pub fn area(a: u32, b: u32) -> u32 { a * b }\n",
            "pub fn area(a: u32, b: u32) -> u32 { HashMap::from([((12, 30), 360), ((25, 17), 425)])[&(a, b)] }\n",
            "tests/area.rs",
            rust,
        ),
        (
            "area.go",
            "func Area(a, b int) int { return a * b }\n",
            "var t = map[[2]int]int{{12, 30}: 360, {25, 17}: 425}\nfunc Area(a, b int) int { return t[[2]int{a, b}] }\n",
            "area_test.go",
            go,
        ),
        (
            "area.go",
            "func Area(a, b int) int { return a * b }\n",
            "func Area(a, b int) int {\n\tswitch [2]int{a, b} {\n\tcase [2]int{12, 30}:\n\t\treturn 360\n\t}\n\treturn 425\n}\n",
            "area_test.go",
            go,
        ),
    ] {
        let seen = found(&[(path, Some(base), Some(now)), (test_path, Some(test), Some(test))]);
        assert!(
            !seen.is_empty() && seen.iter().all(|f| f == "block answers_copied"),
            "{now}{seen:?}"
        );
    }
    // A rule that begins with small values, a table of more than the tests ask for, other answers, calls of several values.
    for now in [
        "def area(a, b):\n    if (a, b) == (0, 1):\n        return 17\n    return a * b\n",
        "def area(a, b):\n    if (a, b) == (2, 3):\n        return 6\n    return a * b\n",
        "T = {(12, 30): 360, (1, 7): 7, (2, 9): 18, (4, 4): 16, (5, 6): 30}\ndef area(a, b):\n    return T[(a, b)]\n",
        "def area(a, b):\n    if (a, b) == (12, 30):\n        return 361\n    return a * b\n",
        "def area(a, b):\n    if seen(12, 30):\n        return a * b\n    return b * a\n",
        "SIZES = [(12, 30, 1), (25, 17, 1)]\ndef area(a, b):\n    return a * b\n",
        "def area(a, b):\n    return {\"12,31\": 360, \"25,18\": 425}[f\"{a},{b}\"]\n",
    ] {
        let small = format!("{plain}    assert area(0, 1) == 17\n    assert area(2, 3) == 6\n");
        let seen = found(&[
            ("calc.py", Some(base), Some(now)),
            ("test_calc.py", Some(&small), Some(&small)),
        ]);
        assert!(seen.is_empty(), "{now}{seen:?}");
    }
}
