//! Figures of the hook path. Run with `cargo test --release -p proctor-policy speed -- --ignored --nocapture`.

use super::sources;
use crate::{Settings, digest_of, resolve};
use std::hint::black_box;
use std::time::Instant;

/// A policy of about 2 KB with comments, as people write them.
fn typical() -> String {
    let mut text = include_str!("../../tests/data/enforcement_section.yaml").to_owned();
    text += "verification:\n";
    for (name, run) in [
        ("test", "cargo test --workspace"),
        ("lint", "cargo clippy -- -D warnings"),
        ("fmt", "cargo fmt --check"),
    ] {
        text += &format!(
            "  # what `{name}` means in this project, and why the team relies on it\n  - {{ name: {name}, run: \"{run}\" }}\n"
        );
    }
    while text.len() < 2_000 {
        text += "# A line of explanation, so that the next reader knows why a value is what it is.\n";
    }
    text
}

fn micros(name: &str, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..2_000)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{name}: p50 {:.1} µs, p99 {:.1} µs", times[1_000], times[1_980]);
    times[1_000]
}

#[test]
#[ignore = "a measurement; needs a release build"]
fn reading_and_caching_are_fast() {
    let files = sources("preset: standard\n", &typical(), "");
    println!("policy of {} bytes", files.project.as_ref().unwrap().bytes.len());
    micros("resolve", || drop(black_box(resolve(black_box(&files)))));
    micros("digest_of", || drop(black_box(digest_of(black_box(&files)))));
    let settings = resolve(&files).settings;
    let json = serde_json::to_vec(&settings).unwrap();
    println!("settings as JSON: {} bytes", json.len());
    micros("settings from JSON", || {
        drop(black_box(
            serde_json::from_slice::<Settings>(black_box(&json)).unwrap(),
        ))
    });
    let both = micros("settings to JSON and back", || {
        let json = serde_json::to_vec(black_box(&settings)).unwrap();
        drop(black_box(serde_json::from_slice::<Settings>(&json).unwrap()));
    });
    assert!(both < 20.0, "{both} µs");
}
