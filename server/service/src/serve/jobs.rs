//! The place where jobs are kept, and sessions are logged.

use super::StartError;
use crate::config::{BrokerUrl, JobsPlace, Switch};
use crate::jobs::Jobs;
use crate::jobs::local::Local;
#[cfg(feature = "nats")]
use crate::jobs::nats::{Nats, Settings};
use crate::jobs::store::Weights;
use crate::metrics::Metrics;
use crate::rpc::Parts;
use crate::sessions::log::file::FileLog;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// The jobs, where they are to be kept.
pub(super) async fn open(parts: &Parts) -> Result<Option<Jobs>, StartError> {
    let (config, drain) = (&parts.config, &parts.runner.drain);
    let path = match &config.jobs {
        JobsPlace::Off => return Ok(None),
        JobsPlace::File(path) => path.clone(),
        JobsPlace::Broker(url) => return shared(parts, url).await.map(Some),
    };
    let (jobs_max, weights) = (config.jobs_max, weights(parts));
    let own = path.clone();
    let opened = tokio::task::spawn_blocking(move || Local::open(&own, jobs_max, weights)).await;
    let opened = opened.map_err(|error| StartError::Jobs(error.to_string()))?;
    let local = opened.map_err(|error| StartError::Jobs(error.to_string()))?;
    if config.session_log == Switch::On {
        parts
            .sessions
            .log_to(session_log(session_path(&path)).await?);
    }
    let (store, copied) = (local.weak(), copies(parts));
    let jobs = Jobs::new(Arc::new(local), drain.clone());
    if let Some((to, interval)) = copied {
        let metrics = parts.metrics.clone();
        tokio::spawn(copy(store, to, interval, jobs.copying(), metrics));
    }
    Ok(Some(jobs))
}

/// The file of sessions, next to that of jobs.
fn session_path(jobs: &Path) -> PathBuf {
    let mut name = jobs.as_os_str().to_owned();
    name.push(".sessions");
    name.into()
}

/// The log of sessions in a file.
async fn session_log(path: PathBuf) -> Result<Arc<FileLog>, StartError> {
    let opened = tokio::task::spawn_blocking(move || FileLog::open(&path)).await;
    let opened = opened.map_err(|error| StartError::Jobs(error.to_string()))?;
    let log = opened.map_err(|error| StartError::Jobs(error.to_string()))?;
    Ok(Arc::new(log))
}

/// Where copies go, and how often.
fn copies(parts: &Parts) -> Option<(PathBuf, Duration)> {
    let to = parts.config.jobs_backup.path()?;
    Some((to.into(), parts.config.jobs_backup_interval.get()))
}

/// Writes copies of the file, now and then and when somebody wants one, until the store is gone.
async fn copy(
    store: impl Fn() -> Option<Local> + Send + Sync,
    to: PathBuf,
    interval: Duration,
    wanted: Arc<Notify>,
    metrics: Metrics,
) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(interval) => {}
            () = wanted.notified() => {}
        }
        let Some(store) = store() else {
            return;
        };
        let since = Instant::now();
        let shown = to.display();
        match store.copy(to.clone()).await {
            Ok(()) => {
                metrics.job_backup();
                let took_ms = since.elapsed().as_millis();
                tracing::info!(file = %shown, took_ms, "job file copied");
            }
            Err(error) => tracing::error!(file = %shown, %error, "job file not copied"),
        }
    }
}

/// The parts of tenants in what others want, too, as they are at the moment.
fn weights(parts: &Parts) -> Weights {
    let tenants = parts.tenants.clone();
    Arc::new(move |tenant: &str| tenants.weight(tenant))
}

/// The jobs that are shared with other servers.
#[cfg(feature = "nats")]
async fn shared(parts: &Parts, url: &BrokerUrl) -> Result<Jobs, StartError> {
    let nats = Nats::open(Settings::new(&parts.config, url), weights(parts)).await;
    let nats = nats.map_err(|error| StartError::Jobs(error.to_string()))?;
    if parts.config.session_log == Switch::On {
        parts.sessions.log_to(Arc::new(nats.session_log()));
    }
    Ok(Jobs::new(Arc::new(nats), parts.runner.drain.clone()))
}

#[cfg(not(feature = "nats"))]
async fn shared(_: &Parts, url: &BrokerUrl) -> Result<Jobs, StartError> {
    let why = format!("{url}: this server was built without the feature nats");
    Err(StartError::Jobs(why))
}
