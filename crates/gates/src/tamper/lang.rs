//! Languages whose tests are read, and what paths say of a file.

/// A language, or a family that reads alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lang {
    Rust,
    Python,
    /// JavaScript and TypeScript.
    Script,
    Go,
    Java,
    Kotlin,
    CSharp,
    Ruby,
    Php,
}

impl Lang {
    /// By the end of the name.
    pub(super) fn of(path: &str) -> Option<Self> {
        let (_, end) = name(path).rsplit_once('.')?;
        Some(match end {
            "rs" => Self::Rust,
            "py" | "pyi" => Self::Python,
            "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" => Self::Script,
            "go" => Self::Go,
            "java" => Self::Java,
            "kt" | "kts" => Self::Kotlin,
            "cs" => Self::CSharp,
            "rb" => Self::Ruby,
            "php" => Self::Php,
            _ => return None,
        })
    }

    /// Whether its blocks are told by how far lines are moved in (Ruby's `end` stands below its beginning).
    pub(super) fn by_indent(self) -> bool {
        matches!(self, Self::Python | Self::Ruby)
    }
}

/// The last part of a path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name without its endings.
pub(super) fn stem(path: &str) -> &str {
    let name = name(path);
    name.split('.').next().unwrap_or(name)
}

/// Folders that hold tests, wherever they stand in a path.
const FOLDERS: [&str; 12] = [
    "test",
    "tests",
    "spec",
    "specs",
    "__tests__",
    "__test__",
    "e2e",
    "testing",
    "cypress",
    "testdata",
    "androidTest",
    "integration_tests",
];

fn in_test_folder(path: &str) -> bool {
    let mut parts = path.split('/').rev();
    let _name = parts.next();
    parts.any(|part| FOLDERS.contains(&part) || part.ends_with(".Tests") || part.ends_with(".Test"))
}

/// Whether a file is there for tests: by its name or its folder.
pub(super) fn is_test_path(path: &str) -> bool {
    in_test_folder(path) || is_test_name(path)
}

/// Whether nothing but the bare name `test.py` says that a file is there for tests.
pub(super) fn is_only_called_test(path: &str) -> bool {
    stem(path) == "test" && !in_test_folder(path)
}

fn is_test_name(path: &str) -> bool {
    let (name, stem) = (name(path), stem(path));
    match Lang::of(path) {
        Some(Lang::Python) => {
            stem.starts_with("test_")
                || stem.ends_with("_test")
                || matches!(stem, "conftest" | "tests" | "test")
        }
        Some(Lang::Script) => [".test.", ".spec.", ".cy.", ".e2e.", "-test.", "_test."]
            .iter()
            .any(|part| name.contains(part)),
        Some(Lang::Go) => stem.ends_with("_test"),
        Some(Lang::Rust) => {
            matches!(stem, "test" | "tests") || stem.ends_with("_test") || stem.ends_with("_tests")
        }
        Some(Lang::Ruby) => stem.ends_with("_spec") || stem.ends_with("_test") || stem.starts_with("test_"),
        Some(Lang::Java | Lang::Kotlin | Lang::CSharp | Lang::Php) => {
            ["Test", "Tests", "TestCase", "IT", "Spec"]
                .iter()
                .any(|end| stem.ends_with(end))
                || stem
                    .strip_prefix("Test")
                    .is_some_and(|rest| rest.starts_with(char::is_uppercase))
        }
        None => false,
    }
}

/// Whether the language's usual runner would find tests in a file of this path.
pub(super) fn is_collected(path: &str) -> bool {
    match Lang::of(path) {
        // By name alone.
        Some(Lang::Go | Lang::Java) => is_test_name(path),
        Some(Lang::Python | Lang::Script | Lang::Ruby | Lang::Php) => {
            // A folder full of tests may be collected whatever its files are called, but not when a name says otherwise.
            is_test_name(path)
                || (in_test_folder(path) && !path.contains("disabled") && !path.contains("helper"))
        }
        Some(Lang::Rust | Lang::Kotlin | Lang::CSharp) => true,
        None => false,
    }
}

/// A name by which a file of tests and the file that it tests are alike.
pub(super) fn subject(path: &str) -> String {
    const ENDS: [&str; 10] = [
        "_tests", "_test", "_specs", "_spec", "-tests", "-test", "Tests", "TestCase", "Test", "Spec",
    ];
    let stem = stem(path);
    let bare = ENDS
        .iter()
        .find_map(|end| stem.strip_suffix(end))
        .or_else(|| stem.strip_prefix("test_"))
        .or_else(|| {
            stem.strip_prefix("Test")
                .filter(|rest| rest.starts_with(char::is_uppercase))
        })
        .filter(|bare| !bare.is_empty())
        .unwrap_or(stem);
    let mut key = bare.to_lowercase();
    key.retain(char::is_alphanumeric);
    key
}

/// Whether a file is material for tests: a small project that a test runs a tool on.
pub(super) fn is_fixture(path: &str) -> bool {
    let mut parts = path.split('/').rev();
    let _name = parts.next();
    parts.any(|part| {
        part == "testdata"
            || part
                .split(['-', '_', '.'])
                .any(|word| matches!(word, "fixtures" | "fixture"))
    })
}

/// Whether a file holds expected outputs that a runner writes itself.
pub(super) fn is_snapshot(path: &str) -> bool {
    let name = name(path);
    let end = name.rsplit('.').next().unwrap_or_default();
    matches!(end, "snap" | "ambr" | "golden" | "approved" | "storyshot")
        || name.contains(".approved.")
        || name.contains(".golden.")
        || path.split('/').any(|part| {
            matches!(
                part,
                "__snapshots__" | "snapshots" | "golden" | "goldens" | "__image_snapshots__"
            )
        })
}
