//! One session: its state, the updates that it has seen, and its plan.

use super::Memory;
use super::log::{Unwritten, Written};
use super::present::{Present, Seen};
use crate::status::Refusal;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use stratagem_proto::v1 as pb;
use tokio::sync::{Mutex as Turn, MutexGuard as TurnGuard, Notify, watch};
use tokio::task::AbortHandle;
use wire::method::Reading;
use wire::session::{Created, Planning, read, read_under_way};

/// A session. One update is applied at a time; watchers see the newest plan.
pub(crate) struct Session {
    id: String,
    /// Options of each search.
    pub options: pb::SolveOptions,
    /// Time without calls after which it is closed.
    pub expire: Duration,
    origin: u64,
    turn: Turn<()>,
    present: Mutex<Present>,
    pub(super) views: watch::Sender<Arc<pb::SessionView>>,
    /// The views that are logged, or all if none is.
    pub(super) shown: watch::Sender<Arc<pb::SessionView>>,
    pub(super) written: watch::Sender<Written>,
    /// Wakes what writes the log.
    pub(super) changed: Notify,
    pub(super) memory: Arc<Memory>,
}

/// What a session begins with besides its state.
#[derive(Default)]
pub(crate) struct Past {
    /// What it was created from, as a number.
    pub origin: u64,
    /// The last updates.
    pub seen: VecDeque<Seen>,
    /// Its epoch is above this one.
    pub revision: i64,
    /// Number of the last entry of its log. `None`: it is not logged.
    pub position: Option<u64>,
}

/// What is planned for: a state with its number.
pub(crate) struct Moment {
    /// Number of the state.
    pub version: u64,
    /// How it is planned for.
    pub planning: Planning,
}

impl Session {
    /// A session that begins.
    ///
    /// # Errors
    /// There is no room for it.
    pub(crate) fn new(
        created: Created,
        past: Past,
        memory: Arc<Memory>,
    ) -> Result<(Self, Moment), Refusal> {
        let Created {
            id,
            state,
            options,
            expire,
            applied,
            first,
        } = created;
        let bytes = state.bytes();
        memory.count(0, bytes)?;
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        let epoch = epoch.map_or(0, |since| since.as_micros());
        let epoch = i64::try_from(epoch).unwrap_or(i64::MAX);
        let view = pb::SessionView {
            // Also above that of a server whose clock is ahead.
            epoch: epoch.max(past.revision.saturating_add(1)),
            applied_sequence: applied,
            now_offset: Some(wire::values::duration_of_micros(state.now_us())),
            ..pb::SessionView::default()
        };
        let views = watch::Sender::new(Arc::new(view));
        let log = past.position.map(|_| Unwritten::new());
        let session = Self {
            id,
            options,
            expire,
            origin: past.origin,
            shown: match log {
                Some(_) => watch::Sender::new(Arc::clone(&views.borrow())),
                None => views.clone(),
            },
            written: watch::Sender::default(),
            changed: Notify::new(),
            turn: Turn::new(()),
            present: Mutex::new(Present {
                state,
                applied,
                version: 0,
                is_planned: false,
                closed: None,
                seen: past.seen,
                log,
                used: Instant::now(),
                bytes,
                improving: None,
                search: 0,
                searched: None,
                is_followed: false,
                changes: 0,
            }),
            views,
            memory,
        };
        let moment = Moment {
            version: 0,
            planning: first,
        };
        Ok((session, moment))
    }

    /// What it was created from.
    pub(crate) fn origin(&self) -> u64 {
        self.origin
    }

