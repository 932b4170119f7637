//! CI, linters, coverage, runners, scripts.

use super::*;

const CI: &str = "on: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n      - run: npm test\n      - name: lint\n        run: npm run lint -- --max-warnings 0\n";
const WORKFLOW: &str = ".github/workflows/ci.yml";

#[test]
fn ci() {
    for (from, to, expected) in [
        (
            "- run: npm test",
            "- run: npm test || true",
            "block checks_loosened",
        ),
        (
            "- run: npm test",
            "- run: npm test -- --passWithNoTests",
            "block checks_loosened",
        ),
        (
            "- run: npm test",
            "- run: npm test\n        continue-on-error: true",
            "block checks_loosened",
        ),
        (
            "- run: npm test",
            "- run: npm test\n        if: false",
            "block checks_loosened",
        ),
        ("      - run: npm test\n", "", "block checks_loosened"),
        ("- run: npm test", "- run: npm run start", "block checks_loosened"),
        ("--max-warnings 0", "--max-warnings 100", "block checks_loosened"),
        (
            "on: [push]",
            "on:\n  push:\n    paths-ignore:\n      - src/**",
            "note checks_loosened",
        ),
        ("ubuntu-latest", "ubuntu-24.04", "note checks_loosened"),
    ] {
        assert_eq!(changed(WORKFLOW, CI, &CI.replace(from, to)), [expected], "{to}");
    }
    assert_eq!(
        changed(
            WORKFLOW,
            CI,
            &CI.replace("- run: npm test", "- run: npm test -- --coverage")
        ),
        ["note checks_loosened"]
    );
    assert_eq!(
        changed(
            WORKFLOW,
            CI,
            &CI.replace("      - run: npm ci", "      # || true\n      - run: npm ci")
        ),
        ["note checks_loosened"]
    );
    assert_eq!(found(&[(WORKFLOW, Some(CI), None)]), ["block checks_loosened"]);
    // A step that moved to another workflow is still run.
    let without = CI.replace("      - run: npm test\n", "");
    let other = "jobs:\n  more:\n    steps:\n      - run: npm test\n";
    let moved = found(&[
        (WORKFLOW, Some(CI), Some(&without)),
        (".github/workflows/more.yml", None, Some(other)),
    ]);
    assert!(!moved.iter().any(|f| f.starts_with("block")), "{moved:?}");
    table(&[(
        "gitlab",
        ".gitlab-ci.yml",
        "test:\n  script:\n    - pytest\n",
        "test:\n  script:\n    - pytest\n  allow_failure: true\n",
        &["block checks_loosened"],
    )]);
}

