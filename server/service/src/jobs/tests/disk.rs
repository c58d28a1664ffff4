//! A disk that fails, and records that cannot be decoded.

use super::{answer, create, even, happens, step, take, wanted};
use crate::jobs::Jobs;
use crate::jobs::life;
use crate::jobs::local::Local;
use crate::jobs::local::file::Opener;
use crate::jobs::store::Store;
use redb::backends::InMemoryBackend;
use redb::{Builder, ReadableTable as _, StorageBackend, TableDefinition};
use runtime::Drain;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use stratagem_proto::v1::{self as pb, JobState as State};
use tokio::time::timeout;

/// How long it may take until a file works again.
const BACK_IN: Duration = Duration::from_secs(5);

/// What becomes of the bytes that a disk has taken, when the sync after them fails.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Unsynced {
    /// They are there.
    Stay,
    /// They are not, as after the pages were dropped.
    Vanish,
}

/// A disk in memory. It outlives each file that is opened on it.
#[derive(Debug)]
struct Disk {
    now: InMemoryBackend,
    synced: Mutex<Vec<u8>>,
    is_full: AtomicBool,
    /// Writes and syncs that work until one fails, if one is to.
    left: AtomicUsize,
    unsynced: Unsynced,
}

const NEVER: usize = usize::MAX;

impl Disk {
    fn new(unsynced: Unsynced) -> Arc<Self> {
        Arc::new(Self {
            now: InMemoryBackend::new(),
            synced: Mutex::default(),
            is_full: AtomicBool::new(false),
            left: AtomicUsize::new(NEVER),
            unsynced,
        })
    }

    fn opener(self: &Arc<Self>) -> Opener {
        let disk = Arc::clone(self);
        Arc::new(move |after_error| {
            let mut builder = Builder::new();
            builder.set_check_integrity_on_open(after_error);
            builder.create_with_backend(Mounted(Arc::clone(&disk)))
        })
    }

    fn jobs(self: &Arc<Self>) -> (Jobs, Arc<Local>) {
        let store = Local::open_with(self.opener(), 100, even()).unwrap();
        let store = Arc::new(store);
        (Jobs::new(Arc::clone(&store) as _, Drain::default()), store)
    }

    fn works(&self) -> io::Result<()> {
        if self.is_full.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let one_less = |left: usize| match left {
            NEVER => None,
            left => Some(left.checked_sub(1).unwrap_or(NEVER)),
        };
        let left = self
            .left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
        match left {
            Ok(0) => Err(io::Error::other("input/output error")),
            _ => Ok(()),
        }
    }

    fn sync(&self) -> io::Result<()> {
        let mut synced = self.synced.lock().unwrap();
        if let Err(error) = self.works() {
            if self.unsynced == Unsynced::Vanish {
                self.now.set_len(0)?;
                self.now.set_len(synced.len() as u64)?;
                self.now.write(0, &synced)?;
            }
            return Err(error);
        }
        let mut bytes = vec![0; usize::try_from(self.now.len()?).unwrap()];
        self.now.read(0, &mut bytes)?;
        *synced = bytes;
        Ok(())
    }
}

/// A file on that disk.
#[derive(Debug)]
struct Mounted(Arc<Disk>);

impl StorageBackend for Mounted {
    fn len(&self) -> io::Result<u64> {
        self.0.now.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.now.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.works()?;
        self.0.now.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.works()?;
        self.0.now.write(offset, data)
    }
}

/// Waits until a store answers again; how long that took.
async fn back(store: &Local) -> Duration {
    let since = Instant::now();
    let mut up = store.up();
    let up = timeout(BACK_IN, up.wait_for(|up| *up)).await;
    up.expect("it is back in time").unwrap();
    since.elapsed()
}

#[tokio::test]
async fn a_disk_that_was_full_for_a_moment_keeps_what_was_accepted_and_goes_on() {
    let disk = Disk::new(Unsynced::Stay);
    let (jobs, store) = disk.jobs();
    let (waiting, running) = (create(&jobs, "a").await, create(&jobs, "b").await);
    let turn = store.next().await.unwrap();
    assert_eq!(turn.id(), waiting);
    assert!(happens(&jobs, &waiting, take).await);
    disk.is_full.store(true, Ordering::SeqCst);
    let refused = jobs.create(wanted("c", pb::Priority::Low), None).await;
    assert_eq!(refused.unwrap_err().reason(), "JOBS_UNAVAILABLE");
    assert!(!*store.up().borrow(), "it does not answer now");
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert!(!*store.up().borrow(), "nor while the disk is full");
    disk.is_full.store(false, Ordering::SeqCst);
    assert!(back(&store).await < BACK_IN);
    // What is searched goes on, and what waits has its turn.
    assert!(happens(&jobs, &waiting, || step(1)).await);
    assert!(happens(&jobs, &waiting, answer).await);
    turn.done().await;
    assert_eq!(store.next().await.unwrap().id(), running);
    assert_eq!(jobs.get(&waiting).await.unwrap().attempts, 1);
}

