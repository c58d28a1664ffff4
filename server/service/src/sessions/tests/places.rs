//! Places for logs.

use super::super::Key;
use super::super::log::file::FileLog;
use super::super::log::{Encoded, Log, Logged};
use crate::jobs::store::{StoreError, Stored};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

/// What a log does next instead of what it should do.
#[derive(Debug, Clone, Copy)]
pub(super) enum Failure {
    /// It fails.
    Before,
    /// It fails, but has written.
    After,
}

/// Logs in memory.
#[derive(Default)]
pub(super) struct Shelf {
    all: Mutex<HashMap<Key, Logged>>,
    failure: Mutex<Option<Failure>>,
}

impl Shelf {
    pub(super) fn logged(&self) -> Logged {
        let all = self.all.lock().unwrap();
        all.get(&key()).cloned().unwrap_or(Logged {
            position: 0,
            entries: Vec::new(),
            age: Duration::ZERO,
        })
    }

    pub(super) fn fail_once(&self, failure: Failure) {
        *self.failure.lock().unwrap() = Some(failure);
    }
}

#[tonic::async_trait]
impl Log for Shelf {
    async fn read(&self, session: &Key) -> Stored<Logged> {
        assert_eq!(*session, key());
        Ok(self.logged())
    }

    async fn write(&self, session: &Key, after: u64, entry: Encoded) -> Stored<Option<u64>> {
        let failure = self.failure.lock().unwrap().take();
        let failed = || Err(StoreError("the log fails".into()));
        if matches!(failure, Some(Failure::Before)) {
            return failed();
        }
        let mut all = self.all.lock().unwrap();
        let log = all.entry(session.clone()).or_insert(Logged {
            position: 0,
            entries: Vec::new(),
            age: Duration::ZERO,
        });
        if log.position != after {
            return Ok(None);
        }
        if entry.is_first {
            log.entries.clear();
        }
        log.entries.push(entry.bytes);
        log.position += 1;
        let position = log.position;
        drop(all);
        failure.map_or(Ok(Some(position)), |_| failed())
    }
}

fn key() -> Key {
    (String::new(), "raid".to_owned())
}

/// Writes to a log, and compares what it answers with what one in memory does. `again` opens it
/// again.
pub(crate) async fn follows_the_model<L: Log>(seed: u64, again: impl AsyncFn(Option<L>) -> L) {
    let mut random = Random::seed_from_u64(seed);
    let keys = ["a", "a b", "é.>*"].map(|tenant| (tenant.to_owned(), format!("raid.>*{seed}")));
    let mut model: HashMap<usize, Logged> = HashMap::new();
    let mut log = again(None).await;
    for number in 0..60_u8 {
        if random.random_bool(0.05) {
            log = again(Some(log)).await;
        }
        let which = random.random_range(0..keys.len());
        let read = log.read(&keys[which]).await.unwrap();
        let known = model.entry(which).or_insert(Logged {
            position: read.position,
            entries: Vec::new(),
            age: Duration::ZERO,
        });
        // Not printed: they are large.
        let is_same = (read.position, &read.entries) == (known.position, &known.entries);
        assert!(is_same, "seed {seed}, entry {number}");
        let is_first = known.entries.is_empty() || random.random_bool(0.2);
        // Only the end of a session is empty.
        let least = usize::from(!is_first);
        let size = [0, 10, 70_000, 1_500_000][random.random_range(least..4)];
        let entry = Encoded {
            bytes: vec![number; size].into(),
            is_first,
        };
        let is_late = random.random_bool(0.2) && known.position > 0;
        let after = known.position - u64::from(is_late);
        let written = log.write(&keys[which], after, entry.clone()).await.unwrap();
        assert_eq!(written.is_none(), is_late);
        if let Some(position) = written {
            assert!(position > known.position);
            if is_first {
                known.entries.clear();
            }
            known.position = position;
            known.entries.push(entry.bytes);
        }
    }
}

/// A file that is gone at the end.
struct Place(PathBuf);

impl Drop for Place {
    fn drop(&mut self) {
        // It is in the folder for what may be lost.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn a_file_of_logs_follows_the_model() {
    for seed in 0..4 {
        let name = format!("stratagem-sessions-{}-{seed}", std::process::id());
        let place = Place(std::env::temp_dir().join(name));
        let again = async |log: Option<FileLog>| {
            drop(log);
            loop {
                // Its thread may have it open for a moment.
                match FileLog::open(&place.0) {
                    Ok(log) => return log,
                    Err(error) => assert!(error.0.contains("already open"), "{error}"),
                }
                tokio::task::yield_now().await;
            }
        };
        follows_the_model(seed, again).await;
    }
}
