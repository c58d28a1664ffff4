//! What is done with the tables of the file. Each change is one transaction.

use super::copy;
use super::file::{Corrupt, Done, Fault, File, Opener};
use super::opening::{Cause, Opened, prepare};
use super::quarantine;
use super::schema::{ALL_BY_ID, ById, DUE, EVENTS, JOBS, NAMES, REQUESTS, RESPONSES};
use super::schema::{decoded, events_of, found, insert, note, stored};
use super::{Changed, Created, Kept, StoreError, Stored};
use crate::jobs::life::{self, Moment};
use crate::jobs::record::JobRecord;
use crate::jobs::tally::Tally;
use prost::Message;
use redb::{ReadTransaction, ReadableTable as _, ReadableTableMetadata as _, WriteTransaction};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use stratagem_proto::v1 as pb;
use tokio::sync::watch;

/// The file and what is known of it.
pub(super) struct Tables {
    file: File,
    /// What there is. Locked during each change.
    known: Mutex<Known>,
}

/// What is in the file, without looking.
#[derive(Default)]
struct Known {
    tally: Tally,
    quarantined: u64,
}

/// How many jobs there may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// All together.
    pub(super) all: usize,
    /// Of the tenant.
    pub(super) own: usize,
}

/// A transaction that is under way, and what it does to a job.
struct Change<'a> {
    open: &'a WriteTransaction,
    /// Jobs that there were before.
    tally: &'a Tally,
    /// A job as it was before.
    gone: Option<JobRecord>,
    /// A job as it is after.
    come: Option<JobRecord>,
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        Self::new(fault)
    }
}

fn kept(job: JobRecord) -> Kept {
    Kept {
        // Each change has an event.
        revision: job.sequence.cast_unsigned(),
        job,
    }
}

impl Tables {
    /// Opens the file; returns the jobs that wait, too.
    pub(super) fn open(opener: Opener) -> Done<(Self, Vec<JobRecord>)> {
        let (file, opened) = File::open(opener, |file| prepare(file, &Cause::Start))?;
        let tables = Self {
            file,
            known: Mutex::default(),
        };
        let waiting = tables.learn(opened);
        Ok((tables, waiting))
    }

    /// Opens it again after an error; returns the jobs that wait. Those that are held by workers
    /// are left to them.
    pub(super) fn reopen(&self, held: &HashSet<String>) -> Done<Vec<JobRecord>> {
        // Nobody reckons with what was known before.
        let mut known = self.known();
        let opened = self
            .file
            .reopen(|file| prepare(file, &Cause::Error(held)))?;
        known.tally = opened.tally;
        known.quarantined = opened.quarantined;
        Ok(opened.waiting)
    }

    fn learn(&self, opened: Opened) -> Vec<JobRecord> {
        let mut known = self.known();
        known.tally = opened.tally;
        known.quarantined = opened.quarantined;
        opened.waiting
    }

