//! The tables of the file. Each change is one transaction.

use super::{Changed, Created, Kept, StoreError, Stored};
use crate::jobs::life::{self, Deed};
use crate::wire::job::keep_us;
use prost::Message;
use redb::{Database, ReadableDatabase as _, ReadableTable, ReadableTableMetadata as _};
use redb::{TableDefinition, WriteTransaction};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use stratagem_proto::v1 as pb;

type ById = TableDefinition<'static, &'static str, &'static [u8]>;

/// Jobs without plans and answers.
const JOBS: ById = TableDefinition::new("jobs");
/// What they were made of.
const REQUESTS: ById = TableDefinition::new("requests");
/// Their best plans.
const PLANS: ById = TableDefinition::new("plans");
/// Their answers.
const ANSWERS: ById = TableDefinition::new("answers");
/// Their events, by sequence number.
const EVENTS: TableDefinition<'static, (&'static str, i64), &'static [u8]> =
    TableDefinition::new("events");
/// Ids of jobs by ids of requests.
const NAMES: TableDefinition<'static, &'static str, &'static str> = TableDefinition::new("names");

/// Events of a job that are kept. Older ones were overtaken.
const EVENTS_KEPT: i64 = 256;

/// The file.
pub(super) struct Tables {
    file: Database,
    /// Jobs of each tenant. Locked by whoever makes or deletes one, until that is done.
    owned: Mutex<BTreeMap<String, usize>>,
}

/// The value of a message that we wrote.
fn read<M: Message + Default>(bytes: &[u8]) -> Stored<M> {
    M::decode(bytes).map_err(StoreError::of)
}

fn kept(job: pb::Job) -> Kept {
    Kept {
        // Each change has an event.
        revision: job.sequence.cast_unsigned(),
        job,
    }
}

impl Tables {
    pub(super) fn open(path: &Path) -> Stored<Self> {
        let wrong = |error: redb::DatabaseError| {
            StoreError(format!("cannot keep jobs in {}: {error}", path.display()))
        };
        let tables = Self {
            file: Database::create(path).map_err(wrong)?,
            owned: Mutex::default(),
        };
        // Whoever reads finds all tables.
        tables.write(|change| {
            for table in [JOBS, REQUESTS, PLANS, ANSWERS] {
                change.open_table(table).map_err(StoreError::of)?;
            }
            change.open_table(EVENTS).map_err(StoreError::of)?;
            change.open_table(NAMES).map_err(StoreError::of)?;
            Ok(())
        })?;
        tables.count()?;
        Ok(tables)
    }

    /// Counts the jobs of each tenant.
    fn count(&self) -> Stored<()> {
        let now = self.file.begin_read().map_err(StoreError::of)?;
        let table = now.open_table(JOBS).map_err(StoreError::of)?;
        let mut owned = self.owned();
        for entry in table.iter().map_err(StoreError::of)? {
            let job: pb::Job = read(entry.map_err(StoreError::of)?.1.value())?;
            *owned.entry(job.tenant).or_default() += 1;
        }
        Ok(())
    }

    fn owned(&self) -> MutexGuard<'_, BTreeMap<String, usize>> {
        // Nothing panics while it is held.
        self.owned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A transaction: all of it or, after an error, nothing.
    fn write<T>(&self, work: impl FnOnce(&WriteTransaction) -> Stored<T>) -> Stored<T> {
        let change = self.file.begin_write().map_err(StoreError::of)?;
        let done = work(&change)?;
        change.commit().map_err(StoreError::of)?;
        Ok(done)
    }

    fn one<M: Message + Default>(&self, table: ById, id: &str) -> Stored<Option<M>> {
        let now = self.file.begin_read().map_err(StoreError::of)?;
        let table = now.open_table(table).map_err(StoreError::of)?;
        let bytes = table.get(id).map_err(StoreError::of)?;
        bytes.map(|bytes| read(bytes.value())).transpose()
    }

    pub(super) fn job(&self, id: &str) -> Stored<Option<Kept>> {
        Ok(self.one(JOBS, id)?.map(kept))
    }

