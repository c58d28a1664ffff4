//! The paper's example, and what its text leaves open.

use anytime::Fault;
use temporal::plan::Range;
use temporal::problem::{Link, Micros, Owner, Spec};
use temporal::verify::strong;
use temporal::{Network, Schedule};

use Owner::{Controllable, Uncontrollable};

/// Figure 1, in microseconds for seconds: nodes 1 to 3 are C0 to C2, 4 to 6 are U0 to U2.
fn figure_1() -> Network {
    let links = vec![
        Link::new(0, 1, 0, 5),
        Link::new(0, 4, 0, 10),
        Link::new(1, 2, 4, 5),
        Link::new(4, 2, 2, 8),
        Link::new(2, 5, 1, 3),
        Link::new(5, 3, 0, 5),
        Link::new(3, 6, 2, 8),
        Link::new(5, 6, 4, 6),
        Link::new(0, 6, 0, 11),
    ];
    Network::new(Spec {
        owners: [[Controllable; 3], [Uncontrollable; 3]].concat(),
        links,
        ..Spec::default()
    })
    .expect("it is valid")
}

/// Code, field and text of each fault.
fn written(faults: Vec<Fault>) -> Vec<String> {
    let faults = faults.into_iter();
    faults
        .map(|fault| format!("{} {fault}", fault.code))
        .collect()
}

/// What each teammate's event may do when C0 to C2 are at these times.
fn ranges(times: [Micros; 3]) -> Result<[(Micros, Micros); 3], Vec<String>> {
    let ours = [0].into_iter().chain(times).map(Some);
    let times_us = ours.chain([None; 3]).collect();
    let all = strong(&figure_1(), &Schedule { times_us }).map_err(written)?;
    let range = |node: usize| (all[node].earliest_us, all[node].latest_us);
    Ok([range(4), range(5), range(6)])
}

#[test]
fn figure_3_is_right() {
    // U0 in [0, 3], U1 in [6, 7], U2 at 11.
    assert_eq!(ranges([0, 5, 9]), Ok([(0, 3), (6, 7), (11, 11)]));
}

#[test]
fn the_witness_is_not_unique() {
    assert_eq!(ranges([1, 6, 7]), Ok([(0, 4), (7, 7), (11, 11)]));
    assert_eq!(ranges([0, 5, 7]), Ok([(0, 3), (6, 7), (10, 11)]));
}

#[test]
fn ranges_of_our_nodes_are_their_times() {
    let times_us = [0, 0, 5, 9]
        .map(Some)
        .into_iter()
        .chain([None; 3])
        .collect();
    let all = strong(&figure_1(), &Schedule { times_us }).unwrap();
    let point = |time| Range {
        earliest_us: time,
        latest_us: time,
    };
    assert_eq!(all[..4], [point(0), point(0), point(5), point(9)]);
}

#[test]
fn our_events_can_come_too_early_and_too_late_for_a_teammate() {
    // C2 may not come before U1, which may take until 7.
    let too_early = "TOO_EARLY events[2] node 3 is at 0.000006 s, \
                     but node 5 may need 0.000007 s or later";
    assert_eq!(ranges([0, 5, 6]), Err(vec![too_early.to_owned()]));
    // U0 may happen at 0, and then C0 has 2 left.
    let too_late = "TOO_LATE events[0] node 1 is at 0.000003 s, \
                    but node 4 may need 0.000002 s or earlier";
    assert!(
        ranges([3, 7, 9])
            .unwrap_err()
            .contains(&too_late.to_owned())
    );
}

#[test]
fn at_a_tie_a_teammate_decides_before_it_sees_what_comes_later() {
    // U1 in [0, 1] comes before C0: were C0 at 0, U1 could still wait.
    let network = |times: Micros| {
        let spec = Spec {
            owners: vec![Controllable, Uncontrollable],
            links: vec![
                Link::new(0, 1, 0, 1),
                Link::new(0, 2, 0, 1),
                Link {
                    upper_us: None,
                    ..Link::new(2, 1, 0, 0)
                },
            ],
            ..Spec::default()
        };
        let times_us = vec![Some(0), Some(times), None];
        strong(&Network::new(spec).unwrap(), &Schedule { times_us })
    };
    let too_early = "TOO_EARLY events[0] node 1 is at 0 s, but node 2 may need 0.000001 s or later";
    assert_eq!(network(0).map_err(written), Err(vec![too_early.to_owned()]));
    assert!(network(1).is_ok());
}

#[test]
fn events_that_are_always_together_stand_in_a_row() {
    // All at one moment: ours leads, the teammates follow, in a cycle of equal bounds.
    let owners = vec![Uncontrollable, Uncontrollable, Controllable, Uncontrollable];
    let links = vec![
        Link::new(1, 2, 0, 0),
        Link::new(2, 3, 0, 0),
        Link::new(3, 4, 0, 0),
    ];
    let spec = Spec {
        owners,
        links,
        horizon_us: Some(9),
        ..Spec::default()
    };
    let times_us = vec![Some(0), None, None, Some(4), None];
    let found = strong(&Network::new(spec).unwrap(), &Schedule { times_us });
    let found = found.unwrap();
    assert!(
        found[1..]
            .iter()
            .all(|range| (range.earliest_us, range.latest_us) == (4, 4))
    );
}

#[test]
fn what_is_no_schedule_is_refused() {
    let network = figure_1();
    let strong = |times_us: Vec<Option<Micros>>| strong(&network, &Schedule { times_us });
    let codes = |times| -> Vec<_> {
        let faults = strong(times).unwrap_err();
        faults.iter().map(|fault| fault.code).collect()
    };
    assert_eq!(codes(vec![]), ["SHAPE"]);
    let times = vec![
        Some(1),
        Some(Micros::MIN),
        None,
        Some(Micros::MAX),
        Some(2),
        None,
        None,
    ];
    let expected = [
        "TIME_OUT_OF_RANGE",
        "TIME_OUT_OF_RANGE",
        "TIME_MISSING",
        "TIME_OUT_OF_RANGE",
        "TIME_FOREIGN",
    ];
    assert_eq!(codes(times), expected);
    // As far out as a schedule may be: no overflow.
    let far = Some(1 << 60);
    assert!(
        strong(vec![
            Some(0),
            far,
            far,
            far.map(|far: Micros| -far),
            None,
            None,
            None
        ])
        .is_err()
    );
}
