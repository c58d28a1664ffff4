//! Simulation of whole games.

use super::{Game, Intervention, Mind, Record, Rules, validate};
use crate::budget::{Budget, may_play};
use crate::world::World;
use anytime::Fault;

/// Simulates a whole game.
///
/// # Errors
/// Every reason why it cannot be played.
pub fn play(
    world: &World,
    rules: Rules,
    interventions: &[Intervention],
) -> Result<Record, Vec<Fault>> {
    play_until(world, rules, interventions, &mut || true).expect("nothing stops it")
}

/// The same; `None`: stopped, as `budget` ended it.
pub fn play_until(
    world: &World,
    rules: Rules,
    interventions: &[Intervention],
    budget: &mut dyn Budget,
) -> Option<Result<Record, Vec<Fault>>> {
    if let Err(faults) = validate(world, &rules, interventions) {
        return Some(Err(faults));
    }
    let mut list = interventions.to_vec();
    // Stable: interventions of one tick stay in their order.
    list.sort_by_key(|it| it.tick);
    let mut left = list.as_slice();
    let mut game = Game::new_until(world, rules, budget)?;
    let plans = game.minds().iter().map(Mind::intent);
    let starts = plans.map(|plan| plan.map(|plan| plan.len() as u32));
    let starts = starts.collect();
    let mut ticks = Vec::new();
    let mut cost = 0;
    loop {
        let (now, later) = left.split_at(left.partition_point(|it| it.tick <= game.now()));
        left = later;
        let player_actions: Vec<_> = now.iter().map(|it| it.player_action).collect();
        if !may_play(budget, game.now()) {
            return None;
        }
        let tick = game.step_until(&player_actions, budget)?.clone();
        cost += tick
            .player_actions
            .iter()
            .map(|done| u64::from(done.cost))
            .sum::<u64>();
        let ending = tick.ending;
        ticks.push(tick);
        if let Some(ending) = ending {
            return Some(Ok(Record {
                starts,
                ticks,
                ending,
                cost,
            }));
        }
    }
}
