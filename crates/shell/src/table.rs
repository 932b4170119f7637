//! Which commands verify what. To add one, add a row to [`ROWS`]: the first row that fits a command
//! counts.

use proctor_kernel::CheckKind::{self, Build, Lint, Tests, Types};

/// What the words of a command mean that are no options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// They select a part: files, names of tests, packages.
    Select,
    /// They mean nothing of the kind.
    Free,
    /// They name tasks of a file of the project, and what a task does is told by its name.
    Tasks,
}

/// A command that verifies something.
pub(crate) struct Row {
    pub(crate) programs: &'static [&'static str],
    /// The words that must follow, or none. Several words: in this order.
    pub(crate) subs: &'static [&'static str],
    pub(crate) kind: CheckKind,
    pub(crate) words: Words,
    /// One of these options must be there.
    pub(crate) needs: &'static str,
    /// Options that take the next word.
    pub(crate) values: &'static str,
    /// Options that select a part.
    pub(crate) part: &'static str,
    /// Options with which nothing is verified.
    pub(crate) none: &'static str,
    /// Options with which it ends well whatever it finds.
    pub(crate) lenient: &'static str,
    /// Options with which it changes files.
    pub(crate) fixes: &'static str,
    /// Options that name the folder.
    pub(crate) folders: &'static str,
    /// A sub-command may stand anywhere among the words, behind a `:` too: Gradle, Maven.
    pub(crate) anywhere: bool,
    /// One dash begins a long option, so letters behind one dash are no bundle.
    pub(crate) single_dash: bool,
    /// Without any word, this is what it does.
    pub(crate) bare: Option<CheckKind>,
    /// Options without which only a part is verified.
    pub(crate) whole: &'static str,
}

const fn row(programs: &'static [&'static str], subs: &'static [&'static str], kind: CheckKind) -> Row {
    Row {
        programs,
        subs,
        kind,
        words: Words::Select,
        needs: "",
        values: "",
        part: "",
        none: "",
        lenient: "",
        fixes: "",
        folders: "",
        anywhere: false,
        single_dash: false,
        bare: None,
        whole: "",
    }
}

impl Row {
    const fn free(mut self) -> Self {
        self.words = Words::Free;
        self
    }
    const fn tasks(mut self, bare: Option<CheckKind>) -> Self {
        self.words = Words::Tasks;
        self.bare = bare;
        self
    }
    const fn whole(mut self, whole: &'static str) -> Self {
        self.whole = whole;
        self
    }
    const fn needs(mut self, needs: &'static str) -> Self {
        self.needs = needs;
        self
    }
    const fn values(mut self, values: &'static str) -> Self {
        self.values = values;
        self
    }
    const fn part(mut self, part: &'static str) -> Self {
        self.part = part;
        self
    }
    const fn none(mut self, none: &'static str) -> Self {
        self.none = none;
        self
    }
    const fn lenient(mut self, lenient: &'static str) -> Self {
        self.lenient = lenient;
        self
    }
    const fn fixes(mut self, fixes: &'static str) -> Self {
        self.fixes = fixes;
        self
    }
    const fn folders(mut self, folders: &'static str) -> Self {
        self.folders = folders;
        self
    }
    const fn anywhere(mut self) -> Self {
        self.anywhere = true;
        self
    }
    const fn single_dash(mut self) -> Self {
        self.single_dash = true;
        self
    }
}

const CARGO: &str = "-p --package --test --bin --example --bench --features -F --target --target-dir \
    --manifest-path --profile -j --jobs --color --message-format --exclude --skip --test-threads --config -Z -C \
    --format --logfile --shuffle-seed -E --filterset --filter-expr --retries --partition --cargo-profile \
    --lockfile-path --timings -P --status-level --final-status-level --failure-output --success-output -D -W -A";
const CARGO_PART: &str = "-p --package --test --bin --example --bench --bins --lib --examples --doc --exclude \
    --skip --exact --ignored -E --filterset --filter-expr --partition --benches";
const CARGO_NONE: &str = "--list -V --build-plan --unit-graph";
const PYTEST: &str = "-k -m -n -p -c -o -r -W --maxfail --tb --junitxml --junit-xml --cov-report --rootdir \
    --confcutdir --basetemp --ignore --ignore-glob --deselect --durations --capture --color --log-level \
    --log-cli-level --timeout --dist --numprocesses --cov-config --override-ini --verbosity --html --reruns \
    --splits --group --shard-id --num-shards --config-file --log-file --report-log --json-report-file --junit-prefix --pythonwarnings --import-mode --randomly-seed --count --ds --settings";
