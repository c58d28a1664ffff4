//! Every setting, and where it comes from: flags, then environment, then a TOML file, then
//! defaults.
//!
//! [`Config`] is the single source of all four layers: its fields are the flags (`--queue-max`),
//! the variables (`STRATAGEM_QUEUE_MAX`), the keys of the file (`queue_max`) and, through
//! `Default`, the defaults.

mod broker;
mod check;
mod hosts;
mod injected;
mod layers;
mod memory;
mod monitor;
mod optional;
#[cfg(test)]
mod tests;
mod traces;
mod values;

pub use broker::{BrokerUrl, Login};
pub use hosts::WebHosts;
pub use injected::injected;
pub use layers::{Action, ConfigError, command, load};
pub use monitor::BrokerMonitor;
pub use optional::OptionalFile;
pub use traces::{OtlpEndpoint, Ratio};
pub use values::{JobsPlace, LogFormat, MetricsListen, Span, Switch, WebAccess};

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
    /// Access by JSON over HTTP and by gRPC-Web, on the same address: "off", "same-origin", "*", or
    /// origins of pages, separated by commas.
    #[arg(long, value_name = "ORIGINS", default_value_t = Config::default().web)]
    pub web: WebAccess,
    /// Names under which browsers may reach the pages, JSON and gRPC-Web, besides "localhost" and
    /// addresses: "loopback" for no other, "*" for any, or names separated by commas. gRPC is not
    /// concerned.
    #[arg(long, value_name = "NAMES", default_value_t = Config::default().web_hosts)]
    pub web_hosts: WebHosts,
    /// The pages on which designers edit problems and watch plans, at /playground/ on the same
    /// address: "on" or "off". Needs `web`.
    #[arg(long, value_name = "on|off", default_value_t = Config::default().playground)]
    pub playground: Switch,
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
    /// Folder of texts, relations and WordNet that callers may name to learn story domains from;
    /// "off" for none.
    #[arg(long, value_name = "FOLDER|off", default_value_t = Config::default().books)]
    pub books: OptionalFile,
    /// File for jobs, created if it does not exist; "nats://HOST:PORT" for a NATS with JetStream,
    /// which servers share; "off" for no jobs.
    #[arg(long, value_name = "FILE|URL|off", default_value_t = Config::default().jobs)]
    pub jobs: JobsPlace,
    /// File with credentials (.creds) for the broker; "off" for none.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jobs_credentials)]
    pub jobs_credentials: OptionalFile,
    /// File with certificates (PEM) that the broker's is signed by; "off": those of the system.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jobs_ca)]
    pub jobs_ca: OptionalFile,
    /// File with a certificate (PEM) to show the broker; "off" for none.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jobs_cert)]
    pub jobs_cert: OptionalFile,
    /// File with the key (PEM) of that certificate; "off" for none.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jobs_key)]
    pub jobs_key: OptionalFile,
    /// Servers of the broker that keep each job. 1 to 5.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().jobs_replicas)]
    pub jobs_replicas: usize,
    /// Monitoring addresses of the broker: they report whether it syncs before it acknowledges;
    /// "off" for no check.
    #[arg(long, value_name = "URL|off", default_value_t = Config::default().jobs_monitor)]
    pub jobs_monitor: BrokerMonitor,
    /// Backup file: a consistent copy of the jobs is written to it at intervals and on SIGUSR1;
    /// "off" for none.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jobs_backup)]
    pub jobs_backup: OptionalFile,
    /// Time between two such copies. 1 s to 720 h.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().jobs_backup_interval)]
    pub jobs_backup_interval: Span,
    /// How long the broker waits for a sign of life of a server that has a job before another one
    /// gets it. 1 s to 10 min.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().job_lease)]
    pub job_lease: Span,
    /// Jobs that are kept, whether they wait, run or have ended. 1 to 1,000,000.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().jobs_max)]
    pub jobs_max: usize,
    /// Threads that search for jobs simultaneously, in addition to the solver slots; they yield the
    /// processor to everybody else. 0: one for each core. At most 1,024.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().job_slots)]
    pub job_slots: usize,
    /// Time budget of a job that names none.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().job_budget_default)]
    pub job_budget_default: Span,
    /// Cap on the time budgets of jobs. At most 24 h.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().job_budget_max)]
    pub job_budget_max: Span,
    /// Memory that the process may have, in bytes: program, caches, bytes in flight, searches. 0:
    /// four fifths of the limit of its control group, or of the machine's memory.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().memory_max)]
    pub memory_max: usize,
    /// Memory that one search may take, in bytes; what it may keep is derived from it. 0: what is
    /// left for searches, divided by the slots.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().solve_memory_max)]
    pub solve_memory_max: usize,
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
    /// Certificate chain (PEM) of the port for calls; with it, and its key, the port speaks TLS
    /// only.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().tls_cert)]
    pub tls_cert: OptionalFile,
    /// Its private key, PEM.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().tls_key)]
    pub tls_key: OptionalFile,
    /// Authorities of callers, PEM: who has no certificate of theirs is not let in. Needs a
    /// certificate of ours.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().tls_client_ca)]
    pub tls_client_ca: OptionalFile,
    /// Tokens of callers, TOML: who has none, and no signed one either, may ask for health only.
    /// Without this and `jwks` everybody may call.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().tokens)]
    pub tokens: OptionalFile,
    /// Keys of those who sign JSON Web Tokens, JWKS. Needs `jwt_issuer` and `jwt_audience`.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jwks)]
    pub jwks: OptionalFile,
    /// `iss` of signed tokens.
    #[arg(long, value_name = "TEXT", default_value_t = Config::default().jwt_issuer)]
    pub jwt_issuer: String,
    /// What has to be among `aud` of signed tokens.
    #[arg(long, value_name = "TEXT", default_value_t = Config::default().jwt_audience)]
    pub jwt_audience: String,
    /// Claim of signed tokens that names the tenant.
    #[arg(long, value_name = "NAME", default_value_t = Config::default().jwt_tenant_claim)]
    pub jwt_tenant_claim: String,
    /// Quotas of tenants, TOML. Without, everybody may have everything.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().tenants)]
    pub tenants: OptionalFile,
    /// Whether callers may ask for the contract by reflection.
    #[arg(long, value_name = "on|off", default_value_t = Config::default().reflection)]
    pub reflection: Switch,
    /// Whether callers may ask for examples.
    #[arg(long, value_name = "on|off", default_value_t = Config::default().examples)]
    pub examples: Switch,
    /// How often it is looked whether certificates, keys or tokens have changed; SIGHUP: at once.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().reload_interval)]
    pub reload_interval: Span,
    /// Connections at once; who is one too many is closed. 1 to 1,000,000.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().connections_max)]
    pub connections_max: usize,
    /// Connections of one peer (an IPv4 address, or an IPv6 network of 64 bits) at the same time;
    /// one too many is closed. 1 to 1,000,000.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().peer_connections_max)]
    pub peer_connections_max: usize,
    /// How long a connection may have no calls before it is asked to go; 0ms: no limit.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().connection_idle)]
    pub connection_idle: Span,
    /// Age at which a connection is asked to connect again, a tenth more or less at random; 0ms:
    /// never.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().connection_age)]
    pub connection_age: Span,
    /// How long its calls then have to end.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().connection_age_grace)]
    pub connection_age_grace: Span,
    /// How long a TLS handshake may take.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().handshake_timeout)]
    pub handshake_timeout: Span,
    /// Time limit for the first bytes of a connection, and for the headers of a request in
    /// HTTP/1.1.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().header_timeout)]
    pub header_timeout: Span,
    /// How long a caller may take to read an answer; then its connection is closed.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().send_timeout)]
    pub send_timeout: Span,
    /// Bytes of requests whose calls run plus unsent answers, over all connections; beyond,
    /// requests are refused.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().inflight_bytes_max)]
    pub inflight_bytes_max: usize,
    /// After the signal to stop: how long requests are still taken while health says NOT_SERVING,
    /// so that balancers notice.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().lame_duck)]
    pub lame_duck: Span,
    /// After the lame duck: how long calls in flight have to end.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().drain_timeout)]
    pub drain_timeout: Span,
    /// OpenTelemetry collector that receives traces by OTLP over gRPC: "http://HOST:PORT", or
    /// "https://HOST:PORT" with `otlp_ca`; "off" for none. Also OTEL_EXPORTER_OTLP_ENDPOINT.
    #[arg(long, value_name = "URL|off", default_value_t = Config::default().otlp_endpoint)]
    pub otlp_endpoint: OtlpEndpoint,
    /// File with the certificates (PEM) that the collector's is signed by; "off" for none.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().otlp_ca)]
    pub otlp_ca: OptionalFile,
    /// Share of the traces begun on this server that is exported, from 0 to 1. The caller decides
    /// for traces that begin elsewhere.
    #[arg(long, value_name = "RATIO", default_value_t = Config::default().trace_ratio)]
    pub trace_ratio: Ratio,
    /// What the server is called in traces. Also OTEL_SERVICE_NAME.
    #[arg(long, value_name = "NAME", default_value_t = Config::default().service_name)]
    pub service_name: String,
    /// What is logged, as in "info" or "runtime=debug,info": targets are `runtime`
    /// (searches), `wire` (messages) and `stratagem_server` (all else).
    #[arg(long, value_name = "FILTER", default_value_t = Config::default().log)]
    pub log: String,
    /// How it is written: "json" or "text".
    #[arg(long, value_name = "FORMAT", default_value_t = Config::default().log_format)]
    pub log_format: LogFormat,
}

