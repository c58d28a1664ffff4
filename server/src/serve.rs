//! Starting and stopping.

use crate::cache::Cache;
use crate::call::Calls;
use crate::config::Config;
use crate::drain::Drain;
use crate::examples::{BrokenExample, Examples};
use crate::metrics::{Metrics, Page};
use crate::rpc::{self, Parts};
use crate::run::Runner;
use crate::run::admission::Admission;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use tower::layer::util::{Identity, Stack};

/// Resets in flight, and resets of our own, before a connection is closed: rapid resets cost us
/// more than the caller.
const PENDING_RESETS_MAX: usize = 20;
const OWN_RESETS_MAX: usize = 1_024;
/// How often observations are summed up.
const SUM_UP_INTERVAL: Duration = Duration::from_secs(5);
/// How long a connection may be silent before the system probes it.
const TCP_KEEPALIVE: Duration = Duration::from_secs(60);

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Settings that make no sense.
    #[error("{}", .0.join("; "))]
    Settings(Vec<String>),
    /// An address that cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// An example that is no problem.
    #[error(transparent)]
    Example(#[from] BrokenExample),
    /// The descriptors that reflection serves.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
}

/// A server that runs. Dropping it stops it at once; [`Running::shut_down`] does so with grace.
pub struct Running {
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    stop: watch::Sender<Stage>,
    drain: Drain,
    health: Health,
    admission: Admission,
    config: Config,
    metrics: Metrics,
    calls: JoinHandle<()>,
    page: Option<JoinHandle<()>>,
    sums: JoinHandle<()>,
}

/// How far stopping has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Serving,
    /// No new connections.
    Closing,
}

/// Starts a server and returns once it listens.
///
/// # Errors
/// See [`StartError`].
///
/// # Panics
/// Outside of a tokio runtime.
pub async fn serve(config: Config) -> Result<Running, StartError> {
    let wrong = config.check();
    if !wrong.is_empty() {
        return Err(StartError::Settings(wrong));
    }
    let metrics = Metrics::new();
    let drain = Drain::new();
    let parts = parts(&config, &metrics, &drain)?;
    let admission = parts.runner.admission.clone();
    let (routes, health) = routes(&parts).await?;
    let (listener, address) = listen(config.listen).await?;
    let (page, metrics_address) = match config.metrics_listen.0 {
        Some(address) => {
            let (listener, address) = listen(address).await?;
            (
                Some(tokio::spawn(pages(listener, metrics.clone()))),
                Some(address),
            )
        }
        None => (None, None),
    };
    let (stop, stopped) = watch::channel(Stage::Serving);
    let server = builder(&config, Calls::new(metrics.clone(), drain.clone()));
    let calls = tokio::spawn(calls(server, listener, routes, stopped));
    tracing::info!(
        address = %address,
        metrics = metrics_address.map(tracing::field::display),
        slots = admission.slots(),
        version = env!("CARGO_PKG_VERSION"),
        "listening"
    );
    Ok(Running {
        address,
        metrics_address,
        stop,
        drain,
        health,
        admission,
        config,
        calls,
        page,
        sums: tokio::spawn(sums(metrics.clone())),
        metrics,
    })
}

fn parts(config: &Config, metrics: &Metrics, drain: &Drain) -> Result<Parts, StartError> {
    let slots = config.slot_count();
    let admission = Admission::new(
        slots,
        config.queue_max,
        config.queue_bytes_max,
        metrics.clone(),
    );
    Ok(Parts {
        runner: Runner {
            admission,
            drain: drain.clone(),
            metrics: metrics.clone(),
            nodes_max: config.nodes_max,
        },
        cache: Cache::new(config.cache_bytes_max, metrics.clone()),
        examples: Arc::new(Examples::read()?),
        blocking: rpc::Blocking::new(slots),
        config: Arc::new(config.clone()),
    })
}

