//! From a model to an outcome.

use crate::ffi::{Events, Progress, Solver};
use crate::verify::rounded;
use crate::{
    Duals, Effort, Failure, Improvement, Listener, Mistake, Model, Outcome, Params, Solution,
    Verdict, Violation, status,
};
use anytime::{Pulse, Stop};
use std::ops::ControlFlow;

/// Heuristics that solve a smaller program inside, which does not ask whether to stop: with them, a
/// cancellation is heard after up to a second.
const HEURISTICS_OFF: [&str; 3] = [
    "mip_heuristic_run_rins",
    "mip_heuristic_run_rens",
    "mip_heuristic_run_root_reduced_cost",
];

/// Solves `model` on this thread until it is done, a limit of `params` is reached, `pulse` stops or
/// `listener` has had enough.
///
/// Infeasible, unbounded, out of time and failed are outcomes, not errors. Where HiGHS fails to
/// solve a program with integers, it solves it again without presolve.
///
/// # Errors
/// All mistakes in the model and the parameters, at most some 100.
///
/// # Panics
/// Only with a panic of `listener`.
pub fn solve(
    model: &Model,
    params: &Params,
    pulse: &Pulse,
    listener: &mut dyn Listener,
) -> Result<Outcome, Vec<Mistake>> {
    let mut mistakes = model.mistakes();
    mistakes.extend(params.mistakes(model));
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut run = Run {
        model,
        params,
        pulse,
        listener,
        best: None,
        bound: None,
        announced: None,
        duals: None,
        effort: Effort::default(),
        earlier: Effort::default(),
        asked: None,
    };
    let mut verdict = run.solve("choose").unwrap_or_else(Verdict::Failed);
    // HiGHS 1.15 fails in few programs that it presolves: with an error, or with a solution that it
    // calls optimal though its own bound is better.
    let may_help = match verdict {
        Verdict::Failed(Failure::Unproved { .. }) => true,
        Verdict::Failed(Failure::Solver(why)) => why != status::LACK_OF_MEMORY,
        _ => false,
    };
    if may_help && model.has_integers() && run.asked.is_none() {
        (run.bound, run.earlier) = (None, run.effort);
        verdict = run.solve("off").unwrap_or_else(Verdict::Failed);
    }
    let duals = run.duals.filter(|_| verdict == Verdict::Optimal);
    Ok(Outcome {
        verdict,
        solution: run.best,
        bound: run.bound,
        duals,
        effort: run.effort,
    })
}

/// A solve under way.
struct Run<'r> {
    model: &'r Model,
    params: &'r Params,
    pulse: &'r Pulse,
    listener: &'r mut dyn Listener,
    best: Option<Solution>,
    bound: Option<f64>,
    /// The best bound that the listener has heard.
    announced: Option<f64>,
    duals: Option<Duals>,
    effort: Effort,
    /// Of a run that failed.
    earlier: Effort,
    /// Why HiGHS was asked to stop.
    asked: Option<Stop>,
}

