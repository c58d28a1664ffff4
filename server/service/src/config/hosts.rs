//! Names under which browsers may reach a server.

use super::values::as_text;
use std::fmt::{Display, Formatter, Result as FmtResult};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Which names in `Host` are this server's: written as `loopback`, `*`, or names as in
/// `play.example,stratagem`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebHosts {
    /// `localhost`, names that end with it, and addresses.
    Loopback,
    /// Any.
    Any,
    /// These, too.
    Names(Vec<String>),
}

impl WebHosts {
    /// Whether a `Host`, with or without a port, is allowed.
    ///
    /// Addresses are always allowed: a page can point its own name to this server, but not an
    /// address.
    #[must_use]
    pub fn allows(&self, host: &str) -> bool {
        let Some(name) = name(host) else {
            return false;
        };
        let is_own = || {
            name == "localhost"
                || name.ends_with(".localhost")
                || name.parse::<Ipv4Addr>().is_ok()
                || address(&name).is_some()
        };
        match self {
            Self::Any => true,
            Self::Loopback => is_own(),
            Self::Names(names) => is_own() || names.contains(&name),
        }
    }
}

/// The name in a `Host`, in lower case, without the port and the final dot; `None` if it has no
/// name.
fn name(host: &str) -> Option<String> {
    let authority: http::uri::Authority = host.parse().ok()?;
    if authority.as_str().contains('@') {
        return None;
    }
    let name = authority.host().to_ascii_lowercase();
    let name = name.strip_suffix('.').unwrap_or(&name);
    (!name.is_empty()).then(|| name.to_owned())
}

/// An address of IPv6, in its brackets.
fn address(name: &str) -> Option<Ipv6Addr> {
    let inner = name.strip_prefix('[')?.strip_suffix(']')?;
    inner.parse().ok()
}

impl Display for WebHosts {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        match self {
            Self::Loopback => f.write_str("loopback"),
            Self::Any => f.write_str("*"),
            Self::Names(names) => f.write_str(&names.join(",")),
        }
    }
}

impl FromStr for WebHosts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "loopback" => return Ok(Self::Loopback),
            "*" => return Ok(Self::Any),
            _ => {}
        }
        let read = |given: &str| {
            let given = given.trim();
            // A port would suggest more than is looked at.
            name(given)
                .filter(|name| name.len() == given.trim_end_matches('.').len())
                .ok_or_else(|| {
                    format!("{given:?} is neither loopback, * nor a name such as play.example")
                })
        };
        let names: Result<_, String> = text.split(',').map(read).collect();
        names.map(Self::Names)
    }
}

as_text!(WebHosts);

#[cfg(test)]
mod tests {
    use super::WebHosts;

    fn hosts(text: &str) -> WebHosts {
        text.parse().unwrap()
    }

    #[test]
    fn names_of_others_are_not_ours() {
        let own = [
            "localhost",
            "LOCALHOST:50051",
            "localhost.",
            "play.localhost:1",
            "127.0.0.1",
            "127.0.0.1:50051",
            "10.1.2.3:80",
            "[::1]:50051",
            "[2001:db8::1]",
        ];
        let foreign = [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:50051",
            "notlocalhost",
            "user@localhost",
            "",
            ":50051",
            "[evil]",
            "a b",
        ];
        for host in own {
            assert!(hosts("loopback").allows(host), "{host}");
            assert!(hosts("play.example").allows(host), "{host}");
        }
        for host in foreign {
            assert!(!hosts("loopback").allows(host), "{host}");
            assert!(!hosts("play.example, stratagem").allows(host), "{host}");
        }
        assert!(hosts("Play.Example,stratagem").allows("play.example:443"));
        assert!(hosts("play.example,stratagem").allows("STRATAGEM:50051"));
        assert!(!hosts("play.example").allows("www.play.example"));
        assert!(hosts("*").allows("evil.example"));
    }

    #[test]
    fn what_is_no_name_is_refused_and_what_is_comes_back_as_it_was() {
        for text in ["", "https://play.example", "play.example:80", "a,,b", "a b"] {
            assert!(text.parse::<WebHosts>().is_err(), "{text}");
        }
        for text in ["loopback", "*", "play.example,stratagem"] {
            assert_eq!(hosts(text).to_string(), text);
        }
    }
}
