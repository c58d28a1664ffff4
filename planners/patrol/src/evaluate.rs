//! What a plan is worth, exactly, from when each place is seen: no tick is looked at where nothing
//! begins or ends.

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
use idleness::Gaps;
use timeline::Patrol;

pub(crate) use dynamic::Memo;

pub use report::{Evaluation, VertexCoverage, Worst, evaluate, evaluate_until};

/// Steps of walkers that are enough to compare plans.
const ROUGH: u64 = 400_000;

/// The probability of escape and the cost of a plan. `None`: it breaks a rule about all guards
/// together, takes too much work to evaluate, or the search was stopped.
pub(crate) fn worth(context: &Context<'_>, plan: &Plan) -> Option<(u64, Cost)> {
    judge(context, plan, |looks| dynamic::escape(context, looks))
}

/// An approximation of [`worth`] for comparisons, not for claims: follows a sample of entries where
/// all would take long, and entries with the same observations only once.
pub(crate) fn about(context: &Context<'_>, plan: &Plan) -> Option<(u64, Cost)> {
    let each = u64::from(context.problem.intruder().instants) * context.problem.places() as u64;
    let lanes = (ROUGH / each / dynamic::LANES as u64).max(1);
    judge(context, plan, |looks| {
        looks.thin(lanes as usize * dynamic::LANES);
        dynamic::escape_again(context, looks)
    })
}

fn judge(
    context: &Context<'_>,
    plan: &Plan,
    follow: impl FnOnce(&mut Observations) -> Option<u64>,
) -> Option<(u64, Cost)> {
    let problem = context.problem;
    let (intruder, objective) = (problem.intruder(), problem.objective());
    let patrol = Patrol::new(context, plan)?;
    if context.is_too_similar(plan) {
        return None;
    }
    if !problem.spec().may_swap && swaps(context, plan, &patrol) {
        return None;
    }
    let wanted = &problem.spec().gaps;
    let is_idle = objective.worst_idleness > 0 || objective.mean_idleness > 0;
    let is_still = (intruder.motion, intruder.entry) == (Motion::Still, Entry::Steady);
    // Otherwise nobody asks for how long anything is out of sight.
    let is_asked = is_idle || is_still || !wanted.is_empty();
    let steady = if is_asked {
        Some(Gaps::round(context, &patrol)?)
    } else {
        None
    };
    if let Some(steady) = &steady
        && wanted
            .iter()
            .any(|gap| steady.longest[gap.vertex] < i64::from(gap.ticks))
    {
        return None;
    }
    let escape = match (intruder.motion, intruder.entry, &steady) {
        (Motion::Still, Entry::Steady, Some(steady)) => steady.missed(problem, patrol.period),
        (Motion::Still, Entry::Mission(last), _) => idleness::once(context, &patrol, last.into())?,
        (Motion::Still, ..) => idleness::once(context, &patrol, 0)?,
        (_, entry, _) => follow(&mut Observations::new(
            context,
            &patrol,
            (entry, intruder.instants),
        )?)?,
    };
    let idleness = steady.filter(|_| is_idle);
    let idleness = idleness.map(|steady| steady.idleness(problem, patrol.period));
    let (worst_idleness, mean_idleness) = idleness.unwrap_or_default();
    let terms = Terms {
        escape,
        worst_idleness,
        mean_idleness,
    };
    Some((escape, cost(problem, &terms)))
}

/// The cost of terms.
fn cost(problem: &Problem, terms: &Terms) -> Cost {
    let objective = problem.objective();
    let escape = u128::from(terms.escape) * u128::from(objective.escape);
    let worst = u128::from(terms.worst_idleness) * u128::from(PROBABILITY_ONE);
    let idle = worst * u128::from(objective.worst_idleness)
        + terms.mean_idleness * u128::from(objective.mean_idleness);
    Cost(escape + idle)
}

/// Whether two guards pass each other on an edge.
fn swaps(context: &Context<'_>, plan: &Plan, patrol: &Patrol) -> bool {
    let ticks = patrol.begin + patrol.period;
    let tracks: Vec<Vec<Position>> = plan
        .routes
        .iter()
        .enumerate()
        .map(|(guard, route)| context.track((guard, route), ticks as usize + 1))
        .collect();
    let pairs =
        (0..tracks.len()).flat_map(|one| (one + 1..tracks.len()).map(move |two| [one, two]));
    pairs.into_iter().any(|pair| {
        (0..ticks as usize).any(|tick| {
            // Told to stop: nothing is found to be allowed any more.
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
    /// Where a guard is at each tick of its route.
    pub(crate) fn track(&self, (guard, route): (usize, &Route), ticks: usize) -> Vec<Position> {
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
                // Stands for ever: the next round begins where this one ends.
                positions.pop();
            }
            if positions.len() >= ticks {
                break;
            }
        }
        positions.truncate(ticks);
        positions
    }
}
