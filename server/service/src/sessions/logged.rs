//! A session and its log: what waits until it is written, and what ends when another server has it.

use super::log::{Unwritten, Written};
use super::session::Session;
use crate::status::Refusal;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stratagem_proto::v1 as pb;
use tokio::sync::watch;
use tokio::time::timeout_at;

/// How long a log may take.
const LOG_PATIENCE: Duration = Duration::from_secs(3);

impl Session {
    /// Ends it, searches for it, and streams of those who watch. Then calls get this refusal.
    pub(crate) fn close(&self, why: Refusal) {
        let mut present = self.present();
        self.supersede(&mut present);
        let is_moved = why == Refusal::SessionMoved;
        present.closed = Some(why);
        if is_moved {
            // Its log is that of another server.
            present.log = None;
            self.written.send_modify(|written| written.is_moved = true);
        }
        self.changed.notify_one();
    }

    /// Whether another server has it, as far as is known.
    pub(crate) fn written(&self) -> watch::Receiver<Written> {
        self.written.subscribe()
    }

    /// Number of its last change, for the log.
    pub(crate) fn number(&self) -> u64 {
        self.present().number()
    }

    /// Whether it is logged.
    pub(super) fn is_logged(&self) -> bool {
        self.present().log.is_some()
    }

    /// Writes to its log where that is due without a change.
    pub(super) fn refresh(&self, now: Instant) {
        let is_watched = self.shown.receiver_count() > 0;
        self.present().note(|log| log.refresh(now, is_watched));
        self.changed.notify_one();
    }

    /// Checks that no other server has it.
    ///
    /// # Errors
    /// One has, or the log does not answer.
    pub(crate) async fn confirm(&self, until: Option<Instant>) -> Result<(), Refusal> {
        let number = {
            let mut present = self.present();
            present.note(Unwritten::confirm);
            present.number()
        };
        self.logged(number, until).await
    }

    /// Waits until there is something to log, or to show.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Shows a view now that this number of changes is logged.
    pub(super) fn reveal(&self, number: u64, view: Arc<pb::SessionView>) {
        self.shown.send_if_modified(|shown| {
            // That a search has begun is no reason to send a view.
            let is_same = shown.plan_revision == view.plan_revision
                && shown.applied_sequence == view.applied_sequence
                && shown.report == view.report
                && (view.improving || !shown.improving);
            *shown = view;
            !is_same
        });
        self.written.send_modify(|written| written.number = number);
    }

    /// Waits until this number of changes is logged.
    ///
    /// # Errors
    /// Another server has the session, or the log does not answer.
    pub(crate) async fn logged(&self, number: u64, until: Option<Instant>) -> Result<(), Refusal> {
        self.changed.notify_one();
        let mut written = self.written.subscribe();
        let most = Instant::now() + LOG_PATIENCE;
        let is_late = until.is_some_and(|until| until < most);
        let until = until.map_or(most, |until| until.min(most));
        let is_done = |it: &Written| it.number >= number || it.is_moved;
        match timeout_at(until.into(), written.wait_for(is_done)).await {
            Ok(Ok(it)) if it.is_moved => Err(Refusal::SessionMoved),
            // It is written, or closed.
            Ok(_) => Ok(()),
            Err(_) if is_late => Err(runtime::Refusal::Expired.into()),
            Err(_) => Err(Refusal::SessionsUnavailable(
                "its log does not answer".into(),
            )),
        }
    }
}
