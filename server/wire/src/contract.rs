//! The methods of the contract: by the build script, from its descriptors.

use crate::method::{Rpc, StreamRpc};
use stratagem_proto::v1 as pb;

include!(concat!(env!("OUT_DIR"), "/methods.rs"));
