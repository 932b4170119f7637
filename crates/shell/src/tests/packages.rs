//! Programs of packages of node by their files.

use super::*;

#[test]
fn a_program_of_a_package_by_its_file() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        (
            "npx jest",
            &[
                "node node_modules/.bin/jest",
                "node node_modules/jest/bin/jest.js",
                "NODE_ENV=test node --experimental-vm-modules --max-old-space-size=4096 ./node_modules/jest/bin/jest.js --ci",
                "yarn node --import tsx node_modules/jest-cli/bin/jest.js",
                "node --no-warnings=ExperimentalWarning ../../node_modules/jest/bin/jest.js",
                "npx jest --ci",
            ],
            &[
                "node node_modules/jest/bin/jest.js -t one",
                "node --watch node_modules/jest/bin/jest.js",
                "node --check node_modules/jest/bin/jest.js",
                "node -e 0 node_modules/jest/bin/jest.js",
                "node scripts/jest.js",
                "node node_modules/other/jest.js",
                "node my_node_modules/jest/bin/jest.js",
                "node node_modules/jest/package.json",
                "node node_modules/jest/build/index.js",
                "node --version node_modules/jest/bin/jest.js",
                "node -h node_modules/jest/bin/jest.js",
                "node --eval=0 node_modules/jest/bin/jest.js",
                "node - node_modules/jest/bin/jest.js",
                "node --title node_modules/jest/bin/jest.js ./fake.js",
                "node --redirect-warnings node_modules/jest/bin/jest.js ./fake.js",
                "node -r ./fake.js node_modules/jest/bin/jest.js",
                "node --import=./fake.js node_modules/jest/bin/jest.js",
                "node --import 'data:text/javascript,process.exit(0)' node_modules/jest/bin/jest.js",
                "node node_modules/other/../jest.js",
                "node my_node_modules/.bin/jest",
                "node tests/fixtures/node_modules/jest/bin/jest.js",
                "node --unhandled-rejections=none node_modules/jest/bin/jest.js",
                "node $X node_modules/jest/bin/jest.js",
                "node node_modules/jest/bin/jest.js --listTests",
            ],
        ),
        (
            "tsc --noEmit",
            &[
                "node node_modules/typescript/lib/tsc.js --noEmit",
                "node ./node_modules/typescript/bin/tsc --noEmit",
            ],
            &[
                "node node_modules/typescript/lib/tsserver.js --noEmit",
                "node node_modules/typescript/lib/_tsc.js --noEmit",
                "node node_modules/typescript/../../fake/tsc.js --noEmit",
                "node node_modules/tsc-fake/tsc.js --noEmit",
                "node --v8-options node_modules/typescript/bin/tsc --noEmit",
            ],
        ),
        (
            "npx ava",
            &["node node_modules/ava/entrypoints/cli.mjs"],
            &["node entrypoints/cli.mjs"],
        ),
    ];
    for (run, same, others) in cases {
        is_written_as(run, same, others);
    }
}
