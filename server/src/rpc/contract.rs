//! The methods of the contract: by the build script, from its descriptors.

use super::game::Plays;
use super::method::Rpc;
use super::stream::{StreamRpc, Updates};
use super::{Parts, stubs};
use crate::codec::Encoded;
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

include!(concat!(env!("OUT_DIR"), "/methods.rs"));
