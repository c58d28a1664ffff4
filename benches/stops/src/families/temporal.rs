//! Controllability of temporal networks.

use super::{Family, Search, checking, plan, solving};
use crate::Draw;
use ::temporal::generate::{Shape, Uncertain, teammates, uncertain};
use ::temporal::plan::Level;
use ::temporal::{Detail, Levels, LevelsParams, Network, Strategy, Strong, StrongParams};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "temporal new",
        make: new,
    },
    Family {
        name: "temporal strong",
        make: strong,
    },
    Family {
        name: "temporal levels",
        make: levels,
    },
    Family {
        name: "temporal verify",
        make: verify,
    },
];

/// All questions about a network without teammates, each harder to meet than the one before.
#[must_use]
pub fn all_levels() -> LevelsParams {
    LevelsParams {
        levels: vec![
            Level::Consistent,
            Level::Weak,
            Level::Dynamic,
            Level::Strong,
        ],
        ..LevelsParams::default()
    }
}

/// The network of a seed.
#[must_use]
pub fn network(seed: u64) -> Network {
    let mut draw = Draw::new(seed);
    if draw.chance(50) {
        let mut shape = Shape::paper(draw.size(2, 250));
        shape.agents = draw.size(1, 4);
        shape.horizon_percent = draw.one_of(&[100, 110, 150]);
        return teammates(seed, &shape);
    }
    of_nature(seed)
}

/// Without teammates.
fn of_nature(seed: u64) -> Network {
    let mut draw = Draw::new(seed);
    let ours = draw.size(2, 300);
    uncertain(
        seed,
        &Uncertain {
            ours,
            contingent: draw.size(1, ours),
            links: draw.size(ours, 4 * ours),
            chained_percent: draw.one_of(&[0, 25, 60]),
            slack_s: draw.one_of(&[3, 10, 60, 200]),
        },
    )
}

fn new(seed: u64) -> Option<Search> {
    let network = network(seed);
    Some(Box::new(move |_| {
        let _ = Network::new(network.spec().clone());
    }))
}

fn strong(seed: u64) -> Option<Search> {
    let mut draw = Draw::new(!seed);
    let strategy = if draw.chance(60) {
        Strategy::Auto
    } else {
        draw.one_of(&[
            Strategy::Tropical,
            Strategy::Search,
            Strategy::Early,
            Strategy::Random,
        ])
    };
    let detail = Detail {
        simulation_runs: draw.one_of(&[0, 1_000]),
        ..Detail::default()
    };
    let params = StrongParams { strategy, detail };
    Some(solving::<Strong>(network(seed), params, seed))
}

fn levels(seed: u64) -> Option<Search> {
    Some(solving::<Levels>(of_nature(seed), all_levels(), seed))
}

fn verify(seed: u64) -> Option<Search> {
    let network = network(seed);
    let finding = plan::<Strong>(&network, &StrongParams::default(), 3_000)?;
    Some(checking::<Strong>(network, finding))
}
