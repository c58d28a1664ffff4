//! Networks with uncertain durations, against judges that share no code with them.

#![expect(clippy::unwrap_used, reason = "a test all over")]

mod closed;
mod dispatching;
mod dispatching_cases;
mod dynamic;
mod executor;
mod game;
mod mistakes;
mod networks;
mod playing;
mod rul;
mod strong;
mod weak;
