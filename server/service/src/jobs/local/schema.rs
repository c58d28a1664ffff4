//! The tables of the file, and the records in them.

use super::file::{Corrupt, Done, Fault};
use prost::Message;
use redb::{ReadTransaction, ReadableTable, TableDefinition, WriteTransaction};
use stratagem_proto::v1 as pb;

/// The format that this server reads and writes.
pub(super) const FORMAT: u64 = 3;
/// The key of the format in [`META`].
pub(super) const FORMAT_KEY: &str = "format";

/// A table by the ids of jobs.
pub(super) type ById = Table<&'static str>;
type Definition<K> = TableDefinition<'static, K, &'static [u8]>;

/// A table of records, and its name.
#[derive(Clone, Copy)]
pub(super) struct Table<K: redb::Key + 'static> {
    pub(super) name: &'static str,
    pub(super) definition: Definition<K>,
}

const fn by_id(name: &'static str) -> ById {
    Table {
        name,
        definition: TableDefinition::new(name),
    }
}

/// Jobs without responses.
pub(super) const JOBS: ById = by_id("jobs");
/// What they were made of.
pub(super) const REQUESTS: ById = by_id("requests");
/// Their responses: the best plans so far, or all of it.
pub(super) const RESPONSES: ById = by_id("responses");
/// All of them.
pub(super) const ALL_BY_ID: [ById; 3] = [JOBS, REQUESTS, RESPONSES];
/// Their events, by sequence number.
pub(super) const EVENTS: Table<(&'static str, i64)> = Table {
    name: "events",
    definition: TableDefinition::new("events"),
};
/// Ids of jobs by ids of requests.
pub(super) const NAMES: TableDefinition<'static, &'static str, &'static str> =
    TableDefinition::new("names");
/// Jobs by the moment at which something is to be done about them, in microseconds since 1970.
pub(super) const DUE: TableDefinition<'static, (i64, &'static str), ()> =
    TableDefinition::new("due");
/// Records that could not be decoded: their table, the id of their job, the number of the event.
pub(super) const QUARANTINE: TableDefinition<
    'static,
    (&'static str, &'static str, i64),
    &'static [u8],
> = TableDefinition::new("quarantine");
/// What is known of the file.
pub(super) const META: TableDefinition<'static, &'static str, u64> = TableDefinition::new("meta");

/// Events of a job that are kept. Older ones were overtaken.
const EVENTS_KEPT: i64 = 256;

/// The value of a record, or why it is none.
pub(super) fn decoded<M: Message + Default>(
    table: &'static str,
    id: &str,
    sequence: i64,
    bytes: &[u8],
) -> Result<M, Corrupt> {
    M::decode(bytes).map_err(|error| Corrupt {
        table,
        id: id.to_owned(),
        sequence,
        bytes: bytes.to_owned(),
        why: error.to_string(),
    })
}

impl From<Corrupt> for Fault {
    fn from(corrupt: Corrupt) -> Self {
        Self::Corrupt(corrupt)
    }
}

/// The record of a job, in one state of the file.
pub(super) fn found<M: Message + Default>(
    now: &ReadTransaction,
    table: ById,
    id: &str,
) -> Done<Option<M>> {
    let open = now.open_table(table.definition)?;
    let bytes = open.get(id)?;
    let message = bytes.map(|bytes| decoded(table.name, id, 0, bytes.value()));
    Ok(message.transpose()?)
}

/// The record of a job, in a transaction.
pub(super) fn stored<M: Message + Default>(
    change: &WriteTransaction,
    table: ById,
    id: &str,
) -> Done<Option<M>> {
    let open = change.open_table(table.definition)?;
    let bytes = open.get(id)?;
    let message = bytes.map(|bytes| decoded(table.name, id, 0, bytes.value()));
    Ok(message.transpose()?)
}

/// Keeps a record of a job.
pub(super) fn insert(
    change: &WriteTransaction,
    table: ById,
    id: &str,
    message: &impl Message,
) -> Done<()> {
    let mut open = change.open_table(table.definition)?;
    open.insert(id, message.encode_to_vec().as_slice())?;
    Ok(())
}

/// Keeps an event, and forgets the one that is too old.
pub(super) fn note(change: &WriteTransaction, id: &str, event: &pb::JobEvent) -> Done<()> {
    let mut open = change.open_table(EVENTS.definition)?;
    let bytes = event.encode_to_vec();
    open.insert((id, event.sequence), bytes.as_slice())?;
    open.remove((id, event.sequence - EVENTS_KEPT))?;
    Ok(())
}

/// The keys of all events of a job.
pub(super) fn events_of(id: &str) -> std::ops::RangeInclusive<(&str, i64)> {
    (id, i64::MIN)..=(id, i64::MAX)
}