#[test]
fn linters_coverage_and_runners() {
    table(&[
        (
            "rule off",
            ".eslintrc.json",
            "{\n  \"rules\": {\n    \"no-unused-vars\": \"error\"\n  }\n}\n",
            "{\n  \"rules\": {\n    \"no-unused-vars\": \"off\"\n  }\n}\n",
            &["block checks_loosened"],
        ),
        (
            "rule on",
            ".eslintrc.json",
            "{\n  \"rules\": {\n    \"eqeqeq\": \"error\"\n  }\n}\n",
            "{\n  \"rules\": {\n    \"eqeqeq\": \"error\",\n    \"no-var\": \"error\"\n  }\n}\n",
            &[],
        ),
        (
            "ignored path",
            "ruff.toml",
            "line-length = 100\nexclude = [\n  \"build\",\n]\n",
            "line-length = 100\nexclude = [\n  \"build\",\n  \"src\",\n]\n",
            &["block checks_loosened"],
        ),
        (
            "line length",
            "ruff.toml",
            "line-length = 100\n",
            "line-length = 120\n",
            &[],
        ),
        (
            "strict types",
            "tsconfig.json",
            "{ \"compilerOptions\": {\n  \"strict\": true\n} }\n",
            "{ \"compilerOptions\": {\n  \"strict\": false\n} }\n",
            &["block checks_loosened"],
        ),
        (
            "target",
            "tsconfig.json",
            "{ \"compilerOptions\": {\n  \"target\": \"es2020\"\n} }\n",
            "{ \"compilerOptions\": {\n  \"target\": \"es2022\"\n} }\n",
            &[],
        ),
        (
            "coverage lowered",
            "pyproject.toml",
            "[tool.coverage.report]\nfail_under = 90\n",
            "[tool.coverage.report]\nfail_under = 50\n",
            &["block checks_loosened"],
        ),
        (
            "coverage raised",
            "pyproject.toml",
            "[tool.coverage.report]\nfail_under = 90\n",
            "[tool.coverage.report]\nfail_under = 95\n",
            &[],
        ),
        (
            "coverage gone",
            "pyproject.toml",
            "[tool.coverage.report]\nfail_under = 90\n",
            "[tool.coverage.report]\n",
            &["block checks_loosened"],
        ),
        (
            "jest threshold",
            "jest.config.js",
            "module.exports = {\n  coverageThreshold: {\n    global: {\n      branches: 80,\n    },\n  },\n};\n",
            "module.exports = {\n  coverageThreshold: {\n    global: {\n      branches: 10,\n    },\n  },\n};\n",
            &["block checks_loosened"],
        ),
        (
            "jest ignores",
            "jest.config.js",
            "module.exports = {\n  testPathIgnorePatterns: ['/node_modules/'],\n};\n",
            "module.exports = {\n  testPathIgnorePatterns: ['/node_modules/', 'a.test.js'],\n};\n",
            &["block checks_loosened"],
        ),
        (
            "deselected",
            "pytest.ini",
            "[pytest]\naddopts = -q\n",
            "[pytest]\naddopts = -q --deselect tests/test_a.py::test_b\n",
            &["block checks_loosened"],
        ),
        (
            "hook",
            "conftest.py",
            "import pytest\n",
            "import pytest\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n",
            &["block tests_turned_off"],
        ),
        (
            "cargo target",
            "Cargo.toml",
            "[lib]\nname = \"a\"\n",
            "[lib]\nname = \"a\"\ntest = false\n",
            &["block checks_loosened"],
        ),
        (
            "cargo version",
            "Cargo.toml",
            "[package]\nversion = \"0.1.0\"\n\n[dependencies]\nserde = \"1\"\n",
            "[package]\nversion = \"0.2.0\"\n\n[dependencies]\nserde = \"1\"\ntest-log = \"0.2\"\n",
            &[],
        ),
        (
            "lint table",
            "Cargo.toml",
            "[workspace.lints.clippy]\nunwrap_used = \"deny\"\n",
            "[workspace.lints.clippy]\nunwrap_used = \"allow\"\n",
            &["block checks_loosened"],
        ),
        (
            "maven",
            "pom.xml",
            "<project>\n  <properties>\n  </properties>\n</project>\n",
            "<project>\n  <properties>\n    <skipTests>true</skipTests>\n  </properties>\n</project>\n",
            &["block checks_loosened"],
        ),
        (
            "gradle",
            "build.gradle",
            "test {\n  useJUnitPlatform()\n}\n",
            "test {\n  useJUnitPlatform()\n  ignoreFailures = true\n}\n",
            &["block checks_loosened"],
        ),
        (
            "script forgives",
            "package.json",
            "{\n  \"scripts\": {\n    \"test\": \"jest\"\n  }\n}\n",
            "{\n  \"scripts\": {\n    \"test\": \"jest || true\"\n  }\n}\n",
            &["block checks_loosened"],
        ),
        (
            "script of nothing",
            "package.json",
            "{\n  \"scripts\": {\n    \"test\": \"jest\"\n  }\n}\n",
            "{\n  \"scripts\": {\n    \"test\": \"echo ok\"\n  }\n}\n",
            &["block checks_loosened"],
        ),
        (
            "dependency",
            "package.json",
            "{\n  \"dependencies\": {\n    \"a\": \"1\"\n  }\n}\n",
            "{\n  \"dependencies\": {\n    \"a\": \"2\",\n    \"ignore\": \"5.0.0\"\n  }\n}\n",
            &[],
        ),
        (
            "make",
            "Makefile",
            "test:\n\tpytest -q\n",
            "test:\n\t-pytest -q\n",
            &["block checks_loosened"],
        ),
        (
            "make, clean",
            "Makefile",
            "clean:\n\trm -rf x\n",
            "clean:\n\t-rm -rf x\n",
            &[],
        ),
    ]);
    for path in [".eslintrc.json", "pytest.ini", "codecov.yml"] {
        assert_eq!(
            found(&[(path, Some("a: 1\n"), None)]),
            ["block checks_loosened"],
            "{path}"
        );
        assert_eq!(
            found(&[(path, None, Some("ignore:\n  - vendor\n"))]),
            [""; 0],
            "{path}"
        );
    }
    let greets = "on: [issues]\njobs:\n  hello:\n    steps:\n      - run: echo test passed\n";
    assert_eq!(
        found(&[(".github/workflows/hello.yml", Some(greets), None)]),
        ["note checks_loosened"]
    );
}

