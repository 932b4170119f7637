//! Folders and files at which the words of a command point it.

use crate::runners::{is_label, takes_labels};
use crate::word::{Arg, program};
use crate::wrappers::{assignment, listed};

/// Options that name the folder or the project that is looked at.
const OPTIONS: &str = "--manifest-path --rootdir --rootDir --root --project --directory --prefix --chdir --cwd --dir \
    --package-path --project-dir --project-directory --working-dir --working-directory --workdir --test-dir \
    --start-directory --top-level-directory --file --makefile --justfile --taskfile --build-file --pom --config \
    --config-file --configuration --confcutdir --pyargs --build -C";

/// Those of them whose value is a folder, however it looks.
const FOLDERS: &str = "--rootdir --rootDir --root --directory --prefix --chdir --cwd --dir --project-dir --project-directory \
    --working-dir --working-directory --workdir --test-dir --start-directory";

/// Options whose value says where something is written.
const OUTPUTS: &str = "--target-dir --out-dir -o --output --outputFile --junitxml --junit-xml --basetemp --html --log-file \
    --logfile --out --outputdir -outputdir --log-junit --log-teamcity --testdox-html --testdox-text --coverage-html --coverage-clover \
    --coverage-cobertura --coverage-xml --output-junit --output-log -O --test-reporter-destination --report-log --json-report-file \
    --junitfile --jsonfile --reporter-option --reporter-options --results-directory --cache-dir --cache-location --coverage-dir -coverprofile --coverageDirectory --outDir";

/// Short ones that do so in some programs and take no path in the others.
const SHORT: &str = "-f -c -p -s -t -b -d";

/// What is pointed at, as it was written. A path inside the folder of a program that selects a part is not among them.
pub(crate) fn of(core: &[Arg]) -> Vec<String> {
    let mut found = Vec::new();
    let name = core.first().map_or("", |a| program(&a.text));
    let is_target = |word: &str| takes_labels(name) && is_label(word);
    let mut words = core.iter().enumerate().map(|(at, a)| (at, a.text.as_str()));
    while let Some((at, word)) = words.next() {
        if assignment(word).is_some() {
            continue;
        }
        if !word.starts_with('-') {
            // The program itself may be installed anywhere; a script of the project may not lie outside.
            if at > 0 && leads_out(word) && !is_target(word) {
                found.push(word.to_owned());
            }
            continue;
        }
        let (flag, attached) = match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (word, None),
        };
        if attached.is_none() && listed(OUTPUTS, flag) {
            words.next();
            continue;
        }
        let long = listed(OPTIONS, flag);
        if !long && !listed(SHORT, flag) {
            // `-C/tmp/x`
            if let Some(rest) = word
                .get(2..)
                .filter(|r| leads_out(r) && listed("-C -f", word.get(..2).unwrap_or_default()))
            {
                found.push(rest.to_owned());
            }
            continue;
        }
        let value = attached.or_else(|| core.get(at + 1).map(|a| a.text.as_str()));
        if let Some(value) = value.filter(|v| {
            !v.starts_with('-') && (leads_out(v) || long && looks_like_path(v) || listed(FOLDERS, flag))
        }) {
            found.push(value.to_owned());
        }
        if attached.is_none() {
            words.next();
        }
    }
    found
}

/// Whether a path may lead out of the folder in which it is named.
fn leads_out(path: &str) -> bool {
    path.starts_with(['/', '~', '$']) && path.len() > 1
        || path == ".."
        || path.starts_with("../")
        || path.contains("/../")
}

fn looks_like_path(value: &str) -> bool {
    value.contains('/') || value.contains('.')
}
