//! Jobs by id, how many there are, and those about which something is to be done soon.

use crate::jobs::life::{self, Moment};
use crate::jobs::record::JobRecord;
use crate::jobs::tally::Tally;
use std::collections::{BTreeMap, BTreeSet};

/// A job as it was when we last heard of it.
pub(super) struct Known {
    /// Where its record is.
    pub(super) revision: u64,
    /// `None`: it was deleted, and the broker has not reported that yet.
    pub(super) job: Option<JobRecord>,
}

/// All jobs that we have heard of.
#[derive(Default)]
pub(super) struct AllKnown {
    by_id: BTreeMap<String, Known>,
    due: BTreeSet<(Moment, String)>,
    tally: Tally,
}

impl AllKnown {
    /// Jobs by id.
    pub(super) fn by_id(&self) -> &BTreeMap<String, Known> {
        &self.by_id
    }

    /// How many there are.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Where the record of a job is; 0 when it is not known.
    pub(super) fn revision(&self, id: &str) -> u64 {
        self.by_id.get(id).map_or(0, |known| known.revision)
    }

    /// What is known of a job from now on.
    pub(super) fn set(&mut self, id: &str, known: Option<Known>) {
        if let Some(job) = known.as_ref().and_then(|known| known.job.as_ref()) {
            self.tally.add(job);
            self.due
                .extend(life::due(job).map(|at| (at, id.to_owned())));
        }
        let is = known.as_ref().and_then(|known| known.job.as_ref());
        let is_due = is.and_then(life::due);
        let before = match known {
            Some(known) => self.by_id.insert(id.to_owned(), known),
            None => self.by_id.remove(id),
        };
        let Some(job) = before.and_then(|known| known.job) else {
            return;
        };
        self.tally.remove(&job);
        if let Some(at) = life::due(&job).filter(|at| Some(*at) != is_due) {
            self.due.remove(&(at, id.to_owned()));
        }
    }

    /// At most this number about which something is to be done by now, the most overdue first.
    pub(super) fn due(&self, now: Moment, count: usize) -> Vec<JobRecord> {
        let due = self.due.iter().take_while(|(at, _)| *at <= now);
        let jobs = due.filter_map(|(_, id)| self.by_id.get(id)?.job.clone());
        jobs.take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{AllKnown, Known};
    use crate::jobs::life::Moment;
    use crate::jobs::record::JobRecord;
    use stratagem_proto::v1 as pb;

    fn known(revision: u64, state: pb::JobState, at: Option<i64>) -> Option<Known> {
        let stamp = at.map(|at| Moment(at).stamp());
        let mut job = JobRecord::default();
        job.set_state(state);
        (job.deadline_time, job.expire_time) = (stamp, stamp);
        let job = Some(job);
        Some(Known { revision, job })
    }

    #[test]
    fn what_is_due_follows_what_is_known() {
        let mut all = AllKnown::default();
        let due = |all: &AllKnown| all.due(Moment(10), 9).len();
        all.set("a", known(1, pb::JobState::Queued, Some(5)));
        all.set("b", known(2, pb::JobState::Queued, Some(15)));
        assert_eq!((due(&all), all.tally().total()), (1, 2));
        all.set("a", known(3, pb::JobState::Running, Some(5)));
        assert_eq!(due(&all), 0);
        all.set("a", known(4, pb::JobState::Succeeded, Some(7)));
        all.set("a", known(5, pb::JobState::Succeeded, Some(7)));
        assert_eq!(due(&all), 1);
        all.set("a", None);
        all.set("a", None);
        assert_eq!((due(&all), all.tally().total()), (0, 1));
    }
}
