//! What reading costs: `cargo test --release -p proctor-runners cost -- --ignored --nocapture`.

use super::samples::samples;
use crate::summarise;
use std::time::{Duration, Instant};

fn median(rounds: usize, mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let began = Instant::now();
            run();
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[rounds / 2]
}

/// A run of cargo with many tests, as long as asked for.
fn cargo(bytes: usize) -> String {
    let mut text = String::from("running 9999 tests\n");
    let mut n = 0;
    while text.len() < bytes {
        n += 1;
        text.push_str(&format!(
            "test module_{}::case_{n}_does_what_it_says ... ok\n",
            n % 37
        ));
    }
    text + "\ntest result: ok. 9999 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s\n"
}

#[test]
#[ignore = "prints figures"]
fn cost_of_reading() {
    let table = |name: &str, text: &str| {
        for hint in [Some("cargo test"), Some("make test"), None] {
            let took = median(200, || {
                std::hint::black_box(summarise(std::hint::black_box(text), hint));
            });
            let speed = text.len() as f64 / 1e6 / took.as_secs_f64();
            println!(
                "{name}, {} KB, {hint:?}: {took:?}, {speed:.0} MB/s",
                text.len() / 1000
            );
        }
    };
    table("cargo", &cargo(2_000));
    table("cargo", &cargo(30_000));
    table("cargo", &cargo(300_000));
    table("cargo", &cargo(10_000_000));
    let coloured: String = cargo(300_000)
        .lines()
        .map(|l| format!("\x1b[32m{l}\x1b[0m\r\n"))
        .collect();
    table("cargo in colour", &coloured);
    let all: String = samples().iter().map(|s| s.text.as_str()).collect();
    table("all samples", &all.repeat(300_000 / all.len() + 1));
    table("lines of two letters", &"ab\n".repeat(100_000));
}
