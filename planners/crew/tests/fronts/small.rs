//! Small ships of any kind, and all that can be done on them.

use crew::{Arc, Effort, Event, Limit, Spec};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Small ships of any kind.
pub(crate) fn small() -> impl Strategy<Value = Spec> {
    (2..6_usize).prop_flat_map(|vertices| {
        let arc = (0..vertices, 1..vertices, 1..5_u64, 0..4_u64, 0..4_u64);
        let arcs = vec(arc, 0..14);
        let effort = (0..4_u64, 0..3_u64);
        let efforts = vec(effort, 1..4);
        let limit = prop_oneof![
            (0..12_u64).prop_map(Limit::Within),
            (0..12_u64).prop_map(Limit::Below)
        ];
        let places = (
            vec(0..vertices, 3),
            vec(0..vertices, 1..4),
            0..vertices,
            any::<bool>(),
        );
        (arcs, efforts, limit, places, 0..30_u64).prop_map(
            move |(arcs, efforts, damage_max, (players, tools, event, once), time_max_us)| {
                let mut seen = BTreeSet::new();
                let arcs = arcs
                    .into_iter()
                    .map(|(from, by, time_us, fetch_micro, carry_micro)| Arc {
                        from,
                        to: (from + by) % vertices,
                        time_us,
                        fetch_micro,
                        carry_micro,
                    });
                let arcs = arcs.filter(|arc| seen.insert((arc.from, arc.to))).collect();
                let efforts = efforts.into_iter().map(|(time_us, damage_micro)| Effort {
                    time_us,
                    damage_micro,
                });
                Spec {
                    vertices,
                    arcs,
                    players,
                    tools,
                    events: vec![Event {
                        vertex: event,
                        rank: 0,
                        efforts: efforts.collect(),
                    }],
                    time_max_us,
                    damage_max,
                    once,
                }
            },
        )
    })
}

/// A way, with its time and damage.
type Way = (Vec<usize>, (u64, u64));

/// All ways without a vertex twice.
fn ways(spec: &Spec, start: usize, end: usize, fetches: bool) -> Vec<Way> {
    let mut all = Vec::new();
    let mut open = vec![(vec![start], (0, 0))];
    while let Some((way, far)) = open.pop() {
        let here = way[way.len() - 1];
        if here == end {
            all.push((way, far));
            continue;
        }
        let arcs = spec.arcs.iter();
        for arc in arcs.filter(|arc| arc.from == here && !way.contains(&arc.to)) {
            let harm = if fetches {
                arc.fetch_micro
            } else {
                arc.carry_micro
            };
            let longer = [way.as_slice(), &[arc.to]].concat();
            open.push((longer, (far.0 + arc.time_us, far.1 + harm)));
        }
    }
    all
}

/// Time and damage of all routes of a player by a tool to an event.
pub(crate) fn routes(
    spec: &Spec,
    player: usize,
    tool: usize,
    event: usize,
) -> BTreeSet<(u64, u64)> {
    let fetches = ways(spec, spec.players[player], spec.tools[tool], true);
    let carries = ways(spec, spec.tools[tool], spec.events[event].vertex, false);
    let mut all = BTreeSet::new();
    for (fetch, (time, damage)) in &fetches {
        for (carry, (t, d)) in &carries {
            if !(spec.once && carry[1..].iter().any(|vertex| fetch.contains(vertex))) {
                all.insert((time + t, damage + d));
            }
        }
    }
    all
}

/// Players with tools.
pub(crate) type Pairs = Vec<(usize, usize)>;

/// All points of this number of players that are not dominated, by enumeration; with all
/// assignments that reach each.
pub(crate) fn enumerated(spec: &Spec, size: usize) -> BTreeMap<(u64, u64), BTreeSet<Pairs>> {
    // Player by player: nothing, or a tool and a route.
    let mut partial: BTreeSet<(Pairs, (u64, u64))> = BTreeSet::from([(Vec::new(), (0, 0))]);
    for player in 0..spec.players.len() {
        let before = partial.clone();
        for tool in 0..spec.tools.len() {
            for (time, damage) in routes(spec, player, tool, 0) {
                for (pairs, (t, d)) in &before {
                    if pairs.iter().all(|pair| pair.1 != tool) {
                        let pairs = [pairs.as_slice(), &[(player, tool)]].concat();
                        partial.insert((pairs, (time.max(*t), damage.max(*d))));
                    }
                }
            }
        }
    }
    let effort = spec.events[0].efforts[size - 1];
    let mut found: BTreeMap<(u64, u64), BTreeSet<Pairs>> = BTreeMap::new();
    for (pairs, (time, damage)) in partial {
        let (time, damage) = (time + effort.time_us, damage + effort.damage_micro);
        let allowed = match spec.damage_max {
            Limit::Within(most) => damage <= most,
            Limit::Below(limit) => damage < limit,
        };
        if pairs.len() == size && allowed && time <= spec.time_max_us {
            found.entry((time, damage)).or_default().insert(pairs);
        }
    }
    let points: Vec<(u64, u64)> = found.keys().copied().collect();
    found.retain(|point, _| {
        let mut others = points.iter().filter(|other| *other != point);
        !others.any(|other| other.0 <= point.0 && other.1 <= point.1)
    });
    found
}
