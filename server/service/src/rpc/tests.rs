//! Calls that lost what is known about them.

use super::jobs::Work;
use super::stubs::job_service_server::JobService as _;
use super::*;
use crate::call::Call;
use crate::codec::Encoded;
use crate::jobs::local::Local;
use crate::metrics::Metrics;
use crate::status::Refusal;
use crate::tenant::Tenant;
use prost::Message;
use runtime::Drain;
use runtime::Memory;
use runtime::admission::{Admission, Room};
use runtime::{Reserves, SearchThreads, Watchdog};
use stratagem_proto::v1 as pb;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;

/// Parts of a server, and where it keeps jobs.
fn work() -> Work {
    let config = Config::default();
    let metrics = Metrics::new();
    let room = Room {
        queue_max: 1,
        queue_bytes_max: 1 << 20,
        memory_max: 1 << 30,
    };
    let runner = Runner {
        admission: Admission::new(1, room, metrics.meters()),
        drain: Drain::default(),
        metrics: metrics.meters(),
        memory: Memory {
            each: 64 << 20,
            nodes_max: 1_000,
        },
        reserves: Reserves::default(),
        threads: SearchThreads::default(),
        watchdog: Watchdog::default(),
        yields: false,
    };
    let tenants = Tenants::open(&config, &metrics).unwrap();
    let parts = Parts {
        metrics: metrics.clone(),
        runner,
        sessions: Sessions::new(1, 1 << 20, metrics.clone()),
        cache: Cache::new(1 << 20, metrics),
        examples: Arc::new(Examples::read().unwrap()),
        desk: Desk::new(1),
        tenants,
        config: Arc::new(config),
    };
    let path = std::env::temp_dir().join(format!("stratagem-lost-{}", std::process::id()));
    let store = Local::open(&path, 10, Arc::new(|_: &str| 1.0)).unwrap();
    // The store has it open; nothing is left behind.
    std::fs::remove_file(&path).unwrap();
    let jobs = Jobs::new(Arc::new(store), Drain::default());
    Work {
        parts,
        jobs: Some(jobs),
    }
}

/// A request of this tenant, as the layer around all calls hands it on.
fn request<M: Message>(message: &M, tenant: Tenant) -> Request<Encoded<M>> {
    let mut request = lost(message);
    request.extensions_mut().insert(Call::new("test", tenant));
    request
}

/// The same, without that layer.
fn lost<M: Message>(message: &M) -> Request<Encoded<M>> {
    Request::new(Encoded::encode(message))
}

fn reason(status: &Status) -> String {
    let details = status.get_error_details();
    let info = details.error_info().expect("errors of ours have one");
    info.reason.clone()
}

fn list() -> pb::ListJobsRequest {
    pb::ListJobsRequest::default()
}

#[tokio::test]
async fn a_call_that_lost_its_caller_is_internal_and_sees_no_jobs() {
    let work = work();
    let lost = [
        work.list_jobs(lost(&list())).await.err(),
        work.get_job(lost(&pb::GetJobRequest::default()))
            .await
            .err(),
        work.watch_job(lost(&pb::WatchJobRequest::default()))
            .await
            .err(),
        work.cancel_job(lost(&pb::CancelJobRequest::default()))
            .await
            .err(),
        work.delete_job(lost(&pb::DeleteJobRequest::default()))
            .await
            .err(),
        work.create_job(lost(&pb::CreateJobRequest::default()))
            .await
            .err(),
    ];
    for status in lost {
        let status = status.expect("nobody may do that");
        assert_eq!(status.code(), Code::Internal);
        assert_eq!(reason(&status), "CALLER_LOST");
    }
}

#[tokio::test]
async fn everybody_owns_jobs_where_no_tokens_are_wanted_and_nobody_owns_none() {
    let work = work();
    let tenants = work.parts.tenants.clone();
    let everybody = work.list_jobs(request(&list(), tenants.everybody())).await;
    // No jobs: an empty message.
    assert!(everybody.unwrap().into_inner().into_bytes().is_empty());
    let arena = tenants.named("arena").unwrap();
    assert!(work.list_jobs(request(&list(), arena)).await.is_ok());
    let nobody = work.list_jobs(request(&list(), tenants.nobody())).await;
    assert_eq!(nobody.unwrap_err().code(), Code::Internal);
    assert_eq!(tenants.named("").unwrap_err(), Refusal::CallerLost);
}
