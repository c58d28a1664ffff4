//! Game time: durations of the contract as microseconds and as text for people.

use prost_types::Duration;

/// Microseconds of a duration, rounded down, saturating; 0 when absent.
#[must_use]
pub fn micros(duration: Option<&Duration>) -> i64 {
    duration.map_or(0, |d| {
        let whole = d.seconds.saturating_mul(1_000_000);
        whole.saturating_add(i64::from(d.nanos.div_euclid(1_000)))
    })
}

/// A duration of this number of microseconds.
#[must_use]
pub fn from_micros(micros: i64) -> Duration {
    Duration {
        seconds: micros.div_euclid(1_000_000),
        // 0 to 999,999,000, so it fits.
        nanos: (micros.rem_euclid(1_000_000) * 1_000) as i32,
    }
}

/// A span of time for people, in the two largest units that say something: `250ms`, `12.5s`,
/// `2m05s`,
/// `3h07m`, `4d02h`.
///
/// Below a minute at most 3 digits after the point, above it whole seconds, minutes or hours,
/// rounded to the nearest.
///
/// # Examples
/// ```
/// use stratagem_render::time::span_text;
/// assert_eq!(span_text(12_500_000), "12.5s");
/// assert_eq!(span_text(125_400_000), "2m05s");
/// ```
#[must_use]
pub fn span_text(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let us = micros.unsigned_abs();
    // Rounded before the unit is chosen: 59.9996 s is a minute.
    let ms = round(us, 1_000);
    let text = match ms {
        _ if us == 0 => "0s".into(),
        _ if us < 1_000 => format!("{us}us"),
        _ if us < 10_000 => format!("{}ms", decimals(us, 3)),
        ..1_000 => format!("{ms}ms"),
        1_000..60_000 => format!("{}s", decimals(ms, 3)),
        60_000..3_599_500 => pair(round(us, 1_000_000), 60, ["m", "s"]),
        3_599_500..86_370_000 => pair(round(us, 60_000_000), 60, ["h", "m"]),
        _ => pair(round(us, 3_600_000_000), 24, ["d", "h"]),
    };
    format!("{sign}{text}")
}

/// `count / unit` to the nearest, halves up.
fn round(count: u64, unit: u64) -> u64 {
    count.saturating_add(unit / 2) / unit
}

/// `count` in thousandths, without zeros at the end.
fn decimals(count: u64, digits: usize) -> String {
    let text = format!("{}.{:0digits$}", count / 1_000, count % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `count` small units as large and small ones: `2m05s`, `2m`.
fn pair(count: u64, per: u64, [large, small]: [&str; 2]) -> String {
    match count % per {
        0 => format!("{}{large}", count / per),
        rest => format!("{}{large}{rest:02}{small}", count / per),
    }
}

/// Bounds of a difference, in microseconds, for people.
pub(crate) fn bounds_text(lower_us: Option<i64>, upper_us: Option<i64>) -> String {
    match (lower_us, upper_us) {
        (Some(lower), Some(upper)) if lower == upper => format!("exactly {}", span_text(lower)),
        (Some(lower), Some(upper)) => format!("{} to {}", span_text(lower), span_text(upper)),
        (Some(lower), None) => format!("at least {}", span_text(lower)),
        (None, Some(upper)) => format!("at most {}", span_text(upper)),
        (None, None) => "any".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_show_the_two_largest_units() {
        let second = 1_000_000;
        for (us, text) in [
            (0, "0s"),
            (7, "7us"),
            (1_500, "1.5ms"),
            (250_000, "250ms"),
            (999_600, "1s"),
            (12_345_678, "12.346s"),
            (59_999_700, "1m"),
            (60 * second, "1m"),
            (125_400_000, "2m05s"),
            (3_599_600_000, "1h"),
            (7_500 * second, "2h05m"),
            (86_399 * second, "1d"),
            (100 * 3_600 * second, "4d04h"),
            (-5 * second, "-5s"),
            (i64::MIN, "-106751991d04h"),
        ] {
            assert_eq!(span_text(us), text);
        }
    }

    #[test]
    fn micros_survive_the_way_to_a_duration_and_back() {
        for us in [0, 1, 999_999, 1_000_000, 86_400_000_001, -1, -1_000_001] {
            assert_eq!(micros(Some(&from_micros(us))), us);
        }
        assert_eq!(micros(None), 0);
    }

    #[test]
    fn absurd_durations_saturate() {
        let absurd = Duration {
            seconds: i64::MAX,
            nanos: i32::MAX,
        };
        assert_eq!(micros(Some(&absurd)), i64::MAX);
    }
}
