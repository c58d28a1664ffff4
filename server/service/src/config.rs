//! Every setting, and where it comes from: flags, then environment, then a TOML file, then
//! defaults.
//!
//! [`Config`] is the single source of all four layers: its fields are the flags (`--queue-max`),
//! the variables (`STRATAGEM_QUEUE_MAX`), the keys of the file (`queue_max`) and, through
//! `Default`, the defaults.

mod broker;
mod check;
mod described;
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
    /// Address for calls: gRPC, gRPC-Web and JSON. Port 0 takes a free one, which the log names.
    #[arg(long, value_name = "HOST:PORT", default_value_t = Config::default().listen)]
    pub listen: SocketAddr,
    /// Address of the page of metrics (`/metrics`) and of readiness (`/ready`), always without TLS;
    /// `off` for neither.
    #[arg(long, value_name = "HOST:PORT|off", default_value_t = Config::default().metrics_listen)]
    pub metrics_listen: MetricsListen,
    /// Callers of JSON and gRPC-Web: `off` for none, `same-origin` for programs and for pages of
    /// this server, `*` for all pages, or origins of pages, separated by commas.
    #[arg(long, value_name = "ORIGINS", default_value_t = Config::default().web)]
    pub web: WebAccess,
    /// Host names by which browsers may reach this server: `loopback` for localhost and IP
    /// addresses, `*` for any, or further names, separated by commas. gRPC is not affected.
    #[arg(long, value_name = "NAMES", default_value_t = Config::default().web_hosts)]
    pub web_hosts: WebHosts,
    /// Pages for designers at `/playground/` on the address for calls: `on` or `off`. Needs `web`.
    #[arg(long, value_name = "on|off", default_value_t = Config::default().playground)]
    pub playground: Switch,
    /// Solver slots: threads that search simultaneously. 0: one for each core that the process may
    /// use.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().slots)]
    pub slots: usize,
    /// Requests that may wait for a slot.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().queue_max)]
    pub queue_max: usize,
    /// Memory for the problems of waiting requests, at most an eighth of `memory_max`.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().queue_bytes_max)]
    pub queue_bytes_max: usize,
    /// Time budget of a unary request that sets none, at most `budget_max`.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().budget_default)]
    pub budget_default: Span,
    /// Time budget of a streaming request that sets none, at most `budget_max`.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().stream_budget_default)]
    pub stream_budget_default: Span,
    /// Longest time budget of a request; longer ones are cut to it.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().budget_max)]
    pub budget_max: Span,
    /// Store of jobs: `off`, a file, or `nats://HOST:PORT` (`tls://`) of a NATS with JetStream that
    /// servers share. Further hosts follow after commas. `USER:PASSWORD@` or `TOKEN@`,
    /// percent-encoded, may precede the first.
    #[arg(long, value_name = "FILE|URL|off", default_value_t = Config::default().jobs)]
    pub jobs: JobsPlace,
    /// File with NATS credentials (`.creds`) for the broker of jobs.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jobs_credentials)]
    pub jobs_credentials: OptionalFile,
    /// File with the authorities (PEM) that sign the broker's certificate; `off` for those of the
    /// system.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jobs_ca)]
    pub jobs_ca: OptionalFile,
    /// File with a client certificate (PEM) for the broker. Needs `jobs_key`.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jobs_cert)]
    pub jobs_cert: OptionalFile,
    /// File with the private key (PEM) of that certificate.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jobs_key)]
    pub jobs_key: OptionalFile,
    /// Brokers that store each job.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().jobs_replicas)]
    pub jobs_replicas: usize,
    /// Monitoring addresses of the brokers, `http://HOST:PORT`, with further hosts after commas.
    /// They report whether the broker syncs before it acknowledges.
    #[arg(long, value_name = "URL|off", default_value_t = Config::default().jobs_monitor)]
    pub jobs_monitor: BrokerMonitor,
    /// File for copies of the job file, written at intervals and on SIGUSR1. Needs a file as
    /// `jobs`.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jobs_backup)]
    pub jobs_backup: OptionalFile,
    /// Time between two such copies.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().jobs_backup_interval)]
    pub jobs_backup_interval: Span,
    /// Silence of a server after which the broker gives its jobs to another one.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().job_lease)]
    pub job_lease: Span,
    /// Jobs that are stored, whatever their state.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().jobs_max)]
    pub jobs_max: usize,
    /// Threads that search for jobs, in addition to `slots` and at the lowest priority of the
    /// system. 0: one for each core.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().job_slots)]
    pub job_slots: usize,
    /// Time budget of a job that sets none, at most `job_budget_max`.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().job_budget_default)]
    pub job_budget_default: Span,
    /// Longest time budget of a job.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().job_budget_max)]
    pub job_budget_max: Span,
    /// Sessions that the server holds.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().sessions_max)]
    pub sessions_max: usize,
    /// Memory for sessions, at most an eighth of `memory_max`.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().session_bytes_max)]
    pub session_bytes_max: usize,
    /// Logs sessions at the place of `jobs`, so that they survive their server: at a broker, or in
    /// a file next to that of jobs, with `.sessions` after its name. Without `jobs` there is none.
    #[arg(long, value_name = "on|off", default_value_t = Config::default().session_log)]
    pub session_log: Switch,
    /// Memory for the whole process, at least 256 MiB. 0: four fifths of the limit of its control
    /// group, or of the memory of the machine.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().memory_max)]
    pub memory_max: usize,
    /// Memory for one search. 0: the memory for searches, divided by the slots.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().solve_memory_max)]
    pub solve_memory_max: usize,
    /// Nodes that the search trees of one request may have.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().nodes_max)]
    pub nodes_max: usize,
    /// Largest request, decompressed.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().request_bytes_max)]
    pub request_bytes_max: usize,
    /// Largest response, before compression.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().response_bytes_max)]
    pub response_bytes_max: usize,
    /// Memory for answers that identical requests share. 0: no sharing.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().cache_bytes_max)]
    pub cache_bytes_max: usize,
    /// Longest silence in a stream.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().heartbeat_interval)]
    pub heartbeat_interval: Span,
    /// Simultaneous calls on one connection.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().connection_streams_max)]
    pub connection_streams_max: u32,
    /// Largest list of headers of a call.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().header_list_bytes_max)]
    pub header_list_bytes_max: u32,
    /// Time between HTTP/2 keepalive pings.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().keepalive_interval)]
    pub keepalive_interval: Span,
    /// Time for the answer to such a ping.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().keepalive_timeout)]
    pub keepalive_timeout: Span,
    /// Certificate chain (PEM) for the address for calls, which then accepts TLS only. Needs
    /// `tls_key`.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().tls_cert)]
    pub tls_cert: OptionalFile,
    /// Private key (PEM) of that certificate.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().tls_key)]
    pub tls_key: OptionalFile,
    /// Authorities (PEM) of clients' certificates, which are then required (mTLS). Needs
    /// `tls_cert`.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().tls_client_ca)]
    pub tls_client_ca: OptionalFile,
    /// File with callers' tokens (TOML). Without it and `jwks`, calls need no token.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().tokens)]
    pub tokens: OptionalFile,
    /// File with the keys (JWKS) that sign JSON Web Tokens. Needs `jwt_issuer` and `jwt_audience`.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().jwks)]
    pub jwks: OptionalFile,
    /// Required `iss` of JSON Web Tokens.
    #[arg(long, value_name = "TEXT", default_value_t = Config::default().jwt_issuer)]
    pub jwt_issuer: String,
    /// Audience that `aud` of JSON Web Tokens must contain.
    #[arg(long, value_name = "TEXT", default_value_t = Config::default().jwt_audience)]
    pub jwt_audience: String,
    /// Claim of JSON Web Tokens that names the tenant.
    #[arg(long, value_name = "NAME", default_value_t = Config::default().jwt_tenant_claim)]
    pub jwt_tenant_claim: String,
    /// File with quotas of tenants (TOML); `off` for no quotas.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().tenants)]
    pub tenants: OptionalFile,
    /// gRPC reflection of the contract.
    #[arg(long, value_name = "on|off", default_value_t = Config::default().reflection)]
    pub reflection: Switch,
    /// Methods that list and return examples.
    #[arg(long, value_name = "on|off", default_value_t = Config::default().examples)]
    pub examples: Switch,
    /// Folder of texts, relations and WordNet that requests to learn story domains may name files
    /// of; `off` for none.
    #[arg(long, value_name = "FOLDER|off", default_value_t = Config::default().books)]
    pub books: OptionalFile,
    /// Time between two looks whether certificates, keys, tokens or quotas have changed. SIGHUP
    /// looks immediately.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().reload_interval)]
    pub reload_interval: Span,
    /// Simultaneous connections. Further ones are closed immediately.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().connections_max)]
    pub connections_max: usize,
    /// Simultaneous connections of one peer: an IPv4 address, or an IPv6 network of 64 bits.
    #[arg(long, value_name = "COUNT", default_value_t = Config::default().peer_connections_max)]
    pub peer_connections_max: usize,
    /// Time without calls after which a connection gets GOAWAY. `0ms`: never.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().connection_idle)]
    pub connection_idle: Span,
    /// Age at which a connection gets GOAWAY, a tenth more or less at random. `0ms`: never.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().connection_age)]
    pub connection_age: Span,
    /// Time for the calls of a connection to end after GOAWAY.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().connection_age_grace)]
    pub connection_age_grace: Span,
    /// Time limit for a TLS handshake.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().handshake_timeout)]
    pub handshake_timeout: Span,
    /// Time limit for the first bytes of a connection, and for headers in HTTP/1.1.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().header_timeout)]
    pub header_timeout: Span,
    /// Time for a client to read an answer. Then its connection is closed.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().send_timeout)]
    pub send_timeout: Span,
    /// Memory for requests whose calls run and for unsent answers, at most an eighth of
    /// `memory_max`. Further requests are refused.
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().inflight_bytes_max)]
    pub inflight_bytes_max: usize,
    /// Time after SIGTERM in which requests are still accepted while health reports NOT_SERVING.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().lame_duck)]
    pub lame_duck: Span,
    /// Time for running calls to end, after `lame_duck`.
    #[arg(long, value_name = "TIME", default_value_t = Config::default().drain_timeout)]
    pub drain_timeout: Span,
    /// OpenTelemetry collector of traces, by OTLP over gRPC: `http://HOST:PORT`, or
    /// `https://HOST:PORT` with `otlp_ca`; `off` for none. Also OTEL_EXPORTER_OTLP_ENDPOINT.
    #[arg(long, value_name = "URL|off", default_value_t = Config::default().otlp_endpoint)]
    pub otlp_endpoint: OtlpEndpoint,
    /// File with the authorities (PEM) that sign the collector's certificate.
    #[arg(long, value_name = "FILE|off", default_value_t = Config::default().otlp_ca)]
    pub otlp_ca: OptionalFile,
    /// Share of the traces begun by this server that is exported, from 0 to 1. Callers decide for
    /// theirs.
    #[arg(long, value_name = "RATIO", default_value_t = Config::default().trace_ratio)]
    pub trace_ratio: Ratio,
    /// Name of the server in traces. Also OTEL_SERVICE_NAME.
    #[arg(long, value_name = "NAME", default_value_t = Config::default().service_name)]
    pub service_name: String,
    /// Log filter, as in `info` or `runtime=debug,info`. Targets: `runtime` (searches), `wire`
    /// (messages), `stratagem_server` (the rest).
    #[arg(long, value_name = "FILTER", default_value_t = Config::default().log)]
    pub log: String,
    /// Format of log lines: `json` or `text`.
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
            sessions_max: 2_000,
            session_bytes_max: 256 << 20,
            session_log: Switch::On,
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
            books: OptionalFile::OFF,
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
