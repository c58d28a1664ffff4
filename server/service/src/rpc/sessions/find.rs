//! The session that a call is about: held here, or taken over from its log.

use super::{Live, MOVES_MAX, owner};
use crate::call::Call;
use crate::sessions::{Moment, Past, Session, replayed};
use crate::status::Refusal;
use bytes::Bytes;
use runtime::Account as _;
use runtime::work::{Piece, Stage};
use std::sync::Arc;
use std::time::Duration;
use wire::method::Reading;
use wire::session::Created;

/// When a tenant with too many sessions comes back.
const FULL_RETRY: Duration = Duration::from_secs(1);

/// What a log has of a session.
pub(super) enum Found {
    /// The session, which is held here from now on.
    Session(Arc<Session>),
    /// Nothing: a new session is logged after the entry of this number, if there are logs.
    Nothing(Option<u64>),
}

impl Found {
    /// The session.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn session(self, id: &str) -> Result<Arc<Session>, Refusal> {
        match self {
            Self::Session(session) => Ok(session),
            Self::Nothing(_) => {
                let why = format!("there is no session {id:?}");
                Err(Refusal::SessionUnknown(why))
            }
        }
    }
}

impl Live {
    /// What there is of a session of the caller, which no other server has then.
    ///
    /// # Errors
    /// There is no room for it, or its log does not answer.
    pub(super) async fn find(&self, call: &Call, id: &str) -> Result<Found, Refusal> {
        for _ in 0..MOVES_MAX {
            let found = self.held(call, id).await?;
            let Found::Session(session) = &found else {
                return Ok(found);
            };
            session.touch();
            match session.confirm(call.until).await {
                // It may have been closed meanwhile.
                Ok(()) if session.present().open().is_ok() => return Ok(found),
                Ok(()) | Err(Refusal::SessionMoved) => {}
                Err(other) => return Err(other),
            }
        }
        Err(Refusal::SessionMoved)
    }

    /// Has a session planned for, unless it is. The caller does not wait for more than that.
    ///
    /// # Errors
    /// It is closed.
    pub(super) async fn planned(&self, call: &Call, session: &Arc<Session>) -> Result<(), Refusal> {
        if session.present().is_planned() {
            return Ok(());
        }
        let _turn = session.turn().await;
        let until = call.until;
        if let Some(moment) = session.unplanned(&Reading { books: None, until })? {
            let patience = prost_types::Duration::default();
            self.plan(call, session, moment, Some(&patience)).await?;
        }
        // Those who watch see it first.
        session.logged(session.number(), until).await
    }

    /// The same, but another server may have taken the session meanwhile.
    pub(super) async fn held(&self, call: &Call, id: &str) -> Result<Found, Refusal> {
        match self.parts.sessions.get(owner(call)?, id) {
            Some(session) => Ok(Found::Session(session)),
            None => self.take_over(call, id).await,
        }
    }

    /// Takes a session over from its log. Its server finds out when it writes the next change.
    ///
    /// # Errors
    /// There is no room for it, or the log does not answer.
    async fn take_over(&self, call: &Call, id: &str) -> Result<Found, Refusal> {
        let logged = self.parts.sessions.logged(owner(call)?, id).await?;
        let Some(logged) = logged else {
            return Ok(Found::Nothing(None));
        };
        let position = logged.position;
        let piece = Piece {
            method: "session log",
            stage: Stage::Read,
            size: logged.entries.iter().map(Bytes::len).sum(),
            tenant: call.tenant.payer(),
            due: call.until,
            until: None,
        };
        // Without a limit of the caller: a plan that is not checked in time would be lost.
        let replay = move || replayed(&logged, &Reading::ALONE);
        let (created, past) = match self.parts.desk.run(piece, replay).await? {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(Found::Nothing(Some(position))),
            Err(error) => {
                tracing::error!(session = id, error, "session log cannot be read");
                let why = "this version cannot read the log of the session";
                return Err(Refusal::SessionsUnavailable(why.into()));
            }
        };
        call.tenant.may_call(created.state.method())?;
        let sessions = &self.parts.sessions;
        // It counts for the tenant, who cannot help that it moves.
        let kept = sessions.keep(owner(call)?, created, past, || Ok(()));
        let (session, first) = kept?;
        if first.is_some() {
            tracing::info!(session = id, "session taken over");
            self.parts.metrics.session_taken();
        }
        Ok(Found::Session(session))
    }

    /// Keeps a session of the caller, see [`Sessions::keep`].
    ///
    /// [`Sessions::keep`]: crate::sessions::Sessions::keep
    pub(super) fn keep(
        &self,
        call: &Call,
        created: Created,
        past: Past,
    ) -> Result<(Arc<Session>, Option<Moment>), Refusal> {
        let (sessions, tenant) = (&self.parts.sessions, owner(call)?);
        let has_room = || match call.tenant.quota().sessions_max {
            Some(most) if sessions.count_of(tenant) >= most => {
                Err(Refusal::from(call.tenant.over("sessions_max", FULL_RETRY)))
            }
            _ => Ok(()),
        };
        sessions.keep(tenant, created, past, has_room)
    }
}
