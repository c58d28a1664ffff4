//! The dispatcher, case by case: reports that are refused, deviations, and events of ours that are
//! reported. `proto/vectors/dispatch` has the cases that clients share.

use stn::dispatch::{
    Decision, Deviation, DispatchableNetwork, Dispatcher, NetworkError, Observation, Part,
    StepError,
};
use stn::uncertain::{Contingent, DispatchBound, Wait};

fn bound(from: u32, to: u32, weight: i64) -> DispatchBound {
    DispatchBound { from, to, weight }
}

fn link(from: u32, to: u32, lower: i64, upper: i64) -> Contingent {
    let id = 0;
    Contingent::new(from, to, lower, upper, id)
}

fn seen(event: u32, at: i64) -> Observation {
    Observation { event, at }
}

/// Events 1, ours, at least 5 after the origin and at most 9; 2, Nature's, 10 to 20 after 1; 3,
/// ours, after 2 or 15 after 1.
fn run() -> Dispatcher {
    let network = DispatchableNetwork {
        events: 4,
        bounds: &[bound(1, 0, -5), bound(0, 1, 9), bound(2, 3, 4)],
        waits: &[Wait {
            event: 3,
            link: 0,
            least: 15,
        }],
        links: &[link(1, 2, 10, 20)],
    };
    Dispatcher::new(&network).unwrap()
}

fn invalid(events: usize, waits: &[Wait], links: &[Contingent]) -> NetworkError {
    let bounds = &[bound(0, 1, 1 << 50), bound(1, 0, 0)];
    let network = DispatchableNetwork {
        events,
        bounds,
        waits,
        links,
    };
    Dispatcher::new(&network).unwrap_err()
}

#[test]
fn invalid_networks_are_refused() {
    let wait = |event, link, least| Wait { event, link, least };
    assert_eq!(invalid(0, &[], &[]), NetworkError::EventCount { given: 0 });
    let unknown = NetworkError::UnknownEvent {
        part: Part::Bound,
        index: 0,
        event: 1,
        events: 1,
    };
    assert_eq!(invalid(1, &[], &[]), unknown);
    let (index, links) = (0, 1);
    let far = NetworkError::TimeTooLarge {
        part: Part::Wait,
        index,
        time: 1 << 51,
    };
    assert_eq!(invalid(3, &[wait(1, 0, 1 << 51)], &[link(0, 2, 1, 2)]), far);
    let missing = NetworkError::UnknownLink {
        index,
        link: 1,
        links,
    };
    assert_eq!(invalid(3, &[wait(1, 1, 5)], &[link(0, 2, 1, 2)]), missing);
    let natures = NetworkError::WaitOfNature { index, event: 2 };
    assert_eq!(invalid(3, &[wait(2, 0, 5)], &[link(0, 2, 1, 2)]), natures);
    let range = NetworkError::LinkRange {
        index,
        lower: 3,
        upper: 2,
    };
    assert_eq!(invalid(3, &[], &[link(0, 2, 3, 2)]), range);
    let end = |index, event| NetworkError::LinkEnd { index, event };
    assert_eq!(invalid(3, &[], &[link(2, 0, 1, 2)]), end(0, 0));
    assert_eq!(
        invalid(3, &[], &[link(1, 2, 1, 2), link(0, 2, 1, 2)]),
        end(1, 2)
    );
}

#[test]
fn invalid_reports_change_nothing() {
    let mut run = run();
    assert_eq!(
        run.step(5, &[]).unwrap(),
        Decision {
            fire: vec![1],
            wake: Some(20)
        }
    );
    let refusals = [
        (4, vec![], StepError::Time { now: 4, last: 5 }),
        (
            1 << 51,
            vec![],
            StepError::Time {
                now: 1 << 51,
                last: 5,
            },
        ),
        (
            16,
            vec![seen(2, 16), seen(4, 16)],
            StepError::Unknown { event: 4 },
        ),
        (
            16,
            vec![seen(2, 16), seen(2, 16)],
            StepError::Repeated { event: 2 },
        ),
        (
            16,
            vec![seen(2, 16), seen(1, 16)],
            StepError::Repeated { event: 1 },
        ),
        (
            16,
            vec![seen(2, 17)],
            StepError::NotYet {
                event: 2,
                at: 17,
                now: 16,
            },
        ),
        (
            16,
            vec![seen(2, -1)],
            StepError::NotYet {
                event: 2,
                at: -1,
                now: 16,
            },
        ),
    ];
    for (now, observed, refusal) in refusals {
        assert_eq!(run.step(now, &observed), Err(refusal));
        assert_eq!(run.times(), [Some(0), Some(5), None, None]);
    }
    assert_eq!(run.step(16, &[seen(2, 15)]).unwrap().fire, [3]);
    assert!(run.is_over());
}

