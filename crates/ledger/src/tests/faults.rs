//! Every step of an append may fail.

use super::{note, numbers, segment, store};
use crate::segment::{LogFile, append, ends_line, last_line};
use crate::{Durability, Journal};
use proctor_kernel::ErrorKind;
use proptest::prelude::*;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;

/// A file in memory on a disk of limited size, which may refuse to give back what was half written.
#[derive(Default)]
struct Disk {
    bytes: Vec<u8>,
    room: usize,
    error: Option<io::ErrorKind>,
    interrupts: u32,
    stuck: bool,
}

impl LogFile for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // Short reads are normal.
        let rest = self
            .bytes
            .get(usize::try_from(offset).unwrap()..)
            .unwrap_or_default();
        let n = rest.len().min(buffer.len()).min(1000);
        buffer[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.interrupts > 0 {
            self.interrupts -= 1;
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = bytes.len().min(self.room);
        self.bytes.extend_from_slice(&bytes[..n]);
        self.room -= n;
        match self.error {
            Some(error) => Err(error.into()),
            None if n == 0 => Err(io::ErrorKind::StorageFull.into()),
            None => Ok(n),
        }
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        if self.stuck {
            return Err(io::ErrorKind::Other.into());
        }
        self.bytes.truncate(usize::try_from(len).unwrap());
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_short_write_is_taken_back() {
    for room in 0..10 {
        let mut disk = Disk {
            bytes: b"before\n".to_vec(),
            room,
            ..Disk::default()
        };
        let error = append(&mut disk, b"0123456789", 7).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(disk.bytes, b"before\n");
    }
    let mut disk = Disk {
        room: 10,
        interrupts: 3,
        ..Disk::default()
    };
    append(&mut disk, b"0123456789", 0).unwrap();
    let mut disk = Disk {
        bytes: b"x\n".to_vec(),
        room: 5,
        error: Some(io::ErrorKind::Other),
        ..Disk::default()
    };
    append(&mut disk, b"0123456789", 2).unwrap_err();
    assert_eq!(disk.bytes, b"x\n");
}

#[test]
fn what_cannot_be_taken_back_is_said() {
    let mut disk = Disk {
        room: 5,
        stuck: true,
        ..Disk::default()
    };
    let error = append(&mut disk, b"0123456789", 0).unwrap_err();
    assert!(error.to_string().contains("could not be taken back"), "{error}");
    assert!(!ends_line(&disk, 5).unwrap());
}

proptest! {
    /// Looking for the last good line from the end finds the one that reading from the beginning finds.
    #[test]
    fn the_last_record_is_found_from_behind(parts in proptest::collection::vec(
        prop_oneof![
            3 => (1_u64..1000).prop_map(|n| {
                let mut line = crate::record::encode(&note(n), "w", n, "").unwrap();
                line.push(b'\n');
                line
            }),
            2 => "[a-z\n]{0,30}".prop_map(String::into_bytes),
            1 => (1_usize..9000).prop_map(|n| vec![b'x'; n]),
            1 => Just(b"\n".to_vec()),
        ], 0..12)) {
        let bytes = parts.concat();
        let mut at = 0;
        let mut forwards = None;
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            at += line.len() as u64;
            let content = line.strip_suffix(b"\n").unwrap_or(line);
            forwards = crate::record::link_of(content).map(|link| (link, at)).or(forwards);
        }
        let disk = Disk { bytes, ..Disk::default() };
        let len = disk.len().unwrap();
        prop_assert_eq!(last_line(&disk, len).unwrap(), forwards);
    }
}

/// Whether permissions bind this process (they do not bind the superuser).
fn bound_by_permissions(dir: &std::path::Path) -> bool {
    let probe = dir.join("probe");
    fs::create_dir(&probe).unwrap();
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o500)).unwrap();
    fs::write(probe.join("x"), "").is_err()
}

#[test]
fn a_read_only_folder_is_readable_and_says_what_to_do() {
    let (dir, store) = store();
    let mut journal: Journal<super::Sum> = store.journal("w").unwrap();
    journal.commit(vec![note(1)], Durability::Buffered).unwrap();
    let log = store.root().join("log/w");
    let bound = bound_by_permissions(dir.path());
    if bound {
        fs::set_permissions(segment(&store, "w", 1), fs::Permissions::from_mode(0o400)).unwrap();
        fs::set_permissions(&log, fs::Permissions::from_mode(0o500)).unwrap();
    } else {
        // Nothing can be appended to a folder either, whoever asks.
        fs::remove_file(log.join("lock")).unwrap();
        fs::create_dir(log.join("lock")).unwrap();
    }
    let error = store
        .writer("w")
        .append(&note(2), Durability::Buffered)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert!(!error.hints().is_empty(), "{error}");
    let mut journal: Journal<super::Sum> = store.journal("w").unwrap();
    assert_eq!(journal.state().total, 1);
    assert_eq!(
        journal
            .commit(vec![note(2)], Durability::Buffered)
            .unwrap_err()
            .kind(),
        ErrorKind::Store
    );
    assert_eq!((journal.state().total, numbers(&store, "w")), (1, vec![1]));
    fs::set_permissions(&log, fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_file_where_the_folder_should_be_is_an_error() {
    let dir = tempfile::TempDir::new().unwrap();
    fs::write(dir.path().join("state"), "a file").unwrap();
    let store = crate::Store::open(dir.path().join("state"), true).unwrap();
    assert_eq!(store.presence(), crate::Presence::Missing);
    let error = store
        .writer("w")
        .append(&note(1), Durability::Buffered)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    let mut journal: Journal<super::Sum> = store.journal("w").unwrap();
    assert!(journal.commit(vec![note(1)], Durability::Buffered).is_err());
    assert_eq!(numbers(&store, "w"), [0; 0]);
}

#[test]
fn a_snapshot_that_cannot_be_written_loses_nothing() {
    let (_dir, store) = store();
    fs::create_dir_all(store.root().join("sessions/w.json")).unwrap();
    for n in 1..=3 {
        let mut journal: Journal<super::Sum> = store.journal("w").unwrap();
        let done = journal.commit(vec![note(n)], Durability::Buffered).unwrap();
        assert!(done.snapshot_error.is_some());
    }
    let journal: Journal<super::Sum> = store.journal("w").unwrap();
    assert_eq!(journal.state().seen, [1, 2, 3]);
}
