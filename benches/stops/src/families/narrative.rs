//! Interactive stories with choices and groups.

use super::{Family, Search, checking, evenings, plan, solving};
use crate::Draw;
use ::narrative::generate::{choices, evening, suite1, suite2, tiny_story};
use ::narrative::problem::Chooser;
use ::narrative::solve::Detail;
use ::narrative::{Narrative, Params, Schedule};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "narrative new",
        make: new,
    },
    Family {
        name: "narrative solve",
        make: solve,
    },
    Family {
        name: "narrative evenings",
        make: solve_evening,
    },
    Family {
        name: "narrative groups",
        make: solve_groups,
    },
    Family {
        name: "narrative strands",
        make: solve_strands,
    },
    Family {
        name: "narrative verify",
        make: verify,
    },
    Family {
        name: "narrative check groups",
        make: verify_groups,
    },
    Family {
        name: "narrative check strands",
        make: verify_strands,
    },
];

/// The story of a seed, if it has one.
#[must_use]
pub fn narrative(seed: u64) -> Option<Narrative> {
    let mut draw = Draw::new(seed);
    Some(match draw.pick(0, 9) {
        0 => suite1(seed, draw.pick(0, 51)),
        1 => suite2(seed, draw.pick(0, 39)),
        2 | 3 => evening(seed),
        4 => choices(
            seed,
            draw.one_of(&[Chooser::System, Chooser::Player]),
            draw.pick(2, 5),
        ),
        5 => tiny_story(seed),
        _ => return evenings::narrative(seed),
    })
}

fn params(seed: u64) -> Params {
    let stretches = Draw::new(!seed).chance(30);
    Params {
        detail: Detail {
            flexibilities: stretches,
            ..Detail::default()
        },
        ..Params::default()
    }
}

fn new(seed: u64) -> Option<Search> {
    let spec = narrative(seed)?.spec().clone();
    Some(Box::new(move |_| {
        let _ = Narrative::new(spec.clone());
    }))
}

fn solve(seed: u64) -> Option<Search> {
    Some(solving::<Schedule>(narrative(seed)?, params(seed), seed))
}

fn solve_evening(seed: u64) -> Option<Search> {
    let narrative = evenings::narrative(seed)?;
    Some(solving::<Schedule>(narrative, Params::default(), seed))
}

fn solve_groups(seed: u64) -> Option<Search> {
    let narrative = evenings::groups(seed)?;
    Some(solving::<Schedule>(narrative, params(seed), seed))
}

fn verify_groups(seed: u64) -> Option<Search> {
    check(evenings::groups(seed)?, seed, 30_000)
}

fn solve_strands(seed: u64) -> Option<Search> {
    let narrative = evenings::strands(seed)?;
    Some(solving::<Schedule>(narrative, params(seed), seed))
}

fn verify_strands(seed: u64) -> Option<Search> {
    check(evenings::strands(seed)?, seed, 30_000)
}

fn verify(seed: u64) -> Option<Search> {
    check(narrative(seed)?, seed, 3_000)
}

/// The check of what is found within these iterations, if anything is.
fn check(narrative: Narrative, seed: u64, iterations: u64) -> Option<Search> {
    let answer = plan::<Schedule>(&narrative, &params(seed), iterations)?;
    Some(checking::<Schedule>(narrative, answer))
}