const JS: &str = "-c --config -t --testNamePattern --maxWorkers -w --reporter --reporters --coverageReporters \
    --testTimeout --rootDir --project --projects --pool --root --dir --environment --coverageDirectory -r \
    --require --timeout -g --grep -f --fgrep --ui --outputFile --shard --tsconfig --seed --retries --spec --browser \
    --output --reporter-option --reporter-options -R -O --coverageProvider --setupFiles --testEnvironment --testPathPattern --testPathPatterns --workers \
    --testMatch --testRegex --testPathIgnorePatterns --roots --exclude --ignore --config-file --package";
const NPM: &str = "-w --workspace --prefix -C --dir --cwd --filter -F --loglevel --reporter --reporters --outputFile \
    --coverageDirectory --coverageReporters --maxWorkers";
const NPM_PART: &str = "-w --workspace --filter -F -t --testNamePattern -g --grep --shard --onlyChanged";
const NPM_NONE: &str =
    "--listTests --list --list-tests --collect-only --watch --watchAll --if-present --dry-run";
const LINTER: &str = "-c --config -f --format -o --output-file --ext --ignore-path --ignore-pattern --rule --parser \
    --plugin --max-warnings --cache-location --config-path --reporter --formatter --log-level --stdin-filename \
    --exclude --extend-exclude --select --ignore --extend-select --extend-ignore --line-length -l --target-version \
    --output-format --cache-dir --rcfile -j --jobs --diagnostic-level --max-diagnostics --vcs-root --colors \
    --max-line-length --max-complexity --disable --enable --fail-under --skip --only --report --settings --standard";

