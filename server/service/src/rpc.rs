//! The methods: decode, run, encode. No decisions.

mod contract;
mod game;
pub(crate) mod jobs;
mod letter;
mod method;
mod question;
mod record;
mod server;
mod sessions;
mod stream;

use letter::Letter;

use crate::cache::Cache;
use crate::config::Config;
use crate::jobs::Jobs;
use crate::metrics::Metrics;
use crate::sessions::Sessions;
use crate::tenant::Tenants;
use runtime::Runner;
use runtime::work::Desk;
use std::sync::Arc;
use stubs::job_service_server::JobServiceServer;
use stubs::server_service_server::ServerServiceServer;
use stubs::session_service_server::SessionServiceServer;
use tonic::service::Routes;
use wire::examples::Examples;

/// Server stubs, made by build.rs.
mod stubs {
    #![expect(
        clippy::too_many_lines,
        clippy::allow_attributes,
        clippy::allow_attributes_without_reason,
        unreachable_pub,
        reason = "generated"
    )]
    tonic::include_proto!("stratagem.v1");
}

/// What the methods stand on; clones share it.
#[derive(Clone)]
pub(crate) struct Parts {
    pub config: Arc<Config>,
    pub metrics: Metrics,
    pub runner: Runner,
    pub cache: Cache,
    pub examples: Arc<Examples>,
    /// Where messages are read and written.
    pub desk: Desk,
    pub tenants: Tenants,
    pub sessions: Sessions,
}

/// A service behind its generated server, with the limits of messages. A macro, because generated
/// servers share no trait.
macro_rules! served {
    ($server:expr, $config:expr) => {
        $server
            .max_decoding_message_size($config.request_bytes_max)
            .max_encoding_message_size($config.response_bytes_max)
    };
}

/// All services of ours.
pub(crate) fn routes(parts: &Parts, jobs: Option<&Jobs>) -> Routes {
    let config = &*parts.config;
    let jobs = || jobs.cloned();
    let own = || parts.clone();
    let server = server::About {
        parts: own(),
        jobs: jobs(),
    };
    let work = jobs::Work {
        parts: own(),
        jobs: jobs(),
    };
    let live = sessions::Live { parts: own() };
    let routes = Routes::new(served!(ServerServiceServer::new(server), config))
        .add_service(served!(JobServiceServer::new(work), config))
        .add_service(served!(SessionServiceServer::new(live), config));
    macro_rules! with_planners {
        ($($module:ident::$server:ident;)*) => {
            routes$(.add_service(served!(stubs::$module::$server::new(own()), config)))*
        };
    }
    contract::each_service!(with_planners)
}

#[cfg(test)]
mod tests;
