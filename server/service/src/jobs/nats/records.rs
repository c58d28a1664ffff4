//! Jobs as records in a stream: each change is one message that is refused unless it follows the
//! newest.

use super::broker::Broker;
use super::mirror::Mirror;
use super::record::Record;
use crate::jobs::life::{self, Moment};
use crate::jobs::record::JobRecord;
use crate::jobs::store::{Changed, Created, Kept, StoreError, Stored};
use prost::Message;
use stratagem_proto::v1 as pb;

/// All jobs; clones share them.
#[derive(Clone)]
pub(super) struct Records {
    pub(super) broker: Broker,
    pub(super) mirror: Mirror,
}

/// The value of a message that a server wrote.
pub(super) fn read<M: Message + Default>(bytes: &[u8]) -> Stored<M> {
    M::decode(bytes).map_err(StoreError::new)
}

impl Records {
    /// The newest record of a job, and where it is; one of a deleted job is there for a while.
    async fn newest(&self, id: &str) -> Stored<Option<(u64, Record)>> {
        // What callers say may be a pattern of subjects.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if id.is_empty() || !id.bytes().all(is_plain) {
            return Ok(None);
        }
        let subject = self.broker.subjects.job(id);
        let Some(message) = self.broker.last("jobs", &subject).await? else {
            return Ok(None);
        };
        Ok(Some((message.sequence, read(&message.payload)?)))
    }

    /// The newest record of a job that is there.
    async fn present(&self, id: &str) -> Stored<Option<(u64, Record)>> {
        let newest = self.newest(id).await?;
        Ok(newest.filter(|(_, record)| record.job.is_some()))
    }

    pub(super) async fn get(&self, id: &str) -> Stored<Option<Kept>> {
        let present = self.present(id).await?;
        Ok(present.and_then(|(revision, record)| {
            let job = record.job?;
            Some(Kept { job, revision })
        }))
    }

    pub(super) async fn request(&self, id: &str) -> Stored<Option<pb::CreateJobRequest>> {
        let present = self.present(id).await?;
        match present.and_then(|(_, record)| record.request) {
            Some(value) => self.read(&value).await,
            None => Ok(None),
        }
    }

    pub(super) async fn response(&self, id: &str) -> Stored<Option<pb::JobResponse>> {
        let present = self.present(id).await?;
        match present.and_then(|(_, record)| record.response) {
            Some(value) => self.read(&value).await,
            None => Ok(None),
        }
    }

    async fn read<M: Message + Default>(&self, value: &super::record::Value) -> Stored<Option<M>> {
        let bytes = self.broker.value("parts", value).await?;
        bytes.map(|bytes| read(&bytes)).transpose()
    }

    /// The events after this one, in order, from the newest back.
    pub(super) async fn events(&self, id: &str, after: i64) -> Stored<Vec<pb::JobEvent>> {
        let mut events = Vec::new();
        let mut next = self.newest(id).await?;
        while let Some((_, record)) = next {
            let Some(mut event) = record.event else { break };
            if event.sequence <= after {
                break;
            }
            let mut is_overtaken = false;
            if record.response_is_new
                && let Some(value) = &record.response
            {
                event.response = self.read(value).await?;
                is_overtaken = event.response.is_none();
            }
            // A large response that was overtaken is not kept, and its event neither.
            if !is_overtaken {
                events.push(event);
            }
            next = match record.before {
                0 => None,
                before => match self.broker.message("jobs", before).await? {
                    Some(message) => Some((before, read(&message.payload)?)),
                    None => None,
                },
            };
        }
        events.reverse();
        Ok(events)
    }

    /// Keeps what a job has become.
    pub(super) async fn put(&self, kept: Kept, mut event: pb::JobEvent) -> Stored<Changed> {
        let Kept { job, revision } = kept;
        let Some(old) = self.broker.message("jobs", revision).await? else {
            return Ok(Changed::Overtaken);
        };
        let old: Record = read(&old.payload)?;
        let (id, broker) = (job.job_id.clone(), &self.broker);
        let mut record = Record {
            before: revision,
            request: old.request,
            response: old.response,
            ..Record::default()
        };
        if let Some(response) = event.response.take() {
            let bytes = response.encode_to_vec();
            record.response = Some(broker.keep_of_job(&id, "response", bytes).await?);
            record.response_is_new = true;
        }
        record.event = Some(event);
        record.job = Some(job.clone());
        let subject = broker.subjects.job(&id);
        let bytes = record.encode_to_vec();
        let Some(revision) = broker.publish(subject, Some(revision), bytes).await? else {
            return Ok(Changed::Overtaken);
        };
        self.mirror.hear(&id, revision, Some(job.clone()));
        // One that has ended while it waited stays in the queue: its next holder sees that.
        Ok(Changed::Done(Box::new(Kept { job, revision })))
    }

    pub(super) async fn create(
        &self,
        mut job: JobRecord,
        request: pb::CreateJobRequest,
        own_max: usize,
    ) -> Stored<Created> {
        let own = job.job_id.clone();
        loop {
            if !request.request_id.is_empty() {
                match self.claim(&job, own_max).await? {
                    Claim::Ours => {}
                    Claim::Existed(kept, made_of) => return Ok(Created::Existed(kept, made_of)),
                    Claim::Begun(id) => job.job_id = id,
                    Claim::Again => continue,
                    Claim::Full(full) => return Ok(full),
                }
            } else if let Some(full) = self.full(&job, own_max) {
                return Ok(full);
            }
            if let Some(kept) = self.first(&job, &request).await? {
                let subject = self.broker.subjects.turn(&kept.job);
                // What cannot be queued now is later: see `tend`.
                if let Err(error) = self.broker.publish(subject, None, Vec::new()).await {
                    tracing::debug!(job = kept.job.job_id, "queueing: {error}");
                }
                return Ok(Created::New(Box::new(kept)));
            }
            job.job_id.clone_from(&own);
        }
    }

    /// That there are too many jobs, or too many of its tenant, if so.
    fn full(&self, job: &JobRecord, own_max: usize) -> Option<Created> {
        let (all, own) = self.mirror.count(&job.tenant);
        match (all >= self.broker.settings.jobs_max, own >= own_max) {
            (true, _) => Some(Created::Full),
            (_, true) => Some(Created::TenantFull),
            _ => None,
        }
    }

    /// Claims the request's id before its job is made. A server that finds a claim without a job
    /// makes the job that it names, so that simultaneous requests make one job.
    async fn claim(&self, job: &JobRecord, own_max: usize) -> Stored<Claim> {
        let subject = self.broker.subjects.name(&job.request_id);
        let Some(name) = self.broker.last("jobs", &subject).await? else {
            if let Some(full) = self.full(job, own_max) {
                return Ok(Claim::Full(full));
            }
            let id = job.job_id.clone().into_bytes();
            return Ok(match self.broker.publish(subject, Some(0), id).await? {
                Some(_) => Claim::Ours,
                None => Claim::Again,
            });
        };
        let id = String::from_utf8(name.payload.to_vec()).map_err(StoreError::new)?;
        let Some((revision, record)) = self.newest(&id).await? else {
            return Ok(match self.full(job, own_max) {
                Some(full) => Claim::Full(full),
                None => Claim::Begun(id),
            });
        };
        let is_over = |job: &JobRecord| life::is_over(job, Moment::now());
        let Some(job) = record.job.filter(|job| !is_over(job)) else {
            // It was deleted, or is about to be.
            self.broker.forget(name.sequence).await?;
            return Ok(Claim::Again);
        };
        let made_of = match &record.request {
            Some(value) => self.read(value).await?,
            None => None,
        };
        let made_of = made_of.ok_or_else(|| StoreError("a job without its request".into()))?;
        let kept = Box::new(Kept { job, revision });
        Ok(Claim::Existed(kept, Box::new(made_of)))
    }

    /// Keeps the first record of a job; `None` when somebody else has made the same one.
    async fn first(&self, job: &JobRecord, request: &pb::CreateJobRequest) -> Stored<Option<Kept>> {
        let id = &job.job_id;
        let made_of = request.encode_to_vec();
        let record = Record {
            job: Some(job.clone()),
            event: Some(life::event(job, Moment::now())),
            request: Some(self.broker.keep_of_job(id, "request", made_of).await?),
            ..Record::default()
        };
        let subject = self.broker.subjects.job(id);
        let bytes = record.encode_to_vec();
        let revision = self.broker.publish(subject, Some(0), bytes).await?;
        Ok(revision.map(|revision| {
            self.mirror.hear(id, revision, Some(job.clone()));
            let job = job.clone();
            Kept { job, revision }
        }))
    }

    pub(super) async fn delete(&self, kept: &Kept) -> Stored<Changed> {
        let Kept { job, revision } = kept;
        let (id, broker) = (&job.job_id, &self.broker);
        if !job.request_id.is_empty() {
            let name = broker
                .last("jobs", &broker.subjects.name(&job.request_id))
                .await?;
            // It may be that of a later job.
            if let Some(name) = name.filter(|name| name.payload == id.as_bytes()) {
                broker.forget(name.sequence).await?;
            }
        }
        let subject = broker.subjects.job(id);
        let none = Record::default().encode_to_vec();
        let Some(deleted) = broker.replace(subject, *revision, none).await? else {
            return Ok(Changed::Overtaken);
        };
        self.mirror.hear(id, deleted, None);
        // Done again when the last trace of the job goes.
        if let Err(error) = broker.forget_parts(id).await {
            tracing::debug!(job = id, "deleting parts: {error}");
        }
        Ok(Changed::Done(Box::new(kept.clone())))
    }
}

/// What a request's id stands for.
enum Claim {
    /// For a job that we may make.
    Ours,
    /// For a job that is there.
    Existed(Box<Kept>, Box<pb::CreateJobRequest>),
    /// For a job that somebody has begun to make.
    Begun(String),
    /// Somebody was faster: look again.
    Again,
    /// For none, and there are too many.
    Full(Created),
}
