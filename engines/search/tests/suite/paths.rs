//! Paths are as short as the distances of all pairs.

use proptest::prelude::*;
use search::paths::{nearest, reachable};

const COUNT: usize = 8;
const FAR: usize = COUNT * COUNT;

/// Distances of all pairs of nodes (Floyd and Warshall).
fn distances(edges: &[(usize, usize)]) -> [[usize; COUNT]; COUNT] {
    let mut far = [[FAR; COUNT]; COUNT];
    for (from, to) in edges {
        far[*from][*to] = 1;
    }
    for (node, far) in far.iter_mut().enumerate() {
        far[node] = 0;
    }
    for middle in 0..COUNT {
        for from in 0..COUNT {
            for to in 0..COUNT {
                far[from][to] = far[from][to].min(far[from][middle] + far[middle][to]);
            }
        }
    }
    far
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn paths_are_shortest(
        edges in prop::collection::vec((0..COUNT, 0..COUNT), 0..20),
        start in 0..COUNT,
        goals in prop::collection::vec(any::<bool>(), COUNT),
    ) {
        let far = distances(&edges)[start];
        let next = |node: usize| {
            let edges = edges.iter().filter(move |edge| edge.0 == node);
            edges.map(|edge| edge.1)
        };
        let reached = reachable(COUNT, start, next);
        prop_assert_eq!(reached, far.map(|far| far < FAR));
        let least = (0..COUNT).filter(|node| goals[*node]).map(|node| far[node]).min();
        let path = nearest(COUNT, start, next, |node| goals[node]);
        let least = least.filter(|least| *least < FAR);
        prop_assert_eq!(path.as_ref().map(Vec::len), least);
        let walk: Vec<usize> = [start].into_iter().chain(path.unwrap_or_default()).collect();
        prop_assert!(walk.windows(2).all(|step| edges.contains(&(step[0], step[1]))));
        prop_assert!(least.is_none() || goals[walk[walk.len() - 1]]);
    }
}

#[test]
fn earlier_neighbours_are_preferred() {
    let path = |first: [usize; 2]| {
        nearest(
            4,
            0,
            |node| [first, [3, 3], [3, 3], [3, 3]][node],
            |node| node == 3,
        )
    };
    assert_eq!(path([1, 2]), Some(vec![1, 3]));
    assert_eq!(path([2, 1]), Some(vec![2, 3]));
}
