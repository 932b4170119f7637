//! An index over the logs, in one `SQLite` file, for commands that ask about many records.
//!
//! The logs are the truth. The index is made when it is missing, made anew when it is of another version,
//! damaged, or of other logs, and otherwise brought up to date from where it stands in each log. Hooks never
//! open it.
//!
//! **Invariant:** a file that is missing, old, half-written or noticed to be damaged costs time, never an
//! answer. What nobody notices on the way (a changed byte inside a text) is found by [`Index::check`].

#[cfg(test)]
mod tests;

use proctor_kernel::{Error, ErrorKind, Result};
use proctor_ledger::{Flaw, Position, Record, Store};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the file in the state folder.
pub const FILE: &str = "index.sqlite";

/// Version of the tables.
const SCHEMA: i64 = 1;

const TABLES: &str = "
    CREATE TABLE log (name TEXT PRIMARY KEY, segment INTEGER, offset INTEGER, n INTEGER, hash TEXT, damaged INTEGER);
    CREATE TABLE record (log TEXT, segment INTEGER, offset INTEGER, n INTEGER, id TEXT, millis INTEGER, kind TEXT,
        extract TEXT, PRIMARY KEY (log, segment, offset)) WITHOUT ROWID;
    CREATE INDEX record_id ON record (id);
    CREATE INDEX record_time ON record (kind, millis, id);
";

/// What the owner of the records wants to be kept of each, beside its place.
pub trait Extract {
    /// To be raised whenever something else is kept; the index is then made anew.
    const VERSION: u32;

    /// What is kept; `None` when the record cannot be read.
    fn extract(record: &Record) -> Option<String>;
}

/// Where a record stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The record's id.
    pub id: String,
    /// The log.
    pub log: String,
    /// Where in the log.
    pub position: Position,
}

/// The index, up to date when it was opened.
#[derive(Debug)]
pub struct Index {
    db: Connection,
    made_anew: Option<&'static str>,
    unfinished: u64,
}

fn broken(doing: &str) -> impl FnOnce(rusqlite::Error) -> Error + '_ {
    move |e| {
        Error::new(ErrorKind::Store, format!("cannot {doing} the index"))
            .because(e)
            .hint("it can be deleted at any time: it is made anew from the logs")
    }
}

