//! Mixed strategies of patrols: one plan is drawn at random, so that an intruder that knows all
//! plans still knows no safe vertex.
//!
//! A zero-sum game: the guards draw a plan with its probability; the intruder knows plans and
//! probabilities, but not the draw, and picks the vertex of entry. The tick of entry is drawn by
//! [`crate::Entry`]. The payoff is the capture probability. Its minimum over the vertices is the
//! *floor* of a mixed strategy; the value of the game is the highest floor.
//!
//! Method: the double oracle algorithm (McMahan, Gordon, Blum, "Planning in the presence of cost
//! functions controlled by an adversary", ICML 2003). The matrix game of the plans so far is solved
//! exactly (`matrix_game`), and the planner searches for a best response to the intruder's optimal
//! strategy in it. A bound on the planner's best response bounds every floor.

mod check;
mod matrix_game;

pub use check::{BestResponse, PureStrategy, best_response, best_response_until, floor};

use crate::context::share;
use crate::plan::{Cost, Plan};
use crate::problem::{Objective, PROBABILITY_ONE, Problem};
use crate::solve::{Incumbent, Params, TOLERANCE, solve};
use crate::verify::captures_until;
use anytime::{Conclusion, Control, Pulse, SolveError, Stop};

/// Maximum number of plans of a mixed strategy.
pub const PLANS_MAX: usize = 64;
/// Maximum number of plans of the matrix game.
const GAME_MAX: usize = 4 * PLANS_MAX;
/// Bound on the rounding errors of payoffs and probabilities.
const ROUNDING: f64 = 1e-9;
/// Factor from an intruder's strategy to weights: below
/// [`crate::problem::WEIGHT_MAX_MICRO`], with room for 1 at each vertex.
const WEIGHT: f64 = 9e11;

/// Mixed strategy: plans of which one is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MixedStrategy {
    /// Plans with their probabilities in units of 2^-60, which sum up to [`PROBABILITY_ONE`]; at
    /// most [`PLANS_MAX`].
    pub plans: Vec<(Plan, u64)>,
}

/// Parameters of the search for a mixed strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct MixedStrategyParams {
    /// Maximum number of plans, 1 to [`PLANS_MAX`].
    pub plans_max: usize,
    /// Iterations of the planner for each plan.
    pub iterations: u64,
    /// Parameters of the planner.
    pub params: Params,
}

impl Default for MixedStrategyParams {
    fn default() -> Self {
        Self {
            plans_max: 16,
            iterations: 20_000,
            params: Params::default(),
        }
    }
}

/// Matrix game of the plans so far against the vertices of entry.
struct Game<'p> {
    problem: &'p Problem,
    /// Vertices of entry: the columns.
    targets: Vec<usize>,
    /// Plans: the rows.
    plans: Vec<Row>,
}

/// Plan and its capture probabilities.
struct Row {
    plan: Plan,
    /// By vertex, in units of 2^-60.
    captures: Vec<u64>,
    /// By target.
    payoffs: Vec<f64>,
}

/// Searches for mixed strategies with higher and higher floors. The cost is [`PROBABILITY_ONE`]
/// less the floor. An intruder may enter at every vertex of weight above 0; the weights and the
/// objective of the problem have no other effect.
///
/// `Optimal` is concluded only with proof. The iterations are those of the planner.
///
/// # Errors
/// Those of [`solve`].
pub fn find_mixed_strategy(
    problem: &Problem,
    params: &MixedStrategyParams,
    control: &mut Control<'_, MixedStrategy, Cost>,
) -> Result<Conclusion, SolveError> {
    let targets = (0..problem.vertices()).filter(|vertex| problem.shares()[*vertex] > 0);
    let mut game = Game {
        problem,
        targets: targets.collect(),
        plans: Vec::new(),
    };
    let mut strategy = vec![1.0 / game.targets.len() as f64; game.targets.len()];
    let mut value = f64::NEG_INFINITY;
    let mut params = params.clone();
    for stream in 0.. {
        if !control.go_on() || control.remaining() == 0 {
            break;
        }
        let (incumbent, conclusion) = game.best_response(&strategy, &params, stream, control)?;
        control.prove(incumbent.bound, "best response");
        if is_proved(control) {
            return Ok(Conclusion::Optimal);
        }
        let Some((plan, _)) = incumbent.best else {
            return Ok(conclusion);
        };
        let Some(row) = game.row(plan, &control.fork()) else {
            continue;
        };
        let payoff = product(&row.payoffs, &strategy);
        if payoff <= value + ROUNDING {
            // No better than the plans of the game: the planner needs more iterations.
            params.iterations = params.iterations.saturating_mul(2);
            continue;
        }
        game.add(row, &strategy);
        let solution = game.solve(control);
        game.offer(
            &solution.rows,
            params.plans_max.clamp(1, PLANS_MAX),
            control,
        );
        if is_proved(control) {
            return Ok(Conclusion::Optimal);
        }
        (strategy, value) = (solution.columns, solution.ceiling);
    }
    Ok(Conclusion::Stopped(
        control.stop().unwrap_or(Stop::Iterations),
    ))
}

/// Whether the incumbent is optimal within the tolerance.
fn is_proved(control: &Control<'_, MixedStrategy, Cost>) -> bool {
    let limit = control
        .bound()
        .map(|bound| Cost(bound.0 + u128::from(TOLERANCE)));
    control.best().is_some_and(|best| Some(best) <= limit)
}

