//! The order of jobs, in memory; it is rebuilt from the file after a restart.
//!
//! The tenant with the fewest slots is next, then the one that was given least so far: start-time
//! fair queueing, as among callers (see `admission/lines.rs` of the runtime), by the time for which
//! slots were really held. A tenant that was away continues at the time of those served meanwhile.
//! Order within a tenant: class, deadline, time of creation.

use crate::jobs::life::Moment;
use crate::jobs::record::JobRecord;
use crate::jobs::store::Weights;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// What any turn costs in seconds of a slot, so that turns that are over at once are shared, too.
const TURN_S: f64 = 1e-3;

/// Place of a job: least is first. The class, the deadline, the time of its creation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    class: Reverse<i32>,
    deadline: i64,
    id: String,
}

impl Place {
    fn new(job: &JobRecord) -> Self {
        let deadline = job.deadline_time.as_ref();
        Self {
            // The numbers of the enumeration rise with the priority.
            class: Reverse(job.priority),
            deadline: deadline.map_or(i64::MAX, |at| Moment::from_stamp(at).0),
            id: job.job_id.clone(),
        }
    }
}

/// Jobs that wait; clones share them.
#[derive(Clone)]
pub(super) struct Queue(Arc<Shared>);

struct Shared {
    lines: Mutex<Lines>,
    weights: Weights,
    news: Notify,
}

#[derive(Default)]
struct Lines {
    by_tenant: BTreeMap<String, Line>,
    /// Ids of jobs that were taken out: they come back with their tickets.
    held: HashSet<String>,
    /// What the tenant of the last turn had been given before.
    clock: f64,
}

/// A tenant's jobs.
#[derive(Default)]
struct Line {
    waiting: BTreeSet<Place>,
    /// Slots that it has.
    slots: u32,
    /// Seconds of slots that it was given, divided by its weight.
    served: f64,
}

impl Line {
    fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.slots == 0
    }
}

impl Lines {
    fn put(&mut self, tenant: &str, place: Place) {
        // Its holder gives it back.
        if self.held.contains(&place.id) {
            return;
        }
        let clock = self.clock;
        let line = self.by_tenant.entry(tenant.to_owned()).or_default();
        if line.is_idle() {
            line.served = line.served.max(clock);
        }
        line.waiting.insert(place);
    }

    /// Takes out the job whose turn it is, and whose it is.
    fn take(&mut self, weights: &Weights) -> Option<(String, Place)> {
        let heads = self.by_tenant.iter().filter_map(|(tenant, line)| {
            let place = line.waiting.first()?;
            let share = f64::from(line.slots) / weights(tenant);
            Some((share, line.served, place, tenant))
        });
        let first = heads.min_by(|a, b| {
            let by_slots = a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
            by_slots.then_with(|| a.2.cmp(b.2))
        });
        let tenant = first?.3.clone();
        let line = self.by_tenant.get_mut(&tenant)?;
        let place = line.waiting.pop_first()?;
        line.slots += 1;
        self.clock = self.clock.max(line.served);
        self.held.insert(place.id.clone());
        Some((tenant, place))
    }

    /// A turn is over that took this number of slots for this part of the tenant's time.
    fn end(&mut self, tenant: &str, slots: u32, served: f64) {
        if let Some(line) = self.by_tenant.get_mut(tenant) {
            line.slots = line.slots.saturating_sub(slots);
            line.served += served;
        }
        // A tenant that comes back later begins at the clock.
        let clock = self.clock;
        self.by_tenant
            .retain(|_, line| !line.is_idle() || line.served > clock);
    }
}

impl Queue {
    /// An empty one of tenants with these weights.
    pub(super) fn new(weights: Weights) -> Self {
        Self(Arc::new(Shared {
            lines: Mutex::default(),
            weights,
            news: Notify::new(),
        }))
    }

    /// Ids of the jobs that were taken out.
    pub(super) fn held(&self) -> HashSet<String> {
        self.lock().held.clone()
    }

    /// Adds a job, once.
    pub(super) fn push(&self, job: &JobRecord) {
        self.put(&job.tenant, Place::new(job));
    }

    /// Takes a job out, if it is there.
    pub(super) fn remove(&self, job: &JobRecord) {
        if let Some(line) = self.lock().by_tenant.get_mut(&job.tenant) {
            line.waiting.remove(&Place::new(job));
        }
    }

    /// Waits for the first one.
    pub(super) async fn pop(&self) -> Ticket {
        loop {
            let news = self.0.news.notified();
            let first = self.lock().take(&self.0.weights);
            if let Some((tenant, place)) = first {
                return Ticket {
                    queue: self.clone(),
                    tenant,
                    place,
                    slots: 1,
                    since: Instant::now(),
                    is_spent: false,
                };
            }
            news.await;
        }
    }

