//! Mixed strategies of patrols: one plan is drawn at random, so that an intruder who knows all
//! plans still does not know a safe vertex.
//!
//! A game of two: guards draw a plan by its share; an intruder who knows plans and shares picks the
//! vertex of entry. The moment of entry is drawn by [`crate::Entry`]. The capture probability at
//! the worst vertex is the *floor*: no intruder is caught less often. Plans come from a double
//! oracle (McMahan, Gordon, Blum, "Planning in the presence of cost functions controlled by an
//! adversary", ICML 2003): the game of the plans so far is solved exactly, and the planner looks
//! for a best response to the intruder's optimal strategy in it. Whatever the planner proves for an
//! intruder's strategy bounds every floor.

mod check;
mod matrix_game;

pub use check::{
    BestResponse, MixedStrategyViolation, PureStrategy, best_response, best_response_until, floor,
};

use crate::context::share;
use crate::plan::{Cost, Plan};
use crate::problem::{Objective, PROBABILITY_ONE, Problem};
use crate::solve::{Params, TOLERANCE, solve};
use crate::verify::captures_until;
use anytime::{Conclusion, Control, Limits, Offer, Pulse, Sink, SolveError, Stop};

/// Most plans in a mixture.
pub const PLANS_MAX: usize = 64;
/// Most plans in the game, of which a mixture is made.
const GAME_MAX: usize = 4 * PLANS_MAX;
/// Least by which a best response gains on the game, or a share is above 0: less is rounding.
const DUST: f64 = 1e-9;
/// What an intruder's strategy is multiplied by to make weights: below
/// [`crate::problem::WEIGHT_MAX_MICRO`], with room for 1 at each vertex.
const WEIGHT: f64 = 9e11;

/// Plans of which one is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MixedStrategy {
    /// DiversePlans, and how likely each is drawn, of [`PROBABILITY_ONE`]: they add up to it. At most
    /// [`PLANS_MAX`].
    pub plans: Vec<(Plan, u64)>,
}

/// How to search for a mixture.
#[derive(Debug, Clone, PartialEq)]
pub struct MixedStrategyParams {
    /// Most plans, 1 to [`PLANS_MAX`].
    pub plans_max: usize,
    /// Iterations of the planner for each plan.
    pub iterations: u64,
    /// How the planner searches.
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

/// The best plan and bound for one mixture of vertices.
#[derive(Default)]
struct Incumbent {
    plan: Option<Plan>,
    bound: Cost,
}

impl Sink<Plan, Cost> for Incumbent {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        self.plan = Some(offer.plan.clone());
    }

    fn bound(&mut self, bound: Cost, _: &'static str) {
        self.bound = bound;
    }
}

/// The game of the plans so far.
struct Game<'p> {
    problem: &'p Problem,
    /// Vertices where an intruder may enter.
    targets: Vec<usize>,
    plans: Vec<Known>,
}

/// A plan, and what it catches.
struct Known {
    plan: Plan,
    /// At each vertex, of [`PROBABILITY_ONE`].
    captures: Vec<u64>,
    /// At each target.
    payoffs: Vec<f64>,
}

