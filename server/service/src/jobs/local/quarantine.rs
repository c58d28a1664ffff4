//! Records that cannot be decoded move to a separate table, where operators find them.

use super::file::{Corrupt, Done};
use super::schema::{ALL_BY_ID, EVENTS, JOBS, QUARANTINE, events_of};
use redb::{ReadableTable as _, ReadableTableMetadata as _, WriteTransaction};

/// Puts a record away, unless it has changed since it was found; with a job, all that belongs to
/// it.
pub(super) fn put_away(change: &WriteTransaction, corrupt: &Corrupt) -> Done<()> {
    let id = corrupt.id.as_str();
    if is_as_found(change, corrupt)? {
        tracing::error!(
            job = id,
            table = corrupt.table,
            error = corrupt.why,
            "job record corrupt"
        );
        let is_job = corrupt.table == JOBS.name;
        for table in ALL_BY_ID {
            if is_job || table.name == corrupt.table {
                let mut open = change.open_table(table.definition)?;
                if let Some(bytes) = open.remove(id)? {
                    keep(change, (table.name, id, 0), bytes.value())?;
                }
            }
        }
        let events = match (is_job, corrupt.table == EVENTS.name) {
            (true, _) => Some(events_of(id)),
            (_, true) => Some((id, corrupt.sequence)..=(id, corrupt.sequence)),
            _ => None,
        };
        if let Some(events) = events {
            let mut open = change.open_table(EVENTS.definition)?;
            for entry in open.extract_from_if(events, |_, _| true)? {
                let (key, bytes) = entry?;
                keep(change, (EVENTS.name, id, key.value().1), bytes.value())?;
            }
        }
    }
    Ok(())
}

fn is_as_found(change: &WriteTransaction, corrupt: &Corrupt) -> Done<bool> {
    let id = corrupt.id.as_str();
    if corrupt.table == EVENTS.name {
        let open = change.open_table(EVENTS.definition)?;
        let now = open.get((id, corrupt.sequence))?;
        return Ok(now.is_some_and(|bytes| bytes.value() == corrupt.bytes));
    }
    let Some(table) = ALL_BY_ID.iter().find(|it| it.name == corrupt.table) else {
        return Ok(false);
    };
    let open = change.open_table(table.definition)?;
    let now = open.get(id)?;
    Ok(now.is_some_and(|bytes| bytes.value() == corrupt.bytes))
}

fn keep(change: &WriteTransaction, key: (&str, &str, i64), bytes: &[u8]) -> Done<()> {
    change.open_table(QUARANTINE)?.insert(key, bytes)?;
    Ok(())
}

/// How many records are there.
pub(super) fn count(change: &WriteTransaction) -> Done<u64> {
    Ok(change.open_table(QUARANTINE)?.len()?)
}
