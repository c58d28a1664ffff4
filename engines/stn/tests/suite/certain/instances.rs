//! Networks of any size.

use stn::{Edge, Time};

/// A random solvable network of a given size, whose edges follow the times of a hidden solution.
pub(crate) fn hidden_solution(seed: u64, nodes: u32, edges: u32) -> Vec<Edge> {
    let mut state = seed;
    let mut draw = |below: u32| {
        // Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % u64::from(below)) as u32
    };
    let time: Vec<u32> = (0..nodes).map(|_| draw(1_000_000)).collect();
    let edge = |id| {
        let (from, to) = (draw(nodes), draw(nodes));
        let apart = Time::from(time[to as usize]) - Time::from(time[from as usize]);
        Edge::new(from, to, apart + Time::from(draw(200_000)), id)
    };
    (0..edges).map(edge).collect()
}
