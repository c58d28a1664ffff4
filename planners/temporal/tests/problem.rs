//! Invalid networks are refused, with all validation errors and the elements at fault.

use temporal::errors::{LinkIndex, Missing};
use temporal::problem::{
    CONTINGENT_MAX, Contingent, DURATIONS_MAX_US, EVENTS_MAX, LINKS_MAX, Link, Micros, Owner, Spec,
    TIME_MAX_US,
};
use temporal::{Network, NetworkError};

use Owner::{Controllable, Nature, Uncontrollable};

fn link(from: usize, to: usize, lower_us: Micros, upper_us: Micros) -> Link {
    Link {
        from,
        to,
        lower_us: Some(lower_us),
        upper_us: Some(upper_us),
    }
}

fn takes(from: usize, to: usize, lower_us: Micros, upper_us: Micros) -> Contingent {
    Contingent {
        from,
        to,
        lower_us,
        upper_us,
    }
}

fn errors(spec: &Spec) -> Vec<NetworkError> {
    Network::new(spec.clone()).err().unwrap_or_default()
}

/// Owners, links, contingent links, no horizon.
fn spec(owners: &[Owner], links: &[Link], contingent: &[Contingent]) -> Spec {
    Spec {
        owners: owners.to_vec(),
        links: links.to_vec(),
        contingent: contingent.to_vec(),
        horizon_us: None,
    }
}

#[test]
fn a_network_without_events_is_refused() {
    assert_eq!(errors(&Spec::default()), [NetworkError::NoEvents]);
}

#[test]
fn sizes_are_judged_before_anything_else() {
    let many = Spec {
        owners: vec![Nature; EVENTS_MAX + 1],
        links: vec![link(9, 9, 1, 0); LINKS_MAX + 1],
        contingent: vec![takes(9, 9, 1, 0); CONTINGENT_MAX + 1],
        horizon_us: Some(-1),
    };
    let expected = [
        NetworkError::TooManyEvents {
            given: EVENTS_MAX + 1,
        },
        NetworkError::TooManyLinks {
            given: LINKS_MAX + 1,
        },
        NetworkError::TooManyContingent {
            given: CONTINGENT_MAX + 1,
        },
    ];
    assert_eq!(errors(&many), expected);
}

#[test]
fn the_largest_network_is_allowed() {
    let events = EVENTS_MAX;
    let node = |index: usize| index % events;
    let links: Vec<_> = (0..LINKS_MAX)
        .map(|i| link(node(i), node(i) + 1, -TIME_MAX_US, TIME_MAX_US))
        .collect();
    let largest = spec(&vec![Uncontrollable; events], &links, &[]);
    assert_eq!(errors(&largest), []);
    assert_eq!(
        Network::new(largest).unwrap().bounds().count(),
        2 * LINKS_MAX
    );
}

#[test]
fn a_hundred_thousand_wrong_links_are_each_reported() {
    let wrong = spec(&[Controllable], &vec![link(7, 7, 1, 0); LINKS_MAX], &[]);
    // Two unknown ends, a self loop, reversed bounds.
    assert_eq!(errors(&wrong).len(), 4 * LINKS_MAX);
}

#[test]
fn links_are_judged_by_ends_and_bounds_all_at_once() {
    let unbounded = Link {
        from: 1,
        to: 2,
        lower_us: None,
        upper_us: None,
    };
    let links = [link(1, 9, 5, 4), link(2, 2, 0, 1), unbounded];
    let which = LinkIndex::Link(0);
    let expected = [
        NetworkError::UnknownNode {
            which,
            node: 9,
            nodes: 3,
        },
        NetworkError::Reversed {
            which,
            lower_us: 5,
            upper_us: 4,
        },
        NetworkError::SelfLoop {
            which: LinkIndex::Link(1),
            node: 2,
        },
        NetworkError::Unbounded { link: 2 },
    ];
    assert_eq!(errors(&spec(&[Controllable; 2], &links, &[])), expected);
}

