//! Commands of checks in Makefiles, packages, scripts and CI, and settings that ask for less, beside their honest neighbours.

use super::*;

const LESS: &[&str] = &["block checks_loosened"];
const QUIET: &[&str] = &[];

fn package(scripts: &[(&str, &str)]) -> String {
    let lines: Vec<String> = scripts
        .iter()
        .map(|(name, command)| format!("    \"{name}\": \"{command}\""))
        .collect();
    format!(
        "{{\n  \"name\": \"x\",\n  \"scripts\": {{\n{}\n  }}\n}}\n",
        lines.join(",\n")
    )
}

#[test]
fn recipes_of_a_makefile() {
    let base = "CHECK = pytest\ncheck: lint test\nlint:\n\tpython3 lint.py\ntest:\n\t@echo testing\n\t$(CHECK) -q\nclean:\n\trm -rf x\n";
    for (from, to, expected) in [
        ("\tpython3 lint.py", "\t@echo ok", LESS),
        ("\tpython3 lint.py", "\t@true", LESS),
        (
            "\t$(CHECK) -q",
            "\t@printf \"\\nRan 2 tests in 0.001s\\n\\nOK\\n\"",
            LESS,
        ),
        ("\t$(CHECK) -q", "\t-$(CHECK) -q", LESS),
        ("\t$(CHECK) -q", "\t$(CHECK) -q; true", LESS),
        ("\t$(CHECK) -q", "\t$(CHECK) -q -k fast", LESS),
        ("CHECK = pytest", "CHECK = echo", LESS),
        ("CHECK = pytest", "SHELL = /bin/true\nCHECK = pytest", LESS),
        ("CHECK = pytest", ".IGNORE:\nCHECK = pytest", LESS),
        ("check: lint test", "check: lint", LESS),
        ("clean:", "test:\n\t@true\nclean:", LESS),
        ("test:\n\t@echo testing\n\t$(CHECK) -q\n", "", LESS),
        // What is only said beside the command, another script, more options, another name.
        ("\t$(CHECK) -q", "\t@echo running\n\t$(CHECK) -q", QUIET),
        ("\tpython3 lint.py", "\tpython3 tools/lint.py", QUIET),
        ("\t$(CHECK) -q", "\t$(CHECK) -q --durations=5", QUIET),
        ("\t$(CHECK) -q", "\t$(CHECK) $(ARGS) -q", QUIET),
        ("\trm -rf x", "\t-rm -rf x", QUIET),
        ("test:\n", "tests:\n", LESS),
    ] {
        let now = base.replace(from, to);
        assert_ne!(base, now, "{from}");
        // A line may be one of several targets.
        let mut all = changed("Makefile", base, &now);
        all.dedup();
        assert_eq!(all, expected, "{from} -> {to}");
    }
    // A target that is called otherwise by now, wherever it is named; one whose work another one does.
    let renamed = base.replace("lint test", "lint unit").replace("test:", "unit:");
    assert_eq!(changed("Makefile", base, &renamed), QUIET);
    let split = base.replace(
        "test:\n\t@echo testing\n\t$(CHECK) -q\n",
        "test: unit\nunit:\n\t$(CHECK) -q\n",
    );
    assert_eq!(changed("Makefile", base, &split), QUIET);
    let just = "test:\n    pytest\n";
    assert_eq!(changed("justfile", just, "test:\n    -pytest\n"), LESS);
    assert_eq!(changed("justfile", just, "test:\n    pytest -v\n"), QUIET);
    let task = "version: 3\ntasks:\n  test:\n    cmds:\n      - pytest\n";
    let forgiven = task.replace("    cmds:", "    ignore_error: true\n    cmds:");
    assert!(changed("Taskfile.yml", task, &forgiven).contains(&"block checks_loosened".to_owned()));
    assert_eq!(
        changed("Taskfile.yml", task, &task.replace("- pytest", "- echo pytest")),
        LESS
    );
}

