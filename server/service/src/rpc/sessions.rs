//! `SessionService`: updates in, plans out, and searches for better ones in between.

mod execution;
mod find;
mod search;

use super::letter::Letter;
use super::{Parts, stubs};
use crate::call::Call;
use crate::codec::Encoded;
use crate::sessions::{Past, Session, of_bytes, of_origin};
use crate::status::Refusal;
use crate::tenant::Caller;
use find::Found;
use prost::Message as _;
use runtime::Drain;
use runtime::work::{Piece, Stage};
use std::pin::Pin;
use std::sync::Arc;
use stratagem_proto::v1 as pb;
use tokio::sync::{mpsc, watch};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};
use wire::job::check_rules;
use wire::method::Reading;
use wire::rules::Check;
use wire::session::{created, to_update};

/// How often a call follows its session, which other servers take meanwhile.
const MOVES_MAX: usize = 3;

/// The service.
pub(crate) struct Live {
    /// To read and to search.
    pub(super) parts: Parts,
}

/// Work on a session for a call.
fn piece(call: &Call, session: &Session, stage: Stage) -> Piece {
    Piece {
        method: "UpdateSession",
        stage,
        size: session.present().bytes(),
        tenant: call.tenant.payer(),
        due: call.until,
        until: None,
    }
}

/// A message of a watched session, or why there are no more.
type Message = Result<Encoded<pb::WatchSessionResponse>, Status>;
/// The messages of a watched session.
type Watched = Pin<Box<dyn Stream<Item = Message> + Send>>;

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
    async fn named(
        &self,
        call: &Call,
        request: &mut (impl Check + Send),
        id: &str,
    ) -> Result<Arc<Session>, Refusal> {
        check_rules(request).map_err(Refusal::Mistakes)?;
        let session = self.find(call, id).await?.session(id)?;
        self.planned(call, &session).await?;
        session.touch();
        Ok(session)
    }

    /// Updates a session: how it is then, with the updates that are refused.
    async fn updated(
        &self,
        call: &Call,
        message: pb::UpdateSessionRequest,
    ) -> Result<pb::SessionView, Refusal> {
        let message = Arc::new(message);
        for _ in 0..MOVES_MAX {
            match self.updated_here(call, &message).await {
                Err(Refusal::SessionMoved) => {}
                other => return other,
            }
        }
        Err(Refusal::SessionMoved)
    }

    /// The same, unless another server has taken the session meanwhile.
    async fn updated_here(
        &self,
        call: &Call,
        message: &Arc<pb::UpdateSessionRequest>,
    ) -> Result<pb::SessionView, Refusal> {
        let id = &message.session_id;
        let session = self.held(call, id).await?.session(id)?;
        let turn = session.turn().await;
        session.touch();
        let before = session.number();
        let piece = piece(call, &session, Stage::Read);
        let (own, until) = (Arc::clone(&session), call.until);
        let updates = Arc::clone(message);
        let apply = move || own.apply(&updates.updates, &Reading { books: None, until });
        let applied = self.parts.desk.run(piece, apply).await?;
        if applied.is_err() {
            // It may have missed updates.
            session.confirm(call.until).await?;
        }
        let (moment, refused) = applied?;
        if let Some(moment) = moment {
            let given = message.patience_duration.as_ref();
            self.plan(call, &session, moment, given).await?;
        }
        session.touch();
        let (mut view, number) = session.view_without(message.known_plan_revision);
        drop(turn);
        if number == before {
            // Nothing was new, and another server may have the session.
            session.confirm(call.until).await?;
        }
        session.logged(number, call.until).await?;
        view.refused = refused;
        Ok(view)
    }
}