#[test]
fn extreme_bounds_are_refused_without_overflow() {
    let links = [link(0, 1, Micros::MIN, Micros::MAX)];
    let times = [takes(1, 2, Micros::MIN, Micros::MAX)];
    let (which, also) = (LinkIndex::Link(0), LinkIndex::Contingent(0));
    let out = |which, given_us| NetworkError::BoundOutOfRange { which, given_us };
    let expected = [
        out(which, Micros::MIN),
        out(which, Micros::MAX),
        out(also, Micros::MIN),
        out(also, Micros::MAX),
        NetworkError::NegativeDuration {
            contingent: 0,
            lower_us: Micros::MIN,
        },
    ];
    let given = spec(&[Controllable, Nature], &links, &times);
    assert_eq!(errors(&given), expected);
    assert_eq!(
        errors(&spec(
            &[Controllable],
            &[link(0, 1, 0, TIME_MAX_US + 1)],
            &[]
        )),
        [out(which, TIME_MAX_US + 1)]
    );
}

#[test]
fn a_horizon_is_from_nothing_to_the_longest_time() {
    for given_us in [-1, TIME_MAX_US + 1, Micros::MIN, Micros::MAX] {
        let mut given = spec(&[Controllable], &[], &[]);
        given.horizon_us = Some(given_us);
        assert_eq!(
            errors(&given),
            [NetworkError::HorizonOutOfRange { given_us }]
        );
    }
    for good in [0, TIME_MAX_US] {
        let mut given = spec(&[Uncontrollable], &[], &[]);
        given.horizon_us = Some(good);
        assert_eq!(errors(&given), []);
    }
}

#[test]
fn contingent_links_end_at_events_of_nature_each_at_its_own() {
    let times = [
        takes(0, 1, 0, 1),
        takes(1, 2, 0, 1),
        takes(0, 2, 0, 1),
        takes(2, 0, 0, 1),
    ];
    let expected = [
        NetworkError::NotNatures {
            contingent: 0,
            node: 1,
        },
        NetworkError::NotNatures {
            contingent: 3,
            node: 0,
        },
        NetworkError::TwoContingent {
            first: 1,
            second: 2,
            node: 2,
        },
        NetworkError::NoContingent { node: 3 },
    ];
    let given = spec(&[Controllable, Nature, Nature], &[], &times);
    let mut found = errors(&given);
    // The origin is made to wait for event 1, which waits for the origin: a cycle besides.
    found.retain(|error| !matches!(error, NetworkError::ContingentCycle { .. }));
    assert_eq!(found, expected);
}

#[test]
fn each_cycle_of_contingent_links_is_reported_once() {
    let owners = [Nature, Nature, Nature, Nature, Nature];
    let times = [
        takes(2, 1, 1, 2),
        takes(3, 2, 1, 2),
        takes(2, 3, 1, 2),
        takes(5, 4, 1, 2),
        takes(4, 5, 1, 2),
    ];
    let found = errors(&spec(&owners, &[], &times));
    let cycle = |contingent| NetworkError::ContingentCycle { contingent };
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.contains(&cycle(1)) || found.contains(&cycle(2)));
    assert!(found.contains(&cycle(3)) || found.contains(&cycle(4)));
}

#[test]
fn a_chain_of_contingent_links_is_no_cycle() {
    let times = [takes(2, 1, 0, 2), takes(3, 2, 0, 0), takes(0, 3, 1, 2)];
    assert_eq!(errors(&spec(&[Nature; 3], &[], &times)), []);
}

#[test]
fn teammates_and_nature_do_not_mix() {
    let mut given = spec(&[Controllable, Nature, Uncontrollable], &[], &[]);
    given.contingent = vec![takes(1, 2, 0, 1)];
    given.horizon_us = Some(10);
    let expected = NetworkError::TeammatesAndNature {
        teammate: 3,
        nature: 2,
    };
    assert_eq!(errors(&given), [expected]);
}

