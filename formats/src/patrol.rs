//! Problems of patrol: our own message, maps of tiles, and the instances of the literature.

pub mod literature;
mod pace;
pub mod tiles;

pub use pace::parse_tick;

use stratagem_proto::v1::{PatrolEdge, PatrolGuard};

/// A number of ticks of a second, the contract's default.
fn ticks(count: i64) -> prost_types::Duration {
    prost_types::Duration {
        seconds: count,
        nanos: 0,
    }
}

/// A way, with its ticks where they are not one.
fn edge(from: String, to: String, length: i64) -> PatrolEdge {
    PatrolEdge {
        from_vertex_id: from,
        to_vertex_id: to,
        travel_duration: (length != 1).then(|| ticks(length)),
    }
}

/// The guards that start at some vertices.
fn guards(starts: Vec<String>) -> Vec<PatrolGuard> {
    let starts = starts.into_iter().enumerate();
    let guard = |(n, start_vertex_id)| PatrolGuard {
        id: format!("guard {}", n + 1),
        start_vertex_id,
        ..PatrolGuard::default()
    };
    starts.map(guard).collect()
}
