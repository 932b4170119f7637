//! `proctor-trainer train FOLDER OUT`, `proctor-trainer decide FOLDER`, `proctor-trainer cross FOLDER [situation|kind]`, `proctor-trainer test FOLDER TEST`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use proctor_prose::Model;
use proctor_trainer::data::{Unit, read_folder};
use proctor_trainer::decide;
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
    for argument in &arguments {
        match argument.split_once('=') {
            Some(("--epochs", n)) => recipe.epochs = n.parse().unwrap_or(recipe.epochs),
            Some(("--rate", n)) => recipe.rate = n.parse().unwrap_or(recipe.rate),
            Some(("--decay", n)) => recipe.decay = n.parse().unwrap_or(recipe.decay),
            Some(("--drop", n)) => recipe.drop = n.parse().unwrap_or(recipe.drop),
            Some(("--models", n)) => recipe.models = n.parse().unwrap_or(recipe.models),
            Some(("--medleys", n)) => recipe.medleys = n.parse().unwrap_or(recipe.medleys),
            _ => {}
        }
    }
    match run(&words, has("--kinds"), has("--errors"), recipe) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("proctor-trainer: {why}");
            ExitCode::from(2)
        }
    }
}

fn run(words: &[&str], kinds: bool, errors: bool, recipe: Recipe) -> Result<(), String> {
    match words {
        ["train", folder, out] => {
            let units = read_folder(Path::new(folder))?;
            let bytes = train(&units.iter().collect::<Vec<_>>(), recipe);
            std::fs::write(out, bytes).map_err(|e| format!("{out}: {e}"))?;
            println!("{} texts, written to {out}", units.len());
            Ok(())
        }
        ["cross", folder, by @ ..] => {
            let units = read_folder(Path::new(folder))?;
            let report = match by {
                ["kind"] => cross(&units, 10, recipe, |u| u.kind.as_str()),
                _ => cross(&units, 5, recipe, |u| u.situation.as_str()),
            };
            println!("{}", report.text(kinds, errors));
            Ok(())
        }
        ["decide", folder] => {
            let units = read_folder(Path::new(folder))?;
            println!("{}", decide::weights(&units, 5, recipe));
            Ok(())
        }
        ["test", folder, test] => {
            let units = read_folder(Path::new(folder))?;
            let bytes = train(&units.iter().collect::<Vec<&Unit>>(), recipe);
            let model = Model::from_bytes(&bytes).ok_or("the model has the wrong size")?;
            let others = read_folder(Path::new(test))?;
            let mut report = Report::default();
            report.add(&model, &others.iter().collect::<Vec<_>>());
            println!("{}", report.text(kinds, errors));
            Ok(())
        }
        _ => Err(
            "usage: train FOLDER OUT | decide FOLDER | cross FOLDER [situation|kind] | test FOLDER TEST [--kinds] [--errors]"
                .into(),
        ),
    }
}