#[test]
fn with_teammates_every_event_needs_both_ends_of_a_window() {
    let owners = [Controllable, Uncontrollable, Uncontrollable];
    let upper = Link {
        from: 2,
        to: 3,
        lower_us: None,
        upper_us: Some(4),
    };
    let no = |node, missing| NetworkError::NoWindow { node, missing };
    let expected = [
        no(2, Missing::Earliest),
        no(2, Missing::Latest),
        no(3, Missing::Earliest),
        no(3, Missing::Latest),
    ];
    let first = link(0, 1, 0, 5);
    assert_eq!(errors(&spec(&owners, &[first, upper], &[])), expected);
    // An upper bound on the way from the origin gives latest times only.
    let second = Link {
        from: 1,
        to: 2,
        ..upper
    };
    assert_eq!(
        errors(&spec(&owners, &[first, second, upper], &[])),
        [no(2, Missing::Earliest), no(3, Missing::Earliest)]
    );
    assert_eq!(
        errors(&spec(
            &owners,
            &[first, second, link(0, 3, 1, 9), link(3, 2, -3, 0)],
            &[]
        )),
        []
    );
}

#[test]
fn without_teammates_no_window_is_needed() {
    assert_eq!(errors(&spec(&[Controllable; 3], &[], &[])), []);
}

#[test]
fn bounds_come_in_order_with_where_they_come_from() {
    use temporal::problem::Source;
    let mut given = spec(&[Controllable, Nature], &[link(0, 1, -3, 5)], &[]);
    given.contingent = vec![takes(1, 2, 2, 4)];
    given.horizon_us = Some(9);
    let network = Network::new(given).unwrap();
    let found: Vec<_> = network
        .bounds()
        .map(|b| (b.from, b.to, b.weight_us, b.source))
        .collect();
    let expected = [
        (0, 1, 5, Source::LinkUpper(0)),
        (1, 0, 3, Source::LinkLower(0)),
        (1, 2, 4, Source::ContingentUpper(0)),
        (2, 1, -2, Source::ContingentLower(0)),
        (0, 1, 9, Source::Horizon(1)),
        (1, 0, 0, Source::Start(1)),
        (0, 2, 9, Source::Horizon(2)),
        (2, 0, 0, Source::Start(2)),
    ];
    assert_eq!(found, expected);
}

/// What is accepted is answered: the engine behind the questions has no tighter limits.
#[test]
fn durations_that_together_are_too_long_are_refused_and_all_others_are_answered() {
    use anytime::{Control, Limits};
    use temporal::plan::Level;
    let ends = [Nature, Nature];
    let rest = DURATIONS_MAX_US - TIME_MAX_US;
    let with = |last| {
        let links = [takes(0, 1, 0, TIME_MAX_US), takes(1, 2, 0, last)];
        spec(&ends, &[link(0, 2, 0, 1)], &links)
    };
    assert_eq!(
        errors(&with(rest + 1)),
        [NetworkError::DurationsTooLong {
            contingent: 1,
            sum_us: DURATIONS_MAX_US + 1,
        }]
    );
    let network = Network::new(with(rest)).unwrap();
    let mut reported = Vec::new();
    let mut sink =
        |found: &Vec<temporal::LevelFinding>, _: temporal::Undecided| reported = found.clone();
    let mut control = Control::new(Limits::iterations(1_000), 1, &mut sink);
    let params = temporal::LevelsParams {
        levels: vec![
            Level::Consistent,
            Level::Weak,
            Level::Dynamic,
            Level::Strong,
        ],
        detail: temporal::Detail::default(),
    };
    temporal::solve::check_levels(&network, &params, &mut control).unwrap();
    assert_eq!(reported.len(), 4);
    assert_eq!(
        temporal::verify::levels(&network, &reported).map(|open| open.questions),
        Ok(0)
    );
}
