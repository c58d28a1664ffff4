//! Execution: what happens in a network while it is executed, and what is to happen next.
//!
//! # Problem
//! A game executes a network without teammates: it reports the time and each event that has
//! happened, ours and Nature's. It asks what is due, what comes next, and what to wait for. Reports
//! may deviate from the network: an event of ours comes too late or too early, a duration is
//! outside its range.
//!
//! # Method
//! The *rest* of a network is the network with what has happened ([`Progress`]): events that have
//! happened are fixed at their times, others do not happen before now, and a duration that has
//! passed is no choice of Nature any more. If the rest is dynamically controllable, its
//! dispatchable network is executed ([`stn::dispatch`]). After a deviation the rest is decided
//! again.
//!
//! What cannot be satisfied any more is dropped from the rest, so that it hinders nothing else: a
//! bound that no time of its two events satisfies, now that the first of them has happened, and a
//! horizon that has passed. A link that lasts longer than its longest duration may last as long
//! again, at least [`EXTENSION_MIN_US`].
//!
//! # Guarantees
//! * While nothing deviates, every bound is satisfied, whatever Nature does within its ranges. An
//!   observation that comes late enough to break a bound is a deviation, too.
//! * The rest of an execution without deviation is dynamically controllable: it can go on from its
//!   events and their times alone.

use crate::plan::Dispatch;
use crate::problem::{Micros, Network, Node, Progress, Source, TIME_MAX_US};
use anytime::Fault;
use std::sync::Arc;
use stn::dispatch::{DispatchableNetwork, Dispatcher, Observation, StepError};
use stn::uncertain;

pub use stn::dispatch::{Deviation, Forecast, Window};
pub use stn::progress::{Deviated, EXTENSION_MIN_US, ReportError};

/// A network that is being executed. Clones share the network.
#[derive(Debug, Clone)]
pub struct Execution {
    network: Arc<Network>,
    progress: Progress,
    /// See [`Self::broken`].
    broken: Vec<Source>,
    run: Option<Dispatcher>,
    /// Bounds that the run does not satisfy.
    dropped: Vec<Source>,
    deviation: Option<Deviated>,
}

impl Execution {
    /// An execution that has come so far.
    ///
    /// # Errors
    /// All faults of the network together with the progress.
    pub fn new(network: Network, progress: Progress) -> Result<Self, Vec<Fault>> {
        let mut spec = network.spec().clone();
        spec.progress = Some(progress.clone());
        Network::new(spec)?;
        let mut execution = Self {
            network: Arc::new(network),
            progress,
            broken: Vec::new(),
            run: None,
            dropped: Vec::new(),
            deviation: None,
        };
        execution.broken = execution.find_broken();
        Ok(execution)
    }

    /// The current time.
    #[must_use]
    pub fn now_us(&self) -> Micros {
        self.progress.now_us
    }

    /// Time of each event that has happened, by index of the event.
    #[must_use]
    pub fn times_us(&self) -> &[Option<Micros>] {
        &self.progress.times_us
    }