impl Run<'_> {
    fn solve(&mut self, presolve: &str) -> Result<Verdict, Failure> {
        if let Some(stop) = self.pulse.stop() {
            return Ok(Verdict::Stopped(stop));
        }
        if let Some(verdict) = self.without_solver() {
            return Ok(verdict);
        }
        let mut solver = Solver::load(self.model, None)?;
        self.configure(&mut solver)?;
        solver.set("presolve", presolve)?;
        if let Some(start) = &self.params.start {
            solver.begin_with(start)?;
        }
        let status = solver.run(self)?;
        self.note(solver.progress());
        let verdict = status::verdict(status, self.asked);
        if verdict == Verdict::Optimal && !self.model.has_integers() {
            // A linear program's optimum is its own bound.
            self.improve_bound(solver.objective() + self.model.constant());
            self.duals = solver.duals().map(|rows| priced(self.model, rows));
        }
        let values = solver.values();
        // Before another solver is made: its memory is not needed any more.
        drop(solver);
        let broken = match values {
            None => None,
            Some(values) => match self.consider(&values) {
                Ok(()) => None,
                Err(_) => self.repair(&values)?,
            },
        };
        Ok(self.judge(verdict, broken))
    }

    /// What needs no solver, and what HiGHS would not say.
    fn without_solver(&mut self) -> Option<Verdict> {
        let crossed = |lower: f64, upper: f64| lower > upper;
        let columns = self.model.columns().iter();
        let rows = self.model.all_rows().iter();
        let rows = rows.map(|row| (row.lower, row.upper));
        let bounds = columns.map(|column| (column.lower, column.upper));
        if bounds
            .chain(rows)
            .any(|(lower, upper)| crossed(lower, upper))
        {
            return Some(Verdict::Infeasible);
        }
        if self.model.variables() > 0 {
            return None;
        }
        Some(match self.consider(&[]) {
            Ok(()) => {
                self.improve_bound(self.model.constant());
                self.duals = Some(priced(self.model, vec![0.0; self.model.rows()]));
                Verdict::Optimal
            }
            Err(_) => Verdict::Infeasible,
        })
    }

    fn configure(&self, solver: &mut Solver) -> Result<(), Failure> {
        let params = self.params;
        // The default is a share of the machine's cores for each solve.
        solver.set("threads", 1)?;
        solver.set("parallel", "off")?;
        solver.set("random_seed", folded(params.seed))?;
        // Sub-solves that do not ask us do look at this.
        if let Some(left) = self.pulse.left() {
            solver.set("time_limit", left.as_secs_f64())?;
        }
        // Room for what rounding adds.
        let tolerance = params.tolerance / 10.0;
        solver.set("primal_feasibility_tolerance", tolerance)?;
        solver.set("mip_feasibility_tolerance", tolerance)?;
        solver.set("mip_abs_gap", params.gap)?;
        // Its own default, 1e-4, is too much for a proof.
        solver.set("mip_rel_gap", 0.0)?;
        for heuristic in HEURISTICS_OFF {
            solver.set(heuristic, false)?;
        }
        if !self.model.has_integers() {
            solver.set("solver", "simplex")?;
            if let Some(pivots_max) = params.pivots_max {
                solver.set("simplex_iteration_limit", saturated(pivots_max))?;
            }
        } else if let Some(nodes_max) = params.nodes_max {
            let left = nodes_max.saturating_sub(self.earlier.nodes);
            solver.set("mip_max_nodes", saturated(left))?;
        }
        Ok(())
    }

    /// Takes what HiGHS claims to be a solution, if it holds and is better.
    fn consider(&mut self, values: &[f64]) -> Result<(), Violation> {
        let held = rounded(self.model, values, self.params.tolerance);
        let (objective, values) = held.inspect_err(|_| self.effort.rejected += 1)?;
        let sense = self.model.sense();
        let best = self.best.as_ref();
        if best.is_none_or(|best| sense.prefers(objective, best.objective)) {
            let solution = self.best.insert(Solution { objective, values });
            let heard = self.listener.improved(Improvement {
                solution,
                bound: self.bound,
                effort: self.effort,
            });
            if heard == ControlFlow::Break(()) {
                self.asked = self.asked.or(Some(Stop::Target));
            }
        }
        Ok(())
    }

    /// The integers of `values` rounded, the other variables solved again around them; returns what
    /// is still broken.
    fn repair(&mut self, values: &[f64]) -> Result<Option<Violation>, Failure> {
        let broken = rounded(self.model, values, self.params.tolerance).err();
        let columns = self.model.columns().iter();
        let is_mixed = self.model.has_integers() && columns.clone().any(|c| !c.integer);
        if !is_mixed || !self.pulse.beats() {
            return Ok(broken);
        }
        let whole = values.iter().map(|value| value.round()).collect::<Vec<_>>();
        let mut solver = Solver::load(self.model, Some(&whole))?;
        self.configure(&mut solver)?;
        let pivots = self.effort.pivots;
        let status = solver.run(self)?;
        self.effort.pivots = pivots.saturating_add(solver.progress().pivots);
        let solved = status::verdict(status, self.asked) == Verdict::Optimal;
        Ok(match solver.values().filter(|_| solved) {
            None => broken,
            Some(values) => self.consider(&values).err(),
        })
    }

    /// What may be said of the solver's verdict, when its last solution is `broken`.
    fn judge(&self, verdict: Verdict, broken: Option<Violation>) -> Verdict {
        match (verdict, &self.best) {
            (Verdict::Optimal, None) => Verdict::Failed(broken.map_or(
                Failure::Solver("an optimum without a solution"),
                Failure::Unverified,
            )),
            (Verdict::Optimal, Some(best)) => match self.bound {
                Some(bound) if self.params.is_proved(best.objective, bound) => Verdict::Optimal,
                bound => Verdict::Failed(Failure::Unproved {
                    objective: best.objective,
                    bound: bound.unwrap_or(f64::NAN),
                }),
            },
            (Verdict::Infeasible, Some(_)) => {
                Verdict::Failed(Failure::Solver("infeasible, though it has a solution"))
            }
            (verdict, _) => verdict,
        }
    }

    fn note(&mut self, progress: Progress) {
        // Events of linear programs inside know of neither.
        let nodes = self.earlier.nodes.saturating_add(progress.nodes);
        let pivots = self.earlier.pivots.saturating_add(progress.pivots);
        self.effort.nodes = self.effort.nodes.max(nodes);
        self.effort.pivots = self.effort.pivots.max(pivots);
        if let Some(bound) = progress.bound {
            self.improve_bound(bound + self.model.constant());
        }
    }

    fn improve_bound(&mut self, bound: f64) {
        let sense = self.model.sense();
        // A bound is better where an objective would be worse.
        if self.bound.is_none_or(|old| sense.prefers(old, bound)) {
            self.bound = Some(bound);
            if self.announced.is_none_or(|old| sense.prefers(old, bound)) {
                self.announced = Some(bound);
                self.listener.bound(bound);
            }
        }
    }
}

impl Events for Run<'_> {
    fn found(&mut self, values: &[f64], progress: Progress) {
        self.note(progress);
        // What does not hold is counted, and looked at again when it is the last.
        let _ = self.consider(values);
    }

    fn stop(&mut self, progress: Progress) -> bool {
        self.note(progress);
        self.asked = self.asked.or_else(|| self.pulse.stop());
        self.asked.is_some()
    }
}

/// Reduced costs by their definition, not by the solver's.
fn priced(model: &Model, rows: Vec<f64>) -> Duals {
    let mut reduced_costs: Vec<f64> = model.columns().iter().map(|column| column.cost).collect();
    for (row, dual) in model.all_rows().iter().zip(&rows) {
        for &(column, factor) in &row.coefficients {
            reduced_costs[column] -= factor * dual;
        }
    }
    Duals {
        rows,
        reduced_costs,
    }
}

/// A seed in the 31 bits that HiGHS has for it.
fn folded(seed: u64) -> i32 {
    let folded = (seed ^ (seed >> 31) ^ (seed >> 62)) & 0x7fff_ffff;
    i32::try_from(folded).expect("31 bits fit")
}

/// A limit as HiGHS has it: beyond 2^31 there is none.
fn saturated(limit: u64) -> i32 {
    i32::try_from(limit).unwrap_or(i32::MAX)
}
