//! Patrol: where guards go, and how good that is.

mod answer;
mod errors;
mod evaluation;
mod info;
mod names;
mod plan;
mod problem;
mod read;
mod request;
mod violations;

pub(crate) use answer::{answer, update};
pub(crate) use info::{limits, strategies};
pub(crate) use names::Names;
pub(crate) use problem::{Decoded, problem};
pub(crate) use read::{ReadPlan, plan};
pub(crate) use request::{request, to_evaluate};
pub(crate) use violations::{evaluated, verdict};
