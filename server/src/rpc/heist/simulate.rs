//! Games, tick by tick.

use super::Heist;
use crate::rpc::take;
use crate::run::{Budget, Off, Stage};
use crate::status::Refusal;
use crate::wire::heist::{ToPlay, intents, stopped, tick, to_play};
use heist::game::Game;
use prost::Message as _;
use std::pin::Pin;
use stratagem_proto::v1 as pb;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

/// The messages of a game.
pub(crate) type Ticks =
    Pin<Box<dyn Stream<Item = Result<pb::SimulateHeistResponse, Status>> + Send>>;

impl Heist {
    /// Plays a game as fast as the reader reads.
    pub(super) async fn play(
        &self,
        request: Request<pb::SimulateHeistRequest>,
    ) -> Result<Response<Ticks>, Status> {
        let (call, message) = take(request);
        let size = message.encoded_len();
        let read = self.0.blocking.run(size, || to_play(message)).await?;
        let game = read.map_err(Refusal::Mistakes)?;
        let config = &self.0.config;
        let (usual, cap) = (config.stream_budget_default.get(), config.budget_max.get());
        let budget = Budget::new(&call, usual, cap);
        // What everybody believes is there once for each of them.
        let bytes = size * (2 + game.world.agents().len());
        let id = call.id.clone();
        let work = move |stage: &Stage<_>| {
            let last = perform(&game, stage);
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
        let messages = self.0.runner.perform(budget, bytes, work).await?;
        Ok(Response::new(Box::pin(ReceiverStream::new(messages))))
    }
}

/// Plays a game to its end; its last message, if there is anybody to tell.
fn perform(
    to_play: &ToPlay,
    stage: &Stage<pb::SimulateHeistResponse>,
) -> Option<pb::SimulateHeistResponse> {
    let names = &to_play.names;
    let mut game = Game::new(&to_play.world, to_play.rules);
    let mut left = to_play.interventions.as_slice();
    let mut cost = 0;
    let mut message = intents(&game, names);
    loop {
        match stage.tell(message) {
            Ok(()) => {}
            Err(Off::Unread) => return None,
            Err(Off::Stopped(message)) => return Some(stopped(message, (&game, cost), names)),
        }
        let (now, later) = left.split_at(left.partition_point(|it| it.tick <= game.now()));
        left = later;
        let deeds: Vec<_> = now.iter().map(|it| it.deed).collect();
        let played = game.step(&deeds).clone();
        let paid = played.deeds.iter().map(|done| u64::from(done.cost));
        cost += paid.sum::<u64>();
        message = tick((&game, &played), cost, names);
        if message.end.is_some() {
            return Some(message);
        }
    }
}