#[test]
fn scripts_of_a_package() {
    let own = [
        ("test", "jest --coverage"),
        ("lint", "eslint ."),
        ("types", "tsc --noEmit"),
        ("build", "tsc"),
    ];
    let base = package(&own);
    let with = |name: &str, command: &str| {
        let mut now = own.to_vec();
        now.iter_mut()
            .filter(|(n, _)| *n == name)
            .for_each(|s| s.1 = command);
        package(&now)
    };
    for (name, command, expected) in [
        ("lint", "echo", LESS),
        ("test", "jest --version", LESS),
        ("test", "jest --coverage; exit 0", LESS),
        ("test", "exit 0; jest --coverage", LESS),
        ("test", "jest --coverage src/ok.test.js", LESS),
        ("lint", "eslint . --quiet", LESS),
        ("lint", "eslint . --ignore-pattern src", LESS),
        ("build", "tsc --noCheck", LESS),
        ("types", "tsc --noEmit --noCheck", LESS),
        ("types", "tsc --noEmit --skipLibCheck", LESS),
        ("lint", "eslint . --cache", QUIET),
        ("lint", "eslint . --max-warnings 9", QUIET),
        ("test", "npx jest --coverage --ci", QUIET),
        (
            "test",
            "NODE_OPTIONS=--experimental-vm-modules jest --coverage",
            QUIET,
        ),
        (
            "test",
            "node --experimental-vm-modules node_modules/jest/bin/jest.js --coverage",
            QUIET,
        ),
        (
            "test",
            "node --experimental-vm-modules scripts/jest.js --coverage",
            LESS,
        ),
        ("test", "npm run lint && jest --coverage", QUIET),
        ("build", "tsc -p tsconfig.build.json", QUIET),
    ] {
        assert_eq!(
            changed("package.json", &base, &with(name, command)),
            expected,
            "{name}: {command}"
        );
    }
    let gone: Vec<(&str, &str)> = own.into_iter().filter(|(name, _)| *name != "test").collect();
    assert_eq!(changed("package.json", &base, &package(&gone)), LESS);
    // Another name, and the same through another script. What runs before a test takes nothing from it.
    let mut renamed = own.to_vec();
    renamed[0].0 = "test:unit";
    assert_eq!(changed("package.json", &base, &package(&renamed)), QUIET);
    renamed.push(("test", "npm run test:unit"));
    assert_eq!(changed("package.json", &base, &package(&renamed)), QUIET);
    let mut before = own.to_vec();
    before.push(("pretest", "exit 0"));
    assert_eq!(changed("package.json", &base, &package(&before)), QUIET);
}

#[test]
fn scripts_and_environments() {
    let base = "#!/bin/sh\nset -e\npytest\nmypy .\n";
    for (path, now, expected) in [
        ("scripts/check.sh", "#!/bin/sh\nset -e\npytest\n", LESS),
        ("scripts/check.sh", "#!/bin/sh\npytest\nmypy .\n", LESS),
        (
            "scripts/check.sh",
            "#!/bin/sh\nset -e\nexit 0\npytest\nmypy .\n",
            LESS,
        ),
        ("run_tests.sh", "#!/bin/sh\nset -e\necho pytest\nmypy .\n", LESS),
        (
            "scripts/check.sh",
            "#!/bin/sh\nset -eu\necho testing\npytest -v\nmypy .\n",
            QUIET,
        ),
        (
            "scripts/check.sh",
            "#!/bin/sh\nset -e\npip install -e .\npytest\nmypy .\necho done\n",
            QUIET,
        ),
    ] {
        assert_eq!(changed(path, base, now), expected, "{now}");
    }
    let tox = "[testenv]\ndeps = pytest\ncommands =\n    pytest {posargs}\n";
    for (command, expected) in [
        ("- pytest {posargs}", LESS),
        ("echo", LESS),
        ("pytest {posargs:tests}", QUIET),
        ("python -m pytest {posargs}", QUIET),
    ] {
        assert_eq!(
            changed("tox.ini", tox, &tox.replace("pytest {posargs}", command)),
            expected,
            "{command}"
        );
    }
}

