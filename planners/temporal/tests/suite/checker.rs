//! The independent checker against the engine, on networks of this planner.

use stn::check::{self, controllable};
use stn::uncertain::{Stnu, dynamic};
use temporal::generate::{Uncertain, tiny_uncertain, uncertain};
use temporal::problem::{Bound, Network, Source};

/// The network for the engine and for the checker.
fn of_both(network: &Network) -> (Stnu, check::Network) {
    let node = |node: usize| u32::try_from(node).expect("there are few nodes");
    let is_requirement = |bound: &Bound| {
        !matches!(
            bound.source,
            Source::ContingentUpper(_) | Source::ContingentLower(_)
        )
    };
    let bounds: Vec<Bound> = network.bounds().filter(is_requirement).collect();
    let edge = |bound: &Bound| stn::Edge::new(node(bound.from), node(bound.to), bound.weight_us, 0);
    let link = |link: &stn::Contingent| stn::uncertain::Contingent {
        from: node(link.from),
        to: node(link.to),
        lower: link.lower_us,
        upper: link.upper_us,
        id: 0,
    };
    let edges = bounds.iter().map(edge).collect();
    let links = network.contingent().iter().map(link).collect();
    let engine = Stnu::new(network.nodes(), edges, links).expect("it is valid");
    let mut checker = check::Network {
        nodes: network.nodes(),
        ..check::Network::default()
    };
    for bound in bounds {
        checker.constrain(bound.from, bound.to, None, Some(bound.weight_us));
    }
    let links = network.contingent().iter().copied().enumerate();
    let links = links.map(|(contingent, link)| check::ContingentLink { contingent, link });
    checker.contingents.extend(links);
    (engine, checker)
}

#[test]
fn the_checker_agrees_with_the_engine_on_two_thousand_networks() {
    let mut holds = 0;
    for seed in 0..2_000 {
        let network = if seed % 2 == 0 {
            tiny_uncertain(seed)
        } else {
            let shape = Uncertain {
                ours: 5,
                contingent: 4,
                links: 10,
                chained_percent: 40,
                slack_s: u32::try_from(seed % 50).expect("it is small"),
            };
            uncertain(seed, &shape)
        };
        let (engine, checker) = of_both(&network);
        let expected = dynamic(&engine, &mut || true).holds();
        let found = controllable(&checker, || true).is_ok();
        assert_eq!(found, expected, "seed {seed}: {network:?}");
        holds += u32::from(expected);
    }
    // Neither answer is rare.
    assert!((300..1_700).contains(&holds), "{holds}");
}
