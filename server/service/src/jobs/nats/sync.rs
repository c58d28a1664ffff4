//! Whether the broker syncs to its disk before it acknowledges. By default JetStream does so every
//! two minutes.

use super::broker::Broker;
use super::settings::PATIENCE;
use crate::jobs::store::{StoreError, Stored};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Oldest version that can sync before it acknowledges.
const VERSION_LEAST: (u32, u32) = (2, 10);
/// Longest report that is read.
const REPORT_BYTES_MAX: u64 = 4 << 20;

/// Checks whether each server of the broker syncs. Warns and returns false where one does not, or
/// where that is unknown.
pub(super) async fn look(broker: &Broker) -> bool {
    let version = broker.client.server_info().version;
    if numbers(&version).is_some_and(|version| version < VERSION_LEAST) {
        tracing::warn!(
            version,
            "broker acknowledges before it syncs: sync_interval needs NATS 2.10"
        );
        return false;
    }
    let hosts = broker.settings.monitor.hosts();
    if hosts.is_empty() {
        tracing::warn!(
            "broker not seen to sync: set its sync_interval to always, and jobs_monitor to its monitoring address"
        );
        return false;
    }
    let mut all = true;
    for host in hosts {
        match syncs(host).await {
            Ok(true) => tracing::info!(host, "broker syncs"),
            Ok(false) => {
                tracing::warn!(
                    host,
                    "broker acknowledges before it syncs: set sync_interval to always"
                );
                all = false;
            }
            Err(error) => {
                tracing::warn!(host, %error, "broker not seen to sync");
                all = false;
            }
        }
    }
    all
}

/// Major and minor.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    let major = parts.next()?.parse().ok()?;
    Some((major, parts.next()?.parse().ok()?))
}

/// What one server reports.
async fn syncs(host: &str) -> Stored<bool> {
    let report = timeout(PATIENCE, report(host)).await;
    let report = report.map_err(StoreError::new)?.map_err(StoreError::new)?;
    let body = report.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let body: serde_json::Value = serde_json::from_str(body).map_err(StoreError::new)?;
    let always = &body["jetstream"]["config"]["sync_always"];
    Ok(always.as_bool().unwrap_or(false))
}

/// Its answer to a request over HTTP/1.0, which ends with the connection.
async fn report(host: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(host).await?;
    let request = format!("GET /varz HTTP/1.0\r\nHost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut report = String::new();
    let mut limited = stream.take(REPORT_BYTES_MAX);
    limited.read_to_string(&mut report).await?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::{VERSION_LEAST, numbers};

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let is_new = |version| numbers(version).unwrap() >= VERSION_LEAST;
        assert!(is_new("2.10.27") && is_new("2.11.0-RC.1") && is_new("3.0.0"));
        assert!(!is_new("2.9.10"));
        assert_eq!(numbers("unknown"), None);
    }
}
