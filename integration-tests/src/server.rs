//! A server within the test, and clients of any server.

use crate::metrics::Metrics;
use crate::patience::eventually;
use std::ffi::OsString;
use std::net::SocketAddr;
use stratagem_proto::v1::allocation_service_client::AllocationServiceClient;
use stratagem_proto::v1::job_service_client::JobServiceClient;
use stratagem_proto::v1::planning_service_client::PlanningServiceClient;
use stratagem_proto::v1::server_service_client::ServerServiceClient;
use stratagem_proto::v1::story_service_client::StoryServiceClient;
use stratagem_server::config::{Action, load};
use stratagem_server::{Running, serve};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tonic::transport::{Channel, Endpoint};

/// Flags of a server that keeps no answer, so that every request is searched.
pub const WITHOUT_CACHE: &[&str] = &["--cache-bytes-max", "0"];

/// A running server, over real sockets, within this program; stopped when dropped.
pub struct Server {
    /// Where it serves gRPC.
    pub address: SocketAddr,
    /// Where it serves metrics.
    pub metrics_address: SocketAddr,
    /// `None` once it stops, and when another process serves.
    running: Option<Running>,
    /// Of its own, so that a test may block.
    threads: Option<Runtime>,
}

impl Server {
    /// Starts a server within the test, with flags as the program reads them.
    ///
    /// # Panics
    /// When it does not come up.
    pub async fn start(flags: &[&str]) -> Self {
        let words = [&["stratagem-server"], &*self::flags(flags)].concat();
        let config = match load(words.iter().map(OsString::from), []) {
            Ok(Action::Serve(config)) => *config,
            Ok(_) => panic!("{words:?} do not start a server"),
            Err(error) => panic!("{words:?}: {error:?}"),
        };
        let threads = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build();
        let threads = threads.expect("threads can be started");
        let running = threads.spawn(serve(config)).await.expect("no panic");
        let running = running.expect("free ports can be listened on");
        let metrics = running.metrics_address();
        Self {
            address: running.address(),
            metrics_address: metrics.expect("flags of tests serve metrics"),
            running: Some(running),
            threads: Some(threads),
        }
    }

    /// The server of another process.
    pub(crate) fn elsewhere(address: SocketAddr, metrics_address: SocketAddr) -> Self {
        Self {
            address,
            metrics_address,
            running: None,
            threads: None,
        }
    }

    /// Its address as a client wants it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A new connection.
    pub async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(self.url()).expect("addresses are good");
        endpoint.connect().await.expect("the server listens")
    }

    /// A client of the planner, on a new connection.
    pub async fn allocation(&self) -> AllocationServiceClient<Channel> {
        AllocationServiceClient::new(self.channel().await).max_decoding_message_size(64 << 20)
    }

    /// A client of the story planner, on a new connection.
    pub async fn story(&self) -> StoryServiceClient<Channel> {
        StoryServiceClient::new(self.channel().await)
    }

    /// A client for verification, on a new connection.
    pub async fn planning(&self) -> PlanningServiceClient<Channel> {
        PlanningServiceClient::new(self.channel().await)
    }

    /// A client for jobs, on a new connection.
    pub async fn jobs(&self) -> JobServiceClient<Channel> {
        JobServiceClient::new(self.channel().await).max_decoding_message_size(64 << 20)
    }

    /// A client that asks the server about itself, on a new connection.
    pub async fn about(&self) -> ServerServiceClient<Channel> {
        ServerServiceClient::new(self.channel().await)
    }

    /// Its metrics at this moment.
    pub async fn metrics(&self) -> Metrics {
        if let Some(running) = &self.running {
            return Metrics::parse(&running.metrics());
        }
        let address = self.metrics_address;
        tokio::task::spawn_blocking(move || Metrics::fetch(address))
            .await
            .expect("fetching does not panic")
            .expect("metrics are served")
    }

    /// Waits until a metric, the sum of all its series, has a value.
    pub async fn counts(&self, metric: &str, wanted: f64) {
        eventually(&format!("{metric} is {wanted}"), async || {
            (self.metrics().await.sum(metric) == wanted).then_some(())
        })
        .await;
    }

    /// Reads its files again.
    ///
    /// # Panics
    /// When it is another process.
    pub fn reload(&self) {
        self.running.as_ref().expect("it is here").reload();
    }

    /// Stops with grace; whether all calls ended in time comes with the end.
    ///
    /// # Panics
    /// When it is another process.
    pub fn shut_down(&mut self) -> JoinHandle<bool> {
        let running = self.running.take().expect("it is here");
        let threads = self.threads.as_ref().expect("it is here");
        threads.spawn(running.shut_down())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.running.take());
        if let Some(threads) = self.threads.take() {
            threads.shutdown_background();
        }
    }
}

/// Free ports, two slots and no lame duck, unless these flags have others.
pub(crate) fn flags<'f>(flags: &[&'f str]) -> Vec<&'f str> {
    let defaults = [
        ("--listen", "127.0.0.1:0"),
        ("--metrics-listen", "127.0.0.1:0"),
        ("--slots", "2"),
        ("--lame-duck", "0ms"),
    ];
    let defaults = defaults.iter().filter(|(flag, _)| !flags.contains(flag));
    let defaults = defaults.flat_map(|&(flag, value)| [flag, value]);
    defaults.chain(flags.iter().copied()).collect()
}