#[test]
fn a_configuration_that_changes_its_form() {
    let eslint = "{\n  \"extends\": [\"eslint:recommended\"],\n  \"ignorePatterns\": [\"dist/\"],\n  \"rules\": {\n    \"no-var\": \"error\",\n    \"eqeqeq\": [\"error\", \"always\"],\n    \"no-console\": \"off\"\n  }\n}\n";
    let flat = "import js from '@eslint/js';\n\nexport default [\n  js.configs.recommended,\n  {\n    ignores: ['dist'],\n    rules: {\n      'no-var': 'error',\n      eqeqeq: ['error', 'always'],\n      'no-console': 'off',\n    },\n  },\n];\n";
    let vite = "export default {\n  test: {\n    coverage: {\n      thresholds: {\n        lines: 80,\n      },\n    },\n  },\n};\n";
    let setup = "[flake8]\nexclude = build,docs\nextend-ignore = E203\n\n[coverage:report]\nfail_under = 90\n\n[mypy]\nstrict = True\n";
    let project = "[project]\nname = \"a\"\n";
    let ported = format!(
        "{project}\n[tool.flake8]\nexclude = [\n  \"build\",\n  \"docs\",\n]\nextend-ignore = [\"E203\"]\n\n[tool.coverage.report]\nfail_under = 90\n\n[tool.mypy]\nstrict = true\n"
    );
    let jest = "module.exports = {\n  coverageThreshold: {\n    global: {\n      branches: 80,\n    },\n  },\n  testPathIgnorePatterns: ['/node_modules/'],\n};\n";
    let package = "{\n  \"name\": \"a\",\n  \"devDependencies\": {\n    \"jest\": \"^29\"\n  }\n}\n";
    let inline = "{\n  \"name\": \"a\",\n  \"jest\": {\n    \"coverageThreshold\": {\n      \"global\": {\n        \"branches\": 80\n      }\n    },\n    \"testPathIgnorePatterns\": [\"/node_modules/\"]\n  },\n  \"devDependencies\": {\n    \"jest\": \"^29\"\n  }\n}\n";
    let flake = "[flake8]\nexclude = .venv\nmax-line-length = 100\n";
    let ruff = format!("{project}\n[tool.ruff.lint]\nselect = [\"E\", \"F\"]\nignore = [\"E203\"]\n");
    let cover = "[report]\nfail_under = 90\nexclude_lines =\n    pragma: no cover\n";
    let covered = format!(
        "{project}\n[tool.coverage.report]\nfail_under = 90\nexclude_lines = [\n  \"pragma: no cover\",\n]\n"
    );
    // From, its text; to, its text before, and now; what makes it weaker.
    type Case<'a> = (
        &'a str,
        &'a str,
        &'a str,
        Option<&'a str>,
        &'a str,
        &'a [(&'a str, &'a str)],
    );
    let cases: [Case<'_>; 7] = [
        (
            ".eslintrc.json",
            eslint,
            "eslint.config.js",
            None,
            flat,
            &[
                ("'no-var': 'error'", "'no-var': 'off'"),
                ("      'no-var': 'error',\n", ""),
                ("['dist']", "['dist', 'src/legacy']"),
                ("  js.configs.recommended,\n", ""),
            ],
        ),
        (
            "vite.config.js",
            vite,
            "vite.config.ts",
            None,
            vite,
            &[("80", "10"), ("lines: 80,", "")],
        ),
        (
            "setup.cfg",
            setup,
            "pyproject.toml",
            Some(project),
            &ported,
            &[
                ("fail_under = 90", "fail_under = 10"),
                ("fail_under = 90", ""),
                ("\"docs\",", "\"docs\",\n  \"src/a.py\","),
                ("strict = true", "strict = false"),
                ("\n[tool.mypy]\nstrict = true\n", ""),
            ],
        ),
        (
            "jest.config.js",
            jest,
            "package.json",
            Some(package),
            inline,
            &[
                ("80", "8"),
                ("\"/node_modules/\"", "\"/node_modules/\", \"a.test.js\""),
            ],
        ),
        (
            ".flake8",
            flake,
            "pyproject.toml",
            Some(project),
            &ruff,
            &[("[\"E203\"]", "[\"E203\"]\nexclude = [\"src/*\"]")],
        ),
        (
            ".coveragerc",
            cover,
            "pyproject.toml",
            Some(project),
            &covered,
            &[
                ("90", "89"),
                ("\"pragma: no cover\"", "\"pragma: no cover\", \"raise\""),
            ],
        ),
        (
            "packages/a/vitest.config.ts",
            vite,
            "packages/b/vitest.config.ts",
            None,
            vite,
            &[("80", "8")],
        ),
    ];
    for (from, text, to, before, now, weaker) in cases {
        let files = |now| [(from, Some(text), None), (to, before, now)];
        let all = findings(&files(Some(now)));
        assert!(
            !all.is_empty() && all.iter().all(|f| f.severity == Severity::Note),
            "{from} → {to}: {all:#?}"
        );
        for (that, this) in weaker {
            let less = now.replace(that, this);
            assert_ne!(less, now, "{that}");
            let rules = found(&[(from, Some(text), None), (to, before, Some(less.as_str()))]);
            assert!(
                rules.iter().any(|f| f == "block checks_loosened"),
                "{from} → {to}: {that} → {this}: {rules:?}"
            );
        }
        // No partner; or one that is there as before.
        assert_eq!(
            found(&files(before)).first().map(String::as_str),
            Some("block checks_loosened"),
            "{from}"
        );
    }
}

