//! Problems of patrol: our own message, maps of tiles, and the instances of the literature.

pub mod literature;
mod pace;
pub mod tiles;

pub use pace::parse_tick;

use super::{Format, Mistake, read as read_message, top_keys};

use stratagem_proto::v1::{PatrolEdge, PatrolGuard, PatrolProblem};

/// Keys that only documents with a problem of patrol have.
pub const KEYS: &[&str] = &["guards", "intruder", "robots"];

/// What a map of tiles leaves open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TileOptions {
    /// Range of guards' sight in tiles. Default: the map's.
    pub sight: Option<u32>,
    /// Microseconds of a tick, also of an instance of the literature. Default: the file's.
    pub tick_us: Option<i64>,
    /// One place for each room.
    pub rooms: bool,
}

/// Whether a text is an instance of the literature.
#[must_use]
pub fn is_literature(text: &str, format: Format) -> bool {
    let keys = top_keys(text, format);
    format == Format::Json && keys.iter().any(|k| k == "robots" || k == "name")
}

/// Reads a problem: our message, or an instance of the literature ([`literature::read`]), for which
/// alone `args` are, of which only the tick counts.
///
/// # Errors
/// All mistakes of an instance of the literature, else the first.
pub fn read(text: &str, format: Format, args: TileOptions) -> Result<PatrolProblem, Vec<Mistake>> {
    if is_literature(text, format) {
        return literature::read(text, args.tick_us);
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
