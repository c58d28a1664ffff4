//! Crew: ships in, fronts out.

mod answer;
mod compare;
mod errors;
mod explanation;
mod info;
mod names;
mod plan;
mod problem;
mod read;
mod request;
mod violations;

pub(crate) use answer::answer;
pub(crate) use compare::{compared, to_compare};
pub(crate) use info::{limits, strategies};
pub(crate) use names::Names;
pub(crate) use problem::{Decoded, problem};
pub(crate) use read::plan;
pub(crate) use request::request;
pub(crate) use violations::verdict;
