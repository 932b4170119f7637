//! The weights of the decision over a message: logistic regression on the figures that models give of scenes which
//! they were not trained on.

use crate::data::{Label, Unit};
use crate::math::exp;
use crate::train::{Recipe, train};
use crate::validate::number;
use proctor_gates::review::{self, APPROVAL, ONE, SUPPORT, UNIT};
use proctor_policy::Settings;
use proctor_prose::{Extra, Model, read_model};

/// One message: its figures, the answer, what it counts.
struct Row<const N: usize> {
    facts: [f64; N],
    yes: bool,
    weight: f64,
}

/// What a contradicted approval counts: the corpus has many more of them than reviewers write.
const CONTRADICTED: f64 = 0.4;

/// The weights, as they stand in the gate.
#[must_use]
pub fn weights(units: &[Unit], parts: usize, recipe: Recipe) -> String {
    let settings = Settings::default();
    let mut approval: Vec<Row<APPROVAL>> = Vec::new();
    let mut support: Vec<Row<SUPPORT>> = Vec::new();
    for part in 0..parts {
        let inside = |u: &&Unit| number(&u.situation) % parts == part;
        let rest: Vec<&Unit> = units.iter().filter(|u| !inside(u)).collect();
        let bytes = train(&rest, recipe);
        let Some(model) = Model::from_bytes(&bytes) else {
            continue;
        };
        for unit in units.iter().filter(inside) {
            let Label::Review {
                approval: yes,
                evidence,
                ..
            } = unit.label
            else {
                continue;
            };
            let reading = read_model(&unit.text, &Extra::default(), &model);
            let facts = review::judge_reading(&unit.text, &reading, &settings.review).facts;
            approval.push(Row {
                facts: facts.approval.map(units_of),
                yes,
                weight: 1.0,
            });
            if yes {
                let contradicted = unit.kind.contains("contradicted");
                support.push(Row {
                    facts: facts.support.map(units_of),
                    yes: evidence,
                    weight: if contradicted { CONTRADICTED } else { 1.0 },
                });
            }
        }
    }
    format!("approval {:?}\nsupport {:?}", fit(&approval), fit(&support))
}

fn units_of(figure: i32) -> f64 {
    f64::from(figure) / f64::from(ONE)
}

/// Steps of the regression.
const STEPS: usize = 400;

/// Logistic regression with a small pull towards zero, by steps of AdaGrad over all rows.
fn fit<const N: usize>(rows: &[Row<N>]) -> [i32; N] {
    let total: f64 = rows.iter().map(|r| r.weight).sum::<f64>().max(1.0);
    let mut weights = [0.0; N];
    let mut squares = [1e-8; N];
    for _ in 0..STEPS {
        let mut slopes = [0.0; N];
        for row in rows {
            let sum: f64 = row.facts.iter().zip(&weights).map(|(f, w)| f * w).sum();
            let off = 1.0 / (1.0 + exp(-sum)) - f64::from(u8::from(row.yes));
            for (slope, fact) in slopes.iter_mut().zip(&row.facts) {
                *slope += off * fact * row.weight;
            }
        }
        for ((weight, square), slope) in weights.iter_mut().zip(&mut squares).zip(&slopes) {
            let slope = slope / total + *weight / total;
            *square += slope * slope;
            *weight -= 0.3 * slope / square.sqrt();
        }
    }
    weights.map(|w: f64| (w * f64::from(UNIT)).round() as i32)
}