#[test]
fn steps_of_ci_that_check_no_more() {
    let base = "on: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: python3 -m unittest\n      - run: |\n          ruff check .\n          mypy .\n";
    let path = ".github/workflows/ci.yml";
    let told = &["note checks_loosened"][..];
    for (from, to, expected) in [
        ("run: python3 -m unittest", "run: echo python3 -m unittest", LESS),
        (
            "run: python3 -m unittest",
            "run: |\n          exit 0\n          python3 -m unittest",
            LESS,
        ),
        (
            "run: python3 -m unittest",
            "run: python3 -m unittest\n        shell: bash -c \"true\" {0}",
            LESS,
        ),
        (
            "jobs:",
            "defaults:\n  run:\n    shell: /bin/true {0}\njobs:",
            LESS,
        ),
        ("on: [push, pull_request]", "on: workflow_dispatch", LESS),
        ("checkout@v4", "checkout@v4\n        with: { ref: v1.0 }", LESS),
        (
            "checkout@v4",
            "checkout@v4\n        with:\n          ref: v1.0",
            LESS,
        ),
        (
            "          ruff check .\n",
            "          exit 0\n          ruff check .\n",
            LESS,
        ),
        ("          ruff check .\n", "", LESS),
        // Other words for the same, another place, what is beside it.
        ("run: python3 -m unittest", "run: python3 -m unittest -v", told),
        (
            "run: python3 -m unittest",
            "name: tests\n        run: |\n          echo tests\n          python3 -m unittest",
            told,
        ),
        (
            "run: python3 -m unittest",
            "run: python3 -m unittest\n        shell: bash",
            told,
        ),
        (
            "run: python3 -m unittest",
            "run: python3 -m unittest\n        shell: bash -l {0}",
            told,
        ),
        ("on: [push, pull_request]", "on: [push]", told),
        (
            "on: [push, pull_request]",
            "on:\n  push:\n    branches: [main]\n  pull_request:",
            told,
        ),
        (
            "checkout@v4",
            "checkout@v4\n        with:\n          fetch-depth: 0",
            told,
        ),
        (
            "checkout@v4",
            "checkout@v4\n        with:\n          ref: ${{ github.head_ref }}",
            told,
        ),
    ] {
        let now = base.replace(from, to);
        assert_ne!(base, now, "{from}");
        assert_eq!(changed(path, base, &now), expected, "{from} -> {to}");
    }
    let matrix = |excluded: &str| {
        base.replace(
            "    steps:",
            &format!("    strategy:\n      matrix:\n        py: [\"3.9\", \"3.10\"]\n        exclude: [{excluded}]\n    steps:"),
        )
    };
    let all = matrix("{py: \"3.9\"}, {py: \"3.10\"}");
    assert_eq!(changed(path, &matrix("{py: \"3.9\"}"), &all), LESS);
    assert_eq!(changed(path, base, &matrix("{py: \"3.9\"}")), told);
    // Fewer options are no less only where they asked for nothing.
    let with = |step: &str| base.replace("python3 -m unittest", step);
    for (was, is, expected) in [
        ("cargo test --all-features", "cargo test", LESS),
        ("npx tsc --noEmit --strict", "npx tsc --noEmit", LESS),
        (
            "mvn verify --batch-mode ${{ matrix.more }}",
            "mvn verify ${{ matrix.more }}",
            told,
        ),
        ("cargo fmt --all -- --check", "cargo fmt --all --check", told),
    ] {
        assert_eq!(changed(path, &with(was), &with(is)), expected, "{was} -> {is}");
    }
    // Another repository beside it is none in the place of the own one.
    let more = base.replace(
        "      - run: python3",
        "      - uses: actions/checkout@v4\n        with:\n          repository: a/b\n          ref: v1\n          path: b\n      - run: python3",
    );
    assert_eq!(changed(path, base, &more), told);
    let moved = found(&[
        (
            path,
            Some(base),
            Some(&base.replace("      - run: python3 -m unittest\n", "")),
        ),
        (
            ".github/workflows/unit.yml",
            None,
            Some("on: [push]\njobs:\n  a:\n    steps:\n      - run: python3 -m unittest\n"),
        ),
    ]);
    assert!(!moved.iter().any(|f| f.starts_with("block")), "{moved:?}");
}

