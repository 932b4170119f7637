//! Tests of the crate as its callers use it.

mod broken;
mod generated;
mod held;
mod layering;
mod loading;
mod patterns;
mod problems;
mod properties;
mod speed;
mod tools;

use crate::{Layer, Resolved, SourceFile, Sources, resolve};

/// Sources from texts; an empty text is no file.
fn sources(user: &str, project: &str, local: &str) -> Sources {
    let file = |path: &str, text: &str| {
        (!text.is_empty()).then(|| SourceFile {
            path: path.to_owned(),
            bytes: text.as_bytes().to_vec(),
        })
    };
    Sources {
        user: file("/home/u/.config/proctor/proctor.yaml", user),
        project: file(".proctor/proctor.yaml", project),
        local: file(".proctor/local.yaml", local),
        unreadable: Vec::new(),
    }
}

fn project(text: &str) -> Resolved {
    resolve(&sources("", text, ""))
}

/// All problems as a user sees them.
fn rendered(resolved: &Resolved) -> String {
    resolved
        .problems
        .iter()
        .map(crate::Problem::render)
        .collect::<Vec<_>>()
        .join("\n")
}

fn layer_of(resolved: &Resolved, path: &str) -> Option<Layer> {
    resolved.origins.get(path).map(|origin| origin.layer)
}
