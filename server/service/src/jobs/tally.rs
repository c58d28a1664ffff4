//! How many jobs there are, without looking at them.

use crate::jobs::life;
use crate::jobs::record::JobRecord;
use std::borrow::Borrow;
use std::collections::BTreeMap;

/// Jobs by tenant and by state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    by_tenant: BTreeMap<String, usize>,
    by_state: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// A job has come.
    pub(crate) fn add(&mut self, job: &JobRecord) {
        *self.by_tenant.entry(job.tenant.clone()).or_default() += 1;
        *self.by_state.entry(life::name(job.state())).or_default() += 1;
    }

    /// A job has gone, or was in this state.
    pub(crate) fn remove(&mut self, job: &JobRecord) {
        take_one(&mut self.by_tenant, &job.tenant);
        take_one(&mut self.by_state, life::name(job.state()));
    }

    /// Jobs of a tenant.
    pub(crate) fn of_tenant(&self, tenant: &str) -> usize {
        self.by_tenant.get(tenant).copied().unwrap_or_default()
    }

    /// The number of all jobs.
    pub(crate) fn total(&self) -> usize {
        self.by_state.values().sum()
    }

    /// Jobs in each state.
    pub(crate) fn by_state(&self) -> BTreeMap<&'static str, usize> {
        let none = life::STATES.map(|state| (life::name(state), 0));
        let mut all = BTreeMap::from(none);
        all.extend(self.by_state.iter().map(|(state, count)| (*state, *count)));
        all
    }
}

fn take_one<K: Borrow<Q> + Ord, Q: Ord + ?Sized>(counts: &mut BTreeMap<K, usize>, key: &Q) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}
