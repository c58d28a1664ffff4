//! Matchings and paths.

mod assignment;
mod paths;
