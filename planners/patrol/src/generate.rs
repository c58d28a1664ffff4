//! Problems for tests, benches and demonstrations: those of the thesis, and random museums.

use crate::problem::{Edge, Entry, Guard, Intruder, Motion, Objective, Problem, Spec};
use petgraph::unionfind::UnionFind;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Graph with edges of length 1, guards at vertex 0, and a stationary intruder with three instants
/// and steady entry, equally likely everywhere.
#[must_use]
pub fn world(vertices: usize, edges: &[[usize; 2]], guards: usize) -> Spec {
    let edges = edges.iter().map(|ends| Edge {
        ends: *ends,
        length: 1,
    });
    let guard = Guard {
        start: 0,
        next: None,
        elapsed: 0,
        speed_milli: 1_000,
        sight: None,
    };
    Spec {
        vertices,
        edges: edges.collect(),
        guards: vec![guard; guards],
        sights: Vec::new(),
        weights_micro: Vec::new(),
        may_stay: true,
        may_swap: true,
        intruder: Intruder {
            motion: Motion::Still,
            instants: 3,
            entry: Entry::Steady,
        },
        gaps: Vec::new(),
        pauses: Vec::new(),
        objective: Objective::default(),
    }
}

/// Line of vertices (figure 3.1b of the thesis).
#[must_use]
pub fn line(vertices: usize, guards: usize) -> Spec {
    let edges: Vec<_> = (1..vertices).map(|end| [end - 1, end]).collect();
    world(vertices, &edges, guards)
}

/// Ring of three or more vertices (figure 3.1a).
#[must_use]
pub fn ring(vertices: usize, guards: usize) -> Spec {
    let edges: Vec<_> = (0..vertices).map(|v| [v, (v + 1) % vertices]).collect();
    world(vertices, &edges, guards)
}

/// Grid, row by row (figure 3.1c).
#[must_use]
pub fn grid(columns: usize, rows: usize, guards: usize) -> Spec {
    let mut edges = Vec::new();
    for vertex in 0..columns * rows {
        if vertex % columns + 1 < columns {
            edges.push([vertex, vertex + 1]);
        }
        if vertex + columns < columns * rows {
            edges.push([vertex, vertex + columns]);
        }
    }
    world(columns * rows, &edges, guards)
}

/// The same against an intruder that enters at tick 0 and moves, visible at `t_p` + 1 instants.
#[must_use]
pub fn walking(spec: Spec, motion: Motion, t_p: u32) -> Spec {
    let intruder = Intruder {
        motion,
        instants: t_p + 1,
        entry: Entry::Start,
    };
    Spec { intruder, ..spec }
}

/// The same against a stationary intruder with steady entry, visible at `t_p` + 1 instants.
#[must_use]
pub fn staying(spec: Spec, t_p: u32) -> Spec {
    let intruder = Intruder {
        motion: Motion::Still,
        instants: t_p + 1,
        entry: Entry::Steady,
    };
    Spec { intruder, ..spec }
}

/// Random museum: a connected grid of rooms without some doors, with lengths of 1 to 4 and weights
/// of 1 to 5; guards start in random rooms.
///
/// # Panics
/// With more than 2,000 rooms, or more than 16 guards or none.
#[must_use]
pub fn museum(columns: usize, rows: usize, guards: usize, seed: u64) -> Problem {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut spec = grid(columns, rows, guards);
    let mut doors = std::mem::take(&mut spec.edges);
    doors.shuffle(&mut rng);
    // A spanning tree, and a third of the other doors.
    let mut rooms = UnionFind::new(spec.vertices);
    for door in doors {
        let [a, b] = door.ends;
        if rooms.union(a, b) || rng.random_ratio(1, 3) {
            spec.edges.push(Edge {
                length: rng.random_range(1..=4),
                ..door
            });
        }
    }
    spec.weights_micro = (0..spec.vertices)
        .map(|_| 1_000_000 * rng.random_range(1..=5))
        .collect();
    for guard in &mut spec.guards {
        guard.start = rng.random_range(0..spec.vertices);
    }
    spec.intruder.instants = u32::try_from(spec.vertices / guards + 1).expect("few rooms");
    Problem::new(spec).expect("museums are valid within the limits of size")
}
