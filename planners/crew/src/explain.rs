//! Why so many players cannot do it.

use crate::plan::{Front, Plan};
use crate::problem::{Arc, Event, Problem};
use crate::solve::far::{Price, far};
use crate::solve::matching::Matching;
use anytime::Pulse;

/// Why a front is empty: the first that holds, in this order. All are proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// There are fewer tools than players are to come.
    Tools {
        /// How many there are.
        tools: usize,
    },
    /// The task alone takes them longer than is allowed.
    EffortTime {
        /// By so much.
        over_us: u64,
    },
    /// The task alone does them more damage than is allowed.
    EffortDamage {
        /// By so much; 0 where not even none is allowed.
        over_micro: u64,
    },
    /// There are not so many players for whom there are ways by tools of their own.
    Way {
        /// So many are there at most.
        players: usize,
    },
    /// Not even with all time in the world so little damage is taken.
    Damage {
        /// The least worst damage of so many players.
        least_micro: u64,
    },
    /// Not even with all damage in the world it is so fast.
    Time {
        /// The least worst time of so many players.
        least_us: u64,
    },
    /// Each limit can be satisfied, but not all of them together: time, damage, and, where it is
    /// required, no vertex twice.
    Together,
}

/// An empty front, and why it is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// Index of the event.
    pub event: usize,
    /// So many players.
    pub players: usize,
    /// Why they cannot.
    pub lack: Lack,
}

/// Why the fronts of a plan that are known to be empty are empty; `None` if stopped before all
/// reasons are found.
#[must_use]
pub fn explain(problem: &Problem, plan: &Plan, wanted: &Pulse) -> Option<Vec<Reason>> {
    let mut reasons = Vec::new();
    let events = problem.spec().events.iter().zip(&plan.events);
    for (index, (event, fronts)) in events.enumerate() {
        let empty = |front: &Front| front.is_known && front.points.is_empty();
        if !fronts.iter().any(empty) {
            continue;
        }
        let ways = Ways::new(problem, event, wanted)?;
        for (front, players) in fronts.iter().zip(1..) {
            if empty(front) {
                reasons.push(Reason {
                    event: index,
                    players,
                    lack: lack(problem, event, players, &ways),
                });
            }
        }
    }
    Some(reasons)
}

/// Why so many players cannot do it, given that they cannot.
fn lack(problem: &Problem, event: &Event, players: usize, ways: &Ways) -> Lack {
    let spec = problem.spec();
    let effort = event.efforts[players - 1];
    let tools = spec.tools.len();
    if players > tools {
        return Lack::Tools { tools };
    }
    if effort.time_us > spec.time_max_us {
        let over_us = effort.time_us - spec.time_max_us;
        return Lack::EffortTime { over_us };
    }
    let Some(damage_max) = spec.damage_max.most() else {
        return Lack::EffortDamage { over_micro: 0 };
    };
    if effort.damage_micro > damage_max {
        let over_micro = effort.damage_micro - damage_max;
        return Lack::EffortDamage { over_micro };
    }
    let Some(&least) = ways.damages.get(players - 1) else {
        let players = ways.damages.len();
        return Lack::Way { players };
    };
    let least_micro = least + effort.damage_micro;
    if least_micro > damage_max {
        return Lack::Damage { least_micro };
    }
    // As many as by damage: those who get there at all.
    let least_us = ways.times[players - 1] + effort.time_us;
    if least_us > spec.time_max_us {
        return Lack::Time { least_us };
    }
    Lack::Together
}

/// For each number of players that can get there, from 1 on, the least worst damage and the least
/// worst time.
struct Ways {
    damages: Vec<u64>,
    times: Vec<u64>,
}

impl Ways {
    fn new(problem: &Problem, event: &Event, wanted: &Pulse) -> Option<Self> {
        let time = |arc: &Arc| arc.time_us;
        let fetch = |arc: &Arc| arc.fetch_micro;
        let carry = |arc: &Arc| arc.carry_micro;
        Some(Self {
            damages: least((problem, event), (&fetch, &carry), wanted)?,
            times: least((problem, event), (&time, &time), wanted)?,
        })
    }
}

/// For 1, 2, ... players the least that the worst of them pays.
fn least(
    (problem, event): (&Problem, &Event),
    (fetch, carry): (Price<'_>, Price<'_>),
    wanted: &Pulse,
) -> Option<Vec<u64>> {
    let spec = problem.spec();
    let carries = far(problem, event.vertex, (false, carry));
    let mut pairs = Vec::new();
    for (player, &start) in spec.players.iter().enumerate() {
        if !wanted.beats() {
            return None;
        }
        let fetches = far(problem, start, (true, fetch));
        for (tool, &vertex) in spec.tools.iter().enumerate() {
            let both = fetches[vertex].zip(carries[vertex]);
            pairs.extend(both.map(|(fetch, carry)| (fetch + carry, player, tool)));
        }
    }
    pairs.sort_unstable();
    let mut matching = Matching::new(spec.players.len());
    let mut worst = Vec::new();
    for (price, player, tool) in pairs {
        matching.add(player, tool);
        worst.resize(matching.size(), price);
    }
    Some(worst)
}
