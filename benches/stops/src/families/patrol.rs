//! Patrols, mixtures and varieties of them.

use super::{Family, Search, checking, plan, pulse, solving};
use crate::Draw;
use ::patrol::diverse::{DiverseParams, DiversePlanner, DiverseProblem, nearest_distances_until};
use ::patrol::generate::{grid, line, museum, ring, staying, walking};
use ::patrol::mixed_strategy::{MixedStrategyParams, MixedStrategyPlanner, best_response_until};
use ::patrol::problem::{Entry, Gap, Motion, Pause, Spec};
use ::patrol::{Params, Patrol, Problem, Strategy, evaluate_until};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "patrol new",
        make: new,
    },
    Family {
        name: "patrol solve",
        make: solve,
    },
    Family {
        name: "patrol mixture",
        make: mixture,
    },
    Family {
        name: "patrol variety",
        make: variety,
    },
    Family {
        name: "patrol verify",
        make: verify,
    },
    Family {
        name: "patrol evaluate",
        make: evaluate,
    },
    Family {
        name: "patrol mixture verify",
        make: verify_mixture,
    },
    Family {
        name: "patrol mixture explain",
        make: explain_mixture,
    },
    Family {
        name: "patrol variety verify",
        make: verify_variety,
    },
    Family {
        name: "patrol variety explain",
        make: explain_variety,
    },
];

fn spec(seed: u64) -> Spec {
    let mut draw = Draw::new(seed);
    let guards = draw.one_of(&[1, 1, 2, 3, 4, 8, 16]);
    let side = draw.size(2, 40);
    let mut spec = match draw.pick(0, 3) {
        0 => line(draw.size(2, 400), guards),
        1 => ring(draw.size(3, 400), guards),
        2 => grid(side, draw.size(2, 40), guards),
        _ => museum(side, side, guards, seed).spec().clone(),
    };
    let time = draw.size(1, 2 * spec.vertices) as u32;
    spec = match draw.pick(0, 3) {
        0 => staying(spec, time),
        1 => {
            let motions = [Motion::Lazy, Motion::Moving, Motion::BorderStay];
            walking(spec, draw.one_of(&motions), time)
        }
        _ => spec,
    };
    if draw.chance(15) {
        spec.intruder.entry = Entry::Mission(draw.size(1, 5_000) as u32);
    }
    if draw.chance(25) {
        sights(&mut spec, &mut draw);
    }
    if draw.chance(15) {
        let (vertex, ticks) = (draw.pick(0, spec.vertices - 1), draw.size(1, 20) as u32);
        spec.gaps.push(Gap { vertex, ticks });
    }
    if draw.chance(15) {
        let (vertex, ticks) = (draw.pick(0, spec.vertices - 1), draw.size(1, 5) as u32);
        spec.pauses.push(Pause { vertex, ticks });
    }
    spec.may_stay = draw.chance(70);
    spec.may_swap = draw.chance(80);
    if draw.chance(30) {
        spec.objective.worst_idleness = 1;
    }
    if draw.chance(30) {
        spec.objective.mean_idleness = 2;
    }
    spec
}

/// All guards see their neighbours, and some vertices more.
fn sights(spec: &mut Spec, draw: &mut Draw) {
    let mut seen = vec![Vec::new(); spec.vertices];
    for edge in &spec.edges {
        let [a, b] = edge.ends;
        seen[a].push(b);
        seen[b].push(a);
    }
    for (vertex, seen) in seen.iter_mut().enumerate() {
        for _ in 0..draw.pick(0, 6) {
            seen.push((vertex + draw.pick(1, 8)) % spec.vertices);
        }
        seen.retain(|other| *other != vertex);
        seen.sort_unstable();
        seen.dedup();
    }
    spec.sights.push(seen);
    for guard in &mut spec.guards {
        guard.sight = Some(0);
    }
}

/// The world of a seed, if it is valid.
#[must_use]
pub fn problem(seed: u64) -> Option<Problem> {
    Problem::new(spec(seed)).ok()
}

fn params(seed: u64) -> Params {
    let strategies: Vec<Strategy> = ::patrol::solve::STRATEGIES
        .iter()
        .map(|info| info.strategy)
        .collect();
    let mut draw = Draw::new(!seed);
    let strategy = if draw.chance(70) {
        Strategy::Auto
    } else {
        draw.one_of(&strategies)
    };
    Params {
        strategy,
        ..Params::default()
    }
}

fn new(seed: u64) -> Option<Search> {
    problem(seed)?;
    let spec = spec(seed);
    Some(Box::new(move |_| {
        let _ = Problem::new(spec.clone());
    }))
}

fn solve(seed: u64) -> Option<Search> {
    Some(solving::<Patrol>(problem(seed)?, params(seed), seed))
}

fn mixture_params() -> MixedStrategyParams {
    MixedStrategyParams {
        iterations: 50,
        ..MixedStrategyParams::default()
    }
}

fn mixture(seed: u64) -> Option<Search> {
    Some(solving::<MixedStrategyPlanner>(
        problem(seed)?,
        mixture_params(),
        seed,
    ))
}

fn wanted(seed: u64) -> Option<DiverseProblem> {
    let mut draw = Draw::new(!seed);
    let (plans, distance) = (draw.pick(2, 8), draw.size(1_000, 500_000) as u32);
    DiverseProblem::new(problem(seed)?, plans, distance).ok()
}

fn variety_params() -> DiverseParams {
    DiverseParams {
        iterations: 50,
        ..DiverseParams::default()
    }
}

fn variety(seed: u64) -> Option<Search> {
    Some(solving::<DiversePlanner>(
        wanted(seed)?,
        variety_params(),
        seed,
    ))
}

fn verify(seed: u64) -> Option<Search> {
    let problem = problem(seed)?;
    let plan = plan::<Patrol>(&problem, &Params::default(), 500)?;
    Some(checking::<Patrol>(problem, plan))
}

fn evaluate(seed: u64) -> Option<Search> {
    let problem = problem(seed)?;
    let plan = plan::<Patrol>(&problem, &Params::default(), 500)?;
    Some(Box::new(move |token| {
        let _ = evaluate_until(&problem, &plan, &pulse(token));
    }))
}

fn verify_mixture(seed: u64) -> Option<Search> {
    let problem = problem(seed)?;
    let mixture = plan::<MixedStrategyPlanner>(&problem, &mixture_params(), 1_000)?;
    Some(checking::<MixedStrategyPlanner>(problem, mixture))
}

fn explain_mixture(seed: u64) -> Option<Search> {
    let problem = problem(seed)?;
    let mixture = plan::<MixedStrategyPlanner>(&problem, &mixture_params(), 1_000)?;
    Some(Box::new(move |token| {
        let _ = best_response_until(&problem, &mixture, &pulse(token));
    }))
}

fn verify_variety(seed: u64) -> Option<Search> {
    let variety = wanted(seed)?;
    let plans = plan::<DiversePlanner>(&variety, &variety_params(), 1_000)?;
    Some(checking::<DiversePlanner>(variety, plans))
}

fn explain_variety(seed: u64) -> Option<Search> {
    let variety = wanted(seed)?;
    let plans = plan::<DiversePlanner>(&variety, &variety_params(), 1_000)?;
    Some(Box::new(move |token| {
        let _ = nearest_distances_until(variety.problem(), &plans.plans, &pulse(token));
    }))
}
