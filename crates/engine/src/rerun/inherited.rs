//! Variables that what Proctor starts must not inherit: whoever asks for a run could change its result by them.

use std::ffi::OsStr;

/// Marks of an agent that is near.
const MARKS: [&str; 7] = [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "OPENCODE",
];

/// A family of names that put code or options into programs, and the names of it that do not.
struct Family(&'static str, &'static [&'static str]);

/// Families, by how their names begin, without regard to case.
const FAMILIES: [Family; 34] = [
    // What the system's loader loads. Where libraries lie is like where programs lie.
    Family("LD_", &["LD_LIBRARY_PATH"]),
    Family("DYLD_", &["DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"]),
    // git, and functions that a shell would take over.
    Family("GIT_", &[]),
    Family("BASH_FUNC_", &[]),
    // Interpreters.
    Family("PYTHON", &[]),
    Family("NODE_REPL_", &[]),
    Family("BUN_", &["BUN_INSTALL", "BUN_INSTALL_CACHE_DIR"]),
    Family(
        "DENO_",
        &[
            "DENO_AUTH_TOKENS",
            "DENO_CERT",
            "DENO_DIR",
            "DENO_INSTALL",
            "DENO_INSTALL_ROOT",
            "DENO_TLS_CA_STORE",
        ],
    ),
    Family("TS_NODE_", &[]),
    Family("RUBY", &["RUBY_VERSION", "RUBY_ROOT", "RUBY_ENGINE"]),
    Family("PERL", &["PERLBREW_HOME", "PERLBREW_PERL", "PERLBREW_ROOT"]),
    Family("LUA_", &[]),
    Family("JULIA_", &["JULIA_DEPOT_PATH", "JULIA_NUM_THREADS"]),
    Family("ERL_", &[]),
    Family("DOTNET_STARTUP_HOOKS", &[]),
    Family("DOTNET_ADDITIONAL_DEPS", &[]),
    Family("DOTNET_SHARED_STORE", &[]),
    Family("CORECLR_", &[]),
    Family("COR_", &[]),
    Family("COMPLUS_", &[]),
    Family("R_PROFILE", &[]),
    Family("R_ENVIRON", &[]),
    // Those who start others.
    Family(
        "NPM_CONFIG_",
        &[
            "NPM_CONFIG_CA",
            "NPM_CONFIG_CACHE",
            "NPM_CONFIG_CAFILE",
            "NPM_CONFIG_HTTPS_PROXY",
            "NPM_CONFIG_NOPROXY",
            "NPM_CONFIG_PROXY",
            "NPM_CONFIG_REGISTRY",
        ],
    ),
    Family("PNPM_CONFIG_", &[]),
    Family("YARN_", &["YARN_CACHE_FOLDER", "YARN_REGISTRY"]),
    // Test runners.
    Family("CTEST_", &[]),
    Family("JEST_", &[]),
    Family("MOCHA_", &[]),
    Family("NEXTEST_", &[]),
    Family("PYTEST_", &[]),
    Family("RUST_TEST_", &[]),
    Family("TOX_", &[]),
    Family("VITEST", &[]),
    Family("CLAUDE_CODE_SHELL", &[]),
];

/// Single names that do the same, in order.
const SINGLE: [&str; 50] = [
    "BASHOPTS",
    "BASH_ENV",
    "BUNDLE_GEMFILE",
    "CARGO_BUILD_RUSTC",
    "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CDPATH",
    "CLASSPATH",
    "CLAUDE_ENV_FILE",
    "ELIXIR_ERL_OPTIONS",
    "ENV",
    "FPATH",
    "GLOBIGNORE",
    "GNUMAKEFLAGS",
    "GOENV",
    "GOFLAGS",
    "GRADLE_OPTS",
    "JAVA_OPTS",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVAC_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "KOTLIN_COMPILER",
    "MAKEFILES",
    "MAKEFLAGS",
    "MAVEN_ARGS",
    "MAVEN_OPTS",
    "MFLAGS",
    "NODE_COMPILE_CACHE",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_TEST_CONTEXT",
    "NODE_V8_COVERAGE",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PROMPT_COMMAND",
    "PS4",
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTDOC",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
    "SBT_OPTS",
    "SHELLOPTS",
    "SPEC_OPTS",
    "TSX_TSCONFIG_PATH",
    "ZDOTDIR",
    "_JAVA_OPTIONS",
];

/// Names of the families that are taken away also where the caller found no variables to leave out.
const KNOWN: [&str; 10] = [
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_WORK_TREE",
    "PERL5OPT",
    "PROCTOR_AUDIENCE",
    "PROCTOR_CANARY",
    "PROCTOR_LAUNCH",
    "PROCTOR_STATE",
    "PYTEST_ADDOPTS",
    "RUBYOPT",
];

/// Names that are never passed on to a check, whether the caller found them or not.
pub(super) fn always() -> impl Iterator<Item = &'static str> {
    KNOWN.into_iter().chain(MARKS).chain(SINGLE)
}

/// Whether a variable of this name puts code or options into a loader, an interpreter, a shell, git or a test runner:
/// nothing that Proctor starts for a verdict gets it. What remains (`PATH`, tools' own settings and caches) is named in
/// the threat model.
#[must_use]
pub fn injects(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    let upper = name.to_ascii_uppercase();
    let of = |family: &Family| upper.starts_with(family.0) && !family.1.contains(&upper.as_str());
    SINGLE.contains(&name)
        || FAMILIES.iter().any(of)
        || (name.starts_with("CARGO_TARGET_")
            && ["_LINKER", "_RUNNER", "_RUSTFLAGS"]
                .iter()
                .any(|end| name.ends_with(end)))
}

/// Whether a variable of this name must not reach a check: it is Proctor's own, says that an agent is near, or
/// [`injects`] something that could change what a test run does without a trace in the tree.
#[must_use]
pub fn steers(name: &OsStr) -> bool {
    let ours = |name: &str| MARKS.contains(&name) || name.starts_with("PROCTOR_");
    injects(name) || name.to_str().is_some_and(ours)
}