    pub(super) fn request(&self, id: &str) -> Stored<Option<pb::CreateJobRequest>> {
        self.one(REQUESTS, id)
    }

    pub(super) fn plan(&self, id: &str) -> Stored<Option<pb::Plan>> {
        self.one(PLANS, id)
    }

    pub(super) fn answer(&self, id: &str) -> Stored<Option<pb::JobAnswer>> {
        self.one(ANSWERS, id)
    }

    pub(super) fn before(&self, id: Option<&str>, count: usize) -> Stored<Vec<pb::Job>> {
        let now = self.file.begin_read().map_err(StoreError::of)?;
        let table = now.open_table(JOBS).map_err(StoreError::of)?;
        let jobs = match id {
            Some(id) => table.range(..id),
            None => table.range::<&str>(..),
        };
        let newest = jobs.map_err(StoreError::of)?.rev().take(count);
        newest
            .map(|entry| read(entry.map_err(StoreError::of)?.1.value()))
            .collect()
    }

    pub(super) fn events(&self, id: &str, after: i64) -> Stored<Vec<pb::JobEvent>> {
        let now = self.file.begin_read().map_err(StoreError::of)?;
        let table = now.open_table(EVENTS).map_err(StoreError::of)?;
        let events = table.range((id, after.saturating_add(1))..=(id, i64::MAX));
        let events = events.map_err(StoreError::of)?;
        events
            .map(|entry| read(entry.map_err(StoreError::of)?.1.value()))
            .collect()
    }

    pub(super) fn create(
        &self,
        job: pb::Job,
        request: &pb::CreateJobRequest,
        (jobs_max, own_max): (usize, usize),
    ) -> Stored<Created> {
        let mut all = self.owned();
        let tenant = job.tenant.clone();
        let owned = all.get(&tenant).copied().unwrap_or_default();
        let created = self.write(|change| {
            let mut names = change.open_table(NAMES).map_err(StoreError::of)?;
            let name = job.request_id.as_str();
            let other = match name {
                "" => None,
                name => names.get(name).map_err(StoreError::of)?,
            };
            let other = other.map(|id| id.value().to_owned());
            if let Some(id) = other {
                let job = stored(change, JOBS, &id)?;
                let made_of = stored(change, REQUESTS, &id)?;
                let (Some(job), Some(made_of)) = (job, made_of) else {
                    return Err(StoreError("a request without its job".into()));
                };
                return Ok(Created::Existed(Box::new(kept(job)), Box::new(made_of)));
            }
            let count = change.open_table(JOBS).and_then(|table| Ok(table.len()?));
            if count.map_err(StoreError::of)? >= jobs_max as u64 {
                return Ok(Created::Full);
            }
            if owned >= own_max {
                return Ok(Created::TenantFull);
            }
            if !name.is_empty() {
                names
                    .insert(name, job.job_id.as_str())
                    .map_err(StoreError::of)?;
            }
            insert(change, JOBS, &job.job_id, &job)?;
            insert(change, REQUESTS, &job.job_id, request)?;
            let event = life::event(&job, life::Moment::now());
            note(change, &job.job_id, &event)?;
            Ok(Created::New(Box::new(kept(job))))
        })?;
        if let Created::New(_) = created {
            all.insert(tenant, owned + 1);
        }
        Ok(created)
    }

    pub(super) fn put(&self, new: Kept, event: &pb::JobEvent) -> Stored<Changed> {
        let Kept { job, revision } = new;
        self.write(|change| {
            let id = job.job_id.as_str();
            let now: Option<pb::Job> = stored(change, JOBS, id)?;
            if now.is_none_or(|now| now.sequence.cast_unsigned() != revision) {
                return Ok(Changed::Overtaken);
            }
            if let Some(plan) = &event.plan {
                insert(change, PLANS, id, plan)?;
            }
            if let Some(answer) = &event.answer {
                insert(change, ANSWERS, id, answer)?;
            }
            insert(change, JOBS, id, &job)?;
            note(change, id, event)?;
            Ok(Changed::Done(Box::new(kept(job.clone()))))
        })
    }

