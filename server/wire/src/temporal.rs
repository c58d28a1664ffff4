//! Temporal: networks in, verdicts with their certificates out.

mod answer;
mod conflict;
pub(crate) mod decode;
mod finding;
mod info;
mod links;
mod methods;
mod names;
mod network;
mod owners;
mod planned;
mod request;
mod schedule;
pub(crate) mod session;
mod summary;
