//! Messages from bytes, weighed before anything is allocated for them.
//!
//! A legal message of a few megabytes can ask for a hundred times as much memory: an empty
//! sub-message takes two bytes on the wire and hundreds in memory. So the raw bytes are walked
//! first, by the schema ([`weigh`]), and refused when they hold more than [`weigh::LIMITS`].

mod encoded;
mod packing;
mod schema;
#[cfg(test)]
mod tests;
pub(crate) mod weigh;

use crate::status::Refusal;
pub(crate) use encoded::{Encoded, Raw};
pub(crate) use packing::{ACCEPTED, Packing};
use prost::{Message, Name};

/// A message that callers send.
pub(crate) trait Incoming: Message + Name + Default + Send + 'static {}

impl<M: Message + Name + Default + Send + 'static> Incoming for M {}

/// Decodes a message, if it is not too heavy.
///
/// # Errors
/// When it holds too much, or cannot be decoded.
pub(crate) fn decode<M: Incoming>(bytes: &[u8]) -> Result<M, Refusal> {
    let weight = weigh::weigh(&M::full_name(), bytes)?;
    weight.check(&weigh::LIMITS)?;
    M::decode(bytes).map_err(|error| Refusal::Malformed(error.to_string()))
}
