//! Temporal: networks in, verdicts with their certificates out.

mod answer;
mod conflict;
mod errors;
mod finding;
mod info;
mod links;
mod names;
mod network;
mod owners;
mod request;
mod schedule;
mod summary;
mod violations;

pub(crate) use answer::{levels_answer, strong_answer};
pub(crate) use info::{levels_strategies, limits, strong_strategies};
pub(crate) use names::Names;
pub(crate) use network::{Decoded, network};
pub(crate) use request::{levels, strong};
pub(crate) use schedule::{ReadSchedule, plan};
pub(crate) use violations::verdict;
