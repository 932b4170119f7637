//! Configuration that is written otherwise, or that says something for the first time.

use super::*;

const LESS: &[&str] = &["block checks_loosened"];
const TOLD: &[&str] = &["note checks_loosened"];
const QUIET: &[&str] = &[];

#[test]
fn a_list_that_is_written_otherwise() {
    let one = "[tool.ruff.lint]\nselect = [\"E\"]\nignore = [\"E203\", \"UP031\", \"UP036\"]\n";
    for (now, expected) in [
        ("ignore = [\"E203\", \"UP031\"]\n", QUIET),
        ("ignore = [\n  \"E203\",\n  \"UP036\",\n  \"UP031\",\n]\n", QUIET),
        ("extend-ignore = [\"E203\", \"UP031\", \"UP036\"]\n", QUIET),
        ("ignore = [\"E203\", \"UP031\", \"UP036\", \"B\"]\n", LESS),
        (
            "ignore = [\n  \"E203\",\n  \"UP031\",\n  \"UP036\",\n  \"BLE001\",\n]\n",
            LESS,
        ),
        (
            "ignore = [\"E203\", \"UP031\", \"UP036\"]\nexclude = [\"E203\"]\n",
            LESS,
        ),
    ] {
        let now = format!("[tool.ruff.lint]\nselect = [\"E\"]\n{now}");
        assert_eq!(changed("pyproject.toml", one, &now), expected, "{now}");
    }
}

#[test]
fn a_linter_that_was_not_there() {
    let base = "[metadata]\nname = a\n\n[flake8]\nmax-line-length = 80\n";
    let with = |more: &str| changed("setup.cfg", base, &format!("{base}{more}"));
    assert_eq!(with("\n[pylint]\ndisable = C0114\n"), QUIET);
    assert_eq!(with("ignore = E203\n"), LESS);
    assert_eq!(with("\n[coverage:run]\nomit = src/a.py\n"), LESS);
    let mypy = "[tool.mypy]\nignore_errors = true\n";
    assert_eq!(
        changed("pyproject.toml", "[tool.ruff]\n", &format!("[tool.ruff]\n{mypy}")),
        LESS
    );
}

#[test]
fn flags_that_one_flag_stands_for() {
    let base = "[mypy]\ndisallow_any_generics = True\nwarn_unused_ignores = True\n";
    let now = |flags: &str| {
        found(&[
            ("setup.cfg", Some(base), None),
            ("pyproject.toml", None, Some(&format!("[tool.mypy]\n{flags}"))),
        ])
    };
    assert_eq!(now("strict = true\n"), TOLD);
    assert_eq!(now("warn_unused_ignores = true\n"), LESS);
}

#[test]
fn failures_of_what_checks_nothing() {
    let base = "on: push\njobs:\n  a:\n    steps:\n      - run: cargo test\n";
    let with = |step: &str| {
        changed(
            ".github/workflows/ci.yml",
            base,
            &base.replace("cargo test", step),
        )
    };
    for quiet in [
        "source env.sh || true; cargo test",
        "(rm -rf out || true) && cargo test",
        "ls | grep x && { echo no; exit 1; } || true; cargo test",
    ] {
        let all = with(quiet);
        assert!(
            !findings(&[(
                ".github/workflows/ci.yml",
                Some(base),
                Some(&base.replace("cargo test", quiet))
            )])
            .iter()
            .any(|f| f.words.contains("demand less")),
            "{quiet}: {all:?}"
        );
    }
    for less in [
        "cargo test || true",
        "rm -rf out && cargo test || true",
        "./check.sh || true",
        "rm x || true; cargo test || true",
    ] {
        assert!(with(less).contains(&LESS[0].to_owned()), "{less}");
    }
    let script = "{ \"scripts\": { \"test\": \"vitest run\" } }\n";
    let cleans = script.replace("vitest run", "(rm -rf out || true) && vitest run");
    assert_eq!(changed("package.json", script, &cleans), QUIET);
    assert_eq!(
        changed("package.json", script, &script.replace("run\"", "run || true\"")),
        LESS
    );
}

#[test]
fn steps_of_ci_beside_the_others() {
    let base = "on: push\njobs:\n  a:\n    steps:\n      - run: mvn verify\n      - run: RUST_BACKTRACE=1 cargo test\n      - run: go get -u golang.org/x/lint/golint\n";
    let path = ".github/workflows/ci.yml";
    for (from, to, expected) in [
        // One more step, with every other one still there.
        (
            "      - run: mvn verify\n",
            "      - run: mvn verify\n      - run: mvn install -DskipTests\n",
            TOLD,
        ),
        ("mvn verify", "mvn verify -DskipTests", LESS),
        (
            "      - run: mvn verify\n",
            "      - run: mvn install -DskipTests\n",
            LESS,
        ),
        (
            "      - run: mvn verify\n",
            "      - run: mvn verify\n        continue-on-error: true\n",
            LESS,
        ),
        // What brings a program here checks nothing, and a variable for its report changes nothing.
        ("      - run: go get -u golang.org/x/lint/golint\n", "", TOLD),
        ("RUST_BACKTRACE=1 cargo test", "cargo test", TOLD),
        ("RUST_BACKTRACE=1 cargo test", "cargo test a_part", LESS),
    ] {
        let all = changed(path, base, &base.replace(from, to));
        assert!(all.contains(&expected[0].to_owned()), "{to}: {all:?}");
        assert_eq!(
            all.iter().any(|f| f.starts_with("block")),
            expected == LESS,
            "{to}: {all:?}"
        );
    }
    // The shell's own test asks for values.
    let travis = "script:\n  - cargo test\n  - test $BRANCH = main && bash upload.sh\n";
    let all = changed(".travis.yml", travis, "script:\n  - cargo test\n");
    assert_eq!(all, TOLD);
    // Another system that runs the same.
    let now = "on: push\njobs:\n  a:\n    steps:\n      - run: cargo test --workspace\n";
    assert_eq!(
        found(&[
            (".travis.yml", Some("script: cargo test\n"), None),
            (path, None, Some(now))
        ]),
        ["note checks_loosened", "note checks_loosened"]
    );
    let less = now.replace("--workspace", "--lib");
    let all = found(&[
        (".travis.yml", Some("script: cargo test\n"), None),
        (path, None, Some(&less)),
    ]);
    assert!(all.contains(&LESS[0].to_owned()), "{all:?}");
}