#[test]
fn a_configuration_is_not_hidden_by_moving_it() {
    let vitest = "export default { test: { coverage: { thresholds: {\n  lines: 80,\n} } } };\n";
    for to in [
        "docs/vitest.config.ts",
        "tests/fixtures/vitest.config.ts",
        "package.json",
    ] {
        let files = [("vitest.config.ts", Some(vitest), None), (to, None, Some(vitest))];
        assert!(
            found(&files).contains(&"block checks_loosened".to_owned()),
            "{to}"
        );
    }
    // A package that is gone as a whole, and what a test runs a tool on.
    let gone = found(&[
        ("packages/a/vitest.config.ts", Some(vitest), None),
        ("packages/a/package.json", Some("{}"), None),
    ]);
    assert_eq!(gone, ["note checks_loosened"]);
    assert_eq!(
        found(&[("test/fixtures/a/vitest.config.ts", Some(vitest), None)]),
        ["note checks_loosened"]
    );
}

#[test]
fn failures_of_steps_that_carry_files_about() {
    let step = |uses: &str| {
        CI.replace(
            "      - run: npm test\n",
            &format!("      - run: npm test\n      - uses: {uses}\n        continue-on-error: true\n"),
        )
    };
    for (uses, expected) in [
        ("actions/upload-artifact@v4", "note checks_loosened"),
        ("actions/cache@v4", "note checks_loosened"),
        ("some/test-action@v1", "block checks_loosened"),
    ] {
        assert_eq!(changed(WORKFLOW, CI, &step(uses)), [expected], "{uses}");
    }
    let run = CI.replace(
        "      - run: npm test\n",
        "      - uses: actions/cache@v4\n      - run: npm test\n        continue-on-error: true\n",
    );
    assert_eq!(changed(WORKFLOW, CI, &run), ["block checks_loosened"]);
}

