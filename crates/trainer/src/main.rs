//! `proctor-trainer train FOLDER ACTS REVIEW`, `proctor-trainer decide (situation|kind) FOLDER [OTHER…]`,
//! `proctor-trainer cross FOLDER [situation|kind]`, `proctor-trainer test FOLDER TEST`,
//! `proctor-trainer measure ACTS REVIEW TEST`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use proctor_gates::review::Forests;
use proctor_prose::Model;
use proctor_trainer::data::{Unit, read_folder};
use proctor_trainer::decide::{self, Show};
use proctor_trainer::forest::Growth;
use proctor_trainer::train::{Recipe, train};
use proctor_trainer::validate::{Report, cross};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let has = |flag: &str| arguments.iter().any(|a| a == flag);
    let mut recipe = Recipe::default();
    let mut growth = Growth::default();
    for argument in &arguments {
        match argument.split_once('=') {
            Some(("--epochs", n)) => recipe.epochs = n.parse().unwrap_or(recipe.epochs),
            Some(("--rate", n)) => recipe.rate = n.parse().unwrap_or(recipe.rate),
            Some(("--decay", n)) => recipe.decay = n.parse().unwrap_or(recipe.decay),
            Some(("--drop", n)) => recipe.drop = n.parse().unwrap_or(recipe.drop),
            Some(("--models", n)) => recipe.models = n.parse().unwrap_or(recipe.models),
            Some(("--talkers", n)) => recipe.talkers = n.parse().unwrap_or(recipe.talkers),
            Some(("--medleys", n)) => recipe.medleys = n.parse().unwrap_or(recipe.medleys),
            Some(("--grow-rate", n)) => growth.rate = n.parse().unwrap_or(growth.rate),
            Some(("--pull", n)) => growth.pull = n.parse().unwrap_or(growth.pull),
            Some(("--least", n)) => growth.least = n.parse().unwrap_or(growth.least),
            Some(("--rows", n)) => growth.rows = n.parse().unwrap_or(growth.rows),
            Some(("--figures", n)) => growth.figures = n.parse().unwrap_or(growth.figures),
            Some(("--net-epochs", n)) => {
                growth.lesson.epochs = n.parse().unwrap_or(growth.lesson.epochs);
            }
            Some(("--net-rate", n)) => growth.lesson.rate = n.parse().unwrap_or(growth.lesson.rate),
            Some(("--net-drop", n)) => growth.lesson.drop = n.parse().unwrap_or(growth.lesson.drop),
            Some(("--net-kind", n)) => growth.lesson.kind = n.parse().unwrap_or(growth.lesson.kind),
            Some(("--net-contradicted", n)) => {
                growth.lesson.contradicted = n.parse().unwrap_or(growth.lesson.contradicted);
            }
            Some(("--net-assembled", n)) => {
                growth.lesson.assembled = n.parse().unwrap_or(growth.lesson.assembled);
            }
            Some(("--depth", n)) => growth.depth = n.parse().unwrap_or(growth.depth),
            _ => {}
        }
    }
    match run(
        &words,
        has("--kinds"),
        Show {
            errors: has("--errors"),
            scores: has("--scores"),
        },
        recipe,
        growth,
    ) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("proctor-trainer: {why}");
            ExitCode::from(2)
        }
    }
}

fn run(words: &[&str], kinds: bool, show: Show, recipe: Recipe, growth: Growth) -> Result<(), String> {
    let errors = show.errors;
    match words {
        ["train", folder, acts, review] => {
            let units = read_folder(Path::new(folder))?;
            let all: Vec<&Unit> = units.iter().collect();
            let both = std::thread::scope(|scope| {
                let model = scope.spawn(|| train(&all, recipe));
                let forests = decide::train_forests(&all, recipe, growth);
                [(acts, model.join().unwrap_or_default()), (review, forests)]
            });
            for (out, bytes) in both {
                std::fs::write(out, bytes).map_err(|e| format!("{out}: {e}"))?;
            }
            println!("{} texts, written to {acts} and {review}", units.len());
            Ok(())
        }
        ["cross", folder, by @ ..] => {
            let units = read_folder(Path::new(folder))?;
            let report = match by {
                ["kind"] => cross(&units, 10, recipe, growth, |u| u.kind.as_str()),
                _ => cross(&units, 5, recipe, growth, |u| u.situation.as_str()),
            };
            println!("{}", report.text(kinds, errors));
            Ok(())
        }
        ["decide", by @ ("situation" | "kind"), folder, others @ ..] => {
            let units = read_folder(Path::new(folder))?;
            let mut tests = Vec::new();
            for other in others {
                tests.push(((*other).to_owned(), read_folder(Path::new(other))?));
            }
            let text = if *by == "kind" {
                decide::report(&units, &tests, recipe, growth, show, |u| u.kind.as_str())
            } else {
                decide::report(&units, &tests, recipe, growth, show, |u| u.situation.as_str())
            };
            println!("{text}");
            Ok(())
        }
        ["test", folder, test] => {
            let units = read_folder(Path::new(folder))?;
            let all: Vec<&Unit> = units.iter().collect();
            let (bytes, grown) = (
                train(&all, recipe),
                decide::train_forests(&all, recipe, growth),
            );
            let model = Model::from_bytes(&bytes).ok_or("the model has the wrong size")?;
            let forests = Forests::from_bytes(&grown).ok_or("the forests have the wrong size")?;
            let others = read_folder(Path::new(test))?;
            let mut report = Report::default();
            report.add(&model, &forests, &others.iter().collect::<Vec<_>>());
            println!("{}", report.text(kinds, errors));
            Ok(())
        }
        ["measure", acts, review, test] => {
            let [acts, review] = [*acts, *review].map(|f| std::fs::read(f).map_err(|e| format!("{f}: {e}")));
            let (acts, review) = (acts?, review?);
            let model = Model::from_bytes(&acts).ok_or("the model has the wrong size")?;
            let forests = Forests::from_bytes(&review).ok_or("the forests have the wrong size")?;
            let others = read_folder(Path::new(test))?;
            let mut report = Report::default();
            report.add(&model, &forests, &others.iter().collect::<Vec<_>>());
            println!("{}", report.text(kinds, errors));
            println!("{}", decide::measured(&others, &model, &forests, Show::default()));
            Ok(())
        }
        _ => Err(
            "usage: train FOLDER ACTS REVIEW | decide (situation|kind) FOLDER [OTHER…] | cross FOLDER [situation|kind] | test FOLDER TEST | measure ACTS REVIEW TEST [--kinds] [--errors]"
                .into(),
        ),
    }
}