    /// Waits until no other update is under way.
    pub(crate) async fn turn(&self) -> TurnGuard<'_, ()> {
        self.turn.lock().await
    }

    /// What it is like now.
    pub(crate) fn present(&self) -> MutexGuard<'_, Present> {
        // What is written there is written last, after all that may fail.
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its plan.
    pub(crate) fn view(&self) -> Arc<pb::SessionView> {
        Arc::clone(&self.views.borrow())
    }

    /// Its plans from now on, also those that are not logged yet.
    pub(crate) fn plans(&self) -> watch::Receiver<Arc<pb::SessionView>> {
        self.views.subscribe()
    }

    /// Its plans from now on, for callers.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<pb::SessionView>> {
        self.shown.subscribe()
    }

    /// Notes that it is used.
    pub(crate) fn touch(&self) {
        self.present().used = Instant::now();
    }

    /// Whether it was neither used nor watched for too long.
    pub(crate) fn has_expired(&self, now: Instant) -> bool {
        let unused = now.saturating_duration_since(self.present().used);
        let is_in_use = self.shown.receiver_count() > 0 || self.turn.try_lock().is_err();
        unused > self.expire && !is_in_use
    }

    /// Plans for the state come too late from now on, and are searched for no more.
    pub(super) fn supersede(&self, present: &mut Present) {
        present.version += 1;
        if let Some(search) = present.improving.take() {
            search.abort();
        }
        self.mark(false);
    }

    /// Says whether a better plan is searched for: with the next plan, for it is no reason to send
    /// one.
    fn mark(&self, improving: bool) {
        self.views.send_if_modified(|view| {
            if view.improving != improving {
                Arc::make_mut(view).improving = improving;
            }
            false
        });
    }

    /// Starts what searches for a better plan for a state, unless that is over.
    pub(crate) fn improve(&self, version: u64, start: impl FnOnce() -> AbortHandle) {
        let mut present = self.present();
        if present.version == version {
            self.mark(true);
            present.improving = Some(start());
        }
    }

    /// The present, if its plan is still to be adapted. In its turn.
    ///
    /// # Errors
    /// The state cannot be read, by a bug of ours.
    pub(crate) fn unplanned(&self, with: &Reading<'_>) -> Result<Option<Moment>, Refusal> {
        let (state, version) = {
            let mut present = self.present();
            present.open()?;
            if present.is_planned {
                return Ok(None);
            }
            if present.state.is_adapted() {
                self.supersede(&mut present);
            }
            (present.state.clone(), present.version)
        };
        let planning = read(&state, &self.options, with).map_err(Refusal::Mistakes)?;
        Ok(Some(Moment { version, planning }))
    }

    /// The request to plan for a state while the game goes on; `None`: that state is over.
    ///
    /// # Errors
    /// The state cannot be read, by a bug of ours.
    pub(crate) fn under_way(
        &self,
        version: u64,
        with: &Reading<'_>,
    ) -> Result<Option<Moment>, Refusal> {
        let state = {
            let mut present = self.present();
            if present.version != version {
                return Ok(None);
            }
            present.state = present.state.under_way();
            present.note(Unwritten::under_way);
            present.state.clone()
        };
        let planning = read_under_way(&state, &self.options, with).map_err(Refusal::Mistakes)?;
        Ok(Some(Moment { version, planning }))
    }

    /// Notes that the plan goes on as before in a state, unless that is over.
    pub(crate) fn go_on(&self, version: u64) {
        let mut present = self.present();
        if present.version == version {
            let view = pb::SessionView::clone(&self.view());
            self.publish_for(&mut present, view);
        }
    }

    /// Publishes the game that is played in a state, unless that is over.
    pub(crate) fn show_played(&self, version: u64) {
        let mut present = self.present();
        if present.version == version
            && let Some(view) = present.state.played()
        {
            self.publish_for(&mut present, view);
        }
    }

    /// Publishes a plan for a state, unless that is over; true if it is published. `shown` has
    /// plan, objective and report.
    pub(crate) fn publish(&self, version: u64, shown: pb::SessionView) -> bool {
        self.publish_by(i64::MAX, version, shown)
    }

    /// The same for a plan that can begin up to a time of the session.
    pub(crate) fn publish_by(&self, latest_us: i64, version: u64, shown: pb::SessionView) -> bool {
        let mut present = self.present();
        let is_present = present.version == version && present.state.now_us() <= latest_us;
        if is_present {
            self.publish_for(&mut present, shown);
        }
        is_present
    }

    /// Publishes a plan for the present.
    pub(super) fn publish_for(&self, present: &mut Present, shown: pb::SessionView) {
        present.is_planned = true;
        let before = self.view();
        let is_new = shown.plan != before.plan;
        if is_new {
            present.state.follow_view(&shown);
            present.changes += 1;
        }
        let view = pb::SessionView {
            epoch: before.epoch,
            applied_sequence: present.applied,
            now_offset: Some(wire::values::duration_of_micros(present.state.now_us())),
            plan_revision: if is_new {
                // Above those of earlier sessions with this id.
                before.plan_revision.max(before.epoch) + 1
            } else {
                before.plan_revision
            },
            ..shown
        };
        if is_new {
            present.note(|log| log.plan(&view));
        }
        self.views.send_replace(Arc::new(view));
        self.changed.notify_one();
    }

    /// Attaches the report of a search that found no better plan for a state.
    pub(crate) fn report(&self, version: u64, report: pb::SolveReport) {
        let present = self.present();
        if present.version == version {
            self.views.send_modify(|view| {
                let view = Arc::make_mut(view);
                view.report = Some(report);
                view.improving = false;
            });
            self.changed.notify_one();
        }
    }

    /// Notes that no better plan for a state is searched for any more.
    pub(crate) fn ends_improving(&self, version: u64) {
        let present = self.present();
        let is_present = present.version == version;
        self.views.send_if_modified(|view| {
            let ends = is_present && view.improving;
            if ends {
                Arc::make_mut(view).improving = false;
            }
            ends
        });
        self.changed.notify_one();
    }

    /// All of it: what creates it again, and its plan. With the number of its last change.
    pub(crate) fn snapshot(&self) -> (pb::GetSessionResponse, u64) {
        let (state, applied, bytes, (view, number)) = {
            let present = self.present();
            let state = present.state.clone();
            let shown = (self.view(), present.number());
            (state, present.applied, present.bytes, shown)
        };
        let snapshot = pb::CreateSessionRequest {
            state: Some(state.snapshot()),
            ..self.request(applied)
        };
        let session = pb::GetSessionResponse {
            snapshot: Some(snapshot),
            view: Some(pb::SessionView::clone(&view)),
            memory_bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
        };
        (session, number)
    }

    /// What creates it again, without its state.
    pub(super) fn request(&self, applied: i64) -> pb::CreateSessionRequest {
        pb::CreateSessionRequest {
            session_id: self.id.clone(),
            state: None,
            options: Some(self.options.clone()),
            expire_duration: Some(wire::values::duration(self.expire)),
            applied_sequence: applied,
        }
    }

    /// The present for one who has no plan, or an old one. With the number of its last change.
    pub(crate) fn view_without(&self, known_revision: i64) -> (pb::SessionView, u64) {
        let (view, number) = {
            let present = self.present();
            (self.view(), present.number())
        };
        let mut view = pb::SessionView::clone(&view);
        if view.plan_revision == known_revision {
            view.plan = None;
        }
        (view, number)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let bytes = self.present().bytes;
        // Nothing grows.
        let _ = self.memory.count(bytes, 0);
    }
}
