//! Names of files as people and hosts write them: with an `@` before them, from the home or from the project's folder.

use super::{cut_particle, file_like};
use crate::names::{is_name, is_root};

/// Names of variables that stand for the project's folder.
const PROJECT: [&str; 4] = ["CLAUDE_PROJECT_DIR", "PWD", "workspaceFolder", "PROJECT_ROOT"];

/// What stands behind a variable for the project's folder: `src/a.rs` of `$CLAUDE_PROJECT_DIR/src/a.rs`.
pub(super) fn in_project(token: &str) -> Option<&str> {
    let rest = token.strip_prefix('$')?;
    let rest = match rest.strip_prefix('{') {
        Some(rest) => {
            let (name, rest) = rest.split_once('}')?;
            PROJECT.contains(&name).then_some(rest)?
        }
        None => PROJECT.iter().find_map(|name| rest.strip_prefix(name))?,
    };
    rest.strip_prefix('/').filter(|path| !path.is_empty())
}

/// The path behind an `@` by which people hand a file to their host: `@src/a.rs`, `@README.md`, `@docs/`. A name of a scope
/// (`@acme/ui`) and one who is spoken to (`@sam`) are none.
pub(super) fn handed(token: &str) -> Option<&str> {
    let path = token.strip_prefix('@')?;
    let bare = path.split(['#', ':']).next().unwrap_or(path);
    let (bare, _) = cut_particle(bare);
    let bare = bare.trim_end_matches(['.', ',', ';', '!', '?']);
    let names = file_like(bare) || is_name(bare) || bare.len() > 1 && bare.ends_with('/');
    let rooted = ["./", "/", "~/"].iter().any(|start| bare.starts_with(start));
    let folders = bare.split('/').skip(1);
    let is_version = bare.contains('@') && folders.clone().all(|name| !name.starts_with('@'));
    (!is_version && (names || rooted && bare.len() > 2)).then_some(path)
}

/// The path without the `@` before it, where that surely is no part of it: no folder of a project is called `@src`.
pub(super) fn surely_handed(token: &str) -> Option<&str> {
    handed(token).filter(|path| {
        let first = path.split('/').next().unwrap_or_default();
        // Declarations of types do lie in a folder `@types`.
        matches!(first, "." | ".." | "~") || is_root(first) && first != "types" || !path.contains('/')
    })
}

/// Further names under which a file that may be handed over is found. `@/` also stands for a folder of sources.
pub(super) fn spellings(path: &str) -> Vec<String> {
    let Some(name) = handed(path) else {
        return Vec::new();
    };
    let anywhere = name.starts_with('/').then(|| format!("**{name}"));
    [Some(name.to_owned()), anywhere].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_at_before_a_path_hands_it_over() {
        for (token, path, sure) in [
            ("@src/a.rs", "src/a.rs", true),
            ("@README.md", "README.md", true),
            ("@docs/", "docs/", true),
            ("@./x/y.rs", "./x/y.rs", true),
            ("@src/a.rs#L10-20", "src/a.rs#L10-20", true),
            ("@src/a.py를", "src/a.py를", true),
            ("@types/node.d.ts", "types/node.d.ts", false),
            ("@acme/ui/", "acme/ui/", false),
            ("@/ui/a.ts", "/ui/a.ts", false),
        ] {
            assert_eq!(handed(token), Some(path), "{token}");
            assert_eq!(surely_handed(token).is_some(), sure, "{token}");
        }
        for token in ["@sam", "@sam:", "@acme/ui", "@", "@/", "src/a.rs", "@a/b@1.2.js"] {
            assert_eq!(handed(token), None, "{token}");
        }
    }

    #[test]
    fn a_variable_may_stand_for_the_project() {
        assert_eq!(in_project("$CLAUDE_PROJECT_DIR/src/a.rs"), Some("src/a.rs"));
        assert_eq!(in_project("${CLAUDE_PROJECT_DIR}/src/a.rs"), Some("src/a.rs"));
        for token in [
            "$HOME/src/a.rs",
            "$CLAUDE_PROJECT_DIRS/a.rs",
            "${PWD}",
            "CLAUDE_PROJECT_DIR/a.rs",
        ] {
            assert_eq!(in_project(token), None, "{token}");
        }
    }
}
