//! How fronts are found.

pub(crate) mod far;
mod front;
mod labels;
pub(crate) mod matching;
mod once;
mod routes;
mod ties;
mod watch;

use crate::plan::{Cost, Front, Plan};
use crate::problem::{Effort, Event, Problem};
use anytime::{CancelToken, Conclusion, Control, Pulse, SolveError, Stop};
use routes::{Fetches, Routes};
use watch::Watch;

/// Most other assignments that may be asked for at a point.
pub const TIES_MAX: usize = 1_000;
/// Vertices of all ways of a plan, together: more are not told, and fronts stay open.
pub const STEPS_MAX: usize = 2_000_000;
/// Labels in the room of a node of a search tree.
const LABELS_PER_NODE: usize = 8;

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Params {
    /// How many other assignments to tell at each point, up to [`TIES_MAX`].
    pub ties_max: usize,
}

/// Finds all fronts, and offers them. One iteration is all of it.
///
/// # Errors
/// None.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    if !control.tick() {
        let stop = control.stop().unwrap_or(Stop::Exhausted);
        return Ok(Conclusion::Stopped(stop));
    }
    let labels_max = control.limits().nodes_max.saturating_mul(LABELS_PER_NODE);
    let mut watch = Watch::new(control.fork(), labels_max);
    let plan = match search(problem, params, &mut watch) {
        Ok(plan) => plan,
        Err(stop) => return Ok(Conclusion::Stopped(stop)),
    };
    let open = open(&plan);
    control.offer(&plan, Cost { open }, "labels and matchings");
    let none = plan
        .events
        .iter()
        .flatten()
        .all(|front| front.points.is_empty());
    Ok(match open {
        0 if none => Conclusion::Infeasible,
        0 => Conclusion::Optimal,
        _ => Conclusion::Stopped(Stop::Exhausted),
    })
}

/// All fronts, however long it takes.
#[must_use]
pub fn fronts(problem: &Problem, params: &Params) -> Plan {
    let endless = Pulse::new(None, CancelToken::new());
    // Nobody stops it: there is a plan.
    search(problem, params, &mut Watch::new(endless, usize::MAX)).unwrap_or_default()
}

/// Fronts that are not known.
fn open(plan: &Plan) -> u32 {
    let fronts = plan.events.iter().flatten();
    // Fits: there are few.
    fronts.filter(|front| !front.is_known).count() as u32
}

fn search(problem: &Problem, params: &Params, watch: &mut Watch) -> Result<Plan, Stop> {
    let spec = problem.spec();
    let easiest: Vec<_> = spec.events.iter().map(|it| walk(problem, it)).collect();
    let loosest = easiest.iter().flatten();
    let loosest = loosest.fold((0, 0), |most, it| (most.0.max(it.0), most.1.max(it.1)));
    let fetches = Fetches::new(problem, loosest, watch)?;
    let mut left = STEPS_MAX;
    let mut events = Vec::with_capacity(spec.events.len());
    for (event, walk) in spec.events.iter().zip(easiest) {
        let Some(walk) = walk else {
            let none = Front {
                is_known: true,
                ..Front::default()
            };
            events.push(vec![none; event.efforts.len()]);
            continue;
        };
        let routes = Routes::new((problem, &fetches), event.vertex, walk, watch)?;
        let context = (problem, event, &routes);
        events.push(front::fronts(context, params, &mut left, watch)?);
    }
    Ok(Plan { events })
}

/// The most time and damage that are left for ways to an event, whoever comes.
fn walk(problem: &Problem, event: &Event) -> Option<(u64, u64)> {
    let left = event.efforts.iter();
    let left = left.filter_map(|effort| most(problem, *effort));
    left.reduce(|most, it| (most.0.max(it.0), most.1.max(it.1)))
}

/// The most time and damage that are left for the way; none where the task itself is too much.
fn most(problem: &Problem, effort: Effort) -> Option<(u64, u64)> {
    let spec = problem.spec();
    let time = spec.time_max_us.checked_sub(effort.time_us)?;
    let damage = spec.damage_max.most()?.checked_sub(effort.damage_micro)?;
    Some((time, damage))
}
