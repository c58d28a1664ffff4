//! What is done whenever the file is opened: its format, records that cannot be decoded, the index,
//! jobs that nobody has.

use super::file::{Done, Fault};
use super::quarantine;
use super::schema::{ALL_BY_ID, DUE, EVENTS, FORMAT, FORMAT_KEY, JOBS, META, NAMES, QUARANTINE};
use super::schema::{REQUESTS, decoded, insert, note, stored};
use crate::jobs::life::{self, Deed};
use crate::jobs::record::JobRecord;
use crate::jobs::tally::Tally;
use redb::ReadableTableMetadata as _;
use redb::WriteTransaction;
use redb::{Database, ReadTransaction, ReadableDatabase as _, ReadableTable as _, TableError};
use std::collections::{BTreeSet, HashSet};
use stratagem_proto::v1 as pb;
use wire::job::keep_us;

/// What is known of a file that was opened.
#[derive(Default)]
pub(super) struct Opened {
    /// Jobs that wait.
    pub(super) waiting: Vec<JobRecord>,
    /// Jobs that there are.
    pub(super) tally: Tally,
    /// Records that were put away, all that ever were.
    pub(super) quarantined: u64,
}

/// Why the file is opened.
pub(super) enum Cause<'a> {
    /// The server starts: nobody searches any more.
    Start,
    /// It failed; these jobs are held by workers of ours.
    Error(&'a HashSet<String>),
}

/// Makes a file ready.
pub(super) fn prepare(file: &Database, cause: &Cause<'_>) -> Done<Opened> {
    let found = format(&file.begin_read()?)?;
    if found != FORMAT {
        let known = FORMAT;
        return Err(Fault::Format { found, known });
    }
    if matches!(cause, Cause::Error(_)) {
        probe(file)?;
    }
    super::file::write(file, |change| ready(change, cause))
}

/// The format of a file. One without jobs has ours, and one with jobs that does not record it has
/// 1.
pub(super) fn format(now: &ReadTransaction) -> Done<u64> {
    let is_empty = match now.open_table(JOBS.definition) {
        Err(TableError::TableDoesNotExist(_)) => true,
        jobs => jobs?.is_empty()?,
    };
    if is_empty {
        return Ok(FORMAT);
    }
    let meta = match now.open_table(META) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(1),
        meta => meta?,
    };
    let found = meta.get(FORMAT_KEY)?;
    Ok(found.map_or(1, |format| format.value()))
}

/// Bytes that a disk must have room for, before its file counts as one that works again.
const PROBE_BYTES: usize = 256 << 10;

/// Fails while the disk takes nothing.
fn probe(file: &Database) -> Done<()> {
    let key = ("probe", "", 0);
    super::file::write(file, |change| {
        let room = vec![0_u8; PROBE_BYTES];
        change
            .open_table(QUARANTINE)?
            .insert(key, room.as_slice())?;
        Ok(())
    })?;
    super::file::write(file, |change| {
        change.open_table(QUARANTINE)?.remove(key)?;
        Ok(())
    })
}

fn ready(change: &WriteTransaction, cause: &Cause<'_>) -> Done<Opened> {
    // All tables are there for readers.
    for table in ALL_BY_ID {
        change.open_table(table.definition)?;
    }
    change.open_table(EVENTS.definition)?;
    change.open_table(NAMES)?;
    change.open_table(DUE)?;
    // A probe that was cut off.
    change.open_table(QUARANTINE)?.remove(("probe", "", 0))?;
    let mut opened = Opened::default();
    let mut due = BTreeSet::new();
    let mut running = Vec::new();
    for_each_job(change, |job| match job.state() {
        pb::JobState::Running => running.push(job),
        _ => opened.add(job, &mut due),
    })?;
    for job in running {
        let job = given_back(change, job, cause)?;
        opened.add(job, &mut due);
    }
    index(change, due)?;
    let mut meta = change.open_table(META)?;
    let is_known = meta.get(FORMAT_KEY)?.is_some_and(|it| it.value() == FORMAT);
    if !is_known {
        meta.insert(FORMAT_KEY, FORMAT)?;
    }
    drop(meta);
    opened.quarantined = quarantine::count(change)?;
    Ok(opened)
}

impl Opened {
    fn add(&mut self, job: JobRecord, due: &mut BTreeSet<(i64, String)>) {
        self.tally.add(&job);
        due.extend(life::due(&job).map(|at| (at.0, job.job_id.clone())));
        if job.state() == pb::JobState::Queued {
            self.waiting.push(job);
        }
    }
}

/// Looks at all jobs once. Those that cannot be decoded are put away.
pub(super) fn for_each_job(change: &WriteTransaction, mut look: impl FnMut(JobRecord)) -> Done<()> {
    let mut corrupt = Vec::new();
    let table = change.open_table(JOBS.definition)?;
    for entry in table.iter()? {
        let (id, bytes) = entry?;
        match decoded(JOBS.name, id.value(), 0, bytes.value()) {
            Ok(job) => look(job),
            Err(error) => corrupt.push(error),
        }
    }
    drop(table);
    for corrupt in &corrupt {
        quarantine::put_away(change, corrupt)?;
    }
    Ok(())
}

/// A job that was searched, back among those that wait, unless it is still searched.
fn given_back(change: &WriteTransaction, job: JobRecord, cause: &Cause<'_>) -> Done<JobRecord> {
    let deed = match cause {
        Cause::Start => Deed::Lose,
        Cause::Error(held) if held.contains(&job.job_id) => return Ok(job),
        // That it was taken up was kept without anybody hearing of it.
        Cause::Error(_) => Deed::GiveBack,
    };
    let Some((mut next, event)) = life::after(job.clone(), deed) else {
        return Ok(job);
    };
    if life::has_ended(&next) {
        let request = stored::<pb::CreateJobRequest>(change, REQUESTS, &job.job_id);
        let request = match request {
            Err(Fault::Corrupt(corrupt)) => {
                quarantine::put_away(change, &corrupt)?;
                None
            }
            request => request?,
        };
        life::keep(&mut next, keep_us(&request.unwrap_or_default()));
    }
    insert(change, JOBS, &next.job_id, &next)?;
    note(change, &next.job_id, &event)?;
    Ok(next)
}

/// Makes the index say this: a server of before, which did not know of it, may have had the file.
fn index(change: &WriteTransaction, mut due: BTreeSet<(i64, String)>) -> Done<()> {
    let mut table = change.open_table(DUE)?;
    let mut stale = Vec::new();
    for entry in table.iter()? {
        let (key, _) = entry?;
        let (at, id) = key.value();
        let key = (at, id.to_owned());
        if !due.remove(&key) {
            stale.push(key);
        }
    }
    for (at, id) in &stale {
        table.remove((*at, id.as_str()))?;
    }
    for (at, id) in &due {
        table.insert((*at, id.as_str()), ())?;
    }
    Ok(())
}
