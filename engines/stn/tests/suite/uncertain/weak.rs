//! Weak controllability, against a look at each corner.

use super::dynamic::yes;
use crate::uncertain::networks::{has_schedule, meetings, small};
use proptest::prelude::*;
use stn::Edge;
use stn::uncertain::{Contingent, Stnu, Verdict, consistent, dynamic, weak};

/// Whether these durations leave a schedule.
fn leaves_a_schedule(network: &Stnu, durations: &[i64]) -> bool {
    const FAR: i64 = i64::MAX / 4;
    let events = network.events();
    let mut distance = vec![vec![FAR; events]; events];
    let mut shorten = |from: u32, to: u32, weight: i64| {
        let cell = &mut distance[from as usize][to as usize];
        *cell = weight.min(*cell);
    };
    for edge in network.requirements() {
        shorten(edge.from, edge.to, edge.weight);
    }
    for (link, duration) in network.contingents().iter().zip(durations) {
        shorten(link.from, link.to, *duration);
        shorten(link.to, link.from, -duration);
    }
    has_schedule(distance)
}

fn corner(network: &Stnu, bits: u32) -> Vec<i64> {
    let links = network.contingents().iter().enumerate();
    links
        .map(|(index, link)| {
            if bits & (1 << index) == 0 {
                link.lower
            } else {
                link.upper
            }
        })
        .collect()
}

#[test]
fn weak_controllability_is_a_schedule_in_every_corner() {
    let (mut holding, mut only_weak) = (0, 0);
    for seed in 0..3_000 {
        let network = if seed % 2 == 0 {
            small(seed)
        } else {
            meetings(seed)
        };
        let corners = 1 << network.contingents().len();
        let expected =
            (0..corners).all(|bits| leaves_a_schedule(&network, &corner(&network, bits)));
        match weak(&network, u64::MAX, &mut yes()) {
            Verdict::Holds(()) => {
                assert!(expected, "seed {seed}");
                holding += 1;
                only_weak += i32::from(dynamic(&network, &mut yes()).fails());
            }
            Verdict::Fails(durations) => {
                assert!(!expected, "seed {seed}");
                assert!(!leaves_a_schedule(&network, &durations), "seed {seed}");
                let links = network.contingents().iter().zip(&durations);
                for (link, duration) in links {
                    assert!([link.lower, link.upper].contains(duration), "seed {seed}");
                }
            }
            Verdict::Stopped => panic!("nothing stopped it"),
        }
    }
    assert!((600..2_400).contains(&holding), "{holding}");
    assert!(only_weak > 50, "{only_weak}");
}

/// Meetings without slack, each at the end of an uncertain link of its own; `tied` together by a
/// day that is long enough, or not.
fn meetings_after_links(count: u32, tied: bool) -> Stnu {
    let mut edges = Vec::new();
    let mut links = Vec::new();
    for link in 0..count {
        let (end, meeting) = (1 + 2 * link, 2 + 2 * link);
        links.push(Contingent::new(0, end, 1, 9, link));
        edges.push(Edge::new(end, meeting, -1, link));
        edges.push(Edge::new(meeting, end, 1, link));
        if tied {
            edges.push(Edge::new(0, meeting, 30, link));
            edges.push(Edge::new(meeting, 2 + 2 * ((link + 1) % count), 30, link));
        }
    }
    Stnu::new(1 + 2 * count as usize, edges, links).unwrap()
}

#[test]
fn a_limit_ends_in_unknown() {
    let network = meetings_after_links(10, true);
    assert_eq!(weak(&network, 3, &mut yes()), Verdict::Stopped);
    assert_eq!(weak(&network, u64::MAX, &mut || false), Verdict::Stopped);
    assert_eq!(weak(&network, u64::MAX, &mut yes()), Verdict::Holds(()));
}

#[test]
fn ways_that_have_nothing_to_do_with_each_other_do_not_multiply() {
    let network = meetings_after_links(60, false);
    assert!(dynamic(&network, &mut yes()).fails());
    assert_eq!(weak(&network, 60 * 3, &mut yes()), Verdict::Holds(()));
}

proptest! {
    /// Weak is between consistent and dynamic.
    #[test]
    fn levels_imply_one_another(seed: u64) {
        let network = small(seed);
        let weak = weak(&network, u64::MAX, &mut yes()).holds();
        prop_assert!(!dynamic(&network, &mut yes()).holds() || weak);
        prop_assert!(!weak || consistent(&network).holds());
    }
}
