//! What players really did, beside what they could have done: skill is in the ways, cooperation in who takes what, and in how many come.

use crate::plan::{Front, Role};
use crate::problem::{Limit, Problem, Spec};
use crate::solve::{self, Stopped};
use crate::verify::check_moves;
use anytime::Pulse;

/// What one player did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Who took what along which way.
    pub role: Role,
    /// Time that he stood still on his way.
    pub idle_us: u64,
}

/// Why moves are none: what a move does, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// Nobody, or more than the event has efforts for.
    #[error("{given} players moved, 1 to {most} can")]
    Count {
        /// How many moved.
        given: usize,
        /// How many can.
        most: usize,
    },
    /// A player or a tool that does not exist or has moved already.
    #[error("the player or the tool of move {index} does not exist or is taken")]
    Taken {
        /// Index of the move.
        index: usize,
    },
    /// A way that is none: wrong ends, or no arc.
    #[error("move {index}: there is no such way to the {to}")]
    Way {
        /// Index of the move.
        index: usize,
        /// To where: the tool or the event.
        to: &'static str,
    },
    /// A way that comes to a vertex twice where that is not wanted.
    #[error("move {index} comes to vertex {vertex} twice")]
    Twice {
        /// Index of the move.
        index: usize,
        /// The vertex.
        vertex: usize,
    },
}

/// Least times and damages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Least {
    /// The least time with no more damage than was really taken.
    pub time_us: u64,
    /// The least damage in no more time than it really took.
    pub damage_micro: u64,
}

/// Moves beside what could have been done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Worst time of a player, idle times and the effort's with it.
    pub time_us: u64,
    /// Worst damage of a player, the effort's with it.
    pub damage_micro: u64,
    /// The same players with the same tools, each on his best ways.
    pub same_roles: Least,
    /// As many players, whoever they are, with any tools.
    pub same_number: Least,
    /// Any number of players.
    pub any_number: Least,
    /// Each mover by himself, with his tool.
    pub movers: Vec<Mover>,
}

/// One player by himself: times and damages of his ways, without the effort's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mover {
    /// Time that he really took, idle time with it.
    pub time_us: u64,
    /// Damage that he really took.
    pub damage_micro: u64,
    /// What he could have done with the same tool.
    pub least: Least,
}

/// Why there is no comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotCompared {
    /// The moves make no sense: all reasons.
    Wrong(Vec<MoveError>),
    /// Told to stop, or too much to look at.
    Stopped(anytime::Stop),
}

/// Compares what players did at an event with all that could have been done, within what they really took: limits of the problem do not
/// count, its rule about coming to a vertex twice does.
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
    let real = |(move_, (time, damage)): (&Move, &(u64, u64))| (time + move_.idle_us, *damage);
    let own: Vec<(u64, u64)> = moves.iter().zip(&walked).map(real).collect();
    let worst = |pick: fn(&(u64, u64)) -> u64| own.iter().map(pick).max().unwrap_or(0);
    let (time_us, damage_micro) = (
        worst(|it| it.0) + effort.time_us,
        worst(|it| it.1) + effort.damage_micro,
    );
    let only = |players: Vec<usize>, tools: Vec<usize>, within: (u64, u64)| Spec {
        players,
        tools,
        events: vec![spec.events[event].clone()],
        time_max_us: within.0,
        damage_max: Limit::Within(within.1),
        ..spec.clone()
    };
    let fronts = |spec: Spec| {
        solve::fronts_until(spec, wanted).map_err(|Stopped(stop)| NotCompared::Stopped(stop))
    };
    let mut movers = Vec::with_capacity(moves.len());
    for (it, real) in moves.iter().zip(&own) {
        let player = vec![spec.players[it.role.player]];
        let tool = vec![spec.tools[it.role.tool]];
        let mut alone = only(player, tool, *real);
        alone.events[0].efforts = vec![crate::problem::Effort::default()];
        let least = least(&fronts(alone)?).unwrap_or(Least {
            time_us: real.0,
            damage_micro: real.1,
        });
        movers.push(Mover {
            time_us: real.0,
            damage_micro: real.1,
            least,
        });
    }
    let real = Least {
        time_us,
        damage_micro,
    };
    let all = fronts(only(
        spec.players.clone(),
        spec.tools.clone(),
        (time_us, damage_micro),
    ))?;
    // Each with his own tool, the worst decides.
    let mut same_roles = Least {
        time_us: effort.time_us,
        damage_micro: effort.damage_micro,
    };
    for it in moves {
        let player = vec![spec.players[it.role.player]];
        let tool = vec![spec.tools[it.role.tool]];
        let mut alone = only(player, tool, (time_us, damage_micro));
        alone.events[0].efforts = vec![effort];
        let least = least(&fronts(alone)?).unwrap_or(real);
        same_roles.time_us = same_roles.time_us.max(least.time_us);
        same_roles.damage_micro = same_roles.damage_micro.max(least.damage_micro);
    }
    Ok(Comparison {
        time_us,
        damage_micro,
        same_roles,
        same_number: least(&all[moves.len() - 1..][..1]).unwrap_or(real),
        any_number: least(&all).unwrap_or(real),
        movers,
    })
}

/// The least time and the least damage of fronts.
fn least(fronts: &[Front]) -> Option<Least> {
    let points = || fronts.iter().flat_map(|front| &front.points);
    Some(Least {
        time_us: points().map(|point| point.time_us).min()?,
        damage_micro: points().map(|point| point.damage_micro).min()?,
    })
}
