//! Methods that play: they stream every event, as fast as the client reads.

use super::method::Rpc;
use super::{Letter, Parts};
use crate::codec::Encoded;
use crate::run::{Budget, Kind, Order, Stage};
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use crate::wire::solve::Options;
use std::pin::Pin;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};

/// A method that is streamed and searches nothing.
pub(crate) trait Game: Rpc {
    /// A checked request.
    type Read: Send + Sync + 'static;
    /// Whose rules it is played by.
    type Planner: Kind;

    /// The checked request, or all mistakes.
    fn read(message: Self::Request) -> Result<Self::Read, Mistakes>;

    /// Budget and class.
    fn options(read: &Self::Read) -> &Options;

    /// Memory that the game takes, of a request of `size` bytes.
    fn bytes(read: &Self::Read, size: usize) -> usize;

    /// Size of the problem, in logs.
    fn elements(read: &Self::Read) -> usize;

    /// How the game ended and how many ticks it took, in logs.
    fn ending(last: &Self::Answer) -> Option<(&'static str, i32)>;

    /// Plays to the end. Sends all messages but the last one, which is returned; `None` when the
    /// client does not read any more.
    fn play(read: &Self::Read, stage: &Stage<Self::Answer>) -> Option<Self::Answer>;
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
        let budget = Budget::new(&call, options.budget.unwrap_or(usual), cap);
        let order = Order {
            budget,
            class: options.class,
            tenant: call.tenant,
            bytes: G::bytes(&game, size),
            planner: G::Planner::NAME,
        };
        let id = call.id.clone();
        let work = move |stage: &Stage<_>| {
            let last = G::play(&game, stage);
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
        let messages = self.runner.perform(order, work).await?;
        // Each is small.
        let messages = ReceiverStream::new(messages);
        let messages = messages.map(|message| message.map(|it| Encoded::encode(&it)));
        Ok(Response::new(Box::pin(messages)))
    }
}
