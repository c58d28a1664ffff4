//! What this server knows of all jobs without asking: a little late, for lists, sweeping, and for
//! knowing when to look.

mod known;

use crate::jobs::life::{Moment, has_ended};
use crate::jobs::record::JobRecord;
use crate::jobs::store::{Counted, Weights};
use known::{AllKnown, Known};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stratagem_proto::v1 as pb;
use tokio::sync::futures::Notified;
use tokio::sync::{Notify, watch};

/// A tenant's jobs that have not ended.
pub(super) struct Line {
    pub(super) tenant: String,
    /// Those that run, for its weight.
    share: f64,
    /// When the last one that began did so; 0: none has.
    last: i64,
    /// Id of the oldest one that waits.
    oldest: Option<String>,
    classes: [bool; 3],
}

impl Line {
    fn new(tenant: &str, last: i64) -> Self {
        Self {
            tenant: tenant.to_owned(),
            share: 0.0,
            last,
            oldest: None,
            classes: [false; 3],
        }
    }

    fn add_class(&mut self, class: pb::Priority) {
        let at = URGENCY.iter().position(|one| *one == class);
        self.classes[at.unwrap_or(URGENCY.len() - 1)] = true;
    }
}

impl Line {
    /// Of the jobs, the most urgent first.
    pub(super) fn classes(&self) -> impl Iterator<Item = pb::Priority> + use<> {
        let all = URGENCY.into_iter().zip(self.classes);
        all.filter_map(|(class, is_there)| is_there.then_some(class))
    }
}

/// All classes, the most urgent first.
const URGENCY: [pb::Priority; 3] = [pb::Priority::High, pb::Priority::Normal, pb::Priority::Low];

/// All jobs; clones share them.
#[derive(Clone, Default)]
pub(super) struct Mirror(Arc<Shared>);

#[derive(Default)]
struct Shared {
    known: Mutex<AllKnown>,
    watched: Mutex<HashMap<String, watch::Sender<u64>>>,
    /// Whether all of them are known.
    whole: watch::Sender<bool>,
    /// Tenants and classes in whose lines somebody found jobs that have ended.
    left: Mutex<BTreeSet<(String, pb::Priority)>>,
    /// A job waits that did not before.
    waiting: Notify,
}