/// Looks for mixtures with a higher and higher floor; the cost of a mixture is [`PROBABILITY_ONE`] less its
/// floor. An intruder may enter at every vertex of weight above 0; the weights and the objective of
/// the problem have no other effect.
///
/// `Optimal` is concluded only with proof. An iteration is one of the planner's.
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
    let mut aims = vec![1.0 / game.targets.len() as f64; game.targets.len()];
    let mut value = f64::NEG_INFINITY;
    let mut params = params.clone();
    for stream in 0.. {
        if !control.go_on() || control.remaining() == 0 {
            break;
        }
        let (incumbent, conclusion) = game.response(&aims, (&params, stream), control)?;
        control.prove(incumbent.bound, "best response");
        if is_proved(control) {
            return Ok(Conclusion::Optimal);
        }
        let Some(plan) = incumbent.plan else {
            return Ok(conclusion);
        };
        let Some(known) = game.known(plan, &control.fork()) else {
            continue;
        };
        let payoff = product(&known.payoffs, &aims);
        if payoff <= value + DUST {
            // No better than the plans that are known: the planner has to look longer.
            params.iterations = params.iterations.saturating_mul(2);
            continue;
        }
        game.add(known, &aims);
        let solution = game.solve(control);
        game.offer(
            &solution.rows,
            params.plans_max.clamp(1, PLANS_MAX),
            control,
        );
        if is_proved(control) {
            return Ok(Conclusion::Optimal);
        }
        (aims, value) = (solution.columns, solution.ceiling);
    }
    Ok(Conclusion::Stopped(
        control.stop().unwrap_or(Stop::Iterations),
    ))
}

/// Whether the best mixture is at the bound, but for what bounds by doubles give away.
fn is_proved(control: &Control<'_, MixedStrategy, Cost>) -> bool {
    let most = control
        .bound()
        .map(|bound| Cost(bound.0 + u128::from(TOLERANCE)));
    control.best().is_some_and(|best| Some(best) <= most)
}

impl Game<'_> {
    /// The planner's best response to an intruder who enters at targets by `aims`.
    fn response(
        &self,
        aims: &[f64],
        (params, stream): (&MixedStrategyParams, u64),
        control: &mut Control<'_, MixedStrategy, Cost>,
    ) -> Result<(Incumbent, Conclusion), SolveError> {
        let mut spec = self.problem.spec().clone();
        spec.objective = Objective::default();
        spec.weights_micro = vec![0; self.problem.vertices()];
        for (target, aim) in self.targets.iter().zip(aims) {
            // A little everywhere: the planner looks at targets that have a weight, and this
            // decides between plans that are equal.
            spec.weights_micro[*target] = (aim * WEIGHT) as u64 + 1;
        }
        let aimed = Problem::new(spec).expect("only weights changed, and some are above 0");
        let limits = Limits {
            iterations_max: Some(params.iterations.min(control.remaining())),
            ..control.limits().clone()
        };
        let mut incumbent = Incumbent::default();
        let mut inner = Control::new(limits, control.seed(stream), &mut incumbent);
        let conclusion = solve(&aimed, &params.params, &mut inner)?;
        let iterations = inner.iterations();
        // One at least, so that a limit ends what is proved immediately.
        control.count(iterations.max(1).min(control.remaining()));
        Ok((incumbent, conclusion))
    }

    /// A plan with what it catches; `None`: stopped.
    fn known(&self, plan: Plan, pulse: &Pulse) -> Option<Known> {
        let captures = captures_until(self.problem, &plan, pulse)?;
        let captures = captures.expect("the planner's plans are sound");
        let payoffs = self.targets.iter().map(|vertex| share(captures[*vertex]));
        Some(Known {
            payoffs: payoffs.collect(),
            plan,
            captures,
        })
    }

    /// Adds a plan; of too many the one goes that catches least against `aims`.
    fn add(&mut self, known: Known, aims: &[f64]) {
        if self.plans.len() >= GAME_MAX {
            let payoff = |one: &usize| product(&self.plans[*one].payoffs, aims);
            let least =
                (0..self.plans.len()).min_by(|one, other| payoff(one).total_cmp(&payoff(other)));
            self.plans.swap_remove(least.expect("there are plans"));
        }
        self.plans.push(known);
    }

    fn solve(&self, control: &mut Control<'_, MixedStrategy, Cost>) -> matrix_game::Solution {
        let payoffs: Vec<&[f64]> = self.plans.iter().map(|one| &one.payoffs[..]).collect();
        matrix_game::solve(&payoffs, &mut || control.go_on())
    }

    /// The plans that are drawn, at most `plans_max`, and their probabilities. Where there are
    /// more, the least likely plan is dropped and the game of the others solved again.
    fn drawn(
        &self,
        shares: &[f64],
        plans_max: usize,
        control: &mut Control<'_, MixedStrategy, Cost>,
    ) -> Vec<(usize, f64)> {
        let is_drawn = |(_, share): &(usize, f64)| *share > DUST;
        let all = shares.iter().copied().enumerate();
        let mut drawn: Vec<(usize, f64)> = all.filter(is_drawn).collect();
        drawn.sort_by(|one, other| other.1.total_cmp(&one.1));
        while drawn.len() > plans_max && control.go_on() {
            drawn.pop();
            let payoffs = drawn.iter().map(|(plan, _)| &self.plans[*plan].payoffs[..]);
            let solution =
                matrix_game::solve(&payoffs.collect::<Vec<_>>(), &mut || control.go_on());
            let each = drawn.iter().zip(&solution.rows);
            drawn = each
                .map(|((plan, _), share)| (*plan, *share))
                .filter(is_drawn)
                .collect();
            drawn.sort_by(|one, other| other.1.total_cmp(&one.1));
        }
        drawn.truncate(plans_max);
        drawn
    }

    /// Offers a mixture with its exact floor.
    fn offer(
        &self,
        shares: &[f64],
        plans_max: usize,
        control: &mut Control<'_, MixedStrategy, Cost>,
    ) {
        let drawn = self.drawn(shares, plans_max, control);
        let whole = |(_, share): &(usize, f64)| (share * PROBABILITY_ONE as f64) as u64;
        let mut shares: Vec<u64> = drawn.iter().map(whole).collect();
        // The likeliest is the first.
        shares[0] = PROBABILITY_ONE - shares[1..].iter().sum::<u64>();
        let parts = || {
            drawn
                .iter()
                .map(|(plan, _)| &self.plans[*plan])
                .zip(&shares)
        };
        let known = parts().map(|(one, share)| (one.captures.clone(), *share));
        let floor = check::best(self.problem, known.collect()).capture;
        let mixture = MixedStrategy {
            plans: parts()
                .map(|(one, share)| (one.plan.clone(), *share))
                .collect(),
        };
        let cost = cost(floor);
        if control
            .best()
            .is_none_or(|best| cost.is_visibly_below(best))
        {
            control.offer(&mixture, cost, "double oracle");
        }
    }
}

