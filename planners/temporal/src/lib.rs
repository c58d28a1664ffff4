//! Temporal: can a plan with uncontrollable teammates or uncertain durations be kept?

pub mod errors;
pub mod generate;
pub mod plan;
pub mod problem;
pub mod solve;
pub mod verify;

pub use errors::NetworkError;
pub use plan::{LevelFinding, Open, Schedule, StrongFinding, Verdict};
pub use problem::Network;
pub use solve::{Detail, LevelsParams, Strategy, StrongParams};
pub use verify::Violation;
