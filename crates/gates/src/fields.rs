//! What gates write into decision records.

use serde_json::{Map, Value};

/// The fields of a record, with room for some more: an object that grows field by field is laid out anew several times,
/// and this is done at each end of a turn.
pub(crate) fn fields<const N: usize>(given: [(&str, Value); N], more: usize) -> Map<String, Value> {
    let mut out = Map::with_capacity(N + more);
    for (name, value) in given {
        out.insert(name.to_owned(), value);
    }
    out
}
