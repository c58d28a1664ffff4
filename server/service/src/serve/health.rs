//! Health, by which balancers know whether to send calls here.

use crate::jobs::Jobs;
use crate::metrics::Metrics;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

/// The service that depends on the place that keeps jobs.
const JOBS: &str = "stratagem.v1.JobService";

/// What `grpc.health.v1` reports; clones share it.
#[derive(Clone)]
pub(super) struct Health {
    reporter: HealthReporter,
    /// Nothing serves any more.
    is_leaving: Arc<Mutex<bool>>,
}

impl Health {
    /// All services serve.
    pub(super) async fn new(reporter: HealthReporter) -> Self {
        let health = Self {
            reporter,
            is_leaving: Arc::default(),
        };
        health.set_all(ServingStatus::Serving).await;
        health
    }

    async fn set_all(&self, status: ServingStatus) {
        // The empty name is the server as a whole.
        for service in wire::contract::SERVICES.iter().copied().chain([""]) {
            self.reporter.set_service_status(service, status).await;
        }
    }

    /// The server shuts down: nothing serves from now on.
    pub(super) async fn leave(&self) {
        let mut is_leaving = self.is_leaving.lock().await;
        *is_leaving = true;
        self.set_all(ServingStatus::NotServing).await;
    }

    /// Follows the place that keeps jobs: while it does not answer, nor does their service.
    pub(super) fn follow(&self, jobs: Option<&Jobs>, metrics: &Metrics) -> Option<JoinHandle<()>> {
        let (own, mut up, metrics) = (self.clone(), jobs?.up(), metrics.clone());
        Some(tokio::spawn(async move {
            loop {
                let is_up = *up.borrow_and_update();
                metrics.job_store(is_up);
                own.jobs(is_up).await;
                if up.changed().await.is_err() {
                    return;
                }
            }
        }))
    }

    async fn jobs(&self, is_up: bool) {
        let is_leaving = self.is_leaving.lock().await;
        if *is_leaving {
            return;
        }
        let status = if is_up {
            ServingStatus::Serving
        } else {
            ServingStatus::NotServing
        };
        self.reporter.set_service_status(JOBS, status).await;
    }
}
