//! Signals that are known beforehand: of tags and features, of weights, of what there are a few of.

use super::{Of, signal, signal2};

/// The signals of the tags.
pub(super) static TAGS: [u32; 64] = of_bits(Of::Tag);
/// The signals of the features, and of those of a clause beside it.
pub(super) static FEATURES: [u32; 64] = of_bits(Of::Feature);
pub(super) static COMPANY: [u32; 64] = of_bits(Of::Company);

/// The signals of the numbers of bits.
const fn of_bits(of: Of) -> [u32; 64] {
    let mut out = [0; 64];
    let mut bit = 0;
    while bit < 64 {
        out[bit] = signal(of, bit as u32);
        bit += 1;
    }
    out
}

/// A weight as one of a few sizes.
pub(super) fn bucket(weight: i32) -> u32 {
    SIZES[size(weight)].into()
}

/// Where a weight stands in the tables of weights.
fn size(weight: i32) -> usize {
    (weight.clamp(LIGHTEST, HEAVIEST) - LIGHTEST) as usize % SIZES.len()
}

/// The signal of a weight.
pub(super) fn sized(signals: &[u32; 64], weight: i32) -> u32 {
    signals[size(weight)]
}

/// The signals of weights, or of something and weights.
pub(super) static HARD: [u32; 64] = of_sizes(Of::Hard, None);
pub(super) static TALK: [u32; 64] = of_sizes(Of::Talk, None);
pub(super) static CONTENT: [u32; 64] = of_sizes(Of::Content, None);
pub(super) static DIFFERENCE: [u32; 64] = of_sizes(Of::Difference, None);
pub(super) static TOLD: [u32; 64] = of_sizes(Of::Asked, Some(0));
pub(super) static ASKED: [u32; 64] = of_sizes(Of::Asked, Some(1));
/// Those of the clause before and of the one behind: of its difference, where its sentence is another one or the same, and of
/// what is hard.
pub(super) static BEFORE: [[u32; 64]; 3] = of_others(Of::Before);
pub(super) static BEHIND: [[u32; 64]; 3] = of_others(Of::Behind);

const fn of_others(of: Of) -> [[u32; 64]; 3] {
    [
        of_sizes(of, Some(0)),
        of_sizes(of, Some(1)),
        of_sizes(of, Some(2)),
    ]
}

const fn of_sizes(of: Of, first: Option<u32>) -> [u32; 64] {
    let mut out = [0; 64];
    let mut at = 0;
    while at < out.len() {
        let size = SIZES[at] as u32;
        out[at] = match first {
            Some(first) => signal2(of, first, size),
            None => signal(of, size),
        };
        at += 1;
    }
    out
}

/// The signals of a few other things, by their numbers.
pub(super) static LANGUAGES: [u32; 3] = of_numbers(Of::Language, None);
pub(super) static LENGTHS: [u32; 9] = of_numbers(Of::Length, None);
pub(super) static BLOCKS: [u32; 7] = of_numbers(Of::Block, None);
pub(super) static TONES: [u32; 16] = of_numbers(Of::Tone, None);
/// The tones of clauses that deny nothing and are not of the past, that deny, are of the past, both.
pub(super) static TONE_MOODS: [[u32; 16]; 4] = [
    of_numbers(Of::ToneMood, Some(0)),
    of_numbers(Of::ToneMood, Some(1)),
    of_numbers(Of::ToneMood, Some(2)),
    of_numbers(Of::ToneMood, Some(3)),
];

const fn of_numbers<const N: usize>(of: Of, second: Option<u32>) -> [u32; N] {
    let mut out = [0; N];
    let mut at = 0;
    while at < N {
        out[at] = match second {
            Some(second) => signal2(of, at as u32, second),
            None => signal(of, at as u32),
        };
        at += 1;
    }
    out
}

/// Weights from which on there is one size only.
const LIGHTEST: i32 = -12;
const HEAVIEST: i32 = 20;

/// The sizes of the weights between these two.
static SIZES: [u8; 64] = {
    let mut out = [0; 64];
    let mut weight = LIGHTEST;
    while weight <= HEAVIEST {
        out[(weight - LIGHTEST) as usize] = match weight {
            ..=-12 => 0,
            -11..=-6 => 1,
            -5..=-1 => 2,
            0 => 3,
            1..=3 => 4,
            4..=7 => 5,
            8..=11 => 6,
            12..=19 => 7,
            _ => 8,
        };
        weight += 1;
    }
    out
};
