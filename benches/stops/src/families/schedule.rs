//! Projects with limited resources.

use super::{Family, Search, checking, plan, pulse, solving};
use crate::Draw;
use ::schedule::generate::{Shape, generate};
use ::schedule::{Params, Problem, Schedule, Spec, conflict};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "schedule solve",
        make: solve,
    },
    Family {
        name: "schedule verify",
        make: verify,
    },
    Family {
        name: "schedule conflict",
        make: infeasible,
    },
];

/// The project of a seed.
fn spec(seed: u64) -> Spec {
    let mut draw = Draw::new(seed);
    let shape = Shape {
        activities: draw.size(1, 2_000),
        modes: draw.one_of(&[1, 1, 3, 16]),
        resources: draw.size(0, 64),
        duration_max: draw.one_of(&[1, 10, 1_000]),
        capacity: draw.one_of(&[1, 10, 1_000]),
        has_maximal_lags: draw.chance(40),
        unit_us: draw.one_of(&[1, 1_000_000]),
    };
    generate(&shape, seed)
}

fn solve(seed: u64) -> Option<Search> {
    let problem = Problem::new(spec(seed)).ok()?;
    Some(solving::<Schedule>(problem, Params::default(), seed))
}

fn verify(seed: u64) -> Option<Search> {
    let problem = Problem::new(spec(seed)).ok()?;
    let plan = plan::<Schedule>(&problem, &Params::default(), 300)?;
    Some(checking::<Schedule>(problem, plan))
}

/// The conflict of a project whose deadline is a fiftieth of its horizon: most are infeasible.
fn infeasible(seed: u64) -> Option<Search> {
    let mut spec = spec(seed);
    let problem = Problem::new(spec.clone()).ok()?;
    spec.deadline_us = Some(problem.horizon_us() / 50);
    let problem = Problem::new(spec).ok()?;
    Some(Box::new(move |token| {
        let _ = conflict(&problem, &pulse(token));
    }))
}
