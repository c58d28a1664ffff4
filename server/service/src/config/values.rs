//! Values of settings that are more than a number.

use super::broker::BrokerUrl;
use formats::durations::duration;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{Display, Formatter, Result as FmtResult};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// A length of time in whole milliseconds, written as in `250ms`, `1.5s`, `10min` or `24h`: numbers
/// with units. A number alone is seconds.
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
        let length = duration(text).filter(|it| it.subsec_nanos() % 1_000_000 == 0);
        let wrong = || format!("{text:?} is not a time such as 250ms, 1.5s, 10min or 24h");
        length.map(Self::from).ok_or_else(wrong)
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

/// Whether there is something: written as `on` or `off`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// There is.
    On,
    /// There is not.
    Off,
}

impl Display for Switch {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.write_str(match self {
            Self::On => "on",
            Self::Off => "off",
        })
    }
}

impl FromStr for Switch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "on" => Ok(Self::On),
            "off" => Ok(Self::Off),
            _ => Err(format!("{text:?} is neither on nor off")),
        }
    }
}

/// Where jobs are kept: written as `off`, as the path of a file, or as the address of a broker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobsPlace {
    /// Nowhere: there are none.
    Off,
    /// In this file, which one server has at a time.
    File(PathBuf),
    /// In NATS JetStream, which any number of servers share.
    Broker(BrokerUrl),
}

impl Display for JobsPlace {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        match self {
            Self::Off => f.write_str("off"),
            Self::File(path) => path.display().fmt(f),
            Self::Broker(url) => url.fmt(f),
        }
    }
}

impl FromStr for JobsPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self::Off),
            "" => Err("the path of a file is wanted, the address of a broker, or off".into()),
            url if url.contains("://") => Ok(Self::Broker(url.parse()?)),
            path => Ok(Self::File(path.into())),
        }
    }
}

impl Serialize for JobsPlace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Broker(url) => url.serialize(serializer),
            other => serializer.collect_str(other),
        }
    }
}

impl<'de> Deserialize<'de> for JobsPlace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer)
    }
}

/// Who may call in JSON and by gRPC-Web: written as `off`, `same-origin`, `*`, or origins as in
/// `https://play.example,http://localhost:8080`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebAccess {
    /// Nobody: gRPC only.
    Off,
    /// Programs, and pages that come from the server's own address.
    SameOrigin,
    /// Pages from anywhere, too.
    Any,
    /// Pages from these origins, too.
    Origins(Vec<String>),
}

impl Display for WebAccess {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        match self {
            Self::Off => f.write_str("off"),
            Self::SameOrigin => f.write_str("same-origin"),
            Self::Any => f.write_str("*"),
            Self::Origins(origins) => f.write_str(&origins.join(",")),
        }
    }
}

impl FromStr for WebAccess {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => return Ok(Self::Off),
            "same-origin" => return Ok(Self::SameOrigin),
            "*" => return Ok(Self::Any),
            _ => {}
        }
        let origins: Vec<String> = text.split(',').map(|it| it.trim().to_owned()).collect();
        match origins.iter().find(|origin| !is_origin(origin)) {
            None => Ok(Self::Origins(origins)),
            Some(wrong) => Err(format!(
                "{wrong:?} is neither off, same-origin, * nor an origin such as https://play.example"
            )),
        }
    }
}

/// Whether it is a scheme and a host, maybe a port, and nothing else.
fn is_origin(text: &str) -> bool {
    let Ok(uri) = text.parse::<http::Uri>() else {
        return false;
    };
    let scheme = uri
        .scheme_str()
        .is_some_and(|it| it == "http" || it == "https");
    let host = uri.authority().is_some_and(|it| !it.as_str().contains('@'));
    scheme && host && !text.ends_with('/') && uri.path() == "/" && uri.query().is_none()
}

/// Settings that files have as text, the one that flags and variables use too.
macro_rules! as_text {
    ($($kind:ty),+) => {$(
        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::config::values::parsed(from)
            }
        }
    )+};
}
pub(super) use as_text;

as_text!(Switch, WebAccess, Span, MetricsListen, LogFormat);

/// A value from its text form, the one that flags and variables use too.
pub(super) fn parsed<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = String>,
{
    String::deserialize(deserializer)?
        .parse()
        .map_err(D::Error::custom)
}
