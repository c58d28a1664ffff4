//! Durations as people write them.

use std::time::Duration;

/// Ten years of 365 days, in microseconds: the longest time in a problem.
const TIME_MAX_US: i64 = 10 * 365 * 86_400 * 1_000_000;

/// Microseconds in a decimal number of seconds, 0 to ten years, at most 6 decimals.
///
/// Exact: no binary fractions on the way. `None` for anything else, signs and exponents included.
#[must_use]
pub fn parse_seconds(text: &str) -> Option<i64> {
    let micros = i64::try_from(millionths(text)?).ok()?;
    Some(micros).filter(|us| *us <= TIME_MAX_US)
}

/// Millionths in a decimal number of at most 6 decimals.
fn millionths(text: &str) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let fraction = fraction.trim_end_matches('0');
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 6 {
        return None;
    }
    let fraction = format!("{fraction:0<6}").parse::<i128>().ok()?;
    let whole = whole.parse::<i128>().ok()?.checked_mul(1_000_000)?;
    whole.checked_add(fraction)
}

/// Microseconds in a span of time such as `250ms`, `1.5s`, `10m`, `1h 30min`, or in seconds without
/// a unit, as the server reads them: 0 to ten years, whole microseconds.
///
/// # Errors
/// A sentence for the user.
pub fn parse_span(text: &str) -> Result<i64, String> {
    let span =
        duration(text).ok_or("a number with a unit is wanted, as in 250ms, 1.5s, 10min or 1h")?;
    let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
    if micros > TIME_MAX_US {
        return Err("longer than ten years".into());
    }
    if span.subsec_nanos() % 1_000 != 0 {
        return Err("finer than a microsecond".into());
    }
    Ok(micros)
}

/// A time such as `250ms`, `1.5s`, `10m` or `1h 30min`, or in seconds without a unit.
#[must_use]
pub fn duration(text: &str) -> Option<Duration> {
    let read = match humantime::parse_duration(text) {
        Err(humantime::DurationError::UnknownUnit { unit, .. }) if unit.is_empty() => {
            humantime::parse_duration(&format!("{text}s"))
        }
        read => read,
    };
    read.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact_decimals() {
        assert_eq!(parse_seconds("12.5"), Some(12_500_000));
        assert_eq!(parse_seconds("0.000001"), Some(1));
        assert_eq!(parse_seconds("7.10000000"), Some(7_100_000));
        assert_eq!(parse_seconds("315360000"), Some(TIME_MAX_US));
    }

    #[test]
    fn what_is_no_plain_decimal_of_seconds_is_refused() {
        for text in [
            "",
            ".",
            ".5",
            "-1",
            "+1",
            "1e3",
            "1.0000001",
            "NaN",
            "inf",
            "315360000.000001",
            "99999999999999999999",
            "1.2.3",
            "１",
        ] {
            assert_eq!(parse_seconds(text), None, "{text}");
        }
    }

    #[test]
    fn spans_may_be_nothing_or_years() {
        assert_eq!(parse_span("0"), Ok(0));
        assert_eq!(parse_span("87600h"), Ok(TIME_MAX_US));
        assert_eq!(parse_span("315360000000000us"), Ok(TIME_MAX_US));
        let long = format!("{}h", "9".repeat(30));
        for text in ["", "soon", "87601h", "-1s", "0.5us", "5u", &long] {
            assert!(parse_span(text).is_err(), "{text}");
        }
    }
}
