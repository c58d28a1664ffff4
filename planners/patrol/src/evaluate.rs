//! What a plan is worth, exactly, from when each place is seen: no tick is looked at where nothing
//! begins or ends.

mod gaps;
mod report;
#[cfg(test)]
mod tests;
mod views;
mod walk;

use crate::plan::{Cost, Plan, Route, Terms};
use crate::problem::{CERTAIN, Entry, Motion, Problem};
use crate::scene::{STANDS, Scene, Spot};
use gaps::Gaps;
use views::Patrol;
use walk::Looks;

pub(crate) use walk::Memo;

pub use report::{Evaluation, Watched, Worst, evaluate, evaluate_until};

/// Steps of walkers that are enough to compare plans.
const ROUGH: u64 = 400_000;

/// The probability of escape and the cost of a plan. `None`: it breaks a rule about all guards
/// together, takes too much work to evaluate, or the search was stopped.
pub(crate) fn worth(scene: &Scene<'_>, plan: &Plan) -> Option<(u64, Cost)> {
    judge(scene, plan, |looks| walk::escape(scene, looks))
}

/// An approximation of [`worth`] for comparisons, not for claims: follows a sample of entries where
/// all would take long, and entries with the same observations only once.
pub(crate) fn about(scene: &Scene<'_>, plan: &Plan) -> Option<(u64, Cost)> {
    let each = u64::from(scene.problem.intruder().instants) * scene.problem.places() as u64;
    let lanes = (ROUGH / each / walk::LANES as u64).max(1);
    judge(scene, plan, |looks| {
        looks.thin(lanes as usize * walk::LANES);
        walk::escape_again(scene, looks)
    })
}

fn judge(
    scene: &Scene<'_>,
    plan: &Plan,
    follow: impl FnOnce(&mut Looks) -> Option<u64>,
) -> Option<(u64, Cost)> {
    let problem = scene.problem;
    let (intruder, objective) = (problem.intruder(), problem.objective());
    let patrol = Patrol::new(scene, plan)?;
    if scene.forbids(plan) {
        return None;
    }
    if !problem.spec().may_swap && swaps(scene, plan, &patrol) {
        return None;
    }
    let wanted = &problem.spec().gaps;
    let is_idle = objective.worst_idleness > 0 || objective.mean_idleness > 0;
    let is_still = (intruder.motion, intruder.entry) == (Motion::Still, Entry::Steady);
    // Otherwise nobody asks for how long anything is out of sight.
    let is_asked = is_idle || is_still || !wanted.is_empty();
    let steady = if is_asked {
        Some(Gaps::round(scene, &patrol)?)
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
        (Motion::Still, Entry::Mission(last), _) => gaps::once(scene, &patrol, last.into())?,
        (Motion::Still, ..) => gaps::once(scene, &patrol, 0)?,
        (_, entry, _) => follow(&mut Looks::new(scene, &patrol, (entry, intruder.instants))?)?,
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
    let worst = u128::from(terms.worst_idleness) * u128::from(CERTAIN);
    let idle = worst * u128::from(objective.worst_idleness)
        + terms.mean_idleness * u128::from(objective.mean_idleness);
    Cost(escape + idle)
}

/// Whether two guards pass each other on an edge.
fn swaps(scene: &Scene<'_>, plan: &Plan, patrol: &Patrol) -> bool {
    let ticks = patrol.begin + patrol.period;
    let tracks: Vec<Vec<Spot>> = plan
        .routes
        .iter()
        .enumerate()
        .map(|(guard, route)| scene.track((guard, route), ticks as usize + 1))
        .collect();
    let pairs =
        (0..tracks.len()).flat_map(|one| (one + 1..tracks.len()).map(move |two| [one, two]));
    pairs.into_iter().any(|pair| {
        (0..ticks as usize).any(|tick| {
            // Told to stop: nothing is found to be allowed any more.
            let stops = !scene.steps.go_on(1);
            stops
                || scene.pass(
                    pair.map(|g| tracks[g][tick]),
                    pair.map(|g| tracks[g][tick + 1]),
                )
        })
    })
}

impl Scene<'_> {
    /// Where a guard is at each tick of its route.
    pub(crate) fn track(&self, (guard, route): (usize, &Route), ticks: usize) -> Vec<Spot> {
        let mut spots = Vec::with_capacity(ticks);
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
            let stands = Spot {
                vertex: u32::try_from(stop.vertex).expect("vertices are limited"),
                way: STANDS,
                clock: 0,
            };
            spots.extend((0..=stop.stay).map(|_| stands));
            let ways = self.problem.ways(stop.vertex);
            if let Ok(way) = ways.binary_search_by_key(&next.vertex, |way| way.to) {
                let ticks = self.problem.ticks(guard, ways[way]);
                let way = u32::try_from(way).expect("ways are limited");
                spots.extend((1..ticks).map(|clock| Spot {
                    way,
                    clock,
                    ..stands
                }));
            } else {
                // Stands for ever: the next round begins where this one ends.
                spots.pop();
            }
            if spots.len() >= ticks {
                break;
            }
        }
        spots.truncate(ticks);
        spots
    }
}
