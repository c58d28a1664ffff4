//! Schedule: projects in, times of activities out.

mod answer;
pub(crate) mod decode;
mod info;
mod methods;
mod names;
mod planned;
mod problem;
mod read;
mod request;
