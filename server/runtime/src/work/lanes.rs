//! Tasks that wait for a thread: the tenant that was served least is next, and of its tasks the one
//! with the earliest deadline.
//!
//! Start-time fair queueing among tenants, as for slots (see `admission/lines.rs`), over
//! estimated processor time.

use std::collections::BTreeMap;
use std::time::Instant;

/// What waits, and who was served how much.
pub(super) struct Lanes<T> {
    tenants: BTreeMap<u64, Lane<T>>,
    /// Virtual time of the tenant that was served last.
    clock: f64,
    next: u64,
    count: usize,
    /// Seconds of work that wait.
    backlog: f64,
}

struct Lane<T> {
    /// Seconds served, divided by the tenant's weight.
    served: f64,
    /// By deadline; the number keeps tasks of one moment apart.
    tasks: BTreeMap<(Instant, u64), (Claim, T)>,
}

/// Whose a task is, and what it takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    pub tenant: u64,
    /// The tenant's part of what others want, too.
    pub weight: f64,
    /// By when it should be done.
    pub due: Instant,
    /// Estimated processor time, in seconds.
    pub cost: f64,
}

impl<T> Default for Lanes<T> {
    fn default() -> Self {
        Self {
            tenants: BTreeMap::new(),
            clock: 0.0,
            next: 0,
            count: 0,
            backlog: 0.0,
        }
    }
}

impl<T> Lanes<T> {
    /// Tasks that wait.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Seconds of work that wait.
    pub(super) fn backlog(&self) -> f64 {
        self.backlog
    }

    /// Puts a task behind those of its tenant that are more urgent.
    pub(super) fn put(&mut self, claim: Claim, task: T) {
        let clock = self.clock;
        let lane = self.tenants.entry(claim.tenant).or_insert_with(|| Lane {
            served: clock,
            tasks: BTreeMap::new(),
        });
        if lane.tasks.is_empty() {
            // Nothing can be saved up.
            lane.served = lane.served.max(clock);
        }
        self.next += 1;
        lane.tasks.insert((claim.due, self.next), (claim, task));
        self.count += 1;
        self.backlog += claim.cost;
    }

    /// The next task.
    pub(super) fn take(&mut self) -> Option<T> {
        let waiting = self
            .tenants
            .iter()
            .filter(|(_, lane)| !lane.tasks.is_empty());
        let next = waiting.min_by(|a, b| a.1.served.total_cmp(&b.1.served));
        let tenant = *next?.0;
        let lane = self.tenants.get_mut(&tenant)?;
        let (_, (claim, task)) = lane.tasks.pop_first()?;
        self.clock = lane.served;
        lane.served += claim.cost / claim.weight;
        self.count -= 1;
        self.backlog -= claim.cost;
        if self.count == 0 {
            // No task waits: what was served counts no more.
            self.tenants.clear();
            (self.clock, self.backlog) = (0.0, 0.0);
        }
        Some(task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn claim(tenant: u64, weight: f64, after: u64, cost: f64) -> Claim {
        Claim {
            tenant,
            weight,
            due: Instant::now() + Duration::from_secs(after),
            cost,
        }
    }

    #[test]
    fn one_tenant_is_served_by_deadline() {
        let mut lanes = Lanes::default();
        for (after, name) in [(30, "late"), (10, "soon"), (20, "then")] {
            lanes.put(claim(1, 1.0, after, 0.01), name);
        }
        assert!((lanes.backlog() - 0.03).abs() < 1e-9);
        let order: Vec<_> = std::iter::from_fn(|| lanes.take()).collect();
        assert_eq!(order, ["soon", "then", "late"]);
        assert_eq!((lanes.count(), lanes.backlog()), (0, 0.0));
    }

    #[test]
    fn a_crowd_of_one_tenant_costs_another_one_task() {
        let mut lanes = Lanes::default();
        for _ in 0..100 {
            lanes.put(claim(1, 1.0, 1, 0.02), "crowd");
        }
        assert_eq!(lanes.take().unwrap(), "crowd");
        lanes.put(claim(2, 1.0, 60, 0.02), "other");
        assert_eq!(lanes.take().unwrap(), "other");
    }

    #[test]
    fn weights_are_shares_of_the_work() {
        let mut lanes = Lanes::default();
        for _ in 0..300 {
            lanes.put(claim(1, 2.0, 1, 0.01), "two");
            lanes.put(claim(2, 1.0, 1, 0.01), "one");
        }
        let first: Vec<_> = (0..300).filter_map(|_| lanes.take()).collect();
        let two = first.iter().filter(|it| **it == "two").count();
        assert!((195..=205).contains(&two), "{two}");
    }
}
