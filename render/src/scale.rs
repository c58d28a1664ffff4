//! Round moments for a time axis.

/// A second in microseconds.
const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Steps that people count in.
const STEPS: [i64; 45] = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    7 * DAY,
    14 * DAY,
    28 * DAY,
    91 * DAY,
    182 * DAY,
    365 * DAY,
    730 * DAY,
    3_650 * DAY,
];

/// The multiples of a round step in a span of time, at most `ticks_max` of them, or just one where
/// the span is longer than any step.
pub(crate) fn ticks(from_us: i64, to_us: i64, ticks_max: usize) -> Vec<i64> {
    // Wide, for plans that reach from one end of time to the other.
    let (from, to) = (i128::from(from_us), i128::from(to_us));
    let first = |step: i128| -(-from).div_euclid(step) * step;
    let count = |step: i128| 1 + (to - first(step)).div_euclid(step);
    let mut steps = STEPS.iter().map(|step| i128::from(*step));
    let Some(step) = steps.find(|step| count(*step) <= ticks_max as i128) else {
        return vec![from_us];
    };
    // Between the ends, so they fit.
    (0..count(step))
        .map(|i| (first(step) + i * step) as i64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let minutes = |m: &[i64]| m.iter().map(|m| m * MINUTE).collect::<Vec<_>>();
        assert_eq!(ticks(0, 1_236 * SECOND, 8), minutes(&[0, 5, 10, 15, 20]));
        assert_eq!(ticks(7 * MINUTE, 21 * MINUTE, 4), minutes(&[10, 15, 20]));
        assert_eq!(ticks(0, 0, 5), [0]);
        assert_eq!(ticks(-3, 2, 6), [-3, -2, -1, 0, 1, 2]);
    }

    #[test]
    fn a_span_beyond_all_steps_has_one_tick() {
        assert_eq!(ticks(5, i64::MAX / 4, 6), [5]);
    }
}
