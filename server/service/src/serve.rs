//! Starting and stopping.

mod health;
mod jobs;
mod port;

use crate::auth::Gate;
use crate::cache::Cache;
use crate::call::Calls;
use crate::config::{Config, Switch};
use crate::flight::Flight;
use crate::jobs::Jobs;
use crate::jobs::worker::Workers;
use crate::metrics::Metrics;
use crate::rpc::{self, Parts};
use crate::sessions::Sessions;
use crate::tenant::Tenants;
use crate::tls::Tls;
use crate::watched::{self, Refresh};
use health::Health;
use runtime::Drain;
use runtime::admission::{Admission, Room};
use runtime::work::Desk;
use runtime::{Memory, Reserves, Runner, SearchThreads, Watchdog};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tonic::service::Routes;
use wire::examples::{BrokenExample, Examples};

/// How often observations are summed up.
const SUM_UP_INTERVAL: Duration = Duration::from_secs(5);

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Invalid settings.
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
    /// A file with certificates, keys or tokens.
    #[error("{0}")]
    File(String),
    /// The place where jobs are to be kept.
    #[error("{0}")]
    Jobs(String),
    /// The descriptors that reflection serves.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
}

/// A server that runs. Dropping it stops it at once; [`Running::shut_down`] does so with grace.
pub struct Running {
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    stop: watch::Sender<bool>,
    drain: Drain,
    /// Begins before the drain, with the lame duck.
    leaving: Drain,
    health: Health,
    admission: Admission,
    config: Config,
    metrics: Metrics,
    calls: JoinHandle<()>,
    workers: Option<Workers>,
    page: Option<JoinHandle<()>>,
    sums: JoinHandle<()>,
    store: Option<JoinHandle<()>>,
    files: JoinHandle<()>,
    sweep: JoinHandle<()>,
    sessions: Sessions,
    read_again: Arc<Notify>,
    copying: Option<Arc<Notify>>,
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
    let drain = Drain::default();
    let tls = port::tls(&config, &metrics)?;
    let gate = Gate::open(&config, &metrics).map_err(StartError::File)?;
    let parts = parts(&config, &metrics, &drain, gate.tenants())?;
    let admission = parts.runner.admission.clone();
    let jobs = jobs::open(&parts).await?;
    let (routes, health) = routes(&parts, jobs.as_ref()).await?;
    let (listener, address) = listen(config.listen).await?;
    let (leaving, flight) = (Drain::default(), Flight::new(config.shares().flight));
    let page = page(&config, &leaving, &metrics).await?;
    let (page, metrics_address) = page.unzip();
    let (stop, stopped) = watch::channel(false);
    let read_again = Arc::new(Notify::new());
    let files = files(tls.as_ref(), &gate);
    let files = watched::for_ever(files, config.reload_interval.get(), Arc::clone(&read_again));
    let calls = Calls::new(metrics.clone(), drain.clone(), gate.clone());
    let layers = port::Layers::new(&parts, calls, gate);
    let rules = port::rules(&config, tls, &flight, &metrics);
    let calls = tokio::spawn(port::calls(rules, layers, listener, routes, stopped));
    tracing::info!(
        address = %address,
        metrics = metrics_address.map(tracing::field::display),
        slots = admission.slots(),
        tls = config.tls_cert.path().is_some(),
        version = env!("CARGO_PKG_VERSION"),
        "listening"
    );
    Ok(Running {
        address,
        metrics_address,
        stop,
        drain,
        leaving,
        store: health.follow(jobs.as_ref(), &metrics),
        health,
        admission,
        config,
        calls,
        copying: jobs.as_ref().map(Jobs::copying),
        workers: jobs.map(|jobs| Workers::start(&jobs, &background(&parts))),
        page,
        sums: tokio::spawn(sums(metrics.clone(), flight)),
        files: tokio::spawn(files),
        sweep: tokio::spawn(parts.sessions.clone().sweep()),
        sessions: parts.sessions,
        read_again,
        metrics,
    })
}

/// The page of metrics and its address, unless it is off.
async fn page(
    config: &Config,
    leaving: &Drain,
    metrics: &Metrics,
) -> Result<Option<(JoinHandle<()>, SocketAddr)>, StartError> {
    let Some(address) = config.metrics_listen.0 else {
        return Ok(None);
    };
    let (listener, address) = listen(address).await?;
    let page = port::pages(config.clone(), leaving.clone(), listener, metrics.clone());
    Ok(Some((tokio::spawn(page), address)))
}

