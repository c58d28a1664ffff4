//! Invalid networks are refused, with all validation errors and the elements at fault.

use crate::searched::{ALL, levels_within};
use anytime::Limits;
use temporal::Network;
use temporal::problem::{
    CONTINGENT_MAX, Contingent, DURATIONS_MAX_US, EVENTS_MAX, LINKS_MAX, Link, Micros, Owner, Spec,
    TIME_MAX_US,
};

use Owner::{Controllable, Nature, Uncontrollable};

/// Field and code of each fault.
fn faults(spec: &Spec) -> Vec<String> {
    let faults = Network::new(spec.clone()).err().unwrap_or_default();
    let faults = faults.iter();
    faults
        .map(|fault| format!("{} {}", fault.field(), fault.code))
        .collect()
}

/// Owners, links, contingent links, no horizon.
fn spec(owners: &[Owner], links: &[Link], contingent: &[Contingent]) -> Spec {
    Spec {
        owners: owners.to_vec(),
        links: links.to_vec(),
        contingent: contingent.to_vec(),
        horizon_us: None,
        progress: None,
    }
}

#[test]
fn a_network_without_events_is_refused() {
    assert_eq!(faults(&Spec::default()), ["events REQUIRED"]);
}

#[test]
fn sizes_are_judged_before_anything_else() {
    let many = Spec {
        owners: vec![Nature; EVENTS_MAX + 1],
        links: vec![Link::new(9, 9, 1, 0); LINKS_MAX + 1],
        contingent: vec![Contingent::new(9, 9, 1, 0); CONTINGENT_MAX + 1],
        horizon_us: Some(-1),
        progress: None,
    };
    let expected = [
        "events TOO_MANY",
        "links TOO_MANY",
        "contingent_links TOO_MANY",
    ];
    assert_eq!(faults(&many), expected);
}

#[test]
fn the_largest_network_is_allowed() {
    let events = EVENTS_MAX;
    let node = |index: usize| index % events;
    let links: Vec<_> = (0..LINKS_MAX)
        .map(|i| Link::new(node(i), node(i) + 1, -TIME_MAX_US, TIME_MAX_US))
        .collect();
    let largest = spec(&vec![Uncontrollable; events], &links, &[]);
    assert_eq!(faults(&largest), [""; 0]);
    assert_eq!(
        Network::new(largest).unwrap().bounds().count(),
        2 * LINKS_MAX
    );
}

#[test]
fn a_hundred_thousand_wrong_links_are_each_reported() {
    let wrong = spec(
        &[Controllable],
        &vec![Link::new(7, 7, 1, 0); LINKS_MAX],
        &[],
    );
    // Two unknown ends, a self loop, reversed bounds.
    assert_eq!(faults(&wrong).len(), 4 * LINKS_MAX);
}

#[test]
fn links_are_judged_by_ends_and_bounds_all_at_once() {
    let unbounded = Link::new(1, 2, None, None);
    let links = [Link::new(1, 9, 5, 4), Link::new(2, 2, 0, 1), unbounded];
    let expected = [
        "links[0] UNKNOWN",
        "links[0].upper REVERSED",
        "links[1].to_event_id SELF_LOOP",
        "links[2] REQUIRED",
    ];
    assert_eq!(faults(&spec(&[Controllable; 2], &links, &[])), expected);
}

#[test]
fn extreme_bounds_are_refused_without_overflow() {
    let links = [Link::new(0, 1, Micros::MIN, Micros::MAX)];
    let times = [Contingent::new(1, 2, Micros::MIN, Micros::MAX)];
    let expected = [
        "links[0] OUT_OF_RANGE",
        "links[0] OUT_OF_RANGE",
        "contingent_links[0] OUT_OF_RANGE",
        "contingent_links[0] OUT_OF_RANGE",
        "contingent_links[0].lower OUT_OF_RANGE",
    ];
    let given = spec(&[Controllable, Nature], &links, &times);
    assert_eq!(faults(&given), expected);
    assert_eq!(
        faults(&spec(
            &[Controllable],
            &[Link::new(0, 1, 0, TIME_MAX_US + 1)],
            &[]
        )),
        ["links[0] OUT_OF_RANGE"]
    );
}

#[test]
fn a_horizon_is_from_nothing_to_the_longest_time() {
    for given_us in [-1, TIME_MAX_US + 1, Micros::MIN, Micros::MAX] {
        let mut given = spec(&[Controllable], &[], &[]);
        given.horizon_us = Some(given_us);
        assert_eq!(faults(&given), ["horizon_offset OUT_OF_RANGE"]);
    }
    for good in [0, TIME_MAX_US] {
        let mut given = spec(&[Uncontrollable], &[], &[]);
        given.horizon_us = Some(good);
        assert_eq!(faults(&given), [""; 0]);
    }
}

