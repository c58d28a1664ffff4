//! What is counted and measured of searches.

use metrics::{Recorder, counter, gauge, histogram, with_local_recorder};
use std::sync::Arc;
use std::time::Duration;

/// The numbers of searches; clones share them.
#[derive(Clone)]
pub struct Meters {
    recorder: Arc<dyn Recorder + Send + Sync>,
    #[cfg(test)]
    page: Option<metrics_exporter_prometheus::PrometheusHandle>,
}

/// A request that waits.
pub(crate) struct Waits {
    meters: Meters,
    tenant: String,
    priority: &'static str,
}

impl Waits {
    fn add(&self, by: f64) {
        let tenant = self.tenant.clone();
        self.meters.record(|| {
            gauge!("stratagem_waiting_requests", "tenant" => tenant, "priority" => self.priority)
                .increment(by);
        });
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.add(-1.0);
    }
}

impl Meters {
    /// Numbers that this recorder keeps.
    pub fn new(recorder: Arc<dyn Recorder + Send + Sync>) -> Self {
        Self {
            recorder,
            #[cfg(test)]
            page: None,
        }
    }

    /// Numbers that nobody keeps.
    pub fn unrecorded() -> Self {
        Self::new(Arc::new(metrics::NoopRecorder))
    }

    fn record<T>(&self, record: impl FnOnce() -> T) -> T {
        with_local_recorder(&*self.recorder, record)
    }

    /// Slots that there are.
    pub(crate) fn slots(&self, slots: usize) {
        self.record(|| gauge!("stratagem_slots").set(slots as f64));
    }

    /// Memory was reserved for a search, or, below 0, given back.
    pub(crate) fn reserved(&self, by: f64) {
        self.record(|| gauge!("stratagem_reserved_memory_bytes").increment(by));
    }

    /// Slots in use and requests waiting, as they are now.
    pub(crate) fn load(&self, busy_slots: usize, queued: usize) {
        self.record(|| {
            gauge!("stratagem_busy_slots").set(busy_slots as f64);
            gauge!("stratagem_queued_requests").set(queued as f64);
        });
    }

    /// A search of this planner went on in this phase after it was asked to stop.
    pub(crate) fn overran(&self, planner: &'static str, phase: &'static str) {
        self.record(|| {
            counter!("stratagem_search_overrun_total", "planner" => planner, "phase" => phase)
                .increment(1);
        });
    }

    /// Searches that are parked, as they are now.
    pub(crate) fn parked(&self, count: usize) {
        self.record(|| gauge!("stratagem_parked_searches").set(count as f64));
    }

    /// A search of this class has given way to another request, in this way.
    pub(crate) fn gave_way(&self, priority: &'static str, how: &'static str) {
        self.record(|| {
            counter!("stratagem_gave_way_total", "priority" => priority, "how" => how).increment(1);
        });
    }

    /// A request of a tenant waits for a slot, until what is returned is dropped.
    pub(crate) fn waits(&self, tenant: String, priority: &'static str) -> Waits {
        let waits = Waits {
            meters: self.clone(),
            tenant,
            priority,
        };
        waits.add(1.0);
        waits
    }

    /// A request was refused, or left the queue, without an answer.
    pub(crate) fn shed(&self, reason: &'static str) {
        self.record(|| counter!("stratagem_shed_total", "reason" => reason).increment(1));
    }

    /// A search that nobody wanted any more has given back its slots.
    pub(crate) fn cancelled(&self, after: Duration) {
        self.record(|| histogram!("stratagem_cancel_to_free_seconds").record(after));
    }

    /// The check of an offer disagrees with the planner.
    pub(crate) fn mismatch(&self, planner: &'static str) {
        self.record(|| {
            counter!("stratagem_verify_mismatch_total", "planner" => planner).increment(1);
        });
    }

    /// A search has panicked.
    pub(crate) fn panicked(&self, planner: &'static str) {
        self.record(|| counter!("stratagem_panics_total", "planner" => planner).increment(1));
    }
}

#[cfg(test)]
impl Meters {
    /// Numbers that [`page`](Self::page) shows.
    pub(crate) fn with_page() -> Self {
        let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
        let page = Some(recorder.handle());
        Self {
            recorder: Arc::new(recorder),
            page,
        }
    }

    /// The numbers as Prometheus reads them.
    pub(crate) fn page(&self) -> String {
        self.page
            .as_ref()
            .map_or_else(String::new, |page| page.render())
    }
}
