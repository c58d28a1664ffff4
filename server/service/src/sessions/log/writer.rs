//! Writes what changes in a session to its log, and shows it then.

use super::super::session::Session;
use super::super::{Key, Sessions};
use super::{Base, Change, Encoded, Entry, Log, Update, What};
use std::sync::Arc;
use std::time::{Duration, Instant};
use stratagem_proto::v1 as pb;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::sleep;
use wire::session::State;

/// Changes that are written one by one; more are written as a base.
const CHANGES_MAX: usize = 64;
/// A base is written again when the changes since have this part of its bytes, at least.
const CHANGED_PART: usize = 4;
/// How often something is written about a session that is watched.
pub(super) const CONFIRM_INTERVAL: Duration = Duration::from_secs(10);
/// The pause after an error, and the longest after several.
const PAUSE: Duration = Duration::from_millis(200);
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// Bytes of changes and their number that need a base.
const SINCE_BYTES_MAX: usize = 1 << 20;
const SINCE_COUNT_MAX: usize = 1_024;

/// How far a session is written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Written {
    /// Changes that are written, or need not be.
    pub number: u64,
    /// Whether another server has the session.
    pub is_moved: bool,
}

/// What is not written yet.
pub(crate) struct Unwritten {
    changes: Vec<Change>,
    needs_base: bool,
    /// Changes so far.
    number: u64,
    /// Changes since the last base, and their bytes.
    since_count: usize,
    since_bytes: usize,
    base_bytes: usize,
    /// When the last base was written, and the last entry.
    based: Instant,
    written: Instant,
}

impl Unwritten {
    /// Everything.
    pub(crate) fn new() -> Self {
        Self {
            changes: Vec::new(),
            needs_base: true,
            number: 1,
            since_count: 0,
            since_bytes: 0,
            base_bytes: 0,
            based: Instant::now(),
            written: Instant::now(),
        }
    }

    /// Changes so far.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn update(
        &mut self,
        update: &pb::SessionUpdate,
        refused: Option<pb::SessionRefusal>,
    ) {
        self.note(What::Update(Box::new(Update {
            update: Some(update.clone()),
            refused,
        })));
    }

    pub(crate) fn plan(&mut self, view: &pb::SessionView) {
        use pb::session_view::Plan;
        let routes = view.plan.as_ref();
        let routes = routes.filter(|plan| matches!(plan, Plan::Allocation(_) | Plan::Patrol(_)));
        self.note(What::Plan(Box::new(pb::SessionView {
            plan_revision: view.plan_revision,
            plan: routes.cloned(),
            ..pb::SessionView::default()
        })));
    }

    pub(crate) fn under_way(&mut self) {
        self.note(What::UnderWay(()));
    }

    /// Has something written: nothing changes, but another server that has the session refuses it.
    pub(crate) fn confirm(&mut self) {
        if self.changes.is_empty() && !self.needs_base {
            self.note(What::Confirm(()));
        }
    }

    /// Notes a change that no entry stands for.
    pub(crate) fn rebase(&mut self) {
        self.number += 1;
        self.needs_base = true;
        self.changes.clear();
    }

    /// Has something written where the base is old, and where watchers have to know that another
    /// server has the session.
    pub(crate) fn refresh(&mut self, now: Instant, is_watched: bool) {
        let since = |moment| now.saturating_duration_since(moment);
        if since(self.based).as_secs() >= super::AGE_MAX_S {
            self.rebase();
        } else if is_watched && since(self.written) >= CONFIRM_INTERVAL {
            self.confirm();
        }
    }

    fn note(&mut self, what: What) {
        self.number += 1;
        if self.changes.len() >= CHANGES_MAX {
            self.needs_base = true;
        }
        if self.needs_base {
            self.changes.clear();
        } else {
            self.changes.push(Change { what: Some(what) });
        }
    }

    fn is_written(&mut self, bytes: usize, changes: Option<usize>) {
        self.written = Instant::now();
        if let Some(count) = changes {
            self.since_count += count;
            self.since_bytes += bytes;
            let is_much = self.since_bytes >= self.base_bytes / CHANGED_PART;
            let bytes_max = SINCE_BYTES_MAX.max(self.base_bytes.saturating_mul(CHANGED_PART));
            self.needs_base |= (self.since_count >= CHANGES_MAX && is_much)
                || self.since_count >= SINCE_COUNT_MAX
                || self.since_bytes > bytes_max;
        } else {
            (self.base_bytes, self.based) = (bytes, self.written);
            (self.since_count, self.since_bytes) = (0, 0);
        }
    }
}