    fn put(&self, tenant: &str, place: Place) {
        self.lock().put(tenant, place);
        // Kept for the next to look when none waits now.
        self.0.news.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        let lock = self.0.lines.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job that was taken out. It goes back when it is dropped without being spent.
pub(super) struct Ticket {
    queue: Queue,
    tenant: String,
    place: Place,
    slots: u32,
    since: Instant,
    is_spent: bool,
}

impl Ticket {
    /// Which job.
    pub(super) fn id(&self) -> &str {
        &self.place.id
    }

    /// Number of slots that it takes.
    pub(super) fn takes(&mut self, slots: u32) {
        let mut lines = self.queue.lock();
        if let Some(line) = lines.by_tenant.get_mut(&self.tenant) {
            line.slots = line.slots.saturating_sub(self.slots) + slots;
        }
        drop(lines);
        self.slots = slots;
    }

    /// It does not go back.
    pub(super) fn spend(mut self) {
        self.is_spent = true;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.queue.lock().held.remove(&self.place.id);
        if !self.is_spent {
            let place = self.place.clone();
            self.queue.put(&self.tenant, place);
        }
        let held = f64::from(self.slots) * self.since.elapsed().as_secs_f64() + TURN_S;
        let served = held / (self.queue.0.weights)(&self.tenant);
        self.queue.lock().end(&self.tenant, self.slots, served);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use stratagem_proto::v1::Priority;

    fn queue() -> Queue {
        Queue::new(Arc::new(|tenant| if tenant == "heavy" { 3.0 } else { 1.0 }))
    }

    fn job(tenant: &str, id: &str) -> JobRecord {
        let mut job = JobRecord {
            tenant: tenant.into(),
            ..JobRecord::default()
        };
        job.job_id = id.into();
        job.set_priority(Priority::Normal);
        job
    }

    /// The next job; a queue that is not empty has one at once.
    async fn next(queue: &Queue) -> Ticket {
        let next = tokio::time::timeout(Duration::from_secs(60), queue.pop());
        next.await.expect("somebody waits")
    }

    #[tokio::test]
    async fn a_thousand_jobs_of_one_do_not_come_before_the_first_of_another() {
        let queue = queue();
        for number in 0..1_000 {
            queue.push(&job("many", &format!("a{number:04}")));
        }
        queue.push(&job("few", "b0"));
        queue.push(&job("few", "b1"));
        let mut turns = Vec::new();
        for _ in 0..4 {
            let ticket = next(&queue).await;
            turns.push(ticket.id().to_owned());
            ticket.spend();
        }
        let of_few = turns.iter().filter(|id| id.starts_with('b')).count();
        assert_eq!(of_few, 2, "{turns:?}");
        let ours: Vec<_> = turns.iter().filter(|id| id.starts_with('a')).collect();
        assert_eq!(ours, ["a0000", "a0001"], "each in its own order");
    }

    #[tokio::test]
    async fn whoever_has_slots_lets_others_go_first() {
        let queue = queue();
        for id in ["a0", "a1", "a2"] {
            queue.push(&job("a", id));
        }
        let (first, second) = (next(&queue).await, next(&queue).await);
        assert_eq!(
            (first.id(), second.id()),
            ("a0", "a1"),
            "nobody else wants them"
        );
        queue.push(&job("b", "b0"));
        queue.push(&job("b", "b1"));
        let mut third = next(&queue).await;
        assert_eq!(third.id(), "b0");
        // With three slots it has more than the other.
        third.takes(3);
        assert_eq!(next(&queue).await.id(), "a2");
    }

    #[tokio::test]
    async fn weights_are_parts() {
        let queue = queue();
        for number in 0..8 {
            queue.push(&job("heavy", &format!("h{number}")));
            queue.push(&job("light", &format!("l{number}")));
        }
        let mut held = Vec::new();
        for _ in 0..8 {
            held.push(next(&queue).await);
        }
        let heavy = held.iter().filter(|ticket| ticket.id().starts_with('h'));
        assert_eq!(heavy.count(), 6, "three of four");
    }

    #[tokio::test]
    async fn what_is_given_back_waits_again_and_nobody_saves_up() {
        let queue = queue();
        queue.push(&job("a", "a0"));
        drop(next(&queue).await);
        let again = next(&queue).await;
        assert_eq!(again.id(), "a0");
        again.spend();
        for number in 0..50 {
            queue.push(&job("a", &format!("a{number}")));
            next(&queue).await.spend();
        }
        // Who comes now has not saved up fifty turns.
        for number in 0..4 {
            queue.push(&job("a", &format!("x{number}")));
            queue.push(&job("b", &format!("b{number}")));
        }
        let mut turns = Vec::new();
        for _ in 0..4 {
            let ticket = next(&queue).await;
            turns.push(ticket.id().to_owned());
            ticket.spend();
        }
        let of_b = turns.iter().filter(|id| id.starts_with('b')).count();
        assert!((1..=3).contains(&of_b), "{turns:?}");
    }
}
