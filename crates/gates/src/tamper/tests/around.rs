//! Code that runs around the tests: what turns them off, and what only sets them up.

use super::*;

const OFF: &[&str] = &["block tests_turned_off"];
const QUIET: &[&str] = &[];

/// Files that are new, or to which this is added.
fn added(cases: &[(&str, &str, &[&str])]) {
    for (path, text, expected) in cases {
        assert_eq!(found(&[(path, None, Some(text))]), *expected, "{path}:\n{text}");
        // As if it had stood there all along, and in another file.
        assert_eq!(changed(path, text, text), QUIET, "{path}:\n{text}");
        let old = format!("moved/{path}");
        let moved = findings(&[(&old, Some(text), None), (path, None, Some(text))]);
        let told = moved.iter().find(|f| f.kind == Kind::TestsTurnedOff);
        assert!(told.is_none(), "{path} from {old}:\n{text}\n{told:?}");
    }
}

#[test]
fn what_a_go_package_does_before_its_tests() {
    let main = |body: &str| format!("package a\n\nfunc TestMain(m *testing.M) {{\n{body}\n}}\n");
    for (body, expected) in [
        ("\tm.Run()\n\tos.Exit(0)", OFF),
        (
            "\tos.Exit(0)",
            &["block tests_turned_off", "block tests_turned_off"][..],
        ),
        ("\tsetUp()", OFF),
        ("\tif true {\n\t\treturn\n\t}\n\tos.Exit(m.Run())", OFF),
        ("\tflag.Set(\"test.run\", \"^$\")\n\tos.Exit(m.Run())", OFF),
        (
            "\tos.Args = append(os.Args, \"-test.skip=.\")\n\tos.Exit(m.Run())",
            OFF,
        ),
        ("\tos.Exit(m.Run())", QUIET),
        ("\tcode := m.Run()\n\tclean()\n\tos.Exit(code)", QUIET),
        ("\tgoleak.VerifyTestMain(m)", QUIET),
        ("\tm.Run()", QUIET),
        (
            "\tif err := setUp(); err != nil {\n\t\tos.Exit(1)\n\t}\n\tdefer clean()\n\tm.Run()",
            QUIET,
        ),
        ("\tset(func() int { return 3 })\n\tm.Run()", QUIET),
    ] {
        added(&[("a/main_test.go", &main(body), expected)]);
        // The same words in the product are another function.
        added(&[("a/main.go", &main(body), QUIET)]);
    }
    added(&[
        (
            "a/a_test.go",
            "package a\n\nfunc init() {\n\tos.Exit(0)\n}\n",
            OFF,
        ),
        (
            "a/a_test.go",
            "package a\n\nfunc init() {\n\tflag.Set(\"test.short\", \"true\")\n}\n",
            OFF,
        ),
        (
            "a/a_test.go",
            "package a\n\nfunc init() {\n\tos.Setenv(\"TZ\", \"UTC\")\n}\n",
            QUIET,
        ),
        (
            "a/a_test.go",
            "package a\n\nfunc (c cmd) init() {\n\tos.Exit(0)\n}\n",
            QUIET,
        ),
        (
            "a/a_test.go",
            "package a\n\nfunc run(m *testing.M) int {\n\tm.Run()\n\treturn 0\n}\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(run(m))\n}\n",
            OFF,
        ),
        (
            "a/a_test.go",
            "package a\n\nfunc run(m *testing.M) int {\n\tdefer clean()\n\treturn m.Run()\n}\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(run(m))\n}\n",
            QUIET,
        ),
    ]);
}

