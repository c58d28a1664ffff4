//! Heist: what one agent of a world has to do.

mod analysis;
mod analyze;
mod answer;
pub(crate) mod decode;
mod design;
mod game;
mod info;
mod methods;
mod names;
mod plan;
mod planned;
mod play;
mod problem;
mod request;
pub(crate) mod session;
mod tick;
mod world;
