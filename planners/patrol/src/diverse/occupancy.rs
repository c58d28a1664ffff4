//! How guards spend their time, from the stops of their routes.

use super::DISTANCE_MAX_MICRO;
use crate::plan::{Plan, Route};
use crate::problem::{Entry, PROBABILITY_ONE, Problem};
use std::collections::BTreeMap;

/// The share, of [`PROBABILITY_ONE`], of all guards' time that is spent between two vertices in this order;
/// standing: between a vertex and itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Occupancy(BTreeMap<(usize, usize), u64>);

/// Plans of which one that is searched has to be unlike.
#[derive(Debug, Clone)]
pub(crate) struct DistanceLimit {
    pub others: Vec<Occupancy>,
    /// The least distance.
    pub least_micro: u32,
}

impl DistanceLimit {
    /// Whether a plan is too near to one of the others.
    pub(crate) fn excludes(&self, problem: &Problem, plan: &Plan) -> bool {
        if self.others.is_empty() || self.least_micro == 0 {
            return false;
        }
        let usage = Occupancy::new(problem, plan);
        let near = |other: &Occupancy| usage.distance_micro(other) < self.least_micro;
        self.others.iter().any(near)
    }
}

impl Occupancy {
    pub(crate) fn new(problem: &Problem, plan: &Plan) -> Self {
        let mut usage = Self(BTreeMap::new());
        let part = PROBABILITY_ONE / problem.guards().len() as u64;
        for (guard, route) in plan.routes.iter().enumerate() {
            let (ticks, all) = times(problem, (guard, route));
            for (step, ticks) in ticks {
                let share = u128::from(part) * u128::from(ticks) / u128::from(all);
                let share = u64::try_from(share).expect("at most all");
                *usage.0.entry(step).or_default() += share;
            }
        }
        usage
    }

    /// The share of time that would have to be spent otherwise, in millionths, rounded.
    fn distance_micro(&self, other: &Self) -> u32 {
        let mut apart = 0_u128;
        for (step, share) in &self.0 {
            let there = other.0.get(step).copied().unwrap_or(0);
            apart += u128::from(share.abs_diff(there));
        }
        let only = other
            .0
            .iter()
            .filter(|(step, _)| !self.0.contains_key(step));
        apart += only.map(|(_, share)| u128::from(*share)).sum::<u128>();
        let whole = 2 * u128::from(PROBABILITY_ONE);
        let micro = (apart * u128::from(DISTANCE_MAX_MICRO) + whole / 2) / whole;
        u32::try_from(micro).expect("at most everything")
    }
}

/// Ticks by step, and all of them.
type Times = (BTreeMap<(usize, usize), u64>, u64);

/// Ticks of a guard that count.
fn times(problem: &Problem, (guard, route): (usize, &Route)) -> Times {
    let instants = u64::from(problem.intruder().instants);
    let end = match problem.intruder().entry {
        Entry::Steady => None,
        Entry::Start => Some(instants),
        Entry::Mission(last) => Some(u64::from(last) + instants),
    };
    let first = route.cycle.first();
    let mut ticks = BTreeMap::new();
    // By stop and next stop: standing, then going.
    let mut walk = |stops: &[_], next: Option<&crate::plan::Stop>, limit: u64| {
        let mut now = 0;
        let nexts = stops.iter().skip(1).chain(next);
        for (stop, next) in stops.iter().zip(nexts) {
            let (stop, next): (&crate::plan::Stop, _) = (stop, next);
            let edge = problem.out_edge(stop.vertex, next.vertex);
            let goes = edge.map_or(0, |edge| u64::from(problem.ticks(guard, edge)));
            for (step, long) in [
                ((stop.vertex, stop.vertex), u64::from(stop.stay)),
                ((stop.vertex, next.vertex), goes),
            ] {
                let long = long.min(limit - now);
                if long > 0 {
                    *ticks.entry(step).or_default() += long;
                }
                now += long;
            }
        }
        now
    };
    let Some(end) = end else {
        let all = walk(&route.cycle, first, u64::MAX);
        return (ticks, all.max(1));
    };
    let mut now = walk(&route.prefix, first, end);
    while now < end {
        let long = walk(&route.cycle, first, end - now);
        if long == 0 {
            break;
        }
        now += long;
    }
    (ticks, end)
}
