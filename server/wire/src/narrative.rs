//! Narrative: stories in, plans, conflicts and relaxations out.

mod answer;
mod conflict;
pub(crate) mod decode;
mod info;
mod methods;
mod names;
mod plan;
mod planned;
mod problem;
mod read;
mod request;
pub(crate) mod session;
mod verdict;
