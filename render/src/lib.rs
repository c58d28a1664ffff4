//! Pictures of problems and plans: a problem and a plan of the contract in, text, SVG or HTML out.
//!
//! Nothing here decides or checks anything: a plan that breaks rules is drawn as it is, ids that do
//! not exist are skipped, absurd times do not panic. Pictures depend on their arguments alone, so
//! that they can be compared in tests.

pub mod allocation;
pub mod crew;
pub mod heist;
pub mod narrative;
pub mod patrol;
pub mod picture;
pub mod puzzle;
pub mod scene;
pub mod schedule;
pub mod story;
pub mod temporal;
pub mod text;
pub mod time;

mod axis;
mod html;
mod label;
mod links;
mod scale;
mod svg;

pub use html::MOMENT;
pub use scene::Scene;