impl Index {
    /// Opens the index of a state folder and brings it up to date; makes it anew where it is missing or of no
    /// use.
    ///
    /// # Errors
    /// Kind `store` when it cannot be made (a full disk, a read-only folder, another process that holds it
    /// for long), or when the logs cannot be listed. Callers then read the logs themselves.
    pub fn open<E: Extract>(store: &Store) -> Result<Self> {
        let path = store.root().join(FILE);
        let why = match Self::usable::<E>(&path) {
            Ok(Ok(db)) => match Self::up_to_date::<E>(db, store, None) {
                Ok(index) => return Ok(index),
                Err(_) => "it was damaged",
            },
            Ok(Err(why)) => why,
            Err(_) => "it was damaged",
        };
        for file in files(&path) {
            match std::fs::remove_file(&file) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                    return Err(
                        Error::new(ErrorKind::Store, format!("cannot replace {}", file.display())).because(e),
                    );
                }
                _ => {}
            }
        }
        private(&path)?;
        let db = connect(&path).map_err(broken("make"))?;
        create::<E>(&db).map_err(broken("make"))?;
        Self::up_to_date::<E>(db, store, Some(why))
    }

    /// Opens a file that is there; `Err` inside tells why it is of no use.
    fn usable<E: Extract>(path: &Path) -> rusqlite::Result<Result<Connection, &'static str>> {
        if !path.is_file() {
            return Ok(Err("there was none"));
        }
        let db = connect(path)?;
        let version: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version == 0 {
            return Ok(Err("it was not finished"));
        }
        if version != version_of::<E>() {
            return Ok(Err("it was of another version"));
        }
        Ok(Ok(db))
    }

    fn up_to_date<E: Extract>(
        mut db: Connection,
        store: &Store,
        made_anew: Option<&'static str>,
    ) -> Result<Self> {
        let mut unfinished = 0;
        let change = db.transaction().map_err(broken("change"))?;
        let names: BTreeSet<String> = store.writers()?.into_iter().collect();
        for name in known(&change).map_err(broken("read"))? {
            if !names.contains(&name) {
                forget(&change, &name).map_err(broken("change"))?;
            }
        }
        for name in &names {
            unfinished += u64::from(follow::<E>(&change, store, name)?);
        }
        change.commit().map_err(broken("change"))?;
        Ok(Self {
            db,
            made_anew,
            unfinished,
        })
    }

    /// Why it had to be made anew, if it had to.
    #[must_use]
    pub fn made_anew(&self) -> Option<&'static str> {
        self.made_anew
    }

    /// Lines of the logs that are not as they should be.
    ///
    /// # Errors
    /// Kind `store` when the index cannot be read.
    pub fn damaged(&self) -> Result<u64> {
        let sum: i64 = self
            .db
            .query_row("SELECT coalesce(sum(damaged), 0) FROM log", [], |row| row.get(0))
            .map_err(broken("read"))?;
        Ok(u64::try_from(sum).unwrap_or_default() + self.unfinished)
    }

    /// Calls `each` with id, time and extract of every record of a kind, log by log.
    ///
    /// # Errors
    /// Kind `store` when the index cannot be read.
    pub fn each(&self, kind: &str, mut each: impl FnMut(&str, u64, Option<&str>)) -> Result<()> {
        let mut read = || -> rusqlite::Result<()> {
            let mut query = self.db.prepare(
                "SELECT id, millis, extract FROM record WHERE kind = ?1 ORDER BY log, segment, offset",
            )?;
            let mut rows = query.query([kind])?;
            while let Some(row) = rows.next()? {
                let (id, millis, extract): (String, i64, Option<String>) =
                    (row.get(0)?, row.get(1)?, row.get(2)?);
                each(&id, u64::try_from(millis).unwrap_or_default(), extract.as_deref());
            }
            Ok(())
        };
        read().map_err(broken("read"))
    }

    /// The records of a kind with this id, or with ids that end so.
    ///
    /// # Errors
    /// Kind `store` when the index cannot be read.
    pub fn find(&self, kind: &str, id: &str) -> Result<Vec<Place>> {
        let read = || -> rusqlite::Result<Vec<Place>> {
            let mut query = self.db.prepare(
                "SELECT id, log, segment, offset FROM record WHERE id IN
                    (SELECT id FROM record INDEXED BY record_id WHERE substr(id, -length(?2)) = ?2) AND kind = ?1 ORDER BY id",
            )?;
            query.query_map([kind, id], place)?.collect()
        };
        if id.is_empty() {
            return Ok(Vec::new());
        }
        read().map_err(broken("read"))
    }

    /// The latest record of a kind, by time and id.
    ///
    /// # Errors
    /// Kind `store` when the index cannot be read.
    pub fn latest(&self, kind: &str) -> Result<Option<Place>> {
        self.db
            .query_row(
                "SELECT id, log, segment, offset FROM record WHERE kind = ?1 ORDER BY millis DESC, id DESC LIMIT 1",
                [kind],
                place,
            )
            .optional()
            .map_err(broken("read"))
    }

    /// Looks at an index without changing it: `None` when it is in order or there is none, else what is wrong.
    ///
    /// # Errors
    /// Kind `store` when the logs cannot be listed.
    pub fn check<E: Extract>(store: &Store) -> Result<Option<String>> {
        let path = store.root().join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let fresh = Connection::open_in_memory().map_err(broken("make"))?;
        create::<E>(&fresh).map_err(broken("make"))?;
        let fresh = Self::up_to_date::<E>(fresh, store, None)?;
        match compare::<E>(&path, &fresh.db) {
            Ok(wrong) => Ok(wrong),
            Err(e) => Ok(Some(e.to_string())),
        }
    }
}

/// Both versions in the one number that the file's head has room for (31 bits).
fn version_of<E: Extract>() -> i64 {
    SCHEMA << 16 | i64::from(E::VERSION & 0xffff)
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let db = Connection::open(path)?;
    db.busy_timeout(Duration::from_secs(3))?;
    Ok(db)
}

/// Makes the tables. The version is written with them, so that a half-made index is seen to be one.
fn create<E: Extract>(db: &Connection) -> rusqlite::Result<()> {
    let version = version_of::<E>();
    db.execute_batch(&format!(
        "BEGIN; {TABLES} PRAGMA user_version = {version}; COMMIT;"
    ))
}

/// Everything that belongs to the file.
fn files(path: &Path) -> Vec<PathBuf> {
    let beside = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    ["", "-journal", "-wal", "-shm"].map(beside).to_vec()
}

/// Makes an empty file for the user alone: what stands in it stands in the logs as well.
fn private(path: &Path) -> Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .map(drop)
        .map_err(|e| Error::new(ErrorKind::Store, format!("cannot make {}", path.display())).because(e))
}

fn known(change: &Transaction<'_>) -> rusqlite::Result<Vec<String>> {
    let mut query = change.prepare("SELECT name FROM log")?;
    query.query_map([], |row| row.get(0))?.collect()
}

fn forget(change: &Transaction<'_>, name: &str) -> rusqlite::Result<()> {
    change.execute("DELETE FROM record WHERE log = ?1", [name])?;
    change.execute("DELETE FROM log WHERE name = ?1", [name])?;
    Ok(())
}

