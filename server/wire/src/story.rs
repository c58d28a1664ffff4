//! Story: domains as text, stories, why they are believable, and what is learned from books.

mod answer;
pub(crate) mod books;
mod branch;
pub(crate) mod decode;
mod domain;
mod explain;
mod fields;
mod info;
mod learn;
mod lesson;
mod methods;
mod plan;
mod planned;
mod problem;
mod read;
mod request;
mod show;
mod texts;
mod vary;
