//! Patrol: where guards go, and how good that is.

mod answer;
pub(crate) mod decode;
mod diverse;
mod evaluation;
mod info;
mod methods;
mod mixed_strategy;
mod names;
mod plan;
mod planned;
mod problem;
mod read;
mod request;
pub(crate) mod session;
mod verdict;
