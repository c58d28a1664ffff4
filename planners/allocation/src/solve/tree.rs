//! Monte Carlo tree search over allocations: Kartal 2016, chapter 4. Agents are planned one after
//! the other (`domain`), branches are pruned by a lower bound (`bound`) and by dominance
//! (`transpositions`), rollouts are guided by pheromones (`guide`) and improved by ruin and
//! recreate (`polish`).

pub(crate) mod arcs;
pub(crate) mod bound;
pub(crate) mod domain;
pub(crate) mod guide;
pub(crate) mod pheromones;
pub(crate) mod polish;
pub(crate) mod reward;
pub(crate) mod state;
pub(crate) mod transpositions;

use super::anneal::Cooling;
use super::draft::Draft;
use super::model::Model;
use super::params::{Params, Strategy};
use super::{SearchContext, stopped};
use crate::plan::{Cost, Plan, Route, Stop};
use crate::verify;
use anytime::{Conclusion, Control};
use arcs::ArcSet;
use bound::LowerBound;
use domain::AllocationDomain;
use guide::RolloutGuide;
use mcts::{ParallelSettings, Search, Settings, forest, parallel};
use polish::{Mode, Polish};
use state::State;
use transpositions::TranspositionBound;

/// Most tasks of a problem for which a proof is realistic, committed ones not counted. There the
/// whole tree is searched: identical agents are distinguished by their first tasks, states are
/// remembered (a task is one bit), and few rollouts are improved.
pub(crate) const SMALL_MAX: usize = 24;

/// Whether a proof is realistic.
pub(crate) fn is_small(model: &Model<'_>) -> bool {
    model.free_count() <= SMALL_MAX
}

/// Start of the search.
pub(crate) struct Start<'a> {
    /// The best plan so far.
    pub(crate) best: &'a Draft,
    /// A lower bound of the cost.
    pub(crate) least: Cost,
}

/// Runs until `control` stops, or until the trees are exhausted.
pub(crate) fn grow(
    context: &SearchContext<'_>,
    start: &Start<'_>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let arcs = ArcSet::new(&context.model, || control.go_on());
    if !control.go_on() {
        return stopped(control);
    }
    let domain = AllocationDomain::new(context, arcs);
    let Some(bound) = LowerBound::new(&domain, start.least, || control.go_on()) else {
        return stopped(control);
    };
    if !control.go_on() {
        return stopped(control);
    }
    let is_uniform = params.strategy == Strategy::MctsUniform;
    let exploration = if is_uniform {
        std::f64::consts::SQRT_2
    } else {
        0.5
    };
    let width = params.trees();
    let base = Settings {
        exploration,
        depth_max: usize::MAX,
        ..Settings::default()
    };
    let mode = mode(context, params.strategy);
    let is_small = is_small(&context.model);
    let trees: Vec<_> = forest(control, &base, width)
        .into_iter()
        .map(|settings| {
            let polish = (!is_uniform).then(|| Polish::new(start.best, mode, control.fork()));
            let bound = TranspositionBound::new(&bound, is_small);
            Search::new(
                &domain,
                RolloutGuide::new(&domain, polish, control.fork()),
                bound,
                settings,
            )
        })
        .collect();
    let round_max = if is_uniform || is_small { 128 } else { 4 };
    let settings = ParallelSettings {
        found_by: "mcts",
        round_max,
    };
    parallel(control, trees, |state| export(context, state), settings)
}

fn mode(context: &SearchContext<'_>, strategy: Strategy) -> Mode {
    let tasks = context.model.free_count() as u64;
    let stride = if is_small(&context.model) { 64 } else { 1 };
    if strategy == Strategy::Auto {
        Mode {
            is_chain: true,
            steps: tasks.clamp(8, 1000),
            stride,
            cooling: Cooling::growing(tasks as usize),
        }
    } else {
        let steps = 20 * tasks.max(8);
        Mode {
            is_chain: false,
            steps,
            stride,
            cooling: Cooling::constant(0.05, steps),
        }
    }
}

/// The plan of a terminal state.
fn export(context: &SearchContext<'_>, state: &State) -> Plan {
    let model = &context.model;
    let mut plan = Plan { routes: Vec::new() };
    for route in state.done.chunk_by(|a, b| a.agent == b.agent) {
        let agent = route[0].agent as usize;
        let worker = &model.workers[agent];
        let (mut here, mut free_us) = (worker.start, worker.leaves_us);
        let stops = route.iter().map(|done| {
            let job = &model.jobs[done.task as usize];
            let travel_us = model.time_us(worker, here, job.location);
            let start_us = job.start_us(free_us + travel_us);
            (here, free_us) = (job.location, start_us + job.service_us);
            Stop {
                task: done.task as usize,
                start_us,
            }
        });
        plan.routes.push(Route::new(agent, stops.collect()));
    }
    plan.routes.sort_by_key(|route| route.agent);
    debug_assert_eq!(
        verify(model.problem, &plan),
        Ok(model.problem.cost(&state.terms)),
        "plans of the tree are valid and cost what they claim"
    );
    plan
}
