//! Monte Carlo tree search over allocations: Kartal 2016, chapter 4.

pub(crate) mod cut;
pub(crate) mod edges;
pub(crate) mod guide;
pub(crate) mod memory;
pub(crate) mod polish;
pub(crate) mod reward;
pub(crate) mod rules;
pub(crate) mod state;
pub(crate) mod trails;

use super::anneal::Cooling;
use super::draft::Draft;
use super::params::{BoundKind, Params, Rollout, Strategy};
use super::{Scene, stopped};
use crate::plan::{Cost, Plan, Route, Stop};
use crate::verify;
use anytime::{Conclusion, Control};
use cut::Cut;
use edges::Edges;
use guide::Hints;
use mcts::{ParallelSettings, Search, Settings, forest, parallel};
use memory::Remembering;
use polish::{Mode, Polish};
use rules::World;
use state::State;

/// Up to so many tasks there is hope for a proof. Everything is done to search all of the tree:
/// equal agents are told apart by their first tasks, states are remembered (a task is one bit), and
/// few rollouts are polished.
pub(crate) const SMALL_MAX: usize = 24;

/// What the trees start from.
pub(crate) struct Start<'a> {
    /// The best plan so far.
    pub(crate) best: &'a Draft,
    /// What every plan costs at least.
    pub(crate) least: Cost,
}

/// Grows trees until `control` says stop, or until nothing better is left.
pub(crate) fn grow(
    scene: &Scene<'_>,
    start: &Start<'_>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let edges = Edges::new(&scene.model, || control.go_on());
    if !control.go_on() {
        return stopped(control);
    }
    let world = World::new(scene, edges);
    let bound = params.bound.unwrap_or(BoundKind::Arrival);
    let cut = Cut::new(&world, bound, start.least, || control.go_on());
    if !control.go_on() {
        return stopped(control);
    }
    let uniform = params.strategy == Strategy::MctsUniform;
    let rollout = params.rollout.unwrap_or(if uniform {
        Rollout::Uniform
    } else {
        Rollout::Guided
    });
    let exploration = params.exploration.unwrap_or(match rollout {
        Rollout::Uniform => std::f64::consts::SQRT_2,
        Rollout::Guided => 0.5,
    });
    let width = params.trees();
    let base = Settings {
        exploration,
        depth_max: usize::MAX,
        ..Settings::default()
    };
    let mode = mode(scene, params.strategy);
    let trees: Vec<_> = forest(control, &base, width)
        .into_iter()
        .map(|settings| {
            let polish = match rollout {
                Rollout::Uniform => None,
                Rollout::Guided => Some(Polish::new(start.best, mode, control.fork())),
            };
            let bound = Remembering::new(&cut, scene.model.jobs.len());
            Search::new(
                &world,
                Hints::new(&world, (rollout, polish), control.fork()),
                bound,
                settings,
            )
        })
        .collect();
    let small = scene.model.jobs.len() <= SMALL_MAX;
    let round_max = if rollout == Rollout::Uniform || small {
        128
    } else {
        4
    };
    let settings = ParallelSettings {
        found_by: "mcts",
        round_max,
    };
    parallel(control, trees, |state| export(scene, state), settings)
}

fn mode(scene: &Scene<'_>, strategy: Strategy) -> Mode {
    let tasks = scene.model.jobs.len() as u64;
    let small = tasks <= SMALL_MAX as u64;
    let stride = if small { 64 } else { 1 };
    if strategy == Strategy::Auto {
        let cooling = Cooling {
            hot: 1.0,
            steps: 20 * tasks.max(25),
            growth: 2,
        };
        Mode {
            is_chain: true,
            steps: tasks.clamp(8, 1000),
            stride,
            cooling,
        }
    } else {
        let steps = 20 * tasks.max(8);
        let cooling = Cooling {
            hot: 0.05,
            steps,
            growth: 1,
        };
        Mode {
            is_chain: false,
            steps,
            stride,
            cooling,
        }
    }
}

/// The plan of a finished state.
fn export(scene: &Scene<'_>, state: &State) -> Plan {
    let model = &scene.model;
    let mut plan = Plan { routes: Vec::new() };
    for route in state.done.chunk_by(|a, b| a.agent == b.agent) {
        let agent = route[0].agent as usize;
        let worker = &model.workers[agent];
        let (mut here, mut free_us) = (worker.start, worker.leaves_us);
        let stops = route.iter().map(|done| {
            let job = &model.jobs[done.task as usize];
            let way_us = model.time_us(worker, here, job.location);
            let start_us = job.start_us(free_us + way_us);
            (here, free_us) = (job.location, start_us + job.service_us);
            Stop {
                task: done.task as usize,
                start_us,
            }
        });
        plan.routes.push(Route {
            agent,
            stops: stops.collect(),
            rests: Vec::new(),
        });
    }
    plan.routes.sort_by_key(|route| route.agent);
    debug_assert_eq!(
        verify(model.problem, &plan),
        Ok(model.problem.cost(&state.terms)),
        "plans of the tree keep all rules and cost what they claim"
    );
    plan
}
