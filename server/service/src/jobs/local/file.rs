//! The file itself: opened, and opened again after an error. redb refuses everything after a read
//! or a write that failed, until then.

use redb::backends::FileBackend;
use redb::{Builder, Database, DatabaseError, ReadTransaction, ReadableDatabase as _};
use redb::{StorageError, WriteTransaction};
use std::fs::OpenOptions;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// The file does not work: it has to be opened again.
    #[error("the file failed: {0}")]
    Broken(redb::Error),
    /// It failed before, and is not open yet.
    #[error("the file is being opened again after an error: {0}")]
    Down(String),
    /// It is of another server.
    #[error(
        "it has format {found}, and this server reads format {known}: start the server that wrote it, restore a backup, or move the file away"
    )]
    Format {
        /// What it says.
        found: u64,
        /// What we can read.
        known: u64,
    },
    /// A record that cannot be decoded.
    #[error("{0}")]
    Corrupt(Corrupt),
    /// A copy cannot be written.
    #[error("the copy cannot be written: {0}")]
    Copy(String),
}

/// A record that cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {id} of table {table} cannot be decoded: {why}")]
pub(crate) struct Corrupt {
    /// Its table.
    pub(super) table: &'static str,
    /// Id of its job.
    pub(super) id: String,
    /// Number of the event, in the table of events; otherwise 0.
    pub(super) sequence: i64,
    /// What it holds.
    pub(super) bytes: Vec<u8>,
    /// What is wrong.
    pub(super) why: String,
}

/// The result of whatever is done with the file.
pub(crate) type Done<T> = Result<T, Fault>;

macro_rules! broken_by {
    ($($error:ty),*) => {$(
        impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::Broken(error.into())
            }
        }
    )*};
}

broken_by!(
    StorageError,
    DatabaseError,
    redb::TableError,
    redb::TransactionError,
    redb::CommitError,
    redb::CompactionError
);

/// How the file is opened; the argument is true after an error.
pub(crate) type Opener = Arc<dyn Fn(bool) -> Result<Database, DatabaseError> + Send + Sync>;

/// Opens a file on a disk, or makes it.
pub(crate) fn opener(path: &Path) -> Opener {
    let path = path.to_owned();
    Arc::new(move |after_error| {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&path).map_err(StorageError::from)?;
        if after_error {
            forget_pages(&file);
        }
        let mut builder = Builder::new();
        // What was written last may be on the disk in part.
        builder.set_check_integrity_on_open(after_error);
        builder.create_with_backend(FileBackend::new(file)?)
    })
}

/// After a sync that failed, Linux holds pages as clean that are not on the disk: they are read
/// from there again.
#[cfg(target_os = "linux")]
fn forget_pages(file: &std::fs::File) {
    let forgotten = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
    if let Err(error) = forgotten {
        tracing::debug!(%error, "pages of the job file not dropped");
    }
}

#[cfg(not(target_os = "linux"))]
fn forget_pages(_: &std::fs::File) {}

enum State {
    Open(Arc<Database>),
    /// Why it is not.
    Down(String),
}

/// The file.
pub(crate) struct File {
    opener: Opener,
    state: Mutex<State>,
    up: watch::Sender<bool>,
}

impl File {
    /// Opens it for the first time, and makes it ready.
    pub(crate) fn open<T>(
        opener: Opener,
        ready: impl FnOnce(&Database) -> Done<T>,
    ) -> Done<(Self, T)> {
        let (open, done) = opened(&opener, false, ready)?;
        let file = Self {
            opener,
            state: Mutex::new(State::Open(Arc::new(open))),
            up: watch::Sender::new(true),
        };
        Ok((file, done))
    }

    /// Whether it is open, and each change of that.
    pub(super) fn up(&self) -> watch::Receiver<bool> {
        self.up.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails while it is not open.
    pub(crate) fn check(&self) -> Done<()> {
        self.database().map(drop)
    }

    fn database(&self) -> Done<Arc<Database>> {
        match &*self.state() {
            State::Open(file) => Ok(Arc::clone(file)),
            State::Down(why) => Err(Fault::Down(why.clone())),
        }
    }

    /// Reads one state of all tables.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&ReadTransaction) -> Done<T>) -> Done<T> {
        self.guarded(|file| work(&file.begin_read()?))
    }

    /// A transaction: all of it or, after an error, nothing. One whose end failed may be there
    /// after the next opening.
    pub(crate) fn write<T>(&self, work: impl FnOnce(&WriteTransaction) -> Done<T>) -> Done<T> {
        self.guarded(|file| write(file, work))
    }

    /// Works on the file; an error of the file is remembered.
    fn guarded<T>(&self, work: impl FnOnce(&Database) -> Done<T>) -> Done<T> {
        let file = self.database()?;
        let worked = caught(|| work(&file));
        if let Err(Fault::Broken(error)) = &worked {
            self.fail(&file, error.to_string());
        }
        worked
    }

    /// The file failed, unless it was opened again meanwhile.
    fn fail(&self, file: &Arc<Database>, why: String) {
        let mut state = self.state();
        if !matches!(&*state, State::Open(open) if Arc::ptr_eq(open, file)) {
            return;
        }
        tracing::error!(error = why, "file of jobs or sessions failed");
        *state = State::Down(why);
        drop(state);
        self.up.send_replace(false);
    }

    /// Opens it again after an error; nobody else sees it before it is made ready.
    pub(crate) fn reopen<T>(&self, ready: impl FnOnce(&Database) -> Done<T>) -> Done<T> {
        match opened(&self.opener, true, ready) {
            Ok((file, done)) => {
                *self.state() = State::Open(Arc::new(file));
                self.up.send_replace(true);
                Ok(done)
            }
            Err(error) => {
                *self.state() = State::Down(error.to_string());
                Err(error)
            }
        }
    }
}

fn opened<T>(
    opener: &Opener,
    after_error: bool,
    ready: impl FnOnce(&Database) -> Done<T>,
) -> Done<(Database, T)> {
    caught(|| {
        let file = opener(after_error)?;
        let done = ready(&file)?;
        Ok((file, done))
    })
}

/// A transaction on an open file.
pub(crate) fn write<T>(
    file: &Database,
    work: impl FnOnce(&WriteTransaction) -> Done<T>,
) -> Done<T> {
    let change = file.begin_write()?;
    let done = work(&change)?;
    change.commit()?;
    Ok(done)
}

/// A panic of the database is an error of the file.
fn caught<T>(work: impl FnOnce() -> Done<T>) -> Done<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let why = std::io::Error::other("the database panicked");
        Err(Fault::Broken(StorageError::Io(why).into()))
    })
}