/// Our services, health and reflection.
async fn routes(parts: &Parts) -> Result<(Routes, Health), StartError> {
    let (health, health_service) = tonic_health::server::health_reporter();
    let health = Health(health);
    health.tell(ServingStatus::Serving).await;
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(stratagem_proto::DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let routes = rpc::routes(parts)
        .add_service(health_service)
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?);
    Ok((routes, health))
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let wrong = |source| StartError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(wrong)?;
    let bound = listener.local_addr().map_err(wrong)?;
    Ok((listener, bound))
}

fn incoming(listener: TcpListener) -> TcpIncoming {
    TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .with_keepalive(Some(TCP_KEEPALIVE))
}

/// How connections are served.
fn builder(config: &Config, layer: Calls) -> Server<Stack<Calls, Identity>> {
    Server::builder()
        .http2_keepalive_interval(Some(config.keepalive_interval.get()))
        .http2_keepalive_timeout(Some(config.keepalive_timeout.get()))
        .max_concurrent_streams(config.connection_streams_max)
        .http2_max_header_list_size(config.header_list_bytes_max)
        .http2_max_pending_accept_reset_streams(Some(PENDING_RESETS_MAX))
        .http2_max_local_error_reset_streams(Some(OWN_RESETS_MAX))
        .layer(layer)
}

/// Serves calls until it is told to stop and the calls in flight have ended.
async fn calls(
    mut server: Server<Stack<Calls, Identity>>,
    listener: TcpListener,
    routes: Routes,
    mut stopped: watch::Receiver<Stage>,
) {
    let signal = async move {
        // Without a sender the server was dropped.
        let _ = stopped.wait_for(|stage| *stage >= Stage::Closing).await;
    };
    let served = server
        .add_routes(routes)
        .serve_with_incoming_shutdown(incoming(listener), signal);
    if let Err(error) = served.await {
        tracing::error!("serving failed: {error}");
    }
}

/// Sums up observations for ever.
async fn sums(metrics: Metrics) {
    loop {
        sleep(SUM_UP_INTERVAL).await;
        metrics.sum_up();
    }
}

/// Serves metrics for ever.
async fn pages(listener: TcpListener, metrics: Metrics) {
    let served = Server::builder()
        .accept_http1(true)
        .serve_with_incoming(Page(metrics), incoming(listener));
    if let Err(error) = served.await {
        tracing::error!("serving metrics failed: {error}");
    }
}

/// Tells balancers whether to send calls here.
#[derive(Clone)]
struct Health(HealthReporter);

impl Health {
    async fn tell(&self, status: ServingStatus) {
        // The empty name is the server as a whole.
        for service in rpc::SERVICES.into_iter().chain([""]) {
            self.0.set_service_status(service, status).await;
        }
    }
}

impl Running {
    /// Where it serves gRPC.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it serves metrics; `None` when they are off.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// Its metrics at this moment, as Prometheus reads them.
    #[must_use]
    pub fn metrics(&self) -> String {
        self.metrics.page()
    }

    /// Stops with grace; says whether every call ended in time.
    ///
    /// Health says NOT_SERVING at once. For the lame-duck time requests are still taken, so that
    /// balancers notice. Then searches end with the best so far, whoever waits for a slot is told
    /// to go elsewhere, and new requests are refused; when the last call has ended, or the drain
    /// timeout is over, so is the server.
    pub async fn shut_down(mut self) -> bool {
        self.health.tell(ServingStatus::NotServing).await;
        sleep(self.config.lame_duck.get()).await;
        self.drain.begin();
        self.admission.close();
        // Only now: tonic closes the listening socket as soon as it hears.
        self.stop.send_replace(Stage::Closing);
        let ended = timeout(self.config.drain_timeout.get(), &mut self.calls).await;
        ended.is_ok()
    }
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running")
            .field("address", &self.address)
            .field("metrics_address", &self.metrics_address)
            .finish_non_exhaustive()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.drain.begin();
        self.admission.close();
        self.calls.abort();
        self.sums.abort();
        if let Some(page) = &self.page {
            page.abort();
        }
    }
}
