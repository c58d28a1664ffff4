//! Where a broker is, and how it knows us.

use serde::{Serialize, Serializer};
use std::fmt::{Debug, Display, Formatter, Result as FmtResult};
use std::str::FromStr;

/// Shown instead of a secret.
const MASK: &str = "***";
/// How many servers a cluster of brokers may have here.
const HOSTS_MAX: usize = 16;

/// Servers of a broker, as in `nats://one:4222,two:4222`, with a user and a password or with a
/// token before the first host.
#[derive(Clone, PartialEq, Eq)]
pub struct BrokerUrl {
    /// Whether the connection has to be encrypted: the scheme was `tls`.
    pub tls: bool,
    /// What stands before the `@`, still percent-encoded.
    login: Option<String>,
    /// Hosts, each with its port if it was given.
    pub hosts: Vec<String>,
}

/// How a broker knows us.
#[derive(Clone, PartialEq, Eq)]
pub enum Login {
    /// By name and password.
    User(String, String),
    /// By what nobody else knows.
    Token(String),
}

impl BrokerUrl {
    /// User and password, or the token, if it has one.
    #[must_use]
    pub fn login(&self) -> Option<Login> {
        let login = self.login.as_deref()?;
        Some(match login.split_once(':') {
            Some((user, password)) => Login::User(decoded(user)?, decoded(password)?),
            None => Login::Token(decoded(login)?),
        })
    }

    /// The same, with its secret masked.
    #[must_use]
    pub fn masked(&self) -> Self {
        let mask = |login: &String| match login.split_once(':') {
            Some((user, _)) => format!("{user}:{MASK}"),
            None => MASK.to_owned(),
        };
        Self {
            login: self.login.as_ref().map(mask),
            ..self.clone()
        }
    }

    /// All of it, with its secret.
    fn whole(&self) -> String {
        let scheme = if self.tls { "tls" } else { "nats" };
        let login = self.login.as_ref().map(|login| format!("{login}@"));
        let login = login.unwrap_or_default();
        format!("{scheme}://{login}{}", self.hosts.join(","))
    }
}

/// Percent-decoded; `None` when it is not text then.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        bytes.push(u8::from_str_radix(after.get(..2)?, 16).ok()?);
        rest = &after[2..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).ok()
}

/// Masked: it goes into logs.
impl Display for BrokerUrl {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.write_str(&self.masked().whole())
    }
}

impl Debug for BrokerUrl {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        Display::fmt(self, f)
    }
}

impl FromStr for BrokerUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // What was given may hold a secret: it is not shown again.
        let wrong = || {
            "wanted is nats://HOST:PORT or tls://HOST:PORT, several with commas between them, \
             USER:PASSWORD@ or TOKEN@ before the first, percent-encoded"
                .to_owned()
        };
        let (scheme, rest) = text.split_once("://").ok_or_else(wrong)?;
        let tls = match scheme {
            "nats" => false,
            "tls" => true,
            _ => return Err(wrong()),
        };
        let (login, hosts) = match rest.rsplit_once('@') {
            Some((login, hosts)) => (Some(login.to_owned()), hosts),
            None => (None, rest),
        };
        let hosts: Vec<String> = hosts.split(',').map(str::to_owned).collect();
        if hosts.len() > HOSTS_MAX || !hosts.iter().all(|host| is_host(host)) {
            return Err(wrong());
        }
        let url = Self { tls, login, hosts };
        match (&url.login, url.login()) {
            (Some(_), None) => Err(wrong()),
            _ => Ok(url),
        }
    }
}

/// Whether it is a host, maybe with a port, and nothing else.
fn is_host(text: &str) -> bool {
    let authority = text.parse::<http::uri::Authority>();
    authority.is_ok_and(|it| !it.host().is_empty() && !text.ends_with(':'))
}

/// Includes the secret, because settings of several layers are merged from it. Mask it before
/// printing.
impl Serialize for BrokerUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.whole())
    }
}

#[cfg(test)]
mod tests {
    use super::{BrokerUrl, Login};

    #[test]
    fn a_secret_is_read_and_not_shown() {
        let url: BrokerUrl = "tls://ann:p%40s%3As@one:4222,two".parse().unwrap();
        assert!(url.tls && url.hosts == ["one:4222", "two"]);
        let login = Login::User("ann".into(), "p@s:s".into());
        assert!(url.login() == Some(login));
        assert_eq!(url.to_string(), "tls://ann:***@one:4222,two");
        assert_eq!(format!("{url:?}"), url.to_string());
        let token: BrokerUrl = "nats://s3cret@[::1]:4222".parse().unwrap();
        assert!(token.login() == Some(Login::Token("s3cret".into())));
        assert_eq!(token.to_string(), "nats://***@[::1]:4222");
        assert_eq!(token.whole().parse::<BrokerUrl>().unwrap(), token);
    }

    #[test]
    fn what_is_no_broker_is_refused_without_showing_a_secret() {
        for text in [
            "nats://",
            "nats://a,,b",
            "http://a:1",
            "nats://s3cret@a:b:c",
            "nats://s3cret%@a",
            "nats://a/b",
            "nats://a:",
        ] {
            let error = text.parse::<BrokerUrl>().unwrap_err();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }
}
