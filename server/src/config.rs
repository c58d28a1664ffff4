//! Every setting, and where it comes from: flags, then environment, then a TOML file, then
//! defaults.
//!
//! [`Config`] is the single source of all four layers: its fields are the flags (`--queue-max`),
//! the variables (`STRATAGEM_QUEUE_MAX`), the keys of the file (`queue_max`) and, through
//! `Default`, the defaults.

mod check;
mod layers;
#[cfg(test)]
mod tests;
mod values;

pub use layers::{Action, ConfigError, load};
pub use values::{LogFormat, MetricsListen, Span};

use serde::{Deserialize, Serialize};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// The settings of a server.
///
/// # Examples
/// A server for tests: free ports, two slots, no lame duck.
/// ```
/// use stratagem_server::{Config, config::Span};
/// let config = Config {
///     listen: ([127, 0, 0, 1], 0).into(),
///     metrics_listen: "127.0.0.1:0".parse().unwrap(),
///     slots: 2,
///     lame_duck: Span::from_millis(0),
///     ..Config::default()
/// };
/// assert_eq!(config.check(), Vec::<String>::new());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Address to serve gRPC on; port 0 takes a free one.
    #[arg(long, value_name = "HOST:PORT", default_value_t = Config::default().listen)]
    pub listen: SocketAddr,
    /// Address to serve Prometheus metrics on, at /metrics; "off" for none.
    #[arg(long, value_name = "HOST:PORT|off", default_value_t = Config::default().metrics_listen)]
    pub metrics_listen: MetricsListen,
    /// Solver slots: threads that search at once. 0: one for each core. At most 1,024.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().slots)]
    pub slots: usize,
    /// Requests that may wait for a slot. At most 100,000.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().queue_max)]
    pub queue_max: usize,
    /// Memory that the problems of waiting requests may take, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().queue_bytes_max)]
    pub queue_bytes_max: usize,
    /// Time budget of a unary request that names none.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().budget_default)]
    pub budget_default: Span,
    /// Time budget of a streaming request that names none.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().stream_budget_default)]
    pub stream_budget_default: Span,
    /// Cap on time budgets. At most 24 h.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().budget_max)]
    pub budget_max: Span,
    /// Nodes that the search trees of one request may have, some 128 bytes each. 1,000 to
    /// 100,000,000.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().nodes_max)]
    pub nodes_max: usize,
    /// Largest request, decompressed, in bytes. 1 KiB to 256 MiB.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().request_bytes_max)]
    pub request_bytes_max: usize,
    /// Largest response, before compression, in bytes. 1 KiB to 256 MiB.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().response_bytes_max)]
    pub response_bytes_max: usize,
    /// Memory for answers that are kept to be shared, in bytes; 0 keeps none and shares none.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().cache_bytes_max)]
    pub cache_bytes_max: usize,
    /// Longest silence in a stream; a sign of life is sent then.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().heartbeat_interval)]
    pub heartbeat_interval: Span,
    /// Streams (calls) at once on one connection. 1 to 100,000.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().connection_streams_max)]
    pub connection_streams_max: u32,
    /// Largest list of headers of one call, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().header_list_bytes_max)]
    pub header_list_bytes_max: u32,
    /// How often a silent connection is asked whether it lives.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().keepalive_interval)]
    pub keepalive_interval: Span,
    /// How long a connection has to answer that.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().keepalive_timeout)]
    pub keepalive_timeout: Span,
    /// After the signal to stop: how long requests are still taken while health says NOT_SERVING,
    /// so that balancers notice.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().lame_duck)]
    pub lame_duck: Span,
    /// After the lame duck: how long calls in flight have to end.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().drain_timeout)]
    pub drain_timeout: Span,
    /// What is logged, as in "info" or "stratagem_server=debug,info".
    #[arg(long, value_name = "FILTER", default_value_t = Config::default().log)]
    pub log: String,
    /// How it is written: "json" or "text".
    #[arg(long, value_name = "FORMAT", default_value_t = Config::default().log_format)]
    pub log_format: LogFormat,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 50_051)),
            metrics_listen: MetricsListen(Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 9_464)))),
            slots: 0,
            queue_max: 256,
            queue_bytes_max: 512 << 20,
            budget_default: Span::from_millis(1_000),
            stream_budget_default: Span::from_millis(10_000),
            budget_max: Span::from(Duration::from_secs(600)),
            nodes_max: anytime::NODES_DEFAULT,
            request_bytes_max: 16 << 20,
            response_bytes_max: 64 << 20,
            cache_bytes_max: 64 << 20,
            heartbeat_interval: Span::from_millis(15_000),
            connection_streams_max: 128,
            header_list_bytes_max: 16 << 10,
            keepalive_interval: Span::from_millis(30_000),
            keepalive_timeout: Span::from_millis(10_000),
            lame_duck: Span::from_millis(500),
            drain_timeout: Span::from_millis(10_000),
            log: "info".into(),
            log_format: LogFormat::Json,
        }
    }
}

impl Config {
    /// Solver slots, with 0 resolved to the cores that this process may use (at least 1).
    #[must_use]
    pub fn slot_count(&self) -> usize {
        match self.slots {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            slots => slots,
        }
    }
}