#[tokio::test]
async fn a_watcher_hears_of_an_end_that_was_kept_although_its_keeper_heard_of_an_error() {
    let disk = Disk::new(Unsynced::Stay);
    let (jobs, store) = disk.jobs();
    let id = create(&jobs, "a").await;
    for left in 0.. {
        let turn = store.next().await.unwrap();
        assert!(happens(&jobs, &id, take).await);
        let sequence = jobs.get(&id).await.unwrap().sequence;
        let watcher = tokio::spawn({
            let (jobs, id) = (jobs.clone(), id.clone());
            async move { jobs.events(&id, sequence).await }
        });
        tokio::task::yield_now().await;
        disk.left.store(left, Ordering::SeqCst);
        let kept = jobs.change(&id, |_| Some(answer())).await;
        disk.left.store(NEVER, Ordering::SeqCst);
        back(&store).await;
        if jobs.get(&id).await.unwrap().state() == State::Succeeded {
            assert!(kept.is_err(), "some sync after the end fails");
            let heard = timeout(BACK_IN, watcher).await.unwrap().unwrap();
            assert_eq!(heard.unwrap().len(), 1);
            return;
        }
        watcher.abort();
        // Without its end, its turn comes back.
        turn.lost().await;
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_is_lost_or_doubled_on_a_disk_that_fails(
        fails in proptest::collection::vec(0_usize..40, 1..12),
        stays: bool,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let unsynced = if stays { Unsynced::Stay } else { Unsynced::Vanish };
        runtime.block_on(fail_now_and_then(&fails, unsynced));
    }
}

/// Callers and a worker who try again; the disk fails after this number of writes each time.
async fn fail_now_and_then(fails: &[usize], unsynced: Unsynced) {
    let disk = Disk::new(unsynced);
    let (jobs, store) = disk.jobs();
    let mut accepted = Vec::new();
    for (number, fail) in fails.iter().enumerate() {
        disk.left.store(*fail, Ordering::SeqCst);
        let name = format!("r{number}");
        let (job, _) = again(async || {
            let wanted = wanted(&name, pb::Priority::Low);
            jobs.create(wanted, None).await.map_err(drop)
        })
        .await;
        accepted.push((name, job.job_id));
        // A worker that gives up its turn at an error, as ours does.
        let turn = timeout(BACK_IN, store.next()).await;
        let turn = turn.expect("somebody waits").unwrap();
        if let Ok(Some(_)) = jobs.change(turn.id(), |_| Some(take())).await
            && let Ok(Some(_)) = jobs.change(turn.id(), |_| Some(answer())).await
        {
            turn.done().await;
        } else {
            turn.lost().await;
        }
    }
    disk.left.store(NEVER, Ordering::SeqCst);
    back(&store).await;
    let finishing = async {
        for (_, id) in &accepted {
            while jobs.get(id).await.unwrap().end_time.is_none() {
                let turn = store.next().await.unwrap();
                let _ = jobs.change(turn.id(), |_| Some(take())).await;
                let _ = jobs.change(turn.id(), |_| Some(answer())).await;
                turn.done().await;
            }
        }
    };
    let finished = timeout(Duration::from_secs(60), finishing).await;
    finished.expect("what was accepted has its turn");
    for (name, id) in &accepted {
        let job = jobs.get(id).await.unwrap();
        assert_eq!((&job.request_id, job.state()), (name, State::Succeeded));
        let events = jobs.events(id, 0).await.unwrap();
        let numbers: Vec<_> = events.iter().map(|event| event.sequence).collect();
        assert_eq!(numbers, (1..=job.sequence).collect::<Vec<_>>());
        let ends = events.iter().filter(|event| event.response.is_some());
        assert_eq!(ends.count(), 1, "it ended once");
    }
    let counted = store.count().await.unwrap();
    let known: usize = counted.by_state.values().sum();
    assert_eq!((known, counted.corrupt), (accepted.len(), 0));
}

/// The answer, after as many attempts as it takes.
async fn again<T>(attempt: impl AsyncFn() -> Result<T, ()>) -> T {
    let trying = async {
        loop {
            if let Ok(done) = attempt().await {
                return done;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let done = timeout(BACK_IN, trying).await;
    done.expect("it is answered in time")
}

const JOBS: TableDefinition<&str, &[u8]> = TableDefinition::new("jobs");
const REQUESTS: TableDefinition<&str, &[u8]> = TableDefinition::new("requests");
const RESPONSES: TableDefinition<&str, &[u8]> = TableDefinition::new("responses");
const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

/// Changes a file behind the back of the server.
fn spoil(disk: &Arc<Disk>, table: TableDefinition<&str, &[u8]>, id: &str) {
    let file = disk.opener()(false).unwrap();
    let change = file.begin_write().unwrap();
    let bytes: &[u8] = &[0xff; 9];
    change.open_table(table).unwrap().insert(id, bytes).unwrap();
    change.commit().unwrap();
}

#[tokio::test]
async fn records_that_cannot_be_decoded_are_put_away_and_the_others_are_served() {
    let disk = Disk::new(Unsynced::Stay);
    let (bad, good) = {
        let (jobs, store) = disk.jobs();
        let ids = (create(&jobs, "bad").await, create(&jobs, "good").await);
        assert!(happens(&jobs, &ids.1, take).await);
        assert!(happens(&jobs, &ids.1, || step(1)).await);
        drop((jobs, store));
        ids
    };
    tokio::task::yield_now().await;
    spoil(&disk, JOBS, &bad);
    spoil(&disk, RESPONSES, &good);
    let (jobs, store) = disk.jobs();
    let counted = store.count().await.unwrap();
    // The job, what it was made of, and its event.
    assert_eq!((counted.corrupt, counted.by_state["QUEUED"]), (3, 1));
    assert_eq!(jobs.get(&bad).await.unwrap_err().reason(), "JOB_UNKNOWN");
    let job = jobs.get(&good).await.unwrap();
    assert_eq!((job.state(), job.response), (State::Queued, None));
    assert_eq!(store.count().await.unwrap().corrupt, 4);
    assert_eq!(store.next().await.unwrap().id(), good);
    let again = create(&jobs, "bad").await;
    assert_ne!(again, bad, "its name is free");
    drop((jobs, store));
    tokio::task::yield_now().await;
    spoil(&disk, REQUESTS, &good);
    let (jobs, store) = disk.jobs();
    assert_eq!(store.request(&good).await.unwrap(), None);
    let job = jobs.get(&good).await.unwrap();
    assert_eq!(job.error.unwrap().reason, "JOB_CORRUPT");
}

#[tokio::test]
async fn a_file_with_jobs_of_another_format_is_refused_and_stays_as_it_is() {
    let disk = Disk::new(Unsynced::Stay);
    drop(disk.jobs());
    let format = |other: Option<u64>| {
        let file = disk.opener()(false).unwrap();
        let change = file.begin_write().unwrap();
        let mut meta = change.open_table(META).unwrap();
        if let Some(other) = other {
            meta.insert("format", other).unwrap();
        }
        let now = meta.get("format").unwrap().unwrap().value();
        drop(meta);
        change.commit().unwrap();
        now
    };
    let ours = format(None);
    format(Some(ours + 1));
    // Without jobs there is nothing to misread.
    let (jobs, local) = disk.jobs();
    create(&jobs, "a").await;
    drop((jobs, local));
    assert_eq!(format(None), ours);
    for other in [ours - 1, ours + 1] {
        format(Some(other));
        let refused = Local::open_with(disk.opener(), 100, even());
        let why = refused.err().unwrap().to_string();
        assert!(why.contains(&format!("format {other}")), "{why}");
        assert_eq!(format(None), other);
    }
}

#[tokio::test]
async fn jobs_that_are_due_are_found_by_an_index_that_is_made_where_it_is_missing() {
    let disk = Disk::new(Unsynced::Stay);
    {
        let (jobs, _store) = disk.jobs();
        for number in 0..5 {
            let mut wanted = wanted(&format!("r{number}"), pb::Priority::Low);
            wanted.deadline_us = (number == 3).then_some(1);
            jobs.create(wanted, None).await.unwrap();
        }
    }
    let file = disk.opener()(false).unwrap();
    let change = file.begin_write().unwrap();
    let due: TableDefinition<(i64, &str), ()> = TableDefinition::new("due");
    assert!(change.delete_table(due).unwrap());
    change.commit().unwrap();
    drop(file);
    let (jobs, store) = disk.jobs();
    let due = store.due(life::Moment::now(), 100).await.unwrap();
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].request_id, "r3");
    jobs.sweep().await.unwrap();
    assert_eq!(store.due(life::Moment::now(), 100).await.unwrap(), []);
    let job = jobs.get(&due[0].job_id).await.unwrap();
    assert_eq!(job.state(), State::Expired);
    assert_eq!(store.count().await.unwrap().by_state["EXPIRED"], 1);
}
