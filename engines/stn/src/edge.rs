//! What networks are made of.

/// A time or a duration, in microseconds.
pub type Time = i64;

/// Largest magnitude of a weight: 2^50 microseconds, a little more than 35 years.
///
/// A path visits a node once, so with [`NODES_MAX`] nodes its length stays below 2^62: two of them
/// still add up in 64 bits.
pub const TIME_MAX: Time = 1 << 50;

/// Largest number of nodes in a network.
pub const NODES_MAX: usize = 4_095;

const _: () = assert!(NODES_MAX as Time <= i64::MAX / 2 / TIME_MAX);

/// A difference constraint: `t[to] - t[from] <= weight`.
///
/// "At least `d` later" is the reversed edge with weight `-d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The node counted from, an index.
    pub from: u32,
    /// The node that is bounded, an index.
    pub to: u32,
    /// The largest difference allowed, in microseconds, within [`TIME_MAX`] either way.
    pub weight: Time,
    /// The caller's name of the constraint, which conflicts and explanations give back. Not used
    /// otherwise; several edges may share one.
    pub id: u32,
}

impl Edge {
    /// `t[to] - t[from] <= weight`, called `id`. Nothing is checked here: see [`check_edge`].
    pub const fn new(from: u32, to: u32, weight: Time, id: u32) -> Self {
        Self {
            from,
            to,
            weight,
            id,
        }
    }
}

/// A validation error of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// More nodes than sums of weights have room for.
    #[error("{given} nodes given, at most {NODES_MAX} are supported")]
    TooManyNodes {
        /// Nodes asked for.
        given: usize,
    },
    /// An edge to or from nowhere.
    #[error("edge {id} names node {node}, but there are only {nodes}")]
    UnknownNode {
        /// The edge's own name for itself.
        id: u32,
        /// The node it names.
        node: u32,
        /// Nodes in the network.
        nodes: usize,
    },
    /// A weight that could make a sum overflow.
    #[error("edge {id} weighs {weight} us, beyond {TIME_MAX} us either way")]
    WeightTooLarge {
        /// The edge's own name for itself.
        id: u32,
        /// Its weight, in microseconds.
        weight: Time,
    },
}

/// Checks one edge of a network of `nodes` nodes.
///
/// # Errors
/// [`InputError::UnknownNode`], [`InputError::WeightTooLarge`].
pub fn check_edge(nodes: usize, edge: &Edge) -> Result<(), InputError> {
    let id = edge.id;
    for node in [edge.from, edge.to] {
        if node as usize >= nodes {
            return Err(InputError::UnknownNode { id, node, nodes });
        }
    }
    if edge.weight.unsigned_abs() > TIME_MAX.unsigned_abs() {
        let weight = edge.weight;
        return Err(InputError::WeightTooLarge { id, weight });
    }
    Ok(())
}

/// Checks a whole network of `nodes` nodes; the first mistake is reported.
///
/// # Errors
/// Any [`InputError`].
pub fn check_edges(nodes: usize, edges: &[Edge]) -> Result<(), InputError> {
    if nodes > NODES_MAX {
        return Err(InputError::TooManyNodes { given: nodes });
    }
    edges.iter().try_for_each(|edge| check_edge(nodes, edge))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: u32, to: u32, weight: Time) -> Edge {
        Edge::new(from, to, weight, 7)
    }

    #[test]
    fn weights_are_accepted_up_to_the_limit_and_not_beyond() {
        for weight in [TIME_MAX, -TIME_MAX, 0] {
            assert_eq!(check_edge(2, &edge(0, 1, weight)), Ok(()));
        }
        for weight in [TIME_MAX + 1, -TIME_MAX - 1, i64::MIN, i64::MAX] {
            let error = InputError::WeightTooLarge { id: 7, weight };
            assert_eq!(check_edge(2, &edge(0, 1, weight)), Err(error));
        }
    }

    #[test]
    fn nodes_that_are_not_there_are_named() {
        let (id, node, nodes) = (7, 2, 2);
        let error = Err(InputError::UnknownNode { id, node, nodes });
        assert_eq!(check_edges(2, &[edge(0, 1, 1), edge(0, 2, 1)]), error);
        assert_eq!(check_edges(2, &[edge(2, 0, 1)]), error);
    }

    #[test]
    fn networks_too_large_for_sums_are_refused() {
        assert_eq!(check_edges(NODES_MAX, &[]), Ok(()));
        let given = NODES_MAX + 1;
        let error = InputError::TooManyNodes { given };
        assert_eq!(check_edges(given, &[]), Err(error));
    }
}