#[test]
fn folders_of_others_may_be_left_out() {
    let base = "export default {\n  test: {\n    exclude: ['a'],\n  },\n};\n";
    let litter = base.replace("['a']", "['a', '**/node_modules/**']");
    assert_eq!(
        changed("vitest.config.ts", base, &litter),
        ["block checks_loosened"],
        "the line names `a` too"
    );
    let list = "[run]\nomit =\n    a\n";
    let more = "[run]\nomit =\n    a\n    */node_modules/*\n";
    assert_eq!(changed(".coveragerc", list, more), ["note checks_loosened"]);
    let other = "[run]\nomit =\n    a\n    src/core.py\n";
    assert_eq!(changed(".coveragerc", list, other), ["block checks_loosened"]);
}

#[test]
fn another_program_for_the_same_work() {
    let ci = |step: &str| {
        format!(
            "on: [push]\njobs:\n  test:\n    steps:\n      - uses: actions/checkout@v4\n      - run: {step}\n"
        )
    };
    for (from, to) in [
        ("cargo test --workspace", "cargo nextest run --workspace"),
        (
            "cargo test",
            "cargo nextest run --workspace --all-features --no-fail-fast",
        ),
        ("cargo nextest run", "cargo test --locked"),
        ("pytest -q", "python -m pytest -n auto"),
        ("python -m unittest discover", "pytest"),
        ("npx jest --ci", "npx vitest run --reporter=junit"),
        ("npm test", "npx vitest run"),
        ("make test", "cargo test --workspace"),
        ("go test ./...", "gotestsum ./..."),
        ("flake8 .", "ruff check ."),
        // The same program, told more.
        ("cargo test", "cargo test --workspace --locked"),
        ("pytest", "pytest --cov src --junitxml report.xml"),
        ("npm test", "npm test -- --coverage"),
        ("cargo test --lib", "cargo test --lib --bins"),
        ("go test ./...", "go test -p 4 ./..."),
        ("npx mocha", "npx mocha -t 5000"),
        ("pytest tests", "pytest tests integration"),
        ("pytest tests", "pytest"),
        ("mypy src", "mypy --strict src tests"),
        ("pytest", "pytest -p no:cacheprovider"),
        ("npx tsc", "npx tsc -p tsconfig.build.json"),
    ] {
        let all = changed(WORKFLOW, &ci(from), &ci(to));
        assert_eq!(all, ["note checks_loosened"], "{from} -> {to}");
    }
    for (from, to) in [
        ("cargo test --workspace", "cargo nextest run"),
        ("cargo test", "cargo nextest run -p small"),
        ("cargo test", "cargo nextest run -E 'test(one)'"),
        ("cargo test", "cargo test --lib"),
        ("cargo test", "cargo test one_test"),
        ("cargo test", "cargo test --bins"),
        ("cargo test", "cargo test -- --exact foo"),
        ("cargo test", "echo cargo test"),
        ("pytest", "pytest -s tests/test_one.py"),
        ("pytest", "pytest --showlocals tests/test_one.py"),
        ("go test ./...", "go test --run=None ./..."),
        ("npx jest", "npx mocha -i"),
        ("cargo test", "cargo test -p small"),
        ("cargo test", "cargo test --no-run"),
        ("cargo test", "cargo test -- --ignored"),
        ("pytest", "pytest --collect-only"),
        ("go test ./...", "go test -n ./..."),
        ("flake8 src", "flake8 --exit-zero src"),
        ("npx jest", "npx jest -t one"),
        (
            "cargo test --workspace",
            "cargo test --workspace --exclude payments",
        ),
        ("pytest -q", "pytest -q tests/unit"),
        ("pytest", "pytest -m 'not slow'"),
        ("npm test", "npm test -- src/small"),
        ("go test ./...", "go test -short ./..."),
        ("pytest --cov-fail-under=80", "python -m pytest"),
        ("pytest", "python -m pytest tests/unit"),
        ("pytest", "python -m pytest -k fast"),
        ("npm test", "npx vitest run --passWithNoTests"),
        ("npx jest", "npx vitest run -t one"),
        ("npx jest", "npx vitest"),
        ("pytest", "cargo test"),
        ("cargo test", "make test"),
        ("cargo test", "cargo nextest run; true"),
        ("cargo test", "cargo nextest run | tee log"),
    ] {
        let all = changed(WORKFLOW, &ci(from), &ci(to));
        assert!(
            all.contains(&"block checks_loosened".to_owned()),
            "{from} -> {to}: {all:?}"
        );
    }
    // It must be run where the old one was, and under no new condition.
    let base = ci("cargo test");
    for now in [
        format!(
            "{}        env:\n          NOTE: |\n            cargo nextest run\n",
            ci("echo no")
        ),
        format!(
            "{}      - if: github.ref == 'refs/heads/never'\n        run: cargo nextest run\n",
            ci("echo no")
        ),
        format!("{}        name: cargo test\n", ci("echo ok")),
    ] {
        let all = changed(WORKFLOW, &base, &now);
        assert!(
            all.contains(&"block checks_loosened".to_owned()),
            "{now}: {all:?}"
        );
    }
    // A name in a list of packages is no step.
    let list = "jobs:\n  a:\n    packages:\n      - tox\n      - wheel\n";
    let all = changed(".circleci/config.yml", list, &list.replace("      - tox\n", ""));
    assert_eq!(all, ["note checks_loosened"]);
    let told = findings(&[(WORKFLOW, Some(&ci("cargo test")), Some(&ci("cargo nextest run")))]);
    assert!(told.iter().any(|f| f.words.contains("documentation")), "{told:?}");
}

