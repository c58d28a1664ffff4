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

pub use check::{MixtureViolation, floor};

use crate::evaluate::evaluate;
use crate::plan::{Cost, Plan};
use crate::problem::{CERTAIN, Objective, Problem};
use crate::solve::{Params, solve};
use anytime::{Conclusion, Control, Limits, Offer, Sink, SolveError, Stop};

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
        let seen = evaluate(problem, &plan).expect("the planner's plans are sound");
        let capture = |vertex: &usize| seen.vertices[*vertex].capture;
        captures.push(targets.iter().map(capture).collect::<Vec<f64>>());
        plans.push(plan);
        let (shares, worst) = game::play(&captures);
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

/// Offers the mixture with its exact floor.
fn offer(
    problem: &Problem,
    (plans, shares): (&[Plan], &[f64]),
    control: &mut Control<'_, Mixture, Cost>,
) {
    let whole = |share: &f64| (share * 1e6) as u64 * (CERTAIN / 1_000_000);
    let mut shares: Vec<u64> = shares.iter().map(whole).collect();
    let largest = (0..shares.len()).max_by_key(|plan| shares[*plan]);
    let rest = CERTAIN - shares.iter().sum::<u64>();
    shares[largest.expect("there is a plan")] += rest;
    let drawn = plans.iter().cloned().zip(shares);
    let mixture = Mixture {
        plans: drawn.filter(|(_, share)| *share > 0).collect(),
    };
    if let Ok(floor) = floor(problem, &mixture) {
        let cost = Cost(u128::from(CERTAIN - floor));
        control.offer(&mixture, cost, "double oracle");
    }
}
