//! How distances and travel times are rounded.

use allocation::problem::{MICRO, SPEED_MAX_MICRO, SPEED_MIN_MICRO, TIME_MAX_US};
use allocation::travel::{Rounding, Travel};
use proptest::prelude::*;

/// floor(sqrt(value)) by bisection, in whole numbers only.
fn root(value: i128) -> i128 {
    let (mut low, mut high) = (0_i128, 1_i128 << 50);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle * middle <= value {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

proptest! {
    /// Between whole coordinates the conventions on rounding are exact.
    #[test]
    fn distances_are_rounded_as_integers_say(
        ax in -1_000_000_i64..=1_000_000, ay in -1_000_000_i64..=1_000_000,
        bx in -1_000_000_i64..=1_000_000, by in -1_000_000_i64..=1_000_000,
        near in 1_i64..=1_000_000,
    ) {
        // Any two places of the plane, and two that are close together.
        for (dx, dy) in [(bx - ax, by - ay), (bx % near, by % near)] {
            let points = [(ax as f64, ay as f64), ((ax + dx) as f64, (ay + dy) as f64)];
            prop_assume!(points[1].0.abs() <= 1e6 && points[1].1.abs() <= 1e6);
            let squared = i128::from(dx * dx + dy * dy);
            let distance = |rounding| {
                let travel = Travel::euclidean(&points, rounding);
                assert_eq!(travel.duration_us(1, 0), travel.duration_us(0, 1));
                assert_eq!(travel.cost_micro(0, 1), travel.duration_us(0, 1).unwrap());
                i128::from(travel.cost_micro(0, 1))
            };
            let tenths = root(100 * squared) * 100_000;
            prop_assert_eq!(distance(Rounding::OneDecimalDown), tenths);
            prop_assert_eq!(distance(Rounding::IntegerDown), root(squared) * 1_000_000);
            let nearest = (root(4 * squared) + 1) / 2 * 1_000_000;
            prop_assert_eq!(distance(Rounding::IntegerNearest), nearest);
            // In doubles: the nearest millionth, or next to it where both are as good but for a
            // thousandth of it.
            let exact = distance(Rounding::Exact);
            let between = root(4 * squared * 1_000_000_000_000);
            prop_assert!((2 * exact - between).abs() <= 2, "{exact} for sqrt({squared})");
        }
    }

    /// Travel times are divided by the speed and rounded up, however long the way.
    #[test]
    fn travel_times_are_rounded_up(
        duration_us in prop_oneof![
            0..1_000_i64, 0..=TIME_MAX_US, 8_999_999_999_000..9_000_000_001_000_i64,
        ],
        speed_micro in prop_oneof![SPEED_MIN_MICRO..=SPEED_MAX_MICRO, Just(MICRO)],
    ) {
        let durations_us = vec![duration_us];
        let travel = Travel { locations: 1, durations_us, costs_micro: None, lines: None };
        let travel_us = i128::from(travel.duration_at_us(0, 0, speed_micro).unwrap());
        let (scaled, speed) = (i128::from(duration_us) * 1_000_000, i128::from(speed_micro));
        prop_assert!(travel_us * speed >= scaled);
        prop_assert!((travel_us - 1) * speed < scaled);
    }
}

/// Solomon's C101: depot (40, 50), customers 1 (45, 68) and 2 (45, 70). sqrt(349) = 18.68..,
/// sqrt(425) = 20.61..
#[test]
fn distances_of_a_published_instance_are_truncated_to_one_decimal() {
    let points = [(40.0, 50.0), (45.0, 68.0), (45.0, 70.0)];
    let travel = Travel::euclidean(&points, Rounding::OneDecimalDown);
    let tenths = |from, to| travel.cost_micro(from, to) / 100_000;
    assert_eq!([tenths(0, 1), tenths(0, 2), tenths(1, 2)], [186, 206, 20]);
    // Truncation breaks the triangle inequality: that is why nothing here relies on it.
    let points = [(0.0, 0.0), (2.0, 2.0), (4.0, 4.0)];
    let travel = Travel::euclidean(&points, Rounding::IntegerDown);
    let units = |from, to| travel.cost_micro(from, to) / MICRO;
    assert_eq!([units(0, 1), units(1, 2), units(0, 2)], [2, 2, 5]);
}
