//! All validation errors of an invalid network are reported.

use stn::Edge;
use stn::uncertain::{BOUND_MAX, Contingent, EVENTS_MAX, LinkIndex, Stnu, StnuError};

fn link(from: u32, to: u32, lower: i64, upper: i64) -> Contingent {
    Contingent::new(from, to, lower, upper, 0)
}

#[test]
fn every_mistake_is_named() {
    let requirements = vec![Edge::new(0, 9, 1, 0), Edge::new(1, 1, BOUND_MAX + 1, 0)];
    let contingents = vec![link(0, 1, -1, 3), link(2, 1, 4, 3), link(7, 7, 0, 0)];
    let errors = Stnu::new(3, requirements, contingents).unwrap_err();
    let (first, second) = (LinkIndex::Requirement(0), LinkIndex::Requirement(1));
    let third = LinkIndex::Contingent(2);
    let unknown = |link, event| StnuError::UnknownEvent {
        link,
        event,
        events: 3,
    };
    let expected = [
        unknown(first, 9),
        StnuError::SelfLoop {
            link: second,
            event: 1,
        },
        StnuError::BoundTooLarge {
            link: second,
            bound: BOUND_MAX + 1,
        },
        StnuError::LowerNegative {
            index: 0,
            lower: -1,
        },
        StnuError::LowerAboveUpper {
            index: 1,
            lower: 4,
            upper: 3,
        },
        unknown(third, 7),
        unknown(third, 7),
        StnuError::SelfLoop {
            link: third,
            event: 7,
        },
        StnuError::SharedEnd {
            event: 1,
            first: 0,
            second: 1,
        },
    ];
    assert_eq!(errors, expected);
}

#[test]
fn cycles_of_contingent_links_are_found_once_each() {
    // The first one hangs on the cycle of the next three.
    let links = [
        link(2, 3, 0, 1),
        link(0, 1, 0, 1),
        link(1, 2, 0, 1),
        link(2, 0, 0, 1),
        link(4, 5, 0, 1),
        link(5, 4, 0, 1),
    ];
    let errors = Stnu::new(6, vec![], links.to_vec());
    let expected = [
        StnuError::ContingentCycle { index: 1 },
        StnuError::ContingentCycle { index: 4 },
    ];
    assert_eq!(errors.unwrap_err(), expected);
    assert!(Stnu::new(6, vec![], vec![links[0], links[2], links[1], links[4]]).is_ok());
}

#[test]
fn sizes_are_limited() {
    let given = EVENTS_MAX + 1;
    let errors = Stnu::new(given, vec![], vec![]).unwrap_err();
    assert_eq!(errors, [StnuError::TooManyEvents { given }]);
    assert!(Stnu::new(EVENTS_MAX, vec![], vec![link(0, 1, 0, BOUND_MAX)]).is_ok());
    let long = vec![link(0, 1, 0, BOUND_MAX), link(0, 2, 0, 1)];
    let sum = i128::from(BOUND_MAX) + 1;
    let errors = Stnu::new(3, vec![], long).unwrap_err();
    assert_eq!(errors, [StnuError::DurationsTooLarge { sum }]);
}

#[test]
fn bounds_at_the_limit_do_not_overflow() {
    use crate::uncertain::rul;
    use stn::uncertain::{consistent, dynamic, strong};
    let events = EVENTS_MAX as u32;
    let edges = (1..events).flat_map(|event| {
        let weight = BOUND_MAX;
        let there = Edge::new(event - 1, event, -weight, event);
        [there, Edge::new(event, event - 1, weight, event)]
    });
    let contingents = vec![link(0, events - 1, 0, BOUND_MAX)];
    let network = Stnu::new(EVENTS_MAX, edges.collect(), contingents).unwrap();
    assert!(consistent(&network).fails());
    assert!(strong(&network).fails());
    assert!(dynamic(&network, &mut || true).fails());
    assert!(!rul::is_controllable(&network));
}
