//! Python: a module that a test imports, or that its runner does, puts something of its own in the place of what the test
//! asserts about. The test itself may read as before.

use super::find::Source;
use super::lang::{Lang, name, stem};
use super::lex::{Sort, Token};
use super::stands::{Around, Unit, units};
use super::{Finding, Kind, Severity, Sides, Standing};

/// A part of a module in the place of which a file puts something.
struct Patch<'a> {
    path: &'a str,
    module: String,
    part: String,
    line: u32,
}

/// What files put in the place of parts of modules that they did not at the base.
fn patches<'a>(sides: &[Sides<'a>]) -> Vec<Patch<'a>> {
    let mut out = Vec::new();
    for side in sides {
        let Some(now) = side.now.as_ref().filter(|s| s.lang == Lang::Python) else {
            continue;
        };
        let was = side.base.as_ref().map(|base| Around::whole(side.path, base));
        let known = was.as_ref().map(Around::patches).unwrap_or_default();
        for (module, part, line) in Around::whole(side.path, now).patches() {
            if !known.iter().any(|(m, p, _)| *m == module && *p == part) {
                out.push(Patch {
                    path: side.path,
                    module: module.to_owned(),
                    part: part.to_owned(),
                    line,
                });
            }
        }
    }
    out
}

/// Whether it matters what tests assert about that did not change.
pub(super) fn asks(sides: &[Sides<'_>]) -> bool {
    !patches(sides).is_empty()
}

pub(super) fn look(sides: &[Sides<'_>], standing: &[Standing<'_>], out: &mut Vec<Finding>) {
    let patches = patches(sides);
    if patches.is_empty() {
        return;
    }
    let read: Vec<(&str, Source<'_>)> = standing
        .iter()
        .filter_map(|test| Some((test.path, Source::read(test.path, test.text)?)))
        .collect();
    // Tests that are new may stand on what they like.
    let changed = sides
        .iter()
        .filter(|s| s.base.is_some())
        .filter_map(|s| Some((s.path, s.now.as_ref()?)));
    let tests: Vec<(&str, &Source<'_>)> = changed
        .chain(read.iter().map(|(path, source)| (*path, source)))
        .filter(|(_, source)| source.lang == Lang::Python && !source.tests.is_empty())
        .collect();
    for patch in patches {
        let meant = tests.iter().find(|(path, source)| {
            *path != patch.path && patch.reaches(path, source) && patch.is_meant(path, source)
        });
        let Some((path, _)) = meant else { continue };
        out.push(Finding {
            kind: Kind::AssertionsWeakened,
            severity: Severity::Block,
            path: patch.path.to_owned(),
            line: Some(patch.line),
            words: format!(
                "{path} asserts about `{}.{}`, in the place of which {} puts something of its own",
                patch.module, patch.part, patch.path
            ),
        });
    }
}

impl Patch<'_> {
    /// Whether a test's file imports the one that patches, or its runner does so for it.
    fn reaches(&self, path: &str, source: &Source<'_>) -> bool {
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let below = folder.is_empty()
            || path
                .strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'));
        match name(self.path) {
            "conftest.py" | "__init__.py" => below,
            "sitecustomize.py" | "usercustomize.py" => true,
            _ => imports(source, stem(self.path)),
        }
    }

    /// Whether a test asserts about what is replaced: as a part of its module, or under a name that was taken from it.
    fn is_meant(&self, path: &str, source: &Source<'_>) -> bool {
        let around = Around::whole(path, source);
        let by_itself = around
            .taken(&self.module)
            .any(|(_, names)| names.iter().any(|t| t.is_word(&self.part)));
        let is_it = |unit: &Unit<'_>| match unit.path.as_slice() {
            [name] => *name == self.part && by_itself,
            [.., owner, name] => *name == self.part && around.aliased(owner) == self.module,
            [] => false,
        };
        source
            .tests
            .iter()
            .any(|test| units(Lang::Python, &source.body(test)).iter().any(is_it))
    }
}

/// Whether a file imports a module: `import helper`, `from tests.helper import x`, `from . import helper`.
fn imports(source: &Source<'_>, module: &str) -> bool {
    let tokens: Vec<&Token<'_>> = source.tokens.iter().filter(|t| t.sort != Sort::Comment).collect();
    let begins = tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| t.first && matches!(t.text, "import" | "from"));
    begins.into_iter().any(|(at, _)| {
        let rest = tokens.get(at + 1..).unwrap_or_default();
        rest.iter().take_while(|t| !t.first).any(|t| t.is_word(module))
    })
}
