//! What file names look like: extensions, well-known names, and words that only look like files.

use crate::list::listed;
use proctor_prose::{Filter, Token};

/// Extensions that mark a bare word as a file name even in running text.
const EXTENSIONS: &str = "\
    rs|go|py|pyi|pyx|ipynb|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|astro|java|kt|kts|scala|groovy|\
    gradle|clj|cljs|cs|csx|fs|fsx|vb|c|h|cc|cpp|cxx|hpp|hh|hxx|mm|swift|rb|erb|rake|php|pl|pm|jl|lua|\
    dart|ex|exs|erl|hrl|hs|ml|mli|elm|nim|zig|sv|vhd|sol|asm|sh|bash|zsh|fish|ps1|psm1|bat|cmd|awk|sql|\
    prisma|graphql|gql|proto|thrift|avsc|json|json5|jsonc|jsonl|ndjson|yaml|yml|toml|ini|cfg|conf|\
    properties|xml|xsd|xsl|html|htm|xhtml|css|scss|sass|less|styl|md|mdx|rst|adoc|txt|tex|bib|org|csv|\
    tsv|parquet|lock|tf|tfvars|hcl|nix|bzl|bazel|cmake|mk|plist|storyboard|xib|pbxproj|xcconfig|sln|\
    csproj|fsproj|vbproj|svg|png|jpg|jpeg|gif|webp|ico|avif|pdf|docx|xlsx|pptx|wasm|wat|glsl|hlsl|wgsl|\
    frag|snap|golden|orig|bak|patch|diff|po|pot|arb|resx|strings|ftl|hbs|mustache|ejs|pug|njk|liquid|j2|\
    jinja|jinja2|tmpl|tpl|twig|pem|crt|csr|tar|tgz|jar|war|whl|deb|rpm|sqlite|sqlite3|ron|dhall|cue|\
    jsonnet|libsonnet|rego|fbs|capnp|editorconfig|gitignore|dockerignore|map.js|d.ts|cu|cuh|metal|\
    mod.ts|hjson|ods|odt|webmanifest|zip|gz|ttf|woff|woff2|mp3|mp4|wav";

/// Names without extension, or with one that says nothing, that are files wherever they stand.
const NAMES: &str = "\
    Makefile|makefile|GNUmakefile|Dockerfile|Containerfile|Jenkinsfile|Vagrantfile|Gemfile|Rakefile|\
    Procfile|Brewfile|Justfile|justfile|Caddyfile|Tiltfile|Earthfile|Pipfile|Podfile|Fastfile|Appfile|\
    Guardfile|Berksfile|Snakefile|Taskfile|Cakefile|Dangerfile|Puppetfile|Cartfile|Modelfile|CODEOWNERS|\
    Kconfig|Kbuild|gradlew|mvnw|go.mod|go.sum|go.work|rebar.config|mix.lock|README|CHANGELOG|\
    CONTRIBUTING|LICENSE|LICENCE|COPYING|SECURITY.md|CMakeLists.txt|.env|.envrc|.npmrc|.nvmrc|\
    .gitignore|.gitattributes|.gitmodules|.dockerignore|.editorconfig|.prettierrc|.eslintrc|.babelrc|\
    .bashrc|.zshrc|.profile|.htaccess|.clang-format|.clang-tidy|.rubocop.yml|.tool-versions|\
    .python-version|.ruby-version|.node-version|.prettierignore|.eslintignore|.stylelintrc|.flake8|\
    .pylintrc|.coveragerc|.golangci.yml|.travis.yml|.gitlab-ci.yml|.mailmap|.terraform.lock.hcl";

/// Names that stand for the file with any extension (`README` for `README.md`).
const STEMS: &str = "README|CHANGELOG|CONTRIBUTING|LICENSE|LICENCE|COPYING";

/// Folders that a word before a slash may name even without any other sign of a path.
const ROOTS: &str = "\
    src|lib|libs|app|apps|test|tests|doc|docs|pkg|packages|package|services|service|server|servers|\
    client|clients|web|crates|crate|internal|cmd|scripts|script|config|configs|conf|api|apis|frontend|\
    backend|modules|module|components|pages|views|models|controllers|public|static|assets|include|tools|\
    bin|build|dist|infra|deploy|deployment|k8s|helm|charts|migrations|db|database|examples|example|spec|\
    specs|hooks|styles|types|utils|util|common|core|shared|vendor|third_party|plugins|proto|protos|\
    schemas|schema|templates|locales|i18n|ui|ios|android|mobile|desktop|cli|sdk|engine|workers|worker|\
    jobs|tasks|features|domain|platform|terraform|ansible|archive|bench|benches|benchmarks|fixtures|\
    testdata|content|data|etc|ops|ci|legacy";

/// Words with a dot that are libraries or places, not files.
const NOT_FILES: &str = "\
    node.js|vue.js|next.js|nuxt.js|react.js|express.js|three.js|d3.js|moment.js|chart.js|ember.js|\
    backbone.js|angular.js|p5.js|discord.js|alpine.js|solid.js|day.js|date-fns.js|handlebars.js|pdf.js|\
    socket.io|asp.net|ado.net|vb.net|paper.js|matter.js|hapi.js|nest.js|meteor.js|knockout.js|\
    underscore.js|lodash.js|highlight.js|leaflet.js|video.js|fabric.js|babylon.js|polymer.js|require.js|\
    bignumber.js|decimal.js|ethers.js|web3.js|tensorflow.js|brain.js|anime.js|prism.js|reveal.js|\
    impress.js|swiper.js|plotly.js|cyclejs|marko.js|htmx.js|stimulus.js|deno.js|intl.js";

