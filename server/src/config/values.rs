//! Values of settings that are more than a number.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{Display, Formatter, Result as FmtResult};
use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;

/// A length of time, written as in `250ms`, `15s`, `10min` or `24h`: a whole number and a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(Duration);

/// Units by name, longest first, with their milliseconds.
const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1)];

impl Span {
    /// That many milliseconds.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(Duration::from_millis(millis))
    }

    /// The length.
    #[must_use]
    pub const fn get(self) -> Duration {
        self.0
    }
}

/// Parts of a millisecond are dropped: a setting has none.
impl From<Duration> for Span {
    fn from(length: Duration) -> Self {
        Self::from_millis(u64::try_from(length.as_millis()).unwrap_or(u64::MAX))
    }
}

impl Display for Span {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let millis = self.0.as_millis();
        let fits = |unit: &&(&str, u64)| millis.is_multiple_of(u128::from(unit.1));
        // Everything is a multiple of one millisecond; zero is written "0h" otherwise.
        let (name, size) = UNITS
            .iter()
            .find(fits)
            .filter(|_| millis > 0)
            .unwrap_or(&("ms", 1));
        write!(f, "{}{name}", millis / u128::from(*size))
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a time such as 250ms, 15s, 10min or 24h");
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let size = UNITS.iter().find(|(name, _)| *name == unit);
        let (_, size) = size.ok_or_else(wrong)?;
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let millis = number.checked_mul(*size).ok_or_else(wrong)?;
        Ok(Self::from_millis(millis))
    }
}

/// Where metrics are served; written as an address or `off`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricsListen(
    /// `None` is off.
    pub Option<SocketAddr>,
);

impl Display for MetricsListen {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        match self.0 {
            Some(address) => address.fmt(f),
            None => f.write_str("off"),
        }
    }
}

impl FromStr for MetricsListen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self(None)),
            _ => text
                .parse()
                .map(|address| Self(Some(address)))
                .map_err(|_| {
                    format!("{text:?} is neither an address such as 127.0.0.1:9464 nor off")
                }),
        }
    }
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// One JSON object a line.
    Json,
    /// For people.
    Text,
}

impl Display for LogFormat {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.write_str(match self {
            Self::Json => "json",
            Self::Text => "text",
        })
    }
}

impl FromStr for LogFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "json" => Ok(Self::Json),
            "text" => Ok(Self::Text),
            _ => Err(format!("{text:?} is neither json nor text")),
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer)
    }
}

impl Serialize for MetricsListen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MetricsListen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer)
    }
}

impl Serialize for LogFormat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for LogFormat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer)
    }
}

/// A value from its text form, the one that flags and variables use too.
fn parsed<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = String>,
{
    String::deserialize(deserializer)?
        .parse()
        .map_err(D::Error::custom)
}
