//! Games, tick by tick.

use super::Heist;
use crate::codec::Encoded;
use crate::rpc::Letter;
use crate::run::{Budget, Stage};
use crate::status::Refusal;
use crate::wire::heist::{play, to_play};
use std::pin::Pin;
use stratagem_proto::v1 as pb;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};

/// The messages of a game.
pub(crate) type Ticks =
    Pin<Box<dyn Stream<Item = Result<Encoded<pb::SimulateHeistResponse>, Status>> + Send>>;

impl Heist {
    /// Plays a game as fast as the reader reads.
    pub(super) async fn play(
        &self,
        request: Request<Encoded<pb::SimulateHeistRequest>>,
    ) -> Result<Response<Ticks>, Status> {
        let letter = Letter::of(request)?;
        let (call, size) = (letter.call.clone(), letter.size());
        let read = |message| to_play(message).map_err(Refusal::Mistakes);
        let game = self.0.judged(letter, read).await?;
        let config = &self.0.config;
        let (usual, cap) = (config.stream_budget_default.get(), config.budget_max.get());
        if game.options.validate_only {
            return Ok(Response::new(Box::pin(tokio_stream::empty())));
        }
        let budget = Budget::new(&call, game.options.budget.unwrap_or(usual), cap);
        let class = game.options.class;
        // What everybody believes is there once for each of them.
        let bytes = size * (2 + game.world.agents().len());
        let id = call.id.clone();
        let work = move |stage: &Stage<_>| {
            let last = play(&game, stage);
            let end = last.as_ref().and_then(|last| last.end.as_ref());
            let told = end.map(|end| (end.ending().as_str_name(), end.tick_count));
            tracing::info!(
                id = &*id,
                method = "stratagem.v1.HeistService/SimulateHeist",
                ending = told.map(|told| told.0),
                ticks = told.map(|told| told.1),
                elements = game.world.museum().rooms(),
                "played"
            );
            last
        };
        let messages = self
            .0
            .runner
            .perform((budget, class, call.tenant), bytes, work)
            .await?;
        // Each is of one tick, and small.
        let messages = ReceiverStream::new(messages);
        let messages = messages.map(|message| message.map(|it| Encoded::of(&it)));
        Ok(Response::new(Box::pin(messages)))
    }
}
