//! What was taken in, as files: `imported/<clone>/<writer>/<lane>.jsonl`.

use super::lane::{LaneName, MAX_LANE, Rejection, read_lane};
use crate::store::{failed, make_dir};
use crate::{Record, Store, lock};
use proctor_kernel::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Name of the folder.
pub(crate) const FOLDER: &str = "imported";

/// A record that another clone published. Nothing but its wholeness was checked.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Id of the clone that published it.
    pub clone: String,
    /// The record.
    pub record: Record,
}

/// What other clones claim.
#[derive(Debug, Default)]
pub struct Claims {
    /// The claims, each id once, ordered by time and id.
    pub records: Vec<Claim>,
    /// Lines in the files that are not what was taken in, with their lanes.
    pub rejected: Vec<(LaneName, Rejection)>,
}

impl Store {
    /// What other clones claim, of one kind of records: those whose kind begins with `kind`.
    ///
    /// # Errors
    /// Kind `store` when the folder cannot be read.
    pub fn claims(&self, kind: &str) -> Result<Claims> {
        let mut claims = Claims::default();
        let mut seen: HashMap<String, String> = HashMap::new();
        for lane in self.imported_lanes()? {
            let Some(text) = self.imported(&lane)? else {
                continue;
            };
            let read = read_lane(&lane, &text);
            let rejected = read.rejected.into_iter().map(|r| (lane.clone(), r));
            claims.rejected.extend(rejected);
            for record in read.records {
                let id = record.id.to_string();
                match seen.get(&id) {
                    Some(hash) if *hash == record.hash => {}
                    Some(_) => claims.rejected.push((
                        lane.clone(),
                        Rejection {
                            offset: 0,
                            id: Some(id),
                            why: "its id is that of another record".to_owned(),
                        },
                    )),
                    None => {
                        seen.insert(id, record.hash.clone());
                        if record.kind.starts_with(kind) {
                            claims.records.push(Claim {
                                clone: lane.clone.clone(),
                                record,
                            });
                        }
                    }
                }
            }
        }
        claims
            .records
            .sort_by(|a, b| (a.record.millis, &a.record.id).cmp(&(b.record.millis, &b.record.id)));
        Ok(claims)
    }

    /// The lanes that were taken in, sorted. Files that are not named like lanes are left out.
    ///
    /// # Errors
    /// Kind `store` when a folder cannot be listed.
    pub fn imported_lanes(&self) -> Result<Vec<LaneName>> {
        let mut lanes = Vec::new();
        let root = self.root().join(FOLDER);
        for clone in names(&root)? {
            for writer in names(&root.join(&clone))? {
                for file in names(&root.join(&clone).join(&writer))? {
                    let lane = file.strip_suffix(".jsonl");
                    lanes.extend(lane.and_then(|lane| LaneName::parse(&clone, &writer, lane)));
                }
            }
        }
        lanes.sort();
        Ok(lanes)
    }

    /// The text of a lane that was taken in; `None` when there is none.
    ///
    /// # Errors
    /// Kind `store` when it cannot be read or is too large.
    pub fn imported(&self, lane: &LaneName) -> Result<Option<Vec<u8>>> {
        let text = self.read(&file_name(lane))?;
        match text {
            Some(text) if text.len() > MAX_LANE => Err(Error::new(
                ErrorKind::Store,
                format!("{} is larger than {MAX_LANE} bytes", file_name(lane)),
            )),
            other => Ok(other),
        }
    }

    /// Keeps the text of a lane.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn take_in(&self, lane: &LaneName, text: &[u8]) -> Result<()> {
        make_dir(self.root())?;
        let _lock = lock::take(&self.root().join("lock"), self.wait)?;
        self.write_atomic(&file_name(lane), text)
    }
}

pub(crate) fn file_name(lane: &LaneName) -> String {
    format!("{FOLDER}/{lane}.jsonl")
}

fn names(dir: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e)
            if matches!(
                e.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(Vec::new());
        }
        Err(e) => return Err(failed("list", dir, e)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| failed("list", dir, e))?;
        // Links are never ours.
        if entry.file_type().is_ok_and(|t| !t.is_symlink()) {
            names.extend(entry.file_name().into_string());
        }
    }
    Ok(names)
}
