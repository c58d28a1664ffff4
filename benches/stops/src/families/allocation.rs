//! Tasks for agents.

use super::{Family, Search, checking, plan, pulse, solving};
use crate::Draw;
use ::allocation::explain::{explain, relaxations};
use ::allocation::generate::{Shape, generate};
use ::allocation::insert::insertions;
use ::allocation::verify::CertificateCheck;
use ::allocation::{Allocation, Params, Plan, Problem, Strategy, certificates};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "allocation new",
        make: new,
    },
    Family {
        name: "allocation solve",
        make: solve,
    },
    Family {
        name: "allocation coupled",
        make: coupled,
    },
    Family {
        name: "allocation verify",
        make: verify,
    },
    Family {
        name: "allocation explain",
        make: why,
    },
    Family {
        name: "allocation explain more",
        make: why_more,
    },
    Family {
        name: "allocation insert",
        make: insert,
    },
];

fn shape(seed: u64) -> Shape {
    let mut draw = Draw::new(seed);
    let tasks = draw.size(2, 1_000);
    let agents = draw.size(1, (tasks / 3).clamp(1, 200));
    match draw.pick(0, 3) {
        0 | 1 => Shape::varied(tasks, agents),
        _ => Shape::depot(tasks, agents),
    }
}

fn coupled_shape(seed: u64) -> Shape {
    let mut draw = Draw::new(seed);
    let tasks = 2 * draw.size(2, 300);
    let agents = draw.size(1, (tasks / 3).clamp(1, 100));
    if draw.chance(60) {
        Shape::coupled(tasks, agents)
    } else {
        Shape::deliveries(tasks, agents)
    }
}

/// A problem of deliveries or with coupled tasks.
fn problem_of_either_kind(seed: u64) -> Problem {
    match seed % 2 {
        0 => generate(seed, &shape(seed)),
        _ => generate(seed, &coupled_shape(seed)),
    }
}

fn new(seed: u64) -> Option<Search> {
    let spec = problem_of_either_kind(seed).spec().clone();
    Some(Box::new(move |_| {
        let _ = Problem::new(spec.clone());
    }))
}

fn solve(seed: u64) -> Option<Search> {
    let strategies: Vec<Strategy> = ::allocation::solve::STRATEGIES
        .iter()
        .map(|info| info.strategy)
        .collect();
    let mut draw = Draw::new(!seed);
    let strategy = if draw.chance(60) {
        Strategy::Auto
    } else {
        draw.one_of(&strategies)
    };
    let params = Params {
        strategy,
        ..Params::default()
    };
    let problem = generate(seed, &shape(seed));
    Some(solving::<Allocation>(problem, params, seed))
}

fn coupled(seed: u64) -> Option<Search> {
    let problem = generate(seed, &coupled_shape(seed));
    Some(solving::<Allocation>(problem, Params::default(), seed))
}

fn planned(seed: u64) -> (Problem, Plan) {
    let problem = problem_of_either_kind(seed);
    let plan = plan::<Allocation>(&problem, &Params::default(), 300);
    (problem, plan.unwrap_or_default())
}

fn verify(seed: u64) -> Option<Search> {
    let (problem, plan) = planned(seed);
    Some(checking::<Allocation>(problem, plan))
}

fn why(seed: u64) -> Option<Search> {
    let (problem, plan) = planned(seed);
    Some(Box::new(move |token| {
        let _ = explain(&problem, &plan, &pulse(token));
    }))
}

fn why_more(seed: u64) -> Option<Search> {
    let (problem, plan) = planned(seed);
    Some(Box::new(move |token| {
        let wanted = pulse(token);
        let mut certificates = certificates(&problem);
        let mut check = CertificateCheck::new(&problem, &wanted);
        certificates.retain(|one| check.certificate(one).is_ok());
        if wanted.beats() {
            let _ = relaxations(&problem, &plan, &wanted);
        }
    }))
}

fn insert(seed: u64) -> Option<Search> {
    let (problem, mut plan) = planned(seed);
    let route = plan.routes.iter_mut().max_by_key(|it| it.stops.len())?;
    let stop = route.stops.pop()?;
    Some(Box::new(move |_| {
        let _ = insertions(&problem, &plan, stop.task, 100);
    }))
}