    pub(super) fn delete(&self, gone: &Kept) -> Stored<Changed> {
        let mut all = self.owned();
        let deleted = self.write(|change| {
            let id = gone.job.job_id.as_str();
            let now: Option<pb::Job> = stored(change, JOBS, id)?;
            if now.is_none_or(|now| now.sequence.cast_unsigned() != gone.revision) {
                return Ok(Changed::Overtaken);
            }
            for table in [JOBS, REQUESTS, PLANS, ANSWERS] {
                let mut table = change.open_table(table).map_err(StoreError::of)?;
                table.remove(id).map_err(StoreError::of)?;
            }
            let mut events = change.open_table(EVENTS).map_err(StoreError::of)?;
            let all = (id, i64::MIN)..=(id, i64::MAX);
            events
                .retain_in(all, |_, _| false)
                .map_err(StoreError::of)?;
            let mut names = change.open_table(NAMES).map_err(StoreError::of)?;
            names
                .remove(gone.job.request_id.as_str())
                .map_err(StoreError::of)?;
            Ok(Changed::Done(Box::new(gone.clone())))
        })?;
        if let (Changed::Done(_), Some(owned)) = (&deleted, all.get_mut(&gone.job.tenant)) {
            *owned -= 1;
            if *owned == 0 {
                all.remove(&gone.job.tenant);
            }
        }
        Ok(deleted)
    }

    /// Puts all jobs that are being searched back among those that wait, and returns all that wait: nobody else has the
    /// file, so that whoever searched is gone.
    pub(super) fn give_back_all(&self) -> Stored<Vec<pb::Job>> {
        self.write(|change| {
            let mut jobs: Vec<pb::Job> = Vec::new();
            let table = change.open_table(JOBS).map_err(StoreError::of)?;
            for entry in table.iter().map_err(StoreError::of)? {
                let job: pb::Job = read(entry.map_err(StoreError::of)?.1.value())?;
                if !life::has_ended(&job) {
                    jobs.push(job);
                }
            }
            drop(table);
            for job in &mut jobs {
                if job.state() != pb::JobState::Running {
                    continue;
                }
                if let Some((mut next, event)) = life::after(job.clone(), Deed::Lose) {
                    if life::has_ended(&next) {
                        let request: Option<pb::CreateJobRequest> =
                            stored(change, REQUESTS, &job.job_id)?;
                        life::keep(&mut next, request.as_ref().map_or(0, keep_us));
                    }
                    insert(change, JOBS, &next.job_id, &next)?;
                    note(change, &next.job_id, &event)?;
                    *job = next;
                }
            }
            jobs.retain(|job| job.state() == pb::JobState::Queued);
            Ok(jobs)
        })
    }
}

fn stored<M: Message + Default>(
    change: &WriteTransaction,
    table: ById,
    id: &str,
) -> Stored<Option<M>> {
    let table = change.open_table(table).map_err(StoreError::of)?;
    let bytes = table.get(id).map_err(StoreError::of)?;
    bytes.map(|bytes| read(bytes.value())).transpose()
}

fn insert(change: &WriteTransaction, table: ById, id: &str, message: &impl Message) -> Stored<()> {
    let mut table = change.open_table(table).map_err(StoreError::of)?;
    let bytes = message.encode_to_vec();
    table.insert(id, bytes.as_slice()).map_err(StoreError::of)?;
    Ok(())
}

/// Keeps an event, and forgets the one that is too old.
fn note(change: &WriteTransaction, id: &str, event: &pb::JobEvent) -> Stored<()> {
    let mut table = change.open_table(EVENTS).map_err(StoreError::of)?;
    let bytes = event.encode_to_vec();
    table
        .insert((id, event.sequence), bytes.as_slice())
        .map_err(StoreError::of)?;
    table
        .remove((id, event.sequence - EVENTS_KEPT))
        .map_err(StoreError::of)?;
    Ok(())
}