fn product(payoffs: &[f64], aims: &[f64]) -> f64 {
    let each = payoffs.iter().zip(aims);
    each.map(|(payoff, aim)| payoff * aim).sum()
}

/// The cost of a mixture with this floor, of [`PROBABILITY_ONE`]: how likely the intruder escapes at worst.
#[must_use]
pub fn cost(floor: u64) -> Cost {
    Cost(u128::from(PROBABILITY_ONE.saturating_sub(floor)))
}

/// The planner for mixtures, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct MixedStrategyPlanner;

impl anytime::Planner for MixedStrategyPlanner {
    type Problem = Problem;
    type Params = MixedStrategyParams;
    type Plan = MixedStrategy;
    type Cost = Cost;
    type Violation = MixedStrategyViolation;

    fn solve(
        problem: &Problem,
        params: &MixedStrategyParams,
        control: &mut Control<'_, MixedStrategy, Cost>,
    ) -> Result<Conclusion, SolveError> {
        find_mixed_strategy(problem, params, control)
    }

    fn verify(
        problem: &Problem,
        plan: &MixedStrategy,
    ) -> Result<Cost, Vec<MixedStrategyViolation>> {
        floor(problem, plan).map(cost)
    }

    fn verify_until(
        problem: &Problem,
        plan: &MixedStrategy,
        pulse: &Pulse,
    ) -> Option<Result<Cost, Vec<MixedStrategyViolation>>> {
        let told = best_response_until(problem, plan, pulse)?;
        Some(told.map(|response| cost(response.capture)))
    }
}
