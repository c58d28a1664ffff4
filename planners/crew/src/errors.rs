//! Why a problem makes no sense.

use crate::problem::{DAMAGE_MAX_MILLI, TIME_MAX_MS};

/// One reason why a problem makes no sense. Variants name the element at fault by kind and index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum ProblemError {
    /// Too few or too many of something.
    #[error("{given} {what} given, {least} to {most} are supported")]
    Count {
        what: &'static str,
        given: usize,
        least: usize,
        most: usize,
    },
    /// An element that names a vertex that does not exist.
    #[error("{what} {index} names vertex {vertex}, but there are only {vertices}")]
    UnknownVertex {
        what: &'static str,
        index: usize,
        vertex: usize,
        vertices: usize,
    },
    /// An arc from a vertex to itself.
    #[error("arc {arc} leads from a vertex to itself")]
    ArcToItself { arc: usize },
    /// Two arcs between the same vertices in the same direction.
    #[error("arc {arc} leads between the same vertices as arc {first}")]
    ArcRepeated { arc: usize, first: usize },
    /// A time out of range.
    #[error("{what} {index} takes {given_ms} ms, outside of {least_ms} to {TIME_MAX_MS}")]
    Time {
        what: &'static str,
        index: usize,
        given_ms: u64,
        least_ms: u64,
    },
    /// A damage out of range.
    #[error(
        "{what} {index} does {given_milli} thousandths of damage, at most {DAMAGE_MAX_MILLI} are supported"
    )]
    Damage {
        what: &'static str,
        index: usize,
        given_milli: u64,
    },
}
