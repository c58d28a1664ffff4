//! Heist: what one agent of a world has to do.

mod answer;
mod errors;
mod explanation;
mod info;
mod names;
mod plan;
mod problem;
mod request;
mod violations;
mod world;

pub(crate) use answer::{answer, update};
pub(crate) use info::{limits, strategies};
pub(crate) use names::Names;
pub(crate) use plan::plan;
pub(crate) use problem::{Decoded, problem};
pub(crate) use request::request;
pub(crate) use violations::verdict;