#[test]
fn contingent_links_end_at_events_of_nature_each_at_its_own() {
    let times = [
        Contingent::new(0, 1, 0, 1),
        Contingent::new(1, 2, 0, 1),
        Contingent::new(0, 2, 0, 1),
        Contingent::new(2, 0, 0, 1),
    ];
    let expected = [
        "contingent_links[0].to_event_id CONTRADICTION",
        "contingent_links[3].to_event_id CONTRADICTION",
        "contingent_links[2].to_event_id DUPLICATE",
        "events[2] CONTRADICTION",
    ];
    let given = spec(&[Controllable, Nature, Nature], &[], &times);
    let mut found = faults(&given);
    // The origin is made to wait for event 1, which waits for the origin: a cycle besides.
    found.retain(|fault| !fault.ends_with("CIRCULAR"));
    assert_eq!(found, expected);
}

#[test]
fn each_cycle_of_contingent_links_is_reported_once() {
    let owners = [Nature, Nature, Nature, Nature, Nature];
    let times = [
        Contingent::new(2, 1, 1, 2),
        Contingent::new(3, 2, 1, 2),
        Contingent::new(2, 3, 1, 2),
        Contingent::new(5, 4, 1, 2),
        Contingent::new(4, 5, 1, 2),
    ];
    let found = faults(&spec(&owners, &[], &times));
    let cycle = |link| format!("contingent_links[{link}] CIRCULAR");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.contains(&cycle(1)) || found.contains(&cycle(2)));
    assert!(found.contains(&cycle(3)) || found.contains(&cycle(4)));
}

#[test]
fn a_chain_of_contingent_links_is_no_cycle() {
    let times = [
        Contingent::new(2, 1, 0, 2),
        Contingent::new(3, 2, 0, 0),
        Contingent::new(0, 3, 1, 2),
    ];
    assert_eq!(faults(&spec(&[Nature; 3], &[], &times)), [""; 0]);
}

#[test]
fn teammates_and_nature_do_not_mix() {
    let mut given = spec(&[Controllable, Nature, Uncontrollable], &[], &[]);
    given.contingent = vec![Contingent::new(1, 2, 0, 1)];
    given.horizon_us = Some(10);
    let expected = "contingent_links CONTRADICTION";
    assert_eq!(faults(&given), [expected]);
}

#[test]
fn with_teammates_every_event_needs_both_ends_of_a_window() {
    let owners = [Controllable, Uncontrollable, Uncontrollable];
    let upper = Link::new(2, 3, None, 4);
    let expected = [
        "events[1] UNBOUNDED",
        "events[1] UNBOUNDED",
        "events[2] UNBOUNDED",
        "events[2] UNBOUNDED",
    ];
    let first = Link::new(0, 1, 0, 5);
    assert_eq!(faults(&spec(&owners, &[first, upper], &[])), expected);
    // An upper bound on the way from the origin gives latest times only.
    let second = Link {
        from: 1,
        to: 2,
        ..upper
    };
    assert_eq!(
        faults(&spec(&owners, &[first, second, upper], &[])),
        ["events[1] UNBOUNDED", "events[2] UNBOUNDED"]
    );
    assert_eq!(
        faults(&spec(
            &owners,
            &[first, second, Link::new(0, 3, 1, 9), Link::new(3, 2, -3, 0)],
            &[]
        )),
        [""; 0]
    );
}

#[test]
fn without_teammates_no_window_is_needed() {
    assert_eq!(faults(&spec(&[Controllable; 3], &[], &[])), [""; 0]);
}

#[test]
fn bounds_come_in_order_with_where_they_come_from() {
    use temporal::problem::Source;
    let mut given = spec(&[Controllable, Nature], &[Link::new(0, 1, -3, 5)], &[]);
    given.contingent = vec![Contingent::new(1, 2, 2, 4)];
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
    let ends = [Nature, Nature];
    let rest = DURATIONS_MAX_US - TIME_MAX_US;
    let with = |last| {
        let links = [
            Contingent::new(0, 1, 0, TIME_MAX_US),
            Contingent::new(1, 2, 0, last),
        ];
        spec(&ends, &[Link::new(0, 2, 0, 1)], &links)
    };
    assert_eq!(
        faults(&with(rest + 1)),
        ["contingent_links[1].upper OVERFLOW"]
    );
    let network = Network::new(with(rest)).unwrap();
    let found = levels_within(&network, &ALL, Limits::iterations(1_000)).unwrap();
    assert_eq!(found.cost().map(|open| open.questions), Some(0));
    assert_eq!(found.plan().map(|findings| findings.len()), Some(4));
}
