//! Programs of packages of node that are started by their files: `node --experimental-vm-modules node_modules/jest/bin/jest.js`.
//!
//! Only the files that are known to be the program count: others of the same package load its library, end at once, and have
//! checked nothing. Of node's options only those count that change nothing of what it runs.

use crate::word::{Arg, base};

/// Files of packages below `node_modules/`, and the programs that they are: the `bin` of each package.json as published by
/// November 2026 (jest 30.5, vitest 5.1, mocha 12.0, ava 8.1, jasmine 7.0, karma 6.4, cypress 15.3, playwright 1.65,
/// react-scripts 5.0, typescript 7.0, vue-tsc 3.3, eslint 10.15, stylelint 18.0, prettier 3.10, biome 2.6, pyright 1.1, vite 8.3,
/// webpack 5.112, rollup 4.68, next 16.4, Angular 22.2), and what earlier versions called them.
const ENTRIES: &[(&str, &str)] = &[
    ("jest/bin/jest.js", "jest"),
    ("jest-cli/bin/jest.js", "jest"),
    ("vitest/vitest.mjs", "vitest"),
    ("mocha/bin/mocha.js", "mocha"),
    ("mocha/bin/mocha", "mocha"),
    ("mocha/bin/_mocha", "mocha"),
    ("ava/entrypoints/cli.js", "ava"),
    ("ava/entrypoints/cli.mjs", "ava"),
    ("jasmine/bin/jasmine.js", "jasmine"),
    ("karma/bin/karma", "karma"),
    ("cypress/bin/cypress", "cypress"),
    ("@playwright/test/cli.js", "playwright"),
    ("playwright/cli.js", "playwright"),
    ("react-scripts/bin/react-scripts.js", "react-scripts"),
    ("typescript/bin/tsc", "tsc"),
    ("typescript/lib/tsc.js", "tsc"),
    ("vue-tsc/bin/vue-tsc.js", "vue-tsc"),
    ("eslint/bin/eslint.js", "eslint"),
    ("stylelint/bin/stylelint.mjs", "stylelint"),
    ("stylelint/bin/stylelint.js", "stylelint"),
    ("prettier/bin/prettier.cjs", "prettier"),
    ("prettier/bin-prettier.js", "prettier"),
    ("@biomejs/biome/bin/biome", "biome"),
    ("pyright/index.js", "pyright"),
    ("vite/bin/vite.js", "vite"),
    ("webpack/bin/webpack.js", "webpack"),
    ("webpack-cli/bin/cli.js", "webpack"),
    ("rollup/dist/bin/rollup", "rollup"),
    ("next/dist/bin/next", "next"),
    ("@angular/cli/bin/ng.js", "ng"),
];

/// Options of node that change nothing of which file it runs, and of what that does.
const PLAIN: &[&str] = &[
    "--experimental-vm-modules",
    "--experimental-strip-types",
    "--experimental-transform-types",
    "--experimental-global-webcrypto",
    "--no-experimental-fetch",
    "--no-experimental-strip-types",
    "--no-experimental-webstorage",
    "--openssl-legacy-provider",
    "--no-warnings",
    "--no-deprecation",
    "--enable-source-maps",
    "--trace-warnings",
    "--trace-deprecation",
    "--trace-uncaught",
    "--preserve-symlinks",
    "--expose-gc",
    "--expose_gc",
];
/// The same, with a value behind `=`.
const VALUED: &[&str] = &[
    "--max-old-space-size",
    "--max_old_space_size",
    "--max-semi-space-size",
    "--stack-size",
    "--stack-trace-limit",
    "--disable-warning",
    "--no-warnings",
    "--experimental-specifier-resolution",
];
/// Options that load code first, which is one of these and no file of anybody's.
const LOADS: &[&str] = &["--import", "--require", "-r", "--loader", "--experimental-loader"];
const LOADED: &[&str] = &[
    "tsx",
    "tsx/esm",
    "ts-node/register",
    "ts-node/register/transpile-only",
    "ts-node/esm",
    "esbuild-register",
    "@swc-node/register",
    "@swc-node/register/esm-register",
    "@babel/register",
    "source-map-support/register",
    "dotenv/config",
];

/// The program whose file in a package a path names.
pub(crate) fn entry(path: &str) -> Option<&'static str> {
    let inside = inside(path)?;
    ENTRIES
        .iter()
        .find(|(file, _)| *file == inside)
        .map(|(_, name)| *name)
}

/// What a path has behind the folder `node_modules`: of this folder or one above it, or of a whole path. One further in may be
/// a fixture's.
fn inside(path: &str) -> Option<&str> {
    let (folder, inside) = path.split_once("node_modules/")?;
    let above = folder
        .split_inclusive('/')
        .all(|part| matches!(part, "./" | "../"));
    let whole = folder.starts_with('/') && folder.ends_with('/');
    (above || whole).then_some(inside)
}

/// How many words of a call of node stand before the program of a package that it runs.
pub(crate) fn of_node(name: &str, rest: &[Arg], runner: &dyn Fn(&str) -> bool) -> Option<usize> {
    if name != "node" {
        return None;
    }
    let mut at = 1;
    loop {
        let word = rest.get(at).filter(|a| a.is_whole())?.text.as_str();
        if !word.starts_with('-') {
            break;
        }
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word, None),
        };
        if LOADS.contains(&option) {
            let loaded = match value {
                Some(value) => value,
                None => {
                    at += 1;
                    rest.get(at)?.text.as_str()
                }
            };
            LOADED.contains(&loaded).then_some(())?;
        } else {
            let plain = match value {
                Some(_) => VALUED.contains(&option),
                None => PLAIN.contains(&option),
            };
            plain.then_some(())?;
        }
        at += 1;
    }
    let path = rest.get(at)?.text.as_str();
    // Links that the package manager made.
    let linked = || {
        let inside = inside(path)?.strip_prefix(".bin/")?;
        (inside == base(path)).then_some(inside)
    };
    entry(path).or_else(linked).is_some_and(runner).then_some(at)
}
