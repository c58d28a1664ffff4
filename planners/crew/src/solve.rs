//! How fronts are found.

mod alternative_optima;
mod assignment;
mod bottleneck_front;
mod bounds;
mod elementary_paths;
mod front;
mod joint;
mod key;
mod labels;
pub(crate) mod matching;
#[cfg(feature = "milp")]
mod milp;
mod pareto_sum;
mod resources;
mod routes;
mod share;
pub(crate) mod shortest_paths;

use crate::plan::{Cost, Front, Joint, Plan};
use crate::problem::{Effort, Event, Problem, Spec};
use anytime::{Conclusion, Control, Pulse, SolveError, Stop, Ticker};
use bounds::Bounds;
use front::{Context, fronts_of_event};
use labels::Limits;
use resources::Resources;
use routes::{Fetches, Routes};

/// Most other assignments that may be asked for at a point.
pub const TIES_MAX: usize = 1_000;
/// Most vertices of all legs of a plan: beyond, fronts stay open.
pub const STEPS_MAX: usize = 2_000_000;
/// Labels in the room of a node of a search tree.
const LABELS_PER_NODE: usize = 8;
/// Labels between two looks at the stop signal: some 0.01 ms, and 1 ms where many labels meet at a
/// vertex.
const PERIOD: u64 = 128;

/// How fronts are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strategy {
    /// Labels and matchings: exact.
    #[default]
    Auto,
    /// The paper's program, equations 1 to 22, by HiGHS: exact within its tolerances, and far
    /// slower; the reference. For one event on a small ship whose times and damages have a coarse
    /// common step, without `once` and without other assignments.
    Milp,
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Params {
    /// The strategy.
    pub strategy: Strategy,
    /// Number of alternative optima to list at each point, up to [`TIES_MAX`].
    pub ties_max: usize,
}

/// Finds all fronts, and offers them; with several events those of each before that of all
/// together. One iteration is the whole search, or one solve of the program or one node of branch
/// and bound.
///
/// # Errors
/// [`SolveError::Unsupported`]: the strategy is not built in, or cannot say what is asked.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    if params.strategy == Strategy::Milp {
        return programmed(problem, params, control);
    }
    if !control.tick() {
        let stop = control.stop().unwrap_or(Stop::Exhausted);
        return Ok(Conclusion::Stopped(stop));
    }
    let labels_max = control.limits().nodes_max.saturating_mul(LABELS_PER_NODE);
    let ticker = Ticker::new(control.fork(), PERIOD).with_limit(labels_max as u64);
    let mut last = Cost { open: 0 };
    let mut offer = |plan: &Plan| {
        last = Cost { open: open(plan) };
        control.offer(plan, last, "labels and matchings");
    };
    let plan = match search(problem, params, &ticker, &mut offer) {
        Ok(plan) => plan,
        Err(stop) => return Ok(Conclusion::Stopped(stop)),
    };
    let mut fronts = plan.events.iter().flatten();
    Ok(match last.open {
        0 if fronts.all(|front| front.points.is_empty()) => Conclusion::Infeasible,
        0 => Conclusion::Optimal,
        _ => Conclusion::Stopped(Stop::Exhausted),
    })
}

/// The paper's program, where the solver for it is built in.
#[cfg(not(feature = "milp"))]
fn programmed(
    _: &Problem,
    _: &Params,
    _: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    Err(SolveError::Unsupported {
        strategy: "milp",
        feature: "any ship: it is not part of this build".into(),
    })
}

#[cfg(feature = "milp")]
use self::milp::run as programmed;

/// All fronts, however long it takes, by labels and matchings whatever the strategy.
#[must_use]
pub fn fronts(problem: &Problem, params: &Params) -> Plan {
    // Nobody stops it: there is a plan.
    let ticker = Ticker::new(Pulse::unbounded(), PERIOD);
    search(problem, params, &ticker, &mut |_| {}).unwrap_or_default()
}

