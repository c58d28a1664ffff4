//! Durations as people write them.

use std::time::Duration;

/// Ten years of 365 days, in microseconds: the longest time in a problem.
const TIME_MAX_US: i64 = 10 * 365 * 86_400 * 1_000_000;
/// The longest budget that a request may name: 24 hours.
const BUDGET_MAX: Duration = Duration::from_secs(86_400);

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

/// Microseconds in a span of time such as `250ms`, `2s`, `1.5s`, `90`, `10m`, `1h`: 0 to ten years,
/// whole microseconds.
///
/// # Errors
/// A sentence for the user.
pub fn parse_span(text: &str) -> Result<i64, String> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit_us: i128 = match unit.trim() {
        "us" | "µs" => 1,
        "ms" => 1_000,
        "s" | "" => 1_000_000,
        "m" | "min" => 60_000_000,
        "h" => 3_600_000_000,
        _ => return Err("a number with a unit is wanted: us, ms, s, m or h, as in 250ms".into()),
    };
    let millionths = millionths(number)
        .ok_or("a number with at most 6 decimals is wanted, as in 250ms or 1.5s")?;
    let product = millionths.saturating_mul(unit_us);
    let longer = || "longer than ten years".to_owned();
    if product > i128::from(TIME_MAX_US) * 1_000_000 {
        return Err(longer());
    }
    if product % 1_000_000 != 0 {
        return Err("finer than a microsecond".into());
    }
    i64::try_from(product / 1_000_000).map_err(|_| longer())
}

/// A time budget, written like a [span](parse_span): above 0, at most 24 hours.
///
/// # Errors
/// A sentence for the user.
pub fn parse_budget(text: &str) -> Result<Duration, String> {
    let micros = parse_span(text)?;
    // At least 0.
    let budget = Duration::from_micros(micros.unsigned_abs());
    if budget.is_zero() || budget > BUDGET_MAX {
        return Err("a budget above 0 and at most 24h is wanted".into());
    }
    Ok(budget)
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
    fn budgets_take_units() {
        let ms = Duration::from_millis;
        for (text, budget) in [
            ("250ms", ms(250)),
            ("2s", ms(2_000)),
            ("1.5 s", ms(1_500)),
            ("90", ms(90_000)),
            ("10m", ms(600_000)),
            ("24h", BUDGET_MAX),
            ("1us", Duration::from_micros(1)),
        ] {
            assert_eq!(parse_budget(text), Ok(budget), "{text}");
        }
    }

    #[test]
    fn budgets_out_of_range_are_refused() {
        for text in ["0", "0ms", "25h", "-1s", "1.5us", "1d", "ms", "", "1e9s"] {
            assert!(parse_budget(text).is_err(), "{text}");
        }
    }

    #[test]
    fn spans_may_be_nothing_or_years() {
        assert_eq!(parse_span("0"), Ok(0));
        assert_eq!(parse_span("87600h"), Ok(TIME_MAX_US));
        assert_eq!(parse_span("315360000000000us"), Ok(TIME_MAX_US));
        for text in ["", "soon", "87601h", "-1s", "0.5us"] {
            assert!(parse_span(text).is_err(), "{text}");
        }
        let long = format!("{}h", "9".repeat(30));
        assert_eq!(parse_span(&long), Err("longer than ten years".into()));
    }
}
