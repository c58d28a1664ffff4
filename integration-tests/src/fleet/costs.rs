//! What games cost. The figures of benches/results/sessions.md, and what is derived from them.

use crate::play::Random;

/// Processor time of an update in milliseconds, by agents. At 5 agents: a quarter of the 1.7 cores
/// of 1,000 games at 1 Hz (measured). At 20 and 100: the median round trip less that of a call that
/// does nothing (derived). Others lie on straight lines between the logarithms.
const UPDATE_MILLIS: [[f64; 2]; 3] = [[5.0, 0.425], [20.0, 1.07], [100.0, 10.29]];
/// What searches for better plans may take for each unit of time of updates. Assumed: they use what
/// is left, and yield. At 1 Hz they take three times as much as updates (measured).
pub const SEARCH_SHARE: f64 = 1.0;
/// The smallest and the largest game. Their geometric mean is the mean of all games.
const AGENTS: [f64; 2] = [25.0, 400.0];
/// The longest first search of a session that is created again, in microseconds.
pub(super) const COLD_PLAN: u64 = 100_000;
/// Bytes of an update for each agent, all of which move. Measured at 100 agents and 500 tasks, as
/// are the next two.
pub const UPDATE_BYTES: f64 = 33.2;
/// Bytes of a response with a plan, for each agent.
pub const RESPONSE_BYTES: f64 = 240.1;
/// Bytes of a snapshot, for each agent.
pub const SNAPSHOT_BYTES: f64 = 326.2;
/// Resident memory of a session for each agent. Measured: 54 KiB for 5 agents and 15 tasks.
pub const SESSION_BYTES: f64 = 54.0 * 1_024.0 / 5.0;

/// A running game with one session.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Game {
    /// What balancers hash.
    pub id: u64,
    /// Units that are planned for.
    pub agents: f64,
    /// Updates in a second.
    pub rate: u64,
    /// Millionths of a core that its updates and searches take.
    pub load: u64,
}

impl Game {
    /// A game of random size. Sizes have a heavy tail: a Pareto distribution of exponent 1/2
    /// between the bounds.
    pub fn new(id: u64, random: &mut Random) -> Self {
        let [least, most] = AGENTS;
        let root = 1.0 - random.share() * (1.0 - (least / most).sqrt());
        Self::of_size(id, least / (root * root))
    }

    /// A game of this size. Small games are updated more often.
    #[must_use]
    pub fn of_size(id: u64, agents: f64) -> Self {
        let rate = match agents {
            ..50.0 => 30,
            ..100.0 => 20,
            _ => 10,
        };
        let load = rate as f64 * update_millis(agents) * (1.0 + SEARCH_SHARE) * 1e3;
        Self {
            id,
            agents,
            rate,
            load: load.round() as u64,
        }
    }
}

fn update_millis(agents: f64) -> f64 {
    let [small, middle, large] = UPDATE_MILLIS;
    let [from, to] = if agents < middle[0] {
        [small, middle]
    } else {
        [middle, large]
    };
    let slope = (to[1] / from[1]).ln() / (to[0] / from[0]).ln();
    from[1] * (agents / from[0]).powf(slope)
}
