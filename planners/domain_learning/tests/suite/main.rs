//! What texts, the filter and learning do, each claim in a module.

mod filter;
mod input;
mod judge;
mod learning;
mod planner;
mod tale;
