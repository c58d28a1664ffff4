//! Searches with random limits, and all that they claim.

use super::{Rng, one_of};
use anytime::{CancelToken, Conclusion, Control, Limits, Offer, Planner, Sink, Stop};
use rand::RngExt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Limits of a search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How {
    pub(crate) iterations: u64,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) nodes: Option<usize>,
    /// The look at the stop signal at which the search is stopped.
    pub(crate) stop_at: Option<u64>,
}

impl How {
    /// Random limits, tiny ones among them, up to this number of iterations.
    pub(crate) fn random(rng: &mut Rng, most: u64) -> Self {
        let tiny = one_of(rng, &[0, 1, 3, 10, 30, 100, 300]);
        let iterations = one_of(
            rng,
            &[most, most, most / 10, tiny.min(most), tiny.min(most)],
        );
        let look = one_of(rng, &[1, 10, 100, 1_000, 10_000]);
        let look = rng.random_range(0..look);
        Self {
            iterations,
            seed: rng.random(),
            threads: one_of(rng, &[1, 1, 2]),
            nodes: one_of(rng, &[None, None, Some(64), Some(1_000)]),
            stop_at: one_of(rng, &[None, None, Some(look)]),
        }
    }

    /// Enough to decide what can be decided.
    pub(crate) fn whole(iterations: u64) -> Self {
        Self {
            iterations,
            seed: 1,
            threads: 1,
            nodes: None,
            stop_at: None,
        }
    }

    fn limits(self) -> Limits {
        let mut limits = Limits::iterations(self.iterations).with_threads(self.threads);
        if let Some(nodes) = self.nodes {
            limits = limits.with_nodes(nodes);
        }
        let Some(stop_at) = self.stop_at else {
            return limits;
        };
        let looks = AtomicU64::new(0);
        let stop = move || (looks.fetch_add(1, Relaxed) >= stop_at).then_some(Stop::Cancelled);
        limits.with_cancel(CancelToken::observed(stop))
    }
}

/// All that one search claims.
pub(crate) struct Run<P: Planner> {
    /// How it was made, for people.
    pub(crate) how: String,
    /// All offers.
    pub(crate) offers: Vec<(P::Plan, P::Cost)>,
    /// All bounds.
    pub(crate) bounds: Vec<P::Cost>,
    /// How it ended.
    pub(crate) end: Conclusion,
}

struct Ear<P: Planner> {
    offers: Vec<(P::Plan, P::Cost)>,
    bounds: Vec<P::Cost>,
}

impl<P: Planner> Sink<P::Plan, P::Cost> for Ear<P> {
    fn offer(&mut self, offer: Offer<'_, P::Plan, P::Cost>) {
        self.offers.push((offer.plan.clone(), offer.cost));
    }

    fn bound(&mut self, bound: P::Cost, _: &'static str) {
        self.bounds.push(bound);
    }
}

/// Runs a search; none where the strategy does not support the problem.
pub(crate) fn run<P: Planner>(
    problem: &P::Problem,
    params: &P::Params,
    how: How,
    name: &str,
) -> Option<Run<P>> {
    let mut ear = Ear::<P> {
        offers: Vec::new(),
        bounds: Vec::new(),
    };
    let mut control = Control::new(how.limits(), how.seed, &mut ear);
    let end = P::solve(problem, params, &mut control).ok()?;
    Some(Run {
        how: format!("{name} {how:?}"),
        offers: ear.offers,
        bounds: ear.bounds,
        end,
    })
}
