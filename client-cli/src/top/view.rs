//! The view of a server: its own report, and rates between two pages of its metrics.

use super::page::{Page, Series};
use serde::Serialize;
use std::collections::BTreeMap;
use stratagem_proto::v1::GetServerInfoResponse;

/// Codes of calls that found no room.
const REFUSALS: [&str; 2] = ["UNAVAILABLE", "RESOURCE_EXHAUSTED"];

/// A server at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct View {
    /// Its address.
    pub server: String,
    /// `serving`, `draining` or `unreachable`.
    pub state: &'static str,
    /// Why it, or its page of metrics, cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its version.
    pub version: String,
    /// Solver slots.
    pub slots: i32,
    /// Those in use.
    pub busy_slots: i32,
    /// Requests that wait for one.
    pub waiting: i32,
    /// Whose they are; only what is not 0.
    pub waiting_by: Vec<Waiting>,
    /// Calls that ended, in a second, but those about the server itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_per_second: Option<f64>,
    /// Those of them that found no room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_per_second: Option<f64>,
    /// Waits for a slot of the searches that ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<Quantiles>,
    /// The length of those searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solve_ms: Option<Quantiles>,
    /// Jobs that are kept, by state; only what is not 0.
    pub jobs: BTreeMap<String, u64>,
    /// Memory of the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Connections to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<u64>,
}

/// Requests of a tenant that wait.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Waiting {
    /// Whose.
    pub tenant: String,
    /// How urgent.
    pub priority: String,
    /// How many.
    pub requests: u64,
}

/// Milliseconds within which half, and 99 of 100, of what ended are: interpolated within buckets,
/// so that they are estimates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quantiles {
    /// Half of them.
    pub p50: f64,
    /// 99 of 100.
    pub p99: f64,
}

/// A page, and when it was read, in seconds from any moment.
pub type Sample = (f64, Page);

impl View {
    /// A server that does not answer.
    #[must_use]
    pub fn unreachable(server: &str, why: String) -> Self {
        Self {
            server: server.to_owned(),
            state: "unreachable",
            error: Some(why),
            ..Self::default()
        }
    }

    /// What a server says of itself.
    #[must_use]
    pub fn new(server: &str, info: &GetServerInfoResponse) -> Self {
        Self {
            server: server.to_owned(),
            state: if info.draining { "draining" } else { "serving" },
            version: info.version.clone(),
            slots: info.slot_count,
            busy_slots: info.busy_slot_count,
            waiting: info.queued_count,
            ..Self::default()
        }
    }

    /// Adds what its page says, and the one before if there is one.
    pub fn add(&mut self, before: Option<&Sample>, now: &Sample) {
        let page = &now.1;
        // What is counted is never below 0, nor beyond 2^53.
        let whole = |value: f64| value.max(0.0) as u64;
        let level = |name: &str| page.sum(name, |_| true).map(whole);
        self.memory_bytes = level("process_resident_memory_bytes");
        self.connections = level("stratagem_connections");
        let jobs = page
            .series("stratagem_known_jobs")
            .filter(|one| one.value > 0.0);
        let jobs = jobs.map(|one| (one.label("state").to_owned(), whole(one.value)));
        self.jobs = jobs.collect();
        let waiting = page
            .series("stratagem_waiting_requests")
            .filter(|one| one.value > 0.0);
        let waiting = waiting.map(|one| Waiting {
            tenant: one.label("tenant").to_owned(),
            priority: one.label("priority").to_owned(),
            requests: whole(one.value),
        });
        self.waiting_by = waiting.collect();
        self.waiting_by.sort();
        let Some((then, old)) = before else { return };
        let seconds = (now.0 - then).max(1e-3);
        let rate = |wanted: &dyn Fn(&Series) -> bool| {
            let count =
                |page: &Page| page.sum("stratagem_rpc_total", |one| asks(one) && wanted(one));
            Some(grown(count(old).unwrap_or(0.0), count(page).unwrap_or(0.0)) / seconds)
        };
        self.calls_per_second = rate(&|_| true);
        self.refused_per_second = rate(&|one| REFUSALS.contains(&one.label("code")));
        let between = |name| quantiles(&old.histogram(name), &page.histogram(name));
        self.wait_ms = between("stratagem_queue_wait_seconds");
        self.solve_ms = between("stratagem_solve_seconds");
    }
}

