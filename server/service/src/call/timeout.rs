//! The `grpc-timeout` header.

use crate::status::Refusal;
use http::HeaderMap;
use std::time::Duration;

/// Its name.
pub(super) const HEADER: &str = "grpc-timeout";

/// How long the caller waits. Without the header: unlimited.
///
/// # Errors
/// When it is not 1 to 8 digits and a unit (gRPC over HTTP/2, "Timeout").
pub(super) fn parse(headers: &HeaderMap) -> Result<Option<Duration>, Refusal> {
    headers.get(HEADER).map_or(Ok(None), |value| {
        let timeout = value.to_str().ok().and_then(length);
        timeout.map(Some).ok_or(Refusal::Timeout)
    })
}

fn length(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let well_formed = (1..=8).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let number: u64 = digits.parse().ok().filter(|_| well_formed)?;
    // At most 10^8 hours: fits.
    Some(match unit {
        "H" => Duration::from_secs(number * 3_600),
        "M" => Duration::from_secs(number * 60),
        "S" => Duration::from_secs(number),
        "m" => Duration::from_millis(number),
        "u" => Duration::from_micros(number),
        "n" => Duration::from_nanos(number),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::length;
    use std::time::Duration;

    #[test]
    fn eight_digits_and_a_unit_are_a_timeout() {
        assert_eq!(
            length("99999999H"),
            Some(Duration::from_secs(99_999_999 * 3_600))
        );
        assert_eq!(length("250m"), Some(Duration::from_millis(250)));
        assert_eq!(length("0n"), Some(Duration::ZERO));
    }

    #[test]
    fn anything_else_is_none() {
        for text in [
            "",
            "m",
            "5",
            "123456789m",
            "-1S",
            "+1S",
            "1 S",
            "1.5S",
            "1s",
            "1ü",
            "ü",
        ] {
            assert_eq!(length(text), None, "{text}");
        }
    }
}
