//! Numbers for people.

use stratagem_render::time::span_text;

/// A number with thousands separators and at most 2 decimals, more where it would be 0 otherwise.
#[must_use]
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let small = value != 0.0 && value.abs() < 0.01;
    let text = if small {
        format!("{value:.6}")
    } else {
        format!("{value:.2}")
    };
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let (sign, digits) = match text.strip_prefix('-') {
        Some("0") => ("", "0"),
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    format!("{sign}{}{fraction}", grouped(whole))
}

/// A whole number with thousands separators.
#[must_use]
pub fn count(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(&value.unsigned_abs().to_string()))
}

/// A count in three digits, with k, M or G: for lines that change all the time.
#[must_use]
pub fn short_count(value: i64) -> String {
    let scaled = |unit: i64, name: &str| {
        let tenths = value / (unit / 10);
        match tenths {
            0..100 => format!("{}.{}{name}", tenths / 10, tenths % 10),
            _ => format!("{}{name}", tenths / 10),
        }
    };
    match value {
        ..10_000 => count(value),
        10_000..1_000_000 => scaled(1_000, "k"),
        1_000_000..1_000_000_000 => scaled(1_000_000, "M"),
        _ => scaled(1_000_000_000, "G"),
    }
}

/// A share as a percentage.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{}%", number(share * 100.0))
}

/// A number of things: `1 task`, `12 tasks`.
#[must_use]
pub fn things(value: i64, plural: &str) -> String {
    let name = match plural.strip_suffix('s') {
        Some(singular) if value == 1 => singular,
        _ => plural,
    };
    format!("{} {name}", count(value))
}

/// A value with its unit.
#[must_use]
pub fn quantity(value: f64, unit: &str) -> String {
    let whole = value.fract() == 0.0 && value.abs() < 1e15;
    match unit {
        "" | "cost" => number(value),
        "probability" => percent(value),
        // Beyond the range of an i64 it saturates.
        "s" => span_text((value * 1e6).round() as i64),
        unit if whole => things(value as i64, unit),
        unit => format!("{} {unit}", number(value)),
    }
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_short() {
        for (value, text) in [
            (0.0, "0"),
            (-0.001, "-0.001"),
            (-0.0, "0"),
            (0.000_001, "0.000001"),
            (1_035.7, "1,035.7"),
            (1_234_567.891, "1,234,567.89"),
            (-999.999, "-1,000"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn counts_fit_a_line_that_changes() {
        for (value, text) in [
            (9_999, "9,999"),
            (10_000, "10k"),
            (123_456, "123k"),
            (1_234_567, "1.2M"),
            (98_765_432_100, "98G"),
        ] {
            assert_eq!(short_count(value).replace(".0", ""), text);
        }
    }

    #[test]
    fn units_agree_with_their_number() {
        assert_eq!(things(1, "tasks"), "1 task");
        assert_eq!(things(1_200, "tasks"), "1,200 tasks");
        assert_eq!(quantity(3.0, "agents"), "3 agents");
        assert_eq!(quantity(2.5, "crates"), "2.5 crates");
        assert_eq!(quantity(90.0, "s"), "1m30s");
        assert_eq!(quantity(827.3, "cost"), "827.3");
        assert_eq!(quantity(0.268_75, "probability"), "26.88%");
    }
}
