//! Occupancy: the share of the time of guards on each arc, from the stops of their routes.

use super::DISTANCE_MAX_MICRO;
use crate::plan::{Plan, Route, Stop};
use crate::problem::{Entry, PROBABILITY_ONE, Problem};
use std::collections::BTreeMap;

/// Share of the time of all guards by arc, in units of 2^-60; standing counts as the arc from a
/// vertex to itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Occupancy(BTreeMap<(usize, usize), u64>);

/// Plans that a plan must differ from.
#[derive(Debug, Clone)]
pub(crate) struct DistanceLimit {
    pub others: Vec<Occupancy>,
    /// Least distance.
    pub min_micro: u32,
}

impl DistanceLimit {
    /// Whether a plan is too similar to one of the others.
    pub(crate) fn excludes(&self, problem: &Problem, plan: &Plan) -> bool {
        if self.others.is_empty() || self.min_micro == 0 {
            return false;
        }
        let occupancy = Occupancy::new(problem, plan);
        let is_similar = |other: &Occupancy| occupancy.distance_micro(other) < self.min_micro;
        self.others.iter().any(is_similar)
    }
}

impl Occupancy {
    pub(crate) fn new(problem: &Problem, plan: &Plan) -> Self {
        let mut occupancy = Self(BTreeMap::new());
        let part = PROBABILITY_ONE / problem.guards().len() as u64;
        for (guard, route) in plan.routes.iter().enumerate() {
            let (ticks, total) = arc_ticks(problem, guard, route);
            for (step, ticks) in ticks {
                let share = u128::from(part) * u128::from(ticks) / u128::from(total);
                let share = u64::try_from(share).expect("at most one");
                *occupancy.0.entry(step).or_default() += share;
            }
        }
        occupancy
    }

    /// Total variation distance in millionths, rounded.
    fn distance_micro(&self, other: &Self) -> u32 {
        let mut sum = 0_u128;
        for (step, share) in &self.0 {
            let there = other.0.get(step).copied().unwrap_or(0);
            sum += u128::from(share.abs_diff(there));
        }
        let only = other
            .0
            .iter()
            .filter(|(step, _)| !self.0.contains_key(step));
        sum += only.map(|(_, share)| u128::from(*share)).sum::<u128>();
        let whole = 2 * u128::from(PROBABILITY_ONE);
        let micro = (sum * u128::from(DISTANCE_MAX_MICRO) + whole / 2) / whole;
        u32::try_from(micro).expect("at most one")
    }
}

/// Ticks of a guard by arc while an intruder may be present, and their sum.
fn arc_ticks(
    problem: &Problem,
    guard: usize,
    route: &Route,
) -> (BTreeMap<(usize, usize), u64>, u64) {
    let instants = u64::from(problem.intruder().instants);
    let end = match problem.intruder().entry {
        Entry::Steady => None,
        Entry::Start => Some(instants),
        Entry::Mission(last) => Some(u64::from(last) + instants),
    };
    let first = route.cycle.first();
    let mut ticks = BTreeMap::new();
    // By stop and next stop: standing, then the edge.
    let mut walk = |stops: &[Stop], next: Option<&Stop>, limit: u64, gone: u64| {
        let (mut now, mut gone) = (0, gone);
        let nexts = stops.iter().skip(1).chain(next);
        for (stop, next) in stops.iter().zip(nexts) {
            let edge = problem.out_edge(stop.vertex, next.vertex);
            let travel = edge.map_or(0, |edge| u64::from(problem.ticks(guard, edge)));
            let travel = travel - std::mem::take(&mut gone);
            for (step, duration) in [
                ((stop.vertex, stop.vertex), u64::from(stop.stay)),
                ((stop.vertex, next.vertex), travel),
            ] {
                let duration = duration.min(limit - now);
                if duration > 0 {
                    *ticks.entry(step).or_default() += duration;
                }
                now += duration;
            }
        }
        now
    };
    let Some(end) = end else {
        let all = walk(&route.cycle, first, u64::MAX, 0);
        return (ticks, all.max(1));
    };
    let mut now = walk(&route.prefix, first, end, problem.ticks_gone(guard).into());
    while now < end {
        let duration = walk(&route.cycle, first, end - now, 0);
        if duration == 0 {
            break;
        }
        now += duration;
    }
    (ticks, end)
}
