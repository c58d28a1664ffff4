//! Places for vertices that have none: rings become rings, lines lines and grids grids.
//!
//! Brandes and Pich, "Eigensolver methods for progressive multidimensional scaling of large data",
//! Graph Drawing 2006: distances from a few pivots, centred, projected on their two largest axes.
//! Nothing is random.

use super::ground::distance;
use petgraph::algo::dijkstra;
use petgraph::graph::UnGraph;

/// Pivots, at most.
const PIVOTS: usize = 40;
/// Rounds of the power iteration.
const ROUNDS: usize = 300;
/// Vertices up to which those that lie on each other are pushed apart.
const PUSHED_MAX: usize = 400;
/// Rounds of pushing.
const PUSHES: usize = 40;

/// A place for each vertex.
pub(crate) fn layout(vertices: usize, edges: &[([usize; 2], i64)]) -> Vec<(f64, f64)> {
    if vertices == 0 {
        return Vec::new();
    }
    let distances = distances(vertices, edges);
    let centred = centred(&distances, vertices);
    let axes = axes(&centred);
    let project = |row: &Vec<f64>| {
        let along = |axis: &[f64]| row.iter().zip(axis).map(|(a, b)| a * b).sum::<f64>();
        (along(&axes[0]), along(&axes[1]))
    };
    let mut places: Vec<_> = centred.iter().map(project).collect();
    if vertices <= PUSHED_MAX {
        push_apart(&mut places, edges);
    }
    places
}

/// Distances from pivots to all vertices, a list for each pivot; each pivot is as far from those
/// before as can be.
fn distances(vertices: usize, edges: &[([usize; 2], i64)]) -> Vec<Vec<f64>> {
    let mut ways = UnGraph::<(), f64, usize>::default();
    for _ in 0..vertices {
        ways.add_node(());
    }
    let weighted = edges.iter();
    ways.extend_with_edges(weighted.map(|([a, b], length)| (*a, *b, *length as f64)));
    let mut nearest = vec![f64::INFINITY; vertices];
    let mut all = Vec::new();
    let mut pivot = 0;
    for _ in 0..vertices.min(PIVOTS) {
        let from = dijkstra(&ways, pivot.into(), None, |edge| *edge.weight());
        let far = ways.node_indices().map(|vertex| from.get(&vertex).copied());
        for (near, far) in nearest.iter_mut().zip(far.clone()) {
            *near = far.map_or(*near, |far| near.min(far));
        }
        // What cannot be reached is a little farther away than all that can.
        let beyond = from.values().copied().fold(0.0, f64::max) + 1.0;
        all.push(far.map(|far| far.unwrap_or(beyond)).collect());
        let farther = |a: &usize, b: &usize| nearest[*a].total_cmp(&nearest[*b]).then(b.cmp(a));
        pivot = (0..vertices).max_by(farther).unwrap_or(0);
    }
    all
}

/// Squared distances, a row for each vertex, with all means taken away.
fn centred(distances: &[Vec<f64>], vertices: usize) -> Vec<Vec<f64>> {
    let squares = |v: usize| distances.iter().map(|d| d[v] * d[v]).collect::<Vec<_>>();
    let mut rows: Vec<Vec<f64>> = (0..vertices).map(squares).collect();
    let mean = |sum: f64, count: usize| sum / count as f64;
    let columns: Vec<f64> = (0..distances.len())
        .map(|p| mean(rows.iter().map(|r| r[p]).sum(), vertices))
        .collect();
    let grand = mean(columns.iter().sum(), columns.len());
    for row in &mut rows {
        let own = mean(row.iter().sum(), row.len());
        for (value, column) in row.iter_mut().zip(&columns) {
            *value = -0.5 * (*value - own - column + grand);
        }
    }
    rows
}

/// The two directions in which the rows differ most.
fn axes(rows: &[Vec<f64>]) -> [Vec<f64>; 2] {
    let width = rows[0].len();
    let product = |a: usize, b: usize| rows.iter().map(|r| r[a] * r[b]).sum::<f64>();
    let matrix: Vec<Vec<f64>> = (0..width)
        .map(|a| (0..width).map(|b| product(a, b)).collect())
        .collect();
    let first = strongest(&matrix, &vec![0.0; width]);
    let second = strongest(&matrix, &first);
    [first, second]
}

