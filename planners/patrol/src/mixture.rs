//! Mixtures of patrols: one is drawn by luck, so that an intruder who knows them all still cannot know where it is safe.
//!
//! A game of two: guards draw a plan by its share, an intruder who knows plans and shares picks where he enters, but not when; the
//! moment is as [`crate::Entry`] says. What he meets at the worst vertex is the *floor*: no intruder, wherever he goes, is caught less
//! often. Plans come from a double oracle: the planner answers the intruder's best mixture of vertices, which the
//! multiplicative weights method finds for the plans so far (McMahan, Gordon, Blum, "Planning in the presence of cost functions
//! controlled by an adversary", ICML 2003; Freund, Schapire, "Adaptive game playing using multiplicative weights", Games and
//! Economic Behavior 29, 1999). Whatever the planner proves for a mixture of vertices bounds every floor.

mod check;
mod game;

pub use check::{Alone, MixtureViolation, Response, floor, response, response_until};

use crate::plan::{Cost, Plan};
use crate::problem::{CERTAIN, Objective, Problem};
use crate::scene::share;
use crate::solve::{Params, solve};
use crate::verify::captures_until;
use anytime::{Conclusion, Control, Limits, Offer, Pulse, Sink, SolveError, Stop};

/// Most plans in a mixture.
pub const PLANS_MAX: usize = 64;

/// Plans of which one is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mixture {
    /// Plans, and how likely each is drawn, of [`CERTAIN`]: they add up to it. At most [`PLANS_MAX`].
    pub plans: Vec<(Plan, u64)>,
}

/// How to search for a mixture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixtureParams {
    /// Most plans, 1 to [`PLANS_MAX`].
    pub plans_max: usize,
    /// Iterations of the planner for each plan.
    pub iterations: u64,
    /// How the planner searches.
    pub params: Params,
}

impl Default for MixtureParams {
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
struct Heard {
    plan: Option<Plan>,
    bound: Cost,
}

impl Sink<Plan, Cost> for Heard {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        self.plan = Some(offer.plan.clone());
    }

    fn bound(&mut self, bound: Cost, _: &'static str) {
        self.bound = bound;
    }
}

/// Looks for mixtures with a higher and higher floor; the cost of a mixture is [`CERTAIN`] less its floor. Of the problem's weights counts
/// only which are above 0, and of its objective nothing: the intruder goes where he wants.
///
/// `Optimal` is concluded only with proof. An iteration is one of the planner's.
///
/// # Errors
/// Those of [`solve`].
pub fn mixture(
    problem: &Problem,
    params: &MixtureParams,
    control: &mut Control<'_, Mixture, Cost>,
) -> Result<Conclusion, SolveError> {
    let targets: Vec<usize> = (0..problem.vertices())
        .filter(|vertex| problem.shares()[*vertex] > 0)
        .collect();
    let mut aims = vec![1.0 / targets.len() as f64; targets.len()];
    let (mut plans, mut captures) = (Vec::new(), Vec::new());
    while plans.len() < params.plans_max.clamp(1, PLANS_MAX) && control.go_on() {
        let stream = plans.len() as u64;
        let (heard, conclusion) = answer((problem, &targets, &aims), (params, stream), control)?;
        control.prove(heard.bound, "best answer");
        let Some(plan) = heard.plan else {
            return Ok(conclusion);
        };
        let Some(all) = captures_until(problem, &plan, &control.fork()) else {
            continue;
        };
        let all = all.expect("the planner's plans are sound");
        let capture = |vertex: &usize| share(all[*vertex]);
        captures.push(targets.iter().map(capture).collect::<Vec<f64>>());
        plans.push((plan, all));
        let (shares, worst) = game::play(&captures, &mut || control.go_on());
        offer(problem, (&plans, &shares), control);
        if control
            .best()
            .is_some_and(|best| Some(best) <= control.bound())
        {
            return Ok(Conclusion::Optimal);
        }
        aims = worst;
    }
    Ok(Conclusion::Stopped(
        control.stop().unwrap_or(Stop::Exhausted),
    ))
}

/// The planner's answer to an intruder who enters at targets by aims.
fn answer(
    (problem, targets, aims): (&Problem, &[usize], &[f64]),
    (params, stream): (&MixtureParams, u64),
    control: &mut Control<'_, Mixture, Cost>,
) -> Result<(Heard, Conclusion), SolveError> {
    let mut spec = problem.spec().clone();
    spec.objective = Objective::default();
    spec.weights_micro = vec![0; problem.vertices()];
    for (target, aim) in targets.iter().zip(aims) {
        // Nowhere is quite safe, or nobody would go there when it does not matter.
        spec.weights_micro[*target] = (aim * 1e9) as u64 + 1_000;
    }
    let aimed = Problem::new(spec).expect("only weights changed, and some are above 0");
    let limits = Limits {
        iterations_max: Some(params.iterations.min(control.remaining())),
        ..control.limits().clone()
    };
    let mut heard = Heard::default();
    let mut inner = Control::new(limits, control.seed(stream), &mut heard);
    let conclusion = solve(&aimed, &params.params, &mut inner)?;
    let iterations = inner.iterations();
    control.count(iterations);
    Ok((heard, conclusion))
}

/// Offers the mixture of plans, of which is known what each catches at each vertex, with its exact floor.
fn offer(
    problem: &Problem,
    (plans, shares): (&[(Plan, Vec<u64>)], &[f64]),
    control: &mut Control<'_, Mixture, Cost>,
) {
    let whole = |share: &f64| (share * 1e6) as u64 * (CERTAIN / 1_000_000);
    let mut shares: Vec<u64> = shares.iter().map(whole).collect();
    let largest = (0..shares.len()).max_by_key(|plan| shares[*plan]);
    let rest = CERTAIN - shares.iter().sum::<u64>();
    shares[largest.expect("there is a plan")] += rest;
    let drawn = plans.iter().zip(shares).filter(|(_, share)| *share > 0);
    let known = drawn.clone().map(|((_, all), share)| (all.clone(), share));
    let floor = check::best(problem, known.collect()).capture;
    let plans = drawn.map(|((plan, _), share)| (plan.clone(), share));
    let mixture = Mixture {
        plans: plans.collect(),
    };
    control.offer(&mixture, cost(floor), "double oracle");
}

/// The cost of a mixture with this floor, of [`CERTAIN`]: how likely the intruder escapes at worst.
#[must_use]
pub fn cost(floor: u64) -> Cost {
    Cost(u128::from(CERTAIN.saturating_sub(floor)))
}

/// The planner for mixtures, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct Mixtures;

impl anytime::Planner for Mixtures {
    type Problem = Problem;
    type Params = MixtureParams;
    type Plan = Mixture;
    type Cost = Cost;
    type Violation = MixtureViolation;

    fn solve(
        problem: &Problem,
        params: &MixtureParams,
        control: &mut Control<'_, Mixture, Cost>,
    ) -> Result<Conclusion, SolveError> {
        mixture(problem, params, control)
    }

    fn verify(problem: &Problem, plan: &Mixture) -> Result<Cost, Vec<MixtureViolation>> {
        floor(problem, plan).map(cost)
    }

    fn verify_until(
        problem: &Problem,
        plan: &Mixture,
        pulse: &Pulse,
    ) -> Option<Result<Cost, Vec<MixtureViolation>>> {
        let told = response_until(problem, plan, pulse)?;
        Some(told.map(|response| cost(response.capture)))
    }
}
