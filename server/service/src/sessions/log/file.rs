//! Logs in a file, for one server: entries that come while one transaction is synced are the next
//! one.

use super::super::Key;
use super::{AGE_MAX_S, Encoded, Log, Logged};
use crate::jobs::local::file::{Done, Fault, File, opener, write};
use crate::jobs::store::{StoreError, Stored};
use bytes::Bytes;
use redb::{Database, ReadTransaction, ReadableTable as _, TableDefinition, WriteTransaction};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::{mpsc, oneshot};

/// Entries by session and number.
const ENTRIES: TableDefinition<'static, (&'static str, u64), &'static [u8]> =
    TableDefinition::new("entries");
/// Number of the last entry of each session, and when it was written: seconds since 1970.
const LAST: TableDefinition<'static, &'static str, (u64, u64)> = TableDefinition::new("last");
/// The format of the file.
const META: TableDefinition<'static, &'static str, u64> = TableDefinition::new("meta");
/// The format that this server reads and writes.
const FORMAT: u64 = 1;

/// Entries that are written together, at most.
const TOGETHER_MAX: usize = 256;
/// Entries that wait to be written.
const WAITING_MAX: usize = 1_024;
/// Time between two attempts to open the file after an error.
const REOPEN_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two searches for logs that are old.
const DELETE_INTERVAL: Duration = Duration::from_secs(600);

/// An entry to be written, and who waits for its number.
struct Wanted {
    session: String,
    after: u64,
    entry: Encoded,
    answer: oneshot::Sender<Stored<Option<u64>>>,
}

/// The file, and when it was last tried to be opened after an error.
struct Place {
    file: File,
    tried: Mutex<Option<Instant>>,
}

/// Logs in a file.
pub(crate) struct FileLog {
    place: Arc<Place>,
    wanted: mpsc::Sender<Wanted>,
}

impl Place {
    /// The file, opened again after an error.
    fn file(&self) -> &File {
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = tried.is_none_or(|tried| tried.elapsed() >= REOPEN_INTERVAL);
        if self.file.check().is_err() && is_due {
            // The tables are there.
            if let Err(error) = self.file.reopen(|_| Ok(())) {
                tracing::debug!(%error, "session log not reopened");
            }
            *tried = Some(Instant::now());
        }
        &self.file
    }
}

impl FileLog {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// When it cannot be opened, as when another server has it.
    pub(crate) fn open(path: &Path) -> Stored<Self> {
        let wrong = |why: &dyn std::fmt::Display| {
            StoreError(format!("cannot log sessions in {}: {why}", path.display()))
        };
        let opened = File::open(opener(path), prepare);
        let (file, ()) = opened.map_err(|fault| wrong(&fault))?;
        let tried = Mutex::default();
        let place = Arc::new(Place { file, tried });
        let (wanted, waiting) = mpsc::channel(WAITING_MAX);
        let own = Arc::clone(&place);
        let thread = std::thread::Builder::new().name("session-log".into());
        let thread = thread.spawn(move || write_all(&own, waiting));
        thread.map_err(|error| wrong(&error))?;
        Ok(Self { place, wanted })
    }
}

#[tonic::async_trait]
impl Log for FileLog {
    async fn read(&self, session: &Key) -> Stored<Logged> {
        let (place, session) = (Arc::clone(&self.place), named(session));
        let read = move || place.file().read(|now| entries(now, &session));
        let read = tokio::task::spawn_blocking(read).await;
        read.map_err(StoreError::new)?.map_err(StoreError::new)
    }

    async fn write(&self, session: &Key, after: u64, entry: Encoded) -> Stored<Option<u64>> {
        let (answer, written) = oneshot::channel();
        let wanted = Wanted {
            session: named(session),
            after,
            entry,
            answer,
        };
        self.wanted.send(wanted).await.map_err(StoreError::new)?;
        written.await.map_err(StoreError::new)?
    }
}

/// A session, by tenant and id. No id has a line break.
fn named((tenant, id): &Key) -> String {
    format!("{id}\n{tenant}")
}

/// Makes the tables, and checks that they are ours.
fn prepare(file: &Database) -> Done<()> {
    write(file, |change| {
        let mut meta = change.open_table(META)?;
        let found = meta.get("format")?.map_or(FORMAT, |found| found.value());
        if found != FORMAT {
            let known = FORMAT;
            return Err(Fault::Format { found, known });
        }
        meta.insert("format", FORMAT)?;
        delete_old(change)
    })
}

/// Deletes the logs of sessions that expired long ago.
fn delete_old(change: &WriteTransaction) -> Done<()> {
    let mut entries = change.open_table(ENTRIES)?;
    let mut last = change.open_table(LAST)?;
    let oldest = seconds().saturating_sub(2 * AGE_MAX_S);
    let mut old = Vec::new();
    for session in last.iter()? {
        let (session, found) = session?;
        if found.value().1 < oldest {
            old.push(session.value().to_owned());
        }
    }
    for session in &old {
        last.remove(&**session)?;
        entries.retain_in((&**session, 0)..=(&**session, u64::MAX), |_, _| false)?;
    }
    Ok(())
}

fn entries(now: &ReadTransaction, session: &str) -> Done<Logged> {
    let last = now.open_table(LAST)?.get(session)?;
    let (position, written) = last.map_or((0, seconds()), |last| last.value());
    let found = now.open_table(ENTRIES)?;
    let found = found.range((session, 0)..=(session, u64::MAX))?;
    let entry = |entry: Result<(_, redb::AccessGuard<'_, &[u8]>), _>| {
        let (_, bytes) = entry?;
        Ok(Bytes::copy_from_slice(bytes.value()))
    };
    Ok(Logged {
        position,
        entries: found.map(entry).collect::<Done<_>>()?,
        age: Duration::from_secs(seconds().saturating_sub(written)),
    })
}

/// Writes entries in their order, until there is no log any more.
fn write_all(place: &Place, mut waiting: mpsc::Receiver<Wanted>) {
    let (mut together, mut deleted) = (Vec::new(), Instant::now());
    while waiting.blocking_recv_many(&mut together, TOGETHER_MAX) > 0 {
        let deletes = deleted.elapsed() >= DELETE_INTERVAL;
        if deletes {
            deleted = Instant::now();
        }
        let written = place.file().write(|change| {
            if deletes {
                delete_old(change)?;
            }
            let wanted = together.iter();
            wanted.map(|wanted| written(change, wanted)).collect()
        });
        let numbers: Vec<Stored<Option<u64>>> = match written {
            Ok(numbers) => Vec::into_iter(numbers).map(Ok).collect(),
            Err(fault) => vec![Err(StoreError::new(fault)); together.len()],
        };
        for (wanted, number) in together.drain(..).zip(numbers) {
            // The receiver may be gone: the entry is written all the same.
            let _ = wanted.answer.send(number);
        }
    }
}

/// Writes an entry, if the one before is the last one.
fn written(change: &WriteTransaction, wanted: &Wanted) -> Result<Option<u64>, Fault> {
    let Wanted {
        session,
        after,
        entry,
        ..
    } = wanted;
    let mut last = change.open_table(LAST)?;
    let found = last.get(&**session)?.map_or(0, |last| last.value().0);
    if found != *after {
        return Ok(None);
    }
    let number = after + 1;
    last.insert(&**session, (number, seconds()))?;
    let mut entries = change.open_table(ENTRIES)?;
    if entry.is_first {
        entries.retain_in((&**session, 0)..=(&**session, u64::MAX), |_, _| false)?;
    }
    entries.insert((&**session, number), &*entry.bytes)?;
    Ok(Some(number))
}

fn seconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
