//! `SessionService`: updates in, plans out, and searches for better ones in between.

mod search;

use super::letter::Letter;
use super::{Parts, stubs};
use crate::call::Call;
use crate::codec::Encoded;
use crate::sessions::{Session, of_bytes};
use crate::status::Refusal;
use crate::tenant::Caller;
use prost::Message as _;
use runtime::Account as _;
use runtime::work::{Piece, Stage};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use stratagem_proto::v1 as pb;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};
use wire::job::check_rules;
use wire::method::{Reading, Rpc as _};
use wire::rules::Check;
use wire::session::{Planned, created, to_update};

/// When a tenant with too many sessions comes back.
const FULL_RETRY: Duration = Duration::from_secs(1);

/// The service.
pub(crate) struct Live {
    /// To read and to search.
    pub(super) parts: Parts,
}

/// The messages of a watched session.
type Watched =
    Pin<Box<dyn Stream<Item = Result<Encoded<pb::WatchSessionResponse>, Status>> + Send>>;

/// The name under which a caller's sessions are kept.
fn owner(call: &Call) -> Result<&str, Refusal> {
    match call.tenant.caller() {
        Caller::Everybody => Ok(""),
        Caller::Named(name) => Ok(name),
        Caller::Nobody => Err(Refusal::CallerLost),
    }
}

impl Live {
    /// The session that a request names.
    fn named(
        &self,
        call: &Call,
        request: &mut impl Check,
        id: impl FnOnce() -> String,
    ) -> Result<Arc<Session>, Refusal> {
        check_rules(request).map_err(Refusal::Mistakes)?;
        let session = self.parts.sessions.get(owner(call)?, &id())?;
        session.touch();
        Ok(session)
    }

    /// Updates a session: how it is then, with the updates that are refused.
    async fn updated(
        &self,
        call: &Call,
        message: pb::UpdateSessionRequest,
    ) -> Result<pb::SessionView, Refusal> {
        let session = self.parts.sessions.get(owner(call)?, &message.session_id)?;
        let _turn = session.turn().await;
        session.touch();
        let piece = Piece {
            method: "UpdateSession",
            stage: Stage::Read,
            size: session.present().bytes(),
            tenant: call.tenant.payer(),
            due: call.until,
            until: None,
        };
        let (own, until) = (Arc::clone(&session), call.until);
        let updates = message.updates;
        let apply = move || own.apply(updates, &Reading { books: None, until });
        let (moment, refused) = self.parts.desk.run(piece, apply).await??;
        if let Some(moment) = moment {
            session.interrupt();
            let given = message.patience_duration;
            self.plan(call, &session, moment, given.as_ref()).await?;
        }
        let mut view = session.view_without(message.known_plan_revision);
        view.refused = refused;
        Ok(view)
    }
}

/// The plans of a session, until it is closed, the server shuts down, or the caller goes.
fn watched(parts: &Parts, session: Arc<Session>) -> Watched {
    let (sender, receiver) = mpsc::channel(1);
    let drain = parts.runner.drain.clone();
    let mut views = session.watch();
    // The watch keeps what it shows, but not its session.
    drop(session);
    views.mark_changed();
    tokio::spawn(async move {
        loop {
            let changed = tokio::select! {
                biased;
                () = sender.closed() => return,
                changed = views.changed() => changed,
                () = drain.begun() => {
                    let refusal = Refusal::Runtime(runtime::Refusal::Draining);
                    // Fails when the caller has gone.
                    let _ = sender.send(Err(refusal.into())).await;
                    return;
                }
            };
            if changed.is_err() {
                return;
            }
            let view = Arc::clone(&views.borrow_and_update());
            let message = pb::WatchSessionResponse {
                view: Some(pb::SessionView::clone(&view)),
            };
            if sender.send(Ok(Encoded::encode(&message))).await.is_err() {
                return;
            }
        }
    });
    Box::pin(ReceiverStream::new(receiver))
}

#[tonic::async_trait]
impl stubs::session_service_server::SessionService for Live {
    type WatchSessionStream = Watched;

    async fn create_session(
        &self,
        request: Request<Encoded<pb::CreateSessionRequest>>,
    ) -> Result<Response<Encoded<pb::CreateSessionResponse>>, Status> {
        let letter = Letter::new(request)?;
        let call = letter.call.clone();
        call.tenant.may_call(Planned::NAME)?;
        let tenant = owner(&call)?.to_owned();
        let until = call.until;
        let memory = self.parts.sessions.memory();
        let read = move |message: pb::CreateSessionRequest| {
            let origin = of_bytes(&message.encode_to_vec());
            let created = created(message, &Reading { books: None, until });
            let created = created.map_err(Refusal::Mistakes)?;
            let id = created.id.clone();
            Ok((id, Session::new(created, origin, memory)?))
        };
        let (id, (session, moment)) = self.parts.judged(letter, read).await?;
        let own_max = call.tenant.quota().sessions_max;
        if own_max.is_some_and(|most| self.parts.sessions.count_of(&tenant) >= most)
            && self.parts.sessions.get(&tenant, &id).is_err()
        {
            return Err(Refusal::from(call.tenant.over("sessions_max", FULL_RETRY)).into());
        }
        let (session, existed) = self.parts.sessions.keep(&tenant, &id, session)?;
        let turn = session.turn().await;
        let moment = if existed {
            // It is planned already, unless the first call ended early.
            session.unplanned(&Reading { books: None, until })?
        } else {
            Some(moment)
        };
        if let Some(moment) = moment {
            self.plan(&call, &session, moment, None).await?;
        }
        drop(turn);
        let answer = pb::CreateSessionResponse {
            view: Some(session.view_without(0)),
            existed,
        };
        self.parts.written(&call, answer).await
    }

    async fn update_session(
        &self,
        request: Request<Encoded<pb::UpdateSessionRequest>>,
    ) -> Result<Response<Encoded<pb::UpdateSessionResponse>>, Status> {
        let letter = Letter::new(request)?;
        let call = letter.call.clone();
        let check = |message| to_update(message).map_err(Refusal::Mistakes);
        let message = self.parts.judged(letter, check).await?;
        let view = self.updated(&call, message).await?;
        let answer = pb::UpdateSessionResponse { view: Some(view) };
        self.parts.written(&call, answer).await
    }

    async fn watch_session(
        &self,
        request: Request<Encoded<pb::WatchSessionRequest>>,
    ) -> Result<Response<Watched>, Status> {
        let (call, mut message) = self.parts.read(request).await?;
        let id = message.session_id.clone();
        let session = self.named(&call, &mut message, || id)?;
        Ok(Response::new(watched(&self.parts, session)))
    }

    async fn get_session(
        &self,
        request: Request<Encoded<pb::GetSessionRequest>>,
    ) -> Result<Response<Encoded<pb::GetSessionResponse>>, Status> {
        let (call, mut message) = self.parts.read(request).await?;
        let id = message.session_id.clone();
        let session = self.named(&call, &mut message, || id)?;
        let answer = session.snapshot(message.session_id);
        self.parts.written(&call, answer).await
    }

    async fn close_session(
        &self,
        request: Request<Encoded<pb::CloseSessionRequest>>,
    ) -> Result<Response<Encoded<pb::CloseSessionResponse>>, Status> {
        let (call, mut message) = self.parts.read(request).await?;
        check_rules(&mut message).map_err(Refusal::Mistakes)?;
        self.parts
            .sessions
            .close(owner(&call)?, &message.session_id);
        self.parts.written(&call, pb::CloseSessionResponse {}).await
    }
}
