//! Files that are read again when they have changed: certificates, keys, tokens, quotas.
//!
//! Content that cannot be read or is invalid is logged and counted, and the old one stays in force.
//! Files are compared by time, size and number, through links, so that the kind of replacement does
//! not matter: in place, by a rename, or by a link that is turned, as Kubernetes does it with
//! secrets.

use crate::metrics::Metrics;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use tokio::sync::Notify;
use tokio::time::sleep;

/// What distinguishes one state of the files from another.
type Stamp = Vec<Option<(SystemTime, u64, u64)>>;

/// Makes the value out of the files.
type Read<T> = dyn Fn() -> Result<T, String> + Send + Sync;

/// What is in files, as of the last time that it made sense; clones share it.
pub(crate) struct Watched<T>(Arc<Inner<T>>);

impl<T> Clone for Watched<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

struct Inner<T> {
    /// In logs and metrics.
    name: &'static str,
    paths: Vec<PathBuf>,
    read: Box<Read<T>>,
    now: RwLock<Arc<T>>,
    seen: Mutex<Stamp>,
    metrics: Metrics,
}

impl<T> Watched<T> {
    /// Reads for the first time.
    ///
    /// # Errors
    /// What is wrong with the files.
    pub(crate) fn open(
        name: &'static str,
        paths: Vec<PathBuf>,
        metrics: &Metrics,
        read: impl Fn() -> Result<T, String> + Send + Sync + 'static,
    ) -> Result<Self, String> {
        // The stamp first: what changes while it is read is read again.
        let seen = stamp(&paths);
        let now = read()?;
        metrics.reload_begins(name);
        Ok(Self(Arc::new(Inner {
            name,
            paths,
            read: Box::new(read),
            now: RwLock::new(Arc::new(now)),
            seen: Mutex::new(seen),
            metrics: metrics.clone(),
        })))
    }

    /// What is in force.
    pub(crate) fn now(&self) -> Arc<T> {
        Arc::clone(&self.0.now.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Whatever can be read again.
pub(crate) trait Refresh: Send + Sync {
    /// Reads again if a file has changed, or in any case.
    fn refresh(&self, in_any_case: bool);
}

impl<T: Send + Sync> Refresh for Watched<T> {
    fn refresh(&self, in_any_case: bool) {
        let inner = &*self.0;
        let mut seen = inner.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = stamp(&inner.paths);
        if *seen == stamp && !in_any_case {
            return;
        }
        *seen = stamp;
        let read = (inner.read)();
        inner.metrics.reloaded(inner.name, read.is_ok());
        match read {
            Ok(new) => {
                *inner.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
                tracing::info!(files = inner.name, "read again");
            }
            Err(why) => {
                tracing::error!(files = inner.name, "kept what was there: {why}");
            }
        }
    }
}

fn stamp(paths: &[PathBuf]) -> Stamp {
    use std::os::unix::fs::MetadataExt as _;
    let one = |path: &PathBuf| {
        let found = fs::metadata(path).ok()?;
        Some((found.modified().ok()?, found.len(), found.ino()))
    };
    paths.iter().map(one).collect()
}

/// Looks at all of them again and again, and immediately when asked to.
pub(crate) async fn for_ever(all: Vec<Arc<dyn Refresh>>, interval: Duration, at_once: Arc<Notify>) {
    loop {
        let forced = tokio::select! {
            () = at_once.notified() => true,
            () = sleep(interval) => false,
        };
        let all = all.clone();
        let looked = tokio::task::spawn_blocking(move || {
            for one in all {
                one.refresh(forced);
            }
        });
        // Fails when it panicked, which is logged; the next time may go better.
        let _ = looked.await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct File(PathBuf);

    impl File {
        fn new(name: &str) -> Self {
            let name = format!("stratagem-watched-{}-{name}", std::process::id());
            Self(std::env::temp_dir().join(name))
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            // What is left in a folder for such things does no harm.
            let _ = fs::remove_file(&self.0);
        }
    }

    fn open(file: &File, metrics: &Metrics) -> Result<Watched<i32>, String> {
        let path = file.0.clone();
        Watched::open("numbers", vec![path.clone()], metrics, move || {
            let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            text.parse().map_err(|_| format!("{text:?} is no number"))
        })
    }

    #[test]
    fn what_has_changed_is_read_again_and_nonsense_changes_nothing() {
        let (file, metrics) = (File::new("changed"), Metrics::new());
        fs::write(&file.0, "1").unwrap();
        let watched = open(&file, &metrics).unwrap();
        assert_eq!(*watched.now(), 1);
        fs::write(&file.0, "22").unwrap();
        watched.refresh(false);
        assert_eq!(*watched.now(), 22);
        fs::write(&file.0, "three").unwrap();
        watched.refresh(false);
        fs::remove_file(&file.0).unwrap();
        watched.refresh(false);
        assert_eq!(*watched.now(), 22);
        let page = metrics.page();
        for count in [
            "stratagem_reload_total{files=\"numbers\",outcome=\"failed\"} 2",
            "stratagem_reload_total{files=\"numbers\",outcome=\"ok\"} 1",
        ] {
            assert!(page.contains(count), "{page}");
        }
    }

    #[test]
    fn what_has_not_changed_is_read_when_told_to_only() {
        let (file, metrics) = (File::new("same"), Metrics::new());
        fs::write(&file.0, "1").unwrap();
        let watched = open(&file, &metrics).unwrap();
        watched.refresh(false);
        assert!(metrics.page().contains("outcome=\"ok\"} 0"));
        watched.refresh(true);
        assert!(metrics.page().contains("outcome=\"ok\"} 1"));
    }

    #[test]
    fn what_is_not_there_from_the_beginning_is_an_error() {
        assert!(open(&File::new("missing"), &Metrics::new()).is_err());
    }
}
