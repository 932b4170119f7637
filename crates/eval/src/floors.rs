//! Floors: figures that must not fall below a value, as a file next to the corpus.

use crate::item::Gate;
use crate::report::{GateReport, Judged, Options, Report, value};
use proctor_kernel::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A figure that can have a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Right alarms among all alarms.
    Precision,
    /// Right alarms among all that were due.
    Recall,
    /// Harmonic mean of the two.
    F1,
    /// Right answers among all.
    Accuracy,
    /// False alarms allowed in 30 items, and misses as well, each at least one in the whole file.
    #[serde(rename = "errors_per_30")]
    ErrorsPer30,
    /// Number of items, so that a file cannot shrink unseen.
    Items,
}

impl Figure {
    /// All figures.
    pub const ALL: [Self; 6] = [
        Self::Precision,
        Self::Recall,
        Self::F1,
        Self::Accuracy,
        Self::ErrorsPer30,
        Self::Items,
    ];

    /// Its name in a floors file and in `--floor`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F1 => "f1",
            Self::Accuracy => "accuracy",
            Self::ErrorsPer30 => "errors_per_30",
            Self::Items => "items",
        }
    }

    /// Whether it is a number and no share.
    #[must_use]
    pub fn is_count(self) -> bool {
        matches!(self, Self::ErrorsPer30 | Self::Items)
    }

    /// Whether a floor of this height can be met at all.
    fn can_be(self, least: f64) -> bool {
        least >= 0.0 && (self.is_count() || least <= 1.0)
    }

    /// The measured value, and the limit for it.
    fn measure(self, report: &GateReport, demanded: f64) -> (Option<f64>, f64) {
        let figures = &report.all.figures;
        let rate = match self {
            Self::Precision => figures.precision,
            Self::Recall => figures.recall,
            Self::F1 => figures.f1,
            Self::Accuracy => figures.accuracy,
            Self::ErrorsPer30 => {
                let allowed = (float(figures.items) * demanded / 30.0)
                    .floor()
                    .max(demanded.min(1.0));
                let worst = float(report.all.too_strict.max(report.all.too_lax));
                return (Some(worst).filter(|_| figures.items > 0), allowed);
            }
            Self::Items => return (Some(float(figures.items)), demanded),
        };
        (rate.map(|r| r.value), demanded)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
fn float(n: u64) -> f64 {
    n as f64
}

/// What must hold for the items of some files.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Labelled files, relative to the floors file.
    pub files: Vec<String>,
    /// The gate.
    pub gate: String,
    /// Only items that have these values in these fields.
    #[serde(default, rename = "where")]
    pub only: BTreeMap<String, String>,
    /// The least value of each figure.
    pub floors: BTreeMap<Figure, f64>,
}

/// One demand, for `--floor`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// The figure.
    pub figure: Figure,
    /// Its least value.
    pub least: f64,
}

impl std::str::FromStr for Floor {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let names = || Figure::ALL.map(Figure::as_str).join(", ");
        let wrong = || format!("write FIGURE=VALUE, such as precision=0.97; figures: {}", names());
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let figure = Figure::ALL
            .into_iter()
            .find(|f| f.as_str() == name)
            .ok_or_else(wrong)?;
        let least = value
            .parse()
            .ok()
            .filter(|v: &f64| v.is_finite() && *v >= 0.0)
            .ok_or_else(wrong)?;
        if !figure.can_be(least) {
            return Err(format!("{name} is a share from 0 to 1 and never reaches {least}"));
        }
        Ok(Self { figure, least })
    }
}

/// A floors file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floors {
    /// Version of this form: 1.
    version: u8,
    /// What must hold.
    pub places: Vec<Place>,
}

/// One demand and what was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Files, gate and selection.
    pub place: String,
    /// The figure.
    pub figure: Figure,
    /// Its value; `None` when there was nothing to measure.
    pub value: Option<f64>,
    /// The least (for counts of errors: the highest) value.
    pub limit: f64,
    /// Whether the demand is met.
    pub holds: bool,
}

impl Floors {
    /// Reads a floors file.
    ///
    /// # Errors
    /// Kind `input`, with line and column.
    pub fn read(text: &str) -> Result<Self> {
        let wrong = |why: String| Error::new(ErrorKind::Input, format!("this is no floors file: {why}"));
        let floors: Self = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
        if floors.version != 1 {
            return Err(wrong(format!("version {} is not known, only 1", floors.version)));
        }
        if let Some(place) = floors.places.iter().find(|p| Gate::named(&p.gate).is_none()) {
            return Err(wrong(format!("there is no gate {:?}", place.gate)));
        }
        let mut all = floors.places.iter().flat_map(|p| &p.floors);
        if let Some((figure, least)) = all.find(|(figure, least)| !figure.can_be(**least)) {
            return Err(wrong(format!("{} cannot be {least}", figure.as_str())));
        }
        if floors.places.iter().all(|p| p.floors.is_empty()) {
            return Err(wrong("it demands nothing".to_owned()));
        }
        Ok(floors)
    }
}

impl Place {
    /// The gate; [`Floors::read`] has checked it.
    #[must_use]
    pub fn gate(&self) -> Option<Gate> {
        Gate::named(&self.gate)
    }

    /// Whether an item is meant.
    #[must_use]
    pub fn takes(&self, judged: &Judged<'_>) -> bool {
        Some(judged.item.gate) == self.gate()
            && self
                .only
                .iter()
                .all(|(field, want)| value(&judged.item, field).as_ref() == Some(want))
    }

    /// Holds the items against the floors.
    #[must_use]
    pub fn check(&self, judged: &[Judged<'_>]) -> Vec<Check> {
        let mine: Vec<Judged<'_>> = judged.iter().filter(|j| self.takes(j)).cloned().collect();
        let report = Report::of(&mine, &Options::default());
        let only: String = self.only.iter().map(|(k, v)| format!(" {k}={v}")).collect();
        let name = format!("{}: {}{only}", self.files.join(" "), self.gate);
        let floors = self.floors.iter().map(|(figure, least)| Floor {
            figure: *figure,
            least: *least,
        });
        let gate = self.gate().and_then(|g| report.gate(g));
        floors.map(|floor| floor.check(&name, gate)).collect()
    }
}

impl Floor {
    /// Holds a gate's figures against this floor.
    #[must_use]
    pub fn check(self, place: &str, report: Option<&GateReport>) -> Check {
        let (value, limit) = report.map_or((None, self.least), |r| self.figure.measure(r, self.least));
        // A share that is printed as the floor meets it: what differs behind the ninth decimal is rounding.
        let holds = value.is_some_and(|v| match self.figure {
            Figure::ErrorsPer30 => v <= limit,
            _ => v >= limit - 1e-9,
        });
        Check {
            place: place.to_owned(),
            figure: self.figure,
            value,
            limit,
            holds,
        }
    }
}
