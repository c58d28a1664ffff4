//! Ships at random, for tests and benches.

use crate::problem::{Arc, Effort, Event, Limit, Spec};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a ship is to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Vertices along each side of a square, at least 2.
    pub side: usize,
    /// Number of players.
    pub players: usize,
    /// Number of tools.
    pub tools: usize,
    /// Times of arcs, 1 to this.
    pub time_max_us: u64,
    /// Damages of arcs, 0 to this.
    pub damage_max_micro: u64,
}

/// A square of rooms, neighbours joined by an arc in each direction, each arc with its own time and
/// damage; players, tools and the event anywhere.
#[must_use]
pub fn generate(shape: &Shape, seed: u64) -> Spec {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let side = shape.side.max(2);
    let vertices = side * side;
    let mut arcs = Vec::new();
    for from in 0..vertices {
        let right = (from % side + 1 < side).then_some(from + 1);
        let below = (from + side < vertices).then_some(from + side);
        for to in [right, below].into_iter().flatten() {
            for (from, to) in [(from, to), (to, from)] {
                arcs.push(Arc {
                    from,
                    to,
                    time_us: rng.random_range(1..=shape.time_max_us.max(1)),
                    fetch_micro: rng.random_range(0..=shape.damage_max_micro),
                    carry_micro: rng.random_range(0..=shape.damage_max_micro),
                });
            }
        }
    }
    let mut places = |count| (0..count).map(|_| rng.random_range(0..vertices)).collect();
    let players: Vec<usize> = places(shape.players);
    let tools = places(shape.tools);
    let vertex = rng.random_range(0..vertices);
    // The more come, the faster it is done.
    let efforts = (1..=players.len().min(shape.tools)).map(|count| Effort {
        time_us: shape.time_max_us * 20 / count as u64,
        damage_micro: 0,
    });
    Spec {
        vertices,
        arcs,
        events: vec![Event {
            vertex,
            rank: 0,
            efforts: efforts.collect(),
        }],
        players,
        tools,
        time_max_us: shape.time_max_us.saturating_mul(1_000),
        damage_max: Limit::Within(shape.damage_max_micro.saturating_mul(1_000)),
        once: false,
    }
}