#[test]
fn what_hooks_of_pytest_do_to_the_tests() {
    let items = |body: &str| format!("def pytest_collection_modifyitems(config, items):\n{body}\n");
    for (body, expected) in [
        ("    items.clear()", OFF),
        ("    items[:] = []", OFF),
        ("    del items[1:]", OFF),
        (
            "    items[:] = [i for i in items if \"slow\" not in i.keywords]",
            OFF,
        ),
        ("    items[:] = chosen(items)", OFF),
        (
            "    for item in items:\n        item.add_marker(pytest.mark.skip(reason=\"later\"))",
            OFF,
        ),
        ("    for item in items:\n        item.add_marker(\"xfail\")", OFF),
        ("    config.hook.pytest_deselected(items=items[1:])", OFF),
        ("    items.sort(key=lambda i: i.name)", QUIET),
        ("    items[:] = sorted(items, key=lambda i: i.name)", QUIET),
        ("    items[:] = quick + slow", QUIET),
        (
            "    for item in items:\n        item.add_marker(pytest.mark.asyncio)",
            QUIET,
        ),
        (
            "    for item in items:\n        if \"skip\" in item.keywords:\n            count(item)",
            QUIET,
        ),
        ("    # items.clear()\n    print(\"items.clear()\")", QUIET),
    ] {
        added(&[("tests/conftest.py", &items(body), expected)]);
    }
    added(&[
        (
            "conftest.py",
            "@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    rep = outcome.get_result()\n    rep.outcome = \"passed\"\n",
            OFF,
        ),
        (
            "conftest.py",
            "def pytest_runtest_makereport(item, call):\n    call.excinfo = None\n",
            OFF,
        ),
        (
            "conftest.py",
            "def mend(rep):\n    setattr(rep, \"outcome\", \"passed\")\n",
            OFF,
        ),
        (
            "conftest.py",
            "@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport(item, call):\n    rep = yield\n    if rep.when == \"call\" and leaked(item):\n        rep.outcome = \"failed\"\n    item.rep = rep\n    return rep\n",
            QUIET,
        ),
        (
            "conftest.py",
            "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n",
            OFF,
        ),
        (
            "conftest.py",
            "def pytest_sessionfinish(session, exitstatus):\n    os._exit(0)\n",
            OFF,
        ),
        (
            "conftest.py",
            "def pytest_sessionfinish(session, exitstatus):\n    os._exit(exitstatus)\n",
            QUIET,
        ),
        (
            "conftest.py",
            "def pytest_configure(config):\n    pytest.exit(\"done\", returncode=0)\n",
            OFF,
        ),
        (
            "conftest.py",
            "def pytest_configure(config):\n    pytest.exit(\"no database\")\n",
            QUIET,
        ),
        ("conftest.py", "import sys\nsys.exit(0)\n", OFF),
        (
            "conftest.py",
            "def pytest_ignore_collect(path):\n    return \"slow\" in str(path)\n",
            OFF,
        ),
        (
            "conftest.py",
            "def pytest_ignore_collect(path):\n    return None\n",
            QUIET,
        ),
        (
            "conftest.py",
            "def pytest_pyfunc_call(pyfuncitem):\n    return True\n",
            OFF,
        ),
        (
            "conftest.py",
            "def pytest_pyfunc_call(pyfuncitem):\n    asyncio.run(pyfuncitem.obj(**given(pyfuncitem)))\n    return True\n",
            QUIET,
        ),
        (
            "conftest.py",
            "def pytest_runtest_setup(item):\n    pytest.skip(\"later\")\n",
            OFF,
        ),
        ("conftest.py", "collect_ignore = [\"tests/test_slow.py\"]\n", OFF),
        ("conftest.py", "collect_ignore_glob = [\"*_slow.py\"]\n", OFF),
        ("conftest.py", "collect_ignore = [\"setup.py\"]\n", QUIET),
        (
            "conftest.py",
            "@pytest.fixture(autouse=True)\ndef quick():\n    pytest.skip(\"later\")\n",
            OFF,
        ),
        // A fixture, for whoever asks for it.
        (
            "conftest.py",
            "@pytest.fixture\ndef db():\n    pytest.skip(\"no database\")\n",
            QUIET,
        ),
        (
            "conftest.py",
            "@pytest.fixture(autouse=True)\ndef quick(monkeypatch):\n    monkeypatch.setenv(\"A\", \"1\")\n\n@pytest.fixture\ndef db():\n    pytest.skip(\"no database\")\n",
            QUIET,
        ),
        (
            "conftest.py",
            "@pytest.fixture\ndef one():\n    return 1\n",
            QUIET,
        ),
        (
            "tests/test_a.py",
            "class TestA(unittest.TestCase):\n    def setUp(self):\n        self.skipTest(\"later\")\n",
            OFF,
        ),
        (
            "tests/test_a.py",
            "class TestA(unittest.TestCase):\n    def setUp(self):\n        self.a = A()\n",
            QUIET,
        ),
        (
            "tests/test_plugin.py",
            "def test_runs(pytester):\n    class Plugin:\n        def pytest_pyfunc_call(self):\n            return True\n    assert register(Plugin()) == 1\n",
            QUIET,
        ),
        // A plugin is for the runs of others.
        (
            "src/plugin.py",
            "def pytest_collection_modifyitems(items):\n    items.clear()\n",
            &["note tests_turned_off"],
        ),
        (
            "src/shop.py",
            "def setup(items):\n    items.clear()\n    sys.exit(0)\n",
            QUIET,
        ),
    ]);
}