/// How a mutex of ours is locked: nothing panics while it is held.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mirror {
    /// Hears of the state of a job (`None`: it was deleted) that was kept there.
    pub(super) fn hear(&self, id: &str, revision: u64, job: Option<JobRecord>) {
        let mut known = locked(&self.0.known);
        if known.revision(id) >= revision {
            return;
        }
        let waits = job
            .as_ref()
            .is_some_and(|job| job.state() == pb::JobState::Queued);
        known.set(id, Some(Known { revision, job }));
        drop(known);
        if waits {
            self.0.waiting.notify_waiters();
        }
        self.notify(id, revision);
    }

    /// Hears from the broker that a job was deleted.
    pub(super) fn forget(&self, id: &str, revision: u64) {
        let mut known = locked(&self.0.known);
        if known.revision(id) <= revision {
            known.set(id, None);
        }
        drop(known);
        self.notify(id, revision);
    }

    /// All jobs have been heard of, those of the list and newer ones: others are gone.
    pub(super) fn is_whole(&self, ids: &[String], newest: u64) {
        let ids: HashSet<&String> = ids.iter().collect();
        let mut known = locked(&self.0.known);
        let gone = known.by_id().iter().filter_map(|(id, known)| {
            let stays = known.revision > newest || ids.contains(id);
            (!stays).then(|| id.clone())
        });
        let gone: Vec<String> = gone.collect();
        for id in gone {
            known.set(&id, None);
        }
        drop(known);
        self.0.whole.send_replace(true);
    }

    /// Waits until all jobs are known.
    pub(super) async fn whole(&self) {
        // Fails never: we have the sender.
        let _ = self.0.whole.subscribe().wait_for(|whole| *whole).await;
    }

    /// Ready once a job waits, from now on, that did not before.
    pub(super) fn waiting(&self) -> Notified<'_> {
        self.0.waiting.notified()
    }

    /// How many there are, and how many of a tenant.
    pub(super) fn count(&self, tenant: &str) -> (usize, usize) {
        let known = locked(&self.0.known);
        let tally = known.tally();
        (tally.total(), tally.of_tenant(tenant))
    }

    /// How many there are in each state; records that could not be decoded are `corrupt`.
    pub(super) fn counted(&self, corrupt: u64) -> Counted {
        let by_state = locked(&self.0.known).tally().by_state();
        Counted {
            by_state,
            corrupt,
            is_synced: false,
        }
    }

    /// At most this number about which something is to be done by now.
    pub(super) fn due(&self, now: Moment, count: usize) -> Vec<JobRecord> {
        locked(&self.0.known).due(now, count)
    }

    /// At most this number before this id, the newest first.
    pub(super) fn before(&self, id: Option<&str>, count: usize) -> Vec<JobRecord> {
        let known = locked(&self.0.known);
        let end = id.map_or(Bound::Unbounded, Bound::Excluded);
        let jobs = known.by_id().range::<str, _>((Bound::Unbounded, end)).rev();
        let jobs = jobs.filter_map(|(_, known)| known.job.clone());
        jobs.take(count).collect()
    }

    /// The tenants with jobs that have not ended, by turns: the fewest running jobs for the weight,
    /// then the earliest start of the last job. Tenants without a waiting job are last; their jobs
    /// may have been lost, or left in the queue.
    pub(super) fn lines(&self, weights: &Weights) -> Vec<Line> {
        let known = locked(&self.0.known);
        let jobs = || {
            known
                .by_id()
                .values()
                .filter_map(|known| known.job.as_ref())
        };
        let mut last: HashMap<&str, i64> = HashMap::new();
        for job in jobs() {
            let began = job
                .start_time
                .as_ref()
                .map_or(0, |at| Moment::from_stamp(at).0);
            let last = last.entry(&job.tenant).or_default();
            *last = began.max(*last);
        }
        let mut lines: BTreeMap<&str, Line> = BTreeMap::new();
        for job in jobs().filter(|job| !has_ended(job)) {
            let tenant = &*job.tenant;
            let line = lines.entry(tenant);
            let line = line.or_insert_with(|| Line::new(tenant, last[tenant]));
            line.add_class(job.priority());
            match job.state() {
                pb::JobState::Running => line.share += 1.0,
                _ if line.oldest.is_none() => line.oldest = Some(job.job_id.clone()),
                _ => {}
            }
        }
        let left = locked(&self.0.left);
        for (tenant, class) in &*left {
            let line = lines.entry(tenant);
            line.or_insert_with(|| Line::new(tenant, 0))
                .add_class(*class);
        }
        let mut lines: Vec<Line> = lines.into_values().collect();
        drop((known, left));
        for line in &mut lines {
            line.share /= weights(&line.tenant);
        }
        lines.sort_by(|a, b| {
            let waits = a.oldest.is_none().cmp(&b.oldest.is_none());
            let turn = a.share.total_cmp(&b.share).then(a.last.cmp(&b.last));
            waits.then(turn).then_with(|| a.oldest.cmp(&b.oldest))
        });
        lines
    }

    /// In these lines there are jobs that have ended; in others none was found.
    pub(super) fn are_left(&self, lines: BTreeSet<(String, pb::Priority)>) {
        *locked(&self.0.left) = lines;
    }

    /// Those that have not ended, by id.
    pub(super) fn unfinished(&self) -> Vec<JobRecord> {
        let known = locked(&self.0.known);
        let jobs = known
            .by_id()
            .values()
            .filter_map(|known| known.job.as_ref());
        jobs.filter(|job| !has_ended(job)).cloned().collect()
    }

    /// Waits until a job is heard of that is newer than this sequence number, or is gone.
    pub(super) async fn changed(&self, id: &str, after: i64) {
        let mut newest = {
            let mut watched = locked(&self.0.watched);
            watched.entry(id.to_owned()).or_default().subscribe()
        };
        // What was heard before is looked at; what comes later is reported, even that it is gone.
        let is_new = {
            let known = locked(&self.0.known);
            let known = known.by_id().get(id).map(|known| known.job.as_ref());
            known.is_some_and(|job| job.is_none_or(|job| job.sequence > after))
        };
        if !is_new {
            // Fails never: the sender goes with its last receiver.
            let _ = newest.changed().await;
        }
    }

    fn notify(&self, id: &str, revision: u64) {
        let mut watched = locked(&self.0.watched);
        if let Some(watchers) = watched.get(id) {
            watchers.send_replace(revision);
            if watchers.is_closed() {
                watched.remove(id);
            }
        }
    }
}
