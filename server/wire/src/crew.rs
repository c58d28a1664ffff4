//! Crew: ships in, fronts out.

mod answer;
mod compare;
pub(crate) mod decode;
mod info;
mod methods;
mod names;
mod plan;
mod planned;
mod problem;
mod read;
mod request;
