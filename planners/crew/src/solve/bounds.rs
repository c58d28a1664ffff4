//! Upper bounds on front points, used to prune labels early.
//!
//! The players who take least damage get there in some time; none of their points is later, as it
//! would be dominated. The same with time and damage exchanged. Cheapest legs give a lower bound of
//! what a leg still needs, to a tool and on to the event.

use super::matching::Matching;
use super::resources::Resources;
use super::shortest_paths::{Cheapest, Pair, cheapest};
use super::walk_limits;
use crate::problem::{Arc, Event, Problem};
use anytime::{Stop, Ticker};

/// Below this number of vertices times players bounds cost more than they save.
const WORTH: usize = 1_000;

/// Limits of legs, and a lower bound of the rest from each vertex; `None` where there is no path.
#[derive(Debug)]
pub(super) struct Bounds {
    /// Time and damage of routes, at most.
    pub limits: Resources,
    /// From each vertex on to a tool and to the event.
    pub fetch: Vec<Option<Resources>>,
    /// Before each vertex: from a player to a tool and there.
    pub carry: Vec<Option<Resources>>,
}

impl Bounds {
    /// Bounds of the fronts of the only event, within limits; `None` where they are not worth it.
    /// Only the event's own fronts are within them, and only while vertices may come twice.
    ///
    /// # Errors
    /// When stopped.
    pub(super) fn new(
        problem: &Problem,
        event: &Event,
        limits: Resources,
        ticker: &Ticker,
    ) -> Result<Option<Self>, Stop> {
        let spec = problem.spec();
        if spec.vertices * spec.players.len() < WORTH || spec.once || spec.events.len() > 1 {
            return Ok(None);
        }
        let pairs_by_time = pairs(problem, event, &|arc, harm| (arc.time_us, harm), ticker)?;
        let pairs_by_damage = pairs(problem, event, &|arc, harm| (harm, arc.time_us), ticker)?;
        let mut most = Resources::default();
        let sizes = 1..=event.efforts.len();
        let latest = second_of(&pairs_by_damage, spec.players.len(), sizes.end());
        let worst = second_of(&pairs_by_time, spec.players.len(), sizes.end());
        for ((size, latest), worst) in sizes.zip(latest).zip(worst) {
            // This number cannot come, or the task alone is too much.
            let Some(own) = walk_limits(problem, event.efforts[size - 1]) else {
                continue;
            };
            most = most.max(Resources::new(latest, worst).min(own));
        }
        let ahead = |leg| {
            let [times, damages] = to_come(problem, event, leg);
            Resources::zip(times, damages)
        };
        Ok(Some(Self {
            limits: most.min(limits),
            fetch: ahead(Leg::Fetch),
            carry: ahead(Leg::Carry),
        }))
    }
}

/// Which legs are meant.
#[derive(Clone, Copy)]
enum Leg {
    Fetch,
    Carry,
}

/// What an arc costs that does this damage: what counts first, then the other.
type Price<'p> = &'p dyn Fn(&Arc, u64) -> Pair;

/// What an arc costs.
type Paid<'p> = &'p dyn Fn(&Arc) -> Pair;

/// For each player and tool between which and the event there are paths the cheapest route's price.
fn pairs(
    problem: &Problem,
    event: &Event,
    price: Price<'_>,
    ticker: &Ticker,
) -> Result<Vec<(Pair, usize, usize)>, Stop> {
    let spec = problem.spec();
    let fetch = |arc: &Arc| price(arc, arc.fetch_micro);
    let carry = |arc: &Arc| price(arc, arc.carry_micro);
    let carries = cheapest(problem, &[((0, 0), event.vertex)], Cheapest::To(&carry));
    let mut pairs = Vec::with_capacity(spec.players.len() * spec.tools.len());
    for (player, &start) in spec.players.iter().enumerate() {
        ticker.look()?;
        let fetches = cheapest(problem, &[((0, 0), start)], Cheapest::From(&fetch));
        for (tool, &vertex) in spec.tools.iter().enumerate() {
            let both = fetches[vertex].zip(carries[vertex]);
            pairs.extend(both.map(|(a, b)| ((a.0 + b.0, a.1 + b.1), player, tool)));
        }
    }
    pairs.sort_unstable();
    Ok(pairs)
}

/// For 1, 2, ... players, up to the largest matching: among matchings of cheapest routes with the
/// least worst first price, the least worst second price.
fn second_of(pairs: &[(Pair, usize, usize)], players: usize, most: &usize) -> Vec<u64> {
    let mut found = Vec::new();
    let mut matching = Matching::new(players);
    for (index, &((first, _), player, tool)) in pairs.iter().enumerate() {
        if matching.size() >= *most {
            break;
        }
        let before = matching.size();
        matching.add(player, tool);
        // The matching grows by one at most.
        if matching.size() > before {
            let alike = pairs[index..].partition_point(|it| it.0.0 == first);
            let mut allowed: Vec<_> = pairs[..index + alike]
                .iter()
                .map(|it| (it.0.1, it.1, it.2))
                .collect();
            allowed.sort_unstable();
            found.push(bottleneck(&allowed, players, matching.size()));
        }
    }
    found
}

/// The bottleneck assignment: the least worst price of a matching of this number of pairs, which
/// exists; pairs go by rising price.
fn bottleneck(pairs: &[(u64, usize, usize)], players: usize, size: usize) -> u64 {
    let mut matching = Matching::new(players);
    for &(price, player, tool) in pairs {
        matching.add(player, tool);
        if matching.size() >= size {
            return price;
        }
    }
    u64::MAX
}

/// For each vertex the least time, and the least damage, that the rest of a route takes.
fn to_come(problem: &Problem, event: &Event, leg: Leg) -> [Vec<Option<u64>>; 2] {
    let spec = problem.spec();
    let time = |arc: &Arc| (arc.time_us, 0);
    let fetch = |arc: &Arc| (arc.fetch_micro, 0);
    let carry = |arc: &Arc| (arc.carry_micro, 0);
    let by: [[Paid<'_>; 2]; 2] = [[&time, &time], [&fetch, &carry]];
    by.map(|[fetch, carry]| {
        // The other leg up to each tool; then this one from or to all tools at once.
        let (starts, first, second) = match leg {
            Leg::Fetch => (
                vec![((0, 0), event.vertex)],
                Cheapest::To(carry),
                Cheapest::To(fetch),
            ),
            Leg::Carry => (
                spec.players
                    .iter()
                    .map(|vertex| ((0, 0), *vertex))
                    .collect(),
                Cheapest::From(fetch),
                Cheapest::From(carry),
            ),
        };
        let other = cheapest(problem, &starts, first);
        let tools = spec.tools.iter();
        let tools: Vec<_> = tools
            .filter_map(|vertex| Some((other[*vertex]?, *vertex)))
            .collect();
        let all = cheapest(problem, &tools, second);
        all.into_iter().map(|it| it.map(|it| it.0)).collect()
    })
}
