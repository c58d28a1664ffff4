//! Narrative: stories in, plans, conflicts and relaxations out.

mod answer;
mod conflict;
mod errors;
mod info;
mod names;
mod plan;
mod problem;
mod read;
mod request;
mod verdict;

pub(crate) use answer::{answer, update};
pub(crate) use info::{limits, strategies};
pub(crate) use names::{Called, Names};
pub(crate) use problem::{Decoded, problem};
pub(crate) use read::{ReadPlan, plan};
pub(crate) use request::request;
pub(crate) use verdict::verdict;
