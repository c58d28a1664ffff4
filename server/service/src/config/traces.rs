//! Where traces go, and how many.

use super::values::as_text;
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter, Result as FmtResult};
use std::str::FromStr;

/// An optional OpenTelemetry collector: `http://HOST:PORT`, `https://HOST:PORT`, or `off`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtlpEndpoint(Option<String>);

impl OtlpEndpoint {
    /// None.
    pub const OFF: Self = Self(None);

    /// Where it is; `None` is off.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Whether it speaks TLS.
    #[must_use]
    pub fn has_tls(&self) -> bool {
        self.url().is_some_and(|url| url.starts_with("https:"))
    }
}

impl Display for OtlpEndpoint {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.write_str(self.url().unwrap_or("off"))
    }
}

impl FromStr for OtlpEndpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Self::OFF);
        }
        let uri = text.parse::<http::Uri>().ok();
        let is_one = uri.is_some_and(|uri| {
            let scheme = matches!(uri.scheme_str(), Some("http" | "https"));
            // A password there would be seen by anybody who sees settings.
            let host = uri.authority().is_some_and(|it| !it.as_str().contains('@'));
            scheme && host && uri.path() == "/" && uri.query().is_none()
        });
        if is_one {
            Ok(Self(Some(text.to_owned())))
        } else {
            Err("wanted is http://HOST:PORT or https://HOST:PORT, or off".into())
        }
    }
}

as_text!(OtlpEndpoint);

/// A part of a whole, from 0 to 1, to six decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Ratio(u32);

/// The whole.
const MICRO: u32 = 1_000_000;

impl Ratio {
    /// All.
    pub const ALL: Self = Self(MICRO);

    /// From 0 to 1.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from(self.0) / f64::from(MICRO)
    }
}

impl Display for Ratio {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        self.get().fmt(f)
    }
}

impl TryFrom<f64> for Ratio {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        match (0.0..=1.0).contains(&value) {
            // At most 10^6.
            true => Ok(Self((value * f64::from(MICRO)).round() as u32)),
            false => Err(format!("{value} is no number from 0 to 1")),
        }
    }
}

impl From<Ratio> for f64 {
    fn from(ratio: Ratio) -> Self {
        ratio.get()
    }
}

impl FromStr for Ratio {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse::<f64>().unwrap_or(f64::NAN).try_into()
    }
}

#[cfg(test)]
mod tests {
    use super::{OtlpEndpoint, Ratio};

    #[test]
    fn a_collector_is_a_scheme_and_a_host() {
        for text in ["off", "http://localhost:4317", "https://collector"] {
            let read: OtlpEndpoint = text.parse().unwrap();
            assert_eq!(read.to_string(), text);
        }
        for text in [
            "",
            "localhost:4317",
            "ftp://a",
            "http://u:s3cret@a",
            "http://a/v1/traces",
            "http://",
        ] {
            let error = text.parse::<OtlpEndpoint>().unwrap_err();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn a_ratio_is_from_0_to_1() {
        for text in ["0", "0.05", "1", "0.000001"] {
            assert_eq!(text.parse::<Ratio>().unwrap().to_string(), text);
        }
        for text in ["", "-0.1", "1.1", "NaN", "inf", "half"] {
            assert!(text.parse::<Ratio>().is_err(), "{text}");
        }
    }
}
