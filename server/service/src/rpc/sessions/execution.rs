//! Sessions that execute a strategy: the search for how to go on.

use super::search::named;
use super::{Live, piece};
use crate::call::Call;
use crate::rpc::Parts;
use crate::rpc::method::Pending;
use crate::sessions::{Rest, Session};
use crate::status::Refusal;
use anytime::{Found, Outcome};
use runtime::Step;
use runtime::work::Stage;
use std::sync::Arc;
use tokio::time::timeout;
use wire::method::Method;
use wire::session::{Executed, Network, Point, State, Story, patience};

/// What searches.
type Finder<E> = <<E as Executed>::Search as Method>::Planner;

impl Live {
    /// Publishes what is to happen next. Where there is nothing to execute yet, that is searched
    /// for, and waited for within the patience of the caller.
    pub(super) async fn execute(
        &self,
        call: &Call,
        session: &Arc<Session>,
        version: u64,
        given: Option<&prost_types::Duration>,
    ) {
        let is_story = matches!(session.present().state(), State::Narrative(_));
        if is_story {
            self.execute_one::<Story>(call, session, version, given)
                .await;
        } else {
            self.execute_one::<Network>(call, session, version, given)
                .await;
        }
    }

    /// The same for one kind of session.
    async fn execute_one<E: Executed + Send + Sync + 'static>(
        &self,
        call: &Call,
        session: &Arc<Session>,
        version: u64,
        given: Option<&prost_types::Duration>,
    ) {
        let before = session.view();
        let mut views = session.plans();
        let start = |number| {
            let (parts, own, call) = (self.parts.clone(), Arc::clone(session), call.clone());
            let search = async move { search::<E>(&parts, &call, &own, number).await };
            tokio::spawn(search).abort_handle()
        };
        if !session.execute::<E>(version, start) {
            return;
        }
        let decided =
            async { while session.needs_search::<E>() && views.changed().await.is_ok() {} };
        // Without a decision the view says so.
        let _ = timeout(patience(given, &before, true), decided).await;
    }
}

/// Searches until there is something to execute, or a proof that there is not, and for better
/// strategies until the search ends.
async fn search<E: Executed + Send + Sync + 'static>(
    parts: &Parts,
    call: &Call,
    session: &Arc<Session>,
    number: u64,
) {
    loop {
        let (own, read) = (Arc::clone(session), piece(call, session, Stage::Read));
        let rest = parts.desk.run(read, move || own.rest::<E>(number)).await;
        let Ok(Some(Rest { point, request })) = rest else {
            return;
        };
        let pending = parts.pending::<E::Search>(named::<E::Search>(call), request);
        let one = One::<E> {
            parts,
            call,
            session,
            number,
            point,
            pending: Arc::new(pending),
        };
        let outcome = one.outcome().await;
        if let Err(refusal) = &outcome {
            tracing::debug!(id = &*call.id, "no search: {}", refusal.message());
        }
        if one.settle(outcome.ok().flatten()).await.is_err() {
            return;
        }
    }
}

/// A search for a session.
struct One<'a, E: Executed> {
    parts: &'a Parts,
    call: &'a Call,
    session: &'a Arc<Session>,
    number: u64,
    point: Point,
    pending: Arc<Pending<E::Search>>,
}

impl<E: Executed + Send + Sync + 'static> One<'_, E> {
    /// The end of the search. What it finds before is followed.
    async fn outcome(&self) -> Result<Option<Box<Outcome<Finder<E>>>>, Refusal> {
        let search = self.parts.search(&self.pending).await?;
        let mut steps = search.steps(self.parts.config.heartbeat_interval.get());
        while let Some(step) = steps.next().await {
            let step = step?;
            steps.mark_sent(&step);
            match step {
                Step::Progress(progress) => {
                    if let Some(found) = progress.best.filter(|_| progress.is_new) {
                        self.follow(found).await?;
                    }
                }
                Step::End { outcome, .. } => return Ok(Some(outcome)),
            }
        }
        Ok(None)
    }

    async fn follow(&self, found: Arc<Found<Finder<E>>>) -> Result<(), Refusal> {
        let (own, number, point) = (Arc::clone(self.session), self.number, self.point);
        let pending = Arc::clone(&self.pending);
        let follow = move || own.follow::<E>(number, point, &pending.asked, &found);
        let write = piece(self.call, self.session, Stage::Write);
        Ok(self.parts.desk.run(write, follow).await?)
    }

    async fn settle(&self, outcome: Option<Box<Outcome<Finder<E>>>>) -> Result<(), Refusal> {
        let (own, number, point) = (Arc::clone(self.session), self.number, self.point);
        let pending = Arc::clone(&self.pending);
        let settle = move || own.settle::<E>(number, point, &pending.asked, outcome.as_deref());
        let write = piece(self.call, self.session, Stage::Write);
        Ok(self.parts.desk.run(write, settle).await?)
    }
}