/// Power iteration at right angles to `other`.
fn strongest(matrix: &[Vec<f64>], other: &[f64]) -> Vec<f64> {
    // Any start will do that is neither even nor symmetric.
    let mut axis: Vec<f64> = (0..matrix.len())
        .map(|n| 0.1 + ((n * 37 + 11) % 101) as f64 / 101.0)
        .collect();
    for _ in 0..ROUNDS {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let along = dot(&axis, other);
        let straight: Vec<f64> = axis.iter().zip(other).map(|(a, o)| a - along * o).collect();
        let next: Vec<f64> = matrix.iter().map(|row| dot(row, &straight)).collect();
        let along = dot(&next, other);
        let next: Vec<f64> = next.iter().zip(other).map(|(a, o)| a - along * o).collect();
        let length = dot(&next, &next).sqrt();
        // All on one point, or on one line.
        if length.is_nan() || length < 1e-9 {
            return vec![0.0; axis.len()];
        }
        axis = next.iter().map(|a| a / length).collect();
    }
    axis
}

/// Moves vertices that lie nearly on each other.
fn push_apart(places: &mut [(f64, f64)], edges: &[([usize; 2], i64)]) {
    let mut lengths: Vec<f64> = edges
        .iter()
        .map(|([a, b], _)| distance(places[*a], places[*b]))
        .collect();
    lengths.sort_by(f64::total_cmp);
    let middle = lengths.get(lengths.len() / 2).copied().unwrap_or(0.0);
    let room = if middle > 0.0 { middle / 2.0 } else { 1.0 };
    for _ in 0..PUSHES {
        let mut pushed = false;
        for one in 0..places.len() {
            for other in one + 1..places.len() {
                let far = distance(places[one], places[other]);
                if far >= room * 0.99 {
                    continue;
                }
                let way = if far > room * 1e-3 {
                    let (a, b) = (places[one], places[other]);
                    ((b.0 - a.0) / far, (b.1 - a.1) / far)
                } else if (one + other) % 2 == 0 {
                    (0.6, 0.8)
                } else {
                    (0.8, -0.6)
                };
                let push = (room - far) / 2.0;
                places[one].0 -= way.0 * push;
                places[one].1 -= way.1 * push;
                places[other].0 += way.0 * push;
                places[other].1 += way.1 * push;
                pushed = true;
            }
        }
        if !pushed {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(count: usize) -> Vec<([usize; 2], i64)> {
        (1..count).map(|n| ([n - 1, n], 1)).collect()
    }

    #[test]
    fn a_line_is_straight_and_even() {
        let places = layout(7, &chain(7));
        let steps: Vec<_> = places.windows(2).map(|p| distance(p[0], p[1])).collect();
        assert!(
            steps.iter().all(|s| (s - steps[0]).abs() < 1e-6),
            "{steps:?}"
        );
        let all = distance(places[0], places[6]);
        assert!((all - 6.0 * steps[0]).abs() < 1e-6, "{places:?}");
    }

    #[test]
    fn a_ring_is_round() {
        let mut edges = chain(12);
        edges.push(([11, 0], 1));
        let places = layout(12, &edges);
        let far: Vec<_> = places.iter().map(|p| distance(*p, (0.0, 0.0))).collect();
        assert!(
            far.iter().all(|f| (f - far[0]).abs() < 0.01 * far[0]),
            "{far:?}"
        );
    }

    #[test]
    fn a_grid_is_a_grid() {
        let mut edges = Vec::new();
        for n in 0..25 {
            if n % 5 < 4 {
                edges.push(([n, n + 1], 1));
            }
            if n < 20 {
                edges.push(([n, n + 5], 1));
            }
        }
        let places = layout(25, &edges);
        let corner = distance(places[0], places[24]);
        let middle = distance(places[0], places[12]);
        assert!((corner / middle - 2.0).abs() < 0.1, "{places:?}");
        assert_eq!(places, layout(25, &edges));
    }

    #[test]
    fn no_two_leaves_of_a_star_lie_on_each_other() {
        let edges: Vec<_> = (1..9).map(|n| ([0, n], 1)).collect();
        let places = layout(9, &edges);
        for (n, one) in places.iter().enumerate() {
            for other in &places[n + 1..] {
                assert!(distance(*one, *other) > 1e-3, "{places:?}");
            }
        }
    }

    #[test]
    fn islands_and_single_vertices_have_places() {
        assert_eq!(layout(0, &[]), []);
        for count in 1..5 {
            let places = layout(count, &[]);
            assert!(places.iter().all(|p| p.0.is_finite() && p.1.is_finite()));
        }
    }
}