#[test]
fn what_a_file_that_sets_a_run_up_puts_in_the_place_of_the_runner_s() {
    added(&[
        ("jest.setup.js", "global.test = (name, fn) => {};\n", OFF),
        ("jest.setup.js", "globalThis[\"it\"] = function () {};\n", OFF),
        ("jest.setup.js", "global.describe = describe.skip;\n", OFF),
        ("jest.setup.js", "it = xit;\n", OFF),
        (
            "test/setup.ts",
            "vi.stubGlobal(\"test\", () => {});\n",
            &["block tests_turned_off"],
        ),
        ("jest.setup.js", "global.expect = () => new Proxy({}, {});\n", OFF),
        ("jest.setup.js", "global.expect = jest.fn();\n", OFF),
        ("jest.setup.js", "beforeEach(() => {\n  pending();\n});\n", OFF),
        (
            "test/setup.js",
            "before(function () {\n  this.skip();\n});\n",
            OFF,
        ),
        (
            "jest.setup.js",
            "afterAll(() => {\n  process.exit(0);\n});\n",
            OFF,
        ),
        (
            "jest.setup.js",
            "process.on(\"exit\", () => { process.exitCode = 0; });\n",
            OFF,
        ),
        (
            "a.test.js",
            "process.exit(0);\ntest(\"a\", () => { expect(f()).toBe(1); });\n",
            OFF,
        ),
        ("jest.setup.js", "vi.stubGlobal(\"it\", vi.fn());\n", OFF),
        (
            "a.test.ts",
            "import { it as given } from 'vitest'\nconst it = major >= 6 ? given.skip : given\nit('a', () => { expect(f()).toBe(1) })\n",
            OFF,
        ),
        // Another library's, or more of the same.
        ("jest.setup.js", "vi.stubGlobal(\"fetch\", vi.fn());\n", QUIET),
        (
            "jest.setup.js",
            "global.expect = require(\"chai\").expect;\n",
            QUIET,
        ),
        ("jest.setup.js", "global.it = require(\"node:test\").it;\n", QUIET),
        ("jest.setup.js", "expect.extend({ toBeEven() {} });\n", QUIET),
        ("jest.setup.js", "global.fetch = jest.fn();\n", QUIET),
        (
            "tests/fixtures.ts",
            "export const test = base.extend({ page: {} });\n",
            QUIET,
        ),
        (
            "jest.setup.js",
            "beforeEach(() => {\n  jest.resetModules();\n});\n",
            QUIET,
        ),
        (
            "jest.setup.js",
            "process.on(\"unhandledRejection\", () => process.exit(1));\n",
            QUIET,
        ),
        ("src/app.js", "window.test = () => {};\nprocess.exit(0);\n", QUIET),
        (
            "cli.test.js",
            "test(\"ends\", () => {\n  expect(() => process.exit(0)).toThrow();\n});\n",
            QUIET,
        ),
    ]);
}

#[test]
fn a_hook_that_left_out_some_tests_and_leaves_out_others_is_told() {
    let hook = |marked: &str, reason: &str| {
        format!(
            "def pytest_collection_modifyitems(items):\n    for item in items:\n        if {marked}:\n            item.add_marker(pytest.mark.skip(reason=\"{reason}\"))\n"
        )
    };
    let base = hook("\"slow\" in item.keywords", "slow");
    let wider = hook("True", "slow");
    assert_eq!(changed("tests/conftest.py", &base, &wider), OFF);
    // Only the words of the reason.
    let said = hook("\"slow\" in item.keywords", "needs --slow");
    assert_eq!(changed("tests/conftest.py", &base, &said), QUIET);
    // A function beside it.
    let beside = format!("{base}\n@pytest.fixture\ndef one():\n    return 1\n");
    assert_eq!(changed("tests/conftest.py", &base, &beside), QUIET);
    let told = findings(&[("tests/conftest.py", Some(&base), Some(&wider))]);
    assert_eq!(
        told[0].words,
        "`pytest_collection_modifyitems` of tests/conftest.py leaves tests out"
    );
    assert_eq!(told[0].line, Some(1));
    // What a test runs a tool on.
    let (path, text) = ("tests/fixtures/conftest.py", hook("True", "x"));
    assert_eq!(found(&[(path, None, Some(&text))]), ["note tests_turned_off"]);
}

#[test]
fn what_never_closes_is_read_in_time() {
    let hook = "def pytest_collection_modifyitems(items):\n    items[0] = (\n";
    let go = "func TestMain(m *testing.M) {\n";
    let script = "function f(\nbefore(\ntest = (\n";
    let start = std::time::Instant::now();
    for (path, piece) in [
        ("conftest.py", hook),
        ("a_test.go", go),
        ("jest.setup.js", script),
    ] {
        let text = piece.repeat((200 << 10) / piece.len());
        let _ = found(&[(path, None, Some(&text))]);
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