    /// Whether the file works, and each change of that.
    pub(super) fn up(&self) -> watch::Receiver<bool> {
        self.file.up()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Nothing panics while it is held.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Jobs that there are, and records that were put away.
    pub(super) fn count(&self) -> (Tally, u64) {
        let known = self.known();
        (known.tally.clone(), known.quarantined)
    }

    /// Reads one state of the file. What cannot be decoded is put away first.
    fn read<T>(&self, work: impl Fn(&ReadTransaction) -> Done<T>) -> Stored<T> {
        loop {
            match self.file.read(&work) {
                Err(Fault::Corrupt(corrupt)) => self.put_away(&mut self.known(), &corrupt)?,
                done => return Ok(done?),
            }
        }
    }

    /// A transaction, which knows how many jobs there are. What cannot be decoded is put away
    /// first.
    fn write<T>(&self, work: impl Fn(&mut Change<'_>) -> Done<T>) -> Stored<T> {
        // While it is opened again, nobody waits for that.
        self.file.check()?;
        let mut known = self.known();
        loop {
            let tally = &known.tally;
            let written = self.file.write(|open| {
                let mut change = Change {
                    open,
                    tally,
                    gone: None,
                    come: None,
                };
                let done = work(&mut change)?;
                Ok((done, change.gone, change.come))
            });
            match written {
                Err(Fault::Corrupt(corrupt)) => self.put_away(&mut known, &corrupt)?,
                written => {
                    let (done, gone, come) = written?;
                    gone.iter().for_each(|job| known.tally.remove(job));
                    come.iter().for_each(|job| known.tally.add(job));
                    return Ok(done);
                }
            }
        }
    }

    fn put_away(&self, known: &mut Known, corrupt: &Corrupt) -> Done<()> {
        let (quarantined, tally) = self.file.write(|change| {
            quarantine::put_away(change, corrupt)?;
            let count = quarantine::count(change)?;
            if corrupt.table != JOBS.name {
                return Ok((count, None));
            }
            // Nobody can say whose it was.
            let mut tally = Tally::default();
            super::opening::for_each_job(change, |job| tally.add(&job))?;
            Ok((count, Some(tally)))
        })?;
        known.quarantined = quarantined;
        if let Some(tally) = tally {
            known.tally = tally;
        }
        Ok(())
    }

    /// Writes a consistent copy of the file, while others go on.
    pub(super) fn copy(&self, to: &Path) -> Stored<()> {
        Ok(self.file.read(|now| copy::copy(now, to))?)
    }

    fn record<M: Message + Default>(&self, table: ById, id: &str) -> Stored<Option<M>> {
        self.read(|now| found(now, table, id))
    }

    pub(super) fn job(&self, id: &str) -> Stored<Option<Kept>> {
        Ok(self.record(JOBS, id)?.map(kept))
    }

    pub(super) fn request(&self, id: &str) -> Stored<Option<pb::CreateJobRequest>> {
        self.record(REQUESTS, id)
    }

    pub(super) fn response(&self, id: &str) -> Stored<Option<pb::JobResponse>> {
        self.record(RESPONSES, id)
    }

    pub(super) fn before(&self, id: Option<&str>, count: usize) -> Stored<Vec<JobRecord>> {
        self.read(|now| {
            let table = now.open_table(JOBS.definition)?;
            let jobs = match id {
                Some(id) => table.range(..id),
                None => table.range::<&str>(..),
            };
            let mut newest = Vec::new();
            for entry in jobs?.rev().take(count) {
                let (id, bytes) = entry?;
                newest.push(decoded(JOBS.name, id.value(), 0, bytes.value())?);
            }
            Ok(newest)
        })
    }

    pub(super) fn events(&self, id: &str, after: i64) -> Stored<Vec<pb::JobEvent>> {
        self.read(|now| {
            let table = now.open_table(EVENTS.definition)?;
            let mut events = Vec::new();
            for entry in table.range((id, after.saturating_add(1))..=(id, i64::MAX))? {
                let (key, bytes) = entry?;
                let (id, sequence) = key.value();
                events.push(decoded(EVENTS.name, id, sequence, bytes.value())?);
            }
            Ok(events)
        })
    }

    /// At most this number of jobs about which something is to be done by now, the most overdue
    /// first.
    pub(super) fn due(&self, now: Moment, count: usize) -> Stored<Vec<JobRecord>> {
        let (jobs, stale) = self.read(|state| {
            let (mut jobs, mut stale) = (Vec::new(), Vec::new());
            let due = state.open_table(DUE)?;
            for entry in due.range(..(now.0.saturating_add(1), ""))?.take(count) {
                let (key, _) = entry?;
                let (at, id) = key.value();
                let job: Option<JobRecord> = found(state, JOBS, id)?;
                match job.filter(|job| life::due(job) == Some(Moment(at))) {
                    Some(job) => jobs.push(job),
                    None => stale.push((at, id.to_owned())),
                }
            }
            Ok((jobs, stale))
        })?;
        if !stale.is_empty() {
            // Their jobs were put away.
            self.write(|change| {
                let mut due = change.open.open_table(DUE)?;
                for (at, id) in &stale {
                    due.remove((*at, id.as_str()))?;
                }
                Ok(())
            })?;
        }
        Ok(jobs)
    }

    pub(super) fn create(
        &self,
        job: &JobRecord,
        request: &pb::CreateJobRequest,
        room: Room,
    ) -> Stored<Created> {
        self.write(|change| {
            let mut names = change.open.open_table(NAMES)?;
            let name = job.request_id.as_str();
            let other = match name {
                "" => None,
                name => names.get(name)?.map(|id| id.value().to_owned()),
            };
            if let Some(id) = other
                && let Some(existed) = existed(change.open, &id)?
            {
                return Ok(existed);
            }
            let count = change.open.open_table(JOBS.definition)?.len()?;
            if count >= room.all as u64 {
                return Ok(Created::Full);
            }
            if change.tally.of_tenant(&job.tenant) >= room.own {
                return Ok(Created::TenantFull);
            }
            if !name.is_empty() {
                names.insert(name, job.job_id.as_str())?;
            }
            insert(change.open, JOBS, &job.job_id, job)?;
            insert(change.open, REQUESTS, &job.job_id, request)?;
            note(change.open, &job.job_id, &life::event(job, Moment::now()))?;
            change.set(None, Some(job.clone()))?;
            Ok(Created::New(Box::new(kept(job.clone()))))
        })
    }

    pub(super) fn put(&self, new: &Kept, event: &pb::JobEvent) -> Stored<Changed> {
        let Kept { job, revision } = new;
        self.write(|change| {
            let id = job.job_id.as_str();
            let Some(now) = as_it_was(change.open, id, *revision)? else {
                return Ok(Changed::Overtaken);
            };
            if let Some(response) = &event.response {
                insert(change.open, RESPONSES, id, response)?;
            }
            insert(change.open, JOBS, id, job)?;
            note(change.open, id, event)?;
            change.set(Some(now), Some(job.clone()))?;
            Ok(Changed::Done(Box::new(kept(job.clone()))))
        })
    }

    pub(super) fn delete(&self, gone: &Kept) -> Stored<Changed> {
        self.write(|change| {
            let id = gone.job.job_id.as_str();
            let Some(now) = as_it_was(change.open, id, gone.revision)? else {
                return Ok(Changed::Overtaken);
            };
            for table in ALL_BY_ID {
                change.open.open_table(table.definition)?.remove(id)?;
            }
            let mut events = change.open.open_table(EVENTS.definition)?;
            events.retain_in(events_of(id), |_, _| false)?;
            let mut names = change.open.open_table(NAMES)?;
            // It may be that of a later job.
            let name = gone.job.request_id.as_str();
            if names.get(name)?.is_some_and(|of| of.value() == id) {
                names.remove(name)?;
            }
            change.set(Some(now), None)?;
            Ok(Changed::Done(Box::new(gone.clone())))
        })
    }
}

/// The job of a name, unless it or its request was put away: then the name is free.
fn existed(change: &WriteTransaction, id: &str) -> Done<Option<Created>> {
    let job: Option<JobRecord> = stored(change, JOBS, id)?;
    let made_of: Option<pb::CreateJobRequest> = stored(change, REQUESTS, id)?;
    let whole = job.zip(made_of);
    Ok(whole.map(|(job, made_of)| Created::Existed(Box::new(kept(job)), Box::new(made_of))))
}

/// A job, if it is in the state that somebody has seen.
fn as_it_was(change: &WriteTransaction, id: &str, revision: u64) -> Done<Option<JobRecord>> {
    let now: Option<JobRecord> = stored(change, JOBS, id)?;
    Ok(now.filter(|now| now.sequence.cast_unsigned() == revision))
}

impl Change<'_> {
    /// Counts a job, and keeps in the index when something is to be done about it.
    fn set(&mut self, before: Option<JobRecord>, after: Option<JobRecord>) -> Done<()> {
        let due = |job: &Option<JobRecord>| job.as_ref().and_then(life::due);
        let (was, is) = (due(&before), due(&after));
        if was != is {
            let job = before.as_ref().or(after.as_ref());
            let id = job.map_or("", |job| job.job_id.as_str());
            let mut table = self.open.open_table(DUE)?;
            if let Some(at) = was {
                table.remove((at.0, id))?;
            }
            if let Some(at) = is {
                table.insert((at.0, id), ())?;
            }
        }
        (self.gone, self.come) = (before, after);
        Ok(())
    }
}