#[test]
fn what_is_watched_is_not_what_is_run() {
    let config = |key: &str, more: &str| {
        format!(
            "export default defineConfig({{\n  {key}: {{\n    ignored: [\n{more}      'a/**',\n    ],\n  }},\n}})\n"
        )
    };
    for (key, expected) in [("watch", &[][..]), ("test", &["block checks_loosened"])] {
        let all = changed(
            "vitest.config.ts",
            &config(key, ""),
            &config(key, "      'src/b/**',\n"),
        );
        assert_eq!(all, expected, "{key}");
    }
    let version = |lint: &str| format!("linters:\n  {lint}\n  enable:\n    - govet\n");
    let (one, two) = (version("disable-all: true"), version("default: none"));
    assert_eq!(changed(".golangci.yml", &one, &two), [""; 0]);
    let all = changed(".golangci.yml", &version("default: all"), &two);
    assert_eq!(all, ["block checks_loosened"]);
}

#[test]
fn what_is_left_out_some_keys_further_in() {
    let package = |more: &str| {
        format!(
            "{{\n  \"jest\": {{\n    \"testPathIgnorePatterns\": [\n      \"/node_modules/\"{more}\n    ]\n  }}\n}}\n"
        )
    };
    assert_eq!(
        changed(
            "package.json",
            &package(""),
            &package(",\n      \"/src/payments/\"")
        ),
        ["block checks_loosened"]
    );
    let exclude = |more: &str| {
        format!("export default [\n  {{\n    ignores: [\n      'dist',\n{more}    ],\n  }},\n];\n")
    };
    for (more, expected) in [
        ("      'src/coverage/**',\n", "block checks_loosened"),
        ("      'lib/dist/core.js',\n", "block checks_loosened"),
        ("      'dist/../src/**',\n", "block checks_loosened"),
        ("      'packages/coverage/**',\n", "block checks_loosened"),
        ("      'packages/*/dist/**',\n", "note checks_loosened"),
        ("      'coverage/**',\n", "note checks_loosened"),
        ("      'tools/node_modules/**',\n", "note checks_loosened"),
    ] {
        assert_eq!(
            changed("eslint.config.js", &exclude(""), &exclude(more)),
            [expected],
            "{more}"
        );
    }
}
