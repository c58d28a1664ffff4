//! `JobService`, and how a job of any planner is checked and searched.

mod kinds;
mod search;

pub(crate) use search::{Ended, Task, search};

use super::{Parts, stubs, take};
use crate::jobs::Jobs;
use crate::status::Refusal;
use crate::tenant::{Caller, Tenant};
use crate::wire::job as wire;
use crate::wire::mistakes::Mistakes;
use prost::Message as _;
use std::pin::Pin;
use stratagem_proto::v1 as pb;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Work {
    /// To check problems.
    pub(super) parts: Parts,
    /// `None`: this server keeps no jobs.
    pub(super) jobs: Option<Jobs>,
}

/// Events that are made ready before their reader wants them: each may hold a plan.
const WATCHED_AHEAD: usize = 1;

/// The messages of a watched job.
type Watched = Pin<Box<dyn Stream<Item = Result<pb::WatchJobResponse, Status>> + Send>>;

/// A request for a job, and its planner; or all mistakes.
pub(crate) fn checked(
    request: pb::CreateJobRequest,
) -> Result<(wire::Wanted, &'static str), Mistakes> {
    let mut wrong = Mistakes::default();
    let own = wire::wanted(request.clone(), &mut wrong);
    let planner = kinds::check(request, &mut wrong);
    own.zip(planner).filter(|_| wrong.is_empty()).ok_or(wrong)
}

impl Work {
    /// The jobs that a caller owns.
    fn jobs(&self, tenant: &Tenant) -> Result<Jobs, Refusal> {
        let jobs = self.jobs.as_ref().ok_or(Refusal::JobsOff)?;
        match tenant.caller() {
            Caller::Everybody => Ok(jobs.clone()),
            Caller::Named(name) => Ok(jobs.of(name)),
            Caller::Nobody => Err(Refusal::CallerLost),
        }
    }

    /// The jobs among which a request names one.
    fn named(&self, tenant: &Tenant, job_id: &str) -> Result<Jobs, Refusal> {
        let jobs = self.jobs(tenant)?;
        wire::id(job_id).map_err(Refusal::Mistakes)?;
        Ok(jobs)
    }
}

/// The events of a job, from one on, until it has ended or nobody listens.
fn watched(jobs: Jobs, id: String, mut after: i64) -> Watched {
    let (sender, receiver) = mpsc::channel(WATCHED_AHEAD);
    tokio::spawn(async move {
        loop {
            let events = tokio::select! {
                biased;
                () = sender.closed() => return,
                events = jobs.events(&id, after) => events,
            };
            let events = match events {
                Ok(events) if events.is_empty() => return,
                Ok(events) => events,
                Err(refusal) => {
                    // Fails when nobody listens any more.
                    let _ = sender.send(Err(refusal.into())).await;
                    return;
                }
            };
            for event in events {
                after = event.sequence;
                let message = pb::WatchJobResponse { event: Some(event) };
                if sender.send(Ok(message)).await.is_err() {
                    return;
                }
            }
        }
    });
    Box::pin(ReceiverStream::new(receiver))
}

#[tonic::async_trait]
impl stubs::job_service_server::JobService for Work {
    type WatchJobStream = Watched;

    async fn create_job(
        &self,
        request: Request<pb::CreateJobRequest>,
    ) -> Result<Response<pb::CreateJobResponse>, Status> {
        let (call, message) = take(request)?;
        let tenant = call.tenant;
        let jobs = self.jobs(&tenant)?.at_most(tenant.quota().jobs_max);
        let size = message.encoded_len();
        let read = self.parts.blocking.run(size, move || checked(message));
        let (mut wanted, planner) = read.await?.map_err(Refusal::Mistakes)?;
        wanted.trace = call.trace;
        let created = jobs.create(wanted, planner).await;
        let (job, existed) = created.map_err(|refusal| match refusal {
            Refusal::Quota {
                what, retry_after, ..
            } => tenant.over(what, retry_after),
            other => other,
        })?;
        Ok(Response::new(pb::CreateJobResponse {
            job: Some(job),
            existed,
        }))
    }

    async fn get_job(
        &self,
        request: Request<pb::GetJobRequest>,
    ) -> Result<Response<pb::GetJobResponse>, Status> {
        let (call, pb::GetJobRequest { job_id }) = take(request)?;
        let jobs = self.named(&call.tenant, &job_id)?;
        let job = jobs.get(&job_id).await?;
        Ok(Response::new(pb::GetJobResponse { job: Some(job) }))
    }

    async fn list_jobs(
        &self,
        request: Request<pb::ListJobsRequest>,
    ) -> Result<Response<pb::ListJobsResponse>, Status> {
        let (call, message) = take(request)?;
        let jobs = self.jobs(&call.tenant)?;
        let wanted = wire::page(message).map_err(Refusal::Mistakes)?;
        Ok(Response::new(jobs.list(wanted).await?))
    }

    async fn watch_job(
        &self,
        request: Request<pb::WatchJobRequest>,
    ) -> Result<Response<Watched>, Status> {
        let (call, message) = take(request)?;
        let jobs = self.jobs(&call.tenant)?;
        wire::watched(&message).map_err(Refusal::Mistakes)?;
        let pb::WatchJobRequest {
            job_id,
            after_sequence,
        } = message;
        // Whoever asks for what is not there hears it at once.
        jobs.get(&job_id).await?;
        Ok(Response::new(watched(jobs, job_id, after_sequence)))
    }

    async fn cancel_job(
        &self,
        request: Request<pb::CancelJobRequest>,
    ) -> Result<Response<pb::CancelJobResponse>, Status> {
        let (call, pb::CancelJobRequest { job_id }) = take(request)?;
        let jobs = self.named(&call.tenant, &job_id)?;
        let job = jobs.cancel(&job_id).await?;
        Ok(Response::new(pb::CancelJobResponse { job: Some(job) }))
    }

    async fn delete_job(
        &self,
        request: Request<pb::DeleteJobRequest>,
    ) -> Result<Response<pb::DeleteJobResponse>, Status> {
        let (call, pb::DeleteJobRequest { job_id }) = take(request)?;
        let jobs = self.named(&call.tenant, &job_id)?;
        jobs.delete(&job_id).await?;
        Ok(Response::new(pb::DeleteJobResponse {}))
    }
}