/// The table.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row] = &[
    // Rust
    row(&["cargo"], &["test", "t", "nextest run", "nextest r"], Build).needs("--no-run").values(CARGO)
        .part(CARGO_PART).none(CARGO_NONE).folders("-C"),
    row(&["cargo"], &["test", "t", "nextest run", "nextest r", "llvm-cov nextest", "llvm-cov test", "llvm-cov",
        "tarpaulin", "insta test", "miri test", "miri nextest run", "careful test", "hack test", "hack nextest run"],
        Tests).values(CARGO).part(CARGO_PART).none(CARGO_NONE)
        .lenient("--no-tests=pass --no-fail --accept").fixes("--accept").folders("-C"),
    row(&["cargo"], &["build", "b", "rustc", "zigbuild", "hack build", "ndk build", "auditable build", "doc"], Build)
        .values(CARGO).part(CARGO_PART).none(CARGO_NONE).folders("-C"),
    row(&["cargo"], &["check", "c", "hack check"], Types).values(CARGO).part(CARGO_PART).none(CARGO_NONE)
        .folders("-C"),
    row(&["cargo"], &["clippy"], Lint).values(CARGO).part(CARGO_PART).none(CARGO_NONE).fixes("--fix").folders("-C"),
    row(&["cargo"], &["fmt"], Lint).needs("--check").values(CARGO).part("-p --package").folders("-C"),
    row(&["cargo"], &["deny check", "audit", "machete", "semver-checks", "vet", "udeps"], Lint).free()
        .fixes("--fix"),
    row(&["cargo"], &["xtask", "make", "run-script"], Tests).tasks(None).folders("-C"),
    row(&["rustc"], &[], Build).values("--edition --crate-type --emit -o --out-dir -L --extern --cfg -C").single_dash().none("-V --print"),
    row(&["wasm-pack", "trunk", "dx"], &["build"], Build).free(),
    row(&["wasm-pack"], &["test"], Tests).free(),
    row(&["rustfmt"], &[], Lint).needs("--check").values("--edition --config"),
    row(&["cross"], &["test"], Tests).values(CARGO).part(CARGO_PART).none("--no-run --list"),
    row(&["cross"], &["build", "check"], Build).values(CARGO).part(CARGO_PART),
    row(&["maturin"], &["build", "develop"], Build).free().values(CARGO),

    // Python
    row(&["pytest", "py.test"], &[], Tests).values(PYTEST)
        .part("-k -m --lf --last-failed --ignore --ignore-glob --deselect --sw --stepwise --group --picked --testmon \
            --splits --shard-id --num-shards")
        .none("--collect-only --collectonly --co --fixtures --fixtures-per-test --markers --setup-plan --setup-only \
            --cache-show -V --trace-config")
        .lenient("--suppress-no-test-exit-code --suppress-tests-failed-exit-code").folders("--rootdir")
        .fixes("--snapshot-update --inline-snapshot=fix --inline-snapshot=create --force-regen"),
    row(&["unittest"], &[], Tests).values("-k -s -p -t --pattern --start-directory --top-level-directory")
        .part("-k -p --pattern"),
    row(&["nose2", "nosetests", "ward", "trial", "green", "avocado"], &[], Tests)
        .none("--collect-only --list"),
    row(&["stestr"], &["run"], Tests),
    row(&["behave", "lettuce"], &[], Tests).values("-t --tags -n --name").part("-t --tags -n --name").none("-d --dry-run"),
    row(&["robot"], &[], Tests).values("-t -s -i -e -d -v --test --suite --include --exclude")
        .part("-t -s -i -e --test --suite --include --exclude").none("--dryrun").lenient("--nostatusrc"),
    row(&["tox"], &["", "run", "run-parallel", "r", "p"], Tests).values("-e -c -p -m --workdir --result-json -f -o")
        .part("-e -m -f").none("--notest -n -l -a --listenvs --listenvs-all --showconfig list l --devenv"),
    row(&["nox"], &[], Tests).free().values("-s -e -k -t -f -p --session --sessions --keywords --tags --noxfile")
        .part("-s -e -k -t --session --sessions --keywords --tags").none("-l --list --list-sessions"),
    row(&["hatch"], &["test"], Tests).values("-py --python -i -x").part("-i -x").none("--show -s"),
    row(&["hatch", "uv", "poetry", "pdm", "rye", "flit"], &["build"], Build).free(),
    row(&["build"], &[], Build).free(),
    row(&["rye"], &["test"], Tests).values("-p").part("-p"),
    row(&["hatch", "pdm", "rye", "pixi", "devbox"], &["run"], Tests).tasks(None).values("-e --env -p"),
    row(&["poe", "inv", "invoke", "doit", "duty"], &[], Tests).tasks(None).none("-l --list")
        .values("-C --directory -c -f").folders("-C --directory"),
    row(&["mypy", "pyright", "basedpyright", "pyre", "pytype"], &[], Types)
        .values("-p -m -c --config-file --python-version --package --module --exclude --project --pythonpath \
            --python-executable --pythonversion --level --cache-dir --platform")
        .part("-p -m -c --package --module").none("--createstub --stats -w --watch").lenient("--exit-zero"),
    row(&["dmypy"], &["run", "check"], Types),
    row(&["ty", "pyrefly"], &["check"], Types).values("--project --python --config").lenient("--exit-zero"),
    row(&["ruff"], &["check", "lint"], Lint).values(LINTER).part("--select --diff")
        .none("--show-files --show-settings --statistics-only -w --watch").lenient("--exit-zero -e").fixes("--fix --fix-only --add-noqa"),
    row(&["ruff"], &["format"], Lint).needs("--check --diff").values(LINTER).lenient("--exit-zero"),
    row(&["black", "isort", "yapf", "autopep8", "docformatter"], &[], Lint).needs("--check --check-only -c --diff -d")
        .values("-l --line-length -t --target-version --config --profile --exclude --include --settings-path --sp"),
    row(&["flake8", "pylint", "pydocstyle", "pycodestyle", "bandit", "vulture", "pyflakes", "lint-imports", "interrogate",
        "codespell", "deptry", "pip-audit", "refurb"], &[], Lint).values(LINTER)
        .part("--select --disable --enable").lenient("--exit-zero").fixes("-w --write-changes --write"),
    row(&["py_compile", "compileall"], &[], Build),

    // JavaScript and TypeScript
    row(&["jest"], &[], Tests).values(JS)
        .part("-t --testNamePattern --testPathPattern --testPathPatterns -o --onlyChanged --changedSince --shard \
            --findRelatedTests --runTestsByPath --lastCommit --selectProjects --ignoreProjects --onlyFailures --testMatch --testRegex \
            --testPathIgnorePatterns --roots --filter")
        .none("--listTests --showConfig --watch --watchAll --init --clearCache")
        .fixes("-u --updateSnapshot"),
    row(&["vitest"], &["", "run"], Tests).values(JS)
        .part("-t --testNamePattern --changed --shard --project --related --exclude --dir").none("--watch -w --ui list bench init")
        .lenient("--dangerouslyIgnoreUnhandledErrors").fixes("-u --update"),
    row(&["vitest"], &["related"], Tests).values(JS),
    row(&["mocha", "ava", "tap", "tape", "uvu", "jasmine", "qunit", "zora", "lab", "wdio", "web-test-runner",
        "wtr", "tstyche", "tsd"], &[], Tests).values(JS).part("-g --grep -f --fgrep --match -m --grep --spec --ignore --exclude")
        .none("--dry-run -w --watch --list-files --list-reporters"),
    row(&["react-scripts", "vue-cli-service", "karma"], &["test", "test:unit", "start"], Tests).none("--watch"),
    row(&["playwright"], &["test"], Tests).values(JS)
        .part("-g --grep --grep-invert --project --shard --last-failed --only-changed").none("--list --ui")
        .fixes("-u --update-snapshots"),
    row(&["cypress"], &["run"], Tests).values(JS).part("-s --spec"),
    row(&["node", "tsx", "ts-node"], &[], Tests).needs("--test").values("--import --require -r --loader --test-reporter \
            --test-reporter-destination --test-concurrency --test-timeout --env-file --test-name-pattern --conditions -C")
        .part("--test-name-pattern --test-only --test-skip-pattern --test-shard").none("--watch -v").single_dash(),
    row(&["node"], &[], Lint).needs("--check -c").single_dash(),
    row(&["deno"], &["test"], Tests).values("--filter -c --config --reporter --import-map --ignore").part("--filter --ignore")
        .none("--no-run --watch"),
    row(&["deno"], &["check"], Types).values("-c --config"),
    row(&["deno"], &["lint"], Lint).fixes("--fix"),
    row(&["deno"], &["fmt"], Lint).needs("--check"),
    row(&["deno"], &["compile", "bundle"], Build),
    row(&["deno"], &["task"], Tests).tasks(None),
    row(&["bun"], &["test"], Tests).values("-t --test-name-pattern --timeout --preload --reporter --cwd --rerun-each --bail")
        .part("-t --test-name-pattern --todo --only --changed").none("--watch --hot").fixes("-u --update-snapshots").folders("--cwd"),
    row(&["bun"], &["build"], Build).values("--outdir --outfile --target --format --entry-naming"),
    row(&["npm"], &["test", "t", "tst", "run-script", "run", "rum", "urn"], Tests).tasks(None).values(NPM).part(NPM_PART).none(NPM_NONE)
        .folders("--prefix"),
    row(&["pnpm", "yarn", "bun"], &[], Tests).tasks(None).values(NPM).part(NPM_PART).none(NPM_NONE).folders("-C --dir --cwd"),
    row(&["turbo", "nx", "lerna", "rush", "moon", "wireit"], &[], Tests).tasks(None)
        .values("--filter -F --projects -p --concurrency --parallel -t --target --targets --scope -c --configuration --base --head \
            --output-logs --cwd")
        .part("--filter -F --projects -p --scope --affected --since affected").none("--dry --dry-run --graph --watch"),
    row(&["tsc", "vue-tsc", "tsgo", "svelte-check", "glint"], &[], Types)
        .values("-p --project -t --target -m --module --outDir --rootDir --lib --types --moduleResolution --declarationDir \
            --tsconfig --output --threshold")
        .none("-v --init --showConfig --listFilesOnly -w --watch --clean --dry -d --all").single_dash(),
    row(&["svelte-kit", "flow"], &["check"], Types),
    row(&["astro", "vue-cli-service"], &["check"], Types),
    row(&["vite", "next", "nuxt", "nuxi", "astro", "remix", "gatsby", "ng", "expo", "parcel", "react-scripts", "vue-cli-service",
        "svelte-kit", "storybook", "rsbuild", "docusaurus", "vitepress", "eleventy"], &["build"], Build).free()
        .none("--watch -w"),
    row(&["ng"], &["test", "e2e"], Tests).part("--include").none("--watch"),
    row(&["ng", "next"], &["lint"], Lint).fixes("--fix"),
    row(&["webpack", "rollup", "esbuild", "tsup", "swc", "babel", "parcel", "unbuild", "tsdown", "microbundle"], &[],
        Build).free().none("--watch -w serve watch"),
    row(&["eslint", "oxlint", "xo", "standard", "semistandard", "tslint", "stylelint", "jshint", "htmlhint", "ember-template-lint"], &[], Lint)
        .values(LINTER).part("--rule").none("--print-config --init --env-info --inspect-config -v")
        .lenient(" --exit-zero").fixes("--fix"),
    row(&["biome"], &["check", "lint", "ci", "format"], Lint).values(LINTER).part("--only --changed --staged --since")
        .fixes("--write --fix --apply --apply-unsafe --unsafe"),
    row(&["prettier", "oxfmt"], &[], Lint).needs("--check -c -l --list-different").values(LINTER).fixes("--write -w"),
    row(&["dprint"], &["check"], Lint),
    row(&["knip", "depcheck", "madge", "publint", "attw", "size-limit", "markdownlint", "markdownlint-cli2", "cspell", "commitlint",
        "syncpack", "lint-staged", "textlint", "remark", "alex"], &[], Lint).values(LINTER).lenient("--no-exit-code").fixes("--fix"),

    // Go
    row(&["go"], &["test"], Tests).values("-run -skip -count -timeout -parallel -cpu -bench -benchtime -tags -coverprofile -cover \
            -covermode -coverpkg -o -C -exec -p -ldflags -gcflags -mod -modfile -fuzz -fuzztime -vet -shuffle")
        .part("-run -skip -short -fuzz").none("-c -list -n -h").folders("-C").single_dash(),
    row(&["go"], &["build", "install"], Build).values("-o -C -tags -ldflags -gcflags -mod -p -buildmode").none("-n").folders("-C")
        .single_dash(),
    row(&["go"], &["vet"], Lint).values("-vettool -tags -C").none("-n").folders("-C").single_dash(),
    row(&["gotestsum", "ginkgo", "gotest"], &[], Tests).values("-f --format --junitfile --jsonfile --packages -p --focus --skip")
        .part("--focus --skip -run").none("--watch watch"),
    row(&["golangci-lint"], &["run"], Lint).values(LINTER).part("-E --enable --disable --new --new-from-rev --fast -p")
        .lenient("--issues-exit-code=0").fixes("--fix"),
    row(&["staticcheck", "revive", "errcheck", "gosec", "govulncheck", "ineffassign", "nilaway"], &[], Lint).values("-config -formatter -checks -fmt")
        .part("-checks").single_dash(),
    row(&["mage"], &[], Tests).tasks(None).none("-l -h"),

    // Ruby
    row(&["rspec"], &[], Tests).values("-e --example -t --tag -f --format -o --out -r --require -P --pattern -I --seed --order --profile")
        .part("-e --example -t --tag --only-failures -n --next-failure -P --pattern --bisect --exclude-pattern").none("--dry-run --init")
        .lenient("--failure-exit-code=0"),
    row(&["rails"], &["test", "test:all", "test:system", "spec"], Tests).values("-n --name -e -s --seed").part("-n --name"),
    row(&["cucumber", "minitest", "m"], &[], Tests).values("-t --tags -n --name").part("-t --tags -n --name").none("-d --dry-run"),
    row(&["rake"], &[], Tests).tasks(Some(Tests)).none("-n --dry-run -T --tasks -P -D -W").values("-f -C").folders("-C --directory"),
    row(&["rubocop", "standardrb", "reek", "brakeman", "erblint", "haml-lint", "slim-lint", "fasterer"], &[], Lint).values(LINTER)
        .part("--only --except").lenient("--no-exit-on-warn --fail-level=fatal").fixes("-a -A --autocorrect --autocorrect-all --auto-correct --fix -x")
        .none("--auto-gen-config -L --list-target-files --show-cops"),
    row(&["srb"], &["tc", "typecheck"], Types),
    row(&["steep"], &["check"], Types),

    // PHP
    row(&["phpunit", "pest", "paratest", "behat", "simple-phpunit"], &[], Tests)
        .values("-c --configuration --filter --group --exclude-group --testsuite --coverage-html --coverage-clover --coverage-cobertura --coverage-xml --log-junit --log-teamcity --testdox-html --testdox-text --bootstrap -d -p")
        .part("--filter --group --exclude-group --testsuite --dirty --retry")
        .none("--list-tests --list-groups --list-suites --list-tests-xml --generate-configuration --check-version --atleast-version")
        .lenient("--do-not-fail-on-empty-test-suite").single_dash(),
    row(&["codecept"], &["run"], Tests),
    row(&["artisan"], &["test"], Tests).values("--filter --testsuite --group").part("--filter --testsuite --group --dirty"),
    row(&["composer"], &["run", "run-script", "test", "tests", "lint", "check", "analyse", "analyze", "phpstan", "stan", "ci", "build", "types", "cs"], Tests)
        .tasks(None).values("-d --working-dir").folders("-d --working-dir").none("-l --list"),
    row(&["phpstan"], &["analyse", "analyze"], Types).values("-c --configuration -l --level -a --memory-limit --error-format -b")
        .none("--generate-baseline"),
    row(&["psalm"], &[], Types).values("-c -m").fixes("--alter").none("--init --set-baseline"),
    row(&["phpcs", "pint", "php-cs-fixer", "phpmd", "ecs", "rector"], &[], Lint).values(LINTER).lenient("--ignore-violations-on-exit"),
    row(&["php"], &[], Lint).needs("-l --syntax-check"),

    // JVM
    row(&["mvn", "mvnw", "mvnd"], &["test", "verify", "install", "package", "deploy", "integration-test", "test-compile"], Build)
        .needs("-DskipTests -DskipTests=true -Dmaven.test.skip -Dmaven.test.skip=true").anywhere().free()
        .values("-pl --projects -f --file -P -s -T -rf").part("-pl --projects -rf").folders("-f --file").single_dash(),
    row(&["mvn", "mvnw", "mvnd"], &["test", "verify", "install", "package", "integration-test", "surefire:test"], Tests).anywhere().free()
        .values("-pl --projects -f --file -P -s -T -rf").part("-pl --projects -rf -Dtest -Dit.test -Dgroups -DexcludedGroups -Dsurefire.excludes \
            -Dsurefire.includes").none("-v")
        .lenient("-fn -Dmaven.test.failure.ignore -Dmaven.test.failure.ignore=true -DtestFailureIgnore=true")
        .folders("-f --file").single_dash(),
    row(&["mvn", "mvnw", "mvnd"], &["compile", "test-compile", "process-classes"], Build).anywhere().free().values("-pl -f -P -s -T -rf").part("-pl")
        .lenient("-fn").single_dash(),
    row(&["mvn", "mvnw", "mvnd"], &["checkstyle:check", "spotless:check", "spotbugs:check", "pmd:check"], Lint).anywhere().free().single_dash(),
    row(&["gradle", "gradlew"], &["build", "check", "test", "assemble"], Build).needs("-x --exclude-task").anywhere().free()
        .values("-p -b -c -I -x --project-dir --build-file --exclude-task --init-script --console").none("-m --dry-run -t --continuous -v")
        .folders("-p --project-dir").single_dash(),
    row(&["gradle", "gradlew"], &["test", "check", "build", "integrationTest", "connectedCheck", "testDebugUnitTest", "testReleaseUnitTest", "allTests",
        "jvmTest", "functionalTest"], Tests).anywhere().free()
        .values("-p -b -c -I -x --tests --project-dir --build-file --exclude-task --init-script --console").part("--tests")
        .none("-m --dry-run -t --continuous -v").folders("-p --project-dir").single_dash(),
    row(&["gradle", "gradlew"], &["assemble", "classes", "compileJava", "compileKotlin", "testClasses", "jar", "bootJar", "assembleDebug",
        "assembleRelease", "installDist", "shadowJar", "compileTestKotlin", "compileTestJava", "compileDebugKotlin"], Build).anywhere().free()
        .values("-p -b -c -I -x").none("-m --dry-run -t --continuous").folders("-p --project-dir").single_dash(),
    row(&["gradle", "gradlew"], &["lint", "ktlintCheck", "spotlessCheck", "detekt", "checkstyleMain", "lintDebug", "pmdMain", "spotbugsMain"], Lint).anywhere().free()
        .values("-p -b -c -I -x").none("-m --dry-run -t --continuous").folders("-p --project-dir").single_dash(),
    row(&["sbt", "mill", "sbtn"], &["test", "testQuick", "__.test"], Tests).anywhere().free(),
    row(&["sbt", "mill", "sbtn"], &["compile", "package", "assembly", "__.compile"], Build).anywhere().free(),
    row(&["lein"], &["test"], Tests).part(":only"),
    row(&["ant"], &[], Tests).tasks(Some(Build)),
    row(&["javac", "kotlinc", "scalac", "groovyc"], &[], Build).single_dash(),
    row(&["ktlint", "detekt", "checkstyle", "google-java-format"], &[], Lint).fixes("-F --format -i --replace"),

    // C, C++, and build systems
    row(&["ctest"], &[], Tests).values("-R -E -L -LE -j -C -T -D -M -S --test-dir --timeout --output-junit --output-log -O --parallel --build-config --repeat --preset")
        .part("-R -E -L -LE -I --rerun-failed --tests-regex --exclude-regex --label-regex").none("-N --show-only")
        .folders("--test-dir").single_dash(),
    row(&["cmake"], &[], Tests).needs("--target=test -t=test --target=check").values("--build -j --parallel -t --target --config --preset")
        .folders("--build").single_dash().free(),
    row(&["cmake"], &[], Build).needs("--build").values("--build -j --parallel -t --target --config --preset").part("-t --target")
        .folders("--build").single_dash(),
    row(&["meson"], &["test"], Tests).values("-C --suite -t").part("--suite --no-suite").none("--list").folders("-C"),
    row(&["meson"], &["compile"], Build).values("-C -j").folders("-C"),
    row(&["ninja", "samu"], &["test", "check"], Tests).values("-C -j -f -k -t").none("-n -t").folders("-C"),
    row(&["ninja", "samu"], &[], Build).values("-C -j -f -k -t").none("-n -t").folders("-C"),
    row(&["make", "gmake", "mingw32-make", "bmake"], &[], Tests).tasks(Some(Build)).values("-C -f -j -I -l -o -W --directory --file --makefile --jobs --load-average")
        .none("-n -q -t --just-print --dry-run --recon --question --touch -p --print-data-base -v")
        .lenient("-i --ignore-errors").folders("-C --directory"),
    row(&["just", "task", "go-task", "tusk", "xtask", "earthly", "mask", "tup", "waf", "scons"], &[], Tests).tasks(None)
        .values("-f --justfile -d --working-directory --dir -t --taskfile --set").none("-n --dry-run -l --list --list-all -a --summary --show -s --evaluate --dry --dump -w")
        .folders("-d --working-directory --dir"),
    row(&["gcc", "g++", "clang", "clang++", "cc", "c++", "clang-cl", "nvcc"], &[], Build).none("-E -M -MM -v -dumpversion -###").single_dash(),
    row(&["clang-tidy", "cppcheck", "cpplint", "clang-format", "include-what-you-use"], &[], Lint).fixes("-i --fix -fix").lenient("--error-exitcode=0"),
    row(&["bazel", "bazelisk", "buck2", "buck", "pants", "please", "plz"], &["test", "coverage"], Tests).values("--config -c --test_output --jobs")
        .part("--test_filter --test_tag_filters").none("--nobuild --check_tests_up_to_date"),
    row(&["bazel", "bazelisk", "buck2", "buck", "pants", "please", "plz"], &["build", "package"], Build).values("--config -c --jobs").none("--nobuild"),
    row(&["pants"], &["lint"], Lint),
    row(&["pants"], &["check"], Types),
    row(&["xmake", "zig", "dune", "nimble", "shards", "rebar3", "gleam", "crystal", "stack", "cabal", "alire", "alr", "lake", "v", "elm-test-rs", "fpm", "raco", "spago", "roc", "sui", "aptos", "scarb", "snforge", "nargo", "aiken", "anchor", "forge", "hardhat", "truffle", "ape"],
        &["test", "build test", "runtest", "eunit", "ct", "spec"], Tests)
        .values("--filter -p --match-test --match-contract --mt --mc -m").part("--filter --match-test --match-contract --mt --mc -m -p").none("--list --dry-run --no-run"),
    row(&["xmake", "zig", "dune", "nimble", "shards", "rebar3", "gleam", "crystal", "stack", "cabal", "alr", "lake", "fpm", "spago", "scarb", "nargo", "aiken", "anchor", "forge", "hardhat", "truffle"],
        &["build", "compile"], Build).free().none("--dry-run"),
    row(&["prove"], &[], Tests).values("-j -I -e --exec --formatter").none("-D --dry"),
    row(&["elm-test", "busted", "hspec", "bats", "shellspec", "shunit2", "roundup", "kotest", "lust", "luaunit", "cram", "tst", "gut", "vusted", "plenary"], &[], Tests)
        .values("-f --filter -t --tags -j --jobs").part("-f --filter -t --tags --filter-tags").none("-c --count --list -l --dry-run -D"),
    row(&["elm", "nim"], &["make", "c", "check"], Build),

    // .NET, Swift, Dart, Elixir
    row(&["dotnet"], &["test", "vstest"], Tests).values("--filter -c --configuration -f --framework -l --logger -o -r -v --verbosity -s --settings \
            --results-directory --collect --runtime").part("--filter").none("-t --list-tests").single_dash(),
    row(&["dotnet"], &["build", "publish", "pack", "msbuild"], Build).values("-c --configuration -f --framework -o -r -v --verbosity --runtime").single_dash(),
    row(&["dotnet"], &["format"], Lint).needs("--verify-no-changes").values("--include --exclude --severity"),
    row(&["msbuild", "xbuild"], &[], Build).single_dash(),
    row(&["swift"], &["test"], Tests).values("--filter --skip --package-path -c --configuration -Xswiftc --num-workers").part("--filter --skip -s --specifier")
        .none("-l --list-tests list").folders("--package-path"),
    row(&["swift"], &["build"], Build).values("--package-path -c --configuration -Xswiftc --target --product").part("--target --product")
        .none("--show-bin-path").folders("--package-path"),
    row(&["xcodebuild"], &["test", "test-without-building"], Tests).anywhere().free().values("-scheme -project -workspace -destination -configuration -sdk -testPlan")
        .part("-only-testing -skip-testing").none("-list -showsdks -dry-run -n").single_dash(),
    row(&["xcodebuild"], &[], Build).free().none("-list -showsdks -showBuildSettings -dry-run -n clean").single_dash(),
    row(&["swiftlint"], &["", "lint"], Lint).lenient("--lenient").fixes("--fix --autocorrect"),
    row(&["dart", "flutter"], &["test"], Tests).values("-n --name -N --plain-name -t --tags -x --exclude-tags -j -r --reporter -d -P")
        .part("-n --name -N --plain-name -t --tags -x --exclude-tags").fixes("--update-goldens"),
    row(&["dart", "flutter"], &["analyze"], Lint),
    row(&["dart", "flutter"], &["build", "compile"], Build).free(),
    row(&["dart"], &["format"], Lint).needs("--set-exit-if-changed"),
    row(&["mix"], &["test", "espec", "coveralls"], Tests).values("--only --exclude --include --seed --max-failures --partitions").part("--only --exclude --failed --stale"),
    row(&["mix"], &["compile"], Build).free(),
    row(&["mix"], &["format"], Lint).needs("--check-formatted"),
    row(&["mix"], &["credo", "dialyzer"], Lint).free(),

    // Of all languages
    row(&["pre-commit", "prek"], &["run"], Lint).values("--hook-stage -c --config --from-ref --to-ref -s -o --files")
        .part("--files --from-ref --to-ref -s -o").whole("--all-files -a"),
    row(&["lefthook"], &["run"], Lint).free(),
    row(&["shellcheck", "shfmt", "hadolint", "yamllint", "actionlint", "ansible-lint", "tflint", "vale", "typos", "taplo",
        "zizmor", "checkov", "semgrep", "spectral", "redocly", "buildifier", "ec", "editorconfig-checker", "proselint", "write-good", "luacheck", "selene", "stylua",
        "hlint", "nixfmt", "statix", "deadnix", "mdl", "djlint", "super-linter", "trunk", "treefmt", "alejandra"], &[], Lint).values(LINTER).none("-l --list-files")
        .fixes("-w --write --write-changes -i --in-place --fix --fix-only").lenient("--no-exit-code --soft-fail"),
    row(&["sqlfluff"], &["lint"], Lint),
    row(&["terraform", "tofu", "packer"], &["validate"], Lint).free(),
    row(&["terraform", "tofu", "opa", "helm", "conftest"], &["test"], Tests),
    row(&["helm"], &["lint"], Lint),
    row(&["terraform", "tofu"], &["fmt"], Lint).needs("-check").single_dash(),
    row(&["buf"], &["lint", "breaking", "build"], Lint),
    row(&["nix"], &["flake check"], Tests),
    row(&["bash", "sh", "zsh", "dash"], &[], Lint).needs("-n"),
];
