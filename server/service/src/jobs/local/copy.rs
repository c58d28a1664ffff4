//! Copies of the file, and what is in one.

use super::file::{Done, Fault};
use super::opening::format;
use super::schema::{
    ALL_BY_ID, EVENTS, FORMAT, JOBS, META, NAMES, QUARANTINE, REQUESTS, decoded, found,
};
use crate::jobs::record::JobRecord;
use crate::jobs::tally::Tally;
use redb::{Database, ReadTransaction, ReadableDatabase as _, ReadableTable as _};
use redb::{ReadableTableMetadata as _, TableDefinition, TableError};
use std::fs;
use std::path::{Path, PathBuf};
use stratagem_proto::v1 as pb;

/// Records of one transaction.
const BATCH: usize = 1_000;

/// What is wrong with the copy, not with the original.
fn of_copy(error: impl std::fmt::Display) -> Fault {
    Fault::Copy(error.to_string())
}

/// Writes one state of a file to another one, which is there under its name when it is complete.
/// What was there is replaced.
pub(super) fn copy(from: &ReadTransaction, to: &Path) -> Done<()> {
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = write(from, &part);
    let done = written.and_then(|()| publish(&part, to).map_err(of_copy));
    if done.is_err() {
        // Of no use to anybody; that it may not be there is no other error.
        let _ = fs::remove_file(&part);
    }
    done
}

fn write(from: &ReadTransaction, part: &Path) -> Done<()> {
    if part.exists() {
        fs::remove_file(part).map_err(of_copy)?;
    }
    let file = Database::create(part).map_err(of_copy)?;
    for table in ALL_BY_ID {
        records(from, &file, table.definition)?;
    }
    records(from, &file, EVENTS.definition)?;
    records(from, &file, NAMES)?;
    records(from, &file, QUARANTINE)?;
    // The index is made when the copy is opened by a server.
    records(from, &file, META)?;
    file.close().map_err(of_copy)
}

/// The copy gets its name when it is on the disk, and so does the name.
fn publish(part: &Path, to: &Path) -> std::io::Result<()> {
    fs::File::open(part)?.sync_all()?;
    fs::rename(part, to)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn records<K: redb::Key + 'static, V: redb::Value + 'static>(
    from: &ReadTransaction,
    to: &Database,
    table: TableDefinition<'static, K, V>,
) -> Done<()> {
    let source = match from.open_table(table) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(()),
        source => source?,
    };
    let mut entries = source.iter()?;
    loop {
        let change = to.begin_write().map_err(of_copy)?;
        let mut target = change.open_table(table).map_err(of_copy)?;
        let mut is_last = true;
        for entry in entries.by_ref().take(BATCH) {
            let (key, value) = entry?;
            let kept = target.insert(key.value(), value.value());
            kept.map_err(of_copy)?;
            is_last = false;
        }
        drop(target);
        change.commit().map_err(of_copy)?;
        if is_last {
            return Ok(());
        }
    }
}

/// What is in a file.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// Its format.
    pub(crate) format: u64,
    /// Jobs by state.
    pub(crate) tally: Tally,
    /// Jobs whose records cannot be decoded.
    pub(crate) corrupt: Vec<String>,
    /// Records that a server has put away.
    pub(crate) quarantined: u64,
}

/// A file that no server has, after a repair if it needs one.
pub(super) fn open(path: &Path) -> Done<Database> {
    let mut file = Database::open(path)?;
    file.check_integrity()?;
    Ok(file)
}

/// Looks at all records of a file.
pub(super) fn contents(file: &Database) -> Done<Contents> {
    let now = file.begin_read()?;
    let format = format(&now)?;
    if format != FORMAT {
        let (found, known) = (format, FORMAT);
        return Err(Fault::Format { found, known });
    }
    let mut contents = Contents {
        format,
        ..Contents::default()
    };
    let jobs = now.open_table(JOBS.definition)?;
    for entry in jobs.iter()? {
        let (id, bytes) = entry?;
        let id = id.value();
        let request = found::<pb::CreateJobRequest>(&now, REQUESTS, id);
        match decoded::<JobRecord>(JOBS.name, id, 0, bytes.value()) {
            Ok(job) if matches!(request, Ok(Some(_))) => contents.tally.add(&job),
            _ => contents.corrupt.push(id.to_owned()),
        }
    }
    contents.quarantined = match now.open_table(QUARANTINE) {
        Err(TableError::TableDoesNotExist(_)) => 0,
        table => table?.len()?,
    };
    Ok(contents)
}
