//! Problems of patrol: our own message, maps of tiles, and the instances of the literature.

pub mod literature;
pub mod tiles;

use super::{Format, Mistake, read as read_message, top_keys};
use stratagem_proto::v1::{PatrolEdge, PatrolGuard, PatrolProblem};

/// Keys that only documents with a problem of patrol have.
pub const KEYS: &[&str] = &["guards", "intruder", "robots"];

/// Reads a problem: our message, or an instance of the literature ([`literature::read`]).
///
/// # Errors
/// All mistakes of an instance of the literature, else the first.
pub fn read(text: &str, format: Format) -> Result<PatrolProblem, Vec<Mistake>> {
    let keys = top_keys(text, format);
    if format == Format::Json && keys.iter().any(|k| k == "robots" || k == "name") {
        return literature::read(text);
    }
    read_message(text, format).map_err(|m| vec![m])
}

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
