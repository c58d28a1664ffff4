//! The methods: decode, run, encode. No decisions.

pub(crate) mod allocation;
pub(crate) mod answers;
pub(crate) mod crew;
pub(crate) mod heist;
pub(crate) mod jobs;
mod letter;
pub(crate) mod method;
pub(crate) mod narrative;
pub(crate) mod patrol;
mod planning;
pub(crate) mod puzzle;
mod server;
pub(crate) mod story;
mod stream;
pub(crate) mod temporal;
mod told;

use letter::Letter;
pub(crate) use method::{Asked, Method};
pub(crate) use stream::Now;

use crate::cache::Cache;
use crate::config::Config;
use crate::examples::Examples;
use crate::jobs::Jobs;
use crate::run::Runner;
use crate::tenant::Tenants;
use crate::work::Desk;
use std::sync::Arc;
use stubs::allocation_service_server::AllocationServiceServer;
use stubs::crew_service_server::CrewServiceServer;
use stubs::heist_service_server::HeistServiceServer;
use stubs::job_service_server::JobServiceServer;
use stubs::narrative_service_server::NarrativeServiceServer;
use stubs::patrol_service_server::PatrolServiceServer;
use stubs::planning_service_server::PlanningServiceServer;
use stubs::puzzle_service_server::PuzzleServiceServer;
use stubs::server_service_server::ServerServiceServer;
use stubs::story_service_server::StoryServiceServer;
use stubs::temporal_service_server::TemporalServiceServer;
use tonic::server::NamedService;
use tonic::service::Routes;

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
    pub runner: Runner,
    pub cache: Cache,
    pub examples: Arc<Examples>,
    /// Where messages are read and written.
    pub desk: Desk,
    pub tenants: Tenants,
}

/// Names of the services whose health is told.
pub(crate) const SERVICES: [&str; 11] = [
    AllocationServiceServer::<allocation::Allocation>::NAME,
    CrewServiceServer::<crew::Crew>::NAME,
    HeistServiceServer::<heist::Heist>::NAME,
    JobServiceServer::<jobs::Work>::NAME,
    NarrativeServiceServer::<narrative::Narrative>::NAME,
    PatrolServiceServer::<patrol::Patrol>::NAME,
    PlanningServiceServer::<planning::Planning>::NAME,
    PuzzleServiceServer::<puzzle::Puzzle>::NAME,
    ServerServiceServer::<server::About>::NAME,
    StoryServiceServer::<story::Story>::NAME,
    TemporalServiceServer::<temporal::Temporal>::NAME,
];

/// A service behind its generated server, with the limits of messages. A macro, because generated servers share no trait.
macro_rules! served {
    ($server:ident::new($service:expr), $config:expr) => {
        $server::new($service)
            .max_decoding_message_size($config.request_bytes_max)
            .max_encoding_message_size($config.response_bytes_max)
    };
}

/// All services of ours.
pub(crate) fn routes(parts: &Parts, jobs: Option<&Jobs>) -> Routes {
    let config = &*parts.config;
    let own = || parts.clone();
    Routes::new(served!(
        AllocationServiceServer::new(allocation::Allocation(own())),
        config
    ))
    .add_service(served!(CrewServiceServer::new(crew::Crew(own())), config))
    .add_service(served!(
        HeistServiceServer::new(heist::Heist(own())),
        config
    ))
    .add_service(served!(
        JobServiceServer::new(jobs::Work {
            parts: own(),
            jobs: jobs.cloned(),
        }),
        config
    ))
    .add_service(served!(
        NarrativeServiceServer::new(narrative::Narrative(own())),
        config
    ))
    .add_service(served!(
        PatrolServiceServer::new(patrol::Patrol(own())),
        config
    ))
    .add_service(served!(
        PlanningServiceServer::new(planning::Planning(own())),
        config
    ))
    .add_service(served!(
        PuzzleServiceServer::new(puzzle::Puzzle(own())),
        config
    ))
    .add_service(served!(
        StoryServiceServer::new(story::Story(own())),
        config
    ))
    .add_service(served!(
        TemporalServiceServer::new(temporal::Temporal(own())),
        config
    ))
    .add_service(served!(
        ServerServiceServer::new(server::About {
            parts: own(),
            jobs: jobs.cloned(),
        }),
        config
    ))
}

#[cfg(test)]
mod tests;
