//! Exact evaluation of plans for the search, event by event: a timeline of visits replaces the tick
//! by tick simulation of [`crate::verify`](mod@crate::verify).

mod dynamic;
mod idleness;
mod report;
#[cfg(test)]
mod tests;
mod timeline;

use crate::context::{Context, Position, STANDING};
use crate::plan::{Cost, Plan, Route, Terms};
use crate::problem::{Entry, Motion, PROBABILITY_ONE, Problem};
use dynamic::Observations;
use idleness::Idleness;
use timeline::Timeline;

pub(crate) use dynamic::Memo;

pub use report::{Evaluation, VertexCoverage, WorstEntry, evaluate, evaluate_until};

/// Steps of dynamic intruders that are enough to compare plans.
const SAMPLE_WORK: u64 = 400_000;

/// Probability of escape and cost of a plan, exactly. `None`: it breaks a rule about all guards
/// together, takes too much work to evaluate, or the search was stopped.
pub(crate) fn exact_cost(context: &Context<'_>, plan: &Plan) -> Option<(u64, Cost)> {
    assess(context, plan, |seen| dynamic::escape(context, seen))
}

/// Approximation of [`exact_cost`] for comparisons, not for claims: a sample of entries where all
/// would take long, and entries with the same observations only once.
pub(crate) fn approximate_cost(context: &Context<'_>, plan: &Plan) -> Option<(u64, Cost)> {
    let each = u64::from(context.problem.intruder().instants) * context.problem.places() as u64;
    let lanes = (SAMPLE_WORK / each / dynamic::LANES as u64).max(1);
    assess(context, plan, |seen| {
        seen.sample_entries(lanes as usize * dynamic::LANES);
        dynamic::memoised_escape(context, seen)
    })
}

/// Probability of escape and cost of a plan; `dynamic_escape` computes the former for a dynamic
/// intruder.
fn assess(
    context: &Context<'_>,
    plan: &Plan,
    dynamic_escape: impl FnOnce(&mut Observations) -> Option<u64>,
) -> Option<(u64, Cost)> {
    let problem = context.problem;
    let (intruder, objective) = (problem.intruder(), problem.objective());
    let timeline = Timeline::new(context, plan)?;
    if context.is_too_similar(plan) {
        return None;
    }
    if !problem.spec().may_swap && has_passing(context, plan, &timeline) {
        return None;
    }
    let gaps = &problem.spec().gaps;
    let is_stationary = intruder.motion == Motion::Still;
    // Otherwise times out of sight are not needed.
    let is_needed = objective.has_idleness()
        || (is_stationary && intruder.entry == Entry::Steady)
        || !gaps.is_empty();
    let idleness = if is_needed {
        Some(Idleness::new(context, &timeline)?)
    } else {
        None
    };
    let is_short = |idleness: &Idleness| {
        let mut gaps = gaps.iter();
        gaps.any(|gap| idleness.longest[gap.vertex] < i64::from(gap.ticks))
    };
    if idleness.as_ref().is_some_and(is_short) {
        return None;
    }
    let escape = match (is_stationary, intruder.entry, &idleness) {
        (true, Entry::Steady, Some(idleness)) => idleness.escape(problem, timeline.period),
        (true, Entry::Mission(last), _) => {
            idleness::stationary_escape(context, &timeline, last.into())?
        }
        (true, ..) => idleness::stationary_escape(context, &timeline, 0)?,
        (false, ..) => dynamic_escape(&mut Observations::new(context, &timeline)?)?,
    };
    let idleness = idleness.filter(|_| objective.has_idleness());
    let idleness = idleness.map(|idleness| idleness.worst_and_mean(problem, timeline.period));
    let (worst_idleness, mean_idleness) = idleness.unwrap_or_default();
    let terms = Terms {
        escape,
        worst_idleness,
        mean_idleness,
    };
    Some((escape, cost(problem, &terms)))
}

/// Cost of terms.
fn cost(problem: &Problem, terms: &Terms) -> Cost {
    let objective = problem.objective();
    let escape = u128::from(terms.escape) * u128::from(objective.escape);
    let worst = u128::from(terms.worst_idleness) * u128::from(PROBABILITY_ONE);
    let idle = worst * u128::from(objective.worst_idleness)
        + terms.mean_idleness * u128::from(objective.mean_idleness);
    Cost(escape + idle)
}

/// Whether two guards pass each other on an edge.
fn has_passing(context: &Context<'_>, plan: &Plan, timeline: &Timeline) -> bool {
    let ticks = timeline.begin + timeline.period;
    let tracks: Vec<Vec<Position>> = plan
        .routes
        .iter()
        .enumerate()
        .map(|(guard, route)| context.track(guard, route, ticks as usize + 1))
        .collect();
    let pairs =
        (0..tracks.len()).flat_map(|one| (one + 1..tracks.len()).map(move |two| [one, two]));
    pairs.into_iter().any(|pair| {
        (0..ticks as usize).any(|tick| {
            // Stopped: no further plan counts as allowed.
            let stops = !context.work.proceed(1);
            stops
                || context.pass_each_other(
                    pair.map(|g| tracks[g][tick]),
                    pair.map(|g| tracks[g][tick + 1]),
                )
        })
    })
}

impl Context<'_> {
    /// Positions of a guard on its route at the first `ticks` ticks, from tick 0 on.
    pub(crate) fn track(&self, guard: usize, route: &Route, ticks: usize) -> Vec<Position> {
        let gone = self.problem.ticks_gone(guard) as usize;
        let ticks = ticks + gone;
        let mut positions = Vec::with_capacity(ticks);
        let cycle = route.cycle.iter().cycle().skip(1);
        let next = route.prefix.iter().skip(1).chain(&route.cycle);
        let stops = route
            .prefix
            .iter()
            .chain(&route.cycle)
            .chain(route.cycle.iter().cycle());
        let next = if route.prefix.is_empty() {
            Box::new(cycle) as Box<dyn Iterator<Item = _>>
        } else {
            Box::new(next.chain(route.cycle.iter().cycle()))
        };
        for (stop, next) in stops.zip(next) {
            let stands = Position {
                vertex: u32::try_from(stop.vertex).expect("vertices are limited"),
                edge: STANDING,
                clock: 0,
            };
            positions.extend((0..=stop.stay).map(|_| stands));
            let edges = self.problem.out_edges(stop.vertex);
            if let Ok(edge) = edges.binary_search_by_key(&next.vertex, |edge| edge.to) {
                let ticks = self.problem.ticks(guard, edges[edge]);
                let edge = u32::try_from(edge).expect("edges are limited");
                positions.extend((1..ticks).map(|clock| Position {
                    edge,
                    clock,
                    ..stands
                }));
            } else {
                // The guard stands: the next cycle begins where this one ends.
                positions.pop();
            }
            if positions.len() >= ticks {
                break;
            }
        }
        positions.truncate(ticks);
        positions.drain(..gone);
        positions
    }
}
