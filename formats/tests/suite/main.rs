//! What is read and written in each format, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod formats;
mod heist;
mod levels;
mod narrative;
mod patrol;
mod patrol_written;
mod projects;
mod solomon;
mod table;
mod temporal;
mod vrplib;
