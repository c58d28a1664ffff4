//! Runs a search under a probe.

use crate::{Probe, Report, Search, Wish};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Runs a search on a thread of its own. `None`: it still ran after `patience`, and its thread is
/// left alone; or it panicked.
#[must_use]
pub fn run(search: &Arc<Mutex<Search>>, wish: Wish, patience: Duration) -> Option<Report> {
    let (done, report) = channel();
    let search = Arc::clone(search);
    let thread = thread::Builder::new().stack_size(64 << 20);
    let searching = thread.spawn(move || {
        let search = search.lock().expect("a search that did not panic");
        let probe = Probe::new(wish);
        search(probe.token());
        let _ = done.send(probe.report());
    });
    searching.expect("a thread");
    report.recv_timeout(patience).ok()
}
