//! Compares what players did with what they could have done: skill is the choice of legs,
//! cooperation the choice of tools and the number of players who come.

use crate::plan::{Front, Move};
use crate::problem::{Effort, Limit, Problem, Spec};
use crate::solve;
use crate::verify::check_moves;
use anytime::{Fault, Pulse};

/// Least times and damages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Least {
    /// The least time with no more damage than was really taken.
    pub time_us: u64,
    /// The least damage in no more time than it really took.
    pub damage_micro: u64,
}

/// Moves compared with what could have been done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Worst time of a player, idle times and the effort's with it.
    pub time_us: u64,
    /// Worst damage of a player, the effort's with it.
    pub damage_micro: u64,
    /// The same players with the same tools, each on the best legs.
    pub same_roles: Least,
    /// The same number of players, any of them, with any tools.
    pub same_number: Least,
    /// Any number of players.
    pub any_number: Least,
    /// Each mover alone, with the same tool.
    pub movers: Vec<Mover>,
}

/// One player alone: times and damages of the legs, without the effort's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mover {
    /// Time that the player took, idle time included.
    pub time_us: u64,
    /// Damage that the player took.
    pub damage_micro: u64,
    /// The least that was possible with the same tool.
    pub least: Least,
}

/// Why there is no comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotCompared {
    /// The moves are invalid: every fault, with its path from the list of moves on.
    Wrong(Vec<Fault>),
    /// Stopped, or too much to look at.
    Stopped(anytime::Stop),
}

/// Compares what players did at an event with the best that was possible within the time and damage
/// they took: limits of the problem do not count, its rule about coming to a vertex twice does.
///
/// # Errors
/// See [`NotCompared`].
///
/// # Panics
/// When there is no such event.
pub fn compare(
    problem: &Problem,
    event: usize,
    moves: &[Move],
    wanted: &Pulse,
) -> Result<Comparison, NotCompared> {
    let walked = check_moves(problem, event, moves).map_err(NotCompared::Wrong)?;
    let spec = problem.spec();
    let effort = spec.events[event].efforts[moves.len() - 1];
    let own = moves.iter().zip(walked).map(|(it, legs)| Least {
        time_us: legs.time_us + it.idle_us,
        damage_micro: legs.damage_micro,
    });
    let own: Vec<Least> = own.collect();
    let worst = |pick: fn(&Least) -> u64| own.iter().map(pick).max().unwrap_or(0);
    let (time_us, damage_micro) = (
        worst(|it| it.time_us) + effort.time_us,
        worst(|it| it.damage_micro) + effort.damage_micro,
    );
    let real = Least {
        time_us,
        damage_micro,
    };
    let fronts = |spec: Spec| solve::fronts_until(spec, wanted).map_err(NotCompared::Stopped);
    let all = fronts(limited(spec, event, real))?;
    let mut movers = Vec::with_capacity(moves.len());
    // Each with the same tool, the worst decides.
    let mut same_roles = Least {
        time_us: effort.time_us,
        damage_micro: effort.damage_micro,
    };
    for (it, &own) in moves.iter().zip(&own) {
        let alone_within = alone(limited(spec, event, own), it, Effort::default());
        movers.push(Mover {
            time_us: own.time_us,
            damage_micro: own.damage_micro,
            least: least_of(&fronts(alone_within)?).unwrap_or(own),
        });
        let at_work = alone(limited(spec, event, real), it, effort);
        let least = least_of(&fronts(at_work)?).unwrap_or(real);
        same_roles.time_us = same_roles.time_us.max(least.time_us);
        same_roles.damage_micro = same_roles.damage_micro.max(least.damage_micro);
    }
    Ok(Comparison {
        time_us,
        damage_micro,
        same_roles,
        same_number: least_of(&all[moves.len() - 1..][..1]).unwrap_or(real),
        any_number: least_of(&all).unwrap_or(real),
        movers,
    })
}

/// The problem of one event within a time and a damage.
fn limited(spec: &Spec, event: usize, limits: Least) -> Spec {
    Spec {
        events: vec![spec.events[event].clone()],
        time_max_us: limits.time_us,
        damage_max: Limit::Within(limits.damage_micro),
        ..spec.clone()
    }
}

/// The same for one mover with the same tool, with an effort of its own.
fn alone(mut spec: Spec, it: &Move, effort: Effort) -> Spec {
    spec.players = vec![spec.players[it.role.player]];
    spec.tools = vec![spec.tools[it.role.tool]];
    spec.events[0].efforts = vec![effort];
    spec
}

/// The least time and the least damage of fronts.
fn least_of(fronts: &[Front]) -> Option<Least> {
    let points = || fronts.iter().flat_map(|front| &front.points);
    Some(Least {
        time_us: points().map(|point| point.time_us).min()?,
        damage_micro: points().map(|point| point.damage_micro).min()?,
    })
}
