//! Tables of command lines.

use super::*;

mod dice;
#[cfg(unix)]
mod oracle;
mod packages;
mod properties;

/// What is found in a line, one check per entry: `check [kinds] masks`, `~` for a part, `own=` and `in=`.
fn show(line: &str) -> String {
    show_with(line, &[])
}

fn show_with(line: &str, own: &[OwnCheck]) -> String {
    let analysis = analyse(line, own);
    let entries: Vec<String> = analysis.checks.iter().map(show_check).collect();
    entries.join("; ")
}

fn show_check(check: &Check) -> String {
    let kinds: Vec<&str> = check.kinds.iter().map(|k| k.as_str()).collect();
    let mut text = format!(
        "{}{} {}",
        if check.partial { "~" } else { "" },
        check.check,
        kinds.join("+")
    );
    if let Some(own) = &check.own {
        text += &format!(" own={own}");
    }
    if let Some(folder) = &check.folder {
        text += &format!(" in={folder}");
    }
    for mask in &check.masks {
        text += &format!(" {mask:?}");
    }
    text
}

/// Reads a table: a line, `=>`, and what [`show`] says of it. `\\n` in the line is a line end.
fn table(text: &str) {
    let mut wrong = String::new();
    for row in text.lines().filter(|r| !r.is_empty() && !r.starts_with("## ")) {
        let (line, expected) = row.split_once("  =>").expect("a row has two columns");
        let found = show(
            &line
                .replace("\\n", "\n")
                .replace("\\r", "\r")
                .replace("\\t", "\t"),
        );
        if found != expected.trim() {
            wrong += &format!("{line}  => {found}\n    not {}\n", expected.trim());
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn masks_are_those_of_a_shell() {
    table(include_str!("tests/masks.txt"));
}

#[test]
fn runners_are_known_by_their_commands() {
    table(include_str!("tests/runners.txt"));
}

fn own(name: &str, run: &str, kind: CheckKind) -> OwnCheck {
    OwnCheck {
        name: name.to_owned(),
        run: run.to_owned(),
        kind,
    }
}

#[test]
fn the_policy_s_own_checks_count() {
    let checks = [
        own("all", "./go  everything", CheckKind::Own),
        own("unit", "./go unit", CheckKind::Tests),
        own("unit fast", "./go unit --fast", CheckKind::Lint),
        own("suite", "cargo test --workspace", CheckKind::Tests),
        own("env", "CI=1 npm test", CheckKind::Tests),
        own("piped", "make ci 2>&1 | tee log; ./after", CheckKind::Tests),
        own("make", "make verify", CheckKind::Own),
        own("echo", "echo ok", CheckKind::Tests),
    ];
    for (line, expected) in [
        ("cd x && ./go everything", "./go everything own own=all in=x"),
        ("./go everything | tail", "./go everything own own=all Pipe"),
        ("./go unit", "./go unit tests own=unit"),
        (
            "./go unit -v --color=never",
            "./go unit -v --color=never tests own=unit",
        ),
        ("./go unit a.rs", "~./go unit a.rs tests own=unit"),
        ("./go unit --fast", "./go unit --fast lint own=unit fast"),
        ("./go unit --list", ""),
        ("./go nothing", ""),
        ("go unit", ""),
        ("cargo test --workspace", "cargo test --workspace tests own=suite"),
        (
            "cargo test --workspace --no-run",
            "cargo test --workspace --no-run build",
        ),
        ("cargo test --workspace -- --list", ""),
        ("cargo test", "cargo test tests"),
        (
            "cargo test --locked -j 4 --workspace -- --nocapture",
            "cargo test --locked -j 4 --workspace -- --nocapture tests own=suite",
        ),
        ("timeout 60 npm test", "npm test tests own=env"),
        // Said word for word, it is what the policy says it is.
        (
            " make ci 2>&1 | tee log; ./after ",
            "make ci 2>&1 | tee log; ./after tests own=piped",
        ),
        ("make ci 2>&1 | tee log", "make ci tests Pipe"),
        ("make verify", "make verify tests+own own=make"),
        ("echo ok", "echo ok tests own=echo"),
        ("printf './go unit'", ""),
    ] {
        assert_eq!(show_with(line, &checks), expected, "{line}");
    }
}

#[test]
fn where_a_report_goes_makes_no_other_check() {
    let mut wrong = String::new();
    for (run, lines) in [
        (
            "pytest",
            "pytest --junitxml=r.xml|pytest --html r.html --self-contained-html|pytest --log-file=/tmp/x.log|\
             pytest --report-log r.json|python3 -m pytest --json-report --json-report-file=r.json",
        ),
        (
            "npx vitest run",
            "npx vitest run --reporter=junit --outputFile=r.xml|npx vitest run --reporter default --outputFile r.xml|\
             node_modules/.bin/vitest run --outputFile.junit=r.xml",
        ),
        (
            "npx jest",
            "npx jest --json --outputFile r.json|npx jest --coverage --coverageDirectory=cov",
        ),
        (
            "npm test",
            "npm test -- --reporter=junit --outputFile=r.xml|npm test -- --outputFile r.xml --maxWorkers 2|\
             npm run test -- --coverageDirectory cov",
        ),
        (
            "npx mocha",
            "npx mocha --reporter xunit --reporter-option output=r.xml|npx mocha -R spec -O output=r.xml",
        ),
        (
            "node --test",
            "node --test --test-reporter=junit --test-reporter-destination=/tmp/r.xml",
        ),
        (
            "bundle exec rspec",
            "rspec -f p -f RspecJunitFormatter -o r.xml|bundle exec rspec --format p --out r.xml",
        ),
        (
            "vendor/bin/phpunit",
            "vendor/bin/phpunit --log-junit r.xml --coverage-html cov|./vendor/bin/phpunit --coverage-text",
        ),
        (
            "dotnet test",
            "dotnet test --logger trx --results-directory out|dotnet test '--collect:XPlat Code Coverage'|\
             dotnet test --logger:trx",
        ),
        (
            "ctest",
            "ctest --output-junit r.xml|ctest -O x.log --output-on-failure",
        ),
        (
            "npx playwright test",
            "npx playwright test --output=out --reporter=line",
        ),
        (
            "go test ./...",
            "go test -outputdir=out -coverprofile c.out ./...",
        ),
    ] {
        let checks = [own("own", run, CheckKind::Tests)];
        for line in lines.split('|') {
            let found = analyse(line, &checks).checks;
            let told = found
                .first()
                .map(|c| (c.own.is_some(), c.varied, c.partial, c.points.clone()));
            if told != Some((true, false, false, Vec::new())) {
                wrong += &format!("{line}: {told:?}\n");
            }
        }
        // What selects a part still does.
        let part = format!("{run} some/file");
        let found = analyse(&part, &checks).checks;
        if found.first().is_none_or(|c| !c.varied) {
            wrong += &format!("{part}: {found:?}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_may_write_behind_a_check() {
    for (line, expected) in [
        ("pytest", false),
        ("pytest > log", false),
        ("pytest 2>&1 | tee log", false),
        ("pytest | tee log | tail -3", false),
        ("pytest | tail -3 | tee log", false),
        ("mkdir -p out && python3 gen.py && pytest", false),
        ("pytest && npm run build", false),
        ("pytest; echo $?", false),
        ("pytest && git status", false),
        ("pytest && python3 gen.py", true),
        ("pytest && echo x > a.py", true),
        ("pytest && cat b | tee a.py", true),
        ("pytest | python3 gen.py", true),
        ("{ pytest; sed -i s/a/b/ c; }", true),
        ("for i in 1 2; do sed -i s/a/b/ c; pytest; done", false),
        ("(sleep 1; touch a.py) & pytest", true),
    ] {
        let found = analyse(line, &[]).checks;
        assert_eq!(found.first().map(|c| c.writes_behind), Some(expected), "{line}");
    }
}

#[test]
fn only_what_is_known_to_read_does_not_write() {
    for (line, all, beside) in [
        ("ls -la", false, false),
        ("cat a | grep b | sort -u | head -3", false, false),
        ("cat a > b", true, true),
        ("cat a >> b", true, true),
        ("cat a 2>/dev/null", false, false),
        ("cat a > /dev/null 2>&1", false, false),
        ("cat a &> log", true, true),
        ("cat a >&2", false, false),
        ("> file", true, true),
        ("echo hi", false, false),
        ("sed -n 1,5p a", false, false),
        ("sed -i s/a/b/ a", true, true),
        ("sed -i.bak s/a/b/ a", true, true),
        ("sed 's/a/b/w out' a", true, true),
        ("find . -name x", false, false),
        ("find . -name x -delete", true, true),
        ("find . -exec rm {} ;", true, true),
        ("sort -o a a", true, true),
        ("awk '{print $1}' a", false, false),
        ("awk '{print > \"x\"}' a", true, true),
        ("git status", false, false),
        ("git -C x log -3", false, false),
        ("git commit -m x", true, true),
        ("git checkout .", true, true),
        ("cd x && ls", false, false),
        ("(cd x; pwd) | cat", false, false),
        ("x=$(ls); echo $x", false, false),
        ("x=$(rm a)", true, true),
        ("cat <(touch x)", true, true),
        ("cat <<EOF\n$(touch x)\nEOF", true, true),
        ("cat <<EOF > x\na\nEOF", true, true),
        ("tee x", true, true),
        ("rm x", true, true),
        ("python3 gen.py", true, true),
        ("bash -c 'ls'", false, false),
        ("bash -c 'rm x'", true, true),
        ("bash x.sh", true, true),
        ("sudo ls", false, false),
        ("xargs rm", true, true),
        ("xargs grep a", false, false),
        ("env FOO=1 ls", false, false),
        ("if [ -f a ]; then cat a; fi", false, false),
        ("for f in a b; do cat $f; done > out", true, true),
        ("{ ls; } > out", true, true),
        ("f() { rm x; }; f", true, true),
        ("f() { rm x; }", true, true),
        ("$X y", true, true),
        ("eval ls", true, true),
        ("source x", true, true),
        ("ls 'unclosed", true, true),
        ("", false, false),
        ("# rm x", false, false),
        // Checks leave caches behind; that is not what makes them stale.
        ("cargo test", true, false),
        ("cargo test | tail", true, false),
        ("cargo test > log", true, true),
        ("cargo test; rm x", true, true),
        ("eslint --fix .", true, true),
        ("jest -u", true, true),
        ("cargo fmt", true, true),
        ("cargo metadata", false, false),
    ] {
        let analysis = analyse(line, &[]);
        assert_eq!(
            (analysis.may_write, analysis.writes_beside_checks),
            (all, beside),
            "{line}"
        );
    }
}

/// A command in one line: its words, what is around them, and where it stands.
fn show_command(command: &Simple) -> String {
    let mut text = command.argv.join("|");
    for (name, value) in &command.env {
        text += &format!(" {name}={value}");
    }
    if !command.wrappers.is_empty() {
        text += &format!(" by={}", command.wrappers.join(","));
    }
    if let Some(folder) = &command.folder {
        text += &format!(" in={folder}");
    }
    let position = &command.position;
    if let Some(pipe) = position.pipe {
        text += &format!(" {}/{}", pipe.index, pipe.of);
    }
    if position.before.is_some() || position.after.is_some() {
        text += &format!(" {:?}..{:?}", position.before, position.after);
    }
    if position.background {
        text += " background";
    }
    if !position.within.is_empty() {
        text += &format!(" {:?}", position.within);
    }
    text.replace("Some(", "").replace(')', "")
}

#[test]
fn commands_are_listed_with_their_place() {
    for (line, expected) in [
        ("a b", vec!["a|b"]),
        (
            "a && b || c; d",
            vec!["a None..And", "b And..Or", "c Or..Then", "d Then..None"],
        ),
        ("a | b |& c", vec!["a 0/3", "b 1/3", "c 2/3"]),
        (
            "a & b",
            vec!["a None..Background background", "b Background..None"],
        ),
        (
            "X=1 sudo -u me env Y=2 nice -n 5 a b",
            vec!["a|b X=1 Y=2 by=sudo,env,nice"],
        ),
        ("'a b' \"c $x\" d\\ e", vec!["a b|c $x|d e"]),
        ("a $'\\x41\\n' \"\" ''", vec!["a|A\n||"]),
        ("a 2>&1 >out <in b", vec!["a|b"]),
        ("a \"$(b c)\"", vec!["b|c [Substitution]", "a|$(b c"]),
        ("a `b c`", vec!["b|c [Substitution]", "a|`b c`"]),
        (
            "a `b \\`c\\``",
            vec![
                "c [Substitution, Substitution]",
                "b|`c` [Substitution]",
                "a|`b \\`c\\``",
            ],
        ),
        (
            "if a; then b; else c; fi",
            vec!["a [Condition]", "b [Branch]", "c [Branch]"],
        ),
        ("while a; do b; done", vec!["a [Loop, Condition]", "b [Loop]"]),
        (
            "case x in a) b;; (c|d) e;; esac",
            vec!["b [Branch]", "e [Branch]"],
        ),
        (
            "(a; { b; })",
            vec!["a None..Then [Subshell]", "b [Subshell, Group]"],
        ),
        ("f() { a; }; f x", vec!["f|x Then..None", "a [Function, Group]"]),
        (
            "bash -c 'a && b'",
            vec!["bash|-c|a && b", "a None..And [Script]", "b And..None [Script]"],
        ),
        (
            "cat <<X | a\nb\nX\nc",
            vec!["cat 0/2 None..Then", "a 1/2 None..Then", "c Then..None"],
        ),
        ("cat <<-X\n\tb $(c)\n\tX", vec!["c [Substitution]", "cat"]),
        (
            "cd x && a; (cd y && b); c",
            vec![
                "cd|x None..And",
                "a in=x And..Then",
                "cd|y in=x None..And [Subshell]",
                "b in=x/y And..None [Subshell]",
                "c in=x Then..None",
            ],
        ),
        ("a=(b c); d=e f", vec!["f d=e Then..None"]),
        ("a # b\nc", vec!["a None..Then", "c Then..None"]),
        (
            "echo {a,b} *.rs ~/x $((1+2)) ${x:-y z} $# $?",
            vec!["echo|{a,b}|*.rs|~/x|$((1+2|${x:-y z}|$#|$?"],
        ),
        ("[[ $a =~ ^(x|y)$ && -f b ]] && c", vec!["c And..None"]),
        ("((i++)) || c", vec!["c Or..None"]),
        ("for ((i=0;i<3;i++)); do a; done", vec!["a [Loop]"]),
        ("time -p a", vec!["a"]),
        ("! a", vec!["a"]),
        ("coproc a", vec!["a"]),
        (
            "a <(b) >(c)",
            vec!["b [Substitution]", "c [Substitution]", "a|<(b|>(c"],
        ),
        ("a;b", vec!["a None..Then", "b Then..None"]),
        ("한글 '인자 둘'", vec!["한글|인자 둘"]),
        ("/usr/bin/git status", vec!["git|status"]),
        ("./x/git status", vec!["./x/git|status"]),
        ("\\rm -rf x", vec!["rm|-rf|x"]),
        ("r\"m\" x", vec!["rm|x"]),
        (
            "git commit -F - <<'M' 2>&1 | rm -rf x\nbody\nM",
            vec!["git|commit|-F|- 0/2", "rm|-rf|x 1/2"],
        ),
        ("a <<E rm -rf x\nE", vec!["a|rm|-rf|x"]),
        ("select x in a b; do c; done", vec!["c [Loop]"]),
        (
            "function f() { a; }\nf",
            vec!["f Then..None", "a [Function, Group]"],
        ),
        ("a\\\n b", vec!["a|b"]),
        ("a \"b\\\nc\"", vec!["a|bc"]),
        (
            "declare -a x=(a b) && c",
            vec!["declare|-a|x=ab None..And", "c And..None"],
        ),
        (
            "{ a; } 2>/dev/null & b",
            vec!["a background [Group]", "b Background..None"],
        ),
    ] {
        let found: Vec<String> = analyse(line, &[]).commands.iter().map(show_command).collect();
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn what_the_policy_names_is_told_from_its_parts_and_variants() {
    let checks = [
        own("test", "cargo test", CheckKind::Tests),
        own("box", "docker compose run app ./go", CheckKind::Tests),
    ];
    let told = |line: &str| {
        let found = analyse(line, &checks);
        let Some(check) = found.checks.first() else {
            return String::new();
        };
        let mut text = check.own.clone().unwrap_or_default();
        for (is, word) in [
            (check.partial, " part"),
            (check.varied, " varied"),
            (check.elsewhere, " elsewhere"),
            (check.hidden, " hidden"),
        ] {
            text += if is { word } else { "" };
        }
        text
    };
    for (line, expected) in [
        ("cargo test", "test"),
        ("cargo test --locked -j4 --color always --workspace", "test"),
        ("cargo test -q -- --nocapture", "test"),
        ("cargo test -p one", "test part varied"),
        ("cargo test one", "test part varied"),
        ("cargo test --release", "test varied"),
        ("cargo test > /dev/null 2>&1", "test hidden"),
        ("{ cargo test; } &> log", "test hidden"),
        ("exec > log; cargo test", "test hidden"),
        ("x=$(cargo test)", "test hidden"),
        ("cargo test | cat", "test hidden"),
        ("cargo test 2>&1", "test"),
        ("cargo test > >(tee log)", "test"),
        ("docker compose run app ./go", "box"),
        ("docker compose run other cargo test", " elsewhere"),
    ] {
        assert_eq!(told(line), expected, "{line}");
    }
    let whole = |line: &str| {
        let checks = analyse(line, &[]).checks;
        checks.first().and_then(|c| c.whole.clone()).unwrap_or_default()
    };
    for (line, expected) in [
        ("cargo +nightly test -p one", "cargo test"),
        ("pytest tests/a.py::x", "pytest"),
        ("go test ./a", "go test ./..."),
        ("python -m unittest tests.a", "python3 -m unittest"),
        ("npm test -- one.spec.js", "npm test"),
        ("npm run test:unit", ""),
        ("make -C x test", "make test"),
    ] {
        assert_eq!(whole(line), expected, "{line}");
    }
}

#[test]
fn a_check_of_the_policy_may_be_written_in_another_way() {
    for (run, same, others) in [
        (
            "npm test",
            &[
                "npm run test",
                "npm run-script test --silent",
                "npm t",
                "npm --silent run test",
                "/tmp/x/bin/npm run test",
            ][..],
            &[
                "npm run tests",
                "npm run test:unit",
                "npm run lint",
                "npm test -w one",
                "npm test --workspace=one",
                "npm run -w one test",
                "npm run test -- one.js",
                "pnpm test",
                "bun run test",
            ][..],
        ),
        ("npm run test", &["npm test", "npm tst"], &["npm test one.js"]),
        (
            "yarn run test:unit",
            &["yarn test:unit", "yarn --silent test:unit"],
            &["yarn test", "yarn run test"],
        ),
        ("yarn lint", &["yarn run lint"], &["yarn run lint one.js"]),
        // A command of yarn, and a script of the same name.
        ("yarn run check", &[], &["yarn check"]),
        (
            "pnpm run build",
            &["pnpm build", "pnpm run-script build"],
            &["pnpm -F one build"],
        ),
        // Its own runner, and a script.
        ("bun run test", &[], &["bun test"]),
        (
            "cargo test --workspace",
            &["cargo test --all", "cargo --locked test --all -q"],
            &[
                "cargo test",
                "cargo test --all-targets",
                "cargo test --all -p one",
            ],
        ),
        (
            "cargo test",
            &["cargo test --workspace --all-features"],
            &["cargo test --all-targets"],
        ),
        (
            "cargo clippy --all",
            &["cargo clippy --workspace --all-targets"],
            &["cargo clippy"],
        ),
        ("cargo fmt --all --check", &[], &["cargo fmt --check"]),
        (
            "npx jest",
            &[
                "node_modules/.bin/jest",
                "./node_modules/.bin/jest --ci",
                "yarn jest",
                "/tmp/x/node_modules/.bin/jest",
            ],
            &["./jest", "/tmp/jest", "/tmp/x/jest"],
        ),
        (
            "pytest",
            &[
                "/tmp/x/.venv/bin/pytest -q",
                "/tmp/x/.venv/bin/python -m pytest",
                "timeout 9 /tmp/x/bin/pytest",
            ],
            &["/tmp/x/../bin/pytest", "/tmp/x/bin/bash -c pytest"],
        ),
    ] {
        is_written_as(run, same, others);
    }
}

/// Whether a check of the policy is found in the lines that run the same, and in none of the others.
fn is_written_as(run: &str, same: &[&str], others: &[&str]) {
    let checks = [own("own", run, CheckKind::Tests)];
    let is = |line: &&&str| {
        let found = analyse(line, &checks).checks;
        found.iter().any(|c| c.own.is_some() && !c.partial && !c.varied)
    };
    let wrong: Vec<_> = same.iter().filter(|line| !is(line)).collect();
    assert!(wrong.is_empty(), "{run} is not {wrong:?}");
    let wrong: Vec<_> = others.iter().filter(is).collect();
    assert!(wrong.is_empty(), "{run} is {wrong:?}");
}

#[test]
fn a_program_from_a_place_that_is_open_to_all_is_told() {
    let from = |line: &str| {
        let checks = analyse(line, &[]).checks;
        let folders = checks.iter().map(|c| c.started_from.clone().unwrap_or_default());
        folders.collect::<Vec<_>>()
    };
    for (line, expected) in [
        ("/tmp/x/bin/pytest", &["/tmp/x/bin"][..]),
        ("timeout 9 /tmp/x/bin/python3 -m pytest", &["/tmp/x/bin"]),
        ("/tmp/x/bin/npm exec jest", &["/tmp/x/bin"]),
        ("cd /tmp/x && ./gradlew test", &[""]),
        ("/tmp/x/gradlew test", &["/tmp/x"]),
        ("/usr/bin/pytest", &[""]),
        ("pytest /tmp/x/bin/pytest", &[""]),
        // What it does with a script nobody reads; nor what leads out again.
        ("/tmp/x/bin/npm exec bash -c 'cargo test'", &[]),
        ("/tmp/x/bin/bash -c 'cargo test'", &[]),
        ("/tmp/x/../../home/x/bin/pytest", &[]),
        ("/tmp/x/bin/unheard-of test", &[]),
    ] {
        assert_eq!(from(line), expected, "{line}");
    }
    // It is no program that is known to read.
    assert!(analyse("/tmp/x/bin/cat y", &[]).may_write);
}

#[test]
fn a_line_of_the_policy_is_made_of_the_checks_that_it_must_have_passed() {
    for (line, expected) in [
        (
            "cargo fmt --check && cargo test",
            &["cargo fmt --check", "cargo test"][..],
        ),
        ("cd sub && cargo test > log", &["cargo test"]),
        ("set -e; cargo build; pytest -q", &["cargo build", "pytest -q"]),
        ("cargo test || pytest", &[]),
        ("cargo test | tail", &[]),
        ("if [ -f Cargo.toml ]; then cargo test; else pytest; fi", &[]),
        // One simple command is read as itself.
        ("cargo test", &[]),
    ] {
        let found = analyse(line, &[own("all", line, CheckKind::Tests)]);
        let check = found.checks.iter().find(|c| c.own.as_deref() == Some("all"));
        let parts = &check.unwrap_or_else(|| panic!("{line}: {found:?}")).parts;
        let names: Vec<&str> = parts.iter().map(|p| p.check.as_str()).collect();
        assert_eq!(names, expected, "{line}");
    }
}

#[test]
fn a_line_that_puts_something_else_in_the_place_of_the_project_s_own_is_masked() {
    table(
        "
make test SHELL=/bin/true  => make test SHELL=/bin/true tests Unanalysable
make test PYTHON=true  => make test PYTHON=true tests Unanalysable
make PYTHON= test  => make PYTHON= test tests Unanalysable
make PYTHON:=true test  => make PYTHON:=true test tests Unanalysable
make --eval='test: ; true' test  => make '--eval=test: ; true' test tests Unanalysable
make -E 'test: ; true' test  => ~make -E 'test: ; true' test tests Unanalysable
make -ke test  => make -ke test tests Unanalysable
make -f - test  => make -f - test tests Unanalysable
just PYTHON=true test  => just PYTHON=true test tests Unanalysable
just --set PYTHON true test  => just --set PYTHON true test tests Unanalysable
npm test --script-shell=/bin/true  => npm test --script-shell=/bin/true tests Unanalysable
npm_config_script_shell=/bin/true npm test  => npm test tests Unanalysable
NPM_CONFIG_SCRIPT_SHELL=/bin/true npm test  => npm test tests Unanalysable
export npm_config_if_present=true; npm test  => npm test tests Unanalysable
MAKEFLAGS='-j4 SHELL=/bin/true' make test  => make test tests Unanalysable
MAKEFILES=x.mk make test  => make test tests Unanalysable
## What only says how much is told, or names a real tool, changes nothing.
make test V=1  => make test V=1 tests
make test VERBOSE=true DEBUG=1  => make test VERBOSE=true DEBUG=1 tests
make test PYTHON=python3.12  => make test PYTHON=python3.12 tests
make CC=clang test  => make CC=clang test tests
make -j8 test  => make -j8 test tests
make -k --no-print-directory test  => make -k --no-print-directory test tests
MAKEFLAGS=-j4 make test  => make test tests
npm_config_loglevel=error npm test  => npm test tests
npm_config_registry=http://localhost:4873 npm test  => npm test tests
npm test -- --script-shell=x  => npm test -- --script-shell=x tests
## Options are given to what runs: they may select a part.
make test ARGS='-k one'  => ~make test 'ARGS=-k one' tests
rake test TEST=test/a.rb  => ~rake test TEST=test/a.rb tests
",
    );
    let own = [own("test", "make test PYTHON=true", CheckKind::Tests)];
    assert_eq!(
        show_with("make test PYTHON=true", &own),
        "make test PYTHON=true tests own=test"
    );
    let files = |line: &str| analyse(line, &[]).checks[0].files.clone();
    assert_eq!(files("make -f M2 test"), ["M2"]);
    assert_eq!(files("make -fM2 test"), ["M2"]);
    assert_eq!(files("bin/python3 -m unittest"), ["bin/python3"]);
    assert_eq!(files("timeout 9 ./bin/rspec"), ["./bin/rspec"]);
    assert!(files("pytest tests/a.py").is_empty());
}
