//! The columns of a Solomon file.

use super::SolomonError;
use crate::durations::parse_seconds;

/// Largest coordinate, either sign.
const COORDINATE_MAX: f64 = 1e6;
/// Largest capacity and demand.
const QUANTITY_MAX: i64 = 1_000_000_000;
/// Columns of a line of the customer table.
const COLUMNS: [&str; 7] = ["number", "x", "y", "demand", "ready", "due", "service"];

/// A line of the customer table.
pub(super) struct Customer {
    pub(super) line: usize,
    pub(super) number: i64,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) demand: i64,
    pub(super) ready_us: i64,
    pub(super) due_us: i64,
    pub(super) service_us: i64,
}

/// Reads a line of the customer table.
pub(super) fn customer(line: usize, text: &str) -> Result<Customer, SolomonError> {
    let columns: Vec<_> = text.split_whitespace().collect();
    let &[number, x, y, demand, ready, due, service] = columns.as_slice() else {
        return Err(SolomonError::Columns {
            line,
            given: columns.len(),
            wanted: COLUMNS.len(),
            names: COLUMNS.join(", "),
        });
    };
    let customer = Customer {
        line,
        number: quantity(line, "number", number)?,
        x: coordinate(line, "x", x)?,
        y: coordinate(line, "y", y)?,
        demand: quantity(line, "demand", demand)?,
        ready_us: time(line, "ready", ready)?,
        due_us: time(line, "due", due)?,
        service_us: time(line, "service", service)?,
    };
    if customer.due_us < customer.ready_us {
        return Err(SolomonError::WindowReversed {
            line: customer.line,
            ready: shorten(ready),
            due: shorten(due),
        });
    }
    Ok(customer)
}

/// A whole number from 0 to 10^9; some files write it as `10.0`.
pub(super) fn quantity(
    line: usize,
    column: &'static str,
    found: &str,
) -> Result<i64, SolomonError> {
    let whole = found.strip_suffix(".0").unwrap_or(found);
    whole
        .parse()
        .ok()
        .filter(|n| (0..=QUANTITY_MAX).contains(n))
        .ok_or_else(|| SolomonError::Number {
            line,
            column,
            found: shorten(found),
            wanted: "a whole number from 0 to 10^9",
        })
}

fn coordinate(line: usize, column: &'static str, found: &str) -> Result<f64, SolomonError> {
    let number = found.parse::<f64>().ok();
    // NaN and infinities fail the comparison.
    number
        .filter(|c| c.abs() <= COORDINATE_MAX)
        .ok_or_else(|| SolomonError::Number {
            line,
            column,
            found: shorten(found),
            wanted: "a number from -10^6 to 10^6",
        })
}

fn time(line: usize, column: &'static str, found: &str) -> Result<i64, SolomonError> {
    parse_seconds(found).ok_or_else(|| SolomonError::Number {
        line,
        column,
        found: shorten(found),
        wanted: "a number from 0 to ten years in seconds, with at most 6 decimals",
    })
}

/// At most 40 characters of what was found.
pub(super) fn shorten(found: &str) -> String {
    let mut text: String = found.chars().take(40).collect();
    if text.len() < found.len() {
        text.push_str("...");
    }
    text
}
