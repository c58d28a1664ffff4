//! The services of the contract: by the build script of `stratagem-wire`, from its descriptors.

use super::game::Plays;
use super::stream::Updates;
use super::{Parts, stubs};
use crate::codec::Encoded;
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};
use wire::contract::*;

include!(concat!(env!("OUT_DIR"), "/services.rs"));
