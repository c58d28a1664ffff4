//! Games under way, tick by tick.

use super::game::ToPlay;
use super::tick::{intents, stopped, tick};
use crate::method::{Off, Stage};
use heist::budget::Budget;
use heist::game::Game;
use stratagem_proto::v1 as pb;

/// The budget of a game: as long as it is wanted.
struct Seated<'s>(&'s dyn Stage<pb::SimulateHeistResponse>);

impl Budget for Seated<'_> {
    fn next_game(&mut self) -> bool {
        self.0.is_wanted()
    }

    fn go_on(&mut self) -> bool {
        self.0.is_wanted()
    }
}

/// Plays a game to its end; its last message, if the client still listens.
pub(crate) fn play(
    to_play: &ToPlay,
    stage: &dyn Stage<pb::SimulateHeistResponse>,
) -> Option<pb::SimulateHeistResponse> {
    let names = &to_play.names;
    let budget = &mut Seated(stage);
    let game = Game::new_until(&to_play.world, to_play.rules, budget)?;
    let mut game = game.reacting(to_play.reactions);
    let mut left = to_play.interventions.as_slice();
    let mut cost = 0;
    let mut message = intents(&game, names);
    let limit = to_play.options.iterations_max;
    loop {
        if limit.is_some_and(|limit| u64::from(game.now()) >= limit) {
            return Some(stopped(message, &game, cost, names));
        }
        match stage.send(message) {
            Ok(()) => {}
            Err(Off::Unread) => return None,
            Err(Off::Stopped(message)) => return Some(stopped(message, &game, cost, names)),
        }
        let (now, later) = left.split_at(left.partition_point(|it| it.tick <= game.now()));
        left = later;
        let player_actions: Vec<_> = now.iter().map(|it| it.player_action).collect();
        let Some(played) = game.step_until(&player_actions, budget).cloned() else {
            let nothing = pb::SimulateHeistResponse::default();
            return Some(stopped(nothing, &game, cost, names));
        };
        let paid = played
            .player_actions
            .iter()
            .map(|done| u64::from(done.cost));
        cost += paid.sum::<u64>();
        message = tick(&game, &played, cost, names);
        if message.end.is_some() {
            return Some(message);
        }
    }
}
