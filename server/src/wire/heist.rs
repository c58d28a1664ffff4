//! Heist: what one agent of a world has to do.

mod analysis;
mod analyze;
mod answer;
mod design;
mod errors;
mod explanation;
mod game;
mod info;
mod names;
mod plan;
mod play;
mod problem;
mod request;
mod tick;
mod violations;
mod world;

pub(crate) use analyze::{analyzed, to_analyze};
pub(crate) use answer::{answer, update};
pub(crate) use design::{Sketch, design_answer, design_update, to_design};
pub(crate) use game::to_play;
pub(crate) use info::{analysis_strategies, design_strategies, limits, strategies};
pub(crate) use names::Names;
pub(crate) use plan::plan;
pub(crate) use play::play;
pub(crate) use problem::{Decoded, problem};
pub(crate) use request::request;
pub(crate) use violations::verdict;
