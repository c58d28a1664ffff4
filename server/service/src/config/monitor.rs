//! Where a broker reports its settings.

use super::values::as_text;
use std::fmt::{Display, Formatter, Result as FmtResult};
use std::str::FromStr;

/// The monitoring addresses of a NATS: written as `http://HOST:PORT`, with more hosts after commas,
/// or as `off`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BrokerMonitor(Vec<String>);

impl BrokerMonitor {
    /// None.
    pub const OFF: Self = Self(Vec::new());

    /// All of them, as `HOST:PORT`; empty is off.
    #[must_use]
    pub fn hosts(&self) -> &[String] {
        &self.0
    }
}

impl Display for BrokerMonitor {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        match &*self.0 {
            [] => f.write_str("off"),
            hosts => write!(f, "http://{}", hosts.join(",")),
        }
    }
}

impl FromStr for BrokerMonitor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Self::OFF);
        }
        let hosts = text.strip_prefix("http://").unwrap_or_default();
        let hosts: Vec<String> = hosts.split(',').map(str::to_owned).collect();
        let is_one = |host: &String| {
            let authority = host.parse::<http::uri::Authority>().ok();
            authority.is_some_and(|it| it.port().is_some() && !it.as_str().contains('@'))
        };
        if hosts.iter().all(is_one) {
            Ok(Self(hosts))
        } else {
            Err("wanted is http://HOST:PORT[,HOST:PORT]..., or off".into())
        }
    }
}

as_text!(BrokerMonitor);