/// Whether calls of a method ask for anything but the server itself: balancers and we do that all
/// the time.
fn asks(one: &Series) -> bool {
    let method = one.label("method");
    !method.starts_with("grpc.") && !method.starts_with("stratagem.v1.ServerService/")
}

/// Growth of a count; a smaller one restarted with its process.
fn grown(before: f64, now: f64) -> f64 {
    if now < before { now } else { now - before }
}

/// Quantiles of what came between two states of a histogram; `None` when nothing did.
fn quantiles(before: &[(f64, f64)], now: &[(f64, f64)]) -> Option<Quantiles> {
    let old = |bound: f64| {
        let found = before.iter().find(|(other, _)| *other == bound);
        found.map_or(0.0, |(_, count)| *count)
    };
    let is_anew = now.iter().any(|(bound, count)| *count < old(*bound));
    let count =
        |(bound, count): &(f64, f64)| (*bound, count - if is_anew { 0.0 } else { old(*bound) });
    let counts: Vec<(f64, f64)> = now.iter().map(count).collect();
    let all = counts.last().map_or(0.0, |(_, count)| *count);
    (all > 0.0).then(|| Quantiles {
        p50: 1e3 * quantile(&counts, 0.5 * all),
        p99: 1e3 * quantile(&counts, 0.99 * all),
    })
}

/// The quantile of `rank`, interpolated linearly within a bucket; at most the last finite bound.
fn quantile(counts: &[(f64, f64)], rank: f64) -> f64 {
    let (mut least, mut below) = (0.0, 0.0);
    for &(bound, count) in counts {
        if count >= rank && count > below {
            return if bound.is_finite() {
                least + (bound - least) * (rank - below) / (count - below)
            } else {
                least
            };
        }
        if bound.is_finite() {
            (least, below) = (bound, count);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Page {
        Page::parse(text)
    }

    #[test]
    fn quantiles_are_those_of_the_time_between() {
        let before = [(0.1, 50.0), (1.0, 50.0), (f64::INFINITY, 50.0)];
        let now = [(0.1, 50.0), (1.0, 140.0), (f64::INFINITY, 150.0)];
        // 90 between 0.1 s and 1 s, 10 beyond.
        let found = quantiles(&before, &now).unwrap();
        assert!((found.p50 - 600.0).abs() < 1e-9, "{found:?}");
        assert_eq!(found.p99, 1_000.0, "no more is known");
        assert_eq!(quantiles(&now, &now), None);
        let restarted = quantiles(&now, &before).unwrap();
        assert_eq!(restarted.p50, 50.0, "the process has begun again");
    }

    #[test]
    fn rates_leave_out_who_asks_about_the_server() {
        let text = |calls: u32, refused: u32| {
            page(&format!(
                "stratagem_rpc_total{{method=\"stratagem.v1.CrewService/AssignCrew\",code=\"OK\"}} {calls}\n\
                 stratagem_rpc_total{{method=\"stratagem.v1.CrewService/AssignCrew\",code=\"UNAVAILABLE\"}} {refused}\n\
                 stratagem_rpc_total{{method=\"grpc.health.v1.Health/Check\",code=\"OK\"}} {calls}\n\
                 stratagem_rpc_total{{method=\"stratagem.v1.ServerService/GetServerInfo\",code=\"OK\"}} {calls}\n\
                 stratagem_known_jobs{{state=\"QUEUED\"}} 3\nstratagem_known_jobs{{state=\"FAILED\"}} 0\n\
                 stratagem_waiting_requests{{tenant=\"b\",priority=\"low\"}} 2\n\
                 stratagem_waiting_requests{{tenant=\"a\",priority=\"high\"}} 1\n\
                 stratagem_waiting_requests{{tenant=\"c\",priority=\"high\"}} 0\n\
                 process_resident_memory_bytes 1048576"
            ))
        };
        let mut view = View::default();
        view.add(Some(&(10.0, text(100, 5))), &(12.0, text(140, 6)));
        assert_eq!(view.calls_per_second, Some(20.5));
        assert_eq!(view.refused_per_second, Some(0.5));
        assert_eq!(view.memory_bytes, Some(1 << 20));
        assert_eq!(view.jobs, [("QUEUED".to_owned(), 3)].into());
        let tenants: Vec<_> = view.waiting_by.iter().map(|one| &*one.tenant).collect();
        assert_eq!(tenants, ["a", "b"]);
        let mut first = View::default();
        first.add(None, &(12.0, text(1, 1)));
        assert_eq!((first.calls_per_second, first.wait_ms), (None, None));
    }
}
