//! Puzzle: levels, solutions, and what players find hard.

mod answer;
mod board;
pub(crate) mod decode;
mod explanation;
mod info;
mod methods;
mod objective;
mod plan;
mod planned;
mod played;
mod problem;
mod rate;
mod read;
mod request;
mod solution;