/// Pairs of words that are joined by a slash in prose.
const PAIRS: &str = "\
    and/or|read/write|input/output|true/false|yes/no|on/off|client/server|login/logout|signin/signout|\
    start/stop|enable/disable|add/remove|create/delete|create/update|get/set|request/response|\
    before/after|old/new|up/down|left/right|push/pull|open/close|pass/fail|success/failure|key/value|\
    name/value|either/or|he/she|his/her|him/her|s/he|w/o|w/|n/a|ci/cd|i/o|tcp/ip|ui/ux|a/b|dev/prod|\
    staging/prod|dev/staging|import/export|unit/integration|lint/format|build/test|test/lint|km/h|req/s|\
    rps/s|ms/op|mb/s";

/// Whether the word is an extension that marks a file even in running text.
pub(crate) fn is_extension(extension: &str) -> bool {
    if !extension.bytes().any(|b| b.is_ascii_uppercase()) {
        return listed!(EXTENSIONS, extension);
    }
    let lower = extension.to_ascii_lowercase();
    listed!(EXTENSIONS, lower.as_str())
}

/// Whether the word is a file name that everybody knows.
pub(crate) fn is_name(name: &str) -> bool {
    // `.env.example`, `.env.production`
    let of_stage = |kind: &str| name.strip_prefix(kind).is_some_and(|rest| !rest.is_empty());
    listed!(NAMES, name) || of_stage("Dockerfile.") || of_stage(".env.")
}

/// The names of nothing but letters that begin with a capital, in lower case.
static CAPITAL: Filter = Filter::of(&[
    "makefile",
    "gnumakefile",
    "dockerfile",
    "containerfile",
    "jenkinsfile",
    "vagrantfile",
    "gemfile",
    "rakefile",
    "procfile",
    "brewfile",
    "justfile",
    "caddyfile",
    "tiltfile",
    "earthfile",
    "pipfile",
    "podfile",
    "fastfile",
    "appfile",
    "guardfile",
    "berksfile",
    "snakefile",
    "taskfile",
    "cakefile",
    "dangerfile",
    "puppetfile",
    "cartfile",
    "modelfile",
    "codeowners",
    "kconfig",
    "kbuild",
    "readme",
    "changelog",
    "contributing",
    "license",
    "licence",
    "copying",
]);

/// Whether a plain word that begins with a capital may be a file name that everybody knows.
pub(crate) fn may_be_name(token: &Token) -> bool {
    token.may_be(&CAPITAL)
}

/// Whether the word stands for a file with any extension.
pub(crate) fn is_stem(name: &str) -> bool {
    listed!(STEMS, name)
}

/// Whether the word is a folder that projects usually have.
pub(crate) fn is_root(name: &str) -> bool {
    listed!(ROOTS, name)
}

/// Whether a word with a dot is the name of a library.
pub(crate) fn is_library(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    listed!(NOT_FILES, lower.as_str())
}

/// Whether a word with a slash is two words of prose.
pub(crate) fn is_pair(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    listed!(PAIRS, lower.as_str())
}

/// A manifest and its lock files.
pub(crate) const LOCKS: &[(&str, &[&str])] = &[
    (
        "package.json",
        &[
            "package-lock.json",
            "npm-shrinkwrap.json",
            "yarn.lock",
            "pnpm-lock.yaml",
            "bun.lock",
            "bun.lockb",
            "deno.lock",
        ],
    ),
    ("pnpm-workspace.yaml", &["pnpm-lock.yaml"]),
    ("deno.json", &["deno.lock"]),
    ("deno.jsonc", &["deno.lock"]),
    ("Cargo.toml", &["Cargo.lock"]),
    (
        "pyproject.toml",
        &["uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"],
    ),
    ("Pipfile", &["Pipfile.lock"]),
    ("requirements.in", &["requirements.txt"]),
    ("environment.yml", &["conda-lock.yml"]),
    ("pixi.toml", &["pixi.lock"]),
    ("Gemfile", &["Gemfile.lock"]),
    ("composer.json", &["composer.lock"]),
    ("go.mod", &["go.sum"]),
    ("go.work", &["go.work.sum"]),
    ("mix.exs", &["mix.lock"]),
    ("rebar.config", &["rebar.lock"]),
    ("pubspec.yaml", &["pubspec.lock"]),
    ("flake.nix", &["flake.lock"]),
    ("Podfile", &["Podfile.lock"]),
    ("Cartfile", &["Cartfile.resolved"]),
    ("Package.swift", &["Package.resolved"]),
    ("build.gradle", &["gradle.lockfile"]),
    ("build.gradle.kts", &["gradle.lockfile"]),
    ("Chart.yaml", &["Chart.lock"]),
    ("shard.yml", &["shard.lock"]),
    ("MODULE.bazel", &["MODULE.bazel.lock"]),
    ("versions.tf", &[".terraform.lock.hcl"]),
    ("main.tf", &[".terraform.lock.hcl"]),
    ("vcpkg.json", &["vcpkg-lock.json"]),
    ("conanfile.txt", &["conan.lock"]),
    ("conanfile.py", &["conan.lock"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_letters_is_overlooked() {
        let letters = |name: &&str| name.bytes().all(|b| b.is_ascii_alphabetic());
        let capital = |name: &&str| name.starts_with(|c: char| c.is_ascii_uppercase());
        let names: Vec<&str> = NAMES.split('|').filter(letters).filter(capital).collect();
        assert!(names.len() > 20);
        for name in names {
            assert!(CAPITAL.admits(&name.to_lowercase()), "{name}");
        }
    }
}
