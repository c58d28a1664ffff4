//! Messages as bytes: compressed or not, read and written away from the threads of the network.

mod encoded;
mod packing;

pub(crate) use encoded::{Encoded, Raw};
pub(crate) use packing::{ACCEPTED, Packing};
