//! A checked planning request, of any planner.

use super::solve::Options;
use crate::run::Kind;
use bytes::{BufMut as _, Bytes};
use prost::Message;
use std::sync::Arc;

/// A checked request to a planner `P`; `N` are the names in it.
pub(crate) struct Request<P: Kind, N> {
    pub problem: Arc<P::Problem>,
    pub names: Arc<N>,
    pub options: Options,
    pub params: P::Params,
    pub target: Option<P::Cost>,
    /// Name of the strategy, as reports tell it.
    pub strategy: &'static str,
    /// Searches side by side, as reports tell it.
    pub width: usize,
    /// All that the answer depends on; absent without an iteration limit.
    pub identity: Option<Bytes>,
    /// Memory that the problem takes, near enough.
    pub bytes: usize,
}

/// The bytes of everything that an answer is a function of, when there is such: with an iteration
/// limit. `method` tells apart what is asked; prost writes the fields of `message` in the order of
/// their numbers, so that equal ones give equal bytes.
pub(crate) fn identity(
    method: &str,
    message: &impl Message,
    options: &Options,
    strategy: &str,
) -> Option<Bytes> {
    // Spelled out: a new option does not compile until someone decides whether plans depend on it.
    let Options {
        iterations_max,
        seed,
        target,
        width,
        // By its name, "" and "auto" would be two.
        strategy: _,
        // These change when an answer comes, not what it is.
        budget: _,
        threads: _,
        class: _,
        validate_only: _,
    } = options;
    let iterations_max = (*iterations_max)?;
    let mut bytes = Vec::with_capacity(message.encoded_len() + 128);
    for text in [method, strategy] {
        bytes.put_slice(text.as_bytes());
        bytes.put_u8(0);
    }
    bytes.put_u64(iterations_max);
    bytes.put_i64(*seed);
    bytes.put_u64(*width as u64);
    bytes.put_u64(target.len() as u64);
    for level in target {
        bytes.put_f64(*level);
    }
    message
        .encode(&mut bytes)
        .expect("a vector grows as much as is needed");
    Some(bytes.into())
}
