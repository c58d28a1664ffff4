//! Players with tools for events on a ship.

use super::{Family, Search, checking, plan, pulse, solving};
use crate::Draw;
use ::crew::explain::explain;
use ::crew::generate::{Shape, generate};
use ::crew::{Crew, Limit, Params, Problem, Spec};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "crew new",
        make: new,
    },
    Family {
        name: "crew solve",
        make: solve,
    },
    Family {
        name: "crew verify",
        make: verify,
    },
    Family {
        name: "crew explain",
        make: why,
    },
];

/// The ship of a seed; not all are valid.
#[must_use]
pub fn spec(seed: u64) -> Spec {
    let mut draw = Draw::new(seed);
    let players = draw.size(1, 24);
    let shape = Shape {
        side: draw.size(2, 40),
        players,
        tools: draw.size(1, 24),
        time_max_us: draw.one_of(&[3, 10, 1_000]),
        damage_max_micro: draw.one_of(&[0, 2, 10, 1_000]),
    };
    let mut spec = generate(&shape, seed);
    spec.once = draw.chance(25);
    if draw.chance(30) {
        spec.time_max_us = draw.size(5, 100_000) as u64;
    }
    if draw.chance(30) {
        spec.damage_max = Limit::Within(draw.size(1, 100_000) as u64);
    }
    let vertices = spec.vertices;
    for _ in 1..draw.one_of(&[1, 1, 2, 4, 8]) {
        let mut event = spec.events[0].clone();
        event.vertex = draw.pick(0, vertices - 1);
        event.rank += spec.events.len() as u32;
        spec.events.push(event);
    }
    spec
}

fn new(seed: u64) -> Option<Search> {
    let spec = spec(seed);
    Problem::new(spec.clone()).ok()?;
    Some(Box::new(move |_| {
        let _ = Problem::new(spec.clone());
    }))
}

/// How it is searched.
#[must_use]
pub fn params(seed: u64) -> Params {
    Params {
        ties_max: Draw::new(!seed).one_of(&[0, 5, 1_000]),
        ..Params::default()
    }
}

fn solve(seed: u64) -> Option<Search> {
    let problem = Problem::new(spec(seed)).ok()?;
    Some(solving::<Crew>(problem, params(seed), seed))
}

fn verify(seed: u64) -> Option<Search> {
    let problem = Problem::new(spec(seed)).ok()?;
    let plan = plan::<Crew>(&problem, &params(seed), 300)?;
    Some(checking::<Crew>(problem, plan))
}

fn why(seed: u64) -> Option<Search> {
    let problem = Problem::new(spec(seed)).ok()?;
    let plan = plan::<Crew>(&problem, &Params::default(), 300)?;
    Some(Box::new(move |token| {
        let _ = explain(&problem, &plan, &pulse(token));
    }))
}
