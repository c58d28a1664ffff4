//! Story: domains as text, stories, why they are believable, and what is learned from books.

mod answer;
mod books;
mod branch;
mod errors;
mod explain;
mod fields;
mod info;
mod learn;
mod lesson;
mod plan;
mod problem;
mod read;
mod request;
mod show;
mod texts;
mod vary;
mod violations;

pub(crate) use answer::{answer, update};
pub(crate) use books::Named;
#[cfg(test)]
pub(crate) use books::SENT_BYTES_MAX;
pub(crate) use branch::{branch_answer, branch_limits, branch_request, branch_update};
pub(crate) use explain::{explained, to_explain};
pub(crate) use info::{book_limits, branch_strategies, learn_strategies, limits, strategies};
pub(crate) use learn::to_learn;
pub(crate) use lesson::{learned, lesson_update};
pub(crate) use problem::{Decoded, problem};
pub(crate) use read::plan;
pub(crate) use request::{Names, request};
pub(crate) use vary::{vary_answer, vary_limits, vary_request, vary_update};
pub(crate) use violations::verdict;