#[test]
fn settings_that_ask_for_less() {
    let rules = "{\n  \"root\": true,\n  \"rules\": {\n    \"no-eval\": \"error\"\n  }\n}\n";
    let flat = "export default [\n  js.configs.recommended,\n];\n";
    let strict = "[pytest]\naddopts = -q\nfilterwarnings = error\nxfail_strict = true\n";
    let pom = "<project>\n  <plugin>\n    <artifactId>maven-surefire-plugin</artifactId>\n    <configuration>\n      <argLine>-Xmx1g</argLine>\n    </configuration>\n  </plugin>\n</project>\n";
    let gradle = "plugins {\n    id \"java\"\n}\n\ntest {\n    useJUnitPlatform()\n}\n";
    let cmake = "enable_testing()\nadd_test(NAME a COMMAND a)\nadd_test(NAME b COMMAND b)\n";
    let linters = "linters:\n  enable:\n    - errcheck\n    - govet\n";
    let deploy = pom.replace("surefire", "deploy");
    for (path, base, from, to, expected) in [
        (".eslintrc.json", rules, "    \"no-eval\": \"error\"\n", "", LESS),
        (
            ".eslintrc.json",
            rules,
            "\"error\"",
            "[\"error\", { \"allow\": 1 }]",
            QUIET,
        ),
        ("eslint.config.js", flat, "  js.configs.recommended,\n", "", LESS),
        ("eslint.config.js", flat, "recommended", "all", QUIET),
        (".eslintignore", "dist/\n", "dist/\n", "dist/\nsrc/\n", LESS),
        (
            ".eslintignore",
            "build/\n",
            "build/\n",
            "build/\ndist/\ncoverage\n*.min.js\n",
            QUIET,
        ),
        ("pytest.ini", strict, "filterwarnings = error\n", "", LESS),
        (
            "pytest.ini",
            strict,
            "xfail_strict = true",
            "xfail_strict = false",
            LESS,
        ),
        ("pytest.ini", strict, "= error", "=\n    error", QUIET),
        (
            "pom.xml",
            pom,
            "      <argLine>",
            "      <skip>true</skip>\n      <argLine>",
            LESS,
        ),
        (
            "pom.xml",
            pom,
            "      <argLine>",
            "      <excludes>\n        <exclude>**/CalcTest.java</exclude>\n      </excludes>\n      <argLine>",
            LESS,
        ),
        (
            "pom.xml",
            &deploy,
            "      <argLine>",
            "      <skip>true</skip>\n      <argLine>",
            QUIET,
        ),
        (
            "build.gradle",
            gradle,
            "    useJUnit",
            "    enabled = false\n    useJUnit",
            LESS,
        ),
        (
            "build.gradle",
            gradle,
            "    useJUnit",
            "    onlyIf { false }\n    useJUnit",
            LESS,
        ),
        (
            "build.gradle",
            gradle,
            "    useJUnit",
            "    exclude \"**/CalcTest*\"\n    useJUnit",
            LESS,
        ),
        (
            "build.gradle",
            gradle,
            "    useJUnit",
            "    filter {\n        excludeTestsMatching \"*Calc*\"\n    }\n    useJUnit",
            LESS,
        ),
        (
            "build.gradle",
            gradle,
            "test {",
            "jar {\n    enabled = false\n}\n\ntest {",
            QUIET,
        ),
        ("CMakeLists.txt", cmake, "add_test(NAME b COMMAND b)\n", "", LESS),
        (
            "CMakeLists.txt",
            cmake,
            "COMMAND b)\n",
            "COMMAND b)\nset_tests_properties(b PROPERTIES WILL_FAIL TRUE)\n",
            LESS,
        ),
        ("CMakeLists.txt", cmake, "NAME b", "NAME c", QUIET),
        (
            "ruff.toml",
            "select = [\"E\"]\n",
            "\n",
            "\n\n[per-file-ignores]\n\"calc.py\" = [\"E\"]\n",
            LESS,
        ),
        (
            "ruff.toml",
            "select = [\"E\"]\n",
            "\n",
            "\n\n[per-file-ignores]\n\"tests/*\" = [\"S101\"]\n",
            &["note checks_loosened"],
        ),
        (".golangci.yml", linters, "    - errcheck\n", "", LESS),
        (
            ".golangci.yml",
            linters,
            "    - errcheck\n",
            "    - gosec\n    - errcheck\n",
            QUIET,
        ),
        (
            "tsconfig.json",
            "{\n  \"strict\": true\n}\n",
            "true\n",
            "true,\n  \"noCheck\": true\n",
            LESS,
        ),
    ] {
        let now = base.replacen(from, to, 1);
        assert_ne!(base, now, "{from}");
        let told = findings(&[(path, Some(base), Some(&now))]);
        assert_eq!(
            changed(path, base, &now),
            expected,
            "{path}: {from} -> {to}: {told:#?}"
        );
    }
}
