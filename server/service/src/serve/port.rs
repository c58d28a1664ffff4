//! The ports: one for calls, one for metrics, and what surrounds every call.

use super::StartError;
use crate::auth::Gate;
use crate::call::Calls;
use crate::config::{Config, Switch, WebAccess, WebHosts};
use crate::connections::{self, Rules, Wire};
use crate::flight::Flight;
use crate::metrics::{Metrics, Page};
use crate::rpc::Parts;
use crate::tls::{self, Tls};
use crate::web::{self, Doors, Early, Files, Web};
use runtime::Drain;
use runtime::work::Desk;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tonic::service::Routes;
use tonic_web::GrpcWebLayer;
use tower::ServiceBuilder;
use tower::util::option_layer;

/// Connections to the port for metrics: more than all who ever read them at once.
const PAGE_CONNECTIONS_MAX: usize = 64;

/// The certificates, where there are any.
pub(super) fn tls(config: &Config, metrics: &Metrics) -> Result<Option<Tls>, StartError> {
    // Either both or none: the settings were checked.
    let (Some(cert), Some(key)) = (config.tls_cert.path(), config.tls_key.path()) else {
        return Ok(None);
    };
    let files = tls::Files {
        cert: cert.into(),
        key: key.into(),
        client_ca: config.tls_client_ca.path().map(Into::into),
        http1: config.web != WebAccess::Off,
    };
    let opened = tls::open(files, metrics);
    opened.map(Some).map_err(StartError::File)
}

/// What holds for connections to the port for calls.
pub(super) fn rules(
    config: &Config,
    tls: Option<Tls>,
    flight: &Flight,
    metrics: &Metrics,
) -> Rules {
    let unless_zero = |time: Duration| (time > Duration::ZERO).then_some(time);
    Rules {
        connections_max: config.connections_max,
        peer_max: config.peer_connections_max,
        wire: Wire {
            http1: config.web != WebAccess::Off,
            streams_max: config.connection_streams_max,
            header_list_bytes_max: config.header_list_bytes_max,
            keepalive_interval: config.keepalive_interval.get(),
            keepalive_timeout: config.keepalive_timeout.get(),
            header_timeout: config.header_timeout.get(),
        },
        tls,
        handshake_timeout: config.handshake_timeout.get(),
        header_timeout: config.header_timeout.get(),
        age: unless_zero(config.connection_age.get()),
        idle: unless_zero(config.connection_idle.get()),
        age_grace: config.connection_age_grace.get(),
        send_timeout: config.send_timeout.get(),
        flight: flight.clone(),
        metrics: Some(metrics.clone()),
    }
}

/// The layers around every call, from the outside.
pub(super) struct Layers {
    /// Who may call in JSON and by gRPC-Web.
    pub access: WebAccess,
    /// Under which names.
    pub hosts: WebHosts,
    /// Whether there are pages to try things out on.
    pub playground: Switch,
    /// Largest body in JSON, in bytes.
    pub request_bytes_max: usize,
    /// Where JSON is read and written.
    pub desk: Desk,
    /// Who may call.
    pub gate: Gate,
    /// Deadlines, ids, counts.
    pub calls: Calls,
}

impl Layers {
    pub(super) fn new(parts: &Parts, calls: Calls, gate: Gate) -> Self {
        let config = &parts.config;
        Self {
            access: config.web.clone(),
            hosts: config.web_hosts.clone(),
            playground: config.playground,
            request_bytes_max: config.request_bytes_max,
            desk: parts.desk.clone(),
            gate,
            calls,
        }
    }
}

/// Serves calls until it is stopped and the calls in flight have ended.
pub(super) async fn calls(
    rules: Rules,
    layers: Layers,
    listener: TcpListener,
    routes: Routes,
    closing: watch::Receiver<bool>,
) {
    let is_open = layers.access != WebAccess::Off;
    let web = is_open.then(|| Web::new(layers.desk, layers.gate, layers.request_bytes_max));
    let has_playground = layers.playground == Switch::On;
    let files = is_open.then_some(Early(Files { has_playground }));
    let service = ServiceBuilder::new()
        .layer(Early(Doors::new(layers.hosts, layers.access.clone())))
        .layer(option_layer(files))
        .layer(option_layer(web::pages(&layers.access)))
        .layer(option_layer(web))
        .layer(option_layer(is_open.then(GrpcWebLayer::new)))
        .layer(layers.calls)
        .service(routes.prepare());
    connections::serve(rules, listener, service, closing).await;
}

/// Serves metrics without end. They are plain and for operators: their port is one of its own.
pub(super) async fn pages(config: Config, leaving: Drain, listener: TcpListener, metrics: Metrics) {
    // The sender lives as long as this does.
    let (_open, closing) = watch::channel(false);
    // Nobody of those is refused for what others send.
    let flight = Flight::new(usize::MAX);
    let mut rules = rules(&config, None, &flight, &metrics);
    rules.wire.http1 = true;
    let rules = Rules {
        connections_max: PAGE_CONNECTIONS_MAX,
        age: None,
        idle: None,
        metrics: None,
        ..rules
    };
    connections::serve(rules, listener, Page { metrics, leaving }, closing).await;
}