/// Reads what was appended to a log since; true when its last line is not finished.
fn follow<E: Extract>(change: &Transaction<'_>, store: &Store, name: &str) -> Result<bool> {
    let stands = |row: &rusqlite::Row<'_>| {
        let position = Position {
            segment: row.get(0)?,
            offset: unsigned(row.get(1)?),
            seq: unsigned(row.get(2)?),
            hash: row.get(3)?,
        };
        Ok((position, row.get::<_, i64>(4)?))
    };
    let mut stood = change
        .query_row(
            "SELECT segment, offset, n, hash, damaged FROM log WHERE name = ?1",
            [name],
            stands,
        )
        .optional()
        .map_err(broken("read"))?;
    if let Some((position, _)) = &stood
        && !store.holds(name, position)?
    {
        // The log is another one now.
        forget(change, name).map_err(broken("change"))?;
        stood = None;
    }
    let (position, mut damaged) = stood.unwrap_or_default();
    let mut reader = store.reader_at(name, position.clone());
    let mut write = || -> rusqlite::Result<()> {
        let mut insert = change.prepare_cached(
            "INSERT OR REPLACE INTO record (log, segment, offset, n, id, millis, kind, extract) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?;
        for record in reader.by_ref() {
            insert.execute(params![
                name,
                record.segment,
                signed(record.offset),
                signed(record.seq),
                record.id.as_str(),
                signed(record.millis),
                record.kind,
                E::extract(&record),
            ])?;
        }
        Ok(())
    };
    write().map_err(broken("change"))?;
    if let Some(problem) = reader
        .problems()
        .iter()
        .find(|p| matches!(p.flaw, Flaw::Unreadable(_)))
    {
        return Err(Error::new(
            ErrorKind::Store,
            format!("cannot read the log {name}: {problem}"),
        ));
    }
    let unfinished = reader.problems().iter().any(|p| p.flaw == Flaw::Unfinished);
    if *reader.position() != position {
        damaged += signed(reader.problem_count().saturating_sub(u64::from(unfinished)));
        let at = reader.position();
        change
            .execute(
                "INSERT OR REPLACE INTO log (name, segment, offset, n, hash, damaged) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![name, at.segment, signed(at.offset), signed(at.seq), at.hash, damaged],
            )
            .map_err(broken("change"))?;
    }
    Ok(unfinished)
}

/// Compares a file with a fresh index of the same logs. It may be behind, but what it has must be right.
fn compare<E: Extract>(path: &Path, fresh: &Connection) -> rusqlite::Result<Option<String>> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let old = Connection::open_with_flags(path, flags)?;
    let version: i64 = old.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version != version_of::<E>() {
        return Ok(Some("it is of another version".to_owned()));
    }
    let checked: String = old.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if checked != "ok" {
        return Ok(Some(checked));
    }
    let mut rows = old.prepare("SELECT log, segment, offset, n, id, millis, kind, extract FROM record")?;
    let mut same = fresh.prepare(
        "SELECT count(*) FROM record WHERE log = ?1 AND segment = ?2 AND offset = ?3 AND n = ?4 AND id = ?5
            AND millis = ?6 AND kind = ?7 AND extract IS ?8",
    )?;
    let mut rows = rows.query([])?;
    let mut count = 0_i64;
    while let Some(row) = rows.next()? {
        count += 1;
        // Typed one by one: a `Value` of a damaged text would be a panic.
        let text = |i| row.get::<_, String>(i);
        let number = |i| row.get::<_, i64>(i);
        let extract: Option<String> = row.get(7)?;
        let values = params![
            text(0)?,
            number(1)?,
            number(2)?,
            number(3)?,
            text(4)?,
            number(5)?,
            text(6)?,
            extract
        ];
        let found: i64 = same.query_row(values, |row| row.get(0))?;
        if found != 1 {
            let id: String = row.get(4)?;
            return Ok(Some(format!(
                "what it says of record {id} is not what the log says"
            )));
        }
    }
    let mut logs = old.prepare("SELECT name, segment, offset FROM log")?;
    let mut logs = logs.query([])?;
    let mut expected = 0_i64;
    while let Some(row) = logs.next()? {
        let (name, segment, offset): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        expected += fresh.query_row(
            "SELECT count(*) FROM record WHERE log = ?1 AND (segment, offset) < (?2, ?3)",
            params![name, segment, offset],
            |row| row.get::<_, i64>(0),
        )?;
    }
    Ok((count != expected).then(|| format!("it has {count} records and should have {expected}")))
}

fn place(row: &rusqlite::Row<'_>) -> rusqlite::Result<Place> {
    Ok(Place {
        id: row.get(0)?,
        log: row.get(1)?,
        position: Position {
            segment: row.get(2)?,
            offset: unsigned(row.get(3)?),
            ..Position::default()
        },
    })
}

/// `SQLite` has no unsigned numbers; none of ours comes near the limit.
fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn unsigned(n: i64) -> u64 {
    u64::try_from(n).unwrap_or_default()
}
