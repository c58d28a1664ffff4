//! The paper's program, solved by HiGHS: the reference for the decomposition.
//!
//! For each number of players (n_k is fixed) points come by the method of the epsilon constraint:
//! the least worst time with the damage that is still allowed, then the least worst damage with
//! that time, then on with one unit of damage less. The legs of every solution are checked in whole
//! numbers, so that no point depends on floating-point numbers. Completeness does, within the
//! tolerances of the solver.
//!
//! Source: Liberatore 2014, equations 1 to 22.

mod program;
mod read;
mod scale;

use super::front::flag;
use super::{Params, open, walk_limits};
use crate::plan::{Cost, Front, Plan};
use crate::problem::Problem;
use crate::verify::verify;
use anytime::{Conclusion, Control, SolveError, Stop};
use milp::{Solution, Verdict};
use program::{Goal, Program, Worst};
use read::point;
use scale::{Scale, Scales, too_fine};

/// Most variables of a program: beyond, HiGHS has not found anything within minutes.
const VARIABLES_MAX: usize = 20_000;

/// Finds all fronts, and offers them one by one. Each solve and each node of branch and bound is an
/// iteration.
///
/// # Errors
/// [`SolveError::Unsupported`]: what the program cannot say.
pub(super) fn run(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let scales = check(problem, params).map_err(|feature| {
        let strategy = "milp";
        SolveError::Unsupported { strategy, feature }
    })?;
    let mut search = Search {
        problem,
        program: Program::new(problem, scales),
        scales,
        control,
    };
    let sizes = problem.spec().events[0].efforts.len();
    let mut plan = Plan {
        events: vec![vec![Front::default(); sizes]],
        joint: None,
    };
    for size in 1..=plan.events[0].len() {
        let Some(front) = search.front(size) else {
            break;
        };
        let before = plan.clone();
        plan.events[0][size - 1] = front;
        flag(&mut plan.events[0]);
        // Points are real; that one dominates another would be the solver's error.
        match verify(problem, &plan) {
            Ok(cost) => search.control.offer(&plan, cost, "milp"),
            Err(_) => {
                plan = before;
                continue;
            }
        };
    }
    if let Some(stop) = control.stop() {
        return Ok(Conclusion::Stopped(stop));
    }
    let mut fronts = plan.events[0].iter();
    Ok(match open(&plan) {
        0 if fronts.all(|front| front.points.is_empty()) => Conclusion::Infeasible,
        0 => Conclusion::Optimal,
        _ => Conclusion::Stopped(Stop::Exhausted),
    })
}

/// Units of time and damage.
///
/// # Errors
/// What the program cannot say.
fn check(problem: &Problem, params: &Params) -> Result<Scales, String> {
    let spec = problem.spec();
    let [event] = &*spec.events else {
        return Err("several events".into());
    };
    if spec.once {
        return Err("routes that come to no vertex twice".into());
    }
    if params.ties_max > 0 {
        return Err("other assignments of the same point".into());
    }
    let variables = program::size(spec);
    if variables > VARIABLES_MAX {
        return Err(format!(
            "a ship of this size: its program would have {variables} variables, at most {VARIABLES_MAX} are solved"
        ));
    }
    let efforts = event.efforts.iter();
    let efforts: (Vec<u64>, Vec<u64>) = efforts.map(|it| (it.time_us, it.damage_micro)).unzip();
    let times: Vec<u64> = spec.arcs.iter().map(|arc| arc.time_us).collect();
    let damages = spec.arcs.iter();
    let damages = damages.flat_map(|arc| [arc.fetch_micro, arc.carry_micro]);
    let damages: Vec<u64> = damages.collect();
    let steps = 2 * (spec.vertices - 1);
    let time = Scale::new(&times, &efforts.0, steps, spec.time_max_us);
    // Where none is allowed nothing is asked of the program.
    let most = spec.damage_max.max_allowed().unwrap_or(0);
    let damage = Scale::new(&damages, &efforts.1, steps, most);
    Ok(Scales {
        time: time.map_err(|units| too_fine("times", units))?,
        damage: damage.map_err(|units| too_fine("damages", units))?,
    })
}

/// What came of a solve.
enum Found {
    Best(Solution),
    /// There is nothing, as the solver says.
    Nothing,
    /// The solver gave up.
    Unknown,
}

struct Search<'s, 'c> {
    problem: &'s Problem,
    program: Program,
    scales: Scales,
    control: &'s mut Control<'c, Plan, Cost>,
}

impl Search<'_, '_> {
    /// The front of this number of players; `None`: stopped.
    fn front(&mut self, size: usize) -> Option<Front> {
        let mut front = Front::default();
        let effort = self.problem.spec().events[0].efforts[size - 1];
        if walk_limits(self.problem, effort).is_none() {
            front.is_known = true;
            return Some(front);
        }
        let mut left = Some(self.scales.damage.limit);
        while let Some(damage) = left {
            let limits = Worst {
                time: self.scales.time.limit,
                damage,
            };
            let fastest = match self.solve(size, Goal::Time, limits, None)? {
                Found::Best(fastest) => fastest,
                Found::Nothing => break,
                Found::Unknown => return Some(front),
            };
            let Some(Worst { time, .. }) = self.program.worst(&fastest) else {
                return Some(front);
            };
            let limits = Worst { time, damage };
            let found = self.solve(size, Goal::Damage, limits, Some(fastest.values))?;
            let Found::Best(best) = found else {
                return Some(front);
            };
            let context = (self.problem, &self.program, self.scales);
            let Some((point, damage)) = point(context, size, &best) else {
                return Some(front);
            };
            front.points.push(point);
            left = damage.checked_sub(1);
        }
        front.is_known = true;
        Some(front)
    }

    /// Solves the program; `None`: stopped.
    fn solve(
        &mut self,
        size: usize,
        goal: Goal,
        limits: Worst,
        start: Option<Vec<f64>>,
    ) -> Option<Found> {
        if !self.control.tick() {
            return None;
        }
        let remaining = self.control.remaining();
        let params = milp::Params {
            seed: self.control.seed(0),
            nodes_max: (remaining < u64::MAX).then_some(remaining),
            // What is minimised is whole.
            gap: 0.5,
            start,
            ..milp::Params::default()
        };
        let model = self.program.asked(size, goal, limits);
        let pulse = self.control.fork();
        let Ok(outcome) = milp::solve(&model, &params, &pulse, &mut ()) else {
            return Some(Found::Unknown);
        };
        self.control.count(outcome.effort.nodes.min(remaining));
        match (outcome.verdict, outcome.solution) {
            (Verdict::Optimal, Some(best)) => Some(Found::Best(best)),
            // All variables have bounds, so that no program is unbounded.
            (Verdict::Infeasible | Verdict::InfeasibleOrUnbounded, _) => Some(Found::Nothing),
            (Verdict::Stopped(stop), _) => {
                if stop == Stop::Iterations {
                    // The limit is used up: so the conclusion names it.
                    while self.control.tick() {}
                }
                self.control.go_on();
                None
            }
            _ => Some(Found::Unknown),
        }
    }
}
