//! Reading tensors from a `.safetensors` file: eight bytes with the length of a JSON header, the header, the data.

use crate::Problem;
use serde::Deserialize;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Largest header, in bytes.
const LARGEST_HEADER: u64 = 16 << 20;
/// Largest tensor that is read as a whole, in bytes.
const LARGEST_WHOLE: u64 = 64 << 20;

/// The header's entry for a tensor.
#[derive(Deserialize, Debug, Clone)]
struct Entry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

/// An open file and what is in it.
pub(super) struct Tensors {
    file: File,
    /// Where the data begins.
    data: u64,
    /// Where the file ends.
    end: u64,
    entries: HashMap<String, Entry>,
}

/// How numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    F64,
    F32,
    F16,
    Bf16,
    I8,
    I32,
    I64,
}

impl Number {
    fn named(name: &str) -> Result<Self, Problem> {
        Ok(match name {
            "F64" => Self::F64,
            "F32" => Self::F32,
            "F16" => Self::F16,
            "BF16" => Self::Bf16,
            "I8" => Self::I8,
            "I32" => Self::I32,
            "I64" => Self::I64,
            other => {
                return Err(Problem::new(format!(
                    "numbers of type {other:?} are not read (F32, F16, BF16, I8 are)"
                )));
            }
        })
    }

    fn size(self) -> u64 {
        match self {
            Self::F64 | Self::I64 => 8,
            Self::F32 | Self::I32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::I8 => 1,
        }
    }

    /// The number in these bytes, which are as many as its size.
    fn float(self, bytes: &[u8]) -> f32 {
        match (self, bytes) {
            (Self::F64, [a, b, c, d, e, f, g, h]) => {
                f64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]) as f32
            }
            (Self::I64, [a, b, c, d, e, f, g, h]) => {
                i64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]) as f32
            }
            (Self::F32, [a, b, c, d]) => f32::from_le_bytes([*a, *b, *c, *d]),
            (Self::I32, [a, b, c, d]) => i32::from_le_bytes([*a, *b, *c, *d]) as f32,
            (Self::F16, [a, b]) => half(u16::from_le_bytes([*a, *b])),
            (Self::Bf16, [a, b]) => f32::from_bits(u32::from(u16::from_le_bytes([*a, *b])) << 16),
            (Self::I8, [a]) => f32::from(a.cast_signed()),
            _ => 0.0,
        }
    }
}

/// A number of half precision.
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from((bits >> 10) & 0x1f);
    let fraction = f32::from(bits & 0x3ff);
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent - 15),
    }
}

impl Tensors {
    pub(super) fn open(path: &Path) -> Result<Self, Problem> {
        let wrong = |why: String| Problem::new(format!("{} cannot be read: {why}", path.display()));
        let end = super::length(path).map_err(wrong)?;
        let mut file = File::open(path).map_err(|e| wrong(e.to_string()))?;
        let mut length = [0; 8];
        file.read_exact(&mut length)
            .map_err(|_| wrong("it is shorter than its own header".to_owned()))?;
        let length = u64::from_le_bytes(length);
        if length > LARGEST_HEADER || length.saturating_add(8) > end {
            return Err(wrong(format!(
                "its header would have {length} bytes; it is no safetensors file"
            )));
        }
        let mut header = vec![0; usize::try_from(length).unwrap_or_default()];
        file.read_exact(&mut header).map_err(|e| wrong(e.to_string()))?;
        let all: HashMap<String, serde_json::Value> =
            serde_json::from_slice(&header).map_err(|e| wrong(format!("its header is damaged: {e}")))?;
        let entries = all
            .into_iter()
            .filter_map(|(name, value)| Some((name, serde_json::from_value(value).ok()?)))
            .collect();
        Ok(Self {
            file,
            data: length + 8,
            end,
            entries,
        })
    }

    /// Place, type and number of values of a tensor; an error when the header promises what the file lacks.
    fn place(&self, name: &str) -> Result<Option<(u64, Number, u64)>, Problem> {
        let Some(entry) = self.entries.get(name) else {
            return Ok(None);
        };
        let number = Number::named(&entry.dtype)?;
        let count = entry.shape.iter().try_fold(1_u64, |n, d| n.checked_mul(*d));
        let (from, to) = entry.data_offsets;
        let fits = count.and_then(|c| c.checked_mul(number.size())) == to.checked_sub(from)
            && self.data.checked_add(to).is_some_and(|end| end <= self.end);
        match count.filter(|_| fits) {
            Some(count) => Ok(Some((self.data + from, number, count))),
            None => Err(Problem::new(format!(
                "the tensor {name:?} does not fit the file: shape {:?}, bytes {from} to {to} of {}",
                entry.shape,
                self.end - self.data
            ))),
        }
    }

