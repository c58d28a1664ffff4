//! Sessions that execute a network: the search for how to go on after a deviation.

use super::search::named;
use super::{Live, piece};
use crate::call::Call;
use crate::rpc::Parts;
use crate::sessions::{Rest, Session};
use crate::status::Refusal;
use runtime::work::Stage;
use std::sync::Arc;
use tokio::time::timeout;
use wire::contract::CheckControllability;
use wire::session::patience;

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
        let before = session.view();
        let mut views = session.watch();
        let start = || {
            let (parts, own, call) = (self.parts.clone(), Arc::clone(session), call.clone());
            tokio::spawn(async move { search(&parts, &call, &own).await }).abort_handle()
        };
        if !session.execute(version, start) {
            return;
        }
        let decided = async { while session.needs_search() && views.changed().await.is_ok() {} };
        // Without a decision the view says so.
        let _ = timeout(patience(given, &before, true), decided).await;
    }
}

/// Searches until there is something to execute, or a proof that there is not.
async fn search(parts: &Parts, call: &Call, session: &Arc<Session>) {
    loop {
        let (own, read) = (Arc::clone(session), piece(call, session, Stage::Read));
        let rest = parts.desk.run(read, move || own.rest()).await;
        let Ok(Some(Rest { point, request })) = rest else {
            return;
        };
        let pending =
            parts.pending::<CheckControllability>(named::<CheckControllability>(call), request);
        let outcome = match parts.search(&pending).await {
            Ok(search) => search.end().await.map_err(Refusal::from),
            Err(refusal) => Err(refusal),
        };
        if let Err(refusal) = &outcome {
            tracing::debug!(id = &*call.id, "no search: {}", refusal.message());
        }
        let (own, write) = (Arc::clone(session), piece(call, session, Stage::Write));
        let settle = move || own.settle(point, &pending.asked, outcome.ok().as_ref());
        if parts.desk.run(write, settle).await.is_err() {
            return;
        }
    }
}
