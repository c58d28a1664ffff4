//! Durations as people write them.

use std::time::Duration;

pub use formats::durations::parse_span;

/// The longest budget that a request may name: 24 hours.
const BUDGET_MAX: Duration = Duration::from_secs(86_400);

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
    fn budgets_take_units() {
        let ms = Duration::from_millis;
        for (text, budget) in [
            ("250ms", ms(250)),
            ("2s", ms(2_000)),
            ("1.5 s", ms(1_500)),
            ("90", ms(90_000)),
            ("10m", ms(600_000)),
            ("24h", BUDGET_MAX),
            ("1d", BUDGET_MAX),
            ("1h 30min", ms(5_400_000)),
            ("1us", Duration::from_micros(1)),
        ] {
            assert_eq!(parse_budget(text), Ok(budget), "{text}");
        }
    }

    #[test]
    fn budgets_out_of_range_are_refused() {
        for text in ["0", "0ms", "25h", "-1s", "1.5us", "2d", "ms", "", "1e9s"] {
            assert!(parse_budget(text).is_err(), "{text}");
        }
    }
}
