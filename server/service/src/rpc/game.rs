//! Methods that play: they stream every event, as fast as the client reads.

use super::method::class;
use super::{Letter, Parts};
use crate::codec::Encoded;
use crate::status::Refusal;
use anytime::Runnable as _;
use runtime::{Budget, Order, Stage};
use std::pin::Pin;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};
use wire::method::{self, Game, Off, Rpc};

/// The stage of a game, on the searching thread.
struct OnStage<'s, T>(&'s Stage<T>);

impl<T> method::Stage<T> for OnStage<'_, T> {
    fn is_wanted(&self) -> bool {
        self.0.is_wanted()
    }

    fn send(&self, message: T) -> Result<(), Off<T>> {
        self.0.send(message).map_err(|off| match off {
            runtime::Off::Unread => Off::Unread,
            runtime::Off::Stopped(message) => Off::Stopped(message),
        })
    }
}

/// The messages of a game.
pub(super) type Plays<G> =
    Pin<Box<dyn Stream<Item = Result<Encoded<<G as Rpc>::Answer>, Status>> + Send>>;

impl Parts {
    /// Plays a game as fast as the reader reads.
    pub(super) async fn play<G: Game>(
        &self,
        request: Request<Encoded<G::Request>>,
    ) -> Result<Response<Plays<G>>, Status> {
        let letter = Letter::new(request)?;
        let (call, size) = (letter.call.clone(), letter.size());
        let read = |message| G::read(message).map_err(Refusal::Mistakes);
        let game = self.judged(letter, read).await?;
        let options = G::options(&game);
        let (usual, cap) = (
            self.config.stream_budget_default.get(),
            self.config.budget_max.get(),
        );
        if options.validate_only {
            return Ok(Response::new(Box::pin(tokio_stream::empty())));
        }
        let budget = Budget::new(
            call.arrived,
            call.until,
            options.budget.unwrap_or(usual),
            cap,
        );
        let order = Order {
            budget,
            class: class(options.priority),
            tenant: call.tenant.payer(),
            bytes: G::bytes(&game, size),
            planner: G::Planner::NAME,
        };
        let id = call.id.clone();
        let work = move |stage: &Stage<_>| {
            let last = G::play(&game, &OnStage(stage));
            let ending = last.as_ref().and_then(G::ending);
            tracing::info!(
                id = &*id,
                method = G::NAME,
                ending = ending.map(|it| it.0),
                ticks = ending.map(|it| it.1),
                elements = G::elements(&game),
                "played"
            );
            last
        };
        let messages = self.runner.perform(order, work).await;
        let messages = messages.map_err(Refusal::from)?;
        // Each is small.
        let messages = ReceiverStream::new(messages);
        let messages = messages.map(|message| match message {
            Ok(message) => Ok(Encoded::encode(&message)),
            Err(refusal) => Err(Refusal::from(refusal).into()),
        });
        Ok(Response::new(Box::pin(messages)))
    }
}