impl Game<'_> {
    /// The planner's best response to an intruder with a mixed strategy over the targets.
    fn best_response(
        &self,
        strategy: &[f64],
        params: &MixedStrategyParams,
        stream: u64,
        control: &mut Control<'_, MixedStrategy, Cost>,
    ) -> Result<(Incumbent, Conclusion), SolveError> {
        let mut spec = self.problem.spec().clone();
        spec.objective = Objective::default();
        spec.weights_micro = vec![0; self.problem.vertices()];
        for (target, probability) in self.targets.iter().zip(strategy) {
            // At lowest 1: the planner only considers targets with a weight, and this decides
            // between plans that are equal otherwise.
            spec.weights_micro[*target] = (probability * WEIGHT) as u64 + 1;
        }
        let weighted = Problem::new(spec).expect("only weights changed, and some are above 0");
        Incumbent::search(control, params.iterations, stream, |inner| {
            solve(&weighted, &params.params, inner)
        })
    }

    /// Row of a plan; `None`: stopped.
    fn row(&self, plan: Plan, pulse: &Pulse) -> Option<Row> {
        let captures = captures_until(self.problem, &plan, pulse)?;
        let captures = captures.expect("offered plans break no rule");
        let payoffs = self.targets.iter().map(|vertex| share(captures[*vertex]));
        Some(Row {
            payoffs: payoffs.collect(),
            plan,
            captures,
        })
    }

    /// Adds a plan; of too many, the one with the lowest payoff against `strategy` goes.
    fn add(&mut self, row: Row, strategy: &[f64]) {
        if self.plans.len() >= GAME_MAX {
            let payoff = |one: &usize| product(&self.plans[*one].payoffs, strategy);
            let lowest =
                (0..self.plans.len()).min_by(|one, other| payoff(one).total_cmp(&payoff(other)));
            self.plans.swap_remove(lowest.expect("there are plans"));
        }
        self.plans.push(row);
    }

    fn solve(&self, control: &mut Control<'_, MixedStrategy, Cost>) -> matrix_game::Solution {
        let payoffs: Vec<&[f64]> = self.plans.iter().map(|one| &one.payoffs[..]).collect();
        matrix_game::solve(&payoffs, &mut || control.go_on())
    }

    /// Support of the mixed strategy, at most `plans_max` plans with their probabilities. While it
    /// is larger, the least likely plan is dropped and the game of the others solved again.
    fn support(
        &self,
        shares: &[f64],
        plans_max: usize,
        control: &mut Control<'_, MixedStrategy, Cost>,
    ) -> Vec<(usize, f64)> {
        let is_positive = |one: &(usize, f64)| one.1 > ROUNDING;
        let all = shares.iter().copied().enumerate();
        let mut support: Vec<(usize, f64)> = all.filter(is_positive).collect();
        support.sort_by(|one, other| other.1.total_cmp(&one.1));
        while support.len() > plans_max && control.go_on() {
            support.pop();
            let payoffs = support
                .iter()
                .map(|(plan, _)| &self.plans[*plan].payoffs[..]);
            let solution =
                matrix_game::solve(&payoffs.collect::<Vec<_>>(), &mut || control.go_on());
            let each = support.iter().zip(&solution.rows);
            support = each
                .map(|((plan, _), share)| (*plan, *share))
                .filter(is_positive)
                .collect();
            support.sort_by(|one, other| other.1.total_cmp(&one.1));
        }
        support.truncate(plans_max);
        support
    }

    /// Offers a mixed strategy with its exact floor.
    fn offer(
        &self,
        shares: &[f64],
        plans_max: usize,
        control: &mut Control<'_, MixedStrategy, Cost>,
    ) {
        let support = self.support(shares, plans_max, control);
        let whole = |one: &(usize, f64)| (one.1 * PROBABILITY_ONE as f64) as u64;
        let mut shares: Vec<u64> = support.iter().map(whole).collect();
        // The first is the most likely one.
        shares[0] = PROBABILITY_ONE - shares[1..].iter().sum::<u64>();
        let parts = || {
            support
                .iter()
                .map(|(plan, _)| &self.plans[*plan])
                .zip(&shares)
        };
        let known = parts().map(|(one, share)| (one.captures.clone(), *share));
        let floor = check::response_to(self.problem, known.collect()).capture;
        let mixed = MixedStrategy {
            plans: parts()
                .map(|(one, share)| (one.plan.clone(), *share))
                .collect(),
        };
        let cost = cost(floor);
        if control
            .best()
            .is_none_or(|best| cost.is_visibly_below(best))
        {
            control.offer(&mixed, cost, "double oracle");
        }
    }
}

fn product(payoffs: &[f64], strategy: &[f64]) -> f64 {
    let each = payoffs.iter().zip(strategy);
    each.map(|(payoff, probability)| payoff * probability).sum()
}

/// Cost of a mixed strategy with this floor: the probability of escape at the worst vertex.
#[must_use]
pub fn cost(floor: u64) -> Cost {
    Cost(u128::from(PROBABILITY_ONE.saturating_sub(floor)))
}

anytime::planner! {
    /// The planner of mixed strategies.
    pub struct MixedStrategyPlanner {
        problem: Problem,
        params: MixedStrategyParams,
        plan: MixedStrategy,
        cost: Cost,
        solve: find_mixed_strategy,
        verify: |problem, plan| floor(problem, plan).map(cost),
        verify_until: |problem, plan, pulse| {
            let response = best_response_until(problem, plan, pulse)?;
            Some(response.map(|response| cost(response.capture)))
        },
    }
}