#[test]
fn a_report_of_an_event_of_ours_counts_from_its_time() {
    let (fire, wake) = (vec![], Some(23));
    assert_eq!(run().step(9, &[seen(1, 8)]), Ok(Decision { fire, wake }));
}

/// Event 2 is up to 5 after 1, which is ours, 3 is up to 5 after 2, and 4, ours, 9 after 1, or with
/// 3.
fn simultaneous() -> Dispatcher {
    let network = DispatchableNetwork {
        events: 5,
        bounds: &[bound(1, 0, -5)],
        waits: &[Wait {
            event: 4,
            link: 1,
            least: 9,
        }],
        links: &[link(1, 2, 0, 5), link(2, 3, 0, 5)],
    };
    Dispatcher::new(&network).unwrap()
}

#[test]
fn reports_of_one_time_count_in_the_order_of_links_and_waits() {
    let reports = [seen(4, 6), seen(3, 6), seen(2, 6), seen(1, 6)];
    for turn in 0..4 {
        let mut reports = reports;
        reports.rotate_left(turn);
        let mut run = simultaneous();
        assert_eq!(run.step(6, &reports).unwrap().fire, []);
        assert!(run.is_over());
    }
}

#[test]
fn the_first_of_the_events_of_one_time_deviates() {
    let outside = |event| StepError::Deviated(Deviation::Outside { event });
    let early = [seen(3, 4), seen(2, 4), seen(1, 4)];
    assert_eq!(simultaneous().step(4, &early), Err(outside(1)));
    let late = [seen(1, 5), seen(3, 11), seen(2, 11)];
    assert_eq!(simultaneous().step(11, &late), Err(outside(2)));
}

#[test]
fn a_deviation_ends_a_run() {
    let outside = |event| StepError::Deviated(Deviation::Outside { event });
    let late = |event, latest| StepError::Deviated(Deviation::Late { event, latest });
    let after = |now, observed: &[Observation]| {
        let mut run = run();
        run.step(5, &[]).unwrap();
        let error = run.step(now, observed).unwrap_err();
        assert_eq!(run.step(now, &[]), Err(error));
        error
    };
    assert_eq!(after(14, &[seen(2, 14)]), outside(2));
    assert_eq!(after(26, &[seen(2, 26)]), outside(2));
    assert_eq!(after(26, &[]), outside(2));
    // The end was seen 5 later than it happened: 3 should have followed within 4.
    assert_eq!(after(20, &[seen(2, 15)]), late(3, 19));
    assert_eq!(run().step(10, &[]), Err(late(1, 9)));
    assert_eq!(run().step(10, &[seen(1, 10)]), Err(late(1, 9)));
    assert_eq!(run().step(5, &[seen(1, 4)]), Err(outside(1)));
    assert_eq!(run().step(5, &[seen(3, 5)]), Err(outside(3)));
    assert_eq!(run().step(5, &[seen(2, 5)]), Err(outside(2)));
}

#[test]
fn a_network_in_which_events_wait_for_each_other_gets_stuck() {
    let bounds = &[bound(1, 2, -1), bound(2, 1, -1)];
    let network = DispatchableNetwork {
        events: 3,
        bounds,
        waits: &[],
        links: &[],
    };
    let mut run = Dispatcher::new(&network).unwrap();
    assert_eq!(run.step(0, &[]), Err(StepError::Deviated(Deviation::Stuck)));
}
