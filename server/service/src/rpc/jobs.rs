//! `JobService`, and how a job of any planner is checked and searched.

mod kinds;
mod search;

pub(crate) use search::{Ended, Task, search};

use super::{Letter, Parts, stubs};
use crate::call::Call;
use crate::codec::Encoded;
use crate::jobs::Jobs;
use crate::status::Refusal;
use crate::tenant::Caller;
use runtime::Account as _;
use std::pin::Pin;
use std::sync::Arc;
use stratagem_proto::v1 as pb;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};
use wire::job::{check_rules, checked, page};
use wire::method::Reading;
use wire::rules::Check;

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
type Watched = Pin<Box<dyn Stream<Item = Result<Encoded<pb::WatchJobResponse>, Status>> + Send>>;

impl Work {
    /// The jobs that a caller owns.
    fn jobs(&self, call: &Call) -> Result<Jobs, Refusal> {
        let jobs = self.jobs.as_ref().ok_or(Refusal::JobsOff)?;
        match call.tenant.caller() {
            Caller::Everybody => Ok(jobs.clone()),
            Caller::Named(name) => Ok(jobs.of_tenant(name)),
            Caller::Nobody => Err(Refusal::CallerLost),
        }
    }

    /// The jobs among which a request names one.
    fn named(&self, call: &Call, request: &mut impl Check) -> Result<Jobs, Refusal> {
        let jobs = self.jobs(call)?;
        check_rules(request).map_err(Refusal::Mistakes)?;
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
                let message = Encoded::encode(&pb::WatchJobResponse { event: Some(event) });
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
        request: Request<Encoded<pb::CreateJobRequest>>,
    ) -> Result<Response<Encoded<pb::CreateJobResponse>>, Status> {
        let letter = Letter::new(request)?;
        let call = letter.call.clone();
        let tenant = call.tenant.clone();
        let jobs = self.jobs(&call)?.at_most(tenant.quota().jobs_max);
        let config = Arc::clone(&self.parts.config);
        let until = call.until;
        let check = move |message| {
            let books = config.books.path();
            checked(message, &Reading { books, until }).map_err(Refusal::Mistakes)
        };
        let wanted = self.parts.judged(letter, check).await?;
        tenant.may_call(wanted.kind.method)?;
        let created = jobs.create(wanted, call.trace.as_ref()).await;
        let (job, existed) = created.map_err(|refusal| match refusal {
            Refusal::Runtime(runtime::Refusal::Quota {
                what, retry_after, ..
            }) => tenant.over(what, retry_after).into(),
            other => other,
        })?;
        let answer = pb::CreateJobResponse {
            job: Some(job),
            existed,
        };
        self.parts.written(&call, answer).await
    }

    async fn get_job(
        &self,
        request: Request<Encoded<pb::GetJobRequest>>,
    ) -> Result<Response<Encoded<pb::GetJobResponse>>, Status> {
        let (call, mut message) = self.parts.read(request).await?;
        let jobs = self.named(&call, &mut message)?;
        let job = jobs.get(&message.job_id).await?;
        let answer = pb::GetJobResponse { job: Some(job) };
        self.parts.written(&call, answer).await
    }

    async fn list_jobs(
        &self,
        request: Request<Encoded<pb::ListJobsRequest>>,
    ) -> Result<Response<Encoded<pb::ListJobsResponse>>, Status> {
        let (call, message) = self.parts.read(request).await?;
        let jobs = self.jobs(&call)?;
        let wanted = page(message).map_err(Refusal::Mistakes)?;
        let answer = jobs.list(wanted).await?;
        self.parts.written(&call, answer).await
    }

    async fn watch_job(
        &self,
        request: Request<Encoded<pb::WatchJobRequest>>,
    ) -> Result<Response<Watched>, Status> {
        let (call, mut message) = self.parts.read(request).await?;
        let jobs = self.named(&call, &mut message)?;
        let pb::WatchJobRequest {
            job_id,
            after_sequence,
        } = message;
        // Callers who ask for what is not there hear it immediately.
        jobs.get(&job_id).await?;
        Ok(Response::new(watched(jobs, job_id, after_sequence)))
    }

    async fn cancel_job(
        &self,
        request: Request<Encoded<pb::CancelJobRequest>>,
    ) -> Result<Response<Encoded<pb::CancelJobResponse>>, Status> {
        let (call, mut message) = self.parts.read(request).await?;
        let jobs = self.named(&call, &mut message)?;
        let job = jobs.cancel(&message.job_id).await?;
        let answer = pb::CancelJobResponse { job: Some(job) };
        self.parts.written(&call, answer).await
    }

    async fn delete_job(
        &self,
        request: Request<Encoded<pb::DeleteJobRequest>>,
    ) -> Result<Response<Encoded<pb::DeleteJobResponse>>, Status> {
        let (call, mut message) = self.parts.read(request).await?;
        let jobs = self.named(&call, &mut message)?;
        jobs.delete(&message.job_id).await?;
        self.parts.written(&call, pb::DeleteJobResponse {}).await
    }
}
