//! Networks with uncertain durations, against judges that share no code with them.

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
