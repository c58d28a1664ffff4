//! Variables that Kubernetes puts into every container: addresses of the Services of its namespace.
//!
//! A Service named `stratagem`, or `stratagem-...`, makes variables that begin with our prefix and
//! are no settings: `STRATAGEM_SERVICE_HOST`, `STRATAGEM_SERVICE_PORT[_NAME]`, `STRATAGEM_PORT` and
//! `STRATAGEM_PORT_50051_TCP[_PROTO|_PORT|_ADDR]`.

use super::layers::PREFIX;
use std::ffi::{OsStr, OsString};

/// Protocols of a Service, as Kubernetes writes them into names.
const PROTOCOLS: [&str; 3] = ["tcp", "udp", "sctp"];

/// Names of the variables that begin with our prefix and are ignored, because Kubernetes injects
/// them; in order.
#[must_use]
pub fn injected(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Vec<String> {
    let mut names: Vec<String> = variables
        .into_iter()
        .filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            let key = name.strip_prefix(PREFIX)?.to_ascii_lowercase();
            is_injected(&key, &value).then_some(name)
        })
        .collect();
    names.sort();
    names
}

/// Whether Kubernetes injects a variable, by its name in lower case without our prefix. A port is
/// one only with a value as Kubernetes writes it, `tcp://10.0.0.1:50051`: anything else was meant
/// as a setting.
pub(super) fn is_injected(key: &str, value: &OsStr) -> bool {
    // The name of the Service may be all of the prefix.
    let key = format!("_{key}");
    let is_url = || {
        let value = value.to_str().and_then(|value| value.split_once("://"));
        value.is_some_and(|(scheme, _)| PROTOCOLS.contains(&scheme))
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let of_port = |rest: &str| match rest.split('_').collect::<Vec<_>>().as_slice() {
        [number, protocol] => is_number(number) && PROTOCOLS.contains(protocol) && is_url(),
        [number, protocol, part] => {
            is_number(number)
                && PROTOCOLS.contains(protocol)
                && ["proto", "port", "addr"].contains(part)
        }
        _ => false,
    };
    key.ends_with("_service_host")
        || key.ends_with("_service_port")
        || key.contains("_service_port_")
        || (key.ends_with("_port") && is_url())
        || key
            .rmatch_indices("_port_")
            .any(|(at, port)| of_port(&key[at + port.len()..]))
}

#[cfg(test)]
mod tests {
    use super::injected;
    use crate::config::{Action, load};
    use std::ffi::OsString;

    fn variables(given: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        let given = given.iter();
        given
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    }

    /// What Kubernetes injects for the Services `stratagem` and `stratagem-metrics`.
    const OF_SERVICES: [(&str, &str); 10] = [
        ("STRATAGEM_METRICS_PORT", "tcp://10.0.0.2:9464"),
        ("STRATAGEM_METRICS_SERVICE_HOST", "10.0.0.2"),
        ("STRATAGEM_PORT", "tcp://10.0.0.1:50051"),
        ("STRATAGEM_PORT_50051_TCP", "tcp://10.0.0.1:50051"),
        ("STRATAGEM_PORT_50051_TCP_ADDR", "10.0.0.1"),
        ("STRATAGEM_PORT_50051_TCP_PORT", "50051"),
        ("STRATAGEM_PORT_50051_TCP_PROTO", "tcp"),
        ("STRATAGEM_SERVICE_HOST", "10.0.0.1"),
        ("STRATAGEM_SERVICE_PORT", "50051"),
        ("STRATAGEM_SERVICE_PORT_GRPC", "50051"),
    ];

    #[test]
    fn what_kubernetes_injects_is_ignored_and_named() {
        let mut given = variables(&OF_SERVICES);
        given.extend(variables(&[("STRATAGEM_QUEUE_MAX", "7"), ("PATH", "/bin")]));
        let names = OF_SERVICES.map(|(name, _)| name);
        assert_eq!(injected(given.clone()), names);
        let Action::Serve(config) = load(["stratagem-server".into()], given).unwrap() else {
            unreachable!("no flag asks for anything else")
        };
        assert_eq!(config.queue_max, 7);
    }

    #[test]
    fn what_only_looks_alike_is_still_an_error() {
        for (name, value) in [
            ("STRATAGEM_PORT", "8080"),
            ("STRATAGEM_PORT_50051_TCP", "8080"),
            ("STRATAGEM_PORT_HTTP_TCP_ADDR", "10.0.0.1"),
            ("STRATAGEM_LISTEN_PORT", "8080"),
            ("STRATAGEM_SERVICE_HOSTS", "10.0.0.1"),
        ] {
            let given = variables(&[(name, value)]);
            assert!(injected(given.clone()).is_empty(), "{name}");
            assert!(load(["stratagem-server".into()], given).is_err(), "{name}");
        }
    }
}