    /// Whether all events have happened.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.progress.times_us.iter().all(Option::is_some)
    }

    /// Whether a duration runs that Nature picks: then what is possible changes with time alone.
    #[must_use]
    pub fn has_running_links(&self) -> bool {
        let mut links = self.network.contingent().iter();
        links.any(|link| self.progress.is_running(link))
    }

    /// Whether there is a dispatchable network to execute.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// The last deviation.
    #[must_use]
    pub fn deviation(&self) -> Option<Deviated> {
        self.deviation
    }

    /// Notes the time, which does not go back, and events with their times. With a mistake nothing
    /// is noted.
    ///
    /// # Errors
    /// The index of the event in the report, and what is wrong with it.
    ///
    /// # Panics
    /// When an event is the origin or does not exist, or the time goes back.
    pub fn report(
        &mut self,
        now_us: Micros,
        events: &[(Node, Micros)],
    ) -> Result<(), (usize, ReportError)> {
        self.progress = self
            .progress
            .after(now_us, events, self.network.contingent())?;
        self.broken = self.find_broken();
        let seen = events.iter().map(|event| observation(event.0, event.1));
        self.observe(&seen.collect::<Vec<_>>());
        Ok(())
    }

    /// Lets the run observe what was noted. After a deviation there is no run.
    fn observe(&mut self, seen: &[Observation]) {
        let Some(run) = &mut self.run else {
            return;
        };
        let observed = run.observe(self.progress.now_us, seen);
        let deviates = match observed.and_then(|()| run.forecast().map(|_| ())) {
            Ok(()) => self.broken_by(seen),
            Err(StepError::Deviated(what)) => Some(what),
            Err(error) => unreachable!("reports are checked: {error}"),
        };
        if let Some(what) = deviates {
            self.run = None;
            let at_us = self.progress.now_us;
            self.deviation = Some(Deviated { what, at_us });
        }
    }

    /// What breaks a bound that the run is to satisfy: it was observed too late.
    fn broken_by(&self, seen: &[Observation]) -> Option<Deviation> {
        let run = self.run.as_ref()?;
        if let Some(late) = seen.iter().find(|one| run.breaks_bound(one.event)) {
            return Some(Deviation::Outside { event: late.event });
        }
        let is_horizon = |source: &Source| matches!(source, Source::Horizon(_));
        let without_horizon = self.dropped.iter().any(is_horizon);
        let lost = self
            .broken
            .iter()
            .find(|it| !(self.dropped.contains(it) || without_horizon && is_horizon(it)))?;
        let ends = self.network.bound(*lost);
        let ends = ends.map(|bound| [index(bound.from), index(bound.to)])?;
        let late = seen.iter().find(|one| ends.contains(&one.event));
        let event = late.map_or(ends[1], |late| late.event);
        Some(Deviation::Outside { event })
    }

    /// What is due, comes next, and is waited for; `None`: there is nothing to execute.
    #[must_use]
    pub fn forecast(&self) -> Option<Forecast> {
        self.run.as_ref()?.forecast().ok()
    }

    /// The rest of the network. `None`: its durations have become too long to be added up.
    #[must_use]
    pub fn rest(&self) -> Option<Network> {
        let mut spec = self.network.spec().clone();
        spec.progress = Some(self.progress.clone());
        for source in &self.broken {
            match *source {
                Source::LinkUpper(at) => spec.links[at].upper_us = Some(TIME_MAX_US),
                Source::LinkLower(at) => spec.links[at].lower_us = Some(-TIME_MAX_US),
                _ => spec.horizon_us = None,
            }
        }
        for link in &mut spec.contingent {
            *link = self.progress.left(*link, TIME_MAX_US);
        }
        Network::new(spec).ok()
    }

    /// Bounds of links that cannot be satisfied any more, and the horizon of the first event that
    /// misses it.
    #[must_use]
    pub fn broken(&self) -> &[Source] {
        &self.broken
    }

    fn find_broken(&self) -> Vec<Source> {
        let now_us = self.progress.now_us;
        let links = self.network.links().iter().enumerate();
        let bounds = links.flat_map(|(at, link)| {
            let [lower, upper] = self.progress.broken_bounds(link);
            let upper = upper.then_some(Source::LinkUpper(at));
            [upper, lower.then_some(Source::LinkLower(at))]
        });
        let horizon_us = self.network.horizon_us().unwrap_or(Micros::MAX);
        let mut times = self.progress.times_us.iter();
        let missed = times.position(|time| time.unwrap_or(now_us) > horizon_us);
        let missed = missed.map(|event| Source::Horizon(event + 1));
        bounds.flatten().chain(missed).collect()
    }

    /// Executes a dispatchable network of [`Self::rest`], also of an earlier one: what has happened
    /// since is observed. It may deviate.
    pub fn follow(&mut self, rest: &Network, dispatch: &Dispatch) {
        let bounds: Vec<uncertain::DispatchBound> = dispatch
            .bounds
            .iter()
            .map(|&(from, to, weight)| uncertain::DispatchBound {
                from: index(from),
                to: index(to),
                weight,
            })
            .collect();
        let mut link_at = vec![0; rest.nodes()];
        for (at, link) in rest.contingent().iter().enumerate() {
            link_at[link.to] = index(at);
        }
        let waits: Vec<uncertain::Wait> = dispatch
            .waits
            .iter()
            .map(|wait| uncertain::Wait {
                event: index(wait.node),
                link: link_at[wait.until],
                least: wait.duration_us,
            })
            .collect();
        let links: Vec<uncertain::Contingent> = (0..)
            .zip(rest.contingent())
            .map(|(id, link)| uncertain::Contingent {
                from: index(link.from),
                to: index(link.to),
                lower: link.lower_us,
                upper: link.upper_us,
                id,
            })
            .collect();
        let network = DispatchableNetwork {
            events: rest.nodes(),
            bounds: &bounds,
            waits: &waits,
            links: &links,
        };
        self.run = Dispatcher::new(&network).ok();
        self.dropped.clone_from(&self.broken);
        self.dropped.retain(|source| is_dropped(rest, *source));
        let seen = self.progress.happened();
        let seen = seen.map(|(node, at_us)| observation(node, at_us));
        self.observe(&seen.collect::<Vec<_>>());
    }

    /// Memory that it takes besides the network, near enough, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let run = self.run.as_ref().map_or(0, Dispatcher::bytes);
        run + 16 * self.progress.times_us.len()
    }
}

/// Whether the rest of a network is without a bound that the network has.
fn is_dropped(rest: &Network, source: Source) -> bool {
    match source {
        Source::LinkUpper(at) => rest.links()[at].upper_us == Some(TIME_MAX_US),
        Source::LinkLower(at) => rest.links()[at].lower_us == Some(-TIME_MAX_US),
        _ => rest.horizon_us().is_none(),
    }
}

fn observation(node: Node, at: Micros) -> Observation {
    Observation {
        event: index(node),
        at,
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).expect("at most EVENTS_MAX events and links")
}