    fn whole_bytes(&self, name: &str) -> Result<Option<(Number, Vec<u8>)>, Problem> {
        let Some((at, number, count)) = self.place(name)? else {
            return Ok(None);
        };
        let size = count * number.size();
        if size > LARGEST_WHOLE {
            return Err(Problem::new(format!(
                "the tensor {name:?} has {size} bytes, too many"
            )));
        }
        let mut bytes = vec![0; usize::try_from(size).unwrap_or_default()];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(at))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|e| Problem::new(format!("the tensor {name:?} cannot be read: {e}")))?;
        Ok(Some((number, bytes)))
    }

    /// All values of a tensor as numbers; `None` when there is no such tensor.
    pub(super) fn floats(&self, name: &str) -> Result<Option<Vec<f32>>, Problem> {
        Ok(self.whole_bytes(name)?.map(|(number, bytes)| {
            let size = usize::try_from(number.size()).unwrap_or(1);
            bytes.chunks_exact(size).map(|b| number.float(b)).collect()
        }))
    }

    /// All values of a tensor as row numbers.
    pub(super) fn whole(&self, name: &str) -> Result<Option<Vec<u32>>, Problem> {
        let Some((number, bytes)) = self.whole_bytes(name)? else {
            return Ok(None);
        };
        let values = match number {
            Number::I32 => bytes
                .chunks_exact(4)
                .map(|b| b.first_chunk().map(|b| i64::from(i32::from_le_bytes(*b))))
                .collect::<Vec<_>>(),
            Number::I64 => bytes
                .chunks_exact(8)
                .map(|b| b.first_chunk().map(|b| i64::from_le_bytes(*b)))
                .collect(),
            _ => {
                return Err(Problem::new(format!(
                    "the tensor {name:?} holds no whole numbers"
                )));
            }
        };
        values
            .into_iter()
            .map(|v| v.and_then(|v| u32::try_from(v).ok()))
            .collect::<Option<_>>()
            .map(Some)
            .ok_or_else(|| Problem::new(format!("the tensor {name:?} names rows that cannot be")))
    }

    /// A tensor of two dimensions whose rows are read one by one. Takes the file with it.
    pub(super) fn rows(&self, name: &str) -> Result<Option<Rows>, Problem> {
        let Some((at, number, _)) = self.place(name)? else {
            return Ok(None);
        };
        let shape = self.entries.get(name).map(|e| e.shape.as_slice());
        let Some([count, width]) = shape else {
            return Err(Problem::new(format!(
                "the tensor {name:?} is no table: {shape:?}"
            )));
        };
        let file = self
            .file
            .try_clone()
            .map_err(|e| Problem::new(format!("the model's file cannot be kept open: {e}")))?;
        let size = |n: &u64| usize::try_from(*n).map_err(|_| Problem::new("the model is too large"));
        Ok(Some(Rows {
            file,
            at,
            number,
            count: size(count)?,
            width: size(width)?,
            bytes: RefCell::new(Vec::new()),
        }))
    }
}

/// A table in a file.
#[derive(Debug)]
pub(super) struct Rows {
    file: File,
    at: u64,
    number: Number,
    pub(super) count: usize,
    pub(super) width: usize,
    bytes: RefCell<Vec<u8>>,
}

impl Rows {
    /// Reads a row into `out`, which is as wide as the table.
    pub(super) fn read(&self, row: usize, out: &mut [f32]) -> Result<(), Problem> {
        if row >= self.count {
            return Err(Problem::new(format!(
                "the tokenizer names row {row} of a model that has {}: the two files do not belong together",
                self.count
            )));
        }
        let size = usize::try_from(self.number.size()).unwrap_or(1);
        let mut bytes = self.bytes.borrow_mut();
        bytes.resize(self.width * size, 0);
        let at = self.at + (row * self.width * size) as u64;
        let mut file = &self.file;
        file.seek(SeekFrom::Start(at))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|e| Problem::new(format!("row {row} of the model cannot be read: {e}")))?;
        for (x, b) in out.iter_mut().zip(bytes.chunks_exact(size)) {
            *x = self.number.float(b);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn halves() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x7bff, 65504.0),
        ] {
            assert_eq!(half(bits), value);
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }
}