/// What is written next.
enum Next {
    Base(Box<(State, Base)>),
    Changes(Vec<Change>),
    /// The session has ended.
    End,
    /// Another server writes.
    Never,
    Nothing,
}

impl Session {
    /// What is written next, and what callers see then: up to which change, and the plan.
    fn next(&self) -> (Next, u64, Arc<pb::SessionView>) {
        let mut present = self.present();
        let view = self.view();
        let is_closed = present.closed.is_some();
        let Some(log) = &mut present.log else {
            return (Next::Never, 0, view);
        };
        if is_closed {
            return (Next::End, u64::MAX, view);
        }
        let number = log.number;
        if !log.needs_base {
            let changes = std::mem::take(&mut log.changes);
            if changes.is_empty() {
                return (Next::Nothing, number, view);
            }
            return (Next::Changes(changes), number, view);
        }
        log.needs_base = false;
        log.changes.clear();
        let base = Base {
            session: Some(self.request(present.applied)),
            followed: None,
            seen: present.seen.iter().cloned().collect(),
            origin: self.origin(),
            revision: view.plan_revision.max(view.epoch),
        };
        let base = Box::new((present.state.clone(), base));
        (Next::Base(base), number, view)
    }

    /// Takes what became of an entry with this number of changes; `None`: a base. Without bytes it
    /// may not be written.
    fn is_written(&self, bytes: Option<usize>, changes: Option<usize>) {
        if let Some(log) = &mut self.present().log {
            match bytes {
                Some(bytes) => log.is_written(bytes, changes),
                None => log.rebase(),
            }
        }
    }
}

impl Next {
    /// The entry, and its number of changes; `None`: it stands for all before.
    async fn encoded(self) -> Result<(Encoded, Option<usize>), JoinError> {
        Ok(match self {
            Self::Base(base) => (spawn_blocking(|| whole(*base)).await?, None),
            Self::Changes(changes) => {
                let count = changes.len();
                let base = None;
                (Entry { base, changes }.encoded(), Some(count))
            }
            Self::End | Self::Never | Self::Nothing => (Entry::default().encoded(), None),
        })
    }
}

/// The base of a state, encoded.
fn whole(all: (State, Base)) -> Encoded {
    let (state, base) = all;
    let session = base.session.map(|session| pb::CreateSessionRequest {
        state: Some(state.snapshot()),
        ..session
    });
    let base = Base {
        session,
        followed: Some(state.beyond_snapshot()),
        ..base
    };
    Entry {
        base: Some(base),
        changes: Vec::new(),
    }
    .encoded()
}

/// Whether a log is not there at all.
async fn is_gone(log: &dyn Log, key: &Key) -> bool {
    log.read(key).await.is_ok_and(|log| log.position == 0)
}

/// Writes all changes of a session after an entry with this number, until it ends, or another
/// server has it.
pub(crate) async fn keep_written(
    sessions: Sessions,
    key: Key,
    session: Arc<Session>,
    log: Arc<dyn Log>,
    mut position: u64,
) {
    let (mut pause, mut failed) = (PAUSE, None);
    loop {
        let (next, number, view) = session.next();
        let is_end = matches!(next, Next::End);
        match next {
            Next::Never => return,
            Next::Nothing => {
                session.reveal(number, view);
                session.changed().await;
                continue;
            }
            _ => {}
        }
        let Ok((entry, changes)) = next.encoded().await else {
            // By a bug of ours. The next call has it from its log.
            sessions.moved(&key, &session);
            return;
        };
        let (bytes, begin) = (entry.bytes.len(), Instant::now());
        let written = log.write(&key, position, entry).await;
        sessions.meter(&written, begin.elapsed());
        match written {
            Ok(Some(written)) => {
                (position, pause, failed) = (written, PAUSE, None);
                session.is_written(Some(bytes), changes);
                session.reveal(number, view);
                if is_end {
                    return;
                }
            }
            Ok(None) if is_gone(&*log, &key).await => {
                // Deleted by age, while the place did not answer.
                position = 0;
                session.is_written(None, changes);
            }
            Ok(None) => {
                sessions.moved(&key, &session);
                return;
            }
            Err(error) => {
                let since = *failed.get_or_insert_with(|| {
                    tracing::warn!(session = key.1, %error, "session not logged");
                    Instant::now()
                });
                // Its log is deleted anyway when it is old.
                if is_end && since.elapsed().as_secs() > super::AGE_MAX_S {
                    return;
                }
                session.is_written(None, changes);
                sleep(pause).await;
                pause = PAUSE_MAX.min(2 * pause);
            }
        }
    }
}
