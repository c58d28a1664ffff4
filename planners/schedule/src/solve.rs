//! The search: first a plan by priority rules, then better ones, then a proof.

pub(crate) mod instance;

use crate::plan::{Cost, Plan};
use crate::problem::Problem;
use anytime::{Conclusion, Control, SolveError, Stop};
use cp::rcpsp::{self, Checkpoint, Listener, Outcome, Population, Project, Schedule};

/// Projects of at least this many activities evolve before the first round of clause learning,
/// which takes long for them.
const LARGE: usize = 100;
/// Children of the genetic algorithm in its first turn, and at least in each.
const CHILDREN: u64 = 500;
/// Most conflicts per child of the genetic algorithm. It begins with one, which each turn without a
/// better schedule doubles.
const SPARING_MAX: u64 = 8;
/// The stream of random numbers of the genetic algorithm.
const STREAM: u64 = 0;

/// How to search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Params {
    /// A plan to begin with. One that breaks a rule is a hint of what to try; one with an activity
    /// or a mode that does not exist is ignored.
    pub previous_plan: Option<Plan>,
}

/// Offers better and better plans. One iteration is one conflict of clause learning, or one child
/// of the genetic algorithm.
///
/// # Errors
/// None.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let project = instance::project(problem);
    let warm = params.previous_plan.as_ref();
    let warm = warm.and_then(|plan| instance::schedule(problem, plan));
    let mut stage = Stage {
        problem,
        population: Population::new(&project, control.seed(STREAM)),
        conflicts: 0,
        sparing: 1,
        control,
    };
    let warm = stage.first(&project, warm);
    let (outcome, _) = rcpsp::solve(&project, warm.as_ref(), &mut stage);
    Ok(match outcome {
        Outcome::Optimal(best) => {
            let makespan_us = best.makespan;
            stage.control.prove(Cost { makespan_us }, METHOD);
            Conclusion::Optimal
        }
        Outcome::Infeasible => Conclusion::Infeasible,
        Outcome::Feasible(..) | Outcome::Unknown(_) => {
            Conclusion::Stopped(stage.control.stop().unwrap_or(Stop::Exhausted))
        }
    })
}

/// What proves bounds, for people.
const METHOD: &str = "clause learning";

/// Where schedules become plans.
struct Stage<'s, 'k> {
    problem: &'s Problem,
    population: Option<Population<'s>>,
    /// Conflicts since the last turn of the genetic algorithm.
    conflicts: u64,
    /// The next turn has one child for this number of conflicts.
    sparing: u64,
    control: &'s mut Control<'k, Plan, Cost>,
}

impl Stage<'_, '_> {
    /// Offers a legal previous plan; then, for large projects, the first turn of the genetic
    /// algorithm: its plans are offered as they come. Returns the best plan, or else the hint.
    fn first(&mut self, project: &Project, warm: Option<Schedule>) -> Option<Schedule> {
        let legal = |it: &Schedule| crate::verify(self.problem, &instance::plan(it)).is_ok();
        let mut best = warm.clone().filter(legal);
        if let Some(best) = &best {
            self.offer(best, "previous plan");
            if let Some(population) = &mut self.population {
                population.insert(best);
            }
        }
        if project.activities.len() < LARGE {
            return best.or(warm);
        }
        for _ in 0..CHILDREN {
            let Some(population) = &mut self.population else {
                break;
            };
            let below = best.as_ref().map_or(i64::MAX, |best| best.makespan);
            let mut go_on = |checkpoint| may_go_on(self.control, checkpoint);
            if let Some(better) = population.evolve(1, below, &mut go_on) {
                self.offer(&better, "genetic algorithm");
                best = Some(better);
            }
            if self.control.stop().is_some() {
                break;
            }
        }
        best.or(warm)
    }

    fn offer(&mut self, schedule: &Schedule, found_by: &str) {
        let plan = instance::plan(schedule);
        let makespan_us = schedule.makespan;
        debug_assert_eq!(crate::verify(self.problem, &plan), Ok(Cost { makespan_us }));
        self.control.offer(&plan, Cost { makespan_us }, found_by);
    }
}

/// Whether a search may go on; a conflict or a child is one iteration.
fn may_go_on(control: &mut Control<'_, Plan, Cost>, checkpoint: Checkpoint) -> bool {
    match checkpoint {
        Checkpoint::Work => control.go_on(),
        Checkpoint::Conflict => control.tick(),
    }
}

impl Listener for Stage<'_, '_> {
    fn go_on(&mut self, checkpoint: Checkpoint) -> bool {
        self.conflicts += u64::from(checkpoint == Checkpoint::Conflict);
        may_go_on(self.control, checkpoint)
    }

    fn improved(&mut self, schedule: &Schedule) {
        self.offer(schedule, METHOD);
    }

    fn suggest(&mut self, best: Option<&Schedule>) -> Option<Schedule> {
        let population = self.population.as_mut()?;
        if let Some(best) = best {
            population.insert(best);
        }
        let below = best.map_or(i64::MAX, |best| best.makespan);
        let children = (std::mem::take(&mut self.conflicts) / self.sparing).max(CHILDREN);
        let mut go_on = |checkpoint| may_go_on(self.control, checkpoint);
        let better = population.evolve(children, below, &mut go_on);
        self.sparing = match better {
            Some(_) => 1,
            None => (self.sparing * 2).min(SPARING_MAX),
        };
        better
    }

    fn proved(&mut self, bound: i64) {
        let makespan_us = bound;
        self.control.prove(Cost { makespan_us }, METHOD);
    }
}