/// The plans of a session, until it is closed, the server shuts down, or the caller goes.
fn watched(parts: &Parts, session: Arc<Session>) -> Watched {
    let (sender, receiver) = mpsc::channel(1);
    let drain = parts.runner.drain.clone();
    let (mut views, written) = (session.watch(), session.written());
    // The watch keeps what it shows, but not its session.
    let watched = Arc::downgrade(&session);
    drop(session);
    views.mark_changed();
    tokio::spawn(async move {
        while let Some(message) = next(&mut views, &drain, &sender).await {
            let is_end = message.is_err();
            if sender.send(message).await.is_err() || is_end {
                break;
            }
        }
        if written.borrow().is_moved {
            // The caller may have gone.
            let _ = sender.send(Err(Refusal::SessionMoved.into())).await;
        }
        // Unused from now on.
        if let Some(session) = watched.upgrade() {
            session.touch();
        }
    });
    Box::pin(ReceiverStream::new(receiver))
}

/// The next message of a watched session; `None`: it is closed, or the caller has gone.
async fn next(
    views: &mut watch::Receiver<Arc<pb::SessionView>>,
    drain: &Drain,
    sender: &mpsc::Sender<Message>,
) -> Option<Message> {
    tokio::select! {
        biased;
        () = sender.closed() => return None,
        changed = views.changed() => changed.ok()?,
        () = drain.begun() => {
            return Some(Err(Refusal::Runtime(runtime::Refusal::Draining).into()));
        }
    }
    let view = Arc::clone(&views.borrow_and_update());
    let view = Some(pb::SessionView::clone(&view));
    Some(Ok(Encoded::encode(&pb::WatchSessionResponse { view })))
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
        let until = call.until;
        let read = move |message: pb::CreateSessionRequest| {
            let origin = of_bytes(&message.encode_to_vec());
            let created = created(message, &Reading { books: None, until });
            Ok((created.map_err(Refusal::Mistakes)?, origin))
        };
        // A given plan is checked, which takes longer than reading.
        let (created, origin) = self.parts.staged(Stage::Answer, letter, read).await?;
        call.tenant.may_call(created.state.method())?;
        let (session, first) = match self.find(&call, &created.id).await? {
            Found::Session(session) => (of_origin(session, origin)?, None),
            Found::Nothing(position) => {
                let past = Past {
                    origin,
                    position,
                    ..Past::default()
                };
                self.keep(&call, created, past)?
            }
        };
        session.touch();
        let existed = first.is_none();
        let turn = session.turn().await;
        let moment = match first {
            Some(moment) => Some(moment),
            // It is planned already, unless the first call ended early.
            None => session.unplanned(&Reading { books: None, until })?,
        };
        if let Some(moment) = moment {
            self.plan(&call, &session, moment, None).await?;
        }
        drop(turn);
        let (view, number) = session.view_without(0);
        session.logged(number, call.until).await?;
        let answer = pb::CreateSessionResponse {
            view: Some(view),
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
        let session = self.named(&call, &mut message, &id).await?;
        Ok(Response::new(watched(&self.parts, session)))
    }

    async fn get_session(
        &self,
        request: Request<Encoded<pb::GetSessionRequest>>,
    ) -> Result<Response<Encoded<pb::GetSessionResponse>>, Status> {
        let (call, mut message) = self.parts.read(request).await?;
        let id = message.session_id.clone();
        let session = self.named(&call, &mut message, &id).await?;
        let piece = Piece {
            method: "GetSession",
            ..piece(&call, &session, Stage::Write)
        };
        let own = Arc::clone(&session);
        let answer = self.parts.desk.run(piece, move || own.snapshot()).await;
        let (answer, number) = answer.map_err(Refusal::from)?;
        session.logged(number, call.until).await?;
        self.parts.written(&call, answer).await
    }

    async fn close_session(
        &self,
        request: Request<Encoded<pb::CloseSessionRequest>>,
    ) -> Result<Response<Encoded<pb::CloseSessionResponse>>, Status> {
        let (call, mut message) = self.parts.read(request).await?;
        check_rules(&mut message).map_err(Refusal::Mistakes)?;
        let sessions = &self.parts.sessions;
        sessions.close(owner(&call)?, &message.session_id).await?;
        self.parts.written(&call, pb::CloseSessionResponse {}).await
    }
}
