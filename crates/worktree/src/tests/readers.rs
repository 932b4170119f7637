//! An index that git did not write.

use crate::readers::{IndexEntry, index, index_of};

fn entry(path: &str) -> IndexEntry {
    IndexEntry {
        path: path.into(),
        mode: 0o100_644,
        oid: vec![7; 20],
        stage: 0,
    }
}

#[test]
fn what_is_written_is_read_and_what_is_out_of_order_is_damaged() {
    let good = [entry("a"), entry("a/b"), entry("한글 \n")];
    assert_eq!(index(index_of(&good, 20), 20).unwrap(), good);
    for bad in [
        vec![entry("b"), entry("a")],
        vec![entry("a"), entry("a")],
        vec![entry("")],
    ] {
        assert_eq!(index(index_of(&bad, 20), 20), None, "{bad:?}");
    }
}

/// An index of version 4 whose every path repeats the first one and adds a byte.
fn repeating(length: usize, count: u32) -> Vec<u8> {
    let mut out = b"DIRC\0\0\0\x04".to_vec();
    out.extend((count + 1).to_be_bytes());
    for number in 0..=count {
        out.extend([0; 24]);
        out.extend(0o100_644_u32.to_be_bytes());
        out.extend([0; 12 + 20 + 2]);
        out.push(0);
        match number {
            0 => out.extend(vec![b'a'; length]),
            _ => out.push(b'a'),
        }
        out.push(0);
    }
    out.extend([0; 20]);
    out
}

#[test]
fn paths_that_repeat_each_other_take_no_more_memory_than_real_ones() {
    let read = index(repeating(3_000, 2_000), 20).unwrap();
    assert_eq!(read.last().unwrap().path.len(), 5_000);
    assert_eq!(index(repeating(1_000_000, 20_000), 20), None);
}