/// Files that are read again when they change.
fn files(tls: Option<&Tls>, gate: &Gate) -> Vec<Arc<dyn Refresh>> {
    let tls = tls.map(|tls| Arc::new(tls.clone()) as Arc<dyn Refresh>);
    tls.into_iter().chain(gate.files()).collect()
}

fn parts(
    config: &Config,
    metrics: &Metrics,
    drain: &Drain,
    tenants: &Tenants,
) -> Result<Parts, StartError> {
    let (slots, shares) = (config.slot_count(), config.shares());
    metrics.memory(shares.whole);
    let meters = metrics.meters();
    let room = Room {
        queue_max: config.queue_max,
        queue_bytes_max: shares.queue,
        memory_max: shares.callers,
    };
    let admission = Admission::new(slots, room, meters.clone());
    let watchdog = Watchdog::default();
    watchdog.run(meters.clone());
    Ok(Parts {
        runner: Runner {
            admission,
            drain: drain.clone(),
            metrics: meters,
            memory: Memory {
                each: shares.each,
                nodes_max: config.nodes_max,
            },
            reserves: Reserves::default(),
            threads: SearchThreads::default(),
            watchdog,
            yields: false,
        },
        cache: Cache::new(shares.cache, metrics.clone()),
        metrics: metrics.clone(),
        examples: Arc::new(Examples::read()?),
        desk: Desk::new(slots),
        tenants: tenants.clone(),
        sessions: Sessions::new(config.sessions_max, shares.sessions, metrics.clone()),
        config: Arc::new(config.clone()),
    })
}

/// The same parts for jobs: slots of their own, and longer budgets.
fn background(parts: &Parts) -> Parts {
    let config = Config {
        budget_default: parts.config.job_budget_default,
        budget_max: parts.config.job_budget_max,
        ..Config::clone(&parts.config)
    };
    let slots = config.job_slot_count();
    let admission = Admission::background(slots, config.shares().jobs, &parts.runner.metrics);
    Parts {
        runner: Runner {
            admission,
            yields: true,
            // Their answers are not waited for by the millisecond, and their threads come last.
            reserves: Reserves::default(),
            ..parts.runner.clone()
        },
        config: Arc::new(config),
        ..parts.clone()
    }
}

/// Our services, health and reflection.
async fn routes(parts: &Parts, jobs: Option<&Jobs>) -> Result<(Routes, Health), StartError> {
    let (health, health_service) = tonic_health::server::health_reporter();
    let health = Health::new(health).await;
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(stratagem_proto::DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let routes = rpc::routes(parts, jobs).add_service(health_service);
    if parts.config.reflection == Switch::Off {
        return Ok((routes, health));
    }
    let routes = routes
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

/// Sums up observations without end.
async fn sums(metrics: Metrics, flight: Flight) {
    loop {
        sleep(SUM_UP_INTERVAL).await;
        metrics.in_flight(flight.used());
        metrics.sum_up();
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

    /// Reads certificates and keys again, whether they have changed or not. What is invalid
    /// changes nothing, is logged and counted.
    pub fn reload(&self) {
        self.read_again.notify_one();
    }

    /// Writes a copy of the file of jobs to where the settings say, if they do.
    pub fn back_up(&self) {
        if let Some(copying) = &self.copying {
            copying.notify_one();
        }
    }

    /// Stops with grace; says whether every call ended in time.
    ///
    /// Health says NOT_SERVING at once. For the lame-duck time requests are still taken, so that
    /// balancers notice. Then searches end with the best so far, calls that wait for a slot are
    /// sent elsewhere, and new requests are refused; when the last call has ended, or the drain
    /// timeout is over, so is the server.
    pub async fn shut_down(mut self) -> bool {
        self.leaving.begin();
        self.health.leave().await;
        sleep(self.config.lame_duck.get()).await;
        self.drain.begin();
        self.admission.close();
        // Only now: the listening socket is closed at once.
        self.stop.send_replace(true);
        let workers = self.workers.take();
        let calls = &mut self.calls;
        let both = async {
            // Fails when serving panicked: then it has ended, too.
            let _ = calls.await;
            if let Some(workers) = workers {
                workers.end().await;
            }
        };
        timeout(self.config.drain_timeout.get(), both).await.is_ok()
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
        self.files.abort();
        self.sweep.abort();
        self.sessions.leave();
        for task in self.page.iter().chain(&self.store) {
            task.abort();
        }
    }
}