impl Default for Config {
    #[expect(clippy::too_many_lines, reason = "a list, one line for each setting")]
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 50_051)),
            metrics_listen: MetricsListen(Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 9_464)))),
            web: WebAccess::SameOrigin,
            web_hosts: WebHosts::Loopback,
            playground: Switch::Off,
            slots: 0,
            queue_max: 256,
            queue_bytes_max: 512 << 20,
            budget_default: Span::from_millis(1_000),
            stream_budget_default: Span::from_millis(10_000),
            budget_max: Span::from(Duration::from_secs(600)),
            books: OptionalFile::OFF,
            jobs: JobsPlace::Off,
            jobs_credentials: OptionalFile::OFF,
            jobs_ca: OptionalFile::OFF,
            jobs_cert: OptionalFile::OFF,
            jobs_key: OptionalFile::OFF,
            jobs_replicas: 1,
            jobs_monitor: BrokerMonitor::OFF,
            jobs_backup: OptionalFile::OFF,
            jobs_backup_interval: Span::from_millis(3_600_000),
            job_lease: Span::from_millis(15_000),
            jobs_max: 10_000,
            job_slots: 0,
            job_budget_default: Span::from_millis(60_000),
            job_budget_max: Span::from(Duration::from_secs(86_400)),
            memory_max: 0,
            solve_memory_max: 0,
            nodes_max: anytime::NODES_DEFAULT,
            request_bytes_max: 48 << 20,
            response_bytes_max: 64 << 20,
            cache_bytes_max: 64 << 20,
            heartbeat_interval: Span::from_millis(15_000),
            connection_streams_max: 128,
            header_list_bytes_max: 16 << 10,
            keepalive_interval: Span::from_millis(30_000),
            keepalive_timeout: Span::from_millis(10_000),
            tls_cert: OptionalFile::OFF,
            tls_key: OptionalFile::OFF,
            tls_client_ca: OptionalFile::OFF,
            tokens: OptionalFile::OFF,
            jwks: OptionalFile::OFF,
            jwt_issuer: String::new(),
            jwt_audience: String::new(),
            jwt_tenant_claim: "tenant".into(),
            tenants: OptionalFile::OFF,
            reflection: Switch::On,
            examples: Switch::On,
            reload_interval: Span::from_millis(10_000),
            connections_max: 4_000,
            peer_connections_max: 1_000,
            connection_idle: Span::from_millis(1_800_000),
            connection_age: Span::from_millis(0),
            connection_age_grace: Span::from(Duration::from_secs(600)),
            handshake_timeout: Span::from_millis(5_000),
            header_timeout: Span::from_millis(30_000),
            send_timeout: Span::from_millis(60_000),
            inflight_bytes_max: 1 << 30,
            lame_duck: Span::from_millis(500),
            drain_timeout: Span::from_millis(10_000),
            otlp_endpoint: OtlpEndpoint::OFF,
            otlp_ca: OptionalFile::OFF,
            trace_ratio: Ratio::ALL,
            service_name: "stratagem-server".into(),
            log: "info".into(),
            log_format: LogFormat::Json,
        }
    }
}

impl Config {
    /// The same settings with their secrets masked, to be shown.
    #[must_use]
    pub fn masked(&self) -> Self {
        let mut shown = self.clone();
        if let JobsPlace::Broker(url) = &mut shown.jobs {
            *url = url.masked();
        }
        shown
    }

    /// Solver slots, with 0 resolved to the cores that this process may use (at least 1).
    #[must_use]
    pub fn slot_count(&self) -> usize {
        or_cores(self.slots)
    }

    /// Slots for jobs, likewise.
    #[must_use]
    pub fn job_slot_count(&self) -> usize {
        or_cores(self.job_slots)
    }
}

/// That many, or for 0 the cores that this process may use.
fn or_cores(slots: usize) -> usize {
    match slots {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        slots => slots,
    }
}