/// Labels of one look at fronts that nobody asked for.
const LABELS_MAX: u64 = 4_000_000;

/// The fronts of the only event of a problem that is part of a checked one, while they are wanted;
/// all of them known.
///
/// # Errors
/// When stopped, or there is too much to look at.
pub(crate) fn fronts_until(spec: Spec, wanted: &Pulse) -> Result<Vec<Front>, Stop> {
    // The rest of a valid problem is valid, except for times that were longer than any.
    let problem = Problem::new(spec).map_err(|_| Stop::Exhausted)?;
    let ticker = Ticker::new(wanted.clone(), PERIOD).with_limit(LABELS_MAX);
    let plan = search(&problem, &Params::default(), &ticker, &mut |_| {})?;
    match open(&plan) {
        0 => Ok(plan.events.into_iter().next().unwrap_or_default()),
        _ => Err(Stop::Exhausted),
    }
}

/// Fronts that are not known.
fn open(plan: &Plan) -> u32 {
    let fronts = plan.events.iter().flatten();
    let joint = plan.joint.iter().filter(|joint| !joint.is_known);
    // Fits: there are few.
    (fronts.filter(|front| !front.is_known).count() + joint.count()) as u32
}

/// Finds all fronts; with several events those of each are offered before.
fn search(
    problem: &Problem,
    params: &Params,
    ticker: &Ticker,
    offer: &mut dyn FnMut(&Plan),
) -> Result<Plan, Stop> {
    let spec = problem.spec();
    let easiest: Vec<_> = spec.events.iter().map(|it| walk(problem, it)).collect();
    let loosest = easiest.iter().flatten();
    let loosest = loosest.fold(Resources::default(), |max, it| max.max(*it));
    let bounds = match (&*spec.events, easiest.first()) {
        ([event], Some(Some(walk))) => Bounds::new(problem, event, *walk, ticker)?,
        _ => None,
    };
    let bounds = bounds.as_ref();
    let limits = Limits {
        most: bounds.map_or(loosest, |it| it.limits),
        ahead: bounds.map(|it| &*it.fetch),
    };
    let fetches = Fetches::new(problem, &limits, ticker)?;
    let mut left = STEPS_MAX;
    let mut plan = Plan::default();
    let mut routes_to_events = Vec::with_capacity(spec.events.len());
    for (event, walk) in spec.events.iter().zip(easiest) {
        let Some(walk) = walk else {
            let none = Front {
                is_known: true,
                ..Front::default()
            };
            plan.events.push(vec![none; event.efforts.len()]);
            routes_to_events.push(None);
            continue;
        };
        let limits = Limits {
            most: bounds.map_or(walk, |it| it.limits),
            ahead: bounds.map(|it| &*it.carry),
        };
        let routes = Routes::new(problem, &fetches, event.vertex, &limits, ticker)?;
        let context = Context {
            problem,
            event,
            routes: &routes,
        };
        let fronts = fronts_of_event(context, params, &mut left, ticker)?;
        plan.events.push(fronts);
        routes_to_events.push(Some(routes));
    }
    if spec.events.len() > 1 {
        plan.joint = Some(Joint::default());
        offer(&plan);
        plan.joint = Some(joint::joint(problem, &routes_to_events, &mut left, ticker)?);
    }
    offer(&plan);
    Ok(plan)
}

/// The most time and damage that are left for legs to an event, for any number of players.
fn walk(problem: &Problem, event: &Event) -> Option<Resources> {
    let left = event.efforts.iter();
    let left = left.filter_map(|effort| walk_limits(problem, *effort));
    left.reduce(Resources::max)
}

/// The most time and damage that are left for the routes; none where the task itself is too much.
fn walk_limits(problem: &Problem, effort: Effort) -> Option<Resources> {
    let spec = problem.spec();
    let time = spec.time_max_us.checked_sub(effort.time_us)?;
    let damage = spec
        .damage_max
        .max_allowed()?
        .checked_sub(effort.damage_micro)?;
    Some(Resources::new(time, damage))
}
