//! The place where jobs are kept.

use super::StartError;
use crate::config::{BrokerUrl, JobsPlace};
use crate::jobs::Jobs;
use crate::jobs::local::Local;
#[cfg(feature = "nats")]
use crate::jobs::nats::{Nats, Settings};
use crate::jobs::store::Weights;
use crate::rpc::Parts;
use std::sync::Arc;

/// The jobs, where they are to be kept.
pub(super) async fn open(parts: &Parts) -> Result<Option<Jobs>, StartError> {
    let (config, drain) = (&parts.config, &parts.runner.drain);
    let path = match &config.jobs {
        JobsPlace::Off => return Ok(None),
        JobsPlace::File(path) => path.clone(),
        JobsPlace::Broker(url) => return shared(parts, url).await.map(Some),
    };
    let (jobs_max, weights) = (config.jobs_max, weights(parts));
    let opened = tokio::task::spawn_blocking(move || Local::open(&path, jobs_max, weights)).await;
    let opened = opened.map_err(|error| StartError::Jobs(error.to_string()))?;
    let local = opened.map_err(|error| StartError::Jobs(error.to_string()))?;
    Ok(Some(Jobs::new(Arc::new(local), drain.clone())))
}

/// The parts of tenants in what others want, too, as they are at the moment.
fn weights(parts: &Parts) -> Weights {
    let tenants = parts.tenants.clone();
    Arc::new(move |tenant: &str| tenants.weight(tenant))
}

/// The jobs that are shared with other servers.
#[cfg(feature = "nats")]
async fn shared(parts: &Parts, url: &BrokerUrl) -> Result<Jobs, StartError> {
    let nats = Nats::open(Settings::of(&parts.config, url), weights(parts)).await;
    let nats = nats.map_err(|error| StartError::Jobs(error.to_string()))?;
    if let Some(answers) = nats.answers() {
        parts.cache.join(Arc::new(answers));
    }
    Ok(Jobs::new(Arc::new(nats), parts.runner.drain.clone()))
}

#[cfg(not(feature = "nats"))]
async fn shared(_: &Parts, url: &BrokerUrl) -> Result<Jobs, StartError> {
    let why = format!("{url}: this server was built without the feature nats");
    Err(StartError::Jobs(why))
}
