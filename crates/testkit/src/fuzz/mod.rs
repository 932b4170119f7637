//! One function per parser that reads what others wrote. Each takes any bytes and ends the process by a
//! panic when an invariant of the parser does not hold. The coverage-guided fuzzer in `fuzz/` calls
//! them, and [`smoke`] calls them in every ordinary test run with a bounded number of mutations.

mod mutate;
mod readers;
mod state;
mod targets;
mod texts;

use mutate::Mutator;
use std::time::{Duration, Instant};

/// One parser under test.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, also of the file in `fuzz/fuzz_targets/`.
    pub name: &'static str,
    /// Feeds it with bytes.
    pub run: fn(&[u8]),
    /// Inputs to start from.
    pub seeds: &'static [&'static [u8]],
}

pub use readers::{eval_rows, git_ignore, git_index, pushed, tamper};
pub use state::{marker, session, trust};
pub use targets::{
    TARGETS, claude_payload, claude_settings, git_status, outline, policy, prose, record, runners, shell,
    transcript,
};
pub use texts::{checklist, fold, model, pattern};

/// Longest that one input may take, which has 16 KiB at most: some hundred times what the slowest takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs `target` on its seeds and on `count` mutations of them. The mutations are the same in every run.
pub fn smoke(target: &Target, count: usize) {
    let run = |input: &[u8]| {
        let begun = Instant::now();
        (target.run)(input);
        let took = begun.elapsed();
        assert!(
            took < PATIENCE,
            "{}: {took:?} for {:?}",
            target.name,
            String::from_utf8_lossy(input)
        );
    };
    for seed in target.seeds {
        run(seed);
    }
    let mut mutator = Mutator::new(target.name, target.seeds);
    for _ in 0..count {
        run(&mutator.next_input());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// Mutations per target in an ordinary test run.
    const COUNT: usize = 1_500;

    #[test]
    fn smoke_of_the_claude_payload() {
        smoke(&TARGETS[0], COUNT);
    }

    #[test]
    fn smoke_of_the_claude_settings() {
        smoke(&TARGETS[6], COUNT);
    }

    #[test]
    fn smoke_of_the_git_status() {
        smoke(&TARGETS[7], COUNT);
    }

    #[test]
    fn smoke_of_the_runners() {
        smoke(&TARGETS[8], COUNT);
    }

    #[test]
    fn smoke_of_the_checklist() {
        smoke(&TARGETS[10], COUNT);
    }

    #[test]
    fn smoke_of_the_pattern() {
        smoke(&TARGETS[11], COUNT);
    }

    #[test]
    fn smoke_of_the_fold() {
        smoke(&TARGETS[12], COUNT);
    }

    #[test]
    fn smoke_of_the_model() {
        // Each input goes through files.
        smoke(&TARGETS[13], COUNT / 3);
    }

    #[test]
    fn smoke_of_the_outline() {
        smoke(&TARGETS[1], COUNT);
    }

    #[test]
    fn smoke_of_the_policy() {
        smoke(&TARGETS[2], COUNT);
    }

    #[test]
    fn smoke_of_the_prose() {
        smoke(&TARGETS[3], COUNT);
    }

    #[test]
    fn smoke_of_the_record() {
        // Each input goes through files.
        smoke(&TARGETS[4], COUNT / 3);
    }

    #[test]
    fn smoke_of_the_shell() {
        smoke(&TARGETS[9], COUNT);
    }

    #[test]
    fn smoke_of_the_transcript() {
        smoke(&TARGETS[5], COUNT);
    }

    #[test]
    fn smoke_of_the_git_index() {
        smoke(&TARGETS[14], COUNT);
    }

    #[test]
    fn smoke_of_the_git_ignore() {
        smoke(&TARGETS[15], COUNT);
    }

    #[test]
    fn smoke_of_the_tamper() {
        // Each input is read as a file of nine kinds.
        smoke(&TARGETS[16], COUNT / 3);
    }

    #[test]
    fn smoke_of_the_eval_rows() {
        smoke(&TARGETS[17], COUNT);
    }

    #[test]
    fn smoke_of_the_pushed() {
        smoke(&TARGETS[18], COUNT);
    }

    #[test]
    fn smoke_of_the_session() {
        // Each input goes through files.
        smoke(&TARGETS[19], COUNT / 3);
    }

    #[test]
    fn smoke_of_the_marker() {
        // Each input goes through files.
        smoke(&TARGETS[20], COUNT / 3);
    }

    #[test]
    fn smoke_of_the_trust() {
        // Each input goes through files.
        smoke(&TARGETS[21], COUNT / 3);
    }

    #[test]
    fn every_target_has_a_program_for_the_fuzzer() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
        let programs: BTreeSet<String> = std::fs::read_dir(folder.join("fuzz_targets"))
            .unwrap()
            .map(|e| {
                e.unwrap()
                    .file_name()
                    .into_string()
                    .unwrap()
                    .trim_end_matches(".rs")
                    .to_owned()
            })
            .collect();
        let names: BTreeSet<String> = TARGETS.iter().map(|t| t.name.to_owned()).collect();
        assert_eq!(names.len(), 22, "add a smoke test above for a new target");
        assert_eq!(programs, names);
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        for name in names {
            assert!(
                manifest.contains(&format!("name = \"{name}\"")),
                "{name} is not in fuzz/Cargo.toml"
            );
        }
    }
}
